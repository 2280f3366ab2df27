//! Options that mean the same are spelt the same in every command, and values out of range are explained in words.

use std::io::Write;

use serde_json::Value;

use crate::common::{pdn, run, text};

/// Every command that can print JSON, with arguments with which it succeeds. `INDEX` stands for an index.
const JSON_COMMANDS: &[&[&str]] = &[
    &["check", "clean.pdn"],
    &["stats", "clean.pdn"],
    &["find", "INDEX"],
    &["find", "INDEX", "--count"],
    &["tree", "INDEX"],
    &["player", "jansen", "INDEX"],
    &["event", "championship", "INDEX"],
    &["show", "clean.pdn"],
    &["show"],
    &["moves"],
    &["perft", "-d", "2"],
    &["perft", "-d", "2", "--divide"],
    &["dedup", "clean.pdn"],
    &["dedup", "INDEX"],
    &["verify", "INDEX"],
    &["merge", "INDEX"],
    &["explain"],
    &["explain", "T005"],
];

#[test]
fn json_can_be_asked_for_in_three_ways_everywhere() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    assert_eq!(run(&["index", "clean.pdn", "-o", text(&dir)]).code, 0);
    for command in JSON_COMMANDS {
        let command: Vec<_> =
            command.iter().map(|&word| if word == "INDEX" { text(&dir) } else { word }).collect();
        let keys = |options: &[&str]| -> Vec<Vec<String>> {
            let run = run(&[&command[..], options].concat());
            assert_eq!(run.code, 0, "{command:?} {options:?}: {}", run.err);
            // The time taken differs from run to run, the keys do not.
            let keys = |line: &str| {
                let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{command:?}: {e}"));
                value.as_object().unwrap().keys().cloned().collect()
            };
            run.out.lines().map(keys).collect()
        };
        let short = keys(&["--json"]);
        assert!(!short.is_empty(), "{command:?}");
        assert_eq!(keys(&["--format", "json"]), short, "{command:?}");
        assert_eq!(keys(&["--format", "jsonl"]), short, "{command:?}");
        let people = run(&[&command[..], &["--format", "human"]].concat());
        assert_eq!(people.code, 0, "{command:?}: {}", people.err);
        assert!(!people.out.starts_with('{'), "{command:?}");
        let both = run(&[&command[..], &["--json", "--format", "human"]].concat());
        assert_eq!(both.code, 2, "{command:?}");
    }
    for format in ["json", "jsonl"] {
        let made = run(&["index", "clean.pdn", "-o", text(&dir), "--format", format]);
        assert!(made.code == 0 && made.out.starts_with("{\"games\":2"), "{}", made.out);
    }
}

#[test]
fn short_options_mean_the_same_in_every_command() {
    for command in [
        "check",
        "stats",
        "index",
        "merge",
        "find",
        "verify",
        "tree",
        "player",
        "event",
        "show",
        "sheet",
        "solve",
        "moves",
        "perft",
        "bench",
        "explain",
        "completions",
        "man",
        "help",
    ] {
        let version = run(&[command, "-V"]);
        assert_eq!(version.code, 0, "{command}");
        assert!(version.out.starts_with(&format!("pdn-{command} ")), "{}", version.out);
        let help = run(&[command, "-h"]).out;
        for line in help.lines().map(str::trim_start) {
            let Some((short, rest)) = line.strip_prefix('-').and_then(|line| line.split_once(", --")) else {
                continue;
            };
            let long = rest.split([' ', '\t']).next().unwrap();
            let expected = match short {
                "g" => "variant",
                "q" => "query",
                "o" => "output",
                "d" => "depth",
                "n" => "numbers",
                "h" => "help",
                "V" => "version",
                other => panic!("{command}: -{other} is new; every command must agree on it"),
            };
            assert_eq!(long, expected, "{command}: {line}");
        }
        for line in help.lines().map(str::trim_start) {
            for long in ["--variant <", "--query <", "--output <"] {
                assert!(!line.starts_with(long), "{command}: {long} has its short form everywhere");
            }
        }
    }
}

#[test]
fn general_options_come_after_those_of_the_command() {
    for command in ["check", "stats", "index", "find", "tree", "show", "perft"] {
        let help = run(&[command, "-h"]).out;
        let headings: Vec<_> =
            help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
        assert_eq!(headings.last(), Some(&"General options:"), "{command}: {help}");
        let (_, general) = help.split_once("General options:").unwrap();
        assert!(general.contains("--color"), "{command}");
    }
}

#[test]
fn help_explains_commands_and_the_query_language() {
    for command in ["check", "find", "tree", "convert"] {
        let (short, long) = (run(&[command, "--help"]).out, run(&["help", command]).out);
        assert_eq!(short, run(&[command, "-h"]).out, "{command}");
        assert!(short.lines().count() <= 150 && short.contains("pdn help COMMAND"), "{command}: {short}");
        // The long page has every line of the notes, and more about the options.
        assert!(long.lines().count() > short.lines().count(), "{command}");
        let usage = short.lines().find(|line| line.starts_with("Usage:")).expect("a usage");
        assert!(long.contains(usage), "{command}: {long}");
    }
    assert_eq!(run(&["help", "import"]).out, run(&["help", "index"]).out, "an alias");
    let query = run(&["help", "query"]);
    assert_eq!((query.code, query.err.as_str()), (0, ""));
    for part in ["like:wirsma", "w-b >= 2", "A then B within 6", "@FILE"] {
        assert!(query.out.contains(part), "{part}");
    }
    let find = run(&["find", "-h"]).out;
    assert!(find.lines().count() <= 115 && find.contains("pdn help query"), "{}", find.lines().count());
    let unknown = run(&["help", "chess"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("`chess` is neither a command nor a topic"), "{}", unknown.err);
}

#[test]
fn what_shells_expand_is_quoted_in_help() {
    for command in ["find", "tree", "help", "show"] {
        let help = run(&[command, "--help"]).out;
        for sign in ["~", "*", "!x", "=whole"] {
            for (at, _) in help.match_indices(sign) {
                let quotes = help[..at].rsplit('\n').next().unwrap().matches('\'').count();
                let in_code = help[..at].matches('`').count() % 2 == 1;
                assert!(
                    quotes % 2 == 1 || in_code,
                    "{command}: `{sign}` is bare in {}",
                    &help[at.saturating_sub(60)..at + 9]
                );
            }
        }
    }
}

#[test]
fn sizes_of_an_index_are_the_same_in_every_command() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    let json = |args: &[&str]| -> Value { serde_json::from_str(&run(args).out).unwrap() };
    let made = json(&["index", "clean.pdn", "moves.pdn", "-o", text(&dir), "--positions", "--json"]);
    let files = std::fs::read_dir(&dir).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
    assert_eq!(made["index_bytes"], files.sum::<u64>());
    assert_eq!(json(&["verify", text(&dir), "--json"])["index_bytes"], made["index_bytes"]);
    assert_eq!(json(&["merge", text(&dir), "--json"])["index_bytes"], made["index_bytes"]);
}

#[test]
fn game_of_a_zip_among_other_archives_has_no_command_that_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let game = |white: &str| format!("[White \"{white}\"]\n[GameType \"20\"]\n1. 32-28 *\n\n");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("-a.pdn"), game("Ames").repeat(3)).unwrap();
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path("b.zip")).unwrap());
    zip.start_file("c.pdn", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(game("Bell").as_bytes()).unwrap();
    zip.finish().unwrap();
    let find = |args: &[&str]| {
        let output = pdn(&[&["find"], args].concat()).current_dir(folder.path()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned()
    };
    assert_eq!(find(&["--white", "ames", "b.zip", "./-a.pdn"]), "3 games; `pdn show ./-a.pdn 1` shows one.");
    assert_eq!(find(&["--white", "bell", "b.zip", "./-a.pdn"]), "1 game.");
    assert_eq!(find(&["b.zip"]), "1 game; `pdn show b.zip 1` shows it.");
}
