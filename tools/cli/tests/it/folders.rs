//! Folders with files that are not read, and inputs that are hardly PDN.

use std::fs;
use std::process::Command;

use crate::common::{Run, run, text};

#[test]
#[cfg(unix)]
fn pipe_in_a_searched_folder_does_not_block() {
    let place = tempfile::tempdir().unwrap();
    let [folder, dir] = ["games", "index"].map(|name| place.path().join(name));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.pdn"), "[GameType \"20\"]\n1. 32-28 19-23 *\n").unwrap();
    fs::write(folder.join("notes.txt"), "").unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("x.pdn")).status().unwrap().success());
    let note = "pdn: not read in the searched folders: 1 file not named like PDN files, 1 pipe or device\n";
    for args in [&["stats"][..], &["check"], &["index", "-o", text(&dir)]] {
        let Run { code, out, err } = run(&[args, &[text(&folder)]].concat());
        assert_eq!((code, err.as_str()), (0, note), "{args:?}: {out}");
    }
}

#[test]
fn tar_archives_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.pdn"), "[GameType \"20\"]\n1. 32-28 19-23 *\n").unwrap();
    fs::write(folder.path().join("more.tar"), "").unwrap();
    let Run { code, err, .. } = run(&["stats", text(folder.path())]);
    assert_eq!(code, 0);
    assert!(
        err.contains("1 file not named like PDN files; ")
            && err.contains("more.tar is a tar archive: unpack it"),
        "{err}"
    );
}

/// A zip of something else in a folder is no failure; one that is named is.
#[test]
fn other_files_of_a_folder_are_a_note_and_named_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let [zip, notes] = ["tdl.zip", "notes.txt"].map(|name| folder.path().join(name));
    fs::write(folder.path().join("a.pdn"), "[GameType \"20\"]\n1. 32-28 19-23 *\n").unwrap();
    fs::write(&notes, "").unwrap();
    // The end of a zip without any file.
    fs::write(&zip, [b"PK\x05\x06".as_slice(), &[0; 18]].concat()).unwrap();
    let note =
        "pdn: not read in the searched folders: 1 file not named like PDN files, 1 zip without a PDN file\n";
    let dir = folder.path().join("index");
    for args in [&["stats"][..], &["check"], &["index", "-o", text(&dir)]] {
        let Run { code, err, .. } = run(&[args, &[text(folder.path())]].concat());
        assert_eq!((code, err.as_str()), (0, note), "{args:?}");
    }
    let listed = run(&["stats", text(folder.path()), "--list-skipped"]);
    assert_eq!(listed.code, 0);
    for path in [&zip, &notes] {
        assert!(listed.err.contains(&format!("pdn: not read: {}\n", path.display())), "{}", listed.err);
    }
    let named = run(&["stats", text(&zip)]);
    assert_eq!(named.code, 2);
    assert!(named.err.contains("this zip contains no .pdn file"), "{}", named.err);
}

#[test]
fn random_bytes_are_called_hardly_pdn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.pdn");
    // Without control characters, so that the file is text.
    let mut random = 1u32;
    let bytes: Vec<u8> = (0..5000)
        .map(|_| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b' ' + (random >> 24) as u8 % 224
        })
        .collect();
    fs::write(&path, bytes).unwrap();
    for args in [&["stats"][..], &["check", "--format", "json"]] {
        let Run { err, .. } = run(&[args, &[text(&path)]].concat());
        assert!(err.contains("random.pdn is hardly PDN: "), "{args:?}: {err}");
    }
    let Run { err, .. } = run(&["stats", "clean.pdn"]);
    assert!(!err.contains("hardly"), "{err}");
}

#[test]
fn archive_replaced_by_a_folder_is_reported_as_such() {
    let place = tempfile::tempdir().unwrap();
    let [archive, dir] = ["a.pdn", "index"].map(|name| place.path().join(name));
    fs::write(&archive, "[GameType \"20\"]\n1. 32-28 19-23 *\n").unwrap();
    assert_eq!(run(&["index", "-o", text(&dir), text(&archive)]).code, 0);
    fs::remove_file(&archive).unwrap();
    fs::create_dir(&archive).unwrap();
    let Run { code, out, .. } = run(&["verify", text(&dir)]);
    assert_eq!(code, 1);
    assert!(out.contains("a.pdn: it is a folder now\n"), "{out}");
    assert!(out.contains(": sound, but archives have changed or cannot be read."), "{out}");
}
