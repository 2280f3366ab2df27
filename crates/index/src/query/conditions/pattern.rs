//! Conditions on the contents of squares: patterns, exact positions, and the positions of a game of the index.

use std::fmt;
use std::str::FromStr;

use super::board_diagram::{self, DiagramFrame};
use super::squares::{MAX_SQUARE_NUMBER, SquareContents, SquareRef, square_expected};
use crate::query::error::QueryError;
use pdn::board::Board;
use pdn::internal::message::Message;
use pdn::position::Position;
use pdn::span::Span;
use pdn::value::{Colour, Fen};
use pdn_rules::internal::position::State;
use pdn_rules::internal::value::FenSquare;

/// A condition on the contents of some squares, or of all.
///
/// A pattern names squares and what each of them may hold. An exact position is a pattern that names all squares. A
/// pattern matches no position of a game whose board lacks one of the named squares.
///
/// ```
/// use pdn_index::internal::query::Pattern;
/// use pdn_index::query::Query;
///
/// let pattern: Pattern = "w27,28 b22".parse()?;
/// assert_eq!(Query::board(pattern), "pattern \"w27,28 b22\"".parse::<Query>()?);
/// # Ok::<_, pdn_index::query::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Pattern {
    text: String,
    form: PatternForm,
    /// The named squares with what they may hold, each name once.
    pub(in crate::query) squares: Vec<(SquareRef, SquareContents)>,
    /// What all other squares may hold.
    pub(in crate::query) elsewhere: SquareContents,
    turn: Option<Colour>,
    /// The board of a diagram.
    pub(in crate::query) diagram: Option<DiagramFrame>,
}

/// How a pattern was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum PatternForm {
    /// As a FEN.
    Fen,
    /// As a list of squares, or as a board diagram.
    Pattern,
}

impl Pattern {
    /// Creates the pattern of exactly the position of a FEN. The side to move must match too, unless the FEN has `?` in
    /// its place.
    ///
    /// # Errors
    /// [`QueryError`] if `text` is not a FEN, is that of a null move, or names a square above 72.
    pub fn fen(text: &str) -> Result<Self, QueryError> {
        let fen = Fen::parse(text.as_bytes()).map_err(|error| {
            QueryError::new(error.span, message!("fen", "this is no FEN: {error}")).widened(text)
        })?;
        let whole = Span::new(0, text.len() as u32);
        if fen.is_null_move() {
            let message = message!("passes_turn", "expected a position, and this only passes the turn");
            return Err(QueryError::new(whole, message));
        }
        // The board depends on the game, so that a number can be refused here only if it is on no board at all.
        let on_no_board =
            |square| matches!(square, FenSquare::Number(number) if number > MAX_SQUARE_NUMBER.into());
        if let Some(piece) = fen.pieces().find(|piece| on_no_board(piece.square)) {
            return Err(QueryError::new(
                piece.span,
                message!("squares_to", "expected squares up to {most}", most = u64::from(MAX_SQUARE_NUMBER)),
            ));
        }
        let contents = |colour, king| match (colour, king) {
            (Colour::White, false) => SquareContents::WHITE_MAN,
            (Colour::White, true) => SquareContents::WHITE_KING,
            (Colour::Black, false) => SquareContents::BLACK_MAN,
            (Colour::Black, true) => SquareContents::BLACK_KING,
        };
        let mut squares = Vec::new();
        for piece in fen.pieces() {
            add(&mut squares, piece.square.into(), contents(piece.colour, piece.king), piece.span)?;
        }
        Ok(Self {
            elsewhere: SquareContents::EMPTY,
            turn: fen.turn(),
            ..Self::bare(text, PatternForm::Fen, squares)
        })
    }

    /// Creates the pattern of exactly this position, side to move included, king counters left out.
    ///
    /// It names the squares as the position does, so that it also matches games of other rules with these square names.
    pub fn position(position: &Position) -> Self {
        // `Position::fen` always writes a valid FEN.
        Self::fen(&position.fen()).unwrap_or_else(|_| Self::bare("", PatternForm::Fen, Vec::new()))
    }

    /// Parses a pattern: a list of squares, or a board diagram if the text has several lines or a `/`.
    ///
    /// A list has items such as `w32,28 W5 bB19-24 .23 !b:c3`. Each item is a set of letters (see
    /// [`SquareContents::of_letter`]), `!` before it for the opposite, and squares; a `:` precedes squares with letters.
    ///
    /// A diagram has the rows of the board as White sees it, separated by line ends or `/`, with one letter per playing
    /// square. Spaces, `-`, `_`, `|` and brackets are skipped, so that cells that are not playing squares may be drawn or
    /// not. It may also be a board as `pdn show` draws it without colours: with the symbols `⛀ ⛁ ⛂ ⛃ ·`, with numbers or
    /// names of squares, which show whether White or Black is at the bottom, and with the side to move.
    ///
    /// # Errors
    /// [`QueryError`] with the first part of the text that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        if !text.trim().contains(['\n', '/']) {
            return Self::parse_list(text);
        }
        let diagram = board_diagram::parse(text)?;
        let (turn, frame) = (diagram.turn, Some(diagram.frame));
        Ok(Self { turn, diagram: frame, ..Self::bare(text, PatternForm::Pattern, diagram.squares) })
    }

    /// Creates a pattern that allows anything on other squares and either side to move.
    fn bare(text: &str, form: PatternForm, squares: Vec<(SquareRef, SquareContents)>) -> Self {
        Self {
            text: text.to_owned(),
            form,
            squares,
            elsewhere: SquareContents::ANY,
            turn: None,
            diagram: None,
        }
    }

    fn parse_list(text: &str) -> Result<Self, QueryError> {
        let mut squares: Vec<(SquareRef, SquareContents)> = Vec::new();
        let mut offset = 0;
        for item in text.split([' ', '\t']) {
            if !item.is_empty() {
                parse_item(item, &mut squares).map_err(|error| error.shifted(offset))?;
            }
            offset += item.len() + 1;
        }
        if squares.is_empty() {
            let span = Span::new(0, text.len() as u32);
            return Err(QueryError::new(
                span,
                message!(
                    "expected_examples",
                    "expected squares and what stands there, such as {examples}",
                    examples = &["w32,28 b19 .23"][..]
                ),
            ));
        }
        Ok(Self::bare(text, PatternForm::Pattern, squares))
    }

    /// Returns `true` if no position matches both patterns, as far as their squares have the same names.
    pub(in crate::query) fn excludes(&self, other: &Self) -> bool {
        let other_turn = self.turn.zip(other.turn).is_some_and(|(one, other)| one != other);
        let on = |pattern: &Self, square| {
            let named = pattern.squares.iter().filter(|(own, _)| *own == square);
            named.fold(SquareContents::ANY, |all, (_, contents)| all.and(*contents))
        };
        let contradicts = |&(square, _): &(SquareRef, _)| {
            on(self, square).and(on(other, square)) == SquareContents::NOTHING
        };
        other_turn || self.squares.iter().any(contradicts)
    }

    /// Returns the text that the pattern was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how the pattern was written.
    pub fn source(&self) -> PatternForm {
        self.form
    }

    /// Returns `true` if the pattern says of every square of the board what it may hold.
    pub(in crate::query) fn names_all_squares(&self) -> bool {
        self.elsewhere != SquareContents::ANY
    }

    /// Returns the side that must be to move; `None` for either.
    pub fn turn(&self) -> Option<Colour> {
        self.turn
    }
}

impl FromStr for Pattern {
    type Err = QueryError;

    /// Parses a pattern as [`Pattern::parse`] does.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        Self::parse(text)
    }
}

/// Adds a square with what it may hold; one that is named twice must match both. `span` is the place of both in the text.
///
/// # Errors
/// [`QueryError`] if nothing can stand there, by itself or because of what the pattern says about the square before.
fn add(
    squares: &mut Vec<(SquareRef, SquareContents)>,
    square: SquareRef,
    contents: SquareContents,
    span: Span,
) -> Result<(), QueryError> {
    if contents == SquareContents::NOTHING {
        return Err(QueryError::new(
            span,
            message!(
                "nothing_left",
                "this leaves nothing that can stand on {square}",
                square = square.to_string()
            ),
        ));
    }
    let Some((_, earlier)) = squares.iter_mut().find(|(other, _)| *other == square) else {
        squares.push((square, contents));
        return Ok(());
    };
    let both = earlier.and(contents);
    if both == SquareContents::NOTHING {
        let message = message!(
            "square_twice",
            "this contradicts an earlier part, which names {square} too",
            square = square.to_string()
        );
        return Err(QueryError::new(span, message));
    }
    *earlier = both;
    Ok(())
}

/// Parses one item of a list, such as `w32,28` or `!b:c3`, and appends its squares. Spans are relative to the item.
fn parse_item(item: &str, squares: &mut Vec<(SquareRef, SquareContents)>) -> Result<(), QueryError> {
    let span = |from: usize, to: usize| Span::new(from as u32, to as u32);
    let error = |from: usize, to: usize, message: Message| QueryError::new(span(from, to), message);
    let (negated, letters) = item.strip_prefix('!').map_or((false, item), |rest| (true, rest));
    let letters_start = item.len() - letters.len();
    let end = letters.find(|c| SquareContents::of_letter(c).is_none()).unwrap_or(letters.len());
    let set = letters[..end].chars().filter_map(SquareContents::of_letter);
    let set = set.fold(SquareContents::NOTHING, SquareContents::or);
    if end == 0 {
        let width = letters.chars().next().map_or(0, char::len_utf8);
        let expected = message!(
            "expected_examples",
            "expected what stands there: {examples} (white man, white king, black man, black king, any white piece, any black piece, any man, \
             any king, any piece, nothing)",
            examples = &["w", "W", "b", "B", "o", "x", "m", "k", "p", "."][..],
        );
        return Err(error(letters_start, letters_start + width, expected));
    }
    let contents = if negated { set.not() } else { set };
    let rest = &letters[end..];
    let list = rest.strip_prefix(':').unwrap_or(rest);
    let mut at = item.len() - list.len();
    if rest.is_empty() || list.is_empty() {
        return Err(error(
            at,
            at,
            message!(
                "expected_examples",
                "expected squares, such as {examples}",
                examples = &["w32,28", "w:c3,d4"][..]
            ),
        ));
    }
    if list.len() == rest.len() && !list.starts_with(|c: char| c.is_ascii_digit()) {
        let expected = message!(
            "expected_examples",
            "expected the number of a square, or `:` before squares with letters: {examples}",
            examples = &["w32", "w:c3"][..]
        );
        return Err(error(at, item.len(), expected));
    }
    for part in list.split(',') {
        let wrong = |message: Message| error(at, at + part.len(), message);
        let range = part.split_once('-').filter(|_| part.as_bytes()[0].is_ascii_digit());
        if let Some((first, last)) = range {
            let (Some(SquareRef::Number(first)), Some(SquareRef::Number(last))) =
                (SquareRef::parse(first), SquareRef::parse(last))
            else {
                return Err(wrong(message!(
                    "expected_examples",
                    "expected two numbers of squares, such as {examples}",
                    examples = &["31-35"][..]
                )));
            };
            if first > last {
                return Err(wrong(message!("smaller_first", "expected the smaller number first")));
            }
            for number in first..=last {
                add(squares, SquareRef::Number(number), contents, span(at, at + part.len()))?;
            }
        } else {
            let square = SquareRef::parse(part).ok_or_else(|| wrong(square_expected()))?;
            add(squares, square, contents, span(at, at + part.len()))?;
        }
        at += part.len() + 1;
    }
    Ok(())
}

/// The positions of a game of the index: one of them, `fen of 123 at 40`, or all from a ply on, `meets 123 from 20`.
///
/// ```
/// use pdn_index::internal::query::GamePositions;
/// use pdn_index::query::Query;
///
/// assert_eq!(Query::in_game(GamePositions::at(123, 40)), Query::parse("fen of 123 at 40").unwrap());
/// assert_eq!(GamePositions::from(123, 20).to_string(), "meets 123 from 20");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct GamePositions {
    /// The number of the game in the index, from 1.
    pub(in crate::query) game: u64,
    /// The number of plies before the first of its positions.
    pub(in crate::query) first: u32,
    /// Whether it is the only one.
    pub(in crate::query) is_single: bool,
    /// The positions, once they were read from an index.
    pub(in crate::query) found: Option<FoundPositions>,
}

/// Positions that were read from an index.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(in crate::query) struct FoundPositions {
    /// Their board.
    pub(in crate::query) board: Board,
    /// Whether the lower right cell of the board is a playing square.
    pub(in crate::query) is_inverted: bool,
    pub(in crate::query) states: Vec<State<u128>>,
}

impl GamePositions {
    /// Creates the condition on the position of a game, numbered from 1, after `ply` plies.
    pub fn at(game: u64, ply: u32) -> Self {
        Self { game, first: ply, is_single: true, found: None }
    }

    /// Creates the condition on all positions of a game, numbered from 1, after `first` plies or more.
    pub fn from(game: u64, first: u32) -> Self {
        Self { game, first, is_single: false, found: None }
    }
}

impl fmt::Display for GamePositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, first, .. } = self;
        if self.is_single {
            write!(f, "fen of {game} at {first}")
        } else {
            write!(f, "meets {game} from {first}")
        }
    }
}
