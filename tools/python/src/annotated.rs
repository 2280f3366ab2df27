//! The lines of a game with what is written about their moves, flat: `pdn._tree` makes a tree of them.

use pdn::internal::value::{MoveCommands, TwoNumbers};
use pdn::parse::Comment;
use pdn::replay::{AnnotatedGame, AnnotatedLine, AnnotatedPly};
use pdn::rules::Variant;
use pdn::value::Colour;
use pyo3::prelude::*;

use crate::position::{Move, Position};

/// Where a line leaves another one: the number of the other line, the number of the ply in it, both from 0, and whether the line
/// continues after this ply instead of replacing it.
type Branch = (usize, usize, bool);
/// A ply: the move, its text, its strength such as `!`, its glyphs, and the comments after it.
type Ply = (Move, String, Option<String>, Vec<u32>, Vec<String>);
/// A line: where it leaves another one, the comments before its first move, and its plies.
pub(crate) type Line = (Option<Branch>, Vec<String>, Vec<Ply>);

/// Returns the lines of a game, the main line first, each after the one that it leaves. `decode` decodes a part of the record.
pub(crate) fn lines(
    game: &AnnotatedGame<'_>,
    variant: Variant,
    decode: impl Fn(&[u8]) -> String,
) -> Vec<Line> {
    let mut found: Vec<(Option<Branch>, &AnnotatedLine<'_>)> = vec![(None, &game.main)];
    // Without recursion, because variations may be nested deeply.
    let mut next = 0;
    while let Some(&(_, line)) = found.get(next) {
        for (number, ply) in line.plies.iter().enumerate() {
            for variation in &ply.variations {
                let Some(first) = variation.plies.first() else { continue };
                let continues = first.position.key() != ply.position.key();
                found.push((Some((next, number, continues)), variation));
            }
        }
        next += 1;
    }
    let line = |(branch, line): (Option<Branch>, &AnnotatedLine<'_>)| {
        // Comments after the move at which the replay stops are about moves that are not played.
        let end = line.stop.map_or(u32::MAX, |stop| stop.span.start);
        let texts = |comments: &[Comment<'_>]| {
            let played = comments.iter().filter(|comment| comment.span.start < end);
            played.map(|comment| decode(comment.text)).collect::<Vec<_>>()
        };
        let ply = |ply: &AnnotatedPly<'_>| {
            let mv = Move::new(Position::of(ply.position, variant), ply.mv);
            let strength = ply.strength.map(&decode);
            (mv, decode(ply.text), strength, ply.nags.clone(), texts(&ply.comments))
        };
        (branch, texts(&line.comments), line.plies.iter().map(ply).collect())
    };
    found.into_iter().map(line).collect()
}

/// Returns what the embedded commands in the comments after a move say, for `pdn.Node`: the time left to the side that moved and the time
/// of the move, in milliseconds, and the evaluation in hundredths of a man. Times of two numbers are minutes and seconds if
/// `has_seconds` is true.
#[pyfunction]
pub(crate) fn read_commands(
    comments: Vec<String>,
    by: &str,
    has_seconds: bool,
) -> (Option<u32>, Option<u32>, Option<i32>) {
    let mut commands = MoveCommands::default();
    comments.iter().for_each(|comment| commands.read(comment.as_bytes()));
    commands.settle(if has_seconds { TwoNumbers::MinutesSeconds } else { TwoNumbers::HoursMinutes });
    let side = if by == "black" { Colour::Black } else { Colour::White };
    let milliseconds = |time: pdn::value::ClockTime| time.milliseconds();
    (commands.clock(side).map(milliseconds), commands.move_time().map(milliseconds), commands.evaluation())
}
