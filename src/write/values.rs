//! Tag values and other texts in canonical form.

use std::fmt::Write;

use super::unwritten::Unwritten;
use crate::diag::Code;
use crate::parse::{escape, unescape};
use crate::position::Position;
use crate::replay::CandidateGame;
use crate::source::Encoding;
use crate::value::{
    Colour, DateOrders, Fen, FenForm, FenStyle, FenWriter, GameResult, GameType, ResultFormat,
};

/// Appends a tag value in canonical escapes. With `utf8`, the encoding of the record, it is turned into UTF-8.
pub(super) fn push_value(
    out: &mut Vec<u8>,
    value: &[u8],
    utf8: Option<Encoding>,
    no_quotes: bool,
) -> Result<(), Unwritten> {
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    if !value.iter().any(special) && !has_extra_blanks(value) {
        return push_text(out, value, utf8);
    }
    push_special_value(out, value, utf8, no_quotes)
}

#[cold]
fn push_special_value(
    out: &mut Vec<u8>,
    value: &[u8],
    utf8: Option<Encoding>,
    no_quotes: bool,
) -> Result<(), Unwritten> {
    if value.contains(&b'\n') || value.contains(&b'\r') {
        return Err(Unwritten::TagValue);
    }
    let mut plain = unescape(value).into_owned();
    if has_extra_blanks(&plain) {
        let words = plain.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
        plain = words.collect::<Vec<_>>().join(&b' ');
    }
    if no_quotes {
        let without: Vec<u8> =
            plain.iter().map(|&byte| if matches!(byte, b'"' | b'\\') { b'\'' } else { byte }).collect();
        return push_text(out, &without, utf8);
    }
    push_text(out, &escape(&plain), utf8)
}

/// Returns `true` if a value has a blank at its start or end, two blanks side by side, or a tab.
pub(super) fn has_extra_blanks(value: &[u8]) -> bool {
    let mut before = b' ';
    for &byte in value {
        if is_blank(byte) && (before == b' ' || byte == b'\t') {
            return true;
        }
        before = byte;
    }
    before == b' ' && !value.is_empty()
}

/// Returns `true` if a value of a section of canonical tags [has extra blanks](has_extra_blanks); perhaps also if a quote in a
/// value is followed by a blank.
pub(super) fn section_has_extra_blanks(section: &[u8]) -> bool {
    let triples = section.iter().zip(section.get(1..).unwrap_or_default());
    let triples = triples.zip(section.get(2..).unwrap_or_default());
    // A fold has no branch for each byte, so the compiler vectorises it.
    triples.fold(false, |any, ((&one, &next), &third)| {
        let doubled = (one == b' ') & (next == b' ');
        let at_start = (one == b'"') & (next == b' ');
        let at_end = (one == b' ') & (next == b'"') & (third == b']');
        any | doubled | at_start | at_end
    })
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Appends text. With `utf8`, the encoding of the record, it is turned into UTF-8.
pub(super) fn push_text(out: &mut Vec<u8>, text: &[u8], utf8: Option<Encoding>) -> Result<(), Unwritten> {
    match utf8 {
        Some(encoding) if !text.is_ascii() => {
            let decoded = encoding.decode(text);
            if decoded.contains(char::REPLACEMENT_CHARACTER)
                && encoding.encode(&decoded).as_deref() != Some(text)
            {
                return Err(Unwritten::Encoding);
            }
            out.extend_from_slice(decoded.as_bytes());
        }
        _ => out.extend_from_slice(text),
    }
    Ok(())
}

/// Returns `true` if a text has the form `2007.05.19`, the calendar aside.
pub(super) fn has_date_form(text: &[u8]) -> bool {
    matches!(text, [_, _, _, _, b'.', _, _, b'.', _, _])
        && text.iter().enumerate().all(|(n, byte)| matches!(n, 4 | 7) || byte.is_ascii_digit())
}

/// Returns a date as `YYYY.MM.DD`; `None` if it has that form, cannot be read, or could mean two days.
#[cold]
pub(super) fn canonical_date(text: &[u8], dates: DateOrders) -> Option<String> {
    let read = dates.read(text).ok()?;
    (!read.is_canonical() && read.is_whole()).then(|| read.date.to_string())
}

/// Returns a FEN in the form of PDN 3.0; `None` if it has that form, cannot be read, or has counters, which PDN 3.0 has no
/// place for. `turn` is the side to move if the moves showed it; without it two letters that contradict each other stay.
pub(super) fn canonical_fen(text: &[u8], turn: Option<Colour>) -> Option<String> {
    let fen = Fen::parse(text).ok()?;
    if fen.is_canonical() || fen.forms().contains(FenForm::Counters) {
        return None;
    }
    match fen.other_turn() {
        Some(_) => turn.map(|turn| FenWriter::new(Some(turn), fen.pieces()).to_string()),
        None => Some(fen.to_string()),
    }
}

/// Returns a FEN as the Hub protocol writes it, if it names a position on the board of the game. `turn` is as for [`canonical_fen`].
///
/// # Errors
/// If the side to move is unknown, or counters would be lost.
#[cold]
pub(super) fn hub_fen(
    text: &[u8],
    turn: Option<Colour>,
    game: &CandidateGame,
) -> Result<Option<String>, Unwritten> {
    let Ok(fen) = Fen::parse(text) else { return Ok(None) };
    let turn = if fen.other_turn().is_some() { turn } else { fen.turn().or(turn) };
    match Position::from_fen_lenient(game.game(), &fen, |_| {}) {
        Err(_) => Ok(None),
        Ok(_) if turn.is_none() || fen.forms().contains(FenForm::Counters) => Err(Unwritten::HubPosition),
        Ok(mut position) => {
            if turn != Some(position.turn()) {
                position.pass();
            }
            Ok(Some(position.fen_as(FenStyle::Hub)))
        }
    }
}

/// Returns the number of a GameType value as text; `None` if it has attributes that its number does not imply.
pub(super) fn short_game_type(text: &[u8]) -> Option<String> {
    let game_type = GameType::parse(text).ok()?;
    let implied = GameType::of_number(game_type.number);
    let is_implied = game_type.attributes.is_none() || implied.details() == game_type.attributes;
    is_implied.then(|| game_type.number.to_string())
}

/// The result system that a GameType value implies, remembered from game to game.
#[derive(Debug, Default)]
pub(super) struct ResultSystem {
    game_type: Vec<u8>,
    system: Option<ResultFormat>,
}

impl ResultSystem {
    pub(super) fn of(&mut self, game_type: &[u8]) -> Option<ResultFormat> {
        if self.game_type != game_type {
            self.game_type.clear();
            self.game_type.extend_from_slice(game_type);
            self.system = GameType::parse(game_type).ok().and_then(|game_type| game_type.result_system());
        }
        self.system
    }
}

/// Writes the result that counts to `text`, in the result system of the game type.
///
/// `tag` is the value of the Result tag, `terminator` the end of the movetext, and `first_side` the side that the
/// first number of a score belongs to. The tag counts unless it
/// gives no result.
///
/// # Errors
/// If both give results and these differ.
pub(super) fn write_result(
    tag: Option<&[u8]>,
    terminator: Option<&[u8]>,
    system: Option<ResultFormat>,
    first_side: Colour,
    text: &mut String,
) -> Result<(), Unwritten> {
    text.clear();
    if let Some(known) = frequent_result(tag, terminator) {
        text.push_str(in_system(known, system));
        return Ok(());
    }
    let parse = |text: Option<_>| text.map_or(GameResult::Unknown, GameResult::parse).for_start(first_side);
    let (tag_text, tag, end) = (tag, parse(tag), parse(terminator));
    let is_unknown = |result: &GameResult<'_>| matches!(result, GameResult::Unknown | GameResult::Unfinished);
    let result = match (is_unknown(&tag), is_unknown(&end)) {
        (true, true) => GameResult::Unfinished,
        (true, false) => end,
        (false, true) => tag,
        (false, false) => {
            if !tag.same_outcome(&end) || tag.advantage() != end.advantage() {
                return Err(Unwritten::ResultsDiffer);
            }
            tag
        }
    };
    match result {
        // Any text is allowed in a Result tag; it stays as it is, and so does one that says more than the result.
        GameResult::Text(_) => {}
        _ if tag_text.is_some_and(GameResult::has_remark) => {}
        // Writing to a `String` never fails.
        result => _ = write!(text, "{result}"),
    }
    let converted = in_system(text, system);
    if converted.len() != text.len() || converted != text {
        let converted = converted.to_owned();
        text.clone_from(&converted);
    }
    Ok(())
}

/// Writes the result that counts as [`write_result`] does, with the two numbers of scores exchanged. Returns `true` if there is one.
///
/// # Errors
/// As `write_result`, and if a score has a remark that is not UTF-8.
#[cold]
pub(super) fn write_exchanged_result(
    tag: Option<&[u8]>,
    terminator: Option<&[u8]>,
    system: Option<ResultFormat>,
    first_side: Colour,
    text: &mut String,
) -> Result<bool, Unwritten> {
    let exchanged = [tag, terminator].map(|result| result.and_then(GameResult::exchanged));
    let [new_tag, new_end] = [(&exchanged[0], tag), (&exchanged[1], terminator)]
        .map(|(exchanged, written)| exchanged.as_deref().or(written));
    write_result(new_tag, new_end, system, first_side, text)?;
    if text.is_empty()
        && let Some(changed) = &exchanged[0]
    {
        // A score with a remark.
        let changed = std::str::from_utf8(changed).map_err(|_| Unwritten::Defect(Code::ScoresOfWhite))?;
        text.push_str(changed);
    }
    Ok(exchanged.iter().any(Option::is_some))
}

/// The results that need no parsing.
pub(super) const FREQUENT: [&str; 8] = ["2-0", "0-2", "1-1", "*", "1-0", "0-1", "1/2-1/2", "0-0"];

/// Returns the result that counts if both are of the most frequent form and equal, or the terminator is `*` or missing.
// Twin: GameResult::parse; test: frequent_results_are_written_as_others.
fn frequent_result(tag: Option<&[u8]>, terminator: Option<&[u8]>) -> Option<&'static str> {
    let tag = tag?;
    let known = FREQUENT.into_iter().find(|known| known.as_bytes() == tag)?;
    let agrees = match terminator {
        None | Some(b"*") => true,
        Some(end) => end == tag,
    };
    agrees.then_some(known)
}

/// Returns the result with the same outcome in the result system, if it is a result of the other usual system.
pub(super) fn in_system(result: &str, system: Option<ResultFormat>) -> &str {
    match (system, result) {
        (Some(ResultFormat::International), "1-0") => "2-0",
        (Some(ResultFormat::International), "1/2-1/2") => "1-1",
        (Some(ResultFormat::International), "0-1") => "0-2",
        (Some(ResultFormat::Default), "2-0") => "1-0",
        (Some(ResultFormat::Default), "1-1") => "1/2-1/2",
        (Some(ResultFormat::Default), "0-2") => "0-1",
        _ => result,
    }
}

/// Returns `true` if a result can look like a move: `4-6`, but not `1/2-1/2`.
pub(super) fn looks_like_move(result: &str) -> bool {
    !matches!(result, "2-0" | "0-2" | "1-0" | "0-1" | "0-0" | "*" | "")
        && result.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_results_are_written_as_others() {
        let results =
            ["2-0", "0-2", "1-1", "*", "1-0", "0-1", "1/2-1/2", "0-0", "4-6", "½-½", "1+ - 1-", "-", ""];
        for system in [None, Some(ResultFormat::International), Some(ResultFormat::Default)] {
            for tag in results {
                for end in results {
                    let write = |tag: &str, end: &str| {
                        let mut text = String::new();
                        write_result(
                            Some(tag.as_bytes()),
                            Some(end.as_bytes()),
                            system,
                            Colour::White,
                            &mut text,
                        )
                        .map(|()| text)
                    };
                    // Whitespace keeps the same meaning and leaves the fast path.
                    assert_eq!(write(tag, end), write(&format!(" {tag} "), end), "{tag} {end}");
                }
            }
        }
    }

    #[test]
    fn result_that_counts_is_written() {
        for (tag, end, system, expected) in [
            (Some("1-0"), Some("*"), Some(ResultFormat::International), Ok("2-0")),
            (Some("1-0"), Some("2-0"), None, Ok("1-0")),
            (Some("*"), Some("0-2"), Some(ResultFormat::Default), Ok("0-1")),
            (None, Some("1-1"), None, Ok("1-1")),
            (None, None, None, Ok("*")),
            (Some("½-½"), None, None, Ok("1/2-1/2")),
            (Some("4-6"), Some("4-6"), Some(ResultFormat::International), Ok("4-6")),
            (Some("White wins"), Some("*"), None, Ok("0-1")),
            (Some("White wins"), Some("Black resigns"), Some(ResultFormat::International), Ok("0-2")),
            (Some("White wins"), Some("1-0"), None, Err(Unwritten::ResultsDiffer)),
            (Some("adjourned"), Some("*"), None, Ok("")),
            (Some("1-0 (time)"), Some("*"), None, Ok("")),
            (Some("Remise"), Some("1-1"), Some(ResultFormat::International), Ok("1-1")),
            (Some("1-0"), Some("0-1"), None, Err(Unwritten::ResultsDiffer)),
        ] {
            let mut text = String::new();
            let bytes = |text: Option<&'static str>| text.map(str::as_bytes);
            let start = Colour::Black;
            let written =
                write_result(bytes(tag), bytes(end), system, start, &mut text).map(|()| text.as_str());
            assert_eq!(written, expected, "{tag:?} {end:?}");
        }
    }

    #[test]
    fn empty_value_has_no_extra_blanks() {
        for (value, expected) in
            [("", false), ("a b", false), (" a", true), ("a ", true), ("a  b", true), (" ", true)]
        {
            assert_eq!(has_extra_blanks(value.as_bytes()), expected, "{value:?}");
        }
    }
}
