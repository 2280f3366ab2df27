//! Typed values that PDN text carries: colours, results, dates, positions as text, game types, clocks.
//!
//! Vocabulary shared by the text side and the rules side; it knows neither grammar nor rules.

mod colour;

pub use colour::Colour;
