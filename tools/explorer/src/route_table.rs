//! The routes with their parameters, against which requests are checked.

use pdn_app::ask::filter::{FieldForm, Filter, FilterField, FilterPart};
use pdn_app::ask::options::{Form, OptionField, OptionGroups, Options};
use pdn_app::find::games::FindOrder;
use pdn_app::find::tree::TreeRequest;
use pdn_app::report::event::EventOptions;
use pdn_app::report::player::PlayerOptions;

use crate::params::Params;
use crate::problem::Problem;

/// The version of the interface: the first number stands in the addresses, and the second grows with every addition.
pub(crate) const API_VERSION: &str = "1.3";
/// The route of imports, at the second address only.
pub(crate) const IMPORT: &str = "/import/lidraughts";

/// A route of the interface.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) filter: FilterParameters,
    /// The options of the question.
    pub(crate) options: OptionGroups,
    /// Names of the other parameters in the query string.
    pub(crate) parameters: &'static [&'static str],
}

/// Which fields of [`Filter`] a route has as parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FilterParameters {
    None,
    /// Those about games as a whole, and the variant.
    Games,
    /// Those about positions too.
    All,
}

/// Parameters of routes without a filter that may be given several times.
const REPEATED: &[&str] = &["speeds", "speeds[]", "ratings", "ratings[]", "modes", "modes[]"];
/// Parameters of the interface of the lichess explorer.
const LICHESS: &[&str] = &[
    "variant",
    "fen",
    "play",
    "moves",
    "topGames",
    "recentGames",
    "since",
    "until",
    "speeds",
    "speeds[]",
    "ratings",
    "ratings[]",
    "source",
    "player",
    "color",
    "modes",
    "modes[]",
    "history",
];

/// All routes.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        path: "/api/v1/",
        summary: "What there is: the version of this interface, its routes, and the names of the indexes",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/api/v1/indexes",
        summary: "The indexes that are served",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/api/v1/{index}/tree",
        summary: "The moves played in a position, with their results",
        filter: FilterParameters::Games,
        options: TreeRequest::OPTIONS,
        parameters: &["games", "rows"],
    },
    Route {
        path: "/api/v1/{index}/find",
        summary: "The games that match, a page at a time",
        filter: FilterParameters::All,
        options: &[FindOrder::FIELDS],
        parameters: &["offset", "limit"],
    },
    Route {
        path: "/api/v1/{index}/groups",
        summary: "The games that match by group: `by` the next move, player, a field such as year, or a tag; each group with its score and query",
        filter: FilterParameters::All,
        options: &[],
        parameters: &["by", "limit"],
    },
    Route {
        path: "/api/v1/{index}/find.ndjson",
        summary: "The first games that match, a line for each as they are found, and at last their number",
        filter: FilterParameters::All,
        options: &[],
        parameters: &["limit"],
    },
    Route {
        path: "/api/v1/{index}/find.pdn",
        summary: "The games that match, as PDN",
        filter: FilterParameters::All,
        options: &[FindOrder::FIELDS],
        parameters: &[],
    },
    Route {
        path: "/api/v1/{index}/find.csv",
        summary: "The games that match, a row for each; `bom=true` puts a byte order mark before them, which Excel needs",
        filter: FilterParameters::All,
        options: &[FindOrder::FIELDS],
        parameters: &["bom"],
    },
    Route {
        path: "/api/v1/{index}/stats",
        summary: "Numbers of games by variant, year, result and length",
        filter: FilterParameters::Games,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/api/v1/{index}/players",
        summary: "Players with their numbers of games, the most active first",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["name", "offset", "limit"],
    },
    Route {
        path: "/api/v1/{index}/player",
        summary: "The results of the player that `name` means, by colour, year, opponent, opening, length and rating",
        filter: FilterParameters::Games,
        options: &[PlayerOptions::FIELDS],
        parameters: &["name"],
    },
    Route {
        path: "/api/v1/{index}/events",
        summary: "Events with their numbers of games, those with the most games first",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["name", "offset", "limit"],
    },
    Route {
        path: "/api/v1/{index}/event",
        summary: "The standings and games of the event that `name` means",
        filter: FilterParameters::Games,
        options: &[EventOptions::FIELDS],
        parameters: &["name"],
    },
    Route {
        path: "/api/v1/{index}/openings",
        summary: "The openings that have names, each with the query for its games",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["variant"],
    },
    Route {
        path: "/api/v1/{index}/position",
        summary: "A position with its legal moves and its board",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["variant", "fen", "moves"],
    },
    Route {
        path: "/api/v1/{index}/position.png",
        summary: "A position as a picture",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["variant", "fen", "moves", "flip"],
    },
    Route {
        path: "/api/v1/{index}/games/{game}",
        summary: "A game with its variations, comments and positions; with .json, .pdn, .svg or .png after its number. \
                  `animate=20-28` plays these plies in the SVG picture",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["line", "ply", "flip", "numbers", "animate"],
    },
    Route {
        path: "/api/v1/check",
        summary: "Diagnostics of a PDN text, sent by POST, and the text after its repairs; `repairs` chooses some of those that are `offered`",
        filter: FilterParameters::None,
        options: &[],
        parameters: &["repairs"],
    },
    Route {
        path: "/api/v1/openapi.json",
        summary: "This description",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/masters",
        summary: "The tree in the form of the lichess explorer",
        filter: FilterParameters::None,
        options: &[],
        parameters: LICHESS,
    },
    Route {
        path: "/masters/pgn/{game}",
        summary: "The record of a game of the first index, by the `id` that the tree has",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/master/pgn/{game}",
        summary: "The same as /masters/pgn/{game}",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/master",
        summary: "The same as /masters",
        filter: FilterParameters::None,
        options: &[],
        parameters: LICHESS,
    },
    Route {
        path: "/lichess",
        summary: "The same, with ratings",
        filter: FilterParameters::None,
        options: &[],
        parameters: LICHESS,
    },
    Route {
        path: "/lidraughts",
        summary: "The same as /lichess",
        filter: FilterParameters::None,
        options: &[],
        parameters: LICHESS,
    },
    Route {
        path: "/player",
        summary: "The same for the games of one player",
        filter: FilterParameters::None,
        options: &[],
        parameters: LICHESS,
    },
    Route {
        path: "/personal",
        summary: "The same as /player",
        filter: FilterParameters::None,
        options: &[],
        parameters: LICHESS,
    },
    Route {
        path: "/health",
        summary: "Answers while the server runs",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: "/metrics",
        summary: "Counters in the format of OpenMetrics",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
    Route {
        path: IMPORT,
        summary: "Stores the games of a PDN text in the first index, sent by PUT to the address of --import-addr with the token",
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    },
];

impl Route {
    /// Returns the place of a route in [`ROUTES`].
    pub(crate) fn place(path: &str) -> Option<usize> {
        ROUTES.iter().position(|route| route.path == path)
    }

    /// Returns the method of its requests, in lower case.
    pub(crate) fn method(&self) -> &'static str {
        match self.path {
            "/api/v1/check" => "post",
            IMPORT => "put",
            _ => "get",
        }
    }

    /// Returns the fields of the filter that are parameters.
    pub(crate) fn filter_fields(&self) -> impl Iterator<Item = &'static FilterField> {
        let filter = self.filter;
        Filter::FIELDS.iter().filter(move |field| match filter {
            FilterParameters::None => false,
            FilterParameters::Games => field.part != FilterPart::Position,
            FilterParameters::All => true,
        })
    }

    /// Returns the names of all parameters.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let names = self.filter_fields().map(|field| field.name);
        let options = parameters(self.options).map(|option| option.name);
        names.chain(options).chain(self.parameters.iter().copied()).collect()
    }
}

/// Returns the options that are parameters: a client names no files.
pub(crate) fn parameters(options: OptionGroups) -> impl Iterator<Item = &'static OptionField> {
    options.iter().copied().flatten().filter(|option| !matches!(option.form, Form::Path))
}

/// Returns `true` for a parameter that may be given several times.
pub(crate) fn is_repeated(name: &str) -> bool {
    REPEATED.contains(&name) || Filter::field(name).is_some_and(|field| field.form == FieldForm::Repeated)
}

/// Parses the parameters of a request, its query string, and checks their names.
pub(crate) fn known_params(query: &str, route: &str) -> Result<Params, Problem> {
    let params = Params::parse(query)?;
    let known = Route::place(route).map_or_else(Vec::new, |place| ROUTES[place].names());
    let repeated: Vec<&str> = known.iter().copied().filter(|name| is_repeated(name)).collect();
    params.check(&known, &repeated)?;
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_app::find::tree::TreeShown;

    #[test]
    fn route_has_the_options_that_are_declared_and_names_no_files() {
        const REST: OptionGroups = &[TreeShown::FIELDS.split_at(1).1];
        let tree = &ROUTES[Route::place("/api/v1/{index}/tree").expect("a route")];
        let name = TreeShown::FIELDS[0].name;
        assert!(tree.names().contains(&name));
        let rest = Route { options: REST, path: "", summary: "", ..*tree };
        assert!(!rest.names().contains(&name) && rest.names().contains(&"limit"), "{:?}", rest.names());
        let player = &ROUTES[Route::place("/api/v1/{index}/player").expect("a route")];
        assert!(player.names().contains(&"against") && !player.names().contains(&"names"));
    }
}
