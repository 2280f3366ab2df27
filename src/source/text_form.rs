//! Texts that are turned into PDN in an encoding of ASCII characters while they are read.

use super::charset::Encoding;
use super::position_list::{PositionList, is_position_list};
use super::pull::Pull;
use super::text_offsets::TextOffsets;
use super::transcoder::Transcoder;
use super::utf16_form::Utf16;

/// Number of bytes at the start of an input that decide whether it is a container, UTF-16 or a list of positions.
pub const HEAD_BYTES: usize = 1 << 10;

/// The form of a text whose bytes are not those that records have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextForm {
    /// UTF-16, which becomes UTF-8.
    Utf16(Utf16),
    /// A position on each line, which becomes a record.
    Positions,
}

impl TextForm {
    /// Recognises the form of a text from its first [`HEAD_BYTES`] bytes or more, or all of them; `None` if its bytes are those of its
    /// records. `forced` is the encoding that the caller forces.
    pub fn of(head: &[u8], forced: Option<Encoding>) -> Option<Self> {
        let head = &head[..head.len().min(HEAD_BYTES)];
        let utf16 = Encoding::utf16_of(head, forced).map(Self::Utf16);
        utf16.or_else(|| is_position_list(head, head.len() < HEAD_BYTES).then_some(Self::Positions))
    }

    /// Returns the stage that turns the text that `pull` gives into that of its records, and the map of its offsets.
    pub(super) fn stage(self, pull: Box<dyn Pull>) -> (Box<dyn Pull>, TextOffsets) {
        match self {
            Self::Utf16(form) => {
                let stage = Transcoder::new(pull, form);
                let offsets = stage.offsets();
                (Box::new(stage), offsets)
            }
            Self::Positions => {
                let stage = PositionList::new(pull);
                let offsets = stage.offsets();
                (Box::new(stage), offsets)
            }
        }
    }
}
