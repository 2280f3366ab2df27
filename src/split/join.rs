//! Joins records to one text in which a reader finds the same records again.
//!
//! A record is a function of the bytes from its start on. So records that were taken from different places cannot
//! always be written one after the other: an unclosed comment would take in the next game, and tags without movetext
//! would be taken for the first tags of it. This module trims each record, writes an empty line after it, and checks
//! with the splitter that the record ends there, whatever record follows. Only where it does not, something is added.

use super::splitter::Splitter;
use crate::syntax::{TagForm, tag_form};

/// What stands after a record when its end is checked: a tag whose name the record does not have. The braces would
/// close an unclosed comment, which would then not end before the tag.
const NEXT_RECORD: &[u8] = concat!(
    "[ZzNextRecord \"?\"]\n\n",
    "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}",
    "\n*\n"
)
.as_bytes();

/// The greatest number of braces that are added to one comment.
const MAX_BRACES: usize = 64;

/// Names of tags with which a record may begin, in order of preference. The first that the record does not contain is
/// taken.
const FIRST_TAGS: [&str; 8] =
    ["Event", "Site", "Date", "Round", "White", "Black", "Annotator", "ZzRecordStart"];

/// What a [`RecordJoiner`] had to add, as numbers of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct JoinChanges {
    /// Records that received the terminator `*`, because they consist of tags and comments only.
    pub terminators: u64,
    /// Records that received closing braces, because their last comment was not closed; or an empty comment `{}`,
    /// because an empty line would make a move of their last word.
    pub comments: u64,
    /// Records that do not begin with a tag and received one with the value `?`.
    pub first_tags: u64,
    /// Records that are not separated from their neighbours, because nothing may be added or no addition helps.
    pub unseparated: u64,
}

impl JoinChanges {
    /// Returns `true` if all records stand as they were given and are separated.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the numbers of other records.
    pub fn add(&mut self, other: &Self) {
        self.terminators += other.terminators;
        self.comments += other.comments;
        self.first_tags += other.first_tags;
        self.unseparated += other.unseparated;
    }
}

/// Joins records to one text: each trimmed of surrounding whitespace and followed by one empty line.
///
/// The result does not depend on how the records are divided into batches. A batch may be joined on any thread, and
/// [`JoinedRecords::lead`] says what has to stand before it.
///
/// ```
/// use pdn::split;
/// use pdn::internal::split::RecordJoiner;
///
/// let mut joiner = RecordJoiner::new();
/// for record in ["[White \"a\"]\n1. 32-28 {unclosed", "[White \"b\"]", "1. 32-28 *"] {
///     joiner.push(record.as_bytes());
/// }
/// let joined = joiner.finish();
/// assert_eq!(split::records(&joined.text).count(), 3);
/// assert_eq!(
///     std::str::from_utf8(&joined.text).unwrap(),
///     "[White \"a\"]\n1. 32-28 {unclosed }\n\n[White \"b\"]\n*\n\n1. 32-28 *\n\n",
/// );
/// ```
#[derive(Debug, Default)]
pub struct RecordJoiner {
    splitter: Splitter,
    joined: JoinedRecords,
    /// The range of the last record in the joined text, without the empty line.
    last: std::ops::Range<usize>,
    scratch: Vec<u8>,
    /// Nothing is added to records.
    is_raw: bool,
}

/// Records joined by a [`RecordJoiner`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct JoinedRecords {
    /// The records, with an empty line after each.
    pub text: Vec<u8>,
    /// Number of records.
    pub records: u64,
    /// What was added.
    pub changes: JoinChanges,
    /// What has to stand before the first record if it does not begin with a tag.
    first: Option<IrregularStart>,
    /// The last record ends with a terminator.
    ends_with_terminator: bool,
}

/// A record that does not begin with a tag.
#[derive(Clone, PartialEq, Eq, Debug)]
struct IrregularStart {
    /// It is recognised as a record after a terminator: it begins with a move or a move number.
    opens_after_terminator: bool,
    /// The tag that separates it from any record before it, with an empty line; `None` if no tag does.
    tag: Option<Vec<u8>>,
}

impl JoinedRecords {
    /// Returns the bytes that have to be written between the records `before` and these; empty in most cases. Counts
    /// them in `changes`.
    pub fn lead(&self, before: Option<&Self>, changes: &mut JoinChanges) -> &[u8] {
        let (Some(first), Some(before)) = (&self.first, before.filter(|before| before.records > 0)) else {
            return b"";
        };
        first.lead(before.ends_with_terminator, changes)
    }
}

impl IrregularStart {
    /// Returns the bytes that have to stand before the record.
    fn lead(&self, after_terminator: bool, changes: &mut JoinChanges) -> &[u8] {
        if after_terminator && self.opens_after_terminator {
            return b"";
        }
        let counter = if self.tag.is_some() { &mut changes.first_tags } else { &mut changes.unseparated };
        *counter += 1;
        self.tag.as_deref().unwrap_or_default()
    }
}

impl RecordJoiner {
    /// Creates a joiner that adds to a record what is needed to separate it from others.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a joiner that adds nothing and counts the records that a reader would not find again.
    pub fn raw() -> Self {
        Self { is_raw: true, ..Self::default() }
    }

    /// Appends a record. Costs about as much as splitting it.
    pub fn push(&mut self, record: &[u8]) {
        let record = trim(record);
        let line_end = line_end_of(record);
        if record.first() != Some(&b'[') || tag_form(record, 0) != TagForm::Quoted {
            self.push_irregular_start(record, line_end);
        }
        let start = self.joined.text.len();
        self.joined.text.extend_from_slice(record);
        self.last = start..self.joined.text.len();
        self.joined.text.extend_from_slice(line_end);
        self.joined.text.extend_from_slice(line_end);
        self.joined.records += 1;
        if !self.is_separate(start) {
            self.separate(start, line_end);
        }
    }

    /// Returns the records joined so far, and starts anew.
    pub fn finish(&mut self) -> JoinedRecords {
        self.joined.ends_with_terminator = self.joined.records > 0 && self.last_has_terminator();
        std::mem::take(&mut self.joined)
    }

    /// Returns `true` if the record that begins at `start` ends at the end of the joined text, whatever follows.
    fn is_separate(&mut self, start: usize) -> bool {
        let text = &mut self.joined.text;
        let end = text.len();
        text.extend_from_slice(NEXT_RECORD);
        self.splitter.moved();
        let found = self.splitter.next(text, start, true).map(|found| found.end);
        text.truncate(end);
        found == Some(end)
    }

    /// Adds what the last record, which begins at `start`, needs to end before any next record.
    #[cold]
    fn separate(&mut self, start: usize, line_end: &[u8]) {
        let end = self.last.end;
        if !self.is_raw {
            for (addition, counter) in self.additions(start) {
                self.joined.text.truncate(end);
                self.joined.text.extend_from_slice(addition.as_bytes());
                self.last.end = self.joined.text.len();
                self.joined.text.extend_from_slice(line_end);
                self.joined.text.extend_from_slice(line_end);
                if self.is_separate(start) {
                    let changes = &mut self.joined.changes;
                    changes.comments += u64::from(counter.0);
                    changes.terminators += u64::from(counter.1);
                    return;
                }
            }
            self.joined.text.truncate(end);
            self.last.end = end;
            self.joined.text.extend_from_slice(line_end);
            self.joined.text.extend_from_slice(line_end);
        }
        self.joined.changes.unseparated += 1;
    }

    /// Returns what may end the record that begins at `start`, in the order in which it is tried: an addition, and whether
    /// it counts as a comment and as a terminator.
    fn additions(&self, start: usize) -> Vec<(String, (bool, bool))> {
        let record = &self.joined.text[start..self.last.end];
        let line_end = str::from_utf8(line_end_of(record)).unwrap_or("\n");
        let terminator = format!("{line_end}*");
        // The terminator comes first: a closing brace without a comment would count as movetext.
        let mut additions = vec![(terminator.clone(), (false, true))];
        let count = |brace| memchr::memchr_iter(brace, record).count();
        let (opened, closed) = (count(b'{'), count(b'}'));
        if opened > 0 {
            let surplus = opened.saturating_sub(closed).clamp(1, MAX_BRACES);
            for braces in std::iter::once(surplus).chain(1..opened.min(MAX_BRACES) + 1) {
                let braces = format!(" {}", "}".repeat(braces));
                additions.push((format!("{braces}{terminator}"), (true, true)));
                additions.insert(additions.len() - 1, (braces, (true, false)));
            }
        }
        additions.push(("{}".to_owned(), (true, false)));
        additions
    }

    /// Appends what has to stand before a record that does not begin with a tag, or remembers it if the record is the
    /// first one.
    #[cold]
    fn push_irregular_start(&mut self, record: &[u8], line_end: &[u8]) {
        let start = self.irregular_start(record, line_end);
        if self.joined.records == 0 {
            self.joined.first = Some(start);
            return;
        }
        let after_terminator = self.last_has_terminator();
        self.joined.text.extend_from_slice(start.lead(after_terminator, &mut self.joined.changes));
    }

    /// Describes a record that does not begin with a tag.
    fn irregular_start(&mut self, record: &[u8], line_end: &[u8]) -> IrregularStart {
        const TERMINATED: &[u8] = b"*\n\n";
        self.scratch.clear();
        self.scratch.extend_from_slice(TERMINATED);
        self.scratch.extend_from_slice(record);
        self.scratch.extend_from_slice(b"\n\n");
        self.splitter.moved();
        let end = self.splitter.next(&self.scratch, 0, true).map(|found| found.end);
        let is_absent = |name: &&&str| memchr::memmem::find(record, name.as_bytes()).is_none();
        let name = FIRST_TAGS.iter().find(is_absent).filter(|_| !self.is_raw);
        let tag = name.map(|name| [b"[", name.as_bytes(), b" \"?\"]", line_end, line_end].concat());
        IrregularStart { opens_after_terminator: end == Some(TERMINATED.len()), tag }
    }

    /// Returns `true` if the last record ends with a terminator: then a move, and a tag without its bracket, begin the
    /// next record.
    fn last_has_terminator(&mut self) -> bool {
        // A first move ends what another move does not: a line whose semicolons separate moves.
        [&b"1. 1-2\n"[..], b"12-17\n", b"Zz \"?\"]\n"].iter().all(|next| {
            self.scratch.clear();
            self.scratch.extend_from_slice(&self.joined.text[self.last.clone()]);
            self.scratch.extend_from_slice(b"\n\n");
            let end = self.scratch.len();
            self.scratch.extend_from_slice(next);
            self.splitter.moved();
            self.splitter.next(&self.scratch, 0, true).is_some_and(|found| found.end == end)
        })
    }
}

/// Returns a record without whitespace, control characters and byte order marks at its start, and without whitespace
/// and control characters at its end.
fn trim(mut record: &[u8]) -> &[u8] {
    loop {
        record = match record {
            [0..=b' ', rest @ ..] | [0xEF, 0xBB, 0xBF, rest @ ..] => rest,
            _ => break,
        };
    }
    while let [rest @ .., 0..=b' '] = record {
        record = rest;
    }
    record
}

/// Returns the line end that a record uses.
fn line_end_of(record: &[u8]) -> &'static [u8] {
    match memchr::memchr(b'\n', record) {
        Some(at) if at > 0 && record[at - 1] == b'\r' => b"\r\n",
        _ => b"\n",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::split::records as split_records;

    /// Joins records in batches of `batch` records.
    fn join(records: &[Vec<u8>], batch: usize) -> (Vec<u8>, JoinChanges) {
        let (mut text, mut changes, mut before) = (Vec::new(), JoinChanges::default(), None);
        for batch in records.chunks(batch) {
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

    fn check(records: &[&str], expected: &str) -> JoinChanges {
        let records: Vec<Vec<u8>> = records.iter().map(|record| record.as_bytes().to_vec()).collect();
        let (text, changes) = join(&records, 10);
        assert_eq!(String::from_utf8(text.clone()).unwrap(), expected);
        assert_eq!(split_records(&text).count(), records.len());
        changes
    }

    #[test]
    fn line_of_semicolons_that_ends_with_a_terminator_does_not_take_in_the_next_record() {
        let play = "[White \"a\"]\n\n1. 33-29 20-25; 2. 39-33 17-22 *";
        check(&[play, "40. 32-28 *"], &format!("{play}\n\n[Event \"?\"]\n\n40. 32-28 *\n\n"));
    }

    #[test]
    fn record_without_last_line_end_stays_apart() {
        let changes = check(
            &[
                "[White \"a\"]\n1. 32-28 0-1",
                "\u{feff}[White \"b\"]\n1. 33-28 *\n\n\n",
                "[White \"c\"] 1. 32-28",
            ],
            "[White \"a\"]\n1. 32-28 0-1\n\n[White \"b\"]\n1. 33-28 *\n\n[White \"c\"] 1. 32-28\n\n",
        );
        assert!(changes.is_empty(), "{changes:?}");
    }

    #[test]
    fn tags_without_moves_receive_a_terminator() {
        let changes = check(
            &["[White \"a\"]", "[Black \"b\"]\n{only a comment}", "[Event \"c\"]\n*"],
            "[White \"a\"]\n*\n\n[Black \"b\"]\n{only a comment}\n*\n\n[Event \"c\"]\n*\n\n",
        );
        assert_eq!(changes, JoinChanges { terminators: 2, ..JoinChanges::default() });
    }

    #[test]
    fn unclosed_comment_receives_its_braces() {
        let changes = check(
            &["[White \"a\"]\n1. 32-28 {one {two", "[White \"b\"]\n1. 32-28 {a}} *"],
            "[White \"a\"]\n1. 32-28 {one {two }}\n\n[White \"b\"]\n1. 32-28 {a}} *\n\n",
        );
        assert_eq!(changes, JoinChanges { comments: 1, ..JoinChanges::default() });
    }

    #[test]
    fn record_that_begins_with_text_receives_a_tag() {
        let changes = check(
            &[
                "[White \"a\"]\n*",
                "{Event}\n[White \"b\"]\n1. 32-28 *",
                "1. 32-28",
                "1. 33-28 *",
                "some words",
                "",
            ],
            "[White \"a\"]\n*\n\n[Site \"?\"]\n\n{Event}\n[White \"b\"]\n1. 32-28 *\n\n1. 32-28\n\n\
             [Event \"?\"]\n\n1. 33-28 *\n\n[Event \"?\"]\n\nsome words\n\n[Event \"?\"]\n\n\n*\n\n",
        );
        assert_eq!(changes, JoinChanges { first_tags: 4, terminators: 1, ..JoinChanges::default() });
    }

    #[test]
    fn raw_records_are_counted_instead_of_changed() {
        let mut joiner = RecordJoiner::raw();
        joiner.push(b"\xFE [White \"a\"]\r\n");
        joiner.push(b"[White \"b\"]\r\n1. 32-28 *");
        let joined = joiner.finish();
        assert_eq!(joined.text, b"\xFE [White \"a\"]\n\n[White \"b\"]\r\n1. 32-28 *\r\n\r\n");
    }

    proptest! {
        #[test]
        fn joined_records_are_found_again_in_batches_of_any_size(
            texts in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec![
                        "[Event \"a\"]", "[White \"b\"]", "[Zz]", "Black \"c\"]", "[Site \"", "[x y]", "\n", "\n\n", "\r\n", " ",
                        "1. 32-28", "19-23", "*", "2-0", "1/2-1/2", "{", "}", "{ok}", "(", ")", ";", "%", "\"", "]", "[",
                        "/FEN \"W:W1:B2\"/", "/", "words", "\u{feff}", "\u{a0}", "\\n", "3228", "é",
                    ]),
                    0..14,
                ),
                1..5,
            ),
            batch in 1usize..9,
        ) {
            let records: Vec<Vec<u8>> = texts
                .iter()
                .flat_map(|parts| {
                    let text = parts.concat();
                    split_records(text.as_bytes()).map(|record| record.bytes.to_vec()).collect::<Vec<_>>()
                })
                .collect();
            let (text, changes) = join(&records, batch);
            prop_assert_eq!((&text, changes), (&join(&records, 100).0, join(&records, 100).1));
            // About one of a million of these texts cannot be separated; the number says so.
            if changes.unseparated == 0 {
                prop_assert_eq!(split_records(&text).count(), records.len(), "{}", String::from_utf8_lossy(&text));
            }
        }
    }
}
