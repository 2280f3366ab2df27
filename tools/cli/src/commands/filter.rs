//! Turns the options that choose games into one query.

use std::path::PathBuf;

use pdn::index::Index;
use pdn::query::{Condition, MoveSequence, Pattern, Query, QueryError, RatedPlayer};

use crate::args::{FilterArgs, PositionFilterArgs};
use crate::output::exit::print_error;
use crate::output::{option_error, sanitize};

/// Parses the value of an option as a query, with the keyword `prefix` before it. Returns `Some(None)` if the option is
/// not given; if the value cannot be parsed, prints why and returns `None`.
fn parse_option(option: &str, prefix: &str, value: Option<&String>) -> Option<Option<Query>> {
    let Some(value) = value else { return Some(None) };
    let text = format!("{prefix}{value}");
    match Query::parse(&text) {
        Ok(query) => Some(Some(query)),
        Err(error) => {
            // The prefix is not part of what the user typed.
            let start = (error.span().start as usize).saturating_sub(prefix.len());
            let end = (error.span().end as usize).saturating_sub(prefix.len());
            option_error::print(option, value, start, end, error.message());
            None
        }
    }
}

/// Returns the value of `result`; if it is an error, prints it and returns `None`.
fn report<T>(option: &str, text: &str, result: Result<T, QueryError>) -> Option<T> {
    result
        .map_err(|error| {
            let span = error.span();
            option_error::print(option, text, span.start as usize, span.end as usize, error.message());
        })
        .ok()
}

/// Returns `true` if each move sequence of the query can be played in at least one variant of the index; otherwise prints
/// the first error. `moves` is the value of `--moves`, if it is part of the query.
pub(super) fn check_moves(query: &Query, moves: Option<&str>, index: &Index) -> bool {
    let mut game_kinds = Vec::new();
    for segment in index.segments() {
        game_kinds.extend(segment.kinds().unwrap_or_default());
    }
    for sequence in query.lines() {
        let mut errors = game_kinds.iter().map(|kind| sequence.play(&kind.game()).err());
        let Some(Some(first)) = errors.next() else { continue };
        if errors.all(|error| error.is_some()) {
            let option = if moves == Some(sequence.text()) { "--moves" } else { "--query" };
            let (span, message) = (first.span(), first.message());
            option_error::print(option, sequence.text(), span.start as usize, span.end as usize, message);
            return false;
        }
    }
    true
}

impl FilterArgs {
    /// Returns `true` if no option is given, so that every game matches.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the query that all options together form. If one cannot be parsed, prints why and returns `None`.
    pub(super) fn query(&self) -> Option<Query> {
        let mut parts = Vec::new();
        parts.extend(self.white.as_deref().map(Query::white));
        parts.extend(self.black.as_deref().map(Query::black));
        parts.extend(self.player.iter().map(|name| Query::player(name)));
        parts.extend(self.event.as_deref().map(Query::event));
        parts.extend(self.site.as_deref().map(Query::site));
        for (option, prefix, value) in [
            ("--date", "date ", &self.date),
            ("--round", "round ", &self.round),
            ("--result", "result ", &self.result),
            ("--winner", "winner ", &self.winner),
            ("--status", "status ", &self.status),
            ("--rating", "rating ", &self.rating),
            ("--plies", "plies ", &self.plies),
            ("--query", "", &self.query),
        ] {
            parts.extend(parse_option(option, prefix, value.as_ref())?);
        }
        let min = self.min_rating;
        parts.extend(min.map(|min| Query::rating(RatedPlayer::Both, min..=u16::MAX)));
        Some(Query::And(parts))
    }
}

impl PositionFilterArgs {
    /// Returns the query that all options together form. If one cannot be parsed, prints why and returns `None`.
    pub(super) fn query(&self) -> Option<Query> {
        let mut parts = Vec::new();
        let board_query = |mut pattern: Pattern| {
            pattern = if self.flipped { pattern.or_flipped() } else { pattern };
            Query::board(if self.mirrored { pattern.or_mirrored() } else { pattern })
        };
        if let Some(fen) = &self.fen {
            parts.push(board_query(report("--fen", fen, Pattern::fen(fen))?));
        }
        if let Some(given) = &self.pattern {
            let text = match given.strip_prefix('@').map(PathBuf::from) {
                None => given.clone(),
                Some(path) => match std::fs::read_to_string(&path) {
                    Ok(text) => text.trim_end().to_owned(),
                    Err(error) => {
                        print_error(&format!("{}: {error}", sanitize::path(&path)));
                        return None;
                    }
                },
            };
            parts.push(board_query(report("--pattern", &text, Pattern::parse(&text))?));
        }
        if let Some(moves) = &self.moves {
            let sequence = report("--moves", moves, MoveSequence::parse(moves))?;
            parts.push(Condition::Line(sequence).into());
        }
        for (option, prefix, value) in [
            ("--material", "", &self.material),
            ("--move", "move ", &self.next),
            ("--ply", "ply ", &self.ply),
        ] {
            parts.extend(parse_option(option, prefix, value.as_ref())?);
        }
        Some(Query::And(parts))
    }
}
