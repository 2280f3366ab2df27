//! Positions from FEN and back. [`value::Fen`](crate::value::Fen) parses the syntax; this module places the pieces
//! on a board.
//!
//! Both kinds of square names are accepted in every game: an algebraic game may have a numeric FEN and the reverse.
//! What a position may contain is strict, except in the lenient constructors: archives hold problems with men on
//! their promotion row, and studies without a side to move.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::Position;
use super::state::State;
use crate::board::{Square, SquareNames, SquareNaming};
use crate::rules::GameRules;
use crate::value::Span;
use crate::value::{Colour, Fen, FenPiece, FenSquare, FenStyle, FenWriter, ValueError};

/// A defect of a position: its kind, and the bytes of the FEN that show it.
///
/// ```
/// use pdn_rules::position::Position;
/// use pdn_rules::internal::position::PositionErrorKind;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::value::Fen;
///
/// let error = Position::from_fen(Variant::International, &Fen::parse(b"W:W31,51:B1")?).unwrap_err();
/// assert_eq!((error.kind, error.span.range()), (PositionErrorKind::OffBoard, 6..8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct PositionError {
    /// The kind of the defect.
    #[doc(hidden)]
    pub kind: PositionErrorKind,
    /// The span of the defect, relative to the text of the FEN.
    pub span: Span,
}

/// The kind of defect of a position whose text can be parsed.
///
/// ```
/// use pdn_rules::internal::position::PositionErrorKind;
///
/// assert!(PositionErrorKind::OffBoard.is_hard() && !PositionErrorKind::TooManyPieces.is_hard());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum PositionErrorKind {
    /// The board has no square with this number or name.
    OffBoard,
    /// The cell is on the board but is not a playing square. Most likely the FEN belongs to another game or to the
    /// mirrored board.
    NotPlayedOn,
    /// A white and a black piece stand on the same square.
    BothColours,
    /// A man and a king of one colour stand on the same square.
    ManAndKing,
    /// The same piece is named twice.
    Repeated,
    /// A man stands on the row where it would have been promoted.
    ManOnPromotionRow,
    /// A side has more pieces than any game on this board.
    TooManyPieces,
    /// There is no piece on the board.
    NoPieces,
    /// The text has a letter for each square, but the board has another number of squares.
    OtherBoard,
    /// The text only passes the turn: it is a null move.
    NullMove,
    /// The text does not name the side to move.
    UnknownTurn,
}

impl PositionErrorKind {
    /// Returns `true` if even the lenient constructors refuse the position, because the text names no position on
    /// this board.
    pub const fn is_hard(self) -> bool {
        matches!(
            self,
            Self::OffBoard
                | Self::OtherBoard
                | Self::NotPlayedOn
                | Self::BothColours
                | Self::ManAndKing
                | Self::NullMove
        )
    }
}

impl fmt::Display for PositionErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "there is no such square on the board",
            Self::NotPlayedOn => "this cell of the board is not played on",
            Self::BothColours => "a white and a black piece stand on this square",
            Self::ManAndKing => "a man and a king stand on this square",
            Self::Repeated => "this piece is named twice",
            Self::ManOnPromotionRow => "a man stands on the row where it becomes a king",
            Self::TooManyPieces => "a side has more pieces than the game has",
            Self::NoPieces => "there is no piece on the board",
            Self::OtherBoard => "the text has a letter for each square of another board",
            Self::NullMove => "a null move is no position",
            Self::UnknownTurn => "the side to move is not given",
        })
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl core::error::Error for PositionError {}

/// The reason why a text is not the FEN of a position in a game.
///
/// ```
/// use pdn_rules::position::ParseFenError;
/// use pdn_rules::{Position, Variant};
///
/// let error = |fen| Position::parse_fen(Variant::International, fen).unwrap_err();
/// assert!(matches!(error("rubbish"), ParseFenError::Syntax(_)));
/// assert!(matches!(error("W:W51:B1"), ParseFenError::Position(_)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseFenError {
    /// The text is not FEN.
    Syntax(ValueError),
    /// The text is FEN, but no sound position of this game.
    Position(PositionError),
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Position(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseFenError {}

impl From<ValueError> for ParseFenError {
    fn from(error: ValueError) -> Self {
        Self::Syntax(error)
    }
}

impl From<PositionError> for ParseFenError {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl Position {
    /// Parses a FEN as a position of this game.
    ///
    /// ```
    /// use pdn_rules::position::Position;
    /// use pdn_rules::rules::Variant;
    ///
    /// let position = Position::parse_fen(Variant::Russian, "W:Wc3,Kg1:Bb8,h6")?;
    /// assert_eq!(position.to_string(), "W:Wc3,Kg1:Bb8,h6");
    /// # Ok::<(), pdn_rules::position::ParseFenError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseFenError::Syntax`] if the text is not FEN, [`ParseFenError::Position`] for the first defect that
    /// [`from_fen`](Self::from_fen) reports.
    pub fn parse_fen(game: impl Into<GameRules>, text: &str) -> Result<Self, ParseFenError> {
        Ok(Self::from_fen(game, &Fen::parse(text.as_bytes())?)?)
    }

    /// Creates the position of a FEN in this game. Builds the names of the squares, and takes about 10 ns per
    /// piece.
    ///
    /// # Errors
    /// The first defect, with the bytes that show it.
    pub fn from_fen(game: impl Into<GameRules>, fen: &Fen<'_>) -> Result<Self, PositionError> {
        let mut first = None;
        let position = Self::from_fen_lenient(game, fen, |warning| {
            first.get_or_insert(warning);
        })?;
        first.map_or(Ok(position), Err)
    }

    /// Creates the position of a FEN in this game and accepts defects. Men may stand on their promotion row (they
    /// stay men), a side may have any number of pieces, and the board may be empty. If the side to move is unknown,
    /// it is the side that starts the game. Each accepted defect is passed to `warn`.
    ///
    /// # Errors
    /// The first defect that leaves no position; see `PositionErrorKind::is_hard`.
    pub fn from_fen_lenient(
        game: impl Into<GameRules>,
        fen: &Fen<'_>,
        warn: impl FnMut(PositionError),
    ) -> Result<Self, PositionError> {
        let game = game.into();
        Self::from_fen_named(game, &game.names(), fen, warn)
    }

    /// Does the same as [`from_fen_lenient`](Self::from_fen_lenient) with square names that the caller has built.
    ///
    /// # Errors
    /// The same as [`from_fen_lenient`](Self::from_fen_lenient).
    pub fn from_fen_named(
        game: GameRules,
        names: &SquareNames,
        fen: &Fen<'_>,
        mut warn: impl FnMut(PositionError),
    ) -> Result<Self, PositionError> {
        let board = game.rules.board;
        let layout = board.layout();
        let last_rows = [layout.row(0), layout.row(layout.height as i8 - 1)];
        let whole = Span::new(0, u32::try_from(fen.text().len()).unwrap_or(u32::MAX));
        let error = |kind, span| PositionError { kind, span };
        if fen.is_null_move() {
            return Err(error(PositionErrorKind::NullMove, whole));
        }
        if fen.board_squares().is_some_and(|squares| squares != usize::from(board.squares())) {
            return Err(error(PositionErrorKind::OtherBoard, whole));
        }
        let turn = fen.turn().unwrap_or_else(|| {
            warn(error(PositionErrorKind::UnknownTurn, Span::new(0, whole.end.min(1))));
            game.numbering.start
        });
        let mut state = State::<u128>::empty(turn);
        for piece in fen.pieces() {
            let square = square_of(names, piece.square).map_err(|kind| error(kind, piece.span))?;
            let bit = 1u128 << square.bit();
            let side = piece.colour as usize;
            if state.pieces[1 - side] & bit != 0 {
                return Err(error(PositionErrorKind::BothColours, piece.span));
            }
            if state.pieces[side] & bit != 0 {
                if (state.kings & bit != 0) != piece.king {
                    return Err(error(PositionErrorKind::ManAndKing, piece.span));
                }
                warn(error(PositionErrorKind::Repeated, piece.span));
                continue;
            }
            state.pieces[side] |= bit;
            if piece.king {
                state.kings |= bit;
            } else if last_rows[side] & bit != 0 {
                warn(error(PositionErrorKind::ManOnPromotionRow, piece.span));
            }
            if state.pieces[side].count_ones() == u32::from(board.max_pieces()) + 1 {
                warn(error(PositionErrorKind::TooManyPieces, piece.span));
            }
        }
        if state.occupied() == 0 {
            warn(error(PositionErrorKind::NoPieces, whole));
        }
        Ok(Self::from_state(game, state))
    }

    /// Returns the position as FEN, with the kind of square names that the game prefers, in ascending order.
    pub fn fen(&self) -> String {
        self.fen_in(self.game().numbering.letters)
    }

    /// Returns the position as FEN with numbers or letters.
    pub fn fen_in(&self, letters: SquareNaming) -> String {
        FenWriter::new(Some(self.turn()), self.named_pieces(letters).into_iter()).to_string()
    }

    /// Returns the position in a style: as [`fen`](Self::fen), or as engines exchange it.
    pub fn fen_as(&self, style: FenStyle) -> String {
        match style {
            FenStyle::Pdn => self.fen(),
            FenStyle::Hub => self.hub(),
        }
    }

    /// Writes a letter for each square.
    fn hub(&self) -> String {
        let (names, state) = (self.names(), self.state());
        let letter = |square: Square| {
            let is_king = state.kings >> square.0 & 1 != 0;
            let side = Colour::ALL.into_iter().find(|&side| state.side(side) >> square.0 & 1 != 0);
            match (side, is_king) {
                (None, _) => 'e',
                (Some(side), true) => side.letter(),
                (Some(side), false) => side.letter().to_ascii_lowercase(),
            }
        };
        let squares = 1..=u16::from(self.rules().board.squares());
        let letters = squares.filter_map(|number| names.of_number(number)).map(letter);
        core::iter::once(self.turn().letter()).chain(letters).collect()
    }

    /// Returns the position as FEN with runs of three and more pieces written as ranges: `W:W31-50:B1-20`.
    pub fn fen_with_ranges(&self) -> String {
        let pieces = self.named_pieces(self.game().numbering.letters);
        FenWriter::new(Some(self.turn()), pieces.into_iter()).with_ranges().to_string()
    }

    fn named_pieces(&self, letters: SquareNaming) -> Vec<FenPiece> {
        let names = self.names();
        let mut pieces = Vec::with_capacity(64);
        for colour in Colour::ALL {
            for at in crate::board::Bits::squares(self.state().side(colour)) {
                let square = match letters {
                    SquareNaming::Numeric => FenSquare::Number(names.number(Square(at)).into()),
                    SquareNaming::Algebraic => {
                        let (file, rank) = names.algebraic(Square(at));
                        FenSquare::Algebraic { file, rank }
                    }
                };
                pieces.push(FenPiece::new(colour, self.state().kings >> at & 1 != 0, square));
            }
        }
        pieces.sort_unstable_by_key(|piece| (piece.colour, piece.square));
        pieces
    }
}

fn square_of(names: &SquareNames, square: FenSquare) -> Result<Square, PositionErrorKind> {
    match square {
        FenSquare::Number(number) => names.of_number(number).ok_or(PositionErrorKind::OffBoard),
        FenSquare::Algebraic { file, rank } => names.of_algebraic(file, rank).ok_or_else(|| {
            if file < names.board().width() && (1..=names.board().height()).contains(&rank) {
                PositionErrorKind::NotPlayedOn
            } else {
                PositionErrorKind::OffBoard
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::PositionErrorKind::*;
    use super::*;
    use crate::rules::Variant;
    use alloc::format;

    fn read(variant: Variant, text: &str) -> Result<Position, PositionError> {
        Position::from_fen(variant, &Fen::parse(text.as_bytes()).expect("FEN syntax"))
    }

    fn check_defect(variant: Variant, text: &str, kind: PositionErrorKind, bytes: &str) {
        let fen = Fen::parse(text.as_bytes()).expect("FEN syntax");
        let error = Position::from_fen(variant, &fen).expect_err("a defect");
        assert_eq!(
            (error.kind, error.span.of(text.as_bytes())),
            (kind, bytes.as_bytes()),
            "{variant} {text}"
        );
        let lenient = Position::from_fen_lenient(variant, &fen, |_| {});
        assert_eq!(lenient.is_err(), kind.is_hard(), "{variant} {text}");
    }

    #[test]
    fn defects_are_reported_with_their_kind_and_bytes() {
        let kings = format!("W:WK{}:B", (1..=100).map(|n| n.to_string()).collect::<Vec<_>>().join(",K"));
        let hub = Position::start(Variant::English).fen_as(FenStyle::Hub);
        for (variant, text, kind, bytes) in [
            (Variant::International, "W:W31,51:B1", OffBoard, "51"),
            (Variant::English, "W:W31-50:B1-20", OffBoard, "31-50"),
            (Variant::Russian, "W:Wa1,b2,i1:Bh8", OffBoard, "i1"),
            (Variant::Russian, "W:Wa1,a2:Bh8", NotPlayedOn, "a2"),
            (Variant::Italian, "W:Wa1:Bh1", NotPlayedOn, "a1"),
            (Variant::International, "W:W6,K6:B1,1", OffBoard, ""),
            (Variant::International, "W:W6,6:B1", Repeated, "6"),
            (Variant::International, "W:W6,K2,3:B10", ManOnPromotionRow, "3"),
            (Variant::Spanish, "W:W6:B10,2", ManOnPromotionRow, "2"),
            (Variant::International, "B:W31:B46-48", ManOnPromotionRow, "46-48"),
            (Variant::Turkish, "W:Wa8:Ba7", ManOnPromotionRow, "a8"),
            (Variant::International, "W:WK1-21:B50", TooManyPieces, "K1-21"),
            (Variant::International, &kings, TooManyPieces, "K21"),
            (Variant::International, "W:W:B", NoPieces, "W:W:B"),
            (Variant::International, "B:::", NullMove, "B:::"),
            (Variant::International, &hub, OtherBoard, &hub),
            (Variant::International, "?:W29,13:B22", UnknownTurn, "?"),
        ] {
            if bytes.is_empty() {
                assert!(Fen::parse(text.as_bytes()).is_err(), "{text} is not FEN");
            } else if kind == TooManyPieces && text.contains("100") {
                let error = read(variant, text).expect_err("a defect");
                assert_eq!(error.kind, OffBoard, "square 51 is a hard error, after the warning");
            } else {
                check_defect(variant, text, kind, bytes);
            }
        }
    }

    #[test]
    fn both_kinds_of_names_are_read_in_every_game() {
        for (variant, numeric, algebraic) in [
            (Variant::Russian, "W:W22,K32:B1,12", "W:Wc3,Kg1:Bb8,h6"),
            (Variant::International, "W:W46,50:B1", "W:Wa1,i1:Bb10"),
            (Variant::Italian, "B:W32:B1,K29", "B:Wh1:Ba8,Kb1"),
            (Variant::Thai, "B:W1:B32", "B:Wg1:Bb8"),
            (Variant::Turkish, "W:W57:BK1", "W:Wa1:BKa8"),
            (Variant::Spanish, "W:W1:B32", "W:Wh1:Ba8"),
        ] {
            let one = read(variant, numeric).expect("numbers");
            let other = read(variant, algebraic).expect("letters");
            assert_eq!(one, other, "{variant}");
            assert_eq!(one.fen_in(SquareNaming::Numeric), numeric);
            assert_eq!(one.fen_in(SquareNaming::Algebraic), algebraic);
        }
    }

    #[test]
    fn hub_positions_are_read_as_they_were() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            // A walk through captures and promotions, from move to move by a fixed rule.
            for ply in 0..200 {
                let hub = position.fen_as(FenStyle::Hub);
                assert_eq!(hub.len(), 1 + usize::from(variant.board().squares()));
                let read = Position::parse_fen(variant, &hub).map(|read| read.fen());
                assert_eq!(read, Ok(position.fen()), "{variant} {hub}");
                let moves = position.moves().expect("few captures");
                let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                position = position.after_unchecked(mv);
            }
        }
        let start = Position::start(Variant::International).fen_as(FenStyle::Hub);
        assert_eq!(start, ["W", &"b".repeat(20), &"e".repeat(10), &"w".repeat(20)].concat());
    }

    #[test]
    fn start_positions_equal_their_published_fen() {
        for (variant, text) in [
            (Variant::International, "W:W31-50:B1-20"),
            (Variant::English, "B:W21-32:B1-12"),
            (Variant::Italian, "W:W21-32:B1-12"),
            (Variant::Spanish, "W:W1-12:B21-32"),
            (Variant::Canadian, "W:W43-72:B1-30"),
            (Variant::Thai, "B:W1-8:B25-32"),
            (Variant::Frysk, "W:W46-50:B1-5"),
            (Variant::Turkish, "W:W41-56:B9-24"),
        ] {
            assert_eq!(read(variant, text), Ok(Position::start(variant)));
        }
        assert_eq!(Position::start(Variant::International).fen_with_ranges(), "W:W31-50:B1-20");
    }
}
