//! Builds the book of a segment: finds the commonest positions in its key table, and plays the games up to the last of them.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::book::parts::{TallyValues, TreeParts};
use super::book::table::{self, BOOK_EXAMPLES, BookEntry, BookFooter, BookTable, is_same_position};
use super::format::column::Column;
use super::format::columns::Section;
use super::game_set::GameSet;
use super::keys::{KeyLayout, KeyTable};
use super::row::game_row::GameKind;
use super::row::summary_bits::is_continuous;
use super::segment::derived_file::DirectoryPlace;
use super::segment::move_blocks::PackedMoves;
use super::segment::reader::Segment;
use crate::pack::{Codecs, CorruptMoves, MoveCodec, ScannedPly};
use pdn::error::{ErrorKind, Result};
use pdn::internal::pool;
use pdn::internal::storage::Output;
use pdn::position::{Position, StableKey};
use pdn_rules::internal::board::{Bits, Geometry, WithBoard};
use pdn_rules::internal::position::State;

// Twin: the tree counted from the games; test: tree_from_the_book_equals_the_tree_from_the_games.

/// Greatest number of positions of a book, which bounds the memory of building it: some 100 MiB.
pub(super) const MAX_POSITIONS: usize = 32 << 10;

/// Least number of games of a segment that make a position worth an entry: counting fewer takes microseconds.
const MIN_GAMES: u64 = 50;

/// Least number of blocks of 32 games that a worker takes at a time. Each such batch begins with empty trees, which are
/// added up in the end, so few batches are faster than many.
const MIN_UNIT_BLOCKS: usize = 512;

/// Number of units for each thread, so that all of them are busy to the end.
const UNITS_PER_THREAD: usize = 3;

/// Returns the least number of games of a segment with which a position gets an entry: the share of the segment in `asked`
/// games of the index, but at least 50, or `asked` if that is less. So only about `asked` games or fewer are played for any
/// position.
pub(super) fn asked_here(asked: u64, segment_games: u64, index_games: u64) -> u64 {
    let share = u128::from(asked) * u128::from(segment_games) / u128::from(index_games.max(1));
    asked.min((share as u64).max(MIN_GAMES)).max(1)
}

/// What a book is built for.
#[derive(Clone, Copy, Debug)]
pub(super) struct BookRequest<'a> {
    pub(super) segment: &'a Segment,
    pub(super) keys: &'a KeyTable,
    /// The number of the first game of the segment in the index.
    pub(super) first_game: u64,
    /// The games that count.
    pub(super) live: &'a GameSet,
    /// See [`table::basis`].
    pub(super) basis: u64,
    /// The number of games that was asked for.
    pub(super) asked_games: u64,
    /// The share of the segment; see [`asked_here`].
    pub(super) asked_here: u64,
    /// Greatest number of positions.
    pub(super) max_positions: usize,
    pub(super) threads: NonZeroUsize,
}

impl BookRequest<'_> {
    /// Writes the book. Returns its length in bytes and its number of positions. `report` is called between parts of the
    /// work and may break off.
    ///
    /// # Errors
    /// Fails if the segment or its key table is damaged, the disk does not accept the book, or `report` breaks off.
    pub(super) fn write(
        &self,
        out: &mut dyn Output,
        report: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(u64, u64)> {
        let mut keys = self.keys.frequent_keys(self.asked_here)?;
        let mut least_games = self.asked_here;
        if keys.len() > self.max_positions {
            let mut games: Vec<u64> = keys.iter().map(|&(_, games)| games).collect();
            games.sort_unstable_by(|a, b| b.cmp(a));
            least_games = games[self.max_positions] + 1;
            keys.retain(|&(_, games)| games >= least_games);
        }
        let mut entries = if keys.is_empty() { Vec::new() } else { self.entries(&keys, report)? };
        entries.retain(|entry| entry.parts.all.games >= least_games);
        let count = entries.len() as u64;
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let footer = BookFooter {
            place: DirectoryPlace {
                segment_len: self.segment.file_len(),
                segment_checksum: self.segment.checksum(),
                ..DirectoryPlace::default()
            },
            basis: self.basis,
            games: self.segment.len() as u32,
            asked_games: small(self.asked_games),
            asked_here: small(self.asked_here),
            least_games: small(least_games),
        };
        Ok((table::write(entries, self.first_game, footer, out)?, count))
    }

    /// Plays all games that have one of the positions whose keys have these upper bits.
    fn entries(
        &self,
        keys: &[(u64, u64)],
        report: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<BookEntry>> {
        let segment = self.segment;
        let kinds = segment.kinds()?;
        let starts = kinds.iter().map(|kind| segment.start(kind)).map(|start| (start, start.key())).collect();
        let games = BookGames {
            live: self.live,
            first_game: self.first_game,
            moves: segment.moves()?,
            summary: segment.column(Section::Summary)?,
            kind: segment.column(Section::Kind)?,
            date: segment.column(Section::Date)?,
            ratings: [segment.column(Section::WhiteRating)?, segment.column(Section::BlackRating)?],
            by_rules: table::kinds_by_rules(&kinds),
            kinds,
            starts,
            wanted: self.keys.counts_of_games(keys.iter().map(|&(upper_bits, _)| upper_bits))?,
            slots: SlotTable::new(keys.iter().map(|&(upper_bits, _)| upper_bits)),
            layout: self.keys.layout(),
        };
        let blocks = games.moves.blocks();
        let unit = blocks.div_ceil(UNITS_PER_THREAD * self.threads.get()).max(MIN_UNIT_BLOCKS);
        let units = (0..blocks).step_by(unit).map(|start| start..(start + unit).min(blocks));
        let mut all = Positions::new(keys.len());
        let mut is_stopped = false;
        pool::try_ordered(
            units,
            self.threads,
            Codecs::default,
            |codecs, blocks| games.positions(codecs, blocks, keys.len()),
            |positions: Positions| {
                all.add(positions);
                is_stopped = report().is_break();
                if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        if is_stopped {
            return Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        Ok(all.entries.into_iter().map(|listed| listed.entry).collect())
    }
}

/// Numbers for the upper bits of some keys: a hash table with open addresses. The bits are random already.
struct SlotTable {
    /// Upper bits plus 1, with their number; (0, 0) in free cells.
    cells: Vec<(u64, u32)>,
}

impl SlotTable {
    fn new(upper_bits: impl ExactSizeIterator<Item = u64>) -> Self {
        let mut cells = vec![(0, 0); (4 * upper_bits.len()).next_power_of_two()];
        let mask = cells.len() - 1;
        for (number, upper_bits) in (0..).zip(upper_bits) {
            let mut at = upper_bits as usize & mask;
            while cells[at].0 != 0 {
                at = (at + 1) & mask;
            }
            cells[at] = (upper_bits + 1, number);
        }
        Self { cells }
    }

    /// Returns the number of upper bits; `None` if they are not in the table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&self, upper_bits: u64) -> Option<u32> {
        let mask = self.cells.len() - 1;
        let mut at = upper_bits as usize & mask;
        loop {
            match self.cells[at] {
                (0, _) => return None,
                (other, number) if other == upper_bits + 1 => return Some(number),
                _ => at = (at + 1) & mask,
            }
        }
    }
}

/// The positions that some games have, with their trees.
struct Positions {
    /// For each number of upper bits, the index of the first of its positions in `entries` plus 1; 0 for none.
    first: Vec<u32>,
    entries: Vec<ListedPosition>,
    /// The positions that the current game has reached.
    reached: Vec<usize>,
    /// The number of different upper bits among them.
    seen: u16,
}

/// A position in a list for its upper bits.
struct ListedPosition {
    slot: u32,
    /// The index of the next position with the same upper bits in `entries` plus 1; 0 for none.
    next: u32,
    entry: BookEntry,
}

impl Positions {
    fn new(slots: usize) -> Self {
        Self { first: vec![0; slots], entries: Vec::new(), reached: Vec::new(), seen: 0 }
    }

    /// Returns the place of a position in `entries`, after adding it if it is missing.
    fn place(&mut self, slot: u32, key: u64, kind: u32, state: &State<u128>) -> usize {
        let mut next = self.first[slot as usize];
        while next != 0 {
            let listed = &self.entries[next as usize - 1];
            if listed.entry.kind == kind && is_same_position(&listed.entry.state, state) {
                return next as usize - 1;
            }
            next = listed.next;
        }
        let state = State { streaks: Default::default(), ..*state };
        let entry = BookEntry { key, kind, state, parts: TreeParts::default() };
        self.entries.push(ListedPosition { slot, next: self.first[slot as usize], entry });
        self.first[slot as usize] = self.entries.len() as u32;
        self.entries.len() - 1
    }

    /// Adds the positions of later games.
    fn add(&mut self, more: Self) {
        for ListedPosition { slot, entry, .. } in more.entries {
            let place = self.place(slot, entry.key, entry.kind, &entry.state);
            self.entries[place].entry.parts.add(entry.parts, BOOK_EXAMPLES);
        }
    }

    /// Begins a game.
    fn begin_game(&mut self) {
        self.reached.clear();
        self.seen = 0;
    }

    /// Notes that game `number` reaches a position.
    fn reach<B: Bits>(&mut self, place: usize, number: u64, by: Option<&ScannedPly<B>>) {
        if !self.reached.contains(&place) {
            let slot = self.entries[place].slot;
            if !self.reached.iter().any(|&other| self.entries[other].slot == slot) {
                self.seen = self.seen.saturating_add(1);
            }
            self.reached.push(place);
            self.entries[place].entry.parts.begin_game();
        }
        self.entries[place].entry.parts.reach(number, by);
    }
}

/// The games of a segment with what their tallies need.
struct BookGames<'a> {
    live: &'a GameSet,
    first_game: u64,
    moves: PackedMoves<'a>,
    summary: Column<'a>,
    kind: Column<'a>,
    date: Column<'a>,
    ratings: [Column<'a>; 2],
    kinds: Vec<GameKind>,
    /// For each kind, the number of the first kind with the same rules.
    by_rules: Vec<u32>,
    /// Start position of each kind, and its key.
    starts: Vec<(Position, StableKey)>,
    /// For each game, how many of the wanted upper bits it has.
    wanted: Vec<u16>,
    slots: SlotTable,
    layout: KeyLayout,
}

impl BookGames<'_> {
    /// Plays the games of some blocks.
    fn positions(&self, codecs: &mut Codecs, blocks: Range<usize>, slots: usize) -> Result<Positions> {
        let mut positions = Positions::new(slots);
        for block in blocks {
            for (game, bytes) in self.moves.block(block)?.games() {
                let wanted = self.wanted.get(game).copied().unwrap_or(0);
                if wanted == 0 || !self.live.contains(game as u32) {
                    continue;
                }
                let kind = self.kind.get(game).unwrap_or(0) as usize;
                let Some((start, key)) = self.starts.get(kind) else {
                    return Err(self.moves.corrupt_moves());
                };
                let summary = self.summary.get(game).unwrap_or(0);
                let number = self.first_game + game as u64;
                let play = PlayGame {
                    games: self,
                    positions: &mut positions,
                    codecs,
                    start,
                    key: *key,
                    kind,
                    wanted,
                    is_continuous: is_continuous(summary),
                    number,
                    bytes,
                };
                let last = start.board().with(play).map_err(|CorruptMoves| self.moves.corrupt_moves())?;
                let values = TallyValues {
                    number,
                    summary,
                    date: self.date.get(game).unwrap_or(0),
                    ratings: self.ratings.each_ref().map(|column| column.get(game).unwrap_or(0)),
                };
                let Positions { entries, reached, .. } = &mut positions;
                for &place in &*reached {
                    let parts = &mut entries[place].entry.parts;
                    parts.count_game(last == Some(place), &values, &self.kinds[kind], BOOK_EXAMPLES);
                }
            }
        }
        Ok(positions)
    }
}

/// One game to be played.
struct PlayGame<'g, 'a> {
    games: &'g BookGames<'a>,
    positions: &'g mut Positions,
    codecs: &'g mut Codecs,
    start: &'g Position,
    key: StableKey,
    kind: usize,
    /// The number of wanted upper bits that the game has.
    wanted: u16,
    is_continuous: bool,
    number: u64,
    bytes: &'g [u8],
}

impl WithBoard for PlayGame<'_, '_> {
    /// The place of the last position of the game, if it is one of the wanted ones.
    type Output = std::result::Result<Option<usize>, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        let Self { games, positions, codecs, start, mut key, kind, wanted, is_continuous, number, bytes } =
            self;
        positions.begin_game();
        let codec: &MoveCodec<G> = codecs.on::<G>();
        let start: State<G::Bits> = start.state().resized();
        let by_rules = games.by_rules[kind];
        let mut previous: Option<ScannedPly<G::Bits>> = None;
        let reach = |positions: &mut Positions,
                     key: StableKey,
                     state: &State<G::Bits>,
                     previous: &Option<ScannedPly<G::Bits>>| {
            let slot = games.slots.get(games.layout.upper_bits(key.0))?;
            let place = positions.place(slot, key.0, by_rules, &state.resized());
            // The ply before led here only if no setup came between.
            let by =
                previous.as_ref().filter(|by| is_continuous || (by.after() == *state && by.mv().is_some()));
            positions.reach(place, number, by);
            Some(place)
        };
        let mut is_over = false;
        let last = codec.scan(&start, bytes, |ply| {
            let before = ply.before();
            if !is_continuous {
                key = before.key_on(G::BOARD);
            }
            if let Some(place) = reach(positions, key, &before, &previous) {
                positions.entries[place].entry.parts.leave(ply.mv().map(|mv| mv.resized()));
            }
            // A position comes back only if kings have moved without captures since.
            let is_reversible = ply.by_king() && !ply.captured().any();
            is_over = is_continuous && positions.seen == wanted && wanted < u16::MAX && !is_reversible;
            if is_over {
                return ControlFlow::Break(());
            }
            key = match ply.mv() {
                Some(mv) => before.key_after::<G>(key, &mv),
                None => ply.after().key_on(G::BOARD),
            };
            previous = Some(*ply);
            ControlFlow::Continue(())
        })?;
        if is_over {
            return Ok(None);
        }
        if !is_continuous {
            key = last.key_on(G::BOARD);
        }
        Ok(reach(positions, key, &last, &previous))
    }
}

/// Compares the book of a segment with a new one. `request` has what the book was built for; the numbers of games that were
/// asked for are taken from the book.
///
/// # Errors
/// Fails with [`ErrorKind::IndexDamaged`] if they differ or the segment is damaged, and if `report` breaks off.
pub(super) fn check(
    book: &BookTable,
    request: BookRequest<'_>,
    report: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<()> {
    book.check_blocks()?;
    let mut output = ComparingOutput { rest: book.bytes(), is_equal: true };
    let (asked_games, asked_here) = (book.footer.asked_games.into(), book.footer.asked_here.into());
    BookRequest { asked_games, asked_here, ..request }.write(&mut output, report)?;
    if output.is_equal && output.rest.is_empty() {
        return Ok(());
    }
    Err(ErrorKind::IndexDamaged { section: "book", problem: "its entries are not those of the games" }.into())
}

/// An output that compares what is written with expected bytes.
pub(super) struct ComparingOutput<'a> {
    /// Expected bytes that have not been compared yet.
    pub(super) rest: &'a [u8],
    /// `true` as long as all bytes were equal.
    pub(super) is_equal: bool,
}

impl Write for ComparingOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.rest.strip_prefix(bytes) {
            Some(rest) => self.rest = rest,
            None => self.is_equal = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for ComparingOutput<'_> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
