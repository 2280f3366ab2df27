//! Compares all leaf counts with those of the referee: 514 million leaves in a few seconds.

use pdn::movegen::{DEFAULT_CAPTURE_NODES, divide, perft};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Fen;

const PERFT: &str = include_str!("../../corpora/rules/perft.tsv");

struct Row {
    position: Position,
    name: String,
    depth: u32,
    nodes: u64,
}

fn rows() -> impl Iterator<Item = Row> {
    PERFT.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, variant, place, fen, depth, nodes, _confidence] = fields[..] else {
            panic!("seven fields in {line}")
        };
        let variant = Variant::from_name(variant).expect("a variant's name");
        assert_eq!(number.parse(), Ok(variant.number()));
        let parsed = Fen::parse(fen.as_bytes()).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let position = Position::from_fen(variant, &parsed).unwrap_or_else(|error| panic!("{fen}: {error}"));
        if place == "start" {
            assert_eq!(position, Position::start(variant));
        }
        Row {
            position,
            name: format!("{variant} {place} at depth {depth}"),
            depth: depth.parse().expect("a depth"),
            nodes: nodes.parse().expect("a count"),
        }
    })
}

#[test]
fn leaf_counts_equal_the_referee_counts() {
    let mut checked = 0;
    for row in rows() {
        assert_eq!(perft(&row.position, row.depth, DEFAULT_CAPTURE_NODES), Ok(row.nodes), "{}", row.name);
        checked += 1;
    }
    assert_eq!(checked, 321);
}

#[test]
fn divide_sums_to_perft() {
    for row in rows().filter(|row| row.nodes <= 10_000) {
        let parts = divide(&row.position, row.depth, DEFAULT_CAPTURE_NODES).expect("few captures");
        assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), row.nodes, "{}", row.name);
    }
}
