use proptest::prelude::*;

use super::*;

/// Returns the kind and the text of every token of `text`, in order.
fn tokens(text: &[u8]) -> Vec<(TokenKind, String)> {
    Lexer::new(text, 0, &Limits::DEFAULT)
        .map(|token| (token.kind, String::from_utf8_lossy(token.span.of(text)).into_owned()))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[(TokenKind, &str)]) {
    let actual = tokens(text.as_bytes());
    let actual: Vec<_> = actual.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
    assert_eq!(actual, expected, "{text:?}");
}

#[test]
fn no_result_starts_within_a_word() {
    for text in ["x2-0", "+1-0", ":1-0", "-1-0", "#1-0", "_1-0"] {
        let text = format!("32-28 {text} 19-23");
        let kinds: Vec<_> = tokens(text.as_bytes()).into_iter().map(|(kind, _)| kind).collect();
        assert!(!kinds.contains(&TokenKind::Result), "{text} {kinds:?}");
    }
    assert!(tokens(b"32-28 }2-0 19-23").iter().any(|(kind, _)| *kind == TokenKind::Result));
}

#[test]
fn lexer_reads_single_tokens() {
    use TokenKind::*;
    for (kind, texts) in [
        (
            Move,
            &[
                "32-28",
                "1-6",
                "05-10",
                "26x17x10",
                "26X17",
                "c3-d4",
                "c7:e5:c3",
                "a3b4",
                "A3-B4",
                "ab4",
                "cd4",
                "c:d4",
                "32 - 28",
                "1- 6",
                "26 x 17 x 10",
                "32–28",
                "32×28",
                "c3–d4",
                "c3—d4",
                "c3−d4",
                "32−28",
                "c7×b6",
                "c7×e5×c3",
                "32‐28",
                "32‑28",
                "c3хe5хg3",
                "1-18",
                "l12-k11",
                "4-6",
                "1-0-5",
                "10:19",
            ][..],
        ),
        (MoveNumber, &["1.", "01.", "23...", "123456789012.", "4…"]),
        (Number, &["1", "3228", "118"]),
        (
            Result,
            &[
                "1-0",
                "1-1",
                "1/2-1/2",
                "1 1/2 - 1/2",
                "½-½",
                "½–½",
                "&frac12;&ndash;&frac12;",
                "1+ - 1-",
                "1- - 1+",
                "1.02-0.98",
            ],
        ),
        (Star, &["*"]),
        (Strength, &["!", "??", "!?", "(!)", "(?!)", "□"]),
        (Nag, &["$1", "$142"]),
        (Comment, &["{}", "{ a { b } c }", "{ never"]),
        (LineComment, &["; to the end", "% so too"]),
        (Dashes, &["-", "--"]),
        (Dots, &[".", "...", "…"]),
        (Setup, &["/FEN \"B:::\"/", "/FEN \"W:W1-5:B9\"/"]),
        (CaptureList, &["<42,29, 14>", "<c3,d4>"]),
        (TypedEscape, &["\\r"]),
        (Word, &["Redoverstepped", "ход"]),
        (Control, &["\0", "\x1a\x1a"]),
    ] {
        for text in texts {
            check(text, &[(kind, text)]);
        }
    }
}

#[test]
fn lexer_separates_adjacent_tokens() {
    use TokenKind::*;
    check(
        "1.32-28!? 18-23*",
        &[(MoveNumber, "1."), (Move, "32-28"), (Strength, "!?"), (Move, "18-23"), (Star, "*")],
    );
    check("1 . 32-28", &[(Number, "1"), (Dots, "."), (Move, "32-28")]);
    check("8-11Redover.", &[(Move, "8-11"), (Word, "Redover"), (Dots, ".")]);
    check("1. ... 18-23", &[(MoveNumber, "1."), (Dots, "..."), (Move, "18-23")]);
    check("41. - - 2-0", &[(MoveNumber, "41."), (Dashes, "-"), (Dashes, "-"), (Result, "2-0")]);
    check("6x15 1-0{x}", &[(Move, "6x15"), (Result, "1-0"), (Comment, "{x}")]);
    check("1.05-10", &[(MoveNumber, "1."), (Move, "05-10")]);
    check("(32-28)", &[(OpenVariation, "("), (Move, "32-28"), (CloseVariation, ")")]);
    check("47x36 <42,29> }", &[(Move, "47x36"), (CaptureList, "<42,29>"), (StrayBrace, "}")]);
    check("18-22 - 5.", &[(Move, "18-22"), (Dashes, "-"), (MoveNumber, "5.")]);
    check("1-0\n1. 32-28", &[(Result, "1-0"), (MoveNumber, "1."), (Move, "32-28")]);
    check("50% of", &[(Number, "50"), (Unknown, "%"), (Word, "of")]);
    check("\u{feff}32-28\u{a0}19-23\0\x1a", &[(Move, "32-28"), (Move, "19-23"), (Control, "\0\x1a")]);
    check("32-28\u{a0}\u{a0}\u{feff}ход\u{a0}", &[(Move, "32-28"), (Word, "ход\u{a0}")]);
    check("32-28 1-0\u{a0}", &[(Move, "32-28"), (Result, "1-0")]);
    check("time1-0.", &[(Word, "time"), (Result, "1-0"), (Dots, ".")]);
    check("22x1-0", &[(Move, "22x1-0")]);
    check("28x17x 8 9-13", &[(Move, "28x17x 8"), (Move, "9-13")]);
    check("28 x 17 x 8 9-13", &[(Move, "28 x 17 x 8"), (Move, "9-13")]);
    check("18-22- 5. 32-28", &[(Move, "18-22"), (Dashes, "-"), (MoveNumber, "5."), (Move, "32-28")]);
    check("28x17 xyz", &[(Move, "28x17"), (Word, "xyz")]);
    check("1 : 0", &[(Result, "1 : 0")]);
    check("9-13 0–2", &[(Move, "9-13"), (Result, "0–2")]);
    check("1-101.32-28", &[(Result, "1-1"), (MoveNumber, "01."), (Move, "32-28")]);
    check("½:½1. 32-28", &[(Result, "½:½"), (MoveNumber, "1."), (Move, "32-28")]);
}

#[test]
fn lexer_survives_long_repetitions() {
    for unit in
        ["1-2-", "1.", "(", "{", "/", "\"", "a1b2", "1 - 2 x ", "<", "1/2-", "½", "*", ".", "\\r", "&"]
    {
        let text = unit.repeat(200_000 / unit.len());
        assert!(tokens(text.as_bytes()).len() <= text.len(), "{unit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lexer_equals_automaton_on_movetext(
        text in r"([0-9]{1,3}|[0-2]|[-x:X]|\.{1,3}| |[0-9]{1,2}-[0-9]{1,2} |[0-9]{1,2}(x[0-9]{1,2}){1,3} |[0-9]{1,2}\. ?|[a-h][1-8]|[\t\n\x00½–!(){/}]|1/2-1/2|1-0|[ \n][0-2]-[0-2][ \n]|[ \n]1/2-1/2[ \n]|0\.[0-9]{2}){0,60}",
    ) {
        check_twin(text.as_bytes())?;
    }

    #[test]
    fn lexer_equals_automaton_on_annotations(
        text in r"([0-9]{1,2}\. ?|[0-9]{1,2}-[0-9]{1,2}[ )]|[ \n]?\((2\. )?(18-23|7|two)[ )]|[ \n]?\{[^{}]{0,70}\} ?|[{}()]|\$[0-9]{0,3} ?|[!?]{1,3} ?| word|\n\n){0,40}",
    ) {
        check_twin(text.as_bytes())?;
        let with_end = [&text, &" ".repeat(80)[..]].concat();
        check_twin(with_end.as_bytes())?;
    }

    #[test]
    fn lexer_equals_automaton_on_move_like_bytes(
        text in prop::collection::vec(prop::sample::select(&b"0123456789--xx:X...    \n\t*+/!{\xC3\x97\xE2\x80\xA6"[..]), 0..200),
    ) {
        check_twin(&text)?;
    }
}

fn check_twin(text: &[u8]) -> Result<(), TestCaseError> {
    // Comments of more than 40 bytes are beyond the reach of the second pair.
    let mut short = Limits::DEFAULT;
    short.comment_bytes = 40;
    for limits in [Limits::DEFAULT, short] {
        let (mut lexer, mut automaton) = (Lexer::new(text, 0, &limits), Automaton::new(text, 0, &limits));
        while let Some(token) = automaton.next_token() {
            prop_assert_eq!(lexer.next_token(), Some(token));
            prop_assert!(
                token.kind != TokenKind::Comment || lexer.comment_closing() == automaton.comment_closing()
            );
        }
        prop_assert_eq!(lexer.next_token(), None);
    }
    Ok(())
}
