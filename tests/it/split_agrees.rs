//! The splitter and a naive one that was written from the definition alone agree on everything.

use crate::common;
use crate::naive_split;
use std::ops::ControlFlow;

use pdn::limits::Limits;
use pdn::split::{Records, Splitter};
use proptest::prelude::*;

fn limits(game_bytes: usize, comment_bytes: usize) -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.game_bytes = game_bytes;
    limits.comment_bytes = comment_bytes;
    limits
}

/// Both splitters on one text; the text of each record is shown where they differ.
fn agree(text: &[u8], limits: Limits) -> Result<(), String> {
    let fast: Vec<_> = Records::new(text, limits).map(|game| (game.bytes.len(), game.cut)).collect();
    let naive = naive_split::split(text, limits.game_bytes, limits.comment_bytes);
    if fast == naive {
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
    Err(format!("library:\n{}naive:\n{}", show(&fast), show(&naive)))
}

#[track_caller]
fn check(text: &str, records: &[&str]) {
    let found: Vec<_> =
        pdn::split::games(text.as_bytes()).map(|game| String::from_utf8_lossy(game.bytes)).collect();
    assert_eq!(found, records);
    agree(text.as_bytes(), Limits::DEFAULT).unwrap();
}

#[test]
fn on_our_fixtures() {
    for (path, text) in common::fixtures() {
        for limits in [Limits::DEFAULT, limits(50, 20), limits(300, 100)] {
            agree(text, limits).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        }
    }
}

#[test]
fn on_real_files() {
    for (path, text) in common::real_files() {
        // The naive one is quadratic in a record; the whole of the largest file would take long.
        let text = &text[..text.len().min(200_000)];
        for limits in [Limits::DEFAULT, limits(700, 50)] {
            agree(text, limits).unwrap_or_else(|e| panic!("{}:\n{e}", path.display()));
        }
    }
}

#[test]
fn joined_files_part_at_a_byte_order_mark() {
    check(
        "[White \"a\"]\n1. 32-28\n\n\u{feff}[White \"b\"]\n1. 33-28 *",
        &["[White \"a\"]\n1. 32-28\n\n\u{feff}", "[White \"b\"]\n1. 33-28 *"],
    );
}

#[test]
fn no_break_spaces_are_blanks() {
    let one = "[White \"a\"]\n\u{a0}[Black \"b\"]\n1.\u{a0}32-28\u{a0}1-0\u{a0}\n";
    check(&[one, "1. 33-28 *"].concat(), &[one, "1. 33-28 *"]);
}

#[test]
fn typed_line_ends_are_line_ends() {
    let one = "[White \"a\"]\\r\n[Black \"b\"]\\r\n\\r\n1. 32-28 1-0\\r\n\\r\n";
    check(&one.repeat(3), &[one; 3]);
    check("[White \"a\"]\\r\n\\r\n[White \"b\"]\\r\n*", &["[White \"a\"]\\r\n\\r\n", "[White \"b\"]\\r\n*"]);
}

#[test]
fn a_setup_after_a_result_begins_a_game() {
    check("1. 32-28 1-0\n/FEN \"B:W1:B2\"/ 1... 2-7 *", &["1. 32-28 1-0\n", "/FEN \"B:W1:B2\"/ 1... 2-7 *"]);
}

#[test]
fn an_unclosed_variation_costs_no_neighbour() {
    check(
        "[White \"a\"]\n1. 32-28 (1. 33-28 1-0\n[White \"b\"]\n1. 31-26 *",
        &["[White \"a\"]\n1. 32-28 (1. 33-28 1-0\n", "[White \"b\"]\n1. 31-26 *"],
    );
    check("(1. 33-28\n\n[White \"b\"] *", &["(1. 33-28\n\n", "[White \"b\"] *"]);
    let text = "1. 32-28 (1. 33-28\n[White \"b\"] 19-23) 19-23 *";
    check(text, &[text]);
}

#[test]
fn words_touch_results_and_numbers_do_not() {
    check("8-11Redoverstepped1-0 1. 3-4 *", &["8-11Redoverstepped1-0 ", "1. 3-4 *"]);
    check("10x1-0 1. 3-4 *", &["10x1-0 1. 3-4 *"]);
    check("3-4 1--1+ 1. 3-4 *", &["3-4 1--1+ ", "1. 3-4 *"]);
    check("(3-4 5-6)* 1. 3-4 *", &["(3-4 5-6)* ", "1. 3-4 *"]);
    check("3-4(!)* 1. 3-4 *", &["3-4(!)* 1. 3-4 *"]);
}

#[test]
fn slashes_behind_a_number_pair_from_the_second() {
    check("1-0.5///1 1/2 - 1/2[Event \"x\"]", &["1-0.5///1 1/2 - 1/2", "[Event \"x\"]"]);
    check("5//1 1/2 - 1/2[Event \"x\"]", &["5//1 1/2 - 1/2[Event \"x\"]"]);
    check("///1 1/2 - 1/2[Event \"x\"]", &["///1 1/2 - 1/2[Event \"x\"]"]);
    check("////1 1/2 - 1/2[Event \"x\"]", &["////1 1/2 - 1/2", "[Event \"x\"]"]);
}

#[test]
fn what_lies_before_a_record_does_not_exist() {
    // The second record starts within a line, and yet its bracket starts a line.
    check("1-0[Event \"x\"] 1-0 [Event \"y\"]", &["1-0", "[Event \"x\"] 1-0 ", "[Event \"y\"]"]);
    let text = format!("[Event \"x\"]{}[Loose value]\n[Event \"x\"]", " ".repeat(38));
    let games: Vec<_> = Records::new(text.as_bytes(), limits(50, 20)).map(|game| game.bytes.len()).collect();
    assert_eq!(games, [49, text.len() - 49]);
}

proptest! {
    #![proptest_config(common::cases(4000))]

    #[test]
    fn on_text_that_is_almost_pdn(text in common::pdn_like()) {
        for limits in [Limits::DEFAULT, limits(50, 20), limits(1, 1), limits(400, 7)] {
            agree(&text, limits).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn on_damaged_fixtures(which in any::<prop::sample::Index>(), changes in common::changes()) {
        let files = common::fixtures();
        let text = common::mutated(&files[which.index(files.len())].1, &changes);
        for limits in [Limits::DEFAULT, limits(50, 20)] {
            agree(&text, limits).map_err(TestCaseError::fail)?;
        }
    }
}

/// Records as nearly all are, many in a row, so that most are passed by the block.
fn plain_records() -> impl Strategy<Value = Vec<u8>> {
    let tag = r#"\[[A-Z][a-z]{1,12} "([A-Za-z0-9 .,é(\[{]|\\"){0,40}"\]"#;
    let moves = "([1-9][0-9]?\\. [0-9]{1,2}[x-][0-9]{1,2} [a-h][1-8][:-][a-h][1-8]\n? ?){0,30}";
    let end = prop_oneof![
        4 => prop::sample::select(vec!["1-0", "0-2", "1/2-1/2", "*", "2-0", "1-1"]),
        1 => prop::sample::select(vec!["", "1-0 *", "*1-0", "1-0.", "1-03", "* 3-4", "1/2", "{x} 0-1", "-", "1-0/", "½-½"]),
    ];
    let behind = prop::sample::select(vec!["\n\n", "\n", " \n\n", "\n\n\n", "\n \n", "\n\n ", " "]);
    let record = (
        prop::collection::vec(tag, 1..9),
        prop::sample::select(vec!["\n\n", "\n", "\n\n\n"]),
        moves,
        end,
        behind,
    );
    let text =
        record.prop_map(|(tags, gap, moves, end, behind)| tags.join("\n") + gap + &moves + end + behind);
    (prop::collection::vec(text, 3..12), any::<bool>()).prop_map(|(records, crlf)| {
        let text = records.concat();
        if crlf { text.replace('\n', "\r\n") } else { text }.into_bytes()
    })
}

proptest! {
    #![proptest_config(common::cases(2000))]

    #[test]
    fn on_plain_records(text in plain_records(), changes in common::changes()) {
        for text in [common::mutated(&text, &changes), text] {
            for limits in [Limits::DEFAULT, limits(300, 50), limits(700, 50)] {
                agree(&text, limits).map_err(TestCaseError::fail)?;
            }
        }
    }

    #[test]
    fn what_follows_changes_no_end_that_is_certain(text in plain_records(), cut in any::<prop::sample::Index>()) {
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

/// A comment that opens right behind the tags and never closes costs its own game only.
#[test]
fn unclosed_comment_behind_the_tags() {
    for text in [
        "[Event \"a\"]\n[Site \"s\"]\n{x 1. 32-28 0-2\n\n[Event \"b\"]\n[Site \"t\"]\n1. 32-28 *\n",
        "[Event \"a\"]\n\n{x 1. 32-28 0-2\n\n[White \"b\"]\n1. 32-28 *\n",
        "[Event \"a\"]\n( 32-28 {x\n[Event \"b\"]\n1. 32-28 *\n",
    ] {
        assert_eq!(pdn::split::games(text.as_bytes()).count(), 2, "{text:?}");
    }
}
