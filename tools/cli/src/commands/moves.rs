//! `pdn moves`: lists the legal moves of a position.

use std::io::{self, Write};

use pdn::movegen::MoveList;
use pdn::notation::move_text;
use serde_json::json;

use super::position::{self, report_limit};
use crate::args::MovesArgs;
use crate::board::words::{colour_name, sorted_moves};
use crate::output::{Exit, Output};

/// Runs `pdn moves`.
pub(crate) fn run(args: &MovesArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(position) = position::from_args(&args.position) else { return Ok(Exit::Failure) };
    let mut list = MoveList::new();
    if let Err(limit) = position.legal_moves(&mut list) {
        return Ok(report_limit(limit));
    }
    let names = position.names();
    let mut moves = Vec::with_capacity(list.as_slice().len());
    for mv in sorted_moves(list.as_slice(), &names) {
        match move_text(&position, &mv, args.style.into()) {
            Ok(text) => moves.push((mv, text)),
            Err(limit) => return Ok(report_limit(limit)),
        }
    }
    if args.format.is_json() {
        let values: Vec<_> = moves
            .iter()
            .map(|(mv, text)| {
                let captured: Vec<_> =
                    mv.captured_squares().map(|square| names.name(square).to_string()).collect();
                json!({
                    "from": names.name(mv.from).to_string(),
                    "to": names.name(mv.to).to_string(),
                    "captured": captured,
                    "promotes": mv.promotes,
                    "text": text,
                    "after": position.after_unchecked(mv).fen(),
                })
            })
            .collect();
        let value = json!({
            "variant": args.position.rules().name,
            "fen": position.fen(),
            "turn": colour_name(position.turn()),
            "moves": values,
        });
        writeln!(out, "{value}")?;
    } else {
        for (_, text) in &moves {
            writeln!(out, "{text}")?;
        }
    }
    Ok(if moves.is_empty() { Exit::Negative } else { Exit::Success })
}
