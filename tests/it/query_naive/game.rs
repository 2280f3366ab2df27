//! Games in a naive form: maps from the names of squares to letters of pieces.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use pdn::board::{SquareNames, SquareNaming};
use pdn::position::Position;
use pdn::replay::{self, FilePrior};
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn::{split, view};

/// The pieces of a position, `w`, `W`, `b` or `B`, by the names of their squares, and whether White is to move.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) pieces: BTreeMap<String, char>,
    pub(crate) white: bool,
    /// The numbers of legal moves, of captures, and of pieces that the largest one takes, once they were asked for.
    pub(crate) move_numbers: OnceLock<[i64; 3]>,
}

/// A move, by the names of its squares.
#[derive(Clone, Debug)]
pub(crate) struct NaiveMove {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) captured: Vec<String>,
    pub(crate) promotes: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) variant: Variant,
    pub(crate) winner: Option<Colour>,
    pub(crate) boards: Vec<Board>,
    pub(crate) moves: Vec<NaiveMove>,
    /// The names of the opening, when they are first asked for.
    pub(crate) openings: OnceLock<Vec<String>>,
}

/// Returns the names of all squares of a variant with their row and column, from the upper left corner as White sees it.
pub(crate) fn squares(variant: Variant) -> Vec<(String, (u8, u8))> {
    let board = variant.board();
    let names: &SquareNames = variant.names();
    let mut squares = Vec::new();
    for row in 0..board.height() {
        for column in 0..board.width() {
            if let Some(square) = board.square(row, column) {
                squares.push((names.name(square).to_string(), (row, column)));
            }
        }
    }
    squares
}

/// For each name of a square, by number or by file and rank, the name that the games of a variant use.
pub(crate) static PREFERRED: LazyLock<HashMap<(Variant, String), String>> = LazyLock::new(|| {
    let mut preferred = HashMap::new();
    for &variant in Variant::ALL {
        let (board, names) = (variant.board(), variant.names());
        for (name, (row, column)) in squares(variant) {
            let square = board.square(row, column).expect("a square");
            for letters in [SquareNaming::Numeric, SquareNaming::Algebraic] {
                preferred.insert((variant, names.name_in(square, letters).to_string()), name.clone());
            }
        }
    }
    preferred
});

/// Row and column of each square of a board, by the name of the square.
type Cells = BTreeMap<String, (u8, u8)>;

/// For each variant, the row and the column of each square, from the upper left corner as White sees it.
pub(crate) static CELLS: LazyLock<HashMap<Variant, Cells>> = LazyLock::new(|| {
    Variant::ALL.iter().map(|&variant| (variant, squares(variant).into_iter().collect())).collect()
});

pub(crate) fn preferred(variant: Variant, given: &str) -> Option<&'static String> {
    PREFERRED.get(&(variant, given.to_owned()))
}

/// For each variant, whether flipped and whether mirrored, the image of each square.
pub(crate) type Images = HashMap<(Variant, bool, bool), HashMap<String, String>>;

/// The images of squares under a turn of the board by 180 degrees, a mirror, and both, by name.
pub(crate) static IMAGES: LazyLock<Images> = LazyLock::new(|| {
    let mut images = HashMap::new();
    for &variant in Variant::ALL {
        for (flip, mirror) in [(false, false), (true, false), (false, true), (true, true)] {
            let all = squares(variant);
            let (height, width) = (variant.board().height(), variant.board().width());
            let image = |(mut row, mut column): (u8, u8)| {
                if flip {
                    (row, column) = (height - 1 - row, width - 1 - column);
                }
                (row, if mirror { width - 1 - column } else { column })
            };
            let by_cell: HashMap<_, _> = all.iter().map(|(name, cell)| (*cell, name.clone())).collect();
            let named =
                |(name, cell): &(String, (u8, u8))| Some((name.clone(), by_cell.get(&image(*cell))?.clone()));
            images.insert((variant, flip, mirror), all.iter().filter_map(named).collect());
        }
    }
    images
});

pub(crate) fn board(position: &Position) -> Board {
    let names = position.names();
    let mut pieces = BTreeMap::new();
    for row in 0..position.board().height() {
        for column in 0..position.board().width() {
            let Some(square) = position.board().square(row, column) else { continue };
            if let Some(piece) = position.piece(square) {
                let letter = match (piece.colour, piece.king) {
                    (Colour::White, false) => 'w',
                    (Colour::White, true) => 'W',
                    (Colour::Black, false) => 'b',
                    (Colour::Black, true) => 'B',
                };
                pieces.insert(names.name(square).to_string(), letter);
            }
        }
    }
    Board { pieces, white: position.turn() == Colour::White, move_numbers: OnceLock::new() }
}

/// Replays the games of an archive, with the variant chosen as an import does.
pub(crate) fn games(text: &[u8]) -> Vec<Game> {
    let records: Vec<&[u8]> = split::games(text).map(|game| game.bytes).collect();
    let mut options = replay::ReplayOptions::default();
    options.prior = FilePrior::of(records.iter().copied(), &options);
    records
        .iter()
        .map(|record| {
            let replayed = replay::annotate(*record, &options);
            let names = replayed.main.last.names();
            let name = |square| names.name(square).to_string();
            let mut boards: Vec<Board> = replayed.main.plies.iter().map(|ply| board(&ply.position)).collect();
            boards.push(board(&replayed.main.last));
            let made = |ply: &replay::AnnotatedPly<'_>| NaiveMove {
                from: name(ply.mv.from),
                to: name(ply.mv.to),
                captured: ply.mv.captured_squares().map(name).collect(),
                promotes: ply.mv.promotes,
            };
            let own = view::GameView::new(record);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let tag = |name: &str| (name.to_owned(), own.tag(name).map(text).unwrap_or_default());
            Game {
                tags: ["White", "Black", "Event", "Date", "Round", "WhiteElo", "BlackElo"].map(tag).into(),
                variant: replayed.summary.variant,
                winner: replayed.summary.winner(),
                moves: replayed.main.plies.iter().map(made).collect(),
                boards,
                openings: OnceLock::new(),
            }
        })
        .collect()
}
