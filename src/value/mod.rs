//! Typed values of PDN text: colours, results, dates, positions as text, game types, clocks.
//!
//! The text side and the rules side share these types, which depend neither on the grammar nor on rules. A method
//! called `parse` returns the value itself; `read` returns more: [`Date::read`] the form of the date too,
//! [`Rating::read`] `None` for a player without a rating. With the feature `serde` most types are serialised as the
//! text that PDN has for them.
//!
//! ```
//! use pdn::value::{Date, GameType, Round};
//!
//! let date: Date = "2007.05.??".parse()?;
//! assert_eq!((date.year(), date.day()), (Some(2007), None));
//! let game_type: GameType = "20".parse()?;
//! assert_eq!(game_type.name(), Some("International draughts"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// What is wrong with a value.
pub(crate) mod error {
    pub(crate) use pdn_rules::internal::value::{Problem, UnexpectedByte, span, trimmed};
    pub(crate) use pdn_rules::value::ValueError;
}
mod result;
mod verdict;
pub(crate) mod date;
pub(crate) mod time;
mod time_control;
pub(crate) mod round;
mod rating;
pub(crate) mod nag;
mod clock;
pub(crate) mod command;
pub(crate) mod move_commands;
mod entity;
pub(crate) mod tags;
mod sides;
pub(crate) mod unknown;
pub(crate) mod score;
#[cfg(feature = "serde")]
mod text_form;

pub use clock::{Clock, Clocks};
pub use command::{CommandValue, EmbeddedCommand};
pub use date::{Date, DateOrders, ReadDate};
pub use entity::{decode_entities, has_entities};
pub use nag::{MoveStrength, Nag};
pub(crate) use pdn_rules::internal::value::separator_len;
#[doc(inline)]
pub use pdn_rules::value::{Colour, Fen, FenStyle, GameType, ValueError};
pub use rating::Rating;
pub(crate) use result::ResultWeight;
pub use result::{GameResult, Outcome, Points};
pub use round::Round;
pub use sides::ScoreOrder;
pub use tags::{TagKey, TagName};
pub use time::ClockTime;
pub use time_control::{Stages, TimeControl, TimeControlStage};
pub(crate) use verdict::Verdict;

pub(crate) use command::{CommentPart, CommentParts};
pub(crate) use date::DateForm;
pub(crate) use pdn_rules::internal::value::{
    FenForm, FenPiece, FenSquare, FenWriter, GameTypeStatus, NotationStyle, ResultFormat,
};
pub(crate) use sides::{NamedSides, is_of_starter, is_red, other_side};
pub(crate) use tags::{RecognisedTag, TagKind, TagSpelling};
pub(crate) use time::TimeOfDay;
