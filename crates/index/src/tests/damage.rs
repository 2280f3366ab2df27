//! Damaged indexes: flipped bits in every section, truncated files, missing parts. The result is an error that names
//! the place, or the right answer, never a panic or another answer.

use super::*;
use crate::Segment;
use crate::format::columns::{Section, TextColumn};
use crate::format::section::SectionTable;
use crate::internal::{VerifyOptions, verify};
use pdn::error::ErrorKind;

/// Everything about the index, on one thread: starting threads takes longer than verifying so little.
const ONE_THREAD: VerifyOptions =
    VerifyOptions { threads: Some(std::num::NonZeroUsize::MIN), ..VerifyOptions::INDEX };

/// Imports 70 games. Returns the temporary folder, the index folder and its only segment file.
fn small() -> (TestFolder, PathBuf, PathBuf) {
    let temp = TestFolder::new();
    // With every text, a variation and a comment, so that every section is there.
    let tags: String =
        TextColumn::ALL.iter().map(|column| format!("[{} \"Wiersma, H.\"]\n", column.tag())).collect();
    let games = archive(20, 70, &[Variant::International, Variant::Frisian]);
    let noted = "[GameType \"20\"]\n1. 32-28 (33-28 $1 {quiet} 18-23) 19-23! *\n\n";
    let paths = [temp.file("a.pdn", format!("{tags}{noted}{games}"))];
    let dir = temp.path("index");
    let mut options = options(1, 1000);
    options.segments.embed = cfg!(feature = "compression");
    index(&paths, &dir, &options);
    let segment = dir.join("segment-00000001.pdns");
    (temp, dir, segment)
}

#[test]
fn verify_names_the_section_of_a_flipped_bit() {
    let (_place, dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    let expected = contents(&Index::open(&dir).expect("opened")).expect("sound");
    let table = SectionTable::read(&sound, &sound, sound.len() as u64).expect("sound");
    assert_eq!(table.entries.len(), Section::ALL.len() - if cfg!(feature = "compression") { 0 } else { 2 });
    let mut places: Vec<(usize, &str)> = vec![(0, ""), (9, ""), (40, "footer")];
    for entry in &table.entries {
        let name =
            Section::ALL.iter().find(|&&section| section as u32 == entry.section).expect("known").name();
        let len = entry.len as usize;
        for offset in [0, len / 3, len / 2, len.saturating_sub(1)] {
            if offset < len {
                places.push((entry.offset as usize + offset, name));
            }
        }
    }
    places.extend((1..=40).map(|back| (sound.len() - back, "")));
    for (offset, section) in places {
        let mut bytes = sound.clone();
        bytes[offset] ^= 1 << (offset % 8);
        fs::write(&path, &bytes).expect("written");
        let report = verify(&dir, &ONE_THREAD).expect("the manifest is sound");
        assert!(!report.problems.is_empty(), "byte {offset} in {section}");
        assert!(report.problems.iter().all(|finding| finding.path == path));
        if !section.is_empty() {
            let named = report.problems.iter().any(|finding| finding.section == section);
            assert!(named, "byte {offset}: {:?} instead of {section}", report.problems);
        }
        if let Ok(index) = Index::open(&dir) {
            if let Ok(contents) = contents(&index) {
                assert!(contents == expected, "byte {offset} in {section} gives a wrong answer");
            }
            for game in index.games().step_by(30) {
                let _ = game.text();
            }
        }
    }
}

/// Flips every bit of every file of an index, padding, manifest, rejected records and extract included.
#[test]
fn verify_detects_every_flipped_bit() {
    let temp = TestFolder::new();
    let text = archive(22, 3, &[Variant::Russian]) + "1. c3-d4 (c3-b4 {quiet}) c3-d4 *\n";
    let mut options = options(1, 1000);
    options.segments.embed = cfg!(feature = "compression");
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", text)], &dir, &options);
    add_extracts(&dir);
    let sound = files(&dir);
    assert_eq!(sound.len(), 4, "manifest, rejects, a segment and its extract");
    for (name, bytes) in sound {
        assert!(bytes.len() > 100, "{name}");
        let path = dir.join(name);
        for_every_flipped_bit(&path, |bit| {
            let problem = match verify(&dir, &ONE_THREAD) {
                Ok(report) => report.problems.first().map(|finding| finding.problem.clone()),
                Err(error) => Some(error.to_string()),
            };
            let problem = problem.unwrap_or_else(|| panic!("bit {bit} of {}", path.display()));
            assert!(problem.contains(' '), "a sentence: {problem}");
        });
        assert!(fs::read(&path).expect("there") == bytes);
    }
    assert!(verify(&dir, &ONE_THREAD).expect("a manifest").is_sound());
}

#[test]
fn open_refuses_truncated_segments() {
    let (_place, dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    for len in (0..sound.len()).step_by(4999).chain([1, 63, 64, 65, sound.len() - 1]) {
        fs::write(&path, &sound[..len]).expect("written");
        assert!(Index::open(&dir).is_err(), "cut to {len}");
        assert!(!verify(&dir, &ONE_THREAD).expect("the manifest is sound").is_sound());
    }
}

#[test]
fn open_errors_name_the_file_and_the_remedy() {
    let (temp, dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    let check = |kind: fn(&ErrorKind) -> bool, expected_words: &[&str]| {
        let error = Index::open(&dir).expect_err("refused");
        assert!(kind(error.kind()), "{error:?}");
        for expected in expected_words {
            assert!(error.to_string().contains(expected), "{error} does not say {expected}");
        }
    };
    let mut newer = sound.clone();
    newer[8] = 3;
    fs::write(&path, &newer).expect("written");
    check(
        |kind| matches!(kind, ErrorKind::IndexVersion { version: 3, newest: 2 }),
        &["segment-00000001.pdns", "version 3"],
    );
    fs::write(&path, b"hello").expect("written");
    check(|kind| matches!(kind, ErrorKind::NotAnIndex), &["segment-00000001.pdns"]);
    fs::remove_file(&path).expect("removed");
    check(
        |kind| matches!(kind, ErrorKind::IndexDamaged { .. }),
        &["segment-00000001.pdns", "is missing", "index the archive again"],
    );
    assert!(
        matches!(Index::open(temp.path("a.pdn")).map_err(|error| error.to_string()), Err(text) if text.ends_with("a.pdn: is not an index"))
    );
    let report = verify(&dir, &ONE_THREAD).expect("the manifest is sound");
    assert!(report.problems[0].problem.contains("missing"), "{:?}", report.problems);
    // A sound segment of another index.
    let other = temp.path("other");
    index(&[temp.file("b.pdn", archive(21, 70, &[Variant::International]))], &other, &options(1, 1000));
    fs::copy(other.join("segment-00000001.pdns"), &path).expect("copied");
    check(
        |kind| matches!(kind, ErrorKind::IndexDamaged { .. }),
        &["segment-00000001.pdns", "not the segment"],
    );
    fs::write(&path, &sound).expect("written");
    Index::open(&dir).expect("sound again");

    let manifest = dir.join("manifest");
    let bytes = fs::read(&manifest).expect("readable");
    let mut newer = bytes.clone();
    newer[8] = 9;
    fs::write(&manifest, &newer).expect("written");
    check(
        |kind| matches!(kind, ErrorKind::IndexVersion { version: 9, newest: 4 }),
        &["manifest", "newer program"],
    );
    fs::remove_file(&manifest).expect("removed");
    check(|kind| matches!(kind, ErrorKind::NotAnIndex), &["is not an index"]);
    fs::write(&manifest, &bytes).expect("written");

    fs::write(dir.join("rejects.jsonl"), "{}\n").expect("written");
    let report = verify(&dir, &ONE_THREAD).expect("the manifest is sound");
    assert!(report.problems.iter().any(|finding| finding.path.ends_with("rejects.jsonl")));
}

/// Sections with matching checksums and random contents.
#[test]
fn readers_never_panic_on_forged_sections() {
    use xxhash_rust::xxh3::xxh3_64;
    let (_place, _dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    let table = SectionTable::read(&sound, &sound, sound.len() as u64).expect("sound");
    let end = sound.len() - 40 - 32 * table.entries.len();
    for (number, entry) in table.entries.iter().enumerate() {
        for round in 0..12u64 {
            let mut bytes = sound[..end].to_vec();
            let (start, len) = (entry.offset as usize, entry.len as usize);
            for step in 0..=round {
                let random = xxh3_64(&[round as u8, step as u8, number as u8]);
                if len > 0 {
                    bytes[start + random as usize % len] ^= (random >> 40) as u8 | 1;
                }
            }
            let mut entries = table.entries.clone();
            entries[number].checksum = xxh3_64(&bytes[start..start + len]);
            bytes.extend(crate::format::section::table(&entries, end as u64, table.games));
            fs::write(&path, &bytes).expect("written");
            let segment = Segment::open(&path).expect("the frame is sound");
            for game in 0..segment.len() {
                let _ = segment.row(game);
                let _ = segment.location(game);
                let _ = segment.embedded(game);
                if let (Ok(moves), Ok(Some(row))) = (segment.moves(), segment.row(game))
                    && let Ok(Some(bytes)) = moves.get(game)
                {
                    let _ = crate::pack::unpack(&Position::start(row.kind.game()), bytes);
                }
            }
            for kind in crate::internal::DictionaryKind::ALL {
                if let Ok(kind) = segment.dictionary(kind) {
                    let _ = (kind.prefix("w"), kind.folded("wiersma"), kind.number("Wiersma"));
                }
            }
        }
    }
}

/// A row that names the text after the last one of its dictionary, in a section with the right checksum.
#[test]
fn verify_names_a_text_after_the_last_one() {
    use xxhash_rust::xxh3::xxh3_64;
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", "[Event \"x\"]\n[White \"a\"]\n1. 32-28 1-1\n")], &dir, &options(1, 1000));
    let path = dir.join("segment-00000001.pdns");
    let sound = fs::read(&path).expect("readable");
    let table = SectionTable::read(&sound, &sound, sound.len() as u64).expect("sound");
    let end = sound.len() - 40 - 32 * table.entries.len();
    let mut found = 0;
    for column in [TextColumn::Event, TextColumn::White, TextColumn::Result] {
        let section = column.section();
        let number = table.entries.iter().position(|entry| entry.section == section as u32).expect("there");
        let entry = &table.entries[number];
        let (start, len) = (entry.offset as usize, entry.len as usize);
        for at in start..start + len {
            let mut bytes = sound[..end].to_vec();
            bytes[at] = bytes[at].wrapping_add(1);
            let mut entries = table.entries.clone();
            entries[number].checksum = xxh3_64(&bytes[start..start + len]);
            bytes.extend(crate::format::section::table(&entries, end as u64, table.games));
            fs::write(&path, &bytes).expect("written");
            let segment = Segment::open(&path).expect("the frame is sound");
            let texts = segment.dictionary(column.dictionary()).expect("sound").len() as u64;
            let is_next = segment.column(section).is_ok_and(|column| column.get(0) == Some(texts));
            if is_next {
                found += 1;
                let problems = verify(&dir, &ONE_THREAD).expect("the manifest is sound").problems;
                let is_named = |finding: &crate::internal::IndexProblem| {
                    finding.section == section.name() && finding.problem.contains("has no such text")
                };
                assert!(problems.iter().any(is_named), "{problems:?}");
            }
        }
    }
    assert!(found >= 3, "{found}");
}
