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
/// A line: where it leaves another one, the comments before its first move, its plies, and what follows them and is no part of a line.
pub(crate) type Line = (Option<Branch>, Vec<String>, Vec<Ply>, String);

/// Returns where the written text of a line begins; `None` if it has no move at all.
fn first_byte(line: &AnnotatedLine<'_>) -> Option<u32> {
    let first = line.plies.first().map(|ply| ply.span.start).or(line.stop.map(|stop| stop.span.start))?;
    Some(line.comments.first().map_or(first, |comment| comment.span.start.min(first)))
}

/// Returns the part of a record from a byte up to the end of the line that it is in, or of the record.
fn written(record: &[u8], start: u32) -> &[u8] {
    let text = record.get(start as usize..).unwrap_or_default();
    let (mut depth, mut is_comment) = (0, false);
    let end = text.iter().position(|byte| {
        match byte {
            b'{' => is_comment = true,
            b'}' => is_comment = false,
            b'(' if !is_comment => depth += 1,
            b')' if !is_comment => depth -= 1,
            _ => {}
        }
        depth < 0
    });
    text[..end.unwrap_or(text.len())].trim_ascii()
}

/// Returns the written text of a variation, with its brackets.
fn bracketed(record: &[u8], start: u32) -> Vec<u8> {
    let before = record.get(..start as usize).unwrap_or_default();
    let open = before.iter().rposition(|&byte| byte == b'(').map_or(start, |at| at as u32 + 1);
    [b"(", written(record, open), b")"].concat()
}

/// Returns the lines of a game, the main line first, each after the one that it leaves. `record` is the text up to the result, and `decode`
/// decodes a part of it.
///
/// A variation that continues a line at its end is text, and so is one without a legal move: as a line it would be the main line.
pub(crate) fn lines(
    game: &AnnotatedGame<'_>,
    variant: Variant,
    record: &[u8],
    decode: impl Fn(&[u8]) -> String,
) -> Vec<Line> {
    let mut found: Vec<(Option<Branch>, &AnnotatedLine<'_>, Vec<u8>)> = vec![(None, &game.main, Vec::new())];
    // Without recursion, because variations may be nested deeply.
    let mut next = 0;
    while let Some(&(_, line, _)) = found.get(next) {
        // What is written after the move at which the replay stops is not about moves that are played.
        let end = line.stop.map_or(u32::MAX, |stop| stop.span.start);
        let mut rest: Vec<Vec<u8>> = Vec::new();
        for (number, ply) in line.plies.iter().enumerate() {
            for variation in &ply.variations {
                let Some(start) = first_byte(variation).filter(|&start| start < end) else { continue };
                let first = variation.plies.first();
                // One that sets up another position is an alternative to the move, too.
                let continues = first.is_none_or(|first| first.position.key() == ply.after().key());
                if first.is_none() || (continues && number + 1 == line.plies.len()) {
                    rest.push(bracketed(record, start));
                } else {
                    found.push((Some((next, number, continues)), variation, Vec::new()));
                }
            }
        }
        rest.extend(line.stop.map(|stop| written(record, stop.span.start).to_vec()));
        found[next].2 = rest.join(&b' ');
        next += 1;
    }
    let line = |(branch, line, rest): (Option<Branch>, &AnnotatedLine<'_>, Vec<u8>)| {
        let end = line.stop.map_or(u32::MAX, |stop| stop.span.start);
        let texts = |comments: &[Comment<'_>]| {
            let played = comments.iter().filter(|comment| comment.span.start < end);
            played.map(|comment| decode(comment.text)).collect::<Vec<_>>()
        };
        let ply = |ply: &AnnotatedPly<'_>| {
            let mv = Move::new(Position::of(ply.position, variant), ply.mv);
            let strength = ply.strength.map(&decode);
            (mv, decode(ply.text), strength, ply.nags.iter().map(|nag| nag.0).collect(), texts(&ply.comments))
        };
        (branch, texts(&line.comments), line.plies.iter().map(ply).collect(), decode(&rest))
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
