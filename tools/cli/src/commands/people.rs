//! Lines that the reports of players and of events share.

use std::io;
use std::io::Write;

use pdn_app::ask::numbers::{Count, count};
use pdn_app::report::people::NamedGames;
use pdn_app::report::score::ScoreAnswer;
use unicode_width::UnicodeWidthStr;

use crate::output::table::cut;
use crate::output::{Output, sanitize};

/// Width of the text before the numbers of a row.
const LABEL_WIDTH: usize = 36;
/// Number of other names that are listed.
const MAX_NAMES: usize = 10;

/// Returns a text in exactly so many columns.
pub(super) fn padded(text: &str, width: usize) -> String {
    let mut text = sanitize::text(text).into_owned();
    cut(&mut text, width);
    let blanks = width.saturating_sub(text.width());
    text + &" ".repeat(blanks)
}

/// Returns names with their numbers of games: `Ames (3), Berg (1)`.
pub(super) fn names(names: &[NamedGames]) -> String {
    let listed: Vec<String> = names
        .iter()
        .take(MAX_NAMES)
        .map(|named| format!("{} ({})", named.name, Count(named.games)))
        .collect();
    let more = if names.len() > MAX_NAMES { " and others" } else { "" };
    sanitize::text(&(listed.join(", ") + more)).into_owned()
}

/// Writes who else has the name that was asked for, and how to ask for one of them.
pub(super) fn also(also: &[NamedGames], what: &str, out: &mut Output) -> io::Result<()> {
    let Some(first) = also.first() else { return Ok(()) };
    writeln!(out, "{} with this name: {}.", count(also.len() as u64, &format!("other {what}")), names(also))?;
    writeln!(out, "'is:{}' asks for one of them.", sanitize::text(&first.name))
}

/// Writes the spellings, if there are several.
pub(super) fn spellings(spellings: &[NamedGames], out: &mut Output) -> io::Result<()> {
    if spellings.len() > 1 { writeln!(out, "Written {}.", names(spellings)) } else { Ok(()) }
}

/// Writes that queries find more games, because they do not tell the spellings apart or `has_copies`.
pub(super) fn exactness(is_exact: bool, has_copies: bool, out: &mut Output) -> io::Result<()> {
    if is_exact {
        return Ok(());
    }
    if has_copies {
        return writeln!(out, "The queries of players may find more: copies of games that are given twice.");
    }
    writeln!(out, "The file of names parts spellings that queries do not tell apart: they find more games.")
}

/// Writes the head of a table of scores.
pub(super) fn score_head(title: &str, out: &mut Output) -> io::Result<()> {
    let title = padded(title, LABEL_WIDTH);
    writeln!(
        out,
        "\n{title} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "games", "won", "drawn", "lost", "other", "score"
    )
}

/// Writes a row of a table of scores, with its query below if that is wanted.
pub(super) fn score_row(
    label: &str,
    score: &ScoreAnswer,
    query: Option<&str>,
    out: &mut Output,
) -> io::Result<()> {
    let percent = score.score.map_or_else(String::new, |score| format!("{score:.1} %"));
    let row = format!(
        "{} {:>7} {:>6} {:>6} {:>6} {:>6} {percent:>7}",
        padded(label, LABEL_WIDTH),
        Count(score.games).to_string(),
        Count(score.won).to_string(),
        Count(score.drawn).to_string(),
        Count(score.lost).to_string(),
        Count(score.both_lost + score.unknown).to_string(),
    );
    writeln!(out, "{}", row.trim_end())?;
    query.map_or(Ok(()), |query| writeln!(out, "    {}", sanitize::text(query)))
}

/// Returns a year, or the first and last one.
pub(super) fn years(first: Option<u16>, last: Option<u16>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!("{first}-{last}"),
        (Some(year), _) | (None, Some(year)) => year.to_string(),
        (None, None) => String::new(),
    }
}
