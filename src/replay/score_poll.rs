//! The evidence for the order of the numbers of scores: games that end on the board show who won them.
//!
//! Only games that Black starts can have two orders. As with the variant, the first records of a file decide about all of them, so that a
//! pipe, a part of a file and a file read by many threads give the same results.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use super::memory::ReplayMemory;
use super::{FilePrior, ReplayOptions};
use crate::archive::InputHead;
use crate::error::UnknownName;
use crate::position::Position;
use crate::value::{Colour, Outcome, ScoreOrder};

/// Number of games that have to show the other order.
const MIN_GAMES: u32 = 2;
/// Number of games whose places are told.
const MAX_PLACES: usize = 3;

/// What the first records of a file show about the order of the numbers of its scores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreEvidence {
    /// Number of games whose end on the board shows that the first number is that of White.
    white: u32,
    /// Number of games whose end shows that it is that of the side that starts.
    first: u32,
    /// The offsets of the first records that show the order.
    places: Vec<u64>,
}

impl ScoreEvidence {
    /// Returns the order that the games show: that of PDN unless at least two games show the other one, and none contradicts them.
    pub const fn order(&self) -> ScoreOrder {
        if self.white >= MIN_GAMES && self.first == 0 { ScoreOrder::White } else { ScoreOrder::First }
    }

    /// Returns the number of games that show the order of White.
    pub const fn games(&self) -> u32 {
        self.white
    }

    /// Returns the offsets of the first records that show the order of White, in their input.
    pub fn places(&self) -> &[u64] {
        &self.places
    }

    /// Replays the first records of an input, as many as for the prior of its variants, with that prior.
    pub(super) fn poll(input: &InputHead, prior: &FilePrior, options: &ReplayOptions) -> Self {
        let mut evidence = Self::default();
        let mut memory = ReplayMemory::new();
        let (mut records, mut bytes) = (0, 0);
        input.each_first_record(|record| {
            match shown_order(record.bytes, &mut memory, prior, options) {
                Some(ScoreOrder::First) => evidence.first += 1,
                Some(ScoreOrder::White) => {
                    evidence.white += 1;
                    if evidence.places.len() < MAX_PLACES {
                        evidence.places.push(record.offset);
                    }
                }
                None => {}
            }
            (records, bytes) = (records + 1, bytes + record.bytes.len());
            match records < InputHead::RECORDS && bytes < InputHead::BYTES && evidence.first == 0 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        evidence
    }
}

/// Returns the order that a record shows: Black starts, the last position ends the game, and the score has a winner.
fn shown_order(
    record: &[u8],
    memory: &mut ReplayMemory,
    prior: &FilePrior,
    options: &ReplayOptions,
) -> Option<ScoreOrder> {
    memory.record_line(record, options.limits.unwrap_or_default());
    let results = [memory.line.result, memory.line.terminator].into_iter().flatten();
    let mut winners = results.filter_map(|result| match result.outcome {
        Outcome::FirstWins => Some(Colour::Black),
        Outcome::SecondWins => Some(Colour::White),
        _ => None,
    });
    // Words name the winner, and are no outcome yet.
    let written = winners.next()?;
    if winners.next().is_some_and(|other| other != written) {
        return None;
    }
    // Most games that end on the board end with a capture; the others are not worth a replay.
    let last = memory.line.tokens.iter().next_back()?;
    if !last.span.of(record).iter().any(|byte| matches!(byte, b'x' | b'X' | b':')) {
        return None;
    }
    let mut chooser = memory.chooser(record, options);
    let choice = chooser.choose_named(&mut ()).unwrap_or_else(|| chooser.infer(prior, &mut ()));
    let (candidate, outcome) = (choice.trial.candidate, choice.trial.outcome);
    let is_whole = choice.is_draughts && outcome.stop.is_none() && outcome.plies > 0;
    if candidate.numbering.start != Colour::Black || !is_whole {
        return None;
    }
    let winner = Position::from_state(candidate.game(), outcome.last).end()?.winner;
    Some(if written == winner { ScoreOrder::First } else { ScoreOrder::White })
}

/// Writes the numbers of games that show the order of White and of those that show the other, and the offsets, separated by commas; nothing
/// if no game shows one.
impl fmt::Display for ScoreEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            return Ok(());
        }
        write!(f, "{},{}", self.white, self.first)?;
        self.places.iter().try_for_each(|place| write!(f, ",{place}"))
    }
}

impl FromStr for ScoreEvidence {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If a part of the text is not a number.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let unknown = UnknownName { expected: "numbers of games and offsets, separated by commas" };
        if text.is_empty() {
            return Ok(Self::default());
        }
        let mut numbers = text.split(',').map(|number| number.parse::<u64>().map_err(|_| unknown));
        let mut count = || -> Result<u32, UnknownName> {
            u32::try_from(numbers.next().ok_or(unknown)??).map_err(|_| unknown)
        };
        let (white, first) = (count()?, count()?);
        let places: Vec<u64> = numbers.collect::<Result<_, _>>()?;
        if places.len() > MAX_PLACES {
            return Err(unknown);
        }
        Ok(Self { white, first, places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;
    use crate::replay::Replayer;
    use crate::source::OpenOptions;

    /// A game that White ends by its last move.
    const WHITE_WINS: &str = "[GameType \"21\"] [FEN \"W:W18:B15\"] 1... 18x11";
    /// A game that Black ends by its last move.
    const BLACK_WINS: &str = "[GameType \"21\"] [FEN \"B:W18:B15\"] 1. 15x22";

    /// Returns the evidence of an archive, and the winner of its last game.
    fn read(text: &str, options: &OpenOptions) -> (ScoreEvidence, Option<Colour>) {
        let text = std::io::Cursor::new(text.to_owned());
        let archive = Archive::from_reader(text, "games.pdn", options).unwrap();
        let mut replayer = Replayer::default();
        let (mut evidence, mut winner) = (ScoreEvidence::default(), None);
        for game in archive.games() {
            let game = game.unwrap();
            winner = replayer.summary(&game).winner();
            evidence = ScoreEvidence::of_input(InputGameOf(&game).input(), &ReplayOptions::new());
        }
        (evidence, winner)
    }

    /// Reaches the input of a game.
    struct InputGameOf<'g>(&'g crate::archive::ArchiveGame);

    impl<'g> InputGameOf<'g> {
        fn input(&self) -> &'g InputHead {
            crate::archive::InputRecord::from(self.0).input().unwrap()
        }
    }

    #[test]
    fn two_ends_that_agree_show_the_order() {
        let undecided = "[GameType \"21\"] 1. 11-15 1-0";
        for (games, order) in [
            (vec![format!("{WHITE_WINS} 1-0")], ScoreOrder::First),
            (vec![format!("{WHITE_WINS} 1-0"), format!("{BLACK_WINS} 0-1")], ScoreOrder::White),
            (vec![format!("{WHITE_WINS} 2-0"), format!("{BLACK_WINS} 0-1 (time)")], ScoreOrder::White),
            (vec![format!("{WHITE_WINS} 1-0"); 3], ScoreOrder::White),
            // Against each other, whichever comes first.
            (
                vec![format!("{WHITE_WINS} 1-0"), format!("{WHITE_WINS} 1-0"), format!("{BLACK_WINS} 1-0")],
                ScoreOrder::First,
            ),
            (
                vec![format!("{BLACK_WINS} 1-0"), format!("{WHITE_WINS} 1-0"), format!("{WHITE_WINS} 1-0")],
                ScoreOrder::First,
            ),
            // Draws, words and other results show nothing.
            (vec![format!("{WHITE_WINS} 1/2-1/2"), format!("{BLACK_WINS} *")], ScoreOrder::First),
            (vec![format!("{WHITE_WINS} Black resigns"), format!("{WHITE_WINS} 1-0")], ScoreOrder::First),
            (vec![format!("[Result \"0-1\"] {WHITE_WINS} 1-0"); 2], ScoreOrder::First),
            // White starts.
            (
                vec![format!("{WHITE_WINS} 0-1").replace("21", "21,W,8,8,A0,0").replace("18x11", "f4xd6"); 2],
                ScoreOrder::First,
            ),
        ] {
            let text = [games.join("\n\n"), undecided.to_owned()].join("\n\n");
            let (evidence, winner) = read(&text, &OpenOptions::new());
            assert_eq!(evidence.order(), order, "{text}");
            assert_eq!(winner, Some(order.first_side(Colour::Black)), "{text}");
            assert_eq!(evidence.to_string().parse(), Ok(evidence), "{text}");
            for said in ScoreOrder::ALL {
                let (_, winner) = read(&text, &OpenOptions::new().scores(Some(said)));
                assert_eq!(winner, Some(said.first_side(Colour::Black)), "{text}");
            }
        }
    }

    #[test]
    fn games_after_the_first_ones_show_nothing() {
        let undecided = "[GameType \"21\"] 1. 11-15 1-0\n\n";
        for (before, order) in [(254, ScoreOrder::White), (255, ScoreOrder::First)] {
            let text = [&undecided.repeat(before)[..], &format!("{WHITE_WINS} 1-0\n\n").repeat(2)].concat();
            assert_eq!(read(&text, &OpenOptions::new()).0.order(), order, "{before}");
        }
    }
}
