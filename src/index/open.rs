//! Opens an index: its segments in order, as one table of games.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::format::section::Section;
use super::keys::table::KeyTable;
use super::manifest::Manifest;
use super::rejects;
use super::row::game_row::GameRow;
use super::row::input::IndexedInput;
use super::segment::reader::{RecordLocation, Segment};
use crate::error::{Error, ErrorKind, Result};
use crate::pack::{UnpackedPly, unpack};
use crate::position::Position;
use crate::replay::GameStatus;

/// An index that has been opened for reading.
///
/// Opening costs a few system calls per segment. Sections are read when they are first used.
#[derive(Debug)]
pub struct Index {
    dir: PathBuf,
    manifest: Manifest,
    segments: Vec<Segment>,
    /// Number of the first game of each segment, and last the number of games.
    starts: Vec<u64>,
    /// Key table of each segment, opened at its first use.
    keys: Vec<OnceLock<Option<KeyTable>>>,
}

impl Index {
    /// Opens the index in a folder.
    ///
    /// # Errors
    /// Fails if there is no index, it has a newer version, or a part is missing, truncated, or not the one that the
    /// manifest lists.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self> {
        let dir = dir.into();
        let mut before = None;
        let none = || Error::new(ErrorKind::NotAnIndex).at(&dir);
        if dir.is_file() {
            return Err(none());
        }
        loop {
            let manifest = Manifest::read(&dir)?.ok_or_else(none)?;
            match Self::open_listed(&dir, &manifest) {
                Ok(index) => return Ok(index),
                // A writer may have replaced the index between the two steps. Then the manifest has changed, and
                // opening starts over.
                Err(_) if before.as_ref() != Some(&manifest) => before = Some(manifest),
                Err(error) => return Err(error),
            }
        }
    }

    /// Opens the segments of a manifest.
    fn open_listed(dir: &Path, manifest: &Manifest) -> Result<Self> {
        let mut segments = Vec::with_capacity(manifest.segments.len());
        let mut starts = vec![0];
        for entry in &manifest.segments {
            let path = dir.join(entry.file());
            let segment = Segment::open(&path).map_err(|error| match error.kind() {
                ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound => {
                    let problem = "a file that it lists is missing";
                    Error::new(ErrorKind::IndexDamaged { section: "manifest", problem }).at(&path)
                }
                _ => error,
            })?;
            let written = &entry.info;
            let is_same = segment.file_len() == written.len && segment.checksum() == written.checksum;
            if !is_same || segment.len() != written.games as usize {
                let problem = "it is not the segment that the manifest lists";
                return Err(Error::new(ErrorKind::IndexDamaged { section: "footer", problem }).at(path));
            }
            starts.push(starts.last().unwrap_or(&0) + segment.len() as u64);
            segments.push(segment);
        }
        let keys = segments.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { dir: dir.to_owned(), manifest: manifest.clone(), segments, starts, keys })
    }

    /// Returns the folder of the index.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the number of games.
    pub fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Returns `true` if the index contains no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the segments, in the order of their games.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the key table of a segment, opened when it is first asked for; `None` if there is none.
    ///
    /// # Errors
    /// If the table is damaged or belongs to another segment.
    pub fn keys(&self, segment: usize) -> Result<Option<&KeyTable>> {
        let (Some(slot), Some(data)) = (self.keys.get(segment), self.segments.get(segment)) else {
            return Ok(None);
        };
        if let Some(opened) = slot.get() {
            return Ok(opened.as_ref());
        }
        let keys = KeyTable::open(data)?;
        Ok(slot.get_or_init(|| keys).as_ref())
    }

    /// Returns the number that the first game of a segment has in the index, from 0; `None` if there is no such
    /// segment.
    pub fn first_game(&self, segment: usize) -> Option<u64> {
        self.starts.get(segment).copied()
    }

    /// Returns the inputs of the games. [`RecordLocation::input`] is an index into them.
    pub fn inputs(&self) -> &[IndexedInput] {
        &self.manifest.inputs
    }

    /// Returns the number of legal plies of all main lines.
    pub fn plies(&self) -> u64 {
        self.manifest.segments.iter().map(|entry| entry.info.plies).sum()
    }

    /// Returns the number of bytes of text that were indexed.
    pub fn text_bytes(&self) -> u64 {
        self.manifest.segments.iter().map(|entry| entry.info.text_len).sum()
    }

    /// Returns the number of games with a status.
    pub fn with_status(&self, status: GameStatus) -> u64 {
        self.manifest.segments.iter().map(|entry| entry.info.statuses[status as usize]).sum()
    }

    /// Returns the length of all segment files together, in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::file_len).sum()
    }

    /// Returns the path of `rejects.jsonl`, the list of rejected records.
    pub fn rejects_path(&self) -> PathBuf {
        rejects::rejects_path(&self.dir, &self.manifest)
    }

    /// Returns the length and the checksum that the list of rejected records must have.
    pub(super) fn rejects_checksum(&self) -> (u64, u64) {
        self.manifest.rejects
    }

    /// Returns the segment of a game, and the number of the game in it. Costs O(log segments).
    pub fn locate(&self, game: u64) -> Option<(&Segment, usize)> {
        let segment = self.starts.partition_point(|&start| start <= game).checked_sub(1)?;
        Some((self.segments.get(segment)?, usize::try_from(game - self.starts[segment]).ok()?))
    }

    /// Returns a game; `None` for a number that is not below [`len`](Self::len).
    pub fn game(&self, number: u64) -> Option<IndexedGame<'_>> {
        let (segment, local) = self.locate(number)?;
        Some(IndexedGame { index: self, segment, number, local })
    }

    /// Iterates over all games in order.
    pub fn games(&self) -> IndexedGames<'_> {
        IndexedGames { index: self, next: 0 }
    }
}

impl<'a> IntoIterator for &'a Index {
    type Item = IndexedGame<'a>;
    type IntoIter = IndexedGames<'a>;

    fn into_iter(self) -> IndexedGames<'a> {
        self.games()
    }
}

/// Iterator over the games of an index; see [`Index::games`].
#[derive(Clone, Debug)]
pub struct IndexedGames<'a> {
    index: &'a Index,
    /// Number of the next game.
    next: u64,
}

impl<'a> Iterator for IndexedGames<'a> {
    type Item = IndexedGame<'a>;

    fn next(&mut self) -> Option<IndexedGame<'a>> {
        let game = self.index.game(self.next)?;
        self.next += 1;
        Some(game)
    }

    fn nth(&mut self, n: usize) -> Option<IndexedGame<'a>> {
        self.next = self.next.saturating_add(n as u64);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = usize::try_from(self.index.len().saturating_sub(self.next));
        (remaining.unwrap_or(usize::MAX), remaining.ok())
    }
}

/// A game of an index: a handle from which nothing has been read yet.
#[derive(Clone, Copy, Debug)]
pub struct IndexedGame<'a> {
    index: &'a Index,
    segment: &'a Segment,
    number: u64,
    local: usize,
}

impl<'a> IndexedGame<'a> {
    /// Returns the number of the game in the index, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the segment of the game and its number there, from 0.
    pub fn local(&self) -> (&'a Segment, usize) {
        (self.segment, self.local)
    }

    /// Returns the row of the game.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn row(&self) -> Result<GameRow<'a>> {
        self.segment
            .row(self.local)?
            .ok_or_else(|| self.segment.damaged(Section::Summary, "a game is missing"))
    }

    /// Returns the packed moves of the game; see [`pack`](crate::pack).
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn moves(&self) -> Result<&'a [u8]> {
        let moves = self.segment.moves()?.get(self.local)?;
        moves.ok_or_else(|| self.segment.damaged(Section::Moves, "a game is missing"))
    }

    /// Unpacks the moves: all plies with the positions before them, and the last position.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn plies(&self) -> Result<(Vec<UnpackedPly>, Position)> {
        let start = Position::start(self.row()?.kind.game());
        let unpacked = unpack(&start, self.moves()?);
        unpacked.map_err(|_| self.segment.damaged(Section::Moves, "the moves of a game are invalid"))
    }

    /// Returns the position of the record in its input.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn location(&self) -> Result<RecordLocation> {
        let location = self.segment.location(self.local)?;
        location.ok_or_else(|| self.segment.damaged(Section::TextEnds, "a game is missing"))
    }

    /// Returns the input of the game.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn input(&self) -> Result<&'a IndexedInput> {
        let number = self.location()?.input;
        let input = self.index.inputs().get(number as usize);
        input.ok_or_else(|| self.segment.damaged(Section::Runs, "an input is not in the manifest"))
    }

    /// Reads the record of the game, byte for byte: from the index if records are embedded, otherwise from the
    /// archive.
    ///
    /// The record is verified together with up to 31 neighbours that share its checksum. A changed archive is
    /// therefore an error and never returns other text.
    ///
    /// # Errors
    /// Fails if the archive is gone or has changed, and with [`ErrorKind::NoText`] if the record was neither embedded
    /// nor in a plain file.
    pub fn text(&self) -> Result<Vec<u8>> {
        let (block, mut texts) = self.block_texts(&mut Files::default())?;
        Ok(texts.swap_remove(self.local - block.start))
    }

    /// Reads the records that share a checksum with that of this game, and verifies them. Returns their numbers in the
    /// segment too.
    fn block_texts(&self, files: &mut Files) -> Result<(Range<usize>, Vec<Vec<u8>>)> {
        let (block, sum) = self.segment.text_checksum_block(self.local)?;
        let embedded = self.segment.has(Section::Text);
        let mut texts = Vec::with_capacity(block.len());
        for game in block.clone() {
            texts.push(match self.segment.embedded(game)? {
                Some(text) => text,
                None => IndexedGame { local: game, ..*self }.read(files)?,
            });
        }
        if self.segment.texts_checksum(texts.iter().map(Vec::as_slice)) == sum {
            return Ok((block, texts));
        }
        if embedded {
            return Err(self.segment.damaged(Section::Text, "its checksum does not match"));
        }
        let input = self.input()?;
        let path = input.path.as_deref().unwrap_or(&input.name);
        Err(Error::new(ErrorKind::ArchiveChanged("the text of the game differs")).at(path))
    }

    /// Reads the record from the archive, without verifying it.
    fn read(&self, files: &mut Files) -> Result<Vec<u8>> {
        let (location, input) = (self.location()?, self.input()?);
        let Some(path) = input.path.as_deref().filter(|_| input.has_file_offsets) else {
            let why = "it came from a stream, a container or UTF-16 and was not embedded (`--embed`)";
            return Err(Error::new(ErrorKind::NoText(why)).at(&input.name));
        };
        // Rejects only records beyond the end of the file; the caller verifies the bytes.
        if input.fingerprint.is_some_and(|fingerprint| fingerprint.size < location.offset + location.len) {
            return Err(self.segment.damaged(Section::TextEnds, "a game lies beyond the end of its file"));
        }
        files.read(path, &location).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                Error::new(ErrorKind::ArchiveChanged("it is shorter")).at(path)
            }
            _ => Error::from(error).at(path),
        })
    }
}

/// Reads the records of many games, best in their order: up to 32 neighbours are read and verified together.
#[derive(Debug)]
pub struct RecordReader<'a> {
    index: &'a Index,
    files: Files,
    /// Number in the index of the first of `texts`.
    first: u64,
    texts: Vec<Vec<u8>>,
}

impl<'a> RecordReader<'a> {
    /// Creates a reader that has read nothing.
    pub fn new(index: &'a Index) -> Self {
        Self { index, files: Files::default(), first: 0, texts: Vec::new() }
    }

    /// Returns the record of a game, by its number in the index, from 0: the same bytes as [`IndexedGame::text`]. `None` if
    /// there is no such game.
    ///
    /// # Errors
    /// As [`IndexedGame::text`].
    // Twin: `IndexedGame::text`; test: `record_reader_returns_the_texts_of_single_games`.
    pub fn text(&mut self, game: u64) -> Result<Option<&[u8]>> {
        let place = |first: u64| usize::try_from(game.checked_sub(first)?).ok();
        if place(self.first).is_none_or(|place| place >= self.texts.len()) {
            let Some(indexed) = self.index.game(game) else { return Ok(None) };
            // Left empty if reading fails.
            self.texts.clear();
            let (block, texts) = indexed.block_texts(&mut self.files)?;
            self.first = game - (indexed.local - block.start) as u64;
            self.texts = texts;
        }
        Ok(place(self.first).and_then(|place| self.texts.get(place)).map(Vec::as_slice))
    }
}

/// The file that was read last, kept open for the next record.
#[derive(Debug, Default)]
struct Files(Option<(PathBuf, File)>);

impl Files {
    /// Reads the bytes of a record.
    fn read(&mut self, path: &Path, location: &RecordLocation) -> std::io::Result<Vec<u8>> {
        if self.0.as_ref().is_none_or(|(open, _)| open != path) {
            self.0 = Some((path.to_owned(), File::open(path)?));
        }
        let mut text = Vec::new();
        if let Some((_, file)) = &mut self.0 {
            // The length is checked first, so that damaged offsets do not allocate memory.
            if location
                .offset
                .checked_add(location.len)
                .is_none_or(|end| end > file.metadata().map_or(0, |file| file.len()))
            {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            text.resize(usize::try_from(location.len).unwrap_or(0), 0);
            file.seek(SeekFrom::Start(location.offset))?;
            file.read_exact(&mut text)?;
        }
        Ok(text)
    }
}
