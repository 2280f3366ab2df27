//! Typed values that PDN text carries: colours, results, dates, positions as text, game types, clocks.
//!
//! Vocabulary shared by the text side and the rules side; it knows neither grammar nor rules.

mod colour;
mod error;
mod fen;
mod result_format;
mod game_type;
mod result;
mod date;
mod time;
mod time_control;
mod round;
mod rating;
mod nag;
mod command;
mod entity;
mod tags;

pub use colour::Colour;
pub use command::{
    Clock, Clocks, CommandError, CommandErrorKind, CommandValue, CommentPart, CommentParts, EmbeddedCommand,
};
pub use date::{Date, DateError, DateErrorKind, DateForm, ReadDate};
pub use entity::{decode_entities, has_entities};
pub use error::{UnexpectedByte, ValueError};
pub use fen::{Fen, FenError, FenErrorKind, FenForm, FenForms, FenPiece, FenSquare, FenWriter};
pub use game_type::{
    Corner, GAME_TYPES, GameType, GameTypeAttributes, GameTypeError, GameTypeErrorKind, GameTypeRow,
    GameTypeStatus, Notation, NotationStyle,
};
pub use nag::{MoveStrength, Nag, NagError, NagErrorKind, NagMeaning};
pub use rating::{Rating, RatingError, RatingErrorKind};
pub use result::{GameResult, Outcome, Points};
pub use result_format::ResultFormat;
pub use round::{Round, RoundError, RoundErrorKind};
pub use tags::{RecognisedTag, TagKind, TagName, TagSpelling};
pub use time::{ClockTime, TimeError, TimeErrorKind, TimeOfDay};
pub use time_control::{Stages, TimeControl, TimeControlError, TimeControlErrorKind, TimeControlStage};
