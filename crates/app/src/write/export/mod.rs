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
use crate::ask::named::named;
use crate::ask::numbers::count;
use crate::ask::position::FenStyleName;
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

/// Asks for tables.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// The archives, or an index.
    pub inputs: Inputs,
    /// The part of the only file that is read; `None` for all.
    pub part: Option<PartNumber>,
    /// The games.
    pub filter: Filter,
    /// The tables; several for SQLite.
    pub tables: Vec<Table>,
    /// The names of the columns of the only table; `None` for all but those made on request.
    pub columns: Option<Vec<String>>,
    /// The format.
    pub format: ExportFormat,
    /// How positions are written.
    pub fen_style: FenStyleName,
    /// The width of sets of squares; `None` for 64 bits.
    pub squares: Option<SquaresWidth>,
    /// The file; `None` for the text or bytes alone.
    pub output: Option<PathBuf>,
    /// Whether a file that exists may be replaced.
    pub force: bool,
    /// The greatest number of rows of each table; `None` for all.
    pub limit: Option<u64>,
    /// Whether the moves of variations are left out.
    pub main_line: bool,
    /// Whether diagnostics of severity `style` are included.
    pub style: bool,
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
        let query = self.filter.query();
        let replay = self.inputs.read.replay();
        let portion = Portion::find(self.part, &self.inputs, &replay)?;
        let needs_index = selections.iter().any(ColumnSelection::needs_index);
        if self.part.is_some() && (needs_index || !is_game_query(&query)) {
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
            .main_line(self.main_line)
            .style(self.style)
            .fen_style(self.fen_style.into());
        for selection in &selections {
            let encoder = Encoder::new(self, selection);
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
        let is_empty = exported.tables.iter().all(|table| table.rows == 0);
        exported.is_written = sink.finish(is_empty, context)?;
        context.events.settled();
        Ok(exported)
    }

    /// Checks that this build of the program has the format, and that the other fields suit it.
    fn check(&self) -> Result<()> {
        self.format.check()?;
        if self.squares.is_some() && !self.format.is_for_data_programs() {
            let message =
                "is for Arrow and Parquet; other formats write as many digits as a set of squares needs";
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("squares"));
        }
        if self.tables.len() > 1 && self.format != ExportFormat::Sqlite {
            let message = "only a SQLite file holds several tables; export them one by one";
            return Err(AppError::plain(ErrorCode::InvalidValue, message).in_field("table"));
        }
        let repeated = (1..self.tables.len()).find(|&n| self.tables[..n].contains(&self.tables[n]));
        if let Some(repeated) = repeated {
            return Err(AppError::plain(
                ErrorCode::InvalidValue,
                format!("`{}` is given twice", self.tables[repeated]),
            )
            .in_field("table"));
        }
        if self.tables.len() > 1 && self.columns.is_some() {
            return Err(AppError::plain(ErrorCode::InvalidValue, "takes a single table").in_field("columns"));
        }
        Ok(())
    }

    /// Returns the columns of each table.
    fn selections(&self) -> Result<Vec<ColumnSelection>> {
        let names = self.columns.as_ref().map(|names| names.iter().map(|name| name.trim()));
        match (self.tables.as_slice(), names) {
            (&[table], Some(names)) => {
                let selection = ColumnSelection::named(table, names).map_err(|error| {
                    AppError::plain(ErrorCode::InvalidValue, error.to_string()).in_field("columns")
                })?;
                Ok(vec![selection])
            }
            (tables, _) => Ok(tables.iter().map(|&table| ColumnSelection::of(table)).collect()),
        }
    }
}
