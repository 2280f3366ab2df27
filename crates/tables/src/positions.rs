//! Rows of the table of positions.

use super::batch::{BatchColumn, TableBatch};
use super::dataset::{SampleMaker, SampledGame};
use super::games::integer;
use super::moves::GamePlace;
use super::notes::MoveNote;
use super::plies::PlyTable;
use super::schema::PositionsColumn;
use super::squares::SquareTable;
use pdn::position::Position;
use pdn::replay::GameStatus;
use pdn::value::Colour;
use pdn_index::internal::query::TableNumber;
use pdn_rules::internal::position::State;

/// A main line whose positions become rows.
pub(super) struct PositionSource<'a> {
    pub(super) place: GamePlace<'a>,
    pub(super) plies: &'a PlyTable,
    /// The position after the last ply.
    pub(super) last: State<u128>,
    pub(super) squares: &'a SquareTable,
    pub(super) winner: Option<&'static str>,
    pub(super) status: GameStatus,
    /// What is written about the moves, if evaluations are selected.
    pub(super) notes: &'a [MoveNote],
}

impl PositionSource<'_> {
    /// Iterates over the positions before each ply, then the last one.
    fn states(&self) -> impl Iterator<Item = &State<u128>> {
        self.plies.plies.iter().map(|ply| &ply.before).chain([&self.last])
    }

    /// Appends a set of squares of each position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn extend_squares(&self, column: &mut BatchColumn, set: impl Fn(&State<u128>) -> u128) {
        if self.squares.is_narrow() {
            let mut numbers = self.squares.by_changes::<u64>();
            column.extend_squares(self.states().map(|state| numbers(set(state) as u64)));
        } else {
            let mut numbers = self.squares.by_changes::<u128>();
            column.extend_wide_squares(self.states().map(|state| numbers(set(state))));
        }
    }

    /// Adds the positions to those of a training set.
    pub(super) fn choose(&self, players: [&str; 2], maker: &mut SampleMaker, out: &mut TableBatch) {
        let game = SampledGame {
            variant: self.squares.candidate().variant,
            is_legal: self.status == GameStatus::Legal,
            winner: self.winner,
            players,
            plies: self.plies,
            last: &self.last,
            squares: self.squares,
        };
        maker.add(&game, |row| self.evaluation(row), &mut out.dataset);
    }

    /// Returns the evaluation of the position before a ply: what is written after a move is about the position that it leads to.
    fn evaluation(&self, ply: usize) -> Option<i32> {
        self.notes.get(ply.checked_sub(1)?)?.commands.evaluation()
    }

    /// Appends a row for each position, the last one included.
    pub(super) fn push(&self, columns: &[PositionsColumn], out: &mut TableBatch) {
        let Self { place, plies: table, squares, .. } = self;
        let rows = table.plies.len() + 1;
        let candidate = squares.candidate();
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind {
                PositionsColumn::Key => column.extend_key(table.keys[..rows].iter().map(|key| key.0)),
                PositionsColumn::Game => column.repeat_i64(place.game.map(integer), rows),
                PositionsColumn::File => column.push_word(Some(place.file), rows),
                PositionsColumn::Record => column.repeat_i64(Some(integer(place.record)), rows),
                PositionsColumn::Ply => column.extend_i32(0..rows as i32),
                PositionsColumn::Variant => column.push_word(Some(candidate.variant.name()), rows),
                PositionsColumn::WhiteToMove => {
                    column.extend_bool(self.states().map(|state| state.turn == Colour::White));
                }
                PositionsColumn::WhiteMen => self.extend_squares(column, |state| state.men(Colour::White)),
                PositionsColumn::WhiteKings => {
                    self.extend_squares(column, |state| state.kings(Colour::White))
                }
                PositionsColumn::BlackMen => self.extend_squares(column, |state| state.men(Colour::Black)),
                PositionsColumn::BlackKings => {
                    self.extend_squares(column, |state| state.kings(Colour::Black))
                }
                PositionsColumn::Fen => {
                    for state in self.states() {
                        column.push_text(Some(
                            &Position::from_state(candidate.game(), *state).fen_as(out.fen_style),
                        ));
                    }
                }
                PositionsColumn::Quiet => column.extend_bool((0..rows).map(|ply| table.is_quiet(ply))),
                PositionsColumn::LegalMoves => {
                    let counts = table.counts[..rows].iter();
                    column.extend_nullable_i16(counts.map(|count| i16::try_from((*count)?.moves).ok()));
                }
                PositionsColumn::Winner => column.push_word(self.winner, rows),
                PositionsColumn::MoveFrom => {
                    column.extend_i16(table.plies.iter().map(|ply| squares.number(ply.mv.from).into()));
                    column.push_i16(None);
                }
                PositionsColumn::Status => column.push_word(Some(self.status.name()), rows),
                PositionsColumn::EvalCp => {
                    column.extend_nullable_i32((0..rows).map(|ply| self.evaluation(ply)));
                }
                PositionsColumn::Table | PositionsColumn::TableDistance => {
                    let number = match kind {
                        PositionsColumn::Table => TableNumber::Value,
                        _ => TableNumber::Distance,
                    };
                    column.extend_table_numbers(number, out.tables.as_ref(), candidate, self.states());
                }
                PositionsColumn::MoveTo => {
                    column.extend_i16(table.plies.iter().map(|ply| squares.number(ply.mv.to).into()));
                    column.push_i16(None);
                }
            }
        }
        out.rows += rows;
    }
}
