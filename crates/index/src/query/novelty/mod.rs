//! Novelties: the ply at which a game leaves all earlier games, and the game that it leaves.
//!
//! Which games are earlier is said in [`earlier`](super::earlier). A game that transposes to a known position has not left.
//!
//! # How
//!
//! The dates of the games of every position would take gigabytes. But only a position that several games have can have an earlier
//! game, and nearly all positions after the opening belong to one. So the games are played twice:
//!
//! 1. A table of bits ([`SharedPositions`](super::earlier::SharedPositions)) learns which positions more than one game may have.
//! 2. The games of these positions are collected, sorted by position and date, and those of positions with one game dropped. What
//!    is left, [`EarlierGames`], gives the number of earlier games of any position of any game.
//!
//! If few games ask, the table has the positions of these games instead, and a second pass collects all games of these positions. The
//! positions are divided by their keys into up to eight parts, and the second pass is done for each part. Keys have 64 bits:
//! among a thousand million positions, two are taken for one with a probability of about 3 %.

mod collect;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::sync::Arc;

pub(super) use self::collect::{AskingGames, EarlierSearch};
use super::earlier::{EarlierGames, Novelty};
use super::playable_game::PlayableGame;
use super::scan::GameScanner;
use crate::Index;
use crate::pack::CorruptMoves;
use pdn::error::Result;
use pdn::stop::Stop;
use pdn_rules::internal::board::Geometry;

/// Returns the novelty of each game of an index, by its number, from 0; retired games have none.
///
/// The first call takes O(plies) time, 7 s for a million games on two threads, and some 200 bytes of memory a game as long as the index is
/// open; while it works it takes up to 700 bytes a game more. Later calls return what the index has kept.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// use pdn_index::{ImportOptions, Index, import};
/// use pdn_index::internal::query::{Novelty, novelties};
/// use pdn::stop::Stop;
///
/// let text = "[Date \"1950.01.01\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[Date \"1960.01.01\"]\n1. 32-28 19-23 2. 28x19 13x24 *\n";
/// std::fs::write(&archive, text)?;
/// import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let found = novelties(&index, pdn::default_threads(), &Stop::new())?;
/// assert_eq!(found[1], Novelty { ply: Some(3), predecessor: Some(0) });
/// assert_eq!(found[0], Novelty { ply: None, predecessor: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a section is damaged or the work is stopped.
// Twin: a dictionary of positions; test: `novelties_equal_those_of_a_dictionary`.
pub fn novelties(index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<Vec<Novelty>> {
    Ok(earlier_games(EarlierSearch { index, threads, stop })?.novelties().to_vec())
}

/// Returns the earlier games with each position and the novelty of each game, which the index keeps.
pub(super) fn earlier_games(search: EarlierSearch<'_>) -> Result<Arc<EarlierGames>> {
    search.index.kept(|| find(search, collect::POSITIONS_AT_ONCE))
}

/// Finds the earlier games and the novelties of all games, collected from about `at_once` positions at once.
fn find(search: EarlierSearch<'_>, at_once: u64) -> Result<EarlierGames> {
    let mut earlier = search.find(None, at_once)?;
    let mut novelties = vec![Novelty::default(); earlier.games().len()];
    search.scan(&earlier.games().wanted, &FindNovelties(&earlier), |found| {
        found.into_iter().for_each(|(game, novelty)| novelties[game] = novelty);
    })?;
    earlier.keep_novelties(novelties);
    Ok(earlier)
}

/// Finds the novelty of each game.
struct FindNovelties<'a>(&'a EarlierGames);

impl GameScanner for FindNovelties<'_> {
    /// Games with their novelties.
    type Found = Vec<(usize, Novelty)>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), CorruptMoves> {
        found.push((self.0.games().number(game), self.0.novelty(game)?));
        Ok(())
    }
}
