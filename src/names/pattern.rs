//! Patterns that match names.
//!
//! Names are compared as folded texts (see [`fold`]), without case, accents and punctuation. A *word* is a part of
//! the folded text between spaces: `Van der Wal, Jannes` has the words `van`, `der`, `wal` and `jannes`.

use std::fmt;

use super::fold;

/// The cost of matching a word by its initial. An equal word costs 0, a misspelt one more than an initial.
const INITIAL_COST: usize = 1;

/// How a name must match a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum NameMatch {
    /// The whole name, apart from case, accents and punctuation.
    Exact,
    /// The beginning of the name.
    Prefix,
    /// Every word of the pattern, in any order. A single letter matches any word that begins with it, provided that
    /// at least one word matches in full.
    Words,
    /// Like [`Words`](Self::Words), but words may be misspelt: a word of 4 to 7 letters by one error, a longer word
    /// by two. An error is a wrong, missing, additional or swapped letter.
    Fuzzy,
}

/// A name that a user asks for.
///
/// ```
/// use pdn::names::NamePattern;
///
/// assert!(NamePattern::parse("t. sijbrands").matches("Sijbrands, Ton"));
/// assert!(NamePattern::parse("~wiersma").matches("Wirsma, H."));
/// assert!(!NamePattern::parse("=sijbrands").matches("Sijbrands, Ton"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct NamePattern {
    text: String,
    kind: NameMatch,
    folded: String,
}

impl NamePattern {
    /// Creates a pattern from a text and the way in which names must match it.
    pub fn new(text: impl Into<String>, kind: NameMatch) -> Self {
        let text = text.into();
        let folded = fold(&text);
        Self { text, kind, folded }
    }

    /// Parses the notation of the command line: `=name` is [`Exact`](NameMatch::Exact), `name*` is
    /// [`Prefix`](NameMatch::Prefix), `~name` is [`Fuzzy`](NameMatch::Fuzzy), and plain `name` is
    /// [`Words`](NameMatch::Words). Any text is a pattern.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix('=') {
            return Self::new(rest.trim(), NameMatch::Exact);
        }
        if let Some(rest) = text.strip_prefix('~') {
            return Self::new(rest.trim(), NameMatch::Fuzzy);
        }
        if let Some(rest) = text.strip_suffix('*') {
            return Self::new(rest.trim(), NameMatch::Prefix);
        }
        Self::new(text, NameMatch::Words)
    }

    /// Returns the text as given, without the signs of the notation.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the folded text; see [`fold`].
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns how names must match.
    pub fn match_kind(&self) -> NameMatch {
        self.kind
    }

    /// Returns `true` if `name`, which need not be folded, matches.
    pub fn matches(&self, name: &str) -> bool {
        self.matches_folded(&fold(name))
    }

    fn matches_folded(&self, name: &str) -> bool {
        match self.kind {
            NameMatch::Exact => name == self.folded,
            NameMatch::Prefix => name.starts_with(&self.folded),
            NameMatch::Words | NameMatch::Fuzzy => self.words_match(name),
        }
    }

    /// Returns `true` if every word of the pattern can be assigned a word of the folded `name`, each used once.
    ///
    /// The assignment is greedy: longer words of the pattern choose first, and each takes the cheapest word not yet
    /// used (see [`word_cost`](Self::word_cost)).
    fn words_match(&self, name: &str) -> bool {
        let mut words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
        // Initials alone do not identify a person, unless the pattern consists of initials only.
        let mut has_full_word = false;
        let mut longest = 0;
        for wanted in longest_first(&self.folded) {
            let cost = |word: &&str| self.word_cost(wanted, word);
            let best = (0..words.len()).filter_map(|i| cost(&words[i]).map(|cost| (cost, i))).min();
            let Some((cost, best)) = best else { return false };
            words.remove(best);
            has_full_word |= cost != INITIAL_COST;
            longest = longest.max(wanted.chars().count());
        }
        has_full_word || longest == 1
    }

    /// Returns the cost of matching `word` with `wanted`, a word of the pattern: 0 if they are equal,
    /// [`INITIAL_COST`] if one is the initial of the other, more if the word is misspelt. `None` if they do not
    /// match.
    fn word_cost(&self, wanted: &str, word: &str) -> Option<usize> {
        if wanted == word {
            return Some(0);
        }
        let initial = |one: &str, other: &str| one.chars().nth(1).is_none() && other.starts_with(one);
        if initial(wanted, word) || initial(word, wanted) {
            return Some(INITIAL_COST);
        }
        if self.kind != NameMatch::Fuzzy {
            return None;
        }
        let letters = wanted.chars().count();
        let max_errors = match letters {
            0..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        if letters.abs_diff(word.chars().count()) > max_errors {
            return None;
        }
        let distance = strsim::osa_distance(wanted, word);
        (distance <= max_errors).then_some(INITIAL_COST + distance)
    }
}

/// Returns the words of a folded text, longest first, so that an initial cannot take the word that a longer one
/// needs.
fn longest_first(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

/// Writes the operator and the quoted text as the query language has them, such as `: "wal"` or `= "sijb*"`.
impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operator, star) = match self.kind {
            NameMatch::Exact => ("=", ""),
            NameMatch::Prefix => ("=", "*"),
            NameMatch::Words => (":", ""),
            NameMatch::Fuzzy => ("~", ""),
        };
        write!(f, "{operator} \"")?;
        for c in self.text.chars() {
            if matches!(c, '"' | '\\') || (c == '*' && self.kind == NameMatch::Exact) {
                f.write_str("\\")?;
            }
            write!(f, "{c}")?;
        }
        write!(f, "{star}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_matches_usual_spellings_of_names() {
        for (pattern, name, expected) in [
            ("=sijbrands, t", "Sijbrands, T.", true),
            ("=sijbrands", "Sijbrands, T.", false),
            ("sijb*", "Sijbrands, T.", true),
            ("brands*", "Sijbrands, T.", false),
            ("ton sijbrands", "Sijbrands, T.", true),
            ("sijbrands ton", "T. Sijbrands", true),
            ("jannes v.d. wal", "Van der Wal, Jannes", true),
            ("j. van der wal", "Wal, Jannes van der", true),
            ("van der wal", "Wal", false),
            ("wal", "Van der Wal, Jannes", true),
            ("wiersma", "Wirsma", false),
            ("~wiersma", "Wirsma, H.", true),
            ("~wiersma", "Weirsma", true),
            ("~wiersma", "Wersmaa", false),
            ("~schwarzman", "Schwartsman, A.", true),
            ("~tsjizjov", "Tsjizjow", true),
            ("~wal", "Wall", false),
            ("cizov", "Čížov, Alexej", true),
            ("чижов", "ЧИЖОВ А.", true),
            ("georgiev", "Jansen, G.", false),
            ("g georgiev", "Georgiev, G.", true),
            ("", "Anybody", false),
            ("~", "Anybody", false),
            ("t t", "Tinsley, T.", true),
            ("t tinsley", "Tinsley", false),
        ] {
            assert_eq!(NamePattern::parse(pattern).matches(name), expected, "{pattern} / {name}");
        }
    }
}
