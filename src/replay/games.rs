//! What is made once a thread: names of squares and start positions of all variants.

use super::CandidateGame;
use super::candidates::{TagCandidates, tagged};
use crate::notation::SquareCodes;
use crate::position::{Position, State};
use crate::rules::Variant;

/// Tables of all variants, and of the last game that had other names.
#[derive(Debug)]
pub(super) struct VariantTables {
    codes: Vec<SquareCodes>,
    starts: Vec<State<u128>>,
    other: Option<(CandidateGame, SquareCodes)>,
    /// What the last GameType tag says: in most files the same as the one before.
    tag: (Vec<u8>, TagCandidates),
}

impl VariantTables {
    pub(super) fn new() -> Self {
        Self {
            codes: Variant::ALL.iter().map(|variant| SquareCodes::new(variant.names())).collect(),
            starts: Variant::ALL.iter().map(|&variant| *Position::start(variant).state()).collect(),
            other: None,
            tag: (Vec::new(), TagCandidates::Nothing),
        }
    }

    /// The games that a GameType tag may mean.
    #[inline]
    pub(super) fn tagged(&mut self, value: &[u8]) -> TagCandidates {
        // Long ones are damage, and not kept.
        if value.len() > 64 {
            return tagged(value);
        }
        if self.tag.0 != value {
            self.tag.1 = tagged(value);
            self.tag.0.clear();
            self.tag.0.extend(value);
        }
        self.tag.1
    }

    pub(super) fn start(&self, candidate: &CandidateGame) -> State<u128> {
        State { turn: candidate.numbering.start, ..self.starts[candidate.variant as usize] }
    }

    pub(super) fn codes(&mut self, candidate: &CandidateGame) -> &SquareCodes {
        if candidate.numbering == candidate.variant.game().numbering {
            return &self.codes[candidate.variant as usize];
        }
        if self.other.as_ref().is_none_or(|(other, _)| other != candidate) {
            self.other = Some((*candidate, SquareCodes::new(&candidate.names())));
        }
        match &self.other {
            Some((_, codes)) => codes,
            None => &self.codes[candidate.variant as usize],
        }
    }
}
