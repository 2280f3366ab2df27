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
