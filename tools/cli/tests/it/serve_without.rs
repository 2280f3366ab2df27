//! Tests of `pdn serve` without the server.

use crate::common::run;

#[test]
fn program_without_the_server_says_how_to_get_it() {
    let run = run(&["serve", "games.pdn"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--features serve"), "{}", run.err);
    assert!(run.err.contains("released programs"), "{}", run.err);
    let run = crate::common::run(&["export-site", "games.idx", "-o", "site"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--features serve"), "{}", run.err);
}
