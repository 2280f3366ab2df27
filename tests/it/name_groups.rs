//! Groups of spellings: what joins, what stays apart, and how the work grows.

use std::collections::{BTreeMap, BTreeSet};

use pdn_names::{
    CensusGame, Meeting, NameCensus, NameDoubt, NameGroup, NameGrouping, NameKind, NameUse, group_names,
};

use crate::names::{DIFFERENT, IRREGULAR, SURNAMES};

/// A game of a small archive: White, Black, event, round, date.
type Game = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// Counts the games.
fn census(games: &[Game]) -> NameCensus {
    let mut census = NameCensus::new();
    for &(white, black, event, round, date) in games {
        let mut game = CensusGame::default();
        (game.white, game.black, game.event) = (white, black, event);
        (game.round, game.date) = (round, date);
        game.year = date.get(..4).and_then(|year| year.parse().ok());
        game.has_day = date.len() == 10;
        census.add(&game);
    }
    census
}

fn group(kind: NameKind, names: &[&str]) -> NameGrouping {
    let uses: Vec<_> = names.iter().map(|name| NameUse::new(*name, 1)).collect();
    group_names(kind, &uses)
}

/// The spellings of each group that is certain.
fn certain(groups: &[NameGroup]) -> Vec<Vec<&str>> {
    groups
        .iter()
        .filter(|group| group.doubt.is_none())
        .map(|group| {
            let mut names: Vec<&str> =
                group.spellings.iter().map(|spelling| spelling.name.as_str()).collect();
            names.sort_unstable();
            names
        })
        .collect()
}

/// The doubts between pairs of names, and the names that fit several persons.
fn doubts(groups: &[NameGroup]) -> Vec<(NameDoubt, BTreeSet<&str>)> {
    let doubtful = groups.iter().filter_map(|group| Some((group.doubt?, group)));
    doubtful
        .map(|(doubt, group)| {
            let names = group.spellings.iter().map(|spelling| &spelling.name).chain(&group.candidates);
            (doubt, names.map(String::as_str).collect())
        })
        .collect()
}

#[test]
fn spellings_of_one_player_join() {
    for names in [
        &["Sijbrands, Ton", "T. Sijbrands", "SIJBRANDS T", "Sijbrands,T."][..],
        &["Wal, J. van der", "Jannes van der Wal", "vd Wal, J", "WAL, Jannes van der"],
        &["MF Tinsley", "M Tinsley", "Tinsley, Marion F.", "Marion Tinsley"],
        &["Schwarzman,A.", "Александр Шварцман", "Sjvartsman, A.", "Alexander Shvartsman"],
        &[
            "GMI Sijbrands, T.",
            "Sijbrands, T. (GMI)",
            "Sijbrands, T. 2450",
            "Sijbrands, T. (2450)",
            "Sijbrands, T.",
        ],
        &["Duval, Daniel - ronde 3", "Duval, Daniel - ronde 4", "Duval, Daniel"],
        &["Jansen, J. jr.", "J. Jansen jr"],
        &["Scan 3.1", "SCAN 3.1"],
        &["DC Hijken 2", "dc Hijken 2"],
        &["Čížov, A.", "Cizov, A."],
        &["Wim van der Kooij", "Kooij,van der,W."],
    ] {
        let found = group(NameKind::Player, names);
        let mut expected = names.to_vec();
        expected.sort_unstable();
        assert_eq!(certain(&found.groups), [expected], "{:?}", found.groups);
    }
}

/// Two spellings of one player.
const JOINED: &[(&str, &str)] = &[
    // Apostrophes.
    ("N’Diaye, Macodou", "Ndiaye, Macodou"),
    ("N'Diaye, M.", "NDiaye, M."),
    ("M´Bodj, Abdou", "Mbodj, Abdou"),
    ("N‘Diaye, Macodou", "Macodou Ndiaye"),
    ("O’Brien, Pat", "OBrien, Pat"),
    ("Pat O'Brien", "O`Brien, Pat"),
    ("O'Brien, Pat", "O Brien, Pat"),
    ("D’Arcy, Jean", "Darcy, Jean"),
    ("D'Arcy, Jean", "Jean d’Arcy"),
    ("d'Hondt, Piet", "Piet d’Hondt"),
    ("'t Hart, Kees", "Kees ’t Hart"),
    ("Solov’ëv, A.", "Solovyov, A."),
    // Umlauts and other letters that keyboards lack.
    ("Müller, Hans", "Mueller, Hans"),
    ("Müller, Hans", "Muller, Hans"),
    ("JÜRGENS, Klaus", "Juergens, Klaus"),
    ("Schröder, T.", "Schroeder, T."),
    ("Bäcker, Uwe", "Baecker, Uwe"),
    ("Ko\u{308}rner, Uwe", "Koerner, Uwe"),
    ("Sørensen, Lars", "Soerensen, Lars"),
    ("Sørensen, Lars", "Sorensen, Lars"),
    ("Ågaard, Nils", "Aagaard, Nils"),
    ("Öztürk, Ali", "Oeztuerk, Ali"),
    ("Großmann, F.", "Grossmann, F."),
    ("Łukasz Nowak", "Nowak, Lukasz"),
    ("Norvaišas, Edvardas", "Norvaisas, Edvardas"),
    ("Zālītis, Guntis", "Zalitis, Guntis"),
    ("Núñez, José", "Nunez, Jose"),
    // Dutch `ij`.
    ("Sijbrands, Ton", "Sybrands, Ton"),
    ("IJsbrandy, T.", "Ysbrandy, T."),
    ("Dijkstra, K.", "K. Dykstra"),
    ("Thijssen, Kees", "Thyssen, Kees"),
    ("Groenendijk, Jan", "Groenendyk, Jan"),
    // Slavic names in Latin letters, of which the archive has no Cyrillic spelling.
    ("Gantwarg, Anatoli", "Gantvarg, Anatoly"),
    ("Gantwarg, A.", "Gantvarg, A."),
    ("Tsjizjov, Aleksej", "Chizhov, Alexey"),
    ("Tchijov, Alexeï", "Czyżow, Aleksiej"),
    ("Chizhov, Alexei", "Chizhov, Aleksej"),
    ("Baljakin, Alexander", "Baliakine, Alexandre"),
    ("Balyakin, A.", "Baliakine, A."),
    ("Baliakin, A.", "Baliakine, A."),
    ("Anikeev, Yuri", "Anikejev, Joeri"),
    ("Andreiko, Andris", "Andrejko, Andris"),
    ("Wejcman, Boris", "Veitsman, Boris"),
    ("Kouperman, Iser", "Koeperman, Iser"),
    ("Georgiev, Nikolai", "Gueorguiev, Nikolaï"),
    ("Mogiljanski, S.", "Mogilianski, S."),
    ("Litvak, P.", "Litwak, P."),
    ("Podolski, Marcin", "Podolsky, Marcin"),
    // Cyrillic, also Ukrainian and Belarusian.
    ("Чижов Алексей", "Tsjizjov, Aleksej"),
    ("Гантварг А.", "Gantwarg, A."),
    ("Балякин А.", "Baliakine, A."),
    ("Вирный В.", "Wirny, V."),
    ("Дашков Д.", "Dashkov, D."),
    ("Шевчук О.", "Szewczuk, O."),
    ("Шевченко Сергій", "Shevchenko, Serhii"),
    ("Анікєєв Юрій", "Anikeev, Yuri"),
    ("Шаўчук Аляксандр", "Šaŭčuk, Aliaksandr"),
    // Middle initials, order, hyphens and particles.
    ("Marion F. Tinsley", "Tinsley, Marion F."),
    ("Marion F. Tinsley", "Tinsley, Marion"),
    ("Marion F. Tinsley", "Tinsley, M. F."),
    ("Marion F. Tinsley", "M. Tinsley"),
    ("Jean-Marc Ndjofang", "Ndjofang, Jean Marc"),
    ("Dubois, J.-P.", "Jean-Pierre Dubois"),
    ("Jannes vd Wal", "Wal, Jannes van der"),
    ("Jannes v.d. Wal", "Van der Wal, Jannes"),
    ("Dollekamp, G. ten", "Gerrit ten Dollekamp"),
];

/// Names of two players.
const APART: &[(&str, &str)] = &[
    ("Jansen, Jan", "Jansen, Piet"),
    ("Jansen, J.", "Jansen, P."),
    ("Wiersma, Harm", "Wiersma, Hans"),
    ("Georgiev, Alexander", "Georgiev, Nikolai"),
    ("Georgiev, Valentin", "Georgiev, Valentine"),
    ("Ivanov, Ilya", "Ivanov, Yuri"),
    ("Иванов А.", "Ivanova, A."),
    ("Kuznetsov, Sergey", "Kuznetsova, Sergey"),
    ("Jansen, Jan jr.", "Jansen, Jan sr."),
    // The letter of an apostrophe is no initial.
    ("O'Brien, P.", "Brien, P."),
    ("O'Brien, Pat", "Brien, Oscar Pat"),
    ("N'Diaye, M.", "Diaye, N."),
    ("O'Brien, P.", "O'Grady, P."),
    ("N'Diaye, M.", "N'Diaye, B."),
    ("M'Bodj, A.", "N'Bodj, A."),
    // Vowels of their own.
    ("Mueller, Hans", "Miller, Hans"),
    ("Müller, Hans", "Möller, Hans"),
    ("Moeller, Hans", "Moller, Hans"),
    ("Boersma, Jan", "Borsma, Jan"),
    ("Verhaegen, P.", "Verhagen, P."),
    ("Manuel, A.", "Manul, A."),
    ("Bruens, J.", "Bruns, J."),
    ("Kuehn, A.", "Kohn, A."),
    ("Meijer, H.", "Meyer, H."),
    ("Kooij, W.", "Kooy, W."),
    ("Kuijper, P.", "Kuyper, P."),
    ("Dijk, J. van", "Dyk, J. van"),
    // Letters that Germanic names tell apart.
    ("Visser, A.", "Wisser, A."),
    ("Wolf, J.", "Volf, J."),
    ("Lewis, J.", "Levis, J."),
    ("Vester, K.", "Wester, K."),
    ("Vries, K. de", "Fries, K. de"),
    ("Svensson, A.", "Svenson, A."),
    ("Björk, A.", "Björck, A."),
    ("Bryant, A.", "Briant, A."),
    ("Kramer, J.", "Cramer, J."),
    ("Jonker, A.", "Yonker, A."),
    ("Smit, Erik", "Smit, Eric"),
    ("Jansen, Marc", "Jansen, Mark"),
    ("Müller, V.", "Mueller, W."),
    ("Wal, J.", "Val, J."),
    ("Bos, J.", "Boos, J."),
    // Letters that Slavic names tell apart.
    ("Chizhov, A.", "Shishov, A."),
    ("Baljakin, A.", "Balakin, A."),
    ("Zhukov, A.", "Shukov, A."),
    ("Sokov, A.", "Sokolov, A."),
    ("Гуляев А.", "Khulyaev, A."),
    // Middle initials.
    ("Marion F. Tinsley", "Tinsley, Mark"),
    ("Marion F. Tinsley", "Tinsley, Marion G."),
    ("Marion F. Tinsley", "Marion, F."),
];

#[test]
fn spellings_of_one_player_join_in_pairs() {
    let is_joined = |(a, b): &(&str, &str)| {
        certain(&group(NameKind::Player, &[a, b]).groups).iter().any(|names| names.len() == 2)
    };
    let missed: Vec<_> = JOINED.iter().filter(|pair| !is_joined(pair)).collect();
    let wrong: Vec<_> = APART.iter().filter(|pair| is_joined(pair)).collect();
    assert!(missed.is_empty() && wrong.is_empty(), "not joined: {missed:#?}\njoined wrongly: {wrong:#?}");
}

/// Each pair of an archive of all is joined, unless the other spellings leave open which of two brothers it is.
#[test]
fn spellings_of_one_player_join_in_an_archive_of_all() {
    let all: BTreeSet<&str> = JOINED.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let all: Vec<&str> = all.into_iter().collect();
    let found = group(NameKind::Player, &all).groups;
    let certain = certain(&found);
    let missed: Vec<_> = JOINED
        .iter()
        .filter(|(a, b)| !certain.iter().any(|names| names.contains(a) && names.contains(b)))
        .collect();
    assert!(missed.is_empty(), "not joined: {missed:#?}");
}

#[test]
fn canonical_name_is_written_with_care() {
    for (names, expected) in [
        (&[("PiraS", 5), ("Piras", 1)][..], "Piras"),
        (&[("Dam2.2", 1), ("dam2.2", 924)], "dam2.2"),
        (&[("SIJBRANDS, TON", 9), ("Sijbrands, Ton", 1)], "Sijbrands, Ton"),
        (&[("Sijbrands, Ton", 1), ("SIJBRANDS, TON", 9), ("T. Sijbrands", 4)], "Sijbrands, Ton"),
        (&[("McDonald, R.", 1), ("MCDONALD, R.", 3)], "McDonald, R."),
    ] {
        let uses: Vec<_> = names.iter().map(|&(name, games)| NameUse::new(name, games)).collect();
        let found = group_names(NameKind::Player, &uses).groups;
        assert_eq!(found.first().map(|group| group.canonical.as_str()), Some(expected), "{names:?}");
    }
}

/// Two letters swapped, in an event of the player and with an initial only.
#[test]
fn swapped_letters_are_a_slip_also_with_an_initial() {
    let rounds = ["1", "2", "3", "4", "5"];
    let usual = rounds[..4].iter().map(|&round| ("Sijbrands, T.", "Wiersma, H.", "Cup", round, "1973"));
    let mut games: Vec<Game> = usual.collect();
    games.push(("Sijbrnads, T.", "Clerc, R.", "Cup", "5", "1973"));
    let census = census(&games);
    let found = group_names(NameKind::Player, census.uses(NameKind::Player));
    assert_eq!(certain(&found.groups), [["Sijbrands, T.", "Sijbrnads, T."]], "{:?}", found.groups);
    // Another letter may be another name.
    games.pop();
    games.push(("Sijbranda, T.", "Clerc, R.", "Cup", "5", "1973"));
    let census = self::census(&games);
    let found = group_names(NameKind::Player, census.uses(NameKind::Player));
    assert_eq!(certain(&found.groups), Vec::<Vec<&str>>::new());
}

#[test]
fn names_of_different_players_stay_apart() {
    for names in [
        &["Jansen, G.", "Jansen, H."][..],
        &["Romanov, V.A.", "Romanov, V.N."],
        &["Jansen, J. sr.", "Jansen, J. jr."],
        &["Jansen, J. (Utrecht)", "Jansen, J. (Amsterdam)"],
        &["Scan 3.0", "Scan 3.1"],
        &["DC Hijken 1", "DC Hijken 2"],
        &["?", "??", "N.N.", "NN", "White", "white", "Player 1", "Player 2"],
        &["Master1958", "Master1959"],
        &["Ivanov, A.", "Ivanova, A."],
        &["Zawitaj, Aleksander", "Zawitaj, Aleksandra"],
        &["Flisikowski, Kamil", "Flisikowska, Kamil"],
        // Without any evidence, not even a surname alone.
        &["Sijbrands", "Sijbrands, T."],
        &["Wiersma, H.", "Wirsma, H."],
    ] {
        let found = group(NameKind::Player, names);
        assert_eq!(certain(&found.groups), Vec::<Vec<&str>>::new(), "{names:?}");
    }
}

#[test]
fn look_alikes_stay_apart_even_in_one_event() {
    for (a, b) in DIFFERENT {
        let (one, other) = (format!("{a}, J."), format!("{b}, J."));
        let mut census = NameCensus::new();
        for (white, black, round) in
            [(&one, "Xavier, P.", "1"), (&other, "Yorick, P.", "1"), (&one, "Zeno, P.", "2")]
        {
            let mut game = CensusGame::default();
            (game.white, game.black, game.event, game.round) = (white, black, "Cup", round);
            game.year = Some(1980);
            census.add(&game);
        }
        let found = group_names(NameKind::Player, census.uses(NameKind::Player));
        assert_eq!(certain(&found.groups), Vec::<Vec<&str>>::new(), "{a} / {b}");
    }
}

#[test]
fn names_that_fit_several_persons_join_none() {
    let names = ["Jansen, Jan", "Jansen, Johan", "Jansen, Kees", "Jansen, J.", "J. Jansen", "Jansen"];
    let found = group(NameKind::Player, &names);
    assert_eq!(certain(&found.groups), [["J. Jansen", "Jansen, J."]]);
    let found = doubts(&found.groups);
    let set = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(found.len(), 2);
    assert!(
        found.contains(&(NameDoubt::SeveralPersons, set(&["J. Jansen", "Jansen, Jan", "Jansen, Johan"]))),
        "{found:?}"
    );
    assert!(found.iter().any(|(doubt, names)| *doubt == NameDoubt::SeveralPersons
        && names.contains("Jansen")
        && names.len() == 5));
}

#[test]
fn name_whose_games_are_all_known_under_another_spelling_joins() {
    let mut games = vec![
        ("Bakker, Johan", "Kuiper, Piet", "Club", "2", "1996.03.12"),
        ("J. Bakker", "P. Kuiper", "Club", "2", "1996.03.12"),
        ("Bakker, Jan", "Kuiper, Piet", "Blitz", "1", "2001.05.20"),
    ];
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(certain(&found.groups), [&["Bakker, Johan", "J. Bakker"][..], &["Kuiper, Piet", "P. Kuiper"]]);
    // The round and the date are those of one game.
    assert_eq!(found.groups[0].spellings[1].evidence.same_games, 1);
    games.push(("J. Bakker", "Smid, A.", "Cup", "1", "1997.01.01"));
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(certain(&found.groups), [["Kuiper, Piet", "P. Kuiper"]]);
}

#[test]
fn surname_alone_joins_only_with_evidence() {
    let with_event = census(&[
        ("Andreiko", "Sijbrands", "Match", "1", "1973"),
        ("Andreiko, A.", "T. Sijbrands", "Match", "2", "1973"),
        ("Baba Sy", "Andreiko, A.", "Cup", "1", "1970"),
    ]);
    let found = group_names(NameKind::Player, with_event.uses(NameKind::Player));
    assert_eq!(certain(&found.groups), [["Andreiko", "Andreiko, A."], ["Sijbrands", "T. Sijbrands"]]);
    let without = group(NameKind::Player, &["Andreiko", "Andreiko, A."]);
    assert_eq!(doubts(&without.groups)[0].0, NameDoubt::SurnameOnly);
}

#[test]
fn father_and_son_stay_apart() {
    let games = [("Jansen, J.", "A", "x", "1", "1950"), ("J. Jansen", "B", "y", "1", "1995")];
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(
        doubts(&found.groups),
        [(NameDoubt::YearsApart, ["J. Jansen", "Jansen, J."].into_iter().collect())]
    );
    // The same letters, too.
    let games = [("Jansen, J.", "A", "x", "1", "1950"), ("Jansen,J", "B", "y", "1", "1995")];
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(certain(&found.groups), Vec::<Vec<&str>>::new());
}

#[test]
fn one_letter_may_differ_in_a_slip_of_the_pen() {
    let mut games = vec![
        ("Kalfon, Gilbert", "A. Vermin", "Open", "1", "2007"),
        ("Kalfon, Gilbert", "B. Vermin", "Open", "2", "2007"),
        ("Kalfon, Gillbert", "C. Vermin", "Open", "3", "2007"),
    ];
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(certain(&found.groups), [["Kalfon, Gilbert", "Kalfon, Gillbert"]]);
    assert_eq!(found.groups[0].canonical, "Kalfon, Gilbert");
    assert_eq!(found.groups[0].evidence(), ["one-letter", "same-events"]);
    // Both play in round 1: two persons.
    games.push(("Kalfon, Gillbert", "D. Vermin", "Open", "1", "2007"));
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(doubts(&found.groups)[0].0, NameDoubt::SameRound);
    // The same game in two files.
    let games = [
        ("Wiersma, H.", "T. Sijbrands", "WC", "5", "1976.02.01"),
        ("Wirsma, H.", "Sijbrands, Ton", "World Ch", "5", "1976.02.01"),
    ];
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    assert_eq!(certain(&found.groups), [["Sijbrands, Ton", "T. Sijbrands"], ["Wiersma, H.", "Wirsma, H."]]);
}

#[test]
fn opponents_are_different_persons() {
    let games = [("Jansen, J.", "J. Jansen", "Match", "1", "1980")];
    let found = group_names(NameKind::Player, census(&games).uses(NameKind::Player));
    // Spellings with the same words are known as one name, which cannot play itself.
    assert_eq!(doubts(&found.groups)[0].0, NameDoubt::SameRound);
}

#[test]
fn initials_of_common_surnames_need_evidence() {
    let names = ["Ivanov, Andrei", "Ivanov, A.", "Ivanov, B.", "Ivanov, C.", "Ivanov, D.", "Ivanov, E."];
    let found = group(NameKind::Player, &names);
    assert_eq!(certain(&found.groups), Vec::<Vec<&str>>::new());
    assert_eq!(doubts(&found.groups)[0].0, NameDoubt::CommonSurname);
}

#[test]
fn canonical_name_is_in_the_common_script_the_fullest_and_the_commonest() {
    for (uses, expected) in [
        (&[("T. Sijbrands", 9), ("Sijbrands, Ton", 1)][..], "Sijbrands, Ton"),
        (&[("Sijbrands, Ton", 1), ("Ton Sijbrands", 2)], "Ton Sijbrands"),
        (&[("SIJBRANDS Ton", 9), ("Sijbrands, Ton", 1)], "Sijbrands, Ton"),
        (&[("Sijbrands, Ton (GMI)", 9), ("T. Sijbrands", 1)], "T. Sijbrands"),
        (&[("Estebe, Rene", 9), ("Estebe, René", 1)], "Estebe, René"),
        (&[("Куперман И.", 9), ("Kuperman, Iser", 1)], "Куперман И."),
        (&[("Куперман И.", 1), ("Kuperman, Iser", 9)], "Kuperman, Iser"),
    ] {
        let uses: Vec<_> = uses.iter().map(|(name, games)| NameUse::new(*name, *games)).collect();
        let found = group_names(NameKind::Player, &uses);
        assert_eq!(found.groups.len(), 1, "{uses:?}");
        assert_eq!(found.groups[0].canonical, expected);
        assert_eq!(found.groups[0].spellings[0].name, expected);
    }
}

#[test]
fn events_join_by_letters_and_order_but_never_across_numbers() {
    for (names, expected) in [
        (&["WK 2003", "wk-2003", "2003 WK"][..], true),
        (&["Championnat de France", "CHAMPIONNAT DE FRANCE", "Championnat de Françe"], true),
        (&["WK 2003", "WK 2004"], false),
        (&["XXXIII первенство СССР", "XXXXIII первенство СССР"], false),
        (&["Petal 1979, game 4", "Petal 1979, game 11"], false),
        (&["Game 3, round 5", "Game 5, round 3"], false),
        (&["Open A", "Open B"], false),
        (&["WC 1972", "World Championship 1972"], false),
    ] {
        let found = group(NameKind::Event, names);
        assert_eq!(found.groups.len(), usize::from(expected), "{names:?}: {:?}", found.groups);
        assert!(!expected || found.groups[0].spellings.len() == names.len(), "{names:?}");
    }
}

#[test]
fn abbreviated_events_join_if_they_have_the_same_games() {
    let rounds = ["1", "2", "3"];
    let mut games = Vec::new();
    for (event, white) in [("WC 1972", "Sijbrands, T."), ("World Championship 1972", "T. Sijbrands")] {
        games.extend(rounds.map(|round| (white, "Andreiko, A.", event, round, "1972")));
    }
    let found = group_names(NameKind::Event, census(&games).uses(NameKind::Event));
    assert_eq!(certain(&found.groups), [["WC 1972", "World Championship 1972"]]);
    assert_eq!(found.groups[0].canonical, "World Championship 1972");
    // The same players in other games: only a doubt.
    let players = ["Aa, B.", "Cc, D.", "Ee, F.", "Gg, H."];
    let mut census = NameCensus::new();
    for (event, shift) in [("WC 1972", 1), ("World Championship 1972", 2)] {
        for (n, white) in players.iter().enumerate() {
            let mut game = CensusGame::default();
            (game.white, game.black, game.event) = (white, players[(n + shift) % 4], event);
            game.year = Some(1972);
            census.add(&game);
        }
    }
    let found = group_names(NameKind::Event, census.uses(NameKind::Event));
    assert_eq!(certain(&found.groups), Vec::<Vec<&str>>::new());
    assert_eq!(doubts(&found.groups)[0].0, NameDoubt::OtherWords);
}

#[test]
fn sites_one_letter_apart_join_if_they_share_an_event() {
    let mut census = NameCensus::new();
    for site in ["Hoogeveen", "Hogeveen", "Hoogezand"] {
        let mut game = CensusGame::default();
        (game.event, game.site, game.year) = ("Brinta", site, Some(1968));
        census.add(&game);
    }
    let found = group_names(NameKind::Site, census.uses(NameKind::Site));
    assert_eq!(certain(&found.groups), [["Hogeveen", "Hoogeveen"]]);
}

/// Spellings of the surnames, each with its person. No two persons share a surname and an initial.
fn planted() -> Vec<(String, usize)> {
    let mut planted = Vec::new();
    for (person, (cyrillic, romanised)) in SURNAMES.iter().enumerate() {
        let initial = [('A', 'А'), ('B', 'Б'), ('V', 'В'), ('M', 'М')][person % 4];
        planted.push((format!("{cyrillic} {}.", initial.1), person));
        for name in romanised.iter().filter(|name| !IRREGULAR.contains(name)) {
            planted.push((format!("{name}, {}.", initial.0), person));
            planted.push((format!("{}. {name}", initial.0), person));
            planted.push((format!("{} {}", name.to_uppercase(), initial.0), person));
        }
    }
    planted
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are read with --nocapture")]
fn planted_groups_are_found_and_nothing_else() {
    let planted = planted();
    let person: BTreeMap<&str, usize> =
        planted.iter().map(|(name, person)| (name.as_str(), *person)).collect();
    let uses: Vec<_> = person.keys().map(|name| NameUse::new(*name, 1)).collect();
    let found = group_names(NameKind::Player, &uses);
    let pairs = |count: usize| count * count.saturating_sub(1) / 2;
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    person.values().for_each(|person| *sizes.entry(*person).or_default() += 1);
    let expected: usize = sizes.values().map(|&size| pairs(size)).sum();
    let (mut joined, mut right, mut wrong) = (0, 0, Vec::new());
    for names in certain(&found.groups) {
        joined += pairs(names.len());
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        names.iter().for_each(|name| *counts.entry(person[name]).or_default() += 1);
        right += counts.values().map(|&count| pairs(count)).sum::<usize>();
        if counts.len() > 1 {
            wrong.push(names);
        }
    }
    let (recall, precision) = (right as f64 / expected as f64, right as f64 / joined as f64);
    println!("{} spellings: recall {recall:.3}, precision {precision:.3}", person.len());
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(recall > 0.95, "recall {recall:.3}");
}

#[test]
fn groups_do_not_depend_on_the_order_of_the_names() {
    let planted = planted();
    let mut uses: Vec<_> =
        planted.iter().enumerate().map(|(n, (name, _))| NameUse::new(name, 1 + n as u64 % 5)).collect();
    let expected = group_names(NameKind::Player, &uses);
    for seed in 0..3 {
        fastrand::Rng::with_seed(crate::common::seed(seed)).shuffle(&mut uses);
        assert_eq!(group_names(NameKind::Player, &uses), expected);
    }
}

/// Names of an archive with many players, of whom some have several spellings.
fn many_names(count: usize) -> Vec<NameUse> {
    let mut rng = fastrand::Rng::with_seed(count as u64);
    let syllables = [
        "ba", "der", "kov", "lin", "mar", "son", "ter", "vel", "wijk", "zan", "ho", "gri", "pol", "sto", "ne",
    ];
    let word = |rng: &mut fastrand::Rng, parts: usize| {
        let text: String = (0..parts).map(|_| *rng.choice(&syllables).expect("not empty")).collect();
        let (first, rest) = text.split_at(1);
        first.to_uppercase() + rest
    };
    let mut uses = Vec::new();
    while uses.len() < count {
        let (surname, given) = (word(&mut rng, 3), word(&mut rng, 2));
        let initial = &given[..1];
        let forms =
            [format!("{surname}, {given}"), format!("{initial}. {surname}"), format!("{surname},{initial}")];
        let event = rng.u64(..);
        for form in &forms[..rng.usize(1..=3)] {
            let meeting = Meeting { occasion: rng.u64(..) | 1, companion: rng.u64(..) };
            uses.push(
                NameUse::new(form, 1).id(rng.u64(..)).events([event]).meetings([meeting]).years(1980, 1990),
            );
        }
    }
    uses.truncate(count);
    uses
}

#[test]
fn work_is_nearly_linear_in_the_number_of_names() {
    let steps = |count: usize| {
        let uses = many_names(count);
        let before = pdn_rules::internal::steps::count();
        let found = group_names(NameKind::Player, &uses);
        assert!(found.groups.len() > count / 20);
        pdn_rules::internal::steps::count().zip(before).map(|(after, before)| after - before)
    };
    let Some((small, large)) = steps(500).zip(steps(5_000)) else { return };
    // Ten times as many names; surnames of few syllables repeat, so that blocks grow a little.
    assert!(large < 14 * small, "{small} and {large} steps");
}

#[test]
fn names_that_all_resemble_each_other_are_bounded() {
    let steps = |count: usize| {
        let name = |n: usize| {
            let given: String =
                format!("{n:04}").bytes().map(|digit| char::from(digit - b'0' + b'k')).collect();
            NameUse::new(format!("Ivanov, A{given}"), 1)
        };
        let uses: Vec<_> = (0..count).map(name).collect();
        let before = pdn_rules::internal::steps::count();
        let found = group_names(NameKind::Player, &uses);
        assert!(found.uncompared > 0);
        pdn_rules::internal::steps::count().zip(before).map(|(after, before)| after - before)
    };
    let Some((small, large)) = steps(600).zip(steps(1_800)) else { return };
    // Three times as many names; of 600, each is compared with all, as it would be without a bound for the larger number.
    assert!(large < 5 * small, "{small} and {large} steps");
}
