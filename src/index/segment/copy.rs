//! Copies the games of one segment to the end of another, for merging.

use super::reader::Segment;
use super::writer::{PushedBatch, SegmentWriter};
use crate::error::{Error, ErrorKind, Result};
use crate::index::format::column::Column;
use crate::index::format::section::Section;
use crate::index::format::text_blocks;
use crate::index::row::game_row::GameKind;
use crate::index::row::row_batch::{DictionaryKind, FixedRow, TEXT_DICTIONARIES};

/// Appends all games of `from` to the segment that `to` writes. Everything is verified on the way.
///
/// # Errors
/// Fails if `from` is damaged or `to` cannot be written.
pub(crate) fn copy(from: &Segment, to: &mut SegmentWriter) -> Result<()> {
    let to_error = |error| Error::from(error);
    if let Some((section, problem)) = from.check_sections().into_iter().next() {
        return Err(Error::new(ErrorKind::IndexDamaged { section, problem }).at(from.path()));
    }
    let numbers = DictionaryKind::ALL.map(|names| -> Result<Vec<u32>> {
        let dictionary = from.dictionary(names)?;
        Ok((0..dictionary.len() as u32)
            .map(|number| to.intern(names, dictionary.get(number).unwrap_or("")))
            .collect())
    });
    let [players, events, sites, rounds, results] = numbers;
    let numbers = [players?, events?, sites?, rounds?, results?];
    let kinds: Vec<u32> = from.kinds()?.into_iter().map(|kind: GameKind| to.kind(kind)).collect();
    let texts =
        [Section::White, Section::Black, Section::Event, Section::Site, Section::Round, Section::Result];
    let texts = texts.map(|section| from.column(section));
    let [white, black, event, site, round, result] = texts;
    let texts = [white?, black?, event?, site?, round?, result?];
    let (kind, date) = (from.column(Section::Kind)?, from.column(Section::Date)?);
    let ratings = [from.column(Section::WhiteRating)?, from.column(Section::BlackRating)?];
    let (summary, plies) = (from.column(Section::Summary)?, from.column(Section::Plies)?);
    let (first, last) = (from.column(Section::First)?, from.column(Section::Last)?);
    let (moves, text_checksums) = (from.moves()?, from.text_checksum_blocks()?);

    let (mut block, mut block_start) = (0, 0);
    for games in 0..moves.blocks() {
        for (game, moves) in moves.block(games)?.games() {
            let location =
                from.location(game)?.ok_or_else(|| from.damaged(Section::TextEnds, "a game is missing"))?;
            let value = |column: &Column<'_>| column.get(game).unwrap_or(0);
            let dictionary = |numbers: &[u32], number: u64, section| {
                let id = usize::try_from(number).ok().and_then(|number| numbers.get(number));
                id.copied().ok_or_else(|| from.damaged(section, "its contents are invalid"))
            };
            let mut names = [0; 6];
            for ((name, column), checksum) in names.iter_mut().zip(&texts).zip(TEXT_DICTIONARIES) {
                *name = dictionary(&numbers[checksum as usize], value(column), checksum.sections()[0])?;
            }
            let row = FixedRow {
                text_checksum: 0,
                text_len: location.len as u32,
                moves_len: moves.len() as u32,
                texts: names,
                date: value(&date) as u32,
                plies: value(&plies) as u32,
                first: value(&first) as u32,
                last: value(&last) as u32,
                ratings: ratings.each_ref().map(|column| value(column) as u16),
                kind: dictionary(&kinds, value(&kind), Section::Kind)? as u16,
                summary: value(&summary) as u8,
            };
            let mut checksum_block = None;
            if game == block_start {
                let (games, checksum) = text_checksums
                    .get(block)
                    .ok_or_else(|| from.damaged(Section::TextSumEnds, "its contents are invalid"))?;
                checksum_block = Some((checksum, games.len() as u32));
                (block, block_start) = (block + 1, games.end);
            }
            let batch = PushedBatch { moves, input: location.input, offset: location.offset, text: b"" };
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
