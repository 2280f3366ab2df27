//! The poll that makes a file prior: the first records of a file vote for the variants under which they replay.
//!
//! Most files contain games of one variant, and most single games are legal in several.

use std::ops::ControlFlow;

use super::memory::ReplayMemory;
use super::variant::INFERENCE_ORDER;
use super::{FilePrior, ReplayOptions};
use crate::archive::InputHead;
use crate::rules::Variant;
use crate::sort;

/// Minimum number of polled records with moves and without a tag from which a prior may be firm.
const MIN_FIRM_RECORDS: u32 = 5;
/// Minimum percentage of these records that must replay under the winner for a firm prior, and of all that replay at all, with moves or
/// a tag, for one that is shown.
const MIN_FIRM_PERCENT: u32 = 85;

impl FilePrior {
    /// Creates the prior that the first records of a file give: the first 256 of them, or those of the first 4 MiB.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a [u8]>, options: &ReplayOptions) -> Self {
        let mut poll = FilePriorPoll::new(options);
        // It breaks when the poll is complete.
        let _ = games.into_iter().try_for_each(|game| poll.add(game));
        poll.finish()
    }
}

/// Lets the first records of a file vote for its variant.
///
/// A record votes for every variant under which it replays to its end, or for the variant of its GameType tag alone.
/// The variant with most votes wins, the likelier one of equals.
#[derive(Debug)]
pub(super) struct FilePriorPoll {
    memory: ReplayMemory,
    options: ReplayOptions,
    /// Votes by the place of the variant in [`INFERENCE_ORDER`].
    votes: [u32; INFERENCE_ORDER.len()],
    /// The votes of records with moves or a tag.
    shown_votes: [u32; INFERENCE_ORDER.len()],
    /// Number of polled records with moves or a tag that replay under any variant.
    showing: u32,
    /// Number of polled records.
    polled: u32,
    /// Length of the polled records in bytes.
    bytes: usize,
    /// Number of polled records with moves and without a tag that names a variant.
    untagged: u32,
}

impl FilePriorPoll {
    /// Maximum number of polled records.
    const GAMES: u32 = InputHead::RECORDS as u32;
    /// Length of the polled records in bytes after which no further one is polled.
    pub(super) const BYTES: usize = InputHead::BYTES;

    /// Creates a poll of no records yet.
    pub(super) fn new(options: &ReplayOptions) -> Self {
        let (memory, options) = (ReplayMemory::new(), options.clone());
        let votes = [0; INFERENCE_ORDER.len()];
        Self { memory, options, votes, shown_votes: votes, showing: 0, polled: 0, bytes: 0, untagged: 0 }
    }

    /// Adds a record unless the poll is complete. Breaks if no further records are needed.
    pub(super) fn add(&mut self, game: &[u8]) -> ControlFlow<()> {
        if self.is_open() {
            self.polled += 1;
            self.bytes = self.bytes.saturating_add(game.len());
            self.memory.record_line(game, self.options.limits.unwrap_or_default());
            let replaying = self.memory.chooser(game, &self.options).replaying_variants();
            self.untagged += u32::from(replaying.has_moves && !replaying.tagged);
            let replays = replaying.variants.contains(&true);
            let shows = replays && (replaying.has_moves || replaying.tagged);
            self.showing += u32::from(shows);
            let votes = self.votes.iter_mut().zip(&mut self.shown_votes);
            for ((votes, shown_votes), replays) in votes.zip(replaying.variants) {
                *votes += u32::from(replays);
                *shown_votes += u32::from(replays && shows);
            }
        }
        if self.is_open() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn is_open(&self) -> bool {
        self.polled < Self::GAMES && self.bytes < Self::BYTES
    }

    /// Returns the result of the poll; the default prior if no record voted.
    pub(super) fn finish(self) -> FilePrior {
        let max_votes = self.votes.iter().copied().max().unwrap_or(0);
        if max_votes == 0 {
            return FilePrior::default();
        }
        let mut order: Vec<usize> = (0..INFERENCE_ORDER.len()).collect();
        // The sort is stable, so the likelier variant comes first among equals.
        sort::by_key(&mut order, |&index| std::cmp::Reverse(self.votes[index]));
        let top = order[0];
        let ranking: Vec<Variant> = order.into_iter().map(|index| INFERENCE_ORDER[index]).collect();
        // A tagged record may vote without having moves, so the votes can exceed the untagged records.
        let untagged_votes = self.votes[top].min(self.untagged);
        let firm =
            self.untagged >= MIN_FIRM_RECORDS && untagged_votes * 100 >= self.untagged * MIN_FIRM_PERCENT;
        let top_shown = self.shown_votes[top];
        let shown = top_shown > 0 && top_shown * 100 >= self.showing * MIN_FIRM_PERCENT;
        FilePrior { ranking, firm, shown }
    }
}
