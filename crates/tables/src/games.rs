//! Rows of the table of games.

use std::cell::LazyCell;

use super::batch::TableBatch;

use super::plies::{PlyTable, write_moves};
use super::record::{IndexedValues, RecordContext, basis_name, winner_name};
use super::schema::{GameField, ValueType, fact_fields, text_fields};
use super::squares::SquareTable;
use pdn::diag::Severity;
use pdn::internal::value::is_unknown;
use pdn::internal::view::TagValues;
use pdn::position::Position;
use pdn::replay::{ReplaySummary, VariantBasis};
use pdn::report::RecordReport;
use pdn::value::{Date, FenStyle, TagName};
use pdn_index::GameRow;

impl GameField {
    /// Returns the tag that a value is made from; `None` if it takes none, or all.
    pub(super) const fn tag(self) -> Option<TagName> {
        if let Some(column) = self.text_column() {
            return Some(column.tag());
        }
        Some(match self {
            Self::Date | Self::DateText | Self::Year | Self::Month => TagName::Date,
            Self::WhiteRating => TagName::WhiteRating,
            Self::BlackRating => TagName::BlackRating,
            Self::ResultTag => TagName::Result,
            Self::TimeControl => TagName::TimeControl,
            Self::Opening => TagName::Opening,
            text_fields!()
            | fact_fields!()
            | Self::Game
            | Self::File
            | Self::Record
            | Self::Line
            | Self::Offset
            | Self::Length
            | Self::Status
            | Self::Variant
            | Self::VariantFrom
            | Self::ResultEnd
            | Self::Winner
            | Self::OpeningPlayed
            | Self::Novelty
            | Self::StartFen
            | Self::Plies
            | Self::PliesWritten
            | Self::Variations
            | Self::Comments
            | Self::Errors
            | Self::Warnings
            | Self::FinalFen
            | Self::Moves
            | Self::Tags
            | Self::Ply
            | Self::Fen => return None,
        })
    }
}

impl GameField {
    /// Returns `false` for a text such as `?` instead of a name, a place, a round or a date: it tells nothing, so the column is null. Results
    /// are as written.
    fn tells(self, text: &str) -> bool {
        matches!(self, Self::Result | Self::ResultTag) || !is_unknown(text)
    }
}

/// Every tag that a value is made from is kept when the tags of a record are read.
const _: () = {
    let mut fields = GameField::ALL;
    while let [field, rest @ ..] = fields {
        if let Some(tag) = field.tag() {
            assert!(TagValues::keeps(tag), "a tag of a column has a slot in `TagValues`");
        }
        fields = rest;
    }
};

/// Counts of a record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReportCounts {
    variations: u32,
    comments: u32,
    errors: u32,
    warnings: u32,
}

impl ReportCounts {
    /// Takes the counts of a report.
    pub(super) fn of(report: &RecordReport<'_, '_>) -> Self {
        let parts = report.text.summary.counts;
        Self {
            variations: parts.variations,
            comments: parts.comments,
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
        }
    }
}

/// What is known of a record whose row is made.
pub(super) struct GameSource<'a, 'g> {
    pub(super) context: &'a RecordContext<'g>,
    pub(super) tags: &'a TagValues<'g>,
    /// The replay, if a selected column takes it.
    pub(super) summary: Option<&'a ReplaySummary>,
    /// How the variant is known, if not as the replay says.
    pub(super) basis: Option<&'static str>,
    /// The moves, if a selected column takes them.
    pub(super) plies: &'a PlyTable,
    pub(super) squares: Option<&'a SquareTable>,
    /// The counts of a check, if a selected column takes it.
    pub(super) counts: Option<&'a ReportCounts>,
}

impl<'g> GameSource<'_, 'g> {
    /// Returns the terminator as written; empty if there is none.
    fn end(&self) -> &'g [u8] {
        match self.summary {
            Some(summary) => summary.terminator.map_or(b"", |end| end.span.of(self.context.bytes())),
            None => self.context.view().terminator().map_or(b"", |end| end.text),
        }
    }

    /// Appends the row of the record.
    pub(super) fn push(&self, columns: &[GameField], out: &mut TableBatch) {
        let context = self.context;
        let tag = |name| {
            let value = self.tags.get(name);
            (!value.is_empty()).then(|| context.value(value)).filter(|text| !text.is_empty())
        };
        // Read at most once; few selections have a date.
        let date = LazyCell::new(|| self.tags.date(context.decoder.dates()));
        let counted = |of: fn(&ReportCounts) -> u32| self.counts.map(|counts| count(of(counts)));
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind {
                GameField::Game => column.push_i64(context.game.map(integer)),
                GameField::File => column.push_word(Some(context.file), 1),
                GameField::Record => column.push_i64(Some(integer(context.record))),
                GameField::Line => column.push_i64(Some(integer(context.lines.position().line))),
                GameField::Offset => column.push_i64(Some(integer(context.original(0)))),
                GameField::Length => {
                    column.push_i64(Some(integer(context.place(0, context.bytes().len() as u32).1)));
                }
                GameField::Status => column.push_word(self.summary.map(|summary| summary.status.name()), 1),
                GameField::Variant => column.push_word(self.summary.map(|summary| summary.variant.name()), 1),
                GameField::VariantFrom => {
                    let basis = self.basis.or(self.summary.map(|summary| basis_name(summary.basis)));
                    column.push_word(basis, 1);
                }
                text_fields!()
                | GameField::DateText
                | GameField::ResultTag
                | GameField::TimeControl
                | GameField::Opening => {
                    let value = match kind {
                        GameField::Result => {
                            let result = self.tags.result(|| self.end());
                            (!result.is_empty()).then(|| context.value(result))
                        }
                        _ => kind.tag().and_then(tag).filter(|text| kind.tells(text)),
                    };
                    column.push_text(value.as_deref());
                }
                GameField::OpeningPlayed => {
                    let name = |summary: &ReplaySummary| self.plies.opening(summary.variant, &summary.last);
                    column.push_text(self.summary.and_then(name).as_deref());
                }
                GameField::Date => column.push_date(date.days()),
                GameField::Year => column.push_i16(date.year().map(|year| year as i16)),
                GameField::Month => column.push_i16(date.month().map(i16::from)),
                GameField::WhiteRating => column.push_i16(rating(self.tags.rating(TagName::WhiteRating))),
                GameField::BlackRating => column.push_i16(rating(self.tags.rating(TagName::BlackRating))),
                GameField::ResultEnd => {
                    let end = self.end();
                    column.push_text((!end.is_empty()).then(|| context.decode(end)).as_deref());
                }
                GameField::Winner => {
                    let winner =
                        |summary: &ReplaySummary| winner_name(summary.outcome(), summary.numbering.start);
                    column.push_word(self.summary.and_then(winner), 1);
                }
                GameField::StartFen => {
                    let start = self.summary.map(ReplaySummary::start_position);
                    column.push_text(start.and_then(|start| start_fen(&start, out.fen_style)).as_deref());
                }
                GameField::Plies => column.push_i32(self.summary.map(|summary| count(summary.plies))),
                GameField::PliesWritten => {
                    column.push_i32(self.summary.map(|summary| count(summary.written)))
                }
                GameField::Variations => column.push_i32(counted(|counts| counts.variations)),
                GameField::Comments => column.push_i32(counted(|counts| counts.comments)),
                GameField::Errors => column.push_i32(counted(|counts| counts.errors)),
                GameField::Warnings => column.push_i32(counted(|counts| counts.warnings)),
                GameField::FinalFen => {
                    column.push_text(
                        self.summary.map(|summary| summary.last_position().fen_as(out.fen_style)).as_deref(),
                    );
                }
                GameField::Moves => column.write_text(|text| write_moves(self.plies, self.squares, text)),
                GameField::Tags => {
                    if let Some(map) = column.map() {
                        map.extend(
                            context
                                .view()
                                .tags()
                                .map(|tag| (context.decode(tag.name), context.value(tag.value))),
                        );
                    }
                    column.end_map();
                }
                fact_fields!() | GameField::Novelty => column.push_i32(context.indexed.value(*kind)),
                // No columns of the table: values of matches only.
                GameField::Ply | GameField::Fen => {}
            }
        }
        out.rows += 1;
    }
}

/// What an index has as the value of a field of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(hidden)]
pub enum IndexedValue<'r> {
    /// A text of the row.
    Text(&'r str),
    /// A word that stands for a value of the row.
    Word(&'static str),
    /// A number of the row.
    Number(u32),
    /// Nothing: the row has no such value.
    Unknown,
    /// The date, which has a day only if all parts are known.
    Date(Date),
    /// The known parts of the date, as a text.
    DateText(Date),
    /// How the variant is known.
    Basis(VariantBasis),
    /// The number of the game, from 1.
    Game,
    /// The name of its input.
    File,
    /// The number of its record, from 1.
    Record,
    /// The offset of its record.
    Offset,
    /// The length of its record.
    Length,
    /// Its first position, if it is not that of the variant.
    StartFen,
    /// Its last position.
    FinalFen,
    /// Its moves.
    Moves,
    /// The names of the opening that the moves show.
    OpeningPlayed,
    /// The number of plies before the novelty.
    Novelty,
    /// The ply of the match of a search.
    Ply,
    /// The position of the match of a search.
    Fen,
    /// A value that only the text of the record has.
    OfText,
}

impl GameField {
    /// Returns what an index with this row of a game has as the value of the field.
    #[doc(hidden)]
    pub fn in_index<'r>(self, row: &GameRow<'r>) -> IndexedValue<'r> {
        let number = |value: Option<u32>| value.map_or(IndexedValue::Unknown, IndexedValue::Number);
        let rating = |rating: u16| number((rating != 0).then_some(rating.into()));
        match self {
            text_fields!() => {
                let text = self.text_column().map(|column| row.text(column));
                text.map_or(IndexedValue::OfText, IndexedValue::Text)
            }
            fact_fields!() => number(row.facts.as_ref().and_then(|facts| self.fact(facts))),
            Self::Status => IndexedValue::Word(row.status.name()),
            Self::Variant => IndexedValue::Word(row.kind.variant.name()),
            Self::VariantFrom => IndexedValue::Basis(row.kind.basis),
            Self::Date => IndexedValue::Date(row.date),
            Self::DateText => IndexedValue::DateText(row.date),
            Self::Year => number(row.date.year().map(u32::from)),
            Self::Month => number(row.date.month().map(u32::from)),
            Self::WhiteRating => rating(row.ratings[0]),
            Self::BlackRating => rating(row.ratings[1]),
            Self::Winner => indexed_winner(row).map_or(IndexedValue::Unknown, IndexedValue::Word),
            Self::Plies => IndexedValue::Number(row.plies),
            Self::Game => IndexedValue::Game,
            Self::File => IndexedValue::File,
            Self::Record => IndexedValue::Record,
            Self::Offset => IndexedValue::Offset,
            Self::Length => IndexedValue::Length,
            Self::StartFen => IndexedValue::StartFen,
            Self::FinalFen => IndexedValue::FinalFen,
            Self::Moves => IndexedValue::Moves,
            Self::OpeningPlayed => IndexedValue::OpeningPlayed,
            Self::Novelty => IndexedValue::Novelty,
            Self::Ply => IndexedValue::Ply,
            Self::Fen => IndexedValue::Fen,
            Self::Line
            | Self::ResultTag
            | Self::ResultEnd
            | Self::TimeControl
            | Self::Opening
            | Self::PliesWritten
            | Self::Variations
            | Self::Comments
            | Self::Errors
            | Self::Warnings
            | Self::Tags => IndexedValue::OfText,
        }
    }
}

/// A game of an index, from its row and its packed moves alone.
pub(super) struct IndexedSource<'a> {
    /// Number in the index, from 1.
    pub(super) game: Option<u64>,
    pub(super) file: &'a str,
    pub(super) record: u64,
    /// Offset and length of the record.
    pub(super) place: (u64, u64),
    pub(super) row: &'a GameRow<'a>,
    /// What only the index knows.
    pub(super) indexed: IndexedValues,
    /// The positions before the first and after the last ply, if a selected column takes them.
    pub(super) ends: Option<[Position; 2]>,
    /// The moves, if a selected column takes them.
    pub(super) plies: &'a PlyTable,
    pub(super) squares: Option<&'a SquareTable>,
}

impl IndexedSource<'_> {
    /// Appends the row of the game. Columns that take the text of the record stay null; they are not selected here.
    pub(super) fn push(&self, columns: &[GameField], out: &mut TableBatch) {
        let row = self.row;
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind.in_index(row) {
                IndexedValue::Text(text) => {
                    column.push_text(Some(text).filter(|text| !text.is_empty() && kind.tells(text)));
                }
                IndexedValue::Word(word) => column.push_word(Some(word), 1),
                IndexedValue::Number(number) => match kind.value_type() {
                    ValueType::I16 => column.push_i16(i16::try_from(number).ok()),
                    _ => column.push_i32(Some(count(number))),
                },
                IndexedValue::Date(date) => column.push_date(date.days()),
                IndexedValue::Basis(basis) => column.push_word(Some(basis_name(basis)), 1),
                IndexedValue::Game => column.push_i64(self.game.map(integer)),
                IndexedValue::File => column.push_word(Some(self.file), 1),
                IndexedValue::Record => column.push_i64(Some(integer(self.record))),
                IndexedValue::Offset => column.push_i64(Some(integer(self.place.0))),
                IndexedValue::Length => column.push_i64(Some(integer(self.place.1))),
                IndexedValue::StartFen => {
                    column.push_text(
                        self.ends.and_then(|[start, _]| start_fen(&start, out.fen_style)).as_deref(),
                    );
                }
                IndexedValue::OpeningPlayed => {
                    let name = |last: &Position| self.plies.opening(row.kind.variant, last.state());
                    column.push_text(self.ends.as_ref().and_then(|[_, last]| name(last)).as_deref());
                }
                IndexedValue::Novelty => column.push_i32(self.indexed.value(*kind)),
                IndexedValue::FinalFen => {
                    column.push_text(self.ends.map(|[_, last]| last.fen_as(out.fen_style)).as_deref());
                }
                IndexedValue::Moves => {
                    column.write_text(|text| write_moves(self.plies, self.squares, text));
                }
                // The date as written, and all else that the text of the record has.
                IndexedValue::Unknown | IndexedValue::DateText(_) | IndexedValue::OfText => {
                    column.push_nulls(1);
                }
                // No columns of the table: values of matches only.
                IndexedValue::Ply | IndexedValue::Fen => {}
            }
        }
        out.rows += 1;
    }
}

/// Returns how an indexed game ended, by the result that counts.
pub(super) fn indexed_winner(row: &GameRow<'_>) -> Option<&'static str> {
    winner_name(row.outcome, row.kind.numbering.start)
}

/// Returns a start position as a FEN; `None` if it is that of the variant.
fn start_fen(start: &Position, style: FenStyle) -> Option<String> {
    (*start != Position::start(*start.game())).then(|| start.fen_as(style))
}

/// Returns a number as an integer of a table, or the greatest one.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns a number as an integer of 32 bits of a table, or the greatest one.
pub(super) fn count(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Returns a rating that a table can have: from 1 to 32767.
fn rating(rating: Option<u16>) -> Option<i16> {
    rating.and_then(|rating| i16::try_from(rating).ok()).filter(|&rating| rating != 0)
}
