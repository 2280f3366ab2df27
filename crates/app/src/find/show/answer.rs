//! A game as an answer.

use std::collections::HashSet;

use pdn::board::SquareNames;
use pdn::internal::replay::WrittenResult;
use pdn::internal::source::path_text;
use pdn::internal::value::MoveCommands;
use pdn::notation::{MoveStyle, move_text};
use pdn::parse::Comment;
use pdn::replay::{AnnotatedLine, AnnotatedPly};
use serde::{Serialize, Serializer};

use super::{ShownGame, first_ply};
use crate::ask::values::{cause_name, colour_name, variant_from, winner_name};
use crate::draw::moves::squares_passed;

/// Maximum depth of variations that are written out; of deeper ones, only the number is.
const MAX_DEPTH: u32 = 20;

/// A game with its moves, variations, comments and positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameAnswer {
    /// The number of the game in the index, from 1; absent where there is no index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The name of the input.
    pub file: String,
    /// The number of the record in the input, from 1.
    pub record: u64,
    /// The offset of the record in the file, in bytes.
    pub offset: u64,
    /// The length of the record in the file, in bytes.
    pub length: u64,
    /// Names and values of all tags, in order. If a tag is repeated, the first one counts.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub tags: Vec<(String, String)>,
    /// The name of the variant.
    pub variant: &'static str,
    /// How the variant is known: `tag`, `option` or `inferred`.
    pub variant_from: &'static str,
    /// The status of the replay.
    pub status: &'static str,
    /// The number of legal plies.
    pub plies: u32,
    /// The number of written plies.
    pub written: u32,
    /// The result that counts, as written: the Result tag unless it gives none, else the terminator.
    pub result: Option<String>,
    /// The Result tag as written.
    pub result_tag: Option<String>,
    /// The terminator as written.
    pub result_end: Option<String>,
    /// Who won: `white`, `black` or `draw`; null if it is unknown or both sides lost.
    pub winner: Option<&'static str>,
    /// The start position, as a FEN.
    pub start: String,
    /// The line of the position that is shown: 0 for the main line.
    pub line: u32,
    /// The number of plies before that position.
    pub ply: usize,
    /// That position, as a FEN.
    pub fen: String,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves of the main line.
    pub moves: Vec<PlyAnswer>,
    /// The moves that were not replayed, as written.
    pub rest: Vec<String>,
    /// Where and why the replay stopped.
    pub stop: Option<StopAnswer>,
}

/// Where and why a replay stopped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StopAnswer {
    /// The number of plies before the move.
    pub ply: u32,
    /// The move as written.
    #[serde(rename = "move")]
    pub written: String,
    /// The offset of the move in the file, in bytes.
    pub at: u64,
    /// The length of the move in the file, in bytes.
    pub span: u64,
    /// The code of the diagnostic.
    pub code: &'static str,
    /// The reason in words.
    pub reason: &'static str,
    /// The reason as a word for programs, such as `impossible`.
    pub cause: &'static str,
}

/// A move with the position after it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyAnswer {
    /// The number of plies before the move.
    pub ply: usize,
    /// The side that moves.
    pub turn: &'static str,
    /// The move in its shortest form; null if it has too many captures to tell.
    pub text: Option<String>,
    /// The move as written.
    pub written: String,
    /// The first square.
    pub from: String,
    /// The last square.
    pub to: String,
    /// The squares from the first to the last of a capture of several pieces; empty for all other moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The squares of the captured pieces.
    pub captured: Vec<String>,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// The position after the move, as a FEN.
    pub fen: String,
    /// The strength of the move as written: `!`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<String>,
    /// The numeric annotations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u32>,
    /// The comments after the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The variations in place of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variations: Option<VariationsAnswer>,
    /// The evaluation after the move, in hundredths of a man with the sign as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval_cp: Option<i32>,
}

/// Variations, or only their number where they are nested too deeply.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VariationsAnswer {
    /// The number of variations.
    Number(usize),
    /// The variations.
    Lines(Vec<VariationAnswer>),
}

/// A variation.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariationAnswer {
    /// The number of the line: the variations of a game are counted from 1, in the order in which their brackets open.
    pub line: u32,
    /// The comments before its first move.
    pub comments: Vec<String>,
    /// Its moves.
    pub moves: Vec<PlyAnswer>,
    /// The moves that were not replayed, as written.
    pub rest: Vec<String>,
}

/// Serialises pairs as an object.
fn as_map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl ShownGame<'_> {
    /// Returns the game as an answer.
    pub fn answer(&self) -> GameAnswer {
        let annotated = self.annotated;
        let summary = &annotated.summary;
        let mut seen = HashSet::new();
        let tags = self.tags().into_iter().filter(|(name, _)| seen.insert(name.clone())).collect();
        let (position, _) = self.position();
        let stop = summary.stop.map(|stop| StopAnswer {
            ply: stop.ply,
            written: self.decode(stop.span.of(self.raw())),
            at: self.at(stop.span.start),
            span: self.at(stop.span.end) - self.at(stop.span.start),
            code: stop.reason.code().id(),
            reason: stop.reason.text(),
            cause: cause_name(stop.reason),
        });
        let written = |result: Option<WrittenResult>| {
            result.map(|result| self.decode_value(result.span.of(self.raw())))
        };
        GameAnswer {
            game: self.place.game,
            file: path_text(self.batch.name()).into_owned(),
            record: self.place.record,
            offset: self.at(0),
            length: self.at(u32::try_from(self.raw().len()).unwrap_or(u32::MAX)) - self.at(0),
            tags,
            variant: summary.variant.name(),
            variant_from: variant_from(summary.basis),
            status: summary.status.name(),
            plies: summary.plies,
            written: summary.written,
            result: written(summary.result()),
            result_tag: written(summary.result_tag),
            result_end: written(summary.terminator),
            winner: winner_name(summary.outcome(), summary.numbering.start),
            start: summary.start_position().fen_as(self.fen_style),
            line: self.line.number,
            ply: self.ply,
            fen: position.fen_as(self.fen_style),
            comments: comments(self, &annotated.main.comments),
            moves: moves(self, &annotated.main, 0, MAX_DEPTH),
            rest: rest(self, &annotated.main),
            stop,
        }
    }
}

/// Returns the plies of a line that begins at ply `first`, with variations down to `depth` levels.
fn moves(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>, first: usize, depth: u32) -> Vec<PlyAnswer> {
    let names = line.last.names();
    // Comments after the move at which the replay stops are about moves that are not played.
    let end = line.stop.map_or(u32::MAX, |stop| stop.span.start);
    let ply = |(i, ply): (usize, &AnnotatedPly<'_>)| PlyAnswer {
        eval_cp: evaluation(&ply.comments, end),
        ..self::ply(shown, ply, first + i, &names, depth)
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
) -> PlyAnswer {
    let square = |square| names.name(square).to_string();
    let variations = match depth {
        _ if ply.variations.is_empty() => None,
        0 => Some(VariationsAnswer::Number(ply.variations.len())),
        _ => {
            let lines = ply
                .variations
                .iter()
                .map(|line| variation(shown, line, first_ply(line, ply, number), depth - 1));
            Some(VariationsAnswer::Lines(lines.collect()))
        }
    };
    PlyAnswer {
        ply: number,
        turn: colour_name(ply.position.turn()),
        text: move_text(&ply.position, &ply.mv, MoveStyle::Shortest).ok(),
        written: shown.decode(ply.text),
        from: square(ply.mv.from),
        to: square(ply.mv.to),
        path: if ply.mv.captured_squares().nth(1).is_some() {
            squares_passed(&ply.position, &ply.mv).unwrap_or_default()
        } else {
            Vec::new()
        },
        captured: ply.mv.captured_squares().map(square).collect(),
        promotes: ply.mv.promotes,
        fen: ply.after().fen_as(shown.fen_style),
        strength: ply.strength.map(|strength| shown.decode(strength)),
        nags: ply.nags.iter().map(|nag| nag.0).collect(),
        comments: comments(shown, &ply.comments),
        variations,
        eval_cp: None,
    }
}

/// Returns a variation that begins at ply `first`, with its own variations down to `depth` levels.
fn variation(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>, first: usize, depth: u32) -> VariationAnswer {
    VariationAnswer {
        line: line.number,
        comments: comments(shown, &line.comments),
        moves: moves(shown, line, first, depth),
        rest: rest(shown, line),
    }
}

/// Returns the moves of a line that were not replayed, as written.
fn rest(shown: &ShownGame<'_>, line: &AnnotatedLine<'_>) -> Vec<String> {
    line.rest.iter().map(|mv| shown.decode(mv.text)).collect()
}

/// Returns the evaluation in the comments after a move; the last one counts. Only comments that begin before the offset `end` of the
/// record do.
fn evaluation(comments: &[Comment<'_>], end: u32) -> Option<i32> {
    let mut commands = MoveCommands::default();
    for comment in comments.iter().filter(|comment| comment.span.start < end) {
        commands.read(comment.text);
    }
    commands.evaluation()
}

/// Returns the decoded texts of comments.
fn comments(shown: &ShownGame<'_>, comments: &[Comment<'_>]) -> Vec<String> {
    comments.iter().map(|comment| shown.decode(comment.text)).collect()
}
