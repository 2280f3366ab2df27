//! An index that is served: opened again when it has grown, with what is kept of it between requests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use pdn::index::{Index, RecordNumbers};
use pdn::query::variant_counts;
use pdn_explorer::Problem;
use serde_json::{Value, json};

use super::overview::Player;
use super::recent::Recent;
use crate::commands::find::served::Matches;
use crate::commands::tree::ChosenGames;
use crate::input::searched_index::{self, SearchedIndex};
use crate::output::complaints;

/// Time after which the folder of an index is looked at again.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Number of results of searches that are kept, for the next pages of their tables.
const KEPT_SEARCHES: usize = 8;
/// Greatest number of filters of trees whose games are kept.
const KEPT_CHOICES: u64 = 16;
/// Greatest number of bytes that these games take, with one bit for each game of the index and each filter.
const KEPT_CHOICE_BYTES: u64 = 32 << 20;
/// Greatest number of games of a result that is kept.
pub(super) const MAX_KEPT_HITS: usize = 500_000;

/// An index that is served.
pub(super) struct ServedArchive {
    pub(super) name: String,
    /// Folder of the index; `None` for a temporary one, which does not change.
    folder: Option<PathBuf>,
    root: Option<PathBuf>,
    state: Mutex<(Arc<OpenArchive>, Instant)>,
    /// The number of times it was opened again.
    changes: AtomicU64,
}

/// An open index with what was computed from it.
pub(super) struct OpenArchive {
    pub(super) index: SearchedIndex,
    pub(super) digest: String,
    pub(super) players: OnceLock<Arc<Vec<Player>>>,
    record_numbers: OnceLock<RecordNumbers>,
    /// What `/api/v1/indexes` says of the index.
    description: OnceLock<Value>,
    /// Results of the last searches by their parameters.
    searches: Recent<Matches>,
    /// The games that the filters of the last trees chose, by these filters.
    choices: Recent<ChosenGames>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OpenArchive {
    fn new(index: SearchedIndex) -> Self {
        let kept_choices = (8 * KEPT_CHOICE_BYTES / index.len().max(1)).clamp(1, KEPT_CHOICES);
        Self {
            digest: format!("{:016x}", index.digest()),
            index,
            players: OnceLock::new(),
            record_numbers: OnceLock::new(),
            description: OnceLock::new(),
            searches: Recent::new(KEPT_SEARCHES),
            choices: Recent::new(kept_choices as usize),
        }
    }

    /// Returns a problem without the path of the index, with which the message of a command may begin: clients do not learn
    /// the folders of the server.
    pub(super) fn without_path(&self, mut problem: Problem) -> Problem {
        let path = format!("{}: ", self.index.name());
        if let Some(detail) = problem.detail.strip_prefix(&path) {
            problem.detail = detail.to_owned();
        }
        problem
    }

    /// Returns the numbers of the records in their files.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(super) fn record_numbers(&self) -> pdn::Result<&RecordNumbers> {
        if let Some(numbers) = self.record_numbers.get() {
            return Ok(numbers);
        }
        let numbers = self.index.record_numbers()?;
        Ok(self.record_numbers.get_or_init(|| numbers))
    }

    /// Returns the result of an earlier search that has at least the first `wanted` games.
    pub(super) fn kept_search(&self, key: &str, wanted: usize) -> Option<Arc<Matches>> {
        self.searches.get(key, |found| found.hits.len() >= wanted || found.hits.len() as u64 == found.total)
    }

    /// Keeps the result of a search, unless it has very many games.
    pub(super) fn keep_search(&self, key: String, found: &Arc<Matches>) {
        if found.hits.len() <= MAX_KEPT_HITS {
            self.searches.insert(key, found);
        }
    }

    /// Returns the games that the filters of a tree choose, from an earlier tree with the same filters if there was one.
    ///
    /// # Errors
    ///
    /// Those of `find`.
    pub(super) fn chosen_games<E>(
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

    /// Returns the object that describes the index.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(super) fn json(&self, name: &str) -> pdn::Result<Value> {
        if let Some(known) = self.description.get() {
            return Ok(known.clone());
        }
        let counts = variant_counts(&self.index, None)?;
        let variants: Vec<Value> = (counts.iter())
            .map(|(variant, games)| json!({ "variant": variant.name(), "games": games }))
            .collect();
        let mut has_keys = true;
        for segment in 0..self.index.segments().len() {
            has_keys &= self.index.keys(segment)?.is_some();
        }
        let description = json!({
            "name": name,
            "games": self.index.game_count(),
            "plies": self.index.plies(),
            "variants": variants,
            "positions": has_keys,
            "digest": self.digest,
        });
        Ok(self.description.get_or_init(|| description).clone())
    }
}

impl ServedArchive {
    /// Creates a served archive of an open index. It is opened again from `folder` when that changes.
    pub(super) fn new(
        name: String,
        index: SearchedIndex,
        folder: Option<PathBuf>,
        root: Option<PathBuf>,
    ) -> Self {
        let state = Mutex::new((Arc::new(OpenArchive::new(index)), Instant::now()));
        Self { name, folder, root, state, changes: AtomicU64::new(0) }
    }

    /// Returns the number of times the index was opened again.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns the open index, after opening it again if it has changed. If that fails, the one before stays.
    pub(super) fn open(&self) -> Arc<OpenArchive> {
        let mut state = locked(&self.state);
        let Some(folder) = self.folder.as_deref().filter(|_| state.1.elapsed() >= LOOK_EVERY) else {
            return Arc::clone(&state.0);
        };
        state.1 = Instant::now();
        let is_same =
            Index::open(folder).map_or(true, |index| format!("{:016x}", index.digest()) == state.0.digest);
        if !is_same {
            self.open_again(folder, &mut state.0);
        }
        Arc::clone(&state.0)
    }

    /// Opens the index again at once: it or its key tables have changed. If that fails, the one before stays.
    pub(super) fn reopen(&self) {
        if let Some(folder) = &self.folder {
            let mut state = locked(&self.state);
            state.1 = Instant::now();
            self.open_again(folder, &mut state.0);
        }
    }

    fn open_again(&self, folder: &Path, open: &mut Arc<OpenArchive>) {
        let (opened, _) = complaints::collect(|| searched_index::open_folder(folder));
        if let Ok(mut index) = opened
            && self.root.as_deref().is_none_or(|root| index.relocate(root).is_ok())
        {
            *open = Arc::new(OpenArchive::new(index));
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }
}
