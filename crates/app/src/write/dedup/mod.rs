//! Records of the same game or problem, and archives without them.

mod shared_tags;
mod write;
mod groups;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::source;
use pdn_dedup::{ClassCounts, DedupOptions, DuplicateClass, KeepRule};
use pdn_index::internal::Section;
use pdn_index::{ImportOptions, Index};
use serde::{Serialize, Serializer};

pub use self::groups::{GroupGame, GroupRow, KeptGame, OtherGame, likeness};
pub use self::write::RecordsFile;

use self::groups::Groups;
use self::shared_tags::RemovedCopies;
use self::write::RemovedGames;
use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::named::named;
use crate::ask::options::{options, refused};
use crate::read::inputs::Inputs;
use crate::read::paths::is_index;
use crate::read::searched::{self, SearchedIndex};
use crate::write::outputs::{Overwriting, is_same_file};

named! {
    /// Which game of a group stays.
    pub enum Keep {
        /// Legal before damaged, then more plies, more comments and variations, more known tags, then the first
        Best = "best",
        /// The first one read
        First = "first",
        /// The last one read
        Last = "last",
    }
}

named! {
    /// A class whose games can be removed.
    #[expect(missing_docs, reason = "the page of `pdn dedup` says what they mean")]
    pub enum RemovedClass {
        Exact = "exact",
        Prefix = "prefix",
        Near = "near",
        SamePosition = "same-position",
    }
}

options! {
    /// Which records are the same game, what is shown of them, and what is written.
    pub struct DedupRules in "" {
        /// Index of games that are there already: its games are keepers, and it is not changed
        against: Option<PathBuf>, value "DIR";
        /// Which game of a group stays
        keep: Keep, value "RULE";
        /// Classes whose games are removed: exact, prefix, near, same-position, separated by commas
        class: Vec<RemovedClass> = vec![RemovedClass::Exact], value "CLASSES";
        /// Take problems for the same position also with colours exchanged and the board rotated
        flipped: bool;
        /// Take problems for the same position also as mirror images, on boards where all cells are squares
        mirrored: bool;
        /// Also report problems whose positions are one, moved over the board; they always stay
        shifted: bool;
        /// Write the games without the removed ones to this file
        output: Option<PathBuf>, value "FILE", short "o", alias "write";
        /// Write the removed games to this file
        duplicates: Option<PathBuf>, value "FILE";
        /// Replace output files that exist
        force: bool;
        /// With {output}: add to each keeper the tags that only its removed copies have
        share_tags: bool, needs "output";
        /// Print for each game what it has in common with its keeper and what not
        explain: bool;
    }
}

/// Asks for records of the same game.
#[derive(Clone, Debug)]
pub struct DedupRequest {
    /// The archives, or one index.
    pub inputs: Inputs,
    /// The rules.
    pub rules: DedupRules,
    /// Names, dates and lengths are passed on with each game.
    pub rows: bool,
    /// The largest number of groups that are passed on.
    pub max_groups: usize,
    /// The largest number of games of a group that are passed on, without the keeper.
    pub max_others: u64,
}

/// What is found, group by group.
#[derive(Debug)]
pub enum DedupEvent<'a> {
    /// A group begins with the game that stays.
    Keeper(DuplicateClass, &'a KeptGame),
    /// Another game of the group.
    Other(&'a OtherGame),
    /// The group ends.
    End {
        /// The number of its games without the keeper.
        others: u64,
    },
}

/// Receives what is found; breaks if nobody reads it any more.
pub type DedupSink<'a> = dyn FnMut(DedupEvent<'_>) -> ControlFlow<()> + 'a;

/// The numbers of games.
#[derive(Clone, Debug)]
pub struct DedupAnswer {
    /// Games that were compared.
    pub games: u64,
    /// The numbers of groups, and of games in them besides the keepers.
    pub classes: Vec<(DuplicateClass, ClassCounts)>,
    /// Games that are removed.
    pub removed: u64,
    /// Games that stay.
    pub kept: u64,
    /// Keepers that received tags.
    pub changed: u64,
    /// Groups that were passed on.
    pub shown: u64,
    /// The number of comparisons of a game with others that were cut short, because too many resemble it.
    pub uncompared: u64,
    /// The files that were written.
    pub files: Vec<RecordsFile>,
    /// What became of the tags that only removed games have, if they are shared.
    pub shared: Option<SharedTags>,
    /// All inputs could be read.
    pub complete: bool,
}

/// Tags that only removed games have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedTags {
    /// Those that were added to a keeper.
    pub added: u64,
    /// Those that the encoding of the keeper lacks letters for.
    pub unencodable: u64,
    /// A sentence for each keeper that stays as it is, because damage in its text would swallow the tags.
    pub refused: Vec<String>,
}

impl Serialize for DedupAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        DedupTotals::of(self).serialize(serializer)
    }
}

/// The JSON of a [`DedupAnswer`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DedupTotals {
    /// Games that were compared, without those of `--against`; `kept` and `removed` together.
    pub games: u64,
    /// The class `exact`.
    pub exact: ClassTotals,
    /// The class `prefix`.
    pub prefix: ClassTotals,
    /// The class `near`.
    pub near: ClassTotals,
    /// The class `same-position`.
    pub same_position: ClassTotals,
    /// The class `same-moves`.
    pub same_moves: ClassTotals,
    /// The class `shifted-position`; absent unless it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shifted_position: Option<ClassTotals>,
    /// Games in groups of the classes that `--class` names, without the keepers.
    pub removed: u64,
    /// All other games.
    pub kept: u64,
    /// Keepers that received tags, 0 without `--share-tags`.
    pub changed: u64,
}

/// Numbers of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClassTotals {
    /// Groups.
    pub groups: u64,
    /// Games in these groups besides the keepers; where all games stay, besides the first of each group.
    pub others: u64,
}

impl DedupTotals {
    fn of(answer: &DedupAnswer) -> Self {
        let counted = |class: DuplicateClass| {
            let counts = answer.classes.iter().find(|(counted, _)| *counted == class);
            counts.map(|(_, counts)| ClassTotals { groups: counts.groups, others: counts.others })
        };
        let class = |class| counted(class).unwrap_or_default();
        Self {
            games: answer.games,
            exact: class(DuplicateClass::Exact),
            prefix: class(DuplicateClass::Prefix),
            near: class(DuplicateClass::Near),
            same_position: class(DuplicateClass::SamePosition),
            same_moves: class(DuplicateClass::SameMoves),
            shifted_position: counted(DuplicateClass::ShiftedPosition),
            removed: answer.removed,
            kept: answer.kept,
            changed: answer.changed,
        }
    }
}

impl DedupRequest {
    /// Asks for all groups of archives, and removes nothing.
    pub fn new(inputs: Inputs) -> Self {
        Self {
            inputs,
            rules: DedupRules::default(),
            rows: false,
            max_groups: usize::MAX,
            max_others: u64::MAX,
        }
    }

    /// Finds the groups, passes them on, and writes the files.
    ///
    /// # Errors
    ///
    /// If the request contradicts itself, the inputs or an index cannot be read, a file may not be replaced or cannot be written, or the work was
    /// stopped, also by the sink. An archive that cannot be read completely is a problem of the context.
    pub fn run(&self, sink: &mut DedupSink<'_>, context: &mut Context<'_>) -> Result<DedupAnswer> {
        if self.rules.class.is_empty() {
            return Err(refused("at least one is needed").in_field("class"));
        }
        self.check_outputs()?;
        self.answer(sink, context).map_err(|error| match error.code {
            ErrorCode::Stopped => AppError::plain(ErrorCode::Stopped, "stopped; no file was written"),
            _ => error,
        })
    }

    fn answer(&self, sink: &mut DedupSink<'_>, context: &mut Context<'_>) -> Result<DedupAnswer> {
        let (index, is_numbered) = self.open(context)?;
        let known = self.rules.against.as_deref().map(Index::open).transpose()?;
        let options = DedupOptions::new()
            .keep(match self.rules.keep {
                Keep::Best => KeepRule::Best,
                Keep::First => KeepRule::First,
                Keep::Last => KeepRule::Last,
            })
            .flipped(self.rules.flipped)
            .mirrored(self.rules.mirrored)
            .shifted(self.rules.shifted)
            .threads(self.inputs.threads)
            .stop(&context.stop);
        let duplicates = pdn_dedup::find_duplicates(&index, known.as_ref(), &options)?;
        if duplicates.without_text() > 0 {
            let why = "it came from a stream, a container or UTF-16 and was not embedded in the index";
            return Err(pdn::Error::new(pdn::error::ErrorKind::NoText(why)).into());
        }
        let is_compared =
            |class: &DuplicateClass| self.rules.shifted || *class != DuplicateClass::ShiftedPosition;
        let compared = DuplicateClass::ALL.into_iter().filter(is_compared);
        let counts: Vec<_> = compared.map(|class| (class, duplicates.counts(class))).collect();
        let mut groups = Groups::new(self, &index, is_numbered, known.as_ref())?;
        let classes = self.removed_classes();
        let removed = RemovedGames::new(&index, &duplicates, &classes);
        let mut copies = self.rules.share_tags.then(|| RemovedCopies::new(&classes));
        let uncompared = duplicates.uncompared();
        let mut members = duplicates.into_members();
        while copies.is_some() || !groups.is_full() {
            context.check()?;
            let Some(member) = members.next().transpose()? else { break };
            if let Some(copies) = &mut copies {
                copies.add(&member);
            }
            groups.member(&member, &mut members, sink)?;
        }
        groups.end_group(sink)?;
        let written = self.write_files(&index, &removed, copies.as_mut(), context)?;
        Ok(DedupAnswer {
            games: removed.games,
            classes: counts,
            removed: removed.removed,
            kept: removed.games - removed.removed,
            changed: written.changed,
            shown: groups.shown,
            uncompared,
            files: written.files,
            shared: copies.map(|copies| SharedTags {
                added: copies.shared,
                unencodable: copies.unencodable,
                refused: copies.refused,
            }),
            complete: index.is_complete(),
        })
    }

    /// Returns the classes whose games are removed, in the order of all classes.
    pub fn removed_classes(&self) -> Vec<DuplicateClass> {
        let is_chosen = |class: &DuplicateClass| {
            self.rules.class.iter().any(|chosen| {
                *class
                    == match chosen {
                        RemovedClass::Exact => DuplicateClass::Exact,
                        RemovedClass::Prefix => DuplicateClass::Prefix,
                        RemovedClass::Near => DuplicateClass::Near,
                        RemovedClass::SamePosition => DuplicateClass::SamePosition,
                    }
            })
        };
        DuplicateClass::ALL.into_iter().filter(is_chosen).collect()
    }

    /// Returns everything that is read.
    fn all_inputs(&self) -> Vec<PathBuf> {
        self.inputs.paths.iter().chain(&self.rules.against).cloned().collect()
    }

    /// Checks that the files may be written.
    fn check_outputs(&self) -> Result<()> {
        let inputs = self.all_inputs();
        let overwriting = Overwriting { force: self.rules.force, inputs: &inputs };
        self.rules
            .output
            .iter()
            .chain(&self.rules.duplicates)
            .try_for_each(|path| overwriting.check(path))?;
        match (&self.rules.output, &self.rules.duplicates) {
            (Some(write), Some(duplicates)) if is_same_file(write, duplicates) => {
                let error = AppError::path(ErrorCode::Contradiction, duplicates, "is another output, too");
                Err(error.in_field("duplicates").cured_by("output", "names the same file"))
            }
            _ => Ok(()),
        }
    }

    /// Opens the index that the inputs are, or indexes the archives in a temporary folder. Returns `true` with it if the
    /// numbers of its games last.
    fn open(&self, context: &mut Context<'_>) -> Result<(SearchedIndex, bool)> {
        let paths = self.inputs.paths.as_slice();
        if let [dir] = paths
            && is_index(dir)
        {
            if self.inputs.read.encoding.is_some() {
                let message = "is an index, whose text was decoded when it was made";
                return Err(AppError::path(ErrorCode::Contradiction, dir, message).in_field("encoding"));
            }
            return Ok((SearchedIndex::open_folder(dir)?, true));
        }
        if let Some(dir) = paths.iter().find(|path| is_index(path)) {
            let message = "is an index: give either one index or archives";
            let error = AppError::path(ErrorCode::Contradiction, dir, message);
            return Err(error.cured_by("against", "compares archives with an index"));
        }
        let index = self.index_archives(needs_embedding(paths), context)?;
        // Of UTF-16 text, the archive does not have the bytes that the index counts.
        let lacks_text = index.inputs().iter().any(|input| input.path.is_none() || !input.has_file_offsets);
        let is_embedded = index.segments().iter().all(|segment| segment.has(Section::Text));
        if lacks_text && !is_embedded {
            return Ok((self.index_archives(true, context)?, false));
        }
        Ok((index, false))
    }

    fn index_archives(&self, embed: bool, context: &mut Context<'_>) -> Result<SearchedIndex> {
        let import = ImportOptions::new()
            .threads(self.inputs.threads)
            .open(self.inputs.open_options())
            .replay(self.inputs.read.replay())
            .embed(embed);
        searched::index_archives(&self.inputs.paths, &import, context)
    }
}

/// Returns `true` if some records cannot be read again from where they are.
fn needs_embedding(paths: &[PathBuf]) -> bool {
    let is_packed = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        ["gz", "zst", "bz2", "zip"].iter().any(|packed| extension.eq_ignore_ascii_case(packed))
    };
    source::walk(paths).flatten().any(|path| pdn::internal::source::is_stream(&path) || is_packed(&path))
}
