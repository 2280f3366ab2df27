//! Training sets: positions with the results of their games, for programs that learn to evaluate positions.

use std::ops::ControlFlow;
use std::path::PathBuf;

use pdn::error::ErrorKind;
use pdn::rules::Variant;
use pdn_tables::{
    ColumnSelection, DatasetConflict, DatasetDedup, DatasetFormat, DatasetOptions, DatasetSplit,
    DatasetSummary, DatasetWriter, ExportOptions,
};

use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::ask::named::{Named, named};
use crate::ask::numbers::count;
use crate::ask::options::{Share, options};
use crate::read::inputs::Inputs;
use crate::read::tables::{Source, SourceNeeds};
use crate::write::outputs::{NewFolder, empty_target, unwritable};

impl Named for DatasetFormat {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Text, "text", "A line for each position"),
        (Self::Bin, "bin", "Records of a fixed size"),
        (Self::Npy, "npy", "Arrays of NumPy"),
        (Self::Jnnw, "jnnw", "Records of 38 bytes: board, side to move, score, result"),
        (Self::Jnnt, "jnnt", "The same without the result"),
        (Self::BulletText, "bullet-text", "A line for each position: FEN | score | result"),
        (Self::BulletChess, "bullet-chess", "The `ChessBoard` of bulletformat: up to 32 pieces"),
        (Self::BulletAtaxx, "bullet-ataxx", "The `AtaxxBoard` of bulletformat"),
    ];
}

impl Named for DatasetDedup {
    const ALL: &'static [(Self, &'static str, &'static str)] =
        &[(Self::Mean, "mean", ""), (Self::First, "first", ""), (Self::None, "none", "")];
}

impl Named for DatasetSplit {
    const ALL: &'static [(Self, &'static str, &'static str)] =
        &[(Self::Game, "game", ""), (Self::Player, "player", "")];
}

named! {
    /// Where evaluations come from.
    pub enum EvalSource {
        /// Embedded commands such as `[%eval 0.35]`
        Tag = "tag",
        /// No evaluations
        None = "none",
    }
}

options! {
    /// Which positions are written, and how.
    pub struct DatasetRules in "" {
        /// Format of the files
        format: DatasetFormat = DatasetFormat::Text, value "FORMAT";
        /// Include positions in which the side to move has a capture
        captures: bool, flag "with_captures", alias "captures";
        /// Leave out the positions before this many plies
        skip_plies: u32 = 8, value "N";
        /// Leave out positions with fewer pieces
        min_pieces: u32, value "N";
        /// Keep at most this many positions of a game, chosen at random [default: all]
        max_per_game: Option<u32>, value "N";
        /// What becomes of equal positions: one with the mean of results and evaluations, the first, or all [default: mean for text, bin and npy,
        /// else none]
        dedup: Option<DatasetDedup>, value "HOW";
        /// Turn positions with Black to move around: the board rotated, the colours exchanged
        flip: bool;
        /// Where evaluations come from: embedded commands in comments, or none
        eval: EvalSource = EvalSource::None, value "FROM";
        /// Share of the games for training, from 0 to 1, or of the players; the others are for validation
        training_share: Share = Share(0.98), value "SHARE", alias "split";
        /// What is divided between training and validation: games, or players, with the games between players of both left out
        split_by: DatasetSplit = DatasetSplit::Game, value "WHAT";
        /// Seed of all random choices
        seed: u64, value "N";
        /// Number of files for each of training and validation
        shards: u32 = 1, value "N", range (1, DatasetOptions::MAX_SHARDS as u64);
    }
}

impl DatasetRules {
    /// Returns the options of the writer, for positions of a variant; `None` for that of the first game used.
    pub fn options(&self, variant: Option<Variant>) -> DatasetOptions {
        let mut options = DatasetOptions::new();
        options.variant = variant;
        options.format = self.format;
        options.captures = self.captures;
        options.skip_plies = self.skip_plies;
        options.min_pieces = self.min_pieces;
        options.max_per_game = self.max_per_game;
        options.dedup = self.dedup;
        options.flip = self.flip;
        options.eval = self.eval == EvalSource::Tag;
        options.split = self.training_share.0;
        options.split_by = self.split_by;
        options.seed = self.seed;
        options.shards = self.shards;
        options
    }
}

/// Asks for a training set.
#[derive(Clone, Debug)]
pub struct DatasetRequest {
    /// The archives, or an index.
    pub inputs: Inputs,
    /// The games, and the tables of endings whose values positions get. A variant is no filter here: games of others are counted; see
    /// [`DatasetOptions::variant`].
    pub filter: Filter,
    /// Which positions are written, and how.
    pub options: DatasetOptions,
    /// The folder; it must be empty or not exist.
    pub output: PathBuf,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct DatasetAnswer {
    /// The numbers of positions and games.
    pub summary: DatasetSummary,
    /// Whether all inputs could be read completely.
    pub is_complete: bool,
}

impl DatasetRequest {
    /// Writes the training set. Inputs that cannot be read are problems of the context, and records whose evaluations are left out are a
    /// note.
    ///
    /// # Errors
    ///
    /// If options contradict each other, the folder has files, a file cannot be read or written, the tables of endings are of other variants, or
    /// the work was stopped. Nothing is written then.
    pub fn run(&self, context: &mut Context<'_>) -> Result<DatasetAnswer> {
        let query = self.filter.games() & self.filter.positions();
        let mut options = self.options.clone();
        // Layouts of trainers have no place for values: there, tables are for the query.
        if options.format.holds_means() || !query.asks_tables() {
            options.tables = self.filter.ending_tables().cloned();
        }
        if let Some(DatasetConflict { option, message, .. }) = options.conflict(options.variant) {
            return Err(AppError::plain(ErrorCode::Contradiction, message).in_field(option));
        }
        let target = empty_target(&self.output)?;
        let cannot_write = |error: std::io::Error| unwritable(&self.output, &error);
        let folder = NewFolder::create_all(&target).map_err(cannot_write)?;
        context.events.temporary(folder.path());
        let mut writer = DatasetWriter::create(folder.path(), &options)?;
        // More records than a file of this format can count: the options are wrong, not the disk.
        let of_writer = |error: pdn::Error| match error.kind() {
            ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::InvalidInput => {
                AppError::plain(ErrorCode::InvalidValue, cause.to_string()).in_field("format")
            }
            _ => error.into(),
        };
        let source = Source::open(&self.inputs, &self.filter, &query, SourceNeeds::OfQuery, context)?;
        let replay = self.inputs.read.replay();
        let export = ExportOptions::new().replay(replay).query(query).dataset(options.clone());
        let passed = source.pass(
            &self.inputs,
            &ColumnSelection::of_dataset(&options),
            &export,
            &|batch| batch.dataset,
            &mut |games, _: &mut Context<'_>| {
                writer.add(&games).map_err(of_writer)?;
                Ok::<_, AppError>(ControlFlow::Continue(()))
            },
            context,
        );
        if context.stop.is_requested() {
            return Err(AppError::plain(ErrorCode::Stopped, "stopped; no file was written"));
        }
        let passed = passed?;
        let summary = writer.finish(self.inputs.threads).map_err(of_writer)?;
        summary.variant.map_or(Ok(()), |variant| self.filter.require_tables(variant))?;
        folder.finish().map_err(cannot_write)?;
        context.events.settled();
        if passed.incomplete > 0 {
            let records = count(passed.incomplete, "record");
            context.events.note(&format!("{records}: longer than 256 KiB; evaluations were left out"));
        }
        Ok(DatasetAnswer { summary, is_complete: passed.complete })
    }
}
