//! Tables against playing every game, damaged, interrupted, made in small parts.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use super::builder::KeyTableBuilder;
use super::*;
use crate::error::ErrorKind;
use crate::index::keys::KeyLayout;
use crate::index::tests::{FailingDisk, TestFolder, archive, files, index, options};
use crate::index::{Hit, Index, VerifyOptions, verify};
use crate::position::Position;
use crate::rules::Variant;

const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("two");

fn tables(dir: &Path, threads: usize) -> KeyTablesBuilt {
    let options = KeyTableOptions { threads: NonZeroUsize::new(threads).expect("some") };
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built")
}

/// Every position of every game, by unpacking, with its hits.
fn naive(index: &Index) -> Vec<(Position, Vec<Hit>)> {
    let mut all: BTreeMap<String, (Position, Vec<Hit>)> = BTreeMap::new();
    for game in index.games() {
        let (plies, last) = game.plies().expect("sound");
        let positions = plies.iter().map(|ply| ply.before).chain([last]);
        for (ply, position) in (0..).zip(positions) {
            let name = format!("{:?} {}", position.rules(), position.fen());
            let hits = &mut all.entry(name).or_insert((position, Vec::new())).1;
            hits.push(Hit { game: game.number(), ply });
        }
    }
    all.into_values().collect()
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
fn a_table_gives_the_answers_of_playing_every_game() {
    let place = TestFolder::new();
    let text = archive(31, 120, VARIANTS) + "1. 32-28 19-23 2. -- 14-19 3. 28x14 *\n";
    let dir = place.path("index");
    index(&[place.file("a.pdn", text)], &dir, &options(1, 50));
    let plain = Index::open(&dir).expect("opened");
    assert_eq!(plain.segments().len(), 3);
    let expected = naive(&plain);
    assert!(expected.len() > 2000);
    let mut again = expected.iter().filter(|(_, hits)| hits.windows(2).any(|two| two[0].game == two[1].game));
    assert!(again.next().is_some(), "some game comes back to a position");
    let built = tables(&dir, 2);
    assert_eq!(built.tables, 3);
    let tabled = Index::open(&dir).expect("opened");
    let told = |hits: &[Hit]| hits.iter().map(|hit| (hit.game, hit.ply)).collect::<Vec<_>>();
    for (place, (position, hits)) in expected.iter().enumerate() {
        let found = tabled.positions_of(position, TWO).expect("sound");
        assert_eq!(told(&found), told(hits), "{}", position.fen());
        if place % 20 == 0 || hits.len() > 5 {
            for threads in [NonZeroUsize::MIN, TWO] {
                let found = plain.positions_of(position, threads).expect("sound");
                assert_eq!(told(&found), told(hits), "{}", position.fen());
            }
        }
        // The same pieces with the other side to move are another position, which may be nowhere.
        let other = position.with_turn(!position.turn());
        let found = tabled.positions_of(&other, TWO).expect("sound");
        let expected = expected
            .iter()
            .find(|(position, _)| position.rules() == other.rules() && position.fen() == other.fen());
        assert_eq!(found, expected.map_or(vec![], |(_, hits)| hits.clone()));
    }
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound());
    // Once more, and nothing is done.
    assert_eq!(tables(&dir, 1), KeyTablesBuilt { tables: 0, ..built });
}

#[test]
fn the_bytes_depend_neither_on_threads_nor_on_memory() {
    let place = TestFolder::new();
    // Many games that are the same crowd their keys.
    let same = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n".repeat(300);
    let dir = place.path("index");
    index(&[place.file("a.pdn", archive(32, 200, VARIANTS) + &same)], &dir, &options(1, 1000));
    tables(&dir, 1);
    let keys = |dir: &Path| fs::read(dir.join("segment-00000001.keys")).expect("there");
    let expected = keys(&dir);
    fs::remove_file(dir.join("segment-00000001.keys")).expect("removed");
    tables(&dir, 3);
    assert!(keys(&dir) == expected, "threads");
    let index = Index::open(&dir).expect("opened");
    for memory in [1, 100, 1000, 5000] {
        let path = place.path("keys");
        let mut out = fs::File::create(&path).expect("created");
        let mut maker = KeyTableBuilder::new(&index.segments()[0], TWO, memory).expect("sound");
        let mut before = 0.0;
        let (bytes, _) = maker
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
fn appending_keeps_the_tables_that_are_there_and_new_games_are_found_without() {
    let place = TestFolder::new();
    let dir = place.path("index");
    let first = place.file("a.pdn", archive(33, 40, VARIANTS));
    index(&[&first].map(Clone::clone), &dir, &options(1, 1000));
    tables(&dir, 1);
    let more = place.file("b.pdn", archive(34, 40, VARIANTS));
    let mut append = options(1, 1000);
    append.append = true;
    index(&[first, more], &dir, &append);
    let check = || {
        let index = Index::open(&dir).expect("opened");
        for (position, hits) in naive(&index).into_iter().step_by(7) {
            assert_eq!(index.positions_of(&position, TWO).expect("sound"), hits, "{}", position.fen());
        }
        (0..index.segments().len()).filter(|&segment| index.keys(segment).expect("sound").is_some()).count()
    };
    assert_eq!(check(), 1, "the table of the first segment is still there");
    assert_eq!(tables(&dir, 1).tables, 1);
    assert_eq!(check(), 2);
    // A new index in its place takes the tables away.
    index(&[place.path("b.pdn")], &dir, &options(1, 1000));
    assert!(files(&dir).iter().all(|(name, _)| !name.ends_with("keys")));
    assert_eq!(check(), 0);
}

#[test]
fn no_bit_of_a_table_can_change_unnoticed() {
    let place = TestFolder::new();
    let dir = place.path("index");
    index(&[place.file("a.pdn", archive(35, 2, &[Variant::Russian]))], &dir, &options(1, 1000));
    tables(&dir, 1);
    let path = dir.join("segment-00000001.keys");
    let sound = fs::read(&path).expect("there");
    let all = naive(&Index::open(&dir).expect("opened"));
    let mut changed = sound.clone();
    for bit in 0..sound.len() * 8 {
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &changed).expect("written");
        changed[bit / 8] = sound[bit / 8];
        let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
        let found = report.problems.iter().find(|finding| finding.path == path);
        assert!(found.is_some_and(|found| found.problem.contains(' ')), "bit {bit}: {report:?}");
        let index = Index::open(&dir).expect("the index is sound");
        let (position, hits) = &all[bit % all.len()];
        match index.positions_of(position, NonZeroUsize::MIN) {
            Ok(found) => assert_eq!(&found, hits, "bit {bit} gives a wrong answer"),
            Err(error) => assert!(error.to_string().contains("segment-00000001.keys"), "{error}"),
        }
    }
    for len in 0..sound.len() {
        fs::write(&path, &sound[..len]).expect("written");
        let index = Index::open(&dir).expect("the index is sound");
        assert!(index.positions_of(&all[0].0, NonZeroUsize::MIN).is_err(), "cut to {len}");
    }
    // What is damaged is made anew.
    assert_eq!(tables(&dir, 1).tables, 1);
    assert!(fs::read(&path).expect("there") == sound);
}

#[test]
fn a_table_of_another_segment_or_version_is_refused() {
    let place = TestFolder::new();
    let dir = place.path("index");
    index(&[place.file("a.pdn", archive(36, 60, VARIANTS))], &dir, &options(1, 30));
    tables(&dir, 1);
    let paths = ["segment-00000001.keys", "segment-00000002.keys"].map(|name| dir.join(name));
    let start = Position::start(Variant::International);
    let refused = || {
        let index = Index::open(&dir).expect("the index is sound");
        index.positions_of(&start, TWO).expect_err("refused")
    };
    let sound = fs::read(&paths[0]).expect("there");
    fs::copy(&paths[1], &paths[0]).expect("copied");
    assert!(refused().to_string().contains("another segment"), "{}", refused());
    let mut newer = sound.clone();
    newer[8] = 7;
    fs::write(&paths[0], &newer).expect("written");
    let error = refused();
    assert!(matches!(error.kind(), ErrorKind::IndexVersion { found: 7, newest: 1 }), "{error}");
    fs::write(&paths[0], b"hello").expect("written");
    assert!(refused().to_string().contains("does not begin like a table"), "{}", refused());
    // A table that says something else, with fitting sums.
    let index = Index::open(&dir).expect("opened");
    let mut out = fs::File::create(&paths[0]).expect("created");
    let mut writer = crate::index::keys::writer::TableWriter::new(&mut out);
    let segment = &index.segments()[0];
    writer.push(&[1, 2, 3]).expect("written");
    writer.finish(KeyLayout::of(segment.len() as u32, 700), segment).expect("written");
    let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
    assert!(report.problems[0].problem.contains("which game has which position"), "{report:?}");
}

#[test]
fn killed_at_any_step_the_answers_stay() {
    let place = TestFolder::new();
    let dir = place.path("index");
    let archive = place.file("a.pdn", archive(37, 30, VARIANTS));
    for steps in 0.. {
        index(&[&archive].map(Clone::clone), &dir, &options(1, 10));
        let dying = FailingDisk::new(steps, steps % 2 == 0);
        let options = KeyTableOptions { threads: NonZeroUsize::MIN };
        let done = build_on(&dying, &dir, &options, |_, _| ControlFlow::Continue(()));
        let index = Index::open(&dir).expect("opened");
        for (position, hits) in naive(&index).into_iter().step_by(50) {
            assert_eq!(
                index.positions_of(&position, NonZeroUsize::MIN).expect("sound"),
                hits,
                "{steps} steps"
            );
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
fn building_can_be_broken_off() {
    let place = TestFolder::new();
    let dir = place.path("index");
    index(&[place.file("a.pdn", archive(38, 30, VARIANTS))], &dir, &options(1, 10));
    let broken = build_key_tables(&dir, &KeyTableOptions::default(), |_, _| ControlFlow::Break(()));
    let error = broken.expect_err("broken off");
    assert!(matches!(error.kind(), ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::Interrupted));
    assert!(files(&dir).iter().all(|(name, _)| !name.contains("keys")));
    let nothing =
        build_key_tables(
            place.path("nowhere"),
            &KeyTableOptions::default(),
            |_, _| ControlFlow::Continue(()),
        );
    assert!(matches!(nothing.expect_err("refused").kind(), ErrorKind::NotAnIndex));
}
