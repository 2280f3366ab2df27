//! Runs the commands on hostile archives at full size: a million plies, missing moves, nested variations and tags, and one line of
//! 64 MB. They take minutes, so that they run on request only; the other tests show with small archives that work is linear.

use std::fmt::Write;
use std::fs;

use crate::common::text;
use crate::hostile::measured;

/// A million of what is hostile.
const MILLION: usize = 1_000_000;

const COMMANDS: [&str; 12] = [
    "check FILE",
    "stats FILE",
    "find --json FILE",
    "tree FILE",
    "index --embed -o OUT.idx FILE",
    "verify --full OUT.idx",
    "fmt --check FILE",
    "fix FILE",
    "convert FILE -o OUT.pdn",
    "dedup FILE",
    "names FILE",
    "export --table games FILE -o OUT.csv",
];

/// Runs every command: each ends with an exit code of its own and gives a reason for an error.
fn check_commands(name: &str, archive: &str) {
    let place = tempfile::tempdir().unwrap();
    let (file, out) = (place.path().join("games.pdn"), place.path().join("out"));
    fs::write(&file, archive).unwrap();
    for command in COMMANDS {
        let args = command.split(' ').map(|word| match word {
            "FILE" => text(&file).to_owned(),
            word => word.replace("OUT", text(&out)),
        });
        let args: Vec<String> = args.collect();
        let (run, _) = measured(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert!((0..=2).contains(&run.code), "{name}: `{command}` ends with {}: {}", run.code, run.err);
        assert!(!run.err.contains("panicked"), "{name}: `{command}`: {}", run.err);
        assert!(
            run.code < 2 || run.err.contains("pdn: "),
            "{name}: `{command}` gives no reason: {}",
            run.err
        );
    }
}

#[test]
#[ignore = "takes minutes"]
fn million_plies_are_read() {
    let mut moves = String::from("[GameType \"20\"]\n[FEN \"W:WK1:BK50\"]\n");
    for number in 0..MILLION / 2 {
        let _ = write!(moves, "{}. {} ", number + 1, ["1-6 50-45", "6-1 45-50"][number % 2]);
    }
    check_commands("plies", &(moves + "*\n"));
}

#[test]
#[ignore = "takes minutes"]
fn million_missing_moves_and_nested_variations_are_read() {
    check_commands("missing moves", &format!("1. 32-28 {}*\n", "... ".repeat(MILLION)));
    let (open, close) = ("(33-28 ".repeat(MILLION), ")".repeat(MILLION));
    check_commands("nested variations", &format!("1. 32-28 {open}{close} 19-23 *\n"));
}

#[test]
#[ignore = "takes minutes"]
fn million_tags_are_read() {
    let tags: String = (0..MILLION).map(|number| format!("[A{number} \"x\"]\n")).collect();
    check_commands("different tags", &(tags + "1. 32-28 *\n"));
}

#[test]
#[ignore = "takes minutes"]
fn one_line_of_64_megabytes_is_read() {
    check_commands("one line", &"[White \"a\"] 1. 32-28 19-23 2. 28x19 14x23 * ".repeat(1_400_000));
    check_commands("one tag", &format!("[White \"{}\"]\n1. 32-28 *\n", "x".repeat(64 << 20)));
}
