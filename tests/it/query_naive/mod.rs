//! Searches against a naive twin: it replays the text, turns every position into a map of square names, and evaluates the
//! query at one position after the other.

#![expect(clippy::print_stderr, reason = "reports skipped files")]

mod archive;
mod brackets;
mod earlier;
mod game;
mod naive_moves;
mod naive_openings;
mod naive_query;
mod naive_sum;
mod time_and_forms;

use crate::common;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::rules::Variant;
use pdn::split;
use pdn_index::internal::query::Pattern;
use pdn_index::internal::{KeyTableOptions, SegmentOptions, build_key_tables, merge};
use pdn_index::query::{Hit, Query, QueryError, Search};
use pdn_index::{ImportOptions, Index, import};
use proptest::prelude::*;

use archive::{VARIANTS, annotated_archive, archive, chooser};
use brackets::annotated_games;
use earlier::count_earlier_games;
use game::{Game, games};
use naive_moves::{NaiveInGame, NaivePart, NaivePlayed, random_played};
use naive_query::{NaiveQuery, fen, random_query};

/// Games in several indexes and in naive form.
struct Case {
    _folder: tempfile::TempDir,
    /// Indexes of the same games, with their names.
    indexes: Vec<(&'static str, Index)>,
    games: Vec<Game>,
}

fn hit(game: u64, (line, ply): (usize, usize)) -> Hit {
    Hit { game, ply: ply as u32, line: line as u32 }
}

/// Copies the folder of an index.
fn copy_index(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a folder");
    for file in std::fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("copied");
    }
}

/// Returns an index as it is, with key tables, with all segments merged, and with both.
fn index_variations(dir: &Path) -> Vec<(&'static str, Index)> {
    let mut indexes = Vec::new();
    for (name, positions, merged) in [
        ("plain", false, false),
        ("table", true, false),
        ("merged", false, true),
        ("merged table", true, true),
    ] {
        let own = dir.with_extension(name);
        copy_index(dir, &own);
        if merged {
            assert_eq!(merge(&own, &SegmentOptions::default()).expect("merged").after, 1);
        }
        if positions {
            build_key_tables(&own, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(()))
                .expect("tables");
        }
        indexes.push((name, Index::open(&own).expect("opened")));
    }
    indexes
}

/// Indexes archives and replays them naively. Segments have at most `segment_games` games.
fn case(texts: &[&[u8]], segment_games: u32) -> Case {
    case_read_by(games, texts, segment_games)
}

/// Indexes archives, and reads them naively with `read`.
fn case_read_by(read: fn(&[u8]) -> Vec<Game>, texts: &[&[u8]], segment_games: u32) -> Case {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("index");
    let mut all = Vec::new();
    let mut options = ImportOptions::default();
    options.segments.segment_games = segment_games;
    for (number, text) in texts.iter().enumerate() {
        let path = folder.path().join(format!("{number}.pdn"));
        std::fs::write(&path, text).expect("written");
        options.append = number > 0;
        import([path], &dir, &options).expect("built");
        all.extend(read(text));
    }
    count_earlier_games(&mut all);
    let indexes = index_variations(&dir);
    for (_, index) in &indexes {
        assert_eq!(index.len(), all.len() as u64);
        for (game, naive) in index.games().zip(&all) {
            assert_eq!(game.row().expect("sound").plies as usize, naive.moves.len());
        }
    }
    Case { _folder: folder, indexes, games: all }
}

impl Case {
    /// Checks that a query that is refused for a contradiction has a part that is true nowhere.
    fn check_contradiction(&self, naive_query: &NaiveQuery, error: &QueryError) {
        let refused = naive_query.operands().into_iter().find(|part| Query::parse(&part.text()).is_err());
        if let Some(part) = refused {
            return self.check_contradiction(part, error);
        }
        let text = naive_query.text();
        let words = ["contradict", "leaves nothing"];
        assert!(words.iter().any(|word| error.message().contains(word)), "{text}: {error}");
        for game in &self.games {
            let found = naive_query.truths(game).iter().position(|&holds| holds);
            assert_eq!(found, None, "{text}: {error}");
        }
    }

    /// Searches every index on one thread and on three, and returns the number of games that match.
    fn check(&self, naive_query: &NaiveQuery) -> usize {
        let text = naive_query.text();
        let query = match Query::parse(&text) {
            Ok(query) => query,
            Err(error) if error.message().starts_with("this asks for") => return 0,
            Err(error) => {
                self.check_contradiction(naive_query, &error);
                return 0;
            }
        };
        assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{text}");
        let truths: Vec<Vec<bool>> = self.games.iter().map(|game| naive_query.truths(game)).collect();
        let hits = |(number, (game, truths)): (u64, (&Game, &Vec<bool>))| {
            let plies = (0..).zip(truths).filter(|(_, holds)| **holds);
            plies.map(|(at, _)| hit(number, naive_query.hit(game, at))).collect::<Vec<_>>()
        };
        let every: Vec<Hit> = (0..).zip(self.games.iter().zip(&truths)).flat_map(hits).collect();
        let mut naive = every.clone();
        naive.dedup_by_key(|hit| hit.game);
        for (name, index) in &self.indexes {
            for threads in [1, 3] {
                let threads = NonZeroUsize::new(threads).expect("some");
                let search = Search::new(index, &query, threads).expect("sound");
                let (hits, _) = search.hits(usize::MAX).expect("sound");
                assert_eq!(hits, naive, "{text} ({name})");
                assert_eq!(search.count().expect("sound").0, naive.len() as u64, "{text} ({name})");
                let limit = naive.len() / 2 + 1;
                let (some, _) = search.hits(limit).expect("sound");
                assert_eq!(some, naive[..limit.min(naive.len())], "{text} ({name}), {limit} of them");
                let page = limit / 2..limit;
                let (some, _) = search.hits_in(page.clone()).expect("sound");
                assert_eq!(some, naive[page.start..page.end.min(naive.len())], "{text} ({name}), {page:?}");
                // Any order: the last plies first.
                let mut by_ply = naive.clone();
                by_ply.sort_by_key(|hit| std::cmp::Reverse(hit.ply));
                let by = search.hits_by(page.clone(), |hit| Ok(std::cmp::Reverse(hit.ply)));
                assert_eq!(
                    by.expect("sound").0,
                    by_ply[page.start..page.end.min(naive.len())],
                    "{text} ({name})"
                );
                let (all, _) = search.all_hits(usize::MAX).expect("sound");
                assert_eq!(all, every, "{text} ({name})");
                let (sets, _) = search.games().expect("sound");
                assert_eq!(
                    sets.iter().map(|set| set.len()).sum::<u64>(),
                    naive.len() as u64,
                    "{text} ({name})"
                );
            }
        }
        naive.len()
    }
}

/// Checks many random queries. More than a tenth of them must match some games and not all, or the test would mean little.
fn check_random_queries(case: &Case, queries: u64, seed: u64) {
    let mut selective = 0;
    for number in 0..queries {
        let mut choose = chooser(seed ^ (number * 104_729 + 7));
        let query = random_query(&case.games, &mut choose, (number % 4) as u32);
        let hits = case.check(&query);
        selective += u64::from(hits > 0 && hits < case.games.len());
    }
    assert!(selective * 10 > queries, "only {selective} of {queries} queries match some games but not all");
}

#[test]
fn queries_match_as_the_naive_evaluation_on_every_board() {
    let text = archive(&VARIANTS, 96);
    check_random_queries(&case(&[text.as_bytes()], 1 << 20), 300, 1);
}

#[test]
fn queries_match_as_the_naive_evaluation_in_one_variant() {
    for (seed, variant) in (10..).zip(VARIANTS) {
        let text = archive(&[variant], 24);
        check_random_queries(&case(&[text.as_bytes()], 1 << 20), 40, seed);
    }
}

#[test]
fn queries_match_as_the_naive_evaluation_in_several_segments() {
    let (one, other) = (archive(&VARIANTS[..3], 60), archive(&VARIANTS[2..5], 50));
    check_random_queries(&case(&[one.as_bytes(), other.as_bytes()], 25), 80, 2);
}

#[test]
fn variations_and_notes_match_as_a_reader_of_brackets_finds_them() {
    for (seed, variants) in [(30, &VARIANTS[..1]), (31, &VARIANTS[1..3]), (32, &VARIANTS[..])] {
        let text = annotated_archive(variants, 16, seed);
        let case = case_read_by(annotated_games, &[text.as_bytes()], 1 << 20);
        check_random_queries(&case, 25, seed);
    }
    let (one, other) = (annotated_archive(&VARIANTS, 16, 33), annotated_archive(&VARIANTS[2..5], 12, 34));
    let case = case_read_by(annotated_games, &[one.as_bytes(), other.as_bytes()], 7);
    check_random_queries(&case, 40, 35);
}

#[test]
fn long_games_match_across_batch_borders() {
    let case = case(&[archive(&[Variant::International, Variant::Canadian], 40).as_bytes()], 1 << 20);
    let both = |one: NaiveQuery, other: NaiveQuery| NaiveQuery::And(Box::new(one), Box::new(other));
    let men = |least| NaiveQuery::Material("wm".to_owned(), ">=", least);
    let captures = |takes| NaiveQuery::Move {
        from: None,
        to: None,
        king: None,
        white: None,
        promotes: None,
        takes: Some(takes),
        over: Vec::new(),
        retakes: false,
    };
    let mut found = [0; 6];
    for at in [0, 1, 61, 62, 63, 64, 65, 127, 128, 129] {
        let at_ply = || NaiveQuery::Ply(at, at);
        for (number, query) in [
            both(at_ply(), captures(1)),
            both(NaiveQuery::Ply(at, 999), both(NaiveQuery::WhiteToMove, NaiveQuery::Not(Box::new(men(8))))),
            both(at_ply(), NaiveQuery::For(Box::new(NaiveQuery::Ply(at, at + 3)), 3)),
            both(
                at_ply(),
                NaiveQuery::Then(Box::new(NaiveQuery::Ply(0, 999)), Box::new(captures(2)), 1..=64),
            ),
            both(at_ply(), NaiveQuery::Sacrifice(1, 70, Some(true))),
            both(NaiveQuery::Ply(at, at + 2), NaiveQuery::Last),
        ]
        .into_iter()
        .enumerate()
        {
            found[number] += case.check(&query);
        }
        // The condition lasts one ply less than required.
        assert_eq!(case.check(&both(at_ply(), NaiveQuery::For(Box::new(NaiveQuery::Ply(at, at + 3)), 4))), 0);
        for (within, some) in [(65, true), (64, false)] {
            let later = Box::new(NaiveQuery::Ply(at + 65, at + 65));
            let games = case.check(&both(
                at_ply(),
                NaiveQuery::Then(Box::new(NaiveQuery::Ply(0, 999)), later, 1..=within),
            ));
            let is_reached = case.games.iter().any(|game| game.plies >= at as usize + 65);
            assert_eq!(games > 0, some && is_reached, "{at} {within}");
        }
    }
    assert!(found.iter().all(|&games| games > 0), "{found:?}");
    // Playing a game stops only once a side has fewer pieces than required, not at the exact number.
    for game in case.games.iter().filter(|game| game.boards.len() > 66).take(8) {
        let count = |letters: &str| {
            game.boards[66].pieces.values().filter(|&&piece| letters.contains(piece)).count() as i32
        };
        let white = NaiveQuery::Material("w".to_owned(), ">=", count("wW"));
        let black = NaiveQuery::Material("b".to_owned(), ">=", count("bB"));
        assert!(case.check(&both(NaiveQuery::Ply(66, 999), both(white, black))) > 0);
    }
}

#[test]
fn setups_and_null_moves_do_not_exclude_later_matches() {
    // A setup in the middle of a game adds pieces, so that low piece counts before it exclude nothing.
    let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 /FEN \"W:W31-50:B1-20\"/ \
                 3. 31-27 20-24 *\n\n[GameType \"20\"]\n[FEN \"W:WK50:BK1\"]\n1. 50-45 1-6 *\n";
    let case = case(&[text], 1 << 20);
    for query in [
        NaiveQuery::Material("p".to_owned(), ">=", 40),
        NaiveQuery::Material("p".to_owned(), "=", 2),
        NaiveQuery::Pattern(vec![("27".to_owned(), "w".to_owned(), false)], true, false),
        NaiveQuery::Repeats(2, 9),
    ] {
        assert_eq!(case.check(&query), 1, "{query:?}");
    }
}

#[test]
fn openings_match_by_step_sums() {
    let mut text = String::new();
    for moves in [
        "1. 31-26 20-25 2. 33-28 14-20",
        "1. 31-26 19-23",
        "1. 33-28 20-25 2. 31-26 14-20",
        "1. 32-28 19-23 2. 28x19 14x23",
    ] {
        let _ = write!(text, "[GameType \"20\"]\n{moves} *\n\n");
    }
    let case = case(&[text.as_bytes()], 1 << 20);
    for (number, at, expected) in
        [(0, 0, 4), (0, 1, 2), (0, 2, 1), (0, 4, 2), (2, 4, 2), (3, 3, 1), (3, 4, 1)]
    {
        let board = case.games[number].boards[at].clone();
        let fen = fen(&board);
        assert_eq!(case.check(&NaiveQuery::Fen(board.clone(), fen.clone(), false, false)), expected, "{fen}");
        case.check(&NaiveQuery::Fen(board, fen, true, false));
    }
}

#[test]
fn search_plays_only_games_of_the_key_table() {
    let text = archive(&[Variant::International, Variant::English], 60);
    let case = case(&[text.as_bytes()], 1 << 20);
    let threads = NonZeroUsize::MIN;
    let played = |name: &str, query: &Query| {
        let (_, index) = case.indexes.iter().find(|(other, _)| *other == name).expect("made");
        Search::new(index, query, threads).expect("sound").plan().played
    };
    for number in [1, 8, 20, 33] {
        let game = &case.games[number];
        let board = game.boards[game.boards.len() / 2].clone();
        let fen = fen(&board);
        let hits = case.check(&NaiveQuery::Fen(board.clone(), fen.clone(), false, false)) as u64;
        case.check(&NaiveQuery::Fen(board, fen.clone(), true, false));
        let query = Query::board(Pattern::fen(&fen).expect("a FEN"));
        // A table keeps part of each key, so that about one listed game in 256 does not have the position.
        assert!((hits..=hits + 1).contains(&played("table", &query)), "{fen}");
        // Either side may be to move, but the squares leave nothing open.
        let open = Query::board(Pattern::fen(&fen.replacen(['W', 'B'], "?", 1)).expect("a FEN"));
        assert!(played("table", &open) <= hits + 2, "{fen}");
        // A pattern that leaves squares open is not an exact position, and cannot use the table.
        let pattern = Query::board(Pattern::parse("!w1").expect("a pattern"));
        assert_eq!(played("table", &pattern), played("plain", &pattern));
    }
}

#[test]
fn queries_match_as_the_naive_evaluation_in_real_games() {
    let root = crate::common::root().join("../shared/corpora");
    if !root.is_dir() {
        eprintln!("skipped: no real files at {}", root.display());
        return;
    }
    for (seed, file) in (100..).zip(["wiegerw+pdn/ussr1947.pdn", "miskibin+py-draughts/brazilian.pdn"]) {
        let bytes = std::fs::read(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        // Only 40 games, because the naive evaluation is slow.
        let end = split::records(&bytes).take(40).map(|game| game.bytes.len()).sum();
        check_random_queries(&case(&[&bytes[..end]], 1 << 20), 30, seed);
    }
}

#[test]
fn positions_of_games_are_found_as_naively() {
    let case = case(&[archive(&VARIANTS[..3], 60).as_bytes()], 25);
    let mut found = 0;
    for number in 0..case.games.len() {
        let of = case.games[number].clone();
        for is_single in [true, false] {
            let first = of.boards.len() / (2 + usize::from(is_single));
            let query = NaiveInGame { game: number + 1, first, is_single, of: of.clone() };
            let hits = case.check(&NaiveQuery::InGame(Box::new(query)));
            assert!(hits > 0, "a game has its own positions");
            found += hits - 1;
        }
    }
    assert!(found > 0, "some games meet others");
    let missing = |text: &str| {
        let query = Query::parse(text).expect("a query");
        Search::new(&case.indexes[0].1, &query, NonZeroUsize::MIN).expect_err("there is none").to_string()
    };
    assert_eq!(missing("fen of 61 at 0"), "`fen of 61 at 0`: the index has no game 61");
    let plies = case.games[0].moves.len();
    assert_eq!(missing("never meets 1 from 999"), format!("`meets 1 from 999`: game 1 has {plies} plies"));
}

#[test]
fn games_left_out_by_packed_bytes_do_not_match() {
    // Kings, captures by several ways, and setups between the moves.
    let texts = [archive(&[Variant::International, Variant::Turkish, Variant::Frisian], 120)];
    let case = case(&[texts[0].as_bytes()], 1 << 20);
    let mut found = 0;
    for number in 0..400 {
        let mut choose = chooser(number * 31 + 5);
        let game = &case.games[choose(case.games.len())];
        let at = choose(game.boards.len());
        let played = random_played(game, at, &mut choose);
        found += usize::from(case.check(&NaiveQuery::Played(played)) > 0);
    }
    assert!(found > 200, "{found}");
    let setup = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 {[%setup \"W:W31-50:B1-20\"]} 3. 31-27 20-24 *\n\n";
    let case = self::case(&[setup], 1 << 20);
    let step = |from: &str, to: &str, captures| {
        NaivePart::Move(vec![from.to_owned()], vec![to.to_owned()], captures)
    };
    let across = [step("32", "28", false), NaivePart::Any, step("14", "23", true), step("31", "27", false)];
    assert_eq!(case.check(&NaiveQuery::Played(NaivePlayed(across.to_vec()))), 1);
}

proptest! {
    #![proptest_config(common::cases(12))]

    #[test]
    fn any_query_matches_as_the_naive_evaluation(seed: u64, games in 1usize..30, variants in prop::sample::subsequence(&VARIANTS[..], 1..4)) {
        let text = archive(&variants, games);
        let case = case(&[text.as_bytes()], 7);
        for number in 0..4 {
            let mut choose = chooser(seed.wrapping_add(number));
            case.check(&random_query(&case.games, &mut choose, 3));
        }
    }
}
