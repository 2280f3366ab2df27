//! Groups the spellings of events and sites.
//!
//! Numbers must be the same in the same order, so that another year, another edition and another game of a match are
//! another event. Words that differ are one name only with evidence: the same players, games or events.

use std::collections::{HashMap, HashSet};

use super::blocks::Blocks;
use super::fold;
use super::name_group::{GroupSpelling, NameDoubt, NameEvidence, NameGroup, NameGrouping};
use super::name_use::{NameKind, NameUse, shared};
use super::player_groups::{accents, majority_script};
use super::player_name::script_of;
use super::romanisation::Script;
use super::word::{Agreement, MAX_LETTERS, NameWord, distance};
use pdn_rules::internal::steps;

/// Minimum number of letters of a word that may be misspelt.
const MIN_MISSPELT: usize = 5;
/// Minimum number of players in common that make two names of events one.
const MIN_COMPANIONS: u32 = 3;
/// Minimum number of games in common that make two names of events one.
const MIN_GAMES: u32 = 2;
/// Number of least hashes by which names that share most companions find each other.
const KEYS: usize = 3;
/// Maximum number of forms of a group, the commonest, that are looked at for what a form abbreviates.
const MAX_FORMS: usize = 64;
/// Maximum number of words of a name whose words are compared.
const MAX_WORDS: usize = 24;

/// Words that say nothing, folded.
const FILLERS: [&str; 22] = [
    "a", "at", "d", "da", "de", "del", "den", "der", "des", "di", "du", "el", "het", "in", "l", "la", "le",
    "of", "the", "van", "von", "в",
];

/// Spellings with the same words in the same order.
struct TextForm {
    folded: String,
    words: Vec<String>,
    /// Arabic and Roman numbers in the order of the text.
    numbers: Vec<String>,
    used: NameUse,
    members: Vec<usize>,
}

/// How two forms can mean the same.
struct TextTie {
    evidence: NameEvidence,
    doubt: Option<NameDoubt>,
}

/// Groups the names of events or sites.
pub(super) fn group_texts(kind: NameKind, uses: &[NameUse]) -> NameGrouping {
    let forms = read(uses);
    let (pairs, uncompared) = pairs(kind, &forms);
    group_pairs(kind, uses, &forms, &pairs, uncompared)
}

fn group_pairs(
    kind: NameKind,
    uses: &[NameUse],
    forms: &[TextForm],
    pairs: &[(u32, u32)],
    uncompared: u64,
) -> NameGrouping {
    let mut sets = DisjointSets::new(forms.len());
    let mut evidence: Vec<NameEvidence> = vec![NameEvidence::default(); forms.len()];
    let mut doubts = Vec::new();
    for &(a, b) in pairs {
        let (a, b) = (a as usize, b as usize);
        let Some(tie) = tie(kind, &forms[a], &forms[b]) else { continue };
        for form in [a, b] {
            if evidence[form].keys().is_empty() {
                evidence[form] = tie.evidence;
            }
        }
        match tie.doubt {
            None => sets.join(a, b),
            Some(doubt) => doubts.push((a, b, doubt, tie.evidence)),
        }
    }
    let members = sets.members();
    let grouped = TextGroups { kind, uses, forms, evidence, script: majority_script(uses) };
    let mut groups: Vec<NameGroup> = members.values().filter_map(|group| grouped.group(group)).collect();
    let mut doubtful = Vec::new();
    let mut reported = HashSet::new();
    for (a, b, doubt, evidence) in doubts {
        let pair = [sets.leader(a), sets.leader(b)];
        if pair[0] == pair[1] || !reported.insert([pair[0].min(pair[1]), pair[0].max(pair[1])]) {
            continue;
        }
        let pair = pair.map(|group| members.get(&group).map_or(&[][..], Vec::as_slice));
        doubtful.extend(grouped.doubtful(pair, doubt, evidence));
    }
    for list in [&mut groups, &mut doubtful] {
        list.sort_by_cached_key(|group| {
            let last = group.spellings.last().map(|spelling| spelling.name.clone());
            (fold(&group.canonical), group.canonical.clone(), last)
        });
    }
    groups.append(&mut doubtful);
    NameGrouping { groups, uncompared }
}

/// Sets of numbers from 0 on that have no member in common; at first each number is a set. A set is called by its leader, the least
/// member. Joining and asking take nearly constant time.
struct DisjointSets {
    /// A member of the same set that is nearer to the leader, or the leader itself.
    next: Vec<usize>,
}

impl DisjointSets {
    fn new(len: usize) -> Self {
        Self { next: (0..len).collect() }
    }

    /// Returns the leader of the set of a number.
    fn leader(&mut self, mut number: usize) -> usize {
        while self.next[number] != number {
            self.next[number] = self.next[self.next[number]];
            number = self.next[number];
        }
        number
    }

    /// Makes one set of those of two numbers.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.next[a.max(b)] = a.min(b);
    }

    /// Returns the members of each set in ascending order, by leader.
    fn members(&mut self) -> HashMap<usize, Vec<usize>> {
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        for number in 0..self.next.len() {
            members.entry(self.leader(number)).or_default().push(number);
        }
        members
    }
}

/// Forms whose groups are known: chooses the spelling of each, and says why the others belong to it.
struct TextGroups<'a> {
    kind: NameKind,
    uses: &'a [NameUse],
    forms: &'a [TextForm],
    /// For each form, how it can mean the same as the first form that it was tied to.
    evidence: Vec<NameEvidence>,
    script: Script,
}

impl TextGroups<'_> {
    /// Returns the number of the spelling that stands for a group of forms: in the script of most names, not short for another one, in
    /// capital and small letters, and common.
    fn canonical(&self, group: &[usize]) -> usize {
        let all =
            group.iter().flat_map(|&form| self.forms[form].members.iter().map(move |&number| (form, number)));
        let best = all.max_by_key(|&(form, number)| {
            let (text, name) = (&self.forms[form], &self.uses[number].name);
            let mut others = group.iter().take(MAX_FORMS);
            let is_short = others.any(|&other| is_abbreviation(&text.words, &self.forms[other].words));
            let one_case = !name.contains(char::is_lowercase) || !name.contains(char::is_uppercase);
            let rank = (script_of(name) == self.script, !is_short, !one_case, text.used.games);
            (rank, accents(name), self.uses[number].games, std::cmp::Reverse(name))
        });
        best.map_or(0, |(_, number)| number)
    }

    fn spelling(&self, number: usize, evidence: NameEvidence) -> GroupSpelling {
        let used = &self.uses[number];
        GroupSpelling { name: used.name.clone(), games: used.games, years: used.years, evidence }
    }

    /// Returns the group of these forms; `None` if it has one spelling.
    fn group(&self, group: &[usize]) -> Option<NameGroup> {
        let main = self.canonical(group);
        let main_form = group.iter().copied().find(|&form| self.forms[form].members.contains(&main));
        let numbers =
            group.iter().flat_map(|&form| self.forms[form].members.iter().map(move |&number| (form, number)));
        let mut spellings: Vec<GroupSpelling> = numbers
            .map(|(form, number)| {
                let evidence = match main_form {
                    _ if number == main => NameEvidence::default(),
                    Some(main_form) if main_form == form => {
                        NameEvidence { letters: true, ..NameEvidence::default() }
                            .with_shared(&self.uses[number], &self.uses[main])
                    }
                    _ => {
                        let to_main =
                            main_form.and_then(|main| tie(self.kind, &self.forms[form], &self.forms[main]));
                        to_main.map_or(self.evidence[form], |tie| tie.evidence)
                    }
                };
                self.spelling(number, evidence)
            })
            .collect();
        if spellings.len() < 2 {
            return None;
        }
        let canonical = self.uses[main].name.clone();
        spellings.sort_by(|a, b| {
            let key = |spelling: &GroupSpelling| (spelling.name != canonical, u64::MAX - spelling.games);
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        Some(NameGroup { kind: self.kind, canonical, spellings, doubt: None, candidates: Vec::new() })
    }

    /// Returns two groups that may be one, each with its spelling.
    fn doubtful(
        &self,
        [first, second]: [&[usize]; 2],
        doubt: NameDoubt,
        evidence: NameEvidence,
    ) -> Option<NameGroup> {
        let main = self.canonical(&[first, second].concat());
        let both = [self.canonical(first), self.canonical(second)];
        let other = both.into_iter().find(|&number| number != main)?;
        let spellings = vec![self.spelling(main, NameEvidence::default()), self.spelling(other, evidence)];
        let canonical = self.uses[main].name.clone();
        let (kind, doubt) = (self.kind, Some(doubt));
        Some(NameGroup { kind, canonical, spellings, doubt, candidates: Vec::new() })
    }
}

/// Reads the names, the commonest first. Addresses of games are left out: each is the site of one game.
fn read(uses: &[NameUse]) -> Vec<TextForm> {
    let mut order: Vec<usize> =
        (0..uses.len()).filter(|&number| !uses[number].name.contains("://")).collect();
    order.sort_by(|&a, &b| uses[b].games.cmp(&uses[a].games).then_with(|| uses[a].name.cmp(&uses[b].name)));
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut forms: Vec<TextForm> = Vec::new();
    for number in order {
        steps::add(1);
        let folded = fold(&uses[number].name);
        let form = *known.entry(folded.clone()).or_insert(forms.len());
        if form == forms.len() {
            let words: Vec<String> = folded.split(' ').map(str::to_owned).collect();
            let numbers = words.iter().filter(|word| is_number(word)).cloned().collect();
            forms.push(TextForm { folded, words, numbers, used: NameUse::default(), members: Vec::new() });
        }
        forms[form].used.absorb(&uses[number]);
        forms[form].members.push(number);
    }
    forms.iter_mut().for_each(|form| form.used.settle());
    forms
}

/// Returns `true` if a word has a digit or is a Roman number, in Latin or in Cyrillic letters.
fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || word.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm' | 'х' | 'і'))
}

/// Returns pairs of forms that are worth comparing: those with the same words, those that are one letter apart, and those that
/// share most of their players or events.
fn pairs(kind: NameKind, forms: &[TextForm]) -> (Vec<(u32, u32)>, u64) {
    let mut blocks = Blocks::default();
    for (number, form) in forms.iter().enumerate() {
        blocks.add(("words", sorted(&form.words)), number);
        let shared = if kind == NameKind::Event { &form.used.companions } else { &form.used.events };
        for companion in shared.iter().take(KEYS) {
            blocks.add(("shared", &form.numbers, companion), number);
        }
        if form.words.len() > MAX_WORDS {
            continue;
        }
        for (at, word) in form.words.iter().enumerate().filter(|(_, word)| may_be_misspelt(word)) {
            let letters: Vec<char> = word.chars().collect();
            for left_out in 0..=letters.len() {
                let shortened: String = letters
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| *n != left_out)
                    .map(|(_, letter)| letter)
                    .collect();
                blocks.add(("letter", &form.words[..at], shortened, &form.words[at + 1..]), number);
            }
        }
    }
    blocks.pairs()
}

fn may_be_misspelt(word: &str) -> bool {
    (MIN_MISSPELT - 1..=MAX_LETTERS).contains(&word.chars().count()) && !is_number(word)
}

fn sorted(words: &[String]) -> Vec<&str> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_unstable();
    words
}

/// Returns how two forms can mean the same; `None` if they do not resemble each other, or nothing connects them.
fn tie(kind: NameKind, a: &TextForm, b: &TextForm) -> Option<TextTie> {
    steps::add(1);
    let evidence = NameEvidence {
        same_games: shared(&a.used.meetings, &b.used.meetings),
        ..NameEvidence::default().with_shared(&a.used, &b.used)
    };
    if a.numbers != b.numbers {
        return None;
    }
    let same_years = a.used.years_between(&b.used) == 0;
    let least = a.used.companions.len().min(b.used.companions.len()) as u32;
    // Most players of the smaller event also play in the other, or the same games.
    let is_same = match kind {
        NameKind::Event => {
            same_years
                && (evidence.same_games >= MIN_GAMES
                    || evidence.same_companions >= MIN_COMPANIONS && evidence.same_companions * 2 >= least)
        }
        _ => evidence.same_events > 0,
    };
    let doubted = |doubt| if is_same { None } else { Some(doubt) };
    if a.words.len() == b.words.len() && sorted(&a.words) == sorted(&b.words) {
        // With two numbers, `A 1, B 2` and `B 1, A 2` have the same words.
        let doubt = if a.numbers.len() > 1 { doubted(NameDoubt::OtherWords) } else { None };
        return Some(TextTie { evidence: NameEvidence { reordered: true, ..evidence }, doubt });
    }
    if a.words.len() > MAX_WORDS || b.words.len() > MAX_WORDS {
        return None;
    }
    if one_letter_apart(&a.words, &b.words) {
        let is_long = a.folded.chars().count() > MIN_MISSPELT && kind == NameKind::Site;
        let connected = is_same || same_years && evidence.same_companions > 0 || is_long;
        let tie = TextTie {
            evidence: NameEvidence { errors: 1, ..evidence },
            doubt: doubted(NameDoubt::OneLetter),
        };
        return connected.then_some(tie);
    }
    if !is_same {
        return None;
    }
    if let Some(romanised) = romanised_words(&a.words, &b.words) {
        return Some(TextTie { evidence: NameEvidence { romanised, ..evidence }, doubt: None });
    }
    let same_games = kind == NameKind::Event && evidence.same_games >= MIN_GAMES;
    if is_abbreviation(&a.words, &b.words) || is_abbreviation(&b.words, &a.words) {
        let doubt = if same_games { None } else { Some(NameDoubt::OtherWords) };
        return Some(TextTie { evidence: NameEvidence { abbreviated: true, ..evidence }, doubt });
    }
    let missing = missing_words(&a.words, &b.words)?;
    let doubt = if same_games { None } else { Some(NameDoubt::OtherWords) };
    Some(TextTie { evidence: NameEvidence { missing, ..evidence }, doubt })
}

/// Returns `true` if the words are the same apart from a wrong, missing, additional or swapped letter in one of them.
fn one_letter_apart(a: &[String], b: &[String]) -> bool {
    let mut differ = a.iter().zip(b).filter(|(a, b)| a != b);
    let (Some((one, other)), None) = (differ.next(), differ.next()) else { return false };
    a.len() == b.len()
        && may_be_misspelt(one)
        && may_be_misspelt(other)
        && one.chars().count().max(other.chars().count()) >= MIN_MISSPELT
        && distance(one, other, 1) == Some(1)
}

/// Returns the number of words that agree only by the rules of romanisations; `None` unless all words agree.
fn romanised_words(a: &[String], b: &[String]) -> Option<u32> {
    if a.len() != b.len() {
        return None;
    }
    let mut romanised = 0;
    for (a, b) in a.iter().zip(b).filter(|(a, b)| a != b) {
        match NameWord::new(a).agreement(&NameWord::new(b))? {
            Agreement::Equal => {}
            Agreement::Romanised => romanised += 1,
            _ => return None,
        }
    }
    Some(romanised)
}

/// Returns `true` if `short` is `long` with two words or more as their initials: `WC 1972`, `World Championship 1972`.
fn is_abbreviation(short: &[String], long: &[String]) -> bool {
    let (Some(at), true) = (short.iter().zip(long).position(|(a, b)| a != b), short.len() < long.len())
    else {
        return false;
    };
    let letters = short[at].chars().count();
    let replaced = &long[at..];
    let spelt = replaced.get(..letters).is_some_and(|words| {
        short[at].chars().zip(words).all(|(letter, word)| !is_number(word) && word.starts_with(letter))
    });
    letters > 1 && !is_number(&short[at]) && spelt && short[at + 1..] == replaced[letters..]
}

/// Returns the number of words that only one of two names has, apart from fillers; `None` if both have such words.
fn missing_words(a: &[String], b: &[String]) -> Option<u32> {
    let says = |word: &&String| !FILLERS.contains(&word.as_str());
    let only = |own: &[String], others: &[String]| {
        own.iter().filter(says).filter(|word| !others.contains(word)).count() as u32
    };
    let (own, others) = (only(a, b), only(b, a));
    let shared = a.iter().filter(says).any(|word| b.contains(word) && !is_number(word));
    (shared && own.min(others) == 0).then_some(own.max(others))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name_use::Meeting;

    /// Groups two names; returns the doubt of the group and what the second spelling has in evidence, `None` if there is no group.
    fn of_two(kind: NameKind, [a, b]: [NameUse; 2]) -> Option<(Option<NameDoubt>, Vec<&'static str>)> {
        let found = group_texts(kind, &[a.id(1), b.id(2)]);
        assert!(found.groups.len() <= 1);
        found.groups.first().map(|group| (group.doubt, group.spellings[1].evidence.keys()))
    }

    #[test]
    fn what_connects_two_names_decides_between_one_group_doubt_and_none() {
        use NameKind::{Event, Site};
        let unconnected = |a: &str, b: &str| [NameUse::new(a, 2), NameUse::new(b, 1)];
        let of_years = |a, b, years: [i16; 2]| {
            let [a, b] = unconnected(a, b);
            [a.years(years[0], years[0]), b.years(years[1], years[1])]
        };
        let with_players =
            |a, b, players: u64| of_years(a, b, [1990; 2]).map(|name| name.companions(0..players));
        let with_games = |a, b, games: u64| {
            let meetings = || (0..games).map(|n| Meeting { occasion: n, companion: n });
            with_players(a, b, 3).map(|name| name.meetings(meetings()))
        };
        // The same words; with two numbers they may be two events.
        assert_eq!(of_two(Event, unconnected("Riga Open 3", "Open Riga 3")), Some((None, vec!["order"])));
        let numbered = ["Riga 1 Open 2", "Open 1 Riga 2"];
        let doubted = of_two(Event, unconnected(numbered[0], numbered[1]));
        assert_eq!(doubted, Some((Some(NameDoubt::OtherWords), vec!["order"])));
        let connected = of_two(Event, with_players(numbered[0], numbered[1], 3));
        assert_eq!(connected, Some((None, vec!["order", "same-companions"])));
        // One letter: a year and a player in common are a doubt, three players are proof, and so is the length of a site.
        let misspelt = ["Leningrad Open", "Leningrat Open"];
        assert_eq!(of_two(Event, unconnected(misspelt[0], misspelt[1])), None);
        let one = of_two(Event, with_players(misspelt[0], misspelt[1], 1)).map(|(doubt, _)| doubt);
        assert_eq!(one, Some(Some(NameDoubt::OneLetter)));
        let three = of_two(Event, with_players(misspelt[0], misspelt[1], 3)).map(|(doubt, _)| doubt);
        assert_eq!(three, Some(None));
        let other_years = of_years(misspelt[0], misspelt[1], [1990, 2010]).map(|name| name.companions(0..1));
        assert_eq!(of_two(Event, other_years), None);
        for (site, misspelt, is_found) in [("Leningrad", "Leningrat", true), ("Paris", "Parys", false)] {
            let found = of_two(Site, unconnected(site, misspelt)).map(|(doubt, _)| doubt);
            assert_eq!(found, is_found.then_some(Some(NameDoubt::OneLetter)), "{site}");
        }
        // Other words: players in common are a doubt, games in common are proof.
        for other in [["World Championship", "WC"], ["Riga Open", "Riga Open Masters"]] {
            assert_eq!(of_two(Event, unconnected(other[0], other[1])), None, "{other:?}");
            let players = of_two(Event, with_players(other[0], other[1], 3)).map(|(doubt, _)| doubt);
            assert_eq!(players, Some(Some(NameDoubt::OtherWords)), "{other:?}");
            let games = of_two(Event, with_games(other[0], other[1], 2)).map(|(doubt, _)| doubt);
            assert_eq!(games, Some(None), "{other:?}");
        }
    }

    #[test]
    fn spellings_with_the_same_letters_as_the_name_say_so() {
        let names =
            [("Riga Open", 3), ("RIGA OPEN", 2), ("Open Riga", 1)].map(|(name, n)| NameUse::new(name, n));
        let found = group_texts(NameKind::Event, &names);
        let evidence = found.groups[0].spellings.iter().map(|spelling| spelling.evidence.keys());
        assert_eq!(evidence.collect::<Vec<_>>(), [&[][..], &["letters"], &["order"]]);
    }

    #[test]
    fn two_groups_are_reported_as_doubtful_once() {
        let name = |name: &str, n| NameUse::new(name, n).years(1990, 1990).companions(0..3).id(n);
        let names = [
            name("Riga Open", 4),
            name("Open Riga", 3),
            name("Riga Open Masters", 2),
            name("Masters Riga Open", 1),
        ];
        let found = group_texts(NameKind::Event, &names);
        let doubts: Vec<_> = found.groups.iter().map(|group| group.doubt).collect();
        assert_eq!(doubts, [None, None, Some(NameDoubt::OtherWords)]);
    }

    #[test]
    fn only_one_of_two_names_may_have_words_of_its_own() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let missing = |a, b| missing_words(&words(a), &words(b));
        assert_eq!(missing("riga open", "riga open men"), Some(1));
        assert_eq!(missing("riga open women blitz", "riga open"), Some(2));
        assert_eq!(missing("riga open men", "riga open women"), None);
        assert_eq!(missing("riga", "paris"), None, "no word is shared");
    }
}
