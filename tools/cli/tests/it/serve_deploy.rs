//! Tests of the unit for systemd and of the container file in `tools/explorer/deploy`: a server starts with each command line in
//! them and answers the requests that they are written for.

use std::fs;
use std::path::Path;

use crate::common::{run, text};
use crate::serve::{send, start};

/// Returns the text of a file of `tools/explorer/deploy`.
fn deployed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../explorer/deploy").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Starts a server with a command line, in which the paths and the ports are replaced by those of the test, and asks it for the
/// first index under a name of the server. The words begin with the name of the program.
#[track_caller]
fn check(words: &[&str], host: &str) {
    let folder = tempfile::tempdir().unwrap();
    let [archive, index, token] = ["games.pdn", "games.idx", "token"].map(|name| folder.path().join(name));
    fs::write(&archive, "[GameType \"20\"]\n\n1. 32-28 *\n").unwrap();
    fs::write(&token, "a-token-for-this-test\n").unwrap();
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    let word = |word: &&str| match word.rsplit_once([':', '/']) {
        Some((host, "5270" | "5271")) => format!("{host}:0"),
        Some((_, "games.idx")) => text(&index).to_owned(),
        Some((_, "import-token" | "pdn-import-token")) => text(&token).to_owned(),
        Some(_) => panic!("{word} is not replaced in {words:?}"),
        None => (*word).to_owned(),
    };
    let (program, words) = words.split_first().unwrap();
    assert_eq!(Path::new(program).file_name().unwrap(), "pdn");
    let words: Vec<String> = words.iter().map(word).collect();
    let (mut child, port) = start(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let request = format!("GET /health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let answer = send(port, request.as_bytes());
    let _ = (child.kill(), child.wait());
    assert_eq!(answer.unwrap().json()["indexes"][0], "games", "{words:?}");
}

#[test]
fn command_lines_of_the_unit_start_a_server() {
    let unit = deployed("pdn-serve.service");
    let lines: Vec<&str> =
        unit.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix("ExecStart=")).collect();
    assert_eq!(lines.len(), 2, "with and without imports");
    for line in lines {
        check(&line.split_whitespace().collect::<Vec<_>>(), "draughts.example.org");
    }
}

#[test]
fn command_lines_of_the_container_start_a_server() {
    let file = deployed("Containerfile");
    let entry = file.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).unwrap();
    let entry: Vec<&str> = serde_json::from_str(entry).unwrap();
    // What follows the name of the image in the examples is appended.
    let joined = file.replace("\\\n#", " ");
    let examples: Vec<&str> = joined.lines().filter(|line| line.starts_with("#   podman run ")).collect();
    assert_eq!(examples.len(), 2, "with and without imports");
    for example in examples {
        let (_, options) = example.rsplit_once(" pdn-serve").unwrap();
        check(&entry.iter().copied().chain(options.split_whitespace()).collect::<Vec<_>>(), "127.0.0.1:5270");
    }
}
