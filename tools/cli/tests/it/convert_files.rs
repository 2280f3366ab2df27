//! The files of `pdn convert`: order and choice of games, several files, and that no file is lost or half written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run, text};

/// Returns a game with the tags of a place, a date and two players.
fn game(white: &str, black: &str, date: &str, event: &str) -> String {
    format!(
        "[Event \"{event}\"]\n[Date \"{date}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[GameType \"20\"]\n\n1. 32-28 *\n"
    )
}

/// A folder with these games in `games.pdn`.
fn folder_with(games: &[String]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    fs::write(&path, games.join("\n")).unwrap();
    (folder, path)
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The values of a tag in the order of the games.
fn values(text: &str, tag: &str) -> Vec<String> {
    let before = format!("[{tag} \"");
    text.lines()
        .filter_map(|line| line.strip_prefix(&before)?.strip_suffix("\"]"))
        .map(str::to_owned)
        .collect()
}

/// Many games with few different dates.
fn many() -> Vec<String> {
    (0..400u32)
        .map(|n| {
            let date = match n % 5 {
                4 => "????.??.??".to_owned(),
                _ => format!("{}.{:02}.01", 1950 + n * 7 % 31, 1 + n % 12),
            };
            game(&format!("White {n}"), &format!("Black {}", n % 3), &date, &format!("Cup {}", n % 4))
        })
        .collect()
}

#[test]
fn sorted_games_are_in_order_whatever_the_memory() {
    let (folder, path) = folder_with(&many());
    let [large, small] = ["large.pdn", "small.pdn"].map(|name| folder.path().join(name));
    assert_eq!(run(&["convert", text(&path), "--sort", "-date,black", "-o", text(&large)]).code, 0);
    let sort = ["--sort=-date,black", "--memory", "1K"];
    assert_eq!(run(&[&["convert", text(&path), "-o", text(&small)], &sort[..]].concat()).code, 0);
    let sorted = fs::read_to_string(&large).unwrap();
    assert_eq!(sorted, fs::read_to_string(&small).unwrap());
    let keys: Vec<_> = values(&sorted, "Date").into_iter().zip(values(&sorted, "Black")).collect();
    assert_eq!(keys.len(), 400);
    let mut expected: Vec<_> = keys.clone();
    expected.sort_by(|(date, black), (other_date, other_black)| {
        let unknown = |date: &str| date.starts_with('?');
        (unknown(date).cmp(&unknown(other_date))).then(other_date.cmp(date)).then(black.cmp(other_black))
    });
    assert_eq!(keys, expected);
    // Games with equal keys keep their order.
    let by_event = run(&["convert", text(&path), "--sort", "event"]).out;
    let first: Vec<u32> = values(&by_event, "White")[..100]
        .iter()
        .map(|name| name.trim_start_matches("White ").parse().unwrap())
        .collect();
    assert!(first.is_sorted() && first.iter().all(|n| n % 4 == 0), "{first:?}");
    assert_eq!(names(folder.path()), ["games.pdn", "large.pdn", "small.pdn"], "no temporary file is left");
}

#[test]
fn random_choice_and_order_can_be_repeated() {
    let (_folder, path) = folder_with(&many());
    let whites = |options: &[&str]| {
        let run = run(&[&["convert", "--quiet", text(&path)], options].concat());
        assert_eq!(run.code, 0, "{options:?}: {}", run.err);
        values(&run.out, "White")
    };
    let all = whites(&[]);
    let sample = whites(&["--sample", "30"]);
    assert_eq!((sample.len(), &sample), (30, &whites(&["--sample", "30", "--memory", "1K"])));
    assert_ne!(sample, whites(&["--sample", "30", "--seed", "2"]));
    let places: Vec<_> = sample.iter().map(|name| all.iter().position(|other| other == name)).collect();
    assert!(places.is_sorted(), "a sample keeps the order of the input");
    let shuffled = whites(&["--shuffle", "5"]);
    assert_eq!(shuffled, whites(&["--shuffle", "5", "--memory", "1K"]));
    assert_ne!(shuffled, all);
    assert_ne!(shuffled, whites(&["--shuffle", "6"]));
    assert_eq!(shuffled.iter().collect::<BTreeSet<_>>(), all.iter().collect());
    assert_eq!(whites(&["--shuffle", "5", "--limit", "7"]), shuffled[..7]);
    assert_eq!(whites(&["--limit", "7"]), all[..7]);
    let both = whites(&["--sample", "30", "--sort", "-white", "--limit", "4"]);
    let mut expected = sample;
    expected.sort_by_key(|name| std::cmp::Reverse(pdn_names::fold(name)));
    assert_eq!(both, expected[..4]);
}

#[cfg(unix)]
mod unix {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::common::pdn;

    /// Runs the command in a shell that lets no file grow beyond 8 KiB.
    fn run_on_small_disk(args: &[&str]) -> (i32, String) {
        let command = pdn(args);
        let quoted: Vec<_> = std::iter::once(command.get_program())
            .chain(command.get_args())
            .map(|part| format!("'{}'", part.to_str().unwrap()))
            .collect();
        let script = format!("trap '' XFSZ; ulimit -f 16; exec {}", quoted.join(" "));
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    #[test]
    fn full_disk_leaves_the_old_file() {
        let (folder, path) = folder_with(&many());
        let (out, bad) = (folder.path().join("out.pdn"), folder.path().join("bad.pdn"));
        fs::write(&out, "old").unwrap();
        let convert = |options: &[&str]| {
            let args = ["convert", text(&path), "-o", text(&out), "--rejects", text(&bad), "--force"];
            let (code, err) = run_on_small_disk(&[&args[..], options].concat());
            assert_eq!(code, 2, "{options:?}: {err}");
            assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{options:?}");
            assert!(err.contains("too large") || err.contains("written"), "{options:?}: {err}");
        };
        convert(&[]);
        convert(&["--sort", "date"]);
        convert(&["--sort", "date", "--memory", "1K"]);
        let dir = folder.path().join("dir");
        let (code, err) = run_on_small_disk(&["convert", text(&path), "--split", "status", "-o", text(&dir)]);
        assert_eq!(code, 2, "{err}");
        assert!(!dir.exists(), "a new folder appears with all files: {err}");
        assert!(!names(folder.path()).iter().any(|name| name.starts_with(".pdn-")), "{err}");
        assert!(
            names(folder.path()).iter().all(|name| !name.ends_with(".tmp")),
            "{:?}",
            names(folder.path())
        );
    }

    #[test]
    fn killed_run_leaves_the_old_file() {
        let (folder, path) = folder_with(&many());
        let games = fs::read(&path).unwrap();
        let out = folder.path().join("out.pdn");
        for number in 0..6 {
            fs::write(&out, "old").unwrap();
            let mut child = pdn(&["convert", "-", "-o", text(&out), "--force", "--threads", "1"])
                .stdin(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            // More than a batch, so that a part is written.
            for _ in 0..number * 5 {
                stdin.write_all(&games).unwrap();
            }
            sleep(Duration::from_millis(30 * number));
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(fs::read_to_string(&out).unwrap(), "old");
        }
    }

    #[test]
    fn stopped_run_removes_its_files() {
        let (folder, path) = folder_with(&many());
        let games = fs::read(&path).unwrap();
        let out = folder.path().join("out.pdn");
        let dir = folder.path().join("dir");
        for output in [&["-o", text(&out)][..], &["--split", "year", "-o", text(&dir)]] {
            let mut child = pdn(&[&["convert", "-"], output].concat())
                .stdin(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&games).unwrap();
            let start = Instant::now();
            // The handler is installed when the temporary file exists.
            let begun = || {
                names(folder.path()).iter().any(|name| name.ends_with(".tmp") || name.starts_with(".pdn-"))
            };
            while !begun() && start.elapsed() < Duration::from_secs(20) {
                sleep(Duration::from_millis(5));
            }
            sleep(Duration::from_millis(200));
            let pid = child.id().to_string();
            assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
            // It waits for standard input, so the grace period ends it.
            assert_eq!(child.wait().unwrap().code(), Some(130));
            drop(stdin);
            assert_eq!(names(folder.path()), ["games.pdn"]);
        }
    }

    #[test]
    fn closed_pipe_is_no_error() {
        let (_folder, path) = folder_with(&many());
        let mut child = pdn(&["convert", text(&path), "--quiet"]).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }

    #[test]
    fn files_are_complete_although_nobody_reads_standard_output() {
        let mut games = many();
        games.push("[GameType \"0\"]\n1. e4 e5 *\n".to_owned());
        let (folder, path) = folder_with(&games);
        let file = |name: &str| folder.path().join(name);
        let closed = |args: &[&str]| {
            let mut child = pdn(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            drop(child.stdout.take());
            child.wait().unwrap().code()
        };
        let (kept, removed, rejects) = (file("kept.pdn"), file("removed.pdn"), file("rejects.pdn"));
        let archive = text(&path);
        assert_eq!(closed(&["convert", archive, "--rejects", text(&rejects)]), Some(0));
        assert!(std::fs::read_to_string(&rejects).unwrap().contains("1. e4 e5"));
        let dedup = ["dedup", archive, "--output", text(&kept), "--duplicates", text(&removed), "--json"];
        assert_eq!(closed(&dedup), Some(0));
        assert!(kept.exists() && removed.exists());
        // One repair for each game: more text than is buffered before the first file is finished.
        let damaged = file("damaged.pdn");
        std::fs::write(&damaged, "[GameType \"20\"]\n1. 32-28 19-23\n\n".repeat(2_000)).unwrap();
        assert_eq!(closed(&["fix", "--write", "--json", text(&damaged)]), Some(0));
        assert!(
            std::fs::read_to_string(&damaged).unwrap().starts_with("[GameType \"20\"]\n1. 32-28 19-23 *\n")
        );
    }
}
