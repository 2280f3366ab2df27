//! The splitter and its naive twin, written from the definition alone, find the same records.

use crate::common;
use crate::naive_split;
use std::ops::ControlFlow;

use pdn::internal::split::Splitter;
use pdn::limits::Limits;
use pdn::split::Records;
use proptest::prelude::*;

fn limits(record_bytes: usize, comment_bytes: usize) -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.record_bytes = record_bytes;
    limits.comment_bytes = comment_bytes;
    limits
}

/// Runs both splitters on one text. The error shows the text of each record.
fn compare(text: &[u8], limits: Limits) -> Result<(), String> {
    let library: Vec<_> = Records::new(text, limits).map(|game| (game.bytes.len(), game.cut)).collect();
    let naive = naive_split::split(text, limits.record_bytes, limits.comment_bytes);
    if library == naive {
        return Ok(());
    }
    let show = |records: &[(usize, bool)]| {
        let mut at = 0;
        let parts = records.iter().map(|&(len, cut)| {
            at += len;
            format!("{cut} {:?}\n", String::from_utf8_lossy(&text[at - len..at]))
        });
        parts.collect::<String>()
    };
    Err(format!("library:\n{}naive:\n{}", show(&library), show(&naive)))
}

#[track_caller]
fn check(text: &str, records: &[&str]) {
    let actual: Vec<_> =
        pdn::split::records(text.as_bytes()).map(|game| String::from_utf8_lossy(game.bytes)).collect();
    assert_eq!(actual, records);
    compare(text.as_bytes(), Limits::DEFAULT).unwrap();
}

#[test]
fn no_cut_divides_a_line_end() {
    let text = "1. 32-28 19-23\r\n2. 28x19 14x23\r\n3. 37-32 10-14\r4. 41-37 14-19\n\r\n\r\n*\r\n".repeat(3);
    let mut cuts = 0;
    for bytes in 2..text.len() {
        compare(text.as_bytes(), limits(bytes, 20)).unwrap();
        for record in Records::new(text.as_bytes(), limits(bytes, 20)).filter(|record| record.cut) {
            let end = record.offset as usize + record.bytes.len();
            // A record of one byte is as short as can be.
            assert!(record.bytes == b"\r" || !(text[..end].ends_with('\r') && text[end..].starts_with('\n')));
            cuts += 1;
        }
    }
    assert!(cuts > 500, "{cuts}");
}

#[test]
fn splitters_agree_on_fixtures() {
    for (path, text) in common::fixtures() {
        for limits in [Limits::DEFAULT, limits(50, 20), limits(300, 100)] {
            compare(text, limits).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        }
    }
}

#[test]
fn splitters_agree_on_real_files() {
    for (path, text) in common::real_files() {
        // The naive splitter is quadratic in the length of a record, so only the start of a large file is read.
        let text = &text[..text.len().min(200_000)];
        for limits in [Limits::DEFAULT, limits(700, 50)] {
            compare(text, limits).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        }
    }
}

#[test]
fn byte_order_mark_between_joined_files_is_whitespace() {
    check(
        "[White \"a\"]\n1. 32-28\n\n\u{feff}[White \"b\"]\n1. 33-28 *",
        &["[White \"a\"]\n1. 32-28\n\n\u{feff}", "[White \"b\"]\n1. 33-28 *"],
    );
}

#[test]
fn no_break_space_is_whitespace() {
    let one = "[White \"a\"]\n\u{a0}[Black \"b\"]\n1.\u{a0}32-28\u{a0}1-0\u{a0}\n";
    check(&[one, "1. 33-28 *"].concat(), &[one, "1. 33-28 *"]);
}

#[test]
fn typed_line_end_separates_tags() {
    let one = "[White \"a\"]\\r\n[Black \"b\"]\\r\n\\r\n1. 32-28 1-0\\r\n\\r\n";
    check(&one.repeat(3), &[one; 3]);
    check("[White \"a\"]\\r\n\\r\n[White \"b\"]\\r\n*", &["[White \"a\"]\\r\n\\r\n", "[White \"b\"]\\r\n*"]);
}

#[test]
fn setup_after_result_begins_record() {
    check("1. 32-28 1-0\n/FEN \"B:W1:B2\"/ 1... 2-7 *", &["1. 32-28 1-0\n", "/FEN \"B:W1:B2\"/ 1... 2-7 *"]);
}

#[test]
fn unclosed_variation_damages_own_record_only() {
    check(
        "[White \"a\"]\n1. 32-28 (1. 33-28 1-0\n[White \"b\"]\n1. 31-26 *",
        &["[White \"a\"]\n1. 32-28 (1. 33-28 1-0\n", "[White \"b\"]\n1. 31-26 *"],
    );
    check("(1. 33-28\n\n[White \"b\"] *", &["(1. 33-28\n\n", "[White \"b\"] *"]);
    let text = "1. 32-28 (1. 33-28\n[White \"b\"] 19-23) 19-23 *";
    check(text, &[text]);
}

#[test]
fn result_may_touch_words_but_not_numbers() {
    check("8-11Redoverstepped1-0 1. 3-4 *", &["8-11Redoverstepped1-0 ", "1. 3-4 *"]);
    check("10x1-0 1. 3-4 *", &["10x1-0 1. 3-4 *"]);
    check("3-4 1--1+ 1. 3-4 *", &["3-4 1--1+ ", "1. 3-4 *"]);
    check("(3-4 5-6)* 1. 3-4 *", &["(3-4 5-6)* ", "1. 3-4 *"]);
    check("3-4(!)* 1. 3-4 *", &["3-4(!)* 1. 3-4 *"]);
}

#[test]
fn results_with_colons_or_blanks_end_records() {
    for result in ["1:0", "1 : 0", "0 - 2", "1/2:1/2", "½ : ½", "0–1", "1 - 1"] {
        let one = format!("[White \"a\"]\n1. 32-28 {result}\n");
        check(&[&one, "1. 33-28 *"].concat(), &[&one, "1. 33-28 *"]);
    }
    check("1. 32-28 2:24 1. 33-28 *", &["1. 32-28 2:24 1. 33-28 *"]);
}

#[test]
fn results_that_touch_the_next_game_end_records() {
    check("1. 32-28 1 - 1[White \"b\"]\n*", &["1. 32-28 1 - 1", "[White \"b\"]\n*"]);
    check("1. 32-28 1-101.33-28 *", &["1. 32-28 1-1", "01.33-28 *"]);
    check("1. 32-28 2-01. 33-28 *", &["1. 32-28 2-0", "1. 33-28 *"]);
    check("1. 32-28 1/2-1/2001. 33-28 *", &["1. 32-28 1/2-1/2", "001. 33-28 *"]);
    check("1. 32-28 1-11 1. 33-28 *", &["1. 32-28 1-11 1. 33-28 *"]);
}

#[test]
fn words_in_parentheses_are_a_comment() {
    let one = "1. 32-28 (the game of 1954; it ended 1-0, of course) 19-23 *\n";
    check(&[one, "1. 33-28 *"].concat(), &[one, "1. 33-28 *"]);
}

#[test]
fn slashes_without_fen_open_no_setup() {
    for text in ["1-0.5///1 1/2 - 1/2", "5//1 1/2 - 1/2", "///1 1/2 - 1/2", "1. 32-28 / 19-23 1-0"] {
        check(&[text, "[Event \"x\"]"].concat(), &[text, "[Event \"x\"]"]);
    }
    let setup = "// /FEN \"W:W31:B1\"/ 1. 31-27 *\n";
    check(&[setup, "[Event \"x\"]"].concat(), &[setup, "[Event \"x\"]"]);
}

#[test]
fn bytes_before_record_are_ignored() {
    // The second record starts within a line; its bracket counts as the start of a line all the same.
    check("1-0[Event \"x\"] 1-0 [Event \"y\"]", &["1-0", "[Event \"x\"] 1-0 ", "[Event \"y\"]"]);
    let text = format!("[Event \"x\"]{}[Loose value]\n[Event \"x\"]", " ".repeat(38));
    let games: Vec<_> = Records::new(text.as_bytes(), limits(50, 20)).map(|game| game.bytes.len()).collect();
    assert_eq!(games, [49, text.len() - 49]);
}

proptest! {
    #![proptest_config(common::cases(4000))]

    #[test]
    fn splitters_agree_on_pdn_like_text(text in common::pdn_like()) {
        for limits in [Limits::DEFAULT, limits(50, 20), limits(1, 1), limits(400, 7)] {
            compare(&text, limits).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn splitters_agree_on_damaged_fixtures(which in any::<prop::sample::Index>(), changes in common::changes()) {
        let files = common::fixtures();
        let text = common::mutated(&files[which.index(files.len())].1, &changes);
        for limits in [Limits::DEFAULT, limits(50, 20)] {
            compare(&text, limits).map_err(TestCaseError::fail)?;
        }
    }
}

/// Generates sequences of records, most of them regular, so that most are passed by whole blocks.
fn regular_records() -> impl Strategy<Value = Vec<u8>> {
    let tag = r#"\[[A-Z][a-z]{1,12} "([A-Za-z0-9 .,é(\[{]|\\"){0,40}"\]"#;
    let moves = "([1-9][0-9]?\\. [0-9]{1,2}[x-][0-9]{1,2} [a-h][1-8][:-][a-h][1-8]\n? ?){0,30}";
    let end = prop_oneof![
        4 => prop::sample::select(vec!["1-0", "0-2", "1/2-1/2", "*", "2-0", "1-1"]),
        1 => prop::sample::select(vec!["", "1-0 *", "*1-0", "1-0.", "1-03", "* 3-4", "1/2", "{x} 0-1", "-", "1-0/", "½-½"]),
    ];
    let after_end = prop::sample::select(vec!["\n\n", "\n", " \n\n", "\n\n\n", "\n \n", "\n\n ", " "]);
    let record = (
        prop::collection::vec(tag, 1..9),
        prop::sample::select(vec!["\n\n", "\n", "\n\n\n"]),
        moves,
        end,
        after_end,
    );
    let text = record
        .prop_map(|(tags, gap, moves, end, after_end)| tags.join("\n") + gap + &moves + end + after_end);
    (prop::collection::vec(text, 3..12), any::<bool>()).prop_map(|(records, crlf)| {
        let text = records.concat();
        if crlf { text.replace('\n', "\r\n") } else { text }.into_bytes()
    })
}

proptest! {
    #![proptest_config(common::cases(2000))]

    #[test]
    fn splitters_agree_on_regular_records(text in regular_records(), changes in common::changes()) {
        for text in [common::mutated(&text, &changes), text] {
            for limits in [Limits::DEFAULT, limits(300, 50), limits(700, 50)] {
                compare(&text, limits).map_err(TestCaseError::fail)?;
            }
        }
    }

    #[test]
    fn certain_ends_equal_those_of_whole_text(text in regular_records(), cut in any::<prop::sample::Index>()) {
        let text = text.repeat(1 + 100_000 / text.len());
        let ends = |bytes: &[u8], complete| {
            let mut ends = Vec::new();
            Splitter::default().each(bytes, 0, complete, |record| {
                ends.push(record);
                ControlFlow::Continue(())
            });
            ends
        };
        let whole = ends(&text, true);
        let certain = ends(&text[..cut.index(text.len())], false);
        prop_assert_eq!(&whole[..certain.len()], &certain[..]);
    }
}

/// An unclosed comment right after the tags damages its own record only.
#[test]
fn unclosed_comment_after_tags_damages_own_record_only() {
    for text in [
        "[Event \"a\"]\n[Site \"s\"]\n{x 1. 32-28 0-2\n\n[Event \"b\"]\n[Site \"t\"]\n1. 32-28 *\n",
        "[Event \"a\"]\n\n{x 1. 32-28 0-2\n\n[White \"b\"]\n1. 32-28 *\n",
        "[Event \"a\"]\n( 32-28 {x\n[Event \"b\"]\n1. 32-28 *\n",
    ] {
        assert_eq!(pdn::split::records(text.as_bytes()).count(), 2, "{text:?}");
    }
}
