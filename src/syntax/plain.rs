//! Plain tags, told from the masks of one block.

use super::tag::{TagForm, TagSpans};
use crate::simd::{BLOCK, Block, Isa, Task};

/// A tag as nearly all are: `[Letters "value"]` in no more than a block, with neither backslash nor control
/// character.
#[derive(Clone, Copy)]
pub(crate) struct PlainTag {
    /// Length of the name.
    name: u32,
    /// How far from the bracket the closing quote stands.
    close: u32,
}

impl PlainTag {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn spans(self, at: usize) -> TagSpans {
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

/// The tag that starts at `at`, if one does and is plain. What else there is [`any_tag`](super::tag::any_tag) tells.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn plain_tag<I: Isa>(isa: I, bytes: &[u8], at: usize) -> Option<PlainTag> {
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
    let plain = block[0] == b'['
        && name > 0
        && open == name + 2
        && block[name as usize + 1] == b' '
        && rest != 0
        && (odd << 1) << (BLOCK as u32 - 1 - close) == 0
        && block.get(close as usize + 1) == Some(&b']');
    plain.then_some(PlainTag { name, close })
}

/// [`plain_tag`] for the instruction set of this processor.
pub(super) struct Plain<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Task for Plain<'_> {
    type Output = Option<PlainTag>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Option<PlainTag> {
        plain_tag(isa, self.bytes, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tag::{any_tag, tag, tag_starts, tag_starts_with, tag_with};
    use super::*;
    use crate::simd::run_on_all;
    use proptest::prelude::*;

    #[derive(Clone)]
    struct With<'a>(&'a [u8]);

    impl Task for With<'_> {
        type Output = (Option<TagSpans>, TagForm);

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            (tag_with(isa, self.0, 0, 0), tag_starts_with(isa, self.0, 0))
        }
    }

    proptest! {
        #[test]
        fn plain_tags_are_told_as_all_others(
            text in r#"\[ ?[A-Za-z]{0,12}[é_0-9]? {0,2}["\]]?([A-Za-z0-9., ]{0,30}|["\]\[\\\n]){0,3}"?\]?[ -~\n]{0,90}"#,
        ) {
            let expected = (any_tag(text.as_bytes(), 0, 0), tag_starts(text.as_bytes(), 0));
            for found in run_on_all(With(text.as_bytes())) {
                prop_assert_eq!(found, expected);
            }
            prop_assert_eq!(tag(text.as_bytes(), 0), expected.0);
        }
    }
}
