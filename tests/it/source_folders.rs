//! Files of folders that are not read, and containers that are not supported.

use pdn::error::ErrorKind;
use pdn::source::{OpenOptions, open, require_text, walk};
use std::fs;

#[test]
fn files_that_are_not_read_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.pdn", "notes.txt", "games.tar.gz", "more.tar", "pdn"] {
        fs::write(folder.path().join(name), "1. 32-28 *\n").unwrap();
    }
    fs::create_dir(folder.path().join("below")).unwrap();
    fs::write(folder.path().join("below/b.doc"), "").unwrap();
    let mut files = walk([folder.path()]);
    let found: Vec<_> = files.by_ref().map(|path| path.unwrap().file_name().unwrap().to_owned()).collect();
    assert_eq!(found, ["a.pdn"]);
    assert_eq!((files.skipped().other_names, files.skipped().special), (5, 0));
    assert_eq!(files.skipped().tar, Some(folder.path().join("games.tar.gz")));
    let mut one = walk([folder.path().join("notes.txt")]);
    assert_eq!(one.by_ref().count(), 1, "a file that is named is read, whatever its name");
    assert_eq!(one.skipped().other_names, 0);
}

#[test]
#[cfg(unix)]
fn sockets_and_pipes_in_folders_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.pdn"), "1. 32-28 *\n").unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("b.pdn")).unwrap();
    std::os::unix::fs::symlink("b.pdn", folder.path().join("c.pdn")).unwrap();
    let mut files = walk([folder.path()]);
    assert_eq!(files.by_ref().count(), 1);
    assert_eq!((files.skipped().other_names, files.skipped().special), (0, 2));
}

#[test]
fn tar_archive_is_refused_by_name() {
    let mut tar = vec![0; 1024];
    tar[..9].copy_from_slice(b"games.pdn");
    tar[257..263].copy_from_slice(b"ustar\0");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    fs::write(&path, &tar).unwrap();
    let error = open(&path, &OpenOptions::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnsupportedContainer("tar")), "{error:?}");
    assert!(error.to_string().ends_with("games.pdn: is a tar archive; unpack it first"), "{error}");
    // One that was compressed is seen when its text is looked at.
    assert!(require_text(&tar).unwrap_err().to_string().contains("tar archive"));
}
