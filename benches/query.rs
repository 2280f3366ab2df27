//! Searches of an index on one thread, planning included, in positions per second. Run with `cargo bench --bench query`.
//!
//! Generated games are imported into an index, which is searched without and with key tables. Before a query is measured,
//! its hits are compared with a loop over all unpacked positions. The floor is a single pass over all packed bytes.
//! `PDN_INDEX` names another index for the same queries; its hits are compared between one thread and three.

#[path = "common/legal.rs"]
mod legal;

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_index::internal::query::{Pattern, candidates};
use pdn_index::internal::{KeyTableOptions, Section, build_key_tables};
use pdn_index::query::{Query, Search};
use pdn_index::{ImportOptions, Index, import};

/// The number of games in the generated index.
const GAMES: usize = 20_000;
const ONE: NonZeroUsize = NonZeroUsize::MIN;

/// A query with its naive evaluation.
struct Case {
    name: &'static str,
    query: Query,
    /// Whether the query is true at a position; `None` for conditions on whole games.
    holds: Option<Holds>,
}

/// Receives all positions of a game and the number of one of them.
type Holds = Box<dyn Fn(&[Position], usize) -> bool>;

/// Returns the number of games that match, and of positions tested.
fn count(index: &Index, query: &Query, threads: NonZeroUsize) -> (u64, u64) {
    let search = Search::new(index, query, threads).expect("sound");
    let (games, stats) = search.count().expect("sound");
    (games, stats.positions)
}

/// Returns the position after some plies of a game, or its last position.
fn position(index: &Index, game: u64, plies: usize) -> Position {
    let (all, last) = index.game(game).expect("there").plies().expect("sound");
    all.get(plies).map_or(last, |ply| ply.before)
}

fn pieces(position: &Position, colour: Colour) -> u32 {
    position.state().side(colour).count_ones()
}

fn kings(position: &Position, colour: Colour) -> u32 {
    position.state().kings(colour).count_ones()
}

fn cases(index: &Index) -> Vec<Case> {
    let parse = |text: &str| Query::parse(text).expect("a query");
    let exactly = |name, plies| {
        let wanted = position(index, index.len() / 2, plies);
        Case {
            name,
            query: Query::board(Pattern::position(&wanted)),
            holds: Some(Box::new(move |game: &[Position], at| game[at].key() == wanted.key())),
        }
    };
    let has_pattern = |position: &Position, squares: [u16; 4]| {
        let bits = squares.map(|number| position.names().of_number(number).expect("a square").bit());
        let men = Colour::ALL.map(|colour| position.state().men(colour));
        let has = |side: u128, bit: u8| side >> bit & 1 != 0;
        has(men[0], bits[0])
            && has(men[0], bits[1])
            && has(men[1], bits[2])
            && !has(position.state().occupied(), bits[3])
    };
    let (white, black) = (Colour::White, Colour::Black);
    let balance = move |position: &Position| pieces(position, white) as i32 - pieces(position, black) as i32;
    let captured = |game: &[Position], at: usize| {
        let (before, after) = (&game[at], game.get(at + 1));
        after.map_or(0, |after| pieces(before, !before.turn()) - pieces(after, !before.turn()))
    };
    vec![
        exactly("opening", 4),
        exactly("position of the middle game", 40),
        Case {
            name: "pattern",
            query: parse("pattern \"w32,28 b19 .23\""),
            holds: Some(Box::new(move |game, at| has_pattern(&game[at], [32, 28, 19, 23]))),
        },
        Case {
            name: "material",
            query: parse("w-b >= 2"),
            holds: Some(Box::new(move |game, at| balance(&game[at]) >= 2)),
        },
        Case {
            name: "material with kings",
            query: parse("wk = 1 and bk = 1"),
            holds: Some(Box::new(move |game, at| {
                kings(&game[at], white) == 1 && kings(&game[at], black) == 1
            })),
        },
        Case {
            name: "mixture",
            query: parse("w-b >= 2 and (bk = 0 or wk >= 1) and not b <= 3"),
            holds: Some(Box::new(move |game, at| {
                let position = &game[at];
                balance(position) >= 2
                    && (kings(position, black) == 0 || kings(position, white) >= 1)
                    && pieces(position, black) > 3
            })),
        },
        Case {
            name: "mixture that lasts",
            query: parse("(w-b >= 1 and wk = 0) for 6"),
            holds: Some(Box::new(move |game, at| {
                let next = game.get(at..at + 7);
                next.is_some_and(|next| {
                    next.iter().all(|position| balance(position) >= 1 && kings(position, white) == 0)
                })
            })),
        },
        Case {
            name: "one after the other",
            query: parse("w-b >= 1 then b-w >= 1 within 10"),
            holds: Some(Box::new(move |game, at| {
                let later = &game[at + 1..(at + 11).min(game.len())];
                balance(&game[at]) >= 1 && later.iter().any(|position| balance(position) <= -1)
            })),
        },
        Case {
            name: "move",
            query: parse("move takes >= 3 by white"),
            holds: Some(Box::new(move |game, at| game[at].turn() == white && captured(game, at) >= 3)),
        },
        Case {
            name: "sacrifice",
            query: parse("sacrifice 3 within 10 lost"),
            holds: Some(Box::new(move |game, at| {
                let sign = if game[at].turn() == white { 1 } else { -1 };
                let change = |position: &Position| sign * (balance(position) - balance(&game[at]));
                let later: Vec<i32> = game[at + 1..(at + 11).min(game.len())].iter().map(change).collect();
                let gone = later.iter().position(|&change| change <= -3);
                gone.is_some_and(|gone| later[gone..].iter().all(|&change| change < 0))
            })),
        },
        Case { name: "length", query: Query::plies(40..=60), holds: None },
    ]
}

/// Returns the number of games with a position at which `holds` is true.
fn naive(index: &Index, holds: &Holds) -> u64 {
    let has = |game: &pdn_index::IndexedGame<'_>| {
        let (plies, last) = game.plies().expect("sound");
        let game: Vec<Position> = plies.iter().map(|ply| ply.before).chain([last]).collect();
        (0..game.len()).any(|at| holds(&game, at))
    };
    index.games().filter(has).count() as u64
}

fn measure(criterion: &mut Criterion, name: &str, index: &Index, compare: bool) {
    let mut group = criterion.benchmark_group(format!("query/{name}"));
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    let packed: Vec<&[u8]> =
        index.segments().iter().map(|segment| segment.section(Section::Moves).expect("sound")).collect();
    // The number of positions that a query without any bounds tests.
    group.throughput(Throughput::Elements(index.plies() + index.len()));
    group.bench_function("floor", |bencher| {
        bencher.iter(|| {
            packed.iter().map(|bytes| memchr::memchr_iter(255, black_box(bytes)).count()).sum::<usize>()
        });
    });
    for Case { name, query, holds } in cases(index) {
        let (games, positions) = count(index, &query, ONE);
        assert_eq!(count(index, &query, NonZeroUsize::new(3).expect("some")).0, games, "{name}");
        if compare {
            let expected = match holds {
                Some(holds) => naive(index, &holds),
                None => {
                    index.games().filter(|game| (40..=60).contains(&game.row().expect("sound").plies)).count()
                        as u64
                }
            };
            assert_eq!(games, expected, "{name}");
            assert!(games > 0, "{name}: no game matches");
        }
        group.throughput(Throughput::Elements(positions.max(1)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(count(index, black_box(&query), ONE).0, games));
        });
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("games.pdn");
    std::fs::write(&archive, legal::games(Variant::International, GAMES)).expect("written");
    let dir = folder.path().join("index");
    import([&archive], &dir, &ImportOptions::default()).expect("built");
    measure(criterion, "played", &Index::open(&dir).expect("opened"), true);
    build_key_tables(&dir, &KeyTableOptions::default(), |_, _| ControlFlow::Continue(())).expect("tables");
    let tabled = Index::open(&dir).expect("opened");
    measure(criterion, "with key tables", &tabled, true);

    // Looking up the games that may have a position, without playing them.
    let mut group = criterion.benchmark_group("query/look-up");
    let wanted: Vec<Position> = (0..64).map(|n| position(&tabled, n * tabled.len() / 64, 40)).collect();
    let games = |position: &Position| candidates(&tabled, 0, position).expect("sound").len();
    assert!(wanted.iter().all(|position| games(position) >= 1), "each is in a game");
    group.throughput(Throughput::Elements(wanted.len() as u64));
    group.bench_function("candidates", |bencher| {
        bencher.iter(|| black_box(&wanted).iter().map(games).sum::<u64>());
    });
    group.finish();

    if let Some(dir) = std::env::var_os("PDN_INDEX") {
        let index = Index::open(Path::new(&dir)).expect("an index");
        measure(criterion, &Path::new(&dir).display().to_string(), &index, false);
    }
}

criterion_group!(all, benches);
criterion_main!(all);
