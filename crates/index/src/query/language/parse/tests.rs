use crate::internal::query::Pattern;
use proptest::prelude::*;

use super::*;
use pdn::span::Span;

/// Checks that a text is parsed as the query that `canonical` writes out in full.
fn check(text: &str, canonical: &str) {
    let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(query.to_string(), canonical, "{text}");
    assert_eq!(Query::parse(canonical).as_ref(), Ok(&query), "{canonical}");
}

#[test]
fn query_text_is_parsed_and_written_in_canonical_form() {
    for (text, canonical) in [
        ("white : wiersma", "white : \"wiersma\""),
        ("white:wiersma", "white : \"wiersma\""),
        ("Opening_Played:\"old fourteenth\"", "opening_played : \"old fourteenth\""),
        ("opening_played = al* or opening : alma", "opening_played = \"al*\" or tag \"Opening\" : \"alma\""),
        ("PLAYER ~ \"v.d. wal\" AND Event = WK*", "player ~ \"v.d. wal\" and event = \"WK*\""),
        ("site = \"a \\\"b\\\" \\*\"", "site = \"a \\\"b\\\" \\*\""),
        ("date 1990..1995", "date 1990..1995"),
        ("date >= 1990-06", "date 1990.06.."),
        // A year or a month includes the dates in it.
        ("date 1990.06..1990", "date 1990.06..1990"),
        ("date 1990..1990.06", "date 1990..1990.06"),
        ("date 1990.06.20..1990.06", "date 1990.06.20..1990.06"),
        ("date ..31.12.1999", "date ..1999.12.31"),
        ("date = 1982", "date 1982"),
        ("rating >= 2200", "rating both 2200.."),
        ("rating white 2000..2100", "rating white 2000..2100"),
        ("round 3 or round : \"3.2\"", "round 3 or round : \"3.2\""),
        ("plies < 40", "plies 0..39"),
        ("ply 10..20 and last", "ply 10..20 and last"),
        ("result 2-0", "result win"),
        ("result = 1-1", "result = \"1-1\""),
        ("result 1/2-1/2 or result *", "result draw or result unknown"),
        ("winner nobody", "winner nobody"),
        ("winner : tinsley and loser ~ hellman", "winner : \"tinsley\" and loser ~ \"hellman\""),
        ("not (status legal or variant 25)", "not (status legal or variant russian)"),
        ("fen \"W:WK3:B18,24\" flipped mirrored", "fen \"W:WK3:B18,24\" flipped mirrored"),
        ("pattern \"w32,28 !bB19 .:c3\"", "pattern \"w32,28 !bB19 .:c3\""),
        ("line \"1. 32-28 19-23\"", "line \"1. 32-28 19-23\""),
        ("w-b>=2", "w-b>=2"),
        ("wk = 1 and w + b <= 6", "wk=1 and p<=6"),
        ("wm+bm-wk = 3..4", "wm-wk+bm=3..4"),
        ("w-b < -1", "w-b<=-2"),
        ("wk != 0", "not wk=0"),
        ("not not wk=0", "wk=0"),
        ("w-b>=2 for 4 plies", "w-b>=2 for 4"),
        ("(wk=1 then bk=1 within 6) then last within 20", "(wk=1 then bk=1 within 6) then last within 20"),
        ("ever wk=1 and never bk=1", "ever wk=1 and not ever bk=1"),
        ("white to move and move 32-28", "white to move and move from 32 to 28"),
        ("move x19", "move to 19 takes 1..255"),
        (
            "move from 1,2 by king by black takes >= 3 over 19,23",
            "move from 1,2 by black by king takes 3..255 over 19,23",
        ),
        ("move promotes", "move promotes"),
        ("sacrifice 2 within 8 regained", "sacrifice 2 within 8 regained"),
        ("sacrifice", "sacrifice 1 within 10"),
        ("all", "all"),
        ("date > 1990", "date 1991.."),
        ("date < 1990.06", "date ..1990.05"),
        ("date 1900-2000", "date 1900..2000"),
        ("year = 1990..1991", "date 1990..1991"),
        ("date = ..1991.06", "date ..1991.06"),
        ("plies 40-80 and rating 2000-2200", "plies 40..80 and rating both 2000..2200"),
        ("w = 3-5", "w=3..5"),
        ("w >= b", "w-b>=0"),
        ("w > b + 2", "w-b>=3"),
        ("wm + bm = k - 1", "wm-wk+bm-bk=-1"),
        ("w != b", "not w-b=0"),
        ("wk < bk", "wk-bk<=-1"),
        ("ever not last", "ever (not last)"),
        ("never not wk=0", "not ever (not wk=0)"),
        ("wk=0 then not wk=0 within 3", "wk=0 then (not wk=0) within 3"),
        ("ever not not last", "ever last"),
        ("move", "move"),
        ("move and wk=0 or (move) or move then last", "move and wk=0 or move or move then last within 10"),
        ("move d6:f4", "move from d6 to f4 takes 1..255"),
        ("move 32x19x28", "move from 32 to 28 takes 1..255"),
        ("move 32–28", "move from 32 to 28"),
        ("move takes >= 3 32x19", "move from 32 to 19 takes 3..255"),
        ("tag TimeControl", "tag \"TimeControl\""),
        ("tag TimeControl~blitz", "tag \"TimeControl\" ~ \"blitz\""),
        ("tag \"Heure blanche\" = \"1*\"", "tag \"Heure blanche\" = \"1*\""),
        ("file \"a/b.pdn\"", "file = \"a/b.pdn\""),
        ("file = a* or file : b or file ~ c", "file = \"a*\" or file : \"b\" or file ~ \"c\""),
        ("white = \"\"", "white = \"\""),
        ("pattern \"wW5 !w5\"", "pattern \"wW5 !w5\""),
        // The names of columns, and the signs of other languages.
        ("year >= 1990 and YEAR 1990..1995", "date 1990.. and date 1990..1995"),
        ("white_rating > 2200 or Black_Rating = 2100", "rating white 2201.. or rating black 2100"),
        (
            "time_control : 5 and opening = Alma*",
            "tag \"TimeControl\" : \"5\" and tag \"Opening\" = \"Alma*\"",
        ),
        ("white == \"Ames, Ann\" and plies==40 and wk == 1", "white = \"Ames, Ann\" and plies 40 and wk=1"),
        (
            "variant = russian or variant == \"25\" or status = legal",
            "variant russian or variant russian or status legal",
        ),
        ("white : 't", "white : \"'t\""),
        // A text of digits and other characters is no number of a round.
        ("round = 3..5 or round == 3", "round 3..5 or round 3"),
        ("round = 3.2 or round = 10* or round = 2a", "round = \"3.2\" or round = \"10*\" or round = \"2a\""),
        // Variants of one game type.
        (
            "variant 23 and last",
            "(variant pool or variant unified-pool or variant zimbabwean-pool or variant jamaican) and last",
        ),
        // Distances: a single number is the greatest one.
        ("wk=1 then bk=1 within 6 plies", "wk=1 then bk=1 within 6"),
        ("wk=1 then bk=1 within 1..6", "wk=1 then bk=1 within 6"),
        ("wk=1 then bk=1 within 3..5 ply", "wk=1 then bk=1 within 3..5"),
        ("wk=1 then bk=1 within 3-5", "wk=1 then bk=1 within 3..5"),
        ("wk=1 then bk=1 within = 4", "wk=1 then bk=1 within 4..4"),
        ("wk=1 then bk=1 within >= 4", "wk=1 then bk=1 within 4.."),
        ("wk=1 then bk=1 within ..4", "wk=1 then bk=1 within 4"),
        ("wk=1 then bk=1 within 1..", "wk=1 then bk=1 within 1.."),
        (
            "fen \"W:WK3:B18\" after move x28 within 1",
            "fen \"W:WK3:B18\" after move to 28 takes 1..255 within 1",
        ),
        ("last after not wk=1", "last after (not wk=1) within 10"),
        ("move after move", "move after move within 10"),
        ("wk=1 times >= 3", "wk=1 times 3.."),
        ("(wk=1 or bk=1) times 0..2", "(wk=1 or bk=1) times 0..2"),
        ("not wk=1 times 3", "not wk=1 times 3"),
        ("move times 2", "move times 2"),
        ("first wk=1 and first not last", "first wk=1 and first (not last)"),
        ("ever first (wk=1 then bk=1)", "ever first (wk=1 then bk=1 within 10)"),
        ("repeats >= 3 or repeats 2", "repeats 3.. or repeats 2"),
        ("move retakes from 3", "move from 3 retakes"),
        // Transforms belong to the operand before them.
        ("pattern \"w28\" mirrored flipped flipped", "pattern \"w28\" flipped mirrored"),
        ("pattern \"w28\" shifted and wk=1", "pattern \"w28\" shifted and wk=1"),
        ("(white : a and w-b>=1 for 6) flipped", "(white : \"a\" and w-b>=1 for 6) flipped"),
        ("not wk=1 flipped", "not wk=1 flipped"),
        ("(not wk=1) flipped", "(not wk=1) flipped"),
        ("wk != 1 flipped", "(not wk=1) flipped"),
        ("wk=1 and bk=1 flipped or last", "wk=1 and bk=1 flipped or last"),
        ("ever wk=1 flipped", "ever wk=1 flipped"),
        ("(ever wk=1) flipped", "(ever wk=1) flipped"),
        ("wk=1 flipped then (last) flipped passed", "wk=1 flipped then last flipped passed within 10"),
        ("((wk=1 or last) flipped) mirrored", "(wk=1 or last) flipped mirrored"),
        ("((wk=1 flipped) and last) flipped", "(wk=1 flipped and last) flipped"),
        ("(white to move passed) passed", "white to move"),
        ("move flipped", "move flipped"),
        ("(fen \"W:WK3:B18\" or last) passed", "(fen \"W:WK3:B18\" or last) passed"),
        ("tag WhiteTeam flipped", "tag \"WhiteTeam\" flipped"),
        ("(best >= 3) passed and w on 1-5 >= 3 shifted", "best >= 3 passed and w on 1-5 >= 3 shifted"),
        ("rating white - rating black >= 200 flipped", "rating white - rating black >= 200 flipped"),
    ] {
        check(text, canonical);
    }
}

#[test]
fn conditions_on_variations_and_notes_are_written_in_canonical_form() {
    for (text, canonical) in [
        ("aside move x28", "aside move to 28 takes 1..255"),
        ("Aside not comment", "aside (not comment)"),
        ("ever aside (mark ! and nag >= 7)", "ever aside (mark \"!\" and nag 7..)"),
        ("aside (comment then last)", "aside (comment then last within 10)"),
        ("aside aside comment=\"A shot\"", "aside aside comment = \"A shot\""),
        ("comment : shot or comment ~ shott", "comment : \"shot\" or comment ~ \"shott\""),
        ("comment = begin* for 3", "comment = \"begin*\" for 3"),
        ("nag 1 and nag 10-20", "nag 1 and nag 10..20"),
        ("mark \"(?)\" or mark *", "mark \"?\" or mark \"*\""),
    ] {
        check(text, canonical);
    }
    for (text, at, message) in [
        ("aside", "", "expected a condition"),
        ("aside mark good", "good", "expected a move strength, such as `\"!\"`, `\"?\"`"),
        ("nag a", "a", "expected the number of a NAG"),
        ("comment : \"?\"", "?", "expected a name with a letter or a digit"),
    ] {
        check_error(text, at, message);
    }
}

/// Checks the part of the text that an error names, and the beginning of its message.
fn check_error(text: &str, at: &str, message: &str) {
    let error = Query::parse(text).expect_err(text);
    assert_eq!(text.get(error.span().range()), Some(at), "{text}: {error}");
    assert!(error.message().starts_with(message), "{text}: {error}");
}

#[test]
fn query_error_names_the_unreadable_part() {
    for (text, at, message) in [
        ("", "", "expected a condition"),
        ("white wiersma", "wiersma", "expected `:`, `=`, `~` or `to move`, found `wiersma`"),
        ("white :", "", "expected a name, found the end"),
        (
            "white = 'Ames, Ann'",
            "Ann'",
            "expected `and`, `or`, `then`, `after`, `for` or `times`, found `Ann'`; texts stand in double quotes",
        ),
        ("white_ratings = 1", "_ratings", "expected `:`, `=`, `~` or `to move`, found `_ratings`"),
        ("status = strange", "strange", "expected `legal`, "),
        ("white : a b", "b", "expected `and`, `or`, `then`, `after`, `for` or `times`, found `b`"),
        ("wk=1 and", "", "expected a condition"),
        ("(wk=1", "", "expected `)`, `and` or `or`"),
        ("wk=1)", ")", "expected `and`"),
        ("wk 1", "1", "expected `=`"),
        ("wk=", "", "expected a number of pieces"),
        ("wq=1", "wq=1", "expected a condition, found `wq=1`: is `w`, `wm` or `wk` meant?"),
        ("plaer : wiersma", "plaer", "expected a condition, found `plaer`: is `player` meant?"),
        (
            "wiersma",
            "wiersma",
            "expected a condition, such as `player : wiersma` or `wk = 1`, found `wiersma`",
        ),
        ("wk=1 adn bk=1", "adn", "expected an operator, found `adn`: is `and` meant?"),
        ("wk=1 fliped", "fliped", "expected an operator, found `fliped`: is `flipped` meant?"),
        ("variant = rusian", "rusian", "expected a variant, found `rusian`: is `russian` meant?"),
        ("status legl", "legl", "expected a status, found `legl`: is `legal` meant?"),
        ("@philip", "@philip", "expected the name of a definition, found `philip`: is `philips` meant?"),
        ("w on lft = 1", "lft", "expected squares or an area, found `lft`: is `left` meant?"),
        ("w-q=1", "q=1", "expected a number, such as"),
        ("w-moes=1", "moes=1", "expected a number, found `moes=1`: is `moves` meant?"),
        ("date 1990.07..1990.06", "1990.07..1990.06", "expected the earlier date first"),
        ("date 1991..1990.12", "1991..1990.12", "expected the earlier date first"),
        ("date 1990..soon", "soon", "expected a date"),
        ("date 1995..1990", "1995..1990", "expected the earlier date first"),
        ("plies 9..3", "9..3", "expected the smaller number first"),
        ("plies 9-3", "9-3", "expected the smaller number first"),
        ("plies < 0", "< 0", "no number lies in this range"),
        ("date > 9999", "9999", "no date lies in this range"),
        ("rating 99999", "99999", "expected a rating from 0 to 65,535"),
        ("variant chess", "chess", "expected `international`, "),
        ("result nonsense", "nonsense", "expected a result"),
        ("fen \"W:Wx\"", "x", "this is no FEN"),
        ("fen \"W:WK99:B1\"", "K99", "expected squares up to 72"),
        ("pattern \"w73\"", "73", "expected a square"),
        ("move from 32,99", "99", "expected a square"),
        ("round x", "x", "expected a number"),
        ("pattern \"w32 z5\"", "z", "expected what stands there"),
        ("pattern \"w32,q\"", "q", "expected a square"),
        ("pattern \"wc3\"", "c3", "expected the number"),
        ("pattern \"w9-3\"", "9-3", "expected the smaller number first"),
        ("pattern \"w", "\"w", "expected `\"`"),
        ("pattern \"../..\"", "../..", "expected the 8, 10 or 12 rows"),
        ("line \"1. 32-28 19\"", "19", "expected a move"),
        ("move here", "here", "expected `32-28`"),
        ("tag", "", "expected the name of a tag"),
        ("file ()", "(", "expected the name of a file"),
        ("w >= x", "x", "expected a number of pieces, or a sum"),
        ("wk=1 then wk=2 within 0", "0", "expected a number of plies from 1"),
        ("move from 32,x", "x", "expected a square"),
        ("move by dog", "dog", "expected `man`, `king`, `white` or `black`"),
        ("sacrifice 0", "0", "expected pieces from 1 to 40"),
        ("wk=1 then", "", "expected a condition"),
        ("wk=1 for ever", "ever", "expected a number of plies"),
        ("w on", "", "expected an area"),
        ("w on 5-1 = 0", "5-1", "expected the smaller number first"),
        ("w on middle = 0", "middle", "expected squares, such as `1-5,c3`, or one of centre"),
        ("w on 1,, = 0", "", "expected squares"),
        ("w on left", "", "expected `=`"),
        ("tempo 3", "3", "expected `white` or `black`"),
        ("distance W:Wx = 0", "x", "this is no FEN"),
        ("moves >= x", "x", "expected a number"),
        ("w + x = 1", "x", "expected a number, such as"),
        (
            "plies - ply <= 3",
            "plies - ply <= 3",
            "expected one kind of numbers: `plies` is of the game, `ply`",
        ),
        (
            "w on left > w on left",
            "w on left > w on left",
            "this asks for a sum whose numbers cancel each other",
        ),
        ("played 27", "27", "expected a move, such as 27-22"),
        ("played \". ..\"", ". ..", "expected moves"),
        ("fen of 0 at 3", "0", "expected the number of a game from 1"),
        ("fen of 3", "", "expected `at`"),
        ("meets 3 at 5", "at", "expected `from`"),
        ("@nonsense and wk=1", "@nonsense", "no definition has the name `nonsense`; there are mazette"),
        ("wk=1 after", "", "expected a condition"),
        ("wk=1 then wk=2 within 5..3", "5..3", "expected the smaller number first"),
        ("wk=1 then wk=2 within 0..3", "0", "expected a number of plies from 1"),
        ("wk=1 after wk=2 within < 1", "< 1", "no number lies in this range"),
        ("wk=1 times", "", "expected a number of positions"),
        ("wk=1 times -1", "-1", "expected a number of positions"),
        ("wk=1 then wk=2 after wk=3", "after", "expected `and`, `or`, `then`, `after`"),
        ("wk=1 times 3 times 4", "times", "expected `and`, `or`, `then`, `after`"),
        ("first", "", "expected a condition"),
        ("repeats", "", "expected a number of times"),
        ("repeats 0", "0", "expected a number of times from 1"),
        ("flipped wk=1", "flipped", "expected a condition"),
        ("wk=1 shifted", "shifted", "nothing before it names squares"),
        (
            "fen \"W:WK3:B18\" shifted",
            "shifted",
            "`fen \"W:WK3:B18\"` names all squares, so that it cannot be shifted",
        ),
        ("(move 32-28 or line \"32-28\") shifted", "shifted", "`line \"32-28\"` names all squares"),
        ("(wk=1 and move x19) passed", "passed", "`move to 19 takes 1..255` is about the next move"),
        ("(last or ever sacrifice) passed", "passed", "`sacrifice 1 within 10` is about the next moves"),
        (
            "(last or repeats 3) flipped passed",
            "passed",
            "`repeats 3` counts positions together with their side",
        ),
        ("(white : a and result = 1-1) flipped", "flipped", "`result = \"1-1\"` compares a text"),
        ("(takes = 1) passed", "passed", "`takes = 1` is about the next move"),
        ("played \"32-28\" passed", "passed", "`played \"32-28\"` is about the next moves"),
        ("meets 3 from 4 shifted", "shifted", "`meets 3 from 4` names all squares"),
        ("distance \"W:WK3:B18\" <= 2 shifted", "shifted", "`distance \"W:WK3:B18\" <= 2` names all squares"),
        ("w-b >= 2 shifted", "shifted", "nothing before it names squares"),
        ("tag Result : x flipped", "flipped", "`tag \"Result\" : \"x\"` compares a text"),
    ] {
        check_error(text, at, message);
    }
    assert!(Query::parse(&"(".repeat(100_000)).is_err());
    assert!(Query::parse(&"ever ".repeat(100_000)).is_err());
    assert!(Query::parse(&"first ".repeat(100_000)).is_err());
    assert!(Query::parse(&format!("{}wk=1", "not ".repeat(100_001))).is_ok());
    assert!(Query::parse(&format!("wk=1{}", " flipped".repeat(100_001))).is_ok());
}

#[test]
fn contradictions_are_errors_with_their_place() {
    for (text, at) in [
        ("pattern \"w1,1 b1\"", "1"),
        ("pattern \"w28 b19-30\"", "19-30"),
        ("pattern \"!?5\"", "5"),
        ("fen \"W:W31:B31\"", "31"),
        ("ply 3 and ply 5", "ply 5"),
        ("(last and ply 3..4) and plies 9 and ply 5", "ply 5"),
        ("ever (wk = 1 and bk = 1 and wk >= 2)", "wk >= 2"),
        ("white to move and black to move", "black to move"),
        ("last and not last", "not last"),
        ("last and move 32-28", "move 32-28"),
        ("pattern \"w28\" and pattern \".28\"", "pattern \".28\""),
        ("fen \"W:W31:B1\" and black to move", "black to move"),
        ("black to move and fen \"W:W31:B1\"", "fen \"W:W31:B1\""),
        ("winner white and winner nobody", "winner nobody"),
        ("winner nobody and loser : x", "loser : x"),
        ("date 1990 and date > 1990", "date > 1990"),
        ("plies 3 and plies > 3", "plies > 3"),
        ("rating 2000 and rating > 2000", "rating > 2000"),
        ("status legal and status illegal", "status illegal"),
        ("variant russian and variant english", "variant english"),
        ("result win and result draw", "result draw"),
        ("white = a and white = b", "white = b"),
        ("tag ECO = a and tag eco = b", "tag eco = b"),
        ("move by man by king", "by king"),
        ("move by white by black", "by black"),
        ("move promotes stays", "stays"),
        ("move promotes by king", "by king"),
        ("move takes 0 over 19", "over 19"),
        ("move takes 0 retakes", "retakes"),
        ("move retakes takes 0", "takes 0"),
        ("repeats 2 and repeats 3", "repeats 3"),
        ("(last and not last) flipped", "not last"),
        ("move takes 0 32x19", "32x19"),
        ("move from 32 from 31", "from 31"),
        ("w > w", "w > w"),
        ("w on left = 1 and w on left >= 2", "w on left >= 2"),
        (
            "rating white - rating black > 3 and rating white - rating black < 3",
            "rating white - rating black < 3",
        ),
    ] {
        let error = Query::parse(text).expect_err(text);
        assert_eq!(text.get(error.span().range()), Some(at), "{text}: {error}");
    }
    for text in [
        "ever ply 3 and ever ply 5",
        "player = a and player = b",
        "white = a and black = b",
        "rating white 2000 and rating black 2200",
        "fen \"W:W31:B1\" flipped and black to move",
        "pattern \"w28\" flipped and pattern \".28\"",
        "ply 3 or ply 5",
        "wk = 1 and bk = 2",
        "tag ECO and tag ECO = a",
    ] {
        assert_eq!(Query::parse(text).map(|query| query.contradiction().is_some()), Ok(false), "{text}");
    }
}

#[test]
fn names_of_punctuation_only_are_errors() {
    for text in
        ["white = \"?\"", "player : -", "event ~ \"...\"", "site = \"*\"", "black = \"?*\"", "file = \"/\""]
    {
        let error = Query::parse(text).expect_err(text);
        assert!(error.message().starts_with("expected a name with a letter or a digit"), "{text}: {error}");
    }
    let unknown = Query::parse("white = \"\"").expect("unknown players");
    assert_eq!(unknown, Query::exactly(crate::internal::query::Field::White, ""));
}

#[test]
fn values_of_single_conditions_do_not_mention_operators() {
    for (keyword, value, at, message) in [
        ("date", "1999 2000", "2000", "expected the end, found `2000`"),
        ("plies", "40 and 50", "and", "expected the end, found `and`"),
        ("round", "", "", "expected a number, or"),
        ("date", "soon", "soon", "expected a date, such as"),
        ("date", "1990.07..1990.06", "1990.07..1990.06", "expected the earlier date first"),
        ("ply", "9..3", "9..3", "expected the smaller number first"),
        ("ply", "=> 9", "=>", "write `>=`"),
        ("date", "=< 1990", "=<", "write `<=`"),
    ] {
        let error = Query::parse_value(keyword, value).expect_err(value);
        assert_eq!(value.get(error.span().range()), Some(at), "{value}: {error}");
        assert!(error.message().starts_with(message), "{value}: {error}");
    }
    assert_eq!(Query::parse_value("move", ""), Query::parse("move"));
}

#[test]
fn query_error_span_keeps_characters_whole() {
    check_error("fen \"é*\"", "é", "this is no FEN");
    let error = Query::parse("fen \"\\x\\yé*\"").expect_err("no FEN");
    assert!("fen \"\\x\\yé*\"".get(error.span().range()).is_some());
    assert_eq!(Pattern::fen("éé").expect_err("no FEN").span(), Span::new(0, 2));
}

#[test]
fn board_diagram_is_parsed_as_a_pattern() {
    let diagram = "\
        | - ? - ? - ? - ? - ? |
        | ? - ? - ? - ? - ? - |
        ?????/?????/?????/?????/?????/?????/
        ??w??
        ?????";
    let query = Query::parse(&format!("pattern \"{diagram}\"")).expect("a board");
    let list = Query::parse("pattern \"w43\"").expect("a pattern");
    assert_ne!(query, list, "a pattern keeps its text");
    check(&query.to_string(), &query.to_string());
    for (text, at, message) in [
        ("????/????/????/????/????/????/????/???", "???", "expected 4 or 8 or 5 playing squares"),
        ("?????/?????/?????/?????/?????/?????/?????/?????/?????/????z", "z", "expected what stands there"),
    ] {
        check_error(&format!("pattern \"{text}\""), at, message);
    }
}

proptest! {
    #[test]
    fn parser_never_panics_on_any_text(text in "\\PC*") {
        let _ = Query::parse(&text);
    }

    #[test]
    fn parser_reads_back_any_query_of_known_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..12)) {
        let text = words.join(" ");
        match Query::parse(&text) {
            Ok(query) => prop_assert_eq!(Query::parse(&query.to_string()), Ok(query)),
            Err(error) => {
                let span = error.span();
                prop_assert!(text.get(span.range()).is_some(), "{} {:?}", text, span);
            }
        }
    }
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "and",
    "or",
    "not",
    "then",
    "within",
    "for",
    "3",
    "ever",
    "never",
    "aside",
    "comment",
    "nag",
    "mark",
    "!",
    "white",
    ":",
    "=",
    "~",
    "a",
    "\"é*\"",
    "to",
    "move",
    "by",
    "king",
    "takes",
    "earlier",
    ">=",
    "w-b",
    "wk",
    "=1",
    "date",
    "1990..",
    "plies",
    "last",
    "winner",
    "nobody",
    "pattern",
    "\"w3\"",
    "fen",
    "\"W:W3:B4\"",
    "flipped",
    "sacrifice",
    "regained",
    "ply",
    "..",
    "-",
    "status",
    "legal",
    "w",
    "on",
    "left",
    "moves",
    "rating",
    "+",
    "played",
    "\"27-22 .. x16\"",
    "@petrov",
    "of",
    "at",
    "meets",
    "from",
    "after",
    "times",
    "first",
    "repeats",
    "retakes",
    "mirrored",
    "shifted",
    "passed",
];

/// A query whose brackets repeat every transform would otherwise take time and memory without bounds.
#[test]
fn transforms_of_too_many_conditions_are_errors() {
    let nested = |levels: usize| {
        let mut text = "pattern \"w28\"".to_owned();
        for _ in 0..levels {
            text = format!("({text} flipped mirrored and wk=1)");
        }
        Query::parse(&text)
    };
    assert!(nested(5).is_ok());
    let error = nested(50).expect_err("4 to the power of 50 forms");
    assert!(error.message().starts_with("this asks for 5,460 conditions, and at most 5,000"), "{error}");
    let joined = vec!["pattern \"w28\" shifted"; 70].join(" or ");
    let error = Query::parse(&joined).expect_err("70 times 72 forms");
    assert!(error.message().starts_with("this asks for 5,040 conditions"), "{error}");
    assert!(Query::parse(&vec!["pattern \"w28\""; 6_000].join(" or ")).is_ok(), "without transforms");
}

/// Twice as many parts take about twice as many comparisons.
#[test]
fn long_and_takes_time_in_proportion_to_its_length() {
    let steps = |parts: usize| {
        let text = vec!["plies 40"; parts].join(" and ");
        let before = pdn_rules::internal::steps::count();
        let query = Query::parse(&text).expect("no part excludes another");
        assert_eq!(query.contradiction(), None);
        pdn_rules::internal::steps::count().zip(before).map_or(0, |(after, before)| after - before)
    };
    let (short, long) = (steps(1_000), steps(4_000));
    assert!(long <= 5 * short, "{short} and {long} steps");
    // Among the first parts, contradictions are found.
    assert!(Query::parse("plies 1 and plies 2").is_err());
}

#[test]
fn sum_whose_numbers_cancel_each_other_is_refused() {
    for text in [
        "moves - moves != -1",
        "rating black = rating black",
        "w on left - w on left >= 0",
        "w - w != 1",
        "p >= w + b",
    ] {
        let error = Query::parse(text).expect_err(text);
        assert_eq!(error.message(), "this asks for a sum whose numbers cancel each other", "{text}");
        assert_eq!(error.span().range(), 0..text.len());
    }
}

#[test]
fn queries_of_the_guide_can_be_read() {
    let guide = [
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../app/src/guide/other_programs.md")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../app/src/guide/search.md")),
    ];
    let mut read = 0;
    for line in guide.iter().flat_map(|page| page.lines()).filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        // Of other programs, the first column is not ours; of questions, the third one has the query.
        let Some(ours) = (if cells.len() == 4 { cells.get(2) } else { None }) else { continue };
        for query in ours.split('`').skip(1).step_by(2) {
            assert!(Query::parse(query).is_ok(), "{query}: {:?}", Query::parse(query));
            read += 1;
        }
    }
    let of_others = guide[0].lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    for (_, ours) in of_others {
        for text in ours.split('`').skip(1).step_by(2) {
            let is_query = text.contains(' ') && !text.starts_with("pdn ") && !text.contains(" ... ");
            if !is_query || text.starts_with("--") || text.ends_with(':') {
                continue;
            }
            let query = text.replace("A ", "last ").replace("B ", "last ");
            let query = query.strip_suffix(" B").map_or(query.clone(), |start| format!("{start} last"));
            assert!(Query::parse(&query).is_ok(), "{query}: {:?}", Query::parse(&query));
            read += 1;
        }
    }
    assert!(read > 50, "{read}");
}
