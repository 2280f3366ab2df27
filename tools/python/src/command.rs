//! The command `pdn` in this process, as the program that the wheel installs.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

/// The exit code of a program that panics.
const PANICKED: u8 = 101;

/// Runs the command `pdn` with these arguments, the first of which is the name of the program. Returns its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    // The message of a panic is printed; a traceback of Python would say nothing more.
    py.detach(|| catch_unwind(AssertUnwindSafe(|| pdn_cli::run(arguments))).unwrap_or(PANICKED))
}
