//! The obvious program that uses the library, a default replayer over the games of an archive, counts what `pdn stats` counts.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pdn::archive::{Archive, GameRef};
use pdn::replay::{GameStatus, Replayer};
use serde_json::Value;

use crate::common::{run, text};

/// Numbers of games by status, and by variant; `None` where nothing says which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    statuses: BTreeMap<String, u64>,
    variants: BTreeMap<String, u64>,
    unknown: u64,
}

impl Counts {
    fn add(&mut self, (status, variant): (GameStatus, Option<&str>)) {
        *self.statuses.entry(status.name().to_owned()).or_default() += 1;
        match variant {
            Some(variant) => *self.variants.entry(variant.to_owned()).or_default() += 1,
            None => self.unknown += 1,
        }
    }

    /// Counts the games of an archive, one after the other.
    fn of_games(path: &Path) -> pdn::Result<Self> {
        let (mut counts, mut replayer) = (Self::default(), Replayer::default());
        for game in Archive::open(path)?.games() {
            let summary = replayer.summary(&game?);
            counts.add((summary.status, summary.known_variant().map(|variant| variant.name())));
        }
        Ok(counts)
    }

    /// Does the same on several threads.
    fn of_threads(path: &Path) -> pdn::Result<Self> {
        let work = |replayer: &mut Replayer, game: GameRef<'_>| {
            let summary = replayer.summary(game);
            (summary.status, summary.known_variant().map(|variant| variant.name()))
        };
        let mut counts = Self::default();
        for game in
            Archive::open(path)?.batch_bytes(4_000).par_games(pdn::default_threads(), Replayer::default, work)
        {
            counts.add(game?);
        }
        Ok(counts)
    }

    /// Takes the counts that `pdn stats` prints.
    fn of_stats(stats: &Value) -> Self {
        let number = |value: &Value| value.as_u64().expect("a number");
        let statuses = ["legal", "illegal", "ambiguous", "damaged", "empty", "unsupported", "problems"];
        let statuses = statuses.map(|key| {
            let name = if key == "problems" { "problem" } else { key };
            (name.to_owned(), number(&stats[key]))
        });
        let is_variant = |name: &str| pdn::rules::Variant::ALL.iter().any(|variant| variant.name() == name);
        let variants = stats["variants"].as_object().expect("an object");
        let (known, others): (Vec<_>, Vec<_>) = variants.iter().partition(|(name, _)| is_variant(name));
        Self {
            statuses: statuses.into_iter().filter(|(_, count)| *count > 0).collect(),
            variants: known.into_iter().map(|(name, count)| (name.clone(), number(count))).collect(),
            unknown: others.into_iter().map(|(_, count)| number(count)).sum(),
        }
    }
}

/// Returns the archives of the repository, and the real archives of `../shared/corpora` if that folder exists.
fn archives() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = root.join("../shared/corpora");
    if !real.is_dir() {
        eprintln!("SKIPPED: no ../shared/corpora here, the archives of the repository are tested");
    }
    let folders = ["codes", "quirks", "specs"].map(|name| root.join("corpora").join(name));
    let walk = pdn::source::walk(folders.into_iter().chain(real.is_dir().then_some(real)));
    walk.map(|path| path.expect("a readable folder")).collect()
}

#[test]
fn obvious_loop_counts_what_stats_counts() {
    let (mut compared, mut games) = (0, 0);
    for path in archives() {
        // What the command refuses, such as binary files, is no archive.
        let stats = run(&["stats", "--json", text(&path)]);
        if stats.code == 2 {
            continue;
        }
        let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
        let expected = Counts::of_stats(&stats);
        assert_eq!(Counts::of_games(&path).expect("readable"), expected, "{}", path.display());
        assert_eq!(Counts::of_threads(&path).expect("readable"), expected, "{}", path.display());
        compared += 1;
        games += stats["games"].as_u64().expect("a number");
    }
    assert!(compared > 50 && games > 200, "{compared} archives of {games} games");
}
