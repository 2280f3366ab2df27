//! The command line. Help, completions and man pages all come from these definitions.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pdn::rules::{GameRules, Variant};
use pdn::source::{Encoding, MapMode};
use pdn::value::GameType;

use crate::bench::Stage;
use crate::filter::FilterArgs;
use crate::find::{FIND_HELP, FindArgs};

/// Check, count and explain archives of draughts games (PDN); positions and moves of every variant.
#[derive(Parser, Debug)]
#[command(name = "pdn", version, about, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 findings, 2 usage or unreadable input. A pipe that closes early is no error."
)]
pub(crate) struct Cli {
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Report everything that is wrong, where, and how bad it is
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Count games by variant, result, length, tags and encoding
    Stats(StatsArgs),
    /// Replay every game and boil the archive down to an index
    #[command(visible_alias = "import", after_help = INDEX_HELP)]
    Index(IndexArgs),
    /// Put the segments of an index together into as few as possible
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
    /// Find games in an index by players, results, positions, material and manoeuvres
    #[command(after_help = FIND_HELP)]
    Find(Box<FindArgs>),
    /// Check that an index is whole and its archives still are what they were
    Verify(VerifyArgs),
    /// Show what was played in a position, and how those games ended
    #[command(after_help = TREE_HELP)]
    Tree(Box<TreeArgs>),
    /// Show a game of an archive or an index, or a position, with its board in the terminal or as an SVG picture
    #[command(after_help = SHOW_HELP)]
    Show(ShowArgs),
    /// List the legal moves of a position
    Moves(MovesArgs),
    /// Count the sequences of legal moves from a position: the proof that the rules are right
    Perft(PerftArgs),
    /// Measure every stage on an archive, beside a floor, on one thread and on more
    #[command(after_help = BENCH_HELP)]
    Bench(BenchArgs),
    /// Explain a diagnostic code, or list all of them
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all subcommands to a folder
    Man(ManArgs),
}

const CHECK_HELP: &str = "\
Every game is replayed by the rules of its variant: the one its GameType tag names, else the one of --variant, else \
the one inferred from the file. It counts as legal if all moves of its main line are, as illegal or ambiguous if one is \
not, as damaged if the text is lost where the replay stops, as empty if it has no move, and as unsupported if it is not \
draughts. Plies are the legal ones. Illegal moves in variations are warnings and change nothing of that; in records of \
more than 256 KiB variations are not judged.

With --no-replay the text alone is checked: a game counts as damaged if it has a finding of severity `error`, plies are \
the moves written, and `legal`, `illegal` and `ambiguous` are 0.

Lines and columns count from 1, columns in characters; offset and length count bytes.";

const INDEX_HELP: &str = "\
Every record becomes a game of the index, whatever is wrong with it; those that could not be replayed to their end are \
also listed in DIR/rejects.jsonl, which is no reason for another exit code than 0. What cannot be read is reported, the \
rest is indexed, and the exit code is 2.

An index that is there stays as it is until the new one is complete, whatever happens meanwhile: a kill, a full disk, \
or Ctrl-C, after which the exit code is 130.";

const MERGE_HELP: &str = "\
Every `pdn index --append` adds a segment of its own, and merges small ones by itself when there are eight of a size, so \
there is hardly ever a need for this. Games keep their numbers, and no archive is read. An index that is there stays as \
it is until the merged one is complete.";

const TREE_HELP: &str = "\
Games count if they have the position at any ply, whatever moves led to it: once for the position, and once for each \
different move that they play there. The score is that of the side to move, in percent of the points of games with a \
result. Examples are numbers for `pdn show DIR NUMBER`: of the highest rated players, then the latest.

All options under `Games` together choose the games that count, as in `pdn find`, which has the language of --query: \
`pdn tree games.idx --player ~wiersma --date 1980.. -q 'ever w-b >= 2'` for one.

The exit code is 1 if no game has the position. With tables of positions (`pdn index --positions`) a position is found at \
once in archives of any size.";

const SHOW_HELP: &str = "\
Examples: `pdn show games.pdn 17 --ply 40` shows the position after 40 plies of the 17th game, \
`pdn show --fen W:WK3:B18,24` a position, `pdn show -V russian` the start of a game.";

const BENCH_HELP: &str = "\
Stages: `floor` counts line ends with memchr, `source` opens the archive anew and touches every page of it, `split` finds \
the records, `tags` reads the tags of every game, `walk` every token, `tree` builds a tree of every game, `replay` plays \
every move by the rules, `index` writes an index to a temporary folder, which is removed. From `tags` on, splitting is part \
of the time, and in `index` opening is; nothing else is shared, and what all others look at is mapped before. Speeds are \
those of the whole archive divided by the time of the median round: plies are the legal ones of main lines, whichever \
stage it is. Games, tags, moves and plies must be the same in all stages that count them, on any number of threads; \
if not, the exit code is 1.

The archive should be as large as memory allows, a gigabyte or more, and the machine otherwise idle.";

/// What is read, and how.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders (searched for PDN files) or `-` for standard input; .gz, .zst, .bz2 and .zip are unpacked
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Encoding of the text, such as cp1251 or latin1, instead of guessing it for each game
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,

    /// Whether files may be mapped into memory; `never` is for files that others may shorten meanwhile
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) mmap: Mmap,

    /// Threads to work on [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Whether and how moves are replayed.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// Variant of games without a GameType tag, by name, GameType number or value, instead of inferring it
    #[arg(long, short = 'V', value_name = "VARIANT", value_parser = exact_variant)]
    pub(crate) variant: Option<Variant>,

    /// Look at the text only, without replaying moves; faster
    #[arg(long, conflicts_with = "variant")]
    pub(crate) no_replay: bool,
}

/// Whether files may be mapped.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mmap {
    Auto,
    Never,
}

impl From<Mmap> for MapMode {
    fn from(mmap: Mmap) -> Self {
        match mmap {
            Mmap::Auto => Self::Auto,
            Mmap::Never => Self::Never,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    /// Also report what is understood but not how PDN 3.0 says to write it
    #[arg(long)]
    pub(crate) strict: bool,

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Most findings of one code printed for one file, 0 for all; the rest is counted [default: 5 for human, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<u64>,

    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl CheckArgs {
    /// The format asked for, in either way.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How findings are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// For people: the line, the place in it, and what it means
    Human,
    /// A JSON object a line; the last one is the summary
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Folder of the index
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// Add to the index that is there; of files that it knows only what is new is read
    #[arg(long)]
    pub(crate) append: bool,

    /// Variant of games without a GameType tag, by name, GameType number or value, instead of inferring it
    #[arg(long, short = 'V', value_name = "VARIANT", value_parser = exact_variant)]
    pub(crate) variant: Option<Variant>,

    /// Keep the text of the games in the index, compressed
    #[arg(long)]
    pub(crate) embed: bool,

    /// Also make tables that say which game has which position, about 4 bytes a ply: then a position is found at once in
    /// archives of any size. An index that has tables keeps having them
    #[arg(long)]
    pub(crate) positions: bool,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// Also compare the text of every game with what was indexed; reads the archives in full
    #[arg(long)]
    pub(crate) full: bool,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TreeArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// The position after these moves, `"1. 32-28 19-23"` for one, by whatever moves it came about [default: the start]
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,

    /// The position, `W:W31-50:B1-20` for one
    #[arg(long, value_name = "FEN", conflicts_with = "moves")]
    pub(crate) fen: Option<String>,

    /// Variant, by name, GameType number or value [default: that of most games]
    #[arg(long, short = 'V', value_name = "VARIANT", value_parser = exact_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Also count the games that reach the position after a move by other ways; takes as long again for each move
    #[arg(long)]
    pub(crate) transpositions: bool,

    /// In which order
    #[arg(long, value_name = "KEY", default_value = "games")]
    pub(crate) sort: TreeSort,

    /// Most moves printed, 0 for all
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) limit: usize,

    /// Threads to work on [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The order of moves.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeSort {
    /// Most games first
    Games,
    /// Best score of the side to move first
    Score,
    /// Highest average rating first
    Rating,
    /// Latest year first
    Year,
    /// By the names of their squares
    Move,
}

/// A position by the rules of a variant.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// A variant by name, by GameType number, or by a full GameType value such as `23,W,8,8,A0,0`; international
    /// unless given
    #[arg(long, short = 'V', value_name = "VARIANT", value_parser = variant_parser())]
    pub(crate) variant: Option<Variety>,

    /// The position, `W:W31-50:B1-20` for one; without it, the start position
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Option<String>,
}

impl PositionArgs {
    /// The variant asked for.
    pub(crate) fn variety(&self) -> Variety {
        self.variant.clone().unwrap_or_else(|| {
            let variant = Variant::International;
            Variety { name: variant.name().to_owned(), game: variant.game() }
        })
    }
}

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Length of the sequences, in plies
    #[arg(long, short, value_name = "N")]
    pub(crate) depth: u32,

    /// Count for each first move
    #[arg(long)]
    pub(crate) divide: bool,

    /// Print JSON: one object, with `--divide` one a move before it
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// How captures are written
    #[arg(long, value_name = "STYLE", default_value = "shortest")]
    pub(crate) style: Style,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How captures are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// First and last square, all of them where that is ambiguous
    Shortest,
    /// All squares
    Chain,
    /// The captured squares in `<>` where first and last are ambiguous, as proposed for PDN 3.1
    Captured,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The file with the game, or the folder of an index; .gz, .zst, .bz2 and .zip are unpacked, `-` is standard input
    #[arg(value_name = "PATH", conflicts_with = "fen")]
    pub(crate) path: Option<PathBuf>,

    /// Number of the game, from 1
    #[arg(value_name = "GAME", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) number: u64,

    /// Show the position after this ply of the main line, 0 being the start [default: the last]
    #[arg(long, value_name = "N", requires = "path")]
    pub(crate) ply: Option<usize>,

    /// Encoding of the text, such as cp1251 or latin1, instead of guessing it
    #[arg(long, value_name = "NAME", requires = "path")]
    pub(crate) encoding: Option<Encoding>,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Name every square
    #[arg(long, short)]
    pub(crate) numbers: bool,

    /// Black at the bottom
    #[arg(long)]
    pub(crate) flip: bool,

    /// Letters instead of the symbols for pieces, which some fonts lack
    #[arg(long)]
    pub(crate) letters: bool,

    /// Write a picture to this file instead, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, conflicts_with = "svg")]
    pub(crate) json: bool,
}

/// A game, and what to call it.
#[derive(Clone, Debug)]
pub(crate) struct Variety {
    /// The name of the variant, or the GameType value where no variant is exactly so.
    pub(crate) name: String,
    pub(crate) game: GameRules,
}

/// Accepts what [`read_variety`] reads and offers the names.
fn variant_parser() -> impl clap::builder::TypedValueParser<Value = Variety> {
    use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
    NonEmptyStringValueParser::new().try_map(|text| read_variety(&text))
}

/// A variant that the table has, given in the same ways.
pub(crate) fn exact_variant(text: &str) -> Result<Variant, String> {
    let Variety { game, .. } = read_variety(text)?;
    Variant::from_name(text)
        .or_else(|| Variant::of_game(&game))
        .ok_or_else(|| "no variant is exactly this".to_owned())
}

/// The game that a name, a number or a GameType value stands for.
fn read_variety(text: &str) -> Result<Variety, String> {
    if let Some(variant) = Variant::from_name(text) {
        return Ok(Variety { name: variant.name().to_owned(), game: variant.game() });
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        return Err(format!("no variant has this name; there are {}", names.join(", ")));
    }
    let given = GameType::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let game = GameRules::from_attributes(given.number, given.attributes.as_ref())
        .map_err(|error| error.to_string())?;
    let name = Variant::of_game(&game).map_or_else(|| text.to_owned(), |variant| variant.name().to_owned());
    Ok(Variety { name, game })
}

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// A plain text file, neither packed nor UTF-16
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,

    /// Most threads; measured are 1, 2, 4 and so on up to this [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Only these stages, with commas between [default: all]
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',')]
    pub(crate) stages: Vec<Stage>,

    /// Rounds, of which the median counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(crate) rounds: u32,

    /// No further round of a stage that has taken so many seconds on so many threads
    #[arg(long, value_name = "S")]
    pub(crate) seconds: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The code, such as L002, in either case; without it, all codes are listed
    pub(crate) code: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Folder to write `pdn.1` and a page for each subcommand to, instead of printing `pdn.1`
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }
}
