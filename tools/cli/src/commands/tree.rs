//! `pdn tree`: shows the moves played in a position, and how those games ended.

mod print;

use std::io::Write;

use pdn_app::Events;
use pdn_app::position::PlaceRequest;
use pdn_app::tree::TreeRequest;
use pdn_index::query::TreeOptions;

use crate::args::{TreeArgs, read_filter};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

/// Runs `pdn tree`.
pub(crate) fn run(args: &TreeArgs, out: &mut Output) -> CommandResult {
    let threads = args.threads.unwrap_or_else(pdn::default_threads);
    let request = TreeRequest {
        place: PlaceRequest { fen: args.fen.clone(), moves: args.moves.clone() },
        filter: read_filter(Some(&args.filter), args.variant, None)?,
        transpositions: args.transpositions,
        sort: args.sort,
        limit: args.limit,
    };
    let index = args.searched.read().open(threads, false, &mut out.context())?;
    let chosen = request.choose(&index, threads, &interrupt::handle())?;
    let found = request.tree(&index, &chosen, &TreeOptions::new().threads(threads))?;
    found.warnings.iter().for_each(|warning| out.problem(warning));
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&found.answer()))?;
    } else {
        print::table(&found, out)?;
    }
    if found.tree.all.games == 0 {
        out.problem(&found.no_match(&index, threads)?);
        return Ok(index_exit(&index, Exit::Negative));
    }
    Ok(index_exit(&index, Exit::Success))
}
