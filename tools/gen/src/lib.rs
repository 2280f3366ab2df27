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
//! source                                 games  plies                captures  two+ crowned kings draws first openings
//! World championship 2003, International    23  103.5 (81-100-131)       26.6   2.2     0.5    30    74    57       96
//! Polish team championship                  82  105.2 (80-106-125)       25.6   2.5     1.1    60    43    52       84
//! Open du Léman                            147  106.5 (76-110-136)       24.8   2.6     1.1    65    33    57       71
//! generated International                 4000  102.4 (56-104-141)       25.9   2.4     1.1    62    25    53       55
//! ACF archive, English                    4689  49.3 (33-47-69)          26.2   2.3     2.8    61    58    22       34
//! Tinsley's games, English                 724  49.8 (34-47-69)          26.7   2.5     2.7    59    74    24       53
//! generated English                       4000  50.8 (30-45-78)          26.3   2.0     3.2    68    65    28       59
//! Soviet championships, Russian            153  57.0 (43-55-72)          27.1   2.3     1.5    44    73    65       56
//! generated Russian                       4000  53.3 (32-53-73)          29.3   2.5     1.9    64    24    58       36
//! server, Brazilian                         25  47.1 (33-43-63)          28.9   3.7     1.8    60     0    52       56
//! generated Brazilian                     4000  53.4 (32-53-73)          29.1   2.7     1.9    63    24    58       36
//! Czech qualification 2000                  40  48.8 (34-50-61)          30.6   3.4     3.4    85    25    78       93
//! generated Czech                         4000  53.6 (34-52-75)          28.8   2.3     2.8    80    24    58       35
//! server, Antidraughts                      25  55.3 (7-53-98)           35.0   5.7     1.5    68     0    48       95
//! generated Antidraughts                  4000  46.0 (18-39-89)          35.4   6.2     0.9    31     3    53       25
//! ```
//!
//! Drawn games are rarer than among masters and short games more common, because players who see two plies
//! blunder; in the rest generated archives are near the real ones. Lengths of variants without a real archive at hand are guesses.
//!
//! # Cost
//!
//! Megabytes of clean text a second of processor time, on one core of a loaded machine: International 12.8, Breakthrough 15.5,
//! Antidraughts 23, Frisian 10.9, Frysk! 18, Canadian 7.6, English 22, Italian 21, pool 20, Spanish 17, Russian 17,
//! Brazilian 20, Czech 18, Thai 20, Turkish 9.6, Spantsiretti 12.5. That is under a microsecond a ply. A gigabyte of
//! International (986,000 games, 101 million plies) takes 83 seconds of processor time, shared by the threads, and 14 MB of memory.
//! `cargo bench -p pdn-gen` measures it anew.
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
