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

mod result;
mod date;
mod time;
mod time_control;
mod round;
mod rating;
mod nag;
mod clock;
mod command;
mod entity;
mod tags;
#[cfg(feature = "serde")]
mod text_form;

use pdn_rules::value::error;
pub(crate) use pdn_rules::value::separator_len;
#[doc(inline)]
pub use pdn_rules::value::{
    Colour, Corner, Fen, FenError, FenErrorKind, FenForm, FenForms, FenPiece, FenSquare, FenWriter,
    GAME_TYPES, GameType, GameTypeAttributes, GameTypeError, GameTypeErrorKind, GameTypeRow, GameTypeStatus,
    Notation, NotationStyle, ResultFormat, UnexpectedByte, ValueError,
};

pub use clock::{Clock, Clocks, CommandError, CommandErrorKind};
pub use command::{CommandValue, CommentPart, CommentParts, EmbeddedCommand};
pub use date::{Date, DateError, DateErrorKind, DateForm, ReadDate};
pub use entity::{decode_entities, has_entities};
pub use nag::{MoveStrength, Nag, NagError, NagErrorKind, NagMeaning};
pub use rating::{Rating, RatingError, RatingErrorKind};
pub(crate) use result::ResultWeight;
pub use result::{GameResult, Outcome, Points};
pub use round::{Round, RoundError, RoundErrorKind};
pub use tags::{RecognisedTag, TagKey, TagKind, TagName, TagSpelling};
pub use time::{ClockTime, TimeError, TimeErrorKind, TimeOfDay};
pub use time_control::{Stages, TimeControl, TimeControlError, TimeControlErrorKind, TimeControlStage};
