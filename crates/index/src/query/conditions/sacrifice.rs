//! Sacrifices: pieces that the side to move gives, and may win back.

use std::fmt;

/// A condition on the next plies: the side to move loses pieces, and may win them back.
///
/// Pieces are counted as men and kings alike. Let `d` be the pieces of the side to move less those of its opponent, at
/// the position in question. A sacrifice begins there if the difference is at most `d - given` at some position within
/// the next `within` plies. It is *regained* if the difference is `d` or more again at a later position, within the
/// same plies.
///
/// ```
/// use pdn_index::query::Query;
/// use pdn_index::internal::query::Sacrifice;
///
/// let sacrifice = Sacrifice { given: 2, within: 8, regained: Some(true) };
/// assert_eq!(Query::sacrifice(sacrifice), Query::parse("sacrifice 2 within 8 regained").unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sacrifice {
    /// The least number of pieces given.
    pub given: u8,
    /// The number of plies that are looked at.
    pub within: u32,
    /// Whether the pieces are won back; `None` for either.
    pub regained: Option<bool>,
}

impl fmt::Display for Sacrifice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sacrifice {} within {}", self.given, self.within)?;
        f.write_str(match self.regained {
            Some(true) => " regained",
            Some(false) => " lost",
            None => "",
        })
    }
}
