//! Referees: published counts, and a naive solver without slices, symmetry or moves taken back.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pdn_rules::internal::position::State;
use pdn_rules::value::Colour;
use pdn_rules::{Position, Variant};

use super::*;

const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn slices_with(pieces: u8) -> impl Iterator<Item = Slice> {
    let counts = move || 0..=pieces;
    let men = counts().flat_map(move |own| counts().map(move |other| [own, other]));
    let all = men.flat_map(move |men| counts().flat_map(move |own| counts().map(move |other| (men, [own, other]))));
    all.map(|(men, kings)| Slice { men, kings }).filter(move |slice| slice.pieces() == u32::from(pieces))
}

fn build(folder: &tempfile::TempDir, variant: Variant, pieces: u8) -> (Endings, Built) {
    let endings = Endings::open(folder, variant).unwrap();
    let built = endings.build(pieces, THREADS, |_| ControlFlow::Continue(())).unwrap();
    (endings, built)
}

#[test]
fn english_endings_have_the_published_numbers_of_positions() {
    for (pieces, published) in [(1, 120), (2, 6_972), (3, 261_224), (4, 7_092_774), (5, 148_688_232)] {
        let count = |slice| PositionNumbers::new(Variant::English, slice).unwrap().count();
        assert_eq!(slices_with(pieces).map(count).sum::<u64>(), published);
    }
}

#[test]
fn numbers_of_small_slices_are_bijective() {
    for board_of in [Variant::English, Variant::Turkish, Variant::Spantsiretti, Variant::International, Variant::Canadian] {
        for slice in (1..=2).flat_map(slices_with) {
            let numbers = PositionNumbers::new(board_of, slice).unwrap();
            let mut seen = std::collections::HashSet::new();
            for number in 0..numbers.count() {
                let position = numbers.position(number).unwrap();
                assert_eq!(Slice::of(&position), slice);
                assert_eq!(numbers.number(&position), Some(number), "{slice} {position}");
                assert!(seen.insert(*position.state()));
            }
            assert_eq!(numbers.position(numbers.count()), None);
        }
        let naive = states(board_of, 2).into_iter().filter(|state| state.turn == Colour::White).count() as u64;
        let counts = (1..=2).flat_map(slices_with).map(|slice| PositionNumbers::new(board_of, slice).unwrap().count());
        assert_eq!(counts.sum::<u64>(), naive, "every position has a number");
    }
}

#[test]
fn numbers_of_large_slices_are_bijective() {
    let mut random = fastrand::Rng::with_seed(1);
    for &variant in Variant::ALL {
        for pieces in 3..=MAX_PIECES {
            let slices: Vec<_> = slices_with(pieces).collect();
            for _ in 0..40 {
                let numbers = PositionNumbers::new(variant, slices[random.usize(..slices.len())]).unwrap();
                let chosen = [0, numbers.count() - 1, random.u64(..numbers.count())];
                for number in chosen {
                    let position = numbers.position(number).unwrap();
                    assert_eq!(Slice::of(&position), numbers.slice());
                    assert_eq!(numbers.number(&position), Some(number), "{variant} {position}");
                }
            }
        }
    }
    assert!(PositionNumbers::new(Variant::English, Slice { men: [9, 0], kings: [0, 0] }).is_none());
}

#[test]
fn positions_outside_of_a_slice_have_no_number() {
    let slice = Slice { men: [1, 0], kings: [0, 1] };
    let numbers = PositionNumbers::new(Variant::International, slice).unwrap();
    let number = |variant, fen: &str| numbers.number(&Position::parse_fen(variant, fen).unwrap());
    assert!(number(Variant::International, "W:W6:BK50").is_some());
    assert!(number(Variant::International, "B:WK6:B45").is_some());
    assert_eq!(number(Variant::International, "B:W6:BK50"), None, "the other side is to move");
    assert_eq!(number(Variant::International, "W:W6,7:BK50"), None);
    assert_eq!(number(Variant::English, "W:W6:BK32"), None, "another board");
    let on_last_row = State { pieces: [1, 1 << 40], kings: 1 << 40, ..State::empty(Colour::White) };
    assert_eq!(numbers.number(&Position::from_state(Variant::International, on_last_row)), None);
}

/// Returns all positions of up to so many pieces, with either side to move, without men on their last rows.
fn states(variant: Variant, pieces: u32) -> Vec<State<u128>> {
    fn place(layout: &[(u128, bool, bool)], state: State<u128>, pieces: u32, found: &mut Vec<State<u128>>) {
        if state.occupied() != 0 {
            found.extend(Colour::ALL.map(|turn| State { turn, ..state }));
        }
        if pieces == 0 {
            return;
        }
        for (at, &(square, top, bottom)) in layout.iter().enumerate() {
            for (colour, king) in [(0, false), (0, true), (1, false), (1, true)] {
                if king || colour == 0 && !top || colour == 1 && !bottom {
                    let mut next = state;
                    next.pieces[colour] |= square;
                    next.kings |= if king { square } else { 0 };
                    place(&layout[at + 1..], next, pieces - 1, found);
                }
            }
        }
    }
    let board = variant.board();
    let cells = (0..board.height()).flat_map(|row| (0..board.width()).map(move |column| (row, column)));
    let layout: Vec<_> = cells
        .filter_map(|(row, column)| Some((row, board.square(row, column)?)))
        .map(|(row, square)| (1 << square.bit(), row == 0, row == board.height() - 1))
        .collect();
    let mut found = Vec::new();
    place(&layout, State::empty(Colour::White), pieces, &mut found);
    found
}

/// Solves all positions of up to so many pieces: in round *n* those become decided that end in *n* plies.
fn naive_values(variant: Variant, pieces: u32) -> Vec<(Position, Value)> {
    let states = states(variant, pieces);
    let place: HashMap<_, _> = states.iter().enumerate().map(|(place, state)| (*state, place)).collect();
    let positions: Vec<_> = states.iter().map(|state| Position::from_state(variant, *state)).collect();
    let after = |position: &Position| -> Vec<usize> {
        let moves = position.moves().unwrap();
        let next = moves.iter().map(|mv| {
            let mut state = *position.state();
            state.play_uncounted(mv);
            place[&state]
        });
        next.collect()
    };
    let next: Vec<_> = positions.iter().map(after).collect();
    let mut values: Vec<Value> = positions
        .iter()
        .map(|position| match position.end() {
            Some(end) if end.winner == position.turn() => Value::Win { plies: 0 },
            Some(_) => Value::Loss { plies: 0 },
            None => Value::Draw,
        })
        .collect();
    for plies in 1.. {
        let decided: Vec<_> = (0..values.len())
            .filter(|&at| values[at] == Value::Draw)
            .filter_map(|at| {
                let is_loss = |&at: &usize| matches!(values[at], Value::Loss { .. });
                let is_win = |&at: &usize| matches!(values[at], Value::Win { .. });
                if next[at].iter().any(is_loss) {
                    return Some((at, Value::Win { plies }));
                }
                next[at].iter().all(is_win).then_some((at, Value::Loss { plies }))
            })
            .collect();
        if decided.is_empty() {
            break;
        }
        for (at, value) in decided {
            values[at] = value;
        }
    }
    positions.into_iter().zip(values).collect()
}

fn check_against_naive_solver(variant: Variant, pieces: u8) {
    let folder = tempfile::tempdir().unwrap();
    let (endings, built) = build(&folder, variant, pieces);
    let mut compared = 0;
    for (position, value) in naive_values(variant, u32::from(pieces)) {
        let slice = Slice::of(&position);
        if slice.needs_streaks(variant) {
            assert!(built.refused.contains(&slice) || slice.is_over(variant.rules().ending) || slice.exchanged().is_over(variant.rules().ending));
            continue;
        }
        assert_eq!(endings.probe(&position).unwrap(), Some(value), "{variant} {position}");
        compared += 1;
    }
    assert!(compared > 6_000, "{variant}: {compared} positions");
}

#[test]
fn two_pieces_equal_naive_solver() {
    for &variant in Variant::ALL {
        check_against_naive_solver(variant, 2);
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn three_pieces_equal_naive_solver() {
    for &variant in Variant::ALL.iter().filter(|variant| variant.board().width() == 8) {
        check_against_naive_solver(variant, 3);
    }
}

#[test]
fn english_king_against_king_has_the_published_values() {
    let folder = tempfile::tempdir().unwrap();
    let (endings, built) = build(&folder, Variant::English, 2);
    assert_eq!(built, Built { solved: 4, ..Built::default() });
    let slice = Slice { men: [0, 0], kings: [1, 1] };
    let summary = endings.summary(slice).unwrap().unwrap();
    assert_eq!((summary.positions, summary.won, summary.drawn(), summary.lost), (992, 230, 654, 108));
    assert_eq!(summary.longest, 11);
}
