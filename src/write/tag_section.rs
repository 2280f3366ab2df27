//! Writes the tag section: names, order and values of tags.

use super::man_steps::ManSteps;
use super::options::WriteOptions;
use super::parts::RecordedTag;
use super::profile::ProfileRow;
use super::unwritten::Unwritten;
use super::values::{
    FREQUENT, ResultSystem, canonical_date, canonical_fen, has_date_form, has_extra_blanks, hub_fen,
    in_system, push_text, push_value, section_has_extra_blanks, short_game_type, write_exchanged_result,
    write_result,
};
use crate::board::SquareNaming;
use crate::parse::recognise_tag;
use crate::replay::{CandidateGame, ReplaySummary};
use crate::rules::Variant;
use crate::source::Encoding;
use crate::span::Span;
use crate::syntax::find_plain_tag;
use crate::value::{
    Colour, DateOrders, Fen, FenStyle, GameType, NamedSides, ScoreOrder, TagKind, TagName, other_side,
};

/// A tag to be written.
#[derive(Clone, Copy, Debug)]
struct TagSlot {
    /// Its place in the order of tags; that of the standard, then all others.
    rank: u8,
    /// What it means.
    tag: Option<TagName>,
    /// The span of its name in the record; empty if the name of `tag` is written.
    name: Span,
    value: SlotValue,
}

#[derive(Clone, Copy, Debug)]
enum SlotValue {
    /// The text of the record.
    Written(Span),
    /// The result that counts.
    Result,
    /// The game type of the replay.
    GameType,
    /// The number of plies.
    PlyCount,
    /// The unknown value of a required tag.
    Unknown(&'static str),
}

/// A tag section in canonical form.
#[derive(Debug)]
pub(super) struct CanonicalSection<'t> {
    /// The offset of the movetext.
    pub(super) end: usize,
    /// What the GameType tag says; `None` without one.
    pub(super) forms: Option<&'t MoveForms>,
    /// The first move is one of the side that does not start.
    pub(super) second_begins: bool,
}

/// How the moves of a game are written.
#[derive(Debug)]
pub(super) struct MoveForms {
    pub(super) naming: SquareNaming,
    /// The separator of captures.
    pub(super) capture: u8,
    start: Colour,
    pub(super) steps: ManSteps,
}

impl MoveForms {
    /// Reads a GameType value. `None` if it cannot be read, or if variants of its number differ in how moves are written.
    #[cold]
    pub(super) fn of(value: &[u8]) -> Option<Self> {
        let game_type = GameType::parse(value).ok()?;
        let game = CandidateGame::try_from(&game_type).ok()?;
        let forms = |game: CandidateGame| {
            (game.numbering.letters, game.variant.rules().capture_separator, game.numbering.start)
        };
        let (naming, capture, start) = forms(game);
        let mut same_number = Variant::ALL.iter().filter(|variant| variant.number() == game_type.number);
        let agrees = same_number.all(|&variant| forms(variant.into()) == (naming, capture, start));
        agrees.then(|| Self { naming, capture: capture as u8, start, steps: ManSteps::new(&game, naming) })
    }

    /// Returns the forms of a game without a GameType tag that is probably of this variant. The grammar has `x` only.
    #[cold]
    pub(super) fn untagged(variant: Variant) -> Self {
        let game = CandidateGame::from(variant);
        let naming = game.numbering.letters;
        Self { naming, capture: b'x', start: game.numbering.start, steps: ManSteps::new(&game, naming) }
    }
}

/// The forms of the GameType values that were read last.
#[derive(Debug, Default)]
struct KnownForms(Vec<(Vec<u8>, Option<MoveForms>)>);

impl KnownForms {
    /// Maximum number of values; archives have a few.
    const MAX: usize = 16;

    fn of(&mut self, value: &[u8]) -> Option<&MoveForms> {
        let index = match self.0.iter().position(|(known, _)| known == value) {
            Some(index) => index,
            None => {
                if self.0.len() == Self::MAX {
                    self.0.clear();
                }
                self.0.push((value.to_vec(), MoveForms::of(value)));
                self.0.len() - 1
            }
        };
        self.0[index].1.as_ref()
    }
}

/// The rank of tags that the standard does not name.
const OTHER_TAG: u8 = u8::MAX;

/// Maximum number of tag names that are remembered; a record has fewer tags.
const MAX_KNOWN_NAMES: usize = 64;

/// Writes tag sections. Its memory is reused from record to record.
#[derive(Debug, Default)]
pub(super) struct TagSectionWriter {
    /// The order of day and month in the dates of the file.
    pub(super) dates: DateOrders,
    /// The side to move at the start, where the FEN leaves it open and the moves showed it.
    pub(super) shown_turn: Option<Colour>,
    /// The GameType tag names no game, and the variant that is known stands in its place.
    pub(super) renames_game: bool,
    /// Scores give the number of White first, and are written with that of the side that starts first.
    pub(super) exchanges_scores: bool,
    /// The order of the scores that are written.
    pub(super) written_scores: ScoreOrder,
    /// The score of the last record was exchanged.
    pub(super) has_exchanged_score: bool,
    slots: Vec<TagSlot>,
    /// The names of the tags of the record before, in its order, with their meaning.
    known: Vec<(Vec<u8>, Meaning)>,
    system: ResultSystem,
    /// The result that counts.
    result: String,
    pub(super) game_type: Option<Span>,
    /// The GameType value that the notation of the moves demands.
    pub(super) forced_game_type: Option<String>,
    /// What the GameType values of canonical records say.
    forms: KnownForms,
    /// The GameType values of variants that were written.
    game_types: Vec<(Variant, String)>,
}

impl TagSectionWriter {
    /// Reads the tags of a record, which ends with the result `end`. `added_game_type` is the number of the game type that it gets a tag of
    /// if it has none, `start` the side that starts its game.
    ///
    /// # Errors
    /// If the tags and the terminator give different results.
    pub(super) fn read(
        &mut self,
        record: &[u8],
        tags: &[RecordedTag],
        end: Option<&[u8]>,
        added_game_type: Option<u16>,
        start: Colour,
        options: &WriteOptions,
    ) -> Result<(), Unwritten> {
        self.slots.clear();
        self.game_type = None;
        self.forced_game_type = None;
        let (mut result, mut has_format, mut set) = (None, false, 0u64);
        let mut sides = None;
        for (index, tag) in tags.iter().enumerate() {
            let Meaning { tag: mut meaning, names_side } = self.meaning(index, tag.name.of(record));
            if names_side && let Some(known) = meaning {
                let sides: &mut NamedSides = sides.get_or_insert_with(|| named_sides(record, tags));
                meaning = Some(sides.tag_of(tag.name.of(record), known, start));
            }
            let rank = meaning.map_or(OTHER_TAG, |tag| tag as u8);
            let is_blank = || tag.value.of(record).trim_ascii().is_empty();
            match meaning {
                Some(TagName::Result) if result.is_none() && !is_blank() => result = Some(self.slots.len()),
                Some(TagName::GameType) if self.game_type.is_none() && !self.renames_game && !is_blank() => {
                    self.game_type = Some(tag.value);
                }
                Some(TagName::ResultFormat) => has_format = true,
                _ => {}
            }
            // Of several tags that mean the same, the one under the name of the standard keeps it, otherwise the first one gets it;
            // the others keep their names.
            let is_second = meaning.is_some_and(|meaning| {
                let standard = meaning.name().as_bytes();
                let is_standard = |tag: &RecordedTag| {
                    tag.name.of(record) == standard && !tag.value.of(record).trim_ascii().is_empty()
                };
                set >> (meaning as u8 & 63) & 1 != 0
                    || (tag.name.of(record) != standard && tags[index + 1..].iter().any(is_standard))
            });
            if !is_second {
                set |= meaning.map_or(0, |tag| 1 << (tag as u8 & 63));
            }
            let name = if meaning.is_some() && !is_second { Span::default() } else { tag.name };
            self.slots.push(TagSlot { rank, tag: meaning, name, value: SlotValue::Written(tag.value) });
        }
        // Game types have two digits.
        let digit = |number: u16| b'0' + (number % 10) as u8;
        let added_digits = added_game_type.map(|number| [digit(number / 10), digit(number)]);
        let game_type = match self.game_type {
            Some(game_type) => Some(game_type.of(record)),
            None => added_digits.as_ref().map(|digits| &digits[..]),
        };
        let system = match game_type {
            Some(game_type) if !has_format => self.system.of(game_type),
            _ => None,
        };
        let tag_text = result.map(|index| match self.slots[index].value {
            SlotValue::Written(span) => span.of(record),
            _ => &[],
        });
        let first_side = self.written_scores.first_side(start);
        self.has_exchanged_score = match self.exchanges_scores {
            false => write_result(tag_text, end, system, first_side, &mut self.result).map(|()| false)?,
            true => write_exchanged_result(tag_text, end, system, first_side, &mut self.result)?,
        };
        match result {
            Some(_) if self.result.is_empty() => {}
            Some(index) => self.slots[index].value = SlotValue::Result,
            None if self.result != "*" => {
                // An empty Result tag gets the result of the terminator.
                match self.slots.iter_mut().find(|slot| slot.tag == Some(TagName::Result)) {
                    Some(empty) => empty.value = SlotValue::Result,
                    None => self.add(TagName::Result, SlotValue::Result),
                }
            }
            None => {}
        }
        if options.has_roster {
            for tag in TagName::SEVEN {
                if set >> tag as u8 & 1 == 0 && self.slots.iter().all(|slot| slot.tag != Some(tag)) {
                    let unknown = match tag {
                        TagName::Date => "????.??.??",
                        TagName::Result => "*",
                        _ => "?",
                    };
                    self.add(tag, SlotValue::Unknown(unknown));
                }
            }
        }
        if options.added.ply_count {
            match self.slots.iter_mut().find(|slot| slot.tag == Some(TagName::PlyCount)) {
                Some(slot) => slot.value = SlotValue::PlyCount,
                None => self.add(TagName::PlyCount, SlotValue::PlyCount),
            }
        }
        if options.added.game_type && self.game_type.is_none() {
            self.force_game_type(None);
        }
        Ok(())
    }

    /// Writes this GameType value, or that of the replay, in place of another one.
    pub(super) fn force_game_type(&mut self, value: Option<String>) {
        self.forced_game_type = value;
        match self.slots.iter_mut().find(|slot| slot.tag == Some(TagName::GameType)) {
            Some(slot) => slot.value = SlotValue::GameType,
            None => self.add(TagName::GameType, SlotValue::GameType),
        }
    }

    /// Returns the part of the record from its start up to the last tag that is written as it is.
    fn written_section<'r>(&self, record: &'r [u8]) -> &'r [u8] {
        let end_of = |slot: &TagSlot| match slot.value {
            SlotValue::Written(value) => value.end as usize + 2,
            _ => 0,
        };
        let end = self.slots.iter().map(end_of).max().unwrap_or(0);
        &record[..end.min(record.len())]
    }

    fn add(&mut self, tag: TagName, value: SlotValue) {
        self.slots.push(TagSlot { rank: tag as u8, tag: Some(tag), name: Span::default(), value });
    }

    /// Reads the tag section of a record; `None` unless it has the canonical form and is followed by an empty line. A
    /// record without tags has an empty one.
    ///
    /// Whatever the record is, [`write`](Self::write) would give the same bytes.
    pub(super) fn canonical(&mut self, record: &[u8], line_end: &[u8]) -> Option<CanonicalSection<'_>> {
        let (mut at, mut index, mut rank, mut set) = (0, 0, 0, 0u64);
        let (mut result, mut fen, mut game_type) = (None, None, None);
        let mut has_other_names = false;
        while record.get(at) == Some(&b'[') {
            let (name, value, end) = canonical_tag(record, at)?;
            let meaning = self.meaning(index, name);
            if let Some(tag) = meaning.tag {
                let bit = 1 << (tag as u8 & 63);
                if tag.name().as_bytes() != name || set & bit != 0 {
                    return None;
                }
                set |= bit;
                let has_form = match tag.kind() {
                    TagKind::Date => has_date_form(value) || canonical_date(value, self.dates).is_none(),
                    TagKind::Fen => canonical_fen(value, None).is_none(),
                    _ => true,
                };
                match tag {
                    TagName::Result => result = Some(value),
                    TagName::FEN => fen = Some(value),
                    TagName::GameType => game_type = Some(value),
                    TagName::Variant | TagName::ResultFormat | TagName::SetUp => has_other_names = true,
                    _ => {}
                }
                if !has_form {
                    return None;
                }
            } else if !name[0].is_ascii_uppercase() {
                return None;
            }
            let next = meaning.tag.map_or(OTHER_TAG, |tag| tag as u8);
            if next < rank || !record[end..].starts_with(line_end) {
                return None;
            }
            rank = next;
            at = end + line_end.len();
            index += 1;
        }
        if at > 0 {
            if section_has_extra_blanks(&record[..at]) || !record[at..].starts_with(line_end) {
                return None;
            }
            at += line_end.len();
        }
        // Rare tags that change how others are read are left to the writer.
        if game_type.is_some() && has_other_names {
            return None;
        }
        if let Some(value) = result {
            let system = game_type.and_then(|value| self.system.of(value));
            let is_written_so =
                |known: &&&str| known.as_bytes() == value && in_system(known, system).as_bytes() == value;
            FREQUENT.iter().find(is_written_so)?;
        }
        let forms = match game_type {
            Some(value) => Some(self.forms.of(value)?),
            None => None,
        };
        let second_begins = match fen {
            None => false,
            // The writer asks the replay who moves first.
            Some(value) => {
                let fen = Fen::parse(value).ok().filter(|fen| fen.other_turn().is_none())?;
                fen.turn()? != forms?.start
            }
        };
        Some(CanonicalSection { end: at, forms, second_begins })
    }

    /// Returns what a tag name means. The name at the same place of the record before is compared first.
    // Twin: recognise_tag; test: tag_names_are_recognised_after_any_other_record.
    fn meaning(&mut self, index: usize, name: &[u8]) -> Meaning {
        if let Some((_, meaning)) = self.known.get(index).filter(|(known, _)| known == name) {
            return *meaning;
        }
        let meaning = Meaning::of(name);
        if let Some(known) = self.known.get_mut(index) {
            known.0.clear();
            known.0.extend_from_slice(name);
            known.1 = meaning;
        } else if self.known.len() < MAX_KNOWN_NAMES {
            self.known.push((name.to_vec(), meaning));
        }
        meaning
    }

    /// Returns the result that counts, or an empty text if the Result tag has a text that is no result.
    pub(super) fn result(&self) -> &str {
        &self.result
    }

    /// Returns the number of tags.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Appends the tag section and an empty line; nothing without tags.
    pub(super) fn write(
        &mut self,
        record: &[u8],
        summary: &ReplaySummary,
        options: &WriteOptions,
        utf8: Option<Encoding>,
        out: &mut Vec<u8>,
    ) -> Result<(), Unwritten> {
        if self.slots.is_empty() {
            return Ok(());
        }
        // Of tags that mean the same, the one that counts comes first: the name of another may differ in its capital only.
        let key = |slot: &TagSlot| (slot.rank, slot.tag.is_some() && !slot.name.is_empty());
        if !self.slots.is_sorted_by_key(key) {
            // Stable, so that tags of one rank keep their order.
            self.slots.sort_by_key(key);
        }
        let line_end = options.line_end.bytes();
        let row = options.profile().row();
        let variant = summary.variant;
        if self.game_types.iter().all(|(known, _)| *known != variant) {
            self.game_types.push((variant, variant.tag()));
        }
        let has_extra_blanks = section_has_extra_blanks(self.written_section(record));
        for slot in &self.slots {
            if let Some(tag) = slot.canonical_text(record, row, utf8, has_extra_blanks) {
                out.extend_from_slice(tag);
                out.extend_from_slice(line_end);
                continue;
            }
            out.push(b'[');
            match slot.tag {
                Some(tag) if slot.name.is_empty() => out.extend_from_slice(tag.name().as_bytes()),
                _ => push_name(out, slot.name.of(record))?,
            }
            out.extend_from_slice(b" \"");
            match slot.value {
                SlotValue::Written(span) => {
                    let (dates, turn) = (self.dates, self.shown_turn);
                    let value = span.of(record);
                    if options.fen_style == FenStyle::Hub
                        && slot.tag.map(TagName::kind) == Some(TagKind::Fen)
                        && let Some(hub) =
                            hub_fen(value, turn, &CandidateGame { variant, numbering: summary.numbering })?
                    {
                        out.extend_from_slice(hub.as_bytes());
                    } else {
                        push_canonical(out, slot.tag, value, row, utf8, dates, turn)?;
                    }
                }
                SlotValue::Result => out.extend_from_slice(self.result.as_bytes()),
                SlotValue::GameType => match &self.forced_game_type {
                    Some(value) => out.extend_from_slice(value.as_bytes()),
                    None if row.short_game_type => {
                        out.extend_from_slice(summary.variant.number().to_string().as_bytes());
                    }
                    None => {
                        let known = self.game_types.iter().find(|(known, _)| *known == variant);
                        out.extend_from_slice(known.map_or("", |(_, value)| value).as_bytes());
                    }
                },
                SlotValue::PlyCount => out.extend_from_slice(summary.plies.to_string().as_bytes()),
                SlotValue::Unknown(value) => out.extend_from_slice(value.as_bytes()),
            }
            out.extend_from_slice(b"\"]");
            out.extend_from_slice(line_end);
        }
        out.extend_from_slice(line_end);
        Ok(())
    }
}

impl TagSlot {
    /// Returns the text of a tag of the record that is written as it is: most tags are. `may_have_extra_blanks` is what
    /// [`section_has_extra_blanks`] says of the tags of the record.
    // Twin: push_canonical; test: canonical_tags_are_copied_as_they_would_be_written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn canonical_text<'r>(
        &self,
        record: &'r [u8],
        row: &ProfileRow,
        utf8: Option<Encoding>,
        may_have_extra_blanks: bool,
    ) -> Option<&'r [u8]> {
        let (SlotValue::Written(value), Some(tag)) = (self.value, self.tag) else { return None };
        let (start, end) = (value.start as usize, value.end as usize);
        let name = tag.name().as_bytes();
        let at = start.checked_sub(name.len() + 3)?;
        let (text, value) = (record.get(at..end + 2)?, record.get(start..end)?);
        let has_form = match tag.kind() {
            TagKind::Date => has_date_form(value),
            TagKind::Fen => false,
            TagKind::GameType => !row.short_game_type,
            _ => true,
        };
        // A plain tag has one space between name and value, and nothing in them that is escaped.
        let is_canonical = self.name.is_empty()
            && has_form
            && !(may_have_extra_blanks && has_extra_blanks(value))
            && text[1..=name.len()] == *name
            && find_plain_tag(record, at).is_some_and(|tag| tag.value == (start, end))
            && (utf8.is_none() || value.is_ascii());
        is_canonical.then_some(text)
    }
}

/// What a tag name means.
#[derive(Clone, Copy, Debug)]
struct Meaning {
    tag: Option<TagName>,
    /// The tag belongs to a side, and its name is not that of PDN: whose tag it is depends on the other names of the record.
    names_side: bool,
}

impl Meaning {
    fn of(name: &[u8]) -> Self {
        let tag = recognise_tag(name).map(|recognised| recognised.tag);
        let is_other_name = |tag: TagName| other_side(tag).is_some() && name != tag.name().as_bytes();
        Self { tag, names_side: tag.is_some_and(is_other_name) }
    }
}

/// Returns the sides that the tags of a record name.
#[cold]
fn named_sides(record: &[u8], tags: &[RecordedTag]) -> NamedSides {
    let mut sides = NamedSides::default();
    for tag in tags.iter().filter(|tag| !tag.value.of(record).trim_ascii().is_empty()) {
        let name = tag.name.of(record);
        if let Some(found) = recognise_tag(name) {
            sides.add(name, found.tag);
        }
    }
    sides
}

/// Returns the name, the value and the end of a tag of the form `[Name "value"]`, without quotes, backslashes and control
/// characters in its value.
#[cfg_attr(not(debug_assertions), inline(always))]
fn canonical_tag(record: &[u8], at: usize) -> Option<(&[u8], &[u8], usize)> {
    if let Some(tag) = find_plain_tag(record, at) {
        return Some((&record[tag.name.0..tag.name.1], &record[tag.value.0..tag.value.1], tag.end));
    }
    canonical_tag_by_bytes(record, at)
}

/// Does the same for long tags, those near the end of a record, and names with digits.
#[inline(never)]
fn canonical_tag_by_bytes(record: &[u8], at: usize) -> Option<(&[u8], &[u8], usize)> {
    let rest = &record[at + 1..];
    let name_len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = rest.split_at(name_len);
    let inside = rest.strip_prefix(b" \"")?;
    let value_len = inside.iter().take_while(|byte| **byte >= b' ' && !matches!(byte, b'"' | b'\\')).count();
    let (value, rest) = inside.split_at(value_len);
    let is_tag = name.first().is_some_and(u8::is_ascii_alphabetic) && rest.starts_with(b"\"]");
    is_tag.then_some((name, value, at + 1 + name_len + 2 + value_len + 2))
}

/// Appends the name of a tag that the standard does not have, with a capital at its start.
fn push_name(out: &mut Vec<u8>, name: &[u8]) -> Result<(), Unwritten> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match name.split_first() {
        Some((first, rest)) if first.is_ascii_alphabetic() && rest.iter().all(is_name) => {
            out.push(first.to_ascii_uppercase());
            out.extend_from_slice(rest);
            Ok(())
        }
        _ => Err(Unwritten::TagName),
    }
}

/// Appends the value of a tag in canonical form.
fn push_canonical(
    out: &mut Vec<u8>,
    tag: Option<TagName>,
    value: &[u8],
    row: &ProfileRow,
    utf8: Option<Encoding>,
    dates: DateOrders,
    shown_turn: Option<Colour>,
) -> Result<(), Unwritten> {
    let canonical = match tag.map(TagName::kind) {
        Some(TagKind::Date) if !has_date_form(value) => canonical_date(value, dates),
        Some(TagKind::Fen) => canonical_fen(value, shown_turn),
        Some(TagKind::GameType) if row.short_game_type => short_game_type(value),
        _ => None,
    };
    match canonical {
        Some(canonical) => push_text(out, canonical.as_bytes(), None),
        None => push_value(out, value, utf8, row.no_quotes),
    }
}

#[cfg(test)]
mod tests {
    use super::super::profile::Profile;
    use super::*;

    #[test]
    fn canonical_tags_are_copied_as_they_would_be_written() {
        let values = [
            "x",
            "",
            "a b",
            "a  b",
            " a",
            "a ",
            "a\tb",
            "a\\'b",
            "2007.05.19",
            "19.5.2007",
            "20",
            "20,W,10,10,N2,0",
            "é",
            "a\\\"b",
            "\\x",
            "a\nb",
        ];
        let mut copied = 0;
        for profile in Profile::ALL {
            for name in ["Event", "Date", "GameType", "FEN", "event", "P1"] {
                for (before, between, after) in
                    [("[", " \"", "\"]"), ("[ ", " \"", "\"]"), ("[", "  \"", "\" ]"), ("x", " \"", "\"]")]
                {
                    for value in values {
                        for utf8 in [None, Some(Encoding::WINDOWS_1252)] {
                            let record = format!("{before}{name}{between}{value}{after}\n{:80}", "");
                            let tag = recognise_tag(name.as_bytes()).map(|recognised| recognised.tag);
                            let start = (before.len() + name.len() + between.len()) as u32;
                            let value_span = Span::new(start, start + value.len() as u32);
                            let slot = TagSlot {
                                rank: 0,
                                tag,
                                name: Span::default(),
                                value: SlotValue::Written(value_span),
                            };
                            let row = profile.row();
                            let Some(text) = slot.canonical_text(
                                record.as_bytes(),
                                row,
                                utf8,
                                section_has_extra_blanks(record.as_bytes()),
                            ) else {
                                continue;
                            };
                            copied += 1;
                            let mut written = format!("[{} \"", tag.expect("a tag").name()).into_bytes();
                            push_canonical(
                                &mut written,
                                tag,
                                value_span.of(record.as_bytes()),
                                row,
                                utf8,
                                DateOrders::default(),
                                None,
                            )
                            .expect("a canonical value");
                            written.extend_from_slice(b"\"]");
                            assert_eq!(text, written, "{record}");
                        }
                    }
                }
            }
        }
        assert!(copied > 100, "{copied}");
    }

    #[test]
    fn tag_names_are_recognised_after_any_other_record() {
        let names = ["Event", "white", "Result", "P1", "Bianco", "Custom", ""];
        let mut writer = TagSectionWriter::default();
        for before in names {
            for name in names {
                let expected = recognise_tag(name.as_bytes()).map(|recognised| recognised.tag);
                writer.meaning(0, before.as_bytes());
                assert_eq!(writer.meaning(0, name.as_bytes()).tag, expected, "{name} after {before}");
            }
        }
    }
}
