//! `pdn export`: writes games, moves, positions, comments or diagnostics as a table.

use std::io::{self, IsTerminal, Write};

use pdn_app::export::{ExportFormat, Exported};
use pdn_app::numbers::count;
use pdn_app::{AppError, ErrorCode};
use pdn_tables::Table;

use crate::args::ExportArgs;
use crate::output::{CommandError, CommandResult, Exit, Output, sanitize};

/// Runs `pdn export`.
pub(crate) fn run(args: &ExportArgs, out: &mut Output) -> CommandResult {
    if args.list_columns {
        for table in &args.table {
            list_columns(*table, out)?;
        }
        return Ok(Exit::Success);
    }
    let request = args.read()?;
    let is_text = matches!(request.format, ExportFormat::Csv | ExportFormat::Jsonl);
    if !is_text && request.output.is_none() && io::stdout().is_terminal() {
        let message = "the output is not text, so it is not written to a terminal; give `-o FILE`";
        return Err(AppError::plain(ErrorCode::Missing, message).into());
    }
    let mut messages = out.messages();
    let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(CommandError::Output);
    let exported = request.run(&mut write, &mut messages.context());
    // What was exported before an error stands before its message.
    out.flush()?;
    let exported = exported?;
    report(args, &exported, out);
    Ok(match (exported.is_complete, exported.is_written) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Negative,
        (true, true) => Exit::Success,
    })
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

/// Reports the numbers of rows, unless they went to standard output.
fn report(args: &ExportArgs, exported: &Exported, out: &Output) {
    let Some(path) = args.output_file().filter(|_| !out.is_quiet()) else { return };
    for table in &exported.tables {
        let rows = count(table.rows, "row");
        out.print_error(&format!("{}: {rows} of table `{}`", sanitize::path(path), table.table));
    }
}
