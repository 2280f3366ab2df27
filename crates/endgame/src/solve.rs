//! Solves a slice together with the one that has the sides exchanged.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use pdn_rules::internal::board::{Direction, Directions};
use pdn_rules::internal::movegen::{MoveGenerator, move_generator};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Rules;
use pdn_rules::movegen::MoveList;
use pdn_rules::rules::GameRules;
use pdn_rules::value::Colour;

use super::error::EndgameError;
use super::numbers::{PositionNumbers, Rows};
use super::slice::Slice;
use super::table::{DRAWN, is_lost};

/// Positions that a thread takes at once.
const SHARE: u64 = 1 << 12;

/// A slice that was solved before.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) numbers: PositionNumbers,
    /// Plies to the end of each position, or [`DRAWN`].
    pub(crate) plies: Vec<u16>,
}

/// A slice while it is solved.
#[derive(Debug)]
struct Open {
    numbers: PositionNumbers,
    /// Plies to the end of each position, [`DRAWN`] as long as none are known. Those of a win may still become fewer, down to 1 more than
    /// the pass that is at work.
    plies: Vec<AtomicU16>,
    /// For a position with quiet moves within the two slices: the number of these moves that are not known to lead to a win of the
    /// other side, and 1 more if a capture or promotion saves the side to move. 0 for all other positions.
    left: Vec<AtomicU8>,
}

/// What one look at a position and the finished slices tells.
struct Look {
    /// Plies to the end by the moves that lead out of the slice; [`DRAWN`] if they decide nothing.
    plies: u16,
    /// As [`Open::left`].
    left: u8,
    /// Plies to the end if every move within the slice loses sooner.
    at_least: u16,
}

/// Two slices while they are solved.
struct Solver<'s> {
    rules: Rules,
    rows: Rows,
    steps: Steps,
    generator: Box<dyn MoveGenerator>,
    finished: &'s [Solved],
    /// A slice and the one with the sides exchanged; one only if they are the same.
    open: Vec<Open>,
    /// The most plies that a position has so far.
    longest: AtomicU16,
}

/// Solves a slice and the one with the sides exchanged, on `threads` threads. `finished` are the slices that both lead to. Returns the numbers
/// of plies of all positions of the slice and, if that is another one, of the exchanged one.
pub(crate) fn solve(
    game: &GameRules,
    slice: Slice,
    finished: &[Solved],
    threads: NonZeroUsize,
) -> Result<Vec<(Slice, Vec<u16>)>, EndgameError> {
    let mut slices = vec![slice, slice.exchanged()];
    slices.dedup();
    let mut open = Vec::new();
    for slice in slices {
        open.push(Open::new(PositionNumbers::new(*game, slice).ok_or(EndgameError::TooManyPieces)?)?);
    }
    let solver = Solver {
        rules: game.rules,
        rows: Rows::of(game.rules.board),
        steps: Steps::of(&game.rules),
        generator: move_generator(&game.rules),
        finished,
        open,
        longest: AtomicU16::new(0),
    };
    solver.each(threads, |side, number, list| {
        let Open { numbers, plies, left } = &solver.open[side];
        let look = solver.look(&numbers.state(number), list);
        plies[number as usize].store(look.plies, Relaxed);
        left[number as usize].store(look.left, Relaxed);
        solver.note(look.plies);
    });
    let mut pass = 0;
    while pass <= solver.longest.load(Relaxed) {
        // The next pass has to have a number that is not that of drawn positions.
        if pass >= DRAWN - 2 {
            return Err(EndgameError::TooLong);
        }
        solver.each(threads, |side, number, list| {
            if solver.open[side].plies[number as usize].load(Relaxed) == pass {
                solver.take_back(side, number, pass, list);
            }
        });
        pass += 1;
    }
    let solved = solver
        .open
        .into_iter()
        .map(|open| (open.numbers.slice(), open.plies.into_iter().map(AtomicU16::into_inner).collect()));
    Ok(solved.collect())
}

impl Open {
    fn new(numbers: PositionNumbers) -> Result<Self, EndgameError> {
        let positions = numbers.count();
        let memory = |_| EndgameError::Memory { positions };
        let count = usize::try_from(positions).unwrap_or(usize::MAX);
        let (mut plies, mut left) = (Vec::new(), Vec::new());
        plies.try_reserve_exact(count).map_err(memory)?;
        plies.resize_with(count, || AtomicU16::new(DRAWN));
        left.try_reserve_exact(count).map_err(memory)?;
        left.resize_with(count, || AtomicU8::new(0));
        Ok(Self { numbers, plies, left })
    }
}

impl Solver<'_> {
    /// Calls `work` for all positions of the open slices, with the place of the slice, the number of the position, and a list for its moves.
    fn each(&self, threads: NonZeroUsize, work: impl Fn(usize, u64, &mut MoveList) + Sync) {
        for (side, open) in self.open.iter().enumerate() {
            let count = open.numbers.count();
            let next = AtomicU64::new(0);
            let run = || {
                let mut list = MoveList::new();
                loop {
                    let start = next.fetch_add(SHARE, Relaxed);
                    if start >= count {
                        return;
                    }
                    (start..count.min(start + SHARE)).for_each(|number| work(side, number, &mut list));
                }
            };
            let threads = threads.get().min(count.div_ceil(SHARE) as usize);
            std::thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(run);
                }
                run();
            });
        }
    }

    /// Looks at a position with White to move, and at the finished slices that its captures and promotions lead to.
    fn look(&self, state: &State<u128>, list: &mut MoveList) -> Look {
        let mut look = Look { plies: DRAWN, left: 0, at_least: 0 };
        // So few pieces have few captures.
        let listed = self.generator.fill(state, u32::MAX, list);
        debug_assert!(listed.is_ok());
        if list.is_empty() {
            look.plies = 0;
            return look;
        }
        let mut is_saved = false;
        for mv in list.iter() {
            if !mv.is_capture() && !mv.promotes {
                look.left += 1;
                continue;
            }
            let mut next = *state;
            next.play_uncounted(mv);
            match self.finished_plies(&self.rows.turned(&next)) {
                DRAWN => is_saved = true,
                plies if is_lost(self.rules.ending, plies) => look.plies = look.plies.min(plies + 1),
                plies => look.at_least = look.at_least.max(plies + 1),
            }
        }
        is_saved |= look.plies != DRAWN;
        match look.left {
            0 if !is_saved => look.plies = look.at_least,
            0 => {}
            _ => look.left += u8::from(is_saved),
        }
        look
    }

    /// Returns the number of plies to the end of a position of a finished slice with White to move, or of one where the game is over.
    fn finished_plies(&self, state: &State<u128>) -> u16 {
        let slice = Slice::of_state(state);
        if slice.is_over(self.rules.ending) {
            return 0;
        }
        let solved = self.finished.iter().find(|solved| solved.numbers.slice() == slice);
        let plies = solved.and_then(|solved| solved.plies.get(solved.numbers.number_of(state) as usize));
        debug_assert!(plies.is_some(), "{slice} is solved before");
        plies.copied().unwrap_or(DRAWN)
    }

    /// Updates the positions from which a quiet move leads to a position that this pass decided.
    // Twin: `naive_values` of the tests, in rounds over all positions; test: `two_pieces_equal_naive_solver`.
    fn take_back(&self, side: usize, number: u64, pass: u16, list: &mut MoveList) {
        // After an exchange of colours, White has just moved.
        let after = self.rows.turned(&self.open[side].numbers.state(number));
        let Open { numbers, plies, left } = &self.open[self.open.len() - 1 - side];
        self.steps.quiet_moves_back(&after, self.rows.far, |before| {
            let at = numbers.number_of(&before) as usize;
            // With a capture, a quiet move is not legal.
            if left[at].load(Relaxed) == 0 {
                return;
            }
            let now = if is_lost(self.rules.ending, pass) {
                plies[at].fetch_min(pass + 1, Relaxed);
                pass + 1
            } else if left[at].fetch_sub(1, Relaxed) == 1 {
                let now = self.look(&before, list).at_least.max(pass + 1);
                plies[at].store(now, Relaxed);
                now
            } else {
                return;
            };
            self.note(now);
        });
    }

    fn note(&self, plies: u16) {
        if plies != DRAWN {
            self.longest.fetch_max(plies, Relaxed);
        }
    }
}

/// The squares that White's quiet moves come from.
struct Steps {
    /// For each direction and bit, the square one step back; the bit itself if there is none.
    back: [[u8; 128]; 8],
    men: Directions,
    kings: Directions,
    flying: bool,
}

impl Steps {
    fn of(rules: &Rules) -> Self {
        let (layout, movement) = (rules.board.layout(), &rules.movement);
        let mut back: [[u8; 128]; 8] = std::array::from_fn(|_| std::array::from_fn(|bit| bit as u8));
        for (back, direction) in back.iter_mut().zip(Direction::ALL) {
            let (rows, columns) = direction.cells(layout.straight());
            for (bit, to) in back.iter_mut().enumerate() {
                let from =
                    layout.cell(bit as u8).and_then(|(row, column)| layout.bit(row - rows, column - columns));
                *to = from.unwrap_or(*to);
            }
        }
        Self { back, men: movement.man_steps, kings: movement.king_moves, flying: movement.flying }
    }

    /// Calls `found` with each position from which a quiet move of White leads to this one without a promotion. Whether White had to capture
    /// there is not looked at. `far` are the squares where White's men are promoted.
    fn quiet_moves_back(&self, after: &State<u128>, far: u128, mut found: impl FnMut(State<u128>)) {
        let occupied = after.occupied();
        let mut pieces = after.side(Colour::White);
        while pieces != 0 {
            let to = pieces.trailing_zeros() as u8;
            let piece = 1u128 << to;
            pieces ^= piece;
            let is_king = after.kings & piece != 0;
            let directions = if is_king { self.kings } else { self.men };
            for (back, _) in
                self.back.iter().zip(0..).filter(|&(_, direction)| directions.has_number(direction))
            {
                let mut from = to;
                loop {
                    let next = back[usize::from(from)];
                    let bit = 1u128 << next;
                    if next == from || bit & occupied != 0 || !is_king && bit & far != 0 {
                        break;
                    }
                    from = next;
                    found(State {
                        pieces: [after.pieces[0] ^ piece | bit, after.pieces[1]],
                        kings: if is_king { after.kings ^ piece | bit } else { after.kings },
                        ..State::empty(Colour::White)
                    });
                    if !is_king || !self.flying {
                        break;
                    }
                }
            }
        }
    }
}
