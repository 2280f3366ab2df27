//! Arguments that only functions of Python have. They are declared as the options of questions are, so that signatures and stubs are
//! generated from both.
#![expect(unreachable_pub, reason = "the macros declare public types")]

use pdn_app::ask::named::named;
use pdn_app::ask::options::options;
use pdn_tables::Table;

named! {
    /// What happens to files that cannot be read.
    pub enum Errors {
        /// The first one is an error
        Raise = "raise",
        /// They are left out and listed
        Skip = "skip",
    }
}

named! {
    /// The Arrow type of texts.
    pub enum Strings {
        /// Dictionaries
        Dictionary = "dictionary",
        /// Texts
        Plain = "plain",
    }
}

options! {
    /// What happens to files that cannot be read.
    pub struct Failures in "" {
        /// Whether such a file is an error or left out [default: an error if it was named, left out if it was found in a folder]
        errors: Option<Errors>;
    }
}

options! {
    /// How files are read.
    pub struct Mapping in "" {
        /// Map files into memory
        mmap: bool;
    }
}

options! {
    /// How the texts of a table are given.
    pub struct Texts in "" {
        /// Type of texts
        strings: Strings;
    }
}

/// Returns the names of those options of an export that a table in Python has, too.
pub const fn export_options(table: Table) -> &'static [&'static str] {
    match table {
        Table::Moves => &["main_line"],
        Table::Positions => &["squares"],
        Table::Diagnostics => &["strict"],
        _ => &[],
    }
}

/// The options of the check that `pdn.check` has.
pub const CHECK_OPTIONS: &[&str] = &["strict"];
