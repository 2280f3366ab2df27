//! Makes the tables of the page `crates/app/src/guide/json.md` of the schemas of answers. The tests of the crates that make the answers
//! include this file by its path.

use std::collections::HashMap;
use std::fmt::Write;

use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// Returns the schema of an answer as it is written.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = Contract::Serialize;
    SchemaGenerator::new(settings).into_root_schema_for::<T>()
}

/// Returns the page with the tables of these schemas in the sections with these headings, and the headings of all other tables.
///
/// # Panics
/// If there is no section for a schema.
pub(crate) fn with_tables<'p>(page: &'p str, mut schemas: HashMap<&str, Schema>) -> (String, Vec<&'p str>) {
    let (mut made, mut others) = (String::new(), Vec::new());
    let mut rest = Some(page);
    while let Some(text) = rest {
        let section;
        (section, rest) = match text.find("\n## ") {
            Some(end) => (&text[..=end], Some(&text[end + 1..])),
            None => (text, None),
        };
        let heading = section.strip_prefix("## ").and_then(|text| text.lines().next()).unwrap_or_default();
        match (schemas.remove(heading), section.split_once("| key |")) {
            (Some(schema), Some((text, table))) => {
                let after = table.split_once("\n\n").map_or("", |(_, after)| after);
                made.extend([text, &Table::of(&schema), "\n", after]);
            }
            (_, table) => {
                made.push_str(section);
                others.extend(table.map(|_| heading));
            }
        }
    }
    assert!(schemas.is_empty(), "no section for {:?}", schemas.keys());
    (format!("{}\n", made.trim_end()), others)
}

/// The rows of a table, made by walking a schema.
struct Table<'a> {
    definitions: &'a Map<String, Value>,
    /// The definitions that the walk is in; one that contains itself is not entered again.
    entered: Vec<&'a str>,
    rows: String,
}

impl<'a> Table<'a> {
    /// Returns the table of the keys of a schema.
    fn of(schema: &'a Schema) -> String {
        let empty = Map::new();
        let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or(empty);
        let mut table = Table { definitions: &definitions, entered: Vec::new(), rows: String::new() };
        table.keys(schema.as_value(), "");
        format!("| key | type | meaning | present |\n|---|---|---|---|\n{}", table.rows)
    }

    /// Appends a row for each key of the values of a schema.
    fn keys(&mut self, schema: &'a Value, path: &str) {
        let dot = if path.is_empty() { "" } else { "." };
        let required = schema["required"].as_array();
        for (name, value) in schema["properties"].as_object().into_iter().flatten() {
            let always = required.is_some_and(|names| names.iter().any(|other| other == name));
            self.row(&format!("{path}{dot}{name}"), value, if always { "always" } else { "sometimes" });
        }
        if schema["additionalProperties"].is_object() {
            self.row(&format!("{path}{dot}*"), &schema["additionalProperties"], "always");
        }
        if schema["items"].is_object() {
            self.row(&format!("{path}[]"), &schema["items"], "always");
        }
    }

    /// Appends the row of a key, and those of the keys in its value.
    fn row(&mut self, key: &str, value: &'a Value, present: &str) {
        let mut types = Vec::new();
        let mut inner = Vec::new();
        self.types(value, &mut types, &mut inner);
        types.sort_by_key(|name| *name == "null");
        types.dedup();
        let described = [value].into_iter().chain(inner.iter().map(|&(schema, _)| schema));
        let meaning =
            described.filter_map(|schema| schema["description"].as_str()).next().unwrap_or_default();
        // The first paragraph, without the line ends of the source.
        let mut meaning =
            meaning.split("\n\n").next().unwrap_or_default().replace('\n', " ").replace('|', r"\|");
        let words: Vec<_> = inner.iter().filter_map(|(schema, _)| schema["const"].as_str()).collect();
        if !words.is_empty() {
            write!(meaning, " One of `{}`.", words.join("`, `")).expect("memory");
        }
        writeln!(self.rows, "| `{key}` | {} | {meaning} | {present} |", types.join(" or ")).expect("memory");
        for (schema, name) in inner {
            if name.is_some_and(|name| self.entered.contains(&name)) {
                continue;
            }
            self.entered.extend(name);
            self.keys(schema, key);
            if name.is_some() {
                self.entered.pop();
            }
        }
    }

    /// Collects the types of the values of a schema, and the schemas that they may have keys or elements of, with their names.
    fn types(
        &self,
        schema: &'a Value,
        types: &mut Vec<&'a str>,
        inner: &mut Vec<(&'a Value, Option<&'a str>)>,
    ) {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            let first = inner.len();
            self.types(&self.definitions[name], types, inner);
            for (_, unnamed) in &mut inner[first..] {
                unnamed.get_or_insert(name);
            }
            return;
        }
        let several = [&schema["anyOf"], &schema["oneOf"]];
        for choice in several.into_iter().filter_map(Value::as_array).flatten() {
            self.types(choice, types, inner);
        }
        match &schema["type"] {
            Value::String(name) => types.push(name),
            Value::Array(names) => types.extend(names.iter().filter_map(Value::as_str)),
            _ if schema["const"].is_string() => types.push("string"),
            _ => {}
        }
        inner.push((schema, None));
    }
}
