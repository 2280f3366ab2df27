//! Finds moves that belong to the game although they stand in parentheses or behind a semicolon: replies in parentheses, as problem
//! books print them, `34-30! (25x34) 39x30`, and pairs of moves without numbers, `33-29 20-25; 39-33 17-22`.
//!
//! Only a replay distinguishes the first from a variation, `34-30 (33-28) 20-25`, and the second from a comment. So a record whose main line
//! stops is read again, with these signs blanked where the moves between them fit and the move after them fits only then. The new text
//! has the length of the old one, so that all spans hold in both.

use super::line::LineTokens;
use super::play::{LineContext, LineCursor, LookAhead};
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::movegen::MoveList;
use crate::parse::{
    Comment, CommentKind, Flow, MissingMove, SetupCommand, Terminator, VariationAction, VariationMark,
    Visitor, WrittenMove, walk_with,
};
use crate::position::State;
use crate::rules::{BitsOf, Ruleset, WithRules};
use crate::span::Span;
use crate::syntax::is_play;

/// A text as which a record was read, and the signs that are blanked in it.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) text: Vec<u8>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Another record that says the same by the letter of PDN, for writing, if the text does not.
    pub(super) written: Option<Vec<u8>>,
}

/// A part of the main line that may be played although its signs say otherwise.
#[derive(Clone, Copy, Debug)]
struct Aside {
    /// Its text with its signs.
    span: Span,
    /// It stands behind a semicolon, not in parentheses.
    is_line: bool,
}

/// The asides of a record, in text order.
#[derive(Debug, Default)]
pub(super) struct Asides {
    found: Vec<Aside>,
    /// The open variation of the main line: its start, its moves, and whether it has nothing that excludes a reply.
    open: Option<(u32, u32, bool)>,
}

impl Asides {
    /// Returns the asides of a record; `None` if there are none.
    pub(super) fn of(record: &[u8], limits: &Limits) -> Option<Self> {
        let mut asides = Self::default();
        // It breaks off at the terminator.
        let _ = walk_with(record, limits, &mut asides);
        (!asides.found.is_empty()).then_some(asides)
    }

    /// Returns the record with the signs of some asides blanked, by their numbers.
    pub(super) fn blanked(&self, record: &[u8], is_played: impl Fn(usize) -> bool) -> Reading {
        let mut reading = Reading { text: record.to_vec(), diagnostics: Vec::new(), written: None };
        for (_, aside) in self.found.iter().enumerate().filter(|(number, _)| is_played(*number)) {
            let text = &mut reading.text[aside.span.range()];
            if aside.is_line {
                text.iter_mut().filter(|byte| **byte == b';').for_each(|byte| *byte = b' ');
            } else if let [open, .., close] = text {
                (*open, *close) = (b' ', b' ');
            }
            let code = if aside.is_line { Code::MoveSeparator } else { Code::ReplyInParentheses };
            reading.diagnostics.push(Diagnostic::new(code, aside.span));
        }
        reading
    }

    /// Returns for each aside whether it is played, given the tokens of the record with all signs blanked.
    pub(super) fn played(&self, context: LineContext<'_>, start: &State<u128>) -> Vec<bool> {
        context.game.rules.with(PlayAsides { asides: &self.found, context, start })
    }
}

impl<'g> Visitor<'g> for Asides {
    const NUMBERS: bool = false;
    const COMPACT: bool = true;

    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        if let Some((_, moves, _)) = &mut self.open {
            *moves += 1;
        }
        Flow::Continue(())
    }

    fn missing(&mut self, _: MissingMove) -> Flow {
        self.exclude()
    }

    fn setup(&mut self, _: SetupCommand<'g>) -> Flow {
        self.exclude()
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        let is_line = self.open.is_none() && comment.kind == CommentKind::Semicolon;
        if is_line && comment.text.split(|&byte| byte == b';').all(is_play) {
            self.found.push(Aside { span: comment.span, is_line });
        }
        Flow::Continue(())
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        if variation.depth > 1 {
            let _ = self.exclude();
            return VariationAction::Skip;
        }
        self.open = Some((variation.span.start, 0, true));
        VariationAction::Enter
    }

    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        if let Some((start, 1, true)) = self.open.take()
            && !variation.span.is_empty()
        {
            self.found.push(Aside { span: Span::new(start, variation.span.end), is_line: false });
        }
        Flow::Continue(())
    }

    fn terminator(&mut self, _: Terminator<'g>) -> Flow {
        Flow::Break(())
    }

    /// Receives a result, too: in the main line, it would end the game before the moves after the variation.
    fn text(&mut self, _: &'g [u8], _: Span) -> Flow {
        self.exclude()
    }
}

impl Asides {
    /// Notes that the open variation is no reply.
    fn exclude(&mut self) -> Flow {
        if let Some((_, _, is_reply)) = &mut self.open {
            *is_reply = false;
        }
        Flow::Continue(())
    }
}

/// The playing of a line whose asides are decided on the way.
struct PlayAsides<'a> {
    asides: &'a [Aside],
    context: LineContext<'a>,
    start: &'a State<u128>,
}

impl WithRules for PlayAsides<'_> {
    type Output = Vec<bool>;

    fn run<R: Ruleset>(self, rules: R) -> Vec<bool> {
        let Self { asides, context, start } = self;
        let places = TokenPlaces::new(context.tokens, asides);
        let (mut list, mut look_ahead) = (MoveList::new(), LookAhead::new());
        let mut played = vec![false; asides.len()];
        let mut cursor = LineCursor::<BitsOf<R>>::new(start.resized());
        let mut step =
            |cursor: &mut LineCursor<BitsOf<R>>| look_ahead.step(&context, rules, cursor, &mut list).is_ok();
        while cursor.at < context.tokens.len() {
            let Some(number) = places.aside[cursor.at] else {
                if !step(&mut cursor) {
                    break;
                }
                continue;
            };
            let (end, next) = (places.end[cursor.at], places.next[cursor.at]);
            let mut inside = cursor;
            while inside.at < end && step(&mut inside) {}
            let fits = inside.at >= end;
            let is_played = if next < context.tokens.len() {
                let plays_on =
                    |mut cursor: LineCursor<BitsOf<R>>,
                     step: &mut dyn FnMut(&mut LineCursor<BitsOf<R>>) -> bool| {
                        cursor.at = next;
                        step(&mut cursor)
                    };
                fits && !plays_on(cursor, &mut step) && plays_on(inside, &mut step)
            } else {
                // Nothing follows that could decide; those before it are of one kind with it.
                let same = |other: usize| asides[other].is_line == asides[number].is_line;
                fits && (0..number).rev().find(|&other| same(other)).is_some_and(|other| played[other])
            };
            played[number] = is_played;
            if is_played {
                cursor = inside;
            }
            cursor.at = cursor.at.max(end);
        }
        played
    }
}

/// Where the tokens of a line stand among its asides.
struct TokenPlaces {
    /// For each token the number of its aside.
    aside: Vec<Option<usize>>,
    /// For each token of an aside the first token after the aside.
    end: Vec<usize>,
    /// For each token the first one from it on that belongs to no aside.
    next: Vec<usize>,
}

impl TokenPlaces {
    fn new(tokens: &LineTokens, asides: &[Aside]) -> Self {
        let mut aside = Vec::with_capacity(tokens.len());
        let mut passed = 0;
        for token in tokens.iter() {
            while asides.get(passed).is_some_and(|aside| aside.span.end <= token.span.start) {
                passed += 1;
            }
            let is_inside = asides.get(passed).is_some_and(|aside| aside.span.start <= token.span.start);
            aside.push(is_inside.then_some(passed));
        }
        let count = aside.len();
        let (mut end, mut next) = (vec![count; count], vec![count; count]);
        for index in (0..count).rev() {
            let following = aside.get(index + 1).copied().flatten();
            let after = |places: &[usize]| places.get(index + 1).copied().unwrap_or(count);
            end[index] =
                if following.is_some() && following == aside[index] { after(&end) } else { index + 1 };
            next[index] = if aside[index].is_none() { index } else { after(&next) };
        }
        Self { aside, end, next }
    }
}
