//! The routes. Each stands here once, with its address, its parameters, what it asks and what it answers: the router, the description,
//! the list of routes, the counters and the module for browsers are loops over them.

use std::collections::HashMap;

use pdn::stop::Stop;
use pdn_app::ask::filter::{FieldForm, Filter, FilterField, FilterPart};
use pdn_app::ask::options::{OptionGroups, Options};
use pdn_app::ask::position::PlaceRequest;
use pdn_app::find::games::FindOrder;
use pdn_app::find::tree::TreeShown;
use pdn_app::report::event::EventOptions;
use pdn_app::report::overview::PlayerOrder;
use pdn_app::report::player::PlayerOptions;
#[cfg(feature = "server")]
use {
    crate::archives::{FindPage, GroupsAnswer, ServedTree},
    crate::game_import::ImportAnswer,
    crate::lichess,
    crate::schemas::{contents, description, game, health, indexes, json, lines, text},
    pdn_app::check::CheckedText,
    pdn_app::draw::moves::DrawnPosition,
    pdn_app::find::openings::OpeningsAnswer,
    pdn_app::report::event::EventReport,
    pdn_app::report::overview::{EventsAnswer, OverviewAnswer, PlayersAnswer},
    pdn_app::report::player::PlayerReport,
    schemars::generate::SchemaGenerator,
    serde_json::Value,
};

use crate::answers::{Answer, Question};
use crate::archives::Archives;
use crate::params::Params;
use crate::problem::Problem;
use crate::requests::parameters;
use crate::route_options::{
    BoardSide, GameShown, Grouping, ListLength, NameAsked, PageStart, RepairsChosen, TableStart,
    TreeExamples, VariantAsked,
};
use crate::served_archive::OpenArchive;

/// The version of the interface: the first number stands in the addresses, and the second grows with every addition.
pub(crate) const API_VERSION: &str = "1.5";
/// The route of imports, at the second address only.
pub(crate) const IMPORT: &str = "/import/lidraughts";
/// The route of games.
pub(crate) const GAME: &str = "/api/v1/{index}/games/{game}";
/// The question of the routes in the form of the lichess explorer, which no module for browsers answers.
#[cfg(feature = "server")]
const LICHESS_TREE: Asks = Asks::Index(Budget::Long, Archives::lichess);
#[cfg(not(feature = "server"))]
const LICHESS_TREE: Asks = Asks::Import;

/// What a route asks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asks {
    /// A question about an index: that of the address, or the first one. It is asked again only when the index has changed.
    Index(Budget, Answerer),
    /// The lines of a search about an index, while it goes on.
    Lines,
    Contents,
    Indexes,
    Description,
    Check,
    Health,
    Metrics,
    /// What only the second address answers.
    Import,
}

/// A function that answers a question about an index.
pub(crate) type Answerer = fn(&Archives, &OpenArchive, &Question, &Stop) -> Result<Answer, Problem>;

/// The work that an answer takes. Answers of one budget wait for each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Budget {
    /// Some milliseconds, without waiting for the others.
    Light,
    /// It may take long.
    Long,
    /// A file of games, which takes much memory.
    Downloads,
}

/// A route of the interface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// The method of its requests.
    pub(crate) method: &'static str,
    pub(crate) asks: Asks,
    /// Describes the answer by media types.
    #[cfg(feature = "server")]
    pub(crate) answer: fn(&mut SchemaGenerator) -> Value,
    pub(crate) filter: FilterParameters,
    /// The other parameters in the query string.
    pub(crate) options: OptionGroups,
    /// Names of parameters that only the lichess explorer knows.
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

/// Declares the routes. The descriptions of answers are in the server only, which shows them.
macro_rules! routes {
    ($($path:tt: $asks:expr, $answer:expr, { $($key:ident: $value:expr,)* })*) => {
        /// All routes.
        pub(crate) const ROUTES: &[Route] = &[$(Route {
            path: $path,
            asks: $asks,
            #[cfg(feature = "server")]
            answer: $answer,
            $($key: $value,)*
            ..Route::PLAIN
        },)*];
    };
}

routes! {
    "/api/v1/": Asks::Contents, contents, {
        summary: "What there is: the version of this interface, its routes, and the names of the indexes",
    }
    "/api/v1/indexes": Asks::Indexes, indexes, {
        summary: "The indexes that are served",
    }
    "/api/v1/{index}/tree": Asks::Index(Budget::Long, Archives::served_tree), json::<ServedTree>, {
        summary: "The moves played in a position, with their results",
        filter: FilterParameters::Games,
        options: &[PlaceRequest::FIELDS, TreeShown::FIELDS, TreeExamples::FIELDS],
    }
    "/api/v1/{index}/find": Asks::Index(Budget::Long, Archives::find_page), json::<FindPage<'static>>, {
        summary: "The games that match, a page at a time",
        filter: FilterParameters::All,
        options: &[FindOrder::FIELDS, PageStart::FIELDS, ListLength::FIELDS],
    }
    "/api/v1/{index}/groups": Asks::Index(Budget::Long, Archives::groups), json::<GroupsAnswer>, {
        summary: "The games that match by group; each group with its score and query",
        filter: FilterParameters::All,
        options: &[Grouping::FIELDS, ListLength::FIELDS],
    }
    "/api/v1/{index}/find.ndjson": Asks::Lines, lines, {
        summary: "The first games that match, a line for each as they are found, and at last their number",
        filter: FilterParameters::All,
        options: &[ListLength::FIELDS],
    }
    "/api/v1/{index}/find.pdn": Asks::Index(Budget::Downloads, Archives::find_pdn), |_| text("text/plain"), {
        summary: "The games that match, as PDN",
        filter: FilterParameters::All,
        options: &[FindOrder::FIELDS],
    }
    "/api/v1/{index}/find.csv": Asks::Index(Budget::Downloads, Archives::find_csv), |_| text("text/csv"), {
        summary: "The games that match, a row for each",
        filter: FilterParameters::All,
        options: &[FindOrder::FIELDS, TableStart::FIELDS],
    }
    "/api/v1/{index}/stats": Asks::Index(Budget::Long, Archives::stats), json::<OverviewAnswer>, {
        summary: "Numbers of games by variant, year, result and length",
        filter: FilterParameters::Games,
    }
    "/api/v1/{index}/players": Asks::Index(Budget::Long, Archives::players), json::<PlayersAnswer>, {
        summary: "Players with their numbers of games, sorted as a whole and given a page at a time",
        options: &[NameAsked::FIELDS, PlayerOrder::FIELDS, PageStart::FIELDS, ListLength::FIELDS],
    }
    "/api/v1/{index}/player": Asks::Index(Budget::Long, Archives::player), json::<PlayerReport>, {
        summary: "The results of the player that `name` means, by colour, year, opponent, opening, length and rating",
        filter: FilterParameters::Games,
        options: &[PlayerOptions::FIELDS, NameAsked::FIELDS],
    }
    "/api/v1/{index}/events": Asks::Index(Budget::Long, Archives::events), json::<EventsAnswer>, {
        summary: "Events with their numbers of games, those with the most games first",
        options: &[NameAsked::FIELDS, PageStart::FIELDS, ListLength::FIELDS],
    }
    "/api/v1/{index}/event": Asks::Index(Budget::Long, Archives::event), json::<EventReport>, {
        summary: "The standings and games of the event that `name` means",
        filter: FilterParameters::Games,
        options: &[EventOptions::FIELDS, NameAsked::FIELDS],
    }
    "/api/v1/{index}/openings": Asks::Index(Budget::Light, Archives::openings), json::<OpeningsAnswer>, {
        summary: "The openings that have names, each with the query for its games",
        options: &[VariantAsked::FIELDS],
    }
    "/api/v1/{index}/position": Asks::Index(Budget::Light, Archives::position), json::<DrawnPosition>, {
        summary: "A position with its legal moves and its board",
        options: &[VariantAsked::FIELDS, PlaceRequest::FIELDS],
    }
    "/api/v1/{index}/position.png": Asks::Index(Budget::Light, Archives::picture), |_| text("image/png"), {
        summary: "A position as a picture",
        options: &[VariantAsked::FIELDS, PlaceRequest::FIELDS, BoardSide::FIELDS],
    }
    GAME: Asks::Index(Budget::Light, Archives::game), game, {
        summary: "A game with its variations, comments and positions; with .json, .pdn, .svg or .png after its number.",
        options: &[GameShown::FIELDS, BoardSide::FIELDS],
    }
    "/api/v1/check": Asks::Check, json::<CheckedText>, {
        summary: "Diagnostics of a PDN text, sent by POST, and the text after its repairs",
        method: "POST",
        options: &[RepairsChosen::FIELDS],
    }
    "/api/v1/openapi.json": Asks::Description, description, {
        summary: "This description",
    }
    "/masters": LICHESS_TREE, json::<lichess::ExplorerAnswer>, {
        summary: "The tree in the form of the lichess explorer",
        parameters: LICHESS,
    }
    "/masters/pgn/{game}": Asks::Index(Budget::Light, Archives::lichess_game), |_| text("text/plain"), {
        summary: "The record of a game of the first index, by the `id` that the tree has",
    }
    "/master/pgn/{game}": Asks::Index(Budget::Light, Archives::lichess_game), |_| text("text/plain"), {
        summary: "The same as /masters/pgn/{game}",
    }
    "/master": LICHESS_TREE, json::<lichess::ExplorerAnswer>, {
        summary: "The same as /masters",
        parameters: LICHESS,
    }
    "/lichess": LICHESS_TREE, json::<lichess::ExplorerAnswer>, {
        summary: "The same, with ratings",
        parameters: LICHESS,
    }
    "/lidraughts": LICHESS_TREE, json::<lichess::ExplorerAnswer>, {
        summary: "The same as /lichess",
        parameters: LICHESS,
    }
    "/player": LICHESS_TREE, json::<lichess::ExplorerAnswer>, {
        summary: "The same for the games of one player",
        parameters: LICHESS,
    }
    "/personal": LICHESS_TREE, json::<lichess::ExplorerAnswer>, {
        summary: "The same as /player",
        parameters: LICHESS,
    }
    "/health": Asks::Health, health, {
        summary: "Answers while the server runs",
    }
    "/metrics": Asks::Metrics, |_| text("application/openmetrics-text"), {
        summary: "Counters in the format of OpenMetrics",
    }
    IMPORT: Asks::Import, json::<ImportAnswer>, {
        summary: "Stores the games of a PDN text in the first index, sent by PUT to the address of --import-addr with the token",
        method: "PUT",
    }
}

impl Route {
    /// A route without parameters.
    const PLAIN: Self = Self {
        path: "",
        summary: "",
        method: "GET",
        asks: Asks::Contents,
        #[cfg(feature = "server")]
        answer: contents,
        filter: FilterParameters::None,
        options: &[],
        parameters: &[],
    };

    /// Returns the place of a route in [`ROUTES`].
    pub(crate) fn place(path: &str) -> Option<usize> {
        ROUTES.iter().position(|route| route.path == path)
    }

    /// Returns the values of the parts in braces if this is the route of an address.
    pub(crate) fn parts<'a>(&self, address: &'a str) -> Option<HashMap<&'static str, &'a str>> {
        let (names, words) = (self.path.split('/'), address.split('/'));
        if names.clone().count() != words.clone().count() {
            return None;
        }
        let mut parts = HashMap::new();
        for (name, word) in names.zip(words) {
            match name.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) => _ = parts.insert(name, word),
                None if name != word => return None,
                None => (),
            }
        }
        Some(parts)
    }

    /// Parses the parameters of a request, its query string, and checks their names.
    pub(crate) fn params(&self, query: &str) -> Result<Params, Problem> {
        let (params, known) = (Params::parse(query)?, self.names());
        let repeated: Vec<&str> = known.iter().copied().filter(|name| is_repeated(name)).collect();
        params.check(&known, &repeated)?;
        Ok(params)
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

/// Returns `true` for a parameter that may be given several times.
pub(crate) fn is_repeated(name: &str) -> bool {
    REPEATED.contains(&name) || Filter::field(name).is_some_and(|field| field.form == FieldForm::Repeated)
}

/// Returns the routes of a server; that of imports only if there is a second address.
#[cfg(feature = "server")]
pub(crate) fn known_routes(
    routes: &'static [Route],
    has_import: bool,
) -> impl Iterator<Item = &'static Route> {
    routes.iter().filter(move |route| has_import || !matches!(route.asks, Asks::Import))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_app::find::tree::TreeRequest;

    #[test]
    fn route_has_the_options_that_are_declared_and_names_no_files() {
        const REST: OptionGroups = &[TreeShown::FIELDS.split_at(1).1];
        let tree = &ROUTES[Route::place("/api/v1/{index}/tree").expect("a route")];
        let name = TreeShown::FIELDS[0].name;
        assert!(tree.names().contains(&name));
        let asked = parameters(TreeRequest::OPTIONS).map(|option| option.name);
        assert!(asked.into_iter().all(|name| tree.names().contains(&name)), "the whole question");
        let rest = Route { options: REST, path: "", summary: "", ..*tree };
        assert!(!rest.names().contains(&name) && rest.names().contains(&"limit"), "{:?}", rest.names());
        let player = &ROUTES[Route::place("/api/v1/{index}/player").expect("a route")];
        assert!(player.names().contains(&"against") && !player.names().contains(&"names"));
    }
}
