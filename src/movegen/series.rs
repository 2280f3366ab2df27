//! A series of plies, played as they are written and proved legal afterwards, all at once.
//!
//! Where the pieces stand after a step or a single jump follows from its two squares, whether or not it is legal. So
//! a series is first played on trust, without a branch between steps and jumps, and then its plies are proved by the
//! functions of the [short way](super::short), which have no branches: a compiler makes vectors of them, eight
//! plies in one where the processor has such. What steps and jumps cannot explain is searched while playing.
//!
//! Up to the first ply that is not proved, the plies are those that [`advance`](super::advance) plays.

use std::ops::Range;

use super::find::among_kings;
use super::short::{guess, holds};
use super::side::{Axes, Black, Side, View, White, last_row};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State};
use crate::rules::Ruleset;
use crate::simd::{self, Isa, Task};
use crate::value::Colour;

/// Plies of a series at most.
pub(crate) const SERIES: usize = 2 * EACH;
/// Plies of a side in a series.
const EACH: usize = 32;
/// Plies that are proved at once.
const LANES: usize = 8;
/// Steps of a search while earlier plies are not proved; the usual captures take fewer.
const TRUSTED_NODES: u32 = 200;

/// A series of plies. Used again for series after series.
#[derive(Debug, Default)]
pub(crate) struct Series {
    /// Those of White and of Black. White's first is left out if Black begins.
    rows: [Row; 2],
    /// Places of the first ply and past the last one that is proved; White's are even, Black's odd.
    first: usize,
    end: usize,
    /// Whether the series ended for want of room, or with the first king.
    full: bool,
    /// White's pieces, Black's pieces and kings after the last proved ply.
    last: [u64; 3],
}

/// The plies of a side, and the positions before them as it sees them.
#[derive(Debug, Default)]
struct Row {
    own: [u64; EACH],
    opp: [u64; EACH],
    kings: [u64; EACH],
    captured: [u64; EACH],
    from: [u8; EACH],
    to: [u8; EACH],
    crowned: [bool; EACH],
    /// Plies that need no proof, a bit a ply.
    searched: u32,
}

/// A ply without its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    /// The bits of its first and its last square.
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// Whether it captures: unless it was searched, the square halfway, and one man is all.
    pub(crate) captures: bool,
}

type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

impl Series {
    /// Whether games of these rules are played in series: boards of one word, steps that never wrap, no counters of
    /// kings.
    #[inline(always)]
    pub(crate) fn suits<R: Ruleset>(rules: R) -> bool {
        let movement = rules.movement();
        let Axes { man_steps, man_captures, .. } = Axes::of::<R, White>(rules);
        let used = |d: usize| {
            [man_steps, man_captures, movement.king_moves, movement.king_captures]
                .iter()
                .any(|set| set.has(d) || set.turned().has(d))
        };
        let wraps = (0..8).any(|d| used(d) && R::Geometry::WRAPS[d].any());
        R::FIXED && BitsOf::<R>::SIZE == u64::BITS && !wraps && movement.king_streak == 0
    }

    /// Plays moves from `state` on, for as long as they are legal and there is room. A move is the bits of its first
    /// and its last square; where one of them is above 127, the series ends.
    ///
    /// Rules must [suit](Self::suits). What is left may be legal all the same.
    #[inline(never)]
    pub(crate) fn play<R: Ruleset>(&mut self, rules: R, state: &State<BitsOf<R>>, moves: &[[u8; 2]]) {
        if Self::suits(rules) {
            simd::run(Play { rules, series: self, state, moves });
        }
    }

    /// How many plies are proved.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.end - self.first
    }

    /// Whether all plies are proved and the series ended for want of room.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// The proved plies and the positions before them. `start` is where the series began.
    #[inline(always)]
    pub(crate) fn plies<B: Bits>(&self, start: &State<B>) -> impl Iterator<Item = (State<B>, Move<B>)> {
        self.places().map(|place| self.at(start, place))
    }

    /// The places of the proved plies: White's are even, Black's odd.
    #[inline(always)]
    pub(crate) fn places(&self) -> Range<usize> {
        self.first..self.end
    }

    /// The places of proved plies that were searched, a bit a place: neither steps nor slides nor jumps over a neighbour.
    #[inline(always)]
    pub(crate) fn searched(&self) -> u64 {
        let [white, black] = &self.rows;
        let all = every_other(white.searched) | every_other(black.searched) << 1;
        all & u64::MAX.checked_shl(self.first as u32).unwrap_or(0)
            & !u64::MAX.checked_shl(self.end as u32).unwrap_or(0)
    }

    /// What the ply at a place shows without its position.
    #[inline(always)]
    pub(crate) fn ends(&self, place: usize) -> Ends {
        let (row, at) = (&self.rows[place % 2], place / 2 % EACH);
        Ends { from: row.from[at], to: row.to[at], captures: row.captured[at] != 0 }
    }

    /// The ply at a place, and the position before it. `start` is where the series began.
    #[inline(always)]
    pub(crate) fn at<B: Bits>(&self, start: &State<B>, place: usize) -> (State<B>, Move<B>) {
        (self.before(start, place), self.ply(place))
    }

    /// The last proved ply.
    #[inline(always)]
    pub(crate) fn last_ply<B: Bits>(&self) -> Option<Move<B>> {
        (self.end > self.first).then(|| self.ply(self.end - 1))
    }

    /// The position after the last proved ply.
    #[inline(always)]
    pub(crate) fn after<B: Bits>(&self, start: &State<B>) -> State<B> {
        let [white, black, kings] = self.last.map(|set| B::narrow(set.into()));
        State { pieces: [white, black], kings, turn: turn(self.end), ..*start }
    }

    #[inline(always)]
    fn before<B: Bits>(&self, start: &State<B>, place: usize) -> State<B> {
        let (row, at) = (&self.rows[place % 2], place / 2 % EACH);
        let [own, opp, kings] = [row.own[at], row.opp[at], row.kings[at]].map(|set| B::narrow(set.into()));
        let turn = turn(place);
        let pieces = if turn == Colour::White { [own, opp] } else { [opp, own] };
        State { pieces, kings, turn, ..*start }
    }

    #[inline(always)]
    fn ply<B: Bits>(&self, place: usize) -> Move<B> {
        let (row, at) = (&self.rows[place % 2], place / 2 % EACH);
        Move {
            captured: B::narrow(row.captured[at].into()),
            from: Square(row.from[at]),
            to: Square(row.to[at]),
            promotes: row.crowned[at],
        }
    }
}

/// The bits with a zero behind each.
#[inline(always)]
fn every_other(bits: u32) -> u64 {
    let mut bits = u64::from(bits);
    bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

/// Who makes the ply at a place.
#[inline(always)]
fn turn(place: usize) -> Colour {
    Colour::ALL[place % 2]
}

/// The playing of a series, for the instruction set of this processor.
struct Play<'s, R: Ruleset> {
    rules: R,
    series: &'s mut Series,
    state: &'s State<BitsOf<R>>,
    moves: &'s [[u8; 2]],
}

/// Why playing on trust ended before a move.
enum End {
    /// It is neither step nor jump.
    Odd(Square, Square),
    /// Nothing more to play.
    Over,
    /// No more room.
    Full,
}

impl<R: Ruleset> Task for Play<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        if self.state.kings.any() { self.with::<true>() } else { self.with::<false>() }
    }
}

impl<R: Ruleset> Play<'_, R> {
    #[inline(always)]
    fn with<const KINGS: bool>(self) {
        let Self { rules, series, state, moves } = self;
        let first = usize::from(state.turn == Colour::Black);
        let [white_row, black_row] = &mut series.rows;
        (white_row.searched, black_row.searched) = (first as u32, 0);
        let [mut white, mut black] = state.pieces;
        let mut kings = state.kings;
        let mut place = first;
        let room = moves.len().min(SERIES - first) + first;
        let end = loop {
            let end = loop {
                // Which side begins matters in the first round only.
                if turn(place) == Colour::White {
                    if place == room || !KINGS && kings.any() {
                        break End::Full;
                    }
                    let [from, to] = moves[place - first];
                    if let Some(end) = white_row.trust::<R, White, KINGS>(
                        rules,
                        place / 2,
                        &mut white,
                        &mut black,
                        &mut kings,
                        from,
                        to,
                    ) {
                        break end;
                    }
                    place += 1;
                }
                if place == room || !KINGS && kings.any() {
                    break End::Full;
                }
                let [from, to] = moves[place - first];
                if let Some(end) = black_row.trust::<R, Black, KINGS>(
                    rules,
                    place / 2,
                    &mut black,
                    &mut white,
                    &mut kings,
                    from,
                    to,
                ) {
                    break end;
                }
                place += 1;
            };
            let End::Odd(from, to) = end else { break end };
            let found = if turn(place) == Colour::White {
                white_row.search::<R, White>(rules, place / 2, &mut white, &mut black, &mut kings, from, to)
            } else {
                black_row.search::<R, Black>(rules, place / 2, &mut black, &mut white, &mut kings, from, to)
            };
            if !found {
                break End::Over;
            }
            place += 1;
        };
        let doubt = white_row.doubt::<R, White, KINGS>(rules, place.div_ceil(2));
        let reply = black_row.doubt::<R, Black, KINGS>(rules, place / 2);
        let proved = (2 * doubt.trailing_zeros()).min(2 * reply.trailing_zeros() + 1) as usize;
        (series.first, series.end) = (first, proved.min(place));
        series.full = matches!(end, End::Full) && proved >= place;
        series.last = [white, black, kings].map(|set| set.widen() as u64);
        if proved < place {
            let State { pieces: [white, black], kings, .. } = series.before(state, proved);
            series.last = [white, black, kings].map(|set: BitsOf<R>| set.widen() as u64);
        }
    }
}

impl Row {
    /// Plays a move that looks like a step or a single jump.
    #[expect(clippy::too_many_arguments, reason = "each is a register")]
    #[inline(always)]
    fn trust<R: Ruleset, S: Side, const KINGS: bool>(
        &mut self,
        rules: R,
        at: usize,
        own: &mut BitsOf<R>,
        opp: &mut BitsOf<R>,
        kings: &mut BitsOf<R>,
        from: u8,
        to: u8,
    ) -> Option<End> {
        if (from | to) >= 128 {
            return Some(End::Over);
        }
        let (from, to) = (Square(from), Square(to));
        let view = View { own: *own, opp: *opp, kings: if KINGS { *kings } else { Bits::NONE } };
        let Some(captured) = guess::<R, S>(rules, view, from, to) else { return Some(End::Odd(from, to)) };
        let king = (view.kings & Bits::one(from.0)).any();
        let crowned = !king & (BitsOf::<R>::one(to.0) & last_row::<R::Geometry, S>()).any();
        self.keep::<R>(at, own, opp, kings, Move { captured, from, to, promotes: crowned });
        None
    }

    /// Looks for a move that is neither.
    #[expect(clippy::too_many_arguments, reason = "each is a register")]
    #[inline(always)]
    fn search<R: Ruleset, S: Side>(
        &mut self,
        rules: R,
        at: usize,
        own: &mut BitsOf<R>,
        opp: &mut BitsOf<R>,
        kings: &mut BitsOf<R>,
        from: Square,
        to: Square,
    ) -> bool {
        let found =
            among_kings::<R, S>(rules, *own, *opp, *kings, Bits::NONE, from, to, TRUSTED_NODES).of(from, to);
        let Ok(mv) = found else { return false };
        self.keep::<R>(at, own, opp, kings, mv);
        self.searched |= 1 << (at % EACH);
        true
    }

    #[inline(always)]
    fn keep<R: Ruleset>(
        &mut self,
        at: usize,
        own: &mut BitsOf<R>,
        opp: &mut BitsOf<R>,
        kings: &mut BitsOf<R>,
        mv: Move<BitsOf<R>>,
    ) {
        let at = at % EACH;
        self.own[at] = own.widen() as u64;
        self.opp[at] = opp.widen() as u64;
        self.kings[at] = kings.widen() as u64;
        self.captured[at] = mv.captured.widen() as u64;
        (self.from[at], self.to[at], self.crowned[at]) = (mv.from.0, mv.to.0, mv.promotes);
        let (start, target) = (BitsOf::<R>::one(mv.from.0), BitsOf::<R>::one(mv.to.0));
        let king = (*kings & start).any() | mv.promotes;
        *own = (*own & !start) | target;
        *opp &= !mv.captured;
        *kings = (*kings & !start & !mv.captured) | (target & Bits::all_if(king));
    }

    /// Which of the first `count` plies are not proved.
    #[inline(always)]
    fn doubt<R: Ruleset, S: Side, const KINGS: bool>(&self, rules: R, count: usize) -> u32 {
        let mut doubt = 0;
        for first in (0..count.min(EACH)).step_by(LANES) {
            let part = |all: &[u64; EACH]| -> [u64; LANES] { std::array::from_fn(|lane| all[first + lane]) };
            let (own, opp, kings, captured) =
                (part(&self.own), part(&self.opp), part(&self.kings), part(&self.captured));
            let mut wrong = 0;
            for lane in 0..LANES {
                let word = |set: u64| BitsOf::<R>::narrow(set.into());
                let kings = if KINGS { word(kings[lane]) } else { Bits::NONE };
                let view = View { own: word(own[lane]), opp: word(opp[lane]), kings };
                let (from, to) = (Square(self.from[first + lane]), Square(self.to[first + lane]));
                let right = holds::<R, S>(rules, view, from, to, word(captured[lane]));
                wrong |= u32::from(!right) << lane;
            }
            doubt |= wrong << first;
        }
        let within = 1u32.checked_shl(count as u32).map_or(u32::MAX, |bit| bit - 1);
        doubt & within & !self.searched
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::movegen::{MoveList, advance, legal_moves};
    use crate::rules::{Variant, WithRules};

    /// Plays random moves, one of so many of them nonsense, and counts the plies that were played and those that were
    /// played in series.
    struct Games {
        variant: Variant,
        nonsense: usize,
    }

    impl WithRules for Games {
        type Output = (usize, usize);

        fn run<R: Ruleset>(self, rules: R) -> (usize, usize) {
            let mut random = Rng::with_seed(self.variant.number().into());
            let (mut plies, mut in_series) = (0, 0);
            for _ in 0..400 {
                let start = placement::<R>(self.variant, &mut random);
                let moves = self.moves(rules, start, &mut random);
                let mut series = Series::default();
                let (mut state, mut at) = (start, 0);
                while at < moves.len() {
                    let begin = state;
                    series.play(rules, &begin, &moves[at..]);
                    let mut told = series.plies(&begin);
                    for &[from, to] in &moves[at..at + series.len()] {
                        let before = state;
                        let mv = advance(rules, &mut state, Square(from), Square(to), 100_000);
                        assert_eq!(
                            told.next(),
                            mv.ok().map(|mv| (before, mv)),
                            "{} {from}-{to}",
                            self.variant
                        );
                    }
                    assert_eq!(series.after(&begin), state);
                    plies += series.len();
                    in_series += series.len();
                    at += series.len();
                    if at < moves.len() && !series.is_full() {
                        let [from, to] = moves[at];
                        plies += usize::from(
                            from | to < 128
                                && advance(rules, &mut state, Square(from), Square(to), 100_000).is_ok(),
                        );
                        at += 1;
                    }
                }
            }
            (plies, in_series)
        }
    }

    impl Games {
        fn moves<R: Ruleset>(&self, rules: R, mut state: State<BitsOf<R>>, random: &mut Rng) -> Vec<[u8; 2]> {
            let mut list = MoveList::<BitsOf<R>>::new();
            let mut moves = Vec::new();
            while moves.len() < 150 {
                let legal = legal_moves(rules, &state, 100_000, &mut list).is_ok();
                if !legal || list.is_empty() {
                    break;
                }
                let mv = list[random.usize(..list.len())];
                if random.usize(..self.nonsense) == 0 {
                    // Mostly a piece of that side, for what is nearly legal.
                    let square = |random: &mut Rng| random.usize(..56) as u8;
                    let from = if random.usize(..4) == 0 { square(random) } else { mv.from.0 };
                    let to = if random.usize(..9) == 0 { 255 } else { square(random) };
                    moves.push([from, to]);
                    continue;
                }
                state.play(rules, &mv);
                moves.push([mv.from.0, mv.to.0]);
            }
            moves
        }
    }

    /// The start, or a few men and kings.
    fn placement<R: Ruleset>(variant: Variant, random: &mut Rng) -> State<BitsOf<R>> {
        let turn = if random.usize(..2) == 0 { Colour::White } else { Colour::Black };
        let kind = random.usize(..3);
        if kind == 0 {
            return State::start(&variant.rules(), turn);
        }
        let mut state = State::empty(turn);
        for at in R::Geometry::VALID.squares() {
            let set = BitsOf::<R>::one(at);
            match random.usize(..12) {
                n @ 0..=1 => state.pieces[n] |= set & !R::Geometry::LAST_ROWS[n],
                n @ 2..=3 if kind == 2 => {
                    state.pieces[n - 2] |= set;
                    state.kings |= set;
                }
                _ => {}
            }
        }
        state
    }

    struct Suits;

    impl WithRules for Suits {
        type Output = bool;

        fn run<R: Ruleset>(self, rules: R) -> bool {
            Series::suits(rules)
        }
    }

    #[test]
    fn series_are_what_single_moves_are() {
        for &variant in Variant::ALL.iter().filter(|variant| variant.rules().with(Suits)) {
            for nonsense in [3, 40, usize::MAX] {
                let (plies, in_series) = variant.rules().with(Games { variant, nonsense });
                assert!(plies > 5_000, "{variant}: {plies}");
                assert!(in_series * 10 > plies * 7, "{variant}: {in_series} of {plies}");
            }
        }
    }

    #[test]
    fn nearly_all_variants_are_played_in_series() {
        let others = Variant::ALL.iter().filter(|variant| !variant.rules().with(Suits));
        let others: Vec<_> = others.map(|variant| variant.name()).collect();
        assert_eq!(others, ["canadian", "turkish", "frisian", "frysk"]);
    }
}
