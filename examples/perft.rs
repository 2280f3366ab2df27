//! Counts the sequences of legal moves from a position:
//! `cargo run --release --example perft international 7` or `... perft russian 5 "W:Wc3,e3:Bb6,d6"`
//!
//! Without a FEN the count starts from the start position of the variant.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use std::time::Instant;

use pdn::position::Position;
use pdn::rules::Variant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (variant, depth, fen) = match &args[..] {
        [variant, depth] => (variant, depth, None),
        [variant, depth, fen] => (variant, depth, Some(fen)),
        _ => {
            eprintln!("usage: perft VARIANT DEPTH [FEN]");
            std::process::exit(2);
        }
    };
    let variant: Variant = variant.parse()?;
    let position = match fen {
        Some(fen) => Position::parse_fen(variant, fen)?,
        None => Position::start(variant),
    };
    println!("{}\n{}", position.diagram(), position.fen());
    for depth in 1..=depth.parse()? {
        let start = Instant::now();
        let leaves = position.perft(depth)?;
        println!("{depth:>2} {leaves:>16} {:>10.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
