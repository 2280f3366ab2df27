//! Collects the moves of an opening tree from packed games.

use super::tally::{GameTally, TallyValues};
use crate::board::Geometry;
use crate::error::Result;
use crate::index::{Column, GameKind, Index, PackedPieceCounts, Section, is_continuous};
use crate::pack::CorruptMoves;
use crate::position::{Move, Position, State};
use crate::query::position::{PositionEvent, PositionTarget, seek_each, targets};
use crate::query::scan::{GameScanner, PlayableGame};

/// The tree of some consecutive games. A position has few different moves, so that a list is searched faster than a map.
#[derive(Default)]
pub(super) struct TreeParts {
    /// The games that have the position.
    pub(super) all: GameTally,
    /// The number of games whose last position it is.
    pub(super) ended: u64,
    /// The moves played in the position; `None` for a null move.
    pub(super) moves: Vec<(Option<Move>, GameTally)>,
    /// The moves that led to it; `None` where no move did.
    pub(super) arrivals: Vec<(Option<Move>, Arrival)>,
    current: CurrentGame,
}

/// The games in which a move led to the position.
#[derive(Default)]
pub(super) struct Arrival {
    /// The position before the move, in the first of these games.
    pub(super) before: Option<State<u128>>,
    /// The number of games.
    pub(super) games: u64,
}

/// The moves of the game that is being played, as indices of the lists above. They are counted once per game.
#[derive(Default)]
struct CurrentGame {
    moves: Vec<usize>,
    arrivals: Vec<usize>,
}

impl TreeParts {
    /// Adds the parts of later games.
    pub(super) fn add(&mut self, more: Self, examples: usize) {
        self.all.add(&more.all, examples);
        self.ended += more.ended;
        for (mv, tally) in more.moves {
            let place = place_of(&mut self.moves, mv);
            self.moves[place].1.add(&tally, examples);
        }
        for (mv, arrival) in more.arrivals {
            let place = place_of(&mut self.arrivals, mv);
            let own = &mut self.arrivals[place].1;
            own.before = own.before.or(arrival.before);
            own.games += arrival.games;
        }
    }
}

/// Returns the index of a move in a list, after appending it if it is missing.
#[cfg_attr(not(debug_assertions), inline(always))]
fn place_of<T: Default>(list: &mut Vec<(Option<Move>, T)>, mv: Option<Move>) -> usize {
    list.iter().position(|(other, _)| *other == mv).unwrap_or_else(|| {
        list.push((mv, T::default()));
        list.len() - 1
    })
}

/// The columns of a segment that the tree needs, and the position compiled for each kind of games.
struct TreeColumns<'a> {
    /// The number of the first game of the segment in the index.
    first: u64,
    kinds: Vec<GameKind>,
    targets: Vec<PositionTarget<u128>>,
    summary: Column<'a>,
    last: Column<'a>,
    date: Column<'a>,
    ratings: [Column<'a>; 2],
}

/// A scanner that collects the tree at a position.
pub(super) struct TreeCollector<'a> {
    segments: Vec<TreeColumns<'a>>,
    /// The number of example games to keep for each move.
    examples: usize,
}

impl<'a> TreeCollector<'a> {
    /// Creates a collector for all segments of an index.
    ///
    /// # Errors
    /// If a section is damaged.
    pub(super) fn new(index: &'a Index, position: &Position, examples: usize) -> Result<Self> {
        let targets = targets(index, position)?;
        let columns = |(number, targets)| {
            let segment = &index.segments()[number];
            Ok(TreeColumns {
                first: index.first_game(number).unwrap_or(0),
                kinds: segment.kinds()?,
                targets,
                summary: segment.column(Section::Summary)?,
                last: segment.column(Section::Last)?,
                date: segment.column(Section::Date)?,
                ratings: [segment.column(Section::WhiteRating)?, segment.column(Section::BlackRating)?],
            })
        };
        Ok(Self { segments: targets.into_iter().enumerate().map(columns).collect::<Result<_>>()?, examples })
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn value(column: &Column<'_>, game: u32) -> u64 {
    column.get(game as usize).unwrap_or(0)
}

impl GameScanner for TreeCollector<'_> {
    type Found = TreeParts;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        parts: &mut TreeParts,
    ) -> std::result::Result<(), CorruptMoves> {
        let columns = &self.segments[game.segment];
        let (Some(target), Some(kind)) = (columns.targets.get(game.kind), columns.kinds.get(game.kind))
        else {
            return Ok(());
        };
        let summary = value(&columns.summary, game.game);
        let continuous = is_continuous(summary);
        if continuous
            && !target.may_end_with(PackedPieceCounts::from_bits(value(&columns.last, game.game) as u32))
        {
            return Ok(());
        }
        let TreeParts { all, ended, moves, arrivals, current } = parts;
        current.moves.clear();
        current.arrivals.clear();
        let mut ends_here = false;
        target.resized::<G::Bits>().seek(
            game.codec,
            game.start,
            game.bytes,
            continuous,
            |event| match event {
                PositionEvent::Reached(_, by) => {
                    ends_here = true;
                    let mv = by.and_then(|by| by.mv()).map(Move::resized);
                    let place = place_of(arrivals, mv);
                    if !current.arrivals.contains(&place) {
                        current.arrivals.push(place);
                        let arrival = &mut arrivals[place].1;
                        arrival.games += 1;
                        if arrival.before.is_none() {
                            arrival.before = by.map(|by| by.before().resized());
                        }
                    }
                }
                PositionEvent::Left(_, by) => {
                    ends_here = false;
                    let place = place_of(moves, by.mv().map(Move::resized));
                    if !current.moves.contains(&place) {
                        current.moves.push(place);
                    }
                }
            },
        )?;
        if current.arrivals.is_empty() {
            return Ok(());
        }
        let values = TallyValues {
            number: columns.first + u64::from(game.game),
            summary,
            date: value(&columns.date, game.game),
            ratings: columns.ratings.each_ref().map(|column| value(column, game.game)),
        };
        all.count(&values, kind, self.examples);
        *ended += u64::from(ends_here);
        for &place in &current.moves {
            moves[place].1.count(&values, kind, self.examples);
        }
        Ok(())
    }
}

/// The columns of a segment that counting positions needs, and the compiled positions.
struct ReachColumns<'a> {
    /// By kind of games, then by position.
    targets: Vec<Vec<PositionTarget<u128>>>,
    summary: Column<'a>,
    last: Column<'a>,
}

/// A scanner that counts the games that have each of several positions.
pub(super) struct ReachCounter<'a> {
    segments: Vec<ReachColumns<'a>>,
}

/// The games that have each position, by the number of the position.
#[derive(Default)]
pub(super) struct ReachCounts {
    pub(super) games: Vec<u64>,
    /// The positions that the game in question has not had yet.
    wanted: Vec<usize>,
}

impl<'a> ReachCounter<'a> {
    /// Creates a counter for all segments of an index.
    ///
    /// # Errors
    /// If a section is damaged.
    pub(super) fn new(index: &'a Index, positions: &[Position]) -> Result<Self> {
        let mut segments = Vec::new();
        for segment in index.segments() {
            let [summary, last] = [segment.column(Section::Summary)?, segment.column(Section::Last)?];
            let targets = vec![Vec::new(); segment.kinds()?.len()];
            segments.push(ReachColumns { targets, summary, last });
        }
        for position in positions {
            for (columns, of_kinds) in segments.iter_mut().zip(targets(index, position)?) {
                columns.targets.iter_mut().zip(of_kinds).for_each(|(targets, target)| targets.push(target));
            }
        }
        Ok(Self { segments })
    }
}

impl GameScanner for ReachCounter<'_> {
    type Found = ReachCounts;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        counts: &mut ReachCounts,
    ) -> std::result::Result<(), CorruptMoves> {
        let ReachColumns { targets, summary, last } = &self.segments[game.segment];
        let Some(targets) = targets.get(game.kind) else { return Ok(()) };
        let ReachCounts { games: counts, wanted } = counts;
        counts.resize(targets.len(), 0);
        let (codec, start, bytes) = (game.codec, game.start, game.bytes);
        if !is_continuous(value(summary, game.game)) {
            for (target, count) in targets.iter().zip(counts) {
                let mut has_position = false;
                target.resized::<G::Bits>().seek(codec, start, bytes, false, |event| {
                    has_position |= matches!(event, PositionEvent::Reached(..));
                })?;
                *count += u64::from(has_position);
            }
            return Ok(());
        }
        let last = PackedPieceCounts::from_bits(value(last, game.game) as u32);
        let may_stand = targets.iter().enumerate().filter(|(_, target)| target.may_end_with(last));
        wanted.clear();
        wanted.extend(may_stand.map(|(number, _)| number));
        seek_each(targets, wanted, codec, start, bytes, |number| counts[number] += 1)
    }
}
