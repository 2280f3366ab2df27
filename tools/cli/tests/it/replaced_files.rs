//! Stops `pdn fmt` and `pdn fix` and fills the disk. Afterwards the file has its old text, and nothing is left. What kills leave is tried
//! in `trials`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::{Run, finished, pdn, run, text};

/// Games with dates that `fix` repairs, in lines that `fmt` rewrites.
fn games(count: usize) -> String {
    "[Event \"x\"]\n[Date \"2003-5-1\"]\n[GameType \"20\"]\n\n1.32-28 19-23 2.28x19 14x23 3.37-32 *\n\n"
        .repeat(count)
}

/// A folder with one file.
struct Folder {
    dir: tempfile::TempDir,
    file: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("games.pdn");
        Self { dir, file }
    }

    /// Returns the names of all files, sorted.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.dir.path())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Returns `true` if a temporary file is there.
    fn is_begun(&self) -> bool {
        self.names().iter().any(|name| name.starts_with(".pdn-") && name.ends_with(".tmp"))
    }

    /// Leaves nothing but the file with this text.
    fn reset(&self, contents: &str) {
        for name in self.names() {
            fs::remove_file(self.dir.path().join(name)).unwrap();
        }
        fs::write(&self.file, contents).unwrap();
    }

    fn contents(&self) -> String {
        fs::read_to_string(&self.file).unwrap()
    }
}

/// Runs the command with a limit of 64 blocks for every file that it writes.
#[cfg(unix)]
fn run_limited(args: &[&str]) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"]);
    finished(shell.arg(assert_cmd::cargo::cargo_bin!("pdn")).args(args).output().unwrap())
}

#[cfg(unix)]
#[test]
fn full_disk_leaves_the_old_text_and_nothing_else() {
    let folder = Folder::new();
    let old = games(3000);
    folder.reset(&old);
    for args in [&["fmt"][..], &["fix", "--write"]] {
        let limited = run_limited(&[args, &["--quiet", text(&folder.file)]].concat());
        assert_eq!(limited.code, 2, "{args:?}");
        assert!(limited.err.contains("games.pdn: File too large"), "{args:?}: {}", limited.err);
        assert_eq!(
            (folder.contents() == old, folder.names()),
            (true, vec!["games.pdn".to_owned()]),
            "{args:?}"
        );
    }
    assert_eq!(run(&["fix", "--write", "--quiet", text(&folder.file)]).code, 0);
    let repaired = folder.contents();
    let journal = folder.dir.path().join("games.pdn.undo");
    let limited = run_limited(&["fix", "--undo", text(&journal)]);
    assert_eq!((limited.code, folder.contents() == repaired), (2, true), "{}", limited.err);
    assert_eq!(folder.names(), ["games.pdn", "games.pdn.undo"]);
}

#[cfg(unix)]
#[test]
fn stopped_fix_leaves_the_old_text_and_nothing_else() {
    let folder = Folder::new();
    let old = games(20_000);
    folder.reset(&old);
    let mut command = pdn(&["fix", "--write", "--quiet", text(&folder.file)]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.is_begun() {}
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let Run { code, err, .. } = finished(child.wait_with_output().unwrap());
    assert_eq!(
        (code, err.as_str()),
        (130, "pdn: stopped; files that were not finished have their old text\n")
    );
    assert_eq!((folder.contents() == old, folder.names()), (true, vec!["games.pdn".to_owned()]));
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive_fix() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new();
    folder.reset(&games(3));
    fs::set_permissions(&folder.file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.dir.path().join("link.pdn");
    symlink("games.pdn", &link).unwrap();
    assert_eq!(run(&["fix", "--write", "--quiet", text(&link)]).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(folder.contents().contains("2003.05.01"));
    assert_eq!(fs::metadata(&folder.file).unwrap().permissions().mode() & 0o777, 0o640);
    // The journal stands next to the name that was given.
    assert_eq!(folder.names(), ["games.pdn", "link.pdn", "link.pdn.undo"]);
    assert_eq!(run(&["fix", "--undo", text(&folder.dir.path().join("link.pdn.undo"))]).code, 0);
    assert_eq!(folder.contents(), games(3));
}
