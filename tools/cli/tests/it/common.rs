//! Runs the command in the folder of test data.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the folder of test data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Creates the command with arguments, to run in the folder of test data, without environment variables about colours.
pub(crate) fn pdn(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("pdn"));
    command.current_dir(data()).args(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Exit code, standard output and standard error of a run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the command with empty standard input.
#[track_caller]
pub(crate) fn run(args: &[&str]) -> Run {
    run_with(args, b"")
}

/// Runs the command with `input` on standard input.
#[track_caller]
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Run {
    finished(assert_cmd::Command::from_std(pdn(args)).write_stdin(input).output().expect("the command runs"))
}

/// Converts the output of a process that was not killed by a signal.
pub(crate) fn finished(output: Output) -> Run {
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// Writes an archive to a new folder. Returns the folder, which is removed with this value, and the path of the archive.
pub(crate) fn archive_of(games: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, games).expect("written");
    (folder, path)
}

/// Returns a path as text.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
