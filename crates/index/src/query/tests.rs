//! Conditions on games against a scan of all rows, and scans of games against unpacking them.

mod endings;
mod ranged;

use crate::internal::query::DateRange;
use crate::internal::query::GameScanner;
use crate::internal::query::{
    Field, GameSelector, NearestMatches, PlayableGame, RatedPlayer, nearest, scan_games,
};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use super::*;
use crate::pack::CorruptMoves;
use crate::{GameRow, Index};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::{Colour, Date, Outcome};
use pdn_names::NamePattern;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::State;

const GAMES: &str = r#"
[White "Van der Wal, Jannes"]
[Black "Wiersma, Harm"]
[Event "WK"]
[Date "1982.11.??"]
[Round "3"]
[WhiteRating "2400"]
[GameType "20"]
1. 32-28 19-23 2. 28x19 14x23 2-0

[White "Wiersma, H."]
[Black "J. van der Wal"]
[Event "NK"]
[Date "1984.04.02"]
[Round "11.2"]
[WhiteRating "2390"]
[BlackRating "2410"]
[GameType "20"]
1. 34-29 17-21 0-2

[White "Tinsley"]
[Black "Wirsma, H"]
[Date "1955"]
[GameType "21"]
1. 11-15 23-19 1-1

[White "Chizhov"]
[Black "Tinsley"]
[GameType "25"]
1. c3-d4 b6-a5 2. e3-f4 *

[White "Chizhov"]
[Black "Ghost"]
[GameType "20"]
1. 32-28 28-32 2-0
"#;

fn index_of(dir: &Path, text: &str) -> Index {
    let archive = dir.join("games.pdn");
    std::fs::write(&archive, text).expect("written");
    let out = dir.join("index");
    crate::import([archive], &out, &crate::ImportOptions::default()).expect("built");
    Index::open(out).expect("opened")
}

/// Checks that a query on whole games matches the rows for which `naive` is true.
fn check(query: Query, naive: impl Fn(&GameRow<'_>) -> bool) {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), GAMES);
    let expected: Vec<u64> =
        index.games().filter(|game| naive(&game.row().expect("sound"))).map(|game| game.number()).collect();
    let bounds =
        GameSelector::new(&index.segments()[0]).and_then(|games| games.bounds(&query)).expect("sound");
    assert!(bounds.is_exact(), "{query:?} has conditions on whole games only");
    assert_eq!(bounds.possible.iter().map(u64::from).collect::<Vec<_>>(), expected, "{query:?}");
    assert!(bounds.open().is_empty());
}

#[test]
fn game_conditions_match_the_same_rows_as_a_scan() {
    let date = |year| Date::new(Some(year), None, None).expect("a date");
    check(Query::white("j wal"), |row| row.white.contains("Wal"));
    check(Query::player("~wiersma"), |row| [row.white, row.black].iter().any(|name| name.starts_with("Wi")));
    check(Query::exactly(Field::Black, "tinsley"), |row| row.black == "Tinsley");
    check(Query::tag(Field::Winner, NamePattern::parse("wal")), |row| {
        row.white.contains("Wal") && row.winner() == Some(Colour::White)
            || row.black.contains("Wal") && row.winner() == Some(Colour::Black)
    });
    check(Query::tag(Field::Loser, NamePattern::parse("wiersma")), |row| {
        row.white.contains("Wiersma") && row.winner() == Some(Colour::Black)
            || row.black.contains("Wiersma") && row.winner() == Some(Colour::White)
    });
    check(Query::event("w*") | Query::event("nk"), |row| !row.event.is_empty());
    check(Query::date(DateRange::new(Some(date(1982)), None)), |row| row.date.year() >= Some(1982));
    check(Query::rating(RatedPlayer::White, 2000..=2395), |row| row.ratings[0] == 2390);
    check(Query::rating(RatedPlayer::White, 0..=2395), |row| (1..=2395).contains(&row.ratings[0]));
    check(Query::rating(RatedPlayer::Both, 1..=3000), |row| row.ratings.iter().all(|&rating| rating > 0));
    check(Query::rating(RatedPlayer::Either, 2400..=2400), |row| row.ratings.contains(&2400));
    check(Query::round(11..=11), |row| row.round == "11.2");
    check(Query::plies(3..=4), |row| (3..=4).contains(&row.plies));
    check(Query::result(Outcome::FirstWins), |row| row.outcome == Outcome::FirstWins);
    check(Query::winner(Some(Colour::Black)), |row| row.winner() == Some(Colour::Black));
    check(Query::winner(None), |row| row.winner().is_none());
    check(Query::status(pdn::replay::GameStatus::Illegal), |row| row.black == "Ghost");
    check(Query::variant(pdn::rules::Variant::English), |row| row.white == "Tinsley");
    check(!Query::white("chizhov") & !Query::black("tinsley") | Query::round(3..=3), |row| {
        row.white != "Chizhov" && row.black != "Tinsley" || row.round == "3"
    });
    check(Query::white("chizhov").never(), |row| row.white != "Chizhov");
    check(Query::all(), |_| true);
    check(!Query::all(), |_| false);
}

#[test]
fn first_number_in_the_text_of_a_round_counts() {
    let dir = tempfile::tempdir().expect("a folder");
    let rounds =
        ["5", "ronde5", "C5", "5a", "5 of 9", "05.2", "?", "final", "15", "9 of 5", "99999999", "1/4"];
    let text: String = rounds.map(|round| format!("[Round \"{round}\"]\n1. 32-28 *\n")).concat();
    let index = index_of(dir.path(), &text);
    let matching = |query: &str| {
        let query = Query::parse(query).expect("a query");
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound");
        let (hits, _) = search.hits(usize::MAX).expect("sound");
        hits.iter().map(|hit| rounds[hit.game as usize]).collect::<Vec<_>>()
    };
    assert_eq!(matching("round 5"), ["5", "ronde5", "C5", "5a", "5 of 9", "05.2"]);
    assert_eq!(matching("round 6.. or round 1"), ["15", "9 of 5", "1/4"]);
    assert_eq!(matching("round = 05.2 or round = 5*"), ["5", "5a", "5 of 9", "05.2"]);
}

#[test]
fn a_cross_asks_for_a_capture_and_a_dash_in_played_moves_for_none() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), GAMES);
    let matching = |query: &str| {
        let query = Query::parse(&format!("variant international and {query}")).expect("a query");
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound");
        let (hits, _) = search.hits(usize::MAX).expect("sound");
        hits.iter().map(|hit| (hit.game, hit.ply)).collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("played \"32-28\"", &[(0, 0), (4, 0)][..]),
        ("played \"32x28\"", &[]),
        ("played \"28x19\"", &[(0, 2)]),
        ("played \"28-19\"", &[]),
        ("played \"x\"", &[(0, 2)]),
        ("played \". x x\"", &[(0, 1)]),
        ("move 32-28", &[(0, 0), (4, 0)]),
        ("move 28-19", &[(0, 2)]),
        ("move 32x28", &[]),
        ("move x28", &[]),
        ("move 28x", &[(0, 2)]),
        ("move takes 0.. from 14", &[(0, 3)]),
        ("move takes 0 from 14", &[]),
        ("takes >= 1 and ply 0..1", &[]),
    ] {
        assert_eq!(matching(query), expected, "{query}");
    }
}

/// A scanner that counts the pieces of every position.
struct PieceCounter;

impl GameScanner for PieceCounter {
    type Found = Vec<(u32, Vec<u32>)>;

    fn game<G: Geometry>(
        &self,
        game: &PlayableGame<'_, G>,
        found: &mut Self::Found,
    ) -> Result<(), CorruptMoves> {
        let mut counts = Vec::new();
        let last = game.plies(|ply| {
            counts.push(ply.before().occupied().count());
            ControlFlow::Continue(())
        })?;
        counts.push(last.occupied().count());
        found.push((game.game, counts));
        Ok(())
    }
}

#[test]
fn scan_results_keep_game_order_on_any_number_of_threads() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), &GAMES.repeat(2000));
    let bounds =
        GameSelector::new(&index.segments()[0]).and_then(|games| games.bounds(&!Query::white("tinsley")));
    let games = [bounds.expect("sound").possible];
    let naive: Vec<_> = games[0]
        .iter()
        .map(|number| {
            let (plies, last) = index.game(number.into()).expect("there").plies().expect("sound");
            let positions = plies.iter().map(|ply| ply.before).chain([last]);
            (number, positions.map(|position| position.state().occupied().count_ones()).collect::<Vec<_>>())
        })
        .collect();
    for threads in [1, 2, 5] {
        let mut all = Vec::new();
        let threads = NonZeroUsize::new(threads).expect("some");
        let scanned = scan_games(&index, &games, threads, &PieceCounter, |found| {
            all.extend(found);
            ControlFlow::Continue(())
        });
        assert_eq!(scanned.expect("sound"), games[0].len());
        assert_eq!(all, naive);
    }
}

#[test]
fn searches_and_trees_end_with_an_error_when_they_are_stopped() {
    use pdn::error::ErrorKind;
    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn::stop::Stop;

    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), GAMES);
    let requested = Stop::new();
    requested.request();
    let is_stopped = |error: pdn::Error| matches!(error.kind(), ErrorKind::Stopped);
    for (stop, games) in [(Stop::new(), Some(())), (requested, None)] {
        let start = Position::start(Variant::International);
        let options = TreeOptions::new().stop(&stop);
        match (tree(&index, &start, &options), games) {
            (Ok(tree), Some(_)) => assert_eq!(tree.all.games, 3),
            (Err(error), None) => assert!(is_stopped(error)),
            (other, _) => panic!("{other:?}"),
        }
        let query = Query::parse("variant international and ever p < 40").expect("a query");
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound").stop(&stop);
        let outcomes = [
            search.hits(usize::MAX).map(|(hits, _)| hits.len()),
            search.all_hits(usize::MAX).map(|(hits, _)| hits.len()),
            search.count().map(|(count, _)| count as usize),
            search.games().map(|(games, _)| games[0].len() as usize),
        ];
        for outcome in outcomes {
            match (outcome, games) {
                (Ok(count), Some(_)) => assert!(count > 0),
                (Err(error), None) => assert!(is_stopped(error)),
                (other, _) => panic!("{other:?}"),
            }
        }
        let query = Query::parse("tag WhiteRating").expect("a query");
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound").stop(&stop);
        assert_eq!(search.hits(usize::MAX).is_ok(), games.is_some());
    }
}

#[test]
fn hits_are_visited_in_order_and_until_the_visitor_breaks() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), &GAMES.repeat(60));
    // By columns alone; by playing; both, so that certain and found games are merged; by texts.
    for query in [
        "white : wiersma",
        "ever w-b >= 1",
        "round 3 or ever w-b >= 1",
        "tag Round = 3 and plies >= 0",
        "white : nobody",
    ] {
        let query = Query::parse(query).expect("a query");
        for threads in [1, 3] {
            let search =
                Search::new(&index, &query, NonZeroUsize::new(threads).expect("a number")).expect("sound");
            let (all, stats) = search.hits(usize::MAX).expect("sound");
            let mut visited = Vec::new();
            let visited_stats = search.visit_hits(|hits| {
                assert!(!hits.is_empty());
                visited.extend_from_slice(hits);
                ControlFlow::Continue(())
            });
            assert_eq!((&visited, visited_stats.expect("sound")), (&all, stats), "{query}");
            assert!(all.windows(2).all(|pair| pair[0].game < pair[1].game), "{query}");
            assert_eq!(all.len() as u64, search.count().expect("sound").0, "{query}");
            if all.len() > 2 {
                for limit in [1, all.len() - 1] {
                    assert_eq!(search.hits(limit).expect("sound").0, all[..limit], "{query}");
                }
            }
            let mut first = None;
            let broken = search.visit_hits(|hits| {
                assert_eq!(first.replace(hits[0]), None, "{query}: called after it broke");
                ControlFlow::Break(())
            });
            broken.expect("sound");
            assert_eq!(first, all.first().copied(), "{query}");
        }
    }
}

#[test]
fn first_hits_are_visited_before_all_are_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), &"[White \"a\"]\n[GameType \"20\"]\n1. 32-28 *\n".repeat(3000));
    for (query, threads) in [("white : a", 1), ("ever wm = 20", 3)] {
        let query = Query::parse(query).expect("a query");
        let search =
            Search::new(&index, &query, NonZeroUsize::new(threads).expect("a number")).expect("sound");
        let mut parts = Vec::new();
        let visited = search.visit_hits(|hits| {
            parts.push(hits.len());
            ControlFlow::Continue(())
        });
        visited.expect("sound");
        assert!(parts.len() > 1 && parts.iter().sum::<usize>() == 3000, "{query}: {parts:?}");
    }
}

#[test]
fn digest_changes_with_the_games_of_an_index() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), GAMES);
    assert_eq!(index.digest(), Index::open(index.dir()).expect("opened").digest());
    let other = tempfile::tempdir().expect("a folder");
    let changed = index_of(other.path(), &GAMES.replace("28x19 14x23", "28x19 13x24"));
    assert_ne!(index.digest(), changed.digest());
}

#[test]
fn pieces_that_a_setup_adds_are_found() {
    let text = "[FEN \"W:W31:B20\"]\n[GameType \"20\"]\n1. 31-27 20-25 /FEN \"W:W27,28,29:B24,25\"/ 2. 27-22 *\n\n\
                [FEN \"W:W31:B20\"]\n[GameType \"20\"]\n1. 31-27 20-25 *\n\n\
                [GameType \"20\"]\n1. 32-28 19-23 *\n";
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), text);
    for (query, expected) in [("w = 3", &[0][..]), ("b = 2", &[0]), ("w = 1", &[0, 1]), ("w = 20", &[2])] {
        let search = Search::new(&index, &Query::parse(query).expect("a query"), NonZeroUsize::MIN);
        let (hits, _) = search.and_then(|search| search.hits(usize::MAX)).expect("sound");
        assert_eq!(hits.iter().map(|hit| hit.game).collect::<Vec<_>>(), expected, "{query}");
    }
}

#[test]
fn files_are_found_in_every_segment() {
    let dir = tempfile::tempdir().expect("a folder");
    let archives = ["a.pdn", "b.pdn", "c.pdn"].map(|name| dir.path().join(name));
    for archive in &archives {
        std::fs::write(archive, "[White \"a\"]\n1. 32-28 *\n".repeat(3)).expect("written");
    }
    let folder = dir.path().join("index");
    for archive in &archives {
        // Each call writes a segment of its own.
        crate::import([archive], &folder, &crate::ImportOptions::new().append(true)).expect("imported");
    }
    let index = Index::open(&folder).expect("an index");
    assert_eq!(index.segments().len(), 3);
    for (name, expected) in [("a.pdn", [0, 1, 2]), ("b.pdn", [3, 4, 5]), ("c.pdn", [6, 7, 8])] {
        let query = Query::parse(&format!("file \"{name}\"")).expect("a query");
        let (hits, _) =
            Search::new(&index, &query, NonZeroUsize::MIN).expect("sound").hits(9).expect("sound");
        assert_eq!(hits.iter().map(|hit| hit.game).collect::<Vec<_>>(), expected, "{name}");
    }
}

/// Queries that facts, the last position or the number of plies help with, and others.
const QUERIES: &[&str] = &[
    "move takes >= 2",
    "move takes 3",
    "move by king takes >= 2",
    "move by man takes >= 3",
    "move by black by king",
    "move by king",
    "move promotes",
    "move by white promotes",
    "move promotes takes >= 1",
    "not move promotes",
    "ever wk >= 1",
    "never k >= 1",
    "k >= 2",
    "wk-bk >= 1",
    "bk-wk >= 1",
    "wk+bm >= 8",
    "wk = 1 and bk = 1",
    "wk >= 1 for 7",
    "(wk >= 1 or bk >= 2) for 11",
    "(wk >= 1 for 3) for 5",
    "(wk >= 1 for 3) then bk >= 1 within 9",
    "(ever bk >= 1) for 4",
    "bk >= 1 then move by king",
    "w-b >= 1",
    "w-b >= 3",
    "wm-b >= 2",
    "b-w >= 2 for 6",
    "b-w >= 1 and last",
    "w-b < -2",
    "b-w < -2",
    "b-w = 2..3",
    "b-w-w >= 1",
    "w+w-b >= 7",
    "w-b = 0",
    "w+w-b-b >= 5",
    "p <= 6 and last",
    "last and (wk >= 1 or bm <= 3)",
    "last and not (wk >= 1)",
    "not (last and p <= 9)",
    "ever (last and p <= 9)",
    "last then all",
    "sacrifice 2 within 8",
    "sacrifice 3 within 20 regained",
    "sacrifice 5",
    "ply 70..",
    "ply 5 and wk = 0",
    "all for 90",
    "(ply 20.. for 30) or k >= 3",
    "pattern \"k1-12\"",
    "pattern \"W1-5 B46-50\"",
    "pattern \"B1-12\" flipped",
    "fen \"W:WK46:BK5\"",
    "fen \"?:W27:B24,25,15\"",
];

/// The twin of all that facts exclude: an index without them.
#[test]
fn queries_match_with_and_without_facts() {
    use crate::tests::{TestFolder, facts, index, options};

    let temp = TestFolder::new();
    let archive = temp.file("games.pdn", facts::archive_with_kings(3));
    let [with, without] = ["with", "without"].map(|name| temp.path(name));
    for dir in [&with, &without] {
        index(std::slice::from_ref(&archive), dir, &options(1, 70));
    }
    facts::forget_facts(&without);
    let (with, without) = (Index::open(with).expect("opened"), Index::open(without).expect("opened"));
    let (mut excluded, mut all) = (0, 0);
    for text in QUERIES {
        let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let search = |index| Search::new(index, &query, NonZeroUsize::MIN).expect("sound");
        let (one, other) = (search(&with), search(&without));
        let hits = |search: &Search<'_>| search.all_hits(usize::MAX).expect("sound").0;
        assert_eq!(hits(&one), hits(&other), "{text}");
        let first_hits = |search: &Search<'_>| search.hits(usize::MAX).expect("sound").0;
        assert_eq!(first_hits(&one), first_hits(&other), "{text}");
        assert!(one.plan().played <= other.plan().played, "{text}");
        excluded += other.plan().played - one.plan().played;
        all += other.plan().played;
    }
    assert!(excluded > all / 4, "facts exclude {excluded} of {all} games");
}

#[test]
fn facts_exclude_games_before_they_are_played() {
    use crate::tests::{TestFolder, facts, index, options};

    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("games.pdn", facts::archive_with_kings(3))], &dir, &options(1, 1000));
    let index = Index::open(dir).expect("opened");
    for text in ["move takes >= 3", "move by king takes >= 2", "w-b >= 3", "b-w >= 4", "last and p <= 6"] {
        let query = Query::parse(text).expect("a query");
        let search = Search::new(&index, &query, NonZeroUsize::MIN).expect("sound");
        let matching = search.count().expect("sound").0;
        assert!(matching > 0, "{text}");
        assert_eq!(search.plan().played, matching, "{text}: only the games that match are played");
    }
}

/// Returns the number of squares whose contents differ in two positions, square by square.
fn naive_distance(one: &Position, other: &Position) -> u32 {
    let (one, other) = (one.state(), other.state());
    let contents = |state: &State<u128>, bit: u32| {
        let has = |bits: u128| bits >> bit & 1 == 1;
        (has(state.pieces[0]), has(state.pieces[1]), has(state.kings))
    };
    (0..128).filter(|&bit| contents(one, bit) != contents(other, bit)).count() as u32
}

#[test]
fn nearest_matches_are_those_of_the_least_distances() {
    let dir = tempfile::tempdir().expect("a folder");
    let index = index_of(dir.path(), &crate::tests::archive(21, 60, &[Variant::International]));
    let wanted = index.game(7).expect("there").position(20).expect("sound");
    let board = wanted.fen();
    let threads = NonZeroUsize::MIN;
    let run = |text: &str, wanted, all| {
        let query = Query::parse(text).expect("a query");
        nearest(&index, &query, threads, &Stop::default(), wanted, all).expect("sound")
    };
    // The distances of all positions of each game, from the first position on.
    let positions = |game: crate::IndexedGame<'_>| {
        let (plies, last) = game.plies().expect("sound");
        plies.iter().map(|ply| ply.before).chain([last]).collect::<Vec<_>>()
    };
    let (mut of_games, mut of_positions) = (Vec::new(), Vec::new());
    for game in index.games() {
        let number = game.number();
        let all = positions(game);
        let all = (0u32..).zip(&all).map(|(ply, position)| (naive_distance(&wanted, position), number, ply));
        let near: Vec<_> = all.filter(|(distance, ..)| *distance <= 14).collect();
        of_games.extend(near.iter().min().copied());
        of_positions.extend(near);
    }
    of_games.sort_unstable();
    of_positions.sort_unstable();
    assert!(of_games.len() > 5 && of_games[0].0 == 0 && of_games.last().expect("some").0 > 5);
    let key = |found: NearestMatches| {
        found.hits.into_iter().map(|(hit, distance)| (distance, hit.game, hit.ply)).collect::<Vec<_>>()
    };
    let text = format!("distance \"{board}\" <= 14");
    let found = run(&text, usize::MAX, false).expect("a distance");
    assert_eq!(found.games, of_games.len() as u64);
    assert_eq!(key(found), of_games);
    assert_eq!(key(run(&text, usize::MAX, true).expect("a distance")), of_positions);
    // The first of them, found without the others.
    let first = run(&text, 3, false).expect("a distance");
    assert_eq!(first.games, of_games.len() as u64);
    assert!((3..of_games.len()).contains(&first.hits.len()));
    assert_eq!(key(first.clone())[..], of_games[..first.hits.len()]);
    // Other conditions hold at the same position.
    let white = run(&format!("white to move and {text}"), usize::MAX, true).expect("a distance");
    let expected = of_positions.iter().copied().filter(|(_, game, ply)| {
        let all = positions(index.game(*game).expect("there"));
        all[*ply as usize].turn() == Colour::White
    });
    assert_eq!(key(white), expected.collect::<Vec<_>>());
    // A condition with the colours exchanged counts where it is nearest.
    let flipped = run(&format!("({text}) flipped"), usize::MAX, false).expect("a distance");
    assert!(flipped.games >= of_games.len() as u64);
    assert_eq!(flipped.hits[0].1, 0);
    for text in
        ["wk = 1", &format!("not {text}"), &format!("{text} or wk = 1"), &format!("{text} and {text} for 2")]
    {
        assert!(run(text, 3, false).is_none(), "{text}");
    }
}
