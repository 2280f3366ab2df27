//! Playing games from their packed moves, on all threads, with the findings in order.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use roaring::RoaringBitmap;

use crate::board::{Board, Geometry};
use crate::error::Result;
use crate::index::{Column, ColumnFilter, GameKind, Index, MoveBuffer, PackedMoves, Section, is_continuous};
use crate::pack::{Codecs, CorruptMoves, MoveCodec, RunningPieceCounts, ScannedPly, WithCodec};
use crate::pool;
use crate::position::State;

/// Games that a worker takes at a time: some tenths of a millisecond of work at least.
const UNIT: u32 = 16384;

/// Games that are not worth several threads.
const FEW: u64 = 200;

/// What is done with each game.
pub trait GameScanner: Sync {
    /// What a worker collects from some consecutive games.
    type Found: Default + Send;

    /// Looks at a game.
    ///
    /// # Errors
    /// [`CorruptMoves`] where the moves make no sense.
    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), CorruptMoves>;
}

/// A game whose moves can be played.
#[derive(Clone, Copy, Debug)]
pub struct PlayableGame<'a, G: Geometry> {
    /// Number of the segment.
    pub segment: usize,
    /// Number of the game in its segment.
    pub game: u32,
    /// Number of its kind in [`Segment::kinds`](crate::index::Segment::kinds).
    pub kind: usize,
    /// Whether it begins in the start position of its kind and goes on with moves alone: no setups and no null
    /// moves, so that pieces only become fewer.
    pub plain: bool,
    /// The codes of the board.
    pub codec: &'a MoveCodec<G>,
    /// The start position of its kind. A game that starts elsewhere begins with a setup.
    pub start: &'a State<G::Bits>,
    /// The packed moves, compared with their checksum.
    pub bytes: &'a [u8],
}

impl<G: Geometry> PlayableGame<'_, G> {
    /// Shows every ply until `visit` breaks off, and answers with the last position played. See [`MoveCodec::scan`].
    ///
    /// # Errors
    /// When the moves make no sense.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn plies(
        &self,
        visit: impl FnMut(&ScannedPly<G::Bits>) -> ControlFlow<()>,
    ) -> std::result::Result<State<G::Bits>, CorruptMoves> {
        self.codec.scan(self.start, self.bytes, visit)
    }

    /// Shows every position until `visit` breaks off. See [`MoveCodec::positions`].
    ///
    /// # Errors
    /// When the moves make no sense.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn positions(
        &self,
        visit: impl FnMut(&State<G::Bits>, RunningPieceCounts, u32) -> ControlFlow<()>,
    ) -> std::result::Result<u32, CorruptMoves> {
        self.codec.positions(self.start, self.bytes, visit)
    }
}

/// Shows games to `visitor` on `threads` threads: of each segment those of the set with its number. What was found
/// goes to `consume` in the order of the games, until it breaks off. Answers with how many games were shown.
///
/// # Errors
/// When a section is damaged; what was found before has been consumed.
pub fn scan_games<V: GameScanner>(
    index: &Index,
    games: &[RoaringBitmap],
    threads: NonZeroUsize,
    visitor: &V,
    mut consume: impl FnMut(V::Found) -> ControlFlow<()>,
) -> Result<u64> {
    // Nothing is read of segments in which no game is wanted.
    let table = |(segment, games): (usize, &RoaringBitmap)| {
        if games.is_empty() { Ok(None) } else { Tables::new(index, segment).map(Some) }
    };
    let games = &games[..games.len().min(index.segments().len())];
    let tables: Vec<Option<Tables<'_>>> = games.iter().enumerate().map(table).collect::<Result<_>>()?;
    let wanted: u64 = games.iter().map(RoaringBitmap::len).sum();
    // So few are shown before a thread has been started.
    let threads = if wanted <= FEW { NonZeroUsize::MIN } else { threads };
    let units = games.iter().enumerate().flat_map(|(segment, games)| {
        let end = games.max().map_or(0, |last| last + 1);
        (0..end.div_ceil(UNIT)).filter_map(move |unit| {
            let range = unit * UNIT..(unit * UNIT + UNIT).min(end);
            let count = games.range_cardinality(range.clone());
            (count > 0).then_some(Unit { segment, range, count })
        })
    });
    let mut shown = 0;
    pool::try_ordered(
        units,
        threads,
        || (Codecs::default(), MoveBuffer::default()),
        |(codecs, buffer), unit| {
            let count = unit.count;
            match &tables[unit.segment] {
                Some(tables) => tables.unit(unit, games, codecs, buffer, visitor).map(|found| (found, count)),
                None => Ok((V::Found::default(), 0)),
            }
        },
        |(found, count)| {
            shown += count;
            consume(found)
        },
    )?;
    Ok(shown)
}

/// Some consecutive games of a segment, and how many of them are wanted.
struct Unit {
    segment: usize,
    range: Range<u32>,
    count: u64,
}

/// What is read of a segment before its games are played.
struct Tables<'a> {
    moves: PackedMoves<'a>,
    kinds: Column<'a>,
    plain: ColumnFilter<'a, fn(u64) -> bool>,
    starts: Vec<Start>,
}

/// Where the games of a kind start.
struct Start {
    board: Board,
    state: State<u128>,
}

impl<'a> Tables<'a> {
    fn new(index: &'a Index, segment: usize) -> Result<Self> {
        let segment = &index.segments()[segment];
        let start = |kind: &GameKind| Start {
            board: kind.variant.board(),
            state: State::start(&kind.variant.rules(), kind.numbering.start),
        };
        Ok(Self {
            moves: segment.moves()?,
            kinds: segment.column(Section::Kind)?,
            plain: segment.column(Section::Summary)?.marks(is_continuous),
            starts: segment.kinds()?.iter().map(start).collect(),
        })
    }

    /// Shows the games of a unit.
    fn unit<V: GameScanner>(
        &self,
        unit: Unit,
        games: &[RoaringBitmap],
        codecs: &mut Codecs,
        buffer: &mut MoveBuffer,
        visitor: &V,
    ) -> Result<V::Found> {
        let wanted = wanted(&games[unit.segment], &unit);
        let blocks = wanted.iter().filter(|&&games| games != 0).count();
        let mut show = Show {
            tables: self,
            segment: unit.segment,
            buffer: (4 * blocks >= wanted.len()).then_some(buffer),
            wanted,
            first: unit.range.start as usize,
            at: 0,
            visitor,
            found: V::Found::default(),
        };
        while let Some(game) = show.next() {
            let Some((_, start)) = self.start(game) else { return Err(self.moves.nonsense()) };
            codecs.with(start.board, Run(&mut show))?;
        }
        Ok(show.found)
    }

    /// The kind of a game, and where it starts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&self, game: usize) -> Option<(usize, &Start)> {
        if let [start] = self.starts.as_slice() {
            return Some((0, start));
        }
        let kind = self.kinds.get(game)? as usize;
        Some((kind, self.starts.get(kind)?))
    }
}

/// The wanted games of a unit, a bit each, a word a block.
fn wanted(games: &RoaringBitmap, unit: &Unit) -> Vec<u32> {
    let len = unit.range.len();
    let mut words = vec![0; len.div_ceil(PackedMoves::BLOCK)];
    if unit.count == len as u64 {
        words.fill(u32::MAX);
        if let (Some(last), rest @ 1..) = (words.last_mut(), len % PackedMoves::BLOCK) {
            *last = (1 << rest) - 1;
        }
        return words;
    }
    for game in games.range(unit.range.clone()) {
        let game = (game - unit.range.start) as usize;
        words[game / PackedMoves::BLOCK] |= 1 << (game % PackedMoves::BLOCK);
    }
    words
}

/// Games of a unit being shown.
struct Show<'s, 'a, V: GameScanner> {
    tables: &'s Tables<'a>,
    segment: usize,
    /// To read through, where many blocks have wanted games.
    buffer: Option<&'s mut MoveBuffer>,
    /// What is still to be shown; see [`wanted`].
    wanted: Vec<u32>,
    /// The first game of the unit.
    first: usize,
    /// The block that comes next.
    at: usize,
    visitor: &'s V,
    found: V::Found,
}

impl<V: GameScanner> Show<'_, '_, V> {
    /// The next game to be shown.
    fn next(&mut self) -> Option<usize> {
        while *self.wanted.get(self.at)? == 0 {
            self.at += 1;
        }
        Some(self.first + self.at * PackedMoves::BLOCK + self.wanted[self.at].trailing_zeros() as usize)
    }
}

/// Shows games until one was played on another board.
struct Run<'r, 's, 'a, V: GameScanner>(&'r mut Show<'s, 'a, V>);

impl<V: GameScanner> WithCodec for Run<'_, '_, '_, V> {
    type Output = Result<()>;

    #[inline(never)]
    fn run<G: Geometry>(self, codec: &MoveCodec<G>) -> Result<()> {
        let Show { tables, segment, buffer, wanted, first, at, visitor, found } = self.0;
        let end = *first / PackedMoves::BLOCK + wanted.len();
        let nonsense = || tables.moves.nonsense();
        for (number, wanted) in wanted.iter_mut().enumerate().skip(*at) {
            if *wanted == 0 {
                continue;
            }
            let first = *first + number * PackedMoves::BLOCK;
            let block = match buffer {
                Some(buffer) => tables.moves.next_block(first / PackedMoves::BLOCK, end, buffer)?,
                None => tables.moves.block(first / PackedMoves::BLOCK)?,
            };
            let plain = tables.plain.of(first, PackedMoves::BLOCK);
            *at = number;
            while *wanted != 0 {
                let place = wanted.trailing_zeros() as usize;
                let game = first + place;
                let Some((kind, start)) = tables.start(game) else { return Err(nonsense()) };
                if start.board != G::BOARD {
                    return Ok(());
                }
                *wanted &= *wanted - 1;
                let played = PlayableGame {
                    segment: *segment,
                    game: game as u32,
                    kind,
                    plain: plain >> place & 1 != 0,
                    codec,
                    start: &start.state.resized(),
                    bytes: block.get(game),
                };
                visitor.game(&played, found).map_err(|CorruptMoves| nonsense())?;
            }
        }
        *at = wanted.len();
        Ok(())
    }
}
