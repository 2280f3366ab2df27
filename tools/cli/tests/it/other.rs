//! Tests of `pdn stats`, `explain`, `completions`, `man`, `--help` and usage errors.

use crate::common::{check_snapshot, run, text};
use pdn::diag::Code;
use serde_json::Value;

#[test]
fn stats_prints_tables_and_json() {
    let files = ["clean.pdn", "damaged.pdn", "cp866.pdn", "empty.pdn"];
    let tables = run(&[&["stats"][..], &files].concat());
    assert_eq!(tables.code, 0);
    check_snapshot("stats.txt", &tables.out);
    let json = run(&[&["stats", "--json"][..], &files].concat());
    assert_eq!((json.code, json.err.as_str()), (0, "pdn: empty.pdn: is empty\n"));
    let value: Value = serde_json::from_str(&json.out).unwrap();
    check_snapshot("stats.json", &format!("{value:#}\n"));
    for threads in ["1", "4"] {
        assert_eq!(run(&[&["stats", "--json", "--threads", threads][..], &files].concat()).out, json.out);
    }
}

#[test]
fn stats_counts_readable_files_despite_missing_ones() {
    let run = run(&["stats", "--json", "no-such-file.pdn", "clean.pdn"]);
    assert_eq!(run.code, 2);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&value["games"], &value["files"]), (&2.into(), &1.into()));
}

#[test]
fn stats_prints_no_control_characters() {
    let run = run(&["stats", "hostile.pdn"]);
    assert!(run.out.contains("title"), "{}", run.out);
    assert!(!run.out.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn explain_knows_every_code() {
    for code in Code::ALL {
        let run = run(&["explain", &code.id().to_lowercase()]);
        assert_eq!(run.code, 0);
        assert!(run.out.starts_with(&format!("{code}: {}", code.title())), "{}", run.out);
    }
    check_snapshot("explain-L002.txt", &run(&["explain", "L002"]).out);
    let value: Value = serde_json::from_str(&run(&["explain", "T005", "--json"]).out).unwrap();
    assert_eq!((&value["code"], &value["severity"]), (&"T005".into(), &"warning".into()));
    let all = run(&["explain"]);
    assert_eq!(all.out.lines().count(), Code::ALL.len());
    let unknown = run(&["explain", "X999"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("`X999` is not a diagnostic code"), "{}", unknown.err);
}

#[test]
fn completions_are_generated_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shell}");
        assert!(run.out.contains("max-findings") && run.out.contains("explain"), "{shell}");
    }
}

/// A name of a variant must not be completed by files.
#[test]
fn completions_offer_values_and_files_only_for_paths() {
    let bash = run(&["completions", "bash"]).out;
    let fish = run(&["completions", "fish"]).out;
    let zsh = run(&["completions", "zsh"]).out;
    for value in ["italian", "windows-1251", "turbo-dambase", "size:"] {
        assert!(bash.contains(value) && fish.contains(value), "{value}");
    }
    assert!(zsh.contains("R001"), "a code of `explain`");
    let player = zsh.lines().find(|line| line.contains("--player=")).expect("an option");
    assert!(!player.contains("_files") && !player.contains("_default"), "{player}");
    let output = zsh.lines().find(|line| line.contains("--output=")).expect("an option");
    assert!(output.contains("_files"), "{output}");
}

#[test]
fn man_writes_pages_of_all_commands() {
    let page = run(&["man"]);
    assert_eq!(page.code, 0);
    assert!(page.out.contains(".TH pdn 1") && page.out.contains("Exit codes"), "{}", page.out);
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert_eq!(run(&["man", "-o", pages.to_str().unwrap()]).code, 0);
    for name in [
        "pdn",
        "pdn-check",
        "pdn-stats",
        "pdn-index",
        "pdn-verify",
        "pdn-explain",
        "pdn-completions",
        "pdn-man",
    ] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
    }
}

#[test]
fn help_is_printed_and_usage_errors_exit_with_2() {
    let help = run(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    check_snapshot("help.txt", &help.out);
    check_snapshot("help-check.txt", &run(&["check", "--help"]).out);
    for args in [&[][..], &["check"], &["chekc"], &["check", "--format", "xml", "clean.pdn"], &["stats"]] {
        let run = run(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains("Usage") || run.err.contains("--help"), "{}", run.err);
    }
    assert!(run(&["--version"]).out.starts_with("pdn "));
}

#[test]
fn commands_that_could_read_nothing_print_errors_only() {
    let place = tempfile::tempdir().unwrap();
    let (binary, missing) = (place.path().join("program.pdn"), place.path().join("no-such-file.pdn"));
    std::fs::write(&binary, b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00").unwrap();
    let (binary, missing) = (text(&binary), text(&missing));
    for args in [
        &["stats", binary][..],
        &["stats", missing],
        &["names", missing],
        &["find", binary],
        &["find", binary, "--count"],
        &["find", binary, "--by", "year"],
        &["find", missing],
        &["tree", binary],
        &["player", "Wiersma", binary],
        &["event", "Club", binary],
        &["novelty", binary],
        &["dedup", binary],
        &["show", binary],
    ] {
        let run = run(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{args:?}: {}", run.err);
    }
}
