//! Many small segments into few large ones.
//!
//! Every [`append`](super::IndexWriter::append) adds a segment, and each costs every query a little. So when a writer
//! commits, segments of about the same size that stand together are merged, eight or more at a time: an index that grows
//! game by game has some ten of them, and a game is copied once for each power of eight in the size of the index. [`merge`]
//! makes as few as the layout allows.
//!
//! Games keep their order and their numbers, and nothing but the cut between segments changes: every query answers as
//! before. Which segments are merged depends on their sizes alone. It needs neither the archives nor more memory than
//! building, costs about a microsecond a game, and is part of the one step in which the manifest is replaced.

use std::ops::Range;
use std::path::Path;

use super::builder::{IndexWriter, SegmentOptions};
use super::index::Index;
use super::row::GameKind;
use super::rows::{DICTIONARIES, DictionaryKind, Fixed};
use super::section::{Section, VERSION};
use super::text;
use super::view::Segment;
use super::write::{PushedBatch, SegmentWriter};
use crate::error::{Error, ErrorKind, Result};

/// So many segments of a size make one of the next.
const MERGE_FACTOR: u32 = 8;

/// What a merge did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergeReport {
    /// Segments there were.
    pub before: usize,
    /// Segments there are.
    pub after: usize,
    /// Games of the index.
    pub games: u64,
    /// Bytes of the segments.
    pub bytes: u64,
}

/// Merges the segments of the index in a folder into as few as `layout` allows, of which only the most games of a
/// segment count. Killed at any moment, it leaves the old segments or the new ones.
///
/// # Errors
/// When there is no index, another process is writing it, a segment is damaged, or the disk does not take it; then
/// the index stays as it is.
pub fn merge(dir: impl AsRef<Path>, layout: SegmentOptions) -> Result<MergeReport> {
    let dir = dir.as_ref();
    let mut builder = IndexWriter::append(dir, layout)?;
    let before = builder.segments();
    if builder.merge_all()? {
        builder.commit()?;
    }
    let index = Index::open(dir)?;
    Ok(MergeReport { before, after: index.segments().len(), games: index.len(), bytes: index.file_bytes() })
}

/// What decides whether a segment is merged with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergeInput {
    games: u32,
    /// Bytes of memory that its names take at most.
    names: usize,
    /// Segments of different sorts are never merged: of older versions, with text and without.
    sort: Option<bool>,
}

/// The most of a merged segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentLimits {
    pub(super) games: u32,
    pub(super) names: usize,
}

impl MergeInput {
    /// What is to be known of a segment. O(1).
    pub(super) fn of(segment: &Segment) -> Self {
        let names = DictionaryKind::ALL.into_iter().map(|names| {
            let [text, ends, _] = names.sections();
            // An end takes a few bits there and 32 bytes here; what it is exactly does not matter.
            (segment.section_len(text) + 32 * segment.section_len(ends)) as usize
        });
        Self {
            games: segment.len() as u32,
            names: names.sum(),
            sort: (segment.version() == VERSION).then(|| segment.has(Section::Text)),
        }
    }

    /// 0 for a game or a few, one more for each time eight.
    fn size(&self) -> u32 {
        self.games.max(1).ilog(MERGE_FACTOR)
    }
}

/// Whether these become one segment.
fn fit(parts: &[MergeInput], most: SegmentLimits) -> bool {
    let games: u64 = parts.iter().map(|part| u64::from(part.games)).sum();
    let names: usize = parts.iter().map(|part| part.names).sum();
    let sort = parts.first().and_then(|part| part.sort);
    sort.is_some()
        && parts.iter().all(|part| part.sort == sort)
        && games <= u64::from(most.games)
        && names <= most.names
}

/// The last segments that it is time to merge, if any: eight of a size, and with them the smaller ones among them. So there
/// are at most seven of each size.
pub(super) fn due(parts: &[MergeInput], most: SegmentLimits) -> Option<Range<usize>> {
    let last = parts.last()?;
    let others = parts.iter().rposition(|part| part.sort != last.sort).map_or(0, |other| other + 1);
    let (mut start, mut size) = (parts.len(), last.size());
    loop {
        while start > others && parts[start - 1].size() <= size {
            start -= 1;
        }
        let run = &parts[start..];
        // A large one takes the small ones before it along; small ones do not make a large one be written again.
        let many = if size == last.size() {
            run.len()
        } else {
            run.iter().filter(|part| part.size() == size).count()
        };
        if many >= MERGE_FACTOR as usize && fit(run, most) {
            return Some(start..parts.len());
        }
        // Larger ones before them may be many enough.
        size = parts[others..start].last()?.size();
    }
}

/// The segments to merge so that as few as possible are left, in order.
pub(super) fn packs(parts: &[MergeInput], most: SegmentLimits) -> Vec<Range<usize>> {
    let mut packs: Vec<Range<usize>> = Vec::new();
    for next in 0..parts.len() {
        match packs.last_mut() {
            Some(pack) if fit(&parts[pack.start..=next], most) => pack.end = next + 1,
            _ => packs.push(next..next + 1),
        }
    }
    packs.retain(|pack| pack.len() > 1);
    packs
}

/// Copies all games of a segment behind those of another. Everything is compared with its sum on the way.
pub(super) fn copy(from: &Segment, to: &mut SegmentWriter) -> Result<()> {
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
            let value = |column: &super::Column<'_>| column.get(game).unwrap_or(0);
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
            let end = all.min(start + text::BLOCK as u64);
            let piece = from.embedded_range(start..end)?;
            to.embed(piece.as_deref().unwrap_or_default()).map_err(at)?;
            start = end;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: SegmentLimits = SegmentLimits { games: 1 << 20, names: 1 << 20 };

    fn part(games: u32) -> MergeInput {
        MergeInput { games, names: 10, sort: Some(false) }
    }

    #[test]
    fn an_index_that_grows_game_by_game_has_few_segments() {
        let (mut parts, mut copied): (Vec<MergeInput>, u64) = (Vec::new(), 0);
        for game in 1..=20_000u64 {
            parts.push(part(1));
            while let Some(range) = due(&parts, MOST) {
                let games: u32 = parts[range.clone()].iter().map(|part| part.games).sum();
                copied += u64::from(games);
                parts.splice(range, [part(games)]);
            }
            assert_eq!(parts.iter().map(|part| u64::from(part.games)).sum::<u64>(), game);
            assert!(parts.len() <= 7 * 6, "{} segments of {game} games", parts.len());
        }
        assert!(copied <= 20_000 * 5, "{copied} games copied");
    }

    #[test]
    fn segments_of_all_sizes_stay_few() {
        let (mut parts, mut added, mut copied): (Vec<MergeInput>, u64, u64) = (Vec::new(), 0, 0);
        let mut random = 1u64;
        for _ in 0..5000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            parts.push(part(1 << ((random >> 40) % 10)));
            added += u64::from(parts[parts.len() - 1].games);
            while let Some(range) = due(&parts, MOST) {
                let games = parts[range.clone()].iter().map(|part| part.games).sum();
                copied += u64::from(games);
                parts.splice(range, [part(games)]);
            }
            assert!(parts.len() <= 7 * 6, "{} segments", parts.len());
        }
        assert!(copied < 10 * added, "{copied} games copied of {added}");
    }

    #[test]
    fn what_does_not_fit_stays_apart() {
        let eight = [part(100); 8];
        assert_eq!(due(&eight, MOST), Some(0..8));
        assert_eq!(due(&eight[..7], MOST), None);
        assert_eq!(due(&eight, SegmentLimits { games: 799, ..MOST }), None);
        assert_eq!(due(&eight, SegmentLimits { names: 79, ..MOST }), None);
        let mut mixed = eight;
        mixed[3].sort = Some(true);
        assert_eq!(due(&mixed, MOST), None);
        assert_eq!(due(&[&mixed[..], &eight].concat(), MOST), Some(4..16));
        assert_eq!(packs(&mixed, MOST), [0..3, 4..8]);
        mixed[3].sort = None;
        assert_eq!(packs(&mixed, MOST), [0..3, 4..8], "an older version");
        assert_eq!(packs(&eight, SegmentLimits { games: 250, ..MOST }), [0..2, 2..4, 4..6, 6..8]);
        assert_eq!(packs(&eight[..1], MOST), []);
        assert_eq!(packs(&[], MOST), []);
    }
}
