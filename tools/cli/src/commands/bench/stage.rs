//! The stages: each reads the whole archive and counts what it visits.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use pdn::archive::{Archive, Batch};
use pdn::ast::{Arena, TreeBuilder};
use pdn::internal::pool;
use pdn::internal::replay::FilePrior;
use pdn::parse::{Flow, TagPair, VariationAction, VariationMark, Visitor, WrittenMove};
use pdn::replay;
use pdn::replay::Replayer;
use pdn::source::{Bytes, OpenOptions};
use pdn::write::{RecordWriter, WriteOptions};
use pdn_app::ask::context::Context;
use pdn_app::ask::error::{AppError, Result};
use pdn_app::ask::named::named;
use pdn_index::internal::TemporaryIndex;

named! {
    /// A measured stage. The time of every stage that visits games includes splitting.
    pub enum Stage {
        /// Line feeds counted with `memchr`: the lower bound for reading the bytes once
        Floor = "floor",
        /// The archive opened again and every page touched; the other stages except `index` use an existing mapping
        Source = "source",
        /// Bytes to records
        Split = "split",
        /// All tags of all games
        Tags = "tags",
        /// Every token of every game
        Walk = "walk",
        /// A syntax tree of every game
        Tree = "tree",
        /// Every move played by the rules
        Replay = "replay",
        /// The archive opened and mapped, and every move played: what `index` does besides writing
        File = "file",
        /// Every game rewritten in canonical form, in memory; games that cannot be rewritten are counted too
        Write = "write",
        /// An index written to disk, as `pdn index` does: the archive is opened, mapped and replayed, and the index is written and synced
        Index = "index",
    }
}

/// Smallest size of a memory page in bytes, so that a step of this size touches every page.
const PAGE_BYTES: usize = 4096;

/// The counts of a stage; `None` for what it does not visit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct StageCounts {
    pub(super) games: Option<u64>,
    /// Tags of tag sections.
    pub(super) tags: Option<u64>,
    /// Written moves of main lines.
    pub(super) moves: Option<u64>,
    /// Legal plies of main lines.
    pub(super) plies: Option<u64>,
}

impl StageCounts {
    /// Adds the counts of another batch.
    fn add(&mut self, other: Self) {
        let sum = |total: &mut Option<u64>, count: Option<u64>| {
            if let Some(count) = count {
                *total = Some(total.unwrap_or(0) + count);
            }
        };
        sum(&mut self.games, other.games);
        sum(&mut self.tags, other.tags);
        sum(&mut self.moves, other.moves);
        sum(&mut self.plies, other.plies);
    }

    /// Returns all counts with their names.
    pub(super) fn all(self) -> [(&'static str, Option<u64>); 4] {
        [("games", self.games), ("tags", self.tags), ("moves", self.moves), ("plies", self.plies)]
    }
}

/// Runs stages on one archive.
pub(super) struct StageRunner {
    path: PathBuf,
    bytes: Bytes,
    open: OpenOptions,
    replay: replay::ReplayOptions,
}

impl StageRunner {
    /// Creates a runner for the file `path` with contents `bytes`.
    pub(super) fn new(path: &Path, bytes: Bytes, open: OpenOptions) -> Self {
        let mut replay = replay::ReplayOptions::default();
        // Outside of the measured time.
        replay.prior = FilePrior::of(pdn::split::records(&bytes).map(|game| game.bytes), &replay);
        Self { path: path.to_owned(), bytes, open, replay }
    }

    /// Returns the size of the archive in bytes.
    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Runs a stage over the whole archive. Returns what it counted, and the time in which only one thread could work; 0 if any number
    /// of threads shares all its work.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read, an index of it cannot be written, or the work was stopped.
    pub(super) fn run(
        &self,
        stage: Stage,
        threads: usize,
        context: &mut Context<'_>,
    ) -> Result<(StageCounts, Duration)> {
        let counts = match stage {
            Stage::Floor => floor(&self.bytes, threads),
            Stage::Source => self.source(threads)?,
            Stage::Index => return self.index(threads, context),
            Stage::File => {
                let archive = Archive::open_with(&self.path, &self.open)?;
                self.games(stage, archive, threads, context)?
            }
            _ => {
                let archive = Archive::from_bytes(self.bytes.clone(), &self.path, &self.open)?;
                self.games(stage, archive, threads, context)?
            }
        };
        Ok((counts, Duration::ZERO))
    }

    /// Runs a stage that visits games.
    fn games(
        &self,
        stage: Stage,
        archive: Archive,
        threads: usize,
        context: &Context<'_>,
    ) -> Result<StageCounts> {
        let batches = archive.batches();
        let mut counts = StageCounts::default();
        let mut first_error = None;
        let mut consume =
            |result: pdn::Result<StageCounts>| match context.check().and(result.map_err(AppError::from)) {
                Ok(batch_counts) => {
                    counts.add(batch_counts);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    first_error = Some(error);
                    ControlFlow::Break(())
                }
            };
        let work =
            |scratch: &mut Scratch, batch: pdn::Result<Batch>| batch.map(|batch| scratch.work(stage, &batch));
        match NonZeroUsize::new(threads).filter(|threads| threads.get() > 1) {
            Some(threads) => pool::ordered(batches, threads, || Scratch::new(&self.replay), work, consume),
            None => {
                let mut scratch = Scratch::new(&self.replay);
                let _ = { batches }.try_for_each(|batch| consume(work(&mut scratch, batch)));
            }
        }
        first_error.map_or(Ok(counts), Err)
    }

    /// Runs stage `source`.
    fn source(&self, threads: usize) -> Result<StageCounts> {
        for input in pdn::internal::source::open(&self.path, &self.open)? {
            let (bytes, error) = input?.source.into_bytes();
            visit_parts(&bytes, threads, |part| {
                part.iter().step_by(PAGE_BYTES).map(|&byte| usize::from(byte)).sum()
            });
            error.map_or(Ok(()), Err)?;
        }
        Ok(StageCounts::default())
    }

    /// Runs stage `index`.
    fn index(&self, threads: usize, context: &mut Context<'_>) -> Result<(StageCounts, Duration)> {
        let mut options = pdn_index::ImportOptions::default();
        options.threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        options.open = self.open;
        context.events.unsettled();
        let built = TemporaryIndex::build(|dir| {
            context.events.temporary(dir);
            pdn_index::import_with([&self.path], dir, &options, |_| {
                if context.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        context.check()?;
        let (_, summary) = built?;
        context.events.settled();
        match summary.failures.into_iter().next() {
            Some(failure) => Err(failure.error.into()),
            None => {
                let (games, plies) = (Some(summary.games), Some(summary.plies));
                Ok((StageCounts { games, plies, ..StageCounts::default() }, summary.one_thread))
            }
        }
    }
}

/// Runs stage `floor`.
fn floor(bytes: &[u8], threads: usize) -> StageCounts {
    visit_parts(bytes, threads, |part| memchr::memchr_iter(b'\n', part).count())
}

/// Calls `visit` on equal parts of the archive, one per thread, and discards the sum of its results.
fn visit_parts(bytes: &[u8], threads: usize, visit: impl Fn(&[u8]) -> usize + Copy + Send) -> StageCounts {
    let sum: usize = thread::scope(|scope| {
        let parts = bytes.chunks(bytes.len().div_ceil(threads).max(1));
        let visits: Vec<_> = parts.map(|part| scope.spawn(move || visit(part))).collect();
        visits.into_iter().map(|visit| visit.join().unwrap_or(0)).sum()
    });
    // Without a use of the sum, the compiler would remove the visits.
    std::hint::black_box(sum);
    StageCounts::default()
}

/// The memory that one thread keeps from batch to batch.
struct Scratch {
    builder: TreeBuilder,
    arena: Arena,
    replayer: Replayer,
    writer: RecordWriter,
    /// The text of the records of one batch.
    written: Vec<u8>,
}

impl Scratch {
    fn new(options: &replay::ReplayOptions) -> Self {
        Self {
            builder: TreeBuilder::new(),
            arena: Arena::new(),
            replayer: Replayer::new(options),
            writer: RecordWriter::with_replay(&WriteOptions::new(), options),
            written: Vec::new(),
        }
    }

    /// Runs a stage on a batch.
    fn work(&mut self, stage: Stage, batch: &Batch) -> StageCounts {
        let games = Some(batch.len() as u64);
        let views = batch.games().map(|game| game.view());
        match stage {
            Stage::Tags => {
                let tags = views.map(|game| game.section_tags().count() as u64).sum();
                StageCounts { games, tags: Some(tags), ..StageCounts::default() }
            }
            Stage::Walk => {
                let mut counter = PartCounter::default();
                views.for_each(|game| game.walk(&mut counter));
                StageCounts { games, tags: Some(counter.tags), moves: Some(counter.moves), plies: None }
            }
            Stage::Tree => {
                let mut moves = 0;
                for game in views {
                    self.arena.reset();
                    moves += self.builder.build(game.raw(), &self.arena).moves().count() as u64;
                }
                StageCounts { games, moves: Some(moves), ..StageCounts::default() }
            }
            Stage::Replay | Stage::File => {
                let plies = views.map(|game| u64::from(self.replayer.summary(game.raw()).plies)).sum();
                StageCounts { games, plies: Some(plies), ..StageCounts::default() }
            }
            Stage::Write => {
                self.written.clear();
                for game in views {
                    // A record that cannot be rewritten has been read and replayed as far as possible.
                    let _ = self.writer.write(game.raw(), &mut self.written);
                }
                std::hint::black_box(&self.written);
                StageCounts { games, ..StageCounts::default() }
            }
            Stage::Floor | Stage::Source | Stage::Split | Stage::Index => {
                StageCounts { games, ..StageCounts::default() }
            }
        }
    }
}

/// Visits all parts of a record and counts tags and the moves of main lines.
#[derive(Default)]
struct PartCounter {
    tags: u64,
    moves: u64,
    depth: u32,
}

impl<'g> Visitor<'g> for PartCounter {
    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags += u64::from(!tag.in_moves);
        Flow::Continue(())
    }

    #[inline]
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.moves += u64::from(self.depth == 0);
        Flow::Continue(())
    }

    #[inline]
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.depth += 1;
        VariationAction::Enter
    }

    #[inline]
    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.depth = self.depth.saturating_sub(1);
        Flow::Continue(())
    }
}
