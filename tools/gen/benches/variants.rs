//! Measures the speed of generation by variant: bytes of text per second on one thread.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::rules::Variant;
use pdn_gen::{Amount, Options, generate};

fn variants(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for &variant in Variant::ALL {
        let options = Options::new(Amount::Games(1200), &[variant]);
        let mut archive = Vec::new();
        let manifest = generate(&options, &mut archive).expect("memory takes everything");
        group.throughput(Throughput::Bytes(manifest.bytes));
        group.bench_function(variant.name(), |bencher| {
            bencher.iter(|| {
                archive.clear();
                let again = generate(&options, &mut archive).expect("memory takes everything");
                assert_eq!(black_box(&again).total, manifest.total);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, variants);
criterion_main!(benches);
