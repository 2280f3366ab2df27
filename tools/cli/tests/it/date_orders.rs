//! A date whose day and month may be in either order is read in that of the other dates of its file, by all commands alike.

use std::fs;
use std::path::Path;

use crate::common::{Run, run, text};

/// Games of these dates.
fn games(dates: &[&str]) -> String {
    let game = |date: &&str| {
        format!(
            "[Event \"x\"]\n[Date \"{date}\"]\n[Result \"*\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n"
        )
    };
    dates.iter().map(game).collect()
}

fn ran(args: &[&str]) -> Run {
    let run = run(args);
    assert!(run.code < 2, "{args:?}: {}", run.err);
    run
}

/// What each command says about the second of two games with these dates: the dates that export gives from the archive and from an
/// index, whether `find` finds it in April, what `check` and `fix` say, and the tag that `convert` writes.
fn second_game(dir: &Path, dates: [&str; 2]) -> [String; 6] {
    let (archive, index, table) = (dir.join("games.pdn"), dir.join("games.idx"), dir.join("games.csv"));
    fs::write(&archive, games(&dates)).unwrap();
    let _ = fs::remove_dir_all(&index);
    ran(&["index", text(&archive), "-o", text(&index)]);
    let date_of = |input: &Path| {
        ran(&["export", text(input), "--columns", "date_text,date,year", "-o", text(&table), "--force"]);
        fs::read_to_string(&table).unwrap().lines().nth(2).unwrap().to_owned()
    };
    let tag = |text: &str| {
        text.lines().filter(|line| line.starts_with("[Date ")).nth(1).unwrap_or_default().to_owned()
    };
    let found = run(&["find", text(&index), "--date", "1999.04", "--count"]);
    let (archive_row, index_row) = (date_of(&archive), date_of(&index));
    let checked = ran(&["check", text(&archive)]).out;
    let warning = checked.lines().find(|line| line.contains("T025")).unwrap_or_default();
    let converted = tag(&ran(&["convert", text(&archive)]).out);
    ran(&["fix", "--write", text(&archive)]);
    let fixed = tag(&fs::read_to_string(&archive).unwrap());
    [archive_row, index_row, found.out.trim().to_owned(), warning.to_owned(), fixed, converted]
}

#[test]
fn other_dates_of_the_file_decide_the_order_of_day_and_month() {
    let dir = tempfile::tempdir().unwrap();
    let second = |first: &str, date: &str| second_game(dir.path(), [first, date]);
    let [archive, index, april, warning, fixed, converted] = second("07/28/1999", "07/04/1999");
    assert_eq!((&archive[..], &index[..]), ("07/04/1999,1999-07-04,1999", "07/04/1999,1999-07-04,1999"));
    assert_eq!((&april[..], &warning[..]), ("0", ""));
    assert_eq!((&fixed[..], &converted[..]), ("[Date \"1999.07.04\"]", "[Date \"1999.07.04\"]"));
    let [archive, index, april, warning, fixed, converted] = second("28/07/1999", "07/04/1999");
    assert_eq!((&archive[..], &index[..]), ("07/04/1999,1999-04-07,1999", "07/04/1999,1999-04-07,1999"));
    assert_eq!((&april[..], &warning[..]), ("1", ""));
    assert_eq!((&fixed[..], &converted[..]), ("[Date \"1999.04.07\"]", "[Date \"1999.04.07\"]"));
}

#[test]
fn without_other_dates_only_the_year_is_known() {
    let dir = tempfile::tempdir().unwrap();
    for first in ["1999.07.28", "28-07-1999"] {
        let [archive, index, april, warning, fixed, converted] =
            second_game(dir.path(), [first, "07/04/1999"]);
        assert_eq!((&archive[..], &index[..]), ("07/04/1999,,1999", "07/04/1999,,1999"));
        assert_eq!(april, "0");
        assert!(warning.starts_with("warning[T025]"), "{warning}");
        assert_eq!((&fixed[..], &converted[..]), ("[Date \"07/04/1999\"]", "[Date \"07/04/1999\"]"));
    }
}

#[test]
fn date_of_a_query_is_written_with_the_year_first() {
    let dir = tempfile::tempdir().unwrap();
    let (archive, index) = (dir.path().join("games.pdn"), dir.path().join("games.idx"));
    fs::write(&archive, games(&["1999.07.28"])).unwrap();
    ran(&["index", text(&archive), "-o", text(&index)]);
    let found = run(&["find", text(&index), "--date", "07/04/1999"]);
    assert_eq!(found.code, 2);
    assert!(
        found.err.contains("`07/04/1999` is `1999.04.07` or `1999.07.04`: write the year first"),
        "{}",
        found.err
    );
}
