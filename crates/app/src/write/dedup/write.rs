//! Writes the games that stay and those that are removed, each to a file of its own.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use pdn::internal::split::RecordJoiner;
use pdn_dedup::{DuplicateClass, Duplicates};
use pdn_index::Index;
use pdn_index::internal::TextReader;

use super::DedupRequest;
use super::shared_tags::{RemovedCopies, standard_text};
use crate::ask::context::Context;
use crate::ask::error::Result;
use crate::write::joined::JoinedOutput;
use crate::write::outputs::{CommittedFiles, OutputFile, Overwriting, unwritable};

/// The games that are removed.
pub(super) struct RemovedGames {
    /// A bit for each game.
    bits: Vec<u64>,
    /// Number of games, and of removed ones.
    pub(super) games: u64,
    pub(super) removed: u64,
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordsFile {
    /// Its path.
    pub path: PathBuf,
    /// The number of its games.
    pub games: u64,
    /// Records that would run into the next, and received something that ends them.
    pub ended: u64,
    /// Records that cannot be told from the next.
    pub unseparated: u64,
}

/// What was written.
#[derive(Default)]
pub(super) struct Written {
    pub(super) files: Vec<RecordsFile>,
    /// Keepers that received tags.
    pub(super) changed: u64,
}

impl RemovedGames {
    /// Finds the games that are in the group of a keeper in one of these classes.
    pub(super) fn new(index: &Index, duplicates: &Duplicates<'_>, classes: &[DuplicateClass]) -> Self {
        let words = usize::try_from(index.len().div_ceil(64)).unwrap_or(usize::MAX);
        let mut bits = vec![0u64; words];
        let mut removed = 0;
        for game in 0..index.len() {
            if classes.iter().any(|&class| duplicates.is_other(class, game)) {
                bits[(game / 64) as usize] |= 1 << (game % 64);
                removed += 1;
            }
        }
        Self { bits, games: index.game_count(), removed }
    }

    fn contains(&self, game: u64) -> bool {
        self.bits.get((game / 64) as usize).is_some_and(|word| word >> (game % 64) & 1 != 0)
    }
}

impl DedupRequest {
    /// Writes the files. Both get their names only when both are complete.
    pub(super) fn write_files(
        &self,
        index: &Index,
        removed: &RemovedGames,
        mut copies: Option<&mut RemovedCopies>,
        context: &mut Context<'_>,
    ) -> Result<Written> {
        let mut written = Written::default();
        let inputs = self.all_inputs();
        let overwriting = Overwriting { force: self.rules.force, inputs: &inputs };
        let begin = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| RecordFile::begin(path, overwriting)).transpose()
        };
        let (mut kept, mut others) = (begin(&self.rules.output)?, begin(&self.rules.duplicates)?);
        if kept.is_none() && others.is_none() {
            return Ok(written);
        }
        for file in [&kept, &others].into_iter().flatten() {
            file.file.get_ref().temporary().into_iter().for_each(|path| context.events.temporary(path));
        }
        let (mut reader, mut copy_reader) = (TextReader::new(index), TextReader::new(index));
        for game in index.games() {
            context.check()?;
            let number = game.number();
            let is_removed = removed.contains(number);
            let Some(file) = (if is_removed { &mut others } else { &mut kept }) else { continue };
            let record = &*standard_text(index, number, reader.text(number)?)?;
            let shared = match &mut copies {
                Some(copies) if !is_removed => copies.share(index, number, record, &mut copy_reader)?,
                _ => None,
            };
            written.changed += u64::from(shared.is_some());
            file.push(shared.as_deref().unwrap_or(record))?;
        }
        let complete = |file: Option<RecordFile>| file.map(RecordFile::complete).transpose();
        let (kept, others) = (complete(kept)?, complete(others)?);
        context.check()?;
        let mut committed = CommittedFiles::default();
        for (file, records) in [kept, others].into_iter().flatten() {
            if committed.commit(file, removed.games == 0, context)? {
                written.files.push(records);
            }
        }
        context.events.settled();
        Ok(written)
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

/// Bytes of records that are joined before they are written.
const JOINED_BYTES: usize = 256 << 10;

impl RecordFile {
    fn begin(path: &Path, overwriting: Overwriting<'_>) -> Result<Self> {
        Ok(Self {
            file: BufWriter::with_capacity(JOINED_BYTES, OutputFile::create(path, overwriting)?),
            joiner: RecordJoiner::new(),
            pending: 0,
            joined: JoinedOutput::default(),
            records: 0,
        })
    }

    /// Appends a record.
    fn push(&mut self, record: &[u8]) -> Result<()> {
        self.joiner.push(record);
        self.records += 1;
        self.pending += record.len();
        if self.pending >= JOINED_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.pending = 0;
        let Self { file, joiner, joined, .. } = self;
        let written = joined.push(joiner.finish(), |text| file.write_all(text));
        written.map_err(|error| unwritable(file.get_ref().path(), &error))
    }

    /// Writes the rest.
    fn complete(mut self) -> Result<(OutputFile, RecordsFile)> {
        self.flush()?;
        let Self { mut file, records, joined, .. } = self;
        file.flush().map_err(|error| unwritable(file.get_ref().path(), &error))?;
        let (file, _) = file.into_parts();
        let changes = joined.changes;
        let records = RecordsFile {
            path: file.path().to_owned(),
            games: records,
            ended: changes.terminators + changes.comments + changes.first_tags,
            unseparated: changes.unseparated,
        };
        Ok((file, records))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::error::ErrorCode;
    use crate::read::inputs::Inputs;
    use pdn::stop::Stop;
    use pdn_dedup::{DedupOptions, find_duplicates};
    use pdn_index::{ImportOptions, import};
    use std::fs;

    #[test]
    fn stopped_writing_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let [games, dir, out] = ["games.pdn", "games.idx", "out"].map(|name| folder.path().join(name));
        fs::write(&games, "[White \"A\"]\n\n1. 32-28 19-23 *\n\n".repeat(3)).unwrap();
        import([&games], &dir, &ImportOptions::new()).unwrap();
        fs::create_dir(&out).unwrap();
        let index = Index::open(&dir).unwrap();
        let mut request = DedupRequest::new(Inputs::new([dir.clone()]));
        request.rules.output = Some(out.join("kept.pdn"));
        request.rules.duplicates = Some(out.join("removed.pdn"));
        let written = |is_stopped: bool| {
            let duplicates = find_duplicates(&index, None, &DedupOptions::new()).unwrap();
            let games = RemovedGames::new(&index, &duplicates, &request.removed_classes());
            let stop = Stop::new();
            if is_stopped {
                stop.request();
            }
            let written = request.write_files(&index, &games, None, &mut Context::new(&stop, &mut ()));
            (written.map(|_| ()).map_err(|error| error.code), fs::read_dir(&out).unwrap().count())
        };
        assert_eq!(written(true), (Err(ErrorCode::Stopped), 0));
        assert_eq!(written(false), (Ok(()), 2));
    }
}
