use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> GameResult<'_> {
    GameResult::parse(text.as_bytes())
}

#[test]
fn result_is_parsed_in_every_format() {
    use Outcome::{BothLose, Draw, FirstWins, SecondWins, Unknown};
    let check = |text: &str, canonical: &str, outcome: Outcome| {
        let result = parse(text);
        assert_eq!(result.to_string(), canonical, "{text}");
        assert_eq!(result.outcome(), outcome, "{text}");
        let is_result = !matches!(result, GameResult::Text(_) | GameResult::Unknown);
        assert_eq!(GameResult::is_canonical(text.as_bytes()), is_result && text == canonical, "{text}");
    };
    // PDN 3.0, section "Result tag": Default and International.
    check("1-0", "1-0", FirstWins);
    check("0-1", "0-1", SecondWins);
    check("1/2-1/2", "1/2-1/2", Draw);
    check("0-0", "0-0", BothLose);
    check("*", "*", Unknown);
    check("2-0", "2-0", FirstWins);
    check("0-2", "0-2", SecondWins);
    check("1-1", "1-1", Draw);
    // Plus draw, Delfts, Goes.
    check("1+ - 1-", "1+ - 1-", Draw);
    check("1- - 1+", "1- - 1+", Draw);
    check("1+-1-", "1+ - 1-", Draw);
    check("1 1/2 - 1/2", "1 1/2 - 1/2", Draw);
    check("1/2 - 1 1/2", "1/2 - 1 1/2", Draw);
    check("1½-½", "1 1/2 - 1/2", Draw);
    check("1.02-0.98", "1.02-0.98", Draw);
    check("0.99-1.01", "0.99-1.01", Draw);
    check("-0.98-1.02", "0.98-1.02", Draw);
    // Other systems and spellings.
    check("4-6", "4-6", Draw);
    check("1-9", "1-9", SecondWins);
    check("12-0", "12-0", FirstWins);
    check("½-½", "1/2-1/2", Draw);
    check("&frac12;&ndash;&frac12;", "1/2-1/2", Draw);
    check("1–0", "1-0", FirstWins);
    check(" 0-1", "0-1", SecondWins);
    check("1 - 0", "1-0", FirstWins);
    check("0,5-0,5", "1/2-1/2", Draw);
    check("1/2", "1/2-1/2", Draw);
    // Words, signs and remarks.
    for draw in ["Draw", "drawn.", "REMISE", "patta", "Ничья", "=", "Unentschieden", "draw agreed"] {
        check(draw, "1/2-1/2", Draw);
        assert!(!GameResult::has_remark(draw.as_bytes()), "{draw}");
    }
    check("+/-", "1-0", FirstWins);
    check("-/+", "0-1", SecondWins);
    check("1/1", "1-1", Draw);
    check("0/2", "0-2", SecondWins);
    for (text, canonical, outcome) in [
        ("1-0 (time)", "1-0", FirstWins),
        ("2-0f", "2-0", FirstWins),
        ("0-1, black lost on time", "0-1", SecondWins),
        ("1-0 (forfeit)", "1-0", FirstWins),
        ("0,5-0,5 (time)", "1/2-1/2", Draw),
        ("1/2-1/2 (draw agreed after 60 moves)", "1/2-1/2", Draw),
    ] {
        check(text, canonical, outcome);
        assert!(GameResult::has_remark(text.as_bytes()), "{text}");
    }
    assert!(!GameResult::has_remark(b"1-0") && !GameResult::has_remark(b"&frac12;&ndash;&frac12;"));
    // Unknown.
    check("", "*", Unknown);
    check("-", "*", Unknown);
    check("?", "*", Unknown);
    // Free text.
    for text in [
        "1",
        "1-",
        "1-0-0",
        "11/2-1/2",
        "1 0-2",
        "1.023-0.977",
        "1000-1",
        "h-h",
        "1-0 or 0-1",
        "2-0 (1-1)",
        "0-0 (draw)",
        "1-0 draw",
        "12-07-2025 x",
        "adjourned",
    ] {
        check(text, text, Unknown);
        assert_eq!(parse(text), GameResult::Text(text.as_bytes()));
    }
    assert_eq!(GameResult::parse(b"\xBD\x96\xBD"), parse("1/2-1/2"));
}

#[test]
fn results_in_words_count_in_several_languages() {
    use Outcome::{Draw, FirstWins, SecondWins};
    let white = [
        "White wins",
        "White won",
        "white win.",
        "W+",
        "Wit wint",
        "Wit heeft gewonnen",
        "winst voor wit",
        "Weiss gewinnt",
        "Weiß hat gewonnen",
        "Sieg Weiß",
        "Les blancs gagnent",
        "blanc gagne",
        "victoire des blancs",
        "il Bianco vince",
        "vincono i bianchi",
        "vittoria del bianco",
        "ganan blancas",
        "ganan las blancas",
        "vitória das brancas",
        "brancas ganham",
        "białe wygrywają",
        "wygrana białych",
        "белые выиграли",
        "победа белых",
        "перемога білих",
        "Black resigns",
        "Black lost on time",
        "zwart geeft op",
        "zwart gaf op",
        "Schwarz gibt auf",
        "les noirs abandonnent",
        "il Nero abbandona",
        "negras abandonan",
        "czarne poddały się",
        "чёрные сдались",
        "черные проиграли",
        "+-",
        "W.W.",
    ];
    let black = [
        "Black wins",
        "BLACK WINS!",
        "B+",
        "zwart wint",
        "Z+",
        "Schwarz gewinnt",
        "noirs gagnent",
        "il nero vince",
        "ganan negras",
        "pretas ganham",
        "czarne wygrywają",
        "победа чёрных",
        "ЧЕРНЫЕ ВЫИГРАЛИ",
        "White resigns",
        "White loses on time",
        "wit geeft op",
        "Weiß gibt auf",
        "белые сдались",
        "-+",
        "B. wins",
    ];
    let draws = [
        "Draw",
        "drawn.",
        "a draw",
        "Draw agreed",
        "draw by agreement",
        "REMISE",
        "remis",
        "partie nulle",
        "match nul",
        "Unentschieden",
        "patta",
        "pareggio",
        "tablas",
        "empate",
        "Ничья",
        "НИЧЬЯ",
        "нічия",
        "=",
    ];
    for (texts, won) in [(&white[..], Colour::White), (&black[..], Colour::Black)] {
        for text in texts {
            let result = parse(text);
            assert_eq!(result, GameResult::Won(won), "{text}");
            assert_eq!(Colour::ALL.map(|start| result.winner(start)), [Some(won); 2], "{text}");
            assert!(
                !GameResult::is_canonical(text.as_bytes()) && !GameResult::has_remark(text.as_bytes()),
                "{text}"
            );
        }
    }
    assert_eq!(parse("White wins").for_start(Colour::Black), parse("0-1"));
    assert_eq!(parse(&GameResult::Won(Colour::Black).to_string()), GameResult::Won(Colour::Black));
    for text in draws {
        assert_eq!(parse(text).outcome(), Draw, "{text}");
    }
    for (text, outcome) in [
        ("1-0 (time)", FirstWins),
        ("2-0f", FirstWins),
        ("0-1, black lost on time", SecondWins),
        ("1-0 (forfeit)", FirstWins),
        ("1-0.", FirstWins),
        ("1-0 просрочка", FirstWins),
        ("2-0 – opgave", FirstWins),
        ("+/-", FirstWins),
        ("-/+", SecondWins),
        ("+:-", FirstWins),
        ("-:+", SecondWins),
        ("1/1", Draw),
        ("0/2", SecondWins),
    ] {
        assert_eq!(parse(text).outcome(), outcome, "{text}");
    }
    for text in [
        "White wins a piece",
        "White or Black wins",
        "White",
        "wins",
        "adjourned",
        "White to move and win",
        "drawn by White",
        "unplayed",
        "время",
    ] {
        assert_eq!(parse(text), GameResult::Text(text.as_bytes()));
    }
}

#[test]
fn result_format_allows_its_own_results() {
    let every = [
        "1-0",
        "0-1",
        "1/2-1/2",
        "2-0",
        "0-2",
        "1-1",
        "0-0",
        "*",
        "1+ - 1-",
        "1- - 1+",
        "1 1/2 - 1/2",
        "1/2 - 1 1/2",
        "1.02-0.98",
        "0.99-1.01",
        "4-6",
        "?",
        "adjourned",
    ];
    let check = |format: ResultFormat, allowed: &[&str]| {
        let passing: Vec<_> = every.into_iter().filter(|text| parse(text).is_of_format(format)).collect();
        assert_eq!(passing, allowed, "{format}");
    };
    check(ResultFormat::Default, &["1-0", "0-1", "1/2-1/2", "0-0", "*"]);
    check(ResultFormat::International, &["2-0", "0-2", "1-1", "0-0", "*"]);
    check(ResultFormat::PlusDraw, &["2-0", "0-2", "1-1", "0-0", "*", "1+ - 1-", "1- - 1+"]);
    check(ResultFormat::Delfts, &["2-0", "0-2", "1-1", "0-0", "*", "1 1/2 - 1/2", "1/2 - 1 1/2"]);
    check(
        ResultFormat::Goes,
        &["2-0", "0-2", "1-1", "0-0", "*", "1 1/2 - 1/2", "1/2 - 1 1/2", "1.02-0.98", "0.99-1.01"],
    );
}

#[test]
fn winner_depends_on_the_starting_side() {
    use Colour::{Black, White};
    for (text, start, winner) in [
        ("1-0", White, Some(White)),
        ("1-0", Black, Some(Black)),
        ("0-2", White, Some(Black)),
        ("0-1", Black, Some(White)),
        ("1-1", Black, None),
        ("0-0", White, None),
        ("*", White, None),
    ] {
        assert_eq!(parse(text).winner(start), winner, "{text} {start:?}");
        assert_eq!(parse(text).swapped().winner(start.other()), winner, "{text} {start:?}");
    }
}

#[test]
fn results_compare_by_score_and_by_outcome() {
    for (a, b, equal, same) in [
        ("1-0", "1 - 0", true, true),
        ("1-0", "2-0", false, true),
        ("1/2-1/2", "½-½", true, true),
        ("1/2-1/2", "1-1", false, true),
        ("1-1", "1+ - 1-", false, true),
        ("1-0", "0-1", false, false),
        ("0-0", "1-1", false, false),
        ("*", "?", false, true),
    ] {
        assert_eq!((parse(a) == parse(b), parse(a).same_outcome(&parse(b))), (equal, same), "{a} {b}");
    }
    assert_eq!(parse("1+ - 1-").advantage(), Some(true));
    assert_eq!(parse("4-6").advantage(), Some(false));
    assert_eq!(parse("1-1").advantage(), None);
}

proptest! {
    #[test]
    fn parsing_any_bytes_does_not_panic(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let _ = GameResult::parse(&text).to_string();
    }

    #[test]
    fn result_survives_writing_and_parsing(first in 0..10_000u16, second in 0..10_000u16) {
        let result = GameResult::Score(Points::from_hundredths(first), Points::from_hundredths(second));
        let text = result.to_string();
        prop_assert_eq!(parse(&text), result);
        prop_assert!(GameResult::is_canonical(text.as_bytes()));
    }
}

#[test]
fn scores_are_exchanged_with_their_remarks() {
    for (text, exchanged) in [
        ("1-0", Some("0-1")),
        (" 0–2 ", Some("2-0")),
        ("1 1/2 - 1/2", Some("1/2 - 1 1/2")),
        ("1+ - 1-", Some("1- - 1+")),
        ("0-1 (time)", Some("1-0 (time)")),
        ("2-0f", Some("0-2f")),
        ("0-1, black lost on time", Some("1-0, black lost on time")),
        ("1/2-1/2", None),
        ("½-½", None),
        ("*", None),
        ("?", None),
        ("White wins", None),
    ] {
        let found = GameResult::exchanged(text.as_bytes()).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(found.as_deref(), exchanged, "{text}");
    }
}
