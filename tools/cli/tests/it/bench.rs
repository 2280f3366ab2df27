//! Tests of `pdn bench`.

use crate::common::run;
use serde_json::Value;

const STAGES: [&str; 10] =
    ["floor", "source", "split", "tags", "walk", "tree", "replay", "file", "write", "index"];

#[test]
fn bench_measures_every_stage_on_every_number_of_threads() {
    let run = run(&["bench", "moves.pdn", "--threads", "3", "--rounds", "2", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&run.out).unwrap();
    let stats = crate::common::run(&["stats", "moves.pdn", "--json"]).out;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    for key in ["games", "plies", "bytes"] {
        assert_eq!(value[key], stats[key], "{key}");
    }
    assert_eq!(value["disagreements"], serde_json::json!([]));
    let stages = value["stages"].as_array().unwrap();
    let ran: Vec<_> =
        stages.iter().map(|s| (s["stage"].as_str().unwrap(), s["threads"].as_u64().unwrap())).collect();
    let expected: Vec<_> =
        [1, 2, 3].into_iter().flat_map(|threads| STAGES.map(|stage| (stage, threads))).collect();
    assert_eq!(ran, expected);
    for stage in stages {
        assert_eq!(stage["rounds"], 2);
        for key in ["seconds", "gb_per_second", "games_per_second", "plies_per_second", "of_floor", "scaling"]
        {
            assert!(stage[key].as_f64().is_some_and(|number| number > 0.0), "{key} of {stage}");
        }
    }
}

#[test]
fn bench_table_has_one_row_per_stage() {
    let run = run(&["bench", "clean.pdn", "--threads", "1", "--rounds", "1"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("clean.pdn: "), "{}", run.out);
    for stage in STAGES {
        assert!(run.out.lines().any(|line| line.trim_start().starts_with(stage)), "{}", run.out);
    }
}

#[test]
fn bench_runs_selected_stages_and_the_floor_in_order() {
    let run = run(&["bench", "clean.pdn", "--threads", "1", "--rounds", "1", "--stages", "walk,split,walk"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let stages: Vec<_> = run.out.lines().skip(3).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(stages, ["floor", "split", "walk"]);
    assert!(run.out.contains(" games; ") && !run.out.contains("plies;"), "{}", run.out);
}

#[test]
fn bench_uses_the_chosen_instruction_set() {
    let least = match std::env::consts::ARCH {
        "x86_64" => "sse2",
        "aarch64" if cfg!(target_endian = "little") => "neon",
        _ => "portable",
    };
    for (options, expected) in [(&["--simd", least][..], Some(least)), (&[], None)] {
        let run =
            run(&[&["bench", "clean.pdn", "--rounds", "1", "--stages", "walk", "--json"], options].concat());
        let value: Value = serde_json::from_str(&run.out).unwrap();
        let used = value["instruction_set"].as_str().unwrap();
        assert!(expected.is_none_or(|expected| expected == used), "{used}");
    }
    let unknown = run(&["bench", "clean.pdn", "--simd", "abacus"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains(least), "{}", unknown.err);
}
