//! Tables against playing every game, damaged, interrupted, made in small parts.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use super::*;
use crate::index::tests::{TestFolder, archive, index, options};
use crate::index::{Index, VerifyOptions, verify};
use crate::index::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
use crate::position::Position;
use crate::rules::Variant;
use crate::value::{Colour, Fen};

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
fn a_position_that_cannot_come_is_not_looked_for() {
    let international = Variant::International;
    let start = Position::start(international);
    let goal = |fen: &str| {
        let fen = Fen::parse(fen.as_bytes()).expect("well written");
        let position = Position::from_fen(international, &fen).expect("a position");
        let [start, position] = [start.state().resized(), position.state().resized()];
        PositionTarget::<u64>::new(&international.rules(), &start, &position)
    };
    let check = |fen, reach| assert!(format!("{:?}", goal(fen)).contains(reach), "{fen}: {:?}", goal(fen));
    check("B:W28,31,33-50:B1-20", "Ply(1)");
    check("W:W28,31,33-50:B1-18,20,23", "Ply(2)");
    check("W:W28,31,33-50:B1-20", "Never");
    check("B:W31-50:B1-20", "Never");
    check("W:W31-50:B1-19", "Any");
    check("W:WK31,32-50:B1-20", "Any");
    let last = |white: &str| {
        let fen = format!("W:W{white}:B1-5");
        let fen = Fen::parse(fen.as_bytes()).expect("well written");
        Position::from_fen(international, &fen).expect("a position").counts().into()
    };
    let goal = goal("W:W31-40,K50:B1-5");
    assert!(goal.may_end_with(last("31-40,K50")));
    assert!(goal.may_end_with(last("31-35,K45,K50")));
    assert!(!goal.may_end_with(last("31-42")), "twelve pieces");
    assert!(!goal.may_end_with(last("31-41")), "eleven men, of which there were ten before");
    assert_eq!(start.turn(), Colour::White);
}
