//! Where the frames of a file begin that zstd has packed.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use super::container::Container;

/// A place in a packed file from which it can be unpacked: the start of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrameStart {
    /// The offset in the file.
    pub(crate) at: u64,
    /// The offset in the unpacked text.
    pub(crate) offset: u64,
}

/// The frames that a decoder has found so far, without the first one. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct FrameLog {
    starts: Arc<Mutex<Vec<FrameStart>>>,
    /// A frame this close to the one before it, in bytes of the file, is left out.
    min_distance: u64,
}

impl FrameLog {
    /// The greatest number of frames that are kept of a file.
    const MAX_FRAMES: u64 = 1 << 16;

    /// Creates the log of a file of `len` bytes.
    pub(super) fn new(len: u64) -> Self {
        Self { starts: Arc::default(), min_distance: len.div_ceil(Self::MAX_FRAMES) }
    }

    /// Adds a frame.
    pub(super) fn push(&self, start: FrameStart) {
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        let last = starts.last().map_or(0, |last| last.at);
        if start.at >= last.saturating_add(self.min_distance) {
            starts.push(start);
        }
    }

    /// Returns frame `n`, from 0, if it is known already.
    pub(crate) fn get(&self, n: usize) -> Option<FrameStart> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner).get(n).copied()
    }
}

/// Returns `true` if a file packed by zstd has more than one frame with text. Unpacks nothing: it goes from one header of a
/// block to the next, in the format of RFC 8878.
///
/// # Errors
///
/// If the file ends in a frame, or cannot be read.
pub(super) fn has_several(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    // A short buffer: little is read between two jumps.
    let mut reader = BufReader::with_capacity(64, file);
    let mut frames = 0;
    while !reader.fill_buf()?.is_empty() {
        let magic = bytes::<4, _>(&mut reader)?;
        if !Container::Zstd.starts(&magic) {
            return Ok(false);
        }
        if magic[0] & 0xF0 == 0x50 {
            let len = u32::from_le_bytes(bytes(&mut reader)?);
            reader.seek_relative(i64::from(len))?;
            continue;
        }
        frames += 1;
        if frames > 1 {
            return Ok(true);
        }
        skip_frame(&mut reader)?;
    }
    Ok(false)
}

/// Reads exactly `N` bytes.
fn bytes<const N: usize, R: Read>(reader: &mut R) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Skips a frame, whose magic number has been read.
fn skip_frame(reader: &mut BufReader<impl Read + Seek>) -> io::Result<()> {
    let [descriptor] = bytes(reader)?;
    let is_single_segment = descriptor & 0x20 != 0;
    let window = i64::from(!is_single_segment);
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => i64::from(is_single_segment),
        flag => 1 << flag,
    };
    reader.seek_relative(window + dictionary + content_size)?;
    loop {
        let [low, middle, high] = bytes(reader)?;
        let header = u32::from_le_bytes([low, middle, high, 0]);
        // A block of one repeated byte has only that; its header has the length of the text.
        let is_repeated = header >> 1 & 3 == 1;
        reader.seek_relative(if is_repeated { 1 } else { i64::from(header >> 3) })?;
        if header & 1 != 0 {
            break;
        }
    }
    let has_checksum = descriptor & 4 != 0;
    reader.seek_relative(if has_checksum { 4 } else { 0 })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn packed(text: &[u8], has_checksum: bool, has_size: bool) -> Vec<u8> {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(has_checksum).unwrap();
        encoder.include_contentsize(has_size).unwrap();
        encoder.set_pledged_src_size(has_size.then_some(text.len() as u64)).unwrap();
        io::Write::write_all(&mut encoder, text).unwrap();
        encoder.finish().unwrap()
    }

    fn texts() -> [Vec<u8>; 5] {
        let mut random = fastrand::Rng::with_seed(7);
        let noise = std::iter::repeat_with(|| random.u8(..)).take(300_000).collect();
        [vec![], b"1. 32-28 *\n".to_vec(), vec![b' '; 400_000], noise, b"1. 32-28 19-23 *\n".repeat(20_000)]
    }

    #[test]
    fn frames_are_counted_whatever_is_in_them() {
        let several = |bytes: &[u8]| has_several(&mut Cursor::new(bytes)).unwrap();
        let skippable = [&b"\x53\x2A\x4D\x18\x05\0\0\0"[..], b"12345"].concat();
        for text in texts() {
            for (has_checksum, has_size) in [(false, false), (true, false), (false, true), (true, true)] {
                let one = packed(&text, has_checksum, has_size);
                assert!(!several(&one), "{} bytes", text.len());
                assert!(!several(&[&skippable[..], &one, &skippable].concat()));
                assert!(several(&[&one[..], &packed(b"*", true, false)].concat()), "{} bytes", text.len());
                assert!(several(&[&skippable[..], &one, &skippable, &one].concat()));
                assert!(!several(&[&one[..], b"other bytes"].concat()));
            }
        }
        assert!(!several(b""));
        let cut = packed(b"1. 32-28 *", true, false);
        assert!(has_several(&mut Cursor::new(&cut[..5])).is_err());
    }

    #[test]
    fn log_keeps_a_limited_number_of_frames() {
        let len = 100 * FrameLog::MAX_FRAMES;
        let log = FrameLog::new(len);
        for at in (1..=len).step_by(10) {
            log.push(FrameStart { at, offset: 3 * at });
        }
        assert!(log.get(FrameLog::MAX_FRAMES as usize).is_none());
        assert!(log.get(FrameLog::MAX_FRAMES as usize - 10).is_some());
        assert_eq!(log.get(0), Some(FrameStart { at: 101, offset: 303 }));
    }
}
