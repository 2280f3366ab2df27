//! An index gives the rows of its archive, filters select the same games, and CSV reads back.

use std::ops::ControlFlow;
use std::path::Path;

use pdn::archive::Archive;
use pdn::replay::ReplayOptions;
use pdn::source::{Decoder, OpenOptions};
use pdn_index::internal::SegmentOptions;
use pdn_index::query::Query;
use pdn_index::{ImportOptions, Index, import};
use pdn_tables::{
    BatchColumn, ColumnSelection, ColumnValues, CsvWriter, ExportOptions, IndexRows, RecordFilter, RowMaker,
    Table,
};
use proptest::prelude::*;
use serde_json::Value;

use super::{files, parse_lines, rows_of, write_json};
use crate::common;

/// Returns all rows of an index as JSON.
fn index_rows(index: &Index, columns: &ColumnSelection, options: &ExportOptions) -> Vec<Value> {
    let rows = IndexRows::new(index, columns, options, pdn::default_threads()).expect("searched");
    let mut text = Vec::new();
    rows.for_each(
        |batch| batch,
        |batch| {
            write_json(columns, &batch, &mut text);
            ControlFlow::Continue(())
        },
    )
    .expect("exported");
    parse_lines(&text)
}

#[test]
fn index_gives_the_rows_of_its_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = files(folder.path()).pop().expect("a file");
    for embed in [false, true] {
        let dir = folder.path().join(format!("index-{embed}"));
        let options = ImportOptions::new().segments(SegmentOptions::new().segment_games(7)).embed(embed);
        import([&path], &dir, &options).expect("imported");
        let index = Index::open(&dir).expect("opened");
        for table in Table::ALL {
            // All columns at once, which takes the records, and each alone, which may not.
            let names: Vec<_> = columns_of_archives(table).collect();
            let each = names.iter().map(|name| vec![*name]);
            for names in [names.clone()].into_iter().chain(each.filter(|_| !embed)) {
                let columns = ColumnSelection::named(table, names.iter().copied()).expect("columns");
                let main_line = [false, true].into_iter().take(if table == Table::Moves { 2 } else { 1 });
                for main_line in main_line {
                    let options = ExportOptions::new().main_line(main_line);
                    let mut expected = rows_of(&path, &columns, &options);
                    let found = index_rows(&index, &columns, &options);
                    if names.contains(&"game") {
                        let record = ColumnSelection::named(table, ["record"]).expect("a column");
                        for (row, place) in expected.iter_mut().zip(rows_of(&path, &record, &options)) {
                            row["game"] = place["record"].clone();
                        }
                    }
                    assert_eq!(found, expected, "{names:?} of {table}");
                }
            }
        }
    }
}

/// Returns the names of the columns whose values an archive without an index has, too.
fn columns_of_archives(table: Table) -> impl Iterator<Item = &'static str> {
    let names = table.columns().iter().map(|column| column.name);
    names.filter(move |name| !ColumnSelection::named(table, [*name]).expect("a column").needs_index())
}

/// Returns two selections: the columns of a table that an index stores, and all columns. The number of the game is left out, because an archive
/// without an index has none.
fn stored_and_all_columns(table: Table) -> [ColumnSelection; 2] {
    let named = |names: Vec<&str>| ColumnSelection::named(table, names).expect("columns of the table");
    let all: Vec<_> = columns_of_archives(table).filter(|name| *name != "game").collect();
    let stored = all.iter().copied().filter(|name| !named(vec![*name]).needs_text()).collect();
    [named(stored), named(all)]
}

/// Compares the tables of an archive with those of its index.
fn compare_with_index(path: &Path, folder: &Path) {
    let mut batches = Archive::open(path).expect("opened").batches();
    if batches.any(|batch| batch.is_ok_and(|batch| batch.offsets().is_some())) {
        // Offsets in an index of UTF-16 are those of its text as UTF-8.
        return;
    }
    let dir = folder.join("index");
    let summary = import([path], &dir, &ImportOptions::new()).expect("imported");
    if !summary.failures.is_empty() {
        // Not text; the archive is refused as well.
        return;
    }
    let index = Index::open(&dir).expect("opened");
    for table in Table::ALL {
        for columns in stored_and_all_columns(table) {
            // With variations, an index reads the records of moves.
            let options = ExportOptions::new().main_line(!columns.needs_text());
            let (expected, found) =
                (rows_of(path, &columns, &options), index_rows(&index, &columns, &options));
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{table} of {}", path.display());
            }
            assert_eq!(found.len(), expected.len(), "{table} of {}", path.display());
        }
    }
}

#[test]
fn index_gives_the_rows_of_files_that_have_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (dir, archives) = (folder.path().join("index"), folder.path().join("archives"));
    std::fs::create_dir(&archives).expect("a folder");
    let (changed, removed) = (archives.join("changed.pdn"), archives.join("removed.pdn"));
    std::fs::write(&changed, "[White \"Ames\"]\n\n1. 32-28 19-23 *\n\n[White \"Bell\"]\n\n1. 33-28 *\n")
        .expect("written");
    std::fs::write(&removed, "[White \"Dunn\"]\n\n1. 32-28 *\n").expect("written");
    import([&archives], &dir, &ImportOptions::new()).expect("imported");
    std::fs::write(&changed, "\n[White \"Cole\"]\n\n1. 34-30 {a move} 19-24 2. 30x19 1-1\n")
        .expect("written");
    std::fs::remove_file(&removed).expect("removed");
    let options = ImportOptions::new().append(true).prune(true);
    let summary = import([&archives], &dir, &options).expect("imported");
    assert_eq!(summary.retired, 3);
    let index = Index::open(&dir).expect("opened");
    for table in Table::ALL {
        for columns in stored_and_all_columns(table) {
            let expected = rows_of(&changed, &columns, &ExportOptions::new());
            assert_eq!(index_rows(&index, &columns, &ExportOptions::new()), expected, "{table}");
        }
    }
}

#[test]
fn index_gives_the_rows_of_fixtures_and_real_files() {
    for (path, _) in common::fixtures().iter().chain(&common::real_files()) {
        let folder = tempfile::tempdir().expect("a folder");
        compare_with_index(&common::root().join(path), folder.path());
    }
}

/// Generates records whose tags have several names, several values and several places, among what else may stand there.
fn records_with_many_tags() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        "[White \"a\"]\n",
        "[White \" \"]",
        "[white \"b\"]\n",
        "[P1 \"c\"]",
        "[P2 \"d\"]\n",
        "[P1Elo \"1500\"] ",
        "[Bianco \"e\"]",
        "[Black \"f &amp; g\"]",
        "Black \"lost\"]\n",
        "\nSite \"lost\"]\n",
        "[Event \"\"]",
        "[Event \"x\\\"y\"]\n",
        "[Anno \"2005\"]",
        "[Date \"2005.03.01\"]\n",
        "[Result \"*\"]",
        "[Result \"2-0\"]\n",
        "[Uitslag \"1-1\"]",
        "[Round \"3\"]",
        "[WhiteRating \"2100\"]",
        "[GameType \"21\"]",
        "[Variant \"American/English\"]",
        "[Opening \"o\"]",
        "[Annotator]",
        "1. ",
        "32-28 ",
        "19-23 ",
        "9-14 ",
        "22-17 ",
        "{[%clk 0:01:00]} ",
        "{[White \"in a comment\"]} ",
        "(",
        ") ",
        "([Black \"in a variation\"]) ",
        "; [Site \"x\"]\n",
        "text ",
        " 2-0\n\n",
        " * \n\n",
        "\n\n",
    ]);
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat().into_bytes())
}

#[test]
fn line_of_records_in_several_encodings_has_the_same_columns() {
    // A batch ends within the line after two records, of which only the second is UTF-8.
    let second = format!("{} 1. 32-28 * ", "[Event \"é\"]".repeat(20));
    let text = [b"[Event \"a\"] 1. 32-28 \x80 * ", second.as_bytes(), b"[Event \"c\"] 1. 33-28 } *"].concat();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, text).expect("written");
    compare_with_index(&path, folder.path());
}

proptest! {
    #![proptest_config(common::cases(150))]

    #[test]
    fn index_gives_the_rows_of_damaged_archives(
        text in prop_oneof![3 => records_with_many_tags(), 1 => common::pdn_like()],
        changes in prop::option::of(common::changes()),
    ) {
        let text = changes.map_or_else(|| text.clone(), |changes| common::mutated(&text, &changes));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pdn");
        std::fs::write(&path, text).expect("written");
        compare_with_index(&path, folder.path());
    }
}

#[test]
fn tags_among_the_moves_count() {
    let path = common::root().join("corpora/quirks/tags-among-the-moves.pdn");
    let names = ["white", "black", "site", "event", "result", "annotator", "tags"];
    let columns = ColumnSelection::named(Table::Games, names).expect("columns of the table");
    let [row] = rows_of(&path, &columns, &ExportOptions::new()).try_into().expect("one record");
    let expected = serde_json::json!({
        "white": "Ames", "black": "Bell", "site": "Utrecht", "event": null, "result": "2-0", "annotator": "Cole",
        "tags": {"White": "Ames", "Result": "*", "Black": "Bell", "Site": "Utrecht", "Annotator": "Cole"},
    });
    assert_eq!(row, expected);
}

#[test]
fn filters_of_records_read_every_tag_that_they_ask_about() {
    let text = "[Event \"Open\"]\n[Site \"Utrecht\"]\n[Date \"1996.12.28\"]\n[Round \"3\"]\n[White \"Ames\"]\n[Black \"Bell\"]\n\
                [Result \"2-0\"]\n[WhiteRating \"2100\"]\n[BlackRating \"1900\"]\n\n1. 32-28 19-23 2-0\n";
    let columns = ColumnSelection::named(Table::Games, ["record"]).expect("a column");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, text).expect("written");
    for query in [
        "white : ames",
        "black : bell",
        "player : bell",
        "winner : ames",
        "loser : bell",
        "event : open",
        "site : utrecht",
        "round : 3",
        "round 3",
        "date 1996",
        "result 2-0",
        "result = \"2-0\"",
        "rating white 2100",
        "rating black 1900",
        "rating both 1900..2100",
        "rating either 1900",
        "white : ames and (site : x or rating black 1900)",
    ] {
        for (query, expected) in [(query.to_owned(), 1), (format!("not ({query})"), 0)] {
            let parsed = Query::parse(&query).expect("a query");
            let rows = rows_of(&path, &columns, &ExportOptions::new().query(parsed.clone()));
            assert_eq!(rows.len(), expected, "{query}");
            let mut filter = RecordFilter::new(parsed, ReplayOptions::new());
            assert_eq!(filter.matches(text.as_bytes(), &Decoder::default()), expected == 1, "{query}");
        }
    }
}

#[test]
fn filters_of_records_select_the_games_of_an_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = files(folder.path()).pop().expect("a file");
    let dir = folder.path().join("index");
    import([&path], &dir, &ImportOptions::new()).expect("imported");
    let index = Index::open(&dir).expect("opened");
    let columns = ColumnSelection::named(Table::Games, ["record"]).expect("a column");
    let mut found_any = 0;
    for query in [
        "white : ames",
        "not player ~amse",
        "winner : x or loser : x",
        "event = \"cup international\"",
        "date 1996",
        "date ..1990",
        "rating white 2000..2200",
        "rating both 2000..2200",
        "rating either 2000..",
        "round 2",
        "plies 10..",
        "result 1-1",
        "result draw",
        "winner black",
        "winner nobody",
        "status illegal",
        "variant russian or variant english",
        "ever (white : x and plies < 9)",
        "not (result draw or white : ames)",
        "(white : ames and not result draw) flipped",
        "rating white 2000..2200 flipped",
        "not (rating black 2000.. and winner white) flipped",
        "ever (winner black flipped mirrored)",
    ] {
        let Ok(query) = Query::parse(query) else { panic!("{query}: {:?}", Query::parse(query)) };
        assert!(pdn_tables::is_game_query(&query));
        let options = ExportOptions::new().query(query.clone());
        let found = rows_of(&path, &columns, &options);
        assert_eq!(found, index_rows(&index, &columns, &options), "{query}");
        found_any += usize::from(!found.is_empty());
    }
    assert!(found_any > 12, "{found_any}");
}

#[test]
fn csv_reads_back_as_the_same_values() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in files(folder.path()) {
        for table in Table::ALL {
            let columns = ColumnSelection::of(table);
            let mut maker = RowMaker::new(&columns, &ExportOptions::new().style(true));
            let writer = CsvWriter::new(&columns);
            let (mut text, mut batches) = (writer.header().to_vec(), Vec::new());
            for batch in Archive::open_with(&path, &OpenOptions::new()).expect("opened").batches() {
                let rows = maker.rows(&batch.expect("readable")).expect("every batch is given");
                writer.write(&rows, 0..rows.rows, &mut text);
                batches.push(rows);
            }
            let mut reader = csv::Reader::from_reader(text.as_slice());
            let names: Vec<_> = columns.specs().map(|column| column.name).collect();
            assert_eq!(reader.headers().expect("a header").iter().collect::<Vec<_>>(), names);
            let mut lines = reader.records();
            for batch in &batches {
                for row in 0..batch.rows {
                    let line = lines.next().expect("as many rows").expect("as many fields");
                    for (field, column) in line.iter().zip(&batch.columns) {
                        assert_eq!(field, plain(column, row), "{table} of {}", path.display());
                    }
                }
            }
            assert!(lines.next().is_none(), "no more rows");
        }
    }
}

/// Returns the text of a value in CSV, without quotes.
fn plain(column: &BatchColumn, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    let list = |numbers: Vec<String>| numbers.join(" ");
    let squares = |set: u128| if set >> 64 == 0 { format!("{set:016x}") } else { format!("{set:032x}") };
    match &column.values {
        ColumnValues::Bool(values) => values[row].to_string(),
        ColumnValues::I64(values) => values[row].to_string(),
        ColumnValues::I16(values) => values[row].to_string(),
        ColumnValues::I32(values) => values[row].to_string(),
        ColumnValues::Key(values) => format!("{:016x}", values[row]),
        ColumnValues::Squares(values) => squares(values.get(row)),
        ColumnValues::Text(values) => values.get(row).to_owned(),
        ColumnValues::Dictionary(values) => values.get(row).to_owned(),
        ColumnValues::I16List(values) => list(values.get(row).iter().map(i16::to_string).collect()),
        ColumnValues::I32List(values) => list(values.get(row).iter().map(i32::to_string).collect()),
        other => {
            let mut json = Vec::new();
            pdn_tables::write_json_value(column, row, &mut json);
            let text = String::from_utf8(json).expect("UTF-8");
            match other {
                ColumnValues::Date(_) => text.trim_matches('"').to_owned(),
                _ => text,
            }
        }
    }
}
