//! Compares indexing with replaying alone, through the same pool: plies per second of both, in turns, and memory.
//!
//! `cargo bench -p pdn-gen --bench index` uses 64 MB of generated games, or the archive of
//! `PDN_ARCHIVE=big.pdn`. `PDN_THREADS` and `PDN_ROUNDS` set the number of threads and rounds; a round is one run of each.

#![expect(clippy::print_stdout, reason = "a measurement is for people")]

mod common;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use common::{archive, number, resident, timed};
use pdn::archive::Archive;
use pdn::internal::pool;
use pdn::replay::{self, Replayer};
use pdn_index::{ImportOptions, import};

fn main() {
    let place = tempfile::tempdir().expect("a folder");
    let archive = archive(place.path());
    let rounds = number("PDN_ROUNDS").unwrap_or(3);
    let threads: Vec<usize> = number("PDN_THREADS").map_or(vec![1, 2], |threads| vec![threads]);
    let bytes = std::fs::metadata(&archive).expect("an archive").len();
    println!("{}: {:.1} MB", archive.display(), bytes as f64 / 1e6);
    for threads in threads.into_iter().filter_map(NonZeroUsize::new) {
        let (mut best, mut share) = ([0f64; 2], 0.0);
        for _ in 0..rounds.max(1) {
            let (plies, seconds) = timed(|| replay(&archive, threads));
            best[0] = best[0].max(plies as f64 / seconds);
            let ((indexed, size), seconds) = timed(|| index(&archive, &place.path().join("index"), threads));
            assert_eq!(plies, indexed, "the same plies");
            best[1] = best[1].max(indexed as f64 / seconds);
            share = size as f64 / bytes as f64;
        }
        println!(
            "{threads} threads: replay {:.1} M plies/s, index {:.1} M plies/s, {:.1} %; size {:.1} %",
            best[0] / 1e6,
            best[1] / 1e6,
            100.0 * best[1] / best[0],
            100.0 * share
        );
    }
    println!("most memory: {} kB (all runs)", resident());
}

/// Replays every game of an archive on several threads; returns the number of plies.
fn replay(archive: &Path, threads: NonZeroUsize) -> u64 {
    let mut plies = 0;
    pool::ordered(
        Archive::open(archive).expect("an archive").batches(),
        threads,
        || Replayer::new(&replay::ReplayOptions::default()),
        |replayer, batch| {
            let batch = batch.expect("readable");
            batch.games().map(|game| u64::from(replayer.summary(game.raw()).plies)).sum::<u64>()
        },
        |batch| {
            plies += batch;
            ControlFlow::Continue(())
        },
    );
    plies
}

/// Indexes an archive; returns the number of plies and the size of the index in bytes.
fn index(archive: &Path, dir: &Path, threads: NonZeroUsize) -> (u64, u64) {
    let mut options = ImportOptions::default();
    options.threads = threads;
    let summary = import([archive], dir, &options).expect("an index");
    (summary.plies, summary.index_bytes)
}
