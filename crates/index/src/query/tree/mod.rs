//! The opening tree at one position: the moves that were played in it, and how those games ended.
//!
//! Games count if they have the position at any ply, by any move order. A game counts once for the position and once for
//! each different move that it plays there: a game that comes back to the position and plays another move counts for
//! both moves.
//!
//! Playing a game stops as soon as the position cannot come any more. The start position of two million games takes some
//! ten milliseconds; a position of the middle game takes a scan of all moves. With a
//! [key table](crate::build_key_tables), only the games that have the position are played. With a book, which is built
//! along with it, the games that have a common position are not played at all. If a filter chooses games, their moves in a common position
//! are read from the openings, which are built along with the book. The tree is the same with and without books and openings,
//! and for any number of threads.

// Twin: the text replayed and every position compared, in tests/it/tree_naive; test: opening_tree_equals_the_replayed_text.

mod opening_tree;
mod collect;
mod by_opening;

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use self::by_opening::{OpeningCounter, count_by_openings};
use self::collect::{ReachCounter, TreeCollector};
use super::position;
use super::scan::scan_until;
use crate::book::parts::TreeParts;
use crate::book::table::BOOK_EXAMPLES;
use crate::{GameSet, Index, PackedMoves};
use pdn::error::Result;
use pdn::internal::sort;
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};

pub use crate::book::parts::GameTally;
pub use opening_tree::{OpeningTree, TreeArrival, TreeMove, TreeOptions};

/// The greatest number of games that one thread plays alone; for fewer, starting threads takes longer.
const MAX_SINGLE_THREAD_GAMES: u64 = 4096;

/// Builds the opening tree at a position.
///
/// Games of the same rules count, however their squares are named. King counters are not compared.
///
/// ```
/// # let dir = tempfile::tempdir().unwrap();
/// # let archive = dir.path().join("games.pdn");
/// # let folder = dir.path().join("index");
/// # let text = "[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n[GameType \"20\"]\n1. 33-28 19-23 0-2\n";
/// # std::fs::write(&archive, text).unwrap();
/// use pdn_index::{Index, import};
/// use pdn_index::query::{TreeOptions, tree};
/// use pdn::{position::Position, rules::Variant};
/// use std::ops::ControlFlow;
///
/// import([&archive], &folder, &Default::default())?;
/// let start = Position::start(Variant::International);
/// let tree = tree(&Index::open(&folder)?, &start, &TreeOptions::new())?;
/// assert_eq!((tree.all.games, tree.all.white, tree.all.black), (2, 1, 1));
/// let moves: Vec<_> = tree.moves.iter().map(|mv| (mv.text.as_str(), mv.tally.games)).collect();
/// assert_eq!(moves, [("32-28", 1), ("33-28", 1)]);
/// # Ok::<_, pdn::Error>(())
/// ```
///
/// # Errors
/// If a section or a key table is damaged, or a stop is requested.
pub fn tree(index: &Index, position: &Position, options: &TreeOptions<'_>) -> Result<OpeningTree> {
    let mut parts = TreeParts::default();
    let mut games = Vec::with_capacity(index.segments().len());
    let mut counters = Vec::with_capacity(index.segments().len());
    for segment in 0..index.segments().len() {
        games.push(match in_book(index, segment, position, options)? {
            Some(found) => {
                parts.add(found, options.examples);
                GameSet::new()
            }
            None => candidates(index, segment, &[position], options)?,
        });
        counters.push(OpeningCounter::new(index, segment, position, games[segment].len())?);
    }
    count_by_openings(&counters, &mut games, options, &mut parts)?;
    let left_out = take_sample(&mut games, options);
    let mut looked_at = 0;
    if games.iter().any(|games| !games.is_empty()) {
        let collector = TreeCollector::new(index, position, options.examples, count(&games))?;
        let threads = threads(&games, options);
        looked_at = scan_until(&options.stop, index, &games, threads, &collector, |more| {
            parts.add(more, options.examples);
            ControlFlow::Continue(())
        })?;
    }
    parts.all.finish();
    let mut moves: Vec<TreeMove> =
        parts.moves.into_iter().map(|(mv, tally)| tree_move(position, mv, tally)).collect();
    sort::by_key(&mut moves, |mv| (Reverse(mv.tally.games), tie_break(position, mv.mv)));
    let mut unplayed = Vec::new();
    if options.transpositions && left_out == 0 {
        let played = moves.len();
        moves.extend(unplayed_moves(position, &moves));
        count_transpositions(index, options, &mut moves)?;
        unplayed = moves.split_off(played);
        unplayed.retain(|mv| mv.reached.is_some_and(|games| games > 0));
        sort::by_key(&mut unplayed, |mv| (Reverse(mv.reached), tie_break(position, mv.mv)));
    }
    let mut arrivals: Vec<TreeArrival> = (parts.arrivals.into_iter())
        .map(|(mv, arrival)| {
            let before = arrival.before.map(|state| Position::from_state(*position.game(), state));
            let text = match (before, mv) {
                (Some(before), Some(mv)) => text(&before, &mv),
                _ => "start".to_owned(),
            };
            TreeArrival { mv, text, before, games: arrival.games }
        })
        .collect();
    sort::by_key(&mut arrivals, |arrival| (Reverse(arrival.games), tie_break(position, arrival.mv)));
    Ok(OpeningTree {
        position: *position,
        all: parts.all,
        ended: parts.ended,
        moves,
        unplayed,
        arrivals,
        looked_at,
        left_out,
    })
}

/// Returns the tree of a position in the games of a segment from its book, if the book has it and all games count.
fn in_book(
    index: &Index,
    segment: usize,
    position: &Position,
    options: &TreeOptions<'_>,
) -> Result<Option<TreeParts>> {
    if options.among.is_some() || options.examples > BOOK_EXAMPLES {
        return Ok(None);
    }
    index.tree_in_book(segment, position)
}

/// Returns the games of a segment that may have one of some positions of the same rules, and are to be counted. The most
/// frequent position comes first: if the key table is of no use for it, no other is looked up.
fn candidates(
    index: &Index,
    segment: usize,
    positions: &[&Position],
    options: &TreeOptions<'_>,
) -> Result<GameSet> {
    let Some(first) = positions.first() else { return Ok(GameSet::new()) };
    let among = options.among.map(|among| among.get(segment).cloned().unwrap_or_default());
    if among.as_ref().is_some_and(GameSet::is_empty) {
        return Ok(GameSet::new());
    }
    let mut games = GameSet::new();
    for position in positions {
        match position::listed(index, segment, position)? {
            Some(listed) => games |= listed,
            None => {
                let all = position::of_same_rules(index, segment, first)?;
                return Ok(among.map_or(all.clone(), |among| all & among));
            }
        }
    }
    if let Some(among) = among {
        games &= among;
    }
    position::among_of_same_rules(index, segment, first, games)
}

/// Keeps an even share of the games, by blocks of the games that are read together, if there are more than the options allow.
/// Returns the number of games that are left out.
fn take_sample(games: &mut [GameSet], options: &TreeOptions<'_>) -> u64 {
    const BLOCK: u64 = PackedMoves::BLOCK as u64;
    let total: u64 = games.iter().map(GameSet::len).sum();
    let Some(max) = options.max_games.map(|max| max.max(1)).filter(|max| *max < total) else { return 0 };
    let before = |block: u64| u128::from(block) * u128::from(max) / u128::from(total);
    let mut first_block = 0;
    for games in games.iter_mut() {
        let is_kept = |game: u32| {
            let block = first_block + u64::from(game) / BLOCK;
            before(block + 1) > before(block)
        };
        let blocks = u64::from(games.iter().last().map_or(0, |last| last + 1)).div_ceil(BLOCK);
        *games = games.iter().filter(|game| is_kept(*game)).collect();
        first_block += blocks;
    }
    total - games.iter().map(GameSet::len).sum::<u64>()
}

/// Returns the number of games of all segments.
fn count(games: &[GameSet]) -> u64 {
    games.iter().map(GameSet::len).sum()
}

/// Returns the number of threads for these games.
fn threads(games: &[GameSet], options: &TreeOptions<'_>) -> NonZeroUsize {
    if count(games) < MAX_SINGLE_THREAD_GAMES { NonZeroUsize::MIN } else { options.threads }
}

/// Counts, for each move, the games that have the position after it.
fn count_transpositions(index: &Index, options: &TreeOptions<'_>, moves: &mut [TreeMove]) -> Result<()> {
    let afters: Vec<Position> = moves.iter().map(|mv| mv.after).collect();
    let mut sums = vec![0u64; moves.len()];
    let (mut counted, mut games) = (Vec::new(), Vec::new());
    for segment in 0..index.segments().len() {
        let mut is_counted = vec![true; afters.len()];
        for ((after, sum), is_counted) in afters.iter().zip(&mut sums).zip(&mut is_counted) {
            if let Some(found) = in_book(index, segment, after, options)? {
                *sum += found.all.games;
                *is_counted = false;
            }
        }
        let wanted = afters.iter().zip(&is_counted).filter_map(|(after, counted)| counted.then_some(after));
        games.push(candidates(index, segment, &wanted.collect::<Vec<_>>(), options)?);
        counted.push(is_counted);
    }
    if take_sample(&mut games, options) > 0 {
        // Counts of a sample could not be compared with those of the moves.
        return Ok(());
    }
    if games.iter().any(|games| !games.is_empty()) {
        let counter = ReachCounter::new(index, &afters, &counted, count(&games))?;
        scan_until(&options.stop, index, &games, threads(&games, options), &counter, |counts| {
            sums.iter_mut().zip(counts.games).for_each(|(sum, count)| *sum += count);
            ControlFlow::Continue(())
        })?;
    }
    moves.iter_mut().zip(sums).for_each(|(mv, sum)| mv.reached = Some(sum));
    Ok(())
}

/// Returns the legal moves of a position that are not in `played`, without games; none if there are too many captures to list.
fn unplayed_moves(position: &Position, played: &[TreeMove]) -> Vec<TreeMove> {
    let mut legal = MoveList::new();
    if position.legal_moves(&mut legal).is_err() {
        return Vec::new();
    }
    let is_played = |mv: &Move| played.iter().any(|played| played.mv == Some(*mv));
    let unplayed = legal.iter().filter(|mv| !is_played(mv));
    unplayed.map(|mv| tree_move(position, Some(*mv), GameTally::default())).collect()
}

/// Creates the entry of a move played in `position`.
fn tree_move(position: &Position, mv: Option<Move>, mut tally: GameTally) -> TreeMove {
    tally.finish();
    let mut after = *position;
    let text = match &mv {
        Some(mv) => {
            after.play_unchecked(mv);
            text(position, mv)
        }
        None => {
            after.pass();
            "--".to_owned()
        }
    };
    TreeMove { mv, text, after, tally, reached: None }
}

/// Returns the shortest text of a move; its two squares if the position has too many captures to compare them.
fn text(position: &Position, mv: &Move) -> String {
    move_text(position, mv, MoveStyle::Shortest).unwrap_or_else(|_| {
        let names = position.names();
        format!("{}x{}", names.name(mv.from), names.name(mv.to))
    })
}

/// Returns the sort key of moves with equal numbers of games: by the names of their squares, a null move last.
fn tie_break(position: &Position, mv: Option<Move>) -> (u16, u16, u128) {
    let names = position.names();
    mv.map_or((u16::MAX, 0, 0), |mv| (names.number(mv.from).into(), names.number(mv.to).into(), mv.captured))
}

#[cfg(test)]
mod tests;
