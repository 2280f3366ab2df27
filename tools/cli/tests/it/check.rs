//! Tests of `pdn check`: formats, exit codes, and reports of unreadable inputs.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{check_snapshot, data, pdn, run, run_with};
use serde_json::Value;

#[test]
fn check_prints_diagnostics_in_every_format() {
    for (name, format) in [("human", "human"), ("json", "json"), ("sarif", "sarif"), ("github", "github")] {
        let run = run(&["check", "--format", format, "damaged.pdn", "cp866.pdn", "clean.pdn"]);
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{format}");
        if format != "sarif" {
            check_snapshot(&format!("check-{name}.txt"), &run.out);
        } else {
            check_sarif(&run.out);
        }
    }
    assert_eq!(
        run(&["check", "--json", "damaged.pdn"]).out,
        run(&["check", "--format", "json", "damaged.pdn"]).out
    );
}

/// Checks the parts that the schema of SARIF 2.1.0 demands.
fn check_sarif(text: &str) {
    let log: Value = serde_json::from_str(text).expect("JSON");
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
    // The index of the rule changes with every new code.
    let mut first = results[0].clone();
    first.as_object_mut().unwrap().remove("ruleIndex");
    check_snapshot("check-sarif-result.json", &format!("{first:#}\n"));
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
fn sound_files_have_no_diagnostics() {
    for args in [
        &["check", "clean.pdn"][..],
        &["check", "--strict", "clean.pdn"],
        &["check", "clean.pdn.gz"],
        &["check", "--mmap", "never", "--threads", "1", "clean.pdn"],
    ] {
        let run = run(args);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        assert!(run.out.starts_with("no diagnostics in 2 games, 1 file, 441 B.\n"), "{}", run.out);
    }
    let clean = std::fs::read(data().join("clean.pdn")).unwrap();
    assert_eq!(run_with(&["check", "-"], &clean).out, run(&["check", "clean.pdn"]).out);
}

#[test]
fn check_replays_moves() {
    let human = run(&["check", "moves.pdn"]);
    assert_eq!((human.code, human.err.as_str()), (1, ""));
    check_snapshot("check-moves.txt", &human.out);
    check_snapshot("check-moves.json", &run(&["check", "--json", "moves.pdn"]).out);
    check_snapshot("check-moves-github.txt", &run(&["check", "--format", "github", "moves.pdn"]).out);
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
fn check_and_stats_count_the_same_games_of_each_variant() {
    let text = "[GameType \"0\"]\n1. e4 e5 *\n\n[GameType \"60\"]\n1. 1-2 *\n\n[White \"A\"]\n*\n\n[GameType \"25\"]\n*\n\n\
        1. 11-15 23-18 2. 8-11 27-23 *\n";
    for (text, options, expected) in [
        (text, &[][..], r#"{"english":3,"chess":1,"russian":1}"#),
        (text, &["--no-replay"], r#"{"unknown":2,"chess":1,"game type 60":1,"russian":1}"#),
        ("[White \"A\"]\n*\n", &[], r#"{"unknown":1}"#),
    ] {
        for command in ["check", "stats"] {
            let out = run_with(&[&[command, "--json", "-"], options].concat(), text.as_bytes()).out;
            assert!(
                out.contains(&format!(r#""variants":{expected},"inferred""#)),
                "{command} {options:?}: {out}"
            );
        }
    }
}

#[test]
fn variant_option_applies_to_games_without_a_tag() {
    let text = b"1. 11-15 23-18 2. 8-11 27-23 *\n";
    let inferred = run_with(&["check", "--json", "-"], text);
    assert_eq!(inferred.code, 0, "{}", inferred.out);
    assert!(
        inferred.out.contains(r#""variants":{"english":1},"inferred":{"english":1}"#),
        "{}",
        inferred.out
    );
    let given = run_with(&["check", "--json", "--untagged", "21", "-"], text);
    assert!(given.out.contains(r#""variants":{"english":1},"inferred":{}"#), "{}", given.out);
    let wrong = run_with(&["check", "--untagged", "international", "-"], text);
    assert_eq!(wrong.code, 1);
    assert!(wrong.out.contains("the piece on its first square belongs to the other side"), "{}", wrong.out);
    let unknown = run_with(&["check", "--untagged", "chess", "-"], text);
    assert!(unknown.code == 2 && unknown.err.contains("no variant has this name"), "{}", unknown.err);
}

#[test]
fn every_fixture_about_moves_raises_its_code() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/codes");
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let code = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !code.starts_with(['N', 'R']) {
            continue;
        }
        let run = run(&["check", "--strict", "--json", path.to_str().unwrap()]);
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
fn no_replay_checks_the_text_only() {
    let run = run(&["check", "--no-replay", "moves.pdn"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.ends_with("Text checked, moves not replayed.\n"), "{}", run.out);
}

#[test]
fn strict_reports_style() {
    let run = run(&["check", "--strict", "--max-findings", "1", "damaged.pdn"]);
    assert_eq!(run.code, 1);
    check_snapshot("check-strict.txt", &run.out);
}

#[test]
fn quiet_prints_the_summary_only() {
    let run = run(&["check", "--summary", "damaged.pdn"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("4 errors, 5 warnings in 5 games"), "{}", run.out);
    // Three lines of totals, an empty line, and a line for each of nine codes.
    assert_eq!(run.out.lines().count(), 13, "{}", run.out);
}

#[test]
fn diagnostics_of_one_code_are_limited_per_file() {
    let text = "[Date \"never\"] *\n".repeat(1_000);
    let run = run_with(&["check", "-"], text.as_bytes());
    assert_eq!(run.out.matches("T002]").count(), 5);
    assert!(run.out.contains("... and 995 more of T002 (a date that cannot be read) in -\n"), "{}", run.out);
    let all = run_with(&["check", "--max-findings", "0", "-"], text.as_bytes());
    assert_eq!(all.out.matches("T002]").count(), 1_000);
    assert!(all.out.contains(" --> -:1000:8"), "diagnostics that are not printed advance the line count");
    assert_eq!(run_with(&["check", "--json", "-"], text.as_bytes()).out.lines().count(), 1_001);
}

#[test]
fn very_long_lines_are_shortened() {
    let text = format!("{} nonsense {}*\n", "1. 32-28 19-23 ".repeat(700), "2. 28x19 14x23 ".repeat(700));
    let run = run_with(&["check", "-"], text.as_bytes());
    assert!(run.out.contains("nonsense") && run.out.contains("-:1:10502"), "{}", run.out);
    assert!(run.out.lines().all(|line| line.chars().count() <= 140), "{}", run.out);
}

#[test]
fn unreadable_inputs_are_reported_and_others_checked() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("program.pdn");
    std::fs::write(&binary, [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 500]].concat()).unwrap();
    let empty_folder = folder.path().join("empty");
    std::fs::create_dir(&empty_folder).unwrap();
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();

    let run1 = run(&["check", "no-such-file.pdn", "clean.pdn"]);
    assert_eq!(run1.code, 2);
    assert!(run1.err.starts_with("pdn: no-such-file.pdn: "), "{}", run1.err);
    assert!(run1.out.starts_with("no diagnostics in 2 games"), "{}", run1.out);

    let run2 = run(&["check", &path(&binary)]);
    assert_eq!(run2.code, 2);
    assert!(run2.err.contains("program.pdn: is binary, not text: "), "{}", run2.err);

    let run3 = run(&["check", &path(&empty_folder)]);
    assert_eq!(run3.code, 2);
    assert!(run3.err.ends_with("empty: no PDN file in this folder\n"), "{}", run3.err);

    let run4 = run(&["check", "empty.pdn"]);
    assert_eq!((run4.code, run4.err.as_str()), (0, "pdn: empty.pdn: is empty\n"));
    assert!(run4.out.starts_with("no diagnostics in 0 games, 1 file"), "{}", run4.out);

    let truncated = folder.path().join("cut.pdn.gz");
    let whole = std::fs::read(data().join("clean.pdn.gz")).unwrap();
    std::fs::write(&truncated, &whole[..whole.len() - 40]).unwrap();
    let run5 = run(&["check", &path(&truncated)]);
    assert_eq!(run5.code, 2);
    assert!(run5.err.contains("cut.pdn.gz: damaged gzip data"), "{}", run5.err);
}

#[test]
fn encoding_option_overrides_detection() {
    let run1 = run(&["check", "--encoding", "cp1251", "cp866.pdn"]);
    assert!(run1.out.contains("Ґ"), "{}", run1.out);
    let run2 = run(&["check", "--encoding", "klingon", "cp866.pdn"]);
    assert_eq!(run2.code, 2);
    assert!(run2.err.contains("klingon"), "{}", run2.err);
}

#[test]
fn check_prints_no_control_characters() {
    for format in ["human", "json", "sarif", "github"] {
        let run = run(&["check", "--strict", "--format", format, "hostile.pdn"]);
        assert_eq!(run.code, 1);
        let acts = |c: &char| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c);
        assert_eq!(run.out.chars().find(acts), None, "{format}");
    }
}

#[test]
fn colours_are_printed_only_on_request_without_a_terminal() {
    assert!(!run(&["check", "damaged.pdn"]).out.contains('\x1b'));
    assert!(!run(&["--color", "never", "check", "damaged.pdn"]).out.contains('\x1b'));
    assert!(run(&["check", "--color", "always", "damaged.pdn"]).out.contains("\x1b["));
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
