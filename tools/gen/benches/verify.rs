//! Compares `pdn verify` with the checksum alone, computed over the same bytes in memory: time and bytes per second of both,
//! in turns, for archives of growing size.
//!
//! `cargo bench -p pdn-gen --bench verify` uses generated games of 25, 50, 100 and 200 MB. `PDN_THREADS` and `PDN_ROUNDS` set
//! the number of threads and rounds, `PDN_ARCHIVE=big.pdn` takes one archive instead, `PDN_INDEX=DIR` an index.

#![expect(clippy::print_stdout, reason = "a measurement is for people")]

mod common;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use common::{archive, archive_of, number, resident, timed};
use pdn::internal::pool;
use pdn_index::internal::{VerifyOptions, verify};
use pdn_index::{ImportOptions, import};

fn main() {
    let place = tempfile::tempdir().expect("a folder");
    let threads: Vec<usize> = number("PDN_THREADS").map_or(vec![1, 2], |threads| vec![threads]);
    if let Some(dir) = std::env::var_os("PDN_INDEX") {
        return measure("index", Path::new(&dir), &threads);
    }
    let sizes = match std::env::var_os("PDN_ARCHIVE") {
        Some(_) => vec![("archive", 0)],
        None => vec![("25 MB", 25), ("50 MB", 50), ("100 MB", 100), ("200 MB", 200)],
    };
    for (name, megabytes) in sizes {
        let archive = match megabytes {
            0 => archive(place.path()),
            megabytes => archive_of(place.path(), megabytes * 1_000_000),
        };
        let dir = place.path().join("index");
        import([&archive], &dir, &ImportOptions::default()).expect("an index");
        measure(name, &dir, &threads);
    }
    println!("most memory: {} kB (all runs, and the index in memory)", resident());
}

/// Measures the verification of an index: checksums alone as the bound, the default, and with the moves.
fn measure(name: &str, dir: &Path, threads: &[usize]) {
    let files: Vec<Vec<u8>> = fs::read_dir(dir)
        .expect("a folder")
        .map(|file| fs::read(file.expect("a file").path()).expect("readable"))
        .collect();
    let len: usize = files.iter().map(Vec::len).sum();
    for threads in threads.iter().copied().filter_map(NonZeroUsize::new) {
        let mut best = [f64::MAX; 3];
        for _ in 0..number("PDN_ROUNDS").unwrap_or(5).max(1) {
            let options = VerifyOptions::new().fingerprints(false).threads(threads);
            let seconds = [
                timed(|| checksums(&files, threads)).1,
                timed(|| assert!(verify(dir, &options).expect("an index").is_sound())).1,
                timed(|| assert!(verify(dir, &options.replay(true)).expect("an index").is_sound())).1,
            ];
            best.iter_mut().zip(seconds).for_each(|(best, seconds)| *best = best.min(seconds));
        }
        let rate = |seconds: f64| len as f64 / seconds / 1e6;
        println!(
            "{name}, {:.1} MB of index, {threads} threads: checksum {:.0} MB/s; verify {:.1} ms, {:.0} MB/s, {:.0} % \
             of the checksum; with moves {:.1} ms, {:.0} MB/s",
            len as f64 / 1e6,
            rate(best[0]),
            1e3 * best[1],
            rate(best[1]),
            100.0 * best[0] / best[1],
            1e3 * best[2],
            rate(best[2]),
        );
    }
}

/// Computes the checksums of files in memory, cut every 32 MiB, on several threads.
fn checksums(files: &[Vec<u8>], threads: NonZeroUsize) -> u64 {
    let mut sum = 0;
    let parts = files.iter().flat_map(|file| file.chunks(32 << 20));
    let checksum = |(): &mut (), part: &[u8]| twox_hash::XxHash3_64::oneshot(part);
    pool::ordered(
        parts,
        threads,
        || (),
        checksum,
        |part| {
            sum ^= part;
            ControlFlow::Continue(())
        },
    );
    std::hint::black_box(sum)
}
