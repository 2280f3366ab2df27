//! Tests of `pdn explain`, `completions` and `man`.

use crate::common::run;
use pdn::diag::Code;

#[test]
fn explain_knows_every_code() {
    for code in Code::ALL {
        let run = run(&["explain", &code.id().to_lowercase()]);
        assert_eq!(run.code, 0);
        assert!(run.out.starts_with(&format!("{code}: {}", code.title())), "{}", run.out);
    }
    let all = run(&["explain"]);
    assert_eq!(all.out.lines().count(), Code::ALL.len());
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
