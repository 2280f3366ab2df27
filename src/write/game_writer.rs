//! Writes a game that a program has in memory.

use std::fmt;

use super::layout::{LineEnd, Lines};
use super::options::WriteOptions;
use super::profile::TerminatorForm;
use crate::movegen::{FindError, MoveError, MoveList};
use crate::notation::write_move;
use crate::parse::escape;
use crate::position::{Move, Position};
use crate::replay::{AnnotatedGame, AnnotatedLine, AnnotatedPly};
use crate::rules::{GameRules, Variant};
use crate::sort;
use crate::value::{GameResult, MoveStrength, Nag, TagName};

/// Writes one game as PDN, part by part.
///
/// Moves are checked: what is written can be read again. Variations, comments and NAGs belong to the move before them.
/// A GameType tag is added for the variant, and a FEN tag unless the game begins at its start position.
///
/// ```
/// use pdn::rules::Variant;
/// use pdn::value::GameResult;
/// use pdn::write::GameWriter;
///
/// let mut game = GameWriter::new(Variant::International);
/// game.tag("White", "Wiersma")?.tag("Black", "Clerc")?;
/// game.play("32-28")?.comment("the classical start")?.play("19-23")?;
/// game.begin_variation()?.play("18-23")?.end_variation()?;
/// game.play("28x19")?.play("14x23")?;
/// assert_eq!(
///     game.finish(GameResult::parse(b"1-1")),
///     "[White \"Wiersma\"]\n[Black \"Clerc\"]\n[Result \"1-1\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n\
///      1. 32-28 {the classical start} 1... 19-23 (1... 18-23) 2. 28x19 14x23 *\n"
/// );
/// # Ok::<(), pdn::write::WriteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameWriter {
    options: WriteOptions,
    game: GameRules,
    start: Position,
    tags: Vec<(String, String)>,
    /// The words of the movetext. A word may follow the one before it without a space.
    words: Vec<Word>,
    lines: Vec<WritingLine>,
    /// The next ply gets a number, also if the second side makes it.
    is_apart: bool,
    /// The last word is a move.
    follows_move: bool,
}

#[derive(Clone, Debug)]
struct Word {
    text: String,
    is_glued: bool,
}

/// The main line or a variation that is being written.
#[derive(Clone, Debug)]
struct WritingLine {
    position: Position,
    /// The position before the last ply, and the number of that ply.
    last: Option<(Position, u32)>,
    /// The number of the next ply.
    number: u32,
}

/// The error of a part that cannot be written.
///
/// The methods of [`GameWriter`] return it. A part that fails is not written, so the game goes on without it:
///
/// ```
/// use pdn::movegen::MoveError;
/// use pdn::rules::Variant;
/// use pdn::value::GameResult;
/// use pdn::write::{GameWriter, WriteError};
///
/// let mut game = GameWriter::new(Variant::International);
/// game.play("32-28")?.play("19-23")?;
/// let error = game.play("37-32").unwrap_err();
/// assert_eq!(error, WriteError::MoveText(MoveError::MustCapture));
/// game.play("28x19")?;
/// assert!(game.finish(GameResult::Unfinished).ends_with("1. 32-28 19-23 2. 28x19 *\n"));
/// # Ok::<(), WriteError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The move is not legal in the position.
    IllegalMove,
    /// The text is not the text of exactly one legal move.
    MoveText(MoveError),
    /// The position has more captures than the search limit allows.
    CaptureLimit,
    /// A tag name must be a capital letter followed by letters, digits or underscores.
    TagName,
    /// A tag value must be a single line.
    TagValue,
    /// A comment must not contain a closing brace.
    Comment,
    /// A variation needs a move before it, and a strength one directly before it.
    NoMove,
    /// No variation is open.
    NoVariation,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalMove => "the move is not legal",
            Self::MoveText(error) => return error.fmt(f),
            Self::CaptureLimit => "the position has more captures than the search limit allows",
            Self::TagName => "a tag name must be a capital letter followed by letters, digits or underscores",
            Self::TagValue => "a tag value must be a single line",
            Self::Comment => "a comment must not contain a closing brace",
            Self::NoMove => "there is no move before it",
            Self::NoVariation => "no variation is open",
        })
    }
}

impl std::error::Error for WriteError {}

impl GameWriter {
    /// Creates a writer for a game from the start position, such as of a [`Variant`], in canonical PDN 3.0.
    pub fn new(game: impl Into<GameRules>) -> Self {
        Self::from_position(Position::start(game), &WriteOptions::new())
    }

    /// Creates a writer for a game that begins in `position`.
    pub fn from_position(position: Position, options: &WriteOptions) -> Self {
        let line = WritingLine { position, last: None, number: 1 };
        Self {
            options: *options,
            game: *position.game(),
            start: position,
            tags: Vec::new(),
            words: Vec::new(),
            lines: vec![line],
            is_apart: true,
            follows_move: false,
        }
    }

    /// Creates a writer that holds a replayed game: its moves, comments, variations, NAGs and strengths. Tags are left to
    /// the caller, and so are moves that the replay could not play.
    ///
    /// ```
    /// use pdn::replay::{self, ReplayOptions};
    /// use pdn::value::GameResult;
    /// use pdn::write::{GameWriter, WriteOptions};
    ///
    /// let text = b"1. 32-28! 19-23 (18-23) 2. 28x19 {takes} 14x23 *";
    /// let game = replay::annotate(text, &ReplayOptions::default());
    /// let written = GameWriter::from_annotated(&game, &WriteOptions::new())?.finish(GameResult::Unfinished);
    /// assert!(written.ends_with("1. 32-28! 19-23 (1... 18-23) 2. 28x19 {takes} 2... 14x23 *\n"), "{written}");
    /// # Ok::<(), pdn::write::WriteError>(())
    /// ```
    ///
    /// # Errors
    /// If a comment contains a closing brace, or the positions of the game do not follow from its moves.
    pub fn from_annotated(game: &AnnotatedGame<'_>, options: &WriteOptions) -> Result<Self, WriteError> {
        let mut writer = Self::from_position(game.summary.start_position(), options);
        let first = game.main.plies.first().and_then(|ply| ply.number);
        writer.line_mut().number = first.map_or(1, |number| number.number);
        // An explicit stack: variations may nest deeper than the call stack allows.
        let mut stack: Vec<LineWalk<'_, '_>> = vec![LineWalk::new(&game.main)];
        writer.annotated_comments(&game.main.comments)?;
        while let Some(walk) = stack.last_mut() {
            if let Some(variation) = walk.variations.next() {
                writer.begin_variation()?.annotated_comments(&variation.comments)?;
                stack.push(LineWalk::new(variation));
            } else if let Some(ply) = walk.plies.next() {
                walk.variations = ply.variations.iter();
                writer.annotated_ply(ply)?;
            } else {
                stack.pop();
                if !stack.is_empty() && writer.end_variation().is_err() {
                    // A variation without anything that can be written.
                    writer.words.pop();
                    writer.lines.pop();
                }
            }
        }
        Ok(writer)
    }

    fn annotated_comments(
        &mut self,
        comments: &[crate::parse::Comment<'_>],
    ) -> Result<&mut Self, WriteError> {
        for comment in comments {
            self.comment(&String::from_utf8_lossy(comment.text))?;
        }
        Ok(self)
    }

    fn annotated_ply(&mut self, ply: &AnnotatedPly<'_>) -> Result<(), WriteError> {
        self.mv(&ply.mv)?;
        if let Some(strength) = ply.strength.and_then(MoveStrength::parse) {
            self.strength(strength)?;
        }
        for &nag in &ply.nags {
            self.nag(nag);
        }
        self.annotated_comments(&ply.comments)?;
        Ok(())
    }

    /// Returns the position after the last move of the line that is being written.
    pub fn position(&self) -> &Position {
        &self.line().position
    }

    /// Sets a tag. Tags are written in the order of the standard, others after them in the order in which they were set.
    ///
    /// # Errors
    /// If the name is no name or the value has several lines.
    pub fn tag(&mut self, name: &str, value: &str) -> Result<&mut Self, WriteError> {
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name {
            return Err(WriteError::TagName);
        }
        if value.contains(['\n', '\r']) {
            return Err(WriteError::TagValue);
        }
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some((_, other)) => value.clone_into(other),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
        Ok(self)
    }

    /// Writes a legal move and plays it.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn mv(&mut self, mv: &Move) -> Result<&mut Self, WriteError> {
        let position = self.line().position;
        match position.find(mv.from, mv.to, &[]) {
            Ok(found) if found == *mv => {}
            Err(FindError::Ambiguous) => {
                let mut list = MoveList::new();
                position.legal_moves(&mut list).map_err(|_| WriteError::CaptureLimit)?;
                if list.iter().all(|legal| legal != mv) {
                    return Err(WriteError::IllegalMove);
                }
            }
            Err(FindError::Limit) => return Err(WriteError::CaptureLimit),
            _ => return Err(WriteError::IllegalMove),
        }
        let second = position.turn() != self.game.numbering.start;
        let number = self.line().number;
        let mut text = String::new();
        if self.is_apart || !second {
            text = format!("{number}{} ", if second { "..." } else { "." });
        }
        write_move(&position, &position.names(), mv, self.options.captures, &mut text)
            .map_err(|_| WriteError::CaptureLimit)?;
        self.push(text);
        (self.is_apart, self.follows_move) = (false, true);
        let line = self.line_mut();
        line.last = Some((position, number));
        line.position = position.after_unchecked(mv);
        line.number = number.saturating_add(u32::from(second));
        Ok(self)
    }

    /// Plays a move given as text, in any notation.
    ///
    /// # Errors
    /// If the text is not that of exactly one legal move.
    pub fn play(&mut self, text: &str) -> Result<&mut Self, WriteError> {
        let mv = self.line().position.parse_move(text).map_err(WriteError::MoveText)?;
        self.mv(&mv)
    }

    /// Writes the strength of the last move. It must follow the move directly; [`MoveStrength::Forced`] is written as
    /// `$7`.
    ///
    /// # Errors
    /// If something else stands after the move, or there is none.
    pub fn strength(&mut self, strength: MoveStrength) -> Result<&mut Self, WriteError> {
        if !self.follows_move {
            return Err(WriteError::NoMove);
        }
        let sign = match strength {
            MoveStrength::Good => "!",
            MoveStrength::Poor => "?",
            MoveStrength::VeryGood => "!!",
            MoveStrength::VeryPoor => "??",
            MoveStrength::Interesting => "!?",
            MoveStrength::Dubious => "?!",
            MoveStrength::Forced => return Ok(self.nag(Nag::FORCED)),
        };
        self.words.push(Word { text: sign.to_owned(), is_glued: true });
        self.follows_move = false;
        Ok(self)
    }

    /// Writes a NAG.
    pub fn nag(&mut self, nag: Nag) -> &mut Self {
        self.push(nag.to_string());
        self
    }

    /// Writes a comment.
    ///
    /// # Errors
    /// If it contains a closing brace.
    pub fn comment(&mut self, text: &str) -> Result<&mut Self, WriteError> {
        if text.contains('}') {
            return Err(WriteError::Comment);
        }
        self.push(format!("{{{text}}}"));
        self.is_apart = true;
        Ok(self)
    }

    /// Begins a variation: an alternative to the last move.
    ///
    /// # Errors
    /// If there is no move before it.
    pub fn begin_variation(&mut self) -> Result<&mut Self, WriteError> {
        let (position, number) = self.line().last.ok_or(WriteError::NoMove)?;
        self.lines.push(WritingLine { position, last: None, number });
        self.push("(".to_owned());
        self.is_apart = true;
        Ok(self)
    }

    /// Ends the last variation that was begun.
    ///
    /// # Errors
    /// If none is open, or nothing was written since it was begun.
    pub fn end_variation(&mut self) -> Result<&mut Self, WriteError> {
        if self.lines.len() < 2 {
            return Err(WriteError::NoVariation);
        }
        if self.words.last().is_some_and(|word| word.text == "(") {
            return Err(WriteError::NoMove);
        }
        self.lines.pop();
        self.words.push(Word { text: ")".to_owned(), is_glued: true });
        self.follows_move = false;
        self.is_apart = true;
        Ok(self)
    }

    /// Writes a null move: the turn passes to the other side.
    pub fn null_move(&mut self) -> &mut Self {
        let mut position = self.line().position;
        let second = position.turn() != self.game.numbering.start;
        position.pass();
        self.setup_text(&format!("{}:::", position.turn().letter()));
        let line = self.line_mut();
        line.position = position;
        line.number = line.number.saturating_add(u32::from(second));
        self
    }

    /// Sets a position of the same game; the next move is played in it.
    pub fn setup(&mut self, position: &Position) -> &mut Self {
        self.setup_text(&position.to_string());
        self.line_mut().position = Position::from_state(self.game, *position.state());
        self
    }

    fn setup_text(&mut self, fen: &str) {
        self.push(format!("/FEN \"{fen}\"/"));
        self.is_apart = true;
    }

    /// Returns the game as PDN, in UTF-8, with a line end after its last line. Open variations are closed.
    pub fn finish(mut self, result: GameResult<'_>) -> String {
        while self.lines.len() > 1 {
            if self.end_variation().is_err() {
                // Nothing was written in it.
                self.words.pop();
                self.lines.pop();
            }
        }
        let result = result.for_start(self.game.numbering.start).to_string();
        self.add_tags(&result);
        let terminator = match self.options.terminator {
            TerminatorForm::Result if !result.contains(' ') => &result,
            _ => "*",
        };
        let mut out = Vec::new();
        let line_end: LineEnd = self.options.line_end;
        for (name, value) in &self.tags {
            out.extend_from_slice(format!("[{name} \"").as_bytes());
            out.extend_from_slice(&escape(value.as_bytes()));
            out.extend_from_slice(b"\"]");
            out.extend_from_slice(line_end.bytes());
        }
        out.extend_from_slice(line_end.bytes());
        let mut lines = Lines::new(&mut out, line_end, self.options.width);
        for word in &self.words {
            match (word.is_glued, word.text.as_str()) {
                (false, "(") => lines.open(),
                (true, text) => lines.glue(text.as_bytes()),
                (false, text) => lines.word(&[text.as_bytes()]),
            }
        }
        lines.word(&[terminator.as_bytes()]);
        lines.finish();
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Adds the tags that the game needs, and puts all into order.
    fn add_tags(&mut self, result: &str) {
        let has = |tags: &[(String, String)], name: &str| tags.iter().any(|(other, _)| other == name);
        let mut added = Vec::new();
        if !has(&self.tags, "Result") {
            added.push(("Result", result.to_owned()));
        }
        if let Some(variant) = Variant::of_game(&self.game).filter(|_| !has(&self.tags, "GameType")) {
            added.push(("GameType", variant.tag()));
        }
        if !has(&self.tags, "FEN") && self.start != Position::start(self.game) {
            added.push(("FEN", self.start.to_string()));
        }
        if self.options.has_roster {
            for tag in TagName::SEVEN {
                if !has(&self.tags, tag.name()) && tag != TagName::Result {
                    let unknown = if tag == TagName::Date { "????.??.??" } else { "?" };
                    added.push((tag.name(), unknown.to_owned()));
                }
            }
        }
        self.tags.extend(added.into_iter().map(|(name, value)| (name.to_owned(), value)));
        // Stable: other tags keep their order.
        sort::by_key(&mut self.tags, |(name, _)| {
            TagName::exact(name.as_bytes()).map_or(u8::MAX, |tag| tag as u8)
        });
    }

    fn push(&mut self, text: String) {
        self.words.push(Word { text, is_glued: false });
        self.follows_move = false;
    }

    fn line(&self) -> &WritingLine {
        self.lines.last().expect("the main line is never closed")
    }

    fn line_mut(&mut self) -> &mut WritingLine {
        self.lines.last_mut().expect("the main line is never closed")
    }
}

/// The rest of a line of an annotated game.
struct LineWalk<'l, 'g> {
    plies: std::slice::Iter<'l, AnnotatedPly<'g>>,
    /// The variations of the last ply.
    variations: std::slice::Iter<'l, AnnotatedLine<'g>>,
}

impl<'l, 'g> LineWalk<'l, 'g> {
    fn new(line: &'l AnnotatedLine<'g>) -> Self {
        Self { plies: line.plies.iter(), variations: [].iter() }
    }
}
