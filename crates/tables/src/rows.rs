//! Makes the rows of a table from records.

use super::batch::TableBatch;
use super::dataset::{DatasetOptions, SampleMaker};
use super::filter::{QueryNeeds, record_matches};
use super::games::{GameSource, ReportCounts};
use super::moves::{GamePlace, LineSource, numbered_lines};
use super::notes::{LineNumbers, MainLineNotes, MoveNote, RecordTimes};
use super::plies::{PlyTable, PlyWants};
use super::positions::PositionSource;
use super::record::{RecordContext, read_tags, winner_name};
use super::schema::{
    ColumnSelection, CommentsColumn, DiagnosticsColumn, GameField, MovesColumn, PositionsColumn, Table,
};
use super::squares::SquareTable;
use super::{comments, diagnostics};
use pdn::archive::Batch;
use pdn::check::CheckOptions;
use pdn::internal::replay::CandidateGame;
use pdn::internal::source::{LineCounter, path_text};
use pdn::internal::view::{TagSet, TagValues};
use pdn::parse::walk_with;
use pdn::replay::{ReplayOptions, ReplaySummary, Replayer};
use pdn::report::{MAX_ANNOTATED_BYTES, RecordReporter};
use pdn::rules::Variant;
use pdn::value::{FenStyle, TagName};
use pdn_index::internal::query::Tables;
use pdn_index::query::Query;
use pdn_rules::internal::board::Numbering;

/// Options of an export.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn_tables::{ColumnSelection, ExportOptions, RowMaker, Table};
/// use pdn_index::query::Query;
/// use pdn::source::OpenOptions;
///
/// let text = &b"[White \"Ames\"]\n1. 32-28 19-23 *\n\n[White \"Bell\"]\n1. 34-30 (1. 34-29) 20-25 2. 40-34 *\n"[..];
/// let columns = ColumnSelection::of(Table::Moves);
/// let count = |options: &ExportOptions| -> pdn::Result<usize> {
///     let mut maker = RowMaker::new(&columns, options);
///     let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new())?;
///     archive.batches().map(|batch| Ok(maker.rows(&batch?)?.rows)).sum()
/// };
/// assert_eq!(count(&ExportOptions::new())?, 6);
/// // Only the games of Bell, without variations.
/// let options = ExportOptions::new().query(Query::player("bell")).main_line(true);
/// assert_eq!(count(&options)?, 3);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ExportOptions {
    /// How records are replayed.
    pub replay: ReplayOptions,
    /// Which games are exported: those for which this query is true. It has to be one that
    /// `is_game_query`; other queries need an index.
    pub query: Query,
    /// Leave out the moves of variations. Then an index need not read the records for them.
    pub main_line: bool,
    /// Include diagnostics of severity `style`.
    pub style: bool,
    /// How positions are written.
    pub fen_style: FenStyle,
    /// The tables of endings in which the columns `table` and `table_distance` are looked up; without them, the columns are null.
    #[doc(hidden)]
    pub tables: Option<Tables>,
    /// Choose positions for a training set instead of making rows of the table of positions. The columns are those of
    /// `ColumnSelection::of_dataset`.
    #[doc(hidden)]
    pub dataset: Option<DatasetOptions>,
}

impl ExportOptions {
    /// Creates the default options: all games, with variations, without diagnostics of severity `style`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`replay`](Self::replay).
    #[must_use]
    pub fn replay(mut self, replay: ReplayOptions) -> Self {
        self.replay = replay;
        self
    }

    /// Sets [`query`](Self::query).
    #[must_use]
    pub fn query(mut self, query: Query) -> Self {
        self.query = query;
        self
    }

    /// Sets [`main_line`](Self::main_line).
    #[must_use]
    pub fn main_line(mut self, main_line: bool) -> Self {
        self.main_line = main_line;
        self
    }

    /// Sets [`dataset`](Self::dataset).
    #[doc(hidden)]
    #[must_use]
    pub fn dataset(mut self, dataset: DatasetOptions) -> Self {
        self.dataset = Some(dataset);
        self
    }

    /// Sets [`fen_style`](Self::fen_style).
    #[must_use]
    pub fn fen_style(mut self, fen_style: FenStyle) -> Self {
        self.fen_style = fen_style;
        self
    }

    /// Sets [`tables`](Self::tables).
    #[doc(hidden)]
    #[must_use]
    pub fn tables(mut self, tables: Option<Tables>) -> Self {
        self.tables = tables;
        self
    }

    /// Sets [`style`](Self::style).
    #[must_use]
    pub fn style(mut self, style: bool) -> Self {
        self.style = style;
        self
    }
}

/// The selected columns, by the enum of their table.
#[derive(Clone, Debug)]
pub(super) enum TableColumns {
    Games(Vec<GameField>),
    Moves(Vec<MovesColumn>),
    Positions(Vec<PositionsColumn>),
    Comments(Vec<CommentsColumn>),
    Diagnostics(Vec<DiagnosticsColumn>),
}

impl TableColumns {
    /// Returns the columns of a selection.
    pub(super) fn of(selection: &ColumnSelection) -> Self {
        match selection.table() {
            Table::Games => Self::Games(selection.of_table(GameField::ALL)),
            Table::Moves => Self::Moves(selection.of_table(MovesColumn::ALL)),
            Table::Positions => Self::Positions(selection.of_table(PositionsColumn::ALL)),
            Table::Comments => Self::Comments(selection.of_table(CommentsColumn::ALL)),
            Table::Diagnostics => Self::Diagnostics(selection.of_table(DiagnosticsColumn::ALL)),
        }
    }

    /// Returns what is computed of each ply.
    pub(super) fn ply_wants(&self, options: &ExportOptions) -> PlyWants {
        match self {
            Self::Games(columns) => {
                PlyWants { texts: columns.contains(&GameField::Moves), ..PlyWants::default() }
            }
            Self::Moves(columns) => PlyWants {
                keys: columns.contains(&MovesColumn::Key),
                counts: columns.contains(&MovesColumn::LegalMoves),
                quiet: false,
                texts: columns.contains(&MovesColumn::Text),
            },
            Self::Positions(columns) => PlyWants {
                keys: columns.contains(&PositionsColumn::Key),
                counts: columns.contains(&PositionsColumn::LegalMoves),
                quiet: columns.contains(&PositionsColumn::Quiet) || options.dataset.is_some(),
                texts: false,
            },
            _ => PlyWants::default(),
        }
    }

    /// Returns `true` if the plies are needed one by one.
    pub(super) fn need_plies(&self) -> bool {
        match self {
            Self::Games(columns) => {
                columns.contains(&GameField::Moves) || columns.contains(&GameField::OpeningPlayed)
            }
            Self::Moves(_) | Self::Positions(_) => true,
            _ => false,
        }
    }

    /// Returns `true` if columns are selected that need what is written about moves.
    fn need_notes(&self) -> bool {
        let of_note = |column: &MovesColumn| {
            matches!(
                column,
                MovesColumn::Written
                    | MovesColumn::ClockMs
                    | MovesColumn::EmtMs
                    | MovesColumn::EvalCp
                    | MovesColumn::Nags
            )
        };
        match self {
            Self::Moves(columns) => columns.iter().any(of_note),
            Self::Positions(columns) => columns.contains(&PositionsColumn::EvalCp),
            _ => false,
        }
    }

    /// Returns the tags that the values are made from.
    fn tags(&self) -> impl Iterator<Item = TagName> {
        let columns = if let Self::Games(columns) = self { &columns[..] } else { &[] };
        columns.iter().filter_map(|column| column.tag())
    }

    /// Returns the game type whose numbers the squares of a game have: positions are numbered as the variant does, so that
    /// those of all games can be compared, moves as the game does.
    pub(super) fn numbering(&self, variant: Variant, numbering: Numbering) -> CandidateGame {
        match self {
            Self::Positions(_) => variant.into(),
            _ => CandidateGame { variant, numbering },
        }
    }
}

/// Makes the rows of a table from batches of records. One for each thread.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn_tables::{ColumnSelection, ExportOptions, JsonlWriter, RowMaker, Table};
/// use pdn::source::OpenOptions;
///
/// let text = &b"[White \"Ames\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n"[..];
/// let columns = ColumnSelection::named(Table::Moves, ["ply", "text"]).unwrap();
/// let mut maker = RowMaker::new(&columns, &ExportOptions::new());
/// for batch in Archive::from_reader(text, "games.pdn", &OpenOptions::new())?.batches() {
///     let rows = maker.rows(&batch?)?;
///     let mut out = Vec::new();
///     JsonlWriter::new(&columns).write(&rows, 2..3, &mut out);
///     assert_eq!((rows.rows, &out[..]), (4, &b"{\"ply\":2,\"text\":\"28x19\"}\n"[..]));
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct RowMaker {
    selection: ColumnSelection,
    columns: TableColumns,
    options: ExportOptions,
    filters: bool,
    needs_replay: bool,
    /// The tags that columns and the query take.
    tags: TagSet,
    needs_lines: bool,
    replayer: Replayer,
    reporter: Option<RecordReporter>,
    /// The counts of the last record that was reported on.
    counts: ReportCounts,
    plies: PlyTable,
    notes: MainLineNotes,
    squares: Option<SquareTable>,
    /// What chooses positions for a training set.
    pub(super) samples: Option<SampleMaker>,
    incomplete: u64,
    /// The number of rows of the batch before.
    last_rows: usize,
}

impl RowMaker {
    /// Creates a maker of rows with these columns.
    pub fn new(selection: &ColumnSelection, options: &ExportOptions) -> Self {
        keep_freed_memory();
        let columns = TableColumns::of(selection);
        let limits = options.replay.limits;
        let has_query = !matches!(&options.query, Query::And(parts) if parts.is_empty());
        let needs = QueryNeeds::of(&options.query);
        let samples = options.dataset.as_ref().map(SampleMaker::new);
        let takes_players = samples.as_ref().is_some_and(SampleMaker::takes_players);
        let players = [TagName::White, TagName::Black].into_iter().filter(|_| takes_players);
        Self {
            needs_replay: selection.needs_replay() || needs.replay,
            needs_lines: selection.needs_lines(),
            replayer: Replayer::new(&options.replay),
            counts: ReportCounts::default(),
            reporter: selection.needs_check().then(|| {
                RecordReporter::new(&CheckOptions::new().style(options.style).limits(limits))
                    .of_records_alone()
            }),
            plies: PlyTable::new(columns.ply_wants(options)),
            notes: MainLineNotes::default(),
            squares: None,
            samples,
            incomplete: 0,
            last_rows: 0,
            selection: selection.clone(),
            tags: columns.tags().chain(needs.tags).chain(players).collect(),
            columns,
            filters: has_query,
            options: options.clone(),
        }
    }

    /// Returns the number of records so far whose variations, or whose texts, clocks and glyphs of moves, were left out of the
    /// table of moves because the record is longer than 256 KiB.
    pub fn incomplete(&self) -> u64 {
        self.incomplete
    }

    /// Returns the rows of the records of a batch, in their order.
    ///
    /// If [`ColumnSelection::needs_lines`], every batch of the input has to be given, to this maker or to one of several on other
    /// threads, or kept: lines count from the start of the input.
    ///
    /// # Errors
    /// [`ErrorKind::SkippedBatch`](pdn::error::ErrorKind::SkippedBatch) if lines are needed and a batch of the same input before this
    /// one was dropped without being given.
    pub fn rows(&mut self, batch: &Batch) -> pdn::Result<TableBatch> {
        let mut lines = if self.needs_lines { batch.line_counter()? } else { LineCounter::new() };
        let mut out = self.empty_batch();
        // Batches are about equal, and a column that grows is copied each time.
        out.reserve(self.last_rows + self.last_rows / 16);
        let file = path_text(batch.name());
        for game in batch.games() {
            let mut context = RecordContext::new(&file, game.number(), game, batch.decoder());
            context.offsets = batch.offsets();
            context.lines = lines;
            self.push(&context, None, &mut out);
            if self.needs_lines {
                lines.pass_record(game.raw(), || context.encoding());
            }
        }
        self.last_rows = out.rows;
        self.options.tables.as_ref().map_or(Ok(()), Tables::check)?;
        Ok(out)
    }

    /// Creates a batch without rows.
    pub(super) fn empty_batch(&self) -> TableBatch {
        self.selection.batch(self.options.fen_style, self.options.tables.as_ref())
    }

    /// Replays the next records as this game unless they have a GameType tag.
    pub(super) fn set_game(&mut self, game: Option<CandidateGame>) {
        self.replayer.set_game(game);
    }

    /// Appends the rows of a record. `basis` is how its variant is known, if not as a replay says.
    pub(super) fn push(
        &mut self,
        context: &RecordContext<'_>,
        basis: Option<&'static str>,
        out: &mut TableBatch,
    ) {
        let summary = self.needs_replay.then(|| {
            if self.columns.need_plies() {
                let summary = self.replayer.replay_into(context.input_record, &mut self.plies);
                if summary.plies == 0 {
                    self.plies.clear();
                }
                self.plies.finish_replay(&summary);
                summary
            } else {
                self.replayer.summary(context.input_record)
            }
        });
        let tags = read_tags(context.input_record, self.tags, &mut self.replayer, summary.as_ref());
        if self.filters && !record_matches(&self.options.query, context, &tags, summary.as_ref()) {
            return;
        }
        if let (Some(summary), true) = (&summary, self.columns.need_plies()) {
            self.use_squares(summary);
        }
        if let (Some(reporter), Some(summary)) = (&mut self.reporter, &summary) {
            let report = reporter.report_replayed(context.input_record, Some((&mut self.replayer, *summary)));
            self.counts = ReportCounts::of(&report);
        }
        let Self { columns, plies, squares, reporter, counts, .. } = self;
        match columns {
            TableColumns::Games(columns) => GameSource {
                context,
                tags: &tags,
                summary: summary.as_ref(),
                basis,
                plies,
                squares: squares.as_ref(),
                counts: reporter.as_ref().map(|_| &*counts),
            }
            .push(columns, out),
            TableColumns::Moves(_) => {
                if let Some(summary) = &summary {
                    self.push_moves(context, summary, out);
                }
            }
            TableColumns::Positions(_) => {
                if let Some(summary) = &summary {
                    self.push_positions(context, summary, &tags, out);
                }
            }
            TableColumns::Comments(columns) => comments::push(
                context,
                &context.input_record.limits(self.options.replay.limits),
                columns,
                out,
            ),
            TableColumns::Diagnostics(columns) => {
                let (Some(summary), Some(reporter)) = (&summary, reporter) else { return };
                diagnostics::push(context, reporter.diagnostics(), summary, columns, out);
            }
        }
    }

    /// Appends the positions of a record.
    fn push_positions(
        &mut self,
        context: &RecordContext<'_>,
        summary: &ReplaySummary,
        tags: &TagValues<'_>,
        out: &mut TableBatch,
    ) {
        let notes = self.notes(context, summary);
        let Self {
            columns: TableColumns::Positions(columns), plies, squares: Some(squares), samples, ..
        } = self
        else {
            return;
        };
        let source = PositionSource {
            place: place_of(context),
            plies,
            last: summary.last,
            squares,
            winner: winner_name(summary.outcome(), summary.numbering.start),
            status: summary.status,
            notes: &notes,
        };
        match samples {
            Some(samples) => {
                let players = [TagName::White, TagName::Black].map(|tag| context.value(tags.get(tag)));
                source.choose([&players[0], &players[1]], samples, out);
            }
            None => source.push(columns, out),
        }
        self.notes.notes = notes;
    }

    /// Returns what is written about the moves of a record, one note for each ply; nothing if no column needs it, or if the
    /// record is too long for the replay that it takes.
    fn notes(&mut self, context: &RecordContext<'_>, summary: &ReplaySummary) -> Vec<MoveNote> {
        if !self.columns.need_notes() {
            return Vec::new();
        }
        let mut found = std::mem::take(&mut self.notes);
        found.clear();
        // The visitor never breaks off.
        let limits = context.input_record.limits(self.options.replay.limits);
        let _ = walk_with(context.bytes(), &limits, &mut found);
        if found.match_plies(summary) {
            RecordTimes::new(context.bytes()).settle(&mut found.notes);
            return found.notes;
        }
        if context.bytes().len() <= MAX_ANNOTATED_BYTES {
            let game = self.replayer.replay_annotated(context.input_record);
            return MoveNote::of_line(&game.main, &RecordTimes::new(context.bytes()));
        }
        // Nothing is better than notes that may belong to other moves.
        self.incomplete += 1;
        Vec::new()
    }

    /// Creates the tables of squares of a game, unless they are those of the game before.
    fn use_squares(&mut self, summary: &ReplaySummary) {
        let candidate = self.columns.numbering(summary.variant, summary.numbering);
        use_squares(&mut self.squares, candidate);
    }

    /// Appends the moves of a record.
    fn push_moves(&mut self, context: &RecordContext<'_>, summary: &ReplaySummary, out: &mut TableBatch) {
        let has_variations = !self.options.main_line && memchr::memchr(b'(', context.bytes()).is_some();
        let can_annotate = context.bytes().len() <= MAX_ANNOTATED_BYTES;
        if has_variations && can_annotate {
            return self.push_lines(context, summary, out);
        }
        let notes = self.notes(context, summary);
        // A record is counted once, whatever is left out.
        self.incomplete += u64::from(
            has_variations && !(self.columns.need_notes() && notes.is_empty() && summary.plies > 0),
        );
        let Self { columns: TableColumns::Moves(columns), plies, squares: Some(squares), .. } = self else {
            return;
        };
        let place = place_of(context);
        LineSource { place, context: Some(context), plies, notes: &notes, squares, line: 0, first_ply: 0 }
            .push(columns, out);
        self.notes.notes = notes;
    }

    /// Appends the moves of a record and of its variations, from an annotated replay.
    fn push_lines(&mut self, context: &RecordContext<'_>, summary: &ReplaySummary, out: &mut TableBatch) {
        let game = self.replayer.replay_annotated(context.input_record);
        let mut numbers = LineNumbers::default();
        let limits = context.input_record.limits(self.options.replay.limits);
        // In the text as which the record was read, replies in parentheses are no lines.
        let reading = self.replayer.take_reading();
        let _ = walk_with(reading.as_deref().unwrap_or(context.bytes()), &limits, &mut numbers);
        let lines = numbered_lines(&game, &numbers);
        let Self { columns: TableColumns::Moves(columns), plies, squares: Some(squares), .. } = self else {
            return;
        };
        let times = RecordTimes::new(context.bytes());
        for (line, first_ply, annotated) in lines {
            let moves = annotated.plies.iter().map(|ply| (*ply.position.state(), ply.mv));
            plies.fill(&summary.game(), moves);
            let notes = MoveNote::of_line(annotated, &times);
            let place = place_of(context);
            LineSource { place, context: Some(context), plies, notes: &notes, squares, line, first_ply }
                .push(columns, out);
        }
    }
}

/// Makes the allocator of glibc keep up to 64 MiB of freed memory for the next allocations, as it does of its own accord once a block of
/// 32 MiB was freed. The columns of each batch are new memory; without this, the system may give and take all of it for each batch, which
/// took half of the time of an export. Takes some microseconds, uses no memory, and does nothing on other systems.
fn keep_freed_memory() {
    /// The largest size of a freed block to which glibc adapts its thresholds, less a page for its own data.
    const BLOCK: usize = (32 << 20) - (4 << 10);
    drop(std::hint::black_box(Vec::<u8>::with_capacity(BLOCK)));
}

/// Returns the place of a record.
fn place_of<'a>(context: &RecordContext<'a>) -> GamePlace<'a> {
    GamePlace { game: context.game, file: context.file, record: context.record }
}

/// Replaces the tables of squares unless they are those of `candidate`.
pub(super) fn use_squares(squares: &mut Option<SquareTable>, candidate: CandidateGame) {
    if squares.as_ref().is_none_or(|squares| *squares.candidate() != candidate) {
        *squares = Some(SquareTable::new(candidate));
    }
}
