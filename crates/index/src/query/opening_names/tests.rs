//! The files of named openings, and games that are named by them.

use crate::internal::query::GameSelector;
use std::collections::HashSet;
use std::num::NonZeroUsize;

use super::{Definition, FILES, read, *};
use crate::Index;
use crate::query::language::GameCondition;
use crate::query::{Query, Search};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Fen;
use pdn_names::NamePattern;

/// Moves to a closed Roozenburg; it is no structure yet before the man comes to 20.
const ROOZENBURG: &str = "1. 32-28 19-23 2. 28x19 14x23 3. 35-30 20-25 4. 33-29 17-22 5. 40-35 10-14 6. 38-33 14-19 \
                          7. 30-24 19x30 8. 35x24 11-17 9. 31-27 22x31 10. 36x27";

const CLASSICAL: &str = "1. 33-28 18-23 2. 39-33 12-18 3. 31-27 20-24 4. 37-31 7-12";

fn name_of(variant: Variant, moves: &str) -> String {
    let names = OpeningNames::of(variant).expect("the variant has a file");
    names.text(names.of_moves(moves).unwrap_or_else(|| panic!("{moves} can be played")))
}

#[test]
fn every_line_of_every_file_is_legal_and_its_name_is_unique() {
    for (variant, file) in FILES {
        assert_eq!(file.lines().next(), Some("name\tdefinition"), "{variant}");
        let (mut names, mut positions) = (HashSet::new(), HashSet::new());
        for opening in read(file) {
            let name = opening.name;
            assert!(!name.is_empty() && name.trim() == name && !name.contains(';'), "{variant} {name:?}");
            assert!(names.insert(name.to_lowercase()), "{variant} {name} occurs twice");
            match opening.definition() {
                Definition::Positions(lines) => {
                    for line in lines {
                        let position =
                            line.play(&variant.game()).unwrap_or_else(|error| panic!("{name}: {error}"));
                        assert!(position != Position::start(variant) && position.counts().kings == [0, 0]);
                        assert!(
                            positions.insert(position.fen()),
                            "{variant} {name}: the position has another name"
                        );
                        // The game with these moves is named so, and twice as many plies leave room for other orders.
                        assert_eq!(name_of(variant, line.text()), name);
                        assert!(line.text().split(' ').count() <= 12, "{name}");
                    }
                }
                Definition::Structure(plies, pattern) => {
                    assert!(
                        pattern.to_string().starts_with("pattern \"w") && (8..=60).contains(plies.end()),
                        "{variant} {name}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_structure_has_a_game_with_it_and_one_without() {
    let with = |ending: &str| format!("{ROOZENBURG} {ending}");
    let without_24 = ROOZENBURG.split(" 7. ").next().unwrap_or_default();
    let cases = [
        (
            "Classical",
            CLASSICAL.to_owned(),
            "1. 33-28 18-23 2. 39-33 12-18 3. 31-27 20-25 4. 37-31 7-12".to_owned(),
        ),
        ("Closed Roozenburg", with("9-14 11. 41-36 14-20"), with("9-14 11. 41-36 5-10")),
        ("Roozenburg", with("9-14"), without_24.to_owned()),
    ];
    for (name, with, without) in &cases {
        let is_named =
            |moves: &str| name_of(Variant::International, moves).split("; ").any(|part| part == *name);
        assert!(is_named(with), "{name} {}", name_of(Variant::International, with));
        assert!(!is_named(without), "{name}");
    }
    let structures = FILES.iter().flat_map(|(_, file)| read(file));
    let structures = structures.filter(|opening| matches!(opening.definition(), Definition::Structure(..)));
    assert_eq!(structures.map(|opening| opening.name).collect::<Vec<_>>(), cases.map(|case| case.0));
}

#[test]
fn last_named_position_and_first_structure_name_a_game() {
    for (variant, moves, expected) in [
        (Variant::English, "11-15", ""),
        (Variant::English, "9-14", "Double Corner"),
        (Variant::English, "9-14 23-19 11-15 27-23", "Defiance"),
        (Variant::English, "11-15 23-19 9-14 27-23 8-11 22-18", "Defiance"),
        // By another order of moves; the position on the way has a name of its own.
        (Variant::English, "11-15 22-17 8-11 23-19 4-8", "Old Fourteenth"),
        (Variant::English, "11-15 22-17 8-11 17-13", ""),
        (Variant::English, "10-14 22-17 11-16", "Gemini"),
        (Variant::English, "10-15 23-19 11-16", "Gemini"),
        (Variant::Russian, "1. c3-d4 f6-g5 2. b2-c3 d6-c5", "Городская партия"),
        (Variant::Brazilian, "1. c3-d4 f6-g5 2. b2-c3 d6-c5", "Городская партия"),
        (Variant::Russian, "1. c3-d4 f6-e5 2. d4xf6 e7xg5", "Игра Романычева"),
        // Either man goes to the square that is attacked.
        (Variant::Russian, "1. c3-b4 f6-g5 2. b2-c3 g5-f4", "Обратный тычок"),
        (Variant::English, "11-15 22-17 8-11 17-14 10x17", "White Dyke"),
        (Variant::English, "10-15 23-18", "Kelso-Cross"),
        // Three-move ballots.
        (Variant::English, "9-13 22-18 10-14 18x9 5x14", "Inferno"),
        (Variant::English, "11-16 23-19 16x23", "Black Widow"),
        (Variant::International, "1. 32-28 18-23", "Chefneux"),
        (Variant::International, CLASSICAL, "Classical"),
        (Variant::International, ROOZENBURG, "Symmetrical Variation; Roozenburg"),
    ] {
        assert_eq!(name_of(variant, moves), expected, "{variant} {moves}");
    }
    let russian = OpeningNames::of(Variant::Russian).expect("they have names");
    assert_eq!(russian.of_moves("1. d2-c3"), None, "there is a man on c3");
}

#[test]
fn structure_counts_within_its_plies_only() {
    // The structure stands before ply 8 and is dissolved by an exchange in time.
    let early = "1. 33-28 18-23 2. 39-33 12-18 3. 31-27 20-24";
    assert_eq!(name_of(Variant::International, early), "", "ply 6");
    assert_eq!(name_of(Variant::International, &format!("{early} 4. 44-39 7-12")), "Classical", "ply 8");
}

#[test]
fn positions_have_the_names_that_their_games_may_have() {
    let names = OpeningNames::of(Variant::International).expect("they have names");
    let name = |fen: &str| {
        let fen = Fen::parse(fen.as_bytes()).expect("a FEN");
        names.text(names.of_position(&Position::from_fen(Variant::International, &fen).expect("a position")))
    };
    assert_eq!(name("W:W28,31,33-50:B1-17,19,20,23"), "Chefneux");
    assert_eq!(name("B:W28,31,33-50:B1-17,19,20,23"), "", "the other side is to move");
    // With all men on the board, the ply follows from their advance: 6, which is too early, and 8.
    assert_eq!(name("W:W27,28,32-38,40-50:B1-11,13-17,18,19,23,24"), "");
    assert_eq!(name("W:W27,28,31-36,38,40-50:B1-6,8-19,23,24"), "Classical");
    // Fewer than two thirds of the men.
    assert_eq!(name("W:W27,28,32,33,38,42-47,48,49,50:B1-7,9,10,13,18,19,23,24"), "Classical");
    assert_eq!(name("W:W27,28,32,33,38,42:B9,10,13,18,19,23,24"), "");
    let english = OpeningNames::of(Variant::English).expect("they have names");
    assert_eq!(english.of_position(&Position::start(Variant::International)), PlayedOpening::default());
}

const GAMES: &str = r#"
[GameType "21"]
1. 11-15 23-19 9-14 27-23 8-11 *

[GameType "21"]
1. 9-14 23-19 11-15 27-23 *

[GameType "21"]
1. 11-15 23-19 8-11 22-18 *

[GameType "21"]
[FEN "W:W21-32:B1-8,10-12,14"]
1. 22-18 *

[GameType "21"]
1. 9-14 22-18 /FEN "B:W18,32:B1,2"/ 1-5 *

[GameType "20"]
1. 32-28 18-23 2. 33-29 23x32 3. 37x28 20-25 *

[GameType "20"]
[FEN "W:W27,28,31-36,38,40-50:B1-6,8-19,23,24"]
1. 34-30 *

[GameType "40"]
1. 32-28 18-23 *

[GameType "20"]
1. 32-28 28-32 *
"#;

#[test]
fn games_are_found_by_the_names_of_their_openings() {
    let dir = tempfile::tempdir().expect("a folder");
    let archive = dir.path().join("games.pdn");
    let more = format!("{GAMES}\n[GameType \"20\"]\n{CLASSICAL} *\n\n[GameType \"20\"]\n{ROOZENBURG} *\n");
    std::fs::write(&archive, more).expect("written");
    let path = dir.path().join("index");
    crate::import([archive], &path, &crate::ImportOptions::default()).expect("built");
    let index = Index::open(path).expect("opened");

    let names: Vec<String> = index.games().map(|game| played_opening(&game).expect("sound")).collect();
    let expected = [
        "Defiance",
        "Defiance",
        "Tillicoultry",
        "Double Corner",
        "Double Corner",
        "Fox",
        "",
        "",
        "",
        "Classical",
        "Symmetrical Variation; Roozenburg",
    ];
    assert_eq!(names, expected);

    let selector = GameSelector::new(&index.segments()[0]).expect("sound");
    for pattern in [
        "defiance",
        "=defiance",
        "=defianc",
        "~defianse",
        "d*",
        "corner",
        "roozenburg",
        "=",
        "symmetrical",
        "nobody",
    ] {
        let pattern = NamePattern::parse(pattern);
        let matches = |text: &String| match text.as_str() {
            "" => pattern.matches(""),
            text => text.split("; ").any(|name| pattern.matches(name)),
        };
        let expected: Vec<u64> =
            (0..).zip(&names).filter(|(_, text)| matches(text)).map(|(game, _)| game).collect();
        let condition = GameCondition::OpeningPlayed(pattern.clone());
        let twin: Vec<u64> = selector.matching(&condition).expect("sound").iter().map(u64::from).collect();
        assert_eq!(twin, expected, "{pattern}");
        let query = Query::from(condition);
        for (query, expected) in [
            (query.clone(), expected.clone()),
            (query.clone().ever() & Query::all(), expected.clone()),
            (!query.clone(), (0..11).filter(|game| !expected.contains(game)).collect()),
            (query.clone() | Query::ply(4..=4), {
                let long = |game: &u64| {
                    expected.contains(game) || index.game(*game).unwrap().row().unwrap().plies >= 4
                };
                (0..11).filter(long).collect()
            }),
            (query & Query::ply(4..=4), {
                let long = |game: &&u64| index.game(**game).unwrap().row().unwrap().plies >= 4;
                expected.iter().filter(long).copied().collect()
            }),
        ] {
            let (hits, _) = Search::new(&index, &query, NonZeroUsize::MIN)
                .and_then(|search| search.hits(100))
                .expect("sound");
            assert_eq!(hits.iter().map(|hit| hit.game).collect::<Vec<_>>(), expected, "{query}");
            let (all, _) = Search::new(&index, &query, NonZeroUsize::MIN)
                .and_then(|search| search.all_hits(1000))
                .expect("sound");
            let mut games: Vec<u64> = all.iter().map(|hit| hit.game).collect();
            games.dedup();
            assert_eq!(games, expected, "{query}");
        }
    }
}
