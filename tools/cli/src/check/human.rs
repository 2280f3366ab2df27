//! Findings for people.

use std::io::{self, Write};
use std::path::Path;

use pdn::diag::{Code, Severity};

use super::{Finding, Printer};
use crate::board;
use crate::clean;
use crate::output::Output;
use crate::render;
use crate::totals::{self, Totals, count};

#[derive(Default)]
pub(super) struct Human {
    omitted: bool,
}

impl Printer for Human {
    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()> {
        let place = render::Place {
            file: &clean::path(finding.file),
            line: finding.start.line,
            column: finding.start.column,
            last_line: finding.last_line(),
            game: finding.number,
        };
        let text = render::finding(
            &place,
            finding.game.bytes,
            finding.encoding,
            finding.diagnostic,
            &finding.words,
            out.coloured(),
            out.width(),
        );
        writeln!(out, "{text}\n")?;
        if let Some(stopped) = &finding.words.stopped {
            let options = board::Options {
                colours: out.coloured(),
                last_move: stopped.before.map(|mv| (mv.from, mv.to)),
                ..board::Options::default()
            };
            let picture = board::terminal(&stopped.position, &options);
            for line in picture.lines() {
                writeln!(out, "    {line}")?;
            }
            writeln!(out)?;
        }
        // Somebody is watching: do not keep findings back until the buffer is full.
        if out.coloured() { out.flush() } else { Ok(()) }
    }

    fn omitted(&mut self, file: &Path, code: Code, number: u64, out: &mut Output) -> io::Result<()> {
        self.omitted = true;
        let file = clean::path(file);
        writeln!(out, "... and {number} more of {code} ({}) in {file}\n", code.title())
    }

    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        if self.omitted {
            writeln!(out, "(`--max-findings 0` prints all of them)\n")?;
        }
        if totals.not_kept > 0 {
            let more = indicatif::HumanCount(totals.not_kept);
            writeln!(out, "... and {more} more in games that have over a thousand findings\n")?;
        }
        writeln!(out, "{}", summary(totals))
    }
}

/// The sentences that end the report: what was found, what became of the games, and which games they are.
fn summary(totals: &Totals) -> String {
    let found = [
        (totals.errors, Severity::Error),
        (totals.warnings, Severity::Warning),
        (totals.styles, Severity::Style),
    ];
    let found: Vec<_> = found
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, severity)| match severity {
            Severity::Style => count(*number, "matter") + " of style",
            other => count(*number, other.name()),
        })
        .collect();
    let found = if found.is_empty() { "no findings".to_owned() } else { found.join(", ") };
    let mut text = format!(
        "{found} in {}, {}, {}.\n",
        count(totals.games, "game"),
        count(totals.files, "file"),
        totals::size(totals.bytes),
    );
    let mut kinds: Vec<_> = totals
        .statuses()
        .into_iter()
        .filter(|(_, games)| *games > 0)
        .map(|(name, games)| {
            format!(
                "{} {}",
                indicatif::HumanCount(games),
                if name == "unsupported" { "not draughts" } else { name }
            )
        })
        .collect();
    if !totals.replayed {
        kinds.push("the text was checked, no move was replayed".to_owned());
        return text + &capitalised(&kinds.join(", ")) + ".";
    }
    if !kinds.is_empty() {
        text += &format!("{}; {} replayed.\n", capitalised(&kinds.join(", ")), plies(totals.plies));
    }
    let variants: Vec<_> = totals
        .by_variant()
        .map(|(variant, games, inferred)| match inferred {
            0 => format!("{variant} {}", indicatif::HumanCount(games)),
            _ if inferred == games => format!("{variant} {} (inferred)", indicatif::HumanCount(games)),
            _ => format!(
                "{variant} {} ({} of them inferred)",
                indicatif::HumanCount(games),
                indicatif::HumanCount(inferred)
            ),
        })
        .collect();
    if !variants.is_empty() {
        text += &format!("Variants: {}.\n", variants.join(", "));
    }
    text.truncate(text.trim_end().len());
    text
}

fn plies(number: u64) -> String {
    format!("{} {}", indicatif::HumanCount(number), if number == 1 { "ply" } else { "plies" })
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
