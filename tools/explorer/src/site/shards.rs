//! The files of a site with answers: each answer has a key, and each file the answers of some keys.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use pdn::internal::pool;

/// Greatest number of bytes of the text of a file, unless it has one answer alone. Compressed, it is a tenth of that, so that a view loads about 30 kB.
const MAX_BYTES: u64 = 295_000;

/// Returns the FNV-1a hash of a text, as `hash` in `shards.js` does.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Answers of one kind. They lie in a temporary file until all of them are known.
pub(super) struct Store {
    /// Folder of its files, such as `tree/international`.
    pub(super) name: String,
    spool: BufWriter<File>,
    path: PathBuf,
    answers: Vec<StoredAnswer>,
    bytes: u64,
    checksum: u64,
}

/// Where an answer lies in the temporary file.
struct StoredAnswer {
    key: String,
    start: u64,
    bytes: u64,
}

/// The files that were written.
#[derive(Clone, Copy, Default, Debug)]
pub struct WrittenFiles {
    /// Their number.
    pub files: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// The length of the longest file.
    pub largest: u64,
}

impl WrittenFiles {
    pub(super) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.largest = self.largest.max(other.largest);
    }
}

impl Store {
    /// Creates an empty store whose temporary file lies in `folder`.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub(super) fn create(folder: &Path, name: &str) -> io::Result<Self> {
        let path = folder.join(format!(".{}.tmp", name.replace('/', "-")));
        let spool = BufWriter::new(File::create(&path)?);
        Ok(Self { name: name.to_owned(), spool, path, answers: Vec::new(), bytes: 0, checksum: 0 })
    }

    /// Appends an answer in JSON.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub(super) fn push(&mut self, key: String, json: &str) -> io::Result<()> {
        self.spool.write_all(json.as_bytes())?;
        let bytes = json.len() as u64;
        self.checksum = self.checksum.rotate_left(5) ^ hash(&key) ^ hash(json);
        self.answers.push(StoredAnswer { key, start: self.bytes, bytes });
        self.bytes += bytes;
        Ok(())
    }

    /// Returns the number of answers.
    pub(super) fn len(&self) -> usize {
        self.answers.len()
    }

    /// Returns a number that depends on all answers.
    pub(super) fn checksum(&self) -> u64 {
        self.checksum ^ hash(&self.name)
    }

    /// Writes the files to `folder/NAME` and returns where the hashes of their keys begin, in hexadecimal digits, with what
    /// was written. The temporary file is removed.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub(super) fn finish(
        self,
        folder: &Path,
        site: &str,
        threads: NonZeroUsize,
    ) -> io::Result<(String, WrittenFiles)> {
        let Self { name, spool, path, mut answers, .. } = self;
        drop(spool.into_inner().map_err(io::IntoInnerError::into_error)?);
        answers.sort_unstable_by(|a, b| place(&a.key).cmp(&place(&b.key)).then_with(|| a.key.cmp(&b.key)));
        let files = in_files(&answers);
        let starts = starts(&files);
        let folder = folder.join(&name);
        std::fs::create_dir_all(&folder)?;
        let (mut written, mut failed) = (WrittenFiles::default(), Ok(()));
        pool::ordered(
            files.into_iter().enumerate(),
            threads,
            || File::open(&path).map(BufReader::new),
            |spool, (number, answers)| {
                let spool =
                    spool.as_mut().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
                write_answers(&folder, &number.to_string(), &file_text(site, answers, spool)?)
            },
            |bytes: io::Result<u64>| match bytes {
                Ok(bytes) => {
                    written.add(bytes);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Err(error);
                    ControlFlow::Break(())
                }
            },
        );
        failed?;
        std::fs::remove_file(&path)?;
        Ok((starts, written))
    }
}

/// Returns the part of the hash of a key by which the answers are ordered.
fn place(key: &str) -> u32 {
    (hash(key) >> 40) as u32
}

/// Divides ordered answers into files. Answers of the same place are in the same file.
fn in_files(answers: &[StoredAnswer]) -> Vec<&[StoredAnswer]> {
    let (mut files, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (end, answer) in answers.iter().enumerate() {
        let size = answer.bytes + answer.key.len() as u64 + 4;
        if bytes + size > MAX_BYTES && end > start && place(&answers[end - 1].key) != place(&answer.key) {
            files.push(&answers[start..end]);
            (start, bytes) = (end, 0);
        }
        bytes += size;
    }
    files.push(&answers[start..]);
    files
}

/// Returns the places at which the files begin, six digits each; the first has all places before it, too.
fn starts(files: &[&[StoredAnswer]]) -> String {
    let first = |(number, file): (usize, &&[StoredAnswer])| match file.first() {
        Some(answer) if number > 0 => format!("{:06x}", place(&answer.key)),
        _ => "000000".to_owned(),
    };
    files.iter().enumerate().map(first).collect()
}

/// Returns the text of a file.
fn file_text(site: &str, answers: &[StoredAnswer], spool: &mut BufReader<File>) -> io::Result<String> {
    let mut text = format!("{{\"site\":\"{site}\",\"answers\":{{");
    for (number, answer) in answers.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        text += &serde_json::Value::from(answer.key.as_str()).to_string();
        text.push(':');
        spool.seek(SeekFrom::Start(answer.start))?;
        spool.by_ref().take(answer.bytes).read_to_string(&mut text)?;
    }
    text += "}}\n";
    Ok(text)
}

/// Writes a file of answers: JSON, compressed by gzip, because few hosts compress what they send. Returns its length.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write_answers(folder: &Path, name: &str, text: &str) -> io::Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    write_file(&folder.join(format!("{name}.json.gz")), &encoder.finish()?)
}

/// Writes a file, waits until it is on disk, and returns its length.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<u64> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    Ok(bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_that_of_the_published_test_vectors() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn files_are_short_and_few() {
        let mut answers: Vec<StoredAnswer> = (0..2_000)
            .map(|n| StoredAnswer {
                key: format!("key {n}"),
                start: 0,
                bytes: if n == 7 { 400_000 } else { 5_000 },
            })
            .collect();
        answers.sort_unstable_by_key(|answer| place(&answer.key));
        let files = in_files(&answers);
        // A long answer is alone in its file.
        let bytes = |file: &[StoredAnswer]| file.iter().map(|answer| answer.bytes).sum::<u64>();
        assert!(files.iter().all(|file| bytes(file) <= MAX_BYTES || file.len() == 1));
        assert!(files.len() < 2_000 / 16, "{}", files.len());
        assert_eq!(files.iter().map(|file| file.len()).sum::<usize>(), 2_000);
        let starts = starts(&files);
        assert_eq!((starts.len(), &starts[..6]), (6 * files.len(), "000000"));
        assert_eq!(super::starts(&in_files(&[])), "000000");
    }

    #[test]
    fn answers_are_found_in_the_file_of_their_key() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path(), "games").unwrap();
        for n in 0..300 {
            store.push(format!("{n}"), &format!("\"{}\"", "é".repeat(n))).unwrap();
        }
        let (starts, written) = store.finish(folder.path(), "id", NonZeroUsize::MIN).unwrap();
        assert_eq!(starts.len() as u64, 6 * written.files);
        for n in 0..300 {
            let own = format!("{:06x}", place(&n.to_string()));
            let before = starts.as_bytes().chunks(6).filter(|start| *start <= own.as_bytes()).count();
            let file = folder.path().join(format!("games/{}.json.gz", before - 1));
            let text = flate2::read::GzDecoder::new(File::open(file).unwrap());
            let file: serde_json::Value = serde_json::from_reader(text).unwrap();
            assert_eq!(file["site"], "id");
            assert_eq!(file["answers"][n.to_string()], "é".repeat(n));
        }
        let names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["games"], "the temporary file is removed");
    }
}
