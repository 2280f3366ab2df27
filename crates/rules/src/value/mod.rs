//! Typed values of the text: colours, positions as text, game types, and spans.
//!
//! A method called `parse` returns the value itself. With the feature `serde` most types are serialised as the text that PDN
//! has for them.
//!
//! ```
//! use pdn_rules::value::{Colour, Fen, GameType};
//!
//! let fen = Fen::parse(b"W:W31-50:B1-20")?;
//! assert_eq!((fen.turn(), fen.len()), (Some(Colour::White), 40));
//! let game_type: GameType = "20".parse()?;
//! assert_eq!(game_type.name(), Some("International draughts"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod span;
pub(crate) mod error;
mod colour;
pub(crate) mod separator;
pub(crate) mod fen;
pub(crate) mod result_format;
pub(crate) mod game_type;
#[cfg(feature = "serde")]
pub(crate) mod text_form;

pub use colour::Colour;
pub use error::{UnknownName, ValueError};
pub use fen::{Fen, FenStyle};
pub use game_type::GameType;
pub use span::Span;

pub(crate) use fen::{FenPiece, FenSquare, FenWriter};
pub(crate) use game_type::{Corner, GameTypeAttributes, NotationStyle, draughts_games};
pub(crate) use separator::{is_separator, separator_len};
