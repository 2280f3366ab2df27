//! What the texts of records add to what an index stores of them.

use twox_hash::XxHash3_64;

use pdn::limits::Limits;
use pdn::parse::{Comment, Flow, TagPair, VariationAction, VariationMark, Visitor, walk_with};
use pdn::view::GameView;

/// What the text of a record adds: the number of known tags, and that of comments and variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TextFacts {
    pub(super) tags: u32,
    pub(super) notes: u32,
}

impl TextFacts {
    pub(super) fn of(record: &[u8]) -> Self {
        let mut facts = Self::default();
        // The visitor never breaks off.
        let _ = walk_with(record, &Limits::DEFAULT, &mut facts);
        facts
    }
}

impl<'g> Visitor<'g> for TextFacts {
    const NUMBERS: bool = false;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags += u32::from(is_known_value(tag.value));
        Flow::Continue(())
    }

    fn comment(&mut self, _: Comment<'g>) -> Flow {
        self.notes += 1;
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.notes += 1;
        VariationAction::Enter
    }
}

/// Returns `true` if a tag value says something: it has a letter or a digit. `?`, `*`, `-` and `????.??.??` do not.
pub fn is_known_value(value: &[u8]) -> bool {
    value.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Computes the hash of a record that is not compared as moves: of the whole record of a game without legal plies, of the movetext of
/// others. Whitespace does not count.
pub(super) fn rest_of(record: &[u8], plies: u32) -> u64 {
    let compared = if plies == 0 { record } else { GameView::new(record).movetext() };
    let bytes: Vec<u8> = compared.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    XxHash3_64::oneshot(&bytes)
}
