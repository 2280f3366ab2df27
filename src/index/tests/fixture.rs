//! An index of version 1 as it was written once: it stays readable for ever.
//!
//! `corpora/index/v1` holds the archive and the index. To make the fixture of a new version, run this test with
//! `PDN_WRITE_FIXTURE` set to the number of the version; a fixture that is there is never written again.

use super::*;
use crate::index::manifest::Manifest;
use crate::index::{Section, VERSION, VerifyOptions, verify};

fn folder(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative(version))
}

/// Tests run in the root of the package.
fn relative(version: u32) -> PathBuf {
    PathBuf::from(format!("corpora/index/v{version}"))
}

fn fixture_options() -> ImportOptions {
    let mut options = options(1, 25);
    options.segments.embed = true;
    options
}

fn write_fixture() {
    let folder = folder(VERSION);
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("games.pdn"), archive(1, 40, Variant::ALL)).expect("written");
    let dir = folder.join("index");
    index(&[relative(VERSION).join("games.pdn")], &dir, &fixture_options());
    fs::remove_file(dir.join("lock")).expect("removed");
    // The fixture is read wherever the repository lies, so it knows no place on this machine.
    let mut manifest = Manifest::read(&dir).expect("readable").expect("there");
    manifest.inputs[0].path = None;
    manifest.inputs[0].fingerprint = None;
    fs::write(dir.join("manifest"), manifest.to_bytes()).expect("written");
    let index = Index::open(dir).expect("opened");
    fs::write(folder.join("contents.txt"), contents(&index).expect("sound")).expect("written");
}

#[test]
fn indexes_of_every_version_are_readable() {
    let wanted = std::env::var("PDN_WRITE_FIXTURE").is_ok_and(|version| version == VERSION.to_string());
    if wanted && !folder(VERSION).exists() {
        write_fixture();
    }
    for version in 1..=VERSION {
        let folder = folder(version);
        let index = Index::open(folder.join("index")).expect("readable for ever");
        let expected = fs::read_to_string(folder.join("contents.txt")).expect("in the repository");
        assert!(contents(&index).expect("sound") == expected, "version {version}");
        let text = fs::read(folder.join("games.pdn")).expect("in the repository");
        let texts: Vec<u8> = index.games().flat_map(|game| game.text().expect("embedded")).collect();
        assert!(texts == text, "version {version}");
        let report = verify(folder.join("index"), &VerifyOptions::ALL).expect("a manifest");
        assert!(report.is_sound(), "version {version}: {report:?}");
    }
}

/// The same games give the same sections as when the version was new, but for what a compressor made of them.
#[test]
fn the_current_version_is_written_as_ever() {
    let place = TestFolder::new();
    index(&[relative(VERSION).join("games.pdn")], &place.path("index"), &fixture_options());
    let (old, new) = (Index::open(folder(VERSION).join("index")), Index::open(place.path("index")));
    let (old, new) = (old.expect("readable"), new.expect("readable"));
    assert_eq!(old.segments().len(), new.segments().len());
    for (old, new) in old.segments().iter().zip(new.segments()) {
        for &section in Section::ALL {
            if !matches!(section, Section::Text | Section::TextBlocks) {
                assert!(
                    old.section(section).expect("sound") == new.section(section).expect("sound"),
                    "{section:?}"
                );
            }
        }
    }
    assert_eq!(fs::read(old.rejects_path()).expect("there"), fs::read(new.rejects_path()).expect("there"));
}
