//! The records of matching games as one PDN text, made on several threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pdn::error::ErrorKind;
use pdn::internal::pool;
use pdn::internal::split::{JoinChanges, JoinedRecords, RecordJoiner};
use pdn::replay::VariantBasis;
use pdn::stop::Stop;
use pdn::value::TagName;
use pdn::view::RecordView;
use pdn_index::Index;
use pdn_index::internal::TextReader;
use pdn_index::internal::query::RowTable;
use pdn_index::query::Hit;

use crate::ask::error::{AppError, Result};
use crate::ask::numbers::count;
use crate::write::joined::JoinedOutput;

/// Number of games that a thread reads at a time, if they are in the order of the index.
const ORDERED_GAMES: usize = 512;
/// Number of games that a thread reads at a time in any other order; of more games, more share a block.
const SORTED_GAMES: usize = 4096;

/// How records are written.
#[derive(Clone, Copy, Debug)]
pub struct RecordOptions {
    /// As bytes in the encoding of the archive, otherwise as UTF-8.
    pub raw: bool,
    /// Whether to add a GameType tag to games without one.
    pub add_game_type: bool,
    /// Number of threads.
    pub threads: NonZeroUsize,
}

/// What happened to records, as numbers of games.
#[derive(Debug, Default)]
struct RecordNotes {
    /// Games with bytes that are invalid in the encoding of their archive.
    undecodable: u64,
    /// Games that have a GameType tag that does not decide their variant.
    unclear_game_type: u64,
    /// Games that cannot be read, and the first error, for each file.
    unreadable: BTreeMap<PathBuf, (pdn::Error, u64)>,
}

impl RecordNotes {
    fn add(&mut self, other: Self) {
        self.undecodable += other.undecodable;
        self.unclear_game_type += other.unclear_game_type;
        for (path, (error, games)) in other.unreadable {
            self.unreadable.entry(path).or_insert((error, 0)).1 += games;
        }
    }
}

/// The games that were written, and what happened to them.
#[derive(Debug, Default)]
pub struct RecordsWritten {
    notes: RecordNotes,
    changes: JoinChanges,
}

/// Passes the records of all hits to `write`, as one text in which each is read back as one record, until it breaks. Games that
/// cannot be read are left out.
///
/// # Errors
///
/// If the work was stopped.
pub fn write_records(
    index: &Index,
    table: &RowTable<'_>,
    hits: &[Hit],
    options: RecordOptions,
    stop: &Stop,
    write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<RecordsWritten> {
    let is_ordered = hits.is_sorted_by_key(|hit| hit.game);
    let jobs = hits.chunks(if is_ordered { ORDERED_GAMES } else { SORTED_GAMES });
    let threads = if hits.len() <= ORDERED_GAMES { NonZeroUsize::MIN } else { options.threads };
    let (mut notes, mut joined) = (RecordNotes::default(), JoinedOutput::default());
    pool::ordered(
        jobs,
        threads,
        || RecordWorker::new(index, table, options),
        RecordWorker::records,
        |(group, more)| {
            notes.add(more);
            let push = |text: &[u8]| if write(text).is_continue() { Ok(()) } else { Err(()) };
            let goes_on = joined.push(group, push).is_ok() && !stop.is_requested();
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    stop.check()?;
    Ok(RecordsWritten { notes, changes: joined.changes })
}

/// Reads and converts records on one thread.
struct RecordWorker<'a> {
    index: &'a Index,
    table: &'a RowTable<'a>,
    options: RecordOptions,
    reader: TextReader<'a>,
    joiner: RecordJoiner,
    record: Vec<u8>,
}

impl<'a> RecordWorker<'a> {
    fn new(index: &'a Index, table: &'a RowTable<'a>, options: RecordOptions) -> Self {
        let joiner = if options.raw { RecordJoiner::raw() } else { RecordJoiner::new() };
        Self { index, table, options, reader: TextReader::new(index), joiner, record: Vec::new() }
    }

    /// Joins the records of some games.
    fn records(&mut self, hits: &[Hit]) -> (JoinedRecords, RecordNotes) {
        let mut notes = RecordNotes::default();
        if hits.is_sorted_by_key(|hit| hit.game) {
            for hit in hits {
                if self.read(hit.game, &mut notes) {
                    self.joiner.push(&self.record);
                }
            }
        } else {
            // Games are read in the order of the index, so that each block is read once.
            let mut order: Vec<usize> = (0..hits.len()).collect();
            order.sort_unstable_by_key(|&place| hits[place].game);
            let mut records = vec![None; hits.len()];
            for place in order {
                if self.read(hits[place].game, &mut notes) {
                    records[place] = Some(std::mem::take(&mut self.record));
                }
            }
            records.iter().flatten().for_each(|record| self.joiner.push(record));
        }
        (self.joiner.finish(), notes)
    }

    /// Reads and converts the record of a game. Returns `false` if it cannot be read.
    fn read(&mut self, game: u64, notes: &mut RecordNotes) -> bool {
        self.record.clear();
        match self.reader.text(game) {
            Ok(text) if self.options.raw || text.is_ascii() => self.record.extend_from_slice(text),
            Ok(text) => {
                let input = self.index.game(game).and_then(|game| game.location().ok());
                let decoder = input.map(|location| self.index.decoder(location.input)).unwrap_or_default();
                let decoded = decoder.guess(text).encoding.decode(text);
                let is_replaced = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
                notes.undecodable += u64::from(str::from_utf8(text).is_err() && is_replaced(&decoded));
                self.record.extend_from_slice(decoded.as_bytes());
            }
            Err(error) => {
                let path = error.path().unwrap_or(self.index.dir()).to_owned();
                notes.unreadable.entry(path).or_insert((error, 0)).1 += 1;
                return false;
            }
        }
        if self.options.add_game_type {
            self.add_game_type(game, notes);
        }
        true
    }

    /// Adds a GameType tag unless the game has one.
    fn add_game_type(&mut self, game: u64, notes: &mut RecordNotes) {
        let Some(row) = self.table.row(game) else { return };
        if row.kind.basis == VariantBasis::Tag {
            return;
        }
        let view = RecordView::new(&self.record);
        let (mut last, mut has_game_type) = (None, false);
        for tag in view.tags() {
            has_game_type |= tag.recognised().is_some_and(|name| name.tag == TagName::GameType);
            if !tag.in_moves {
                last = Some(tag.span.end as usize);
            }
        }
        if has_game_type {
            notes.unclear_game_type += 1;
            return;
        }
        let tag = format!("[GameType \"{}\"]", row.kind.game_type());
        match last {
            // After the last tag, if it is whole.
            Some(end) if end > 0 && self.record.get(end - 1) == Some(&b']') => {
                self.record.splice(end..end, format!("\n{tag}").into_bytes());
            }
            Some(_) => drop(self.record.splice(..0, format!("{tag}\n").into_bytes())),
            None => drop(self.record.splice(..0, format!("{tag}\n\n").into_bytes())),
        }
    }
}

impl RecordsWritten {
    /// Returns `true` if all games could be read.
    pub fn is_complete(&self) -> bool {
        self.notes.unreadable.is_empty()
    }

    /// Returns the files whose games could not be read and were left out, each with its first error.
    pub fn problems(&self) -> impl Iterator<Item = AppError> {
        self.notes.unreadable.values().map(|(error, games)| {
            let mut problem = AppError::from(error);
            problem.message += &format!("; {} left out", count(*games, "game"));
            match error.kind() {
                ErrorKind::ArchiveChanged(_) => problem.help(
                    "the index can still be searched; `pdn index --append ARCHIVE -o DIR` brings it up to date, `--root` names the \
                     folder of archives that were moved, and `pdn index --embed` stores the text in the index",
                ),
                _ => problem,
            }
        })
    }

    /// Returns what the reader of the records has to know, a sentence each. `raw` is that of the options.
    pub fn remarks(&self, raw: bool) -> Vec<String> {
        let JoinChanges { terminators, comments, first_tags, unseparated, .. } = self.changes;
        let changes = [
            (terminators, "received the terminator `*`, which separates them from the next game"),
            (comments, "received the end of a comment that was not closed"),
            (
                first_tags,
                "received a first tag with the value `?`, which separates them from the previous game",
            ),
            (unseparated, "cannot be told from the next or the previous game by a reader of this text"),
            (
                self.notes.undecodable,
                "with bytes that are no text in their encoding, replaced by U+FFFD; `--raw` keeps them",
            ),
            (
                self.notes.unclear_game_type,
                "with a GameType tag that does not give the variant; no other was added",
            ),
        ];
        let made = changes.into_iter().filter(|(number, _)| *number > 0);
        let mut remarks: Vec<String> =
            made.map(|(number, what)| format!("note: {} {what}", count(number, "game"))).collect();
        if unseparated > 0 && raw {
            remarks.push(
                "note: without `--raw`, games are changed where it is needed to tell them apart".to_owned(),
            );
        }
        remarks
    }
}
