//! Plays the variations of a game and compares the places of its notes with them.

use std::ops::ControlFlow;

use crate::format::annotations::{StoredLine, StoredNote};
use crate::format::columns::Section;
use crate::pack::{Codecs, CorruptMoves};
use crate::segment::annotation_reader::AnnotationBytes;
use crate::segment::line_starts::line_starts;
use pdn::board::Board;
use pdn_rules::internal::board::{Geometry, WithBoard};
use pdn_rules::internal::position::State;

/// A game of a segment and its packed moves.
pub(super) struct PackedGame<'a> {
    /// The number of the game in its segment.
    pub(super) game: usize,
    pub(super) board: Board,
    /// The start position of its kind.
    pub(super) start: &'a State<u128>,
    pub(super) moves: &'a [u8],
}

/// Returns the section in which the variations or notes of a game are invalid, if they are.
pub(super) fn annotations_problem(
    variations: &AnnotationBytes<'_>,
    notes: &AnnotationBytes<'_>,
    packed: &PackedGame<'_>,
    codecs: &mut Codecs,
) -> Option<Section> {
    if !variations.has(packed.game) && !notes.has(packed.game) {
        return None;
    }
    let Ok(lines) = variations.lines(packed.game) else { return Some(Section::Variations) };
    let Ok(notes) = notes.notes(packed.game) else { return Some(Section::Notes) };
    let Ok(plies) = packed.board.with(PlayLines { packed, lines: &lines, codecs }) else {
        return Some(Section::Variations);
    };
    let fits = |note: &StoredNote| {
        plies.get(note.line).is_some_and(|&(first, last)| (first..=last).contains(&note.plies))
    };
    (!notes.iter().all(fits)).then_some(Section::Notes)
}

/// Plays all lines of a game, and returns the first and the last ply of each.
struct PlayLines<'a> {
    packed: &'a PackedGame<'a>,
    lines: &'a [StoredLine<'a>],
    codecs: &'a mut Codecs,
}

impl WithBoard for PlayLines<'_> {
    type Output = Result<Vec<(u32, u32)>, CorruptMoves>;

    fn run<G: Geometry>(self) -> Self::Output {
        let Self { packed, lines, codecs } = self;
        let codec = codecs.on::<G>();
        let start = packed.start.resized();
        let starts = line_starts(codec, &start, packed.moves, lines)?;
        let variations = lines.iter().zip(&starts).map(|(line, start)| (start, line.first_ply, line.moves));
        let all = [(&start, 0, packed.moves)].into_iter().chain(variations);
        all.map(|(start, first, moves)| {
            let mut last = first;
            codec.scan(start, moves, |_| {
                last += 1;
                ControlFlow::Continue(())
            })?;
            Ok((first, last))
        })
        .collect()
    }
}
