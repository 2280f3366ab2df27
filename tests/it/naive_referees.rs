//! Compares the naive generator with outside referees: leaf counts, and the complete moves of tricky positions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::naive::board::{Board, Cell};
use crate::naive::fen;
use crate::naive::moves::{legal_moves, perft, play};
use crate::naive::rules::{KingLands, KingWorth, KingsEarly, LastRow, Precedence, Rules, rules, variants};

const POSITIONS: &str = include_str!("../../corpora/rules/positions.jsonl");
const PERFT: &str = include_str!("../../corpora/rules/perft.tsv");

/// The largest leaf counts in the everyday test and in the release test.
const MAX_EVERYDAY_NODES: u64 = 100_000;
const MAX_RELEASE_NODES: u64 = 10_000_000;

#[test]
fn naive_moves_equal_the_referee_moves() {
    let mut seen = BTreeMap::new();
    for line in POSITIONS.lines() {
        let expected: Value = serde_json::from_str(line).expect("a line of JSON");
        let rules = rules(text(&expected["variant"]));
        assert_eq!(
            naive_moves(&rules, text(&expected["fen"])),
            referee_moves(&expected),
            "{}",
            expected["id"]
        );
        *seen.entry(rules.name).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 14, "{seen:?}");
    assert!(seen.values().all(|&positions| positions == 60), "{seen:?}");
}

/// A tag `kills:X` says that the wrong rule X changes the moves of this position; without the tag, X does not.
/// Disputed readings have no referee, so this shows at least that they differ where they should, and only there.
#[test]
fn wrong_rules_change_moves_only_in_tagged_positions() {
    let mut killed = BTreeMap::new();
    for line in POSITIONS.lines() {
        let position: Value = serde_json::from_str(line).expect("a line of JSON");
        let right = rules(text(&position["variant"]));
        let fen = text(&position["fen"]);
        let tags = texts(&position["tags"]);
        let moves = keys(&right, fen);
        for (tag, wrong) in wrong_rules(&right) {
            let marked = tags.iter().any(|written| written == tag);
            assert_eq!(keys(&wrong, fen) != moves, marked, "{tag} in {}", position["id"]);
            *killed.entry(tag).or_insert(0) += u32::from(marked);
        }
    }
    assert!(killed.values().all(|&positions| positions > 0), "{killed:?}");
}

#[test]
fn naive_leaf_counts_equal_the_referee_counts() {
    assert_eq!(check_perft(0, MAX_EVERYDAY_NODES), 250);
}

#[test]
#[ignore = "minutes; run in release mode"]
fn naive_leaf_counts_equal_large_referee_counts() {
    assert_eq!(check_perft(MAX_EVERYDAY_NODES + 1, MAX_RELEASE_NODES), 56);
}

/// The start positions of the rows equal those of the referee.
#[test]
fn naive_start_positions_equal_the_referee_positions() {
    let mut checked = 0;
    for row in PERFT.lines().skip(2) {
        let cells: Vec<&str> = row.split('\t').collect();
        if cells[2] == "start" && cells[4] == "1" {
            let rules = rules(cells[1]);
            assert_eq!(fen::print(&rules, &Board::start(&rules)), cells[3], "{row}");
            checked += 1;
        }
    }
    assert_eq!(checked, 14);

    let frysk = rules("frysk");
    assert_eq!(fen::print(&frysk, &Board::start(&frysk)), "W:W46,47,48,49,50:B1,2,3,4,5");
    for variant in variants() {
        let rules = rules(variant);
        assert!(!legal_moves(&rules, &Board::start(&rules)).is_empty(), "{variant}");
    }
}

/// After three quiet moves in a row, a king rests until another piece has moved or something is captured.
#[test]
fn naive_frisian_king_rests_after_three_moves() {
    let rules = rules("frisian");
    let after_three_each = |start: &str| {
        let mut board = fen::read(&rules, start);
        for (white, black) in [("36-41", "15-20"), ("41-36", "20-15"), ("36-41", "15-20")] {
            board = make(&rules, &board, white);
            board = make(&rules, &board, black);
        }
        board
    };
    let mut board = after_three_each("W:WK36,48:BK15,35");
    assert_eq!(moves_from(&rules, &board), ["48"]);
    board = make(&rules, &board, "48-43");
    assert_eq!(moves_from(&rules, &board), ["35"]);
    board = make(&rules, &board, "35-40");
    assert_eq!(moves_from(&rules, &board), ["41", "43"]);

    // A side without men has no limit.
    let board = after_three_each("W:WK36:BK15,35");
    assert_eq!(moves_from(&rules, &board), ["41"]);
    let board = make(&rules, &board, "41-36");
    assert_eq!(moves_from(&rules, &board), ["35"]);
}

fn make(rules: &Rules, board: &Board, text: &str) -> Board {
    let (from, to) = text.split_once('-').expect("a quiet move");
    let mv = legal_moves(rules, board)
        .into_iter()
        .find(|mv| rules.name(mv.from) == from && rules.name(mv.to) == to)
        .unwrap_or_else(|| panic!("{text} in {}", fen::print(rules, board)));
    play(board, &mv)
}

fn moves_from(rules: &Rules, board: &Board) -> Vec<String> {
    let from: BTreeSet<String> = legal_moves(rules, board).iter().map(|mv| rules.name(mv.from)).collect();
    from.into_iter().collect()
}

/// Returns the moves without their paths.
fn keys(rules: &Rules, text: &str) -> Vec<(Cell, Cell, BTreeSet<Cell>, bool)> {
    let moves = legal_moves(rules, &fen::read(rules, text));
    moves.into_iter().map(|mv| (mv.from, mv.to, mv.captured, mv.promotes)).collect()
}

/// Returns the rules with one change each, by the name of the change in the tags.
fn wrong_rules(right: &Rules) -> Vec<(&'static str, Rules)> {
    let right = || right.clone();
    let other_landing = match right().king_lands {
        KingLands::Anywhere => KingLands::RightBehind,
        KingLands::RightBehind => KingLands::Anywhere,
    };
    let precedence = |precedence| Rules { precedence, ..right() };
    let last_row = |last_row| Rules { last_row, ..right() };
    vec![
        ("kills:flying flipped", Rules { king_flies: !right().king_flies, ..right() }),
        ("kills:king_land flipped", Rules { king_lands: other_landing, ..right() }),
        ("kills:man_x_king flipped", Rules { man_takes_king: !right().man_takes_king, ..right() }),
        ("kills:no_180 flipped", Rules { no_half_turn: !right().no_half_turn, ..right() }),
        ("kills:removal=now", Rules { removed_at_once: true, ..right() }),
        ("kills:removal=end", Rules { removed_at_once: false, ..right() }),
        ("kills:mid_promo=stop", last_row(LastRow::Stops)),
        ("kills:mid_promo=pass", last_row(LastRow::PassesAsMan)),
        ("kills:mid_promo=king", last_row(LastRow::GoesOnAsKing)),
        ("kills:majority=None", precedence(Precedence::Free)),
        ("kills:majority=king", precedence(Precedence::ByKing)),
        ("kills:majority=quantity", precedence(Precedence::MostPieces)),
        ("kills:majority=quality", precedence(Precedence::MostPiecesThenMostKings)),
        ("kills:majority=italian", precedence(Precedence::Italian(KingsEarly::Every))),
        ("kills:majority=italian_first", precedence(Precedence::Italian(KingsEarly::FirstOnly))),
        ("kills:majority=frisian", precedence(Precedence::Value(KingWorth::NearlyTwoMen))),
    ]
}

/// Checks the rows whose leaf count is in the range, ends included; returns the number of rows.
fn check_perft(min: u64, max: u64) -> usize {
    let mut rows = 0;
    for row in PERFT.lines().skip(2) {
        let cells: Vec<&str> = row.split('\t').collect();
        let depth: u32 = cells[4].parse().expect("a depth");
        let nodes: u64 = cells[5].parse().expect("a node count");
        if (min..=max).contains(&nodes) {
            let rules = Rules { king_moves_in_a_row: None, ..rules(cells[1]) };
            assert_eq!(perft(&rules, &fen::read(&rules, cells[3]), depth), nodes, "{row}");
            rows += 1;
        }
    }
    rows
}

/// The moves of a position: from, to, captured squares, promotion; paths (squares and captures in order), position
/// after.
type Described =
    BTreeMap<(String, String, Vec<String>, bool), (BTreeSet<(Vec<String>, Vec<String>)>, String)>;

fn naive_moves(rules: &Rules, text: &str) -> Described {
    let board = fen::read(rules, text);
    assert_eq!(fen::print(rules, &board), text, "the FEN comes back as it was");
    let mut all = Described::new();
    for mv in legal_moves(rules, &board) {
        let names = |cells: &[Cell]| cells.iter().map(|&cell| rules.name(cell)).collect::<Vec<_>>();
        let mut captured: Vec<String> = mv.captured.iter().map(|&cell| rules.name(cell)).collect();
        captured.sort();
        let paths = mv.paths.iter().map(|path| (names(&path.squares), names(&path.captured))).collect();
        let after = fen::print(rules, &play(&board, &mv));
        let key = (rules.name(mv.from), rules.name(mv.to), captured, mv.promotes);
        assert!(all.insert(key, (paths, after)).is_none(), "each move once");
    }
    all
}

fn referee_moves(position: &Value) -> Described {
    let mut all = Described::new();
    let moves = position["moves"].as_array().expect("moves");
    for mv in moves {
        let mut captured = texts(&mv["captured"]);
        captured.sort();
        let paths = mv["paths"].as_array().expect("paths");
        let paths = paths.iter().map(|path| (texts(&path["path"]), texts(&path["captured_order"]))).collect();
        let promotes = mv["promo"].as_bool().expect("a truth value");
        let key = (text(&mv["from"]).to_owned(), text(&mv["to"]).to_owned(), captured, promotes);
        all.insert(key, (paths, text(&mv["after"]).to_owned()));
    }
    assert_eq!(all.len() as u64, position["n_moves"].as_u64().expect("a number"));
    let paths: usize = all.values().map(|(paths, _)| paths.len()).sum();
    assert_eq!(paths as u64, position["n_paths"].as_u64().expect("a number"));
    all
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().expect("an array").iter().map(|item| text(item).to_owned()).collect()
}
