//! Key tables compared with unpacking every game; damaged, interrupted, and built in small parts.

use crate::internal::{KeyTable, KeyTables, VerifyOptions, verify};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use super::builder::KeyTableBuilder;
use super::*;
use crate::keys::KeyLayout;
use crate::tests::{
    TestFolder, archive, files, for_every_flipped_bit, for_every_shorter_length, index, options,
};
use crate::{Index, IndexedGame};
use pdn::error::ErrorKind;
use pdn::internal::storage::failing::{FailingDisk, Failure};
use pdn::internal::storage::power_cut::PowerCutDisk;
use pdn::position::Position;
use pdn::rules::Variant;

const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("two");

/// Builds the key tables of an index.
fn tables(dir: &Path, threads: usize) -> KeyTablesBuilt {
    let options = KeyTableOptions::new().threads(NonZeroUsize::new(threads).expect("some")).book_games(0);
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built")
}

/// A game that contains a position: its number in the index, and the ply.
type Occurrence = (u64, u32);

/// Finds every position of every game by unpacking all games.
fn naive(index: &Index) -> Vec<(Position, Vec<Occurrence>)> {
    let mut all: BTreeMap<String, (Position, Vec<Occurrence>)> = BTreeMap::new();
    for game in index.games() {
        for (ply, position) in (0..).zip(positions(&game)) {
            let name = format!("{:?} {}", position.rules(), position.fen());
            all.entry(name).or_insert((position, Vec::new())).1.push((game.number(), ply));
        }
    }
    all.into_values().collect()
}

/// Returns all positions of a game in order.
fn positions(game: &IndexedGame<'_>) -> Vec<Position> {
    let (plies, last) = game.plies().expect("sound");
    plies.iter().map(|ply| ply.before).chain([last]).collect()
}

/// Finds a position through the key tables; segments without one are searched in full.
fn find(index: &Index, position: &Position) -> pdn::Result<Vec<Occurrence>> {
    let mut found = Vec::new();
    for (number, segment) in index.segments().iter().enumerate() {
        let first = index.first_game(number).expect("a segment of the index");
        let games: Vec<u32> = match KeyTable::open(segment)? {
            Some(table) => table.games(position.key())?.into_iter().collect(),
            None => (0..segment.len() as u32).collect(),
        };
        for game in games {
            let game = index.game(first + u64::from(game)).expect("a game of the segment");
            for (ply, other) in (0..).zip(positions(&game)) {
                if other.rules() == position.rules() && other.fen() == position.fen() {
                    found.push((game.number(), ply));
                }
            }
        }
    }
    Ok(found)
}

const VARIANTS: &[Variant] = &[
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Frisian,
    Variant::Turkish,
    Variant::Canadian,
    Variant::Spantsiretti,
];

#[test]
fn key_table_selects_every_game_of_a_position() {
    let temp = TestFolder::new();
    let text = archive(31, 120, VARIANTS) + "1. 32-28 19-23 2. -- 14-19 3. 28x14 *\n";
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", text)], &dir, &options(1, 50));
    let opened = Index::open(&dir).expect("opened");
    assert_eq!(opened.segments().len(), 3);
    let expected = naive(&opened);
    assert!(expected.len() > 2000);
    let built = tables(&dir, 2);
    assert_eq!(built.tables, 3);
    let tables_of = opened.segments().iter().map(|segment| KeyTable::open(segment).expect("sound"));
    let tables_of: Vec<_> = tables_of.map(|table| table.expect("built")).collect();
    let (mut selected, mut containing) = (0, 0);
    for (position, occurrences) in &expected {
        for (number, table) in tables_of.iter().enumerate() {
            let first = opened.first_game(number).expect("a segment of the index");
            let games = table.games(position.key()).expect("sound");
            let mut wanted: Vec<u64> = occurrences.iter().map(|&(game, _)| game).collect();
            wanted.retain(|&game| opened.segments()[number].len() as u64 > game.wrapping_sub(first));
            wanted.dedup();
            assert!(wanted.iter().all(|&game| games.contains((game - first) as u32)), "{}", position.fen());
            selected += games.len();
            containing += wanted.len() as u64;
        }
    }
    // Upper key bits are equal for one look-up in 256; games of other rules may have equal positions.
    assert!(selected < containing + containing / 10, "{selected} games selected, {containing} contain them");
    // A second run builds nothing.
    assert_eq!(tables(&dir, 1), KeyTablesBuilt { tables: 0, ..built });
}

#[test]
fn key_table_bytes_do_not_depend_on_threads_or_memory() {
    let temp = TestFolder::new();
    // Many equal games crowd their keys.
    let same = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n".repeat(300);
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(32, 200, VARIANTS) + &same)], &dir, &options(1, 1000));
    tables(&dir, 1);
    let keys = |dir: &Path| fs::read(dir.join("segment-00000001.keys")).expect("there");
    let expected = keys(&dir);
    fs::remove_file(dir.join("segment-00000001.keys")).expect("removed");
    tables(&dir, 3);
    assert!(keys(&dir) == expected, "threads");
    let index = Index::open(&dir).expect("opened");
    for memory in [1, 100, 1000, 5000] {
        let path = temp.path("keys");
        let mut out = fs::File::create(&path).expect("created");
        let mut builder = KeyTableBuilder::new(&index.segments()[0], TWO, memory).expect("sound");
        let mut before = 0.0;
        let (bytes, _) = builder
            .write(&mut out, &mut |share| {
                assert!((before..=1.0).contains(&share), "{share} after {before}");
                before = share;
                ControlFlow::Continue(())
            })
            .expect("written");
        assert_eq!(bytes, expected.len() as u64);
        assert!(fs::read(&path).expect("there") == expected, "{memory} entries at a time");
    }
}

#[test]
fn appending_keeps_present_key_tables() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let first = temp.file("a.pdn", archive(33, 40, VARIANTS));
    index(&[&first].map(Clone::clone), &dir, &options(1, 1000));
    tables(&dir, 1);
    let more = temp.file("b.pdn", archive(34, 40, VARIANTS));
    let mut append = options(1, 1000);
    append.append = true;
    append.key_tables = KeyTables::None;
    index(&[first.clone(), more.clone()], &dir, &append);
    let check = || {
        let index = Index::open(&dir).expect("opened");
        for (position, hits) in naive(&index).into_iter().step_by(7) {
            assert_eq!(find(&index, &position).expect("sound"), hits, "{}", position.fen());
        }
        (0..index.segments().len())
            .filter(|&segment| KeyTable::open(&index.segments()[segment]).expect("sound").is_some())
            .count()
    };
    assert_eq!(check(), 1, "the table of the first segment is still there");
    assert_eq!(tables(&dir, 1).tables, 1);
    assert_eq!(check(), 2);
    // Unless told otherwise, an import builds the tables of new segments where the present ones have theirs.
    let last = temp.file("c.pdn", archive(35, 40, VARIANTS));
    append.key_tables = KeyTables::Keep;
    index(&[first, more, last], &dir, &append);
    assert_eq!(check(), 3);
    // A new index in the same folder removes the tables.
    index(&[temp.path("b.pdn")], &dir, &options(1, 1000));
    assert!(files(&dir).iter().all(|(name, _)| !name.ends_with("keys")));
    assert_eq!(check(), 0);
}

#[test]
fn verify_detects_every_flipped_bit_of_a_key_table() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(35, 2, &[Variant::Russian]))], &dir, &options(1, 1000));
    tables(&dir, 1);
    let path = dir.join("segment-00000001.keys");
    let sound = fs::read(&path).expect("there");
    let all = naive(&Index::open(&dir).expect("opened"));
    for_every_flipped_bit(&path, |bit| {
        let one_thread = VerifyOptions::INDEX.threads(NonZeroUsize::MIN);
        let report = verify(&dir, &one_thread).expect("the manifest is sound");
        let found = report.problems.iter().find(|finding| finding.path == path);
        assert!(found.is_some_and(|found| found.problem.contains(' ')), "bit {bit}: {report:?}");
        let index = Index::open(&dir).expect("the index is sound");
        let (position, hits) = &all[bit % all.len()];
        match find(&index, position) {
            Ok(found) => assert_eq!(&found, hits, "bit {bit} gives a wrong answer"),
            Err(error) => assert!(error.to_string().contains("segment-00000001.keys"), "{error}"),
        }
    });
    for_every_shorter_length(&path, |len| {
        let index = Index::open(&dir).expect("the index is sound");
        assert!(find(&index, &all[0].0).is_err(), "cut to {len}");
    });
    // A damaged table is built again.
    assert_eq!(tables(&dir, 1).tables, 1);
    assert!(fs::read(&path).expect("there") == sound);
}

#[test]
fn key_table_of_another_segment_or_version_is_refused() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(36, 60, VARIANTS))], &dir, &options(1, 30));
    tables(&dir, 1);
    let paths = ["segment-00000001.keys", "segment-00000002.keys"].map(|name| dir.join(name));
    let start = Position::start(Variant::International);
    let refused = || {
        let index = Index::open(&dir).expect("the index is sound");
        find(&index, &start).expect_err("refused")
    };
    let sound = fs::read(&paths[0]).expect("there");
    fs::copy(&paths[1], &paths[0]).expect("copied");
    assert!(refused().to_string().contains("another segment"), "{}", refused());
    let mut newer = sound.clone();
    newer[8] = 7;
    fs::write(&paths[0], &newer).expect("written");
    let error = refused();
    assert!(matches!(error.kind(), ErrorKind::IndexVersion { version: 7, newest: 1 }), "{error}");
    fs::write(&paths[0], b"hello").expect("written");
    assert!(refused().to_string().contains("does not start like a key table"), "{}", refused());
    // A table with other entries and matching checksums.
    let index = Index::open(&dir).expect("opened");
    let mut out = fs::File::create(&paths[0]).expect("created");
    let mut writer = crate::keys::TableWriter::new(&mut out);
    let segment = &index.segments()[0];
    writer.push(&[1, 2, 3]).expect("written");
    writer.finish(KeyLayout::of(segment.len() as u32, 700), segment).expect("written");
    let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
    assert!(report.problems[0].problem.contains("not those of the games"), "{report:?}");
}

#[test]
fn table_is_built_with_the_memory_that_is_there() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(39, 200, VARIANTS))], &dir, &options(1, 1000));
    tables(&dir, 1);
    let expected = fs::read(dir.join("segment-00000001.keys")).expect("there");
    let index = Index::open(&dir).expect("opened");
    let build = |available, min_memory| {
        let mut out = Vec::new();
        let mut output = VecOutput(&mut out);
        let mut builder = KeyTableBuilder::new(&index.segments()[0], TWO, 1 << 20).expect("sound");
        (builder.available, builder.min_memory) = (available, min_memory);
        builder.write(&mut output, &mut |_| ControlFlow::Continue(())).map(|_| out)
    };
    for available in [u64::MAX, 5000, 700] {
        assert!(build(available, 100).expect("enough") == expected, "{available} entries");
    }
    let error = build(700, 5000).expect_err("too little");
    assert!(matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::OutOfMemory));
    assert!(error.to_string().contains(" MiB more than is left"), "{error}");
}

/// An output that collects what is written.
struct VecOutput<'a>(&'a mut Vec<u8>);

impl std::io::Write for VecOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl pdn::internal::storage::Output for VecOutput<'_> {
    fn sync(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn build_killed_at_any_step_keeps_results() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let archive = temp.file("a.pdn", archive(37, 30, VARIANTS));
    for steps in 0.. {
        index(&[&archive].map(Clone::clone), &dir, &options(1, 10));
        let failing_disk: Arc<dyn Storage> = Arc::new(FailingDisk::new(steps, Failure::ALL[steps % 3]));
        let options = KeyTableOptions::new().threads(NonZeroUsize::MIN).book_games(20);
        let done = build_on(&failing_disk, &dir, &options, |_, _| ControlFlow::Continue(()));
        let index = Index::open(&dir).expect("opened");
        for (position, hits) in naive(&index).into_iter().step_by(50) {
            assert_eq!(find(&index, &position).expect("sound"), hits, "{steps} steps");
        }
        let tmp = |name: &str| name.ends_with(".tmp");
        let left = files(&dir).iter().any(|(name, _)| tmp(name));
        assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound(), "{steps} steps");
        if done.is_ok() {
            assert!(steps > 8 && !left);
            return;
        }
    }
}

#[test]
fn build_can_be_interrupted() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(38, 30, VARIANTS))], &dir, &options(1, 10));
    let broken = build_key_tables(&dir, &KeyTableOptions::default(), |_, _| ControlFlow::Break(()));
    let error = broken.expect_err("broken off");
    assert!(matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::Interrupted));
    assert!(files(&dir).iter().all(|(name, _)| !name.contains("keys")));
    let nothing =
        build_key_tables(temp.path("nowhere"), &KeyTableOptions::default(), |_, _| ControlFlow::Continue(()));
    assert!(matches!(nothing.expect_err("refused").kind(), ErrorKind::NotAnIndex));
}

#[test]
fn power_cut_leaves_whole_key_tables_or_none() {
    let temp = TestFolder::new();
    let path = temp.file("games.pdn", archive(31, 20, &[Variant::International]));
    let dir = temp.path("index");
    index(&[path], &dir, &options(1, 10));
    let disk = PowerCutDisk::new(&dir);
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    build_on(&storage, &dir, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(())).expect("built");
    let count = |state: &std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>| {
        for (path, _) in files(&dir) {
            fs::remove_file(dir.join(path)).expect("removed");
        }
        for (path, bytes) in state {
            fs::write(path, bytes).expect("written");
        }
        let report = verify(&dir, &VerifyOptions::INDEX).expect("a manifest");
        assert!(report.is_sound(), "{report:?}");
        state.keys().filter(|path| path.extension().is_some_and(|extension| extension == "keys")).count()
    };
    let counts: Vec<usize> = disk.after_any_cut().iter().map(count).collect();
    assert!(counts.contains(&0) && counts.contains(&2), "{counts:?}");
    assert!(disk.after_cut_now().iter().all(|state| count(state) == 2), "tables that were built stay");
}
