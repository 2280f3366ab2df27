//! Captures that are written as several texts, each of which starts where the previous one ended (PDN 1.0: `11x18
//! 18x25`).

use super::{LineContext, Reading};
use crate::board::Square;
use crate::notation::{MoveForm, MoveText};
use crate::position::{Move, State};
use crate::replay::line::LineTokenKind;
use crate::rules::{BitsOf, Ruleset};
use pdn_rules::internal::board::Bits;

/// Maximum number of texts that are joined to one capture.
const MAX_TEXTS: usize = 32;

impl LineContext<'_> {
    /// Joins the text at `at`, whose squares are `first`, with those after it that each start where the one before ended,
    /// to the longest legal capture.
    ///
    /// Returns the capture and the number of its tokens; `None` if the texts form none. A shorter one is never meant: where
    /// it ends, there stands a piece of the side that has just moved, and the next text would move it again.
    pub(super) fn join_capture<R: Ruleset>(
        &self,
        rules: R,
        state: &State<BitsOf<R>>,
        at: usize,
        first: &[Square],
    ) -> Option<(Move<BitsOf<R>>, usize)> {
        let mut path = [Square(0); 2 * MoveText::MAX_SQUARES];
        path[..first.len()].copy_from_slice(first);
        let mut len = first.len();
        if len < 2 || !state.side(state.turn).has(first[0].0) {
            return None;
        }
        let mut longest = None;
        for tokens in 2..=MAX_TEXTS {
            if self.add_text(at + tokens - 1, &mut path, &mut len).is_none() {
                break;
            }
            // Only a capture leads over other squares.
            let reading = Reading { from: path[0], to: path[len - 1], via: &path[1..len - 1] };
            if let Ok(mv) = self.find_move(rules, state, &reading) {
                longest = Some((mv, tokens));
            }
        }
        longest
    }

    /// Appends the squares of the text at `at` to a path of `len` squares; `None` if it is no move that starts where the path ends.
    fn add_text(&self, at: usize, path: &mut [Square], len: &mut usize) -> Option<()> {
        let token = self.tokens.get(at)?;
        let pair;
        let text;
        let codes = match token.kind {
            LineTokenKind::Pair => {
                pair = [token.from, token.to];
                &pair[..]
            }
            LineTokenKind::OtherMove => {
                text = MoveText::read(token.span.of(self.text))
                    .filter(|text| text.form() == MoveForm::Squares)?;
                text.squares()
            }
            _ => return None,
        };
        let (&from, onward) = codes.split_first()?;
        if self.codes.square(from) != Some(path[*len - 1]) {
            return None;
        }
        for &code in onward {
            *path.get_mut(*len)? = self.codes.square(code)?;
            *len += 1;
        }
        Some(())
    }

    /// Returns `true` if the text at `at` is a move from this square.
    #[cold]
    pub(super) fn starts_on(&self, at: usize, square: Square) -> bool {
        self.add_text(at, &mut [square; 2 * MoveText::MAX_SQUARES], &mut 1).is_some()
    }

    /// Returns the number of tokens from `at` on that only repeat jumps of a capture already played, which ended on
    /// `to`; `None` if they do not lead back to `to`.
    ///
    /// The first text of a split capture may lead from its first square to its last, if the capture passes its last
    /// square twice. The whole capture is then played by the first text.
    #[cold]
    pub(super) fn repeated_capture_len(&self, at: usize, to: Square) -> Option<usize> {
        let mut reached = to;
        let candidates = at..self.tokens.len().min(at + MAX_TEXTS);
        for (n, token) in self.tokens.range(candidates).enumerate() {
            if token.kind != LineTokenKind::Pair || self.codes.square(token.from) != Some(reached) {
                return None;
            }
            reached = self.codes.square(token.to)?;
            if reached == to {
                return Some(n + 1);
            }
        }
        None
    }
}
