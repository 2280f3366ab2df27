//! What became of all games.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::Error;
use serde_json::{Map, Value, json};

use super::record::{Fate, GameNotes};
use crate::output::{Output, sanitize};
use pdn_app::numbers::{Count, count};

/// Why a game that could be written is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum LeftOut {
    Filter,
    Sample,
    Limit,
}

impl LeftOut {
    /// Returns the name in the JSON summary.
    const fn name(self) -> &'static str {
        match self {
            Self::Filter => "filter",
            Self::Sample => "sample",
            Self::Limit => "limit",
        }
    }
}

/// A file that games were written to.
pub(super) struct FileSummary {
    pub(super) path: PathBuf,
    pub(super) games: u64,
}

/// The numbers of games.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) read: u64,
    pub(super) written: u64,
    rejected: BTreeMap<&'static str, u64>,
    left_out: BTreeMap<LeftOut, u64>,
    /// Games that stand in a second file.
    pub(super) copies: u64,
    repaired: u64,
    repaired_unsafely: u64,
    renamed: u64,
    inferred: u64,
    encodings: BTreeMap<&'static str, u64>,
    /// Games of an index whose text cannot be read, and the first error, for each archive.
    unreadable: BTreeMap<PathBuf, (String, u64)>,
    /// Reading stopped at the limit.
    pub(super) is_cut: bool,
    /// All inputs could be read.
    pub(super) complete: bool,
    pub(super) files: Vec<FileSummary>,
    pub(super) rejects: Option<FileSummary>,
    pub(super) others: Option<FileSummary>,
    /// Games in these two files that a reader cannot tell from their neighbours.
    pub(super) unseparated: u64,
}

impl Summary {
    /// Counts a game that is not written.
    pub(super) fn add(&mut self, fate: Fate) {
        match fate {
            Fate::Written => {}
            Fate::Rejected(reason) => *self.rejected.entry(reason).or_default() += 1,
            Fate::LeftOut => self.add_left_out(LeftOut::Filter, 1),
        }
    }

    pub(super) fn add_left_out(&mut self, reason: LeftOut, games: u64) {
        if games > 0 {
            *self.left_out.entry(reason).or_default() += games;
        }
    }

    /// Counts a written game.
    pub(super) fn add_written(&mut self, notes: &GameNotes) {
        self.written += 1;
        self.repaired += u64::from(notes.repaired);
        self.repaired_unsafely += u64::from(notes.repaired_unsafely);
        self.renamed += u64::from(notes.renamed);
        self.inferred += u64::from(notes.inferred);
        if let Some(encoding) = notes.encoding {
            *self.encodings.entry(encoding.name()).or_default() += 1;
        }
    }

    pub(super) fn add_unreadable(&mut self, error: &Error, dir: &Path, games: u64) {
        let path = error.path().unwrap_or(dir).to_owned();
        let known = self.unreadable.entry(path).or_insert_with(|| (error.to_string(), 0));
        known.1 += games;
    }

    pub(super) fn rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    fn left_out(&self) -> u64 {
        self.left_out.values().sum()
    }

    pub(super) fn unreadable(&self) -> u64 {
        self.unreadable.values().map(|(_, games)| games).sum()
    }

    /// Returns `true` if every game that was read has exactly one fate, and every written game is in a file.
    pub(super) fn adds_up(&self) -> bool {
        let in_files: u64 = self.files.iter().map(|file| file.games).sum();
        self.read == self.written + self.rejected() + self.left_out()
            && in_files == self.written + self.copies
            && self.rejects.as_ref().is_none_or(|file| file.games == self.rejected())
            && self.others.as_ref().is_none_or(|file| file.games == self.left_out())
    }

    /// Prints the errors of archives of an index that cannot be read.
    pub(super) fn print_errors(&self, out: &Output) {
        for (error, games) in self.unreadable.values() {
            let error = sanitize::text(error).into_owned();
            out.print_error(&format!(
                "{error}; {} cannot be read\n  `pdn index --append ARCHIVE -o DIR` brings the index up to date, and \
                 `--embed` stores the text in it",
                count(*games, "game")
            ));
        }
    }

    /// Prints the summary to standard error: standard output may be the games.
    pub(super) fn print(&self, out: &Output) {
        let mut text = format!(
            "{} read: {} written, {} rejected, {} left out",
            count(self.read, "game"),
            Count(self.written),
            Count(self.rejected()),
            Count(self.left_out()),
        );
        if self.is_cut {
            text += "; reading stopped at the limit";
        }
        let mut reasons: Vec<_> = self.rejected.iter().collect();
        reasons.sort_by_key(|(reason, games)| (std::cmp::Reverse(**games), **reason));
        for (reason, games) in reasons {
            text += &format!("\n{:>10}  {reason}", Count(*games).to_string());
        }
        out.print_error(&text);
        let note = |games: u64, what: &str| {
            if games > 0 {
                out.print_error(&format!("note: {} {what}", count(games, "game")));
            }
        };
        note(self.copies, "written to a second file, that of the other player");
        note(self.repaired, "repaired, with the same meaning");
        note(self.repaired_unsafely, "repaired, with another meaning");
        note(self.renamed, "with other names of players, events or sites");
        note(self.inferred, "received a GameType tag with an inferred variant");
        for (encoding, games) in &self.encodings {
            note(*games, &format!("converted from {encoding}"));
        }
        note(
            self.unseparated,
            "of those kept as they are cannot be told from the next or the previous game by a reader of the file",
        );
        match &self.rejects {
            None if self.rejected() > 0 => {
                out.print_error("note: rejected games are in no file; `--rejects FILE` takes them, and `--fix` repairs some");
            }
            _ => {}
        }
        let to_stdout = self.files.first().is_some_and(|file| file.path == Path::new("-"));
        if let [file] = &self.files[..] {
            if !to_stdout {
                out.print_error(&format!("{}: {}", sanitize::path(&file.path), count(file.games, "game")));
            }
        } else if let Some(dir) = self.files.first().and_then(|file| file.path.parent()) {
            let files = count(self.files.len() as u64, "file");
            out.print_error(&format!("{}: {files}", sanitize::path(dir)));
        }
        for file in [&self.rejects, &self.others].into_iter().flatten() {
            out.print_error(&format!("{}: {}", sanitize::path(&file.path), count(file.games, "game")));
        }
    }

    /// Prints the summary as JSON.
    pub(super) fn print_json(&self, out: &mut Output) -> io::Result<()> {
        let file = |file: &FileSummary| json!({ "file": file.path.to_string_lossy(), "games": file.games });
        let map = |counts: &mut dyn Iterator<Item = (&'static str, u64)>| {
            Value::Object(counts.map(|(name, games)| (name.to_owned(), games.into())).collect::<Map<_, _>>())
        };
        let mut left_out = [LeftOut::Filter, LeftOut::Sample, LeftOut::Limit]
            .into_iter()
            .map(|reason| (reason.name(), self.left_out.get(&reason).copied().unwrap_or_default()));
        let value = json!({
            "read": self.read,
            "written": self.written,
            "rejected": self.rejected(),
            "rejected_by": map(&mut self.rejected.iter().map(|(reason, games)| (*reason, *games))),
            "left_out": self.left_out(),
            "left_out_by": map(&mut left_out),
            "copies": self.copies,
            "repaired": self.repaired,
            "repaired_unsafely": self.repaired_unsafely,
            "renamed": self.renamed,
            "inferred_game_types": self.inferred,
            "encodings": map(&mut self.encodings.iter().map(|(name, games)| (*name, *games))),
            "unseparated": self.unseparated,
            "unreadable": self.unreadable(),
            "complete": self.complete,
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
            "rejects": self.rejects.as_ref().map(file),
            "others": self.others.as_ref().map(file),
        });
        writeln!(out, "{}", sanitize::json(&value))
    }
}
