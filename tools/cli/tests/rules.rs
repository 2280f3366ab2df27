//! `pdn show`, `pdn moves` and `pdn perft` from outside.

use assert_cmd::Command;
use serde_json::Value;

/// Runs the command; answers with its exit code, its results and its complaints.
fn pdn(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("pdn").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn perft_counts_as_published() {
    for (variant, depth, nodes) in [
        ("international", "6", 167_140),
        ("english", "7", 179_740),
        ("25", "6", 37_986),
        ("frisian", "5", 21_265),
    ] {
        let (code, out, _) = pdn(&["perft", "-V", variant, "-d", depth, "--json"]);
        let value: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, value["nodes"].as_u64()), (0, Some(nodes)), "{variant}");
    }
}

#[test]
fn divide_adds_up_to_perft() {
    let (code, out, _) = pdn(&["perft", "-V", "russian", "-d", "5", "--divide", "--json"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (total, parts) = lines.split_last().unwrap();
    assert_eq!((code, parts.len(), total["nodes"].as_u64()), (0, 7, Some(7_482)));
    assert_eq!(parts.iter().map(|part| part["nodes"].as_u64().unwrap()).sum::<u64>(), 7_482);
}

#[test]
fn ambiguous_captures_are_written_out() {
    // The diagrams of PDN 3.0, restriction 8, and of the proposal for 3.1.
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
fn moves_in_json_have_the_keys_of_the_contract() {
    let (_, out, _) = pdn(&["moves", "-V", "brazilian", "--fen", "W:Wc3,e3:Bd4", "--json"]);
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
fn no_move_is_a_finding() {
    let (code, out, _) = pdn(&["moves", "--fen", "W:W46:B41,37"]);
    assert_eq!((code, out.as_str()), (1, ""));
}

#[test]
fn a_bad_position_is_pointed_at() {
    for (fen, message, carets) in [
        ("W:W31-51:B1", "there is no such square", "     ^^^^^"),
        ("W:W31:B31", "a second piece on a square", "         ^^"),
        ("W:W31:Bx", "expected", "        ^"),
    ] {
        let (code, out, err) = pdn(&["show", "--fen", fen]);
        assert_eq!((code, out.as_str()), (2, ""), "{fen}: {err}");
        assert!(err.contains(message) && err.contains(fen) && err.contains(carets), "{err}");
    }
    let (code, _, err) = pdn(&["show", "-V", "chess"]);
    assert!(code == 2 && err.contains("no variant has this name"), "{err}");
}

#[test]
fn a_man_on_its_last_row_is_shown_and_said() {
    let (code, out, err) = pdn(&["show", "--fen", "W:W3:B40", "--letters"]);
    assert_eq!(code, 0);
    assert!(out.contains("White to move"), "{out}");
    assert!(err.contains("a man stands on the row where it becomes a king"), "{err}");
}

#[test]
fn a_picture_is_a_whole_svg() {
    let (code, out, _) = pdn(&["show", "-V", "turkish", "--svg", "-"]);
    assert_eq!(code, 0);
    assert!(out.trim_start().starts_with("<svg") && out.trim_end().ends_with("</svg>"));
    let (code, _, err) = pdn(&["show", "--svg", "no/such/folder/x.svg"]);
    assert!(code == 2 && err.contains("no/such/folder/x.svg"), "{err}");
}
