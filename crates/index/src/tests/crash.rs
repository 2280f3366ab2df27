//! Interrupted writers: stopped at every step, full disks, two writers at once.

use crate::internal::{IndexWriter, RowBatch, VerifyOptions, verify};
use std::io;
use std::sync::Arc;

use super::*;
use crate::format::annotations::{AnnotationBits, LinesWriter, NotesWriter};
use crate::format::columns::NumberColumn;
use crate::manifest::Manifest;
use crate::writer::WriterMode;
use crate::{GameKind, GameRow};
use pdn::error::ErrorKind;
use pdn::internal::replay::Note;
use pdn::internal::storage::failing::{FailingDisk, Failure};
use pdn::internal::storage::{Disk, Storage};
use pdn::replay::{GameStatus, VariantBasis};
use pdn::value::{Date, Outcome};
use pdn::view::RecordView;

/// Creates rows of games without moves, dated `year`.
pub(super) fn rows(year: u16, games: u32) -> RowBatch {
    let mut rows = RowBatch::new();
    let name = format!("Player of {year}");
    let variant = Variant::International;
    let kind = GameKind { variant, numbering: variant.game().numbering, basis: VariantBasis::Guess };
    let row = GameRow {
        white: &name,
        result: "*",
        date: Date::new(Some(year), None, None).expect("a year"),
        ..GameRow::new(kind)
    };
    for _ in 0..games {
        // A variation without moves, and a comment.
        let annotations = &mut rows.annotations;
        LinesWriter::default().line(0, 0, &[], &mut annotations.variations);
        NotesWriter::default().line(0, &[(0, Note::Comment)], &mut annotations.notes);
        annotations.bits = AnnotationBits::VARIATIONS | AnnotationBits::COMMENTS;
        rows.push(&row, RecordView::new(b"*\n"));
    }
    rows
}

pub(super) const SEGMENTS: SegmentOptions =
    SegmentOptions { segment_games: 3, embed: cfg!(feature = "compression") };

/// Writes seven games of a year, in three segments.
pub(super) fn write(dir: &Path, storage: Arc<dyn Storage>, append: bool, year: u16) -> pdn::Result<()> {
    let mode = if append { WriterMode::Append } else { WriterMode::Create };
    let mut writer = IndexWriter::open(dir.to_owned(), SEGMENTS, storage, mode)?;
    let input = writer.add_input(Path::new("-"), None, false)?;
    writer.push(input, 0, &rows(year, 7), &b"*\n".repeat(7))?;
    writer.add_rejected(format!("{{\"year\":{year}}}\n").as_bytes())?;
    writer.commit()
}

/// Returns the years of the games of an index, and its rejected records. Every game must have its variation and its comment.
pub(super) fn years(dir: &Path) -> (Vec<u16>, String) {
    let index = Index::open(dir).expect("an index is present");
    for segment in index.segments() {
        let variations = segment.variations().expect("sound").expect("stored");
        let notes = segment.notes().expect("sound").expect("stored");
        for game in 0..segment.len() {
            assert_eq!(variations.lines(game).expect("sound").len(), 1);
            assert_eq!(notes.notes(game).expect("sound").len(), 1);
        }
    }
    let years = index.games().map(|game| game.row().expect("sound").date.year().expect("a year")).collect();
    (years, fs::read_to_string(index.rejects_path()).expect("the list of rejected records is present"))
}

#[test]
fn writer_killed_at_any_step_leaves_a_sound_index() {
    let old = (vec![1950; 7], "{\"year\":1950}\n".to_owned());
    for append in [false, true] {
        let new = if append {
            ([vec![1950; 7], vec![2000; 7]].concat(), "{\"year\":1950}\n{\"year\":2000}\n".to_owned())
        } else {
            (vec![2000; 7], "{\"year\":2000}\n".to_owned())
        };
        for failure in Failure::ALL {
            let mut outcomes = [0, 0];
            for steps in 0.. {
                let temp = TestFolder::new();
                let dir = temp.path("index");
                write(&dir, Arc::new(Disk), false, 1950).expect("a sound disk");
                let failing_disk = FailingDisk::new(steps, failure);
                let result = write(&dir, Arc::new(failing_disk.clone()), append, 2000);
                let contents = years(&dir);
                assert!(contents == old || contents == new, "after {steps} steps: {contents:?}");
                if result.is_ok() {
                    assert_eq!(contents, new, "a successful commit is visible");
                    let list = fs::read_to_string(dir.join("rejects.jsonl")).expect("it has its name");
                    assert_eq!(list, new.1, "after {steps} steps");
                }
                outcomes[usize::from(contents == new)] += 1;
                assert!(
                    verify(&dir, &VerifyOptions { texts: SEGMENTS.embed, ..VerifyOptions::INDEX })
                        .expect("a manifest")
                        .is_sound()
                );

                // The next writer cleans up and continues.
                write(&dir, Arc::new(Disk), true, 2010).expect("a sound disk");
                let mut expected = contents.clone();
                expected.0.extend([2010; 7]);
                expected.1.push_str("{\"year\":2010}\n");
                assert_eq!(years(&dir), expected);
                let names: Vec<_> = files(&dir).into_iter().map(|(name, _)| name).collect();
                let segments = Index::open(&dir).expect("opened").segments().len();
                assert_eq!(names.len(), segments + 2, "no leftovers after {steps} steps: {names:?}");
                if failing_disk.remaining() > 0 {
                    break;
                }
            }
            assert!(outcomes[0] > 20 && outcomes[1] > 1, "{outcomes:?}");
        }
    }
}

/// Writes the games of a year as rejected ones, a line for each, and retires those of the inputs `retired`.
pub(super) fn replace(
    dir: &Path,
    storage: Arc<dyn Storage>,
    mode: WriterMode,
    retired: &[u32],
    year: u16,
) -> pdn::Result<()> {
    let mut writer = IndexWriter::open(dir.to_owned(), SEGMENTS, storage, mode)?;
    for &input in retired {
        writer.retire_input(input);
    }
    let input = writer.add_input(Path::new("-"), None, false)?;
    let mut rows = rows(year, 4);
    let summary = GameStatus::Illegal as u32 | (Outcome::Unknown as u32) << 3;
    rows.tiles[0].numbers[NumberColumn::Summary as usize][..4].fill(summary);
    writer.push(input, 0, &rows, &b"*\n".repeat(4))?;
    writer.add_rejected(format!("{{\"year\":{year}}}\n").repeat(4).as_bytes())?;
    writer.commit()
}

#[test]
fn replacement_killed_at_any_step_leaves_the_old_or_the_new_games() {
    let lines = |years: &[u16]| -> (Vec<u16>, String) {
        let games = years.iter().flat_map(|&year| [year; 4]).collect();
        (games, years.iter().map(|year| format!("{{\"year\":{year}}}\n").repeat(4)).collect())
    };
    for failure in Failure::ALL {
        let mut outcomes = [0, 0];
        for steps in 0.. {
            let temp = TestFolder::new();
            let dir = temp.path("index");
            replace(&dir, Arc::new(Disk), WriterMode::Create, &[], 1950).expect("a sound disk");
            replace(&dir, Arc::new(Disk), WriterMode::Append, &[], 1960).expect("a sound disk");
            let failing_disk = FailingDisk::new(steps, failure);
            let result = replace(&dir, Arc::new(failing_disk.clone()), WriterMode::Append, &[0], 2000);
            let contents = years(&dir);
            let new = contents == lines(&[1960, 2000]);
            assert!(new || contents == lines(&[1950, 1960]), "after {steps} steps: {contents:?}");
            assert!(new || result.is_err(), "a successful commit is visible");
            outcomes[usize::from(new)] += 1;
            let all = VerifyOptions { texts: SEGMENTS.embed, ..VerifyOptions::INDEX };
            let report = verify(&dir, &all).expect("a manifest");
            assert!(report.is_sound(), "{report:?}");
            // The next writer cleans up and retires everything else, a pruning as well.
            let inputs = if new { &[1, 2][..] } else { &[0, 1] };
            replace(&dir, Arc::new(Disk), WriterMode::Append, inputs, 2010).expect("a sound disk");
            assert_eq!(years(&dir), lines(&[2010]));
            let names: Vec<_> = files(&dir).into_iter().map(|(name, _)| name).collect();
            let segments = Index::open(&dir).expect("opened").segments().len();
            assert_eq!(names.len(), segments + 2, "no leftovers after {steps} steps: {names:?}");
            if failing_disk.remaining() > 0 {
                break;
            }
        }
        assert!(outcomes[0] > 20 && outcomes[1] > 1, "{outcomes:?}");
    }
}

#[test]
fn folder_with_other_files_is_refused() {
    for name in ["manifest", "rejects.jsonl", "games.pdn", "segment-notes.txt"] {
        let temp = TestFolder::new();
        let path = temp.file(name, "mine");
        let error = write(&temp.path(""), Arc::new(Disk), false, 2000).expect_err("in use");
        assert!(matches!(error.kind(), ErrorKind::FolderInUse(_)), "{name}: {error}");
        assert_eq!(files(&temp.path("")), [(name.to_owned(), b"mine".to_vec())]);
        let error = write(&path, Arc::new(Disk), false, 2000).expect_err("a file");
        assert!(error.to_string().contains("is a file; an index needs"), "{error}");
    }
    let temp = TestFolder::new();
    temp.file(".hidden", "mine");
    temp.file("segment-00000001.pdns.tmp", "what a stopped writer left");
    temp.file("lock", "");
    write(&temp.path(""), Arc::new(Disk), false, 2000).expect("nothing else is there");
}

#[test]
fn merge_killed_at_any_step_keeps_all_games() {
    let segments = SegmentOptions { segment_games: 100, ..SEGMENTS };
    let merge = |dir: &Path, storage: Arc<dyn Storage>| -> pdn::Result<()> {
        let mut writer = IndexWriter::open(dir.to_owned(), segments, storage, WriterMode::Append)?;
        assert!(writer.merge_all(&pdn::stop::Stop::new())?);
        writer.commit()
    };
    for failure in Failure::ALL {
        let mut outcomes = [0, 0];
        for steps in 0.. {
            let temp = TestFolder::new();
            let dir = temp.path("index");
            write(&dir, Arc::new(Disk), false, 1950).expect("a sound disk");
            write(&dir, Arc::new(Disk), true, 2000).expect("a sound disk");
            let before = years(&dir);
            let failing_disk = FailingDisk::new(steps, failure);
            let result = merge(&dir, Arc::new(failing_disk.clone()));
            assert_eq!(years(&dir), before, "after {steps} steps");
            let segments = Index::open(&dir).expect("opened").segments().len();
            assert!(segments == 1 || segments == 6 && result.is_err(), "{segments}");
            outcomes[usize::from(segments == 1)] += 1;
            let all = VerifyOptions { texts: SEGMENTS.embed, ..VerifyOptions::INDEX };
            assert!(verify(&dir, &all).expect("a manifest").is_sound());
            // The next writer cleans up and continues.
            write(&dir, Arc::new(Disk), true, 2010).expect("a sound disk");
            let names: Vec<_> = files(&dir).into_iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), segments + 3 + 2, "no leftovers after {steps} steps: {names:?}");
            if failing_disk.remaining() > 0 {
                break;
            }
        }
        assert!(outcomes[0] > 10 && outcomes[1] > 1, "{outcomes:?}");
    }
}

#[test]
fn full_disk_error_names_the_cause_and_the_path() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let error = write(&dir, Arc::new(FailingDisk::new(4, Failure::Killed)), false, 2000)
        .expect_err("the disk is full");
    let full = io::Error::from(io::ErrorKind::StorageFull).to_string();
    assert!(
        error.to_string().contains(&full) && error.path().is_some_and(|path| path.starts_with(&dir)),
        "{error}"
    );
    assert!(Index::open(&dir).is_err(), "nothing was there before, nothing is now");
}

#[test]
fn second_writer_is_refused() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let first = IndexWriter::create(&dir, &SegmentOptions::default()).expect("the first");
    let error = IndexWriter::create(&dir, &SegmentOptions::default()).expect_err("the second");
    assert!(matches!(error.kind(), ErrorKind::IndexLocked), "{error:?}");
    assert!(error.to_string().contains("another process is writing this index"), "{error}");
    drop(first);
    IndexWriter::create(&dir, &SegmentOptions::default())
        .expect("the first has gone")
        .commit()
        .expect("an empty index");
    assert!(Index::open(&dir).expect("opened").is_empty());
}

#[test]
fn writer_keeps_files_of_others() {
    let temp = TestFolder::new();
    let dir = temp.path("");
    write(&dir, Arc::new(Disk), false, 2000).expect("a sound disk");
    temp.file("mine.txt", "mine");
    temp.file("segment-notes.txt", "mine");
    write(&dir, Arc::new(Disk), false, 2001).expect("a sound disk");
    assert_eq!(years(&dir).0, [2001; 7]);
    assert_eq!(fs::read(temp.path("mine.txt")).expect("there"), b"mine");
    assert_eq!(fs::read(temp.path("segment-notes.txt")).expect("there"), b"mine");
    assert!(matches!(
        IndexWriter::append(temp.path("nowhere"), &SEGMENTS).expect_err("none").kind(),
        ErrorKind::NotAnIndex
    ));
}

#[test]
fn generation_counts_commits() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    for (generation, append) in [(1, false), (2, true), (3, false), (4, true)] {
        write(&dir, Arc::new(Disk), append, 2000).expect("a sound disk");
        assert_eq!(Manifest::read(&dir).expect("sound").expect("present").generation, generation);
    }
}
