//! `pdn sheet`: draws the diagrams of all records on pages to print.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pdn_app::ask::numbers::count;
use pdn_app::draw::board::DrawOptions;
use pdn_app::draw::board::sheet::{Paper, SheetLayout};
use pdn_app::draw::sheet::SheetRequest;

use crate::args::shared::{FormatArgs, InputArgs, number};
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Each record has a diagram with its number on the sheet, its composer or players, source and date, and the side to move: a \
problem its position, a game its last one. The composer is taken from the tags Author or Composer, or the only player that is known; \
the source from Publication or Source, or event and site; the date from PublicationDate or Date.

A name ending in .html gives one document, which a browser prints or saves as PDF, a page for each sheet. A name ending in .svg \
gives a picture for each sheet: sheet.svg, sheet-2.svg and so on.

Examples: `pdn sheet problems.pdn -o problems.html`, `pdn sheet tournament.pdn --ply 40 --per-row 4 -o ply40.html`.

Exit codes: 0 if a sheet was written, 1 if there is no diagram to draw, 2 if an input cannot be read or a file cannot be \
written.";

#[derive(Args, Debug)]
pub(crate) struct SheetArgs {
    #[command(flatten)]
    input: InputArgs,

    /// File to write: .html for one document of all sheets, .svg for a picture for each sheet
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Replace files that exist
    #[arg(long)]
    force: bool,

    /// Diagrams in a row, 1 to 8
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<usize>(1..=8))]
    per_row: usize,

    /// Paper that the sheets are made for
    #[arg(long, value_name = "PAPER", default_value = "a4")]
    paper: PaperArg,

    /// Show the position after this many plies of the main line, or the last one of a shorter record [default: 0 for problems, all for
    /// games]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    ply: Option<usize>,

    /// Only records with a position of their own
    #[arg(long)]
    problems: bool,

    /// Print the name of every square
    #[arg(long, short)]
    numbers: bool,

    /// Draw Black at the bottom
    #[arg(long)]
    flip: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The paper of a sheet.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum PaperArg {
    /// 210 by 297 mm
    A4,
    /// 8.5 by 11 inches
    Letter,
}

impl SheetArgs {
    /// Returns what the options ask for.
    pub(crate) fn read(&self) -> SheetRequest {
        let paper = match self.paper {
            PaperArg::A4 => Paper::A4,
            PaperArg::Letter => Paper::Letter,
        };
        SheetRequest {
            inputs: self.input.read(),
            output: self.output.clone(),
            force: self.force,
            layout: SheetLayout::new(self.per_row, paper),
            ply: self.ply,
            problems_only: self.problems,
            draw: DrawOptions { square_names: self.numbers, flip: self.flip, ..DrawOptions::default() },
        }
    }
}

/// Runs `pdn sheet`.
pub(crate) fn run(args: &SheetArgs, out: &mut Output) -> CommandResult {
    let request = args.read();
    let answer = request.run(&mut out.context())?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        let (diagrams, pages) = (count(answer.diagrams, "diagram"), count(answer.pages, "page"));
        let place = match &answer.files[..] {
            [] => String::new(),
            [file] => format!(": {}", sanitize::path(file)),
            [first, .., last] => format!(": {} to {}", sanitize::path(first), sanitize::path(last)),
        };
        let records = count(answer.records, "record");
        writeln!(out, "{diagrams} of {records} on {pages}{place}")?;
    }
    Ok(match (answer.is_complete, answer.files.is_empty()) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Negative,
        (true, false) => Exit::Success,
    })
}
