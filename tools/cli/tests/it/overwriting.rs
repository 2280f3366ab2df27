//! Commands that write a file: what they replace, and what a replaced file keeps.

use std::fs;
use std::path::Path;

use crate::common::{Run, archive_of, run};

/// Every way to write a file besides its input.
const WRITERS: &[&[&str]] = &[
    &["convert", "-o"],
    &["convert", "--others"],
    &["convert", "--rejects"],
    &["dedup", "--output"],
    &["dedup", "--duplicates"],
    &["names", "-o"],
    &["export", "-o"],
    #[cfg(feature = "sqlite")]
    &["export", "--format", "sqlite", "-o"],
    #[cfg(feature = "parquet")]
    &["export", "--format", "parquet", "-o"],
];

const GAMES: &str = "[White \"A\"]\n\n1. 32-28 19-23 *\n\n[White \"B\"]\n\n1. 32-28 18-23 *\n\n";

/// Runs a command of [`WRITERS`] on `input` with `output` as its output file.
fn write(writer: &[&str], input: &Path, output: &Path, force: bool) -> Run {
    let mut args = vec![writer[0], input.to_str().expect("UTF-8")];
    args.extend(&writer[1..]);
    args.push(output.to_str().expect("UTF-8"));
    args.extend(force.then_some("--force"));
    if writer == ["export", "-o"] {
        args.extend(["--format", "csv"]);
    }
    run(&args)
}

#[test]
fn inputs_are_never_replaced() {
    for writer in WRITERS {
        let (folder, games) = archive_of(GAMES);
        let index = folder.path().join("games.idx");
        assert_eq!(run(&["index", games.to_str().unwrap(), "-o", index.to_str().unwrap()]).code, 0);
        let manifest = fs::read(index.join("manifest")).unwrap();
        for input in [games.as_path(), &index, folder.path()] {
            for output in [&games, &index.join("manifest")] {
                // The files of an index are inputs only if the index is. Of a folder, the archives in it are.
                if output.ends_with("manifest") && input != index.as_path() {
                    continue;
                }
                for force in [false, true] {
                    let run = write(writer, input, output, force);
                    let message = "is an input, which is never overwritten";
                    assert!(run.code == 2 && run.err.contains(message), "{writer:?} {input:?}: {}", run.err);
                    assert_eq!(fs::read_to_string(&games).unwrap(), GAMES, "{writer:?}");
                    assert_eq!(fs::read(index.join("manifest")).unwrap(), manifest, "{writer:?}");
                }
            }
        }
    }
}

#[test]
fn other_files_are_replaced_with_force_only() {
    for writer in WRITERS {
        let (folder, games) = archive_of(GAMES);
        let output = folder.path().join("output");
        fs::write(&output, "an old text").unwrap();
        let refused = write(writer, &games, &output, false);
        assert!(refused.code == 2 && refused.err.contains("--force"), "{writer:?}: {}", refused.err);
        assert_eq!(fs::read_to_string(&output).unwrap(), "an old text", "{writer:?}");
        let replaced = write(writer, &games, &output, true);
        assert_eq!(replaced.code, 0, "{writer:?}: {}", replaced.err);
        assert_ne!(fs::read(&output).unwrap(), b"an old text", "{writer:?}");
        // A file of rejected games has a list.
        let files = if writer.contains(&"--rejects") { 3 } else { 2 };
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files, "{writer:?} leaves a temporary file");
    }
}

#[cfg(unix)]
#[test]
fn replaced_file_keeps_its_link_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for writer in WRITERS {
        let (folder, games) = archive_of(GAMES);
        let [output, link] = ["output", "link"].map(|name| folder.path().join(name));
        fs::write(&output, "an old text").unwrap();
        fs::set_permissions(&output, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("output", &link).unwrap();
        let run = write(writer, &games, &link, true);
        assert_eq!(run.code, 0, "{writer:?}: {}", run.err);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{writer:?}");
        assert_ne!(fs::read(&output).unwrap(), b"an old text", "{writer:?}");
        assert_eq!(fs::metadata(&output).unwrap().permissions().mode() & 0o777, 0o640, "{writer:?}");
        // A new file has the permissions of any new file.
        let [new, other] = ["new", "other"].map(|name| folder.path().join(name));
        assert_eq!(write(writer, &games, &new, false).code, 0, "{writer:?}");
        fs::write(&other, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&new), mode(&other), "{writer:?}");
    }
}

#[cfg(unix)]
#[test]
fn devices_are_written_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    for writer in WRITERS.iter().filter(|writer| !writer.contains(&"sqlite")) {
        let (_folder, games) = archive_of(GAMES);
        for force in [false, true] {
            let run = write(writer, &games, Path::new("/dev/null"), force);
            assert_eq!(run.code, 0, "{writer:?}: {}", run.err);
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device(), "{writer:?}");
        }
    }
}

#[test]
fn answers_without_a_game_replace_no_file() {
    for writer in WRITERS {
        let (folder, games) = archive_of(GAMES);
        let output = folder.path().join("output");
        let (missing, empty) = (folder.path().join("nofile.pdn"), folder.path().join("empty"));
        fs::create_dir(&empty).unwrap();
        fs::write(&output, "an old text").unwrap();
        let kept = |run: &Run, code: i32, message: &str| {
            assert_eq!(run.code, code, "{writer:?}: {}", run.err);
            assert!(run.err.contains(message), "{writer:?}: {}", run.err);
            assert_eq!(fs::read_to_string(&output).unwrap(), "an old text", "{writer:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "{writer:?} leaves a temporary file");
        };
        let stays = "output: stays as it was, because there is nothing to write";
        // A command that makes an index first does not come as far as the file.
        let message = if writer[0] == "dedup" { "nofile.pdn" } else { stays };
        kept(&write(writer, &missing, &output, true), 2, message);
        let message = if writer[0] == "dedup" { "empty" } else { stays };
        kept(&write(writer, &empty, &output, true), 2, message);
        if matches!(writer[..], ["convert", "-o"] | ["names" | "export", ..]) {
            let filter = ["--white", "Zorro"];
            kept(&write(&[&writer[..1], &filter, &writer[1..]].concat(), &games, &output, true), 1, stays);
        }
    }
}
