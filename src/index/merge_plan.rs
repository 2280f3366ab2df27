//! PLAN

use std::ops::Range;

use super::format::section::{Section, VERSION};
use super::row::row_batch::DictionaryKind;
use super::segment::limits::SegmentLimits;
use super::segment::reader::Segment;

/// So many segments of a size make one of the next.
const MERGE_FACTOR: u32 = 8;

/// What decides whether a segment is merged with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergeInput {
    games: u32,
    /// Bytes of memory that its names take at most.
    name_memory: usize,
    /// Segments of different sorts are never merged: of older versions, with text and without.
    class: Option<bool>,
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
            name_memory: names.sum(),
            class: (segment.version() == VERSION).then(|| segment.has(Section::Text)),
        }
    }

    /// 0 for a game or a few, one more for each time eight.
    fn size_class(&self) -> u32 {
        self.games.max(1).ilog(MERGE_FACTOR)
    }
}

/// Whether these become one segment.
fn can_merge(parts: &[MergeInput], most: SegmentLimits) -> bool {
    let games: u64 = parts.iter().map(|part| u64::from(part.games)).sum();
    let names: usize = parts.iter().map(|part| part.name_memory).sum();
    let sort = parts.first().and_then(|part| part.class);
    sort.is_some()
        && parts.iter().all(|part| part.class == sort)
        && games <= u64::from(most.games)
        && names <= most.name_memory
}

/// The last segments that it is time to merge, if any: eight of a size, and with them the smaller ones among them. So there
/// are at most seven of each size.
pub(super) fn due_merge(parts: &[MergeInput], most: SegmentLimits) -> Option<Range<usize>> {
    let last = parts.last()?;
    let others = parts.iter().rposition(|part| part.class != last.class).map_or(0, |other| other + 1);
    let (mut start, mut size) = (parts.len(), last.size_class());
    loop {
        while start > others && parts[start - 1].size_class() <= size {
            start -= 1;
        }
        let run = &parts[start..];
        // A large one takes the small ones before it along; small ones do not make a large one be written again.
        let many = if size == last.size_class() {
            run.len()
        } else {
            run.iter().filter(|part| part.size_class() == size).count()
        };
        if many >= MERGE_FACTOR as usize && can_merge(run, most) {
            return Some(start..parts.len());
        }
        // Larger ones before them may be many enough.
        size = parts[others..start].last()?.size_class();
    }
}

/// The segments to merge so that as few as possible are left, in order.
pub(super) fn merge_groups(parts: &[MergeInput], most: SegmentLimits) -> Vec<Range<usize>> {
    let mut packs: Vec<Range<usize>> = Vec::new();
    for next in 0..parts.len() {
        match packs.last_mut() {
            Some(pack) if can_merge(&parts[pack.start..=next], most) => pack.end = next + 1,
            _ => packs.push(next..next + 1),
        }
    }
    packs.retain(|pack| pack.len() > 1);
    packs
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: SegmentLimits = SegmentLimits { games: 1 << 20, name_memory: 1 << 20 };

    fn part(games: u32) -> MergeInput {
        MergeInput { games, name_memory: 10, class: Some(false) }
    }

    #[test]
    fn an_index_that_grows_game_by_game_has_few_segments() {
        let (mut parts, mut copied): (Vec<MergeInput>, u64) = (Vec::new(), 0);
        for game in 1..=20_000u64 {
            parts.push(part(1));
            while let Some(range) = due_merge(&parts, MOST) {
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
            while let Some(range) = due_merge(&parts, MOST) {
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
        assert_eq!(due_merge(&eight, MOST), Some(0..8));
        assert_eq!(due_merge(&eight[..7], MOST), None);
        assert_eq!(due_merge(&eight, SegmentLimits { games: 799, ..MOST }), None);
        assert_eq!(due_merge(&eight, SegmentLimits { name_memory: 79, ..MOST }), None);
        let mut mixed = eight;
        mixed[3].class = Some(true);
        assert_eq!(due_merge(&mixed, MOST), None);
        assert_eq!(due_merge(&[&mixed[..], &eight].concat(), MOST), Some(4..16));
        assert_eq!(merge_groups(&mixed, MOST), [0..3, 4..8]);
        mixed[3].class = None;
        assert_eq!(merge_groups(&mixed, MOST), [0..3, 4..8], "an older version");
        assert_eq!(merge_groups(&eight, SegmentLimits { games: 250, ..MOST }), [0..2, 2..4, 4..6, 6..8]);
        assert!(merge_groups(&eight[..1], MOST).is_empty());
        assert!(merge_groups(&[], MOST).is_empty());
    }
}
