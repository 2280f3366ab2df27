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
use pdn::write::Strip;
use pdn_index::NamesOfMap;

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
use crate::ask::options::{Size, options};
use crate::read::inputs::Inputs;
use crate::read::tables::{Source, SourceNeeds};
use crate::write::name_map;
use crate::write::outputs::{Overwriting, is_same_file};
use crate::write::written_form::{AddedTag, WrittenForm};

options! {
    /// Where the games go.
    pub struct ConvertOutputs in "" {
        /// File for the games, or with {split} a folder; `-` for standard output [default: standard output]
        output: Option<PathBuf>, value "FILE", short "o";
        /// Replace output files that exist
        force: bool;
        /// File for games that cannot be written, as they are; FILE.jsonl next to it says where each was and why
        rejects: Option<PathBuf>, value "FILE";
        /// File for games that are left out by filters, {sample} and {limit}, as they are
        others: Option<PathBuf>, value "FILE";
        /// Write several files: event, year, variant, player, status, games:N or size:N; several of them, separated by
        /// commas, such as year,variant
        split: Vec<SplitKey>, value "KEYS", needs "output";
        /// Change players, events and sites to the names that this file lists, which `pdn names` wrote and you have read
        names: Option<PathBuf>, value "FILE", heading "Changes";
    }
}

options! {
    /// The order of the games, and the choice among them.
    pub struct ConvertOrder in "Order" {
        /// Order of the games: date, event, site, round, white, black, rating, plies, variant;
        /// several, separated by commas; `-` before a key reverses it
        sort: Vec<SortKey>, value "KEYS", excludes "shuffle", hyphens true;
        /// Random order, the same for the same seed
        shuffle: Option<u64>, value "SEED";
        /// Write at most this many games, the first ones of the order; 0 for no limit
        limit: u64, value "N";
        /// Write this many games, chosen at random
        sample: Option<usize>, value "N";
        /// Seed of the random choice of {sample}
        seed: u64 = 1, value "N", needs "sample";
        /// Memory for {sort}, {shuffle} and {sample}, such as 64M; games beyond it go to temporary files
        memory: Size = Size(128 << 20), value "SIZE";
    }
}

impl ConvertOrder {
    fn order(&self) -> GameOrder {
        match (self.shuffle, self.sort.is_empty()) {
            (Some(seed), _) => GameOrder::Random(seed),
            (None, false) => GameOrder::Keys(self.sort.clone()),
            (None, true) => GameOrder::Input,
        }
    }
}

/// Asks for games as one clean archive, or several.
#[derive(Clone, Debug)]
pub struct ConvertRequest {
    /// The archives, or one index.
    pub inputs: Inputs,
    /// The games that are written; the others are left out.
    pub filter: Filter,
    /// Where the games go; without an output, they are passed on.
    pub outputs: ConvertOutputs,
    /// How games are written.
    pub form: WrittenForm,
    /// The order, and the choice.
    pub order: ConvertOrder,
}

impl ConvertRequest {
    /// Asks for all games of archives in canonical form.
    pub fn new(inputs: Inputs) -> Self {
        Self {
            inputs,
            filter: Filter::default(),
            outputs: ConvertOutputs::default(),
            form: WrittenForm::default(),
            order: ConvertOrder::default(),
        }
    }

    /// Returns `true` if a file is written.
    pub fn has_files(&self) -> bool {
        self.outputs.output.is_some() || self.outputs.rejects.is_some() || self.outputs.others.is_some()
    }

    /// Writes the games. `sink` receives them if there is no file for them.
    ///
    /// # Errors
    ///
    /// If the request contradicts itself, a file may not be replaced or cannot be written, an index is damaged, or the work was
    /// stopped, also by the sink. Inputs that cannot be read are problems of the context.
    pub fn run(&self, sink: GameSink<'_>, context: &mut Context<'_>) -> Result<ConvertAnswer> {
        let plan = self.plan()?;
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
        let source = Source::open(&self.inputs, &self.filter, &query, needs, context)?;
        match &source {
            Source::Archives(_) => games::archives(&self.inputs, plan, &query, &mut outputs, context)?,
            Source::Index { index, .. } => {
                outputs.answer.complete = index.is_complete();
                let source = games::IndexSource {
                    index,
                    query: &query,
                    read: self.inputs.read,
                    threads: self.inputs.threads,
                    adds_novelties,
                };
                source.convert(plan, &mut outputs, context)?;
            }
        }
        outputs.finish(context)
    }

    /// Returns how games are converted, and what is kept of each. Reads the file of names.
    fn plan(&self) -> Result<Plan> {
        let names = self.outputs.names.as_deref().map(name_map::read).transpose()?;
        let names = names.map(|names| Arc::new(NamesOfMap(names)) as Arc<dyn RecordEdit>);
        let options = self.form.options(self.inputs.read.variant).edit(names);
        Ok(Plan {
            options,
            sort: if let GameOrder::Keys(keys) = self.order.order() { keys } else { Vec::new() },
            split: self.outputs.split.clone(),
            keeps_rejected: self.outputs.rejects.is_some(),
            keeps_left_out: self.outputs.others.is_some(),
            may_leave_out: self.order.sample.is_some() || self.order.limit > 0,
        })
    }

    /// Checks that no two outputs are one file, and that those for records are files.
    fn check_outputs(&self) -> Result<()> {
        let list = self.outputs.rejects.as_deref().map(outputs::list_path);
        let files = [
            ("output", self.outputs.output.as_deref()),
            ("rejects", self.outputs.rejects.as_deref()),
            ("rejects", list.as_deref()),
            ("others", self.outputs.others.as_deref()),
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
        let overwriting = Overwriting { force: self.outputs.force, inputs: &self.inputs.paths };
        let written = match &self.outputs.output {
            None if !self.outputs.split.is_empty() => {
                let error = AppError::plain(ErrorCode::InvalidValue, "a folder is needed").in_field("split");
                return Err(error.cured_by("output", "names one"));
            }
            None => Written::One(Box::new(GameFile::sink(sink, plan.line_end()))),
            Some(path) if self.outputs.split.is_empty() => {
                Written::One(Box::new(GameFile::create(path, plan.line_end(), overwriting)?))
            }
            Some(dir) => {
                Written::Split(Box::new(SplitFiles::create(dir, &self.outputs.split, plan.line_end())?))
            }
        };
        let record_file = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| RecordFile::create(path, overwriting)).transpose()
        };
        let ConvertOrder { limit, sample, seed, memory, .. } = self.order;
        let order = self.order.order();
        let collected = (order != GameOrder::Input || sample.is_some()).then(|| {
            let folder = match &written {
                Written::Split(files) => files.temporary().to_owned(),
                Written::One(_) => temporary_folder(self.outputs.output.as_deref()),
            };
            CollectedGames::new(folder, memory.0, order, sample.map(|size| (size, seed)))
        });
        Ok(Outputs {
            written,
            rejects: self
                .outputs
                .rejects
                .as_deref()
                .map(|path| RejectsFile::create(path, overwriting))
                .transpose()?,
            others: record_file(&self.outputs.others)?,
            collected,
            limit: if limit > 0 { limit } else { u64::MAX },
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
