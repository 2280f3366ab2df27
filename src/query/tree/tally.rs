//! What is counted of games.

use std::cmp::Reverse;

use crate::index::{GameKind, outcome_of};
use crate::value::{Colour, Outcome};

/// Games and how they ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GameTally {
    /// Games.
    pub games: u64,
    /// Of these, won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black. What is left has no result, or both have lost.
    pub black: u64,
    /// Of each side, the sum of its known ratings and how many there are.
    pub ratings: [(u64, u64); 2],
    /// The latest year of a known date; 0 for none.
    pub last_year: u16,
    /// Numbers of some games: of the highest rated players, then the latest, then the first.
    pub examples: Vec<u64>,
    /// What the examples are chosen by, best first: ratings, date, number of the game.
    ranks: Vec<(u64, Reverse<u64>)>,
}

/// What counts of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) number: u64,
    pub(super) summary: u64,
    pub(super) date: u64,
    pub(super) ratings: [u64; 2],
}

impl GameTally {
    /// Points of the side in percent of all that could be had, of games with a result: a win 100, a draw 50.
    pub fn score(&self, colour: Colour) -> Option<f64> {
        let decided = self.white + self.draws + self.black;
        let won = if colour == Colour::White { self.white } else { self.black };
        (decided > 0).then(|| (won as f64 + self.draws as f64 / 2.0) * 100.0 / decided as f64)
    }

    /// The average of the known ratings of a side.
    pub fn rating(&self, colour: Colour) -> Option<f64> {
        let (sum, count) = self.ratings[colour as usize];
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The average of all known ratings.
    pub fn average_rating(&self) -> Option<f64> {
        let [white, black] = self.ratings;
        let (sum, count) = (white.0 + black.0, white.1 + black.1);
        (count > 0).then(|| sum as f64 / count as f64)
    }

    #[inline]
    pub(super) fn count(&mut self, facts: &Facts, kind: &GameKind, examples: usize) {
        self.games += 1;
        match outcome_of(facts.summary) {
            Some(Outcome::Draw) => self.draws += 1,
            Some(outcome) => match outcome.winner(kind.numbering.start) {
                Some(Colour::White) => self.white += 1,
                Some(Colour::Black) => self.black += 1,
                None => {}
            },
            None => {}
        }
        for (sum, &rating) in self.ratings.iter_mut().zip(&facts.ratings) {
            *sum = (sum.0 + rating, sum.1 + u64::from(rating != 0));
        }
        self.last_year = self.last_year.max((facts.date >> 9) as u16);
        let rank = (facts.ratings[0] + facts.ratings[1]) << 32 | facts.date;
        self.example((rank, Reverse(facts.number)), examples);
    }

    #[inline]
    fn example(&mut self, rank: (u64, Reverse<u64>), examples: usize) {
        let full = self.ranks.len() >= examples;
        if full && self.ranks.last().is_none_or(|last| *last >= rank) {
            return;
        }
        let place = self.ranks.partition_point(|known| *known > rank);
        self.ranks.insert(place, rank);
        self.examples.insert(place, rank.1.0);
        self.ranks.truncate(examples);
        self.examples.truncate(examples);
    }

    pub(super) fn add(&mut self, other: &Self, examples: usize) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        for (sum, more) in self.ratings.iter_mut().zip(&other.ratings) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.last_year = self.last_year.max(other.last_year);
        other.ranks.iter().for_each(|&rank| self.example(rank, examples));
    }
}
