//! What must hold for any bytes at all: nothing lost, nothing doubled, nothing that depends on what was read before
//! or on how it arrived.

mod common;

use pdn::diag::Diagnostic;
use pdn::lex::Lexer;
use pdn::limits::Limits;
use pdn::parse::{
    Comment, Flow, Missing, Move, MoveNumber, Setup, Strength, Tag, Terminator, Variation, Variations,
    Visitor, walk_with,
};
use pdn::shape::{is_blank, odd_blank};
use pdn::span::Span;
use pdn::split::{Games, RecordEnd, Splitter};
use proptest::prelude::*;

fn limits(game_bytes: usize, comment_bytes: usize) -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.game_bytes = game_bytes;
    limits.comment_bytes = comment_bytes;
    limits
}

fn all_limits() -> [Limits; 3] {
    let mut shallow = limits(400, 30);
    shallow.variation_depth = 2;
    [Limits::DEFAULT, limits(50, 20), shallow]
}

/// Notes every span it hears of, and breaks off at a given call.
#[derive(Default)]
struct Spans {
    /// Parts of the game, in the order told.
    parts: Vec<Span>,
    findings: Vec<Span>,
    calls: usize,
    stop_at: usize,
    depth: u32,
    ended: u32,
}

impl Spans {
    fn call(&mut self) -> Flow {
        self.calls += 1;
        if self.calls == self.stop_at { Flow::Break(()) } else { Flow::Continue(()) }
    }

    fn part(&mut self, span: Span) -> Flow {
        self.parts.push(span);
        self.call()
    }
}

impl<'g> Visitor<'g> for Spans {
    const STYLE: bool = true;

    fn tag(&mut self, tag: Tag<'g>) -> Flow {
        assert!(tag.span.start <= tag.name_span.start && tag.name_span.end <= tag.value_span.start);
        assert!(tag.value_span.end <= tag.span.end);
        self.part(tag.span)
    }
    fn end_tags(&mut self) -> Flow {
        self.call()
    }
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.part(number.span)
    }
    fn play(&mut self, mv: Move<'g>) -> Flow {
        self.part(mv.span)
    }
    fn captures(&mut self, list: Move<'g>) -> Flow {
        self.part(list.span)
    }
    fn missing(&mut self, missing: Missing) -> Flow {
        self.part(missing.span)
    }
    fn strength(&mut self, strength: Strength<'g>) -> Flow {
        self.part(strength.span)
    }
    fn nag(&mut self, _: u32, span: Span) -> Flow {
        self.part(span)
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.part(comment.span)
    }
    fn setup(&mut self, setup: Setup<'g>) -> Flow {
        assert!(setup.span.start < setup.fen_span.start && setup.fen_span.end <= setup.span.end);
        self.part(setup.span)
    }
    fn begin_variation(&mut self, variation: Variation) -> Variations {
        self.depth += 1;
        assert_eq!(variation.depth, self.depth);
        self.parts.push(variation.span);
        Variations::Enter
    }
    fn end_variation(&mut self, variation: Variation) -> Flow {
        assert_eq!(variation.depth, self.depth);
        self.depth -= 1;
        self.part(variation.span)
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.part(terminator.span)
    }
    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.part(span)
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.findings.push(diagnostic.span);
        self.call()
    }
    fn end(&mut self) {
        self.ended += 1;
    }
}

/// Every byte of a game that is no blank is told of, in a part or in a finding; the parts stand in order.
fn nothing_is_lost(game: &[u8], limits: &Limits) -> Result<(), String> {
    let mut spans = Spans::default();
    let flow = walk_with(game, limits, &mut spans);
    let shown = String::from_utf8_lossy(game);
    let mut told = vec![false; game.len()];
    let mut end = 0;
    for span in &spans.parts {
        if span.start < end || span.end < span.start {
            return Err(format!("{span:?} after {end} in {shown:?}"));
        }
        end = span.end;
    }
    for span in spans.parts.iter().chain(&spans.findings) {
        if span.end as usize > game.len() || span.start > span.end {
            return Err(format!("{span:?} outside of {shown:?}"));
        }
        told[span.range()].fill(true);
    }
    let mut at = 0;
    while at < game.len() {
        match odd_blank(&game[at..]) {
            0 if told[at] || is_blank(game[at]) => at += 1,
            0 => return Err(format!("{:?} at {at} is lost in {shown:?}", game[at] as char)),
            len => at += len,
        }
    }
    if flow.is_break() || spans.ended != 1 || spans.depth != 0 {
        return Err(format!("not ended well: {shown:?}"));
    }
    Ok(())
}

/// Breaking off at any call ends the walk there.
fn breaks_anywhere(game: &[u8], limits: &Limits) -> Result<(), String> {
    let mut all = Spans::default();
    let _ = walk_with(game, limits, &mut all);
    for stop_at in 1..=all.calls {
        let mut spans = Spans { stop_at, ..Spans::default() };
        let flow = walk_with(game, limits, &mut spans);
        if flow.is_continue()
            || spans.calls != stop_at
            || spans.ended != 0
            || !all.parts.starts_with(&spans.parts)
        {
            return Err(format!("breaking at {stop_at} of {:?}", String::from_utf8_lossy(game)));
        }
    }
    Ok(())
}

fn tokens_stand_in_order(game: &[u8], limits: &Limits) -> Result<(), String> {
    let mut end = 0;
    for token in Lexer::new(game, 0, limits) {
        if token.span.start < end || token.span.is_empty() || token.span.end as usize > game.len() {
            return Err(format!("{token:?} after {end} in {:?}", String::from_utf8_lossy(game)));
        }
        end = token.span.end;
    }
    Ok(())
}

/// Slices join to the input, and a splitter that has seen other records answers as a fresh one does.
fn slices_join(text: &[u8], limits: Limits) -> Result<Vec<RecordEnd>, String> {
    let mut ends = Vec::new();
    let mut at = 0;
    for game in Games::new(text, limits) {
        if game.offset != at as u64 || game.bytes.is_empty() || game.bytes != &text[at..at + game.bytes.len()]
        {
            return Err(format!("a gap at {at} in {:?}", String::from_utf8_lossy(text)));
        }
        let fresh = Splitter::new(limits).next(text, at, true);
        let alone =
            Splitter::new(limits).next(&text[at..], 0, true).map(|r| RecordEnd { end: r.end + at, ..r });
        at += game.bytes.len();
        let end = RecordEnd { end: at, cut: game.cut };
        if fresh != Some(end) || alone != Some(end) {
            return Err(format!("{end:?} {fresh:?} {alone:?} in {:?}", String::from_utf8_lossy(text)));
        }
        ends.push(end);
    }
    if at != text.len() {
        return Err(format!("ends at {at}: {:?}", String::from_utf8_lossy(text)));
    }
    Ok(ends)
}

/// What a splitter says of any beginning of a text is what it says of the text, or nothing.
fn streamed_is_mapped(text: &[u8], limits: Limits, seen: usize) -> Result<(), String> {
    let mut kept = Splitter::new(limits);
    let mut at = 0;
    while let Some(whole) = (at < text.len()).then(|| Splitter::new(limits).next(text, at, true)).flatten() {
        let part = &text[at..text.len().min(at + seen)];
        kept.moved();
        if let Some(found) = kept.next(part, 0, false)
            && (RecordEnd { end: at + found.end, ..found }) != whole
        {
            let shown = String::from_utf8_lossy(&text[at..text.len().min(at + 2000)]);
            return Err(format!("{found:?} of {seen} bytes, {whole:?} of all: {shown:?}"));
        }
        at = whole.end;
    }
    Ok(())
}

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
