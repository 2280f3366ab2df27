//! Parts of packed files join to the whole: entries of a zip, and frames of zstd, which may end anywhere in a record.

use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use pdn::archive::{self, Archive, RangePacking, RecordRange};
use pdn::replay::{ArchiveHead, ReplayOptions};
use pdn::source::{Encoding, LineCounter, OpenOptions};
use proptest::prelude::*;

use crate::common;

/// What is known of a record: its input, number, offset, bytes, encoding, and the line in which it begins.
type Known = (PathBuf, u64, u64, Vec<u8>, Encoding, u64);

/// Returns the records of an archive whose first line has this number, and the errors of reading it.
fn records(archive: Archive, first_line: u64) -> (Vec<Known>, Vec<String>) {
    let (mut known, mut errors, mut lines) = (Vec::new(), Vec::new(), LineCounter::at_line(first_line));
    for batch in archive.batch_bytes(5_000).batches() {
        match batch {
            Ok(batch) => {
                for (n, game) in batch.games().enumerate() {
                    if n == 0 && batch.begins_input() && game.number() == 1 {
                        lines = LineCounter::new();
                    }
                    let line = lines.position().line;
                    let (raw, name) = (game.raw(), batch.name().to_owned());
                    lines.pass(raw, Encoding::UTF_8);
                    known.push((
                        name,
                        game.number(),
                        game.offset(),
                        raw.to_vec(),
                        game.encoding().encoding,
                        line,
                    ));
                }
            }
            Err(error) => errors.push(error.to_string()),
        }
    }
    (known, errors)
}

/// Returns the ranges of a file, after comparing their records with those of the whole file.
#[track_caller]
fn check(path: &Path, n: usize) -> Vec<RecordRange> {
    let (options, one) = (OpenOptions::new(), NonZeroUsize::MIN);
    let whole = records(Archive::open(path).unwrap(), 1);
    let ranges = archive::ranges(path, NonZeroUsize::new(n).unwrap(), &options, one).unwrap();
    assert!(ranges.len() <= n);
    let (mut joined, mut errors) = (Vec::new(), Vec::new());
    for range in &ranges {
        let head = match range.takes_head() {
            true => ArchiveHead::read(path, &options, &ReplayOptions::new()).unwrap(),
            false => ArchiveHead::default(),
        };
        let part = head.open_part(path, range, &options).unwrap();
        let (found, failed) = records(part, range.line);
        assert!(!found.is_empty() || range.end.is_none() || !range.takes_head(), "{range}");
        joined.extend(found);
        errors.extend(failed);
        let sent = range.packing.map(|packing| packing.to_string().parse().unwrap());
        assert_eq!(range.packed(sent), *range);
    }
    assert!(ranges.windows(2).all(|pair| pair[0].end == Some(pair[1].start)), "{ranges:?}");
    assert!((joined, errors) == whole, "{n} parts: {ranges:?}");
    ranges
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Packs a text in frames that end at the given offsets and at its end.
fn frames(text: &[u8], ends: &[usize]) -> Vec<u8> {
    let mut from = 0;
    let ends = ends.iter().copied().chain([text.len()]);
    ends.flat_map(|end| ::zstd::encode_all(&text[std::mem::replace(&mut from, end)..end], 1).unwrap())
        .collect()
}

fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer.start_file(*name, ::zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const GAME: &str = "[Event \"a\"]\n[Site \"é\"]\n\n1. 32-28 {\n[Event \"no\"]\n1. 3-4 *\n} (1. 33-28\n1-0\n2. 4-5) 19-23 1-0\n\n";

/// Every `step`-th offset of a text.
fn every(step: usize, text: &str) -> Vec<usize> {
    (step..text.len()).step_by(step).collect()
}

#[test]
fn frames_that_end_between_records_are_parts() {
    let text = GAME.repeat(80);
    let file = file(&frames(text.as_bytes(), &every(10 * GAME.len(), &text)));
    for n in [1, 2, 8] {
        let ranges = check(file.path(), n);
        assert_eq!(ranges.len(), n);
        if n == 8 {
            let starts: Vec<_> = ranges.iter().map(|range| (range.start, range.first, range.line)).collect();
            let game = GAME.len() as u64;
            assert_eq!(starts, (0..8).map(|k| (10 * k * game, 10 * k, 100 * k + 1)).collect::<Vec<_>>());
            // The frame of a part is its first one.
            assert!(ranges.iter().all(|range| {
                matches!(range.packing, Some(RangePacking::Zstd { offset, .. }) if offset == range.start)
            }));
        }
    }
}

#[test]
fn frames_that_end_anywhere_in_a_record_are_parts() {
    let text = format!("{}{{ {} }} *\n{}", GAME.repeat(20), "\n1. 3-4 *\n".repeat(300), GAME.repeat(20));
    // In tags, in comments, in variations, within characters; and frames that are shorter than a record.
    for step in [1009, 331, 37] {
        let file = file(&frames(text.as_bytes(), &every(step, &text)));
        for n in [1, 2, 8] {
            check(file.path(), n);
        }
    }
    let file = file(&frames(text.as_bytes(), &[GAME.find("no").unwrap()]));
    assert_eq!(check(file.path(), 8)[1].start, GAME.len() as u64);
}

#[test]
fn skippable_frames_and_padding_are_in_no_part() {
    let skippable = [&b"\x50\x2A\x4D\x18\x04\0\0\0"[..], &[1, 2, 3, 4]].concat();
    let text = GAME.repeat(10);
    let half = frames(text.as_bytes(), &[]);
    for between in [&skippable[..], b"", b"\0\0\0\0"] {
        let file = file(&[&skippable[..], &half, between, &half, between].concat());
        let count = check(file.path(), 8).len();
        // Zeros after a frame could be anything, so such a file is read as a whole.
        assert_eq!(count, if between.first() == Some(&0) { 1 } else { 2 });
    }
}

#[test]
fn parts_of_zstd_have_the_encoding_and_the_variant_of_the_whole() {
    let clear = Encoding::CP866.encode("[White \"Иванов\"]\n[Black \"Петров\"]\n1. c3-d4 *\n\n").unwrap();
    let doubtful = Encoding::CP866.encode("[White \"о\"]\n1. c3-d4 *\n\n").unwrap();
    let text = [&clear.repeat(3)[..], &doubtful.repeat(200)].concat();
    let file = file(&frames(&text, &every(500, &String::from_utf8_lossy(&text))[..4]));
    assert_eq!(check(file.path(), 4).len(), 4);
    assert_eq!(records(Archive::open(file.path()).unwrap(), 1).0.last().unwrap().4, Encoding::CP866);
}

#[test]
fn text_in_one_frame_and_damaged_text_are_one_part() {
    let text = GAME.repeat(40);
    let whole = |bytes: &[u8]| {
        let ranges = check(file(bytes).path(), 4);
        assert_eq!(ranges.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0:"]);
    };
    whole(&frames(text.as_bytes(), &[]));
    let mut damaged = frames(text.as_bytes(), &every(500, &text));
    let middle = damaged.len() / 2;
    damaged[middle..middle + 20].fill(0xA5);
    whole(&damaged);
    let cut = frames(text.as_bytes(), &every(500, &text));
    whole(&cut[..cut.len() - 3]);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    whole(&frames(&[b"\xFF\xFE", &utf16[..]].concat(), &[1000]));
}

#[test]
fn parts_of_a_zip_are_whole_entries() {
    let long = "1. 32-28 *\n".repeat(400);
    let entries =
        [("a.pdn", &long[..]), ("no.txt", "x"), ("b/c.pdn", GAME), ("empty.pdn", ""), ("d.pdn", &long)];
    let bytes = zip(&entries);
    let file = file(&bytes);
    for n in [1, 2, 8] {
        let ranges = check(file.path(), n);
        assert!(ranges.len() > 1 || n == 1, "{ranges:?}");
        assert!(ranges.iter().all(|range| n == 1 || range.packing == Some(RangePacking::Zip)));
    }
    // A directory in another order than the entries, and no directory.
    let reordered = {
        let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        let second =
            directory + 4 + bytes[directory + 4..].windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        let third = second + 4 + bytes[second + 4..].windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        let fourth = third + 4 + bytes[third + 4..].windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        [&bytes[..directory], &bytes[third..fourth], &bytes[directory..third], &bytes[fourth..]].concat()
    };
    for one_part in [&reordered[..], &bytes[..bytes.len() - 60]] {
        assert_eq!(check(self::file(one_part).path(), 8)[0].end, None);
    }
}

#[test]
fn wrong_ranges_of_packed_files_are_refused() {
    let text = GAME.repeat(20);
    let framed = file(&frames(text.as_bytes(), &[500, 1000]));
    // A range that was made by hand, or of another file.
    let length = framed.path().metadata().unwrap().len();
    let wrong = RecordRange::new(10, Some(20), 0, 1, length);
    for packing in [RangePacking::Zip, RangePacking::Zstd { frame: 0, offset: 11 }] {
        let range = wrong.packed(Some(packing));
        let part = ArchiveHead::default().open_part(framed.path(), &range, &OpenOptions::new());
        assert!(part.is_err());
        assert!(ArchiveHead::default().part_from_reader(&b""[..], "x", &range, &OpenOptions::new()).is_err());
    }
    let late = RecordRange::new(1 << 30, Some(1 << 31), 0, 1, length);
    let late = late.packed(Some(RangePacking::Zstd { frame: 0, offset: 0 }));
    let part = ArchiveHead::default().open_part(framed.path(), &late, &OpenOptions::new()).unwrap();
    assert_eq!(records(part, 1).1.len(), 1, "the text ends before the part");
}

proptest! {
    #![proptest_config(common::cases(24))]

    #[test]
    fn parts_of_any_text_in_frames_join_to_it(
        text in common::pdn_like(),
        more in common::pdn_like(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
        n in 2_usize..10,
    ) {
        let text = [text, more].concat();
        let mut ends: Vec<_> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        ends.sort_unstable();
        let file = file(&frames(&text, &ends));
        if archive::ranges(file.path(), NonZeroUsize::MIN, &OpenOptions::new(), NonZeroUsize::MIN).is_ok() {
            check(file.path(), n);
        }
    }
}
