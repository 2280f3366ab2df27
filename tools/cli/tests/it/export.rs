//! `pdn export`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{archive_of, run, run_with, text};

/// Three games: a win of White, a draw, and one with an illegal move and a variation.
const GAMES: &str = "[White \"Ames, A.\"]\n[Black \"Bos\"]\n[Date \"2001.02.03\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
    [White \"Cox\"]\n[Black \"Ames, A.\"]\n[Result \"1-1\"]\n\n1. 33-29 {[%clk 0:05:00]} 18-23 2. 29x18 12x23 1-1\n\n\
    [White \"Dam \\\"x\\\"\"]\n1. 32-28 (33-28 18-23) 19-24 2. 28-32 *\n";

fn archive() -> (tempfile::TempDir, PathBuf) {
    archive_of(GAMES)
}

#[test]
fn file_and_standard_output_have_the_same_bytes() {
    let (folder, path) = archive();
    for (table, format) in [("games", "csv"), ("moves", "jsonl"), ("positions", "csv"), ("comments", "jsonl")]
    {
        let output = folder.path().join("out");
        let printed = run(&["export", text(&path), "--table", table, "--format", format]);
        let args = ["export", text(&path), "--table", table, "--format", format];
        let written = run(&[&args[..], &["-o", text(&output), "--force"]].concat());
        assert_eq!((printed.code, written.code, written.out.as_str()), (0, 0, ""));
        let rows = printed.out.lines().count() - usize::from(format == "csv");
        assert!(written.err.contains(&format!("{rows} row")), "{}", written.err);
        assert_eq!(fs::read_to_string(&output).expect("written"), printed.out);
    }
    let streamed =
        run_with(&["export", "-", "--table", "moves", "--json", "--threads", "3"], GAMES.as_bytes());
    let printed = run(&["export", text(&path), "--table", "moves", "--json", "--threads", "1"]);
    assert_eq!(streamed.out.replace("\"-\"", &format!("\"{}\"", text(&path))), printed.out);
}

#[test]
fn diagnostics_are_those_of_check() {
    let data = crate::common::data();
    let mut files = vec![archive()];
    let (folder, path) = files.pop().expect("one");
    let mut paths = vec![path];
    paths.extend(fs::read_dir(data).expect("listed").filter_map(|entry| {
        let path = entry.expect("an entry").path();
        path.extension().is_some_and(|extension| extension == "pdn").then_some(path)
    }));
    let mut all = 0;
    for path in &paths {
        for strict in [false, true] {
            let mut check = vec!["check", "--json", text(path)];
            let mut export = vec!["export", "--json", "--table", "diagnostics", text(path)];
            if strict {
                check.push("--strict");
                export.push("--strict");
            }
            let lines = |out: String| -> Vec<Value> {
                out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
            };
            let mut expected = lines(run(&check).out);
            expected.pop();
            let found = lines(run(&export).out);
            assert_eq!(found.len(), expected.len(), "{}", path.display());
            for (row, diagnostic) in found.iter().zip(&expected) {
                for (column, key) in [
                    ("file", "file"),
                    ("record", "record"),
                    ("code", "code"),
                    ("severity", "severity"),
                    ("line", "line"),
                    ("column", "column"),
                    ("at", "at"),
                    ("length", "span"),
                ] {
                    assert_eq!(row[column], diagnostic[key], "{column} of {row}");
                }
            }
            all += found.len();
        }
    }
    drop(folder);
    assert!(all > 20, "{all}");
}

#[cfg(not(feature = "sqlite"))]
#[test]
fn build_without_sqlite_says_so() {
    let (folder, path) = archive();
    let run = run(&["export", text(&path), "-o", text(&folder.path().join("out.sqlite"))]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("this build of pdn has no SQLite") && run.err.contains("--features sqlite"),
        "{}",
        run.err
    );
}

#[cfg(feature = "sqlite")]
#[test]
fn sqlite_reads_back_as_json_lines() {
    let (folder, path) = archive();
    let output = folder.path().join("out.sqlite");
    let tables = "games,moves,positions,comments,diagnostics";
    assert_eq!(run(&["export", text(&path), "--table", tables, "-o", text(&output)]).code, 0);
    let connection = rusqlite::Connection::open(&output).expect("opened");
    for table in tables.split(',') {
        let expected = run(&["export", text(&path), "--table", table, "--json"]).out;
        let mut statement =
            connection.prepare(&format!("SELECT * FROM {table} ORDER BY rowid")).expect("a table");
        let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        let mut rows = statement.query([]).expect("a query");
        for line in expected.lines() {
            let row = rows.next().expect("read").expect("as many rows");
            let object: serde_json::Map<String, Value> = serde_json::from_str(line).expect("JSON");
            assert_eq!(names, object.keys().cloned().collect::<Vec<_>>());
            for (n, (name, value)) in object.iter().enumerate() {
                let found = match row.get_ref(n).expect("a column") {
                    rusqlite::types::ValueRef::Null => Value::Null,
                    rusqlite::types::ValueRef::Integer(number) if value.is_boolean() => {
                        Value::from(number != 0)
                    }
                    rusqlite::types::ValueRef::Integer(number) => Value::from(number),
                    rusqlite::types::ValueRef::Text(text) => {
                        let text = std::str::from_utf8(text).expect("UTF-8");
                        match value {
                            // A set of squares has their numbers.
                            Value::String(_) if name.starts_with("white_") || name.starts_with("black_") => {
                                let numbers: Vec<u32> = serde_json::from_str(text).expect("numbers");
                                let set = numbers.iter().fold(0u128, |set, number| set | 1 << (number - 1));
                                Value::from(format!("{set:016x}"))
                            }
                            Value::String(_) => Value::from(text),
                            _ => serde_json::from_str(text).expect("JSON"),
                        }
                    }
                    other => panic!("{other:?}"),
                };
                assert_eq!(found, *value, "{name} of {table}");
            }
        }
        assert!(rows.next().expect("read").is_none(), "no more rows");
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn several_tables_of_a_stream_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("games.sqlite");
    let run = run_with(&["export", "-", "--table", "games,moves", "-o", text(&output)], GAMES.as_bytes());
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("a stream can be read only once"), "{}", run.err);
    assert!(!output.exists());
}

/// Games come without end; the export does not wait for it.
#[test]
fn export_ends_with_the_last_row_that_is_wanted() {
    use std::io::Write as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let games = "[White \"a\"]\n1. 32-28 19-23 1-1\n\n".repeat(1000);
    let mut command = crate::common::pdn(&["export", "-", "--limit", "3", "--columns", "record"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while input.write_all(games.as_bytes()).is_ok() {});
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the export does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    writer.join().unwrap();
    assert_eq!(
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(),
        "record\r\n1\r\n2\r\n3\r\n"
    );
}
