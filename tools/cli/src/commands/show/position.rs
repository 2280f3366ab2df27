//! Shows a position that is given by options.

use std::io::Write;

use pdn_app::board::svg;
use pdn_app::moves::PositionSummary;

use super::{write_svg, write_winner};
use crate::args::ShowArgs;
use crate::board::{self, DrawOptions};
use crate::commands::warned;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn show` without a path.
pub(super) fn show(args: &ShowArgs, out: &mut Output) -> CommandResult {
    let request = args.position.read();
    let position = warned(out, |warnings| request.position(warnings))?;
    let mut options = DrawOptions { square_names: args.numbers, flip: args.flip, ..DrawOptions::default() };
    if let Some(file) = &args.svg {
        return write_svg(file, &svg(&position, &options), out);
    }
    if args.format.is_json() {
        let answer = PositionSummary::of(&request.rules.name, &position);
        writeln!(out, "{}", sanitize::json(&answer))?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    write!(out, "{}", board::terminal(&position, &options))?;
    write_winner(&position, out)?;
    Ok(Exit::Success)
}
