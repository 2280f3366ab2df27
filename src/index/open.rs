//! An index that has been opened: segments one after the other, as one table of games.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
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

/// An index. Opening it costs a few system calls a segment; nothing is read that is not asked for.
#[derive(Debug)]
pub struct Index {
    dir: PathBuf,
    manifest: Manifest,
    segments: Vec<Segment>,
    /// The number of the first game of each segment, and the number of games.
    starts: Vec<u64>,
    /// The tables of positions, opened when they are first needed.
    keys: Vec<OnceLock<Option<KeyTable>>>,
}

impl Index {
    /// Opens the index in a folder.
    ///
    /// # Errors
    /// When there is none, it is of a newer version, or a part is missing, cut, or not the one that was written.
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
                // A writer may have replaced the index between the two steps; then the manifest is another one.
                Err(_) if before.as_ref() != Some(&manifest) => before = Some(manifest),
                Err(error) => return Err(error),
            }
        }
    }

    fn open_listed(dir: &Path, manifest: &Manifest) -> Result<Self> {
        let mut segments = Vec::with_capacity(manifest.segments.len());
        let mut starts = vec![0];
        for listed in &manifest.segments {
            let path = dir.join(listed.file());
            let segment = Segment::open(&path).map_err(|error| match error.kind() {
                ErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound => {
                    let problem = "a file that it lists is missing";
                    Error::new(ErrorKind::IndexDamaged { section: "manifest", problem }).at(&path)
                }
                _ => error,
            })?;
            let written = &listed.info;
            let same = segment.file_len() == written.len && segment.checksum() == written.checksum;
            if !same || segment.len() != written.games as usize {
                let problem = "it is not the one that the manifest lists";
                return Err(Error::new(ErrorKind::IndexDamaged { section: "footer", problem }).at(path));
            }
            starts.push(starts.last().unwrap_or(&0) + segment.len() as u64);
            segments.push(segment);
        }
        let keys = segments.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { dir: dir.to_owned(), manifest: manifest.clone(), segments, starts, keys })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segments, in the order of their games.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(super) fn key_slot(&self, segment: usize) -> Option<&OnceLock<Option<KeyTable>>> {
        self.keys.get(segment)
    }

    /// The number that the first game of a segment has in the index.
    pub fn first_of(&self, segment: usize) -> Option<u64> {
        self.starts.get(segment).copied()
    }

    /// Where the games come from. A [`RecordLocation`] names one by its number in this row.
    pub fn inputs(&self) -> &[IndexedInput] {
        &self.manifest.inputs
    }

    /// Legal plies of all main lines.
    pub fn plies(&self) -> u64 {
        self.manifest.segments.iter().map(|listed| listed.info.plies).sum()
    }

    /// Bytes of text that were indexed.
    pub fn text_bytes(&self) -> u64 {
        self.manifest.segments.iter().map(|listed| listed.info.text_len).sum()
    }

    /// Games of a status.
    pub fn with_status(&self, status: GameStatus) -> u64 {
        self.manifest.segments.iter().map(|listed| listed.info.statuses[status as usize]).sum()
    }

    /// Bytes of the segments.
    pub fn file_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::file_len).sum()
    }

    /// The file that lists what could not be replayed to its end.
    pub fn rejects_path(&self) -> PathBuf {
        rejects::rejects_path(&self.dir, &self.manifest)
    }

    pub(super) fn rejects_checksum(&self) -> (u64, u64) {
        self.manifest.rejects
    }

    /// The segment of a game, and its number there. O(log segments).
    pub fn locate(&self, game: u64) -> Option<(&Segment, usize)> {
        let segment = self.starts.partition_point(|&start| start <= game).checked_sub(1)?;
        Some((self.segments.get(segment)?, usize::try_from(game - self.starts[segment]).ok()?))
    }

    /// A game; `None` for a number that is not below [`len`](Self::len).
    pub fn game(&self, number: u64) -> Option<IndexedGame<'_>> {
        let (segment, local) = self.locate(number)?;
        Some(IndexedGame { index: self, segment, number, local })
    }

    /// All games, in order.
    pub fn games(&self) -> impl Iterator<Item = IndexedGame<'_>> {
        (0..self.len()).filter_map(|number| self.game(number))
    }
}

/// A game of an index. Nothing has been read yet.
#[derive(Clone, Copy, Debug)]
pub struct IndexedGame<'a> {
    index: &'a Index,
    segment: &'a Segment,
    number: u64,
    local: usize,
}

impl<'a> IndexedGame<'a> {
    /// The number of the game, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Its segment and its number there.
    pub fn local(&self) -> (&'a Segment, usize) {
        (self.segment, self.local)
    }

    /// What the table says about it.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn row(&self) -> Result<GameRow<'a>> {
        self.segment
            .row(self.local)?
            .ok_or_else(|| self.segment.damaged(Section::Summary, "a game is missing"))
    }

    /// Its packed moves.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn moves(&self) -> Result<&'a [u8]> {
        let moves = self.segment.moves()?.get(self.local)?;
        moves.ok_or_else(|| self.segment.damaged(Section::Moves, "a game is missing"))
    }

    /// Its plies with their positions, and the last position.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn plies(&self) -> Result<(Vec<UnpackedPly>, Position)> {
        let start = Position::start(self.row()?.kind.game());
        let unpacked = unpack(&start, self.moves()?);
        unpacked.map_err(|_| self.segment.damaged(Section::Moves, "the moves of a game make no sense"))
    }

    /// Where it comes from.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn location(&self) -> Result<RecordLocation> {
        let place = self.segment.location(self.local)?;
        place.ok_or_else(|| self.segment.damaged(Section::TextEnds, "a game is missing"))
    }

    /// Where it comes from, by name.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn input(&self) -> Result<&'a IndexedInput> {
        let number = self.location()?.input;
        let origin = self.index.inputs().get(number as usize);
        origin.ok_or_else(|| self.segment.damaged(Section::Runs, "an origin is not in the manifest"))
    }

    /// Its record, byte for byte: from the index if the text is embedded, else from the archive.
    ///
    /// The text is compared with the sum that it had when it was indexed, together with up to 31 games beside it
    /// in the same file, so a changed archive is an error and never another text.
    ///
    /// # Errors
    /// When the archive is gone or has changed, or the text was neither embedded nor in a plain file.
    pub fn text(&self) -> Result<Vec<u8>> {
        let (block, sum) = self.segment.text_checksum_block(self.local)?;
        let embedded = self.segment.has(Section::Text);
        let mut texts = Vec::with_capacity(block.len());
        let mut files = Files::default();
        let own = self.local - block.start;
        for game in block {
            texts.push(match self.segment.embedded(game)? {
                Some(text) => text,
                None => IndexedGame { local: game, ..*self }.read(&mut files)?,
            });
        }
        if self.segment.texts_checksum(texts.iter().map(Vec::as_slice)) == sum {
            return Ok(texts.swap_remove(own));
        }
        if embedded {
            return Err(self.segment.damaged(Section::Text, "its checksum does not fit"));
        }
        let origin = self.input()?;
        let path = origin.path.as_deref().unwrap_or(&origin.name);
        Err(Error::new(ErrorKind::ArchiveChanged("the text of the game differs")).at(path))
    }

    /// Its bytes in the archive, whatever they are now.
    fn read(&self, files: &mut Files) -> Result<Vec<u8>> {
        let (place, origin) = (self.location()?, self.input()?);
        let Some(path) = origin.path.as_deref().filter(|_| origin.has_file_offsets) else {
            let why = "it came from a stream, a container or UTF-16 and was not embedded (`--embed`)";
            return Err(Error::new(ErrorKind::NoText(why)).at(&origin.name));
        };
        // Only whether the record is there at all; what it says is compared by the caller.
        if origin.fingerprint.is_some_and(|known| known.size < place.offset + place.len) {
            return Err(self.segment.damaged(Section::TextEnds, "a game lies behind the end of its file"));
        }
        files.read(path, &place).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                Error::new(ErrorKind::ArchiveChanged("it is shorter")).at(path)
            }
            _ => Error::from(error).at(path),
        })
    }
}

/// The file that was read last.
#[derive(Default)]
struct Files(Option<(PathBuf, File)>);

impl Files {
    fn read(&mut self, path: &Path, place: &RecordLocation) -> std::io::Result<Vec<u8>> {
        if self.0.as_ref().is_none_or(|(open, _)| open != path) {
            self.0 = Some((path.to_owned(), File::open(path)?));
        }
        let mut text = Vec::new();
        if let Some((_, file)) = &mut self.0 {
            // Memory is taken only for what is really there.
            if place
                .offset
                .checked_add(place.len)
                .is_none_or(|end| end > file.metadata().map_or(0, |file| file.len()))
            {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            text.resize(usize::try_from(place.len).unwrap_or(0), 0);
            file.seek(SeekFrom::Start(place.offset))?;
            file.read_exact(&mut text)?;
        }
        Ok(text)
    }
}
