//! Runs the examples of README.md and of the tutorials, and compares their output.
//!
//! In a block marked `console`, each line `$ pdn ...` is run, and the lines up to the next one are the expected standard
//! output. A line of three dots stands for any number of lines. A command may end with `# exit N`. The commands run in a
//! temporary folder with a link to `corpora`, so that files they write never collide with those of another run.

use std::path::Path;

use assert_cmd::Command;

#[test]
fn readme_examples_print_what_readme_shows() {
    check_page("README.md", 4);
}

#[test]
fn tutorial_examples_print_what_the_tutorial_shows() {
    check_page("src/guide/tutorial.md", 7);
}

#[test]
fn archivists_examples_print_what_their_tutorial_shows() {
    check_page("src/guide/archivists.md", 10);
}

/// Runs the examples of a page of the repository, at least `least` of them.
fn check_page(page: &str, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let folder = example_folder(&root);
    let mut examples = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ pdn ").skip(1) {
            let (line, expected) = example.split_once('\n').unwrap();
            let (line, exit) = line.split_once("  # exit ").unwrap_or((line, "0"));
            let output = Command::new(assert_cmd::cargo::cargo_bin!("pdn"))
                .current_dir(folder.path())
                .args(split_words(line))
                .output()
                .unwrap();
            let actual = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), exit.trim().parse().ok(), "{line}");
            assert!(
                matches(&actual, expected),
                "`pdn {line}` prints\n{actual}\nbut {page} shows\n{expected}"
            );
            examples += 1;
        }
    }
    assert!(examples >= least, "only {examples} examples are left in {page}");
}

/// Creates a temporary folder in which `corpora` is that of the repository.
fn example_folder(root: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (root.join("corpora").canonicalize().unwrap(), folder.path().join("corpora"));
    #[cfg(unix)]
    std::os::unix::fs::symlink(from, to).unwrap();
    #[cfg(not(unix))]
    copy_folder(&from, &to);
    folder
}

/// Copies a folder with all its files, where links need a privilege.
#[cfg(not(unix))]
fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Splits a command line into words, which may be in single or double quotes.
fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            quote @ ('"' | '\'') => rest[1..].split_once(quote).expect("a closing quote"),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Returns `true` if the lines are equal, except for spaces at their ends and the lines for which the dots stand.
fn matches(actual: &str, expected: &str) -> bool {
    let lines =
        |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let (actual, expected) = (lines(actual), lines(expected));
    let Some(dots) = expected.iter().position(|line| line == "...") else { return actual == expected };
    let (head, tail) = (&expected[..dots], &expected[dots + 1..]);
    actual.len() >= head.len() + tail.len() && actual.starts_with(head) && actual.ends_with(tail)
}
