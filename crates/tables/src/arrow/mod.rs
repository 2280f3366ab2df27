//! Tables of draughts games as Arrow record batches.
//!
//! [`ArrowTable`] is one of the tables of [`pdn_tables`] over archives or an index: its columns are chosen and its query
//! is checked when it is made, and nothing is read before [`ArrowTable::reader`] is asked for its first batch. The rows
//! are those of `pdn export`, in the same order, made on several threads with bounded memory. [`BatchConverter`] converts rows
//! that the caller has made.
//!
//! With the feature `ipc`, `IpcWriter` writes Arrow files and streams; with `parquet`, `ParquetWriter` writes Parquet files.
//!
//! ```
//! use pdn_tables::{ColumnSelection, Table};
//! use pdn::source::Bytes;
//! use pdn_tables::arrow::{ArchiveInput, ArrowTable, Rows, TableOptions};
//!
//! let text = b"[White \"Ames\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n".to_vec();
//! let rows = Rows::of([ArchiveInput::Memory("games.pdn".into(), Bytes::from(text))]);
//! let columns = ColumnSelection::named(Table::Moves, ["ply", "text"]).unwrap();
//! let table = ArrowTable::new(rows, columns, TableOptions::new())?;
//! let batches = table.reader().collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(batches[0].num_rows(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod input;
mod schema;
mod text_array;
mod convert;
#[cfg(feature = "ipc")]
mod ipc;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(any(feature = "ipc", feature = "parquet"))]
mod file;
mod table;
mod searched;
mod reader;

pub use arrow_array::RecordBatch;
pub use arrow_schema::SchemaRef;
pub use error::TableError;
#[cfg(any(feature = "ipc", feature = "parquet"))]
pub use file::{FileEncoder, FileFormat};
pub use input::{ArchiveBatches, ArchiveInput, RemoteFile, SkippedArchives, TableArchive};
#[cfg(feature = "ipc")]
pub use ipc::{IpcFormat, IpcWriter};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetOptions, ParquetWriter};
pub use reader::TableReader;
pub use reader::{BatchConverter, with_metadata};
pub use schema::{SquaresType, StringsType, arrow_schema};
pub use table::{ArrowTable, Rows, TableOptions};
