//! A game for programs.

use pdn::board::SquareNames;
use pdn::notation::{MoveStyle, move_text};
use pdn::parse::Comment;
use pdn::replay::{AnnotatedLine, AnnotatedPly};
use pdn::value::Outcome;
use serde_json::{Map, Value, json};

use super::Shown;
use crate::rules::name;

/// Deepest variation that is written out; those below it are counted.
const DEPTH: u32 = 20;

/// The game as one object.
pub(super) fn object(shown: &Shown<'_>) -> Value {
    let replayed = shown.replayed;
    let summary = &replayed.summary;
    let mut tags = Map::new();
    for (name, value) in shown.tags() {
        // The first of several counts.
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
    let verdicts = [summary.terminator, summary.result_tag].into_iter().flatten();
    let result =
        verdicts.clone().find(|verdict| verdict.outcome != Outcome::Unknown).or(verdicts.clone().next());
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
        "result": result.map(|verdict| shown.decode(verdict.span.of(shown.raw()))),
        "winner": summary.winner().map(name),
        "start": summary.start_position().fen(),
        "ply": shown.ply,
        "fen": position.fen(),
        "comments": comments(shown, &replayed.main.comments),
        "moves": moves(shown, &replayed.main, DEPTH),
        "rest": replayed.main.rest.iter().map(|mv| shown.decode(mv.text)).collect::<Vec<_>>(),
        "stop": stop,
    })
}

fn moves(shown: &Shown<'_>, line: &AnnotatedLine<'_>, depth: u32) -> Value {
    let names = line.last.names();
    line.plies.iter().map(|ply| self::ply(shown, ply, &names, depth)).collect()
}

fn ply(shown: &Shown<'_>, ply: &AnnotatedPly<'_>, names: &SquareNames, depth: u32) -> Value {
    let square = |square| names.name(square).to_string();
    let after = ply.after();
    let mut object = json!({
        "turn": name(ply.position.turn()),
        "text": move_text(&ply.position, &ply.mv, MoveStyle::Shortest).ok(),
        "written": shown.decode(ply.text),
        "from": square(ply.mv.from),
        "to": square(ply.mv.to),
        "captured": ply.mv.captured_squares().map(square).collect::<Vec<_>>(),
        "promotes": ply.mv.promotes,
        "fen": after.fen(),
    });
    let Some(more) = object.as_object_mut() else { return object };
    if let Some(strength) = ply.strength {
        more.insert("strength".to_owned(), shown.decode(strength).into());
    }
    if !ply.nags.is_empty() {
        more.insert("nags".to_owned(), ply.nags.clone().into());
    }
    if !ply.comments.is_empty() {
        more.insert("comments".to_owned(), comments(shown, &ply.comments));
    }
    if !ply.variations.is_empty() {
        let lines = if depth == 0 {
            ply.variations.len().into()
        } else {
            ply.variations.iter().map(|line| variation(shown, line, depth - 1)).collect()
        };
        more.insert("variations".to_owned(), lines);
    }
    object
}

fn variation(shown: &Shown<'_>, line: &AnnotatedLine<'_>, depth: u32) -> Value {
    json!({
        "comments": comments(shown, &line.comments),
        "moves": moves(shown, line, depth),
        "rest": line.rest.iter().map(|mv| shown.decode(mv.text)).collect::<Vec<_>>(),
    })
}

fn comments(shown: &Shown<'_>, comments: &[Comment<'_>]) -> Value {
    comments.iter().map(|comment| shown.decode(comment.text)).collect()
}
