//! Properties that hold for any bytes: no byte is lost or reported twice, and no result depends on what was read
//! before or on how the bytes arrived.

use crate::common;
use crate::properties::{
    all_limits, limits, parts_cover_record, records_join_to_input, stream_equals_whole_text,
    tokens_are_ordered, walk_stops_at_any_call,
};
use pdn::limits::Limits;
use proptest::prelude::*;

/// Checks every property on one text, with several limits.
fn check_all(text: &[u8]) -> Result<(), String> {
    for limits in all_limits() {
        let mut from = 0;
        for record in records_join_to_input(text, limits)? {
            let game = &text[from..record.end];
            parts_cover_record(game, &limits)?;
            tokens_are_ordered(game, &limits)?;
            from = record.end;
        }
        // The walk accepts any bytes, not only records.
        parts_cover_record(text, &limits)?;
    }
    Ok(())
}

#[test]
fn fixtures_have_all_properties() {
    for (path, text) in common::fixtures() {
        check_all(text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        walk_stops_at_any_call(text, &Limits::DEFAULT).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

#[test]
fn real_files_have_all_properties() {
    for (path, text) in common::real_files() {
        check_all(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

#[test]
fn stream_splits_like_whole_text() {
    let filler = "19-23 28x19 ".repeat(8000);
    let spaces = " ".repeat(40_000);
    let long = "x".repeat(40_000);
    let texts = [
        format!("[A \"x] 1-0 1. 3-4 {filler}\"]\n*"),
        format!("[A \"{long} 1-0 1. 3-4\"]\n*"),
        format!("[A \"{long} 1-0 1. 3-4\\\"\"]\n*"),
        format!("[A \"x\n{long}\"] 1-0\n[B \"y\"] *"),
        format!("[A \"x\"] 1-0 {spaces}[B{spaces}\"y\"] * {filler}"),
        format!("[A \"x\"] 1-0\nEvent{spaces}\"x\"]\n * {filler}"),
        format!("[A \"x\"] 1. 32-28\nEvent \"{long}\"]\n * {filler}"),
        format!("[A \"x\"] {{ never 1-0 1. 3-4 {filler}"),
        format!("[A \"x\"] {{ {{ never }} 1-0 1. 3-4 {filler} }} 1-0 1. 3-4"),
        format!("1. 3-4 /FEN {long} / 1-0 1. 3-4 {filler}"),
        format!("1. 3-4 1/2{spaces}-1/2 1. 3-4 {filler}"),
        format!("1. 3-4 1-0 [Loose {long}] {filler} [A \"x\"]"),
        format!("[Loose {long}]\n[A \"x\"] *\n[A \"y\"] * {filler}"),
    ];
    for text in &texts {
        for limits in [Limits::DEFAULT, limits(30_000, 5_000)] {
            for seen in [1, 2, 5, 17, 5_000, 9_000, 17_000, 33_000, 41_000, 60_000, 90_000, 150_000] {
                stream_equals_whole_text(text.as_bytes(), limits, seen).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(common::cases(1500))]

    #[test]
    fn pdn_like_text_has_all_properties(text in common::pdn_like()) {
        check_all(&text).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn damaged_fixtures_have_all_properties(which in any::<prop::sample::Index>(), changes in common::changes()) {
        let files = common::fixtures();
        check_all(&common::mutated(&files[which.index(files.len())].1, &changes)).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_bytes_have_all_properties(text in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_all(&text).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn walk_over_pdn_like_text_stops_at_any_call(text in common::pdn_like()) {
        for limits in all_limits() {
            walk_stops_at_any_call(&text, &limits).map_err(TestCaseError::fail)?;
        }
    }

    /// The look-ahead of the splitter is longer than most texts, so a long tail follows them.
    #[test]
    fn beginning_splits_like_whole_text(text in common::pdn_like(), after in common::pdn_like(), seen in 0usize..400) {
        let tail = "32-28 ".repeat(7000);
        let text = [&text[..], &after[..], tail.as_bytes()].concat();
        for limits in all_limits() {
            stream_equals_whole_text(&text, limits, seen + 2 * (16 << 10)).map_err(TestCaseError::fail)?;
            stream_equals_whole_text(&text, limits, seen).map_err(TestCaseError::fail)?;
        }
    }
}
