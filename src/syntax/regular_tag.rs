//! The parts of a tag, and how a regular tag is recognised from the bit masks of one 64-byte block.

use crate::simd::{self, BLOCK, Block, Isa, Task};

/// A regular tag: `[Letters "value"]` of at most 64 bytes without control characters. Its only backslashes escape quotes.
#[derive(Clone, Copy)]
pub(crate) struct RegularTag {
    /// The length of the name in bytes.
    name_len: u32,
    /// The offset of the closing quote, relative to the opening bracket.
    closing_quote: u32,
    /// `true` if quotes in the value are escaped.
    has_escapes: bool,
}

impl RegularTag {
    /// Returns the spans of the tag whose opening bracket stands at offset `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn spans(self, at: usize) -> TagSpans {
        let name = (at + 1, at + 1 + self.name_len as usize);
        let close = at + self.closing_quote as usize;
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

/// Returns the tag that starts at offset `at` if it is regular. `None` says nothing: the caller then asks
/// [`scan_any_tag`](super::tag::scan_any_tag).
// Twin: scan_any_tag; test: regular_tag_equals_byte_scan.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn regular_tag<I: Isa>(isa: I, bytes: &[u8], at: usize) -> Option<RegularTag> {
    let block: &[u8; BLOCK] = bytes.get(at..)?.first_chunk()?;
    let vector = isa.load(block);
    let letters = vector.with_bits(0x20).within(b'a', b'z');
    let quotes = vector.among([b'"']);
    let mut irregular = vector.within(0, 0x1F);
    let backslashes = vector.among([b'\\']);
    let name = (!(letters >> 1)).trailing_zeros();
    let open = quotes.trailing_zeros();
    let mut rest = quotes & quotes.wrapping_sub(1);
    if backslashes != 0 {
        rest &= !(backslashes << 1);
        irregular |= backslashes & !(quotes >> 1);
    }
    let close = rest.trailing_zeros();
    // Predictable branches are cheaper than the latency of the values that they compare.
    let is_regular = block[0] == b'['
        && name > 0
        && open == name + 2
        && block[name as usize + 1] == b' '
        && rest != 0
        && (irregular << 1) << (BLOCK as u32 - 1 - close) == 0
        && block.get(close as usize + 1) == Some(&b']');
    let has_escapes = backslashes << (BLOCK as u32 - 1 - close.min(BLOCK as u32 - 1)) != 0;
    is_regular.then_some(RegularTag { name_len: name, closing_quote: close, has_escapes })
}

/// Returns the spans of the tag that starts at offset `at` if it is regular and nothing in its value is escaped.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn find_plain_tag(bytes: &[u8], at: usize) -> Option<TagSpans> {
    simd::run(FindRegularTag { bytes, at }).filter(|tag| !tag.has_escapes).map(|tag| tag.spans(at))
}

/// Runs [`regular_tag`] with the instruction set of this processor.
pub(super) struct FindRegularTag<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Task for FindRegularTag<'_> {
    type Output = Option<RegularTag>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Option<RegularTag> {
        regular_tag(isa, self.bytes, self.at)
    }
}

/// The form of the text that follows a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagForm {
    /// `[Name "`: certainly a tag.
    Quoted,
    /// `[Name]`: a tag that lost its value.
    Bare,
    /// A name and then neither a quote nor a closing bracket.
    Loose,
    /// No name.
    None,
}

/// The offsets of the parts of a tag in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagSpans {
    /// The offset of the opening bracket.
    pub start: usize,
    /// The start of the name and the offset just after it.
    pub name: (usize, usize),
    /// The start of the value, without its quotes, and the offset just after it; empty for a bare tag.
    pub value: (usize, usize),
    /// The offset just after the tag.
    pub end: usize,
    /// The form of the tag.
    pub form: TagForm,
    /// `true` if the closing quote is present.
    pub quote_closed: bool,
    /// `true` if the closing bracket is present.
    pub bracket_closed: bool,
    /// `true` if unescaped quotes stand inside the value.
    pub inner_quotes: bool,
}

#[cfg(test)]
mod tests {
    use super::super::tag::{scan_any_tag, scan_tag, scan_tag_with, tag_form, tag_form_with};
    use super::*;
    use crate::simd::run_on_all;
    use proptest::prelude::*;

    #[derive(Clone)]
    struct ScanFirstTag<'a>(&'a [u8]);

    impl Task for ScanFirstTag<'_> {
        type Output = (Option<TagSpans>, TagForm);

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            (scan_tag_with(isa, self.0, 0, 0), tag_form_with(isa, self.0, 0))
        }
    }

    proptest! {
        #[test]
        fn regular_tag_equals_byte_scan(
            text in r#"\[ ?[A-Za-z]{0,12}[é_0-9]? {0,2}["\]]?([A-Za-z0-9., ]{0,30}|["\]\[\\\n]|\\["\\]){0,4}"?\]?[ -~\n]{0,90}"#,
        ) {
            let expected = (scan_any_tag(text.as_bytes(), 0, 0), tag_form(text.as_bytes(), 0));
            for actual in run_on_all(ScanFirstTag(text.as_bytes())) {
                prop_assert_eq!(actual, expected);
            }
            prop_assert_eq!(scan_tag(text.as_bytes(), 0), expected.0);
        }
    }

    #[test]
    fn backslash_before_a_backslash_escapes_no_quote() {
        for text in [
            r#"[Event "a\\"] [Site "b"]"#,
            r#"[Event "a\\"] x"]"#,
            r#"[Event "a\"] [Site "b"]"#,
            r#"[Event "a\b"] [Site "b"]"#,
            r#"[Event "\"a\""] [Site "b"]"#,
        ] {
            // Long enough for a block.
            let text = format!("{text}{}", " ".repeat(64));
            let expected = (scan_any_tag(text.as_bytes(), 0, 0), tag_form(text.as_bytes(), 0));
            for actual in run_on_all(ScanFirstTag(text.as_bytes())) {
                assert_eq!(actual, expected, "{text}");
            }
        }
    }
}
