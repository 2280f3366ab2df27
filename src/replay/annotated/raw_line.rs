//! Records the lines of a game with everything written about their moves.

use crate::notation::{SquareCode, pair};
use crate::parse::{
    Comment, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove,
};
use crate::replay::line::{LineTokenKind, LineTokens};
use crate::span::Span;
use crate::value::Nag;

/// A recorded line, not yet played.
#[derive(Default)]
pub(super) struct RawLine<'g> {
    /// The index of the line that contains it, and the number of items which that had when this line began; `None` for
    /// the main line.
    pub(super) parent: Option<(usize, usize)>,
    /// The comments before the first item.
    pub(super) comments: Vec<Comment<'g>>,
    /// One item per token.
    pub(super) items: Vec<Item<'g>>,
    pub(super) tokens: LineTokens,
}

/// The text of a token with its annotations.
pub(super) struct Item<'g> {
    pub(super) text: &'g [u8],
    pub(super) number: Option<MoveNumber>,
    pub(super) strength: Option<&'g [u8]>,
    pub(super) nags: Vec<Nag>,
    pub(super) comments: Vec<Comment<'g>>,
}

/// Records all lines of a game.
pub(super) struct LineRecorder<'g> {
    /// The record. The text that is walked over may have other signs, but every part has the same place in both.
    text: &'g [u8],
    /// The main line, then the variations in the order in which they begin.
    lines: Vec<RawLine<'g>>,
    /// The indices of the lines that have not ended, the innermost last.
    open: Vec<usize>,
    /// The move number that belongs to the next token.
    number: Option<MoveNumber>,
    terminated: bool,
}

/// The squares of tokens that are not pairs.
const NO_SQUARES: (SquareCode, SquareCode) = (SquareCode(0), SquareCode(0));

impl<'g> LineRecorder<'g> {
    /// Creates a recorder of a record with an empty main line.
    pub(super) fn new(text: &'g [u8]) -> Self {
        Self { text, lines: vec![RawLine::default()], open: vec![0], number: None, terminated: false }
    }

    /// Returns the recorded lines: the main line, then the variations. Parents precede their variations.
    pub(super) fn into_lines(self) -> Vec<RawLine<'g>> {
        self.lines
    }

    fn current_line(&mut self) -> Option<&mut RawLine<'g>> {
        self.lines.get_mut(*self.open.last()?)
    }

    fn last_item(&mut self) -> Option<&mut Item<'g>> {
        self.current_line().and_then(|line| line.items.last_mut())
    }

    fn push(&mut self, kind: LineTokenKind, span: Span, squares: (SquareCode, SquareCode)) -> Flow {
        let text = span.of(self.text);
        let number = self.number.take();
        if self.terminated {
            return Flow::Continue(());
        }
        if let Some(line) = self.current_line() {
            line.tokens.push(span, kind, squares.0, squares.1);
            line.items.push(Item { text, number, strength: None, nags: Vec::new(), comments: Vec::new() });
        }
        Flow::Continue(())
    }
}

impl<'r> Visitor<'r> for LineRecorder<'_> {
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.number = Some(number);
        Flow::Continue(())
    }
    fn written_move(&mut self, mv: WrittenMove<'r>) -> Flow {
        match pair(mv.text) {
            Some(squares) => self.push(LineTokenKind::Pair, mv.span, squares),
            None => self.push(LineTokenKind::OtherMove, mv.span, NO_SQUARES),
        }
    }
    fn captures(&mut self, list: WrittenMove<'r>) -> Flow {
        self.push(LineTokenKind::Captures, list.span, NO_SQUARES)
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.push(LineTokenKind::of_mark(missing.kind), missing.span, NO_SQUARES)
    }
    fn setup(&mut self, setup: SetupCommand<'r>) -> Flow {
        self.push(LineTokenKind::Setup, setup.fen_span, NO_SQUARES)
    }
    fn strength(&mut self, strength: StrengthMark<'r>) -> Flow {
        let text = strength.span.of(self.text);
        if let Some(item) = self.last_item() {
            item.strength = Some(text);
        }
        Flow::Continue(())
    }
    fn nag(&mut self, nag: Nag, _: Span) -> Flow {
        if let Some(item) = self.last_item() {
            item.nags.push(nag);
        }
        Flow::Continue(())
    }
    fn comment(&mut self, comment: Comment<'r>) -> Flow {
        let comment =
            Comment { text: comment.text_span().of(self.text), kind: comment.kind, span: comment.span };
        if let Some(line) = self.current_line() {
            match line.items.last_mut() {
                Some(item) => item.comments.push(comment),
                None => line.comments.push(comment),
            }
        }
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        if let Some(&parent) = self.open.last() {
            let item_count = self.lines[parent].items.len();
            self.open.push(self.lines.len());
            self.lines.push(RawLine { parent: Some((parent, item_count)), ..RawLine::default() });
        }
        VariationAction::Enter
    }
    fn end_variation(&mut self, _: VariationMark) -> Flow {
        if self.open.len() > 1
            && let Some(line) = self.open.pop()
        {
            // Most variations are short, and a record may have a million of them.
            self.lines[line].items.shrink_to_fit();
        }
        Flow::Continue(())
    }
    fn terminator(&mut self, _: Terminator<'r>) -> Flow {
        self.terminated = true;
        Flow::Continue(())
    }
    fn text(&mut self, _: &'r [u8], span: Span) -> Flow {
        self.push(LineTokenKind::StrayText, span, NO_SQUARES)
    }
}
