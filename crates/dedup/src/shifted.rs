//! Start positions of problems that are moved over the board: the same motif in another place.
//!
//! Two positions are one, moved, if all pieces stand in the same places relative to each other, the same side is to move, and the same
//! moves are legal, moved with them. So where a piece comes to stand at an edge that takes a move from it, or gives a man a
//! promotion, the motif is another one. Positions with a man on its promotion row are left out. The relation is transitive,
//! so that positions are sorted by their shape.

use twox_hash::XxHash3_64;

use super::positions::{EqualForms, PositionForm, PositionKey, ProblemPosition, own_start};
use pdn::board::Square;
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_rules::internal::position::State;

/// How a position is another one, moved over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct PositionShift {
    /// The form of the first position that is moved.
    pub form: PositionForm,
    /// Columns to the right, as White sees the board; negative to the left.
    pub columns: i8,
    /// Rows away from White; negative towards White.
    pub rows: i8,
}

impl PositionShift {
    /// Returns the first form of a start position, and the move over the board, that make another one of it; both are positions of
    /// one variant. `None` if there is none, if the move is by nothing, or if one of them is the start position of the variant.
    pub(super) fn between(variant: Variant, [a, b]: [&[u8]; 2]) -> Option<Self> {
        let ((a, _), (b, _)) = (own_start(variant, a)?, own_start(variant, b)?);
        let to = Shape::of(variant, &b)?;
        let form = |form: PositionForm| {
            let from = Shape::of(variant, &form.of(variant, &a))?;
            let [columns, rows] = [to.column - from.column, from.row - to.row];
            // Boards without a playing square in the lower left corner are kept as their mirror images.
            let names = variant.names();
            let is_mirrored = names.numbering().inverted && !names.board().layout().full;
            let columns = if is_mirrored { -columns } else { columns };
            (from.bytes == to.bytes && (columns, rows) != (0, 0)).then_some(Self { form, columns, rows })
        };
        PositionForm::ALL.into_iter().find_map(form)
    }
}

/// Writes `2 columns to the right and 1 row towards White`.
impl std::fmt::Display for PositionShift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |number: i8, noun: &str, ways: [&str; 2]| {
            let (way, plural) = (ways[usize::from(number < 0)], if number.abs() == 1 { "" } else { "s" });
            (number != 0).then(|| format!("{} {noun}{plural} {way}", number.abs()))
        };
        let columns = part(self.columns, "column", ["to the right", "to the left"]);
        let rows = part(self.rows, "row", ["away from White", "towards White"]);
        f.write_str(&[columns, rows].into_iter().flatten().collect::<Vec<_>>().join(" and "))
    }
}

/// Returns what is equal for the records of one variant whose start positions are one, moved, in one of the forms that count as equal.
/// `None` for a record without a position of its own, and for positions that are not compared.
pub(super) fn problem_shape(variant: Variant, moves: &[u8], forms: EqualForms) -> Option<ProblemPosition> {
    let (start, _) = own_start(variant, moves)?;
    let shapes = forms.all().filter_map(|form| Shape::of(variant, &form.of(variant, &start)));
    let least = shapes.map(|shape| shape.bytes).min()?;
    let mut key = [0; 1 + PositionKey::LEN];
    key[0] = variant as u8;
    for (seed, out) in key[1..].chunks_exact_mut(size_of::<u64>()).take(2).enumerate() {
        out.copy_from_slice(&XxHash3_64::oneshot_with_seed(seed as u64, &least).to_be_bytes());
    }
    Some(key)
}

// Twin: all moves over the board; test: fast_way_equals_all_pairs.
/// The pieces and legal moves of a position, relative to the first row and column with a piece.
struct Shape {
    row: i8,
    column: i8,
    bytes: Vec<u8>,
}

impl Shape {
    /// Returns the shape of a position; `None` without a piece, with a man on its promotion row, with a king whose moves in a row
    /// count, and with too many captures.
    fn of(variant: Variant, state: &State<u128>) -> Option<Self> {
        let layout = variant.board().layout();
        let squares = || (0..128u8).filter(|&at| state.occupied() >> at & 1 == 1);
        let cells: Vec<(u8, (i8, i8))> =
            squares().map(|at| layout.cell(at).map(|cell| (at, cell))).collect::<Option<_>>()?;
        let row = cells.iter().map(|(_, (row, _))| *row).min()?;
        let column = cells.iter().map(|(_, (_, column))| *column).min()?;
        let place = |at: u8| {
            let (own_row, own_column) = layout.cell(at)?;
            // Moves may lead before the first row or column with a piece.
            Some([(own_row - row) as u8, (own_column - column) as u8])
        };
        let is_promoted = |at: u8, (row, _): (i8, i8)| {
            let men = |colour| state.men(colour) >> at & 1 == 1;
            men(Colour::White) && row == 0 || men(Colour::Black) && row == layout.height as i8 - 1
        };
        if cells.iter().any(|&(at, cell)| is_promoted(at, cell))
            || state.streaks.iter().any(|streak| streak.moves > 0)
        {
            return None;
        }
        let mut bytes = vec![state.turn as u8];
        let mut pieces = Vec::with_capacity(cells.len());
        for (at, _) in cells {
            let piece = state.piece(Square(at))?;
            let [row, column] = place(at)?;
            pieces.push([row, column, piece.colour as u8, u8::from(piece.king)]);
        }
        pieces.sort_unstable();
        bytes.extend(pieces.as_flattened());
        let moves = Position::from_state(variant, *state).moves().ok()?;
        let written = |mv: &Move| {
            let mut captured: Vec<[u8; 2]> =
                mv.captured_squares().map(|square| place(square.0)).collect::<Option<_>>()?;
            captured.sort_unstable();
            let mut out = vec![u8::from(mv.promotes), captured.len() as u8];
            out.extend([place(mv.from.0)?, place(mv.to.0)?].as_flattened());
            out.extend(captured.as_flattened());
            Some(out)
        };
        let mut moves: Vec<Vec<u8>> = moves.iter().map(written).collect::<Option<_>>()?;
        moves.sort_unstable();
        bytes.extend(moves.into_iter().flatten());
        Some(Self { row, column, bytes })
    }
}
