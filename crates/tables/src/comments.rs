//! Rows of the table of comments.

use super::batch::TableBatch;
use super::games::{count, integer};
use super::notes::LineNumbers;
use super::record::RecordContext;
use super::schema::CommentsColumn;
use pdn::limits::Limits;
use pdn::parse::{CommentKind, walk_with};

/// Appends a row for each comment of a record, in text order.
pub(super) fn push(
    context: &RecordContext<'_>,
    limits: &Limits,
    columns: &[CommentsColumn],
    out: &mut TableBatch,
) {
    let mut lines = LineNumbers::default();
    // The visitor never breaks off.
    let _ = walk_with(context.bytes(), limits, &mut lines);
    for (line, ply, comment) in &lines.comments {
        let (at, length) = context.place(comment.span.start, comment.span.end);
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind {
                CommentsColumn::Game => column.push_i64(context.game.map(integer)),
                CommentsColumn::File => column.push_word(Some(context.file), 1),
                CommentsColumn::Record => column.push_i64(Some(integer(context.record))),
                CommentsColumn::Line => column.push_i32(Some(count(*line))),
                CommentsColumn::Ply => column.push_i32(Some(count(*ply))),
                CommentsColumn::Kind => column.push_word(Some(kind_name(comment.kind)), 1),
                CommentsColumn::Text => column.push_text(Some(&context.decode(comment.text))),
                CommentsColumn::At => column.push_i64(Some(integer(at))),
                CommentsColumn::Length => column.push_i64(Some(integer(length))),
            }
        }
        out.rows += 1;
    }
}

/// Returns how a comment is written, in one word.
fn kind_name(kind: CommentKind) -> &'static str {
    match kind {
        CommentKind::Braces => "braces",
        CommentKind::Semicolon => "semicolon",
        CommentKind::Percent => "percent",
        CommentKind::Parentheses => "parentheses",
        CommentKind::Bare => "bare",
    }
}
