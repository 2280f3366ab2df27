//! Reads the files of named openings.

use std::ops::RangeInclusive;

use crate::query::conditions::MoveSequence;
use crate::query::language::{Condition, Query};
use pdn::rules::Variant;

/// The file of each variant whose openings have names. Brazilian draughts has the board and the drawn openings of Russian draughts, and
/// so the names of their positions.
pub(super) const FILES: [(Variant, &str); 4] = [
    (Variant::International, include_str!("../../../openings/international.tsv")),
    (Variant::English, include_str!("../../../openings/english.tsv")),
    (Variant::Russian, RUSSIAN),
    (Variant::Brazilian, RUSSIAN),
];

const RUSSIAN: &str = include_str!("../../../openings/russian.tsv");

/// An opening with a name.
#[derive(Clone, Debug)]
pub(super) struct NamedOpening {
    pub(super) name: &'static str,
    pub(super) definition: Query,
}

/// What defines an opening.
#[derive(Debug)]
pub(super) enum Definition<'q> {
    /// One of the positions after these moves.
    Positions(Vec<&'q MoveSequence>),
    /// Contents of squares at a ply of a range.
    Structure(&'q RangeInclusive<u32>, &'q Query),
}

/// Reads a file: after the header, a line for each opening with its name, a tab, and the query that defines it.
///
/// # Panics
/// If a line is not of this form; a test reads all files.
pub(super) fn read(file: &'static str) -> Vec<NamedOpening> {
    let read = |line: &'static str| {
        let (name, definition) = line.split_once('\t').expect("a name, a tab and a definition");
        NamedOpening { name, definition: Query::parse(definition).expect("a query") }
    };
    file.lines().skip(1).map(read).collect()
}

impl NamedOpening {
    /// Returns what the query says.
    ///
    /// # Panics
    /// If it is of neither form; a test reads all files.
    pub(super) fn definition(&self) -> Definition<'_> {
        match &self.definition {
            Query::And(parts) => match parts.as_slice() {
                [Query::Is(Condition::Ply(plies)), pattern] => Some(Definition::Structure(plies, pattern)),
                _ => None,
            },
            Query::Or(parts) => parts.iter().map(line).collect::<Option<_>>().map(Definition::Positions),
            query => line(query).map(|line| Definition::Positions(vec![line])),
        }
        .expect("moves, or a range of plies and a pattern")
    }
}

/// Returns the moves of a query that asks for the position after them.
fn line(query: &Query) -> Option<&MoveSequence> {
    match query {
        Query::Is(Condition::Line(line)) => Some(line),
        _ => None,
    }
}
