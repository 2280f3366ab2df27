//! Decides ambiguous moves by the rest of the game.

use std::cmp::Ordering;

use super::LineContext;
use super::cursor::{LineCursor, Obstacle, Step};
use super::resolve::MoveChoices;
use crate::diag::Code;
use crate::movegen::{MoveError, MoveList};
use crate::position::{Move, State};
use crate::replay::StopReason;
use crate::replay::line::LineTokenKind;
use crate::rules::{BitsOf, Ruleset};
use pdn_rules::internal::board::Bits;

/// Maximum number of steps that are played ahead for one candidate of an ambiguous move.
const MAX_STEPS: u32 = 400;
/// Maximum number of steps that are played ahead in a whole game.
const MAX_STEPS_PER_GAME: u32 = 20_000;
/// Maximum number of further ambiguous moves whose candidates are tried on the way.
const MAX_DEPTH: u32 = 6;

/// Plays the tokens of one game, and looks ahead at ambiguous moves within a budget.
#[derive(Debug)]
pub(crate) struct LookAhead {
    /// Steps that may still be played ahead in this game.
    remaining: u32,
}

impl LookAhead {
    /// Creates the budget of one game.
    pub(crate) const fn new() -> Self {
        Self { remaining: MAX_STEPS_PER_GAME }
    }

    /// Resolves the token at the cursor, plays it, and moves the cursor on.
    ///
    /// An ambiguous move is decided by the rest of the line. Texts that repeat jumps of the capture before them are
    /// skipped.
    ///
    /// # Errors
    /// The reason why the token cannot be played; the cursor has not moved then.
    #[cold]
    #[inline(never)]
    pub(crate) fn step<R: Ruleset>(
        &mut self,
        context: &LineContext<'_>,
        rules: R,
        cursor: &mut LineCursor<BitsOf<R>>,
        list: &mut MoveList,
    ) -> Result<Step<BitsOf<R>>, StopReason> {
        match cursor.step(context, rules, list) {
            Ok(step) => Ok(step),
            Err(Obstacle::Ambiguous(choices)) => {
                let mv = self.decide(context, rules, cursor, &choices, list).ok_or(MoveError::Ambiguous)?;
                let is_settled = !is_described(context, cursor, &mv);
                Ok(cursor.play(rules, mv, 1, is_settled.then_some(Code::SettledMove)))
            }
            Err(Obstacle::Stop(reason)) => {
                let repeated = cursor.landed.and_then(|to| context.repeated_capture_len(cursor.at, to));
                cursor.at += repeated.ok_or(reason)?;
                Ok(Step::Skip { diagnostic: Some(Code::SplitCapture) })
            }
        }
    }

    /// Returns the one of several moves that keeps the rest of the line legal for longest. If several do, returns the one that the text
    /// describes completely; `None` if there is none.
    #[cold]
    #[inline(never)]
    fn decide<R: Ruleset>(
        &mut self,
        context: &LineContext<'_>,
        rules: R,
        cursor: &LineCursor<BitsOf<R>>,
        choices: &MoveChoices<BitsOf<R>>,
        list: &mut MoveList,
    ) -> Option<Move<BitsOf<R>>> {
        let mut best = None;
        let mut furthest = cursor.at;
        for mv in choices.iter() {
            let mut steps = MAX_STEPS.min(self.remaining);
            self.remaining -= steps;
            let after = after_move(rules, cursor, mv);
            let end = first_unplayable(context, rules, after, list, &mut steps, MAX_DEPTH);
            // Steps that were not needed are given back.
            self.remaining += steps;
            match end.cmp(&furthest) {
                Ordering::Greater => (best, furthest) = (Some(*mv), end),
                Ordering::Equal => {
                    best = best.into_iter().chain([*mv]).find(|mv| is_described(context, cursor, mv))
                }
                Ordering::Less => {}
            }
        }
        best
    }
}

/// Returns `true` if the token at the cursor describes a capture completely: two squares and the single jump between them. Longer
/// captures with the same ends have further squares to tell them apart.
fn is_described<B: Bits>(context: &LineContext<'_>, cursor: &LineCursor<B>, mv: &Move<B>) -> bool {
    context.tokens.token(cursor.at).kind == LineTokenKind::Pair && mv.is_single_jump()
}

/// Returns the cursor after a move of one token.
fn after_move<R: Ruleset>(
    rules: R,
    cursor: &LineCursor<BitsOf<R>>,
    mv: &Move<BitsOf<R>>,
) -> LineCursor<BitsOf<R>> {
    let mut after: State<BitsOf<R>> = cursor.state;
    after.play(rules, mv);
    LineCursor { at: cursor.at + 1, state: after, landed: None }
}

/// Returns the index of the first token that cannot be played from the cursor on, whichever moves ambiguous texts mean.
///
/// Stops early once `steps` are used up; each step takes one off. Tries the candidates of at most `depth` ambiguous
/// moves in a row.
fn first_unplayable<R: Ruleset>(
    context: &LineContext<'_>,
    rules: R,
    mut cursor: LineCursor<BitsOf<R>>,
    list: &mut MoveList,
    steps: &mut u32,
    depth: u32,
) -> usize {
    while cursor.at < context.tokens.len() && *steps > 0 {
        *steps -= 1;
        match cursor.step(context, rules, list) {
            Ok(_) => {}
            Err(Obstacle::Ambiguous(choices)) if depth > 0 => {
                let ends = choices.iter().map(|mv| {
                    let after = after_move(rules, &cursor, mv);
                    first_unplayable(context, rules, after, list, steps, depth - 1)
                });
                return ends.max().unwrap_or(cursor.at);
            }
            Err(_) => break,
        }
    }
    cursor.at
}
