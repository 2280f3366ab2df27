//! Position search and the opening tree against a naive twin, which replays the text and compares every position of every
//! game. From the index it takes only results, dates and ratings.

#![expect(clippy::print_stderr, reason = "reports skipped files")]

use crate::common;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::internal::replay::FilePrior;
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::replay;
use pdn::rules::Variant;
use pdn::split;
use pdn::value::{Colour, Outcome};
use pdn_index::internal::pack::CorruptMoves;
use pdn_index::internal::query::{
    Field, GameScanner, Pattern, PlayableGame, PositionEvent, PositionTarget, candidates, commonest_variant,
    scan_games,
};
use pdn_index::internal::{KeyTableOptions, SegmentOptions, build_key_tables};
use pdn_index::query::{GameTally, Hit, OpeningTree, Query, Search, TreeOptions, tree};
use pdn_index::{ImportOptions, Index, import};
use pdn_rules::internal::board::Geometry;
use proptest::prelude::*;

/// Number of the first variants of [`VARIANTS`], which all have rules of their own.
const RULES: usize = 8;

const VARIANTS: &[Variant] = &[
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Italian,
    Variant::Turkish,
    Variant::Frisian,
    Variant::Canadian,
    Variant::Frysk,
    // The same rules, with other names of squares and another side that starts: each game counts once in a tree.
    Variant::Pool,
    Variant::UnifiedPool,
    Variant::Jamaican,
];

/// Returns an archive of games that often transpose, because each move is one of three. Some games begin with a setup,
/// some repeat a position.
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
                    position.play_unchecked(&mv);
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
            position.play_unchecked(&mv);
        }
        let _ = writeln!(text, "{result}\n");
    }
    text
}

/// A game: its positions, and the text of the move played in each position but the last.
struct Game {
    positions: Vec<Position>,
    moves: Vec<String>,
    played: Vec<Move>,
}

/// Replays the games of several archives, one after the other.
fn games(texts: &[&[u8]]) -> Vec<Game> {
    let mut all = Vec::new();
    for text in texts {
        let records: Vec<&[u8]> = split::records(text).map(|game| game.bytes).collect();
        let mut options = replay::ReplayOptions::default();
        options.prior = FilePrior::of(records.iter().copied(), &options);
        for record in records {
            let main = replay::annotate(record, &options).main;
            let mut positions: Vec<Position> = main.plies.iter().map(|ply| ply.position).collect();
            positions.push(main.last);
            let text =
                |ply: &replay::AnnotatedPly<'_>| move_text(&ply.position, &ply.mv, MoveStyle::Shortest);
            let moves = main.plies.iter().map(|ply| text(ply).expect("few captures")).collect();
            let played = main.plies.iter().map(|ply| ply.mv).collect();
            all.push(Game { positions, moves, played });
        }
    }
    all
}

/// Returns `true` if two positions are equal, king counters left out.
fn is_same(one: &Position, other: &Position) -> bool {
    one.rules() == other.rules()
        && one.state().pieces == other.state().pieces
        && one.state().kings == other.state().kings
        && one.turn() == other.turn()
}

/// Games, white wins, draws, black wins, losses of both, first and last year, sum and number of the ratings of each side.
type Counts = (u64, [u64; 4], [u16; 2], [(u64, u64); 2]);

fn counts(index: &Index, games: &[u64]) -> Counts {
    let mut counts: Counts = (games.len() as u64, [0; 4], [0; 2], [(0, 0); 2]);
    for &number in games {
        let row = index.game(number).expect("there").row().expect("sound");
        match (row.winner(), row.outcome) {
            (Some(Colour::White), _) => counts.1[0] += 1,
            (Some(Colour::Black), _) => counts.1[2] += 1,
            (None, Outcome::Draw) => counts.1[1] += 1,
            (None, outcome) => counts.1[3] += u64::from(outcome == Outcome::BothLose),
        }
        if let Some(year) = row.date.year() {
            let [first, last] = counts.2;
            counts.2 = [if first == 0 { year } else { first.min(year) }, last.max(year)];
        }
        for (sum, rating) in counts.3.iter_mut().zip(row.ratings) {
            *sum = (sum.0 + u64::from(rating), sum.1 + u64::from(rating > 0));
        }
    }
    counts
}

fn tally_counts(tally: &GameTally) -> Counts {
    let results = [tally.white, tally.draws, tally.black, tally.both_lost];
    (tally.games, results, [tally.first_year, tally.last_year], tally.ratings)
}

/// A scanner that collects every hit of a position.
struct HitCollector<'a> {
    index: &'a Index,
    position: &'a Position,
}

impl GameScanner for HitCollector<'_> {
    type Found = Vec<Hit>;

    fn game<G: Geometry>(&self, game: &PlayableGame<'_, G>, hits: &mut Vec<Hit>) -> Result<(), CorruptMoves> {
        let position = self.position.state().resized();
        let target = PositionTarget::new(self.position.rules(), game.start, &position);
        let number = self.index.first_game(game.segment).expect("there") + u64::from(game.game);
        target.seek(game.codec, game.start, game.bytes, game.is_continuous, |event| {
            if let PositionEvent::Reached(ply, _) = event {
                hits.push(Hit { game: number, ply, line: 0 });
            }
        })
    }
}

/// Returns every hit of a position, by game and then by ply, from the games that may have it.
fn all_hits(index: &Index, position: &Position, threads: NonZeroUsize) -> Vec<Hit> {
    let segments = 0..index.segments().len();
    let games: Vec<_> =
        segments.map(|segment| candidates(index, segment, position).expect("sound")).collect();
    let mut hits = Vec::new();
    scan_games(index, &games, threads, &HitCollector { index, position }, |more| {
        hits.extend(more);
        ControlFlow::Continue(())
    })
    .expect("sound");
    hits
}

/// Returns the hits of the first match in each game, by a query for the position in games of its rules.
fn first_hits(index: &Index, position: &Position, threads: NonZeroUsize) -> Vec<Hit> {
    let variants = Variant::ALL.iter().filter(|variant| variant.rules() == *position.rules());
    let query = Query::board(Pattern::position(position))
        & Query::Or(variants.map(|&variant| Query::variant(variant)).collect());
    Search::new(index, &query, threads).and_then(|search| search.hits(usize::MAX)).expect("sound").0
}

/// Compares the hits and the opening tree of a position with the naive twin.
fn check(index: &Index, games: &[Game], position: &Position, among: Option<&Query>) {
    let chosen = |number: u64| match among {
        None => true,
        Some(_) => index.game(number).expect("there").row().expect("sound").white == "A1",
    };
    let sets = among.map(|query| {
        let of = |segment| {
            pdn_index::internal::query::GameSelector::new(segment).and_then(|games| games.bounds(query))
        };
        index.segments().iter().map(|segment| of(segment).expect("sound").possible).collect::<Vec<_>>()
    });
    let mut hits = Vec::new();
    let (mut all, mut ended) = (Vec::new(), 0);
    let mut moves: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    let mut arrivals: Vec<(Option<Move>, BTreeSet<u64>)> = Vec::new();
    for (number, game) in (0..).zip(games) {
        for (ply, _) in game.positions.iter().enumerate().filter(|(_, other)| is_same(other, position)) {
            hits.push(Hit { game: number, ply: ply as u32, line: 0 });
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
            let by = ply.checked_sub(1).map(|before| game.played[before]);
            match arrivals.iter_mut().find(|(other, _)| *other == by) {
                Some((_, games)) => _ = games.insert(number),
                None => arrivals.push((by, BTreeSet::from([number]))),
            }
        }
    }
    let fen = position.fen();
    for threads in [1, 3] {
        let threads = NonZeroUsize::new(threads).expect("some");
        assert_eq!(all_hits(index, position, threads), hits, "{fen}");
        let mut first = hits.clone();
        first.dedup_by_key(|hit| hit.game);
        assert_eq!(first_hits(index, position, threads), first, "{fen}");
        let mut options = TreeOptions::new().threads(threads).transpositions(true).examples(2);
        options.among = sets.as_deref();
        let found: OpeningTree = tree(index, position, &options).expect("sound");
        assert_eq!(tally_counts(&found.all), counts(index, &all), "{fen}");
        assert_eq!(found.ended, ended, "{fen}");
        let listed: BTreeMap<&str, Counts> =
            found.moves.iter().map(|branch| (branch.text.as_str(), tally_counts(&branch.tally))).collect();
        let games_of = |games: &BTreeSet<u64>| games.iter().copied().collect::<Vec<_>>();
        let expected: BTreeMap<&str, Counts> =
            moves.iter().map(|(mv, games)| (*mv, counts(index, &games_of(games)))).collect();
        assert_eq!(listed, expected, "{fen}");
        assert!(found.moves.is_sorted_by_key(|branch| std::cmp::Reverse(branch.tally.games)));
        // Moves with equal texts count apart if they differ: a man that goes from 8 to 4 promotes, a king does not.
        assert_eq!(found.arrivals.len(), arrivals.len(), "{fen}");
        for (by, games) in &arrivals {
            let arrival = found.arrivals.iter().find(|arrival| arrival.mv == *by).expect("listed");
            assert_eq!(arrival.games, games.len() as u64, "{fen} {}", arrival.text);
            assert_eq!(arrival.text == "start", by.is_none(), "{fen}");
        }
        for branch in &found.moves {
            let has = |game: &Game| game.positions.iter().any(|other| is_same(other, &branch.after));
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
    // Books of all positions that two games of a segment have, so that most trees come from a book.
    let options = KeyTableOptions::default().book_games(2);
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built");
    let index = Index::open(dir).expect("opened");
    assert!((0..index.segments().len()).all(|segment| index.keys(segment).expect("sound").is_some()));
    index
}

/// Returns the positions to check: the start positions, those of some games at some plies, and one that no game has.
fn sample(games: &[Game], every: usize) -> Vec<Position> {
    let mut sample: Vec<Position> = VARIANTS.iter().map(|&variant| Position::start(variant)).collect();
    for (number, game) in games.iter().enumerate() {
        sample.extend(game.positions.iter().skip(number % 3).step_by(every));
    }
    let nowhere = sample[0].with_turn(!sample[0].turn());
    sample.push(nowhere);
    sample
}

/// Compares the trees of random archives: without key tables, with them, and with a segment that has none.
fn check_archives(seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, more) = (archive(seed, 90, VARIANTS), archive(seed ^ 1, 30, VARIANTS));
    let paths = ["a.pdn", "b.pdn"].map(|name| folder.path().join(name));
    let dir = folder.path().join("index");
    std::fs::write(&paths[0], &first).expect("written");
    let all = games(&[first.as_bytes()]);
    let played = Query::exactly(Field::White, "A1");
    let plain = index(&paths[..1], &dir, false);
    for (number, position) in sample(&all, 29).iter().enumerate() {
        check(&plain, &all, position, (number % 4 == 3).then_some(&played));
    }
    let tabled = tables(&dir);
    for (number, position) in sample(&all, 17).iter().enumerate() {
        check(&tabled, &all, position, (number % 4 == 3).then_some(&played));
    }
    // The segment of the added games has no key table at first.
    std::fs::write(&paths[1], &more).expect("written");
    let all = games(&[first.as_bytes(), more.as_bytes()]);
    let mixed = index(&paths, &dir, true);
    assert_eq!(mixed.len(), all.len() as u64);
    sample(&all, 61).iter().for_each(|position| check(&mixed, &all, position, None));
    let tabled = tables(&dir);
    sample(&all, 61).iter().for_each(|position| check(&tabled, &all, position, None));
}

proptest! {
    #![proptest_config(common::cases(6))]

    #[test]
    fn opening_tree_equals_the_replayed_text(seed: u64) {
        check_archives(seed);
    }
}

#[test]
fn key_table_gives_the_same_hits_as_playing_every_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pdn");
    let dir = folder.path().join("index");
    // The last game has a null move, so that it is not continuous. Variants that share rules are left out: they write
    // one position as different FENs, by which positions are told apart here.
    let text =
        archive(31, 110, &VARIANTS[..RULES]) + "[GameType \"20\"]\n1. 32-28 19-23 2. -- 14-19 3. 28x14 *\n";
    std::fs::write(&path, &text).expect("written");
    let plain = index(&[path], &dir, false);
    assert_eq!(plain.segments().len(), 3);
    let mut expected: BTreeMap<String, (Position, Vec<Hit>)> = BTreeMap::new();
    for game in plain.games() {
        let (plies, last) = game.plies().expect("sound");
        for (ply, position) in (0..).zip(plies.iter().map(|ply| ply.before).chain([last])) {
            let name = format!("{:?} {}", position.rules(), position.fen());
            let hits = &mut expected.entry(name).or_insert((position, Vec::new())).1;
            hits.push(Hit { game: game.number(), ply, line: 0 });
        }
    }
    assert!(expected.len() > 1000, "{}", expected.len());
    let repeats = |hits: &[Hit]| hits.windows(2).any(|two| two[0].game == two[1].game);
    assert!(expected.values().any(|(_, hits)| repeats(hits)), "some game repeats a position");
    let tabled = tables(&dir);
    let two = NonZeroUsize::new(2).expect("two");
    for (number, (position, hits)) in expected.values().enumerate() {
        assert_eq!(all_hits(&tabled, position, two), *hits, "{}", position.fen());
        if number % 20 == 0 || hits.len() > 5 {
            for threads in [NonZeroUsize::MIN, two] {
                assert_eq!(all_hits(&plain, position, threads), *hits, "{}", position.fen());
            }
        }
        // The same pieces with the other side to move are another position, which no game may have.
        let other = position.with_turn(!position.turn());
        let name = format!("{:?} {}", other.rules(), other.fen());
        let hits = expected.get(&name).map_or(Vec::new(), |(_, hits)| hits.clone());
        assert_eq!(all_hits(&tabled, &other, two), hits, "{}", other.fen());
    }
}

#[test]
fn game_that_repeats_the_position_counts_once_per_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pdn");
    // The kings return, so that the position after two plies stands again after six.
    let setup = "[GameType \"20\"]\n[FEN \"W:WK48:BK3\"]\n";
    let text = format!(
        "{setup}1. 48-43 3-8 2. 43-48 8-3 3. 48-43 3-8 4. 43-49 8-2 1-1\n\n{setup}1. 48-43 3-8 2. 43-48 8-3 3. 48-43 3-8 4. 43-48 1-1\n"
    );
    std::fs::write(&path, &text).expect("written");
    let index = index(&[path], &folder.path().join("index"), false);
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
fn moves_with_equal_texts_that_differ_lead_to_a_position_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pdn");
    // First a man moves from 8 to 4 and becomes a king, then the king goes back and forth.
    let text = "[GameType \"21\"]\n[FEN \"W:W8:BK32\"]\n1... 8-4 2. 32-27 4-8 3. 27-32 8-4 4. 32-28 *\n";
    std::fs::write(&path, text).expect("written");
    let index = index(&[path], &folder.path().join("index"), false);
    let all = games(&[text.as_bytes()]);
    assert_eq!(all[0].moves, ["8-4", "32-27", "4-8", "27-32", "8-4", "32-28"]);
    let position = all[0].positions[1];
    check(&index, &all, &position, None);
    let found = tree(&index, &position, &TreeOptions::default()).expect("sound");
    let arrivals: Vec<_> = found.arrivals.iter().map(|by| (by.text.as_str(), by.games)).collect();
    assert_eq!((found.all.games, arrivals), (1, vec![("8-4", 1), ("8-4", 1)]));
}

#[test]
fn opening_tree_equals_the_replayed_text_of_real_archives() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (path, text)) in common::real_files().into_iter().enumerate() {
        if text.len() > 400_000 || path.extension().is_none_or(|extension| extension != "pdn") {
            continue;
        }
        let dir = folder.path().join(number.to_string());
        let index = index(&[common::root().join(&path)], &dir, false);
        let all = games(&[&text]);
        if all.len() as u64 != index.len() {
            eprintln!("SKIPPED: {} is not in UTF-8", path.display());
            continue;
        }
        // The naive twin does not distinguish setups and null moves from moves.
        let plain = |number: u64| !index.game(number).expect("there").row().expect("sound").has_setups;
        if !(0..index.len()).all(plain) {
            continue;
        }
        let some: Vec<Position> = sample(&all, 37).into_iter().step_by(1 + all.len() / 40).collect();
        some.iter().for_each(|position| check(&index, &all, position, None));
        let tabled = tables(&dir);
        some.iter().for_each(|position| check(&tabled, &all, position, None));
    }
}
