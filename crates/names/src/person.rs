//! Whether two names can mean the same person, and the evidence.

use std::cmp::Reverse;
use std::sync::Arc;

use super::word::{
    Agreement, NamePart, NameWord, WordCache, has_joined_initials, is_joined_initials, joined_parts,
    max_errors, name_parts,
};
use pdn_rules::internal::steps;

/// How likely two names mean one person, from the names alone. Later values are more likely.
///
/// [`same_person`] has an example of each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum Likeness {
    /// The names contradict each other: other surnames, given names or initials.
    Different,
    /// At least one name is not known (`?`, `N.N.` or empty), so that nothing contradicts.
    Unknown,
    /// Nothing contradicts, but a word is misspelt, or one name has neither a given name nor an initial.
    Possible,
    /// The surnames agree, and so do given names or initials.
    Probable,
    /// The same words, apart from order, case, accents and punctuation.
    Same,
}

/// What [`same_person`] found out about two names.
///
/// ```
/// use pdn_names::{Likeness, same_person};
///
/// let evidence = same_person("Schwarzmann, A.", "Alexander Schwarzman");
/// assert_eq!((evidence.errors, evidence.initials, evidence.reordered), (1, 1, true));
/// // A misspelt word leaves a doubt.
/// assert!(evidence.likeness < Likeness::Probable);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct NameSimilarity {
    /// The conclusion from all other fields.
    pub likeness: Likeness,
    /// Whether the words that agree stand in another order.
    pub reordered: bool,
    /// The number of words that agree only by the rules of romanisations.
    pub romanised: u32,
    /// The number of words that agree with an initial.
    pub initials: u32,
    /// The number of words that occur in one name only, without particles.
    pub missing: u32,
    /// Whether the particles differ, such as `van der`.
    pub particles_differ: bool,
    /// The number of wrong, missing, additional or swapped letters or sounds in words that agree otherwise.
    pub errors: u32,
}

impl NameSimilarity {
    const fn plain(likeness: Likeness) -> Self {
        Self {
            likeness,
            reordered: false,
            romanised: 0,
            initials: 0,
            missing: 0,
            particles_differ: false,
            errors: 0,
        }
    }
}

/// Maximum number of words of a name without particles. Longer texts are compared as a whole.
pub(super) const MAX_WORDS: usize = 6;
/// Maximum number of parts of a name with particles. Longer texts are compared as a whole, and how their words sound is not looked at.
pub(super) const MAX_PARTS: usize = 24;

/// Parts of surnames that are often left out or abbreviated.
const PARTICLES: [&str; 31] = [
    "af", "al", "bin", "d", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "el",
    "ibn", "la", "le", "t", "te", "ten", "ter", "v", "van", "vande", "vander", "von", "zu", "zum", "zur",
];

/// Compares two names of players and returns whether they can mean one person, with the evidence.
///
/// Names may be written `Surname, Given`, `Surname G.`, `G. Surname`, `GF Surname`, `Given Surname` or `SURNAME Given`, in
/// Latin or Cyrillic letters. The order of the arguments does not matter. A round after a dash and text in brackets are
/// ignored. The result is about names only: two persons may have one name, so that users need more evidence, such as
/// dates, events and ratings, before they unite players. Cost: some microseconds.
///
/// ```
/// use pdn_names::{Likeness, same_person};
///
/// let likeness = |a: &str, b: &str| same_person(a, b).likeness;
/// assert_eq!(likeness("Sijbrands, T.", "T. Sijbrands"), Likeness::Same);
/// assert_eq!(likeness("Schwarzman,A.", "Александр Шварцман"), Likeness::Probable);
/// assert_eq!(likeness("Schwarzmann, A.", "Schwarzman,A."), Likeness::Possible);
/// assert_eq!(likeness("Sijbrands", "Ton Sijbrands"), Likeness::Possible);
/// assert_eq!(likeness("Hansen, H.", "Hansen, K."), Likeness::Different);
/// assert_eq!(likeness("?", "Hansen, K."), Likeness::Unknown);
///
/// let evidence = same_person("Wal, J. van der", "Jannes van der Wal");
/// assert_eq!((evidence.likeness, evidence.initials), (Likeness::Probable, 1));
/// ```
pub fn same_person(a: &str, b: &str) -> NameSimilarity {
    let mut words = WordCache::default();
    compare_readings(&PersonName::readings_of(a, &mut words), &PersonName::readings_of(b, &mut words))
}

/// As [`same_person`], for names that were read before.
pub(super) fn compare_readings(first: &[PersonName], second: &[PersonName]) -> NameSimilarity {
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| a.compare(b)));
    // Joined initials can be read in two ways; the likelier one counts.
    let best = pairs.max_by_key(|found| (found.likeness, Reverse((found.errors, found.missing))));
    best.unwrap_or(NameSimilarity::plain(Likeness::Unknown))
}

/// Returns keys by which names can be grouped before they are compared in pairs: two names that [`same_person`] calls
/// [`Probable`](Likeness::Probable) or [`Same`](Likeness::Same), and which have no misspelt word, share at least one.
///
/// The keys are the sounds of the words in every romanisation, sorted and without duplicates. A name has a dozen at most
/// in practice.
pub fn blocking_keys(name: &str) -> Vec<String> {
    keys_of(&PersonName::readings_of(name, &mut WordCache::default()))
}

/// As [`blocking_keys`], for a name that was read before.
pub(super) fn keys_of(readings: &[PersonName]) -> Vec<String> {
    let mut keys = Vec::new();
    for person in readings {
        // Only names with the same words are the same.
        keys.extend(person.whole().map(str::to_owned));
        for word in person.words.iter().filter(|word| !word.word.is_initial()) {
            // Letters that no romanisation reads are a key as they are.
            keys.extend(word.word.spellings());
            keys.extend(word.word.sounds().map(|reading| reading.as_str().to_owned()));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// What a word of a name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Surname,
    Given,
    Either,
}

/// A word of a name, and what it is.
#[derive(Clone, Debug)]
pub(super) struct PersonWord {
    pub(super) word: Arc<NameWord>,
    pub(super) role: Role,
}

/// A name of a person, in parts.
#[derive(Clone, Debug)]
pub(super) struct PersonName {
    pub(super) words: Vec<PersonWord>,
    /// The first letters of the particles, so that `v.d.`, `vd` and `van der` are equal.
    particles: String,
    /// The words of a name that is compared as a whole, in alphabetical order. There are no others then.
    whole: Option<Box<str>>,
    /// `true` if letters are read as joined initials although no comma shows which word is the surname.
    joined: bool,
}

impl PersonName {
    /// Returns the name with its words as written and, if there are joined initials, the name with a word for each; nothing
    /// if the name is unknown. A letter and the word that an apostrophe joins to it are two words in one reading, and one in
    /// those after it.
    pub(super) fn readings_of(name: &str, known: &mut WordCache) -> Vec<Self> {
        let parts = name_parts(without_remarks(name));
        let mut readings = Vec::new();
        for parts in [&parts].into_iter().chain(joined_parts(&parts).as_ref()) {
            let read = |part: &NamePart| match parts.len() {
                0..=MAX_PARTS => known.word(&part.text),
                _ => Arc::new(NameWord::without_sounds(&part.text)),
            };
            let words: Vec<Arc<NameWord>> = parts.iter().map(read).collect();
            let whole: Vec<&str> =
                words.iter().map(|word| word.folded.as_str()).filter(|folded| !folded.is_empty()).collect();
            if matches!(whole.join(" ").as_str(), "" | "n n" | "nn" | "unknown" | "anonymous") {
                return Vec::new();
            }
            readings.push(Self::new(parts, &words, None));
            if parts.len() <= MAX_PARTS && has_joined_initials(parts) {
                readings.push(Self::new(parts, &words, Some(known)));
            }
        }
        readings
    }

    /// Creates the name of these parts and their words; with `known`, each letter of joined initials is a word.
    fn new(parts: &[NamePart], read: &[Arc<NameWord>], mut known: Option<&mut WordCache>) -> Self {
        let split_initials = known.is_some();
        let upper = |text: &str| text.chars().nth(1).is_some() && !text.chars().any(char::is_lowercase);
        // The letter of `O'Grady` is no initial, and that of `d'Hondt` is a particle.
        let is_elided = |at: usize| parts.get(at + 1).is_some_and(|next| next.after_apostrophe);
        let is_particle: Vec<bool> = (0..parts.len())
            .map(|at| {
                let word = &read[at];
                // A single letter is a particle in lower case only: `v.d. Wal`, but `V. Wal`.
                PARTICLES.contains(&word.folded.as_str())
                    && (word.len > 1
                        || parts[at].text.chars().all(char::is_lowercase)
                        || is_elided(at) && word.folded == "d")
            })
            .collect();
        let is_initial: Vec<bool> = (0..parts.len())
            .map(|at| {
                let is_letter =
                    read[at].is_initial() || split_initials && is_joined_initials(&parts[at].text);
                is_letter && !is_elided(at) && !is_particle[at]
            })
            .collect();
        let has_comma = parts.iter().any(|part| part.after_comma);
        let first_initial = is_initial.iter().position(|&is_initial| is_initial);
        // Of two words around an initial, the second is the surname: `Marion F. Tinsley`.
        let is_word = |at: usize| read[at].len > 0 && !is_initial[at] && !is_particle[at];
        let given = first_initial.filter(|&at| (at..parts.len()).any(is_word)).unwrap_or(0);
        // SURNAME Given: some words, but not all, are in upper case.
        let has_upper =
            parts.iter().zip(&is_initial).any(|(part, is_initial)| upper(&part.text) && !is_initial)
                && parts.iter().any(|part| part.text.chars().any(char::is_lowercase));
        let joined = split_initials && !has_comma;
        let words = Vec::with_capacity(parts.len());
        let mut name = Self { words, particles: String::new(), whole: None, joined };
        let mut commas = 0;
        for (at, ((part, word), &is_initial)) in parts.iter().zip(read).zip(&is_initial).enumerate() {
            commas += usize::from(part.after_comma);
            if word.len == 0 {
                continue;
            }
            if is_particle[at] {
                match word.folded.as_str() {
                    "vander" | "vande" => name.particles.push_str("vd"),
                    particle => name.particles.extend(particle.chars().next()),
                }
                continue;
            }
            let role = match () {
                () if is_initial => Role::Given,
                () if has_comma => {
                    if commas == 0 {
                        Role::Surname
                    } else {
                        Role::Given
                    }
                }
                () if has_upper => {
                    if upper(&part.text) {
                        Role::Surname
                    } else {
                        Role::Given
                    }
                }
                () if is_elided(at) => Role::Surname,
                () if first_initial.is_some() && at >= given => Role::Surname,
                () => Role::Either,
            };
            match &mut known {
                Some(known) if is_joined_initials(&part.text) => {
                    let letters = part.text.chars().map(|letter| known.word(letter.encode_utf8(&mut [0; 4])));
                    name.words.extend(letters.map(|word| PersonWord { word, role: Role::Given }));
                }
                _ => name.words.push(PersonWord { word: Arc::clone(word), role }),
            }
        }
        if name.words.is_empty() {
            let words = read.iter().filter(|word| word.len > 0).cloned();
            let words = words.map(|word| PersonWord { word, role: Role::Surname }).collect();
            name = Self { words, particles: String::new(), whole: None, joined: false };
        }
        if parts.len() > MAX_PARTS || name.words.len() > MAX_WORDS {
            let mut words: Vec<&str> = name.words.iter().map(|word| word.word.folded.as_str()).collect();
            words.sort_unstable();
            let whole = words.join(" ").into();
            name = Self { words: Vec::new(), whole: Some(whole), ..name };
        }
        name
    }

    /// Returns the words of a name that is compared as a whole, in alphabetical order.
    pub(super) fn whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }

    fn compare(&self, other: &Self) -> NameSimilarity {
        steps::add(1);
        let particles_differ = self.particles != other.particles;
        if self.whole.is_some() || other.whole.is_some() {
            let same = self.whole == other.whole && !particles_differ;
            return NameSimilarity::plain(if same { Likeness::Same } else { Likeness::Different });
        }
        let is_same = |(own, theirs): (&PersonWord, &PersonWord)| {
            Arc::ptr_eq(&own.word, &theirs.word) || own.word.folded == theirs.word.folded
        };
        if self.words.len() == other.words.len()
            && !particles_differ
            && self.words.iter().zip(&other.words).all(is_same)
        {
            return NameSimilarity::plain(Likeness::Same);
        }
        let mut table = [[None; MAX_WORDS]; MAX_WORDS];
        for (own, row) in self.words.iter().zip(&mut table) {
            for (theirs, agreement) in other.words.iter().zip(row) {
                *agreement = own.agreement(theirs);
            }
        }
        self.compare_given_names(other, &mut table);
        // Where two languages write the surname differently, they may do so with the first letter of a given name.
        if table.iter().flatten().any(|found| *found == Some(Agreement::Romanised)) {
            for (own, row) in self.words.iter().zip(&mut table) {
                for (theirs, agreement) in other.words.iter().zip(row) {
                    let are_initials = own.word.len == 1 && theirs.word.len == 1;
                    if are_initials && own.word.is_same_initial_elsewhere(&theirs.word) {
                        *agreement = Some(Agreement::Initial);
                    }
                }
            }
        }
        let mut search = AssignmentSearch::new(&table, [self.words.len(), other.words.len()]);
        search.extend(0);
        let Some((_, best)) = search.best else { return NameSimilarity::plain(Likeness::Different) };
        let pairs = best.pairs();
        let count = |wanted: fn(&Pair) -> bool| pairs.iter().filter(|pair| wanted(pair)).count() as u32;
        let unpaired = [self.words.len() - pairs.len(), other.words.len() - pairs.len()];
        let mut found = NameSimilarity {
            likeness: Likeness::Different,
            reordered: pairs.windows(2).any(|two| two[0].1 > two[1].1),
            romanised: count(|pair| pair.2 == Agreement::Romanised),
            initials: count(|pair| pair.2 == Agreement::Initial),
            missing: (unpaired[0] + unpaired[1]) as u32,
            particles_differ,
            errors: pairs.iter().map(|pair| pair.2.errors() as u32).sum(),
        };
        // Letters that are only partly the initials of the other name, in another order, are a word: `LI Daniel`, `Daniel Lopez`.
        let is_partly_joined = |name: &Self, unpaired: usize| name.joined && unpaired > 0;
        if found.reordered && (is_partly_joined(self, unpaired[0]) || is_partly_joined(other, unpaired[1])) {
            return found;
        }
        // What both names have beyond the words that agree contradicts.
        if unpaired.iter().all(|&words| words > 0) {
            return found;
        }
        let is_surname = |pair: &Pair| {
            let roles = [self.words[pair.0].role, other.words[pair.1].role];
            pair.2 != Agreement::Initial && !roles.contains(&Role::Given)
        };
        let surname_missing = |name: &Self, paired: &dyn Fn(usize) -> bool| {
            (0..name.words.len()).any(|at| name.words[at].role == Role::Surname && !paired(at))
        };
        let surnames = pairs.iter().filter(|pair| is_surname(pair)).count();
        if surnames == 0 {
            return found;
        }
        // A double surname may be shortened, but then there must be more than the rest of it.
        let half = surname_missing(self, &|at| pairs.iter().any(|pair| pair.0 == at))
            || surname_missing(other, &|at| pairs.iter().any(|pair| pair.1 == at));
        let others_agree = pairs.len() > surnames
            || pairs.len() > 1
                && pairs.iter().any(|pair| {
                    self.words[pair.0].role == Role::Either || other.words[pair.1].role == Role::Either
                });
        found.likeness = if found.errors > 0 || half || !others_agree && found.missing > 0 {
            Likeness::Possible
        } else if found.missing == 0 && found.initials == 0 && found.romanised == 0 && !particles_differ {
            Likeness::Same
        } else {
            Likeness::Probable
        };
        if found.likeness == Likeness::Probable && !others_agree {
            found.likeness = Likeness::Possible;
        }
        found
    }
}

impl PersonName {
    /// Adds the given names that languages write differently, if the surname is certainly Slavic or languages write it
    /// differently: one of a person called Smit need not be the same.
    fn compare_given_names(&self, other: &Self, table: &mut [[Option<Agreement>; MAX_WORDS]; MAX_WORDS]) {
        let is_slavic = self.words.iter().zip(&*table).any(|(own, row)| {
            row.contains(&Some(Agreement::Romanised))
                || row.contains(&Some(Agreement::Equal))
                    && own.role != Role::Given
                    && own.word.is_surely_romanised()
        });
        if !is_slavic {
            return;
        }
        for (own, row) in self.words.iter().zip(table) {
            for (theirs, agreement) in other.words.iter().zip(row) {
                let is_open = matches!(agreement, None | Some(Agreement::Misspelt(_)));
                let may_be_given = own.role != Role::Surname && theirs.role != Role::Surname;
                if is_open && may_be_given && own.word.is_same_given_name(&theirs.word) {
                    *agreement = Some(Agreement::Romanised);
                }
            }
        }
    }
}

/// A word of the one name, a word of the other, and how they agree.
type Pair = (usize, usize, Agreement);
/// The number of pairs, and their cost.
type Score = (usize, Reverse<usize>);

/// Which words of two names agree, each at most once.
#[derive(Clone, Copy)]
struct Assignment {
    pairs: [Pair; MAX_WORDS],
    len: usize,
}

impl Default for Assignment {
    fn default() -> Self {
        Self { pairs: [(0, 0, Agreement::Equal); MAX_WORDS], len: 0 }
    }
}

impl Assignment {
    fn pairs(&self) -> &[Pair] {
        &self.pairs[..self.len]
    }
}

/// Looks for the best assignment of words: the most agreeing words, then the least cost.
struct AssignmentSearch<'t> {
    /// How each word agrees with each word of the other name.
    table: &'t [[Option<Agreement>; MAX_WORDS]; MAX_WORDS],
    /// The number of words of both names.
    words: [usize; 2],
    /// The least cost of each word that agrees with any of the other name.
    least_costs: [Option<usize>; MAX_WORDS],
    current: Assignment,
    /// The cost of the current assignment.
    cost: usize,
    best: Option<(Score, Assignment)>,
}

impl<'t> AssignmentSearch<'t> {
    fn new(table: &'t [[Option<Agreement>; MAX_WORDS]; MAX_WORDS], words: [usize; 2]) -> Self {
        let least_costs = table.map(|row| row.into_iter().flatten().map(Agreement::cost).min());
        Self { table, words, least_costs, current: Assignment::default(), cost: 0, best: None }
    }

    /// Extends the current assignment by the words from `at` on, and keeps the best one.
    // Twin: all assignments; test: search_for_the_best_assignment_equals_all_assignments.
    fn extend(&mut self, at: usize) {
        steps::add(1);
        // Of equally good ones, the first counts, so that only a better one is worth looking for.
        if self.best.as_ref().is_some_and(|(best, _)| self.bound(at) <= *best) || !self.may_have_full_word(at)
        {
            return;
        }
        if at == self.words[0] {
            let pairs = self.current.pairs();
            let score = (pairs.len(), Reverse(self.cost));
            if self.best.as_ref().is_none_or(|(known, _)| *known < score) {
                self.best = Some((score, self.current));
            }
            return;
        }
        for place in 0..self.words[1] {
            let Some(agreement) = self.table[at][place] else { continue };
            if self.current.pairs().iter().any(|pair| pair.1 == place) {
                continue;
            }
            self.current.pairs[self.current.len] = (at, place, agreement);
            self.current.len += 1;
            self.cost += agreement.cost();
            self.extend(at + 1);
            self.cost -= agreement.cost();
            self.current.len -= 1;
        }
        self.extend(at + 1);
    }
}

impl AssignmentSearch<'_> {
    /// Returns the best score that the current assignment can get from the words from `at` on.
    fn bound(&self, at: usize) -> Score {
        let mut costs = self.least_costs;
        let costs = &mut costs[at..];
        // Words that agree with none come first.
        costs.sort_unstable();
        let agreeing = costs.iter().flatten().take(self.words[1] - self.current.len);
        let (count, cost) = agreeing.fold((0, 0), |(count, sum), cost| (count + 1, sum + cost));
        (self.current.len + count, Reverse(self.cost + cost))
    }

    /// Returns `true` if the current assignment has a pair that is more than an initial, or may get one from the words from `at` on.
    fn may_have_full_word(&self, at: usize) -> bool {
        let is_full = |agreement: &Agreement| *agreement != Agreement::Initial;
        self.current.pairs().iter().any(|pair| is_full(&pair.2))
            || self.table[at..].iter().flatten().flatten().any(is_full)
    }
}

impl PersonWord {
    fn agreement(&self, other: &Self) -> Option<Agreement> {
        // A surname and a given name are different words, even if they are spelt alike.
        if matches!((self.role, other.role), (Role::Surname, Role::Given) | (Role::Given, Role::Surname)) {
            return None;
        }
        // The letter of `O'Grady` stands for no other name.
        let is_letter = |word: &Self| word.word.len == 1 && word.role == Role::Surname;
        if is_letter(self) || is_letter(other) {
            return (self.word.folded == other.word.folded).then_some(Agreement::Equal);
        }
        // Of names that were read together, most words that agree are the same word.
        if Arc::ptr_eq(&self.word, &other.word) {
            return Some(Agreement::Equal);
        }
        let max = max_errors(self.word.len.min(other.word.len));
        self.word
            .agreement(&other.word)
            .or_else(|| self.word.errors(&other.word, max).map(Agreement::Misspelt))
    }
}

impl Agreement {
    const fn errors(self) -> usize {
        match self {
            Self::Misspelt(errors) => errors,
            _ => 0,
        }
    }

    const fn cost(self) -> usize {
        match self {
            Self::Equal => 0,
            Self::Romanised => 1,
            Self::Initial => 2,
            Self::Misspelt(errors) => 2 + errors,
        }
    }
}

/// Returns a name without text in brackets, and without a dash and what follows if that contains a digit: `Duval, Daniel -
/// ronde 3`, `Tomczak, Patrycja (7)`.
pub(super) fn without_remarks(name: &str) -> &str {
    let name = name.split(['(', '[']).next().unwrap_or(name);
    match name.split_once(" - ") {
        Some((person, remark)) if remark.contains(|c: char| c.is_ascii_digit()) => person,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the first best of all assignments.
    fn first_best(search: &AssignmentSearch<'_>, at: usize, current: &[Pair]) -> Option<(Score, Vec<Pair>)> {
        if at == search.words[0] {
            let score = (current.len(), Reverse(current.iter().map(|pair| pair.2.cost()).sum()));
            let has_full = current.iter().any(|pair| pair.2 != Agreement::Initial);
            return has_full.then(|| (score, current.to_vec()));
        }
        let free = |place: &usize| current.iter().all(|pair| pair.1 != *place);
        let mut extended: Vec<Vec<Pair>> = (0..search.words[1])
            .filter(free)
            .filter_map(|place| Some([current, &[(at, place, search.table[at][place]?)]].concat()))
            .collect();
        extended.push(current.to_vec());
        let found = extended.into_iter().filter_map(|pairs| first_best(search, at + 1, &pairs));
        found.reduce(|best, other| if best.0 < other.0 { other } else { best })
    }

    proptest! {
        #[test]
        fn search_for_the_best_assignment_equals_all_assignments(
            cells in proptest::array::uniform25(0usize..9),
            words in proptest::array::uniform2(1usize..=5),
        ) {
            let mut table = [[None; MAX_WORDS]; MAX_WORDS];
            for (number, cell) in cells.into_iter().enumerate() {
                let (at, place) = (number / 5, number % 5);
                if at < words[0] && place < words[1] {
                    table[at][place] = match cell {
                        0 | 1 => Some(Agreement::Equal),
                        2 => Some(Agreement::Romanised),
                        3 | 4 => Some(Agreement::Initial),
                        5 => Some(Agreement::Misspelt(1)),
                        _ => None,
                    };
                }
            }
            let mut search = AssignmentSearch::new(&table, words);
            let expected = first_best(&search, 0, &[]);
            search.extend(0);
            let found = search.best.map(|(score, best)| (score, best.pairs().to_vec()));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn names_of_many_equal_initials_take_few_steps() {
        let before = steps::count().unwrap_or(0);
        assert_eq!(
            same_person("Jansen, A.A.A.A.A.", "Aad Aart Abel Adam Alex Smit").likeness,
            Likeness::Different
        );
        assert_eq!(same_person("Jansen, A.A.A.A.A.", "A.A.A.A.A. Jansen").likeness, Likeness::Same);
        assert!(steps::count().unwrap_or(0) - before < 1000);
    }
}
