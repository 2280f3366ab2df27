//! Collects the tags that an index stores, while a record is walked for the replayer.

use crate::parse::{Flow, TagPair, Visitor, forward_to};
use crate::replay::Replayer;
use crate::value::{Colour, TagName};

/// A tag value as written; empty for an absent tag.
pub(super) type TagValue<'g> = &'g [u8];

/// Places of the stored tags in [`IndexedTags`].
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum TagSlot {
    White,
    Black,
    WhiteRating,
    BlackRating,
    Event,
    Site,
    Round,
    Date,
}

/// Number of stored tags.
const SLOTS: usize = TagSlot::Date as usize + 1;

/// The tags that an index stores, as written.
#[derive(Default)]
pub(super) struct IndexedTags<'g> {
    values: [TagValue<'g>; SLOTS],
    /// The slots that were filled under another name than that of the standard, one bit each.
    aliases: u8,
    /// The slots that were filled from a tag of the player who starts or the other one (`P1`, `P2Elo`), one bit each.
    seats: u8,
}

impl<'g> IndexedTags<'g> {
    /// Returns the value of a slot; empty for an absent tag.
    pub(super) fn get(&self, slot: TagSlot) -> TagValue<'g> {
        self.values[slot as usize]
    }

    /// Stores the first value of each tag; one under the name of the standard replaces one under another name. Returns
    /// `true` if a replay may use the tag.
    // Twin of the comparison: `recognise_tag`; test: `exact_tag_names_are_recognised`.
    #[inline]
    fn collect(&mut self, tag: &TagPair<'g>, replayer: &mut Replayer) -> bool {
        let slot = match tag.name {
            b"White" => TagSlot::White,
            b"Black" => TagSlot::Black,
            b"Event" => TagSlot::Event,
            b"Site" => TagSlot::Site,
            b"Round" => TagSlot::Round,
            b"Date" => TagSlot::Date,
            b"WhiteRating" => TagSlot::WhiteRating,
            b"BlackRating" => TagSlot::BlackRating,
            b"WhiteTitle" | b"BlackTitle" => return false,
            b"Result" | b"GameType" | b"FEN" => return true,
            name => {
                let Some(meaning) = replayer.recognise_tag(name) else { return false };
                if let Some(slot) = slot_of(meaning) {
                    self.collect_alias(slot, tag);
                }
                return matches!(
                    meaning,
                    TagName::Result | TagName::GameType | TagName::Variant | TagName::FEN
                );
            }
        };
        let value = &mut self.values[slot as usize];
        if value.is_empty() || self.aliases >> slot as u8 & 1 != 0 {
            self.aliases &= !(1 << slot as u8);
            self.seats &= !(1 << slot as u8);
            *value = tag.value;
        }
        false
    }

    /// Stores a value under another name than that of the standard, unless the slot has a value.
    fn collect_alias(&mut self, slot: TagSlot, tag: &TagPair<'g>) {
        let value = &mut self.values[slot as usize];
        if value.is_empty() {
            *value = tag.value;
            self.aliases |= 1 << slot as u8;
            if matches!(tag.name, [b'P' | b'p', b'1' | b'2', ..]) {
                self.seats |= 1 << slot as u8;
            }
        }
    }

    /// Exchanges what `P1` and `P2` give if Black starts: player 1 is the one who starts.
    pub(super) fn seat_players(&mut self, start: Colour) {
        if self.seats == 0 || start == Colour::White {
            return;
        }
        let is_free = |slot: TagSlot| self.get(slot).is_empty() || self.seats >> slot as u8 & 1 != 0;
        let players = is_free(TagSlot::White) && is_free(TagSlot::Black);
        let ratings = is_free(TagSlot::WhiteRating) && is_free(TagSlot::BlackRating);
        if players {
            self.values.swap(TagSlot::White as usize, TagSlot::Black as usize);
        }
        if ratings {
            self.values.swap(TagSlot::WhiteRating as usize, TagSlot::BlackRating as usize);
        }
    }
}

/// Returns the slot of a tag whose name is in the wrong case, in another language, or of another program.
fn slot_of(tag: TagName) -> Option<TagSlot> {
    match tag {
        TagName::White => Some(TagSlot::White),
        TagName::Black => Some(TagSlot::Black),
        TagName::Event => Some(TagSlot::Event),
        TagName::Site => Some(TagSlot::Site),
        TagName::Round => Some(TagSlot::Round),
        TagName::Date => Some(TagSlot::Date),
        TagName::WhiteRating => Some(TagSlot::WhiteRating),
        TagName::BlackRating => Some(TagSlot::BlackRating),
        _ => None,
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

    const SLOTS: [(TagSlot, TagName); 8] = [
        (TagSlot::White, TagName::White),
        (TagSlot::Black, TagName::Black),
        (TagSlot::WhiteRating, TagName::WhiteRating),
        (TagSlot::BlackRating, TagName::BlackRating),
        (TagSlot::Event, TagName::Event),
        (TagSlot::Site, TagName::Site),
        (TagSlot::Round, TagName::Round),
        (TagSlot::Date, TagName::Date),
    ];

    fn pair<'g>(name: &'g str, value: &'g str) -> TagPair<'g> {
        TagPair {
            name: name.as_bytes(),
            value: value.as_bytes(),
            span: Default::default(),
            name_span: Default::default(),
            value_span: Default::default(),
            in_moves: false,
        }
    }

    fn collected<'g>(pairs: &[(&'g str, &'g str)]) -> IndexedTags<'g> {
        let (mut tags, mut replayer) = (IndexedTags::default(), Replayer::default());
        for (name, value) in pairs {
            tags.collect(&pair(name, value), &mut replayer);
        }
        tags
    }

    #[test]
    fn exact_tag_names_are_recognised() {
        let mut replayer = Replayer::default();
        let other = ["white", "Uitslag", "R&eacute;sultat", "Fen", "P1", "P2Elo", "WhiteElo", "Anno", "X"];
        for name in TagName::ALL.iter().map(|tag| tag.name()).chain(other) {
            let mut tags = IndexedTags::default();
            let replay_uses = tags.collect(&pair(name, "x"), &mut replayer);
            let found = recognise_tag(name.as_bytes()).map(|found| found.tag);
            let used =
                matches!(found, Some(TagName::Result | TagName::GameType | TagName::Variant | TagName::FEN));
            assert_eq!(replay_uses, used, "{name}");
            for (slot, tag) in SLOTS {
                assert_eq!(!tags.get(slot).is_empty(), found == Some(tag), "{name}");
            }
        }
    }

    #[test]
    fn name_of_the_standard_replaces_alias() {
        let tags = collected(&[
            ("Anno", "2005"),
            ("Date", "2005.03.01"),
            ("White", "a"),
            ("Bianco", "b"),
            ("Nero", "c"),
        ]);
        assert_eq!(tags.get(TagSlot::Date), b"2005.03.01");
        assert_eq!(tags.get(TagSlot::White), b"a");
        assert_eq!(tags.get(TagSlot::Black), b"c");
        assert_eq!(collected(&[("Date", ""), ("Anno", "2005")]).get(TagSlot::Date), b"2005");
        assert_eq!(collected(&[("Date", "2001"), ("Date", "2002")]).get(TagSlot::Date), b"2001");
    }

    #[test]
    fn player_one_is_the_one_who_starts() {
        let seated = |start, pairs: &[(&'static str, &'static str)]| {
            let mut tags = collected(pairs);
            tags.seat_players(start);
            [TagSlot::White, TagSlot::Black, TagSlot::WhiteRating, TagSlot::BlackRating]
                .map(|slot| String::from_utf8_lossy(tags.get(slot)).into_owned())
        };
        let pairs = [("P1", "a"), ("P2", "b"), ("P1Elo", "1"), ("P2Elo", "2")];
        assert_eq!(seated(Colour::White, &pairs), ["a", "b", "1", "2"]);
        assert_eq!(seated(Colour::Black, &pairs), ["b", "a", "2", "1"]);
        assert_eq!(seated(Colour::Black, &[("P1", "a")]), ["", "a", "", ""]);
        assert_eq!(
            seated(Colour::Black, &[("White", "a"), ("P2", "b"), ("P1Elo", "1")]),
            ["a", "b", "", "1"]
        );
        assert_eq!(seated(Colour::Black, &[("White", "a"), ("Black", "b")]), ["a", "b", "", ""]);
        let pairs = [("P1", "a"), ("P2", "b"), ("WhiteRating", "1"), ("BlackRating", "2")];
        assert_eq!(
            seated(Colour::Black, &pairs),
            ["b", "a", "1", "2"],
            "the ratings are named for the colours"
        );
    }
}
