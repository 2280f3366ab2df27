//! Measures reading bytes: mapped, read, and unpacked. Floor: one pass of memchr over bytes in memory.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::internal::source::{InputBytes, Stream, open};
use pdn::source::OpenOptions;
use pdn::source::{Decoder, detect_encoding};

const SIZE: usize = 64 << 20;

/// Generates games with moves from a fixed pseudo-random sequence, which pack about as well as real ones.
fn text() -> Vec<u8> {
    let mut text = Vec::with_capacity(SIZE + 2000);
    let mut state = 7_u64;
    while text.len() < SIZE {
        write!(
            text,
            "[Event \"Cup {}\"]\n[White \"Player {}\"]\n[Result \"1-1\"]\n\n",
            state % 97,
            state % 977
        )
        .unwrap();
        for ply in 1..=40 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            write!(
                text,
                "{ply}. {}-{} {}x{} ",
                state >> 59,
                state >> 54 & 31,
                state >> 49 & 31,
                state >> 44 & 31
            )
            .unwrap();
        }
        text.extend_from_slice(b"1-1\n\n");
    }
    text.truncate(SIZE);
    text
}

/// Counts the line ends of `path`.
fn lines(path: &Path, options: &OpenOptions, buffer: &mut Vec<u8>) -> usize {
    let input = open(path, options).unwrap().next().unwrap().unwrap();
    match input.source {
        InputBytes::Whole(bytes) => memchr::memchr_iter(b'\n', &bytes).count(),
        InputBytes::Stream(mut stream) => {
            let mut count = 0;
            loop {
                buffer.clear();
                if stream.fill(buffer, Stream::CHUNK).unwrap() == 0 {
                    return count;
                }
                count += memchr::memchr_iter(b'\n', buffer).count();
            }
        }
    }
}

#[expect(unsafe_code, reason = "mapping a file is unsafe: another process may change it")]
fn source(c: &mut Criterion) {
    let text = text();
    let expected = memchr::memchr_iter(b'\n', &text).count();
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let plain = put("plain.pdn", &text);
    let wide: Vec<u8> = text.iter().flat_map(|byte| [*byte, 0]).collect();
    // SAFETY: No other program knows the files of this benchmark.
    let (reads, maps) = (&OpenOptions::new(), &unsafe { OpenOptions::new().map_files() });
    let mut rows =
        vec![("map", plain.clone(), maps), ("read", plain, reads), ("utf-16", put("wide.pdn", &wide), maps)];
    drop(wide);
    {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        gz.write_all(&text).unwrap();
        rows.push(("gzip", put("a.gz", &gz.finish().unwrap()), maps));
        rows.push(("zstd", put("a.zst", &zstd::encode_all(&text[..], 3).unwrap()), maps));
    }

    let mut group = c.benchmark_group("source");
    group.throughput(Throughput::Bytes(SIZE as u64)).sample_size(10);
    group.bench_function("memory (floor)", |b| {
        b.iter(|| memchr::memchr_iter(b'\n', black_box(&text)).count())
    });
    let mut buffer = Vec::new();
    for (name, path, options) in rows {
        group.bench_function(name, |b| b.iter(|| assert_eq!(lines(&path, options, &mut buffer), expected)));
    }
    group.finish();

    // `Иванов` and `Петров` in CP866.
    let game = b"[White \"\x88\xA2\xA0\xAD\xAE\xA2\"]\n[Black \"\x8F\xA5\xE2\xE0\xAE\xA2\"]\n\n".repeat(20);
    let mut group = c.benchmark_group("encoding");
    group.throughput(Throughput::Bytes(game.len() as u64));
    group.bench_function("detect", |b| b.iter(|| detect_encoding(black_box(&game))));
    let decoder = Decoder::new(None, &game);
    group.bench_function("text", |b| b.iter(|| decoder.text(black_box(&game), black_box(&game)).len()));
    group.finish();
}

criterion_group!(benches, source);
criterion_main!(benches);
