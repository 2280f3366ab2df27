//! Tests of `pdn moves`, `pdn perft` and of `pdn show` with a position.

use assert_cmd::Command;
use serde_json::Value;

/// Runs the command; returns its exit code, standard output and standard error.
fn pdn(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("pdn")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn perft_equals_published_counts() {
    for (variant, depth, nodes) in [
        ("international", "6", 167_140),
        ("english", "7", 179_740),
        ("25", "6", 37_986),
        ("frisian", "5", 21_265),
    ] {
        let (code, out, _) = pdn(&["perft", "-g", variant, "-d", depth, "--json"]);
        let value: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, value["nodes"].as_u64()), (0, Some(nodes)), "{variant}");
    }
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

#[test]
fn positions_are_given_by_moves_and_by_what_stands_in_files() {
    let fen = |args: &[&str]| {
        let (_, out, err) = pdn(&[&["show", "--json"], args].concat());
        let value: Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {err}"));
        value["fen"].as_str().unwrap().to_owned()
    };
    for command in [&["show"][..], &["moves"], &["perft", "-d", "1"]] {
        let (code, out, err) = pdn(&[command, &["--moves", "1. 32-28 19-23 2. 28x19", "--json"]].concat());
        assert_eq!(code, 0, "{command:?}: {err}");
        let value: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
        assert!(value["fen"].as_str().unwrap().starts_with("B:W19,31,33"), "{command:?}: {value}");
        let (code, out, err) = pdn(&[command, &["--moves", "1. 32-28 19-24 2. 32-27"]].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{command:?}");
        assert!(err.contains("--moves: `32-27` is not legal here; did you mean"), "{err}");
    }
    assert_eq!(fen(&["--fen", "W:W50:B1", "--moves", "50-45"]), "B:W45:B1");
    for text in ["W:W50:B1:H0:F1.", "W:W50:B1.", "[FEN \"W:W50:B1\"]", "\"W:W50:B1:H0:F1\"", " W:W50:B1 "] {
        assert_eq!(fen(&["--fen", text]), "W:W50:B1", "{text}");
    }
}

#[test]
fn divide_adds_up_to_perft() {
    let (code, out, _) = pdn(&["perft", "-g", "russian", "-d", "5", "--divide", "--json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (total, parts) = lines.split_last().unwrap();
    assert_eq!((code, parts.len(), total["nodes"].as_u64()), (0, 7, Some(7_482)));
    assert_eq!(parts.iter().map(|part| part["nodes"].as_u64().unwrap()).sum::<u64>(), 7_482);
}

#[test]
fn moves_writes_ambiguous_captures_unambiguously() {
    // The diagram of PDN 3.0, restriction 8, and of the proposal for PDN 3.1.
    let fen = "W:WK47:B14,19,29,31,42";
    let texts = |style: &str| -> Vec<String> {
        let (_, out, _) = pdn(&["moves", "--fen", fen, "--style", style]);
        let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(texts("shortest"), ["47x38x20x9x36", "47x38x24x13x36"]);
    assert_eq!(texts("captured"), ["47x36 <42,29,14,31>", "47x36 <42,29,19,31>"]);
}

#[test]
fn moves_json_has_all_keys() {
    let (_, out, _) = pdn(&["moves", "-g", "brazilian", "--fen", "W:Wc3,e3:Bd4", "--json"]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["turn"], "white");
    let captures = value["moves"].as_array().unwrap();
    assert_eq!(captures.len(), 2);
    for mv in captures {
        for key in ["from", "to", "captured", "promotes", "text", "after"] {
            assert!(!mv[key].is_null(), "{key} in {mv}");
        }
        assert_eq!(mv["captured"], serde_json::json!(["d4"]));
    }
}

#[test]
fn moves_exits_with_1_without_legal_moves() {
    let (code, out, _) = pdn(&["moves", "--fen", "W:W46:B41,37"]);
    assert_eq!((code, out.as_str()), (1, ""));
}

/// Both commands print the message and mark the last occurrence of the given text in the FEN.
#[test]
fn invalid_positions_are_reported_with_their_place() {
    let kings = |from: u8| (from..from + 100).map(|n| format!("K{n}")).collect::<Vec<_>>().join(",");
    let hundred_kings = format!("W:W{}:B{}", kings(1), kings(101));
    let refused = Some(2);
    for (variant, fen, message, place, exit) in [
        ("international", "W:W31-51:B1", "there is no such square", "31-51", refused),
        ("international", "W:W31,51:B1", "there is no such square", "51", refused),
        ("russian", "W:Wa1,i1:Bh8", "there is no such square", "i1", refused),
        ("russian", "W:Wa1,a2:Bh8", "this cell of the board is not played on", "a2", refused),
        ("international", "W:W6,6:B1", "this piece is named twice", "6", None),
        ("international", "W:W31:B31", "a second piece on a square", "31", refused),
        ("international", "W:W31,K31:B1", "a second piece on a square", "K31", refused),
        ("international", "W:W3:B40", "a man stands on the row where it becomes a king", "3", None),
        ("russian", "W:Wa1:Bc1", "a man stands on the row where it becomes a king", "c1", None),
        ("international", "W:W:B", "there is no piece on the board", "W:W:B", None),
        ("english", "W:W31-50:B1-20", "there is no such square", "31-50", refused),
        ("italian", "W:Wa1:Bh2", "this cell of the board is not played on", "a1", refused),
        ("international", "W:W46:Ba1", "only one of them", "46", refused),
        ("international", "W:WK1-21:BK50", "a side has more pieces than the game has", "K1-21", None),
        ("canadian", "W:WK1-72:B", "a side has more pieces than the game has", "K1-72", None),
        ("international", &hundred_kings, "there is no such square", "K51", refused),
        ("international", "?:W29:B22", "the side to move is not given", "?", None),
        ("international", "B:::", "a null move is no position", "B:::", refused),
        ("international", "W:W31:Bx", "expected", "x", refused),
    ] {
        let at = fen.rfind(place).expect("the FEN contains the marked text");
        let marked = format!("\n  {fen}\n  {}{}\n", " ".repeat(at), "^".repeat(place.len()));
        for command in ["show", "moves"] {
            let (code, out, err) = pdn(&[command, "-g", variant, "--fen", fen]);
            assert!(err.contains(message) && err.contains(&marked), "{command} {variant} {fen}: {err}");
            match exit {
                Some(exit) => assert_eq!((code, out.as_str()), (exit, ""), "{command} {variant} {fen}"),
                // A warning does not keep the position from being used.
                None => assert!(code != 2, "{command} {variant} {fen}: {err}"),
            }
        }
    }
    let (code, _, err) = pdn(&["show", "-g", "chess"]);
    assert!(code == 2 && err.contains("no variant has this name"), "{err}");
}

#[test]
fn show_warns_of_a_man_on_its_promotion_row() {
    let (code, out, err) = pdn(&["show", "--fen", "W:W3:B40", "--letters"]);
    assert_eq!(code, 0);
    assert!(out.contains("White to move"), "{out}");
    assert!(err.contains("a man stands on the row where it becomes a king"), "{err}");
}

#[test]
fn show_writes_a_complete_svg() {
    let (code, out, _) = pdn(&["show", "-g", "turkish", "--svg", "-"]);
    assert_eq!(code, 0);
    assert!(out.trim_start().starts_with("<svg") && out.trim_end().ends_with("</svg>"));
    let (code, _, err) = pdn(&["show", "--svg", "no/such/folder/x.svg"]);
    assert!(code == 2 && err.contains("no/such/folder/x.svg"), "{err}");
}

#[test]
fn show_overwrites_no_file_with_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    let name = file.to_str().unwrap();
    assert_eq!(pdn(&["show", "--svg", name]).0, 0);
    assert!(std::fs::read_to_string(&file).unwrap().trim_end().ends_with("</svg>"));
    std::fs::write(&file, "1. 32-28 *").unwrap();
    let (code, _, err) = pdn(&["show", "--svg", name]);
    assert!(code == 2 && err.contains("the file exists; it is not overwritten"), "{err}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "1. 32-28 *");
}
