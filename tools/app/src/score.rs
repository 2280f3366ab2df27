//! Scores of a person: games that were won, drawn and lost.

use pdn::value::{Colour, Outcome};
use serde::Serialize;

/// The results of some games, from the side of one person.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Score {
    pub(crate) games: u64,
    pub(crate) won: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
    /// Games that were declared lost for both sides, which are not among `lost`.
    pub(crate) both_lost: u64,
}

impl Score {
    /// Adds a game in which the person has this colour. `start` is the side that starts in the game type, to which the outcome refers.
    pub(crate) fn add_game(&mut self, outcome: Outcome, start: Colour, colour: Colour) {
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
    pub(crate) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.both_lost += other.both_lost;
    }

    /// Returns the number of games with a result.
    fn decided(&self) -> u64 {
        self.won + self.drawn + self.lost + self.both_lost
    }

    /// Returns the points in percent of the possible ones; `None` without a result.
    pub(crate) fn percent(&self) -> Option<f64> {
        let decided = self.decided();
        (decided > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) * 100.0 / decided as f64)
    }

    /// Returns the score with the keys of JSON.
    pub(crate) fn answer(&self) -> ScoreAnswer {
        ScoreAnswer {
            games: self.games,
            won: self.won,
            drawn: self.drawn,
            lost: self.lost,
            both_lost: self.both_lost,
            unknown: self.games - self.decided(),
            score: self.percent(),
        }
    }
}

/// The results of some games, from the side of one person.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreAnswer {
    /// The number of games.
    pub games: u64,
    /// Games that the person won.
    pub won: u64,
    /// Drawn games.
    pub drawn: u64,
    /// Games that the person lost.
    pub lost: u64,
    /// Games that were declared lost for both sides (`0-0`), which are not among `lost`.
    pub both_lost: u64,
    /// Games without a known result.
    pub unknown: u64,
    /// The points in percent of the possible ones, with one for a win and a half for a draw; null without a result.
    pub score: Option<f64>,
}

/// The first and the last year of some games; `None` if no year is known.
pub(crate) type Years = Option<(u16, u16)>;

/// Returns the years from the first to the last of two ranges.
pub(crate) fn join_years(one: Years, other: Years) -> Years {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

/// Returns the range of a single year.
pub(crate) fn year_alone(year: Option<u16>) -> Years {
    year.map(|year| (year, year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_both_lost_count_as_games_without_points() {
        let mut score = Score::default();
        for (outcome, start) in [
            (Outcome::FirstWins, Colour::White),
            (Outcome::FirstWins, Colour::Black),
            (Outcome::Draw, Colour::Black),
            (Outcome::BothLose, Colour::White),
            (Outcome::Unknown, Colour::White),
        ] {
            score.add_game(outcome, start, Colour::White);
        }
        let answer = score.answer();
        assert_eq!((answer.games, answer.won, answer.drawn, answer.lost), (5, 1, 1, 1));
        assert_eq!((answer.both_lost, answer.unknown, answer.score), (1, 1, Some(37.5)));
        assert_eq!(Score::default().percent(), None);
    }
}
