//! `pdn index --append` of an archive that is damaged.

use std::fs;
use std::path::Path;

use crate::common::{run, text};

fn count(dir: &Path) -> String {
    run(&["find", text(dir), "--count"]).out.trim().to_owned()
}

/// What could not be read once is missing in the index until the file is whole.
#[test]
fn damage_of_an_unchanged_file_is_told_again() {
    use std::io::Write;
    let place = tempfile::tempdir().unwrap();
    let (archive, dir) = (place.path().join("b.pdn.gz"), place.path().join("index"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for number in 0..20_000 {
        write!(packed, "[White \"Player {number}\"]\n[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n").unwrap();
    }
    let packed = packed.finish().unwrap();
    fs::write(&archive, &packed[..packed.len() / 2]).unwrap();
    let index = |options: &[&str]| run(&[&["index", text(&archive), "-o", text(&dir)], options].concat());
    let first = index(&[]);
    assert_eq!(first.code, 2, "{}", first.err);
    for _ in 0..2 {
        let again = index(&["--append"]);
        assert_eq!(again.code, 2, "{}{}", again.out, again.err);
        assert!(again.err.contains("b.pdn.gz: a part of it could not be read"), "{}", again.err);
        let verified = run(&["verify", text(&dir), "--full"]);
        assert_eq!(verified.code, 1, "{}", verified.out);
        assert!(verified.out.contains("a part of it could not be read"), "{}", verified.out);
    }
    fs::write(&archive, &packed).unwrap();
    let whole = index(&["--append"]);
    assert_eq!((whole.code, &*count(&dir)), (0, "20000"), "{}", whole.err);
    assert_eq!(run(&["verify", text(&dir), "--full"]).code, 0);
    assert_eq!(index(&["--append"]).code, 0);
}
