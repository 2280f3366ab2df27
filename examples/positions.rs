//! Positions to learn from: every position of every legal game with the move played and how the game ended, a line
//! each, separated by tabs. `cargo run --release --example positions games.pdn > positions.tsv`
//!
//! Games are replayed on all cores; the lines come in the order of the archive.

#![expect(clippy::print_stderr, reason = "an example talks to whoever runs it")]

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};

use pdn::archive::Archive;
use pdn::notation::{MoveStyle, move_text};
use pdn::pool;
use pdn::replay::{GameStatus, ReplayOptions, Replayer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: positions ARCHIVE");
        std::process::exit(2);
    };
    let replayer = || (Replayer::new(ReplayOptions::default()), Vec::new());
    let lines =
        Archive::open(path)?.par_games(pool::default_threads(), replayer, |(replayer, moves), game| {
            let summary = replayer.replay(game.raw(), moves);
            let mut lines = String::new();
            // Where a position is set up in the course of a game, its moves do not follow from each other.
            if summary.status != GameStatus::Legal || summary.has_setups {
                return lines;
            }
            let result = String::from_utf8_lossy(game.tag("Result").unwrap_or(b"*"));
            let mut position = summary.start_position();
            for mv in moves.iter() {
                let text = move_text(&position, mv, MoveStyle::Shortest).unwrap_or_default();
                let _ = writeln!(lines, "{}\t{text}\t{result}", position.fen());
                let _ = position.play(mv);
            }
            lines
        });
    let mut out = BufWriter::new(io::stdout().lock());
    for lines in lines {
        out.write_all(lines?.as_bytes())?;
    }
    Ok(out.flush()?)
}
