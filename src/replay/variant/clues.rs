//! What a record says about its variant: the games that its tag may mean, and the names of its squares.

use crate::board::SquareNaming;
use crate::notation::SquareCode;
use crate::replay::CandidateGame;
use crate::replay::line::{LineTokenKind, MainLine};
use crate::rules::Variant;
use crate::value::{Fen, FenSquare, GameType, GameTypeStatus};

/// The variants that can be inferred, the likeliest first.
///
/// Each of them differs from all others in its rules or in its square names. Breakthrough, Antidraughts, Portuguese and
/// Zimbabwean pool do not: only a tag distinguishes them from the variants with which they share both.
///
/// The order decides only between variants under which a record replays equally well. International archives
/// outnumber all others. English comes before pool: men capture backwards in pool, so a long pool game soon fails
/// as English, while every short game is legal in both. The variants with algebraic names follow in the order of how
/// many games of each are published.
pub(crate) const INFERENCE_ORDER: &[Variant] = &[
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

/// The greatest number of games that a tag may mean.
const MAX_GAMES: usize = 6;

/// The games that a tag may mean, the likeliest first; `None` in unused places.
pub(super) type Candidates = [Option<CandidateGame>; MAX_GAMES];

/// The meaning of a GameType or Variant tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum TagCandidates {
    /// One of these games.
    Games(Candidates),
    /// A game other than draughts.
    OtherGame,
    /// Unknown: the value contains no number, or a number without meaning.
    Unknown,
}

impl TagCandidates {
    /// Parses the value of a GameType or Variant tag: a GameType number or value, or a name of a game.
    ///
    /// The attributes come first, as they are written. But some programs write `20,W,10,10,N1,0` over games in the
    /// usual numbering, so the bare number comes next. Other variants of the same number follow: many tags `23`
    /// stand over algebraic moves. Under a name servers write White's moves first and algebraic squares, whatever the usual
    /// numbering of the game is.
    pub(super) fn of_tag(value: &[u8]) -> Self {
        let name = std::str::from_utf8(value).map(GameType::numbers_of_name).unwrap_or_default();
        let game_type = match (name, GameType::parse(value)) {
            ([number], _) => GameType::of_number(*number),
            // Several games share the name, so the moves decide.
            ([_, _, ..], _) => return Self::Unknown,
            ([], Ok(game_type)) => game_type,
            ([], Err(_)) => match GameType::number_in(value) {
                Some(number) => GameType::of_number(number),
                None => return Self::Unknown,
            },
        };
        if game_type.number != 99
            && let GameTypeStatus::OtherGame(_) = game_type.status()
        {
            return Self::OtherGame;
        }
        let number = game_type.number;
        let by_name = std::str::from_utf8(value).ok().filter(|_| !name.is_empty());
        let exact = match by_name {
            // A variant of its own among those of a number, such as Jamaican draughts.
            Some(name) => Variant::named(name).ok().map(CandidateGame::from),
            None => game_type.attributes.and_then(|_| CandidateGame::try_from(&game_type).ok()),
        };
        let algebraic = by_name.and_then(|_| algebraic_game(number));
        let same_number = Variant::ALL
            .iter()
            .filter(|variant| variant.number() == number && **variant != Variant::ZimbabweanPool);
        let others =
            same_number.map(|&variant| CandidateGame::from(variant)).filter(|other| Some(*other) != exact);
        let mut games = [None; MAX_GAMES];
        for (slot, candidate) in games.iter_mut().zip(exact.into_iter().chain(others).chain(algebraic)) {
            *slot = Some(candidate);
        }
        if games[0].is_some() { Self::Games(games) } else { Self::Unknown }
    }

    /// Returns the meaning of both tags: that of the GameType tag, then that of the Variant tag. A name that says more than
    /// the number comes first: `20` with `Antidraughts`, `23` with `Jamaican`.
    ///
    /// The name is tried too, because the number may not name a game: it may have no meaning, be 99 for "from a position", or
    /// be one that a server uses in its own way.
    pub(super) fn or_variant_tag(self, name: Self) -> Self {
        match (self, name) {
            (Self::Games(games), Self::Games(names)) => {
                let name_first = is_kind_of(names[0], games[0]);
                // Attributes may give a numbering that is not the usual one.
                let numbered = names[0].zip(games[0]).filter(|_| name_first).map(|(name, tag)| {
                    let is_usual = tag.numbering == tag.variant.game().numbering;
                    if is_usual { name } else { CandidateGame { numbering: tag.numbering, ..name } }
                });
                let (first, second) = if name_first { (names, games) } else { (games, names) };
                let all = first.into_iter().chain(second).flatten();
                Self::Games(distinct(numbered.into_iter().chain(all)))
            }
            (Self::Unknown, name) => name,
            (tag, _) => tag,
        }
    }
}

/// Returns `true` if the game of a name is one of several kinds of the game that a number names: of the same number, or with
/// the same board and moves but another aim or start position.
fn is_kind_of(name: Option<CandidateGame>, number: Option<CandidateGame>) -> bool {
    let (Some(name), Some(number)) = (name, number) else { return false };
    let usual = Variant::from_number(number.variant.number());
    let parent = GameType::of_number(name.variant.number()).parent_number();
    parent == number.variant.number() && Some(name.variant) != usual
}

/// Returns an array of the first items, each once.
fn distinct(items: impl Iterator<Item = CandidateGame>) -> Candidates {
    let mut array = [None; MAX_GAMES];
    for item in items {
        if let Some(slot) = array.iter_mut().find(|slot| slot.is_none_or(|known| known == item)) {
            *slot = Some(item);
        }
    }
    array
}

/// Returns the game of a number with algebraic squares from a1 and White to begin, as servers write games on 8x8; `None` if
/// that is its usual numbering, or the board is another.
fn algebraic_game(number: u16) -> Option<CandidateGame> {
    let variant = Variant::from_number(number)?;
    let algebraic = Variant::Russian.game().numbering;
    let differs = variant.game().numbering != algebraic;
    (differs && variant.board() == Variant::Russian.board())
        .then_some(CandidateGame { variant, numbering: algebraic })
}

/// The kinds of square names in a record, and the smallest board that its FEN needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SquareClues {
    /// `true` if moves are written with letters.
    has_algebraic: bool,
    /// `true` if moves are written with numbers.
    has_numeric: bool,
    /// The highest square number in the FEN; 0 without any.
    max_fen_number: u16,
    /// The highest file (from 0) and the highest rank (from 1) in the FEN; rank 0 without any.
    max_fen_cell: (u8, u8),
}

impl SquareClues {
    /// Collects the clues of a line and its FEN.
    pub(super) fn of(line: &MainLine, fen: Option<&Fen<'_>>) -> Self {
        let mut clues = Self::default();
        for token in line.tokens.iter().filter(|token| token.kind == LineTokenKind::Pair) {
            let algebraic = SquareCode::is_algebraic(token.from);
            clues.has_algebraic |= algebraic;
            clues.has_numeric |= !algebraic;
        }
        for piece in fen.into_iter().flat_map(Fen::pieces) {
            match piece.square {
                FenSquare::Number(number) => clues.max_fen_number = clues.max_fen_number.max(number),
                FenSquare::Algebraic { file, rank } => {
                    let (max_file, max_rank) = clues.max_fen_cell;
                    clues.max_fen_cell = (max_file.max(file), max_rank.max(rank));
                }
            }
        }
        clues
    }

    /// Returns `true` if games of the variant are usually written like this: with its kind of names, on the smallest
    /// board that the FEN needs.
    ///
    /// A problem whose squares all exist on 8x8 is unlikely to be one on 10x10.
    pub(super) fn suit(&self, variant: Variant) -> bool {
        let game = variant.game();
        let algebraic = game.numbering.letters == SquareNaming::Algebraic;
        let names_suit = if algebraic { !self.has_numeric } else { !self.has_algebraic };
        let board = game.rules.board;
        let board_suits = match (self.max_fen_number, self.max_fen_cell) {
            (0, (_, 0)) => true,
            (0, (file, rank)) => {
                board.width().max(board.height()) == smallest_of([8, 10, 12], (file + 1).max(rank))
            }
            (number, _) => u16::from(board.squares()) == smallest_of([32, 50, 72], number),
        };
        names_suit && board_suits
    }
}

/// Returns the first of three ascending sizes that is at least `needed`, or the last.
fn smallest_of<T: PartialOrd>([small, medium, large]: [T; 3], needed: T) -> T {
    if needed <= small {
        small
    } else if needed <= medium {
        medium
    } else {
        large
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_that_differs_in_its_moves_or_square_names_can_be_inferred() {
        let differ = |one: Variant, other: Variant| {
            let [one, other] = [one, other].map(Variant::game);
            one.rules.movement != other.rules.movement
                || one.rules.board != other.rules.board
                || one.rules.setup != other.rules.setup
                || one.names() != other.names()
        };
        for (n, &variant) in Variant::ALL.iter().enumerate() {
            let differs = Variant::ALL[..n].iter().all(|&other| differ(variant, other));
            assert_eq!(INFERENCE_ORDER.contains(&variant), differs, "{variant}");
        }
    }
}
