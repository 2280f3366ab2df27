//! Drawn start positions of draughts-64: before a game, men are lifted and put on other squares, as the draw of the opening says.
//!
//! Half of the draws of the federation are sequences of moves. The others lift one man of White, then one of Black, or one man only, and
//! records have them as the first moves of the game: `1. a1-b4 b6-a5`, `1. --- d6-a5`, or `1. d6-a5` alone. No rule allows such a move, so a record that stops
//! there is read again with the men where the draw puts them. The rest of the game is the proof.

use super::{LineToken, LineTokenKind, LineTokens};
use crate::board::Square;
use crate::diag::{Code, Diagnostic, Severity};
use crate::edit::{TextEdit, TextEdits};
use crate::limits::Limits;
use crate::movegen::MoveList;
use crate::notation::{MoveText, SquareCode, SquareCodes};
use crate::parse::{Flow, TagPair, Visitor, walk_with};
use crate::position::{Position, State};
use crate::replay::CandidateGame;
use crate::rules::Variant;
use crate::span::Span;
use crate::value::{Colour, Fen, TagName};

/// The variants whose games begin with these draws.
const VARIANTS: [Variant; 3] = [Variant::Russian, Variant::Brazilian, Variant::UnifiedPool];

/// The men that a draw lifts, and where it puts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DrawnStart {
    /// The squares of one man of each written move; `None` for a mark that no man is lifted.
    lifts: [Option<[SquareCode; 2]>; 2],
    /// The number of written moves, 1 or 2.
    len: usize,
    /// Their texts in the record.
    spans: [Span; 2],
}

impl DrawnStart {
    /// Number of plies after a draw that prove it, although the rest of the record is not legal to its end.
    pub(in crate::replay) const MIN_PLIES: u32 = 10;

    /// Returns `true` if games of a variant begin with such draws.
    pub(in crate::replay) fn is_of(variant: Variant) -> bool {
        VARIANTS.contains(&variant)
    }

    /// Reads the first `len` tokens of a record as a draw; `None` if one of them is written otherwise than a quiet move.
    pub(in crate::replay) fn of(record: &[u8], tokens: &LineTokens, len: usize) -> Option<Self> {
        let (mut lifts, mut spans) = ([None; 2], [Span::default(); 2]);
        for index in 0..len {
            let token = tokens.get(index)?;
            (lifts[index], spans[index]) = (lift(record, token)?, token.span);
        }
        lifts.iter().any(Option::is_some).then_some(Self { lifts, len, spans })
    }

    /// Returns the position after the draw; `None` where the men do not stand so in the start position of this game, or cannot
    /// be put there.
    pub(crate) fn position(
        &self,
        candidate: &CandidateGame,
        codes: &SquareCodes,
        start: &State<u128>,
    ) -> Option<State<u128>> {
        if !Self::is_of(candidate.variant) {
            return None;
        }
        let mut state = *start;
        let mut lifted = [None; 2];
        for (index, lift) in self.lifts.iter().enumerate() {
            let Some(squares) = *lift else { continue };
            let [from, to] = [codes.square(squares[0])?, codes.square(squares[1])?];
            let side = if state.side(Colour::White) & bit(from) != 0 { Colour::White } else { Colour::Black };
            let is_in_order = side == if index == 0 { start.turn } else { !start.turn };
            // Where the men of the side that starts stay, a record may begin with the other one.
            let is_alone = self.len == 1 && !is_legal(candidate, start, side, from, to);
            if state.side(side) & bit(from) == 0 || !(is_in_order || is_alone) {
                return None;
            }
            state.pieces[side as usize] &= !bit(from);
            lifted[index] = Some((side, to));
        }
        // A man may be put where the next one is lifted.
        for (side, to) in lifted.into_iter().flatten() {
            if state.occupied() & bit(to) != 0 {
                return None;
            }
            state.pieces[side as usize] |= bit(to);
        }
        if self.len == 1 && matches!(lifted[0], Some((side, _)) if side == start.turn) {
            state.turn = !start.turn;
        }
        let mut is_odd = false;
        let fen = Position::from_state(candidate.game(), state).fen();
        let fen = Fen::parse(fen.as_bytes()).ok()?;
        // A man on its promotion row would be no man.
        Position::from_fen_named(candidate.game(), &candidate.names(), &fen, |_| is_odd = true).ok()?;
        (!is_odd).then_some(state)
    }

    /// Returns the record with the moves of the draw blanked. It has the length of the record.
    pub(in crate::replay) fn blanked(&self, record: &[u8]) -> Vec<u8> {
        let mut text = record.to_vec();
        self.spans[..self.len].iter().for_each(|span| text[span.range()].fill(b' '));
        text
    }

    /// Returns `true` if a record that ends after it may have nothing but the draw: its moves stand side by side.
    pub(in crate::replay) fn may_stand_alone(&self, record: &[u8]) -> bool {
        let [first, last] = self.spans.map(Span::range);
        self.len == 1 || record[first.end..last.start].trim_ascii().is_empty()
    }

    /// Returns the diagnostic of the draw. It is a warning where it may be a mistake all the same: before fewer plies than prove it.
    pub(in crate::replay) fn diagnostic(&self, plies: u32) -> Diagnostic {
        let span = Span::new(self.spans[0].start, self.spans[self.len - 1].end);
        let mut diagnostic = Diagnostic::new(Code::DrawnStart, span);
        if plies < Self::MIN_PLIES {
            diagnostic.severity = Severity::Warning;
        }
        diagnostic
    }

    /// Returns the record with the position as a FEN tag, and the moves of the draw in a comment. `start` is the position.
    pub(in crate::replay) fn written(&self, record: &[u8], start: &Position, limits: &Limits) -> Vec<u8> {
        let mut tags = SectionTags::default();
        // It never breaks off.
        let _ = walk_with(record, limits, &mut tags);
        let mut edits = Vec::new();
        let values = [(b"FEN" as &[u8], start.fen(), tags.fen), (b"SetUp", "1".to_owned(), tags.set_up)];
        let mut added = Vec::new();
        for (name, value, old) in values {
            match old {
                Some(old) => edits.push(TextEdit::new(old.range(), value)),
                None => added.extend([b"[", name, b" \"", value.as_bytes(), b"\"]\n"].concat()),
            }
        }
        edits.push(TextEdit::new(0..0, added));
        let [first, last] = [self.spans[0].range(), self.spans[self.len - 1].range()];
        let is_blank = record[first.end.min(last.start)..last.start].trim_ascii().is_empty();
        let (first, last) = if is_blank { (first.start..last.end, None) } else { (first, Some(last)) };
        for place in [Some(first), last].into_iter().flatten() {
            let text = [b"{", &record[place.clone()], b"}"].concat();
            edits.push(TextEdit::new(place, text));
        }
        edits.sort_by_key(|edit| edit.range.start);
        TextEdits::new(edits).map_or_else(|_| record.to_vec(), |edits| edits.apply(record))
    }
}

/// Returns the bit of a square.
fn bit(square: Square) -> u128 {
    1 << square.bit()
}

/// Returns `true` if a side may make a quiet move in the start position, if it is to move.
fn is_legal(candidate: &CandidateGame, start: &State<u128>, side: Colour, from: Square, to: Square) -> bool {
    let mut list = MoveList::new();
    let position = Position::from_state(candidate.game(), State { turn: side, ..*start });
    position.legal_moves(&mut list).is_ok() && list.iter().any(|mv| (mv.from, mv.to) == (from, to))
}

/// Returns the squares of the man that a token lifts; the inner `None` for a mark that no man is lifted.
fn lift(record: &[u8], token: LineToken) -> Option<Option<[SquareCode; 2]>> {
    if token.kind == LineTokenKind::Dash {
        return Some(None);
    }
    let text = token.span.of(record);
    let is_quiet = !text.iter().any(|byte| matches!(byte, b'x' | b'X' | b':' | b'*'));
    match MoveText::read(text).filter(|_| is_quiet && token.kind.is_move())?.squares() {
        &[from, to] => Some(Some([from, to])),
        _ => None,
    }
}

/// The values of the tags of a record that give its start position.
#[derive(Default)]
struct SectionTags {
    fen: Option<Span>,
    set_up: Option<Span>,
}

impl<'g> Visitor<'g> for SectionTags {
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let slot = match tag.recognised().map(|found| found.tag) {
            Some(TagName::FEN) => &mut self.fen,
            Some(TagName::SetUp) => &mut self.set_up,
            _ => return Flow::Continue(()),
        };
        slot.get_or_insert(tag.value_span);
        Flow::Continue(())
    }
}
