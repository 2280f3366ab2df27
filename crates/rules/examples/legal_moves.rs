//! Lists the legal moves of a position: `cargo run -p pdn-rules --example legal_moves -- international W:WK47:B14,19,29,31,42`.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use pdn_rules::notation::MoveStyle;
use pdn_rules::{Position, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().as_deref().unwrap_or("international").parse()?;
    let position = match arguments.next() {
        Some(fen) => Position::parse_fen(variant, &fen)?,
        None => Position::start(variant),
    };
    println!("{position:#}");
    for mv in &position.moves()? {
        println!("{}", position.move_text(mv, MoveStyle::Chain));
    }
    if let Some(end) = position.end() {
        println!("{end}");
    }
    Ok(())
}
