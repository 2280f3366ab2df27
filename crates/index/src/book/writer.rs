//! Writes a book.

use std::io;

use super::entry::BookEntry;
use super::table::{BookFooter, FORMAT};
use crate::format::checksum::xxh3;
use crate::format::wire::Writer;
use crate::segment::derived_file::DirectoryPlace;
use pdn::internal::storage::Output;

/// Number of bytes after which a block ends.
const BLOCK_BYTES: usize = 16 << 10;

/// Writes a book and syncs the file. Returns its length in bytes. `first_game` is the number of the first game of the
/// segment in the index, and `footer` has everything that the entries do not tell.
///
/// # Errors
/// Fails if the disk does not accept it.
pub(crate) fn write(
    mut entries: Vec<BookEntry>,
    first_game: u64,
    footer: BookFooter,
    out: &mut dyn Output,
) -> io::Result<u64> {
    entries.sort_unstable_by_key(BookEntry::order);
    let mut file = Writer(FORMAT.header().to_vec());
    let mut directory = Writer::default();
    let (mut start, mut first_key) = (file.0.len(), None);
    let count = entries.len();
    for (number, entry) in entries.iter_mut().enumerate() {
        first_key.get_or_insert(entry.key);
        entry.write(first_game, &mut file);
        if file.0.len() - start >= BLOCK_BYTES || number + 1 == count {
            directory.u64(first_key.take().unwrap_or(0));
            directory.u64(file.0.len() as u64);
            directory.u64(xxh3(&file.0[start..]));
            start = file.0.len();
        }
    }
    let (end, checksum) = (file.0.len() as u64, xxh3(&directory.0));
    let place = DirectoryPlace { directory: end, checksum, entries: count as u64, ..footer.place };
    file.0.extend(directory.0);
    file.0.extend(BookFooter { place, ..footer }.to_bytes());
    out.write_all(&file.0)?;
    out.sync()?;
    Ok(file.0.len() as u64)
}
