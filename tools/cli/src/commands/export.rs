//! `pdn export`: writes games, moves, positions, comments or diagnostics as a table.

use std::io;
use std::io::{IsTerminal, Write};
use std::path::Path;

use clap::Args;
use pdn_app::ask::numbers::count;
use pdn_app::ask::position::FenStyleOption;
use pdn_app::write::export::{ExportFormat, ExportRequest, ExportTables, Exported};
use pdn_app::{AppError, ErrorCode, Result};
use pdn_tables::Table;

use crate::args::filter::SelectionArgs;
use crate::args::options::OptionArgs;
use crate::args::shared::InputArgs;
use crate::output::{CommandError, CommandResult, Exit, Output, sanitize};

pub(crate) const AFTER_HELP: &str = "\
The tables and their columns are listed in the guide (`pdn export --list-columns`). PATH is a file, folder or `-`, or one \
folder of an index; only an index gives the column `game`. The order of the rows is that of the input.

CSV has a header, CR LF at the end of each line, and an empty field for a missing value; an empty text is \"\". JSONL has one \
object per line. Keys of positions and sets of squares are hexadecimal: bit n-1 is the square with number n. In Arrow and \
Parquet they are integers of 64 bits, which 12x12 boards exceed: --squares wide.

Filters on players, dates, results and the like are answered while the records are read. Filters on positions, and `then`, \
`for` and the like in --query, take an index: for other input one is made in a temporary folder.

A table of tags replays nothing. From an index, columns that it stores are exported without reading the archive; \
variations, comments, tags and diagnostics are read from the archive, which must not have changed.

Arrow and Parquet are files for data programs. Their words are dictionaries, and their metadata says which tables and \
archives they come from. Standard output gets Arrow as a stream.

With --part, one file is read in parts, by processes of their own. The outputs of all parts in their order join \
to the output of the whole file: records, lines and variants are those of the whole file, and CSV has its header only in \
the part that begins the file. Each process splits the file up to its part, at some gigabytes a second.

A file is written under a temporary name and renamed when it is complete. Inputs that cannot be read are reported, the \
others are exported, and the exit code is 2.

Examples: `pdn export games.pdn --columns white,black,result -o games.csv`, `pdn export games.idx --table moves \
--main-line --player wiersma --format jsonl`, `seq 8 | xargs -P 4 -I I pdn export games.pdn --part I/8 --quiet -o part-I.csv`, `pdn export games.pdn --table \
positions -o positions.parquet`.";

#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("list_columns")))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) tables: OptionArgs<ExportTables>,

    #[command(flatten)]
    pub(crate) fen: OptionArgs<FenStyleOption>,

    /// Short for `--format jsonl`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// List the columns of the table and stop
    #[arg(long)]
    pub(crate) list_columns: bool,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

impl ExportArgs {
    /// Returns the request.
    ///
    /// # Errors
    ///
    /// If a filter cannot be read.
    pub(crate) fn read(&self) -> Result<ExportRequest> {
        let mut tables = self.tables.clone();
        tables.output = tables.output.filter(|path| path != Path::new("-"));
        if self.json {
            tables.format = Some(ExportFormat::Jsonl);
        }
        Ok(ExportRequest {
            inputs: self.input.read(),
            filter: self.selection.read()?,
            tables,
            fen: *self.fen,
        })
    }
}

/// Runs `pdn export`.
pub(crate) fn run(args: &ExportArgs, out: &mut Output) -> CommandResult {
    if args.list_columns {
        for table in &args.tables.table {
            list_columns(*table, out)?;
        }
        return Ok(Exit::Success);
    }
    let request = args.read()?;
    let is_text = matches!(request.tables.format()?, ExportFormat::Csv | ExportFormat::Jsonl);
    if !is_text && request.tables.output.is_none() && io::stdout().is_terminal() {
        let message = "the output is not text, so it is not written to a terminal; give `-o FILE`";
        return Err(AppError::plain(ErrorCode::Missing, message).into());
    }
    let mut messages = out.messages();
    let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(CommandError::Output);
    let exported = request.run(&mut write, &mut messages.context());
    // What was exported before an error stands before its message.
    out.flush()?;
    let exported = exported?;
    report(&request, &exported, out);
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
fn report(request: &ExportRequest, exported: &Exported, out: &Output) {
    let Some(path) = request.tables.output.as_ref().filter(|_| !out.is_quiet()) else { return };
    for table in &exported.tables {
        let rows = count(table.rows, "row");
        out.print_error(&format!("{}: {rows} of table `{}`", sanitize::path(path), table.table));
    }
}
