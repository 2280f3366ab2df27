//! Kills `pdn fmt`, `pdn fix --write` and `pdn fix --undo` at many moments, stops them and fills the disk. Afterwards the file
//! has its old text or its new one, and nothing that is left blocks the next run.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

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

/// A generator of pseudo-random numbers, with the same numbers in every run.
struct Random(u64);

impl Random {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }
}

/// Runs the command and kills it: `pause` microseconds after its start, or after it has begun to write in the folder `begun`.
fn kill(args: &[&str], begun: Option<&Folder>, pause: u64) {
    let mut child = pdn(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    match begun {
        None => sleep(Duration::from_micros(pause)),
        Some(folder) => {
            while !folder.is_begun() && child.try_wait().unwrap().is_none() {}
            let since = Instant::now();
            while since.elapsed() < Duration::from_micros(pause) {}
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Kills the command at many moments. `reset` makes the folder as it is before the command, and returns the text that the file
/// then has; `check` is called when the file has its new text.
fn kill_repeatedly(folder: &Folder, args: &[&str], reset: impl Fn() -> String, check: impl Fn()) {
    let old = reset();
    let start = Instant::now();
    let whole = run(args);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let duration = start.elapsed().as_micros() as u64;
    let new = folder.contents();
    assert_ne!(old, new);
    let (mut random, mut outcomes) = (Random(args.len() as u64), [0, 0]);
    reset();
    for number in 0..24 {
        let (begun, pause) = match number % 3 {
            0 => (None, random.below(duration + duration / 4)),
            1 => (Some(folder), random.below(duration / 2)),
            _ => (Some(folder), random.below(duration / 2) + duration / 3),
        };
        kill(args, begun, pause);
        let found = folder.contents();
        assert!(found == old || found == new, "{number}: {pause} us: a mixture of old and new text");
        outcomes[usize::from(found == new)] += 1;
        if found == new {
            check();
            reset();
        }
    }
    assert!(outcomes[0] > 0, "{outcomes:?}");
    // Whatever a killed run leaves does not block the next one, which clears it away.
    let rerun = run(args);
    assert_eq!((rerun.code, folder.contents() == new), (0, true), "{}", rerun.err);
    if cfg!(unix) {
        assert!(folder.names().iter().all(|name| !name.ends_with(".tmp")), "{:?}", folder.names());
    }
}

#[test]
fn killed_fmt_leaves_the_old_or_the_new_text() {
    let folder = Folder::new();
    let old = games(6000);
    let reset = || {
        folder.reset(&old);
        old.clone()
    };
    kill_repeatedly(&folder, &["fmt", "--quiet", text(&folder.file)], reset, || {});
}

#[test]
fn killed_fix_leaves_the_old_text_or_the_new_one_with_its_journal() {
    let folder = Folder::new();
    let old = games(1500);
    let reset = || {
        folder.reset(&old);
        old.clone()
    };
    kill_repeatedly(&folder, &["fix", "--write", "--quiet", text(&folder.file)], reset, || {
        // The journals of runs that were killed before the file changed have no effect.
        let journals =
            folder.names().into_iter().filter(|name| name.contains(".undo") && !name.ends_with(".tmp"));
        let undone = journals.map(|name| run(&["fix", "--undo", text(&folder.dir.path().join(name))]).code);
        assert!(undone.into_iter().any(|code| code == 0));
        assert_eq!(folder.contents(), old);
    });
}

#[test]
fn killed_undo_leaves_the_new_or_the_old_text() {
    let folder = Folder::new();
    let before = games(3000);
    folder.reset(&before);
    assert_eq!(run(&["fix", "--write", "--quiet", text(&folder.file)]).code, 0);
    let repaired = folder.contents();
    let journal = folder.dir.path().join("games.pdn.undo");
    let reset = || {
        fs::write(&folder.file, &repaired).unwrap();
        repaired.clone()
    };
    kill_repeatedly(&folder, &["fix", "--undo", text(&journal)], reset, || {});
    assert_eq!(folder.contents(), before);
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
