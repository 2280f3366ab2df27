//! Queries that evaluate themselves naively.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::rc::Rc;

use pdn::rules::Variant;
use pdn::value::Colour;

use super::game::{Board, Game, IMAGES, preferred, shifted_name, squares, swapped};
use super::naive_moves::{NaiveInGame, NaivePlayed, random_in_game, random_played};
use super::naive_openings::some_name;
use super::naive_sum::{NaiveCount, NaiveSum, random_sum};

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
        retakes: bool,
    },
    Sacrifice(i32, usize, Option<bool>),
    Played(NaivePlayed),
    InGame(Box<NaiveInGame>),
    Repeats(usize, usize),
    Not(Box<NaiveQuery>),
    And(Box<NaiveQuery>, Box<NaiveQuery>),
    Or(Box<NaiveQuery>, Box<NaiveQuery>),
    Ever(Box<NaiveQuery>),
    Then(Box<NaiveQuery>, Box<NaiveQuery>, RangeInclusive<usize>),
    After(Box<NaiveQuery>, Box<NaiveQuery>, RangeInclusive<usize>),
    For(Box<NaiveQuery>, usize),
    Times(Box<NaiveQuery>, RangeInclusive<usize>),
    First(Box<NaiveQuery>),
    Transformed(Box<NaiveQuery>, Words),
    Aside(Box<NaiveQuery>),
    Comment(Option<String>),
    Nag(u32, u32),
    Mark(String),
}

/// The words of a transformed query, and its shifted forms for each variant, made when first asked for.
#[derive(Clone, Default, Debug)]
pub(crate) struct Words {
    pub(crate) flipped: bool,
    pub(crate) mirrored: bool,
    pub(crate) shifted: bool,
    pub(crate) passed: bool,
    forms: RefCell<HashMap<Variant, Rc<Vec<NaiveQuery>>>>,
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
            Self::Move { from, to, king, white, promotes, takes, over, retakes } => {
                let mut text = "move".to_owned();
                let parts = [
                    from.as_ref().map(|from| format!(" from {from}")),
                    to.as_ref().map(|to| format!(" to {to}")),
                    king.map(|king| format!(" by {}", if king { "king" } else { "man" })),
                    white.map(|white| format!(" by {}", if white { "white" } else { "black" })),
                    promotes.map(|promotes| format!(" {}", if promotes { "promotes" } else { "stays" })),
                    takes.map(|takes| format!(" takes >= {takes}")),
                    (!over.is_empty()).then(|| format!(" over {}", over.join(","))),
                    retakes.then(|| " retakes".to_owned()),
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
            Self::Repeats(from, to) => format!("repeats {from}..{to}"),
            Self::Then(first, second, within) => {
                format!("({}) then ({}) within {}", first.text(), second.text(), distances(within))
            }
            Self::After(later, earlier, within) => {
                format!("({}) after ({}) within {}", later.text(), earlier.text(), distances(within))
            }
            Self::For(inner, plies) => format!("({}) for {plies}", inner.text()),
            Self::Times(inner, count) => {
                format!("({}) times {}..{}", inner.text(), count.start(), count.end())
            }
            Self::First(inner) => format!("first ({})", inner.text()),
            Self::Transformed(inner, words) => {
                let all = [
                    (words.passed, " passed"),
                    (words.mirrored, " mirrored"),
                    (words.shifted, " shifted"),
                    (words.flipped, " flipped"),
                ];
                let written = all.iter().filter(|(is_there, _)| *is_there).map(|(_, word)| *word);
                format!("({}){}", inner.text(), written.collect::<String>())
            }
            Self::Aside(inner) => format!("aside ({})", inner.text()),
            Self::Comment(None) => "comment".to_owned(),
            Self::Comment(Some(word)) => format!("comment : {word}"),
            Self::Nag(from, to) => format!("nag {from}..{to}"),
            Self::Mark(mark) => format!("mark \"{mark}\""),
        }
    }

    /// Returns the operands of an operator.
    pub(crate) fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Not(inner)
            | Self::Ever(inner)
            | Self::For(inner, _)
            | Self::Times(inner, _)
            | Self::First(inner)
            | Self::Aside(inner)
            | Self::Transformed(inner, _) => vec![inner],
            Self::And(one, other)
            | Self::Or(one, other)
            | Self::Then(one, other, _)
            | Self::After(one, other, _) => vec![one, other],
            _ => Vec::new(),
        }
    }

    /// Returns `true` if the query or a part of it passes a test.
    fn any(&self, test: fn(&Self) -> bool) -> bool {
        test(self) || self.operands().into_iter().any(|operand| operand.any(test))
    }

    /// Returns the query with all its squares some rows below and columns to the right; `None` if one of them is not on the board.
    /// Squares that the board never had stay.
    fn shifted(&self, variant: Variant, steps: (i16, i16)) -> Option<Self> {
        let square = |name: &String| match preferred(variant, name) {
            Some(_) => shifted_name(variant, name, steps).cloned(),
            None => Some(name.clone()),
        };
        let optional = |name: &Option<String>| match name {
            Some(name) => square(name).map(Some),
            None => Some(None),
        };
        let boxed = |inner: &Self| inner.shifted(variant, steps).map(Box::new);
        Some(match self {
            Self::Pattern(squares, false, false) => {
                let moved = squares
                    .iter()
                    .map(|(name, letters, negated)| Some((square(name)?, letters.clone(), *negated)));
                Self::Pattern(moved.collect::<Option<_>>()?, false, false)
            }
            Self::Move { from, to, king, white, promotes, takes, over, retakes } => Self::Move {
                from: optional(from)?,
                to: optional(to)?,
                king: *king,
                white: *white,
                promotes: *promotes,
                takes: *takes,
                over: over.iter().map(square).collect::<Option<_>>()?,
                retakes: *retakes,
            },
            Self::Not(inner) => Self::Not(boxed(inner)?),
            Self::Ever(inner) => Self::Ever(boxed(inner)?),
            Self::First(inner) => Self::First(boxed(inner)?),
            Self::And(one, other) => Self::And(boxed(one)?, boxed(other)?),
            Self::Or(one, other) => Self::Or(boxed(one)?, boxed(other)?),
            Self::Then(one, other, within) => Self::Then(boxed(one)?, boxed(other)?, within.clone()),
            Self::After(one, other, within) => Self::After(boxed(one)?, boxed(other)?, within.clone()),
            Self::For(inner, plies) => Self::For(boxed(inner)?, *plies),
            Self::Times(inner, count) => Self::Times(boxed(inner)?, count.clone()),
            Self::Fen(..)
            | Self::Pattern(..)
            | Self::Transformed(..)
            | Self::Sum(_)
            | Self::Played(_)
            | Self::InGame(_) => {
                unreachable!("not made by `random_query`")
            }
            other => other.clone(),
        })
    }

    /// Returns all shifted forms of the query on the board of a variant.
    fn all_shifted(&self, variant: Variant) -> Vec<Self> {
        let steps = (-11..=11).flat_map(|down| (-11..=11).map(move |right| (down, right)));
        steps.filter_map(|steps| self.shifted(variant, steps)).collect()
    }

    /// Returns `true` if the query is true at a position of a game.
    fn holds(&self, game: &Game, at: usize) -> bool {
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
                let names = game.opening_names();
                names.contains(name) || names.is_empty() && name.is_empty()
            }
            Self::Plies(from, to) => (*from as usize..=*to as usize).contains(&game.plies),
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
            Self::Ply(from, to) => (*from as usize..=*to as usize).contains(&(game.first + at)),
            Self::Last => at == game.moves.len(),
            Self::Move { from, to, king, white, promotes, takes, over, retakes } => {
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
                        && (!retakes || at > 0 && made.captured.contains(&game.moves[at - 1].to))
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
            Self::Repeats(from, to) => {
                let is_same = |other: &&Board| other.pieces == board.pieces && other.white == board.white;
                let times = game.boards[..=at].iter().filter(is_same).count();
                (*from..=*to).contains(&times)
            }
            Self::Comment(word) => game.comments.iter().any(|(place, text)| {
                *place == at && word.as_ref().is_none_or(|word| text.split(' ').any(|other| other == word))
            }),
            Self::Nag(from, to) => {
                game.nags.iter().any(|(place, nag)| *place == at && (*from..=*to).contains(nag))
            }
            Self::Mark(mark) => game.marks.iter().any(|(place, other)| *place == at && other == mark),
            operator => operator.truths(game)[at],
        }
    }

    /// Returns for each position of a game whether the query is true there. The truths of an operand are found once, and looked up
    /// one by one.
    pub(crate) fn truths(&self, game: &Game) -> Vec<bool> {
        let len = game.boards.len();
        let each = |holds: &dyn Fn(usize) -> bool| (0..len).map(holds).collect::<Vec<_>>();
        match self {
            Self::Not(inner) => {
                let inner = inner.truths(game);
                each(&|at| !inner[at])
            }
            Self::And(one, other) => {
                let (one, other) = (one.truths(game), other.truths(game));
                each(&|at| one[at] && other[at])
            }
            Self::Or(one, other) => {
                let (one, other) = (one.truths(game), other.truths(game));
                each(&|at| one[at] || other[at])
            }
            Self::Ever(inner) => {
                let inner = inner.truths(game);
                each(&|_| inner.contains(&true))
            }
            Self::Then(first, second, within) => {
                let (first, second) = (first.truths(game), second.truths(game));
                let later =
                    |at: usize| (at + within.start()..(at + 1 + within.end()).min(len)).any(|at| second[at]);
                each(&|at| first[at] && later(at))
            }
            Self::After(later, earlier, within) => {
                let (later, earlier) = (later.truths(game), earlier.truths(game));
                let before =
                    |at: usize| (0..at).any(|before| within.contains(&(at - before)) && earlier[before]);
                each(&|at| later[at] && before(at))
            }
            Self::For(inner, plies) => {
                let inner = inner.truths(game);
                each(&|at| at + plies < len && inner[at..=at + plies].iter().all(|&holds| holds))
            }
            Self::Times(inner, count) => {
                let inner = inner.truths(game);
                each(&|_| count.contains(&inner.iter().filter(|&&holds| holds).count()))
            }
            Self::First(inner) => {
                let inner = inner.truths(game);
                each(&|at| inner[at] && !inner[..at].contains(&true))
            }
            Self::Transformed(inner, words) => {
                let shifted = words.shifted.then(|| {
                    let mut known = words.forms.borrow_mut();
                    let forms =
                        known.entry(game.variant).or_insert_with(|| Rc::new(inner.all_shifted(game.variant)));
                    Rc::clone(forms)
                });
                let mut found = vec![false; len];
                for (flip, mirror) in forms(game.variant, words.flipped, words.mirrored) {
                    let mut seen = game.seen(flip, mirror);
                    if words.passed {
                        seen = seen.passed();
                    }
                    let forms = shifted.as_ref().map_or(std::slice::from_ref(&**inner), |all| all.as_slice());
                    for form in forms {
                        let truths = form.truths(seen);
                        found.iter_mut().zip(truths).for_each(|(found, holds)| *found |= holds);
                    }
                }
                found
            }
            Self::Aside(inner) => {
                let mut found = vec![false; len];
                for (at, variation) in &game.variations {
                    found[*at] |= inner.holds_somewhere(variation);
                }
                found
            }
            condition => each(&|at| condition.holds(game, at)),
        }
    }
}

impl NaiveQuery {
    /// Returns `true` if the query is true at a position of a line or of a variation of it.
    fn holds_somewhere(&self, line: &Game) -> bool {
        self.truths(line).contains(&true)
            || line.variations.iter().any(|(_, variation)| self.holds_somewhere(variation))
    }

    /// Returns the line and the ply of the hit of a query that is true at a position.
    pub(crate) fn hit(&self, line: &Game, at: usize) -> (usize, usize) {
        let mut hits = Vec::new();
        if !self.without_variations().truths(line)[at] {
            self.hits_in_variations(line, at, false, &mut hits);
        }
        hits.into_iter().min().unwrap_or((line.line, line.first + at))
    }

    /// Returns the query as if no variation made it true.
    fn without_variations(&self) -> Self {
        let boxed = |inner: &Self| Box::new(inner.without_variations());
        match self {
            Self::Aside(_) => Self::Not(Box::new(Self::Ply(0, u32::MAX))),
            Self::And(one, other) => Self::And(boxed(one), boxed(other)),
            Self::Or(one, other) => Self::Or(boxed(one), boxed(other)),
            Self::Ever(inner) => Self::Ever(boxed(inner)),
            Self::First(inner) => Self::First(boxed(inner)),
            Self::For(inner, plies) => Self::For(boxed(inner), *plies),
            Self::Then(first, second, within) => Self::Then(boxed(first), second.clone(), within.clone()),
            Self::After(later, earlier, within) => Self::After(boxed(later), earlier.clone(), within.clone()),
            Self::Transformed(inner, words) => {
                Self::Transformed(boxed(inner), Words { forms: RefCell::default(), ..words.clone() })
            }
            other => other.clone(),
        }
    }

    /// Finds the hits in variations that make the query true at a position, or `anywhere` in a line.
    fn hits_in_variations(&self, line: &Game, at: usize, anywhere: bool, hits: &mut Vec<(usize, usize)>) {
        match self {
            Self::Aside(inner) => hits.extend(inner.first_in_variations(line, at, anywhere)),
            Self::And(one, other) | Self::Or(one, other) => {
                one.hits_in_variations(line, at, anywhere, hits);
                other.hits_in_variations(line, at, anywhere, hits);
            }
            Self::Ever(inner) => inner.hits_in_variations(line, at, true, hits),
            Self::First(inner) | Self::For(inner, _) | Self::Then(inner, ..) | Self::After(inner, ..) => {
                inner.hits_in_variations(line, at, anywhere, hits);
            }
            Self::Transformed(inner, words) => {
                for (flip, mirror) in forms(line.variant, words.flipped, words.mirrored) {
                    let seen = line.seen(flip, mirror);
                    let seen = if words.passed { seen.passed() } else { seen };
                    inner.hits_in_variations(seen, at, anywhere, hits);
                }
            }
            _ => {}
        }
    }

    /// Returns the hit in the first variation in which the query is true, of those that begin at a position.
    fn first_in_variations(&self, line: &Game, at: usize, anywhere: bool) -> Option<(usize, usize)> {
        let holds = |(_, variation): &&(usize, Game)| self.holds_somewhere(variation);
        let places: Vec<usize> = line.variations.iter().filter(holds).map(|(place, _)| *place).collect();
        let place = if anywhere { places.into_iter().min()? } else { at };
        let mut here = line.variations.iter().filter(|(other, _)| *other == place);
        let mut found = &here.find(holds)?.1;
        loop {
            if let Some(at) = self.truths(found).iter().position(|&holds| holds) {
                return Some((found.line, found.first + at));
            }
            found = &found.variations.iter().find(holds)?.1;
        }
    }
}

/// Returns random distances of two positions.
fn distance(choose: &mut dyn FnMut(usize) -> usize) -> RangeInclusive<usize> {
    let greatest = [1 + choose(12), 40 + choose(100)][usize::from(choose(4) == 0)];
    [1, 1 + choose(greatest)][choose(2)]..=greatest
}

/// Writes distances after `within`.
fn distances(within: &RangeInclusive<usize>) -> String {
    if *within.start() == 1 {
        within.end().to_string()
    } else {
        format!("{}..{}", within.start(), within.end())
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
        let annotated = game.variations.len() + game.comments.len() > 0;
        return match choose(if annotated { 15 } else { 12 }) {
            12..15 => NaiveQuery::Aside(one),
            7 => {
                let within = distance(choose);
                NaiveQuery::After(one, Box::new(random_query(games, choose, depth - 1)), within)
            }
            8 => {
                let least = choose(4);
                NaiveQuery::Times(one, least..=[least, least + choose(5), 9999][choose(3)])
            }
            9 => NaiveQuery::First(one),
            10 | 11 => {
                let cannot_pass = |part: &NaiveQuery| {
                    let needs_side = |sum: &NaiveSum| {
                        let needs = |count| matches!(count, &NaiveCount::Takes | &NaiveCount::Earlier);
                        sum.terms.iter().any(|(_, count)| needs(count))
                    };
                    match part {
                        NaiveQuery::Move { .. }
                        | NaiveQuery::Played(_)
                        | NaiveQuery::Sacrifice(..)
                        | NaiveQuery::Repeats(..) => true,
                        NaiveQuery::Sum(sum) => needs_side(sum),
                        _ => false,
                    }
                };
                let cannot_shift = |part: &NaiveQuery| {
                    matches!(
                        part,
                        NaiveQuery::Fen(..)
                            | NaiveQuery::Pattern(_, true, _)
                            | NaiveQuery::Pattern(_, _, true)
                            | NaiveQuery::Transformed(..)
                            | NaiveQuery::Sum(_)
                            | NaiveQuery::Played(_)
                            | NaiveQuery::InGame(_)
                            | NaiveQuery::Aside(_)
                    )
                };
                let names_squares = |part: &NaiveQuery| matches!(part, NaiveQuery::Pattern(..));
                let words = Words {
                    flipped: yes(choose),
                    mirrored: yes(choose),
                    shifted: yes(choose) && one.any(names_squares) && !one.any(cannot_shift),
                    passed: yes(choose) && !one.any(cannot_pass),
                    ..Words::default()
                };
                NaiveQuery::Transformed(one, words)
            }
            0 => NaiveQuery::Not(one),
            1 | 2 => NaiveQuery::And(one, Box::new(random_query(games, choose, depth - 1))),
            3 => NaiveQuery::Or(one, Box::new(random_query(games, choose, depth - 1))),
            4 => NaiveQuery::Ever(one),
            5 => {
                let within = distance(choose);
                NaiveQuery::Then(one, Box::new(random_query(games, choose, depth - 1)), within)
            }
            _ => NaiveQuery::For(one, [choose(6), 50 + choose(80)][usize::from(choose(6) == 0)]),
        };
    }
    let annotated = game.variations.len() + game.comments.len() > 0;
    match choose(if annotated { 39 } else { 33 }) {
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
                retakes: choose(4) == 0,
            }
        }
        21 | 22 => NaiveQuery::OpeningPlayed(some_name(game, choose)),
        23..27 => NaiveQuery::Sum(random_sum(game, at, choose)),
        27 | 28 => NaiveQuery::Played(random_played(game, at, choose)),
        29 => NaiveQuery::InGame(Box::new(random_in_game(games, choose))),
        30 => {
            let least = 1 + choose(3);
            NaiveQuery::Repeats(least, [least, 99][choose(2)])
        }
        33 | 34 => {
            NaiveQuery::Comment([None, Some("shot".to_owned()), Some("trap".to_owned())][choose(3)].clone())
        }
        35 | 36 => NaiveQuery::Nag(1 + choose(4) as u32, 4 + choose(4) as u32),
        37 | 38 => NaiveQuery::Mark(["!", "?", "!?", "*"][choose(4)].to_owned()),
        _ => NaiveQuery::Sacrifice(
            1 + choose(3) as i32,
            1 + choose(12),
            [None, Some(true), Some(false)][choose(3)],
        ),
    }
}
