//! Questions from text that a player can read.
//!
//! ```text
//! question   = part { "or" part }              part = term { "and" term }         term = { "not" } chain
//! chain      = basic [ "then" basic [ "within" n ] | "for" n ]
//! basic      = "(" question ")" | "ever" basic | "never" basic | condition
//! condition  = ( "white" | "black" | "player" | "winner" | "loser" | "event" | "site" | "round" | "result" )
//!                ( ":" words | "=" name | "=" begin"*" | "~" misspelt )
//!            | "date" dates | "rating" [ "white" | "black" | "both" | "either" ] numbers | "round" numbers
//!            | "plies" numbers | "ply" numbers | "last" | ( "white" | "black" ) "to" "move"
//!            | "result" ( "2-0" ... | "win" | "loss" | "draw" | "unknown" ) | "winner" ( "white" | "black" | "nobody" )
//!            | "status" name | "variant" name
//!            | "fen" text { "flipped" | "mirrored" } | "pattern" text { "flipped" | "mirrored" } | "line" text
//!            | sum numbers                       such as w-b>=2, wk=1, with sums of w b wm wk bm bk m k p
//!            | "move" { 32-28 | 32x | "from" squares | "to" squares | "by" ( "man" | "king" | "white" | "black" )
//!                     | "promotes" | "stays" | "takes" numbers | "over" squares }
//!            | "sacrifice" [ n ] [ "within" n ] [ "regained" | "lost" ]
//!            | "all" | "nothing"
//! numbers    = [ "=" | "<" | "<=" | ">" | ">=" ] n | n ".." [ n ] | ".." n
//! ```
//! Values are words without blanks and brackets, or stand between quotes.

mod condition;
mod scan;

use scan::Scan;

use super::error::QueryError;
use super::expression::Query;

/// Brackets and `not`s in one another.
const DEEPEST: u32 = 100;

/// Plies that `then` and `sacrifice` look ahead unless told.
const WITHIN: u32 = 10;

impl Query {
    /// Reads a question.
    ///
    /// ```
    /// use pdn::query::{PieceCountCondition, Query};
    ///
    /// let read = Query::parse("white : wiersma and (w-b >= 2 for 4 or wk = 1)").unwrap();
    /// let built = Query::white("wiersma")
    ///     & (Query::material(PieceCountCondition::balance(2)).lasting(4)
    ///         | Query::material(PieceCountCondition::new([0, 1, 0, 0], 1, 1)));
    /// assert_eq!(read, built);
    /// assert_eq!(Query::parse("white wiersma").unwrap_err().to_string(), "expected `:`, `=`, `~` or `to move`, found `wiersma`");
    /// ```
    ///
    /// # Errors
    /// The first place that cannot be read, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut scan = Scan::new(text);
        let query = or(&mut scan, 0).and_then(|query| {
            if scan.at_end() {
                Ok(query)
            } else {
                Err(scan.expected("`and`, `or`, `then`, `for` or the end"))
            }
        });
        // In a value with escapes, places are those of the value.
        query.map_err(|error| error.widened(text))
    }
}

impl std::str::FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        Self::parse(text)
    }
}

fn or(scan: &mut Scan<'_>, depth: u32) -> Result<Query, QueryError> {
    if depth > DEEPEST {
        return Err(scan.expected("brackets that are not so deep"));
    }
    let mut parts = vec![and(scan, depth)?];
    while scan.eat("or") {
        parts.push(and(scan, depth)?);
    }
    Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Query::Or(parts) })
}

fn and(scan: &mut Scan<'_>, depth: u32) -> Result<Query, QueryError> {
    let mut parts = vec![not(scan, depth)?];
    while scan.eat("and") {
        parts.push(not(scan, depth)?);
    }
    Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Query::And(parts) })
}

fn not(scan: &mut Scan<'_>, depth: u32) -> Result<Query, QueryError> {
    let mut negations = 0;
    while scan.eat("not") {
        negations += 1;
    }
    let inner = chain(scan, depth)?;
    Ok(if negations % 2 == 1 { !inner } else { inner })
}

fn chain(scan: &mut Scan<'_>, depth: u32) -> Result<Query, QueryError> {
    let first = basic(scan, depth)?;
    if scan.eat("then") {
        let second = basic(scan, depth)?;
        let within = if scan.eat("within") { plies(scan)? } else { WITHIN };
        return Ok(first.then(second, within));
    }
    if scan.eat("for") {
        let plies = plies(scan)?;
        return Ok(first.lasting(plies));
    }
    Ok(first)
}

fn basic(scan: &mut Scan<'_>, depth: u32) -> Result<Query, QueryError> {
    if scan.eat_sign("(") {
        let inner = or(scan, depth + 1)?;
        return if scan.eat_sign(")") { Ok(inner) } else { Err(scan.expected("`)`, `and` or `or`")) };
    }
    if depth > DEEPEST {
        return Err(scan.expected("brackets that are not so deep"));
    }
    if scan.eat("ever") {
        return Ok(basic(scan, depth + 1)?.ever());
    }
    if scan.eat("never") {
        return Ok(basic(scan, depth + 1)?.never());
    }
    condition::condition(scan)
}

/// A number of plies.
fn plies(scan: &mut Scan<'_>) -> Result<u32, QueryError> {
    let plies = scan.number("a number of plies", 0, u32::MAX.into())? as u32;
    let _ = scan.eat("plies") || scan.eat("ply");
    Ok(plies)
}

#[cfg(test)]
mod tests;
