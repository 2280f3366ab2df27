//! Words for colours, winners and the ways a variant is known, and the order in which moves are listed.

use pdn::board::SquareNames;
use pdn::movegen::MoveError;
use pdn::position::Move;
use pdn::replay::{StopReason, VariantBasis};
use pdn::value::{Colour, Outcome};

/// Returns the name of a colour as in JSON: `white`.
pub const fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

/// Returns who won, as in JSON: `white`, `black`, `draw`, or `None` if the outcome is unknown or both sides lost. `start` is
/// the side that starts in the game type.
pub fn winner_name(outcome: Outcome, start: Colour) -> Option<&'static str> {
    if outcome == Outcome::Draw { Some("draw") } else { outcome.winner(start).map(colour_name) }
}

/// Returns the name of a colour as in a sentence: `White`.
pub const fn colour_title(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Returns how a variant is known, as in JSON: by the `tag`, by the `option`, or `inferred`.
pub const fn variant_from(basis: VariantBasis) -> &'static str {
    match basis {
        VariantBasis::Tag => "tag",
        VariantBasis::Caller => "option",
        _ => "inferred",
    }
}

/// Returns why a replay stopped, as in JSON: a word that stands for [`StopReason::text`] in every language.
pub const fn cause_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Move(MoveError::NoPiece) => "no_piece",
        StopReason::Move(MoveError::OtherSide) => "other_side",
        StopReason::Move(MoveError::MustCapture) => "must_capture",
        StopReason::Move(MoveError::Precedence) => "precedence",
        StopReason::Move(MoveError::Unfinished) => "unfinished",
        StopReason::Move(MoveError::OtherPath) => "other_path",
        StopReason::Move(MoveError::KingStreak) => "king_streak",
        StopReason::Move(MoveError::NoSuchSquare) => "no_such_square",
        StopReason::Move(MoveError::Unreadable) => "unreadable",
        StopReason::Move(MoveError::Ambiguous) => "ambiguous",
        StopReason::Move(MoveError::CaptureLimit) => "capture_limit",
        StopReason::MissingMove => "missing_move",
        StopReason::LostText => "lost_text",
        StopReason::BadPosition => "bad_position",
        StopReason::NotDraughts => "not_draughts",
        StopReason::UnclosedComment => "unclosed_comment",
        _ => "impossible",
    }
}

/// Returns the moves sorted by the numbers of their first and last squares.
pub fn sorted_moves(moves: &[Move], names: &SquareNames) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_by_key(|mv| (names.number(mv.from), names.number(mv.to), mv.captured));
    moves
}
