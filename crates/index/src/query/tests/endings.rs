//! Conditions on tables of endings against a naive evaluation, with values that are made up.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::internal::query::{ProvenValue, ProvenValues, Tables};
use pdn::error::{ErrorKind, Result};

const ENDINGS: &str = r#"
[FEN "W:W31,36:B15,20"]
[GameType "20"]
1. 31-27 20-25 2. 27-22 15-20 3. 22-17 20-24 4. 17-11 24-30 5. 11-6 30-35 6. 6-1 25-30 *

[FEN "W:W28,36:B5,15,22"]
[GameType "20"]
1. 28x17 15-20 2. 17-11 20-24 3. 11-6 24-30 *

[GameType "20"]
1. 32-28 19-23 2. 28x19 14x23 *

[FEN "W:W22:B9"]
[GameType "21"]
1. 22-18 9-13 *
"#;

/// The values of International positions of up to four pieces.
#[derive(Debug)]
struct MadeUp {
    damaged: bool,
}

impl ProvenValues for MadeUp {
    fn most_pieces(&self, variant: Variant) -> u32 {
        if variant == Variant::International { 4 } else { 0 }
    }

    fn value(&self, variant: Variant, position: &Position) -> Result<Option<ProvenValue>> {
        assert_eq!(variant, Variant::International);
        assert!(pieces(position) <= 4, "only positions that the tables may reach are looked up");
        if self.damaged { Err(ErrorKind::NotAnIndex.into()) } else { Ok(value(position)) }
    }
}

fn pieces(position: &Position) -> u32 {
    let counts = position.counts();
    counts.men.iter().chain(&counts.kings).map(|&count| u32::from(count)).sum()
}

/// Returns a value that depends on the position and its side to move, and is unknown for some of few pieces too.
fn value(position: &Position) -> Option<ProvenValue> {
    let hash = position
        .to_string()
        .bytes()
        .fold(7u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let value = [1, 1, 0, -1][(hash >> 20) as usize % 4];
    let plies = (value != 0).then_some((hash >> 30) as u16 % 30);
    (pieces(position) <= 4 && hash >> 40 & 7 != 0).then_some(ProvenValue { value, plies })
}

fn with_tables(text: &str, damaged: bool) -> Query {
    Query::parse(text).expect("a query").with_tables(&Tables::new(Arc::new(MadeUp { damaged })))
}

#[test]
fn conditions_on_tables_match_as_the_naive_evaluation() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), ENDINGS);
    let lines: Vec<Vec<Position>> = index
        .games()
        .map(|game| {
            let (plies, last) = game.plies().expect("sound");
            plies.into_iter().map(|ply| ply.before).chain([last]).collect()
        })
        .collect();
    assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [13, 7, 5, 3]);
    let known = |game: usize, ply: usize| {
        let position = lines[game].get(ply)?;
        if game < 3 { value(position).map(|found| (found.value, found.plies)) } else { None }
    };
    let is = |game, ply, test: fn(i8) -> bool| known(game, ply).is_some_and(|(value, _)| test(value));
    let passed = |game: usize, ply: usize| {
        let state = *lines[game][ply].state();
        let position = Position::from_state(Variant::International, State { turn: !state.turn, ..state });
        (game < 3).then(|| value(&position)).flatten()
    };
    type Naive<'a> = &'a dyn Fn(usize, usize) -> bool;
    let cases: &[(&str, Naive<'_>)] = &[
        ("table = win", &|game, ply| is(game, ply, |value| value == 1)),
        ("table = draw", &|game, ply| is(game, ply, |value| value == 0)),
        ("table = -1", &|game, ply| is(game, ply, |value| value == -1)),
        ("table >= draw", &|game, ply| is(game, ply, |value| value >= 0)),
        ("table != win", &|game, ply| !is(game, ply, |value| value == 1)),
        ("table > loss and w = 2", &|game, ply| {
            is(game, ply, |value| value > -1)
                && lines[game][ply].counts().men[0] + lines[game][ply].counts().kings[0] == 2
        }),
        ("table_distance >= 12", &|game, ply| {
            known(game, ply).is_some_and(|(_, plies)| plies.is_some_and(|plies| plies >= 12))
        }),
        ("table = win and table_distance - ply < 3", &|game, ply| {
            let is_near = |plies: Option<u16>| plies.is_some_and(|plies| i64::from(plies) - (ply as i64) < 3);
            known(game, ply).is_some_and(|(value, plies)| value == 1 && is_near(plies))
        }),
        ("table = loss passed", &|game, ply| passed(game, ply).is_some_and(|found| found.value == -1)),
        ("@thrown", &|game, ply| {
            is(game, ply, |value| value == 1) && is(game, ply + 1, |value| value >= 0)
                || is(game, ply, |value| value == 0) && is(game, ply + 1, |value| value == 1)
        }),
    ];
    let mut matched = BTreeSet::new();
    for (text, naive) in cases {
        let query = with_tables(text, false);
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound");
        let found: Vec<_> = search.all_hits(usize::MAX).expect("sound").0;
        let found: Vec<_> = found.iter().map(|hit| (hit.game as usize, hit.ply as usize)).collect();
        let all =
            lines.iter().enumerate().flat_map(|(game, line)| (0..line.len()).map(move |ply| (game, ply)));
        let expected: Vec<_> = all.filter(|&(game, ply)| naive(game, ply)).collect();
        assert_eq!(found, expected, "{text}");
        assert!(!expected.is_empty(), "{text} matches nowhere, so that nothing is tested");
        matched.extend(expected);
    }
    assert!(matched.contains(&(2, 0)), "`!=` is true where nothing is known");
}

#[test]
fn queries_without_tables_and_with_damaged_ones_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), ENDINGS);
    let query = Query::parse("wk = 1 or never (table_distance >= 3 then last)").expect("a query");
    let error = Search::new(&index, &query, NonZeroUsize::MIN).expect_err("no tables");
    assert_eq!(error.to_string(), "`table_distance >= 3` asks tables of endings, and none are given");
    let query = with_tables("table = win", true);
    let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound");
    for _ in 0..2 {
        let error = search.count().expect_err("a damaged table");
        assert!(matches!(error.kind(), ErrorKind::NotAnIndex), "{error}");
        assert!(search.all_hits(9).is_err() && search.hits(9).is_err() && search.games().is_err());
    }
}

#[test]
fn values_are_written_as_they_are_read() {
    for text in [
        "table = win",
        "table >= draw",
        "table <= loss",
        "not table = draw",
        "table_distance = 3..9",
        "table + moves >= 2",
    ] {
        let query = Query::parse(text).expect("a query");
        assert_eq!(query.to_string(), text);
    }
    assert_eq!(Query::parse("table > draw"), Query::parse("table >= win"));
    assert_eq!(Query::parse("table = 0..1").expect("a query").to_string(), "table = 0..1");
    let error = |text: &str| Query::parse(text).expect_err("not a query").to_string();
    assert_eq!(error("table = won"), "at byte 8: expected a value, found `won`: is `win` meant?");
    assert_eq!(error("table = equal"), "at byte 8: expected `win`, `draw` or `loss`, found `equal`");
    assert_eq!(
        error("table win"),
        "at byte 6: expected `=`, `!=`, `<`, `<=`, `>`, `>=`, `+` or `-`, found `win`"
    );
    assert!(Query::parse("moves = win").is_err());
    assert!(error("table = win and table = loss").contains("contradicts"));
}
