//! Indexes that older versions wrote, which stay readable.
//!
//! `corpora/index/vN` holds an archive, the index that version N of the format made of it, and its contents as text.
//! To make the fixture of a new version, run this test with `PDN_WRITE_FIXTURE` set to the number of the version. An
//! existing fixture is never overwritten.

use super::*;
use crate::internal::{VerifyOptions, verify};
use crate::manifest::Manifest;
use crate::row::summary_bits::status_of;
use crate::{NumberColumn, Section, VERSION};
use pdn::replay::GameStatus;

fn folder(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative(version))
}

/// The path relative to the root of the repository, which is the name of the archive in a fixture.
fn relative(version: u32) -> PathBuf {
    PathBuf::from(format!("corpora/index/v{version}"))
}

/// Makes the root of the repository the folder in which paths begin. No other test of this crate has relative paths.
fn enter_root() {
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("there");
}

fn fixture_options() -> ImportOptions {
    let mut options = options(1, 25);
    options.segments.embed = true;
    options
}

fn write_fixture() {
    enter_root();
    let folder = folder(VERSION);
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("games.pdn"), archive(1, 40, Variant::ALL)).expect("written");
    let dir = folder.join("index");
    index(&[relative(VERSION).join("games.pdn")], &dir, &fixture_options());
    fs::remove_file(dir.join("lock")).expect("removed");
    // The fixture must not contain paths of the machine that wrote it.
    let mut manifest = Manifest::read(&dir).expect("readable").expect("there");
    manifest.inputs[0].path = None;
    manifest.inputs[0].fingerprint = None;
    fs::write(dir.join("manifest"), manifest.to_bytes()).expect("written");
    let index = Index::open(dir).expect("opened");
    fs::write(folder.join("contents.txt"), contents(&index).expect("sound")).expect("written");
}

#[test]
fn indexes_of_every_version_are_readable() {
    let writes_fixture =
        std::env::var("PDN_WRITE_FIXTURE").is_ok_and(|version| version == VERSION.to_string());
    if writes_fixture && !folder(VERSION).exists() {
        write_fixture();
    }
    for version in 1..=VERSION {
        let folder = folder(version);
        let index = Index::open(folder.join("index")).expect("readable");
        let expected = fs::read_to_string(folder.join("contents.txt")).expect("in the repository");
        assert!(contents(&index).expect("sound") == expected, "version {version}");
        let text = fs::read(folder.join("games.pdn")).expect("in the repository");
        let texts: Vec<u8> = index.games().flat_map(|game| game.text().expect("embedded")).collect();
        assert!(texts == text, "version {version}");
        let report = verify(folder.join("index"), &VerifyOptions::ALL).expect("a manifest");
        assert!(report.is_sound(), "version {version}: {report:?}");
    }
}

/// All sections except compressed text, whose bytes depend on the version of the compressor.
#[test]
fn import_writes_the_bytes_of_the_fixture() {
    enter_root();
    let temp = TestFolder::new();
    index(&[relative(VERSION).join("games.pdn")], &temp.path("index"), &fixture_options());
    let (old, new) = (Index::open(folder(VERSION).join("index")), Index::open(temp.path("index")));
    let (old, new) = (old.expect("readable"), new.expect("readable"));
    assert_eq!(old.segments().len(), new.segments().len());
    for (old, new) in old.segments().iter().zip(new.segments()) {
        for &section in Section::ALL {
            if NumberColumn::FACTS.iter().any(|fact| fact.section() == section) {
                // The index was made when facts were not stored yet.
                assert_eq!((old.has(section), new.has(section)), (false, true), "{section:?}");
                continue;
            }
            // The index was made when no annotations were stored.
            if section != Section::Annotations {
                assert_eq!(old.has(section), new.has(section), "{section:?}");
            }
            if old.has(section) && !matches!(section, Section::Text | Section::TextBlocks) {
                if section == Section::Summary {
                    // The index was made when a position without moves still counted as empty.
                    let changed = GameStatus::Empty as u64 ^ GameStatus::Problem as u64;
                    let (old, new) =
                        (old.column(section).expect("sound"), new.column(section).expect("sound"));
                    for (old, new) in old.values().zip(new.values()) {
                        let was_empty = status_of(old) == Some(GameStatus::Empty);
                        assert!(old == new || was_empty && old ^ new == changed, "{section:?}");
                    }
                    continue;
                }
                assert!(
                    old.section(section).expect("sound") == new.section(section).expect("sound"),
                    "{section:?}"
                );
            }
        }
    }
    // The list has more keys by now, but the same records.
    let texts = |index: &Index| -> Vec<String> {
        let list = fs::read_to_string(index.rejects_path()).expect("there");
        let text = |line: &str| line.split_once("\"text\":").expect("every line has the record").1.to_owned();
        list.lines().map(text).collect()
    };
    assert_eq!(texts(&old), texts(&new));
}
