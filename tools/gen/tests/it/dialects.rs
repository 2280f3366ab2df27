//! Each dialect is read as the clean archive of the same games: the truth.

use clap::ValueEnum;
use pdn::archive::Archive;
use pdn::convert::{ConvertOptions, Converter};
use pdn::replay::{ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::source::{Bytes, Decoder, OpenOptions};
use pdn::value::{Date, Outcome};
use pdn_gen::{Amount, Dialect, NameSet, Options, Share, generate};

const GAMES: u64 = 600;

/// What a reader finds in one game.
struct Game {
    last: String,
    plies: u32,
    outcome: Outcome,
    names: [String; 2],
    date: Date,
    /// It can be converted to clean PDN.
    is_written: bool,
}

fn options(dialect: Dialect) -> Options {
    let comments = if dialect == Dialect::Prose { Share::percent(50) } else { Share::NONE };
    let variants = [Variant::International, Variant::English, Variant::Russian, Variant::Italian];
    Options { dialect, comments, ..Options::new(Amount::Games(GAMES), &variants) }
}

fn read(options: &Options) -> Vec<Game> {
    let mut text = Vec::new();
    generate(options, &mut text).expect("memory takes everything");
    let archive =
        Archive::from_bytes(Bytes::from(text), "generated.pdn", &OpenOptions::new()).expect("an archive");
    let mut replayer = Replayer::new(&ReplayOptions::new());
    let mut converter = Converter::new(&ConvertOptions::new());
    let mut games = Vec::new();
    for game in archive.games() {
        let game = game.expect("a game");
        let summary = replayer.summary(&game);
        let name = |tag: &str| game.text(tag).unwrap_or_default();
        games.push(Game {
            last: summary.last_position().to_string(),
            plies: summary.plies,
            outcome: summary.outcome(),
            names: [name("White"), name("Black")],
            date: game.date(),
            is_written: converter.convert(&game, &Decoder::default(), &mut Vec::new()).is_ok(),
        });
    }
    games
}

#[test]
fn every_dialect_is_read_as_the_clean_archive() {
    for &dialect in Dialect::value_variants().iter().filter(|dialect| **dialect != Dialect::Mixed) {
        let names = Some(dialect.names());
        let truth = read(&Options { dialect: Dialect::Clean, names, ..options(dialect) });
        let found = read(&options(dialect));
        assert_eq!(truth.len() as u64, GAMES);
        let others = truth.iter().filter(|game| game.names.iter().any(|name| !name.is_ascii())).count();
        assert!(dialect.names() == NameSet::World || others as u64 > GAMES / 2, "{dialect:?}: {others}");
        let share = |is_right: &dyn Fn(&Game, &Game) -> bool| {
            let right = truth.iter().zip(&found).filter(|(truth, found)| is_right(truth, found)).count();
            100.0 * right as f64 / truth.len() as f64
        };
        let games = 100.0 * found.len() as f64 / truth.len() as f64;
        let moves = share(&|truth, found| (truth.plies, &truth.last) == (found.plies, &found.last));
        let results = share(&|truth, found| truth.outcome == found.outcome);
        let names =
            share(&|truth, found| truth.names.each_ref().map(|name| dialect.writable(name)) == found.names);
        let dates = share(&|truth, found| truth.date == found.date);
        let written = share(&|_, found| found.is_written);
        assert_eq!(games, 100.0, "{dialect:?}");
        for (what, share) in [
            ("moves", moves),
            ("results", results),
            ("names", names),
            ("dates", dates),
            ("written games", written),
        ] {
            assert!(share >= 99.5, "{dialect:?}: {share:.1} % of the {what} are right");
        }
    }
}
