//! Writers that are stopped at every step, full disks, two writers at once.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::error::ErrorKind;
use crate::index::{GameKind, GameRow, IndexWriter, PackedPieceCounts, RowBatch, VerifyOptions, verify};
use crate::replay::{GameStatus, VariantBasis};
use crate::storage::{Disk, Output, Storage};
use crate::value::{Date, Outcome};

/// A disk that does so many things and then nothing any more, as if the process had been killed: not even the
/// cleaning up after an error.
#[derive(Clone, Debug)]
pub(in crate::index) struct FailingDisk {
    left: Arc<AtomicUsize>,
    /// Whether the last write gets half of its bytes onto the disk.
    torn: bool,
}

impl FailingDisk {
    pub(in crate::index) fn new(steps: usize, torn: bool) -> Self {
        Self { left: Arc::new(AtomicUsize::new(steps)), torn }
    }

    fn step(&self) -> io::Result<()> {
        let used = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        used.map(drop).map_err(|_| io::ErrorKind::StorageFull.into())
    }
}

struct FailingFile(Box<dyn Output>, FailingDisk);

impl Storage for FailingDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        self.step()?;
        Ok(Box::new(FailingFile(Disk.create(path)?, self.clone())))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        Disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Disk.remove(path)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.step()?;
        Disk.sync_dir(dir)
    }
}

impl Write for FailingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.1.step() {
            if self.1.torn {
                self.0.write_all(&bytes[..bytes.len() / 2])?;
            }
            return Err(error);
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for FailingFile {
    fn sync(&mut self) -> io::Result<()> {
        self.1.step()?;
        self.0.sync()
    }
}

/// So many games without a move, named after a year.
fn rows(year: u16, games: u32) -> RowBatch {
    let mut rows = RowBatch::new();
    let name = format!("Player of {year}");
    let variant = Variant::International;
    let start = Position::start(variant);
    let row = GameRow {
        white: &name,
        black: "",
        event: "",
        site: "",
        round: "",
        result: "*",
        date: Date::new(Some(year), None, None).expect("a year"),
        ratings: [0, 0],
        status: GameStatus::Empty,
        outcome: Outcome::Unknown,
        from_fen: false,
        has_setups: false,
        kind: GameKind { variant, numbering: variant.game().numbering, basis: VariantBasis::Guess },
        plies: 0,
        first: PackedPieceCounts::from(start.counts()),
        last: PackedPieceCounts::from(start.counts()),
    };
    for _ in 0..games {
        rows.push(&row, b"*\n");
    }
    rows
}

const LAYOUT: SegmentOptions = SegmentOptions { segment_games: 3, embed: cfg!(feature = "compression") };

/// Writes games of a year, in three segments.
fn write(dir: &Path, storage: Arc<dyn Storage>, append: bool, year: u16) -> crate::Result<()> {
    let mut builder = IndexWriter::open(dir.to_owned(), LAYOUT, storage, append)?;
    let origin = builder.add_input(Path::new("-"), None, false)?;
    builder.push(origin, 0, &rows(year, 7), &b"*\n".repeat(7))?;
    builder.add_rejected(format!("{{\"year\":{year}}}\n").as_bytes())?;
    builder.commit()
}

/// What an index holds: its years and its rejects.
fn years(dir: &Path) -> (Vec<u16>, String) {
    let index = Index::open(dir).expect("there always is an index");
    let years = index.games().map(|game| game.row().expect("sound").date.year().expect("a year")).collect();
    (years, fs::read_to_string(index.rejects_path()).expect("there always are rejects"))
}

#[test]
fn a_writer_may_die_at_any_step() {
    let old = (vec![1950; 7], "{\"year\":1950}\n".to_owned());
    for append in [false, true] {
        let new = if append {
            ([vec![1950; 7], vec![2000; 7]].concat(), "{\"year\":1950}\n{\"year\":2000}\n".to_owned())
        } else {
            (vec![2000; 7], "{\"year\":2000}\n".to_owned())
        };
        for torn in [false, true] {
            let mut outcomes = [0, 0];
            for steps in 0.. {
                let place = TestFolder::new();
                let dir = place.path("index");
                write(&dir, Arc::new(Disk), false, 1950).expect("a sound disk");
                let dying = FailingDisk::new(steps, torn);
                let result = write(&dir, Arc::new(dying.clone()), append, 2000);
                let found = years(&dir);
                assert!(found == old || found == new, "after {steps} steps: {found:?}");
                if result.is_ok() {
                    assert_eq!(found, new, "what is said to be done is done");
                }
                outcomes[usize::from(found == new)] += 1;
                assert!(
                    verify(&dir, &VerifyOptions { texts: LAYOUT.embed, ..VerifyOptions::INDEX })
                        .expect("a manifest")
                        .is_sound()
                );

                // The next writer cleans up and goes on.
                write(&dir, Arc::new(Disk), true, 2010).expect("a sound disk");
                let mut expected = found.clone();
                expected.0.extend([2010; 7]);
                expected.1.push_str("{\"year\":2010}\n");
                assert_eq!(years(&dir), expected);
                let names: Vec<_> = files(&dir).into_iter().map(|(name, _)| name).collect();
                let segments = Index::open(&dir).expect("opened").segments().len();
                assert_eq!(names.len(), segments + 2, "no leftovers after {steps} steps: {names:?}");
                if dying.left.load(Ordering::Relaxed) > 0 {
                    break;
                }
            }
            assert!(outcomes[0] > 20 && outcomes[1] > 1, "{outcomes:?}");
        }
    }
}

#[test]
fn a_merge_may_die_at_any_step() {
    let layout = SegmentOptions { segment_games: 100, ..LAYOUT };
    let merge = |dir: &Path, storage: Arc<dyn Storage>| -> crate::Result<()> {
        let mut builder = IndexWriter::open(dir.to_owned(), layout, storage, true)?;
        assert!(builder.merge_all()?);
        builder.commit()
    };
    for torn in [false, true] {
        let mut outcomes = [0, 0];
        for steps in 0.. {
            let place = TestFolder::new();
            let dir = place.path("index");
            write(&dir, Arc::new(Disk), false, 1950).expect("a sound disk");
            write(&dir, Arc::new(Disk), true, 2000).expect("a sound disk");
            let before = years(&dir);
            let dying = FailingDisk::new(steps, torn);
            let result = merge(&dir, Arc::new(dying.clone()));
            assert_eq!(years(&dir), before, "after {steps} steps");
            let segments = Index::open(&dir).expect("opened").segments().len();
            assert!(segments == 1 || segments == 6 && result.is_err(), "{segments}");
            outcomes[usize::from(segments == 1)] += 1;
            let all = VerifyOptions { texts: LAYOUT.embed, ..VerifyOptions::INDEX };
            assert!(verify(&dir, &all).expect("a manifest").is_sound());
            // The next writer cleans up and goes on.
            write(&dir, Arc::new(Disk), true, 2010).expect("a sound disk");
            let names: Vec<_> = files(&dir).into_iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), segments + 3 + 2, "no leftovers after {steps} steps: {names:?}");
            if dying.left.load(Ordering::Relaxed) > 0 {
                break;
            }
        }
        assert!(outcomes[0] > 10 && outcomes[1] > 1, "{outcomes:?}");
    }
}

#[test]
fn a_full_disk_is_said_plainly() {
    let place = TestFolder::new();
    let dir = place.path("index");
    let error = write(&dir, Arc::new(FailingDisk::new(4, false)), false, 2000).expect_err("the disk is full");
    let full = io::Error::from(io::ErrorKind::StorageFull).to_string();
    assert!(
        error.to_string().contains(&full) && error.path().is_some_and(|path| path.starts_with(&dir)),
        "{error}"
    );
    assert!(Index::open(&dir).is_err(), "nothing was there before, nothing is now");
}

#[test]
fn two_writers_do_not_meet() {
    let place = TestFolder::new();
    let dir = place.path("index");
    let first = IndexWriter::create(&dir, SegmentOptions::default()).expect("the first");
    let error = IndexWriter::create(&dir, SegmentOptions::default()).expect_err("the second");
    assert!(matches!(error.kind(), ErrorKind::IndexLocked), "{error:?}");
    assert!(error.to_string().contains("another process is writing this index"), "{error}");
    drop(first);
    IndexWriter::create(&dir, SegmentOptions::default())
        .expect("the first has gone")
        .commit()
        .expect("an empty index");
    assert!(Index::open(&dir).expect("opened").is_empty());
}

#[test]
fn a_folder_of_other_things_stays_as_it_is() {
    let place = TestFolder::new();
    place.file("mine.txt", "mine");
    place.file("segment-notes.txt", "mine");
    let dir = place.path("");
    write(&dir, Arc::new(Disk), false, 2000).expect("a sound disk");
    write(&dir, Arc::new(Disk), false, 2001).expect("a sound disk");
    assert_eq!(years(&dir).0, [2001; 7]);
    assert_eq!(fs::read(place.path("mine.txt")).expect("there"), b"mine");
    assert_eq!(fs::read(place.path("segment-notes.txt")).expect("there"), b"mine");
    assert!(matches!(
        IndexWriter::append(place.path("nowhere"), LAYOUT).expect_err("none").kind(),
        ErrorKind::NotAnIndex
    ));
}
