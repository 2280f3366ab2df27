//! An index that is served: opened again when it has grown, with what is kept of it between requests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use pdn::stop::Stop;
use pdn_app::find::games::Matches;
use pdn_app::find::tree::{ChosenGames, VariantGames, variant_games};
use pdn_app::read::searched::SearchedIndex;
use pdn_app::report::overview::{EventList, Players};
use pdn_app::report::same_names::SameNames;
use pdn_index::Index;
use pdn_index::internal::RecordNumbers;
use pdn_index::internal::query::variant_counts;
use pdn_names::{NameKind, NameMap};
use schemars::JsonSchema;
use serde::Serialize;

use crate::recent::Recent;

/// Time after which the folder of an index is looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Number of results of searches that are kept, for the next pages of their tables.
const KEPT_SEARCHES: usize = 8;
/// Greatest number of filters of trees whose games are kept.
const KEPT_CHOICES: u64 = 16;
/// Greatest number of bytes that these games take, with one bit for each game of the index and each filter.
const KEPT_CHOICE_BYTES: u64 = 32 << 20;
/// Greatest number of games of a result that is kept.
pub(crate) const MAX_KEPT_HITS: usize = 500_000;

/// An index that is served.
pub struct ServedArchive {
    /// Its name in addresses.
    pub name: String,
    /// Folder of the index; `None` for a temporary one, which does not change.
    folder: Option<PathBuf>,
    root: Option<PathBuf>,
    state: Mutex<State>,
    /// The number of times it was opened again.
    changes: AtomicU64,
}

/// What is known of the folder of an index.
struct State {
    open: Arc<OpenArchive>,
    /// When the folder was looked at; `None` without a folder, where there may be no clock.
    looked: Option<Instant>,
    /// Why it could not be opened then.
    lost: Option<String>,
}

/// An open index with what was computed from it.
pub(crate) struct OpenArchive {
    pub(crate) index: SearchedIndex,
    pub(crate) digest: String,
    players: OnceLock<Arc<Players>>,
    events: OnceLock<Arc<EventList>>,
    record_numbers: OnceLock<RecordNumbers>,
    /// What `/api/v1/indexes` says of the index.
    description: OnceLock<IndexAnswer>,
    /// Results of the last searches by their parameters.
    searches: Recent<Matches>,
    /// The games that the filters of the last trees chose, by these filters.
    choices: Recent<ChosenGames>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OpenArchive {
    fn new(mut index: SearchedIndex) -> Self {
        index.hide_folders();
        let kept_choices = (8 * KEPT_CHOICE_BYTES / index.len().max(1)).clamp(1, KEPT_CHOICES);
        Self {
            digest: format!("{:016x}", index.digest()),
            index,
            players: OnceLock::new(),
            events: OnceLock::new(),
            record_numbers: OnceLock::new(),
            description: OnceLock::new(),
            searches: Recent::new(KEPT_SEARCHES),
            choices: Recent::new(kept_choices as usize),
        }
    }

    /// Returns the players of the index, whose names are the same at every call. They are found once.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub(crate) fn players(&self, names: Option<&NameMap>, stop: &Stop) -> pdn_app::Result<Arc<Players>> {
        if let Some(players) = self.players.get() {
            return Ok(Arc::clone(players));
        }
        let players = Arc::new(Players::of(&self.index, &SameNames::new(names, NameKind::Player), stop)?);
        Ok(Arc::clone(self.players.get_or_init(|| players)))
    }

    /// Returns the events of the index, as [`players`](Self::players) does.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub(crate) fn events(&self, names: Option<&NameMap>, stop: &Stop) -> pdn_app::Result<Arc<EventList>> {
        if let Some(events) = self.events.get() {
            return Ok(Arc::clone(events));
        }
        let events = Arc::new(EventList::of(&self.index, &SameNames::new(names, NameKind::Event), stop)?);
        Ok(Arc::clone(self.events.get_or_init(|| events)))
    }

    /// Returns the numbers of the records in their files.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(crate) fn record_numbers(&self) -> pdn::Result<&RecordNumbers> {
        if let Some(numbers) = self.record_numbers.get() {
            return Ok(numbers);
        }
        let numbers = self.index.record_numbers()?;
        Ok(self.record_numbers.get_or_init(|| numbers))
    }

    /// Returns the result of an earlier search that has at least the first `wanted` games.
    pub(crate) fn kept_search(&self, key: &str, wanted: usize) -> Option<Arc<Matches>> {
        self.searches.get(key, |found| found.hits.len() >= wanted || found.hits.len() as u64 == found.total)
    }

    /// Keeps the result of a search, unless it has very many games.
    pub(crate) fn keep_search(&self, key: String, found: &Arc<Matches>) {
        if found.hits.len() <= MAX_KEPT_HITS {
            self.searches.insert(key, found);
        }
    }

    /// Returns the games that the filters of a tree choose, from an earlier tree with the same filters if there was one.
    ///
    /// # Errors
    ///
    /// Those of `find`.
    pub(crate) fn chosen_games<E>(
        &self,
        key: String,
        find: impl FnOnce() -> Result<ChosenGames, E>,
    ) -> Result<Arc<ChosenGames>, E> {
        if let Some(chosen) = self.choices.get(&key, |_| true) {
            return Ok(chosen);
        }
        let chosen = Arc::new(find()?);
        self.choices.insert(key, &chosen);
        Ok(chosen)
    }

    /// Returns what describes the index.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(crate) fn description(&self, name: &str) -> pdn::Result<IndexAnswer> {
        if let Some(known) = self.description.get() {
            return Ok(known.clone());
        }
        let mut has_keys = true;
        for segment in 0..self.index.segments().len() {
            has_keys &= self.index.readable_keys(segment)?.is_some();
        }
        let description = IndexAnswer {
            name: name.to_owned(),
            games: self.index.game_count(),
            plies: self.index.plies(),
            variants: variant_games(&variant_counts(&self.index, None)?),
            positions: has_keys,
            digest: self.digest.clone(),
        };
        Ok(self.description.get_or_init(|| description).clone())
    }
}

/// What describes an index.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct IndexAnswer {
    /// Its name in addresses.
    pub(crate) name: String,
    /// The number of games.
    pub(crate) games: u64,
    /// The number of plies.
    pub(crate) plies: u64,
    /// The variants of the games, the commonest first.
    pub(crate) variants: Vec<VariantGames>,
    /// Whether it has key tables.
    pub(crate) positions: bool,
    /// A text that changes whenever the index does.
    pub(crate) digest: String,
}

impl std::fmt::Debug for ServedArchive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServedArchive").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ServedArchive {
    /// Creates a served archive of an open index. It is opened again from `folder` when that changes.
    pub fn new(name: String, index: SearchedIndex, folder: Option<PathBuf>, root: Option<PathBuf>) -> Self {
        let open = Arc::new(OpenArchive::new(index));
        let looked = folder.as_ref().map(|_| Instant::now());
        let state = Mutex::new(State { open, looked, lost: None });
        Self { name, folder, root, state, changes: AtomicU64::new(0) }
    }

    /// Returns the number of times the index was opened again.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns the open index, after opening it again if it has changed. If that fails, the one before stays.
    pub(crate) fn open(&self) -> Arc<OpenArchive> {
        let mut state = locked(&self.state);
        let is_due = || state.looked.is_none_or(|looked| looked.elapsed() >= LOOK_EVERY);
        let Some(folder) = self.folder.as_deref().filter(|_| is_due()) else {
            return Arc::clone(&state.open);
        };
        state.looked = Some(Instant::now());
        match Index::open(folder) {
            Ok(index) if format!("{:016x}", index.digest()) == state.open.digest => state.lost = None,
            Ok(_) => self.open_again(folder, &mut state),
            Err(error) => state.lost = Some(error.kind().to_string()),
        }
        Arc::clone(&state.open)
    }

    /// Returns why the index could not be opened again when that was tried last; `None` if it could.
    pub(crate) fn lost(&self) -> Option<String> {
        locked(&self.state).lost.clone()
    }

    /// Opens the index again at once: it or its key tables have changed. If that fails, the one before stays.
    pub(crate) fn reopen(&self) {
        if let Some(folder) = &self.folder {
            let mut state = locked(&self.state);
            state.looked = Some(Instant::now());
            self.open_again(folder, &mut state);
        }
    }

    fn open_again(&self, folder: &Path, state: &mut State) {
        let opened = SearchedIndex::open_folder(folder).and_then(|mut index| {
            self.root.as_deref().map_or(Ok(()), |root| index.relocate(root)).map(|()| index)
        });
        state.lost = match opened {
            Ok(index) => {
                state.open = Arc::new(OpenArchive::new(index));
                self.changes.fetch_add(1, Ordering::Relaxed);
                None
            }
            Err(error) => Some(error.into_parts().message),
        };
    }
}

/// Returns the name of an archive in addresses: that of its file or folder without what follows the first dot, and with a
/// number if another has it already.
pub fn free_name(path: &Path, taken: &[ServedArchive]) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem.split('.').find(|part| !part.is_empty()).unwrap_or("games");
    let plain: String = stem.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let is_free = |name: &String| taken.iter().all(|other| other.name != *name) && name != "check";
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_archives_are_no_names_of_routes() {
        for (path, expected) in [
            ("/nowhere/games.pdn.gz", "games"),
            ("/nowhere/.hidden.pdn", "hidden"),
            ("/nowhere/Top 100.pdn", "Top-100"),
            ("/nowhere/check.pdn", "check-2"),
        ] {
            assert_eq!(free_name(Path::new(path), &[]), expected, "{path}");
        }
    }
}
