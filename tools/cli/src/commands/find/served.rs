//! Finds games for a server: pages of rows, and files of all games that match.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use pdn::index::{Index, RecordNumbers};
use pdn::query::{Hit, Query, RowTable, Search};
use serde_json::{Map, Value};

use super::fields::{self, FieldReader, table_text};
use super::records::{self, RecordOptions};
use crate::args::{FindArgs, FindSort};
use crate::commands::filter;
use crate::output::Output;

/// The games that match, in the order that was asked for.
#[derive(Debug)]
pub(crate) struct Matches {
    /// The number of games that match.
    pub(crate) total: u64,
    /// The games, or the first of them if no more were asked for.
    pub(crate) hits: Vec<Hit>,
}

/// Returns the query of all options. If one is invalid, prints why and returns `None`.
pub(crate) fn query(args: &FindArgs) -> Option<Query> {
    let (games, positions) = (args.filter.query()?, args.position.query()?);
    let variant = args.variant.map_or(Query::And(Vec::new()), Query::variant);
    Some(games & variant & positions)
}

/// Returns the games that match, at least the first `wanted` of them. If an option is invalid, prints why and returns
/// `None`.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub(crate) fn find(
    args: &FindArgs,
    index: &Index,
    wanted: usize,
    threads: NonZeroUsize,
    stop: &AtomicBool,
) -> pdn::Result<Option<Matches>> {
    let Some(query) = query(args) else { return Ok(None) };
    if !filter::check(&query, args.position.moves.as_deref(), index)? {
        return Ok(None);
    }
    let search = Search::new(index, &query, threads)?.stop(stop);
    // Where the columns decide, the first games and their number cost little, however many match.
    let is_by_columns = search.plan().played == 0 && search.plan().steps.iter().all(|step| !step.reads_text);
    if is_by_columns && args.sort == FindSort::Game && !args.reverse {
        let (hits, _) = search.hits(wanted)?;
        return Ok(Some(Matches { total: search.count()?.0, hits }));
    }
    let (mut hits, _) = search.hits(usize::MAX)?;
    super::sort(&mut hits, &RowTable::new(index)?, args);
    Ok(Some(Matches { total: hits.len() as u64, hits }))
}

/// Passes the games that match to `visit` while they are found, in the order of the index, until it breaks. If an option is
/// invalid, prints why and returns `None`.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
pub(crate) fn visit(
    args: &FindArgs,
    index: &Index,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    visit: impl FnMut(&[Hit]) -> ControlFlow<()>,
) -> pdn::Result<Option<()>> {
    let Some(query) = query(args) else { return Ok(None) };
    if !filter::check(&query, args.position.moves.as_deref(), index)? {
        return Ok(None);
    }
    Search::new(index, &query, threads)?.stop(stop).visit_hits(visit)?;
    Ok(Some(()))
}

/// Reads the rows of games.
pub(crate) struct Rows<'a> {
    pub(crate) index: &'a Index,
    pub(crate) table: &'a RowTable<'a>,
    pub(crate) numbers: &'a RecordNumbers,
}

impl Rows<'_> {
    /// Returns the row of each game with the keys of `pdn find --json`, and the position of the match as `fen`. Files are
    /// given by their names alone: the folders of the server are nobody's business.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(crate) fn json(&self, hits: &[Hit], with_position: bool) -> pdn::Result<Vec<Value>> {
        let mut fields = fields::chosen(None, false);
        if with_position {
            fields.push(crate::args::FoundField::Game(pdn::export::GameField::Fen));
        }
        let reader =
            FieldReader { index: self.index, table: self.table, numbers: self.numbers, fields: &fields };
        let mut rows = Vec::with_capacity(hits.len());
        for hit in hits {
            if let Some(mut row) = reader.values(hit)? {
                hide_folders(&mut row);
                rows.push(Value::Object(row));
            }
        }
        Ok(rows)
    }

    /// Returns the games as CSV with a header, as `pdn find --json` has them. The work ends if `is_stopped` returns `true`.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(crate) fn csv(&self, hits: &[Hit], is_stopped: impl Fn() -> bool) -> pdn::Result<Vec<u8>> {
        let fields = fields::chosen(None, false);
        let reader =
            FieldReader { index: self.index, table: self.table, numbers: self.numbers, fields: &fields };
        let names: Vec<String> = fields.iter().map(ToString::to_string).collect();
        let mut text = names.join(",") + "\r\n";
        for hit in hits {
            if is_stopped() {
                break;
            }
            let Some(mut row) = reader.values(hit)? else { continue };
            hide_folders(&mut row);
            let cells: Vec<String> = row.values().map(|value| csv_cell(&table_text(value))).collect();
            text.push_str(&cells.join(","));
            text.push_str("\r\n");
        }
        Ok(text.into_bytes())
    }

    /// Returns the records as one PDN text in UTF-8, as `pdn find --format pdn` writes it.
    ///
    /// # Errors
    ///
    /// Never: an output in memory takes everything. What cannot be read is printed and left out.
    pub(crate) fn pdn(&self, hits: &[Hit], threads: NonZeroUsize) -> std::io::Result<Vec<u8>> {
        let options = RecordOptions { raw: false, add_game_type: false, threads };
        let mut out = Output::in_memory();
        records::write(self.index, self.table, hits, options, &mut out)?;
        Ok(out.into_bytes())
    }
}

/// Leaves only the name of the file in a row.
fn hide_folders(row: &mut Map<String, Value>) {
    if let Some(Value::String(file)) = row.get_mut("file") {
        *file = file_name(file);
    }
}

/// Returns the last part of a path.
pub(crate) fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
}

/// Returns a text as a cell of CSV (RFC 4180).
fn csv_cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}
