//! Collects the tags that an index stores, while a record is walked for the replayer.

use crate::parse::{Flow, TagPair, Visitor, forward_to};
use crate::replay::Replayer;
use crate::value::TagName;

/// A tag value as written; empty for an absent tag.
pub(super) type TagValue<'g> = &'g [u8];

/// The tags that an index stores, as written.
#[derive(Default)]
pub(super) struct IndexedTags<'g> {
    /// White, Black, Event, Site, Round.
    pub(super) texts: [TagValue<'g>; 5],
    pub(super) date: TagValue<'g>,
    pub(super) ratings: [TagValue<'g>; 2],
}

impl<'g> IndexedTags<'g> {
    /// Stores the first value of each tag. Returns `true` if a replay may use the tag.
    // Twin of the comparison: `recognise_tag`; test: `exact_tag_names_are_recognised`.
    #[inline]
    fn collect(&mut self, tag: &TagPair<'g>, replayer: &mut Replayer) -> bool {
        let slot = match tag.name {
            b"White" => &mut self.texts[0],
            b"Black" => &mut self.texts[1],
            b"Event" => &mut self.texts[2],
            b"Site" => &mut self.texts[3],
            b"Round" => &mut self.texts[4],
            b"Date" => &mut self.date,
            b"WhiteRating" => &mut self.ratings[0],
            b"BlackRating" => &mut self.ratings[1],
            b"WhiteTitle" | b"BlackTitle" => return false,
            b"Result" | b"GameType" | b"FEN" => return true,
            name => {
                let Some(name) = replayer.recognise_tag(name) else { return false };
                if let Some(slot) = self.slot_of(name) {
                    keep_first(slot, tag.value);
                }
                return matches!(name, TagName::Result | TagName::GameType | TagName::FEN);
            }
        };
        keep_first(slot, tag.value);
        false
    }

    /// Returns the slot of a tag whose name is in the wrong case, in another language, or of another program.
    fn slot_of(&mut self, tag: TagName) -> Option<&mut TagValue<'g>> {
        match tag {
            TagName::White => Some(&mut self.texts[0]),
            TagName::Black => Some(&mut self.texts[1]),
            TagName::Event => Some(&mut self.texts[2]),
            TagName::Site => Some(&mut self.texts[3]),
            TagName::Round => Some(&mut self.texts[4]),
            TagName::Date => Some(&mut self.date),
            TagName::WhiteRating => Some(&mut self.ratings[0]),
            TagName::BlackRating => Some(&mut self.ratings[1]),
            _ => None,
        }
    }
}

/// Stores a value unless there is one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn keep_first<'g>(slot: &mut TagValue<'g>, value: TagValue<'g>) {
    if slot.is_empty() {
        *slot = value;
    }
}

/// Collects tags, and passes all parts of a record on to the replayer except the tags that it does not use.
pub(super) struct TagCollector<'r, 'g> {
    pub(super) replayer: &'r mut Replayer,
    pub(super) tags: IndexedTags<'g>,
}

impl<'g> Visitor<'g> for TagCollector<'_, 'g> {
    const NUMBERS: bool = false;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        if self.tags.collect(&tag, self.replayer) { self.replayer.tag(tag) } else { Flow::Continue(()) }
    }

    forward_to! { parts, self => *self.replayer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::recognise_tag;

    /// Returns the tag of a slot that one value fills.
    fn collected(tags: &IndexedTags<'_>) -> Option<TagName> {
        const TEXTS: [TagName; 5] =
            [TagName::White, TagName::Black, TagName::Event, TagName::Site, TagName::Round];
        const RATINGS: [TagName; 2] = [TagName::WhiteRating, TagName::BlackRating];
        let filled = |values: &[TagValue<'_>]| values.iter().position(|value| !value.is_empty());
        filled(&tags.texts)
            .map(|n| TEXTS[n])
            .or_else(|| filled(&tags.ratings).map(|n| RATINGS[n]))
            .or_else(|| filled(&[tags.date]).map(|_| TagName::Date))
    }

    #[test]
    fn exact_tag_names_are_recognised() {
        let mut replayer = Replayer::default();
        let names = TagName::ALL.iter().map(|tag| tag.name()).chain([
            "white",
            "Uitslag",
            "R&eacute;sultat",
            "Fen",
            "X",
        ]);
        for name in names {
            let mut tags = IndexedTags::default();
            let pair = TagPair {
                name: name.as_bytes(),
                value: b"x",
                span: Default::default(),
                name_span: Default::default(),
                value_span: Default::default(),
                in_moves: false,
            };
            let replay_uses = tags.collect(&pair, &mut replayer);
            let found = recognise_tag(name.as_bytes()).map(|found| found.tag);
            let used = matches!(found, Some(TagName::Result | TagName::GameType | TagName::FEN));
            assert_eq!(replay_uses, used, "{name}");
            let is_indexed = found.is_some_and(|tag| IndexedTags::default().slot_of(tag).is_some());
            assert_eq!(collected(&tags), found.filter(|_| is_indexed), "{name}");
        }
    }
}
