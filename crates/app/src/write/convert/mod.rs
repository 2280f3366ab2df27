//! Writes games of any archives as one clean archive, or several.
//!
//! Games are read, filtered and converted on many threads, and written in order. The files get their names when all games
//! are written.

mod file_name;
mod keys;
mod record;
mod split_folder;
mod split_files;
mod answer;
mod arrange;
mod outputs;
mod games;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::convert::RecordEdit;
use pdn::internal::replay::CandidateGame;
use pdn::write::Strip;
use pdn_index::NamesOfMap;
use pdn_names::NameMap;

pub use self::answer::{ConvertAnswer, LeftOutGames, WrittenFile};
pub use self::arrange::GameOrder;
pub use self::keys::SplitKey;
pub use self::outputs::GameSink;
pub use crate::ask::sort::{SortField, SortKey};

use self::arrange::CollectedGames;
use self::outputs::{GameFile, Outputs, RecordFile, RejectsFile, Written};
use self::record::Plan;
use self::split_files::SplitFiles;
use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::read::inputs::Inputs;
use crate::read::tables::{Source, SourceNeeds};
use crate::write::outputs::{Overwriting, is_same_file};
use crate::write::written_form::{AddedTag, WrittenForm};

/// Asks for games as one clean archive, or several.
#[derive(Clone, Debug)]
pub struct ConvertRequest {
    /// The archives, or one index.
    pub inputs: Inputs,
    /// The games that are written; the others are left out.
    pub filter: Filter,
    /// The variant of games that no tag names; `None` to infer it.
    pub untagged: Option<CandidateGame>,
    /// The file for the games, or the folder if they are divided; `None` passes them on.
    pub output: Option<PathBuf>,
    /// Files that exist may be replaced.
    pub force: bool,
    /// The file for games that cannot be written, as they are. A list with the extension `jsonl` next to it says where each was and why.
    pub rejects: Option<PathBuf>,
    /// The file for games that are left out, as they are.
    pub others: Option<PathBuf>,
    /// What divides the games between files; empty for one file.
    pub split: Vec<SplitKey>,
    /// How games are written.
    pub form: WrittenForm,
    /// Other names of players, events and sites.
    pub names: Option<NameMap>,
    /// The order.
    pub order: GameOrder,
    /// The largest number of games that are written.
    pub limit: Option<u64>,
    /// A number of games that are chosen at random, and the seed of the choice.
    pub sample: Option<(usize, u64)>,
    /// Bytes of memory for order and choice; games beyond them go to temporary files.
    pub memory: u64,
}

impl ConvertRequest {
    /// The default of [`memory`](Self::memory).
    pub const DEFAULT_MEMORY: u64 = 128 << 20;

    /// Asks for all games of archives in canonical form.
    pub fn new(inputs: Inputs) -> Self {
        Self {
            inputs,
            filter: Filter::default(),
            untagged: None,
            output: None,
            force: false,
            rejects: None,
            others: None,
            split: Vec::new(),
            form: WrittenForm::default(),
            names: None,
            order: GameOrder::Input,
            limit: None,
            sample: None,
            memory: Self::DEFAULT_MEMORY,
        }
    }

    /// Returns `true` if a file is written.
    pub fn has_files(&self) -> bool {
        self.output.is_some() || self.rejects.is_some() || self.others.is_some()
    }

    /// Writes the games. `sink` receives them if there is no file for them.
    ///
    /// # Errors
    ///
    /// If the request contradicts itself, a file may not be replaced or cannot be written, an index is damaged, or the work was
    /// stopped, also by the sink. Inputs that cannot be read are problems of the context.
    pub fn run(&self, sink: GameSink<'_>, context: &mut Context<'_>) -> Result<ConvertAnswer> {
        let plan = self.plan();
        let outputs = self.open_outputs(&plan, sink)?;
        outputs.announce(context);
        let written = self.write(&plan, outputs, context);
        context.events.settled();
        written.map_err(|error| match error == AppError::stopped() {
            true => AppError::plain(ErrorCode::Stopped, "stopped; no file was written"),
            false => error,
        })
    }

    fn write(
        &self,
        plan: &Plan,
        mut outputs: Outputs<'_>,
        context: &mut Context<'_>,
    ) -> Result<ConvertAnswer> {
        let query = self.filter.query();
        let adds_novelties = self.form.add.contains(&AddedTag::Novelty);
        if adds_novelties && plan.options.write.strip.contains(Strip::COMMENTS) {
            let message = "a novelty is a comment, and comments are left out";
            return Err(AppError::plain(ErrorCode::Contradiction, message).in_field("add"));
        }
        if self.form.variations_as_games && self.form.strip.contains(Strip::VARIATIONS) {
            let message = "variations that are left out cannot be games";
            return Err(AppError::plain(ErrorCode::Contradiction, message).in_field("variations_as_games"));
        }
        let needs = if adds_novelties { SourceNeeds::Index } else { SourceNeeds::OfQuery };
        let source = Source::open(&self.inputs, self.untagged, &self.filter, &query, needs, context)?;
        match &source {
            Source::Archives(_) => games::archives(&self.inputs, plan, &query, &mut outputs, context)?,
            Source::Index { index, .. } => {
                outputs.answer.complete = index.is_complete();
                let source = games::IndexSource {
                    index,
                    query: &query,
                    encoding: self.inputs.encoding,
                    untagged: self.untagged,
                    threads: self.inputs.threads,
                    adds_novelties,
                };
                source.convert(plan, &mut outputs, context)?;
            }
        }
        outputs.finish(context)
    }

    /// Returns how games are converted, and what is kept of each.
    fn plan(&self) -> Plan {
        let names = self.names.clone().map(|names| Arc::new(NamesOfMap(names)) as Arc<dyn RecordEdit>);
        let options = self.form.options(self.untagged).edit(names);
        Plan {
            options,
            sort: if let GameOrder::Keys(keys) = &self.order { keys.clone() } else { Vec::new() },
            split: self.split.clone(),
            keeps_rejected: self.rejects.is_some(),
            keeps_left_out: self.others.is_some(),
            may_leave_out: self.sample.is_some() || self.limit.is_some(),
        }
    }

    /// Checks that no two outputs are one file, and that those for records are files.
    fn check_outputs(&self) -> Result<()> {
        let list = self.rejects.as_deref().map(outputs::list_path);
        let files = [
            ("output", self.output.as_deref()),
            ("rejects", self.rejects.as_deref()),
            ("rejects", list.as_deref()),
            ("others", self.others.as_deref()),
        ];
        for (place, (field, path)) in files.into_iter().enumerate() {
            let Some(path) = path else { continue };
            if path == Path::new("-") {
                return Err(AppError::plain(ErrorCode::InvalidValue, "a file is needed").in_field(field));
            }
            let mut earlier = files[..place].iter();
            if let Some((other, _)) =
                earlier.find(|(_, other)| other.is_some_and(|other| is_same_file(other, path)))
            {
                let error = AppError::path(ErrorCode::Contradiction, path, "is another output, too");
                return Err(error.in_field(field).cured_by(other, "names the same file"));
            }
        }
        Ok(())
    }

    /// Creates all outputs, under temporary names.
    fn open_outputs<'a>(&'a self, plan: &Plan, sink: GameSink<'a>) -> Result<Outputs<'a>> {
        self.check_outputs()?;
        let overwriting = Overwriting { force: self.force, inputs: &self.inputs.paths };
        let written = match &self.output {
            None if !self.split.is_empty() => {
                let error = AppError::plain(ErrorCode::InvalidValue, "a folder is needed").in_field("split");
                return Err(error.cured_by("output", "names one"));
            }
            None => Written::One(Box::new(GameFile::sink(sink, plan.line_end()))),
            Some(path) if self.split.is_empty() => {
                Written::One(Box::new(GameFile::create(path, plan.line_end(), overwriting)?))
            }
            Some(dir) => Written::Split(Box::new(SplitFiles::create(dir, &self.split, plan.line_end())?)),
        };
        let record_file = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| RecordFile::create(path, overwriting)).transpose()
        };
        let collected = (self.order != GameOrder::Input || self.sample.is_some()).then(|| {
            let folder = match &written {
                Written::Split(files) => files.temporary().to_owned(),
                Written::One(_) => temporary_folder(self.output.as_deref()),
            };
            CollectedGames::new(folder, self.memory, self.order.clone(), self.sample)
        });
        Ok(Outputs {
            written,
            rejects: self
                .rejects
                .as_deref()
                .map(|path| RejectsFile::create(path, overwriting))
                .transpose()?,
            others: record_file(&self.others)?,
            collected,
            limit: self.limit.unwrap_or(u64::MAX),
            overwriting,
            answer: ConvertAnswer::default(),
            unreadable: BTreeMap::new(),
        })
    }
}

/// Returns the folder for temporary files: that of the output, where the result needs as much space anyway.
fn temporary_folder(output: Option<&Path>) -> PathBuf {
    match output {
        Some(path) if !pdn::internal::source::is_stream(path) => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        },
        _ => std::env::temp_dir(),
    }
}
