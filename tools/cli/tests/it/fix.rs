//! `pdn fix`: repairs as a diff, in place with a journal, and taken back.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Run, run, run_with, text};

/// A record with a date in another form, a Result tag without a result, and a square with a wrong digit.
const DAMAGED: &str = "[Event \"x\"]\n[Date \"2003-5-1\"]\n[Result \"*\"]\n[GameType \"20\"]\n\n\
    1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 2-0\n";
/// The same with its safe repairs.
const SAFE: &str = "[Event \"x\"]\n[Date \"2003.05.01\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n\
    1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 2-0\n";

struct Folder {
    _dir: tempfile::TempDir,
    file: PathBuf,
}

impl Folder {
    fn with(contents: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("games.pdn");
        fs::write(&file, contents).expect("written");
        Self { _dir: dir, file }
    }

    fn fix(&self, options: &[&str]) -> Run {
        run(&[&["fix"], options, &[text(&self.file)]].concat())
    }

    fn contents(&self) -> String {
        fs::read_to_string(&self.file).expect("read")
    }

    fn journal(&self) -> PathBuf {
        self.file.with_extension("pdn.undo")
    }
}

#[test]
fn fix_prints_a_diff_and_changes_nothing() {
    let folder = Folder::with(DAMAGED);
    let run = folder.fix(&[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out
            .contains("-[Date \"2003-5-1\"]\n-[Result \"*\"]\n+[Date \"2003.05.01\"]\n+[Result \"2-0\"]\n"),
        "{}",
        run.out
    );
    assert!(
        run.err.contains("games.pdn:6:49: R001: unsafe: `41-73` -> `41-37`; 8 legal plies instead of 6"),
        "{}",
        run.err
    );
    assert!(
        run.err.ends_with(
            "pdn: 1 game in 1 file: 2 repairs possible, in 1 game; 1 more with --unsafe\n         1  R001 unsafe: an illegal move\n         \
             1  T005 safe: the Result tag and the end of the game disagree\n         \
             1  T025 safe: a date not written as `YYYY.MM.DD`\n"
        ),
        "{}",
        run.err
    );
    assert_eq!(folder.contents(), DAMAGED);
    assert!(!folder.journal().exists());
}

#[test]
fn fix_write_replaces_the_file_and_undo_takes_it_back() {
    let folder = Folder::with(DAMAGED);
    assert_eq!(folder.fix(&["--write"]).code, 0);
    assert_eq!(folder.contents(), SAFE);
    // Nothing safe is left, so neither the file nor its journal changes again.
    let journal = fs::read(folder.journal()).expect("a journal");
    assert_eq!(folder.fix(&["--write"]).code, 0);
    assert_eq!(fs::read(folder.journal()).expect("a journal"), journal);
    // A second run that changes something writes a journal of its own.
    assert_eq!(folder.fix(&["--write", "--unsafe"]).code, 0);
    assert_eq!(folder.contents(), SAFE.replace("41-73", "41-37"));
    let second = folder.file.with_extension("pdn.undo2");
    assert_eq!(run(&["fix", "--undo", text(&folder.journal())]).code, 2, "the file has changed since");
    assert_eq!(run(&["fix", "--undo", text(&second)]).code, 0);
    assert_eq!(run(&["fix", "--undo", text(&folder.journal())]).code, 0);
    assert_eq!(folder.contents(), DAMAGED);
}

#[test]
fn fix_takes_codes() {
    let folder = Folder::with(DAMAGED);
    assert_eq!(folder.fix(&["--write", "--select", "T025"]).code, 0);
    assert_eq!(folder.contents(), DAMAGED.replace("2003-5-1", "2003.05.01"));
    assert_eq!(folder.fix(&["--ignore", "t0"]).code, 0);
    let wrong = folder.fix(&["--select", "X"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("`X` begins no diagnostic code"), "{}", wrong.err);
}

/// What a repair makes readable is repaired in the same run.
#[test]
fn second_run_repairs_nothing() {
    let damaged = "[Event x]\n[Date 2003-5-1]\n[Result 2-0]\n[GameType \"20\"]\n\n\
        1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 2329 2-0\n";
    for options in [&["--write"][..], &["--write", "--unsafe"], &["--write", "--unsafe", "--select", "T,R"]] {
        let folder = Folder::with(damaged);
        assert_eq!(folder.fix(options).code, 0);
        let repaired = folder.contents();
        let takes_all = !options.contains(&"--select");
        assert_eq!(repaired.contains("[Date \"2003.05.01\"]"), takes_all, "{repaired}");
        assert_eq!(repaired.contains("41-37 23-29"), options == ["--write", "--unsafe"], "{repaired}");
        let again = folder.fix(options);
        assert_eq!((again.code, folder.contents()), (0, repaired));
        assert!(again.err.contains("0 repairs made"), "{}", again.err);
    }
}

#[test]
fn damage_is_selected_without_matters_of_style() {
    let damaged =
        "[Event \"x\"]\n[Date \"2003-5-1\"]\n[GameType \"20\"]\n[Result \"*\"]\n\n1. 032-28 19-23 2-0\n";
    let folder = Folder::with(damaged);
    assert_eq!(folder.fix(&["--write", "--select", "damage"]).code, 0);
    assert_eq!(folder.contents(), damaged.replace("\"*\"", "\"2-0\""));
    assert_eq!(folder.fix(&["--write", "--ignore", "Damage"]).code, 0);
    assert!(folder.contents().contains("[Date \"2003.05.01\"]"), "{}", folder.contents());
    let json = folder.fix(&["--json", "--select", "damage"]);
    let summary: Value = serde_json::from_str(json.out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(summary["summary"]["by_code"], serde_json::json!({}));
}

#[test]
fn fix_reads_standard_input() {
    let diff = run_with(&["fix", "-"], DAMAGED.as_bytes());
    assert_eq!(diff.code, 1);
    assert!(diff.out.starts_with("--- -\n+++ -\n"), "{}", diff.out);
    let repaired = run_with(&["fix", "--write", "-"], DAMAGED.as_bytes());
    assert_eq!((repaired.code, &repaired.out[..]), (0, SAFE));
}

#[test]
fn fix_json_lists_edits_with_their_proof() {
    let folder = Folder::with(DAMAGED);
    let run = folder.fix(&["--json"]);
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [.., unsafe_repair, summary] = &lines[..] else { panic!("{}", run.out) };
    assert_eq!(unsafe_repair["applicability"], "unsafe");
    let edit = &unsafe_repair["edits"][0];
    let at = edit["at"].as_u64().expect("an offset") as usize;
    assert_eq!(&DAMAGED[at..at + 5], "41-73");
    assert_eq!((&edit["old"], &edit["new"]), (&Value::from("41-73"), &Value::from("41-37")));
    assert_eq!(unsafe_repair["proof"]["complete"], true);
    assert_eq!(summary["summary"]["safe"], 2);
}

#[test]
fn fix_does_not_write_compressed_files() {
    use std::io::Write;
    let folder = Folder::with("");
    let path = folder.file.with_extension("pdn.gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(DAMAGED.as_bytes()).expect("packed");
    let packed = packed.finish().expect("packed");
    fs::write(&path, &packed).expect("written");
    let run = run(&["fix", "--write", text(&path)]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is compressed with gzip; unpack it first"), "{}", run.err);
    assert_eq!(fs::read(&path).expect("read"), packed);
}

/// The fifth move may be 33-28 or 34-29 by one slip each: neither is written.
#[test]
fn several_repairs_that_fit_are_shown() {
    let record = "[GameType \"20\"]\n\n1. 31-25 *\n";
    let folder = Folder::with(record);
    let run = folder.fix(&["--unsafe"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.err.contains("R001: 2 repairs fit: `31-25` -> `31-26` or "), "{}", run.err);
    assert_eq!(folder.contents(), record);
}

/// The summary and the lines of JSON must not claim repairs in a file that was refused.
#[test]
fn repairs_of_a_file_that_is_not_written_are_not_counted_as_made() {
    let folder = Folder::with("");
    let utf16: Vec<u8> = DAMAGED.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bytes = [b"\xFF\xFE".as_slice(), &utf16].concat();
    fs::write(&folder.file, &bytes).expect("written");
    let possible = folder.fix(&[]);
    assert!(possible.err.contains("1 game in 1 file: 2 repairs possible, in 1 game"), "{}", possible.err);
    let refused = folder.fix(&["--write"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is in UTF-16"), "{}", refused.err);
    assert!(refused.err.contains("1 game in 1 file: 0 repairs made, in 0 games"), "{}", refused.err);
    assert_eq!(fs::read(&folder.file).expect("read"), bytes);
    let lines: Vec<Value> = folder
        .fix(&["--write", "--format", "json"])
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let (summary, repairs) = lines.split_last().expect("a summary");
    assert_eq!((&summary["summary"]["applied"], &summary["summary"]["repaired"]), (&0.into(), &0.into()));
    assert!(repairs.len() >= 2 && repairs.iter().all(|repair| repair["applied"] == false), "{repairs:?}");
}
