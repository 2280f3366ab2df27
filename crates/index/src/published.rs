//! What a copy of an index needs that others read: its files, and a manifest without the places of archives.

use std::path::PathBuf;

use super::extract::Extract;
use super::folder::REJECTS;
use super::format::section::Checksum;
use super::manifest::FILE_NAME;
use super::open::Index;
use super::openings::OpeningTable;
use super::segment::reader::Segment;
use pdn::error::Result;

impl Index {
    /// Returns the names and the contents of the manifest of a copy for others, and of its list of rejected records: it names no folders of
    /// archives, and the list is empty. The records of the copy are those that are embedded.
    #[doc(hidden)]
    pub fn published_lists(&self) -> [(&'static str, Vec<u8>); 2] {
        let mut manifest = self.manifest().clone();
        for input in &mut manifest.inputs {
            if let Some(name) = input.name.file_name() {
                input.name = name.into();
            }
            (input.path, input.fingerprint) = (None, None);
        }
        manifest.rejects = (0, Checksum::default().digest());
        [(FILE_NAME, manifest.to_bytes()), (REJECTS, Vec::new())]
    }

    /// Returns the paths of the files that answers are read from: segments, key tables, books and openings. Those that cannot be used are
    /// left out, and [`unusable_tables`](Self::unusable_tables) names those that are damaged.
    ///
    /// # Errors
    /// If the index itself is damaged.
    #[doc(hidden)]
    pub fn published_files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for (number, segment) in self.segments().iter().enumerate() {
            files.push(segment.path().to_owned());
            files.extend(self.readable_keys(number)?.map(|keys| keys.path().to_owned()));
            files.extend(self.or_without_table(self.book(number))?.map(|book| book.path().to_owned()));
            files.extend(self.openings(number)?.map(OpeningTable::path).map(ToOwned::to_owned));
        }
        Ok(files)
    }
}

impl Segment {
    /// Returns the name and the contents of the extract that the copy has in addition: what is read of it in place of whole columns. Takes
    /// some tenths of a second for a million games.
    ///
    /// # Errors
    /// If a section is damaged.
    #[doc(hidden)]
    pub fn published_extract(&self) -> Result<(String, Vec<u8>)> {
        let path = Extract::path_of(self);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, self.extract()?))
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests {
    use super::*;
    use crate::internal::{KeyTables, VerifyOptions, verify};
    use crate::{ImportOptions, import};

    #[test]
    fn copy_answers_without_the_archive_and_names_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (archive, dir) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
        std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 {why} 1-1\n\n1. 1-50 *\n").unwrap();
        let mut options = ImportOptions::new();
        options.segments.embed = true;
        (options.key_tables, options.book_games) = (KeyTables::All, Some(1));
        import([&archive], &dir, &options).unwrap();
        let index = Index::open(&dir).unwrap();
        let copy = folder.path().join("copy");
        std::fs::create_dir(&copy).unwrap();
        let hidden = folder.path().to_string_lossy().into_owned();
        for (name, bytes) in index.published_lists() {
            assert!(!String::from_utf8_lossy(&bytes).contains(&hidden), "{name}");
            std::fs::write(copy.join(name), bytes).unwrap();
        }
        let files = index.published_files().unwrap();
        let ends: Vec<_> = files.iter().filter_map(|file| file.extension()?.to_str()).collect();
        assert_eq!(ends, ["pdns", "keys", "book", "openings"]);
        for file in &files {
            std::fs::copy(file, copy.join(file.file_name().unwrap())).unwrap();
        }
        std::fs::remove_file(&archive).unwrap();
        let copied = Index::open(&copy).unwrap();
        assert_eq!(copied.digest(), index.digest());
        let text = copied.game(0).unwrap().text().unwrap();
        assert!(text.windows(5).any(|part| part == b"{why}"));
        assert_eq!(copied.published_files().unwrap().len(), files.len());
        let report = verify(&copy, &VerifyOptions::default()).unwrap();
        assert!(report.is_sound(), "{report:?}");
    }
}
