//! `pdn convert`: what it writes says the same, and every game that is read has exactly one fate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pdn::convert::{ConvertOptions, Converter};
use pdn::internal::replay::FilePrior;
use pdn::replay::{ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::source::Decoder;
use pdn_gen::{Amount, Dialect, Options, Share, generate};
use serde_json::Value;

use self::meaning::Meaning;
use crate::common::{Run, run, run_with, text};

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
    pdn::split::games(text).map(|record| record.bytes.trim_ascii()).collect()
}

/// The text and the rejected records that the library gives for a file, record by record on one thread.
fn naive(text: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let all: Vec<_> = pdn::split::games(text).collect();
    let prior = FilePrior::of(all.iter().map(|record| record.bytes), &ReplayOptions::default());
    let mut converter = Converter::new(&ConvertOptions::new().replay(ReplayOptions::new().prior(prior)));
    let decoder = Decoder::new(None, text);
    let (mut out, mut rejected) = (Vec::new(), Vec::new());
    for record in all {
        let start = out.len();
        if start > 0 {
            out.push(b'\n');
        }
        if converter.convert(record.bytes, &decoder, &mut out).is_err() {
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

#[test]
fn games_keep_the_variant_of_their_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let [english, others, out] =
        ["english.pdn", "others.pdn", "out.pdn"].map(|name| folder.path().join(name));
    let options = Options {
        game_types: Share::percent(0),
        setups: Share::percent(0),
        ..Options::new(Amount::Games(5), &[Variant::English])
    };
    let mut games = Vec::new();
    generate(&options, &mut games).unwrap();
    // Two moves that many variants have.
    games.extend(b"\n1. 11-15 22-18 *\n");
    fs::write(&english, &games).unwrap();
    fs::write(&others, "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(30)).unwrap();
    let (_, summary) = convert(&[text(&others), text(&english), "-o", text(&out)]);
    assert_eq!(number(&summary, "inferred_game_types"), 6, "{summary}");
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.ends_with("[GameType \"21,B,8,8,N1,0\"]\n\n1. 11-15 22-18 *\n"), "{written}");
    let (_, summary) = convert(&[text(&english), "-o", text(&out), "--force", "--keep-untagged"]);
    assert_eq!(number(&summary, "inferred_game_types"), 0);
    assert!(!fs::read_to_string(&out).unwrap().contains("GameType"));
    // A variant that is only assumed gets no tag unless it is asked for.
    fs::write(&english, "[White \"Jansen\"]\n\n*\n").unwrap();
    let (_, summary) = convert(&[text(&english), "-o", text(&out), "--force"]);
    assert_eq!(number(&summary, "inferred_game_types"), 0);
    assert!(!fs::read_to_string(&out).unwrap().contains("GameType"));
    let (_, summary) = convert(&[text(&english), "-o", text(&out), "--force", "--add", "GameType"]);
    assert_eq!(number(&summary, "inferred_game_types"), 1);
    assert!(fs::read_to_string(&out).unwrap().contains("GameType"));
    // Positions and forfeits have the variant of their file if its games show it, and none otherwise.
    let problems = "[FEN \"W:W22:B18\"]\n\n*\n\n[White \"Novák\"]\n\n2-0\n\n".repeat(6);
    for (games, added) in [("", 0), ("[GameType \"29\"]\n\n1. c3-d4 d6-e5 *\n\n", 12)] {
        fs::write(&english, format!("{games}{problems}")).unwrap();
        let (_, summary) = convert(&[text(&english), "-o", text(&out), "--force"]);
        assert_eq!(number(&summary, "inferred_game_types"), added, "{summary}");
        let written = fs::read_to_string(&out).unwrap();
        assert_eq!(written.matches("[GameType \"29,").count() as u64, added, "{written}");
        assert_eq!(written.matches("[GameType").count() as u64, added + u64::from(added > 0), "{written}");
    }
    let caller = run_with(&["convert", "-", "--untagged", "italian"], b"1. 22-18 *");
    assert!(caller.out.starts_with("[GameType \"22,"), "{}{}", caller.out, caller.err);
    assert!(!caller.err.contains("inferred"), "{}", caller.err);
}

#[test]
fn game_with_a_bad_variation_is_written_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["games.pdn", "out.pdn"].map(|name| folder.path().join(name));
    let games = "[GameType \"20\"]\n\n1. 32-28 (1. 33-99 19-23) 19-23 *\n\n[GameType \"20\"]\n\n1. 32-28 (1. 33-29) *\n";
    fs::write(&path, games).unwrap();
    for order in [&[][..], &["--sort", "date"]] {
        let (run, summary) = convert(&[&[text(&path), "-o", text(&out), "--force"], order].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(number(&summary, "text_variations"), 1, "{summary}");
        assert!(fs::read_to_string(&out).unwrap().contains("1. 32-28 {(1. 33-99 19-23)} 1... 19-23 *"));
    }
    let told = run(&["convert", text(&path), "-o", text(&out), "--force"]);
    assert!(told.err.contains("1 game with a variation kept as text in comments"), "{}", told.err);
}

/// Rejected games of several files keep their variant, and a list says where they were.
#[test]
fn rejected_games_keep_their_variant_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let [russian, english, out, bad] =
        ["a-russian.pdn", "english.pdn", "out.pdn", "bad.pdn"].map(|name| folder.path().join(name));
    fs::write(
        &russian,
        "[GameType \"25\"]\n\n1. c3-d4 d6-c5 *\n\n[GameType \"25\"]\n\n1. c3-d4 a1-h8 *\n".repeat(6),
    )
    .unwrap();
    let sound = "[White \"a\"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n\n".repeat(6);
    let illegal = "[White \"b\"]\n\n1. 11-15 23-18 2. 1-30 *\n\n";
    let unclosed = "[White \"c\"]\n\n1. 11-15 {never closed";
    fs::write(&english, format!("{sound}{illegal}{unclosed}")).unwrap();
    let options = ["-o", text(&out), "--rejects", text(&bad), "--force"];
    let (run, summary) = convert(&[&[text(&russian), text(&english)], &options[..]].concat());
    assert_eq!((run.code, number(&summary, "rejected")), (0, 8), "{summary}");
    let kept = fs::read_to_string(&bad).unwrap();
    assert_eq!(records(kept.as_bytes()).len(), 8, "{kept}");
    let added = "[GameType \"21,B,8,8,N1,0\"]\n";
    assert!(kept.contains(&format!("{added}{illegal}{added}{unclosed} }}\n")), "{kept}");
    assert_eq!(kept.matches("[GameType").count(), 8, "{kept}");
    let list = fs::read_to_string(folder.path().join("bad.jsonl")).unwrap();
    let lines: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(summary["rejects_list"], text(&folder.path().join("bad.jsonl")));
    assert_eq!(
        lines[6],
        serde_json::json!({
            "file": text(&english), "record": 7, "offset": sound.len(), "codes": ["R001"], "reason": "an illegal move",
            "game_type": "21,B,8,8,N1,0",
        })
    );
    assert_eq!((&lines[0]["record"], &lines[0]["game_type"]), (&2.into(), &Value::Null));
    assert_eq!(lines[7]["codes"], serde_json::json!(["L002"]));
    // Nothing is added where it is not wanted.
    convert(&[&[text(&english), "--keep-untagged"], &options[..]].concat());
    assert!(!fs::read_to_string(&bad).unwrap().contains("GameType"));
    let same = crate::common::run(&[
        "convert",
        text(&english),
        "-o",
        text(&out),
        "--rejects",
        text(&bad),
        "--others",
        text(&folder.path().join("bad.jsonl")),
        "--force",
    ]);
    assert_eq!(same.code, 2, "the list is an output, too");
}

#[test]
fn other_encodings_become_utf8_and_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["games.pdn", "out.pdn"].map(|name| folder.path().join(name));
    let game = "[White \"Иванов Иван\"]\n[Black \"Петров Пётр\"]\n\n1. c3-d4 *\n";
    let cp866 = pdn::source::Encoding::CP866.encode(game).expect("Cyrillic letters");
    fs::write(&path, [&cp866[..], b"\n[White \"a\"]\n\n1. c3-d4 *\n"].concat()).unwrap();
    let (run, summary) = convert(&[text(&path), "-o", text(&out)]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(fs::read_to_string(&out).unwrap().contains("[Black \"Петров Пётр\"]"));
    assert_eq!(summary["encodings"], serde_json::json!({ pdn::source::Encoding::CP866.name(): 1 }));
    let utf16: Vec<u8> =
        "\u{feff}[White \"Дибман\"]\r\n1.32-28 *\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let run = run_with(&["convert", "-"], &utf16);
    assert_eq!(run.out, "[White \"Дибман\"]\n[GameType \"20,W,10,10,N2,0\"]\n\n1. 32-28 *\n", "{}", run.err);
}

#[test]
fn changes_of_form_reach_the_text() {
    let game = b"[White \"a\"][GameType \"25\"] 1. c3-d4! {[%clk 1:00] why} b6-a5 $1 (1... b6-c5) *";
    for (options, expected) in [
        (&["--strip", "comments,nags"][..], "1. c3-d4 b6-a5 (1... b6-c5) *\n"),
        (&["--strip", "clocks,variations"], "1. c3-d4! {why} 1... b6-a5 $1 *\n"),
        (&["--notation", "numeric", "--for", "plain"], "1. 22-18 9-13 *\n"),
        (
            &["--add", "PlyCount"],
            "[PlyCount \"2\"]\n\n1. c3-d4! {[%clk 1:00] why} 1... b6-a5 $1 (1... b6-c5) *\n",
        ),
        (&["--width", "10", "--strip", "comments"], "1. c3-d4!\nb6-a5 $1\n(1... b6-c5)\n*\n"),
    ] {
        let run = run_with(&[&["convert", "-", "--quiet"], options].concat(), game);
        assert!(run.code == 0 && run.out.ends_with(expected), "{options:?}: {}{}", run.out, run.err);
    }
    let windows = run_with(&["convert", "-", "--for", "dam"], &[&game[..], b"\n\n", game].concat());
    assert_eq!(windows.out.matches("\r\n\r\n[Event").count(), 1, "{}", windows.out);
    assert_eq!(windows.out.matches('\n').count(), windows.out.matches("\r\n").count());
}

#[test]
fn repairs_are_made_on_request_and_counted() {
    let game = b"[Date \"2003-5-1\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *\n";
    let lost = run_with(&["convert", "-"], game);
    assert_eq!((lost.code, lost.out.as_str()), (1, ""));
    assert!(lost.err.contains("1 rejected, 0 left out\n         1  an illegal move\n"), "{}", lost.err);
    assert!(lost.err.contains("rejected games are in no file; `--rejects FILE` takes them"), "{}", lost.err);
    assert_eq!(run_with(&["convert", "-", "--fix"], game).code, 1);
    let repaired = run_with(&["convert", "-", "--fix", "--unsafe"], game);
    assert_eq!(repaired.code, 0, "{}", repaired.err);
    assert!(repaired.out.ends_with("4. 41-37 23-29 *\n"), "{}", repaired.out);
    assert!(repaired.err.contains("note: 1 game repaired, with another meaning"), "{}", repaired.err);
    assert_eq!(run_with(&["convert", "-", "--unsafe"], game).code, 2, "--unsafe alone");
}

#[test]
fn names_are_those_of_the_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("names.toml");
    fs::write(
        &map,
        "[[player]]\ncanonical = \"Куперман, Исер\"\nspellings = [\"Kouperman\", \"I. Koeperman\"]\n",
    )
    .expect("written");
    let map = map.to_str().expect("UTF-8");
    let games = "[White \"Kouperman\"]\n[Black \"b\"]\n\n1. 32-28 *\n\n[White \"a\"]\n[Black \"I. Koeperman\"]\n\n1. 33-28 *\n\n\
        [White \"Kouperman, X.\"]\n\n1. 34-29 *\n";
    let run = run_with(&["convert", "-", "--keep-untagged", "--names", map], games.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    let expected = games.replace("Kouperman\"", "Куперман, Исер\"").replace("I. Koeperman", "Куперман, Исер");
    assert_eq!(run.out, expected);
    assert!(run.err.contains("note: 2 games with other names of players, events or sites"), "{}", run.err);
    fs::write(map, "[[player]]\ncanonical = 1\n").expect("written");
    let run = run_with(&["convert", "-", "--names", map], games.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(run.err.contains("names.toml:2:"), "{}", run.err);
}
