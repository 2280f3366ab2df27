//! Scores of one person in some games.

use std::ops::AddAssign;

use super::{Colour, Outcome};

/// The results of some games, from the side of one person.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// Games that the person won.
    pub won: u64,
    /// Drawn games.
    pub drawn: u64,
    /// Games that the person lost.
    pub lost: u64,
    /// Games that were declared lost for both sides, which are not among `lost`.
    pub both_lost: u64,
}

impl Score {
    /// Adds a game in which the person has this colour. `start` is the side that starts in the game type, to which the outcome refers.
    ///
    /// ```
    /// use pdn::value::{Colour, Outcome};
    /// use pdn::internal::value::Score;
    ///
    /// let mut score = Score::default();
    /// score.add_game(Outcome::FirstWins, Colour::White, Colour::White);
    /// score.add_game(Outcome::BothLose, Colour::White, Colour::White);
    /// assert_eq!((score.won, score.both_lost, score.percent()), (1, 1, Some(50.0)));
    /// ```
    pub fn add_game(&mut self, outcome: Outcome, start: Colour, colour: Colour) {
        self.games += 1;
        match outcome {
            Outcome::Draw => self.drawn += 1,
            Outcome::BothLose => self.both_lost += 1,
            Outcome::Unknown => {}
            Outcome::FirstWins | Outcome::SecondWins => {
                if outcome.winner(start) == Some(colour) {
                    self.won += 1
                } else {
                    self.lost += 1
                }
            }
        }
    }

    /// Adds the games of another score.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.both_lost += other.both_lost;
    }

    /// Returns the number of games with a result.
    pub fn decided(&self) -> u64 {
        self.won + self.drawn + self.lost + self.both_lost
    }

    /// Returns the points in percent of the possible ones, with one for a win and a half for a draw; `None` without a result.
    pub fn percent(&self) -> Option<f64> {
        let decided = self.decided();
        (decided > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) * 100.0 / decided as f64)
    }
}

/// The results of some games, from the side of one person, with their years and the highest rating in them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The results.
    pub score: Score,
    /// The first year; `None` if no year is known.
    pub first_year: Option<u16>,
    /// The last year; `None` if no year is known.
    pub last_year: Option<u16>,
    /// The highest rating; 0 if none is known.
    pub rating: u16,
}

impl Tally {
    /// Creates the tally of games of one year; 0 stands for no rating.
    pub fn of_year(score: Score, year: Option<u16>, rating: u16) -> Self {
        Self { score, first_year: year, last_year: year, rating }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.score.add(&other.score);
        self.first_year = [self.first_year, other.first_year].into_iter().flatten().min();
        self.last_year = self.last_year.max(other.last_year);
        self.rating = self.rating.max(other.rating);
    }
}
