//! Columns that are written only where some game has such a text, and that earlier versions did not store.

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{
    ColumnSelection, ColumnValues, ExportOptions, IndexRows, RecordFilter, RowMaker, Table, TableBatch,
};
use pdn::error::ErrorKind;
use pdn::internal::view::TagValues;
use pdn::position::{Move, Position};
use pdn::replay::{Replayer, VariantBasis};
use pdn::rules::Variant;
use pdn::source::{Decoder, Encoding};
use pdn::value::TagName;
use pdn::view::RecordView;
use pdn_index::import;
use pdn_index::internal::manifest::forget_optional_columns;
use pdn_index::internal::pack::{PackedOp, pack};
use pdn_index::internal::query::{GameSelector, explain_no_match};
use pdn_index::internal::{
    Fingerprint, GameKind, IndexWriter, RowBatch, Section, SegmentOptions, TextColumn, VerifyOptions, merge,
    verify,
};
use pdn_index::query::{Query, Search};
use pdn_index::{GameRow, ImportOptions, Index};

/// A folder for the files of one test.
struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("written");
        path
    }
}

/// Returns options with these numbers of threads and games per segment.
fn options(threads: usize, segment_games: u32) -> ImportOptions {
    let mut segments = SegmentOptions::default();
    segments.segment_games = segment_games;
    ImportOptions::new().threads(NonZeroUsize::new(threads).expect("some")).segments(segments)
}

/// Imports files, which must succeed.
fn index(paths: &[PathBuf], dir: &Path, options: &ImportOptions) {
    import(paths, dir, options).expect("the index is built");
}

/// Returns games of which some have the text of a column, and games of which none has.
fn archives(column: TextColumn) -> [String; 2] {
    let (tag, lower) = (column.tag().name(), column.name());
    let with = format!(
        "[White \"a\"]\n[{tag} \"Wiersma, H.\"]\n1. 32-28 *\n\n\
         [White \"b\"]\n1. 32-28 *\n\n\
         [White \"c\"]\n[{tag} \" \"]\n1. 32-28 *\n\n\
         [White \"d\"]\n[{lower} \"&#268;i\u{17e}ov\"]\n1. 32-28 *\n\n"
    );
    [with, "[White \"e\"]\n1. 32-28 *\n\n[White \"f\"]\n1. 32-28 *\n\n".to_owned()]
}

/// Returns the columns that are written only where some game has such a text.
fn optional_columns() -> impl Iterator<Item = TextColumn> {
    TextColumn::ALL.into_iter().filter(|column| column.is_optional())
}

fn texts(index: &Index, column: TextColumn) -> Vec<String> {
    index.games().map(|game| game.row().expect("sound").text(column).to_owned()).collect()
}

fn found(index: &Index, query: &str) -> Vec<u64> {
    let query = Query::parse(query).expect("a query");
    let (hits, _) = Search::new(index, &query, NonZeroUsize::MIN)
        .and_then(|search| search.hits(usize::MAX))
        .expect("sound");
    hits.iter().map(|hit| hit.game).collect()
}

/// The texts of an exported table; `None` for null.
fn exported(index: &Index, column: TextColumn) -> (Vec<Option<String>>, bool) {
    let columns = ColumnSelection::named(Table::Games, [column.name()]).expect("a column");
    let rows = IndexRows::new(index, &columns, &ExportOptions::new(), NonZeroUsize::MIN).expect("sound");
    let mut values = Vec::new();
    let mut collect = |batch: TableBatch| {
        let column = &batch.columns[0];
        let ColumnValues::Text(texts) = &column.values else { panic!("a column of texts") };
        values.extend((0..batch.rows).map(|n| (!texts.get(n).is_empty()).then(|| texts.get(n).to_owned())));
        ControlFlow::Continue(())
    };
    rows.for_each(|batch| batch, &mut collect).expect("sound");
    (values, rows.reads_text())
}

/// The queries of the tests, with `{}` for the column, and the games of [`archives`] that match.
const QUERIES: &[(&str, &[u64])] = &[
    ("{} : wiersma", &[0]),
    ("{} ~ \"wirsma\"", &[0]),
    ("{} = \"čižov\"", &[3]),
    ("{} = \"\"", &[1, 2, 4, 5]),
    ("not {} : wiersma", &[1, 2, 3, 4, 5]),
    ("not {} = \"\"", &[0, 3]),
    ("white = d or {} : wiersma", &[0, 3]),
    ("{} : wiersma and plies = 1", &[0]),
];

/// Returns the queries about a column, with the games that match.
fn queries(column: TextColumn) -> impl Iterator<Item = (String, &'static [u64])> {
    QUERIES.iter().map(move |(query, games)| (query.replace("{}", column.name()), *games))
}

fn check(index: &Index, column: TextColumn, is_stored: bool) {
    assert_eq!(index.stores(column), is_stored);
    assert!(index.stores(TextColumn::White));
    for (query, expected) in queries(column) {
        assert_eq!(found(index, &query), expected, "{query}");
    }
    let name = |name: &str| Some(name.to_owned());
    let expected = vec![name("Wiersma, H."), None, None, name("Čižov"), None, None];
    assert_eq!(exported(index, column), (expected, !is_stored));
}

#[test]
fn optional_texts_are_stored_merged_and_found() {
    for column in optional_columns() {
        let temp = TestFolder::new();
        let [with, without] = archives(column);
        let paths = [temp.file("a.pdn", &with), temp.file("b.pdn", &without)];
        let dir = temp.path("index");
        // Two games a segment, so that the last segment has no such text.
        index(&paths, &dir, &options(1, 2));
        let opened = Index::open(&dir).expect("opened");
        assert_eq!(texts(&opened, column), ["Wiersma, H.", "", "", "Čižov", "", ""]);
        // The column and the three sections of its dictionary.
        let is_of_column = |section: &&Section| section.name().starts_with(column.name());
        let sections: Vec<_> = Section::ALL.iter().filter(is_of_column).collect();
        for (segment, expected) in opened.segments().iter().zip([true, true, false]) {
            let has: Vec<_> = sections.iter().map(|section| segment.has(**section)).collect();
            assert_eq!(has, [expected; 4], "{}", column.name());
        }
        check(&opened, column, true);
        assert!(verify(&dir, &VerifyOptions::ALL).expect("a manifest").is_sound());

        let (merged, whole) = (temp.path("merged"), temp.path("whole"));
        index(&paths, &merged, &options(1, 2));
        merge(&merged, &SegmentOptions::default()).expect("merged");
        index(&paths, &whole, &options(1, 100));
        let segment = |dir: &Path| {
            let index = Index::open(dir).expect("opened");
            check(&index, column, true);
            assert_eq!(index.segments().len(), 1);
            fs::read(index.segments()[0].path()).expect("readable")
        };
        assert!(segment(&merged) == segment(&whole));
        assert!(verify(&merged, &VerifyOptions::ALL).expect("a manifest").is_sound());
    }
}

#[test]
fn records_are_filtered_by_optional_texts_as_an_index_is() {
    for column in optional_columns() {
        let text = archives(column).concat();
        let records: Vec<_> = pdn::split::records(text.as_bytes()).collect();
        let decoder = Decoder::default();
        for (query, expected) in queries(column) {
            let mut filter = RecordFilter::new(Query::parse(&query).expect("a query"), Default::default());
            let found: Vec<u64> = (0u64..)
                .zip(&records)
                .filter(|(_, record)| filter.matches(record.bytes, &decoder))
                .map(|(number, _)| number)
                .collect();
            assert_eq!(found, expected, "{query}");
        }
    }
}

/// Writes an index as a version did that stored no optional texts.
fn write_without_optional_texts(dir: &Path, archive: &Path, text: &str) {
    let mut writer = IndexWriter::create(dir, &SegmentOptions::default()).expect("created");
    let fingerprint = Fingerprint::of(&File::open(archive).expect("there")).expect("readable");
    let input = writer.add_input(archive, Some((archive, fingerprint)), true).expect("registered");
    let mut rows = RowBatch::new();
    let numbering = Variant::International.game().numbering;
    let kind = GameKind { variant: Variant::International, numbering, basis: VariantBasis::Moves };
    for record in pdn::split::records(text.as_bytes()) {
        let view = RecordView::new(record.bytes);
        let white = TagValues::of(&view).get(TagName::White);
        let mut row = GameRow::new(kind);
        row.white = std::str::from_utf8(white).expect("UTF-8");
        row.plies = 1;
        let mut moves: Vec<Move> = Vec::new();
        Replayer::default().replay(record.bytes, &mut moves);
        let moves: Vec<_> = moves.into_iter().map(PackedOp::Move).collect();
        pack(&Position::start(Variant::International), &moves, rows.moves());
        rows.push(&row, record.bytes);
    }
    writer.push(input, 0, &rows, text.as_bytes()).expect("pushed");
    writer.commit().expect("committed");
    forget_optional_columns(dir);
}

#[test]
fn texts_answer_where_an_earlier_version_did_not_store_them() {
    for column in optional_columns() {
        let (temp, name) = (TestFolder::new(), column.name());
        let [with, without] = archives(column);
        let text = with.clone() + &without;
        let archive = temp.file("old.pdn", &text);
        let dir = temp.path("old");
        write_without_optional_texts(&dir, &archive, &text);
        let old = Index::open(&dir).expect("opened");
        assert_eq!(texts(&old, column), [""; 6]);
        check(&old, column, false);

        // Nothing is said about names that are near, because the names in the texts are not known.
        let unknown = Query::parse(&format!("{name} : wiersmo")).expect("a query");
        let explained = explain_no_match(&old, &unknown, NonZeroUsize::MIN).expect("sound");
        assert_eq!((explained.steps.len(), explained.names.len()), (1, 0));

        // A merged segment has new games and old ones. The old ones have no stored text, so it is read from the records of all.
        let new = temp.file("new.pdn", &with);
        index(&[new], &dir, &options(1, 100).append(true));
        merge(&dir, &SegmentOptions::default()).expect("merged");
        let mixed = Index::open(&dir).expect("opened");
        assert_eq!((mixed.segments().len(), mixed.stores(column)), (1, false));
        assert_eq!(found(&mixed, &format!("{name} : wiersma")), [0, 6]);
        assert_eq!(found(&mixed, &format!("{name} = \"\"")), [1, 2, 4, 5, 7, 8]);
        assert!(verify(&dir, &VerifyOptions::ALL).expect("a manifest").is_sound());

        // Without the archive nothing is known, and nothing is claimed.
        fs::remove_file(&archive).expect("removed");
        let query = Query::parse(&format!("{name} : wiersma")).expect("a query");
        let error = Search::new(&old, &query, NonZeroUsize::MIN)
            .and_then(|search| search.hits(usize::MAX))
            .expect_err("no text");
        assert!(!matches!(error.kind(), ErrorKind::IndexDamaged { .. }), "{error}");
        let selector = GameSelector::new(&old.segments()[0]).expect("sound");
        assert!(matches!(selector.bounds(&query).expect_err("unknown").kind(), ErrorKind::NoText(_)));
    }
}

#[test]
fn long_records_whose_notes_are_left_out_are_counted() {
    // Before a setup, notes could belong to other moves; a replay with variations would take too long.
    let long = "x".repeat(256 << 10);
    let columns = ColumnSelection::named(Table::Moves, ["game", "clock_ms"]).expect("columns");
    for (comment, moves, expected) in [
        (&*long, "1. 32-28 /FEN \"B:W28:B1\"/ 1-6", 1),
        ("", "1. 32-28 /FEN \"B:W28:B1\"/ 1-6", 0),
        (&*long, "1. 32-28 19-23", 0),
    ] {
        let text = format!("[GameType \"20\"]\n{{{comment}}} {moves} *\n");
        let bytes = pdn::source::Bytes::from(text.into_bytes());
        let archive = pdn::archive::Archive::from_bytes(bytes, "a.pdn", &Default::default()).expect("a text");
        let mut maker = RowMaker::new(&columns, &ExportOptions::new());
        for batch in archive.batches() {
            assert_eq!(maker.rows(&batch.expect("readable")).expect("every batch").rows, 2);
        }
        assert_eq!(maker.incomplete(), expected, "{} bytes, {moves}", comment.len());
    }
}

#[test]
fn rows_with_lines_need_every_batch() {
    let text = "[White \"a\"]\n1. 32-28 *\n\n".repeat(3);
    let batches = || {
        let bytes = pdn::source::Bytes::from(text.clone().into_bytes());
        let archive = pdn::archive::Archive::from_bytes(bytes, "a.pdn", &Default::default()).expect("a text");
        archive.batch_bytes(1).batches().map(|batch| batch.expect("readable"))
    };
    let lines = ColumnSelection::named(Table::Games, ["line"]).expect("a column");
    let maker = || RowMaker::new(&lines, &ExportOptions::new());
    let of = |rows: TableBatch| match &rows.columns[0].values {
        ColumnValues::I64(lines) => lines.clone(),
        other => panic!("{other:?}"),
    };
    let all: Vec<_> = batches().collect();
    let mut given = maker();
    // A batch for each byte, most of them without a record.
    let backwards = all.iter().rev().flat_map(|batch| of(given.rows(batch).expect("all are kept")));
    assert_eq!(backwards.collect::<Vec<_>>(), [7, 4, 1]);
    let error = batches().skip(1).find_map(|batch| maker().rows(&batch).err()).expect("one is missing");
    assert!(matches!(error.kind(), pdn::error::ErrorKind::SkippedBatch), "{error}");
    // Nothing else depends on other batches.
    let names = ColumnSelection::named(Table::Games, ["white"]).expect("a column");
    let mut maker = RowMaker::new(&names, &ExportOptions::new());
    assert!(batches().skip(1).all(|batch| maker.rows(&batch).is_ok()));
}

#[test]
fn records_of_an_index_are_read_in_the_encoding_that_was_asked_for() {
    let temp = TestFolder::new();
    let archive = temp.path("a.pdn");
    fs::write(&archive, b"[Event \"\xca\xee\"]\n1. 32-28 {\xca\xee} *\n").expect("written");
    let dir = temp.path("index");
    index(&[archive], &dir, &options(1, 100));
    let index = Index::open(&dir).expect("opened");
    let columns = ColumnSelection::named(Table::Comments, ["text"]).expect("a column");
    for (encoding, expected) in [(Encoding::WINDOWS_1251, "Ко"), (Encoding::KOI8_R, "йН")] {
        let rows = IndexRows::new(&index, &columns, &ExportOptions::new(), NonZeroUsize::MIN)
            .expect("sound")
            .encoding(Some(encoding));
        let mut found = Vec::new();
        let collect = |batch: TableBatch| {
            let ColumnValues::Text(texts) = &batch.columns[0].values else { panic!("a column of texts") };
            found.extend((0..batch.rows).map(|n| texts.get(n).to_owned()));
            ControlFlow::Continue(())
        };
        rows.for_each(|batch| batch, collect).expect("readable");
        assert_eq!(found, [expected]);
    }
}
