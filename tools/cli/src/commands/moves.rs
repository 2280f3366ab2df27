//! `pdn moves`: lists the legal moves of a position.

use std::io::Write;

use pdn_app::moves::moves;

use super::warned;
use crate::args::MovesArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn moves`.
pub(crate) fn run(args: &MovesArgs, out: &mut Output) -> CommandResult {
    let request = args.position.read();
    let answer = warned(out, |warnings| moves(&request, args.style.into(), warnings))?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        for legal in &answer.moves {
            writeln!(out, "{}", legal.text)?;
        }
    }
    Ok(if answer.moves.is_empty() { Exit::Negative } else { Exit::Success })
}
