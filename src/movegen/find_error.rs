//! The reasons why a written move is not one legal move.

use std::fmt;

use super::capture_search::CaptureLimit;

/// Why a written move is not one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum FindError {
    /// No legal move goes there.
    Illegal,
    /// A legal move goes there, but none over the squares that are written.
    OtherPath,
    /// Several captures go there, and the squares that are written do not tell them apart.
    Ambiguous,
    /// The captures of this position are too many to be searched.
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

impl std::error::Error for FindError {}

impl From<CaptureLimit> for FindError {
    fn from(_: CaptureLimit) -> Self {
        Self::Limit
    }
}
