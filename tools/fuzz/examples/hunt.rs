//! Repeats random short units for every command until a number of them is reached, and prints those that take more than linear work.
//!
//! ```sh
//! cargo test -p pdn-cli --no-run      # builds a command that counts steps
//! cargo run -p pdn-fuzz --example hunt -- target/debug/pdn SEED UNITS
//! ```

#![expect(clippy::print_stdout, reason = "it prints what it finds")]

#[path = "../../../tests/support/hunt.rs"]
mod hunt;

use std::io;
use std::process::{Command, ExitCode};

fn main() -> io::Result<ExitCode> {
    let mut args = std::env::args().skip(1);
    let program = args.next().unwrap_or_else(|| "target/debug/pdn".to_owned());
    let seed = args.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let count = args.next().and_then(|count| count.parse().ok()).unwrap_or(100);
    let (mut is_counted, mut found) = (false, 0);
    for unit in hunt::units(seed, count) {
        let folder = tempfile::tempdir()?;
        let worse = hunt::more_than_linear(&unit, folder.path(), |args| {
            let output = Command::new(&program).args(args).env("PDN_COUNT_STEPS", "1").output().ok()?;
            let err = String::from_utf8_lossy(&output.stderr);
            if !output.status.code().is_some_and(|code| (0..=2).contains(&code)) {
                println!("{unit:?}: {args:?} ends with {}", output.status);
                found += 1;
            }
            let steps = err.lines().find_map(|line| line.strip_prefix("pdn: steps: ")?.parse().ok());
            is_counted |= steps.is_some();
            steps
        });
        for (command, once, four) in worse {
            println!("{unit:?}: `{command}`: {once} steps, {four} for 64 times the size");
            found += 1;
        }
    }
    if !is_counted {
        println!("{program} counts no steps; `cargo test -p pdn-cli --no-run` builds one that does");
    }
    Ok(if is_counted && found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
