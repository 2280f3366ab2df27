//! Runs every command on hostile archives. Each ends with a proper exit code in bounded memory, and its steps of work double
//! when the archive doubles.
//!
//! Steps are counted by debug builds (`pdn_rules::internal::steps`), so that no clock is needed; in release builds only the rest is checked.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Run, archive_of, finished, pdn, text};

/// Address space of a command in KiB: 640 MiB.
const MEMORY: &str = "655360";

/// Runs the command on one thread with limited memory. Returns the run, and its steps if the build counts them.
pub(crate) fn measured(args: &[&str]) -> (Run, Option<u64>) {
    let command = pdn(args);
    let mut shell = Command::new("sh");
    shell.current_dir(command.get_current_dir().unwrap()).env("PDN_COUNT_STEPS", "1");
    let limit = if cfg!(target_os = "linux") { format!("ulimit -v {MEMORY}; ") } else { String::new() };
    shell.args(["-c", &format!("{limit}exec \"$@\""), "sh"]).arg(command.get_program()).args(args);
    let run = finished(shell.output().unwrap());
    let steps = run.err.lines().find_map(|line| line.strip_prefix("pdn: steps: ")?.parse().ok());
    (run, steps)
}

/// Checks all commands on archives of two sizes, the second twice the first. `make(n)` returns a text with `n` of what is
/// hostile.
fn check_commands(name: &str, units: usize, make: impl Fn(usize) -> String) {
    let place = tempfile::tempdir().unwrap();
    let steps = [units, 2 * units].map(|n| {
        let folder = place.path().join(n.to_string());
        fs::create_dir(&folder).unwrap();
        let (archive, index) = (folder.join("games.pdn"), folder.join("index"));
        fs::write(&archive, make(n)).unwrap();
        all_commands(name, text(&archive), text(&index))
    });
    for ((command, once), (_, twice)) in steps[0].iter().zip(&steps[1]) {
        if let (Some(once), Some(twice)) = (once, twice) {
            let most = once * 23 / 10 + 2000;
            assert!(*twice <= most, "{name}: `{command}` takes {once} steps, and {twice} for twice as much");
        }
    }
}

/// Runs every command on an archive, and returns the steps of each.
fn all_commands(name: &str, archive: &str, index: &str) -> Vec<(String, Option<u64>)> {
    let commands = [
        "check --threads 1 FILE",
        "check --threads 1 --format json FILE",
        "check --threads 1 --format sarif FILE",
        "check --threads 1 --format github FILE",
        "stats --threads 1 FILE",
        "show FILE 1",
        "show --json FILE 1",
        "index --threads 1 --embed --positions -o INDEX FILE",
        "find --threads 1 --limit 0 INDEX",
        "find --threads 1 --format jsonl INDEX",
        "find --threads 1 --format fen INDEX",
        "find --threads 1 --format pdn INDEX",
        "find --threads 1 --count INDEX --query wk>=1",
        "find --threads 1 --count INDEX --query aside(wk>=1)or(comment:lost)",
        "find --threads 1 --all-plies --format jsonl INDEX --query aside(all)or(mark!)",
        "tree --threads 1 INDEX",
        "show INDEX 1",
        "show INDEX 1 --line 1 --ply 1",
        "verify --threads 1 --full INDEX",
        "merge INDEX",
    ];
    let run = |command: &str| {
        let args = command.split(' ').map(|word| match word {
            "FILE" => archive,
            "INDEX" => index,
            word => word,
        });
        let (Run { code, err, .. }, steps) = measured(&args.collect::<Vec<_>>());
        assert!((0..=2).contains(&code), "{name}: `{command}` ends with {code}: {err}");
        assert!(!err.contains("panicked"), "{name}: `{command}`: {err}");
        assert!(code < 2 || err.starts_with("pdn: "), "{name}: `{command}` gives no reason: {err}");
        (command.to_owned(), steps)
    };
    commands.into_iter().map(run).collect()
}

/// Returns a game of international draughts with this movetext.
fn game(movetext: &str) -> String {
    format!("[GameType \"20\"]\n{movetext} *\n\n")
}

/// Returns a game of kings that move to and fro for `plies` plies.
fn long_game(plies: usize) -> String {
    let mut moves = String::from("[FEN \"W:WK1:BK50\"]\n");
    for number in 0..plies / 2 {
        let _ = write!(moves, "{}. {} ", number + 1, ["1-6 50-45", "6-1 45-50"][number % 2]);
    }
    game(&moves)
}

#[test]
fn long_games_take_linear_work() {
    check_commands("plies", 3000, long_game);
    check_commands("missing moves", 3000, |n| game(&format!("1. 32-28 {}", "... ".repeat(n))));
    check_commands("dashes", 3000, |n| format!("1. {}*\n", "- ".repeat(n)));
    check_commands("illegal moves", 3000, |n| game(&"1-50 ".repeat(n)));
    check_commands("setups", 500, |n| game(&"/FEN \"W:W31-50:B1-20\"/ 32-28 ".repeat(n)));
}

#[test]
fn variations_comments_and_text_take_linear_work() {
    check_commands("open parentheses", 3000, |n| {
        game(&format!("1. 32-28 {}19-23{} 19-23", "(".repeat(n), ")".repeat(n)))
    });
    check_commands("nested variations", 3000, |n| {
        game(&format!("1. 32-28 {}{} 19-23", "(33-28 ".repeat(n), ")".repeat(n)))
    });
    check_commands("variations of one move", 1500, |n| {
        game(&format!("1. 32-28 {}19-23", "(33-28) ".repeat(n)))
    });
    check_commands("comments", 2000, |n| game(&format!("1. 32-28 {}", "{c [%clk 1:00:00]} ".repeat(n))));
    check_commands("numeric annotation glyphs", 3000, |n| game(&format!("1. 32-28 {}", "$1 ".repeat(n))));
    check_commands("lost words", 2000, |n| game(&format!("1. 32-28 {}", "lost words ".repeat(n))));
}

#[test]
fn tags_take_linear_work() {
    check_commands("huge tag", 20_000, |n| {
        format!("[White \"{}\"]\n{}", "x".repeat(n), game("1. 32-28 19-23"))
    });
    check_commands("huge tag of references", 5_000, |n| {
        format!("[Event \"{}\"]\n{}", "é&amp;".repeat(n), game("1. 32-28 19-23"))
    });
    check_commands("different tags", 2000, |n| {
        let mut tags = String::new();
        for number in 0..n {
            let _ = writeln!(tags, "[A{number} \"x\"]");
        }
        tags + "1. 32-28 *\n"
    });
    check_commands("equal tags", 2000, |n| "[White \"x\"]\n".repeat(n) + "1. 32-28 *\n");
}

#[test]
fn many_games_take_linear_work() {
    check_commands("one line", 200, |n| "[White \"a\"] [Date \"2001.13.45\"] 1. 32-28 32-28 * ".repeat(n));
    check_commands("games without tags", 300, |n| "1. 32-28 19-23 2. 28x19 14x23 * ".repeat(n));
    check_commands("results", 500, |n| "1-0 ".repeat(n));
    check_commands("different names", 200, |n| {
        (0..n).map(|number| format!("[White \"Player {number}\"]\n{}", game("1. 32-28 19-23"))).collect()
    });
}

/// Checks that `names` and `dedup` end soon on hostile names. Between `games` and four times as many, their steps grow as n log n or less,
/// unless there are so few for each game that the limits are not reached yet; and they are few for each game in any case.
fn check_names(name: &str, games: usize, most: u64, players: impl Fn(usize) -> [String; 2]) {
    let place = tempfile::tempdir().unwrap();
    let archive = place.path().join("games.pdn");
    let mut steps = Vec::new();
    for games in [games, 4 * games] {
        let game = |number| {
            let [white, black] = players(number);
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n{}", game("1. 32-28 19-23 2. 28x19 14x23"))
        };
        fs::write(&archive, (0..games).map(game).collect::<String>()).unwrap();
        let commands = ["names", "dedup"].map(|command| {
            let (run, steps) = measured(&[command, "--threads", "1", "--quiet", text(&archive)]);
            assert_eq!(run.code, 0, "{name}: {command}: {}", run.err);
            (command, steps, run.err)
        });
        for (command, steps, _) in &commands {
            let of_game = steps.unwrap_or(0) / games as u64;
            assert!(of_game < most, "{name}: {command} takes {of_game} steps for each of {games} games");
        }
        steps.push(commands);
    }
    let growth = 4.0 * (4.0 * games as f64).ln() / (games as f64).ln();
    for ((command, few, _), (_, many, err)) in steps[0].iter().zip(&steps[1]) {
        if let (Some(few), Some(many)) = (few, many) {
            let is_bounded =
                *many as f64 <= *few as f64 * growth + 2000.0 || many / (4 * games as u64) < most / 4;
            assert!(
                is_bounded,
                "{name}: {command}: {few} steps for {games} games, {many} for four times as many"
            );
        }
        assert!(name != "initials" || err.contains("too many "), "{name}: {command}: {err}");
    }
}

#[test]
fn hostile_names_take_work_of_n_log_n_steps() {
    // Letters of a number, so that the names differ.
    let letter = |number: usize, place: u32| char::from(b'A' + (number / 5usize.pow(place) % 5) as u8);
    let initials =
        |number: usize| (0..5).map(|place| format!("{}.", letter(number, place))).collect::<String>();
    check_names("initials", 300, 24_000, |number| {
        [number, number + 1000].map(|number| format!("Jansen, {}", initials(number)))
    });
    check_names("words", 50, 80_000, |number| {
        let word = |place: usize| format!("word{}x{}", place * 7 % 500, (number + place) % 997);
        [0, 250].map(|from| (from..from + 500).map(word).collect::<Vec<_>>().join(" "))
    });
    let surnames = ["Jansen", "Smith", "Ivanov", "Berg", "Duin"];
    check_names("surnames", 300, 20_000, |number| {
        [number, number / 7].map(|number| format!("{}, {}", surnames[number % 5], initials(number)))
    });
}

#[test]
fn positions_with_forty_kings_take_linear_work() {
    let squares = |range: std::ops::RangeInclusive<u32>| {
        range.map(|square| format!("K{square}")).collect::<Vec<_>>().join(",")
    };
    let [white, black] = [squares(1..=20), squares(31..=50)];
    check_commands("forty kings", 2, |n| {
        let variants = (20..=33).chain([40, 41, 44]);
        let games = variants.map(|variant| {
            format!("[GameType \"{variant}\"]\n[FEN \"W:W{white}:B{black}\"]\n1. 1-2 20x31 2. 5x46 *\n\n")
        });
        games.collect::<String>().repeat(n)
    });
}

#[test]
fn folder_of_many_files_takes_linear_work() {
    let place = tempfile::tempdir().unwrap();
    let mut steps = Vec::new();
    for files in [300, 600] {
        let (folder, index) =
            (place.path().join(files.to_string()), place.path().join(format!("{files}.idx")));
        fs::create_dir(&folder).unwrap();
        for number in 0..files {
            let name = format!("{number:05}.pdn");
            fs::write(folder.join(name), format!("[White \"Player {number}\"]\n{}", game("1. 32-28 19-23")))
                .unwrap();
        }
        let commands = |path: &Path| all_commands("many files", text(path), text(&index));
        steps.push(commands(&folder));
    }
    for ((command, once), (_, twice)) in steps[0].iter().zip(&steps[1]) {
        if let (Some(once), Some(twice)) = (once, twice) {
            assert!(
                *twice <= once * 23 / 10 + 2000,
                "`{command}`: {once} steps, and {twice} for twice as many files"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_options_that_never_end_are_refused() {
    let (_folder, games) = archive_of("[GameType \"20\"]\n1. 32-28 19-23 *\n");
    for (args, message) in [
        (
            &["find", text(&games), "--variant", "international", "--pattern", "@/dev/zero"][..],
            "is longer than 4.00 KiB",
        ),
        (&["fix", "--names", "/dev/zero", text(&games)], "is longer than 64.00 MiB"),
        (&["fix", "--undo", "/dev/zero"], "/dev/zero: "),
        #[cfg(feature = "serve")]
        (
            &["serve", text(&games), "--import-token-file", "/dev/zero", "--import-addr", "127.0.0.1:0"],
            "is longer than 4.00 KiB",
        ),
    ] {
        let (run, _) = measured(args);
        assert!(run.code == 2 && run.err.contains(message), "{args:?}: {} {}", run.code, run.err);
    }
}
