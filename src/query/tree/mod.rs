//! The opening tree at one position: what was played there, by whom, and how those games ended.
//!
//! Games count if they have the position at any ply, whatever moves led to it: it is the position that is looked
//! for, not an order of moves. A game counts once for the position and once for each different move that it plays
//! there, so one that comes back and plays on otherwise counts for both moves.
//!
//! Cost: as far as the position can tell that a game is past it, games are played no further. The start position
//! of two million games takes some ten milliseconds, a position of the middle game a scan; with a
//! [table of positions](crate::index::build_key_tables) only the games that have it are played. Nothing depends on
//! the number of threads.

mod collect;
mod tally;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use roaring::RoaringBitmap;

use self::collect::{Collector, Found, Reaching};
use super::scan_games;
use crate::error::Result;
use crate::index::{Index, PositionTarget};
use crate::notation::{MoveStyle, move_text};
use crate::pool;
use crate::position::{Move, Position};
use crate::rules::Variant;

pub use tally::GameTally;

/// What is asked of a position.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TreeOptions<'a> {
    /// Worker threads.
    pub threads: NonZeroUsize,
    /// Count only these games: a set for each segment, as a search gives them.
    pub among: Option<&'a [RoaringBitmap]>,
    /// Examples to keep for each move: games of the highest rated players, then the latest, then the first.
    pub examples: usize,
    /// Also count, for each move, the games that have the position after it by whatever way. Each legal move is
    /// then looked for as the position itself was.
    pub transpositions: bool,
}

impl Default for TreeOptions<'_> {
    fn default() -> Self {
        Self { threads: pool::default_threads(), among: None, examples: 3, transpositions: false }
    }
}

/// A position and what was played there.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct OpeningTree {
    /// The position.
    pub position: Position,
    /// The games that have it.
    pub all: GameTally,
    /// The games that end there; they have it as their last position.
    pub ended: u64,
    /// The moves that were played there, by most games first.
    pub moves: Vec<TreeMove>,
    /// The moves that led there, by most games first.
    pub arrivals: Vec<TreeArrival>,
    /// Games that were looked at.
    pub looked_at: u64,
}

/// A move that was played in the position.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TreeMove {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// As it is written; `--` for a null move.
    pub text: String,
    /// The position after it.
    pub after: Position,
    /// The games that played it.
    pub tally: GameTally,
    /// The games that have the position after it, whatever led there; only if that was asked for.
    pub reached: Option<u64>,
}

impl TreeMove {
    /// The games that have the position after the move and did not get there by playing it here.
    pub fn transposed(&self) -> Option<u64> {
        Some(self.reached?.saturating_sub(self.tally.games))
    }
}

/// How games came to the position.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TreeArrival {
    /// The last move before; `None` where games begin with the position, or it was set up.
    pub mv: Option<Move>,
    /// As it is written, and `start` where there is none.
    pub text: String,
    /// A position in which it was played: that of the first such game.
    pub before: Option<Position>,
    /// The games that came by it.
    pub games: u64,
}

/// The variant that most games of an index were played in, the first one in the order of [`Variant::ALL`] if
/// several were; `None` for an index without games.
///
/// # Errors
/// When a section is damaged.
pub fn commonest_variant(index: &Index) -> Result<Option<Variant>> {
    let mut counts = vec![0u64; Variant::ALL.len()];
    for segment in index.segments() {
        let kinds = segment.kinds()?;
        let place =
            |kind: &crate::index::GameKind| Variant::ALL.iter().position(|&known| known == kind.variant);
        let mut games = vec![0u64; kinds.len()];
        match games.as_mut_slice() {
            [all] => *all = segment.len() as u64,
            games => {
                for kind in segment.column(crate::index::Section::Kind)?.values() {
                    if let Some(count) = games.get_mut(kind as usize) {
                        *count += 1;
                    }
                }
            }
        }
        for (kind, games) in kinds.iter().zip(games) {
            if let Some(place) = place(kind) {
                counts[place] += games;
            }
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let first = counts.iter().position(|&count| count == most && most > 0);
    Ok(first.map(|place| Variant::ALL[place]))
}

/// The opening tree at a position.
///
/// Games of the same rules count, however their squares are named; king counters do not.
///
/// ```
/// # let dir = tempfile::tempdir().unwrap();
/// # let archive = dir.path().join("games.pdn");
/// # let folder = dir.path().join("index");
/// # let text = "[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n[GameType \"20\"]\n1. 33-28 19-23 0-2\n";
/// # std::fs::write(&archive, text).unwrap();
/// use pdn::index::{Index, import};
/// use pdn::query::{TreeOptions, tree};
/// use pdn::{position::Position, rules::Variant};
/// use std::ops::ControlFlow;
///
/// import([&archive], &folder, &Default::default())?;
/// let start = Position::start(Variant::International);
/// let tree = tree(&Index::open(&folder)?, &start, &TreeOptions::default())?;
/// assert_eq!((tree.all.games, tree.all.white, tree.all.black), (2, 1, 1));
/// let moves: Vec<_> = tree.moves.iter().map(|branch| (branch.text.as_str(), branch.tally.games)).collect();
/// assert_eq!(moves, [("32-28", 1), ("33-28", 1)]);
/// # Ok::<_, pdn::Error>(())
/// ```
///
/// # Errors
/// When a section or a table is damaged.
pub fn tree(index: &Index, position: &Position, options: &TreeOptions<'_>) -> Result<OpeningTree> {
    let games = candidates(index, position, options)?;
    let collector = Collector::new(index, position, options.examples)?;
    let mut found = Found::default();
    let looked_at = scan_games(index, &games, threads(&games, options), &collector, |more| {
        found.add(more, options.examples);
        ControlFlow::Continue(())
    })?;
    let mut moves: Vec<TreeMove> =
        found.moves.into_iter().map(|(mv, tally)| branch(position, mv, tally)).collect();
    moves.sort_by_key(|branch| (std::cmp::Reverse(branch.tally.games), order(position, branch.mv)));
    if options.transpositions {
        reached(index, options, &mut moves)?;
    }
    let mut arrivals: Vec<TreeArrival> = (found.arrivals.into_iter())
        .map(|(mv, led)| {
            let before = led.before.map(|state| Position::from_state(*position.game(), state));
            let text = match (before, mv) {
                (Some(before), Some(mv)) => text(&before, &mv),
                _ => "start".to_owned(),
            };
            TreeArrival { mv, text, before, games: led.games }
        })
        .collect();
    arrivals.sort_by_key(|arrival| (std::cmp::Reverse(arrival.games), order(position, arrival.mv)));
    Ok(OpeningTree { position: *position, all: found.all, ended: found.ended, moves, arrivals, looked_at })
}

/// The games of each segment that may have a position.
fn candidates(index: &Index, position: &Position, options: &TreeOptions<'_>) -> Result<Vec<RoaringBitmap>> {
    let of = |segment| {
        let games = index.candidates(segment, position)?;
        Ok(match options.among {
            Some(among) => among.get(segment).map_or_else(RoaringBitmap::new, |among| games & among),
            None => games,
        })
    };
    (0..index.segments().len()).map(of).collect()
}

/// A few games are not worth a thread.
fn threads(games: &[RoaringBitmap], options: &TreeOptions<'_>) -> NonZeroUsize {
    let few = games.iter().map(RoaringBitmap::len).sum::<u64>() < 4096;
    if few { NonZeroUsize::MIN } else { options.threads }
}

/// Counts the games that have the position after each move.
fn reached(index: &Index, options: &TreeOptions<'_>, moves: &mut [TreeMove]) -> Result<()> {
    let afters: Vec<Position> = moves.iter().map(|branch| branch.after).collect();
    let mut games = vec![RoaringBitmap::new(); index.segments().len()];
    for after in &afters {
        let more = candidates(index, after, options)?;
        games.iter_mut().zip(more).for_each(|(games, more)| *games |= more);
    }
    let reaching = Reaching::new(index, &afters)?;
    let mut sums = vec![0u64; moves.len()];
    scan_games(index, &games, threads(&games, options), &reaching, |counts| {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        ControlFlow::Continue(())
    })?;
    moves.iter_mut().zip(sums).for_each(|(branch, sum)| branch.reached = Some(sum));
    Ok(())
}

fn branch(position: &Position, mv: Option<Move>, tally: GameTally) -> TreeMove {
    let mut after = *position;
    let text = match &mv {
        Some(mv) => {
            let _ = after.play(mv);
            text(position, mv)
        }
        None => {
            let _ = after.pass();
            "--".to_owned()
        }
    };
    TreeMove { mv, text, after, tally, reached: None }
}

/// The shortest text of a move; the squares alone where the captures are too many to tell them apart.
fn text(position: &Position, mv: &Move) -> String {
    move_text(position, mv, MoveStyle::Shortest).unwrap_or_else(|_| {
        let names = position.names();
        format!("{}x{}", names.name(mv.from), names.name(mv.to))
    })
}

/// The order of moves with as many games: by their squares' names, a null move last.
fn order(position: &Position, mv: Option<Move>) -> (u16, u16, u128) {
    let names = position.names();
    mv.map_or((u16::MAX, 0, 0), |mv| (names.number(mv.from).into(), names.number(mv.to).into(), mv.captured))
}

/// The goals of the games of each segment, by kind.
fn goals(index: &Index, position: &Position) -> Result<Vec<Vec<PositionTarget<u128>>>> {
    let of = |segment: &crate::index::Segment| {
        let goal = |kind: &crate::index::GameKind| {
            let start = Position::start(kind.game());
            PositionTarget::new(position.rules(), start.state(), position.state())
        };
        Ok(segment.kinds()?.iter().map(goal).collect())
    };
    index.segments().iter().map(of).collect()
}
