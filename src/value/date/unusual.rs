//! Dates with a time, a weekday, remarks or words of other scripts, which the usual forms do not have.

use std::borrow::Cow;

use super::parts::{Part, decimal, is_accented_prefix, month_of_name};
use super::{Date, DateForm, ReadDate, date_of_parts};

/// Most parts that a date and a second date have.
const MAX_PARTS: usize = 6;

/// Years that a number of four digits in a text may be, if nothing else says so.
const PLAUSIBLE_YEARS: std::ops::RangeInclusive<u16> = 1500..=2100;

/// Reads a date that has no usual form; `None` if not even its year is certain.
#[cold]
pub(super) fn unusual_date(text: &[u8]) -> Option<ReadDate> {
    let (day_text, has_time) = without_time(text);
    let words = Words::of(&day_text)?;
    let parts = &words.parts[..words.count];
    if let [only] = parts
        && only.width == 8
    {
        return compact(&day_text, has_time);
    }
    let is_year = |part: &Part| part.width == 4 && !part.named_month;
    let number = |part: &Part| part.value.filter(|_| !part.named_month);
    if words.is_approximate || words.is_remark {
        let mut years = parts.iter().filter_map(number);
        let (Some(year), None) = (years.next(), years.next()) else { return None };
        let has_month = parts.iter().any(|part| part.named_month);
        let is_known = PLAUSIBLE_YEARS.contains(&year) && !(has_month && words.is_remark);
        return is_known.then(|| uncertain(Date::new(Some(year), None, None)))?;
    }
    // The first of two days, and of two years.
    let first_of = |kept: &[Part]| {
        let mut first = [Part::default(); 3];
        first[..kept.len()].copy_from_slice(kept);
        let read = date_of_parts(text, first, kept.len()).ok()?;
        let form = DateForm::WithMore;
        (!matches!(read.form, DateForm::EitherOrder { .. })).then_some(ReadDate { form, ..read })
    };
    match parts {
        [year, next] if is_year(year) && is_season(number(year)?, number(next)?) => {
            uncertain(Date::new(number(year), None, None))
        }
        [year, month, day, last] if is_year(year) && is_after(day, last) && ends_in_range(&day_text) => {
            first_of(&[*year, *month, *day])
        }
        [day, last, month, year] if is_year(year) && is_after(day, last) => first_of(&[*day, *month, *year]),
        [first @ .., _, _, _] if first.len() == 3 => first_of(first),
        [_, ..] if parts.len() <= 3 => {
            let mut few = [Part::default(); 3];
            few[..parts.len()].copy_from_slice(parts);
            let read = date_of_parts(&day_text, few, parts.len()).ok()?;
            // Without a year nothing is known.
            read.date.year()?;
            match read.form {
                DateForm::EitherOrder { .. } => Some(read),
                _ if has_time => Some(ReadDate { form: DateForm::WithMore, ..read }),
                _ => Some(read),
            }
        }
        _ => None,
    }
}

/// Returns a date of which only the year is known, and that not for certain.
fn uncertain(date: Option<Date>) -> Option<ReadDate> {
    date.map(|date| ReadDate { date, form: DateForm::Uncertain })
}

/// Returns `true` if two numbers are the years of a season, such as 1998 and 99 or 1999.
const fn is_season(year: u16, next: u16) -> bool {
    next == year + 1 || next > 12 && next == (year + 1) % 100
}

/// Returns `true` if the last number stands behind another separator than the year at the start: `2023.07.09-10`, but not
/// `2023.07.09.10`, which may be an hour.
fn ends_in_range(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let last = text.len() - text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let first = text.iter().position(|byte| !byte.is_ascii_digit()).map(|at| text[at]);
    let before = text[..last].trim_ascii().last().copied();
    before != first && before.is_some_and(|byte| matches!(byte, b'-' | b'/') || !byte.is_ascii())
}

/// Returns `true` if `last` is a later day than `day`.
fn is_after(day: &Part, last: &Part) -> bool {
    let is_day = |part: &Part| !part.named_month && part.width <= 2;
    is_day(day) && is_day(last) && last.value > day.value && last.value.is_some_and(|last| last <= 31)
}

/// Reads eight digits, `20230709` or `09072023`, if only one of the two is a date.
fn compact(text: &[u8], has_time: bool) -> Option<ReadDate> {
    let digits = text.trim_ascii();
    let read = |year: &[u8], month: &[u8], day: &[u8]| {
        let [month, day] = [month, day].map(|part| decimal(part).and_then(|value| u8::try_from(value).ok()));
        let year = decimal(year).filter(|year| PLAUSIBLE_YEARS.contains(year))?;
        Date::new(Some(year), Some(month?), Some(day?))
    };
    if digits.len() != 8 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let year_first = read(&digits[..4], &digits[4..6], &digits[6..]);
    let year_last = read(&digits[4..], &digits[2..4], &digits[..2]);
    let form = |usual| if has_time { DateForm::WithMore } else { usual };
    match (year_first, year_last) {
        (Some(date), None) => Some(ReadDate { date, form: form(DateForm::YearFirst) }),
        (None, Some(date)) => Some(ReadDate { date, form: form(DateForm::YearLast) }),
        _ => None,
    }
}

/// Returns the text without a time of day and its zone, such as `T10:11:12Z` or `10:11 GMT+0200 (CEST)`, and whether it had one.
fn without_time(text: &[u8]) -> (Cow<'_, [u8]>, bool) {
    let is_start = |at: usize| {
        let rest = &text[at..];
        let hours = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let before = at.checked_sub(1).map(|before| text[before]);
        matches!(hours, 1 | 2)
            && matches!(rest[hours..], [b':', b'0'..=b'5', b'0'..=b'9', ..])
            && before.is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'T' | b't' | b','))
    };
    let Some(start) = (0..text.len()).find(|&at| is_start(at)) else { return (text.into(), false) };
    let mut day = text[..start].to_vec();
    // The `T` between a date and its time.
    if let [.., before, b'T' | b't'] = day[..]
        && before.is_ascii_digit()
    {
        day.pop();
    }
    let in_time = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b',');
    let rest = &text[start + text[start..].iter().take_while(|byte| in_time(byte)).count()..];
    // Of what follows, the year may be behind the time: `Sun Jul 9 10:11:12 2023`.
    for word in rest.split(u8::is_ascii_whitespace) {
        if word.len() == 4 && word.iter().all(u8::is_ascii_digit) {
            day.push(b' ');
            day.extend_from_slice(word);
        }
    }
    (day.into(), true)
}

/// The numbers and months of a text, and what its other words say.
struct Words {
    parts: [Part; MAX_PARTS],
    count: usize,
    /// The text says that the year is not certain: `c. 1890`, `1890?`.
    is_approximate: bool,
    /// There are words without a meaning: `spring 1965`.
    is_remark: bool,
}

impl Words {
    /// Splits a text into words; `None` if it has too many parts.
    fn of(text: &[u8]) -> Option<Self> {
        let mut words =
            Self { parts: [Part::default(); MAX_PARTS], count: 0, is_approximate: false, is_remark: false };
        let class = |byte: &u8| match byte {
            b'0'..=b'9' => 0,
            byte if byte.is_ascii_alphabetic() || !byte.is_ascii() => 1,
            b'?' | b'~' => 2,
            b'.' | b'-' | b'/' | b',' | b'(' | b')' => 3,
            byte if byte.is_ascii_whitespace() => 3,
            _ => 4,
        };
        for word in text.chunk_by(|one, next| class(one) == class(next)) {
            let part = match class(&word[0]) {
                0 if word.len() <= 4 || word.len() == 8 => {
                    let value = if word.len() == 8 { None } else { decimal(word) };
                    Part { value, width: word.len(), named_month: false }
                }
                1 => match meaning(word) {
                    Meaning::Month(month) => {
                        Part { value: Some(month), width: word.len(), named_month: true }
                    }
                    Meaning::Nothing => continue,
                    Meaning::About => {
                        words.is_approximate = true;
                        continue;
                    }
                    Meaning::Unknown => {
                        words.is_remark = true;
                        continue;
                    }
                },
                2 => {
                    words.is_approximate = true;
                    continue;
                }
                3 => continue,
                _ => return None,
            };
            *words.parts.get_mut(words.count)? = part;
            words.count += 1;
        }
        Some(words)
    }
}

/// What a word of a date means.
enum Meaning {
    /// A month, from 1.
    Month(u16),
    /// It says nothing that the numbers do not say: a weekday, "year", "of", the ending of an ordinal.
    Nothing,
    /// The date is not certain.
    About,
    Unknown,
}

/// Weekdays in the languages of month names, of which the first letters are enough. `mar` is March, too.
const WEEKDAYS: &[&str] = &[
    "sun",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "zon",
    "maandag",
    "die",
    "fre",
    "din",
    "woe",
    "don",
    "vri",
    "zat",
    "son",
    "mit",
    "mittwoch",
    "dim",
    "lun",
    "mardi",
    "mer",
    "jeu",
    "ven",
    "sam",
    "dom",
    "martes",
    "marted",
    "mi\u{fffd}",
    "jue",
    "vie",
    "s\u{fffd}b",
    "sab",
    "gio",
    "seg",
    "ter",
    "qua",
    "qui",
    "sex",
];

/// Words that can be ignored in a date: ordinal endings, articles, and words for `year`, `month` and `day`.
const FILLERS: &[&str] = &[
    "st",
    "nd",
    "rd",
    "th",
    "er",
    "of",
    "the",
    "on",
    "de",
    "del",
    "di",
    "le",
    "il",
    "el",
    "am",
    "den",
    "op",
    "do",
    "year",
    "jaar",
    "an",
    "r",
    "rok",
    "roku",
    "\u{433}",
    "\u{433}\u{43e}\u{434}",
    "\u{433}\u{43e}\u{434}\u{430}",
    "\u{5e74}",
    "\u{6708}",
    "\u{65e5}",
    "\u{ba}",
    "\u{b0}",
];

/// Words that say that a date is not certain.
const ABOUT: &[&str] = &[
    "c",
    "ca",
    "circa",
    "about",
    "abt",
    "around",
    "approx",
    "um",
    "vers",
    "env",
    "omstreeks",
    "rond",
    "verso",
    "hacia",
    "ok",
    "oko\u{142}o",
    "\u{43e}\u{43a}",
    "\u{43e}\u{43a}\u{43e}\u{43b}\u{43e}",
    "\u{b1}",
];

/// The first letters of Russian months, in order.
const RUSSIAN_MONTHS: [&str; 12] =
    ["янв", "фев", "мар", "апр", "ма", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"];

fn meaning(word: &[u8]) -> Meaning {
    let texts = [utf8(word), cyrillic(word, windows_1251), cyrillic(word, koi8_r), cyrillic(word, cp866)];
    let is_one_of = |list: &[&str]| texts.iter().flatten().any(|text| list.contains(&text.as_str()));
    if is_one_of(FILLERS) {
        return Meaning::Nothing;
    }
    if is_one_of(ABOUT) {
        return Meaning::About;
    }
    let month = texts.iter().flatten().find_map(|text| {
        let found = RUSSIAN_MONTHS.iter().position(|start| text.starts_with(start))?;
        // `ма` is the start of May in all its forms, and of other words.
        (found != 4 || matches!(text.as_str(), "май" | "мая" | "мае")).then_some(found as u16 + 1)
    });
    if let Some(month) = month {
        return Meaning::Month(month);
    }
    if word.len() >= 3 && WEEKDAYS.iter().any(|day| is_accented_prefix(word, day)) {
        return Meaning::Nothing;
    }
    month_of_name(word).map_or(Meaning::Unknown, Meaning::Month)
}

/// Returns a word in lower case if it is UTF-8.
fn utf8(word: &[u8]) -> Option<String> {
    std::str::from_utf8(word).ok().map(str::to_lowercase)
}

/// Returns a word of Cyrillic letters in an 8-bit encoding in lower case; `None` if another byte is in it.
fn cyrillic(word: &[u8], letter: impl Fn(u8) -> Option<char>) -> Option<String> {
    word.iter().map(|&byte| letter(byte)).collect()
}

/// The lower case letters from `а` to `я`.
const LETTERS: &str = "абвгдежзийклмнопрстуфхцчшщъыьэюя";

fn windows_1251(byte: u8) -> Option<char> {
    byte.checked_sub(0xC0).and_then(|index| LETTERS.chars().nth(usize::from(index % 32)))
}

fn koi8_r(byte: u8) -> Option<char> {
    const ORDER: &str = "юабцдефгхийклмнопярстужвьызшэщчъ";
    byte.checked_sub(0xC0).and_then(|index| ORDER.chars().nth(usize::from(index % 32)))
}

fn cp866(byte: u8) -> Option<char> {
    let index = match byte {
        0x80..=0x9F => byte - 0x80,
        0xA0..=0xAF => byte - 0xA0,
        0xE0..=0xEF => byte - 0xE0 + 16,
        _ => return None,
    };
    LETTERS.chars().nth(usize::from(index))
}
