//! A game of an archive or an index. Nothing of it is read before an attribute is asked for.

use std::borrow::Cow;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pdn::archive::{Batch, GameRef, InputRecord};
use pdn::convert::{ConvertOptions, Converter};
use pdn::internal::archive::RecordRange;
use pdn::internal::replay::{ArchiveHead, CandidateGame};
use pdn::internal::source::{path_of_text, path_text};
use pdn::internal::value::{TwoNumbers, is_unknown};
use pdn::internal::view::TagValues;
use pdn::limits::Limits;
use pdn::parse::{
    Comment, Flow, VariationAction, VariationMark, Visitor, WrittenMove, unescape, walk, walk_with,
};
use pdn::replay::{ReplayOptions, ReplaySummary, Replayer};
use pdn::rules::Variant;
use pdn::source::{Bytes, Decoder, Encoding, OpenOptions};
use pdn::span::Span;
use pdn::value::{Date, GameResult, Outcome, TagName, decode_entities};
use pdn::view::RecordView;
use pdn_index::GameRow;
use pdn_index::internal::RecordNumbers;
use pdn_tables::arrow::{ArchiveInput, ArrowTable, Rows, TableOptions};
use pdn_tables::{ColumnSelection, ExportOptions, Table};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDate, PyDict};

use crate::annotated::{self, Line};
use crate::diagnostic::{Diagnostic, read_diagnostics};
use crate::errors::{error, from_arrow, from_pdn, from_table};
use crate::position::{Position, colour_name};
use crate::reading::ReadOptions;
use crate::replay::{PlyCollector, Replay};

/// What the games of one archive share.
#[derive(Debug)]
pub(crate) struct GameContext {
    /// How the archive is read.
    reading: ReadOptions,
    options: ReplayOptions,
    replayer: KeptReplayer,
}

impl GameContext {
    pub(crate) fn new(reading: ReadOptions) -> Self {
        Self { reading, options: reading.replay(), replayer: KeptReplayer::default() }
    }

    /// Replays a game, and collects its plies if they are wanted.
    fn replay(&self, game: GameRef<'_>, plies: Option<&mut PlyCollector>) -> ReplaySummary {
        let replay = |replayer: &mut Replayer| replay_game(replayer, game.into(), plies);
        self.replayer.lend(&self.options, self.options.variant, replay)
    }
}

/// A replayer that no thread uses now, kept because it has the tables of all variants.
#[derive(Debug, Default)]
struct KeptReplayer(Mutex<Option<Box<Replayer>>>);

impl KeptReplayer {
    /// Lends a replayer with these options to `replay`, by which records without a GameType tag are of this game. The options are the same
    /// in every call.
    fn lend<T>(
        &self,
        options: &ReplayOptions,
        game: Option<CandidateGame>,
        replay: impl FnOnce(&mut Replayer) -> T,
    ) -> T {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut replayer = kept.unwrap_or_else(|| Box::new(Replayer::new(options)));
        replayer.set_game(game);
        let result = replay(&mut replayer);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(replayer);
        result
    }
}

/// Replays a game, and collects its plies if they are wanted.
fn replay_game(
    replayer: &mut Replayer,
    game: InputRecord<'_>,
    plies: Option<&mut PlyCollector>,
) -> ReplaySummary {
    match plies {
        Some(plies) => replayer.replay_into(game, plies),
        None => replayer.summary(game),
    }
}

/// An index and the numbers of its records, which are computed once.
#[derive(Debug)]
pub(crate) struct SharedIndex {
    pub(crate) index: Arc<pdn_index::Index>,
    numbers: OnceLock<Option<RecordNumbers>>,
    replayer: KeptReplayer,
}

impl SharedIndex {
    pub(crate) fn new(index: pdn_index::Index) -> Self {
        Self { index: Arc::new(index), numbers: OnceLock::new(), replayer: KeptReplayer::default() }
    }
}

/// Where a game is found.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Archive {
        batch: Arc<Batch>,
        at: usize,
        context: Arc<GameContext>,
    },
    /// A game of an index, by its number from 0.
    Index {
        shared: Arc<SharedIndex>,
        number: u64,
    },
}

/// A game. Its attributes are read when they are asked for; those that depend on the rules replay it once.
///
/// >>> import pdn
/// >>> text = b'[White "Ames"]\n[Black "Bell"]\n[Date "1996.12.28"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n'
/// >>> [game] = pdn.open(text)
/// >>> game.white, game.black, game.date, game.result
/// ('Ames', 'Bell', datetime.date(1996, 12, 28), '2-0')
/// >>> game.moves
/// ['32-28', '19-23', '28x19', '14x23']
/// >>> game.winner, game.status, game.tags["White"]
/// ('white', 'legal', 'Ames')
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Game {
    origin: Origin,
    summary: OnceLock<ReplaySummary>,
    /// The text of a game of an index, once it was read.
    text: OnceLock<Vec<u8>>,
}

impl From<Origin> for Game {
    fn from(origin: Origin) -> Self {
        Self { origin, summary: OnceLock::new(), text: OnceLock::new() }
    }
}

/// The texts of the comments of a record.
#[derive(Default)]
struct Comments<'g>(Vec<&'g [u8]>);

impl<'g> Visitor<'g> for Comments<'g> {
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.0.push(comment.text);
        Flow::Continue(())
    }
}

/// Decodes a tag value, without escapes and character references.
fn decoded<'p>(decoder: &Decoder, record: &[u8], value: &'p [u8]) -> Cow<'p, str> {
    let is_plain = value.iter().all(|&byte| byte.is_ascii() && !matches!(byte, b'\\' | b'&'));
    if is_plain && let Ok(text) = std::str::from_utf8(value) {
        return Cow::Borrowed(text);
    }
    let unescaped = unescape(value);
    Cow::Owned(decode_entities(&decoder.text(record, &unescaped)).trim().to_owned())
}

/// Returns `false` for an empty text and for one such as `?`, as the columns of tables do.
fn says_something(text: &str) -> bool {
    !text.is_empty() && !is_unknown(text)
}

/// Returns the result that counts, as written.
fn result<'g>(view: &RecordView<'g>) -> Option<&'g [u8]> {
    let end = || view.terminator().map_or(&b""[..], |end| end.text);
    let result = TagValues::of_names(view, &[TagName::Result]).result(end);
    (!result.is_empty()).then_some(result)
}

impl Game {
    /// Passes the record and the decoder of its input to `read`.
    fn with_record<T>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(RecordView<'_>, &Decoder) -> T,
    ) -> PyResult<T> {
        match &self.origin {
            Origin::Archive { batch, at, .. } => {
                let game = batch.get(*at).expect("the game is in its batch");
                Ok(read(game.view(), batch.decoder()))
            }
            Origin::Index { shared, number } => {
                let indexed = shared.index.game(*number).expect("the game is in its index");
                if self.text.get().is_none() {
                    let text = py.detach(|| indexed.text()).map_err(|error| from_pdn(py, &error))?;
                    let _ = self.text.set(text);
                }
                let input = self.input(py)?;
                let text = self.text.get().map(Vec::as_slice).unwrap_or_default();
                Ok(read(RecordView::new(text), &shared.index.decoder(input)))
            }
        }
    }

    /// Passes the tag `name`, the record and the decoder of its input to `read`. A record that names its players by who starts
    /// is replayed.
    fn with_tag<T>(
        &self,
        py: Python<'_>,
        name: TagName,
        read: impl FnOnce(&TagValues<'_>, RecordView<'_>, &Decoder) -> T,
    ) -> PyResult<T> {
        self.with_record(py, |view, decoder| {
            let mut tags = TagValues::of_names(&view, &[name]);
            if tags.has_seats() {
                tags.seat_players(self.summary(py)?.numbering.start);
            }
            Ok(read(&tags, view, decoder))
        })?
    }

    /// Returns the number of the input of a game of an index.
    fn input(&self, py: Python<'_>) -> PyResult<u32> {
        let Origin::Index { shared, number } = &self.origin else { return Ok(0) };
        let indexed = shared.index.game(*number).expect("the game is in its index");
        let input = indexed.input().map_err(|error| from_pdn(py, &error))?;
        let at = shared.index.inputs().iter().position(|other| std::ptr::eq(other, input));
        Ok(at.unwrap_or_default() as u32)
    }

    /// Returns the row of a game of an index.
    fn row(&self, py: Python<'_>) -> PyResult<Option<GameRow<'_>>> {
        let Origin::Index { shared, number } = &self.origin else { return Ok(None) };
        let indexed = shared.index.game(*number).expect("the game is in its index");
        indexed.row().map(Some).map_err(|error| from_pdn(py, &error))
    }

    /// Returns the value of a tag, from the index or from the record.
    fn text_of(
        &self,
        py: Python<'_>,
        of_row: fn(&GameRow<'_>) -> String,
        name: TagName,
    ) -> PyResult<Option<String>> {
        if let Some(row) = self.row(py)? {
            return Ok(Some(of_row(&row)).filter(|text| says_something(text)));
        }
        self.with_tag(py, name, |tags, view, decoder| {
            Some(decoded(decoder, view.raw(), tags.get(name)).into_owned())
                .filter(|text| says_something(text))
        })
    }

    /// Returns the date, with unknown parts.
    fn any_date(&self, py: Python<'_>) -> PyResult<Date> {
        if let Some(row) = self.row(py)? {
            return Ok(row.date);
        }
        self.with_tag(py, TagName::Date, |tags, _, decoder| tags.date(decoder.dates()))
    }

    fn rating(&self, py: Python<'_>, side: usize) -> PyResult<Option<u16>> {
        if let Some(row) = self.row(py)? {
            return Ok(Some(row.ratings[side]).filter(|&rating| rating != 0));
        }
        let name = [TagName::WhiteRating, TagName::BlackRating][side];
        self.with_tag(py, name, |tags, _, _| tags.rating(name))
    }

    /// Replays the record.
    fn replay_into(&self, py: Python<'_>, plies: Option<&mut PlyCollector>) -> PyResult<ReplaySummary> {
        match &self.origin {
            Origin::Archive { batch, at, context } => {
                let summary = context.replay(batch.get(*at).expect("the game is in its batch"), plies);
                let _ = self.summary.set(summary);
                Ok(summary)
            }
            Origin::Index { shared, .. } => {
                let row = self.row(py)?.expect("a game of an index");
                let (kind, scores) = (row.kind, row.scores());
                // A tag decides; otherwise the variant that was found when the archive was indexed.
                let is_tagged = kind.basis == pdn::replay::VariantBasis::Tag;
                let known = (!is_tagged).then(|| kind.variant.into());
                let summary = self.with_record(py, |view, _| {
                    let game = InputRecord::from(view).with_scores(scores);
                    let replay = |replayer: &mut Replayer| replay_game(replayer, game, plies);
                    shared.replayer.lend(&ReplayOptions::new(), known, replay)
                })?;
                let _ = self.summary.set(summary);
                Ok(summary)
            }
        }
    }

    /// Returns the summary of a replay, which happens once.
    fn summary(&self, py: Python<'_>) -> PyResult<ReplaySummary> {
        match self.summary.get() {
            Some(summary) => Ok(*summary),
            None => self.replay_into(py, None),
        }
    }

    /// Says where and why a replay ended early.
    fn stopped(&self, py: Python<'_>, summary: &ReplaySummary) -> PyResult<Option<String>> {
        let Some(stop) = summary.stop else { return Ok(None) };
        self.with_record(py, |view, decoder| {
            let written =
                view.raw().get(stop.span.start as usize..stop.span.end as usize).unwrap_or_default();
            let written = decoder.text(view.raw(), written);
            Some(format!("ply {}, `{written}`: {}", stop.ply, stop.reason))
        })
    }

    /// Returns the title of the game in a few words.
    fn title(&self, py: Python<'_>) -> PyResult<String> {
        let unknown = || "?".to_owned();
        let (white, black) =
            (self.white(py)?.unwrap_or_else(unknown), self.black(py)?.unwrap_or_else(unknown));
        let mut title = format!("{white} - {black}");
        if let Some(result) = self.result(py)? {
            let _ = write!(title, " {result}");
        }
        if let Some(event) = self.event(py)? {
            let _ = write!(title, ", {event}");
        }
        if let Some(date) = self.date_text(py)? {
            let _ = write!(title, ", {date}");
        }
        Ok(title)
    }
}

#[pymethods]
impl Game {
    /// The number of the game in its index, from 1; None for a game of an archive.
    #[getter]
    fn game(&self) -> Option<u64> {
        match &self.origin {
            Origin::Archive { .. } => None,
            Origin::Index { number, .. } => Some(number + 1),
        }
    }

    /// The path of the file as given, or `archive.zip/entry.pdn`.
    #[getter]
    fn file(&self, py: Python<'_>) -> PyResult<String> {
        let name = match &self.origin {
            Origin::Archive { batch, .. } => batch.name(),
            Origin::Index { shared, .. } => {
                let input = self.input(py)? as usize;
                return Ok(path_text(&shared.index.inputs()[input].name).into_owned());
            }
        };
        Ok(path_text(name).into_owned())
    }

    /// The number of the record in the file, from 1.
    #[getter]
    fn record(&self, py: Python<'_>) -> PyResult<u64> {
        match &self.origin {
            Origin::Archive { batch, at, .. } => Ok(batch.first() + *at as u64 + 1),
            Origin::Index { shared, number } => {
                let numbers = shared.numbers.get_or_init(|| shared.index.record_numbers().ok());
                let record = numbers.as_ref().and_then(|numbers| Some(numbers.get(*number)? + 1));
                record.ok_or_else(|| error(py, "the index is damaged: the record has no number"))
            }
        }
    }

    /// The offset of the record in the unpacked file, in bytes from 0.
    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<u64> {
        match &self.origin {
            Origin::Archive { batch, at, .. } => {
                let offset = batch.get(*at).map_or(0, |game| game.offset());
                Ok(batch.offsets().map_or(offset, |offsets| offsets.original_offset(offset)))
            }
            Origin::Index { shared, number } => {
                let indexed = shared.index.game(*number).expect("the game is in its index");
                indexed.location().map(|location| location.offset).map_err(|error| from_pdn(py, &error))
            }
        }
    }

    /// The player of White.
    #[getter]
    fn white(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.text_of(py, |row| row.white.to_owned(), TagName::White)
    }

    /// The player of Black.
    #[getter]
    fn black(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.text_of(py, |row| row.black.to_owned(), TagName::Black)
    }

    /// The Event tag.
    #[getter]
    fn event(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.text_of(py, |row| row.event.to_owned(), TagName::Event)
    }

    /// The Site tag.
    #[getter]
    fn site(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.text_of(py, |row| row.site.to_owned(), TagName::Site)
    }

    /// The Round tag, as written.
    #[getter]
    fn round(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.text_of(py, |row| row.round.to_owned(), TagName::Round)
    }

    /// The date, if year, month and day are known.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDate>>> {
        let date = self.any_date(py)?;
        let (Some(year), Some(month), Some(day)) = (date.year(), date.month(), date.day()) else {
            return Ok(None);
        };
        // Python has no year 0.
        if year == 0 { Ok(None) } else { PyDate::new(py, year.into(), month, day).map(Some) }
    }

    /// The Date tag as written; of a game of an index, the date as `1967.01.05`, with `??` for what is unknown.
    #[getter]
    fn date_text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        if let Some(row) = self.row(py)? {
            return Ok((!row.date.is_unknown()).then(|| row.date.to_string()));
        }
        self.text_of(py, |_| String::new(), TagName::Date)
    }

    /// The year of the date.
    #[getter]
    fn year(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        Ok(self.any_date(py)?.year())
    }

    /// The rating of White.
    #[getter]
    fn white_rating(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        self.rating(py, 0)
    }

    /// The rating of Black.
    #[getter]
    fn black_rating(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        self.rating(py, 1)
    }

    /// The result that counts, as written: the Result tag, or the terminator if the tag gives no result.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Option<String>> {
        if let Some(row) = self.row(py)? {
            return Ok(Some(row.result.to_owned()).filter(|text| !text.is_empty()));
        }
        self.with_record(py, |view, decoder| Some(decoded(decoder, view.raw(), result(&view)?).into_owned()))
    }

    /// How the game ended: `white`, `black` or `draw`; None for no result and for a loss of both. Replays the game.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        let (outcome, start) = match self.row(py)? {
            Some(row) => (row.outcome, row.kind.numbering.start),
            None => {
                let summary = self.summary(py)?;
                (summary.outcome(), summary.numbering.start)
            }
        };
        Ok(match outcome {
            Outcome::Draw => Some("draw"),
            outcome => outcome.winner(start).map(colour_name),
        })
    }

    /// The name of the variant. Replays the game.
    #[getter]
    fn variant(&self, py: Python<'_>) -> PyResult<&'static str> {
        match self.row(py)? {
            Some(row) => Ok(row.kind.variant.name()),
            None => Ok(self.summary(py)?.variant.name()),
        }
    }

    /// What a replay finds: `legal`, `illegal`, `ambiguous`, `damaged`, `empty`, `unsupported` or `problem`.
    #[getter]
    fn status(&self, py: Python<'_>) -> PyResult<&'static str> {
        match self.row(py)? {
            Some(row) => Ok(row.status.name()),
            None => Ok(self.summary(py)?.status.name()),
        }
    }

    /// The number of legal plies of the main line. Replays the game.
    #[getter]
    fn plies(&self, py: Python<'_>) -> PyResult<u32> {
        match self.row(py)? {
            Some(row) => Ok(row.plies),
            None => Ok(self.summary(py)?.plies),
        }
    }

    /// All tags as a dictionary; of several with one name the first.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        self.with_record(py, |view, decoder| {
            for tag in view.tags() {
                let name = decoder.text(view.raw(), tag.name);
                if !tags.contains(name.as_ref())? {
                    tags.set_item(name.as_ref(), decoded(decoder, view.raw(), tag.value.trim_ascii()))?;
                }
            }
            Ok(tags)
        })?
    }

    /// The written moves of the main line, legal or not.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_record(py, |view, decoder| {
            view.moves().map(|written| decoder.text(view.raw(), written.text).into_owned()).collect()
        })
    }

    /// The text of the record.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.with_record(py, |view, decoder| decoder.text(view.raw(), view.raw()).into_owned())
    }

    /// The bytes of the record, as they stand in the file; of a file in UTF-16, in UTF-8.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.with_record(py, |view, _| PyBytes::new(py, view.raw()))
    }

    /// The position before the first move. Replays the game.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<Position> {
        let summary = self.summary(py)?;
        Ok(Position::of(summary.start_position(), summary.variant))
    }

    /// The position after the last legal move. Replays the game.
    #[getter]
    fn last(&self, py: Python<'_>) -> PyResult<Position> {
        let summary = self.summary(py)?;
        Ok(Position::of(summary.last_position(), summary.variant))
    }

    /// Replays the main line: returns a sequence of pairs of a position and the move played in it.
    fn replay(&self, py: Python<'_>) -> PyResult<Replay> {
        let mut plies = PlyCollector::default();
        let summary = self.replay_into(py, Some(&mut plies))?;
        let stopped = self.stopped(py, &summary)?;
        Ok(Replay::new(plies, &summary, stopped))
    }

    /// The comments of the record, in text order, those of variations included.
    #[getter]
    fn comments(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_record(py, |view, decoder| {
            let mut comments = Comments::default();
            // The visitor never breaks off.
            let _ = walk_with(view.raw(), &Limits::DEFAULT, &mut comments);
            comments.0.iter().map(|text| decoder.text(view.raw(), text).into_owned()).collect()
        })
    }

    /// The lines of the game, for `pdn._tree`.
    fn _lines(&self, py: Python<'_>) -> PyResult<Vec<Line>> {
        let variant = self.summary(py)?.variant;
        let (kept, options) = match &self.origin {
            Origin::Archive { context, .. } => (&context.replayer, &context.options),
            Origin::Index { shared, .. } => (&shared.replayer, &ReplayOptions::new()),
        };
        self.with_record(py, |view, decoder| {
            // What was inferred once is not inferred again, of the record alone.
            let game = kept.lend(options, Some(variant.into()), |replayer| replayer.replay_annotated(view));
            let end = view.terminator().map_or(view.raw().len(), |end| end.span.start as usize);
            let record = view.raw().get(..end).unwrap_or_default();
            annotated::lines(&game, variant, record, |part| decoder.text(view.raw(), part).into_owned())
        })
    }

    /// Whether a time of two numbers is minutes and seconds in the game, for `pdn._tree`.
    fn _has_seconds(&self, py: Python<'_>) -> PyResult<bool> {
        self.with_record(py, |view, _| TwoNumbers::of_record(view.raw()) == TwoNumbers::MinutesSeconds)
    }

    /// Returns the text after the last move if it says how the game ended, although it is no end of PDN, such as `1/2`; for `pdn._tree`.
    fn _end(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with_record(py, |view, _| {
            let mut end = EndText::default();
            walk(view.raw(), &mut end);
            let text = end.0.of(view.raw());
            let says_end = GameResult::parse(text).outcome() != Outcome::Unknown;
            says_end.then(|| String::from_utf8_lossy(text).into_owned())
        })
    }

    /// Returns the diagnostics of the record, as `pdn.check` does. Places count from the start of the record. `strict`
    /// includes those of severity `style`.
    #[pyo3(signature = (*, strict=false))]
    fn diagnostics(&self, py: Python<'_>, strict: bool) -> PyResult<Vec<Diagnostic>> {
        let variant = Variant::from_name(self.variant(py)?);
        let file = self.file(py)?;
        let bytes = self.with_record(py, |view, _| view.raw().to_vec())?;
        let memory = ArchiveInput::Memory(file.into(), Bytes::from(bytes));
        let mut options = TableOptions::new();
        options.export = ExportOptions::new().replay(ReplayOptions::new().variant(variant)).style(strict);
        options.threads = std::num::NonZeroUsize::MIN;
        let columns = ColumnSelection::of(Table::Diagnostics);
        let table = ArrowTable::new(Rows::of([memory]), columns, options).map_err(|e| from_table(py, &e))?;
        let (record, reader) = (self.record(py)?, table.reader());
        let mut all = Vec::new();
        for batch in reader {
            let batch = batch.map_err(|error| from_arrow(py, &error))?;
            all.extend(read_diagnostics(&batch).into_iter().map(|found| found.with_record(record)));
        }
        Ok(all)
    }

    /// A game of an archive takes its text along, one of an index its place in it.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>)> {
        let module = py.import("pdn._pdn")?;
        let arguments = match &self.origin {
            Origin::Index { shared, number } => {
                let place = (shared.index.dir().to_owned(), number + 1);
                return Ok((module.getattr("restore_indexed_game")?, place.into_py_any(py)?));
            }
            Origin::Archive { batch, context, .. } => {
                let head = ArchiveHead::of_batch(batch, &context.options).to_string();
                let place = (self.file(py)?, self.offset(py)?, self.record(py)?);
                (self.raw(py)?, place, head, context.reading.arguments(py)?)
            }
        };
        Ok((module.getattr("restore_game")?, arguments.into_py_any(py)?))
    }

    /// Games are equal if their records have the same text and the same variant.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.get();
        Ok(self.text(py)? == other.text(py)? && self.variant(py)? == other.variant(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut state = DefaultHasher::new();
        self.text(py)?.hash(&mut state);
        Ok(state.finish())
    }

    /// The text of the record, so that `print` writes PDN.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<pdn.Game: {}>", self.title(py)?))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let title = self.title(py)?.replace('&', "&amp;").replace('<', "&lt;");
        let picture = self.last(py)?.draw(300, None);
        let moves: Vec<String> =
            self.moves(py)?.iter().map(|mv| mv.replace('&', "&amp;").replace('<', "&lt;")).collect();
        let mut numbered = String::new();
        for (number, pair) in moves.chunks(2).enumerate() {
            let _ = write!(numbered, "{}. {} ", number + 1, pair.join(" "));
        }
        Ok(format!(
            "<div><b>{title}</b><br>{picture}<p style=\"max-width:40em\">{}</p></div>",
            numbered.trim_end()
        ))
    }
}

/// The span of the text without meaning after the last move of the main line; empty if there is none.
#[derive(Default)]
struct EndText(Span);

impl<'g> Visitor<'g> for EndText {
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.0 = Span::default();
        Flow::Continue(())
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.0 = if self.0.is_empty() { span } else { self.0.to(span) };
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
}

/// Returns the game of a record that was made in Python, as canonical PDN.
#[pyfunction]
pub(crate) fn made_game(py: Python<'_>, text: &[u8]) -> PyResult<Game> {
    /// Kept, because it has the tables of all variants.
    static CONVERTER: Mutex<Option<Box<Converter>>> = Mutex::new(None);
    /// The games that are made share it, so that one replayer is enough for them.
    static CONTEXT: OnceLock<Arc<GameContext>> = OnceLock::new();
    let mut written = Vec::new();
    let converted = {
        let mut kept = CONVERTER.lock().unwrap_or_else(PoisonError::into_inner);
        let converter = kept.get_or_insert_with(|| Box::new(Converter::new(&ConvertOptions::new())));
        converter.convert(RecordView::new(text), &Decoder::default(), &mut written)
    };
    converted.map_err(|reason| error(py, format!("new_game: {reason}")))?;
    let options = OpenOptions::new().encoding(Some(Encoding::UTF_8));
    let archive = pdn::Archive::from_bytes(Bytes::from(written), "<bytes>", &options);
    let context = CONTEXT
        .get_or_init(|| Arc::new(GameContext::new(ReadOptions { open: options, ..ReadOptions::default() })));
    first_game(py, archive, Arc::clone(context))
}

/// Returns the first game of an archive.
fn first_game(
    py: Python<'_>,
    archive: pdn::Result<pdn::Archive>,
    context: Arc<GameContext>,
) -> PyResult<Game> {
    let batch = archive.and_then(|archive| archive.batches().next().transpose());
    let batch = batch.map_err(|error| from_pdn(py, &error))?.filter(|batch| !batch.is_empty());
    let batch = batch.ok_or_else(|| error(py, "this text has no game"))?;
    Ok(Origin::Archive { batch: Arc::new(batch), at: 0, context }.into())
}

/// Returns a game of an archive that was pickled: its text, with file, offset and number, and what the first records of the file decide.
#[pyfunction]
pub(crate) fn restore_game(
    py: Python<'_>,
    text: Vec<u8>,
    place: (PathBuf, u64, u64),
    head: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<Game> {
    let (file, offset, record) = place;
    let file = path_of_text(&file).into_owned();
    let options = ReadOptions::read(py, Some(options))?;
    let head: ArchiveHead = head.parse().map_err(|unknown| error(py, format!("head: {unknown}")))?;
    let end = offset + text.len() as u64;
    let range = RecordRange::new(offset, Some(end), record.saturating_sub(1), 1, end);
    let archive = head.part_from_reader(Cursor::new(text), file, &range, &options.open);
    first_game(py, archive, Arc::new(GameContext::new(options)))
}
