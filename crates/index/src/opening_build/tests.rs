//! The openings of a segment compared with the beginnings of its games, whatever the threads are.

use crate::internal::{KeyTableOptions, build_key_tables};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;
use crate::Index;
use crate::tests::{TestFolder, archive, index, options};
use pdn::rules::Variant;

const VARIANTS: &[Variant] =
    &[Variant::International, Variant::English, Variant::Frisian, Variant::Turkish, Variant::Canadian];

/// A kind of games, and moves from its start position.
type Beginning = (usize, Vec<Move>);

/// Returns the moves of each game with its kind; `None` for a game that is not continuous.
fn games(index: &Index) -> Vec<Option<Beginning>> {
    let segment = &index.segments()[0];
    let summary = segment.column(Section::Summary).expect("sound");
    let kinds = segment.column(Section::Kind).expect("sound");
    let game = |number: usize| {
        if !is_continuous(summary.get(number).expect("there")) {
            return None;
        }
        let plies = index.game(number as u64).expect("a game").plies().expect("sound").0;
        let moves = plies.iter().map(|ply| ply.mv.expect("a move")).collect();
        Some((kinds.get(number).expect("there") as usize, moves))
    };
    (0..segment.len()).map(game).collect()
}

/// Numbers the beginnings that follow one of at least `least` games, in order, and returns those of the games.
fn expected(games: &[Option<Beginning>], kinds: usize, least: u64) -> (Vec<Beginning>, Vec<u32>) {
    let mut counts: BTreeMap<Beginning, u64> = (0..kinds).map(|kind| ((kind, Vec::new()), 0)).collect();
    for (kind, moves) in games.iter().flatten() {
        for plies in 0..=moves.len().min(MAX_PLIES as usize) {
            *counts.entry((*kind, moves[..plies].to_vec())).or_default() += 1;
        }
    }
    // All shorter beginnings have as many games or more.
    let is_kept = |(kind, moves): &Beginning| {
        moves.split_last().is_none_or(|(_, before)| counts[&(*kind, before.to_vec())] >= least)
    };
    let kept: Vec<Beginning> = counts.keys().filter(|beginning| is_kept(beginning)).cloned().collect();
    let number = |game: &Option<Beginning>| {
        let Some((kind, moves)) = game else { return 0 };
        let begins = |(other, beginning): &&Beginning| other == kind && moves.starts_with(beginning);
        let longest = kept.iter().filter(begins).max_by_key(|(_, beginning)| beginning.len()).expect("one");
        kept.iter().position(|beginning| beginning == longest).expect("listed") as u32 + 1
    };
    (kept.clone(), games.iter().map(number).collect())
}

/// Compares the openings of the only segment of an index with the beginnings of its games.
fn check_openings(dir: &Path, least: u64) -> u32 {
    let index = Index::open(dir).expect("opened");
    let openings = index.openings(0).expect("sound").expect("built");
    assert_eq!(u64::from(openings.footer().least_games), least);
    let kinds = index.segments()[0].kinds().expect("sound");
    let (beginnings, numbers) = expected(&games(&index), kinds.len(), least);
    let found: Vec<u32> = openings.numbers().expect("sound").values().map(|number| number as u32).collect();
    assert_eq!(found, numbers);
    assert_eq!(openings.len() as usize, beginnings.len() + 1);
    for (opening, (kind, moves)) in (1..).zip(&beginnings) {
        let mut position = Position::start(kinds[*kind].game());
        moves.iter().for_each(|mv| position.play_unchecked(mv));
        assert_eq!(openings.key(opening), position.key().0);
        let longer = beginnings[opening as usize..]
            .iter()
            .take_while(|(other, longer)| other == kind && longer.starts_with(moves));
        assert_eq!(openings.end(opening), opening + 1 + longer.count() as u32);
        let children = (1..).zip(&beginnings).filter(|(_, (other, longer))| {
            other == kind && longer.len() == moves.len() + 1 && longer.starts_with(moves)
        });
        assert!(openings.children(opening).eq(children.map(|(child, _)| child)));
    }
    openings.len()
}

fn build(dir: &Path, games: u64, threads: usize) {
    let threads = NonZeroUsize::new(threads).expect("some");
    let options = KeyTableOptions::new().threads(threads).book_games(games);
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built");
}

#[test]
fn openings_are_the_commonest_beginnings_of_the_games() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    // A null move, a setup in the middle, a game without moves, and one that many games begin with and end after.
    let special = "1. 32-28 19-23 2. -- 14-19 *\n\n\
        [GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 /FEN \"W:W31-50:B1-20\"/ 3. 32-28 19-23 1-1\n\n\
        [GameType \"20\"]\n*\n\n[GameType \"20\"]\n1. 32-28 19-23 1-1\n\n";
    let same = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28 2-0\n\n".repeat(9);
    let text = archive(71, 130, VARIANTS) + special + special + &same;
    index(&[temp.file("a.pdn", text)], &dir, &options(1, 1000));
    for games in [2, 3, 8, 300] {
        build(&dir, games, 1);
        assert!(check_openings(&dir, games) > 5);
        let path = dir.join("segment-00000001.openings");
        let expected = fs::read(&path).expect("there");
        fs::remove_file(&path).expect("removed");
        build(&dir, games, 3);
        assert!(fs::read(&path).expect("there") == expected, "threads");
    }
    build(&dir, 0, 1);
    assert!(Index::open(&dir).expect("opened").openings(0).expect("sound").is_none());
}

#[test]
fn openings_that_are_too_many_are_the_commonest() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(72, 200, &VARIANTS[..1]))], &dir, &options(1, 1000));
    let opened = Index::open(&dir).expect("opened");
    let segment = &opened.segments()[0];
    let path = OpeningTable::path_of(segment);
    let mut last = 0;
    for max_openings in [2, 11, 40, 100, 10_000] {
        let request = OpeningRequest {
            segment,
            asked_games: 2,
            asked_here: 2,
            max_openings,
            threads: NonZeroUsize::MIN,
        };
        let mut out = fs::File::create(&path).expect("created");
        let (_, written) = request.write(&mut out, &mut || ControlFlow::Continue(())).expect("written");
        assert!(written as usize <= max_openings && written >= last);
        last = written;
        let least = OpeningTable::open(segment).expect("sound").expect("there").footer().least_games;
        assert_eq!(u64::from(check_openings(&dir, least.into())), written);
    }
    assert!(last > 100);
}
