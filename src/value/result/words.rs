//! Results in words, in signs, and with a remark.

use super::{Colour, GameResult, Outcome, Points, ResultFormat};

/// Words for a draw in the languages of tag names, in lower case.
const DRAWS: &[&str] = &[
    "draw",
    "drawn",
    "a draw",
    "draw agreed",
    "agreed draw",
    "drawn game",
    "remise",
    "nulle",
    "nul",
    "match nul",
    "partie nulle",
    "remis",
    "unentschieden",
    "patta",
    "tablas",
    "empate",
    "ничья",
];

/// The beginnings of the words for both sides, White first, in the languages of tag names, in lower case.
const SIDES: [&[&str]; 2] = [
    &["white", "wit", "blanc", "wei\u{df}", "weiss", "bianc", "blanca", "branca", "bia\u{142}e", "белы"],
    &["black", "zwart", "noir", "schwarz", "ner", "negra", "preta", "czarne", "черны", "чёрны"],
];

/// Words for a win, in lower case.
const WINS: &[&str] = &[
    "win",
    "wins",
    "won",
    "wint",
    "won",
    "gewonnen",
    "gagne",
    "gagnent",
    "gewinnt",
    "vince",
    "vincono",
    "ganan",
    "gana",
    "ganham",
    "ganha",
    "wygrały",
    "wygrywają",
    "победа",
    "выиграли",
    "выигрывают",
];

/// Words for giving up, in lower case.
const RESIGNS: &[&str] = &["resigns", "resigned", "opgegeven", "abandonne", "abandonnent", "сдались"];

/// Returns the side that won by a text such as `White wins`, `B+` or `les noirs abandonnent`; `None` for other texts.
#[cold]
pub(super) fn winner(text: &[u8]) -> Option<Colour> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= 48)?.to_lowercase();
    match text.trim() {
        "w+" => return Some(Colour::White),
        "b+" => return Some(Colour::Black),
        _ => {}
    }
    let (mut side, mut has_won) = (None, None);
    for word in text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()) {
        let own = SIDES.iter().position(|starts| starts.iter().any(|start| word.starts_with(start)));
        match (own, WINS.contains(&word), RESIGNS.contains(&word)) {
            (Some(own), ..) if side.is_none() => side = Some(Colour::ALL[own]),
            (None, true, _) if has_won.is_none() => has_won = Some(true),
            (None, _, true) if has_won.is_none() => has_won = Some(false),
            (None, false, false) if matches!(word, "les" | "il" | "el" | "las" | "as" | "i" | "has") => {}
            // Anything else may change the meaning: `White wins a piece`.
            _ => return None,
        }
    }
    Some(if has_won? { side? } else { !side? })
}

/// Returns the result that a text gives in words or in signs, or before a remark, and the remark with the whitespace before it. `None` for
/// a text without a result, or with two.
#[cold]
pub(super) fn read(text: &[u8]) -> Option<(GameResult<'_>, &[u8])> {
    let score =
        |first, second| Some((GameResult::Score(Points::whole(first), Points::whole(second)), &b""[..]));
    match text {
        b"=" => return Some((GameResult::Score(Points::HALF, Points::HALF), b"")),
        b"+/-" | b"1/0" => return score(1, 0),
        b"-/+" | b"0/1" => return score(0, 1),
        b"1/1" => return score(1, 1),
        b"2/0" => return score(2, 0),
        b"0/2" => return score(0, 2),
        _ => {}
    }
    if is_draw(text) {
        return Some((GameResult::Score(Points::HALF, Points::HALF), b""));
    }
    let is_remark = |at: usize| match text[at] {
        b'(' | b'[' | b';' => true,
        b',' => !text.get(at + 1).is_some_and(u8::is_ascii_digit),
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
    // The longest word has 21 bytes.
    let text = text.strip_suffix(b".").unwrap_or(text);
    let word = std::str::from_utf8(text).ok().filter(|word| (3..=24).contains(&word.len()));
    word.is_some_and(|word| DRAWS.contains(&word.to_lowercase().as_str()))
}
