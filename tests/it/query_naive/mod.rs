//! Every kind of question against a naive answer: the text is read and replayed again, every position becomes a
//! table of square names, and the question is asked of each in turn.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod archive;
mod ask;
mod game;

use crate::common;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::index::{ImportOptions, Index, KeyTableOptions, SegmentOptions, build_key_tables, import, merge};
use pdn::query::{Hit, Pattern, Query, Search};
use pdn::rules::Variant;
use pdn::split;
use proptest::prelude::*;

use archive::{VARIANTS, archive, chooser};
use ask::{Ask, ask, fen};
use game::{Game, games};

struct Case {
    _place: tempfile::TempDir,
    /// The same games, indexed in several ways.
    indexes: Vec<(&'static str, Index)>,
    games: Vec<Game>,
}

/// A copy of an index.
fn copied(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a folder");
    for file in std::fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("copied");
    }
}

/// The index, with a table of positions, and both with all segments merged.
fn in_all_ways(dir: &Path) -> Vec<(&'static str, Index)> {
    let mut indexes = Vec::new();
    for (name, positions, merged) in [
        ("plain", false, false),
        ("table", true, false),
        ("merged", false, true),
        ("merged table", true, true),
    ] {
        let own = dir.with_extension(name);
        copied(dir, &own);
        if merged {
            assert_eq!(merge(&own, SegmentOptions::default()).expect("merged").after, 1);
        }
        if positions {
            build_key_tables(&own, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(()))
                .expect("tables");
        }
        indexes.push((name, Index::open(&own).expect("opened")));
    }
    indexes
}

fn case(texts: &[&[u8]], segment_games: u32) -> Case {
    let place = tempfile::tempdir().expect("a folder");
    let dir = place.path().join("index");
    let mut all = Vec::new();
    let mut options = ImportOptions::default();
    options.segments.segment_games = segment_games;
    for (number, text) in texts.iter().enumerate() {
        let path = place.path().join(format!("{number}.pdn"));
        std::fs::write(&path, text).expect("written");
        options.append = number > 0;
        import([path], &dir, &options).expect("built");
        all.extend(games(text));
    }
    let indexes = in_all_ways(&dir);
    for (_, index) in &indexes {
        assert_eq!(index.len(), all.len() as u64);
        for (game, naive) in index.games().zip(&all) {
            assert_eq!(game.row().expect("sound").plies as usize, naive.moves.len());
        }
    }
    Case { _place: place, indexes, games: all }
}

impl Case {
    /// Asks in every way; answers with how many games fit.
    fn check(&self, ask: &Ask) -> usize {
        let text = ask.text();
        let query = Query::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{text}");
        let naive: Vec<Hit> = self
            .games
            .iter()
            .enumerate()
            .filter_map(|(number, game)| {
                let ply = (0..game.boards.len()).find(|&at| ask.holds(game, at))?;
                Some(Hit { game: number as u64, ply: ply as u32 })
            })
            .collect();
        for (name, index) in &self.indexes {
            for threads in [1, 3] {
                let threads = NonZeroUsize::new(threads).expect("some");
                let search = Search::new(index, &query, threads).expect("sound");
                let (hits, _) = search.hits(threads, usize::MAX).expect("sound");
                assert_eq!(hits, naive, "{text} ({name})");
                assert_eq!(search.count(threads).expect("sound").0, naive.len() as u64, "{text} ({name})");
                let limit = naive.len() / 2 + 1;
                let (some, _) = search.hits(threads, limit).expect("sound");
                assert_eq!(some, naive[..limit.min(naive.len())], "{text} ({name}), {limit} of them");
                let (sets, _) = search.games(threads).expect("sound");
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

/// Asks many questions; a good part must have an answer, and not every game.
fn many(case: &Case, questions: u64, seed: u64) {
    let mut told = 0;
    for question in 0..questions {
        let mut choose = chooser(seed ^ (question * 104_729 + 7));
        let ask = ask(&case.games, &mut choose, (question % 4) as u32);
        let hits = case.check(&ask);
        told += u64::from(hits > 0 && hits < case.games.len());
    }
    assert!(told * 5 > questions, "only {told} of {questions} questions tell games apart");
}

#[test]
fn games_of_every_board_are_found_as_by_hand() {
    let text = archive(&VARIANTS, 96);
    many(&case(&[text.as_bytes()], 1 << 20), 300, 1);
}

#[test]
fn games_of_one_variant_are_found_as_by_hand() {
    for (seed, variant) in (10..).zip(VARIANTS) {
        let text = archive(&[variant], 24);
        many(&case(&[text.as_bytes()], 1 << 20), 40, seed);
    }
}

#[test]
fn games_in_several_segments_are_found_as_by_hand() {
    let (one, other) = (archive(&VARIANTS[..3], 60), archive(&VARIANTS[2..5], 50));
    many(&case(&[one.as_bytes(), other.as_bytes()], 25), 80, 2);
}

#[test]
fn what_goes_beyond_sixty_four_positions_is_found_as_by_hand() {
    let case = case(&[archive(&[Variant::International, Variant::Canadian], 40).as_bytes()], 1 << 20);
    let both = |one: Ask, other: Ask| Ask::And(Box::new(one), Box::new(other));
    let men = |least| Ask::Material("wm".to_owned(), ">=", least);
    let captures = |takes| Ask::Move {
        from: None,
        to: None,
        king: None,
        white: None,
        promotes: None,
        takes: Some(takes),
        over: Vec::new(),
    };
    let mut found = [0; 6];
    for at in [0, 1, 61, 62, 63, 64, 65, 127, 128, 129] {
        let here = || Ask::Ply(at, at);
        for (number, ask) in [
            both(here(), captures(1)),
            both(Ask::Ply(at, 999), both(Ask::WhiteToMove, Ask::Not(Box::new(men(8))))),
            both(here(), Ask::For(Box::new(Ask::Ply(at, at + 3)), 3)),
            both(here(), Ask::Then(Box::new(Ask::Ply(0, 999)), Box::new(captures(2)), 64)),
            both(here(), Ask::Sacrifice(1, 70, Some(true))),
            both(Ask::Ply(at, at + 2), Ask::Last),
        ]
        .into_iter()
        .enumerate()
        {
            found[number] += case.check(&ask);
        }
        // One ply short of what is asked.
        assert_eq!(case.check(&both(here(), Ask::For(Box::new(Ask::Ply(at, at + 3)), 4))), 0);
        for (within, some) in [(65, true), (64, false)] {
            let later = Box::new(Ask::Ply(at + 65, at + 65));
            let games = case.check(&both(here(), Ask::Then(Box::new(Ask::Ply(0, 999)), later, within)));
            // The longest games have 150 plies.
            assert!(if some { games > 0 || at > 65 } else { games == 0 }, "{at} {within}");
        }
    }
    assert!(found.iter().all(|&games| games > 0), "{found:?}");
    // A game is left only where a side has fewer pieces than are asked for, not where it has as many.
    for game in case.games.iter().filter(|game| game.boards.len() > 66).take(8) {
        let count = |letters: &str| {
            game.boards[66].pieces.values().filter(|&&piece| letters.contains(piece)).count() as i32
        };
        let white = Ask::Material("w".to_owned(), ">=", count("wW"));
        let black = Ask::Material("b".to_owned(), ">=", count("bB"));
        assert!(case.check(&both(Ask::Ply(66, 999), both(white, black))) > 0);
    }
}

#[test]
fn setups_and_null_moves_do_not_hide_a_position() {
    // Pieces come back in the middle of a game: nothing may be concluded from how few there were.
    let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 {[%setup \"W:W31-50:B1-20\"]} \
                 3. 31-27 20-24 *\n\n[GameType \"20\"]\n[FEN \"W:WK50:BK1\"]\n1. 50-45 1-6 *\n";
    let case = case(&[text], 1 << 20);
    for ask in [
        Ask::Material("p".to_owned(), ">=", 40),
        Ask::Material("p".to_owned(), "=", 2),
        Ask::Pattern(vec![("27".to_owned(), "w".to_owned(), false)], true, false),
    ] {
        case.check(&ask);
    }
}

#[test]
fn openings_are_found_by_adding_up() {
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
        assert_eq!(case.check(&Ask::Fen(board.clone(), fen.clone(), false, false)), expected, "{fen}");
        case.check(&Ask::Fen(board, fen, true, false));
    }
}

#[test]
fn games_are_played_only_where_a_table_names_them() {
    let text = archive(&[Variant::International, Variant::English], 60);
    let case = case(&[text.as_bytes()], 1 << 20);
    let threads = NonZeroUsize::MIN;
    let played = |name: &str, query: &Query| {
        let (_, index) = case.indexes.iter().find(|(known, _)| *known == name).expect("made");
        Search::new(index, query, threads).expect("sound").plan().played
    };
    for number in [1, 8, 20, 33] {
        let game = &case.games[number];
        let board = game.boards[game.boards.len() / 2].clone();
        let fen = fen(&board);
        let hits = case.check(&Ask::Fen(board.clone(), fen.clone(), false, false)) as u64;
        case.check(&Ask::Fen(board, fen.clone(), true, false));
        let query = Query::board(Pattern::fen(&fen).expect("a FEN"));
        // Keys are kept in part, so that one in some hundred games may be named in vain.
        assert!((hits..=hits + 1).contains(&played("table", &query)), "{fen}");
        // Whoever may be to move, nothing else is left open.
        let open = Query::board(Pattern::fen(&fen.replacen(['W', 'B'], "?", 1)).expect("a FEN"));
        assert!(played("table", &open) <= hits + 2, "{fen}");
        // A pattern with a free square is no position.
        let pattern = Query::board(Pattern::parse("!w1").expect("a pattern"));
        assert_eq!(played("table", &pattern), played("plain", &pattern));
    }
}

#[test]
fn real_games_are_found_as_by_hand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    if !root.is_dir() {
        eprintln!("skipped: no real files at {}", root.display());
        return;
    }
    for (seed, file) in (100..).zip(["wiegerw+pdn/ussr1947.pdn", "miskibin+py-draughts/brazilian.pdn"]) {
        let bytes = std::fs::read(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        // A part is enough; the naive answer is slow.
        let end = split::games(&bytes).take(40).map(|game| game.bytes.len()).sum();
        many(&case(&[&bytes[..end]], 1 << 20), 30, seed);
    }
}

proptest! {
    #![proptest_config(common::cases(12))]

    #[test]
    fn any_question_is_answered_as_by_hand(seed: u64, games in 1usize..30, variants in prop::sample::subsequence(&VARIANTS[..], 1..4)) {
        let text = archive(&variants, games);
        let case = case(&[text.as_bytes()], 7);
        for question in 0..4 {
            let mut choose = chooser(seed.wrapping_add(question));
            case.check(&ask(&case.games, &mut choose, 3));
        }
    }
}
