//! Numbers of legal moves, from the move generator.

use std::fmt::Debug;

use pdn::board::Bits;
use pdn::movegen::{DEFAULT_CAPTURE_NODES, MoveList};
use pdn_rules::internal::movegen::legal_moves;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Rules, Ruleset, WithRules};

/// Numbers of the legal moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveNumbers {
    /// The number of legal moves.
    pub(super) moves: u32,
    /// The number of them that capture.
    pub(super) captures: u32,
    /// The most pieces that one of them captures.
    pub(super) best: u32,
}

/// Counts legal moves by the rules of a variant.
pub(super) trait MoveCounter<B>: Debug + Send + Sync {
    /// Returns the numbers of legal moves of a position; `None` if its captures are too many to be searched. `list` is
    /// overwritten.
    fn count(&self, state: &State<B>, list: &mut MoveList) -> Option<MoveNumbers>;
}

/// Creates the counter for some rules, whose board has words that can be converted to `B`.
pub(super) fn move_counter<B: Bits>(rules: &Rules) -> Box<dyn MoveCounter<B>> {
    struct Make<B>(std::marker::PhantomData<fn() -> B>);

    impl<B: Bits> WithRules for Make<B> {
        type Output = Box<dyn MoveCounter<B>>;

        fn run<R: Ruleset>(self, rules: R) -> Self::Output {
            Box::new(RulesCounter(rules))
        }
    }

    rules.with(Make(std::marker::PhantomData))
}

/// Counts legal moves by rules that are known as a type.
#[derive(Debug)]
struct RulesCounter<R>(R);

impl<R: Ruleset, B: Bits> MoveCounter<B> for RulesCounter<R> {
    fn count(&self, state: &State<B>, list: &mut MoveList) -> Option<MoveNumbers> {
        let state: State<BitsOf<R>> = state.resized();
        legal_moves(self.0, &state, DEFAULT_CAPTURE_NODES, list).ok()?;
        let moves = list.as_slice();
        // Captures are compulsory, so that all moves capture or none.
        let best = moves.iter().map(|mv| mv.captured.count_ones()).max().unwrap_or(0);
        let captures = if best > 0 { moves.len() } else { 0 };
        Some(MoveNumbers { moves: moves.len() as u32, captures: captures as u32, best })
    }
}
