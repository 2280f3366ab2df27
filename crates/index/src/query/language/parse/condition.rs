//! Parses a single condition of a query.

use std::ops::RangeInclusive;

use super::move_parts::parse_move_condition;
use super::parse_within;
use super::scanner::{Scanner, What};
use super::sums::parse_sum_condition;
use crate::query::conditions::{
    DateRange, FileCondition, GamePositions, MoveSequence, NoteCondition, Pattern, Sacrifice, TagCondition,
};
use crate::query::error::QueryError;
use crate::query::language::display::OUTCOME_NAMES;
use crate::query::language::query::{Condition, Field, GameCondition, Query, RatedPlayer};
use pdn::internal::value::DateForm;
use pdn::replay::GameStatus;
use pdn::rules::Variant;
use pdn::span::Span;
use pdn::value::{Colour, Date, GameResult, MoveStrength, Outcome, ReadDate};
use pdn_names::{NameMatch, NamePattern};

/// Creates the error that no condition comes next, with the words that one may begin with.
fn expected_condition(scanner: &mut Scanner<'_>) -> QueryError {
    let fields = Field::ALL.iter().map(|field| field.name()).collect::<Vec<_>>().join(", ");
    scanner.mismatch(|found| {
        message!(
            "condition",
            "expected a condition ({fields}, date, rating, status, variant, opening_played, tag, file, plies, ply, last, fen, meets, pattern, \
             line, w-b>=2, moves, move, played, sacrifice, repeats, comment, nag, mark), `not`, `ever`, `never`, `first`, `aside` or `(`, \
             found {found}",
            found = found,
        )
    })
}

/// Parses a condition.
pub(super) fn parse_condition(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let start = scanner.offset();
    if let Some(query) = parse_sum_condition(scanner)? {
        return Ok(query);
    }
    if let Some(query) = parse_column(scanner)? {
        return Ok(query);
    }
    let word = scanner.next_word().to_ascii_lowercase();
    if let Some(&field) = Field::ALL.iter().find(|field| field.name() == word) {
        return parse_tag(scanner, field);
    }
    Ok(match word.as_str() {
        "date" | "year" => Query::date(parse_dates(scanner)?),
        "rating" => {
            let whose = [
                ("white", RatedPlayer::White),
                ("black", RatedPlayer::Black),
                ("both", RatedPlayer::Both),
                ("either", RatedPlayer::Either),
            ];
            let whose = whose
                .into_iter()
                .find(|(name, _)| scanner.take_word(name))
                .map_or(RatedPlayer::Both, |(_, rated)| rated);
            parse_rating(scanner, whose)?
        }
        "plies" => Query::plies(to_u32_range(&scanner.numbers("a number of plies", 0, u32::MAX.into())?)),
        "ply" => Query::ply(to_u32_range(&scanner.numbers("the number of a ply", 0, u32::MAX.into())?)),
        "last" => Query::last(),
        "repeats" => {
            Query::repeats(to_u32_range(&scanner.numbers("a number of times", 1, u32::MAX.into())?))
        }
        "all" => Query::all(),
        "nothing" => Query::Or(Vec::new()),
        "status" => {
            let names: Vec<&str> = GameStatus::ALL.iter().map(|status| status.name()).collect();
            Query::status(parse_word(scanner, &names, |word| {
                GameStatus::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(word))
            })?)
        }
        "variant" => {
            let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            parse_word(scanner, &names, |word| {
                Variant::from_name(word).map(Query::variant).or_else(|| of_game_type(word.parse().ok()?))
            })?
        }
        "tag" => {
            let name = scanner.name(What::Such("the name of a tag", &["TimeControl"]))?;
            let value = parse_name(scanner)?;
            Query::text_tag(TagCondition::new(name, value))
        }
        "file" => {
            if let Some(name) = parse_name(scanner)? {
                return Ok(Query::file(FileCondition::new(name)));
            }
            let (at, value, star) = scanner.value("the name of a file, or `:`, `=` or `~` before one")?;
            Query::file(FileCondition::new(name_pattern("=", at, value, star)?))
        }
        "fen" | "position" if scanner.take_word("of") => {
            let game = scanner.number("the number of a game", 1, u32::MAX.into())?;
            if !scanner.take_word("at") {
                return Err(scanner.expected(What::Words(&["at"])));
            }
            let ply = scanner.number("the number of a ply", 0, u32::MAX.into())?;
            Query::in_game(GamePositions::at(game as u64, ply as u32))
        }
        "meets" => {
            let game = scanner.number("the number of a game", 1, u32::MAX.into())?;
            if !scanner.take_word("from") {
                return Err(scanner.expected(What::Words(&["from"])));
            }
            let first = scanner.number("the number of a ply", 0, u32::MAX.into())?;
            Query::in_game(GamePositions::from(game as u64, first as u32))
        }
        "fen" | "position" => {
            let (at, text, _) = scanner.value(What::Such("a position", &["\"W:WK3:B18,24\""]))?;
            Query::board(Pattern::fen(&text).map_err(|error| error.shifted(at))?)
        }
        "pattern" => {
            let (at, text, _) = scanner.value(What::Such("a pattern", &["\"w32,28 b19 .23\""]))?;
            Query::board(Pattern::parse(&text).map_err(|error| error.shifted(at))?)
        }
        "line" => {
            let (at, text, _) = scanner.value(What::Such("moves", &["\"1. 32-28 19-23\""]))?;
            Condition::Line(MoveSequence::parse(&text).map_err(|error| error.shifted(at))?).into()
        }
        "move" => Query::next_move(parse_move_condition(scanner)?),
        "played" => {
            let (at, text, _) = scanner.value(What::Such("moves", &["\"27-22 18x27 .. 38,40x16\""]))?;
            Query::played(text.parse().map_err(|error: QueryError| error.shifted(at))?)
        }
        "sacrifice" => {
            let given = if scanner.peek_run().starts_with(|c: char| c.is_ascii_digit()) {
                scanner.number("pieces", 1, 40)?
            } else {
                1
            };
            let within = parse_within(scanner)?;
            let regained = if scanner.take_word("regained") {
                Some(true)
            } else {
                scanner.take_word("lost").then_some(false)
            };
            Query::sacrifice(Sacrifice { given: given as u8, within, regained })
        }
        _ => {
            if let Some(query) = parse_note(scanner, &word)? {
                return Ok(query);
            }
            scanner.rewind(start);
            return Err(expected_condition(scanner));
        }
    })
}

/// Returns the condition that the GameType number is this one; `None` if no variant has it. Variants that differ only in the
/// names of their squares may share a number.
fn of_game_type(number: u16) -> Option<Query> {
    let variants = Variant::ALL.iter().filter(|variant| variant.number() == number);
    variants.map(|&variant| Query::variant(variant)).reduce(|one, other| one | other)
}

/// Parses a condition that begins with the name of a column of the table of games for which queries have another word. The columns
/// whose names are words of queries are parsed as these.
fn parse_column(scanner: &mut Scanner<'_>) -> Result<Option<Query>, QueryError> {
    Ok(Some(if scanner.take_name("white_rating") {
        parse_rating(scanner, RatedPlayer::White)?
    } else if scanner.take_name("black_rating") {
        parse_rating(scanner, RatedPlayer::Black)?
    } else if scanner.take_name("time_control") {
        Query::text_tag(TagCondition::new("TimeControl", parse_name(scanner)?))
    } else if scanner.take_name("opening_played") {
        match parse_name(scanner)? {
            Some(names) => GameCondition::OpeningPlayed(names).into(),
            None => return Err(scanner.expected(What::Words(&[":", "=", "~"]))),
        }
    } else if scanner.take_name("opening") {
        Query::text_tag(TagCondition::new("Opening", parse_name(scanner)?))
    } else {
        return Ok(None);
    }))
}

/// Parses the range of a rating.
fn parse_rating(scanner: &mut Scanner<'_>, whose: RatedPlayer) -> Result<Query, QueryError> {
    Ok(Query::rating(whose, to_u16_range(&scanner.numbers("a rating", 0, u16::MAX.into())?)))
}

/// Parses one of several words, with or without `=` and quotes. `names` are all of them, for messages.
fn parse_word<T>(
    scanner: &mut Scanner<'_>,
    names: &[&str],
    find: impl Fn(&str) -> Option<T>,
) -> Result<T, QueryError> {
    let expected = What::Words(names);
    let _ = scanner.take_sign("=");
    let at = scanner.offset();
    let (_, word, _) = scanner.value(expected)?;
    find(&word).ok_or_else(|| {
        scanner.rewind(at);
        scanner.expected(expected)
    })
}

/// Converts a range that the scanner has bounded to `u16`.
fn to_u16_range(range: &RangeInclusive<i64>) -> RangeInclusive<u16> {
    *range.start() as u16..=*range.end() as u16
}

/// Converts a range that the scanner has bounded to `u32`.
fn to_u32_range(range: &RangeInclusive<i64>) -> RangeInclusive<u32> {
    *range.start() as u32..=*range.end() as u32
}

/// Parses a condition that begins with the name of a tag, which has been taken, and the others that begin with such a
/// word: `white to move`, `winner nobody`, `result 2-0`, `round 3`.
fn parse_tag(scanner: &mut Scanner<'_>, field: Field) -> Result<Query, QueryError> {
    let is_number = field == Field::Round && {
        let start = scanner.offset();
        let _ = ["<=", ">=", "<", ">", "=", ".."].into_iter().any(|sign| scanner.take_sign(sign));
        let is_equal = scanner.text_since(start).trim_start().starts_with('=');
        let run = scanner.peek_run();
        // After `=`, a text such as `3.2` or `10*` is compared as a whole.
        let is_range = || run.split("..").flat_map(|part| part.split('-')).all(is_number);
        let is_numbers = run.starts_with(|c: char| c.is_ascii_digit()) && (!is_equal || is_range());
        scanner.rewind(start);
        is_numbers
    };
    if is_number {
        return Ok(Query::round(to_u16_range(&scanner.numbers(
            "the number of a round",
            0,
            u16::MAX.into(),
        )?)));
    }
    if let Some(name) = parse_name(scanner)? {
        return Ok(Query::tag(field, name));
    }
    match field {
        Field::White | Field::Black => {
            let colour = if field == Field::White { Colour::White } else { Colour::Black };
            if scanner.take_word("to") {
                return if scanner.take_word("move") {
                    Ok(Query::turn(colour))
                } else {
                    Err(scanner.expected(What::Words(&["move"])))
                };
            }
            Err(scanner.expected(What::Words(&[":", "=", "~", "to move"])))
        }
        Field::Winner => {
            for (name, winner) in
                [("white", Some(Colour::White)), ("black", Some(Colour::Black)), ("nobody", None)]
            {
                if scanner.take_word(name) {
                    return Ok(Query::winner(winner));
                }
            }
            Err(scanner.expected(What::Words(&["white", "black", "nobody", ":"])))
        }
        Field::Result => {
            let (at, run) = scanner.next_run();
            let named = OUTCOME_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(run));
            let outcome = named.map(|(_, outcome)| *outcome).or_else(|| {
                let written = GameResult::parse(run.as_bytes()).outcome();
                (written != Outcome::Unknown || run == "*").then_some(written)
            });
            outcome.map(Query::result).ok_or_else(|| {
                scanner.rewind(at);
                scanner
                    .expected(What::Such("a result", &["2-0", "1/2-1/2", "win", "loss", "draw", "unknown"]))
            })
        }
        Field::Round => {
            Err(scanner.expected(What::Such("a number, or a name after a sign", &["3", ":", "=", "~"])))
        }
        _ => Err(scanner.expected(What::Words(&[":", "=", "~"]))),
    }
}

/// Parses a range of dates: `1990..1995`, `>= 1990.06`, `1999-12-31`.
fn parse_dates(scanner: &mut Scanner<'_>) -> Result<DateRange, QueryError> {
    const EXAMPLES: &[&str] = &["1999", "1999.12", "1999.12.31"];
    scanner.check_sign_order()?;
    let sign = [">=", "<=", ">", "<", "="].into_iter().find(|sign| scanner.take_sign(sign));
    let (at, run) = scanner.next_run();
    let parse_date = |text: &str, offset: usize| {
        let message = match Date::read(text.as_bytes()) {
            Ok(ReadDate { form: DateForm::EitherOrder { day_first, month_first }, .. }) => {
                message!(
                    "year_first",
                    "{found} is {day_first} or {month_first}: write the year first",
                    found = text,
                    day_first = day_first.to_string(),
                    month_first = month_first.to_string(),
                )
            }
            Ok(read) if read.date.year().is_some() => return Ok(Some(read.date)),
            _ if text.is_empty() => return Ok(None),
            _ => message!(
                "expected_such",
                "expected a date, such as {examples}, found {found}",
                examples = EXAMPLES,
                found = text
            ),
        };
        let span = Span::new((at + offset) as u32, (at + offset + text.len()) as u32);
        Err(QueryError::new(span, message))
    };
    let years = || run.split_once('-').filter(|(first, last)| is_year(first) && is_year(last));
    if let (None | Some("="), Some((first, last))) = (sign, run.split_once("..").or_else(years)) {
        let (from, to) = (parse_date(first, 0)?, parse_date(last, run.len() - last.len())?);
        if from.zip(to).is_some_and(|(from, to)| !DateRange::new(Some(from), None).overlaps(to)) {
            let span = Span::new(at as u32, (at + run.len()) as u32);
            return Err(QueryError::new(span, message!("earlier_first", "expected the earlier date first")));
        }
        return Ok(DateRange::new(from, to));
    }
    let Some(date) = parse_date(run, 0)? else {
        scanner.rewind(at);
        return Err(scanner.expected(What::Such("a date", EXAMPLES)));
    };
    let range = match sign {
        Some(">=") => Some(DateRange::new(Some(date), None)),
        Some("<=") => Some(DateRange::new(None, Some(date))),
        Some(">") => DateRange::after(date),
        Some("<") => DateRange::before(date),
        _ => Some(DateRange::of(date)),
    };
    let span = Span::new(at as u32, (at + run.len()) as u32);
    range.ok_or_else(|| QueryError::new(span, message!("empty_range", "no date lies in this range")))
}

/// Returns `true` for digits only, or nothing.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` for four digits.
fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses `:`, `=` or `~` and a name; `None` if no such sign comes next.
pub(super) fn parse_name(scanner: &mut Scanner<'_>) -> Result<Option<NamePattern>, QueryError> {
    let Some(sign) = [":", "=", "~"].into_iter().find(|sign| scanner.take_sign(sign)) else {
        return Ok(None);
    };
    let (at, value, star) = scanner.value("a name")?;
    name_pattern(sign, at, value, star).map(Some)
}

/// Creates the pattern of a name after a sign. `at` is the place of its first character, and `star` says whether it ends
/// with a `*` that is not escaped.
///
/// # Errors
/// If nothing of the name is compared: it has no letter and no digit. Only `= ""` is allowed, for names without either.
pub(super) fn name_pattern(
    sign: &str,
    at: usize,
    mut value: String,
    star: bool,
) -> Result<NamePattern, QueryError> {
    let span = Span::new(at as u32, (at + value.len()) as u32);
    let kind = match (sign, star) {
        ("=", true) => NameMatch::Prefix,
        ("=", false) => NameMatch::Exact,
        ("~", _) => NameMatch::Fuzzy,
        _ => NameMatch::Words,
    };
    if kind == NameMatch::Prefix {
        value.pop();
    }
    let pattern = NamePattern::new(value, kind);
    let stands_for_unknown = kind == NameMatch::Exact && pattern.text().is_empty();
    if pattern.folded().is_empty() && !stands_for_unknown {
        let message = message!(
            "empty_name",
            "expected a name with a letter or a digit; `= \"\"` stands for names without either, such as `?`"
        );
        return Err(QueryError::new(span, message));
    }
    Ok(pattern)
}

/// Parses the rest of a condition that begins with this word, which has been taken; `None` if it begins none of these.
pub(super) fn parse_note(scanner: &mut Scanner<'_>, word: &str) -> Result<Option<Query>, QueryError> {
    Ok(Some(Query::note(match word {
        "comment" => NoteCondition::Comment(parse_name(scanner)?),
        "nag" => {
            let numbers: RangeInclusive<i64> = scanner.numbers("the number of a NAG", 0, u32::MAX.into())?;
            NoteCondition::Nag(*numbers.start() as u32..=*numbers.end() as u32)
        }
        "mark" => NoteCondition::Mark(parse_strength(scanner)?),
        _ => return Ok(None),
    })))
}

/// Parses a move strength, with or without quotes.
fn parse_strength(scanner: &mut Scanner<'_>) -> Result<MoveStrength, QueryError> {
    let marks = MoveStrength::ALL.map(|strength| format!("\"{}\"", NoteCondition::written(strength)));
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    let expected = What::Such("a move strength", &marks);
    let at = scanner.offset();
    let (_, text, _) = scanner.value(expected)?;
    MoveStrength::parse(text.as_bytes()).ok_or_else(|| {
        scanner.rewind(at);
        scanner.expected(expected)
    })
}
