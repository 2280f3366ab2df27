//! README's examples do what README says.
//!
//! In a block marked `console`, a line `$ pdn ...` is run from the root of the repository and what follows up to the
//! next one is what it must print. A line of three dots stands for lines that are not shown. A command may end with `# exit N`.

use std::path::Path;

use assert_cmd::Command;

#[test]
fn every_example_prints_what_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut examples = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ pdn ").skip(1) {
            let (line, expected) = example.split_once('\n').unwrap();
            let (line, exit) = line.split_once("  # exit ").unwrap_or((line, "0"));
            let output = Command::new(assert_cmd::cargo::cargo_bin!("pdn"))
                .current_dir(&root)
                .args(words(line))
                .output()
                .unwrap();
            let got = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), exit.trim().parse().ok(), "{line}");
            assert!(same(&got, expected), "`pdn {line}` prints\n{got}\nbut README shows\n{expected}");
            examples += 1;
        }
    }
    assert!(examples >= 6, "README has lost its examples");
}

/// The words of a command line; double quotes hold one together.
fn words(line: &str) -> Vec<String> {
    line.split('"')
        .enumerate()
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Whether the lines are the same but for blanks at their ends, and for what a line of dots leaves out.
fn same(got: &str, expected: &str) -> bool {
    let lines =
        |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let (got, expected) = (lines(got), lines(expected));
    let Some(dots) = expected.iter().position(|line| line == "...") else { return got == expected };
    let (head, tail) = (&expected[..dots], &expected[dots + 1..]);
    got.len() >= head.len() + tail.len() && got.starts_with(head) && got.ends_with(tail)
}
