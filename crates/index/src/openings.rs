//! Openings: with which of the commonest sequences of moves each game of a segment begins.
//!
//! The tree of a common position among chosen games, those of a player or of some years, cannot be kept ready: there are too
//! many choices. So a file next to the key table of a segment numbers the *openings*, the sequences of moves with which many
//! games begin, and has the number of the opening of each game. It tells which moves a game played in a common position
//! without unpacking it. The trees are the same with openings and without.
//!
//! Openings form a tree: the opening without moves of each kind of games, then those of one move, and so on. They are
//! numbered in the order of a walk through this tree, so that all openings that begin with another one have consecutive
//! numbers. Number 0 stands for games that do not begin in the start position of their kind, or contain setups or null
//! moves.
//!
//! ```text
//! header     "PDNOPEN\0" | u32 version | zeros up to 64
//! openings   for each: u64 key of the position after its moves; then for each: u32 end, the number of the next opening
//!            that does not begin with this one
//! numbers    column: the opening of each game
//! directory  for each of the two: u64 0, 1 | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 openings | u64 bytes of the segment
//!            u64 checksum in the footer of the segment
//!            u32 games | u32 games asked for | u32 of these in this segment | u32 least games of an opening that goes on
//!            u64 xxh3 of the 56 bytes before | u32 version | u32 0 | "PDNOPEN."
//! ```

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::format::column::{Column, write_column};
use super::format::section::xxh3;
use super::format::wire::{Reader, Writer, u32_at, u64_at};
use super::segment::derived_file::{
    DerivedFile, DerivedFooter, DerivedFormat, DerivedMessages, DirectoryPlace,
};
use super::segment::reader::Segment;
use pdn::error::{Error, Result};
use pdn::internal::storage::Output;

/// Bytes of an opening: a key and an end.
const OPENING_LEN: usize = 12;

/// The format of openings.
pub(crate) const FORMAT: DerivedFormat = DerivedFormat {
    version: 1,
    magic: *b"PDNOPEN\0",
    end_magic: *b"PDNOPEN.",
    extension: "openings",
    footer_len: 80,
    tail: 16 << 10,
    name: "openings",
    messages: DerivedMessages {
        other_kind: "the file does not start like openings",
        other_segment: "they are the openings of another segment",
        damaged_piece: "a checksum does not match",
    },
};

/// The footer of openings, with the identity of their segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OpeningFooter {
    pub(crate) place: DirectoryPlace,
    /// Number of games of the segment.
    pub(crate) games: u32,
    /// The least number of games of the whole index with which an opening was to be followed.
    pub(crate) asked_games: u32,
    /// The share of the segment in them.
    pub(crate) asked_here: u32,
    /// The least number of games of the segment with which an opening is followed by longer ones; more than was asked for if
    /// there were too many openings.
    pub(crate) least_games: u32,
}

impl OpeningFooter {
    /// Encodes the footer.
    fn to_bytes(self) -> Vec<u8> {
        let mut out = FORMAT.begin_footer(&self.place);
        for number in [self.games, self.asked_games, self.asked_here, self.least_games] {
            out.u32(number);
        }
        FORMAT.end_footer(out)
    }
}

impl DerivedFooter for OpeningFooter {
    const FORMAT: DerivedFormat = FORMAT;

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let footer = Self {
            place: DirectoryPlace::read(&mut reader)?,
            games: reader.u32()?,
            asked_games: reader.u32()?,
            asked_here: reader.u32()?,
            least_games: reader.u32()?,
        };
        (footer.to_bytes() == bytes).then_some(footer)
    }

    fn place(&self) -> &DirectoryPlace {
        &self.place
    }

    fn games(&self) -> u32 {
        self.games
    }

    fn allows_pieces(&self, pieces: u64) -> bool {
        pieces == 2
    }
}

/// The openings of a segment, verified when they are opened.
#[derive(Debug)]
pub(crate) struct OpeningTable {
    file: DerivedFile<OpeningFooter>,
    /// Number of openings.
    count: u32,
    /// Where the openings are in the file.
    openings: Range<u64>,
    /// Where the numbers of the games are in the file.
    numbers: Range<u64>,
}

impl OpeningTable {
    /// Opens the openings of a segment; `None` if there are none. Verifies all checksums: about 0.3 ms for a million games.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, has another version, or belongs to another segment.
    pub(crate) fn open(segment: &Segment) -> Result<Option<Self>> {
        let Some(file) = DerivedFile::<OpeningFooter>::open(segment)? else { return Ok(None) };
        let directory = file.directory()?;
        let (openings, numbers) = (file.piece_range(directory, 0)?, file.piece_range(directory, 1)?);
        let count = u32::try_from(file.len()).unwrap_or(0);
        let is_whole = directory.end_of_pieces() == file.footer.place.directory
            && openings.end.checked_sub(openings.start) == Some(u64::from(count) * OPENING_LEN as u64);
        let kinds = segment.kinds()?.len();
        let table = Self { count, openings, numbers, file };
        if is_whole && table.is_tree() && table.children(0).count() == kinds && table.column().is_some() {
            Ok(Some(table))
        } else {
            Err(table.invalid())
        }
    }

    /// Creates the error of contents that match their checksums and are wrong.
    pub(crate) fn invalid(&self) -> Error {
        self.file.damaged("its contents are invalid")
    }

    /// Returns `true` if the ends of all openings are within those of the openings that they continue.
    fn is_tree(&self) -> bool {
        let mut open = vec![self.count];
        (0..self.count).all(|opening| {
            while open.last() == Some(&opening) {
                open.pop();
            }
            let end = self.end(opening);
            let is_inside = end > opening && open.last().is_some_and(|outer| end <= *outer);
            open.push(end);
            is_inside
        }) && self.count > 0
            && self.end(0) == self.count
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the path of the openings of a segment.
    pub(crate) fn path_of(segment: &Segment) -> PathBuf {
        DerivedFile::<OpeningFooter>::path_of(segment)
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn file_len(&self) -> u64 {
        self.file.file_len()
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Returns the footer.
    pub(crate) fn footer(&self) -> &OpeningFooter {
        &self.file.footer
    }

    /// Returns the number of openings, number 0 included.
    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    /// Returns the bytes of all openings: first the keys, then the ends.
    fn opening_bytes(&self) -> &[u8] {
        // Opening has read them.
        self.file.get(self.openings.clone()).unwrap_or(&[])
    }

    /// Returns the key of the position after an opening.
    pub(crate) fn key(&self, opening: u32) -> u64 {
        u64_at(self.opening_bytes(), opening as usize).unwrap_or(0)
    }

    /// Returns the number of the next opening that does not begin with this one.
    pub(crate) fn end(&self, opening: u32) -> u32 {
        let ends = self.opening_bytes().get(self.count as usize * 8..).unwrap_or(&[]);
        u32_at(ends, opening as usize).unwrap_or(0)
    }

    /// Returns `true` if longer openings begin with this one. Then every game that begins with it and goes on has one of them.
    pub(crate) fn is_followed(&self, opening: u32) -> bool {
        self.end(opening) > opening + 1
    }

    /// Returns the openings that are one move longer; those of 0 are the openings without moves of all kinds of games, in the
    /// order of the kinds.
    pub(crate) fn children(&self, opening: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.end(opening);
        let first = (opening + 1 < end).then_some(opening + 1);
        std::iter::successors(first, move |&child| Some(self.end(child)).filter(|next| *next < end))
    }

    /// Returns the opening of each game; `None` if the bytes are malformed.
    fn column(&self) -> Option<Column<'_>> {
        let bytes = self.file.get(self.numbers.clone()).ok()?;
        Column::new(bytes, self.file.footer.games as usize)
    }

    /// Returns the opening of each game.
    ///
    /// # Errors
    /// Fails if the column is malformed.
    pub(crate) fn numbers(&self) -> Result<Column<'_>> {
        self.column().ok_or_else(|| self.invalid())
    }
}

/// An opening as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenOpening {
    /// The key of the position after its moves.
    pub(crate) key: u64,
    /// The number of the next opening that does not begin with this one.
    pub(crate) end: u32,
}

/// Writes openings and syncs the file. Returns its length in bytes. `numbers` has the opening of each game, and `footer` has
/// everything that these do not tell.
///
/// # Errors
/// Fails if the disk does not accept them.
pub(crate) fn write(
    openings: &[WrittenOpening],
    numbers: &[u32],
    footer: OpeningFooter,
    out: &mut dyn Output,
) -> io::Result<u64> {
    let mut file = Writer(FORMAT.header().to_vec());
    let mut directory = Writer::default();
    let mut end_piece = |file: &Writer, start: usize, key: u64| {
        directory.u64(key);
        directory.u64(file.0.len() as u64);
        directory.u64(xxh3(&file.0[start..]));
        file.0.len()
    };
    let start = file.0.len();
    openings.iter().for_each(|opening| file.u64(opening.key));
    openings.iter().for_each(|opening| file.u32(opening.end));
    let start = end_piece(&file, start, 0);
    file.0.extend(write_column(numbers, false));
    let end = end_piece(&file, start, 1);
    let (checksum, entries) = (xxh3(&directory.0), openings.len() as u64);
    let place = DirectoryPlace { directory: end as u64, checksum, entries, ..footer.place };
    file.0.extend(directory.0);
    file.0.extend(OpeningFooter { place, ..footer }.to_bytes());
    out.write_all(&file.0)?;
    out.sync()?;
    Ok(file.0.len() as u64)
}
