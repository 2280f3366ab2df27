//! Prints every diagnostic of an archive with line and column: `cargo run --release --example check_with_lines games.pdn`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use pdn::archive::{Archive, InputLines};
use pdn::check::{CheckOptions, Checker, detail};

fn main() -> pdn::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: check_with_lines ARCHIVE");
        std::process::exit(2);
    };
    let mut checker = Checker::new(&CheckOptions::new());
    let mut lines = InputLines::new();
    for game in Archive::open(path)? {
        let game = game?;
        let mut lines = lines.pass(&game);
        for diagnostic in checker.check(&game).diagnostics {
            let at = lines.at(diagnostic.span.start);
            let title = diagnostic.code.title();
            let detail = detail(game.raw(), diagnostic).map_or(String::new(), |text| format!(": {text}"));
            let (file, code) = (game.name().display(), diagnostic.code);
            println!("{file}:{}:{}: {code} {title}{detail}", at.line, at.column);
        }
    }
    Ok(())
}
