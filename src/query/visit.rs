//! Playing games from their packed moves, on all threads, with the findings in order.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use roaring::RoaringBitmap;

use crate::board::{Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::error::Result;
use crate::index::packed::{Codec, Corrupt, Ply};
use crate::index::{Column, Index, Kind, Moves, Section};
use crate::pool;
use crate::position::State;

/// Games that a worker takes at a time: about a millisecond of work.
const UNIT: u32 = 4096;

/// What is done with each game.
pub trait Visitor: Sync {
    /// What a worker collects from some consecutive games.
    type Found: Default + Send;

    /// Looks at a game.
    ///
    /// # Errors
    /// [`Corrupt`] where the moves make no sense.
    fn game<G: Geometry>(
        &self,
        game: &Played<'_, G>,
        found: &mut Self::Found,
    ) -> std::result::Result<(), Corrupt>;
}

/// A game whose moves can be played.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a, G: Geometry> {
    /// Number of the segment.
    pub segment: usize,
    /// Number of the game in its segment.
    pub game: u32,
    /// Number of its kind in [`Segment::kinds`](crate::index::Segment::kinds).
    pub kind: usize,
    /// The codes of the board.
    pub codec: &'a Codec<G>,
    /// The start position of its kind. A game that starts elsewhere begins with a setup.
    pub start: &'a State<G::Bits>,
    /// The packed moves, compared with their checksum.
    pub bytes: &'a [u8],
}

impl<G: Geometry> Played<'_, G> {
    /// Shows every ply until `visit` breaks off, and answers with the last position played. See [`Codec::scan`].
    ///
    /// # Errors
    /// When the moves make no sense.
    #[inline(always)]
    pub fn plies(
        &self,
        visit: impl FnMut(&Ply<G::Bits>) -> ControlFlow<()>,
    ) -> std::result::Result<State<G::Bits>, Corrupt> {
        self.codec.scan(self.start, self.bytes, visit)
    }
}

/// Shows games to `visitor` on `threads` threads: of each segment those of the set with its number. What was found
/// goes to `consume` in the order of the games, until it breaks off. Answers with how many games were shown.
///
/// # Errors
/// When a section is damaged; what was found before has been consumed.
pub fn visit<V: Visitor>(
    index: &Index,
    games: &[RoaringBitmap],
    threads: NonZeroUsize,
    visitor: &V,
    mut consume: impl FnMut(V::Found) -> ControlFlow<()>,
) -> Result<u64> {
    let tables: Vec<Tables<'_>> = (0..index.segments().len().min(games.len()))
        .map(|segment| Tables::new(index, segment))
        .collect::<Result<_>>()?;
    let units = games.iter().enumerate().flat_map(|(segment, games)| {
        let end = games.max().map_or(0, |last| last + 1);
        (0..end.div_ceil(UNIT)).filter_map(move |unit| {
            let range = unit * UNIT..(unit * UNIT + UNIT).min(end);
            (games.range_cardinality(range.clone()) > 0).then_some((segment, range))
        })
    });
    let mut shown = 0;
    pool::try_ordered(
        units,
        threads,
        Codecs::default,
        |codecs, (segment, range)| tables[segment].unit(segment, range, &games[segment], codecs, visitor),
        |(found, count)| {
            shown += count;
            consume(found)
        },
    )?;
    Ok(shown)
}

/// What is read of a segment before its games are played.
struct Tables<'a> {
    moves: Moves<'a>,
    kinds: Column<'a>,
    starts: Vec<Start>,
}

/// Where the games of a kind start.
struct Start {
    board: Board,
    state: State<u128>,
}

/// The codes of all boards, made when they are first needed.
#[derive(Default)]
struct Codecs {
    eight: Option<Codec<Eight>>,
    full: Option<Codec<EightFull>>,
    ten_by_eight: Option<Codec<TenByEight>>,
    ten: Option<Codec<Ten>>,
    twelve: Option<Codec<Twelve>>,
}

impl<'a> Tables<'a> {
    fn new(index: &'a Index, segment: usize) -> Result<Self> {
        let segment = &index.segments()[segment];
        let start = |kind: &Kind| Start {
            board: kind.variant.board(),
            state: State::start(&kind.variant.rules(), kind.numbering.start),
        };
        Ok(Self {
            moves: segment.moves()?,
            kinds: segment.column(Section::Kind)?,
            starts: segment.kinds()?.iter().map(start).collect(),
        })
    }

    /// Shows some games, those of one kind in a row on one board.
    fn unit<V: Visitor>(
        &self,
        segment: usize,
        range: Range<u32>,
        games: &RoaringBitmap,
        codecs: &mut Codecs,
        visitor: &V,
    ) -> Result<(V::Found, u64)> {
        let mut found = V::Found::default();
        let mut shown = 0;
        let mut wanted = games.range(range).peekable();
        let one = (self.starts.len() == 1).then_some(0);
        while let Some(&next) = wanted.peek() {
            for (game, bytes) in self.moves.block(next as usize / Moves::BLOCK)? {
                if wanted.next_if_eq(&(game as u32)).is_none() {
                    continue;
                }
                let kind = one.unwrap_or_else(|| self.kinds.get(game).unwrap_or(0) as usize);
                let Some(start) = self.starts.get(kind) else { return Err(self.moves.nonsense()) };
                let id = (segment, game as u32, kind);
                let done = match start.board {
                    Board::Eight => show(id, &mut codecs.eight, start, bytes, visitor, &mut found),
                    Board::EightFull => show(id, &mut codecs.full, start, bytes, visitor, &mut found),
                    Board::TenByEight => {
                        show(id, &mut codecs.ten_by_eight, start, bytes, visitor, &mut found)
                    }
                    Board::Ten => show(id, &mut codecs.ten, start, bytes, visitor, &mut found),
                    Board::Twelve => show(id, &mut codecs.twelve, start, bytes, visitor, &mut found),
                };
                done.map_err(|Corrupt| self.moves.nonsense())?;
                shown += 1;
            }
        }
        Ok((found, shown))
    }
}

#[inline(always)]
fn show<V: Visitor, G: Geometry>(
    (segment, game, kind): (usize, u32, usize),
    codec: &mut Option<Codec<G>>,
    start: &Start,
    bytes: &[u8],
    visitor: &V,
    found: &mut V::Found,
) -> std::result::Result<(), Corrupt> {
    let codec = &*codec.get_or_insert_with(Codec::new);
    visitor.game(&Played { segment, game, kind, codec, start: &start.state.resized(), bytes }, found)
}
