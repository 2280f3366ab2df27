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
        assert!(short.lines().count() <= 140 && short.contains("pdn help COMMAND"), "{command}: {short}");
        // The long page has every line of the notes, and more about the options.
        assert!(long.lines().count() > short.lines().count(), "{command}");
        let usage = short.lines().find(|line| line.starts_with("Usage:")).expect("a usage");
        assert!(long.contains(usage), "{command}: {long}");
    }
    assert_eq!(run(&["help", "import"]).out, run(&["help", "index"]).out, "an alias");
    let query = run(&["help", "query"]);
    assert_eq!((query.code, query.err.as_str()), (0, ""));
    for part in ["like:wirsma", "w-b >= 2", "A then B within 10", "@FILE"] {
        assert!(query.out.contains(part), "{part}");
    }
    let find = run(&["find", "-h"]).out;
    assert!(find.lines().count() <= 105 && find.contains("pdn help query"), "{}", find.lines().count());
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
fn words_and_signs_before_names_find_the_same_games() {
    let text = "[White \"Wiersma, Harm\"]\n[Black \"Clerc\"]\n1. 32-28 *\n\n[White \"Wirsma\"]\n[Black \"X\"]\n1. 32-28 *\n";
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.pdn");
    std::fs::write(&file, text).unwrap();
    for (word, sign, games) in [
        ("like:wiersma", "~wiersma", "2\n"),
        ("begins:wier", "wier*", "1\n"),
        ("is:wirsma", "=wirsma", "1\n"),
        ("is:wiersma", "=wiersma", "0\n"),
    ] {
        for name in [word, sign] {
            let found = run(&["find", crate::common::text(&file), "--white", name, "--count"]);
            assert_eq!(found.out, games, "{name}");
        }
    }
}

#[test]
fn messages_are_written_for_people() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("a file.pdn");
    std::fs::write(&file, "*\n").unwrap();
    let file = text(&file);
    for (args, message) in [
        (&["show", "clean.pdn", "0"][..], "games count from 1"),
        (&["show", "clean.pdn", "wiersma"], "not the number of a game"),
        (&["show", "clean.pdn", "99999999999999999999"], "not the number of a game"),
        (&["show", "clean.pdn", "1", "--ply", "x"], "expected a whole number\n"),
        (&["perft", "-d", "4000000000"], "expected a whole number from 0 to 99\n"),
        (&["find", "x", "--limit", "ten"], "expected a whole number\n"),
        (&["find", "x", "--min-rating", "70000"], "expected a whole number from 0 to 65,535\n"),
        (&["stats", "--threads", "0", "clean.pdn"], "expected a whole number from 1 to 1,024\n"),
        (&["index", "clean.pdn", "-o", file], "a file.pdn: a file; an index is a folder\n"),
        (&["verify", file], "a file.pdn: is not an index\n  `pdn index` makes one\n"),
        (&["merge", file], "a file.pdn: is not an index\n  `pdn index` makes one\n"),
        (&["check", "no-such-file.pdn"], "no-such-file.pdn: No such file or directory\n"),
        (&["find", "x", "--pattern", "@no-such-file"], "no-such-file: No such file or directory\n"),
    ] {
        let run = run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.err.contains(message), "{args:?}: {}", run.err);
        for raw in
            ["os error", "18446744073709551615", "4294967295", "invalid digit", "non-zero", "target type"]
        {
            assert!(!run.err.contains(raw), "{args:?}: {}", run.err);
        }
    }
    let draw = crate::common::run_with(&["check", "-"], b"1. 32-28 1/2\n");
    assert!(draw.out.contains("a draw is written `1/2-1/2` or `1-1`"), "{}", draw.out);
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
fn find_shows_no_game_of_an_empty_sample() {
    for format in ["human", "json", "pdn"] {
        let run = run(&["find", "clean.pdn", "--sample", "0", "--format", format]);
        assert!(run.code != 134 && !run.err.contains("panicked"), "{format}: {} {}", run.code, run.err);
    }
}

#[test]
fn find_counts_and_pictures_have_no_fields() {
    for options in [&["--count"][..], &["--format", "fen"], &["--format", "pdn"]] {
        let refused = run(&[&["find", "missing.pdn", "--fields", "white"], options].concat());
        assert_eq!(
            refused.err, "pdn: --fields: only a table and JSON have fields\n",
            "before the archive is read"
        );
        assert_eq!(refused.code, 2);
    }
}

#[test]
fn find_names_a_command_that_shows_the_game_only_if_there_is_one() {
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
    assert_eq!(find(&["--", "-a.pdn"]), "3 games; `pdn show ./-a.pdn 1` shows one.");
    assert_eq!(find(&["--white", "ames", "b.zip", "./-a.pdn"]), "3 games; `pdn show ./-a.pdn 1` shows one.");
    assert_eq!(find(&["--white", "bell", "b.zip", "./-a.pdn"]), "1 game.");
    assert_eq!(find(&["b.zip"]), "1 game; `pdn show b.zip 1` shows it.");
    assert_eq!(find(&["--sample", "3", "./-a.pdn"]), "3 games; `pdn show ./-a.pdn 1` shows one.");
    let sample = find(&["--sample", "1", "./-a.pdn"]);
    assert!(sample.starts_with("1 of 3 games, chosen at random; `pdn show ./-a.pdn "), "{sample}");
}

#[test]
fn words_of_other_programs_lead_to_the_command() {
    for (word, command) in [("search", "find"), ("list", "find"), ("grep", "find"), ("validate", "check")] {
        let unknown = run(&[word, "games.pdn"]);
        assert_eq!(unknown.code, 2);
        assert!(unknown.err.contains(&format!("'{command}'")), "{}", unknown.err);
    }
    // The variant of games without a tag has one option everywhere.
    for command in ["check", "stats", "fix", "dedup"] {
        let unknown = run(&[command, "-g", "russian", "clean.pdn"]);
        assert!(unknown.code == 2 && unknown.err.contains("'--untagged'"), "{}", unknown.err);
    }
    assert_eq!(run(&["help", "patterns"]).out, run(&["help", "query"]).out);
}

#[test]
fn mistakes_are_answered_with_what_was_meant() {
    let place = tempfile::tempdir().unwrap();
    let [dir, table] = ["index", "x.xlsx"].map(|name| place.path().join(name));
    assert_eq!(run(&["index", "clean.pdn", "-o", text(&dir)]).code, 0);
    let sign = run(&["find", text(&dir), "-q", "wk => 1"]);
    assert!(sign.code == 2 && sign.err.contains("write `>=`"), "{}", sign.err);
    let spreadsheet = run(&["export", "clean.pdn", "-o", text(&table)]);
    assert!(
        spreadsheet.code == 2 && spreadsheet.err.contains("no format has the extension `.xlsx`"),
        "{}",
        spreadsheet.err
    );
    assert!(!table.exists());
    assert_eq!(run(&["export", "clean.pdn", "-o", text(&table), "--format", "csv"]).code, 0);
    let index = run(&["fmt", text(&dir)]);
    assert!(
        index.code == 2 && index.err.contains("is an index, which has no text to rewrite"),
        "{}",
        index.err
    );
    for options in [&["--list-columns"][..], &["clean.pdn", "--list-columns"]] {
        let columns = run(&[&["export"], options].concat());
        assert!(columns.code == 0 && columns.out.starts_with("games:\n"), "{}{}", columns.out, columns.err);
    }
    assert_eq!(run(&["export"]).code, 2);
    let dates = run(&["find", text(&dir), "--fields", "date,date_text"]).out;
    assert!(dates.starts_with("date        date_text\n"), "{dates}");
}

#[test]
fn quiet_leaves_results_and_errors() {
    let note = run(&["find", "clean.pdn", "--count"]);
    assert!(note.err.contains("for this command"), "{}", note.err);
    let quiet = run(&["find", "clean.pdn", "--count", "--quiet"]);
    assert_eq!((quiet.out, quiet.err.as_str()), (note.out, ""));
    let missing = run(&["find", "missing.pdn", "--quiet"]);
    assert!(missing.code == 2 && missing.err.contains("missing.pdn"), "{}", missing.err);
    // The variant of games without a tag, where archives are searched.
    let games = b"1. c3-d4 b6-a5 *\n\n[GameType \"25\"]\n1. c3-d4 *\n";
    let count = |options: &[&str]| {
        crate::common::run_with(&[&["find", "-", "--count", "-g", "brazilian"], options].concat(), games)
    };
    assert!(count(&["--quiet"]).err.contains("--untagged"), "{}", count(&["--quiet"]).err);
    assert_eq!(count(&["--untagged", "brazilian"]).out, "1\n");
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    assert_eq!(run(&["index", "clean.pdn", "-o", text(&dir)]).code, 0);
    let known = run(&["find", text(&dir), "--untagged", "brazilian"]);
    assert!(known.code == 2 && known.err.contains("knows the variant of each game"), "{}", known.err);
}
