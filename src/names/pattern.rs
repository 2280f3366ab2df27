//! Names, which are spelt in many ways.
//!
//! All comparing is done on folded texts (see [`fold`]): without case, accents and punctuation. A *word* is what
//! stands between blanks there, so `Van der Wal, Jannes` has the words `van`, `der`, `wal` and `jannes`.

use std::fmt;

use super::fold;

/// How badly an initial fits.
const INITIAL: usize = 1;

/// How a name must fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NameMatch {
    /// The whole name, apart from case, accents and punctuation.
    Exact,
    /// The name begins so.
    Prefix,
    /// Every word is there, in any order; a single letter stands for any word that begins with it, as long as one word
    /// is there in full.
    Words,
    /// As [`Words`](Self::Words), and a word of four letters and more may have one letter wrong, missing, too much
    /// or swapped with its neighbour, one of eight and more two.
    Fuzzy,
}

/// Which names are meant.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct NamePattern {
    text: String,
    spelling: NameMatch,
    folded: String,
}

impl NamePattern {
    /// Names like this text.
    pub fn new(text: impl Into<String>, spelling: NameMatch) -> Self {
        let text = text.into();
        let folded = fold(&text);
        Self { text, spelling, folded }
    }

    /// Reads how people ask on a command line: `=name` is [`Exact`](NameMatch::Exact), `name*` is
    /// [`Prefix`](NameMatch::Prefix), `~name` is [`Fuzzy`](NameMatch::Fuzzy), and plain `name` is
    /// [`Words`](NameMatch::Words).
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

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text in the form in which names are compared, see [`fold`].
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// How it must fit.
    pub fn spelling(&self) -> NameMatch {
        self.spelling
    }

    /// Whether a name is meant.
    pub fn fits(&self, name: &str) -> bool {
        self.fits_folded(&fold(name))
    }

    fn fits_folded(&self, name: &str) -> bool {
        match self.spelling {
            NameMatch::Exact => name == self.folded,
            NameMatch::Prefix => name.starts_with(&self.folded),
            NameMatch::Words | NameMatch::Fuzzy => self.words_fit(name),
        }
    }

    /// Whether every word asked for finds a word of its own in the name. The words asked for choose in their
    /// order, each the best that is left: an equal one, then an initial, then a misspelt one.
    fn words_fit(&self, name: &str) -> bool {
        let mut words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
        // Initials alone name nobody, unless nothing else was asked for.
        let mut named = false;
        let mut longest = 0;
        for wanted in longest_first(&self.folded) {
            let fit = |word: &&str| self.word_fit(wanted, word);
            let best = (0..words.len()).filter_map(|i| fit(&words[i]).map(|cost| (cost, i))).min();
            let Some((cost, best)) = best else { return false };
            words.remove(best);
            named |= cost != INITIAL;
            longest = longest.max(wanted.chars().count());
        }
        named || longest == 1
    }

    /// How badly a word fits the one asked for; `None` if it does not.
    fn word_fit(&self, wanted: &str, word: &str) -> Option<usize> {
        if wanted == word {
            return Some(0);
        }
        let initial = |one: &str, other: &str| one.chars().nth(1).is_none() && other.starts_with(one);
        if initial(wanted, word) || initial(word, wanted) {
            return Some(INITIAL);
        }
        if self.spelling != NameMatch::Fuzzy {
            return None;
        }
        let letters = wanted.chars().count();
        let allowed = match letters {
            0..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        if letters.abs_diff(word.chars().count()) > allowed {
            return None;
        }
        let distance = strsim::osa_distance(wanted, word);
        (distance <= allowed).then_some(INITIAL + distance)
    }
}

/// The words of a text, longer ones first, so that an initial cannot take the word that a longer one needs.
fn longest_first(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, star) = match self.spelling {
            NameMatch::Exact => ("=", ""),
            NameMatch::Prefix => ("=", "*"),
            NameMatch::Words => (":", ""),
            NameMatch::Fuzzy => ("~", ""),
        };
        write!(f, "{sign} \"")?;
        for c in self.text.chars() {
            if matches!(c, '"' | '\\') || (c == '*' && self.spelling == NameMatch::Exact) {
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
    fn names_are_found_as_people_spell_them() {
        for (asked, name, expected) in [
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
            assert_eq!(NamePattern::parse(asked).fits(name), expected, "{asked} / {name}");
        }
    }
}
