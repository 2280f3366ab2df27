//! `pdn fmt` of every archive that there is.

use std::fs;
use std::path::Path;

use crate::common::{run, text};

/// Copies of all fixtures and real files: formatted, they have as many records, and formatting again changes nothing.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn fmt_is_idempotent_on_every_archive() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = root.join("../shared/corpora");
    if !real.exists() {
        eprintln!("SKIPPED: no {}", real.display());
    }
    let folder = tempfile::tempdir().unwrap();
    let mut copies = Vec::new();
    for source in [root.join("corpora"), real] {
        for path in pdn::source::walk([source]).filter_map(Result::ok) {
            let bytes = fs::read(&path).unwrap();
            let copy = folder.path().join(format!("{}.pdn", copies.len()));
            fs::write(&copy, &bytes).unwrap();
            copies.push((path, copy, bytes));
        }
    }
    assert!(copies.len() > 50);
    run(&["fmt", "--quiet", text(folder.path())]);
    let first: Vec<_> = copies.iter().map(|(_, copy, _)| fs::read(copy).unwrap()).collect();
    for ((path, _, old), new) in copies.iter().zip(&first) {
        let count = |text: &[u8]| pdn::split::records(text).count();
        if !old.starts_with(b"\x1F\x8B") && !old.starts_with(b"PK") {
            assert_eq!(count(old), count(new), "{}", path.display());
        }
    }
    run(&["fmt", "--quiet", text(folder.path())]);
    for ((path, copy, _), first) in copies.iter().zip(&first) {
        assert!(fs::read(copy).unwrap() == *first, "{} changes again", path.display());
    }
    assert!(fs::read_dir(folder.path()).unwrap().count() == copies.len(), "no temporary file is left");
}
