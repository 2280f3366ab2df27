//! `pdn dataset`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{run, text};

/// Writes an archive of random games with results, some of which are illegal, without result, or of another variant.
fn archive(folder: &Path) -> PathBuf {
    use pdn::notation::MoveStyle;
    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn_rules::internal::position::split_mix;

    let mut games = String::new();
    for game in 0..60u64 {
        let variant = if game % 10 == 9 { Variant::Russian } else { Variant::International };
        let mut position = Position::start(variant);
        let result = ["2-0", "1-1", "0-2", "*"][(game % 4) as usize];
        games += &format!("[GameType \"{}\"]\n[Result \"{result}\"]\n\n", variant.tag());
        for ply in 0..40 {
            let moves = position.moves().expect("few captures");
            // Two games are equal, so that all their positions repeat.
            let Some(mv) = moves.get(split_mix(game / 2, ply) as usize % moves.len().max(1)) else { break };
            games += &format!("{} {{[%eval 0.{:02}]}} ", position.move_text(mv, MoveStyle::Shortest), ply);
            position = position.after_unchecked(mv);
        }
        games += if game % 10 == 5 { "1-2 1-1 " } else { "" };
        games += &format!("{result}\n\n");
    }
    let path = folder.join("games.pdn");
    fs::write(&path, games).expect("written");
    path
}

/// Returns the files of a training set.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("readable"))
    };
    fs::read_dir(dir).expect("listed").map(entry).collect()
}

fn manifest(files: &BTreeMap<String, Vec<u8>>) -> Value {
    serde_json::from_slice(&files["manifest.json"]).expect("JSON")
}

/// Writes a training set and returns its files.
fn dataset(source: &Path, dir: &Path, options: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let _ = fs::remove_dir_all(dir);
    let args = ["dataset", text(source), "-o", text(dir)].into_iter().chain(options.iter().copied());
    let run = run(&args.collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{}", run.err);
    files(dir)
}

/// Returns the lines of all text files.
fn lines(files: &BTreeMap<String, Vec<u8>>) -> Vec<Vec<String>> {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).expect("UTF-8");
    let all: String =
        files.iter().filter(|(name, _)| name.ends_with(".txt")).map(|(_, bytes)| text(bytes)).collect();
    all.lines().map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

#[test]
fn manifest_accounts_for_every_game_and_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    for options in [
        &["--dedup", "none"][..],
        &["--dedup", "mean", "--min-pieces", "35"],
        &["--dedup", "first", "--max-per-game", "5", "--captures", "--skip-plies", "3"],
        &["--flip", "--eval", "tag", "--split", "0.5", "--shards", "3"],
    ] {
        let files = dataset(&path, &dir, options);
        let manifest = manifest(&files);
        let number =
            |part: &str, key: &str| manifest[part][key].as_u64().unwrap_or_else(|| panic!("{part}.{key}"));
        let games: u64 = ["not_legal", "without_result", "other_variant", "used"]
            .iter()
            .map(|key| number("games", key))
            .sum();
        assert_eq!((number("games", "read"), games), (60, 60), "{options:?}");
        assert!(number("games", "not_legal") > 0 && number("games", "without_result") > 0);
        assert!(number("games", "other_variant") > 0);
        let reasons =
            ["early", "with_captures", "few_pieces", "beyond_game_limit", "repeated", "train", "valid"];
        let positions: u64 = reasons.iter().map(|key| number("positions", key)).sum();
        assert_eq!(number("positions", "of_used_games"), positions, "{options:?} {manifest}");
        let lines = lines(&files);
        assert_eq!(lines.len() as u64, number("positions", "train") + number("positions", "valid"));
        let counted: u64 = lines.iter().map(|line| line[3].parse::<u64>().expect("a number")).sum();
        if options.contains(&"mean") {
            assert_eq!(counted, lines.len() as u64 + number("positions", "repeated"));
        }
        for file in manifest["files"].as_array().expect("files") {
            let name = file["name"].as_str().expect("a name");
            assert_eq!(file["bytes"].as_u64(), Some(files[name].len() as u64));
        }
        assert_eq!(
            files.len(),
            manifest["files"].as_array().map_or(0, Vec::len) + 1,
            "no temporary file is left"
        );
    }
}

#[test]
fn positions_and_results_are_those_of_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    let files = dataset(&path, &dir, &["--dedup", "mean", "--eval", "tag", "--split", "1"]);
    let table = run(&[
        "export",
        text(&path),
        "--json",
        "--table",
        "positions",
        "--columns",
        "fen,ply,quiet,winner,status,variant,eval_cp",
    ]);
    let mut expected: BTreeMap<String, (f64, f64, u32)> = BTreeMap::new();
    for row in table.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        let score = match row["winner"].as_str() {
            Some("white") => 1.0,
            Some("draw") => 0.5,
            Some("black") => 0.0,
            _ => continue,
        };
        let is_used = row["status"] == "legal" && row["variant"] == "international" && row["quiet"] == true;
        if is_used && row["ply"].as_u64() >= Some(8) {
            let sums = expected.entry(row["fen"].as_str().expect("a FEN").to_owned()).or_default();
            *sums = (sums.0 + score, sums.1 + row["eval_cp"].as_f64().expect("an evaluation"), sums.2 + 1);
        }
    }
    let lines = lines(&files);
    assert_eq!(lines.len(), expected.len());
    assert!(expected.values().any(|sums| sums.2 > 1), "some positions repeat");
    for line in lines {
        let (score, eval, count) = expected[&line[0]];
        let result: f64 = line[1].parse().expect("a number");
        assert!((result - score / f64::from(count)).abs() < 1e-4, "{line:?}");
        assert_eq!(line[2].parse::<f64>().expect("a number"), (eval / f64::from(count)).round(), "{line:?}");
        assert_eq!(line[3], count.to_string());
    }
}

#[test]
fn same_input_and_options_give_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    let index = folder.path().join("games.idx");
    assert_eq!(run(&["index", text(&path), "-o", text(&index)]).code, 0);
    for options in [
        &["--shards", "4", "--split", "0.7"][..],
        &["--format", "bin", "--dedup", "none", "--max-per-game", "7", "--shards", "2"],
        &["--format", "npy", "--flip"],
    ] {
        let one = dataset(&path, &dir, &[options, &["--threads", "1"]].concat());
        assert_eq!(dataset(&path, &dir, &[options, &["--threads", "3"]].concat()), one, "{options:?}");
        assert_eq!(dataset(&index, &dir, options), one, "{options:?}");
        assert_ne!(dataset(&path, &dir, &[options, &["--seed", "1"]].concat()), one, "{options:?}");
    }
}

#[test]
fn games_that_occur_twice_belong_to_one_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    let files = dataset(&path, &dir, &["--split", "0.5", "--skip-plies", "25"]);
    let fens = |part: &str| -> Vec<String> {
        let text = |name: &String| String::from_utf8(files[name].clone()).expect("UTF-8");
        let all: String = files.keys().filter(|name| name.starts_with(part)).map(text).collect();
        all.lines().map(|line| line.split(';').next().unwrap_or_default().to_owned()).collect()
    };
    let (train, valid) = (fens("train"), fens("valid"));
    assert!(train.len() > 50 && valid.len() > 50, "{} {}", train.len(), valid.len());
    assert!(valid.iter().all(|fen| !train.contains(fen)));
}

#[test]
fn binary_records_hold_the_lines_of_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    let options = ["--eval", "tag", "--split", "1"];
    let lines = lines(&dataset(&path, &dir, &options));
    for format in ["bin", "npy"] {
        let files = dataset(&path, &dir, &[&options[..], &["--format", format]].concat());
        let bytes = &files[&format!("train-00000-of-00001.{format}")];
        let records = if format == "npy" {
            let header = String::from_utf8_lossy(&bytes[10..512]).into_owned();
            assert!(bytes.starts_with(b"\x93NUMPY\x01\x00") && bytes[8..10] == 502u16.to_le_bytes());
            assert!(
                header.contains(&format!("'shape': ({},)", lines.len())) && header.ends_with('\n'),
                "{header}"
            );
            &bytes[512..]
        } else {
            &bytes[..]
        };
        assert_eq!(records.len(), 48 * lines.len());
        for (record, line) in records.chunks_exact(48).zip(&lines) {
            let word =
                |n: usize| u64::from_le_bytes(record[8 * n..8 * n + 8].try_into().expect("eight bytes"));
            let squares = |men: u64, kings: u64| -> String {
                let name = |bit: u32| {
                    let king = if kings >> bit & 1 == 1 { "K" } else { "" };
                    ((men | kings) >> bit & 1 == 1).then(|| format!("{king}{}", bit + 1))
                };
                (0..64).filter_map(name).collect::<Vec<_>>().join(",")
            };
            let side = if record[44] == 1 { "B" } else { "W" };
            let fen = format!("{side}:W{}:B{}", squares(word(0), word(1)), squares(word(2), word(3)));
            assert_eq!(fen, line[0]);
            let result = f32::from_le_bytes(record[32..36].try_into().expect("four bytes"));
            assert!((f64::from(result) - line[1].parse::<f64>().expect("a number")).abs() < 1e-4);
            let count = u32::from_le_bytes(record[36..40].try_into().expect("four bytes"));
            let eval = i16::from_le_bytes([record[40], record[41]]);
            let ply = u16::from_le_bytes([record[42], record[43]]);
            assert_eq!(
                [count.to_string(), eval.to_string(), ply.to_string()],
                [&line[3], &line[2], &line[4]].map(String::clone)
            );
            assert_eq!(record[45..], [0; 3]);
        }
    }
}

#[test]
fn turned_positions_have_white_to_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    let lines = lines(&dataset(&path, &dir, &["--flip"]));
    assert!(lines.len() > 100 && lines.iter().all(|line| line[0].starts_with("W:W")));
}

#[cfg(unix)]
#[test]
fn stopped_run_leaves_no_folder() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().expect("a folder");
    let games = fs::read(archive(folder.path())).expect("written");
    let dir = folder.path().join("set");
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("listed").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let mut command = crate::common::pdn(&["dataset", "-", "-o", text(&dir)]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    // Games without end, until the command has gone. A shell lets a job in the background ignore Ctrl-C, but not the signal below.
    let writer = std::thread::spawn(move || while input.write_all(&games).is_ok() {});
    while !names().iter().any(|name| name.starts_with(".pdn-")) {
        assert!(child.try_wait().expect("a state").is_none(), "the command runs on");
        std::thread::yield_now();
    }
    // The handler is installed soon after the folder is made.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("run").success());
    let stopped = child.wait_with_output().expect("ended");
    writer.join().expect("ended");
    assert_eq!(stopped.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&stopped.stderr).contains("stopped"));
    assert_eq!(names(), ["games.pdn"]);
}

#[test]
fn seed_decides_which_games_are_for_training() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path());
    let training = |seed: &str| {
        let options = ["--split", "0.5", "--dedup", "none", "--seed", seed];
        let mut files = dataset(&path, &folder.path().join("set"), &options);
        files.retain(|name, _| name.contains("train"));
        let mut lines = lines(&files);
        assert!(!lines.is_empty());
        lines.sort_unstable();
        lines
    };
    assert_ne!(training("7"), training("8"));
}

/// Two games of which the positions before the capture and after it are known by hand.
const CAPTURE: &str = "[White \"Ames\"]\n[Black \"Bell\"]\n[GameType \"20\"]\n[FEN \"W:W27,K50:B22,K5\"]\n\
                       1. 27x18 {[%eval 1.20]} 5-10 {[%eval -400]} 2-0\n";

/// Writes games as a training set of all their positions, in one file, and returns its bytes and the manifest.
fn training_file(folder: &Path, games: &str, format: &str, options: &[&str]) -> (Vec<u8>, Value) {
    let path = folder.join("few.pdn");
    fs::write(&path, games).unwrap();
    let all = ["--format", format, "--skip-plies", "0", "--with-captures", "--training-share", "1"];
    let mut files = dataset(&path, &folder.join("few"), &[&all, options].concat());
    let manifest = manifest(&files);
    files.retain(|name, _| name.starts_with("train"));
    (files.pop_last().expect("a file").1, manifest)
}

/// Returns the bit of the square with this number.
fn bit(number: u32) -> u64 {
    1 << (number - 1)
}

#[test]
fn records_of_jnnw_have_the_bytes_that_its_trainer_reads() {
    let folder = tempfile::tempdir().unwrap();
    let record = |boards: [u64; 4], black: u8, score: i32, result: i8| -> Vec<u8> {
        let boards = boards.into_iter().flat_map(u64::to_le_bytes);
        boards.chain([black]).chain(score.to_le_bytes()).chain(result.to_le_bytes()).collect()
    };
    let expected = [
        record([bit(27), bit(50), bit(22), bit(5)], 0, 0, 1),
        record([bit(18), bit(50), 0, bit(5)], 1, 0, -1),
        record([bit(18), bit(50), 0, bit(10)], 0, 0, 1),
    ];
    let (bytes, manifest) = training_file(folder.path(), CAPTURE, "jnnw", &[]);
    assert_eq!(bytes, [&b"JNNW\x03\0\0\0"[..], &expected.concat()].concat());
    assert_eq!((&manifest["evaluations"], &manifest["record_bytes"]), (&"none".into(), &38.into()));
    assert_eq!(manifest["options"]["dedup"], "none");
    let (bytes, _) = training_file(folder.path(), CAPTURE, "jnnt", &[]);
    let without: Vec<u8> = expected.iter().flat_map(|record| record[..37].to_vec()).collect();
    assert_eq!(bytes, [&b"JNNT\x03\0\0\0"[..], &without].concat());
    // With evaluations: the start position has none, and 400 men are more than a record holds.
    let (bytes, manifest) = training_file(folder.path(), CAPTURE, "jnnw", &["--eval", "tag"]);
    let scored = record([bit(18), bit(50), 0, bit(5)], 1, -120, -1);
    assert_eq!(bytes, [&b"JNNW\x01\0\0\0"[..], &scored].concat());
    assert_eq!(manifest["evaluations"], "all");
    let left_out = ["without_evaluation", "beyond_evaluation"].map(|key| manifest["positions"][key].as_u64());
    assert_eq!(left_out, [Some(1), Some(1)]);
}

#[test]
fn bulletformat_reads_the_positions_results_and_scores_of_the_lines() {
    use bulletformat::{AtaxxBoard, BulletFormat, ChessBoard, DataLoader};
    use std::collections::BTreeSet;

    /// Pieces as (square from 0, other side, king).
    type Pieces = BTreeSet<(u8, bool, bool)>;

    let folder = tempfile::tempdir().unwrap();
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    // Random games have no kings.
    fs::write(&path, fs::read_to_string(&path).unwrap() + CAPTURE).unwrap();
    let options = ["--skip-plies", "0", "--with-captures", "--training-share", "1", "--eval", "tag"];
    // The lines are turned as the records are, and have positions of more than 32 pieces.
    let turned = [&options[..], &["--flip", "--format", "bullet-text"]].concat();
    let text = dataset(&path, &dir, &turned);
    let of_text = manifest(&text);
    let text = String::from_utf8(text["train-00000-of-00001.txt"].clone()).unwrap();
    let expected: Vec<(Pieces, i16, f32)> = text
        .lines()
        .map(|line| {
            let parts: Vec<_> = line.split(" | ").collect();
            let mut pieces = Pieces::new();
            for (other, side) in parts[0].split(':').skip(1).enumerate() {
                for name in side[1..].split(',').filter(|name| !name.is_empty()) {
                    let number: u8 = name.trim_start_matches('K').parse().unwrap();
                    pieces.insert((number - 1, other == 1, name.starts_with('K')));
                }
            }
            (pieces, parts[1].parse().unwrap(), parts[2].parse().unwrap())
        })
        .collect();
    assert!(expected.len() > 500 && expected.iter().any(|(_, score, _)| *score < 0));
    assert!(expected.iter().any(|(pieces, ..)| pieces.iter().any(|piece| piece.2)), "there are kings");

    let made = |format| {
        let files = dataset(&path, &dir, &[&options[..], &["--format", format]].concat());
        (dir.join("train-00000-of-00001.bin"), manifest(&files))
    };
    let (file, manifest) = made("bullet-chess");
    let mut found = Vec::new();
    DataLoader::<ChessBoard>::new(&file, 1).unwrap().map_positions(|board| {
        let piece = |(code, square): (u8, u8)| {
            assert!(matches!(code & 7, 0 | 4), "a man is a pawn, a king a queen");
            (square, code & 8 != 0, code & 7 == 4)
        };
        assert_eq!((board.ksq, board.opp_ksq, board.extra), (0, 0, [0; 3]));
        found.push(((*board).into_iter().map(piece).collect(), board.score(), board.result()));
    });
    let small: Vec<_> = expected.iter().filter(|(pieces, ..)| pieces.len() <= 32).cloned().collect();
    assert_eq!(found, small);
    let count = |manifest: &Value, key: &str| manifest["positions"][key].as_u64().unwrap();
    let (many, unknown) = (count(&manifest, "many_pieces"), count(&manifest, "without_evaluation"));
    // The start positions have both reasons, of which the first one counts.
    let left_out = (expected.len() - small.len()) as u64 + count(&of_text, "without_evaluation");
    assert_eq!(many + unknown, left_out);
    assert!(many > unknown && !small.is_empty());

    let (file, _) = made("bullet-ataxx");
    let mut found = Vec::new();
    DataLoader::<AtaxxBoard>::new(&file, 1).unwrap().map_positions(|board| {
        let [own, other, kings] = board.bbs();
        let has = |set: u64, square: u8| set >> square & 1 == 1;
        let pieces = (0..64).filter(|&square| has(own | other, square));
        let pieces = pieces.map(|square| (square, has(other, square), has(kings, square))).collect();
        assert_eq!((board.stm(), board.halfm(), board.extra()), (0, 0, 0));
        assert!(board.fullm() >= 1);
        found.push((pieces, board.score(), board.result()));
    });
    assert_eq!(found, expected);
}

#[test]
fn equal_positions_are_written_once_on_request_where_a_record_holds_one_result() {
    let folder = tempfile::tempdir().unwrap();
    let (path, dir) = (archive(folder.path()), folder.path().join("set"));
    for format in ["jnnw", "jnnt", "bullet-text", "bullet-chess", "bullet-ataxx"] {
        let all = dataset(&path, &dir, &["--format", format, "--split", "1"]);
        let first = dataset(&path, &dir, &["--format", format, "--split", "1", "--dedup", "first"]);
        let count = |files: &BTreeMap<String, Vec<u8>>| manifest(files)["positions"]["train"].as_u64();
        assert!(count(&first) < count(&all), "{format}");
    }
}

/// Writes games between players, each game with moves of its own.
fn games_between(pairs: &[(&str, &str)]) -> String {
    use pdn::notation::MoveStyle;
    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn_rules::internal::position::split_mix;

    let mut games = String::new();
    for (n, (white, black)) in pairs.iter().enumerate() {
        let mut position = Position::start(Variant::International);
        games += &format!("[GameType \"20\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n");
        for ply in 0..12 {
            let moves = position.moves().expect("few captures");
            let mv = moves.get(split_mix(n as u64, ply) as usize % moves.len()).expect("one of the moves");
            games += &format!("{} ", position.move_text(mv, MoveStyle::Shortest));
            position = position.after_unchecked(mv);
        }
        games += "2-0\n\n";
    }
    games
}

#[test]
fn players_of_one_part_are_not_in_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> =
        (0..12).map(|n| format!("Player {}", ["Ames", "Bell", "Cox"][n % 3].repeat(n + 1))).collect();
    let mut pairs = Vec::new();
    for white in &names {
        pairs.extend(
            names.iter().filter(|black| *black != white).map(|black| (white.as_str(), black.as_str())),
        );
    }
    let path = folder.path().join("games.pdn");
    fs::write(&path, games_between(&pairs)).unwrap();
    let index = folder.path().join("games.idx");
    assert_eq!(run(&["index", text(&path), "-o", text(&index)]).code, 0);
    let dir = folder.path().join("set");
    let options = [
        "--split-by",
        "player",
        "--training-share",
        "0.5",
        "--skip-plies",
        "12",
        "--with-captures",
        "--dedup",
        "none",
    ];
    let by_players = dataset(&path, &dir, &options);
    assert_eq!(dataset(&index, &dir, &options), by_players);
    let counts = manifest(&by_players);
    let count = |part: &str, key: &str| counts[part][key].as_u64().unwrap();
    // One position of each game. Which part a player belongs to shows in the games of the other players alone.
    let (train, valid) = (count("positions", "train"), count("positions", "valid"));
    let players = |games: u64| (1..=12u64).find(|players| players * (players - 1) == games).unwrap_or(0);
    assert!(train > 0 && valid > 0, "{train} {valid}");
    assert_eq!(players(train) + players(valid), 12, "every pair of players of one part, and no other");
    assert_eq!(count("games", "between_parts"), 132 - train - valid);
    assert_eq!(count("games", "used"), train + valid);
    assert_eq!(counts["options"]["split_by"], "player");
}

#[test]
fn players_are_one_person_however_their_names_are_written_and_unknown_ones_bind_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let (path, dir) = (folder.path().join("games.pdn"), folder.path().join("set"));
    let spellings = ["Čížov, A.", "cizov a", "CIZOV  A"];
    let mut pairs = Vec::new();
    for white in spellings {
        pairs.extend(["?", "", "N.N.", "Cizov A."].map(|black| (white, black)));
    }
    fs::write(&path, games_between(&pairs)).unwrap();
    let mut parts = Vec::new();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let options = ["--split-by", "player", "--training-share", "0.5", "--seed", seed, "--dedup", "none"];
        let counts = manifest(&dataset(&path, &dir, &options));
        assert_eq!(counts["games"]["used"], 12, "{counts}");
        let [train, valid] = ["train", "valid"].map(|part| counts["positions"][part].as_u64() > Some(0));
        assert!(train != valid, "all games are of one player");
        parts.push(train);
    }
    assert!(parts.contains(&true) && parts.contains(&false), "the seed decides");
    // Games of unknown players are divided by their moves.
    fs::write(&path, games_between(&[("?", "?"); 40])).unwrap();
    let options = ["--training-share", "0.5", "--dedup", "none"];
    let by_player = dataset(&path, &dir, &[&options[..], &["--split-by", "player"]].concat());
    let mut by_game = dataset(&path, &dir, &options);
    by_game.insert("manifest.json".into(), by_player["manifest.json"].clone());
    assert_eq!(by_player, by_game);
}
