//! Searches with and without key tables.

use std::fs;
use std::ops::ControlFlow;

use pdn::position::Position;
use pdn::rules::Variant;
use pdn_index::internal::{KeyTableOptions, build_key_tables};
use pdn_index::query::{Query, Search, TreeOptions, tree};
use pdn_index::{Index, import};

#[test]
#[cfg(unix)]
fn position_is_found_without_a_key_table_that_the_system_cannot_open() {
    let temp = tempfile::tempdir().unwrap();
    let (archive, dir) = (temp.path().join("games.pdn"), temp.path().join("index"));
    fs::write(&archive, "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n".repeat(20)).unwrap();
    import([&archive], &dir, &Default::default()).unwrap();
    build_key_tables(&dir, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(())).unwrap();
    let found = || {
        let index = Index::open(&dir).unwrap();
        let tree = tree(&index, &Position::start(Variant::International), &TreeOptions::new()).unwrap();
        let query: Query = "position \"B:W28,31,33-50:B1-20\"".parse().unwrap();
        let hits = Search::new(&index, &query, std::num::NonZeroUsize::MIN).unwrap().count().unwrap().0;
        (tree.all.games, tree.moves.len(), hits)
    };
    let expected = found();
    assert_eq!(expected, (20, 1, 20));
    let path = dir.join("segment-00000001.keys");
    fs::remove_file(&path).unwrap();
    // A link to itself: opening it fails with an error of the system, as mapping does without memory.
    std::os::unix::fs::symlink("segment-00000001.keys", &path).unwrap();
    assert!(Index::open(&dir).unwrap().keys(0).is_err(), "the table itself cannot be opened");
    assert_eq!(found(), expected);
}
