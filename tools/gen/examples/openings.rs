//! Counts how real games open: prints the table of a variant for `src/openings`, from PDN files.
//!
//! `cargo run --release -p pdn-gen --example openings -- VARIANT PLIES GAMES FILE...` lists each position of the first PLIES
//! plies that at least GAMES games reach, by a line of moves that leads there, with the moves played in it and their numbers
//! of games. A move of fewer than two games counts as `other`. Standard error gets the number of games for each different
//! position after 2, 4, 6 .. plies.

use std::collections::HashMap;
use std::process::ExitCode;

use pdn::notation::MoveStyle;
use pdn::position::{Move, Position, StableKey};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;

/// A position, and what was played in it.
struct Place {
    line: Vec<String>,
    games: u32,
    moves: Vec<(String, u32)>,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "that is what the example does")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, plies, games, files @ ..] = &arguments[..] else {
        eprintln!("usage: openings VARIANT PLIES GAMES FILE...");
        return ExitCode::from(2);
    };
    let (Some(variant), Ok(plies), Ok(min)) = (Variant::from_name(variant), plies.parse(), games.parse())
    else {
        eprintln!("openings: expected a variant and two numbers");
        return ExitCode::from(2);
    };
    let mut places: HashMap<StableKey, Place> = HashMap::new();
    let (mut total, mut seen) = (0u32, vec![HashMap::<StableKey, u32>::new(); 41]);
    let mut replayer = Replayer::new(&ReplayOptions::new().variant(variant));
    for path in files {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        for record in pdn::split::records(&bytes) {
            let mut moves: Vec<Move> = Vec::new();
            let summary = replayer.replay(record.bytes, &mut moves);
            let start = Position::start(variant);
            let legal = summary.status == GameStatus::Legal && summary.variant.rules() == variant.rules();
            if !legal || moves.len() < 8 || summary.start_position() != start {
                continue;
            }
            total += 1;
            let (mut position, mut line) = (start, Vec::new());
            for (ply, mv) in moves.iter().take(41).enumerate() {
                *seen[ply].entry(position.key()).or_default() += 1;
                if ply >= plies {
                    position.play_unchecked(mv);
                    continue;
                }
                let text = position.move_text(mv, MoveStyle::Shortest);
                let place = places.entry(position.key()).or_insert_with(|| Place {
                    line: line.clone(),
                    games: 0,
                    moves: Vec::new(),
                });
                place.games += 1;
                match place.moves.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, count)) => *count += 1,
                    None => place.moves.push((text.clone(), 1)),
                }
                line.push(text);
                position.play_unchecked(mv);
            }
        }
    }
    let mut rows: Vec<Place> = places.into_values().filter(|place| place.games >= min).collect();
    rows.sort_by(|a, b| (a.line.len(), b.games, &a.line).cmp(&(b.line.len(), a.games, &b.line)));
    for mut row in rows {
        row.moves.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let frequent: Vec<_> = row.moves.iter().filter(|(_, count)| *count > 1).collect();
        let other = row.games - frequent.iter().map(|(_, count)| count).sum::<u32>();
        row.line.push("|".to_owned());
        print!("{}", row.line.join(" "));
        for (text, count) in frequent {
            print!(" {text} {count}");
        }
        println!("{}", if other > 0 { format!(" other {other}") } else { String::new() });
    }
    eprintln!("{total} games");
    for ply in (2..=40).step_by(2) {
        let games: u32 = seen[ply].values().sum();
        let different = seen[ply].len();
        let pairs: f64 = seen[ply].values().map(|&count| f64::from(count) * f64::from(count)).sum();
        eprintln!(
            "{ply:>2} plies: {:.1} games for each position, {:.1} share that of a game",
            f64::from(games) / different.max(1) as f64,
            pairs / f64::from(games.max(1))
        );
    }
    ExitCode::SUCCESS
}
