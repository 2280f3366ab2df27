//! Duplicates: planted copies are found, look-alikes are not, and the fast way agrees with the definition.

mod generated;
mod naive;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

use pdn::error::ErrorKind;
use pdn::stop::Stop;
use pdn_dedup::{
    DedupOptions, DuplicateClass, Duplicates, KeepRule, KeeperReason, MIN_COMMON_PLIES, find_duplicates,
};
use pdn_index::{ImportOptions, Index, import};

use generated::{GameText, copies_and_look_alikes, problems};
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
    for (seed, keep, forms) in [
        (2, KeepRule::Best, [false, false, true]),
        (3, KeepRule::First, [true, false, false]),
        (4, KeepRule::Last, [false, true, true]),
        (5, KeepRule::Best, [true, true, false]),
    ] {
        let mut planted = copies_and_look_alikes(14, seed);
        planted.extend(problems(150, seed));
        // Some records are repeated byte for byte, also records without moves and damaged ones.
        for moves in ["", "1. 32-28 99-1", "{no moves}"] {
            let text =
                format!("[White \"Clerc, R.\"]\n[Event \"{seed}\"]\n[GameType \"20\"]\n\n{moves} *\n\n");
            planted.push(GameText { text, game: 0, copy_of: None });
        }
        planted.extend(planted.iter().rev().step_by(3).cloned().collect::<Vec<_>>());
        planted.extend(planted.iter().rev().step_by(5).cloned().collect::<Vec<_>>());
        // Copies may come before their originals.
        fastrand::Rng::with_seed(crate::common::seed(seed)).shuffle(&mut planted);
        let text: String = planted.iter().map(|game: &GameText| game.text.as_str()).collect();
        let folder = tempfile::tempdir().unwrap();
        let index = index_of(folder.path(), "games", &text);
        let expected = naive_duplicates(&index, keep, forms);
        for (threads, memory) in [(1, 1 << 20), (3, 1 << 20), (2, 100)] {
            let options = DedupOptions::new()
                .keep(keep)
                .flipped(forms[0])
                .mirrored(forms[1])
                .shifted(forms[2])
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
        let is_same_position = |pair: &&(u64, u64, DuplicateClass)| pair.2 == DuplicateClass::SamePosition;
        assert!(expected.iter().filter(is_same_position).count() > 10);
        let shifted = expected.iter().filter(|pair| pair.2 == DuplicateClass::ShiftedPosition).count();
        assert_eq!(shifted > 0, forms[2], "{shifted}");
    }
}

#[test]
fn memory_makes_no_difference_with_an_index() {
    let mut planted = copies_and_look_alikes(14, 5);
    planted.extend(problems(40, 5));
    fastrand::Rng::with_seed(crate::common::seed(5)).shuffle(&mut planted);
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
fn records_without_moves_are_exact_only_if_their_text_is_the_same() {
    let problem = |solution: &str| {
        format!("[Event \"Problem\"]\n[GameType \"20\"]\n[FEN \"W:W31,32:B1,2\"]\n\n{{{solution}}} *\n\n")
    };
    assert_eq!(class_of(&(problem("31-27") + &problem("31-26"))), Some(DuplicateClass::SamePosition));
    assert_eq!(class_of(&(problem("31-27") + &problem("31-27"))), Some(DuplicateClass::Exact));
    assert_eq!(class_of("[Event \"a\"]\n*\n\n[Event \"b\"]\n*\n\n"), None);
}

/// A record with a position of its own.
fn problem(tags: &str, fen: &str, moves: &str) -> String {
    game(&format!("{tags}[FEN \"{fen}\"]"), moves)
}

#[test]
fn problems_with_one_position_are_found_whatever_their_tags_and_solutions_are() {
    let position = "W:W31,32:B1,2";
    let first = problem("[Event \"Book\"]\n", position, "");
    for (other, expected) in [
        (problem("[Event \"Magazine\"]\n", position, ""), Some(DuplicateClass::SamePosition)),
        (problem("", "W:WK31,32:B1,2", ""), None),
        (problem("", "B:W31,32:B1,2", ""), None),
        (problem("[White \"Viergever, J.\"]\n", position, "31-26"), Some(DuplicateClass::SamePosition)),
        (
            problem("[White \"White\"]\n[Black \"Black\"]\n", position, "31-26"),
            Some(DuplicateClass::SamePosition),
        ),
        // A set position from which two persons played.
        (problem("[White \"Clerc\"]\n[Black \"Wiersma\"]\n", position, "31-26"), None),
        // The solution would be lost with the record.
        (problem("", position, "31-26 50-1"), None),
        // Another position follows.
        (problem("", position, "/FEN \"W:W33:B1\"/"), None),
    ] {
        assert_eq!(class_of(&(first.clone() + &other)), expected, "{other}");
        assert_eq!(class_of(&(other.clone() + &first)), expected, "{other}");
    }
    // A position in the movetext, and other square names.
    let other = "[GameType \"20,W,10,10,A0,0\"]\n\n/FEN \"W:Wb4,d4:Bb10,d10\"/ *\n\n";
    assert_eq!(class_of(&(first + other)), Some(DuplicateClass::SamePosition), "{other}");
}

#[test]
fn solutions_with_equal_moves_can_be_removed() {
    let of = |event: &str| problem(&format!("[Event \"{event}\"]\n"), "W:W31,32:B1,2", "31-26 1-6");
    let folder = tempfile::tempdir().unwrap();
    let index = index_of(folder.path(), "games", &(of("Book") + &of("Magazine")));
    let duplicates = find_duplicates(&index, None, &DedupOptions::new()).unwrap();
    assert!(duplicates.is_other(DuplicateClass::SamePosition, 1), "the class has games to leave out");
    assert_eq!(
        duplicates.counts(DuplicateClass::SameMoves).others,
        0,
        "and another one does not report them again"
    );
}

#[test]
fn usual_start_position_makes_no_copies() {
    let of = |tags: &str, fen: &str| problem(tags, fen, "");
    for fen in ["W:W31-50:B1-20", "B:W31-50:B1-20"] {
        assert_eq!(class_of(&(of("[Event \"a\"]\n", fen) + &of("[Event \"b\"]\n", fen))), None, "{fen}");
    }
}

#[test]
fn turned_and_mirrored_problems_are_one_position_only_if_that_is_asked_for() {
    let of = |game_type: u16, fen: &str| format!("[GameType \"{game_type}\"]\n[FEN \"{fen}\"]\n\n*\n\n");
    let international = [of(20, "W:W31,K32:B1"), of(20, "B:W50:B20,K19")];
    // On a board with 64 squares, 57 and 64 are the corners of the last row.
    let turkish =
        [of(30, "W:Wa1,Kb2:Bc7"), of(30, "W:Wh1,Kg2:Bf7"), of(30, "B:Wf2:Bh8,Kg7"), of(30, "B:Wc2:Ba8,Kb7")];
    // Squares that are left and right of each other on no board with dark squares.
    let not_mirrored = [of(20, "W:W31:B20"), of(20, "W:W35:B16")];
    for (text, flipped, mirrored, expected) in [
        (international.concat(), false, true, 0),
        (international.concat(), true, false, 1),
        (turkish.concat(), false, false, 0),
        (turkish.concat(), true, false, 2),
        (turkish.concat(), false, true, 2),
        (turkish.concat(), true, true, 3),
        (not_mirrored.concat(), true, true, 0),
    ] {
        let options = DedupOptions::new().flipped(flipped).mirrored(mirrored);
        let found = found(&text, &options);
        assert_eq!(found.len(), expected, "{text} {flipped} {mirrored}: {found:?}");
        assert!(found.iter().all(|pair| pair.2 == DuplicateClass::SamePosition), "{found:?}");
    }
}

#[test]
fn problems_of_the_known_index_are_always_keepers() {
    let of = |event: &str, moves: &str| problem(&format!("[Event \"{event}\"]\n"), "W:W31,32:B1,2", moves);
    let folder = tempfile::tempdir().unwrap();
    let known = index_of(folder.path(), "known", &(of("a", "") + &of("b", "31-26")));
    let new = index_of(folder.path(), "new", &of("c", "32-28 1-6"));
    let duplicates = find_duplicates(&new, Some(&known), &DedupOptions::new()).unwrap();
    let groups: Vec<_> = duplicates.into_groups().map(Result::unwrap).collect();
    assert_eq!((groups.len(), groups[0].keeper.is_new, groups[0].keeper.game), (1, false, 0), "{groups:?}");
    assert_eq!((groups[0].others.len(), groups[0].others[0].kept_because), (1, KeeperReason::Indexed));
}

#[test]
fn text_that_decides_which_problem_stays_must_be_readable() {
    let folder = tempfile::tempdir().unwrap();
    let text = problem("[Event \"a\"]\n", "W:W31:B1", "") + &problem("", "W:W31:B1", "31-26");
    let index = index_of(folder.path(), "games", &text);
    std::fs::remove_file(folder.path().join("games.pdn")).unwrap();
    assert!(find_duplicates(&index, None, &DedupOptions::new()).is_err());
    assert!(find_duplicates(&index, None, &DedupOptions::new().keep(KeepRule::First)).is_ok());
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
fn work_is_linear_in_problems_with_one_position() {
    let steps = |records: usize| {
        let of = |n: usize| {
            problem(
                &format!("[Event \"{n}\"]\n"),
                "W:W31,32:B1,2",
                ["", "31-26", "31-26 1-6", "{easy}"][n % 4],
            )
        };
        let text: String = (0..records).map(of).collect();
        let folder = tempfile::tempdir().unwrap();
        let index = index_of(folder.path(), "games", &text);
        let before = pdn_rules::internal::steps::count();
        let options = DedupOptions::new().threads(NonZeroUsize::MIN).flipped(true);
        let duplicates = find_duplicates(&index, None, &options).unwrap();
        assert_eq!(duplicates.counts(DuplicateClass::SamePosition).others, records as u64 - 1);
        pdn_rules::internal::steps::count().unwrap_or(0) - before.unwrap_or(0)
    };
    let (few, many) = (steps(1_000), steps(3_000));
    assert!(many < 5 * few, "{few} steps for 1,000 problems, {many} for 3,000");
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
        let before = pdn_rules::internal::steps::count();
        let options = DedupOptions::new().threads(NonZeroUsize::MIN);
        let duplicates = find_duplicates(&index, None, &options).unwrap();
        assert!(duplicates.counts(DuplicateClass::SameMoves).others > games as u64 / 2);
        pdn_rules::internal::steps::count().unwrap_or(0) - before.unwrap_or(0)
    };
    // Comparing all pairs would take nine times the steps.
    let (few, many) = (steps(1_000), steps(3_000));
    assert!(many < 5 * few, "{few} steps for 1,000 games, {many} for 3,000");
}
