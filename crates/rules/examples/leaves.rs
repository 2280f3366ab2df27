//! Counts the leaves of a variant's start position: `cargo run --release -p pdn-rules --example leaves -- russian 8`.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use pdn_rules::movegen::{DEFAULT_CAPTURE_NODES, divide};
use pdn_rules::{Position, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().as_deref().unwrap_or("international").parse()?;
    let depth = arguments.next().map_or(Ok(6), |depth| depth.parse())?;
    let start = Position::start(variant);
    let mut total = 0;
    for (mv, leaves) in divide(&start, depth, DEFAULT_CAPTURE_NODES)? {
        println!("{} {leaves}", start.move_text(&mv, Default::default()));
        total += leaves;
    }
    println!("{total} leaves at depth {depth}");
    Ok(())
}
