//! Turns the options that choose games into one query.

use std::borrow::Cow;
use std::path::PathBuf;

use pdn::error::ErrorKind;
use pdn::index::Index;
use pdn::names::{NameMatch, NamePattern};
use pdn::query::{
    Condition, Field, FileCondition, MoveSequence, Pattern, Query, QueryError, RatedPlayer, check_squares,
};

use super::position::fen_of;
use crate::args::{FilterArgs, PositionFilterArgs, SelectionArgs};
use crate::output::exit::print_error;
use crate::output::{option_error, sanitize};

/// Returns the value of `result`; if it is an error, prints it and returns `None`.
fn report<T>(option: &str, text: &str, result: Result<T, QueryError>) -> Option<T> {
    result
        .map_err(|error| {
            let span = error.span();
            option_error::print(option, text, span.start as usize, span.end as usize, error.message());
        })
        .ok()
}

/// Checks a query against an index: no two parts exclude each other, each move sequence can be played in at least one
/// variant of the index, and squares mean the same in all games that can match. Otherwise prints the first error and
/// returns `false`. `moves` is the value of `--moves`, if it is part of the query.
///
/// # Errors
/// If the index is damaged.
pub(super) fn check(query: &Query, moves: Option<&str>, index: &Index) -> pdn::Result<bool> {
    if let Some([first, second]) = query.contradiction() {
        let (first, second) = (first.to_string(), second.to_string());
        print_error(&format!(
            "`{}` and `{}` exclude each other: nothing matches both",
            sanitize::text(&first),
            sanitize::text(&second)
        ));
        return Ok(false);
    }
    if !check_moves(query, moves, index)? {
        return Ok(false);
    }
    match check_squares(index, query) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), ErrorKind::AmbiguousSquares { .. }) => {
            print_error(&format!("{} with `--variant`", sanitize::text(&error.to_string())));
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Returns `true` if each move sequence of the query can be played in at least one variant of the index; otherwise prints
/// the first error.
fn check_moves(query: &Query, moves: Option<&str>, index: &Index) -> pdn::Result<bool> {
    let mut game_kinds = Vec::new();
    for segment in index.segments() {
        game_kinds.extend(segment.kinds()?);
    }
    for sequence in query.lines() {
        let mut errors = game_kinds.iter().map(|kind| sequence.play(&kind.game()).err());
        let Some(Some(first)) = errors.next() else { continue };
        if errors.all(|error| error.is_some()) {
            let option = if moves == Some(sequence.text()) { "--moves" } else { "--query" };
            let (span, message) = (first.span(), first.message());
            option_error::print(option, sequence.text(), span.start as usize, span.end as usize, message);
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads the name that an option gives. If nothing of it is compared, prints why and returns `None`.
fn name_pattern(option: &str, text: &str) -> Option<NamePattern> {
    let pattern = NamePattern::parse(text);
    let stands_for_unknown = pattern.match_kind() == NameMatch::Exact && pattern.text().is_empty();
    if pattern.folded().is_empty() && !stands_for_unknown {
        let message = "expected a name with a letter or a digit; `=` alone stands for names without either, such as `?`";
        option_error::print(option, text, 0, text.len(), message);
        return None;
    }
    Some(pattern)
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

impl SelectionArgs {
    /// Returns the query that all options together form. If one cannot be parsed, prints why and returns `None`.
    pub(super) fn query(&self) -> Option<Query> {
        let variant = self.variant.map_or(Query::all(), Query::variant);
        Some(self.filter.query()? & variant & self.position.query()?)
    }

    /// Returns the value of `--moves`.
    pub(super) fn moves(&self) -> Option<&str> {
        self.position.moves.as_deref()
    }
}

impl FilterArgs {
    /// Returns `true` if no option is given, so that every game matches.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the query that all options together form. If one cannot be parsed, prints why and returns `None`.
    pub(super) fn query(&self) -> Option<Query> {
        let mut parts = Vec::new();
        let players = self.player.iter().map(|name| ("--player", Field::Player, Some(name)));
        for (option, field, name) in [
            ("--white", Field::White, self.white.as_ref()),
            ("--black", Field::Black, self.black.as_ref()),
            ("--event", Field::Event, self.event.as_ref()),
            ("--site", Field::Site, self.site.as_ref()),
        ]
        .into_iter()
        .chain(players)
        {
            if let Some(name) = name {
                parts.push(Query::tag(field, name_pattern(option, &with_sign(name))?));
            }
        }
        if let Some(winner) = &self.winner {
            parts.push(winner_query(winner)?);
        }
        let tags = self.tag.iter().map(|tag| ("--tag", "tag", Some(tag)));
        for (option, keyword, value) in [
            ("--date", "date", self.date.as_ref()),
            ("--round", "round", self.round.as_ref()),
            ("--result", "result", self.result.as_ref()),
            ("--status", "status", self.status.as_ref()),
            ("--rating", "rating", self.rating.as_ref()),
            ("--plies", "plies", self.plies.as_ref()),
        ]
        .into_iter()
        .chain(tags)
        {
            if let Some(value) = value {
                parts.push(report(option, value, Query::parse_value(keyword, value))?);
            }
        }
        if let Some(file) = &self.file {
            name_pattern("--file", file)?;
            parts.push(Query::file(FileCondition::parse(file)));
        }
        if let Some(query) = &self.query {
            parts.push(report("--query", query, Query::parse(query))?);
        }
        let min = self.min_rating;
        parts.extend(min.map(|min| Query::rating(RatedPlayer::Both, min..=u16::MAX)));
        Some(Query::And(parts))
    }
}

/// Returns the query of `--winner`: a side, `nobody`, or a name, with or without the signs of the query language.
fn winner_query(text: &str) -> Option<Query> {
    let is_side = ["white", "black", "nobody"].iter().any(|side| side.eq_ignore_ascii_case(text.trim()));
    if is_side || text.trim_start().starts_with(':') {
        return report("--winner", text, Query::parse_value("winner", text));
    }
    Some(Query::tag(Field::Winner, name_pattern("--winner", text)?))
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
        if let Some(sums) = &self.material {
            parts.push(report("--material", sums, Query::parse(sums))?);
        }
        for (option, keyword, value) in [("--move", "move", &self.next), ("--ply", "ply", &self.ply)] {
            if let Some(value) = value {
                parts.push(report(option, value, Query::parse_value(keyword, value))?);
            }
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
            "move from 5 to 41 takes >= 3 over 19 by king",
            "move from 5 promotes",
            "tag ECO",
            "file = wk*",
            "date > 1990",
            "status problem",
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
