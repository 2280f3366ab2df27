//! `pdn perft` on several threads, and its sum over the moves.

use assert_cmd::Command;
use serde_json::Value;

/// Runs the command; returns its exit code, standard output and standard error.
fn pdn(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("pdn")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn perft_counts_the_same_on_any_number_of_threads() {
    for (variant, fen, depth) in [
        ("international", "W:W31-50:B1-20", 5),
        ("frisian", "W:WK28,K30,40:BK1,7,12", 4),
        ("turkish", "W:WKd4,a2:BKe7,h7", 4),
        ("russian", "W:Wa1:Bc3", 4),
        ("english", "W:W1:BK2", 5),
    ] {
        let depth = depth.to_string();
        let run = |threads: &str, divide: &[&str]| {
            let args = ["perft", "-g", variant, "--fen", fen, "-d", &depth, "--json", "--threads", threads];
            let (code, out, err) = pdn(&[&args, divide].concat());
            assert_eq!(code, 0, "{variant}: {err}");
            let nodes = |line: &str| serde_json::from_str::<Value>(line).unwrap()["nodes"].as_u64().unwrap();
            out.lines().map(nodes).collect::<Vec<_>>()
        };
        let [one, three] = ["1", "3"].map(|threads| run(threads, &["--divide"]));
        assert_eq!(one, three, "{variant}");
        let (total, parts) = one.split_last().unwrap();
        assert_eq!(parts.iter().sum::<u64>(), *total, "{variant}");
        assert_eq!(run("2", &[]), [*total], "{variant}");
        // The moves one by one, each with the perft of the position after it.
        let (_, moves, _) = pdn(&["moves", "-g", variant, "--fen", fen, "--json"]);
        let moves: Value = serde_json::from_str(&moves).unwrap();
        let smaller = (depth.parse::<u32>().unwrap() - 1).to_string();
        let sum: u64 = moves["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| {
                let after = mv["after"].as_str().unwrap();
                let (_, out, _) = pdn(&["perft", "-g", variant, "--fen", after, "-d", &smaller, "--json"]);
                serde_json::from_str::<Value>(&out).unwrap()["nodes"].as_u64().unwrap()
            })
            .sum();
        assert_eq!(sum, *total, "{variant}");
    }
    let depth_zero = pdn(&["perft", "-d", "0", "--json"]).1;
    assert!(depth_zero.contains("\"nodes\":1,"), "{depth_zero}");
}
