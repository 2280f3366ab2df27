//! Prints a game as text.

use std::io::{self, Write};

use pdn::notation::{MoveStyle, move_text};
use pdn::replay::{AnnotatedPly, VariantBasis};

use super::{ShownGame, write_winner};
use crate::board::{self, DrawOptions};
use crate::output::{Output, sanitize};

/// Maximum width of a line of moves, in columns.
const MAX_WIDTH: usize = 90;

/// Prints tags, moves, the comments of the last ply before the position, and the board.
pub(super) fn print(shown: &ShownGame<'_>, options: &DrawOptions, out: &mut Output) -> io::Result<()> {
    let summary = &shown.annotated.summary;
    for (name, value) in shown.tags() {
        writeln!(out, "[{} \"{}\"]", sanitize::text(&name), sanitize::text(&value))?;
    }
    writeln!(out, "\n{}", moves_text(shown, out.coloured()))?;
    let line = &shown.annotated.main;
    let comments = match shown.ply.checked_sub(1).and_then(|last| line.plies.get(last)) {
        Some(ply) => &ply.comments,
        None => &line.comments,
    };
    for comment in comments {
        let text = shown.decode(comment.text);
        writeln!(out, "\n{{{}}}", sanitize::text(text.trim()))?;
    }
    let (position, _) = shown.position();
    let picture = board::terminal(&position, options);
    writeln!(out, "\n{}", picture.trim_end())?;
    write_winner(&position, out)?;
    let basis = match summary.basis {
        VariantBasis::Tag => "by its tag",
        VariantBasis::Caller => "by --variant",
        VariantBasis::Guess => "by default",
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
    if let Some((tag, terminator)) =
        summary.result_tag.zip(summary.terminator).filter(|_| summary.results_differ())
    {
        let [tag, terminator] = [tag, terminator].map(|result| shown.decode(result.span.of(shown.raw())));
        writeln!(
            out,
            "The Result tag counts: {}. The terminator says {}.",
            sanitize::text(tag.trim()),
            sanitize::text(&terminator)
        )?;
    }
    if let Some(stop) = shown.stop_text() {
        writeln!(out, "The game {}.", sanitize::text(&stop))?;
    }
    Ok(())
}

/// Formats the moves of the main line; the last ply before the position is marked.
fn moves_text(shown: &ShownGame<'_>, coloured: bool) -> String {
    let line = &shown.annotated.main;
    let start = shown.annotated.summary.numbering.start;
    let mut words = Vec::new();
    let mut number = 1;
    for (index, ply) in line.plies.iter().enumerate() {
        let is_second = ply.position.turn() != start;
        if !is_second {
            words.push((format!("{number}."), false));
        } else if index == 0 {
            words.push((format!("{number}..."), false));
        }
        number += u32::from(is_second);
        words.push((ply_text(ply), index + 1 == shown.ply));
    }
    words.extend(line.rest.iter().map(|mv| (format!("?{}", shown.decode(mv.text)), false)));
    if let Some(end) = shown.annotated.summary.terminator {
        words.push((shown.decode(end.span.of(shown.raw())), false));
    }
    let (mut lines, mut column) = (String::new(), 0);
    for (word, marked) in words {
        let word = sanitize::text(&word).into_owned();
        let width = word.chars().count() + if marked && !coloured { 2 } else { 0 };
        if column > 0 {
            let is_full = column + 1 + width > MAX_WIDTH;
            lines.push(if is_full { '\n' } else { ' ' });
            column = if is_full { 0 } else { column + 1 };
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

/// Returns the shortest correct text of a ply with its move strength; the written move if its capture search exceeds the
/// search budget.
fn ply_text(ply: &AnnotatedPly<'_>) -> String {
    let mut text = move_text(&ply.position, &ply.mv, MoveStyle::Shortest)
        .unwrap_or_else(|_| String::from_utf8_lossy(ply.text).into_owned());
    text.push_str(&String::from_utf8_lossy(ply.strength.unwrap_or_default()));
    text
}
