//! The definition of duplicates, written for all pairs of games.

use pdn::position::{Move, Position};
use pdn::value::{Colour, Date};
use pdn_dedup::{DuplicateClass, KeepRule};
use pdn_index::{Index, IndexedGame};
use pdn_names::{Likeness, fold, same_person};

use super::Found;
use std::collections::BTreeSet;

struct Game {
    number: u64,
    variant: pdn::rules::Variant,
    start: Position,
    moves: Vec<Move>,
    is_damaged: bool,
    white: String,
    black: String,
    event: String,
    round: String,
    date: Date,
    tags: usize,
    notes: usize,
    text: String,
    movetext: String,
    is_problem: bool,
}

impl Game {
    fn of(game: IndexedGame<'_>) -> Self {
        let (row, (plies, last)) = (game.row().unwrap(), game.plies().unwrap());
        let text = String::from_utf8(game.text().unwrap()).unwrap();
        let known = |value: &str| value.chars().any(char::is_alphanumeric);
        let tags = text.lines().filter_map(|line| line.strip_prefix('[')?.split('"').nth(1));
        let game = Self {
            number: game.number(),
            variant: row.kind.variant,
            // Square names make no difference.
            start: Position::from_state(
                row.kind.variant,
                *plies.first().map_or(last, |ply| ply.before).state(),
            ),
            moves: plies.iter().filter_map(|ply| ply.mv).collect(),
            is_damaged: !row.status.is_complete(),
            white: row.white.to_owned(),
            black: row.black.to_owned(),
            event: row.event.to_owned(),
            round: row.round.to_owned(),
            date: row.date,
            tags: tags.filter(|value| known(value)).count(),
            notes: text.matches('{').count() + text.matches('(').count(),
            movetext: text
                .lines()
                .filter(|line| !line.starts_with('['))
                .flat_map(str::split_whitespace)
                .collect(),
            text: text.split_whitespace().collect(),
            is_problem: false,
        };
        Self { is_problem: is_problem(&game), ..game }
    }

    fn complete_from(&mut self, other: &Self) {
        for (own, others) in [
            (&mut self.white, &other.white),
            (&mut self.black, &other.black),
            (&mut self.event, &other.event),
            (&mut self.round, &other.round),
        ] {
            if fold(own).is_empty() {
                own.clone_from(others);
            }
        }
        if self.date.year().is_none() {
            self.date = other.date;
        }
    }

    fn rank(&self, keep: KeepRule) -> impl Ord + use<> {
        let number = self.number as i64;
        match keep {
            KeepRule::First => (false, 0, 0, 0, number),
            KeepRule::Last => (false, 0, 0, 0, -number),
            _ => {
                let [plies, notes, tags] =
                    [self.moves.len(), self.notes, self.tags].map(|count| -(count as i64));
                (self.is_damaged, plies, notes, tags, number)
            }
        }
    }
}

fn players(a: &Game, b: &Game) -> [Likeness; 2] {
    [same_person(&a.white, &b.white).likeness, same_person(&a.black, &b.black).likeness]
}

fn differ(a: &str, b: &str) -> bool {
    let (a, b) = (fold(a), fold(b));
    !a.is_empty() && !b.is_empty() && a != b
}

fn are_rounds_or_events_different(a: &Game, b: &Game) -> bool {
    differ(&a.round, &b.round) || differ(&a.event, &b.event)
}

fn are_dates_different(a: Date, b: Date) -> bool {
    let parts =
        |date: Date| [date.year().map(u32::from), date.month().map(u32::from), date.day().map(u32::from)];
    parts(a).into_iter().zip(parts(b)).any(|(a, b)| a.is_some() && b.is_some() && a != b)
}

fn is_vetoed(a: &Game, b: &Game) -> bool {
    are_dates_different(a.date, b.date) || are_rounds_or_events_different(a, b)
}

fn is_same_start(a: &Game, b: &Game) -> bool {
    (a.variant, a.start) == (b.variant, b.start)
}

fn is_exact(a: &Game, b: &Game) -> bool {
    if !is_same_start(a, b) || a.moves != b.moves {
        return false;
    }
    if a.moves.is_empty() {
        return a.text == b.text;
    }
    let is_rest_same = !a.is_damaged && !b.is_damaged || a.movetext == b.movetext;
    is_rest_same && !players(a, b).contains(&Likeness::Different) && (a.moves.len() >= 20 || !is_vetoed(a, b))
}

fn is_prefix(a: &Game, b: &Game) -> bool {
    is_same_start(a, b)
        && a.moves.len() >= 20
        && b.moves.len() >= 20
        && (a.moves.starts_with(&b.moves) || b.moves.starts_with(&a.moves))
        && !is_vetoed(a, b)
        && !players(a, b).contains(&Likeness::Different)
}

fn is_near(a: &Game, b: &Game) -> bool {
    let (Some(day), Some(other_day)) = (a.date.days(), b.date.days()) else { return false };
    let common = a.moves.iter().zip(&b.moves).take_while(|(a, b)| a == b).count();
    is_same_start(a, b)
        && common >= 20
        && day.abs_diff(other_day) <= 2
        && !are_rounds_or_events_different(a, b)
        && players(a, b).iter().all(|&likeness| likeness >= Likeness::Possible)
}

/// Returns `true` if a record starts in a position of its own, and has either no moves or a solution: a game is between two known
/// players.
fn is_problem(game: &Game) -> bool {
    let usual = Position::start(game.variant);
    let is_usual = usual.with_turn(game.start.turn()) == game.start;
    let is_played = same_person(&game.white, &game.black).likeness == Likeness::Different;
    !game.is_damaged && !is_usual && (game.moves.is_empty() || !is_played)
}

/// The pieces of a position by row and column, and the side to move.
type Diagram = (BTreeSet<(i8, i8, Colour, bool)>, Colour);

/// Returns the start position of a game from each side and in each mirror image that counts as equal.
fn equal_diagrams(game: &Game, flipped: bool, mirrored: bool) -> Vec<Diagram> {
    let layout = game.start.board().layout();
    let (height, width) = (layout.height as i8, layout.width as i8);
    let squares = (1..=u16::from(layout.squares())).filter_map(|number| game.start.names().of_number(number));
    let pieces: Vec<(i8, i8, Colour, bool)> = squares
        .filter_map(|square| {
            let ((row, column), piece) = (layout.cell(square.bit())?, game.start.piece(square)?);
            Some((row, column, piece.colour, piece.king))
        })
        .collect();
    let mut diagrams = Vec::new();
    for (flip, mirror) in [(false, false), (true, false), (false, true), (true, true)] {
        if flip && !flipped || mirror && (!mirrored || !layout.full) {
            continue;
        }
        let moved = pieces.iter().map(|&(row, column, colour, king)| {
            let (row, column, colour) = if flip {
                (height - 1 - row, width - 1 - column, colour.other())
            } else {
                (row, column, colour)
            };
            (row, if mirror { width - 1 - column } else { column }, colour, king)
        });
        let turn = game.start.turn();
        diagrams.push((moved.collect(), if flip { turn.other() } else { turn }));
    }
    diagrams
}

/// Returns `true` if a move over the board makes the start position of one game that of the other one, in a form that counts as equal: every
/// piece has its place, no man stands on its promotion row, and every legal move of one is legal in the other, moved.
fn is_moved(a: &Game, b: &Game, flipped: bool, mirrored: bool) -> bool {
    let height = b.start.board().height() as i8;
    let is_plain = |(pieces, _): &Diagram| {
        let last = |colour| if colour == Colour::White { 0 } else { height - 1 };
        !pieces.is_empty() && !pieces.iter().any(|&(row, _, colour, king)| !king && row == last(colour))
    };
    let (to, turn) = &equal_diagrams(b, false, false)[0];
    let to_moves = moves_by_cells(&b.start);
    equal_diagrams(a, flipped, mirrored).into_iter().any(|from| {
        if !is_plain(&from) || !is_plain(&(to.clone(), *turn)) || from.1 != *turn {
            return false;
        }
        let shifts = (-12..=12).flat_map(|rows| (-12..=12).map(move |columns| (rows, columns)));
        shifts.filter(|shift| *shift != (0, 0)).any(|(rows, columns)| {
            let moved = from
                .0
                .iter()
                .map(|&(row, column, colour, king)| (row + rows, column + columns, colour, king));
            let shift = |moves: BTreeSet<CellMove>| -> BTreeSet<CellMove> {
                let cell = |(row, column): (i8, i8)| (row + rows, column + columns);
                let moved = moves.into_iter().map(|(from, to, captured, promotes)| {
                    (cell(from), cell(to), captured.into_iter().map(cell).collect(), promotes)
                });
                moved.collect()
            };
            moved.collect::<BTreeSet<_>>() == *to
                && position_of(b, &from).is_some_and(|start| shift(moves_by_cells(&start)) == to_moves)
        })
    })
}

/// A move by the rows and columns of its first and last square and of the captured pieces, and whether it promotes.
type CellMove = ((i8, i8), (i8, i8), BTreeSet<(i8, i8)>, bool);

/// Returns the legal moves of a position.
fn moves_by_cells(position: &Position) -> BTreeSet<CellMove> {
    let cell = |square| position.board().layout().cell(square_bit(square)).unwrap();
    let moves = position.moves().unwrap();
    moves
        .iter()
        .map(|mv| (cell(mv.from), cell(mv.to), mv.captured_squares().map(cell).collect(), mv.promotes))
        .collect()
}

fn square_bit(square: pdn::board::Square) -> u8 {
    square.0
}

/// Returns a diagram as a position of the variant of a game.
fn position_of(game: &Game, (pieces, turn): &Diagram) -> Option<Position> {
    let layout = game.start.board().layout();
    let mut state = pdn_rules::internal::position::State::<u128>::empty(*turn);
    for &(row, column, colour, king) in pieces {
        let bit = 1u128 << layout.bit(row, column)?;
        state.pieces[colour as usize] |= bit;
        state.kings |= if king { bit } else { 0 };
    }
    Some(Position::from_state(game.variant, state))
}

/// Says whether two games are duplicates of one class.
type PairTest<'a> = &'a dyn Fn(&Game, &Game) -> bool;

/// Finds duplicates by comparing each game with every keeper.
pub(super) fn naive_duplicates(
    index: &Index,
    keep: KeepRule,
    [flipped, mirrored, shifted]: [bool; 3],
) -> Found {
    let is_same_position = |a: &Game, b: &Game| {
        a.is_problem
            && b.is_problem
            && a.variant == b.variant
            && equal_diagrams(b, flipped, mirrored).contains(&equal_diagrams(a, false, false)[0])
    };
    let is_shifted = |a: &Game, b: &Game| {
        shifted && a.is_problem && b.is_problem && a.variant == b.variant && is_moved(a, b, flipped, mirrored)
    };
    let mut games: Vec<Game> = index.games().map(Game::of).collect();
    games.sort_by_key(|game| game.rank(keep));
    let mut found = Found::new();
    let steps: [(DuplicateClass, PairTest<'_>); 5] = [
        (DuplicateClass::Exact, &is_exact),
        (DuplicateClass::Prefix, &is_prefix),
        (DuplicateClass::Near, &is_near),
        (DuplicateClass::SamePosition, &is_same_position),
        (DuplicateClass::ShiftedPosition, &is_shifted),
    ];
    for (class, is_duplicate) in steps {
        let mut keepers: Vec<Game> = Vec::new();
        let mut copies: Vec<(usize, Game)> = Vec::new();
        for game in games {
            match keepers.iter().position(|keeper| is_duplicate(keeper, &game)) {
                Some(keeper) => {
                    found.insert((keepers[keeper].number, game.number, class));
                    copies.push((keeper, game));
                }
                None => keepers.push(game),
            }
        }
        // Of records that are equal, one may know what another does not.
        for (keeper, copy) in copies.iter().filter(|_| class == DuplicateClass::Exact) {
            keepers[*keeper].complete_from(copy);
        }
        if class == DuplicateClass::Exact {
            for (at, game) in keepers.iter().enumerate() {
                let has_same_moves = |first: &&Game| {
                    let is_whole =
                        |game: &Game| !game.is_damaged && !game.moves.is_empty() && !game.is_problem;
                    is_same_start(first, game)
                        && first.moves == game.moves
                        && is_whole(first)
                        && is_whole(game)
                };
                if let Some(first) = keepers[..at].iter().find(has_same_moves) {
                    found.insert((first.number, game.number, DuplicateClass::SameMoves));
                }
            }
        }
        games = keepers;
    }
    found
}
