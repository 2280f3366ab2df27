//! The whole pipeline gives the same bytes on every instruction set of this processor, down to the portable one.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::pdn;

/// Instruction sets that this processor has, see `PDN_TEST_SIMD` in the library.
fn instruction_sets() -> Vec<&'static str> {
    let mut sets = vec!["portable"];
    #[cfg(target_arch = "x86_64")]
    {
        sets.push("sse2");
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2") {
            sets.push("avx2");
        }
        if std::arch::is_x86_feature_detected!("avx512vbmi2")
            && std::arch::is_x86_feature_detected!("avx512bw")
        {
            sets.push("avx512");
        }
    }
    if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
        sets.push("neon");
    }
    sets
}

/// Archives to read: the fixtures, and real files where they lie beside the repository.
fn archives() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut archives: Vec<_> =
        ["corpora/codes", "corpora/quirks", "corpora/specs"].map(|name| root.join(name)).into();
    let real = root.join("../shared/corpora");
    if real.is_dir() {
        archives.push(real)
    } else {
        eprintln!("SKIPPED: no ../shared/corpora here")
    }
    archives
}

/// Runs the command with one instruction set, or the best one for `None`, and returns what it prints.
fn output(set: Option<&str>, args: &[&str]) -> Vec<u8> {
    let mut command = pdn(args);
    if let Some(set) = set {
        command.env("PDN_TEST_SIMD", set);
    }
    let output = command.output().expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 2), "{set:?} {args:?}: {errors}");
    output.stdout
}

/// Reads, checks, replays, indexes and searches one archive, and returns all outputs and index files by name.
fn pipeline(set: Option<&str>, archive: &str, dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut results = BTreeMap::new();
    let index = dir.to_str().expect("UTF-8");
    let mut add = |name: &str, args: &[&str]| {
        results.insert(name.to_owned(), output(set, args));
    };
    add("check", &["check", "--strict", "--json", archive]);
    add("stats", &["stats", "--json", archive]);
    // The summary has times, the files do not.
    output(set, &["index", "--positions", archive, "-o", index]);
    for (name, query) in [
        ("kings", "wk >= 1 and p <= 12"),
        ("pattern", "pattern \"w28 b19\""),
        ("sequence", "w-b >= 1 then b-w >= 1 within 10"),
        ("captures", "move takes >= 2"),
        ("results", "result draw and date 1900.."),
    ] {
        let mut args = vec!["find", index, "--json", "--limit", "0", "-q", query];
        if name == "pattern" {
            // Numbers of squares are asked of one board.
            args.extend(["-g", "international"]);
        }
        add(name, &args);
    }
    add("tree", &["tree", index, "--json", "--transpositions"]);
    for file in fs::read_dir(dir).expect("the index").flatten() {
        let name = file.file_name().into_string().expect("UTF-8");
        if name != "lock" {
            results.insert(name, fs::read(file.path()).expect("readable"));
        }
    }
    results
}

#[test]
fn pipeline_gives_the_same_bytes_on_every_instruction_set() {
    if !cfg!(debug_assertions) {
        eprintln!("SKIPPED: only builds with debug assertions let the instruction set be chosen");
        return;
    }
    for archive in archives() {
        let archive = archive.to_str().expect("UTF-8");
        let folder = tempfile::tempdir().expect("a folder");
        let expected = pipeline(None, archive, &folder.path().join("best"));
        for set in instruction_sets() {
            let found = pipeline(Some(set), archive, &folder.path().join(set));
            assert!(found.keys().eq(expected.keys()), "{set} on {archive}: {:?}", found.keys());
            for (name, bytes) in &found {
                assert!(*bytes == expected[name], "{set} on {archive}: `{name}` differs");
            }
        }
    }
}

#[test]
fn unknown_instruction_set_is_refused() {
    if cfg!(debug_assertions) {
        let run =
            pdn(&["stats", "clean.pdn"]).env("PDN_TEST_SIMD", "abacus").output().expect("the command runs");
        assert!(!run.status.success(), "the choice of an instruction set has no effect");
    }
}
