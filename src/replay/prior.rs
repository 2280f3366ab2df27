//! What the games of a file have in common: most files are of one variant, and most games fit several.

use super::candidates::INFERENCE_ORDER;
use super::{ReplayOptions, Replayer};
use crate::rules::Variant;

/// What the first games of a file say about the rest of it.
///
/// The default knows nothing. A prior depends only on the records that it was made of, so a program that asks the
/// first [`FilePriorPoll::GAMES`] of a file, before any worker starts, gets the same answer however many there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilePrior {
    /// All games that can be inferred, those of the file first; empty for no knowledge.
    pub(super) ranking: Vec<Variant>,
    /// Nearly all games asked replay under the first of them.
    pub(super) firm: bool,
}

impl FilePrior {
    /// What these records say; no more than the first [`FilePriorPoll::GAMES`] are looked at.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a [u8]>, options: &ReplayOptions) -> Self {
        let mut builder = FilePriorPoll::new(options);
        for game in games {
            if !builder.add(game) {
                break;
            }
        }
        builder.finish()
    }

    /// The variant of the file, if anything is known.
    pub fn variant(&self) -> Option<Variant> {
        self.ranking.first().copied()
    }

    /// Whether nearly all games asked replay under it, so that a game which does not is rather faulty than of another
    /// variant.
    pub const fn is_firm(&self) -> bool {
        self.firm
    }
}

/// Lets the first games of a file vote.
///
/// Each game votes for every variant under which it replays from beginning to end, and for that of its tag.
/// The variant with most votes is the file's; between equals the likelier one.
#[derive(Debug)]
pub struct FilePriorPoll {
    replayer: Replayer,
    votes: [u32; INFERENCE_ORDER.len()],
    /// Records seen and their bytes, and those with moves and without a tag.
    seen: u32,
    bytes: usize,
    untagged: u32,
}

impl FilePriorPoll {
    /// Records that are asked.
    pub const GAMES: u32 = 256;
    /// Bytes after which no further record is asked. A record may be so long that 256 of them fill the memory of whoever
    /// keeps what was asked.
    pub const BYTES: usize = 4 << 20;

    /// A poll among no games yet.
    pub fn new(options: &ReplayOptions) -> Self {
        let replayer = Replayer::new(ReplayOptions { prior: FilePrior::default(), ..options.clone() });
        Self { replayer, votes: [0; INFERENCE_ORDER.len()], seen: 0, bytes: 0, untagged: 0 }
    }

    /// Asks a record. Answers whether further ones are wanted.
    pub fn add(&mut self, game: &[u8]) -> bool {
        if self.is_open() {
            self.seen += 1;
            self.bytes = self.bytes.saturating_add(game.len());
            let fits = self.replayer.fits(game);
            self.untagged += u32::from(fits.moves && !fits.tagged);
            for (votes, fits) in self.votes.iter_mut().zip(fits.variants) {
                *votes += u32::from(fits);
            }
        }
        self.is_open()
    }

    fn is_open(&self) -> bool {
        self.seen < Self::GAMES && self.bytes < Self::BYTES
    }

    /// The result of the poll.
    pub fn finish(self) -> FilePrior {
        let most = self.votes.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return FilePrior::default();
        }
        let mut places: Vec<usize> = (0..INFERENCE_ORDER.len()).collect();
        // Stable, so the likelier one goes first between equals.
        places.sort_by_key(|&place| std::cmp::Reverse(self.votes[place]));
        let top = INFERENCE_ORDER[places[0]];
        let ranking = places.into_iter().map(|place| INFERENCE_ORDER[place]).collect();
        let firm = self.untagged >= 5 && self.replays_of(top) * 100 >= self.untagged * 85;
        FilePrior { ranking, firm }
    }

    fn replays_of(&self, variant: Variant) -> u32 {
        INFERENCE_ORDER
            .iter()
            .position(|&other| other == variant)
            .map_or(0, |place| self.votes[place].min(self.untagged))
    }
}
