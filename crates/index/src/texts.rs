//! Reads the records of games, from the archives or from the index, and verifies them.
//!
//! A record is verified together with up to 31 neighbours that share its checksum. A [`TextReader`] keeps the bytes
//! that it read last, so that the games of a block, and of blocks that follow each other, are read and decompressed
//! once. Archives are read, not mapped: a file that another process shortens is an error.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::format::columns::Section;
use super::format::text_blocks::FrameReader;
use super::open::{Index, IndexedGame};
use super::row::input::IndexedInput;
use super::segment::reader::{RecordLocation, Segment};
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::source::read_at;
use pdn::source::Decoder;

/// Bytes that are read ahead from an archive when blocks are read in order.
const READ_AHEAD: u64 = 256 << 10;

/// Reads the records of many games of an index. Fast for games in the order of the index.
#[derive(Debug)]
pub struct TextReader<'a> {
    index: &'a Index,
    /// The block that was verified last.
    block: Option<TextBlock>,
    /// Bytes of an archive, or of the concatenated embedded records of a segment.
    window: Vec<u8>,
    source: Option<TextSource>,
    /// Offset of the window in its source.
    window_start: u64,
    frames: FrameReader,
    file: Option<(PathBuf, File)>,
}

/// What a window is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextSource {
    /// The file of an input, by its number.
    Input(u32),
    /// The embedded records of a segment, by its number.
    Segment(usize),
    /// The records of one block of version 1, whose games need not follow each other.
    Gathered,
}

/// Up to 32 games whose records have been verified.
#[derive(Debug)]
struct TextBlock {
    segment: usize,
    games: Range<usize>,
    /// Offset of the first record in the window.
    start: usize,
    /// End of each record, relative to the first.
    ends: Vec<usize>,
}

impl TextBlock {
    /// Returns the range of a record in the window.
    fn record(&self, segment: usize, game: usize) -> Option<Range<usize>> {
        if segment != self.segment || !self.games.contains(&game) {
            return None;
        }
        let number = game - self.games.start;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(self.start + start..self.start + self.ends[number])
    }
}

impl<'a> TextReader<'a> {
    /// Creates a reader of the records of an index. Nothing is read yet.
    pub fn new(index: &'a Index) -> Self {
        Self {
            index,
            block: None,
            window: Vec::new(),
            source: None,
            window_start: 0,
            frames: FrameReader::default(),
            file: None,
        }
    }

    /// Returns the record of a game, byte for byte: from the index if records are embedded, otherwise from the archive.
    ///
    /// A changed archive is an error and never returns other text.
    ///
    /// # Errors
    /// Fails if the index has no game of this number, if the archive is gone or has changed, and with
    /// [`ErrorKind::NoText`] if the record was neither embedded nor in a plain file.
    pub fn text(&mut self, game: u64) -> Result<&[u8]> {
        let Some((number, local)) = self.index.locate_number(game) else {
            return Err(Error::new(ErrorKind::NoText("the index has no such game")).at(self.index.dir()));
        };
        let known = self.block.as_ref().and_then(|block| block.record(number, local));
        let range = match known {
            Some(range) => range,
            None => {
                self.block = None;
                let block = self.read_block(number, local)?;
                let range = block.record(number, local);
                self.block = Some(block);
                range.unwrap_or_default()
            }
        };
        Ok(self.window.get(range).unwrap_or_default())
    }

    /// Reads and verifies the block of a game.
    fn read_block(&mut self, number: usize, local: usize) -> Result<TextBlock> {
        let segment = &self.index.segments()[number];
        let (games, sum) = segment.text_checksum_block(local)?;
        let mut ends = Vec::with_capacity(games.len());
        let (mut total, mut first) = (0, None);
        let mut is_contiguous = true;
        for game in games.clone() {
            let location = segment.location(game)?;
            let location = location.ok_or_else(|| segment.damaged(Section::TextEnds, "a game is missing"))?;
            let before: RecordLocation = *first.get_or_insert(location);
            is_contiguous &= location.input == before.input && location.offset == before.offset + total;
            total += location.len;
            ends.push(total as usize);
        }
        let is_embedded = segment.has(Section::Text);
        let start = if is_embedded {
            let offset = segment.text_start(games.start)?;
            self.read_embedded(number, offset..offset + total)?
        } else if let Some(first) = first.filter(|_| is_contiguous) {
            self.read_archive(segment, &RecordLocation { len: total, ..first })?
        } else {
            self.gather(segment, games.clone())?
        };
        let block = TextBlock { segment: number, games, start, ends };
        let texts = block.games.clone().map(|game| {
            let range = block.record(number, game).unwrap_or_default();
            self.window.get(range).unwrap_or_default()
        });
        if segment.texts_checksum(texts) == sum {
            return Ok(block);
        }
        if is_embedded {
            return Err(segment.damaged(Section::Text, "its checksum does not match"));
        }
        let input = first.and_then(|first| self.index.inputs().get(first.input as usize));
        let path = input.map_or(self.index.dir(), |input| input.path.as_deref().unwrap_or(&input.name));
        // The window may hold more of the changed file.
        self.source = None;
        Err(Error::new(ErrorKind::ArchiveChanged("the text of the game differs")).at(path))
    }

    /// Reads embedded records into the window. Returns their offset in it.
    fn read_embedded(&mut self, number: usize, range: Range<u64>) -> Result<usize> {
        let segment = &self.index.segments()[number];
        if self.source != Some(TextSource::Segment(number)) {
            self.window.clear();
            (self.source, self.window_start) = (Some(TextSource::Segment(number)), 0);
        }
        let frames = segment.frames()?;
        let blocks = segment.section(Section::TextBlocks)?;
        let read = self.frames.read(&frames, blocks, &range, &mut self.window, &mut self.window_start);
        if read.is_none() {
            self.source = None;
            return Err(segment.malformed(Section::Text));
        }
        Ok((range.start - self.window_start) as usize)
    }

    /// Reads consecutive bytes of an archive into the window. Returns their offset in it.
    fn read_archive(&mut self, segment: &Segment, wanted: &RecordLocation) -> Result<usize> {
        let index = self.index;
        let input = index.inputs().get(wanted.input as usize);
        let input = input.ok_or_else(|| segment.damaged(Section::Runs, "an input is not in the manifest"))?;
        let end = wanted.offset + wanted.len;
        let window_end = self.window_start + self.window.len() as u64;
        let is_same = self.source == Some(TextSource::Input(wanted.input));
        if is_same && self.window_start <= wanted.offset && end <= window_end {
            return Ok((wanted.offset - self.window_start) as usize);
        }
        let Some(path) = input.path.as_deref().filter(|_| input.has_file_offsets) else {
            let why = "it came from a stream, a container or UTF-16 and was not embedded in the index";
            return Err(Error::new(ErrorKind::NoText(why)).at(&input.name));
        };
        // Rejects only records beyond the end of the file; the caller verifies the bytes.
        if input.fingerprint.is_some_and(|fingerprint| fingerprint.size < end) {
            return Err(segment.damaged(Section::TextEnds, "a game lies beyond the end of its file"));
        }
        // Reads ahead if the last window ended within this block, so that blocks are read in order.
        let is_next = is_same && (self.window_start..=window_end).contains(&wanted.offset);
        self.source = None;
        self.window_start = wanted.offset;
        let ahead = if is_next { READ_AHEAD.max(wanted.len) } else { wanted.len };
        self.read_file(path, wanted.offset, wanted.len, ahead).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::new(ErrorKind::ArchiveChanged("it is shorter")).at(path),
            io::ErrorKind::NotFound => {
                Error::new(ErrorKind::ArchiveChanged("it is no longer there")).at(path)
            }
            _ => Error::from(error).at(path),
        })?;
        self.source = Some(TextSource::Input(wanted.input));
        Ok(0)
    }

    /// Fills the window with at least `len` and at most `ahead` bytes of a file from `offset` on.
    fn read_file(&mut self, path: &Path, offset: u64, len: u64, ahead: u64) -> io::Result<()> {
        self.window.clear();
        if self.file.as_ref().is_none_or(|(open, _)| open != path) {
            self.file = Some((path.to_owned(), File::open(path)?));
        }
        let Some((_, file)) = &self.file else { return Ok(()) };
        // The length is checked first, so that damaged offsets do not allocate memory.
        let rest = file.metadata()?.len().saturating_sub(offset);
        if rest < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.window.resize(ahead.min(rest) as usize, 0);
        if !read_at(file, offset, &mut self.window)? {
            use std::io::{Seek, SeekFrom};
            let mut file = file;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut self.window)?;
        }
        Ok(())
    }

    /// Reads the records of a block one by one into the window, for games that do not follow each other. Returns the
    /// offset of the first in the window.
    fn gather(&mut self, segment: &Segment, games: Range<usize>) -> Result<usize> {
        let mut all = Vec::new();
        for game in games {
            let Some(location) = segment.location(game)? else { continue };
            let start = self.read_archive(segment, &location)?;
            all.extend_from_slice(self.window.get(start..start + location.len as usize).unwrap_or_default());
        }
        self.window = all;
        (self.source, self.window_start) = (Some(TextSource::Gathered), 0);
        Ok(0)
    }
}

impl Index {
    /// Returns the decoder of the text of an input: the one with which it was indexed or, in an index that does not
    /// store it, one made of the first bytes of the text as far as they can be read.
    #[doc(hidden)]
    pub fn decoder(&self, input: u32) -> Decoder {
        let (Some(slot), Some(of_input)) =
            (self.decoders.get(input as usize), self.inputs().get(input as usize))
        else {
            return Decoder::default();
        };
        *slot.get_or_init(|| {
            let new = || Decoder::new(None, &self.head(input, of_input).unwrap_or_default());
            of_input.decoder.unwrap_or_else(new)
        })
    }

    /// Reads the first bytes of the text of an input, at most [`Decoder::SAMPLE`]; `None` if they cannot be read.
    fn head(&self, number: u32, input: &IndexedInput) -> Option<Vec<u8>> {
        let len = input.text_len.min(Decoder::SAMPLE as u64);
        let mut head = Vec::new();
        for segment in self.segments().iter().filter(|segment| segment.has(Section::Text)) {
            for run in segment.runs().ok()? {
                if run.input == number && run.offset == 0 {
                    let end = segment.text_len().ok()?.min(run.text + len);
                    return segment.embedded_range(run.text..end).ok()?;
                }
            }
        }
        let path = input.path.as_deref().filter(|_| input.has_file_offsets)?;
        File::open(path).ok()?.take(len).read_to_end(&mut head).ok()?;
        Some(head)
    }
}

impl IndexedGame<'_> {
    /// Reads the record of the game, byte for byte: from the index if records are embedded, otherwise from the
    /// archive. For many games, use a `TextReader`.
    ///
    /// The record is verified together with up to 31 neighbours that share its checksum. A changed archive is
    /// therefore an error and never returns other text.
    ///
    /// # Errors
    /// Fails if the archive is gone or has changed, and with [`ErrorKind::NoText`] if the record was neither embedded
    /// nor in a plain file.
    pub fn text(&self) -> Result<Vec<u8>> {
        TextReader::new(self.index()).text(self.number()).map(<[u8]>::to_vec)
    }

    /// Returns the decoder of the text of the game, that of its input; see [`Index::decoder`].
    ///
    /// # Errors
    /// Fails if the index is damaged.
    pub fn decoder(&self) -> Result<Decoder> {
        Ok(self.index().decoder(self.location()?.input))
    }
}

/// The number that each game of an index has among the records of its own input; see
/// [`Index::record_numbers`].
///
/// Memory is O(inputs + segments).
#[derive(Clone, Debug)]
pub struct RecordNumbers {
    /// Runs of games of one input, in the order of games.
    runs: Vec<RecordRun>,
    /// Number of games.
    games: u64,
}

/// Consecutive games of one input.
#[derive(Clone, Copy, Debug)]
struct RecordRun {
    /// Number of the first game in the index, from 0.
    first_game: u64,
    /// Number of its record in the input, from 0.
    first_record: u64,
}

impl RecordNumbers {
    /// Returns the number of a game in its input, from 0; `None` if there is no such game. Costs O(log inputs).
    pub fn get(&self, game: u64) -> Option<u64> {
        let run = self.runs.partition_point(|run| run.first_game <= game).checked_sub(1)?;
        let run = self.runs.get(run).filter(|_| game < self.games)?;
        Some(run.first_record + (game - run.first_game))
    }
}

impl Index {
    /// Counts the games of every input, and returns the numbers that games have there. Costs O(inputs + segments).
    ///
    /// # Errors
    /// Fails if a section is damaged.
    #[doc(hidden)]
    pub fn record_numbers(&self) -> Result<RecordNumbers> {
        let mut runs: Vec<RecordRun> = Vec::new();
        // Records so far of each input.
        let mut records = vec![0u64; self.inputs().len()];
        for (number, segment) in self.segments().iter().enumerate() {
            let before = self.first_game(number).unwrap_or(0);
            for (games, input) in segment.input_runs()? {
                let Some(so_far) = records.get_mut(input as usize) else { continue };
                runs.push(RecordRun { first_game: before + u64::from(games.start), first_record: *so_far });
                *so_far += u64::from(games.end - games.start);
            }
        }
        Ok(RecordNumbers { runs, games: self.len() })
    }
}
