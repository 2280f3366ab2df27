use proptest::prelude::*;

use super::*;
use crate::span::Span;
use crate::value::error::{Problem, UnexpectedByte};

#[test]
fn date_is_read_in_every_form() {
    use DateForm::{Canonical, Empty, YearFirst, YearLast};
    let either = |first: u8, second: u8| {
        let date = |month: u8, day: u8| Date::new(Some(1965), Some(month), Some(day)).unwrap();
        DateForm::EitherOrder { day_first: date(second, first), month_first: date(first, second) }
    };
    let check = |text: &[u8], canonical: &str, form: DateForm| {
        let read = Date::read(text).unwrap_or_else(|error| panic!("{}: {error}", text.escape_ascii()));
        assert_eq!((&read.date.to_string()[..], read.form), (canonical, form), "{}", text.escape_ascii());
    };
    // PDN 3.0 and 2.0.
    check(b"1996.12.28", "1996.12.28", Canonical);
    check(b"2007.??.??", "2007.??.??", Canonical);
    check(b"????.??.??", "????.??.??", Canonical);
    check(b"", "????.??.??", Empty);
    check(b"2003-10-19", "2003.10.19", YearFirst);
    check(b"2003-01-??", "2003.01.??", YearFirst);
    // Real files.
    check(b"1969.5.29", "1969.05.29", YearFirst);
    check(b"1950.", "1950.??.??", YearFirst);
    check(b"1950", "1950.??.??", YearFirst);
    check(b"2007.05", "2007.05.??", YearFirst);
    check(b"1847-??-??", "1847.??.??", YearFirst);
    check(b"2007.?.?", "2007.??.??", YearFirst);
    check(b"1950.00.00", "1950.??.??", YearFirst);
    check(b"0000.00.00", "????.??.??", YearFirst);
    check(b" 1996.12.28 ", "1996.12.28", YearFirst);
    check(b"?", "????.??.??", YearFirst);
    check(b"-", "????.??.??", YearFirst);
    check(b"25.11.2000", "2000.11.25", YearLast);
    check(b"1.1.1965", "1965.01.01", YearLast);
    check(b"3.4.1965", "1965.04.03", YearLast);
    check(b"3/4/1965", "1965.??.??", either(3, 4));
    check(b"03-04-1965", "1965.??.??", either(3, 4));
    check(b"3 4 1965", "1965.??.??", either(3, 4));
    check(b"04/04/1965", "1965.04.04", YearLast);
    check(b"12/28/1996", "1996.12.28", YearLast);
    check(b"?.?.1996", "1996.??.??", YearLast);
    check(b"04.2009", "2009.04.??", YearLast);
    check(b"17 april 2009", "2009.04.17", YearLast);
    check(b"April 5, 2009", "2009.04.05", YearLast);
    check(b"5 Mei 2009", "2009.05.05", YearLast);
    check("3 août 1998".as_bytes(), "1998.08.03", YearLast);
    check(b"3 ao\xFBt 1998", "1998.08.03", YearLast);
    check("1 février 1998".as_bytes(), "1998.02.01", YearLast);
    check(b"2 juillet 1998", "1998.07.02", YearLast);
    check(b"2 juin 1998", "1998.06.02", YearLast);
    check(b"2009 maart 3", "2009.03.03", YearFirst);
    check(b"2000.02.29", "2000.02.29", Canonical);
    check(b"????.02.29", "????.02.29", Canonical);
}

#[test]
fn date_of_programs_and_other_languages_is_read() {
    use DateForm::{Uncertain, WithMore, YearFirst, YearLast};
    let check = |text: &[u8], canonical: &str, form: DateForm| {
        let read = Date::read(text).unwrap_or_else(|error| panic!("{}: {error}", text.escape_ascii()));
        assert_eq!((&read.date.to_string()[..], read.form), (canonical, form), "{}", text.escape_ascii());
    };
    // A time of day is more than the date has.
    check(b"2023-07-09T10:11:12Z", "2023.07.09", WithMore);
    check(b"2023-07-09T10:11:12.345+02:00", "2023.07.09", WithMore);
    check(b"2023.07.09 14:33", "2023.07.09", WithMore);
    check(b"9.7.2023, 2:33 pm", "2023.07.09", WithMore);
    check(b"Sun Jul 09 2023 10:11:12 GMT+0200 (CEST)", "2023.07.09", WithMore);
    check(b"Sun Jul  9 10:11:12 2023", "2023.07.09", WithMore);
    check(b"20230709 10:11", "2023.07.09", WithMore);
    // Several days; the date is the first.
    check(b"2023.07.09-10", "2023.07.09", WithMore);
    check(b"9-11 July 2023", "2023.07.09", WithMore);
    check(b"2023.07.09 - 2023.08.10", "2023.07.09", WithMore);
    // Weekdays, words and other scripts.
    check(b"20230709", "2023.07.09", YearFirst);
    check(b"28072023", "2023.07.28", YearLast);
    check(b"Sun Jul 09 2023", "2023.07.09", YearLast);
    check(b"Sunday, 9 July 2023", "2023.07.09", YearLast);
    check(b"Dienstag, 11. Juli 2023", "2023.07.11", YearLast);
    check(b"mardi 11 juillet 2023", "2023.07.11", YearLast);
    check(b"July 9th, 2023", "2023.07.09", YearLast);
    check(b"9 de julio de 2023", "2023.07.09", YearLast);
    check("3 maja 1987 r.".as_bytes(), "1987.05.03", YearLast);
    check("3 мая 1987".as_bytes(), "1987.05.03", YearLast);
    check("3 Мая 1987 г.".as_bytes(), "1987.05.03", YearLast);
    check(b"3 \xEC\xE0\xFF 1987 \xE3.", "1987.05.03", YearLast);
    check(b"3 \xCD\xC1\xD1 1987", "1987.05.03", YearLast);
    check(b"3 \xAC\xA0\xEF 1987", "1987.05.03", YearLast);
    check("1987 г.".as_bytes(), "1987.??.??", YearFirst);
    check("12 марта 1987 года".as_bytes(), "1987.03.12", YearLast);
    check("2023年7月9日".as_bytes(), "2023.07.09", YearFirst);
    // Only the year, and not for certain.
    check(b"c. 1890", "1890.??.??", Uncertain);
    check(b"ca 1890", "1890.??.??", Uncertain);
    check(b"1890?", "1890.??.??", Uncertain);
    check("około 1890".as_bytes(), "1890.??.??", Uncertain);
    check(b"1998/99", "1998.??.??", Uncertain);
    check(b"1998-1999", "1998.??.??", Uncertain);
    check(b"1999/00", "1999.??.??", YearFirst);
    check(b"spring 1965", "1965.??.??", Uncertain);
    assert!(matches!(Date::read(b"3/4/2023 10:11").unwrap().form, DateForm::EitherOrder { .. }));
}

#[test]
fn date_outside_the_calendar_is_rejected() {
    let check = |text: &str, problem: Problem, start: u32, end: u32| {
        assert_eq!(
            Date::read(text.as_bytes()),
            Err(ValueError::new(problem, Span::new(start, end))),
            "{text}"
        );
    };
    check("2007.13.01", error::no_such_month(13), 0, 10);
    check("2007.02.30", error::no_such_day(30), 0, 10);
    check("1900.02.29", error::no_such_day(29), 0, 10);
    check("2007.04.31", error::no_such_day(31), 0, 10);
    check("2007.??.32", error::no_such_day(32), 0, 10);
    check("31.31.2007", error::no_such_month(31), 0, 10);
    check("28.12.96", error::NO_YEAR, 0, 8);
    check("200705131", error::LONG_NUMBER, 0, 9);
    check("20101332", error::LONG_NUMBER, 0, 8);
    check("199?.??.??", error::PARTLY_KNOWN, 0, 4);
    check("1.?9.1996", error::PARTLY_KNOWN, 2, 4);
    check("2007.05.13.14", error::TOO_MANY_PARTS, 11, 13);
    check("spring 65", error::unexpected(UnexpectedByte(Some(b's'))), 0, 6);
    check("12 spring 1965", error::unexpected(UnexpectedByte(Some(b's'))), 3, 9);
    check("1965=66", error::unexpected(UnexpectedByte(Some(b'='))), 4, 5);
    assert_eq!(Date::read(b"2007.13.01").unwrap_err().to_string(), "found 13 as the month, expected 1 to 12");
}

#[test]
fn dates_are_ordered_with_unknown_parts_first() {
    let read = |text: &str| Date::read(text.as_bytes()).unwrap().date;
    let ascending = ["????.??.??", "1996.??.??", "1996.12.??", "1996.12.28", "1997.??.??", "2007.01.01"];
    assert!(ascending.map(read).is_sorted());
    assert_eq!((read("1996.12.??").year(), read("1996.12.??").day()), (Some(1996), None));
    assert!(Date::UNKNOWN.is_unknown());
}

proptest! {
    #[test]
    fn reading_any_bytes_does_not_panic(text in prop::collection::vec(any::<u8>(), 0..30)) {
        let _ = Date::read(&text);
    }

    #[test]
    fn date_like_text_survives_writing_and_reading(text in "[0-9?]{1,4}[-./ ]([0-9?]{1,2}|may|mar)[-./ ][0-9?]{1,4}") {
        if let Ok(read) = Date::read(text.as_bytes()) {
            prop_assert_eq!(Date::read(read.date.to_string().as_bytes()).unwrap().date, read.date);
        }
    }

    #[test]
    fn date_survives_writing_and_reading(year in 0..=9999u16, month in 0..=12u8, day in 0..=31u8) {
        let known = |part: u8| (part != 0).then_some(part);
        if let Some(date) = Date::new((year != 0).then_some(year), known(month), known(day)) {
            let read = Date::read(date.to_string().as_bytes()).unwrap();
            prop_assert!(read.is_canonical());
            prop_assert_eq!(read.date, date);
        }
    }
}
