//! `pdn find --format pdn` prints many games in any order.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{pdn, run, text};

/// Indexes files in a folder.
fn index(place: &Path, files: &[(&str, &[u8])], options: &[&str]) -> String {
    let archives = place.join("archives");
    fs::create_dir_all(&archives).unwrap();
    for (name, bytes) in files {
        fs::write(archives.join(name), bytes).unwrap();
    }
    let dir = place.join("index");
    assert_eq!(run(&[&["index", text(&archives), "-o", text(&dir)][..], options].concat()).code, 0);
    text(&dir).to_owned()
}

fn print(dir: &str, options: &[&str]) -> Output {
    pdn(&[&["find", dir, "--format", "pdn"][..], options].concat()).output().unwrap()
}

#[test]
fn many_games_are_printed_in_any_order_on_any_number_of_threads() {
    let place = tempfile::tempdir().unwrap();
    let text: String = (0..3000)
        .map(|game| format!("[White \"{}\"]\n[Round \"{game}\"]\n1. 32-28 19-23 *\n\n", game * 7919 % 3000))
        .collect();
    for options in [&[][..], &["--embed"]] {
        let dir = index(place.path(), &[("a.pdn", text.as_bytes())], options);
        for threads in ["1", "4"] {
            let all = print(&dir, &["--threads", threads]);
            assert!(all.stdout == text.as_bytes(), "{threads} threads");
            let mut backwards: Vec<&str> = text.split_inclusive("\n\n").collect();
            backwards.reverse();
            let reversed = print(&dir, &["--threads", threads, "--reverse"]);
            assert!(reversed.stdout == backwards.concat().as_bytes(), "{threads} threads");
        }
        assert_eq!(
            print(&dir, &["--sample", "10", "--sort", "white"]).stdout.split(|&b| b == b'[').count(),
            21
        );
    }
}
