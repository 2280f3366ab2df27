//! Shortens archives while the command reads them. It ends with a message and exit code 2, and an index stays as it was.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::common::{Run, finished, pdn, run, text};

/// Games for some tenths of a second of reading.
fn big_archive() -> Vec<u8> {
    b"[White \"Ames\"]\n[Date \"2001.13.01\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n\n".repeat(400_000)
}

/// Runs the command and cuts the file to nothing once the process has mapped or opened it.
fn run_and_shorten(args: &[&str], file: &Path) -> Run {
    let child = pdn(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (maps, files) = (format!("/proc/{}/maps", child.id()), format!("/proc/{}/fd", child.id()));
    let is_open = || {
        fs::read_to_string(&maps).is_ok_and(|maps| maps.contains(text(file)))
            || fs::read_dir(&files).is_ok_and(|files| {
                files.flatten().any(|link| fs::read_link(link.path()).is_ok_and(|open| open == file))
            })
    };
    while !is_open() {}
    if !args.contains(&"never") {
        while !fs::read_to_string(&maps).is_ok_and(|maps| maps.contains(text(file))) {}
    }
    fs::File::options().write(true).open(file).unwrap().set_len(0).unwrap();
    finished(child.wait_with_output().unwrap())
}

#[test]
fn shortened_archive_ends_every_command_with_a_message() {
    let place = tempfile::tempdir().unwrap();
    let folder = fs::canonicalize(place.path()).unwrap();
    let [archive, small, dir] = ["big.pdn", "small.pdn", "index"].map(|name| folder.join(name));
    let big = big_archive();
    fs::write(&small, &big[..2000]).unwrap();
    assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    let path = text(&archive);
    let commands: [&[&str]; 5] = [
        &["stats", path],
        &["check", path],
        &["check", "--format", "json", "--threads", "1", path],
        &["index", "-o", text(&dir), path],
        &["bench", path],
    ];
    for args in commands {
        fs::write(&archive, &big).unwrap();
        let Run { code, out, err } = run_and_shorten(args, &archive);
        assert_eq!(code, 2, "{args:?}: {err}");
        let message = "another program shortened this file while it was read";
        assert!(err.contains(path) && err.contains(message), "{args:?}: {err}");
        assert!(out.is_empty() || out.ends_with('\n'), "{args:?} ends in the middle of a line");
    }
    let verified = run(&["verify", "--full", text(&dir)]);
    assert_eq!(verified.code, 0, "the old index is sound: {}{}", verified.out, verified.err);
    assert_eq!(
        run(&["index", "-o", text(&dir), text(&small)]).code,
        0,
        "unfinished files do not block a writer"
    );
}

#[test]
fn shortened_archive_that_is_not_mapped_is_an_error_after_the_games_before() {
    let place = tempfile::tempdir().unwrap();
    let archive = fs::canonicalize(place.path()).unwrap().join("big.pdn");
    fs::write(&archive, big_archive()).unwrap();
    let Run { code, out, err } = run_and_shorten(&["stats", "--mmap", "never", text(&archive)], &archive);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("another program shortened this file while it was read"), "{err}");
    assert!(!out.is_empty(), "the games that were read are counted");
}
