//! Stores games that other programs send: first in an archive file, then in the index.

use std::collections::HashSet;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pdn::error::ErrorKind;
use pdn::replay::GameStatus;
use pdn::stop::Stop;
use pdn_app::ask::numbers::count;
use pdn_app::find::show::{LinePly, show_indexed};
use pdn_app::{AppError, ErrorCode};
use pdn_index::internal::{KeyTableOptions, KeyTables, build_key_tables};
use pdn_index::{ImportOptions, Index, import as import_archives};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::answers::Importer;
use crate::archives::Archives;
use crate::import_archive::{self, ImportArchive};
use crate::import_records::{self, StorableRecord};
use crate::problem::Problem;

/// Greatest number of games with errors and of refused records that an answer lists; the numbers count all.
const MAX_LISTED: usize = 1000;

/// Imports games into the first index that is served.
pub struct GameImport {
    archives: Arc<Archives>,
    /// Folder of the index.
    folder: PathBuf,
    threads: NonZeroUsize,
    /// Stops the building of tables.
    stop: Stop,
    /// Learns what could not be done.
    log: fn(&AppError),
    state: Mutex<ImportState>,
}

struct ImportState {
    archive: ImportArchive,
    /// Length of the archive that the index has.
    indexed: u64,
    /// The key tables that the index had before its segments were merged; `None` without any.
    tables: Option<KeyTableOptions>,
}

impl GameImport {
    /// Opens the archive of imported games, or creates it. What the index does not have of it yet is indexed.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or written, or the index cannot be written.
    pub fn open(
        archives: Arc<Archives>,
        folder: &Path,
        archive: Option<&Path>,
        threads: NonZeroUsize,
        stop: &Stop,
        log: fn(&AppError),
    ) -> pdn_app::Result<Self> {
        let path = archive.map_or_else(|| import_archive::default_path(folder), |path| Ok(path.to_owned()));
        let path = path.map_err(|error| AppError::path(ErrorCode::Unreadable, folder, error.to_string()))?;
        let failed = |error: io::Error| AppError::path(ErrorCode::Unwritable, &path, error.to_string());
        let mut archive = ImportArchive::open(&path).map_err(failed)?;
        let indexed = indexed_len(folder, archive.path())?;
        if let Some((bytes, other)) = archive.remove_unfinished(indexed).map_err(failed)? {
            let message = format!(
                "the last import was not finished and not confirmed; its end of {} is now in {}",
                count(bytes, "byte"),
                other.display()
            );
            log(&AppError::path(ErrorCode::Unreadable, &path, message));
        }
        archive.read_games(threads)?;
        let import = Self {
            archives,
            folder: folder.to_owned(),
            threads,
            stop: stop.clone(),
            log,
            state: Mutex::new(ImportState { archive, indexed, tables: None }),
        };
        {
            let mut state = import.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.archive.len() == state.indexed {
                drop(state);
                return Ok(import);
            }
            import.index_archive(&mut state)?;
        }
        import.tidy();
        Ok(import)
    }

    /// Appends to the index what it does not have of the archive. Readers see it afterwards.
    fn index_archive(&self, state: &mut ImportState) -> pdn::Result<()> {
        // Segments without key tables may take the place of those that have some.
        if let Some(present) = KeyTableOptions::of_index(&Index::open(&self.folder)?) {
            state.tables = Some(present);
        }
        let options = ImportOptions::new()
            .threads(self.threads)
            .open(import_archive::open_options())
            .append(true)
            .key_tables(KeyTables::None);
        let summary = import_archives([state.archive.path()], &self.folder, &options)?;
        if let Some(failure) = summary.failures.into_iter().next() {
            return Err(failure.error);
        }
        state.indexed = state.archive.len();
        self.archives.reopen_first();
        Ok(())
    }

    /// Returns what is wrong with a game that does not replay to its end; `None` if nothing.
    fn errors(&self, record: usize, game: u64) -> Option<ImportError> {
        let open = self.archives.first()?;
        let row = open.index.game(game - 1)?.row().ok()?;
        if row.status == GameStatus::Legal {
            return None;
        }
        let stop =
            show_indexed(&open.index, game, LinePly::default(), |shown| shown.answer().stop).ok().flatten();
        Some(ImportError {
            record,
            game,
            status: row.status.name(),
            plies: row.plies,
            code: stop.as_ref().map(|stop| stop.code),
            reason: stop.as_ref().map(|stop| stop.reason),
        })
    }
}

/// What became of the games of a text.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct ImportAnswer {
    /// The number of games that are new.
    taken: usize,
    /// The number of games that were stored before.
    known: u64,
    /// The number of records that cannot be stored.
    refused: usize,
    /// The number of the first new game in the index.
    first_game: Option<u64>,
    /// The number of games of the index.
    games: u64,
    /// New games that do not replay to their ends; at most 1,000 are listed.
    errors: Vec<ImportError>,
    /// The numbers of records that received a terminator.
    completed: Vec<usize>,
    /// Why records were refused; at most 1,000 are listed.
    refusals: Vec<Refusal>,
}

/// A game that does not replay to its end.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
struct ImportError {
    /// The number of the record in the text, from 1.
    record: usize,
    /// The number of the game in the index.
    game: u64,
    /// The status of the replay.
    status: &'static str,
    /// The number of legal plies.
    plies: u32,
    /// The code of the diagnostic.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// The reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// A record that cannot be stored.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
struct Refusal {
    /// The number of the record in the text, from 1.
    record: usize,
    /// Why.
    reason: String,
}

impl Importer for GameImport {
    fn import(&self, text: &[u8]) -> Result<Value, Problem> {
        let records = import_records::read(text)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut new, mut known, mut refused) = (Vec::<(usize, StorableRecord)>::new(), 0u64, Vec::new());
        let mut identities = HashSet::new();
        for (number, record) in (1..).zip(records) {
            match record {
                Err(reason) => refused.push(Refusal { record: number, reason: reason.to_string() }),
                Ok(record) if state.archive.knows(record.identity) || !identities.insert(record.identity) => {
                    known += 1;
                }
                Ok(record) => new.push((number, record)),
            }
        }
        if new.is_empty() && known == 0 {
            let reason = refused.first().map_or("", |first| first.reason.as_str());
            return Err(Problem::new(
                422,
                message!("none_storable", "no record of this text can be stored; the first one: {reason}"),
            ));
        }
        if !new.is_empty() {
            let text: Vec<u8> = new.iter().flat_map(|(_, record)| record.text.iter().copied()).collect();
            let stored = state.archive.append(&text, new.iter().map(|(_, record)| record.identity));
            stored.map_err(|error| {
                Problem::new(500, message!("cannot_store", "the games cannot be stored: {error}"))
            })?;
        }
        if state.archive.len() != state.indexed {
            self.index_archive(&mut state).map_err(|error| not_indexed(&error))?;
        }
        let games = self.archives.first().map_or(0, |open| open.index.len());
        let first_new = games.saturating_sub(new.len() as u64) + 1;
        let errors: Vec<ImportError> = (first_new..)
            .zip(&new)
            .filter_map(|(game, (number, _))| self.errors(*number, game))
            .take(MAX_LISTED)
            .collect();
        let completed = new.iter().filter(|(_, record)| record.is_completed).map(|(number, _)| *number);
        let completed: Vec<usize> = completed.take(MAX_LISTED).collect();
        let refused_count = refused.len();
        refused.truncate(MAX_LISTED);
        Ok(json!(ImportAnswer {
            taken: new.len(),
            known,
            refused: refused_count,
            first_game: (!new.is_empty()).then_some(first_new),
            games: self.archives.first().map_or(0, |open| open.index.game_count()),
            errors,
            completed,
            refusals: refused,
        }))
    }

    fn tidy(&self) {
        // While the tables are built, no import may begin: both need the index for themselves.
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(present) = state.tables else { return };
        let options = present.threads(self.threads);
        let stop =
            |_, _| if self.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match build_key_tables(&self.folder, &options, stop) {
            Ok(built) if built.tables + built.books + built.openings > 0 => self.archives.reopen_first(),
            Ok(_) => {}
            Err(_) if self.stop.is_requested() => {}
            // The next import tries again; every answer is the same without the tables.
            Err(error) if matches!(error.kind(), ErrorKind::IndexLocked) => {}
            Err(error) => {
                let error = AppError::from(error);
                let message = format!("key tables of imported games: {}", error.message);
                (self.log)(&error.saying(message));
            }
        }
    }
}

/// Returns the problem of games that are stored and not yet indexed. Paths of the server are left out.
fn not_indexed(error: &pdn::Error) -> Problem {
    let kind = error.kind();
    let detail = message!(
        "not_indexed",
        "the games are stored and not yet in the index; send them again to index them: {kind}"
    );
    Problem { retry_after: Some(5), ..Problem::new(503, detail) }
}

/// Returns how many bytes of an archive the index has.
fn indexed_len(folder: &Path, archive: &Path) -> pdn::Result<u64> {
    let index = Index::open(folder)?;
    let inputs = index.inputs().iter().filter(|input| !input.is_retired);
    Ok(inputs.filter(|input| input.path.as_deref() == Some(archive)).map(|input| input.text_len).sum())
}

impl std::fmt::Debug for GameImport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GameImport").field("folder", &self.folder).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use pdn_index::{ImportOptions, import};

    use super::*;

    #[test]
    fn retired_parts_of_an_archive_are_not_counted() {
        let place = tempfile::tempdir().unwrap();
        let (archive, folder) = (place.path().join("games.pdn"), place.path().join("games.idx"));
        let other = place.path().join("other.pdn");
        for text in ["[White \"a\"]\n1. 32-28 *\n", "[White \"another\"]\n1. 33-28 19-23 *\n"] {
            fs::write(&archive, text).unwrap();
            import([&archive], &folder, &ImportOptions::new().append(true)).unwrap();
            assert_eq!(indexed_len(&folder, &archive).unwrap(), text.len() as u64);
        }
        assert_eq!(indexed_len(&folder, &other).unwrap(), 0);
    }
}
