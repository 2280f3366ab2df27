//! Encodes the sections of a segment, as tasks for several threads.

use crate::index::format::column::write_column;
use crate::index::format::dictionary;
use crate::index::format::end_offsets::write_end_offsets;
use crate::index::format::interner::Interner;
use crate::index::format::section::Section;

/// A section or dictionary that is to be encoded.
pub(crate) enum PendingSection {
    /// A dictionary.
    Names(Interner),
    /// A section that is encoded already.
    Bytes(Section, Vec<u8>),
    /// End offsets, given as lengths.
    Ends(Section, Vec<u32>),
    /// A column, and whether a table is worth trying.
    Column(Section, Vec<u32>, bool),
}

/// The result of [`PendingSection::encode`].
pub(crate) enum EncodedSection {
    /// A dictionary, and the final number of each of its texts.
    Names(dictionary::DictionarySections, Vec<u32>),
    /// One section.
    Section(Section, Vec<u8>),
}

impl PendingSection {
    /// Encodes the section or dictionary.
    pub(crate) fn encode(self) -> EncodedSection {
        match self {
            Self::Names(names) => {
                let (sections, numbers) = names.write();
                EncodedSection::Names(sections, numbers)
            }
            Self::Bytes(section, bytes) => EncodedSection::Section(section, bytes),
            Self::Ends(section, lengths) => EncodedSection::Section(section, write_end_offsets(&lengths)),
            Self::Column(section, values, tabled) => {
                EncodedSection::Section(section, write_column(&values, tabled))
            }
        }
    }
}

/// Encodes a column of text numbers after replacing each by the final one.
pub(crate) fn renumbered_column(mut values: Vec<u32>, numbers: &[u32]) -> Vec<u8> {
    values.iter_mut().for_each(|value| *value = numbers[*value as usize]);
    write_column(&values, false)
}
