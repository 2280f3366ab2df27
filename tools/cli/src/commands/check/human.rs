//! Prints diagnostics as text with the line, the marked span, an explanation and the board.

use std::io::{self, Write};
use std::path::Path;

use pdn::diag::{Code, Severity};

use super::{DiagnosticPrinter, snippet};
use crate::board::{self, DrawOptions};
use crate::commands::check::Group;
use crate::output::{Output, sanitize};
use pdn_app::ask::numbers::{Count, count, plies, size};
use pdn_app::check::totals::Totals;
use pdn_app::check::{CheckAnswer, CodeGroup, FileGroup, Finding, FindingText};

/// The printer of `--format human`.
pub(super) struct Human {
    /// What diagnostics are counted by.
    by: Option<Group>,
    /// `true` if only the summary is printed.
    summary_only: bool,
    /// `true` if diagnostics were not printed because of `--max-findings`.
    has_omitted: bool,
}

impl Human {
    /// Creates a printer; the arguments are the options of these names.
    pub(super) fn new(by: Option<Group>, summary_only: bool) -> Self {
        Self { by, summary_only, has_omitted: false }
    }
}

impl DiagnosticPrinter for Human {
    fn finding(&mut self, finding: &Finding, text: &FindingText<'_>, out: &mut Output) -> io::Result<()> {
        let snippet = snippet::format(finding, text, out.coloured(), out.width());
        writeln!(out, "{snippet}\n")?;
        if let Some(mv) = &text.explanation.unplayable {
            let options = DrawOptions {
                colours: out.coloured(),
                last_move: mv.last_move.map(|mv| (mv.from, mv.to)),
                ..DrawOptions::default()
            };
            let picture = board::terminal(&mv.position, &options);
            for line in picture.lines() {
                writeln!(out, "    {line}")?;
            }
            writeln!(out)?;
        }
        // Colours mean a terminal: print each diagnostic at once instead of filling the buffer.
        if out.coloured() { out.flush() } else { Ok(()) }
    }

    fn omitted(&mut self, file: &Path, code: Code, count: u64, out: &mut Output) -> io::Result<()> {
        self.has_omitted = true;
        let file = sanitize::path(file);
        writeln!(out, "... and {} more of {code} ({}) in {file}\n", Count(count), code.title())
    }

    fn file(&mut self, group: &FileGroup, out: &mut Output) -> io::Result<()> {
        let numbers = by_severity(group.errors, group.warnings, group.styles);
        let codes: Vec<_> =
            group.codes.0.iter().map(|(code, number)| format!("{code} {}", Count(*number))).collect();
        let (name, games) = (sanitize::text(&group.file), count(group.games, "game"));
        writeln!(out, "{name}: {numbers} in {games}\n    {}", codes.join(", "))
    }

    fn codes(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        // The number of files is of interest even if it is 1.
        write!(out, "{}", lines(&answer.codes, true, true))
    }

    fn end(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        let totals = &answer.summary.totals;
        if self.has_omitted {
            writeln!(out, "(`--max-findings 0` prints all diagnostics)\n")?;
        }
        if totals.not_kept > 0 {
            let count = Count(totals.not_kept);
            writeln!(out, "... and {count} more in games with more than a thousand diagnostics\n")?;
        }
        let has_groups = self.by.is_some() && totals.diagnostics() > 0;
        writeln!(out, "{}{}", if has_groups { "\n" } else { "" }, summary(totals))?;
        // A single diagnostic stands right above.
        let least = if self.summary_only { 1 } else { 2 };
        if totals.diagnostics() >= least && self.by != Some(Group::Code) {
            write!(out, "\n{}", lines(&answer.codes, totals.files > 1, false))?;
        }
        Ok(())
    }
}

/// Formats a line for each code, with the number of files if `has_files`, and where the first one is if `has_examples`.
fn lines(groups: &[CodeGroup], has_files: bool, has_examples: bool) -> String {
    let numbers: Vec<_> = groups.iter().map(|group| Count(group.diagnostics).to_string()).collect();
    let width = numbers.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (group, number) in groups.iter().zip(&numbers) {
        let (code, severity) = (group.code, group.severity.name());
        text += &format!("{code}  {severity:<7}  {number:>width$}  {}", group.title);
        if has_files {
            text += &format!(", in {}", count(group.files, "file"));
        }
        text.push('\n');
        if let (true, Some(file), Some(record)) = (has_examples, &group.file, group.record) {
            text += &format!("      first in {}, game {}\n", sanitize::text(file), Count(record));
        }
    }
    text
}

/// Formats numbers of diagnostics: `1 error, 12 warnings`.
fn by_severity(errors: u64, warnings: u64, styles: u64) -> String {
    let counts: Vec<_> =
        [(errors, Severity::Error), (warnings, Severity::Warning), (styles, Severity::Style)]
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, severity)| match severity {
                Severity::Style => count(*number, "style diagnostic"),
                other => count(*number, other.name()),
            })
            .collect();
    if counts.is_empty() { "no diagnostics".to_owned() } else { counts.join(", ") }
}

/// Formats the summary: the number of diagnostics by severity, of games by status, and of games by variant.
fn summary(totals: &Totals) -> String {
    let counts = by_severity(totals.errors, totals.warnings, totals.styles);
    let mut text = format!(
        "{counts} in {}, {}, {}.\n",
        count(totals.games, "game"),
        count(totals.files, "file"),
        size(totals.bytes),
    );
    let mut by_status: Vec<_> = totals
        .statuses()
        .into_iter()
        .filter(|(_, games)| *games > 0)
        .map(|(name, games)| {
            format!("{} {}", Count(games), if name == "unsupported" { "not draughts" } else { name })
        })
        .collect();
    if !totals.replayed {
        by_status.push("text checked, moves not replayed".to_owned());
        return text + &capitalised(&by_status.join(", ")) + ".";
    }
    if !by_status.is_empty() {
        text += &format!("{}; {} replayed.\n", capitalised(&by_status.join(", ")), plies(totals.plies));
    }
    let variants: Vec<_> = totals
        .by_variant()
        .map(|(variant, games, inferred)| match inferred {
            0 => format!("{variant} {}", Count(games)),
            _ if inferred == games => format!("{variant} {} (inferred)", Count(games)),
            _ => format!("{variant} {} ({} inferred)", Count(games), Count(inferred)),
        })
        .collect();
    if !variants.is_empty() {
        text += &format!("Variants: {}.\n", variants.join(", "));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns the text with its first character in upper case.
fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
