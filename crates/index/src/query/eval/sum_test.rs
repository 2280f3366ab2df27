//! Tests of sums of numbers of a position, with those of legal moves from the move generator.

use super::board_test::CountTest;
use super::fact_need::MaterialBounds;
use super::frame::{Frame, pieces_on};
use super::position_batch::{BATCH_LEN, PositionBatch, add_each, sums_in};
use crate::GameKind;
use crate::query::conditions::{Count, Pattern, SumCondition, TableNumber, Tables};
use pdn::board::SquareNames;
use pdn::movegen::{DEFAULT_CAPTURE_NODES, MoveList};
use pdn::position::Position;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::movegen::{MoveGenerator, move_generator};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Precedence, Rules};

// Twin: naive evaluation in tests/it/query_naive; test: any_query_matches_as_the_naive_evaluation.

/// The greatest number of earlier games in a sum, so that no sum overflows. It is far above any number that a sum is compared with.
const MAX_EARLIER: u32 = i32::MAX as u32 / 128;

/// A condition on a sum, compiled for a board.
#[derive(Debug)]
pub(in crate::query) struct SumTest<B> {
    /// The numbers with their factors.
    terms: Vec<(i32, Term<B>)>,
    min: i32,
    max: i32,
}

/// A number of a position, compiled for a board.
#[derive(Debug)]
enum Term<B> {
    /// The pieces on squares: those for white men, white kings, black men and black kings.
    Pieces([B; 4]),
    /// The squares with other contents than white men, white kings, black men and black kings.
    Distance([B; 4]),
    /// By powers of two, the squares on which a man of this side has advanced by a number of rows that contains the
    /// power.
    Tempo(Colour, Vec<B>),
    /// Captured pieces of the next move.
    Takes,
    /// Plies before the position.
    Ply,
    /// Games of earlier dates with the position.
    Earlier,
    /// A number of legal moves.
    Moves(MoveTerm<B>),
    /// A number that tables of endings have.
    Table(TableTerm),
}

/// A number that tables of endings have of a position.
#[derive(Debug)]
struct TableTerm {
    number: TableNumber,
    tables: Tables,
    kind: GameKind,
    /// The test that the tables may reach a position.
    few_pieces: CountTest,
    /// Whether the side is to move that is not.
    passed: bool,
}

/// A number of legal moves: which one, and what it takes to count them.
#[derive(Debug)]
struct MoveTerm<B> {
    number: MoveNumber,
    counter: MoveCounter,
    /// For each direction in which men step, for White and for Black, the squares from which they can and the bits to
    /// rotate by.
    steps: Vec<[(B, u32); 2]>,
    valid: B,
    /// Whether every legal capture takes the most pieces.
    takes_most: bool,
    /// Whether the moves are those of the side that is not to move.
    passed: bool,
}

/// Which number of legal moves is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MoveNumber {
    Moves,
    Captures,
    Best,
}

impl<B: Bits> SumTest<B> {
    /// Compiles a condition for the games of a kind, as a form of a query reads it; `None` if no position can match, because
    /// the board lacks a square or a number is not one of positions.
    pub(super) fn new<G: Geometry<Bits = B>>(
        sum: &SumCondition,
        kind: &GameKind,
        frame: Frame,
    ) -> Option<Self> {
        let names = kind.game().names();
        let term = |(factor, count): &(i8, Count)| {
            let term = match count {
                Count::Pieces(contents, area) => {
                    let squares = pieces_on::<G>(*contents, area.as_ref(), &names)?;
                    // Squares that are not named are not moved.
                    let frame = if area.is_some() { frame } else { frame.in_place() };
                    Term::Pieces(frame.contents::<G>(squares))
                }
                Count::Distance(pattern) => {
                    Term::Distance(frame.contents::<G>(pieces_of::<G>(pattern, &names)?))
                }
                Count::Tempo(side) => Term::Tempo(frame.side(*side), advanced_rows::<G>(frame.side(*side))),
                // The next move belongs to the side that is to move.
                Count::Takes if frame.is_passed() => return None,
                Count::Takes => Term::Takes,
                Count::Ply => Term::Ply,
                // Games have the position with its side to move.
                Count::Earlier if frame.is_passed() => return None,
                Count::Earlier => Term::Earlier,
                Count::Moves => Term::Moves(MoveTerm::new::<G>(MoveNumber::Moves, kind, frame)),
                Count::Jumps => Term::Moves(MoveTerm::new::<G>(MoveNumber::Captures, kind, frame)),
                Count::Best => Term::Moves(MoveTerm::new::<G>(MoveNumber::Best, kind, frame)),
                Count::Table(number, tables) => {
                    Term::Table(TableTerm::new(*number, tables.as_ref()?, kind, frame)?)
                }
                Count::OfGame(_) => return None,
            };
            Some((i32::from(*factor), term))
        };
        let terms = sum.terms.iter().map(term).collect::<Option<_>>()?;
        Some(Self { terms, min: sum.min, max: sum.max })
    }

    /// Returns `true` if the test depends on the next move.
    pub(super) fn tests_moves(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Takes | Term::Moves(_)))
    }

    /// Returns `true` if the test needs the numbers of earlier games.
    pub(super) fn counts_earlier_games(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Earlier))
    }

    /// Returns `true` if the test is `earlier = 0`.
    pub(super) fn is_first_occurrence(&self) -> bool {
        matches!(self.terms.as_slice(), [(1, Term::Earlier)]) && self.min <= 0 && self.max == 0
    }

    /// Returns `true` if the test generates legal moves.
    pub(super) fn generates_moves(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Moves(_) | Term::Table(_)))
    }

    /// Returns the positions of `among`, a bit each, whose sum lies in the range. `first` is the number of plies
    /// before the first position of the batch, `earlier` the number of earlier games of each position, empty if that is unknown.
    pub(super) fn matches(&self, batch: &PositionBatch<B>, first: u32, earlier: &[u32], among: u64) -> u64 {
        let mut sums = [0; BATCH_LEN];
        let mut known = among;
        for (factor, term) in &self.terms {
            match term {
                Term::Pieces(squares) => batch.add_pieces(*factor, squares, &mut sums),
                Term::Distance(pieces) => batch.add_differences(*factor, pieces, &mut sums),
                Term::Tempo(side, rows) => {
                    for (power, &squares) in rows.iter().enumerate() {
                        let none = B::NONE;
                        let men = match side {
                            Colour::White => [squares, none, none, none],
                            Colour::Black => [none, none, squares, none],
                        };
                        batch.add_pieces(factor << power, &men, &mut sums);
                    }
                }
                Term::Takes => {
                    known &= batch.moves_and_captures().0;
                    batch.add_takes(*factor, &mut sums);
                }
                Term::Ply => {
                    let first = i32::try_from(first).unwrap_or(i32::MAX - BATCH_LEN as i32);
                    add_each(*factor, &mut sums, |at| first.saturating_add(at as i32));
                }
                Term::Earlier if earlier.is_empty() => return 0,
                Term::Earlier => add_each(*factor, &mut sums, |at| {
                    earlier.get(at).map_or(0, |&games| games.min(MAX_EARLIER) as i32)
                }),
                Term::Moves(moves) => known &= moves.add(*factor, batch, known, &mut sums),
                Term::Table(table) => known &= table.add(*factor, batch, known, &mut sums),
            }
        }
        known & sums_in(&sums, self.min, self.max)
    }

    /// Returns bounds that a position with such a sum meets.
    pub(super) fn material_bounds(&self) -> MaterialBounds {
        if let [(1, Term::Distance(pieces))] = self.terms.as_slice() {
            let count = |kinds: &[usize]| kinds.iter().map(|&kind| pieces[kind].count()).sum::<u32>();
            return MaterialBounds::near(
                [count(&[0]), count(&[0, 1]), count(&[2]), count(&[2, 3])],
                self.max,
            );
        }
        let mut bounds = MaterialBounds::NONE;
        for (at, (factor, term)) in self.terms.iter().enumerate() {
            let squares = match term {
                Term::Pieces(squares) => squares,
                Term::Table(table) => {
                    bounds = bounds.and(MaterialBounds::of_count(&table.few_pieces));
                    continue;
                }
                _ => continue,
            };
            // The others leave this term at least so much, in the direction of its factor.
            let bound = if *factor > 0 { self.min } else { self.max };
            let others = self.terms.iter().enumerate().filter(|(other, _)| *other != at);
            let rest = others.map(|(_, (other, term))| {
                let wrong_way = i64::from(*other) * i64::from(factor.signum());
                // No number is below 0.
                if wrong_way <= 0 { Some(0) } else { term.max().map(|max| wrong_way * max) }
            });
            let Some(rest) = rest.sum::<Option<i64>>() else { continue };
            if bound == i32::MIN || bound == i32::MAX || *factor == 0 {
                continue;
            }
            let wanted = i64::from(bound) * i64::from(factor.signum()) - rest;
            let least = u32::try_from(wanted.max(0)).unwrap_or(0).div_ceil(factor.unsigned_abs());
            bounds = bounds.and(MaterialBounds::at_least(least, squares.map(B::any)));
        }
        bounds
    }
}

impl<B: Bits> Term<B> {
    /// Returns the greatest number; `None` if there is none.
    fn max(&self) -> Option<i64> {
        match self {
            Self::Pieces([a, b, c, d]) => Some((*a | *b | *c | *d).count().into()),
            _ => None,
        }
    }
}

impl<B: Bits> MoveTerm<B> {
    fn new<G: Geometry<Bits = B>>(number: MoveNumber, kind: &GameKind, frame: Frame) -> Self {
        let rules = kind.variant.rules();
        let movement = rules.movement;
        let step = |direction: usize| {
            let inner = G::step(G::VALID, direction ^ 1) & G::VALID;
            (inner, G::LAYOUT.shift(direction).rem_euclid(B::SIZE as i32) as u32)
        };
        let directions = |black: bool| {
            let set = movement.man_steps.seen_by(black);
            (0..8).filter(move |&direction| set.has_number(direction))
        };
        let steps = directions(false).zip(directions(true)).map(|(white, black)| [step(white), step(black)]);
        let takes_most = matches!(
            movement.precedence,
            Precedence::MostPieces | Precedence::MostPiecesThenKings | Precedence::Italian(_)
        );
        let (counter, passed) = (MoveCounter::new(&rules), frame.is_passed());
        Self { number, counter, steps: steps.collect(), valid: G::VALID, takes_most, passed }
    }

    /// Adds the number of each position of `among`, times a factor, to its sum. Returns the positions whose number is
    /// known: all but those with more captures than are searched.
    ///
    /// Captures are compulsory. Where the next move does not capture, no move does, and men have their free steps only. The next
    /// move tells nothing of the other side.
    fn add(&self, factor: i32, batch: &PositionBatch<B>, among: u64, sums: &mut [i32; BATCH_LEN]) -> u64 {
        let (played, captures) = if self.passed { (0, 0) } else { batch.moves_and_captures() };
        let quiet = played & !captures;
        let mut numbers = [0; BATCH_LEN];
        let mut open = among & !quiet;
        match self.number {
            MoveNumber::Moves => {
                for steps in &self.steps {
                    batch.add_man_steps(1, self.valid, *steps, &mut numbers);
                }
                open = among & !(quiet & !batch.kings_to_move());
            }
            MoveNumber::Captures => {}
            MoveNumber::Best if self.takes_most => {
                batch.add_takes(1, &mut numbers);
                open = among & !played;
            }
            MoveNumber::Best => {}
        }
        let mut known = among;
        let mut list = if open == 0 { None } else { Some(MoveList::new()) };
        let mut rest = open;
        while let (Some(list), 1..) = (&mut list, rest) {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let state = batch.state(at);
            let turn = if self.passed { !state.turn } else { state.turn };
            match self.counter.count(&State { turn, ..state }, list) {
                Some(MoveNumbers { moves, captures, best }) => {
                    numbers[at] = match self.number {
                        MoveNumber::Moves => moves,
                        MoveNumber::Captures => captures,
                        MoveNumber::Best => best,
                    } as i32;
                }
                None => known &= !(1 << at),
            }
        }
        add_each(factor, sums, |at| numbers[at]);
        known
    }
}

impl TableTerm {
    /// Compiles a number for the games of a kind; `None` if the tables have no position of its variant.
    fn new(number: TableNumber, tables: &Tables, kind: &GameKind, frame: Frame) -> Option<Self> {
        let most = tables.most_pieces(kind.variant);
        let few_pieces = CountTest { weights: [1; 4], min: 0, max: most as i32 };
        let term =
            Self { number, tables: tables.clone(), kind: *kind, few_pieces, passed: frame.is_passed() };
        (most > 0).then_some(term)
    }

    /// Adds the number of each position of `among`, times a factor, to its sum. Returns the positions whose number is known.
    fn add<B: Bits>(
        &self,
        factor: i32,
        batch: &PositionBatch<B>,
        among: u64,
        sums: &mut [i32; BATCH_LEN],
    ) -> u64 {
        let mut known = among & batch.counts_in(&self.few_pieces);
        let mut rest = known;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let state: State<u128> = batch.state(at).resized();
            let turn = if self.passed { !state.turn } else { state.turn };
            let position = Position::from_state(self.kind.game(), State { turn, ..state });
            match self.tables.number(self.number, self.kind.variant, &position) {
                Some(number) => sums[at] += factor * number,
                None => known &= !(1 << at),
            }
        }
        known
    }
}

/// Returns the white men, white kings, black men and black kings of a position; `None` if the board lacks a square.
fn pieces_of<G: Geometry>(pattern: &Pattern, names: &SquareNames) -> Option<[G::Bits; 4]> {
    let mut pieces = [G::Bits::NONE; 4];
    for (square, contents) in &pattern.squares {
        let at = G::Bits::one(square.bit(names)?);
        for (kind, set) in pieces.iter_mut().enumerate() {
            *set |= at & G::Bits::all_if(contents.bits() >> kind & 1 != 0);
        }
    }
    Some(pieces)
}

/// Returns, by powers of two, the squares whose row, counted from 0 at the side's own edge, contains the power.
fn advanced_rows<G: Geometry>(side: Colour) -> Vec<G::Bits> {
    let height = G::LAYOUT.height as i8;
    let power = |power: u32| {
        let rows = (0..height).filter(|advanced| advanced >> power & 1 != 0);
        rows.fold(G::Bits::NONE, |all, advanced| {
            let row = if side == Colour::White { height - 1 - advanced } else { advanced };
            all | G::Bits::narrow(G::LAYOUT.row(row))
        })
    };
    (0..4).map(power).collect()
}

/// Numbers of the legal moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveNumbers {
    /// The number of legal moves.
    pub(super) moves: u32,
    /// The number of them that capture.
    pub(super) captures: u32,
    /// The most pieces that one of them captures.
    pub(super) best: u32,
}

/// Counts legal moves by the rules of a variant.
#[derive(Debug)]
pub(super) struct MoveCounter(Box<dyn MoveGenerator>);

impl MoveCounter {
    /// Creates the counter for some rules.
    pub(super) fn new(rules: &Rules) -> Self {
        Self(move_generator(rules))
    }

    /// Returns the numbers of legal moves of a position; `None` if its captures are too many to be searched. `list` is
    /// overwritten.
    pub(super) fn count<B: Bits>(&self, state: &State<B>, list: &mut MoveList) -> Option<MoveNumbers> {
        self.0.fill(&state.resized(), DEFAULT_CAPTURE_NODES, list).ok()?;
        let moves = list.as_slice();
        // Captures are compulsory, so that all moves capture or none.
        let best = moves.iter().map(|mv| mv.captured.count_ones()).max().unwrap_or(0);
        let captures = if best > 0 { moves.len() } else { 0 };
        Some(MoveNumbers { moves: moves.len() as u32, captures: captures as u32, best })
    }
}
