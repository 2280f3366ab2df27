//! Groups the spellings of events and sites.
//!
//! Numbers must be the same in the same order, so that another year, another edition and another game of a match are
//! another event. Words that differ are one name only with evidence: the same players, games or events.

use std::collections::HashMap;

use super::blocks::Blocks;
use super::fold;
use super::name_group::{GroupSpelling, NameDoubt, NameEvidence, NameGroup, NameGrouping};
use super::name_use::{NameKind, NameUse, shared};
use super::player_groups::{accents, majority_script};
use super::player_name::script_of;
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
    // The form that stands for the group of each form.
    let mut leader: Vec<usize> = (0..forms.len()).collect();
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
            None => {
                let (first, second) = (find(&mut leader, a), find(&mut leader, b));
                leader[first.max(second)] = first.min(second);
            }
            Some(doubt) => doubts.push((a, b, doubt, tie.evidence)),
        }
    }
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for form in 0..forms.len() {
        members.entry(find(&mut leader, form)).or_default().push(form);
    }
    let script = majority_script(uses);
    let canonical = |group: &[usize]| -> usize {
        let all =
            group.iter().flat_map(|&form| forms[form].members.iter().map(move |&number| (form, number)));
        let best = all.max_by_key(|&(form, number)| {
            let (text, name) = (&forms[form], &uses[number].name);
            let mut others = group.iter().take(MAX_FORMS);
            let is_short = others.any(|&other| is_abbreviation(&text.words, &forms[other].words));
            let one_case = !name.contains(char::is_lowercase) || !name.contains(char::is_uppercase);
            let rank = (script_of(name) == script, !is_short, !one_case, text.used.games);
            (rank, accents(name), uses[number].games, std::cmp::Reverse(name))
        });
        best.map_or(0, |(_, number)| number)
    };
    let spelling = |number: usize, evidence: NameEvidence| {
        let used = &uses[number];
        GroupSpelling { name: used.name.clone(), games: used.games, years: used.years, evidence }
    };
    let mut groups = Vec::new();
    for forms_of_group in members.values() {
        let main = canonical(forms_of_group);
        let main_form = forms_of_group.iter().find(|&&form| forms[form].members.contains(&main));
        let mut spellings = Vec::new();
        for &form in forms_of_group {
            for &number in &forms[form].members {
                let found = match () {
                    () if number == main => NameEvidence::default(),
                    () if main_form == Some(&form) => {
                        NameEvidence { letters: true, ..NameEvidence::default() }
                            .with_shared(&uses[number], &uses[main])
                    }
                    () => {
                        let to_main = main_form.and_then(|&main| tie(kind, &forms[form], &forms[main]));
                        to_main.map_or(evidence[form], |tie| tie.evidence)
                    }
                };
                spellings.push(spelling(number, found));
            }
        }
        if spellings.len() > 1 {
            let canonical = uses[main].name.clone();
            spellings.sort_by(|a, b| {
                let key = |spelling: &GroupSpelling| (spelling.name != canonical, u64::MAX - spelling.games);
                key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
            });
            groups.push(NameGroup { kind, canonical, spellings, doubt: None, candidates: Vec::new() });
        }
    }
    let order_of = |group: &NameGroup| {
        let last = group.spellings.last().map(|spelling| spelling.name.clone());
        (fold(&group.canonical), group.canonical.clone(), last)
    };
    groups.sort_by_cached_key(order_of);
    let mut doubtful = Vec::new();
    let mut reported = std::collections::HashSet::new();
    for (a, b, doubt, evidence) in doubts {
        let (first, second) = (find(&mut leader, a), find(&mut leader, b));
        if first == second || !reported.insert((first.min(second), first.max(second))) {
            continue;
        }
        let [first, second] = [first, second].map(|group| members.get(&group).map_or(&[][..], Vec::as_slice));
        let main = canonical(&[first, second].concat());
        let other = [canonical(first), canonical(second)].into_iter().find(|&number| number != main);
        let Some(other) = other else { continue };
        let spellings = vec![spelling(main, NameEvidence::default()), spelling(other, evidence)];
        let canonical = uses[main].name.clone();
        doubtful.push(NameGroup { kind, canonical, spellings, doubt: Some(doubt), candidates: Vec::new() });
    }
    doubtful.sort_by_cached_key(order_of);
    groups.append(&mut doubtful);
    NameGrouping { groups, uncompared }
}

/// Returns the form that stands for the group of a form.
fn find(leader: &mut [usize], mut form: usize) -> usize {
    while leader[form] != form {
        leader[form] = leader[leader[form]];
        form = leader[form];
    }
    form
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
