//! `pdn export --format arrow` and `--format parquet`. What is in the files is tested where other programs read them:
//! `tools/python/tests/test_export_files.py`.

use std::fs;
use std::path::PathBuf;

use crate::common::{archive_of, run, text};

/// A game on the board with 50 squares, and one on that with 72.
const GAMES: &str = "[White \"Ames\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
    [White \"Wide\"]\n[GameType \"27\"]\n1. 46-40 26-31 1-1\n";

fn archive() -> (tempfile::TempDir, PathBuf) {
    archive_of(GAMES)
}

#[test]
fn build_without_a_format_says_so() {
    let (folder, path) = archive();
    for (format, is_built) in [("arrow", cfg!(feature = "arrow")), ("parquet", cfg!(feature = "parquet"))] {
        let output = folder.path().join("out").with_extension(format);
        let run = run(&["export", text(&path), "-o", text(&output)]);
        assert_eq!(run.code, if is_built { 0 } else { 2 }, "{}", run.err);
        assert_eq!(output.exists(), is_built);
        let message = format!("build pdn with `--features {format}`");
        assert_eq!(run.err.contains(&message), !is_built, "{}", run.err);
    }
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod with_formats {
    use super::*;
    use crate::common::pdn;

    /// The formats of this build, and the first bytes of their files.
    const FORMATS: &[(&str, &[u8])] = &[
        #[cfg(feature = "arrow")]
        ("arrow", b"ARROW1\0\0"),
        #[cfg(feature = "arrow")]
        ("arrows", b"\xFF\xFF\xFF\xFF"),
        #[cfg(feature = "parquet")]
        ("parquet", b"PAR1"),
    ];

    const COLUMNS: &str = "file,record,ply,text,captured,key";

    #[test]
    fn file_begins_as_its_format_does_and_is_alone_in_its_folder() {
        let (folder, path) = archive();
        for (extension, magic) in FORMATS {
            let output = folder.path().join("out").with_extension(extension);
            for table in ["games", "moves", "comments"] {
                let written = run(&["export", text(&path), "--table", table, "-o", text(&output)]);
                assert_eq!(written.code, 0, "{}", written.err);
                assert!(fs::read(&output).expect("written").starts_with(magic), "{extension}");
                // The archive and the output.
                assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
                // A table without rows would not replace it.
                fs::remove_file(&output).expect("removed");
            }
        }
    }

    #[test]
    fn bytes_do_not_depend_on_threads_and_are_those_of_a_pipe() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pdn");
        fs::write(&path, GAMES.repeat(4_500)).expect("written");
        for (extension, _) in FORMATS {
            let outputs = ["1", "3"].map(|threads| {
                let output = folder.path().join(threads).with_extension(extension);
                let args = ["--columns", COLUMNS, "--threads", threads, "-o", text(&output)];
                assert_eq!(run(&[&["export", text(&path), "--table", "moves"], &args[..]].concat()).code, 0);
                fs::read(output).expect("written")
            });
            assert!(outputs[0] == outputs[1], "{extension}");
            // A pipe gets a stream of Arrow.
            let format = extension.trim_end_matches('s');
            let piped =
                pdn(&["export", text(&path), "--table", "moves", "--columns", COLUMNS, "--format", format]);
            let piped = assert_cmd::Command::from_std(piped).output().expect("run").stdout;
            assert_eq!(piped == outputs[0], *extension != "arrow", "{extension}");
        }
    }

    #[test]
    fn board_with_more_than_64_squares_takes_the_wide_form() {
        let (folder, path) = archive();
        for (extension, _) in FORMATS {
            let output = folder.path().join("out").with_extension(extension);
            let args = ["export", text(&path), "--table", "positions", "-o", text(&output)];
            let refused = run(&args);
            assert_eq!(refused.code, 2);
            assert!(refused.err.contains("--squares: a position on a 12x12 board"), "{}", refused.err);
            // Not even a part of the file is left.
            assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
            let wide = run(&[&args[..], &["--squares", "wide"]].concat());
            assert_eq!(wide.code, 0, "{}", wide.err);
            assert!(wide.err.contains("7 rows of table `positions`"), "{}", wide.err);
            fs::remove_file(&output).expect("removed");
        }
    }
}

#[cfg(unix)]
#[test]
fn stopped_export_leaves_no_file() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("out.csv");
    fs::write(&output, "old").expect("written");
    let mut command =
        crate::common::pdn(&["export", "-", "--table", "moves", "-o", text(&output), "--force"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    // Games without end, until the command has gone. A shell lets a job in the background ignore Ctrl-C, but not the signal below.
    let writer = std::thread::spawn(move || while input.write_all(GAMES.repeat(100).as_bytes()).is_ok() {});
    let has_rows = || {
        fs::read_dir(folder.path())
            .expect("listed")
            .flatten()
            .any(|entry| entry.path() != output && entry.metadata().is_ok_and(|metadata| metadata.len() > 0))
    };
    while !has_rows() {
        assert!(child.try_wait().expect("a state").is_none(), "the command runs on");
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("run").success());
    let stopped = child.wait_with_output().expect("ended");
    writer.join().expect("ended");
    assert_eq!(stopped.status.code(), Some(130));
    let error = String::from_utf8(stopped.stderr).expect("UTF-8");
    assert!(error.contains("stopped"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
    assert_eq!(fs::read_to_string(&output).expect("read"), "old");
}
