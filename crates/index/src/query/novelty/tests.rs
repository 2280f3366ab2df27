//! Novelties against a dictionary of positions.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use crate::row::game_row::{earliest, latest};
use crate::{ImportOptions, import};
use pdn::position::Position;

/// Finds the novelties with a dictionary of all positions and their games.
fn naive(index: &Index) -> Vec<Novelty> {
    let games: Vec<_> = index
        .games()
        .map(|game| {
            let row = game.row().expect("sound");
            let (plies, last) = game.plies().expect("sound");
            let positions = plies.iter().map(|ply| ply.before).chain([last]);
            let positions: Vec<_> = positions.map(|position| position.fen().to_string()).collect();
            (row.kind.variant, row.date, positions)
        })
        .collect();
    let mut having: HashMap<_, Vec<usize>> = HashMap::new();
    for (number, (variant, _, positions)) in games.iter().enumerate() {
        positions.iter().for_each(|position| having.entry((*variant, position)).or_default().push(number));
    }
    let first_earlier = |number: usize, position: &String| {
        let (variant, date, _) = &games[number];
        let earlier = having[&(*variant, position)].iter().filter(|&&other| {
            let other = games[other].1;
            other.year().is_some() && date.year().is_some() && latest(other) < earliest(*date)
        });
        earlier.min_by_key(|&&other| (latest(games[other].1), other)).map(|&other| other as u64)
    };
    let of_game = |number: usize| {
        let positions = &games[number].2;
        let new = positions.iter().position(|position| first_earlier(number, position).is_none());
        let known = new.unwrap_or(positions.len());
        let predecessor = known.checked_sub(1).and_then(|last| first_earlier(number, &positions[last]));
        Novelty { ply: new.filter(|&new| new > 0).map(|new| new as u32 - 1), predecessor }
    };
    (0..games.len()).map(of_game).collect()
}

#[track_caller]
fn check(text: &str) -> Vec<Novelty> {
    let dir = tempfile::tempdir().expect("a folder");
    let (archive, path) = (dir.path().join("games.pdn"), dir.path().join("games.idx"));
    std::fs::write(&archive, text).expect("written");
    import([&archive], &path, &ImportOptions::new()).expect("imported");
    let index = Index::open(&path).expect("opened");
    let expected = naive(&index);
    // With few positions at once there are many parts.
    for (threads, at_once) in [(1, POSITIONS_AT_ONCE), (3, 20), (1, 1)] {
        let threads = NonZeroUsize::new(threads).expect("some");
        let stop = Stop::new();
        let search = EarlierSearch { index: &index, threads, stop: &stop };
        let found = find(search, at_once).expect("sound");
        assert_eq!(found.novelties(), expected, "{text}");
    }
    expected
}

fn novelty(ply: impl Into<Option<u32>>, predecessor: impl Into<Option<u64>>) -> Novelty {
    Novelty { ply: ply.into(), predecessor: predecessor.into() }
}

#[test]
fn game_leaves_the_first_of_the_earlier_games() {
    let found = check(
        "[Date \"1960.??.??\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n\n\
         [Date \"1959.12.31\"]\n1. 32-28 19-23 *\n\n\
         [Date \"1961.01.01\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 34-30 17-21 *\n\n\
         [Date \"1960.06.01\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 34-30 *\n\n\
         [Date \"????.??.??\"]\n1. 32-28 18-22 *\n\n\
         [Date \"1970.01.01\"]\n1. 32-28 18-22 *\n\n\
         [Date \"1975.01.01\"]\n1. 32-28 19-23 *\n",
    );
    assert_eq!(
        found,
        [
            novelty(2, 1),
            // The first of all.
            novelty(None, None),
            novelty(5, 3),
            // Some days of 1960 come after it.
            novelty(2, 1),
            // Its year is unknown, so no game counts as later.
            novelty(None, None),
            novelty(1, 1),
            // Nothing in it is new.
            novelty(None, 1),
        ]
    );
}

#[test]
fn transposition_is_no_novelty_and_another_variant_no_predecessor() {
    let found = check(
        "[Date \"1950.01.01\"]\n1. 32-28 19-23 2. 37-32 *\n\n\
         [Date \"1950.01.02\"]\n1. 37-31 19-23 *\n\n\
         [Date \"1951.01.01\"]\n1. 31-27 *\n\n\
         [Date \"1960.01.01\"]\n[GameType \"25\"]\n1. c3-d4 *\n\n\
         [Date \"1961.01.01\"]\n[GameType \"22\"]\n1. c3-d4 *\n",
    );
    assert_eq!(found[3..], [novelty(None, None); 2]);
    assert_eq!(found[2], novelty(0, 0));
    let found = check(
        "[Date \"1950.01.01\"]\n1. 32-28 19-23 2. 34-29 23x34 *\n\n\
         [Date \"1951.01.01\"]\n1. 34-29 19-23 2. 32-28 *\n",
    );
    // Its first position is new, although the last one is not.
    assert_eq!(found[1], novelty(0, 0));
}

#[test]
fn setups_and_repetitions_are_positions_like_others() {
    check(
        "[Date \"1950.01.01\"]\n[FEN \"W:WK5:BK46\"]\n1. 5-10 46-41 2. 10-5 41-46 3. 5-10 46-41 *\n\n\
         [Date \"1951.01.01\"]\n[FEN \"W:WK5:BK46\"]\n1. 5-10 46-41 2. 10-4 *\n\n\
         [Date \"1952.01.01\"]\n[FEN \"W:WK5:BK46\"]\n1. 5-14 *\n\n\
         [Date \"1953.01.01\"]\n1. 32-28 /FEN \"W:W28:B20\"/ 28-23 *\n\n\
         [Date \"1954.01.01\"]\n1. 32-28 /FEN \"W:W28:B20\"/ 28-22 *\n",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn novelties_equal_those_of_a_dictionary(
        games in prop::collection::vec(
            (
                prop::sample::select(vec!["1950", "1950.03", "1950.03.07", "1951.02.02", "1951", "1952.12.31", "????"]),
                prop::collection::vec(0usize..3, 0..7),
                prop::sample::select(vec!["20", "20", "20", "26"]),
            ),
            1..25,
        ),
    ) {
        let mut text = String::new();
        for (date, choices, game_type) in games {
            let mut position = Position::start(if game_type == "20" {
                pdn::rules::Variant::International
            } else {
                pdn::rules::Variant::Brazilian
            });
            let mut moves = String::new();
            for choice in choices {
                let mut legal = pdn::movegen::MoveList::new();
                position.legal_moves(&mut legal).expect("within limits");
                let mv = legal[choice % legal.len()];
                moves += &format!("{} ", position.move_text(&mv, pdn::notation::MoveStyle::Chain));
                position = position.after_unchecked(&mv);
            }
            text += &format!("[Date \"{date}\"]\n[GameType \"{game_type}\"]\n{moves}*\n\n");
        }
        check(&text);
    }
}
