//! What is made once a thread: names of squares and start positions of all variants.

use super::Candidate;
use super::candidates::{Tagged, tagged};
use crate::notation::SquareCodes;
use crate::position::{Position, State};
use crate::rules::Variant;

/// Tables of all variants, and of the last game that had other names.
#[derive(Debug)]
pub(super) struct Games {
    codes: Vec<SquareCodes>,
    starts: Vec<State<u128>>,
    other: Option<(Candidate, SquareCodes)>,
    /// What the last GameType tag says: in most files the same as the one before.
    tag: (Vec<u8>, Tagged),
}

impl Games {
    pub(super) fn new() -> Self {
        Self {
            codes: Variant::ALL.iter().map(|variant| SquareCodes::new(variant.names())).collect(),
            starts: Variant::ALL.iter().map(|&variant| *Position::start(variant).state()).collect(),
            other: None,
            tag: (Vec::new(), Tagged::Nothing),
        }
    }

    /// The games that a GameType tag may mean.
    #[inline]
    pub(super) fn tagged(&mut self, value: &[u8]) -> Tagged {
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

    pub(super) fn start(&self, candidate: &Candidate) -> State<u128> {
        State { turn: candidate.numbering.start, ..self.starts[candidate.variant as usize] }
    }

    pub(super) fn codes(&mut self, candidate: &Candidate) -> &SquareCodes {
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
