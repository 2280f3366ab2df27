//! Records the variations of a game while a record is walked: ten bytes per move, one line after the other.

use std::ops::Range;

use super::{LineTokenKind, LineTokens};
use crate::parse::{Flow, MissingMove, MoveRun, SetupCommand, Visitor, WrittenMove};
use crate::span::Span;

/// A recorded variation, not yet played.
#[derive(Clone, Debug)]
pub struct RecordedVariation {
    /// The number of the line in which it begins: 0 for the main line, 1 for the first variation.
    pub parent: u32,
    /// The number of tokens that its parent has before it.
    pub parent_tokens: u32,
    /// The number of the first line that is neither this one nor a variation within it.
    pub end: u32,
    /// Its tokens among those of all variations.
    tokens: Range<usize>,
}

/// The variations of a game, numbered from 1 in the order in which their brackets open. Its memory is reused for the next game.
///
/// An inner variation interrupts the outer one, whose tokens have to stand together. So tokens are gathered for each depth, and moved to
/// those of all variations when their variation ends.
#[derive(Clone, Debug, Default)]
pub struct Variations {
    lines: Vec<RecordedVariation>,
    tokens: LineTokens,
    /// The variations that have not ended, the innermost last.
    open: Vec<u32>,
    /// The tokens of each variation that has not ended. Those behind the innermost are empty and keep their memory.
    open_tokens: Vec<LineTokens>,
}

impl Variations {
    /// Removes everything and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.lines.clear();
        self.tokens.clear();
        // All variations have ended, unless a walk was broken off.
        self.open_tokens.iter_mut().take(self.open.len()).for_each(LineTokens::clear);
        self.open.clear();
    }

    /// Returns `true` if there is no variation.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the variations in the order of their numbers.
    pub fn as_slice(&self) -> &[RecordedVariation] {
        &self.lines
    }

    /// Copies the tokens of a variation to `out` in place of those there.
    pub fn load(&self, variation: &RecordedVariation, out: &mut LineTokens) {
        out.clear();
        out.append(&self.tokens, variation.tokens.clone());
    }

    /// Returns the number of the innermost variation that has not ended, 0 for the main line, and the number of tokens that it has so
    /// far; the main line has `main_tokens`.
    #[inline]
    pub fn place(&self, main_tokens: usize) -> (u32, u32) {
        match (self.open.last(), self.open_tokens.get(self.open.len().wrapping_sub(1))) {
            (Some(&line), Some(tokens)) => (line, tokens.len() as u32),
            _ => (0, main_tokens as u32),
        }
    }

    /// Returns `true` within a variation.
    #[inline]
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Begins a variation of the innermost one that has not ended, or of the main line, which has `main_tokens` tokens so far.
    pub fn begin(&mut self, main_tokens: usize) {
        let (parent, parent_tokens) = self.place(main_tokens);
        self.lines.push(RecordedVariation { parent, parent_tokens, end: 0, tokens: 0..0 });
        self.open.push(self.lines.len() as u32);
        if self.open_tokens.len() < self.open.len() {
            self.open_tokens.push(LineTokens::default());
        }
    }

    /// Ends the innermost variation.
    pub fn end(&mut self) {
        let Some(line) = self.open.pop() else { return };
        let ended = &mut self.open_tokens[self.open.len()];
        let first = self.tokens.len();
        self.tokens.append(ended, 0..ended.len());
        ended.clear();
        let end = self.lines.len() as u32 + 1;
        let line = &mut self.lines[line as usize - 1];
        (line.end, line.tokens) = (end, first..self.tokens.len());
    }

    /// Returns the tokens of the innermost variation, which must not have ended.
    #[inline]
    fn tokens(&mut self) -> &mut LineTokens {
        &mut self.open_tokens[self.open.len() - 1]
    }

    fn push_other(&mut self, span: Span, kind: LineTokenKind) -> Flow {
        self.tokens().push_other(span, kind);
        Flow::Continue(())
    }
}

/// Records the moves of the innermost variation.
#[doc(hidden)]
impl<'g> Visitor<'g> for Variations {
    const NUMBERS: bool = false;

    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.tokens().push_move(mv);
        Flow::Continue(())
    }

    #[inline]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        self.tokens().push_run(moves);
        Flow::Continue(())
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.push_other(list.span, LineTokenKind::Captures)
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.push_other(missing.span, LineTokenKind::of_mark(missing.kind))
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.push_other(setup.fen_span, LineTokenKind::Setup)
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.push_other(span, LineTokenKind::StrayText)
    }
}
