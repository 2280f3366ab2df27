//! What became of all games.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::record::{Fate, GameNotes};
use crate::read::paths::{serialize_path, serialize_path_option};

/// Why a game that could be written is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LeftOut {
    Filter,
    Sample,
    Limit,
}

/// Numbers of games that are left out, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOutGames {
    /// The filter does not choose them.
    pub filter: u64,
    /// They are not part of the random choice.
    pub sample: u64,
    /// They come after the limit.
    pub limit: u64,
}

/// A file that games were written to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrittenFile {
    /// Its path; `-` if the games were passed on.
    #[serde(serialize_with = "serialize_path")]
    pub file: PathBuf,
    /// The number of its games.
    pub games: u64,
}

/// What became of all games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConvertAnswer {
    /// Games that were read: written, rejected or left out.
    pub read: u64,
    /// Variations of them that are games of their own. They too are written or left out.
    pub variations: u64,
    /// Games that were written.
    pub written: u64,
    /// Games that cannot be written without a loss.
    pub rejected: u64,
    /// These games by reason.
    pub rejected_by: BTreeMap<&'static str, u64>,
    /// Games that were left out.
    pub left_out: u64,
    /// These games by reason.
    pub left_out_by: LeftOutGames,
    /// Games that stand in a second file, that of the other player.
    pub copies: u64,
    /// Written games that were repaired and mean the same.
    pub repaired: u64,
    /// Written games that were repaired and mean something else.
    pub repaired_unsafely: u64,
    /// Written games with other names of players, events or sites.
    pub renamed: u64,
    /// Written games that received a GameType tag with an inferred variant.
    pub inferred_game_types: u64,
    /// Written games with a variation that is kept as text in comments, because it cannot be played.
    pub text_variations: u64,
    /// Written games whose score gave the number of White first, though Black starts; they have that of Black first.
    pub exchanged_scores: u64,
    /// Written games by the encoding from which they were converted, unless it is UTF-8.
    pub encodings: BTreeMap<&'static str, u64>,
    /// Games kept as they are that a reader cannot tell from their neighbours in the file.
    pub unseparated: u64,
    /// Games of an index whose text cannot be read.
    pub unreadable: u64,
    /// All inputs could be read.
    pub complete: bool,
    /// The files with the written games.
    pub files: Vec<WrittenFile>,
    /// The file with the rejected games; null unless one was asked for.
    pub rejects: Option<WrittenFile>,
    /// The list that says of each of them where it was and why it is rejected.
    #[serde(serialize_with = "serialize_path_option")]
    pub rejects_list: Option<PathBuf>,
    /// The file with the games that were left out; null unless one was asked for.
    pub others: Option<WrittenFile>,
    /// Reading stopped at the limit.
    #[serde(skip)]
    pub is_cut: bool,
}

impl ConvertAnswer {
    /// Counts a game that is not written.
    pub(super) fn add(&mut self, fate: Fate) {
        match fate {
            Fate::Written => {}
            Fate::Rejected(reason) => {
                self.rejected += 1;
                *self.rejected_by.entry(reason).or_default() += 1;
            }
            Fate::LeftOut => self.add_left_out(LeftOut::Filter),
        }
    }

    /// Counts a game that is left out.
    pub(super) fn add_left_out(&mut self, reason: LeftOut) {
        self.left_out += 1;
        *match reason {
            LeftOut::Filter => &mut self.left_out_by.filter,
            LeftOut::Sample => &mut self.left_out_by.sample,
            LeftOut::Limit => &mut self.left_out_by.limit,
        } += 1;
    }

    /// Counts a written game.
    pub(super) fn add_written(&mut self, notes: &GameNotes) {
        self.written += 1;
        self.repaired += u64::from(notes.repaired);
        self.repaired_unsafely += u64::from(notes.repaired_unsafely);
        self.renamed += u64::from(notes.renamed);
        self.inferred_game_types += u64::from(notes.inferred);
        self.text_variations += u64::from(notes.text_variations);
        self.exchanged_scores += u64::from(notes.exchanged_score);
        if let Some(encoding) = notes.encoding {
            *self.encodings.entry(encoding.name()).or_default() += 1;
        }
    }

    /// Returns `true` if every game that was read has exactly one fate, and every written game is in a file.
    pub(super) fn adds_up(&self) -> bool {
        let in_files: u64 = self.files.iter().map(|file| file.games).sum();
        self.read + self.variations == self.written + self.rejected + self.left_out
            && in_files == self.written + self.copies
            && self.rejects.as_ref().is_none_or(|file| file.games == self.rejected)
            && self.others.as_ref().is_none_or(|file| file.games == self.left_out)
    }

    /// Returns `true` if all games that were chosen are in a file, and there is one.
    pub fn is_whole(&self) -> bool {
        self.written > 0 && (self.rejected == 0 || self.rejects.is_some())
    }
}
