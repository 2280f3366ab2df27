//! Formats a diagnostic with its line of text and the span marked, as compilers do.
//!
//! Lines of archives may have ten thousand characters, so only a part around the span is shown. The text is decoded in
//! the encoding of its record and sanitized.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use pdn::diag::Severity;
use pdn::internal::source::line_range;
use pdn::source::Encoding;
use pdn::span::Span;

use crate::output::sanitize;
use pdn_app::check::{Finding, FindingText};

/// Formats a diagnostic as several lines of text, without a line end after the last. `width` is that of the terminal, in
/// columns.
pub(super) fn format(finding: &Finding, text: &FindingText<'_>, coloured: bool, width: usize) -> String {
    let FindingText { record, encoding, diagnostic, explanation, .. } = text;
    let (record, encoding) = (*record, *encoding);
    let code = diagnostic.code;
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Style => Level::NOTE.with_name("style"),
    };
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(width.max(60));
    let digits = finding.line.to_string().len();
    let mut excerpt =
        Excerpt::around(record, diagnostic.span, encoding, width.saturating_sub(digits + 8).max(40));
    let label = match (&explanation.detail, text.last_line > finding.line) {
        (Some(detail), _) => sanitize::text(detail).into_owned(),
        (None, true) => format!("continues to line {}", text.last_line),
        (None, false) => String::new(),
    };
    let mut annotations = vec![AnnotationKind::Primary.span(excerpt.mark.clone()).label(label)];
    if let Some(related) = diagnostic.related
        && let Some(mark) = excerpt.related_mark(related)
    {
        annotations.push(AnnotationKind::Context.span(mark));
    }
    let title = format!("{} (game {})", code.title(), finding.record);
    let line = usize::try_from(finding.line).unwrap_or(usize::MAX);
    let column = usize::try_from(finding.column).unwrap_or(usize::MAX);
    let mut group = level
        .primary_title(title)
        .id(code.id())
        .element(
            Origin::path(sanitize::text(finding.file.as_deref().unwrap_or_default()))
                .line(line)
                .char_column(column),
        )
        .element(
            Snippet::source(std::mem::take(&mut excerpt.text))
                .line_start(line)
                .fold(false)
                .annotations(annotations),
        );
    if let Some(help) = explanation.help() {
        group = group.element(Level::HELP.message(help));
    }
    if let Some(repair) = &explanation.repair {
        group = group.element(Level::HELP.message(sanitize::text(repair).into_owned()));
    }
    if let Some(note) = explanation.note() {
        group = group.element(Level::NOTE.message(note));
    }
    without_fold_line(&renderer.render(&[group]))
}

/// Removes the line `:::`, which the renderer puts between the location and the text as if they were in different
/// files.
fn without_fold_line(report: &str) -> String {
    let is_fold = |line: &str| anstream::adapter::strip_str(line).to_string().trim() == ":::";
    let lines: Vec<_> = report.lines().collect();
    let Some(fold) = lines.iter().position(|line| is_fold(line)) else { return report.to_owned() };
    [&lines[..fold], &lines[fold + 1..]].concat().join("\n")
}

/// Part of a line, ready to be printed.
struct Excerpt {
    text: String,
    /// The marked range of bytes of `text`.
    mark: std::ops::Range<usize>,
    /// For each character, the offsets of its first byte in the record and in `text`.
    offsets: Vec<(usize, usize)>,
    /// The same offsets for the end of the excerpt.
    end: (usize, usize),
}

/// Printed in place of characters that are left out.
const ELLIPSIS: &str = "...";

impl Excerpt {
    /// Creates an excerpt of the line in which `span` starts, of at most `width` characters.
    fn around(record: &[u8], span: Span, encoding: Encoding, width: usize) -> Self {
        // A diagnostic just past the end of the record is shown at the end of its last line.
        let at = (span.start as usize).min(record.len());
        let Range { start: line_start, end: line_end } = line_range(record, at);
        // A character has at most four bytes, so that bytes further away lie outside the excerpt.
        let from = line_start.max(at.saturating_sub(4 * width));
        let from = (from..at)
            .find(|&i| i == line_start || encoding != Encoding::UTF_8 || is_char_start(record[i]))
            .unwrap_or(at);
        let to = line_end.min(at + 4 * width);
        let mut characters: Vec<(usize, char)> = Vec::new();
        decode(record, from, to, encoding, &mut characters);
        let first = characters.iter().position(|(byte, _)| *byte >= at).unwrap_or(characters.len());
        let marked_end = (span.end as usize).min(line_end).max(at + 1);
        let marked = characters[first..].iter().take_while(|(byte, _)| *byte < marked_end).count();
        // A third of the excerpt precedes the span, or more if the rest of the line is short.
        let after = characters.len() - first;
        let before = (width / 3).max(width.saturating_sub(after)).min(first);
        let start = first - before;
        let stop = (start + width).min(characters.len());
        let cut_left = start > 0 || from > line_start;
        let cut_right = stop < characters.len() || to < line_end;

        let mut text = String::from(if cut_left { ELLIPSIS } else { "" });
        let mut offsets = Vec::with_capacity(stop - start);
        for &(byte, c) in &characters[start..stop] {
            offsets.push((byte, text.len()));
            text.push(sanitize::visible(c));
        }
        let end = (characters.get(stop).map_or(to, |(byte, _)| *byte), text.len());
        let offset = |index: usize| offsets.get(index - start).map_or(end.1, |(_, offset)| *offset);
        let mark = offset(first.min(stop))..offset((first + marked).min(stop));
        if cut_right {
            text.push_str(ELLIPSIS);
        }
        Self { text, mark, offsets, end }
    }

    /// Returns the range of `text` that shows `span`; `None` if part of it is left out or overlaps the mark.
    fn related_mark(&self, span: Span) -> Option<std::ops::Range<usize>> {
        let offset = |at: u32| {
            let at = at as usize;
            let found = self.offsets.binary_search_by_key(&at, |(byte, _)| *byte);
            found.ok().map(|i| self.offsets[i].1).or((at == self.end.0).then_some(self.end.1))
        };
        let range = offset(span.start)?..offset(span.end)?;
        let is_apart = range.end <= self.mark.start || range.start >= self.mark.end;
        (is_apart && !range.is_empty()).then_some(range)
    }
}

/// Returns `true` unless the byte continues a UTF-8 sequence.
fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Appends the characters of `record[from..to]`, each with the offset of its first byte in the record.
fn decode(record: &[u8], from: usize, to: usize, encoding: Encoding, characters: &mut Vec<(usize, char)>) {
    let bytes = &record[from..to];
    let mut at = from;
    if encoding == Encoding::UTF_8 {
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                characters.push((at, c));
                at += c.len_utf8();
            }
            if !chunk.invalid().is_empty() {
                characters.push((at, char::REPLACEMENT_CHARACTER));
                at += chunk.invalid().len();
            }
        }
    } else {
        // All other supported encodings have one byte per character; UTF-16 was transcoded.
        for byte in bytes.chunks(1) {
            characters.extend(encoding.decode(byte).chars().take(1).map(|c| (at, c)));
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8], span: (u32, u32), encoding: Encoding, width: usize, shown: &str, marked: &str) {
        let excerpt = Excerpt::around(text, Span::new(span.0, span.1), encoding, width);
        assert_eq!((excerpt.text.as_str(), &excerpt.text[excerpt.mark.clone()]), (shown, marked));
    }

    #[test]
    fn excerpt_shows_the_line_around_the_span() {
        check(b"ab\ncd ef gh\nij", (6, 8), Encoding::UTF_8, 40, "cd ef gh", "ef");
        check("é x ü".as_bytes(), (3, 4), Encoding::UTF_8, 40, "é x ü", "x");
        check(b"a \x88\xA2 b", (5, 6), Encoding::CP866, 40, "a Ив b", "b");
        check(b"ab", (2, 2), Encoding::UTF_8, 40, "ab", "");
        check(b"ab\x1b[31m", (2, 3), Encoding::UTF_8, 40, "ab\u{241b}[31m", "\u{241b}");
        check(
            b"0123456789012345678901234567890123456789",
            (20, 22),
            Encoding::UTF_8,
            9,
            "...789012345...",
            "01",
        );
        check(b"0123456789", (8, 9), Encoding::UTF_8, 6, "...456789", "8");
        check(b"{ a\nb }", (0, 7), Encoding::UTF_8, 40, "{ a", "{ a");
    }

    #[test]
    fn excerpt_of_a_long_line_is_short() {
        let line = [b"x".repeat(100_000), b"\xC3\xA9".repeat(50_000)].concat();
        for at in [0, 5, 99_999, 100_000, 150_001, 199_999, 200_000] {
            let excerpt = Excerpt::around(&line, Span::new(at, at + 70_000), Encoding::UTF_8, 80);
            assert!(excerpt.text.chars().count() <= 86);
        }
    }
}
