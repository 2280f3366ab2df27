//! Changes a file of any size while it is read, with a journal, and undoes the changes of a journal.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::{
    Fingerprinter, Fingerprints, JournalError, JournalErrorKind, JournalReader, JournalWriter, ReadError,
};
use super::text_edit::TextEdits;
use crate::error::{Error, Result};
use crate::stop::Stop;
use crate::storage::{Access, Disk, FileReplacement, FileState, Storage, TemporaryFile};

/// Number of bytes that are read or written together.
const BUFFER: usize = 1 << 18;

/// A file that is changed while it is read from its start to its end, with a journal of the changes, which [`undo_file`] takes
/// back.
///
/// Nothing but the current piece of text is in memory. The new text and the journal are written to temporary files, which
/// take their places in [`commit`](Self::commit): first the journal, `FILE.undo`, then the file. So at any moment, also after
/// a crash or on a full disk, the file has its old text or its new one, and with the new one a complete journal lies next to
/// it. A symbolic link stays a link, and permissions, owner and group stay the same. A file with several hard links is refused, because
/// the other links would keep the old text.
///
/// The pieces are bytes of the file. Those of an [archive](crate::archive) are, unless the file is packed, in UTF-16, or a text out of
/// which games are taken: [`GameRef::file_offset`](crate::archive::GameRef::file_offset) says which. Pieces that are not the file are
/// an error, and the file stays as it was.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn::ast::{Arena, TreeBuilder};
/// use pdn::edit::{EditedFile, RecordEditor, TextEdits, undo_file};
/// use pdn::value::TagName;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.pdn");
/// let old = "[White \"Clerc\"]\n1. 32-28 *\n\n[White \"Gantwarg\"]\n1. 33-29 *\n";
/// std::fs::write(&path, old)?;
/// let mut file = EditedFile::begin(&path)?;
/// let (mut builder, mut arena) = (TreeBuilder::new(), Arena::new());
/// for batch in Archive::open(&path)?.batches() {
///     let batch = batch?;
///     let mut edits = TextEdits::default();
///     for game in batch.games().filter(|game| game.text(TagName::White).as_deref() == Some("Gantwarg")) {
///         game.file_offset().ok_or("the bytes of the game are not those of the file")?;
///         let mut editor = RecordEditor::new(builder.build(game.raw(), &arena), game.encoding().encoding);
///         editor.set_tag(TagName::White, "Gantvarg")?;
///         edits.append(editor.finish()?.shifted((game.offset() - batch.offset()) as usize))?;
///     }
///     file.piece(batch.bytes(), &edits, |_| "")?;
///     arena.reset();
/// }
/// let journal = file.commit()?.expect("a change");
/// assert_eq!(std::fs::read_to_string(&path)?, old.replace("Gantwarg", "Gantvarg"));
/// undo_file(&journal)?;
/// assert_eq!(std::fs::read_to_string(&path)?, old);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EditedFile {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    /// The state of the file before it was read.
    state: FileState,
    before: Fingerprinter,
    after: Fingerprinter,
    /// The new text and the journal, from the first change on.
    begun: Option<Box<Begun>>,
}

/// The files that are written.
struct Begun {
    replacement: BufWriter<FileReplacement>,
    journal: JournalWriter<BufWriter<TemporaryFile>>,
}

impl std::fmt::Debug for Begun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.replacement.get_ref().fmt(f)
    }
}

impl EditedFile {
    /// Begins to change a file. Call it before the file is read, so that [`commit`](Self::commit) notices changes that
    /// others make meanwhile. Nothing is written until the first change.
    ///
    /// # Errors
    /// If there is no file at `path`.
    pub fn begin(path: impl AsRef<Path>) -> Result<Self> {
        Self::begin_on(Arc::new(Disk), path.as_ref())
    }

    fn begin_on(storage: Arc<dyn Storage>, path: &Path) -> Result<Self> {
        let state = FileState::of(path)?;
        let (before, after) = (Fingerprinter::new(), Fingerprinter::new());
        Ok(Self { storage, path: path.to_owned(), state, before, after, begun: None })
    }

    /// Adds the next piece of the file and its changes. `code` returns the diagnostic code of the edit with a number,
    /// from 0, or an empty text.
    ///
    /// # Errors
    /// If a file cannot be created, written or read.
    ///
    /// # Panics
    /// If an edit lies beyond the end of `text`.
    pub fn piece<'c>(
        &mut self,
        text: &[u8],
        edits: &TextEdits,
        code: impl Fn(usize) -> &'c str,
    ) -> Result<()> {
        self.add(text, edits, code).map_err(|error| error.at(&self.path))
    }

    fn add<'c>(&mut self, text: &[u8], edits: &TextEdits, code: impl Fn(usize) -> &'c str) -> Result<()> {
        if self.begun.is_none() && !edits.is_empty() {
            self.begun = Some(Box::new(self.begin_to_write()?));
        }
        let start = self.before.finish().bytes;
        self.before.add(text);
        let Some(begun) = &mut self.begun else {
            self.after.add(text);
            return Ok(());
        };
        let mut at = 0;
        for (number, edit) in edits.as_slice().iter().enumerate() {
            for part in [&text[at..edit.range.start], &edit.new] {
                self.after.add(part);
                begun.replacement.write_all(part)?;
            }
            let offset = start + edit.range.start as u64;
            begun.journal.edit(offset, code(number), &text[edit.range.clone()], &edit.new)?;
            at = edit.range.end;
        }
        self.after.add(&text[at..]);
        begun.replacement.write_all(&text[at..])?;
        Ok(())
    }

    /// Creates the files and copies what was read without a change.
    fn begin_to_write(&self) -> Result<Begun> {
        let mut replacement = FileReplacement::begin_on(Arc::clone(&self.storage), &self.path)?;
        replacement.set_state(self.state);
        let journal = TemporaryFile::for_target(&self.storage, &journal_path(&self.path, 1), Access::Owner)?;
        let journal = BufWriter::with_capacity(BUFFER, journal);
        let mut begun = Begun {
            replacement: BufWriter::with_capacity(BUFFER, replacement),
            journal: JournalWriter::begin(journal, &self.path)?,
        };
        let read = self.before.finish();
        let mut copied = Fingerprinter::new();
        let mut source = File::open(&self.path)?.take(read.bytes);
        let mut buffer = vec![0; BUFFER];
        loop {
            let len = source.read(&mut buffer)?;
            if len == 0 {
                break;
            }
            copied.add(&buffer[..len]);
            begun.replacement.write_all(&buffer[..len])?;
        }
        if copied.finish() != read {
            return Err(not_the_file());
        }
        Ok(begun)
    }

    /// Puts the new text in the place of the file and the journal next to it. Returns the path of the journal; `None` if
    /// there was no change.
    ///
    /// # Errors
    /// If the pieces were not the whole file, byte for byte, or the file has changed since; or if something cannot be
    /// written. The file then has its old text and there is no journal. Only if the last step failed, to make the
    /// new name durable, it has its new text, and the journal is there.
    pub fn commit(mut self) -> Result<Option<PathBuf>> {
        let Some(begun) = self.begun.take() else { return Ok(None) };
        self.put_in_place(*begun).map(Some).map_err(|error| error.at(&self.path))
    }

    fn put_in_place(&self, begun: Begun) -> Result<PathBuf> {
        let Begun { replacement, journal } = begun;
        let replacement = replacement.into_inner().map_err(io::IntoInnerError::into_error)?;
        let fingerprints = Fingerprints { before: self.before.finish(), after: self.after.finish() };
        if fingerprints.before.bytes != self.state.bytes() {
            return Err(not_the_file());
        }
        let journal = journal.finish(fingerprints)?;
        let journal = journal.into_inner().map_err(io::IntoInnerError::into_error)?;
        let names = (1..).map(|number| journal_path(&self.path, number));
        Ok(replacement.commit_with(journal, names)?)
    }
}

/// Longest name of a file, in bytes: that of all common file systems.
const MAX_NAME: usize = 255;

/// Returns the path of a journal: `FILE.undo`, `FILE.undo2` and so on. The name of the file is cut if it leaves no room.
fn journal_path(file: &Path, number: u32) -> PathBuf {
    let mut end = ".undo".to_owned();
    if number > 1 {
        end += &number.to_string();
    }
    let name = file.file_name().unwrap_or_default();
    if name.len() + end.len() <= MAX_NAME {
        let mut whole = file.as_os_str().to_owned();
        whole.push(end);
        return whole.into();
    }
    let name = name.to_string_lossy();
    let cut = (0..=MAX_NAME - end.len()).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    file.with_file_name(format!("{}{end}", &name[..cut]))
}

fn not_the_file() -> Error {
    io::Error::other("is compressed, is in UTF-16 or has changed; nothing is written").into()
}

/// Gives the file of a journal the text that it had before the changes. The journal stays.
///
/// The file is the one next to the journal whose name the journal has, else the one at the path in the journal.
///
/// Memory is bounded: the file and the journal are read piece by piece. The file has its new text or its old one at any
/// moment.
///
/// # Errors
/// If the journal or the file cannot be read or written, or the file has changed since. A [`JournalError`] is the
/// [source](std::error::Error::source) of the I/O error then.
pub fn undo_file(journal: impl AsRef<Path>) -> Result<UndoneFile> {
    undo_file_until(journal, &Stop::new())
}

/// Does the same as [`undo_file`], unless it is stopped before the file has its old text. The file is then unchanged.
///
/// # Errors
/// As [`undo_file`], and with [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped) if a stop was requested.
pub fn undo_file_until(journal: impl AsRef<Path>, stop: &Stop) -> Result<UndoneFile> {
    undo_on(Arc::new(Disk), journal.as_ref(), stop)
}

/// Returns the file that a journal changes: the one next to the journal with the name that the journal has, because a journal
/// is written there, and the path in it is relative to the folder in which the changes were made. If there is none, returns that
/// path.
fn changed_file(journal: &Path, recorded: &Path) -> PathBuf {
    let sibling = recorded.file_name().map(|name| journal.with_file_name(name));
    sibling.filter(|sibling| sibling.is_file()).unwrap_or_else(|| recorded.to_owned())
}

/// A file whose changes were undone.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UndoneFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The number of changes.
    pub changes: u64,
}

fn undo_on(storage: Arc<dyn Storage>, path: &Path, stop: &Stop) -> Result<UndoneFile> {
    let of_journal = |error: ReadError| Error::from(into_io(error)).at(path);
    let open = || JournalReader::begin(BufReader::with_capacity(BUFFER, File::open(path)?));
    // The whole journal is checked before anything is written.
    let mut reader = open().map_err(of_journal)?;
    let mut changes = 0;
    while reader.next().map_err(of_journal)?.is_some() {
        stop.check()?;
        changes += 1;
    }
    let Some(fingerprints) = reader.fingerprints() else { return Err(of_journal(damaged())) };
    let file = changed_file(path, reader.file());
    let of_file = |error: ReadError| Error::from(into_io(error)).at(&file);
    let mut replacement = FileReplacement::begin_on(storage, &file).map_err(|error| error.at(&file))?;
    let mut present = Fingerprinter::new();
    let mut reading = || {
        let mut source = File::open(&file)?;
        let mut buffer = vec![0; BUFFER];
        loop {
            match source.read(&mut buffer)? {
                0 => return Ok::<_, io::Error>(()),
                len => present.add(&buffer[..len]),
            }
        }
    };
    reading().map_err(|error| of_file(error.into()))?;
    if let Some(kind) = fingerprints.refusal(present.finish()) {
        return Err(of_file(ReadError::Journal(JournalError { kind, line: 0 })));
    }
    let mut reader = open().map_err(of_journal)?;
    let mut undoing = Undoing {
        source: BufReader::with_capacity(BUFFER, File::open(&file).map_err(|error| of_file(error.into()))?),
        out: BufWriter::with_capacity(BUFFER, &mut replacement),
        old: Fingerprinter::new(),
        buffer: vec![0; BUFFER],
    };
    while let Some(edit) = reader.next().map_err(of_journal)? {
        stop.check()?;
        let Some(kept) = edit.at.checked_sub(undoing.old.finish().bytes) else {
            return Err(of_journal(damaged()));
        };
        undoing.keep(kept).map_err(of_file)?;
        undoing.skip(&edit.new).map_err(of_file)?;
        undoing.add(&edit.old).map_err(|error| of_file(error.into()))?;
    }
    undoing.keep(u64::MAX).map_err(of_file)?;
    stop.check()?;
    let is_old = undoing.old.finish() == fingerprints.before;
    undoing.out.flush().map_err(|error| of_file(error.into()))?;
    drop(undoing);
    if !is_old {
        return Err(of_journal(damaged()));
    }
    replacement.commit()?;
    Ok(UndoneFile { path: file, changes })
}

/// Copies a file with its changes taken back.
struct Undoing<'o> {
    source: BufReader<File>,
    out: BufWriter<&'o mut FileReplacement>,
    /// The text from before the changes so far.
    old: Fingerprinter,
    buffer: Vec<u8>,
}

impl Undoing<'_> {
    fn add(&mut self, text: &[u8]) -> io::Result<()> {
        self.old.add(text);
        self.out.write_all(text)
    }

    /// Copies the next `len` bytes; `u64::MAX` for all that are left.
    fn keep(&mut self, len: u64) -> std::result::Result<(), ReadError> {
        let mut left = len;
        while left > 0 {
            let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(self.buffer.len());
            let read = self.source.read(&mut self.buffer[..wanted])?;
            if read == 0 {
                return if len == u64::MAX { Ok(()) } else { Err(damaged()) };
            }
            self.old.add(&self.buffer[..read]);
            self.out.write_all(&self.buffer[..read])?;
            left -= read as u64;
        }
        Ok(())
    }

    /// Leaves out the new text of a change.
    fn skip(&mut self, new: &[u8]) -> std::result::Result<(), ReadError> {
        for part in new.chunks(BUFFER) {
            let present = &mut self.buffer[..part.len()];
            self.source.read_exact(present)?;
            if present != part {
                return Err(damaged());
            }
        }
        Ok(())
    }
}

fn damaged() -> ReadError {
    ReadError::Journal(JournalError { kind: JournalErrorKind::Damaged, line: 0 })
}

fn into_io(error: ReadError) -> io::Error {
    match error {
        ReadError::Io(error) => error,
        ReadError::Journal(error) => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::TextEdit;
    use super::*;
    use crate::storage::failing::{FailingDisk, Failure};

    const OLD: &[u8] = b"[White \"a\"]\n1.32-28 19-23 *\n[White \"b\"]\n1.33-28 *\n";
    const NEW: &[u8] = b"[White \"a\"]\n1. 32-28 19-23 *\n[White \"b\"]\n1. 33-28 *\n";

    /// Changes the file in three pieces, the first of them without a change.
    fn edit(storage: Arc<dyn Storage>, path: &Path) -> Result<Option<PathBuf>> {
        let mut file = EditedFile::begin_on(storage, path)?;
        let space = |at| TextEdits::new(vec![TextEdit::new(at..at, " ")]).unwrap();
        file.piece(&OLD[..12], &TextEdits::default(), |_| "")?;
        file.piece(&OLD[12..28], &space(2), |_| "P107")?;
        file.piece(&OLD[28..], &space(14), |_| "P107")?;
        file.commit()
    }

    /// Returns the names of the files of a folder.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn interrupted_edits_leave_old_text_or_new_text_with_journal() {
        for failure in Failure::ALL {
            let mut outcomes = [0, 0];
            for steps in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("games.pdn");
                fs::write(&path, OLD).unwrap();
                let disk = FailingDisk::new(steps, failure);
                let result = edit(Arc::new(disk.clone()), &path);
                let text = fs::read(&path).unwrap();
                assert!(
                    text == OLD || text == NEW,
                    "{failure:?} after {steps} steps: {}",
                    text.escape_ascii()
                );
                assert!(text == NEW || result.is_err(), "success means that the text is new");
                outcomes[usize::from(text == NEW)] += 1;
                if text == NEW {
                    assert_eq!(undo_file(path.with_extension("pdn.undo")).unwrap().changes, 2);
                    assert_eq!(fs::read(&path).unwrap(), OLD);
                } else if failure == Failure::Full {
                    assert_eq!(
                        names(folder.path()),
                        ["games.pdn"],
                        "an error is cleaned up after {steps} steps"
                    );
                }
                // The next run works in spite of what is left, and clears it away.
                fs::write(&path, OLD).unwrap();
                let journal = edit(Arc::new(Disk), &path).unwrap().unwrap();
                assert_eq!(fs::read(&path).unwrap(), NEW);
                assert_eq!(undo_file(&journal).unwrap().changes, 2);
                assert_eq!(fs::read(&path).unwrap(), OLD);
                if cfg!(unix) {
                    assert!(
                        names(folder.path()).iter().all(|name| !name.ends_with(".tmp")),
                        "after {steps} steps"
                    );
                }
                if disk.remaining() > 0 {
                    break;
                }
            }
            assert!(outcomes[0] >= 8 && outcomes[1] > 0, "{failure:?}: {outcomes:?}");
        }
    }

    #[test]
    fn interrupted_undo_leaves_new_or_old_text() {
        for failure in Failure::ALL {
            let mut outcomes = [0, 0];
            for steps in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("games.pdn");
                fs::write(&path, OLD).unwrap();
                let journal = edit(Arc::new(Disk), &path).unwrap().unwrap();
                let disk = FailingDisk::new(steps, failure);
                let result = undo_on(Arc::new(disk.clone()), &journal, &Stop::new());
                let text = fs::read(&path).unwrap();
                assert!(
                    text == OLD || text == NEW,
                    "{failure:?} after {steps} steps: {}",
                    text.escape_ascii()
                );
                assert!(text == OLD || result.is_err());
                outcomes[usize::from(text == OLD)] += 1;
                if text == NEW {
                    undo_file(&journal).unwrap();
                }
                assert_eq!(fs::read(&path).unwrap(), OLD);
                if cfg!(unix) && text == NEW {
                    assert_eq!(names(folder.path()), ["games.pdn", "games.pdn.undo"], "after {steps} steps");
                }
                if disk.remaining() > 0 {
                    break;
                }
            }
            assert!(outcomes[0] >= 3 && outcomes[1] > 0, "{failure:?}: {outcomes:?}");
        }
    }

    #[test]
    fn journal_undoes_from_any_folder_and_after_a_move() {
        let folder = tempfile::tempdir().unwrap();
        let (old, moved) = (folder.path().join("old"), folder.path().join("moved"));
        fs::create_dir(&old).unwrap();
        fs::write(old.join("games.pdn"), OLD).unwrap();
        edit(Arc::new(Disk), &old.join("games.pdn")).unwrap().unwrap();
        fs::rename(&old, &moved).unwrap();
        let undone = undo_file(moved.join("games.pdn.undo")).unwrap();
        assert_eq!((undone.path.as_path(), undone.changes), (moved.join("games.pdn").as_path(), 2));
        assert_eq!(fs::read(moved.join("games.pdn")).unwrap(), OLD);
        // A journal elsewhere finds the file by its path.
        let journal = edit(Arc::new(Disk), &moved.join("games.pdn")).unwrap().unwrap();
        let away = folder.path().join("away.undo");
        fs::rename(&journal, &away).unwrap();
        assert_eq!(undo_file(&away).unwrap().path, moved.join("games.pdn"));
        assert_eq!(fs::read(moved.join("games.pdn")).unwrap(), OLD);
    }

    #[test]
    fn pieces_that_are_not_the_file_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let insertion = TextEdits::new(vec![TextEdit::new(0..0, " ")]).unwrap();
        for pieces in [&["other text", "b"][..], &["a"], &["ab", "c"]] {
            fs::write(&path, "ab").unwrap();
            let mut file = EditedFile::begin(&path).unwrap();
            let mut result = file.piece(pieces[0].as_bytes(), &TextEdits::default(), |_| "");
            for piece in &pieces[1..] {
                result = result.and_then(|()| file.piece(piece.as_bytes(), &insertion, |_| ""));
            }
            let result = result.and_then(|()| {
                file.piece(b"", &insertion, |_| "")?;
                file.commit()
            });
            assert!(result.unwrap_err().to_string().contains("is compressed, is in UTF-16 or has changed"));
            assert_eq!(
                (fs::read(&path).unwrap(), names(folder.path())),
                (b"ab".to_vec(), vec!["games.pdn".to_owned()])
            );
        }
    }

    #[test]
    fn file_changed_meanwhile_is_not_undone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        let journal = edit(Arc::new(Disk), &path).unwrap().unwrap();
        let refused = |text: &[u8], message: &str| {
            fs::write(&path, text).unwrap();
            let error = undo_file(&journal).unwrap_err().to_string();
            assert!(error.ends_with(message), "{error}");
            assert_eq!(fs::read(&path).unwrap(), text);
        };
        refused(OLD, "the changes are already undone");
        refused(b"other", "the file was changed after the journal was written; nothing is undone");
    }

    #[cfg(unix)]
    #[test]
    fn longest_names_have_journals() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["g".repeat(MAX_NAME), "\u{43f}".repeat(MAX_NAME / 2), "g".repeat(MAX_NAME - 4)] {
            let path = folder.path().join(&name);
            for number in 1..=2 {
                fs::write(&path, OLD).unwrap();
                let journal = edit(Arc::new(Disk), &path).unwrap().unwrap();
                let end = if number == 1 { ".undo" } else { ".undo2" };
                assert!(journal.to_string_lossy().ends_with(end), "{journal:?}");
                assert_eq!(undo_file(&journal).unwrap().path, path);
                assert_eq!(fs::read(&path).unwrap(), OLD);
            }
            names(folder.path()).iter().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
        }
    }

    #[test]
    fn file_without_changes_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        let mut file = EditedFile::begin(&path).unwrap();
        file.piece(OLD, &TextEdits::default(), |_| "").unwrap();
        assert_eq!(file.commit().unwrap(), None);
        assert_eq!(names(folder.path()), ["games.pdn"]);
    }

    proptest! {
        #[test]
        fn streamed_edits_equal_edits_in_memory(
            old in prop::collection::vec(any::<u8>(), 1..80),
            cuts in prop::collection::btree_set(0usize..80, 0..8),
            new in prop::collection::vec(any::<u8>(), 0..5),
            piece in 1usize..40,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("f");
            fs::write(&path, &old).unwrap();
            let mut file = EditedFile::begin(&path).unwrap();
            let mut all = Vec::new();
            for (number, text) in old.chunks(piece).enumerate() {
                let start = number * piece;
                let inside: Vec<_> = cuts.iter().filter(|&&cut| cut >= start && cut < start + text.len()).collect();
                let edits: Vec<_> = inside
                    .chunks_exact(2)
                    .map(|pair| TextEdit::new(pair[0] - start..pair[1] - start, new.clone()))
                    .collect();
                let edits = TextEdits::new(edits).unwrap();
                file.piece(text, &edits, |_| "").unwrap();
                all.extend(edits.shifted(start).into_vec());
            }
            let all = TextEdits::new(all).unwrap();
            let journal = file.commit().unwrap();
            prop_assert_eq!(journal.is_some(), !all.is_empty());
            prop_assert_eq!(fs::read(&path).unwrap(), all.apply(&old));
            if let Some(journal) = journal {
                let mut reader = JournalReader::begin(BufReader::new(File::open(&journal).unwrap())).unwrap();
                for edit in all.as_slice() {
                    let read = reader.next().unwrap().unwrap();
                    prop_assert_eq!((read.at, &read.old[..]), (edit.range.start as u64, &old[edit.range.clone()]));
                    prop_assert_eq!(&read.new, &edit.new);
                }
                prop_assert!(reader.next().unwrap().is_none());
                let undone = undo_file(&journal);
                if all.apply(&old) != old {
                    prop_assert_eq!(undone.unwrap().changes, all.as_slice().len() as u64);
                }
                prop_assert_eq!(fs::read(&path).unwrap(), old);
            }
        }
    }

    /// The changes of the journal fit the file, but do not lead to the text that the journal names.
    #[test]
    fn journal_of_another_text_undoes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (path, journal) = (folder.path().join("games.pdn"), folder.path().join("games.pdn.undo"));
        fs::write(&path, NEW).unwrap();
        let fingerprint = |text| {
            let mut fingerprinter = Fingerprinter::new();
            fingerprinter.add(text);
            fingerprinter.finish()
        };
        for (before, expected) in [(&b"other"[..], NEW), (OLD, OLD)] {
            let mut writer = JournalWriter::begin(Vec::new(), &path).unwrap();
            writer.edit(14, "P107", b"", b" ").unwrap();
            writer.edit(42, "P107", b"", b" ").unwrap();
            let fingerprints = Fingerprints { before: fingerprint(before), after: fingerprint(NEW) };
            fs::write(&journal, writer.finish(fingerprints).unwrap()).unwrap();
            assert_eq!(undo_file(&journal).is_ok(), expected == OLD);
            assert_eq!(fs::read(&path).unwrap(), expected);
        }
    }
}
