//! Safe and unsafe repairs of single defects: what is changed, and what is left alone.

use pdn::diag::Code;
use pdn::edit::TextEdit;
use pdn::fix::{Applicability, Fixer, Proof, edits, select};

/// Returns the record with all its safe repairs.
fn repaired(record: &str) -> String {
    let repairs = Fixer::default().find(record.as_bytes());
    let chosen = select(&repairs, |repair| repair.applicability == Applicability::Safe);
    String::from_utf8(edits(&chosen).apply(record.as_bytes())).unwrap()
}

/// A game that is legal under the rules of International draughts only.
const INTERNATIONAL: &str = "1. 35-30 19-23 2. 30-24 20x29 3. 33x24 23-28 4. 32x23 18x20 5. 34-29 14-19 6. 40-35 12-18 \
    7. 31-27 18-22 8. 27x18 13x22 9. 36-31 9-13 10. 31-26 20-24 11. 29x20 15x24 12. 45-40 24-30 13. 35x24 19x30 \
    14. 39-34 30x39 15. 44x33 13-19 16. 33-28 22x33 17. 38x29 10-15 18. 43-38 19-24 19. 29x20 15x24 *\n";

/// A game of English draughts.
const ENGLISH: &str =
    "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 6. 3-7 28-24 *\n";

#[test]
fn game_type_that_all_moves_prove_is_added() {
    for line_end in ["\n", "\r\n"] {
        let international = format!("[White \"a\"]\n[Black \"b\"]\n\n{INTERNATIONAL}");
        let record = international.replace('\n', line_end);
        let added = format!("[GameType \"20,W,10,10,N2,0\"]{line_end}[Black");
        assert_eq!(repaired(&record), record.replace("[Black", &added));
    }
    let record = format!("[White \"a\"]\n\n{INTERNATIONAL}");
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
fn game_type_that_names_no_game_is_replaced_by_the_one_that_is_proved() {
    for (value, moves, expected) in [
        ("777", INTERNATIONAL, "20,W,10,10,N2,0"),
        ("draughts", INTERNATIONAL, "20,W,10,10,N2,0"),
        // The name of one game needs no proof.
        ("Russian draughts", "1. c3-d4 *\n", "25,W,8,8,A0,0"),
        ("100", "1. 32-28 *\n", "20,W,10,10,N2,0"),
        ("777", "1. 32-28 *\n", "777"),
        // From a position, in the game of the moves.
        ("99", INTERNATIONAL, "99"),
    ] {
        let record = |value: &str| format!("[GameType \"{value}\"]\n\n{moves}");
        assert_eq!(repaired(&record(value)), record(expected));
    }
    let record = format!("[Result \"1-0\"]\n[GameType \"777\"]\n\n{INTERNATIONAL}");
    assert!(repaired(&record).starts_with("[Result \"2-0\"]\n[GameType \"20,"), "{}", repaired(&record));
}

#[test]
fn result_in_words_becomes_the_score_of_the_side_that_starts() {
    for (game_type, text, expected) in [
        ("20", "White wins", "2-0"),
        ("21", "White wins", "0-1"),
        ("21", "Black wins", "1-0"),
        ("25", "победа чёрных", "0-1"),
        ("20", "Remise", "1-1"),
        ("21", "=", "1/2-1/2"),
        // The remark would be lost.
        ("21", "1-0 (time)", "1-0 (time)"),
        ("20", "adjourned", "adjourned"),
    ] {
        let record = |result: &str| format!("[Result \"{result}\"]\n[GameType \"{game_type}\"]\n\n*\n");
        assert_eq!(repaired(&record(text)), record(expected));
    }
}

#[test]
fn wrong_game_type_is_replaced_on_request() {
    let international = format!("[GameType \"21\"]\n\n{INTERNATIONAL}");
    let repairs = Fixer::default().find(international.as_bytes());
    let chosen = select(&repairs, |repair| repair.applicability == Applicability::Unsafe);
    let text = edits(&chosen).apply(international.as_bytes());
    assert_eq!(String::from_utf8(text).unwrap(), international.replace("\"21\"", "\"20,W,10,10,N2,0\""));
    assert_eq!(chosen[0].code, Code::OtherVariant);
    assert_eq!(repaired(&international), international, "an unsafe repair is not made by default");
}

/// A wrong square of a move with more text than the repair explains.
#[test]
fn repair_that_leaves_a_part_of_the_move_is_not_offered() {
    let game = |moved: &str| {
        format!("[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. {moved} 23-29 *\n")
    };
    let unsafe_repairs = |record: &str| {
        let found = Fixer::default().find(record.as_bytes());
        found.iter().filter(|repair| repair.applicability == Applicability::Unsafe).count()
    };
    assert_eq!(unsafe_repairs(&game("41-73")), 1);
    for moved in ["41-73zz", "41-73 zz", "zz 41-73"] {
        let record = game(moved);
        assert_eq!(unsafe_repairs(&record), 0, "{moved}");
        assert!(Fixer::default().repair(record.as_bytes(), |_| true).made.is_empty(), "{moved}");
    }
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

/// Returns how a contradiction between the Result tag and the terminator is repaired, with the new text of each choice.
fn repairs_of_contradiction(tags: &str, tag: &str, end: &str) -> (Applicability, Vec<String>) {
    let record = format!("{tags}\n[Result \"{tag}\"]\n\n1. 32-28 19-23 {end}\n");
    let repairs = Fixer::default().find(record.as_bytes());
    let found: Vec<_> = repairs.iter().filter(|repair| repair.code == Code::ResultMismatch).collect();
    assert_eq!(found.len(), 1, "{record}");
    let choices = found[0].candidates.iter().map(|candidate| &candidate.edits);
    let choices: Vec<_> =
        if found[0].candidates.is_empty() { vec![&found[0].edits] } else { choices.collect() };
    let change = |edit: &TextEdit| {
        let [old, new] = [&record.as_bytes()[edit.range.clone()], &edit.new].map(String::from_utf8_lossy);
        format!("{old} -> {new}")
    };
    (found[0].applicability, choices.into_iter().map(|edits| change(&edits[0])).collect())
}

#[test]
fn contradicting_results_are_a_choice_only_if_the_system_has_both() {
    const DISPLAY: Applicability = Applicability::Display;
    const UNSAFE: Applicability = Applicability::Unsafe;
    for (tags, tag, end, applicability, choices) in [
        // Every system has `0-0`, lost for both.
        ("[GameType \"21\"]", "1-0", "0-0", DISPLAY, &["0-0 -> 1-0", "1-0 -> 0-0"][..]),
        ("[GameType \"21\"]", "0-0", "1-0", DISPLAY, &["1-0 -> 0-0", "0-0 -> 1-0"]),
        ("[GameType \"21\"]", "0-0", "1/2-1/2", DISPLAY, &["1/2-1/2 -> 0-0", "0-0 -> 1/2-1/2"]),
        ("[ResultFormat \"Goes\"]", "0-0", "2-0", DISPLAY, &["2-0 -> 0-0", "0-0 -> 2-0"]),
        ("[ResultFormat \"ours\"]", "0-0", "2-0", DISPLAY, &["2-0 -> 0-0", "0-0 -> 2-0"]),
        // Both in the form of the system.
        ("[GameType \"20\"]", "0-2", "1-0", DISPLAY, &["1-0 -> 0-2", "0-2 -> 2-0"]),
        ("[GameType \"20\"]", "1-0", "0-0", DISPLAY, &["0-0 -> 2-0", "1-0 -> 0-0"]),
        // A draw with an advantage is no result of International draughts, unless a tag names its system.
        ("[GameType \"20\"]", "2-0", "0.99-1.01", UNSAFE, &["0.99-1.01 -> 2-0"]),
        ("[GameType \"20\"]", "0.99-1.01", "0-2", UNSAFE, &["0.99-1.01 -> 0-2"]),
        ("[GameType \"20\"]", "0.99-1.01", "0-0", UNSAFE, &["0.99-1.01 -> 0-0"]),
        (
            "[GameType \"20\"]\n[ResultFormat \"Goes\"]",
            "2-0",
            "0.99-1.01",
            DISPLAY,
            &["0.99-1.01 -> 2-0", "2-0 -> 0.99-1.01"],
        ),
    ] {
        let found = repairs_of_contradiction(tags, tag, end);
        assert_eq!(
            (found.0, &found.1.iter().map(String::as_str).collect::<Vec<_>>()[..]),
            (applicability, choices),
            "{tags} {tag} {end}"
        );
    }
}

#[test]
fn added_tags_have_the_line_ends_of_the_record() {
    let record = "[White \"a\"]\r\n[GameType \"20\"]\r\n\r\n1. 32-28 19-23 2-0\r\n";
    let expected = record.replace("[GameType \"20\"]", "[GameType \"20\"]\r\n[Result \"2-0\"]");
    assert_eq!(repaired(record), expected);
}

#[test]
fn full_paths_of_captures_stay() {
    let full = "[GameType \"21\"]\n[FEN \"B:W15,22:B11\"]\n\n1. 11x18x25 *\n";
    assert_eq!(repaired(full), full);
}

#[test]
fn repairs_never_divide_a_game() {
    for record in [
        "[Event \"A\"]\n1. 32-28 19-23 [White \"x\"]\n2. 28x19 14x23 2-0\n",
        "#[Site \"x\"]0-0\n",
        "9[x\"\n0-0\n",
    ] {
        let mut text = record.to_owned();
        for _ in 0..3 {
            text = repaired(&text);
            assert_eq!(pdn::split::records(text.as_bytes()).count(), 1, "{record:?} became {text:?}");
        }
    }
}

#[test]
fn what_stands_between_repeated_tags_is_kept() {
    for between in ["\n", "\r\n", " "] {
        let record = format!("[White \"x\"]{between}[White \"x\"]\n1. 32-28 *\n");
        assert_eq!(repaired(&record), "[White \"x\"]\n1. 32-28 *\n", "{between:?}");
    }
    for between in ["\n{only here}\n", "\n% a line\n", "\n; a remark\n", " text "] {
        let record = format!("[White \"x\"]{between}[White \"x\"]\n1. 32-28 *\n");
        assert!(repaired(&record).contains(between.trim()), "{between:?}: {}", repaired(&record));
    }
}

#[test]
fn terminator_is_added_where_it_is_read_only() {
    for record in ["1. 32-28 19-23 { and so on", "1. 32-28 19-23 (1. 33-28 19-23\n"] {
        assert_eq!(repaired(record), record);
    }
    for (record, expected) in [
        ("1. 32-28 19-23\n", "1. 32-28 19-23 *\n"),
        ("1. 32-28 19-23 ; a remark\n", "1. 32-28 19-23 ; a remark\n*\n"),
        ("1. 32-28 19-23\n%foo\n", "1. 32-28 19-23\n%foo\n*\n"),
    ] {
        let once = repaired(record);
        assert_eq!(once, expected);
        assert_eq!(repaired(&once), once, "a second time");
        let mut checker = pdn::check::Checker::default();
        let report = checker.check(once.as_bytes());
        assert!(report.diagnostics.iter().all(|found| found.code != Code::MissingTerminator), "{once:?}");
    }
}

#[test]
fn safe_repairs_are_complete_after_one_run() {
    let international = INTERNATIONAL.replace('*', "0-1");
    let cases = [
        // Every capture gets the separator of the game type, with its path as it is.
        (
            "[GameType \"20\"]\n[Result \"*\"]\n1. 32-28 19-23 2. 28:19 14:23 (2. -- 13:24) 3. 33-28 23:32 *\n".to_owned(),
            "[GameType \"20\"]\n[Result \"*\"]\n1. 32-28 19-23 2. 28x19 14x23 (2. -- 13:24) 3. 33-28 23x32 *\n".to_owned(),
        ),
        // A Result tag is added in the system of the game, and in the usual form.
        (
            "[White \"a\"]\n[GameType \"20\"]\n1. 32-28 1-0\n".to_owned(),
            "[White \"a\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n1. 32-28 1-0\n".to_owned(),
        ),
        (
            "[White \"a\"]\n[GameType \"25\"]\n1. c3-d4 &frac12;-&frac12;\n".to_owned(),
            "[White \"a\"]\n[GameType \"25\"]\n[Result \"1/2-1/2\"]\n1. c3-d4 &frac12;-&frac12;\n".to_owned(),
        ),
        (
            "[White \"a\"]\n[ResultFormat \"1-0\"]\n[GameType \"20\"]\n1. 32-28 1-0\n".to_owned(),
            "[White \"a\"]\n[ResultFormat \"1-0\"]\n[GameType \"20\"]\n[Result \"1-0\"]\n1. 32-28 1-0\n".to_owned(),
        ),
        // A GameType tag that is added says which system that is.
        (
            format!("[White \"a\"]\n\n{international}"),
            format!("[GameType \"20,W,10,10,N2,0\"]\n[White \"a\"]\n[Result \"0-2\"]\n\n{international}"),
        ),
        (
            format!("[White \"a\"]\n[Result \"0-1\"]\n\n{international}"),
            format!("[White \"a\"]\n[GameType \"20,W,10,10,N2,0\"]\n[Result \"0-2\"]\n\n{international}"),
        ),
    ];
    for (record, expected) in cases {
        let once = repaired(&record);
        assert_eq!(once, expected);
        assert_eq!(repaired(&once), once, "nothing is left to repair");
    }
}
