//! The OpenAPI description of the routes, with the schemas of their answers.

use pdn_app::ask::options::{Form, OptionField};
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::requests::parameters;
use crate::route_table::{API_VERSION, Asks, Route, is_repeated, known_routes};

/// Returns the OpenAPI description of these routes; that of imports only if there is a second address.
pub(crate) fn open_api(routes: &'static [Route], has_import: bool) -> Value {
    let mut paths = Map::new();
    let mut generator = generator();
    for route in known_routes(routes, has_import) {
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
            if let Some(option) = parameters(route.options).find(|option| option.name == name) {
                parameter["description"] = option.help(|name| format!("`{name}`")).into();
                parameter["schema"] = option_schema(option);
            }
            parameter
        });
        let method = route.method.to_lowercase();
        let mut operation = json!({
            "summary": route.summary,
            "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
            "responses": {
                "200": { "description": "The answer", "content": (route.answer)(&mut generator) },
                "default": {
                    "description": "Why there is no answer",
                    "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
                },
            },
        });
        if route.method != "GET" {
            operation["requestBody"] = json!({ "required": true, "content": { "application/octet-stream": { "schema": { "type": "string" } } } });
        }
        if matches!(route.asks, Asks::Import) {
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
        "info": { "title": "pdn serve", "version": API_VERSION, "license": { "name": "MIT OR Apache-2.0" } },
        "paths": paths,
        "components": { "securitySchemes": security, "schemas": schemas },
    })
}

/// Describes the values of an option.
fn option_schema(option: &OptionField) -> Value {
    let names = |choices: fn() -> Vec<(&'static str, &'static str)>| -> Vec<&str> {
        choices().into_iter().map(|(name, _)| name).collect()
    };
    let default = (option.default)();
    let mut schema = match option.form {
        Form::Switch => json!({ "type": "boolean" }),
        Form::Number => json!({ "type": "integer", "minimum": option.range.0 }),
        Form::Choice(choices) => json!({ "type": "string", "enum": names(choices) }),
        _ => json!({ "type": "string" }),
    };
    if option.range.1 < u64::MAX {
        schema["maximum"] = option.range.1.into();
    }
    if let Some(default) = default {
        schema["default"] = default.parse::<u64>().map_or_else(|_| default.into(), Value::from);
    }
    schema
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

/// Returns the schema of problems.
fn problem_schema() -> Value {
    json!({
            "type": "object",
            "required": ["title", "status", "detail", "reason", "arguments"],
            "properties": {
                "title": { "type": "string" },
                "status": { "type": "integer" },
                "detail": { "type": "string", "description": "What went wrong, for people" },
                "code": { "type": "string", "description": "What kind of error it is, for programs" },
                "reason": {
                    "type": "string",
                    "description": "The name of the sentence in `detail` without its values, for programs that say it in another language",
                },
                "arguments": {
                    "type": "object",
                    "description": "The values in that sentence by their names: texts, empty for the end of a text, numbers, and what is possible",
                    "additionalProperties": { "anyOf": [
                        { "type": "string" }, { "type": "integer" }, { "type": "array", "items": { "type": "string" } },
                    ] },
                },
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
    use crate::route_table::{IMPORT, ROUTES};

    #[test]
    fn description_has_every_route_with_its_parameters() {
        let description = open_api(ROUTES, true);
        for route in ROUTES {
            let path = &description["paths"][route.path];
            assert!(path.is_object(), "{}", route.path);
        }
        let find = &description["paths"]["/api/v1/{index}/find"]["get"]["parameters"];
        let names: Vec<&str> = find.as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
        for name in ["index", "white", "pattern", "define", "offset"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        let tree = &description["paths"]["/api/v1/{index}/tree"]["get"]["parameters"];
        let parameter = |name: &str| tree.as_array().unwrap().iter().find(|p| p["name"] == name).unwrap();
        let sort = json!({ "type": "string", "enum": ["games", "score", "rating", "year", "move"], "default": "games" });
        assert_eq!(parameter("sort")["schema"], sort);
        assert_eq!(parameter("limit")["schema"], json!({ "type": "integer", "minimum": 0, "default": 0 }));
        assert_eq!(parameter("limit")["description"], "Print at most this many moves, 0 for no limit");
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
        assert_eq!(open_api(ROUTES, false)["paths"][IMPORT], Value::Null);
    }
}
