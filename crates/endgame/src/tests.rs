//! Referees: published counts, and a naive solver without slices, symmetry or moves taken back.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use pdn_rules::board::Board;
use pdn_rules::internal::board::Directions;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ending, Ruleset, WithRules};
use pdn_rules::rules::GameRules;
use pdn_rules::value::Colour;
use pdn_rules::{Position, Variant};

use super::*;

const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// Returns the seed of random tests. The environment variable `PDN_SEED` chooses other ones.
fn seed() -> u64 {
    std::env::var("PDN_SEED").map_or(1, |seed| seed.parse().expect("PDN_SEED is a number"))
}

fn slices_with(pieces: u8) -> impl Iterator<Item = Slice> {
    let counts = move || 0..=pieces;
    let men = counts().flat_map(move |own| counts().map(move |other| [own, other]));
    let all =
        men.flat_map(move |men| counts().flat_map(move |own| counts().map(move |other| (men, [own, other]))));
    all.map(|(men, kings)| Slice { men, kings }).filter(move |slice| slice.pieces() == u32::from(pieces))
}

fn build(folder: &tempfile::TempDir, game: impl Into<GameRules>, pieces: u8) -> (Endings, Built) {
    let endings = Endings::open(folder, game).unwrap();
    let built = endings.build(pieces, THREADS, |_| ControlFlow::Continue(())).unwrap();
    (endings, built)
}

#[test]
fn english_endings_have_the_published_numbers_of_positions() {
    for (pieces, published) in
        [(1, 120), (2, 6_972), (3, 261_224), (4, 7_092_774), (5, 148_688_232), (6, 2_503_611_964)]
    {
        let count = |slice| PositionNumbers::new(Variant::English, slice).unwrap().count();
        assert_eq!(slices_with(pieces).map(count).sum::<u64>(), published);
    }
}

#[test]
fn numbers_of_small_slices_are_bijective() {
    for board_of in
        [Variant::English, Variant::Turkish, Variant::Spantsiretti, Variant::International, Variant::Canadian]
    {
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
        let naive =
            states(board_of.board(), 2).into_iter().filter(|state| state.turn == Colour::White).count()
                as u64;
        let counts =
            (1..=2).flat_map(slices_with).map(|slice| PositionNumbers::new(board_of, slice).unwrap().count());
        assert_eq!(counts.sum::<u64>(), naive, "every position has a number");
    }
}

#[test]
fn numbers_of_large_slices_are_bijective() {
    let mut random = fastrand::Rng::with_seed(seed());
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

#[test]
fn reversed_words_are_turned_boards() {
    struct Turned(State<u128>);
    impl WithRules for Turned {
        type Output = State<u128>;
        fn run<R: Ruleset>(self, _: R) -> State<u128> {
            self.0.resized::<BitsOf<R>>().turned::<R::Geometry>().resized()
        }
    }
    for &variant in Variant::ALL {
        for state in states(variant.board(), 2) {
            let turned = numbers::Rows::of(variant.board()).turned(&state);
            let expected = variant.rules().with(Turned(state));
            assert_eq!(turned, State { streaks: turned.streaks, ..expected }, "nobody has moved a king");
        }
    }
}

/// Returns all positions with at most `pieces` pieces, with White and with Black to move, and no man on its last row.
fn states(board: Board, pieces: u32) -> Vec<State<u128>> {
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
    let cells = (0..board.height()).flat_map(|row| (0..board.width()).map(move |column| (row, column)));
    let layout: Vec<_> = cells
        .filter_map(|(row, column)| Some((row, board.square(row, column)?)))
        .map(|(row, square)| (1 << square.bit(), row == 0, row == board.height() - 1))
        .collect();
    let mut found = Vec::new();
    place(&layout, State::empty(Colour::White), pieces, &mut found);
    found
}

/// Solves all positions with at most `pieces` pieces. Round *n* decides the positions whose game ends in *n* plies.
fn naive_values(game: GameRules, pieces: u32) -> impl Iterator<Item = (Position, Value)> {
    let states = states(game.rules.board, pieces);
    let place: HashMap<_, _> = states.iter().zip(0..).map(|(state, place)| (*state, place)).collect();
    let position = |state: &State<u128>| Position::from_state(game, *state);
    let after = |state: &State<u128>| -> Box<[u32]> {
        let moves = position(state).moves().unwrap();
        let next = moves.iter().map(|mv| {
            let mut next = *state;
            next.play_uncounted(mv);
            place[&next]
        });
        next.collect()
    };
    let next: Vec<_> = states.iter().map(after).collect();
    let mut values: Vec<Value> = states
        .iter()
        .map(|state| match position(state).end() {
            Some(end) if end.winner == state.turn => Value::Win { plies: 0 },
            Some(_) => Value::Loss { plies: 0 },
            None => Value::Draw,
        })
        .collect();
    for plies in 1.. {
        let decided: Vec<_> = (0..values.len())
            .filter(|&at| values[at] == Value::Draw)
            .filter_map(|at| {
                let is_loss = |&at: &u32| matches!(values[at as usize], Value::Loss { .. });
                let is_win = |&at: &u32| matches!(values[at as usize], Value::Win { .. });
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
    states.into_iter().map(move |state| Position::from_state(game, state)).zip(values)
}

/// Builds the endings and compares every position with the naive solver.
fn check_against_naive_solver(game: impl Into<GameRules>, pieces: u8) {
    let game = game.into();
    let folder = tempfile::tempdir().unwrap();
    let (endings, built) = build(&folder, game, pieces);
    let mut compared = 0;
    for (position, value) in naive_values(game, u32::from(pieces)) {
        let slice = Slice::of(&position);
        if built.refused.contains(&slice) {
            // What is over needs no moves before it.
            let known = position.end().map(|_| value);
            assert_eq!(endings.probe(&position).unwrap(), known, "{position}");
            continue;
        }
        // A side without pieces is in no slice that is built, and the naive solver does not know of streaks either.
        assert_eq!(endings.probe(&position).unwrap(), Some(value), "{game:?} {position}");
        compared += 1;
    }
    assert!(compared > 6_000, "{game:?}: {compared} positions");
}

/// Returns rules that no variant has.
fn own_rules() -> [GameRules; 5] {
    let mut losing = Variant::English.game();
    losing.rules.ending = Ending::NoMoveWins;
    let mut first_king = Variant::Turkish.game();
    first_king.rules.ending = Ending::FirstKingWins;
    let mut short_kings = Variant::Turkish.game();
    short_kings.rules.movement.flying = false;
    let mut straight_kings = Variant::Russian.game();
    straight_kings.rules.movement.king_moves = Variant::Frisian.rules().movement.king_captures;
    let mut stepping_back = Variant::English.game();
    stepping_back.rules.movement.man_steps = Directions::DIAGONAL;
    [losing, first_king, short_kings, straight_kings, stepping_back]
}

#[test]
fn two_pieces_equal_naive_solver() {
    for &variant in Variant::ALL {
        check_against_naive_solver(variant, 2);
    }
    for game in own_rules() {
        check_against_naive_solver(game, 2);
    }
}

#[test]
#[ignore = "takes minutes and gigabytes"]
fn three_pieces_equal_naive_solver() {
    for &variant in Variant::ALL.iter().filter(|variant| variant.board() != Board::Twelve) {
        check_against_naive_solver(variant, 3);
    }
    for game in own_rules() {
        check_against_naive_solver(game, 3);
    }
}

/// Searches to a depth of `plies` and returns the value of the position. The tables give the values of the leaves.
fn searched(endings: &Endings, position: &Position, plies: u32) -> Value {
    let end = position.end();
    if plies == 0 || end.is_some() {
        return endings.probe(position).unwrap().unwrap();
    }
    let moves = position.moves().unwrap();
    let after = moves.iter().map(|mv| searched(endings, &position.after_unchecked(mv), plies - 1));
    let (mut soonest_loss, mut latest_win, mut is_lost) = (u16::MAX, 0, true);
    for value in after {
        match value {
            Value::Loss { plies } => soonest_loss = soonest_loss.min(plies),
            Value::Win { plies } => latest_win = latest_win.max(plies),
            Value::Draw => is_lost = false,
        }
    }
    match soonest_loss {
        u16::MAX if is_lost => Value::Loss { plies: latest_win + 1 },
        u16::MAX => Value::Draw,
        plies => Value::Win { plies: plies + 1 },
    }
}

/// Compares the values of random positions of every slice with a search of three plies.
///
/// Every value must follow from those of the positions after the moves. Alone this proves little, because positions may lean on each
/// other; but it needs no second solver, and so reaches endings of any size.
fn check_against_search(game: impl Into<GameRules>, pieces: u8, positions: u64) {
    let game = game.into();
    let folder = tempfile::tempdir().unwrap();
    let (endings, built) = build(&folder, game, pieces);
    let seed = seed();
    let mut random = fastrand::Rng::with_seed(seed);
    let slices = endings.slices(pieces);
    assert_eq!(slices.len(), built.solved);
    for _ in 0..positions {
        let slice = slices[random.usize(..slices.len())];
        let numbers = PositionNumbers::new(game, slice).unwrap();
        if let Some(position) = numbers.position(random.u64(..numbers.count().max(1))) {
            let value = endings.probe(&position).unwrap().unwrap();
            assert_eq!(value, searched(&endings, &position, 3), "seed {seed}, {game:?} {position}");
        }
    }
}

#[test]
fn values_of_three_pieces_equal_a_search() {
    for game in [Variant::English.game(), Variant::Thai.game(), Variant::Frisian.game(), own_rules()[0]] {
        check_against_search(game, 3, 2_000);
    }
}

#[test]
#[ignore = "takes an hour and gigabytes"]
fn a_million_values_of_four_pieces_equal_a_search() {
    for &variant in Variant::ALL.iter().filter(|variant| variant.board() != Board::Twelve) {
        check_against_search(variant, 4, 60_000);
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

/// Theory, proved by Petrov: three kings that have the main road win within 15 moves.
#[test]
fn three_russian_kings_win_from_the_main_road() {
    let folder = tempfile::tempdir().unwrap();
    let (endings, _) = build(&folder, Variant::Russian, 4);
    let fen = "W:WKa1,Kb2,Kc3,Kd4,Ke5,Kf6,Kg7,Kh8:B";
    let road = Position::parse_fen(Variant::Russian, fen).unwrap().state().kings;
    let numbers = PositionNumbers::new(Variant::Russian, Slice { men: [0, 0], kings: [3, 1] }).unwrap();
    let mut random = fastrand::Rng::with_seed(seed());
    let mut compared = 0;
    for _ in 0..20_000 {
        let position = numbers.position(random.u64(..numbers.count())).unwrap();
        let state = *position.state();
        let passed = Position::from_state(Variant::Russian, State { turn: Colour::Black, ..state });
        let is_capture = |position: &Position| position.moves().unwrap().iter().any(|mv| mv.is_capture());
        if state.pieces[0] & road == 0
            || state.pieces[1] & road != 0
            || is_capture(&position)
            || is_capture(&passed)
        {
            continue;
        }
        let value = endings.probe(&position).unwrap().unwrap();
        assert!(matches!(value, Value::Win { plies: ..=29 }), "{position}: {value:?}");
        compared += 1;
    }
    assert!(compared > 1_000, "{compared} positions");
}

/// Theory: two English kings win against one.
#[test]
fn two_english_kings_win_against_one() {
    let folder = tempfile::tempdir().unwrap();
    let (endings, _) = build(&folder, Variant::English, 3);
    let summary = endings.summary(Slice { men: [0, 0], kings: [2, 1] }).unwrap().unwrap();
    assert_eq!((summary.positions, summary.won, summary.lost), (14_880, 14_846, 0));
}

#[test]
fn limits_of_king_moves_refuse_sides_with_kings_and_men() {
    let folder = tempfile::tempdir().unwrap();
    let (endings, built) = build(&folder, Variant::Frisian, 3);
    let names: Vec<_> = built.refused.iter().map(ToString::to_string).collect();
    assert_eq!((built.solved, names.len()), (8, 8));
    assert!(names.contains(&"m1k1-m0k1".to_owned()) && names.contains(&"m2k0-m0k1".to_owned()), "{names:?}");
    let position = Position::parse_fen(Variant::Frisian, "W:WK46,40:BK5").unwrap();
    assert_eq!(endings.probe(&position).unwrap(), None);
}

/// Returns the names and contents of the files of a folder.
fn files(folder: &tempfile::TempDir) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn stopped_builds_go_on_and_files_depend_on_no_thread() {
    let whole = tempfile::tempdir().unwrap();
    let (_, built) = build(&whole, Variant::Italian, 3);
    assert_eq!(built, Built { solved: 16, ..Built::default() });

    let stopped = tempfile::tempdir().unwrap();
    let endings = Endings::open(&stopped, Variant::Italian).unwrap();
    // A process that was killed leaves this behind.
    std::fs::write(stopped.path().join("m0k1-m0k1.tmp"), "half").unwrap();
    let mut solved = 0;
    loop {
        let built = endings.build(3, NonZeroUsize::MIN, |_| ControlFlow::Break(())).unwrap();
        assert_eq!(built.present, solved);
        solved += built.solved;
        if !built.stopped {
            break;
        }
        assert!([1, 2].contains(&built.solved), "a slice, or two that are solved together");
    }
    assert_eq!(solved, 16);
    assert_eq!(files(&stopped), files(&whole));
}

#[test]
fn damaged_files_are_noticed_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (_, built) = build(&folder, Variant::English, 2);
    assert_eq!(built.solved, 4);
    let path = folder.path().join("m0k1-m0k1.ending");
    let whole = std::fs::read(&path).unwrap();
    assert!((64 + 13 + 2 * 2 + 100..992).contains(&whole.len()), "{} bytes", whole.len());
    let position = Position::parse_fen(Variant::English, "W:WK14:BK6").unwrap();
    let probe = || Endings::open(&folder, Variant::English).unwrap().probe(&position);
    let verify = || Endings::open(&folder, Variant::English).unwrap().verify(Slice::of(&position));
    assert_eq!(verify().unwrap().unwrap().won, 230);
    let known = probe().unwrap();
    let build =
        || Endings::open(&folder, Variant::English).unwrap().build(3, THREADS, |_| ControlFlow::Break(()));
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&path, &bytes).unwrap();
        let expected = |error: &EndgameError| match error {
            EndgameError::Damaged { .. } => true,
            EndgameError::OtherRules { .. } => (16..24).contains(&at),
            _ => false,
        };
        // What a look-up does not read may be damaged.
        assert!(probe().map_or_else(|error| expected(&error), |value| value == known), "byte {at}");
        assert!(verify().is_err_and(|error| expected(&error)), "byte {at}");
        assert!(build().is_err_and(|error| expected(&error)), "byte {at}");
    }
    for bytes in [&whole[..whole.len() - 1], &whole[..10], &[], &[&whole[..], b"x"].concat()] {
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(probe(), Err(EndgameError::Damaged { .. })));
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!((probe().unwrap(), verify().unwrap()), (None, None));
    assert!(!build().unwrap().stopped || path.exists());
    assert_eq!(std::fs::read(&path).unwrap(), whole);
}

/// A folder that is read by ranges, and what was read of its files.
#[derive(Debug, Default)]
struct Ranges(std::path::PathBuf, std::sync::Arc<std::sync::Mutex<Vec<(String, u64)>>>);

impl EndingSource for Ranges {
    fn len(&self, file: &str) -> std::io::Result<Option<u64>> {
        Ok(std::fs::metadata(self.0.join(file)).ok().map(|file| file.len()))
    }

    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> std::io::Result<()> {
        self.1.lock().unwrap().push((file.to_owned(), into.len() as u64));
        let bytes = std::fs::read(self.0.join(file))?;
        let from = bytes.get(offset as usize..).and_then(|bytes| bytes.get(..into.len()));
        into.copy_from_slice(from.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

#[test]
fn endings_by_ranges_are_asked_with_few_reads() {
    let folder = tempfile::tempdir().unwrap();
    let game = Variant::International.game();
    let mut random = fastrand::Rng::with_seed(seed());
    let read = std::sync::Arc::default();
    let ranged = Endings::from_source(Ranges(folder.path().to_owned(), std::sync::Arc::clone(&read)), game);
    assert!(ranged.build(2, THREADS, |_| ControlFlow::Continue(())).is_err(), "there is nowhere to write");
    for (men, is_long) in [([0, 0], false), ([1, 0], true)] {
        // Values without a pattern, so that a file is as long as it can be.
        let slice = Slice { men, kings: [1, 1] };
        let numbers = PositionNumbers::new(game, slice).unwrap();
        let plies: Vec<u16> = (0..numbers.count()).map(|_| random.u16(..250)).collect();
        let path = folder.path().join(format!("{slice}.ending"));
        table::write(&path, &game.rules, slice, plies.clone()).unwrap();
        let mut asked = 0;
        for _ in 0..300 {
            let number = random.u64(..numbers.count());
            let position = numbers.position(number).unwrap();
            let expected = table::value(game.rules.ending, plies[number as usize]);
            if position.end().is_none() {
                assert_eq!(ranged.probe(&position).unwrap(), Some(expected), "{position}");
                asked += 1;
            }
        }
        let read = std::mem::take(&mut *read.lock().unwrap());
        assert_eq!(read.len(), if is_long { 1 + asked } else { 1 }, "{read:?}");
        // Eight bits an entry.
        assert!(read[1..].iter().all(|&(_, bytes)| bytes < 600), "{read:?}");
        assert!(read[0].1 < 8_000, "{read:?}");
    }
    assert_eq!(ranged.built().len(), 2);
}

#[test]
fn folders_of_other_rules_and_of_other_builds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    build(&folder, Variant::English, 2);
    let other = Endings::open(&folder, Variant::Russian).unwrap();
    let build = |endings: &Endings, pieces| endings.build(pieces, THREADS, |_| ControlFlow::Continue(()));
    let error = build(&other, 2).unwrap_err();
    assert!(matches!(error, EndgameError::OtherRules { .. }), "{error}");
    // Values do not depend on the start position, so other games may share them.
    let mut same = Variant::English.game();
    same.rules.draws = &[];
    assert_eq!(build(&Endings::open(&folder, same).unwrap(), 2).unwrap().present, 4);
    assert!(matches!(build(&other, 9), Err(EndgameError::TooManyPieces)));
    let english = Endings::open(&folder, Variant::English).unwrap();
    let mut inner = None;
    std::fs::remove_file(folder.path().join("m0k1-m0k1.ending")).unwrap();
    let outer = english.build(2, THREADS, |_| {
        inner = Some(build(&english, 2));
        ControlFlow::Continue(())
    });
    assert_eq!(outer.unwrap().solved, 1);
    assert!(matches!(inner, Some(Err(EndgameError::Busy { .. }))));
}

#[test]
fn packed_entries_equal_those_before() {
    let mut random = fastrand::Rng::with_seed(seed());
    for _ in 0..60 {
        let values = 1 << random.u32(0..12);
        let (longest_run, count) = (random.usize(1..60), random.usize(0..40_000));
        let mut entries: Vec<u16> = Vec::new();
        while entries.len() < count {
            // Runs, copies of what came before, and single entries that are small more often.
            match random.u32(0..3) {
                0 if !entries.is_empty() => {
                    let start = random.usize(..entries.len());
                    let end = entries.len().min(start + longest_run);
                    entries.extend_from_within(start..end);
                }
                1 => entries.extend(std::iter::repeat_n(random.u16(0..values), longest_run)),
                _ => {
                    let below = random.u16(0..values) + 1;
                    entries.push(random.u16(0..below));
                }
            }
        }
        let (code, symbols) = pack::Code::choose(usize::from(values), entries.clone());
        let (pairs, bits) = code.parts();
        let again = pack::Code::new(usize::from(values), pairs.to_vec(), bits.to_vec()).unwrap();
        let codes = code.codes();
        for (block, symbols) in entries.chunks(pack::BLOCK).zip(symbols.blocks()) {
            let (mut packed, mut read) = (Vec::new(), Vec::new());
            code.write(&codes, symbols, &mut packed);
            assert!(again.read(&packed, block.len(), &mut read) && read == block);
            let at = random.usize(..block.len());
            assert_eq!(again.entry(&packed, at), Some(block[at]));
            assert_eq!(
                again.entry(&packed, block.len() + 8 * pack::BLOCK),
                None,
                "there are at most 7 bits after the last code"
            );
            // Other bytes are other entries or none.
            let damaged = random.usize(..packed.len());
            packed[damaged] ^= 1 << random.u32(0..8);
            again.entry(&packed, at);
            again.read(&packed, block.len(), &mut read);
        }
    }
    for (pairs, bits) in [
        (vec![], vec![1, 1, 1]),
        (vec![[0, 3]], vec![2, 2, 2, 2]),
        (vec![[0, 9]], vec![2, 2, 2, 2]),
        (vec![], vec![1, 1]),
        (vec![], vec![1, 60, 60]),
        ((3..13).map(|symbol| [symbol - 1; 2]).collect(), vec![4; 13]),
    ] {
        assert!(pack::Code::new(3, pairs, bits).is_none());
    }
}

#[test]
fn tables_hold_long_distances_and_many_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Variant::English.rules();
    let slice = Slice { men: [1, 1], kings: [1, 0] };
    for longest in [1, 253, 254, 255, 256, 1_000, table::DRAWN - 1] {
        let plies: Vec<u16> = (0..200_000u32)
            .map(|n| if n % 3 == 0 { table::DRAWN } else { n as u16 % (longest + 1) })
            .chain([longest])
            .collect();
        let path = folder.path().join("table");
        let written = table::write(&path, &rules, slice, plies.clone()).unwrap();
        let open = || {
            let bytes = source::TableBytes::of_file(std::fs::File::open(&path).unwrap()).unwrap();
            table::TableFile::open(&path, bytes, &rules, slice, plies.len() as u64).unwrap()
        };
        assert_eq!((open().summary, written.longest), (written, longest));
        assert_eq!(written.drawn(), 66_667);
        assert!(open().read().unwrap() == plies);
        let file = open();
        for at in [0, 511, 512, 513, 1_023, 1_024, plies.len() - 2, plies.len() - 1] {
            assert_eq!(file.plies(at as u64).unwrap(), plies[at], "{longest} {at}");
        }
    }
}

/// A file of endings is only read if its digest is that of the rules. If a digest changes, the version of the format has to change, too.
#[test]
fn digests_of_rules_never_change() {
    let digest = |variant: Variant| table::digest(&GameRules::from(variant).rules);
    assert_eq!(
        [Variant::English, Variant::International, Variant::Frisian].map(digest),
        [5_215_752_571_436_767_843, 7_691_249_043_156_907_832, 11_118_784_041_870_971_972]
    );
}
