//! Writes records with variations, setups, captures in several texts, and marks in place of moves.

use super::filter::Strip;
use super::layout::Lines;
use super::movetext::{MoveTexts, push_comment, write_comment, write_nag, write_strength};
use super::options::WriteOptions;
use super::parts::{Event, EventRecorder, MarkKind};
use super::plies::{PlyText, PlyTexts};
use super::recheck::WrittenCounts;
use super::unwritten::Unwritten;
use super::values::{canonical_fen, hub_fen};
use crate::parse::walk_with;
use crate::position::{Move, State};
use crate::replay::{CandidateGame, PlayedToken, ReplaySummary, Replayer, TokenEffect};
use crate::rules::{Ruleset, WithRules};
use crate::source::Encoding;
use crate::span::Span;
use crate::value::{Colour, FenStyle};

/// The number of the last ply of a line and its side.
#[derive(Clone, Copy)]
struct LinePlace {
    number: u32,
    second: bool,
}

/// A line that is being written: the main line or a variation.
#[derive(Clone, Copy)]
struct OpenLine {
    /// The last ply; `None` before the first.
    last: Option<LinePlace>,
    /// The ply that a variation replaces.
    replaced: Option<LinePlace>,
    /// A setup stands before the next ply, so that its number may be any.
    after_setup: bool,
}

/// Writes the movetext of any record. Returns the number of variations that were written as text.
#[expect(clippy::too_many_arguments, reason = "the fields of one record, borrowed apart from each other")]
pub(super) fn write_irregular(
    record: &[u8],
    replayer: &mut Replayer,
    summary: &ReplaySummary,
    plies: &mut PlyTexts,
    moves: &MoveTexts<'_>,
    first_number: u32,
    options: &WriteOptions,
    utf8: Option<Encoding>,
    lines: &mut Lines<'_>,
    counts: &mut WrittenCounts,
) -> Result<u32, Unwritten> {
    let limits = *replayer.limits();
    let mut recorder = EventRecorder::default();
    // The recorder never breaks off a walk.
    let _ = walk_with(record, &limits, &mut recorder);
    if let Some(problem) = recorder.problem {
        return Err(problem);
    }
    plies.clear();
    let tokens = replayer.play_tokens(record, summary);
    let mut writer = EventWriter {
        record,
        summary,
        tokens: &tokens,
        plies,
        moves,
        options,
        utf8,
        lines,
        counts,
        open: vec![OpenLine { last: None, replaced: None, after_setup: false }],
        first_number,
        number: None,
        is_apart: true,
        strengths: 0,
    };
    let events = &recorder.events;
    let (mut at, mut text_variations) = (0, 0);
    while let Some(&event) = events.get(at) {
        at = match event {
            Event::Open { .. }
                if writer.is_left_out() || matches!(events.get(at + 1), Some(Event::Close(_))) =>
            {
                end_of_variation(events, at)
            }
            Event::Open { problem, .. } => {
                let end = end_of_variation(events, at);
                match problem.or_else(|| writer.unplayed(&events[at..end])) {
                    None => {
                        writer.write(event, &events[at + 1..])?;
                        at + 1
                    }
                    Some(_) if options.variations_as_text => {
                        writer.write_as_text(&events[at..end])?;
                        text_variations += 1;
                        end
                    }
                    Some(problem) => return Err(problem),
                }
            }
            _ => {
                writer.write(event, &events[at + 1..])?;
                at + 1
            }
        };
    }
    if plies.exceeds_limit { Err(Unwritten::CaptureLimit) } else { Ok(text_variations) }
}

/// Returns the index after the end of the variation that opens at `open`.
fn end_of_variation(events: &[Event], open: usize) -> usize {
    let mut depth = 0u32;
    for (index, event) in events.iter().enumerate().skip(open) {
        match event {
            Event::Open { .. } => depth += 1,
            Event::Close(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    events.len()
}

struct EventWriter<'e, 'o> {
    record: &'e [u8],
    summary: &'e ReplaySummary,
    tokens: &'e [PlayedToken],
    plies: &'e mut PlyTexts,
    moves: &'e MoveTexts<'e>,
    options: &'e WriteOptions,
    utf8: Option<Encoding>,
    lines: &'e mut Lines<'o>,
    counts: &'e mut WrittenCounts,
    /// The open lines, the main line first.
    open: Vec<OpenLine>,
    first_number: u32,
    /// The move number that was read last, since the last ply.
    number: Option<u32>,
    /// The next ply does not follow a ply directly, so it gets a number.
    is_apart: bool,
    /// The strengths that come next and are written already.
    strengths: usize,
}

impl EventWriter<'_, '_> {
    /// Returns `true` if a variation that opens here is left out.
    fn is_left_out(&self) -> bool {
        self.options.strip.contains(Strip::VARIATIONS)
            || self.options.profile().row().flat_variations && self.open.len() > 1
    }

    fn write(&mut self, event: Event, next: &[Event]) -> Result<(), Unwritten> {
        match event {
            Event::Number(number) => self.number = Some(number),
            Event::Token(at) => self.token(at, next)?,
            // Strengths are written with their move. One after a variation has no place.
            Event::Mark(MarkKind::Strength, _) => match self.strengths.checked_sub(1) {
                Some(rest) => self.strengths = rest,
                None if self.options.strip.contains(Strip::NAGS) => {}
                None => return Err(Unwritten::Strength),
            },
            Event::Mark(MarkKind::Nag, span) => {
                write_nag(span.of(self.record), self.options, self.lines, self.counts);
            }
            Event::Mark(kind, span) => {
                self.is_apart |=
                    write_comment(self.record, kind, span, self.options, self.utf8, self.lines, self.counts)?;
            }
            Event::Setup(fen) => {
                if self.options.strip.contains(Strip::SETUPS) {
                    return Err(Unwritten::Setup);
                }
                if !matches!(self.effect(fen.start)?, TokenEffect::Setup) {
                    return Err(Unwritten::ReadsDifferently);
                }
                let text = fen.of(self.record);
                let canonical = match self.options.fen_style {
                    FenStyle::Hub => {
                        let ReplaySummary { variant, numbering, .. } = *self.summary;
                        hub_fen(text, None, &CandidateGame { variant, numbering })?
                    }
                    _ => None,
                };
                let canonical = canonical.or_else(|| canonical_fen(text, None));
                let text = canonical.as_deref().map_or(text, str::as_bytes);
                self.lines.word(&[b"/FEN \"", text, b"\"/"]);
                self.counts.setups += 1;
                self.is_apart = true;
                self.number = None;
                self.line().after_setup = true;
            }
            Event::Open { .. } => {
                let replaced = self.line().last;
                self.open.push(OpenLine { last: None, replaced, after_setup: false });
                self.lines.open();
                self.counts.variations += 1;
                self.is_apart = true;
                self.number = None;
            }
            Event::Close(_) => {
                self.open.pop();
                self.lines.glue(b")");
                self.is_apart = true;
                self.number = None;
            }
        }
        Ok(())
    }

    /// Returns why a variation cannot be written as one, given its events: one of its own moves cannot be played.
    fn unplayed(&self, variation: &[Event]) -> Option<Unwritten> {
        let mut depth = 0u32;
        for event in variation {
            match *event {
                Event::Open { .. } => depth += 1,
                Event::Close(_) => depth -= 1,
                Event::Token(at) if depth == 1 => {
                    if let Ok(TokenEffect::Unplayed(reason)) = self.effect(at) {
                        return Some(Unwritten::Variation(reason));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Writes a variation, given its events, as comments: its text with its parentheses, divided by its own comments.
    #[cold]
    fn write_as_text(&mut self, variation: &[Event]) -> Result<(), Unwritten> {
        let (Some(&Event::Open { at: mut start, .. }), Some(&Event::Close(end))) =
            (variation.first(), variation.last())
        else {
            return Err(Unwritten::ReadsDifferently);
        };
        for event in variation {
            let Event::Mark(kind @ (MarkKind::Comment | MarkKind::Line), span) = *event else { continue };
            // The sign before the comment, and a brace after it.
            self.write_text(Span::new(start, span.start - 1))?;
            write_comment(self.record, kind, span, self.options, self.utf8, self.lines, self.counts)?;
            let is_closed = self.record[span.start as usize - 1] == b'{';
            start = span.end + u32::from(is_closed);
        }
        self.write_text(Span::new(start, end))?;
        self.is_apart = true;
        self.number = None;
        Ok(())
    }

    /// Writes movetext as a comment, unless it is empty.
    fn write_text(&mut self, span: Span) -> Result<(), Unwritten> {
        let words = span.of(self.record).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let text = words.collect::<Vec<_>>().join(&b' ');
        if text.is_empty() { Ok(()) } else { push_comment(&text, self.utf8, self.lines, self.counts) }
    }

    fn line(&mut self) -> &mut OpenLine {
        if self.open.is_empty() {
            self.open.push(OpenLine { last: None, replaced: None, after_setup: false });
        }
        self.open.last_mut().expect("a line is open")
    }

    /// Returns the effect of the token at an offset.
    fn effect(&self, at: u32) -> Result<TokenEffect, Unwritten> {
        let found = self.tokens.binary_search_by_key(&at, |token| token.at);
        found.map(|index| self.tokens[index].effect).map_err(|_| Unwritten::ReadsDifferently)
    }

    fn token(&mut self, at: u32, next: &[Event]) -> Result<(), Unwritten> {
        match self.effect(at)? {
            TokenEffect::Ply { before, mv } => {
                self.ply(&before, &mv);
                let marks = next.iter().take_while(|event| {
                    // A capture of several texts has its strength after the last of them.
                    match event {
                        Event::Mark(..) | Event::Number(_) => true,
                        Event::Token(at) => matches!(self.effect(*at), Ok(TokenEffect::Continued)),
                        _ => false,
                    }
                });
                let strengths: Vec<_> = marks
                    .filter_map(|event| match event {
                        Event::Mark(MarkKind::Strength, span) => Some(*span),
                        _ => None,
                    })
                    .collect();
                self.strengths = strengths.len();
                write_strength(
                    self.record,
                    strengths.into_iter(),
                    true,
                    self.options,
                    self.lines,
                    self.counts,
                )
            }
            TokenEffect::Continued | TokenEffect::Skipped => Ok(()),
            TokenEffect::Setup => Err(Unwritten::ReadsDifferently),
            TokenEffect::Unplayed(reason) => Err(Unwritten::Variation(reason)),
        }
    }

    fn ply(&mut self, before: &State<u128>, mv: &Move) {
        let first_side = self.summary.numbering.start;
        let place = self.place(before.turn, first_side);
        let text = self.summary.variant.rules().with(TextOf { plies: self.plies, before, mv });
        let number = (self.is_apart || !place.second).then_some((place.number, place.second));
        self.moves.write_ply(number, text, self.plies, self.lines);
        self.counts.moves += 1;
        self.is_apart = false;
        self.number = None;
        let line = self.line();
        (line.last, line.after_setup) = (Some(place), false);
    }

    /// Returns the number of the next ply.
    fn place(&mut self, turn: Colour, first_side: Colour) -> LinePlace {
        let second = turn != first_side;
        let (written, first_number) = (self.number, self.first_number);
        let is_main = self.open.len() <= 1;
        let line = self.line();
        let following = |last: LinePlace| match (last.second, second) {
            (false, true) => last.number,
            _ => last.number.saturating_add(1),
        };
        let number = match (line.after_setup, written, line.last, line.replaced) {
            (true, Some(written), ..) => written,
            (_, _, Some(last), _) => following(last),
            (_, _, None, Some(replaced)) if replaced.second == second => replaced.number,
            (_, _, None, Some(replaced)) => following(replaced),
            (_, Some(written), None, None) if is_main => written,
            (_, _, None, None) => first_number,
        };
        LinePlace { number, second }
    }
}

/// Finds out what is written of a move under the rules of its game.
struct TextOf<'a> {
    plies: &'a mut PlyTexts,
    before: &'a State<u128>,
    mv: &'a Move,
}

impl WithRules for TextOf<'_> {
    type Output = PlyText;

    fn run<R: Ruleset>(self, rules: R) -> PlyText {
        self.plies.text_of(rules, &self.before.resized(), &self.mv.resized())
    }
}
