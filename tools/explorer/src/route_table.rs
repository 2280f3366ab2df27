//! The routes with their parameters: what requests are checked against, and what `openapi.json` is made of.

use axum::extract::Request;
use pdn_app::check::CheckedText;
use pdn_app::filter::{FieldForm, Filter, FilterField, FilterPart};
use pdn_app::moves::DrawnPosition;
use pdn_app::overview::{OverviewAnswer, PlayersAnswer};
use pdn_app::rows::FoundGame;
use pdn_app::show::GameAnswer;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use crate::archives::{FindPage, ServedTree};
use crate::game_import::ImportAnswer;
use crate::lichess;
use crate::params::Params;
use crate::problem::Problem;
use crate::served_archive::IndexAnswer;

/// The route of imports, at the second address only.
pub(crate) const IMPORT: &str = "/import/lidraughts";

/// A route of the interface.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) filter: FilterParameters,
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
        path: "/api/v1/indexes",
        summary: "The indexes that are served",
        filter: FilterParameters::None,
        parameters: &[],
    },
    Route {
        path: "/api/v1/{index}/tree",
        summary: "The moves played in a position, with their results",
        filter: FilterParameters::Games,
        parameters: &["fen", "moves", "transpositions", "sort", "limit", "games"],
    },
    Route {
        path: "/api/v1/{index}/find",
        summary: "The games that match, a page at a time",
        filter: FilterParameters::All,
        parameters: &["sort", "reverse", "offset", "limit"],
    },
    Route {
        path: "/api/v1/{index}/find.ndjson",
        summary: "The first games that match, a line for each as they are found, and at last their number",
        filter: FilterParameters::All,
        parameters: &["limit"],
    },
    Route {
        path: "/api/v1/{index}/find.pdn",
        summary: "The games that match, as PDN",
        filter: FilterParameters::All,
        parameters: &["sort", "reverse"],
    },
    Route {
        path: "/api/v1/{index}/find.csv",
        summary: "The games that match, a row for each",
        filter: FilterParameters::All,
        parameters: &["sort", "reverse"],
    },
    Route {
        path: "/api/v1/{index}/stats",
        summary: "Numbers of games by variant, year, result and length",
        filter: FilterParameters::Games,
        parameters: &[],
    },
    Route {
        path: "/api/v1/{index}/players",
        summary: "Players with their numbers of games, the most active first",
        filter: FilterParameters::None,
        parameters: &["name", "offset", "limit"],
    },
    Route {
        path: "/api/v1/{index}/position",
        summary: "A position with its legal moves and its board",
        filter: FilterParameters::None,
        parameters: &["variant", "fen", "moves"],
    },
    Route {
        path: "/api/v1/{index}/games/{game}",
        summary: "A game with its variations, comments and positions; with .json, .pdn or .svg after its number",
        filter: FilterParameters::None,
        parameters: &["ply", "flip"],
    },
    Route {
        path: "/api/v1/check",
        summary: "Diagnostics of a PDN text, sent by POST",
        filter: FilterParameters::None,
        parameters: &[],
    },
    Route {
        path: "/api/v1/openapi.json",
        summary: "This description",
        filter: FilterParameters::None,
        parameters: &[],
    },
    Route {
        path: "/masters",
        summary: "The tree in the form of the lichess explorer",
        filter: FilterParameters::None,
        parameters: LICHESS,
    },
    Route {
        path: "/master",
        summary: "The same as /masters",
        filter: FilterParameters::None,
        parameters: LICHESS,
    },
    Route {
        path: "/lichess",
        summary: "The same, with ratings",
        filter: FilterParameters::None,
        parameters: LICHESS,
    },
    Route {
        path: "/lidraughts",
        summary: "The same as /lichess",
        filter: FilterParameters::None,
        parameters: LICHESS,
    },
    Route {
        path: "/player",
        summary: "The same for the games of one player",
        filter: FilterParameters::None,
        parameters: LICHESS,
    },
    Route {
        path: "/personal",
        summary: "The same as /player",
        filter: FilterParameters::None,
        parameters: LICHESS,
    },
    Route {
        path: "/health",
        summary: "Answers while the server runs",
        filter: FilterParameters::None,
        parameters: &[],
    },
    Route {
        path: "/metrics",
        summary: "Counters in the format of OpenMetrics",
        filter: FilterParameters::None,
        parameters: &[],
    },
    Route {
        path: IMPORT,
        summary: "Stores the games of a PDN text in the first index, sent by PUT to the address of --import-addr with the token",
        filter: FilterParameters::None,
        parameters: &[],
    },
];

impl Route {
    /// Returns the place of a route in [`ROUTES`].
    pub(crate) fn place(path: &str) -> Option<usize> {
        ROUTES.iter().position(|route| route.path == path)
    }

    /// Returns the fields of the filter that are parameters.
    fn filter_fields(&self) -> impl Iterator<Item = &'static FilterField> {
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
        names.chain(self.parameters.iter().copied()).collect()
    }
}

/// Returns `true` for a parameter that may be given several times.
fn is_repeated(name: &str) -> bool {
    REPEATED.contains(&name) || Filter::field(name).is_some_and(|field| field.form == FieldForm::Repeated)
}

/// Parses the parameters of a request and checks their names.
pub(crate) fn known_params(request: &Request, route: &str) -> Result<Params, Problem> {
    let params = Params::parse(request.uri().query().unwrap_or_default())?;
    let known = Route::place(route).map_or_else(Vec::new, |place| ROUTES[place].names());
    let repeated: Vec<&str> = known.iter().copied().filter(|name| is_repeated(name)).collect();
    params.check(&known, &repeated)?;
    Ok(params)
}

/// Returns the OpenAPI description of all routes; that of imports only if there is a second address.
pub(crate) fn open_api(has_import: bool) -> Value {
    let mut paths = Map::new();
    let mut generator = generator();
    for route in ROUTES.iter().filter(|route| has_import || route.path != IMPORT) {
        let in_path = route.path.split(['{', '}']).skip(1).step_by(2).map(
            |name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }),
        );
        let in_query = route.names().into_iter().map(|name| {
            let value = if is_repeated(name) {
                json!({ "type": "array", "items": { "type": "string" } })
            } else {
                json!({ "type": "string" })
            };
            let mut parameter = json!({ "name": name, "in": "query", "schema": value });
            if let Some(field) = route.filter_fields().find(|field| field.name == name) {
                parameter["description"] = field.help(|name| format!("`{name}`")).into();
            }
            parameter
        });
        let method = match route.path {
            "/api/v1/check" => "post",
            IMPORT => "put",
            _ => "get",
        };
        let mut operation = json!({
            "summary": route.summary,
            "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
            "responses": {
                "200": answer(route, &mut generator),
                "default": {
                    "description": "Why there is no answer",
                    "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
                },
            },
        });
        if method != "get" {
            operation["requestBody"] = json!({ "required": true, "content": { "application/octet-stream": { "schema": { "type": "string" } } } });
        }
        if route.path == IMPORT {
            operation["security"] = json!([{ "token": [] }]);
        }
        paths.insert(route.path.to_owned(), json!({ method: operation }));
    }
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Problem".to_owned(), problem_schema());
    let security =
        if has_import { json!({ "token": { "type": "http", "scheme": "bearer" } }) } else { json!({}) };
    json!({
        "openapi": "3.1.0",
        "info": { "title": "pdn serve", "version": env!("CARGO_PKG_VERSION"), "license": { "name": "MIT OR Apache-2.0" } },
        "paths": paths,
        "components": { "securitySchemes": security, "schemas": schemas },
    })
}

/// Returns the generator of the schemas of answers, which refer to each other as parts of the description.
fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    // What a client receives, not what it would have to send.
    settings.contract = Contract::Serialize;
    settings.into_generator()
}

/// Describes the answer of a route: JSON with a schema, or another media type.
fn answer(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let lines = |schema: Schema| json!({ "application/x-ndjson": { "schema": schema } });
    let json = |schema: Schema| json!({ "application/json": { "schema": schema } });
    let text = |media_type: &str| json!({ media_type: { "schema": { "type": "string" } } });
    let content = match route.path {
        "/api/v1/indexes" => {
            let index = generator.subschema_for::<IndexAnswer>();
            json(json_schema!({
                "type": "object", "required": ["indexes"],
                "properties": { "indexes": { "type": "array", "items": index } },
            }))
        }
        "/api/v1/{index}/tree" => json(generator.subschema_for::<ServedTree>()),
        "/api/v1/{index}/find" => json(generator.subschema_for::<FindPage<'static>>()),
        "/api/v1/{index}/find.ndjson" => lines(generator.subschema_for::<FoundGame<'static>>()),
        "/api/v1/{index}/find.pdn" => text("text/plain"),
        "/api/v1/{index}/find.csv" => text("text/csv"),
        "/api/v1/{index}/stats" => json(generator.subschema_for::<OverviewAnswer>()),
        "/api/v1/{index}/players" => json(generator.subschema_for::<PlayersAnswer>()),
        "/api/v1/{index}/position" => json(generator.subschema_for::<DrawnPosition>()),
        "/api/v1/{index}/games/{game}" => {
            let mut content = json(generator.subschema_for::<GameAnswer>());
            for media_type in ["text/plain", "image/svg+xml"] {
                content[media_type] = json!({ "schema": { "type": "string" } });
            }
            content
        }
        "/api/v1/check" => json(generator.subschema_for::<CheckedText>()),
        "/masters" | "/master" | "/lichess" | "/lidraughts" | "/player" | "/personal" => {
            json(generator.subschema_for::<lichess::ExplorerAnswer>())
        }
        "/health" | "/metrics" => text("text/plain"),
        IMPORT => json(generator.subschema_for::<ImportAnswer>()),
        _ => json(json_schema!({ "type": "object" })),
    };
    json!({ "description": "The answer", "content": content })
}

/// Returns the schema of problems.
fn problem_schema() -> Value {
    json!({
            "type": "object",
            "required": ["title", "status", "detail"],
            "properties": {
                "title": { "type": "string" },
                "status": { "type": "integer" },
                "detail": { "type": "string", "description": "What went wrong, for people" },
                "code": { "type": "string", "description": "What kind of error it is, for programs" },
                "help": { "type": "string", "description": "What to do, for people" },
                "parameter": { "type": "string", "description": "The parameter that is wrong" },
                "at": { "type": "integer", "description": "First byte of the wrong part of its value" },
                "span": { "type": "integer", "description": "Length of the wrong part in bytes" },
            },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn description_has_every_route_with_its_parameters() {
        let description = open_api(true);
        for route in ROUTES {
            let path = &description["paths"][route.path];
            assert!(path.is_object(), "{}", route.path);
        }
        let find = &description["paths"]["/api/v1/{index}/find"]["get"]["parameters"];
        let names: Vec<&str> = find.as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
        for name in ["index", "white", "pattern", "offset"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        let answer = |path: &str| &description["paths"][path]["get"]["responses"]["200"]["content"];
        let tree = &answer("/api/v1/{index}/tree")["application/json"]["schema"];
        assert_eq!(tree["$ref"], "#/components/schemas/ServedTree");
        let schemas = &description["components"]["schemas"];
        assert!(schemas["ServedTree"]["properties"]["arrivals"].is_object(), "{}", schemas["ServedTree"]);
        for route in ROUTES.iter().filter(|route| route.path != "/api/v1/openapi.json") {
            let path = description["paths"][route.path].as_object().unwrap();
            let content = path.values().next().unwrap()["responses"]["200"]["content"].as_object().unwrap();
            assert!(!content.is_empty(), "{}", route.path);
        }
        assert_eq!(description["paths"][IMPORT]["put"]["security"][0]["token"], json!([]));
        assert_eq!(open_api(false)["paths"][IMPORT], Value::Null);
    }
}
