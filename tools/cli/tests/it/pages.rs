//! Runs the commands of README, of the tutorials and of `tests/cases`, and compares what they
//! print.
//!
//! In a block marked `console`, a line `$ pdn ...` is run by a shell, and the lines up to the next
//! one are what it prints. A command that fails ends with `# exit N`. The commands of a page run
//! one after the other in a temporary folder, which has links to `corpora` and to `data`, the
//! folder of test data. A block with a name behind its language, such as `pdn games.pdn`, is
//! written to a file of that name before the commands after it run.
//!
//! A line of three dots stands for any number of lines, `[..]` for any text within a line, and
//! `FOLDER` for the path of the temporary folder. Spaces at the ends of lines do not count. README
//! and the tutorials show standard output only; a case shows everything that is printed, standard
//! error after standard output. `PDN_BLESS=1` writes what is printed now into the pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::data;

/// A test for each page, and one that no file of `tests/cases` is forgotten.
macro_rules! pages {
    ($($name:ident $page:literal)*) => {
        $(
            #[test]
            fn $name() {
                check_page($page);
            }
        )*

        #[test]
        fn every_file_of_cases_is_run() {
            let pages = [$($page),*];
            let run: BTreeSet<_> = pages.into_iter().filter_map(|page| page.strip_prefix(CASES)).collect();
            let files = fs::read_dir(root().join(CASES)).expect("a folder").map(|file| file.expect("a file").file_name());
            let files: BTreeSet<_> = files.map(|name| name.into_string().expect("UTF-8")).collect();
            assert!(files.iter().eq(&run), "run {run:?}, but there are {files:?}");
        }
    };
}

const CASES: &str = "tools/cli/tests/cases/";

pages! {
    readme "README.md"
    tutorial "crates/app/src/guide/tutorial.md"
    tutorial_for_archivists "crates/app/src/guide/archivists.md"
    carriers "tools/cli/tests/cases/carriers.md"
    check "tools/cli/tests/cases/check.md"
    convert_split "tools/cli/tests/cases/convert-split.md"
    convert "tools/cli/tests/cases/convert.md"
    dataset "tools/cli/tests/cases/dataset.md"
    dates "tools/cli/tests/cases/dates.md"
    dedup "tools/cli/tests/cases/dedup.md"
    endgame "tools/cli/tests/cases/endgame.md"
    event "tools/cli/tests/cases/event.md"
    export "tools/cli/tests/cases/export.md"
    find_fields "tools/cli/tests/cases/find-fields.md"
    find_groups "tools/cli/tests/cases/find-groups.md"
    find_nothing "tools/cli/tests/cases/find-nothing.md"
    find_openings "tools/cli/tests/cases/find-openings.md"
    find_pdn "tools/cli/tests/cases/find-pdn.md"
    find_squares "tools/cli/tests/cases/find-squares.md"
    find_variations "tools/cli/tests/cases/find-variations.md"
    find "tools/cli/tests/cases/find.md"
    fix "tools/cli/tests/cases/fix.md"
    fmt "tools/cli/tests/cases/fmt.md"
    help "tools/cli/tests/cases/help.md"
    index "tools/cli/tests/cases/index.md"
    inputs "tools/cli/tests/cases/inputs.md"
    moves "tools/cli/tests/cases/moves.md"
    names "tools/cli/tests/cases/names.md"
    novelty "tools/cli/tests/cases/novelty.md"
    positions "tools/cli/tests/cases/positions.md"
    results "tools/cli/tests/cases/results.md"
    scores "tools/cli/tests/cases/scores.md"
    sheet "tools/cli/tests/cases/sheet.md"
    show "tools/cli/tests/cases/show.md"
    solve "tools/cli/tests/cases/solve.md"
    stats "tools/cli/tests/cases/stats.md"
    tree_endings "tools/cli/tests/cases/tree-endings.md"
    tree "tools/cli/tests/cases/tree.md"
    wrong_calls "tools/cli/tests/cases/wrong-calls.md"
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the commands of a page of the repository, and writes the page if that is asked for.
fn check_page(page: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("the page");
    let place = Place::new(page.starts_with(CASES));
    let (mut now, mut failures, mut commands) = (String::new(), Vec::new(), 0);
    let mut block = None;
    let mut lines = text.split_inclusive('\n').zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let is_shown = block == Some("console") && line.starts_with("$ ");
        if !is_shown {
            now += line;
        }
        let body = |line: &str| !line.starts_with("```");
        if let Some(info) = line.strip_prefix("```") {
            block = if block.is_none() { Some(info.trim_end()) } else { None };
            if let Some((_, name)) = block.and_then(|info| info.split_once(' ')) {
                let mut contents = String::new();
                while let Some((line, _)) = lines.next_if(|(line, _)| body(line)) {
                    contents += line;
                }
                now += &contents;
                place.write(name, &contents);
            }
        } else if is_shown {
            commands += 1;
            let mut shown = String::new();
            while let Some((line, _)) = lines.next_if(|(line, _)| body(line) && !line.starts_with("$ ")) {
                shown += line;
            }
            let (command, exit) =
                line[2..].trim_end().rsplit_once("  # exit ").unwrap_or((line[2..].trim_end(), "0"));
            let (code, printed) = place.run(command);
            let is_same = matches(&trimmed(&shown), &trimmed(&printed));
            if exit != code.to_string() || !is_same {
                failures.push(format!(
                    "{page}:{number}: `{command}` ends with {code} and prints\n{printed}\nbut the page has\n{shown}"
                ));
            }
            now += &match code {
                0 => format!("$ {command}\n"),
                code => format!("$ {command}  # exit {code}\n"),
            };
            now += &if is_same { shown } else { updated(&trimmed(&shown), &trimmed(&printed)) };
        }
    }
    assert!(commands > 0, "{page} has no commands");
    if std::env::var_os("PDN_BLESS").is_some() {
        fs::write(path, now).expect("written");
    } else {
        assert!(failures.is_empty(), "{}\nPDN_BLESS=1 accepts the new output", failures.join("\n"));
    }
}

/// The temporary folder of a page.
struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
    shows_errors: bool,
}

impl Place {
    fn new(shows_errors: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("a folder");
        for (from, name) in [(root().join("corpora"), "corpora"), (data(), "data")] {
            std::os::unix::fs::symlink(from.canonicalize().expect("a folder"), path.join(name))
                .expect("a link");
        }
        Self { _folder: folder, path, shows_errors }
    }

    fn write(&self, name: &str, contents: &str) {
        let file = self.path.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("created");
        fs::write(file, contents).expect("written");
    }

    /// Runs a command of a shell; returns its exit code and what it prints.
    fn run(&self, command: &str) -> (i32, String) {
        let program = Path::new(assert_cmd::cargo::cargo_bin!("pdn"));
        let mut paths = vec![program.parent().expect("a folder").to_owned()];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&self.path).stdin(Stdio::null());
        shell.env("PATH", std::env::join_paths(paths).expect("a list of folders")).env("LC_ALL", "C.UTF-8");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            shell.env_remove(name);
        }
        let output = shell.output().expect("a shell");
        let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
        if self.shows_errors {
            if !printed.is_empty() && !printed.ends_with('\n') {
                printed.push('\n');
            }
            printed += &String::from_utf8_lossy(&output.stderr);
        }
        let code = output.status.code().expect("an exit code");
        (code, printed.replace(self.path.to_str().expect("UTF-8"), "FOLDER"))
    }
}

/// Returns the lines of a text without spaces at their ends and empty lines at its end.
fn trimmed(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

/// Returns `true` if the lines are those that are shown, with what the dots stand for.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    let Some(dots) = shown.iter().position(|line| *line == "...") else {
        return shown.len() == printed.len() && begins(shown, printed);
    };
    let (head, rest) = (&shown[..dots], &shown[dots + 1..]);
    begins(head, printed) && (head.len()..=printed.len()).any(|from| matches(rest, &printed[from..]))
}

/// Returns `true` if the first lines are those that are shown.
fn begins(shown: &[&str], printed: &[&str]) -> bool {
    shown.len() <= printed.len() && shown.iter().zip(printed).all(|(shown, line)| line_matches(shown, line))
}

fn line_matches(shown: &str, line: &str) -> bool {
    let Some((head, rest)) = shown.split_once("[..]") else { return shown == line };
    let Some(line) = line.strip_prefix(head) else { return false };
    line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| line_matches(rest, &line[at..]))
}

/// Returns what is printed as a page shows it: as many lines before and after dots as the page has,
/// and the lines of the page where they still match.
fn updated(shown: &[&str], printed: &[&str]) -> String {
    let merged = |shown: &[&str], printed: &[&str]| -> String {
        let line = |(at, line): (usize, &&str)| match shown.get(at) {
            Some(shown) if line_matches(shown, line) => format!("{shown}\n"),
            _ => format!("{line}\n"),
        };
        printed.iter().enumerate().map(line).collect()
    };
    let mut parts = shown.split(|line| *line == "...");
    match (parts.next(), parts.next(), parts.next()) {
        (Some(head), Some(tail), None) if head.len() + tail.len() < printed.len() => {
            let last = printed.len() - tail.len();
            merged(head, &printed[..head.len()]) + "...\n" + &merged(tail, &printed[last..])
        }
        _ => merged(shown, printed),
    }
}
