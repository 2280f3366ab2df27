//! The stages: each reads the whole archive and says what it found in it.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use bumpalo::Bump;
use clap::ValueEnum;
use pdn::archive::{Archive, Batch};
use pdn::ast::TreeBuilder;
use pdn::parse::{Flow, TagPair, VariationAction, VariationMark, Visitor, WrittenMove};
use pdn::replay::{self, FilePrior, FilePriorPoll, Replayer};
use pdn::source::{self, Bytes, OpenOptions};
use pdn::{index, pool};

/// Bytes of a page at least, on the systems that we know.
const PAGE: usize = 4096;

/// What is measured. Every stage but those two that have no games in them has the splitting in its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Stage {
    /// Line ends counted with `memchr`: as fast as bytes can be looked at.
    Floor,
    /// The archive opened anew and every page of it touched; all other stages but the index work on what is mapped
    /// already.
    Source,
    /// Bytes to records.
    Split,
    /// All tags of all games.
    Tags,
    /// Every token of every game.
    Walk,
    /// A tree of every game.
    Tree,
    /// Every move played by the rules.
    Replay,
    /// An index on disk, from a path: opening and mapping are in it.
    Index,
}

impl Stage {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Source => "source",
            Self::Split => "split",
            Self::Tags => "tags",
            Self::Walk => "walk",
            Self::Tree => "tree",
            Self::Replay => "replay",
            Self::Index => "index",
        }
    }
}

/// What a stage saw; `None` for what it does not look at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts {
    pub(super) games: Option<u64>,
    /// Tags before the moves.
    pub(super) tags: Option<u64>,
    /// Moves of main lines as written.
    pub(super) moves: Option<u64>,
    /// Legal plies of main lines.
    pub(super) plies: Option<u64>,
}

impl Counts {
    fn add(&mut self, other: Self) {
        let sum = |mine: &mut Option<u64>, more: Option<u64>| {
            if let Some(more) = more {
                *mine = Some(mine.unwrap_or(0) + more);
            }
        };
        sum(&mut self.games, other.games);
        sum(&mut self.tags, other.tags);
        sum(&mut self.moves, other.moves);
        sum(&mut self.plies, other.plies);
    }

    /// What is counted, by name.
    pub(super) fn all(self) -> [(&'static str, Option<u64>); 4] {
        [("games", self.games), ("tags", self.tags), ("moves", self.moves), ("plies", self.plies)]
    }
}

/// An archive to be measured on.
pub(super) struct Bench {
    path: PathBuf,
    bytes: Bytes,
    open: OpenOptions,
    replay: replay::ReplayOptions,
}

impl Bench {
    pub(super) fn new(path: &Path, bytes: Bytes, open: OpenOptions) -> Self {
        let mut replay = replay::ReplayOptions::default();
        replay.prior = prior(&bytes, &replay);
        Self { path: path.to_owned(), bytes, open, replay }
    }

    /// Bytes of the archive.
    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Runs a stage over the whole archive.
    pub(super) fn run(&self, stage: Stage, threads: usize) -> pdn::Result<Counts> {
        match stage {
            Stage::Floor => Ok(floor(&self.bytes, threads)),
            Stage::Source => self.source(threads),
            Stage::Index => self.index(threads),
            _ => self.games(stage, threads),
        }
    }

    fn games(&self, stage: Stage, threads: usize) -> pdn::Result<Counts> {
        let batches = Archive::from_bytes(self.bytes.clone(), &self.path, &self.open)?.batches();
        let mut counts = Counts::default();
        let mut problem = None;
        let mut take = |seen: pdn::Result<Counts>| match seen {
            Ok(seen) => {
                counts.add(seen);
                ControlFlow::Continue(())
            }
            Err(error) => {
                problem = Some(error);
                ControlFlow::Break(())
            }
        };
        let work =
            |scratch: &mut Scratch, batch: pdn::Result<Batch>| batch.map(|batch| scratch.work(stage, &batch));
        match NonZeroUsize::new(threads).filter(|threads| threads.get() > 1) {
            Some(threads) => pool::ordered(batches, threads, || Scratch::new(&self.replay), work, take),
            None => {
                let mut scratch = Scratch::new(&self.replay);
                let _ = { batches }.try_for_each(|batch| take(work(&mut scratch, batch)));
            }
        }
        problem.map_or(Ok(counts), Err)
    }

    fn source(&self, threads: usize) -> pdn::Result<Counts> {
        for input in source::open(&self.path, &self.open)? {
            let (bytes, error) = input?.source.into_bytes();
            each_part(&bytes, threads, |part| part.iter().step_by(PAGE).map(|&byte| usize::from(byte)).sum());
            error.map_or(Ok(()), Err)?;
        }
        Ok(Counts::default())
    }

    fn index(&self, threads: usize) -> pdn::Result<Counts> {
        let place = tempfile::Builder::new().prefix("pdn-bench-").tempdir()?;
        let mut options = index::ImportOptions::default();
        options.threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        options.open = self.open;
        let built = index::import([&self.path], place.path(), &options)?;
        match built.failures.into_iter().next() {
            Some(failure) => Err(failure.error),
            None => Ok(Counts { games: Some(built.games), plies: Some(built.plies), ..Counts::default() }),
        }
    }
}

/// What the first games say of the rest, as every command asks it before it replays.
fn prior(bytes: &[u8], options: &replay::ReplayOptions) -> FilePrior {
    let mut builder = FilePriorPoll::new(options);
    let _ = pdn::split::games(bytes).all(|game| builder.add(game.bytes));
    builder.finish()
}

fn floor(bytes: &[u8], threads: usize) -> Counts {
    each_part(bytes, threads, |part| memchr::memchr_iter(b'\n', part).count())
}

/// Looks at the archive in as many parts as there are threads.
fn each_part(bytes: &[u8], threads: usize, look: impl Fn(&[u8]) -> usize + Copy + Send) -> Counts {
    let seen: usize = thread::scope(|scope| {
        let parts = bytes.chunks(bytes.len().div_ceil(threads).max(1));
        let looking: Vec<_> = parts.map(|part| scope.spawn(move || look(part))).collect();
        looking.into_iter().map(|part| part.join().unwrap_or(0)).sum()
    });
    // Used, or the compiler would leave it out.
    std::hint::black_box(seen);
    Counts::default()
}

/// The memory of a thread.
struct Scratch {
    builder: TreeBuilder,
    arena: Bump,
    replayer: Replayer,
}

impl Scratch {
    fn new(options: &replay::ReplayOptions) -> Self {
        Self { builder: TreeBuilder::new(), arena: Bump::new(), replayer: Replayer::new(options.clone()) }
    }

    fn work(&mut self, stage: Stage, batch: &Batch) -> Counts {
        let games = Some(batch.len() as u64);
        let views = batch.games();
        match stage {
            Stage::Tags => {
                let tags = views.map(|game| game.tags().count() as u64).sum();
                Counts { games, tags: Some(tags), ..Counts::default() }
            }
            Stage::Walk => {
                let mut seen = Seen::default();
                views.for_each(|game| game.walk(&mut seen));
                Counts { games, tags: Some(seen.tags), moves: Some(seen.moves), plies: None }
            }
            Stage::Tree => {
                let mut moves = 0;
                for game in views {
                    self.arena.reset();
                    moves += self.builder.build(game.raw(), &self.arena).moves().count() as u64;
                }
                Counts { games, moves: Some(moves), ..Counts::default() }
            }
            Stage::Replay => {
                let plies =
                    views.map(|game| u64::from(self.replayer.replay(game.raw(), &mut ()).plies)).sum();
                Counts { games, plies: Some(plies), ..Counts::default() }
            }
            Stage::Floor | Stage::Source | Stage::Split | Stage::Index => {
                Counts { games, ..Counts::default() }
            }
        }
    }
}

/// Hears of everything and counts tags and the moves of main lines.
#[derive(Default)]
struct Seen {
    tags: u64,
    moves: u64,
    depth: u32,
}

impl<'g> Visitor<'g> for Seen {
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
