//! Tests of the files that tables are exported to; `.ci/run` runs them with the tests of the command's export.

#[cfg(all(feature = "ipc", feature = "parquet"))]
mod export_files;
