//! Options of `pdn check`.

use clap::{Args, ValueEnum};

use super::shared::{InputArgs, ReplayArgs};

pub(super) const AFTER_HELP: &str = "\
Every game is replayed by the rules of its variant: that of its GameType or Variant tag, or that of --variant, or the variant \
inferred from the file. A game is legal if every move of its main line is legal; illegal or ambiguous if a move is; \
damaged if text is lost where the replay stops; unsupported if it is not draughts. A record with a position and no moves is a \
problem; one with neither is empty. Plies are \
legal plies of main lines. Illegal moves in variations are warnings and do not change the status of the game. Variations \
of records longer than 256 KiB are not replayed.

With --no-replay only the text is checked: a game with moves is damaged if it has a diagnostic of severity `error`, plies are the \
written moves, and `legal`, `illegal` and `ambiguous` are 0.

Lines and columns count from 1, columns in characters; offset and length are in bytes.";

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    /// Also report style: text that is understood but deviates from PDN 3.0
    #[arg(long)]
    pub(crate) strict: bool,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: CheckFormat,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Print at most this many diagnostics per code and file, 0 for no limit; the summary counts all [default: 5 for
    /// human, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<u64>,

    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl CheckArgs {
    /// Returns the format chosen by `--format` or `--json`.
    pub(crate) fn format(&self) -> CheckFormat {
        if self.json { CheckFormat::Json } else { self.format }
    }
}

/// Output format of `pdn check`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckFormat {
    /// Text with the line, the marked span and an explanation
    Human,
    /// One JSON object per line; the last line is the summary
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}
