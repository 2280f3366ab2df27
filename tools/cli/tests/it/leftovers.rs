//! What runs leave that are killed, stopped or out of room, and what the next run makes of it.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Run, archive_of, finished, pdn, run, text};

/// Two games, of which `fmt` and `fix` change each.
const GAMES: &str = "[White \"A\"]\n[Date \"2003-5-1\"]\n[GameType \"20\"]\n\n1.32-28 19-23 *\n\n\
                     [White \"B\"]\n[Date \"2004-5-1\"]\n[GameType \"20\"]\n\n1.32-28 18-23 *\n\n";

/// Returns the names of a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the name of what a run has begun to write in a folder.
fn begun(folder: &Path) -> Option<String> {
    names(folder).into_iter().find(|name| name.starts_with(".pdn-"))
}

/// Starts a command that waits for the rest of standard input, and returns when it has begun to write in `folder`.
fn waiting(args: &[&str], folder: &Path) -> (Child, ChildStdin) {
    let before = begun(folder);
    let mut command = pdn(args);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(GAMES.as_bytes()).unwrap();
    let start = Instant::now();
    while begun(folder).is_none() || begun(folder) == before {
        assert!(start.elapsed() < Duration::from_secs(60), "{args:?} writes nothing");
        sleep(Duration::from_millis(1));
    }
    (child, input)
}

/// Runs such a command until it writes, and kills it. Returns the name of what it leaves.
fn killed(args: &[&str], folder: &Path) -> String {
    let (mut child, _input) = waiting(args, folder);
    child.kill().unwrap();
    child.wait().unwrap();
    begun(folder).expect("a killed run leaves its file")
}

#[test]
fn kill_between_two_names_of_an_output_does_not_lock_it() {
    let (folder, games) = archive_of(GAMES);
    let out = folder.path().join("out.pdn");
    let convert = |options: &[&str]| run(&[&["convert", text(&games), "-o", text(&out)], options].concat());
    let temporary = folder.path().join(killed(&["convert", "-", "-o", text(&out)], folder.path()));
    // Where a file gets its name by a link, a kill leaves both names.
    fs::remove_file(&temporary).unwrap();
    fs::write(&out, "old").unwrap();
    fs::hard_link(&out, &temporary).unwrap();
    let replaced = convert(&["--force"]);
    assert_eq!(replaced.code, 0, "{}", replaced.err);
    assert_eq!(names(folder.path()), ["games.pdn", "out.pdn"]);
    assert!(fs::read_to_string(&out).unwrap().contains("32-28"));
    // A link to another file is not written to.
    let other = folder.path().join("other.pdn");
    fs::rename(&out, &other).unwrap();
    let text = fs::read_to_string(&other).unwrap();
    fs::hard_link(&other, &temporary).unwrap();
    let written = convert(&["--limit", "1"]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
    assert_eq!(names(folder.path()), ["games.pdn", "other.pdn", "out.pdn"]);
}

#[test]
fn folders_of_killed_runs_are_removed_by_the_next_one() {
    let (folder, games) = archive_of(GAMES);
    let target = folder.path().join("target");
    let writers: &[&[&str]] =
        &[&["convert", "--split", "year", "-o", text(&target)], &["dataset", "-o", text(&target)]];
    for writer in writers {
        let with = |input| [&writer[..1], &[input], &writer[1..]].concat();
        killed(&with("-"), folder.path());
        // One in which somebody works stays.
        let (mut working, input) = waiting(&with("-"), folder.path());
        assert_eq!(names(folder.path()).len(), 2, "{writer:?} {:?}", names(folder.path()));
        let done = run(&with(text(&games)));
        assert_ne!(done.code, 2, "{writer:?} {}", done.err);
        assert_eq!(names(folder.path()).len(), 3, "{writer:?} {:?}", names(folder.path()));
        drop(input);
        working.wait().unwrap();
        assert_eq!(names(folder.path()), ["games.pdn", "target"], "{writer:?}");
        fs::remove_dir_all(&target).unwrap();
    }
    fs::create_dir(&target).unwrap();
    let convert = |input| ["convert", input, "--split", "year", "-o", text(&target)];
    killed(&convert("-"), &target);
    assert_eq!(run(&convert(text(&games))).code, 0);
    assert_eq!(names(&target), ["2003.pdn", "2004.pdn"]);
}

#[test]
fn temporary_index_of_a_killed_run_is_removed_by_the_next_one() {
    let ((_folder, games), place) = (archive_of(GAMES), tempfile::tempdir().unwrap());
    let find = |input| {
        let mut command = pdn(&["find", input, "--count"]);
        command.env("TMPDIR", place.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    };
    let mut child = find("-").spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(GAMES.as_bytes()).unwrap();
    while begun(place.path()).is_none() {
        assert!(child.try_wait().unwrap().is_none(), "it waits for more games");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(begun(place.path()).is_some());
    let found = find(text(&games)).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(found.stdout, b"2\n", "{found:?}");
    assert!(names(place.path()).is_empty(), "{:?}", names(place.path()));
}

/// Returns `true` if the process handles SIGTERM, and handles or ignores SIGHUP.
#[cfg(target_os = "linux")]
fn handles_signals(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let is_in = |set: &str, signal: u32| {
        let mask = status.lines().find_map(|line| line.strip_prefix(set));
        mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1)
    };
    let (hang_up, terminate) = (1, 15);
    is_in("SigCgt:", terminate) && (is_in("SigCgt:", hang_up) || is_in("SigIgn:", hang_up))
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_that_writes_is_stopped_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let [archive, index] = ["games.pdn", "games.idx"].map(|name| place.path().join(name));
    fs::write(&archive, GAMES.repeat(2000)).unwrap();
    assert_eq!(run(&["fix", "--write", "--quiet", text(&archive)]).code, 0);
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    assert_eq!(run(&["index", "--append", "--embed", text(&archive), "-o", text(&index)]).code, 0);
    let [journal, out] = ["games.pdn.undo", "out"].map(|name| place.path().join(name));
    let repaired = fs::read(&archive).unwrap();
    let commands: &[&[&str]] = &[
        &["names", text(&archive), "-o", text(&out)],
        &["convert", text(&archive), "-o", text(&out)],
        &["export", text(&archive), "-o", text(&out)],
        &["dedup", text(&index), "--output", text(&out)],
        &["dataset", text(&archive), "-o", text(&out)],
        &["merge", text(&index)],
        &["fix", "--undo", text(&journal)],
        &["man", "-o", text(&out)],
        &["show", "--svg", text(&out)],
    ];
    for args in commands {
        let (mut trials, mut handled) = (0, 0);
        // A short command may end before it is seen to handle signals, so there are more trials if need be.
        while trials < 12 || handled == 0 && trials < 100 {
            let number = trials % 12;
            trials += 1;
            let mut child = pdn(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            while !handles_signals(&child) && child.try_wait().unwrap().is_none() {}
            handled += u32::from(handles_signals(&child));
            sleep(Duration::from_micros(number * number * 60));
            // It may have ended by now.
            let name = ["-TERM", "-INT", "-HUP"][number as usize % 3];
            let _ = Command::new("kill").args([name, &child.id().to_string()]).stderr(Stdio::null()).status();
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), None, "{args:?} is ended at once");
            for folder in [place.path(), &index, &out] {
                let left = if folder.is_dir() { names(folder) } else { Vec::new() };
                let is_left = |name: &String| {
                    name.starts_with(".pdn-") || name.ends_with(".tmp") || name.ends_with(".next")
                };
                assert!(!left.iter().any(is_left), "{args:?} {status} leaves {left:?}");
            }
            let _ = fs::remove_file(&out).or_else(|_| fs::remove_dir_all(&out));
            fs::write(&archive, &repaired).unwrap();
        }
        assert!(handled > 0, "{args:?} never handles the signal");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_ignored_stay_ignored() {
    for signal in ["HUP", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("names.toml");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("trap '' {signal}; exec \"$@\""), "sh"]);
        shell.arg(assert_cmd::cargo::cargo_bin!("pdn")).args(["names", "-", "-o", text(&out)]);
        let mut child = shell.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !handles_signals(&child) {
            assert!(child.try_wait().unwrap().is_none());
        }
        // Only a moment after that of SIGTERM, the action of the other signals is set.
        sleep(Duration::from_millis(200));
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        sleep(Duration::from_millis(200));
        child.stdin.take().unwrap().write_all(GAMES.as_bytes()).unwrap();
        let run = finished(child.wait_with_output().unwrap());
        assert_eq!((run.code, out.exists()), (0, true), "{signal}: {}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error_and_no_signal() {
    let (folder, games) = archive_of(&GAMES.repeat(3000));
    let out = folder.path().join("out");
    let mut refused = 0;
    for args in [
        &["convert", text(&games), "--split", "year", "-o", text(&out)][..],
        &["export", text(&games), "--format", "csv", "-o", text(&out)],
        &["names", text(&games)],
        &["fix", text(&games)],
    ] {
        for megabytes in (40..160).step_by(15) {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {megabytes}000; exec \"$@\""), "sh"]);
            shell.arg(assert_cmd::cargo::cargo_bin!("pdn")).args(args).args(["--threads", "4"]);
            let output = shell.stdout(Stdio::null()).output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            // With very little memory, the system cannot load the program.
            if err.contains("pdn: ") && !err.contains("shared librar") {
                assert_eq!(output.status.signal(), None, "{args:?} in {megabytes} MB: {err}");
                let code = output.status.code().unwrap();
                assert!(
                    matches!(code, 0 | 1) || code == 2 && err.contains("pdn: "),
                    "{args:?}: {code} {err}"
                );
                assert!(!err.contains("panicked"), "{args:?} in {megabytes} MB: {err}");
                refused += u32::from(err.contains("there is not enough memory"));
            }
            let _ = fs::remove_dir_all(&out).or_else(|_| fs::remove_file(&out));
        }
    }
    assert!(refused > 0, "no run had too little memory");
}

#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn work_is_done_where_no_threads_can_be_started() {
    let (folder, games) = archive_of(&GAMES.repeat(2000));
    let out = folder.path().join("out");
    // The limit does not hold for the administrator, so that another user is needed.
    let other =
        ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "bash", "-c", "ulimit -u 1"];
    let is_other = fs::metadata("/proc/self").is_ok_and(|process| {
        use std::os::unix::fs::MetadataExt;
        process.uid() == 0
    });
    let prefix = if is_other { &other[..6] } else { &[] };
    let test = if is_other { &other[..] } else { &other[6..] };
    let can = Command::new(test[0]).args(&test[1..]).status().is_ok_and(|status| status.success());
    let program = folder.path().join("pdn");
    if !can || is_other && fs::copy(assert_cmd::cargo::cargo_bin!("pdn"), &program).is_err() {
        eprintln!("skipped: no other user can be taken, or no limit set");
        return;
    }
    let program = if is_other { text(&program) } else { text(assert_cmd::cargo::cargo_bin!("pdn")) };
    let modes =
        [folder.path(), &games].map(|path| Command::new("chmod").arg("a+rwx").arg(path).status().unwrap());
    assert!(modes.iter().all(std::process::ExitStatus::success));
    for args in [
        &["stats", text(&games)][..],
        &["check", text(&games)],
        &["convert", text(&games), "-o", text(&out)],
        &["find", text(&games), "--count"],
        #[cfg(feature = "serve")]
        &["serve", text(&games), "--addr", "127.0.0.1:0"],
    ] {
        let line = [
            prefix,
            &["bash", "-c", "ulimit -u 1 && exec \"$@\"", "bash", program],
            args,
            &["--threads", "4"],
        ];
        let line = line.concat();
        let output = Command::new(line[0]).args(&line[1..]).current_dir(folder.path()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!err.contains("panicked"), "{args:?}: {err}");
        let expected = if args[0] == "serve" { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{args:?}: {err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn limit_on_the_size_of_files_is_an_error_that_leaves_nothing() {
    let (folder, games) = archive_of(&GAMES.repeat(2000));
    let out = folder.path().join("out");
    for args in [
        &["convert", text(&games), "-o", text(&out)][..],
        &["index", text(&games), "-o", text(&out)],
        &["export", text(&games), "--format", "csv", "-o", text(&out)],
        &["fix", "--write", text(&games)],
    ] {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "ulimit -f 8; exec \"$@\"", "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("pdn"))
            .args(args);
        let output = shell.output().unwrap();
        assert_eq!(output.status.signal(), None, "{args:?}: {output:?}");
        let Run { code, err, .. } = finished(output);
        assert!(code == 2 && err.to_lowercase().contains("file too large"), "{args:?}: {code} {err}");
        let _ = fs::remove_dir_all(&out);
        assert_eq!(names(folder.path()), ["games.pdn"], "{args:?}");
    }
}

#[test]
fn outputs_of_a_run_that_fails_are_taken_back() {
    let (folder, _) = archive_of(GAMES);
    let [out, rejects] = ["out.pdn", "rejects.pdn"].map(|name| folder.path().join(name));
    let args = ["convert", "-", "-o", text(&out), "--rejects", text(&rejects)];
    let (child, mut input) = waiting(&args, folder.path());
    input.write_all(b"[White \"C\"]\n[GameType \"20\"]\n\n1. 32-18 *\n").unwrap();
    fs::write(&out, "of another program").unwrap();
    drop(input);
    let Run { code, err, .. } = finished(child.wait_with_output().unwrap());
    assert!(code == 2 && err.contains("out.pdn: cannot be written: exists already"), "{err}");
    assert_eq!(names(folder.path()), ["games.pdn", "out.pdn"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "of another program");
}

#[test]
fn full_disk_leaves_old_pages_and_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    let [pages, picture] = ["pages", "board.svg"].map(|name| folder.path().join(name));
    assert_eq!(run(&["man", "-o", text(&pages)]).code, 0);
    let before = names(&pages);
    for name in &before {
        fs::write(pages.join(name), "old").unwrap();
    }
    let full = |args: &[&str]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]);
        finished(shell.arg(assert_cmd::cargo::cargo_bin!("pdn")).args(args).output().unwrap())
    };
    let failed = full(&["man", "-o", text(&pages)]);
    assert!(failed.code == 2 && failed.err.contains("cannot be written"), "{}", failed.err);
    assert_eq!(names(&pages), before);
    for name in &before {
        assert_eq!(fs::read_to_string(pages.join(name)).unwrap(), "old", "{name}");
    }
    let failed = full(&["show", "--svg", text(&picture)]);
    assert!(failed.code == 2 && failed.err.contains("cannot be written"), "{}", failed.err);
    assert_eq!(names(folder.path()), ["pages"]);
    assert_eq!(run(&["show", "--svg", text(&picture)]).code, 0);
}

#[test]
fn longest_names_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["g".repeat(251) + ".pdn", "\u{43f}".repeat(125) + ".pdn"] {
        let (path, copy) = (folder.path().join(&name), folder.path().join(name.replace(".pdn", ".txt")));
        fs::write(&path, GAMES).unwrap();
        let checked = |args: &[&str]| {
            let done = run(args);
            assert_eq!(done.code, 0, "{args:?} {}", done.err);
        };
        checked(&["convert", text(&path), "-o", text(&copy)]);
        checked(&["fix", "--write", text(&path)]);
        assert_ne!(fs::read_to_string(&path).unwrap(), GAMES);
        let journal =
            names(folder.path()).into_iter().find(|name| name.ends_with(".undo")).expect("a journal");
        checked(&["fix", "--undo", text(&folder.path().join(journal))]);
        assert_eq!(fs::read_to_string(&path).unwrap(), GAMES);
        checked(&["fmt", text(&path)]);
        assert_eq!(names(folder.path()).len(), 3, "{:?}", names(folder.path()));
        names(folder.path()).iter().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
    }
}

#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn names_of_folders_are_synced() {
    let (folder, games) = archive_of(GAMES);
    let place = folder.path().canonicalize().unwrap();
    let [set, years, trace] = ["set", "years", "trace"].map(|name| place.join(name));
    fs::create_dir(&years).unwrap();
    for (args, synced) in [
        (["dataset", text(&games), "-o", text(&set), "--threads", "1"], &place),
        (["convert", text(&games), "-o", text(&years), "--split", "year"], &years),
    ] {
        let mut traced = Command::new("strace");
        traced.args(["-f", "-y", "-e", "trace=rename,renameat,renameat2,fsync", "-o", text(&trace)]);
        let run = traced.arg(assert_cmd::cargo::cargo_bin!("pdn")).args(args).output();
        if !run.as_ref().is_ok_and(|run| !run.stderr.starts_with(b"strace")) {
            eprintln!("SKIPPED: system calls cannot be traced here: {run:?}");
            return;
        }
        let calls = fs::read_to_string(&trace).unwrap();
        let (_, after) = calls.rsplit_once("rename").expect("a rename");
        let wanted = format!("<{}>", synced.display());
        let is_synced = after.lines().any(|line| line.contains("fsync(") && line.contains(&wanted));
        assert!(is_synced, "{args:?}: {calls}");
    }
}
