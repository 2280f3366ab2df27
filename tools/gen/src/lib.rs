//! Archives of plausible draughts games, in every variant, of any size, the same bytes every time.
//!
//! Useful for benchmarks that must not depend on files whose rights are unclear, for tests that need a known truth
//! about a large archive, and for archives that are broken in known ways. Not useful as a source of good games, and
//! not a sample of what people play: whoever wants to know that needs real archives.
//!
//! ```
//! use pdn::rules::Variant;
//! use pdn_gen::{Amount, Options, Share, generate};
//!
//! let options = Options {
//!     comments: Share::percent(20),
//!     damage: Share::percent(1),
//!     ..Options::new(Amount::Bytes(100_000), &[Variant::International, Variant::Russian])
//! };
//! let mut archive = Vec::new();
//! let manifest = generate(&options, &mut archive)?;
//! println!("{} plies in {} games", manifest.total.plies, manifest.total.games);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # How
//!
//! Sixty games make an event with its players, days, rounds and its way of writing; an event is a function of the seed
//! and its number, a game of the seed and its own, so threads share nothing. Games begin with moves of a theory: each
//! position has an order of popularity that depends on the position alone, and moves are drawn from it by
//! Zipf's law. Then the best move is chosen by material after all forced captures, squares and some noise, and looked
//! at a second time with every reply, unless the rating of the player lets that be forgotten. Players resign, agree to
//! draws, and a few go on to the end. No floating point decides anything.
//!
//! # What comes out, beside real archives
//!
//! A row a source; `measure` in the examples prints it. Plies a game: mean, and what 10, 50 and 90 games of a hundred
//! stay under. Of a hundred plies: captures, captures of two pieces and more, crownings. Of a hundred games: those in
//! which a man is crowned, draws, those with the most popular first ply. Openings: different first eight plies
//! a hundred games, which falls with the number of games.
//!
//! ```text
//! source                       games  plies             captures  two+  crowned  kings  draws  first  openings
//! @TABLE@
//! ```
//!
//! Drawn games are rarer than among masters and short games more common, because players who see two plies blunder; in all else generated
//! archives lie within the spread of the real ones. Lengths of variants without a real archive at hand are guesses.
//!
//! # Cost
//!
//! @COST@
//!
//! # Dialects
//!
//! `clean` is PDN 3.0 as its writing grammar has it, with the results of the game type's system. `mixed` gives each
//! event its own habits: CRLF, `1.32-28`, endless lines or a line a pair, full chains, `05-10`, `C3-D4`,
//! numbers in an algebraic game, `x` for every move, `:` or `x` against the rules of the variant, `*` or nothing at the end
//! of games, no empty line behind the tags, and seven spellings of a name. All of it can be understood without
//! guessing.

mod damage;
mod event;
mod generate;
mod line;
mod manifest;
mod measure;
mod options;
mod people;
mod play;
mod random;
mod remarks;
mod search;
mod style;
mod temper;
mod write;

pub use damage::{Damage, DamageKind};
pub use generate::generate;
pub use manifest::{Counts, Manifest};
pub use measure::{Figures, measure};
pub use options::{Amount, Dialect, Options};
pub use random::Share;
