//! Output on a terminal of 80 columns, where the program `script` can make one.

use std::process::Command;

use crate::common::{data, pdn, run, text};

/// Runs the command on a terminal of 80 columns; `None` if there is no program that makes one.
fn on_terminal(args: &[&str]) -> Option<String> {
    let words: Vec<_> = args.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    let program = pdn(&[]).get_program().to_str()?.to_owned();
    let line = format!("stty cols 80 rows 50; '{program}' {}", words.join(" "));
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .current_dir(data())
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.success() && !text.contains("stty:")).then(|| text.replace("\r\n", "\n"))
}

#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn tables_are_cut_at_the_width_of_the_terminal() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.pdn");
    let name = "a very long name that no column of a narrow terminal can hold as a whole";
    let tags =
        format!("[White \"{name}\"]\n[Black \"Б{name}\"]\n[Event \"{name}\"]\n[WhiteRating \"1500\"]\n");
    std::fs::write(&file, format!("{tags}[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n").repeat(12)).unwrap();
    let dir = place.path().join("index");
    assert_eq!(run(&["index", text(&file), "-o", text(&dir)]).code, 0);
    if on_terminal(&["--version"]).is_none() {
        eprintln!("skipped: no terminal can be made");
        return;
    }
    for args in [&["find", text(&dir)][..], &["tree", text(&dir)]] {
        let shown = on_terminal(args).expect("a terminal as before");
        // Only a terminal has no room for some columns.
        let is_of_table = |line: &&str| !line.starts_with("No room for ");
        let shown: Vec<&str> = shown.lines().filter(is_of_table).collect();
        let shown = shown.join("\n") + "\n";
        let piped = run(args).out;
        assert_eq!(shown.lines().count(), piped.lines().count(), "{args:?}: no line is broken: {shown}");
        // The last line is a sentence with a path of any length.
        for line in shown.lines().rev().skip(1) {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
        for (shown, whole) in shown.lines().zip(piped.lines()) {
            let is_cut = shown.contains('…');
            assert!(is_cut || shown.split_whitespace().eq(whole.split_whitespace()), "{shown}\n{whole}");
        }
    }
    let find = on_terminal(&["find", text(&dir)]).expect("a terminal as before");
    assert!(find.lines().nth(1).unwrap().ends_with('…') && find.contains("international"), "{find}");
}

#[test]
#[cfg(unix)]
fn nothing_in_arguments_acts_on_a_terminal() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let hostile = |run: &crate::common::Run| {
        let text = format!("{}{}", run.out, run.err);
        text.contains(|c: char| c != '\n' && c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c))
    };
    for args in [
        &["check", "--x\x1b[31m.pdn"][..],
        &["check", "--variant", "a\x1b[31m\u{9b}b\rc\u{202e}d", "FILE"],
        &["find", "DIR", "--limit", "1\x1b[2J"],
        &["che\x1bck"],
        &["check", "no\x1b[31m.pdn"],
        &["find", "no\x1b[31m.idx"],
        &["tree", "--fen", "W:W\x1b[31m:B1", "no.idx"],
        &["perft", "--threads", "\u{e0041}\x1b"],
    ] {
        let run = run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(!hostile(&run), "{args:?}: {:?}", run.err);
    }
    let bytes = pdn(&["check"]).arg(OsStr::from_bytes(b"--\xff\x1b[31m")).output().unwrap();
    assert_eq!(bytes.status.code(), Some(2));
    assert!(!bytes.stderr.contains(&0x1b), "{}", bytes.stderr.escape_ascii());
}
