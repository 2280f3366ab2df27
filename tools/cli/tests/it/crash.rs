//! Stops `pdn index`, fills the disk, and runs two writers at once. Afterwards the index is the old one. What kills leave is tried in
//! `trials`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

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

#[test]
fn merge_keeps_the_games_and_says_what_it_did() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    for (number, player) in ["A", "B", "C", "D"].into_iter().enumerate() {
        let part = place.path().join(player).with_extension("pdn");
        fs::write(&part, games(player, 50)).unwrap();
        let how: &[&str] = if number == 0 { &["index"] } else { &["index", "--append"] };
        assert_eq!(run(&[how, &["-o", text(&dir), text(&part)]].concat()).code, 0);
    }
    let show = || ["3", "50", "51", "200"].map(|game| run(&["show", text(&dir), game]).out);
    let shown = show();
    let report = run(&["merge", text(&dir)]).out;
    assert!(report.contains(": 4 segments merged into 1. 200 games, "), "{report}");
    assert_eq!((verified_games(&dir), show()), (Some(200), shown));
    assert!(run(&["merge", text(&dir)]).out.contains(": nothing to merge. 1 segment, 200 games, "));
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
    signal(&child, "-TERM");
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
