//! The receivers of the legal plies of a main line, one by one or in batches.

use super::CandidateGame;
use crate::movegen::batch::SpeculativeBatch;
use crate::position::{Move, Position, State};
use crate::rules::{BitsOf, GameRules, Ruleset, Variant};
use pdn_rules::internal::board::Bits;

/// Receives the legal moves of the main line in the order of play, with the positions in which they are played.
///
/// A move is passed on only once it is final, with one exception: if a game turns out to be of another variant than
/// assumed, it starts again. [`begin`](PositionSink::begin) therefore discards everything received before it.
///
/// ```
/// use pdn::replay::{PositionSink, Replayer};
/// use pdn::{Move, Position};
///
/// /// Counts the captures of a game.
/// #[derive(Default)]
/// struct Captures(u32);
///
/// impl PositionSink for Captures {
///     fn begin(&mut self, _: &Position) {
///         self.0 = 0;
///     }
///     fn ply(&mut self, _: &Position, mv: &Move) {
///         self.0 += u32::from(mv.is_capture());
///     }
/// }
///
/// let mut captures = Captures::default();
/// Replayer::default().replay(b"1. 32-28 19-23 2. 28x19 14x23 *", &mut captures);
/// assert_eq!(captures.0, 2);
/// ```
pub trait PositionSink {
    /// Receives the start of a game, or its new start: the position before the first ply.
    fn begin(&mut self, start: &Position) {
        let _ = start;
    }

    /// Receives a legal move and the position in which it is played.
    fn ply(&mut self, before: &Position, mv: &Move);

    /// Receives the position in which the next ply is played, if it does not follow from the ply before: after a setup within the
    /// game, and after a null move, which is not a ply.
    fn setup(&mut self, position: &Position) {
        let _ = position;
    }

    /// Returns the list of moves that is all it keeps, so that no positions are made for it.
    #[doc(hidden)]
    fn as_moves(&mut self) -> Option<&mut Vec<Move>> {
        None
    }
}

/// Discards all positions, for a program that needs the [`ReplaySummary`](super::ReplaySummary) only.
impl PositionSink for () {
    fn ply(&mut self, _: &Position, _: &Move) {}
}

/// Keeps the moves of the last game.
impl PositionSink for Vec<Move> {
    fn begin(&mut self, _: &Position) {
        self.clear();
    }

    fn ply(&mut self, _: &Position, mv: &Move) {
        self.push(*mv);
    }

    fn as_moves(&mut self) -> Option<&mut Vec<Move>> {
        Some(self)
    }
}

/// Passes the plies of a game on to a [`PositionSink`].
pub(super) struct Positions<'s> {
    sink: &'s mut dyn PositionSink,
    /// The rules and square numbers of the game; those of its start once it has been received, which comes first.
    game: GameRules,
}

impl<'s> Positions<'s> {
    /// Creates it for the plies of one game.
    pub(super) fn of(sink: &'s mut dyn PositionSink) -> Self {
        Self { sink, game: Variant::International.into() }
    }

    /// Returns a position of the game.
    fn position<B: Bits>(&self, state: &State<B>) -> Position {
        Position::from_state(self.game, state.resized())
    }
}

impl PlySink for Positions<'_> {
    fn begin<R: Ruleset>(&mut self, _: R, candidate: &CandidateGame, start: &State<BitsOf<R>>) {
        self.game = candidate.game();
        let start = self.position(start);
        self.sink.begin(&start);
    }

    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        let before = self.position(before);
        self.sink.ply(&before, &mv.resized());
    }

    fn setup<R: Ruleset>(&mut self, _: R, position: &State<BitsOf<R>>) {
        let position = self.position(position);
        self.sink.setup(&position);
    }
}

/// Receives the legal moves of the main line as a [`PositionSink`] does, compiled for the rules of each game: for speed.
///
/// ```
/// use pdn::position::Move;
/// use pdn_rules::internal::position::State;
/// use pdn::internal::replay::{CandidateGame, PlySink};
/// use pdn::replay::Replayer;
/// use pdn_rules::internal::rules::{BitsOf, Ruleset};
///
/// /// Counts the captures of a game.
/// #[derive(Default)]
/// struct Captures(u32);
///
/// impl PlySink for Captures {
///     fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, _: &State<BitsOf<R>>) {
///         self.0 = 0;
///     }
///     fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
///         self.0 += u32::from(mv.is_capture());
///     }
/// }
///
/// let mut captures = Captures::default();
/// Replayer::default().replay_into(b"1. 32-28 19-23 2. 28x19 14x23 *", &mut captures);
/// assert_eq!(captures.0, 2);
/// ```
pub trait PlySink {
    /// Receives the start of a game, or its new start: the variant and numbering, and the position before the first ply.
    #[inline]
    fn begin<R: Ruleset>(&mut self, rules: R, candidate: &CandidateGame, start: &State<BitsOf<R>>) {
        let _ = (rules, candidate, start);
    }

    /// Receives a legal move and the position in which it is played.
    fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>);

    /// Receives consecutive legal moves with the positions in which they are played. Most plies arrive here.
    ///
    /// The default calls [`ply`](PlySink::ply) for each. Implement it if a batch can be handled faster.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        for (before, mv) in plies.iter() {
            self.ply(rules, &before, &mv);
        }
    }

    /// Receives a null move, which is not a ply, and the position before it. Afterwards the other side is to move.
    #[inline]
    fn null<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>) {
        self.setup(rules, &before.passed());
    }

    /// Receives a setup within the game: the next ply is played in this position.
    #[inline]
    fn setup<R: Ruleset>(&mut self, rules: R, position: &State<BitsOf<R>>) {
        let _ = (rules, position);
    }

    /// Receives the number of tokens of the movetext that are passed without a ply, null move or setup of their own: marks for moves
    /// that are not missing, and further texts of the ply before.
    #[inline]
    fn skip(&mut self, tokens: usize) {
        let _ = tokens;
    }
}

/// Keeps the moves of the last game.
impl PlySink for Vec<Move> {
    #[inline]
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, _: &State<BitsOf<R>>) {
        self.clear();
    }

    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.push(mv.resized());
    }
}

/// Discards all moves: for the [`ReplaySummary`](super::ReplaySummary) only.
impl PlySink for () {
    #[inline]
    fn ply<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>, _: &Move<BitsOf<R>>) {}
}

/// Consecutive legal plies, at most a few dozen; see [`PlySink::plies`](super::PlySink::plies).
#[derive(Clone, Copy, Debug)]
pub struct PlyBatch<'a, B> {
    batch: &'a SpeculativeBatch,
    start: &'a State<B>,
    moves: &'a [[u8; 2]],
}

impl<'a, B: Bits> PlyBatch<'a, B> {
    /// Creates a view of the proved plies of `batch`, which began in `start` with `moves` to play.
    ///
    /// Each of `moves` holds the two square numbers, from and to, as bit indices.
    pub fn new(batch: &'a SpeculativeBatch, start: &'a State<B>, moves: &'a [[u8; 2]]) -> Self {
        Self { batch, start, moves }
    }

    /// Returns the number of plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn len(&self) -> usize {
        self.batch.proved()
    }

    /// Returns `true` if the batch contains no ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the plies in the order of play, each with the position before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn iter(&self) -> impl Iterator<Item = (State<B>, Move<B>)> {
        self.batch.plies(self.start)
    }

    /// Returns the underlying batch, its start position, and the moves that it was given to play.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn parts(&self) -> (&'a SpeculativeBatch, &'a State<B>, &'a [[u8; 2]]) {
        (self.batch, self.start, self.moves)
    }
}
