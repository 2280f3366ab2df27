//! A game of an archive or an index with its tags, moves, variations, comments and positions.

mod answer;
#[cfg(feature = "index")]
mod request;

use pdn::archive::Batch;
use pdn::internal::replay::CandidateGame;
use pdn::parse::{TagPair, unescape};
use pdn::position::{Move, Position};
use pdn::replay::{AnnotatedGame, AnnotatedLine, AnnotatedPly, ReplayOptions, Replayer, VariantBasis};
use pdn::value::{FenStyle, decode_entities};

pub use self::answer::{GameAnswer, PlyAnswer, StopAnswer, VariationAnswer, VariationsAnswer};
#[cfg(feature = "index")]
pub use self::request::{ShowRequest, show_indexed};
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::plies;

/// Maximum length in bytes of a record that is shown; its annotated game may take 200 times as much memory.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// A place in a game: a line, and a ply of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinePly {
    /// The line: 0 for the main line, 1, 2 and so on for the variations in the order in which their brackets open.
    pub line: usize,
    /// The number of plies before the position, counted from the beginning of the game; `None` for the end of the line.
    pub ply: Option<usize>,
}

/// Replays a game of a batch by its index there, and passes it to `then`, with the position at a place of the game. A game that no tag
/// names is of the variant `variant`; `None` infers it from the first games of its input.
///
/// # Errors
///
/// If there is no such game or ply, or the game is too long.
pub fn show_record<T>(
    batch: &Batch,
    index: usize,
    at: LinePly,
    variant: Option<CandidateGame>,
    then: impl FnOnce(&ShownGame<'_>) -> T,
) -> Result<T> {
    let number = batch.first() + index as u64 + 1;
    let record = FoundRecord { batch, index, variant, basis: None, place: None, fen_style: FenStyle::Pdn };
    replayed(record, number, at, then)
}

/// A record that was found, with what is known of its variant.
struct FoundRecord<'a> {
    batch: &'a Batch,
    /// Index of the game in the batch.
    index: usize,
    variant: Option<CandidateGame>,
    basis: Option<VariantBasis>,
    /// Its numbers, if it comes from an index.
    place: Option<Place>,
    /// How positions are written in the answer.
    fen_style: FenStyle,
}

/// Replays a record with its variations and passes it to `then`, with the position at a place.
fn replayed<T>(
    record: FoundRecord<'_>,
    number: u64,
    at: LinePly,
    then: impl FnOnce(&ShownGame<'_>) -> T,
) -> Result<T> {
    let FoundRecord { batch, index, variant, basis, place, fen_style } = record;
    let Some(game) = batch.get(index).filter(|game| game.raw().len() <= MAX_RECORD_BYTES) else {
        let message = message!("long_game", "game {number} is too long to be shown");
        return Err(AppError::new(ErrorCode::TooMuch, message).at(batch.name()));
    };
    let mut replayer = Replayer::new(&ReplayOptions::new().game(variant));
    let mut annotated = replayer.replay_annotated(game);
    annotated.summary.basis = basis.unwrap_or(annotated.summary.basis);
    let LinePly { line: number_of_line, ply } = at;
    let Some((line, first)) = find_line(&annotated.main, number_of_line) else {
        let message =
            message!("no_variation", "the game has no such variation, or no move of it can be replayed");
        let error = AppError::new(ErrorCode::NoMatch, message).in_field("line");
        return Err(error.value(number_of_line.to_string()));
    };
    let last = first + line.plies.len();
    let ply = ply.unwrap_or(last);
    if !(first..=last).contains(&ply) {
        let message = match number_of_line {
            0 => {
                let noun = if last == 1 { "ply" } else { "plies" };
                message!("no_ply", "only {last} {noun} can be replayed", last = last as u64)
            }
            _ => message!(
                "no_ply_between",
                "the variation has the plies {first} to {last}",
                first = first as u64,
                last = last as u64
            ),
        };
        let error = AppError::new(ErrorCode::NoMatch, message).in_field("ply");
        return Err(error.value(ply.to_string()));
    }
    let place = place.unwrap_or_else(|| Place {
        game: None,
        record: batch.first() + index as u64 + 1,
        offset: game.view().record().offset,
    });
    Ok(then(&ShownGame { batch, index, place, annotated: &annotated, line, first, ply, fen_style }))
}

/// The numbers of a game.
#[derive(Debug)]
struct Place {
    /// Number of the game in the index, from 1, if it comes from one.
    game: Option<u64>,
    /// Number of the record in its input, from 1.
    record: u64,
    /// Offset of the record in the text of its input.
    offset: u64,
}

/// A game and the ply whose position is shown.
#[derive(Debug)]
pub struct ShownGame<'a> {
    batch: &'a Batch,
    /// Index of the game in its batch.
    index: usize,
    place: Place,
    /// The game with its variations and comments.
    pub annotated: &'a AnnotatedGame<'a>,
    /// The line of the position that is shown.
    pub line: &'a AnnotatedLine<'a>,
    /// Number of plies before the first position of that line.
    pub first: usize,
    /// Number of plies before the position that is shown.
    pub ply: usize,
    /// How positions are written in the answer.
    fen_style: FenStyle,
}

/// Returns the number of plies before the first position of a variation of a ply, which is number `number` of the game: one more, if
/// the variation continues after the ply instead of replacing it.
fn first_ply(variation: &AnnotatedLine<'_>, ply: &AnnotatedPly<'_>, number: usize) -> usize {
    let continues = variation.plies.first().is_some_and(|next| next.position.turn() != ply.position.turn());
    number + usize::from(continues)
}

/// Finds a line by its number, with the number of plies before its first position. A variation before the first move of its line, or
/// after its last legal one, is not found.
fn find_line<'l, 'g>(main: &'l AnnotatedLine<'g>, number: usize) -> Option<(&'l AnnotatedLine<'g>, usize)> {
    let mut open = vec![(main, 0)];
    while let Some((line, first)) = open.pop() {
        if line.number as usize == number {
            return Some((line, first));
        }
        for (at, ply) in line.plies.iter().enumerate() {
            let variations = ply.variations.iter();
            open.extend(variations.map(|variation| (variation, first_ply(variation, ply, first + at))));
        }
    }
    None
}

impl ShownGame<'_> {
    /// Returns the position that is shown and the move before it.
    pub fn position(&self) -> (Position, Option<Move>) {
        let position = match self.line.plies.get(self.ply - self.first) {
            Some(next) => next.position,
            None => self.line.last,
        };
        (position, self.last_ply().map(|ply| ply.mv))
    }

    /// Returns the ply of its line before the position that is shown.
    pub fn last_ply(&self) -> Option<&AnnotatedPly<'_>> {
        (self.ply - self.first).checked_sub(1).and_then(|last| self.line.plies.get(last))
    }

    /// Returns the bytes of the record.
    pub fn raw(&self) -> &[u8] {
        self.batch.get(self.index).map_or(&[], |game| game.raw())
    }

    /// Converts an offset in the record to an offset in the input.
    fn at(&self, offset: u32) -> u64 {
        let offset = self.place.offset + u64::from(offset);
        self.batch.offsets().map_or(offset, |offsets| offsets.original_offset(offset))
    }

    /// Decodes bytes of the record.
    pub fn decode(&self, part: &[u8]) -> String {
        self.batch.decoder().text(self.raw(), part).into_owned()
    }

    /// Decodes the value of a tag, without escapes, entities and surrounding whitespace, as `pdn find` does.
    fn decode_value(&self, value: &[u8]) -> String {
        decode_entities(&self.decode(&unescape(value))).trim().to_owned()
    }

    /// Returns names and values of all tags, in order.
    fn tags(&self) -> Vec<(String, String)> {
        self.batch.get(self.index).map_or_else(Vec::new, |game| self.decode_tags(game.view().tags()))
    }

    /// Returns names and values of the tags of the tag section, in order.
    pub fn section_tags(&self) -> Vec<(String, String)> {
        self.batch.get(self.index).map_or_else(Vec::new, |game| self.decode_tags(game.view().section_tags()))
    }

    fn decode_tags<'g>(&self, tags: impl Iterator<Item = TagPair<'g>>) -> Vec<(String, String)> {
        tags.map(|tag| (self.decode(tag.name), self.decode_value(tag.value))).collect()
    }

    /// Returns the sentence about where and why the replay stopped, if it did.
    pub fn stop_text(&self) -> Option<String> {
        let stop = self.annotated.summary.stop?;
        let text = self.decode(stop.span.of(self.raw()));
        let text: String = text.chars().take(40).collect();
        Some(format!("stops after {} at `{}`: {}", plies(u64::from(stop.ply)), text, stop.reason.text()))
    }
}
