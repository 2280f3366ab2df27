//! The answer that a score is in reports.

use pdn::internal::value::Score;
use serde::Serialize;

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

impl ScoreAnswer {
    /// Returns a score with the keys of JSON.
    pub(crate) fn of(score: &Score) -> Self {
        Self {
            games: score.games,
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            both_lost: score.both_lost,
            unknown: score.games - score.decided(),
            score: score.percent(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pdn::value::{Colour, Outcome};

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
        let answer = ScoreAnswer::of(&score);
        assert_eq!((answer.games, answer.won, answer.drawn, answer.lost), (5, 1, 1, 1));
        assert_eq!((answer.both_lost, answer.unknown, answer.score), (1, 1, Some(37.5)));
        assert_eq!(Score::default().percent(), None);
    }
}
