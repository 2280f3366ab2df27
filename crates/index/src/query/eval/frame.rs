//! The form of a query that is evaluated, as it is written or as its transforms change it, and the squares that it names there.

use std::borrow::Cow;

use crate::query::conditions::{Area, Pattern, SquareContents, SquareRef, Transforms};
use crate::query::language::{Condition, GameCondition, Query};
use pdn::board::SquareNames;
use pdn::value::Colour;
use pdn_rules::internal::board::{BitLayout, Bits, Geometry};
use pdn_rules::internal::position::State;

/// How the conditions of a query are read in one of its forms: with other colours, squares or another side to move. The default is
/// as they are written.
///
/// Squares are turned and mirrored first, then moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::query) struct Frame {
    /// Whether colours are exchanged and squares turned by 180 degrees.
    flipped: bool,
    /// Whether left and right are exchanged, on boards that have a mirror image.
    mirrored: bool,
    /// Whether the other side is to move.
    passed: bool,
    /// The rows down and the columns to the right by which squares are moved.
    steps: (i8, i8),
}

impl Frame {
    /// Returns the frames of a query with transforms in this frame, apart from those that move squares.
    pub(in crate::query) fn turned_by(self, by: Transforms) -> Vec<Self> {
        let passed = self.passed != by.passed;
        let mut frames = vec![Self { passed, ..self }];
        if by.flipped {
            frames.push(Self { flipped: !self.flipped, passed, ..self });
        }
        if by.mirrored {
            frames.extend_from_within(..);
            let plain = frames.len() / 2;
            frames[plain..].iter_mut().for_each(|frame| frame.mirrored = !frame.mirrored);
        }
        frames
    }

    /// Returns the frames of a query with transforms in this frame on a board: those in which all squares that it names lie on the
    /// board.
    pub(super) fn transformed_by<G: Geometry>(
        self,
        by: Transforms,
        query: &Query,
        names: &SquareNames,
    ) -> Vec<Self> {
        let turned = self.turned_by(Transforms { mirrored: by.mirrored && G::LAYOUT.full, ..by });
        if !by.shifted && self.steps == (0, 0) {
            return turned;
        }
        let named = named_squares::<G>(query, names);
        let all_steps = match by.shifted && named.any() {
            true => all_steps(G::LAYOUT),
            false => vec![self.steps],
        };
        let in_place =
            turned.into_iter().flat_map(|frame| all_steps.iter().map(move |&steps| Self { steps, ..frame }));
        in_place.filter(|frame| frame.image::<G>().keeps(named)).collect()
    }

    /// Returns where the squares of conditions are on a board.
    pub(super) fn image<G: Geometry>(self) -> Image {
        let layout = G::LAYOUT;
        let (down, right) = self.steps;
        let mut to = [OFF_BOARD; BitLayout::MAX];
        for row in 0..layout.height as i8 {
            for column in 0..layout.width as i8 {
                let (mut new_row, mut new_column) = (row, column);
                if self.flipped {
                    (new_row, new_column) = (layout.height as i8 - 1 - row, layout.width as i8 - 1 - column);
                }
                if self.mirrored && layout.full {
                    new_column = layout.width as i8 - 1 - new_column;
                }
                if let (Some(from), Some(bit)) =
                    (layout.bit(row, column), layout.bit(new_row + down, new_column + right))
                {
                    to[usize::from(from)] = bit;
                }
            }
        }
        Image(to)
    }

    /// Returns the position that a condition means by this one.
    pub(super) fn state<G: Geometry>(self, state: &State<G::Bits>) -> State<G::Bits> {
        let image = self.image::<G>();
        let [white, black] = state.pieces.map(|pieces| image.of(pieces));
        let pieces = if self.flipped { [black, white] } else { [white, black] };
        State { pieces, kings: image.of(state.kings), ..State::empty(self.turn(state.turn)) }
    }

    /// Returns the side that a condition means by this colour.
    pub(super) fn side(self, colour: Colour) -> Colour {
        if self.flipped { !colour } else { colour }
    }

    /// Returns the frame without the steps by which squares are moved.
    pub(super) fn in_place(self) -> Self {
        Self { steps: (0, 0), ..self }
    }

    /// Returns the squares that a condition means by these for white men, white kings, black men and black kings.
    pub(super) fn contents<G: Geometry>(self, squares: [G::Bits; 4]) -> [G::Bits; 4] {
        let image = self.image::<G>();
        let [white_men, white_kings, black_men, black_kings] = squares.map(|set| image.of(set));
        if self.flipped {
            [black_men, black_kings, white_men, white_kings]
        } else {
            [white_men, white_kings, black_men, black_kings]
        }
    }

    /// Returns the side to move that a condition means by this colour.
    pub(super) fn turn(self, colour: Colour) -> Colour {
        if self.flipped != self.passed { !colour } else { colour }
    }

    /// Returns `true` if colours are exchanged.
    pub(super) fn is_flipped(self) -> bool {
        self.flipped
    }

    /// Returns `true` if the other side is to move.
    pub(super) fn is_passed(self) -> bool {
        self.passed
    }

    /// Returns a condition on games in the frame.
    pub(in crate::query) fn of_game<'c>(self, condition: &'c GameCondition) -> Cow<'c, GameCondition> {
        if self.flipped { condition.with_colours_exchanged() } else { Cow::Borrowed(condition) }
    }
}

/// Stands for a bit whose square has no image on the board.
const OFF_BOARD: u8 = u8::MAX;

/// For each bit of a board, the bit of its square in a frame.
pub(super) struct Image([u8; BitLayout::MAX]);

impl Image {
    /// Returns the images of the squares of a set, as far as they lie on the board.
    pub(super) fn of<B: Bits>(&self, set: B) -> B {
        self.bits(set).filter(|&bit| bit != OFF_BOARD).fold(B::NONE, |image, bit| image | B::one(bit))
    }

    /// Returns `true` if the images of all squares of a set lie on the board.
    fn keeps<B: Bits>(&self, set: B) -> bool {
        self.bits(set).all(|bit| bit != OFF_BOARD)
    }

    fn bits<B: Bits>(&self, set: B) -> impl Iterator<Item = u8> {
        set.squares().map(|at| self.0[usize::from(at) % BitLayout::MAX])
    }
}

/// Returns the rows and columns by which some square of a board can be moved to another one; no step comes first.
fn all_steps(layout: BitLayout) -> Vec<(i8, i8)> {
    let (rows, columns) = (layout.height as i8 - 1, layout.width as i8 - 1);
    let lead_to_squares = |&(down, right): &(i8, i8)| layout.full || (down + right) % 2 == 0;
    let moved = (-rows..=rows).flat_map(|down| (-columns..=columns).map(move |right| (down, right)));
    let moved = moved.filter(lead_to_squares).filter(|&steps| steps != (0, 0));
    std::iter::once((0, 0)).chain(moved).collect()
}

/// Returns the squares of a board that the conditions of a query name.
fn named_squares<G: Geometry>(query: &Query, names: &SquareNames) -> G::Bits {
    let set = |squares: &mut dyn Iterator<Item = Option<u8>>| {
        squares.flatten().fold(G::Bits::NONE, |set, at| set | G::Bits::one(at))
    };
    match query {
        Query::Is(Condition::Board(pattern)) if pattern.names_all_squares() => G::VALID,
        Query::Is(Condition::Board(pattern)) => {
            let squares = pattern_squares::<G>(pattern, names).unwrap_or_default();
            set(&mut squares.into_iter().map(|(bit, _)| Some(bit)))
        }
        Query::Is(Condition::Line(_) | Condition::InGame(_)) => G::VALID,
        Query::Is(Condition::Sum(sum)) if sum.compares_positions() => G::VALID,
        Query::Is(Condition::Sum(sum)) => {
            let areas = sum
                .pieces_on_areas()
                .filter_map(|(contents, area)| pieces_on::<G>(contents, Some(area), names));
            areas.flatten().fold(G::Bits::NONE, |all, own| all | own)
        }
        Query::Is(Condition::Played(moves)) => {
            let squares = moves.moves().flat_map(|mv| [&mv.from, &mv.to, &mv.over]).flatten();
            set(&mut squares.map(|square: &SquareRef| square.bit(names)))
        }
        Query::Is(Condition::Move(mv)) => {
            let squares = [&mv.from, &mv.to, &mv.over].into_iter().flatten();
            set(&mut squares.map(|square: &SquareRef| square.bit(names)))
        }
        operator => {
            let operands = operator.operands().into_iter();
            operands
                .map(|operand| named_squares::<G>(operand, names))
                .fold(G::Bits::NONE, |all, own| all | own)
        }
    }
}

/// Returns the bits of the squares that a pattern names, with what they may hold; `None` if the board lacks one of them, or is not
/// that of its diagram. A square that has two names occurs twice.
pub(super) fn pattern_squares<G: Geometry>(
    pattern: &Pattern,
    names: &SquareNames,
) -> Option<Vec<(u8, SquareContents)>> {
    let from_black = seen_from_black::<G>(pattern, names)?;
    let turned = turned::<G>();
    let squares = pattern.squares.iter().map(|(square, contents)| {
        let bit = square.bit(names)? & 127;
        Some((if from_black { turned[usize::from(bit)] } else { bit }, *contents))
    });
    squares.collect()
}

/// Returns the squares of an area, or of the board, for white men, white kings, black men and black kings that are
/// counted; `None` if the board lacks a square.
pub(super) fn pieces_on<G: Geometry>(
    contents: SquareContents,
    area: Option<&Area>,
    names: &SquareNames,
) -> Option<[G::Bits; 4]> {
    let squares = |side: Colour| match area {
        None => Some(G::VALID),
        Some(area) => area_squares::<G>(area, side, names),
    };
    let (white, black) = (squares(Colour::White)?, squares(Colour::Black)?);
    let kinds = [white, white, black, black];
    Some(std::array::from_fn(|kind| kinds[kind] & G::Bits::all_if(contents.bits() >> kind & 1 != 0)))
}

/// Returns the squares of an area for the pieces of a side; `None` if the board lacks one.
fn area_squares<G: Geometry>(area: &Area, side: Colour, names: &SquareNames) -> Option<G::Bits> {
    let bit = |square: SquareRef| Some(G::Bits::one(square.bit(names)?));
    let listed = area.squares().try_fold(G::Bits::NONE, |all, square| Some(all | bit(square)?))?;
    // The bit layout is that of a board whose lower left cell is a playing square. Other boards are its mirror image.
    let is_mirrored = names.numbering().inverted && !G::LAYOUT.full;
    let is_named = |at: &u8| {
        let Some((row, column)) = G::LAYOUT.cell(*at) else { return false };
        let column = if is_mirrored { G::LAYOUT.width as i8 - 1 - column } else { column };
        area.names().any(|name| name.has(G::LAYOUT, (row as u8, column as u8), side))
    };
    Some(G::VALID.squares().filter(is_named).fold(listed, |all, at| all | G::Bits::one(at)))
}

/// Returns whether the diagram of a pattern was drawn from Black's side; `None` if it shows another board, or its squares
/// have other numbers in games with these names.
fn seen_from_black<G: Geometry>(pattern: &Pattern, names: &SquareNames) -> Option<bool> {
    let Some(frame) = pattern.diagram else { return Some(false) };
    if frame.board != G::BOARD {
        return None;
    }
    let Some(number) = frame.first_number else { return Some(false) };
    let top_left = SquareRef::InRow { row: 0, place: 0 }.bit(names)?;
    let first = names.of_number(number.into())?.bit();
    let seen_from_white = first == top_left;
    (seen_from_white || first == turned::<G>()[usize::from(top_left) & 127]).then_some(!seen_from_white)
}

/// Returns the bit of each square after a turn of the board by 180 degrees.
fn turned<G: Geometry>() -> &'static [u8; BitLayout::MAX] {
    const { &G::LAYOUT.turned() }
}
