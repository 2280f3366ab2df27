//! `pdn show` of long records, and of every word of a record.

use crate::common::{run, run_with};
use serde_json::Value;

#[test]
fn show_refuses_very_long_records() {
    let text = format!("1. 32-28 {} *", "(1... 19-23) ".repeat(100_000));
    let run = run_with(&["show", "-"], text.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (2, "pdn: -: game 1 is too long to be shown\n"));
}

#[test]
fn nothing_of_a_record_is_lost_when_it_is_shown() {
    // Every word of the movetext, in the order of the file, whatever is wrong with it.
    for file in ["moves.pdn", "clean.pdn", "damaged.pdn", "nested.pdn"] {
        let text = std::fs::read_to_string(crate::common::data().join(file)).unwrap();
        for number in 1..=text.matches("[Event").count() {
            let shown = run(&["show", file, &number.to_string()]);
            assert_eq!(shown.code, 0, "{file} {number}: {}", shown.err);
            let json: Value =
                serde_json::from_str(&run(&["show", file, &number.to_string(), "--json"]).out).unwrap();
            let number_of = |key: &str| json[key].as_u64().unwrap() as usize;
            let record = &text[number_of("offset")..][..number_of("length")];
            let letters = |text: &str| {
                text.chars().filter(|c| !c.is_whitespace() && !"[]?\"".contains(*c)).collect::<String>()
            };
            // Tags, an empty line, movetext, an empty line, the board.
            let parts = 1 + usize::from(shown.out.starts_with('['));
            let text: Vec<_> = shown.out.trim_start().split("\n\n").take(parts).collect();
            assert_eq!(letters(&text.concat()), letters(record), "{file} {number}: {}", shown.out);
        }
    }
}

#[test]
fn show_prints_deeply_nested_variations_in_bounded_width() {
    let text = format!("1. 32-28 {} *", "(1. 33-28 {x} ".repeat(5_000));
    let shown = run_with(&["show", "-"], text.as_bytes());
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.lines().all(|line| line.chars().count() <= 100));
    assert_eq!(shown.out.matches("{x}").count(), 5_000);
}
