//! The poll that makes a file prior: the first records of a file vote for the variants under which they replay.
//!
//! Most files contain games of one variant, and most single games are legal in several.

use super::variant::INFERENCE_ORDER;
use super::{FilePrior, ReplayOptions, Replayer};
use crate::rules::Variant;
use crate::sort;

/// Minimum number of polled records with moves and without a tag from which a prior may be firm.
const MIN_FIRM_RECORDS: u32 = 5;
/// Minimum percentage of these records that must replay under the winner for a firm prior.
const MIN_FIRM_PERCENT: u32 = 85;

impl FilePrior {
    /// Creates the prior that the first records of a file give. Reads at most [`FilePriorPoll::GAMES`] of them.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a [u8]>, options: &ReplayOptions) -> Self {
        let mut poll = FilePriorPoll::new(options);
        for game in games {
            if !poll.add(game) {
                break;
            }
        }
        poll.finish()
    }
}

/// Lets the first records of a file vote for its variant.
///
/// A record votes for every variant under which it replays to its end, or for the variant of its GameType tag alone.
/// The variant with most votes wins, the likelier one of equals.
#[derive(Debug)]
pub struct FilePriorPoll {
    replayer: Replayer,
    /// Votes by the place of the variant in [`INFERENCE_ORDER`].
    votes: [u32; INFERENCE_ORDER.len()],
    /// Number of polled records.
    polled: u32,
    /// Length of the polled records in bytes.
    bytes: usize,
    /// Number of polled records with moves and without a tag that names a variant.
    untagged: u32,
}

impl FilePriorPoll {
    /// Maximum number of polled records.
    pub const GAMES: u32 = 256;
    /// Length of the polled records in bytes after which no further one is polled.
    ///
    /// Without this limit, 256 very long records could fill the memory of a caller that keeps them.
    pub const BYTES: usize = 4 << 20;

    /// Creates a poll of no records yet. Its replays ignore the prior in `options`.
    pub fn new(options: &ReplayOptions) -> Self {
        let replayer = Replayer::new(ReplayOptions { prior: FilePrior::default(), ..options.clone() });
        Self { replayer, votes: [0; INFERENCE_ORDER.len()], polled: 0, bytes: 0, untagged: 0 }
    }

    /// Adds a record unless the poll is complete. Returns `true` if further records are needed.
    pub fn add(&mut self, game: &[u8]) -> bool {
        if self.is_open() {
            self.polled += 1;
            self.bytes = self.bytes.saturating_add(game.len());
            let replaying = self.replayer.replaying_variants(game);
            self.untagged += u32::from(replaying.has_moves && !replaying.tagged);
            for (votes, replays) in self.votes.iter_mut().zip(replaying.variants) {
                *votes += u32::from(replays);
            }
        }
        self.is_open()
    }

    fn is_open(&self) -> bool {
        self.polled < Self::GAMES && self.bytes < Self::BYTES
    }

    /// Returns the result of the poll; the default prior if no record voted.
    pub fn finish(self) -> FilePrior {
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
        FilePrior { ranking, firm }
    }
}
