//! The shots, exchanges and endgames that come with the library, each with constructed games that have it and games
//! that do not. The International ones are also played by the other side, on the board turned by 180 degrees.

use std::collections::HashSet;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use pdn::position::Position;
use pdn::rules::Variant;
use pdn::split;
use pdn::view::RecordView;
use pdn_endgame::{Endings, Value};
use pdn_index::internal::query::{Definitions, ProvenValue, ProvenValues, Tables, check_squares};
use pdn_index::query::{Query, Search};
use pdn_index::{ImportOptions, Index, import};

/// Games with the names of the motifs that they have and lack, in tags.
const GAMES: &[u8] = include_bytes!("games.pdn");

/// Returns a text with the numbers of squares of the 10x10 board turned.
fn turned(text: &str) -> String {
    let mut turned = String::new();
    let mut number = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        if let Ok(square) = number.parse::<u32>() {
            let _ = write!(turned, "{}", 51 - square);
        }
        number.clear();
        turned.push(c);
    }
    turned
}

/// Returns the game with the colours exchanged and the board turned; `None` for other variants.
fn flipped(record: &[u8]) -> Option<String> {
    let view = RecordView::new(record);
    let tag = |name: &str| String::from_utf8_lossy(view.tag(name).unwrap_or_default()).into_owned();
    if tag("GameType") != "20" {
        return None;
    }
    let exchanged = |c: char| match c {
        'W' => 'B',
        'B' => 'W',
        other => other,
    };
    let fen: String = turned(&tag("FEN")).trim().chars().map(exchanged).collect();
    let text = String::from_utf8_lossy(record);
    let (_, moves) = text.split_once("\n\n").expect("moves after the tags");
    let (has, lacks, moves) = (tag("Has"), tag("Lacks"), turned(moves));
    Some(format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n[Has \"{has}\"]\n[Lacks \"{lacks}\"]\n\n{moves}\n"))
}

/// The endings of two pieces in English draughts.
#[derive(Debug)]
struct TwoPieces(Endings);

impl ProvenValues for TwoPieces {
    fn most_pieces(&self, variant: Variant) -> u32 {
        if variant == Variant::English { 2 } else { 0 }
    }

    fn value(&self, _: Variant, position: &Position) -> pdn::Result<Option<ProvenValue>> {
        Ok(self.0.probe(position).expect("sound tables").map(|value| match value {
            Value::Win { plies } => ProvenValue { value: 1, plies: Some(plies) },
            Value::Draw => ProvenValue { value: 0, plies: None },
            Value::Loss { plies } => ProvenValue { value: -1, plies: Some(plies) },
        }))
    }
}

#[test]
fn motifs_are_found_in_the_games_that_have_them() {
    let records: Vec<&[u8]> = split::records(GAMES).map(|game| game.bytes).collect();
    let mut texts: Vec<String> =
        records.iter().map(|record| String::from_utf8_lossy(record).into_owned()).collect();
    texts.extend(records.iter().filter_map(|record| flipped(record)));
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("games.pdn");
    std::fs::write(&archive, texts.join("\n\n")).expect("written");
    import([&archive], folder.path().join("index"), &ImportOptions::new()).expect("built");
    let index = Index::open(folder.path().join("index")).expect("opened");
    assert_eq!(index.len(), texts.len() as u64);
    let endings = Endings::open(folder.path().join("english"), Variant::English).expect("a folder");
    endings.build(2, NonZeroUsize::MIN, |_| ControlFlow::Continue(())).expect("built");
    let tables = Tables::new(Arc::new(TwoPieces(endings)));
    let (mut has, mut lacks, mut wrong) = (HashSet::new(), HashSet::new(), Vec::new());
    for name in Definitions::shipped_names() {
        let query = Query::parse(&format!("@{name}")).expect("a query").with_tables(&tables);
        check_squares(&index, &query).unwrap_or_else(|error| panic!("{name}: {error}"));
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound");
        let hits: HashSet<u64> =
            search.hits(usize::MAX).expect("sound").0.iter().map(|hit| hit.game).collect();
        for (number, text) in (0..).zip(&texts) {
            let view = RecordView::new(text.as_bytes());
            let names = |tag: &str| String::from_utf8_lossy(view.tag(tag).unwrap_or_default()).into_owned();
            let is_listed = |tag: &str| names(tag).split(' ').any(|other| other == name);
            if is_listed("Has") {
                if !hits.contains(&number) {
                    wrong.push(format!("{name} is not found in {text}"));
                }
                has.insert(name.clone());
            }
            if is_listed("Lacks") {
                if hits.contains(&number) {
                    wrong.push(format!("{name} is found in {text}"));
                }
                lacks.insert(name.clone());
            }
        }
        if !has.contains(&name) || !lacks.contains(&name) {
            wrong.push(format!("no game has {name}, or none lacks it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn guide_lists_all_motifs() {
    let guide = include_str!("../../../crates/app/src/guide/search.md");
    for name in Definitions::shipped_names() {
        assert!(
            guide.contains(&format!("`@{name}`")),
            "crates/app/src/guide/search.md does not mention @{name}"
        );
    }
}
