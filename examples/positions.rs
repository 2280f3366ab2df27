//! Writes training data: `cargo run --release --example positions games.pdn > positions.tsv`
//!
//! Each line has a position of a legal game as FEN, the move played and the result, separated by tabs. Games are replayed on
//! all cores; the lines are in the order of the archive.

#![expect(clippy::print_stderr, reason = "an example prints its usage")]

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};

use pdn::archive::Archive;
use pdn::notation::{MoveStyle, move_text};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::value::TagName;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: positions ARCHIVE");
        std::process::exit(2);
    };
    let replayer = || (Replayer::new(&ReplayOptions::default()), Vec::new());
    let lines =
        Archive::open(path)?.par_games(pdn::default_threads(), replayer, |(replayer, moves), game| {
            let summary = replayer.replay(game, moves);
            let mut lines = String::new();
            // In a game with setups, a move does not always start from the position after the previous one.
            if summary.status != GameStatus::Legal || summary.has_setups {
                return lines;
            }
            let result = game.text(TagName::Result).unwrap_or_else(|| "*".to_owned());
            let mut position = summary.start_position();
            for mv in moves.iter() {
                let text = move_text(&position, mv, MoveStyle::Shortest).unwrap_or_default();
                let _ = writeln!(lines, "{}\t{text}\t{result}", position.fen());
                position.play_unchecked(mv);
            }
            lines
        });
    let mut out = BufWriter::new(io::stdout().lock());
    for lines in lines {
        out.write_all(lines?.as_bytes())?;
    }
    Ok(out.flush()?)
}
