//! Prints every diagnostic of an archive with line and column: `cargo run --release --example check_with_lines games.pdn`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use pdn::archive::Archive;
use pdn::check::{CheckOptions, Checker, detail};
use pdn::source::LineCounter;

fn main() -> pdn::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: check_with_lines ARCHIVE");
        std::process::exit(2);
    };
    let mut checker = Checker::new(&CheckOptions::new());
    let mut lines = LineCounter::new();
    for game in Archive::open(path)? {
        let game = game?;
        if game.begins_input() {
            lines = LineCounter::new();
        }
        let (bytes, encoding) = (game.raw(), game.encoding().encoding);
        let mut passed = 0;
        for diagnostic in checker.check(&game).diagnostics {
            // Diagnostics are in text order, so every byte is passed once.
            let start = diagnostic.span.start as usize;
            lines.pass(&bytes[passed..start], encoding);
            passed = start;
            let at = lines.position();
            let title = diagnostic.code.title();
            let detail = detail(bytes, diagnostic).map_or(String::new(), |text| format!(": {text}"));
            let (file, code) = (game.name().display(), diagnostic.code);
            println!("{file}:{}:{}: {code} {title}{detail}", at.line, at.column);
        }
        lines.pass(&bytes[passed..], encoding);
    }
    Ok(())
}
