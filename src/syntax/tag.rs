//! Tag pairs, `[Name "value"]`, as the standard writes them and as people do.

use super::blank::{is_blank, is_line_end, odd_blank, skip_blanks, starts_line};
use super::plain::{Plain, plain_tag};
use crate::simd::{self, Isa};

/// Longest name that is still taken for the name of a tag, in bytes.
pub const NAME_BYTES: usize = 255;
/// Longest value of a tag, in bytes: how far its closing quote is looked for.
pub const VALUE_BYTES: usize = 16 << 10;

/// What follows the bracket that might open a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagForm {
    /// `[Name "`: a tag beyond doubt.
    Quoted,
    /// `[Name]`: a tag that lost its value.
    Bare,
    /// A name and then something else.
    Loose,
    /// No name.
    None,
}

/// Where the parts of a tag stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagSpans {
    /// Offset of the opening bracket.
    pub start: usize,
    /// First and last offset of the name.
    pub name: (usize, usize),
    /// The value without its quotes; empty for a bare tag.
    pub value: (usize, usize),
    /// Offset just past the tag.
    pub end: usize,
    /// What the tag looks like.
    pub form: TagForm,
    /// The closing quote was there.
    pub quote_closed: bool,
    /// The closing bracket was there.
    pub bracket_closed: bool,
    /// Quotes stand unescaped inside the value.
    pub inner_quotes: bool,
}

/// Whether a name may begin with `byte`.
#[inline]
pub const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80 || byte == b'_'
}

/// Whether `byte` may stand in a name: letters, digits, `_`, bytes beyond ASCII, and what entities are made of.
#[inline]
pub const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'-' | b'&' | b'#' | b';' | b'.')
}

/// First and last offset of the name after the bracket at `at`, and the first offset after its blanks.
#[inline]
fn name(bytes: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let mut start = at + 1;
    if bytes.get(start).is_some_and(|&b| is_blank(b) || odd_blank(&bytes[start..]) > 0) {
        start = skip_blanks(bytes, start).end;
    }
    if !is_name_start(*bytes.get(start)?) {
        return None;
    }
    let bound = bytes.len().min(start + NAME_BYTES);
    let mut end = bytes[start..bound].iter().position(|&b| !is_name_byte(b)).map_or(bound, |n| start + n);
    while bytes[start..end].ends_with(b"\xC2\xA0") {
        end -= 2;
    }
    let next = match bytes.get(end) {
        // One blank is the rule.
        Some(b' ') if bytes.get(end + 1).is_some_and(|&b| !is_blank(b) && b.is_ascii()) => end + 1,
        _ => skip_blanks(bytes, end).end,
    };
    Some((start, end, next))
}

/// What the bracket at `at` opens. Looks at the name and the byte after it, no further.
#[inline]
pub fn tag_starts(bytes: &[u8], at: usize) -> TagForm {
    match name(bytes, at) {
        None => TagForm::None,
        Some((_, _, next)) => form(bytes, next),
    }
}

#[inline]
fn form(bytes: &[u8], next: usize) -> TagForm {
    match bytes.get(next) {
        Some(b'"') => TagForm::Quoted,
        Some(b']') => TagForm::Bare,
        _ => TagForm::Loose,
    }
}

/// The tag that the bracket at `at` opens.
///
/// A value ends with the first quote that no backslash escapes. Where quotes stand unescaped inside the value, or
/// a backslash before the last quote was meant as itself, it ends with the quote before the closing bracket of
/// that line; where the closing quote is missing, with the line. A loose tag's value is what stands before its
/// bracket on the same line. `None` if no name follows the bracket.
#[inline]
pub fn tag(bytes: &[u8], at: usize) -> Option<TagSpans> {
    tag_in_record(bytes, 0, at)
}

/// As [`tag`], in a record that starts at `from`: what lies before does not exist.
#[inline]
pub fn tag_in_record(bytes: &[u8], from: usize, at: usize) -> Option<TagSpans> {
    match simd::run(Plain { bytes, at }) {
        Some(tag) => Some(tag.spans(at)),
        None => any_tag(bytes, from, at),
    }
}

/// As [`tag_in_record`], for whoever runs with an instruction set already.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn tag_with<I: Isa>(isa: I, bytes: &[u8], from: usize, at: usize) -> Option<TagSpans> {
    match plain_tag(isa, bytes, at) {
        Some(tag) => Some(tag.spans(at)),
        None => any_tag(bytes, from, at),
    }
}

/// As [`tag_starts`], for whoever runs with an instruction set already.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn tag_starts_with<I: Isa>(isa: I, bytes: &[u8], at: usize) -> TagForm {
    if plain_tag(isa, bytes, at).is_some() { TagForm::Quoted } else { tag_starts(bytes, at) }
}

/// The tag at `at`, plain or not.
#[inline]
pub(super) fn any_tag(bytes: &[u8], from: usize, at: usize) -> Option<TagSpans> {
    let (start, end, next) = name(bytes, at)?;
    let form = form(bytes, next);
    let spans = TagSpans {
        start: at,
        name: (start, end),
        value: (next, next),
        end: next,
        form,
        quote_closed: true,
        bracket_closed: true,
        inner_quotes: false,
    };
    match form {
        TagForm::Quoted => {
            let open = next + 1;
            // By far the most common: the quote that comes first is followed by the bracket.
            let window = &bytes[open..bytes.len().min(open + VALUE_BYTES)];
            let quote = memchr::memchr(b'"', window).map(|n| open + n);
            if let Some(quote) = quote
                && bytes.get(quote + 1) == Some(&b']')
                && memchr::memchr3(b'\\', b'\n', b'\r', &bytes[open..quote]).is_none()
            {
                return Some(TagSpans { value: (open, quote), end: quote + 2, ..spans });
            }
            Some(quoted(bytes, open, spans))
        }
        TagForm::Bare => Some(TagSpans { end: next + 1, ..spans }),
        _ => Some(loose(bytes, from, at, next, spans)),
    }
}

/// The rest of a tag whose value opens at `open` and is not simply closed by `"]`.
///
/// Reads to the next bracket that opens on the line, or to the first quote; so however many tags share a line, each
/// byte is passed a constant number of times.
#[cold]
fn quoted(bytes: &[u8], open: usize, spans: TagSpans) -> TagSpans {
    let close = |quote: usize, bracket: usize| TagSpans { value: (open, quote), end: bracket + 1, ..spans };
    let window = &bytes[..bytes.len().min(open + VALUE_BYTES)];
    let mut first = first_quote(window, open);
    if let Some((quote, same_line)) = first {
        let after = skip_blanks(bytes, quote + 1).end;
        match bytes.get(after) {
            Some(b']') => return close(quote, after),
            // The next tag or the first move: the bracket is missing.
            Some(b'[' | b'{' | b'0'..=b'9') | None if same_line => {
                return TagSpans { value: (open, quote), end: quote + 1, bracket_closed: false, ..spans };
            }
            _ if same_line => {}
            _ => first = None,
        }
    }
    // The last quote of the line that a bracket follows, as long as no other tag opens before it.
    let tail = &window[open..];
    let tail = &tail[..memchr::memchr3(b'\n', b'\r', b'[', tail).unwrap_or(tail.len())];
    if let Some(bracket) = memchr::memrchr(b']', tail) {
        let text = tail[..bracket].trim_ascii_end();
        if text.last() == Some(&b'"') {
            let quote = open + text.len() - 1;
            return TagSpans { inner_quotes: first.is_some(), ..close(quote, open + bracket) };
        }
        if first.is_none() {
            // `[White "King, R.]`
            return TagSpans { quote_closed: false, ..close(open + bracket, open + bracket) };
        }
    }
    if let Some((quote, _)) = first {
        return TagSpans { value: (open, quote), end: quote + 1, bracket_closed: false, ..spans };
    }
    let value = (open, open + tail.trim_ascii_end().len());
    TagSpans { value, end: value.1, quote_closed: false, bracket_closed: false, ..spans }
}

/// The quote that the standard means: the first that no backslash escapes, and whether it stands on the line of
/// `open`. A tag on a line of its own or an empty line show that it is missing.
fn first_quote(bytes: &[u8], open: usize) -> Option<(usize, bool)> {
    let mut at = open;
    let mut same_line = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => at += 1,
            b'"' => return Some((at, same_line)),
            b'[' if !same_line && starts_line(bytes, open, at) => return None,
            b'\n' | b'\r' => {
                if skip_blanks(bytes, at).lines > 1 {
                    return None;
                }
                same_line = false;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// `[Name value]`, or a bracket and a word that turn out to be no tag at all.
#[cold]
fn loose(bytes: &[u8], from: usize, at: usize, next: usize, spans: TagSpans) -> TagSpans {
    let tail = &bytes[next.min(bytes.len())..];
    let stop =
        tail.iter().take(VALUE_BYTES).position(|&b| is_line_end(b) || matches!(b, b'[' | b']' | b'{' | b'"'));
    match stop {
        Some(n) if tail[n] == b']' && starts_line(bytes, from, at) => {
            let value = (next, next + tail[..n].trim_ascii_end().len());
            TagSpans { value, end: next + n + 1, quote_closed: false, ..spans }
        }
        _ => TagSpans {
            end: spans.name.1,
            quote_closed: false,
            bracket_closed: false,
            form: TagForm::None,
            ..spans
        },
    }
}

/// Where the name of a tag starts whose opening bracket was lost (`Event "x"]`), given the quote at `quote`: one
/// word at the start of a line, then the quote, and the closing quote and bracket before the line ends.
/// `from` is the start of the input.
pub fn lost_bracket(bytes: &[u8], from: usize, quote: usize) -> Option<usize> {
    let before = bytes[from..quote].iter().rposition(|&b| b != b' ' && b != b'\t')? + from + 1;
    let earliest = from.max(before.saturating_sub(NAME_BYTES + 1));
    let start = bytes[earliest..before]
        .iter()
        .rposition(|&b| !is_name_byte(b))
        .map_or(earliest, |n| earliest + n + 1);
    let named = start < before && before - start <= NAME_BYTES && bytes[start].is_ascii_uppercase();
    if !named || !starts_line(bytes, from, start) {
        return None;
    }
    let window = &bytes[quote + 1..bytes.len().min(quote + VALUE_BYTES)];
    let line = match memchr::memchr2(b'\n', b'\r', window) {
        None if window.len() + 1 == VALUE_BYTES => return None,
        end => end.unwrap_or(window.len()),
    };
    let tail = window[..line].trim_ascii_end();
    let closed = tail.strip_suffix(b"]").is_some_and(|t| t.trim_ascii_end().last() == Some(&b'"'));
    closed.then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, value, what is left of the text.
    fn check(text: &str, name: &str, value: &str, rest: &str) -> TagSpans {
        let spans = tag(text.as_bytes(), 0).unwrap_or_else(|| panic!("no tag in {text:?}"));
        let part = |(start, end): (usize, usize)| &text[start..end];
        assert_eq!(
            (part(spans.name), part(spans.value), &text[spans.end..]),
            (name, value, rest),
            "{text:?}"
        );
        spans
    }

    #[test]
    fn tags_in_every_dialect() {
        let whole = |s: TagSpans| s.quote_closed && s.bracket_closed && !s.inner_quotes;
        for (text, name, value, rest) in [
            (r#"[Event "x"]"#, "Event", "x", ""),
            (r#"[Event ""] 1. 32-28"#, "Event", "", " 1. 32-28"),
            (r#"[ Event  "x" ]"#, "Event", "x", ""),
            ("[\nEvent \"x\"]", "Event", "x", ""),
            ("[Event\t\"x\"]", "Event", "x", ""),
            ("[\u{a0}Event\u{a0}\u{a0}\"x\"\u{a0}]", "Event", "x", ""),
            ("[Event\"x\"]", "Event", "x", ""),
            ("[Event \u{a0}\"x\"]", "Event", "x", ""),
            ("[Event \"a\\\nb\" ]", "Event", "a\\\nb", ""),
            (r#"[W "a \"b\" c"]"#, "W", r#"a \"b\" c"#, ""),
            (r#"[Event "a [b] c"]"#, "Event", "a [b] c", ""),
            ("[Event \"two\nlines\"]", "Event", "two\nlines", ""),
            (r#"[R&#x00e9;sultat "1-1"]"#, "R&#x00e9;sultat", "1-1", ""),
            ("[Empty] 1. 32-28", "Empty", "", " 1. 32-28"),
        ] {
            assert!(whole(check(text, name, value, rest)), "{text:?}");
        }
    }

    #[test]
    fn damaged_tags_keep_what_is_readable() {
        let s = check("[White \"King, R.]\n1.", "White", "King, R.", "\n1.");
        assert!(!s.quote_closed && s.bracket_closed);
        let s = check("[Event \"The \"Big\" one\"]\n", "Event", "The \"Big\" one", "\n");
        assert!(s.inner_quotes && s.bracket_closed);
        check("[Event \"]\\\nEvent \"x\"]", "Event", "", "\\\nEvent \"x\"]");
        check("[Site \"C:\\\"]\n[Event \"x\"]", "Site", "C:\\", "\n[Event \"x\"]");
        let s = check("[Event \"x\"\n[Site \"y\"]", "Event", "x", "\n[Site \"y\"]");
        assert!(!s.bracket_closed);
        let s = check("[Event \"x\" [Site \"y\"]", "Event", "x", " [Site \"y\"]");
        assert!(!s.bracket_closed);
        let s = check("[Event \"x\n[Site \"y\"]", "Event", "x", "\n[Site \"y\"]");
        assert!(!s.quote_closed && !s.bracket_closed);
        let s = check("[Event x y]\n", "Event", "x y", "\n");
        assert!(!s.quote_closed && s.form == TagForm::Loose);
        assert_eq!(tag(b"[%clk 1:00]", 0), None);
        assert_eq!(tag(b"[", 0), None);
        assert_eq!(tag(b"[see game", 0).map(|s| s.form), Some(TagForm::None));
    }

    #[test]
    fn a_tag_without_its_bracket_is_found_by_its_quote() {
        let check = |text: &str, start| {
            let quote = text.find('"').unwrap();
            assert_eq!(lost_bracket(text.as_bytes(), 0, quote), start, "{text:?}");
        };
        check("Event \"x\"]", Some(0));
        check("1-0\n\n\tEvent \"x\"] \r\n", Some(6));
        check("say \"x\"]", None);
        check("1. Event \"x\"]", None);
        check("Event \"x\"", None);
        check(&format!("Event \"{}\"]", "x".repeat(VALUE_BYTES)), None);
    }

    #[test]
    fn a_value_ends_where_the_limit_says_however_it_is_written() {
        let long = "x".repeat(VALUE_BYTES);
        for end in ["\"]", "\" ]"] {
            let short = format!("[A \"{}{end}", &long[..VALUE_BYTES - 1]);
            assert_eq!(tag(short.as_bytes(), 0).map(|s| (s.end, s.quote_closed)), Some((short.len(), true)));
            let text = format!("[A \"{long}{end}");
            assert_eq!(
                tag(text.as_bytes(), 0).map(|s| (s.end, s.quote_closed)),
                Some((4 + VALUE_BYTES, false))
            );
        }
    }
}
