//! Comments that say where games leave all earlier games.

use std::num::NonZeroUsize;

use pdn::convert::MoveComment;
use pdn::internal::value::is_unknown;
use pdn::stop::Stop;
use pdn_index::internal::pack::UnpackedPly;
use pdn_index::internal::query::{Novelty, RowTable, novelties};
use pdn_index::{GameRow, Index};

use crate::ask::rows::{date, ply_text};

/// The novelties of the games of an index, as comments.
pub(super) struct NoveltyComments<'a> {
    index: &'a Index,
    novelties: Vec<Novelty>,
    table: RowTable<'a>,
}

impl<'a> NoveltyComments<'a> {
    /// Finds the novelties of all games.
    pub(super) fn new(index: &'a Index, threads: NonZeroUsize, stop: &Stop) -> pdn::Result<Self> {
        Ok(Self { index, novelties: novelties(index, threads, stop)?, table: RowTable::new(index)? })
    }

    /// Returns the comment at the move with which a game leaves all earlier games: what was played before, in which game. A null move has
    /// no text that a comment could follow: the comment stands at the next move, or else at the one before. `None` if the game has no
    /// novelty, or nothing but null moves.
    ///
    /// # Errors
    /// If the index is damaged.
    pub(super) fn of(&self, game: u64) -> pdn::Result<Option<MoveComment>> {
        let novelty = self.novelties.get(game as usize).copied().unwrap_or_default();
        let (Some(ply), Some(predecessor)) = (novelty.ply, novelty.predecessor) else { return Ok(None) };
        let (Some(own), Some(before)) = (self.index.game(game), self.index.game(predecessor)) else {
            return Ok(None);
        };
        let (plies, _) = own.plies()?;
        let Some((new, after)) = plies.get(ply as usize..).and_then(|rest| rest.split_first()) else {
            return Ok(None);
        };
        let is_move = |ply: &UnpackedPly| ply.mv.is_some();
        let moves_before = plies[..ply as usize].iter().filter(|ply| is_move(ply)).count();
        let (mv, place) = match moves_before.checked_sub(1) {
            _ if is_move(new) => (moves_before, ""),
            _ if after.iter().any(is_move) => (moves_before, " (the null move before this one)"),
            Some(last) => (last, " (the null move after this one)"),
            None => return Ok(None),
        };
        let key = new.before.key();
        let (old_plies, _) = before.plies()?;
        let old_move = old_plies.iter().find(|old| old.before.key() == key).map(ply_text);
        let Some(row) = self.table.row(predecessor) else { return Ok(None) };
        let what = match old_move {
            Some(old_move) => format!("Before: {old_move}, {}", described(&row)),
            None => format!("Before: {}, which ends here", described(&row)),
        };
        Ok(Some(MoveComment { mv, text: format!("Novelty{place}. {what}") }))
    }
}

/// Returns the players, the event and the date of a game, as far as they are known. The year of an earlier game is.
fn described(row: &GameRow<'_>) -> String {
    let is_known = |text: &str| !text.is_empty() && !is_unknown(text);
    let name = |text: &'_ str| if is_known(text) { text.to_owned() } else { "?".to_owned() };
    let mut text = format!("{} - {}", name(row.white), name(row.black));
    if is_known(row.event) {
        text += &format!(", {}", row.event);
    }
    text + &format!(", {}", date(row))
}
