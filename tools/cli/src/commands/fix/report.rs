//! Prints repairs and counts them.

use std::path::{Path, PathBuf};

use pdn::archive::GameRef;
use pdn::edit::TextEdit;
use pdn::fix::{Applicability, Candidate, Proof, Repair};
use pdn::span::LineColumn;
use serde_json::{Value, json};

use crate::args::FixArgs;
use crate::output::sanitize;
use pdn_app::numbers::{Count, count};

/// Maximum number of candidates that a line of text names.
const MAX_CANDIDATES: usize = 5;

/// A repair with everything that is printed about it.
pub(super) struct LocatedRepair<'a> {
    pub(super) file: &'a Path,
    /// Number of the record in the file, from 1.
    pub(super) record: u64,
    pub(super) game: &'a GameRef<'a>,
    /// Offset of the record in the file.
    pub(super) offset: u64,
    /// Line and column of the first changed byte.
    pub(super) start: LineColumn,
    pub(super) repair: &'a Repair,
    pub(super) is_applied: bool,
}

impl LocatedRepair<'_> {
    /// Returns the repair as a line of JSON.
    pub(super) fn json(&self) -> String {
        let repair = self.repair;
        let candidate = |candidate: &Candidate| {
            json!({
                "kind": candidate.kind.name(),
                "edits": self.edits(&candidate.edits),
                "proof": proof(&candidate.proof),
            })
        };
        sanitize::json(&json!({
            "file": self.file.to_string_lossy(),
            "record": self.record,
            "offset": self.offset,
            "length": self.game.raw().len(),
            "line": self.start.line,
            "column": self.start.column,
            "code": repair.code.id(),
            "kind": repair.kind.name(),
            "applicability": repair.applicability.name(),
            "applied": self.is_applied,
            "edits": self.edits(&repair.edits),
            "proof": proof(&repair.proof),
            "candidates": repair.candidates.iter().map(candidate).collect::<Vec<_>>(),
        }))
    }

    fn edits(&self, edits: &[TextEdit]) -> Vec<Value> {
        let edit = |edit: &TextEdit| {
            json!({
                "at": self.offset + edit.range.start as u64,
                "old": self.game.decode(&self.game.raw()[edit.range.clone()]),
                "new": self.game.decode(&edit.new),
            })
        };
        edits.iter().map(edit).collect()
    }

    /// Returns one line about a repair that is not applied.
    pub(super) fn text(&self) -> String {
        let Self { start, repair, .. } = self;
        let place = format!("{}:{start}: {}", sanitize::path(self.file), repair.code);
        let change = |edits: &[TextEdit]| {
            let changes: Vec<String> = edits.iter().take(2).map(|edit| self.change(edit)).collect();
            let more = if edits.len() > 2 { format!(" and {} more", edits.len() - 2) } else { String::new() };
            changes.join(", ") + &more
        };
        match repair.applicability {
            Applicability::Display => {
                let candidates = repair.candidates.iter().take(MAX_CANDIDATES);
                let changes: Vec<String> = candidates.map(|candidate| change(&candidate.edits)).collect();
                let number = repair.candidates.len().max(1);
                let more = if number > MAX_CANDIDATES { " or others" } else { "" };
                format!("{place}: {number} repairs fit: {}{more}", changes.join(" or "))
            }
            Applicability::Unsafe => {
                format!("{place}: unsafe: {}; {}", change(&repair.edits), repair.proof)
            }
            _ => format!("{place}: not selected: {}", change(&repair.edits)),
        }
    }

    /// Returns what an edit does: `32-27 -> 32-28`.
    fn change(&self, edit: &TextEdit) -> String {
        let old = self.game.decode(&self.game.raw()[edit.range.clone()]);
        let new = self.game.decode(&edit.new);
        let (old, new) = (sanitize::text(old.trim()).into_owned(), sanitize::text(new.trim()).into_owned());
        match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("insert `{new}`"),
            (_, true) => format!("remove `{old}`"),
            _ => format!("`{old}` -> `{new}`"),
        }
    }
}

/// A change of a name with everything that is printed about it.
pub(super) struct LocatedNames<'a> {
    pub(super) file: &'a Path,
    pub(super) game: &'a GameRef<'a>,
    /// Line and column of the first changed byte.
    pub(super) start: LineColumn,
    pub(super) edit: &'a TextEdit,
}

impl LocatedNames<'_> {
    /// Returns the change as a line of JSON.
    pub(super) fn json(&self) -> String {
        let Self { game, edit, .. } = self;
        let edits = json!([{
            "at": game.offset() + edit.range.start as u64,
            "old": game.decode(&game.raw()[edit.range.clone()]),
            "new": game.decode(&edit.new),
        }]);
        sanitize::json(&json!({
            "file": self.file.to_string_lossy(),
            "record": game.number(),
            "offset": game.offset(),
            "length": game.raw().len(),
            "line": self.start.line,
            "column": self.start.column,
            "code": super::NAMES,
            "kind": "name",
            "applicability": Applicability::Unsafe.name(),
            "applied": true,
            "edits": edits,
            "proof": { "moves": "same", "text": "the name is in the file of names" },
            "candidates": [],
        }))
    }
}

fn proof(proof: &Proof) -> Value {
    let text = proof.to_string();
    match *proof {
        Proof::Replays { plies_before, plies_after, complete, tried } => json!({
            "moves": "replayed",
            "text": text,
            "plies_before": plies_before,
            "plies_after": plies_after,
            "complete": complete,
            "tried": tried,
        }),
        _ => json!({ "moves": "same", "text": text }),
    }
}

/// Numbers of repairs of all files.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) files: u64,
    /// Number of files that were replaced.
    pub(super) changed: u64,
    pub(super) games: u64,
    safe: u64,
    unsafe_repairs: u64,
    display: u64,
    applied: AppliedCounts,
    /// Those of the current file, which count when the file is complete.
    in_file: AppliedCounts,
}

/// Numbers of what is changed.
#[derive(Default)]
struct AppliedCounts {
    games: u64,
    repairs: u64,
    names: u64,
}

impl Counts {
    /// Counts the repairs of a game, and its changes of names.
    pub(super) fn add(&mut self, repairs: &[Repair], chosen: &[&Repair], names: usize) {
        self.in_file.names += names as u64;
        self.in_file.repairs += chosen.len() as u64;
        self.in_file.games += u64::from(!chosen.is_empty());
        for repair in repairs {
            *match repair.applicability {
                Applicability::Safe => &mut self.safe,
                Applicability::Unsafe => &mut self.unsafe_repairs,
                _ => &mut self.display,
            } += 1;
        }
    }

    /// Ends the current file. What was changed in it counts unless the file `is_kept` as it was.
    pub(super) fn end_file(&mut self, is_kept: bool) {
        let AppliedCounts { games, repairs, names } = std::mem::take(&mut self.in_file);
        if !is_kept {
            self.applied.games += games;
            self.applied.repairs += repairs;
            self.applied.names += names;
        }
    }

    /// Returns the number of repairs and names that are changed.
    pub(super) fn changes(&self) -> u64 {
        self.applied.repairs + self.applied.names
    }

    /// Returns the summary as JSON. The `journals` are those of the replaced files.
    pub(super) fn json(&self, journals: &[PathBuf]) -> Value {
        let journals: Vec<_> = journals.iter().map(|journal| journal.to_string_lossy()).collect();
        json!({ "summary": {
            "files": self.files,
            "changed": self.changed,
            "games": self.games,
            "repaired": self.applied.games,
            "applied": self.applied.repairs,
            "safe": self.safe,
            "unsafe": self.unsafe_repairs,
            "display": self.display,
            "names": self.applied.names,
            "journals": journals,
        } })
    }

    /// Returns the summary for people.
    pub(super) fn text(&self, args: &FixArgs) -> String {
        let verb = if args.write { "made" } else { "possible" };
        let mut text = format!(
            "{} in {}: {} {verb}, in {}",
            count(self.games, "game"),
            count(self.files, "file"),
            count(self.applied.repairs, "repair"),
            count(self.applied.games, "game"),
        );
        if args.names.is_some() {
            text += &format!("; {}", count(self.applied.names, "name"));
        }
        let found = self.safe + self.unsafe_repairs;
        if self.unsafe_repairs > 0 && !args.unsafe_repairs {
            let more = found.saturating_sub(self.applied.repairs).min(self.unsafe_repairs);
            text += &format!("; {} more with --unsafe", Count(more));
        }
        if self.display > 0 {
            text += &format!("; {} where several repairs fit", count(self.display, "place"));
        }
        text
    }
}
