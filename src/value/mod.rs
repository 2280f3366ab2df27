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
mod move_commands;
mod entity;
mod tags;
mod unknown;
mod score;
#[cfg(feature = "serde")]
mod text_form;

pub use clock::{Clock, Clocks};
pub use command::{CommandValue, EmbeddedCommand};
pub use date::{Date, DateOrders, ReadDate};
pub use entity::{decode_entities, has_entities};
pub use nag::{MoveStrength, Nag};
use pdn_rules::value::error;
pub(crate) use pdn_rules::value::separator_len;
#[doc(inline)]
pub use pdn_rules::value::{Colour, Fen, GameType, ValueError};
pub use rating::Rating;
pub(crate) use result::ResultWeight;
pub use result::{GameResult, Outcome, Points};
pub use round::Round;
pub use tags::{TagKey, TagName};
pub use time::ClockTime;
pub use time_control::{Stages, TimeControl, TimeControlStage};

unstable! {
    use command::{CommentPart, CommentParts};
    use date::DateForm;
    use move_commands::MoveCommands;
    use nag::NagMeaning;
    use pdn_rules::value::{
        Corner, FenForm, FenForms, FenPiece, FenSquare, FenWriter, GAME_TYPES, GameTypeAttributes, GameTypeRow,
        GameTypeStatus, Notation, NotationStyle, ResultFormat,
    };
    use score::{Score, Tally};
    use tags::{RecognisedTag, TagKind, TagSpelling};
    use time::TimeOfDay;
    use unknown::is_unknown;
}
