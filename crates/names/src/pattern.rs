//! Patterns that match names.
//!
//! Names are compared as folded texts (see [`fold`]), without case, accents and punctuation. A *word* is a part of
//! the name between spaces and punctuation: `Van der Wal, Jannes` has the words `van`, `der`, `wal` and `jannes`.

use std::fmt;

use super::fold;
use super::outline::{NameOutline, PatternOutline};
use super::word::{
    Agreement, NameWord, is_plain, joined_parts, max_errors, name_parts, words_of, words_with_single_initials,
};

/// How a name must match a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NameMatch {
    /// The whole name, apart from case, accents and punctuation.
    Exact,
    /// The beginning of the name.
    Prefix,
    /// Every word of the pattern, in any order. A single letter matches any word that begins with it, provided that
    /// at least one word matches in full. A Cyrillic word matches its spellings in Latin letters and the reverse, and
    /// romanised names match each other: `Шварцман`, `Schwarzman` and `Sjvartsman` (see [`Romanisation`]).
    ///
    /// [`Romanisation`]: super::Romanisation
    Words,
    /// Like [`Words`](Self::Words), but words may be misspelt: a word of 4 to 7 letters by one error, a longer word
    /// by two. An error is a wrong, missing, additional or swapped letter; of a Cyrillic or romanised word, a wrong
    /// sound.
    Fuzzy,
}

/// A name that a user asks for.
///
/// ```
/// use pdn_names::NamePattern;
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
    /// The words, in one list or in [several](word_lists).
    words: Vec<Vec<NameWord>>,
    outline: PatternOutline,
    /// Whether only letters decide which words match; see [`is_plain`].
    plain: bool,
}

impl NamePattern {
    /// Creates a pattern from a text and the way in which names must match it.
    pub fn new(text: impl Into<String>, kind: NameMatch) -> Self {
        let text = text.into();
        let folded = fold(&text);
        let (words, plain) = (word_lists(&text), is_plain(&text));
        let outline = PatternOutline::new(&words);
        Self { text, kind, folded, words, outline, plain }
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
        match self.kind {
            NameMatch::Exact => fold(name) == self.folded,
            NameMatch::Prefix => fold(name).starts_with(&self.folded),
            // Most names share no word with the pattern.
            NameMatch::Words if !self.outline.may_match(name) => false,
            // Twin: assignments of all words, tried one by one; test: fuzzy_match_equals_naive_match.
            NameMatch::Words | NameMatch::Fuzzy if self.plain && is_plain(name) => {
                self.plain_words_match(&fold(name))
            }
            NameMatch::Words | NameMatch::Fuzzy => self.read_words_match(name),
        }
    }

    /// Returns `false` if no name with this outline matches. Names that may be misspelt, and those that are compared as a whole, have no
    /// outline: all of them may match.
    pub fn may_match(&self, name: NameOutline) -> bool {
        self.kind != NameMatch::Words || self.outline.may_match_outline(name)
    }

    /// Returns `true` if the words of a name match, by all their readings.
    fn read_words_match(&self, name: &str) -> bool {
        let names = word_lists(name);
        self.words.iter().any(|wanted| names.iter().any(|name| self.words_match(wanted, name)))
    }

    /// Returns how far `name` is from the pattern, for suggestions: the sum of the errors of every word of the pattern
    /// in the nearest word of the name. `None` if a word of the pattern has no near one: an initial or a particle may
    /// be missing for one error, other words may have a third of their letters wrong, and at least one.
    ///
    /// ```
    /// use pdn_names::NamePattern;
    ///
    /// let wanted = NamePattern::parse("Schwarzmann");
    /// assert_eq!(wanted.distance("Schwarzman, A."), Some(1));
    /// assert_eq!(wanted.distance("Шварцман А."), Some(1));
    /// assert_eq!(wanted.distance("Tinsley, M."), None);
    /// ```
    pub fn distance(&self, name: &str) -> Option<u32> {
        let names = word_lists(name);
        let pairs = self.words.iter().flat_map(|wanted| names.iter().map(move |name| (wanted, name)));
        pairs.filter_map(|(wanted, name)| total_errors(wanted, name)).min()
    }

    /// As [`words_match`](Self::words_match), for a folded plain name.
    fn plain_words_match(&self, name: &str) -> bool {
        let Some(wanted) = self.words.first() else { return false };
        let is_initial = |one: &str, other: &str| one.len() == 1 && other.starts_with(one);
        let agreement = |wanted: &NameWord, word: &str| {
            if wanted.folded == word {
                return Some(Agreement::Equal);
            }
            if is_initial(&wanted.folded, word) || is_initial(word, &wanted.folded) {
                return Some(Agreement::Initial);
            }
            let max = max_errors(wanted.len);
            if self.kind != NameMatch::Fuzzy || max == 0 || wanted.len.abs_diff(word.len()) > max {
                return None;
            }
            let errors = strsim::osa_distance(&wanted.folded, word);
            (errors <= max).then_some(Agreement::Misspelt(errors))
        };
        let words = || name.split(' ').filter(|word| !word.is_empty());
        if !wanted.iter().all(|wanted| words().any(|word| agreement(wanted, word).is_some())) {
            return false;
        }
        let words: Vec<&str> = words().collect();
        can_assign(wanted, words.len(), |wanted, at| agreement(wanted, words[at]))
    }

    /// Returns `true` if every wanted word can be assigned a word of the name, each used once, at least one of them in
    /// full.
    fn words_match(&self, wanted: &[NameWord], name: &[NameWord]) -> bool {
        let agreement = |wanted: &NameWord, word: &NameWord| match self.kind {
            NameMatch::Fuzzy => wanted.agreement_with_errors(word),
            _ => wanted.agreement(word),
        };
        wanted.iter().all(|wanted| name.iter().any(|word| agreement(wanted, word).is_some()))
            && can_assign(wanted, name.len(), |wanted, at| agreement(wanted, &name[at]))
    }
}

/// Returns the lists of words by which a name is compared: its words, and its words with joined initials as one each. Both also with
/// the words that an apostrophe makes of one letter and the next word.
fn word_lists(name: &str) -> Vec<Vec<NameWord>> {
    let parts = name_parts(name);
    let mut lists = Vec::new();
    for parts in joined_parts(&parts).iter().chain([&parts]) {
        lists.push(words_of(parts));
        lists.extend(words_with_single_initials(parts));
    }
    lists
}

/// Returns `true` if every wanted word can be assigned one of `words` words, each used once, and at least one assignment is
/// no initial. Initials alone do not identify a person, unless only initials are wanted.
fn can_assign(
    wanted: &[NameWord],
    words: usize,
    agreement: impl Fn(&NameWord, usize) -> Option<Agreement>,
) -> bool {
    let agreements: Vec<Vec<(usize, bool)>> = wanted
        .iter()
        .map(|wanted| {
            let agree = |at| agreement(wanted, at).map(|agreement| (at, agreement != Agreement::Initial));
            (0..words).filter_map(agree).collect()
        })
        .collect();
    let all = |_: usize, _: bool| true;
    match wanted.iter().map(|word| word.len).max() {
        None => false,
        Some(1) => has_matching(&agreements, words, all),
        // One of the words has to match in full: try each.
        Some(_) => (0..wanted.len()).any(|full| {
            let allowed = |of: usize, is_full: bool| of != full || is_full;
            agreements[full].iter().any(|&(_, is_full)| is_full) && has_matching(&agreements, words, allowed)
        }),
    }
}

/// Returns `true` if each wanted word can have a word of its own, by augmenting paths (Kuhn's algorithm).
fn has_matching(
    agreements: &[Vec<(usize, bool)>],
    words: usize,
    allowed: impl Fn(usize, bool) -> bool,
) -> bool {
    fn assign(
        of: usize,
        agreements: &[Vec<(usize, bool)>],
        allowed: &impl Fn(usize, bool) -> bool,
        taken: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        for &(word, is_full) in &agreements[of] {
            if !allowed(of, is_full) || std::mem::replace(&mut seen[word], true) {
                continue;
            }
            if taken[word].is_none_or(|other| assign(other, agreements, allowed, taken, seen)) {
                taken[word] = Some(of);
                return true;
            }
        }
        false
    }
    let mut taken = vec![None; words];
    agreements.len() <= words
        && (0..agreements.len())
            .all(|of| assign(of, agreements, &allowed, &mut taken, &mut vec![false; words]))
}

/// Returns the sum of the errors of the wanted words; see [`NamePattern::distance`].
fn total_errors(wanted: &[NameWord], name: &[NameWord]) -> Option<u32> {
    let mut total = 0;
    let mut has_near = false;
    for wanted in wanted {
        let max = (wanted.len / 3).max(1);
        let errors = name.iter().filter_map(|word| match wanted.agreement(word) {
            Some(Agreement::Initial) if wanted.len > 1 => None,
            Some(_) => Some(0),
            None => wanted.errors(word, max),
        });
        let is_short = wanted.len < 4;
        let errors = errors.filter(|&errors| !is_short || errors == 0).min();
        has_near |= errors.is_some() && wanted.len > 1;
        total += match errors {
            Some(errors) => errors as u32,
            None if is_short => 1,
            None => return None,
        };
    }
    has_near.then_some(total)
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
    use proptest::prelude::*;

    use super::*;

    /// A name of parts whose spellings meet in several romanisations.
    fn any_name() -> impl Strategy<Value = String> {
        const PARTS: &str = "Shvartsman Sjvartsman Chvartsman Schwarzman Szwarcman Шварцман Kuperman Koeperman Kouperman Куперман \
            Купермен Chizhov Tsjizjov Czyżow Čižov Tschischow Чижов Agafonoff Agafonov Ganine Ganin Yuri Joeri \
            Iouri Юрий Yu Ю Ju J A AA MF vd van der Wal de la O'Grady Solov'ev Solovjev Łukasz Lukasz Groß Gross \
            Jerzy Ежи Filippov Philippov Филиппов III 2nd Ol'gin Bilal'din Bilaldin N'Diaye Ndiaye N´Diaye Müller Mueller \
            Öztürk Oeztuerk Sijbrands Sybrands IJsbrandy Ysbrandy Gantwarg Gantvarg Balyakin Baljakin Сергій Serhii";
        let part = prop::sample::select(PARTS.split(' ').collect::<Vec<_>>());
        let separator = prop::sample::select(vec![" ", ", ", ".", "-", ". "]);
        prop::collection::vec((part, separator), 1..5)
            .prop_map(|parts| parts.into_iter().flat_map(|(part, separator)| [part, separator]).collect())
    }

    proptest! {
        #[test]
        fn names_that_an_outline_excludes_do_not_match(pattern in any_name(), name in any_name()) {
            for kind in [NameMatch::Words, NameMatch::Fuzzy] {
                let pattern = NamePattern::new(pattern.as_str(), kind);
                let expected = match pattern.plain && is_plain(&name) {
                    true => pattern.plain_words_match(&fold(&name)),
                    false => pattern.read_words_match(&name),
                };
                prop_assert_eq!(pattern.matches(&name), expected);
                prop_assert!(pattern.may_match(NameOutline::of(&name)) || !expected);
            }
        }
    }

    #[test]
    fn outlines_of_names_exclude_most_others() {
        for (pattern, name, may_match) in [
            ("Shvartsman", "Schwarzman,A.", true),
            ("Shvartsman", "Шварцман А.", true),
            ("Shvartsman", "A. Sjvartsman", true),
            ("Shvartsman", "", false),
            ("Shvartsman", "A.", false),
            ("Shvartsman", "Sijbrands, A.", false),
            ("Shvartsman", "Куперман А.", false),
            ("Shvartsman, A.", "Sjvartsman, Alexander", true),
            ("Shvartsman, A.", "Sjvartsman, B.", false),
            ("Shvartsman, A.", "Kuperman, A.", false),
        ] {
            let pattern = NamePattern::parse(pattern);
            assert_eq!(pattern.may_match(NameOutline::of(name)), may_match, "{name}");
        }
        // Words whose letters have two readings.
        for (pattern, name) in [
            ("Jerzy", "Ежи"),
            ("Ежи", "Jerzy"),
            ("Philippov", "Filippov"),
            ("Филиппов", "Philippov"),
            ("Qvasov", "Kvasov"),
        ] {
            let pattern = NamePattern::parse(pattern);
            assert!(pattern.matches(name), "{name}");
            assert!(pattern.may_match(NameOutline::of(name)), "{name}");
        }
        assert!(NamePattern::parse("a. s.").may_match(NameOutline::of("A. Sijbrands")));
        assert!(
            NamePattern::parse("~Shvartsman").may_match(NameOutline::of("Sijbrands")),
            "names may be misspelt"
        );
    }

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
            // The initial of the name must not take the place of its misspelt surname.
            ("~tinsley", "Tinsly, T.", true),
            ("~tinsley", "Tinsly, M.", true),
            ("~hanson", "Hansen, H.", true),
            ("t. tinsley", "T. T. Tinsley", true),
            // Joined initials.
            ("m.f. tinsley", "MF Tinsley", true),
            ("mf tinsley", "Tinsley, M.F.", true),
            ("m. tinsley", "MF Tinsley", true),
            ("k. tinsley", "MF Tinsley", false),
            // Cyrillic and its romanisations.
            ("shutilkin", "Шутилкин Н.", true),
            ("Шутилкин", "Shutilkin, N.", true),
            ("n. shutilkin", "Шутилкин Н.", true),
            ("k. shutilkin", "Шутилкин Н.", false),
            ("=shutilkin, n", "Шутилкин Н.", false),
            ("shutil*", "Шутилкин Н.", false),
            ("schwarzman", "Sjvartsman, A.", true),
            ("yu. kuznetsov", "Кузнецов Ю.", true),
            ("~shutilkyn", "Шутилкин Н.", true),
            ("solovjev", "Solov'ev, A.", true),
            ("сергій", "Serhii", true),
            ("сергей", "Serhei", false),
            // Apostrophes, umlauts and `ij`.
            ("ndiaye", "N’Diaye, M.", true),
            ("n'diaye", "Ndiaye, M.", true),
            ("m. n'diaye", "Ndiaye, Macodou", true),
            ("grady", "TJ O'Grady", true),
            ("tj ogrady", "TJ O'Grady", true),
            ("t. ogrady", "TJ O'Grady", true),
            ("mueller", "Müller, H.", true),
            ("müller", "Mueller, H.", true),
            ("möller", "Müller, H.", false),
            ("mueller", "Muller, H.", false),
            ("sybrands", "Sijbrands, T.", true),
            ("ysbrandy", "IJsbrandy, T.", true),
            ("meyer", "Meijer, T.", false),
            // Near names of other persons.
            ("hansen", "Hanson, K.", false),
            ("thomson", "P Thompson", false),
            ("schwarzmann", "Schwarzman,A.", false),
            ("~schwarzmann", "Schwarzman,A.", true),
        ] {
            assert_eq!(NamePattern::parse(pattern).matches(name), expected, "{pattern} / {name}");
        }
    }
}
