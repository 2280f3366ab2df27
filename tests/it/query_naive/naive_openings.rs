//! The names of openings, read plainly from their files.

use std::sync::LazyLock;

use pdn::rules::Variant;

use super::game::{Board, Game, IMAGES, games, swapped};

/// A named opening.
enum NaiveOpening {
    /// The positions that have the name.
    Positions(Vec<Board>),
    /// First and last ply, the pieces on squares, and whether the other side counts too.
    Structure(usize, usize, Vec<(String, char)>, bool),
}

/// Names of openings with their definitions.
type Names = Vec<(String, NaiveOpening)>;

/// The named openings of each variant, in the order of its file.
static OPENINGS: LazyLock<Vec<(Variant, Names)>> = LazyLock::new(|| {
    [
        (Variant::International, include_str!("../../../crates/index/openings/international.tsv")),
        (Variant::English, include_str!("../../../crates/index/openings/english.tsv")),
        (Variant::Russian, include_str!("../../../crates/index/openings/russian.tsv")),
        (Variant::Brazilian, include_str!("../../../crates/index/openings/russian.tsv")),
    ]
    .map(|(variant, file)| (variant, file.lines().skip(1).map(|line| read(variant, line)).collect()))
    .into()
});

fn read(variant: Variant, line: &str) -> (String, NaiveOpening) {
    let (name, definition) = line.split_once('\t').expect("two columns");
    // Every second part of the text is between quotes.
    let quoted: Vec<&str> = definition.split('"').skip(1).step_by(2).collect();
    let opening = match definition.strip_prefix("ply ") {
        None => {
            let last = |moves: &&str| {
                let text = format!("[GameType \"{}\"]\n\n{moves} *\n", variant.number());
                games(text.as_bytes()).pop().and_then(|game| game.boards.into_iter().next_back())
            };
            NaiveOpening::Positions(quoted.iter().filter_map(last).collect())
        }
        Some(rest) => {
            let (first, rest) = rest.split_once("..").expect("a range");
            let last: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let mut pieces = Vec::new();
            for group in quoted[0].split(' ') {
                let (letter, squares) = group.split_at(1);
                let piece = letter.chars().next().expect("a letter");
                pieces.extend(squares.split(',').map(|square| (square.to_owned(), piece)));
            }
            let number = |text: &str| text.parse().expect("a ply");
            NaiveOpening::Structure(number(first), number(&last), pieces, definition.ends_with("flipped"))
        }
    };
    (name.to_owned(), opening)
}

/// Returns `true` if the pieces stand on the board, or those of the other side on the board turned by 180 degrees.
fn stand(variant: Variant, board: &Board, pieces: &[(String, char)], flipped: bool) -> bool {
    let image = &IMAGES[&(variant, true, false)];
    pieces.iter().all(|(square, piece)| board.pieces.get(square) == Some(piece))
        || flipped
            && pieces.iter().all(|(square, piece)| board.pieces.get(&image[square]) == Some(&swapped(*piece)))
}

/// Returns the names of the opening of a game: that of its last named position, and that of its first structure in the file.
pub(crate) fn opening_names(game: &Game) -> Vec<String> {
    let Some((_, openings)) = OPENINGS.iter().find(|(variant, _)| *variant == game.variant) else {
        return Vec::new();
    };
    let is_same = |one: &Board, other: &Board| one.pieces == other.pieces && one.white == other.white;
    let of_board = |board: &Board| {
        openings.iter().find_map(|(name, opening)| match opening {
            NaiveOpening::Positions(boards) => {
                boards.iter().any(|one| is_same(one, board)).then(|| name.clone())
            }
            NaiveOpening::Structure(..) => None,
        })
    };
    let mut names: Vec<String> = game.boards.iter().take(25).rev().find_map(of_board).into_iter().collect();
    let text = format!("[GameType \"{}\"]\n\n*\n", game.variant.number());
    let start = games(text.as_bytes()).pop().expect("a game").boards.pop().expect("a position");
    if is_same(&start, &game.boards[0]) {
        let structure = openings.iter().find(|(_, opening)| match opening {
            NaiveOpening::Positions(_) => false,
            NaiveOpening::Structure(first, last, pieces, flipped) => {
                let boards = game.boards.iter().take(last + 1).skip(*first);
                boards.into_iter().any(|board| stand(game.variant, board, pieces, *flipped))
            }
        });
        names.extend(structure.map(|(name, _)| name.clone()));
    }
    names
}

/// Returns a name of an opening of the game, any other of its variant, or none.
pub(crate) fn some_name(game: &Game, choose: &mut dyn FnMut(usize) -> usize) -> String {
    let own = opening_names(game);
    let all = OPENINGS.iter().find(|(variant, _)| *variant == game.variant);
    match (choose(4), all) {
        (0, Some((_, openings))) => openings[choose(openings.len())].0.clone(),
        _ if own.is_empty() => String::new(),
        _ => own[choose(own.len())].clone(),
    }
}
