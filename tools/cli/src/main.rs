//! The program `pdn`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pdn_cli::run(std::env::args_os()))
}
