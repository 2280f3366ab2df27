//! What stands where: patterns and exact positions.

use super::error::QueryError;
use super::mask::BoardTest;
use super::spot::{MOST, SquareRef};
use crate::board::{Bits, Geometry, Numbering, SquareNames};
use crate::position::Position;
use crate::span::Span;
use crate::value::{Colour, Fen, FenSquare};

/// What a square may hold, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct SquareContents(pub(super) u8);

impl SquareContents {
    /// A white man.
    pub const WHITE_MAN: Self = Self(1);
    /// A white king.
    pub const WHITE_KING: Self = Self(2);
    /// A black man.
    pub const BLACK_MAN: Self = Self(4);
    /// A black king.
    pub const BLACK_KING: Self = Self(8);
    /// Nothing.
    pub const EMPTY: Self = Self(16);
    /// Whatever it is.
    pub const ANY: Self = Self(31);

    /// Either of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// None of these.
    #[must_use]
    pub const fn not(self) -> Self {
        Self(31 & !self.0)
    }

    /// The contents of a letter: `w W b B` for men and kings, `.` for nothing, `?` for whatever, `o` for any white
    /// piece, `x` for any black one, `m` for any man, `k` for any king, `p` for any piece.
    pub const fn of_letter(letter: char) -> Option<Self> {
        Some(Self(match letter {
            'w' => 1,
            'W' => 2,
            'b' => 4,
            'B' => 8,
            '.' => 16,
            '?' => 31,
            'o' => 3,
            'x' => 12,
            'm' => 5,
            'k' => 10,
            'p' => 15,
            _ => return None,
        }))
    }
}

/// What stands on some squares, or on all of them.
///
/// A pattern names squares and what they may hold; an exact position is a pattern that leaves nothing open. It fits
/// every board that has its squares; on others it is nowhere.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Pattern {
    text: String,
    source: PatternForm,
    squares: Vec<(SquareRef, SquareContents)>,
    rest: SquareContents,
    turn: Option<Colour>,
    /// Width and height of a drawn board.
    drawn: Option<(u8, u8)>,
    flipped: bool,
    mirrored: bool,
}

/// How a pattern was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum PatternForm {
    /// As a FEN.
    Fen,
    /// As squares, or drawn.
    Pattern,
}

impl Pattern {
    /// The position of a FEN: every square as it says, and the side to move if it says so (`?` leaves it open).
    ///
    /// # Errors
    /// When it is no FEN.
    pub fn fen(text: &str) -> Result<Self, QueryError> {
        let fen = Fen::parse(text.as_bytes())
            .map_err(|error| QueryError::new(error.span, format!("this is no FEN: {error}")).widened(text))?;
        let whole = Span::new(0, text.len() as u32);
        if fen.is_null_move() {
            return Err(QueryError::new(whole, "expected a position, and this only passes the turn"));
        }
        // Which squares a board has depends on the game; these are on none.
        let nowhere = |square| matches!(square, FenSquare::Number(number) if number > MOST.into());
        if let Some(piece) = fen.pieces().find(|piece| nowhere(piece.square)) {
            return Err(QueryError::new(piece.span, format!("expected squares up to {MOST}")));
        }
        let contents = |colour, king| match (colour, king) {
            (Colour::White, false) => SquareContents::WHITE_MAN,
            (Colour::White, true) => SquareContents::WHITE_KING,
            (Colour::Black, false) => SquareContents::BLACK_MAN,
            (Colour::Black, true) => SquareContents::BLACK_KING,
        };
        let squares =
            fen.pieces().map(|piece| (piece.square.into(), contents(piece.colour, piece.king))).collect();
        Ok(Self {
            rest: SquareContents::EMPTY,
            turn: fen.turn(),
            ..Self::bare(text, PatternForm::Fen, squares)
        })
    }

    /// Exactly this position.
    pub fn position(position: &Position) -> Self {
        // What a position prints is a FEN.
        Self::fen(&position.fen()).unwrap_or_else(|_| Self::bare("", PatternForm::Fen, Vec::new()))
    }

    /// A pattern as text: squares, or a drawn board if it has several lines or a `/`.
    ///
    /// Squares: items such as `w32,28 W5 bB19-24 .23 !b:c3`, each a set of letters (see
    /// [`SquareContents::of_letter`]), `!` before it for the opposite, and squares; a `:` stands before squares with letters.
    ///
    /// Drawn: the rows of the board as White sees it, a letter a cell; on cells that are not played on, and where only
    /// these are left out, blanks, `-`, `_` and `|` count for nothing.
    ///
    /// # Errors
    /// The first place that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        if text.trim().contains(['\n', '/']) { super::drawn::parse(text) } else { Self::compact(text) }
    }

    pub(super) fn bare(text: &str, source: PatternForm, squares: Vec<(SquareRef, SquareContents)>) -> Self {
        Self {
            text: text.to_owned(),
            source,
            squares,
            rest: SquareContents::ANY,
            turn: None,
            drawn: None,
            flipped: false,
            mirrored: false,
        }
    }

    pub(super) fn on_board(self, width: u8, height: u8) -> Self {
        Self { drawn: Some((width, height)), ..self }
    }

    fn compact(text: &str) -> Result<Self, QueryError> {
        let mut squares: Vec<(SquareRef, SquareContents)> = Vec::new();
        let mut at = 0;
        for item in text.split([' ', '\t']) {
            let start = at;
            at += item.len() + 1;
            if item.is_empty() {
                continue;
            }
            let error = |from: usize, to: usize, message: String| {
                QueryError::new(Span::new((start + from) as u32, (start + to) as u32), message)
            };
            let (negated, letters) = item.strip_prefix('!').map_or((false, item), |rest| (true, rest));
            let skipped = item.len() - letters.len();
            let end = letters.find(|c| SquareContents::of_letter(c).is_none()).unwrap_or(letters.len());
            let set = letters[..end].chars().filter_map(SquareContents::of_letter);
            let set = set.fold(SquareContents(0), SquareContents::or);
            if end == 0 {
                let width = letters.chars().next().map_or(0, char::len_utf8);
                let expected = "expected what stands there: w, W, b, B (men and kings), o or x (any white, any black \
                                piece), m, k, p (any man, king, piece), . (nothing)";
                return Err(error(skipped, skipped + width, expected.to_owned()));
            }
            let contents = if negated { set.not() } else { set };
            let rest = &letters[end..];
            let list = rest.strip_prefix(':').unwrap_or(rest);
            let mut place = item.len() - list.len();
            if rest.is_empty() || list.is_empty() {
                return Err(error(place, place, "expected squares, such as w32,28 or w:c3,d4".to_owned()));
            }
            if list.len() == rest.len() && !list.starts_with(|c: char| c.is_ascii_digit()) {
                let expected = "expected the number of a square, or `:` before squares with letters (w:c3)";
                return Err(error(place, item.len(), expected.to_owned()));
            }
            for part in list.split(',') {
                let bad = |what: &str| error(place, place + part.len(), what.to_owned());
                let range = part.split_once('-').filter(|_| part.as_bytes()[0].is_ascii_digit());
                if let Some((first, last)) = range {
                    let (Some(SquareRef::Number(first)), Some(SquareRef::Number(last))) =
                        (SquareRef::parse(first), SquareRef::parse(last))
                    else {
                        return Err(bad("expected two numbers of squares, such as 31-35"));
                    };
                    if first > last {
                        return Err(bad("expected the smaller number first"));
                    }
                    squares.extend((first..=last).map(|number| (SquareRef::Number(number), contents)));
                } else {
                    let spot =
                        SquareRef::parse(part).ok_or_else(|| bad("expected a square, such as 32 or c3"))?;
                    squares.push((spot, contents));
                }
                place += part.len() + 1;
            }
        }
        if squares.is_empty() {
            let span = Span::new(0, text.len() as u32);
            return Err(QueryError::new(
                span,
                "expected squares and what stands there, such as w32,28 b19 .23",
            ));
        }
        Ok(Self::bare(text, PatternForm::Pattern, squares))
    }

    /// Also the same with colours changed and the board turned by half a turn.
    #[must_use]
    pub fn or_flipped(self) -> Self {
        Self { flipped: true, ..self }
    }

    /// Also its mirror image, left and right exchanged. Only boards that use every cell have one: on the
    /// others it would stand on cells that are not played on.
    #[must_use]
    pub fn or_mirrored(self) -> Self {
        Self { mirrored: true, ..self }
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it was written.
    pub fn source(&self) -> PatternForm {
        self.source
    }

    /// Whether the flipped and the mirrored form count too.
    pub fn forms(&self) -> (bool, bool) {
        (self.flipped, self.mirrored)
    }

    /// Who must be to move.
    pub fn turn(&self) -> Option<Colour> {
        self.turn
    }

    /// The tests for a board under a numbering, any of which may fit; none where it has no such squares.
    pub(super) fn masks<G: Geometry>(&self, numbering: Numbering) -> Vec<BoardTest<G::Bits>> {
        let names = SquareNames::new(G::BOARD, numbering);
        let size = (G::LAYOUT.width, G::LAYOUT.height);
        if self.drawn.is_some_and(|drawn| drawn != size) {
            return Vec::new();
        }
        let mut allowed = [self.rest.0; 128];
        let mut named = [false; 128];
        for (spot, contents) in &self.squares {
            let Some(bit) = spot.bit(&names) else { return Vec::new() };
            let bit = usize::from(bit) & 127;
            // What is said twice must be true twice.
            allowed[bit] = if named[bit] { allowed[bit] & contents.0 } else { contents.0 };
            named[bit] = true;
        }
        let form = |mirror: bool, flip: bool| {
            let mut forbidden = [G::Bits::NONE; 5];
            for at in G::VALID.squares() {
                let mut contents = allowed[usize::from(at) & 127];
                let mut to = if mirror { mirrored::<G>(at) } else { at };
                if flip {
                    to = turned::<G>(to);
                    contents = (contents & 3) << 2 | (contents & 12) >> 2 | contents & 16;
                }
                for (kind, set) in forbidden.iter_mut().enumerate() {
                    if contents >> kind & 1 == 0 {
                        *set |= G::Bits::one(to);
                    }
                }
            }
            BoardTest { forbidden, turn: self.turn.map(|turn| if flip { !turn } else { turn }) }
        };
        let mut masks = vec![form(false, false)];
        for (mirror, flip) in [(false, true), (true, false), (true, true)] {
            if (!mirror || self.mirrored && G::LAYOUT.full) && (!flip || self.flipped) {
                let mask = form(mirror, flip);
                if !masks.contains(&mask) {
                    masks.push(mask);
                }
            }
        }
        masks
    }
}

/// The square at the other end after half a turn.
fn turned<G: Geometry>(at: u8) -> u8 {
    let (width, height) = (G::LAYOUT.width as i8, G::LAYOUT.height as i8);
    let cell = G::LAYOUT.cell(at);
    cell.and_then(|(row, column)| G::LAYOUT.bit(height - 1 - row, width - 1 - column)).unwrap_or(at)
}

/// The square with left and right exchanged, on a board that uses every cell.
fn mirrored<G: Geometry>(at: u8) -> u8 {
    let cell = G::LAYOUT.cell(at);
    cell.and_then(|(row, column)| G::LAYOUT.bit(row, G::LAYOUT.width as i8 - 1 - column)).unwrap_or(at)
}
