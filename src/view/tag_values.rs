//! The values of the tags that tables and indexes have columns for: the one place where it is decided which of several tags
//! counts.

use super::tags::Tags;
use super::{GameView, result_that_counts};
use crate::parse::{TagPair, recognise_tag};
use crate::simd::{self, Isa, Task};
use crate::value::{Colour, Date, Rating, TagName};

/// Places of the kept tags in [`TagValues`].
#[derive(Clone, Copy)]
#[repr(u8)]
enum Slot {
    White,
    Black,
    WhiteRating,
    BlackRating,
    Event,
    Site,
    Round,
    Date,
    Result,
    TimeControl,
    Annotator,
    Opening,
}

/// Number of kept tags.
const SLOTS: usize = Slot::Opening as usize + 1;

/// The values of the tags of a record that have columns of their own, as written.
///
/// Of several tags with one meaning, the first that has a value counts; one under the name of the standard replaces one under
/// another name. Of several results, the one that counts by [`GameResult::or_later`](crate::value::GameResult::or_later). Tags
/// among the moves count like those of the tag section.
///
/// ```
/// use pdn::value::TagName;
/// use pdn::view::{GameView, TagValues};
///
/// let game = GameView::new(b"[Wit \"Jansen\"] [White \"J. Jansen\"] 1. 32-28 [Zwart \"Smit\"] 19-23 *");
/// let tags = TagValues::of(&game);
/// assert_eq!(tags.get(TagName::White), b"J. Jansen");
/// assert_eq!(tags.get(TagName::Black), b"Smit");
/// assert_eq!(tags.get(TagName::Event), b"");
/// ```
#[derive(Clone, Debug, Default)]
pub struct TagValues<'g> {
    values: [&'g [u8]; SLOTS],
    /// The slots that were filled under another name than that of the standard, one bit each.
    aliases: u16,
    /// The slots that were filled from a tag of the player who starts or the other one (`P1`, `P2Elo`), one bit each.
    seats: u16,
}

impl<'g> TagValues<'g> {
    /// Reads the tags of a record.
    pub fn of(view: &GameView<'g>) -> Self {
        Self::read(view.tags(), &mut |name| recognise_tag(name).map(|found| found.tag))
    }

    /// Collects tags. `recognise` returns what a name means, as [`recognise_tag`] does.
    pub(crate) fn read(mut tags: Tags<'g>, recognise: RecogniseTag<'_>) -> Self {
        let mut values = Self::default();
        let is_complete =
            simd::run(CollectRegular { tags: &mut tags, values: &mut values, recognise: &mut *recognise });
        if !is_complete {
            for tag in tags {
                values.collect(&tag, &mut *recognise);
            }
        }
        values
    }

    /// Returns the value of a tag without surrounding whitespace; empty if it is missing, or has no column of its own.
    #[inline]
    pub fn get(&self, tag: TagName) -> &'g [u8] {
        slot_of(tag).map_or(b"", |slot| self.values[slot as usize].trim_ascii())
    }

    /// Returns the date; unknown if it cannot be read.
    pub fn date(&self) -> Date {
        Date::read(self.get(TagName::Date)).map_or(Date::UNKNOWN, |read| read.date)
    }

    /// Returns the number that a tag of a rating gives; `None` if there is none or it cannot be read.
    pub fn rating(&self, tag: TagName) -> Option<u16> {
        Rating::read(self.get(tag)).ok().flatten().map(|rating| rating.value)
    }

    /// Returns `true` if [`seat_players`](Self::seat_players) may change values.
    pub fn has_seats(&self) -> bool {
        self.seats != 0
    }

    /// Exchanges what `P1` and `P2` give if Black starts: player 1 is the one who starts.
    pub fn seat_players(&mut self, start: Colour) {
        if self.seats == 0 || start == Colour::White {
            return;
        }
        let is_free =
            |slot: Slot| self.values[slot as usize].is_empty() || self.seats >> slot as u16 & 1 != 0;
        let players = is_free(Slot::White) && is_free(Slot::Black);
        let ratings = is_free(Slot::WhiteRating) && is_free(Slot::BlackRating);
        if players {
            self.values.swap(Slot::White as usize, Slot::Black as usize);
        }
        if ratings {
            self.values.swap(Slot::WhiteRating as usize, Slot::BlackRating as usize);
        }
    }

    /// Keeps the value of a tag if it counts. Returns what the tag means.
    // Twin of the comparison: `recognise_tag`; test: `exact_tag_names_are_recognised`.
    #[inline]
    pub(crate) fn collect(
        &mut self,
        tag: &TagPair<'g>,
        recognise: impl FnOnce(&[u8]) -> Option<TagName>,
    ) -> Option<TagName> {
        let (slot, meaning) = match tag.name {
            b"White" => (Slot::White, TagName::White),
            b"Black" => (Slot::Black, TagName::Black),
            b"Event" => (Slot::Event, TagName::Event),
            b"Site" => (Slot::Site, TagName::Site),
            b"Round" => (Slot::Round, TagName::Round),
            b"Date" => (Slot::Date, TagName::Date),
            b"WhiteRating" => (Slot::WhiteRating, TagName::WhiteRating),
            b"BlackRating" => (Slot::BlackRating, TagName::BlackRating),
            b"Result" => {
                self.collect_result(tag.value);
                return Some(TagName::Result);
            }
            b"WhiteTitle" => return Some(TagName::WhiteTitle),
            b"BlackTitle" => return Some(TagName::BlackTitle),
            b"GameType" => return Some(TagName::GameType),
            b"FEN" => return Some(TagName::FEN),
            name => {
                let meaning = recognise(name)?;
                self.collect_other(meaning, tag);
                return Some(meaning);
            }
        };
        let value = &mut self.values[slot as usize];
        if value.is_empty() || self.aliases >> slot as u16 & 1 != 0 {
            self.aliases &= !(1 << slot as u16);
            self.seats &= !(1 << slot as u16);
            *value = not_blank(tag.value);
        }
        Some(meaning)
    }

    /// Keeps the value of a tag whose name was looked up: another name, or one that few records have.
    fn collect_other(&mut self, meaning: TagName, tag: &TagPair<'g>) {
        let slot = match slot_of(meaning) {
            Some(Slot::Result) => return self.collect_result(tag.value),
            Some(slot) => slot,
            None => return,
        };
        let is_standard = tag.name == meaning.name().as_bytes();
        let is_alias_there = self.aliases >> slot as u16 & 1 != 0;
        let value = &mut self.values[slot as usize];
        if !(value.is_empty() || is_standard && is_alias_there) {
            return;
        }
        *value = not_blank(tag.value);
        let bit = 1 << slot as u16;
        self.aliases &= !bit;
        self.seats &= !bit;
        if !is_standard && !value.is_empty() {
            self.aliases |= bit;
            if matches!(tag.name, [b'P' | b'p', b'1' | b'2', ..]) {
                self.seats |= bit;
            }
        }
    }

    /// Keeps a result unless the one before it counts.
    #[inline]
    fn collect_result(&mut self, value: &'g [u8]) {
        let kept = &mut self.values[Slot::Result as usize];
        *kept = match *kept {
            b"" => not_blank(value),
            earlier => result_that_counts(Some(earlier), Some(not_blank(value))).unwrap_or_default(),
        };
    }
}

/// Returns what a tag name means.
type RecogniseTag<'r> = &'r mut dyn FnMut(&[u8]) -> Option<TagName>;

/// Collects the tags up to the first irregular one, with the instruction set of this processor. Returns `true` if it is certain that no
/// other tags follow.
struct CollectRegular<'c, 'g> {
    tags: &'c mut Tags<'g>,
    values: &'c mut TagValues<'g>,
    recognise: RecogniseTag<'c>,
}

impl Task for CollectRegular<'_, '_> {
    type Output = bool;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> bool {
        let Self { tags, values, recognise } = self;
        tags.pass_regular(isa, |tag| {
            values.collect(&tag, &mut *recognise);
        })
    }
}

/// Returns the value; empty if it consists of whitespace only.
#[inline]
fn not_blank(value: &[u8]) -> &[u8] {
    match value {
        [first, ..] if first.is_ascii_whitespace() => value.trim_ascii(),
        value => value,
    }
}

/// Returns the slot of a tag.
#[inline]
fn slot_of(tag: TagName) -> Option<Slot> {
    match tag {
        TagName::White => Some(Slot::White),
        TagName::Black => Some(Slot::Black),
        TagName::WhiteRating => Some(Slot::WhiteRating),
        TagName::BlackRating => Some(Slot::BlackRating),
        TagName::Event => Some(Slot::Event),
        TagName::Site => Some(Slot::Site),
        TagName::Round => Some(Slot::Round),
        TagName::Date => Some(Slot::Date),
        TagName::Result => Some(Slot::Result),
        TagName::TimeControl => Some(Slot::TimeControl),
        TagName::Annotator => Some(Slot::Annotator),
        TagName::Opening => Some(Slot::Opening),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOTS: [TagName; 12] = [
        TagName::White,
        TagName::Black,
        TagName::WhiteRating,
        TagName::BlackRating,
        TagName::Event,
        TagName::Site,
        TagName::Round,
        TagName::Date,
        TagName::Result,
        TagName::TimeControl,
        TagName::Annotator,
        TagName::Opening,
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

    fn recognise(name: &[u8]) -> Option<TagName> {
        recognise_tag(name).map(|found| found.tag)
    }

    fn collected<'g>(pairs: &[(&'g str, &'g str)]) -> TagValues<'g> {
        let mut tags = TagValues::default();
        for (name, value) in pairs {
            tags.collect(&pair(name, value), recognise);
        }
        tags
    }

    #[test]
    fn exact_tag_names_are_recognised() {
        let other = ["white", "Uitslag", "R&eacute;sultat", "Fen", "P1", "P2Elo", "WhiteElo", "Anno", "X"];
        for name in TagName::ALL.iter().map(|tag| tag.name()).chain(other) {
            let mut tags = TagValues::default();
            let meaning = tags.collect(&pair(name, "x"), recognise);
            assert_eq!(meaning, recognise(name.as_bytes()), "{name}");
            for tag in SLOTS {
                assert_eq!(!tags.get(tag).is_empty(), meaning == Some(tag), "{name}");
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
            ("opening", "d"),
            ("Opening", "e"),
            ("Opening", "f"),
        ]);
        assert_eq!(tags.get(TagName::Date), b"2005.03.01");
        assert_eq!(tags.get(TagName::White), b"a");
        assert_eq!(tags.get(TagName::Black), b"c");
        assert_eq!(tags.get(TagName::Opening), b"e");
        assert_eq!(collected(&[("Date", ""), ("Anno", "2005")]).get(TagName::Date), b"2005");
        assert_eq!(collected(&[("Date", "2001"), ("Date", "2002")]).get(TagName::Date), b"2001");
    }

    #[test]
    fn blank_values_do_not_count() {
        let tags =
            collected(&[("White", " \t"), ("White", " a "), ("Noir", " "), ("P2", "b"), ("Result", " ")]);
        assert_eq!((tags.get(TagName::White), tags.get(TagName::Black)), (&b"a"[..], &b"b"[..]));
        assert_eq!(tags.get(TagName::Result), b"");
        assert!(tags.has_seats());
    }

    #[test]
    fn result_that_says_more_counts() {
        for (pairs, expected) in [
            ([("Result", "*"), ("Result", "2-0")], "2-0"),
            ([("Resultaat", "0-2"), ("Result", "2-0")], "0-2"),
            ([("Result", " "), ("Uitslag", "1-1")], "1-1"),
            ([("Result", "2-0"), ("Result", " ")], "2-0"),
        ] {
            assert_eq!(collected(&pairs).get(TagName::Result), expected.as_bytes(), "{pairs:?}");
        }
    }

    #[test]
    fn player_one_is_the_one_who_starts() {
        let seated = |start, pairs: &[(&'static str, &'static str)]| {
            let mut tags = collected(pairs);
            tags.seat_players(start);
            [TagName::White, TagName::Black, TagName::WhiteRating, TagName::BlackRating]
                .map(|tag| String::from_utf8_lossy(tags.get(tag)).into_owned())
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
