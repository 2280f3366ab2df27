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

/// Parses what follows a word.
type Parse = fn(&mut Scanner<'_>) -> Result<Query, QueryError>;

/// A word that begins a condition. Names of a [`Field`] begin conditions, too; they are listed with it.
struct ConditionWord {
    word: &'static str,
    /// Whether the error that no condition comes next lists it. The others are synonyms, and names of columns of the table of games
    /// for which queries have another word.
    is_listed: bool,
    rest: Rest,
}

/// What follows the word of a condition.
enum Rest {
    /// What this function parses.
    Own(Parse),
    /// The rest of a sum, for which [`parse_sum_condition`] looks before all words.
    Sum,
}

/// Declares a word that the error lists.
const fn word(word: &'static str, parse: Parse) -> ConditionWord {
    ConditionWord { word, is_listed: true, rest: Rest::Own(parse) }
}

/// Declares a word that the error does not list.
const fn other_word(word: &'static str, parse: Parse) -> ConditionWord {
    ConditionWord { word, is_listed: false, rest: Rest::Own(parse) }
}

/// Declares the beginning of a sum, as an example in the error.
const fn sum(word: &'static str) -> ConditionWord {
    ConditionWord { word, is_listed: true, rest: Rest::Sum }
}

/// The words that begin conditions, in the order in which the error lists them.
static WORDS: [ConditionWord; 31] = [
    word("date", |scanner| Ok(Query::date(parse_dates(scanner)?))),
    other_word("year", |scanner| Ok(Query::date(parse_dates(scanner)?))),
    word("rating", parse_player_rating),
    other_word("white_rating", |scanner| parse_rating(scanner, RatedPlayer::White)),
    other_word("black_rating", |scanner| parse_rating(scanner, RatedPlayer::Black)),
    word("status", parse_status),
    word("variant", parse_variant),
    word("opening_played", parse_opening_played),
    other_word("opening", |scanner| Ok(Query::text_tag(TagCondition::new("Opening", parse_name(scanner)?)))),
    word("tag", parse_text_tag),
    other_word("time_control", |scanner| {
        Ok(Query::text_tag(TagCondition::new("TimeControl", parse_name(scanner)?)))
    }),
    word("file", parse_file),
    word("plies", |scanner| Ok(Query::plies(parse_u32_range(scanner, "a number of plies", 0)?))),
    word("ply", |scanner| Ok(Query::ply(parse_u32_range(scanner, "the number of a ply", 0)?))),
    word("last", |_| Ok(Query::last())),
    other_word("all", |_| Ok(Query::all())),
    other_word("nothing", |_| Ok(Query::Or(Vec::new()))),
    word("fen", parse_position),
    other_word("position", parse_position),
    word("meets", parse_meets),
    word("pattern", parse_pattern),
    word("line", parse_line),
    sum("w-b>=2"),
    sum("moves"),
    word("move", |scanner| Ok(Query::next_move(parse_move_condition(scanner)?))),
    word("played", parse_played),
    word("sacrifice", parse_sacrifice),
    word("repeats", |scanner| Ok(Query::repeats(parse_u32_range(scanner, "a number of times", 1)?))),
    word("comment", |scanner| Ok(Query::note(NoteCondition::Comment(parse_name(scanner)?)))),
    word("nag", |scanner| {
        Ok(Query::note(NoteCondition::Nag(parse_u32_range(scanner, "the number of a NAG", 0)?)))
    }),
    word("mark", |scanner| Ok(Query::note(NoteCondition::Mark(parse_strength(scanner)?)))),
];

/// Takes the word of a condition that is no name of a field, and returns what parses the rest; `None` if none comes next.
fn take_condition_word(scanner: &mut Scanner<'_>) -> Option<Parse> {
    let words = || {
        WORDS.iter().filter_map(|condition| match condition.rest {
            Rest::Own(parse) => Some((condition.word, parse)),
            Rest::Sum => None,
        })
    };
    // A name with `_` is longer than the word that it begins with.
    let found = words().find(|(word, _)| scanner.take_name(word));
    found.or_else(|| words().find(|(word, _)| scanner.take_word(word))).map(|(_, parse)| parse)
}

/// Creates the error that no condition comes next, with the words that one may begin with.
fn expected_condition(scanner: &mut Scanner<'_>) -> QueryError {
    let listed = WORDS.iter().filter(|condition| condition.is_listed).map(|condition| condition.word);
    let words = Field::ALL.iter().map(|field| field.name()).chain(listed).collect::<Vec<_>>().join(", ");
    scanner.mismatch(|found| {
        message!(
            "condition",
            "expected a condition ({words}), `not`, `ever`, `never`, `first`, `aside` or `(`, found {found}",
            found = found,
        )
    })
}

/// Parses a condition.
pub(super) fn parse_condition(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let start = scanner.offset();
    let parse_rest = take_condition_word(scanner);
    let after_word = scanner.offset();
    scanner.rewind(start);
    if let Some(query) = parse_sum_condition(scanner, parse_rest.is_some())? {
        return Ok(query);
    }
    if let Some(parse_rest) = parse_rest {
        scanner.rewind(after_word);
        return parse_rest(scanner);
    }
    match Field::ALL.iter().find(|field| scanner.take_word(field.name())) {
        Some(&field) => parse_tag(scanner, field),
        None => Err(expected_condition(scanner)),
    }
}

/// Parses whose rating it is, both if that is not said, and its range.
fn parse_player_rating(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let whose = [
        ("white", RatedPlayer::White),
        ("black", RatedPlayer::Black),
        ("both", RatedPlayer::Both),
        ("either", RatedPlayer::Either),
    ];
    let named = whose.into_iter().find(|(name, _)| scanner.take_word(name));
    parse_rating(scanner, named.map_or(RatedPlayer::Both, |(_, whose)| whose))
}

/// Parses the name of a status.
fn parse_status(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let names: Vec<&str> = GameStatus::ALL.iter().map(|status| status.name()).collect();
    let find =
        |word: &str| GameStatus::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(word));
    Ok(Query::status(parse_word(scanner, &names, find)?))
}

/// Parses the name or the number of a variant.
fn parse_variant(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    parse_word(scanner, &names, |word| {
        Variant::from_name(word).map(Query::variant).or_else(|| of_game_type(word.parse().ok()?))
    })
}

/// Parses a sign and the name of an opening.
fn parse_opening_played(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    match parse_name(scanner)? {
        Some(names) => Ok(GameCondition::OpeningPlayed(names).into()),
        None => Err(scanner.expected(What::Words(&[":", "=", "~"]))),
    }
}

/// Parses the name of a tag, and the value that is asked for, if one is.
fn parse_text_tag(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let name = scanner.name(What::Such("the name of a tag", &["TimeControl"]))?;
    Ok(Query::text_tag(TagCondition::new(name, parse_name(scanner)?)))
}

/// Parses the name of a file, with or without a sign before it.
fn parse_file(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    if let Some(name) = parse_name(scanner)? {
        return Ok(Query::file(FileCondition::new(name)));
    }
    let (at, value, star) = scanner.value("the name of a file, or `:`, `=` or `~` before one")?;
    Ok(Query::file(FileCondition::new(name_pattern("=", at, value, star)?)))
}

/// Parses a position: a FEN, or the one of a game at a ply.
fn parse_position(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    if scanner.take_word("of") {
        let [game, ply] = parse_game_and_ply(scanner, "at")?;
        return Ok(Query::in_game(GamePositions::at(game, ply as u32)));
    }
    let (at, text, _) = scanner.value(What::Such("a position", &["\"W:WK3:B18,24\""]))?;
    Ok(Query::board(Pattern::fen(&text).map_err(|error| error.shifted(at))?))
}

/// Parses a game whose positions are met, and the ply from which on they count.
fn parse_meets(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let [game, first] = parse_game_and_ply(scanner, "from")?;
    Ok(Query::in_game(GamePositions::from(game, first as u32)))
}

/// Parses the number of a game, a word, and the number of a ply.
fn parse_game_and_ply(scanner: &mut Scanner<'_>, between: &str) -> Result<[u64; 2], QueryError> {
    let game = scanner.number("the number of a game", 1, u32::MAX.into())?;
    if !scanner.take_word(between) {
        return Err(scanner.expected(What::Words(&[between])));
    }
    Ok([game as u64, scanner.number("the number of a ply", 0, u32::MAX.into())? as u64])
}

/// Parses a pattern.
fn parse_pattern(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let (at, text, _) = scanner.value(What::Such("a pattern", &["\"w32,28 b19 .23\""]))?;
    Ok(Query::board(Pattern::parse(&text).map_err(|error| error.shifted(at))?))
}

/// Parses moves from the start position.
fn parse_line(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let (at, text, _) = scanner.value(What::Such("moves", &["\"1. 32-28 19-23\""]))?;
    Ok(Condition::Line(MoveSequence::parse(&text).map_err(|error| error.shifted(at))?).into())
}

/// Parses moves that were played one after the other.
fn parse_played(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let (at, text, _) = scanner.value(What::Such("moves", &["\"27-22 18x27 .. 38,40x16\""]))?;
    Ok(Query::played(text.parse().map_err(|error: QueryError| error.shifted(at))?))
}

/// Parses how many pieces are given, one if that is not said, and what becomes of them.
fn parse_sacrifice(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let is_number = scanner.peek_run().starts_with(|c: char| c.is_ascii_digit());
    let given = if is_number { scanner.number("pieces", 1, 40)? } else { 1 };
    let within = parse_within(scanner)?;
    let regained = match scanner.take_word("regained") {
        true => Some(true),
        false => scanner.take_word("lost").then_some(false),
    };
    Ok(Query::sacrifice(Sacrifice { given: given as u8, within, regained }))
}

/// Returns the condition that the GameType number is this one; `None` if no variant has it. Variants that differ only in the
/// names of their squares may share a number.
fn of_game_type(number: u16) -> Option<Query> {
    let variants = Variant::ALL.iter().filter(|variant| variant.number() == number);
    variants.map(|&variant| Query::variant(variant)).reduce(|one, other| one | other)
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

/// Parses a range of numbers from `min` on.
fn parse_u32_range(
    scanner: &mut Scanner<'_>,
    what: &str,
    min: i64,
) -> Result<RangeInclusive<u32>, QueryError> {
    let range = scanner.numbers(what, min, u32::MAX.into())?;
    Ok(*range.start() as u32..=*range.end() as u32)
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
