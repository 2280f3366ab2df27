//! `pdn names`, and the file of names that `pdn fix --names` applies.

use std::fs;

use crate::common::{run, run_with, text};

/// Two persons in several spellings, and one that fits two.
const GAMES: &str = "[Event \"WK 1973\"]\n[Date \"1973.11.01\"]\n[Round \"1\"]\n[White \"Sijbrands, Ton\"]\n\
    [Black \"Andreiko, A.\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n\
    [Event \"wk 1973\"]\n[Date \"1973.11.03\"]\n[Round \"2\"]\n[White \"T. Sijbrands\"]\n[Black \"Jansen, J.\"]\n\n\
    1. 32-28 19-23 2. 28x19 14x23 1-1\n\n\
    [White \"Jansen, Jan\"]\n[Black \"Jansen, Johan\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n";

#[test]
fn file_of_names_is_applied_and_undone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (archive, names) = (folder.path().join("games.pdn"), folder.path().join("names.toml"));
    fs::write(&archive, GAMES).expect("written");
    let found = run(&["names", text(&archive), "-o", text(&names)]);
    assert_eq!((found.code, found.out.as_str()), (0, ""));
    assert!(found.err.contains("3 games: 2 groups with 4 spellings, and 1 group in doubt"), "{}", found.err);

    let diff = run(&["fix", "--select", "names", "--names", text(&names), text(&archive)]);
    assert_eq!(diff.code, 1, "{}", diff.err);
    for line in [
        "-[White \"T. Sijbrands\"]\n+[White \"Sijbrands, Ton\"]",
        "-[Event \"wk 1973\"]\n+[Event \"WK 1973\"]",
    ] {
        assert!(diff.out.contains(line), "{}", diff.out);
    }
    assert!(!diff.out.contains("+[Black"), "a name that fits several persons stays: {}", diff.out);
    assert!(diff.err.contains("2 names"), "{}", diff.err);
    assert_eq!(fs::read_to_string(&archive).expect("read"), GAMES);

    let json = run(&["fix", "--json", "--select", "names", "--names", text(&names), text(&archive)]);
    assert!(json.out.contains("\"code\":\"names\""), "{}", json.out);

    let written = run(&["fix", "--write", "--select", "names", "--names", text(&names), text(&archive)]);
    assert_eq!(written.code, 0, "{}", written.err);
    let new = fs::read_to_string(&archive).expect("read");
    let expected = GAMES.replace("T. Sijbrands", "Sijbrands, Ton").replace("wk 1973", "WK 1973");
    assert_eq!(new, expected);
    let journal = folder.path().join("games.pdn.undo");
    assert_eq!(run(&["fix", "--undo", text(&journal)]).code, 0);
    assert_eq!(fs::read_to_string(&archive).expect("read"), GAMES);
}

/// A tag without its quotes, a character reference, text in a wrong encoding, and a name in each of them.
#[test]
fn name_and_repair_of_one_tag_are_made_in_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (archive, names) = (folder.path().join("games.pdn"), folder.path().join("names.toml"));
    let games = "[Event WK 1973]\n[Date \"1973-11-1\"]\n[White \"Andr&eacute; S.\"]\n[Black \"WiÅ›niewski\"]\n\n\
        1. 32-28 19-23 2. 28x19 14x23 1-1\n";
    fs::write(&archive, games).expect("written");
    let map = "[[player]]\ncanonical = \"Stuurman, André\"\nspellings = [\"André S.\"]\n\n\
        [[player]]\ncanonical = \"Wiśniewski, A.\"\nspellings = [\"Wiśniewski\"]\n\n\
        [[event]]\ncanonical = \"World championship\"\nspellings = [\"WK 1973\"]\n";
    fs::write(&names, map).expect("written");
    let fix = |more: &[&str]| {
        run(&[&["fix", "--unsafe", "--names", text(&names)], more, &[text(&archive)]].concat())
    };
    let json = fix(&["--json"]);
    let of_names: Vec<&str> = json.out.lines().filter(|line| line.contains("\"code\":\"names\"")).collect();
    assert_eq!(of_names.len(), 3, "{}", json.out);
    assert!(
        of_names[1].contains("\"old\":\"Andr&eacute; S.\",\"new\":\"Stuurman, André\""),
        "{}",
        of_names[1]
    );
    let written = fix(&["--write"]);
    assert_eq!(written.code, 0, "{}", written.err);
    let expected = "[Event \"World championship\"]\n[Date \"1973.11.01\"]\n[White \"Stuurman, André\"]\n[Black \"Wiśniewski, A.\"]\n";
    let new = fs::read_to_string(&archive).expect("read");
    assert!(new.starts_with(expected), "{new}\n{}", written.err);
    let again = fix(&[]);
    assert!(again.err.contains("0 repairs possible"), "a second run changes nothing: {}", again.err);
    assert_eq!(again.out, "");
    let journal = folder.path().join("games.pdn.undo");
    assert_eq!(run(&["fix", "--undo", text(&journal)]).code, 0);
    assert_eq!(fs::read_to_string(&archive).expect("read"), games);
}

#[test]
fn groups_in_doubt_become_valid_when_their_marks_are_removed() {
    let printed = run_with(&["names", "-"], GAMES.as_bytes()).out;
    let all: Vec<&str> = printed
        .lines()
        .map(|line| {
            line.strip_prefix("# ")
                .filter(|rest| {
                    rest.starts_with("[[")
                        || rest.starts_with("canonical")
                        || rest.starts_with("spellings")
                        || rest.starts_with("  \"")
                        || *rest == "]"
                })
                .unwrap_or(line)
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let names = folder.path().join("names.toml");
    fs::write(&names, all.join("\n")).expect("written");
    let diff = run_with(&["fix", "--select", "names", "--names", text(&names), "-"], GAMES.as_bytes());
    assert_eq!(diff.code, 1, "{}", diff.err);
    assert!(diff.out.contains("+[Black \"Jansen, Jan\"]"), "{}", diff.out);
}

#[test]
fn edited_file_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = folder.path().join("names.toml");
    let write = |more: &[&str]| {
        run_with(&[&["names", "-", "--quiet", "-o", text(&names)], more].concat(), GAMES.as_bytes())
    };
    assert_eq!(write(&[]).code, 0);
    // As it was written, it is replaced.
    assert_eq!(write(&[]).code, 0);
    let edited = fs::read_to_string(&names).expect("read").replace("Sijbrands, Ton", "Ton Sijbrands");
    fs::write(&names, &edited).expect("written");
    let refused = write(&[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("names.toml: exists and was edited"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&names).expect("read"), edited);
    assert_eq!(write(&["--force"]).code, 0);
    assert_ne!(fs::read_to_string(&names).expect("read"), edited);
}

#[test]
fn faults_in_a_file_of_names_have_a_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = folder.path().join("names.toml");
    for (content, message) in [
        (
            "[[player]]\ncanonical = \"a\"\nspellings = [\"b\", \"b\"]\n",
            "names.toml:3:19: the spelling `b` is listed twice",
        ),
        ("[[player]]\ncanonical = \"a\n", "names.toml:2:"),
        ("[[players]]\n", "names.toml:1:3: expected `player`, `event` or `site`"),
    ] {
        fs::write(&names, content).expect("written");
        let refused = run_with(&["fix", "--names", text(&names), "-"], GAMES.as_bytes());
        assert_eq!((refused.code, refused.out.as_str()), (2, ""));
        assert!(refused.err.contains(message), "{}", refused.err);
    }
    let missing = folder.path().join("missing.toml");
    assert_eq!(run(&["fix", "--names", text(&missing), "-"]).code, 2);
}

#[test]
fn name_that_the_encoding_lacks_stays_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (archive, names) = (folder.path().join("games.pdn"), folder.path().join("names.toml"));
    fs::write(&archive, GAMES).expect("written");
    fs::write(&names, "[[player]]\ncanonical = \"Сейбрандс\"\nspellings = [\"T. Sijbrands\"]\n")
        .expect("written");
    let args = ["fix", "--select", "names", "--names", text(&names), "--encoding", "latin1", text(&archive)];
    let refused = run(&args);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("the name stays"), "{}", refused.err);
    assert!(!refused.out.contains("+[White"), "{}", refused.out);
}

#[test]
fn options_choose_kinds_games_and_groups() {
    let kinds = |args: &[&str]| {
        let found = run_with(&[&["names", "-", "--json", "--quiet"], args].concat(), GAMES.as_bytes());
        assert_eq!(found.code, 0, "{}", found.err);
        found
            .out
            .lines()
            .map(|line| line.split('"').nth(3).unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&[]), ["player", "player", "event"]);
    assert_eq!(kinds(&["--kind", "event,site"]), ["event"]);
    assert_eq!(kinds(&["--min-games", "2"]), ["player", "event"]);
    assert_eq!(kinds(&["--date", "1973"]), ["player", "event"]);
}

#[test]
fn index_gives_the_names_of_its_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let (archive, index) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    fs::write(&archive, GAMES).expect("written");
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    let (of_index, of_archive) = (run(&["names", text(&index)]), run(&["names", text(&archive)]));
    assert_eq!(of_index.out, of_archive.out);
    assert_eq!(of_index.code, 0);
}

#[test]
fn hyphen_is_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).expect("written");
    let plain = run(&["names", text(&archive)]);
    let hyphen = run(&["names", text(&archive), "-o", "-"]);
    assert!(plain.out.contains("T. Sijbrands"), "{}", plain.out);
    assert_eq!((hyphen.code, hyphen.out), (plain.code, plain.out));
}
