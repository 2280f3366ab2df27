//! `pdn index` killed at any moment, stopped, on a full disk, beside another writer: the old index is whole or the new
//! one is complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Run, finished, pdn, run};
use serde_json::Value;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// So many games of a player.
fn games(player: &str, count: usize) -> String {
    let game = format!("[White \"{player}\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n\n");
    // One that cannot be replayed, so that there are rejects.
    game.repeat(count - 1) + &format!("[White \"{player}\"]\n\n1. 32-28 32-28 *\n\n")
}

/// Games of the index in a folder, once everything about it has been checked; `None` where there is none.
fn checked(dir: &Path) -> Option<u64> {
    let verified = run(&["verify", "--full", "--json", text(dir)]);
    if verified.code == 2 {
        assert!(verified.err.contains("is not an index"), "{}", verified.err);
        return None;
    }
    let value: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((verified.code, &value["sound"]), (0, &true.into()), "{}{}", verified.out, verified.err);
    value["games"].as_u64()
}

/// A row of numbers that looks like chance and is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// When to kill.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// After so many microseconds.
    After(u64),
    /// So many microseconds after a file of this name is there.
    Seen(&'static str, u64),
}

/// Runs the command and kills it; whether it had ended before.
fn kill(args: &[&str], dir: &Path, moment: Moment) -> bool {
    let mut child = pdn(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    match moment {
        Moment::After(pause) => sleep(Duration::from_micros(pause)),
        Moment::Seen(name, pause) => {
            let path = dir.join(name);
            while !path.exists() && child.try_wait().unwrap().is_none() {}
            let since = Instant::now();
            while since.elapsed() < Duration::from_micros(pause) {}
        }
    }
    child.kill().unwrap();
    child.wait().unwrap().success()
}

/// Kills `args` at very many moments. `old` and `new` are the games before and after, `renew` makes the index of before.
fn kill_often(args: &[&str], dir: &Path, kills: u64, old: Option<u64>, new: u64, renew: impl Fn()) {
    renew();
    let start = Instant::now();
    assert_eq!(run(args).code, 0);
    let whole = start.elapsed().as_micros() as u64;
    assert_eq!(checked(dir), Some(new));
    let (mut random, mut stayed, mut changed) = (Random(kills), 0, 0);
    renew();
    for number in 0..kills {
        // Half of them anywhere, the others where the files change their names, which takes hardly any time.
        let moment = match number % 4 {
            0 | 1 => Moment::After(random.below(whole + whole / 4)),
            2 => Moment::Seen("manifest.tmp", random.below(6000)),
            _ => Moment::Seen("rejects.jsonl.next", random.below(whole)),
        };
        let ended = kill(args, dir, moment);
        let found = checked(dir);
        assert!(found == old || found == Some(new), "{moment:?}: {found:?} games");
        if ended {
            assert_eq!(found, Some(new), "what is said to be done is done");
        }
        if found == Some(new) {
            changed += 1;
            renew();
        } else {
            stayed += 1;
        }
    }
    assert!(stayed > 0 && changed > 0, "{stayed} stayed, {changed} changed");
    // A lock left by a dead writer keeps nobody out, and the next writer clears up.
    let rerun = run(args);
    assert_eq!((rerun.code, checked(dir)), (0, Some(new)), "{}", rerun.err);
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| !(name.starts_with("segment-") && name.ends_with(".pdns")));
    names.sort();
    assert_eq!(names, ["lock", "manifest", "rejects.jsonl"]);
}

#[test]
fn killed_at_any_moment_an_index_is_the_old_one_or_the_new_one() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small, big] = ["index", "small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 20_000)).unwrap();
    let first = place.path().join("first");
    kill_often(&["index", "-o", text(&first), text(&big)], &first, 12, None, 20_000, || {
        let _ = fs::remove_dir_all(&first);
    });
    let args = ["index", "--threads", "2", "-o", text(&dir), text(&big)];
    kill_often(&args, &dir, 40, Some(7), 20_000, || {
        assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    });
}

#[test]
fn killed_while_adding_an_index_has_all_of_the_new_games_or_none() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small, big] = ["index", "small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 20_000)).unwrap();
    let args = ["index", "--append", "--embed", "-o", text(&dir), text(&big)];
    kill_often(&args, &dir, 40, Some(7), 20_007, || {
        assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    });
}

#[test]
fn killed_while_merging_an_index_has_the_old_segments_or_the_new_one() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    let parts = ["a", "b", "c", "d"].map(|name| place.path().join(name).with_extension("pdn"));
    for (path, player) in parts.iter().zip(["A", "B", "C", "D"]) {
        fs::write(path, games(player, 5_000)).unwrap();
    }
    let segments = || {
        let merged = run(&["verify", "--json", text(&dir)]);
        serde_json::from_str::<Value>(&merged.out).unwrap()["segments"].as_u64().unwrap()
    };
    let renew = || {
        for (number, part) in parts.iter().enumerate() {
            let how: &[&str] = if number == 0 { &["index"] } else { &["index", "--append"] };
            assert_eq!(run(&[how, &["-o", text(&dir), text(part)]].concat()).code, 0);
        }
        assert_eq!(segments(), 4);
    };
    renew();
    let shown = ["3", "5000", "5001", "20000"].map(|game| run(&["show", text(&dir), game]).out);
    let start = Instant::now();
    let merged = run(&["merge", "--json", text(&dir)]);
    let value: Value = serde_json::from_str(&merged.out).unwrap();
    assert_eq!((merged.code, &value["segments_before"], &value["segments"]), (0, &4.into(), &1.into()));
    let whole = start.elapsed().as_micros() as u64;
    renew();
    let (mut random, mut outcomes) = (Random(2), [0, 0]);
    for number in 0..30 {
        let moment = match number % 3 {
            0 => Moment::Seen("manifest.tmp", random.below(6000)),
            1 => Moment::Seen("segment-00000009.pdns.tmp", random.below(whole)),
            _ => Moment::After(random.below(whole + whole / 4)),
        };
        kill(&["merge", text(&dir)], &dir, moment);
        assert_eq!(checked(&dir), Some(20_000), "{moment:?}");
        let now = segments();
        assert!(now == 1 || now == 4, "{moment:?}: {now} segments");
        outcomes[usize::from(now == 1)] += 1;
        if now == 1 {
            assert_eq!(
                ["3", "5000", "5001", "20000"].map(|game| run(&["show", text(&dir), game]).out),
                shown
            );
            renew();
        }
    }
    assert!(outcomes[0] > 0 && outcomes[1] > 0, "{outcomes:?}");
    let told = run(&["merge", text(&dir)]).out;
    assert!(told.contains(": 4 segments made into 1. 20,000 games, "), "{told}");
    assert!(run(&["merge", text(&dir)]).out.contains(": nothing to merge. 1 segment, 20,000 games, "));
    let none = run(&["merge", text(place.path())]);
    assert!(none.code == 2 && none.err.contains("is not an index"), "{}", none.err);
}

/// A writer that waits for more to read.
fn waiting(dir: &Path) -> Child {
    let mut command = pdn(&["index", "-o", text(dir), "-"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = piped.spawn().unwrap();
    while !dir.join("lock").exists() {
        sleep(Duration::from_millis(1));
    }
    // The file is there a moment before the lock is on it.
    sleep(Duration::from_millis(100));
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn of_two_writers_the_second_is_told() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small] = ["index", "small.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    fs::remove_file(dir.join("lock")).unwrap();
    let mut first = waiting(&dir);
    for args in [&["index"][..], &["index", "--append"]] {
        let second = run(&[args, &["-o", text(&dir), text(&small)]].concat());
        let told = format!(
            "pdn: {}: another process is writing this index; try again when it is done\n",
            text(&dir)
        );
        assert_eq!((second.code, second.out.as_str(), second.err), (2, "", told));
    }
    assert_eq!(checked(&dir), Some(7), "reading goes on meanwhile");
    // The lock of a dead process is none.
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(dir.join("lock").exists());
    assert_eq!(run(&["index", "--append", "-o", text(&dir), text(&small)]).code, 0);
    assert_eq!(checked(&dir), Some(7));
}

#[test]
fn ctrl_c_leaves_the_index_that_was_there() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small, big] = ["index", "small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 400_000)).unwrap();
    assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    let names = || {
        let files = fs::read_dir(&dir).unwrap().map(|file| file.unwrap().file_name());
        files.collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    for name in ["-INT", "-TERM"] {
        let mut command = pdn(&["index", "-o", text(&dir), text(&big)]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !dir.join("segment-00000002.pdns.tmp").exists() {}
        signal(&child, name);
        let Run { code, out, err } = finished(child.wait_with_output().unwrap());
        assert_eq!((code, out.as_str()), (130, ""), "{err}");
        assert_eq!(err, format!("pdn: stopped; {} is as it was\n", text(&dir)));
        assert_eq!((checked(&dir), names()), (Some(7), before.clone()));
    }

    // Whoever waits for standard input is stopped as well, a little later.
    let fresh = place.path().join("fresh");
    let mut child = waiting(&fresh);
    // Held open, or there would be an end to read.
    let input = child.stdin.take();
    signal(&child, "-INT");
    let Run { code, err, .. } = finished(child.wait_with_output().unwrap());
    assert_eq!(
        (code, err.as_str()),
        (130, "pdn: stopped; what was not finished is removed by the next run\n")
    );
    drop(input);
    assert_eq!(checked(&fresh), None);
    assert_eq!(run(&["index", "-o", text(&fresh), text(&small)]).code, 0);
    assert_eq!(checked(&fresh), Some(7));
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_full_disk_costs_nothing_but_the_new_games() {
    let place = tempfile::tempdir().unwrap();
    let [small, big] = ["small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 100_000)).unwrap();
    let exe = assert_cmd::cargo::cargo_bin!("pdn");

    // A limit on the size of files, which every system has.
    let dir = place.path().join("limited");
    assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    for extra in [&[][..], &["--append"], &["--embed"]] {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"]).arg(exe).arg("index").args(extra);
        let limited = finished(shell.arg("-o").arg(&dir).arg(&big).output().unwrap());
        assert_eq!((limited.code, limited.out.as_str()), (2, ""));
        assert!(
            limited.err.starts_with(&format!("pdn: {}", text(&dir)))
                && limited.err.contains("File too large"),
            "{}",
            limited.err
        );
        assert_eq!(checked(&dir), Some(7), "{extra:?}");
    }

    // A file system of 200 kB that only this process sees.
    let full = place.path().join("full");
    fs::create_dir(&full).unwrap();
    let script = "mount -t tmpfs -o size=200k none \"$2\" || exit 77
        \"$1\" index -o \"$2/index\" \"$3\" || exit 1
        for i in 1 2 3; do
            \"$1\" index -o \"$2/index\" \"$4\"; echo \"full $?\"
            \"$1\" index --append -o \"$2/index\" \"$4\"; echo \"full $?\"
        done
        \"$1\" verify --full --json \"$2/index\"";
    let args: [PathBuf; 4] = [exe.into(), full, small, big];
    let all = Command::new("unshare").args(["-rm", "sh", "-c", script, "sh"]).args(&args).output();
    let skipped = match all {
        Ok(all) if all.status.code() != Some(77) && !all.stderr.starts_with(b"unshare") => {
            let Run { code, out, err } = finished(all);
            assert_eq!(code, 0, "{err}");
            assert_eq!(out.matches("full 2\n").count(), 6, "{out}");
            assert_eq!(err.matches("No space left on device").count(), 6, "{err}");
            let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
            assert_eq!((&last["sound"], &last["games"]), (&true.into(), &7.into()));
            return;
        }
        Ok(all) => String::from_utf8_lossy(&all.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    eprintln!("skipped: no file system can be made here: {}", skipped.trim());
}
