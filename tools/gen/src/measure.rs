//! Measures games: their length, the frequency of captures and promotions, and the variety of openings.
//!
//! Replays an archive of one variant by the rules. Moves are read in the forms of generated and clean real archives: two
//! or all squares, numeric or algebraic. A game counts as replayed up to the first move that cannot be read.

use std::collections::HashMap;
use std::fmt;

use pdn::board::{Square, SquareNames};
use pdn::position::{Position, StableKey};
use pdn::rules::Variant;
use pdn::split;
use pdn::value::{Fen, GameResult, Outcome};
use pdn::view::RecordView;

/// Counts over the games of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Records with at least one move.
    pub games: u64,
    /// Records replayed to their end.
    pub legal: u64,
    /// Plies replayed.
    pub plies: u64,
    /// Captures.
    pub captures: u64,
    /// Captures of two or more pieces.
    pub multi_captures: u64,
    /// Promotions.
    pub promotions: u64,
    /// Games with a promotion.
    pub with_king: u64,
    /// Games whose result is a draw.
    pub draws: u64,
    /// Number of games by their first eight plies; only games from the start position.
    pub openings: HashMap<Vec<(u8, u8)>, u64>,
    /// Number of games by position after 2, 4, 6 .. plies; only games from the start position.
    pub positions: [HashMap<StableKey, u64>; 10],
    /// Number of games by first ply.
    pub first: HashMap<(u8, u8), u64>,
    /// The first moves that could not be played: number of the game, ply, text.
    pub failures: Vec<(u64, usize, String)>,
    /// Number of plies of each replayed game, in order.
    pub lengths: Vec<u32>,
}

/// Measures the games of an archive of one variant.
pub fn measure(archive: &[u8], variant: Variant) -> Figures {
    let mut figures = Figures::default();
    for (number, record) in split::records(archive).enumerate() {
        figures.add(number as u64, &RecordView::from(record), variant);
    }
    figures
}

impl Figures {
    fn add(&mut self, number: u64, game: &RecordView<'_>, variant: Variant) {
        let fen = game.tag("FEN").and_then(|fen| Fen::parse(fen).ok());
        let position = fen.as_ref().map(|fen| Position::from_fen_lenient(variant, fen, |_| ()));
        let mut position = match position {
            None => Position::start(variant),
            Some(Ok(position)) => position,
            Some(Err(_)) => return,
        };
        let whole = position == Position::start(variant);
        let (mut opening, mut plies, mut crowned) = (Vec::new(), 0, false);
        for mv in game.moves() {
            let played = read(mv.text, variant.names()).and_then(|squares| {
                position.find(squares[0], squares[squares.len() - 1], &squares[1..squares.len() - 1]).ok()
            });
            let Some(played) = played else {
                self.failures.push((number, plies, String::from_utf8_lossy(mv.text).into_owned()));
                break;
            };
            if plies < 8 {
                opening.push((played.from.bit(), played.to.bit()));
            }
            if whole && plies > 0 && plies % 2 == 0 && plies / 2 <= self.positions.len() {
                *self.positions[plies / 2 - 1].entry(position.key()).or_default() += 1;
            }
            plies += 1;
            crowned |= played.promotes;
            self.captures += u64::from(played.is_capture());
            self.multi_captures += u64::from(played.captured.count_ones() > 1);
            self.promotions += u64::from(played.promotes);
            position.play_unchecked(&played);
        }
        if plies == 0 {
            return;
        }
        self.games += 1;
        self.plies += plies as u64;
        self.lengths.push(plies as u32);
        self.with_king += u64::from(crowned);
        self.legal += u64::from(self.failures.last().is_none_or(|&(failed, ..)| failed != number));
        let result = game.result().map(GameResult::parse);
        self.draws += u64::from(result.is_some_and(|result| result.outcome() == Outcome::Draw));
        if whole {
            *self.first.entry(opening[0]).or_default() += 1;
            if opening.len() == 8 {
                *self.openings.entry(opening).or_default() += 1;
            }
        }
    }

    /// Returns the mean number of plies per game, in tenths.
    pub fn tenths_of_plies(&self) -> u64 {
        10 * self.plies / self.games.max(1)
    }

    /// Returns `count` as a share of all plies, in thousandths.
    pub fn of_plies(&self, count: u64) -> u64 {
        1000 * count / self.plies.max(1)
    }

    /// Returns `count` as a share of all games, in thousandths.
    pub fn of_games(&self, count: u64) -> u64 {
        1000 * count / self.games.max(1)
    }

    /// Returns the share of the most popular first ply in games from the start position, in thousandths.
    pub fn favourite(&self) -> u64 {
        let all: u64 = self.first.values().sum();
        1000 * self.first.values().copied().max().unwrap_or(0) / all.max(1)
    }

    /// Returns the number of games for each different position after an even number of plies, from 2 to 20, in tenths.
    pub fn sharing(&self, plies: usize) -> u64 {
        let games = &self.positions[plies / 2 - 1];
        10 * games.values().sum::<u64>() / (games.len() as u64).max(1)
    }

    /// Returns the number of different sequences of eight first plies per thousand games.
    pub fn variety(&self) -> u64 {
        1000 * self.openings.len() as u64 / self.openings.values().sum::<u64>().max(1)
    }
}

/// Formats one row of a table: games, legal games, plies per game; captures, captures of two or more pieces and promotions
/// in percent of plies; games with a promotion, draws and the most popular first ply in percent of games; openings.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let at = |part: usize| lengths.get(lengths.len() * part / 10).copied().unwrap_or(0);
        let percent = |thousandths: u64| format!("{}.{}", thousandths / 10, thousandths % 10);
        write!(
            f,
            "{} | {} | {} | {}-{}-{} | {} | {} | {} | {} | {} | {} | {}",
            self.games,
            self.legal,
            percent(self.tenths_of_plies()),
            at(1),
            at(5),
            at(9),
            percent(self.of_plies(self.captures)),
            percent(self.of_plies(self.multi_captures)),
            percent(self.of_plies(self.promotions)),
            percent(self.of_games(self.with_king)),
            percent(self.of_games(self.draws)),
            percent(self.favourite()),
            percent(self.variety()),
        )
    }
}

/// Returns the squares of a written move.
fn read(text: &[u8], names: &SquareNames) -> Option<Vec<Square>> {
    let mut squares = Vec::with_capacity(4);
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let digits = |from: &[u8]| from.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = |digits: &[u8]| {
            digits.iter().fold(0u16, |n, byte| n.wrapping_mul(10).wrapping_add(u16::from(byte - b'0')))
        };
        if first.is_ascii_alphabetic() && !first.eq_ignore_ascii_case(&b'x') {
            let end = 1 + digits(&rest[1..]);
            let rank = u8::try_from(number(&rest[1..end])).ok()?;
            squares.push(names.of_algebraic(first.to_ascii_lowercase() - b'a', rank)?);
            rest = &rest[end..];
        } else if first.is_ascii_digit() {
            let end = digits(rest);
            squares.push(names.of_number(number(&rest[..end]))?);
            rest = &rest[end..];
        } else {
            rest = &rest[1..];
        }
    }
    (squares.len() > 1).then_some(squares)
}
