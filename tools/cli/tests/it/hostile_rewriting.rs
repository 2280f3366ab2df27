//! Runs the commands that rewrite and export games on hostile archives: their steps of work double when the archive doubles.
//!
//! [`hostile`](super::hostile) does the same for the commands that read.

use std::fmt::Write;
use std::fs;

use crate::common::text;
use crate::hostile::measured;

const COMMANDS: [&str; 8] = [
    "fmt --check --threads 1 FILE",
    "fix --threads 1 FILE",
    "convert --threads 1 --fix FILE -o OUT.pdn",
    "dedup --threads 1 FILE",
    "names --threads 1 FILE",
    "export --threads 1 --table games FILE -o OUT.jsonl --format jsonl",
    "export --threads 1 --table moves FILE -o OUT.moves --format csv",
    "dataset --threads 1 FILE -o OUT.set",
];

/// Checks all commands on archives with `units` and twice as many of what is hostile.
fn check_commands(name: &str, units: usize, make: impl Fn(usize) -> String) {
    let place = tempfile::tempdir().unwrap();
    for command in COMMANDS {
        let steps = [units, 2 * units].map(|n| {
            let folder = place.path().join(n.to_string());
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir(&folder).unwrap();
            let (archive, out) = (folder.join("games.pdn"), folder.join("out"));
            fs::write(&archive, make(n)).unwrap();
            let args = command.split(' ').map(|word| match word {
                "FILE" => text(&archive).to_owned(),
                word => word.replace("OUT", text(&out)),
            });
            let args: Vec<String> = args.collect();
            let (run, steps) = measured(&args.iter().map(String::as_str).collect::<Vec<_>>());
            assert!((0..=2).contains(&run.code), "{name}: `{command}` ends with {}: {}", run.code, run.err);
            assert!(!run.err.contains("panicked"), "{name}: `{command}`: {}", run.err);
            steps
        });
        if let [Some(once), Some(twice)] = steps {
            let most = once * 23 / 10 + 2000;
            assert!(twice <= most, "{name}: `{command}` takes {once} steps, and {twice} for twice as much");
        }
    }
}

#[test]
fn rewriting_many_tags_takes_linear_work() {
    check_commands("different tags", 2000, |n| {
        let mut tags = String::new();
        for number in 0..n {
            let _ = writeln!(tags, "[A{number} \"x\"]");
        }
        tags + "1. 32-28 *\n"
    });
    check_commands("equal tags with different values", 2000, |n| {
        let tags: String = (0..n).map(|number| format!("[white \"Player {number}\"]\n")).collect();
        tags + "1. 32-28 *\n"
    });
}

#[test]
fn rewriting_long_games_takes_linear_work() {
    check_commands("variations of one move", 1500, |n| {
        format!("[GameType \"20\"]\n1. 32-28 {}19-23 *\n", "(33-28) ".repeat(n))
    });
    check_commands("missing moves", 3000, |n| format!("1. 32-28 {}*\n", "... ".repeat(n)));
    check_commands("comments", 2000, |n| format!("1. 32-28 {}*\n", "{WiÅ›niewski} ".repeat(n)));
}

#[test]
fn rewriting_many_games_takes_linear_work() {
    check_commands("equal games on one line", 200, |n| {
        "[White \"a\"] [Date \"2001.01.02\"] 1. 32-28 19-23 2. 28x19 14x23 * ".repeat(n)
    });
}
