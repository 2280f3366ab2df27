//! Trees from books and openings compared with trees of games that were played; damaged books and openings, and stale books.

use crate::internal::{
    KeyTableOptions, KeyTables, KeyTablesBuilt, VerifyOptions, VerifyReport, build_key_tables, verify,
};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::*;
use crate::ImportOptions;
use crate::tests::{
    TestFolder, archive, files, for_every_flipped_bit, for_every_shorter_length, index, options,
};
use pdn::rules::Variant;

const VARIANTS: &[Variant] = &[
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Frisian,
    Variant::Turkish,
    Variant::Canadian,
    Variant::Frysk,
];

/// Builds key tables and books for positions of this many games.
fn books(dir: &Path, games: u64) -> KeyTablesBuilt {
    let options = KeyTableOptions::new().threads(NonZeroUsize::MIN).book_games(games);
    build_key_tables(dir, &options, |_, _| ControlFlow::Continue(())).expect("built")
}

/// Finds every position of all games of an index by unpacking them, with the numbers of games by segment.
fn positions(index: &Index) -> Vec<(Position, Vec<u64>)> {
    let mut all: BTreeMap<String, (Position, Vec<u64>)> = BTreeMap::new();
    for segment in 0..index.segments().len() {
        for game in &index.live_games(segment) {
            let number = index.first_game(segment).expect("a segment") + u64::from(game);
            let game = index.game(number).expect("a game");
            let (plies, last) = game.plies().expect("sound");
            let mut names = Vec::new();
            for position in plies.iter().map(|ply| ply.before).chain([last]) {
                let name = format!("{:?} {}", position.rules(), position.fen());
                all.entry(name.clone()).or_insert((position, vec![0; index.segments().len()]));
                names.push(name);
            }
            names.sort();
            names.dedup();
            names.iter().for_each(|name| all.get_mut(name).expect("entered").1[segment] += 1);
        }
    }
    all.into_values().collect()
}

/// Opens a copy of an index that has neither key tables nor books nor openings.
fn plain_copy(index: &Index) -> (TestFolder, Index) {
    let temp = TestFolder::new();
    for (name, bytes) in files(index.dir()) {
        if !["keys", "book", "openings"].iter().any(|extension| name.ends_with(extension)) {
            fs::write(temp.path(&name), bytes).expect("written");
        }
    }
    let plain = Index::open(temp.path("")).expect("opened");
    (temp, plain)
}

/// Returns the tree of a position among some games, on one thread, without the number of games that were played.
fn tree_of(index: &Index, position: &Position, among: Option<&[GameSet]>) -> OpeningTree {
    let mut options = TreeOptions::new().threads(NonZeroUsize::MIN).examples(4).transpositions(true);
    options.among = among;
    let mut found = tree(index, position, &options).expect("sound");
    found.looked_at = 0;
    found
}

/// Compares the trees of an index with those of games that are played: of all positions of several games, and of some others.
/// Returns how many trees needed no game.
fn check(index: &Index, every: usize) -> usize {
    let (_temp, plain) = plain_copy(index);
    let all: Vec<GameSet> = (0..index.segments().len()).map(|segment| index.live_games(segment)).collect();
    let mut without_game = 0;
    let mut number = 0;
    for (position, games) in positions(index) {
        number += 1;
        if games.iter().sum::<u64>() < 3 && number % every != 0 {
            continue;
        }
        let position = &position;
        let expected = tree_of(&plain, position, None);
        assert_eq!(tree_of(index, position, None), expected, "{}", position.fen());
        // Trees of chosen games are not in the book, even if these are all games.
        assert_eq!(tree_of(index, position, Some(&all)), expected, "{}", position.fen());
        let found = tree(index, position, &TreeOptions::new()).expect("sound");
        without_game += usize::from(found.looked_at == 0);
    }
    without_game
}

/// Appends archives to an index.
fn append(paths: &[PathBuf], dir: &Path) {
    let options = ImportOptions { append: true, prune: true, key_tables: KeyTables::None, ..options(1, 60) };
    index(paths, dir, &options);
}

/// Verifies an index and plays all games.
fn verified(dir: &Path) -> VerifyReport {
    let mut options = VerifyOptions::INDEX.threads(NonZeroUsize::MIN);
    options.replay = true;
    verify(dir, &options).expect("a manifest")
}

#[test]
fn tree_from_the_book_equals_the_tree_from_the_games() {
    let temp = TestFolder::new();
    // A null move, a setup in the middle, kings that come back, and a game that ends in its start position.
    let special = "1. 32-28 19-23 2. -- 14-19 3. 28x14 *\n\n\
        [GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 /FEN \"W:W31-50:B1-20\"/ 3. 32-28 19-23 1-1\n\n\
        [GameType \"20\"]\n[FEN \"W:WK48:BK3\"]\n1. 48-43 3-8 2. 43-48 8-3 3. 48-42 3-9 4. 42-48 9-3 1-1\n\n\
        [GameType \"20\"]\n[FEN \"W:WK48:BK3\"]\n1. 48-43 3-8 2. 43-48 8-3 1-1\n\n\
        [GameType \"20\"]\n*\n\n";
    let dir = temp.path("index");
    let text = archive(41, 150, VARIANTS) + special + special;
    index(&[temp.file("a.pdn", text)], &dir, &options(1, 60));
    let built = books(&dir, 2);
    assert_eq!((built.tables, built.books), (3, 3));
    assert_eq!(
        books(&dir, 2),
        KeyTablesBuilt { tables: 0, books: 0, openings: 0, ..built },
        "valid books are kept"
    );
    let opened = Index::open(&dir).expect("opened");
    assert_eq!(opened.book_games(), Some(2));
    // A book has exactly the positions of as many games of its segment.
    let all = positions(&opened);
    let frequent = all.iter().flat_map(|(_, games)| games).filter(|games| **games >= 2).count();
    assert_eq!(built.book_positions, frequent as u64);
    assert!(frequent > 50, "{frequent}");
    assert!(check(&opened, 1) > 15);
    assert!(verified(&dir).is_sound());
}

#[test]
fn book_stays_right_after_append_prune_and_merge() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let paths: Vec<PathBuf> =
        (0..3).map(|n| temp.file(&format!("{n}.pdn"), archive(50 + n, 50, &VARIANTS[..3]))).collect();
    index(&paths[..2], &dir, &options(1, 60));
    books(&dir, 3);
    // A segment without a book, next to segments that have one.
    append(&paths, &dir);
    check(&Index::open(&dir).expect("opened"), 7);
    assert_eq!(books(&dir, 3).books, 1);
    assert!(check(&Index::open(&dir).expect("opened"), 7) > 0);
    // Games of the first file retire: the books that count them are not used any more, and made again.
    fs::remove_file(&paths[0]).expect("removed");
    append(&paths[1..], &dir);
    let stale = Index::open(&dir).expect("opened");
    assert!(stale.game_count() < stale.len());
    check(&stale, 7);
    assert!(verified(&dir).is_sound());
    assert_eq!(books(&dir, 3).books, 1, "the first segment has all games of the file");
    assert!(check(&Index::open(&dir).expect("opened"), 7) > 0);
    assert!(verified(&dir).is_sound());
    crate::internal::merge(&dir, &crate::internal::SegmentOptions::default()).expect("merged");
    assert!(
        files(&dir).iter().all(|(name, _)| !name.ends_with("book")),
        "books of replaced segments are removed"
    );
    check(&Index::open(&dir).expect("opened"), 7);
    assert_eq!(books(&dir, 3).books, 1);
    assert!(check(&Index::open(&dir).expect("opened"), 7) > 0);
    // Another number of games, and none.
    assert_eq!(books(&dir, 5).books, 1);
    assert!(books(&dir, 0).book_bytes == 0 && Index::open(&dir).expect("opened").book_games().is_none());
}

#[test]
fn tree_by_openings_equals_the_tree_of_played_games() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    let mut text = archive(61, 150, VARIANTS) + &archive(62, 150, &VARIANTS[..2]);
    // Games that follow few lines: with and without dates and ratings, of one player most of all, with both colours.
    let lines = [
        "1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28",
        "1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 38x27",
        "1. 33-28 18-23 2. 31-27 23x32 3. 37x28",
        "1. 31-27 17-21 2. 33-28",
        "1. 33-28 17-21 2. 31-27",
        "1. 32-28 19-23",
    ];
    let mut random = fastrand::Rng::with_seed(63);
    for _ in 0..400 {
        let names = [["Wiersma, H.", "Ghestem"], ["Ghestem", "Wiersma, H."], ["Ghestem", "Anker"]];
        let [white, black] = names[random.usize(..3)];
        let date = ["1979.12.31", "1980.??.??", "1980.05.??", "1980.05.17", "1981.01.01", "????.??.??"];
        let (date, line) = (date[random.usize(..6)], lines[random.usize(..6)]);
        let (rating, result) = (1900 + random.u32(..300), ["2-0", "1-1", "0-2", "*"][random.usize(..4)]);
        text += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[GameType \"20\"]\n\
             [BlackRating \"{rating}\"]\n[Result \"{result}\"]\n\n{line} {result}\n\n"
        );
    }
    index(&[temp.file("a.pdn", text)], &dir, &options(1, 250));
    books(&dir, 8);
    let opened = Index::open(&dir).expect("opened");
    let (_temp, plain) = plain_copy(&opened);
    let (mut trees, mut without_game) = (0, 0);
    for query in [
        "player : wiersma",
        "white : wiersma",
        "black : wiersma and result 1-1",
        "date 1980.05",
        "date >= 1980.05.17",
        "date < 1981",
        "date 1980",
        "not date >= 1000",
        "rating either 2000..2100",
        "all",
        "nothing",
    ] {
        let query = crate::query::Query::parse(query).expect("a query");
        let games = |index: &Index| {
            let search = crate::query::Search::new(index, &query, NonZeroUsize::MIN).expect("sound");
            search.games().expect("sound").0
        };
        let chosen = games(&opened);
        assert_eq!(chosen, games(&plain));
        for (number, (position, games)) in positions(&opened).iter().enumerate() {
            if games.iter().sum::<u64>() < 8 && number % 301 != 0 {
                continue;
            }
            let expected = tree_of(&plain, position, Some(&chosen));
            assert_eq!(tree_of(&opened, position, Some(&chosen)), expected, "{query}: {}", position.fen());
            let threads = NonZeroUsize::new(3).expect("some");
            let options = TreeOptions::new().among(&chosen).threads(threads).examples(4);
            let found = tree(&opened, position, &options).expect("sound");
            assert_eq!((&found.all, found.ended), (&expected.all, expected.ended));
            assert_eq!(found.arrivals, expected.arrivals);
            trees += usize::from(found.all.games > 0);
            without_game += usize::from(found.all.games > 0 && found.looked_at == 0);
        }
    }
    assert!(without_game > 100 && without_game < trees, "{without_game} of {trees}");
    assert!(verified(&dir).is_sound());
}

#[test]
fn tree_of_a_sample_says_how_many_games_it_leaves_out() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(51, 400, &VARIANTS[..1]))], &dir, &options(1, 250));
    let opened = Index::open(&dir).expect("opened");
    let start = Position::start(Variant::International);
    let whole = tree(&opened, &start, &TreeOptions::new().transpositions(true)).expect("sound");
    assert_eq!((whole.left_out, whole.looked_at), (0, 400));
    let of_sample = |max, threads| {
        let threads = NonZeroUsize::new(threads).expect("some");
        let options = TreeOptions::new().transpositions(true).max_games(max).threads(threads);
        tree(&opened, &start, &options).expect("sound")
    };
    assert_eq!(of_sample(400, 1), whole, "enough for all");
    for max in [0, 1, 40, 100, 399] {
        let found = of_sample(max, 1);
        assert_eq!(found, of_sample(max, 3));
        assert_eq!(found.looked_at + found.left_out, 400);
        assert!(found.left_out > 0 && found.looked_at <= max + 32, "{max}: {}", found.looked_at);
        assert!(found.all.games <= found.looked_at && found.moves.iter().all(|mv| mv.reached.is_none()));
    }
    // Blocks of both segments are counted.
    let games = of_sample(100, 1).all.examples;
    let all = of_sample(200, 1);
    assert!(all.all.games > 100 && !games.is_empty());
}

/// Changes every bit of a file of an index in turn, makes sure that `verify` finds the file, and passes the bit and the index to
/// `check`.
fn each_flipped_bit_is_found(path: &Path, mut check: impl FnMut(usize, &Index)) {
    let dir = path.parent().expect("a folder");
    for_every_flipped_bit(path, |bit| {
        let report = verify(dir, &VerifyOptions::INDEX.threads(NonZeroUsize::MIN)).expect("a manifest");
        let found = report.problems.iter().find(|finding| finding.path == path);
        assert!(found.is_some_and(|found| found.problem.contains(' ')), "bit {bit}: {report:?}");
        check(bit, &Index::open(dir).expect("the index is sound"));
    });
}

/// Returns a file that is made from a segment with another byte at `at` and checksums that match again. `pieces` are its pieces,
/// each with the place of its checksum.
fn forged(sound: &[u8], at: usize, pieces: &[(Range<usize>, usize)], footer_len: usize) -> Vec<u8> {
    use xxhash_rust::xxh3::xxh3_64 as xxh3;
    let mut bytes = sound.to_vec();
    bytes[at] ^= (xxh3(&at.to_le_bytes()) as u8) | 1;
    let footer = sound.len() - footer_len;
    let directory = number_at(sound, footer);
    let sums = [(directory..footer, footer + 8), (footer..sound.len() - 24, sound.len() - 24)];
    for (range, place) in pieces.iter().cloned().chain(sums) {
        let sum = xxh3(&bytes[range]).to_le_bytes();
        bytes[place..place + 8].copy_from_slice(&sum);
    }
    bytes
}

/// Returns the number of eight bytes at `at`.
fn number_at(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight")) as usize
}

#[test]
fn verify_detects_every_flipped_bit_of_a_book() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(46, 6, &[Variant::Russian]))], &dir, &options(1, 1000));
    books(&dir, 2);
    let path = dir.join("segment-00000001.book");
    let sound = fs::read(&path).expect("there");
    let opened = Index::open(&dir).expect("opened");
    let all: Vec<(Position, OpeningTree)> = positions(&opened)
        .into_iter()
        .filter(|(_, games)| games[0] > 1)
        .map(|(position, _)| (position, tree_of(&opened, &position, None)))
        .collect();
    assert!(all.len() > 1, "{}", all.len());
    let with_book = TreeOptions::new().threads(NonZeroUsize::MIN).examples(4).transpositions(true);
    each_flipped_bit_is_found(&path, |bit, index| {
        let (position, expected) = &all[bit % all.len()];
        let found = tree(index, position, &with_book).expect("without a damaged book");
        assert_eq!(found.moves, expected.moves, "bit {bit} gives a wrong answer");
    });
    for_every_shorter_length(&path, |len| {
        let index = Index::open(&dir).expect("sound");
        let found = tree(&index, &all[0].0, &with_book).expect("without a damaged book");
        assert_eq!(found.moves, all[0].1.moves, "cut to {len}");
        assert_eq!(index.unusable_tables(), [path.as_path()], "cut to {len}");
    });
    // A damaged book is built again.
    assert_eq!(books(&dir, 2).books, 1);
    assert!(fs::read(&path).expect("there") == sound);
}

#[test]
fn verify_detects_every_flipped_bit_of_openings() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(46, 6, &[Variant::Russian]))], &dir, &options(1, 1000));
    books(&dir, 2);
    let path = dir.join("segment-00000001.openings");
    let sound = fs::read(&path).expect("there");
    let start = Position::start(Variant::Russian);
    let all = [GameSet::first(6)];
    let tree_of =
        |index: &Index| tree(index, &start, &TreeOptions::new().among(&all)).expect("without openings");
    let expected = tree_of(&Index::open(&dir).expect("sound")).moves;
    each_flipped_bit_is_found(&path, |bit, index| {
        assert_eq!(tree_of(index).moves, expected, "bit {bit}");
        assert_eq!(index.unusable_tables(), [path.as_path()], "bit {bit}");
    });
    for_every_shorter_length(&path, |len| {
        let index = Index::open(&dir).expect("sound");
        assert!(index.openings(0).expect("not needed").is_none(), "cut to {len}");
        assert_eq!(index.unusable_tables(), [path.as_path()], "cut to {len}");
    });
    // Damaged openings are found again.
    assert_eq!(books(&dir, 2).openings, 1);
    assert!(fs::read(&path).expect("there") == sound);
}

#[test]
fn readers_never_panic_on_forged_openings() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(47, 30, &[Variant::International]))], &dir, &options(1, 1000));
    books(&dir, 5);
    let path = dir.join("segment-00000001.openings");
    let sound = fs::read(&path).expect("there");
    let start = Position::start(Variant::International);
    let all = [GameSet::first(30)];
    let directory = number_at(&sound, sound.len() - 80);
    let openings_end = number_at(&sound, directory + 8);
    let pieces = [(64..openings_end, directory + 16), (openings_end..directory, directory + 40)];
    let mut answers = 0;
    for at in 64..directory {
        fs::write(&path, forged(&sound, at, &pieces, 80)).expect("written");
        let index = Index::open(&dir).expect("sound");
        answers += usize::from(tree(&index, &start, &TreeOptions::new().among(&all)).is_ok());
        if at % 20 == 0 {
            let problems = verified(&dir).problems;
            assert!(problems.iter().any(|found| found.path == path), "{at}");
        }
    }
    assert!(answers > 0);
}

#[test]
fn readers_never_panic_on_forged_books() {
    let temp = TestFolder::new();
    let dir = temp.path("index");
    index(&[temp.file("a.pdn", archive(47, 30, &[Variant::International]))], &dir, &options(1, 1000));
    books(&dir, 5);
    let path = dir.join("segment-00000001.book");
    let sound = fs::read(&path).expect("there");
    let start = Position::start(Variant::International);
    let directory = number_at(&sound, sound.len() - 88);
    assert_eq!(sound.len() - 88 - directory, 24, "one block");
    let pieces = [(64..directory, directory + 16)];
    let mut answers = 0;
    for at in 64..directory {
        fs::write(&path, forged(&sound, at, &pieces, 88)).expect("written");
        answers += usize::from(tree(&Index::open(&dir).expect("sound"), &start, &TreeOptions::new()).is_ok());
        if at % 40 == 0 {
            let problems = verified(&dir).problems;
            assert!(
                problems
                    .iter()
                    .any(|found| found.path == path && found.problem.contains("not those of the games"))
            );
        }
    }
    assert!(answers > 0);
}
