//! Writes what other languages say of the options: the arguments of Python and their types, and the types of the npm package. Each stands
//! between two marks in a file. `PDN_BLESS=1` writes them again.

use std::fmt::Write;
use std::path::Path;

use pdn_app::ask::options::{Form, OptionField, OptionGroups, Options};
use pdn_app::check::CheckRules;
use pdn_app::find::tree::{TreeRequest, TreeShown};
use pdn_app::report::event::EventOptions;
use pdn_app::report::player::PlayerOptions;
use pdn_app::write::convert::{ConvertOrder, ConvertOutputs};
use pdn_app::write::dataset::DatasetRules;
use pdn_app::write::dedup::DedupRules;
use pdn_app::write::fix::{FixFiles, FixRules};
use pdn_app::write::written_form::WrittenForm;

#[path = "../../../tests/support/snapshot.rs"]
mod snapshot;

const CONVERT: OptionGroups = &[ConvertOutputs::FIELDS, WrittenForm::FIELDS, ConvertOrder::FIELDS];

/// Compares each part of a file between a line that has `begin NAME` and one that has `end NAME` with what is generated.
fn compare(file: &str, name: &str, generated: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("begin {name}"), format!("end {name}"));
    let (mut whole, mut is_inside, mut parts) = (String::new(), false, 0);
    for line in text.split_inclusive('\n') {
        is_inside &= !line.trim_end().ends_with(&end);
        if !is_inside {
            whole += line;
        }
        if line.trim_end().ends_with(&begin) {
            whole += &generated(&line[..line.len() - line.trim_start().len()]);
            (is_inside, parts) = (true, parts + 1);
        }
    }
    assert!(parts > 0 && !is_inside, "{file} has no `{begin}`, or no `{end}`");
    snapshot::compare(&path, &whole).unwrap_or_else(|difference| panic!("{difference}"));
}

/// Returns the options of a question, but those that are written by hand.
fn fields(groups: OptionGroups, by_hand: &[&str]) -> impl Iterator<Item = &'static OptionField> {
    groups.iter().copied().flatten().filter(move |field| !by_hand.contains(&field.name))
}

/// Returns the names of a choice in quotes.
fn names(choices: fn() -> Vec<(&'static str, &'static str)>, quote: char, between: &str) -> String {
    let names: Vec<String> = choices().iter().map(|(name, _)| format!("{quote}{name}{quote}")).collect();
    names.join(between)
}

/// The arguments of a function of Python with their types and defaults. Without a default, or where an option needs another, the default
/// is None.
fn python(groups: OptionGroups, by_hand: &[&str], indent: &str) -> String {
    let mut text = String::new();
    for field in fields(groups, by_hand) {
        let name = match field.name {
            "force" => "overwrite",
            "class" => "classes",
            name => name,
        };
        let default = (field.default)().filter(|_| field.needs.is_empty());
        let quoted = default.as_ref().map(|default| format!("\"{default}\""));
        let (of, default) = match field.form {
            Form::Switch => ("bool".to_owned(), Some("False".to_owned())),
            Form::Number => ("int".to_owned(), default),
            Form::Share => ("float".to_owned(), default),
            Form::Size => ("str | int".to_owned(), quoted),
            Form::Text => ("str".to_owned(), quoted),
            Form::Path => ("_Path".to_owned(), quoted),
            Form::Choice(choices) => (format!("Literal[{}]", names(choices, '"', ", ")), quoted),
            Form::Words | Form::List(_) => ("_Words".to_owned(), Some(quoted.unwrap_or("()".to_owned()))),
        };
        let _ = match default {
            Some(default) => writeln!(text, "{indent}{name}: {of} = {default},"),
            None => writeln!(text, "{indent}{name}: {of} | None = None,"),
        };
    }
    text
}

/// The fields of an interface of TypeScript.
fn typescript(groups: OptionGroups, indent: &str) -> String {
    let mut text = String::new();
    for field in fields(groups, &[]) {
        let of = match field.form {
            Form::Switch => "boolean".to_owned(),
            Form::Number | Form::Share => "number".to_owned(),
            Form::Size => "string | number".to_owned(),
            Form::Text | Form::Path => "string | null".to_owned(),
            Form::Choice(choices) => names(choices, '\'', " | "),
            Form::Words | Form::List(_) => "string | string[]".to_owned(),
        };
        let help = field.help(|name| format!("`{name}`"));
        let _ = writeln!(text, "{indent}/** {help}. */\n{indent}{}?: {of};", field.name);
    }
    text
}

/// The attribute of a method in Rust that takes any arguments, with the signature that Python shows.
fn signature(groups: OptionGroups, before: &str, indent: &str) -> String {
    let arguments = python(groups, &[], "");
    let untyped = arguments.lines().filter_map(|line| {
        let (name, default) = (line.split(':').next()?, line.rsplit(" = ").next()?);
        Some(format!(", {name}={}", default.trim_end_matches(',').replace('"', "'")))
    });
    let all: String = untyped.collect();
    let own = before.split('*').next().unwrap_or_default();
    format!("{indent}#[pyo3(signature = ({own}**options), text_signature = \"($self, {before}{all})\")]\n")
}

#[test]
fn python_has_all_options() {
    let questions: [(&str, &str, OptionGroups); 3] = [
        ("tree", "*, variant=None, where=None", TreeRequest::OPTIONS),
        ("player", "name, *, where=None", &[PlayerOptions::FIELDS]),
        ("event", "name, *, where=None", &[EventOptions::FIELDS]),
    ];
    for (name, before, groups) in questions {
        let attribute = |indent: &str| signature(groups, before, indent);
        compare("tools/python/src/index.rs", &format!("signature of {name}"), attribute);
        let stubs = "tools/python/python/pdn/_pdn.pyi";
        compare(stubs, &format!("options of {name}"), |indent| python(groups, &[], indent));
    }
    let file = "tools/python/python/pdn/_writing.py";
    compare(file, "options of convert", |indent| python(CONVERT, &["output"], indent));
    compare(file, "options of fix", |indent| python(&[FixFiles::FIELDS, FixRules::FIELDS], &[], indent));
    compare(file, "options of dedup", |indent| python(&[DedupRules::FIELDS], &["against"], indent));
    let file = "tools/python/python/pdn/_dataset.py";
    let by_hand = &["format", "eval"];
    compare(file, "options of dataset", |indent| python(&[DatasetRules::FIELDS], by_hand, indent));
}

#[test]
fn npm_package_has_all_options() {
    let file = "tools/wasm/pdn.d.ts";
    compare(file, "options of check", |indent| typescript(&[CheckRules::FIELDS], indent));
    compare(file, "options of convert", |indent| typescript(&[WrittenForm::FIELDS], indent));
    compare(file, "options of fix", |indent| typescript(&[FixRules::FIELDS], indent));
    compare(file, "options of tree", |indent| typescript(TreeRequest::OPTIONS, indent));
}

#[test]
fn option_that_is_not_declared_is_nowhere() {
    const REST: OptionGroups = &[TreeShown::FIELDS.split_at(1).1];
    let name = TreeShown::FIELDS[0].name;
    let all: [fn(OptionGroups) -> String; 3] = [
        |groups| python(groups, &[], ""),
        |groups| typescript(groups, ""),
        |groups| signature(groups, "", ""),
    ];
    for texts in all {
        assert!(texts(TreeRequest::OPTIONS).contains(name) && !texts(REST).contains(name), "{name}");
    }
}
