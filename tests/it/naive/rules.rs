//! The rules of each variant: how men and kings move and capture, and which captures take precedence.

use super::board::Colour;
use pdn::rules::Variant;

/// The rules of one variant and its numbering. Each disputed reading is one field.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) name: &'static str,
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) numbering: Numbering,
    pub(crate) starts: Colour,
    pub(crate) rows_of_men: i32,
    /// Empty rows between a player's edge and the men at the start.
    pub(crate) empty_rows: i32,
    pub(crate) moves: Moves,
    pub(crate) man_captures: ManCaptures,
    pub(crate) man_takes_king: bool,
    pub(crate) king_flies: bool,
    pub(crate) king_lands: KingLands,
    /// A captured piece is removed at once instead of at the end of the move.
    pub(crate) removed_at_once: bool,
    /// A capture may not turn back by 180 degrees between two jumps.
    pub(crate) no_half_turn: bool,
    pub(crate) last_row: LastRow,
    pub(crate) precedence: Precedence,
    /// The number of quiet moves in a row that one king may make while its side has a man; `None` for no limit.
    pub(crate) king_moves_in_a_row: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbering {
    /// 1 is the second cell of the top row.
    FromTopLeft,
    /// 1 is the top left corner.
    FromTopLeftCorner,
    /// 1 is the last but one cell of the bottom row; numbers run leftwards and up.
    FromBottomRight,
    /// 1 is the bottom right corner; numbers run leftwards and up.
    FromBottomRightCorner,
    /// a1 is the bottom left corner.
    Letters,
    /// As `Letters`, on every cell of the board.
    LettersEveryCell,
}

/// The lines of quiet moves; men move only forwards (and sideways).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moves {
    Diagonally,
    Orthogonally,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ManCaptures {
    /// In the directions in which it moves.
    AsItMoves,
    /// Forwards and backwards.
    Diagonally,
    /// Diagonally and, over two cells at a time, orthogonally; kings too.
    EightWays,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KingLands {
    Anywhere,
    RightBehind,
}

/// The fate of a man that reaches the last row in a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LastRow {
    /// The move ends there.
    Stops,
    /// It continues as a man and is promoted only if the capture ends on the last row.
    PassesAsMan,
    /// It is promoted at once and continues as a king.
    GoesOnAsKing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precedence {
    Free,
    MostPieces,
    MostPiecesThenMostKings,
    /// A king must capture if it can.
    ByKing,
    /// Most pieces; then by a king; then most kings; then kings early.
    Italian(KingsEarly),
    /// Highest value; then by a king.
    Value(KingWorth),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KingsEarly {
    Every,
    FirstOnly,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KingWorth {
    /// n kings are worth more than 2n-1 men and less than 2n men.
    NearlyTwoMen,
    AManAndAHalf,
}

/// Iterates over the names of all variants but those that are pool checkers with other names of squares.
pub(crate) fn variants() -> impl Iterator<Item = &'static str> {
    let of_pool = [Variant::UnifiedPool, Variant::ZimbabweanPool, Variant::Jamaican];
    Variant::ALL.iter().filter(move |variant| !of_pool.contains(variant)).map(|variant| variant.name())
}

/// Returns the rules of a variant in the default reading.
pub(crate) fn rules(variant: &str) -> Rules {
    let international = Rules {
        name: "international",
        width: 10,
        height: 10,
        numbering: Numbering::FromTopLeft,
        starts: Colour::White,
        rows_of_men: 4,
        empty_rows: 0,
        moves: Moves::Diagonally,
        man_captures: ManCaptures::Diagonally,
        man_takes_king: true,
        king_flies: true,
        king_lands: KingLands::Anywhere,
        removed_at_once: false,
        no_half_turn: false,
        last_row: LastRow::PassesAsMan,
        precedence: Precedence::MostPieces,
        king_moves_in_a_row: None,
    };
    let eight = Rules { width: 8, height: 8, rows_of_men: 3, ..international.clone() };
    let frisian = Rules {
        name: "frisian",
        man_captures: ManCaptures::EightWays,
        precedence: Precedence::Value(KingWorth::NearlyTwoMen),
        king_moves_in_a_row: Some(3),
        ..international.clone()
    };
    let spanish = Rules {
        name: "spanish",
        numbering: Numbering::FromBottomRightCorner,
        man_captures: ManCaptures::AsItMoves,
        last_row: LastRow::Stops,
        precedence: Precedence::MostPiecesThenMostKings,
        ..eight.clone()
    };
    let russian = Rules {
        name: "russian",
        numbering: Numbering::Letters,
        last_row: LastRow::GoesOnAsKing,
        precedence: Precedence::Free,
        ..eight.clone()
    };
    match variant {
        "international" => international,
        "breakthrough" => Rules { name: "breakthrough", ..international },
        "antidraughts" => Rules { name: "antidraughts", ..international },
        "canadian" => Rules { name: "canadian", width: 12, height: 12, rows_of_men: 5, ..international },
        "brazilian" => Rules { name: "brazilian", numbering: Numbering::Letters, ..eight },
        "pool" => Rules { name: "pool", starts: Colour::Black, precedence: Precedence::Free, ..eight },
        "english" => Rules {
            name: "english",
            starts: Colour::Black,
            man_captures: ManCaptures::AsItMoves,
            king_flies: false,
            last_row: LastRow::Stops,
            precedence: Precedence::Free,
            ..eight
        },
        "italian" => Rules {
            name: "italian",
            numbering: Numbering::FromTopLeftCorner,
            man_captures: ManCaptures::AsItMoves,
            man_takes_king: false,
            king_flies: false,
            last_row: LastRow::Stops,
            precedence: Precedence::Italian(KingsEarly::Every),
            ..eight
        },
        "spanish" => spanish,
        "portuguese" => Rules { name: "portuguese", ..spanish },
        "russian" => russian,
        "spantsiretti" => Rules { name: "spantsiretti", width: 10, ..russian },
        "czech" => Rules {
            name: "czech",
            numbering: Numbering::Letters,
            man_captures: ManCaptures::AsItMoves,
            last_row: LastRow::Stops,
            precedence: Precedence::ByKing,
            ..eight
        },
        "turkish" => Rules {
            name: "turkish",
            numbering: Numbering::LettersEveryCell,
            rows_of_men: 2,
            empty_rows: 1,
            moves: Moves::Orthogonally,
            man_captures: ManCaptures::AsItMoves,
            removed_at_once: true,
            no_half_turn: true,
            ..eight
        },
        "thai" => Rules {
            name: "thai",
            numbering: Numbering::FromBottomRight,
            starts: Colour::Black,
            rows_of_men: 2,
            man_captures: ManCaptures::AsItMoves,
            king_lands: KingLands::RightBehind,
            removed_at_once: true,
            last_row: LastRow::Stops,
            precedence: Precedence::Free,
            ..eight
        },
        "frisian" => frisian,
        "frysk" => Rules { name: "frysk", rows_of_men: 1, ..frisian },
        other => panic!("no variant has the name {other:?}"),
    }
}
