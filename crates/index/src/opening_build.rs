//! Builds the openings of a segment: finds them ply by ply, and plays only games whose opening may go on.

// Twin: every game unpacked, in the test; test: openings_are_the_commonest_beginnings_of_the_games.

use std::collections::hash_map::Entry;
use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use foldhash::HashMap;

use super::book_build::ComparingOutput;
use super::format::column::Column;
use super::format::columns::Section;
use super::openings::{self, OpeningFooter, OpeningTable, WrittenOpening};
use super::row::summary_bits::is_continuous;
use super::segment::derived_file::DirectoryPlace;
use super::segment::move_blocks::PackedMoves;
use super::segment::reader::Segment;
use crate::pack::{Codecs, CorruptMoves};
use pdn::error::{ErrorKind, Result};
use pdn::internal::pool;
use pdn::internal::storage::Output;
use pdn::position::{Move, Position, StableKey};
use pdn_rules::internal::board::{Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// Greatest number of openings, so that the number of a game takes at most 16 bits.
pub(super) const MAX_OPENINGS: usize = 1 << 16;

/// Greatest number of moves of an opening: each costs a pass over the games that have as many.
const MAX_PLIES: u32 = 32;

/// Number of blocks of 32 games that a worker takes at a time.
const UNIT_BLOCKS: usize = 512;

/// The settings with which the openings of a segment are built.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpeningRequest<'a> {
    pub(super) segment: &'a Segment,
    /// The number of games of the index that an opening needs for longer openings to be added.
    pub(super) asked_games: u64,
    /// The share of the segment; see [`asked_here`](super::book_build::asked_here).
    pub(super) asked_here: u64,
    /// Greatest number of openings.
    pub(super) max_openings: usize,
    pub(super) threads: NonZeroUsize,
}

impl OpeningRequest<'_> {
    /// Writes the openings. Returns their length in bytes and their number. `report` is called between parts of the work and
    /// may break off.
    ///
    /// # Errors
    /// Fails if the segment is damaged, the disk does not accept the openings, or `report` breaks off.
    pub(super) fn write(
        &self,
        out: &mut dyn Output,
        report: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(u64, u64)> {
        let mut tree = Tree::new(self.segment)?;
        let mut least_games = self.asked_here;
        for ply in 0..MAX_PLIES {
            if !tree.add_ply(least_games, ply, self.threads, report)? {
                break;
            }
            least_games = tree.least_games(least_games, self.max_openings);
        }
        let (openings, renumbered) = tree.in_order(least_games);
        let numbers: Vec<u32> = tree.of_games.iter().map(|&opening| renumbered[opening as usize]).collect();
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let footer = OpeningFooter {
            place: DirectoryPlace {
                segment_len: self.segment.file_len(),
                segment_checksum: self.segment.checksum(),
                ..DirectoryPlace::default()
            },
            games: self.segment.len() as u32,
            asked_games: small(self.asked_games),
            asked_here: small(self.asked_here),
            least_games: small(least_games),
        };
        Ok((openings::write(&openings, &numbers, footer, out)?, openings.len() as u64))
    }
}

/// An opening during the search for openings.
#[derive(Clone, Copy, Debug)]
struct FoundOpening {
    /// The opening that is one move shorter.
    parent: u32,
    /// The last move; `None` for an opening without moves.
    mv: Option<Move>,
    /// The key of the position after it.
    key: StableKey,
    plies: u32,
    /// The games that begin with it.
    games: u64,
}

/// The openings of a segment in the order in which they are found.
struct Tree<'a> {
    moves: PackedMoves<'a>,
    kind: Column<'a>,
    /// The start position of each kind of games.
    starts: Vec<Position>,
    /// First number 0, then the openings without moves of all kinds.
    openings: Vec<FoundOpening>,
    /// The longest opening of each game so far.
    of_games: Vec<u32>,
}

impl<'a> Tree<'a> {
    /// Finds the openings without moves.
    fn new(segment: &'a Segment) -> Result<Self> {
        let starts: Vec<Position> = segment.kinds()?.iter().map(|kind| segment.start(kind)).collect();
        let none = FoundOpening { parent: 0, mv: None, key: StableKey(0), plies: 0, games: 0 };
        let mut openings = vec![none];
        openings.extend(starts.iter().map(|start| FoundOpening { key: start.key(), ..none }));
        let (kind, summary) = (segment.column(Section::Kind)?, segment.column(Section::Summary)?);
        let mut of_games = Vec::with_capacity(segment.len());
        for (kind, summary) in kind.values().zip(summary.values()) {
            let opening = if is_continuous(summary) { kind as u32 + 1 } else { 0 };
            match openings.get_mut(opening as usize) {
                Some(found) if opening != 0 => found.games += 1,
                Some(_) => {}
                None => return Err(segment.damaged(Section::Kind, "a game has no kind")),
            }
            of_games.push(opening);
        }
        Ok(Self { moves: segment.moves()?, kind, starts, openings, of_games })
    }

    /// Finds the openings that follow those of `ply` plies and at least `least_games` games. Returns `false` if there are none
    /// of these.
    fn add_ply(
        &mut self,
        least_games: u64,
        ply: u32,
        threads: NonZeroUsize,
        report: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<bool> {
        let goes_on: Vec<bool> = (0..)
            .zip(&self.openings)
            .map(|(number, opening)| number != 0 && opening.plies == ply && opening.games >= least_games)
            .collect();
        if !goes_on.contains(&true) {
            return Ok(false);
        }
        let mut found = Followers::default();
        let mut is_stopped = false;
        let blocks = self.moves.blocks();
        pool::try_ordered(
            (0..blocks).step_by(UNIT_BLOCKS).map(|first| first..(first + UNIT_BLOCKS).min(blocks)),
            threads,
            Codecs::default,
            |codecs, blocks| self.followers(&goes_on, ply, codecs, blocks),
            |more| {
                found.add(more);
                is_stopped = report().is_break();
                if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        if is_stopped {
            return Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        let first = self.openings.len() as u32;
        for (game, follower) in found.of_games {
            self.of_games[game as usize] = first + follower;
        }
        self.openings.extend(found.openings);
        Ok(true)
    }

    /// Finds the openings of one ply more than `ply` in the games of some blocks.
    fn followers(
        &self,
        goes_on: &[bool],
        ply: u32,
        codecs: &mut Codecs,
        blocks: Range<usize>,
    ) -> Result<Followers> {
        let mut found = Followers::default();
        for block in blocks {
            let games =
                block * PackedMoves::BLOCK..((block + 1) * PackedMoves::BLOCK).min(self.of_games.len());
            if !self.of_games[games].iter().any(|&opening| goes_on[opening as usize]) {
                continue;
            }
            for (game, bytes) in self.moves.block(block)?.games() {
                let opening = self.of_games[game];
                if !goes_on[opening as usize] {
                    continue;
                }
                let kind = self.kind.get(game).unwrap_or(0) as usize;
                let start = self.starts.get(kind).ok_or_else(|| self.moves.corrupt_moves())?;
                let play = NextMove { codecs, start, bytes, ply };
                let next = start.board().with(play).map_err(|CorruptMoves| self.moves.corrupt_moves())?;
                if let Some((mv, after)) = next {
                    let key = || Position::from_state(*start.game(), after).key();
                    found.count(opening, mv, ply + 1, 1, key);
                    found.of_games.push((game as u32, found.last));
                }
            }
        }
        Ok(found)
    }

    /// Returns the least number of games with which openings are followed: `asked`, or more if there would be more openings
    /// than `max`. Openings that are found later can only raise it.
    fn least_games(&self, asked: u64, max: usize) -> u64 {
        let mut followers = vec![0usize; self.openings.len()];
        let without_moves = 1 + self.starts.len();
        for opening in &self.openings[without_moves..] {
            followers[opening.parent as usize] += 1;
        }
        let mut followed: Vec<(u64, usize)> = self
            .openings
            .iter()
            .zip(followers)
            .map(|(opening, followers)| (opening.games, followers))
            .filter(|(_, followers)| *followers > 0)
            .collect();
        followed.sort_unstable_by(|one, other| other.cmp(one));
        let mut count = without_moves;
        for (games, followers) in followed {
            count += followers;
            if count > max {
                return games + 1;
            }
        }
        asked
    }

    /// Returns the openings in the order of their final numbers, without those that only follow an opening of fewer games
    /// than `least_games`; and for each opening found the final number of its longest beginning among them.
    fn in_order(&self, least_games: u64) -> (Vec<WrittenOpening>, Vec<u32>) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.openings.len()];
        for (number, opening) in (0..).zip(&self.openings).skip(1) {
            let parent = &self.openings[opening.parent as usize];
            if opening.mv.is_none() || parent.games >= least_games {
                children[opening.parent as usize].push(number);
            }
        }
        for children in &mut children {
            // The openings without moves stay in the order of the kinds.
            children.sort_by_key(|&child| self.openings[child as usize].mv);
        }
        let mut renumbered = vec![u32::MAX; self.openings.len()];
        let mut written: Vec<WrittenOpening> = Vec::new();
        // The openings to be numbered, and those whose end is to be noted.
        let mut steps = vec![(0u32, false)];
        while let Some((number, is_done)) = steps.pop() {
            if is_done {
                let end = written.len() as u32;
                written[renumbered[number as usize] as usize].end = end;
                continue;
            }
            renumbered[number as usize] = written.len() as u32;
            written.push(WrittenOpening { key: self.openings[number as usize].key.0, end: 0 });
            steps.push((number, true));
            steps.extend(children[number as usize].iter().rev().map(|&child| (child, false)));
        }
        for (number, opening) in self.openings.iter().enumerate() {
            // Parents are found before their followers.
            if renumbered[number] == u32::MAX {
                renumbered[number] = renumbered[opening.parent as usize];
            }
        }
        (written, renumbered)
    }
}

/// The openings that are one ply longer than others, of some games.
#[derive(Default)]
struct Followers {
    openings: Vec<FoundOpening>,
    places: HashMap<(u32, Move), u32>,
    /// The opening that was counted last.
    last: u32,
    /// Games with their openings.
    of_games: Vec<(u32, u32)>,
}

impl Followers {
    /// Counts games that go on from the opening `parent` with a move.
    fn count(&mut self, parent: u32, mv: Move, plies: u32, games: u64, key: impl FnOnce() -> StableKey) {
        self.last = match self.places.entry((parent, mv)) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => {
                self.openings.push(FoundOpening { parent, mv: Some(mv), key: key(), plies, games: 0 });
                *place.insert(self.openings.len() as u32 - 1)
            }
        };
        self.openings[self.last as usize].games += games;
    }

    /// Adds the openings of later games.
    fn add(&mut self, more: Self) {
        let mut places = Vec::with_capacity(more.openings.len());
        for FoundOpening { parent, mv, key, plies, games } in more.openings {
            if let Some(mv) = mv {
                self.count(parent, mv, plies, games, || key);
                places.push(self.last);
            }
        }
        let own = more.of_games.iter().map(|&(game, opening)| (game, places[opening as usize]));
        self.of_games.extend(own);
    }
}

/// Finds the move after some plies of a game.
struct NextMove<'g> {
    codecs: &'g mut Codecs,
    start: &'g Position,
    bytes: &'g [u8],
    ply: u32,
}

impl WithBoard for NextMove<'_> {
    /// The move and the position after it; `None` if the game ends before.
    type Output = std::result::Result<Option<(Move, State<u128>)>, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        let start: State<G::Bits> = self.start.state().resized();
        let (mut ply, mut found) = (0, None);
        self.codecs.on::<G>().scan(&start, self.bytes, |played| {
            if ply == self.ply {
                found = played.mv().map(|mv| (mv.resized(), played.after().resized()));
                return ControlFlow::Break(());
            }
            ply += 1;
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }
}

/// Compares the openings of a segment with new ones. The numbers of games that were asked for are taken from them.
///
/// # Errors
/// Fails with [`ErrorKind::IndexDamaged`] if they differ or the segment is damaged, and if `report` breaks off.
pub(super) fn check(
    segment: &Segment,
    openings: &OpeningTable,
    threads: NonZeroUsize,
    report: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<()> {
    let footer = openings.footer();
    let mut output = ComparingOutput { rest: openings.bytes(), is_equal: true };
    let request = OpeningRequest {
        segment,
        asked_games: footer.asked_games.into(),
        asked_here: footer.asked_here.into(),
        max_openings: MAX_OPENINGS,
        threads,
    };
    request.write(&mut output, report)?;
    if output.is_equal && output.rest.is_empty() {
        return Ok(());
    }
    Err(ErrorKind::IndexDamaged { section: "openings", problem: "they are not those of the games" }.into())
}

#[cfg(test)]
mod tests;
