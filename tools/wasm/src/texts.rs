//! Texts that stay open: their games one after the other, and each with its moves.

use std::cell::RefCell;

use pdn::archive::{Archive, Batch, Batches, GameRef, InputLines};
use pdn::internal::replay::CandidateGame;
use pdn::internal::value::is_unknown;
use pdn::internal::view::TagValues;
use pdn::source::Bytes;
use pdn::value::TagName;
use pdn_app::ask::options::GivenOptions;
use pdn_app::find::show::{LinePly, show_record};
use pdn_app::read::inputs::ReadOptions;
use pdn_app::{AppError, ErrorCode, Result};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answer::Answer;

/// A text that is open. Its batches share the text; those that were read stay, so that any game can be shown.
struct OpenText {
    bytes: Bytes,
    rest: Batches,
    read: Vec<Batch>,
    /// For each batch that was read, the lines before its first game.
    lines: Vec<InputLines>,
    variant: Option<CandidateGame>,
}

thread_local! {
    /// The open texts by their number; the places of closed ones are empty.
    static TEXTS: RefCell<Vec<Option<OpenText>>> = const { RefCell::new(Vec::new()) };
}

/// A game of a text. What takes a replay is in the answer to `replay`.
#[derive(Serialize)]
struct Game {
    /// Number of the record, from 1.
    record: u64,
    /// Offset in the text, in bytes.
    offset: u64,
    /// Length in bytes.
    length: u64,
    /// Line of its first byte, from 1.
    line: u64,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    site: Option<String>,
    round: Option<String>,
    /// The date as 1999-12-31, if year, month and day are known.
    date: Option<String>,
    date_text: Option<String>,
    year: Option<u16>,
    month: Option<u8>,
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    result: Option<String>,
    tags: Map<String, Value>,
    moves: Vec<String>,
}

impl Game {
    fn of(game: &GameRef<'_>, line: u64) -> Self {
        let view = game.view();
        let original = |at: u64| game.offsets().map_or(at, |offsets| offsets.original_offset(at));
        let (offset, end) = (original(game.offset()), original(game.offset() + game.raw().len() as u64));
        let known = |tag: TagName| game.text(tag).filter(|text| !text.is_empty() && !is_unknown(text));
        let ratings = TagValues::of_names(&view, &[TagName::WhiteRating, TagName::BlackRating]);
        let date = game.date();
        let iso = date.year().zip(date.month()).zip(date.day());
        let end_text = || view.terminator().map_or(&b""[..], |end| end.text);
        let result = TagValues::of_names(&view, &[TagName::Result]).result(end_text);
        let mut tags = Map::new();
        for tag in view.tags() {
            let name = game.decode(tag.name).into_owned();
            if !tags.contains_key(&name) {
                let value = game.text(name.as_str()).unwrap_or_default();
                tags.insert(name, value.into());
            }
        }
        Self {
            record: game.number(),
            offset,
            length: end - offset,
            line,
            white: known(TagName::White),
            black: known(TagName::Black),
            event: known(TagName::Event),
            site: known(TagName::Site),
            round: known(TagName::Round),
            date: iso.map(|((year, month), day)| format!("{year:04}-{month:02}-{day:02}")),
            date_text: known(TagName::Date),
            year: date.year(),
            month: date.month(),
            white_rating: ratings.rating(TagName::WhiteRating),
            black_rating: ratings.rating(TagName::BlackRating),
            result: (!result.is_empty()).then(|| game.decode(result).into_owned()),
            tags,
            moves: view.moves().map(|written| game.decode(written.text).into_owned()).collect(),
        }
    }
}

impl OpenText {
    /// Reads the next batch; `false` at the end.
    fn read_next(&mut self) -> Result<bool> {
        let Some(batch) = self.rest.next() else { return Ok(false) };
        let batch = batch?;
        let lines = match (self.read.last(), self.lines.last()) {
            (Some(last), Some(lines)) => {
                let mut lines = *lines;
                last.games().for_each(|game| {
                    lines.pass(game);
                });
                lines
            }
            _ => InputLines::new(),
        };
        self.read.push(batch);
        self.lines.push(lines);
        Ok(true)
    }

    /// Returns the number of the batch that has a record, which is read if need be; `None` if there are fewer records.
    fn batch_of(&mut self, record: u64) -> Result<Option<usize>> {
        loop {
            let after = |batch: &Batch| batch.first() + batch.len() as u64;
            if self.read.last().is_some_and(|batch| record <= after(batch)) {
                return Ok(Some(self.read.partition_point(|batch| after(batch) < record)));
            }
            if !self.read_next()? {
                return Ok(None);
            }
        }
    }
}

/// Passes the text that the question names to `ask`.
fn with_text<T>(
    fields: &mut GivenOptions,
    ask: impl FnOnce(&mut OpenText, &mut GivenOptions) -> Result<T>,
) -> Result<T> {
    let number = fields.value::<u64>("text")?;
    TEXTS.with_borrow_mut(|texts| {
        let place = number.and_then(|number| usize::try_from(number).ok());
        let text = place.and_then(|place| texts.get_mut(place)).and_then(Option::as_mut);
        ask(text.ok_or_else(|| AppError::plain(ErrorCode::NotFound, "the text is closed"))?, fields)
    })
}

/// Returns the text of a question: the open one that it names, or the one that came with it.
pub(crate) fn given(fields: &mut GivenOptions, text: Vec<u8>) -> Result<Bytes> {
    if fields.has("text") {
        with_text(fields, |text, _| Ok(text.bytes.clone()))
    } else {
        Ok(Bytes::from(text))
    }
}

/// Returns the place of a record that has to be there: the number of its batch, and its index in it.
fn place_of(text: &mut OpenText, record: u64) -> Result<(usize, usize)> {
    let missing =
        || AppError::plain(ErrorCode::NoMatch, format!("the text has no record {record}")).in_field("record");
    let before = record.checked_sub(1).ok_or_else(missing)?;
    let batch = text.batch_of(record)?.ok_or_else(missing)?;
    Ok((batch, (before - text.read[batch].first()) as usize))
}

/// Opens a text. The answer has its number.
pub(crate) fn open(mut fields: GivenOptions, text: Vec<u8>) -> Result<Answer> {
    let read: ReadOptions = fields.group()?;
    fields.end()?;
    let bytes = Bytes::from(text);
    let rest = Archive::from_bytes(bytes.clone(), "-", &read.open(false))?.batches();
    let opened = OpenText { bytes, rest, read: Vec::new(), lines: Vec::new(), variant: read.variant };
    TEXTS.with_borrow_mut(|texts| {
        let place = texts.iter().position(Option::is_none).unwrap_or_else(|| {
            texts.push(None);
            texts.len() - 1
        });
        texts[place] = Some(opened);
        Answer::new(&json!({ "text": place }), Vec::new())
    })
}

/// Returns the games from record `record` on to the end of its batch of half a megabyte, at most `count`; none after the last.
pub(crate) fn games(mut fields: GivenOptions) -> Result<Answer> {
    with_text(&mut fields, |text, fields| {
        let record = fields.value("record")?.unwrap_or(1).max(1);
        let count = fields.value("count")?.unwrap_or(u64::MAX);
        let Some(batch) = text.batch_of(record)? else {
            return Answer::new(&json!({ "games": [] }), Vec::new());
        };
        let (batch, mut lines) = (&text.read[batch], text.lines[batch]);
        let mut found = Vec::new();
        for game in batch.games() {
            let line = lines.pass(game).at(0).line;
            if game.number() >= record && (found.len() as u64) < count {
                found.push(Game::of(&game, line));
            }
        }
        Answer::new(&json!({ "games": found }), Vec::new())
    })
}

/// Returns the text of a record, in UTF-8.
pub(crate) fn text(mut fields: GivenOptions) -> Result<Answer> {
    with_text(&mut fields, |text, fields| {
        let (batch, index) = place_of(text, fields.value("record")?.unwrap_or(1))?;
        let game = text.read[batch].get(index);
        let decoded = game.map(|game| game.decode(game.raw()).into_owned()).unwrap_or_default();
        Answer::new(&json!({}), decoded.into_bytes())
    })
}

/// Replays a record: its moves, variations, comments and positions.
pub(crate) fn replay(mut fields: GivenOptions) -> Result<Answer> {
    with_text(&mut fields, |text, fields| {
        let (batch, index) = place_of(text, fields.value("record")?.unwrap_or(1))?;
        let at = LinePly::default();
        let game = show_record(&text.read[batch], index, at, text.variant, |game| game.answer())?;
        let mut game = json!(game);
        if let Some(game) = game.as_object_mut() {
            game.shift_remove("file");
        }
        Answer::new(&game, Vec::new())
    })
}

/// Closes a text, and frees its memory.
pub(crate) fn close(mut fields: GivenOptions) -> Result<Answer> {
    let number = fields.value::<u64>("text")?;
    fields.end()?;
    TEXTS.with_borrow_mut(|texts| {
        let place = number.and_then(|number| usize::try_from(number).ok());
        if let Some(text) = place.and_then(|place| texts.get_mut(place)) {
            *text = None;
        }
    });
    Answer::new(&json!({}), Vec::new())
}
