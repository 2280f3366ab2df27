//! Merged segments: the same query results and the same bytes, in whatever steps they were made.

use super::*;
use crate::internal::{VerifyOptions, merge, verify};
use crate::{Section, Segment};

/// Writes 40 archives of different sizes, variants and names.
fn archives(temp: &TestFolder) -> Vec<PathBuf> {
    let variants: [&[Variant]; 3] =
        [&[Variant::International], &[Variant::Russian, Variant::English], Variant::ALL];
    let write_archive = |number: u64| {
        let text = archive(100 + number, 1 + number * number % 7, variants[number as usize % 3]);
        temp.file(&format!("{number:02}.pdn"), text)
    };
    (0..40).map(write_archive).collect()
}

fn with_embedding(options: ImportOptions, embed: bool) -> ImportOptions {
    ImportOptions { segments: SegmentOptions { embed, ..options.segments }, ..options }
}

/// Returns the contents of an index and the text of every game.
fn contents_and_texts(dir: &Path) -> (String, Vec<Vec<u8>>) {
    let index = Index::open(dir).expect("opened");
    let texts = index.games().map(|game| game.text().expect("there")).collect();
    (contents(&index).expect("sound"), texts)
}

#[test]
fn merged_segments_equal_those_of_one_import() {
    for embed in [false, cfg!(feature = "compression")] {
        let temp = TestFolder::new();
        let paths = archives(&temp);
        let (once, grown) = (temp.path("once"), temp.path("grown"));
        index(&paths, &once, &with_embedding(options(2, 1000), embed));
        for (number, path) in paths.iter().enumerate() {
            let options = ImportOptions { append: number > 0, ..options(1 + number % 3, 1000) };
            index(std::slice::from_ref(path), &grown, &with_embedding(options, embed));
        }
        let segments = |dir: &Path| Index::open(dir).expect("opened").segments().len();
        assert!((2..20).contains(&segments(&grown)), "{} segments", segments(&grown));
        assert!(contents_and_texts(&grown) == contents_and_texts(&once));

        let merged = merge(&grown, &SegmentOptions::default()).expect("merged");
        assert_eq!((merged.after, merged.games), (1, Index::open(&once).expect("opened").len()));
        assert!(merged.before > 1);
        assert!(contents_and_texts(&grown) == contents_and_texts(&once));
        assert!(verify(&grown, &VerifyOptions::ALL).expect("a manifest").is_sound());
        let segment =
            |dir: &Path| files(dir).into_iter().find(|(name, _)| name.ends_with(".pdns")).expect("one").1;
        assert!(segment(&grown) == segment(&once), "byte by byte");
        assert_eq!(files(&grown).len(), 3, "the old segments are gone");
        // A second merge has nothing to do.
        let before = files(&grown);
        let again = merge(&grown, &SegmentOptions::default()).expect("nothing to merge");
        assert_eq!((again.before, again.after), (1, 1));
        assert!(files(&grown) == before);
    }
}

/// More games than are copied at once, in runs and blocks of checksums of any length.
#[test]
fn merged_segments_of_thousands_of_games_equal_those_of_one_import() {
    let temp = TestFolder::new();
    let paths = [1500, 2100, 1].map(|games| {
        let games: String = (0..games).map(|n| format!("[White \"{}\"]\n1. 32-28 *\n\n", n % 40)).collect();
        temp.file(&format!("{}.pdn", games.len()), games)
    });
    let (once, merged) = (temp.path("once"), temp.path("merged"));
    index(&paths, &once, &options(1, 1 << 20));
    index(&paths, &merged, &options(2, 1337));
    let after = merge(&merged, &SegmentOptions::default()).expect("merged").after;
    assert_eq!((after, Index::open(&merged).expect("opened").len()), (1, 3601));
    assert!(contents_and_texts(&merged) == contents_and_texts(&once));
    assert!(verify(&merged, &VerifyOptions::ALL).expect("a manifest").is_sound());
}

#[test]
fn merge_respects_the_maximum_segment_size() {
    let temp = TestFolder::new();
    let paths = [temp.file("a.pdn", archive(30, 100, &[Variant::International]))];
    let dir = temp.path("index");
    index(&paths, &dir, &options(1, 7));
    let before = contents_and_texts(&dir);
    let segments = SegmentOptions { segment_games: 30, ..SegmentOptions::default() };
    let merged = merge(&dir, &segments).expect("merged");
    assert_eq!((merged.before, merged.after), (15, 4));
    let sizes: Vec<_> = Index::open(&dir)
        .expect("opened")
        .segments()
        .iter()
        .map(|write_archive| write_archive.len())
        .collect();
    assert_eq!(sizes, [28, 28, 28, 16]);
    assert!(contents_and_texts(&dir) == before);
    // Blocks of text checksums that a full segment divided are joined again.
    let all = merge(&dir, &SegmentOptions::default()).expect("merged");
    assert_eq!(all.after, 1);
    assert!(contents_and_texts(&dir) == before);
    let whole = temp.path("whole");
    index(&paths, &whole, &options(1, 1000));
    for &section in Section::ALL {
        let [ours, theirs] = [&dir, &whole].map(|dir| Index::open(dir).expect("opened"));
        if !matches!(section, Section::TextSums | Section::TextSumEnds | Section::Text | Section::TextBlocks)
        {
            let (ours, theirs) = (&ours.segments()[0], &theirs.segments()[0]);
            let bytes = |segment: &Segment| {
                segment.has(section).then(|| segment.section(section).expect("sound").to_owned())
            };
            assert!(bytes(ours) == bytes(theirs), "{section:?}");
        }
    }
    assert!(verify(&dir, &VerifyOptions::ALL).expect("a manifest").is_sound());
}

#[test]
fn merge_refuses_damaged_segments() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(31, 60, &[Variant::English]))], &dir, &options(1, 20));
    let path = dir.join("segment-00000002.pdns");
    let sound = fs::read(&path).expect("readable");
    for at in (64..sound.len() - 64).step_by(97) {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        fs::write(&path, bytes).expect("written");
        let before = files(&dir);
        let error =
            merge(&dir, &SegmentOptions::default()).expect_err("damage must not be copied").to_string();
        assert!(error.contains("segment-00000002.pdns") && error.contains("damaged"), "byte {at}: {error}");
        assert!(files(&dir) == before, "nothing has changed");
    }
}

#[cfg(feature = "compression")]
#[test]
fn merge_keeps_segments_of_older_versions() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    fs::create_dir(&dir).expect("made");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/index/v1/index");
    for file in fs::read_dir(old).expect("in the repository") {
        let file = file.expect("readable");
        fs::copy(file.path(), dir.join(file.file_name())).expect("copied");
    }
    let before = files(&dir);
    let merged = merge(&dir, &SegmentOptions::default()).expect("nothing to merge");
    assert_eq!((merged.before, merged.after), (2, 2));
    assert!(files(&dir) == before);
    // Appended segments have the present version, and only these are merged.
    for number in 0..20 {
        let path = temp.file(&format!("{number}.pdn"), archive(number, 1, &[Variant::International]));
        index(&[path], &dir, &ImportOptions { append: true, ..options(1, 1000) });
    }
    let opened = Index::open(&dir).expect("opened");
    let versions: Vec<_> = opened.segments().iter().map(|segment| segment.version()).collect();
    assert_eq!(&versions[..2], [1, 1]);
    assert!(versions.len() < 2 + 12 && versions[2..].iter().all(|&version| version == 2), "{versions:?}");
    assert_eq!(opened.len(), 60);
    assert!(verify(&dir, &VerifyOptions::INDEX).expect("a manifest").is_sound());
    let merged = merge(&dir, &SegmentOptions::default()).expect("merged");
    assert_eq!(merged.after, 3);
}
