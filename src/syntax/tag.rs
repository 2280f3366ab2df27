//! Scans tag pairs, `[Name "value"]`, as the standard writes them and as people do.

use super::regular_tag::{FindRegularTag, TagForm, TagSpans, regular_tag};
use super::whitespace::{is_line_end, is_whitespace, skip_whitespace, starts_line, wide_whitespace};
use crate::simd::{self, Isa};
use crate::value::TagName;

/// The greatest length of a tag name in bytes. A longer word is cut there.
pub(crate) const MAX_NAME_BYTES: usize = 255;
/// The greatest length in bytes of a tag name of several words.
const MAX_WORDS_BYTES: usize = 64;
/// The greatest length of a tag value in bytes: the closing quote is searched for within this distance.
pub(crate) const MAX_VALUE_BYTES: usize = 16 << 10;

/// Returns `true` if a tag name may begin with `byte`: a letter, `_` or a byte beyond ASCII.
#[inline]
pub(crate) const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80 || byte == b'_'
}

/// Returns `true` if `byte` may stand in a tag name: letters, digits, `_`, `-`, `.`, bytes beyond ASCII, and the `&`,
/// `#` and `;` of character references.
#[inline]
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'-' | b'&' | b'#' | b';' | b'.')
}

/// Returns the start of the name after the bracket at offset `at`, the offset just after it, and the offset of the
/// first byte after the whitespace that follows. `None` if there is no name.
#[inline]
fn tag_name(bytes: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let mut start = at + 1;
    if bytes.get(start).is_some_and(|&b| is_whitespace(b) || wide_whitespace(&bytes[start..]) > 0) {
        start = skip_whitespace(bytes, start).end;
    }
    let first = *bytes.get(start)?;
    let begins_name = is_name_start(first) || first == b'&' && is_reference(&bytes[start..]);
    if !begins_name {
        return None;
    }
    let bound = bytes.len().min(start + MAX_NAME_BYTES);
    let mut end = bytes[start..bound].iter().position(|&b| !is_name_byte(b)).map_or(bound, |n| start + n);
    while bytes[start..end].ends_with(b"\xC2\xA0") {
        end -= 2;
    }
    let next = match bytes.get(end) {
        // Nearly always one space; this saves the loop.
        Some(b' ') if bytes.get(end + 1).is_some_and(|&b| !is_whitespace(b) && b.is_ascii()) => end + 1,
        _ => skip_whitespace(bytes, end).end,
    };
    match bytes.get(next) {
        Some(b'"' | b']') => Some((start, end, next)),
        _ => Some(name_of_words(bytes, start, end).unwrap_or((start, end, next))),
    }
}

/// Returns the name of several words (`[Type de jeu "20"]`) that begins at offset `start`, as [`tag_name`] does; `end` is the
/// end of its first word. `None` if there is none.
///
/// The name begins with a capital letter, a byte beyond ASCII or a character reference. A quote follows the words on the same
/// line, and the closing quote and bracket stand at the end of the line or before its next opening bracket. So a remark in
/// brackets among the moves is hardly taken for a tag. Each byte is read for one bracket only.
#[cold]
fn name_of_words(bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize, usize)> {
    if !(bytes[start].is_ascii_uppercase() || bytes[start] >= 0x80 || bytes[start] == b'&') {
        return None;
    }
    let window = &bytes[..bytes.len().min(start + MAX_WORDS_BYTES)];
    let is_word = |byte: &u8| is_name_byte(*byte) || matches!(byte, b' ' | b'\t' | b'\'');
    let quote = end
        + window.get(end..)?.iter().position(|byte| !is_word(byte)).filter(|n| window[end + n] == b'"')?;
    let value = &bytes[quote + 1..bytes.len().min(quote + MAX_VALUE_BYTES)];
    let line_end = memchr::memchr3(b'\n', b'\r', b'[', value);
    if line_end.is_none() && value.len() + 1 == MAX_VALUE_BYTES {
        return None;
    }
    let mut line = value[..line_end.unwrap_or(value.len())].trim_ascii_end();
    while let Some(rest) = line.strip_suffix(b"\\r").or_else(|| line.strip_suffix(b"\\n")) {
        line = rest.trim_ascii_end();
    }
    let is_closed = line.strip_suffix(b"]").is_some_and(|line| line.trim_ascii_end().ends_with(b"\""));
    let mut end = quote;
    while let Some(rest) =
        bytes[start..end].strip_suffix(b" ").or_else(|| bytes[start..end].strip_suffix(b"\t"))
    {
        end = start + rest.len();
    }
    is_closed.then_some((start, end, quote))
}

/// Returns `true` if `rest` begins with a character reference such as `&#x00c9;` or `&Eacute;`.
fn is_reference(rest: &[u8]) -> bool {
    let body = rest[1..].iter().take(12).take_while(|&&b| b.is_ascii_alphanumeric() || b == b'#').count();
    body > 0 && rest.get(1 + body) == Some(&b';')
}

/// Returns the form of what the bracket at offset `at` opens. Reads the name, the whitespace after it and one more
/// byte; where words follow the name, up to the end of their line.
#[inline]
pub(crate) fn tag_form(bytes: &[u8], at: usize) -> TagForm {
    match tag_name(bytes, at) {
        None => TagForm::None,
        Some((_, _, next)) => form_after_name(bytes, next),
    }
}

#[inline]
fn form_after_name(bytes: &[u8], next: usize) -> TagForm {
    match bytes.get(next) {
        Some(b'"') => TagForm::Quoted,
        Some(b']') => TagForm::Bare,
        _ => TagForm::Loose,
    }
}

/// Returns the tag that the bracket at offset `at` opens, or `None` if no name follows the bracket.
///
/// A value ends with the first quote that no backslash escapes. Two cases differ:
///
/// - unescaped quotes stand inside the value, or a backslash before the last quote is meant literally: the value ends
///   with the last quote before a closing bracket of that line;
/// - the closing quote is missing: the value ends with the line.
///
/// In both cases, the next tag of the line ends the value as the end of the line does.
///
/// The value of a loose tag is the text before its closing bracket on the same line.
#[inline]
pub(crate) fn scan_tag(bytes: &[u8], at: usize) -> Option<TagSpans> {
    scan_tag_in_record(bytes, 0, at)
}

/// Returns the tag at offset `at` as [`scan_tag`] does, in a record that starts at offset `from`: bytes before it are
/// ignored.
#[inline]
pub(crate) fn scan_tag_in_record(bytes: &[u8], from: usize, at: usize) -> Option<TagSpans> {
    match simd::run(FindRegularTag { bytes, at }) {
        Some(tag) => Some(tag.spans(at)),
        None => scan_any_tag(bytes, from, at),
    }
}

/// Returns the tag at offset `at` as [`scan_tag_in_record`] does, for callers that already run with an instruction
/// set.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn scan_tag_with<I: Isa>(isa: I, bytes: &[u8], from: usize, at: usize) -> Option<TagSpans> {
    match regular_tag(isa, bytes, at) {
        Some(tag) => Some(tag.spans(at)),
        None => scan_any_tag(bytes, from, at),
    }
}

/// Returns the form of the tag at offset `at` as [`tag_form`] does, for callers that already run with an instruction
/// set.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn tag_form_with<I: Isa>(isa: I, bytes: &[u8], at: usize) -> TagForm {
    if regular_tag(isa, bytes, at).is_some() { TagForm::Quoted } else { tag_form(bytes, at) }
}

/// Returns the tag at offset `at`, regular or not, without the fast path.
#[inline]
pub(super) fn scan_any_tag(bytes: &[u8], from: usize, at: usize) -> Option<TagSpans> {
    let (start, end, next) = tag_name(bytes, at)?;
    let form = form_after_name(bytes, next);
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
            // By far the most common case: the closing bracket follows the first quote.
            let window = &bytes[open..bytes.len().min(open + MAX_VALUE_BYTES)];
            let quote = memchr::memchr(b'"', window).map(|n| open + n);
            if let Some(quote) = quote
                && bytes.get(quote + 1) == Some(&b']')
                && memchr::memchr3(b'\\', b'\n', b'\r', &bytes[open..quote]).is_none()
            {
                return Some(TagSpans { value: (open, quote), end: quote + 2, ..spans });
            }
            Some(irregular_value(bytes, open, spans))
        }
        TagForm::Bare => Some(TagSpans { end: next + 1, ..spans }),
        _ => Some(loose_tag(bytes, from, at, next, spans)),
    }
}

/// Returns the spans of a tag whose value starts at offset `open` and does not simply end with `"]`.
///
/// Reads to the next tag on the line, or to the first quote. So each byte is passed a constant number of times, even if
/// many tags share a line.
#[cold]
fn irregular_value(bytes: &[u8], open: usize, spans: TagSpans) -> TagSpans {
    let close = |quote: usize, bracket: usize| TagSpans { value: (open, quote), end: bracket + 1, ..spans };
    let window = &bytes[..bytes.len().min(open + MAX_VALUE_BYTES)];
    let first = first_quote(window, open);
    if let Some(quote) = first {
        let after = skip_whitespace(bytes, quote + 1).end;
        if bytes.get(after) == Some(&b']') {
            return close(quote, after);
        }
    }
    let line_end = tag_line_end(window, open);
    // A later quote belongs to the next tag.
    let first = first.filter(|&quote| quote < line_end);
    let tail = &window[open..line_end];
    if let Some((quote, bracket)) = last_closing(tail) {
        return TagSpans { inner_quotes: first.is_some(), ..close(open + quote, open + bracket) };
    }
    if let Some(quote) = first {
        return TagSpans { value: (open, quote), end: quote + 1, bracket_closed: false, ..spans };
    }
    let tail = &tail[..memchr::memchr(b'[', tail).unwrap_or(tail.len())];
    if let Some(bracket) = memchr::memrchr(b']', tail) {
        // `[White "King, R.]`
        return TagSpans { quote_closed: false, ..close(open + bracket, open + bracket) };
    }
    let value = (open, open + tail.trim_ascii_end().len());
    TagSpans { value, end: value.1, quote_closed: false, bracket_closed: false, ..spans }
}

/// Returns the offset where a tag value around offset `at` must have ended: at the line end, at the next tag with a quote, or
/// at the end of `bytes`. Other brackets may stand in the value, as in `[Event "The "[B]ig" one"]`.
fn tag_line_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(n) = memchr::memchr3(b'\n', b'\r', b'[', &bytes[at..]) {
        at += n;
        if bytes[at] != b'[' || tag_form(bytes, at) == TagForm::Quoted {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the offsets of the last quote in `line` that a closing bracket follows, and of this bracket.
fn last_closing(line: &[u8]) -> Option<(usize, usize)> {
    memchr::memrchr_iter(b']', line)
        .find_map(|bracket| Some((line[..bracket].trim_ascii_end().strip_suffix(b"\"")?.len(), bracket)))
}

/// Returns the offset of the closing quote by the standard, the first one that no backslash escapes. `None` if a tag at the
/// start of a line or an empty line comes first: then the quote is missing.
fn first_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open;
    let mut same_line = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => at += 1,
            b'"' => return Some(at),
            b'[' if !same_line && starts_line(bytes, open, at) => return None,
            b'\n' | b'\r' => {
                if skip_whitespace(bytes, at).lines > 1 {
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

/// Returns `true` if the bracket at offset `at`, within a line, opens the first tag of the next record, because the writer of the
/// record before was killed: `3. 37[Event "B"]`. It is a sound tag of the standard, ends its line, and the next line starts with a tag.
#[cold]
pub(crate) fn is_cut_off(bytes: &[u8], at: usize) -> bool {
    let Some(tag) = scan_any_tag(bytes, at, at) else { return false };
    let is_sound = tag.form == TagForm::Quoted && tag.quote_closed && tag.bracket_closed && !tag.inner_quotes;
    if !is_sound || TagName::exact(&bytes[tag.name.0..tag.name.1]).is_none() {
        return false;
    }
    let next = skip_whitespace(bytes, tag.end);
    next.lines == 1 && bytes.get(next.end) == Some(&b'[') && tag_form(bytes, next.end) == TagForm::Quoted
}

/// Returns the spans of `[Name value]`; the form is [`TagForm::None`] if the bracket and the word are no tag.
#[cold]
fn loose_tag(bytes: &[u8], from: usize, at: usize, next: usize, spans: TagSpans) -> TagSpans {
    let tail = &bytes[next.min(bytes.len())..];
    let stop = tail
        .iter()
        .take(MAX_VALUE_BYTES)
        .position(|&b| is_line_end(b) || matches!(b, b'[' | b']' | b'{' | b'"'));
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

/// Returns the offset of the name of a tag that lost its opening bracket (`Event "x"]`), given the offset `quote` of
/// its first quote. `None` if there is no such tag.
///
/// The name is one word at the start of a line, a capital first. The quote follows it, and the closing quote and
/// bracket stand at the end of the same line. The input starts at offset `from`: bytes before it are ignored.
pub(crate) fn lost_bracket(bytes: &[u8], from: usize, quote: usize) -> Option<usize> {
    let before = bytes[from..quote].iter().rposition(|&b| b != b' ' && b != b'\t')? + from + 1;
    let earliest = from.max(before.saturating_sub(MAX_NAME_BYTES + 1));
    let start = bytes[earliest..before]
        .iter()
        .rposition(|&b| !is_name_byte(b))
        .map_or(earliest, |n| earliest + n + 1);
    let has_name = start < before && before - start <= MAX_NAME_BYTES && bytes[start].is_ascii_uppercase();
    if !has_name || !starts_line(bytes, from, start) {
        return None;
    }
    let window = &bytes[quote + 1..bytes.len().min(quote + MAX_VALUE_BYTES)];
    let line = match memchr::memchr2(b'\n', b'\r', window) {
        None if window.len() + 1 == MAX_VALUE_BYTES => return None,
        end => end.unwrap_or(window.len()),
    };
    let tail = window[..line].trim_ascii_end();
    let closed = tail.strip_suffix(b"]").is_some_and(|t| t.trim_ascii_end().last() == Some(&b'"'));
    closed.then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the name and value of the tag at the start of `text`, and the text after the tag.
    #[track_caller]
    fn check(text: &str, name: &str, value: &str, rest: &str) -> TagSpans {
        let spans = scan_tag(text.as_bytes(), 0).unwrap_or_else(|| panic!("no tag in {text:?}"));
        let part = |(start, end): (usize, usize)| &text[start..end];
        assert_eq!(
            (part(spans.name), part(spans.value), &text[spans.end..]),
            (name, value, rest),
            "{text:?}"
        );
        spans
    }

    #[test]
    fn scan_tag_reads_every_dialect() {
        let is_sound = |s: TagSpans| s.quote_closed && s.bracket_closed && !s.inner_quotes;
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
            (r#"[&#x00c9;v&#x00e9;nement "x"]"#, "&#x00c9;v&#x00e9;nement", "x", ""),
            ("[Type de jeu \"20\"]\n1.", "Type de jeu", "20", "\n1."),
            ("[Heure  blanche\t\"1:00\" ]\r\n", "Heure  blanche", "1:00", "\r\n"),
            ("[Date d'\u{e9}v\u{e9}nement \"x\"]\\r\n", "Date d'\u{e9}v\u{e9}nement", "x", "\\r\n"),
            ("[Type de jeu \"20\"] [Heure noire \"2:00\"]", "Type de jeu", "20", " [Heure noire \"2:00\"]"),
            ("[\u{c9}v\u{e9}nement et lieu \"x\"]", "\u{c9}v\u{e9}nement et lieu", "x", ""),
            ("[Empty] 1. 32-28", "Empty", "", " 1. 32-28"),
        ] {
            assert!(is_sound(check(text, name, value, rest)), "{text:?}");
        }
    }

    #[test]
    fn scan_tag_keeps_readable_parts_of_damaged_tags() {
        let s = check("[White \"King, R.]\n1.", "White", "King, R.", "\n1.");
        assert!(!s.quote_closed && s.bracket_closed);
        let s = check("[Event \"The \"Big\" one\"]\n", "Event", "The \"Big\" one", "\n");
        assert!(s.inner_quotes && s.bracket_closed);
        for (text, value) in [
            (r#"[White "King, "3rd" R."]"#, r#"King, "3rd" R."#),
            (r#"[Event "The "[B]ig" one"]"#, r#"The "[B]ig" one"#),
            (r#"[Event "The "big [x]" one"]"#, r#"The "big [x]" one"#),
            (r#"[Event "The "{big}" one" ]"#, r#"The "{big}" one"#),
            (r#"[Event "The "1. 32-28" book"]"#, r#"The "1. 32-28" book"#),
        ] {
            let s = check(&format!("{text} [x] [Site \"y\"]"), &text[1..6], value, " [x] [Site \"y\"]");
            assert!(s.inner_quotes && s.quote_closed && s.bracket_closed, "{text}");
        }
        let s = check("[White \"A\" 1. 32-28 [x] 19-23", "White", "A", " 1. 32-28 [x] 19-23");
        assert!(!s.bracket_closed);
        let s = check("[White \"King, R.] [Black \"x\"]", "White", "King, R.", " [Black \"x\"]");
        assert!(!s.quote_closed && s.bracket_closed);
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
        assert_eq!(scan_tag(b"[& \"x\"]", 0), None);
        for remark in [
            "[some comment \"quoted\"]\n",
            "[White says \"good\"] 32-28\n",
            "[White says \"good\" here]\n",
            "[Two words]\n",
            "[Two words \"x\"\n]",
            "[Two\nwords \"x\"]",
            "[Words, \"x\"]",
            "[Say {no} \"x\"]",
            "[Type de jeu \"20",
            &format!("[Word {} \"x\"]", "a ".repeat(40)),
            &format!("[Two words \"{}\"]", "x".repeat(MAX_VALUE_BYTES)),
        ] {
            let form = scan_tag(remark.as_bytes(), 0).map(|spans| spans.form);
            assert!(matches!(form, Some(TagForm::None | TagForm::Loose)), "{remark}: {form:?}");
        }
        assert_eq!(scan_tag(b"[%clk 1:00]", 0), None);
        assert_eq!(scan_tag(b"[", 0), None);
        assert_eq!(scan_tag(b"[see game", 0).map(|s| s.form), Some(TagForm::None));
    }

    #[test]
    fn lost_bracket_returns_name_before_quote() {
        let check = |text: &str, start| {
            let quote = text.find('"').unwrap();
            assert_eq!(lost_bracket(text.as_bytes(), 0, quote), start, "{text:?}");
        };
        check("Event \"x\"]", Some(0));
        check("1-0\n\n\tEvent \"x\"] \r\n", Some(6));
        check("say \"x\"]", None);
        check("1. Event \"x\"]", None);
        check("Event \"x\"", None);
        check(&format!("Event \"{}\"]", "x".repeat(MAX_VALUE_BYTES)), None);
        check(&format!("{} \"x\"]", "N".repeat(MAX_NAME_BYTES)), Some(0));
        check(&format!("{} \"x\"]", "N".repeat(MAX_NAME_BYTES + 1)), None);
    }

    #[test]
    fn value_ends_at_limit_in_every_form() {
        let long = "x".repeat(MAX_VALUE_BYTES);
        for end in ["\"]", "\" ]"] {
            let short = format!("[A \"{}{end}", &long[..MAX_VALUE_BYTES - 1]);
            assert_eq!(
                scan_tag(short.as_bytes(), 0).map(|s| (s.end, s.quote_closed)),
                Some((short.len(), true))
            );
            let text = format!("[A \"{long}{end}");
            assert_eq!(
                scan_tag(text.as_bytes(), 0).map(|s| (s.end, s.quote_closed)),
                Some((4 + MAX_VALUE_BYTES, false))
            );
        }
    }
}
