//! Collects the moves of an opening tree from packed games.

use crate::book::parts::{TallyValues, TreeParts};
use crate::pack::CorruptMoves;
use crate::pack::game::PlayableGame;
use crate::query::position::{PositionEvent, PositionTarget, seek_each, targets};
use crate::query::scan::GameScanner;
use crate::{Column, FilePart, GameKind, GameSet, Index, PackedPieceCounts, Section};
use pdn::error::Result;
use pdn::position::{Move, Position};
use pdn_rules::internal::board::Geometry;

/// The columns of a segment that the tree needs, and the position compiled for each kind of games.
struct TreeColumns<'a> {
    kinds: Vec<GameKind>,
    targets: Vec<PositionTarget<u128>>,
    /// The piece counts at the end, which say of many games that they cannot have the position; `None` if reading them takes longer than
    /// playing the games.
    last: Option<Column<'a>>,
    tally: TallyColumns<'a>,
}

/// A scanner that collects the tree at a position.
pub(super) struct TreeCollector<'a> {
    index: &'a Index,
    segments: Vec<TreeColumns<'a>>,
    /// The number of example games to keep for each move.
    examples: usize,
}

impl<'a> TreeCollector<'a> {
    /// Creates a collector for all segments of an index. `games` is the number of games that it will see.
    ///
    /// # Errors
    /// If a section is damaged.
    pub(super) fn new(index: &'a Index, position: &Position, examples: usize, games: u64) -> Result<Self> {
        let targets = targets(index, position)?;
        let columns = |(number, targets): (usize, Vec<PositionTarget<u128>>)| {
            let segment = &index.segments()[number];
            Ok(TreeColumns {
                kinds: segment.kinds()?,
                targets,
                last: index.reading(games).saving_column(number, Section::Last)?,
                tally: TallyColumns::new(index, number, games)?,
            })
        };
        let segments = targets.into_iter().enumerate().map(columns).collect::<Result<_>>()?;
        Ok(Self { index, segments, examples })
    }
}

impl GameScanner for TreeCollector<'_> {
    type Found = TreeParts;

    fn fetch(&self, segment: usize, games: &GameSet) -> Result<()> {
        let mut parts = Vec::new();
        games.iter().for_each(|game| self.segments[segment].tally.expect(game, &mut parts));
        self.index.segments()[segment].fetch(&parts)
    }

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
        let continuous = game.is_continuous;
        if continuous
            && let Some(last) = &columns.last
            && !target.may_end_with(PackedPieceCounts::from_bits(value(last, game.game) as u32))
        {
            return Ok(());
        }
        let number = columns.tally.number(game.game);
        parts.begin_game();
        let mut ends_here = false;
        target.resized::<G::Bits>().seek(
            game.codec,
            game.start,
            game.bytes,
            continuous,
            |event| match event {
                PositionEvent::Reached(_, by) => {
                    ends_here = true;
                    parts.reach(number, by);
                }
                PositionEvent::Left(_, by) => {
                    ends_here = false;
                    parts.leave(by.mv().map(Move::resized));
                }
            },
        )?;
        if parts.is_reached() {
            parts.count_game(ends_here, &columns.tally.values(game.game), kind, self.examples);
        }
        Ok(())
    }
}

/// The columns of a segment that counting positions needs, and the compiled positions.
struct ReachColumns<'a> {
    /// By kind of games, then by position that is counted here.
    targets: Vec<Vec<PositionTarget<u128>>>,
    /// The numbers of these positions.
    numbers: Vec<usize>,
    /// As in [`TreeColumns`].
    last: Option<Column<'a>>,
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
    /// Creates a counter for all segments of an index. `games` is the number of games that it will see. `counted` says for each segment, and then for each
    /// position, whether its games are counted.
    ///
    /// # Errors
    /// If a section is damaged.
    pub(super) fn new(
        index: &'a Index,
        positions: &[Position],
        counted: &[Vec<bool>],
        games: u64,
    ) -> Result<Self> {
        let mut segments = Vec::new();
        for (number, segment) in index.segments().iter().enumerate() {
            let last = index.reading(games).saving_column(number, Section::Last)?;
            let targets = vec![Vec::new(); segment.kinds()?.len()];
            segments.push(ReachColumns { targets, numbers: Vec::new(), last });
        }
        for (number, position) in positions.iter().enumerate() {
            let of_segments = segments.iter_mut().zip(targets(index, position)?).zip(counted);
            for ((columns, of_kinds), _) in of_segments.filter(|(_, counted)| counted[number]) {
                columns.numbers.push(number);
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
        let ReachColumns { targets, numbers, last } = &self.segments[game.segment];
        let Some(targets) = targets.get(game.kind) else { return Ok(()) };
        let ReachCounts { games: counts, wanted } = counts;
        counts.resize(counts.len().max(numbers.last().map_or(0, |last| last + 1)), 0);
        let (codec, start, bytes) = (game.codec, game.start, game.bytes);
        if !game.is_continuous {
            for (target, &number) in targets.iter().zip(numbers) {
                let mut has_position = false;
                target.resized::<G::Bits>().seek(codec, start, bytes, false, |event| {
                    has_position |= matches!(event, PositionEvent::Reached(..));
                })?;
                counts[number] += u64::from(has_position);
            }
            return Ok(());
        }
        let last = last.map(|last| PackedPieceCounts::from_bits(value(&last, game.game) as u32));
        let may_end = |target: &PositionTarget<u128>| last.is_none_or(|last| target.may_end_with(last));
        let may_stand = targets.iter().enumerate().filter(|(_, target)| may_end(target));
        wanted.clear();
        wanted.extend(may_stand.map(|(number, _)| number));
        seek_each(targets, wanted, codec, start, bytes, |place| counts[numbers[place]] += 1)
    }
}

/// The columns of a segment that a tally counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct TallyColumns<'a> {
    /// The number of the first game of the segment in the index.
    first: u64,
    summary: Column<'a>,
    date: Column<'a>,
    ratings: [Column<'a>; 2],
}

impl<'a> TallyColumns<'a> {
    /// Reads the columns of a segment. `games` is the number of games whose values are needed.
    ///
    /// # Errors
    /// If a section is damaged, or the question has to be asked again.
    pub(super) fn new(index: &'a Index, segment: usize, games: u64) -> Result<Self> {
        let column = |section| index.reading(games).column(segment, section);
        Ok(Self {
            first: index.first_game(segment).unwrap_or(0),
            summary: column(Section::Summary)?,
            date: column(Section::Date)?,
            ratings: [column(Section::WhiteRating)?, column(Section::BlackRating)?],
        })
    }

    /// Adds where the values of a game are in its file, if they are read from there.
    pub(super) fn expect(&self, game: u32, parts: &mut Vec<FilePart<'a>>) {
        let [white, black] = &self.ratings;
        for column in [&self.summary, &self.date, white, black] {
            column.expect(game as usize, parts);
        }
    }

    /// Returns the number of a game in the index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number(&self, game: u32) -> u64 {
        self.first + u64::from(game)
    }

    /// Returns the summary of a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn summary(&self, game: u32) -> u64 {
        value(&self.summary, game)
    }

    /// Returns all values of a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn values(&self, game: u32) -> TallyValues {
        TallyValues {
            number: self.number(game),
            summary: self.summary(game),
            date: value(&self.date, game),
            ratings: self.ratings.each_ref().map(|column| value(column, game)),
        }
    }
}

/// Returns the value of a game in a column.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn value(column: &Column<'_>, game: u32) -> u64 {
    column.get(game as usize).unwrap_or(0)
}
