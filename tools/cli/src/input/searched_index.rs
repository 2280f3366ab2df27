//! The index that a command searches: one that exists, or one that is made of archives for this command alone.

use std::fmt::Write as _;
use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Deref};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pdn::error::ErrorKind;
use pdn::index::{self, ImportOptions, ImportProgress, ImportSummary, Index, SegmentOptions, TemporaryIndex};
use pdn::source::{OpenOptions, is_stream, walk};

use crate::args::SearchedArgs;
use crate::output::exit::{fail, print_error};
use crate::output::numbers::{count, rounded};
use crate::output::{Exit, Output, interrupt, sanitize};

/// An index that is open for searching.
#[derive(Debug)]
pub(crate) struct SearchedIndex {
    index: Opened,
    /// The paths that the user named, for messages.
    name: String,
    /// `false` if some archive could not be read completely.
    is_complete: bool,
}

/// An index that stays, or one of this command alone.
#[derive(Debug)]
enum Opened {
    Stays(Index),
    Temporary(TemporaryIndex),
}

impl Deref for SearchedIndex {
    type Target = Index;

    fn deref(&self) -> &Index {
        match &self.index {
            Opened::Stays(index) => index,
            Opened::Temporary(index) => index,
        }
    }
}

impl SearchedIndex {
    /// Returns the paths that the user named, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads archives below `root` from now on; see [`Index::relocate`].
    ///
    /// # Errors
    ///
    /// If none of the archives is found there.
    pub(crate) fn relocate(&mut self, root: &Path) -> pdn::Result<()> {
        match &mut self.index {
            Opened::Stays(index) => index.relocate(root),
            Opened::Temporary(index) => index.relocate(root),
        }
    }

    /// Returns `true` if all archives could be read completely.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the exit code of a command that ended with `exit`: a failure if an archive could not be read completely.
    pub(crate) fn exit(&self, exit: Exit) -> Exit {
        if self.is_complete { exit } else { exit.max(Exit::Failure) }
    }
}

/// Opens the index in a folder, or indexes archives (files, folders and `-`) in a temporary folder and says so. If there
/// is nothing to search, prints why and returns the exit code.
///
/// `needs_text` is `true` if the command reads the text of games.
pub(crate) fn open(
    args: &SearchedArgs,
    threads: NonZeroUsize,
    needs_text: bool,
    out: &mut Output,
) -> Result<SearchedIndex, Exit> {
    let paths = args.paths.as_slice();
    let indexes = paths.iter().filter(|path| is_index(path)).collect::<Vec<_>>();
    match (indexes.as_slice(), paths) {
        ([], _) => {
            let mut import = ImportOptions::default();
            import.threads = threads;
            import.open = OpenOptions::new().encoding(args.encoding);
            import.segments = SegmentOptions::default().embed(needs_text);
            index_archives(paths, &import, out)
        }
        ([_], [dir]) if args.encoding.is_some() => {
            let dir = sanitize::path(dir);
            print_error(&format!("--encoding: {dir} is an index, whose text was decoded when it was made"));
            Err(Exit::Failure)
        }
        ([_], [dir]) => open_folder(dir),
        ([dir], _) => {
            print_error(&format!("{} is an index: give either one index or archives", sanitize::path(dir)));
            Err(Exit::Failure)
        }
        ([first, second, ..], _) => {
            let [first, second] = [first, second].map(|path| sanitize::path(path));
            print_error(&format!("{first} and {second} are indexes; only one can be searched at a time"));
            Err(Exit::Failure)
        }
    }
}

/// Opens the index in a folder. If there is none, prints why and returns the exit code.
pub(crate) fn open_folder(dir: &Path) -> Result<SearchedIndex, Exit> {
    let index = Index::open(dir).map_err(|error| fail(&error))?;
    Ok(SearchedIndex { index: Opened::Stays(index), name: sanitize::path(dir), is_complete: true })
}

/// Returns `true` if the folder contains an index, even a damaged one.
pub(crate) fn is_index(path: &Path) -> bool {
    path.is_dir() && !matches!(Index::open(path), Err(error) if matches!(error.kind(), ErrorKind::NotAnIndex))
}

/// Prints the errors of archives that could not be read.
pub(crate) fn print_failures(summary: &ImportSummary, out: &Output) {
    for failure in &summary.failures {
        let (name, error) = (sanitize::path(&failure.name), failure.error.to_string());
        // Most errors contain the path already.
        let has_path = failure.error.path().is_some();
        let message = if has_path { error } else { format!("{name}: {error}") };
        out.print_error(&sanitize::text(&message));
    }
}

/// Indexes archives in a temporary folder and says so. If one cannot be found, prints why and returns the exit code.
pub(crate) fn index_archives(
    paths: &[PathBuf],
    import: &ImportOptions,
    out: &mut Output,
) -> Result<SearchedIndex, Exit> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        files.extend(walk([path]).filter_map(Result::ok));
        let problem = match path.metadata() {
            _ if files.len() > before => continue,
            Ok(_) => "neither an index nor a folder with PDN files".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "no such file or folder".to_owned(),
            Err(error) => error.to_string(),
        };
        print_error(&format!("{}: {problem}", sanitize::path(path)));
        return Err(Exit::Failure);
    }
    let bytes = files.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).sum();
    let has_stream = files.iter().any(|path| is_stream(path));
    out.start_progress((!has_stream).then_some(bytes));
    let start = Instant::now();
    let mut passed = (0, 0);
    let show = |progress: &ImportProgress<'_>| {
        // Bytes of the files before the current one, and of the current one.
        passed = if progress.read < passed.1 {
            (passed.0 + passed.1, progress.read)
        } else {
            (passed.0, progress.read)
        };
        out.set_progress(passed.0 + passed.1);
        out.set_progress_message(&format!("{} games indexed", rounded(progress.games as f64)));
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let built = TemporaryIndex::build(|dir| {
        interrupt::install_handler_for(dir);
        index::import_with(paths.iter().cloned(), dir, import, show)
    });
    out.end_progress();
    let (index, summary) = match built {
        Ok(built) => built,
        Err(_) if interrupt::is_requested() => {
            print_error("stopped");
            return Err(Exit::Interrupted);
        }
        Err(error) => return Err(fail(&error)),
    };
    interrupt::end_at_once();
    print_failures(&summary, out);
    if !out.is_memory() {
        out.print_error(&note(paths, &summary, start.elapsed().as_secs_f64()));
    }
    let is_complete = summary.failures.is_empty();
    let name = paths.iter().map(|path| sanitize::path(path)).collect::<Vec<_>>().join(" ");
    Ok(SearchedIndex { index: Opened::Temporary(index), name, is_complete })
}

/// Returns the message that archives were indexed for this command alone.
fn note(paths: &[PathBuf], summary: &ImportSummary, seconds: f64) -> String {
    let mut text = format!("indexed {} in {seconds:.1} s for this command", count(summary.games, "game"));
    if let [path] = paths
        && path != Path::new("-")
    {
        let _ = write!(text, "; `pdn index {} -o DIR` makes an index that stays", sanitize::path(path));
    }
    text
}
