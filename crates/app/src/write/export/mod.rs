//! Tables of games, moves, positions, comments or diagnostics, as text, databases or files for data programs.

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod arrow;
#[cfg(feature = "sqlite")]
mod sqlite;
mod sink;

use std::path::{Path, PathBuf};

use pdn_tables::{ColumnSelection, ExportOptions, Table, is_game_query};

use self::sink::{Encoder, Sink};
use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::ask::named::{Named, named};
use crate::ask::numbers::count;
use crate::ask::options::{options, texts};
use crate::ask::position::FenStyleOption;
use crate::read::inputs::{Inputs, PartNumber, Portion};
use crate::read::tables::{Source, SourceNeeds};

named! {
    /// The form of tables.
    pub enum ExportFormat {
        /// Comma-separated values: RFC 4180, UTF-8
        Csv = "csv",
        /// One JSON object per line
        Jsonl = "jsonl",
        /// A database of SQLite with a table of the same name
        Sqlite = "sqlite",
        /// Arrow: a file, or a stream to standard output, pipes and .arrows
        Arrow = "arrow",
        /// Parquet, compressed with Zstandard
        Parquet = "parquet",
    }
}

named! {
    /// The width of sets of squares in Arrow and Parquet.
    pub enum SquaresWidth {
        /// Integers of 64 bits, which hold all boards but 12x12
        U64 = "u64",
        /// 16 bytes, little endian, which hold every board
        Wide = "wide",
    }
}

impl ExportFormat {
    /// Returns the format that the extension of a file names.
    pub fn of_file(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "csv" | "txt" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "sqlite" | "sqlite3" | "db" => Some(Self::Sqlite),
            "arrow" | "arrows" | "feather" => Some(Self::Arrow),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// Returns `true` for files of Arrow and Parquet.
    const fn is_for_data_programs(self) -> bool {
        matches!(self, Self::Arrow | Self::Parquet)
    }

    /// Checks that this build of the program has the format.
    fn check(self) -> Result<()> {
        let (lacks, cure) = match self {
            Self::Sqlite if !cfg!(feature = "sqlite") => (
                "SQLite",
                "export CSV, which SQLite imports (`.import --csv FILE TABLE`), or build pdn with `--features sqlite`",
            ),
            Self::Arrow if !cfg!(feature = "arrow") => {
                ("Arrow", "export CSV, or build pdn with `--features arrow`")
            }
            Self::Parquet if !cfg!(feature = "parquet") => {
                ("Parquet", "export CSV, or build pdn with `--features parquet`")
            }
            _ => return Ok(()),
        };
        Err(AppError::plain(ErrorCode::InvalidValue, format!("this build of pdn has no {lacks}"))
            .in_field("format")
            .help(cure))
    }
}

impl Named for Table {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Games, Self::Games.name(), ""),
        (Self::Moves, Self::Moves.name(), ""),
        (Self::Positions, Self::Positions.name(), ""),
        (Self::Comments, Self::Comments.name(), ""),
        (Self::Diagnostics, Self::Diagnostics.name(), ""),
    ];
}

texts! { PartNumber }

options! {
    /// What is exported, and where it goes.
    pub struct ExportTables in "" {
        /// Table to export; several, separated by commas, for SQLite
        table: Vec<Table> = vec![Table::Games], value "TABLE", short "t";
        /// Output format [default: by the extension of the output file, else csv]
        format: Option<ExportFormat>, value "FORMAT";
        /// Output file; `-` for standard output [default: standard output]
        output: Option<PathBuf>, value "FILE", short "o";
        /// Replace the output file if it exists
        force: bool;
        /// Columns to export, in this order, separated by commas [default: all but those made on request]
        columns: Vec<String>, value "NAMES";
        /// Stop after this many rows of each table, 0 for no limit
        limit: u64, value "N";
        /// Leave out the moves of variations
        main_line: bool;
        /// Include diagnostics of severity `style`
        strict: bool;
        /// Width of sets of squares in Arrow and Parquet [default: u64]
        squares: Option<SquaresWidth>, value "WIDTH";
        /// Read part I of N, of about equal length; all parts join to the whole file
        part: Option<PartNumber>, value "I/N", heading "Part of a file";
    }
}

impl ExportTables {
    /// Returns the format that is given, or that of the extension of the output file, or CSV.
    ///
    /// # Errors
    ///
    /// In the field `output` if no format is given and the extension of the file is that of no format.
    pub fn format(&self) -> Result<ExportFormat> {
        let (None, Some(path)) = (self.format, &self.output) else {
            return Ok(self.format.unwrap_or(ExportFormat::Csv));
        };
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

/// Asks for tables.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// The archives, or an index.
    pub inputs: Inputs,
    /// The games.
    pub filter: Filter,
    /// What is exported, and where it goes.
    pub tables: ExportTables,
    /// How positions are written.
    pub fen: FenStyleOption,
}

/// What was exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// The tables in their order.
    pub tables: Vec<ExportedTable>,
    /// Whether all inputs could be read completely.
    pub is_complete: bool,
    /// Whether the output was written. A file that exists is not replaced by tables without rows.
    pub is_written: bool,
}

/// A table that was exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportedTable {
    /// The table.
    pub table: Table,
    /// The number of its rows.
    pub rows: u64,
}

impl ExportRequest {
    /// Exports the tables. Without an output file, the bytes go to `write`. Inputs that cannot be read are problems of the context, and
    /// records whose rows are incomplete are a note.
    ///
    /// # Errors
    ///
    /// The first error of `write`; if a field is wrong or does not suit the others, a file cannot be read or written, or the work was
    /// stopped. No file is written then.
    pub fn run<E: From<AppError>>(
        &self,
        write: &mut dyn FnMut(&[u8]) -> std::result::Result<(), E>,
        context: &mut Context<'_>,
    ) -> std::result::Result<Exported, E> {
        self.check()?;
        let selections = self.selections()?;
        if self.filter.ending_tables().is_none() && selections.iter().any(ColumnSelection::needs_tables) {
            let error = AppError::plain(ErrorCode::Missing, "a column takes tables of endings");
            return Err(error.in_field("columns").cured_by("tables", "names the folder of some").into());
        }
        let query = self.filter.query();
        let replay = self.inputs.read.replay();
        let portion = Portion::find(self.tables.part, &self.inputs, &replay)?;
        let needs_index = selections.iter().any(ColumnSelection::needs_index);
        if self.tables.part.is_some() && (needs_index || !is_game_query(&query)) {
            let what = if needs_index { "a column" } else { "this query" };
            let message = format!("{what} takes an index, which is made of a whole file");
            return Err(AppError::plain(ErrorCode::Contradiction, message).in_field("part").into());
        }
        let mut sink = Sink::create(self, write)?;
        if let Some(path) = sink.temporary() {
            context.events.temporary(path);
        }
        let begins_input = portion.begins_input();
        let mut exported = Exported { tables: Vec::new(), is_complete: true, is_written: true };
        let source = match portion {
            Portion::Part(part) => Source::Archives(Some(Box::new(part))),
            Portion::Nothing => {
                exported.is_written = sink.finish(false, context)?;
                return Ok(exported);
            }
            Portion::All => {
                let needs = if needs_index { SourceNeeds::Index } else { SourceNeeds::OfQuery };
                Source::open(&self.inputs, &self.filter, &query, needs, context)?
            }
        };
        if selections.len() > 1 && !source.is_repeatable(&self.inputs) {
            let message = "a stream can be read only once; export one table, or a file";
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("table").into());
        }
        let options = ExportOptions::new()
            .replay(replay)
            .query(query)
            .main_line(self.tables.main_line)
            .style(self.tables.strict)
            .tables(self.filter.ending_tables().cloned())
            .fen_style(self.fen.fen_style.into());
        for selection in &selections {
            let encoder = Encoder::new(&self.tables, selection)?;
            sink.begin(selection, &encoder, begins_input)?;
            let passed = source.pass(
                &self.inputs,
                selection,
                &options,
                &|batch| encoder.encode(batch),
                &mut |rows, _: &mut Context<'_>| sink.write(rows, &encoder),
                context,
            );
            if context.stop.is_requested() {
                return Err(AppError::plain(ErrorCode::Stopped, "stopped; no file was written").into());
            }
            let passed = passed?;
            sink.end_table()?;
            if passed.incomplete > 0 {
                let records = count(passed.incomplete, "record");
                context.events.note(&format!(
                    "{records}: longer than 256 KiB; variations, clocks and texts of moves were left out"
                ));
            }
            exported.is_complete &= passed.complete;
            exported.tables.push(ExportedTable { table: selection.table(), rows: sink.rows });
        }
        self.filter.check_asked_tables()?;
        let is_empty = exported.tables.iter().all(|table| table.rows == 0);
        exported.is_written = sink.finish(is_empty, context)?;
        context.events.settled();
        Ok(exported)
    }

    /// Checks that this build of the program has the format, and that the other fields suit it.
    fn check(&self) -> Result<()> {
        let ExportTables { table, columns, squares, .. } = &self.tables;
        let format = self.tables.format()?;
        format.check()?;
        if squares.is_some() && !format.is_for_data_programs() {
            let message =
                "is for Arrow and Parquet; other formats write as many digits as a set of squares needs";
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("squares"));
        }
        if table.len() > 1 && format != ExportFormat::Sqlite {
            let message = "only a SQLite file holds several tables; export them one by one";
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("table"));
        }
        let repeated = (1..table.len()).find(|&n| table[..n].contains(&table[n]));
        if let Some(repeated) = repeated {
            return Err(AppError::plain(
                ErrorCode::InvalidValue,
                format!("`{}` is given twice", table[repeated]),
            )
            .in_field("table"));
        }
        if table.len() > 1 && !columns.is_empty() {
            return Err(AppError::plain(ErrorCode::InvalidValue, "takes a single table").in_field("columns"));
        }
        Ok(())
    }

    /// Returns the columns of each table.
    fn selections(&self) -> Result<Vec<ColumnSelection>> {
        let ExportTables { table, columns, .. } = &self.tables;
        match table.as_slice() {
            &[table] if !columns.is_empty() => {
                let names = columns.iter().map(|name| name.trim());
                let selection = ColumnSelection::named(table, names).map_err(|error| {
                    AppError::plain(ErrorCode::InvalidValue, error.to_string()).in_field("columns")
                })?;
                Ok(vec![selection])
            }
            tables => Ok(tables.iter().map(|&table| ColumnSelection::of(table)).collect()),
        }
    }
}
