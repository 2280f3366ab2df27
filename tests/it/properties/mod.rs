//! What must hold for any bytes, said once: the tests check it on files and on random text, the fuzzers on what they
//! come upon. Each answers with what is wrong.

use pdn::diag::Diagnostic;
use pdn::lex::{Automaton, Lexer};
use pdn::limits::Limits;
use pdn::parse::{
    Comment, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use pdn::span::Span;
use pdn::split::{RecordEnd, Records, Splitter};
use pdn::syntax::{is_blank, odd_blank};

pub(crate) fn limits(game_bytes: usize, comment_bytes: usize) -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.game_bytes = game_bytes;
    limits.comment_bytes = comment_bytes;
    limits
}

pub(crate) fn all_limits() -> [Limits; 3] {
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

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
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
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.part(mv.span)
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.part(list.span)
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.part(missing.span)
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.part(strength.span)
    }
    fn nag(&mut self, _: u32, span: Span) -> Flow {
        self.part(span)
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.part(comment.span)
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        assert!(setup.span.start < setup.fen_span.start && setup.fen_span.end <= setup.span.end);
        self.part(setup.span)
    }
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.depth += 1;
        assert_eq!(variation.depth, self.depth);
        self.parts.push(variation.span);
        VariationAction::Enter
    }
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
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
pub(crate) fn nothing_is_lost(game: &[u8], limits: &Limits) -> Result<(), String> {
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
pub(crate) fn breaks_anywhere(game: &[u8], limits: &Limits) -> Result<(), String> {
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

/// Tokens stand in order, and are those of the automaton alone.
pub(crate) fn tokens_stand_in_order(game: &[u8], limits: &Limits) -> Result<(), String> {
    let shown = || String::from_utf8_lossy(game);
    let mut automaton = Automaton::new(game, 0, limits);
    let mut end = 0;
    for token in Lexer::new(game, 0, limits) {
        if token.span.start < end || token.span.is_empty() || token.span.end as usize > game.len() {
            return Err(format!("{token:?} after {end} in {:?}", shown()));
        }
        end = token.span.end;
        let slow = automaton.next_token();
        if slow != Some(token) {
            return Err(format!("{token:?}, but by the automaton {slow:?} in {:?}", shown()));
        }
    }
    match automaton.next_token() {
        None => Ok(()),
        Some(token) => Err(format!("{token:?} is missed in {:?}", shown())),
    }
}

/// Slices join to the input, and a splitter that has seen other records answers as a fresh one does.
pub(crate) fn slices_join(text: &[u8], limits: Limits) -> Result<Vec<RecordEnd>, String> {
    let mut ends = Vec::new();
    let mut at = 0;
    for game in Records::new(text, limits) {
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
pub(crate) fn streamed_is_mapped(text: &[u8], limits: Limits, seen: usize) -> Result<(), String> {
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
