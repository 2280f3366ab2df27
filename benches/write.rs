//! Writing: games in canonical form, and the check that text is canonical already, on one thread. Run with
//! `cargo bench --bench write`.
//!
//! Floors: copying the text, and the replay of every game, without which a game cannot be written.

#[path = "common/legal.rs"]
mod legal;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use legal::games;
use pdn::replay::Replayer;
use pdn::rules::Variant;
use pdn::view::RecordView;
use pdn::write::{RecordWriter, WriteOptions};

/// Number of games of each archive.
const GAMES: usize = 4_000;

/// Writes all games of a text, an empty line after each, and returns how many there are.
fn write(writer: &mut RecordWriter, text: &[u8], out: &mut Vec<u8>) -> usize {
    out.clear();
    let games = pdn::split::records(text).map(|game| {
        writer.write(RecordView::new(game.bytes), out).expect("legal games");
        out.push(b'\n');
    });
    games.count()
}

/// Returns the number of games whose text is canonical.
fn canonical(writer: &mut RecordWriter, text: &[u8]) -> usize {
    let mut is_canonical = |record: &[u8]| writer.is_canonical(record.strip_suffix(b"\n").unwrap_or(record));
    pdn::split::records(text).filter(|game| is_canonical(game.bytes)).count()
}

/// Returns the number of legal plies.
fn replay(replayer: &mut Replayer, text: &[u8]) -> u64 {
    pdn::split::records(text).map(|game| u64::from(replayer.summary(game.bytes).plies)).sum()
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("write");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for (name, variant) in [("international", Variant::International), ("english", Variant::English)] {
        let text = games(variant, GAMES);
        let (mut writer, mut once, mut twice) =
            (RecordWriter::new(&WriteOptions::new()), Vec::new(), Vec::new());
        assert_eq!(write(&mut writer, &text, &mut once), GAMES);
        assert_eq!(write(&mut writer, &once, &mut twice), GAMES);
        assert!(once == twice, "canonical text stays as it is");
        let mut replayer = Replayer::default();
        let plies = replay(&mut replayer, &text);
        assert_eq!(replay(&mut replayer, &once), plies, "the written games have the same moves");
        // A few games have captures with their path, about which only a replay decides.
        let recognised = canonical(&mut writer, &once);
        assert!(recognised > GAMES * 9 / 10 && recognised > canonical(&mut writer, &text));

        group.throughput(Throughput::Bytes(once.len() as u64));
        group.bench_function(format!("{name}, floor: copy"), |bencher| {
            bencher.iter(|| {
                twice.clear();
                twice.extend_from_slice(black_box(&once));
                assert_eq!(twice.len(), once.len());
            });
        });
        group.bench_function(format!("{name}, canonical check"), |bencher| {
            bencher.iter(|| assert_eq!(canonical(&mut writer, black_box(&once)), recognised));
        });
        group.throughput(Throughput::Elements(GAMES as u64));
        group.bench_function(format!("{name}, floor: replay"), |bencher| {
            bencher.iter(|| assert_eq!(replay(&mut replayer, black_box(&text)), plies));
        });
        group.bench_function(format!("{name}, write"), |bencher| {
            bencher.iter(|| assert_eq!(write(&mut writer, black_box(&text), &mut twice), GAMES));
        });
        assert!(once == twice);
    }
    group.finish();
}

criterion_group!(writing, benches);
criterion_main!(writing);
