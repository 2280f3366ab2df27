//! PENDING

use crate::index::format::column::write_column;
use crate::index::format::dictionary;
use crate::index::format::end_offsets::write_ends;
use crate::index::format::interner::Interner;
use crate::index::format::section::Section;

/// Something that is still to be worked out.
pub(crate) enum Part {
    Names(Interner),
    Bytes(Section, Vec<u8>),
    Ends(Section, Vec<u32>),
    /// A column, and whether a table is worth trying.
    Column(Section, Vec<u32>, bool),
}

/// What has been worked out.
pub(crate) enum Done {
    /// A dictionary, and the final numbers of its texts.
    Names(dictionary::Sections, Vec<u32>),
    Section(Section, Vec<u8>),
}

impl Part {
    pub(crate) fn work(self) -> Done {
        match self {
            Self::Names(names) => {
                let (sections, numbers) = names.write();
                Done::Names(sections, numbers)
            }
            Self::Bytes(section, bytes) => Done::Section(section, bytes),
            Self::Ends(section, lengths) => Done::Section(section, write_ends(&lengths)),
            Self::Column(section, values, tabled) => Done::Section(section, write_column(&values, tabled)),
        }
    }
}

/// A column of numbers that are replaced by others.
pub(crate) fn renumbered_column(mut values: Vec<u32>, numbers: &[u32]) -> Vec<u8> {
    values.iter_mut().for_each(|value| *value = numbers[*value as usize]);
    write_column(&values, false)
}
