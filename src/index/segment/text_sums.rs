//! TEXT SUMS

use crate::index::format::end_offsets::BLOCK;
use crate::index::format::section;

/// What the texts of games that follow each other in one source add up to, at most [`BLOCK`] of them together.
///
/// Sums can be put together, so that segments can be merged without the texts.
#[derive(Default)]
pub(crate) struct TextSums {
    sums: Vec<u64>,
    pub(crate) games: Vec<u32>,
}

impl TextSums {
    /// Adds the sum of so many games; `new` if they do not go on where the ones before end.
    pub(crate) fn add(&mut self, sum: u64, games: u32, new: bool) {
        match (self.sums.last_mut(), self.games.last_mut()) {
            (Some(last), Some(known)) if !new && *known + games <= BLOCK as u32 => {
                *last = section::join(*last, sum, games);
                *known += games;
            }
            _ => {
                self.sums.push(sum);
                self.games.push(games);
            }
        }
    }

    pub(crate) fn sums(&self) -> Vec<u8> {
        self.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()
    }
}
