//! `pdn export`: writes games, moves, positions, comments or diagnostics as a table.

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod arrow;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod partitions;
mod sink;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::io::{self, Write};
use std::path::Path;

use pdn::export::{ColumnSelection, ExportOptions, Table, is_game_query};
use pdn::replay::ReplayOptions;

use self::sink::{Encoder, Sink};
use crate::args::{ExportArgs, ExportFormat};
use crate::output::exit::print_error;
use crate::output::{CommandError, CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::Context;
use pdn_app::inputs::Portion;
use pdn_app::numbers::count;
use pdn_app::tables::Source;

/// Runs `pdn export`.
pub(crate) fn run(args: &ExportArgs, out: &mut Output) -> CommandResult {
    if args.list_columns {
        for table in &args.table {
            list_columns(*table, out)?;
        }
        return Ok(Exit::Success);
    }
    let Some(selections) = selections(args) else { return Ok(Exit::Failure) };
    let filter = args.selection.read()?;
    let query = filter.query();
    let replay = ReplayOptions::new().game(args.selection.untagged);
    let portion = Portion::find(args.part.read(), &args.input.read(), &replay)?;
    if args.part.read().is_some() && !is_game_query(&query) {
        print_error("--part, --range: this query takes an index, which is made of a whole file");
        return Ok(Exit::Failure);
    }
    let mut sink = Sink::create(args)?;
    let begins_input = portion.begins_input();
    let source = match portion {
        Portion::Part(part) => Source::Archives(Some(Box::new(part))),
        Portion::Nothing => {
            sink.finish(false, out)?;
            return Ok(Exit::Success);
        }
        Portion::All => {
            Source::open(&args.input.read(), args.selection.untagged, &filter, &query, &mut out.context())?
        }
    };
    if selections.len() > 1 && !source.is_repeatable(&args.input.read()) {
        print_error("--table: a stream can be read only once; export one table, or a file");
        return Ok(Exit::Failure);
    }
    let options =
        ExportOptions::new().replay(replay).query(query).main_line(args.main_line).style(args.strict);
    sink.install_handler();
    let mut exit = Exit::Success;
    let (mut messages, mut all_rows) = (out.messages(), 0);
    for selection in &selections {
        let encoder = Encoder::new(args, selection);
        if let Err(error) = sink.begin(args, selection, &encoder, begins_input, out) {
            return sink.failed(error);
        }
        let passed = source.pass(
            &args.input.read(),
            selection,
            &options,
            &|batch| encoder.encode(batch),
            &mut |rows, _: &mut Context<'_>| sink.write(rows, &encoder, out).map_err(CommandError::Output),
            &mut messages.context(),
        );
        all_rows += sink.rows;
        match passed {
            _ if interrupt::is_requested() => {
                out.print_error("stopped; no file was written");
                return Ok(Exit::Interrupted);
            }
            Ok(passed) => {
                if let Err(error) = sink.end_table(out) {
                    return sink.failed(error);
                }
                report(args, selection.table(), &sink, passed.incomplete, out);
                if !passed.complete {
                    exit = Exit::Failure;
                }
            }
            Err(CommandError::Output(error)) => return sink.failed(error),
            Err(error) => {
                out.flush()?;
                return Err(error);
            }
        }
    }
    let finished = sink.finish(all_rows == 0, out);
    interrupt::end_at_once();
    Ok(if finished? { exit } else { exit.max(Exit::Negative) })
}

/// Returns the columns of each table; prints why and returns `None` if they are not valid.
fn selections(args: &ExportArgs) -> Option<Vec<ColumnSelection>> {
    let format = args.format();
    if args.table.len() > 1 && format != ExportFormat::Sqlite {
        print_error("--table: only a SQLite file holds several tables; export them one by one");
        return None;
    }
    let repeated = (1..args.table.len()).find(|&n| args.table[..n].contains(&args.table[n]));
    if let Some(repeated) = repeated {
        print_error(&format!("--table: `{}` is given twice", args.table[repeated]));
        return None;
    }
    if args.table.len() > 1 && args.columns.is_some() {
        print_error("--columns: takes a single table");
        return None;
    }
    if args.is_partitioned() {
        return partitioned_selection(args).map(|selection| vec![selection]);
    }
    let Some(names) = &args.columns else {
        return Some(args.table.iter().map(|&table| ColumnSelection::of(table)).collect());
    };
    named_selection(args.table[0], names.iter().map(|name| name.trim())).map(|selection| vec![selection])
}

/// Returns the columns with these names; prints why and returns `None` if they are not valid.
fn named_selection<'a>(table: Table, names: impl Iterator<Item = &'a str>) -> Option<ColumnSelection> {
    match ColumnSelection::named(table, names) {
        Ok(selection) => Some(selection),
        Err(error) => {
            print_error(&format!("--columns: {}", sanitize::text(&error.to_string())));
            None
        }
    }
}

/// Returns the columns of a table that is divided, those that divide it included.
#[cfg(any(feature = "arrow", feature = "parquet"))]
fn partitioned_selection(args: &ExportArgs) -> Option<ColumnSelection> {
    let table = args.table[0];
    let keys = match partitions::keys(args, table) {
        Ok(keys) => keys,
        Err(message) => {
            print_error(&message);
            return None;
        }
    };
    let mut names: Vec<&str> = match &args.columns {
        Some(names) => names.iter().map(|name| name.trim()).collect(),
        None => ColumnSelection::of(table).specs().map(|column| column.name).collect(),
    };
    if names.iter().all(|name| keys.contains(name)) {
        print_error("--partition: no column is left; these columns are in the names of the folders");
        return None;
    }
    let missing = keys.into_iter().filter(|key| !names.contains(key)).collect::<Vec<_>>();
    names.extend(missing);
    named_selection(table, names.into_iter())
}

/// Returns the columns of a table that this build of the command cannot divide, which is reported later.
#[cfg(not(any(feature = "arrow", feature = "parquet")))]
#[expect(clippy::unnecessary_wraps, reason = "columns that are not valid have no selection")]
fn partitioned_selection(args: &ExportArgs) -> Option<ColumnSelection> {
    Some(ColumnSelection::of(args.table[0]))
}

/// Prints the columns of a table with their types and meanings.
fn list_columns(table: Table, out: &mut Output) -> io::Result<()> {
    writeln!(out, "{table}:")?;
    for column in table.columns() {
        let null = if column.nullable { " or null" } else { "" };
        let extra = if column.default { "" } else { " (only on request)" };
        let value_type = format!("{}{null}", column.value_type.name());
        writeln!(out, "  {:<14} {value_type:<22} {}{extra}", column.name, column.doc)?;
    }
    Ok(())
}

/// Reports the number of rows, unless they went to standard output, and rows that are incomplete.
fn report(args: &ExportArgs, table: Table, sink: &Sink, incomplete: u64, out: &Output) {
    if incomplete > 0 {
        out.print_error(&format!(
            "{}: longer than 256 KiB; variations, clocks and texts of moves were left out",
            count(incomplete, "record")
        ));
    }
    if let Some(path) = args.output.as_deref().filter(|path| *path != Path::new("-"))
        && !args.quiet
    {
        let rows = count(sink.rows, "row");
        let partitions =
            sink.partitions().map(|partitions| format!(" in {}", count(partitions as u64, "partition")));
        let partitions = partitions.unwrap_or_default();
        out.print_error(&format!("{}: {rows} of table `{table}`{partitions}", sanitize::path(path)));
    }
}
