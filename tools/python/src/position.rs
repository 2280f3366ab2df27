//! Positions and moves.

use std::fmt::Write as _;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use pdn::board::{Square, SquareNames};
use pdn::internal::replay::CandidateGame;
use pdn::movegen::{self, MoveList};
use pdn::notation::MoveStyle;
use pdn::position::Piece;
use pdn::replay::play_text;
use pdn::rules::{ParseVariantError, Variant};
use pdn::value::{Colour, Fen};
use pdn_app::draw::board::{DrawOptions, svg};
use pdn_rules::internal::notation::write_move;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{error, text_error};

/// The depth from which leaves are counted without looking for Ctrl-C.
const QUICK_DEPTH: u32 = 5;

/// A position under the rules of a variant. It never changes: `play` returns a new one.
///
/// Without arguments it is the start position of international draughts. `variant` is a name, or the value of a GameType tag,
/// which may number the squares otherwise, such as `20,W,10,10,N1,0`.
///
/// >>> import pdn
/// >>> position = pdn.Position("russian")
/// >>> [move.text for move in position.legal_moves()]
/// ['a3-b4', 'c3-b4', 'c3-d4', 'e3-d4', 'e3-f4', 'g3-f4', 'g3-h4']
/// >>> position.play("c3-d4").turn
/// 'black'
/// >>> pdn.Position(fen="W:W31,K46:B10,20").white_kings
/// [46]
#[pyclass(frozen, eq, hash, module = "pdn")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    position: pdn::Position,
    variant: Variant,
    /// The names of the squares, which take longer to make than the moves.
    names: &'static SquareNames,
}

/// The names of squares of games that number them otherwise than their variant, made once for each numbering.
static OTHER_NAMES: RwLock<Vec<&'static SquareNames>> = RwLock::new(Vec::new());

/// Returns the names of the squares of a position in a game of this variant.
fn names_of(position: &pdn::Position, variant: Variant) -> &'static SquareNames {
    let (board, numbering) = (position.board(), position.game().numbering);
    let fits = |names: &&'static SquareNames| names.board() == board && names.numbering() == numbering;
    let find = |others: &[&'static SquareNames]| others.iter().copied().find(fits);
    if let Some(names) = Some(variant.names()).filter(fits) {
        return names;
    }
    if let Some(names) = find(&OTHER_NAMES.read().unwrap_or_else(PoisonError::into_inner)) {
        return names;
    }
    let mut others = OTHER_NAMES.write().unwrap_or_else(PoisonError::into_inner);
    find(&others).unwrap_or_else(|| {
        // There are few boards and numberings, so that little is kept for ever.
        let names: &'static SquareNames = Box::leak(Box::new(position.names()));
        others.push(names);
        names
    })
}

// Variants that differ only in name have equal positions.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

impl std::hash::Hash for Position {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.position.key().0.hash(state);
    }
}

/// A legal move, with the position that it is played in.
///
/// >>> import pdn
/// >>> move = pdn.Position(fen="W:W27:B21,22,12").legal_moves()[0]
/// >>> move.text, move.captured, move.path
/// ('27x7', [12, 22], [27, 18, 7])
#[pyclass(frozen, eq, module = "pdn")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Move {
    before: Position,
    mv: pdn::Move,
}

impl Move {
    pub(crate) fn new(before: Position, mv: pdn::Move) -> Self {
        Self { before, mv }
    }

    /// Returns the position of the library, and the move that is played in it.
    pub(crate) fn played(&self) -> (pdn::Position, pdn::Move) {
        (self.before.position, self.mv)
    }

    /// Appends the move as PDN 3.0 writes it.
    fn write(&self, text: &mut String) {
        let Self { before, mv } = self;
        // Only a capture of a position beyond all limits takes the other way.
        if write_move(&before.position, before.names, mv, MoveStyle::Shortest, text).is_err() {
            text.push_str(&before.position.move_text(mv, MoveStyle::Shortest));
        }
    }
}

/// Returns a colour in lower case.
pub(crate) fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

/// Reads a position from a FEN, with or without the tag around it.
pub(crate) fn parse_fen(
    py: Python<'_>,
    variant: impl Into<CandidateGame>,
    text: &str,
) -> PyResult<pdn::Position> {
    let candidate: CandidateGame = variant.into();
    let variant = candidate.variant;
    let failed = |at: u32, message: String| text_error(py, "fen", text, at as usize, message);
    let fen = Fen::parse(text.as_bytes()).map_err(|bad| failed(bad.span.start, bad.to_string()))?;
    pdn::Position::from_fen_lenient(candidate.game(), &fen, |_| {})
        .map_err(|bad| failed(bad.span.start, format!("{bad} (as a position of {variant})")))
}

/// Plays the moves of a text from a position.
pub(crate) fn play(py: Python<'_>, start: &pdn::Position, text: &str) -> PyResult<pdn::Position> {
    play_text(start, text).map_err(|bad| {
        let at = bad.span.start as usize;
        let written = text.get(at..bad.span.end as usize).unwrap_or_default();
        text_error(py, "play", text, at, format!("`{written}` cannot be played: {}", bad.reason))
    })
}

/// Returns an argument as a text of moves. The error says that a move or such a text was expected.
fn text_of_moves(argument: &Bound<'_, PyAny>) -> PyResult<String> {
    let Ok(text) = argument.extract() else {
        let kind = argument.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected a move or a text of moves, not {kind}")));
    };
    Ok(text)
}

impl Position {
    /// Creates a position of a game of this variant.
    pub(crate) fn of(position: pdn::Position, variant: Variant) -> Self {
        Self { position, variant, names: names_of(&position, variant) }
    }

    /// Creates a position of the same game.
    fn with(&self, position: pdn::Position) -> Self {
        Self { position, ..*self }
    }

    /// Returns the position of the library.
    pub(crate) fn get(&self) -> &pdn::Position {
        &self.position
    }

    /// Returns the variant.
    pub(crate) fn kind(&self) -> Variant {
        self.variant
    }

    /// Iterates over the pieces, by the number of their square.
    fn numbered_pieces(&self) -> impl Iterator<Item = (u16, Piece)> + use<'_> {
        let piece = |number| {
            let square = self.names.of_number(number)?;
            Some((number, self.position.piece(square)?))
        };
        (1..=u16::from(self.position.board().squares())).filter_map(piece)
    }

    /// Returns the numbers of the squares of one kind of piece.
    fn squares(&self, colour: Colour, king: bool) -> Vec<u16> {
        let is_kind = |(_, piece): &(u16, Piece)| piece.colour == colour && piece.king == king;
        self.numbered_pieces().filter(is_kind).map(|(number, _)| number).collect()
    }

    /// Draws the position `width` pixels wide, with the numbers of its squares.
    pub(crate) fn draw(&self, width: u32, last_move: Option<(Square, Square)>) -> String {
        let options = DrawOptions { square_names: true, last_move, ..DrawOptions::default() };
        svg(self.get(), &DrawOptions { width: Some(width), ..options })
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (variant="international", fen=None))]
    fn new(py: Python<'_>, variant: &str, fen: Option<&str>) -> PyResult<Self> {
        let candidate: CandidateGame =
            variant.parse().map_err(|unknown: ParseVariantError| error(py, format!("variant: {unknown}")))?;
        let position = match fen {
            None => pdn::Position::start(candidate.game()),
            Some(text) => parse_fen(py, candidate, text)?,
        };
        Ok(Self::of(position, candidate.variant))
    }

    /// The position as a FEN.
    #[getter]
    fn fen(&self) -> String {
        self.get().fen()
    }

    /// The name of the variant, such as `international`.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// The full value of the GameType tag, such as `20,W,10,10,N2,0`, which says how the squares are numbered, too.
    #[getter]
    fn game_type(&self) -> String {
        self.variant.tag_with(self.get().game().numbering)
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn turn(&self) -> &'static str {
        colour_name(self.get().turn())
    }

    /// The key of the position: 64 bits, the same in every version and on every machine.
    #[getter]
    fn key(&self) -> u64 {
        self.get().key().0
    }

    /// The numbers of the squares of the white men.
    #[getter]
    fn white_men(&self) -> Vec<u16> {
        self.squares(Colour::White, false)
    }

    /// The numbers of the squares of the white kings.
    #[getter]
    fn white_kings(&self) -> Vec<u16> {
        self.squares(Colour::White, true)
    }

    /// The numbers of the squares of the black men.
    #[getter]
    fn black_men(&self) -> Vec<u16> {
        self.squares(Colour::Black, false)
    }

    /// The numbers of the squares of the black kings.
    #[getter]
    fn black_kings(&self) -> Vec<u16> {
        self.squares(Colour::Black, true)
    }

    /// White men, white kings, black men and black kings as integers: bit `n - 1` is the square with number `n`.
    #[getter]
    fn bitboards(&self) -> (u128, u128, u128, u128) {
        let mut bits = [0u128; 4];
        for (number, piece) in self.numbered_pieces() {
            bits[usize::from(piece.colour == Colour::Black) * 2 + usize::from(piece.king)] |=
                1 << (number - 1);
        }
        bits.into()
    }

    /// The pieces by square number: `w` and `b` are men, `W` and `B` kings.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (number, piece) in self.numbered_pieces() {
            let letter = match (piece.colour, piece.king) {
                (Colour::White, false) => intern!(py, "w"),
                (Colour::White, true) => intern!(py, "W"),
                (Colour::Black, false) => intern!(py, "b"),
                (Colour::Black, true) => intern!(py, "B"),
            };
            dict.set_item(number, letter)?;
        }
        Ok(dict)
    }

    /// The winner if the game is over in this position, else None. A draw takes the moves before, which a `Node` and a `Replay` have.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.get().end().map(|end| colour_name(end.winner))
    }

    /// Returns all legal moves, in the order of their squares.
    fn legal_moves(&self, py: Python<'_>) -> PyResult<Vec<Move>> {
        let list = self.get().moves().map_err(|limit| error(py, limit))?;
        let mut moves: Vec<&pdn::Move> = list.iter().collect();
        moves.sort_by_key(|mv| (self.names.number(mv.from), self.names.number(mv.to)));
        Ok(moves.into_iter().map(|mv| Move::new(*self, *mv)).collect())
    }

    /// Returns the position after a move, or after several moves of a text such as `32-28 19-23`.
    fn play(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        if r#move.is_instance_of::<Move>() {
            return Ok(self._legal(py, r#move)?.after());
        }
        Ok(self.with(play(py, self.get(), &text_of_moves(r#move)?)?))
    }

    /// Returns a legal move, given as a move or as its text, for `pdn._tree`.
    fn _legal(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Move> {
        if let Ok(given) = r#move.cast::<Move>() {
            let given = given.get();
            if !self.get().is_legal(&given.mv).map_err(|limit| error(py, limit))? {
                return Err(error(py, format!("{} is not a legal move here", given.text())));
            }
            return Ok(Move::new(*self, given.mv));
        }
        let text = text_of_moves(r#move)?;
        // Most texts are those that moves have.
        let parsed = self.get().parse_move(&text).ok().map(|mv| Move::new(*self, mv));
        if let Some(found) = parsed.filter(|mv| mv.text() == text) {
            return Ok(found);
        }
        let after = play(py, self.get(), &text)?;
        let found = self.legal_moves(py)?.into_iter().find(|mv| mv.after().position == after);
        found.ok_or_else(|| error(py, format!("add: `{text}` is not a single move")))
    }

    /// Returns the number of sequences of `depth` legal moves; `depth` is at most 99.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > MAX_PERFT_DEPTH {
            return Err(error(py, format!("depth: at most {MAX_PERFT_DEPTH}")));
        }
        let mut checked = Instant::now();
        count_leaves(py, self.get(), depth, &mut checked)
    }

    /// Draws the position as an SVG picture. `flip` puts Black at the bottom, `move` is marked.
    #[pyo3(signature = (*, size=360, flip=false, numbers=true, r#move=None))]
    fn svg(&self, size: u32, flip: bool, numbers: bool, r#move: Option<&Move>) -> PyResult<String> {
        if size == 0 || size > 10_000 {
            return Err(PyValueError::new_err("size: from 1 to 10000 pixels"));
        }
        let last_move = r#move.map(|mv| (mv.mv.from, mv.mv.to));
        let options = DrawOptions { square_names: numbers, flip, last_move, ..DrawOptions::default() };
        Ok(svg(self.get(), &DrawOptions { width: Some(size), ..options }))
    }

    fn _repr_svg_(&self) -> String {
        self.draw(360, None)
    }

    fn __str__(&self) -> String {
        self.get().diagram()
    }

    fn __repr__(&self) -> String {
        let (variant, fen) = self.__getnewargs__();
        format!("pdn.Position('{variant}', '{fen}')")
    }

    /// Returns the arguments of the constructor, for pickling.
    fn __getnewargs__(&self) -> (String, String) {
        let is_usual = self.get().game().numbering == self.variant.game().numbering;
        let variant = if is_usual { self.variant.name().to_owned() } else { self.game_type() };
        (variant, self.get().fen())
    }
}

/// The greatest depth of a perft, as in the command. No count of that size ends, but a function calls itself once for each ply.
const MAX_PERFT_DEPTH: u32 = 99;

/// Counts leaves and looks for Ctrl-C about every 50 ms.
fn count_leaves(
    py: Python<'_>,
    position: &pdn::Position,
    depth: u32,
    checked: &mut Instant,
) -> PyResult<u64> {
    if depth <= QUICK_DEPTH {
        let leaves = py.detach(|| movegen::perft(position, depth, movegen::DEFAULT_CAPTURE_NODES));
        if checked.elapsed() > Duration::from_millis(50) {
            py.check_signals()?;
            *checked = Instant::now();
        }
        return leaves.map_err(|limit| error(py, limit));
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves).map_err(|limit| error(py, limit))?;
    moves.iter().try_fold(0u64, |sum, mv| {
        Ok(sum + count_leaves(py, &position.after_unchecked(mv), depth - 1, checked)?)
    })
}

#[pymethods]
impl Move {
    /// The move as PDN 3.0 writes it: first and last square, or all squares where another capture has the same.
    #[getter]
    fn text(&self) -> String {
        let mut text = String::with_capacity(16);
        self.write(&mut text);
        text
    }

    /// The number of the first square.
    #[getter]
    #[expect(clippy::wrong_self_convention, reason = "the name in Python")]
    fn from_square(&self) -> u8 {
        self.before.names.number(self.mv.from)
    }

    /// The number of the last square.
    #[getter]
    fn to_square(&self) -> u8 {
        self.before.names.number(self.mv.to)
    }

    /// The numbers of the captured squares, in ascending order.
    #[getter]
    fn captured(&self) -> Vec<u16> {
        let names = self.before.names;
        let is_captured = |number: &u16| {
            names.of_number(*number).is_some_and(|square| self.mv.captured >> square.bit() & 1 == 1)
        };
        (1..=u16::from(self.before.position.board().squares())).filter(is_captured).collect()
    }

    /// The numbers of the squares that the piece touches; of several paths with one effect, the first found.
    #[getter]
    fn path(&self) -> Vec<u16> {
        let names = self.before.names;
        let path = self.before.position.paths(&self.mv).ok().and_then(|paths| paths.into_iter().next());
        match path {
            Some(path) => path.squares.iter().map(|&square| names.number(square).into()).collect(),
            None => vec![self.from_square().into(), self.to_square().into()],
        }
    }

    /// Whether the move captures.
    #[getter]
    fn is_capture(&self) -> bool {
        self.mv.is_capture()
    }

    /// Whether a man becomes a king.
    #[getter]
    fn promotes(&self) -> bool {
        self.mv.promotes
    }

    /// Whether a man moves.
    #[getter]
    fn man(&self) -> bool {
        self.before.position.piece(self.mv.from).is_some_and(|piece| !piece.king)
    }

    /// The position in which the move is played.
    #[getter]
    fn before(&self) -> Position {
        self.before
    }

    /// The position after the move.
    #[getter]
    fn after(&self) -> Position {
        self.before.with(self.before.position.after_unchecked(&self.mv))
    }

    /// The position and the place of the move among its legal moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Position, usize))> {
        let legal = self.before.position.moves().map_err(|limit| error(py, limit))?;
        let place = legal.iter().position(|mv| *mv == self.mv).unwrap_or_default();
        Ok((py.import("pdn._pdn")?.getattr("restore_move")?, (self.before, place)))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Move {}>", self.text())
    }

    fn __hash__(&self) -> u64 {
        self.before.position.key().0 ^ (u64::from(self.mv.from.bit()) << 8 | u64::from(self.mv.to.bit()))
    }

    fn _repr_svg_(&self) -> String {
        self.after().draw(360, Some((self.mv.from, self.mv.to)))
    }
}

/// Returns the movetext of legal moves that follow each other, each given as a move or as its text, such as `1. 32-28 19-23 2. 28x19 `.
#[pyfunction]
pub(crate) fn movetext(start: &Bound<'_, Position>, moves: &Bound<'_, PyAny>) -> PyResult<String> {
    let (py, mut position) = (start.py(), *Bound::get(start));
    let mut text = String::new();
    for (ply, mv) in moves.try_iter()?.enumerate() {
        let mv = position._legal(py, &mv?)?;
        if ply % 2 == 0 {
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        mv.write(&mut text);
        text.push(' ');
        position = mv.after();
    }
    Ok(text)
}

/// Returns a move that was pickled: the legal move of the position at this place.
#[pyfunction]
pub(crate) fn restore_move(position: &Bound<'_, Position>, place: usize) -> PyResult<Move> {
    let (py, position) = (position.py(), *Bound::get(position));
    let legal = position.position.moves().map_err(|limit| error(py, limit))?;
    let found = legal.get(place).copied();
    found.map(|mv| Move::new(position, mv)).ok_or_else(|| error(py, "the position has no such move"))
}

/// Returns the number of sequences of `depth` legal moves from the start of a variant, or from a FEN.
///
/// >>> import pdn
/// >>> pdn.perft(6)
/// 167140
/// >>> pdn.perft(4, "english")
/// 1469
#[pyfunction]
#[pyo3(signature = (depth, variant="international", fen=None))]
pub(crate) fn perft(py: Python<'_>, depth: u32, variant: &str, fen: Option<&str>) -> PyResult<u64> {
    Position::new(py, variant, fen)?.perft(py, depth)
}

/// Returns the names of all variants.
///
/// >>> import pdn
/// >>> pdn.variants()[:3]
/// ['international', 'english', 'italian']
#[pyfunction]
pub(crate) fn variants() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

/// Creates the pair of a position and the move played in it.
pub(crate) fn pair(py: Python<'_>, before: Position, mv: pdn::Move) -> PyResult<Py<PyAny>> {
    (before, Move::new(before, mv)).into_py_any(py)
}
