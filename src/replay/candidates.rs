//! Which games a record may be of: by its GameType tag, and in the order of likelihood where it has none.

use super::CandidateGame;
use super::line::MainLine;
use super::tokens::LineTokenKind;
use crate::board::SquareNaming;
use crate::notation::SquareCode;
use crate::rules::{GameRules, Variant};
use crate::value::{Fen, FenSquare, GameType, GameTypeStatus};

/// The games that can be inferred, the likeliest first. Each of them differs from all others in its rules or in the
/// names of its squares; Breakthrough, Antidraughts, Portuguese and Zimbabwean pool do not, so only a tag tells them
/// from the games they share both with.
///
/// The order decides only where nothing else does: between games that replay a record equally far. International
/// archives outnumber all others; English comes before pool because the men of pool capture backwards when they can,
/// so that a long game of it soon fails as English, while every short game fits both; the games with letters follow
/// how much of each is published.
pub(super) const INFERENCE_ORDER: [Variant; 16] = [
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Brazilian,
    Variant::Italian,
    Variant::Frisian,
    Variant::Pool,
    Variant::UnifiedPool,
    Variant::Spanish,
    Variant::Czech,
    Variant::Canadian,
    Variant::Turkish,
    Variant::Thai,
    Variant::Jamaican,
    Variant::Spantsiretti,
    Variant::Frysk,
];

/// What a GameType tag says.
#[derive(Clone, Copy, Debug)]
pub(super) enum TagCandidates {
    /// One of these, the likeliest first.
    Games([Option<CandidateGame>; 4]),
    /// Something else than draughts.
    OtherGame,
    /// Nothing that helps: a number without a meaning, or no number.
    Nothing,
}

/// The games that a GameType tag may mean. Attributes are taken at their word first; but as some programs write
/// `20,W,10,10,N1,0` over games in the usual numbering, the bare number comes next, and other games of the same
/// number after it: many a tag `23` stands over algebraic moves.
pub(super) fn tagged(value: &[u8]) -> TagCandidates {
    let game_type = match GameType::parse(value) {
        Ok(game_type) => game_type,
        Err(_) => match GameType::number_in(value) {
            Some(number) => GameType::of_number(number),
            None => return TagCandidates::Nothing,
        },
    };
    if game_type.number != 99
        && let GameTypeStatus::OtherGame(_) = game_type.status()
    {
        return TagCandidates::OtherGame;
    }
    let number = game_type.number;
    let exact = game_type.attributes.as_ref().and_then(|attributes| {
        let GameRules { numbering, .. } = GameRules::from_attributes(number, Some(attributes)).ok()?;
        let same = |variant: &Variant| variant.number() == number && variant.game().numbering == numbering;
        let named = Variant::ALL.iter().copied().find(same);
        Some(CandidateGame { variant: named.or(Variant::from_number(number))?, numbering })
    });
    let rows = Variant::ALL
        .iter()
        .filter(|variant| variant.number() == number && **variant != Variant::ZimbabweanPool);
    let rows = rows.map(|&variant| CandidateGame::from(variant)).filter(|row| Some(*row) != exact);
    let mut games = [None; 4];
    for (slot, candidate) in games.iter_mut().zip(exact.into_iter().chain(rows)) {
        *slot = Some(candidate);
    }
    if games[0].is_some() { TagCandidates::Games(games) } else { TagCandidates::Nothing }
}

/// What names of squares tell about the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SquareClues {
    /// Moves are written with letters, with numbers.
    letters: bool,
    numbers: bool,
    /// The board that the FEN needs at least: the highest number, the highest file and rank.
    fen_number: u16,
    fen_cell: (u8, u8),
}

impl SquareClues {
    pub(super) fn of(line: &MainLine, fen: Option<&Fen<'_>>) -> Self {
        let mut names = Self::default();
        for token in line.tokens.iter().filter(|token| token.kind == LineTokenKind::Pair) {
            let letters = SquareCode::is_algebraic(token.from);
            names.letters |= letters;
            names.numbers |= !letters;
        }
        for piece in fen.into_iter().flat_map(Fen::pieces) {
            match piece.square {
                FenSquare::Number(number) => names.fen_number = names.fen_number.max(number),
                FenSquare::Algebraic { file, rank } => {
                    names.fen_cell = (names.fen_cell.0.max(file), names.fen_cell.1.max(rank));
                }
            }
        }
        names
    }

    /// Whether a variant would be written like this: with its kind of names, on a board that a position needs.
    ///
    /// A problem whose squares all fit on 8x8 is not likely to be one of 10x10.
    pub(super) fn suit(&self, variant: Variant) -> bool {
        let game = variant.game();
        let letters = game.numbering.letters == SquareNaming::Algebraic;
        let kind = if letters { !self.numbers } else { !self.letters };
        let board = game.rules.board;
        let position = match (self.fen_number, self.fen_cell) {
            (0, (_, 0)) => true,
            (0, (file, rank)) => {
                let columns = board.width().max(board.height());
                let needed = (file + 1).max(rank);
                columns
                    == if needed <= 8 {
                        8
                    } else if needed <= 10 {
                        10
                    } else {
                        12
                    }
            }
            (number, _) => {
                u16::from(board.squares())
                    == if number <= 32 {
                        32
                    } else if number <= 50 {
                        50
                    } else {
                        72
                    }
            }
        };
        kind && position
    }
}
