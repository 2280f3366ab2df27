//! Copies the games of one segment to the end of another, for merging.

use super::annotations::PushedAnnotations;
use super::reader::Segment;
use super::rows::SegmentRows;
use super::writer::{PushedBatch, SegmentWriter};
use crate::format::annotations::AnnotationBits;
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::text_blocks;
use crate::pack::Codecs;
use crate::row::game_facts::PlayGame;
use crate::row::row_batch::{FixedRow, GameAnnotations};
use pdn::error::{Error, ErrorKind, Result};

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
    let texts: [Option<Vec<u32>>; DictionaryKind::COUNT] = DictionaryKind::ALL.map(|kind| {
        let dictionary = rows.dictionary(kind)?;
        let texts = (0..dictionary.len() as u32).map(|number| dictionary.get(number).unwrap_or(""));
        Some(texts.map(|text| to.intern(kind, text)).collect())
    });
    let start = |kind| {
        let start = from.start(kind);
        (start.board(), *start.state())
    };
    let (starts, mut codecs): (Vec<_>, _) = (rows.kinds().iter().map(start).collect(), Codecs::default());
    let kinds: Vec<u32> = rows.kinds().iter().map(|kind| to.kind(*kind)).collect();
    let (moves, text_checksums) = (from.moves()?, from.text_checksum_blocks()?);

    let (bits, variations, notes) = (from.annotation_bits()?, from.variations()?, from.notes()?);
    let (mut block, mut block_start) = (0, 0);
    for games in 0..moves.blocks() {
        for (game, moves) in moves.block(games)?.games() {
            let location =
                from.location(game)?.ok_or_else(|| from.damaged(Section::TextEnds, "a game is missing"))?;
            let translated = |numbers: &[u32], number: u64, section| {
                let number = usize::try_from(number).ok().and_then(|number| numbers.get(number));
                number.copied().ok_or_else(|| from.malformed(section))
            };
            let annotations = PushedAnnotations {
                variations: variations.as_ref().map_or(Ok(&[][..]), |variations| variations.get(game))?,
                notes: notes.as_ref().map_or(Ok(&[][..]), |notes| notes.get(game))?,
            };
            let mut row = FixedRow {
                text_checksum: 0,
                text_len: location.len as u32,
                moves_len: moves.len() as u32,
                annotations: GameAnnotations {
                    bits: AnnotationBits(
                        bits.map_or(u64::from(AnnotationBits::UNKNOWN), |bits| bits.get(game).unwrap_or(0))
                            as u8,
                    ),
                    variations_len: annotations.variations.len() as u32,
                    notes_len: annotations.notes.len() as u32,
                },
                texts: [0; TextColumn::COUNT],
                numbers: rows.numbers(game).unwrap_or_default().map(|number| number as u32),
            };
            for column in TextColumn::ALL {
                let dictionary = column.dictionary();
                row.texts[column as usize] =
                    match (rows.text_number(column, game), &texts[dictionary as usize]) {
                        (Some(number), Some(numbers)) => translated(numbers, number, column.section())?,
                        _ => to.intern(dictionary, ""),
                    };
            }
            if !rows.has_facts() {
                // An earlier version did not store them.
                let (board, start) = usize::try_from(row.numbers[NumberColumn::Kind as usize])
                    .ok()
                    .and_then(|kind| starts.get(kind))
                    .ok_or_else(|| from.malformed(Section::Kind))?;
                let played = board.with(PlayGame { codecs: &mut codecs, start, bytes: moves });
                let facts = played.map_err(|_| from.malformed(Section::Moves))?.facts;
                for &fact in NumberColumn::FACTS {
                    row.numbers[fact as usize] = facts.get(fact).unwrap_or(0);
                }
            }
            let kind = &mut row.numbers[NumberColumn::Kind as usize];
            *kind = translated(&kinds, u64::from(*kind), Section::Kind)?;
            let mut checksum_block = None;
            if game == block_start {
                let (games, checksum) = text_checksums
                    .get(block)
                    .ok_or_else(|| from.damaged(Section::TextSumEnds, "its contents are invalid"))?;
                checksum_block = Some((checksum, games.len() as u32));
                (block, block_start) = (block + 1, games.end);
            }
            let batch =
                PushedBatch { moves, annotations, input: location.input, offset: location.offset, text: b"" };
            to.push_row(&row, checksum_block, &batch).map_err(to_error)?;
        }
    }
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
