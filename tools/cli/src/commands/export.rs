//! `pdn export`: writes games, moves, positions, comments or diagnostics as a table.

use std::io;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use pdn_app::ask::numbers::count;
use pdn_app::read::inputs::PartNumber;
use pdn_app::write::export::{ExportFormat, ExportRequest, Exported, SquaresWidth};
use pdn_app::{AppError, ErrorCode, Result};
use pdn_tables::Table;

use crate::args::filter::SelectionArgs;
use crate::args::shared::{FenStyleArgs, InputArgs, choice};
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

With --partition, the output is a folder of Parquet files, or of Arrow files with --format arrow, in the layout that data \
programs read as one table: `variant=english/year=1990/part-00000.parquet`. The values in the names of folders are not in the files; \
a missing one is called __HIVE_DEFAULT_PARTITION__. Possible columns are those with one of a few words, `year` and `month`. The \
folder must be new or empty; it appears when it is complete.

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

    /// Table to export; several, separated by commas, for SQLite
    #[arg(long, short, value_name = "TABLE", value_delimiter = ',', default_value = "games", value_parser = table_parser())]
    pub(crate) table: Vec<Table>,

    /// Output format [default: by the extension of the output file, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = choice::<ExportFormat>())]
    pub(crate) format: Option<ExportFormat>,

    /// Short for `--format jsonl`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Output file; `-` for standard output [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace the output file if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Columns to export, in this order, separated by commas [default: all but those made on request]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) columns: Option<Vec<String>>,

    /// List the columns of the table and stop
    #[arg(long)]
    pub(crate) list_columns: bool,

    /// Stop after this many rows of each table, 0 for no limit
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) limit: u64,

    /// Leave out the moves of variations
    #[arg(long)]
    pub(crate) main_line: bool,

    /// Include diagnostics of severity `style`
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) fen: FenStyleArgs,

    /// Width of sets of squares in Arrow and Parquet [default: u64]
    #[arg(long, value_name = "WIDTH", value_parser = choice::<SquaresWidth>())]
    pub(crate) squares: Option<SquaresWidth>,

    /// Read part I of N, of about equal length; all parts join to the whole file
    #[arg(long, value_name = "I/N", help_heading = "Part of a file")]
    pub(crate) part: Option<PartNumber>,

    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}

/// Creates a value parser for tables.
fn table_parser() -> impl clap::builder::TypedValueParser<Value = Table> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Table::ALL.map(Table::name)).map(|name| {
        // The parser before has compared the name with the same list.
        Table::ALL.into_iter().find(|table| table.name() == name).unwrap_or(Table::Games)
    })
}

impl ExportArgs {
    /// Returns the request.
    ///
    /// # Errors
    ///
    /// If a filter cannot be read.
    pub(crate) fn read(&self) -> Result<ExportRequest> {
        Ok(ExportRequest {
            inputs: self.input.read(),
            part: self.part,
            filter: self.selection.read()?,
            tables: self.table.clone(),
            columns: self.columns.clone(),
            format: self.format()?,
            squares: self.squares,
            fen_style: self.fen.fen_style,
            output: self.output_file().map(Path::to_owned),
            force: self.force,
            limit: Some(self.limit).filter(|limit| *limit > 0),
            main_line: self.main_line,
            style: self.strict,
        })
    }

    /// Returns the output file; `None` for standard output.
    pub(crate) fn output_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns the format that is given, or that of the extension of the output file, or CSV.
    ///
    /// # Errors
    ///
    /// If no format is given and the extension of the file is that of no format.
    fn format(&self) -> Result<ExportFormat> {
        let json = self.json.then_some(ExportFormat::Jsonl);
        if let Some(format) = json.or(self.format) {
            return Ok(format);
        }
        let Some(path) = self.output_file() else { return Ok(ExportFormat::Csv) };
        match (ExportFormat::of_file(path), path.extension()) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(ExportFormat::Csv),
            (None, Some(extension)) => {
                let message = format!("no format has the extension `.{}`", extension.display());
                let error = AppError::path(ErrorCode::InvalidValue, path, message).in_field("output");
                Err(error.cured_by("format", "names one; spreadsheets open CSV"))
            }
        }
    }
}

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
