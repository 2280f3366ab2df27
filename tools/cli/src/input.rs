//! From paths to games: one file after the other, one game after the other.
//!
//! What cannot be read is reported on standard error and the rest is done.

use std::io;
use std::path::{Path, PathBuf};

use pdn::source::encoding::SAMPLE;
use pdn::source::{self, Decoder, Offsets, OpenOptions};
use pdn::split::{self, GameSlice};

use crate::args::InputArgs;
use crate::clean;
use crate::output::Output;

/// One input as the games in it see it.
#[derive(Debug)]
pub(crate) struct File {
    /// What it is called: a path, `-`, or `archive.zip/entry.pdn`.
    pub(crate) name: PathBuf,
    /// Turns its bytes into text.
    pub(crate) decoder: Decoder,
    /// The way back to offsets in the file where the text was transcoded.
    offsets: Option<Offsets>,
}

impl File {
    /// The offset in the file of an offset in the text.
    pub(crate) fn offset(&self, offset: u64) -> u64 {
        self.offsets.as_ref().map_or(offset, |offsets| offsets.original_offset(offset))
    }
}

/// Hears of the games in all inputs, in order. Errors are those of writing results; they end the reading.
pub(crate) trait Reader {
    /// A file begins.
    fn open(&mut self, file: &File, out: &mut Output) -> io::Result<()>;
    /// A game of it.
    fn game(&mut self, file: &File, game: &GameSlice<'_>, out: &mut Output) -> io::Result<()>;
    /// The file is over; so many bytes were read.
    fn close(&mut self, file: &File, bytes: u64, out: &mut Output) -> io::Result<()>;
}

/// Reads everything that `args` names. Answers whether all of it could be read.
pub(crate) fn read(args: &InputArgs, reader: &mut impl Reader, out: &mut Output) -> io::Result<bool> {
    let mut complete = true;
    let mut paths = Vec::new();
    for path in source::walk(args.paths.iter().cloned()) {
        match path {
            Ok(path) => paths.push(path),
            Err(error) => {
                complete = false;
                out.complain(&clean::clean(&error.to_string()));
            }
        }
    }
    for folder in args.paths.iter().filter(|path| path.is_dir()) {
        if !paths.iter().any(|path| path.starts_with(folder)) {
            complete = false;
            out.complain(&format!("{}: no PDN file in this folder", clean::path(folder)));
        }
    }
    let sizes: Vec<u64> = paths.iter().map(|path| path.metadata().map_or(0, |found| found.len())).collect();
    out.progress(sizes.iter().sum());
    let mut done = 0;
    for (path, size) in paths.iter().zip(sizes) {
        complete &= read_path(path, args, done, reader, out)?;
        done += size;
    }
    out.progress_done();
    Ok(complete)
}

/// Reads one path: a file, or every entry of a zip.
fn read_path(
    path: &Path,
    args: &InputArgs,
    done: u64,
    reader: &mut impl Reader,
    out: &mut Output,
) -> io::Result<bool> {
    let options = OpenOptions::new().map(args.mmap.into()).encoding(args.encoding);
    let inputs = match source::open(path, &options) {
        Ok(inputs) => inputs,
        Err(error) => {
            out.complain(&clean::clean(&error.to_string()));
            return Ok(false);
        }
    };
    let mut complete = true;
    for input in inputs {
        let read = input.map(|input| {
            let offsets = input.source.offsets();
            let (bytes, error) = input.source.into_bytes();
            (input.name, offsets, bytes, error)
        });
        let (name, offsets, bytes, error) = match read {
            Ok(read) => read,
            Err(error) => {
                complete = false;
                out.complain(&clean::clean(&error.to_string()));
                continue;
            }
        };
        if let Some(problem) = no_text(&bytes) {
            complete = false;
            out.complain(&format!("{}: {problem}", clean::path(&name)));
            continue;
        }
        let head = &bytes[..bytes.len().min(SAMPLE)];
        let file = File { name, decoder: Decoder::new(args.encoding, head), offsets };
        reader.open(&file, out)?;
        if bytes.is_empty() && error.is_none() {
            out.complain(&format!("{}: is empty", clean::path(&file.name)));
        }
        for (number, game) in split::games(&bytes).enumerate() {
            reader.game(&file, &game, out)?;
            if number % 256 == 0 {
                out.at(done + game.offset);
            }
        }
        reader.close(&file, bytes.len() as u64, out)?;
        if let Some(error) = error {
            complete = false;
            out.complain(&clean::clean(&error.to_string()));
        }
    }
    Ok(complete)
}

/// How much of a file tells whether it is text.
const LOOK: usize = 4096;

/// What to say of bytes that are no text: a tenth of their beginning or more are control characters that no text has.
fn no_text(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(LOOK)];
    let control = head.iter().filter(|b| matches!(b, 0..=8 | 0x0E..=0x19 | 0x1B..=0x1F)).count();
    if control == 0 || control * 10 < head.len() {
        return None;
    }
    Some(format!("is binary, not text: {control} of its first {} bytes are control characters", head.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_are_told_from_text() {
        assert!(no_text(b"[White \"a\"]\r\n1. 32-28 *\r\n\x1a\0\0").is_none());
        assert!(no_text(b"").is_none());
        assert!(no_text(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0").is_some());
        assert!(no_text("Белые начинают".as_bytes()).is_none());
    }
}
