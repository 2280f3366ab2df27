//! Text formats of tables.

mod value;
mod csv;
mod jsonl;

pub use csv::CsvWriter;
pub use jsonl::{JsonlWriter, write_json_value};
