//! Facts of a game: greatest and first occurrences on the board, which exclude games from a search before they are played.
//!
//! An import counts them ply by ply while it packs the moves. Verifying, and merging segments without facts, count them from the
//! packed moves.

use std::ops::ControlFlow;

use crate::format::columns::NumberColumn;
use crate::pack::{Codecs, CorruptMoves, RunningPieceCounts};
use pdn::internal::replay::PlyBatch;
use pdn::internal::simd::{Isa, PlyMaxima, Task};
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry, WithBoard};
use pdn_rules::internal::movegen::{PLIES_PER_SIDE, SpeculativeBatch};
use pdn_rules::internal::position::State;

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

crate::game_columns!(game_facts);

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

    /// Returns the task that takes plies that were played together.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn plies<'s, B: Bits>(
        &'s mut self,
        plies: &'s PlyBatch<'_, B>,
    ) -> impl Task<Output = ()> + 's {
        let (batch, start, _) = plies.parts();
        PliesTogether { counter: self, batch, start }
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

/// Counts plies that were played together from a bit for each of their places.
// Twin: `FactCounter::ply`; test: facts_are_those_of_the_positions_and_moves.
struct PliesTogether<'c, B> {
    counter: &'c mut FactCounter,
    batch: &'c SpeculativeBatch,
    /// The position before the first ply.
    start: &'c State<B>,
}

impl<B: Bits> Task for PliesTogether<'_, B> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        let Self { counter, batch, start } = self;
        let count = batch.proved() as u32;
        if count == 0 {
            return;
        }
        if counter.is_set_up {
            counter.count_lead();
        }
        // Without a king before the first ply, only the last ply can promote, and none is a king's.
        let has_kings = start.kings.any();
        // One bit for each ply by sides: White's in the low half, Black's in the high half.
        let proved = batch.proved_by_side();
        let [white, black] = [batch.captured(Colour::White), batch.captured(Colour::Black)];
        let by_kings = if has_kings {
            isa.non_zero([&batch.moved_kings(Colour::White), &batch.moved_kings(Colour::Black)]) & proved
        } else {
            0
        };
        counter.promotions(batch.promotions_by_side() & proved, batch.places().start as u32);
        let counted = Colour::ALL.map(|side| {
            let [white, black] = batch.pieces_before(side);
            [white, black, batch.captured(side)]
        });
        let maxima = isa.ply_maxima(counted, proved, by_kings);
        let captures = if maxima.is_none() || has_kings { isa.non_zero([white, black]) & proved } else { 0 };
        match maxima {
            Some(maxima) => counter.maxima(maxima),
            None => {
                // What takes several pieces has more than its lowest bit.
                let multiple = isa.non_zero([&without_lowest(white), &without_lowest(black)]) & proved;
                counter.takes(batch, captures, multiple, by_kings);
            }
        }
        let [white, black] = batch.after(start).pieces.map(|pieces| pieces.count() as i32);
        counter.lead = white - black;
        counter.count_lead();
        if has_kings {
            let quiet = SpeculativeBatch::places_of(by_kings & !captures) >> batch.places().start;
            counter.quiet_kings(quiet, count);
        } else {
            counter.run = 0;
        }
        counter.plies += count;
    }
}

/// Returns the sets without the lowest square of each.
#[cfg_attr(not(debug_assertions), inline(always))]
fn without_lowest(sets: &[u64; PLIES_PER_SIDE]) -> [u64; PLIES_PER_SIDE] {
    let mut rest = *sets;
    for set in &mut rest {
        *set &= set.wrapping_sub(1);
    }
    rest
}

impl FactCounter {
    /// Takes the promotions of plies that were played together, by sides.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn promotions(&mut self, promotions: u64, first_place: u32) {
        let facts = &mut self.facts;
        let by_side = [promotions as u32, (promotions >> 32) as u32];
        for (black, first) in [(0, &mut facts.white_promotes), (1, &mut facts.black_promotes)] {
            let rounds = by_side[black as usize];
            if rounds != 0 && *first == 0 {
                *first = self.plies + 2 * rounds.trailing_zeros() + black - first_place + 1;
            }
        }
    }

    /// Takes what plies that were played together take, and the leads before each of them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn maxima(&mut self, maxima: PlyMaxima) {
        let PlyMaxima { man_takes, king_takes, white_lead, black_lead } = maxima;
        let facts = &mut self.facts;
        facts.man_takes = facts.man_takes.max(man_takes.into());
        facts.king_takes = facts.king_takes.max(king_takes.into());
        facts.white_lead = facts.white_lead.max(white_lead.into());
        facts.black_lead = facts.black_lead.max(black_lead.into());
    }

    /// Takes the captures of plies that were played together, by sides; which of them take several pieces, and which are made by
    /// kings.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn takes(&mut self, batch: &SpeculativeBatch, captures: u64, multiple: u64, by_kings: u64) {
        let (mut man_takes, mut king_takes) =
            (u32::from(captures & !by_kings != 0), u32::from(captures & by_kings != 0));
        let mut taken_by_side = [captures as u32, (captures >> 32) as u32].map(u32::count_ones);
        let mut rest = multiple;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let side = at / PLIES_PER_SIDE;
            let taken = batch.captured(Colour::ALL[side])[at % PLIES_PER_SIDE].count_ones();
            taken_by_side[side] += taken - 1;
            let most = if by_kings >> at & 1 != 0 { &mut king_takes } else { &mut man_takes };
            *most = taken.max(*most);
        }
        let facts = &mut self.facts;
        facts.man_takes = man_takes.max(facts.man_takes);
        facts.king_takes = king_takes.max(facts.king_takes);
        let [by_white, by_black] = taken_by_side.map(|taken| taken as i32);
        // Most batches cannot reach a greater lead than there was, in whichever order their captures are.
        if self.lead + by_white > facts.white_lead as i32 || by_black - self.lead > facts.black_lead as i32 {
            let leads = Leads::after(self.lead, batch, captures, multiple);
            facts.white_lead = facts.white_lead.max(leads.most.max(0) as u32);
            facts.black_lead = facts.black_lead.max((-leads.least).max(0) as u32);
        }
    }

    /// Takes which of `count` plies that were played together are moves of kings that take nothing, one bit for each ply.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quiet_kings(&mut self, quiet: u64, count: u32) {
        let at_start = quiet.trailing_ones();
        let king_run = &mut self.facts.king_run;
        *king_run = (self.run + at_start).max(*king_run);
        if quiet.count_ones() > *king_run {
            *king_run = longest_run(quiet).max(*king_run);
        }
        let at_end = (quiet << (u64::BITS - count)).leading_ones();
        self.run = if at_start == count { self.run + count } else { at_end };
    }
}

/// White's pieces less Black's: now, and the most and the least so far.
struct Leads {
    now: i32,
    most: i32,
    least: i32,
}

impl Leads {
    /// Takes the captures of plies that were played together, by sides, and which of them take several pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn after(lead: i32, batch: &SpeculativeBatch, captures: u64, multiple: u64) -> Self {
        let mut leads = Self { now: lead, most: lead, least: lead };
        let mut rest = SpeculativeBatch::places_of(captures);
        let mut multiple = SpeculativeBatch::places_of(multiple);
        while multiple != 0 {
            let place = multiple.trailing_zeros();
            multiple &= multiple - 1;
            let (side, round) = (place as usize % 2, place as usize / 2 % PLIES_PER_SIDE);
            let taken = batch.captured(Colour::ALL[side])[round].count_ones() as i32;
            let earlier = rest & !(u64::MAX << place);
            leads.take_one_each(earlier);
            leads.now += if side == 0 { taken } else { -taken };
            (leads.most, leads.least) = (leads.now.max(leads.most), leads.now.min(leads.least));
            rest &= !earlier & !(1 << place);
        }
        leads.take_one_each(rest);
        leads
    }

    /// Takes plies that take one piece each, one bit for each place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_one_each(&mut self, captures: u64) {
        let eights = captures.to_le_bytes();
        let (mut leads, mut changes) = ([0; 8], [0; 8]);
        for n in 0..8 {
            (leads[n], changes[n]) = (self.now, CHANGES[usize::from(eights[n])]);
            self.now += i32::from(changes[n] as i8);
        }
        // Apart from the sums, so that the compiler needs no branches, which no processor would predict.
        let (mut most, mut least) = (i32::MIN, i32::MAX);
        for n in 0..8 {
            most = most.max(leads[n] + i32::from((changes[n] >> 8) as i8));
            least = least.min(leads[n] + i32::from((changes[n] >> 16) as i8));
        }
        (self.most, self.least) = (self.most.max(most), self.least.min(least));
    }
}

/// What plies that take one piece each do to the lead, for each set of captures among eight places: from the lowest byte up the change
/// by all of them, and the greatest and the least change on the way.
static CHANGES: [u32; 256] = {
    let mut changes = [0; 256];
    let mut captures = 0;
    while captures < changes.len() {
        let [mut change, mut most, mut least]: [i8; 3] = [0; 3];
        let mut place = 0;
        while place < 8 {
            if captures >> place & 1 != 0 {
                change += if place % 2 == 0 { 1 } else { -1 };
                most = if change > most { change } else { most };
                least = if change < least { change } else { least };
            }
            place += 1;
        }
        changes[captures] = u32::from_le_bytes([change as u8, most as u8, least as u8, 0]);
        captures += 1;
    }
    changes
};

/// Returns the length of the longest run of ones.
#[cfg_attr(not(debug_assertions), inline(always))]
fn longest_run(bits: u64) -> u32 {
    // Bit i of runs[n] is set if a run of 2 to the power n ones begins there.
    let mut runs = [bits; 6];
    for n in 1..6 {
        runs[n] = runs[n - 1] & runs[n - 1] >> (1 << (n - 1));
    }
    // The bits where a run of `length` begins.
    let (mut begins, mut length) = (u64::MAX, 0);
    for n in (0..6).rev() {
        let longer = begins & runs[n].checked_shr(length).unwrap_or(0);
        if longer != 0 {
            (begins, length) = (longer, length + (1 << n));
        }
    }
    // 63 is the most that the powers add up to.
    if bits == u64::MAX { u64::BITS } else { length }
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

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn longest_run_equals_count_bit_by_bit() {
        let mut random = fastrand::Rng::with_seed(5);
        let any = (0..20_000).map(|n| match n % 4 {
            0 => random.u64(..),
            1 => random.u64(..) | random.u64(..) | random.u64(..),
            _ => (u64::MAX << random.u32(..64)) >> random.u32(..64),
        });
        for bits in any.chain([0, u64::MAX, u64::MAX >> 1, u64::MAX << 1]) {
            let (mut longest, mut run) = (0, 0);
            for at in 0..64 {
                run = if bits >> at & 1 != 0 { run + 1 } else { 0 };
                longest = run.max(longest);
            }
            assert_eq!(longest_run(bits), longest, "{bits:b}");
        }
    }
}
