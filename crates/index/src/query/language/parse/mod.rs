//! Parses queries from text. The grammar is documented at [`Query::parse`].

mod scanner;
mod move_parts;
mod condition;
pub(crate) mod words;
mod sums;

use std::ops::RangeInclusive;
use std::str::FromStr;

use condition::parse_tag;
use scanner::{Scanner, What};
use sums::{begins_count, is_compared_as_sum, parse_sum_condition};
use words::{Role, Time};

use super::contradiction::first_excluded;
use super::definitions::Definitions;
use super::query::Query;
use crate::query::conditions::Transforms;
use crate::query::error::{QueryError, meant};
use pdn::internal::message::Message;
use pdn::span::Span;

/// The greatest nesting depth of brackets, `ever`, `never` and `first`. The parser recurses once per level.
const MAX_DEPTH: u32 = 100;

/// The greatest number of conditions and operators that definitions put into a query.
const MAX_DEFINED_SIZE: usize = 10_000;

/// The number of plies that `then`, `after` and `sacrifice` look at without `within`.
const DEFAULT_WITHIN: u32 = 10;

/// The greatest number of conditions of a query with transforms, each counted once for each of its forms.
const MAX_TRANSFORMED: u64 = 5_000;

impl Query {
    /// Parses a query.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// let parsed = Query::parse("white : wiersma and (w-b >= 2 for 4 or wk = 1)")?;
    /// let built = Query::white("wiersma") & (Query::parse("w-b >= 2")?.lasting(4) | Query::parse("wk = 1")?);
    /// assert_eq!(parsed, built);
    /// # Ok::<(), pdn_index::query::QueryError>(())
    /// ```
    ///
    /// # Grammar
    /// Words are read in any case. The guide explains each condition with examples.
    ///
    /// ```text
    /// query      = and-part { "or" and-part }
    /// and-part   = not-part { "and" not-part }
    /// not-part   = { "not" } sequence
    /// sequence   = operand [ ( "then" | "after" ) later [ "within" distance ] | "for" plies | "times" numbers ]
    /// operand    = basic { "flipped" | "mirrored" | "shifted" | "passed" }
    /// basic      = "(" query ")" | ( "ever" | "never" | "first" | "aside" ) later | "@" definition | condition
    /// later      = { "not" } operand                       also after "then" and "after"
    /// distance   = numbers [ "plies" | "ply" ]              n alone stands for 1..n
    /// plies      = n [ "plies" | "ply" ]
    ///
    /// condition  = "all" | "nothing"
    ///            | field ( ":" words | "=" value | "=" prefix"*" | "~" misspelt )    a name of `Field::ALL`
    ///            | "winner" ( "white" | "black" | "nobody" )
    ///            | "result" ( "2-0" | "1/2-1/2" | ... | "win" | "loss" | "draw" | "both-lose" | "unknown" | "*" )
    ///            | ( "date" | "year" ) ( [ "=" ] dates | ( ">" | ">=" | "<" | "<=" ) date )
    ///            | "rating" [ "white" | "black" | "both" | "either" ] numbers | ( "white_rating" | "black_rating" ) numbers
    ///            | "round" numbers | "plies" numbers | "status" [ "=" ] name | "variant" [ "=" ] ( name | number )
    ///            | ( "tag" name | "time_control" | "opening" ) [ ( ":" words | "=" value | "=" prefix"*" | "~" misspelt ) ]
    ///            | "opening_played" ( ":" words | "=" value | "=" prefix"*" | "~" misspelt )
    ///            | "file" [ "=" ] ( path | prefix"*" ) | "file" ( ":" words | "~" misspelt )
    ///            | ( "fen" | "position" | "pattern" | "line" ) value
    ///            | ( "fen" | "position" ) "of" game "at" n | "meets" game "from" n
    ///            | "table" ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) ( "win" | "draw" | "loss" )
    ///            | sum ( numbers | "!=" n | ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum [ ( "+" | "-" ) n ] )
    ///            | ( "white" | "black" ) "to" "move" | "ply" numbers | "last" | "repeats" numbers
    ///            | "move" { move-part } | "played" value
    ///            | "sacrifice" [ n ] [ "within" plies ] [ "regained" | "lost" ]
    ///            | "comment" [ ":" words | "=" value | "=" prefix"*" | "~" misspelt ] | "nag" numbers | "mark" ( "!" | "?" | ... )
    /// move-part  = 32-28 | 32x19 | d6:f4 | 32- | x19 | "from" squares | "to" squares | "over" squares
    ///            | "by" ( "man" | "king" | "white" | "black" ) | "promotes" | "stays" | "takes" numbers | "retakes"
    /// sum        = [ "-" ] count { ( "+" | "-" ) count }    such as w-b, wk+bk; on both sides of a sign in w >= b + 2
    /// count      = ( "w" | "b" | "wm" | "wk" | "bm" | "bk" | "m" | "k" | "p" ) [ "on" area ]
    ///            | "moves" | "jumps" | "best" | "takes" | "ply" | "tempo" ( "white" | "black" ) | "distance" value
    ///            | "earlier" | "table" | "table_distance" | "rating" ( "white" | "black" ) | "year" | "plies"
    /// area       = part { "," part }                        without spaces; a part is a square, n "-" n, or
    ///              "centre" | "left" | "right" | "edge" | "back" | "long"
    /// numbers    = [ "=" | "<" | "<=" | ">" | ">=" ] n | n ".." [ n ] | ".." n | n "-" n
    /// dates      = date | date ".." [ date ] | ".." date | year "-" year
    /// date       = 1999 | 1999.12 | 1999.12.31              also with "-" or "/", and with the year last
    /// squares    = square { "," square }                    without spaces
    /// value      = a word without whitespace and brackets, or a text in quotes, in which \ escapes " and \
    /// ```
    ///
    /// `==` is `=`.
    ///
    /// Precedence, highest first: `flipped` and the other transforms; `ever`, `never` and `first`; `then`, `after`, `for`
    /// and `times`, which do not chain without brackets; `not`; `and`; `or`. Without `within`, `then` and `sacrifice` look
    /// 10 plies ahead, and `after` 10 plies back.
    ///
    /// # Errors
    /// [`QueryError`] with the first part of the text that cannot be read, and what was expected there. Brackets nested
    /// deeper than 100 levels are an error too, and so are two conditions that [exclude each other](Self::contradiction),
    /// transforms of conditions that have no such form, and transforms of more than 5,000 conditions in all.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// let error = Query::parse("white wiersma").unwrap_err();
    /// assert_eq!(error.to_string(), "at byte 6: expected `:`, `=`, `~` or `to move`, found `wiersma`");
    /// assert_eq!(error.span().range(), 6..13);
    /// ```
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        Self::parse_with(text, &Definitions::default())
    }

    /// Parses a query as [`parse`](Self::parse) does, with these definitions besides those that come with the library.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    #[doc(hidden)]
    pub fn parse_with(text: &str, definitions: &Definitions) -> Result<Self, QueryError> {
        let mut scanner = Scanner::new(text, definitions);
        let query = parse_or(&mut scanner, 0).and_then(|query| {
            if scanner.at_end() {
                check_transformed(query.transformed_conditions(), scanner.span_since(0))?;
                Ok(query)
            } else {
                let operators = words::operators();
                let forms = words::names_of(|role| matches!(role, Role::Form));
                let near = operators.iter().copied().chain(forms);
                Err(scanner
                    .expected_among("an operator", near, |found| What::Words(&operators).message(found)))
            }
        });
        // Spans inside of a quoted value count its unescaped bytes, so that they may split a character of the text.
        query.map_err(|error| {
            let error = error.widened(text);
            // In SQL and in many other languages.
            if !has_single_quotes(text) {
                return error;
            }
            let wrong = error.message();
            QueryError::new(error.span(), message!("double_quotes", "{wrong}; texts stand in double quotes"))
        })
    }

    /// Parses the value of a single condition: what follows the word `keyword` in the query language.
    ///
    /// ```
    /// use pdn_index::query::Query;
    ///
    /// assert_eq!(Query::parse_value("plies", "40-80"), Query::parse("plies 40..80"));
    /// let error = Query::parse_value("plies", "40 or so").unwrap_err();
    /// assert_eq!(error.to_string(), "at byte 3: expected the end, found `or`");
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] with a span in `value`.
    pub fn parse_value(keyword: &str, value: &str) -> Result<Self, QueryError> {
        let text = format!("{keyword} {value}");
        let definitions = Definitions::default();
        let mut scanner = Scanner::new(&text, &definitions);
        let query = parse_condition(&mut scanner)
            .and_then(|query| if scanner.at_end() { Ok(query) } else { Err(scanner.expected("the end")) });
        query.map_err(|error| error.widened(&text).without_beginning(keyword.len() + 1))
    }
}

impl FromStr for Query {
    type Err = QueryError;

    /// Parses a query as [`Query::parse`] does.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        Self::parse(text)
    }
}

/// Returns `true` for a text in which a value begins with `'` and another one follows, as in `white = 'Ames, Ann'`.
fn has_single_quotes(text: &str) -> bool {
    let begins =
        |before: Option<char>| before.is_some_and(|c| c.is_whitespace() || matches!(c, '=' | ':' | '~'));
    let mut quotes = text.match_indices('\'').map(|(at, _)| at);
    quotes.any(|at| begins(text[..at].chars().next_back())) && quotes.next().is_some()
}

fn parse_or(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    if depth > MAX_DEPTH {
        return Err(too_deep(scanner));
    }
    let mut parts = vec![parse_and(scanner, depth)?];
    while scanner.take_word("or") {
        parts.push(parse_and(scanner, depth)?);
    }
    Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Query::Or(parts) })
}

fn parse_and(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    let mut parts = vec![parse_not(scanner, depth)?];
    while scanner.take_word("and") {
        let start = scanner.offset();
        let part = parse_not(scanner, depth)?;
        if let Some(earlier) = first_excluded(&parts, &part) {
            let earlier = earlier.to_string();
            let message =
                message!("contradicts", "contradicts {earlier}: nothing matches both", earlier = earlier);
            return Err(QueryError::new(scanner.span_since(start), message));
        }
        parts.push(part);
    }
    Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Query::And(parts) })
}

fn parse_not(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    let is_negated = take_negations(scanner);
    let inner = parse_sequence(scanner, depth)?;
    Ok(if is_negated { !inner } else { inner })
}

/// Takes any number of `not`; returns `true` for an odd number. Counted in a loop, so that many of them need no stack.
fn take_negations(scanner: &mut Scanner<'_>) -> bool {
    let mut is_negated = false;
    while scanner.take_word("not") {
        is_negated = !is_negated;
    }
    is_negated
}

fn parse_sequence(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    let first = parse_operand(scanner, depth)?;
    let start = scanner.offset();
    let Some((words::Word { role: Role::Sequence(operator), .. }, _)) = words::take(scanner) else {
        scanner.rewind(start);
        return Ok(first);
    };
    Ok(match operator {
        Time::Then => {
            let second = parse_later(scanner, depth)?;
            first.then(second, parse_distances(scanner)?)
        }
        Time::After => {
            let earlier = parse_later(scanner, depth)?;
            first.after(earlier, parse_distances(scanner)?)
        }
        Time::For => first.lasting(parse_plies(scanner)?),
        Time::Times => {
            let count = scanner.numbers("a number of positions", 0, u32::MAX.into())?;
            first.times(*count.start() as u32..=*count.end() as u32)
        }
    })
}

/// Parses the operand of `ever`, `never` and `first`, and the second one of `then` and `after`, which may begin with `not`.
fn parse_later(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    let is_negated = take_negations(scanner);
    let inner = parse_operand(scanner, depth)?;
    Ok(if is_negated { !inner } else { inner })
}

/// Parses an operand of `then` and the like, with its transforms.
fn parse_operand(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    let mut query = parse_basic(scanner, depth)?;
    loop {
        let start = scanner.offset();
        let Some((_, by)) = Transforms::ALL.into_iter().find(|(word, _)| scanner.take_word(word)) else {
            return Ok(query);
        };
        let span = scanner.span_since(start);
        if let Some(refusal) = query.refusal(by) {
            return Err(QueryError::new(span, refusal));
        }
        query = query.transformed(by);
        check_transformed(query.transformed_conditions(), span)?;
    }
}

/// Checks the number of conditions that transforms ask for.
fn check_transformed(conditions: u64, span: Span) -> Result<(), QueryError> {
    if conditions <= MAX_TRANSFORMED {
        return Ok(());
    }
    let message = message!(
        "too_many_conditions",
        "this asks for {count} conditions, and at most {most} are possible: transform smaller parts",
        count = conditions,
        most = MAX_TRANSFORMED,
    );
    Err(QueryError::new(span, message))
}

/// Creates the error that more brackets stand in each other than a query may have.
fn too_deep(scanner: &mut Scanner<'_>) -> QueryError {
    scanner.mismatch(|found| {
        message!(
            "too_deep",
            "expected at most {most} levels of brackets, `ever`, `never`, `first` and `aside`, found {found}",
            most = u64::from(MAX_DEPTH),
            found = found,
        )
    })
}

fn parse_basic(scanner: &mut Scanner<'_>, depth: u32) -> Result<Query, QueryError> {
    if scanner.take_sign("(") {
        let inner = parse_or(scanner, depth + 1)?;
        return if scanner.take_sign(")") {
            Ok(inner)
        } else {
            Err(scanner.expected(What::Words(&[")", "and", "or"])))
        };
    }
    if depth > MAX_DEPTH {
        return Err(too_deep(scanner));
    }
    let start = scanner.offset();
    if scanner.take_sign("@") {
        return parse_defined(scanner, start, depth);
    }
    if let Some((words::Word { role: Role::Prefix(apply), .. }, _)) = words::take(scanner) {
        return Ok(apply(parse_later(scanner, depth + 1)?));
    }
    scanner.rewind(start);
    parse_condition(scanner)
}

/// Parses a condition.
fn parse_condition(scanner: &mut Scanner<'_>) -> Result<Query, QueryError> {
    let start = scanner.offset();
    let is_sum = if scanner.take_sign("-") {
        begins_count(scanner)
    } else {
        match words::take(scanner).map(|(word, name)| (word.role, name)) {
            Some((Role::Condition(parse), _)) => return parse(scanner),
            Some((Role::Field, name)) => return parse_tag(scanner, name),
            Some((Role::Number(_), _)) => true,
            Some((Role::NumberOrRange(parse_number, parse), name)) => {
                let after_word = scanner.offset();
                if parse_number(scanner, name)?.is_none() || !is_compared_as_sum(scanner) {
                    scanner.rewind(after_word);
                    return parse(scanner);
                }
                true
            }
            Some((
                Role::Sign | Role::Prefix(_) | Role::Sequence(_) | Role::Form | Role::Not | Role::Connective,
                _,
            ))
            | None => false,
        }
    };
    scanner.rewind(start);
    if is_sum { parse_sum_condition(scanner) } else { Err(words::expected_condition(scanner)) }
}

/// Parses the name of a definition after `@`, and returns the query that it stands for.
fn parse_defined(scanner: &mut Scanner<'_>, start: usize, depth: u32) -> Result<Query, QueryError> {
    let (_, name) =
        scanner.take_while(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'));
    let error = |scanner: &Scanner<'_>, message: Message| QueryError::new(scanner.span_since(start), message);
    let Some(definition) = scanner.definitions.find(name) else {
        let names = scanner.definitions.names();
        let message = meant("the name of a definition", name, names.iter().map(String::as_str))
            .unwrap_or_else(|| {
                let names = names.join(", ");
                message!("no_definition", "no definition has the name {name}; there are {names}", name = name)
            });
        return Err(error(scanner, message));
    };
    if depth + definition.depth > MAX_DEPTH {
        return Err(error(
            scanner,
            message!(
                "too_deep",
                "expected at most {most} levels of brackets, and `{name}` has more",
                most = u64::from(MAX_DEPTH)
            ),
        ));
    }
    scanner.defined_size = scanner.defined_size.saturating_add(definition.size);
    if scanner.defined_size > MAX_DEFINED_SIZE {
        let message = message!(
            "too_many_conditions",
            "expected a query of at most {most} conditions, and `{name}` makes it longer",
            most = MAX_DEFINED_SIZE as u64,
        );
        return Err(error(scanner, message));
    }
    Ok(definition.query)
}

/// Parses `within` and the distances of two positions in plies, at least one: `6` for up to 6, or a range; without it, the
/// default.
fn parse_distances(scanner: &mut Scanner<'_>) -> Result<RangeInclusive<u32>, QueryError> {
    if !scanner.take_word("within") {
        return Ok(1..=DEFAULT_WITHIN);
    }
    let start = scanner.offset();
    let range = scanner.numbers("a number of plies", 1, u32::MAX.into())?;
    let is_greatest = scanner.text_since(start).trim_end().bytes().all(|byte| byte.is_ascii_digit());
    let _ = scanner.take_word("plies") || scanner.take_word("ply");
    let least = if is_greatest { 1 } else { *range.start() as u32 };
    Ok(least..=*range.end() as u32)
}

/// Parses `within` and a number of plies, at least one; without it, the default.
fn parse_within(scanner: &mut Scanner<'_>) -> Result<u32, QueryError> {
    if !scanner.take_word("within") {
        return Ok(DEFAULT_WITHIN);
    }
    let plies = scanner.number("a number of plies", 1, u32::MAX.into())? as u32;
    let _ = scanner.take_word("plies") || scanner.take_word("ply");
    Ok(plies)
}

/// Parses a number of plies, with or without the word `plies` after it.
fn parse_plies(scanner: &mut Scanner<'_>) -> Result<u32, QueryError> {
    let plies = scanner.number("a number of plies", 0, u32::MAX.into())? as u32;
    let _ = scanner.take_word("plies") || scanner.take_word("ply");
    Ok(plies)
}

#[cfg(test)]
mod tests;
