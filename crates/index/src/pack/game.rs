//! Whole games on a board that is known only at run time: packed, unpacked, measured without playing, and played by a scan.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::codes::{CHAIN, Codecs, EXPLICIT, LINE, MoveCodec, NULL, OTHER, SETUP, TwoByteOp};
use super::decode::{CorruptMoves, PackedOp};
use super::{RunningPieceCounts, ScannedPly};
use pdn::position::{Move, Position};
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Rules, Ruleset, WithRules};
use pdn_rules::internal::steps;

/// A ply of an unpacked game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnpackedPly {
    /// The position before, king counters included.
    pub before: Position,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
}

/// Packs the ops of a game that starts in `start`, appends the bytes to `out`, and returns the last position.
///
/// The bytes do not contain `start`. If the reader will not know it, pass it as the first op, a [`PackedOp::Setup`].
///
/// ```
/// use pdn_index::internal::pack::{PackedOp, pack, unpack};
/// use pdn::position::Position;
/// use pdn::replay::Replayer;
/// use pdn::rules::Variant;
///
/// let mut moves = Vec::new();
/// Replayer::default().replay(b"1. 32-28 19-23 2. 28x19 14x23 *", &mut moves);
/// let ops: Vec<_> = moves.iter().copied().map(PackedOp::Move).collect();
///
/// let start = Position::start(Variant::International);
/// let mut bytes = Vec::new();
/// let last = pack(&start, &ops, &mut bytes);
/// assert_eq!(bytes.len(), 4);
///
/// let (plies, end) = unpack(&start, &bytes)?;
/// assert_eq!(plies.iter().filter_map(|ply| ply.mv).collect::<Vec<_>>(), moves);
/// assert_eq!(end, last);
/// # Ok::<(), pdn_index::internal::pack::CorruptMoves>(())
/// ```
pub fn pack(start: &Position, ops: &[PackedOp<u128>], out: &mut Vec<u8>) -> Position {
    struct Pack<'a>(State<u128>, &'a [PackedOp<u128>], &'a mut Vec<u8>);
    impl WithRules for Pack<'_> {
        type Output = State<u128>;
        fn run<R: Ruleset>(self, rules: R) -> State<u128> {
            let codec = MoveCodec::<R::Geometry>::new();
            let mut state = self.0.resized();
            for op in self.1 {
                match op {
                    PackedOp::Move(mv) => {
                        let mv = mv.resized();
                        codec.encode(&state, &mv, self.2);
                        state.play(rules, &mv);
                    }
                    PackedOp::Null => {
                        codec.encode_null(self.2);
                        pass(&mut state);
                    }
                    PackedOp::Setup(position) => {
                        state = position.resized();
                        codec.encode_setup(&state, self.2);
                    }
                }
            }
            state.resized()
        }
    }
    let end = start.rules().with(Pack(*start.state(), ops, out));
    Position::from_state(*start.game(), end)
}

thread_local! {
    /// The codecs of this thread: building one takes longer than unpacking a game with it.
    static CODECS: RefCell<Codecs> = RefCell::default();
}

/// Unpacks a game that starts in `start`. Returns every ply and the last position. O(bytes).
///
/// # Errors
/// If the bytes are not those of a packed game.
pub fn unpack(start: &Position, bytes: &[u8]) -> Result<(Vec<UnpackedPly>, Position), CorruptMoves> {
    struct Unpack<'a>(&'a Position, &'a [u8]);
    impl WithRules for Unpack<'_> {
        type Output = Result<(Vec<UnpackedPly>, Position), CorruptMoves>;
        fn run<R: Ruleset>(self, rules: R) -> Self::Output {
            let Self(start, bytes) = self;
            CODECS.with_borrow_mut(|codecs| Self::with_codec(rules, codecs.on::<R::Geometry>(), start, bytes))
        }
    }
    impl Unpack<'_> {
        fn with_codec<R: Ruleset>(
            rules: R,
            codec: &MoveCodec<R::Geometry>,
            start: &Position,
            mut bytes: &[u8],
        ) -> <Self as WithRules>::Output {
            let mut state: State<<R::Geometry as Geometry>::Bits> = start.state().resized();
            // Played along with the state: building a position from a state takes a hundred times as long as a move.
            let mut position = *start;
            let mut plies = Vec::with_capacity(bytes.len());
            while let Some(op) = codec.decode(&state, bytes) {
                let (op, rest) = op?;
                bytes = rest;
                let before = position;
                match op {
                    PackedOp::Move(mv) => {
                        state.play(rules, &mv);
                        let mv = mv.resized();
                        position.play_unchecked(&mv);
                        plies.push(UnpackedPly { before, mv: Some(mv) });
                    }
                    PackedOp::Null => {
                        pass(&mut state);
                        position.pass();
                        plies.push(UnpackedPly { before, mv: None });
                    }
                    PackedOp::Setup(setup) => {
                        state = setup;
                        position = Position::from_state(*start.game(), state.resized());
                    }
                }
            }
            Ok((plies, position))
        }
    }
    start.rules().with(Unpack(start, bytes))
}

/// Unpacks the first `plies` plies of a game that starts in `start`, and returns the position after them, or the last one of
/// a shorter game. A setup that follows these plies has been made. O(bytes of these plies).
///
/// # Errors
/// If the bytes are not those of a packed game.
// Twin: `unpack`; test: `unpacked_position_equals_that_of_the_whole_game`.
pub fn unpack_position(start: &Position, bytes: &[u8], plies: u32) -> Result<Position, CorruptMoves> {
    struct UnpackPosition<'a>(&'a Position, &'a [u8], u32);
    impl WithRules for UnpackPosition<'_> {
        type Output = Result<State<u128>, CorruptMoves>;
        fn run<R: Ruleset>(self, rules: R) -> Self::Output {
            let Self(start, bytes, plies) = self;
            CODECS.with_borrow_mut(|codecs| {
                Self::with_codec(rules, codecs.on::<R::Geometry>(), start, bytes, plies)
            })
        }
    }
    impl UnpackPosition<'_> {
        fn with_codec<R: Ruleset>(
            rules: R,
            codec: &MoveCodec<R::Geometry>,
            start: &Position,
            mut bytes: &[u8],
            mut left: u32,
        ) -> <Self as WithRules>::Output {
            let mut state: State<<R::Geometry as Geometry>::Bits> = start.state().resized();
            while let Some(op) = codec.decode(&state, bytes) {
                let (op, rest) = op?;
                bytes = rest;
                match op {
                    PackedOp::Setup(setup) => {
                        state = setup;
                        continue;
                    }
                    _ if left == 0 => break,
                    PackedOp::Move(mv) => state.play(rules, &mv),
                    PackedOp::Null => pass(&mut state),
                }
                left -= 1;
            }
            Ok(state.resized())
        }
    }
    let state = start.rules().with(UnpackPosition(start, bytes, plies))?;
    Ok(Position::from_state(*start.game(), state))
}

/// Returns the position that the packed moves of a game begin with, and the bytes after it; `None` if they begin with another
/// op or are damaged.
pub fn first_setup<'b>(rules: &Rules, bytes: &'b [u8]) -> Option<(State<u128>, &'b [u8])> {
    struct FirstSetup<'b>(&'b [u8]);
    impl<'b> WithRules for FirstSetup<'b> {
        type Output = Option<(State<u128>, &'b [u8])>;
        fn run<R: Ruleset>(self, _: R) -> Self::Output {
            let empty = State::empty(Colour::White);
            CODECS.with_borrow_mut(|codecs| match codecs.on::<R::Geometry>().decode(&empty, self.0)? {
                Ok((PackedOp::Setup(state), rest)) => Some((state.resized(), rest)),
                _ => None,
            })
        }
    }
    if bytes.starts_with(&[OTHER, SETUP]) { rules.with(FirstSetup(bytes)) } else { None }
}

/// Returns the length in bytes of the first `plies` plies of a game packed by these rules, with the number of plies that
/// there are; see `MoveCodec::plies_len`.
pub fn plies_len(rules: &Rules, bytes: &[u8], plies: u32) -> Result<(usize, u32), CorruptMoves> {
    struct PliesLen<'a>(&'a [u8], u32);
    impl WithRules for PliesLen<'_> {
        type Output = Result<(usize, u32), CorruptMoves>;
        fn run<R: Ruleset>(self, _: R) -> Self::Output {
            CODECS.with_borrow_mut(|codecs| codecs.on::<R::Geometry>().plies_len(self.0, self.1))
        }
    }
    rules.with(PliesLen(bytes, plies))
}

/// Passes the turn, as [`Position::pass`] does.
fn pass<B: Bits>(state: &mut State<B>) {
    state.streaks[state.turn as usize] = Default::default();
    state.turn = !state.turn;
}

/// The length of an op and whether it is a ply.
struct OpLength {
    bytes: usize,
    is_ply: bool,
}

impl<G: Geometry> MoveCodec<G> {
    /// Returns the length in bytes of the first `plies` plies of a packed game, with the number of plies that there are.
    /// Null moves and setups before the last of these plies belong to them, those after it do not. O(bytes of these
    /// plies).
    ///
    /// # Errors
    /// If an op is unknown or its bytes end early. The ops are not played, so other damage is not noticed.
    // Twin: `unpack`; test: `lengths_of_plies_are_those_of_unpacked_plies`.
    pub(super) fn plies_len(&self, bytes: &[u8], plies: u32) -> Result<(usize, u32), CorruptMoves> {
        let (mut at, mut end, mut found) = (0, 0, 0);
        while found < plies && at < bytes.len() {
            steps::add(1);
            let op = self.op_length(&bytes[at..]).ok_or(CorruptMoves)?;
            at += op.bytes;
            if at > bytes.len() {
                return Err(CorruptMoves);
            }
            if op.is_ply {
                found += 1;
                end = at;
            }
        }
        Ok((end, found))
    }

    /// Returns the length of the first op; `None` if it is unknown or the bytes that tell its length are missing.
    fn op_length(&self, bytes: &[u8]) -> Option<OpLength> {
        let first = *bytes.first()?;
        let ply = |bytes| Some(OpLength { bytes, is_ply: true });
        if first < self.groups.pairs {
            return ply(1);
        }
        if !matches!(self.two_byte_ops[usize::from(first)], TwoByteOp::None) {
            return ply(2);
        }
        match first {
            CHAIN => {
                let jumps = usize::from(*bytes.get(2)? & 31);
                ply(3 + jumps.saturating_sub(1).div_ceil(2))
            }
            LINE => ply(3),
            OTHER => match *bytes.get(1)? {
                NULL => Some(OpLength { bytes: 2, is_ply: false }),
                SETUP => {
                    let counters = if bytes.get(2)? & 2 == 0 { 0 } else { 4 };
                    let bytes = 3 + 3 * (G::Bits::SIZE / 8) as usize + counters;
                    Some(OpLength { bytes, is_ply: false })
                }
                EXPLICIT => ply(5 + usize::from(*bytes.get(4)? & 127)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A packed game with what is needed to play it.
#[derive(Clone, Copy, Debug)]
pub struct PlayableGame<'a, G: Geometry> {
    /// The number of the segment in the index, from 0.
    pub segment: usize,
    /// The number of the game in its segment, from 0.
    pub game: u32,
    /// The number of its kind in [`Segment::kinds`](crate::Segment::kinds).
    pub kind: usize,
    /// Whether the game is continuous: it begins in the start position of its kind and has legal moves only, no setup and
    /// no null move. Its piece counts never increase.
    pub is_continuous: bool,
    /// The codes of packed moves on its board.
    pub codec: &'a MoveCodec<G>,
    /// The start position of its kind. A game that starts elsewhere begins with a setup.
    pub start: &'a State<G::Bits>,
    /// The packed moves; their checksum has been compared.
    pub bytes: &'a [u8],
}

impl<G: Geometry> PlayableGame<'_, G> {
    /// Passes every ply to `visit` until it breaks, and returns the last position. See [`MoveCodec::scan`].
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn plies(
        &self,
        visit: impl FnMut(&ScannedPly<G::Bits>) -> ControlFlow<()>,
    ) -> std::result::Result<State<G::Bits>, CorruptMoves> {
        self.codec.scan(self.start, self.bytes, visit)
    }

    /// Passes every position with its piece counts and ply to `visit` until it breaks, and returns the last ply. See
    /// [`MoveCodec::positions`].
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn positions(
        &self,
        visit: impl FnMut(&State<G::Bits>, RunningPieceCounts, u32) -> ControlFlow<()>,
    ) -> std::result::Result<u32, CorruptMoves> {
        self.codec.positions(self.start, self.bytes, visit)
    }
}
