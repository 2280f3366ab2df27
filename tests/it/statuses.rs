//! What a record is counted as: the check of the text and the replay agree on what is empty, a problem or a game.

use crate::common;
use pdn::check::{CheckOptions, Checker};
use pdn::diag::Code;
use pdn::internal::check::RecordStatus;
use pdn::internal::replay::FilePrior;
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::split;
use proptest::prelude::*;

/// Compares the statuses of all records of a text.
fn compare(text: &[u8]) -> Result<(), String> {
    let records: Vec<_> = split::records(text).collect();
    let mut replayer = Replayer::default();
    replayer.set_prior(FilePrior::of(records.iter().map(|record| record.bytes), &ReplayOptions::default()));
    let mut checker = Checker::new(&CheckOptions::new());
    for record in records {
        let replayed = replayer.summary(record).status;
        let checked = checker.check(record).summary.status;
        let agree = match replayed {
            GameStatus::Empty => checked == RecordStatus::Empty,
            // Only a replay sees that the moves are the draw of a start position.
            GameStatus::Problem => {
                let is_drawn = replayer.move_diagnostics().iter().any(|found| found.code == Code::DrawnStart);
                checked == RecordStatus::Problem || is_drawn
            }
            // Only a replay sees that a position does not exist on the board.
            GameStatus::Damaged => checked != RecordStatus::Empty,
            _ => !matches!(checked, RecordStatus::Empty | RecordStatus::Problem),
        };
        if !agree {
            return Err(format!(
                "{replayed} by replay, {checked} by its text: {}",
                record.bytes.escape_ascii()
            ));
        }
    }
    Ok(())
}

#[test]
fn empty_records_and_problems_are_same_with_and_without_replay() {
    let tags = [
        "",
        "[White \"a\"]\n",
        "[Date \"1.2.3.4\"]\n",
        "[FEN \"W:W31:B20\"]\n",
        "[FEN \"?\"]\n",
        "[FEN \"\"]\n",
        "[FEN \"x\"]\n",
        "[GameType \"0\"]\n",
    ];
    let moves = [
        "",
        "1. 32-28 ",
        "1. 31-27 ",
        "1. ... ",
        "1. - - ",
        "foo ",
        "1. e4 e5 ",
        "/FEN \"W:W31:B20\"/ ",
        "/FEN \"B:::\"/ ",
        "(1. 32-28 foo) ",
        "{ a comment } ",
        "<23> ",
        "{ never closed ",
    ];
    for tags in tags {
        for moves in moves {
            for end in ["", "*", "2-0", "* foo"] {
                compare(format!("{tags}\n{moves}{end}\n").as_bytes()).unwrap();
            }
        }
    }
    for (text, status) in [
        // A result in parentheses is an opinion about a variation, and no end of the game.
        ("(1. 32-28 1-0) /FEN \"x\"/", GameStatus::Damaged),
        ("1. 32-28 (19-23 1-0) /FEN \"x\"/", GameStatus::Damaged),
        ("[White \"a\"] 2-0", GameStatus::Empty),
        ("[FEN \"W:W31:B20\"] 2-0", GameStatus::Problem),
        ("[FEN \"W:W31-50:B1-20\"] *", GameStatus::Problem),
        ("/FEN \"W:W31:B20\"/ *", GameStatus::Problem),
        ("1. e4 e5 *", GameStatus::Damaged),
        ("[FEN \"W:W31:B20\"] 1. 31-27 *", GameStatus::Legal),
    ] {
        assert_eq!(Replayer::default().summary(text.as_bytes()).status, status, "{text}");
    }
}

#[test]
fn empty_records_and_problems_of_fixtures_and_real_files_are_same() {
    for (path, text) in common::fixtures().iter().chain(&common::real_files()) {
        compare(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

proptest! {
    #![proptest_config(common::cases(500))]

    #[test]
    fn empty_records_and_problems_of_any_text_are_same(text in common::pdn_like()) {
        compare(&text).map_err(TestCaseError::fail)?;
    }
}
