//! Generates archives of plausible draughts games in every variant, of any size; the same seed gives the same bytes.
//!
//! The archives serve benchmarks that must not depend on files of unclear copyright, tests that need to know the contents of
//! a large archive, and tests with known damage. They are neither good games nor a sample of what people play; studies of
//! that need real archives.
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
//! Sixty games form an event with its own players, days, rounds and style of writing. An event is a function of the seed and
//! its number, and a game of the seed and its number, so that threads share nothing. The first moves are drawn as often as
//! people play them in the same position, from counted frequencies of real games. Where none are known, they come from an
//! opening theory: each position ranks its moves, those to the centre first, and a move is drawn by Zipf's
//! law. Later moves are chosen by material after all forced captures, by squares and by some noise. A second look at every
//! reply follows, unless the player's rating lets it be skipped. Players resign and agree to draws; a few play to the end.
//! No decision depends on floating point.
//!
//! # Comparison with real archives
//!
//! One row per source, as printed by the example `measure`. Plies per game: mean, and the 10th, 50th and 90th percentile. In
//! percent of plies: captures, captures of two or more pieces, promotions. In percent of games: games with a promotion,
//! draws, games with the most popular first ply. Openings: different sequences of eight first plies per hundred games, which
//! decreases with the number of games.
//!
//! ```text
//! source                                 games  plies                captures  two+ crowned kings draws first openings
//! World championship 2003, International    23  103.5 (81-100-131)       26.6   2.2     0.5    30    74    57       96
//! Polish team championship                  82  105.2 (80-106-125)       25.6   2.5     1.1    60    43    52       84
//! Open du Léman                            147  106.5 (76-110-136)       24.8   2.6     1.1    65    33    57       71
//! generated International                 4000  105.1 (68-105-142)       26.1   2.1     1.1    64    26    52       39
//! ACF archive, English                    4689  49.3 (33-47-69)          26.2   2.3     2.8    61    58    22       34
//! Tinsley's games, English                 724  49.8 (34-47-69)          26.7   2.5     2.7    59    74    24       53
//! generated English                       4000  51.5 (31-45-79)          26.0   2.2     3.4    70    63    21       36
//! Soviet championships, Russian            153  57.0 (43-55-72)          27.1   2.3     1.5    44    73    65       56
//! generated Russian                       4000  54.5 (35-54-74)          29.2   2.1     1.7    60    32    59       25
//! server, Brazilian                         25  47.1 (33-43-63)          28.9   3.7     1.8    60     0    52       56
//! generated Brazilian                     4000  54.0 (35-53-73)          29.4   2.3     1.8    60    32    51       29
//! Czech qualification 2000                  40  48.8 (34-50-61)          30.6   3.4     3.4    85    25    78       93
//! generated Czech                         4000  54.5 (36-52-76)          29.2   1.8     2.8    80    29    78       29
//! server, Antidraughts                      25  55.3 (7-53-98)           35.0   5.7     1.5    68     0    48       95
//! generated Antidraughts                  4000  48.0 (20-40-91)          34.6   6.0     0.8    29     3    46       26
//! ```
//!
//! Draws are rarer and short games more common than among masters, because players who look two plies ahead blunder. All
//! other figures are close to those of real archives. Equal positions are shared by about as many games as in real archives of
//! the same size: after 2, 4, 6, 8, 10 plies by 7.7, 3.3, 2.0, 1.5, 1.2 of 389 International games (generated: 9.2, 3.6, 2.0,
//! 1.5, 1.2), and by 118, 16, 6.8, 4.5, 3.1 of 5,410 English ones (generated: 120, 17, 6.1, 3.7, 2.5). Lengths of variants
//! without an available real archive are estimates.
//!
//! # Cost
//!
//! Megabytes of clean text per second of processor time, on one core of a loaded machine: International 12.8, Breakthrough 15.5,
//! Antidraughts 23, Frisian 10.9, Frysk! 18, Canadian 7.6, English 22, Italian 21, pool 20, Spanish 17, Russian 17,
//! Brazilian 20, Czech 18, Thai 20, Turkish 9.6, Spantsiretti 12.5. That is less than a microsecond per ply. A gigabyte of
//! International (986,000 games, 101 million plies) takes 83 seconds of processor time, shared by the threads, and 14 MB of memory.
//! `cargo bench -p pdn-gen` repeats the measurement.
//!
//! # Dialects
//!
//! `clean` is the writing grammar of PDN 3.0, with the result system of the game type. `mixed` gives each event its own
//! style: CRLF, `1.32-28`, unlimited lines or one line per pair of plies, captures with all squares, `05-10`, `C3-D4`, numbers
//! in an algebraic game, `x` for every move, `:` or `x` other than the variant's, `*` or nothing as terminator, no empty line
//! after the tags, and seven spellings of a name. All of it is unambiguous.
//!
//! Each of the others is one habit of real files: `old`, `padded`, `colons`, `glued`, `prose`, `dates`, and `latin1`, `cp437`, `cp850`,
//! `baltic` and `mac` for encodings. With the same seed they have the games of `clean`, which is the truth to compare a reader
//! with; [`Dialect::writable`] gives the names as an encoding can write them. `latin2`, `cp1250`, `cp852`, `cp1251`, `koi8r` and `cp866` have
//! players with names of their lands; the truth for these is `clean` with the same [`NameSet`].

mod random;
mod options;
mod people;
mod carrier;
mod style;
mod event;
mod manifest;
mod wrap;
mod openings;
mod search;
mod temper;
mod play;
mod remarks;
mod write;
mod generate;
mod measure;

pub use crate::manifest::{Damage, DamageKind};
pub use generate::generate;
pub use manifest::{Counts, Manifest};
pub use measure::{Figures, measure};
pub use options::{Amount, Dialect, NameSet, Options};
pub use random::Share;
