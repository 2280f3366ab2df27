//! Compares output with snapshot files. The test crates of all members include this file by its path.

use std::path::Path;

/// Compares `actual` with the file `path`. If the environment variable `PDN_BLESS` is set, writes the file instead.
///
/// # Errors
///
/// The path and the first line that differs; a missing file counts as empty.
pub(crate) fn compare(path: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("PDN_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a snapshot is in a folder"))
            .expect("the folder is writable");
        std::fs::write(path, actual).expect("the snapshot is writable");
        return Ok(());
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let equal = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(equal).unwrap_or("the end").to_owned();
    Err(format!(
        "{}, line {}: expected {:?}, got {:?}; PDN_BLESS=1 accepts the new output",
        path.display(),
        equal + 1,
        line(&expected),
        line(actual)
    ))
}
