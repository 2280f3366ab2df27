//! The reasons why a written move is not one legal move.

use core::fmt;

use super::capture_search::CaptureLimit;

/// The reason why a written move is not one legal move.
///
/// ```
/// use pdn_rules::internal::movegen::FindError;
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::Italian, "B:W6,7,14,15:B3")?;
/// let names = Variant::Italian.names();
/// let (from, to) = (names.of_number(3).unwrap(), names.of_number(19).unwrap());
/// assert_eq!(position.find(from, to, &[]), Err(FindError::Ambiguous), "over 10 or over 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

#[doc(hidden)]
impl From<CaptureLimit> for FindError {
    fn from(_: CaptureLimit) -> Self {
        Self::Limit
    }
}
