//! The names of players as they are compared: spellings with the same words are one form.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

use super::blocks::Blocks;
use super::name_group::{NameDoubt, NameEvidence};
use super::name_use::NameUse;
use super::person::{Likeness, PersonName, PersonWord, compare_readings};
use super::player_name::PlayerName;
use super::word::{MAX_LETTERS, NameWord, WordCache, differ_in_gender, distance};
use pdn_rules::internal::steps;

/// Number of years without a game after which the games may be those of another person.
const MAX_YEARS_BETWEEN: i16 = 30;
/// Maximum number of opponents of one round that are compared with those of another name in that round.
const MAX_OPPONENTS: usize = 16;
/// Minimum number of letters of a word that may be misspelt.
const MIN_MISSPELT: usize = 4;

/// Spellings of one name that differ in case, accents, punctuation, titles and other additions.
#[derive(Debug)]
pub(super) struct PlayerForm<'u> {
    pub(super) name: PlayerName,
    /// The uses of all spellings together.
    pub(super) used: FormUse<'u>,
    /// The spellings, by their number in the list of uses.
    pub(super) members: Vec<usize>,
}

/// How a form is used. Most forms have one spelling, whose use is not copied.
#[derive(Debug)]
pub(super) enum FormUse<'u> {
    Of(&'u NameUse),
    OfSeveral(Box<NameUse>),
}

impl Deref for FormUse<'_> {
    type Target = NameUse;

    fn deref(&self) -> &NameUse {
        match self {
            Self::Of(used) => used,
            Self::OfSeveral(used) => used,
        }
    }
}

impl FormUse<'_> {
    /// Adds the games of another spelling.
    fn absorb(&mut self, other: &NameUse) {
        if let Self::Of(used) = self {
            *self = Self::OfSeveral(Box::new(used.clone()));
        }
        if let Self::OfSeveral(used) = self {
            used.absorb(other);
        }
    }

    fn settle(&mut self) {
        if let Self::OfSeveral(used) = self {
            used.settle();
        }
    }
}

/// How two forms can mean one person.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub(super) likeness: Likeness,
    pub(super) evidence: NameEvidence,
    /// What speaks against it, apart from the names.
    pub(super) doubt: Option<NameDoubt>,
}

/// All forms of an archive.
#[derive(Debug)]
pub(super) struct PlayerForms<'u> {
    uses: &'u [NameUse],
    pub(super) forms: Vec<PlayerForm<'u>>,
    /// Whether the spelling has a title or another addition, for each use.
    pub(super) has_extras: Vec<bool>,
    /// The form of each number in the lists of others.
    form_of_id: HashMap<u64, usize>,
}

impl<'u> PlayerForms<'u> {
    /// Reads the names. Those that stand for no known person are left out.
    pub(super) fn new(uses: &'u [NameUse]) -> Self {
        let mut order: Vec<usize> = (0..uses.len()).collect();
        order.sort_by(|&a, &b| {
            uses[b].games.cmp(&uses[a].games).then_with(|| uses[a].name.cmp(&uses[b].name))
        });
        // The first, second and so on form of each hash of what is the same for all spellings of a form. Texts would take much memory.
        let mut known: HashMap<(u64, u32), usize> = HashMap::new();
        let mut found =
            Self { uses, forms: Vec::new(), has_extras: vec![false; uses.len()], form_of_id: HashMap::new() };
        let mut words = WordCache::default();
        for number in order {
            let used = &uses[number];
            steps::add(1);
            let Some(name) = PlayerName::read(&used.name, &mut words) else { continue };
            found.has_extras[number] = name.has_extras;
            let mut hasher = DefaultHasher::new();
            (&name.folded, name.generation, &name.remark).hash(&mut hasher);
            let mut key = (hasher.finish(), 0);
            let form = loop {
                let Some(&form) = known.get(&key) else { break None };
                let PlayerForm { name: other, used: others, .. } = &found.forms[form];
                let is_same = other.folded == name.folded
                    && other.generation == name.generation
                    && other.remark == name.remark;
                if is_same && others.years_between(used) < MAX_YEARS_BETWEEN {
                    break Some(form);
                }
                key.1 += 1;
            };
            let form = match form {
                Some(form) => {
                    let known = &mut found.forms[form];
                    // What accents and apostrophes say counts, although the usual spelling may lack them.
                    if name.detail > known.name.detail {
                        known.name.readings = name.readings;
                        known.name.detail = name.detail;
                    }
                    known.used.absorb(used);
                    known.members.push(number);
                    form
                }
                None => {
                    known.insert(key, found.forms.len());
                    found.forms.push(PlayerForm { name, used: FormUse::Of(used), members: vec![number] });
                    found.forms.len() - 1
                }
            };
            found.form_of_id.entry(used.id).or_insert(form);
        }
        found.forms.iter_mut().for_each(|form| form.used.settle());
        found
    }

    /// Returns how two forms can mean one person; `None` if the names contradict each other.
    pub(super) fn tie(&self, a: usize, b: usize) -> Option<Tie> {
        let (first, second) = (&self.forms[a], &self.forms[b]);
        steps::add(1 + first.used.meetings.len().min(second.used.meetings.len()));
        let (name, other) = (&first.name, &second.name);
        let differ = |a: &str, b: &str| !a.is_empty() && !b.is_empty() && a != b;
        if name.digits != other.digits
            || name.generation != 0 && other.generation != 0 && name.generation != other.generation
            || differ(&name.remark, &other.remark)
        {
            return None;
        }
        let found = compare_readings(&name.readings, &other.readings);
        if name.is_whole || other.is_whole {
            if name.sorted_words() != other.sorted_words() {
                return None;
            }
        } else if found.likeness <= Likeness::Unknown
            || found.errors > 1
            || found.errors == 1 && (found.romanised > 0 || !is_misspelt(name, other))
        {
            return None;
        }
        let (same_games, clashes) = self.meetings(first, second);
        let mut romanised = found.romanised;
        let letters = name.letters().eq(other.letters());
        if romanised + found.errors + found.initials + found.missing == 0
            && !letters
            && name.sorted_words() != other.sorted_words()
        {
            // Spellings of one name that are not equal letter by letter.
            romanised = 1;
        }
        let evidence = NameEvidence {
            letters,
            remarks: name.has_extras != other.has_extras,
            reordered: found.reordered,
            initials: found.initials,
            romanised,
            particles_differ: found.particles_differ,
            missing: found.missing,
            errors: found.errors,
            same_games,
            ..NameEvidence::default()
        };
        let doubt = match () {
            () if clashes > same_games || self.play_each_other(first, second) => Some(NameDoubt::SameRound),
            () if first.used.years_between(&second.used) >= MAX_YEARS_BETWEEN => Some(NameDoubt::YearsApart),
            () if name.generation != other.generation => Some(NameDoubt::Generation),
            () => None,
        };
        let likeness = if name.is_whole { Likeness::Same } else { found.likeness };
        Some(Tie { likeness, evidence: evidence.with_shared(&first.used, &second.used), doubt })
    }

    /// Returns the number of games that both have, and of rounds in which they have different opponents.
    fn meetings(&self, first: &PlayerForm<'_>, second: &PlayerForm<'_>) -> (u32, u32) {
        // By rounds and by dates: a game may have both.
        let (mut games, mut clashes, mut at) = ([0, 0], 0, 0);
        for meeting in &first.used.meetings {
            while second.used.meetings.get(at).is_some_and(|other| other.occasion < meeting.occasion) {
                at += 1;
            }
            let others = second.used.meetings[at..].iter();
            let others = others.take_while(|other| other.occasion == meeting.occasion);
            let mut others = others.take(MAX_OPPONENTS).peekable();
            if others.peek().is_none() {
                continue;
            }
            if others.any(|other| self.may_be_same(meeting.companion, other.companion)) {
                games[(meeting.occasion % 2) as usize] += 1;
            } else {
                clashes += u32::from(meeting.occasion % 2 == 1);
            }
        }
        (games[0].max(games[1]), clashes)
    }

    /// Returns `true` if two opponents can be one person.
    fn may_be_same(&self, a: u64, b: u64) -> bool {
        if a == b {
            return true;
        }
        let (Some(&first), Some(&second)) = (self.form_of_id.get(&a), self.form_of_id.get(&b)) else {
            return false;
        };
        let readings = |form: usize| &self.forms[form].name.readings;
        first == second || compare_readings(readings(first), readings(second)).likeness >= Likeness::Possible
    }

    /// Returns `true` if one is an opponent of the other.
    fn play_each_other(&self, first: &PlayerForm<'_>, second: &PlayerForm<'_>) -> bool {
        let plays = |form: &PlayerForm<'_>, other: &PlayerForm<'_>| {
            let mut ids = other.members.iter().map(|&number| self.uses[number].id);
            ids.any(|id| form.used.companions.binary_search(&id).is_ok())
        };
        plays(first, second) || plays(second, first)
    }

    /// Returns pairs of forms that are worth comparing, none with a surname alone, and the number of pairs that were left out.
    /// Every pair that is [`Probable`](Likeness::Probable) without an error is among them, and every pair of names of one
    /// script that is one letter apart.
    // Twin: all pairs; test: blocks_find_the_groups_of_all_pairs.
    pub(super) fn pairs(&self) -> (Vec<(u32, u32)>, u64) {
        // One after the other, for less memory.
        let (mut pairs, left_out) = self.pairs_by(add_word_keys, true);
        let (misspelt, also_left_out) = self.pairs_by(add_shortened_keys, false);
        pairs.extend(misspelt);
        pairs.sort_unstable();
        pairs.dedup();
        (pairs, left_out + also_left_out)
    }

    fn pairs_by(&self, add_keys: fn(&PersonName, usize, &mut Blocks), whole: bool) -> (Vec<(u32, u32)>, u64) {
        let mut blocks = Blocks::default();
        for (number, form) in self.forms.iter().enumerate() {
            if whole {
                blocks.add(("whole", form.name.sorted_words()), number);
            }
            if !form.name.is_whole && !form.name.is_bare() {
                for reading in &form.name.readings {
                    match reading.whole() {
                        None => add_keys(reading, number, &mut blocks),
                        Some(text) if whole => blocks.add(("words", text), number),
                        Some(_) => {}
                    }
                }
            }
        }
        blocks.pairs()
    }

    /// Returns pairs of a surname alone and a name that has it. Of each surname, at most `limit`.
    pub(super) fn bare_pairs(&self, limit: usize) -> Vec<(usize, usize)> {
        let mut bare: HashMap<String, Vec<usize>> = HashMap::new();
        let is_bare = |form: &PlayerForm<'_>| form.name.is_bare() && !form.name.is_whole;
        for (number, form) in self.forms.iter().enumerate().filter(|(_, form)| is_bare(form)) {
            for key in form.name.surnames().flat_map(word_keys) {
                bare.entry(key).or_default().push(number);
            }
        }
        let mut pairs = Vec::new();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for (number, form) in self.forms.iter().enumerate() {
            let mut with: Vec<usize> = form
                .name
                .surnames()
                .flat_map(word_keys)
                .filter_map(|key| bare.get(&key))
                .flatten()
                .copied()
                .collect();
            with.sort_unstable();
            with.dedup();
            steps::add(1 + with.len());
            for surname in with.into_iter().filter(|&surname| surname != number) {
                let count = counts.entry(surname).or_default();
                *count += 1;
                if *count <= limit {
                    pairs.push((surname, number));
                }
            }
        }
        pairs
    }
}

/// Adds each word together with the first sound or letter of each other one.
fn add_word_keys(reading: &PersonName, number: usize, blocks: &mut Blocks) {
    for_each_word(reading, |word, others| {
        let begins: BTreeSet<char> = others.flat_map(|other| begins_of(&other.word)).collect();
        for key in word_keys(word) {
            begins.iter().for_each(|begin| blocks.add((&key, begin), number));
        }
    });
}

/// Adds each word without one of its letters, together with the first letter of each other word.
fn add_shortened_keys(reading: &PersonName, number: usize, blocks: &mut Blocks) {
    for_each_word(reading, |word, others| {
        let begins: BTreeSet<char> = others
            .flat_map(|other| {
                let word = &other.word;
                if word.folded.is_ascii() { word.folded.chars().take(1).collect() } else { begins_of(word) }
            })
            .collect();
        for_each_shortened(word, |key| begins.iter().for_each(|begin| blocks.add((key, begin), number)));
    });
}

/// Calls `visit` for each word that is no initial, with the other words.
fn for_each_word<'a>(
    reading: &'a PersonName,
    mut visit: impl FnMut(&'a NameWord, &mut dyn Iterator<Item = &'a PersonWord>),
) {
    for (at, word) in reading.words.iter().enumerate().filter(|(_, word)| !word.word.is_initial()) {
        let others = reading.words.iter().enumerate().filter(|(other, _)| *other != at);
        visit(&word.word, &mut others.map(|(_, other)| other));
    }
}

/// Returns texts of which two words that agree without errors share one.
fn word_keys(word: &NameWord) -> Vec<String> {
    let mut keys: Vec<String> = word.spellings().collect();
    keys.extend(word.sounds().map(|reading| reading.as_str().to_owned()));
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns letters and sounds with which a word begins, one of which two words share that agree without errors or of which
/// one is the initial of the other.
fn begins_of(word: &NameWord) -> Vec<char> {
    let mut begins: Vec<char> = word.begins().collect();
    begins.extend(word.sounds().filter_map(|reading| reading.as_str().chars().next()));
    begins.sort_unstable();
    begins.dedup();
    begins
}

/// Calls `visit` with the word and all that remain of it without one letter. Words that are one letter apart share one of them.
fn for_each_shortened(word: &NameWord, mut visit: impl FnMut(&str)) {
    if !(MIN_MISSPELT..=MAX_LETTERS).contains(&word.len) {
        return;
    }
    visit(&word.folded);
    let mut shortened = String::with_capacity(word.folded.len());
    for (at, letter) in word.folded.char_indices() {
        let rest = &word.folded[at + letter.len_utf8()..];
        // Of a double letter, either one leaves the same.
        if rest.starts_with(letter) {
            continue;
        }
        shortened.clear();
        shortened.push_str(&word.folded[..at]);
        shortened.push_str(rest);
        visit(&shortened);
    }
}

/// Returns `true` if a word of one name is a word of the other with one wrong, missing, additional or swapped letter, and the
/// two are not the forms of a name for men and women.
fn is_misspelt(a: &PlayerName, b: &PlayerName) -> bool {
    fn words(name: &PlayerName) -> impl Iterator<Item = &str> {
        name.folded.split(' ').filter(|word| word.chars().nth(MIN_MISSPELT - 2).is_some())
    }
    let is_odd = |word: &&str, others: &PlayerName| words(others).all(|other| other != *word);
    words(a).filter(|word| is_odd(word, b)).any(|one| {
        let mut others = words(b).filter(|word| is_odd(word, a));
        others.any(|other| distance(one, other, 1) == Some(1) && !differ_in_gender(one, other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_for_men_and_women_are_no_misspellings() {
        for (a, b, expected) in [
            ("Ivanov, A.", "Ivanova, A.", false),
            ("Иванов А.", "Иванова А.", false),
            ("Flisikowski, K.", "Flisikowska, K.", false),
            ("Zawitaj, Gabriel", "Zawitaj, Gabriele", false),
            ("Wiersma, H.", "Wirsma, H.", true),
            ("KALFON Gilbert", "KALFON Gillbert", true),
            ("Thompson, P.", "Thomson, P.", true),
        ] {
            let read = |name| PlayerName::read(name, &mut WordCache::default()).expect("a name");
            assert_eq!(is_misspelt(&read(a), &read(b)), expected, "{a} / {b}");
        }
    }
}
