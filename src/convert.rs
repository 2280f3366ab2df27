//! Converts records of any archive: repairs them if wanted, edits them, and writes them in canonical form and UTF-8.
//!
//! A [`Converter`] joins the steps that [`fix`](crate::fix), [`edit`](crate::edit) and [`write`](crate::write) offer
//! separately. What it writes can stand after any other written record: games of many archives become one, and a reader
//! finds the same games in it. For that, a game that owes its variant to its old file gets a GameType tag
//! ([`ConvertOptions::new`]).
//!
//! ```
//! use pdn::convert::{ConvertOptions, Converter, Repairs};
//! use pdn::source::Decoder;
//!
//! let mut converter = Converter::new(&ConvertOptions::new().repairs(Repairs::Unsafe));
//! let mut text = Vec::new();
//! let record = b"[White \"Dub\xE9\"]\n1.32-28 19-23 2.28:19 14x23 3.37-32 20-24 4.41-73 23-29";
//! let converted = converter.convert(record, &Decoder::default(), &mut text)?;
//! assert_eq!((converted.summary.plies, converted.unsafe_repairs), (8, 1));
//! assert_eq!(
//!     String::from_utf8_lossy(&text),
//!     "[White \"Dubé\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n\
//!      1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-37 23-29 *\n"
//! );
//! # Ok::<(), pdn::write::Unwritten>(())
//! ```

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use crate::archive::InputGame;
use crate::edit::TextEdits;
#[cfg(feature = "index")]
use crate::edit::name_edits;
use crate::fix::{Applicability, Fixer};
#[cfg(feature = "index")]
use crate::names::NameMap;
use crate::replay::{CandidateGame, ReplayOptions, ReplaySummary};
use crate::source::{Decoder, Encoding};
use crate::view::GameView;
use crate::write::{RecordWriter, Unwritten, WriteOptions};

/// The repairs that are made before a record is written.
///
/// [`ConvertOptions::repairs`] sets them. The [module page](self) shows the repair of a wrong square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Repairs {
    /// None.
    #[default]
    None,
    /// Those that keep the meaning of the game: [`Applicability::Safe`].
    Safe,
    /// Those too that change the meaning and are the only ones that fit: [`Applicability::Unsafe`].
    Unsafe,
}

/// Changes of records on their way to the writer, such as other values of tags.
///
/// It is called for every record, on all threads.
///
/// ```
/// use std::sync::Arc;
/// use pdn::ast::{Arena, TreeBuilder};
/// use pdn::convert::{ConvertOptions, Converter, RecordEdit};
/// use pdn::edit::{GameEditor, TextEdits};
/// use pdn::source::{Decoder, Encoding};
/// use pdn::value::TagName;
/// use pdn::view::GameView;
///
/// /// Sets the event of every game.
/// #[derive(Debug)]
/// struct SetEvent(&'static str);
///
/// impl RecordEdit for SetEvent {
///     fn edits(&self, game: GameView<'_>, encoding: Encoding) -> TextEdits {
///         let arena = Arena::new();
///         let mut editor = GameEditor::new(TreeBuilder::new().build(game.raw(), &arena), encoding);
///         // A record whose encoding lacks a letter of the event keeps its own.
///         let _ = editor.set_tag(TagName::Event, self.0);
///         editor.finish().unwrap_or_default()
///     }
/// }
///
/// let options = ConvertOptions::new().edit(Some(Arc::new(SetEvent("Club Championship"))));
/// let mut text = Vec::new();
/// let record = b"[Event \"?\"]\n[GameType \"20\"]\n1. 32-28 *";
/// let converted = Converter::new(&options).convert(record, &Decoder::default(), &mut text)?;
/// assert_eq!(converted.edits, 1);
/// assert!(text.starts_with(b"[Event \"Club Championship\"]\n"));
/// # Ok::<(), pdn::write::Unwritten>(())
/// ```
pub trait RecordEdit: Debug + Send + Sync {
    /// Returns the changes of a record, in its encoding, which is UTF-8 unless the record has bytes that mean no letter.
    /// Offsets are relative to its first byte.
    ///
    /// [`GameEditor`](crate::edit::GameEditor) makes them from changes of tags.
    fn edits(&self, game: GameView<'_>, encoding: Encoding) -> TextEdits;
}

/// How records are converted.
///
/// ```
/// use pdn::convert::{ConvertOptions, Converter};
/// use pdn::source::Decoder;
/// use pdn::write::{Profile, Strip, WriteOptions};
///
/// // For CheckerBoard, without comments.
/// let write = WriteOptions::of(Profile::CheckerBoard).strip(Strip::COMMENTS);
/// let mut text = Vec::new();
/// let record = b"[GameType \"21\"] 1. 9-13 {quiet} 22-18 1/2-1/2";
/// Converter::new(&ConvertOptions::new().write(write)).convert(record, &Decoder::default(), &mut text)?;
/// let text = String::from_utf8_lossy(&text);
/// assert!(text.contains("[GameType \"21\"]"));
/// assert!(text.ends_with("1. 9-13 22-18 1/2-1/2\r\n"), "{text}");
/// # Ok::<(), pdn::write::Unwritten>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// How games are written.
    pub write: WriteOptions,
    /// How records are replayed.
    pub replay: ReplayOptions,
    /// Which repairs are made.
    pub repairs: Repairs,
    /// Further changes, made after the repairs.
    pub edit: Option<Arc<dyn RecordEdit>>,
}

impl ConvertOptions {
    /// Creates the default options: no repairs, and canonical PDN 3.0 with a GameType tag for each game whose variant is
    /// known from anything but a tag ([`AddedTags::known_game_type`](crate::write::AddedTags::known_game_type)), and variations that
    /// cannot be played [as text](WriteOptions::variations_as_text).
    pub fn new() -> Self {
        let mut options = Self::default();
        options.write.added.known_game_type = true;
        options.write.variations_as_text = true;
        options
    }

    /// Sets [`write`](Self::write).
    #[must_use]
    pub fn write(mut self, write: WriteOptions) -> Self {
        self.write = write;
        self
    }

    /// Sets [`replay`](Self::replay).
    #[must_use]
    pub fn replay(mut self, replay: ReplayOptions) -> Self {
        self.replay = replay;
        self
    }

    /// Sets [`repairs`](Self::repairs).
    #[must_use]
    pub fn repairs(mut self, repairs: Repairs) -> Self {
        self.repairs = repairs;
        self
    }

    /// Sets [`edit`](Self::edit).
    #[must_use]
    pub fn edit(mut self, edit: Option<Arc<dyn RecordEdit>>) -> Self {
        self.edit = edit;
        self
    }
}

/// What happened to a record that was written.
///
/// [`Converter::convert`] returns it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The replay of the record as it was written.
    pub summary: ReplaySummary,
    /// Number of safe repairs.
    pub safe_repairs: u32,
    /// Number of unsafe repairs.
    pub unsafe_repairs: u32,
    /// Number of changes that [`ConvertOptions::edit`] made.
    pub edits: u32,
    /// Number of variations that were written as text in comments, because they cannot be played.
    pub text_variations: u32,
    /// The encoding from which the record was converted; `None` if it is ASCII.
    pub encoding: Option<Encoding>,
}

/// Converts records one after the other, in reused memory.
///
/// ```
/// use pdn::convert::{ConvertOptions, Converter};
/// use pdn::source::Decoder;
///
/// // In the second game, Black plays a man of White.
/// let archive = b"[White \"Ames\"] 1.32-28 *\n\n[White \"Bell\"] 1.32-28 33-29 *\n\n[White \"Cole\"] 1.34-30 *";
/// let mut converter = Converter::new(&ConvertOptions::new());
/// let (mut clean, mut rejects) = (Vec::new(), Vec::new());
/// for record in pdn::split::games(archive) {
///     match converter.convert(record, &Decoder::default(), &mut clean) {
///         Ok(_) => clean.push(b'\n'),
///         Err(reason) => rejects.push((record.offset, reason.to_string())),
///     }
/// }
/// assert_eq!(pdn::split::games(&clean).count(), 2);
/// assert_eq!(rejects, [(26, "an illegal move".to_owned())]);
/// ```
#[derive(Debug)]
pub struct Converter {
    writer: RecordWriter,
    fixer: Option<Fixer>,
    repairs: Repairs,
    edit: Option<Arc<dyn RecordEdit>>,
}

impl Converter {
    /// Creates a converter. Builds the tables of all variants; create one per thread.
    pub fn new(options: &ConvertOptions) -> Self {
        let ConvertOptions { write, replay, repairs, edit } = options;
        let fixer = (*repairs != Repairs::None).then(|| Fixer::new(replay));
        let writer = RecordWriter::with_replay(write, replay);
        Self { writer, fixer, repairs: *repairs, edit: edit.clone() }
    }

    /// Sets the game of the next records without a GameType tag: a variant with its numbering of the squares; `None` to infer it.
    #[doc(hidden)]
    pub fn set_game(&mut self, game: Option<CandidateGame>) {
        if let Some(fixer) = &mut self.fixer {
            fixer.set_game(game);
        }
        self.writer.set_game(game);
    }

    /// Appends a record in canonical form and UTF-8 to `out`, with a line end after its last line and no empty line.
    /// `decoder` is that of its file.
    ///
    /// # Errors
    /// If the record cannot be written without losing or changing something, in spite of the repairs. `out` is then
    /// unchanged.
    pub fn convert<'g>(
        &mut self,
        game: impl Into<InputGame<'g>>,
        decoder: &Decoder,
        out: &mut Vec<u8>,
    ) -> Result<Converted, Unwritten> {
        self.convert_record(game.into(), decoder, out)
    }

    fn convert_record(
        &mut self,
        game: InputGame<'_>,
        decoder: &Decoder,
        out: &mut Vec<u8>,
    ) -> Result<Converted, Unwritten> {
        let raw = game.raw();
        let encoding = (!raw.is_ascii()).then(|| decoder.guess(raw).encoding);
        let (repaired, [safe_repairs, unsafe_repairs]) = self.repaired(game);
        let Edited { text, encoding: written_in, edits } =
            self.edited(repaired, encoding.unwrap_or(Encoding::UTF_8));
        let summary = match encoding {
            None if text.is_ascii() => self.writer.write(game.with_text(&text), out)?,
            _ => self.writer.write_utf8(game.with_text(&text), written_in, out)?,
        };
        let text_variations = self.writer.text_variations();
        Ok(Converted { summary, safe_repairs, unsafe_repairs, edits, text_variations, encoding })
    }

    /// Returns a record with its repairs, and the numbers of safe and unsafe ones.
    fn repaired<'g>(&mut self, game: InputGame<'g>) -> (Cow<'g, [u8]>, [u32; 2]) {
        let raw = game.raw();
        let Some(fixer) = &mut self.fixer else { return (Cow::Borrowed(raw), [0; 2]) };
        let takes_unsafe = self.repairs == Repairs::Unsafe;
        let plan = fixer.repair(game, |repair| match repair.applicability {
            Applicability::Safe => true,
            Applicability::Unsafe => takes_unsafe,
            Applicability::Display => false,
        });
        if plan.made.is_empty() {
            return (Cow::Borrowed(raw), [0; 2]);
        }
        let count = |wanted| plan.made.iter().filter(|repair| repair.applicability == wanted).count() as u32;
        let counts = [count(Applicability::Safe), count(Applicability::Unsafe)];
        (Cow::Owned(plan.edits().apply(raw)), counts)
    }

    /// Makes the changes of [`ConvertOptions::edit`] in a record.
    fn edited<'g>(&self, text: Cow<'g, [u8]>, encoding: Encoding) -> Edited<'g> {
        let Some(edit) = &self.edit else { return Edited { text, encoding, edits: 0 } };
        // In UTF-8, the changes may use any letter. The writer refuses a record with bytes that mean no letter.
        let decoded = (encoding != Encoding::UTF_8).then(|| encoding.decode(&text));
        let is_lossless = |decoded: &str| encoding.encode(decoded).as_deref() == Some(&*text);
        let (utf8, encoding) = match &decoded {
            Some(decoded) if is_lossless(decoded) => (decoded.as_bytes(), Encoding::UTF_8),
            _ => (&*text, encoding),
        };
        let edits = edit.edits(GameView::new(utf8), encoding);
        let count = edits.as_slice().len() as u32;
        let text = if count == 0 && decoded.is_none() { text } else { Cow::Owned(edits.apply(utf8)) };
        Edited { text, encoding, edits: count }
    }
}

/// A record with changes.
struct Edited<'g> {
    text: Cow<'g, [u8]>,
    encoding: Encoding,
    /// Number of changes.
    edits: u32,
}

/// Gives players, events and sites the names of the map.
#[cfg(feature = "index")]
impl RecordEdit for NameMap {
    fn edits(&self, game: GameView<'_>, encoding: Encoding) -> TextEdits {
        name_edits(game, encoding, self).edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::TextEdit;
    use crate::write::Strip;

    fn convert(options: ConvertOptions, record: &[u8]) -> (String, Converted) {
        let mut text = Vec::new();
        let converted = Converter::new(&options).convert(record, &Decoder::default(), &mut text);
        let converted = converted.unwrap_or_else(|reason| panic!("{reason}: {}", record.escape_ascii()));
        (String::from_utf8(text).expect("UTF-8"), converted)
    }

    #[test]
    fn record_gets_the_game_type_that_its_file_or_caller_knows() {
        let record = b"1. 22-18 *";
        let mut options = ConvertOptions::new();
        options.replay = options.replay.variant(crate::rules::Variant::Italian);
        let (text, _) = convert(options, record);
        assert!(text.starts_with("[GameType \"22,"), "{text}");
        // Nothing says what an empty game is of.
        let (text, converted) = convert(ConvertOptions::new(), b"[White \"a\"] *");
        assert_eq!((text.as_str(), converted.summary.plies), ("[White \"a\"]\n\n*\n", 0));
        // A tag stays as it is.
        let (text, _) = convert(ConvertOptions::new(), b"[GameType \"21\"] 1. 11-15 *");
        assert_eq!(text, "[GameType \"21\"]\n\n1. 11-15 *\n");
    }

    /// Reading the text again, the game type decides about the result.
    #[test]
    fn result_has_the_format_of_the_added_game_type() {
        for record in [&b"1. 32-28 1-0"[..], b"1. 32-28 1/2-1/2", b"[Result \"0-1\"] 1. 32-28 *"] {
            let mut other_notation = ConvertOptions::new();
            other_notation.write.added.known_game_type = false;
            other_notation.write.notation = Some(crate::board::SquareNaming::Algebraic);
            for options in [ConvertOptions::new(), other_notation] {
                let (text, _) = convert(options.clone(), record);
                let result = text.split_once("[Result \"").map_or("", |(_, rest)| &rest[..3]);
                assert!(["2-0", "1-1", "0-2"].contains(&result), "{text}");
                assert_eq!(convert(options, text.as_bytes()).0, text);
            }
        }
    }

    /// English draughts with White at the other side of the board, as an option of the caller says.
    #[test]
    fn added_game_type_names_an_unusual_numbering() {
        let candidate: CandidateGame = "21,W,8,8,A0,0".parse().expect("a game type");
        let mut converter = Converter::new(&ConvertOptions::new());
        converter.set_game(Some(candidate));
        let mut text = Vec::new();
        let converted = converter.convert(b"[White \"a\"] 1. c3-d4 *", &Decoder::default(), &mut text);
        assert_eq!(converted.expect("legal").summary.plies, 1);
        let text = String::from_utf8(text).expect("ASCII");
        assert_eq!(text, "[White \"a\"]\n[GameType \"21,W,8,8,A0,0\"]\n\n1. c3-d4 *\n");
        let (again, converted) = convert(ConvertOptions::new(), text.as_bytes());
        assert_eq!((again, converted.summary.plies), (text, 1));
    }

    /// One bad move in a variation must not cost the whole game.
    #[test]
    fn variation_that_cannot_be_played_is_kept_as_text() {
        let game = "[GameType \"20\"] 1. 32-28 VARIATION 19-23 *";
        for (variation, expected, count) in [
            ("(1. 33-29 19-24)", "(1. 33-29 19-24)", 0),
            ("(1. 33-99\n  19-24!)", "{(1. 33-99 19-24!)}", 1),
            ("(1. 33-29 here 19-24)", "{(1. 33-29 here 19-24)}", 1),
            ("(1. 33-99 {a } $1 {%c} 19-24)", "{(1. 33-99} {a } {$1} {%c} {19-24)}", 1),
            ("(1. 33-29 (1. 34-99) 19-24)", "(1. 33-29 {(1. 34-99)} 1... 19-24)", 1),
            ("(1. 33-99 (1. 34-99) 19-24)", "{(1. 33-99 (1. 34-99) 19-24)}", 1),
            ("(1. 33-99 \u{e9})", "{(1. 33-99 \u{e9})}", 1),
        ] {
            let record = game.replace("VARIATION", variation);
            let (text, converted) = convert(ConvertOptions::new(), record.as_bytes());
            let moves = text.split_once("\n\n").map_or("", |(_, moves)| moves);
            assert_eq!(moves, format!("1. 32-28 {expected} 1... 19-23 *\n"), "{variation}");
            assert_eq!(converted.text_variations, count, "{variation}");
            // Written once, it is text for good.
            let (again, converted) = convert(ConvertOptions::new(), text.as_bytes());
            assert_eq!((again, converted.text_variations), (text, 0));
            let stripped = ConvertOptions::new().write(WriteOptions::new().strip(Strip::VARIATIONS));
            assert!(convert(stripped, record.as_bytes()).0.ends_with("1. 32-28 19-23 *\n"), "{variation}");
            let strict = ConvertOptions::new().write(WriteOptions::new());
            let written =
                Converter::new(&strict).convert(record.as_bytes(), &Decoder::default(), &mut Vec::new());
            assert_eq!(written.is_ok(), count == 0, "{variation}");
        }
    }

    #[derive(Debug)]
    struct FirstLetter;

    impl RecordEdit for FirstLetter {
        fn edits(&self, game: GameView<'_>, encoding: Encoding) -> TextEdits {
            let tag = game.tags().next().expect("a tag");
            let new = encoding.encode("Č").expect("has the letter").into_owned();
            let start = tag.value_span.start as usize;
            TextEdits::new(vec![TextEdit::new(start..start + 1, new)]).expect("one edit")
        }
    }

    #[cfg(feature = "index")]
    #[test]
    fn names_of_a_map_may_have_letters_that_the_record_has_not() {
        use crate::names::{MappedNames, NameKind};

        let groups = [MappedNames::new(NameKind::Player, "Куперман, Исер", ["Kouperman"])];
        let map = Arc::new(NameMap::new(&groups).expect("a map"));
        let options = ConvertOptions::new().edit(Some(map));
        let (text, converted) = convert(options, b"[White \"Kouperman\"]\n[Black \"Gu\xE9rin\"]\n1. 32-28 *");
        assert!(text.starts_with("[White \"Куперман, Исер\"]\n[Black \"Guérin\"]\n"), "{text}");
        assert_eq!((converted.edits, converted.encoding), (1, Some(Encoding::WINDOWS_1252)));
    }

    #[test]
    fn edits_follow_repairs_and_precede_the_writer() {
        let options = ConvertOptions::new().repairs(Repairs::Safe).edit(Some(Arc::new(FirstLetter)));
        let (text, converted) =
            convert(options, b"[white \"Cizov\"][GameType \"20\"][Date \"2003-5-1\"] 1. 32-28");
        assert_eq!(text, "[Date \"2003.05.01\"]\n[White \"Čizov\"]\n[GameType \"20\"]\n\n1. 32-28 *\n");
        assert_eq!((converted.edits, converted.unsafe_repairs), (1, 0));
        assert!(converted.safe_repairs > 0);
    }

    #[test]
    fn record_that_cannot_be_repaired_is_refused() {
        for (repairs, is_written) in [(Repairs::None, false), (Repairs::Safe, false), (Repairs::Unsafe, true)]
        {
            let record = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *";
            let mut text = b"before".to_vec();
            let mut converter = Converter::new(&ConvertOptions::new().repairs(repairs));
            let converted = converter.convert(record, &Decoder::default(), &mut text);
            assert_eq!(converted.is_ok(), is_written, "{repairs:?}");
            assert_eq!(text != b"before", is_written, "{repairs:?}");
        }
    }
}
