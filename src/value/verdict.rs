//! Results in words, as they stand after the last move: `White resigns`, `Drawn.`, `W.W.`, `+-`.

use super::Colour;

/// A result in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Won(Colour),
    Draw,
}

impl Verdict {
    /// Returns the score for the side that starts, as `1-0`.
    pub(crate) fn score(self, start: Colour) -> &'static str {
        match self {
            Self::Won(winner) if winner == start => "1-0",
            Self::Won(_) => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Reads a verdict; `None` for any other text.
    ///
    /// It is a word for a draw, or a side and a word for winning or losing, in the languages of tag names. Full stops, exclamation
    /// marks, capitals and the words between them that say why or how make no difference.
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        // A score, or no result.
        if text.len() > MAX_BYTES || text.first().is_none_or(|byte| byte.is_ascii_digit() || *byte == b'*') {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?;
        match text.trim() {
            "+-" => return Some(Self::Won(Colour::White)),
            "-+" => return Some(Self::Won(Colour::Black)),
            "=" => return Some(Self::Draw),
            _ => {}
        }
        // Without an allocation, because every text without meaning is looked at.
        let mut words = [""; MAX_WORDS];
        let mut len = 0;
        let is_apart = |c: char| c.is_whitespace() || matches!(c, '.' | '!' | ',');
        for word in text.split(is_apart).filter(|word| !word.is_empty()) {
            *words.get_mut(len)? = word;
            len += 1;
        }
        let (&first, rest) = words[..len].split_first()?;
        if is_among(first, DRAWS) && rest.iter().all(|word| is_among(word, AGREED)) {
            return Some(Self::Draw);
        }
        let side = if is_among(first, WHITE) {
            Colour::White
        } else if is_among(first, BLACK) {
            Colour::Black
        } else {
            return None;
        };
        let (&verb, rest) = rest.split_first()?;
        let is_reason = |words: &[&str]| words.iter().all(|word| is_among(word, REASONS));
        if is_among(verb, WINS) && is_reason(rest) {
            return Some(Self::Won(side));
        }
        let gives_up = matches!(rest, [particle] if GIVES_UP.iter().any(|[verb_of, particle_of]| {
            is_word(verb, verb_of) && is_word(particle, particle_of)
        }));
        (gives_up || is_among(verb, LOSES) && is_reason(rest)).then(|| Self::Won(side.other()))
    }
}

/// Returns `true` if a word is the other one, in lower case, whatever its capitals are.
fn is_word(word: &str, lower: &str) -> bool {
    // Capitals of these words have as many bytes as their small letters.
    word.len() == lower.len()
        && (word.eq_ignore_ascii_case(lower)
            || !lower.is_ascii() && word.chars().flat_map(char::to_lowercase).eq(lower.chars()))
}

fn is_among(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| is_word(word, known))
}

/// The greatest number of words of a verdict.
const MAX_WORDS: usize = 6;
/// The greatest length of a verdict in bytes.
const MAX_BYTES: usize = 64;
const DRAWS: &[&str] =
    &["draw", "drawn", "remise", "remis", "nulle", "patta", "unentschieden", "empate", "ничья", "нічия"];
const GIVES_UP: &[[&str; 2]] = &[["geeft", "op"], ["gibt", "auf"], ["gives", "up"]];
const AGREED: &[&str] = &["agreed", "overeengekomen", "game"];
const WHITE: &[&str] = &["white", "w", "wit", "weiss", "weiß", "blanc", "blancs", "bianco", "białe", "белые"];
const BLACK: &[&str] =
    &["black", "b", "zwart", "z", "schwarz", "noir", "noirs", "nero", "czarne", "черные", "чёрные"];
const WINS: &[&str] = &[
    "wins",
    "won",
    "win",
    "w",
    "wint",
    "gewinnt",
    "gagne",
    "gagnent",
    "vince",
    "wygrywa",
    "wygrywają",
    "выиграли",
    "выигрывают",
];
const LOSES: &[&str] = &[
    "resigns",
    "resigned",
    "resign",
    "loses",
    "lost",
    "verliest",
    "verliert",
    "abandonne",
    "abandonnent",
    "abbandona",
    "perd",
    "perdent",
    "poddały",
    "сдались",
];
const REASONS: &[&str] = &["on", "by", "time", "forfeit", "op", "tijd", "auf", "zeit", "au", "temps", "here"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_in_several_languages() {
        use Colour::{Black, White};
        for (text, verdict) in [
            ("White resigns", Verdict::Won(Black)),
            ("White resigned.", Verdict::Won(Black)),
            ("B. wins", Verdict::Won(Black)),
            ("W.W.", Verdict::Won(White)),
            ("B.W.", Verdict::Won(Black)),
            ("Drawn.", Verdict::Draw),
            ("Draw agreed", Verdict::Draw),
            ("Remise", Verdict::Draw),
            ("+-", Verdict::Won(White)),
            ("-+", Verdict::Won(Black)),
            ("=", Verdict::Draw),
            ("Wit geeft op", Verdict::Won(Black)),
            ("Zwart wint!", Verdict::Won(Black)),
            ("Black lost on time", Verdict::Won(White)),
            ("Чёрные сдались", Verdict::Won(White)),
            ("Ничья", Verdict::Draw),
        ] {
            assert_eq!(Verdict::read(text.as_bytes()), Some(verdict), "{text}");
        }
        for text in [
            "White",
            "White threatens to win",
            "a draw",
            "wins",
            "drawn by White",
            "",
            "1-0",
            "White wins a man",
        ] {
            assert_eq!(Verdict::read(text.as_bytes()), None, "{text}");
        }
        let scores = [White, Black].map(|start| Verdict::Won(Black).score(start));
        assert_eq!((scores, Verdict::Draw.score(White)), (["0-1", "1-0"], "1/2-1/2"));
    }
}
