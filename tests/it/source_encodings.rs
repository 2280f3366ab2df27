//! Recognises the encodings of real files, record by record.

#![expect(clippy::print_stderr, reason = "a skipped test prints why")]

use std::fs;

use pdn::source::{Decoder, Encoding};

/// Reads a file of the shared corpora; `None` if it is missing.
fn shared(name: &str) -> Option<Vec<u8>> {
    let path = crate::common::root().join("../shared/corpora").join(name);
    let bytes = fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!("skipped: {} is missing", path.display());
    }
    bytes
}

#[test]
fn real_cyrillic_files_are_recognised() {
    let Some(old) = shared("wiegerw+pdn/legacy-encodings/ussr1947.pdn") else { return };
    let Some(new) = shared("wiegerw+pdn/ussr1947.pdn") else { return };
    let decoder = Decoder::new(None, &old);
    assert_eq!(decoder.prior(), Some(Encoding::CP866));
    assert_eq!(Decoder::new(None, &new).prior(), Some(Encoding::UTF_8));
    let after_empty_line = memchr::memmem::find_iter(&old, b"\r\n\r\n[").map(|at| at + 4);
    let starts: Vec<usize> = std::iter::once(0).chain(after_empty_line).chain([old.len()]).collect();
    let recoded: Vec<(Encoding, Vec<u8>)> = [
        (Encoding::WINDOWS_1251, encoding_rs::WINDOWS_1251),
        (Encoding::KOI8_R, encoding_rs::KOI8_R),
        (Encoding::CP866, encoding_rs::IBM866),
    ]
    .map(|(encoding, coder)| (encoding, coder.encode(&Encoding::CP866.decode(&old)).0.into_owned()))
    .to_vec();
    for game in starts.windows(2).map(|ends| ends[0]..ends[1]) {
        for (encoding, bytes) in &recoded {
            // A record alone is sufficient for a certain guess, and so is its first line.
            let game = &bytes[game.clone()];
            let guess = pdn::source::detect_encoding(game);
            assert!(guess.encoding == *encoding && guess.certain, "{guess:?}: {}", encoding.decode(game));
            let line = &game[..memchr::memchr(b'\n', game).unwrap()];
            assert_eq!(pdn::source::detect_encoding(line).encoding, *encoding, "{}", encoding.decode(line));
        }
    }
}
