//! Groups of options that several commands share.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use pdn::internal::source::path_of_text;
use pdn::rules::Variant;
use pdn_app::AppError;
use pdn_app::ask::named::Named;
use pdn_app::ask::numbers::parse_number;
use pdn_app::ask::options::{GivenOptions, OptionField, Options};
use pdn_app::ask::position::PlaceRequest;
use pdn_app::ask::values::{NamedRules, parse_rules};
use pdn_app::draw::moves::PositionRequest;
use pdn_app::read::inputs::{Inputs, ReadOptions, Threads};
use pdn_app::read::searched::SearchedPaths;

use crate::args::help;
use crate::args::options::OptionArgs;

/// Which archives are read, and how.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders (searched for PDN files) or `-` for standard input; .gz, .zst, .bz2 and .zip are decompressed
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) read: OptionArgs<ReadOptions>,

    #[command(flatten)]
    pub(crate) threads: OptionArgs<Threads>,

    /// When to map files into memory; `never` suits files that another program may change while they are read
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = help::GENERAL)]
    pub(crate) mmap: Mmap,

    /// Name the files of searched folders that are not read, and do not only count them
    #[arg(long, help_heading = help::GENERAL)]
    pub(crate) list_skipped: bool,
}

impl InputArgs {
    /// Returns which archives are read, and how.
    pub(crate) fn read(&self) -> Inputs {
        Inputs {
            paths: self.paths.iter().map(|path| path_of_text(path).into_owned()).collect(),
            read: *self.read,
            maps_files: self.mmap.maps_files(),
            threads: self.threads.number(),
            lists_skipped: self.list_skipped,
            text: None,
        }
    }
}

/// The index that is searched, or archives in its place.
#[derive(Args, Debug)]
pub(crate) struct SearchedArgs {
    /// Folder of an index, or archives: files, folders or `-`, which are indexed first for this command alone
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) read: OptionArgs<ReadOptions>,

    #[command(flatten)]
    pub(crate) threads: OptionArgs<Threads>,

    #[arg(long, value_name = "FOLDER", help = help::ROOT, help_heading = help::GENERAL)]
    pub(crate) root: Option<PathBuf>,
}

impl SearchedArgs {
    /// Returns what is searched.
    pub(crate) fn read(&self) -> SearchedPaths {
        SearchedPaths {
            paths: self.paths.iter().map(|path| path_of_text(path).into_owned()).collect(),
            read: *self.read,
            root: self.root.clone(),
        }
    }
}

/// How the text of games is read, in a command that has a variant of its own. With `OF_PATH`, the options say something of the games of
/// the path alone, which need not be given.
#[derive(Default, Debug)]
pub(crate) struct TextOptions<const OF_PATH: bool> {
    pub(crate) read: ReadOptions,
}

impl<const OF_PATH: bool> Options for TextOptions<OF_PATH> {
    const FIELDS: &'static [OptionField] = {
        let needs = if OF_PATH { "path" } else { "" };
        let [_, encoding, scores] = ReadOptions::FIELDS else { panic!("options of reading") };
        &[OptionField { needs, ..*encoding }, OptionField { needs, ..*scores }]
    };

    fn take(given: &mut GivenOptions) -> Result<Self, AppError> {
        Ok(Self { read: given.group()? })
    }
}

/// Returns an error without the field `name` if that is an argument of its own, and no option.
pub(crate) fn of_argument(name: &str, mut error: AppError) -> AppError {
    if error.field == Some(name) {
        error.field = None;
    }
    error
}

/// When files are mapped into memory.
///
/// `Auto` maps them on Linux only: there, [`shortened_file`](crate::output::shortened_file) reports a file that another
/// program shortens. On other systems the process would end without a message.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mmap {
    Auto,
    Never,
}

impl Mmap {
    /// Returns `true` if files are mapped on this system.
    pub(crate) fn maps_files(self) -> bool {
        self == Self::Auto && cfg!(target_os = "linux")
    }
}

/// Whether moves are replayed.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// Check the text only and do not replay moves; faster
    #[arg(long, conflicts_with = "untagged")]
    pub(crate) no_replay: bool,
}

/// The rules by which is played.
#[derive(Args, Debug)]
pub(crate) struct RulesArgs {
    /// Variant: a name, a GameType number or a GameType value such as 23,W,8,8,A0,0 [default: international]
    #[arg(long, short = 'g', value_name = "VARIANT", value_parser = parse_rules)]
    pub(crate) variant: Option<NamedRules>,
}

impl RulesArgs {
    /// Returns the rules: those of international draughts by default.
    pub(crate) fn read(&self) -> NamedRules {
        self.variant.clone().unwrap_or_else(|| Variant::International.into())
    }
}

/// A position and the rules that apply to it.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[arg(long, value_name = "FEN", help = help::FEN)]
    pub(crate) fen: Option<String>,

    /// Position after these moves, such as '1. 32-28 19-23', played from the start position or from that of --fen
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,
}

impl PositionArgs {
    /// Returns the position that the options name.
    pub(crate) fn read(&self) -> PositionRequest {
        PositionRequest {
            rules: self.rules.read(),
            place: PlaceRequest { fen: self.fen.clone(), moves: self.moves.clone() },
        }
    }
}

/// Whether a command prints text or JSON.
#[derive(Args, Debug)]
pub(crate) struct FormatArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: OutputFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    /// Returns `true` if `--format` or `--json` chooses JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == OutputFormat::Json
    }
}

/// Output format of commands that print no other formats.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum OutputFormat {
    /// Text for people
    #[value(aliases = ["text", "table"])]
    Human,
    /// JSON objects, one per line
    #[value(alias = "jsonl")]
    Json,
}

/// Creates a value parser for the names of a choice, with their help.
pub(crate) fn choice<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|(_, name, help)| {
        let help = help.trim();
        let value = PossibleValue::new(*name);
        if help.is_empty() { value } else { value.help(help) }
    });
    PossibleValuesParser::new(values).try_map(|text| T::parse(&text))
}

/// Creates a value parser for whole numbers within a range. A range up to [`u64::MAX`] is named without its end.
pub(crate) fn number<T>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + Send + Sync + Clone + 'static,
{
    move |text| parse_number(text, &range).map_err(String::from)
}
