//! Reads and converts the games of archives or of an index, on many threads.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use pdn::Error;
use pdn::archive::Batch;
use pdn::internal::pool;
use pdn::internal::replay::CandidateGame;
use pdn::replay::VariantBasis;
use pdn::source::Decoder;
use pdn::view::RecordView;
use pdn_index::Index;
use pdn_index::internal::{GameSet, TextReader};
use pdn_index::query::{Query, Search};
use pdn_tables::RecordFilter;

use super::keys::NoveltyComments;
use super::outputs::Outputs;
use super::record::{ConvertedBatch, Plan, RecordConverter, RecordPlace};
use crate::ask::context::Context;
use crate::ask::error::{AppError, Result};
use crate::read::inputs::{self, BatchConsumer, BatchWork, Inputs, ReadOptions};

/// Number of games of an index that a thread converts at a time.
const INDEX_GAMES: usize = 512;

/// Converts the games of files, folders and streams that a query accepts. It must be one about games as a whole.
pub(super) fn archives(
    inputs: &Inputs,
    plan: &Plan,
    query: &Query,
    outputs: &mut Outputs<'_>,
    context: &mut Context<'_>,
) -> Result<()> {
    let work = ArchiveWork { plan, query, stop: context.stop.clone() };
    let complete = inputs::process(inputs, None, &work, &mut ArchiveConsumer { outputs }, context)?;
    outputs.answer.complete = complete;
    Ok(())
}

/// Converts the records of a batch, on many threads.
struct ArchiveWork<'a> {
    plan: &'a Plan,
    query: &'a Query,
    stop: pdn::stop::Stop,
}

/// The state of a thread.
struct ArchiveScratch<'a> {
    filter: RecordFilter,
    converter: RecordConverter<'a>,
}

impl<'a> BatchWork for ArchiveWork<'a> {
    type Scratch = ArchiveScratch<'a>;
    type Product = ConvertedBatch;

    fn scratch(&self) -> ArchiveScratch<'a> {
        ArchiveScratch {
            filter: RecordFilter::new(self.query.clone(), self.plan.options.replay.clone()),
            converter: RecordConverter::new(self.plan),
        }
    }

    fn work(&self, scratch: &mut ArchiveScratch<'a>, batch: &Batch) -> ConvertedBatch {
        let ArchiveScratch { filter, converter } = scratch;
        let mut converted = ConvertedBatch::default();
        // Canonical text is about as long as any other.
        converted.text.reserve(batch.bytes().len() + batch.bytes().len() / 8);
        converted.games.reserve_exact(batch.len());
        let decoder = batch.decoder();
        for game in batch.games() {
            // What is converted after a request to stop is not used.
            if self.stop.is_requested() {
                break;
            }
            if filter.matches(game, decoder) {
                let place =
                    RecordPlace { file: batch.name(), record: Some(game.number()), offset: game.offset() };
                converter.convert(game, place, decoder, &mut converted);
            } else {
                converter.leave_out(game.view(), &mut converted);
            }
        }
        converted
    }
}

/// Passes the games on in the order of the archives.
struct ArchiveConsumer<'a, 'o> {
    outputs: &'a mut Outputs<'o>,
}

impl BatchConsumer<ConvertedBatch> for ArchiveConsumer<'_, '_> {
    type Error = AppError;

    fn batch(
        &mut self,
        _: &Batch,
        converted: ConvertedBatch,
        _: &mut Context<'_>,
    ) -> Result<ControlFlow<()>> {
        self.outputs.take(&converted)
    }
}

/// An index whose games are converted.
pub(super) struct IndexSource<'a> {
    pub(super) index: &'a Index,
    pub(super) query: &'a Query,
    /// How records are read; without a variant, by the rules that were found when the index was made.
    pub(super) read: ReadOptions,
    pub(super) threads: NonZeroUsize,
    /// Games receive a comment at the move with which they leave all earlier games of the index.
    pub(super) adds_novelties: bool,
}

/// A part of a job: a segment and games in it.
type Job = (usize, Range<usize>);

impl<'a> IndexSource<'a> {
    /// Converts the games of the index that the query accepts.
    pub(super) fn convert(
        &self,
        plan: &Plan,
        outputs: &mut Outputs<'_>,
        context: &mut Context<'_>,
    ) -> Result<()> {
        let (index, threads) = (self.index, self.threads);
        let is_filtered = !matches!(self.query, Query::And(parts) if parts.is_empty());
        let live: Vec<GameSet> =
            (0..index.segments().len()).map(|segment| index.live_games(segment)).collect();
        let found = match is_filtered {
            true => Some(Search::new(index, self.query, threads)?.stop(&context.stop).games()?.0),
            false => None,
        };
        let novelties = match self.adds_novelties {
            true => Some(NoveltyComments::new(index, threads, &context.stop)?),
            false => None,
        };
        let games = GameChoice { live: &live, found: found.as_deref() };
        let jobs = index.segments().iter().enumerate().flat_map(|(number, segment)| {
            let games = segment.len();
            (0..games)
                .step_by(INDEX_GAMES)
                .map(move |start| (number, start..(start + INDEX_GAMES).min(games)))
        });
        let (total, mut done) = (index.len(), 0);
        let mut outcome = Ok(ControlFlow::Continue(()));
        let mut take = |games: u64, result: pdn::Result<(ConvertedBatch, Unreadable)>| {
            context.check()?;
            done += games;
            context.events.steps(done, total);
            let (converted, unreadable) = result?;
            for (path, error) in unreadable {
                outputs.unreadable(error, path);
            }
            outputs.take(&converted)
        };
        pool::ordered(
            jobs,
            threads,
            || IndexWorker::new(self, plan, novelties.as_ref()),
            |worker, job: Job| (job.1.len() as u64, worker.convert(games, job)),
            |(games, result)| {
                outcome = take(games, result);
                outcome.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
            },
        );
        context.events.end();
        outcome.map(|_| ())
    }

    fn decoder(&self, input: u32) -> Decoder {
        self.index.decoder(input).with_forced(self.read.encoding)
    }
}

/// The games of an index, and those that the query accepts, as a set for each segment.
#[derive(Clone, Copy)]
struct GameChoice<'a> {
    live: &'a [GameSet],
    /// `None` for all.
    found: Option<&'a [GameSet]>,
}

impl GameChoice<'_> {
    fn is_live(&self, segment: usize, game: usize) -> bool {
        self.live.get(segment).is_some_and(|games| games.contains(game as u32))
    }

    fn is_found(&self, segment: usize, game: usize) -> bool {
        self.found.is_none_or(|sets| sets.get(segment).is_some_and(|games| games.contains(game as u32)))
    }
}

/// Reads and converts games of an index on one thread.
struct IndexWorker<'s, 'a, 'p> {
    source: &'s IndexSource<'a>,
    plan: &'p Plan,
    reader: TextReader<'a>,
    converter: RecordConverter<'p>,
    novelties: Option<&'p NoveltyComments<'a>>,
}

/// Archives whose games cannot be read, with the error of each game.
type Unreadable = Vec<(PathBuf, Error)>;

impl<'s, 'a, 'p> IndexWorker<'s, 'a, 'p> {
    fn new(source: &'s IndexSource<'a>, plan: &'p Plan, novelties: Option<&'p NoveltyComments<'a>>) -> Self {
        let reader = TextReader::new(source.index);
        Self { source, plan, reader, converter: RecordConverter::new(plan), novelties }
    }

    fn convert(
        &mut self,
        choice: GameChoice<'_>,
        (segment, games): Job,
    ) -> pdn::Result<(ConvertedBatch, Unreadable)> {
        let index = self.source.index;
        let (mut converted, mut unreadable) = (ConvertedBatch::default(), Vec::new());
        let first = index.first_game(segment).unwrap_or(0);
        for local in games.filter(|&local| choice.is_live(segment, local)) {
            let is_found = choice.is_found(segment, local);
            if !is_found && !self.plan.keeps_left_out {
                self.converter.leave_out(RecordView::new(b""), &mut converted);
                continue;
            }
            let number = first + local as u64;
            let Some(game) = index.game(number) else { continue };
            let (kind, location) = (game.kind()?, game.location()?);
            let text = match self.reader.text(number) {
                Ok(text) => text,
                Err(error) => {
                    let path = index.inputs().get(location.input as usize);
                    let path = path.map_or(index.dir(), |input| input.name.as_path()).to_owned();
                    unreadable.push((path, error));
                    continue;
                }
            };
            let view = RecordView::new(text);
            if is_found {
                // The variant that was inferred from the whole file when it was indexed.
                let known = CandidateGame { variant: kind.variant, numbering: kind.numbering };
                let is_known = !matches!(kind.basis, VariantBasis::Tag | VariantBasis::Guess);
                self.converter.set_game(self.source.read.variant.or(is_known.then_some(known)));
                if let Some(novelties) = self.novelties {
                    self.converter.set_comment(novelties.of(number)?);
                }
                let decoder = self.source.decoder(location.input);
                let input = index.inputs().get(location.input as usize);
                let file = input.map_or(index.dir(), |input| input.name.as_path());
                let place = RecordPlace { file, record: None, offset: location.offset };
                self.converter.convert(view, place, &decoder, &mut converted);
            } else {
                self.converter.leave_out(view, &mut converted);
            }
        }
        Ok((converted, unreadable))
    }
}
