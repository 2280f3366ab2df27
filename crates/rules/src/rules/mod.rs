//! Rules as data: one row per variant and one field per axis, each with its source.
//!
//! `Rules` say what may move, capture and promote; a numbering gives the names of the squares and the side that starts.
//! [`GameRules`] are one of each, and a [`Variant`] is a named game of the GameType table. Where sources disagree about the
//! rules, the other reading is a change of one field of `Rules`, which are public with the feature `unstable`; every function
//! of the library then plays by it.
//!
//! ```
//! use pdn_rules::rules::Variant;
//!
//! assert_eq!("frisian".parse(), Ok(Variant::Frisian));
//! assert_eq!("25".parse(), Ok(Variant::Russian));
//! ```
//!
//! No moves are generated here; [`movegen`](crate::movegen) reads the fields.

mod draws;
mod axes;
mod table;
mod variant;
mod lookup;
mod parse_variant;
mod ruleset;

pub use draws::DrawReason;
pub use parse_variant::ParseVariantError;
pub use variant::{GameRules, Variant};

unstable! {
    use axes::{
        Ending, ItalianOrder, KingLanding, KingValue, MidPromotion, Movement, Precedence, Removal, Rules,
        SetupError, StartSetup,
    };
    use draws::{DrawRule, EndingMaterial};
    use lookup::LookupError;
    use ruleset::{BitsOf, Custom, Ruleset, WithRules, rows};
}
