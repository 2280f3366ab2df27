//! Options of `pdn convert`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use pdn::board::SquareNaming;
use pdn::notation::MoveStyle;
use pdn::write::{Profile, Strip};

use super::filter::SelectionArgs;
use super::number::number;
use super::shared::InputArgs;
use pdn_app::numbers::parse_size;

pub(super) const AFTER_HELP: &str = "\
Writes games of any archives as one clean archive: UTF-8, canonical PDN 3.0, one empty line between games, in the order of \
the input. Read again, it gives the same tags, moves, comments, variations, NAGs and results. PATH is a file, folder or `-`, \
or one folder of an index.

A game that cannot be written without losing or changing something is rejected: one with an illegal move, for example. \
`--rejects FILE` takes such games, byte for byte; without it they are only counted, by reason. Games that the filters \
leave out go to `--others FILE`. Every game that was read is written, rejected or left out, and the summary adds up.

A game without a GameType tag gets one if its variant is known, because it may stand among games of another variant now; the \
summary counts those that were inferred. `--keep-untagged` adds none.

Filters on positions, files and other tags, and `then` and `for` in --query, take an index: for other input one is made in a \
temporary folder. All filters see the games as they are read, before repairs.

--sort and --shuffle use temporary files beyond --memory. Names and events are compared without case, accents and \
punctuation. Unknown values come last, and games with equal keys keep their order.

Files are written under a temporary name and renamed when all games are written. An input is never overwritten.

Exit codes: 0 if no game is lost; 1 if games were rejected and --rejects is not given, or no game was written; 2 if an \
input cannot be read or a file cannot be written.

Examples: `pdn convert old/ -o clean.pdn --rejects bad.pdn`, `pdn convert games.pdn --player sijbrands --fix --sort date \
-o sijbrands.pdn`, `pdn convert all.pdn --split year,variant -o years`.";

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// File for the games, or with --split a folder; `-` for standard output [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace output files that exist
    #[arg(long)]
    pub(crate) force: bool,

    /// File for games that cannot be written, byte for byte as they are
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    /// File for games that are left out by filters, --sample and --limit, byte for byte as they are
    #[arg(long, value_name = "FILE")]
    pub(crate) others: Option<PathBuf>,

    /// Write several files: event, year, variant, player, status, games:N or size:N; several of them, separated by
    /// commas, such as year,variant
    #[arg(long, value_name = "KEYS", value_delimiter = ',', requires = "output")]
    pub(crate) split: Vec<SplitKey>,

    /// Repair games before they are written, where the repair keeps their meaning; as `pdn fix`
    #[arg(long, help_heading = "Changes")]
    pub(crate) fix: bool,

    /// With --fix: also apply repairs that change the meaning of a damaged game
    #[arg(long = "unsafe", help_heading = "Changes", requires = "fix")]
    pub(crate) unsafe_repairs: bool,

    /// Change players, events and sites to the names that this file lists, which `pdn names` wrote and you have read
    #[arg(long, value_name = "MAP", help_heading = "Changes")]
    pub(crate) names: Option<PathBuf>,

    /// Parts to leave out: comments, nags, variations, clocks; `setups` refuses games with setups in the movetext
    #[arg(
        long,
        value_name = "PARTS",
        help_heading = "Changes",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) strip: Strip,

    /// Names of squares [default: those of the game type]
    #[arg(long, value_name = "NAMES", help_heading = "Changes")]
    pub(crate) notation: Option<NotationName>,

    /// How captures are written [default: short]
    #[arg(long, value_name = "FORM", help_heading = "Changes")]
    pub(crate) captures: Option<CaptureForm>,

    /// Program that the games are for: pdn3, lidraughts, turbo-dambase, checkerboard, dam or plain
    #[arg(long = "for", value_name = "PROGRAM", help_heading = "Changes")]
    pub(crate) profile: Option<Profile>,

    /// Maximum length of a line of moves in bytes, 0 for one line per game [default: that of the program, else 79]
    #[arg(long, value_name = "N", help_heading = "Changes")]
    pub(crate) width: Option<usize>,

    /// Tags to add: PlyCount, and GameType also for games whose variant is only assumed
    #[arg(long, value_name = "TAGS", value_delimiter = ',', help_heading = "Changes")]
    pub(crate) add: Vec<ConvertTag>,

    /// Add no GameType tag to games without one
    #[arg(long, help_heading = "Changes")]
    pub(crate) keep_untagged: bool,

    /// Order of the games: date, event, site, round, white, black, rating, plies, variant;
    /// several, separated by commas; `-` before a key reverses it
    #[arg(
        long,
        value_name = "KEYS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Order"
    )]
    pub(crate) sort: Vec<SortKey>,

    /// Random order, the same for the same seed
    #[arg(long, value_name = "SEED", conflicts_with = "sort", help_heading = "Order", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) shuffle: Option<u64>,

    /// Write at most this many games, the first ones of the order; 0 for no limit
    #[arg(long, value_name = "N", help_heading = "Order", default_value = "0", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) limit: u64,

    /// Write this many games, chosen at random
    #[arg(long, value_name = "N", help_heading = "Order", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) sample: Option<usize>,

    /// Seed of the random choice of --sample
    #[arg(long, value_name = "N", default_value = "1", requires = "sample", help_heading = "Order", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Memory for --sort, --shuffle and --sample, such as 64M; games beyond it go to temporary files
    #[arg(long, value_name = "SIZE", default_value = "128M", help_heading = "Order", value_parser = parse_size)]
    pub(crate) memory: u64,

    /// Print the summary as JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,

    /// Print no summary
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

/// A kind of square names.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotationName {
    /// Numbers: 32-28
    Numeric,
    /// Letters and numbers: c3-d4
    Algebraic,
}

impl From<NotationName> for SquareNaming {
    fn from(name: NotationName) -> Self {
        match name {
            NotationName::Numeric => Self::Numeric,
            NotationName::Algebraic => Self::Algebraic,
        }
    }
}

/// How captures are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CaptureForm {
    /// First and last square; all squares if another capture has the same
    Short,
    /// All squares
    Full,
    /// First and last square; if another capture has the same, the captured squares follow: 47x36 <42,29>
    #[value(name = "3.1")]
    Captured,
}

impl From<CaptureForm> for MoveStyle {
    fn from(form: CaptureForm) -> Self {
        match form {
            CaptureForm::Short => Self::Shortest,
            CaptureForm::Full => Self::Chain,
            CaptureForm::Captured => Self::Captured,
        }
    }
}

/// A tag that `pdn convert` adds.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConvertTag {
    /// Number of plies
    #[value(name = "PlyCount", alias = "plycount")]
    PlyCount,
    /// Variant of the game, also if it is only assumed
    #[value(name = "GameType", alias = "gametype")]
    GameType,
}

/// A key by which games are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SortKey {
    pub(crate) field: SortField,
    pub(crate) descending: bool,
}

/// What games are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SortField {
    Date,
    Event,
    Site,
    Round,
    White,
    Black,
    /// Sum of both ratings, if both are known.
    Rating,
    Plies,
    Variant,
}

impl FromStr for SortKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, descending) = match text.trim().strip_prefix('-') {
            Some(name) => (name, true),
            None => (text.trim(), false),
        };
        let field = match name.to_ascii_lowercase().as_str() {
            "date" => SortField::Date,
            "event" => SortField::Event,
            "site" => SortField::Site,
            "round" => SortField::Round,
            "white" => SortField::White,
            "black" => SortField::Black,
            "rating" => SortField::Rating,
            "plies" => SortField::Plies,
            "variant" => SortField::Variant,
            _ => {
                return Err(
                    "expected date, event, site, round, white, black, rating, plies or variant".to_owned()
                );
            }
        };
        Ok(Self { field, descending })
    }
}

/// What decides which file a game is written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SplitKey {
    Event,
    Year,
    Variant,
    /// Both players: a game is written to two files.
    Player,
    Status,
    /// The next file begins after this many games.
    Games(u64),
    /// The next file begins before it would have more than this many bytes.
    Size(u64),
}

impl FromStr for SplitKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim().split_once(':') {
            Some(("games", count)) => Self::Games(number::<u64>(1..=u64::MAX)(count)?),
            Some(("size", size)) => Self::Size(parse_size(size)?),
            None if text == "event" => Self::Event,
            None if text == "year" => Self::Year,
            None if text == "variant" => Self::Variant,
            None if text == "player" => Self::Player,
            None if text == "status" => Self::Status,
            _ => {
                return Err("expected event, year, variant, player, status, games:N or size:N".to_owned());
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_parsed_with_their_direction_and_size() {
        assert_eq!("-Date".parse(), Ok(SortKey { field: SortField::Date, descending: true }));
        assert_eq!("white".parse(), Ok(SortKey { field: SortField::White, descending: false }));
        assert!("colour".parse::<SortKey>().is_err_and(|error| error.starts_with("expected date, event")));
        assert_eq!("games:1000".parse(), Ok(SplitKey::Games(1000)));
        assert_eq!("size:2M".parse(), Ok(SplitKey::Size(2 << 20)));
        for wrong in ["games", "games:0", "size:0", "size:x", "colour", "year:1"] {
            assert!(wrong.parse::<SplitKey>().is_err(), "{wrong}");
        }
    }
}
