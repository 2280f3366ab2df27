//! Safe and unsafe repairs of single defects: what is changed, and what is left alone.

use pdn::diag::Code;
use pdn::fix::{Applicability, Fixer, Proof, edits, select};
use pdn::replay::Replayer;

/// Returns the record with all its safe repairs.
fn repaired(record: &str) -> String {
    let repairs = Fixer::default().find(record.as_bytes());
    let chosen = select(&repairs, |repair| repair.applicability == Applicability::Safe);
    String::from_utf8(edits(&chosen).apply(record.as_bytes())).unwrap()
}

/// A game of 12 plies that is legal under the rules of English draughts only.
const ENGLISH: &str =
    "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 6. 3-7 28-24 *\n";

#[test]
fn game_type_that_all_moves_prove_is_added() {
    for line_end in ["\n", "\r\n"] {
        let international = "[White \"a\"]\n[Black \"b\"]\n\n\
            1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 35-30 20-25 *\n";
        let record = international.replace('\n', line_end);
        let added = format!("[GameType \"20\"]{line_end}[Black");
        assert_eq!(repaired(&record), record.replace("[Black", &added));
    }
    let record =
        "[White \"a\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 *\n";
    let repairs = Fixer::default().find(record.as_bytes());
    let added = repairs.iter().find(|repair| repair.code == Code::MissingTag).unwrap();
    assert_eq!((added.applicability, added.proof), (Applicability::Safe, Proof::OnlyVariant));
    assert_eq!(added.proof.to_string(), "no other variant replays all moves");
}

#[test]
fn game_type_that_moves_do_not_prove_is_not_added() {
    for record in [
        // Too short, and legal under several rules.
        "[White \"a\"]\n\n1. 11-15 23-19 *\n".to_owned(),
        // Named by another tag, or given.
        format!("[Variant \"english\"]\n\n{ENGLISH}"),
        format!("[GameType \"21\"]\n\n{ENGLISH}"),
        // A text without tags may be a part of another one.
        ENGLISH.to_owned(),
    ] {
        assert_eq!(repaired(&record), record);
    }
}

#[test]
fn wrong_game_type_is_replaced_on_request() {
    let record = format!("[GameType \"20\"]\n\n{ENGLISH}");
    let repairs = Fixer::default().find(record.as_bytes());
    let variant = repairs.iter().find(|repair| repair.code == Code::OtherVariant);
    let mut moves = Vec::new();
    let summary = Replayer::default().replay(record.as_bytes(), &mut moves);
    match variant {
        Some(repair) => {
            assert_eq!(repair.applicability, Applicability::Unsafe);
            assert_eq!(repair.edits[0].new, summary.variant.number().to_string().into_bytes());
        }
        // Several variants replay it.
        None => assert!(repairs.iter().all(|repair| repair.code != Code::OtherVariant)),
    }
    assert_eq!(repaired(&record), record, "an unsafe repair is not made by default");
    let international = "[GameType \"21\"]\n\n\
        1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 35-30 20-25 *\n";
    let repairs = Fixer::default().find(international.as_bytes());
    let chosen = select(&repairs, |repair| repair.applicability == Applicability::Unsafe);
    let text = edits(&chosen).apply(international.as_bytes());
    assert_eq!(String::from_utf8(text).unwrap(), international.replace("\"21\"", "\"20\""));
}

#[test]
fn byte_order_mark_inside_of_a_record_is_removed() {
    let record = "\u{feff}[White \"\u{feff}a\"]\n[GameType \"20\"]\n\n1. 32-28 \u{feff}19-23 *\n\n\u{feff}";
    // The one at the start tells the encoding.
    let expected = "\u{feff}[White \"a\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n";
    assert_eq!(repaired(record), expected);
    assert_eq!(repaired(expected), expected);
}

#[test]
fn html_entities_of_tags_and_comments_are_decoded() {
    let record = "[White \"Ren&eacute; &amp; Jan\"]\n[Black \"&quot;x&quot; \\\"y\\\"\"]\n[GameType \"20\"]\n\n\
        1. 32-28 {&eacute;t&eacute; &lt;b&gt;} 19-23 *\n";
    let expected = "[White \"René & Jan\"]\n[Black \"\\\"x\\\" \\\"y\\\"\"]\n[GameType \"20\"]\n\n\
        1. 32-28 {été <b>} 19-23 *\n";
    assert_eq!(repaired(record), expected);
    assert_eq!(repaired(expected), expected);
}

#[test]
fn uncertain_html_entities_stay() {
    for value in [
        // Encoded twice, no entity, a line end, and braces that would end the comment.
        "&amp;eacute;",
        "AT&T",
        "&nosuch;",
        "a&#10;b",
        "&#125;",
        "&#123;",
    ] {
        let record = format!("[GameType \"20\"]\n\n1. 32-28 {{{value}}} 19-23 *\n");
        assert_eq!(repaired(&record), record, "{value}");
    }
    // In a text that is not UTF-8, the characters may have no code.
    let record = b"[White \"Andr&eacute; \xE9\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n";
    let repairs = Fixer::default().find(&record[..]);
    assert!(repairs.iter().all(|repair| repair.code != Code::HtmlEntity));
}

#[test]
fn result_in_another_system_becomes_that_of_the_game_type() {
    for (game_type, old, new) in [
        (20, "1-0", "2-0"),
        (20, "1/2-1/2", "1-1"),
        (21, "0-2", "0-1"),
        (20, "2-0", "2-0"),
        (21, "1-0", "1-0"),
    ] {
        let record = |result: &str| format!("[Result \"{result}\"]\n[GameType \"{game_type}\"]\n\n*\n");
        assert_eq!(repaired(&record(old)), record(new));
    }
}

#[test]
fn added_tags_have_the_line_ends_of_the_record() {
    let record = "[White \"a\"]\r\n[GameType \"20\"]\r\n\r\n1. 32-28 19-23 2-0\r\n";
    let expected = record.replace("[GameType \"20\"]", "[GameType \"20\"]\r\n[Result \"2-0\"]");
    assert_eq!(repaired(record), expected);
}

#[test]
fn full_paths_of_captures_are_added_but_not_removed() {
    // Two ways lead from 7 to 14 and capture different men; the next move tells which one it was.
    let full = "[GameType \"21\"]\n[FEN \"B:W15,22:B11\"]\n\n1. 11x18x25 *\n";
    assert_eq!(repaired(full), full);
}
