//! What a segment file consists of, and where.
//!
//! ```text
//! header   "PDNGAMES" | u32 version | u32 0 | zeros up to 64
//! sections one after the other, each at a multiple of 64
//! table    for each section: u32 number | u32 0 | u64 offset | u64 length | u64 xxh3 of its bytes
//! footer   u64 offset of the table | u32 sections | u32 games | u64 xxh3 of the table and of what the footer has
//!          before this | u32 version | u32 0 | "PDNSEGM."
//! ```
//! Everything about a file is at its end, so that it can be written in one go and a cut file shows at once.

use super::checksum::xxh3;
use super::wire::{Reader, Writer};

/// The version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 2;

pub(crate) const MAGIC: &[u8; 8] = b"PDNGAMES";
const END: &[u8; 8] = b"PDNSEGM.";

/// Sections start at multiples of this; the header fills the first.
pub(crate) const ALIGN: u64 = 64;

const ENTRY: usize = 32;
const FOOTER: usize = 40;

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// A part of a segment. Numbers are part of the format and never reused.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u32)]
        pub enum Section {
            $($(#[$doc])* $name = $number,)*
        }

        impl Section {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The name, as messages have it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

sections! {
    /// Packed moves of all games.
    Moves = 1, "moves";
    /// Where the moves of each game end.
    MoveEnds = 2, "move-ends";
    /// The low half of xxh3 of the moves of every 32 games.
    MoveSums = 3, "move-sums";
    /// Where the text of each game ends, counted from the first game of the segment.
    TextEnds = 4, "text-ends";
    /// For some games that follow each other what the xxh3 of their texts add up to.
    TextSums = 5, "text-sums";
    /// Which games come from where.
    Runs = 6, "runs";
    /// The different games played: variant, numbering, and how that is known.
    Kinds = 7, "kinds";
    /// Where the games of each text sum end.
    TextSumEnds = 8, "text-sum-ends";
    /// The White tag, a number of the players.
    White = 16, "white";
    /// The Black tag, a number of the players.
    Black = 17, "black";
    /// The Event tag.
    Event = 18, "event";
    /// The Site tag.
    Site = 19, "site";
    /// The Round tag.
    Round = 20, "round";
    /// The result as written.
    Result = 21, "result";
    /// The date, `year << 9 | month << 5 | day`, unknown parts 0.
    Date = 22, "date";
    /// White's rating, 0 for none.
    WhiteRating = 23, "white-rating";
    /// Black's rating, 0 for none.
    BlackRating = 24, "black-rating";
    /// Status, outcome and marks in a byte.
    Summary = 25, "summary";
    /// Index into the kinds.
    Kind = 26, "kind";
    /// Legal plies of the main line.
    Plies = 27, "plies";
    /// Pieces before the first ply.
    First = 28, "first-material";
    /// Pieces after the last ply.
    Last = 29, "last-material";
    /// Names of players.
    Players = 64, "players";
    /// Where each of them ends.
    PlayerEnds = 65, "player-ends";
    /// Their folded forms.
    PlayerForms = 66, "player-forms";
    /// Events.
    Events = 67, "events";
    /// Where each of them ends.
    EventEnds = 68, "event-ends";
    /// Their folded forms.
    EventForms = 69, "event-forms";
    /// Sites.
    Sites = 70, "sites";
    /// Where each of them ends.
    SiteEnds = 71, "site-ends";
    /// Their folded forms.
    SiteForms = 72, "site-forms";
    /// Rounds.
    Rounds = 73, "rounds";
    /// Where each of them ends.
    RoundEnds = 74, "round-ends";
    /// Their folded forms.
    RoundForms = 75, "round-forms";
    /// Results.
    Results = 76, "results";
    /// Where each of them ends.
    ResultEnds = 77, "result-ends";
    /// Their folded forms.
    ResultForms = 78, "result-forms";
    /// The text of the games, compressed in blocks.
    Text = 96, "text";
    /// Where each block ends, compressed and not.
    TextBlocks = 97, "text-blocks";
}

/// The sum of the texts of some games and of `games` more after them, from the sums of both. The sum of one game is
/// the xxh3 of its text.
///
/// `before * FACTOR ^ games + after`: a change of one text always changes it, and so does another order.
pub(crate) const fn join(before: u64, after: u64, games: u32) -> u64 {
    /// Odd, so that nothing is lost in multiplying.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    before.wrapping_mul(FACTOR.wrapping_pow(games)).wrapping_add(after)
}

/// Where a section lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) section: u32,
    pub(crate) offset: u64,
    pub(crate) len: u64,
    pub(crate) sum: u64,
}

/// The first bytes of a file.
pub(crate) fn header() -> [u8; ALIGN as usize] {
    let mut header = [0; ALIGN as usize];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// The last bytes of a file whose table starts at `offset`.
pub(crate) fn table(entries: &[Entry], offset: u64, games: u32) -> Vec<u8> {
    let mut out = Writer::default();
    for entry in entries {
        out.u32(entry.section);
        out.u32(0);
        out.u64(entry.offset);
        out.u64(entry.len);
        out.u64(entry.sum);
    }
    out.u64(offset);
    out.u32(entries.len() as u32);
    out.u32(games);
    out.u64(xxh3(&out.0));
    out.u32(VERSION);
    out.u32(0);
    out.0.extend(END);
    out.0
}

/// Why a file is no segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misfit {
    /// It does not begin or end like one.
    Foreign,
    Version(u32),
    Damaged(&'static str, &'static str),
}

/// What a segment says about itself.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) version: u32,
    pub(crate) entries: Vec<Entry>,
    pub(crate) games: u32,
    /// The sum in the footer: the name of the contents.
    pub(crate) sum: u64,
}

impl Table {
    /// Reads header and footer. O(sections).
    pub(crate) fn read(file: &[u8]) -> Result<Self, Misfit> {
        let header =
            file.get(..ALIGN as usize).filter(|header| header.starts_with(MAGIC)).ok_or(Misfit::Foreign)?;
        let version = Reader(&header[8..]).u32().unwrap_or(0);
        if version == 0 || version > VERSION {
            return Err(Misfit::Version(version));
        }
        let cut = Misfit::Damaged("footer", "the file is cut or its end overwritten");
        let start = file.len().checked_sub(FOOTER).ok_or(cut)?;
        let mut reader = Reader(&file[start..]);
        let mut footer = || {
            Some((
                reader.u64()?,
                reader.u32()?,
                reader.u32()?,
                reader.u64()?,
                reader.u32()?,
                reader.u32()?,
                reader.array::<8>()?,
            ))
        };
        let (offset, sections, games, sum, again, zero, end) = footer().ok_or(cut)?;
        if &end != END || again != version || zero != 0 || header[12..].iter().any(|&byte| byte != 0) {
            return Err(cut);
        }
        let len = (sections as usize).checked_mul(ENTRY).ok_or(cut)?;
        let at = start.checked_sub(len).filter(|&at| at as u64 == offset).ok_or(cut)?;
        if xxh3(&file[at..start + 16]) != sum {
            return Err(Misfit::Damaged("table", "its checksum does not fit"));
        }
        let bad = Misfit::Damaged("table", "an entry makes no sense");
        let mut reader = Reader(&file[at..start]);
        let mut entries = Vec::with_capacity(sections as usize);
        for _ in 0..sections {
            let mut entry = || {
                let (section, _) = (reader.u32()?, reader.u32()?);
                Some(Entry { section, offset: reader.u64()?, len: reader.u64()?, sum: reader.u64()? })
            };
            let entry = entry().ok_or(bad)?;
            let end = entry.offset.checked_add(entry.len).ok_or(bad)?;
            if entry.offset < ALIGN || end > offset {
                return Err(bad);
            }
            entries.push(entry);
        }
        Ok(Self { version, entries, games, sum })
    }

    /// Whether the sections stand one after the other from the header to the table, with nothing but zeros between
    /// them. O(sections); together with the sums it accounts for every byte of the file.
    pub(crate) fn is_gapless(&self, file: &[u8]) -> bool {
        let mut at = ALIGN;
        let mut gaps = self.entries.iter().map(|entry| {
            let start = std::mem::replace(&mut at, entry.offset.saturating_add(entry.len));
            let gap = file.get(start as usize..entry.offset as usize);
            gap.is_some_and(|gap| gap.len() < ALIGN as usize && gap.iter().all(|&byte| byte == 0))
        });
        gaps.all(|sound| sound)
            && file.len().checked_sub(FOOTER + ENTRY * self.entries.len()) == Some(at as usize)
    }

    /// Where a section lies, if the file has it.
    pub(crate) fn find(&self, section: Section) -> Option<(usize, Entry)> {
        self.entries.iter().copied().enumerate().find(|(_, entry)| entry.section == section as u32)
    }
}
