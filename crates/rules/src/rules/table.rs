//! The table of all variants. A row lists only its differences from the row that it is derived from; every line
//! names its source.

use super::axes::{
    Ending, ItalianOrder, KingLanding, KingValue, MidPromotion, Movement, Precedence, Removal, Rules,
    StartSetup,
};
use super::draws::{DrawRule, EndingMaterial};
use crate::board::{Board, Directions};

const fn lone_king(pieces: u8, min_kings: u8, moves_each: u16) -> DrawRule {
    DrawRule::LoneKing { against: EndingMaterial { pieces, min_kings }, plies: 2 * moves_each }
}

/// FMJD, Annex 1 to the regulations, "Official rules of international draughts 100".
pub(super) const INTERNATIONAL: Rules = Rules {
    board: Board::Ten,                      // art. 2.1
    setup: StartSetup { free: 0, rows: 4 }, // art. 2.8
    movement: Movement {
        man_steps: Directions::FORWARD,      // art. 3.4
        man_captures: Directions::DIAGONAL,  // art. 4.1
        king_moves: Directions::DIAGONAL,    // art. 3.9
        king_captures: Directions::DIAGONAL, // art. 4.3
        flying: true,                        // art. 3.9
        king_landing: KingLanding::Anywhere, // art. 4.3
        removal: Removal::AtEnd,             // art. 4.5, 4.8
        reversal: false,
        mid_promotion: MidPromotion::GoesOnAsMan, // art. 4.15
        man_takes_king: true,                     // art. 4.2
        precedence: Precedence::MostPieces,       // art. 4.13, 4.14
        king_streak: 0,
    },
    ending: Ending::NoMoveLoses, // chapter on the result
    draws: &[
        DrawRule::Repetition(3),  // chapter on the draw
        DrawRule::QuietPlies(50), // chapter on the draw
        lone_king(3, 1, 16),      // chapter on the draw
        lone_king(2, 1, 5),       // chapter on the draw
        lone_king(1, 1, 5),       // chapter on the draw
    ],
    capture_separator: 'x', // PDN 3.0, GameType table
};

/// WCDF, "Rules of draughts (checkers)".
pub(super) const ENGLISH: Rules = Rules {
    board: Board::Eight,                    // section one
    setup: StartSetup { free: 0, rows: 3 }, // section one
    movement: Movement {
        man_captures: Directions::FORWARD,  // section one
        flying: false,                      // section one
        mid_promotion: MidPromotion::Stops, // section one
        precedence: Precedence::Free,       // section one
        ..INTERNATIONAL.movement
    },
    ending: Ending::NoMoveLoses,       // section one
    draws: &[DrawRule::Repetition(3)], // section one
    capture_separator: 'x',
};

/// FID, "Regolamento tecnico", chapter I.
pub(super) const ITALIAN: Rules = Rules {
    movement: Movement {
        man_takes_king: false,                                    // the man cannot take the king
        precedence: Precedence::Italian(ItalianOrder::EveryKing), // art. 6.6 to 6.10
        ..ENGLISH.movement
    },
    draws: &[DrawRule::Repetition(3), DrawRule::QuietPlies(80)], // draw by forty moves each
    ..ENGLISH
};

/// American Pool Checker Association, "Rules of pool checkers".
pub(super) const POOL: Rules = Rules {
    movement: Movement { precedence: Precedence::Free, ..INTERNATIONAL.movement }, // any capture may be chosen
    draws: &[DrawRule::Repetition(3), lone_king(3, 3, 13)],                        // the thirteen-move rule
    ..ENGLISH
};

/// Federación Española de Damas, "Reglamento de damas clásicas"; the law of quantity, then of quality.
pub(super) const SPANISH: Rules = Rules {
    movement: Movement { flying: true, precedence: Precedence::MostPiecesThenKings, ..ENGLISH.movement },
    ..ENGLISH
};

/// IDF, "Official rules of Russian draughts 64".
pub(super) const RUSSIAN: Rules = Rules {
    movement: Movement {
        mid_promotion: MidPromotion::GoesOnAsKing, // promotion during a capture
        precedence: Precedence::Free,              // free choice
        ..INTERNATIONAL.movement
    },
    draws: &[DrawRule::Repetition(3), DrawRule::QuietPlies(30), lone_king(3, 3, 15)], // chapter on the draw
    capture_separator: ':',
    ..ENGLISH
};

/// FMJD/IDF section 64, "Rules of Brazilian draughts": International on 8x8.
pub(super) const BRAZILIAN: Rules =
    Rules { board: Board::Eight, setup: StartSetup { free: 0, rows: 3 }, ..INTERNATIONAL };

/// Association québécoise des joueurs de dames: International on 12x12.
pub(super) const CANADIAN: Rules =
    Rules { board: Board::Twelve, setup: StartSetup { free: 0, rows: 5 }, ..INTERNATIONAL };

/// Federação Portuguesa de Damas, "Regras do jogo": the same as Spanish.
pub(super) const PORTUGUESE: Rules = SPANISH;

/// Česká federace dámy, "Pravidla hry dáma": a king must capture if it can; the number of captured pieces does not
/// count.
pub(super) const CZECH: Rules =
    Rules { movement: Movement { precedence: Precedence::WithKing, ..SPANISH.movement }, ..ENGLISH };

/// Türkiye dama federasyonu, "Türk daması oyun kuralları".
pub(super) const TURKISH: Rules = Rules {
    board: Board::EightFull,
    setup: StartSetup { free: 1, rows: 2 },
    movement: Movement {
        man_steps: Directions::FORWARD_AND_SIDEWAYS,
        man_captures: Directions::FORWARD_AND_SIDEWAYS,
        king_moves: Directions::ORTHOGONAL,
        king_captures: Directions::ORTHOGONAL,
        flying: true,
        king_landing: KingLanding::Anywhere,
        removal: Removal::AtOnce,
        reversal: false,
        mid_promotion: MidPromotion::GoesOnAsMan,
        man_takes_king: true,
        precedence: Precedence::MostPieces,
        king_streak: 0,
    },
    ending: Ending::NoMoveLoses,
    draws: &[DrawRule::Repetition(3), DrawRule::OneAgainstOne],
    capture_separator: 'x',
};

/// Makhos as played on PlayOK and in Thai tournaments.
pub(super) const THAI: Rules = Rules {
    setup: StartSetup { free: 0, rows: 2 }, // 8 men; the other reading has 3 rows
    movement: Movement {
        flying: true,
        king_landing: KingLanding::RightBehind,
        removal: Removal::AtOnce,
        reversal: true,
        ..ENGLISH.movement
    },
    capture_separator: '-',
    ..ENGLISH
};

/// "Official rules for Frisian draughts" (2011).
pub(super) const FRISIAN: Rules = Rules {
    movement: Movement {
        man_captures: Directions::EIGHT,                        // art. 7
        king_captures: Directions::EIGHT,                       // art. 9
        precedence: Precedence::Value(KingValue::AlmostTwoMen), // part B, value of shots
        king_streak: 3,                                         // part C, the endgame
        ..INTERNATIONAL.movement
    },
    draws: &[DrawRule::Repetition(3), lone_king(2, 2, 7)], // part C, the endgame
    ..INTERNATIONAL
};

/// Spantsiretti ("Stavropol draughts"): Russian on ten columns.
pub(super) const SPANTSIRETTI: Rules = Rules { board: Board::TenByEight, ..RUSSIAN };

/// lidraughts, "Breakthrough": International, the first king wins.
pub(super) const BREAKTHROUGH: Rules = Rules { ending: Ending::FirstKingWins, ..INTERNATIONAL };

/// lidraughts, "Frysk!": Frisian with five men a side.
pub(super) const FRYSK: Rules = Rules { setup: StartSetup { free: 0, rows: 1 }, ..FRISIAN };

/// lidraughts, "Antidraughts": International, a side without a move or a piece wins.
pub(super) const ANTIDRAUGHTS: Rules = Rules { ending: Ending::NoMoveWins, ..INTERNATIONAL };

/// Passes the rows that have code of their own to a macro: a type for each movement on each board, the board, and the builds that have
/// it. The three that most games are played by have it in every build. Each more takes about 25 kB.
macro_rules! rows_with_code {
    ($use:ident) => {
        $use! {
            /// The movement of International, Breakthrough and Antidraughts.
            International: Ten, INTERNATIONAL, if all();
            /// The movement of English draughts.
            English: Eight, ENGLISH, if all();
            /// The movement of Italian draughts.
            Italian: Eight, ITALIAN, if feature = "all-rows";
            /// The movement of pool checkers under every numbering.
            Pool: Eight, POOL, if feature = "all-rows";
            /// The movement of Spanish and Portuguese draughts.
            Spanish: Eight, SPANISH, if feature = "all-rows";
            /// The movement of Russian draughts.
            Russian: Eight, RUSSIAN, if all();
            /// The movement of Brazilian draughts.
            Brazilian: Eight, BRAZILIAN, if feature = "all-rows";
            /// The movement of Canadian draughts.
            Canadian: Twelve, CANADIAN, if feature = "all-rows";
            /// The movement of Czech draughts.
            Czech: Eight, CZECH, if feature = "all-rows";
            /// The movement of Turkish draughts.
            Turkish: EightFull, TURKISH, if feature = "all-rows";
            /// The movement of Thai draughts.
            Thai: Eight, THAI, if feature = "all-rows";
            /// The movement of Frisian draughts and Frysk!.
            Frisian: Ten, FRISIAN, if feature = "all-rows";
            /// The movement of Spantsiretti.
            Spantsiretti: TenByEight, SPANTSIRETTI, if feature = "all-rows";
        }
    };
}

pub(super) use rows_with_code;
