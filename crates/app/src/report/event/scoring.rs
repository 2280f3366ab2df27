//! Scoring systems: what a result is worth to each side.

use pdn::value::{GameResult, Outcome, Points};
use pdn_rules::internal::value::ResultFormat;

use crate::ask::named::named;

named! {
    /// What results are worth.
    pub enum Scoring {
        /// 1, 1/2 and 0
        Default = "default",
        /// 2, 1 and 0
        International = "international",
        /// 2, 1 and 0, and draws with an advantage, which decide between equal points
        PlusDraw = "plus-draw",
        /// 2, 1 1/2, 1, 1/2 and 0
        Delfts = "delfts",
        /// 2 points that are shared in hundredths
        Goes = "goes",
        /// 10 points that are shared
        TenPoint = "ten-point",
    }
}

/// The sum of both scores of a ten-point result, in hundredths.
const TEN_POINTS: u32 = 1000;

impl Scoring {
    /// All systems, the first of those that have a result being the one in which it is written.
    const ORDER: [Self; 6] =
        [Self::Default, Self::International, Self::PlusDraw, Self::Delfts, Self::Goes, Self::TenPoint];

    /// Returns the system of a result format; `None` for one that this version does not know.
    pub(crate) fn of_format(format: ResultFormat) -> Option<Self> {
        Self::ORDER.into_iter().find(|scoring| scoring.format() == Some(format))
    }

    fn format(self) -> Option<ResultFormat> {
        match self {
            Self::Default => Some(ResultFormat::Default),
            Self::International => Some(ResultFormat::International),
            Self::PlusDraw => Some(ResultFormat::PlusDraw),
            Self::Delfts => Some(ResultFormat::Delfts),
            Self::Goes => Some(ResultFormat::Goes),
            Self::TenPoint => None,
        }
    }

    /// Returns `true` if the system has a result as it is written.
    fn has(self, result: &GameResult<'_>) -> bool {
        match (self.format(), result) {
            (Some(format), _) => result.is_of_format(format),
            (None, GameResult::Score(first, second)) => {
                let sum = first.hundredths() + second.hundredths();
                sum == TEN_POINTS || sum == 0
            }
            (None, _) => false,
        }
    }

    /// Returns the points of a win, in hundredths.
    pub(crate) fn win(self) -> u32 {
        match self {
            Self::Default => 100,
            Self::TenPoint => TEN_POINTS,
            Self::International | Self::PlusDraw | Self::Delfts | Self::Goes => 200,
        }
    }

    /// Returns the points of the side that starts and of the other side, in hundredths; `None` without a known outcome. A result that is
    /// written in another system has the value of its outcome: of a win, a draw or a loss.
    pub(crate) fn points(self, result: &GameResult<'_>) -> Option<[u32; 2]> {
        if let GameResult::Score(first, second) = result
            && self.has(result)
        {
            return Some([first.hundredths(), second.hundredths()]);
        }
        match result.outcome() {
            Outcome::FirstWins => Some([self.win(), 0]),
            Outcome::SecondWins => Some([0, self.win()]),
            Outcome::Draw => Some([self.win() / 2; 2]),
            Outcome::BothLose => Some([0; 2]),
            Outcome::Unknown => None,
        }
    }

    /// Returns 1 for the side that starts and -1 for the other if the first one has the better of a draw, and the reverse. Only
    /// [`PlusDraw`](Self::PlusDraw) has such draws; one that is written in another system, such as `0.99-1.01`, is a draw there.
    pub(crate) fn advantage(self, result: &GameResult<'_>) -> [i32; 2] {
        match result.advantage() {
            Some(first)
                if self == Self::PlusDraw && self.has(result) && result.outcome() == Outcome::Draw =>
            {
                if first { [1, -1] } else { [-1, 1] }
            }
            _ => [0; 2],
        }
    }

    /// Returns the systems in which some of these results are written, with the numbers of results, the most used first.
    ///
    /// A result is written in the first system that has it; `0-0` belongs to all. A system is left out if another one that is used
    /// has all of its results: `2-0` and `1 1/2 - 1/2` is Delfts.
    pub(crate) fn used<'r, 'a: 'r>(
        results: impl Iterator<Item = &'r GameResult<'a>> + Clone,
    ) -> Vec<(Self, u64)> {
        let lost = GameResult::Score(Points::NONE, Points::NONE);
        let written = |scoring: Self| {
            let own = move |result: &&'r GameResult<'a>| {
                **result != lost && Self::ORDER.into_iter().find(|other| other.has(result)) == Some(scoring)
            };
            results.clone().filter(own)
        };
        // `*` belongs to every format, and is no result.
        let is_known = |result: &&GameResult<'_>| result.outcome() != Outcome::Unknown;
        let mut used: Vec<Self> =
            Self::ORDER.into_iter().filter(|&own| written(own).any(|result| is_known(&result))).collect();
        for scoring in used.clone() {
            let has_all = |other: &Self| {
                *other != scoring && written(scoring).filter(is_known).all(|result| other.has(result))
            };
            if used.iter().any(has_all) {
                used.retain(|other| *other != scoring);
            }
        }
        let count = |scoring: Self| {
            results.clone().filter(is_known).filter(|result| scoring.has(result)).count() as u64
        };
        let mut counts: Vec<(Self, u64)> =
            used.into_iter().map(|scoring| (scoring, count(scoring))).collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::named::Named;

    fn result(text: &str) -> GameResult<'_> {
        GameResult::parse(text.as_bytes())
    }

    #[test]
    fn results_have_their_points_in_every_system() {
        for (text, points) in [
            ("1-0", [[100, 0], [200, 0], [200, 0], [200, 0], [200, 0], [1000, 0]]),
            ("0-2", [[0, 100], [0, 200], [0, 200], [0, 200], [0, 200], [0, 1000]]),
            ("1/2-1/2", [[50, 50], [100, 100], [100, 100], [100, 100], [100, 100], [500, 500]]),
            ("1+ - 1-", [[50, 50], [100, 100], [100, 100], [100, 100], [100, 100], [500, 500]]),
            ("1 1/2 - 1/2", [[50, 50], [100, 100], [100, 100], [150, 50], [150, 50], [500, 500]]),
            ("0.99-1.01", [[50, 50], [100, 100], [100, 100], [100, 100], [99, 101], [500, 500]]),
            ("4-6", [[50, 50], [100, 100], [100, 100], [100, 100], [100, 100], [400, 600]]),
            ("9-1", [[100, 0], [200, 0], [200, 0], [200, 0], [200, 0], [900, 100]]),
            ("0-0", [[0, 0]; 6]),
            ("12-0", [[100, 0], [200, 0], [200, 0], [200, 0], [200, 0], [1000, 0]]),
        ] {
            for (scoring, expected) in Scoring::ORDER.into_iter().zip(points) {
                assert_eq!(scoring.points(&result(text)), Some(expected), "{text} {}", scoring.name());
            }
        }
        assert_eq!(Scoring::Default.points(&result("*")), None);
        assert_eq!(Scoring::PlusDraw.advantage(&result("1- - 1+")), [-1, 1]);
        for no_advantage_draw in ["2-0", "1 1/2 - 1/2", "0.99-1.01", "4-6"] {
            assert_eq!(Scoring::PlusDraw.advantage(&result(no_advantage_draw)), [0, 0]);
        }
        assert_eq!(Scoring::Delfts.advantage(&result("1 1/2 - 1/2")), [0, 0]);
    }

    #[test]
    fn systems_are_those_in_which_results_are_written() {
        for (results, expected) in [
            ("2-0 1-1 0-0 *", "international 3"),
            ("1-0 1/2-1/2 2-0", "default 2, international 1"),
            ("2-0|1+ - 1-|1-1", "plus-draw 3"),
            ("2-0|1 1/2 - 1/2|1-1", "delfts 3"),
            ("2-0|1 1/2 - 1/2|1.02-0.98", "goes 3"),
            ("4-6 10-0", "ten-point 2"),
            ("0-0 * 12-0", ""),
        ] {
            let separator = if results.contains('|') { '|' } else { ' ' };
            let parsed: Vec<GameResult<'_>> = results.split(separator).map(result).collect();
            let used = Scoring::used(parsed.iter());
            let texts: Vec<String> =
                used.iter().map(|(scoring, count)| format!("{} {count}", scoring.name())).collect();
            assert_eq!(texts.join(", "), expected, "{results}");
        }
    }
}
