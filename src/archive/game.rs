//! One record of a batch: borrowed, owned, and iterators over both.

use std::borrow::Cow;
use std::iter::FusedIterator;
use std::path::Path;
use std::sync::Arc;

use super::batch::Batch;
use super::batches::Batches;
use super::input_record::InputRecord;
use crate::error::Result;
use crate::source::text_form::keeps_bytes;
use crate::source::{EncodingGuess, TextOffsets};
use crate::value::{Date, TagKey, TagName, decode_entities};
use crate::view::{RecordView, TagValues, tag_that_counts};

/// A game of an archive, borrowed from its [`Batch`].
///
/// Given by [`Batch::games`] and to the closures of [`Archive::par_games`](super::Archive::par_games) and
/// [`Archive::par_each`](super::Archive::par_each). [`ArchiveGame`] has the same methods and owns its batch.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn::source::{Encoding, OpenOptions};
///
/// // "Иванов", as a program for DOS wrote it.
/// let text = &b"[White \"\x88\xA2\xA0\xAD\xAE\xA2\"]\n1. 32-28 {\xE5\xAE\xE0\xAE\xE8\xAE} *\n"[..];
/// let archive = Archive::from_reader(text, "dos.pdn", &OpenOptions::new())?;
/// let batch = archive.batches().next().expect("one batch")?;
/// let game = batch.get(0).unwrap();
///
/// // The parts of a record are bytes. Its game knows their encoding.
/// assert_eq!(game.encoding().encoding, Encoding::CP866);
/// let tag = game.view().tags().next().unwrap();
/// assert_eq!(tag.value, b"\x88\xA2\xA0\xAD\xAE\xA2");
/// assert_eq!(game.decode(tag.value), "Иванов");
/// assert_eq!(game.encode("Иванов").as_deref(), Some(tag.value));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameRef<'b> {
    batch: &'b Batch,
    /// Index of the record in the batch, from 0.
    index: usize,
    view: RecordView<'b>,
}

impl<'b> GameRef<'b> {
    /// Returns a view of the record: tags, moves and result as written.
    #[inline]
    pub const fn view(&self) -> RecordView<'b> {
        self.view
    }

    /// Returns the bytes of the record.
    #[inline]
    pub const fn raw(&self) -> &'b [u8] {
        self.view.raw()
    }

    /// Returns the byte offset of the record in the text of its input, from 0.
    ///
    /// For a compressed input this counts unpacked bytes, and for UTF-16 bytes of the UTF-8 text; see
    /// [`file_offset`](Self::file_offset).
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.view.offset()
    }

    /// Returns the byte offset of the record in its file, from 0, where the file has the bytes of the record; `None` if the file is
    /// packed, in UTF-16, a list of positions, or a text out of which games are taken, such as JSON.
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::source::OpenOptions;
    ///
    /// let text = "1. 32-28 *\n\n1. 33-29 *\n";
    /// let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    /// for (bytes, offsets) in [(text.as_bytes().to_vec(), [Some(0), Some(12)]), (utf16, [None, None])] {
    ///     let archive = Archive::from_bytes(bytes.into(), "two games", &OpenOptions::new())?;
    ///     let games = archive.games().map(|game| Ok(game?.file_offset()));
    ///     assert_eq!(games.collect::<pdn::Result<Vec<_>>>()?, offsets);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn file_offset(&self) -> Option<u64> {
        keeps_bytes(self.batch.container(), self.batch.form()).then(|| self.offset())
    }

    /// Returns the map from offsets in the text to offsets in the input; see [`Batch::offsets`].
    #[doc(hidden)]
    pub fn offsets(&self) -> Option<&'b TextOffsets> {
        self.batch.offsets()
    }

    /// Returns the number of the record in its input, from 1.
    pub fn number(&self) -> u64 {
        self.batch.first() + self.index as u64 + 1
    }

    /// Returns `true` if the record is the first of its input, so that lines count from 1 again.
    pub fn begins_input(&self) -> bool {
        self.number() == 1
    }

    /// Returns the name of the input: a path, `-` for standard input, or `archive.zip/entry.pdn`.
    pub fn name(&self) -> &'b Path {
        self.batch.name()
    }

    /// Returns the value of a tag, decoded, without escapes, HTML entities and surrounding whitespace. `None` without the tag.
    ///
    /// A [`TagName`](crate::value::TagName) finds the tag in all spellings: `Wit` and `white` are White too; of several Results it is
    /// the one that counts.
    /// A string is the exact name of the tag, of which the first one is taken.
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::source::OpenOptions;
    /// use pdn::value::TagName;
    ///
    /// let text = &b"[Wit \"Ren\xE9 &amp; Co\"] [white \"?\"] 1. 32-28 *\n"[..];
    /// let game = Archive::from_reader(text, "one game", &OpenOptions::new())?.games().next().unwrap()?;
    /// assert_eq!(game.text(TagName::White).as_deref(), Some("Ren\u{e9} & Co"));
    /// assert_eq!((game.text("white").as_deref(), game.text("White")), (Some("?"), None));
    /// # Ok(())
    /// # }
    /// ```
    pub fn text<'t>(&self, tag: impl Into<TagKey<'t>>) -> Option<String> {
        let value = match tag.into() {
            TagKey::Exact(name) => self.view.tag(name)?,
            TagKey::Recognised(name) => tag_that_counts(&self.view, name)?.value,
        };
        let unescaped = crate::parse::unescape(value);
        Some(decode_entities(&self.decode(&unescaped)).trim().to_owned())
    }

    /// Returns the date of the game, [read](Date::read) in the [order](crate::value::DateOrders) of the other dates of its file;
    /// [`Date::UNKNOWN`] if there is none or it cannot be read.
    ///
    /// ```
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::source::OpenOptions;
    ///
    /// let text = &b"[Date \"07/28/1999\"] 1. 32-28 *\n\n[Date \"07/04/1999\"] 1. 33-29 *\n"[..];
    /// let games = Archive::from_reader(text, "two games", &OpenOptions::new())?.games();
    /// let dates: Vec<String> = games.map(|game| Ok(game?.date().to_string())).collect::<pdn::Result<_>>()?;
    /// assert_eq!(dates, ["1999.07.28", "1999.07.04"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn date(&self) -> Date {
        let tags = TagValues::of_names(&self.view, &[TagName::Date]);
        let read = self.batch.decoder().read_date(tags.get(TagName::Date));
        read.map_or(Date::UNKNOWN, |read| read.date)
    }

    /// Decodes `part`, some bytes of this record, in the encoding of the record.
    ///
    /// ASCII is borrowed and needs no guess. For many parts of one record, call [`encoding`](Self::encoding) once.
    pub fn decode<'p>(&self, part: &'p [u8]) -> Cow<'p, str> {
        self.batch.decoder().text(self.raw(), part)
    }

    /// Encodes `text` in the encoding of the record; `None` if the encoding lacks one of its characters.
    ///
    /// For a record of ASCII only, that is the encoding of its input:
    /// [`Decoder::encode`](crate::source::Decoder::encode).
    pub fn encode<'p>(&self, text: &'p str) -> Option<Cow<'p, [u8]>> {
        let decoder = self.batch.decoder();
        if self.raw().is_ascii() {
            decoder.encode(text)
        } else {
            decoder.guess(self.raw()).encoding.encode(text)
        }
    }

    /// Guesses the encoding of the record. O(bytes of the record).
    pub fn encoding(&self) -> EncodingGuess {
        self.batch.decoder().guess(self.raw())
    }
}

impl<'b> From<GameRef<'b>> for InputRecord<'b> {
    fn from(game: GameRef<'b>) -> Self {
        Self::new(game.view, Some(&game.batch.input))
    }
}

impl<'b> From<GameRef<'b>> for RecordView<'b> {
    fn from(game: GameRef<'b>) -> Self {
        game.view
    }
}

impl AsRef<[u8]> for GameRef<'_> {
    /// As [`GameRef::raw`].
    fn as_ref(&self) -> &[u8] {
        self.raw()
    }
}

impl Batch {
    /// Returns the game at `index`, from 0; `None` if the batch has no such record.
    #[inline]
    pub fn get(&self, index: usize) -> Option<GameRef<'_>> {
        Some(GameRef { batch: self, index, view: self.record(index)? })
    }

    /// Iterates over the games in the order of the input.
    #[inline]
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameRef<'_>> + FusedIterator + Clone {
        BatchGames { batch: self, next: 0, len: self.len() }
    }
}

/// Iterator over the games of a batch; see [`Batch::games`].
#[derive(Clone, Debug)]
struct BatchGames<'b> {
    batch: &'b Batch,
    next: usize,
    len: usize,
}

impl<'b> Iterator for BatchGames<'b> {
    type Item = GameRef<'b>;

    #[inline]
    fn next(&mut self) -> Option<GameRef<'b>> {
        if self.next == self.len {
            return None;
        }
        let game = self.batch.get(self.next);
        self.next += 1;
        game
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = self.len - self.next;
        (remaining, Some(remaining))
    }
}

impl ExactSizeIterator for BatchGames<'_> {}

impl FusedIterator for BatchGames<'_> {}

/// A game of an archive that owns its [`Batch`], so that it can be kept.
///
/// A kept game keeps the half megabyte of its batch in memory; cloning is O(1) and shares it.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn::source::OpenOptions;
/// use pdn::value::TagName;
///
/// let text = &b"[Date \"1999.05.01\"] 1. 32-28 *\n[Date \"1972.11.30\"] 1. 33-29 *\n"[..];
/// let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new())?;
/// let mut games = archive.games().collect::<pdn::Result<Vec<_>>>()?;
/// games.sort_by_key(|game| game.text(TagName::Date));
/// assert_eq!(games.iter().map(|game| game.number()).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArchiveGame {
    batch: Arc<Batch>,
    /// Index of the record in the batch, from 0; less than the length of the batch.
    index: usize,
}

impl<'b> From<&'b ArchiveGame> for GameRef<'b> {
    fn from(game: &'b ArchiveGame) -> Self {
        game.as_ref()
    }
}

impl ArchiveGame {
    /// Returns the game borrowed, as [`Batch::games`] gives it.
    #[inline]
    pub fn as_ref(&self) -> GameRef<'_> {
        self.batch.get(self.index).expect("the index is less than the length of the batch")
    }

    /// As [`GameRef::view`].
    #[inline]
    pub fn view(&self) -> RecordView<'_> {
        self.as_ref().view()
    }

    /// As [`GameRef::raw`].
    pub fn raw(&self) -> &[u8] {
        self.as_ref().raw()
    }

    /// As [`GameRef::offset`].
    pub fn offset(&self) -> u64 {
        self.as_ref().offset()
    }

    /// As [`GameRef::file_offset`].
    pub fn file_offset(&self) -> Option<u64> {
        self.as_ref().file_offset()
    }

    /// As [`GameRef::offsets`].
    #[doc(hidden)]
    pub fn offsets(&self) -> Option<&TextOffsets> {
        self.batch.offsets()
    }

    /// As [`GameRef::number`].
    pub fn number(&self) -> u64 {
        self.as_ref().number()
    }

    /// As [`GameRef::begins_input`].
    pub fn begins_input(&self) -> bool {
        self.as_ref().begins_input()
    }

    /// As [`GameRef::name`].
    pub fn name(&self) -> &Path {
        self.batch.name()
    }

    /// As [`GameRef::text`].
    pub fn text<'t>(&self, tag: impl Into<TagKey<'t>>) -> Option<String> {
        self.as_ref().text(tag)
    }

    /// As [`GameRef::date`].
    pub fn date(&self) -> Date {
        self.as_ref().date()
    }

    /// As [`GameRef::decode`].
    pub fn decode<'p>(&self, part: &'p [u8]) -> Cow<'p, str> {
        self.as_ref().decode(part)
    }

    /// As [`GameRef::encode`].
    pub fn encode<'p>(&self, text: &'p str) -> Option<Cow<'p, [u8]>> {
        self.as_ref().encode(text)
    }

    /// As [`GameRef::encoding`].
    pub fn encoding(&self) -> EncodingGuess {
        self.as_ref().encoding()
    }
}

impl<'g> From<&'g ArchiveGame> for InputRecord<'g> {
    fn from(game: &'g ArchiveGame) -> Self {
        game.as_ref().into()
    }
}

impl<'g> From<&'g ArchiveGame> for RecordView<'g> {
    fn from(game: &'g ArchiveGame) -> Self {
        game.view()
    }
}

impl AsRef<[u8]> for ArchiveGame {
    /// As [`ArchiveGame::raw`].
    fn as_ref(&self) -> &[u8] {
        self.raw()
    }
}

/// Iterator over the games of an archive; see [`Archive::games`](super::Archive::games).
#[derive(Debug)]
pub struct ArchiveGames {
    batches: Batches,
    batch: Option<Arc<Batch>>,
    /// Index in `batch` of the next game.
    next: usize,
}

impl ArchiveGames {
    pub(super) fn new(batches: Batches) -> Self {
        Self { batches, batch: None, next: 0 }
    }
}

impl Iterator for ArchiveGames {
    type Item = Result<ArchiveGame>;

    #[inline]
    fn next(&mut self) -> Option<Result<ArchiveGame>> {
        loop {
            if let Some(batch) = &self.batch {
                if self.next < batch.len() {
                    let game = ArchiveGame { batch: Arc::clone(batch), index: self.next };
                    self.next += 1;
                    return Some(Ok(game));
                }
                self.batch = None;
            }
            match self.batches.next()? {
                Ok(batch) => {
                    self.batch = Some(Arc::new(batch));
                    self.next = 0;
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl FusedIterator for ArchiveGames {}
