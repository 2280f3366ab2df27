//! Kills and stops `pdn index` and `pdn merge` at many moments, fills the disk, and runs two writers at once. Afterwards the
//! index is either the old one or the complete new one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Run, finished, pdn, run, text};
use serde_json::Value;

/// Returns `count` games of a player; the last one is illegal, so that it is rejected.
fn games(player: &str, count: usize) -> String {
    let game = format!("[White \"{player}\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n\n");
    game.repeat(count - 1) + &format!("[White \"{player}\"]\n\n1. 32-28 32-28 *\n\n")
}

/// Verifies an index completely and returns its number of games; `None` if there is no index.
fn verified_games(dir: &Path) -> Option<u64> {
    let verified = run(&["verify", "--full", "--json", text(dir)]);
    if verified.code == 2 {
        assert!(verified.err.contains("is not an index"), "{}", verified.err);
        return None;
    }
    let value: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((verified.code, &value["sound"]), (0, &true.into()), "{}{}", verified.out, verified.err);
    value["games"].as_u64()
}

/// A generator of pseudo-random numbers, with the same numbers in every run.
struct Random(u64);

impl Random {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The moment at which a process is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// This many microseconds after its start.
    After(u64),
    /// This many microseconds after a file of this name exists.
    FileExists(&'static str, u64),
}

/// Runs the command and kills it. Returns `true` if it ended successfully before.
fn kill(args: &[&str], dir: &Path, moment: Moment) -> bool {
    let mut child = pdn(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    match moment {
        Moment::After(pause) => {
            let end = Instant::now() + Duration::from_micros(pause);
            while Instant::now() < end && child.try_wait().unwrap().is_none() {
                sleep(end.saturating_duration_since(Instant::now()).min(Duration::from_millis(1)));
            }
        }
        Moment::FileExists(name, pause) => {
            let path = dir.join(name);
            while !path.exists() && child.try_wait().unwrap().is_none() {}
            let since = Instant::now();
            while since.elapsed() < Duration::from_micros(pause) {}
        }
    }
    child.kill().unwrap();
    child.wait().unwrap().success()
}

/// Kills the command at each of these moments. `check` looks at what is left, and returns `true` if the work is done; it then
/// restores the state from before.
///
/// Both outcomes must occur. Where the moments have missed one of them, because this run of the test is faster or slower than the
/// one that was measured, the command is killed ever earlier or ever later until it occurs. `duration` is in microseconds.
fn kill_at(
    args: &[&str],
    dir: &Path,
    duration: u64,
    moments: impl Iterator<Item = Moment>,
    mut check: impl FnMut(Moment, bool) -> bool,
) {
    let mut outcomes = [0, 0];
    let mut kill_once = |moment, outcomes: &mut [u32; 2]| {
        let ended = kill(args, dir, moment);
        outcomes[usize::from(check(moment, ended))] += 1;
    };
    for moment in moments {
        kill_once(moment, &mut outcomes);
    }
    for doubling in 1..=8 {
        if outcomes[0] == 0 {
            kill_once(Moment::After(duration >> doubling), &mut outcomes);
        }
        if outcomes[1] == 0 {
            kill_once(Moment::After(duration << doubling), &mut outcomes);
        }
    }
    let [before, after] = outcomes;
    assert!(before > 0 && after > 0, "{before} kills before the work was done, {after} afterwards");
}

/// Kills the command at `kills` moments. `old` and `new` are the numbers of games before and after it; `reset` restores the
/// index from before.
fn kill_repeatedly(args: &[&str], dir: &Path, kills: u64, old: Option<u64>, new: u64, reset: impl Fn()) {
    reset();
    let start = Instant::now();
    assert_eq!(run(args).code, 0);
    let duration = start.elapsed().as_micros() as u64;
    assert_eq!(verified_games(dir), Some(new));
    let mut random = Random(kills);
    reset();
    // Half of the moments are anywhere, the others during the renaming of files, which takes very little time.
    let moments = (0..kills).map(|number| match number % 4 {
        0 | 1 => Moment::After(random.below(duration + duration / 4)),
        2 => Moment::FileExists("manifest.tmp", random.below(6000)),
        _ => Moment::FileExists("rejects.jsonl.next", random.below(duration)),
    });
    kill_at(args, dir, duration, moments, |moment, ended| {
        let found = verified_games(dir);
        assert!(found == old || found == Some(new), "{moment:?}: {found:?} games");
        if ended {
            assert_eq!(found, Some(new), "success means that the new index is complete");
        }
        let done = found == Some(new);
        if done {
            reset();
        }
        done
    });
    // The lock of a dead process does not block the next writer, which removes leftover files.
    let rerun = run(args);
    assert_eq!((rerun.code, verified_games(dir)), (0, Some(new)), "{}", rerun.err);
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| !(name.starts_with("segment-") && name.ends_with(".pdns")));
    names.sort();
    assert_eq!(names, ["lock", "manifest", "rejects.jsonl"]);
}

#[test]
fn killed_import_leaves_the_old_or_the_new_index() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small, big] = ["index", "small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 20_000)).unwrap();
    let first = place.path().join("first");
    kill_repeatedly(&["index", "-o", text(&first), text(&big)], &first, 12, None, 20_000, || {
        let _ = fs::remove_dir_all(&first);
    });
    let args = ["index", "--threads", "2", "-o", text(&dir), text(&big)];
    kill_repeatedly(&args, &dir, 40, Some(7), 20_000, || {
        assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    });
}

#[test]
fn killed_append_adds_all_games_or_none() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small, big] = ["index", "small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 20_000)).unwrap();
    let args = ["index", "--append", "--embed", "-o", text(&dir), text(&big)];
    kill_repeatedly(&args, &dir, 40, Some(7), 20_007, || {
        assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    });
}

#[test]
fn killed_replacement_leaves_the_old_or_the_new_games() {
    let place = tempfile::tempdir().unwrap();
    let [dir, archive, gone] = ["index", "a.pdn", "gone.pdn"].map(|name| place.path().join(name));
    let args = ["index", "--append", "--prune", "--json", "-o", text(&dir), text(&archive)];
    let reset = || {
        let _ = fs::remove_dir_all(&dir);
        fs::write(&archive, games("Old", 7)).unwrap();
        fs::write(&gone, games("Gone", 5)).unwrap();
        assert_eq!(run(&["index", "-o", text(&dir), text(&archive), text(&gone)]).code, 0);
        fs::write(&archive, games("New", 3_000)).unwrap();
        fs::remove_file(&gone).unwrap();
    };
    // The number that `find` counts is compared.
    let live = || run(&["find", text(&dir), "--count"]).out;
    reset();
    let start = Instant::now();
    assert_eq!(run(&args).code, 0);
    let duration = start.elapsed().as_micros() as u64;
    assert_eq!(live(), "3000\n");
    let mut random = Random(3);
    reset();
    let moments = (0..18).map(|number| match number % 3 {
        0 => Moment::FileExists("manifest.tmp", random.below(6000)),
        1 => Moment::FileExists("rejects.jsonl.kept", random.below(3000)),
        _ => Moment::After(random.below(duration + duration / 4)),
    });
    kill_at(&args, &dir, duration, moments, |moment, _| {
        let verified = run(&["verify", "--json", text(&dir)]);
        let value: Value = serde_json::from_str(&verified.out).unwrap();
        assert!(value["index"].as_array().unwrap().is_empty(), "{moment:?}: {}", verified.out);
        let found = live();
        assert!(found == "12\n" || found == "3000\n", "{moment:?}: {found}");
        let rejects = fs::read_to_string(dir.join("rejects.jsonl")).unwrap();
        let done = found == "3000\n";
        if done {
            assert!(rejects.lines().count() == 1 || dir.join("rejects.jsonl.next").exists(), "{rejects}");
            reset();
        }
        done
    });
}

#[test]
fn killed_merge_leaves_the_old_or_the_new_segments() {
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
    let reset = || {
        for (number, part) in parts.iter().enumerate() {
            let how: &[&str] = if number == 0 { &["index"] } else { &["index", "--append"] };
            assert_eq!(run(&[how, &["-o", text(&dir), text(part)]].concat()).code, 0);
        }
        assert_eq!(segments(), 4);
    };
    reset();
    let shown = ["3", "5000", "5001", "20000"].map(|game| run(&["show", text(&dir), game]).out);
    let start = Instant::now();
    let merged = run(&["merge", "--json", text(&dir)]);
    let value: Value = serde_json::from_str(&merged.out).unwrap();
    assert_eq!((merged.code, &value["segments_before"], &value["segments"]), (0, &4.into(), &1.into()));
    let duration = start.elapsed().as_micros() as u64;
    reset();
    let mut random = Random(2);
    let moments = (0..30).map(|number| match number % 3 {
        0 => Moment::FileExists("manifest.tmp", random.below(6000)),
        1 => Moment::FileExists("segment-00000009.pdns.tmp", random.below(duration)),
        _ => Moment::After(random.below(duration + duration / 4)),
    });
    kill_at(&["merge", text(&dir)], &dir, duration, moments, |moment, _| {
        assert_eq!(verified_games(&dir), Some(20_000), "{moment:?}");
        let now = segments();
        assert!(now == 1 || now == 4, "{moment:?}: {now} segments");
        if now == 1 {
            assert_eq!(
                ["3", "5000", "5001", "20000"].map(|game| run(&["show", text(&dir), game]).out),
                shown
            );
            reset();
        }
        now == 1
    });
    let report = run(&["merge", text(&dir)]).out;
    assert!(report.contains(": 4 segments merged into 1. 20,000 games, "), "{report}");
    assert!(run(&["merge", text(&dir)]).out.contains(": nothing to merge. 1 segment, 20,000 games, "));
    let none = run(&["merge", text(place.path())]);
    assert!(none.code == 2 && none.err.contains("is not an index"), "{}", none.err);
}

/// Starts a writer that holds the lock and waits for standard input.
fn waiting_writer(dir: &Path) -> Child {
    let mut command = pdn(&["index", "-o", text(dir), "-"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = piped.spawn().unwrap();
    while !dir.join("lock").exists() {
        sleep(Duration::from_millis(1));
    }
    // The lock file exists a moment before it is locked.
    sleep(Duration::from_millis(500));
    child
}

/// Sends a signal to a process.
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn second_writer_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let [dir, small] = ["index", "small.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    assert_eq!(run(&["index", "-o", text(&dir), text(&small)]).code, 0);
    fs::remove_file(dir.join("lock")).unwrap();
    let mut first = waiting_writer(&dir);
    for args in [&["index"][..], &["index", "--append"]] {
        let second = run(&[args, &["-o", text(&dir), text(&small)]].concat());
        let message = format!(
            "pdn: {}: another process is writing this index; try again when it is done\n",
            text(&dir)
        );
        assert_eq!((second.code, second.out.as_str(), second.err), (2, "", message));
    }
    assert_eq!(verified_games(&dir), Some(7), "the index can be read while it is locked");
    // The lock of a dead process does not count.
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(dir.join("lock").exists());
    assert_eq!(run(&["index", "--append", "-o", text(&dir), text(&small)]).code, 0);
    assert_eq!(verified_games(&dir), Some(7));
}

#[test]
fn ctrl_c_leaves_the_old_index() {
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
        assert_eq!(err, format!("pdn: {}: stopped; the index is unchanged\n", text(&dir)));
        assert_eq!((verified_games(&dir), names()), (Some(7), before.clone()));
    }

    // A writer that is blocked on standard input is stopped after the grace period.
    let fresh = place.path().join("fresh");
    let mut child = waiting_writer(&fresh);
    // Standard input stays open, so that reading it blocks.
    let input = child.stdin.take();
    signal(&child, "-INT");
    let Run { code, err, .. } = finished(child.wait_with_output().unwrap());
    assert_eq!((code, err.as_str()), (130, "pdn: stopped; the next run removes unfinished files\n"));
    drop(input);
    assert_eq!(verified_games(&fresh), None);
    assert_eq!(run(&["index", "-o", text(&fresh), text(&small)]).code, 0);
    assert_eq!(verified_games(&fresh), Some(7));
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn full_disk_leaves_the_old_index() {
    let place = tempfile::tempdir().unwrap();
    let [small, big] = ["small.pdn", "big.pdn"].map(|name| place.path().join(name));
    fs::write(&small, games("Old", 7)).unwrap();
    fs::write(&big, games("New", 100_000)).unwrap();
    let exe = assert_cmd::cargo::cargo_bin!("pdn");

    // A limit of the file size, which every Unix system has.
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
        assert_eq!(verified_games(&dir), Some(7), "{extra:?}");
    }

    // A file system of 200 kB in a private mount namespace.
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
    eprintln!("skipped: cannot mount a file system: {}", skipped.trim());
}
