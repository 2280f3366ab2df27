//! A record with its place and its tags, from which rows are made.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::plain_ascii::plain_ascii;
use super::schema::GameField;
use pdn::archive::InputRecord;
use pdn::internal::source::{LineCounter, TextOffsets};
use pdn::internal::view::{TagSet, TagValues, Tags};
use pdn::parse::unescape;
use pdn::replay::{ReplaySummary, Replayer, VariantBasis};
use pdn::source::{Decoder, Encoding};
use pdn::value;
use pdn::value::{Colour, Outcome};
use pdn::view::RecordView;
use pdn_index::internal::GameFacts;

/// What only an index knows of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IndexedValues {
    /// The facts, if the index has them.
    pub(super) facts: Option<GameFacts>,
    /// The number of plies before the novelty, if there is one and it is asked for.
    pub(super) novelty: Option<u32>,
}

impl IndexedValues {
    /// Returns the value of a column that takes an index.
    pub(super) fn value(&self, field: GameField) -> Option<i32> {
        let value = match field {
            GameField::Novelty => self.novelty,
            fact => self.facts.as_ref().and_then(|facts| fact.fact(facts)),
        };
        value.map(|value| i32::try_from(value).unwrap_or(i32::MAX))
    }
}

/// A record and its place.
#[derive(Clone, Debug)]
pub(super) struct RecordContext<'a> {
    /// Number in the index, from 1.
    pub(super) game: Option<u64>,
    /// What only an index knows.
    pub(super) indexed: IndexedValues,
    /// Name of the file.
    pub(super) file: &'a str,
    /// Number in the file, from 1.
    pub(super) record: u64,
    pub(super) input_record: InputRecord<'a>,
    pub(super) offsets: Option<&'a TextOffsets>,
    pub(super) decoder: &'a Decoder,
    /// The line counter at the start of the record; meaningless unless lines are needed.
    pub(super) lines: LineCounter,
    encoding: OnceCell<Encoding>,
}

impl<'a> RecordContext<'a> {
    /// Creates the context of a record of a file.
    pub(super) fn new(
        file: &'a str,
        record: u64,
        input_record: impl Into<InputRecord<'a>>,
        decoder: &'a Decoder,
    ) -> Self {
        let (input_record, lines, encoding) = (input_record.into(), LineCounter::new(), OnceCell::new());
        Self {
            game: None,
            indexed: IndexedValues::default(),
            file,
            record,
            input_record,
            offsets: None,
            decoder,
            lines,
            encoding,
        }
    }

    /// Returns the bytes of the record.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.input_record.raw()
    }

    /// Returns the view of the record.
    pub(super) fn view(&self) -> RecordView<'a> {
        self.input_record.view()
    }

    /// Returns the offset in the unpacked file of an offset in the record.
    pub(super) fn original(&self, at: u32) -> u64 {
        let offset = self.view().offset() + u64::from(at);
        self.offsets.map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Returns the offset and the length in the unpacked file of a span of the record.
    pub(super) fn place(&self, start: u32, end: u32) -> (u64, u64) {
        let offset = self.original(start);
        (offset, self.original(end).saturating_sub(offset))
    }

    /// Returns the encoding of the record, guessed when it is first needed.
    pub(super) fn encoding(&self) -> Encoding {
        *self.encoding.get_or_init(|| self.decoder.guess(self.bytes()).encoding)
    }

    /// Returns the record as text if its bytes are valid UTF-8. Only its ASCII parts mean the same in every encoding.
    pub(super) fn text(&self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()).ok()
    }

    /// Decodes a part of the record.
    pub(super) fn decode<'p>(&self, part: &'p [u8]) -> Cow<'p, str> {
        if part.is_ascii() { Encoding::UTF_8.decode(part) } else { self.encoding().decode(part) }
    }

    /// Decodes a tag value: removes escapes, entities and surrounding whitespace, as an import does.
    // Twin: `decode_value`; test: `plain_values_are_decoded_as_all_others`.
    pub(super) fn value<'p>(&self, raw: &'p [u8]) -> Cow<'p, str> {
        let trimmed = raw.trim_ascii();
        if let Some(text) = plain_ascii(trimmed) {
            return Cow::Borrowed(text);
        }
        if memchr::memchr2(b'\\', b'&', trimmed).is_some() {
            return Cow::Owned(self.decode_value(trimmed));
        }
        match self.decode(trimmed) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }

    fn decode_value(&self, value: &[u8]) -> String {
        let unescaped = unescape(value);
        value::decode_entities(&self.decode(&unescaped)).trim().to_owned()
    }
}

/// Reads the tags of a record until the values of `wanted` are certain. `summary` is the replay of the record, if there was one;
/// otherwise a record that names its players by who starts is replayed.
pub(super) fn read_tags<'g>(
    game: InputRecord<'g>,
    wanted: TagSet,
    replayer: &mut Replayer,
    summary: Option<&ReplaySummary>,
) -> TagValues<'g> {
    let mut tags = TagValues::read(Tags::new(game.raw()), wanted, &mut |name| replayer.recognise_tag(name));
    if tags.has_seats() {
        let numbering = summary.map_or_else(|| replayer.summary(game).numbering, |summary| summary.numbering);
        tags.seat_players(numbering.start);
    }
    tags
}

/// Returns `white`, `black` or `draw`; `None` for no result and for a loss of both.
pub(super) fn winner_name(outcome: Outcome, start: Colour) -> Option<&'static str> {
    match outcome {
        Outcome::Draw => Some("draw"),
        outcome => outcome.winner(start).map(colour_name),
    }
}

/// Returns a colour in lower case.
pub(super) fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

/// Returns how a variant is known, in the words of the tables.
pub(super) fn basis_name(basis: VariantBasis) -> &'static str {
    match basis {
        VariantBasis::Tag => "tag",
        VariantBasis::Caller => "option",
        VariantBasis::File | VariantBasis::Game | VariantBasis::Moves => "inferred",
        VariantBasis::Guess => "assumed",
    }
}

/// Returns year, month and day of a number of days since 1 January 1970.
pub(super) fn civil_date(days: i32) -> (i32, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + 400 * era + i32::from(month <= 2), month as u32, day as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::value::Date;

    #[test]
    fn days_are_counted_by_the_calendar() {
        let mut expected = -719_162;
        for year in 1..=2400 {
            for month in 1..=12 {
                for day in 1..=31 {
                    let Some(date) = Date::new(Some(year), Some(month), Some(day)) else { continue };
                    assert_eq!(date.days(), Some(expected), "{date}");
                    assert_eq!(civil_date(expected), (i32::from(year), u32::from(month), u32::from(day)));
                    expected += 1;
                }
            }
        }
        assert_eq!(Date::new(Some(1970), Some(1), Some(1)).unwrap().days(), Some(0));
        assert_eq!(Date::new(Some(1970), Some(1), None).unwrap().days(), None);
    }

    #[test]
    fn plain_values_are_decoded_as_all_others() {
        let decoder = Decoder::default();
        let cyrillic = Encoding::CP866.encode("[White \"Иванов\"] [Black \"Петров\"] 1. c3-d4 *").unwrap();
        for record in [b"[White \"x\"] *", "[White \"Léman\"] *".as_bytes(), &cyrillic] {
            let context = RecordContext::new("", 1, record, &decoder);
            let values =
                [" Ames ", "", "\\\"x\\\"", "a &amp; b", "é &amp; \\\"b\\\"", "\u{a0}Léman\u{a0}", "a\tb"];
            for value in values.map(str::as_bytes).into_iter().chain([&b"\x88\xA2\xA0\xAD"[..]]) {
                let expected = context.decode_value(value.trim_ascii());
                assert_eq!(context.value(value), expected, "{}", value.escape_ascii());
            }
        }
    }
}
