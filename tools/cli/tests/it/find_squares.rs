//! Square numbers that stand for other squares on other boards.

use std::fs;
use std::path::Path;

use crate::common::{run, text};

const GAMES: &str = "\
[White \"Wiersma\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n
[White \"Tinsley\"]\n[GameType \"21\"]\n1. 11-15 23-19 *\n
[White \"Koeperman\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 *\n";

fn index(folder: &Path) -> String {
    let (archive, dir) = (folder.join("games.pdn"), folder.join("index"));
    fs::write(&archive, GAMES).unwrap();
    assert_eq!(run(&["index", text(&archive), "-o", text(&dir)]).code, 0);
    text(&dir).to_owned()
}

#[test]
fn numbers_that_mean_other_squares_need_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path());
    for (options, variants) in [
        (&["--pattern", "w28"][..], "english, international, russian"),
        (&["--fen", "W:W21-32:B1-12"], "english, international, russian"),
        (&["--move", "to 28"], "english, international, russian"),
        (&["-q", "white : wiersma or ever pattern \"w28\""], "english, international, russian"),
        (&["--moves", ""], "english, international, russian"),
    ] {
        let found = run(&[&["find", dir.as_str()], options].concat());
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{options:?}");
        let message = format!("{variants}; choose one variant");
        assert!(found.err.contains(&message), "{options:?}: {}", found.err);
    }
    for (options, count) in [
        // One variant is left, by an option or by another condition.
        (&["--pattern", "w28", "--variant", "international"][..], 1),
        (&["--pattern", "w28", "--variant", "english"], 1),
        (&["--pattern", "w28", "--white", "tinsley"], 1),
        (&["-q", "white : tinsley and (pattern \"w28\" or ply 50)"], 1),
        (&["-q", "ever move to 28 and (wk = 0 and variant international)"], 1),
        // Only one board has these squares, or the same squares have these numbers.
        (&["--pattern", "w45 b20"], 1),
        (&["--pattern", "w31", "--variant", "russian"], 1),
        (&["-q", "not variant international and pattern \"w31\""], 2),
        // Only one variant has these moves.
        (&["--moves", "1. 32-28"], 1),
        // Letters count from the lower left corner of every board, and a diagram has its own board.
        (&["--pattern", "w:c3"], 3),
        (&["--pattern", "????/????/????/????/????/????/????/www?"], 2),
        (&["--material", "w<20"], 3),
    ] {
        let found = run(&[&["find", dir.as_str(), "--count"], options].concat());
        assert_eq!((found.out.trim(), found.err.as_str()), (count.to_string().as_str(), ""), "{options:?}");
    }
    let tree = run(&["tree", &dir, "-q", "ever pattern \"w28\""]);
    assert!(tree.code == 2 && tree.err.contains("choose one variant"), "{}", tree.err);
    let tree = run(&["tree", &dir, "-q", "ever pattern \"w28\"", "--variant", "international", "--json"]);
    assert!(tree.code == 0 && tree.out.contains("\"games\":1"), "{} {}", tree.out, tree.err);
}

#[test]
fn variants_of_games_that_were_taken_out_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let [all, replaced, dir] =
        ["all.pdn", "replaced.pdn", "index"].map(|name| text(&folder.path().join(name)).to_owned());
    let append = || assert_eq!(run(&["index", &all, &replaced, "--append", "-o", &dir]).code, 0);
    fs::write(&all, "[GameType \"20\"]\n1. 32-28 *\n").unwrap();
    fs::write(&replaced, "[GameType \"25\"]\n1. c3-d4 b6-a5 *\n").unwrap();
    append();
    assert_eq!(run(&["find", &dir, "--pattern", "w28"]).code, 2);
    fs::write(&replaced, "[GameType \"20\"]\n1. 31-27 *\n").unwrap();
    append();
    let found = run(&["find", &dir, "--pattern", "w28", "--count"]);
    assert_eq!((found.code, found.out.as_str()), (0, "1\n"), "{}", found.err);
}

/// No game can have a square that no board has; that is a mistake in the question, and not an answer.
#[test]
fn squares_that_no_board_has_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path());
    let boards = "the board of international has squares 1 to 50";
    for (options, message) in [
        (
            &["--pattern", "w61", "-g", "international"][..],
            &format!("--pattern: `pattern \"w61\"` is true in no game: {boards}")[..],
        ),
        (&["--fen", "W:W31-60:B1-20", "-g", "international"], &format!("is true in no game: {boards}")),
        (
            &["--move", "61-55", "--white", "wiersma"],
            &format!("--move: `move from 61 to 55` is true in no game: {boards}"),
        ),
        (
            &["-q", "white : tinsley and not ever pattern \"b33\""],
            "--query: `pattern \"b33\"` is true in no game: the board of english has squares 1 to 32",
        ),
        (&["--pattern", "w61"], "no board of english, international and russian has a square 61"),
        (&["--pattern", "w:k9", "-g", "russian"], "no board of russian has a square k9"),
        (&["--moves", "1. c3-d4 c3-d4", "-g", "russian"], "--moves: expected"),
        (&["--moves", "1. 32-28", "-g", "english"], "--moves: expected"),
    ] {
        let found = run(&[&["find", dir.as_str()], options].concat());
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{options:?}: {}", found.err);
        assert!(found.err.contains(message), "{options:?}: {}", found.err);
    }
    // A move may end on any of these squares, and one of them is there.
    let found = run(&["find", &dir, "--move", "to 23,61", "-g", "international", "--count"]);
    assert_eq!((found.out.as_str(), found.err.as_str()), ("1\n", ""));
    // No game is left that the square could be asked of.
    let found = run(&["find", &dir, "--pattern", "w61", "--white", "nobody"]);
    assert_eq!(found.code, 1, "{}", found.err);
}
