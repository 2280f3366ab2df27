//! Writes the openings of a segment.

use std::io;

use super::table::{FORMAT, OpeningFooter};
use crate::format::checksum::xxh3;
use crate::format::column::write_column;
use crate::format::wire::Writer;
use crate::segment::derived_file::DirectoryPlace;
use pdn::internal::storage::Output;

/// An opening as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenOpening {
    /// The key of the position after its moves.
    pub(crate) key: u64,
    /// The number of the next opening that does not begin with this one.
    pub(crate) end: u32,
}

/// Writes openings and syncs the file. Returns its length in bytes. `numbers` has the opening of each game, and `footer` has
/// everything that these do not tell.
///
/// # Errors
/// Fails if the disk does not accept them.
pub(crate) fn write(
    openings: &[WrittenOpening],
    numbers: &[u32],
    footer: OpeningFooter,
    out: &mut dyn Output,
) -> io::Result<u64> {
    let mut file = Writer(FORMAT.header().to_vec());
    let mut directory = Writer::default();
    let mut end_piece = |file: &Writer, start: usize, key: u64| {
        directory.u64(key);
        directory.u64(file.0.len() as u64);
        directory.u64(xxh3(&file.0[start..]));
        file.0.len()
    };
    let start = file.0.len();
    openings.iter().for_each(|opening| file.u64(opening.key));
    openings.iter().for_each(|opening| file.u32(opening.end));
    let start = end_piece(&file, start, 0);
    file.0.extend(write_column(numbers, false));
    let end = end_piece(&file, start, 1);
    let (checksum, entries) = (xxh3(&directory.0), openings.len() as u64);
    let place = DirectoryPlace { directory: end as u64, checksum, entries, ..footer.place };
    file.0.extend(directory.0);
    file.0.extend(OpeningFooter { place, ..footer }.to_bytes());
    out.write_all(&file.0)?;
    out.sync()?;
    Ok(file.0.len() as u64)
}
