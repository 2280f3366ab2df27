//! Earlier games with a position, by a dictionary from positions to the dates of their games.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use super::archive::{VARIANTS, chooser};
use super::brackets::annotated_games;
use super::game::Game;
use super::naive_moves::NaiveInGame;
use super::naive_query::NaiveQuery;
use super::naive_sum::{NaiveCount, NaiveSum};
use super::{case, case_read_by};
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::rules::Variant;

/// A day as year, month and day.
type Day = (u32, u32, u32);

/// Returns the first and the last day of a date; `None` if its year is unknown. Every month has 31 days here, which changes no order.
fn days(date: &str) -> Option<(Day, Day)> {
    let mut parts = date.split('.').map(|part| part.parse::<u32>().ok());
    let year = parts.next()??;
    let (month, day) = (parts.next().flatten(), parts.next().flatten());
    Some(((year, month.unwrap_or(1), day.unwrap_or(1)), (year, month.unwrap_or(12), day.unwrap_or(31))))
}

/// A position: the variant, the pieces by the names of their squares, and whether White is to move.
type Key = (Variant, BTreeMap<String, char>, bool);

fn keys(game: &Game) -> Vec<Key> {
    game.boards.iter().map(|board| (game.variant, board.pieces.clone(), board.white)).collect()
}

/// Counts the earlier games of each position of all lines.
pub(crate) fn count_earlier_games(all: &mut [Game]) {
    let mut ends: HashMap<Key, Vec<Day>> = HashMap::new();
    for game in all.iter() {
        let Some((_, end)) = days(&game.tags["Date"]) else { continue };
        let mut own = keys(game);
        own.sort();
        own.dedup();
        own.into_iter().for_each(|key| ends.entry(key).or_default().push(end));
    }
    for game in all {
        let start = days(&game.tags["Date"]).map(|(start, _)| start);
        count_in_line(game, start, &ends);
    }
}

fn count_in_line(line: &mut Game, start: Option<Day>, ends: &HashMap<Key, Vec<Day>>) {
    let count = |key: &Key| {
        let ends = ends.get(key).map_or(&[][..], Vec::as_slice);
        start.map(|start| ends.iter().filter(|&&end| end < start).count() as i64)
    };
    line.earlier = keys(line).iter().map(count).collect();
    line.variations.iter_mut().for_each(|(_, variation)| count_in_line(variation, start, ends));
}

/// Returns games that choose between the first few moves, so that many positions are shared, with dates of every kind.
fn like_games(variants: &[Variant], number: usize, seed: u64, with_variations: bool) -> String {
    let mut text = String::new();
    let dates =
        ["1950.??.??", "1950.03.??", "1950.03.07", "1951.02.02", "1952.12.31", "1953.??.??", "????.??.??"];
    for at in 0..number {
        let mut choose = chooser(seed * 7919 + at as u64 * 104_729 + 1);
        let variant = variants[at % variants.len()];
        let _ = write!(text, "[Date \"{}\"]\n[GameType \"{}\"]\n", dates[choose(7)], variant.tag());
        let plies = 2 + choose(9);
        line(&Position::start(variant), plies, with_variations, &mut choose, &mut text);
        text += "*\n\n";
    }
    text
}

fn line(
    start: &Position,
    plies: usize,
    with_variations: bool,
    choose: &mut dyn FnMut(usize) -> usize,
    text: &mut String,
) {
    let (mut position, mut list) = (*start, MoveList::new());
    for _ in 0..plies {
        position.legal_moves(&mut list).expect("few captures");
        let Some(&mv) = list.as_slice().get(choose(list.len().clamp(1, 3))) else { break };
        let _ = write!(text, "{} ", move_text(&position, &mv, MoveStyle::Shortest).expect("few captures"));
        if with_variations && choose(3) == 0 {
            text.push('(');
            line(&position, 1 + choose(5), false, choose, text);
            text.push_str(") ");
        }
        position.play_unchecked(&mv);
    }
}

fn earlier(sign: &'static str, number: i64) -> NaiveQuery {
    NaiveQuery::Sum(NaiveSum { terms: vec![(true, NaiveCount::Earlier)], sign, number })
}

#[test]
fn earlier_games_of_a_position_are_those_of_a_dictionary() {
    let boxed = Box::new;
    let mut found = 0;
    for (seed, variants, segment_games) in
        [(1, &VARIANTS[..1], 1 << 20), (2, &VARIANTS[1..3], 13), (3, &VARIANTS[..], 25)]
    {
        let case = case(&[like_games(variants, 60, seed, false).as_bytes()], segment_games);
        for (sign, number) in [("=", 0), (">=", 2), ("<=", 1), ("!=", 0)] {
            let query = || earlier(sign, number);
            let ply = || boxed(NaiveQuery::Ply(3, 6));
            let named = || boxed(NaiveQuery::Variant(variants[0]));
            for query in [
                NaiveQuery::First(boxed(query())),
                NaiveQuery::And(boxed(query()), ply()),
                // Few games ask.
                NaiveQuery::And(boxed(NaiveQuery::First(boxed(query()))), named()),
                NaiveQuery::Or(boxed(NaiveQuery::Times(boxed(query()), 3..=9999)), ply()),
                NaiveQuery::Then(boxed(query()), boxed(earlier("=", 0)), 1..=2),
            ] {
                found += usize::from(case.check(&query) > 0);
            }
        }
    }
    assert!(found > 50, "{found} of 60 queries match");
}

#[test]
fn earlier_games_of_few_games_and_of_variations_are_those_of_a_dictionary() {
    for (seed, variants) in (4..).zip([&VARIANTS[..1], &VARIANTS[1..4]]) {
        let text = like_games(variants, 60, seed, true);
        let case = case_read_by(annotated_games, &[text.as_bytes()], 17);
        let mut found = 0;
        for (sign, number) in [("=", 0), ("=", 1), (">=", 2), ("<=", 3)] {
            let aside = || NaiveQuery::Aside(Box::new(earlier(sign, number)));
            found += case.check(&aside());
            found += case.check(&NaiveQuery::And(Box::new(earlier(">=", 1)), Box::new(aside())));
        }
        assert!(found > 60, "{found}");
        // Few games ask, because a key table knows which games have the positions.
        for game in [1, 20, 41] {
            let of = case.games[game - 1].clone();
            let meets = NaiveInGame { game, first: of.moves.len().min(4), is_single: false, of };
            case.check(&NaiveQuery::And(
                Box::new(NaiveQuery::InGame(Box::new(meets))),
                Box::new(earlier("<=", 2)),
            ));
        }
    }
}
