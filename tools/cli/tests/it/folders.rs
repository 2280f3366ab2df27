//! Inputs that are hardly PDN.

use std::fs;

use crate::common::{Run, run, text};

#[test]
fn random_bytes_are_called_hardly_pdn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.pdn");
    // Without control characters, so that the file is text.
    let mut random = 1u32;
    let bytes: Vec<u8> = (0..5000)
        .map(|_| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b' ' + (random >> 24) as u8 % 224
        })
        .collect();
    fs::write(&path, bytes).unwrap();
    for args in [&["stats"][..], &["check", "--format", "json"]] {
        let Run { err, .. } = run(&[args, &[text(&path)]].concat());
        assert!(err.contains("random.pdn is hardly PDN: "), "{args:?}: {err}");
    }
    let Run { err, .. } = run(&["stats", "clean.pdn"]);
    assert!(!err.contains("hardly"), "{err}");
}
