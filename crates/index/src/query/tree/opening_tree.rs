//! The options and the result of building an opening tree.

use std::num::NonZeroUsize;

use crate::GameSet;
use crate::book::parts::GameTally;
use crate::book::table::BOOK_EXAMPLES;
use pdn::position::{Move, Position};
use pdn::stop::Stop;

/// Options of [`tree`](super::tree).
///
/// ```
/// use pdn_index::query::TreeOptions;
///
/// let options = TreeOptions::new().examples(5).transpositions(true);
/// assert_eq!((options.examples, options.transpositions), (5, true));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TreeOptions<'a> {
    /// The number of worker threads; by default as many as the processor runs at once.
    pub threads: NonZeroUsize,
    /// The games to count, as a set for each segment; [`Search::games`](crate::query::Search::games) returns such sets.
    /// `None`, the default, counts all games.
    #[doc(hidden)]
    pub among: Option<&'a [GameSet]>,
    /// The number of example games to keep for each move, 3 by default: those of the highest rated players, then the
    /// latest, then the first of the index.
    pub examples: usize,
    /// Whether to count, for each legal move, the games that reach the position after it by any move order. Each such position
    /// is then searched for like the position itself.
    pub transpositions: bool,
    /// The approximate maximum number of games to play. If more games may have the position, the tree is counted from an even share of
    /// them, and [`OpeningTree::left_out`] says so. `None`, the default, plays all.
    pub max_games: Option<u64>,
    /// Stops the work: [`tree`](super::tree) then fails with [`ErrorKind::Stopped`](pdn::error::ErrorKind::Stopped) within
    /// some ten milliseconds.
    pub stop: Stop,
}

impl Default for TreeOptions<'_> {
    fn default() -> Self {
        Self {
            threads: pdn::default_threads(),
            among: None,
            examples: 3,
            transpositions: false,
            max_games: None,
            stop: Stop::default(),
        }
    }
}

impl<'a> TreeOptions<'a> {
    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of worker threads.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Counts only these games: a set for each segment.
    #[doc(hidden)]
    #[must_use]
    pub fn among(self, games: &'a [GameSet]) -> Self {
        Self { among: Some(games), ..self }
    }

    /// The number of example games that the book of an index has of each position and move. With more, a tree is counted without the book.
    pub const EXAMPLES_IN_BOOK: usize = BOOK_EXAMPLES;

    /// Sets the number of example games to keep for each move.
    #[must_use]
    pub fn examples(self, examples: usize) -> Self {
        Self { examples, ..self }
    }

    /// Sets whether to count the games that reach the position after each move by any move order.
    #[must_use]
    pub fn transpositions(self, transpositions: bool) -> Self {
        Self { transpositions, ..self }
    }

    /// Sets the greatest number of games to play.
    #[must_use]
    pub fn max_games(self, games: u64) -> Self {
        Self { max_games: Some(games), ..self }
    }

    /// Sets the handle with which another thread stops the work.
    #[must_use]
    pub fn stop(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }
}

/// A position with the moves that were played in it.
///
/// [`tree`](super::tree()) returns it. From each move the next tree begins:
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn::{position::Position, rules::Variant};
/// use pdn_index::query::{TreeOptions, tree};
///
/// std::fs::write(&archive, "1. 32-28 19-23 2. 28x19 *\n\n1. 32-28 19-23 *\n\n1. 32-28 16-21 *\n\n1. 33-28 *\n")?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let mut position = Position::start(Variant::International);
/// // The line that most games follow.
/// let mut line = Vec::new();
/// while let Some(most) = tree(&index, &position, &TreeOptions::new())?.moves.first() {
///     line.push(format!("{} ({})", most.text, most.tally.games));
///     position = most.after;
/// }
/// assert_eq!(line, ["32-28 (3)", "19-23 (2)", "28x19 (1)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "explorer")]
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct OpeningTree {
    /// The position.
    pub position: Position,
    /// The games that have the position at some ply.
    pub all: GameTally,
    /// The number of games whose last position it is.
    pub ended: u64,
    /// The moves that were played in it, by decreasing number of games.
    pub moves: Vec<TreeMove>,
    /// The moves that nobody played in it, and that lead to a position which games reach by another order of moves, by decreasing number
    /// of these games ([`TreeMove::reached`]). Empty unless [`TreeOptions::transpositions`] is set, and if
    /// [`TreeOptions::max_games`] did not suffice.
    pub unplayed: Vec<TreeMove>,
    /// The moves that led to it, by decreasing number of games.
    #[doc(hidden)]
    pub arrivals: Vec<TreeArrival>,
    /// The number of games that were played to find it.
    pub looked_at: u64,
    /// The number of games that may have the position, and were not played because of [`TreeOptions::max_games`]. If it is
    /// 0, the tree is exact.
    pub left_out: u64,
}

/// A move that was played in the position.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn::{position::Position, replay::play_text, rules::Variant};
/// use pdn_index::query::{TreeOptions, tree};
///
/// // Both games reach the same position by another order of moves.
/// std::fs::write(&archive, "1. 31-26 20-25 2. 33-29 *\n\n1. 33-29 20-25 2. 31-26 *\n")?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let position = play_text(&Position::start(Variant::International), "1. 31-26 20-25")?;
/// let tree = tree(&Index::open(&path)?, &position, &TreeOptions::new().transpositions(true))?;
/// let mv = &tree.moves[0];
/// assert_eq!((mv.text.as_str(), mv.tally.games), ("33-29", 1));
/// assert_eq!((mv.reached, mv.transposed()), (Some(2), Some(1)));
///
/// // Nobody played 31-26 after 33-29 and 20-25 at once, but a game has the position.
/// std::fs::write(&archive, "1. 31-26 20-25 2. 33-29 *\n\n1. 33-29 20-25 2. 35-30 *\n")?;
/// # let path = folder.path().join("second.idx");
/// # import([&archive], &path, &ImportOptions::new())?;
/// let position = play_text(&Position::start(Variant::International), "1. 33-29 20-25")?;
/// let tree = pdn_index::query::tree(&Index::open(&path)?, &position, &TreeOptions::new().transpositions(true))?;
/// assert_eq!((tree.unplayed[0].text.as_str(), tree.unplayed[0].reached), ("31-26", Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TreeMove {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The move as text, in the shortest form; `--` for a null move.
    pub text: String,
    /// The position after the move.
    pub after: Position,
    /// The games in which the move was played here.
    pub tally: GameTally,
    /// The number of games that reach the position after this move by any move order; `None` unless transpositions were
    /// requested, and if [`TreeOptions::max_games`] did not suffice.
    pub reached: Option<u64>,
}

impl TreeMove {
    /// Returns the number of games that reach the position after this move without playing the move here; `None` unless
    /// transpositions were requested.
    pub fn transposed(&self) -> Option<u64> {
        Some(self.reached?.saturating_sub(self.tally.games))
    }
}

/// A move that led to the position.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TreeArrival {
    /// The move; `None` where games begin with the position, it was set up, or a null move led to it.
    pub mv: Option<Move>,
    /// The move as text, in the shortest form; `start` if there is none.
    pub text: String,
    /// The position before the move, in the first such game; `None` if there is no move.
    pub before: Option<Position>,
    /// The number of games in which the move led to the position.
    pub games: u64,
}
