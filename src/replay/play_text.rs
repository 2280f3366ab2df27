//! Plays moves that a user typed, such as `1. 32-28 19-23`, from a position.

use std::error::Error;
use std::fmt;

use super::StopReason;
use super::line::{LineTokenKind, MainLine};
use super::play::{LineContext, LineCursor, LookAhead};
use crate::limits::Limits;
use crate::movegen::{MoveError, MoveList, SearchBudget};
use crate::notation::SquareCodes;
use crate::parse::walk;
use crate::position::{Position, State};
use crate::rules::{BitsOf, Ruleset, WithRules};
use crate::span::Span;

/// Plays the moves of `text` from `position` and returns the position after them.
///
/// Moves are resolved as in the main line of a record: move numbers may be left out, every dialect is understood, and
/// comments and variations are skipped. Playing ends at a result.
///
/// # Errors
/// If a part of the text is not a move, or a move is not legal, or several legal moves match it.
///
/// ```
/// use pdn::movegen::MoveError;
/// use pdn::position::Position;
/// use pdn::replay::play_text;
/// use pdn::rules::Variant;
///
/// let start = Position::start(Variant::International);
/// let position = play_text(&start, "1. 32-28 19-23 2. 28x19")?;
/// assert_eq!(position.counts().men, [20, 19]);
///
/// let error = play_text(&start, "1. 32-28 19-23 2. 33-29").unwrap_err();
/// assert_eq!(error.reason, MoveError::MustCapture.into());
/// assert_eq!((error.span.start, error.span.end), (18, 23));
/// # Ok::<(), pdn::replay::PlayTextError>(())
/// ```
pub fn play_text(position: &Position, text: impl AsRef<[u8]>) -> Result<Position, PlayTextError> {
    play_bytes(position, text.as_ref())
}

fn play_bytes(position: &Position, text: &[u8]) -> Result<Position, PlayTextError> {
    let mut line = MainLine::default();
    walk(text, &mut line);
    let (state, stop) = position.rules().with(TextPlayer { position, text, line: &line });
    let position = Position::from_state(*position.game(), state);
    match stop {
        None => Ok(position),
        Some((span, reason)) => Err(PlayTextError { span, position: Box::new(position), reason }),
    }
}

/// The error of [`play_text`]: the part of the text that could not be played.
///
/// ```
/// use pdn::notation::MoveStyle;
/// use pdn::position::Position;
/// use pdn::replay::play_text;
/// use pdn::rules::Variant;
///
/// let start = Position::start(Variant::International);
/// let error = play_text(&start, "1. 32-28 19-23 2. 33-29").unwrap_err();
/// assert_eq!(error.to_string(), "the move at bytes 18..23 cannot be played: the side to move must capture");
/// // A program can show the legal moves of this position.
/// let moves = error.position.moves()?;
/// assert_eq!(moves.len(), 1);
/// assert_eq!(error.position.move_text(&moves[0], MoveStyle::Shortest), "28x19");
/// # Ok::<(), pdn::movegen::CaptureLimit>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlayTextError {
    /// The span of the part, relative to the first byte of the text.
    pub span: Span,
    /// The position in which it could not be played.
    pub position: Box<Position>,
    /// The reason.
    pub reason: StopReason,
}

impl fmt::Display for PlayTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { span, reason, .. } = self;
        write!(f, "the move at bytes {}..{} cannot be played: {reason}", span.start, span.end)
    }
}

impl Error for PlayTextError {}

/// A text to be played under the rules of a position.
struct TextPlayer<'a> {
    position: &'a Position,
    text: &'a [u8],
    line: &'a MainLine,
}

impl WithRules for TextPlayer<'_> {
    type Output = (State<u128>, Option<(Span, StopReason)>);

    fn run<R: Ruleset>(self, rules: R) -> Self::Output {
        let Self { position, text, line } = self;
        let context = LineContext {
            text,
            tokens: &line.tokens,
            codes: &SquareCodes::new(&position.names()),
            game: position.game(),
            budget: &SearchBudget::new(Limits::DEFAULT.capture_nodes),
        };
        let mut cursor = LineCursor::<BitsOf<R>>::new(position.state().resized());
        let (mut look_ahead, mut list) = (LookAhead::new(), MoveList::new());
        let stop = loop {
            let Some(token) = line.tokens.get(cursor.at) else { break None };
            // A replay skips stray text in a record. In a typed text it is a mistake.
            if token.kind == LineTokenKind::StrayText {
                break Some((token.span, StopReason::Move(MoveError::Unreadable)));
            }
            if let Err(reason) = look_ahead.step(&context, rules, &mut cursor, &mut list) {
                break Some((token.span, reason));
            }
        };
        (cursor.state.resized(), stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use crate::value::Fen;

    #[test]
    fn play_text_returns_the_position_or_the_first_unplayable_part() {
        let start = Position::start(Variant::International);
        let fen = |text: &str| play_text(&start, text).expect("legal moves").fen().to_string();
        assert_eq!(fen("1. 32-28 19-23 2.28x19 14x23"), fen("3228 1923 {x} 28:19 14-23 *"));
        assert_eq!(fen(""), start.fen().to_string());
        let stop = |text: &'static str| {
            let error = play_text(&start, text).expect_err("not playable");
            (&text[error.span.start as usize..error.span.end as usize], error.reason)
        };
        assert_eq!(stop("1. 32-28 nonsense 19-23"), ("nonsense", StopReason::Move(MoveError::Unreadable)));
        assert_eq!(stop("1. 32-28 32-27"), ("32-27", StopReason::Move(MoveError::NoPiece)));
        assert_eq!(stop("32-28 19-51"), ("19-51", StopReason::Move(MoveError::NoSuchSquare)));
    }

    #[test]
    fn play_text_decides_ambiguous_moves_by_those_after_them() {
        let fen = Fen::parse(b"B:W6,7,14,15,32:B3").expect("a FEN");
        let position = Position::from_fen_lenient(Variant::Italian, &fen, |_| {}).expect("a position");
        assert!(play_text(&position, "3x19 7-3").is_ok());
        let error = play_text(&position, "3x19 32-28").expect_err("ambiguous");
        assert_eq!(
            (error.reason, error.position),
            (StopReason::Move(MoveError::Ambiguous), Box::new(position))
        );
    }
}
