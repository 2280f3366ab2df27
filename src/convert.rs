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

use crate::archive::InputRecord;
use crate::diag::Code;
use crate::edit::{TextEdit, TextEdits};
use crate::fix::{Applicability, Fixer};

use crate::parse::{
    Comment, Flow, SetupCommand, StrengthMark, Terminator, VariationAction, VariationMark, Visitor,
    WrittenMove, walk_with,
};
use crate::replay::{CandidateGame, ReplayOptions, ReplaySummary, Replayer};
use crate::source::{Decoder, Encoding};
use crate::span::Span;
use crate::value::Nag;
use crate::view::RecordView;
use crate::write::{LineGame, LineWriter, RecordWriter, Unwritten, WriteOptions};

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
/// use pdn::edit::{RecordEditor, TextEdits};
/// use pdn::source::{Decoder, Encoding};
/// use pdn::value::TagName;
/// use pdn::view::RecordView;
///
/// /// Sets the event of every game.
/// #[derive(Debug)]
/// struct SetEvent(&'static str);
///
/// impl RecordEdit for SetEvent {
///     fn edits(&self, game: RecordView<'_>, encoding: Encoding) -> TextEdits {
///         let arena = Arena::new();
///         let mut editor = RecordEditor::new(TreeBuilder::new().build(game.raw(), &arena), encoding);
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
    /// [`RecordEditor`](crate::edit::RecordEditor) makes them from changes of tags.
    fn edits(&self, game: RecordView<'_>, encoding: Encoding) -> TextEdits;
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
    /// Whether each line of a game is written as a game of its own.
    pub variations_as_games: bool,
}

impl ConvertOptions {
    /// Creates the default options: no repairs, and canonical PDN 3.0 with a GameType tag for each game whose variant is
    /// known from anything but a tag ([`AddedTags::known_game_type`](crate::write::AddedTags::known_game_type)), and variations that
    /// cannot be played [as text](WriteOptions::variations_as_text).
    pub fn new() -> Self {
        let mut options = Self::default();
        options.write.added.known_game_type = true;
        options.write.variations_as_text = true;
        options.write.standard_scores = true;
        options
    }

    /// Sets [`write`](Self::write).
    #[must_use]
    pub fn write(mut self, write: WriteOptions) -> Self {
        self.write = write;
        self.write.standard_scores = true;
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

    /// Sets whether each line of a game is written as a game of its own: the main line, and each variation with the moves before it, in
    /// the order in which they begin, with an empty line between them. All have the tags of the game, and `Line`, the number of the
    /// line, 0 for the main line. Comments stay with their moves. What [`WriteOptions::strip`] leaves out is left out of each line; that of
    /// variations has no effect. A game without variations is written as ever.
    ///
    /// The moves before a variation are written again for each. A game is refused ([`Unwritten::ManyLines`]) whose lines would have
    /// more than 64 MiB, or more than 256 KiB and 64 times the bytes of the game.
    ///
    /// ```
    /// use pdn::convert::{ConvertOptions, Converter};
    /// use pdn::source::Decoder;
    ///
    /// let mut text = Vec::new();
    /// let record = b"[GameType \"20\"] 1. 32-28 19-23 (1... 18-23 2. 38-32 {solid}) 2. 28x19 *";
    /// let options = ConvertOptions::new().variations_as_games(true);
    /// let converted = Converter::new(&options).convert(record, &Decoder::default(), &mut text)?;
    /// assert_eq!(
    ///     String::from_utf8_lossy(&text),
    ///     "[GameType \"20\"]\n[Line \"0\"]\n\n1. 32-28 19-23 2. 28x19 *\n\n\
    ///      [GameType \"20\"]\n[Line \"1\"]\n\n1. 32-28 18-23 2. 38-32 {solid} *\n"
    /// );
    /// assert_eq!(converted.lines.len(), 2);
    /// # Ok::<(), pdn::write::Unwritten>(())
    /// ```
    #[must_use]
    pub fn variations_as_games(mut self, variations_as_games: bool) -> Self {
        self.variations_as_games = variations_as_games;
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
    /// `true` if its score gave the number of White first, though Black starts, and has that of Black first now.
    pub exchanged_score: bool,
    /// The encoding from which the record was converted; `None` if it is ASCII.
    pub encoding: Option<Encoding>,
    /// The games that were written, if each line is [one](ConvertOptions::variations_as_games); else none.
    pub lines: Vec<LineGame>,
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
/// for record in pdn::split::records(archive) {
///     match converter.convert(record, &Decoder::default(), &mut clean) {
///         Ok(_) => clean.push(b'\n'),
///         Err(reason) => rejects.push((record.offset, reason.to_string())),
///     }
/// }
/// assert_eq!(pdn::split::records(&clean).count(), 2);
/// assert_eq!(rejects, [(26, "an illegal move".to_owned())]);
/// ```
#[derive(Debug)]
pub struct Converter {
    writer: RecordWriter,
    /// Writes the lines of games that `writer` wrote.
    lines: Option<LineWriter>,
    fixer: Option<Fixer>,
    repairs: Repairs,
    edit: Option<Arc<dyn RecordEdit>>,
    comment: Option<MoveComment>,
    /// Finds the moves that comments follow; made for the first comment.
    commenter: Option<Replayer>,
    replay: ReplayOptions,
    /// What was set by [`set_game`](Self::set_game).
    game: Option<Option<CandidateGame>>,
}

/// A comment that a record receives.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveComment {
    /// The number of the legal move of the main line that it follows, from 0. Null moves do not count.
    pub mv: usize,
    /// The text. Braces in it are written as parentheses, and control characters as blanks.
    pub text: String,
}

impl Converter {
    /// Creates a converter. Builds the tables of all variants; create one per thread.
    pub fn new(options: &ConvertOptions) -> Self {
        let ConvertOptions { write, replay, repairs, edit, variations_as_games } = options;
        let fixer = (*repairs != Repairs::None).then(|| Fixer::new(replay));
        let lines = variations_as_games.then(|| LineWriter::new(write, replay));
        // The lines of a game are those of its canonical form.
        let whole = WriteOptions::new().added(write.added);
        let whole = whole.variations_as_text(write.variations_as_text);
        let writer = RecordWriter::with_replay(if lines.is_some() { &whole } else { write }, replay);
        Self {
            writer,
            lines,
            fixer,
            repairs: *repairs,
            edit: edit.clone(),
            comment: None,
            commenter: None,
            replay: replay.clone(),
            game: None,
        }
    }

    /// Sets a comment that the next records receive, before any other comment of its move; `None` for none. A record that has the same comment
    /// there already, or has no such move, stays as it is.
    #[doc(hidden)]
    pub fn set_comment(&mut self, comment: Option<MoveComment>) {
        self.comment = comment;
    }

    /// Sets the game of the next records without a GameType tag: a variant with its numbering of the squares; `None` to infer it.
    #[doc(hidden)]
    pub fn set_game(&mut self, game: Option<CandidateGame>) {
        if let Some(fixer) = &mut self.fixer {
            fixer.set_game(game);
        }
        if let Some(commenter) = &mut self.commenter {
            commenter.set_game(game);
        }
        self.game = Some(game);
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
        game: impl Into<InputRecord<'g>>,
        decoder: &Decoder,
        out: &mut Vec<u8>,
    ) -> Result<Converted, Unwritten> {
        self.convert_record(game.into(), decoder, out)
    }

    fn convert_record(
        &mut self,
        game: InputRecord<'_>,
        decoder: &Decoder,
        out: &mut Vec<u8>,
    ) -> Result<Converted, Unwritten> {
        let raw = game.raw();
        let encoding = (!raw.is_ascii()).then(|| decoder.guess(raw).encoding);
        let (repaired, [safe_repairs, unsafe_repairs]) = self.repaired(game);
        let Edited { text, encoding: written_in, edits } =
            self.edited(repaired, encoding.unwrap_or(Encoding::UTF_8));
        let text = self.commented(game, text, written_in);
        let mut whole = Vec::new();
        let target = if self.lines.is_some() { &mut whole } else { &mut *out };
        let summary = match encoding {
            None if text.is_ascii() => self.writer.write(game.with_text(&text), target)?,
            _ => self.writer.write_utf8(game.with_text(&text), written_in, target)?,
        };
        let text_variations = self.writer.text_variations();
        let exchanged_score = self.writer.has_exchanged_score();
        let lines = match &mut self.lines {
            Some(lines) => lines.write(&whole, &summary, out)?,
            None => Vec::new(),
        };
        Ok(Converted {
            summary,
            safe_repairs,
            unsafe_repairs,
            edits,
            text_variations,
            exchanged_score,
            encoding,
            lines,
        })
    }

    /// Returns a record with its repairs, and the numbers of safe and unsafe ones.
    fn repaired<'g>(&mut self, game: InputRecord<'g>) -> (Cow<'g, [u8]>, [u32; 2]) {
        let raw = game.raw();
        let Some(fixer) = &mut self.fixer else { return (Cow::Borrowed(raw), [0; 2]) };
        let takes_unsafe = self.repairs == Repairs::Unsafe;
        let plan = fixer.repair(game, |repair| match repair.applicability {
            // The writer does it.
            Applicability::Safe => repair.code != Code::ScoresOfWhite,
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
        if self.edit.is_none() && self.comment.is_none() {
            return Edited { text, encoding, edits: 0 };
        }
        // In UTF-8, the changes may use any letter. The writer refuses a record with bytes that mean no letter.
        let decoded = (encoding != Encoding::UTF_8).then(|| encoding.decode(&text));
        let is_lossless = |decoded: &str| encoding.encode(decoded).as_deref() == Some(&*text);
        let (utf8, encoding) = match &decoded {
            Some(decoded) if is_lossless(decoded) => (decoded.as_bytes(), Encoding::UTF_8),
            _ => (&*text, encoding),
        };
        let edits = self.edit.as_ref().map(|edit| edit.edits(RecordView::new(utf8), encoding));
        let edits = edits.unwrap_or_default();
        let count = edits.as_slice().len() as u32;
        let text = if count == 0 && decoded.is_none() { text } else { Cow::Owned(edits.apply(utf8)) };
        Edited { text, encoding, edits: count }
    }

    /// Adds the comment to the text of a record in this encoding.
    fn commented<'t>(
        &mut self,
        game: InputRecord<'_>,
        text: Cow<'t, [u8]>,
        encoding: Encoding,
    ) -> Cow<'t, [u8]> {
        // In another encoding the record has bytes that mean no letter, and the writer refuses it.
        let Some(MoveComment { mv, text: comment }) =
            self.comment.as_ref().filter(|_| encoding == Encoding::UTF_8)
        else {
            return text;
        };
        let plain = |letter: char| match letter {
            '{' => '(',
            '}' => ')',
            letter if letter.is_control() => ' ',
            letter => letter,
        };
        let comment: String = comment.chars().map(plain).collect();
        let commenter = self.commenter.get_or_insert_with(|| {
            let mut commenter = Replayer::new(&self.replay);
            if let Some(game) = self.game {
                commenter.set_game(game);
            }
            commenter
        });
        let at = {
            let annotated = commenter.replay_annotated(game.with_text(&text));
            let Some(ply) = annotated.main.plies.get(*mv) else { return text };
            if ply.comments.iter().any(|other| other.text == comment.as_bytes()) {
                return text;
            }
            let mut end = EndOfMove { at: ply.span.end, is_left: false };
            // The visitor never breaks off.
            let _ = walk_with(&text, commenter.limits(), &mut end);
            end.at as usize
        };
        let insertion = TextEdit::new(at..at, format!(" {{{comment}}}"));
        match TextEdits::new(vec![insertion]) {
            Ok(edits) => Cow::Owned(edits.apply(&text)),
            Err(_) => text,
        }
    }
}

/// Finds the end of the signs and glyphs after a move.
struct EndOfMove {
    /// The end of the move, then that of the last sign or glyph that belongs to it.
    at: u32,
    /// Whether another part has followed.
    is_left: bool,
}

impl EndOfMove {
    /// Takes a part of the movetext. Those that belong to a move extend it; any other ends it.
    fn pass(&mut self, span: Span, belongs: bool) -> Flow {
        if span.start >= self.at && !self.is_left {
            (self.at, self.is_left) = if belongs { (span.end, false) } else { (self.at, true) };
        }
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for EndOfMove {
    const NUMBERS: bool = false;
    const COMPACT: bool = true;

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.pass(mv.span, false)
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.pass(list.span, true)
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.pass(strength.span, true)
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.pass(span, true)
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.pass(comment.span, false)
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.pass(setup.span, false)
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let _ = self.pass(variation.span, false);
        VariationAction::Skip
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.pass(terminator.span, false)
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.pass(span, false)
    }
}

/// A record with changes.
struct Edited<'g> {
    text: Cow<'g, [u8]>,
    encoding: Encoding,
    /// Number of changes.
    edits: u32,
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

    #[test]
    fn each_line_is_a_game_of_its_own() {
        let lines = |options: ConvertOptions, record: &str| {
            let (text, converted) = convert(options.variations_as_games(true), record.as_bytes());
            let starts: Vec<_> = converted.lines.iter().map(|line| line.start).collect();
            let games: Vec<_> = crate::split::records(text.as_bytes()).collect();
            assert_eq!(games.iter().map(|game| game.offset as usize).collect::<Vec<_>>(), starts, "{text}");
            let games = games.iter().zip(&converted.lines).map(|(game, line)| {
                let text = String::from_utf8_lossy(game.bytes);
                let (tags, moves) = text.trim_end().split_once("\n\n").expect("tags");
                assert_eq!(Replayer::default().summary(game.bytes).plies, line.summary.plies);
                (tags.replace("[GameType \"20\"]", "").replace('\n', ""), moves.replace('\n', " "))
            });
            games.collect::<Vec<_>>()
        };
        let own = |tags: &str, moves: &str| (tags.to_owned(), moves.to_owned());
        // Nested variations, annotations, a variation that goes on after the move instead of replacing it, and one without a move.
        let record = "[GameType \"20\"][PlyCount \"3\"] {start} 1. 32-28! {a} (1. 31-27 {b} 19-23 (1... 17-21) 2. 37-31) \
                      (1... 18-22) ({only words}) 1... 19-23 2. 28x19 {end} *";
        assert_eq!(
            lines(ConvertOptions::new(), record),
            [
                own(
                    "[PlyCount \"3\"][Line \"0\"]",
                    "{start} 1. 32-28! {a} {only words} 1... 19-23 2. 28x19 {end} *"
                ),
                own("[PlyCount \"3\"][Line \"1\"]", "{start} 1. 31-27 {b} 1... 19-23 2. 37-31 *"),
                own("[PlyCount \"2\"][Line \"2\"]", "{start} 1. 31-27 {b} 1... 17-21 *"),
                own("[PlyCount \"2\"][Line \"3\"]", "{start} 1. 32-28! {a} 1... 18-22 *"),
            ]
        );
        // A setup, a line comment, and a game that the second side begins.
        let record = "[GameType \"20\"][FEN \"B:W32:B19\"] 5... 19-23\n% a line\n(5... 19-24) \
                      /FEN \"B:W33:B20\"/ 7... 20-24 (7... 20-25) *";
        assert_eq!(
            lines(ConvertOptions::new(), record).into_iter().map(|(_, moves)| moves).collect::<Vec<_>>(),
            [
                "5... 19-23 % a line /FEN \"B:W33:B20\"/ 7... 20-24 *",
                "5... 19-24 *",
                "5... 19-23 % a line /FEN \"B:W33:B20\"/ 7... 20-25 *",
            ]
        );
        // For a program that reads no variations, and without comments.
        let write = WriteOptions::of(crate::write::Profile::Plain).strip(Strip::COMMENTS);
        let record = "[GameType \"20\"] 1. 32-28 {a} (1. 31-27) *";
        let games = lines(ConvertOptions::new().write(write.has_roster(false)), record);
        assert_eq!(games, [own("[Line \"0\"]", "1. 32-28 *"), own("[Line \"1\"]", "1. 31-27 *")]);
        // Without variations it is one game as ever, and so is each line when it is converted again.
        assert_eq!(
            lines(ConvertOptions::new(), "[GameType \"20\"][Line \"7\"] 1. 32-28 *")[0].0,
            "[Line \"7\"]"
        );
    }

    #[test]
    fn lines_that_are_too_long_together_are_refused() {
        // A king walks to and fro; the other side has a variation at each of its moves.
        let game = |moves: usize| {
            let mut text = "[GameType \"20\"][FEN \"W:WK1:BK50\"]".to_owned();
            for number in 0..moves {
                let [white, black, other] =
                    if number % 2 == 0 { ["1-6", "50-45", "50-44"] } else { ["6-1", "45-50", "45-40"] };
                text += &format!(" {}. {white} {black} ({}... {other}) ", number + 1, number + 1);
            }
            text + "*"
        };
        let convert = |moves| {
            let options = ConvertOptions::new().variations_as_games(true);
            let mut text = b"before".to_vec();
            let lines =
                Converter::new(&options).convert(game(moves).as_bytes(), &Decoder::default(), &mut text);
            (lines.map(|converted| converted.lines.len()), text.len())
        };
        let (lines, length) = convert(150);
        assert!(matches!(lines, Ok(151)) && length < 512 << 10, "{lines:?} {length}");
        let (lines, length) = convert(3_000);
        assert_eq!((lines.map_err(|error| error == Unwritten::ManyLines), length), (Err(true), 6));
    }

    #[test]
    fn comment_stands_after_the_move_with_its_signs_and_glyphs() {
        let commented = |record: &[u8], mv: usize| {
            let mut converter = Converter::new(&ConvertOptions::new());
            converter.set_comment(Some(MoveComment { mv, text: "Jünge {new}\n1".to_owned() }));
            let mut text = Vec::new();
            converter.convert(record, &Decoder::default(), &mut text).expect("it can be written");
            let written = String::from_utf8(text).expect("UTF-8");
            let mut again = Vec::new();
            converter.convert(written.as_bytes(), &Decoder::default(), &mut again).expect("written");
            assert_eq!(String::from_utf8_lossy(&again), written, "the comment is added once");
            written.split_once("\n\n").map(|(_, moves)| moves.to_owned()).expect("movetext")
        };
        for (record, mv, expected) in [
            ("1. 32-28 19-23 2. 28x19 14x23 *", 0, "1. 32-28 {N} 1... 19-23 2. 28x19 14x23 *\n"),
            ("1. 32-28 19-23 2. 28x19 14x23 *", 3, "1. 32-28 19-23 2. 28x19 14x23 {N} *\n"),
            (
                "1. 32-28! $3 {good} (1. 31-27 {x}) 19-23 *",
                0,
                "1. 32-28! $3 {N} {good} (1. 31-27 {x}) 1... 19-23 *\n",
            ),
            (
                "1. 32-28 (1. 31-27! $1) 19-23? ; odd\n2. 28x19 *",
                1,
                "1. 32-28 (1. 31-27! $1) 1... 19-23? {N} { odd} 2. 28x19 *\n",
            ),
            ("1. 32-28 19-23 *", 2, "1. 32-28 19-23 *\n"),
        ] {
            let record = format!("[GameType \"20\"]\n\n{record}");
            let moves = commented(record.as_bytes(), mv);
            assert_eq!(moves.replace("{Jünge (new) 1}", "{N}"), expected, "{record}");
        }
        // In Latin-1; the letters of the comment need not be in it.
        let moves = commented(b"[White \"Dub\xE9\"]\n[GameType \"20\"]\n\n1. 32-28 {\xE9} 19-23 *", 1);
        assert_eq!(moves, "1. 32-28 {é} 1... 19-23 {Jünge (new) 1} *\n");
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
        fn edits(&self, game: RecordView<'_>, encoding: Encoding) -> TextEdits {
            let tag = game.tags().next().expect("a tag");
            let new = encoding.encode("Č").expect("has the letter").into_owned();
            let start = tag.value_span.start as usize;
            TextEdits::new(vec![TextEdit::new(start..start + 1, new)]).expect("one edit")
        }
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
