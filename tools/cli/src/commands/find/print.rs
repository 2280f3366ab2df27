//! Prints the matching games in every format, and the explanation of a search.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pdn::internal::pool;
use pdn::value::FenStyle;
use pdn_app::ask::fields::FoundField;
use pdn_app::ask::numbers::{Count, count, tells_speed};
use pdn_app::ask::rows::{FieldValue, RowReader};
use pdn_app::find::games::FindSearch;
use pdn_app::find::records::{RecordOptions, write_records};
use pdn_app::read::paths::is_index;
use pdn_app::report::groups::{GameGroups, GroupField, GroupRequest};
use pdn_app::write::name_map;
use pdn_app::{AppError, ErrorCode, Events};
use pdn_index::Index;
use pdn_index::internal::query::RowTable;
use pdn_index::internal::{RecordNumbers, TextReader};
use pdn_index::query::{Hit, SearchStats};
use pdn_tables::GameField;

use super::TABLE_LIMIT;
use crate::commands::find::FindArgs;
use crate::commands::find::FindFormat;
use crate::commands::people::{score_head, score_row};
use crate::output::table::Column;
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize, table};

/// Prints hits; looks up their rows and moves.
pub(super) struct Printer<'a> {
    pub(super) index: &'a Index,
    pub(super) table: &'a RowTable<'a>,
    pub(super) numbers: &'a RecordNumbers,
    /// The distances of the hits, if they are sorted by them.
    pub(super) distances: Option<&'a HashMap<Hit, u32>>,
    /// The index or the archives that the user named.
    pub(super) paths: &'a [PathBuf],
    pub(super) threads: NonZeroUsize,
    pub(super) fen_style: FenStyle,
}

/// The number of hits that a thread formats at a time.
const CHUNK: usize = 256;

/// The matches before `--sample` and `--limit`.
#[derive(Clone, Copy)]
pub(super) struct MatchCounts {
    pub(super) number: usize,
    /// They are positions, with `--all-plies`, and not games.
    pub(super) are_positions: bool,
    /// Those that are printed are chosen at random.
    pub(super) are_sampled: bool,
}

impl MatchCounts {
    /// Returns the sentence below a table that shows this many matches; `example` ends it.
    fn sentence(self, shown: usize, example: &str) -> String {
        let Self { number, are_positions, are_sampled } = self;
        let noun = if are_positions { "position" } else { "game" };
        if shown < number {
            let choice = if are_sampled { ", chosen at random" } else { "; `--limit 0` lists all" };
            let (shown, number) = (Count(shown as u64), Count(number as u64));
            return format!("{shown} of {number} {noun}s{choice}{example}.");
        }
        format!("{}{example}.", count(number as u64, noun))
    }
}

impl Printer<'_> {
    /// Prints a table with these fields, and then how many matches there are, which `counts` finds out.
    pub(super) fn table(
        &self,
        fields: &[FoundField],
        hits: &[Hit],
        counts: impl FnOnce() -> pdn_app::Result<MatchCounts>,
        out: &mut Output,
    ) -> CommandResult<()> {
        let reader = self.reader(fields);
        let mut texts = TextReader::new(self.index);
        let cells = |hit: &Hit| {
            let row = reader.row_with(hit, &mut texts)?;
            Ok(row.map(|row| row.values.iter().map(FieldValue::cell).collect()))
        };
        table::write(columns(fields), hits, cells, "see `--fields`", out)?;
        let example = hits.first().and_then(|hit| self.example(hit)).map_or_else(String::new, |command| {
            let all = if hits.len() == 1 { "it" } else { "one" };
            format!("; `{command}` shows {all}")
        });
        out.flush()?;
        writeln!(out, "{}", counts()?.sentence(hits.len(), &example))?;
        Ok(())
    }

    fn reader<'a>(&'a self, fields: &'a [FoundField]) -> RowReader<'a> {
        let Self { index, table, numbers, distances, fen_style, .. } = *self;
        RowReader { index, table, numbers, fields, distances, fen_style }
    }

    /// Returns the command that shows a game; `None` if there is none, as for standard input, an entry of a zip among several
    /// archives, and an index without the text.
    fn example(&self, hit: &Hit) -> Option<String> {
        let game = self.index.game(hit.game)?;
        let (path, number) = match self.paths {
            [path] if is_index(path) => {
                game.text().ok()?;
                (path, hit.game)
            }
            [path] => (path, hit.game),
            _ => (&game.input().ok()?.name, self.numbers.get(hit.game)?),
        };
        let is_file = path.exists() && !pdn::internal::source::is_stream(path);
        let place = match hit.line {
            0 => String::new(),
            line => format!(" --line {line} --ply {}", hit.ply),
        };
        is_file.then(|| format!("pdn show {} {}{place}", shell_word(&sanitize::path(path)), number + 1))
    }

    /// Prints one JSON object per hit, with these fields.
    pub(super) fn json(&self, fields: &[FoundField], hits: &[Hit], out: &mut Output) -> CommandResult<()> {
        let reader = self.reader(fields);
        self.print_in_parallel(hits, out, |hit, texts, text| {
            if let Some(row) = reader.row_with(hit, texts)? {
                let _ = writeln!(text, "{}", sanitize::json(&row));
            }
            Ok(())
        })
    }

    /// Prints what `append` writes for each hit, in their order, from all threads.
    fn print_in_parallel(
        &self,
        hits: &[Hit],
        out: &mut Output,
        append: impl Fn(&Hit, &mut TextReader<'_>, &mut String) -> pdn_app::Result<()> + Sync,
    ) -> CommandResult<()> {
        let mut written = Ok(());
        let printed = pool::try_ordered(
            hits.chunks(CHUNK),
            self.threads,
            || TextReader::new(self.index),
            |texts, hits| {
                let mut text = String::new();
                hits.iter().try_for_each(|hit| append(hit, texts, &mut text))?;
                Ok::<_, AppError>(text)
            },
            |text| {
                written = out.write_all(text.as_bytes());
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        written?;
        Ok(printed?)
    }

    /// Prints the records of the hits, and what is to be said of them. Returns `false` if one of them could not be read.
    pub(super) fn records(
        &self,
        hits: &[Hit],
        options: RecordOptions,
        out: &mut Output,
    ) -> CommandResult<bool> {
        let mut printed = Ok(());
        let write = &mut |text: &[u8]| {
            printed = out.write_all(text);
            if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let written = write_records(self.index, self.table, hits, options, &interrupt::handle(), write)?;
        printed.and_then(|()| out.flush())?;
        written.problems().for_each(|problem| out.problem(&problem));
        written.remarks(options.raw).iter().for_each(|remark| out.note(remark));
        Ok(written.is_complete())
    }

    /// Prints the FEN of each matching position.
    pub(super) fn fen(&self, hits: &[Hit], out: &mut Output) -> CommandResult<()> {
        self.print_in_parallel(hits, out, |hit, _, text| {
            if let Some(game) = self.index.game(hit.game) {
                let _ = writeln!(text, "{}", game.position_in(hit.line, hit.ply)?.fen_as(self.fen_style));
            }
            Ok(())
        })
    }
}

/// Prints the query plan, the number of games left after each step, and the time, to standard error.
pub(super) fn explain(search: &FindSearch<'_>, stats: SearchStats, hits: u64, total_time: Duration) {
    let (plan, planning_time) = (search.steps(), search.planning_time);
    let number = |number: u64| Count(number).to_string();
    let noun = |number: u64, noun: &str| format!("{noun}{}", if number == 1 { "" } else { "s" });
    let mut text = format!("{:>12} {} in the index\n", number(plan.games), noun(plan.games, "game"));
    for step in &plan.steps {
        let exactness = match (step.exact, step.reads_text) {
            (true, _) => "",
            (false, true) => ", their texts to be read",
            (false, false) => ", to be replayed",
        };
        text += &format!("{:>12} left by {}{exactness}\n", number(step.games), sanitize::text(&step.text));
    }
    if plan.played > 0 {
        let [white, black] = plan.least;
        let early_end = if white + black >= 6 {
            format!(", each until fewer than {white} white or {black} black pieces are left")
        } else {
            String::new()
        };
        text += &format!("{:>12} replayed{early_end}\n", number(stats.games));
        text += &format!("{:>12} {}", number(stats.positions), noun(stats.positions, "position"));
        let seconds = (total_time - planning_time).as_secs_f64();
        if tells_speed(seconds) {
            text += &format!(", {:.0} million per second", stats.positions as f64 / seconds / 1e6);
        }
        text += "\n";
    }
    text += &format!(
        "{:>12} {}; planned in {:.1} ms, {:.1} ms in all",
        number(hits),
        if hits == 1 { "match" } else { "matches" },
        planning_time.as_secs_f64() * 1e3,
        total_time.as_secs_f64() * 1e3
    );
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Returns the columns of fields.
fn columns(fields: &[FoundField]) -> Vec<Column> {
    let has_date = fields.contains(&FoundField::Game(GameField::Date));
    let column = |field: &FoundField| match field {
        // The date as written is the one that people read, unless both are wanted.
        FoundField::Game(GameField::DateText) if !has_date => Column::new("date", false),
        field => {
            let is_number = match field {
                FoundField::Game(field) => field.is_number(),
                field => matches!(field, FoundField::Line | FoundField::Distance),
            };
            Column::new(&field.to_string(), is_number)
        }
    };
    fields.iter().map(column).collect()
}

/// Returns a path as a word of a command line: in single quotes if a shell would see more in it than a name, and after `./` if it
/// would be taken for an option.
fn shell_word(path: &str) -> Cow<'_, str> {
    if path.starts_with('-') {
        return shell_word(&format!("./{path}")).into_owned().into();
    }
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path.into();
    }
    format!("'{}'", path.replace('\'', r"'\''")).into()
}

/// Runs `pdn find --by FIELD`.
pub(super) fn groups(
    args: &FindArgs,
    by: &GroupField,
    threads: NonZeroUsize,
    out: &mut Output,
) -> CommandResult {
    let format = args.format();
    if !matches!(format, FindFormat::Table | FindFormat::Json) {
        return Err(AppError::plain(
            ErrorCode::Contradiction,
            "groups are written as a table or as JSON only",
        )
        .in_field("by")
        .into());
    }
    let default_limit = if format == FindFormat::Table { TABLE_LIMIT } else { 0 };
    let request = GroupRequest {
        filter: args.games.read_with(Some(&args.position))?,
        by: by.clone(),
        names: args.names.as_deref().map(name_map::read).transpose()?.map(Arc::new),
        limit: args.limit.unwrap_or(default_limit),
        max_positions: 0,
    };
    let index = args.searched.read().open(threads, request.needs_text(), &mut out.context())?;
    let found = request.run(&index, threads, &interrupt::handle())?;
    if found.games == 0 {
        out.problem(&found.no_match(&index, threads)?);
        return Ok(index_exit(&index, Exit::Negative));
    }
    if format == FindFormat::Json {
        for group in &found.groups {
            writeln!(out, "{}", sanitize::json(group))?;
        }
    } else {
        table(&found, by, out)?;
    }
    Ok(index_exit(&index, Exit::Success))
}

/// Writes a row for each group with its query below.
fn table(found: &GameGroups, by: &GroupField, out: &mut Output) -> CommandResult<()> {
    score_head(&by.name(), out)?;
    for group in &found.groups {
        let label = match (&group.value, by) {
            (FieldValue::Null, GroupField::Move) => "end of the game".to_owned(),
            (FieldValue::Null, _) => "unknown".to_owned(),
            (value, _) => value.cell(),
        };
        let label = if label.is_empty() { "unknown".to_owned() } else { label };
        score_row(&label, &group.score, Some(&group.query), out)?;
    }
    let games = count(found.games, "game");
    let (shown, all) = (Count(found.groups.len() as u64), count(found.group_count as u64, "group"));
    if found.groups.len() < found.group_count {
        writeln!(out, "\n{games}; {shown} of {all}, `--limit 0` lists all.")?;
    } else {
        writeln!(out, "\n{games} in {all}.")?;
    }
    if found.self_games > 0 {
        writeln!(out, "{} with one name on both sides: in no group.", count(found.self_games, "game"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_shells() {
        for (path, word) in [
            ("games.idx", "games.idx"),
            ("a/b-1.pdn", "a/b-1.pdn"),
            ("my games.pdn", "'my games.pdn'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("", "''"),
            ("-a.pdn", "./-a.pdn"),
            ("-my games.pdn", "'./-my games.pdn'"),
        ] {
            assert_eq!(shell_word(path), word);
        }
    }
}
