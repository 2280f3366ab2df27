//! Which games have a position, and when.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use roaring::RoaringBitmap;

use super::{KeyTable, PositionEvent, PositionTarget, is_continuous};
use crate::board::Geometry;
use crate::error::Result;
use crate::index::{Column, Index, PackedMoves, PackedPieceCounts, Section, Segment};
use crate::pack::{Codecs, CorruptMoves, MoveCodec, WithCodec};
use crate::pool;
use crate::position::{Position, State};

/// Games that a worker takes at a time.
const UNIT: u32 = 4096;

/// A game that has a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Hit {
    /// The number of the game in the index.
    pub game: u64,
    /// Plies before the position.
    pub ply: u32,
}

impl Index {
    /// The table of a segment that says which game has which position, if there is one.
    ///
    /// # Errors
    /// When it is damaged or belongs to another segment.
    pub fn keys(&self, segment: usize) -> Result<Option<&KeyTable>> {
        let (Some(slot), Some(of)) = (self.key_slot(segment), self.segments().get(segment)) else {
            return Ok(None);
        };
        if let Some(known) = slot.get() {
            return Ok(known.as_ref());
        }
        let keys = KeyTable::open(of)?;
        Ok(slot.get_or_init(|| keys).as_ref())
    }

    /// The games of a segment that may have a position: those of its rules, and of these the ones that the table of
    /// positions names, if there is one and it is quicker.
    ///
    /// # Errors
    /// When the table or a section is damaged.
    pub fn candidates(&self, segment: usize, position: &Position) -> Result<RoaringBitmap> {
        let Some(of) = self.segments().get(segment) else { return Ok(RoaringBitmap::new()) };
        let fits: Vec<bool> =
            of.kinds()?.iter().map(|kind| kind.variant.rules() == *position.rules()).collect();
        if !fits.contains(&true) {
            return Ok(RoaringBitmap::new());
        }
        let key = position.key();
        let keys = match self.keys(segment)? {
            Some(keys) if keys.is_selective(key)? => Some(keys),
            _ => None,
        };
        let mut games = match keys {
            Some(keys) => keys.games(key)?,
            None => {
                let mut all = RoaringBitmap::new();
                all.insert_range(0..of.len() as u32);
                all
            }
        };
        if fits.contains(&false) && !games.is_empty() {
            let kinds = of.column(Section::Kind)?;
            games &= kinds.games(|kind| fits.get(kind as usize) == Some(&true));
        }
        Ok(games)
    }

    /// Every game that has a position, and after how many plies; by number of the game, then by ply. Games of the same
    /// rules count, however their squares are named; king counters do not.
    ///
    /// With a table of positions it costs microseconds and about one more for each game that is found, else all games
    /// are played as far as the position may still come. The answers are the same, for any number of threads.
    ///
    /// ```
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let archive = dir.path().join("games.pdn");
    /// std::fs::write(&archive, "[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n[GameType \"20\"]\n1. 32-28 17-21 0-2\n").unwrap();
    /// # let folder = dir.path().join("index");
    /// use pdn::index::{Index, import, build_key_tables};
    /// use pdn::{pool, position::Position, rules::Variant, value::Fen};
    /// use std::ops::ControlFlow;
    ///
    /// import([&archive], &folder, &Default::default())?;
    /// build_key_tables(&folder, &Default::default(), |_, _| ControlFlow::Continue(()))?;
    /// let fen = Fen::parse(b"B:W28,31,33-50:B1-20").unwrap();
    /// let position = Position::from_fen(Variant::International, &fen).unwrap();
    /// let hits = Index::open(&folder)?.positions_of(&position, pool::default_threads())?;
    /// assert_eq!(hits.iter().map(|hit| (hit.game, hit.ply)).collect::<Vec<_>>(), [(0, 1), (1, 1)]);
    /// # Ok::<_, pdn::Error>(())
    /// ```
    ///
    /// # Errors
    /// When a section or a table is damaged.
    pub fn positions_of(&self, position: &Position, threads: NonZeroUsize) -> Result<Vec<Hit>> {
        let mut hits = Vec::new();
        for (number, segment) in self.segments().iter().enumerate() {
            let games = self.candidates(number, position)?;
            if games.is_empty() {
                continue;
            }
            let seeker = Seeker::new(segment, position, &games)?;
            let first = self.first_of(number).unwrap_or(0);
            let end = games.max().map_or(0, |last| last + 1);
            let units = (0..end.div_ceil(UNIT))
                .map(|unit| unit * UNIT..(unit * UNIT + UNIT).min(end))
                .filter(|range| games.range_cardinality(range.clone()) > 0);
            // A few games are not worth a thread.
            let threads = if games.len() < u64::from(UNIT) { NonZeroUsize::MIN } else { threads };
            pool::try_ordered(
                units,
                threads,
                Codecs::default,
                |codecs, range| seeker.unit(range, codecs),
                |found| {
                    hits.extend(
                        found.into_iter().map(|(game, ply)| Hit { game: first + u64::from(game), ply }),
                    );
                    ControlFlow::Continue(())
                },
            )?;
        }
        Ok(hits)
    }
}

/// Looks for a position in the games of a segment.
struct Seeker<'a> {
    position: &'a Position,
    games: &'a RoaringBitmap,
    moves: PackedMoves<'a>,
    summary: Column<'a>,
    kind: Column<'a>,
    last: Column<'a>,
    starts: Vec<Position>,
}

impl<'a> Seeker<'a> {
    fn new(segment: &'a Segment, position: &'a Position, games: &'a RoaringBitmap) -> Result<Self> {
        Ok(Self {
            position,
            games,
            moves: segment.moves()?,
            summary: segment.column(Section::Summary)?,
            kind: segment.column(Section::Kind)?,
            last: segment.column(Section::Last)?,
            starts: segment.kinds()?.iter().map(|kind| segment.start(kind)).collect(),
        })
    }

    /// The hits in some games, which are on the board of the position.
    fn unit(&self, range: Range<u32>, codecs: &mut Codecs) -> Result<Vec<(u32, u32)>> {
        struct Unit<'a, 'b>(&'a Seeker<'b>, Range<u32>);
        impl WithCodec for Unit<'_, '_> {
            type Output = Result<Vec<(u32, u32)>>;
            fn run<G: Geometry>(self, codec: &MoveCodec<G>) -> Self::Output {
                self.0.unit_on(codec, self.1)
            }
        }
        codecs.with(self.position.board(), Unit(self, range))
    }

    fn unit_on<G: Geometry>(&self, codec: &MoveCodec<G>, range: Range<u32>) -> Result<Vec<(u32, u32)>> {
        let goal = self.position.state().resized();
        let starts: Vec<State<G::Bits>> = self.starts.iter().map(|start| start.state().resized()).collect();
        let goal = |(start, state)| PositionTarget::new(Position::rules(start), state, &goal);
        let goals: Vec<PositionTarget<G::Bits>> = self.starts.iter().zip(&starts).map(goal).collect();
        let mut hits = Vec::new();
        let mut wanted = self.games.range(range).peekable();
        while let Some(&next) = wanted.peek() {
            for (game, bytes) in self.moves.block(next as usize / PackedMoves::BLOCK)?.games() {
                if wanted.next_if_eq(&(game as u32)).is_none() {
                    continue;
                }
                let value = |column: &Column<'_>| column.get(game).unwrap_or(0);
                let plain = is_continuous(value(&self.summary));
                let kind = value(&self.kind) as usize;
                let (Some(start), Some(goal)) = (starts.get(kind), goals.get(kind)) else { continue };
                if plain && !goal.may_end_with(PackedPieceCounts::from_bits(value(&self.last) as u32)) {
                    continue;
                }
                let found = goal.seek(codec, start, bytes, plain, |seen| {
                    if let PositionEvent::Reached(ply, _) = seen {
                        hits.push((game as u32, ply));
                    }
                });
                found.map_err(|CorruptMoves| self.moves.nonsense())?;
            }
        }
        Ok(hits)
    }
}
