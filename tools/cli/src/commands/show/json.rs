//! Formats a game as JSON.

use pdn::board::SquareNames;
use pdn::notation::{MoveStyle, move_text};
use pdn::parse::Comment;
use pdn::replay::{AnnotatedLine, AnnotatedPly, WrittenResult};
use pdn::value::CommentParts;
use serde_json::{Map, Value, json};

use super::ShownGame;
use pdn_app::words::{colour_name, variant_from, winner_name};

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
    let (position, _) = shown.position();
    let stop = summary.stop.map(|stop| {
        json!({
            "ply": stop.ply,
            "move": shown.decode(stop.span.of(shown.raw())),
            "at": shown.at(stop.span.start),
            "span": shown.at(stop.span.end) - shown.at(stop.span.start),
            "code": stop.reason.code().id(),
            "reason": stop.reason.text(),
        })
    });
    let written =
        |result: Option<WrittenResult>| result.map(|result| shown.decode_value(result.span.of(shown.raw())));
    let fields = json!({
        "file": shown.batch.name().to_string_lossy(),
        "record": shown.place.record,
        "offset": shown.at(0),
        "length": shown.at(u32::try_from(shown.raw().len()).unwrap_or(u32::MAX)) - shown.at(0),
        "tags": tags,
        "variant": summary.variant.name(),
        "variant_from": variant_from(summary.basis),
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
        "moves": moves(shown, &annotated.main, 0, MAX_DEPTH),
        "rest": annotated.main.rest.iter().map(|mv| shown.decode(mv.text)).collect::<Vec<_>>(),
        "stop": stop,
    });
    let mut object = Map::new();
    object.extend(shown.place.game.map(|game| ("game".to_owned(), game.into())));
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    Value::Object(object)
}

/// Returns the plies of a line that begins at ply `first`, with variations down to `depth` levels.
fn moves(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>, first: usize, depth: u32) -> Value {
    let names = line.last.names();
    // Comments after the move at which the replay stops are about moves that are not played.
    let end = line.stop.map_or(u32::MAX, |stop| stop.span.start);
    let ply = |(i, ply): (usize, &AnnotatedPly<'_>)| {
        let mut object = self::ply(shown, ply, first + i, &names, depth);
        if let Some(eval) = evaluation(&ply.comments, end) {
            object["eval_cp"] = eval.into();
        }
        object
    };
    line.plies.iter().enumerate().map(ply).collect()
}

/// Returns the move that is played at ply `number`, with variations down to `depth` levels.
fn ply(
    shown: &ShownGame<'_>,
    ply: &AnnotatedPly<'_>,
    number: usize,
    names: &SquareNames,
    depth: u32,
) -> Value {
    let square = |square| names.name(square).to_string();
    let after = ply.after();
    let mut object = json!({
        "ply": number,
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
            ply.variations.iter().map(|line| variation(shown, line, number, depth - 1)).collect()
        };
        fields.insert("variations".to_owned(), lines);
    }
    object
}

/// Returns a variation that begins at ply `first`, with its own variations down to `depth` levels.
fn variation(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>, first: usize, depth: u32) -> Value {
    json!({
        "comments": comments(shown, &line.comments),
        "moves": moves(shown, line, first, depth),
        "rest": line.rest.iter().map(|mv| shown.decode(mv.text)).collect::<Vec<_>>(),
    })
}

/// Returns the evaluation in the comments after a move, in hundredths of a man with the sign as written; the last one counts.
/// Only comments that begin before the offset `end` of the record do.
fn evaluation(comments: &[Comment<'_>], end: u32) -> Option<i32> {
    let comments = comments.iter().filter(|comment| comment.span.start < end);
    let evaluations = comments.flat_map(|comment| {
        CommentParts::new(comment.text).commands().filter_map(|command| command.evaluation(comment.text))
    });
    evaluations.last()
}

/// Returns the decoded texts of comments.
fn comments(shown: &ShownGame<'_>, comments: &[Comment<'_>]) -> Value {
    comments.iter().map(|comment| shown.decode(comment.text)).collect()
}
