//! Reads a book in place.
//!
//! ```text
//! header     "PDNBOOK\0" | u32 version | zeros up to 64
//! blocks     entries in ascending order of their keys, about 16 KiB each
//! directory  for each block: u64 key of its first entry | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | u64 basis: which games count, and which kinds have the same rules
//!            u32 games | u32 games asked for | u32 of these in this segment | u32 least games of an entry
//!            u64 xxh3 of the 64 bytes before | u32 version | u32 0 | "PDNBOOK."
//! ```

use std::ops::Range;

use super::entry::{BookEntry, EntryContext};
use super::parts::TreeParts;
use crate::format::wire::Reader;
use crate::row::game_row::GameKind;
use crate::segment::derived_file::{
    DerivedFile, DerivedFooter, DerivedFormat, DerivedMessages, DirectoryPlace,
};
use pdn::error::Result;
use pdn_rules::internal::position::{State, split_mix};

/// Number of example games that a book keeps of each position and move.
pub(crate) const BOOK_EXAMPLES: usize = 16;

/// The format of books.
pub(crate) const FORMAT: DerivedFormat = DerivedFormat {
    version: 1,
    magic: *b"PDNBOOK\0",
    end_magic: *b"PDNBOOK.",
    extension: "book",
    footer_len: 88,
    tail: 16 << 10,
    name: "book",
    messages: DerivedMessages {
        other_kind: "the file does not start like a book",
        other_segment: "it is the book of another segment",
        damaged_piece: "the checksum of a block does not match",
    },
};

/// Returns, for each kind, the number of the first kind with the same rules.
pub(crate) fn kinds_by_rules(kinds: &[GameKind]) -> Vec<u32> {
    let first =
        |kind: &GameKind| kinds.iter().position(|other| other.variant.rules() == kind.variant.rules());
    kinds.iter().map(|kind| first(kind).unwrap_or(0) as u32).collect()
}

/// Returns a number for what a book depends on besides its segment: the retired games, and which kinds have the same rules
/// in this version of the program.
pub(crate) fn basis(kinds: &[GameKind], retired: &[Range<u32>]) -> u64 {
    let kinds = kinds_by_rules(kinds).into_iter().map(u64::from);
    let retired = retired.iter().map(|games| u64::from(games.start) << 32 | u64::from(games.end));
    retired.fold(kinds.fold(0, split_mix), split_mix)
}

/// The footer of a book, with the identity of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BookFooter {
    pub(crate) place: DirectoryPlace,
    /// See [`basis`].
    pub(crate) basis: u64,
    /// Number of games of the segment.
    pub(crate) games: u32,
    /// The least number of games of the whole index with which a position was to be in the book.
    pub(crate) asked_games: u32,
    /// The share of the segment in them.
    pub(crate) asked_here: u32,
    /// The least number of games of the segment with which a position has an entry; more than was asked for if there were
    /// too many such positions.
    pub(crate) least_games: u32,
}

impl BookFooter {
    /// Encodes the footer.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = FORMAT.begin_footer(&self.place);
        out.u64(self.basis);
        for number in [self.games, self.asked_games, self.asked_here, self.least_games] {
            out.u32(number);
        }
        FORMAT.end_footer(out)
    }
}

impl DerivedFooter for BookFooter {
    const FORMAT: DerivedFormat = FORMAT;

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let footer = Self {
            place: DirectoryPlace::read(&mut reader)?,
            basis: reader.u64()?,
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

    fn allows_pieces(&self, _: u64) -> bool {
        true
    }
}

/// The book of a segment.
pub(crate) type BookTable = DerivedFile<BookFooter>;

impl BookTable {
    /// Returns the tree of a position; `None` if it has no entry, because fewer games have it. Takes some microseconds.
    ///
    /// # Errors
    /// Fails if the book is damaged.
    pub(crate) fn find(
        &self,
        key: u64,
        position: (u32, &State<u128>),
        context: &EntryContext,
    ) -> Result<Option<TreeParts>> {
        let directory = self.directory()?;
        let from = directory.partition_point(|first| first < key);
        let invalid = || self.damaged("an entry is invalid");
        for block in from.saturating_sub(1)..directory.len() {
            if directory.first_key(block) > key {
                break;
            }
            let mut entries = Reader(self.piece(directory, block)?);
            while !entries.0.is_empty() {
                let (Some(other), Some(rest)) = (entries.u64(), entries.bytes()) else {
                    return Err(invalid());
                };
                if other > key {
                    return Ok(None);
                }
                if other == key
                    && let Some(parts) = BookEntry::read(rest, position, context).ok_or_else(invalid)?
                {
                    return Ok(Some(parts));
                }
            }
        }
        Ok(None)
    }

    /// Verifies the checksums of the directory and of all blocks.
    ///
    /// # Errors
    /// Fails if one does not match.
    pub(crate) fn check_blocks(&self) -> Result<()> {
        let directory = self.directory()?;
        (0..directory.len()).try_for_each(|block| self.piece(directory, block).map(drop))?;
        let is_whole = directory.end_of_pieces() == self.footer.place.directory;
        if is_whole { Ok(()) } else { Err(self.damaged("its contents are invalid")) }
    }
}
