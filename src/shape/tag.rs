//! Tag pairs, `[Name "value"]`, as the standard writes them and as people do.

use crate::simd::{self, BLOCK, Block, Isa, Task};

use super::blank::{is_blank, is_line_end, skip_blanks, starts_line};

/// Longest name that is still taken for the name of a tag, in bytes.
const NAME_BYTES: usize = 255;
/// Furthest that the quote of a value over several lines is looked for, in bytes.
const VALUE_BYTES: usize = 4096;

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
    if bytes.get(start).is_some_and(|&b| is_blank(b)) {
        start = skip_blanks(bytes, start).end;
    }
    if !is_name_start(*bytes.get(start)?) {
        return None;
    }
    let bound = bytes.len().min(start + NAME_BYTES);
    let end = bytes[start..bound].iter().position(|&b| !is_name_byte(b)).map_or(bound, |n| start + n);
    let next = match bytes.get(end) {
        // One blank is the rule.
        Some(b' ') if bytes.get(end + 1).is_some_and(|&b| !is_blank(b)) => end + 1,
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
    match simd::run(Plain { bytes, at }) {
        Some(tag) => Some(tag.spans(at)),
        None => any_tag(bytes, at),
    }
}

/// As [`tag`], for whoever runs with an instruction set already.
#[inline(always)]
pub(crate) fn tag_with<I: Isa>(isa: I, bytes: &[u8], at: usize) -> Option<TagSpans> {
    match plain_tag(isa, bytes, at) {
        Some(tag) => Some(tag.spans(at)),
        None => any_tag(bytes, at),
    }
}

/// As [`tag_starts`], for whoever runs with an instruction set already.
#[inline(always)]
pub(crate) fn tag_starts_with<I: Isa>(isa: I, bytes: &[u8], at: usize) -> TagForm {
    if plain_tag(isa, bytes, at).is_some() { TagForm::Quoted } else { tag_starts(bytes, at) }
}

/// A tag as nearly all are: `[Letters "value"]` in no more than a block, with neither backslash nor control
/// character.
#[derive(Clone, Copy)]
struct PlainTag {
    /// Length of the name.
    name: u32,
    /// How far from the bracket the closing quote stands.
    close: u32,
}

impl PlainTag {
    #[inline(always)]
    fn spans(self, at: usize) -> TagSpans {
        let name = (at + 1, at + 1 + self.name as usize);
        let close = at + self.close as usize;
        TagSpans {
            start: at,
            name,
            value: (name.1 + 2, close),
            end: close + 2,
            form: TagForm::Quoted,
            quote_closed: true,
            bracket_closed: true,
            inner_quotes: false,
        }
    }
}

/// The tag that the bracket at `at` opens, if it is a plain one. What else there is [`any_tag`] tells.
#[inline(always)]
fn plain_tag<I: Isa>(isa: I, bytes: &[u8], at: usize) -> Option<PlainTag> {
    let block: &[u8; BLOCK] = bytes.get(at..)?.first_chunk()?;
    let vector = isa.load(block);
    let letters = vector.with_bits(0x20).within(b'a', b'z');
    let quotes = vector.among([b'"']);
    let odd = vector.within(0, 0x1F) | vector.among([b'\\']);
    let name = (!(letters >> 1)).trailing_zeros();
    let open = quotes.trailing_zeros();
    let rest = quotes & quotes.wrapping_sub(1);
    let close = rest.trailing_zeros();
    // Branches that are always taken the same way cost less than waiting for what they compare.
    let plain = name > 0
        && open == name + 2
        && block[name as usize + 1] == b' '
        && rest != 0
        && (odd << 1) << (BLOCK as u32 - 1 - close) == 0
        && block.get(close as usize + 1) == Some(&b']');
    plain.then_some(PlainTag { name, close })
}

struct Plain<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Task for Plain<'_> {
    type Output = Option<PlainTag>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<PlainTag> {
        plain_tag(isa, self.bytes, self.at)
    }
}

/// As [`tag`], whatever stands there.
#[inline]
fn any_tag(bytes: &[u8], at: usize) -> Option<TagSpans> {
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
            let quote = memchr::memchr(b'"', &bytes[open..]).map(|n| open + n);
            if let Some(quote) = quote
                && bytes.get(quote + 1) == Some(&b']')
                && memchr::memchr3(b'\\', b'\n', b'\r', &bytes[open..quote]).is_none()
            {
                return Some(TagSpans { value: (open, quote), end: quote + 2, ..spans });
            }
            Some(quoted(bytes, open, spans))
        }
        TagForm::Bare => Some(TagSpans { end: next + 1, ..spans }),
        _ => Some(loose(bytes, at, next, spans)),
    }
}

/// The rest of a tag whose value opens at `open` and is not simply closed by `"]`.
#[cold]
fn quoted(bytes: &[u8], open: usize, spans: TagSpans) -> TagSpans {
    let close = |quote: usize, bracket: usize| TagSpans { value: (open, quote), end: bracket + 1, ..spans };
    // The quote that the standard means, in this line or, in a value over several lines, a little further.
    let bound = bytes.len().min(open + VALUE_BYTES);
    let line = bytes[open..bound].iter().position(|&b| is_line_end(b)).map_or(bound, |n| open + n);
    let mut at = open;
    let mut first = None;
    while let Some(&byte) = bytes[..bound].get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => {
                first = Some(at);
                break;
            }
            // A tag or an empty line shows that the quote is missing.
            b'[' if at > line && starts_line(bytes, open, at) => break,
            _ if is_line_end(byte) && skip_blanks(bytes, at).lines > 1 => break,
            _ => {}
        }
        at += 1;
    }
    if let Some(quote) = first {
        let after = skip_blanks(bytes, quote + 1).end;
        match bytes.get(after) {
            Some(b']') => return close(quote, after),
            // The next tag or the first move: the bracket is missing.
            Some(b'[' | b'{' | b'0'..=b'9') | None if quote < line => {
                return TagSpans { value: (open, quote), end: quote + 1, bracket_closed: false, ..spans };
            }
            _ if quote < line => {}
            _ => first = None,
        }
    }
    // The last quote of the line that a bracket follows, as long as no other tag opens before it.
    let tail = &bytes[open..line];
    let tail = &tail[..memchr::memchr(b'[', tail).unwrap_or(tail.len())];
    if let Some(bracket) = memchr::memrchr(b']', tail) {
        let text = tail[..bracket].trim_ascii_end();
        if text.last() == Some(&b'"') {
            let quote = open + text.len() - 1;
            let escaped = first.is_none();
            return TagSpans { inner_quotes: !escaped, ..close(quote, open + bracket) };
        }
        if first.is_none() {
            // `[White "King, R.]`
            return TagSpans { quote_closed: false, ..close(open + bracket, open + bracket) };
        }
    }
    if let Some(quote) = first {
        return TagSpans { value: (open, quote), end: quote + 1, bracket_closed: false, ..spans };
    }
    let value = (open, open + tail.trim_ascii_end().len());
    TagSpans { value, end: value.1, quote_closed: false, bracket_closed: false, ..spans }
}

/// `[Name value]`, or a bracket and a word that turn out to be no tag at all.
#[cold]
fn loose(bytes: &[u8], at: usize, next: usize, spans: TagSpans) -> TagSpans {
    let tail = &bytes[next.min(bytes.len())..];
    let stop =
        tail.iter().take(VALUE_BYTES).position(|&b| is_line_end(b) || matches!(b, b'[' | b']' | b'{' | b'"'));
    match stop {
        Some(n) if tail[n] == b']' && starts_line(bytes, 0, at) => {
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
    let bound = bytes.len().min(quote + VALUE_BYTES);
    let line = bytes[quote..bound].iter().position(|&b| is_line_end(b)).map_or(bound, |n| quote + n);
    let tail = bytes[quote + 1..line].trim_ascii_end();
    let closed = tail.strip_suffix(b"]").is_some_and(|t| t.trim_ascii_end().last() == Some(&b'"'));
    closed.then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::run_on_all;
    use proptest::prelude::*;

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
            ("[Event\"x\"]", "Event", "x", ""),
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

    #[derive(Clone)]
    struct With<'a>(&'a [u8]);

    impl Task for With<'_> {
        type Output = (Option<TagSpans>, TagForm);

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            (tag_with(isa, self.0, 0), tag_starts_with(isa, self.0, 0))
        }
    }

    proptest! {
        #[test]
        fn plain_tags_are_told_as_all_others(
            text in r#"\[ ?[A-Za-z]{0,12}[é_0-9]? {0,2}["\]]?([A-Za-z0-9., ]{0,30}|["\]\[\\\n]){0,3}"?\]?[ -~\n]{0,90}"#,
        ) {
            let expected = (any_tag(text.as_bytes(), 0), tag_starts(text.as_bytes(), 0));
            for found in run_on_all(With(text.as_bytes())) {
                prop_assert_eq!(found, expected);
            }
            prop_assert_eq!(tag(text.as_bytes(), 0), expected.0);
        }
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
    }
}
