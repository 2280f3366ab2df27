//! Duplicates: planted copies are found, look-alikes are not, and the fast way agrees with the definition.

mod generated;
mod naive;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

use pdn::dedup::{
    DedupOptions, DuplicateClass, Duplicates, KeepRule, KeeperReason, MIN_COMMON_PLIES, find_duplicates,
};
use pdn::error::ErrorKind;
use pdn::index::{ImportOptions, Index, import};
use pdn::stop::Stop;

use generated::{GameText, copies_and_look_alikes};
use naive::naive_duplicates;

/// Keeper, other game and class.
type Found = BTreeSet<(u64, u64, DuplicateClass)>;

fn index_of(folder: &Path, name: &str, text: &str) -> Index {
    let (file, dir) = (folder.join(format!("{name}.pdn")), folder.join(format!("{name}.idx")));
    std::fs::write(&file, text).unwrap();
    import([&file], &dir, &ImportOptions::new()).unwrap();
    Index::open(dir).unwrap()
}

fn pairs(duplicates: Duplicates<'_>) -> Found {
    let mut pairs = Found::new();
    for group in duplicates.into_groups() {
        let group = group.unwrap();
        pairs.extend(group.others.iter().map(|other| (group.keeper.game, other.game.game, group.class)));
    }
    pairs
}

fn found(text: &str, options: &DedupOptions) -> Found {
    let folder = tempfile::tempdir().unwrap();
    pairs(find_duplicates(&index_of(folder.path(), "games", text), None, options).unwrap())
}

/// Returns the text of games, and the class of the only pair that is found among them.
#[track_caller]
fn class_of(text: &str) -> Option<DuplicateClass> {
    let found = found(text, &DedupOptions::new());
    assert!(found.len() <= 1, "{found:?}");
    found.first().map(|&(_, _, class)| class)
}

#[test]
fn comparison_that_is_stopped_fails_as_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let planted: String = copies_and_look_alikes(5, 1).into_iter().map(|game| game.text).collect();
    let index = index_of(folder.path(), "games", &planted);
    let stop = Stop::new();
    let options = DedupOptions::new().stop(&stop);
    assert!(find_duplicates(&index, None, &options).is_ok());
    stop.request();
    let error = find_duplicates(&index, None, &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Stopped), "{error}");
}

#[test]
fn planted_copies_are_found_and_look_alikes_are_not() {
    let planted = copies_and_look_alikes(60, 1);
    let text: String = planted.iter().map(|game| game.text.as_str()).collect();
    let found = found(&text, &DedupOptions::new());
    let duplicates: BTreeSet<u64> = found
        .iter()
        .filter(|(_, _, class)| *class != DuplicateClass::SameMoves)
        .map(|&(_, other, _)| other)
        .collect();
    let of = |number: u64| &planted[number as usize];
    for &(keeper, other, class) in &found {
        let is_right = class == DuplicateClass::SameMoves || of(keeper).game == of(other).game;
        assert!(is_right, "{class:?}:\n{}{}", of(keeper).text, of(other).text);
    }
    // Of each game that stands in the text several times, all records but one are found.
    let (mut copies, mut recalled) = (0, 0);
    for (number, game) in (0..).zip(&planted) {
        if game.copy_of.is_some() {
            copies += 1;
            let original = game.copy_of.unwrap_or(0);
            let is_found = duplicates.contains(&number)
                || found.iter().any(|&(keeper, other, _)| keeper == number && other == original);
            recalled += usize::from(is_found);
        }
    }
    assert!(copies >= 300, "{copies}");
    assert!(recalled * 100 >= copies * 97, "{recalled} of {copies}");
}

#[test]
fn fast_way_equals_all_pairs() {
    for (seed, keep) in [(2, KeepRule::Best), (3, KeepRule::First), (4, KeepRule::Last)] {
        let mut planted = copies_and_look_alikes(14, seed);
        // Some records are repeated byte for byte, also records without moves and damaged ones.
        for moves in ["", "1. 32-28 99-1", "{no moves}"] {
            let text =
                format!("[White \"Clerc, R.\"]\n[Event \"{seed}\"]\n[GameType \"20\"]\n\n{moves} *\n\n");
            planted.push(GameText { text, game: 0, copy_of: None });
        }
        planted.extend(planted.iter().rev().step_by(3).cloned().collect::<Vec<_>>());
        planted.extend(planted.iter().rev().step_by(5).cloned().collect::<Vec<_>>());
        // Copies may come before their originals.
        fastrand::Rng::with_seed(seed).shuffle(&mut planted);
        let text: String = planted.iter().map(|game: &GameText| game.text.as_str()).collect();
        let folder = tempfile::tempdir().unwrap();
        let index = index_of(folder.path(), "games", &text);
        let expected = naive_duplicates(&index, keep);
        for (threads, memory) in [(1, 1 << 20), (3, 1 << 20), (2, 100)] {
            let options = DedupOptions::new()
                .keep(keep)
                .threads(NonZeroUsize::new(threads).unwrap())
                .memory(memory)
                .folder(folder.path());
            let duplicates = find_duplicates(&index, None, &options).unwrap();
            let sum: u64 = DuplicateClass::ALL.iter().map(|&class| duplicates.counts(class).others).sum();
            let found = pairs(duplicates);
            assert_eq!(sum, found.len() as u64);
            assert_eq!(found, expected, "{keep:?}, {threads} threads, {memory} bytes");
        }
        assert!(expected.len() > 100);
    }
}

#[test]
fn memory_makes_no_difference_with_an_index() {
    let mut planted = copies_and_look_alikes(14, 5);
    fastrand::Rng::with_seed(5).shuffle(&mut planted);
    let (known, new) = planted.split_at(planted.len() * 2 / 3);
    let text = |games: &[GameText]| games.iter().map(|game| game.text.as_str()).collect::<String>();
    let folder = tempfile::tempdir().unwrap();
    let known = index_of(folder.path(), "known", &text(known));
    let new = index_of(folder.path(), "new", &text(new));
    // With little memory, hashes leave out next to no game.
    let [little, much] = [100, 1 << 20].map(|memory| {
        let options = DedupOptions::new().memory(memory).folder(folder.path());
        let groups = find_duplicates(&new, Some(&known), &options).unwrap().into_groups();
        groups.map(Result::unwrap).collect::<Vec<_>>()
    });
    assert!(little.iter().filter(|group| !group.keeper.is_new).count() > 20);
    assert_eq!(little, much);
}

/// Twenty plies.
const OPENING: &str = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 34-29 23x34 \
                       7. 40x29 10-14 8. 45-40 20-25 9. 50-45 18-23 10. 29x18 12x23";

fn game(tags: &str, moves: &str) -> String {
    format!("{tags}\n[GameType \"20\"]\n\n{moves} *\n\n")
}

fn players(white: &str, black: &str, more: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n{more}")
}

#[test]
fn equal_moves_of_players_who_can_be_the_same_are_exact() {
    let of = |tags: &str| game(tags, OPENING);
    let known = of(&players("Wiersma, H.", "Sijbrands, T.", "[Date \"1978.03.01\"]\n"));
    for (tags, expected) in [
        (players("Harm Wiersma", "T. Sijbrands", ""), DuplicateClass::Exact),
        (players("?", "?", ""), DuplicateClass::Exact),
        (String::from("[Event \"x\"]\n"), DuplicateClass::Exact),
        // Dates of long games with equal moves may be mistakes, and the reason names them.
        (players("Wiersma", "Sijbrands", "[Date \"1979.03.01\"]\n"), DuplicateClass::Exact),
        (players("Wiersma, H.", "Clerc, R.", ""), DuplicateClass::SameMoves),
        (players("Sijbrands, T.", "Wiersma, H.", ""), DuplicateClass::SameMoves),
    ] {
        assert_eq!(class_of(&(known.clone() + &of(&tags))), Some(expected), "{tags}");
    }
}

#[test]
fn short_games_that_tags_tell_apart_only_share_their_moves() {
    let of =
        |more: &str| game(&players("Wiersma, H.", "Sijbrands, T.", more), "1. 32-28 19-23 2. 28x19 14x23");
    let dated = of("[Date \"1978.03.01\"]\n[Round \"3\"]\n[Event \"WK 1978\"]\n");
    for (more, expected) in [
        ("", DuplicateClass::Exact),
        ("[Date \"1978.??.??\"]\n[Round \"3.1\"]\n[Event \"WK 1978, Arco\"]\n", DuplicateClass::Exact),
        ("[Date \"1978.03.02\"]\n", DuplicateClass::SameMoves),
        ("[Round \"4\"]\n", DuplicateClass::SameMoves),
        ("[Event \"WK 1980\"]\n", DuplicateClass::SameMoves),
    ] {
        assert_eq!(class_of(&(dated.clone() + &of(more))), Some(expected), "{more}");
    }
}

#[test]
fn addresses_of_two_games_on_one_server_tell_them_apart() {
    let of = |site: &str, moves: &str| {
        game(
            &players(
                "a-fast-player",
                "b-fast-player",
                &format!("[Site \"{site}\"]\n[Date \"2026.04.17\"]\n"),
            ),
            moves,
        )
    };
    let longer = format!("{OPENING} 11. 33-28");
    let another = format!("{OPENING} 11. 31-27");
    for (moves, other, same) in [
        (OPENING, OPENING, DuplicateClass::Exact),
        (OPENING, longer.as_str(), DuplicateClass::Prefix),
        (another.as_str(), longer.as_str(), DuplicateClass::Near),
    ] {
        let first = of("https://lidraughts.org/dsAsuuRd", moves);
        assert_eq!(class_of(&(first.clone() + &of("https://lidraughts.org/dsAsuuRd", other))), Some(same));
        let class = class_of(&(first + &of("https://lidraughts.org/aam81riJ", other)));
        assert_eq!(class, (same == DuplicateClass::Exact).then_some(DuplicateClass::SameMoves));
    }
}

#[test]
fn game_that_begins_another_is_prefix_unless_tags_contradict() {
    let longer = format!("{OPENING} 11. 33-28");
    let of = |more: &str, moves: &str| game(&players("Wiersma, H.", "Sijbrands, T.", more), moves);
    let whole = of("[Date \"1978.03.01\"]\n[Round \"3\"]\n", &longer);
    for (more, expected) in [
        ("", Some(DuplicateClass::Prefix)),
        ("[Date \"1978\"]\n", Some(DuplicateClass::Prefix)),
        ("[Date \"1979.03.01\"]\n", None),
        ("[Round \"4\"]\n", None),
        // The date is a day off, so the moves are only near.
        ("[Date \"1978.03.02\"]\n", Some(DuplicateClass::Near)),
    ] {
        assert_eq!(class_of(&(whole.clone() + &of(more, OPENING))), expected, "{more}");
    }
    let nineteen = OPENING.strip_suffix(" 12x23").unwrap();
    assert_eq!(class_of(&(whole + &of("", nineteen))), None, "fewer than {MIN_COMMON_PLIES} plies");
}

#[test]
fn games_that_contradict_each_other_are_not_united_by_a_third() {
    let longer = format!("{OPENING} 11. 33-28");
    let of = |more: &str, moves: &str| game(&players("Wiersma, H.", "Sijbrands, T.", more), moves);
    // The game without a date begins both others, which are of different years.
    let text = of("[Date \"1978\"]\n", &format!("{longer} 13-18"))
        + &of("[Date \"1988\"]\n", &longer)
        + &of("", OPENING);
    assert_eq!(
        found(&text, &DedupOptions::new()),
        Found::from([(0, 2, DuplicateClass::Prefix)]),
        "the second game stays"
    );
}

#[test]
fn records_without_moves_are_duplicates_only_if_their_text_is_the_same() {
    let problem = |solution: &str| {
        format!("[Event \"Problem\"]\n[GameType \"20\"]\n[FEN \"W:W31,32:B1,2\"]\n\n{{{solution}}} *\n\n")
    };
    assert_eq!(class_of(&(problem("31-27") + &problem("31-26"))), None);
    assert_eq!(class_of(&(problem("31-27") + &problem("31-27"))), Some(DuplicateClass::Exact));
    assert_eq!(class_of("[Event \"a\"]\n*\n\n[Event \"b\"]\n*\n\n"), None);
}

#[test]
fn damaged_game_is_exact_only_if_the_rest_of_its_text_is_the_same() {
    let of = |rest: &str| game(&players("Wiersma, H.", "Sijbrands, T.", ""), &format!("{OPENING} {rest}"));
    let damaged = of("11. 50-1 1-50");
    assert_eq!(class_of(&(damaged.clone() + &damaged)), Some(DuplicateClass::Exact));
    assert_eq!(class_of(&(damaged.clone() + &of("11. 49-1"))), Some(DuplicateClass::Prefix));
    // The legal game stays although it has fewer moves.
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), "games", &(of("11. 33-28 50-1") + &of("")));
    let duplicates = find_duplicates(&index, None, &DedupOptions::new()).unwrap();
    let groups: Vec<_> = duplicates.into_groups().map(Result::unwrap).collect();
    assert_eq!((groups.len(), groups[0].keeper.game, groups[0].class), (1, 1, DuplicateClass::Prefix));
    assert_eq!(groups[0].others[0].kept_because, KeeperReason::Legal);
}

#[test]
fn keeper_is_the_game_that_says_more() {
    let of = |more: &str, notes: &str| {
        game(&players("Wiersma, H.", "Sijbrands, T.", more), &format!("{OPENING} {notes}"))
    };
    let reason = |text: String, keep: KeepRule| {
        let folder = tempfile::tempdir().unwrap();
        let index = index_of(folder.path(), "games", &text);
        let duplicates = find_duplicates(&index, None, &DedupOptions::new().keep(keep)).unwrap();
        let groups: Vec<_> = duplicates.into_groups().map(Result::unwrap).collect();
        (groups[0].keeper.game, groups[0].others[0].kept_because)
    };
    let plain = of("", "");
    let tagged = of("[Event \"WK\"]\n[Round \"?\"]\n", "");
    let noted = of("", "{quiet}");
    assert_eq!(reason(plain.clone() + &tagged, KeepRule::Best), (1, KeeperReason::MoreTags { tags: [4, 3] }));
    assert_eq!(
        reason(plain.clone() + &noted, KeepRule::Best),
        (1, KeeperReason::MoreNotes { notes: [1, 0] })
    );
    // A comment would be lost with its record, a tag can be given to another one.
    assert_eq!(
        reason(tagged.clone() + &noted, KeepRule::Best),
        (1, KeeperReason::MoreNotes { notes: [1, 0] })
    );
    assert_eq!(reason(plain.repeat(2), KeepRule::Best), (0, KeeperReason::First));
    assert_eq!(reason(plain.clone() + &tagged, KeepRule::First), (0, KeeperReason::First));
    assert_eq!(reason(tagged + &plain, KeepRule::Last), (1, KeeperReason::Last));
}

#[test]
fn games_of_the_known_index_are_always_keepers() {
    let of = |more: &str| game(&players("Wiersma, H.", "Sijbrands, T.", more), OPENING);
    let other = game(&players("Clerc, R.", "Chizhov, A.", ""), &format!("{OPENING} 11. 31-27 6-11"));
    let folder = tempfile::tempdir().unwrap();
    let known = index_of(folder.path(), "known", &of("").repeat(2));
    let new = index_of(folder.path(), "new", &(other.clone() + &of("[Event \"WK\"]\n") + &other));
    let duplicates = find_duplicates(&new, Some(&known), &DedupOptions::new()).unwrap();
    assert!(duplicates.is_other(DuplicateClass::Exact, 1) && duplicates.is_other(DuplicateClass::Exact, 2));
    assert!(!duplicates.is_other(DuplicateClass::Exact, 0));
    let groups: Vec<_> = duplicates.into_groups().map(Result::unwrap).collect();
    assert_eq!(groups.len(), 2, "{groups:?}");
    assert!(!groups[0].keeper.is_new && groups[0].others.len() == 1);
    assert_eq!(groups[0].others[0].kept_because, KeeperReason::Indexed);
    assert_eq!((groups[1].keeper.is_new, groups[1].keeper.game, groups[1].others[0].game.game), (true, 0, 2));
}

#[test]
fn copies_belong_to_the_first_game_of_the_known_index() {
    let of = |white: &str| game(&players(white, "Sijbrands, T.", ""), OPENING);
    let folder = tempfile::tempdir().unwrap();
    let known = index_of(folder.path(), "known", &(of("Wiersma, H.") + &of("Harm Wiersma").repeat(2)));
    let new = index_of(folder.path(), "new", &of("Harm Wiersma").repeat(3));
    let duplicates = find_duplicates(&new, Some(&known), &DedupOptions::new()).unwrap();
    let groups: Vec<_> = duplicates.into_groups().map(Result::unwrap).collect();
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!((groups[0].keeper.is_new, groups[0].keeper.game), (false, 0));
    assert_eq!(groups[0].others.len(), 3);
}

#[test]
fn work_is_linear_in_equal_short_draws() {
    let steps = |games: usize| {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut name = || -> String { (0..10).map(|_| rng.lowercase()).collect() };
        let mut draw = |_| game(&players(&name(), &name(), ""), "1. 32-28 19-23");
        let text: String = (0..games).map(&mut draw).collect();
        let folder = tempfile::tempdir().unwrap();
        let index = index_of(folder.path(), "games", &text);
        let before = pdn::steps::count();
        let options = DedupOptions::new().threads(NonZeroUsize::MIN);
        let duplicates = find_duplicates(&index, None, &options).unwrap();
        assert!(duplicates.counts(DuplicateClass::SameMoves).others > games as u64 / 2);
        pdn::steps::count().unwrap_or(0) - before.unwrap_or(0)
    };
    // Comparing all pairs would take nine times the steps.
    let (few, many) = (steps(1_000), steps(3_000));
    assert!(many < 5 * few, "{few} steps for 1,000 games, {many} for 3,000");
}
