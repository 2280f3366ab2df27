//! `pdn stats`, `explain`, `completions`, `man`, and what the command says about itself.

use crate::common::{run, snapshot};
use pdn::diag::Code;
use serde_json::Value;

#[test]
fn statistics_as_tables_and_as_json() {
    let files = ["clean.pdn", "damaged.pdn", "cp866.pdn", "empty.pdn"];
    let tables = run(&[&["stats"][..], &files].concat());
    assert_eq!(tables.code, 0);
    snapshot("stats.txt", &tables.out);
    let json = run(&[&["stats", "--json"][..], &files].concat());
    assert_eq!((json.code, json.err.as_str()), (0, "pdn: empty.pdn: is empty\n"));
    let value: Value = serde_json::from_str(&json.out).unwrap();
    snapshot("stats.json", &format!("{value:#}\n"));
    for threads in ["1", "4"] {
        assert_eq!(run(&[&["stats", "--json", "--threads", threads][..], &files].concat()).out, json.out);
    }
}

#[test]
fn statistics_of_what_cannot_be_read() {
    let run = run(&["stats", "--json", "no-such-file.pdn", "clean.pdn"]);
    assert_eq!(run.code, 2);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&value["games"], &value["files"]), (&2.into(), &1.into()));
}

#[test]
fn names_of_tags_are_cleaned() {
    let run = run(&["stats", "hostile.pdn"]);
    assert!(run.out.contains("title"), "{}", run.out);
    assert!(!run.out.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn every_code_is_explained() {
    for code in Code::ALL {
        let run = run(&["explain", &code.id().to_lowercase()]);
        assert_eq!(run.code, 0);
        assert!(run.out.starts_with(&format!("{code}: {}", code.title())), "{}", run.out);
    }
    snapshot("explain-L002.txt", &run(&["explain", "L002"]).out);
    let value: Value = serde_json::from_str(&run(&["explain", "T005", "--json"]).out).unwrap();
    assert_eq!((&value["code"], &value["severity"]), (&"T005".into(), &"warning".into()));
    let all = run(&["explain"]);
    assert_eq!(all.out.lines().count(), Code::ALL.len());
    let unknown = run(&["explain", "X999"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("`X999` is no diagnostic code"), "{}", unknown.err);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shell}");
        assert!(run.out.contains("max-findings") && run.out.contains("explain"), "{shell}");
    }
}

#[test]
fn manual_pages() {
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
fn help_and_usage() {
    let help = run(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    snapshot("help.txt", &help.out);
    snapshot("help-check.txt", &run(&["check", "--help"]).out);
    for args in [&[][..], &["check"], &["chekc"], &["check", "--format", "xml", "clean.pdn"], &["stats"]] {
        let run = run(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains("Usage") || run.err.contains("--help"), "{}", run.err);
    }
    assert!(run(&["--version"]).out.starts_with("pdn "));
}
