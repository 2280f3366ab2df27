//! `pdn show`: shows a game of an archive or an index with its tags, moves, comments and board, or a position.

mod movetext;

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use pdn::position::Position;
use pdn::replay::VariantBasis;
use pdn::rules::Variant;
use pdn_app::ask::endings::{EndingOptions, ProvenMoves, WithProven, proven_sentence};
use pdn_app::ask::position::FenStyleOption;
use pdn_app::ask::values::colour_title;
use pdn_app::draw::board::svg;
use pdn_app::draw::moves::PositionSummary;
use pdn_app::find::show::{LinePly, ShowRequest, ShownGame};
use pdn_app::read::inputs::ReadOptions;
use pdn_app::write::outputs::{Overwriting, write_file};
use pdn_app::{AppError, ErrorCode};

use crate::args::help;
use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, PositionArgs, TextOptions, number};
use crate::board;
use crate::board::DrawOptions;
use crate::commands::warned;
use crate::output::{CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
Examples: `pdn show games.pdn 17 --ply 40` shows the position after 40 plies of the 17th game, \
`pdn show --fen W:WK3:B18,24` a position, `pdn show --moves '1. 32-28 19-23'` the position after moves, `pdn show -g \
russian` the start position of a variant.

Moves, comments and variations are printed as they stand in the record. The move before the position is marked; a `?` \
before a move means that it was not replayed.

With --tables, a line says what the position is worth: `pdn show -g russian --fen W:WK1:BK32 --tables endings`.";

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// File with the game, folder of an index or of PDN files; .gz, .zst, .bz2 and .zip are decompressed, `-` is standard
    /// input
    #[arg(value_name = "PATH", conflicts_with_all = ["fen", "moves"])]
    pub(crate) path: Option<PathBuf>,

    /// Number of the game, from 1
    #[arg(value_name = "GAME", default_value = "1", value_parser = parse_game_number)]
    pub(crate) number: u64,

    /// Show the position after this many plies of the main line or of --line, 0 for the start position [default: all plies]
    #[arg(long, value_name = "N", requires = "path", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) ply: Option<usize>,

    /// Show a position of this variation: 1, 2 and so on in the order in which their brackets open, as `line` in the output of find
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, requires = "path", value_parser = number::<usize>(0..=u64::from(u32::MAX)), conflicts_with = "plain")]
    pub(crate) line: usize,

    #[command(flatten)]
    pub(crate) text: OptionArgs<TextOptions<true>>,

    #[arg(long, value_name = "FOLDER", requires = "path", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Print only the moves of the main line as written, up to --ply; `--moves` takes them
    #[arg(long, requires = "path", conflicts_with_all = ["json", "format", "svg", "tables"])]
    pub(crate) plain: bool,

    /// Print the name of every square
    #[arg(long, short)]
    pub(crate) numbers: bool,

    /// Draw Black at the bottom
    #[arg(long)]
    pub(crate) flip: bool,

    /// Use letters instead of the symbols for pieces, which some fonts lack
    #[arg(long)]
    pub(crate) letters: bool,

    /// Write an SVG picture to this file instead, `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "format", "tables"])]
    pub(crate) svg: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) fen: OptionArgs<FenStyleOption>,

    #[command(flatten)]
    tables: OptionArgs<EndingOptions>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl ShowArgs {
    /// Returns what the tables of endings prove of a position of a variant; `None` without tables.
    fn prove(&self, variant: Variant, position: &Position) -> pdn_app::Result<Option<ProvenMoves>> {
        self.tables.open()?.map(|tables| tables.prove(variant, position)).transpose()
    }
}

/// Parses the number of a game.
///
/// # Errors
///
/// A message if it is not a number above 0.
fn parse_game_number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("games count from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => {
            Err("not the number of a game; `pdn find` finds games by players, moves and more".to_owned())
        }
    }
}

/// Runs `pdn show`.
pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> CommandResult {
    let Some(path) = &args.path else { return show_position(args, out) };
    let request = ShowRequest {
        path: path.clone(),
        number: args.number,
        at: LinePly { line: args.line, ply: args.ply },
        read: ReadOptions {
            variant: args.position.rules.variant.as_ref().map(|rules| rules.candidate),
            ..args.text.read
        },
        root: args.root.clone(),
        fen_style: args.fen.fen_style,
    };
    request.show(|shown| print_game(shown, args, out))?
}

/// Prints a game in the form that the options choose.
fn print_game(shown: &ShownGame<'_>, args: &ShowArgs, out: &mut Output) -> CommandResult {
    if args.plain {
        writeln!(out, "{}", movetext::plain(shown, args.ply.is_none()))?;
        return Ok(Exit::Success);
    }
    let (position, last_move) = shown.position();
    let mut options = DrawOptions {
        square_names: args.numbers,
        flip: args.flip,
        last_move: last_move.map(|mv| (mv.from, mv.to)),
        ..DrawOptions::default()
    };
    if let Some(file) = &args.svg {
        return write_svg(file, &pdn_app::draw::board::svg(&position, &options), out);
    }
    let proven = args.prove(shown.annotated.summary.variant, &position)?;
    if args.format.is_json() {
        let answer = WithProven { answer: shown.answer(), proven: proven.map(|proven| proven.answer()) };
        writeln!(out, "{}", sanitize::json(&answer))?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    print(shown, &options, proven.as_ref(), out)?;
    Ok(Exit::Success)
}

/// Writes the sentence about the winner if the game ends in this position, and what tables of endings prove of it.
fn write_value(position: &Position, proven: Option<&ProvenMoves>, out: &mut Output) -> io::Result<()> {
    if let Some(end) = position.end() {
        writeln!(out, "{} has won: {}", colour_title(end.winner), end.reason)?;
    }
    match proven.map(|proven| proven.position) {
        Some(Some(value)) => writeln!(out, "{}", proven_sentence(position.turn(), value)),
        Some(None) => writeln!(out, "The tables of endings do not reach this position."),
        None => Ok(()),
    }
}

/// Writes a picture to a new file, or to standard output if `file` is `-`. A file that exists is left as it is.
fn write_svg(file: &Path, svg: &str, out: &mut Output) -> CommandResult {
    if file == Path::new("-") {
        out.write_all(svg.as_bytes())?;
        return Ok(Exit::Success);
    }
    let overwriting = Overwriting { force: false, inputs: &[] };
    let written = write_file(file, svg.as_bytes(), false, overwriting, &mut out.context());
    written.map_err(|error| match error.code {
        // There is no option that replaces it.
        ErrorCode::Exists => {
            AppError::path(ErrorCode::Exists, file, "the file exists; it is not overwritten")
        }
        _ => error,
    })?;
    Ok(Exit::Success)
}

/// Maximum width of a line of moves, in columns.
const MAX_WIDTH: usize = 90;

/// Prints tags, movetext and board.
fn print(
    shown: &ShownGame<'_>,
    options: &DrawOptions,
    proven: Option<&ProvenMoves>,
    out: &mut Output,
) -> io::Result<()> {
    let summary = &shown.annotated.summary;
    for (name, value) in shown.section_tags() {
        writeln!(out, "[{} \"{}\"]", sanitize::text(&name), sanitize::text(&value))?;
    }
    let movetext = movetext::format(shown, out.width().min(MAX_WIDTH), out.coloured());
    writeln!(out, "\n{}", movetext.lines)?;
    let (position, _) = shown.position();
    let picture = board::terminal(&position, options);
    writeln!(out, "\n{}", picture.trim_end())?;
    write_value(&position, proven, out)?;
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

/// Runs `pdn show` without a path.
fn show_position(args: &ShowArgs, out: &mut Output) -> CommandResult {
    let request = args.position.read();
    let position = warned(out, |warnings| request.position(warnings))?;
    let mut options = DrawOptions { square_names: args.numbers, flip: args.flip, ..DrawOptions::default() };
    if let Some(file) = &args.svg {
        return write_svg(file, &svg(&position, &options), out);
    }
    let proven = args.prove(request.rules.candidate.variant, &position)?;
    if args.format.is_json() {
        let summary = PositionSummary::of(&request.rules.name, &position);
        let answer = PositionSummary { fen: position.fen_as(args.fen.fen_style.into()), ..summary };
        let answer = WithProven { answer, proven: proven.map(|proven| proven.answer()) };
        writeln!(out, "{}", sanitize::json(&answer))?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    write!(out, "{}", board::terminal(&position, &options))?;
    write_value(&position, proven.as_ref(), out)?;
    Ok(Exit::Success)
}
