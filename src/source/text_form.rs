//! Texts that are turned into PDN in an encoding of ASCII characters while they are read, or out of which PDN is taken.

use super::charset::Encoding;
use super::container::Container;
use super::excerpt_stage::{Carrier, ExcerptStage};
use super::position_list::{PositionList, is_position_list};
use super::pull::Pull;
use super::text_offsets::TextOffsets;
use super::transcoder::Transcoder;
use super::utf16_form::Utf16;

/// Number of bytes at the start of an input that decide whether it is a container, UTF-16, a list of positions or a carrier of games.
pub const HEAD_BYTES: usize = 4 << 10;

/// Number of bytes of them that decide about UTF-16 and lists of positions.
const SHORT_HEAD: usize = 1 << 10;

/// The form of a text whose bytes are not those that records have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextForm {
    /// UTF-16, which becomes UTF-8.
    Utf16(Utf16),
    /// A position on each line, which becomes a record.
    Positions,
    /// JSON, a page or a post of a forum, out of which games are taken.
    Carrier(Carrier),
}

/// Returns `true` if a text in this container and form has the bytes of its file: it is neither packed nor changed while it is read.
pub(crate) fn keeps_bytes(container: Container, form: Option<TextForm>) -> bool {
    container == Container::Plain && form.is_none()
}

impl TextForm {
    /// Recognises the form of a text from its first [`HEAD_BYTES`] bytes or more, or all of them; `None` if its bytes are those of its
    /// records. `forced` is the encoding that the caller forces.
    pub fn of(head: &[u8], forced: Option<Encoding>) -> Option<Self> {
        let head = &head[..head.len().min(HEAD_BYTES)];
        let short = &head[..head.len().min(SHORT_HEAD)];
        if let Some(form) = Encoding::utf16_of(short, forced) {
            Some(Self::Utf16(form))
        } else if is_position_list(short, short.len() < SHORT_HEAD) {
            Some(Self::Positions)
        } else {
            Carrier::of(head).map(Self::Carrier)
        }
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
            Self::Carrier(carrier) => {
                let stage = ExcerptStage::new(pull, carrier);
                let offsets = stage.offsets();
                (Box::new(stage), offsets)
            }
        }
    }
}
