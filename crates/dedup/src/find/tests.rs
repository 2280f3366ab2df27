//! Units of many games, with limits that small archives reach.

use std::path::Path;

use super::super::{DuplicateClass, DuplicateGroup};
use super::*;
use pdn_index::{ImportOptions, import};

/// Twenty plies.
const OPENING: &str = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 34-29 23x34 \
                       7. 40x29 10-14 8. 45-40 20-25 9. 50-45 18-23 10. 29x18 12x23";

/// Returns different records; many are copies of one game, and some differ in nothing but comments.
fn records() -> Vec<String> {
    let mut records = Vec::new();
    for moves in ["", "1. 32-28 19-23", OPENING, &format!("{OPENING} 11. 31-27 6-11"), "1. 32-28 99-1"] {
        for white in ["", "Wiersma, H.", "Harm Wiersma", "Clerc, R."] {
            for (event, notes) in [("?", ""), ("WK", ""), ("WK", "{quiet}"), ("NK", "{quiet}")] {
                records.push(format!("[White \"{white}\"]\n[Event \"{event}\"]\n\n{moves} {notes} *\n\n"));
            }
        }
    }
    records
}

fn index_of(folder: &Path, name: &str, records: &[String]) -> Index {
    let (file, dir) = (folder.join(format!("{name}.pdn")), folder.join(name));
    std::fs::write(&file, records.concat()).unwrap();
    import([&file], &dir, &ImportOptions::new()).unwrap();
    Index::open(dir).unwrap()
}

fn groups(new: &Index, known: Option<&Index>, keep: KeepRule, limits: UnitLimits) -> Vec<DuplicateGroup> {
    let options = DedupOptions::new().keep(keep).memory(1 << 16);
    let duplicates = find_within(new, known, &options, limits).unwrap();
    let counts = DuplicateClass::ALL.map(|class| duplicates.counts(class));
    let groups: Vec<DuplicateGroup> = duplicates.into_groups().map(Result::unwrap).collect();
    for (class, counts) in DuplicateClass::ALL.into_iter().zip(counts) {
        let of_class = || groups.iter().filter(|group| group.class == class);
        assert_eq!(counts.groups, of_class().count() as u64, "{class:?}");
        assert_eq!(
            counts.others,
            of_class().map(|group| group.others.len() as u64).sum::<u64>(),
            "{class:?}"
        );
    }
    groups
}

#[test]
fn copies_told_apart_belong_to_the_same_keepers() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut all = records();
    all.extend((0..600).map(|_| all[rng.usize(..all.len())].clone()).collect::<Vec<_>>());
    rng.shuffle(&mut all);
    let new = index_of(folder.path(), "new", &all);
    let known = index_of(folder.path(), "known", &[&all[..100]; 2].concat());
    for keep in [KeepRule::Best, KeepRule::First, KeepRule::Last] {
        for known in [None, Some(&known)] {
            let expected = groups(&new, known, keep, UnitLimits::default());
            assert!(expected.iter().map(|group| group.others.len()).sum::<usize>() > 500);
            for copies in [0, 1, 20] {
                let limits = UnitLimits { copies, ..UnitLimits::default() };
                assert_eq!(groups(&new, known, keep, limits), expected, "{keep:?}, {copies} copies");
            }
        }
    }
}

#[test]
fn copies_with_equal_tags_are_found_in_any_part_of_a_large_unit() {
    let folder = tempfile::tempdir().unwrap();
    let all = records();
    let index = index_of(folder.path(), "games", &[&all[..]; 4].concat());
    let others = |games: usize| {
        let limits = UnitLimits { games, equal_games: games, copies: 1 };
        let options = DedupOptions::new().keep(KeepRule::First);
        let duplicates = find_within(&index, None, &options, limits).unwrap();
        let is_other = |game: &u64| duplicates.is_other(DuplicateClass::Exact, *game);
        let repeated = all.len() as u64..index.len();
        assert!(repeated.clone().all(|game| is_other(&game)), "{games} games in a part");
        (0..repeated.start).filter(is_other).count()
    };
    // Copies with other tags are found only in one part with the game that they copy.
    let [one, few, many] = [1, 3, 1000].map(others);
    assert!(one < few && few < many, "{one} {few} {many}");
}

#[test]
fn games_without_a_stored_text_take_no_part_where_it_decides() {
    let folder = tempfile::tempdir().unwrap();
    let game = |moves: &str| format!("[White \"Ames\"]\n\n{moves} *\n\n");
    let [long, short] = [game(OPENING), game("1. 34-30 20-25")];
    let problem = "[GameType \"20\"]\n[FEN \"W:W33:B28,24\"]\n*\n\n";
    // The text of UTF-16 is not that of the file, and is not stored without being asked for.
    let packed = [&*long, &short, problem, &long].concat();
    let utf16: Vec<u8> = packed.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let [first, second] = ["first.pdn", "second.pdn"].map(|name| folder.path().join(name));
    std::fs::write(&first, utf16).unwrap();
    std::fs::write(&second, [&*short, &short, problem, problem].concat()).unwrap();
    let dir = folder.path().join("index");
    import([&first, &second], &dir, &ImportOptions::new()).unwrap();
    let index = Index::open(dir).unwrap();
    let found = |keep: KeepRule| {
        let duplicates = find_duplicates(&index, None, &DedupOptions::new().keep(keep)).unwrap();
        let without_text = duplicates.without_text();
        let groups = duplicates.into_groups().map(|group| {
            let group = group.unwrap();
            let others = group.others.iter().map(|other| other.game.game);
            (group.class, group.keeper.game, others.collect::<Vec<_>>())
        });
        (without_text, groups.collect::<Vec<_>>())
    };
    let exact = DuplicateClass::Exact;
    assert_eq!(found(KeepRule::Best), (4, vec![(exact, 4, vec![5]), (exact, 6, vec![7])]));
    // Without its text, a problem equals no record, but it has the position of the others.
    let same_position = DuplicateClass::SamePosition;
    let all =
        vec![(exact, 0, vec![3]), (exact, 1, vec![4, 5]), (same_position, 2, vec![6]), (exact, 6, vec![7])];
    assert_eq!(found(KeepRule::First), (0, all));
}
