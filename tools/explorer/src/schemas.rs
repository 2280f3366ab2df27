//! The schemas of answers, for the description of the routes: each function returns the media types that an answer may have.

use pdn_app::ask::rows::FoundGame;
use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Value, json};

use crate::archives::ServedGame;
use crate::served_archive::IndexAnswer;

/// Describes JSON of this type.
pub(crate) fn json<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    json_of(&generator.subschema_for::<T>())
}

fn json_of(schema: &Schema) -> Value {
    json!({ "application/json": { "schema": schema } })
}

/// Describes an answer that is no JSON.
pub(crate) fn text(media_type: &str) -> Value {
    json!({ media_type: { "schema": { "type": "string" } } })
}

fn text_list() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

/// Describes the list of what there is.
pub(crate) fn contents(_: &mut SchemaGenerator) -> Value {
    json_of(&json_schema!({
        "type": "object",
        "required": ["version", "program", "description", "indexes", "routes"],
        "properties": {
            "version": { "type": "string", "description": "The version of the interface: `1.0`" },
            "program": { "type": "string", "description": "Name and version of the program" },
            "description": { "type": "string", "description": "The address of this description" },
            "indexes": text_list(),
            "routes": { "type": "array", "items": {
                "type": "object",
                "required": ["method", "path", "summary"],
                "properties": {
                    "method": { "type": "string" }, "path": { "type": "string" }, "summary": { "type": "string" },
                },
            } },
        },
    }))
}

/// Describes the list of indexes.
pub(crate) fn indexes(generator: &mut SchemaGenerator) -> Value {
    let index = generator.subschema_for::<IndexAnswer>();
    let damaged = json!({
        "type": "object",
        "required": ["name", "error"],
        "properties": {
            "name": { "type": "string" },
            "error": { "type": "string", "description": "Why the index cannot be described" },
        },
    });
    json_of(&json_schema!({
        "type": "object", "required": ["indexes"],
        "properties": {
            "title": { "type": "string", "description": "The title of the page, if it has one of its own" },
            "indexes": { "type": "array", "items": { "anyOf": [index, damaged] } },
        },
    }))
}

/// Describes the lines of games that match.
pub(crate) fn lines(generator: &mut SchemaGenerator) -> Value {
    let last = json!({
        "type": "object",
        "required": ["complete"],
        "properties": {
            "complete": { "type": "boolean", "description": "Whether all games that match were looked at" },
            "total": { "type": "integer", "description": "The number of all games that match" },
            "problem": { "$ref": "#/components/schemas/Problem" },
        },
    });
    let game = generator.subschema_for::<FoundGame<'static>>();
    let line = json!({ "description": "A line; the last one has `complete`", "anyOf": [last, game] });
    json!({ "application/x-ndjson": { "schema": line } })
}

/// Describes a game in all of its forms.
pub(crate) fn game(generator: &mut SchemaGenerator) -> Value {
    let mut content = json::<ServedGame>(generator);
    for media_type in ["text/plain", "image/svg+xml", "image/png"] {
        content[media_type] = json!({ "schema": { "type": "string" } });
    }
    content
}

/// Describes the state of the server.
pub(crate) fn health(_: &mut SchemaGenerator) -> Value {
    json_of(&json_schema!({
        "type": "object",
        "required": ["status", "indexes"],
        "properties": {
            "status": { "type": "string", "enum": ["ok", "degraded"] },
            "indexes": text_list(),
            "lost": { "type": "array", "items": {
                "type": "object",
                "required": ["name", "reason"],
                "properties": { "name": { "type": "string" }, "reason": { "type": "string" } },
            } },
        },
    }))
}

/// Describes the description.
pub(crate) fn description(_: &mut SchemaGenerator) -> Value {
    json_of(&json_schema!({
        "type": "object",
        "required": ["openapi", "info", "paths", "components"],
        "properties": {
            "openapi": { "type": "string" }, "info": { "type": "object" },
            "paths": { "type": "object" }, "components": { "type": "object" },
        },
    }))
}
