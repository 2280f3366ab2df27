//! Rows of the table of games.

use std::cell::LazyCell;

use super::batch::TableBatch;
use super::plies::PlyTable;
use super::record::{RecordContext, basis_name, winner_name};
use super::schema::GameField;
use super::squares::SquareTable;
use super::text::write_moves;
use crate::diag::Severity;
use crate::index::GameRow;
use crate::position::Position;
use crate::replay::ReplaySummary;
use crate::report::RecordReport;
use crate::value::TagName;
use crate::view::TagValues;

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
            Self::Annotator => TagName::Annotator,
            Self::Opening => TagName::Opening,
            _ => return None,
        })
    }
}

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
    /// The moves, if they are selected.
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
        let date = LazyCell::new(|| self.tags.date());
        let count = |of: fn(&ReportCounts) -> u32| self.counts.map(of);
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind {
                GameField::Game => column.push_u64(context.game),
                GameField::File => column.push_word(Some(context.file), 1),
                GameField::Record => column.push_u32(Some(saturated(context.record))),
                GameField::Line => column.push_u32(Some(saturated(context.lines.position().line))),
                GameField::Offset => column.push_u64(Some(context.original(0))),
                GameField::Length => {
                    column.push_u64(Some(context.place(0, context.bytes().len() as u32).1));
                }
                GameField::Status => column.push_word(self.summary.map(|summary| summary.status.name()), 1),
                GameField::Variant => column.push_word(self.summary.map(|summary| summary.variant.name()), 1),
                GameField::VariantFrom => {
                    let basis = self.basis.or(self.summary.map(|summary| basis_name(summary.basis)));
                    column.push_word(basis, 1);
                }
                GameField::Event
                | GameField::Site
                | GameField::Round
                | GameField::White
                | GameField::Black
                | GameField::DateText
                | GameField::ResultTag
                | GameField::TimeControl
                | GameField::Annotator
                | GameField::Opening => column.push_text(kind.tag().and_then(tag).as_deref()),
                GameField::Date => column.push_date(date.days()),
                GameField::Year => column.push_i16(date.year().map(|year| year as i16)),
                GameField::Month => column.push_u8(date.month()),
                GameField::WhiteRating => column.push_u16(self.tags.rating(TagName::WhiteRating)),
                GameField::BlackRating => column.push_u16(self.tags.rating(TagName::BlackRating)),
                GameField::Result => {
                    let result = self.tags.result(|| self.end());
                    column.push_text((!result.is_empty()).then(|| context.value(result)).as_deref());
                }
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
                    column.push_text(start.and_then(|start| start_fen(&start)).as_deref());
                }
                GameField::Plies => column.push_u32(self.summary.map(|summary| summary.plies)),
                GameField::PliesWritten => column.push_u32(self.summary.map(|summary| summary.written)),
                GameField::Variations => column.push_u32(count(|counts| counts.variations)),
                GameField::Comments => column.push_u32(count(|counts| counts.comments)),
                GameField::Errors => column.push_u32(count(|counts| counts.errors)),
                GameField::Warnings => column.push_u32(count(|counts| counts.warnings)),
                GameField::FinalFen => {
                    column.push_text(self.summary.map(|summary| summary.last_position().fen()).as_deref());
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
                // No columns of the table.
                GameField::Ply | GameField::Fen => {}
            }
        }
        out.rows += 1;
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
    /// The positions before the first and after the last ply, if they are selected.
    pub(super) ends: Option<[Position; 2]>,
    /// The moves, if they are selected.
    pub(super) plies: &'a PlyTable,
    pub(super) squares: Option<&'a SquareTable>,
}

impl IndexedSource<'_> {
    /// Returns how the game ended, by the result that counts.
    pub(super) fn winner(&self) -> Option<&'static str> {
        indexed_winner(self.row)
    }

    /// Appends the row of the game. Columns that take the text of the record stay null; they are not selected here.
    pub(super) fn push(&self, columns: &[GameField], out: &mut TableBatch) {
        let row = self.row;
        let text = |value: &'static str| Some(value);
        let known = |value| Some(value).filter(|value: &&str| !value.is_empty());
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            if let Some(of_row) = kind.text_column() {
                column.push_text(known(row.text(of_row)));
                continue;
            }
            match kind {
                GameField::Game => column.push_u64(self.game),
                GameField::File => column.push_word(Some(self.file), 1),
                GameField::Record => column.push_u32(Some(saturated(self.record))),
                GameField::Offset => column.push_u64(Some(self.place.0)),
                GameField::Length => column.push_u64(Some(self.place.1)),
                GameField::Status => column.push_word(text(row.status.name()), 1),
                GameField::Variant => column.push_word(text(row.kind.variant.name()), 1),
                GameField::VariantFrom => column.push_word(text(basis_name(row.kind.basis)), 1),
                GameField::Date => column.push_date(row.date.days()),
                GameField::Year => column.push_i16(row.date.year().map(|year| year as i16)),
                GameField::Month => column.push_u8(row.date.month()),
                GameField::WhiteRating => column.push_u16(Some(row.ratings[0]).filter(|&rating| rating != 0)),
                GameField::BlackRating => column.push_u16(Some(row.ratings[1]).filter(|&rating| rating != 0)),
                GameField::Winner => column.push_word(self.winner(), 1),
                GameField::StartFen => {
                    column.push_text(self.ends.and_then(|[start, _]| start_fen(&start)).as_deref());
                }
                GameField::Plies => column.push_u32(Some(row.plies)),
                GameField::FinalFen => column.push_text(self.ends.map(|[_, last]| last.fen()).as_deref()),
                GameField::Moves => column.write_text(|text| write_moves(self.plies, self.squares, text)),
                // The others take the text of the record.
                _ => column.push_nulls(1),
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
fn start_fen(start: &Position) -> Option<String> {
    (*start != Position::start(*start.game())).then(|| start.fen())
}

/// Returns the nearest number of 32 bits.
pub(super) fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
