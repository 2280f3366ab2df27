//! Rules as data: one row per variant and one field per axis, each with its source.
//!
//! `Rules` say what may move, capture and promote; a numbering gives the names of the squares and the side that starts.
//! [`GameRules`] are one of each, and a [`Variant`] is a named game of the GameType table. Where sources disagree about the
//! rules, the other reading is a change of one field of `Rules`, which the hidden module `internal` shows; every function
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

pub(crate) mod draws;
pub(crate) mod axes;
mod table;
mod variant;
pub(crate) mod lookup;
mod parse_variant;
pub(crate) mod ruleset;

pub use draws::DrawReason;
pub use parse_variant::ParseVariantError;
pub use variant::{GameRules, Variant};

pub(crate) use axes::{
    Ending, ItalianOrder, KingLanding, KingValue, MidPromotion, Movement, Precedence, Removal, Rules,
    StartSetup,
};
pub(crate) use draws::DrawRule;
pub(crate) use ruleset::{BitsOf, Custom, Ruleset, WithRules};
