//! Counts games by their openings: what most games played in a common position is known without unpacking them.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::collect::TallyColumns;
use super::opening_tree::TreeOptions;
use crate::book::parts::{Arrival, GameTally, TreeParts};
use crate::openings::OpeningTable;
use crate::query::position::{PositionTarget, targets_of_segment};
use crate::{Column, GameKind, GameSet, Index};
use pdn::error::{ErrorKind, Result};
use pdn::internal::pool;
use pdn::movegen::MoveList;
use pdn::position::{Move, Position};
use pdn::value::Colour;
use pdn_rules::internal::board::Directions;
use pdn_rules::internal::position::State;

// Twin: the games played; test: tree_by_openings_equals_the_tree_of_played_games.

/// Number of openings that are classified in the time that playing one game takes. Most openings are never looked at, because
/// the position cannot come after a shorter one.
const OPENINGS_PER_GAME: u64 = 64;

/// Number of games that a thread takes at a time.
const BATCH_GAMES: u32 = 1 << 16;

/// The least number of games for which the openings of an index are read whose files are read by ranges: the moves of fewer games
/// have fewer bytes.
const MIN_RANGED_GAMES: u64 = if cfg!(test) { 40 } else { 16384 };

/// What an opening tells about its games and the position.
mod place {
    /// The games have to be played.
    pub(super) const OPEN: u16 = 0;
    /// The games do not have the position.
    pub(super) const ABSENT: u16 = 1;
    /// The games belong to the first group; the next numbers stand for the next groups.
    pub(super) const FIRST_GROUP: u16 = 2;
}

/// Games that reach the position once, by the same moves, and leave it by the same move.
#[derive(Debug)]
struct Group {
    /// The last move before the position, and the position before it; `None` for the start position.
    by: Option<(Move, State<u128>)>,
    /// The next move; `None` if the games end with the position.
    left_by: Option<Move>,
    kind: GameKind,
}

/// What the openings of a segment tell about a position.
#[derive(Debug)]
pub(super) struct OpeningCounter<'a> {
    openings: &'a OpeningTable,
    /// The opening of each game.
    numbers: Column<'a>,
    /// For each opening, a value of [`place`].
    places: Vec<u16>,
    groups: Vec<Group>,
    columns: TallyColumns<'a>,
}

/// What is known of some games.
struct Counted {
    /// For each group, its games and the first of them.
    groups: Vec<(GameTally, u64)>,
    /// The games that have to be played.
    open: GameSet,
}

impl<'a> OpeningCounter<'a> {
    /// Prepares the counting of `games` games of a segment; `None` if it is faster to play them, or the position may come
    /// more than once in a game.
    ///
    /// # Errors
    /// If the segment or its openings are damaged.
    pub(super) fn new(
        index: &'a Index,
        segment: usize,
        position: &Position,
        games: u64,
    ) -> Result<Option<Self>> {
        let reads_too_much = index.is_ranged() && games < MIN_RANGED_GAMES;
        if !comes_once(position) || games == 0 || reads_too_much {
            return Ok(None);
        }
        let Some(openings) = index.openings(segment)? else { return Ok(None) };
        if games.saturating_mul(OPENINGS_PER_GAME) < openings.len().into() {
            return Ok(None);
        }
        let data = &index.segments()[segment];
        let kinds = data.kinds()?;
        let targets = targets_of_segment(data, position)?;
        let Some(numbers) = index.or_without_table(openings.numbers().map(Some))? else { return Ok(None) };
        let mut places = vec![place::ABSENT; openings.len() as usize];
        // Games that are not continuous may have any position.
        places[0] = place::OPEN;
        let mut counter = Self {
            openings,
            numbers,
            places,
            groups: Vec::new(),
            columns: TallyColumns::new(index, segment, games)?,
        };
        let (possible, mut list) = (StillPossible::new(position), MoveList::new());
        for ((kind, target), root) in kinds.iter().zip(&targets).zip(openings.children(0)) {
            if kind.variant.rules() == *position.rules()
                && counter.place(root, kind, target, &possible, &mut list).is_none()
            {
                return Ok(None);
            }
        }
        Ok(Some(counter))
    }

    /// Notes what the openings of a kind of games from `root` on tell about the position; `None` if a move of an opening is not
    /// found.
    fn place(
        &mut self,
        root: u32,
        kind: &GameKind,
        target: &PositionTarget<u128>,
        possible: &StillPossible,
        list: &mut MoveList,
    ) -> Option<()> {
        let start = PlayedOpening { number: root, plies: 0, by: None, last: Position::start(kind.game()) };
        let mut rest = vec![start];
        while let Some(played) = rest.pop() {
            let state = played.last.state();
            if target.is(state) {
                self.add_groups(&played, kind, list)?;
            } else if !(target.may_come_after(played.plies) && possible.after(state)) {
                // Absent from all games that begin so.
            } else if self.openings.is_followed(played.number) {
                let before = State { streaks: Default::default(), ..*state };
                for (number, mv) in followers(self.openings, played.number, &played.last, list)? {
                    let (plies, last) = (played.plies + 1, played.last.after_unchecked(&mv));
                    rest.push(PlayedOpening { number, plies, by: Some((mv, before)), last });
                }
            } else {
                // The games have only this beginning in common.
                self.places[played.number as usize] = place::OPEN;
            }
        }
        Some(())
    }

    /// Adds the groups of the games that begin with an opening after which the position stands; `None` if a move of the next
    /// opening is not found.
    fn add_groups(&mut self, played: &PlayedOpening, kind: &GameKind, list: &mut MoveList) -> Option<()> {
        let opening = played.number;
        if !self.openings.is_followed(opening) {
            self.places[opening as usize] = place::OPEN;
            return Some(());
        }
        let ended = std::iter::once((opening..opening + 1, None));
        let followers = followers(self.openings, opening, &played.last, list)?;
        let followers = followers.into_iter().map(|(child, mv)| (child..self.openings.end(child), Some(mv)));
        for (openings, left_by) in ended.chain(followers) {
            let group = u16::try_from(self.groups.len()).ok()?.checked_add(place::FIRST_GROUP)?;
            self.groups.push(Group { by: played.by, left_by, kind: *kind });
            self.places[openings.start as usize..openings.end as usize].fill(group);
        }
        Some(())
    }

    /// Counts the games of a range about which enough is known. Those that have to be played are returned as `open`.
    fn count(&self, games: &GameSet, range: Range<u32>, examples: usize) -> Result<Counted> {
        let mut counted = Counted {
            groups: vec![(GameTally::default(), u64::MAX); self.groups.len()],
            open: GameSet::new(),
        };
        for game in games.range(range) {
            let opening =
                self.numbers.get(game as usize).and_then(|opening| self.places.get(opening as usize));
            match opening {
                None => return Err(self.openings.invalid()),
                Some(&place::OPEN) => _ = counted.open.insert(game),
                Some(&place::ABSENT) => {}
                Some(group) => {
                    let group = usize::from(group - place::FIRST_GROUP);
                    let (tally, first) = &mut counted.groups[group];
                    let values = self.columns.values(game);
                    *first = values.number.min(*first);
                    tally.count(&values, &self.groups[group].kind, examples);
                }
            }
        }
        Ok(counted)
    }

    /// Adds counted games to a tree.
    fn add_to(&self, parts: &mut TreeParts, counted: &[(GameTally, u64)], examples: usize) {
        for (group, (tally, first_game)) in
            self.groups.iter().zip(counted).filter(|(_, (tally, _))| tally.games > 0)
        {
            let arrival = Arrival {
                before: group.by.map(|(_, before)| before),
                first_game: *first_game,
                games: tally.games,
            };
            parts.add_alike(tally, (group.by.map(|(mv, _)| mv), arrival), group.left_by, examples);
        }
    }
}

/// Adds to `parts` the games about which the openings tell enough, and removes them from `games`. `games` and `counters` have
/// an item for each segment.
///
/// # Errors
/// If a section or the openings of a segment are damaged.
pub(super) fn count_by_openings(
    counters: &[Option<OpeningCounter<'_>>],
    games: &mut [GameSet],
    options: &TreeOptions<'_>,
    parts: &mut TreeParts,
) -> Result<()> {
    let examples = options.examples;
    let count: u64 = counters
        .iter()
        .zip(&*games)
        .filter_map(|(counter, games)| counter.as_ref().map(|_| games.len()))
        .sum();
    let threads = if count > BATCH_GAMES.into() { options.threads } else { NonZeroUsize::MIN };
    let batches = (0..)
        .zip(counters)
        .zip(&*games)
        .filter_map(|((segment, counter), games)| Some((segment, counter.as_ref()?, games, games.end())));
    let batches = batches.flat_map(|(segment, counter, games, end)| {
        let range = move |first: u32| first..end.min(first.saturating_add(BATCH_GAMES));
        (0..end).step_by(BATCH_GAMES as usize).map(move |first| (segment, counter, games, range(first)))
    });
    let mut open: Vec<(usize, GameSet)> = Vec::new();
    pool::try_ordered(
        batches,
        threads,
        || (),
        |(), (segment, counter, games, range)| {
            counter.count(games, range, examples).map(|counted| (segment, counter, counted))
        },
        |(segment, counter, counted)| {
            counter.add_to(parts, &counted.groups, examples);
            open.push((segment, counted.open));
            if options.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    if options.stop.is_requested() {
        return Err(ErrorKind::Stopped.into());
    }
    for (games, _) in games.iter_mut().zip(counters).filter(|(_, counter)| counter.is_some()) {
        *games = GameSet::new();
    }
    open.into_iter().for_each(|(segment, open)| games[segment] |= open);
    Ok(())
}

/// Returns `true` if a continuous game can have a position only once. Men that only step forward never stand again where they
/// stood, and neither men nor pieces come back; kings do.
fn comes_once(position: &Position) -> bool {
    position.state().kings == 0 && position.rules().movement.man_steps == Directions::FORWARD
}

/// An opening with the position after it.
struct PlayedOpening {
    number: u32,
    plies: u32,
    /// The last move and the position before it; `None` for an opening without moves.
    by: Option<(Move, State<u128>)>,
    /// The position after the moves.
    last: Position,
}

/// Returns the openings that are one move longer than `opening`, after which `position` stands, with these moves; `None` if a
/// move is not found.
fn followers(
    openings: &OpeningTable,
    opening: u32,
    position: &Position,
    list: &mut MoveList,
) -> Option<Vec<(u32, Move)>> {
    position.legal_moves(list).ok()?;
    let moves: Vec<(u64, Move)> = list.iter().map(|mv| (position.after_unchecked(mv).key().0, *mv)).collect();
    let with_move = |child: u32| {
        let key = openings.key(child);
        moves.iter().find(|(other, _)| *other == key).map(|(_, mv)| (child, *mv))
    };
    openings.children(opening).map(with_move).collect()
}

// Twin: positions of played games; test: no_position_that_comes_is_given_up.

/// A target position without kings, under rules where men step forward only. Recognises positions from which no game can
/// reach it.
///
/// A man can move back only by a capture, and with each piece that it captures it crosses the border between two rows at most
/// once. So, with `n` pieces still to be captured by a side, at most `n` of its men can come back behind any row.
#[derive(Debug)]
pub(super) struct StillPossible {
    /// The number of pieces of each side.
    pieces: [u32; 2],
    /// For each side, its squares from its own edge of the board up to each row, and the number of its men on them.
    men_behind: [Vec<(u128, u32)>; 2],
}

impl StillPossible {
    /// Prepares the test for a position.
    pub(super) fn new(position: &Position) -> Self {
        let (state, board) = (position.state(), position.rules().board);
        let (layout, height) = (board.layout(), board.height() as i8);
        let behind = |colour: Colour| {
            let mut squares = 0;
            let rows = (0..height).map(|distance| match colour {
                Colour::White => layout.row(height - 1 - distance),
                Colour::Black => layout.row(distance),
            });
            rows.map(|row| {
                squares |= row;
                (squares, (state.men(colour) & squares).count_ones())
            })
            .collect()
        };
        Self {
            pieces: Colour::ALL.map(|colour| state.side(colour).count_ones()),
            men_behind: Colour::ALL.map(behind),
        }
    }

    /// Returns `false` if no continuous game leads from `state` to the position. O(rows of the board).
    pub(super) fn after(&self, state: &State<u128>) -> bool {
        let pieces = Colour::ALL.map(|colour| state.side(colour).count_ones());
        Colour::ALL.into_iter().all(|colour| {
            let other = !colour as usize;
            let Some(captures) = pieces[other].checked_sub(self.pieces[other]) else { return false };
            let men = state.men(colour);
            self.men_behind[colour as usize]
                .iter()
                .all(|(squares, wanted)| *wanted <= (men & squares).count_ones() + captures)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::movegen::MoveList;
    use pdn::rules::Variant;
    use pdn_rules::internal::board::Directions;

    #[test]
    fn no_position_that_comes_is_given_up() {
        let mut random = fastrand::Rng::with_seed(71);
        let mut list = MoveList::new();
        let (mut kept, mut given_up) = (0, 0);
        for variant in [Variant::International, Variant::Russian, Variant::Frisian, Variant::Canadian] {
            assert_eq!(Position::start(variant).rules().movement.man_steps, Directions::FORWARD);
            for _ in 0..40 {
                let mut positions = vec![Position::start(variant)];
                while positions.len() < 60 && positions.last().is_some_and(|last| last.state().kings == 0) {
                    let last = positions[positions.len() - 1];
                    last.legal_moves(&mut list).unwrap();
                    let Some(mv) = list.get(random.usize(..list.len().max(1))) else { break };
                    positions.push(last.after_unchecked(mv));
                }
                for (ply, position) in positions.iter().enumerate().filter(|(_, it)| it.state().kings == 0) {
                    let possible = StillPossible::new(position);
                    let is_possible = |before: &Position| possible.after(before.state());
                    assert!(positions[..=ply].iter().all(is_possible), "{variant:?}: {}", position.fen());
                    kept += positions[ply..].iter().filter(|later| is_possible(later)).count();
                    given_up += positions[ply..].iter().filter(|later| !is_possible(later)).count();
                }
            }
        }
        assert!(given_up > 5 * kept, "{given_up} given up, {kept} kept");
    }
}
