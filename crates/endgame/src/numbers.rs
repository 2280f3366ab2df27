//! The numbers of the positions of a slice.

use pdn_rules::Position;
use pdn_rules::board::Board;
use pdn_rules::internal::position::State;
use pdn_rules::rules::GameRules;
use pdn_rules::value::Colour;

use super::slice::{MAX_PIECES, Slice};

/// Most squares of a board.
const SQUARES: usize = 72;

/// Binomial coefficients: `CHOOSE[n][k]` is the number of sets of `k` squares out of `n`.
static CHOOSE: [[u64; MAX_PIECES as usize + 1]; SQUARES + 1] = {
    let mut choose = [[0; MAX_PIECES as usize + 1]; SQUARES + 1];
    let mut of = 0;
    while of <= SQUARES {
        choose[of][0] = 1;
        let mut count = 1;
        while of > 0 && count <= MAX_PIECES as usize {
            choose[of][count] = choose[of - 1][count - 1] + choose[of - 1][count];
            count += 1;
        }
        of += 1;
    }
    choose
};

/// A numbering of the positions of a slice, from 0 and without gaps.
///
/// No man stands on the row where it would be promoted. Positions are grouped by the number of men of the side to move on its own edge,
/// where the other side has no men. The number in a group is made of those of five sets of squares, each counted among the squares that the
/// sets before leave free: the men of the side to move on its edge, its other men, the men of the other side, the kings of the side to
/// move, and those of the other side. The number of a set is its rank in the combinatorial number system, squares in the order of the rows
/// from Black's edge and from left to right with White to move.
///
/// ```
/// use pdn_endgame::{PositionNumbers, Slice};
/// use pdn_rules::{Position, Variant};
///
/// let numbers = PositionNumbers::new(Variant::English, Slice { men: [0, 0], kings: [1, 1] }).expect("few pieces");
/// assert_eq!(numbers.count(), 32 * 31);
/// let position = Position::parse_fen(Variant::English, "B:WK14:BK6")?;
/// let number = numbers.number(&position).expect("one king each");
/// // The position with Black to move has the number of the turned one with White to move.
/// assert_eq!(numbers.position(number).expect("a number below the count").to_string(), "W:WK27:BK19");
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionNumbers {
    game: GameRules,
    slice: Slice,
    rows: Rows,
    /// By the number of men of White on its own edge.
    groups: Vec<Group>,
    count: u64,
}

/// Squares of a board, and its turn by 180 degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    all: u128,
    /// White's own edge, where Black promotes.
    home: u128,
    /// Black's own edge, where White promotes.
    pub(crate) far: u128,
    /// How far a reversed word is shifted to give the turned board.
    shift: u32,
}

impl Rows {
    /// Computes the squares of a board, in about a microsecond.
    pub(crate) fn of(board: Board) -> Self {
        let layout = board.layout();
        let all = board.valid();
        // On every board, the bits of two squares that a turn exchanges have the same sum.
        let shift = all.leading_zeros() - all.trailing_zeros();
        Self { all, far: layout.row(0), home: layout.row(layout.height as i8 - 1), shift }
    }

    /// Returns a position with colours exchanged, the other side to move, and the board turned by 180 degrees.
    // Twin: `State::turned`; test: `reversed_words_are_turned_boards`.
    pub(crate) fn turned(&self, state: &State<u128>) -> State<u128> {
        let turn = |set: u128| set.reverse_bits() >> self.shift;
        State {
            pieces: [turn(state.pieces[1]), turn(state.pieces[0])],
            kings: turn(state.kings),
            ..State::empty(!state.turn)
        }
    }
}

/// The positions that have the same number of White's men on its own edge.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: u64,
    end: u64,
    /// The sizes of the five sets.
    sizes: [u8; 5],
    /// The number of choices for each.
    choices: [u64; 5],
}

impl PositionNumbers {
    /// Creates the numbering of a slice on the board of a game; `None` if it has more than [`MAX_PIECES`] pieces.
    pub fn new(game: impl Into<GameRules>, slice: Slice) -> Option<Self> {
        let game = game.into();
        let rows = Rows::of(game.rules.board);
        if slice.pieces() > u32::from(MAX_PIECES) {
            return None;
        }
        let ([men, other_men], [kings, other_kings]) = (slice.men, slice.kings);
        let (all, home) = (rows.all.count_ones() as usize, rows.home.count_ones() as usize);
        let middle = all - home - rows.far.count_ones() as usize;
        let mut groups = Vec::new();
        let mut first = 0;
        for on_edge in 0..=men {
            let elsewhere = men - on_edge;
            let sizes = [on_edge, elsewhere, other_men, kings, other_kings];
            // The sets after the first two are chosen among all squares but these.
            let taken = [
                all - home,
                all - middle,
                home + usize::from(elsewhere),
                usize::from(men + other_men),
                usize::from(men + other_men + kings),
            ];
            let choices: [u64; 5] =
                std::array::from_fn(|set| CHOOSE[all.saturating_sub(taken[set])][usize::from(sizes[set])]);
            let end = first + choices.iter().product::<u64>();
            groups.push(Group { first, end, sizes, choices });
            first = end;
        }
        Some(Self { game, slice, rows, groups, count: first })
    }

    /// Returns the slice.
    pub fn slice(&self) -> Slice {
        self.slice
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of a position; `None` if it is not one of the slice or has a man on its last row.
    pub fn number(&self, position: &Position) -> Option<u64> {
        let state = match position.turn() {
            Colour::White => *position.state(),
            Colour::Black => self.rows.turned(position.state()),
        };
        let misplaced = state.men(Colour::White) & self.rows.far | state.men(Colour::Black) & self.rows.home;
        (position.board() == self.game.rules.board && self.slice == Slice::of_state(&state) && misplaced == 0)
            .then(|| self.number_of(&state))
    }

    /// Returns the position with this number, with White to move; `None` if the slice has fewer positions.
    pub fn position(&self, number: u64) -> Option<Position> {
        (number < self.count).then(|| Position::from_state(self.game, self.state(number)))
    }

    /// Returns the number of a position of the slice with White to move. It has no meaning for other positions.
    pub(crate) fn number_of(&self, state: &State<u128>) -> u64 {
        let sets = self.sets(state);
        let group = &self.groups[(sets[0].count_ones() as usize).min(self.groups.len() - 1)];
        let (mut number, mut taken) = (0, 0);
        for (place, set) in sets.into_iter().enumerate() {
            number = number * group.choices[place] + rank(set, self.choosable(place) & !taken);
            taken |= set;
        }
        group.first + number
    }

    /// Returns the position with this number and White to move. It has no meaning for numbers that are too large.
    pub(crate) fn state(&self, number: u64) -> State<u128> {
        let group = self.groups.iter().find(|group| number < group.end).unwrap_or(&self.groups[0]);
        let mut ranks = [0; 5];
        let mut rest = number.saturating_sub(group.first);
        for place in (0..5).rev() {
            let choices = group.choices[place].max(1);
            ranks[place] = rest % choices;
            rest /= choices;
        }
        let (mut sets, mut taken) = ([0; 5], 0);
        for place in 0..5 {
            sets[place] = set_of(ranks[place], group.sizes[place], self.choosable(place) & !taken);
            taken |= sets[place];
        }
        let [edge, men, other_men, kings, other_kings] = sets;
        State {
            pieces: [edge | men | kings, other_men | other_kings],
            kings: kings | other_kings,
            ..State::empty(Colour::White)
        }
    }

    fn sets(&self, state: &State<u128>) -> [u128; 5] {
        let men = state.men(Colour::White);
        [
            men & self.rows.home,
            men & !self.rows.home,
            state.men(Colour::Black),
            state.kings(Colour::White),
            state.kings(Colour::Black),
        ]
    }

    /// Returns the squares that a set may have, those of earlier sets included.
    fn choosable(&self, place: usize) -> u128 {
        let Rows { all, home, far, .. } = self.rows;
        match place {
            0 => home,
            1 => all & !home & !far,
            2 => all & !home,
            _ => all,
        }
    }
}

/// Returns the rank of a set among those of its size with squares of `within`.
fn rank(mut set: u128, within: u128) -> u64 {
    let (mut rank, mut count) = (0, 0);
    while set != 0 {
        let square = set & set.wrapping_neg();
        count += 1;
        rank += CHOOSE[(within & (square - 1)).count_ones() as usize % (SQUARES + 1)]
            [count.min(usize::from(MAX_PIECES))];
        set ^= square;
    }
    rank
}

/// Returns the set of `size` squares of `within` with this rank.
fn set_of(mut rank: u64, size: u8, within: u128) -> u128 {
    let mut set = 0;
    let mut below = within.count_ones() as usize;
    for count in (1..=usize::from(size)).rev() {
        below = below.saturating_sub(1);
        while below > 0 && CHOOSE[below][count] > rank {
            below -= 1;
        }
        rank = rank.saturating_sub(CHOOSE[below][count]);
        set |= 1u128 << nth(within, below as u32);
    }
    set
}

/// Returns the bit of the `n`-th square of a set, from 0.
fn nth(set: u128, mut n: u32) -> u32 {
    let mut at = 0;
    for width in [64, 32, 16, 8, 4, 2, 1] {
        let lower = (set >> at & ((1u128 << width) - 1)).count_ones();
        if n >= lower {
            n -= lower;
            at += width;
        }
    }
    at
}
