//! Tables that are built once per thread: square codes and start positions of all variants.

use super::clues::TagCandidates;
use crate::notation::SquareCodes;
use crate::position::{Position, State};
use crate::replay::CandidateGame;
use crate::rules::Variant;

/// Longest GameType or Variant value in bytes whose meaning is remembered. Longer ones are damage.
const MAX_REMEMBERED_TAG: usize = 64;

/// Square codes and start positions of all variants, and of the last game with another numbering.
#[derive(Debug)]
pub(crate) struct VariantTables {
    /// By the number of the variant.
    codes: Vec<SquareCodes>,
    /// By the number of the variant.
    starts: Vec<State<u128>>,
    /// The last game whose numbering is not that of its variant.
    other: Option<(CandidateGame, SquareCodes)>,
    /// The values of the last GameType tag and the last Variant tag, and their meaning: most games of a file have the same.
    last_tags: [(Vec<u8>, TagCandidates); 2],
}

impl VariantTables {
    /// Builds the tables of all variants, in some ten microseconds.
    pub(crate) fn new() -> Self {
        Self {
            codes: Variant::ALL.iter().map(|variant| SquareCodes::new(variant.names())).collect(),
            starts: Variant::ALL.iter().map(|&variant| *Position::start(variant).state()).collect(),
            other: None,
            last_tags: std::array::from_fn(|_| (Vec::new(), TagCandidates::Unknown)),
        }
    }

    /// Returns the games that a GameType tag and a Variant tag may mean.
    #[inline]
    pub(super) fn tag_candidates(
        &mut self,
        game_type: Option<&[u8]>,
        variant: Option<&[u8]>,
    ) -> TagCandidates {
        let tag = game_type.map_or(TagCandidates::Unknown, |value| self.meaning(0, value));
        match variant {
            None => tag,
            Some(value) => tag.or_variant_tag(self.meaning(1, value)),
        }
    }

    /// Returns the meaning of a tag value; `slot` is 0 for GameType, 1 for Variant.
    #[inline]
    fn meaning(&mut self, slot: usize, value: &[u8]) -> TagCandidates {
        if value.len() > MAX_REMEMBERED_TAG {
            return TagCandidates::of_tag(value);
        }
        let (last, meaning) = &mut self.last_tags[slot];
        if last != value {
            *meaning = TagCandidates::of_tag(value);
            last.clear();
            last.extend(value);
        }
        *meaning
    }

    /// Returns the start position of a candidate.
    pub(super) fn start(&self, candidate: &CandidateGame) -> State<u128> {
        State { turn: candidate.numbering.start, ..self.starts[candidate.variant as usize] }
    }

    /// Returns the square codes of a candidate. Builds them if its numbering is not that of its variant.
    pub(crate) fn codes(&mut self, candidate: &CandidateGame) -> &SquareCodes {
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
