//! Files as programs and servers write them: names, ratings, dates, results and variants arrive in the same fields.

use std::path::PathBuf;

use crate::common;
use pdn::internal::value::{CommentPart, CommentParts};
use pdn::parse::{Comment, Flow, Visitor, walk};
use pdn::value::CommandValue;
use pdn_index::{GameRow, ImportOptions, Index, import};

/// Describes a row in one line.
fn describe(row: &GameRow<'_>) -> String {
    let GameRow { white, black, event, date, result, status, plies, .. } = *row;
    let winner = row.winner().map_or("nobody".to_owned(), |winner| format!("{winner:?}"));
    format!(
        "{white} - {black} {:?}, {event}, {date}, {result} {winner}, {} {} {status} {plies}",
        row.ratings, row.kind.variant, row.kind.basis
    )
}

/// Imports a fixture and describes its rows.
fn rows(name: &str) -> Vec<String> {
    let location = tempfile::tempdir().expect("a folder");
    let dir = location.path().join("index");
    let file: PathBuf = common::root().join("corpora/programs").join(name).with_extension("pdn");
    let summary = import(&[file], &dir, &ImportOptions::default()).expect("built");
    assert!(summary.failures.is_empty(), "{name}: {:?}", summary.failures);
    let index = Index::open(&dir).expect("opened");
    index.games().map(|game| describe(&game.row().expect("sound"))).collect()
}

#[test]
fn files_of_programs_fill_the_same_fields() {
    for (name, expected) in [
        (
            "lidraughts",
            &[
                "Stone - Brook [1542, 2301], Rated Antidraughts game, 2024.04.25, 0-2 Black, antidraughts tag legal 4",
            ][..],
        ),
        ("lidraughts-study", &[" -  [0, 0], Endings: Chapter 1, 2024.04.25, * nobody, russian tag legal 2"]),
        (
            "playstrategy",
            &[
                "Stone - Brook [1510, 1490], Casual American/English game, 2023.01.02, 1-0 White, english tag legal 4",
            ],
        ),
        ("playok", &["stone - brook [2175, 2313], ?, 2011.04.03, 0-1 Black, international tag legal 8"]),
        (
            "dambo",
            &[
                "Stone, A. - Brook, B. [2090, 1982], Open 2021, 2021.10.28, 1-1 nobody, international tag legal 4",
            ],
        ),
        (
            "turbo-dambase",
            &["Stone,A. - Brook,B. [0, 0], nk, 2009.04.08, 1-0 White, international tag legal 4"],
        ),
        (
            "checkerboard",
            &["Brook, B. - Stone, A. [0, 0], Club match, ????.??.??, 1-0 Black, english file legal 2"],
        ),
        ("kcheckers", &["Brook, B. - Stone, A. [0, 0], Game 1, 2002.05.11, 1-0 Black, english tag legal 4"]),
        ("dam", &["Stone, A. - Brook, B. [0, 0], Club match, 2020.12.05, 2-0 White, russian tag legal 4"]),
        ("brunogui", &["? - ? [0, 0], ?, ????.??.??, * nobody, international tag legal 1"]),
        (
            "yodachess",
            &[
                "STONE Anna - BROOK Bob [0, 0], Open 2007, 2007.07.09, 2-0 White, international tag legal 4",
                "ROCHE Claire - MER Denis [0, 0], Open 2007, ????.??.??,  nobody, international file legal 2",
                "SABLE Eva - LAC Fred [0, 0], , 2008.??.??, 1-1 nobody, international tag legal 3",
            ],
        ),
    ] {
        assert_eq!(rows(name), expected, "{name}");
    }
}

#[test]
fn every_program_file_is_tested_and_has_a_row_in_the_guide() {
    let guide =
        std::fs::read_to_string(common::root().join("crates/app/src/guide/dialects.md")).expect("readable");
    let source = std::fs::read_to_string(common::root().join("tests/it/programs.rs")).expect("readable");
    for (path, _) in common::files("corpora/programs") {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        assert!(guide.contains(&format!("| `{name}.pdn` |")), "{name} is missing in the guide");
        assert!(source.contains(&format!("\"{name}\"")), "{name} is not tested");
    }
}

#[test]
fn clocks_of_servers_are_read() {
    #[derive(Default)]
    struct Clocks(Vec<String>);

    impl<'g> Visitor<'g> for Clocks {
        fn comment(&mut self, comment: Comment<'g>) -> Flow {
            for part in CommentParts::new(comment.text) {
                if let CommentPart::Command(command) = part
                    && let Ok(CommandValue::Remaining(clocks)) = command.value
                {
                    self.0.push(clocks.to_string());
                }
            }
            Flow::Continue(())
        }
    }

    for (name, expected) in [
        (
            "lidraughts",
            &["w0:05:00 B0:05:00", "W0:05:00 b0:04:58", "w0:04:55 B0:04:58", "W0:04:55 b0:04:51"][..],
        ),
        ("playstrategy", &["0:05:00", "0:04:58"]),
    ] {
        let file = common::root().join("corpora/programs").join(name).with_extension("pdn");
        let mut clocks = Clocks::default();
        walk(&std::fs::read(file).expect("readable"), &mut clocks);
        assert_eq!(clocks.0, expected, "{name}");
    }
}
