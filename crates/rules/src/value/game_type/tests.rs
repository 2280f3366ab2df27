use proptest::prelude::*;

use alloc::string::ToString;

use super::*;
use crate::value::Span;
use crate::value::error::{Problem, UnexpectedByte};

fn parse(text: &str) -> GameType {
    GameType::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn game_type_matches_its_table_row() {
    let check = |text: &str, name: &str, results: ResultFormat, capture: char| {
        let full = parse(text);
        assert_eq!(full.to_string(), text);
        assert_eq!(full.name(), Some(name), "{text}");
        assert_eq!(full.status(), GameTypeStatus::Draughts, "{text}");
        assert_eq!(full.result_system(), Some(results), "{text}");
        assert_eq!(full.capture_separator(), Some(capture), "{text}");
        assert!(full.details().unwrap().is_complete(), "{text}");
    };
    use ResultFormat::{Default, International};
    check("20,W,10,10,N2,0", "International draughts", International, 'x');
    check("21,B,8,8,N1,0", "English draughts", Default, 'x');
    check("22,W,8,8,N2,1", "Italian draughts", Default, 'x');
    check("23,B,8,8,N1,0", "American pool checkers", Default, 'x');
    check("23,W,8,8,A0,0", "Pool checkers (unified)", Default, 'x');
    check("23,W,8,8,A1,1", "Jamaican draughts", Default, 'x');
    check("24,W,8,8,N1,1", "Spanish draughts", Default, 'x');
    check("25,W,8,8,A0,0", "Russian draughts", Default, ':');
    check("26,W,8,8,A0,0", "Brazilian draughts", Default, 'x');
    check("27,W,12,12,N2,0", "Canadian draughts", International, 'x');
    check("28,W,8,8,N1,1", "Portuguese draughts", Default, 'x');
    check("29,W,8,8,A0,0", "Czech draughts", Default, 'x');
    check("30,W,8,8,A0,0", "Turkish draughts", Default, 'x');
    check("31,B,8,8,N2,0", "Thai draughts", Default, '-');
    check("40,W,10,10,N2,0", "Frisian draughts", Default, 'x');
    check("41,W,10,8,A0,0", "Spantsiretti draughts", Default, ':');
    for row in GAME_TYPES.iter().filter(|row| row.attributes.is_some()) {
        let text = GameType { number: row.number, attributes: row.attributes }.to_string();
        assert_eq!(parse(&text).attributes, row.attributes);
    }
}

#[test]
fn number_without_attributes_denotes_the_first_row() {
    assert_eq!(parse("23").details(), parse("23,B,8,8,N1,0").attributes);
    assert_eq!(parse("21").start(), Some(Colour::Black));
    assert_eq!(parse("23,W,8,8,A1,1").start(), Some(Colour::White));
    assert_eq!(parse("96").start(), None);
}

#[test]
fn status_distinguishes_numbers_outside_draughts() {
    use GameTypeStatus::{Draughts, OtherGame, Reserved, Unknown};
    for (text, status, name) in [
        ("0", OtherGame("Chess"), Some("Chess")),
        ("1", OtherGame("Chinese chess"), Some("Chinese chess")),
        ("2", Reserved, Some("future chess expansion")),
        ("19", Reserved, Some("future chess expansion")),
        ("32", Reserved, Some("future draughts expansion")),
        ("49", Reserved, Some("future draughts expansion")),
        ("50", OtherGame("Othello"), Some("Othello")),
        ("51", Unknown, None),
        ("65535", Unknown, None),
        ("96", Draughts, Some("Breakthrough draughts")),
        ("98", Draughts, Some("Antidraughts")),
    ] {
        assert_eq!((parse(text).status(), parse(text).name()), (status, name), "{text}");
    }
}

#[test]
fn incomplete_and_old_forms_are_parsed() {
    let check = |text: &str, canonical: &str| assert_eq!(parse(text).to_string(), canonical, "{text}");
    check("20", "20");
    check(" 020 ", "20");
    check("20,W,10,10,N1,0", "20,W,10,10,N1,0");
    check("20,W,0,0,N,0", "20,W,0,0,N,0");
    check("0,W,8,8,S0", "0,W,8,8,S0");
    check("0,W,8,8,0,S0", "0,W,8,8,S0,0");
    check("21,B,10,10,N1,0", "21,B,10,10,N1,0");
    check("25, w, 8, 8, a0, 0", "25,W,8,8,A0,0");
    assert_eq!(parse("20,W,0,0,N,0").attributes.unwrap().board(), None);
    assert!(!parse("20,W,10,10,N,0").attributes.unwrap().is_complete());
    assert_eq!(parse("21,B,10,10,N1,0").attributes.unwrap().board(), Some((10, 10)));
}

#[test]
fn malformed_game_type_is_rejected_with_span() {
    let check = |text: &str, problem: Problem, start: u32, end: u32, number: Option<u16>| {
        let error = ValueError::new(problem, Span::new(start, end));
        assert_eq!(GameType::parse(text.as_bytes()), Err(error), "{text}");
        assert_eq!(GameType::number_in(text.as_bytes()), number, "{text}");
    };
    let found = |expected, byte: u8| Problem::Unexpected(expected, UnexpectedByte(Some(byte)));
    check("", Problem::Unexpected(fields::NUMBER, UnexpectedByte(None)), 0, 0, None);
    check("International", found(fields::NUMBER, b'I'), 0, 13, None);
    check("65536", fields::TOO_LARGE, 0, 5, None);
    check("20 W", found(fields::NUMBER, b' '), 0, 4, Some(20));
    check("20,", Problem::Unexpected(fields::START, UnexpectedByte(None)), 3, 3, Some(20));
    check("20,X,10,10,N2,0", found(fields::START, b'X'), 3, 4, Some(20));
    check("20,W", Problem::Unexpected(fields::SIZE, UnexpectedByte(None)), 4, 4, Some(20));
    check("20,W,1O,10,N2,0", found(fields::SIZE, b'O'), 5, 7, Some(20));
    check("20,W,300,10,N2,0", fields::TOO_LARGE, 5, 8, Some(20));
    check("20,W,10,10,Q2,0", found(fields::NOTATION, b'Q'), 11, 13, Some(20));
    check("20,W,10,10,N4,0", found(fields::NOTATION, b'4'), 11, 13, Some(20));
    check("20,W,10,10", Problem::Unexpected(fields::NOTATION, UnexpectedByte(None)), 10, 10, Some(20));
    check("20,W,10,10,N2,2", found(fields::INVERT_FLAG, b'2'), 14, 15, Some(20));
    check("20,W,10,10,N2,0,7", found(fields::END, b'7'), 16, 17, Some(20));
    let error = GameType::parse(b"20,X").unwrap_err();
    assert_eq!(error.to_string(), "expected the side that starts, `W` or `B`, found `X`");
}

proptest! {
    #[test]
    fn parsing_any_bytes_does_not_panic(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let _ = GameType::parse(&text);
    }

    #[test]
    fn game_type_survives_writing_and_parsing(text in "[0-9]{1,3}(,[WBw],[0-9]{1,2},[0-9]{1,2},[ANSa][0-3]?(,[01])?)?") {
        let parsed = GameType::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(GameType::parse(parsed.to_string().as_bytes()), Ok(parsed));
    }
}
