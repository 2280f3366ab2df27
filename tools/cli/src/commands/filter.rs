//! Turns the options that choose games into one query.

use std::borrow::Cow;
use std::path::PathBuf;

use pdn::index::Index;
use pdn::query::{Condition, MoveSequence, Pattern, Query, QueryError, RatedPlayer};

use super::position::fen_of;
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

/// Returns a name with the sign that the word before it stands for: `is:`, `begins:` or `like:`, which shells leave alone.
fn with_sign(name: &str) -> Cow<'_, str> {
    let rest = |word: &str| {
        let (before, rest) = name.split_once(':')?;
        before.trim().eq_ignore_ascii_case(word).then(|| rest.trim())
    };
    if let Some(name) = rest("is") {
        return format!("={name}").into();
    }
    if let Some(name) = rest("begins") {
        return format!("{name}*").into();
    }
    rest("like").map_or(name.into(), |name| format!("~{name}").into())
}

impl FilterArgs {
    /// Returns `true` if no option is given, so that every game matches.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the query that all options together form. If one cannot be parsed, prints why and returns `None`.
    pub(super) fn query(&self) -> Option<Query> {
        let mut parts = Vec::new();
        parts.extend(self.white.as_deref().map(|name| Query::white(&with_sign(name))));
        parts.extend(self.black.as_deref().map(|name| Query::black(&with_sign(name))));
        parts.extend(self.player.iter().map(|name| Query::player(&with_sign(name))));
        parts.extend(self.event.as_deref().map(|name| Query::event(&with_sign(name))));
        parts.extend(self.site.as_deref().map(|name| Query::site(&with_sign(name))));
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
        if let Some(fen) = self.fen.as_deref().map(fen_of) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::QUERY_TOPIC;

    #[test]
    fn every_condition_of_the_help_topic_can_be_parsed() {
        // In the sections about queries, the first column of a line has examples, separated by commas.
        let (_, topic) = QUERY_TOPIC.split_once("Conditions on the game:").expect("the section");
        let (topic, _) = topic.split_once("EXAMPLES").expect("the section");
        let mut examples = 0;
        for line in
            topic.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '))
        {
            let column = line.split("  ").next().unwrap_or_default();
            let is_list = !column.contains('"') && !column.contains("w32,");
            let parts = if is_list { column.split(", ").collect() } else { vec![column] };
            for part in parts {
                let text = part.replace("A then B", "w = 1 then b = 1").replace("A", "w = 1");
                assert!(Query::parse(&text).is_ok(), "{text}: {:?}", Query::parse(&text));
                examples += 1;
            }
        }
        assert!(examples >= 20, "{examples}");
        for more in [
            "date 1999",
            "date 1999..",
            "date ..1950",
            "rating white 2000",
            "rating either > 2000",
            "result win",
            "result loss",
            "result draw",
            "result unknown",
            "winner : wiersma",
            "winner nobody",
            "pattern \"w28\" flipped mirrored",
            "w-b >= 2",
            "wm = 1",
            "bk = 1",
            "p <= 6",
            "move from 5 to 41 takes >= 3 over 19 by king promotes",
            "sacrifice 2 within 8 regained",
            "sacrifice 2 within 8 lost",
            "wk = 1 and bk = 0 and last",
            "move promotes then w-b >= 3 within 10",
            "ever w-b >= 2",
            "player ~ misspelt",
            "loser = \"whole name\"",
            "event = begin*",
            "plies 40..80",
        ] {
            assert!(Query::parse(more).is_ok(), "{more}: {:?}", Query::parse(more));
        }
    }

    #[test]
    fn words_before_names_stand_for_signs() {
        for (text, expected) in [
            ("like:wiersma", "~wiersma"),
            ("Like: wiersma ", "~wiersma"),
            ("is:Harm Wiersma", "=Harm Wiersma"),
            ("begins:wier", "wier*"),
            ("~wiersma", "~wiersma"),
            ("like wiersma", "like wiersma"),
            ("Cup: final", "Cup: final"),
        ] {
            assert_eq!(with_sign(text), expected);
        }
    }
}
