//! What must hold for any bytes at all: nothing lost, nothing doubled, nothing that depends on what was read before
//! or on how it arrived.

use crate::common;
use crate::properties::{
    all_limits, breaks_anywhere, limits, nothing_is_lost, slices_join, streamed_is_mapped,
    tokens_stand_in_order,
};
use pdn::limits::Limits;
use proptest::prelude::*;

/// Everything above.
fn holds(text: &[u8]) -> Result<(), String> {
    for limits in all_limits() {
        let mut from = 0;
        for record in slices_join(text, limits)? {
            let game = &text[from..record.end];
            nothing_is_lost(game, &limits)?;
            tokens_stand_in_order(game, &limits)?;
            from = record.end;
        }
        // The walk takes any bytes, not only records.
        nothing_is_lost(text, &limits)?;
    }
    Ok(())
}

#[test]
fn everything_holds_for_our_fixtures() {
    for (path, text) in common::fixtures() {
        holds(text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        breaks_anywhere(text, &Limits::DEFAULT).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

#[test]
fn everything_holds_for_real_files() {
    for (path, text) in common::real_files() {
        holds(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

#[test]
fn a_stream_is_cut_as_the_file_is() {
    let filler = "19-23 28x19 ".repeat(8000);
    let blanks = " ".repeat(40_000);
    let long = "x".repeat(40_000);
    let texts = [
        format!("[A \"x] 1-0 1. 3-4 {filler}\"]\n*"),
        format!("[A \"{long} 1-0 1. 3-4\"]\n*"),
        format!("[A \"{long} 1-0 1. 3-4\\\"\"]\n*"),
        format!("[A \"x\n{long}\"] 1-0\n[B \"y\"] *"),
        format!("[A \"x\"] 1-0 {blanks}[B{blanks}\"y\"] * {filler}"),
        format!("[A \"x\"] 1-0\nEvent{blanks}\"x\"]\n * {filler}"),
        format!("[A \"x\"] 1. 32-28\nEvent \"{long}\"]\n * {filler}"),
        format!("[A \"x\"] {{ never 1-0 1. 3-4 {filler}"),
        format!("[A \"x\"] {{ {{ never }} 1-0 1. 3-4 {filler} }} 1-0 1. 3-4"),
        format!("1. 3-4 /FEN {long} / 1-0 1. 3-4 {filler}"),
        format!("1. 3-4 1/2{blanks}-1/2 1. 3-4 {filler}"),
        format!("1. 3-4 1-0 [Loose {long}] {filler} [A \"x\"]"),
        format!("[Loose {long}]\n[A \"x\"] *\n[A \"y\"] * {filler}"),
    ];
    for text in &texts {
        for limits in [Limits::DEFAULT, limits(30_000, 5_000)] {
            for seen in [1, 2, 5, 17, 5_000, 9_000, 17_000, 33_000, 41_000, 60_000, 90_000, 150_000] {
                streamed_is_mapped(text.as_bytes(), limits, seen).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(common::cases(1500))]

    #[test]
    fn everything_holds_for_text_that_is_almost_pdn(text in common::pdn_like()) {
        holds(&text).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn everything_holds_for_damaged_fixtures(which in any::<prop::sample::Index>(), changes in common::changes()) {
        let files = common::fixtures();
        holds(&common::mutated(&files[which.index(files.len())].1, &changes)).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn everything_holds_for_any_bytes(text in proptest::collection::vec(any::<u8>(), 0..300)) {
        holds(&text).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_walk_can_be_left_anywhere(text in common::pdn_like()) {
        for limits in all_limits() {
            breaks_anywhere(&text, &limits).map_err(TestCaseError::fail)?;
        }
    }

    /// The look-ahead of the splitter is longer than most texts, so they stand before a long tail.
    #[test]
    fn beginnings_are_cut_as_the_whole(text in common::pdn_like(), after in common::pdn_like(), seen in 0usize..400) {
        let tail = "32-28 ".repeat(7000);
        let text = [&text[..], &after[..], tail.as_bytes()].concat();
        for limits in all_limits() {
            streamed_is_mapped(&text, limits, seen + 2 * (16 << 10)).map_err(TestCaseError::fail)?;
            streamed_is_mapped(&text, limits, seen).map_err(TestCaseError::fail)?;
        }
    }
}
