//! The work of one thread: replays the games of a batch and makes rows of them.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex};

use super::collector::RecordCollector;
use super::feed::{FailedInput, GamesJob, Job};
use super::lines::{LineImport, LineMemory};
use super::options::ImportOptions;
use super::pack_sink::{PackSink, PackTables, PackedLine};
use super::reject_line::{RejectedRecord, stored_prefix};
use crate::format::columns::{DictionaryKind, TextColumn};
use crate::format::interner::{Interner, TextWords, is_same_text};
use crate::row::game_facts::FactCounter;
use crate::row::game_row::{GameKind, GameRow, PackedPieceCounts};
use crate::row::row_batch::RowBatch;
use pdn::archive::GameRef;
use pdn::internal::source::count_line_ends;
use pdn::internal::view::TagValues;
use pdn::parse::{unescape, walk_with};
use pdn::replay::{GameStatus, ReplaySummary, Replayer};
use pdn::source::Encoding;
use pdn::value;
use pdn::value::{Date, DateOrders, TagName};
use pdn::view::RecordView;

/// The result of a job.
pub(super) enum JobResult {
    /// Replayed games in order.
    Games(Box<ReplayedGames>),
    /// An unchanged file of the index.
    Unchanged,
    /// An empty file.
    Empty(Vec<u32>),
    /// A file, or the rest of one, that cannot be read or is not text.
    Failed(FailedInput),
}

/// The replayed games of a batch.
pub(super) struct ReplayedGames {
    pub(super) games: GamesJob,
    pub(super) rows: RowBatch,
    pub(super) rejects: Vec<RejectedRecord>,
    /// Number of line ends in the text of the batch; `None` if nobody has counted them: no record was rejected, and the input stays in
    /// memory.
    pub(super) lines: Option<u64>,
    pub(super) plies: u64,
    pub(super) statuses: [u64; GameStatus::ALL.len()],
}

/// The state of a worker, reused for all batches.
pub(super) struct Worker {
    replayer: Replayer,
    pack_tables: PackTables,
    lines: LineMemory,
    pool: RowPool,
}

/// Batches that the writer is done with, for reuse by the workers.
#[derive(Clone, Default)]
pub(super) struct RowPool(Arc<Mutex<Vec<RowBatch>>>);

impl RowPool {
    /// Takes an empty batch.
    fn take(&self) -> RowBatch {
        // After a panic elsewhere a new batch is allocated.
        self.0.lock().ok().and_then(|mut rows| rows.pop()).unwrap_or_default()
    }

    /// Returns a batch to the pool.
    pub(super) fn put(&self, mut rows: RowBatch) {
        rows.clear();
        if let Ok(mut batches) = self.0.lock() {
            batches.push(rows);
        }
    }
}

impl Worker {
    pub(super) fn new(options: &ImportOptions, pool: RowPool) -> Self {
        let replayer = Replayer::new(&options.replay);
        Self { pool, replayer, pack_tables: PackTables::new(), lines: LineMemory::default() }
    }

    /// Does a job.
    pub(super) fn work(&mut self, job: Job) -> JobResult {
        let games = match job {
            Job::Games(games) => *games,
            Job::Unchanged => return JobResult::Unchanged,
            Job::Empty(replaced) => return JobResult::Empty(replaced),
            Job::Failed(failed) => return JobResult::Failed(failed),
        };
        let mut done = ReplayedGames {
            rows: self.pool.take(),
            rejects: Vec::new(),
            lines: None,
            plies: 0,
            statuses: [0; GameStatus::ALL.len()],
            games,
        };
        let ReplayedGames { games, rows, rejects, plies, statuses, lines } = &mut done;
        let mut counted = CountedLines { bytes: games.batch.bytes(), at: 0, lines: 0 };
        let mut cache = ValueCache { dates: games.batch.decoder().dates(), ..ValueCache::default() };
        for (index, game) in games.batch.games().enumerate() {
            let summary = self.game(game, games, rows, &mut cache);
            *plies += u64::from(summary.plies);
            statuses[summary.status as usize] += 1;
            if !summary.status.is_complete() {
                rejects.push(rejected_record(index as u64, &game.view(), games, &summary, &mut counted));
            }
        }
        if !rejects.is_empty() || games.batch.bytes_before().is_none() {
            *lines = Some(counted.up_to(games.batch.bytes().len()));
        }
        JobResult::Games(Box::new(done))
    }

    /// Replays a game and appends its row.
    #[inline]
    fn game<'g>(
        &mut self,
        game: GameRef<'g>,
        games: &GamesJob,
        rows: &mut RowBatch,
        cache: &mut ValueCache<'g>,
    ) -> ReplaySummary {
        let record = game.raw();
        let (limits, line) = self.replayer.begin(game);
        let LineMemory { recorded, places, .. } = &mut self.lines;
        recorded.begin(record.len());
        places.clear();
        let mut collector = RecordCollector { line, tags: TagValues::default(), lines: recorded };
        // Neither visitor breaks off.
        let _ = walk_with(record, &limits, &mut collector);
        let mut tags = collector.tags;
        let moves = rows.moves();
        let from = moves.len();
        let tables = &mut self.pack_tables;
        let facts = FactCounter::default();
        let line = PackedLine::Main;
        let mut sink =
            PackSink { tables, moves, from, has_started: false, set_up: false, facts, places, line };
        let summary = self.replayer.finish_into(game, &mut sink);
        sink.finish(&summary);
        let (set_up, facts) = (sink.set_up, sink.facts.finish());
        if let Some(text) = self.replayer.take_reading() {
            // Of its variations, some are moves of the main line.
            let recorded = &mut self.lines.recorded;
            recorded.begin(text.len());
            let (limits, line) = self.replayer.begin(game);
            let mut collector = RecordCollector { line, tags: TagValues::default(), lines: recorded };
            let _ = walk_with(&text, &limits, &mut collector);
        }
        let start_counts = self.pack_tables.start_counts().filter(|_| !set_up);
        let first = start_counts.unwrap_or_else(|| PackedPieceCounts::from(summary.start_counts()));
        let encoding = OnceCell::new();
        let encoding = || *encoding.get_or_init(|| games.batch.decoder().guess(record).encoding);
        let result = summary.result().map_or(&b""[..], |result| result.span.of(record));
        tags.seat_players(summary.numbering.start);
        let texts = TextColumn::ALL.map(|column| {
            let value = if column == TextColumn::Result { result } else { tags.get(column.tag()) };
            cache.text(column, value, &mut rows.interners, encoding)
        });
        let kind = GameKind { variant: summary.variant, numbering: summary.numbering, basis: summary.basis };
        let last = PackedPieceCounts::from(summary.last_counts());
        let row = GameRow {
            date: cache.date(tags.get(TagName::Date)),
            ratings: [TagName::WhiteRating, TagName::BlackRating].map(|name| tags.rating(name).unwrap_or(0)),
            status: summary.status,
            outcome: summary.outcome(),
            from_fen: set_up,
            has_setups: summary.has_setups,
            plies: summary.plies,
            facts: Some(facts),
            ..GameRow::with_counts(kind, first, last)
        };
        if !self.lines.recorded.is_empty() {
            LineImport {
                replayer: &mut self.replayer,
                tables: &mut self.pack_tables,
                memory: &mut self.lines,
                record,
                summary: &summary,
                main_moves: &rows.moves[from..],
            }
            .add(&mut rows.annotations);
        }
        rows.push_interned(&row, texts, record);
        summary
    }
}

/// Tag values of the game before, as written, with the numbers of the texts and the date. Games of one event are usually consecutive, so
/// values repeat.
// Twin: an empty cache; test: `used_cache_equals_empty_cache`.
#[derive(Default)]
struct ValueCache<'g> {
    texts: [Option<(&'g [u8], u32)>; TextColumn::COUNT],
    date: Option<(&'g [u8], Date)>,
    dates: DateOrders,
}

impl<'g> ValueCache<'g> {
    /// Returns the number of a tag value as text. The encoding of the record is guessed only if the value needs it.
    #[inline]
    fn text(
        &mut self,
        column: TextColumn,
        value: &'g [u8],
        interners: &mut [Interner; DictionaryKind::COUNT],
        encoding: impl Fn() -> Encoding,
    ) -> u32 {
        if let Some((before, number)) = self.texts[column as usize]
            && is_same_text(before, value)
        {
            return number;
        }
        let names = &mut interners[column.dictionary() as usize];
        let trimmed = value.trim_ascii();
        let words = TextWords::of(trimmed);
        if !words.needs_decoding(trimmed)
            && let Some(number) = names.intern_bytes(&words, trimmed)
        {
            self.texts[column as usize] = Some((value, number));
            return number;
        }
        // Other bytes depend on the encoding of the record, so their number is not cached.
        self.texts[column as usize] = None;
        let encoding = encoding();
        let ascii = |end: Option<&u8>| end.is_some_and(u8::is_ascii);
        let is_plain_utf8 = encoding == Encoding::UTF_8
            && ascii(trimmed.first())
            && ascii(trimmed.last())
            && memchr::memchr2(b'\\', b'&', trimmed).is_none();
        // Taken as written, if it is valid UTF-8.
        if is_plain_utf8 && let Some(number) = names.intern_bytes(&words, trimmed) {
            return number;
        }
        names.intern(&decode_value(trimmed, encoding))
    }

    /// Returns the date of a tag value; unknown if it cannot be read.
    #[inline]
    fn date(&mut self, value: &'g [u8]) -> Date {
        match self.date {
            Some((before, date)) if is_same_text(before, value) => date,
            _ => {
                let date = self.dates.read(value).map_or(Date::UNKNOWN, |read| read.date);
                self.date = Some((value, date));
                date
            }
        }
    }
}

/// Counts the line ends of a text from its start.
struct CountedLines<'a> {
    bytes: &'a [u8],
    /// Number of bytes that have been counted.
    at: usize,
    /// Number of line ends in them.
    lines: u64,
}

impl CountedLines<'_> {
    /// Counts on to byte `at`, at or after the one before, and returns the number of line ends before it.
    fn up_to(&mut self, at: usize) -> u64 {
        self.lines += count_line_ends(self.bytes.get(self.at..at).unwrap_or_default());
        self.at = at;
        self.lines
    }
}

/// Describes a rejected record, number `index` (from 0) of its batch, whose lines are counted up to an earlier record.
#[cold]
fn rejected_record(
    index: u64,
    game: &RecordView<'_>,
    games: &GamesJob,
    summary: &ReplaySummary,
    counted: &mut CountedLines<'_>,
) -> RejectedRecord {
    let record = game.raw();
    let stop_offset = summary.stop.map_or(0, |stop| stop.span.start as usize).min(record.len());
    let start = (game.offset() - games.batch.offset()) as usize;
    let beginning = stored_prefix(record);
    RejectedRecord {
        record: index,
        offset: game.offset(),
        len: record.len() as u64,
        line: counted.up_to(start + stop_offset),
        at: stop_offset as u64,
        code: summary.stop.map_or("", |stop| stop.reason.code().id()),
        status: summary.status,
        ply: summary.stop.map_or(summary.plies, |stop| stop.ply),
        reason: summary.stop.map_or("", |stop| stop.reason.text()),
        text: games.batch.decoder().text(record, beginning).into_owned(),
        omitted: record.len() - beginning.len(),
    }
}

/// Decodes a value: removes escapes, entities and surrounding whitespace.
#[cold]
fn decode_value(value: &[u8], encoding: Encoding) -> String {
    let unescaped = unescape(value);
    value::decode_entities(&encoding.decode(&unescaped)).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn used_cache_equals_empty_cache(
            games in prop::collection::vec(
                (
                    prop::sample::select(vec![
                        &b"Sijbrands, T."[..], b"Sijbrands, T.", b" Sijbrands, T.", b"", b"R\\\"Baba", b"Ghestem &amp; Co",
                        b"\xC8\xED\xBEov", "Čížov".as_bytes(), b"1950.01.02", b"1950.??.??", b"02.01.1950", b"?",
                    ]),
                    prop::sample::select(TextColumn::ALL.to_vec()),
                    prop::sample::select(vec![Encoding::UTF_8, Encoding::WINDOWS_1251, Encoding::WINDOWS_1252]),
                ),
                0..60,
            ),
        ) {
            let mut cache = ValueCache::default();
            let (mut names, mut expected) = <([Interner; DictionaryKind::COUNT], [Interner; DictionaryKind::COUNT])>::default();
            for (value, column, encoding) in games {
                let number = cache.text(column, value, &mut names, || encoding);
                prop_assert_eq!(number, ValueCache::default().text(column, value, &mut expected, || encoding));
                let texts = column.dictionary() as usize;
                prop_assert_eq!(names[texts].get(number), expected[texts].get(number));
                prop_assert_eq!(cache.date(value), ValueCache::default().date(value));
            }
        }
    }
}
