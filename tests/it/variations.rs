//! Searches of variations and notes in indexes that grow, are merged, or come from an earlier version.

use std::num::NonZeroUsize;

use pdn::error::ErrorKind;
use pdn::replay::{ReplayOptions, annotate};
use pdn_index::internal::{SegmentOptions, merge};
use pdn_index::query::{Query, Search};
use pdn_index::{ImportOptions, Index, import};

const GAME: &str =
    "[GameType \"20\"]\n1. 32-28 (33-28 18-23 {a shot}) 19-23! 2. 28x19 14x23 (2... 13x24 $4) {quiet} *\n\n";

fn search(index: &Index, query: &str) -> Vec<(u64, u32, u32)> {
    let query = Query::parse(query).expect("a query");
    let (hits, _) = Search::new(index, &query, NonZeroUsize::MIN).expect("planned").hits(99).expect("sound");
    hits.iter().map(|hit| (hit.game, hit.line, hit.ply)).collect()
}

#[test]
fn variations_are_found_in_appended_and_merged_indexes() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("index");
    let plain = "[GameType \"20\"]\n1. 32-28 19-23 *\n\n";
    for number in 0..3 {
        let path = folder.path().join(format!("{number}.pdn"));
        std::fs::write(&path, format!("{plain}{GAME}{plain}")).expect("written");
        let mut options = ImportOptions::default();
        options.append = number > 0;
        options.segments.segment_games = 2;
        import([&path], &dir, &options).expect("built");
    }
    let each = |line, ply| [(1, line, ply), (4, line, ply), (7, line, ply)];
    for is_merged in [false, true] {
        if is_merged {
            merge(&dir, &SegmentOptions::default()).expect("merged");
        }
        let index = Index::open(&dir).expect("opened");
        for (query, expected) in [
            ("aside move x24", each(2, 3)),
            ("aside nag 4", each(2, 3)),
            ("aside comment : shot", each(1, 2)),
            ("ever aside comment = \"A Shot!\"", each(1, 2)),
            ("ply 3 and aside last", each(2, 4)),
            ("aside (last and w-b = 0 and ply 4)", each(2, 4)),
            ("comment", each(0, 4)),
            ("comment ~ quitt", each(0, 4)),
            ("mark \"!\"", each(0, 1)),
            ("mark \"!\" and move 19-23", each(0, 1)),
            ("not ever aside move x24 and comment", each(0, 0)),
        ] {
            let expected = if query.starts_with("not") { Vec::new() } else { expected.to_vec() };
            assert_eq!(search(&index, query), expected, "{query}");
        }
        assert_eq!(search(&index, "aside comment : quiet"), [], "the comment is in the main line");
    }
}

#[test]
fn query_of_an_earlier_index_says_what_is_missing() {
    let dir = crate::common::root().join("corpora/index/v2/index");
    let index = Index::open(dir).expect("readable");
    for text in ["aside move x28", "comment", "not nag 1", "white : a or ever mark \"!\""] {
        let query = Query::parse(text).expect("a query");
        let error = Search::new(&index, &query, NonZeroUsize::MIN).expect_err("refused");
        assert!(matches!(error.kind(), ErrorKind::NotStored(_)), "{text}: {error}");
        let expected = "did not store variations, comments and NAGs; index the archive again";
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(search(&index, "white : nobody"), []);
}

#[test]
fn position_in_a_variation_is_that_after_its_plies() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (folder.path().join("a.pdn"), folder.path().join("index"));
    std::fs::write(&path, GAME).expect("written");
    import([&path], &dir, &ImportOptions::default()).expect("built");
    let index = Index::open(&dir).expect("opened");
    let game = index.game(0).expect("it is there");
    for (line, ply, moves) in [
        (1, 0, ""),
        (1, 2, "33-28 18-23"),
        (2, 4, "32-28 19-23 28x19 13x24"),
        (0, 1, "32-28"),
        (2, 99, "32-28 19-23 28x19 13x24"),
    ] {
        let text = format!("[GameType \"20\"]\n{moves} *");
        let expected = annotate(text.as_bytes(), &ReplayOptions::new()).main.last;
        assert_eq!(game.position_in(line, ply).expect("sound").fen(), expected.fen(), "{line} {ply}");
    }
    assert!(game.position_in(3, 0).is_err());
}

#[test]
fn variation_after_a_null_move_begins_where_a_search_counts_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, dir) = (folder.path().join("a.pdn"), folder.path().join("index"));
    // The null move is a ply of a search. A setup in the variation replaces its position.
    let text =
        "[GameType \"20\"]\n1. 32-28 /FEN \"W:::\"/ 37-32 (38-32 {idea} /FEN \"W:W31:B20\"/ 31-27) 19-23 *\n";
    std::fs::write(&path, text).expect("written");
    import([&path], &dir, &ImportOptions::default()).expect("built");
    let index = Index::open(&dir).expect("opened");
    assert_eq!(search(&index, "move 37-32"), [(0, 0, 2)]);
    assert_eq!(search(&index, "ply 2 and aside move 38-32"), [(0, 1, 2)]);
    assert_eq!(search(&index, "aside (p = 2 and ply 3)"), [(0, 1, 3)]);
    assert_eq!(search(&index, "aside comment"), [(0, 1, 3)]);
}
