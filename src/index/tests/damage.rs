//! Bits flipped in every section, files cut, parts missing: an error with a place, or the right answer; never a
//! panic, never another answer.

use super::*;
use crate::error::ErrorKind;
use crate::index::format::section::{Section, SectionTable};
use crate::index::{Segment, VerifyOptions, verify};

fn small() -> (TestFolder, PathBuf, PathBuf) {
    let place = TestFolder::new();
    let paths = [place.file("a.pdn", archive(20, 70, &[Variant::International, Variant::Frisian]))];
    let dir = place.path("index");
    let mut options = options(1, 1000);
    options.segments.embed = cfg!(feature = "compression");
    index(&paths, &dir, &options);
    let segment = dir.join("segment-00000001.pdns");
    (place, dir, segment)
}

#[test]
fn a_flipped_bit_in_any_section_is_found() {
    let (_place, dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    let expected = contents(&Index::open(&dir).expect("opened")).expect("sound");
    let table = SectionTable::read(&sound).expect("sound");
    assert_eq!(table.entries.len(), Section::ALL.len() - if cfg!(feature = "compression") { 0 } else { 2 });
    let mut places: Vec<(usize, &str)> = vec![(0, ""), (9, ""), (40, "footer")];
    for entry in &table.entries {
        let name =
            Section::ALL.iter().find(|&&section| section as u32 == entry.section).expect("known").name();
        let len = entry.len as usize;
        for at in [0, len / 3, len / 2, len.saturating_sub(1)] {
            if at < len {
                places.push((entry.offset as usize + at, name));
            }
        }
    }
    places.extend((1..=40).map(|back| (sound.len() - back, "")));
    for (at, section) in places {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).expect("written");
        let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
        assert!(!report.problems.is_empty(), "byte {at} in {section}");
        assert!(report.problems.iter().all(|finding| finding.path == path));
        if !section.is_empty() {
            let named = report.problems.iter().any(|finding| finding.section == section);
            assert!(named, "byte {at}: {:?} instead of {section}", report.problems);
        }
        if let Ok(index) = Index::open(&dir) {
            if let Ok(contents) = contents(&index) {
                assert!(contents == expected, "byte {at} in {section} gives a wrong answer");
            }
            for game in index.games().step_by(30) {
                let _ = game.text();
            }
        }
    }
}

/// Every bit of every byte of every file of an index: padding, manifest and rejects included.
#[test]
fn no_bit_of_an_index_can_change_unnoticed() {
    let place = TestFolder::new();
    let text = archive(22, 3, &[Variant::Russian]) + "1. c3-d4 c3-d4 *\n";
    let mut options = options(1, 1000);
    options.segments.embed = cfg!(feature = "compression");
    let dir = place.path("index");
    index(&[place.file("a.pdn", text)], &dir, &options);
    let sound = files(&dir);
    assert_eq!(sound.len(), 3, "manifest, rejects and a segment");
    for (name, bytes) in sound {
        assert!(bytes.len() > 100, "{name}");
        let path = dir.join(name);
        let mut changed = bytes.clone();
        for bit in 0..bytes.len() * 8 {
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &changed).expect("written");
            changed[bit / 8] = bytes[bit / 8];
            let said = match verify(&dir, &VerifyOptions::INDEX) {
                Ok(report) => report.problems.first().map(|finding| finding.problem.clone()),
                Err(error) => Some(error.to_string()),
            };
            let said = said.unwrap_or_else(|| panic!("bit {bit} of {}", path.display()));
            assert!(said.contains(' '), "a sentence: {said}");
        }
        fs::write(&path, &bytes).expect("written");
    }
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound());
}

#[test]
fn a_cut_file_is_refused() {
    let (_place, dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    for len in (0..sound.len()).step_by(4999).chain([1, 63, 64, 65, sound.len() - 1]) {
        fs::write(&path, &sound[..len]).expect("written");
        assert!(Index::open(&dir).is_err(), "cut to {len}");
        assert!(!verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound").is_sound());
    }
}

#[test]
fn refusals_say_what_to_do() {
    let (place, dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    let check = |kind: fn(&ErrorKind) -> bool, words: &[&str]| {
        let error = Index::open(&dir).expect_err("refused");
        assert!(kind(error.kind()), "{error:?}");
        for word in words {
            assert!(error.to_string().contains(word), "{error} does not say {word}");
        }
    };
    let mut newer = sound.clone();
    newer[8] = 3;
    fs::write(&path, &newer).expect("written");
    check(
        |kind| matches!(kind, ErrorKind::IndexVersion { found: 3, newest: 2 }),
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
        matches!(Index::open(place.path("a.pdn")).map_err(|error| error.to_string()), Err(text) if text.ends_with("a.pdn: is not an index; `pdn index` makes one"))
    );
    let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
    assert!(report.problems[0].problem.contains("missing"), "{:?}", report.problems);
    // A sound segment, but another one.
    let other = place.path("other");
    index(&[place.file("b.pdn", archive(21, 70, &[Variant::International]))], &other, &options(1, 1000));
    fs::copy(other.join("segment-00000001.pdns"), &path).expect("copied");
    check(|kind| matches!(kind, ErrorKind::IndexDamaged { .. }), &["segment-00000001.pdns", "not the one"]);
    fs::write(&path, &sound).expect("written");
    Index::open(&dir).expect("sound again");

    let manifest = dir.join("manifest");
    let bytes = fs::read(&manifest).expect("readable");
    let mut newer = bytes.clone();
    newer[8] = 9;
    fs::write(&manifest, &newer).expect("written");
    check(
        |kind| matches!(kind, ErrorKind::IndexVersion { found: 9, newest: 2 }),
        &["manifest", "newer program"],
    );
    fs::remove_file(&manifest).expect("removed");
    check(|kind| matches!(kind, ErrorKind::NotAnIndex), &["pdn index"]);
    fs::write(&manifest, &bytes).expect("written");

    fs::write(dir.join("rejects.jsonl"), "{}\n").expect("written");
    let report = verify(&dir, &VerifyOptions::INDEX).expect("the manifest is sound");
    assert!(report.problems.iter().any(|finding| finding.path.ends_with("rejects.jsonl")));
}

/// Sections whose sums fit but whose contents were made up: no panic.
#[test]
fn nonsense_with_fitting_sums_is_no_panic() {
    use xxhash_rust::xxh3::xxh3_64;
    let (_place, _dir, path) = small();
    let sound = fs::read(&path).expect("readable");
    let table = SectionTable::read(&sound).expect("sound");
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
            bytes.extend(crate::index::format::section::table(&entries, end as u64, table.games));
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
            for names in crate::index::DictionaryKind::ALL {
                if let Ok(names) = segment.names(names) {
                    let _ = (names.prefix("w"), names.folded("wiersma"), names.number("Wiersma"));
                }
            }
        }
    }
}
