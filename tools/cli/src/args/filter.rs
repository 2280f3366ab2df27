//! The options that choose games and positions, which several commands share.

use std::path::PathBuf;

use clap::Args;
use pdn::replay::CandidateGame;
use pdn::rules::Variant;
use pdn_app::filter::Filter;
use pdn_app::{AppError, ErrorCode, Result};

use super::help;
use pdn_app::values::{parse_game, parse_variant};

/// Which games of archives or of an index are used.
#[derive(Args, Debug)]
pub(crate) struct SelectionArgs {
    #[arg(long, value_name = "VARIANT", value_parser = parse_game, help = help::UNTAGGED_VARIANT)]
    pub(crate) untagged: Option<CandidateGame>,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Variant: a name, a GameType number or a GameType value
    #[arg(long, short = 'g', value_name = "VARIANT", help_heading = "Games", value_parser = parse_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    pub(crate) position: PositionFilterArgs,
}

/// Conditions on games; all of them must hold.
#[derive(Args, PartialEq, Debug, Default)]
pub(crate) struct FilterArgs {
    /// White's name: words in any order ('harm wiersma'), 'is:whole name', 'begins:beginning' or 'like:misspelt'; short
    /// '=whole name', 'beginning*', '~misspelt'
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) white: Option<String>,

    /// Black's name, as for --white
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) black: Option<String>,

    /// Name of either player, as for --white; give it twice for a pair of players
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) player: Vec<String>,

    /// Event, as for --white
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) event: Option<String>,

    /// Site, as for --white
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) site: Option<String>,

    /// Date: 1999, 1999.12..2001, ..1950, '> 1990'
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) date: Option<String>,

    /// Round number: 3, 1..5
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) round: Option<String>,

    /// Result: 2-0, 1-1, '*', win or loss (of the side that moves first), draw, unknown
    #[arg(long, value_name = "RESULT", help_heading = "Games")]
    pub(crate) result: Option<String>,

    /// Winner: white, black, nobody, or a name as for --white
    #[arg(long, value_name = "WHO", help_heading = "Games")]
    pub(crate) winner: Option<String>,

    /// Status of the replay: legal, illegal, ambiguous, damaged, empty, unsupported or problem
    #[arg(long, value_name = "STATUS", help_heading = "Games")]
    pub(crate) status: Option<String>,

    /// Range of both players' ratings: 2000..2200
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) rating: Option<String>,

    /// Minimum rating of both players
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(crate) min_rating: Option<String>,

    /// Length of the game in plies: 40..80
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) plies: Option<String>,

    /// Value of any tag, read from the texts of the games: 'TimeControl : blitz', 'Annotator = "Baba Sy"', 'ECO'
    #[arg(long, value_name = "TAG", help_heading = "Games")]
    pub(crate) tag: Vec<String>,

    /// File that the game came from: wk2003.pdn, 'archive/1982/*', '~misspelt'
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) file: Option<String>,

    /// Query expression; `pdn help query` describes the language
    #[arg(long, short, value_name = "QUERY", help_heading = "Games")]
    pub(crate) query: Option<String>,
}

/// Conditions on one position of a game; all of them must hold in the same position.
#[derive(Args, Debug, Default)]
pub(crate) struct PositionFilterArgs {
    /// Exact position: W:WK3:B18,24
    #[arg(long, value_name = "FEN", help_heading = "Positions")]
    pub(crate) fen: Option<String>,

    /// Contents of some squares: 'w32,28 b19 .23', a board diagram, or @FILE that contains either
    #[arg(long, value_name = "PATTERN", help_heading = "Positions")]
    pub(crate) pattern: Option<String>,

    /// Also match the position or pattern with colours exchanged and the board rotated
    #[arg(long, help_heading = "Positions")]
    pub(crate) flipped: bool,

    /// Also match the mirror image, on boards where all cells are squares
    #[arg(long, help_heading = "Positions")]
    pub(crate) mirrored: bool,

    #[arg(long, value_name = "MOVES", help_heading = "Positions", help = help::MOVES)]
    pub(crate) moves: Option<String>,

    /// Number of pieces: 'w-b>=2', 'wk=1', 'w-b>=2 for 4'
    #[arg(long, value_name = "SUM", help_heading = "Positions")]
    pub(crate) material: Option<String>,

    /// Next move: 32-28, 'by king takes >= 3'
    #[arg(long = "move", value_name = "MOVE", help_heading = "Positions")]
    pub(crate) next: Option<String>,

    /// Plies played before the position: 10..20
    #[arg(long, value_name = "A..B", help_heading = "Positions")]
    pub(crate) ply: Option<String>,
}

impl SelectionArgs {
    /// Returns the filter that all options together form.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    pub(crate) fn read(&self) -> Result<Filter> {
        read_filter(Some(&self.filter), self.variant, Some(&self.position))
    }
}

/// Returns the filter that options form. `@FILE` as a pattern stands for the text of a file.
///
/// # Errors
///
/// If an option or the file cannot be read.
pub(crate) fn read_filter(
    games: Option<&FilterArgs>,
    variant: Option<Variant>,
    position: Option<&PositionFilterArgs>,
) -> Result<Filter> {
    let mut filter = Filter::default().variant(variant);
    if let Some(games) = games {
        for (field, value) in [
            ("white", &games.white),
            ("black", &games.black),
            ("event", &games.event),
            ("site", &games.site),
            ("winner", &games.winner),
            ("date", &games.date),
            ("round", &games.round),
            ("result", &games.result),
            ("status", &games.status),
            ("rating", &games.rating),
            ("plies", &games.plies),
            ("file", &games.file),
            ("query", &games.query),
            ("min_rating", &games.min_rating),
        ] {
            value.iter().try_for_each(|value| filter.set(field, value))?;
        }
        games.player.iter().try_for_each(|value| filter.set("player", value))?;
        games.tag.iter().try_for_each(|value| filter.set("tag", value))?;
    }
    if let Some(position) = position {
        for (field, value) in [
            ("fen", &position.fen),
            ("moves", &position.moves),
            ("material", &position.material),
            ("move", &position.next),
            ("ply", &position.ply),
        ] {
            value.iter().try_for_each(|value| filter.set(field, value))?;
        }
        for (field, is_on) in [("flipped", position.flipped), ("mirrored", position.mirrored)] {
            if is_on {
                filter.set(field, "true")?;
            }
        }
        match position.pattern.as_ref().map(|pattern| (pattern, pattern.strip_prefix('@'))) {
            Some((pattern, None)) => filter.set("pattern", pattern)?,
            Some((_, Some(path))) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    AppError::path(ErrorCode::Unreadable, PathBuf::from(path), error.to_string())
                })?;
                filter.set("pattern", text.trim_end())?;
            }
            None => {}
        }
    }
    Ok(filter)
}
