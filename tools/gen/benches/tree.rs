//! Measures the opening tree and exact positions, with and without key tables, and for comparison the time to read all
//! packed moves from memory on as many threads.
//!
//! `cargo bench -p pdn-gen --bench tree` uses 64 MB of generated games, or the archive of
//! `PDN_ARCHIVE=big.pdn`. `PDN_THREADS` and `PDN_ROUNDS` set the number of threads and rounds; the best round is reported.
//! The results with and without key tables are compared.

#![expect(clippy::print_stdout, reason = "a measurement is for people")]

mod common;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use common::{archive, number, resident, timed};
use pdn::internal::pool;
use pdn::position::Position;
use pdn_index::internal::query::Pattern;
use pdn_index::internal::{KeyTableOptions, Section, build_key_tables};
use pdn_index::query::{Query, Search, TreeOptions, tree};
use pdn_index::{ImportOptions, Index, import};

/// Plies of the positions to search, in a game in the middle of the index.
const PLIES: [usize; 6] = [0, 1, 4, 10, 30, 60];

fn main() {
    let place = tempfile::tempdir().expect("a folder");
    let archive = archive(place.path());
    let rounds = number("PDN_ROUNDS").unwrap_or(3).max(1);
    let threads = number("PDN_THREADS").and_then(NonZeroUsize::new).unwrap_or_else(pdn::default_threads);
    // A key table is used as soon as it exists, so that both indexes need a folder of their own.
    let [without, dir] = ["without", "index"].map(|name| place.path().join(name));
    for folder in [&without, &dir] {
        import([&archive], folder, &ImportOptions::default()).expect("an index");
    }
    let plain = Index::open(&without).expect("an index");
    println!("{} games, {} plies, {threads} threads", plain.len(), plain.plies());
    let before = resident();
    let (built, seconds) = timed(|| {
        let mut options = KeyTableOptions::default();
        options.threads = threads;
        build_key_tables(&dir, &options, |_, _| ControlFlow::Continue(())).expect("tables")
    });
    println!(
        "tables: {} entries, {:.2} bytes each, {seconds:.2} s, {:.1} M plies/s; most memory {} kB, {before} kB before",
        built.entries,
        built.bytes as f64 / built.entries as f64,
        plain.plies() as f64 / seconds / 1e6,
        resident(),
    );
    let tabled = Index::open(&dir).expect("an index");
    // Checksums of sections are verified at the first use; this use is not measured.
    let best = |work: &dyn Fn() -> u64| {
        let seconds = (0..=rounds).map(|_| timed(|| assert!(work() > 0)).1).skip(1);
        seconds.fold(f64::INFINITY, f64::min) * 1e3
    };
    let floor = best(&|| read(&plain, threads));
    println!("floor, reading all packed moves: {floor:.2} ms");
    let game = plain.game(plain.len() / 2).expect("a game");
    let (plies, _) = game.plies().expect("sound");
    let mut options = TreeOptions::default();
    options.threads = threads;
    for position in PLIES.iter().filter_map(|&ply| plies.get(ply)).map(|ply| ply.before) {
        let query = Query::board(Pattern::position(&position));
        let hits = |index: &Index| {
            let search = Search::new(index, &query, threads).expect("sound");
            search.hits(usize::MAX).expect("sound").0
        };
        let grown = |index: &Index| tree(index, &position, &options).expect("sound");
        assert!(hits(&plain) == hits(&tabled), "the same hits");
        let (one, other) = (grown(&plain), grown(&tabled));
        assert!((one.all, one.moves) == (other.all, other.moves), "the same tree");
        let times = [
            best(&|| grown(&plain).all.games),
            best(&|| grown(&tabled).all.games),
            best(&|| hits(&plain).len() as u64),
            best(&|| hits(&tabled).len() as u64),
        ];
        let [tree, tree_tabled, scan, looked_up] = times;
        println!(
            "{:>2} pieces, {:>8} games: tree {tree:.2} ms, {:.1} x floor; with table {tree_tabled:.3} ms; hits {scan:.2} ms, {:.1} x floor; with table {looked_up:.4} ms",
            pieces(&position),
            hits(&tabled).len(),
            tree / floor,
            scan / floor,
        );
    }
}

fn pieces(position: &Position) -> u32 {
    position.state().pieces.iter().map(|pieces| pieces.count_ones()).sum()
}

/// Adds up the bytes of all packed moves, a megabyte at a time.
fn read(index: &Index, threads: NonZeroUsize) -> u64 {
    let mut sum = 0;
    let pieces = index
        .segments()
        .iter()
        .flat_map(|segment| segment.section(Section::Moves).expect("sound").chunks(1 << 20));
    let add = |(), piece: &[u8]| {
        let words = piece.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
        words.fold(1u64, u64::wrapping_add)
    };
    pool::ordered(
        pieces,
        threads,
        || (),
        |(), piece| add((), piece),
        |piece| {
            sum = piece | 1;
            ControlFlow::Continue(())
        },
    );
    sum
}
