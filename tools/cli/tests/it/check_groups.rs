//! Tests of the options by which `pdn check` selects, groups and counts diagnostics.

use serde_json::Value;

use crate::common::run;

const FILES: [&str; 3] = ["moves.pdn", "damaged.pdn", "clean.pdn"];

/// Runs `check --json` with options on all files; returns the exit code, the lines, and the summary.
fn check(options: &[&str]) -> (i32, Vec<Value>, Value) {
    let run = run(&[&["check", "--json"], options, &FILES].concat());
    let mut lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().expect("the summary");
    (run.code, lines, last["summary"].clone())
}

/// Adds up the numbers of an object.
fn sum(object: &Value) -> u64 {
    object.as_object().unwrap().values().map(|number| number.as_u64().unwrap()).sum()
}

#[test]
fn groups_and_summary_count_what_is_listed() {
    for options in
        [&[][..], &["--strict"], &["--code", "R,T012"], &["--min-severity", "error"], &["--no-replay"]]
    {
        let (code, listed, summary) = check(options);
        assert_eq!(code, i32::from(!listed.is_empty()), "{options:?}");
        let severity = |name: &str| listed.iter().filter(|line| line["severity"] == name).count() as u64;
        for (key, name) in [("errors", "error"), ("warnings", "warning"), ("styles", "style")] {
            assert_eq!(summary[key], severity(name), "{options:?} {key}");
        }
        assert_eq!(sum(&summary["codes"]), listed.len() as u64, "{options:?}");

        let (by_code, groups, same) = check(&[options, &["--by", "code"]].concat());
        assert_eq!((by_code, &same), (code, &summary), "{options:?}");
        for group in &groups {
            let of_code: Vec<_> = listed.iter().filter(|line| line["code"] == group["code"]).collect();
            assert_eq!(group["diagnostics"], of_code.len(), "{options:?} {group}");
            assert_eq!((&group["file"], &group["record"]), (&of_code[0]["file"], &of_code[0]["record"]));
            let mut files: Vec<_> = of_code.iter().map(|line| line["file"].as_str()).collect();
            files.dedup();
            assert_eq!(group["files"], files.len(), "{options:?} {group}");
        }
        let total: u64 = groups.iter().map(|group| group["diagnostics"].as_u64().unwrap()).sum();
        assert_eq!(total, listed.len() as u64, "{options:?}");

        let (_, files, same) = check(&[options, &["--by", "file"]].concat());
        assert_eq!(&same, &summary, "{options:?}");
        let total: u64 = files.iter().map(|file| sum(&file["codes"])).sum();
        assert_eq!(total, listed.len() as u64, "{options:?}");
        for file in &files {
            assert_eq!(
                sum(&file["codes"]),
                listed.iter().filter(|line| line["file"] == file["file"]).count() as u64
            );
            let parts = ["errors", "warnings", "styles"].map(|key| file[key].as_u64().unwrap());
            assert_eq!(parts.iter().sum::<u64>(), sum(&file["codes"]), "{file}");
        }
    }
}

#[test]
fn selected_diagnostics_decide_the_exit_code() {
    let (code, listed, summary) = check(&["--code", "R002"]);
    assert_eq!((code, listed.len()), (1, 1));
    assert_eq!(summary["illegal"], 3, "statuses do not depend on the selection");
    let (code, listed, summary) = check(&["--code", "T005", "--min-severity", "error"]);
    assert_eq!((code, listed.len(), sum(&summary["codes"])), (0, 0, 0));
    let (_, lower, _) = check(&["--code", "r002"]);
    assert_eq!(lower.len(), 1, "codes in lower case");
    let (_, style, _) = check(&["--min-severity", "style"]);
    assert_eq!(style, check(&["--strict"]).1);
    for (args, message) in [
        (
            &["check", "--code", "X", "clean.pdn"][..],
            "no code begins with `X`; `pdn explain` lists all codes",
        ),
        (&["check", "--code", "", "clean.pdn"], "no code begins with ``"),
        (&["check", "--by", "code", "--format", "sarif", "clean.pdn"], "--by: this format has no groups"),
        (&["check", "--by", "code", "--summary", "clean.pdn"], "cannot be used with"),
    ] {
        let run = run(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(message), "{args:?}: {}", run.err);
    }
}

#[test]
fn text_output_has_the_counts_by_code_at_its_end() {
    let all = run(&[&["check"][..], &FILES].concat()).out;
    let (_, counts) = all.rsplit_once("\n\n").unwrap();
    assert!(counts.starts_with("R001  error    2  an illegal move, in 1 file\n"), "{counts}");
    assert_eq!(counts.lines().count(), 14, "{counts}");
    let by_code = run(&[&["check", "--by", "code"][..], &FILES].concat()).out;
    assert!(
        by_code.contains("R001  error    2  an illegal move, in 1 file\n      first in moves.pdn, game 2\n")
    );
    let by_file = run(&[&["check", "--by", "file"][..], &FILES].concat()).out;
    assert!(
        by_file.starts_with("moves.pdn: 5 errors, 1 warning in 7 games\n    R001 2, R002 1"),
        "{by_file}"
    );
    assert!(!by_file.contains("clean.pdn"), "only files with diagnostics: {by_file}");
}
