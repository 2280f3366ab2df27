//! Records that are taken out of their files and joined are read back as the same games, by the library and by the naive
//! splitter.

use pdn::internal::split::{JoinChanges, RecordJoiner};
use pdn::limits::Limits;
use pdn::source::detect_encoding;
use pdn::split;
use pdn::view::RecordView;
use proptest::prelude::*;

use crate::common;
use crate::naive_split;

/// What a reader finds in a record.
#[derive(Debug, PartialEq)]
struct Content {
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    moves: Vec<Vec<u8>>,
    /// `None` for `*` too, because it may be added.
    terminator: Option<Vec<u8>>,
}

fn content(record: &[u8]) -> Content {
    let view = RecordView::new(record);
    Content {
        tags: view.tags().map(|tag| (tag.name.to_vec(), tag.value.to_vec())).collect(),
        moves: view.moves().map(|mv| mv.text.to_vec()).collect(),
        terminator: view.terminator().map(|end| end.text.to_vec()).filter(|text| text != b"*"),
    }
}

/// Joins records in batches, as several threads do.
fn join(records: &[&[u8]], batch: usize) -> (Vec<u8>, JoinChanges) {
    let (mut text, mut changes, mut before) = (Vec::new(), JoinChanges::default(), None);
    for batch in records.chunks(batch.max(1)) {
        let mut joiner = RecordJoiner::new();
        batch.iter().for_each(|record| joiner.push(record));
        let joined = joiner.finish();
        text.extend_from_slice(joined.lead(before.as_ref(), &mut changes));
        text.extend_from_slice(&joined.text);
        changes.add(&joined.changes);
        before = Some(joined);
    }
    (text, changes)
}

/// Joins records and compares what is read back with what they were.
fn check(records: &[&[u8]], batch: usize) -> Result<(), TestCaseError> {
    let (text, changes) = join(records, batch);
    if changes.unseparated > 0 {
        return Err(TestCaseError::fail(format!("{changes:?}: {}", String::from_utf8_lossy(&text))));
    }
    let naive = naive_split::split(&text, Limits::DEFAULT.record_bytes, Limits::DEFAULT.comment_bytes);
    let library: Vec<_> = split::records(&text).map(|record| (record.bytes.len(), record.cut)).collect();
    prop_assert_eq!(&naive, &library);
    prop_assert_eq!(library.len(), records.len(), "{}", String::from_utf8_lossy(&text));
    for (record, found) in records.iter().zip(split::records(&text)) {
        let (expected, mut found) = (content(record), content(found.bytes));
        // A first tag was added to a record that begins without one.
        if found.tags.len() == expected.tags.len() + 1 && found.tags[0].1 == b"?" {
            found.tags.remove(0);
        }
        prop_assert_eq!(found, expected, "{}", String::from_utf8_lossy(record));
    }
    Ok(())
}

/// Returns the records of all fixtures, which have every kind of damage.
fn damaged_records() -> Vec<&'static [u8]> {
    let records =
        common::fixtures().iter().flat_map(|(_, text)| split::records(text).map(|record| record.bytes));
    // The naive splitter is quadratic in the length of a record.
    records.filter(|record| record.len() < 3000).collect()
}

#[test]
fn damaged_records_are_read_back_in_their_order() {
    let records = damaged_records();
    assert!(records.len() > 200, "{}", records.len());
    for records in records.chunks(40) {
        check(records, 7).unwrap();
    }
}

#[test]
fn decoded_records_are_read_back() {
    let decoded: Vec<String> = damaged_records()
        .iter()
        .map(|record| detect_encoding(record).encoding.decode(record).into_owned())
        .collect();
    let records: Vec<&[u8]> = decoded.iter().map(String::as_bytes).collect();
    for records in records.chunks(40) {
        // Decoding may change where an invalid record ends, never how many games there are.
        let (text, changes) = join(records, 9);
        assert_eq!((split::records(&text).count(), changes.unseparated), (records.len(), 0));
    }
}

proptest! {
    #![proptest_config(common::cases(100))]

    #[test]
    fn damaged_records_are_read_back_in_any_order(
        chosen in prop::collection::vec(prop::sample::select(damaged_records()), 1..20),
        batch in 1usize..9,
    ) {
        check(&chosen, batch)?;
    }
}
