//! Parts of files that are found chunk by chunk: of files in other storage, and of files that no machine reads as a whole.

use std::io::{self, Read};
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::Path;

use pdn::Archive;
use pdn::internal::archive::{ChunkChain, ChunkScan, RecordRange};
use pdn::internal::replay::ArchiveHead;
use pdn::internal::source::Container;
use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;

use crate::remote;

/// The greatest length of a chunk in bytes.
const CHUNK_BYTES: u64 = 64 << 20;
/// The bytes that are read after a chunk at first.
const AFTER_CHUNK: usize = 256 << 10;

/// Returns the number of chunks in which the `n` parts of a file of `len` bytes are found: a multiple of `n`.
pub(crate) fn chunk_count(len: u64, n: NonZeroU64) -> u64 {
    n.get() * len.div_ceil(n.get()).div_ceil(CHUNK_BYTES).max(1)
}

/// Divides a file into at most `n` parts. Reads it once, by chunks.
pub(crate) fn find_parts(
    file: &Path,
    len: u64,
    n: NonZeroU64,
    options: &OpenOptions,
) -> pdn::Result<(Vec<RecordRange>, ArchiveHead)> {
    let Some(head) = head(file, len, options)? else {
        return Ok((vec![RecordRange::new(0, None, 0, 1, len)], ArchiveHead::default()));
    };
    if n == NonZeroU64::MIN {
        return Ok((vec![RecordRange::new(0, Some(len), 0, 1, len)], head));
    }
    let mut chain = ChunkChain::new(len);
    for chunk in ChunkChain::chunks(len, chunk_count(len, n)) {
        let found = scan(file, chunk.clone(), len, None)?;
        if let Some(start) = chain.push(&found) {
            let found = scan(file, chunk, len, Some(start))?;
            // A true start is always taken.
            let _ = chain.push(&found);
        }
    }
    Ok((chain.finish(n.get()), head))
}

/// Returns the head of a file; `None` if the file cannot be divided.
pub(crate) fn head(file: &Path, len: u64, options: &OpenOptions) -> pdn::Result<Option<ArchiveHead>> {
    let open = || remote::open_at(file, 0, len).map_err(|error| pdn::Error::from(error).at(file));
    let first = pdn::internal::source::from_reader(open()?, file, options)?.next().transpose()?;
    let Some(input) = first.filter(|input| input.kind == Container::Plain && input.source.form().is_none())
    else {
        return Ok(None);
    };
    let (bytes, failed) = {
        let pdn::internal::source::InputBytes::Stream(mut stream) = input.source else { return Ok(None) };
        let mut bytes = Vec::new();
        let failed = stream.fill(&mut bytes, pdn::internal::source::SMALL).err();
        (bytes, failed)
    };
    if let Some(error) = failed {
        return Err(error);
    }
    pdn::internal::source::require_text(&bytes).map_err(|error| error.at(file))?;
    if len == 0 {
        return Ok(None);
    }
    ArchiveHead::of(Archive::from_reader(open()?, file, options)?, &ReplayOptions::new()).map(Some)
}

/// Scans a chunk of a file of `len` bytes. `record` is the offset of a record in it, if one is known.
pub(crate) fn scan(file: &Path, chunk: Range<u64>, len: u64, record: Option<u64>) -> pdn::Result<ChunkScan> {
    let failed = |error: io::Error| pdn::Error::from(error).at(file);
    let mut reader = remote::open_at(file, chunk.start, len).map_err(failed)?;
    let (mut window, mut wanted) = (Vec::new(), (chunk.end - chunk.start) as usize + AFTER_CHUNK);
    loop {
        let missing = (wanted - window.len()) as u64;
        (&mut reader).take(missing).read_to_end(&mut window).map_err(failed)?;
        let complete = chunk.start + window.len() as u64 >= len;
        if window.len() < wanted && !complete {
            let message = "the file ends early: another program shortened it while it was read";
            return Err(failed(io::Error::new(io::ErrorKind::UnexpectedEof, message)));
        }
        let found = match record {
            None => ChunkScan::new(&window, chunk.clone(), complete),
            Some(start) => ChunkScan::from_record(&window, chunk.clone(), start, complete),
        };
        if let Some(found) = found {
            return Ok(found);
        }
        wanted = 2 * window.len();
    }
}
