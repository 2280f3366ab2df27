//! Which games are meant: the options that `pdn find` and `pdn tree` share, as one question.

use std::path::PathBuf;

use clap::Args;
use pdn::index::Index;
use pdn::query::{MoveSequence, Pattern, Query, QueryError};

use crate::clean;
use crate::exit::complain;

/// Which games are meant; all conditions must be true.
#[derive(Args, PartialEq, Debug, Default)]
pub(crate) struct FilterArgs {
    /// White's name: words in any order (`harm wiersma`), `=whole name`, `begin*`, or `~misspelt`
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) white: Option<String>,

    /// Black's name, as --white
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) black: Option<String>,

    /// The name of either player, as --white; twice for a pair
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) player: Vec<String>,

    /// The event, as --white
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) event: Option<String>,

    /// The site, as --white
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    pub(crate) site: Option<String>,

    /// The date: `1999`, `1999.12..2001`, `..1950`
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) date: Option<String>,

    /// The number of the round: `3`, `1..5`
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) round: Option<String>,

    /// The result: `2-0`, `1-1`, `*`; or win, loss (of the side that starts), draw, unknown
    #[arg(long, value_name = "RESULT", help_heading = "Games")]
    pub(crate) result: Option<String>,

    /// Who won: white, black or nobody, or `: name` of the winner
    #[arg(long, value_name = "WHO", help_heading = "Games")]
    pub(crate) winner: Option<String>,

    /// How far the game could be replayed: legal, illegal, ambiguous, damaged, empty or unsupported
    #[arg(long, value_name = "STATUS", help_heading = "Games")]
    pub(crate) status: Option<String>,

    /// Ratings of both players: `2000..2200`
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) rating: Option<String>,

    /// Least rating of both players
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(crate) min_rating: Option<u16>,

    /// Length of the game in plies: `40..80`
    #[arg(long, value_name = "A..B", help_heading = "Games")]
    pub(crate) plies: Option<String>,

    /// Any question; `pdn find --help` shows the language
    #[arg(long, short, value_name = "QUESTION", help_heading = "Games")]
    pub(crate) query: Option<String>,
}

/// What is asked of one position of the game.
#[derive(Args, Debug, Default)]
pub(crate) struct PositionFilter {
    /// Exactly this position: `W:WK3:B18,24`
    #[arg(long, value_name = "FEN", help_heading = "Positions")]
    pub(crate) fen: Option<String>,

    /// What stands on some squares: `"w32,28 b19 .23"`, a drawn board, or `@FILE` with one of them
    #[arg(long, value_name = "PATTERN", help_heading = "Positions")]
    pub(crate) pattern: Option<String>,

    /// Also the same position or pattern with colours changed and the board turned
    #[arg(long, help_heading = "Positions")]
    pub(crate) flipped: bool,

    /// Also its mirror image, on boards that use all cells
    #[arg(long, help_heading = "Positions")]
    pub(crate) mirrored: bool,

    /// The position after these moves, by whatever moves it came about: `"1. 32-28 19-23"`
    #[arg(long, value_name = "MOVES", help_heading = "Positions")]
    pub(crate) moves: Option<String>,

    /// How many pieces: `"w-b>=2"`, `"wk=1"`, `"w-b>=2 for 4"`
    #[arg(long, value_name = "SUM", help_heading = "Positions")]
    pub(crate) material: Option<String>,

    /// The next move: `32-28`, `"by king takes >= 3"`
    #[arg(long = "move", value_name = "MOVE", help_heading = "Positions")]
    pub(crate) next: Option<String>,

    /// Number of plies played: `10..20`
    #[arg(long, value_name = "A..B", help_heading = "Positions")]
    pub(crate) ply: Option<String>,
}

/// A question of its own that begins with some words.
fn part(option: &str, words: &str, value: Option<&String>) -> Option<Option<Query>> {
    let Some(value) = value else { return Some(None) };
    let text = format!("{words}{value}");
    match Query::parse(&text) {
        Ok(query) => Some(Some(query)),
        Err(error) => {
            // The words before are not the user's.
            let start = (error.span().start as usize).saturating_sub(words.len());
            let end = (error.span().end as usize).saturating_sub(words.len());
            point(option, value, start, end, error.message());
            None
        }
    }
}

/// The text of an option, its place underlined, and what was expected there.
pub(crate) fn point(option: &str, text: &str, start: usize, end: usize, message: &str) {
    let start = start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = clean::clean(&text[line_start..line_end]).into_owned();
    let before = text[line_start..start].chars().count();
    let marked = text.get(start..end.clamp(start, line_end)).map_or(0, |part| part.chars().count());
    let (blanks, carets) = (" ".repeat(before), "^".repeat(marked.max(1)));
    let message = clean::clean(message);
    complain(&format!("{option}: {message}\n  {line}\n  {blanks}{carets}"));
}

fn pointed<T>(option: &str, text: &str, read: Result<T, QueryError>) -> Option<T> {
    read.map_err(|error| {
        point(option, text, error.span().start as usize, error.span().end as usize, error.message());
    })
    .ok()
}

/// Whether moves that were given, those of the option `--moves` or others, can be played in some game of the index; if
/// not, that is said.
pub(crate) fn playable(query: &Query, moves: Option<&str>, index: &Index) -> bool {
    let mut kinds = Vec::new();
    for segment in index.segments() {
        kinds.extend(segment.kinds().unwrap_or_default());
    }
    for line in query.lines() {
        let mut errors = kinds.iter().map(|kind| line.play(&kind.game()).err());
        let Some(Some(first)) = errors.next() else { continue };
        if errors.all(|error| error.is_some()) {
            let option = if moves == Some(line.text()) { "--moves" } else { "--query" };
            let (span, message) = (first.span(), first.message());
            point(option, line.text(), span.start as usize, span.end as usize, message);
            return false;
        }
    }
    true
}

impl FilterArgs {
    /// Whether any game will do.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The question; `None` where one cannot be read, which has been said.
    pub(crate) fn query(&self) -> Option<Query> {
        let mut parts = Vec::new();
        parts.extend(self.white.as_deref().map(Query::white));
        parts.extend(self.black.as_deref().map(Query::black));
        parts.extend(self.player.iter().map(|name| Query::player(name)));
        parts.extend(self.event.as_deref().map(Query::event));
        parts.extend(self.site.as_deref().map(Query::site));
        for (option, words, value) in [
            ("--date", "date ", &self.date),
            ("--round", "round ", &self.round),
            ("--result", "result ", &self.result),
            ("--winner", "winner ", &self.winner),
            ("--status", "status ", &self.status),
            ("--rating", "rating ", &self.rating),
            ("--plies", "plies ", &self.plies),
            ("--query", "", &self.query),
        ] {
            parts.extend(part(option, words, value.as_ref())?);
        }
        let least = self.min_rating;
        parts.extend(least.map(|least| Query::rating(pdn::query::RatedPlayer::Both, least..=u16::MAX)));
        Some(Query::And(parts))
    }
}

impl PositionFilter {
    /// The question; `None` where one cannot be read, which has been said.
    pub(crate) fn query(&self) -> Option<Query> {
        let mut parts = Vec::new();
        let forms = |mut pattern: Pattern| {
            pattern = if self.flipped { pattern.or_flipped() } else { pattern };
            Query::board(if self.mirrored { pattern.or_mirrored() } else { pattern })
        };
        if let Some(fen) = &self.fen {
            parts.push(forms(pointed("--fen", fen, Pattern::fen(fen))?));
        }
        if let Some(given) = &self.pattern {
            let text = match given.strip_prefix('@').map(PathBuf::from) {
                None => given.clone(),
                Some(path) => match std::fs::read_to_string(&path) {
                    Ok(text) => text.trim_end().to_owned(),
                    Err(error) => {
                        complain(&format!("{}: {error}", clean::path(&path)));
                        return None;
                    }
                },
            };
            parts.push(forms(pointed("--pattern", &text, Pattern::parse(&text))?));
        }
        if let Some(moves) = &self.moves {
            parts.push(
                pdn::query::Condition::Line(pointed("--moves", moves, MoveSequence::parse(moves))?).into(),
            );
        }
        for (option, words, value) in [
            ("--material", "", &self.material),
            ("--move", "move ", &self.next),
            ("--ply", "ply ", &self.ply),
        ] {
            parts.extend(part(option, words, value.as_ref())?);
        }
        Some(Query::And(parts))
    }
}
