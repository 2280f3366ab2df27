//! Positions and the opening tree against a slow twin: the text is read and replayed again, every position of every game
//! is looked at, and nothing of the index is used but what it says of results, dates and ratings.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::index::{Hit, ImportOptions, Index, KeyTableOptions, SegmentOptions, build_key_tables, import};
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::query::{Field, OpeningTree, Query, TreeOptions, commonest_variant, tree};
use pdn::replay::{self, FilePrior};
use pdn::rules::Variant;
use pdn::split;
use pdn::value::Colour;
use proptest::prelude::*;

const VARIANTS: &[Variant] = &[
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Italian,
    Variant::Turkish,
    Variant::Frisian,
    Variant::Canadian,
    Variant::Frysk,
];

/// Games that often meet again: each move is one of three. Some begin elsewhere, some come back to a position.
fn archive(seed: u64, games: usize, variants: &[Variant]) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut random = move |n: usize| random.usize(..n);
    let mut text = String::new();
    for number in 0..games {
        let variant = variants[random(variants.len())];
        let mut position = Position::start(variant);
        let mut list = MoveList::new();
        let mut next = |position: &Position, random: &mut dyn FnMut(usize) -> usize| {
            position.legal_moves(&mut list).expect("few captures");
            (!list.is_empty()).then(|| list[random(list.len().min(3))])
        };
        let _ = writeln!(text, "[White \"A{}\"]\n[Black \"B\"]\n[Round \"{number}\"]", random(4));
        let _ = writeln!(text, "[Date \"{}.??.??\"]\n[GameType \"{}\"]", 1950 + random(60), variant.tag());
        if random(2) == 0 {
            let _ = writeln!(text, "[WhiteRating \"{}\"]", 1800 + random(9) * 50);
        }
        if random(8) == 0 {
            for _ in 0..4 {
                if let Some(mv) = next(&position, &mut random) {
                    let _ = position.play(&mv);
                }
            }
            let _ = writeln!(text, "[FEN \"{}\"]", position.fen());
        }
        let result = ["2-0", "1-1", "0-2", "*"][random(4)];
        let _ = writeln!(text, "[Result \"{result}\"]\n");
        for ply in 0..random(if number % 7 == 0 { 150 } else { 12 }) {
            let Some(mv) = next(&position, &mut random) else { break };
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{} ", move_text(&position, &mv, MoveStyle::Chain).expect("few captures"));
            let _ = position.play(&mv);
        }
        let _ = writeln!(text, "{result}\n");
    }
    text
}

/// A game: its positions, and the move that was played in each but the last.
struct Game {
    positions: Vec<Position>,
    moves: Vec<String>,
}

/// Reads archives again, one after the other.
fn games(texts: &[&[u8]]) -> Vec<Game> {
    let mut all = Vec::new();
    for text in texts {
        let records: Vec<&[u8]> = split::games(text).map(|game| game.bytes).collect();
        let mut options = replay::ReplayOptions::default();
        options.prior = FilePrior::of(records.iter().copied(), &options);
        for record in records {
            let main = replay::annotate(record, &options).main;
            let mut positions: Vec<Position> = main.plies.iter().map(|ply| ply.position).collect();
            positions.push(main.last);
            let text =
                |ply: &replay::AnnotatedPly<'_>| move_text(&ply.position, &ply.mv, MoveStyle::Shortest);
            let moves = main.plies.iter().map(|ply| text(ply).expect("few captures")).collect();
            all.push(Game { positions, moves });
        }
    }
    all
}

fn same(one: &Position, other: &Position) -> bool {
    one.rules() == other.rules()
        && one.state().pieces == other.state().pieces
        && one.state().kings == other.state().kings
        && one.turn() == other.turn()
}

/// Games, white wins, draws, black wins, last year, ratings.
type Counts = (u64, u64, u64, u64, u16, (u64, u64));

fn counts(index: &Index, games: &[u64]) -> Counts {
    let mut counts: Counts = (games.len() as u64, 0, 0, 0, 0, (0, 0));
    for &number in games {
        let row = index.game(number).expect("there").row().expect("sound");
        match row.winner() {
            Some(Colour::White) => counts.1 += 1,
            Some(Colour::Black) => counts.3 += 1,
            None => counts.2 += u64::from(row.outcome == pdn::value::Outcome::Draw),
        }
        counts.4 = counts.4.max(row.date.year().unwrap_or(0));
        for rating in row.ratings {
            counts.5 = (counts.5.0 + u64::from(rating), counts.5.1 + u64::from(rating > 0));
        }
    }
    counts
}

fn told(tally: &pdn::query::GameTally) -> Counts {
    let [white, black] = tally.ratings;
    let ratings = (white.0 + black.0, white.1 + black.1);
    (tally.games, tally.white, tally.draws, tally.black, tally.last_year, ratings)
}

/// Compares all that is asked of a position with the naive answer.
fn check(index: &Index, games: &[Game], position: &Position, among: Option<&Query>) {
    let chosen = |number: u64| match among {
        None => true,
        Some(_) => index.game(number).expect("there").row().expect("sound").white == "A1",
    };
    let sets = among.map(|query| {
        let of = |segment| pdn::query::GameSelector::new(segment).and_then(|games| games.sets(query));
        index.segments().iter().map(|segment| of(segment).expect("sound").possible).collect::<Vec<_>>()
    });
    let mut hits = Vec::new();
    let (mut all, mut ended) = (Vec::new(), 0);
    let mut moves: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    let mut arrivals: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for (number, game) in (0..).zip(games) {
        for (ply, _) in game.positions.iter().enumerate().filter(|(_, found)| same(found, position)) {
            hits.push(Hit { game: number, ply: ply as u32 });
            if !chosen(number) {
                continue;
            }
            if all.last() != Some(&number) {
                all.push(number);
            }
            match game.moves.get(ply) {
                Some(mv) => _ = moves.entry(mv).or_default().insert(number),
                None => ended += 1,
            }
            let by = ply.checked_sub(1).map_or("start", |before| &game.moves[before]);
            arrivals.entry(by).or_default().insert(number);
        }
    }
    let fen = position.fen();
    for threads in [1, 3] {
        let threads = NonZeroUsize::new(threads).expect("some");
        assert_eq!(index.positions_of(position, threads).expect("sound"), hits, "{fen}");
        let mut options = TreeOptions::default();
        options.threads = threads;
        options.among = sets.as_deref();
        options.transpositions = true;
        options.examples = 2;
        let found: OpeningTree = tree(index, position, &options).expect("sound");
        assert_eq!(told(&found.all), counts(index, &all), "{fen}");
        assert_eq!(found.ended, ended, "{fen}");
        let listed: BTreeMap<&str, Counts> =
            found.moves.iter().map(|branch| (branch.text.as_str(), told(&branch.tally))).collect();
        let games_of = |games: &BTreeSet<u64>| games.iter().copied().collect::<Vec<_>>();
        let expected: BTreeMap<&str, Counts> =
            moves.iter().map(|(mv, games)| (*mv, counts(index, &games_of(games)))).collect();
        assert_eq!(listed, expected, "{fen}");
        assert!(found.moves.is_sorted_by_key(|branch| std::cmp::Reverse(branch.tally.games)));
        let mut led = BTreeMap::new();
        for arrival in &found.arrivals {
            *led.entry(arrival.text.as_str()).or_insert(0) += arrival.games;
        }
        // The same move may have been played in different positions; such games are counted once here and there.
        let expected: BTreeMap<&str, u64> =
            arrivals.iter().map(|(mv, games)| (*mv, games.len() as u64)).collect();
        assert_eq!(led, expected, "{fen}");
        for branch in &found.moves {
            let has = |game: &Game| game.positions.iter().any(|found| same(found, &branch.after));
            let reached =
                (0..).zip(games).filter(|(number, game)| chosen(*number) && has(game)).count() as u64;
            assert_eq!(branch.reached, Some(reached), "{fen} {}", branch.text);
            assert!(branch.transposed().is_some());
            let rank = |number: u64| {
                let row = index.game(number).expect("there").row().expect("sound");
                let ratings: u16 = row.ratings.iter().sum();
                let date = (row.date.year(), row.date.month(), row.date.day());
                (std::cmp::Reverse((ratings, date)), number)
            };
            let mut best = games_of(&moves[branch.text.as_str()]);
            best.sort_by_key(|&number| rank(number));
            best.truncate(2);
            assert_eq!(branch.tally.examples, best, "{fen} {}", branch.text);
        }
    }
}

fn index(paths: &[PathBuf], dir: &Path, append: bool) -> Index {
    let mut options = ImportOptions::default();
    let mut layout = SegmentOptions::default();
    layout.segment_games = 40;
    (options.segments, options.append) = (layout, append);
    import(paths, dir, &options).expect("built");
    Index::open(dir).expect("opened")
}

fn tables(dir: &Path) -> Index {
    build_key_tables(dir, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(())).expect("built");
    let index = Index::open(dir).expect("opened");
    assert!((0..index.segments().len()).all(|segment| index.keys(segment).expect("sound").is_some()));
    index
}

/// Positions to ask for: the starts, those of some games at some plies, and one that is nowhere.
fn asked(games: &[Game], every: usize) -> Vec<Position> {
    let mut asked: Vec<Position> = VARIANTS.iter().map(|&variant| Position::start(variant)).collect();
    for (number, game) in games.iter().enumerate() {
        asked.extend(game.positions.iter().skip(number % 3).step_by(every));
    }
    let nowhere = asked[0].with_turn(!asked[0].turn());
    asked.push(nowhere);
    asked
}

proptest! {
    #![proptest_config(common::cases(6))]

    #[test]
    fn the_tree_is_what_the_text_says(seed: u64) {
        let place = tempfile::tempdir().expect("a folder");
        let (first, more) = (archive(seed, 90, VARIANTS), archive(seed ^ 1, 30, VARIANTS));
        let paths = ["a.pdn", "b.pdn"].map(|name| place.path().join(name));
        let dir = place.path().join("index");
        std::fs::write(&paths[0], &first).expect("written");
        let all = games(&[first.as_bytes()]);
        let played = Query::exactly(Field::White, "A1");
        let plain = index(&paths[..1], &dir, false);
        for (number, position) in asked(&all, 29).iter().enumerate() {
            check(&plain, &all, position, (number % 4 == 3).then_some(&played));
        }
        let tabled = tables(&dir);
        for (number, position) in asked(&all, 17).iter().enumerate() {
            check(&tabled, &all, position, (number % 4 == 3).then_some(&played));
        }
        // Added games have no table at first, then they have.
        std::fs::write(&paths[1], &more).expect("written");
        let all = games(&[first.as_bytes(), more.as_bytes()]);
        let mixed = index(&paths, &dir, true);
        prop_assert_eq!(mixed.len(), all.len() as u64);
        asked(&all, 61).iter().for_each(|position| check(&mixed, &all, position, None));
        let tabled = tables(&dir);
        asked(&all, 61).iter().for_each(|position| check(&tabled, &all, position, None));
    }
}

#[test]
fn a_game_that_comes_back_counts_once_for_each_move() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("a.pdn");
    // Kings go to and fro; the position after the second ply comes back after the sixth.
    let setup = "[GameType \"20\"]\n[FEN \"W:WK48:BK3\"]\n";
    let text = format!(
        "{setup}1. 48-43 3-8 2. 43-48 8-3 3. 48-43 3-8 4. 43-49 8-2 1-1\n\n{setup}1. 48-43 3-8 2. 43-48 8-3 3. 48-43 3-8 4. 43-48 1-1\n"
    );
    std::fs::write(&path, &text).expect("written");
    let index = index(&[path], &place.path().join("index"), false);
    let all = games(&[text.as_bytes()]);
    assert_eq!(all[0].moves.len(), 8, "all moves are legal");
    let position = all[0].positions[2];
    check(&index, &all, &position, None);
    let found = tree(&index, &position, &TreeOptions::default()).expect("sound");
    let moves: Vec<_> = found.moves.iter().map(|branch| (branch.text.as_str(), branch.tally.games)).collect();
    assert_eq!((found.all.games, moves), (2, vec![("43-48", 2), ("43-49", 1)]));
    assert_eq!(commonest_variant(&index).expect("sound"), Some(Variant::International));
}

#[test]
fn real_archives_have_the_tree_of_their_text() {
    let place = tempfile::tempdir().expect("a folder");
    for (number, (path, text)) in common::real_files().into_iter().enumerate() {
        if text.len() > 400_000 || path.extension().is_none_or(|extension| extension != "pdn") {
            continue;
        }
        let dir = place.path().join(number.to_string());
        let index = index(&[common::root().join(&path)], &dir, false);
        let all = games(&[&text]);
        if all.len() as u64 != index.len() {
            eprintln!("SKIPPED: {} is not in UTF-8", path.display());
            continue;
        }
        // Null moves and setups are told apart by neither text nor tree here.
        let plain = |number: u64| !index.game(number).expect("there").row().expect("sound").has_setups;
        if !(0..index.len()).all(plain) {
            continue;
        }
        let some: Vec<Position> = asked(&all, 37).into_iter().step_by(1 + all.len() / 40).collect();
        some.iter().for_each(|position| check(&index, &all, position, None));
        let tabled = tables(&dir);
        some.iter().for_each(|position| check(&tabled, &all, position, None));
    }
}
