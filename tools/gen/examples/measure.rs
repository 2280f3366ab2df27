//! Prints the figures of archives, and how many games share a position: `measure VARIANT FILE...`.

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
                let sharing = (2..=20).step_by(2).map(|plies| figures.sharing(plies));
                let sharing: Vec<String> =
                    sharing.map(|tenths| format!("{}.{}", tenths / 10, tenths % 10)).collect();
                println!("  games for each position after 2, 4 .. 20 plies: {}", sharing.join(" "));
                for (game, ply, text) in figures.failures.iter().take(3) {
                    println!("  game {game}, ply {ply}: {text}");
                }
            }
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
    ExitCode::SUCCESS
}
