//! Numbers with their units, for people.

pub(crate) use indicatif::HumanCount;

/// Formats a count with its noun: `1 game`, `4,689 games`. The plural is the noun with an `s`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", HumanCount(number))
}

/// Formats a number of plies: `1 ply`, `4,689 plies`.
pub(crate) fn plies(number: u64) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { "ply" } else { "plies" })
}

/// Formats a number of bytes: `2.01 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// Formats a number per second or the like, rounded down: `12,345`.
pub(crate) fn rounded(number: f64) -> String {
    HumanCount(number as u64).to_string()
}
