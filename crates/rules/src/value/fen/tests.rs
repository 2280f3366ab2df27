use proptest::prelude::*;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::value::Span;
use crate::value::error::{Problem, UnexpectedByte};

/// Lists the pieces in the order of the text.
fn listing(fen: &Fen<'_>) -> String {
    let piece = |p: FenPiece| format!("{}{}{}", p.colour.letter(), if p.king { "K" } else { "" }, p.square);
    fen.pieces().map(piece).collect::<Vec<_>>().join(" ")
}

#[test]
fn position_is_parsed_in_every_form() {
    let check = |text: &str, pieces: &str, canonical: &str| {
        let fen = Fen::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(listing(&fen), pieces, "{text}");
        assert_eq!(fen.to_string(), canonical, "{text}");
        assert_eq!(fen.is_canonical(), fen.forms().iter().next().is_none(), "{text}");
        assert_eq!(fen.len(), fen.pieces().count(), "{text}");
    };
    // The examples of PDN 3.0, 2.0 and 1.0.
    check(
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
        "W18 W24 W27 W28 WK10 WK15 B12 B16 B20 BK22 BK25 BK29",
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
    );
    check("W:WK4,30:B27,22.", "WK4 W30 B27 B22", "W:WK4,30:B27,22");
    check("B:B1-3,18-19:W26,28,33-34", "B1 B2 B3 B18 B19 W26 W28 W33 W34", "B:W26,28,33,34:B1,2,3,18,19");
    check("?:W29,13,11:B22,4,2", "W29 W13 W11 B22 B4 B2", "?:W29,13,11:B22,4,2");
    // One side only, or none.
    check("W:W1", "W1", "W:W1:B");
    check("B:B1", "B1", "B:W:B1");
    check("W:W:B", "", "W:W:B");
    check("W:W:B1", "B1", "W:W:B1");
    for null in ["B:::", "B::.", "B::", "B:", "b:::"] {
        check(null, "", "B:::");
    }
    check("W::.", "", "W:::");
    check("?:?:?", "", "?:::");
    // Kings.
    check("W:WK1-3:B20", "WK1 WK2 WK3 B20", "W:WK1,K2,K3:B20");
    check("W:WK1-K3:B20", "WK1 WK2 WK3 B20", "W:WK1,K2,K3:B20");
    check("W:Wk1:Bk20", "WK1 BK20", "W:WK1:BK20");
    check("W:W5-5:B20", "W5 B20", "W:W5:B20");
    // Untidy writing.
    check(" w : w 31, 32 ,33 : b 1 , 2 . ", "W31 W32 W33 B1 B2", "W:W31,32,33:B1,2");
    check("W:W05,010:B1", "W5 W10 B1", "W:W5,10:B1");
    check("W:W31,,32,:B,1", "W31 W32 B1", "W:W31,32:B1");
    check("W:W31 32\r\n33:BK1K2", "W31 W32 W33 BK1 BK2", "W:W31,32,33:BK1,K2");
    check("W:W31:W32:B1.:B2", "W31 W32 B1 B2", "W:W31,32:B1,2");
    check("W:W31,31:B1", "W31 W31 B1", "W:W31,31:B1");
    check("W:W31:B1:H0:F12", "W31 B1", "W:W31:B1");
    check("W:W31:B1:H0:F1:+1+0", "W31 B1", "W:W31:B1");
    check("W:W31:B1:H0:F1.", "W31 B1", "W:W31:B1");
    // Other separators and letters, where only one reading is possible.
    check("W:W:31,32,K33B:1,2,3", "W31 W32 WK33 B1 B2 B3", "W:W31,32,K33:B1,2,3");
    check("W:W31,32;B1,2", "W31 W32 B1 B2", "W:W31,32:B1,2");
    check("W:W31.32:B1.2", "W31 W32 B1 B2", "W:W31,32:B1,2");
    check("W:W31.32:B1.2.", "W31 W32 B1 B2", "W:W31,32:B1,2");
    check("B W31,32 B1,2", "W31 W32 B1 B2", "B:W31,32:B1,2");
    check("W:W31-33B1-2", "W31 W32 W33 B1 B2", "W:W31,32,33:B1,2");
    check("w:w31,32:z1,2", "W31 W32 B1 B2", "W:W31,32:B1,2");
    check("z:w31,d32:z1,2", "W31 WK32 B1 B2", "B:W31,K32:B1,2");
    check("S:W31:SD1", "W31 BK1", "B:W31:BK1");
    check("B:B31:N1", "W31 B1", "W:W31:B1");
    check("N/B31/N1", "W31 B1", "B:W31:B1");
    check("W:WD5,31:BD7", "WK5 W31 BK7", "W:WK5,31:BK7");
    check("?;W31;B1", "W31 B1", "?:W31:B1");
    check("W:W:a3,c3,Kg1B:b8", "Wa3 Wc3 WKg1 Bb8", "W:Wa3,c3,Kg1:Bb8");
    check("W Wa3 Dd4 Bb8 De7", "Wa3 WKd4 Bb8 BKe7", "W:Wa3,Kd4:Bb8,Ke7");
    // A letter for each square.
    let hub = format!("B{}{}WB", "b".repeat(20), "e".repeat(28));
    check(
        &hub,
        &(1..=20).map(|n| format!("B{n} ")).chain(["WK49 BK50".to_string()]).collect::<String>(),
        "B:WK49:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,K50",
    );
    check(&format!(" W{}w\n", "e".repeat(31)), "W32", "W:W32:B");
    // Square names.
    check("W:Wa3,c3,Kg1:Bb8,Kd8", "Wa3 Wc3 WKg1 Bb8 BKd8", "W:Wa3,c3,Kg1:Bb8,Kd8");
    check("W:WA3,KC3:BB8,KD8,", "Wa3 WKc3 Bb8 BKd8", "W:Wa3,Kc3:Bb8,Kd8");
    check("b:wka1:bb8", "WKa1 Bb8", "B:WKa1:Bb8");
    check("W:Wl12,k11,Kk9:Bkk7,a1", "Wl12 Wk11 WKk9 BKk7 Ba1", "W:Wl12,k11,Kk9:BKk7,a1");
}

#[test]
fn nonstandard_forms_are_reported_with_first_span() {
    let check = |text: &str, forms: &[FenForm], first: Option<(u32, u32)>| {
        let fen = Fen::parse(text.as_bytes()).unwrap();
        assert_eq!(fen.forms().iter().collect::<Vec<_>>(), forms, "{text}");
        assert_eq!(fen.forms().first_span(), first.map(|(start, end)| Span::new(start, end)), "{text}");
    };
    for canonical in ["W:W31-50:B1-20", "B:::", "?:W1:B2", "W:W:B1", "W:Wa3:BKb8", "B:B1:W50", "W:WK1-5:B20"]
    {
        check(canonical, &[], None);
    }
    check("W:WK4,30:B27,22.", &[FenForm::FinalDot], Some((15, 16)));
    check("W:W31, 32:B1", &[FenForm::Whitespace], Some((6, 7)));
    check("W:W31, \t 32:B1", &[FenForm::Whitespace], Some((6, 9)));
    check("W:W31:b1.", &[FenForm::FinalDot, FenForm::LetterCase], Some((6, 7)));
    check("W:Wk31:B1", &[FenForm::LetterCase], Some((3, 4)));
    check("W:WA3:Bb8", &[FenForm::LetterCase], Some((3, 4)));
    check("W:W31,:B1", &[FenForm::ExtraComma], Some((6, 6)));
    check("W:WK31K32:B1", &[FenForm::MissingComma], Some((6, 6)));
    check("W:W05:B1", &[FenForm::LeadingZero], Some((3, 5)));
    check("W:WK1-K5:B20", &[FenForm::KingTwice], Some((6, 7)));
    check("W:W31:W32", &[FenForm::RepeatedColour], Some((6, 7)));
    check("W:W1-3,2:B9", &[FenForm::RepeatedSquare], Some((7, 8)));
    check("W::.", &[FenForm::FinalDot, FenForm::BareSection], Some((2, 2)));
    check("W:W31:B1:H0:F1", &[FenForm::Counters], Some((9, 11)));
    check("W:W31:B1:H0.", &[FenForm::FinalDot, FenForm::Counters], Some((9, 11)));
    check("W:W31;B1", &[FenForm::OtherSeparator], Some((5, 6)));
    check("W:W31:Z1", &[FenForm::OtherLetter], Some((6, 7)));
    check("W:WD31:B1", &[FenForm::OtherLetter], Some((3, 4)));
    check(&format!("W{}", "e".repeat(50)), &[FenForm::Hub], Some((0, 51)));
}

#[test]
fn second_letter_for_the_side_to_move_counts() {
    use Colour::{Black, White};
    for (text, turn, other) in [
        ("W:B:W31,36:B4,9", Some(Black), Some(White)),
        ("B:W:B4,9:W31,36.", Some(White), Some(Black)),
        ("w : b : w31 : b4", Some(Black), Some(White)),
        ("W:B:Wa3:Bb8", Some(Black), Some(White)),
        ("W:B:W31:B4:H0:F1", Some(Black), Some(White)),
        ("W:W:W31:B4", Some(White), None),
        ("?:B:W31:B4", Some(Black), None),
        // The second letter is a side without pieces.
        ("W:B:W31", Some(White), None),
        ("W:W:B4", Some(White), None),
        ("W:W31:W32:B4", Some(White), None),
    ] {
        let fen = Fen::parse(text.as_bytes()).unwrap();
        assert_eq!((fen.turn(), fen.other_turn()), (turn, other), "{text}");
    }
    let forms = Fen::parse(b"W:B:W31:B4").unwrap().forms();
    assert_eq!(forms.iter().collect::<Vec<_>>(), [FenForm::SecondTurn]);
    assert_eq!(forms.first_span(), Some(Span::new(2, 3)));
}

#[test]
fn malformed_position_is_rejected_with_span() {
    let check = |text: &str, problem: Problem, start: u32, end: u32| {
        assert_eq!(
            Fen::parse(text.as_bytes()),
            Err(ValueError::new(problem, Span::new(start, end))),
            "{text}"
        );
    };
    let found = |expected, byte: u8| Problem::Unexpected(expected, UnexpectedByte(Some(byte)));
    check("", scan::EMPTY, 0, 0);
    check("  ", scan::EMPTY, 0, 2);
    check("X:W1:B2", found(scan::TURN, b'X'), 0, 1);
    check("31-50", found(scan::TURN, b'3'), 0, 1);
    check("W", Problem::Unexpected(scan::COLON, UnexpectedByte(None)), 1, 1);
    check("WW31", found(scan::COLON, b'W'), 1, 2);
    // One side, three sides, a side named twice, and two readings: a man on d5 or a king on 5.
    check("W W1", found(scan::COLON, b'W'), 2, 3);
    check("W:W31:B1:N2", found(scan::COLOUR, b'N'), 9, 10);
    check("W:W31;B1;W2", scan::MIXED_NOTATIONS, 3, 5);
    check("W;WD5;BD7", found(scan::COLON, b';'), 1, 2);
    check(&format!("W{}", "e".repeat(49)), found(scan::COLON, b'e'), 1, 2);
    check("W:X1:B2", found(scan::COLOUR, b'X'), 2, 3);
    check("W:31:B2", scan::PIECES_WITHOUT_COLOUR, 2, 4);
    check("?:?31:B2", scan::PIECES_WITHOUT_COLOUR, 3, 5);
    check("W:W1,Q2:B3", found(scan::SQUARE, b'Q'), 5, 6);
    check("W:W1-:B3", found(scan::SQUARE, b':'), 5, 6);
    check("W:WK:B3", found(scan::SQUARE, b':'), 4, 5);
    check("W:W1-K3:B9", found(scan::SQUARE, b'K'), 5, 6);
    check("W:Wz", found(scan::SQUARE, b'z'), 3, 4);
    check("W:W1+2:B9", found(scan::SQUARE, b'+'), 4, 5);
    check("W:Wa1-c1:Bb8", found(scan::SQUARE, b'-'), 5, 6);
    check("W:W0:B1", scan::SQUARE_OUT_OF_RANGE, 3, 4);
    check("W:W1000:B1", scan::SQUARE_OUT_OF_RANGE, 3, 7);
    check("W:W1-99999999999:B1", scan::SQUARE_OUT_OF_RANGE, 5, 16);
    check("W:Wa13:Bb8", scan::SQUARE_OUT_OF_RANGE, 3, 6);
    check("W:Wa1,12:Bb8", scan::MIXED_NOTATIONS, 6, 8);
    check("W:W12,a1:Bb8", scan::MIXED_NOTATIONS, 3, 5);
    check("W:W50-31:B1", scan::BACKWARD_RANGE, 3, 8);
    check("W:W31:B31", scan::SQUARE_TWICE, 7, 9);
    check("W:W31,K31:B1", scan::SQUARE_TWICE, 6, 9);
    check("W:W1-999,1-999,1-999", scan::TOO_MANY_PIECES, 15, 20);
}

#[test]
fn error_message_names_found_and_expected() {
    let check =
        |text: &str, message: &str| assert_eq!(Fen::parse(text.as_bytes()).unwrap_err().to_string(), message);
    check("", "the position is empty, expected a side to move such as `W:`");
    check("W", "expected `:` before the pieces of a side, found the end of the text");
    check("W:W1\u{e9}:B2", "expected a square such as `31`, `K4` or `a3`, found the byte 0xC3");
    let range = format!("found a square on no board, expected 1 to {} or a1 to l12", Fen::MAX_SQUARE);
    check("W:W1000:B1", &range);
}

#[test]
fn null_moves_and_empty_boards_differ() {
    for (text, null) in [("B:::", true), ("W::.", true), ("?:?:?", true), ("W:W:B", false), ("W:W1:B", false)]
    {
        assert_eq!(Fen::parse(text.as_bytes()).unwrap().is_null_move(), null, "{text}");
    }
}

#[test]
fn ranges_join_three_or_more_like_pieces() {
    let check = |text: &str, written: &str| {
        let fen = Fen::parse(text.as_bytes()).unwrap();
        assert_eq!(FenWriter::new(fen.turn(), fen.pieces()).with_ranges().to_string(), written);
    };
    check("W:W31,32,33,34:B1,2", "W:W31-34:B1,2");
    check("W:WK1,K2,K3,4,5:B9,8,7", "W:WK1-3,4,5:B9,8,7");
    check("W:W1,2,4,5,6,8:B", "W:W1,2,4-6,8:B");
    check("W:Wa1,b2,c3:B", "W:Wa1,b2,c3:B");
}

/// Generates pieces on square numbers or names, each square once, White first.
fn any_pieces() -> impl Strategy<Value = Vec<FenPiece>> {
    let number = prop::collection::btree_map(1..=Fen::MAX_SQUARE, any::<(bool, bool)>(), 0..60)
        .prop_map(|map| map.into_iter().map(|(n, piece)| (FenSquare::Number(n), piece)).collect::<Vec<_>>());
    let name =
        prop::collection::btree_map((0..12u8, 1..=12u8), any::<(bool, bool)>(), 0..60).prop_map(|map| {
            map.into_iter()
                .map(|((file, rank), piece)| (FenSquare::Algebraic { file, rank }, piece))
                .collect::<Vec<_>>()
        });
    prop_oneof![number, name].prop_map(|pieces| {
        let piece = |(square, (white, king)): (_, (bool, _))| {
            FenPiece::new(Colour::ALL[usize::from(!white)], king, square)
        };
        let mut pieces: Vec<_> = pieces.into_iter().map(piece).collect();
        pieces.sort_by_key(|piece| piece.colour);
        pieces
    })
}

proptest! {
    #[test]
    fn parsing_any_bytes_does_not_panic(text in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(fen) = Fen::parse(&text) {
            prop_assert_eq!(fen.pieces().count(), fen.len());
        }
    }

    #[test]
    fn position_like_text_survives_writing_and_parsing(text in "[WBwb?][ :]{1,2}[WB?]?[-WBKkabl0-9,.: ?]{0,40}") {
        match Fen::parse(text.as_bytes()) {
            Ok(fen) => {
                let written = fen.to_string();
                let again = Fen::parse(written.as_bytes()).unwrap();
                prop_assert!(again.is_empty() || !again.forms().contains(FenForm::BareSection));
                prop_assert_eq!(again.to_string(), &written[..]);
                prop_assert_eq!((again.turn(), again.len()), (fen.turn(), fen.len()));
            }
            Err(error) => prop_assert!(error.span.end as usize <= text.len()),
        }
    }

    #[test]
    fn position_survives_writing_and_parsing(pieces in any_pieces(), turn in 0..3usize, ranges in any::<bool>()) {
        let turn = [None, Some(Colour::White), Some(Colour::Black)][turn];
        // A text with men on file k only is read as kings on square numbers.
        let only_k = pieces.iter().all(|p| matches!(p.square, FenSquare::Algebraic { file: 10, .. }) && !p.king);
        prop_assume!(pieces.is_empty() || !only_k);
        let writer = FenWriter::new(turn, pieces.iter().copied());
        let text = if ranges { writer.with_ranges() } else { writer }.to_string();
        let fen = Fen::parse(text.as_bytes()).unwrap();
        prop_assert!(fen.is_canonical(), "{}", text);
        prop_assert_eq!(fen.turn(), turn);
        let read: Vec<_> = fen.pieces().map(|p| (p.colour, p.king, p.square)).collect();
        let written: Vec<_> = pieces.iter().map(|p| (p.colour, p.king, p.square)).collect();
        prop_assert_eq!(read, written);
    }
}

#[test]
fn number_of_pieces_is_limited() {
    // Repeated squares count as often as they are named.
    let fen = |pieces: usize| format!("W:W{}:B", vec!["1"; pieces].join(","));
    let most = usize::from(Fen::MAX_PIECES);
    assert_eq!(Fen::parse(fen(most).as_bytes()).map(|fen| fen.len()), Ok(most));
    let error = Fen::parse(fen(most + 1).as_bytes()).expect_err("one too many");
    assert_eq!(
        error.to_string(),
        format!("found more than {most} pieces, expected no more than a board holds")
    );
}
