//! Takes converted games in the order of the input and gives each to exactly one output.

use std::ops::ControlFlow;
use std::path::Path;

use pdn::error::ErrorKind;

use super::arrange::CollectedGames;
use super::game_file::{Failure, GameFile, RecordFile};
use super::record::{BatchGame, ConvertedBatch, Fate};
use super::split_files::SplitFiles;
use super::summary::{FileSummary, LeftOut, Summary};
use crate::input::overwriting::Overwriting;
use crate::output::{Output, interrupt};

/// Where written games go.
pub(super) enum Written {
    One(Box<GameFile>),
    Split(Box<SplitFiles>),
}

/// All outputs, and what became of the games.
pub(super) struct Outputs<'a> {
    pub(super) written: Written,
    pub(super) rejects: Option<RecordFile>,
    pub(super) others: Option<RecordFile>,
    /// Games are collected and arranged before they are written.
    pub(super) collected: Option<CollectedGames>,
    /// Largest number of games to be written.
    pub(super) limit: u64,
    pub(super) overwriting: Overwriting<'a>,
    pub(super) summary: Summary,
}

impl Outputs<'_> {
    /// Prepares for a stop: unfinished files are removed then.
    pub(super) fn install_handler(&self) {
        let written = match &self.written {
            Written::One(file) => file.temporary(),
            Written::Split(files) => Some(files.temporary()),
        };
        let kept = [&self.rejects, &self.others].into_iter().flatten().filter_map(RecordFile::temporary);
        for path in written.into_iter().chain(kept) {
            interrupt::install_handler_for(path);
        }
    }

    /// Returns `true` if a file is written, and not only standard output.
    pub(super) fn has_files(&self) -> bool {
        let is_stdout = matches!(&self.written, Written::One(file) if file.path.is_none());
        !is_stdout || self.rejects.is_some() || self.others.is_some()
    }

    /// Takes the games of a batch. Breaks if no more games are wanted.
    pub(super) fn take(
        &mut self,
        batch: &ConvertedBatch,
        out: &mut Output,
    ) -> Result<ControlFlow<()>, Failure> {
        let (mut text_start, mut raw_start, mut key_start) = (0, 0, 0);
        // Games that are written together, as a part of the text.
        let (mut together, mut games) = (0, 0);
        let mut flow = ControlFlow::Continue(());
        for game in &batch.games {
            let BatchGame { fate, notes, text_end, raw_end, key_end, groups } = game;
            let text = &batch.text[text_start..*text_end];
            let raw = &batch.raw[raw_start..*raw_end];
            let key = &batch.keys[key_start..*key_end];
            (text_start, raw_start, key_start) = (*text_end, *raw_end, *key_end);
            self.summary.read += 1;
            self.summary.add(*fate);
            match (fate, &mut self.collected) {
                (Fate::Rejected(_), _) => push(&mut self.rejects, raw, out)?,
                (Fate::LeftOut, _) => push(&mut self.others, raw, out)?,
                (Fate::Written, Some(collected)) => {
                    if !collected.push(key, notes, groups, text, raw)? {
                        self.summary.add_left_out(LeftOut::Sample, 1);
                        push(&mut self.others, raw, out)?;
                    }
                }
                (Fate::Written, None) if self.summary.written >= self.limit => {
                    self.summary.add_left_out(LeftOut::Limit, 1);
                    push(&mut self.others, raw, out)?;
                }
                (Fate::Written, None) => {
                    self.summary.add_written(notes);
                    match &mut self.written {
                        Written::One(_) => (together, games) = (*text_end, games + 1),
                        Written::Split(files) => {
                            let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
                            self.summary.copies += write_to_groups(files, &groups, text)?;
                        }
                    }
                    if self.summary.written >= self.limit && self.others.is_none() {
                        self.summary.is_cut = true;
                        flow = ControlFlow::Break(());
                        break;
                    }
                }
            }
        }
        if let Written::One(file) = &mut self.written {
            file.write(&batch.text[..together], games, out)?;
        }
        Ok(flow)
    }

    /// Writes the games that were collected, and completes all files. Returns `None` if a stop was requested.
    pub(super) fn finish(mut self, out: &mut Output) -> Result<Option<Summary>, Failure> {
        if let Some(collected) = self.collected.take() {
            collected.finish(|game, is_chosen| {
                if interrupt::is_requested() {
                    return Err(Failure::Library(ErrorKind::Stopped.into()));
                }
                if !is_chosen || self.summary.written >= self.limit {
                    let reason = if is_chosen { LeftOut::Limit } else { LeftOut::Sample };
                    self.summary.add_left_out(reason, 1);
                    return push(&mut self.others, game.raw, out);
                }
                self.summary.add_written(&game.notes);
                match &mut self.written {
                    Written::One(file) => file.write(game.text, 1, out),
                    Written::Split(files) => {
                        self.summary.copies += write_to_groups(files, &game.groups, game.text)?;
                        Ok(())
                    }
                }
            })?;
        }
        if let Written::Split(files) = &mut self.written {
            files.complete(self.overwriting)?;
        }
        if interrupt::is_requested() {
            return Ok(None);
        }
        let Self { written, rejects, others, overwriting, mut summary, .. } = self;
        // The games that are kept as they are come first: if one of these files cannot be written, the others keep their old text.
        for (file, slot) in [(rejects, &mut summary.rejects), (others, &mut summary.others)] {
            let Some(file) = file else { continue };
            *slot = Some(FileSummary { path: file.path().to_owned(), games: file.games() });
            summary.unseparated += file.unseparated();
            file.finish(out)?;
        }
        match written {
            Written::One(file) => {
                let path = file.path.clone().unwrap_or_else(|| Path::new("-").to_owned());
                summary.files.push(FileSummary { path, games: file.games });
                file.finish(out)?;
            }
            Written::Split(files) => {
                let dir = files.dir().to_owned();
                let files = files.finish(overwriting)?;
                let summaries = files
                    .into_iter()
                    .map(|file| FileSummary { path: dir.join(file.name), games: file.games });
                summary.files.extend(summaries);
            }
        }
        debug_assert!(summary.adds_up());
        Ok(Some(summary))
    }
}

/// Adds a record to a file, if there is one.
fn push(file: &mut Option<RecordFile>, record: &[u8], out: &mut Output) -> Result<(), Failure> {
    file.as_mut().map_or(Ok(()), |file| file.push(record, out))
}

/// Writes a game to the files of its groups. Returns the number of files beyond the first.
fn write_to_groups(files: &mut SplitFiles, groups: &[&str], text: &[u8]) -> Result<u64, Failure> {
    for group in groups {
        files.write(group, text)?;
    }
    Ok((groups.len() as u64).saturating_sub(1))
}
