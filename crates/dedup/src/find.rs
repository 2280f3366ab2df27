//! Finds all duplicates: sorts the games, compares them on several threads, and collects the groups.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::classes::DuplicateClass;
use super::facts::FactReader;
use super::found::{Duplicates, DuplicatesCollector, same_positions};
use super::games::Games;
use super::groups::{Found, UnitWorker};
use super::keeper::KeepRule;
use super::many_copies::ManyCopies;
use super::positions::EqualForms;
use super::unit_sort::UnitSort;
use super::units::{UnitBatch, UnitLimits, Units};
use pdn::error::{Error, Result};
use pdn::internal::pool;
use pdn::stop::Stop;
use pdn_index::Index;
use pdn_index::internal::external_sort::ExternalSort;

/// How duplicates are found.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn_dedup::{DedupOptions, DuplicateClass, KeepRule, find_duplicates};
///
/// std::fs::write(&archive, "1. 32-28 19-23 1-1\n\n1. 32-28 19-23 1-1\n")?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// // Of the copies of a game, the last one stays.
/// let duplicates = find_duplicates(&index, None, &DedupOptions::new().keep(KeepRule::Last))?;
/// let is_other = |game| duplicates.is_other(DuplicateClass::Exact, game);
/// assert_eq!((is_other(0), is_other(1)), (true, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DedupOptions {
    /// Which game of a group stays.
    pub keep: KeepRule,
    /// Problems have the same position also if one shows it from the other side: the board turned by 180 degrees, and the colours of the
    /// pieces and of the side to move exchanged.
    pub flipped: bool,
    /// Problems have the same position also if one shows its mirror image, with left and right exchanged. Only boards where all cells are
    /// squares have one.
    pub mirrored: bool,
    /// Problems whose positions are one, moved over the board, are reported as [`DuplicateClass::ShiftedPosition`], also in the forms that
    /// [`flipped`](Self::flipped) and [`mirrored`](Self::mirrored) make equal.
    pub shifted: bool,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Bytes of memory for sorting; see `ExternalSort`.
    pub memory: usize,
    /// Folder of temporary files, needed if the games do not fit in this memory.
    pub folder: PathBuf,
    /// Stops the work: [`find_duplicates`] then fails with [`ErrorKind::Stopped`](pdn::error::ErrorKind::Stopped) within some
    /// ten milliseconds.
    pub stop: Stop,
}

impl Default for DedupOptions {
    /// Returns options for all processors, 64 MiB, and the folder of the system for temporary files.
    fn default() -> Self {
        Self {
            keep: KeepRule::Best,
            flipped: false,
            mirrored: false,
            shifted: false,
            threads: pdn::default_threads(),
            memory: 64 << 20,
            folder: std::env::temp_dir(),
            stop: Stop::default(),
        }
    }
}

impl DedupOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`DedupOptions::keep`].
    #[must_use]
    pub fn keep(mut self, keep: KeepRule) -> Self {
        self.keep = keep;
        self
    }

    /// Sets [`DedupOptions::flipped`].
    #[must_use]
    pub fn flipped(mut self, flipped: bool) -> Self {
        self.flipped = flipped;
        self
    }

    /// Sets [`DedupOptions::mirrored`].
    #[must_use]
    pub fn mirrored(mut self, mirrored: bool) -> Self {
        self.mirrored = mirrored;
        self
    }

    /// Sets [`DedupOptions::shifted`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (archive, path) = (folder.path().join("problems.pdn"), folder.path().join("problems.idx"));
    /// # use pdn_index::{ImportOptions, import};
    /// use pdn_index::Index;
    /// use pdn_dedup::{DedupOptions, DuplicateClass, find_duplicates};
    ///
    /// // One motif, a column to the left and a row up.
    /// let problems = "[GameType \"20\"]\n[FEN \"W:W33:B28,24\"]\n*\n\n[GameType \"20\"]\n[FEN \"W:W28:B22,19\"]\n*\n";
    /// std::fs::write(&archive, problems)?;
    /// # import([&archive], &path, &ImportOptions::new())?;
    /// let index = Index::open(&path)?;
    /// let groups = find_duplicates(&index, None, &DedupOptions::new().shifted(true))?.into_groups();
    /// let classes: Vec<_> = groups.map(|group| Ok(group?.class)).collect::<pdn::Result<_>>()?;
    /// assert_eq!(classes, [DuplicateClass::ShiftedPosition]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shifted(mut self, shifted: bool) -> Self {
        self.shifted = shifted;
        self
    }

    /// Sets [`DedupOptions::threads`].
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`DedupOptions::memory`].
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets [`DedupOptions::folder`].
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Sets [`DedupOptions::stop`].
    #[must_use]
    pub fn stop(mut self, stop: &Stop) -> Self {
        self.stop = stop.clone();
        self
    }
}

/// Finds the games of `index` that are recorded more than once or, with `known`, also those that this index has
/// already. Neither index is changed.
///
/// Time is O(n log n) in the number of games that share their first 20 plies with another one, and O(n) in all others. Memory is
/// about twice [`DedupOptions::memory`], half a byte for each game, the pages of one segment of the index, and some tens of megabytes for
/// each thread. Results depend neither on threads nor on memory.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// # let index_of = |name: &str, text: &str| {
/// #     let (archive, path) = (folder.path().join(name).with_extension("pdn"), folder.path().join(name));
/// #     std::fs::write(&archive, text)?;
/// #     import([&archive], &path, &ImportOptions::new())?;
/// #     Index::open(&path)
/// # };
/// use pdn_dedup::{DedupOptions, find_duplicates};
///
/// // Two archives, each with its index.
/// let known = index_of("known", "[White \"Ames\"]\n1. 32-28 19-23 2. 28x19 *\n")?;
/// let new = index_of("new", "[White \"Bell\"]\n1. 34-30 *\n\n[White \"Ames\"]\n1.32-28 19-23 2.28:19 *\n")?;
/// let groups = find_duplicates(&new, Some(&known), &DedupOptions::new())?.into_groups();
/// let groups = groups.collect::<Result<Vec<_>, _>>()?;
/// // The second game of the new archive is known.
/// assert_eq!((groups.len(), groups[0].others.len()), (1, 1));
/// let (keeper, other) = (groups[0].keeper, groups[0].others[0].game);
/// assert_eq!((keeper.is_new, keeper.game, other.is_new, other.game), (false, 0, true, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an index is damaged, if the text of games that have duplicates cannot be read from its archive, or if a temporary file cannot
/// be written. The text is needed for [`KeepRule::Best`] and for records without a legal move. A game that has duplicates and of which
/// no text is stored, because it comes from a packed file and [`ImportOptions::embed`](pdn_index::ImportOptions::embed) was not set, takes
/// no part: [`Duplicates::without_text`] counts such games.
/// [`ErrorKind::Stopped`](pdn::error::ErrorKind::Stopped) if a stop is requested.
pub fn find_duplicates<'a>(
    index: &'a Index,
    known: Option<&'a Index>,
    options: &DedupOptions,
) -> Result<Duplicates<'a>> {
    find_within(index, known, options, UnitLimits::default())
}

/// As [`find_duplicates`], with limits for units of many games.
pub(super) fn find_within<'a>(
    index: &'a Index,
    known: Option<&'a Index>,
    options: &DedupOptions,
    limits: UnitLimits,
) -> Result<Duplicates<'a>> {
    let games = Games::open(known, index)?;
    let &DedupOptions { keep, flipped, mirrored, shifted, threads, memory, ref folder, .. } = options;
    let sort = UnitSort {
        games: &games,
        rule: keep,
        threads,
        forms: EqualForms { flipped, mirrored },
        shifted,
        filter_memory: memory / 4,
        check_stop: &|| options.stop.check(),
    };
    let problem_sort = || ExternalSort::new(folder, memory / 4);
    let sorted = sort.sort(ExternalSort::new(folder, memory), problem_sort(), problem_sort())?;
    let many_copies = ManyCopies::new(folder, memory / 4);
    let mut collector = DuplicatesCollector::new(games.clone(), folder, memory / 2);
    let mut collected = Ok(());
    pool::try_ordered(
        Units::new(sorted.units, limits, &many_copies),
        threads,
        || UnitWorker::new(games.clone(), keep),
        |worker, batch: Result<UnitBatch>| {
            let mut found = Found::default();
            for unit in batch?.units() {
                options.stop.check()?;
                worker.work(&unit, &mut found)?;
            }
            found.members.sort_unstable_by_key(|member| (member.class, member.keeper, member.other));
            Ok::<_, Error>(found)
        },
        |found: Found| {
            collector.uncompared += found.uncompared;
            found.without_text.iter().for_each(|&game| collector.lacks_text(game));
            collected = options
                .stop
                .check()
                .and_then(|()| found.members.iter().try_for_each(|member| collector.push(member)))
                .and_then(|()| found.keepers.iter().try_for_each(|keeper| many_copies.add_keeper(keeper)));
            if collected.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    )?;
    collected?;
    many_copies.consume(|member| options.stop.check().and_then(|()| collector.push_more(member)))?;
    let mut reader = FactReader::new(games, keep);
    same_positions(
        sorted.problems,
        DuplicateClass::SamePosition,
        &mut reader,
        &mut collector,
        &options.stop,
    )?;
    same_positions(
        sorted.shapes,
        DuplicateClass::ShiftedPosition,
        &mut reader,
        &mut collector,
        &options.stop,
    )?;
    collector.finish()
}

#[cfg(test)]
mod tests;
