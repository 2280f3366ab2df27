//! Counts games and their results, ratings and dates.

use std::cmp::Reverse;

use crate::format::wire::{Reader, Writer};
use crate::row::game_row::GameKind;
use crate::row::summary_bits::outcome_of;
use pdn::value::{Colour, Outcome};

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
/// assert_eq!((tally.score(Colour::White), tally.average_rating()), (Some(75.0), Some(2200.0)));
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
    /// The games that Black won. All other games have no result, or both sides lost.
    pub black: u64,
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
    /// Returns the points of a side in percent of the possible points: 100 for a win, 50 for a draw. Games without a result
    /// are left out; `None` if no game has one.
    pub fn score(&self, colour: Colour) -> Option<f64> {
        let decided = self.white + self.draws + self.black;
        let won = if colour == Colour::White { self.white } else { self.black };
        (decided > 0).then(|| (won as f64 + self.draws as f64 / 2.0) * 100.0 / decided as f64)
    }

    /// Returns the average of the known ratings of a side; `None` without any.
    pub fn rating(&self, colour: Colour) -> Option<f64> {
        let (sum, count) = self.ratings[colour as usize];
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Returns the average of all known ratings; `None` without any.
    pub fn average_rating(&self) -> Option<f64> {
        let [white, black] = self.ratings;
        let (sum, count) = (white.0 + black.0, white.1 + black.1);
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Counts a game, and keeps it as an example if it is among the best `examples`.
    #[inline]
    pub(crate) fn count(&mut self, game: &TallyValues, kind: &GameKind, examples: usize) {
        self.games += 1;
        match outcome_of(game.summary) {
            Some(Outcome::Draw) => self.draws += 1,
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
        for count in [self.games, self.white, self.draws, self.black] {
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
        tally.black = number(games)?;
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
        for (sum, more) in self.ratings.iter_mut().zip(&other.ratings) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.add_years(other.first_year, other.last_year);
        other.ranks.iter().for_each(|&rank| self.offer_example(rank, examples));
    }
}
