//! Tables against playing every game, damaged, interrupted, made in small parts.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use super::build::{KeyTableBuilder, build_on};
use super::*;
use crate::error::ErrorKind;
use crate::index::tests::{Dying, Place, archive, files, index, options};
use crate::index::{Index, VerifyOptions, verify};
use crate::position::Position;
use crate::rules::Variant;

const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("two");

fn tables(dir: &Path, threads: usize) -> KeyTablesBuilt {
    let options = KeyTableOptions { threads: NonZeroUsize::new(threads).expect("some") };
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built")
}

/// The numbers of games that have a position, and the plies before it.
type Hits = Vec<(u64, u32)>;

/// The positions of a game, with the plies before each.
fn positions(index: &Index, game: u64) -> impl Iterator<Item = (u32, Position)> {
    let (plies, last) = index.game(game).expect("there").plies().expect("sound");
    (0..).zip(plies.into_iter().map(|ply| ply.before).chain([last]))
}

/// Every position of every game, by unpacking, with its hits.
fn naive(index: &Index) -> Vec<(Position, Hits)> {
    let mut all: BTreeMap<String, (Position, Hits)> = BTreeMap::new();
    for game in 0..index.len() {
        for (ply, position) in positions(index, game) {
            let name = format!("{:?} {}", position.rules(), position.fen());
            all.entry(name).or_insert((position, Vec::new())).1.push((game, ply));
        }
    }
    all.into_values().collect()
}

/// The hits of a position among the games that key tables list for it, or among all games of segments without a table.
fn hits(index: &Index, position: &Position) -> crate::Result<Hits> {
    let mut hits = Vec::new();
    for (number, segment) in index.segments().iter().enumerate() {
        let key = position.key();
        let games: Vec<u32> = match index.keys(number)? {
            Some(keys) if keys.is_selective(key)? => keys.games(key)?.iter().collect(),
            _ => (0..segment.len() as u32).collect(),
        };
        for game in games {
            let game = index.first_of(number).expect("there") + u64::from(game);
            let is_position =
                |other: &Position| other.rules() == position.rules() && other.fen() == position.fen();
            let plies = positions(index, game).filter(|(_, other)| is_position(other));
            hits.extend(plies.map(|(ply, _)| (game, ply)));
        }
    }
    Ok(hits)
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
fn key_tables_are_built_once() {
    let place = Place::new();
    let dir = place.path("index");
    index(&[place.file("a.pdn", archive(31, 120, VARIANTS))], &dir, &options(1, 50));
    let built = tables(&dir, 2);
    assert_eq!(built.tables, 3);
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound());
    assert_eq!(tables(&dir, 1), KeyTablesBuilt { tables: 0, ..built });
}

#[test]
fn the_bytes_depend_neither_on_threads_nor_on_memory() {
    let place = Place::new();
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
            .make(&mut out, &mut |share| {
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
    let place = Place::new();
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
            assert_eq!(self::hits(&index, &position).expect("sound"), hits, "{}", position.fen());
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
    let place = Place::new();
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
        let found = report.findings.iter().find(|finding| finding.path == path);
        assert!(found.is_some_and(|found| found.problem.contains(' ')), "bit {bit}: {report:?}");
        let index = Index::open(&dir).expect("the index is sound");
        let (position, hits) = &all[bit % all.len()];
        match self::hits(&index, position) {
            Ok(found) => assert_eq!(&found, hits, "bit {bit} gives a wrong answer"),
            Err(error) => assert!(error.to_string().contains("segment-00000001.keys"), "{error}"),
        }
    }
    for len in 0..sound.len() {
        fs::write(&path, &sound[..len]).expect("written");
        let index = Index::open(&dir).expect("the index is sound");
        assert!(hits(&index, &all[0].0).is_err(), "cut to {len}");
    }
    // What is damaged is made anew.
    assert_eq!(tables(&dir, 1).tables, 1);
    assert!(fs::read(&path).expect("there") == sound);
}

#[test]
fn a_table_of_another_segment_or_version_is_refused() {
    let place = Place::new();
    let dir = place.path("index");
    index(&[place.file("a.pdn", archive(36, 60, VARIANTS))], &dir, &options(1, 30));
    tables(&dir, 1);
    let paths = ["segment-00000001.keys", "segment-00000002.keys"].map(|name| dir.join(name));
    let start = Position::start(Variant::International);
    let refused = || {
        let index = Index::open(&dir).expect("the index is sound");
        hits(&index, &start).expect_err("refused")
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
    assert!(refused().to_string().contains("does not begin like a table"), "{}", refused());
    // A table that says something else, with fitting sums.
    let index = Index::open(&dir).expect("opened");
    let mut out = fs::File::create(&paths[0]).expect("created");
    let mut writer = super::write::TableWriter::new(&mut out);
    let segment = &index.segments()[0];
    writer.push(&[1, 2, 3]).expect("written");
    writer.finish(KeyLayout::of(segment.len() as u32, 700), segment).expect("written");
    let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
    assert!(report.findings[0].problem.contains("which game has which position"), "{report:?}");
}

#[test]
fn killed_at_any_step_the_answers_stay() {
    let place = Place::new();
    let dir = place.path("index");
    let archive = place.file("a.pdn", archive(37, 30, VARIANTS));
    for steps in 0.. {
        index(&[&archive].map(Clone::clone), &dir, &options(1, 10));
        let dying = Dying::new(steps, steps % 2 == 0);
        let options = KeyTableOptions { threads: NonZeroUsize::MIN };
        let done = build_on(&dying, &dir, &options, |_, _| ControlFlow::Continue(()));
        let index = Index::open(&dir).expect("opened");
        for (position, hits) in naive(&index).into_iter().step_by(50) {
            assert_eq!(self::hits(&index, &position).expect("sound"), hits, "{steps} steps");
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
    let place = Place::new();
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
