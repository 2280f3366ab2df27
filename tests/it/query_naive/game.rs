//! Games in a naive form: maps from the names of squares to letters of pieces.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use super::naive_openings::opening_names;
use pdn::board::{SquareNames, SquareNaming};
use pdn::internal::replay::FilePrior;
use pdn::position::Position;
use pdn::replay;
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
    /// The number of plies of the main line.
    pub(crate) plies: usize,
    /// Of a variation: its number among the lines of the game, and the number of plies before its first position.
    pub(crate) line: usize,
    pub(crate) first: usize,
    /// For each position, the number of games of an earlier date that have it; empty until all games are known.
    pub(crate) earlier: Vec<Option<i64>>,
    /// The variations that begin in this line, each with the position at which it does.
    pub(crate) variations: Vec<(usize, Game)>,
    /// Positions with comments, glyphs and strengths.
    pub(crate) comments: Vec<(usize, String)>,
    pub(crate) nags: Vec<(usize, u32)>,
    pub(crate) marks: Vec<(usize, String)>,
    /// The game with colours exchanged, mirrored, with both, and with the other side to move everywhere; made when first asked for.
    pub(crate) others: [OnceLock<Box<Game>>; 4],
}

impl Game {
    /// Returns the game with the colours exchanged and the board turned, if `flip`, and with left and right exchanged, if `mirror`.
    pub(crate) fn seen(&self, flip: bool, mirror: bool) -> &Self {
        let place = match (flip, mirror) {
            (false, false) => return self,
            (true, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
        };
        self.others[place].get_or_init(|| Box::new(self.image(flip, mirror)))
    }

    fn image(&self, flip: bool, mirror: bool) -> Self {
        let images = &IMAGES[&(self.variant, flip, mirror)];
        let mut tags = self.tags.clone();
        if flip {
            tags.insert("White".to_owned(), self.tags["Black"].clone());
            tags.insert("Black".to_owned(), self.tags["White"].clone());
            tags.insert("WhiteElo".to_owned(), self.tags["BlackElo"].clone());
            tags.insert("BlackElo".to_owned(), self.tags["WhiteElo"].clone());
        }
        let turn = |board: &Board| Board {
            pieces: board
                .pieces
                .iter()
                .map(|(square, piece)| (images[square].clone(), if flip { swapped(*piece) } else { *piece }))
                .collect(),
            white: board.white != flip,
            move_numbers: OnceLock::new(),
        };
        let turn_move = |made: &NaiveMove| NaiveMove {
            from: images[&made.from].clone(),
            to: images[&made.to].clone(),
            captured: made.captured.iter().map(|square| images[square].clone()).collect(),
            promotes: made.promotes,
        };
        Self {
            tags,
            variant: self.variant,
            winner: self.winner.map(|winner| if flip { !winner } else { winner }),
            boards: self.boards.iter().map(turn).collect(),
            moves: self.moves.iter().map(turn_move).collect(),
            openings: OnceLock::from(self.opening_names().to_vec()),
            others: Default::default(),
            variations: (self.variations.iter())
                .map(|(at, variation)| (*at, variation.seen(flip, mirror).clone()))
                .collect(),
            ..self.clone()
        }
    }

    /// Returns the names of the opening. The game keeps them in every form, whichever side is asked about.
    pub(crate) fn opening_names(&self) -> &[String] {
        self.openings.get_or_init(|| opening_names(self))
    }

    /// Returns the game with the other side to move in every position.
    pub(crate) fn passed(&self) -> &Self {
        self.others[3].get_or_init(|| {
            let openings = OnceLock::from(self.opening_names().to_vec());
            let mut passed = Self { others: Default::default(), openings, ..self.clone() };
            for board in &mut passed.boards {
                (board.white, board.move_numbers) = (!board.white, OnceLock::new());
            }
            for (_, variation) in &mut passed.variations {
                *variation = variation.passed().clone();
            }
            Box::new(passed)
        })
    }
}

/// Returns the piece of the other colour.
pub(crate) fn swapped(piece: char) -> char {
    match piece {
        'w' => 'b',
        'b' => 'w',
        'W' => 'B',
        'B' => 'W',
        other => other,
    }
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

/// Returns the name of the square some rows below and columns to the right of a square.
pub(crate) fn shifted_name(
    variant: Variant,
    given: &str,
    (down, right): (i16, i16),
) -> Option<&'static String> {
    let cells = &CELLS[&variant];
    let (row, column) = cells[preferred(variant, given)?];
    let moved = |at: u8, by: i16| u8::try_from(i16::from(at) + by).ok();
    let cell = (moved(row, down)?, moved(column, right)?);
    cells.iter().find(|(_, other)| **other == cell).map(|(name, _)| name)
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
    let records: Vec<&[u8]> = split::records(text).map(|game| game.bytes).collect();
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
            let own = view::RecordView::new(record);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let tag = |name: &str| (name.to_owned(), own.tag(name).map(text).unwrap_or_default());
            Game {
                tags: ["White", "Black", "Event", "Date", "Round", "WhiteElo", "BlackElo"].map(tag).into(),
                variant: replayed.summary.variant,
                winner: replayed.summary.winner(),
                moves: replayed.main.plies.iter().map(made).collect(),
                plies: replayed.main.plies.len(),
                boards,
                openings: OnceLock::new(),
                others: Default::default(),
                line: 0,
                first: 0,
                earlier: Vec::new(),
                variations: Vec::new(),
                comments: Vec::new(),
                nags: Vec::new(),
                marks: Vec::new(),
            }
        })
        .collect()
}
