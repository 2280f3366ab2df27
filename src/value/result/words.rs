//! Results in words, in signs, and with a remark.

use super::{GameResult, Outcome, Points, ResultFormat};
use crate::value::Verdict;

/// Returns the result that a text gives in words or in signs, or before a remark, and the remark with the whitespace before it. `None` for
/// a text without a result, or with two.
#[cold]
pub(super) fn read(text: &[u8]) -> Option<(GameResult<'_>, &[u8])> {
    let score =
        |first, second| Some((GameResult::Score(Points::whole(first), Points::whole(second)), &b""[..]));
    match text {
        b"+/-" | b"+:-" | b"1/0" => return score(1, 0),
        b"-/+" | b"-:+" | b"0/1" => return score(0, 1),
        b"1/1" => return score(1, 1),
        b"2/0" => return score(2, 0),
        b"0/2" => return score(0, 2),
        _ => {}
    }
    match Verdict::read(text) {
        Some(Verdict::Draw) => return Some((GameResult::Score(Points::HALF, Points::HALF), b"")),
        Some(Verdict::Won(winner)) => return Some((GameResult::Won(winner), b"")),
        None => {}
    }
    let stops = text.iter().rev().take_while(|byte| matches!(byte, b'.' | b'!')).count();
    let score = GameResult::parse(if stops > 0 { &text[..text.len() - stops] } else { b"" });
    if matches!(score, GameResult::Score(..)) {
        return Some((score, b""));
    }
    let is_remark = |at: usize| match text[at] {
        b'(' | b'[' | b';' => true,
        b',' => !text.get(at + 1).is_some_and(u8::is_ascii_digit),
        // A word, or a dash before one, in another script.
        byte if !byte.is_ascii() => text[at - 1] == b' ',
        // `&frac12;` is a part of a score.
        byte => byte.is_ascii_alphabetic() && !text[..at].contains(&b'&'),
    };
    let at = (3..text.len()).find(|&at| is_remark(at))?;
    let (before, remark) = text.split_at(at);
    if !before.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let result = GameResult::parse(before);
    let is_score = ResultFormat::ALL.iter().any(|format| result.is_of_format(*format));
    let has_digit = remark.windows(2).any(|pair| matches!(pair, [b'0'..=b'9', b'-' | b':' | b'/']));
    let words = remark.split(|byte| !byte.is_ascii_alphabetic() && byte.is_ascii());
    let contradicts = result.outcome() != Outcome::Draw && words.into_iter().any(is_draw);
    (is_score && !has_digit && !contradicts).then_some((result, &text[before.trim_ascii_end().len()..]))
}

/// Returns `true` if a text is a word for a draw.
fn is_draw(text: &[u8]) -> bool {
    Verdict::read(text) == Some(Verdict::Draw)
}
