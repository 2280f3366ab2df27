//! `pdn sheet`: diagrams on pages.

use std::fs;

use serde_json::Value;

use crate::common::{run, text};

/// Eleven problems and two games, one of which has no move.
fn archive() -> String {
    let problems = (1..=11).map(|n| {
        format!("[Author \"Ames {n}\"]\n[Publication \"Club\"]\n[Date \"19{:02}.??.??\"]\n[GameType \"20\"]\n[FEN \"W:W3{}:B1\"]\n\n*\n\n", n, n % 6)
    });
    problems.collect::<String>()
        + "[White \"Ames\"]\n[Black \"Bell\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n[White \"Cole\"]\n[GameType \"20\"]\n\n*\n"
}

#[test]
fn a_document_has_a_page_for_each_nine_diagrams() {
    let folder = tempfile::tempdir().unwrap();
    let [problems, sheet] = ["problems.pdn", "sheet.html"].map(|name| folder.path().join(name));
    fs::write(&problems, archive()).unwrap();
    let made = run(&["sheet", text(&problems), "-o", text(&sheet)]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    assert_eq!(made.out, format!("12 diagrams of 13 records on 2 pages: {}\n", sheet.display()));
    let document = fs::read_to_string(&sheet).unwrap();
    assert_eq!((document.matches("<svg xmlns").count(), document.matches("<title>").count()), (2, 13));
    assert_eq!(document.matches("<defs>").count(), 1);
    assert!(document.trim_end().ends_with("</body></html>"));
    for caption in [">11. Ames 11<", ">Club, 1911<", ">12. Ames - Bell<", ">White to move<"] {
        assert!(document.contains(caption), "{caption}");
    }
    // The game is shown after its last move, with that move marked.
    assert!(document.contains("<title>12. White to move. White: 28, 31, 33, "), "{document}");
    let again = run(&["sheet", text(&problems), "-o", text(&sheet)]);
    assert!(again.code == 2 && again.err.contains("exists already"), "{}", again.err);
}

#[test]
fn pictures_have_a_file_for_each_page() {
    let folder = tempfile::tempdir().unwrap();
    let [problems, sheet, second] =
        ["problems.pdn", "sheet.svg", "sheet-2.svg"].map(|name| folder.path().join(name));
    fs::write(&problems, archive()).unwrap();
    let made = run(&["sheet", text(&problems), "-o", text(&sheet), "--problems", "--json"]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&made.out).unwrap();
    assert_eq!((&answer["diagrams"], &answer["pages"]), (&11.into(), &2.into()));
    for (file, boards) in [(&sheet, 9), (&second, 2)] {
        let page = fs::read_to_string(file).unwrap();
        assert!(page.starts_with("<svg xmlns") && page.ends_with("</svg>\n"));
        assert_eq!((page.matches("<title>").count(), page.matches("<defs>").count()), (boards, 1));
    }
    // The second page exists: the first one is taken back.
    fs::remove_file(&sheet).unwrap();
    let refused = run(&["sheet", text(&problems), "-o", text(&sheet)]);
    assert!(refused.code == 2 && refused.err.contains("sheet-2.svg"), "{}", refused.err);
    assert!(!sheet.exists());
    assert_eq!(run(&["sheet", text(&problems), "-o", text(&sheet), "--force"]).code, 0);
}

#[test]
fn a_sheet_needs_a_diagram_and_a_known_ending() {
    let folder = tempfile::tempdir().unwrap();
    let [games, sheet, other] = ["games.pdn", "sheet.html", "sheet.pdf"].map(|name| folder.path().join(name));
    fs::write(&games, "[White \"Cole\"]\n[GameType \"20\"]\n\n*\n").unwrap();
    let empty = run(&["sheet", text(&games), "-o", text(&sheet)]);
    assert_eq!((empty.code, sheet.exists()), (1, false), "{}", empty.out);
    let unknown = run(&["sheet", text(&games), "-o", text(&other)]);
    assert!(unknown.code == 2 && unknown.err.contains(".html"), "{}", unknown.err);
}
