//! Seeds of fuzzing: the fixtures of the library, in the form that each target takes.

use std::fs;
use std::path::{Path, PathBuf};

use pdn::rules::Variant;
use pdn::view::RecordView;
use pdn_index::{ImportOptions, Index, import};

/// A seed.
#[derive(Debug)]
pub struct Seed {
    /// Name of its file.
    pub name: String,
    /// Contents of its file.
    pub bytes: Vec<u8>,
}

/// Maximum length of a seed in bytes; longer ones slow a fuzzer down without new coverage.
const LONGEST: usize = 8 << 10;

/// Returns the seeds of a target; none if there is no such target.
pub fn of(target: &str) -> Vec<Seed> {
    match target {
        "split" | "pieces" | "walk" | "check" | "tree" | "replay" | "index" | "write" | "edit" | "fix" => {
            texts()
        }
        "source" => sources(),
        "values" => values(),
        "moves" => moves(),
        "packed" => packed(),
        "query" => queries(),
        "index_damage" => damages(),
        _ => Vec::new(),
    }
}

/// Returns a constant archive of a few games of several variants.
pub(crate) fn archive() -> Vec<u8> {
    fs::read(corpora().join("index/v1/games.pdn")).expect("part of the package")
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora")
}

/// Returns the files in some folders, sorted by file name.
fn files(folders: &[&str]) -> Vec<Seed> {
    let mut found = Vec::new();
    for folder in folders {
        let mut paths: Vec<_> = fs::read_dir(corpora().join(folder))
            .expect("part of the package")
            .map(|entry| entry.expect("readable").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "pdn"))
            .collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            found.push(Seed { name, bytes: fs::read(path).expect("readable") });
        }
    }
    found.retain(|seed| seed.bytes.len() <= LONGEST);
    found
}

fn texts() -> Vec<Seed> {
    files(&["codes", "quirks", "specs"])
}

/// Returns texts in every encoding, compressed texts, and a minimal file of each container.
fn sources() -> Vec<Seed> {
    let mut found = files(&["encodings", "quirks"]);
    let gzip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data/clean.pdn.gz");
    found.push(Seed { name: "clean.pdn.gz".to_owned(), bytes: fs::read(gzip).expect("readable") });
    for (name, bytes) in [
        ("frame.zst", &b"\x28\xB5\x2F\xFD\x04\x00\x41\x00\x001. 3-4 *"[..]),
        ("empty.bz2", b"BZh9\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00"),
        ("empty.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ] {
        found.push(Seed { name: name.to_owned(), bytes: bytes.to_vec() });
    }
    found
}

/// Returns the values of all tags.
fn values() -> Vec<Seed> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    for file in texts() {
        for game in pdn::split::records(&file.bytes).map(RecordView::from) {
            found.extend(game.tags().map(|tag| tag.value.to_vec()).filter(|value| !value.is_empty()));
        }
    }
    for text in ["40/7200:3600", "4800+60", "*180", "[%clock w1:00:00 B0:59:59]", "$142", "(!?)", "1.02-0.98"]
    {
        found.push(text.as_bytes().to_vec());
    }
    found.sort();
    found.dedup();
    numbered(found)
}

/// Returns seeds of a byte for the variant and a position.
fn moves() -> Vec<Seed> {
    let text = fs::read_to_string(corpora().join("rules/positions.jsonl")).expect("readable");
    let field = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\": \""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let seed = |line: &str| {
        let variant = Variant::from_name(&field(line, "variant")?)?;
        let which = Variant::ALL.iter().position(|&other| other == variant)? as u8;
        Some([&[which], field(line, "fen")?.as_bytes()].concat())
    };
    numbered(text.lines().step_by(7).filter_map(seed).collect())
}

/// Returns seeds of a byte for the variant and packed moves.
fn packed() -> Vec<Seed> {
    let place = tempfile::tempdir().expect("a temporary folder");
    let (archive, dir) = (place.path().join("a.pdn"), place.path().join("index"));
    fs::write(&archive, self::archive()).expect("room");
    import([&archive], &dir, &ImportOptions::default()).expect("built");
    let index = Index::open(&dir).expect("just built");
    let seed = |game: pdn_index::IndexedGame<'_>| {
        let variant = game.row().ok()?.kind.variant;
        let which = Variant::ALL.iter().position(|&other| other == variant)? as u8;
        Some([&[which], game.moves().ok()?].concat())
    };
    numbered(index.games().filter_map(seed).collect())
}

/// Returns queries with every keyword of the language.
fn queries() -> Vec<Seed> {
    let questions = [
        "white : wiersma and (w-b >= 2 for 4 or wk = 1)",
        "PLAYER ~ \"v.d. wal\" AND Event = WK*",
        "site = \"a \\\"b\\\" \\*\" or loser : x and winner ~ y",
        "date 1990..1995 and date >= 1990-06 and not date ..31.12.1999",
        "rating white 2000..2100 or rating either >= 2200",
        "round 3 or round : \"3.2\" and plies < 40",
        "ply 10..20 and last and black to move",
        "result 2-0 or result = 1-1 or result 1/2-1/2 or result *",
        "winner nobody and status illegal and variant 25",
        "fen \"W:WK3:B18,24\" flipped mirrored",
        "pattern \"w32,28 !bB19 .:c3\" mirrored",
        "line \"1. 32-28 19-23\"",
        "wm+bm-wk = 3..4 and wk != 0 and m < 3",
        "(wk=1 then bk=1 within 6) then last within 20",
        "ever wk=1 and never bk=1 for 3 plies",
        "move from 1,2 to 6 by king by black takes >= 3 over 19,23 stays",
        "move 32-28 or move x19 or move promotes",
        "sacrifice 2 within 8 regained or sacrifice lost",
        "w on 1-5,c3,centre - b on long >= 2 and moves <= 3 and best = takes",
        "rating white - rating black >= 200 and tempo white != tempo black and distance \"W:WK3:B18\" < 4",
        "played \"1. 27-22 18x27 .. . 38,40x16,7\" and not @philips or @three-against-one",
        "fen of 123 at 40 or meets 5 from 0",
        "first earlier = 0 or earlier + ply >= 40",
        "all and not nothing",
        "(white : a and w-b>=1 for 6) flipped mirrored or pattern \"w32,28\" shifted passed",
        "last after move retakes within 3..5 and wk=1 times >= 3 and first (repeats 2 times 2)",
        "white wiersma",
        "((wk=1",
    ];
    numbered(questions.iter().map(|question| question.as_bytes().to_vec()).collect())
}

/// Returns damage with and without corrected checksums, in either file, truncated or not, at a few offsets.
fn damages() -> Vec<Seed> {
    let seed = |how: u8| {
        let edits = (0..u16::from(how % 8) * 4).map(|n| (n * 37 + u16::from(how)) as u8);
        std::iter::once(how).chain(edits).collect()
    };
    numbered((0..64).map(seed).collect())
}

fn numbered(all: Vec<Vec<u8>>) -> Vec<Seed> {
    let name = |(n, bytes)| Seed { name: format!("{n:04}"), bytes };
    all.into_iter().enumerate().map(name).collect()
}
