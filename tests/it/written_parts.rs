//! Parts of records that are easily lost or changed when a game is written.

use pdn::diag::Code;
use pdn::replay::{ReplayOptions, annotate};
use pdn::value::GameResult;
use pdn::write::{AddedTags, GameWriter, RecordWriter, Strip, Unwritten, WriteOptions};

/// Writes a record and returns the text.
fn written(options: WriteOptions, record: &str) -> Result<String, Unwritten> {
    let mut text = Vec::new();
    RecordWriter::new(&options).write(record.as_bytes(), &mut text)?;
    Ok(String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn move_number_after_a_setup_is_kept() {
    let record = "1. 32-28 19-23 /FEN \"W:W31-50:B1-20\"/ 7. 33-29 19-23 8. 35-30 14-19 *";
    let text = written(WriteOptions::new(), record).expect("written");
    assert!(text.contains("/ 7. 33-29 19-23 8. 35-30"), "{text}");
}

#[test]
fn number_of_the_first_move_of_an_annotated_game_is_kept() {
    let game = annotate(b"5. 32-28 19-23 6. 28x19 14x23 *", &ReplayOptions::default());
    let writer = GameWriter::from_annotated(&game, &WriteOptions::new()).expect("legal");
    let text = writer.finish(GameResult::Unfinished);
    assert!(text.contains("5. 32-28 19-23 6. 28x19 14x23 *"), "{text}");
}

#[test]
fn second_tag_of_a_meaning_keeps_its_name() {
    let text = written(WriteOptions::new(), "[White \"a\"]\n[Wit \"b\"]\n\n1. 32-28 *").expect("written");
    assert!(text.contains("[White \"a\"]\n[Wit \"b\"]\n"), "{text}");
}

#[test]
fn present_ply_count_is_replaced() {
    let mut added = AddedTags::default();
    added.ply_count = true;
    for record in ["[PlyCount \"9\"]\n\n1. 32-28 19-23 *", "[White \"a\"]\n\n1. 32-28 19-23 *"] {
        let text = written(WriteOptions::new().added(added), record).expect("written");
        assert_eq!(text.matches("[PlyCount ").count(), 1, "{text}");
        assert!(text.contains("[PlyCount \"2\"]"), "{text}");
    }
}

#[test]
fn results_with_different_advantages_disagree() {
    let record = |tag: &str, end: &str| format!("[Result \"{tag}\"]\n\n1. 32-28 {end}");
    let differ = |tag, end| written(WriteOptions::new(), &record(tag, end)) == Err(Unwritten::ResultsDiffer);
    assert!(differ("1-1", "1+-1-") && differ("1+-1-", "1- - 1+"));
    assert!(!differ("1-1", "1/2-1/2") && !differ("1+-1-", "1+-1-") && !differ("1+-1-", "*"));
}

#[test]
fn every_clock_command_is_stripped() {
    let options = WriteOptions::new().strip(Strip::CLOCKS);
    for command in ["clk 0:01:00", "clock w0:01:00 B0:02:00", "emt 0:00:05", "egt 0:10:00", "mct 0:10:00"] {
        let record = format!("1. 32-28 {{a [%{command}] b}} 19-23 {{[%{command}]}} *");
        let text = written(options, &record).expect("written");
        assert!(text.contains("1. 32-28 {a  b} 1... 19-23 *"), "{command}: {text}");
    }
    let text = written(options, "1. 32-28 {[%eval 0.3]} *").expect("written");
    assert!(text.contains("{[%eval 0.3]}"), "{text}");
}

#[test]
fn mark_for_a_missing_move_is_written_before_the_first_move_only() {
    let first = written(WriteOptions::new(), "[FEN \"B:W31-50:B1-20\"]\n\n1. ... 19-23 2. 32-28 *");
    assert!(first.is_ok_and(|text| text.contains("19-23")));
    for moves in [
        "1. 32-28 ... 19-23 2. 28x19 *",
        "1. 32-28 19-23 ... *",
        "1. 32-28 - - 19-23 *",
        "1. 32-28 19-23 - *",
    ] {
        assert_eq!(written(WriteOptions::new(), moves), Err(Unwritten::Defect(Code::MissingMove)), "{moves}");
    }
}
