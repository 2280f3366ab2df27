//! Copies the games of one segment to the end of another, for merging.

use super::reader::{RecordLocation, Segment};
use super::rows::SegmentRows;
use super::writer::{IdMap, RemainingGames, SegmentWriter};
use crate::format::annotations::AnnotationBits;
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::text_blocks;
use crate::pack::Codecs;
use crate::row::game_facts::PlayGame;
use crate::row::row_batch::RowBatch;
use pdn::error::{Error, ErrorKind, Result};

/// Maximum number of games that are appended at once.
const BATCH_GAMES: usize = 1 << 10;
/// Bytes of moves after which no more games are added to those that are appended at once.
const BATCH_MOVES: usize = 1 << 20;

/// Appends all games of `from` to the segment that `to` writes. Everything is verified on the way.
///
/// # Errors
/// Fails if `from` is damaged or `to` cannot be written.
pub(crate) fn copy(from: &Segment, to: &mut SegmentWriter) -> Result<()> {
    let to_error = |error| Error::from(error);
    if let Some((section, problem)) = from.check_sections().into_iter().next() {
        return Err(Error::new(ErrorKind::IndexDamaged { section, problem }).at(from.path()));
    }
    let rows = SegmentRows::new(from)?;
    let texts = DictionaryKind::ALL.map(|kind| match rows.dictionary(kind) {
        Some(dictionary) => {
            let texts = (0..dictionary.len() as u32).map(|number| dictionary.get(number).unwrap_or(""));
            texts.map(|text| to.intern(kind, text)).collect()
        }
        // Columns without a dictionary are read as zeros.
        None => vec![to.intern(kind, "")],
    });
    let start = |kind| {
        let start = from.start(kind);
        (start.board(), *start.state())
    };
    let (starts, mut codecs): (Vec<_>, _) = (rows.kinds().iter().map(start).collect(), Codecs::default());
    let kinds = rows.kinds().iter().map(|kind| to.kind(*kind)).collect();
    let ids = IdMap { texts, kinds };
    let (moves, text_checksums) = (from.moves()?, from.text_checksum_blocks()?);

    let (bits, variations, notes) = (from.annotation_bits()?, from.variations()?, from.notes()?);
    let (mut block, mut block_start) = (0, 0);
    // Games that follow each other in one input, and the place of the first.
    let (mut batch, mut first, mut checksums) = (RowBatch::new(), None, Vec::new());
    let mut append = |batch: &mut RowBatch, first: Option<RecordLocation>, checksums: &mut Vec<_>| {
        let Some(RecordLocation { input, offset, .. }) = first else { return Ok(()) };
        let mut games = RemainingGames::all(batch, input, offset, b"");
        let appended = to.append(&mut games, batch.len(), &ids, checksums.drain(..));
        batch.clear();
        appended.map_err(Error::from)
    };
    let mut next = None;
    for games in 0..moves.blocks() {
        for (game, moves) in moves.block(games)?.games() {
            let location =
                from.location(game)?.ok_or_else(|| from.damaged(Section::TextEnds, "a game is missing"))?;
            let is_full = batch.len() == BATCH_GAMES || batch.moves.len() >= BATCH_MOVES;
            if is_full || next != Some((location.input, location.offset)) {
                append(&mut batch, first.replace(location), &mut checksums)?;
            }
            next = Some((location.input, location.offset.saturating_add(location.len)));
            batch.moves().extend(moves);
            let own = &mut batch.annotations;
            own.variations
                .extend(variations.as_ref().map_or(Ok(&[][..]), |variations| variations.get(game))?);
            own.notes.extend(notes.as_ref().map_or(Ok(&[][..]), |notes| notes.get(game))?);
            own.bits = bits.map_or(AnnotationBits::UNKNOWN, |bits| bits.get(game).unwrap_or(0) as u8);
            let mut texts = [0; TextColumn::COUNT];
            for column in TextColumn::ALL {
                let number = rows.text_number(column, game).unwrap_or(0);
                if number >= ids.texts[column.dictionary() as usize].len() as u64 {
                    return Err(from.malformed(column.section()));
                }
                texts[column as usize] = number as u32;
            }
            let mut numbers = rows.numbers(game).unwrap_or_default().map(|number| number as u32);
            let kind = starts.get(numbers[NumberColumn::Kind as usize] as usize);
            let (board, start) = kind.ok_or_else(|| from.malformed(Section::Kind))?;
            if !rows.has_facts() {
                // An earlier version did not store them.
                let played = board.with(PlayGame { codecs: &mut codecs, start, bytes: moves });
                let facts = played.map_err(|_| from.malformed(Section::Moves))?.facts;
                for &fact in NumberColumn::FACTS {
                    numbers[fact as usize] = facts.get(fact).unwrap_or(0);
                }
            }
            if game == block_start {
                let (games, checksum) = text_checksums
                    .get(block)
                    .ok_or_else(|| from.damaged(Section::TextSumEnds, "its contents are invalid"))?;
                checksums.push((checksum, games.len() as u32));
                (block, block_start) = (block + 1, games.end);
            }
            batch.push_numbers(location.len as usize, texts, numbers);
        }
    }
    append(&mut batch, first, &mut checksums)?;
    if from.has(Section::Text) {
        let text_len = from.text_len()?;
        let mut start = 0;
        while start < text_len {
            let end = text_len.min(start + text_blocks::BLOCK as u64);
            let text = from.embedded_range(start..end)?;
            to.embed(text.as_deref().unwrap_or_default()).map_err(to_error)?;
            start = end;
        }
    }
    Ok(())
}
