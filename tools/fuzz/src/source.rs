//! Properties of containers and encodings.

use std::io::{Cursor, Read};

use pdn::archive::Archive;
use pdn::source::OpenOptions;

/// Any bytes give the same games and errors, in one piece or byte by byte.
pub fn source(data: &[u8]) {
    let whole = games(data, usize::MAX, 1 << 20);
    for (chunk, batch) in [(1, 1), (7, 100), (4096, 1 << 20)] {
        let other = games(data, chunk, batch);
        assert!(other == whole, "in chunks of {chunk}: {} and {} games", other.len(), whole.len());
    }
}

/// Returns at most a given number of bytes per read.
struct Drip(Cursor<Vec<u8>>, usize);

impl Read for Drip {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(self.1);
        self.0.read(&mut out[..len])
    }
}

/// A game: its number, its bytes and its text.
type Game = (u64, Vec<u8>, String);

/// Reads the games of an input, and the errors between them.
fn games(data: &[u8], chunk: usize, batch: usize) -> Vec<Result<Game, String>> {
    let mut options = OpenOptions::new().binary(true);
    // Limits on time and memory of one input.
    (options.limits.unpacked_bytes, options.limits.zip_spool) = (1 << 20, 1 << 16);
    options.limits.zstd_window_log = 20;
    let reader = Drip(Cursor::new(data.to_vec()), chunk);
    let archive = match Archive::from_reader(reader, "fuzz", &options) {
        Ok(archive) => archive,
        Err(error) => return vec![Err(error.to_string())],
    };
    let read = archive.batch_bytes(batch).games().map(|game| match game {
        Ok(game) => Ok((game.number(), game.raw().to_vec(), game.decode(game.raw()).into_owned())),
        Err(error) => Err(error.to_string()),
    });
    // A small container may contain very many games; the first ones suffice.
    read.take(500).collect()
}
