//! Repairs of text in UTF-8 that was read in another encoding.

use pdn::diag::Code;
use pdn::fix::{Applicability, Fixer, Proof, Repair, RepairKind, edits, select};

fn repairs(record: &str) -> Vec<Repair> {
    Fixer::default().find(record.as_bytes())
}

#[test]
fn text_in_utf8_that_was_misread_is_read_back() {
    let record = |name: &str, comment: &str| {
        format!("[Event \"x\"]\n[White \"{name}\"]\n[Result \"*\"]\n\n1. 32-28 {{{comment}}} 19-23 *\n")
    };
    let misread = record("WiÅ›niewski", "GÃ©rard");
    let found = repairs(&misread);
    let safe = select(&found, |repair| repair.applicability == Applicability::Safe);
    assert!(safe.is_empty(), "no safe repair changes a name: {safe:?}");
    let texts: Vec<_> = found.iter().filter(|repair| repair.code == Code::MisreadText).collect();
    assert_eq!(texts.len(), 2, "{found:?}");
    for repair in texts {
        assert_eq!((repair.kind, repair.applicability), (RepairKind::Character, Applicability::Unsafe));
        assert_eq!(repair.proof, Proof::SameBytes { encoding: "windows-1252" });
    }
    let chosen = select(&found, |_| true);
    let repaired = edits(&chosen).apply(misread.as_bytes());
    assert_eq!(String::from_utf8(repaired).unwrap(), record("Wiśniewski", "Gérard"));
    assert!(repairs(&record("Wiśniewski", "Gérard")).is_empty());
    // A part of the name is sound: the repair is shown only.
    let found = repairs(&record("WiÅ›niewski, Łukasz", "quiet"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].applicability, Applicability::Display);
    assert_eq!(found[0].candidates[0].edits[0].new, "Wiśniewski, Łukasz".as_bytes());
    // A tag that decides how the moves are read stays as it is.
    assert!(
        repairs("[Variant \"Ã©\"]\n[Result \"*\"]\n\n1. 32-28 19-23 *\n")
            .iter()
            .all(|repair| repair.code != Code::MisreadText)
    );
}
