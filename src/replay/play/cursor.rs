//! A cursor in a line, and the one step that resolves and plays the token at it.

use super::LineContext;
use super::resolve::{MoveChoices, Resolved};
use crate::board::{Geometry, Square};
use crate::diag::Code;
use crate::movegen::MoveList;
use crate::position::{Move, State};
use crate::replay::StopReason;
use crate::rules::Ruleset;
use pdn_rules::internal::board::Bits;

/// A place in a line that is being played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCursor<B> {
    /// The index of the next token, from 0.
    pub(crate) at: usize,
    /// The position in which it is played.
    pub(crate) state: State<B>,
    /// The square on which the last ply ended, if that was a capture.
    pub(crate) landed: Option<Square>,
}

/// What a step played.
pub(crate) enum Step<B> {
    /// A legal move, written in `tokens` tokens, the position before it, and the diagnostic that its text deserves.
    Ply { before: State<B>, mv: Move<B>, tokens: usize, diagnostic: Option<Code> },
    /// Tokens without effect on the position, with the diagnostic that the first of them deserves.
    Skip { diagnostic: Option<Code> },
    /// A null move, and the position before it.
    Null { before: State<B> },
    /// A setup; the cursor has the new position.
    Setup,
}

/// Why a step played nothing.
pub(super) enum Obstacle<B> {
    /// Several legal moves match the token.
    Ambiguous(MoveChoices<B>),
    /// The token cannot be played.
    Stop(StopReason),
}

impl<B> LineCursor<B> {
    /// Creates a cursor at the first token, in the start position of the line.
    pub(crate) const fn new(start: State<B>) -> Self {
        Self { at: 0, state: start, landed: None }
    }
}

impl<B: Bits> LineCursor<B> {
    /// Resolves the token at the cursor and plays it. There must be a token at the cursor.
    ///
    /// # Errors
    /// If several legal moves match the token or it cannot be played; the cursor has not moved then.
    pub(super) fn step<R: Ruleset>(
        &mut self,
        context: &LineContext<'_>,
        rules: R,
        list: &mut MoveList,
    ) -> Result<Step<B>, Obstacle<B>>
    where
        R::Geometry: Geometry<Bits = B>,
    {
        Ok(match context.resolve(rules, &self.state, self.at, list) {
            Resolved::Move { mv, tokens, diagnostic } => self.play(rules, mv, tokens, diagnostic),
            Resolved::Skip(tokens) => {
                self.at += tokens;
                Step::Skip { diagnostic: None }
            }
            Resolved::Null => {
                let before = self.state;
                self.state = before.passed();
                self.at += 1;
                Step::Null { before }
            }
            Resolved::Setup(position) => {
                self.state = position;
                self.at += 1;
                Step::Setup
            }
            Resolved::Many(choices) => return Err(Obstacle::Ambiguous(choices)),
            Resolved::Stop(reason) => return Err(Obstacle::Stop(reason)),
        })
    }

    /// Plays a legal move that is written in `tokens` tokens.
    pub(super) fn play<R: Ruleset>(
        &mut self,
        rules: R,
        mv: Move<B>,
        tokens: usize,
        diagnostic: Option<Code>,
    ) -> Step<B> {
        let before = self.state;
        self.state.play(rules, &mv);
        self.at += tokens;
        self.landed = mv.is_capture().then_some(mv.to);
        Step::Ply { before, mv, tokens, diagnostic }
    }
}
