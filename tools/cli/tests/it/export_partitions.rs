//! `pdn export --partition`. What is in the files is tested where other programs read them:
//! `tools/python/tests/test_partitions.py`.

use std::path::PathBuf;

use crate::common::{archive_of, run, text};

/// Two international games of 1987, an English one of 1990, and an international one without a date.
const GAMES: &str = "[White \"Ames\"]\n[Date \"1987.01.02\"]\n[GameType \"20\"]\n1. 32-28 *\n\n\
    [White \"Bos\"]\n[Date \"1990.??.??\"]\n[GameType \"21\"]\n1. 11-15 *\n\n\
    [White \"Cox\"]\n[Date \"1987.05.06\"]\n[GameType \"20\"]\n1. 33-28 *\n\n\
    [White \"Dam\"]\n[GameType \"20\"]\n1. 34-29 *\n";

fn archive() -> (tempfile::TempDir, PathBuf) {
    archive_of(GAMES)
}

#[test]
fn partition_is_for_parquet_and_arrow() {
    let (folder, path) = archive();
    let out = folder.path().join("out");
    for format in ["csv", "jsonl"] {
        let run = run(&["export", text(&path), "--partition", "year", "--format", format, "-o", text(&out)]);
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.contains("--partition: works with Parquet and Arrow only"), "{}", run.err);
        assert!(!out.exists());
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn partition_takes_a_build_with_parquet() {
    let (folder, path) = archive();
    let out = folder.path().join("out");
    let run = run(&["export", text(&path), "--partition", "year", "-o", text(&out)]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("build pdn with `--features parquet`"), "{}", run.err);
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Returns the paths of the files in a folder and those below it, sorted, with `/` between names.
    fn files(folder: &Path) -> Vec<String> {
        fn collect(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).expect("listed").flatten() {
                match entry.path() {
                    path if path.is_dir() => collect(&path, root, found),
                    path => {
                        let path = path.strip_prefix(root).expect("below the root");
                        found.push(path.to_string_lossy().replace('\\', "/"));
                    }
                }
            }
        }
        let mut found = Vec::new();
        collect(folder, folder, &mut found);
        found.sort();
        found
    }

    #[test]
    fn folders_are_named_after_the_values_of_the_columns() {
        let (folder, path) = archive();
        let out = folder.path().join("out");
        let run = run(&["export", text(&path), "--partition", "variant,year", "-o", text(&out)]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.contains("out: 4 rows of table `games` in 3 partitions"), "{}", run.err);
        let expected = [
            "variant=english/year=1990/part-00000.parquet",
            "variant=international/year=1987/part-00000.parquet",
            "variant=international/year=__HIVE_DEFAULT_PARTITION__/part-00000.parquet",
        ];
        assert_eq!(files(&out), expected);
        // The archive and the output; nothing unfinished.
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
    }

    #[test]
    fn every_table_is_divided_by_its_words() {
        let (folder, path) = archive();
        for (table, key, expected) in [
            ("positions", "variant", "variant=english variant=international"),
            ("moves", "by", "by=black by=white"),
            (
                "games",
                "status,month",
                "status=legal/month=1 status=legal/month=5 status=legal/month=__HIVE_DEFAULT_PARTITION__",
            ),
            ("positions", "status", "status=legal"),
        ] {
            let out = folder.path().join(format!("{table}-{key}"));
            let run = run(&["export", text(&path), "--table", table, "--partition", key, "-o", text(&out)]);
            assert_eq!(run.code, 0, "{}", run.err);
            let found: Vec<_> =
                files(&out).iter().map(|file| file.replace("/part-00000.parquet", "")).collect();
            assert_eq!(found.join(" "), expected);
        }
    }

    #[test]
    fn bytes_of_partitions_do_not_depend_on_threads() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pdn");
        fs::write(&path, GAMES.repeat(10_000)).expect("written");
        let outputs = ["1", "3"].map(|threads| {
            let out = folder.path().join(threads);
            let args = ["--partition", "year", "--threads", threads, "-o", text(&out)];
            assert_eq!(run(&[&["export", text(&path)], &args[..]].concat()).code, 0);
            let read = |file: String| (fs::read(out.join(&file)).expect("read"), file);
            files(&out).into_iter().map(read).collect::<Vec<_>>()
        });
        assert_eq!(outputs[0].len(), 3);
        assert!(outputs[0] == outputs[1]);
    }

    #[test]
    fn folder_must_be_new_or_empty() {
        let (folder, path) = archive();
        let out = folder.path().join("out");
        let export = || run(&["export", text(&path), "--partition", "year", "-o", text(&out)]);
        fs::create_dir(&out).expect("created");
        assert_eq!(export().code, 0);
        let before = files(&out);
        let refused = export();
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("the folder is not empty"), "{}", refused.err);
        assert_eq!(files(&out), before);
        fs::remove_dir_all(&out).expect("removed");
        fs::write(&out, "a file").expect("written");
        let refused = export();
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("is not a folder, and one is written"), "{}", refused.err);
        assert_eq!(fs::read_to_string(&out).expect("read"), "a file");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
    }

    #[test]
    fn failed_export_leaves_no_folder() {
        let (folder, path) = archive();
        let out = folder.path().join("out");
        // A board that does not fit into 64 bits, found while rows are converted.
        fs::write(&path, format!("{GAMES}\n[GameType \"27\"]\n1. 46-40 *\n")).expect("written");
        let args = ["--table", "positions", "--partition", "variant", "-o", text(&out)];
        let failed = run(&[&["export", text(&path)], &args[..]].concat());
        assert_eq!(failed.code, 2);
        assert!(failed.err.contains("--squares: a position on a 12x12 board"), "{}", failed.err);
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
    }

    #[test]
    fn wrong_columns_of_partitions_are_explained() {
        let (folder, path) = archive();
        let out = folder.path().join("out");
        for (args, message) in [
            (&["--partition", "white"][..], "cannot be divided by `white`; possible: `status`, `variant`"),
            (
                &["--partition", "year", "--table", "moves"],
                "table `moves` cannot be divided by `year`; possible: `by`",
            ),
            (&["--partition", "year,year"], "`year` is given twice"),
            (&["--partition", "year", "--columns", "year"], "no column is left"),
            (&["--partition", "year", "--columns", "colour"], "--columns: "),
        ] {
            let run = run(&[&["export", text(&path), "-o", text(&out)], args].concat());
            assert_eq!(run.code, 2);
            assert!(run.err.contains(message), "{}", run.err);
            assert!(!out.exists());
        }
        let stdout = run(&["export", text(&path), "--partition", "year"]);
        assert_eq!((stdout.code, stdout.out.as_str()), (2, ""));
        assert!(stdout.err.contains("`--output` names it"), "{}", stdout.err);
    }
}
