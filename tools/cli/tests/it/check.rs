//! The parts of the formats of `pdn check`, statuses, threads and many diagnostics.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{data, pdn, run, run_with};
use serde_json::Value;

/// The schema of SARIF 2.1.0 demands these parts.
#[test]
fn sarif_has_the_parts_of_its_schema() {
    let run = run(&["check", "--format", "sarif", "damaged.pdn", "cp866.pdn", "clean.pdn"]);
    let log: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| !rule["help"]["text"].as_str().unwrap().is_empty()));
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 11);
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(["damaged.pdn", "cp866.pdn"].contains(&place["artifactLocation"]["uri"].as_str().unwrap()));
        let region = &place["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1 && region["startColumn"].as_u64().unwrap() >= 1);
    }
    assert_eq!(run["properties"]["summary"]["damaged"], 1);
}

#[test]
fn check_json_has_all_keys() {
    let run = run(&["check", "--json", "--strict", "damaged.pdn"]);
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, findings) = lines.split_last().unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let bytes = std::fs::read(data().join("damaged.pdn")).unwrap();
    for finding in findings {
        assert_eq!(keys(finding), "file record offset length line column at span code severity message");
        let offset = finding["at"].as_u64().unwrap() as usize;
        let line = bytes[..offset].iter().filter(|b| **b == b'\n').count() as u64 + 1;
        assert_eq!(finding["line"], line, "{finding}");
        assert!(offset + finding["span"].as_u64().unwrap() as usize <= bytes.len());
    }
    let expected = "files bytes games plies legal illegal ambiguous damaged empty unsupported problems errors warnings styles written replayed variants inferred codes not_listed";
    assert_eq!(keys(&summary["summary"]), expected);
    let count =
        |severity: &str| findings.iter().filter(|finding| finding["severity"] == severity).count() as u64;
    for (severity, key) in [("error", "errors"), ("warning", "warnings"), ("style", "styles")] {
        assert!(count(severity) > 0);
        assert_eq!(summary["summary"][key], count(severity));
    }
}

#[test]
fn every_game_has_one_status() {
    for file in ["moves.pdn", "damaged.pdn", "clean.pdn", "hostile.pdn", "empty.pdn"] {
        for command in ["check", "stats"] {
            let out = run(&[command, "--json", file]).out;
            let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
            let summary = if command == "check" { &last["summary"] } else { &last };
            let number = |key: &str| summary[key].as_u64().unwrap();
            let statuses = ["legal", "illegal", "ambiguous", "damaged", "empty", "unsupported", "problems"];
            assert_eq!(statuses.map(number).iter().sum::<u64>(), number("games"), "{command} {file}");
            assert!(number("plies") <= number("written"), "{command} {file}");
        }
    }
}

#[test]
fn every_fixture_about_moves_raises_its_code() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/codes");
    let place = tempfile::tempdir().unwrap();
    let endings = place.path().join("endings").to_str().unwrap().to_owned();
    assert_eq!(run(&["endgame", "build", "-g", "english", "--pieces", "2", "-o", &endings]).code, 0);
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let code = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !code.starts_with(['N', 'R']) {
            continue;
        }
        let run = run(&["check", "--strict", "--json", "--tables", &endings, path.to_str().unwrap()]);
        assert!(run.out.contains(&format!("\"code\":\"{code}\"")), "{code}: {}", run.out);
        files += 1;
    }
    assert!(files >= 15, "{files} fixtures");
}

/// The time for a record of many variations must be linear in its length, and the memory for a very long one bounded.
#[test]
fn many_variations_take_linear_time() {
    for (number, findings) in [(40_000, 1_000), (500_000, 0)] {
        let text = format!("1. 32-28 {} 19-24 2. 28-32 *", "(1-1)".repeat(number));
        let start = std::time::Instant::now();
        let run = run_with(&["check", "--json", "-"], text.as_bytes());
        assert!(start.elapsed().as_secs() < 20, "{number} variations: {:?}", start.elapsed());
        let last = run.out.lines().last().unwrap();
        assert!(last.contains("\"illegal\":1"), "{last}");
        assert!(run.out.lines().count() > findings, "{last}");
        assert!(run.out.contains("did you mean `28-22`, `28-23` or `38-32`?") || findings > 0, "{}", run.out);
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let big = folder.path().join("big.pdn");
    let damaged = std::fs::read(data().join("damaged.pdn")).unwrap();
    std::fs::write(&big, damaged.repeat(4_000)).unwrap();
    let run = |threads: &str| run(&["check", "--json", "--threads", threads, big.to_str().unwrap()]).out;
    let one = run("1");
    assert!(one.lines().count() > 30_000);
    assert!(one == run("3"));
}

#[test]
fn closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let big = folder.path().join("big.pdn");
    std::fs::write(&big, "[Date \"never\"] *\n".repeat(50_000)).unwrap();
    let mut child = pdn(&["check", "--json", big.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"file\""));
    // The reading end is closed now.
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(done.stderr.is_empty(), "{done:?}");
}
