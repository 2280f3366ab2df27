//! Decides which segments are merged, from their numbers alone.
//!
//! Every [`append`](super::IndexWriter::append) adds a segment, and each segment costs every query a little. So when
//! a writer commits, consecutive segments of about the same size are merged, eight or more at a time. An index that
//! grows game by game has about ten segments, and a game is copied once for each power of eight in the size of the
//! index.

use std::ops::Range;

use super::format::columns::{DictionaryKind, Section};
use super::format::section::VERSION;
use super::segment::SegmentLimits;
use super::segment::reader::Segment;

/// Number of segments of a size class that are merged into one of the next.
const MERGE_FACTOR: u32 = 8;

/// The properties of a segment that decide whether it is merged with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergeInput {
    games: u32,
    /// Upper bound of the memory of its dictionaries, variations and notes while a segment is written, in bytes.
    name_memory: usize,
    /// `Some(has embedded text)`, or `None` for an older version. Only segments of the same class are merged, older
    /// versions never.
    class: Option<bool>,
}

impl MergeInput {
    /// Reads the properties of a segment. Costs O(1).
    pub(super) fn of(segment: &Segment) -> Self {
        let dictionaries = DictionaryKind::ALL.into_iter().map(|kind| {
            let [text, ends, _] = kind.sections();
            // An end offset takes a few bits in the file and 32 bytes in memory. Only the order of magnitude matters.
            (segment.section_len(text) + 32 * segment.section_len(ends)) as usize
        });
        Self {
            games: segment.len() as u32,
            name_memory: dictionaries.sum::<usize>()
                + (segment.section_len(Section::Variations) + segment.section_len(Section::Notes)) as usize,
            class: (segment.version() == VERSION).then(|| segment.has(Section::Text)),
        }
    }

    /// Returns the size class: 0 for fewer than eight games, one more for each factor of eight.
    fn size_class(&self) -> u32 {
        self.games.max(1).ilog(MERGE_FACTOR)
    }
}

/// Returns `true` if these segments may become one.
fn can_merge(inputs: &[MergeInput], limits: SegmentLimits) -> bool {
    let games: u64 = inputs.iter().map(|input| u64::from(input.games)).sum();
    let names: usize = inputs.iter().map(|input| input.name_memory).sum();
    let class = inputs.first().and_then(|input| input.class);
    class.is_some()
        && inputs.iter().all(|input| input.class == class)
        && games <= u64::from(limits.games)
        && names <= limits.name_memory
}

/// Returns the last segments that are due for merging: eight of a size class, together with smaller ones between and
/// after them. So at most seven of each class remain.
pub(super) fn due_merge(inputs: &[MergeInput], limits: SegmentLimits) -> Option<Range<usize>> {
    let last = inputs.last()?;
    let class_start = inputs.iter().rposition(|input| input.class != last.class).map_or(0, |other| other + 1);
    let (mut start, mut size) = (inputs.len(), last.size_class());
    loop {
        while start > class_start && inputs[start - 1].size_class() <= size {
            start -= 1;
        }
        let candidates = &inputs[start..];
        // A large segment takes the smaller ones before it along, but smaller ones do not cause a large one to be
        // written again.
        let count = if size == last.size_class() {
            candidates.len()
        } else {
            candidates.iter().filter(|input| input.size_class() == size).count()
        };
        if count >= MERGE_FACTOR as usize && can_merge(candidates, limits) {
            return Some(start..inputs.len());
        }
        // Tries the size class of the segment before.
        size = inputs[class_start..start].last()?.size_class();
    }
}

/// Returns the groups of consecutive segments to merge, in order, so that as few segments as possible remain.
pub(super) fn merge_groups(inputs: &[MergeInput], limits: SegmentLimits) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for next in 0..inputs.len() {
        match groups.last_mut() {
            Some(group) if can_merge(&inputs[group.start..=next], limits) => group.end = next + 1,
            _ => groups.push(next..next + 1),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: SegmentLimits = SegmentLimits { games: 1 << 20, name_memory: 1 << 20 };

    fn input(games: u32) -> MergeInput {
        MergeInput { games, name_memory: 10, class: Some(false) }
    }

    #[test]
    fn segments_of_exactly_the_maximum_together_are_merged() {
        let inputs = [input(1); 8];
        assert_eq!(due_merge(&inputs, SegmentLimits { games: 8, ..LIMITS }), Some(0..8));
        assert_eq!(due_merge(&inputs, SegmentLimits { games: 7, ..LIMITS }), None);
    }

    #[test]
    fn growth_by_single_games_leaves_few_segments() {
        let (mut inputs, mut copied): (Vec<MergeInput>, u64) = (Vec::new(), 0);
        for game in 1..=20_000u64 {
            inputs.push(input(1));
            while let Some(range) = due_merge(&inputs, LIMITS) {
                let games: u32 = inputs[range.clone()].iter().map(|input| input.games).sum();
                copied += u64::from(games);
                inputs.splice(range, [input(games)]);
            }
            assert_eq!(inputs.iter().map(|input| u64::from(input.games)).sum::<u64>(), game);
            assert!(inputs.len() <= 7 * 6, "{} segments of {game} games", inputs.len());
        }
        assert!(copied <= 20_000 * 5, "{copied} games copied");
    }

    #[test]
    fn growth_by_any_sizes_leaves_few_segments() {
        let (mut inputs, mut added, mut copied): (Vec<MergeInput>, u64, u64) = (Vec::new(), 0, 0);
        let mut random = 1u64;
        for _ in 0..5000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            inputs.push(input(1 << ((random >> 40) % 10)));
            added += u64::from(inputs[inputs.len() - 1].games);
            while let Some(range) = due_merge(&inputs, LIMITS) {
                let games = inputs[range.clone()].iter().map(|input| input.games).sum();
                copied += u64::from(games);
                inputs.splice(range, [input(games)]);
            }
            assert!(inputs.len() <= 7 * 6, "{} segments", inputs.len());
        }
        assert!(copied < 10 * added, "{copied} games copied of {added}");
    }

    #[test]
    fn segments_beyond_limits_or_of_other_classes_stay_apart() {
        let eight = [input(100); 8];
        assert_eq!(due_merge(&eight, LIMITS), Some(0..8));
        assert_eq!(due_merge(&eight[..7], LIMITS), None);
        assert_eq!(due_merge(&eight, SegmentLimits { games: 799, ..LIMITS }), None);
        assert_eq!(due_merge(&eight, SegmentLimits { name_memory: 79, ..LIMITS }), None);
        let mut mixed = eight;
        mixed[3].class = Some(true);
        assert_eq!(due_merge(&mixed, LIMITS), None);
        assert_eq!(due_merge(&[&mixed[..], &eight].concat(), LIMITS), Some(4..16));
        assert_eq!(merge_groups(&mixed, LIMITS), [0..3, 4..8]);
        mixed[3].class = None;
        assert_eq!(merge_groups(&mixed, LIMITS), [0..3, 4..8], "an older version");
        assert_eq!(merge_groups(&eight, SegmentLimits { games: 250, ..LIMITS }), [0..2, 2..4, 4..6, 6..8]);
        assert!(merge_groups(&eight[..1], LIMITS).is_empty());
        assert!(merge_groups(&[], LIMITS).is_empty());
    }
}
