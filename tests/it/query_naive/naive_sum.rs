//! Sums of numbers of positions and games, added up square by square and move by move.

use super::game::{Board, CELLS, Game, preferred, squares};
use super::naive_query::fen;
use crate::naive;

/// A number of a position or of a game. Squares have the names of the games of some variant.
#[derive(Clone, Debug)]
pub(crate) enum NaiveCount {
    /// The name of the pieces, and the squares or the name of an area.
    Pieces(&'static str, Option<NaiveArea>),
    Moves,
    Jumps,
    Best,
    Tempo(bool),
    Distance(Board, String),
    Takes,
    Ply,
    Earlier,
    Rating(bool),
    Year,
    Plies,
}

#[derive(Clone, Debug)]
pub(crate) enum NaiveArea {
    Squares(Vec<String>),
    Named(&'static str),
}

/// A sum with its signs, and what it is compared with.
#[derive(Clone, Debug)]
pub(crate) struct NaiveSum {
    pub(crate) terms: Vec<(bool, NaiveCount)>,
    pub(crate) sign: &'static str,
    pub(crate) number: i64,
}

impl NaiveCount {
    fn text(&self) -> String {
        let side = |white: bool| if white { "white" } else { "black" };
        match self {
            Self::Pieces(name, None) => (*name).to_owned(),
            Self::Pieces(name, Some(NaiveArea::Squares(squares))) => {
                format!("{name} on {}", squares.join(","))
            }
            Self::Pieces(name, Some(NaiveArea::Named(area))) => format!("{name} on {area}"),
            Self::Moves => "moves".to_owned(),
            Self::Jumps => "jumps".to_owned(),
            Self::Best => "best".to_owned(),
            Self::Tempo(white) => format!("tempo {}", side(*white)),
            Self::Distance(_, fen) => format!("distance \"{fen}\""),
            Self::Takes => "takes".to_owned(),
            Self::Ply => "ply".to_owned(),
            Self::Earlier => "earlier".to_owned(),
            Self::Rating(white) => format!("rating {}", side(*white)),
            Self::Year => "year".to_owned(),
            Self::Plies => "plies".to_owned(),
        }
    }

    /// Returns the number; `None` if it is unknown or the board lacks a square of it.
    fn value(&self, game: &Game, at: usize) -> Option<i64> {
        let board = &game.boards[at];
        let all = &CELLS[&game.variant];
        let (height, width) = (game.variant.board().height(), game.variant.board().width());
        Some(match self {
            Self::Pieces(name, area) => {
                let letters = match *name {
                    "w" => "wW",
                    "b" => "bB",
                    "wm" => "w",
                    "wk" => "W",
                    "bm" => "b",
                    "bk" => "B",
                    "m" => "wb",
                    "k" => "WB",
                    _ => "wWbB",
                };
                let listed: Option<Vec<&String>> = match area {
                    Some(NaiveArea::Squares(names)) => {
                        Some(names.iter().map(|name| preferred(game.variant, name)).collect::<Option<_>>()?)
                    }
                    _ => None,
                };
                let is_inside = |square: &String, piece: char| match area {
                    None => true,
                    Some(NaiveArea::Squares(_)) => {
                        listed.as_ref().is_some_and(|listed| listed.contains(&square))
                    }
                    Some(NaiveArea::Named(name)) => {
                        let (row, column) = all[square];
                        let middle = |at: u8, len: u8| at + 2 >= len / 2 && at < len / 2 + 2;
                        match *name {
                            "centre" => middle(row, height) && middle(column, width),
                            "left" => 2 * column < width,
                            "right" => 2 * column >= width,
                            "edge" => column == 0 || column + 1 == width,
                            "back" => row == if "wW".contains(piece) { height - 1 } else { 0 },
                            _ => is_on_long_diagonal(game, (row, column)),
                        }
                    }
                };
                let counted = |(square, piece): &(&String, &char)| {
                    letters.contains(**piece) && is_inside(square, **piece)
                };
                board.pieces.iter().filter(counted).count() as i64
            }
            Self::Moves | Self::Jumps | Self::Best => {
                let [moves, captures, best] = *board.move_numbers.get_or_init(|| move_numbers(game, board));
                match self {
                    Self::Moves => moves,
                    Self::Jumps => captures,
                    _ => best,
                }
            }
            Self::Tempo(white) => {
                let man = if *white { 'w' } else { 'b' };
                let rows = board.pieces.iter().filter(|(_, piece)| **piece == man).map(|(square, _)| {
                    let (row, _) = all[square];
                    i64::from(if *white { height - 1 - row } else { row })
                });
                rows.sum()
            }
            Self::Distance(asked, _) => {
                let mut wanted = std::collections::BTreeMap::new();
                for (square, piece) in &asked.pieces {
                    wanted.insert(preferred(game.variant, square)?.clone(), *piece);
                }
                all.keys().filter(|square| wanted.get(*square) != board.pieces.get(*square)).count() as i64
            }
            Self::Takes => game.moves.get(at)?.captured.len() as i64,
            Self::Ply => (game.first + at) as i64,
            Self::Earlier => game.earlier[at]?,
            Self::Rating(true) => game.tags["WhiteElo"].parse().ok()?,
            Self::Rating(false) => game.tags["BlackElo"].parse().ok()?,
            Self::Year => game.tags["Date"].get(..4)?.parse().ok()?,
            Self::Plies => game.plies as i64,
        })
    }
}

/// Returns the numbers of legal moves, of captures, and of pieces that the largest one takes.
fn move_numbers(game: &Game, board: &Board) -> [i64; 3] {
    let rules = naive::rules::rules(game.variant.name());
    let moves = naive::moves::legal_moves(&rules, &naive::fen::read(&rules, &fen(board)));
    let sizes = moves.iter().map(|mv| mv.captured.len());
    let captures = sizes.clone().filter(|&size| size > 0).count();
    [moves.len() as i64, captures as i64, sizes.max().unwrap_or(0) as i64]
}

/// Returns `true` for a cell of one of the longest diagonals of squares.
fn is_on_long_diagonal(game: &Game, cell: (u8, u8)) -> bool {
    let cells: Vec<(u8, u8)> = CELLS[&game.variant].values().copied().collect();
    let rising = |(row, column): (u8, u8)| i32::from(row) + i32::from(column);
    let falling = |(row, column): (u8, u8)| i32::from(row) - i32::from(column);
    let longest = |of: &dyn Fn((u8, u8)) -> i32| {
        let mut lengths = std::collections::BTreeMap::new();
        cells.iter().for_each(|&cell| *lengths.entry(of(cell)).or_insert(0) += 1);
        (lengths.get(&of(cell)).copied(), lengths.values().max().copied())
    };
    let ((rising, most_rising), (falling, most_falling)) = (longest(&rising), longest(&falling));
    let most = most_rising.max(most_falling);
    rising == most || falling == most
}

impl NaiveSum {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (number, (is_added, count)) in self.terms.iter().enumerate() {
            text += match (number, is_added) {
                (0, true) => "",
                (0, false) => "-",
                (_, true) => " + ",
                (_, false) => " - ",
            };
            text += &count.text();
        }
        format!("{text} {} {}", self.sign, self.number)
    }

    pub(crate) fn holds(&self, game: &Game, at: usize) -> bool {
        let mut sum = 0;
        for (is_added, count) in &self.terms {
            let Some(value) = count.value(game, at) else { return self.sign == "!=" };
            sum += if *is_added { value } else { -value };
        }
        match self.sign {
            "=" => sum == self.number,
            "!=" => sum != self.number,
            "<" => sum < self.number,
            "<=" => sum <= self.number,
            ">" => sum > self.number,
            _ => sum >= self.number,
        }
    }
}

/// Returns a random sum about a position of a game, compared with a number near to its value there.
pub(crate) fn random_sum(game: &Game, at: usize, choose: &mut dyn FnMut(usize) -> usize) -> NaiveSum {
    let names = ["w", "b", "wm", "wk", "bm", "bk", "m", "k", "p"];
    let areas = ["centre", "left", "right", "edge", "back", "long"];
    let of_game = choose(6) == 0;
    let count = |choose: &mut dyn FnMut(usize) -> usize| match choose(if of_game { 4 } else { 13 }) {
        number if of_game => match number {
            0 => NaiveCount::Year,
            1 => NaiveCount::Plies,
            side => NaiveCount::Rating(side == 2),
        },
        0..=3 => NaiveCount::Pieces(names[choose(9)], Some(NaiveArea::Named(areas[choose(6)]))),
        4 => {
            let all = squares(game.variant);
            let listed = (0..1 + choose(8)).map(|_| all[choose(all.len())].0.clone()).collect();
            NaiveCount::Pieces(names[choose(9)], Some(NaiveArea::Squares(listed)))
        }
        5 => NaiveCount::Pieces(names[choose(9)], None),
        6 => NaiveCount::Moves,
        7 => [NaiveCount::Jumps, NaiveCount::Best][choose(2)].clone(),
        8 => NaiveCount::Tempo(choose(2) == 0),
        9 => {
            let board = &game.boards[choose(game.boards.len())];
            NaiveCount::Distance(board.clone(), fen(board))
        }
        10 => NaiveCount::Takes,
        11 => NaiveCount::Earlier,
        _ => NaiveCount::Ply,
    };
    let number_of_terms = 1 + usize::from(choose(2) == 0) + usize::from(choose(4) == 0);
    let mut terms: Vec<(bool, NaiveCount)> =
        (0..number_of_terms).map(|number| (number == 0, count(choose))).collect();
    for (number, term) in terms.iter_mut().enumerate() {
        term.0 = choose(if number == 0 { 6 } else { 2 }) > 0;
    }
    // A single number with a condition of its own is not written as a sum.
    if let [(is_added, NaiveCount::Ply | NaiveCount::Year | NaiveCount::Plies | NaiveCount::Rating(_))] =
        &mut terms[..]
    {
        *is_added = false;
    }
    let values = terms.iter().map(|(is_added, count)| {
        let value = count.value(game, at).unwrap_or(0);
        if *is_added { value } else { -value }
    });
    let number = values.sum::<i64>() + choose(3) as i64 - 1;
    NaiveSum { terms, sign: ["=", "!=", "<", "<=", ">", ">="][choose(6)], number }
}

/// Returns the rating tags of random games: about half of the ratings are missing.
pub(crate) fn rating_tags(choose: &mut dyn FnMut(usize) -> usize) -> String {
    let mut tag = |name: &str| {
        if choose(2) == 0 { String::new() } else { format!("[{name} \"{}\"]\n", 1800 + choose(600)) }
    };
    tag("WhiteElo") + &tag("BlackElo")
}
