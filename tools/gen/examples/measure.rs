//! Prints the figures of archives: `measure VARIANT FILE...`.

use std::process::ExitCode;

use pdn::rules::Variant;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "that is what the example does")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(variant) = arguments.next().and_then(|name| Variant::from_name(&name)) else {
        eprintln!("usage: measure VARIANT FILE...");
        return ExitCode::from(2);
    };
    for path in arguments {
        match std::fs::read(&path) {
            Ok(archive) => {
                let figures = pdn_gen::measure(&archive, variant);
                println!("{path} | {figures}");
                for (game, ply, text) in figures.failures.iter().take(3) {
                    println!("  game {game}, ply {ply}: {text}");
                }
            }
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
    ExitCode::SUCCESS
}
