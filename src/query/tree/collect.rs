//! What each game adds to the tree.

use super::tally::{Facts, GameTally};
use crate::board::Geometry;
use crate::error::Result;
use crate::index::{
    Column, GameKind, Index, PackedPieceCounts, PositionEvent, PositionTarget, Section, is_continuous,
};
use crate::pack::CorruptMoves;
use crate::position::{Move, Position, State};
use crate::query::{GameScanner, PlayableGame};

/// What is found in some games. Moves are few, so they are looked for one after the other.
#[derive(Default)]
pub(super) struct Found {
    pub(super) all: GameTally,
    pub(super) ended: u64,
    pub(super) moves: Vec<(Option<Move>, GameTally)>,
    pub(super) arrivals: Vec<(Option<Move>, Led)>,
    /// What the game at hand has played and been led by: places in the lists above.
    own: Own,
}

/// Games that were led to the position by a move, and the position before it in the first of them.
#[derive(Default)]
pub(super) struct Led {
    pub(super) before: Option<State<u128>>,
    pub(super) games: u64,
}

#[derive(Default)]
struct Own {
    left: Vec<usize>,
    reached: Vec<usize>,
}

impl Found {
    /// Adds what was found in later games.
    pub(super) fn add(&mut self, more: Self, examples: usize) {
        self.all.add(&more.all, examples);
        self.ended += more.ended;
        for (mv, tally) in more.moves {
            let place = place_of(&mut self.moves, mv);
            self.moves[place].1.add(&tally, examples);
        }
        for (mv, led) in more.arrivals {
            let place = place_of(&mut self.arrivals, mv);
            let known = &mut self.arrivals[place].1;
            known.before = known.before.or(led.before);
            known.games += led.games;
        }
    }
}

/// Where a move stands in a list; it is added if it is not there.
#[cfg_attr(not(debug_assertions), inline(always))]
fn place_of<T: Default>(list: &mut Vec<(Option<Move>, T)>, mv: Option<Move>) -> usize {
    list.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
        list.push((mv, T::default()));
        list.len() - 1
    })
}

/// What is read of a segment beside its moves.
struct Columns<'a> {
    first: u64,
    kinds: Vec<GameKind>,
    goals: Vec<PositionTarget<u128>>,
    summary: Column<'a>,
    last: Column<'a>,
    date: Column<'a>,
    ratings: [Column<'a>; 2],
}

/// Collects the tree at a position.
pub(super) struct Collector<'a> {
    segments: Vec<Columns<'a>>,
    examples: usize,
}

impl<'a> Collector<'a> {
    pub(super) fn new(index: &'a Index, position: &Position, examples: usize) -> Result<Self> {
        let goals = super::goals(index, position)?;
        let columns = |(number, goals)| {
            let segment = &index.segments()[number];
            Ok(Columns {
                first: index.first_of(number).unwrap_or(0),
                kinds: segment.kinds()?,
                goals,
                summary: segment.column(Section::Summary)?,
                last: segment.column(Section::Last)?,
                date: segment.column(Section::Date)?,
                ratings: [segment.column(Section::WhiteRating)?, segment.column(Section::BlackRating)?],
            })
        };
        Ok(Self { segments: goals.into_iter().enumerate().map(columns).collect::<Result<_>>()?, examples })
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn value(column: &Column<'_>, game: u32) -> u64 {
    column.get(game as usize).unwrap_or(0)
}

impl GameScanner for Collector<'_> {
    type Found = Found;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Found,
    ) -> std::result::Result<(), CorruptMoves> {
        let columns = &self.segments[game.segment];
        let (Some(goal), Some(kind)) = (columns.goals.get(game.kind), columns.kinds.get(game.kind)) else {
            return Ok(());
        };
        let summary = value(&columns.summary, game.game);
        let plain = is_continuous(summary);
        if plain && !goal.may_end_with(PackedPieceCounts::from_bits(value(&columns.last, game.game) as u32)) {
            return Ok(());
        }
        let Found { all, ended, moves, arrivals, own } = found;
        own.left.clear();
        own.reached.clear();
        let mut last = false;
        goal.resized::<G::Bits>().seek(game.codec, game.start, game.bytes, plain, |seen| match seen {
            PositionEvent::Reached(_, by) => {
                last = true;
                let mv = by.and_then(|by| by.mv()).map(Move::resized);
                let place = place_of(arrivals, mv);
                if !own.reached.contains(&place) {
                    own.reached.push(place);
                    let led = &mut arrivals[place].1;
                    led.games += 1;
                    if led.before.is_none() {
                        led.before = by.map(|by| by.before().resized());
                    }
                }
            }
            PositionEvent::Left(_, by) => {
                last = false;
                let place = place_of(moves, by.mv().map(Move::resized));
                if !own.left.contains(&place) {
                    own.left.push(place);
                }
            }
        })?;
        if own.reached.is_empty() {
            return Ok(());
        }
        let facts = Facts {
            number: columns.first + u64::from(game.game),
            summary,
            date: value(&columns.date, game.game),
            ratings: columns.ratings.each_ref().map(|column| value(column, game.game)),
        };
        all.count(&facts, kind, self.examples);
        *ended += u64::from(last);
        for &place in &own.left {
            moves[place].1.count(&facts, kind, self.examples);
        }
        Ok(())
    }
}

/// What is read of a segment to count games that have some positions.
struct Ends<'a> {
    /// By position, then by kind.
    goals: Vec<Vec<PositionTarget<u128>>>,
    summary: Column<'a>,
    last: Column<'a>,
}

/// Counts the games that have each of some positions.
pub(super) struct Reaching<'a> {
    segments: Vec<Ends<'a>>,
}

impl<'a> Reaching<'a> {
    pub(super) fn new(index: &'a Index, positions: &[Position]) -> Result<Self> {
        let mut segments = Vec::new();
        for segment in index.segments() {
            let [summary, last] = [segment.column(Section::Summary)?, segment.column(Section::Last)?];
            segments.push(Ends { goals: Vec::new(), summary, last });
        }
        for position in positions {
            for (ends, goals) in segments.iter_mut().zip(super::goals(index, position)?) {
                ends.goals.push(goals);
            }
        }
        Ok(Self { segments })
    }
}

impl GameScanner for Reaching<'_> {
    type Found = Vec<u64>;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Vec<u64>,
    ) -> std::result::Result<(), CorruptMoves> {
        let Ends { goals: positions, summary, last } = &self.segments[game.segment];
        found.resize(positions.len(), 0);
        let plain = is_continuous(value(summary, game.game));
        let last = PackedPieceCounts::from_bits(value(last, game.game) as u32);
        for (goals, count) in positions.iter().zip(found) {
            let Some(goal) = goals.get(game.kind) else { continue };
            if plain && !goal.may_end_with(last) {
                continue;
            }
            let mut has = false;
            goal.resized::<G::Bits>().seek(game.codec, game.start, game.bytes, plain, |seen| {
                has |= matches!(seen, PositionEvent::Reached(..));
            })?;
            *count += u64::from(has);
        }
        Ok(())
    }
}
