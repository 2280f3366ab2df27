//! Prints a game as text.

use std::io::{self, Write};

use pdn::replay::VariantBasis;

use pdn_app::show::ShownGame;

use super::{movetext, write_winner};
use crate::board::{self, DrawOptions};
use crate::output::{Output, sanitize};

/// Maximum width of a line of moves, in columns.
const MAX_WIDTH: usize = 90;

/// Prints tags, movetext and board.
pub(super) fn print(shown: &ShownGame<'_>, options: &DrawOptions, out: &mut Output) -> io::Result<()> {
    let summary = &shown.annotated.summary;
    for (name, value) in shown.section_tags() {
        writeln!(out, "[{} \"{}\"]", sanitize::text(&name), sanitize::text(&value))?;
    }
    let movetext = movetext::format(shown, out.width().min(MAX_WIDTH), out.coloured());
    writeln!(out, "\n{}", movetext.lines)?;
    let (position, _) = shown.position();
    let picture = board::terminal(&position, options);
    writeln!(out, "\n{}", picture.trim_end())?;
    write_winner(&position, out)?;
    let basis = match summary.basis {
        VariantBasis::Tag => "by its tag",
        VariantBasis::Caller => "by --untagged",
        VariantBasis::Guess => "by default",
        _ => "inferred",
    };
    let line = match shown.line.number {
        0 => String::new(),
        number => format!(" in line {number}"),
    };
    let last = shown.first + shown.line.plies.len();
    writeln!(out, "\nPly {} of {last}{line}; {} ({basis}), {}.", shown.ply, summary.variant, summary.status)?;
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
    if movetext.has_unplayed {
        writeln!(out, "Moves with a `?` before them were not replayed.")?;
    }
    Ok(())
}
