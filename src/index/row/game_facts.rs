//! Facts of a game: greatest and first occurrences on the board, which exclude games from a search before they are played.
//!
//! An import counts them ply by ply while it packs the moves. Verifying, and merging segments without facts, count them from the
//! packed moves.

use std::ops::ControlFlow;

use crate::board::{Bits, Geometry, WithBoard};
use crate::index::format::columns::{NumberColumn, game_columns};
use crate::pack::{Codecs, CorruptMoves, RunningPieceCounts};
use crate::position::{Move, State};
use crate::replay::PlyBatch;
use crate::simd::{self, Isa, Task};
use crate::value::Colour;

macro_rules! game_facts {
    (
        []
        texts { $($texts:tt)* }
        numbers { $($numbers:tt)* }
        facts { $($(#[$doc:meta])* $column:ident $field:ident $name:literal = $number:literal;)* }
        $($rest:tt)*
    ) => {
        /// The facts of a game, one in each of its columns of facts. 0 stands for what did not happen.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
        #[doc(hidden)]
        pub struct GameFacts {
            $($(#[$doc])* pub $field: u32,)*
        }

        impl GameFacts {
            /// The facts of a game in which nothing happened.
            pub const NONE: Self = Self { $($field: 0,)* };

            /// Returns the fact of a column; `None` for a column of something else.
            #[inline]
            pub(crate) const fn get(&self, column: NumberColumn) -> Option<u32> {
                match column {
                    $(NumberColumn::$column => Some(self.$field),)*
                    _ => None,
                }
            }

            /// Creates the facts from the numbers of the columns.
            #[inline]
            pub(crate) fn from_columns(numbers: &[u64; NumberColumn::COUNT]) -> Self {
                Self { $($field: numbers[NumberColumn::$column as usize] as u32,)* }
            }
        }
    };
}

game_columns!(game_facts);

/// Counts the facts of a game while it is played.
// Twin: the facts of a list of positions and moves; test: facts_are_those_of_the_positions_and_moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FactCounter {
    facts: GameFacts,
    /// Plies so far; a null move is one.
    plies: u32,
    /// Plies since the last capture or move of a man.
    run: u32,
    /// White's pieces less Black's.
    lead: i32,
    /// `true` if the lead is that of a start position or setup, which counts only if it is a position of the game: another setup may
    /// replace it.
    is_set_up: bool,
}

impl FactCounter {
    /// Takes the position in which the next ply is played, or with which the game ends: at the start and for each setup.
    #[inline]
    pub(crate) fn set_up<B: Bits>(&mut self, position: &State<B>) {
        let [white, black] = position.pieces.map(|pieces| pieces.count() as i32);
        (self.lead, self.is_set_up) = (white - black, true);
    }

    /// Takes a ply and the position before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn ply<B: Bits>(&mut self, before: &State<B>, mv: &Move<B>) {
        self.plies += 1;
        let by_king = (before.kings & B::one(mv.from.bit())).any();
        // Most plies are steps of men.
        if by_king | mv.captured.any() | mv.promotes | self.is_set_up {
            self.notable_ply(before.turn, by_king, mv);
        } else {
            self.run = 0;
        }
    }

    /// Takes plies that were played together. Without a king before the first, only the last one can promote, and none is a king's.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn plies<B: Bits>(&mut self, plies: &PlyBatch<'_, B>) {
        let (_, start, _) = plies.parts();
        if start.kings.any() {
            let mut counter = *self;
            plies.iter().for_each(|(before, mv)| counter.ply(&before, &mv));
            *self = counter;
        } else if !plies.is_empty() {
            simd::run(PliesOfMen { counter: self, plies });
        }
    }

    #[inline(never)]
    fn notable_ply<B: Bits>(&mut self, turn: Colour, by_king: bool, mv: &Move<B>) {
        self.count_lead();
        let taken = mv.captured.count();
        let facts = &mut self.facts;
        let most = if by_king { &mut facts.king_takes } else { &mut facts.man_takes };
        *most = taken.max(*most);
        self.run = if by_king && taken == 0 { self.run + 1 } else { 0 };
        facts.king_run = self.run.max(facts.king_run);
        let (first_promotion, won) = match turn {
            Colour::White => (&mut facts.white_promotes, taken as i32),
            Colour::Black => (&mut facts.black_promotes, -(taken as i32)),
        };
        if mv.promotes && *first_promotion == 0 {
            *first_promotion = self.plies;
        }
        self.lead += won;
        self.count_lead();
    }

    /// Takes a null move, which neither captures nor moves a man.
    pub(crate) fn null_move(&mut self) {
        self.count_lead();
        self.plies += 1;
        self.run += 1;
        self.facts.king_run = self.run.max(self.facts.king_run);
    }

    /// Returns the facts of the game that ends here.
    pub(crate) fn finish(mut self) -> GameFacts {
        self.count_lead();
        self.facts
    }

    fn count_lead(&mut self) {
        let facts = &mut self.facts;
        facts.white_lead = facts.white_lead.max(self.lead.max(0) as u32);
        facts.black_lead = facts.black_lead.max((-self.lead).max(0) as u32);
        self.is_set_up = false;
    }
}

/// Counts plies of men, of which only those that capture are looked at.
// Twin: `FactCounter::ply`; test: facts_are_those_of_the_positions_and_moves.
struct PliesOfMen<'c, 'p, B> {
    counter: &'c mut FactCounter,
    plies: &'c PlyBatch<'p, B>,
}

impl<B: Bits> Task for PliesOfMen<'_, '_, B> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) {
        let Self { counter, plies } = self;
        if counter.is_set_up {
            counter.count_lead();
        }
        let (batch, start, _) = plies.parts();
        let (mut captures, searched) = (batch.captures(), batch.searched());
        let (mut lead, mut most, mut least, mut takes) = (counter.lead, counter.lead, counter.lead, 0);
        while captures != 0 {
            let place = captures.trailing_zeros() as usize;
            captures &= captures - 1;
            let is_searched = searched >> place & 1 != 0;
            let taken = if is_searched { batch.at(start, place).1.captured.count() } else { 1 };
            // White's places are even.
            lead += if place.is_multiple_of(2) { taken as i32 } else { -(taken as i32) };
            (most, least, takes) = (lead.max(most), lead.min(least), taken.max(takes));
        }
        let facts = &mut counter.facts;
        facts.man_takes = facts.man_takes.max(takes);
        facts.white_lead = facts.white_lead.max(most.max(0) as u32);
        facts.black_lead = facts.black_lead.max((-least).max(0) as u32);
        (counter.lead, counter.run) = (lead, 0);
        counter.plies += plies.len() as u32;
        if batch.last_ply::<B>().is_some_and(|mv| mv.promotes) {
            let by_white = !batch.places().end.is_multiple_of(2);
            let first = if by_white { &mut facts.white_promotes } else { &mut facts.black_promotes };
            if *first == 0 {
                *first = counter.plies;
            }
        }
    }
}

/// What playing a packed game to its end shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayedGame {
    /// The number of plies without null moves.
    pub(crate) plies: u64,
    /// The piece counts after the last ply.
    pub(crate) last: RunningPieceCounts,
    pub(crate) facts: GameFacts,
}

/// Plays a packed game to its end.
pub(crate) struct PlayGame<'a> {
    pub(crate) codecs: &'a mut Codecs,
    /// The start position of its kind.
    pub(crate) start: &'a State<u128>,
    pub(crate) bytes: &'a [u8],
}

impl WithBoard for PlayGame<'_> {
    type Output = Result<PlayedGame, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        let codec = self.codecs.on::<G>();
        let (mut plies, mut counter) = (0, FactCounter::default());
        let start = self.start.resized::<G::Bits>();
        counter.set_up(&start);
        let mut expected = start;
        let is_other = |position: &State<G::Bits>, expected: &State<G::Bits>| {
            (position.pieces, position.kings) != (expected.pieces, expected.kings)
        };
        let last = codec.scan(&start, self.bytes, |ply| {
            let before = ply.before();
            if is_other(&before, &expected) {
                counter.set_up(&before);
            }
            match ply.mv() {
                Some(mv) => counter.ply(&before, &mv),
                None => counter.null_move(),
            }
            plies += u64::from(ply.mv().is_some());
            expected = ply.after();
            ControlFlow::Continue(())
        })?;
        if is_other(&last, &expected) {
            counter.set_up(&last);
        }
        Ok(PlayedGame { plies, last: RunningPieceCounts::of(&last), facts: counter.finish() })
    }
}
