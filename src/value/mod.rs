//! Typed values that PDN text carries: colours, results, dates, positions as text, game types, clocks.
//!
//! Vocabulary shared by the text side and the rules side; it knows neither grammar nor rules.

mod colour;
mod error;
mod fen;
mod result_format;
mod game_type;

pub use colour::Colour;
pub use error::{Found, ValueError};
pub use fen::{Fen, FenError, FenErrorKind, FenForm, FenForms, FenPiece, FenSquare, FenWriter};
pub use game_type::{
    Attributes, Corner, GAME_TYPES, GameType, GameTypeError, GameTypeErrorKind, GameTypeRow, GameTypeStatus,
    Notation, NotationStyle,
};
pub use result_format::ResultFormat;
