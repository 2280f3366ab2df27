//! Verification while other processes write, of files that cannot be opened, and on any number of threads.

use crate::internal::{
    IndexProblem, IndexWriter, KeyTableOptions, VerifyOptions, VerifyReport, build_key_tables, merge, verify,
    verify_with,
};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::crash::{SEGMENTS, rows};
use super::*;
use crate::format::columns::NumberColumn;
use crate::writer::WriterMode;
use pdn::error::ErrorKind;

/// Writes two archives of 20 games.
fn archives(temp: &TestFolder) -> [PathBuf; 2] {
    let text = |seed| archive(seed, 20, &[Variant::International, Variant::Frisian]);
    [temp.file("a.pdn", text(50)), temp.file("b.pdn", text(51))]
}

/// Imports the first archive and appends the second, in segments of 7 games with key tables.
fn rebuild(paths: &[PathBuf; 2], dir: &Path) {
    let mut options = options(1, 7);
    index(&paths[..1], dir, &options);
    options.append = true;
    index(&paths[1..], dir, &options);
    tables(dir);
}

fn tables(dir: &Path) {
    let built = build_key_tables(dir, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(()));
    built.expect("built");
}

#[test]
fn verify_during_rebuilds_and_merges_reports_no_damage() {
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..40 {
                rebuild(&paths, &dir);
                merge(&dir, &SegmentOptions::default()).expect("merged");
                tables(&dir);
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut runs = 0;
        while !done.load(Ordering::Relaxed) || runs == 0 {
            let report = verify(&dir, &VerifyOptions::INDEX).expect("an index at any time");
            assert!(report.is_sound(), "run {runs}: {report:?}");
            assert!(report.games == 20 || report.games == 40, "{report:?}");
            runs += 1;
        }
    });
}

#[test]
fn verify_finishes_with_the_files_it_opened() {
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    let sound = verify(&dir, &VerifyOptions::ALL).expect("a manifest");
    assert!(sound.is_sound() && sound.segments == 6, "{sound:?}");
    let mut is_merged = false;
    let report = verify_with(&dir, &VerifyOptions::ALL, |done, _| {
        if !std::mem::replace(&mut is_merged, true) {
            assert_eq!((done, merge(&dir, &SegmentOptions::default()).expect("merged").after), (0, 1));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(report.expect("all files are open"), sound);
    assert_eq!(verify(&dir, &VerifyOptions::ALL).expect("a manifest").segments, 1);
}

#[test]
#[cfg(unix)]
fn error_of_the_system_is_no_damage() {
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    for name in ["segment-00000002.pdns", "segment-00000002.keys", "rejects.jsonl"] {
        let path = dir.join(name);
        let before = fs::read(&path).expect("readable");
        fs::remove_file(&path).expect("removed");
        // A link to itself: opening it fails with an error of the system.
        std::os::unix::fs::symlink(name, &path).expect("linked");
        let error = verify(&dir, &VerifyOptions::default()).expect_err("not opened");
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error:?}");
        assert_eq!(error.path(), Some(path.as_path()));
        fs::remove_file(&path).expect("removed");
        fs::write(&path, before).expect("written");
        assert!(verify(&dir, &VerifyOptions::default()).expect("a manifest").is_sound());
    }
}

#[test]
fn report_does_not_depend_on_threads() {
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    for (segment, at) in [(1, 100), (1, 700), (4, 300)] {
        let path = dir.join(format!("segment-0000000{segment}.pdns"));
        let mut bytes = fs::read(&path).expect("readable");
        bytes[at] ^= 8;
        fs::write(&path, bytes).expect("written");
    }
    let options = |threads| VerifyOptions::ALL.threads(NonZeroUsize::new(threads).expect("some"));
    let reports: Vec<VerifyReport> =
        [1, 2, 5].map(|threads| verify(&dir, &options(threads)).expect("a manifest")).into();
    assert!(reports[0].problems.len() >= 3, "{reports:?}");
    assert_eq!((&reports[0], &reports[0]), (&reports[1], &reports[2]));
}

#[test]
fn verify_without_replay_compares_checksums_only() {
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    let checksums = verify(&dir, &VerifyOptions::default()).expect("a manifest");
    let replayed = verify(&dir, &VerifyOptions::default().replay(true)).expect("a manifest");
    assert!(checksums.is_sound() && replayed.is_sound());
    assert_eq!((checksums.games, checksums.bytes), (replayed.games, replayed.bytes));
    assert_eq!((checksums.plies, replayed.plies), (0, Index::open(&dir).expect("opened").plies()));
    // Every byte is compared all the same.
    let path = dir.join("segment-00000003.pdns");
    let sound = fs::read(&path).expect("readable");
    for at in (0..sound.len()).step_by(7) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("written");
        assert!(
            !verify(&dir, &VerifyOptions::default()).expect("a manifest").problems.is_empty(),
            "byte {at}"
        );
    }
}

#[test]
fn verify_compares_every_text_with_its_archive() {
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    let texts = VerifyOptions { texts: true, fingerprints: false, ..VerifyOptions::INDEX };
    let problem = |report: &VerifyReport| -> Vec<IndexProblem> { report.archive_problems.clone() };
    let text = fs::read(&paths[1]).expect("readable");
    let len = text.len();
    for at in [0, len / 3, len - 1] {
        let mut changed = text.clone();
        changed[at] ^= 1;
        fs::write(&paths[1], changed).expect("written");
        let report = verify(&dir, &texts).expect("a manifest");
        assert!(report.problems.is_empty());
        assert_eq!(problem(&report).len(), 1, "byte {at}");
        assert_eq!(problem(&report)[0].problem, "the text of a game differs");
        assert_eq!(problem(&report)[0].path, fs::canonicalize(&paths[1]).expect("there"));
    }
    fs::write(&paths[1], &text[..len - 1]).expect("written");
    assert_eq!(problem(&verify(&dir, &texts).expect("a manifest"))[0].problem, "it is shorter");
    fs::remove_file(&paths[1]).expect("removed");
    assert_eq!(problem(&verify(&dir, &texts).expect("a manifest"))[0].problem, "it is no longer there");
    fs::create_dir(&paths[1]).expect("made");
    assert_eq!(problem(&verify(&dir, &texts).expect("a manifest"))[0].problem, "it is a folder now");
    fs::remove_dir(&paths[1]).expect("removed");
    fs::write(&paths[1], [&text[..], b"\n{more}"].concat()).expect("written");
    assert!(verify(&dir, &texts).expect("a manifest").is_sound(), "growth changes no record");
}

#[test]
fn verifying_and_reading_rows_take_twice_the_steps_for_twice_the_games() {
    let Some(_) = pdn_rules::internal::steps::count() else { return };
    let temp = TestFolder::new();
    let [once, twice] = [400, 800].map(|games| {
        let text: String = (0..games)
            .map(|game| format!("[White \"Player number {game}\"]\n[GameType \"20\"]\n1. 32-28 19-23 *\n\n"))
            .collect();
        let dir = temp.path(&format!("index {games}"));
        index(&[temp.file(&format!("{games}.pdn"), text)], &dir, &options(1, 10_000));
        build_key_tables(&dir, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(())).expect("built");
        let steps = |work: &dyn Fn()| {
            let before = pdn_rules::internal::steps::count();
            work();
            pdn_rules::internal::steps::count().zip(before).map_or(0, |(after, before)| after - before)
        };
        let verified = steps(&|| {
            let report = verify(&dir, &VerifyOptions::ALL.threads(NonZeroUsize::MIN)).expect("a manifest");
            assert!(report.is_sound());
        });
        let rows = steps(&|| {
            let index = Index::open(&dir).expect("opened");
            assert!(index.games().all(|game| game.row().is_ok()));
        });
        (verified, rows)
    });
    assert!(twice.0 <= once.0 * 21 / 10, "{} steps, and {} for twice the games", once.0, twice.0);
    // Each row opens all dictionaries, which are read once.
    assert!(
        twice.1 <= once.1 * 21 / 10,
        "{} steps for all rows, and {} for twice the games",
        once.1,
        twice.1
    );
    assert!(once.0 > 400 && once.1 > 400, "work that is not counted: {} and {} steps", once.0, once.1);
}

#[test]
fn piece_counts_that_are_not_those_after_the_moves_are_damage() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let mut writer =
        IndexWriter::open(dir.clone(), SEGMENTS, Arc::new(pdn::internal::storage::Disk), WriterMode::Create)
            .expect("opened");
    let input = writer.add_input(Path::new("-"), None, false).expect("registered");
    let mut rows = rows(2000, 3);
    // One white man less than at the start, in a game without moves.
    rows.tiles[0].numbers[NumberColumn::Last as usize][1] -= 1;
    writer.push(input, 0, &rows, &b"*\n".repeat(3)).expect("pushed");
    writer.commit().expect("committed");
    assert!(
        verify(&dir, &VerifyOptions::default()).expect("a manifest").is_sound(),
        "its checksums are right"
    );
    let report = verify(&dir, &VerifyOptions::INDEX).expect("a manifest");
    let problems: Vec<_> =
        report.problems.iter().map(|found| (found.section, found.problem.as_str())).collect();
    assert_eq!(problems, [("last-material", "the piece counts of game 1 are not those after its moves")]);
}

#[test]
fn segment_of_another_index_is_damage_even_if_its_sums_are_equal() {
    let temp = TestFolder::new();
    let text = archive(20, 20, &[Variant::International]);
    let [first, second] = ["first", "second"].map(|name| temp.path(name));
    index(&[temp.file("a.pdn", &text)], &first, &options(1, 1000));
    // Other names of equal length: equal numbers of games, plies, statuses and bytes.
    index(&[temp.file("b.pdn", text.replace("Wiersma", "Wirsmae"))], &second, &options(1, 1000));
    let name = "segment-00000001.pdns";
    fs::copy(second.join(name), first.join(name)).expect("copied");
    for options in [VerifyOptions::default().fingerprints(false), VerifyOptions::INDEX] {
        let report = verify(&first, &options).expect("a manifest");
        let problems: Vec<_> =
            report.problems.iter().map(|found| (found.section, found.problem.as_str())).collect();
        assert_eq!(problems, [("footer", "it is not the segment that the manifest lists")]);
    }
}

#[test]
fn wrong_sums_over_retired_games_are_damage() {
    use crate::manifest::{FILE_NAME, Manifest};
    let temp = TestFolder::new();
    let (paths, dir) = (archives(&temp), temp.path("index"));
    rebuild(&paths, &dir);
    fs::remove_file(&paths[0]).expect("removed");
    let mut retiring = options(1, 7);
    (retiring.append, retiring.prune) = (true, true);
    index(&paths[1..], &dir, &retiring);
    let manifest = Manifest::read(&dir).expect("readable").expect("there");
    assert!(manifest.retired.games > 0 && manifest.retired.plies > 0);
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound());
    let changes: [fn(&mut Manifest); 4] = [
        |manifest| manifest.retired.games -= 1,
        |manifest| manifest.retired.plies += 1,
        |manifest| manifest.retired.text_len += 1,
        |manifest| manifest.retired.statuses.rotate_left(1),
    ];
    for change in changes {
        let mut changed = manifest.clone();
        change(&mut changed);
        fs::write(dir.join(FILE_NAME), changed.to_bytes()).expect("written");
        let report = verify(&dir, &VerifyOptions::INDEX).expect("a manifest");
        assert_eq!(report.problems.len(), 1, "{report:?}");
        assert_eq!(report.problems[0].path, dir.join(FILE_NAME));
    }
}
