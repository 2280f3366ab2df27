//! Long texts: what programs print when asked to explain, and what people read beside the reference.

pub mod diagnostics {
    #![doc = include_str!("diagnostics.md")]
}

pub mod dialects {
    #![doc = include_str!("dialects.md")]
}

pub mod splitting {
    #![doc = include_str!("splitting.md")]
}

pub mod index_format {
    #![doc = include_str!("index-format.md")]
}

pub mod search {
    #![doc = include_str!("search.md")]
}

use crate::diag::Code;

const DIAGNOSTICS: &str = include_str!("diagnostics.md");

/// What a code means, how the reader goes on, an example, and how to mend it: the section of the
/// [guide](diagnostics) in Markdown, without its heading.
///
/// ```
/// use pdn::{diag::Code, guide};
///
/// assert!(guide::explain(Code::UnclosedComment).contains("{"));
/// ```
pub fn explain(code: Code) -> &'static str {
    sections().find(|(id, _)| *id == code.id()).map_or("", |(_, text)| text)
}

/// The sections of the guide: the first word of each heading, and the text up to the next.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    DIAGNOSTICS.split("\n## ").skip(1).map(|section| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        // A new chapter is no part of the section before it.
        let text = text.split("\n# ").next().unwrap_or(text);
        (heading.split_whitespace().next().unwrap_or(""), text.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_section_and_every_section_a_code() {
        let ids: Vec<_> = sections().map(|(id, _)| id).collect();
        let codes: Vec<_> = Code::ALL.iter().map(|code| code.id()).collect();
        assert_eq!(ids, codes, "the guide follows the table in `diag.rs`");
        for code in Code::ALL {
            let text = explain(*code);
            assert!(text.contains("```text\n") && text.contains("**Mend**"), "{code}: example and remedy");
        }
    }
}
