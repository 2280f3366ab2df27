//! `pdn show`: shows a game of an archive or an index with its tags, moves, comments and board, or a position.

mod movetext;
mod human;
mod position;

use std::io::{self, Write};
use std::path::Path;

use pdn::position::Position;
use pdn_app::outputs::{Overwriting, write_file};
use pdn_app::show::{LinePly, ShowRequest, ShownGame};
use pdn_app::words::colour_title;
use pdn_app::{AppError, ErrorCode};

use crate::args::ShowArgs;
use crate::board::DrawOptions;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn show`.
pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> CommandResult {
    let Some(path) = &args.path else { return position::show(args, out) };
    let request = ShowRequest {
        path: path.clone(),
        number: args.number,
        at: LinePly { line: args.line, ply: args.ply },
        variant: args.position.variant.as_ref().map(|rules| rules.candidate),
        encoding: args.encoding,
        root: args.root.clone(),
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
        return write_svg(file, &pdn_app::board::svg(&position, &options), out);
    }
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&shown.answer()))?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    human::print(shown, &options, out)?;
    Ok(Exit::Success)
}

/// Writes the sentence about the winner if the game ends in this position.
fn write_winner(position: &Position, out: &mut Output) -> io::Result<()> {
    let Some(end) = position.end() else { return Ok(()) };
    writeln!(out, "{} has won: {}", colour_title(end.winner), end.reason)
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
