//! Formats a game as JSON.

use pdn::board::SquareNames;
use pdn::notation::{MoveStyle, move_text};
use pdn::parse::Comment;
use pdn::replay::{AnnotatedLine, AnnotatedPly, WrittenResult};
use serde_json::{Map, Value, json};

use super::ShownGame;
use crate::board::words::{colour_name, winner_name};

/// Maximum depth of variations that are written out; of deeper ones, only the number is.
const MAX_DEPTH: u32 = 20;

/// Returns the game as one object.
pub(super) fn object(shown: &ShownGame<'_>) -> Value {
    let annotated = shown.annotated;
    let summary = &annotated.summary;
    let mut tags = Map::new();
    for (name, value) in shown.tags() {
        // If a tag is repeated, the first one counts.
        tags.entry(name).or_insert_with(|| value.into());
    }
    let game = shown.batch.get(shown.index).map(|game| game.view().record());
    let (position, _) = shown.position();
    let stop = summary.stop.map(|stop| {
        json!({
            "ply": stop.ply + 1,
            "move": shown.decode(stop.span.of(shown.raw())),
            "offset": game.map(|game| game.offset + u64::from(stop.span.start)),
            "code": stop.reason.code().id(),
            "reason": stop.reason.text(),
        })
    });
    let written =
        |result: Option<WrittenResult>| result.map(|result| shown.decode(result.span.of(shown.raw())));
    json!({
        "file": shown.batch.name().to_string_lossy(),
        "game": shown.number,
        "offset": game.map(|game| game.offset),
        "length": game.map(|game| game.bytes.len()),
        "tags": tags,
        "variant": summary.variant.name(),
        "inferred": summary.basis.is_inferred(),
        "status": summary.status.name(),
        "plies": summary.plies,
        "written": summary.written,
        "result": written(summary.result()),
        "result_tag": written(summary.result_tag),
        "result_end": written(summary.terminator),
        "winner": winner_name(summary.outcome(), summary.numbering.start),
        "start": summary.start_position().fen(),
        "ply": shown.ply,
        "fen": position.fen(),
        "comments": comments(shown, &annotated.main.comments),
        "moves": moves(shown, &annotated.main, MAX_DEPTH),
        "rest": annotated.main.rest.iter().map(|mv| shown.decode(mv.text)).collect::<Vec<_>>(),
        "stop": stop,
    })
}

/// Returns the plies of a line with variations down to `depth` levels.
fn moves(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>, depth: u32) -> Value {
    let names = line.last.names();
    line.plies.iter().map(|ply| self::ply(shown, ply, &names, depth)).collect()
}

/// Returns a ply with variations down to `depth` levels.
fn ply(shown: &ShownGame<'_>, ply: &AnnotatedPly<'_>, names: &SquareNames, depth: u32) -> Value {
    let square = |square| names.name(square).to_string();
    let after = ply.after();
    let mut object = json!({
        "turn": colour_name(ply.position.turn()),
        "text": move_text(&ply.position, &ply.mv, MoveStyle::Shortest).ok(),
        "written": shown.decode(ply.text),
        "from": square(ply.mv.from),
        "to": square(ply.mv.to),
        "captured": ply.mv.captured_squares().map(square).collect::<Vec<_>>(),
        "promotes": ply.mv.promotes,
        "fen": after.fen(),
    });
    let Some(fields) = object.as_object_mut() else { return object };
    if let Some(strength) = ply.strength {
        fields.insert("strength".to_owned(), shown.decode(strength).into());
    }
    if !ply.nags.is_empty() {
        fields.insert("nags".to_owned(), ply.nags.clone().into());
    }
    if !ply.comments.is_empty() {
        fields.insert("comments".to_owned(), comments(shown, &ply.comments));
    }
    if !ply.variations.is_empty() {
        let lines = if depth == 0 {
            ply.variations.len().into()
        } else {
            ply.variations.iter().map(|line| variation(shown, line, depth - 1)).collect()
        };
        fields.insert("variations".to_owned(), lines);
    }
    object
}

/// Returns a variation with its own variations down to `depth` levels.
fn variation(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>, depth: u32) -> Value {
    json!({
        "comments": comments(shown, &line.comments),
        "moves": moves(shown, line, depth),
        "rest": line.rest.iter().map(|mv| shown.decode(mv.text)).collect::<Vec<_>>(),
    })
}

/// Returns the decoded texts of comments.
fn comments(shown: &ShownGame<'_>, comments: &[Comment<'_>]) -> Value {
    comments.iter().map(|comment| shown.decode(comment.text)).collect()
}
