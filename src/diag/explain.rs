//! The long text of each code.

use super::Code;

/// The text of the page of codes.
const DIAGNOSTICS: &str = include_str!("diagnostics.md");

/// Returns the section of the [page of codes](super::codes) on a code: its meaning, how the reader goes on, an example and a
/// fix. In Markdown, without the heading.
///
/// ```
/// use pdn::diag::{Code, explain};
///
/// assert!(explain(Code::UnclosedComment).contains("{"));
/// ```
pub fn explain(code: Code) -> &'static str {
    sections().find(|(id, _)| *id == code.id()).map_or("", |(_, text)| text)
}

/// Iterates over the sections on codes: the first word of each heading, which is the code, and the text up to the
/// next heading.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    DIAGNOSTICS.split("\n## ").skip(1).map(|section| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        // A chapter heading ends the section before it.
        let text = text.split("\n# ").next().unwrap_or(text);
        (heading.split_whitespace().next().unwrap_or(""), text.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guide_has_one_section_per_code() {
        let ids: Vec<_> = sections().map(|(id, _)| id).collect();
        let codes: Vec<_> = Code::ALL.iter().map(|code| code.id()).collect();
        assert_eq!(ids, codes, "the guide has the order of the table in `diag/mod.rs`");
        for code in Code::ALL {
            let text = explain(*code);
            assert!(text.contains("```text\n") && text.contains("**Fix**"), "{code}: example and fix");
            let heading = format!("\n## {code} {}\n", code.title());
            assert!(DIAGNOSTICS.contains(&heading), "{code}: the heading is the title of the code");
        }
    }
}
