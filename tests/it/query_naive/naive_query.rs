//! Queries that evaluate themselves naively.

use std::collections::BTreeMap;
use std::fmt::Write;

use pdn::rules::Variant;
use pdn::value::Colour;

use super::game::{Board, Game, IMAGES, preferred, squares};
use super::naive_moves::{NaiveInGame, NaivePlayed, random_in_game, random_played};
use super::naive_openings::{opening_names, some_name};
use super::naive_sum::{NaiveSum, random_sum};

/// A query in a form of its own, which writes itself as text and evaluates itself at a position.
#[derive(Clone, Debug)]
pub(crate) enum NaiveQuery {
    White(String),
    Player(String),
    Years(u32, u32),
    Round(u32),
    Plies(u32, u32),
    Winner(Option<bool>),
    Variant(Variant),
    OpeningPlayed(String),
    Fen(Board, String, bool, bool),
    Pattern(Vec<(String, String, bool)>, bool, bool),
    Material(String, &'static str, i32),
    Sum(NaiveSum),
    WhiteToMove,
    Ply(u32, u32),
    Last,
    Move {
        from: Option<String>,
        to: Option<String>,
        king: Option<bool>,
        white: Option<bool>,
        promotes: Option<bool>,
        takes: Option<usize>,
        over: Vec<String>,
    },
    Sacrifice(i32, usize, Option<bool>),
    Played(NaivePlayed),
    InGame(Box<NaiveInGame>),
    Not(Box<NaiveQuery>),
    And(Box<NaiveQuery>, Box<NaiveQuery>),
    Or(Box<NaiveQuery>, Box<NaiveQuery>),
    Ever(Box<NaiveQuery>),
    Then(Box<NaiveQuery>, Box<NaiveQuery>, usize),
    For(Box<NaiveQuery>, usize),
}

pub(crate) fn swapped(piece: char) -> char {
    match piece {
        'w' => 'b',
        'b' => 'w',
        'W' => 'B',
        'B' => 'W',
        other => other,
    }
}

/// Returns the pieces that a letter of a pattern stands for; `.` for an empty square.
pub(crate) fn letter(letter: char) -> &'static str {
    match letter {
        'w' => "w",
        'W' => "W",
        'b' => "b",
        'B' => "B",
        'o' => "wW",
        'x' => "bB",
        'm' => "wb",
        'k' => "WB",
        'p' => "wWbB",
        '.' => ".",
        _ => "wWbB.",
    }
}

/// Returns the forms that match, as whether flipped and whether mirrored; the plain form is the first.
pub(crate) fn forms(variant: Variant, flipped: bool, mirrored: bool) -> Vec<(bool, bool)> {
    let full = variant.board().layout().full;
    let mut forms = vec![(false, false)];
    if flipped {
        forms.push((true, false));
    }
    if mirrored && full {
        forms.push((false, true));
        if flipped {
            forms.push((true, true));
        }
    }
    forms
}

/// Writes a position as a FEN.
pub(crate) fn fen(board: &Board) -> String {
    let side = |white: bool| {
        let of = board.pieces.iter().filter(|(_, piece)| "wW".contains(**piece) == white);
        let text =
            of.map(|(square, piece)| format!("{}{square}", if "WB".contains(*piece) { "K" } else { "" }));
        text.collect::<Vec<_>>().join(",")
    };
    format!("{}:W{}:B{}", if board.white { 'W' } else { 'B' }, side(true), side(false))
}

impl NaiveQuery {
    pub(crate) fn text(&self) -> String {
        let suffix = |flipped: bool, mirrored: bool| {
            format!("{}{}", if flipped { " flipped" } else { "" }, if mirrored { " mirrored" } else { "" })
        };
        match self {
            Self::White(name) => format!("white = \"{name}\""),
            Self::Player(name) => format!("player : {name}"),
            Self::Years(from, to) => format!("date {from}..{to}"),
            Self::Round(round) => format!("round {round}"),
            Self::Plies(from, to) => format!("plies {from}..{to}"),
            Self::Winner(None) => "winner nobody".to_owned(),
            Self::Winner(Some(white)) => format!("winner {}", if *white { "white" } else { "black" }),
            Self::Variant(variant) => format!("variant {variant}"),
            Self::OpeningPlayed(name) => format!("opening_played = \"{name}\""),
            Self::Fen(_, fen, flipped, mirrored) => format!("fen \"{fen}\"{}", suffix(*flipped, *mirrored)),
            Self::Pattern(squares, flipped, mirrored) => {
                let mut text = String::new();
                for (square, letters, negated) in squares {
                    let _ = write!(text, "{}{letters}:{square} ", if *negated { "!" } else { "" });
                }
                format!("pattern \"{}\"{}", text.trim(), suffix(*flipped, *mirrored))
            }
            Self::Material(sum, sign, number) => format!("{sum}{sign}{number}"),
            Self::Sum(sum) => sum.text(),
            Self::Played(moves) => moves.text(),
            Self::InGame(positions) => positions.text(),
            Self::WhiteToMove => "white to move".to_owned(),
            Self::Ply(from, to) => format!("ply {from}..{to}"),
            Self::Last => "last".to_owned(),
            Self::Move { from, to, king, white, promotes, takes, over } => {
                let mut text = "move".to_owned();
                let parts = [
                    from.as_ref().map(|from| format!(" from {from}")),
                    to.as_ref().map(|to| format!(" to {to}")),
                    king.map(|king| format!(" by {}", if king { "king" } else { "man" })),
                    white.map(|white| format!(" by {}", if white { "white" } else { "black" })),
                    promotes.map(|promotes| format!(" {}", if promotes { "promotes" } else { "stays" })),
                    takes.map(|takes| format!(" takes >= {takes}")),
                    (!over.is_empty()).then(|| format!(" over {}", over.join(","))),
                ];
                parts.into_iter().flatten().for_each(|part| text += &part);
                text
            }
            Self::Sacrifice(given, within, regained) => {
                let word = match regained {
                    None => "",
                    Some(true) => " regained",
                    Some(false) => " lost",
                };
                format!("sacrifice {given} within {within}{word}")
            }
            Self::Not(inner) => format!("not ({})", inner.text()),
            Self::And(one, other) => format!("({}) and ({})", one.text(), other.text()),
            Self::Or(one, other) => format!("({}) or ({})", one.text(), other.text()),
            Self::Ever(inner) => format!("ever ({})", inner.text()),
            Self::Then(first, second, within) => {
                format!("({}) then ({}) within {within}", first.text(), second.text())
            }
            Self::For(inner, plies) => format!("({}) for {plies}", inner.text()),
        }
    }

    /// Returns the operands of an operator.
    pub(crate) fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Not(inner) | Self::Ever(inner) | Self::For(inner, _) => vec![inner],
            Self::And(one, other) | Self::Or(one, other) | Self::Then(one, other, _) => vec![one, other],
            _ => Vec::new(),
        }
    }

    pub(crate) fn holds(&self, game: &Game, at: usize) -> bool {
        let board = &game.boards[at];
        match self {
            Self::White(name) => game.tags["White"].eq_ignore_ascii_case(name),
            Self::Player(word) => ["White", "Black"].iter().any(|tag| {
                let name = game.tags[*tag].to_lowercase();
                name.split(|c: char| !c.is_alphanumeric()).any(|other| other == word)
            }),
            Self::Years(from, to) => game.tags["Date"]
                .get(..4)
                .and_then(|year| year.parse().ok())
                .is_some_and(|year: u32| (*from..=*to).contains(&year)),
            Self::Round(round) => game.tags["Round"] == round.to_string(),
            Self::OpeningPlayed(name) => {
                let names = game.openings.get_or_init(|| opening_names(game));
                names.contains(name) || names.is_empty() && name.is_empty()
            }
            Self::Plies(from, to) => (*from as usize..=*to as usize).contains(&game.moves.len()),
            Self::Winner(winner) => {
                game.winner == winner.map(|white| if white { Colour::White } else { Colour::Black })
            }
            Self::Variant(variant) => game.variant == *variant,
            Self::Fen(asked, _, flipped, mirrored) => {
                forms(game.variant, *flipped, *mirrored).into_iter().any(|(flip, mirror)| {
                    let images = &IMAGES[&(game.variant, flip, mirror)];
                    let mut pieces = BTreeMap::new();
                    for (square, piece) in &asked.pieces {
                        let name = preferred(game.variant, square);
                        let Some(image) = name.and_then(|name| images.get(name)) else { return false };
                        pieces.insert(image.clone(), if flip { swapped(*piece) } else { *piece });
                    }
                    board.pieces == pieces && board.white == (asked.white != flip)
                })
            }
            Self::Pattern(asked, flipped, mirrored) => {
                forms(game.variant, *flipped, *mirrored).into_iter().any(|(flip, mirror)| {
                    let images = &IMAGES[&(game.variant, flip, mirror)];
                    asked.iter().all(|(square, letters, negated)| {
                        let name = preferred(game.variant, square);
                        let Some(image) = name.and_then(|name| images.get(name)) else { return false };
                        let there = board.pieces.get(image).copied().unwrap_or('.');
                        let there = if flip { swapped(there) } else { there };
                        letters.chars().any(|one| letter(one).contains(there)) != *negated
                    })
                })
            }
            Self::Material(sum, sign, number) => {
                let mut value = 0;
                let mut factor = 1;
                for part in sum.split_inclusive(['+', '-']) {
                    let name = part.trim_end_matches(['+', '-']);
                    let counted = match name {
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
                    value += factor
                        * board.pieces.values().filter(|&&piece| counted.contains(piece)).count() as i32;
                    factor = if part.ends_with('-') { -1 } else { 1 };
                }
                match *sign {
                    "=" => value == *number,
                    "!=" => value != *number,
                    "<" => value < *number,
                    "<=" => value <= *number,
                    ">" => value > *number,
                    _ => value >= *number,
                }
            }
            Self::Sum(sum) => sum.holds(game, at),
            Self::Played(moves) => moves.holds(game, at),
            Self::InGame(positions) => positions.holds(game, at),
            Self::WhiteToMove => board.white,
            Self::Ply(from, to) => (*from as usize..=*to as usize).contains(&at),
            Self::Last => at == game.moves.len(),
            Self::Move { from, to, king, white, promotes, takes, over } => {
                game.moves.get(at).is_some_and(|made| {
                    from.as_ref().is_none_or(|from| preferred(game.variant, from) == Some(&made.from))
                        && to.as_ref().is_none_or(|to| preferred(game.variant, to) == Some(&made.to))
                        && king.is_none_or(|king| king == "WB".contains(board.pieces[&made.from]))
                        && white.is_none_or(|white| white == board.white)
                        && promotes.is_none_or(|promotes| promotes == made.promotes)
                        && over.iter().all(|over| {
                            preferred(game.variant, over).is_some_and(|over| made.captured.contains(over))
                        })
                        && takes.is_none_or(|takes| made.captured.len() >= takes)
                })
            }
            Self::Sacrifice(given, within, regained) => {
                let more = |board: &Board| {
                    let count = |letters: &str| {
                        board.pieces.values().filter(|&&p| letters.contains(p)).count() as i32
                    };
                    count("wW") - count("bB")
                };
                let sign = if board.white { 1 } else { -1 };
                let ahead = &game.boards[at + 1..(at + 1 + within).min(game.boards.len())];
                let changes: Vec<i32> =
                    ahead.iter().map(|later| sign * (more(later) - more(board))).collect();
                let gone = changes.iter().position(|&change| change <= -given);
                let back = gone.is_some_and(|gone| changes[gone + 1..].iter().any(|&change| change >= 0));
                gone.is_some() && regained.is_none_or(|regained| regained == back)
            }
            Self::Not(inner) => !inner.holds(game, at),
            Self::And(one, other) => one.holds(game, at) && other.holds(game, at),
            Self::Or(one, other) => one.holds(game, at) || other.holds(game, at),
            Self::Ever(inner) => (0..game.boards.len()).any(|at| inner.holds(game, at)),
            Self::Then(first, second, within) => {
                let end = (at + 1 + within).min(game.boards.len());
                first.holds(game, at) && (at + 1..end).any(|later| second.holds(game, later))
            }
            Self::For(inner, plies) => {
                at + plies < game.boards.len() && (at..=at + plies).all(|at| inner.holds(game, at))
            }
        }
    }
}

/// Returns a random query about something that occurs in one of the games, nested up to `depth`.
pub(crate) fn random_query(games: &[Game], choose: &mut dyn FnMut(usize) -> usize, depth: u32) -> NaiveQuery {
    let game = &games[choose(games.len())];
    let at = choose(game.boards.len());
    let board = &game.boards[at];
    let yes = |choose: &mut dyn FnMut(usize) -> usize| choose(2) == 0;
    if depth > 0 && choose(3) > 0 {
        let one = Box::new(random_query(games, choose, depth - 1));
        return match choose(7) {
            0 => NaiveQuery::Not(one),
            1 | 2 => NaiveQuery::And(one, Box::new(random_query(games, choose, depth - 1))),
            3 => NaiveQuery::Or(one, Box::new(random_query(games, choose, depth - 1))),
            4 => NaiveQuery::Ever(one),
            5 => {
                let within = [1 + choose(12), 40 + choose(100)][usize::from(choose(4) == 0)];
                NaiveQuery::Then(one, Box::new(random_query(games, choose, depth - 1)), within)
            }
            _ => NaiveQuery::For(one, [choose(6), 50 + choose(80)][usize::from(choose(6) == 0)]),
        };
    }
    match choose(32) {
        0 => NaiveQuery::White(game.tags["White"].clone()),
        1 => NaiveQuery::Player(["tinsley", "wal", "harm", "nobody"][choose(4)].to_owned()),
        2 => NaiveQuery::Years(1950 + choose(30) as u32, 1980 + choose(30) as u32),
        3 => NaiveQuery::Round(choose(12) as u32),
        4 => NaiveQuery::Plies(choose(40) as u32, 40 + choose(100) as u32),
        5 => NaiveQuery::Winner([None, Some(true), Some(false)][choose(3)]),
        6 => NaiveQuery::Variant(game.variant),
        7..=9 => {
            let fen = fen(board);
            NaiveQuery::Fen(board.clone(), fen, yes(choose), yes(choose))
        }
        10..14 => {
            let all = squares(game.variant);
            let letters = ['w', 'W', 'b', 'B', 'o', 'x', 'm', 'k', 'p', '.', '?'];
            let count = 1 + choose(5);
            let item = |choose: &mut dyn FnMut(usize) -> usize| {
                let square = all[choose(all.len())].0.clone();
                let there = board.pieces.get(&square).copied().unwrap_or('.');
                if choose(4) == 0 {
                    (square, format!("{}{}", letters[choose(11)], letters[choose(11)]), yes(choose))
                } else {
                    (square, there.to_string(), false)
                }
            };
            let squares = (0..count).map(|_| item(choose)).collect();
            NaiveQuery::Pattern(squares, yes(choose), yes(choose))
        }
        14 | 15 => {
            let sums = ["w", "b", "wm", "wk", "bm", "bk", "m", "k", "p", "b-w", "wk-bk", "bm-wm+wk", "wk+bm"];
            let signs = ["=", "!=", "<", "<=", ">", ">="];
            NaiveQuery::Material(sums[choose(sums.len())].to_owned(), signs[choose(6)], choose(12) as i32 - 2)
        }
        16 => NaiveQuery::WhiteToMove,
        17 => NaiveQuery::Ply(choose(30) as u32, 30 + choose(60) as u32),
        18 => NaiveQuery::Last,
        19 | 20 => {
            let made = game.moves.get(at);
            NaiveQuery::Move {
                from: made.filter(|_| choose(2) == 0).map(|made| made.from.clone()),
                to: made.filter(|_| choose(2) == 0).map(|made| made.to.clone()),
                king: (choose(4) == 0).then(|| choose(2) == 0),
                white: (choose(5) == 0).then(|| choose(2) == 0),
                promotes: (choose(5) == 0).then(|| choose(2) == 0),
                takes: (choose(3) == 0).then(|| choose(4)),
                over: made
                    .filter(|_| choose(4) == 0)
                    .map(|made| made.captured[..choose(made.captured.len() + 1)].to_vec())
                    .unwrap_or_default(),
            }
        }
        21 | 22 => NaiveQuery::OpeningPlayed(some_name(game, choose)),
        23..27 => NaiveQuery::Sum(random_sum(game, at, choose)),
        27 | 28 => NaiveQuery::Played(random_played(game, at, choose)),
        29 => NaiveQuery::InGame(Box::new(random_in_game(games, choose))),
        _ => NaiveQuery::Sacrifice(
            1 + choose(3) as i32,
            1 + choose(12),
            [None, Some(true), Some(false)][choose(3)],
        ),
    }
}
