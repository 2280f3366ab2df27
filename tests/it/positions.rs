//! Compares the 840 referee positions: complete lists of legal moves with captures, promotion, text, paths and the
//! position after each.

use std::collections::BTreeSet;

use pdn::board::{Square, SquareNames};
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Fen;
use serde_json::Value;

const POSITIONS: &str = include_str!("../../corpora/rules/positions.jsonl");

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a string in {value}"))
}

fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list in {value}"))
}

fn strings(value: &Value, key: &str) -> Vec<String> {
    items(value, key).iter().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

fn read(variant: Variant, fen: &str) -> Position {
    let parsed = Fen::parse(fen.as_bytes()).unwrap_or_else(|error| panic!("{fen}: {error}"));
    Position::from_fen(variant, &parsed).unwrap_or_else(|error| panic!("{variant} {fen}: {error}"))
}

fn named(names: &SquareNames, squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares.into_iter().map(|square| names.name(square).to_string()).collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

/// A move as the referee or the library describes it, in a comparable form.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Described {
    from: String,
    to: String,
    captured: Vec<String>,
    promotes: bool,
    after: String,
    paths: Vec<(Vec<String>, Vec<String>)>,
}

#[test]
fn legal_moves_equal_the_referee_moves() {
    let (mut positions, mut moves, mut exact_texts) = (0, 0, 0);
    let mut list = MoveList::new();
    for line in POSITIONS.lines() {
        let row: Value = serde_json::from_str(line).expect("a line is JSON");
        let id = text(&row, "id");
        let variant = Variant::from_name(text(&row, "variant")).expect("a variant's name");
        assert_eq!(row["gametype"], u64::from(variant.number()), "{id}");
        let position = read(variant, text(&row, "fen"));
        let names = variant.names();
        assert_eq!(position.fen(), text(&row, "fen"), "{id}");
        position.legal_moves(&mut list).expect("few captures");

        let library: BTreeSet<Described> = list
            .iter()
            .map(|mv| Described {
                from: names.name(mv.from).to_string(),
                to: names.name(mv.to).to_string(),
                captured: sorted(named(names, mv.captured_squares())),
                promotes: mv.promotes,
                after: position.after_unchecked(mv).fen(),
                paths: {
                    let paths = position.paths(mv).expect("few captures");
                    let mut paths: Vec<_> = paths
                        .iter()
                        .map(|path| (named(names, path.squares.clone()), named(names, path.captured.clone())))
                        .collect();
                    paths.sort();
                    paths
                },
            })
            .collect();
        let referee: BTreeSet<Described> = items(&row, "moves")
            .iter()
            .map(|mv| Described {
                from: text(mv, "from").into(),
                to: text(mv, "to").into(),
                captured: sorted(strings(mv, "captured")),
                promotes: mv["promo"].as_bool().expect("a flag"),
                after: text(mv, "after").into(),
                paths: {
                    let mut paths: Vec<_> = items(mv, "paths")
                        .iter()
                        .map(|path| (strings(path, "path"), strings(path, "captured_order")))
                        .collect();
                    paths.sort();
                    paths
                },
            })
            .collect();
        assert_eq!(library, referee, "{id} {}", text(&row, "fen"));
        assert_eq!(list.len(), referee.len(), "{id}: a move is listed twice");
        assert_eq!(row["n_moves"], list.len(), "{id}");
        assert_eq!(row["n_paths"], referee.iter().map(|mv| mv.paths.len()).sum::<usize>(), "{id}");

        for expected in items(&row, "moves") {
            let mv = list
                .iter()
                .find(|mv| {
                    names.name(mv.from).to_string() == text(expected, "from")
                        && names.name(mv.to).to_string() == text(expected, "to")
                        && sorted(named(names, mv.captured_squares()))
                            == sorted(strings(expected, "captured"))
                })
                .expect("compared above");
            let library = move_text(&position, mv, MoveStyle::Shortest).expect("few captures");
            let referee = text(expected, "text");
            let separator = variant.rules().capture_separator.to_string();
            // Any path of a capture may name it.
            let chains: Vec<_> =
                items(expected, "paths").iter().map(|path| strings(path, "path").join(&separator)).collect();
            if expected["ambiguous"] == true && chains.len() > 1 {
                assert!(chains.contains(&library), "{id}: {library} is none of {chains:?}");
            } else {
                assert_eq!(library, referee, "{id}");
            }
            exact_texts += usize::from(library == referee);
            moves += 1;

            // The text and every path are resolved to the same move.
            for chain in chains.iter().map(String::as_str).chain([library.as_str()]) {
                let squares: Vec<Square> = chain
                    .split([separator.chars().next().expect("a separator"), '-'])
                    .map(|name| square(names, name))
                    .collect();
                let via = &squares[1..squares.len() - 1];
                let found = position.find(squares[0], squares[squares.len() - 1], via);
                if expected["ambiguous"] == false || !via.is_empty() {
                    assert_eq!(found, Ok(*mv), "{id}: {chain}");
                }
            }
            assert_eq!(position.is_legal(mv), Ok(true), "{id}");
        }
        positions += 1;
    }
    assert_eq!((positions, moves), (840, 1945));
    assert!(
        exact_texts >= 1945 - 27,
        "only captures with several paths may be written another way: {exact_texts}"
    );
}

fn square(names: &SquareNames, name: &str) -> Square {
    let found = match name.parse() {
        Ok(number) => names.of_number(number),
        Err(_) => names.of_algebraic(name.as_bytes()[0] - b'a', name[1..].parse().expect("a rank")),
    };
    found.unwrap_or_else(|| panic!("{name} is a square"))
}

/// A checksum over the keys of all referee positions and of the positions after their moves. It changes only with
/// the definition of the key, which never changes.
#[test]
fn keys_of_referee_positions_never_change() {
    let mut checksum = 0u64;
    let mut list = MoveList::new();
    for line in POSITIONS.lines() {
        let row: Value = serde_json::from_str(line).expect("a line is JSON");
        let variant = Variant::from_name(text(&row, "variant")).expect("a variant's name");
        let position = read(variant, text(&row, "fen"));
        checksum = checksum.rotate_left(1) ^ position.key().0;
        position.legal_moves(&mut list).expect("few captures");
        let after = list.iter().fold(0u64, |sum, mv| sum.wrapping_add(position.after_unchecked(mv).key().0));
        checksum = checksum.rotate_left(1) ^ after;
    }
    assert_eq!(format!("{checksum:016x}"), "0feca1a934181bc8");
}
