//! Encodes the sections of a segment, as tasks for several threads.

use crate::format::column::write_column;
use crate::format::columns::{DictionaryKind, NumberColumn, Section};
use crate::format::dictionary::DictionarySections;
use crate::format::end_offsets::write_end_offsets;
use crate::format::interner::Interner;

/// A section or dictionary that is to be encoded.
pub(crate) enum PendingSection {
    /// A dictionary.
    Dictionary(DictionaryKind, Interner),
    /// A section that is encoded already.
    Bytes(Section, Vec<u8>),
    /// End offsets, given as lengths.
    Ends(Section, Vec<u32>),
    /// A column of numbers.
    Column(NumberColumn, Vec<u32>),
}

/// The result of [`PendingSection::encode`].
pub(crate) enum EncodedSection {
    /// A dictionary, and the final number of each of its texts.
    Dictionary(DictionaryKind, DictionarySections, Vec<u32>),
    /// A section that is no column.
    Table(Section, Vec<u8>),
    /// A column of numbers.
    Column(Section, Vec<u8>),
}

impl PendingSection {
    /// Encodes the section or dictionary.
    pub(crate) fn encode(self) -> EncodedSection {
        match self {
            Self::Dictionary(kind, interner) => {
                let (sections, numbers) = interner.write();
                EncodedSection::Dictionary(kind, sections, numbers)
            }
            Self::Bytes(section, bytes) => EncodedSection::Table(section, bytes),
            Self::Ends(section, lengths) => EncodedSection::Table(section, write_end_offsets(&lengths)),
            Self::Column(column, values) => {
                EncodedSection::Column(column.section(), write_column(&values, column.tries_table()))
            }
        }
    }
}

/// Encodes a column of text numbers after replacing each by the final one.
pub(crate) fn renumbered_column(mut values: Vec<u32>, numbers: &[u32]) -> Vec<u8> {
    values.iter_mut().for_each(|value| *value = numbers[*value as usize]);
    write_column(&values, false)
}
