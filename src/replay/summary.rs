//! The result of replaying one record.

use std::fmt;

use super::{GameStatus, ReplayStop, WrittenResult};
use crate::board::Numbering;
use crate::diag::{Code, Diagnostic};
use crate::position::{PieceCounts, Position, State};
use crate::rules::{GameRules, Variant};
use crate::simd::{self, Isa, Task};
use crate::value::{Colour, GameResult, Outcome, ScoreOrder};
use std::borrow::Cow;

/// Result of replaying one record. `Copy`, about 250 bytes; spans are relative to the first byte of the record.
///
/// ```
/// use pdn::replay::{GameStatus, Replayer};
/// use pdn::value::Colour;
///
/// // Black has to capture in move 4. The legal part of the game is kept.
/// let record = b"[Result \"0-2\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 32-28 24-30 *";
/// let summary = Replayer::default().summary(record);
/// assert_eq!((summary.status, summary.plies, summary.written), (GameStatus::Illegal, 7, 8));
/// assert_eq!((summary.winner(), summary.last_counts().men), (Some(Colour::Black), [19, 19]));
/// assert_eq!(summary.last_position().turn(), Colour::Black);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplaySummary {
    /// The status of the game.
    pub status: GameStatus,
    /// The variant under which it was replayed: a guess unless [`basis`](Self::basis) says how it is known.
    /// [`known_variant`](Self::known_variant) leaves guesses out.
    pub variant: Variant,
    /// The numbering of its squares: that of the variant unless the GameType tag specifies another.
    #[doc(hidden)]
    pub numbering: Numbering,
    /// How the variant is known.
    pub basis: VariantBasis,
    /// Another variant under which the whole game would be legal, if the tag or the file names one under which it is
    /// not. With [`VariantBasis::Moves`] the moves decided, and this field is the variant that they decided for.
    pub other_variant: Option<Variant>,
    /// Number of legal plies of the main line; null moves are not counted.
    pub plies: u32,
    /// Number of written moves of the main line, legal or not.
    pub written: u32,
    /// `true` if the start position comes from a FEN tag.
    pub from_fen: bool,
    /// `true` if the main line contains setups or null moves, so that not every position follows from moves.
    pub has_setups: bool,
    /// The position before the first ply.
    #[doc(hidden)]
    pub start: State<u128>,
    /// The position after the last legal ply.
    #[doc(hidden)]
    pub last: State<u128>,
    /// Where and why the replay stopped before the end of the game; `None` if it did not.
    pub stop: Option<ReplayStop>,
    /// The terminator; `None` without one. It counts only if the Result tag gives no result: see [`result`](Self::result).
    #[doc(hidden)]
    pub terminator: Option<WrittenResult>,
    /// The Result tag that counts: the first with a known outcome, else the first that says anything. `None` without a
    /// Result tag that has a value.
    #[doc(hidden)]
    pub result_tag: Option<WrittenResult>,
    /// The side that the first number of a score belongs to; that of PDN where both orders are one.
    #[doc(hidden)]
    pub scores: ScoreOrder,
}

impl ReplaySummary {
    /// Returns the rules with the numbering.
    #[inline]
    pub const fn game(&self) -> GameRules {
        GameRules::new(self.variant.rules(), self.numbering)
    }

    /// Returns the variant if something says which it is: a tag, the caller, the moves or the other games of the file. `None` if it
    /// is only assumed, so that [`variant`](Self::variant) must not be told as a fact.
    ///
    /// ```
    /// use pdn::replay::Replayer;
    /// use pdn::rules::Variant;
    ///
    /// let mut replayer = Replayer::default();
    /// assert_eq!(replayer.summary(b"1. 32-28 19-23 *").known_variant(), Some(Variant::International));
    /// assert_eq!(replayer.summary(b"[White \"Ames\"] 1-1").known_variant(), None);
    /// ```
    pub fn known_variant(&self) -> Option<Variant> {
        self.basis.is_known().then_some(self.variant)
    }

    /// Returns the position before the first ply.
    pub fn start_position(&self) -> Position {
        Position::from_state(self.game(), self.start)
    }

    /// Returns the position after the last legal ply.
    pub fn last_position(&self) -> Position {
        Position::from_state(self.game(), self.last)
    }

    /// Returns the numbers of pieces before the first ply.
    pub fn start_counts(&self) -> PieceCounts {
        piece_counts(&self.start)
    }

    /// Returns the numbers of pieces after the last legal ply.
    #[inline]
    pub fn last_counts(&self) -> PieceCounts {
        piece_counts(&self.last)
    }

    /// Returns the result that counts: that of the Result tag unless the tag gives none, else that of the terminator; see
    /// [`GameResult::or_later`](crate::value::GameResult::or_later). `None` if the record has neither.
    #[doc(hidden)]
    pub fn result(&self) -> Option<WrittenResult> {
        match (self.result_tag, self.terminator) {
            (Some(tag), Some(terminator)) => Some(tag.or_later(terminator)),
            (tag, terminator) => tag.or(terminator),
        }
    }

    /// Returns the outcome of the [result that counts](Self::result); [`Outcome::Unknown`] without one.
    #[inline]
    pub fn outcome(&self) -> Outcome {
        self.result().map_or(Outcome::Unknown, |result| result.outcome)
    }

    /// Returns the winner by the [result that counts](Self::result); `None` for a draw or an unknown outcome.
    ///
    /// The first number of a result belongs to the side that starts in this game type, unless the caller or the file says otherwise: see
    /// [`ScoreOrder`].
    pub fn winner(&self) -> Option<Colour> {
        self.outcome().winner(self.numbering.start)
    }

    /// Returns the text of a result of this record as PDN has it: with the number of the side that starts first.
    #[doc(hidden)]
    pub fn standard_score<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        match self.scores {
            ScoreOrder::First => Cow::Borrowed(text),
            ScoreOrder::White => GameResult::exchanged(text).map_or(Cow::Borrowed(text), Cow::Owned),
        }
    }

    /// Returns a diagnostic if the [result that counts](Self::result) contradicts the last position: a side that cannot
    /// move has lost, or has won in variants where that is the aim.
    pub fn result_diagnostic(&self) -> Option<Diagnostic> {
        let result = self.result().filter(|result| result.outcome != Outcome::Unknown)?;
        if self.status != GameStatus::Legal || self.plies == 0 {
            return None;
        }
        let winner = self.last_position().end()?.winner;
        let agrees = result.outcome.winner(self.numbering.start) == Some(winner);
        (!agrees).then(|| Diagnostic::new(Code::ResultAgainstBoard, result.span))
    }

    /// Returns `true` if the terminator and the Result tag give two different outcomes, neither of them unknown.
    pub fn results_differ(&self) -> bool {
        match (self.terminator, self.result_tag) {
            (Some(end), Some(tag)) => {
                end.outcome != tag.outcome
                    && end.outcome != Outcome::Unknown
                    && tag.outcome != Outcome::Unknown
            }
            _ => false,
        }
    }
}

fn piece_counts(state: &State<u128>) -> PieceCounts {
    simd::run(CountPieces(state))
}

/// Counts the pieces of a position, with one instruction per bitboard word on processors that have it.
// Twin: Position::counts; test: summary_counts_equal_position_counts.
struct CountPieces<'s>(&'s State<u128>);

impl Task for CountPieces<'_> {
    type Output = PieceCounts;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> PieceCounts {
        PieceCounts::of(self.0)
    }
}

/// How the variant of a game is known.
///
/// [`ReplaySummary::basis`] has it.
///
/// ```
/// use pdn::replay::{Replayer, VariantBasis};
///
/// let mut replayer = Replayer::default();
/// let mut basis = |record: &[u8]| replayer.summary(record).basis;
/// assert_eq!(basis(b"[GameType \"21\"]\n\n1. 11-15 *"), VariantBasis::Tag);
/// // The boards with 32 squares have no square 35.
/// assert_eq!(basis(b"1. 35-30 *"), VariantBasis::Game);
/// // In Russian draughts, a man of White stands on 28.
/// assert_eq!(basis(b"[GameType \"25\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *"), VariantBasis::Moves);
/// assert_eq!(basis(b"[White \"Ames\"] *"), VariantBasis::Guess);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum VariantBasis {
    /// The GameType tag or the Variant tag names it.
    Tag = 0,
    /// The caller named it.
    Caller = 1,
    /// Inferred: other games of the file are of this variant, and this game agrees.
    File = 2,
    /// Inferred from the game alone: square names, start position, side to move, and the legality of its moves.
    Game = 3,
    /// Inferred against the GameType tag or the file, under which the moves are illegal.
    Moves = 4,
    /// Assumed: the game has no moves, and its file does not show the variant.
    Guess = 5,
}

impl VariantBasis {
    /// Returns `true` if neither a tag nor the caller names the variant.
    pub const fn is_inferred(self) -> bool {
        !matches!(self, Self::Tag | Self::Caller)
    }

    /// Returns `true` if something says which variant it is, so that it is not only assumed.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Guess)
    }

    /// Returns the name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Caller => "caller",
            Self::File => "file",
            Self::Game => "game",
            Self::Moves => "moves",
            Self::Guess => "guess",
        }
    }
}

impl fmt::Display for VariantBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::{ReplayOptions, Replayer};

    #[test]
    fn summary_counts_equal_position_counts() {
        let mut replayer = Replayer::new(&ReplayOptions::default());
        for text in [
            &b"1. 32-28 19-23 2. 28x19 14x23 *"[..],
            b"[FEN \"W:W31-50,K1:BK2,3,46\"] *",
            b"[GameType \"30\"] *",
            b"[GameType \"27\"][FEN \"W:WK72,1:BK2,3,71\"] *",
        ] {
            let summary = replayer.summary(text);
            assert_eq!(summary.start_counts(), summary.start_position().counts());
            assert_eq!(summary.last_counts(), summary.last_position().counts());
        }
    }
}
