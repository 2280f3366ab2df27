//! Files of folders that are not read, and containers that are not supported.

use pdn::archive::Archive;
use pdn::error::ErrorKind;
use pdn::internal::source::open;
use pdn::source::{OpenOptions, walk};
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;

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
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&tar).unwrap();
    let packed = Archive::from_bytes(gzip.finish().unwrap().into(), "a.gz", &OpenOptions::new()).unwrap();
    let error = packed.games().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("tar archive"), "{error}");
}

#[test]
fn many_files_are_one_archive() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("a.pdn", "1. 32-28 *\n\n1. 33-29 *\n");
    put("b.pdn", "");
    put("c.zip", "PK\x03\x04 is no zip");
    put("d.pdn", "1. 34-30 *\n");
    let read = |threads: usize| {
        let paths = [folder.path().to_owned(), "no such file".into(), folder.path().join("a.pdn")];
        let archive = Archive::open_all(paths, &OpenOptions::new());
        let games = archive.par_games(
            NonZeroUsize::new(threads).unwrap(),
            || (),
            |(), game| {
                (
                    game.name().file_name().unwrap().to_owned(),
                    game.number(),
                    game.offset(),
                    game.begins_input(),
                )
            },
        );
        games.map(|game| game.map_err(|error| error.to_string())).collect::<Vec<_>>()
    };
    let found = read(1);
    let games: Vec<_> = found.iter().filter_map(|game| game.as_ref().ok()).collect();
    let game = |name: &str, number, offset| (name.into(), number, offset, offset == 0);
    let (first, second) = (game("a.pdn", 1, 0), game("a.pdn", 2, 12));
    assert_eq!(games, [&first, &second, &game("d.pdn", 1, 0), &first, &second]);
    // The others follow each error, which names its file.
    assert!(matches!(&found[2], Err(error) if error.contains("c.zip: ")), "{found:?}");
    assert!(matches!(&found[4], Err(error) if error.contains("no such file: ")), "{found:?}");
    assert_eq!(read(4), found);
}
