//! Tables of the parts of a file join to the table of the whole file: numbers, lines, columns, offsets, encodings, variants and
//! diagnostics.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;

use pdn::archive::Archive;
use pdn::internal::archive::RecordRange;
use pdn::internal::replay::ArchiveHead;
use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;
use pdn_tables::{ColumnSelection, CsvWriter, ExportOptions, RowMaker, Table};
use proptest::prelude::*;

use crate::common::{self, read_and_mapped};

/// Appends the rows of an archive as CSV.
fn rows(archive: Archive, maker: &mut RowMaker, writer: &CsvWriter, out: &mut Vec<u8>) {
    for batch in archive.batch_bytes(20_000).batches() {
        let batch = batch.unwrap();
        let rows = maker.rows(&batch).expect("every batch is given");
        writer.write(&rows, 0..rows.rows, out);
    }
}

#[track_caller]
fn check(path: &Path, options: &OpenOptions, parts: &[usize], tables: &[Table]) -> Vec<RecordRange> {
    let head = ArchiveHead::read(path, options, &ReplayOptions::new()).unwrap();
    // What another process would receive.
    let sent: ArchiveHead = head.to_string().parse().unwrap();
    assert_eq!(sent, head);
    let mut last = Vec::new();
    for &table in tables {
        let open = || Archive::open_with(path, options).unwrap();
        let selection = ColumnSelection::of(table);
        let writer = CsvWriter::new(&selection);
        let mut maker = RowMaker::new(&selection, &ExportOptions::new().style(true));
        let mut whole = Vec::new();
        rows(open(), &mut maker, &writer, &mut whole);
        for &n in parts {
            let n = NonZeroUsize::new(n).unwrap();
            let ranges =
                pdn::internal::archive::ranges(path, n, options, n.min(NonZeroUsize::new(3).unwrap()))
                    .unwrap();
            let mut joined = Vec::new();
            for range in &ranges {
                let part = sent.open_part(path, range, options).unwrap();
                rows(part, &mut maker, &writer, &mut joined);
            }
            assert!(joined == whole, "{}: {n} parts of table {table}", path.display());
            last = ranges;
        }
    }
    last
}

fn file(text: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    file
}

#[test]
fn parts_of_fixtures_and_real_files_join_to_their_tables() {
    for (path, text) in common::fixtures().iter().chain(&common::real_files()) {
        if path.to_string_lossy().contains("binary") || text.len() > 60_000 {
            continue;
        }
        let path = common::root().join(path);
        if pdn::internal::archive::ranges(&path, NonZeroUsize::MIN, &OpenOptions::new(), NonZeroUsize::MIN)
            .is_err()
        {
            continue;
        }
        let head = ArchiveHead::read(&path, &OpenOptions::new(), &ReplayOptions::new()).unwrap();
        let open = OpenOptions::new();
        let ranges =
            pdn::internal::archive::ranges(&path, NonZeroUsize::new(5).unwrap(), &open, NonZeroUsize::MIN)
                .unwrap();
        if ranges[0].end.is_some() {
            check(&path, &open, &[2, 50], &[Table::Diagnostics]);
        } else {
            assert_eq!((ranges.len(), head.encoding), (1, head.encoding));
        }
    }
}

#[test]
fn long_files_are_divided_whether_mapped_or_read() {
    let (mut text, mut n) = (String::new(), 0);
    while text.len() < 200_000 {
        n += 1;
        text +=
            &format!("[White \"É{n}\"]\n[Date \"soon\"]\n1. 11-15 23-19 2. 8-11 {n}-{n} {{ é }} *\r\n\r\n");
    }
    let file = file(text.as_bytes());
    for options in read_and_mapped() {
        let ranges = check(file.path(), &options, &[1, 3, 8], &[Table::Games, Table::Diagnostics]);
        assert_eq!(ranges.len(), 8);
        let shortest = ranges.iter().map(|range| range.end.unwrap() - range.start).min().unwrap();
        assert!(shortest > 20_000, "parts have about the same length, {ranges:?}");
    }
}

#[test]
fn moves_of_parts_are_those_of_the_whole_file() {
    let text = "1. 11-15 23-19 2. 8-11 22-17 *\n[White \"a\"]\n1. 9-13 {[%clk 0:01]} 22-18 *\n".repeat(50);
    let ranges =
        check(file(text.as_bytes()).path(), &OpenOptions::new(), &[4], &[Table::Moves, Table::Positions]);
    assert_eq!(ranges.len(), 4);
}

#[test]
fn packed_files_and_utf16_are_one_part() {
    let text = "[White \"Иванов\"]\n1. 32-28 *\n\n".repeat(100);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let two = NonZeroUsize::new(2).unwrap();
    let options = OpenOptions::new();
    let frames: Vec<u8> =
        text.as_bytes().chunks(999).flat_map(|text| zstd::encode_all(text, 1).unwrap()).collect();
    for bytes in [[b"\xFF\xFE", &utf16[..]].concat(), frames] {
        let file = file(&bytes);
        let ranges = pdn::internal::archive::ranges(file.path(), two, &options, two).unwrap();
        assert_eq!(ranges.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0:"]);
        let part = ArchiveHead::default().open_part(file.path(), &ranges[0], &options).unwrap();
        assert_eq!(
            part.games().map(|game| game.unwrap().text("White")).collect::<Vec<_>>(),
            vec![Some("Иванов".to_owned()); 100]
        );
    }
}

proptest! {
    #![proptest_config(common::cases(16))]

    #[test]
    fn parts_of_any_text_join_to_its_tables(text in common::pdn_like(), n in 1_usize..40) {
        let file = file(&text);
        if pdn::internal::archive::ranges(file.path(), NonZeroUsize::MIN, &OpenOptions::new(), NonZeroUsize::MIN).is_ok_and(|ranges| ranges[0].end.is_some()) {
            check(file.path(), &OpenOptions::new(), &[n], &[Table::Games, Table::Diagnostics]);
        }
    }
}
