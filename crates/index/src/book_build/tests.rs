//! Which positions a book has, whatever the threads and the memory are.

use crate::internal::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;
use crate::tests::{TestFolder, archive, index, options};
use crate::{ImportOptions, Index};
use pdn::rules::Variant;

const VARIANTS: &[Variant] =
    &[Variant::International, Variant::English, Variant::Frisian, Variant::Turkish, Variant::Canadian];

/// Builds key tables and books for positions of this many games.
fn books(dir: &Path, games: u64) -> KeyTablesBuilt {
    let options = KeyTableOptions::new().threads(NonZeroUsize::MIN).book_games(games);
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built")
}

/// Finds every position of all games of an index by unpacking them, with the numbers of games by segment.
fn positions(index: &Index) -> Vec<(Position, Vec<u64>)> {
    let mut all: BTreeMap<String, (Position, Vec<u64>)> = BTreeMap::new();
    for segment in 0..index.segments().len() {
        for game in &index.live_games(segment) {
            let number = index.first_game(segment).expect("a segment") + u64::from(game);
            let game = index.game(number).expect("a game");
            let (plies, last) = game.plies().expect("sound");
            let mut names = Vec::new();
            for position in plies.iter().map(|ply| ply.before).chain([last]) {
                let name = format!("{:?} {}", position.rules(), position.fen());
                all.entry(name.clone()).or_insert((position, vec![0; index.segments().len()]));
                names.push(name);
            }
            names.sort();
            names.dedup();
            names.iter().for_each(|name| all.get_mut(name).expect("entered").1[segment] += 1);
        }
    }
    all.into_values().collect()
}

#[test]
fn book_bytes_do_not_depend_on_threads_or_place() {
    let temp = TestFolder::new();
    let text = archive(43, 120, VARIANTS);
    let [one, other] = ["one", "other"].map(|name| temp.path(name));
    let paths = [temp.file("a.pdn", archive(44, 60, VARIANTS)), temp.file("b.pdn", text)];
    index(&paths[1..], &one, &options(1, 1000));
    // Here the same segment is the second one.
    index(&paths[..1], &other, &options(1, 1000));
    index(&paths, &other, &ImportOptions { append: true, ..options(1, 1000) });
    let build = |dir: &Path, threads| {
        let options = KeyTableOptions::new().threads(NonZeroUsize::new(threads).expect("some")).book_games(2);
        build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built");
    };
    build(&one, 1);
    let book =
        |dir: &Path, number: u32| fs::read(dir.join(format!("segment-0000000{number}.book"))).expect("there");
    let expected = book(&one, 1);
    fs::remove_file(one.join("segment-00000001.book")).expect("removed");
    build(&one, 3);
    assert!(book(&one, 1) == expected, "threads");
    build(&other, 2);
    let segments = Index::open(&other).expect("opened").segments().len();
    assert_eq!(segments, 2);
    // The books differ in the footer only: segments have other numbers of inputs, and the share of games is another one.
    let (ours, theirs) = (book(&one, 1), book(&other, 2));
    assert!(ours[..ours.len() - 88] == theirs[..theirs.len() - 88], "place");
}

#[test]
fn book_of_too_many_positions_has_the_commonest() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(45, 100, &[Variant::International]))], &dir, &options(1, 1000));
    books(&dir, 2);
    let opened = Index::open(&dir).expect("opened");
    let segment = &opened.segments()[0];
    let keys = KeyTable::open(segment).expect("sound").expect("built");
    let mut counts: Vec<u64> = positions(&opened).iter().map(|(_, games)| games[0]).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    for max_positions in [1, 7, 30] {
        let request = BookRequest {
            segment,
            keys: &keys,
            first_game: 0,
            live: &opened.live_games(0),
            basis: opened.book_basis(0).expect("sound"),
            asked_games: 2,
            asked_here: 2,
            max_positions,
            threads: NonZeroUsize::MIN,
        };
        let mut out = fs::File::create(dir.join("segment-00000001.book")).expect("created");
        let (_, written) = request.write(&mut out, &mut || ControlFlow::Continue(())).expect("written");
        let expected = counts.iter().filter(|games| **games > counts[max_positions]).count();
        assert_eq!(written, expected as u64);
    }
}

#[test]
fn share_of_a_segment_is_at_least_fifty_games_and_never_more_than_asked() {
    assert_eq!(asked_here(1000, 1 << 20, 1 << 20), 1000);
    assert_eq!(asked_here(1000, 1 << 20, 10 << 20), 100);
    assert_eq!(asked_here(1000, 10, 10 << 20), 50);
    assert_eq!(asked_here(20, 10, 10 << 20), 20);
    assert_eq!(asked_here(1, 0, 0), 1);
}

#[test]
fn keys_of_many_games_are_those_of_the_table() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let same = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n".repeat(300);
    index(&[temp.file("a.pdn", same + &archive(48, 150, &VARIANTS[..2]))], &dir, &options(1, 1000));
    books(&dir, 0);
    let opened = Index::open(&dir).expect("opened");
    let keys = KeyTable::open(&opened.segments()[0]).expect("sound").expect("built");
    let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
    for (position, games) in positions(&opened) {
        *expected.entry(keys.layout().upper_bits(position.key().0)).or_default() += games[0];
    }
    for least in [1, 2, 30, 127, 128, 200, 300, 301, 450, 1000] {
        let wanted: Vec<(u64, u64)> = expected
            .iter()
            .map(|(bits, games)| (*bits, *games))
            .filter(|(_, games)| *games >= least)
            .collect();
        assert_eq!(keys.frequent_keys(least).expect("sound"), wanted, "{least} games");
    }
}

#[test]
fn first_other_byte_is_noticed() {
    for (texts, is_equal, rest) in [
        ([&b"ab"[..], b"c"], true, &b""[..]),
        ([b"ab", b""], true, b"c"),
        ([b"ab", b"d"], false, b"c"),
        ([b"ab", b"cd"], false, b"c"),
    ] {
        let mut output = ComparingOutput { rest: b"abc", is_equal: true };
        texts.iter().for_each(|text| output.write_all(text).unwrap());
        assert_eq!((output.is_equal, output.rest), (is_equal, rest));
    }
}
