//! Tests of what `pdn find` and `pdn tree` say when no game matches.

use std::fs;
use std::path::Path;

use crate::common::run;

/// Writes and indexes games of a few players; returns the path of the index.
fn build_index(place: &Path) -> String {
    let mut games = String::new();
    for (white, black, event, year) in [
        ("Schwarzman,A.", "Шутилкин Н.", "World Title", 2003),
        ("Tinsley, M.", "Schwarzman,A.", "World Title", 2004),
        ("Tinsley, M.", "Hansen, H.", "Club", 2005),
        ("Tinsley, M.", "Tinsley, M.", "Club", 2006),
    ] {
        games += &format!(
            "[Event \"{event}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.01.01\"]\n\
             [GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n"
        );
    }
    let (archive, dir) = (place.join("games.pdn"), place.join("index"));
    fs::write(&archive, games).unwrap();
    let [archive, dir] = [&archive, &dir].map(|path| crate::common::text(path).to_owned());
    assert_eq!(run(&["index", &archive, "-o", &dir]).code, 0);
    dir
}

#[test]
fn empty_answers_name_the_condition_and_what_is_near() {
    let place = tempfile::tempdir().unwrap();
    let dir = build_index(place.path());
    for (command, options, message) in [
        (
            "find",
            &["--player", "schwarzmann"][..],
            "pdn: no game matches\n  `player : \"schwarzmann\"` matches no game of the index\n  \
             players near to `schwarzmann`: `Schwarzman,A.` (2 games)\n",
        ),
        ("find", &["--player", "=shutilkin n"], "players near to `shutilkin n`: `Шутилкин Н.` (1 game)\n"),
        // A game of a player against himself is one game.
        ("find", &["--player", "tinsly"], "players near to `tinsly`: `Tinsley, M.` (3 games)\n"),
        ("find", &["--black", "tinsly"], "players near to `tinsly`: `Tinsley, M.` (1 game)\n"),
        ("find", &["--white", "hansenn"], "no player is near to `hansenn`\n"),
        ("find", &["--event", "worl title"], "events near to `worl title`: `World Title` (2 games)\n"),
        ("find", &["--player", "nobody at all"], "no player is near to `nobody at all`\n"),
        (
            "find",
            &["--opening-played", "rozenburg"],
            "no game of the index\n  openings near to `rozenburg`: `Closed Roozenburg`, `Roozenburg`\n",
        ),
        ("find", &["--opening-played", "nobody's"], "no opening has a name near to `nobody's`\n"),
        (
            "find",
            &["--variant", "russian"],
            "`variant russian` matches no game of the index\n  the index has international (4 games)\n",
        ),
        (
            "find",
            &["--player", "hansen", "--date", "2003"],
            "  1 game matches `player : \"hansen\"`\n  1 game matches `date 2003`, but none of the games above\n",
        ),
        (
            "find",
            &["--player", "tinsley", "--date", "2004..", "-q", "last and ply 3"],
            "  3 games match `player : \"tinsley\"` and `date 2004..` and `last`\n  4 games match `ply 3`, but none of the games above\n",
        ),
        ("tree", &["--player", "tinsly"], "players near to `tinsly`: `Tinsley, M.` (3 games)\n"),
        ("tree", &["--fen", "W:WK1:BK50"], "` matches no game of the index\n"),
    ] {
        for format in [&[][..], &["--json"]] {
            let found = run(&[&[command, &dir][..], options, format].concat());
            assert_eq!(found.code, 1, "{options:?}: {}", found.err);
            assert!(found.err.contains(message), "{options:?}: {}", found.err);
            assert!(command == "tree" || found.out.is_empty(), "{options:?}: {}", found.out);
        }
    }
    let count = run(&["find", &dir, "--player", "tinsly", "--count"]);
    assert_eq!((count.code, count.out.as_str()), (1, "0\n"));
    assert!(count.err.contains("Tinsley, M."), "{}", count.err);
}

#[test]
fn players_are_found_in_other_letters_and_behind_their_initials() {
    let place = tempfile::tempdir().unwrap();
    let dir = build_index(place.path());
    for (name, games) in [
        ("shutilkin", "1\n"),
        ("Sjoetilkin, N.", "1\n"),
        ("Шварцман", "2\n"),
        ("sjvartsman", "2\n"),
        ("~tinsly", "3\n"),
        ("~hanson", "1\n"),
        ("hanson", "0\n"),
        ("=shutilkin", "0\n"),
    ] {
        let found = run(&["find", &dir, "--count", "--player", name]);
        assert_eq!(found.out, games, "{name}");
    }
}

#[test]
fn near_names_are_those_of_games_that_are_still_there_the_most_frequent_first() {
    let place = tempfile::tempdir().unwrap();
    let [archive, dir] =
        ["games.pdn", "index"].map(|name| crate::common::text(&place.path().join(name)).to_owned());
    let write = |players: &[&str]| {
        let game = |player: &&str| format!("[White \"{player}\"]\n[GameType \"20\"]\n1. 32-28 *\n\n");
        fs::write(&archive, players.iter().map(game).collect::<String>()).unwrap();
        assert_eq!(run(&["index", &archive, "--append", "--prune", "-o", &dir]).code, 0);
    };
    write(&["Hansen, A.", "Hanson, A.", "Hansun, A.", "Hanson, A."]);
    let near = || run(&["find", &dir, "--player", "hansin"]).err;
    let all = "`Hanson, A.` (2 games), `Hansen, A.` (1 game), `Hansun, A.` (1 game)\n";
    assert!(near().ends_with(all), "{}", near());
    write(&["Hansen, A.", "Wiersma, H."]);
    assert!(near().ends_with("players near to `hansin`: `Hansen, A.` (1 game)\n"), "{}", near());
    write(&["Wiersma, H."]);
    assert!(near().ends_with("no player is near to `hansin`\n"), "{}", near());
}
