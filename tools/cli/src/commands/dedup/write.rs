//! Writes the games that stay and those that are removed, each to a file of its own.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use pdn::dedup::{DuplicateClass, Duplicates};
use pdn::index::{Index, TextReader};
use pdn::split::{JoinChanges, RecordJoiner};

use super::shared_tags::RemovedCopies;
use crate::args::DedupArgs;
use crate::input::overwriting::Overwriting;
use crate::output::output_file::{OutputFile, is_same_file, unwritable};
use crate::output::{interrupt, sanitize};
use pdn_app::JoinedOutput;
use pdn_app::numbers::count;

/// Which games are removed, and what is written.
pub(super) struct Removal<'a> {
    args: &'a DedupArgs,
    classes: Vec<DuplicateClass>,
}

/// The games that are removed.
pub(super) struct RemovedGames {
    pub(super) classes: Vec<DuplicateClass>,
    /// A bit for each game.
    bits: Vec<u64>,
    /// Number of games, and of removed ones.
    pub(super) games: u64,
    pub(super) removed: u64,
}

/// What was written.
#[derive(Default)]
pub(super) struct Written {
    /// A sentence for each file and each note.
    pub(super) lines: Vec<String>,
    /// Keepers that received tags.
    pub(super) changed: u64,
}

impl<'a> Removal<'a> {
    /// Creates the removal that the arguments describe; a message if they contradict each other.
    pub(super) fn new(args: &'a DedupArgs) -> Result<Self, String> {
        let chosen: Vec<DuplicateClass> = args.class.iter().map(|&class| class.into()).collect();
        let classes = DuplicateClass::ALL.into_iter().filter(|class| chosen.contains(class)).collect();
        let inputs: Vec<PathBuf> = args.input.paths.iter().chain(&args.against).cloned().collect();
        let overwriting = Overwriting { force: args.force, inputs: &inputs };
        args.write.iter().chain(&args.duplicates).try_for_each(|path| overwriting.check(path))?;
        if let (Some(write), Some(duplicates)) = (&args.write, &args.duplicates)
            && is_same_file(write, duplicates)
        {
            return Err("--write and --duplicates name the same file".to_owned());
        }
        Ok(Self { args, classes })
    }

    pub(super) fn classes(&self) -> &[DuplicateClass] {
        &self.classes
    }

    /// Returns the games that are removed.
    pub(super) fn games(&self, index: &Index, duplicates: &Duplicates<'_>) -> RemovedGames {
        let words = usize::try_from(index.len().div_ceil(64)).unwrap_or(usize::MAX);
        let mut bits = vec![0u64; words];
        let mut removed = 0;
        for game in 0..index.len() {
            if super::is_removed(duplicates, &self.classes, game) {
                bits[(game / 64) as usize] |= 1 << (game % 64);
                removed += 1;
            }
        }
        RemovedGames { classes: self.classes.clone(), bits, games: index.game_count(), removed }
    }

    /// Writes the files. Both get their names only when both are complete. Returns `None` if a stop was requested before that.
    pub(super) fn write(
        &self,
        index: &Index,
        removed: &RemovedGames,
        mut copies: Option<&mut RemovedCopies>,
    ) -> Result<Option<Written>, String> {
        let mut written = Written::default();
        let begin = |path: &Option<PathBuf>| path.as_deref().map(RecordFile::begin).transpose();
        let (mut kept, mut others) = (begin(&self.args.write)?, begin(&self.args.duplicates)?);
        if kept.is_none() && others.is_none() {
            return Ok(Some(written));
        }
        for file in [&kept, &others].into_iter().flatten() {
            file.file.get_ref().temporary().into_iter().for_each(interrupt::install_handler_for);
        }
        let message = |error: pdn::Error| sanitize::text(&error.to_string()).into_owned();
        let (mut reader, mut copy_reader) = (TextReader::new(index), TextReader::new(index));
        for game in index.games() {
            if interrupt::is_requested() {
                return Ok(None);
            }
            let number = game.number();
            let is_removed = removed.contains(number);
            let Some(file) = (if is_removed { &mut others } else { &mut kept }) else { continue };
            let record = reader.text(number).map_err(message)?;
            let shared = match &mut copies {
                Some(copies) if !is_removed => {
                    copies.share(index, number, record, &mut copy_reader).map_err(message)?
                }
                _ => None,
            };
            written.changed += u64::from(shared.is_some());
            file.push(shared.as_deref().unwrap_or(record))?;
        }
        let complete = |file: Option<RecordFile>| file.map(RecordFile::complete).transpose();
        let (kept, others) = (complete(kept)?, complete(others)?);
        if interrupt::is_requested() {
            return Ok(None);
        }
        for file in [kept, others].into_iter().flatten() {
            written.lines.push(file.commit()?);
        }
        interrupt::end_at_once();
        if let Some(copies) = copies {
            let (tags, keepers) = (count(copies.shared, "tag"), count(written.changed, "game"));
            written.lines.push(format!("{tags} of removed games added to {keepers}"));
            if copies.unencodable > 0 {
                let tags = count(copies.unencodable, "tag");
                written.lines.push(format!("{tags} not added: the encoding of the record lacks a letter"));
            }
            written.lines.append(&mut copies.refused);
        }
        Ok(Some(written))
    }
}

impl RemovedGames {
    fn contains(&self, game: u64) -> bool {
        self.bits.get((game / 64) as usize).is_some_and(|word| word >> (game % 64) & 1 != 0)
    }
}

/// A file of records that is written under a temporary name.
struct RecordFile {
    file: BufWriter<OutputFile>,
    joiner: RecordJoiner,
    /// Bytes of records that are joined and not yet written.
    pending: usize,
    joined: JoinedOutput,
    records: u64,
}

/// A file that is written and has no name yet.
struct CompleteFile {
    file: OutputFile,
    records: u64,
    changes: JoinChanges,
}

/// Bytes of records that are joined before they are written.
const JOINED_BYTES: usize = 256 << 10;

impl RecordFile {
    fn begin(path: &Path) -> Result<Self, String> {
        Ok(Self {
            file: BufWriter::with_capacity(JOINED_BYTES, OutputFile::create(path)?),
            joiner: RecordJoiner::new(),
            pending: 0,
            joined: JoinedOutput::default(),
            records: 0,
        })
    }

    /// Appends a record.
    fn push(&mut self, record: &[u8]) -> Result<(), String> {
        self.joiner.push(record);
        self.records += 1;
        self.pending += record.len();
        if self.pending >= JOINED_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), String> {
        self.pending = 0;
        let Self { file, joiner, joined, .. } = self;
        let written = joined.push(joiner.finish(), |text| file.write_all(text));
        written.map_err(|error| unwritable(file.get_ref().path(), &error))
    }

    /// Writes the rest.
    fn complete(mut self) -> Result<CompleteFile, String> {
        self.flush()?;
        let Self { mut file, records, joined, .. } = self;
        file.flush().map_err(|error| unwritable(file.get_ref().path(), &error))?;
        let (file, _) = file.into_parts();
        Ok(CompleteFile { file, records, changes: joined.changes })
    }
}

impl CompleteFile {
    /// Gives the file its name, and returns a sentence about it.
    fn commit(self) -> Result<String, String> {
        let Self { file, records, changes } = self;
        let path = file.path().to_owned();
        file.commit().map_err(|error| unwritable(&path, &error))?;
        let mut line = format!("{}: {} written", sanitize::path(&path), count(records, "game"));
        let added = changes.terminators + changes.comments + changes.first_tags;
        if added > 0 {
            line += &format!(", with an addition to {} that would run into the next", count(added, "record"));
        }
        if changes.unseparated > 0 {
            line += &format!("; {} cannot be told from the next", count(changes.unseparated, "record"));
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use pdn::stop::Stop;

    use clap::Parser;
    use pdn::dedup::{DedupOptions, find_duplicates};
    use pdn::index::{ImportOptions, import};

    use crate::args::{Cli, Command};

    #[test]
    fn stopped_writing_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let [games, dir, out] = ["games.pdn", "games.idx", "out"].map(|name| folder.path().join(name));
        fs::write(&games, "[White \"A\"]\n\n1. 32-28 19-23 *\n\n".repeat(3)).unwrap();
        import([&games], &dir, &ImportOptions::new()).unwrap();
        fs::create_dir(&out).unwrap();
        let index = Index::open(&dir).unwrap();
        let [kept, removed] = ["kept.pdn", "removed.pdn"].map(|name| out.join(name).into_os_string());
        let arguments = ["pdn".into(), "dedup".into(), dir.into(), "--write".into(), kept];
        let arguments = arguments.into_iter().chain(["--duplicates".into(), removed]);
        let Command::Dedup(args) = Cli::try_parse_from(arguments).unwrap().command else { panic!() };
        let written = |stop: bool| {
            let removal = Removal::new(&args).unwrap();
            let duplicates = find_duplicates(&index, None, &DedupOptions::new()).unwrap();
            let games = removal.games(&index, &duplicates);
            let handle = Stop::new();
            if stop {
                handle.request();
            }
            let written = interrupt::with_handle(handle, || removal.write(&index, &games, None)).unwrap();
            (written.is_some(), fs::read_dir(&out).unwrap().count())
        };
        assert_eq!(written(true), (false, 0));
        assert_eq!(written(false), (true, 2));
    }
}
