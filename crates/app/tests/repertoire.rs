//! The opening tree that is written as a game: read again, and its numbers compared with those of the tree of each position.

use std::num::NonZeroUsize;

use pdn::replay::{AnnotatedLine, ReplayOptions, annotate};
use pdn::stop::Stop;
use pdn_app::find::repertoire::RepertoireSize;
use pdn_app::find::tree::TreeRequest;
use pdn_app::read::inputs::ReadOptions;
use pdn_app::read::searched::{SearchedIndex, SearchedPaths};
use pdn_app::{Context, ErrorCode, Result};
use pdn_index::query::{TreeOptions, tree};
use tempfile::TempDir;

const GAMES: &str = "\
[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[GameType \"20\"]\n1. 32-28 17-22 1-1\n\n\
[GameType \"20\"]\n1. 33-28 18-23 2. 31-27 1-1\n\n\
[GameType \"20\"]\n1. 31-27 18-23 2. 33-28 12-18 0-2\n";

fn index() -> (TempDir, SearchedIndex) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, GAMES).unwrap();
    let paths = SearchedPaths { paths: vec![path], read: ReadOptions::default(), root: None };
    let index = paths.open(NonZeroUsize::MIN, false, &mut Context::new(&Stop::new(), &mut ())).unwrap();
    (folder, index)
}

fn written(index: &SearchedIndex, size: RepertoireSize) -> Result<String> {
    let (request, options) = (TreeRequest::default(), TreeOptions::new());
    let chosen = request.choose(index, NonZeroUsize::MIN, &Stop::new())?;
    let found = request.tree(index, &chosen, &options)?;
    request.repertoire(index, &chosen, &found, size, &options)
}

/// Compares the comment of each move of a line and of its variations with the tree of the position before it. Returns the number of
/// moves.
fn compare(index: &SearchedIndex, line: &AnnotatedLine<'_>) -> usize {
    let mut moves = 0;
    for ply in &line.plies {
        let found = tree(index, &ply.position, &TreeOptions::new()).unwrap();
        let played =
            found.moves.iter().find(|played| played.mv == Some(ply.mv)).expect("a game has the move");
        let games = if played.tally.games == 1 { "game" } else { "games" };
        let score = played.tally.score(ply.position.turn()).unwrap();
        let expected = format!("{} {games}, {score:.1} %", played.tally.games);
        let comment = String::from_utf8_lossy(ply.comments[0].text);
        assert!(comment.starts_with(&expected), "{comment}, not {expected}");
        moves += 1;
        moves += ply.variations.iter().map(|line| compare(index, line)).sum::<usize>();
    }
    moves
}

#[test]
fn numbers_of_a_repertoire_are_those_of_the_tree() {
    let (_folder, index) = index();
    let size = RepertoireSize { plies: 4, min_games: 1, ..RepertoireSize::default() };
    let text = written(&index, size).unwrap();
    let game = annotate(text.as_bytes(), &ReplayOptions::default());
    assert!(game.diagnostics.is_empty(), "{text}");
    assert_eq!(compare(&index, &game.main), 12, "{text}");
    assert_eq!(text.matches("as after").count(), 1, "{text}");
}

#[test]
fn repertoires_have_a_greatest_number_of_positions() {
    let (_folder, index) = index();
    let size = RepertoireSize { plies: 4, min_games: 1, max_positions: 100 };
    assert!(written(&index, size).is_ok());
    let error = written(&index, RepertoireSize { max_positions: 4, ..size }).unwrap_err();
    assert_eq!(error.code, ErrorCode::TooMuch);
    assert!(error.to_string().contains("lead to more than 4 positions"), "{error}");
}
