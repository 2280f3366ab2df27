//! Files to which games were added: the index is that of the whole file.

use super::*;

/// Removes all GameType tags, so that the variant is inferred from the first games of the file.
fn without_game_types(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("[GameType")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn grown_file_without_game_types_has_the_variants_of_the_whole_file() {
    let temp = TestFolder::new();
    for variant in [Variant::Frisian, Variant::Brazilian, Variant::Canadian] {
        let text = without_game_types(&archive(60, 40, &[variant]));
        // In the last game, only moves that are legal in several variants.
        let opening = match variant {
            Variant::Brazilian => "c3-d4 b6-a5",
            Variant::Canadian => "47-41 26-32",
            _ => "32-28 19-24",
        };
        let more = format!("[White \"x\"]\n\n1. {opening} *\n\n");
        let path = temp.file(&format!("{variant}.pdn"), &text);
        let [grown, fresh] = ["grown", "fresh"].map(|name| temp.path(&format!("{variant} {name}")));
        let mut options = options(1, 1000);
        options.append = true;
        index(std::slice::from_ref(&path), &grown, &options);
        fs::write(&path, text + &more.repeat(3)).expect("written");
        let summary = index(std::slice::from_ref(&path), &grown, &options);
        assert_eq!((summary.games, summary.replaced), (3, 0), "the games before are not read again");
        index(&[path], &fresh, &options);
        let contents = |dir| contents(&Index::open(dir).expect("opened")).expect("sound");
        assert_eq!(contents(grown), contents(fresh.clone()));
        let index = Index::open(&fresh).expect("opened");
        let last = index.games().last().expect("games").row().expect("sound");
        assert_eq!((last.kind.variant, last.kind.basis), (variant, VariantBasis::File));
    }
}

/// Indexes a file, adds games to it and indexes it again. Returns the summary of the second import, after a comparison with an
/// index of the whole file.
#[track_caller]
fn index_grown(first: &[u8], more: &[u8]) -> ImportSummary {
    let temp = TestFolder::new();
    let path = temp.file("games.pdn", first);
    let [grown, fresh] = ["grown", "fresh"].map(|name| temp.path(name));
    let mut options = options(1, 1000);
    options.append = true;
    index(std::slice::from_ref(&path), &grown, &options);
    fs::write(&path, [first, more].concat()).expect("written");
    let summary = index(std::slice::from_ref(&path), &grown, &options);
    index(&[path], &fresh, &options);
    let contents = |dir| contents(&Index::open(dir).expect("opened")).expect("sound");
    if summary.replaced == 0 {
        // In the order of their numbers.
        assert_eq!(contents(grown.clone()), contents(fresh.clone()));
    }
    let [grown, fresh] = [grown, fresh].map(|dir| Index::open(dir).expect("opened"));
    assert_eq!(grown.games().count(), fresh.games().count());
    let inputs =
        |index: &Index| index.inputs().iter().filter(|input| !input.is_retired).cloned().collect::<Vec<_>>();
    assert_eq!(inputs(&grown)[0].decoder, inputs(&fresh)[0].decoder);
    summary
}

#[test]
fn games_keep_their_numbers_if_only_the_games_added_to_their_file_have_accents() {
    let game = |white: &str, date: &str| {
        format!("[White \"{white}\"]\n[Date \"{date}\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-1\n\n")
    };
    let ascii = [game("Ames", "2003.05.01"), game("Bell", "2004.05.01")].concat();
    // As Windows-1251, which is the encoding of the file from now on.
    let more = b"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-1\n\n";
    let summary = index_grown(ascii.as_bytes(), &more.repeat(3));
    assert_eq!((summary.games, summary.replaced), (3, 0));
    // Games of one encoding in any file keep their numbers too.
    let utf8 = [game("Čížov", "2003.05.01"), ascii].concat();
    let summary = index_grown(utf8.as_bytes(), &more.repeat(3));
    assert_eq!((summary.games, summary.replaced), (3, 0));
    // A name of one letter is read as most of the file.
    let doubtful = b"[White \"\xC8.\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-1\n\n";
    let summary = index_grown(doubtful, &more.repeat(3));
    assert_eq!((summary.games, summary.replaced), (4, 1));
}

#[test]
fn games_keep_their_numbers_if_only_the_games_added_to_their_file_can_be_played() {
    let illegal = b"[White \"Ames\"]\n[GameType \"20\"]\n\n1. 32-28 32-28 0-2\n\n";
    let legal = b"[White \"Bell\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-1\n\n";
    let summary = index_grown(illegal, legal);
    assert_eq!((summary.games, summary.replaced), (1, 0));
    // A game without a tag may be of another variant now.
    let untagged = b"[White \"Ames\"]\n\n1. 32-28 32-28 0-2\n\n";
    let summary = index_grown(untagged, legal);
    assert_eq!((summary.games, summary.replaced), (2, 1));
}

#[test]
fn games_keep_their_numbers_unless_the_games_added_to_their_file_show_how_their_dates_are_written() {
    let game = |date: &str| {
        format!("[White \"Ames\"]\n[Date \"{date}\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-1\n\n")
            .into_bytes()
    };
    let summary = index_grown(&game("07/07/1999"), &game("25/04/1999"));
    assert_eq!((summary.games, summary.replaced), (1, 0));
    let summary = index_grown(&game("07/04/1999"), &game("25/04/1999"));
    assert_eq!((summary.games, summary.replaced), (2, 1));
}
