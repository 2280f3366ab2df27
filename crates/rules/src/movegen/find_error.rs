//! The reasons why a written move is not one legal move.

use core::fmt;

use super::capture_search::CaptureLimit;

/// The reason why a written move is not one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum FindError {
    /// No legal move leads from the first square to the last.
    Illegal,
    /// A legal move leads there, but none over the squares written between.
    OtherPath,
    /// Several captures lead there, and the squares written between match more than one.
    Ambiguous,
    /// The captures of the position need more search nodes than allowed.
    Limit,
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal => f.write_str("no legal move goes there"),
            Self::OtherPath => f.write_str("no legal capture goes over these squares"),
            Self::Ambiguous => f.write_str("several captures go there"),
            Self::Limit => CaptureLimit.fmt(f),
        }
    }
}

impl core::error::Error for FindError {}

impl From<CaptureLimit> for FindError {
    fn from(_: CaptureLimit) -> Self {
        Self::Limit
    }
}
