//! Shows a position that is given by options.

use std::io::{self, Write};

use serde_json::json;

use super::{write_svg, write_winner};
use crate::args::ShowArgs;
use crate::board::words::colour_name;
use crate::board::{self, DrawOptions};
use crate::commands::position;
use crate::output::{Exit, Output};

/// Runs `pdn show` without a path.
pub(super) fn show(args: &ShowArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(position) = position::from_args(&args.position) else { return Ok(Exit::Failure) };
    let mut options = DrawOptions { square_names: args.numbers, flip: args.flip, ..DrawOptions::default() };
    if let Some(file) = &args.svg {
        return write_svg(file, &board::svg(&position, &options), out);
    }
    if args.format.is_json() {
        let counts = position.counts();
        let value = json!({
            "variant": args.position.rules().name,
            "fen": position.fen(),
            "turn": colour_name(position.turn()),
            "men": { "white": counts.men[0], "black": counts.men[1] },
            "kings": { "white": counts.kings[0], "black": counts.kings[1] },
            "key": position.key().to_string(),
            "winner": position.end().map(|end| colour_name(end.winner)),
        });
        writeln!(out, "{value}")?;
        return Ok(Exit::Success);
    }
    options.colours = out.coloured();
    options.letters = args.letters;
    write!(out, "{}", board::terminal(&position, &options))?;
    write_winner(&position, out)?;
    Ok(Exit::Success)
}
