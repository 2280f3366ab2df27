//! Prints the matching games by group, each group with the query that finds its games.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;

use pdn_app::groups::{GameGroups, GroupField, GroupRequest};
use pdn_app::name_map;
use pdn_app::numbers::{Count, count};
use pdn_app::rows::FieldValue;
use pdn_app::{AppError, ErrorCode, Events};

use super::TABLE_LIMIT;
use crate::args::{FindArgs, FindFormat};
use crate::commands::people::{score_head, score_row};
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize};

/// Runs `pdn find --by FIELD`.
pub(super) fn run(
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
    Ok(())
}
