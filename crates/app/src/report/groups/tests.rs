//! Tests of groups on a small archive.

use std::collections::{BTreeMap, BTreeSet};

use pdn_index::{ImportOptions, import};
use pdn_names::MappedNames;

use super::*;

/// Games of two boards, with names in several spellings, without names, ratings, years and results, with a null move, a repeated
/// position, a capture and openings.
const GAMES: &str = r#"[White "Šwarc, A."]
[Black "Berg"]
[Event "Open"]
[Date "1990.01.02"]
[Result "2-0"]
[WhiteRating "2200"]
[GameType "20"]
[Opening "First"]
1. 32-28 19-23 2. 28x19 14x23 2-0

[White "SWARC, A."]
[Black "?"]
[Event "open"]
[Date "1991"]
[Result "1-1"]
[GameType "20"]
[Opening "first"]
1. 32-28 18-23 2. 38-32 23-29 1-1

[White "Berg"]
[Black "Šwarc, A."]
[Result "0-2"]
[BlackRating "2300"]
[GameType "20"]
1. 33-28 19-23 2. 28x19 14x23 0-2

[White "Swarc, A."]
[Black "Swarc, A."]
[Date "1990"]
[Result "0-0"]
[GameType "20"]
[Round "1.2"]
1. 32-28 19-24 2. 37-32 14-19 0-0

[White "Ames"]
[Black "Berg"]
[GameType "25"]
1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc5 *

[White "Ames"]
[Black "Cole"]
[GameType "21"]
[Result "1-0"]
1. 11-15 23-19 2. 8-11 22-17 3. 3-8 1-0

[White "Ames"]
[Black ""]
[GameType "20"]
1. 32-28 32-28 *

[White "Dunn"]
[GameType "20"]
[FEN "W:WK32:BK1"]
1. 32-28 -- 2. 28-32 1-6 3. 32-28 6-1 4. 28-32 *

[White "Empty"]
[GameType "20"]
*
"#;

/// Returns an index of [`GAMES`] with its folder.
fn index() -> (tempfile::TempDir, Index) {
    index_of(GAMES)
}

fn index_of(games: &str) -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    std::fs::write(&archive, games).unwrap();
    import([&archive], &path, &ImportOptions::new()).unwrap();
    let index = Index::open(&path).unwrap();
    (folder, index)
}

fn groups(index: &Index, query: &str, by: &str) -> GameGroups {
    let mut filter = Filter::default();
    filter.set("query", query).unwrap();
    let request =
        GroupRequest { filter, by: GroupField::parse(by).unwrap(), names: None, limit: 0, max_positions: 0 };
    request.run(index, NonZeroUsize::MIN, &Stop::default()).unwrap()
}

#[test]
fn query_of_every_group_finds_its_games() {
    let (_folder, index) = index();
    let mut names = GroupField::names();
    names.extend(["Opening", "tag:ECO", "White", "Black"]);
    for query in ["all", "white to move", "player : swarc or variant russian", "ply 1..3 and not last"] {
        for by in &names {
            let found = groups(&index, query, by);
            assert!(!found.groups.is_empty(), "{by}");
            for group in &found.groups {
                let parsed = Query::parse(&group.query)
                    .unwrap_or_else(|error| panic!("{by}: {}: {error}", group.query));
                let search = Search::new(&index, &parsed, NonZeroUsize::MIN).unwrap();
                let (games, _) = search.count().unwrap();
                assert_eq!(games, group.score.games, "{by}, {:?}: {}", group.value, group.query);
            }
            assert!(found.groups.is_sorted_by_key(|group| std::cmp::Reverse(group.score.games)), "{by}");
        }
    }
}

#[test]
fn groups_are_those_that_a_counter_of_the_games_gives() {
    let (_folder, index) = index();
    let rows = || index.games().map(|game| (game, game.row().unwrap()));
    let found = |query: &str, by: &str| -> BTreeMap<String, u64> {
        let fold_value = |value: &FieldValue| if by == "move" { value.cell() } else { fold(&value.cell()) };
        groups(&index, query, by)
            .groups
            .iter()
            .map(|group| (fold_value(&group.value), group.score.games))
            .collect()
    };
    let count = |values: Vec<String>| -> BTreeMap<String, u64> {
        let mut counter = BTreeMap::new();
        values.into_iter().for_each(|value| *counter.entry(value).or_default() += 1);
        counter
    };
    let year = |row: &GameRow<'_>| row.date.year().map_or_else(String::new, |year| year.to_string());
    assert_eq!(found("all", "year"), count(rows().map(|(_, row)| year(&row)).collect()));
    assert_eq!(found("all", "event"), count(rows().map(|(_, row)| fold(row.event)).collect()));
    assert_eq!(found("all", "plies"), count(rows().map(|(_, row)| row.plies.to_string()).collect()));
    let both = |(_, row): (IndexedGame<'_>, GameRow<'_>)| BTreeSet::from([fold(row.white), fold(row.black)]);
    // A game against oneself is in no group.
    let two = |(_, row): &(IndexedGame<'_>, GameRow<'_>)| {
        fold(row.white) != fold(row.black) || fold(row.white).is_empty()
    };
    assert_eq!(found("all", "player"), count(rows().filter(two).flat_map(both).collect()));
    // The moves of White, each once for a game.
    let moves = |(game, _): (IndexedGame<'_>, GameRow<'_>)| {
        let (plies, last) = game.plies().unwrap();
        let of_white = plies.iter().filter(|ply| ply.before.turn() == Colour::White);
        let text = |ply: &pdn_index::internal::pack::UnpackedPly| {
            let Some(mv) = &ply.mv else { return "--".to_owned() };
            let names = ply.before.names();
            // Squares with letters are written in Russian notation here.
            let has_letters = names.name(mv.from).to_string().starts_with(char::is_alphabetic);
            let sign = match (mv.captured, has_letters) {
                (0, _) => '-',
                (_, true) => ':',
                (_, false) => 'x',
            };
            format!("{}{sign}{}", names.name(mv.from), names.name(mv.to))
        };
        let end = (last.turn() == Colour::White).then(String::new);
        of_white.map(text).chain(end).collect::<BTreeSet<String>>()
    };
    assert_eq!(found("white to move", "move"), count(rows().flat_map(moves).collect()));
}

#[test]
fn group_has_the_score_of_its_side_and_the_spelling_of_most_games() {
    let (_folder, index) = index();
    let players = groups(&index, "all", "player");
    let swarc = &players.groups.iter().find(|group| fold(&group.value.cell()) == "swarc a").unwrap();
    assert_eq!(swarc.value, "Šwarc, A.".into());
    let score = swarc.score;
    assert_eq!((score.games, score.won, score.drawn, score.both_lost), (3, 2, 1, 0));
    assert_eq!((swarc.self_games, players.self_games), (1, 1));
    let own = "player = \"Šwarc, A.\" and not (white = \"Šwarc, A.\" and black = \"Šwarc, A.\")";
    assert_eq!(swarc.query, own);
    let moves = groups(&index, "variant international and black to move", "move");
    let answer = moves.groups.iter().find(|group| group.value == "14x23".into()).unwrap();
    assert_eq!((answer.score.games, answer.score.won, answer.score.lost), (2, 1, 1));
    let black = groups(&index, "year 1990..1991", "black");
    let berg = black.groups.iter().find(|group| group.value == "Berg".into()).unwrap();
    assert_eq!((berg.score.games, berg.score.lost), (1, 1));
    let years = groups(&index, "all", "year");
    assert_eq!(years.groups[0].value, FieldValue::Null);
    assert_eq!(years.groups.iter().map(|group| group.score.games).sum::<u64>(), years.games);
    assert_eq!(years.groups[0].query, "not date 0001..9999");
}

#[test]
fn names_with_the_family_name_first_or_last_are_one_group() {
    let game = |white: &str, black: &str, event: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Event \"{event}\"]\n[Result \"2-0\"]\n\n1. 32-28 2-0\n\n"
        )
    };
    let games = [
        game("Litov, Elena", "Berg", "Nations Cup"),
        game("Elena Litov", "Berg", "Cup Nations"),
        game("Litov, Elena", "Elena Litov", "Nations Cup"),
        game("Berg", "LITOV ELENA", "Open"),
        game("Litov, E.", "Berg", "Open"),
    ];
    let (_folder, index) = index_of(&games.concat());
    let found = groups(&index, "all", "player");
    let shown: Vec<(String, u64)> =
        found.groups.iter().map(|group| (group.value.cell(), group.score.games)).collect();
    let shown: Vec<(&str, u64)> = shown.iter().map(|(name, games)| (name.as_str(), *games)).collect();
    assert_eq!(shown, [("Berg", 4), ("Elena Litov", 3), ("Litov, E.", 1)]);
    let litov = &found.groups[1];
    let either = |field: &str| format!("({field} = \"Elena Litov\" or {field} = \"LITOV ELENA\")");
    let own = format!("{} and not ({} and {})", either("player"), either("white"), either("black"));
    assert_eq!(litov.query, own);
    assert_eq!((litov.score.won, litov.score.lost, litov.self_games), (2, 1, 1));
    assert_eq!(groups(&index, "all", "white").groups.len(), 3);
    assert_eq!(groups(&index, "all", "event").groups.len(), 3, "events are no persons");
    for by in ["player", "white", "black"] {
        for group in groups(&index, "ply 0", by).groups {
            let parsed = Query::parse(&group.query).unwrap();
            let (games, _) = Search::new(&index, &parsed, NonZeroUsize::MIN).unwrap().count().unwrap();
            assert_eq!(games, group.score.games, "{by}: {}", group.query);
        }
    }
    // A file of names joins more spellings, and gives the name.
    let names = MappedNames::new(NameKind::Player, "Litov, Elena (BUL)", ["Litov, E.", "Litov, Elena"]);
    let request = GroupRequest {
        filter: Filter::default(),
        by: GroupField::Player,
        names: Some(Arc::new(NameMap::new(&[names]).unwrap())),
        limit: 0,
        max_positions: 0,
    };
    let found = request.run(&index, NonZeroUsize::MIN, &Stop::default()).unwrap();
    assert_eq!(
        (found.groups[1].value.cell().as_str(), found.groups[1].score.games),
        ("Litov, Elena (BUL)", 4)
    );
    assert_eq!(found.group_count, 2);
}

#[test]
fn squares_of_several_boards_are_groups_of_their_own() {
    let (_folder, index) = index();
    let first = groups(&index, "ply 0 and not last", "move");
    let queries: Vec<&str> = first.groups.iter().map(|group| group.query.as_str()).collect();
    assert!(queries.iter().any(|query| query.contains("variant english")), "{queries:?}");
    let one = groups(&index, "variant russian and ply 0", "move");
    assert!(!one.groups[0].query["variant russian".len()..].contains("variant"), "{}", one.groups[0].query);
}

#[test]
fn unknown_groups_and_moves_of_variations_are_errors() {
    for wrong in ["colour", "", "file", "fen", "line", "record"] {
        let error = GroupField::parse(wrong).unwrap_err();
        assert!(error.text.starts_with("games are grouped by `move`, `player`, `white`"), "{wrong}: {error}");
    }
    let (_folder, index) = index();
    let mut filter = Filter::default();
    filter.set("query", "aside move").unwrap();
    let request = GroupRequest { filter, by: GroupField::Move, names: None, limit: 0, max_positions: 0 };
    let error = request.run(&index, NonZeroUsize::MIN, &Stop::default()).unwrap_err();
    assert_eq!(error.field, Some("by"));
}

#[test]
fn positions_are_grouped_up_to_a_limit() {
    let (_folder, index) = index();
    let mut filter = Filter::default();
    filter.set("query", "ply 0").unwrap();
    let games = groups(&index, "ply 0", "move").games as usize;
    let run = |by: GroupField, max_positions: usize| {
        let request = GroupRequest { filter: filter.clone(), by, names: None, limit: 0, max_positions };
        request.run(&index, NonZeroUsize::MIN, &Stop::default())
    };
    assert_eq!(run(GroupField::Move, games).unwrap().games, games as u64);
    let error = run(GroupField::Move, games - 1).unwrap_err();
    assert_eq!((error.code, error.field), (ErrorCode::TooMuch, Some("by")));
    assert!(run(GroupField::Player, 1).is_ok(), "games alone have no limit");
}
