//! Shared material of the tests: files, and generators of PDN-like text.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pdn::source::OpenOptions;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Returns the root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests have a folder of their own")
}

/// Returns every `.pdn`, `.PDN` and `.txt` file below `folder`, in order, with its path relative to the package.
pub(crate) fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = walkdir::WalkDir::new(root().join(folder))
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.into_path())
        .filter(|path| matches!(path.extension().and_then(|e| e.to_str()), Some("pdn" | "PDN" | "txt")))
        .map(|path| (path.strip_prefix(root()).unwrap_or(&path).to_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Returns the fixtures in `corpora/`, without those of indexes and the sample archive.
///
/// # Panics
///
/// If there are none.
pub(crate) fn fixtures() -> &'static [(PathBuf, Vec<u8>)] {
    static FIXTURES: OnceLock<Vec<(PathBuf, Vec<u8>)>> = OnceLock::new();
    let fixtures = FIXTURES.get_or_init(|| {
        let mut fixtures = files("corpora");
        // The fixtures of indexes have tests of their own; the sample archive shows no single thing, and is large.
        fixtures.retain(|(path, _)| {
            path.extension().is_some_and(|e| e == "pdn")
                && !path.components().any(|c| c.as_os_str() == "index" || c.as_os_str() == "sample")
        });
        fixtures
    });
    assert!(!fixtures.is_empty(), "the fixtures are part of the package");
    fixtures
}

/// Returns real files, which are not part of the package; none if they are not present.
#[expect(clippy::print_stderr, reason = "a skipped test reports it")]
pub(crate) fn real_files() -> Vec<(PathBuf, Vec<u8>)> {
    let files = files("../shared/corpora");
    if files.is_empty() {
        eprintln!("SKIPPED: there is no ../shared/corpora, real files are not tested");
    }
    files
}

/// Returns a configuration with the given number of cases, unless the environment variable `PROPTEST_CASES` sets another, and with the
/// [seed from outside](outside_seed). Failures become named tests, so no seeds are stored.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(outside_seed());
    let base = ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { base } else { ProptestConfig { cases, ..base } }
}

/// Returns the seed of a random test. The environment variable `PDN_SEED` chooses other ones.
pub(crate) fn seed(own: u64) -> u64 {
    own.wrapping_add(outside_seed().wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Returns the seed that the environment variable `PDN_SEED` gives to all random tests; without it 0.
pub(crate) fn outside_seed() -> u64 {
    std::env::var("PDN_SEED").map_or(0, |seed| seed.parse().expect("PDN_SEED is a number"))
}

/// Fragments of PDN, sound and damaged.
const FRAGMENTS: &[&str] = &[
    "[Event \"x\"]",
    "[White \"a\"]",
    "[Black \"b\"]\n",
    "[Result \"1-0\"]\n",
    "[FEN \"W:W1:B2\"]",
    "[ Site  \"y\" ]",
    "\n[Event \"x\"]\n",
    "\n\n[Event \"x\"]\n",
    "\n\n[White \"a\"]\n",
    "[Result \"4-6\"]\n",
    "[White \"a\"\n",
    "[Bare]",
    "[Type de jeu \"20\"]",
    "\n[Type de jeu \"20\"]\n",
    "\n[Heure blanche \"x\" ]\\r\n",
    "\n[&#x00c9;v\u{e9}nement \"x\"]\n",
    "\n[&Eacute;t d'un \"",
    "\n[some remark \"x\"]\n",
    "\n[White says \"x\"] 1-2\n",
    " words ",
    "[Loose value]\n",
    "\n[Loose",
    "[Event \"a\\\"b\"]",
    "[W \"C:\\\"]\n",
    "[Event \"a \"b\" c\"]\n",
    "[Event \"two\nlines\"]",
    "[Event \"never\n",
    "[Event \"]",
    "Event \"x\"]\n",
    "\nEvent \"x\"]\n",
    "\n\nWhite \"y\" ]\n",
    "\n\tSite \"z\"]\r\n",
    "[\nEvent \"x\"]\n",
    "[",
    "]",
    "[[",
    "\"",
    "\\",
    "\\r",
    "\\n",
    "\\r\n",
    "{",
    "}",
    "{ a }",
    "{ a { b } c }",
    "{\n[Event \"in\"]\n}",
    "{[%clk 1:00]}",
    ";",
    "; line\n",
    "\n% line\n",
    "%",
    "{}",
    "}}",
    "{{",
    "(",
    ")",
    "()",
    "(!)",
    "(see game 5)",
    "(some words; 8-11 is\n1-0 better)",
    "((two words) 8-11)",
    "(18-23 38-32)",
    "(1. 32-28 1-0",
    "*",
    " * ",
    " *\n",
    "27-20*",
    ")*",
    "(?)*",
    "**",
    "1-0",
    " 1-0\n",
    " 0-1 ",
    "1/2-1/2",
    " 1/2 - 1/2\n",
    "1 1/2 - 1/2",
    " 2-0",
    "1-1",
    "0-0 ",
    "½-½",
    "½–½",
    "½ : ½ ",
    "1/2:1/2\n",
    " 1:0 ",
    "1 : 0",
    " 0 - 2",
    "1 - 1[",
    "1–0",
    "1-101.32-28",
    "2-01.",
    "1:1001.",
    ":",
    "28x17x 8 ",
    "28 x 17 x 8 ",
    "&frac12;&ndash;&frac12;",
    "1+ - 1-",
    " 1- - 1+ ",
    "1.02-0.98",
    "1-0.",
    "1-0.5",
    "x1-0",
    "time1-0",
    "-1-0",
    "1-0\\r\n",
    "1-0-5",
    "1. ",
    "1.32-28 ",
    "32-28 ",
    "19-23",
    " 28x19 14x23 ",
    "26x17x10 ",
    "c3-d4 ",
    "c7:e5:c3 ",
    "a3b4 ",
    "3228 ",
    "1 . ",
    "1... ",
    "... ",
    "- - ",
    "--",
    "32 - 28 ",
    "1-18",
    "1- 6",
    "/",
    "/FEN \"B:::\"/",
    "/FEN \"W:W1\n",
    "/FEN",
    "/ ",
    "$1",
    "!",
    "?!",
    " !",
    "□",
    "<42,29>",
    "<",
    ">",
    "word ",
    "Word ",
    "Redover",
    "\n\nBos - Dijk 2-0\n1. 32-28 ",
    "\nClub evening\n",
    "\n\n  Club evening\r\nBos - Dijk 1-1\n\n1. ",
    "ход ",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\r\r",
    "\0",
    "\x1a",
    "\u{a0}",
    "\u{feff}",
    "\n\u{feff}[Event \"x\"]\n",
    ".",
    ",",
    ":",
    "&",
    "#",
    "'",
    "~",
    "1",
    "1 ",
    "12345 ",
    "0",
    "A",
    "a",
    "a1",
    "FEN",
    "[R&#x00e9;sultat \"1-1\"]",
    "[%clock w0:10:00]",
];

/// Generates text of fragments of PDN, sound and damaged, whitespace, runs of one character and a few random bytes.
pub(crate) fn pdn_like() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        30 => proptest::sample::select(FRAGMENTS).prop_map(|s| s.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
        1 => (" |\n|\t", 1usize..40).prop_map(|(s, n)| s.repeat(n).into_bytes()),
        1 => (r#"[!-/:-?\[-`{-~\x{bd}]"#, prop_oneof![9 => 2usize..9, 1 => 60usize..140])
            .prop_map(|(s, n)| s.repeat(n).into_bytes()),
    ];
    proptest::collection::vec(fragment, 0..40).prop_map(|parts| parts.concat())
}

/// A change to a text: its offset as a fraction, its length in bytes, its kind, and the offset or index of other
/// material.
pub(crate) type Change = (prop::sample::Index, usize, u8, prop::sample::Index);

/// Generates one to five changes.
pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    proptest::collection::vec(
        (any::<prop::sample::Index>(), 1usize..12, any::<u8>(), any::<prop::sample::Index>()),
        1..6,
    )
}

/// Returns `text` with the given changes: bytes and lines deleted, inserted, duplicated and swapped.
pub(crate) fn mutated(text: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut text = text.to_vec();
    for (place, len, kind, other) in changes {
        if text.is_empty() {
            break;
        }
        let at = place.index(text.len());
        let end = text.len().min(at + len);
        let line = |i: usize, text: &[u8]| {
            let start = text[..i].iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1);
            start..text[i..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| i + n + 1)
        };
        match kind % 7 {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..at, FRAGMENTS[other.index(FRAGMENTS.len())].bytes())),
            2 => text[at] = b"[](){}\"*;%/\\-\n\r \0"[other.index(17)],
            3 => {
                let other = other.index(text.len());
                text.swap(at, other);
            }
            4 => drop(text.drain(line(at, &text))),
            5 => {
                let copy = text[line(other.index(text.len()), &text)].to_vec();
                let start = line(at, &text).start;
                drop(text.splice(start..start, copy));
            }
            _ => text.truncate(text.len() - at.min(40).min(text.len())),
        }
    }
    text
}

/// Returns options that read files and options that map them.
#[expect(unsafe_code, reason = "mapping a file is unsafe: another process may change it")]
pub(crate) fn read_and_mapped() -> [OpenOptions; 2] {
    // SAFETY: No other program knows the files of a test.
    [OpenOptions::new(), unsafe { OpenOptions::new().map_files() }]
}
