//! Duplicates among the games of an index, in games per second. Run with `cargo bench --bench dedup`.
//!
//! An archive without copies is the lower bound: one pass over the packed moves shows that few games share an opening. With every game
//! twice or eight times, all of them are read, sorted and compared. One game many times is a group that does not fit in a unit. A small
//! archive compared with the index of a large one stands for the weekly import. Opening the index is included, making it is not.

#[path = "common/legal.rs"]
mod legal;

use std::collections::HashMap;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use legal::games;
use pdn::rules::Variant;
use pdn_dedup::{DedupOptions, DuplicateClass, find_duplicates};
use pdn_index::{ImportOptions, Index, import};

/// Games of the large archive.
const GAMES: usize = 20_000;
/// Records of the archive of one game: more than are compared at once.
const COPIES_OF_ONE: usize = 200_000;
/// Games of the small archive.
const NEW_GAMES: usize = 500;

fn index_of(folder: &Path, name: &str, text: &[u8]) -> Index {
    let (file, dir) = (folder.join(format!("{name}.pdn")), folder.join(name));
    std::fs::write(&file, text).expect("a file");
    import([&file], &dir, &ImportOptions::new()).expect("a folder to write to");
    Index::open(dir).expect("as built")
}

/// Returns how many games have the moves of a game before them. The games have no tags that contradict, so these are their exact copies.
fn copies(index: &Index, known: Option<&Index>) -> u64 {
    let mut seen: HashMap<Vec<u8>, ()> = HashMap::new();
    for game in known.into_iter().flat_map(Index::games) {
        seen.insert(game.moves().expect("as built").to_vec(), ());
    }
    index.games().filter(|game| seen.insert(game.moves().expect("as built").to_vec(), ()).is_some()).count()
        as u64
}

/// Returns the number of exact copies that are found.
fn found(dir: &Path, known: Option<&Path>, threads: NonZeroUsize) -> u64 {
    let open = |dir: &Path| Index::open(dir).expect("as built");
    let (index, known) = (open(dir), known.map(open));
    let options = DedupOptions::new().threads(threads);
    let duplicates = find_duplicates(&index, known.as_ref(), &options).expect("as built");
    duplicates.counts(DuplicateClass::Exact).others
}

fn benches(criterion: &mut Criterion) {
    let temp = tempfile::tempdir().expect("a folder");
    let text = games(Variant::International, GAMES);
    let records: Vec<&[u8]> = pdn::split::records(&text).map(|game| game.bytes).collect();
    let week: Vec<u8> = records[..NEW_GAMES / 2].concat();
    let week = [week, games(Variant::English, NEW_GAMES / 2)].concat();
    let once = index_of(temp.path(), "once", &text);
    let twice = index_of(temp.path(), "twice", &text.repeat(2));
    let eight = index_of(temp.path(), "eight", &text.repeat(8));
    let same = index_of(temp.path(), "same", &b"1. 32-28 *\n".repeat(COPIES_OF_ONE));
    let week = index_of(temp.path(), "week", &week);

    let mut group = criterion.benchmark_group("dedup");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for threads in [1, 2].map(|threads| NonZeroUsize::new(threads).expect("not 0")) {
        for (name, index, known) in [
            ("no copies", &once, None),
            ("every game twice", &twice, None),
            ("every game eight times", &eight, None),
            ("one game 200,000 times", &same, None),
            ("new games against an index", &week, Some(&once)),
        ] {
            // Of games without players, those with equal moves are exact copies.
            let expected = copies(index, known);
            let repeated = index.len().saturating_sub(GAMES as u64);
            assert!(expected >= if known.is_none() { repeated } else { 0 });
            group.throughput(Throughput::Elements(index.len() + known.map_or(0, Index::len)));
            group.bench_function(format!("{name}, {threads} threads"), |bencher| {
                let known = known.map(Index::dir);
                bencher.iter(|| assert_eq!(found(black_box(index.dir()), known, threads), expected));
            });
        }
    }
    group.finish();
}

criterion_group!(dedup, benches);
criterion_main!(dedup);
