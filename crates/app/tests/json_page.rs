//! The page `crates/app/src/guide/json.md`: its tables of answers whose types have schemas are made of these schemas.
//!
//! A test of the command compares the page with what is printed, so that a wrong schema fails there.

#[path = "../../../tests/support/snapshot.rs"]
mod snapshot;

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use pdn_app::check::solve::{ProblemAnswer, SolveTotals};
use pdn_app::check::{CheckSummary, CodeGroup, FileGroup, Finding};
use pdn_app::draw::moves::{LegalMoves, PositionSummary};
use pdn_app::draw::sheet::SheetAnswer;
use pdn_app::find::games::FindCount;
use pdn_app::find::show::GameAnswer;
use pdn_app::find::tree::TreeAnswer;
use pdn_app::read::indexing::{Indexed, Merged};
use pdn_app::report::event::EventReport;
use pdn_app::report::groups::GameGroup;
use pdn_app::report::player::PlayerReport;
use pdn_app::report::stats::Statistics;
use pdn_app::write::convert::ConvertAnswer;
use pdn_app::write::fix::FixAnswer;

/// The totals of a command, in its last line.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct LastLine<T> {
    /// The totals.
    summary: T,
}

/// Returns the schemas of the answers by the headings of their sections.
fn schemas() -> HashMap<&'static str, Schema> {
    fn of<T: JsonSchema>() -> Schema {
        let mut settings = SchemaSettings::draft2020_12();
        settings.contract = Contract::Serialize;
        SchemaGenerator::new(settings).into_root_schema_for::<T>()
    }
    HashMap::from([
        ("`pdn check --json`", of::<Finding>()),
        ("`pdn check --json`: last line", of::<LastLine<CheckSummary>>()),
        ("`pdn check --by code --json`", of::<CodeGroup>()),
        ("`pdn check --by file --json`", of::<FileGroup>()),
        ("`pdn fix --json`: last line", of::<LastLine<FixAnswer>>()),
        ("`pdn convert --json`", of::<ConvertAnswer>()),
        ("`pdn stats --json`", of::<Statistics>()),
        ("`pdn index --json`", of::<Indexed>()),
        ("`pdn find --by ... --json`", of::<GameGroup>()),
        ("`pdn find --count --json`", of::<FindCount>()),
        ("`pdn tree --json`", of::<TreeAnswer>()),
        ("`pdn player --json`", of::<PlayerReport>()),
        ("`pdn event --json`", of::<EventReport>()),
        ("`pdn show FILE GAME --json`", of::<GameAnswer>()),
        ("`pdn show --json`: a position", of::<PositionSummary>()),
        ("`pdn solve --json`", of::<ProblemAnswer>()),
        ("`pdn solve --json`: last line", of::<LastLine<SolveTotals>>()),
        ("`pdn sheet --json`", of::<SheetAnswer>()),
        ("`pdn moves --json`", of::<LegalMoves>()),
        ("`pdn merge --json`", of::<Merged>()),
    ])
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

#[test]
fn tables_of_the_page_are_those_of_the_schemas() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide/json.md");
    let page = std::fs::read_to_string(&path).expect("the page is part of the library");
    let mut schemas = schemas();
    let mut sections = page.split_inclusive('\n').fold(vec![String::new()], |mut sections, line| {
        if line.starts_with("## ") {
            sections.push(String::new());
        }
        sections.last_mut().expect("one").push_str(line);
        sections
    });
    for section in &mut sections {
        let heading = section.strip_prefix("## ").and_then(|text| text.lines().next()).unwrap_or_default();
        let Some(schema) = schemas.remove(heading) else { continue };
        let (text, rest) = section.split_once("| key |").expect("a table");
        let after = rest.split_once("\n\n").map_or("", |(_, after)| after);
        *section = format!("{text}{}\n{after}", Table::of(&schema));
    }
    assert!(schemas.is_empty(), "no section for {:?}", schemas.keys());
    let made = sections.concat();
    snapshot::compare(&path, &format!("{}\n", made.trim_end())).unwrap();
}
