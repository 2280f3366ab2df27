//! Finds queries whose squares differ from board to board, such as 27, which names one square of the international board and
//! another one of the English board, and queries with squares that no board of the games has.

use super::conditions::{MoveCondition, Pattern, SquareRef};
use super::language::{Condition, Query};
use super::prepare::{by_text_if_unstored, check_tables, with_positions_of_games};
use super::search::conjuncts;
use super::select::GameSelector;
use crate::{GameKind, GameSet, Index, Section};
use pdn::board::{Board, SquareNames};
use pdn::diag::joined;
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::sort;
use pdn::position::Position;
use pdn::rules::Variant;

/// Checks that the squares and moves of a query mean the same in all games that it can match, and that the board of any of them has the
/// squares.
///
/// Square numbers stand for different squares on different boards, and the same moves lead to different positions. Games
/// that other conditions exclude do not count: `variant english and pattern "w27"` is clear in any index. Names such as `c3`
/// count from the lower left corner of each board, and a board diagram names its board, so that both are always clear.
///
/// # Errors
/// [`ErrorKind::AmbiguousSquares`] with the first condition whose squares differ and the variants of the games that it can
/// match; [`ErrorKind::NoSuchSquare`] with the first condition that is true in no game, because their boards lack a square; also if a section of the index is damaged.
///
/// ```no_run
/// use pdn_index::Index;
/// use pdn_index::query::Query;
/// use pdn_index::internal::query::check_squares;
///
/// let index = Index::open("all.idx")?;
/// if let Err(error) = check_squares(&index, &Query::parse("pattern \"w27 b22\"").unwrap()) {
///     eprintln!("{error}");
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
pub fn check_squares(index: &Index, query: &Query) -> Result<()> {
    check_tables(query)?;
    let query = &*with_positions_of_games(by_text_if_unstored(query, index), index)?;
    let kinds = index.segments().iter().map(|segment| segment.kinds()).collect::<Result<Vec<_>>>()?;
    let everywhere: Vec<GameKind> = kinds.iter().flatten().copied().collect();
    // Most indexes have games of one board.
    if first_conflict(query, &everywhere).is_none() && !lacks_squares_somewhere(query, &everywhere) {
        return Ok(());
    }
    let left = (0..index.segments().len()).map(|segment| index.live_games(segment)).collect();
    check(index, query, left, &kinds)
}

/// Returns the first condition whose squares differ between games of these kinds.
fn first_conflict<'q>(query: &'q Query, kinds: &[GameKind]) -> Option<&'q Condition> {
    match query {
        Query::Is(condition) => {
            let mut meanings = kinds.iter().filter_map(|kind| Meaning::of(condition, kind));
            let first = meanings.next()?;
            meanings.any(|other| other != first).then_some(condition)
        }
        operator => operator.operands().into_iter().find_map(|operand| first_conflict(operand, kinds)),
    }
}

/// Returns `true` if a condition has squares that the board of some of these kinds lacks.
fn lacks_squares_somewhere(query: &Query, kinds: &[GameKind]) -> bool {
    match query {
        Query::Is(condition) => kinds.iter().any(|kind| missing_square(condition, kind).is_some()),
        operator => operator.operands().into_iter().any(|operand| lacks_squares_somewhere(operand, kinds)),
    }
}

/// Returns the square because of which a condition is true in no game of this kind: its board lacks it.
fn missing_square(condition: &Condition, kind: &GameKind) -> Option<SquareRef> {
    let names = kind.game().names();
    let is_missing = |square: &&SquareRef| square.bit(&names).is_none();
    match condition {
        Condition::Board(pattern) if pattern.diagram.is_none() => {
            pattern.squares.iter().map(|(square, _)| square).find(is_missing).copied()
        }
        Condition::Sum(sum) => sum.squares().find(|square| is_missing(&square)),
        Condition::Move(mv) => missing_in_move(mv, is_missing),
        Condition::Played(moves) => moves.moves().find_map(|mv| missing_in_move(mv, is_missing)),
        _ => None,
    }
}

/// Returns a square because of which no move matches a condition.
fn missing_in_move(mv: &MoveCondition, is_missing: impl Fn(&&SquareRef) -> bool) -> Option<SquareRef> {
    // Of several squares that a move may start from or end on, one is enough.
    let none_of = |squares: &[SquareRef]| {
        let first = squares.first().filter(|_| squares.iter().all(|square| is_missing(&square)));
        first.copied()
    };
    none_of(&mv.from).or_else(|| none_of(&mv.to)).or_else(|| mv.over.iter().find(&is_missing).copied())
}

/// Fails if a condition is true in no game of these kinds, because their boards lack a square of it.
fn check_existence(condition: &Condition, kinds: &[GameKind]) -> Result<()> {
    let missing: Option<Vec<SquareRef>> = kinds.iter().map(|kind| missing_square(condition, kind)).collect();
    let Some(square) = missing.as_ref().and_then(|missing| missing.first()) else { return Ok(()) };
    let mut boards: Vec<(Board, &'static str)> =
        kinds.iter().map(|kind| (kind.variant.board(), kind.variant.name())).collect();
    sort::by_key(&mut boards, |(_, name)| *name);
    boards.dedup();
    let is_one_size = boards.iter().all(|(board, _)| board.squares() == boards[0].0.squares());
    let names: Vec<&str> = boards.iter().map(|(_, name)| *name).collect();
    let names = joined(&names, "and");
    let boards = match square {
        SquareRef::Number(_) if is_one_size => {
            format!("the board of {names} has squares 1 to {}", boards[0].0.squares())
        }
        _ => format!("no board of {names} has a square {square}"),
    };
    Err(Error::new(ErrorKind::NoSuchSquare { condition: condition.to_string(), boards }))
}

/// Checks a query against the games that are left in each segment.
fn check(index: &Index, query: &Query, mut left: Vec<GameSet>, kinds: &[Vec<GameKind>]) -> Result<()> {
    match query {
        Query::And(_) => {
            // Brackets within an `and` do not matter: what is joined there leaves the same games.
            let (of_games, others): (Vec<_>, Vec<_>) =
                conjuncts(query).into_iter().partition(|part| is_about_games(part));
            for part in of_games {
                for (segment, left) in left.iter_mut().enumerate() {
                    *left &= GameSelector::with_key_table(index, segment)?.bounds(part)?.possible;
                }
            }
            others.into_iter().try_for_each(|part| check(index, part, left.clone(), kinds))
        }
        Query::Is(condition) => {
            let present = present_kinds(index, &left, kinds)?;
            check_existence(condition, &present)?;
            let Some(condition) = first_conflict(query, &present) else { return Ok(()) };
            let mut variants: Vec<Variant> = present
                .iter()
                .filter(|kind| Meaning::of(condition, kind).is_some())
                .map(|kind| kind.variant)
                .collect();
            sort::by_key(&mut variants, |variant| variant.name());
            variants.dedup();
            let variants = variants.iter().map(|variant| variant.name().to_owned()).collect();
            Err(Error::new(ErrorKind::AmbiguousSquares { condition: condition.to_string(), variants }))
        }
        operator => {
            operator.operands().into_iter().try_for_each(|operand| check(index, operand, left.clone(), kinds))
        }
    }
}

/// Returns `true` if a query has conditions on games only, none of which reads a text.
fn is_about_games(query: &Query) -> bool {
    match query {
        Query::Is(Condition::Game(condition)) => !condition.reads_text(),
        Query::Not(_) | Query::Ever(_) | Query::And(_) | Query::Or(_) | Query::Transformed { .. } => {
            query.operands().into_iter().all(is_about_games)
        }
        _ => false,
    }
}

/// Returns the kinds of the games that are left.
fn present_kinds(index: &Index, left: &[GameSet], kinds: &[Vec<GameKind>]) -> Result<Vec<GameKind>> {
    let mut present = Vec::new();
    for ((segment, left), kinds) in index.segments().iter().zip(left).zip(kinds) {
        let column = segment.column(Section::Kind)?;
        for (number, kind) in kinds.iter().enumerate() {
            let is_present = left.iter().any(|game| column.get(game as usize) == Some(number as u64));
            if is_present && !present.contains(kind) {
                present.push(*kind);
            }
        }
    }
    Ok(present)
}

/// A cell of a board: the row from the bottom and the column from the left, as White sees it.
type Cell = (u8, u8);

/// What the squares or moves of a condition mean in games of one kind.
#[derive(PartialEq, Debug)]
enum Meaning {
    /// The cells of its squares; `None` for a square that the board lacks.
    Cells(Vec<Option<Cell>>),
    /// The position that its moves lead to: the board, and the white, black and crowned pieces by their bits.
    Position(Board, bool, [u128; 3]),
}

impl Meaning {
    /// Returns the meaning of a condition; `None` if it names no squares, or cannot be true in games of this kind.
    fn of(condition: &Condition, kind: &GameKind) -> Option<Self> {
        match condition {
            Condition::Board(pattern) => Self::of_pattern(pattern, kind),
            Condition::Sum(sum) => {
                let names = kind.game().names();
                let cells: Option<Vec<_>> =
                    sum.squares().map(|square| cell(square, &names).map(Some)).collect();
                cells.filter(|cells| !cells.is_empty()).map(Self::Cells)
            }
            Condition::Move(mv) => Self::of_moves(&[mv], kind),
            Condition::Played(moves) => Self::of_moves(&moves.moves().collect::<Vec<_>>(), kind),
            Condition::Line(moves) => {
                moves.play(&kind.game()).ok().map(|position| Self::of_position(&position))
            }
            _ => None,
        }
    }

    fn of_pattern(pattern: &Pattern, kind: &GameKind) -> Option<Self> {
        if pattern.diagram.is_some() || pattern.squares.is_empty() {
            return None;
        }
        let names = kind.game().names();
        let cells = pattern.squares.iter().map(|(square, _)| cell(*square, &names).map(Some));
        cells.collect::<Option<_>>().map(Self::Cells)
    }

    fn of_moves(moves: &[&MoveCondition], kind: &GameKind) -> Option<Self> {
        let names = kind.game().names();
        let cells = |squares: &[SquareRef]| -> Vec<Option<Cell>> {
            squares.iter().map(|square| cell(*square, &names)).collect()
        };
        let lacks_all = |cells: &[Option<Cell>]| !cells.is_empty() && cells.iter().all(Option::is_none);
        let mut all = Vec::new();
        for mv in moves {
            let (from, to, over) = (cells(&mv.from), cells(&mv.to), cells(&mv.over));
            if lacks_all(&from) || lacks_all(&to) || over.contains(&None) {
                return None;
            }
            all.extend([from, to, over].concat());
        }
        (!all.is_empty()).then_some(Self::Cells(all))
    }

    fn of_position(position: &Position) -> Self {
        let state = position.state();
        let [white, black] = state.pieces;
        let white_to_move = position.turn() == pdn::value::Colour::White;
        Self::Position(position.board(), white_to_move, [white, black, state.kings])
    }
}

/// Returns the cell of a square; `None` if the board lacks it.
fn cell(square: SquareRef, names: &SquareNames) -> Option<Cell> {
    let layout = names.board().layout();
    let (row, column) = layout.cell(square.bit(names)?)?;
    let mirrored = names.numbering().inverted && !layout.full;
    let column = if mirrored { layout.width - 1 - column as u8 } else { column as u8 };
    Some((layout.height - 1 - row as u8, column))
}
