//! Rows of the table of moves.

use super::batch::TableBatch;
use super::games::{count, integer};
use super::notes::{LineNumbers, MoveNote};
use super::plies::{PlyTable, path_numbers, write_text};
use super::record::{RecordContext, colour_name};
use super::schema::MovesColumn;
use super::squares::SquareTable;
use pdn::internal::sort;
use pdn::internal::value::MoveCommands;
use pdn::replay::{AnnotatedGame, AnnotatedLine};
use pdn::value::Colour;
use pdn_index::internal::query::TableNumber;
use pdn_rules::internal::position::State;

/// Where a game is: in an index, and in a file.
#[derive(Clone, Copy)]
pub(super) struct GamePlace<'a> {
    /// Number in the index, from 1.
    pub(super) game: Option<u64>,
    pub(super) file: &'a str,
    /// Number in the file, from 1.
    pub(super) record: u64,
}

/// A line whose rows are made.
pub(super) struct LineSource<'a, 'g> {
    pub(super) place: GamePlace<'a>,
    /// The record; `None` if only the packed moves are known.
    pub(super) context: Option<&'a RecordContext<'g>>,
    pub(super) plies: &'a PlyTable,
    /// What is written about the moves, if a selected column takes it.
    pub(super) notes: &'a [MoveNote],
    pub(super) squares: &'a SquareTable,
    /// 0 for the main line, else the number of the variation.
    pub(super) line: u32,
    /// The number of plies before the first move.
    pub(super) first_ply: u32,
}

impl LineSource<'_, '_> {
    /// Appends a row for each move.
    pub(super) fn push(&self, columns: &[MovesColumn], out: &mut TableBatch) {
        let Self { place, plies: table, squares, .. } = self;
        let plies = &table.plies;
        let rows = plies.len();
        if rows == 0 {
            return;
        }
        let numbers = self.first_ply..self.first_ply + rows as u32;
        let has_annotations = self.notes.iter().any(MoveNote::has_annotations);
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind {
                MovesColumn::Game => column.repeat_i64(place.game.map(integer), rows),
                MovesColumn::File => column.push_word(Some(place.file), rows),
                MovesColumn::Record => column.repeat_i64(Some(integer(place.record)), rows),
                MovesColumn::Line => column.repeat_i32(count(self.line), rows),
                MovesColumn::Ply => column.extend_i32(numbers.clone().map(count)),
                MovesColumn::By => {
                    let is_black = plies.iter().map(|ply| ply.before.turn == Colour::Black);
                    column.push_either(Colour::ALL.map(colour_name), is_black);
                }
                MovesColumn::Text => {
                    column.extend_text_bytes(plies.iter(), |ply, text| write_text(ply, squares, text));
                }
                MovesColumn::Written => match self.context.filter(|_| self.notes.len() >= rows) {
                    Some(context) => {
                        let text = context.text();
                        column.extend_texts(self.notes[..rows].iter(), |note, written| {
                            let part = text.and_then(|text| text.get(note.span.range()));
                            match part.filter(|part| part.is_ascii()) {
                                Some(part) => written.push_str(part),
                                None => written.push_str(&context.decode(note.span.of(context.bytes()))),
                            }
                        });
                    }
                    None => {
                        for n in 0..rows {
                            let written = self.context.zip(self.notes.get(n));
                            let text =
                                written.map(|(context, note)| context.decode(note.span.of(context.bytes())));
                            column.push_text(text.as_deref());
                        }
                    }
                },
                MovesColumn::From => {
                    column.extend_i16(plies.iter().map(|ply| squares.number(ply.mv.from).into()))
                }
                MovesColumn::To => {
                    column.extend_i16(plies.iter().map(|ply| squares.number(ply.mv.to).into()))
                }
                MovesColumn::Path => column.extend_i16_lists(plies.iter(), |ply, path| {
                    if ply.mv.captured.count_ones() > 1 {
                        path.extend(path_numbers(ply, squares).into_iter().map(i16::from));
                    } else {
                        path.extend([ply.mv.from, ply.mv.to].map(|square| i16::from(squares.number(square))));
                    }
                }),
                MovesColumn::Captured => column.extend_i16_lists(plies.iter(), |ply, captured| {
                    if ply.mv.captured != 0 {
                        captured.extend(squares.numbers(ply.mv.captured).map(i16::from));
                    }
                }),
                MovesColumn::Man => {
                    let is_man = |kings: u128, from: u8| kings >> (from & 127) & 1 == 0;
                    column.extend_bool(plies.iter().map(|ply| is_man(ply.before.kings, ply.mv.from.0)));
                }
                MovesColumn::Promotes => column.extend_bool(plies.iter().map(|ply| ply.mv.promotes)),
                MovesColumn::LegalMoves => {
                    let counts = table.counts[..rows].iter();
                    column.extend_nullable_i16(counts.map(|count| i16::try_from((*count)?.moves).ok()));
                }
                MovesColumn::ClockMs | MovesColumn::EmtMs | MovesColumn::EvalCp | MovesColumn::Nags
                    if !has_annotations =>
                {
                    column.push_nulls(rows);
                }
                MovesColumn::ClockMs => {
                    let clock = |n: usize| self.commands(n)?.clock(plies[n].before.turn);
                    let milliseconds = |n| clock(n).map(|time| time.milliseconds().into());
                    column.extend_nullable_i64((0..rows).map(milliseconds));
                }
                MovesColumn::EmtMs => {
                    let time = |n| Some(self.commands(n)?.move_time()?.milliseconds().into());
                    column.extend_nullable_i64((0..rows).map(time));
                }
                MovesColumn::EvalCp => {
                    column.extend_nullable_i32((0..rows).map(|n| self.commands(n)?.evaluation()));
                }
                MovesColumn::Nags => {
                    for n in 0..rows {
                        let nags = self.notes.get(n).map(|note| note.nags.as_slice());
                        let nags = nags.filter(|nags| !nags.is_empty());
                        column.push_i32_list(nags.map(|nags| nags.iter().map(|&nag| count(nag))));
                    }
                }
                MovesColumn::Table | MovesColumn::TableDistance => {
                    let number = match kind {
                        MovesColumn::Table => TableNumber::Value,
                        _ => TableNumber::Distance,
                    };
                    let states = plies.iter().map(|ply| &ply.before);
                    column.extend_table_numbers(number, out.tables.as_ref(), squares.candidate(), states);
                }
                MovesColumn::Key => column.extend_key(table.keys[..rows].iter().map(|key| key.0)),
            }
        }
        out.rows += rows;
    }

    /// Returns what the embedded commands after a move of the line say; `None` if the notes were not made.
    fn commands(&self, ply: usize) -> Option<&MoveCommands> {
        self.notes.get(ply).map(|note| &note.commands)
    }
}

/// A line of an annotated game: its number, the number of plies before it, and the line.
pub(super) type NumberedLine<'a, 'g> = (u32, u32, &'a AnnotatedLine<'g>);

/// Returns the lines of a game, the main line first, then the variations in the order in which they begin.
pub(super) fn numbered_lines<'a, 'g>(
    game: &'a AnnotatedGame<'g>,
    numbers: &LineNumbers<'_>,
) -> Vec<NumberedLine<'a, 'g>> {
    let mut lines: Vec<NumberedLine<'a, 'g>> = vec![(0, 0, &game.main)];
    // Without recursion, because variations may be nested deeply.
    let mut next = 0;
    while let Some(&(_, first, line)) = lines.get(next) {
        next += 1;
        for (ply, number) in line.plies.iter().zip(first..) {
            for variation in &ply.variations {
                let Some(start) = variation.plies.first() else { continue };
                // A variation replaces the ply, or continues after it where its first move is legal only there.
                let replaces = same_position(start.position.state(), ply.position.state());
                let first = if replaces { number } else { number + 1 };
                lines.push((numbers.line_at(start.span.start), first, variation));
            }
        }
    }
    sort::by_key(&mut lines, |&(line, ..)| line);
    lines
}

/// Returns `true` if two positions have the same pieces and side to move.
fn same_position(one: &State<u128>, other: &State<u128>) -> bool {
    let turn = |state: &State<u128>| state.turn == Colour::White;
    one.pieces == other.pieces && one.kings == other.kings && turn(one) == turn(other)
}
