//! Result formats: the systems in which results are written.

use core::fmt;
use core::str::FromStr;

use super::error::UnknownName;

/// A result format, as the ResultFormat tag or the table of game types names it.
///
/// PDN 3.0, section "Result tag". Each format also allows `0-0`, lost for both, and `*`.
///
/// ```
/// use pdn_rules::value::GameType;
/// use pdn_rules::internal::value::ResultFormat;
///
/// assert_eq!("Plus draw".parse(), Ok(ResultFormat::PlusDraw));
/// assert_eq!(GameType::of_number(20).result_system(), Some(ResultFormat::International));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum ResultFormat {
    /// `1-0`, `1/2-1/2`, `0-1`.
    Default,
    /// `2-0`, `1-1`, `0-2`.
    International,
    /// `2-0`, `1+ - 1-`, `1-1`, `1- - 1+`, `0-2`: a draw with an advantage.
    PlusDraw,
    /// `2-0`, `1 1/2 - 1/2`, `1-1`, `1/2 - 1 1/2`, `0-2`.
    Delfts,
    /// `2-0`, ..., `1.02-0.98`, `1.01-0.99`, `1-1`, ..., `0-2`.
    Goes,
}

impl ResultFormat {
    /// Every format, in the order of the standard.
    pub const ALL: &'static [Self] =
        &[Self::Default, Self::International, Self::PlusDraw, Self::Delfts, Self::Goes];

    /// Parses the value of a ResultFormat tag, in either case. Returns `None` for a format that the standard does not
    /// name.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii();
        Self::ALL.iter().copied().find(|format| format.name().as_bytes().eq_ignore_ascii_case(text))
    }

    /// Returns the name as the standard writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "Default",
            Self::International => "International",
            Self::PlusDraw => "Plus draw",
            Self::Delfts => "Delfts",
            Self::Goes => "Goes",
        }
    }
}

impl fmt::Display for ResultFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ResultFormat {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Self::parse(text.as_bytes())
            .ok_or(UnknownName { expected: "a result format such as `International`" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn result_format_is_parsed_by_name() {
        for &format in ResultFormat::ALL {
            assert_eq!(ResultFormat::parse(format.to_string().as_bytes()), Some(format));
        }
        assert_eq!(ResultFormat::parse(b" plus Draw "), Some(ResultFormat::PlusDraw));
        assert_eq!(ResultFormat::parse(b"Ten point"), None);
    }
}
