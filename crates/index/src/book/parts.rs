//! The opening tree of some games: what is counted for one position while games are played, with their results, ratings and dates.

use std::cmp::Reverse;

use crate::format::wire::{Reader, Writer};
use crate::pack::ScannedPly;
use crate::row::game_row::GameKind;
use crate::row::summary_bits::outcome_of;
use pdn::internal::value::Score;
use pdn::position::Move;
use pdn::value::{Colour, Outcome};
use pdn_rules::internal::board::Bits;
use pdn_rules::internal::position::State;

/// The tree of some games. A position has few different moves, so that a list is searched faster than a map.
#[derive(Debug, Default)]
pub(crate) struct TreeParts {
    /// The games that have the position.
    pub(crate) all: GameTally,
    /// The number of games whose last position it is.
    pub(crate) ended: u64,
    /// The moves played in the position; `None` for a null move.
    pub(crate) moves: Vec<(Option<Move>, GameTally)>,
    /// The moves that led to it; `None` where no move did.
    pub(crate) arrivals: Vec<(Option<Move>, Arrival)>,
    current: CurrentGame,
}

/// The games in which a move led to the position.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// The position before the move, in the first of these games.
    pub(crate) before: Option<State<u128>>,
    /// The number of the first of these games in the index, from 0.
    pub(crate) first_game: u64,
    /// The number of games.
    pub(crate) games: u64,
}

impl Default for Arrival {
    fn default() -> Self {
        Self { before: None, first_game: u64::MAX, games: 0 }
    }
}

impl Arrival {
    /// Adds other games.
    fn add(&mut self, more: Self) {
        if more.first_game < self.first_game {
            (self.first_game, self.before) = (more.first_game, more.before);
        }
        self.games += more.games;
    }
}

/// The moves of the game that is being played, as indices of the lists above. They are counted once per game.
#[derive(Debug, Default)]
struct CurrentGame {
    moves: Vec<usize>,
    arrivals: Vec<usize>,
}

impl TreeParts {
    /// Adds the parts of other games.
    pub(crate) fn add(&mut self, more: Self, examples: usize) {
        self.all.add(&more.all, examples);
        self.ended += more.ended;
        for (mv, tally) in more.moves {
            let place = place_of(&mut self.moves, mv);
            self.moves[place].1.add(&tally, examples);
        }
        for (mv, arrival) in more.arrivals {
            let place = place_of(&mut self.arrivals, mv);
            self.arrivals[place].1.add(arrival);
        }
    }

    /// Adds games that reach the position once, by the move `by`, and all leave it by the same move; if `left_by` is `None`,
    /// they end with it.
    pub(crate) fn add_alike(
        &mut self,
        games: &GameTally,
        (by, arrival): (Option<Move>, Arrival),
        left_by: Option<Move>,
        examples: usize,
    ) {
        self.all.add(games, examples);
        match left_by {
            Some(mv) => {
                let place = place_of(&mut self.moves, Some(mv));
                self.moves[place].1.add(games, examples);
            }
            None => self.ended += games.games,
        }
        let place = place_of(&mut self.arrivals, by);
        self.arrivals[place].1.add(arrival);
    }

    /// Begins a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn begin_game(&mut self) {
        self.current.moves.clear();
        self.current.arrivals.clear();
    }

    /// Returns `true` if the current game has reached the position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_reached(&self) -> bool {
        !self.current.arrivals.is_empty()
    }

    /// Notes that game `number` reaches the position by a ply, or without one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn reach<B: Bits>(&mut self, number: u64, by: Option<&ScannedPly<B>>) {
        let mv = by.and_then(ScannedPly::mv).map(Move::resized);
        let place = place_of(&mut self.arrivals, mv);
        if self.current.arrivals.contains(&place) {
            return;
        }
        self.current.arrivals.push(place);
        let arrival = &mut self.arrivals[place].1;
        arrival.games += 1;
        if number < arrival.first_game {
            arrival.first_game = number;
            arrival.before = by.map(|by| by.before().resized());
        }
    }

    /// Notes that the current game leaves the position by a move; `None` for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn leave(&mut self, mv: Option<Move>) {
        let place = place_of(&mut self.moves, mv);
        if !self.current.moves.contains(&place) {
            self.current.moves.push(place);
        }
    }

    /// Counts the current game, which has reached the position. `ends_here` states that its last position is this one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn count_game(
        &mut self,
        ends_here: bool,
        game: &TallyValues,
        kind: &GameKind,
        examples: usize,
    ) {
        self.all.count(game, kind, examples);
        self.ended += u64::from(ends_here);
        for &place in &self.current.moves {
            self.moves[place].1.count(game, kind, examples);
        }
    }
}

/// Returns the index of a move in a list, after appending it if it is missing.
#[cfg_attr(not(debug_assertions), inline(always))]
fn place_of<T: Default>(list: &mut Vec<(Option<Move>, T)>, mv: Option<Move>) -> usize {
    list.iter().position(|(other, _)| *other == mv).unwrap_or_else(|| {
        list.push((mv, T::default()));
        list.len() - 1
    })
}

/// A number of games with their results, ratings and dates.
///
/// [`OpeningTree::all`](crate::query::OpeningTree::all) and [`TreeMove::tally`](crate::query::TreeMove::tally) are tallies.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn::{position::Position, rules::Variant};
/// use pdn_index::query::{TreeOptions, tree};
/// use pdn::value::Colour;
///
/// let won = "[Date \"1996.12.28\"]\n[WhiteRating \"2300\"]\n1. 32-28 19-23 2-0\n";
/// let drawn = "[Date \"2003.05.01\"]\n[BlackRating \"2100\"]\n1. 32-28 16-21 1-1\n";
/// std::fs::write(&archive, format!("{won}\n{drawn}"))?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let start = Position::start(Variant::International);
/// let tally = tree(&Index::open(&path)?, &start, &TreeOptions::new())?.all;
/// assert_eq!((tally.games, tally.white, tally.draws), (2, 1, 1));
/// assert_eq!((tally.score(Colour::White), tally.rating(Colour::White)), (Some(75.0), Some(2300.0)));
/// assert_eq!((tally.first_year, tally.last_year), (1996, 2003));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GameTally {
    /// The number of games.
    pub games: u64,
    /// The games that White won.
    pub white: u64,
    /// The drawn games.
    pub draws: u64,
    /// The games that Black won.
    pub black: u64,
    /// The games that were declared lost for both sides. All other games have no result.
    pub both_lost: u64,
    /// For White and for Black, the sum of the known ratings and their number.
    pub ratings: [(u64, u64); 2],
    /// The earliest known year; 0 if no game has a year.
    pub first_year: u16,
    /// The latest known year; 0 if no game has a year.
    pub last_year: u16,
    /// The numbers of some games in the index, from 0: those of the highest rated players, then the latest, then the first.
    pub examples: Vec<u64>,
    /// The ranks of the examples, best first: sum of ratings, then date (the lower half), then game number. The numbers are
    /// copied to `examples` by [`finish`](Self::finish) only, because most examples are replaced by better ones.
    ranks: Vec<(u64, Reverse<u64>)>,
}

/// The values of a game that a tally counts, as the columns of an index store them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TallyValues {
    /// The number of the game in the index, from 0.
    pub(crate) number: u64,
    pub(crate) summary: u64,
    pub(crate) date: u64,
    /// The ratings of White and of Black; 0 if unknown.
    pub(crate) ratings: [u64; 2],
}

impl GameTally {
    /// Returns the results from the side of a colour.
    #[doc(hidden)]
    pub fn results(&self, colour: Colour) -> Score {
        let Self { games, draws: drawn, both_lost, .. } = *self;
        let (won, lost) = match colour {
            Colour::White => (self.white, self.black),
            Colour::Black => (self.black, self.white),
        };
        Score { games, won, drawn, lost, both_lost }
    }

    /// Returns the points of a side in percent of the possible points: 100 for a win, 50 for a draw, 0 for a loss of both. Games without
    /// a result are left out; `None` if no game has one.
    pub fn score(&self, colour: Colour) -> Option<f64> {
        self.results(colour).percent()
    }

    /// Returns the average of the known ratings of a side; `None` without any.
    pub fn rating(&self, colour: Colour) -> Option<f64> {
        let (sum, count) = self.ratings[colour as usize];
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Counts a game, and keeps it as an example if it is among the best `examples`.
    #[inline]
    pub(crate) fn count(&mut self, game: &TallyValues, kind: &GameKind, examples: usize) {
        self.games += 1;
        match outcome_of(game.summary) {
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::BothLose) => self.both_lost += 1,
            Some(outcome) => match outcome.winner(kind.numbering.start) {
                Some(Colour::White) => self.white += 1,
                Some(Colour::Black) => self.black += 1,
                None => {}
            },
            None => {}
        }
        for (sum, &rating) in self.ratings.iter_mut().zip(&game.ratings) {
            *sum = (sum.0 + rating, sum.1 + u64::from(rating != 0));
        }
        // A date is stored as year, month (4 bits) and day (5 bits).
        let year = (game.date >> 9) as u16;
        self.add_years(year, year);
        let rank = (game.ratings[0] + game.ratings[1]) << 32 | game.date;
        self.offer_example((rank, Reverse(game.number)), examples);
    }

    /// Widens the years to include those of other games, which are 0 if unknown.
    #[inline]
    fn add_years(&mut self, first: u16, last: u16) {
        self.last_year = self.last_year.max(last);
        // Unknown years are greater than all others after the subtraction.
        self.first_year = self.first_year.wrapping_sub(1).min(first.wrapping_sub(1)).wrapping_add(1);
    }

    /// Appends the tally of games of one segment, whose first game has the number `first_game` in the index.
    pub(crate) fn write(&self, first_game: u64, out: &mut Writer) {
        for count in [self.games, self.white, self.draws, self.black, self.both_lost] {
            out.varint(count.into());
        }
        for (sum, count) in self.ratings {
            out.varint(sum.into());
            out.varint(count.into());
        }
        out.varint(self.first_year.into());
        out.varint(self.last_year.into());
        out.varint(self.ranks.len() as u128);
        for (rank, Reverse(game)) in &self.ranks {
            out.varint((*rank).into());
            out.varint((game - first_game).into());
        }
    }

    /// Reads a tally of games of a segment with `games` games; `None` if a value is impossible.
    pub(crate) fn read(reader: &mut Reader<'_>, games: u32, first_game: u64) -> Option<Self> {
        let mut number =
            |max: u64| reader.varint().and_then(|number| u64::try_from(number).ok()).filter(|n| *n <= max);
        let games = u64::from(games);
        let mut tally =
            Self { games: number(games)?, white: number(games)?, draws: number(games)?, ..Self::default() };
        (tally.black, tally.both_lost) = (number(games)?, number(games)?);
        for (sum, count) in &mut tally.ratings {
            (*sum, *count) = (number(games * u64::from(u16::MAX))?, number(games)?);
        }
        (tally.first_year, tally.last_year) =
            (number(u16::MAX.into())? as u16, number(u16::MAX.into())? as u16);
        for _ in 0..number(games)? {
            let (rank, game) = (number(u64::MAX)?, number(games.checked_sub(1)?)? + first_game);
            tally.ranks.push((rank, Reverse(game)));
        }
        Some(tally)
    }

    /// Keeps a game as an example if it ranks among the best `examples`.
    #[inline]
    fn offer_example(&mut self, rank: (u64, Reverse<u64>), examples: usize) {
        let is_full = self.ranks.len() >= examples;
        if is_full && self.ranks.last().is_none_or(|last| *last >= rank) {
            return;
        }
        let place = self.ranks.partition_point(|other| *other > rank);
        if is_full {
            self.ranks.pop();
        }
        self.ranks.insert(place, rank);
    }

    /// Lists the examples, after all games have been counted.
    pub(crate) fn finish(&mut self) {
        self.examples = self.ranks.iter().map(|rank| rank.1.0).collect();
    }

    /// Adds the tally of other games.
    pub(crate) fn add(&mut self, other: &Self, examples: usize) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.both_lost += other.both_lost;
        for (sum, more) in self.ratings.iter_mut().zip(&other.ratings) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.add_years(other.first_year, other.last_year);
        other.ranks.iter().for_each(|&rank| self.offer_example(rank, examples));
    }
}
