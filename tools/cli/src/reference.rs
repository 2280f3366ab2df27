//! Renders the definition of the command line as the page `crates/app/src/guide/commands.md` of the library's guide, and the JSON of answers
//! that the command makes itself as tables of `crates/app/src/guide/json.md`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use pdn::rules::Variant;

use crate::args::query_topic::query_topic;
use crate::cli::Cli;
use crate::commands::bench::Benchmark;
use crate::commands::endgame::{EndingsCount, ProbedPosition};
use crate::commands::perft::{PerftCount, PerftMove};
use crate::commands::verify::Verified;

use json_tables::{schema_of, with_tables};

#[path = "../../../tests/support/snapshot.rs"]
mod snapshot;
#[path = "../../../tests/support/json_tables.rs"]
mod json_tables;

#[test]
fn command_reference_equals_definitions() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/app/src/guide/commands.md");
    if let Err(difference) = snapshot::compare(&page, &reference()) {
        panic!("{difference}");
    }
}

#[test]
fn help_names_only_options_that_exist() {
    fn add_options(command: &Command, known: &mut BTreeSet<String>) {
        let names = command.get_arguments().filter_map(|arg| arg.get_long_and_visible_aliases());
        known.extend(names.flatten().map(str::to_owned));
        command.get_subcommands().for_each(|command| add_options(command, known));
    }
    let (mut cli, mut known) = (Cli::command(), BTreeSet::new());
    cli.build();
    add_options(&cli, &mut known);
    let page = reference();
    let named = page.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let named: BTreeSet<&str> = named.filter_map(|word| word.strip_prefix("--")).collect();
    let unknown: Vec<&str> =
        named.into_iter().filter(|name| !name.is_empty() && !known.contains(*name)).collect();
    assert!(unknown.iter().all(|name| name.starts_with('-')), "no command has {unknown:?}");
}

#[test]
fn tables_of_json_are_those_of_the_schemas() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/app/src/guide/json.md");
    let page = std::fs::read_to_string(&path).expect("the page is part of the library");
    let (made, _) = with_tables(
        &page,
        HashMap::from([
            (
                "`pdn endgame build --json` and `verify --json`: two lines for each number of men and kings",
                schema_of::<EndingsCount>(),
            ),
            ("`pdn endgame probe --json`: a line for each position", schema_of::<ProbedPosition>()),
            ("`pdn perft --json`", schema_of::<PerftCount>()),
            ("`pdn perft --divide --json`: a line for each move", schema_of::<PerftMove>()),
            ("`pdn verify --json`", schema_of::<Verified>()),
            ("`pdn bench --json`", schema_of::<Benchmark>()),
        ]),
    );
    if let Err(difference) = snapshot::compare(&path, &made) {
        panic!("{difference}");
    }
}

/// Returns the whole page.
fn reference() -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut page = String::from(
        "# Commands\n\n\
         This page is generated from the definitions of the options; `PDN_BLESS=1 cargo test -p pdn-cli` writes it. \
         `pdn COMMAND --help`\nprints the same text in the terminal, and `pdn man` prints manual pages.\n\n",
    );
    let options: Vec<_> = cli.get_arguments().filter(|arg| arg.is_global_set()).collect();
    write_table(&mut page, "option of all commands", &options);
    write_after_help(&mut page, &cli);
    let variants: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    let _ = writeln!(
        page,
        "Names of variants, in upper or lower case:\n\n```text\n{}```\n",
        wrap(&variants.join(" "))
    );
    write_options_by_command(&mut page, &cli);
    for command in cli.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_command(&mut page, "pdn", command);
    }
    let _ = writeln!(page, "The page that `pdn help query` prints:\n\n```text\n{}```\n", query_topic());
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// Returns the options that several commands have, by their long name: the option as each command spells it, and the command.
fn shared_options(cli: &Command) -> BTreeMap<String, Vec<(String, String)>> {
    let mut options: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for command in cli.get_subcommands().filter(|command| !command.is_hide_set()) {
        for option in listed_options(command) {
            if let Some(long) = option.get_long() {
                let entry = options.entry(long.to_owned()).or_default();
                entry.push((spelling(option), command.get_name().to_owned()));
            }
        }
    }
    options.retain(|_, commands| commands.len() > 1);
    options
}

/// Writes the table of the options that several commands have.
fn write_options_by_command(page: &mut String, cli: &Command) {
    let _ = write!(
        page,
        "An option of several commands means the same in all of them, for what each of them reads or writes:\n\n\
         | option | commands |\n|---|---|\n"
    );
    for (_, uses) in shared_options(cli) {
        let mut spellings: Vec<&str> = uses.iter().map(|(spelling, _)| spelling.as_str()).collect();
        spellings.dedup();
        let commands: Vec<&str> = uses.iter().map(|(_, command)| command.as_str()).collect();
        let _ = writeln!(page, "| `{}` | {} |", spellings[0].replace('|', "\\|"), commands.join(", "));
    }
    page.push('\n');
}

/// Options whose value has another form in some command, and why it is the same thing all the same.
const OTHER_VALUES: [(&str, &str); 4] = [
    ("against", "an archive that has games already, or an opponent: what everything is compared with"),
    ("output", "a file or a folder, by what is written"),
    ("sort", "one key for what is shown, several for what is written"),
    ("ply", "a number of plies played, or a range of them"),
];

#[test]
fn options_of_one_name_are_spelt_alike_in_every_command() {
    let mut cli = Cli::command();
    cli.build();
    for (long, uses) in shared_options(&cli) {
        let is_same = uses.iter().all(|(spelling, _)| *spelling == uses[0].0);
        let is_excused = OTHER_VALUES.iter().any(|(name, _)| *name == long);
        assert!(is_same || is_excused, "--{long} has two meanings: {uses:?}");
    }
}

#[test]
fn variant_of_games_without_a_tag_is_named_by_one_option() {
    let mut cli = Cli::command();
    cli.build();
    let has = |command: &Command, long: &str| listed_options(command).any(|arg| arg.get_long() == Some(long));
    for command in cli.get_subcommands() {
        // Every command that decodes archives replays their games or leaves them unplayed.
        let reads_games = has(command, "encoding")
            && !["show", "serve", "export-site", "bench"].contains(&command.get_name());
        assert_eq!(has(command, "untagged"), reads_games, "{}", command.get_name());
    }
}

/// Writes the section of a command: its purpose, synopsis, arguments, options and notes.
fn write_command(page: &mut String, parent: &str, command: &Command) {
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_about().expect("every command has a purpose").to_string();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let _ = writeln!(page, "# {name}\n\n{}.\n\n```text\n{usage}\n```\n", escape(&about));
    let aliases: Vec<_> = command.get_visible_aliases().map(|alias| format!("`{alias}`")).collect();
    if !aliases.is_empty() {
        let _ = writeln!(page, "Alias: {}.\n", aliases.join(", "));
    }
    write_table(page, "argument", &command.get_positionals().collect::<Vec<_>>());
    let mut headings: Vec<Option<&str>> = Vec::new();
    for option in listed_options(command) {
        if !headings.contains(&option.get_help_heading()) {
            headings.push(option.get_help_heading());
        }
    }
    for heading in headings {
        let options: Vec<_> =
            listed_options(command).filter(|option| option.get_help_heading() == heading).collect();
        write_table(page, heading.unwrap_or("option"), &options);
    }
    write_after_help(page, command);
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        write_command(page, &name, command);
    }
}

/// Iterates over the options of a command itself: neither global ones nor `--help`.
fn listed_options(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_opts()
        .chain(command.get_arguments().filter(|arg| !arg.is_positional() && !arg.get_action().takes_values()))
        .filter(|arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help")
}

/// Writes one line per argument.
fn write_table(page: &mut String, heading: &str, arguments: &[&Arg]) {
    if arguments.is_empty() {
        return;
    }
    let _ = writeln!(page, "| {} | |\n|---|---|", heading.to_lowercase());
    for arg in arguments {
        let _ = writeln!(page, "| `{}` | {} |", spelling(arg).replace('|', "\\|"), meaning(arg));
    }
    page.push('\n');
}

/// Returns an argument as it is typed, such as `-V`, `--variant VARIANT`.
fn spelling(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names = [short, long].into_iter().flatten().collect::<Vec<_>>().join("`, `");
    let takes_value = arg.is_positional() || arg.get_action().takes_values();
    let values = arg.get_value_names().filter(|_| takes_value).unwrap_or_default();
    let values = values.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ");
    [names, values].iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the help of an argument with its values and its default.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_help().expect("every argument has a help text").to_string();
    let mut text = escape(&help.replace('\n', " "));
    let takes_value = arg.is_positional() || arg.get_action().takes_values();
    if !takes_value {
        return text;
    }
    let listed = |values: Vec<String>| format!("`{}`", values.join("`, `"));
    let values: Vec<_> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if !values.is_empty() {
        let _ = write!(text, "; values: {}", listed(values));
    }
    let defaults: Vec<_> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !defaults.is_empty() {
        let _ = write!(text, "; default: {}", listed(defaults));
    }
    text
}

/// Writes the notes at the end of the help of a command.
fn write_after_help(page: &mut String, command: &Command) {
    if let Some(notes) = command.get_after_help() {
        let notes: String = notes.to_string().trim_end().lines().map(wrap).collect();
        let _ = writeln!(page, "```text\n{notes}```\n");
    }
}

/// Returns a line as lines of at most 100 characters. Lines of a table, which are indented, continue in its second column.
fn wrap(line: &str) -> String {
    let indent = if line.starts_with("  ") { 27 } else { 0 };
    let (mut text, mut rest) = (String::new(), line.to_owned());
    while rest.chars().count() > 100 {
        let end = rest.char_indices().nth(100).map_or(rest.len(), |(at, _)| at);
        let Some(space) = rest[..end].rfind(' ').filter(|&space| space > indent) else { break };
        let _ = writeln!(text, "{}", rest[..space].trim_end());
        rest = format!("{:indent$}{}", "", &rest[space + 1..]);
    }
    text + &rest + "\n"
}

/// Returns text in which nothing but code spans has a meaning in Markdown.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for (i, part) in text.split('`').enumerate() {
        if i > 0 {
            escaped.push('`');
        }
        for c in part.chars() {
            let is_code = i % 2 == 1;
            if c == '|' || !is_code && matches!(c, '[' | ']' | '<' | '>' | '*' | '_') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}
