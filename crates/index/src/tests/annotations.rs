//! Variations and notes in whole indexes: merged, appended, damaged, and missing in an index of an earlier version.

use super::*;
use crate::Segment;
use crate::format::annotations::AnnotationBits;
use crate::format::columns::Section;
use crate::internal::{VerifyOptions, merge, verify};

const GAME: &str =
    "[GameType \"20\"]\n1. 32-28 (33-28 18-23 {a shot}) 19-23! 2. 28x19 14x23 (2... 13x24 $4) *\n\n";

/// Games with variations and notes, each between some that have none.
fn annotated(seed: u64) -> String {
    let plain = archive(seed, 70, &[Variant::International, Variant::Russian]);
    format!("{GAME}{plain}{GAME}[GameType \"20\"]\n{{a comment}} 1. 32-28 *\n\n")
}

/// Returns the variations and notes of all games.
fn stored(dir: &Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    let index = Index::open(dir).expect("opened");
    let of_segment = |segment: &Segment| {
        let variations = segment.variations().expect("sound").expect("stored");
        let notes = segment.notes().expect("sound").expect("stored");
        let games = 0..segment.len();
        let bytes =
            |game| (variations.get(game).expect("sound").to_vec(), notes.get(game).expect("sound").to_vec());
        games.map(bytes).collect::<Vec<_>>()
    };
    index.segments().iter().flat_map(of_segment).collect()
}

#[test]
fn variations_and_notes_survive_appends_and_merges() {
    let temp = TestFolder::new();
    let paths = [temp.file("a.pdn", annotated(60)), temp.file("b.pdn", annotated(61))];
    let (whole, parts) = (temp.path("whole"), temp.path("parts"));
    index(&paths, &whole, &options(2, 1 << 20));
    let mut appended = options(1, 9);
    index(&paths[..1], &parts, &appended);
    appended.append = true;
    index(&paths[1..], &parts, &appended);
    let expected = stored(&whole);
    assert_eq!(expected.iter().filter(|(variations, _)| !variations.is_empty()).count(), 4);
    assert_eq!(expected.iter().filter(|(_, notes)| !notes.is_empty()).count(), 6);
    assert_eq!(stored(&parts), expected);
    merge(&parts, &SegmentOptions::default()).expect("merged");
    assert_eq!(stored(&parts), expected);
    let (merged, whole) = (Index::open(&parts).expect("opened"), Index::open(&whole).expect("opened"));
    for section in [
        Section::Annotations,
        Section::Variations,
        Section::VariationLengths,
        Section::Notes,
        Section::NoteLengths,
    ] {
        let bytes = |index: &Index| index.segments()[0].section(section).expect("sound").to_vec();
        assert!(bytes(&merged) == bytes(&whole), "{section:?}");
    }
    assert!(verify(&parts, &VerifyOptions::ALL).expect("a manifest").is_sound());
}

#[test]
fn segment_without_variations_has_the_flags_only() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(3, 40, &[Variant::International]))], &dir, &options(1, 1 << 20));
    let index = Index::open(&dir).expect("opened");
    let segment = &index.segments()[0];
    assert!(segment.section_len(Section::Annotations) <= 32);
    for section in [Section::Variations, Section::VariationLengths, Section::Notes, Section::NoteLengths] {
        assert!(!segment.has(section), "{section:?}");
    }
}

#[test]
#[cfg(feature = "compression")]
fn merging_with_an_earlier_index_keeps_what_is_known_and_what_is_not() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    fs::create_dir(&dir).expect("made");
    let earlier = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/index/v2/index");
    for (name, bytes) in files(&earlier) {
        fs::write(dir.join(name), bytes).expect("written");
    }
    let before = Index::open(&dir).expect("opened").len();
    let mut appended = options(1, 1 << 20);
    (appended.append, appended.segments.embed) = (true, true);
    index(&[temp.file("b.pdn", annotated(62))], &dir, &appended);
    merge(&dir, &SegmentOptions { embed: true, ..SegmentOptions::default() }).expect("merged");
    let merged = Index::open(&dir).expect("opened");
    let [segment] = merged.segments() else { panic!("{}", merged.segments().len()) };
    let bits = segment.annotation_bits().expect("sound").expect("there");
    let unknown = |game| bits.get(game) == Some(u64::from(AnnotationBits::UNKNOWN));
    let (earlier, new) = (0..before as usize, before as usize..segment.len());
    assert!(earlier.clone().count() > 30 && earlier.clone().all(unknown) && !new.clone().any(unknown));
    let variations = segment.variations().expect("sound").expect("stored");
    assert!(earlier.clone().all(|game| variations.lines(game).expect("sound").is_empty()));
    assert_eq!(new.map(|game| variations.lines(game).expect("sound").len()).sum::<usize>(), 4);
    assert!(verify(&dir, &VerifyOptions::ALL).expect("a manifest").is_sound());
}
