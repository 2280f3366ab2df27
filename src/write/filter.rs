//! What is left out of written games.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;
use crate::value::{CommentPart, CommentParts};

/// Parts of games that are left out.
///
/// ```
/// use pdn::write::Strip;
///
/// let strip: Strip = "comments,nags".parse()?;
/// assert!(strip.contains(Strip::COMMENTS) && !strip.contains(Strip::VARIATIONS));
/// assert_eq!(strip.to_string(), "comments,nags");
/// # Ok::<(), pdn::error::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Strip(u8);

impl Strip {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Comments. Clocks, which stand in comments, are left out with them.
    pub const COMMENTS: Self = Self(1);
    /// NAGs and move strengths.
    pub const NAGS: Self = Self(2);
    /// Variations.
    pub const VARIATIONS: Self = Self(4);
    /// The commands `clk`, `clock`, `emt`, `egt` and `mct` in comments, and comments that become empty without them.
    pub const CLOCKS: Self = Self(8);
    /// Games with setups or null moves in the movetext: without them, the moves after them would mean something else.
    /// Such games are [not written](super::Unwritten::Setup). FEN tags stay.
    pub const SETUPS: Self = Self(16);

    /// Each part with its name.
    const NAMES: [(Self, &str); 5] = [
        (Self::COMMENTS, "comments"),
        (Self::NAGS, "nags"),
        (Self::VARIATIONS, "variations"),
        (Self::CLOCKS, "clocks"),
        (Self::SETUPS, "setups"),
    ];

    /// Returns `true` if all parts of `parts` are left out.
    pub const fn contains(self, parts: Self) -> bool {
        self.0 & parts.0 == parts.0
    }

    /// Returns the parts of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Writes the names with commas.
impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> =
            Self::NAMES.iter().filter(|(part, _)| self.contains(*part)).map(|(_, name)| *name).collect();
        f.pad(&names.join(","))
    }
}

/// Parses names separated by commas.
impl FromStr for Strip {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).try_fold(Self::NONE, |strip, name| {
            let part = Self::NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
            part.map(|(part, _)| strip.and(*part)).ok_or(UnknownName {
                expected: "one or more of `comments`, `nags`, `variations`, `clocks` and `setups`",
            })
        })
    }
}

/// Returns the text of a comment without its clocks; `None` if it has none.
pub(super) fn without_clocks(comment: &[u8]) -> Option<Vec<u8>> {
    const CLOCKS: [&[u8]; 5] = [b"clk", b"clock", b"emt", b"egt", b"mct"];
    let (mut kept, mut found, mut at) = (Vec::new(), false, 0);
    for part in CommentParts::new(comment) {
        let CommentPart::Command(command) = part else { continue };
        let name = command.name.of(comment);
        if CLOCKS.iter().any(|clock| clock.eq_ignore_ascii_case(name)) {
            found = true;
            kept.extend_from_slice(&comment[at..command.span.start as usize]);
            at = command.span.end as usize;
        }
    }
    found.then(|| {
        kept.extend_from_slice(&comment[at..]);
        kept.trim_ascii().to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_removed_from_comments() {
        for (comment, expected) in [
            ("[%clk 1:00:00]", Some("")),
            ("good [%clock w0:05:00 B0:05:00] move", Some("good  move")),
            ("[%eval 12] [%emt 0:00:03]", Some("[%eval 12]")),
            ("no clock", None),
            ("[%eval 3]", None),
        ] {
            let text = without_clocks(comment.as_bytes()).map(|text| String::from_utf8(text).unwrap());
            assert_eq!(text.as_deref(), expected, "{comment}");
        }
    }

    #[test]
    fn strip_is_parsed_by_name() {
        assert_eq!("".parse(), Ok(Strip::NONE));
        assert_eq!("NAGs, clocks".parse(), Ok(Strip::NAGS.and(Strip::CLOCKS)));
        assert!("tags".parse::<Strip>().is_err());
    }
}
