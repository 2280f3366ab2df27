//! Where converted games go. Each game has exactly one fate, and a file gets its name when it is complete.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::internal::split::RecordJoiner;

use super::answer::{ConvertAnswer, LeftOut, WrittenFile};
use super::arrange::CollectedGames;
use super::record::{BatchGame, ConvertedBatch, Fate, RejectedRecord};
use super::split_files::SplitFiles;
use crate::ask::context::Context;
use crate::ask::error::{AppError, Result};
use crate::ask::numbers::count;
use crate::write::joined::JoinedOutput;
use crate::write::outputs::{CommittedFiles, OutputFile, Overwriting, unwritable};

/// Receives the text of games if no file is named for them; breaks if nobody reads them any more.
pub type GameSink<'a> = &'a mut dyn FnMut(&[u8]) -> ControlFlow<()>;

/// Games that are written one after the other, with an empty line between them.
pub(super) struct GameFile<'a> {
    target: Target<'a>,
    pub(super) path: Option<PathBuf>,
    line_end: &'static [u8],
    pub(super) games: u64,
}

enum Target<'a> {
    Sink(GameSink<'a>),
    File(BufWriter<OutputFile>),
}

impl<'a> GameFile<'a> {
    /// Passes the games on to `sink`.
    pub(super) fn sink(sink: GameSink<'a>, line_end: &'static [u8]) -> Self {
        Self { target: Target::Sink(sink), path: None, line_end, games: 0 }
    }

    /// Creates the file at `path`.
    pub(super) fn create(path: &Path, line_end: &'static [u8], overwriting: Overwriting<'_>) -> Result<Self> {
        let file = OutputFile::create(path, overwriting)?;
        let target = Target::File(BufWriter::with_capacity(1 << 18, file));
        Ok(Self { target, path: Some(path.to_owned()), line_end, games: 0 })
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(super) fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::File(file) => file.get_ref().temporary(),
            Target::Sink(_) => None,
        }
    }

    /// Writes games; an empty line follows each of them.
    pub(super) fn write(&mut self, text: &[u8], games: u64) -> Result<()> {
        let Some(text) = text.strip_suffix(self.line_end).filter(|text| !text.is_empty()) else {
            return Ok(());
        };
        let before: &[u8] = if self.games > 0 { self.line_end } else { b"" };
        self.games += games;
        self.bytes(before)?;
        self.bytes(text)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let path = self.path.as_deref().unwrap_or(Path::new("-"));
        match &mut self.target {
            Target::Sink(sink) => match sink(bytes) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(AppError::stopped()),
            },
            Target::File(file) => file.write_all(bytes).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Completes the output: a file gets its name, unless the answer `is_empty` and the file existed. Returns `true` if it was written.
    pub(super) fn finish(
        self,
        is_empty: bool,
        committed: &mut CommittedFiles,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        let path = self.path.as_deref().unwrap_or(Path::new("-"));
        match self.target {
            Target::Sink(_) => Ok(true),
            Target::File(file) => match file.into_inner() {
                Ok(file) => committed.commit(file, is_empty, context),
                Err(error) => Err(committed.take_back(unwritable(path, error.error()))),
            },
        }
    }
}

/// Records that are kept byte for byte, without the whitespace around them, and with an empty line after each. Only what a reader needs
/// to find each of them again is added.
pub(super) struct RecordFile {
    file: GameFile<'static>,
    joiner: RecordJoiner,
    joined: JoinedOutput,
}

impl RecordFile {
    /// Creates the file; see [`GameFile::create`].
    pub(super) fn create(path: &Path, overwriting: Overwriting<'_>) -> Result<Self> {
        let file = GameFile::create(path, b"", overwriting)?;
        Ok(Self { file, joiner: RecordJoiner::new(), joined: JoinedOutput::default() })
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(super) fn temporary(&self) -> Option<&Path> {
        self.file.temporary()
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path.as_deref().unwrap_or(Path::new("-"))
    }

    pub(super) fn games(&self) -> u64 {
        self.file.games
    }

    /// Returns the number of records that a reader of the file does not find again, because nothing separates them from
    /// their neighbours.
    pub(super) fn unseparated(&self) -> u64 {
        self.joined.changes.unseparated
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &[u8]) -> Result<()> {
        self.joiner.push(record);
        let Self { file, joiner, joined } = self;
        joined.push(joiner.finish(), |text| file.bytes(text))?;
        file.games += 1;
        Ok(())
    }

    pub(super) fn finish(
        self,
        is_empty: bool,
        committed: &mut CommittedFiles,
        context: &mut Context<'_>,
    ) -> Result<bool> {
        self.file.finish(is_empty, committed, context)
    }
}

/// The rejected records, and a list that says of each where it was and why it is rejected.
pub(super) struct RejectsFile {
    records: RecordFile,
    /// A line of JSON a record. A device or a pipe has no list.
    list: Option<GameFile<'static>>,
}

impl RejectsFile {
    /// Creates the file at `path`, and its list next to it.
    pub(super) fn create(path: &Path, overwriting: Overwriting<'_>) -> Result<Self> {
        let is_other = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let list = match is_other {
            true => None,
            false => Some(GameFile::create(&list_path(path), b"", overwriting)?),
        };
        Ok(Self { records: RecordFile::create(path, overwriting)?, list })
    }

    fn push(&mut self, record: &[u8], rejected: Option<&RejectedRecord>) -> Result<()> {
        self.records.push(record)?;
        let (Some(rejected), Some(list)) = (rejected, &mut self.list) else { return Ok(()) };
        let mut line = serde_json::to_vec(rejected)
            .map_err(|error| unwritable(list.path.as_deref().unwrap_or(Path::new("-")), &error))?;
        line.push(b'\n');
        list.games += 1;
        list.bytes(&line)
    }
}

/// Returns the path of the list of the records that the file at `rejects` has.
pub(super) fn list_path(rejects: &Path) -> PathBuf {
    if rejects.extension().is_some_and(|extension| extension == LIST_EXTENSION) {
        let mut path = rejects.to_owned().into_os_string();
        path.push(".");
        path.push(LIST_EXTENSION);
        return path.into();
    }
    rejects.with_extension(LIST_EXTENSION)
}

/// The extension of lists of records.
const LIST_EXTENSION: &str = "jsonl";

/// Where written games go.
pub(super) enum Written<'a> {
    One(Box<GameFile<'a>>),
    Split(Box<SplitFiles>),
}

/// All outputs, and what became of the games.
pub(super) struct Outputs<'a> {
    pub(super) written: Written<'a>,
    pub(super) rejects: Option<RejectsFile>,
    pub(super) others: Option<RecordFile>,
    /// Games are collected and arranged before they are written.
    pub(super) collected: Option<CollectedGames>,
    /// Largest number of games to be written.
    pub(super) limit: u64,
    pub(super) overwriting: Overwriting<'a>,
    pub(super) answer: ConvertAnswer,
    /// The first error of each archive of an index whose texts cannot be read, and the number of these games.
    pub(super) unreadable: BTreeMap<PathBuf, (AppError, u64)>,
}

impl Outputs<'_> {
    /// Names the files that have to be removed if the process is ended.
    pub(super) fn announce(&self, context: &mut Context<'_>) {
        let written = match &self.written {
            Written::One(file) => file.temporary(),
            Written::Split(files) => Some(files.temporary()),
        };
        let rejects = self.rejects.as_ref();
        let list = rejects.and_then(|file| file.list.as_ref()?.temporary());
        let records = [rejects.map(|file| &file.records), self.others.as_ref()];
        let kept = records.into_iter().flatten().filter_map(RecordFile::temporary);
        for path in written.into_iter().chain(kept).chain(list) {
            context.events.temporary(path);
        }
    }

    /// Counts a game of an archive of an index whose text cannot be read.
    pub(super) fn unreadable(&mut self, error: pdn::Error, archive: PathBuf) {
        let path = error.path().map_or(archive, Path::to_owned);
        let known = self.unreadable.entry(path).or_insert_with(|| (error.into(), 0));
        known.1 += 1;
        self.answer.unreadable += 1;
    }

    /// Takes the games of a batch. Breaks if no more games are wanted.
    pub(super) fn take(&mut self, batch: &ConvertedBatch) -> Result<ControlFlow<()>> {
        let (mut text_start, mut raw_start, mut key_start) = (0, 0, 0);
        // Games that are written together, as a part of the text.
        let (mut together, mut games) = (0, 0);
        let mut flow = ControlFlow::Continue(());
        for game in &batch.games {
            let BatchGame { fate, notes, is_variation, text_end, raw_end, key_end, groups, rejected } = game;
            let text = &batch.text[text_start..*text_end];
            let raw = &batch.raw[raw_start..*raw_end];
            let key = &batch.keys[key_start..*key_end];
            (text_start, raw_start, key_start) = (*text_end, *raw_end, *key_end);
            self.answer.read += u64::from(!is_variation);
            self.answer.variations += u64::from(*is_variation);
            self.answer.add(*fate);
            match (fate, &mut self.collected) {
                (Fate::Rejected(_), _) => {
                    if let Some(rejects) = &mut self.rejects {
                        rejects.push(raw, rejected.as_deref())?;
                    }
                }
                (Fate::LeftOut, _) => push(&mut self.others, raw)?,
                (Fate::Written, Some(collected)) => {
                    if !collected.push(key, notes, groups, text, raw)? {
                        self.answer.add_left_out(LeftOut::Sample);
                        push(&mut self.others, raw)?;
                    }
                }
                (Fate::Written, None) if self.answer.written >= self.limit => {
                    self.answer.add_left_out(LeftOut::Limit);
                    push(&mut self.others, raw)?;
                }
                (Fate::Written, None) => {
                    self.answer.add_written(notes);
                    match &mut self.written {
                        Written::One(_) => (together, games) = (*text_end, games + 1),
                        Written::Split(files) => {
                            let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
                            self.answer.copies += write_to_groups(files, &groups, text)?;
                        }
                    }
                    if self.answer.written >= self.limit && self.others.is_none() {
                        self.answer.is_cut = true;
                        flow = ControlFlow::Break(());
                        break;
                    }
                }
            }
        }
        if let Written::One(file) = &mut self.written {
            file.write(&batch.text[..together], games)?;
        }
        Ok(flow)
    }

    /// Writes the games that were collected, and completes all files.
    pub(super) fn finish(mut self, context: &mut Context<'_>) -> Result<ConvertAnswer> {
        if let Some(collected) = self.collected.take() {
            collected.finish(|game, is_chosen| {
                context.check()?;
                if !is_chosen || self.answer.written >= self.limit {
                    let reason = if is_chosen { LeftOut::Limit } else { LeftOut::Sample };
                    self.answer.add_left_out(reason);
                    return push(&mut self.others, game.raw);
                }
                self.answer.add_written(&game.notes);
                match &mut self.written {
                    Written::One(file) => file.write(game.text, 1),
                    Written::Split(files) => {
                        self.answer.copies += write_to_groups(files, &game.groups, game.text)?;
                        Ok(())
                    }
                }
            })?;
        }
        if let Written::Split(files) = &mut self.written {
            files.complete(self.overwriting)?;
        }
        context.check()?;
        let Self { written, rejects, others, overwriting, mut answer, unreadable, .. } = self;
        let mut committed = CommittedFiles::default();
        // The games that are kept as they are come first: if one of these files cannot be written, the others keep their old text.
        let (rejects, list) = rejects.map(|file| (file.records, file.list)).unzip();
        for (file, list, slot) in
            [(rejects, list.flatten(), &mut answer.rejects), (others, None, &mut answer.others)]
        {
            let Some(file) = file else { continue };
            *slot = Some(WrittenFile { file: file.path().to_owned(), games: file.games() });
            answer.unseparated += file.unseparated();
            // Without any game that was read, nothing is known.
            let is_written = file.finish(answer.read == 0, &mut committed, context)?;
            // The list belongs to the file: where that stays as it was, so does the list.
            if let Some(list) = list.filter(|_| is_written) {
                answer.rejects_list.clone_from(&list.path);
                list.finish(answer.read == 0, &mut committed, context)?;
            }
        }
        match written {
            Written::One(file) => {
                let path = file.path.clone().unwrap_or_else(|| Path::new("-").to_owned());
                let games = file.games;
                if file.finish(answer.written == 0, &mut committed, context)? {
                    answer.files.push(WrittenFile { file: path, games });
                }
            }
            Written::Split(files) => {
                let dir = files.dir().to_owned();
                let finished = files.finish(overwriting, context);
                let files = finished.map_err(|error| committed.take_back(error))?;
                let summaries = files
                    .into_iter()
                    .map(|file| WrittenFile { file: dir.join(file.name), games: file.games });
                answer.files.extend(summaries);
            }
        }
        debug_assert!(answer.adds_up());
        for (error, games) in unreadable.into_values() {
            context.events.problem(&unreadable_games(error, games));
        }
        Ok(answer)
    }
}

/// Adds a record to a file, if there is one.
fn push(file: &mut Option<RecordFile>, record: &[u8]) -> Result<()> {
    file.as_mut().map_or(Ok(()), |file| file.push(record))
}

/// Returns the problem that texts of an archive of an index cannot be read.
fn unreadable_games(mut error: AppError, games: u64) -> AppError {
    error.message += &format!("; {} cannot be read", count(games, "game"));
    error.help("`pdn index --append ARCHIVE -o DIR` brings the index up to date, and `--embed` stores the text in it")
}

/// Writes a game to the files of its groups. Returns the number of files beyond the first.
fn write_to_groups(files: &mut SplitFiles, groups: &[&str], text: &[u8]) -> Result<u64> {
    for group in groups {
        files.write(group, text)?;
    }
    Ok((groups.len() as u64).saturating_sub(1))
}
