//! Finds one exact position in games: which games may have it, and at which plies they do.
//!
//! Games of the same rules count, however their squares are named. King counters are not compared.

use std::ops::ControlFlow;

use super::eval::PlyFromStart;
use crate::pack::{CorruptMoves, MoveCodec, ScannedPly};
use crate::{GameKind, GameSet, Index, PackedPieceCounts, Section, Segment};
use pdn::error::Result;
use pdn::position::Position;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Rules;

/// A position to be found in games of one start position. Compiled once and used for many games.
// Twin: unpacking every game, in the test; test: key_table_gives_the_same_hits_as_playing_every_game.
#[derive(Clone, Copy, Debug)]
pub struct PositionTarget<B> {
    state: State<B>,
    /// The pieces of White and of Black.
    pieces: [u32; 2],
    /// The men of White and of Black.
    men: [u32; 2],
    /// The ply at which a continuous game can have the position.
    ply: PlyFromStart,
}

/// An event of searching a game for a position; see [`PositionTarget::seek`].
#[derive(Clone, Copy, Debug)]
pub enum PositionEvent<'a, B> {
    /// The position stands after this number of plies. The second value is the ply that led to it; `None` if the game
    /// begins with the position or it was set up.
    Reached(u32, Option<&'a ScannedPly<B>>),
    /// The position stood after this number of plies, and this ply was played from it.
    Left(u32, &'a ScannedPly<B>),
}

impl<B: Bits> PositionTarget<B> {
    /// Compiles a position for games that begin with `start`. King counters are not compared.
    pub fn new(rules: &Rules, start: &State<B>, position: &State<B>) -> Self {
        let pieces_of = |state: &State<B>| Colour::ALL.map(|colour| state.side(colour).count());
        let men = Colour::ALL.map(|colour| position.men(colour).count());
        let (pieces, at_start) = (pieces_of(position), pieces_of(start));
        // Neither the pieces nor the men of a side ever increase.
        let too_many = (0..2).any(|side| pieces[side] > at_start[side] || men[side] > at_start[side]);
        let ply = if too_many {
            PlyFromStart::Never
        } else {
            match PlyFromStart::new(rules, start, position.pieces, position.kings.any()) {
                PlyFromStart::Only { turn, .. } if turn != position.turn => PlyFromStart::Never,
                ply => ply,
            }
        };
        Self { state: *position, pieces, men, ply }
    }

    /// Converts to wider or narrower bitboards.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn resized<O: Bits>(&self) -> PositionTarget<O> {
        PositionTarget { state: self.state.resized(), pieces: self.pieces, men: self.men, ply: self.ply }
    }

    /// Returns `true` if this is the position, king counters left out.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn is(&self, state: &State<B>) -> bool {
        let [white, black] = [state.pieces[0] ^ self.state.pieces[0], state.pieces[1] ^ self.state.pieces[1]];
        !(white | black | (state.kings ^ self.state.kings)).any() && state.turn == self.state.turn
    }

    /// Returns `true` if a continuous game that ends with these pieces may have the position: neither the men nor the
    /// pieces of a side ever increase.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn may_end_with(&self, last: PackedPieceCounts) -> bool {
        Colour::ALL.into_iter().all(|colour| {
            u32::from(last.pieces(colour)) <= self.pieces[colour as usize]
                && u32::from(last.men(colour)) <= self.men[colour as usize]
        })
    }

    /// Returns `true` if a continuous game may have the position after more than `plies` plies.
    pub(in crate::query) fn may_come_after(&self, plies: u32) -> bool {
        match self.ply {
            PlyFromStart::Any => true,
            PlyFromStart::Only { ply, .. } => ply > plies,
            PlyFromStart::Never => false,
        }
    }

    /// Passes each event of the position in a packed game to `on_event`, in order. In a continuous game the search stops
    /// as soon as the position cannot stand any more.
    ///
    /// # Errors
    /// [`CorruptMoves`] if the moves cannot be unpacked.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn seek<G: Geometry<Bits = B>>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<B>,
        bytes: &[u8],
        is_continuous: bool,
        mut on_event: impl FnMut(PositionEvent<'_, B>),
    ) -> std::result::Result<(), CorruptMoves> {
        if !is_continuous {
            return self.seek_everywhere(codec, start, bytes, on_event);
        }
        match self.ply {
            PlyFromStart::Never => Ok(()),
            PlyFromStart::Only { ply, .. } => self.seek_at(codec, start, bytes, ply, on_event),
            PlyFromStart::Any => {
                let mut ply = 0;
                let mut stands = self.is(start);
                if stands {
                    on_event(PositionEvent::Reached(0, None));
                }
                codec.scan(start, bytes, |played| {
                    if stands {
                        on_event(PositionEvent::Left(ply, played));
                    }
                    ply += 1;
                    let after = played.after();
                    stands = self.is(&after);
                    if stands {
                        on_event(PositionEvent::Reached(ply, Some(played)));
                    }
                    if played.captured().any()
                        && after.side(after.turn).count() < self.pieces[after.turn as usize]
                    {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                })?;
                Ok(())
            }
        }
    }

    /// Searches a continuous game that can have the position after `target_ply` plies only, before any capture.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seek_at<G: Geometry<Bits = B>>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<B>,
        bytes: &[u8],
        target_ply: u32,
        mut on_event: impl FnMut(PositionEvent<'_, B>),
    ) -> std::result::Result<(), CorruptMoves> {
        if target_ply == 0 {
            on_event(PositionEvent::Reached(0, None));
        }
        let mut ply = 0;
        codec.scan(start, bytes, |played| {
            if ply == target_ply {
                on_event(PositionEvent::Left(ply, played));
                return ControlFlow::Break(());
            }
            ply += 1;
            if ply == target_ply {
                if !self.is(&played.after()) {
                    return ControlFlow::Break(());
                }
                on_event(PositionEvent::Reached(ply, Some(played)));
            }
            if played.captured().any() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(())
    }

    /// Searches a game that is not continuous: a setup may bring the position back at any ply.
    #[inline(never)]
    fn seek_everywhere<G: Geometry<Bits = B>>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<B>,
        bytes: &[u8],
        mut on_event: impl FnMut(PositionEvent<'_, B>),
    ) -> std::result::Result<(), CorruptMoves> {
        let mut ply = 0;
        let mut previous: Option<ScannedPly<B>> = None;
        let reached = |ply,
                       position: &State<B>,
                       previous: &Option<ScannedPly<B>>,
                       on_event: &mut dyn FnMut(PositionEvent<'_, B>)| {
            let stands = self.is(position);
            if stands {
                // The last ply led here only if no setup came between.
                let by = previous.as_ref().filter(|by| self.is(&by.after()) && by.mv().is_some());
                on_event(PositionEvent::Reached(ply, by));
            }
            stands
        };
        let last = codec.scan(start, bytes, |played| {
            if reached(ply, &played.before(), &previous, &mut on_event) {
                on_event(PositionEvent::Left(ply, played));
            }
            ply += 1;
            previous = Some(*played);
            ControlFlow::Continue(())
        })?;
        reached(ply, &last, &previous, &mut on_event);
        Ok(())
    }
}

impl PositionTarget<u128> {
    /// Returns `true` if this is the position and a continuous game can have it after this number of plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn stands_at(&self, ply: u32, state: &State<u128>) -> bool {
        let in_time = match self.ply {
            PlyFromStart::Any => true,
            PlyFromStart::Only { ply: only, .. } => only == ply,
            PlyFromStart::Never => false,
        };
        in_time && self.is(state)
    }
}

/// Searches a continuous game for several positions in one pass. `wanted` has their numbers in `targets`; those that the
/// game has are removed and passed to `on_reached`, each once.
///
/// # Errors
/// [`CorruptMoves`] if the moves cannot be unpacked.
// Twin: every position of the replayed text, in tests/it/tree_naive; test: opening_tree_equals_the_replayed_text.
pub(in crate::query) fn seek_each<G: Geometry>(
    targets: &[PositionTarget<u128>],
    wanted: &mut Vec<usize>,
    codec: &MoveCodec<G>,
    start: &State<G::Bits>,
    bytes: &[u8],
    mut on_reached: impl FnMut(usize),
) -> std::result::Result<(), CorruptMoves> {
    // The last ply at which a position before any capture can stand, and the pieces without which no other can.
    let (mut last_ply, mut least) = (0, None::<[u32; 2]>);
    for target in wanted.iter().filter_map(|&number| targets.get(number)) {
        match target.ply {
            PlyFromStart::Only { ply, .. } => last_ply = last_ply.max(ply),
            PlyFromStart::Any => {
                let [white, black] = target.pieces;
                least = Some(least.map_or(target.pieces, |least| [least[0].min(white), least[1].min(black)]));
            }
            PlyFromStart::Never => {}
        }
    }
    let mut check = |ply: u32, state: &State<u128>, wanted: &mut Vec<usize>| {
        wanted.retain(|&number| {
            let stands = targets.get(number).is_some_and(|target| target.stands_at(ply, state));
            if stands {
                on_reached(number);
            }
            !stands
        });
    };
    check(0, &start.resized(), wanted);
    if wanted.is_empty() || (last_ply == 0 && least.is_none()) {
        return Ok(());
    }
    let mut ply = 0;
    codec.scan(start, bytes, |played| {
        ply += 1;
        let after = played.after();
        if played.captured().any() {
            last_ply = 0;
            let left = after.side(after.turn).count();
            least = least.filter(|least| left >= least[after.turn as usize]);
        }
        check(ply, &after.resized(), wanted);
        let is_over = wanted.is_empty() || (ply >= last_ply && least.is_none());
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(())
}

/// Returns the games of a segment that may have a position: those of the same rules and, of these, the ones that the
/// key table lists, if there is one and the position is rare enough. Retired games are left out. No
/// game of an unknown segment is returned.
///
/// With a key table it takes microseconds, and one in some hundred listed games is listed in vain, because the table
/// keeps only part of each key. Without a table, or if the system cannot map it, it takes some milliseconds per million games of several kinds.
///
/// # Errors
/// If the key table or a section is damaged.
pub fn candidates(index: &Index, segment: usize, position: &Position) -> Result<GameSet> {
    let games = of_same_rules(index, segment, position)?;
    if games.is_empty() {
        return Ok(games);
    }
    Ok(match listed(index, segment, position)? {
        Some(listed) => games & listed,
        None => games,
    })
}

/// Returns the games of a segment that are played by the rules of a position, without retired ones.
///
/// # Errors
/// If a section is damaged.
pub(in crate::query) fn of_same_rules(index: &Index, segment: usize, position: &Position) -> Result<GameSet> {
    let Some(data) = index.segments().get(segment) else { return Ok(GameSet::new()) };
    let has_same_rules: Vec<bool> =
        data.kinds()?.iter().map(|kind| kind.variant.rules() == *position.rules()).collect();
    if !has_same_rules.contains(&false) {
        return Ok(index.live_games(segment));
    }
    if !has_same_rules.contains(&true) {
        return Ok(GameSet::new());
    }
    let kinds = data.column(Section::Kind)?;
    let games = kinds.games(|kind| has_same_rules.get(kind as usize) == Some(&true));
    Ok(match index.retired_games(segment) {
        Some(retired) => games - retired,
        None => games,
    })
}

/// Returns those of some games of a segment that are played by the rules of a position and not retired. Takes time for each
/// of these games only, unlike [`of_same_rules`].
///
/// # Errors
/// If a section is damaged.
pub(in crate::query) fn among_of_same_rules(
    index: &Index,
    segment: usize,
    position: &Position,
    mut games: GameSet,
) -> Result<GameSet> {
    let Some(data) = index.segments().get(segment) else { return Ok(GameSet::new()) };
    if let Some(retired) = index.retired_games(segment) {
        games -= retired;
    }
    let kinds = data.kinds()?;
    let has_same_rules =
        |kind: u64| kinds.get(kind as usize).is_some_and(|kind| kind.variant.rules() == *position.rules());
    if kinds.iter().all(|kind| kind.variant.rules() == *position.rules()) {
        return Ok(games);
    }
    let reading = index.reading(games.len());
    let column = reading.column(segment, Section::Kind)?;
    reading.prefetch_parts(segment, |parts| {
        games.iter().for_each(|game| column.expect(game as usize, parts));
    })?;
    Ok(games.iter().filter(|&game| column.get(game as usize).is_some_and(has_same_rules)).collect())
}

/// Returns the games that the key table lists for a position; `None` if there is no table that can be used, or playing all games is
/// faster.
///
/// # Errors
/// If the index itself is damaged.
pub(in crate::query) fn listed(
    index: &Index,
    segment: usize,
    position: &Position,
) -> Result<Option<GameSet>> {
    let key = position.key();
    let Some(keys) = index.readable_keys(segment)? else { return Ok(None) };
    let listed = || if keys.is_selective(key)? { keys.games(key).map(Some) } else { Ok(None) };
    index.or_without_table(listed())
}

/// Returns the compiled position for each segment of an index and each kind of games in it.
///
/// # Errors
/// If the section of the kinds of games is damaged.
pub(in crate::query) fn targets(
    index: &Index,
    position: &Position,
) -> Result<Vec<Vec<PositionTarget<u128>>>> {
    index.segments().iter().map(|segment| targets_of_segment(segment, position)).collect()
}

/// Returns the compiled position for each kind of games in a segment.
///
/// # Errors
/// If the section of the kinds of games is damaged.
pub(in crate::query) fn targets_of_segment(
    segment: &Segment,
    position: &Position,
) -> Result<Vec<PositionTarget<u128>>> {
    let of_kind = |kind: &GameKind| {
        let start = Position::start(kind.game());
        PositionTarget::new(position.rules(), start.state(), position.state())
    };
    Ok(segment.kinds()?.iter().map(of_kind).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn::value::Fen;

    const INTERNATIONAL: Variant = Variant::International;

    fn position(fen: &str) -> Position {
        let fen = Fen::parse(fen.as_bytes()).expect("well written");
        Position::from_fen(INTERNATIONAL, &fen).expect("a position")
    }

    fn target(fen: &str) -> PositionTarget<u64> {
        let start = Position::start(INTERNATIONAL).state().resized();
        PositionTarget::new(&INTERNATIONAL.rules(), &start, &position(fen).state().resized())
    }

    #[test]
    fn position_target_knows_its_ply_if_all_men_are_left() {
        let (white, black) = (Colour::White, Colour::Black);
        for (fen, expected) in [
            ("B:W28,31,33-50:B1-20", PlyFromStart::Only { ply: 1, turn: black }),
            ("W:W28,31,33-50:B1-18,20,23", PlyFromStart::Only { ply: 2, turn: white }),
            ("W:W28,31,33-50:B1-20", PlyFromStart::Never),
            ("B:W31-50:B1-20", PlyFromStart::Never),
            ("W:W31-50:B1-19", PlyFromStart::Any),
            ("W:WK31,32-50:B1-20", PlyFromStart::Any),
        ] {
            assert_eq!(target(fen).ply, expected, "{fen}");
        }
    }

    #[test]
    fn position_target_excludes_games_that_end_with_more_pieces() {
        let last = |white: &str| position(&format!("W:W{white}:B1-5")).counts().into();
        let target = target("W:W31-40,K50:B1-5");
        assert!(target.may_end_with(last("31-40,K50")));
        assert!(target.may_end_with(last("31-35,K45,K50")));
        assert!(!target.may_end_with(last("31-42")), "twelve pieces");
        assert!(!target.may_end_with(last("31-41")), "eleven men, of which there were ten before");
    }
}
