//! Runs the command in the folder of test data and compares what it prints with files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the test data are.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The command in the folder of test data, free of what the environment says about colours.
pub(crate) fn pdn(args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("pdn"));
    command.current_dir(data()).args(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// What came of a run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the command with nothing on standard input.
#[track_caller]
pub(crate) fn run(args: &[&str]) -> Run {
    run_with(args, b"")
}

/// Runs the command with `input` on standard input.
#[track_caller]
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Run {
    finished(assert_cmd::Command::from_std(pdn(args)).write_stdin(input).output().expect("the command runs"))
}

pub(crate) fn finished(output: Output) -> Run {
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// Compares `actual` with the file `tests/snapshots/NAME`. With `PDN_BLESS` set the file is written instead.
#[track_caller]
pub(crate) fn snapshot(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("PDN_BLESS").is_some() {
        std::fs::write(&path, actual).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "differs from {}; PDN_BLESS=1 accepts it", path.display());
}
