//! Reports of players and events, compared with the same numbers counted naively, and with the games that their queries find.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;

use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn_app::ask::filter::Filter;
use pdn_app::find::tree::TreeRequest;
use pdn_app::read::inputs::ReadOptions;
use pdn_app::read::searched::{SearchedIndex, SearchedPaths};
use pdn_app::report::event::{EventRequest, Scoring, TIE_BREAKS, TieBreak};
use pdn_app::report::groups::{GroupField, GroupRequest};
use pdn_app::report::overview::{PlayerOrder, Players, overview};
use pdn_app::report::player::{PlayerReport, PlayerRequest};
use pdn_app::report::same_names::{SameNames, SameNamesOfKinds};
use pdn_app::report::score::ScoreAnswer;
use pdn_app::{Context, ErrorCode};
use pdn_index::query::{Query, Search, TreeOptions};
use pdn_names::{MappedNames, NameKind, NameMap};

const THREADS: NonZeroUsize = NonZeroUsize::MIN;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// A generated game.
#[derive(Clone, Copy)]
struct Game {
    players: [&'static str; 2],
    event: &'static str,
    round: usize,
    year: usize,
    ratings: [usize; 2],
    result: &'static str,
    /// 20 or 21.
    game_type: usize,
    moves: &'static [&'static str],
}

const LINES: [(usize, &[&str]); 5] = [
    (20, &["32-28", "19-23", "28x19", "14x23", "37-32", "10-14", "41-37", "5-10"]),
    (20, &["31-26", "20-25", "36-31", "14-20", "41-36", "10-14"]),
    (21, &["11-15", "23-19", "8-11", "22-17", "4-8"]),
    (21, &["9-14", "23-19", "11-15", "27-23", "8-11"]),
    (
        20,
        &[
            "32-28", "19-23", "28x19", "14x23", "35-30", "20-25", "33-29", "17-22", "40-35", "10-14",
            "38-33", "14-19", "30-24", "19x30", "35x24", "11-17", "31-27", "22x31", "36x27", "9-14",
        ],
    ),
];
/// The names of positions in these lines: how a game begins, and its name after that.
const NAMED_POSITIONS: [(&[&str], &str); 4] = [
    (&["32-28", "19-23"], "Symmetrical Variation"),
    (&["11-15", "23-19", "8-11", "22-17", "4-8"], "Old Fourteenth"),
    (&["9-14"], "Double Corner"),
    (&["9-14", "23-19", "11-15", "27-23"], "Defiance"),
];

/// Returns the names of the opening that moves of these lines show.
fn opening_names(moves: &[&str]) -> Vec<&'static str> {
    let named = NAMED_POSITIONS.iter().filter(|(beginning, _)| moves.starts_with(beginning));
    let mut names: Vec<&str> =
        named.max_by_key(|(beginning, _)| beginning.len()).map(|(_, name)| *name).into_iter().collect();
    // The men of a Roozenburg stand after the move to 27, with one on 25.
    if moves.get(5) == Some(&"20-25") && moves.get(16) == Some(&"31-27") {
        names.push("Roozenburg");
    }
    names
}

const PLAYERS: [&str; 14] = [
    "Ames, A.",
    "AMES,A",
    "Berg",
    "Bérg",
    "Cole, Carl",
    "Cole, C.",
    "Dahl \"D*\"",
    "?",
    "",
    "Шварцман А.",
    "Schwarzman, A.",
    "Cole Porter",
    "Carl Cole",
    "A. Ames",
];
const RESULTS: [&str; 9] = ["2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0", "*", ""];

fn random_game(numbers: &mut Numbers, round: usize) -> Game {
    let (game_type, line) = numbers.one(&LINES);
    Game {
        players: [numbers.one(&PLAYERS), numbers.one(&PLAYERS)],
        event: numbers.one(&["Club 1", "club-1", "Club 2", "?", ""]),
        round,
        year: numbers.one(&[0, 1999, 2000, 2001]),
        ratings: [numbers.one(&[0, 1950, 2000, 2099, 2101]), numbers.one(&[0, 50, 2000, 2199])],
        result: numbers.one(&RESULTS),
        game_type,
        moves: &line[..numbers.below(line.len() + 1)],
    }
}

impl Game {
    fn text(&self) -> String {
        let mut text = String::new();
        let quoted = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        for (name, value) in [
            ("White", quoted(self.players[0])),
            ("Black", quoted(self.players[1])),
            ("Event", self.event.to_owned()),
            ("Round", self.round.to_string()),
            ("Result", self.result.to_owned()),
            ("GameType", self.game_type.to_string()),
        ] {
            writeln!(text, "[{name} \"{value}\"]").unwrap();
        }
        for (name, number) in
            [("Date", self.year), ("WhiteRating", self.ratings[0]), ("BlackRating", self.ratings[1])]
        {
            if number > 0 {
                writeln!(text, "[{name} \"{number}\"]").unwrap();
            }
        }
        writeln!(text, "\n{} *\n", self.moves.join(" ")).unwrap();
        text
    }

    /// Returns what a side got: 1 for a win, 0 for a loss, a half for a draw; -1 for a loss of both, `None` without a result.
    fn outcome(&self, side: usize) -> Option<f64> {
        // Black starts in English draughts.
        let starts = (side == 0) == (self.game_type == 20);
        match self.result {
            "2-0" | "1-0" => Some(f64::from(u8::from(starts))),
            "0-2" | "0-1" => Some(f64::from(u8::from(!starts))),
            "1-1" | "1/2-1/2" => Some(0.5),
            "0-0" => Some(-1.0),
            _ => None,
        }
    }
}

/// The letters and digits of a name, in words.
fn letters(name: &str) -> String {
    let plain: String = name
        .to_lowercase()
        .replace('é', "e")
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn index_of(games: &str) -> (tempfile::TempDir, SearchedIndex) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    std::fs::write(&path, games).unwrap();
    let paths = SearchedPaths { paths: vec![path], read: ReadOptions::default(), root: None };
    let index = paths.open(THREADS, false, &mut Context::new(&Stop::new(), &mut ())).unwrap();
    (folder, index)
}

fn text_of(games: &[Game]) -> String {
    games.iter().map(Game::text).collect()
}

/// Returns the number of games that a query finds.
fn found(index: &SearchedIndex, query: &str) -> u64 {
    let parsed = Query::parse(query).unwrap_or_else(|error| panic!("{query}: {}", error.message()));
    Search::new(index, &parsed, THREADS).unwrap().count().unwrap().0
}

fn counted(outcomes: impl IntoIterator<Item = Option<f64>>) -> [u64; 6] {
    let mut counts = [0; 6];
    for outcome in outcomes {
        counts[0] += 1;
        counts[match outcome {
            Some(1.0) => 1,
            Some(0.5) => 2,
            Some(0.0) => 3,
            Some(_) => 4,
            None => 5,
        }] += 1;
    }
    counts
}

fn numbers_of(score: &ScoreAnswer) -> [u64; 6] {
    [score.games, score.won, score.drawn, score.lost, score.both_lost, score.unknown]
}

/// All rows of a report: what they are of, their results, and their query.
fn rows(report: &PlayerReport) -> BTreeMap<String, (ScoreAnswer, String)> {
    let mut rows = BTreeMap::new();
    let mut add = |name: String, score: ScoreAnswer, query: &str| {
        assert!(rows.insert(name.clone(), (score, query.to_owned())).is_none(), "{name} twice");
    };
    let year = |year: Option<u16>| year.map_or_else(|| "0".to_owned(), |year| year.to_string());
    let from = |from: Option<u32>| from.map_or_else(|| "none".to_owned(), |from| from.to_string());
    add("all".to_owned(), report.score, &report.query);
    report.colours.iter().for_each(|row| add(row.colour.to_owned(), row.score, &row.query));
    report.variants.iter().for_each(|row| add(row.variant.to_owned(), row.score, &row.query));
    report.years.iter().for_each(|row| add(format!("year {}", year(row.year)), row.score, &row.query));
    report.ratings.iter().for_each(|row| add(format!("rating {}", from(row.from)), row.score, &row.query));
    report.lengths.iter().for_each(|row| add(format!("plies {}", from(row.from)), row.score, &row.query));
    report.opponents.iter().for_each(|row| add(format!("opponent {}", row.name), row.score, &row.query));
    report.events.iter().for_each(|row| add(format!("event {}", row.event), row.score, &row.query));
    let opening = |colour: &str, moves: &str| {
        let words: Vec<&str> = moves.split(' ').filter(|word| !word.ends_with('.')).collect();
        format!("opening {colour} {}", words.join(" "))
    };
    report.openings.iter().for_each(|row| add(opening(row.colour, &row.moves), row.score, &row.query));
    let named = |colour: &str, name: &str| format!("named {colour} {name}");
    let rows_by_name = report.named_openings.iter();
    rows_by_name.for_each(|row| add(named(row.colour, &row.opening_played), row.score, &row.query));
    rows
}

/// Which spellings are one player, and the name that is shown for them.
struct Naive<'a> {
    names: &'a [(&'a str, &'a str)],
}

impl Naive<'_> {
    fn key(&self, name: &str) -> String {
        let own = Self::turned(name);
        let listed = self.names.iter().find(|(spelling, _)| Self::turned(spelling) == own);
        listed.map_or(own, |(_, name)| Self::turned(name))
    }

    /// The letters of a name, beginning with the word that makes them the first in the alphabet.
    fn turned(name: &str) -> String {
        let mut words: Vec<String> = letters(name).split(' ').map(str::to_owned).collect();
        let mut turns = Vec::new();
        for _ in 0..words.len() {
            turns.push(words.join(" "));
            words.rotate_left(1);
        }
        turns.into_iter().min().unwrap()
    }
}

/// Counts the games of a player naively.
fn naive_rows(games: &[Game], person: &str, naive: &Naive<'_>) -> BTreeMap<String, [u64; 6]> {
    let mut outcomes: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    let mut add = |name: String, outcome: Option<f64>| outcomes.entry(name).or_default().push(outcome);
    for colour in ["white", "black"] {
        add(colour.to_owned(), None);
    }
    for game in games {
        let keys = game.players.map(|name| naive.key(name));
        let Some(side) = keys.iter().position(|key| key == person) else { continue };
        if keys[0] == keys[1] {
            continue;
        }
        let outcome = game.outcome(side);
        let colour = ["white", "black"][side];
        add("all".to_owned(), outcome);
        add(colour.to_owned(), outcome);
        add(["international", "english"][game.game_type - 20].to_owned(), outcome);
        add(format!("year {}", game.year), outcome);
        let rating = game.ratings[1 - side];
        add(
            if rating == 0 { "rating none".to_owned() } else { format!("rating {}", rating / 100 * 100) },
            outcome,
        );
        add(format!("plies {}", game.moves.len() / 20 * 20), outcome);
        if !keys[1 - side].is_empty() {
            add(format!("opponent {}", keys[1 - side]), outcome);
        }
        if letters(game.event).len() > 1 {
            add(format!("event {}", letters(game.event)), outcome);
        }
        if game.moves.len() >= 4 {
            add(format!("opening {colour} {}", game.moves[..4].join(" ")), outcome);
        }
        for name in opening_names(game.moves) {
            add(format!("named {colour} {name}"), outcome);
        }
    }
    let mut rows: BTreeMap<String, [u64; 6]> =
        outcomes.into_iter().map(|(name, outcomes)| (name, counted(outcomes))).collect();
    // One game was added so that both colours have a row.
    for colour in ["white", "black"] {
        let counts = rows.get_mut(colour).unwrap();
        counts[0] -= 1;
        counts[5] -= 1;
    }
    rows
}

#[test]
fn every_number_of_a_player_is_counted_naively_and_found_by_its_query() {
    let listed = [("Cole, C.", "Cole, Carl"), ("Schwarzman, A.", "Шварцман А.")];
    let groups = listed.map(|(spelling, name)| MappedNames::new(NameKind::Player, name, [spelling]));
    let map = Arc::new(NameMap::new(&groups).unwrap());
    for (seed, names) in [(0, None), (1, Some(map))] {
        let mut numbers = Numbers(seed);
        let games: Vec<Game> = (0..200).map(|round| random_game(&mut numbers, round)).collect();
        let (_folder, index) = index_of(&text_of(&games));
        let naive = Naive { names: if names.is_some() { &listed } else { &[] } };
        let persons: BTreeSet<String> =
            PLAYERS.iter().map(|name| naive.key(name)).filter(|key| !key.is_empty()).collect();
        for person in persons {
            let spelling = PLAYERS.iter().find(|name| naive.key(name) == person).unwrap();
            let mut request = PlayerRequest::new(&format!("={spelling}"), None).unwrap();
            request.names.clone_from(&names);
            let report = request.run(&index, THREADS, &Stop::new()).unwrap();
            let rows = rows(&report);
            let plain: BTreeMap<String, [u64; 6]> = rows
                .iter()
                .map(|(name, (score, _))| {
                    let key = match name.split_once(' ') {
                        Some(("event", rest)) => format!("event {}", letters(rest)),
                        Some(("opponent", rest)) => format!("opponent {}", naive.key(rest)),
                        _ => name.clone(),
                    };
                    (key, numbers_of(score))
                })
                .collect();
            assert_eq!(plain, naive_rows(&games, &person, &naive), "{person}, seed {seed}");
            assert!(report.exact);
            for row in &report.openings {
                let moves: Vec<&str> = row.moves.split(' ').filter(|word| !word.ends_with('.')).collect();
                assert_eq!(
                    row.opening_played.as_deref(),
                    opening_names(&moves).first().copied(),
                    "{moves:?}"
                );
            }
            for (name, (score, query)) in &rows {
                let results = &report.results;
                for (more, expected) in [
                    ("", score.games),
                    (&results.won, score.won),
                    (&results.drawn, score.drawn),
                    (&results.lost, score.lost),
                    (&results.both_lost, score.both_lost),
                    (&results.unknown, score.unknown),
                ] {
                    // As the guide says: joined by `and`, without brackets.
                    let query = if more.is_empty() { query.clone() } else { format!("{query} and {more}") };
                    assert_eq!(found(&index, &query), expected, "{person}: {name}: {query}");
                }
            }
        }
    }
}

#[test]
fn rows_of_games_that_a_position_chooses_have_queries_that_find_them() {
    let mut numbers = Numbers(11);
    let games: Vec<Game> = (0..100).map(|round| random_game(&mut numbers, round)).collect();
    let (_folder, index) = index_of(&text_of(&games));
    // No opening is reached while a side is a piece ahead, nor in a first position.
    for (query, expected) in [
        ("w-b >= 1", "ever w-b>=1"),
        ("date 1999.. and first b-w >= 1", "date 1999.. and ever first b-w>=1"),
        ("b-w >= 1 and ply 2..", "ever (b-w>=1 and ply 2..)"),
        ("never w-b >= 1 or (p < 38) times 2..", "(not ever w-b>=1 or p<=37 times 2..)"),
    ] {
        let mut request = PlayerRequest::new("=Berg", None).unwrap();
        request.filter.set("query", query).unwrap();
        let report = request.run(&index, THREADS, &Stop::new()).unwrap();
        assert!(report.query.ends_with(expected), "{}", report.query);
        let rows = rows(&report);
        assert!(rows.keys().any(|name| name.starts_with("opening")), "{query}");
        for (name, (score, query)) in rows {
            assert_eq!(found(&index, &query), score.games, "{name}: {query}");
        }
    }
}

#[test]
fn lists_of_players_and_their_reports_agree() {
    let mut numbers = Numbers(7);
    let games: Vec<Game> = (0..200).map(|round| random_game(&mut numbers, round)).collect();
    let (_folder, index) = index_of(&text_of(&games));
    let players = Players::of(&index, &SameNames::new(None, NameKind::Player), &Stop::new()).unwrap();
    let page = players.page(None, PlayerOrder::default(), 0, usize::MAX);
    assert!(page.players.len() > 5);
    for player in page.players {
        let request = PlayerRequest::new(&format!("={}", player.name), None).unwrap();
        let report = request.run(&index, THREADS, &Stop::new()).unwrap();
        assert_eq!(report.score.games, player.games, "{}", player.name);
        assert_eq!((report.name, report.spellings), (player.name, player.spellings));
        assert_eq!((report.score.score, report.rating), (player.score, player.rating));
    }
}

/// Returns the score of counted results in percent, as the guide says: `0-0` is a game without points.
fn percent([_, won, drawn, lost, both_lost, _]: [u64; 6]) -> Option<f64> {
    let decided = won + drawn + lost + both_lost;
    (decided > 0).then(|| 100.0 * (won as f64 + drawn as f64 / 2.0) / decided as f64)
}

/// Returns the results of the players that a predicate selects, over games of which it selects one side, and the number of games of which it selects
/// both.
fn results_of(games: &[Game], test: impl Fn(&str) -> bool) -> ([u64; 6], u64) {
    let sides = |game: &Game| game.players.map(&test);
    let own = games.iter().filter_map(|game| match sides(game) {
        [true, false] => Some(game.outcome(0)),
        [false, true] => Some(game.outcome(1)),
        _ => None,
    });
    let both = games.iter().filter(|game| sides(game) == [true, true]).count() as u64;
    (counted(own), both)
}

/// `PDN_SEED` chooses other games.
#[test]
fn commands_and_a_naive_count_agree_on_random_games() {
    let outside: u64 = std::env::var("PDN_SEED").map_or(26, |seed| seed.parse().expect("a number"));
    for seed in 0..4 {
        let mut numbers = Numbers(outside.wrapping_mul(97).wrapping_add(seed));
        let cup = |round| Game { event: "Cup", ..random_game(&mut numbers, round) };
        let games: Vec<Game> = (0..120).map(cup).collect();
        let (_folder, index) = index_of(&text_of(&games));
        let naive = Naive { names: &[] };
        let stop = Stop::new();
        let same = SameNamesOfKinds::new(None);
        let hits = Search::new(&index, &Query::all(), THREADS).unwrap().hits(usize::MAX).unwrap().0;
        let overview = overview(&index, &hits, &same, &stop).unwrap();
        let listed = Players::of(&index, &same.players, &stop)
            .unwrap()
            .page(None, PlayerOrder::default(), 0, usize::MAX)
            .players;
        let by_player = GroupRequest {
            filter: Filter::default(),
            by: GroupField::Player,
            names: None,
            limit: 0,
            max_positions: 0,
        };
        let groups = by_player.run(&index, THREADS, &stop).unwrap();
        let event = EventRequest::new("=cup").unwrap().run(&index, THREADS, &stop).unwrap();
        let persons: BTreeSet<String> =
            PLAYERS.iter().map(|name| naive.key(name)).filter(|key| !key.is_empty()).collect();
        let mut against_themselves = 0;
        for person in &persons {
            let place = format!("{person}, seed {outside} {seed}");
            let (expected, self_games) = results_of(&games, |name| naive.key(name) == *person);
            against_themselves += self_games;
            let spelling = PLAYERS.iter().find(|name| naive.key(name) == *person).unwrap();
            let report = PlayerRequest::new(&format!("={spelling}"), None).unwrap();
            let report = report.run(&index, THREADS, &stop).unwrap();
            assert_eq!((numbers_of(&report.score), report.self_games), (expected, self_games), "{place}");
            assert_eq!(report.score.score, percent(expected), "{place}");
            let spelt: u64 = report.spellings.iter().map(|spelling| spelling.games).sum();
            assert_eq!(spelt, expected[0], "{place}");
            let group = groups.groups.iter().find(|group| naive.key(&group.value.cell()) == *person);
            let group = group.expect(&place);
            assert_eq!((numbers_of(&group.score), group.self_games), (expected, self_games), "{place}");
            assert_eq!(found(&index, &group.query), expected[0], "{}", group.query);
            for list in [&listed, &overview.players] {
                let listed = list.iter().find(|player| naive.key(&player.name) == *person).expect(&place);
                let [games, won, drawn, lost, ..] = expected;
                assert_eq!(
                    [listed.games, listed.won, listed.drawn, listed.lost],
                    [games, won, drawn, lost],
                    "{place}"
                );
                assert_eq!(listed.score, percent(expected), "{place}");
            }
            let is_named = |game: &&Game| game.players.iter().all(|name| !naive.key(name).is_empty());
            let named: Vec<Game> = games.iter().filter(is_named).copied().collect();
            let (of_event, _) = results_of(&named, |name| naive.key(name) == *person);
            for standings in &event.standings {
                let row =
                    standings.players.iter().find(|row| naive.key(&row.player) == *person).expect(&place);
                assert_eq!(numbers_of(&row.score), of_event, "{place}");
                assert_eq!(found(&index, &row.query), of_event[0], "{}", row.query);
            }
        }
        assert!(event.exact && event.repeated.is_empty());
        assert_eq!((groups.self_games, groups.games), (against_themselves, 120));
        for name in ["Ames, A.", "Berg", "Cole, Carl"] {
            let mut filter = Filter::default().variant(Some(Variant::International));
            filter.set("player", &format!("={name}")).unwrap();
            let request = TreeRequest { filter, ..TreeRequest::default() };
            let chosen = request.choose(&index, THREADS, &stop).unwrap();
            let answer = request.tree(&index, &chosen, &TreeOptions::new()).unwrap().answer();
            let of_name = |text: &str| letters(text) == letters(name);
            let mut own = games.clone();
            own.retain(|game| game.game_type == 20 && game.players.iter().any(|player| of_name(player)));
            let (expected, self_games) = results_of(&own, of_name);
            assert_eq!(
                (answer.player_score, answer.self_games),
                (percent(expected), Some(self_games)),
                "{name}"
            );
            let white = counted(own.iter().map(|game| game.outcome(0)));
            let tally = &answer.tally;
            let of_white = [tally.games, tally.white, tally.draws, tally.black, tally.both_lost];
            assert_eq!(of_white[..], white[..5], "{name}");
            assert_eq!(tally.score, percent(white), "{name}");
            let ratings: Vec<usize> =
                own.iter().map(|game| game.ratings[0]).filter(|&rating| rating > 0).collect();
            let mean = ratings.iter().sum::<usize>() as f64 / ratings.len() as f64;
            assert_eq!(tally.rating, (!ratings.is_empty()).then_some(mean), "White is to move: {name}");
        }
    }
}

#[test]
fn head_to_head_is_the_row_of_the_opponent() {
    let mut numbers = Numbers(3);
    let games: Vec<Game> = (0..300).map(|round| random_game(&mut numbers, round)).collect();
    let (_folder, index) = index_of(&text_of(&games));
    let run = |name: &str, against: Option<&str>| {
        PlayerRequest::new(name, against).unwrap().run(&index, THREADS, &Stop::new()).unwrap()
    };
    let all = run("=Berg", None);
    for row in &all.opponents {
        let report = run("=Berg", Some(&format!("={}", row.name)));
        assert_eq!(report.score, row.score, "{}", row.name);
        let other = report.against.as_ref().unwrap();
        assert_eq!(other.meetings.len() as u64, row.score.games);
        assert_eq!(found(&index, &report.query), row.score.games);
        for (name, (score, query)) in rows(&report) {
            assert_eq!(found(&index, &query), score.games, "{name}: {query}");
        }
    }
    // Words that several opponents share mean the one with the most games, and the others are named.
    let report = run("berg", Some("cole"));
    let other = report.against.unwrap();
    let mut found: Vec<&str> =
        all.opponents.iter().map(|row| row.name.as_str()).filter(|name| name.contains("Cole")).collect();
    assert_eq!(other.name, found.remove(0));
    assert_eq!(other.also.iter().map(|named| named.name.as_str()).collect::<Vec<_>>(), found);
    // The own name of a player is none of an opponent.
    let report = run("cole", Some("cole"));
    let other = report.against.unwrap();
    let mut names: Vec<String> = other.also.into_iter().map(|named| named.name).collect();
    names.extend([report.name, other.name]);
    names.sort();
    assert_eq!(names, ["Cole Porter", "Cole, C.", "Cole, Carl"]);
    let same = PlayerRequest::new("=Berg", Some("=Berg")).unwrap();
    let error = same.run(&index, THREADS, &Stop::new()).unwrap_err();
    assert_eq!((error.code, error.field), (ErrorCode::NoMatch, Some("against")));
}

#[test]
fn names_of_several_persons_are_told_and_not_joined() {
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"X\"]\n\n1. 32-28 *\n\n");
    let games = game("Jansen, Jan") + &game("JANSEN,JAN") + &game("Jansen, Johan") + &game("Jansens");
    let (_folder, index) = index_of(&games);
    let run = |name: &str| PlayerRequest::new(name, None).unwrap().run(&index, THREADS, &Stop::new());
    let report = run("jansen").unwrap();
    assert_eq!((report.name.as_str(), report.score.games), ("JANSEN,JAN", 2));
    assert_eq!(report.spellings.len(), 2);
    let also: Vec<(&str, u64)> = report.also.iter().map(|named| (named.name.as_str(), named.games)).collect();
    assert_eq!(also, [("Jansen, Johan", 1)]);
    assert_eq!(run("is:Jansen, Johan").unwrap().also, []);
    let error = run("janse").unwrap_err();
    assert_eq!(error.code, ErrorCode::NoMatch);
    assert!(error.details.iter().any(|line| line.contains("Jansen")), "{:?}", error.details);
    assert_eq!(PlayerRequest::new("?!", None).unwrap_err().field, Some("name"));
    assert_eq!(PlayerRequest::new("jansen", Some("-")).unwrap_err().field, Some("against"));
}

#[test]
fn files_that_part_equal_letters_make_queries_inexact() {
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"X\"]\n\n1. 32-28 *\n\n");
    let (_folder, index) = index_of(&(game("J. Jansen") + &game("J.Jansen")));
    let groups = [("Jansen, Jan", "J. Jansen"), ("Jansen, Johan", "J.Jansen")];
    let groups = groups.map(|(name, spelling)| MappedNames::new(NameKind::Player, name, [spelling]));
    let mut request = PlayerRequest::new("jan jansen", None).unwrap();
    request.names = Some(Arc::new(NameMap::new(&groups).unwrap()));
    let report = request.run(&index, THREADS, &Stop::new()).unwrap();
    assert_eq!((report.name.as_str(), report.score.games, report.exact), ("Jansen, Jan", 1, false));
    assert_eq!(found(&index, &report.query), 2);
}

/// Points of White and Black by the rule of a system, in hundredths, and draws with an advantage.
fn naive_points(game: &Game, win: i64) -> Option<[i64; 2]> {
    let outcome = [game.outcome(0)?, game.outcome(1)?];
    Some(outcome.map(|own| if own < 0.0 { 0 } else { (own * win as f64) as i64 }))
}

#[test]
fn standings_are_those_of_naive_sums() {
    const NAMES: [&str; 7] = ["A1", "B2", "C3", "D4", "E5", "F6", "G7"];
    for seed in 0..40 {
        let mut numbers = Numbers(100 + seed);
        let players = &NAMES[..3 + numbers.below(5)];
        let mut games = Vec::new();
        for (place, white) in players.iter().enumerate() {
            for black in &players[place + 1..] {
                for _ in 0..numbers.below(3) {
                    let mut game = random_game(&mut numbers, games.len() + 1);
                    game.players = if numbers.below(2) == 0 { [white, black] } else { [black, white] };
                    game.event = "Cup";
                    games.push(game);
                }
            }
        }
        if games.is_empty() {
            continue;
        }
        let (_folder, index) = index_of(&text_of(&games));
        let tie_breaks = match seed % 3 {
            0 => TIE_BREAKS.to_vec(),
            1 => vec![TieBreak::Wins, TieBreak::Buchholz],
            _ => Vec::new(),
        };
        let mut request = EventRequest::new("=cup").unwrap();
        request.tie_breaks.clone_from(&tie_breaks);
        let report = request.run(&index, THREADS, &Stop::new()).unwrap();
        assert_eq!((report.games, report.counted), (games.len() as u64, games.len() as u64));
        let systems: BTreeSet<&str> = games
            .iter()
            .filter_map(|game| match game.result {
                "1-0" | "1/2-1/2" | "0-1" => Some("default"),
                "2-0" | "1-1" | "0-2" => Some("international"),
                _ => None,
            })
            .collect();
        let printed: BTreeSet<&str> = report
            .standings
            .iter()
            .filter(|standings| standings.written > 0)
            .map(|standings| if standings.scoring == Scoring::Default { "default" } else { "international" })
            .collect();
        assert_eq!(printed, systems, "seed {seed}");
        for standings in &report.standings {
            let win = if standings.scoring == Scoring::Default { 100 } else { 200 };
            let points = |name: &str| -> i64 {
                let of = |game: &Game| {
                    let side = game.players.iter().position(|player| *player == name)?;
                    Some(naive_points(game, win)?[side])
                };
                games.iter().filter_map(of).sum()
            };
            // Each played pair of players, with the points of the first.
            let against = |one: &str, other: &str| -> Vec<i64> {
                let of = |game: &Game| {
                    let points = naive_points(game, win)?;
                    match game.players {
                        [white, black] if white == one && black == other => Some(points[0]),
                        [white, black] if white == other && black == one => Some(points[1]),
                        _ => None,
                    }
                };
                games.iter().filter_map(of).collect()
            };
            let met: BTreeSet<&str> = games.iter().flat_map(|game| game.players).collect();
            let mut values = Vec::new();
            for &one in &met {
                let level: Vec<&str> =
                    met.iter().copied().filter(|other| points(other) == points(one)).collect();
                let all_met = level.iter().all(|a| level.iter().all(|b| a == b || !against(a, b).is_empty()));
                let head_to_head = (level.len() > 1 && all_met)
                    .then(|| level.iter().map(|other| against(one, other).iter().sum::<i64>()).sum::<i64>());
                let (mut sonneborn_berger, mut buchholz) = (0, 0);
                for other in &met {
                    for own in against(one, other) {
                        sonneborn_berger += own * points(other);
                        buchholz += points(other);
                    }
                }
                let wins = games.iter().filter(|game| {
                    game.players
                        .iter()
                        .position(|name| *name == one)
                        .is_some_and(|side| game.outcome(side) == Some(1.0))
                });
                values.push((
                    one,
                    points(one),
                    head_to_head,
                    sonneborn_berger,
                    buchholz,
                    wins.count() as i64,
                ));
            }
            type Row<'r> = (&'r str, i64, Option<i64>, i64, i64, i64);
            let key = |row: &Row<'_>| {
                let mut key = vec![-row.1];
                key.extend(tie_breaks.iter().map(|tie_break| match tie_break {
                    TieBreak::HeadToHead => -row.2.unwrap_or(-1),
                    TieBreak::SonnebornBerger => -row.3,
                    TieBreak::Buchholz => -row.4,
                    TieBreak::Wins => -row.5,
                }));
                key
            };
            values.sort_by(|a, b| key(a).cmp(&key(b)).then(a.0.cmp(b.0)));
            let expected: Vec<_> = values
                .iter()
                .map(|row| {
                    let rank = 1 + values.iter().filter(|other| key(other) < key(row)).count();
                    (rank, row.0.to_owned(), row.1, row.2, row.3, row.4, row.5)
                })
                .collect();
            let hundredths = |points: f64| (points * 100.0).round() as i64;
            let actual: Vec<_> = standings
                .players
                .iter()
                .map(|row| {
                    (
                        row.rank,
                        row.player.clone(),
                        hundredths(row.points),
                        row.head_to_head.map(hundredths),
                        (row.sonneborn_berger * 100.0 * win as f64).round() as i64,
                        hundredths(row.buchholz),
                        row.score.won as i64,
                    )
                })
                .collect();
            assert_eq!(actual, expected, "seed {seed}, win {win}");
            for row in &standings.players {
                assert_eq!(found(&index, &row.query), row.score.games, "{}", row.query);
                assert_eq!(row.results.len() as u64, row.score.games);
                assert_eq!(row.progress.last(), Some(&row.points));
                assert_eq!(row.progress.len(), report.rounds.len());
            }
        }
    }
}

#[test]
fn rounds_tell_the_games_of_an_event_apart() {
    let game = |round: &str, result: &str| {
        format!(
            "[Event \"Cup\"]\n[White \"Ames\"]\n[Black \"Berg\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n1. 32-28 19-23 *\n\n"
        )
    };
    for (rounds, counted) in [
        (["1/8 final", "1/4 final"], 2),
        (["3a", "3b"], 2),
        (["ronde 3.1", "ronde 3.2"], 2),
        (["Round 1 board 1", "Round 1 board 2"], 2),
        (["4", "4.1"], 1),
        (["4", "R4"], 1),
        (["final", "Final"], 1),
        (["final", "?"], 1),
        (["4", "5"], 2),
    ] {
        let (_folder, index) = index_of(&rounds.map(|round| game(round, "2-0")).concat());
        let report = EventRequest::new("cup").unwrap().run(&index, THREADS, &Stop::new()).unwrap();
        assert_eq!((report.counted, report.exact), (counted, counted == 2), "{rounds:?}");
        assert_eq!(report.standings[0].players[0].points, 2.0 * counted as f64, "{rounds:?}");
    }
}

#[test]
fn events_that_are_large_have_no_lists_of_games() {
    let mut numbers = Numbers(5);
    let games: Vec<Game> =
        (0..40).map(|round| Game { event: "Cup", ..random_game(&mut numbers, round) }).collect();
    let (_folder, index) = index_of(&text_of(&games));
    let run = |most_listed: Option<u64>| {
        let request = EventRequest { most_listed, ..EventRequest::new("cup").unwrap() };
        request.run(&index, THREADS, &Stop::new()).unwrap()
    };
    let (all, few) = (run(Some(40)), run(Some(39)));
    assert!(all.listed && !all.rounds.is_empty() && !few.listed && few.rounds.is_empty());
    for (one, other) in all.standings.iter().zip(&few.standings) {
        for (one, other) in one.players.iter().zip(&other.players) {
            assert_eq!(
                (one.rank, &one.player, one.points, one.score),
                (other.rank, &other.player, other.points, other.score)
            );
            assert!(other.results.is_empty());
        }
    }
}
