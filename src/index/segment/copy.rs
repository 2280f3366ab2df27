//! COPY

use super::reader::Segment;
use super::writer::{PushedBatch, SegmentWriter};
use crate::error::{Error, ErrorKind, Result};
use crate::index::format::column::Column;
use crate::index::format::section::Section;
use crate::index::format::text_blocks;
use crate::index::row::game_row::GameKind;
use crate::index::row::row_batch::{DICTIONARIES, DictionaryKind, Fixed};

/// Copies all games of a segment behind those of another. Everything is compared with its sum on the way.
pub(crate) fn copy(from: &Segment, to: &mut SegmentWriter) -> Result<()> {
    let at = |error| Error::from(error);
    if let Some((section, problem)) = from.compare().into_iter().next() {
        return Err(Error::new(ErrorKind::IndexDamaged { section, problem }).at(from.path()));
    }
    let numbers = DictionaryKind::ALL.map(|names| -> Result<Vec<u32>> {
        let known = from.names(names)?;
        Ok((0..known.len() as u32).map(|number| to.name(names, known.get(number).unwrap_or(""))).collect())
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
    let (moves, sums) = (from.moves()?, from.text_blocks()?);

    let (mut block, mut next) = (0, 0);
    for games in 0..moves.blocks() {
        for (game, moves) in moves.block(games)?.games() {
            let place =
                from.place(game)?.ok_or_else(|| from.damaged(Section::TextEnds, "a game is missing"))?;
            let value = |column: &Column<'_>| column.get(game).unwrap_or(0);
            let known = |numbers: &[u32], number: u64, section| {
                let own = usize::try_from(number).ok().and_then(|number| numbers.get(number));
                own.copied().ok_or_else(|| from.damaged(section, "its contents make no sense"))
            };
            let mut names = [0; 6];
            for ((name, column), of) in names.iter_mut().zip(&texts).zip(DICTIONARIES) {
                *name = known(&numbers[of as usize], value(column), of.sections()[0])?;
            }
            let fixed = Fixed {
                text_sum: 0,
                text_len: place.len as u32,
                moves_len: moves.len() as u32,
                texts: names,
                date: value(&date) as u32,
                plies: value(&plies) as u32,
                first: value(&first) as u32,
                last: value(&last) as u32,
                ratings: ratings.each_ref().map(|column| value(column) as u16),
                kind: known(&kinds, value(&kind), Section::Kind)? as u16,
                summary: value(&summary) as u8,
            };
            let mut sum = None;
            if game == next {
                let (games, of) = sums
                    .get(block)
                    .ok_or_else(|| from.damaged(Section::TextSumEnds, "its contents make no sense"))?;
                sum = Some((of, games.len() as u32));
                (block, next) = (block + 1, games.end);
            }
            let found = PushedBatch { moves, source: place.origin, offset: place.offset, text: b"" };
            to.put(&fixed, sum, &found).map_err(at)?;
        }
    }
    if from.has(Section::Text) {
        let all = from.text_len()?;
        let mut start = 0;
        while start < all {
            let end = all.min(start + text_blocks::BLOCK as u64);
            let piece = from.embedded_range(start..end)?;
            to.embed(piece.as_deref().unwrap_or_default()).map_err(at)?;
            start = end;
        }
    }
    Ok(())
}
