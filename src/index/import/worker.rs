//! What a worker does: replays the games of a batch and makes rows of them.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::feed::{GamesJob, Job};
use super::options::ImportOptions;
use super::pack_sink::{PackSink, PackTables};
use super::reject_line::{RejectedRecord, stored_prefix};
use super::tags::{IndexedTags, TagAliases, TagCollector, TagValue};
use crate::error::Error;
use crate::index::format::interner::Interner;
use crate::index::format::text_words::TextWords;
use crate::index::row::game_row::{GameKind, GameRow, PackedPieceCounts, date_bits};
use crate::index::row::row_batch::{RowBatch, TEXT_DICTIONARIES};
use crate::limits::Limits;
use crate::parse::{unescape, walk_with};
use crate::replay::{GameStatus, ReplaySummary, Replayer};
use crate::source::Encoding;
use crate::value::{self, Date, Rating};
use crate::view;

/// What has become of a job.
pub(super) enum JobResult {
    /// Games, in order.
    Games(Box<ReplayedGames>),
    /// A file that the index knows as it is.
    Unchanged,
    /// A file without a byte.
    Empty,
    /// A file, or the rest of one, that cannot be read or is no text.
    Failed(PathBuf, Error),
}

/// Games that have been replayed.
pub(super) struct ReplayedGames {
    pub(super) games: GamesJob,
    pub(super) rows: RowBatch,
    pub(super) rejects: Vec<RejectedRecord>,
    /// Line ends in the text.
    pub(super) lines: u64,
    pub(super) plies: u64,
    pub(super) statuses: [u64; GameStatus::ALL.len()],
}

/// A worker's memory.
pub(super) struct Worker {
    replayer: Replayer,
    packer: PackTables,
    aliases: TagAliases,
    limits: Limits,
    /// Which prior the replayer has.
    prior: usize,
    pool: RowPool,
}

/// Memory of rows that have been taken in, for the next ones.
#[derive(Clone, Default)]
pub(super) struct RowPool(Arc<Mutex<Vec<RowBatch>>>);

impl RowPool {
    fn take(&self) -> RowBatch {
        // A poisoned lock holds nothing worse than fewer rows.
        self.0.lock().ok().and_then(|mut rows| rows.pop()).unwrap_or_default()
    }

    /// Takes rows back.
    pub(super) fn put(&self, mut rows: RowBatch) {
        rows.clear();
        if let Ok(mut spare) = self.0.lock() {
            spare.push(rows);
        }
    }
}

impl Worker {
    pub(super) fn new(options: &ImportOptions, pool: RowPool) -> Self {
        let replayer = Replayer::new(options.replay.clone());
        Self {
            pool,
            replayer,
            packer: PackTables::new(),
            aliases: TagAliases::default(),
            limits: options.replay.limits,
            prior: 0,
        }
    }

    pub(super) fn work(&mut self, job: Job) -> JobResult {
        let games = match job {
            Job::Games(games) => *games,
            Job::Unchanged => return JobResult::Unchanged,
            Job::Empty => return JobResult::Empty,
            Job::Failed(name, error) => return JobResult::Failed(name, error),
        };
        if self.prior != games.prior.number {
            self.prior = games.prior.number;
            self.replayer.set_prior(games.prior.prior.clone());
        }
        let mut done = ReplayedGames {
            rows: self.pool.take(),
            rejects: Vec::new(),
            lines: memchr::memchr_iter(b'\n', games.batch.bytes()).count() as u64,
            plies: 0,
            statuses: [0; GameStatus::ALL.len()],
            games,
        };
        let ReplayedGames { games, rows, rejects, plies, statuses, .. } = &mut done;
        let mut known = ValueCache::default();
        for (index, game) in games.batch.games().enumerate() {
            let summary = self.game(&game, games, rows, &mut known);
            *plies += u64::from(summary.plies);
            statuses[summary.status as usize] += 1;
            if !matches!(summary.status, GameStatus::Legal | GameStatus::Empty) {
                rejects.push(rejected_record(index as u64, &game, games, &summary));
            }
        }
        JobResult::Games(Box::new(done))
    }

    /// Replays a game and adds its row.
    #[inline]
    fn game<'g>(
        &mut self,
        game: &view::GameView<'g>,
        games: &GamesJob,
        rows: &mut RowBatch,
        known: &mut ValueCache<'g>,
    ) -> ReplaySummary {
        let record = game.raw();
        self.replayer.clear();
        let mut ear = TagCollector {
            replayer: &mut self.replayer,
            aliases: &mut self.aliases,
            tags: IndexedTags::default(),
        };
        // Neither breaks off.
        let _ = walk_with(record, &self.limits, &mut ear);
        let tags = ear.tags;
        let moves = rows.moves();
        let from = moves.len();
        let mut packing = PackSink { packer: &mut self.packer, moves, from, begun: false, set_up: false };
        let summary = self.replayer.finish(record, &mut packing);
        packing.finish(&summary);
        let set_up = packing.set_up;
        let usual = self.packer.start_counts().filter(|_| !set_up);
        let first = usual.unwrap_or_else(|| PackedPieceCounts::from(summary.start_counts()));
        let encoding = OnceCell::new();
        let encoding = || *encoding.get_or_init(|| games.batch.decoder().guess(record).encoding);
        let result = tags.result.unwrap_or_else(|| summary.terminator.map_or(b"", |end| end.span.of(record)));
        let [white, black, event, site, round] = tags.texts;
        let mut numbers = [0; 6];
        for (slot, value) in [white, black, event, site, round, result].into_iter().enumerate() {
            numbers[slot] = known.text(slot, value, &mut rows.interners, encoding);
        }
        let row = GameRow {
            white: "",
            black: "",
            event: "",
            site: "",
            round: "",
            result: "",
            date: Date::UNKNOWN,
            ratings: tags
                .ratings
                .map(|rating| Rating::parse(rating).ok().flatten().map_or(0, |rating| rating.value)),
            status: summary.status,
            outcome: summary.outcome(),
            from_fen: set_up,
            has_setups: summary.has_setups,
            kind: GameKind { variant: summary.variant, numbering: summary.numbering, basis: summary.basis },
            plies: summary.plies,
            first,
            last: PackedPieceCounts::from(summary.last_counts()),
        };
        rows.push_interned(&row, numbers, known.date(tags.date), record);
        summary
    }
}

/// The values of the game before, as written, and what they are: games of an event stand together.
#[derive(Default)]
struct ValueCache<'g> {
    texts: [Option<(TagValue<'g>, u32)>; 6],
    date: Option<(TagValue<'g>, u32)>,
}

impl<'g> ValueCache<'g> {
    /// The number of a value as text. Which encoding the record has is asked only where it matters.
    #[inline]
    fn text(
        &mut self,
        slot: usize,
        value: TagValue<'g>,
        names: &mut [Interner; 5],
        encoding: impl Fn() -> Encoding,
    ) -> u32 {
        if let Some((before, number)) = self.texts[slot]
            && before == value
        {
            return number;
        }
        let names = &mut names[TEXT_DICTIONARIES[slot] as usize];
        let trimmed = value.trim_ascii();
        let words = TextWords::of(trimmed);
        if !words.needs_decoding(trimmed)
            && let Some(number) = names.intern_bytes(&words, trimmed)
        {
            self.texts[slot] = Some((value, number));
            return number;
        }
        // What other bytes mean may differ from game to game.
        self.texts[slot] = None;
        let encoding = encoding();
        let ascii = |end: Option<&u8>| end.is_some_and(u8::is_ascii);
        let plain = encoding == Encoding::UTF_8
            && ascii(trimmed.first())
            && ascii(trimmed.last())
            && memchr::memchr2(b'\\', b'&', trimmed).is_none();
        // As it stands, if it is what the encoding says.
        if plain && let Some(number) = names.intern_bytes(&words, trimmed) {
            return number;
        }
        names.intern(&decode_value(trimmed, encoding))
    }

    /// A date as the column has it.
    #[inline]
    fn date(&mut self, value: TagValue<'g>) -> u32 {
        match self.date {
            Some((before, bits)) if before == value => bits,
            _ => {
                let bits = date_bits(Date::parse(value).map_or(Date::UNKNOWN, |read| read.date));
                self.date = Some((value, bits));
                bits
            }
        }
    }
}

#[cold]
fn rejected_record(
    index: u64,
    game: &view::GameView<'_>,
    games: &GamesJob,
    summary: &ReplaySummary,
) -> RejectedRecord {
    let record = game.raw();
    let place = summary.stop.map_or(0, |stop| stop.span.start as usize).min(record.len());
    let start = (game.offset() - games.batch.offset()) as usize;
    let before = &games.batch.bytes()[..start + place];
    let beginning = stored_prefix(record);
    RejectedRecord {
        game: index,
        line: memchr::memchr_iter(b'\n', before).count() as u64,
        offset: game.offset() + place as u64,
        code: summary.stop.map_or("", |stop| stop.reason.code().id()),
        status: summary.status,
        ply: summary.stop.map_or(summary.plies, |stop| stop.ply) + 1,
        reason: summary.stop.map_or("", |stop| stop.reason.text()),
        text: games.batch.decoder().text(record, beginning).into_owned(),
        omitted: record.len() - beginning.len(),
    }
}

/// A value as text: without escapes, entities, and blanks around it.
#[cold]
fn decode_value(value: &[u8], encoding: Encoding) -> String {
    let plain = unescape(value);
    value::decode_entities(&encoding.decode(&plain)).trim().to_owned()
}
