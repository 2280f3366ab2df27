//! A finding with its line of text, as compilers show it.
//!
//! Lines of archives may have ten thousand characters, so only a window around the place is shown. The text
//! is decoded in the encoding of its game, and cleaned.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use pdn::diag::{Diagnostic, Severity};
use pdn::source::{Encoding, line_range};
use pdn::span::Span;

use crate::clean;
use crate::words::Words;

/// Where a finding stands, for people.
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) last_line: u64,
    pub(crate) game: u64,
}

/// The finding as several lines of text, without a line end after the last.
pub(crate) fn finding(
    place: &Place<'_>,
    game: &[u8],
    encoding: Encoding,
    diagnostic: &Diagnostic,
    words: &Words,
    coloured: bool,
    width: usize,
) -> String {
    let code = diagnostic.code;
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Style => Level::NOTE.with_name("style"),
    };
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(width.max(60));
    let digits = place.line.to_string().len();
    let mut window =
        Window::around(game, diagnostic.span, encoding, width.saturating_sub(digits + 8).max(40));
    let label = match (&words.detail, place.last_line > place.line) {
        (Some(detail), _) => clean::clean(detail).into_owned(),
        (None, true) => format!("goes on to line {}", place.last_line),
        (None, false) => String::new(),
    };
    let mut snippet_marks = vec![AnnotationKind::Primary.span(window.mark.clone()).label(label)];
    if let Some(related) = diagnostic.related
        && let Some(mark) = window.related(related)
    {
        snippet_marks.push(AnnotationKind::Context.span(mark));
    }
    let title = format!("{} (game {})", code.title(), place.game);
    let line = usize::try_from(place.line).unwrap_or(usize::MAX);
    let column = usize::try_from(place.column).unwrap_or(usize::MAX);
    let mut group = level
        .primary_title(title)
        .id(code.id())
        .element(Origin::path(place.file).line(line).char_column(column))
        .element(
            Snippet::source(std::mem::take(&mut window.text))
                .line_start(line)
                .fold(false)
                .annotations(snippet_marks),
        );
    if let Some(help) = words.help() {
        group = group.element(Level::HELP.message(help));
    }
    if let Some(note) = words.note() {
        group = group.element(Level::NOTE.message(note));
    }
    without_fold(&renderer.render(&[group]))
}

/// The report without the line that marks a change of file between the place and the text: it is the same
/// file.
fn without_fold(report: &str) -> String {
    let is_fold = |line: &str| anstream::adapter::strip_str(line).to_string().trim() == ":::";
    let lines: Vec<_> = report.lines().collect();
    let Some(fold) = lines.iter().position(|line| is_fold(line)) else { return report.to_owned() };
    [&lines[..fold], &lines[fold + 1..]].concat().join("\n")
}

/// Part of a line, ready to be shown.
struct Window {
    text: String,
    /// The bytes of `text` that are marked.
    mark: std::ops::Range<usize>,
    /// For each character shown, its first byte in the game and in `text`.
    places: Vec<(usize, usize)>,
    end: (usize, usize),
}

/// Shown in place of what is left out.
const LEFT_OUT: &str = "...";

impl Window {
    /// The characters of the line in which `span` starts, at most `width` of them.
    fn around(game: &[u8], span: Span, encoding: Encoding, width: usize) -> Self {
        // A finding just past the end of the game is shown at the end of its last line of text.
        let at = (span.start as usize).min(game.len());
        let Range { start: line_start, end: line_end } = line_range(game, at);
        // A character has at most four bytes; what is further away is not shown anyway.
        let from = line_start.max(at.saturating_sub(4 * width));
        let from = (from..at)
            .find(|&i| i == line_start || encoding != Encoding::UTF_8 || is_char_start(game[i]))
            .unwrap_or(at);
        let to = line_end.min(at + 4 * width);
        let mut characters: Vec<(usize, char)> = Vec::new();
        decode(game, from, to, encoding, &mut characters);
        let first = characters.iter().position(|(byte, _)| *byte >= at).unwrap_or(characters.len());
        let marked_end = (span.end as usize).min(line_end).max(at + 1);
        let marked = characters[first..].iter().take_while(|(byte, _)| *byte < marked_end).count();
        // A third of the window before the place, the rest behind it, as far as there is anything.
        let behind = characters.len() - first;
        let before = (width / 3).max(width.saturating_sub(behind)).min(first);
        let start = first - before;
        let stop = (start + width).min(characters.len());
        let cut_left = start > 0 || from > line_start;
        let cut_right = stop < characters.len() || to < line_end;

        let mut text = String::from(if cut_left { LEFT_OUT } else { "" });
        let mut places = Vec::with_capacity(stop - start);
        for &(byte, c) in &characters[start..stop] {
            places.push((byte, text.len()));
            text.push(clean::shown(c));
        }
        let end = (characters.get(stop).map_or(to, |(byte, _)| *byte), text.len());
        let place = |index: usize| places.get(index - start).map_or(end.1, |(_, place)| *place);
        let mark = place(first.min(stop))..place((first + marked).min(stop));
        if cut_right {
            text.push_str(LEFT_OUT);
        }
        Self { text, mark, places, end }
    }

    /// The bytes of the text that show `span`, if all of it is shown and it is not marked already.
    fn related(&self, span: Span) -> Option<std::ops::Range<usize>> {
        let place = |at: u32| {
            let at = at as usize;
            let found = self.places.binary_search_by_key(&at, |(byte, _)| *byte);
            found.ok().map(|i| self.places[i].1).or((at == self.end.0).then_some(self.end.1))
        };
        let range = place(span.start)?..place(span.end)?;
        let apart = range.end <= self.mark.start || range.start >= self.mark.end;
        (apart && !range.is_empty()).then_some(range)
    }
}

fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The characters of `game[from..to]`, each with the offset of its first byte.
fn decode(game: &[u8], from: usize, to: usize, encoding: Encoding, characters: &mut Vec<(usize, char)>) {
    let bytes = &game[from..to];
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
        // One byte, one character.
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
        let window = Window::around(text, Span::new(span.0, span.1), encoding, width);
        assert_eq!((window.text.as_str(), &window.text[window.mark.clone()]), (shown, marked));
    }

    #[test]
    fn a_window_shows_the_line_around_the_place() {
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
    fn long_lines_stay_short() {
        let line = [b"x".repeat(100_000), b"\xC3\xA9".repeat(50_000)].concat();
        for at in [0, 5, 99_999, 100_000, 150_001, 199_999, 200_000] {
            let window = Window::around(&line, Span::new(at, at + 70_000), Encoding::UTF_8, 80);
            assert!(window.text.chars().count() <= 86);
        }
    }
}
