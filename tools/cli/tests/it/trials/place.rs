//! The folder of a trial.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, finished, pdn};

/// A folder with archives, and one for temporary files.
pub(super) struct Place {
    /// Canonical, as the system names it.
    path: PathBuf,
    temporary: tempfile::TempDir,
    _folder: tempfile::TempDir,
}

impl Place {
    /// Creates the folder with two archives.
    pub(super) fn new() -> Self {
        let [folder, temporary] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let place = Self { path: folder.path().canonicalize().expect("there"), temporary, _folder: folder };
        place.write_archives();
        place
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.path.join(name), text).expect("room");
    }

    /// Writes `games.pdn` with all that commands change, count or refuse, and `more.pdn` with some of its games.
    pub(super) fn write_archives(&self) {
        self.write("games.pdn", &games(0..60));
        self.write("more.pdn", &games(45..75));
    }

    /// Creates a command that runs in the folder.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = pdn(args);
        command.current_dir(&self.path).env("TMPDIR", self.temporary.path());
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Run {
        finished(self.command(args).output().expect("the command runs"))
    }

    /// Runs a command that has to succeed.
    #[track_caller]
    pub(super) fn done(&self, args: &[&str]) {
        let run = self.run(args);
        assert!(run.code <= 1, "{args:?}: {} {}", run.code, run.err);
    }
}

/// Games of three years with dates that `fix` repairs, in lines that `fmt` changes. One of ten is illegal, one of four has a variation
/// with a comment.
fn games(numbers: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for number in numbers {
        let player = ["Anker, Joris", "Anker, J.", "Berg, Lotte", "Berg", "Cornel"][number % 5];
        let last = if number % 10 == 9 { "37-31" } else { "37-32" };
        let year = 2000 + number % 3;
        let aside = if number % 4 == 0 { "(3...9-14 {quiet}) " } else { "" };
        write!(
            text,
            "[Event \"Club {number}\"]\n[White \"{player}\"]\n[Black \"Duin {number}\"]\n[Date \"{year}-5-1\"]\n[Result \"2-0\"]\n\
             [GameType \"20\"]\n\n1.32-28 19-23 2.28x19 14x23 3.{last} 10-14 {aside}4.{}-37 2-0\n\n",
            41 + number % 2
        )
        .expect("text");
    }
    text
}
