//! A position with its legal moves and its board, for a program that draws it.

use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::query::commonest_variant;
use pdn::rules::Variant;
use pdn_explorer::{Params, Problem};
use serde_json::{Value, json};

use super::archive::OpenArchive;
use super::request::{answered, failure};
use crate::board::DrawOptions;
use crate::board::diagram::Diagram;
use crate::commands::position::from_options;
use pdn_app::words::{colour_name, sorted_moves};

/// Answers `/position`: the position that the parameters name, in the commonest variant of the index by default.
///
/// # Errors
///
/// If a parameter is invalid.
pub(super) fn answer(archive: &OpenArchive, params: &Params) -> Result<Value, Problem> {
    let variant = match params.get("variant") {
        Some(name) => {
            name.parse::<Variant>().map_err(|error| Problem::parameter("variant", error.to_string()))?
        }
        None => {
            let commonest = commonest_variant(&archive.index).map_err(|error| failure(&error))?;
            commonest.unwrap_or(Variant::International)
        }
    };
    let position = answered(|| Ok(from_options(variant.game(), params.get("fen"), params.get("moves"))))?;
    json(variant, &position)
}

/// Returns the JSON of a position.
///
/// # Errors
///
/// If it has too many captures to be listed.
pub(super) fn json(variant: Variant, position: &Position) -> Result<Value, Problem> {
    let names = position.names();
    let mut list = MoveList::new();
    let limit = |limit: pdn::movegen::CaptureLimit| Problem::new(400, limit.to_string());
    position.legal_moves(&mut list).map_err(limit)?;
    let mut moves = Vec::new();
    for mv in sorted_moves(list.as_slice(), &names) {
        let text = |style| move_text(position, &mv, style).map_err(limit);
        let chain = text(MoveStyle::Chain)?;
        moves.push(json!({
            "from": names.name(mv.from).to_string(),
            "to": names.name(mv.to).to_string(),
            "path": chain.split(['-', 'x']).collect::<Vec<_>>(),
            "captured": mv.captured_squares().map(|square| names.name(square).to_string()).collect::<Vec<_>>(),
            "promotes": mv.promotes,
            "text": text(MoveStyle::Shortest)?,
            "after": position.after(&mv).fen(),
        }));
    }
    let counts = position.counts();
    Ok(json!({
        "variant": variant.name(),
        "fen": position.fen(),
        "turn": colour_name(position.turn()),
        "men": { "white": counts.men[0], "black": counts.men[1] },
        "kings": { "white": counts.kings[0], "black": counts.kings[1] },
        "winner": position.outcome().map(|end| colour_name(end.winner)),
        "moves": moves,
        "board": board(position),
    }))
}

/// Returns the squares of the board in rows from the top left as White sees it; null for cells that are no squares.
fn board(position: &Position) -> Value {
    let diagram = Diagram::of(position, &DrawOptions::default());
    let rows: Vec<Vec<Option<&str>>> =
        diagram.rows.iter().map(|row| row.iter().map(|cell| cell.square.as_deref()).collect()).collect();
    let edges = diagram.edges.as_ref();
    json!({
        "rows": rows,
        "full": diagram.full,
        "files": edges.map(|edges| edges.files.iter().map(char::to_string).collect::<Vec<_>>()),
        "ranks": edges.map(|edges| edges.ranks.clone()),
    })
}
