//! `pdn convert`: what it writes says the same, and every game that is read has exactly one fate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pdn::archive::InputRecord;
use pdn::convert::{ConvertOptions, Converter};
use pdn::internal::replay::FilePrior;
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::source::Decoder;
use pdn::value::{Colour, ScoreOrder};
use pdn_gen::{Amount, Dialect, Options, Share, generate};
use serde_json::Value;

use self::meaning::Meaning;
use crate::common::{Run, run, text};

#[path = "../../../../tests/it/write/meaning.rs"]
mod meaning;

/// Returns an archive with every variant, all dialects and all parts of games. Of its games, a share is damaged and a share has
/// a GameType tag, in percent.
fn archive(games: u64, damage: u32, game_types: u32) -> Vec<u8> {
    let options = Options {
        comments: Share::percent(30),
        variations: Share::percent(30),
        clocks: Share::percent(20),
        game_types: Share::percent(game_types),
        setups: Share::percent(10),
        damage: Share::percent(damage),
        dialect: Dialect::Mixed,
        seed: 7,
        ..Options::new(Amount::Games(games), Variant::ALL)
    };
    let mut text = Vec::new();
    generate(&options, &mut text).expect("a vector takes all bytes");
    text
}

/// Runs `pdn convert FILE -o OUT --json` and returns the summary.
#[track_caller]
fn convert(args: &[&str]) -> (Run, Value) {
    let run = run(&[&["convert", "--json"], args].concat());
    let summary =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
    (run, summary)
}

fn number(summary: &Value, key: &str) -> u64 {
    summary[key].as_u64().unwrap_or_else(|| panic!("no number `{key}` in {summary}"))
}

/// The records of a text without whitespace around them.
fn records(text: &[u8]) -> Vec<&[u8]> {
    pdn::split::records(text).map(|record| record.bytes.trim_ascii()).collect()
}

/// The text and the rejected records that the library gives for a file, record by record on one thread.
fn naive(text: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let all: Vec<_> = pdn::split::records(text).collect();
    let prior = FilePrior::of(all.iter().map(|record| record.bytes), &ReplayOptions::default());
    let replay = ReplayOptions::new().prior(prior);
    let mut replayer = Replayer::new(&replay);
    // Games that Black starts and that end on the board: how many scores agree with the first number for Black, and how many do not.
    let mut votes = [0, 0];
    for record in &all {
        let summary = replayer.summary(record.bytes);
        let last = summary.last_position();
        let is_over = summary.status == GameStatus::Legal && last.moves().is_ok_and(|moves| moves.is_empty());
        if let Some(winner) = summary.winner().filter(|_| is_over && summary.numbering.start == Colour::Black)
        {
            votes[usize::from(winner == last.turn())] += 1;
        }
    }
    let scores = if votes[0] == 0 && votes[1] >= 2 { ScoreOrder::White } else { ScoreOrder::First };
    let mut converter = Converter::new(&ConvertOptions::new().replay(replay));
    let decoder = Decoder::new(None, text);
    let (mut out, mut rejected) = (Vec::new(), Vec::new());
    for record in all {
        let start = out.len();
        if start > 0 {
            out.push(b'\n');
        }
        let game = InputRecord::from(record.bytes).with_scores(scores);
        if converter.convert(game, &decoder, &mut out).is_err() {
            out.truncate(start);
            rejected.push(record.bytes.to_vec());
        }
    }
    (out, rejected)
}

#[test]
fn converted_games_of_every_variant_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out, again] = ["games.pdn", "out.pdn", "again.pdn"].map(|name| folder.path().join(name));
    for game_types in [100, 50, 0] {
        // Sixty games are an event of one variant.
        let before = archive(60 * Variant::ALL.len() as u64, 0, game_types);
        fs::write(&games, &before).unwrap();
        let (first, summary) = convert(&[text(&games), "-o", text(&out), "--force"]);
        assert_eq!((first.code, number(&summary, "rejected")), (0, 0), "{summary} {}", first.err);
        let after = fs::read(&out).unwrap();
        let (old, new) = (records(&before), records(&after));
        assert_eq!(old.len(), new.len());
        let prior = FilePrior::of(old.iter().copied(), &ReplayOptions::default());
        let mut before = Replayer::new(&ReplayOptions::new().prior(prior));
        let mut after = Replayer::default();
        let mut variants = BTreeMap::<String, u32>::new();
        for (old, new) in old.iter().zip(&new) {
            let [mut before, mut after] = [Meaning::of(old, &mut before), Meaning::of(new, &mut after)];
            // Games without it receive a GameType tag; the variant is compared all the same.
            for meaning in [&mut before, &mut after] {
                meaning.tags.retain(|tag| !tag.starts_with("gametype "));
            }
            assert_eq!(before, after, "{}\n{}", old.escape_ascii(), new.escape_ascii());
            *variants.entry(after.variant).or_default() += 1;
        }
        // Two variants share a GameType value.
        assert!(game_types < 100 || variants.len() + 1 == Variant::ALL.len(), "{variants:?}");
        let (second, _) = convert(&[text(&out), "-o", text(&again), "--force"]);
        assert_eq!(second.code, 0);
        assert_eq!(fs::read(&again).unwrap(), fs::read(&out).unwrap(), "a second time changes nothing");
    }
}

/// Returns `true` if a text between rejected records is what separates them: whitespace, braces, a terminator, or a tag.
fn is_separator(text: &[u8]) -> bool {
    let text = text.strip_prefix(b" }").unwrap_or(text).trim_ascii();
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.all(|line| {
        let is_tag = line.starts_with(b"[GameType \"") || line.ends_with(b" \"?\"]");
        is_tag || line.iter().all(|byte| b"{}*".contains(byte))
    })
}

/// Fixtures and real files: the command writes what the library gives for each record, and a second time changes nothing.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn converted_archives_are_those_of_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = root.join("../shared/corpora");
    if !real.exists() {
        eprintln!("SKIPPED: no {}", real.display());
    }
    let folder = tempfile::tempdir().unwrap();
    let [out, bad, again] = ["out.pdn", "bad.pdn", "again.pdn"].map(|name| folder.path().join(name));
    let mut files = 0;
    for path in pdn::source::walk([root.join("corpora"), real]).filter_map(Result::ok) {
        let before = fs::read(&path).unwrap();
        let is_utf16 = before.starts_with(b"\xFF\xFE")
            || before.starts_with(b"\xFE\xFF")
            || before.iter().take(4).any(|byte| *byte == 0);
        // The library function takes bytes that are neither packed nor in UTF-16.
        if is_utf16 || before.starts_with(b"\x1F\x8B") || before.starts_with(b"PK") {
            continue;
        }
        // An answer without any game would leave the file of the last one.
        let _ = fs::remove_file(&out);
        let run =
            run(&["convert", "--quiet", "--force", text(&path), "-o", text(&out), "--rejects", text(&bad)]);
        if run.err.contains("not text") || run.err.contains("is empty") || run.err.contains("is a ") {
            continue;
        }
        let (expected, rejected) = naive(&before);
        let written = fs::read(&out).unwrap();
        assert!(written == expected, "{}: {}", path.display(), run.err);
        assert_eq!(run.code, i32::from(expected.is_empty()), "{}: {}", path.display(), run.err);
        let kept = fs::read(&bad).unwrap();
        let mut at = 0;
        for record in &rejected {
            // Whitespace, control characters and byte order marks around a record are left out.
            let trimmed = record.trim_ascii();
            let trimmed = trimmed.strip_prefix("\u{feff}".as_bytes()).unwrap_or(trimmed).trim_ascii();
            let found = memchr::memmem::find(&kept[at..], trimmed);
            let found = found.unwrap_or_else(|| panic!("{}: lost {}", path.display(), record.escape_ascii()));
            assert!(is_separator(&kept[at..at + found]), "{}", path.display());
            at += found + trimmed.len();
        }
        assert!(is_separator(&kept[at..]), "{}", path.display());
        assert_eq!(records(&kept).len(), rejected.len(), "{}", path.display());
        let list = fs::read_to_string(bad.with_extension("jsonl")).unwrap();
        assert_eq!(list.lines().count(), rejected.len(), "{}", path.display());
        for (line, record) in list.lines().zip(&rejected) {
            let line: Value = serde_json::from_str(line).unwrap();
            let at = number(&line, "offset") as usize;
            assert!(before[at..].starts_with(record.trim_ascii_start()), "{}: {line}", path.display());
        }
        if !written.is_empty() {
            let second =
                crate::common::run(&["convert", "--quiet", "--force", text(&out), "-o", text(&again)]);
            assert_eq!(second.code, 0, "{}: {}", path.display(), second.err);
            assert!(fs::read(&again).unwrap() == written, "{} changes again", path.display());
        }
        files += 1;
    }
    assert!(files > 50, "{files}");
}

#[test]
fn every_game_of_damaged_files_has_one_fate() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (games, out, bad, others) = (path("games.pdn"), path("out.pdn"), path("bad.pdn"), path("others.pdn"));
    let text_of = archive(300, 40, 50);
    fs::write(&games, &text_of).unwrap();
    let all = records(&text_of).len() as u64;
    let outputs = ["-o", text(&out), "--rejects", text(&bad), "--others", text(&others), "--force"];
    for options in [
        &[][..],
        &["-q", "result draw"],
        &["--status", "illegal"],
        &["--sample", "20"],
        &["--limit", "15"],
        &["--sort", "date,-white", "--memory", "1K"],
        &["--shuffle", "3", "--limit", "10", "--memory", "1K"],
        &["--sort", "-plies", "--sample", "50", "--limit", "10", "-q", "not result draw", "--memory", "1K"],
        &["--fix", "--unsafe"],
        &["-q", "wk = 1"],
    ] {
        // An answer without any game would leave the file of the last one.
        let _ = fs::remove_file(&out);
        let (run, summary) = convert(&[&[text(&games)], &outputs[..], options].concat());
        let count = |key| number(&summary, key);
        assert!(run.code <= 1, "{options:?}: {}", run.err);
        assert_eq!(count("read"), all, "{options:?}");
        assert_eq!(
            count("read"),
            count("written") + count("rejected") + count("left_out"),
            "{options:?}: {summary}"
        );
        assert_eq!(records(&fs::read(&out).unwrap()).len() as u64, count("written"), "{options:?}");
        // The records that are kept are those of the input, byte for byte.
        let mut kept = Vec::new();
        for (file, key) in [(&bad, "rejected"), (&others, "left_out")] {
            let text = fs::read(file).unwrap();
            assert_eq!(summary[if key == "rejected" { "rejects" } else { "others" }]["games"], summary[key]);
            assert_eq!(records(&text).len() as u64, count(key), "{options:?}: {key}");
            kept.push(text);
        }
        let by: u64 = summary["rejected_by"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(by, count("rejected"));
        let mut rest: Vec<&[u8]> = records(&text_of);
        rest.retain(|record| kept.iter().any(|text| memchr::memmem::find(text, record).is_some()));
        assert!(rest.len() as u64 >= count("rejected") + count("left_out"), "{options:?}");
    }
    // Without the files, the same games are written.
    let whole = convert(&[text(&games), "-o", text(&out), "--force", "-q", "result draw"]).1;
    assert_eq!(number(&whole, "read"), all);
}

#[test]
fn games_of_an_index_are_converted_as_those_of_its_archives() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out, index, of_index] =
        ["games.pdn", "out.pdn", "games.idx", "of-index.pdn"].map(|name| folder.path().join(name));
    // One variant, so that the index knows the variant of each game as the file does.
    let options = Options {
        damage: Share::percent(10),
        game_types: Share::percent(50),
        dialect: Dialect::Mixed,
        ..Options::new(Amount::Games(150), &[Variant::English])
    };
    let mut bytes = Vec::new();
    generate(&options, &mut bytes).unwrap();
    fs::write(&games, bytes).unwrap();
    assert_eq!(run(&["index", text(&games), "-o", text(&index)]).code, 0);
    for filter in [&[][..], &["-q", "result draw"], &["-q", "wk = 1 and bk = 0"], &["--limit", "7"]] {
        let of = |input: &Path, out: &PathBuf| {
            convert(&[&[text(input), "-o", text(out), "--force"], filter].concat()).1
        };
        let (of_file, of_folder) = (of(&games, &out), of(&index, &of_index));
        assert!(number(&of_file, "written") > 0, "{filter:?}: {of_file}");
        for key in ["read", "written", "rejected", "left_out"] {
            assert_eq!(of_file[key], of_folder[key], "{filter:?} {key}");
        }
        assert_eq!(fs::read(&out).unwrap(), fs::read(&of_index).unwrap(), "{filter:?}");
    }
    fs::write(&games, "changed").unwrap();
    let gone = run(&["convert", text(&index), "-o", text(&out), "--force"]);
    assert_eq!(gone.code, 2);
    assert!(gone.err.contains("cannot be read") && gone.err.contains("--embed"), "{}", gone.err);
}
