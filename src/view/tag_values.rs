//! The values of the tags that tables and indexes have columns for: the one place where it is decided which of several tags
//! counts.

use std::ops::ControlFlow;

use super::RecordView;
use super::tags::Tags;
use crate::parse::{TagPair, recognise_tag};
use crate::simd::{self, Isa, Task};
use crate::value::{
    Colour, Date, DateOrders, GameResult, Rating, ResultWeight, TagName, is_of_starter, is_red,
};

macro_rules! slots {
    ($($tag:ident,)*) => {
        /// Places of the kept tags in [`TagValues`].
        #[derive(Clone, Copy)]
        #[repr(u8)]
        enum Slot {
            $($tag,)*
        }

        /// The kept tags, in the order of their slots.
        const KEPT: &[TagName] = &[$(TagName::$tag,)*];

        /// Returns the slot of a tag.
        #[inline]
        const fn slot_of(tag: TagName) -> Option<Slot> {
            match tag {
                $(TagName::$tag => Some(Slot::$tag),)*
                _ => None,
            }
        }
    };
}

slots! {
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

impl Slot {
    /// Returns the bit of the slot in a set.
    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A set of tags that have columns of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TagSet(u16);

impl TagSet {
    /// Every tag, also those without a slot. Tags are then read to the end.
    pub(crate) const ALL: Self = Self(u16::MAX);

    /// Returns `true` if the set is empty.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[doc(hidden)]
impl FromIterator<TagName> for TagSet {
    /// Collects the tags that have columns of their own; others are left out.
    fn from_iter<I: IntoIterator<Item = TagName>>(tags: I) -> Self {
        Self(tags.into_iter().filter_map(slot_of).fold(0, |set, slot| set | slot.bit()))
    }
}

/// The values of the tags of a record that have columns of their own, as written.
///
/// Of several tags with one meaning, the first that has a value counts; one under the name of the standard replaces one under
/// another name. Of several results, the one that counts by [`GameResult::or_later`](crate::value::GameResult::or_later). Tags
/// among the moves count like those of the tag section.
///
/// ```
/// use pdn::value::TagName;
/// use pdn::view::RecordView;
/// use pdn::internal::view::TagValues;
///
/// let game = RecordView::new(b"[Wit \"Jansen\"] [White \"J. Jansen\"] 1. 32-28 [Zwart \"Smit\"] 19-23 *");
/// let tags = TagValues::of(&game);
/// assert_eq!(tags.get(TagName::White), b"J. Jansen");
/// assert_eq!(tags.get(TagName::Black), b"Smit");
/// assert_eq!(tags.get(TagName::Event), b"");
/// ```
#[derive(Clone, Debug, Default)]
pub struct TagValues<'g> {
    values: [&'g [u8]; KEPT.len()],
    /// The slots that no later tag changes, one bit each: those that were filled under the name of the standard, and that of the result
    /// once its outcome is known.
    settled: u16,
    /// The slots that were filled from a tag of the player who starts or the other one (`P1`, `P2Elo`), one bit each.
    seats: u16,
    /// The slots that were filled from a tag of the red pieces (`Red`, `Rouge`), one bit each.
    reds: u16,
    /// Where the date comes from, unless it is settled.
    date_rank: DateRank,
}

/// Tags from which a date is taken where the Date tag does not give one, the least telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum DateRank {
    #[default]
    None,
    Unknown,
    EventYear,
    Utc,
    OtherName,
}

impl<'g> TagValues<'g> {
    /// Reads the tags of a record.
    pub fn of(view: &RecordView<'g>) -> Self {
        Self::read(Tags::new(view.raw()), TagSet::ALL, &mut |name| recognise_tag(name).map(|found| found.tag))
    }

    /// Reads the tags of a record until no later one can change the values of `wanted`. Other values may be missing.
    ///
    /// Most records name the players first, so that this takes a small part of the time of [`of`](Self::of).
    ///
    /// ```
    /// use pdn::value::TagName;
    /// use pdn::view::RecordView;
    /// use pdn::internal::view::TagValues;
    ///
    /// let game = RecordView::new(b"[White \"Ames\"] [Black \"Bell\"] [Event \"Open\"] *");
    /// let tags = TagValues::of_names(&game, &[TagName::White, TagName::Black]);
    /// assert_eq!(tags.get(TagName::White), b"Ames");
    /// ```
    // Twin: `of`; test: `wanted_tags_equal_those_of_all`.
    pub fn of_names(view: &RecordView<'g>, wanted: &[TagName]) -> Self {
        let wanted = wanted.iter().copied().collect();
        Self::read(Tags::new(view.raw()), wanted, &mut |name| recognise_tag(name).map(|found| found.tag))
    }

    /// Collects tags until the values of `wanted` are certain. `recognise` returns what a name means, as [`recognise_tag`]
    /// does.
    pub fn read(mut tags: Tags<'g>, wanted: TagSet, recognise: RecogniseTag<'_>) -> Self {
        let mut values = Self::default();
        if wanted.is_empty() {
            return values;
        }
        let regular =
            CollectRegular { tags: &mut tags, values: &mut values, wanted, recognise: &mut *recognise };
        if !simd::run(regular) {
            for tag in tags {
                values.collect(&tag, &mut *recognise);
                if values.are_settled(wanted) {
                    break;
                }
            }
        }
        values
    }

    /// Returns `true` if no later tag can change the values of `wanted`.
    #[inline]
    fn are_settled(&self, wanted: TagSet) -> bool {
        wanted.0 & !self.settled == 0
    }

    /// Returns `true` for a tag that has a column of its own, so that its value is kept.
    pub const fn keeps(tag: TagName) -> bool {
        slot_of(tag).is_some()
    }

    /// Returns the value of a tag without surrounding whitespace; empty if it is missing, or has no column of its own.
    #[inline]
    pub fn get(&self, tag: TagName) -> &'g [u8] {
        slot_of(tag).map_or(b"", |slot| self.values[slot as usize].trim_ascii())
    }

    /// Returns the result that counts, as written: that of the Result tag, else the terminator that `end` returns; empty if there
    /// is none. `end` is called only if the tag does not decide.
    pub fn result(&self, end: impl FnOnce() -> &'g [u8]) -> &'g [u8] {
        let tag = self.get(TagName::Result);
        if self.settled & Slot::Result.bit() != 0 {
            return tag;
        }
        let some = |text: &'g [u8]| (!text.is_empty()).then_some(text);
        result_that_counts(some(tag), some(end())).unwrap_or_default()
    }

    /// Returns the date, read as the others of its file are written; unknown if it cannot be read.
    pub fn date(&self, dates: DateOrders) -> Date {
        dates.read(self.get(TagName::Date)).map_or(Date::UNKNOWN, |read| read.date)
    }

    /// Returns the number that a tag of a rating gives; `None` if there is none or it cannot be read.
    #[inline]
    pub fn rating(&self, tag: TagName) -> Option<u16> {
        Rating::read(self.get(tag)).ok().flatten().map(|rating| rating.value)
    }

    /// Returns `true` if [`seat_players`](Self::seat_players) may change values.
    pub fn has_seats(&self) -> bool {
        self.seats | self.reds != 0
    }

    /// Gives what `P1`, `P2` and `Red` say to the sides of a game that `start` starts: player 1 is the one who starts, and so is Red
    /// unless the other tags leave only the other side.
    pub fn seat_players(&mut self, start: Colour) {
        if self.reds != 0 {
            self.seat_red(start);
        }
        if self.seats == 0 || start == Colour::White {
            return;
        }
        let is_free = |slot: Slot| self.values[slot as usize].is_empty() || self.seats & slot.bit() != 0;
        let players = is_free(Slot::White) && is_free(Slot::Black);
        let ratings = is_free(Slot::WhiteRating) && is_free(Slot::BlackRating);
        if players {
            self.values.swap(Slot::White as usize, Slot::Black as usize);
        }
        if ratings {
            self.values.swap(Slot::WhiteRating as usize, Slot::BlackRating as usize);
        }
    }

    #[cold]
    fn seat_red(&mut self, start: Colour) {
        let is_empty = |values: &[&[u8]], slot: Slot| values[slot as usize].is_empty();
        let is_named = |slot: Slot| !is_empty(&self.values, slot) && self.reds & slot.bit() == 0;
        let is_white = !is_named(Slot::White) && (is_named(Slot::Black) || start == Colour::White);
        for slot in [Slot::Black, Slot::BlackRating] {
            if is_white && self.reds & slot.bit() != 0 && is_empty(&self.values, white_of(slot)) {
                self.values.swap(slot as usize, white_of(slot) as usize);
            }
        }
    }

    /// Keeps the value of a tag if it counts. Returns what the tag means.
    // Twin of the comparison: `recognise_tag`; test: `exact_tag_names_are_recognised`.
    #[inline]
    pub fn collect(
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
            // An unknown date does not keep other dates from counting.
            b"Date" if !matches!(tag.value.first(), Some(b'?' | b'-')) => (Slot::Date, TagName::Date),
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
        self.settle(slot, not_blank(tag.value));
        Some(meaning)
    }

    /// Keeps the value of a tag whose name was looked up: another name, or one that few records have.
    fn collect_other(&mut self, meaning: TagName, tag: &TagPair<'g>) {
        let slot = match slot_of(meaning) {
            Some(Slot::Result) => return self.collect_result(tag.value),
            Some(Slot::Date) => return self.collect_date(meaning, not_blank(tag.value)),
            Some(slot) => slot,
            None if matches!(meaning, TagName::UTCDate | TagName::EventDate) => {
                return self.collect_date(meaning, not_blank(tag.value));
            }
            None => return,
        };
        let value = not_blank(tag.value);
        if tag.name == meaning.name().as_bytes() {
            self.settle(slot, value);
        } else if is_red(tag.name, meaning) {
            self.collect_red(slot, value);
        } else if self.values[slot as usize].is_empty() {
            self.values[slot as usize] = value;
            if !value.is_empty() && is_of_starter(tag.name) {
                self.seats |= slot.bit();
            }
        }
    }

    /// Keeps a date that is not that of a Date tag, or an unknown one: the first of the day under another name, the day in UTC, the year of
    /// the event.
    #[cold]
    fn collect_date(&mut self, meaning: TagName, value: &'g [u8]) {
        let (rank, value) = match meaning {
            _ if value.is_empty() || self.settled & Slot::Date.bit() != 0 => return,
            _ if matches!(value[0], b'?' | b'-') => (DateRank::Unknown, value),
            TagName::Date => (DateRank::OtherName, value),
            TagName::UTCDate => (DateRank::Utc, value),
            _ => (DateRank::EventYear, year_of(value)),
        };
        if rank > self.date_rank && !value.is_empty() {
            self.values[Slot::Date as usize] = value;
            self.date_rank = rank;
        }
    }

    /// Keeps what is said of the red pieces. They are the white ones of the standard where Black is named too.
    #[cold]
    fn collect_red(&mut self, slot: Slot, value: &'g [u8]) {
        let is_taken = |slot: Slot| !self.values[slot as usize].is_empty();
        let slot = if is_taken(slot) { white_of(slot) } else { slot };
        if !is_taken(slot) && !value.is_empty() {
            self.values[slot as usize] = value;
            self.reds |= slot.bit();
        }
    }

    /// Takes what is said of the red pieces from a slot of Black, for which there is another tag.
    #[cold]
    fn release_red(&mut self, slot: Slot) {
        let value = std::mem::take(&mut self.values[slot as usize]);
        self.reds &= !slot.bit();
        let white = white_of(slot);
        if self.values[white as usize].is_empty() {
            self.values[white as usize] = value;
            self.reds |= white.bit();
        }
    }

    /// Fills a slot from a tag under the name of the standard, in place of a value under another name. The tag does not count if
    /// it has no value, or if an earlier one has filled the slot.
    #[inline]
    fn settle(&mut self, slot: Slot, value: &'g [u8]) {
        if !value.is_empty() && self.settled & slot.bit() == 0 {
            if self.reds & slot.bit() != 0 {
                self.release_red(slot);
            }
            self.values[slot as usize] = value;
            self.seats &= !slot.bit();
            self.settled |= slot.bit();
        }
    }

    /// Keeps a result unless the one before it counts. The first result with a known outcome counts before all others.
    #[inline]
    fn collect_result(&mut self, value: &'g [u8]) {
        if self.settled & Slot::Result.bit() != 0 {
            return;
        }
        let value = not_blank(value);
        let kept = &mut self.values[Slot::Result as usize];
        if has_known_outcome(value) {
            *kept = value;
            self.settled |= Slot::Result.bit();
        } else {
            *kept = match *kept {
                b"" => value,
                earlier => result_that_counts(Some(earlier), Some(value)).unwrap_or_default(),
            };
        }
    }
}

/// Returns the slot of White that corresponds to one of Black.
const fn white_of(slot: Slot) -> Slot {
    match slot {
        Slot::Black => Slot::White,
        Slot::BlackRating => Slot::WhiteRating,
        slot => slot,
    }
}

/// Returns the year at the start or at the end of a date; empty without one. Of an event only the year is surely that of its
/// games.
fn year_of(date: &[u8]) -> &[u8] {
    let mut parts = date.split(|byte| !byte.is_ascii_digit()).filter(|part| !part.is_empty());
    let (first, last) = (parts.clone().next(), parts.next_back());
    [first, last].into_iter().flatten().find(|part| part.len() == 4).unwrap_or_default()
}

/// Returns what a tag name means.
type RecogniseTag<'r> = &'r mut dyn FnMut(&[u8]) -> Option<TagName>;

/// Collects the tags up to the first irregular one, with the instruction set of this processor. Returns `true` if no other tags
/// are needed.
struct CollectRegular<'c, 'g> {
    tags: &'c mut Tags<'g>,
    values: &'c mut TagValues<'g>,
    wanted: TagSet,
    recognise: RecogniseTag<'c>,
}

impl Task for CollectRegular<'_, '_> {
    type Output = bool;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> bool {
        let Self { tags, values, wanted, recognise } = self;
        tags.pass_regular(isa, |tag| {
            values.collect(&tag, &mut *recognise);
            if values.are_settled(wanted) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }
}

/// Returns `true` if a result tells how the game ended. Most results are found without parsing.
// Twin: `GameResult::weight`; test: `known_outcomes_are_those_of_parsed_results`.
#[inline]
fn has_known_outcome(result: &[u8]) -> bool {
    matches!(result, b"2-0" | b"1-1" | b"0-2" | b"1-0" | b"0-1" | b"1/2-1/2")
        || GameResult::parse(result).weight() == ResultWeight::Known
}

/// Returns the value; empty if it consists of whitespace only.
#[inline]
fn not_blank(value: &[u8]) -> &[u8] {
    match value {
        [first, ..] if first.is_ascii_whitespace() => value.trim_ascii(),
        value => value,
    }
}

/// Returns the tag of a record that counts for `name`, in any spelling: that whose value is in [`TagValues`], else the first.
/// `None` without one.
pub(crate) fn tag_that_counts<'g>(view: &RecordView<'g>, name: TagName) -> Option<TagPair<'g>> {
    let mut named =
        view.tags().filter(|tag| recognise_tag(tag.name).is_some_and(|found| found.tag == name)).peekable();
    let first = *named.peek()?;
    let value = TagValues::of_names(view, &[name]).get(name);
    // A tag that has no value, or whose values are not collected, is the first.
    Some(named.find(|tag| !value.is_empty() && std::ptr::eq(tag.value, value)).unwrap_or(first))
}

/// Returns the one of two results that counts, as written; see [`GameResult::or_later`].
pub fn result_that_counts<'g>(earlier: Option<&'g [u8]>, later: Option<&'g [u8]>) -> Option<&'g [u8]> {
    let (Some(first), Some(second)) = (earlier, later) else { return earlier.or(later) };
    Some(if GameResult::parse(second).weight() > GameResult::parse(first).weight() { second } else { first })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
            for &tag in KEPT {
                // The day in UTC stands in for the date.
                let fills = meaning == Some(tag) || (tag, meaning) == (TagName::Date, Some(TagName::UTCDate));
                assert_eq!(!tags.get(tag).is_empty(), fills, "{name}");
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
        assert_eq!(collected(&[("Wit", "a"), ("White", "")]).get(TagName::White), b"a");
    }

    proptest! {
        #[test]
        fn wanted_tags_equal_those_of_all(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "[White \"a\"]\n", "[White \"b\"]\n", "[White \" \"]\n", "[Wit \"c\"]\n", "[P1 \"d\"]\n", "[Black \"e\"]\n",
                    "[P2 \"f\"]\n", "[Date \"2001\"]\n", "[Anno \"2002\"]\n", "[Opening \"g\"]\n", "[opening \"h\"]\n",
                    "[Result \"*\"]\n", "[Result \"2-0\"]\n", "[Uitslag \"0-2\"]\n", "[Result \"x\"]\n", "[Event \"\"]\n", "[Site x]\n", "{c}\n", "1. 32-28 ", "*",
                ]),
                0..12,
            ),
            wanted in prop::sample::subsequence(KEPT, 1..4),
            start in prop::sample::select(vec![Colour::White, Colour::Black]),
        ) {
            let text = parts.concat();
            let view = RecordView::new(text.as_bytes());
            let (mut all, mut some) = (TagValues::of(&view), TagValues::of_names(&view, &wanted));
            all.seat_players(start);
            some.seat_players(start);
            for tag in wanted {
                prop_assert_eq!(some.get(tag), all.get(tag), "{:?} of {}", tag, text);
            }
        }
    }

    #[test]
    fn only_wanted_tags_are_read() {
        let view = RecordView::new(b"[White \"a\"]\n[Black \"b\"]\n[Event \"c\"]\n\n1. 32-28 *");
        let tags = TagValues::of_names(&view, &[TagName::White]);
        assert_eq!((tags.get(TagName::White), tags.get(TagName::Event)), (&b"a"[..], &b""[..]));
        assert_eq!(TagValues::of_names(&view, &[TagName::FEN]).get(TagName::White), b"");
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
    fn known_outcomes_are_those_of_parsed_results() {
        let known = ["2-0", "1-1", "0-2", "1-0", "0-1", "1/2-1/2"];
        let other = [
            "",
            "*",
            "?",
            "-",
            "0-0",
            "1 - 0",
            " 2-0",
            "4-6",
            "1+ - 1-",
            "\u{bd}-\u{bd}",
            "won",
            "White won",
            "1/2",
            "2-0x",
        ];
        for text in known.into_iter().chain(other) {
            let is_known = GameResult::parse(text.as_bytes()).weight() == ResultWeight::Known;
            assert_eq!(has_known_outcome(text.as_bytes()), is_known, "{text}");
        }
        assert!(known.iter().all(|text| has_known_outcome(text.as_bytes())));
    }

    #[test]
    fn known_result_ends_the_reading_of_tags() {
        let game =
            RecordView::new(b"[Result \"*\"] [Result \"2-0\"] [White \"a\"] 1. 32-28 [Result \"0-2\"] 0-2");
        let tags = TagValues::of_names(&game, &[TagName::Result]);
        assert_eq!((tags.get(TagName::Result), tags.get(TagName::White)), (&b"2-0"[..], &b""[..]));
        assert_eq!(tags.result(|| unreachable!("the tag decides")), b"2-0");
        let all = TagValues::of(&game);
        assert_eq!((all.get(TagName::Result), all.get(TagName::White)), (&b"2-0"[..], &b"a"[..]));
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
        let pairs = [("P1", "a"), ("P2", "b"), ("WhiteRating", "1"), ("P2Elo", "2")];
        assert_eq!(seated(Colour::Black, &pairs), ["b", "a", "1", "2"], "one rating is named for a colour");
    }

    #[test]
    fn other_dates_count_where_the_date_is_missing() {
        for (pairs, date) in [
            (&[("UTCDate", "2023.07.09"), ("EventDate", "2022.01.01")][..], "2023.07.09"),
            (&[("EventDate", "2022.01.01"), ("UTCDate", "2023.07.09")], "2023.07.09"),
            (&[("EventDate", "2022.01.01")], "2022"),
            (&[("StartDate", "1.2.2022")], "2022"),
            (&[("EventDate", "?"), ("Date", "")], "?"),
            (&[("Date", "????.??.??"), ("UTCDate", "2023.07.09")], "2023.07.09"),
            (&[("UTCDate", "2023.07.09"), ("Date", "????.??.??")], "2023.07.09"),
            (&[("Date", "????.??.??")], "????.??.??"),
            (&[("UTCDate", "2023.07.09"), ("Anno", "2020")], "2020"),
            (&[("Date", "2019.??.??"), ("UTCDate", "2023.07.09")], "2019.??.??"),
        ] {
            assert_eq!(collected(pairs).get(TagName::Date), date.as_bytes(), "{pairs:?}");
        }
    }

    #[test]
    fn red_is_the_one_who_starts_unless_the_other_side_is_named() {
        let seated = |start, pairs: &[(&'static str, &'static str)]| {
            let mut tags = collected(pairs);
            tags.seat_players(start);
            [TagName::White, TagName::Black, TagName::WhiteRating, TagName::BlackRating]
                .map(|tag| String::from_utf8_lossy(tags.get(tag)).into_owned())
        };
        for start in [Colour::Black, Colour::White] {
            assert_eq!(seated(start, &[("Red", "a"), ("White", "b")]), ["b", "a", "", ""]);
            assert_eq!(
                seated(start, &[("White", "b"), ("Rouge", "a"), ("RedElo", "1")]),
                ["b", "a", "", "1"]
            );
            assert_eq!(seated(start, &[("Black", "b"), ("Red", "a")]), ["a", "b", "", ""]);
            assert_eq!(seated(start, &[("Rot", "a"), ("Black", "b")]), ["a", "b", "", ""]);
            assert_eq!(seated(start, &[("Rot", "a"), ("Black", "b"), ("RedElo", "1")]), ["a", "b", "1", ""]);
            assert_eq!(seated(start, &[("Red", "a"), ("White", "b"), ("Black", "c")]), ["b", "c", "", ""]);
            assert_eq!(seated(start, &[("Red", ""), ("Black", "c")]), ["", "c", "", ""]);
        }
        assert_eq!(seated(Colour::Black, &[("Red", "a")]), ["", "a", "", ""]);
        assert_eq!(seated(Colour::White, &[("Red", "a"), ("RedElo", "1")]), ["a", "", "1", ""]);
    }

    #[test]
    fn result_tag_counts_unless_it_gives_no_result() {
        for (tag, end, expected) in [
            ("2-0", "0-2", "2-0"),
            ("*", "1-1", "1-1"),
            ("", "1-1", "1-1"),
            ("*", "", "*"),
            ("nonsense", "*", "nonsense"),
            ("", "*", "*"),
            ("", "", ""),
        ] {
            let record = format!("[Result \"{tag}\"]");
            let tags = TagValues::of_names(&RecordView::new(record.as_bytes()), &[TagName::Result]);
            let result = tags.result(|| end.as_bytes());
            assert_eq!(result, expected.as_bytes(), "[Result \"{tag}\"] {end}");
        }
    }
}
