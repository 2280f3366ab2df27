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
    /// It is a word for a draw, or a side and a word for winning or losing in either order, in the languages of tag names. Full stops,
    /// exclamation marks, capitals and the words between them that say why or how make no difference.
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        // A score, or no result.
        if text.len() > MAX_BYTES || text.first().is_none_or(|byte| byte.is_ascii_digit() || *byte == b'*') {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?.trim();
        match text {
            "+-" => return Some(Self::Won(Colour::White)),
            "-+" => return Some(Self::Won(Colour::Black)),
            "=" => return Some(Self::Draw),
            _ => {}
        }
        if let Some(side) = text.strip_suffix('+').and_then(side_of) {
            return Some(Self::Won(side));
        }
        // Without an allocation, because every text without meaning is looked at.
        let mut words = [""; MAX_WORDS];
        let mut len = 0;
        let is_apart = |c: char| c.is_whitespace() || matches!(c, '.' | '!' | ',');
        for word in text.split(is_apart).filter(|word| !word.is_empty()) {
            *words.get_mut(len)? = word;
            len += 1;
        }
        Self::of_words(&words[..len])
    }

    fn of_words(words: &[&str]) -> Option<Self> {
        let is_drawn = words.iter().any(|word| is_among(word, DRAWS));
        if is_drawn && words.iter().all(|word| is_among(word, DRAWS) || is_among(word, AGREED)) {
            return Some(Self::Draw);
        }
        let (mut side, mut has_won) = (None, None);
        let mut rest = words;
        while let Some((&word, after)) = rest.split_first() {
            rest = after;
            let own = side_of(word).filter(|_| side.is_none());
            let gives_up = || {
                let particle = after.first()?;
                let is_pair = |pair: &&[&str; 2]| is_word(word, pair[0]) && is_word(particle, pair[1]);
                GIVES_UP.iter().find(is_pair)
            };
            let is_open = has_won.is_none();
            if own.is_some() {
                side = own;
            } else if is_open && is_among(word, WINS) {
                has_won = Some(true);
            } else if is_open && is_among(word, LOSES) {
                has_won = Some(false);
            } else if is_open && gives_up().is_some() {
                has_won = Some(false);
                rest = &after[1..];
            } else {
                let expected = if is_open || side.is_none() { HELPERS } else { REASONS };
                if !is_among(word, expected) {
                    return None;
                }
            }
        }
        Some(Self::Won(if has_won? { side? } else { side?.other() }))
    }
}

/// Returns the side that a word names.
fn side_of(word: &str) -> Option<Colour> {
    let is_named = |names: &[&str]| is_among(word, names);
    if is_named(WHITE) { Some(Colour::White) } else { is_named(BLACK).then_some(Colour::Black) }
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
const DRAWS: &[&str] = &[
    "draw",
    "drawn",
    "remise",
    "remis",
    "nulle",
    "nul",
    "patta",
    "pareggio",
    "unentschieden",
    "tablas",
    "empate",
    "ничья",
    "нічия",
    "ничью",
];
/// Words that may precede or follow a word for a draw without changing its meaning.
const AGREED: &[&str] = &["a", "agreed", "overeengekomen", "game", "match", "partie", "by", "agreement"];
/// Verbs of giving up that have a second word.
const GIVES_UP: &[[&str; 2]] = &[
    ["geeft", "op"],
    ["gaf", "op"],
    ["geven", "op"],
    ["gibt", "auf"],
    ["gab", "auf"],
    ["geben", "auf"],
    ["gives", "up"],
];
const WHITE: &[&str] = &[
    "white",
    "whites",
    "w",
    "wit",
    "weiss",
    "weiß",
    "blanc",
    "blancs",
    "bianco",
    "bianchi",
    "blanca",
    "blancas",
    "branca",
    "brancas",
    "białe",
    "białych",
    "белые",
    "белых",
    "білі",
    "білих",
];
const BLACK: &[&str] = &[
    "black",
    "blacks",
    "b",
    "zwart",
    "z",
    "schwarz",
    "noir",
    "noirs",
    "nero",
    "neri",
    "negra",
    "negras",
    "preta",
    "pretas",
    "czarne",
    "czarnych",
    "черные",
    "чёрные",
    "черных",
    "чёрных",
    "чорні",
    "чорних",
];
const WINS: &[&str] = &[
    "wins",
    "won",
    "win",
    "w",
    "wint",
    "winst",
    "gewonnen",
    "gewinnt",
    "sieg",
    "gagne",
    "gagnent",
    "gagné",
    "gain",
    "victoire",
    "vince",
    "vincono",
    "vinto",
    "vittoria",
    "gana",
    "ganan",
    "ganado",
    "victoria",
    "ganha",
    "ganham",
    "vitória",
    "wygrywa",
    "wygrywają",
    "wygrały",
    "wygrana",
    "победа",
    "победили",
    "выигрыш",
    "выиграли",
    "выигрывают",
    "перемога",
    "виграли",
];
const LOSES: &[&str] = &[
    "resigns",
    "resigned",
    "resign",
    "loses",
    "lost",
    "lose",
    "verliest",
    "verliezen",
    "verloren",
    "opgegeven",
    "verliert",
    "verlieren",
    "abandonne",
    "abandonnent",
    "abandonné",
    "abbandona",
    "abbandonano",
    "abandona",
    "abandonan",
    "abandonam",
    "perd",
    "perdent",
    "perde",
    "perdono",
    "pierde",
    "pierden",
    "perdem",
    "poddały",
    "poddają",
    "przegrały",
    "przegrywają",
    "сдались",
    "сдаются",
    "проиграли",
    "здалися",
];
/// Articles and other small words before a side or a verb.
const HELPERS: &[&str] = &[
    "the", "les", "le", "la", "des", "du", "il", "del", "dei", "i", "el", "los", "las", "de", "das", "dos",
    "as", "os", "have", "has", "heeft", "hebben", "hat", "haben", "voor", "für", "za",
];
/// What may follow a verb without changing its meaning.
const REASONS: &[&str] = &[
    "on",
    "by",
    "time",
    "forfeit",
    "flag",
    "default",
    "adjudication",
    "resignation",
    "here",
    "op",
    "tijd",
    "door",
    "auf",
    "zeit",
    "au",
    "temps",
    "abandon",
    "per",
    "tempo",
    "por",
    "tiempo",
    "się",
    "по",
    "времени",
];

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
            "White wins Black",
            "White resigns a piece",
            "the white",
            "White threatens to win",
            "a draw by White",
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
