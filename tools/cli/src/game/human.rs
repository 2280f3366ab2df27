//! A game for people.

use std::io::{self, Write};

use pdn::notation::{MoveStyle, move_text};
use pdn::replay::{AnnotatedPly, VariantBasis};

use super::Shown;
use crate::board;
use crate::clean::clean;
use crate::output::Output;
use crate::rules::winner;

/// Columns of the moves.
const WIDTH: usize = 90;

/// Prints tags, moves, the comments of the ply shown, and the board.
pub(super) fn print(shown: &Shown<'_>, options: &board::Options, out: &mut Output) -> io::Result<()> {
    let summary = &shown.replayed.summary;
    for (name, value) in shown.tags() {
        writeln!(out, "[{} \"{}\"]", clean(&name), clean(&value))?;
    }
    writeln!(out, "\n{}", moves(shown, out.coloured()))?;
    let line = &shown.replayed.main;
    let comments = match shown.ply.checked_sub(1).and_then(|last| line.plies.get(last)) {
        Some(ply) => &ply.comments,
        None => &line.comments,
    };
    for comment in comments {
        let text = shown.decode(comment.text);
        writeln!(out, "\n{{{}}}", clean(text.trim()))?;
    }
    let (position, _) = shown.position();
    let picture = board::terminal(&position, options);
    writeln!(out, "\n{}", picture.trim_end())?;
    winner(&position, out)?;
    let basis = match summary.basis {
        VariantBasis::Tag => "by its GameType tag",
        VariantBasis::Caller => "as asked for",
        VariantBasis::Guess => "a guess",
        _ => "inferred",
    };
    writeln!(
        out,
        "\nPly {} of {}; {} ({basis}), {}.",
        shown.ply,
        line.plies.len(),
        summary.variant,
        summary.status
    )?;
    if let Some(stop) = shown.stopped() {
        writeln!(out, "The game {}.", clean(&stop))?;
    }
    Ok(())
}

/// The moves of the main line, the shown one marked.
fn moves(shown: &Shown<'_>, coloured: bool) -> String {
    let line = &shown.replayed.main;
    let start = shown.replayed.summary.numbering.start;
    let mut words = Vec::new();
    let mut number = 1;
    for (index, ply) in line.plies.iter().enumerate() {
        let second = ply.position.turn() != start;
        if !second {
            words.push((format!("{number}."), false));
        } else if index == 0 {
            words.push((format!("{number}..."), false));
        }
        number += u32::from(second);
        words.push((text(ply), index + 1 == shown.ply));
    }
    words.extend(line.rest.iter().map(|mv| (format!("?{}", shown.decode(mv.text)), false)));
    if let Some(end) = shown.replayed.summary.terminator {
        words.push((shown.decode(end.span.of(shown.raw())), false));
    }
    let (mut lines, mut column) = (String::new(), 0);
    for (word, marked) in words {
        let word = clean(&word).into_owned();
        let width = word.chars().count() + if marked && !coloured { 2 } else { 0 };
        if column > 0 {
            let full = column + 1 + width > WIDTH;
            lines.push(if full { '\n' } else { ' ' });
            column = if full { 0 } else { column + 1 };
        }
        column += width;
        match (marked, coloured) {
            (false, _) => lines.push_str(&word),
            (true, false) => lines.push_str(&format!("[{word}]")),
            (true, true) => lines.push_str(&format!("\x1b[1;7m{word}\x1b[0m")),
        }
    }
    lines
}

/// The shortest correct text of a ply with its strength; as written where its captures are too many to be searched.
fn text(ply: &AnnotatedPly<'_>) -> String {
    let mut text = move_text(&ply.position, &ply.mv, MoveStyle::Shortest)
        .unwrap_or_else(|_| String::from_utf8_lossy(ply.text).into_owned());
    text.push_str(&String::from_utf8_lossy(ply.strength.unwrap_or_default()));
    text
}
