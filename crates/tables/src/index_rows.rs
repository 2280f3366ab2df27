//! Makes the rows of a table from the games of an index.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::batch::TableBatch;
use super::games::{IndexedSource, indexed_winner};
use super::moves::{GamePlace, LineSource};
use super::plies::PlyTable;
use super::positions::PositionSource;
use super::record::{IndexedValues, RecordContext, basis_name};
use super::rows::{ExportOptions, RowMaker, TableColumns, use_squares};
use super::schema::{ColumnSelection, GameField, Table};
use super::squares::SquareTable;
use pdn::archive::InputRecord;
use pdn::error::{Error, Result};
use pdn::internal::pool;
use pdn::internal::replay::CandidateGame;
use pdn::internal::source::{LineCounter, path_text};
use pdn::position::Position;
use pdn::replay::VariantBasis;
use pdn::source::{Decoder, Encoding};
use pdn::split::Record;
use pdn::stop::Stop;
use pdn::view::RecordView;
use pdn_index::Index;
use pdn_index::internal::pack::Codecs;
use pdn_index::internal::query::{Novelties, RowTable, Tables, novelties};
use pdn_index::internal::{GameFacts, GameSet, TextReader};
use pdn_index::query::Search;

/// The number of games that one thread takes at a time.
const BATCH_GAMES: usize = 1024;

/// The rows of the games of an index that match a query.
///
/// The records are read only if a selected column takes them, or if the moves of variations are wanted. All other columns
/// come from the rows and the packed moves of the index.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use std::ops::ControlFlow;
/// use pdn_tables::{ColumnSelection, CsvWriter, ExportOptions, IndexRows, Table};
///
/// std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 2-0\n\n[White \"Bell\"]\n1. 34-30 1-1\n")?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let columns = ColumnSelection::named(Table::Games, ["game", "white", "winner"])?;
/// let (csv, mut out) = (CsvWriter::new(&columns), Vec::new());
/// let rows = IndexRows::new(&index, &columns, &ExportOptions::new(), pdn::default_threads())?;
/// rows.for_each(
///     // On all threads.
///     |batch| {
///         let mut text = Vec::new();
///         csv.write(&batch, 0..batch.rows, &mut text);
///         text
///     },
///     // On this thread, in the order of the index.
///     |text| {
///         out.extend(text);
///         ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!(String::from_utf8(out)?, "1,Ames,white\r\n2,Bell,draw\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct IndexRows<'a> {
    index: &'a Index,
    threads: NonZeroUsize,
    reads_text: bool,
    /// The novelties, if they are selected.
    novelties: Option<Novelties>,
    selection: ColumnSelection,
    options: ExportOptions,
    encoding: Option<Encoding>,
    numbered: bool,
    /// The games to export, by segment.
    games: Vec<GameSet>,
    rows: RowTable<'a>,
    /// The names of the inputs.
    inputs: Vec<String>,
}

/// A game to export.
#[derive(Clone, Copy, Debug)]
struct WantedGame {
    /// Number in the index, from 0.
    number: u64,
    input: u32,
    /// Number of the record in its input, from 1.
    record: u64,
    lines: LineCounter,
}

impl<'a> IndexRows<'a> {
    /// Searches the index for the games that match the query of the options.
    ///
    /// # Errors
    /// If a section of the index is damaged.
    pub fn new(
        index: &'a Index,
        selection: &ColumnSelection,
        options: &ExportOptions,
        threads: NonZeroUsize,
    ) -> Result<Self> {
        let (games, _) = Search::new(index, &options.query, threads)?.games()?;
        let name = |input: &pdn_index::internal::IndexedInput| path_text(&input.name).into_owned();
        let inputs = index.inputs().iter().map(name).collect();
        // The search has decided which games are exported; their records are not filtered again.
        let options = options.clone().query(pdn_index::query::Query::all());
        let rows = RowTable::new(index)?;
        let is_unstored = |field: &GameField| field.text_column().is_some_and(|column| !index.stores(column));
        let reads_text = selection.needs_text()
            || selection.table() == Table::Moves && !options.main_line
            || matches!(TableColumns::of(selection), TableColumns::Games(fields) if fields.iter().any(is_unstored));
        let find = || novelties(index, threads, &Stop::new());
        let novelties = selection.has_novelties().then(find).transpose()?;
        Ok(Self {
            index,
            threads,
            reads_text,
            novelties,
            selection: selection.clone(),
            options,
            encoding: None,
            numbered: true,
            games,
            rows,
            inputs,
        })
    }

    /// Sets the encoding of all records; `None` to guess it.
    #[must_use]
    pub fn encoding(mut self, encoding: Option<Encoding>) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets whether the column `game` has the number of the game in the index. Leave it null for an index that is made for one
    /// export only, because the number means nothing outside of it.
    #[must_use]
    pub fn numbered(mut self, numbered: bool) -> Self {
        self.numbered = numbered;
        self
    }

    /// Returns the number of a game in the index, from 1.
    fn game_number(&self, game: &WantedGame) -> Option<u64> {
        self.numbered.then_some(game.number + 1)
    }

    /// Returns what only the index knows of a game.
    fn indexed_values(&self, game: &WantedGame, facts: Option<GameFacts>) -> IndexedValues {
        let novelty = self.novelties.as_ref().and_then(|novelties| novelties.of(game.number).ply);
        IndexedValues { facts, novelty }
    }

    /// Returns the number of games that are exported.
    pub fn games(&self) -> u64 {
        self.games.iter().map(GameSet::len).sum()
    }

    /// Returns `true` if the records are read.
    pub fn reads_text(&self) -> bool {
        self.reads_text
    }

    /// Calls `encode` for the rows of consecutive games, on several threads, and `consume` with the results in the order of
    /// the games, until it breaks. Returns the sum of [`RowMaker::incomplete`].
    ///
    /// # Errors
    /// If a section is damaged, or a record is needed and its archive is gone or has changed.
    pub fn for_each<T: Send>(
        &self,
        encode: impl Fn(TableBatch) -> T + Sync,
        mut consume: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<u64> {
        let mut incomplete = 0;
        let work = |scratch: &mut Scratch<'a>, job: Result<Vec<WantedGame>>| -> Result<(T, u64)> {
            let (batch, incomplete) = scratch.rows(self, &job?)?;
            Ok((encode(batch), incomplete))
        };
        pool::try_ordered(
            Jobs::new(self)?,
            self.threads,
            || Scratch::new(self),
            work,
            |(encoded, skipped)| {
                incomplete += skipped;
                consume(encoded)
            },
        )?;
        Ok(incomplete)
    }

    /// Returns the decoder of an input.
    fn decoder(&self, input: u32) -> Decoder {
        self.index.decoder(input).with_forced(self.encoding)
    }
}

/// Iterates over the games to export, some at a time, with the numbers of their records.
struct Jobs<'r, 'a> {
    rows: &'r IndexRows<'a>,
    /// Runs of games: segment, games in it, input.
    runs: std::vec::IntoIter<(usize, std::ops::Range<usize>, u32)>,
    /// The run that is being read, and the number of its next game in the segment.
    current: Option<(usize, std::ops::Range<usize>, u32)>,
    /// Number of records of each input before the next game, and the line counter there.
    counts: Vec<(u64, LineCounter)>,
    /// Reads all records, if their lines are needed.
    reader: Option<TextReader<'a>>,
}

impl<'r, 'a> Jobs<'r, 'a> {
    fn new(rows: &'r IndexRows<'a>) -> Result<Self> {
        let mut runs = Vec::new();
        for (number, segment) in rows.index.segments().iter().enumerate() {
            runs.extend(
                segment
                    .input_runs()?
                    .into_iter()
                    .map(|(games, input)| (number, games.start as usize..games.end as usize, input)),
            );
        }
        // The text of an input without wanted games is not needed, and may be gone: its games may have retired because the file
        // has changed.
        let mut is_wanted = vec![false; rows.inputs.len()];
        for (segment, games, input) in &runs {
            if let Some(wanted) = is_wanted.get_mut(*input as usize) {
                *wanted |= rows.games[*segment].count_in(games.start as u32..games.end as u32) > 0;
            }
        }
        runs.retain(|(_, _, input)| is_wanted.get(*input as usize).is_some_and(|wanted| *wanted));
        let reader = rows.selection.needs_lines().then(|| TextReader::new(rows.index));
        let counts = vec![(0, LineCounter::new()); rows.inputs.len()];
        Ok(Self { rows, runs: runs.into_iter(), current: None, counts, reader })
    }

    /// Returns the next game if it is wanted; `Err(None)` after the last one.
    fn next_game(&mut self) -> std::result::Result<Option<WantedGame>, Option<Error>> {
        let (segment, games, input) = loop {
            match &mut self.current {
                Some((_, games, _)) if games.start >= games.end => self.current = None,
                Some(current) => break current,
                None => self.current = Some(self.runs.next().ok_or(None)?),
            }
        };
        let (local, input) = (games.start, *input);
        games.start += 1;
        let number = self.rows.index.first_game(*segment).unwrap_or(0) + local as u64;
        let is_wanted = self.rows.games[*segment].contains(local as u32);
        let Some((records, lines)) = self.counts.get_mut(input as usize) else { return Ok(None) };
        *records += 1;
        let wanted = WantedGame { number, input, record: *records, lines: *lines };
        if let Some(reader) = &mut self.reader {
            let decoder = self.rows.decoder(input);
            let text = reader.text(number).map_err(Some)?;
            lines.pass_record(text, || decoder.guess(text).encoding);
        }
        Ok(is_wanted.then_some(wanted))
    }
}

impl Iterator for Jobs<'_, '_> {
    type Item = Result<Vec<WantedGame>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut games = Vec::new();
        while games.len() < BATCH_GAMES {
            match self.next_game() {
                Ok(game) => games.extend(game),
                Err(Some(error)) => return Some(Err(error)),
                Err(None) => break,
            }
        }
        (!games.is_empty()).then_some(Ok(games))
    }
}

/// The state of a thread.
struct Scratch<'a> {
    maker: RowMaker,
    reader: TextReader<'a>,
    columns: TableColumns,
    plies: PlyTable,
    codecs: Codecs,
    squares: Option<SquareTable>,
}

impl<'a> Scratch<'a> {
    fn new(rows: &IndexRows<'a>) -> Self {
        let columns = TableColumns::of(&rows.selection);
        Self {
            maker: RowMaker::new(&rows.selection, &rows.options),
            reader: TextReader::new(rows.index),
            plies: PlyTable::new(columns.ply_wants(&rows.options)),
            columns,
            codecs: Codecs::default(),
            squares: None,
        }
    }

    /// Returns the rows of some games, and the number of records whose rows are incomplete.
    fn rows(&mut self, rows: &IndexRows<'a>, games: &[WantedGame]) -> Result<(TableBatch, u64)> {
        let before = self.maker.incomplete();
        let mut out = self.maker.empty_batch();
        for game in games {
            if rows.reads_text {
                self.push_text(rows, game, &mut out)?;
            } else {
                self.push_packed(rows, game, &mut out)?;
            }
        }
        rows.options.tables.as_ref().map_or(Ok(()), Tables::check)?;
        Ok((out, self.maker.incomplete() - before))
    }

    /// Appends the rows of a game from its record.
    fn push_text(&mut self, rows: &IndexRows<'a>, game: &WantedGame, out: &mut TableBatch) -> Result<()> {
        let Some(indexed) = rows.index.game(game.number) else { return Ok(()) };
        let row = indexed.row()?;
        let kind = row.kind;
        let offset = indexed.location()?.offset;
        let decoder = rows.decoder(game.input);
        let bytes = self.reader.text(game.number)?;
        // The game that was inferred from the whole file when it was indexed.
        let is_tagged = kind.basis == VariantBasis::Tag;
        let candidate = CandidateGame { variant: kind.variant, numbering: kind.numbering };
        self.maker.set_game((!is_tagged).then_some(candidate));
        // An index does not store that a record was cut; such a record has exactly the greatest length.
        let cut = bytes.len() >= rows.options.replay.limits.unwrap_or_default().record_bytes;
        let view = RecordView::from(Record { bytes, offset, cut });
        let file = &rows.inputs[game.input as usize];
        let input_record = InputRecord::from(view).with_scores(row.scores());
        let mut context = RecordContext::new(file, game.record, input_record, &decoder);
        context.game = rows.game_number(game);
        context.indexed = rows.indexed_values(game, row.facts);
        context.lines = game.lines;
        self.maker.push(&context, Some(basis_name(kind.basis)), out);
        Ok(())
    }

    /// Appends the rows of a game from its row and its packed moves.
    // Twin: the records of the archive; test: `index_gives_the_rows_of_its_archive`.
    fn push_packed(&mut self, rows: &IndexRows<'a>, game: &WantedGame, out: &mut TableBatch) -> Result<()> {
        let Some(indexed) = rows.index.game(game.number) else { return Ok(()) };
        let row = match rows.rows.row(game.number) {
            Some(row) => row,
            // Tells which value is invalid.
            None => indexed.row()?,
        };
        let needs_ends = matches!(&self.columns, TableColumns::Games(columns)
        if columns.iter().any(|column| {
            matches!(column, GameField::StartFen | GameField::FinalFen | GameField::OpeningPlayed)
        }));
        let mut ends = None;
        if needs_ends || self.columns.need_plies() {
            let start = Position::start(row.kind.game());
            let filled = self.plies.fill_packed(&start, row.from_fen, indexed.moves()?, &mut self.codecs);
            let Ok(states) = filled else {
                // Returns the error that names the damaged section.
                return indexed.plies().map(drop);
            };
            if self.columns.need_plies() {
                let candidate = self.columns.numbering(row.kind.variant, row.kind.numbering);
                use_squares(&mut self.squares, candidate);
            }
            ends = Some(states);
        }
        let file = rows.inputs[game.input as usize].as_str();
        let place = GamePlace { game: rows.game_number(game), file, record: game.record };
        match &self.columns {
            TableColumns::Games(columns) => {
                let needs_place =
                    columns.iter().any(|column| matches!(column, GameField::Offset | GameField::Length));
                let location = if needs_place { Some(indexed.location()?) } else { None };
                IndexedSource {
                    game: rows.game_number(game),
                    file,
                    record: game.record,
                    place: location.map_or((0, 0), |location| (location.offset, location.len)),
                    row: &row,
                    indexed: rows.indexed_values(game, row.facts),
                    ends: ends
                        .filter(|_| needs_ends)
                        .map(|states| states.map(|state| Position::from_state(row.kind.game(), state))),
                    plies: &self.plies,
                    squares: self.squares.as_ref(),
                }
                .push(columns, out);
            }
            TableColumns::Moves(columns) => {
                let (plies, Some(squares)) = (&self.plies, &self.squares) else { return Ok(()) };
                LineSource { place, context: None, plies, notes: &[], squares, line: 0, first_ply: 0 }
                    .push(columns, out);
            }
            TableColumns::Positions(columns) => {
                let (Some(squares), Some([_, last])) = (&self.squares, ends) else { return Ok(()) };
                let source = PositionSource {
                    place,
                    plies: &self.plies,
                    last,
                    squares,
                    winner: indexed_winner(&row),
                    status: row.status,
                    notes: &[],
                };
                match &mut self.maker.samples {
                    Some(samples) => source.choose([row.white, row.black], samples, out),
                    None => source.push(columns, out),
                }
            }
            // Their columns take the record.
            TableColumns::Comments(_) | TableColumns::Diagnostics(_) => {}
        }
        Ok(())
    }
}
