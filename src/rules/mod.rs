//! Rules as data: one row a variant, one field an axis, each with its source.
//!
//! Two axes are kept apart. [`Rules`] say what may move, capture and promote; a [`Numbering`] says what squares
//! are called and who starts. A [`GameRules`] is one of each, and a [`Variant`] names the games of the GameRulesType table.
//! Where sources disagree, the other reading is one field: take a row, change the field, and every function of
//! the library plays by it.
//!
//! ```
//! use pdn::rules::{GameRules, MidPromotion, Variant};
//!
//! let mut turkish: GameRules = Variant::Turkish.game();
//! turkish.rules.movement.mid_promotion = MidPromotion::Stops;
//! ```
//!
//! This module plays nothing; [`movegen`](crate::movegen) reads the fields.

mod draws;
mod axes;
mod table;
mod variant;
mod lookup;
mod parse_variant;
mod ruleset;

pub use axes::{
    Ending, ItalianOrder, KingLanding, KingValue, MidPromotion, Movement, Precedence, Removal, Rules,
    StartSetup,
};
pub use draws::{DrawReason, DrawRule, EndingMaterial};
pub use lookup::LookupError;
pub use parse_variant::ParseVariantError;
pub use ruleset::{BitsOf, Custom, Ruleset, WithRules, rows};
pub use variant::{GameRules, Variant};

pub use crate::board::{Numbering, SquareNaming};
