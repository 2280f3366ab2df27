//! Writes what other languages say of the options: the arguments of Python and their types, and the types of the npm package. Each stands
//! between two marks in a file. `PDN_BLESS=1` writes them again.

use std::fmt::Write;
use std::path::Path;

use pdn_app::ask::endings::EndingOptions;
use pdn_app::ask::options::{Form, OptionField, OptionGroups, Options};
use pdn_app::check::CheckRules;
use pdn_app::find::tree::{TreeRequest, TreeShown};
use pdn_app::read::inputs::{ReadOptions, Threads};
use pdn_app::report::event::EventOptions;
use pdn_app::report::player::PlayerOptions;
use pdn_app::write::convert::{ConvertOrder, ConvertOutputs};
use pdn_app::write::dataset::DatasetRules;
use pdn_app::write::dedup::DedupRules;
use pdn_app::write::export::ExportTables;
use pdn_app::write::fix::{FixFiles, FixRules};
use pdn_app::write::written_form::WrittenForm;
use pdn_tables::Table;

#[path = "../../../tools/python/src/arguments.rs"]
mod arguments;
#[path = "../../../tests/support/snapshot.rs"]
mod snapshot;

use arguments::{CHECK_OPTIONS, Failures, Mapping, Texts, export_options};

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

/// Returns the options of groups, but those that are written by hand.
fn all(groups: OptionGroups, by_hand: &[&str]) -> Vec<&'static OptionField> {
    groups.iter().copied().flatten().filter(|field| !by_hand.contains(&field.name)).collect()
}

/// Returns those options of a group that have these names.
fn some(group: &'static [OptionField], names: &[&str]) -> Vec<&'static OptionField> {
    group.iter().filter(|field| names.contains(&field.name)).collect()
}

/// Returns the names of a choice in quotes.
fn names(choices: fn() -> Vec<(&'static str, &'static str)>, quote: char, between: &str) -> String {
    let names: Vec<String> = choices().iter().map(|(name, _)| format!("{quote}{name}{quote}")).collect();
    names.join(between)
}

/// The arguments of a function of Python with their types and defaults. Without a default, or where an option needs another, the default
/// is None.
fn python(fields: &[&OptionField], indent: &str) -> String {
    let mut text = String::new();
    for field in fields {
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
    for field in all(groups, &[]) {
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

/// A function of Python that is written in Rust and takes any arguments.
struct Function {
    file: &'static str,
    name: &'static str,
    /// The arguments that the function in Rust has itself.
    own: &'static str,
    /// Further arguments that are written by hand.
    by_hand: &'static str,
    fields: Vec<&'static OptionField>,
}

impl Function {
    /// The attribute of the function, with the signature that Python shows.
    fn attribute(&self, indent: &str) -> String {
        let arguments = python(&self.fields, "");
        let untyped = arguments.lines().filter_map(|line| {
            let (name, default) = (line.split(':').next()?, line.rsplit(" = ").next()?);
            Some(format!(", {name}={}", default.trim_end_matches(',').replace('"', "'")))
        });
        let all: String = untyped.collect();
        let of_self = if indent.is_empty() { "" } else { "$self, " };
        let shown = format!("{of_self}{}{}", self.own.replace("false", "False"), self.by_hand);
        let shown = shown.trim_end_matches(", ");
        format!("{indent}#[pyo3(signature = ({}**options), text_signature = \"({shown}{all})\")]\n", self.own)
    }
}

/// Returns the functions of Python whose arguments are options.
fn functions() -> Vec<Function> {
    let function = |file, name, own, by_hand, fields| Function { file, name, own, by_hand, fields };
    let reading = |by_hand: &[&str]| {
        all(&[ReadOptions::FIELDS, Failures::FIELDS, Threads::FIELDS, Mapping::FIELDS], by_hand)
    };
    let of_table = |table: Table, name| {
        let mut fields = some(ExportTables::FIELDS, export_options(table));
        fields.extend(all(&[Texts::FIELDS], &[]));
        fields.extend(reading(&[]));
        function("table.rs", name, "source, ", "*, columns=None, where=None", fields)
    };
    let mut check = some(CheckRules::FIELDS, CHECK_OPTIONS);
    check.extend(reading(&[]));
    vec![
        function("open.rs", "open", "source, ", "*", reading(&["threads"])),
        of_table(Table::Games, "games"),
        of_table(Table::Moves, "moves"),
        of_table(Table::Positions, "positions"),
        of_table(Table::Comments, "comments"),
        of_table(Table::Diagnostics, "diagnostics"),
        function("check.rs", "check", "source, ", "*", check),
        function(
            "import.rs",
            "index",
            "source, path, *, append=false, embed=false, ",
            "",
            reading(&["mmap"]),
        ),
        function(
            "split_points.rs",
            "split_points",
            "source, n, ",
            "*",
            reading(&["variant", "scores", "mmap"]),
        ),
        function("index.rs", "tree", "", "*, variant=None, where=None", all(TreeRequest::OPTIONS, &[])),
        function("index.rs", "player", "name, ", "*, where=None", all(&[PlayerOptions::FIELDS], &[])),
        function("index.rs", "event", "name, ", "*, where=None", all(&[EventOptions::FIELDS], &[])),
    ]
}

#[test]
fn python_has_all_options() {
    for function in functions() {
        let file = format!("tools/python/src/{}", function.file);
        compare(&file, &format!("signature of {}", function.name), |indent| function.attribute(indent));
        let stubs = "tools/python/python/pdn/_pdn.pyi";
        compare(stubs, &format!("options of {}", function.name), |indent| python(&function.fields, indent));
    }
    let file = "tools/python/python/pdn/_writing.py";
    let write = |name: &str, fields: &[&OptionField]| {
        compare(file, &format!("options of {name}"), |indent| python(fields, indent));
    };
    write("convert", &all(CONVERT, &["output"]));
    write("fix", &all(&[FixFiles::FIELDS, FixRules::FIELDS], &[]));
    write("dedup", &all(&[DedupRules::FIELDS], &["against"]));
    let dataset = all(&[DatasetRules::FIELDS, EndingOptions::FIELDS], &["format", "eval"]);
    let file = "tools/python/python/pdn/_dataset.py";
    compare(file, "options of dataset", |indent| python(&dataset, indent));
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
    let all: [fn(OptionGroups) -> String; 2] =
        [|groups| python(&all(groups, &[]), ""), |groups| typescript(groups, "")];
    for texts in all {
        assert!(texts(TreeRequest::OPTIONS).contains(name) && !texts(REST).contains(name), "{name}");
    }
}
