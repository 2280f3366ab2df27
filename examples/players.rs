//! Lists the 20 players with the most games, and their years: `cargo run --release --example players games.pdn`
//!
//! Only the tags are read; no move is parsed.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use std::collections::HashMap;

use pdn::archive::Archive;
use pdn::value::{Date, TagName};

/// The number of games of a player, and the first and last year of those with a date.
#[derive(Default)]
struct Player {
    games: u32,
    years: Option<(u16, u16)>,
}

fn main() -> pdn::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: players ARCHIVE");
        std::process::exit(2);
    };
    let mut players: HashMap<String, Player> = HashMap::new();
    for game in Archive::open(path)? {
        let game = game?;
        let date = game.text(TagName::Date).and_then(|text| text.parse::<Date>().ok());
        let year = date.and_then(Date::year);
        for name in [TagName::White, TagName::Black].into_iter().filter_map(|tag| game.text(tag)) {
            let player = players.entry(name).or_default();
            player.games += 1;
            if let Some(year) = year {
                let (first, last) = player.years.unwrap_or((year, year));
                player.years = Some((first.min(year), last.max(year)));
            }
        }
    }
    let mut players: Vec<_> = players.into_iter().collect();
    players.sort_by(|(one, a), (other, b)| b.games.cmp(&a.games).then_with(|| one.cmp(other)));
    for (name, player) in players.iter().take(20) {
        let years = player.years.map_or(String::new(), |(first, last)| format!("{first}-{last}"));
        println!("{:>6} {years:>10}  {name}", player.games);
    }
    Ok(())
}
