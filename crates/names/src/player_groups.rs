//! Groups the spellings of players: precision before recall.
//!
//! A name joins a person only if it contradicts no other name of that person, fits no other person as well, and nothing
//! that the archive knows of its games speaks against it. Everything else that looks alike is reported as a doubt.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::name_group::{GroupSpelling, NameDoubt, NameEvidence, NameGroup, NameGrouping};
use super::name_use::{NameKind, NameUse};
use super::person::Likeness;
use super::player_forms::{PlayerForms, Tie};
use super::player_name::{PlayerName, script_of};
use super::romanisation::Script;
use super::word::distance;

/// Number of different initials from which a surname is common, so that an initial says little.
const COMMON_SURNAME: u32 = 4;
/// Maximum number of forms of a person with which another form is compared. A person with more gets no further ones.
const MAX_FORMS: usize = 64;
/// Maximum number of comparisons by which the person of a form is looked for. A form that takes more becomes a person itself.
const MAX_TIES: usize = 512;
/// Maximum number of names that a surname alone is compared with.
const MAX_BEARERS: usize = 64;
/// Maximum number of persons that are listed for a name that fits several.
const MAX_CANDIDATES: usize = 8;
/// Maximum number of games of a spelling that may be a slip of the pen.
const MAX_SLIPS: u64 = 3;
/// Minimum number of letters of a surname that is reported as misspelt without an event in common.
const MIN_RARE_SURNAME: usize = 6;

/// Groups the names of players.
pub(super) fn group_players(uses: &[NameUse]) -> NameGrouping {
    let forms = PlayerForms::new(uses);
    let (pairs, uncompared) = forms.pairs();
    group_pairs(uses, forms, &pairs, uncompared)
}

/// Groups the names of players, of which only these pairs of forms are compared.
fn group_pairs(
    uses: &[NameUse],
    forms: PlayerForms<'_>,
    pairs: &[(u32, u32)],
    uncompared: u64,
) -> NameGrouping {
    let mut grouper = Grouper::new(uses, forms);
    let misspelt = grouper.add_ties(pairs);
    grouper.join_full_names();
    grouper.join_bare_names();
    grouper.join_misspelt_names(&misspelt);
    let uncompared = uncompared + grouper.uncompared;
    NameGrouping { groups: grouper.groups(), uncompared }
}

/// Forms on their way to groups.
struct Grouper<'u> {
    uses: &'u [NameUse],
    forms: PlayerForms<'u>,
    /// For each form, the forms that are probably the same person, without errors.
    ties: Vec<Vec<u32>>,
    /// The forms of each person.
    persons: Vec<Vec<usize>>,
    /// The person of each form.
    person_of: Vec<Option<usize>>,
    /// Persons that may be one.
    doubts: Vec<(usize, usize, NameDoubt, NameEvidence)>,
    /// Persons whose name fits several others.
    ambiguous: Vec<(usize, Vec<usize>, NameEvidence)>,
    /// Forms that are a slip of the pen.
    slips: HashSet<usize>,
    /// The first letters of given names for each surname, as bits.
    bearers: HashMap<String, u32>,
    /// Number of comparisons by which the person of the present form is looked for.
    compared: Cell<usize>,
    /// Number of pairs of a form and a person that were left out, because too many resemble each other.
    uncompared: u64,
}

/// Two names that are one letter apart, and may be one.
struct Candidate {
    /// The form with fewer games.
    rare: usize,
    usual: usize,
    tie: Tie,
    /// The rarer one is clearly a slip.
    is_clear: bool,
}

impl Candidate {
    /// Returns the key by which the clearest come first.
    fn rank(&self) -> impl Ord + use<> {
        let evidence = &self.tie.evidence;
        (!self.is_clear, Reverse(evidence.same_games), Reverse(evidence.same_events), self.rare, self.usual)
    }
}

/// Whether a form can be a person.
enum Fit {
    No,
    Doubtful(NameDoubt, NameEvidence),
    Yes(NameEvidence, Likeness),
}

impl<'u> Grouper<'u> {
    fn new(uses: &'u [NameUse], forms: PlayerForms<'u>) -> Self {
        let count = forms.forms.len();
        let mut bearers: HashMap<String, u32> = HashMap::new();
        for form in &forms.forms {
            let words = form.name.reading().map_or(&[][..], |reading| &reading.words);
            for surname in form.name.surnames() {
                let others = words.iter().filter(|word| word.word.folded != surname.folded);
                let initial = others.filter_map(|word| word.word.folded.chars().next()).min();
                let bit = initial.map_or(0, |initial| 1 << (u32::from(initial) % 32));
                *bearers.entry(surname.folded.clone()).or_default() |= bit;
            }
        }
        Self {
            uses,
            forms,
            ties: vec![Vec::new(); count],
            persons: Vec::new(),
            person_of: vec![None; count],
            doubts: Vec::new(),
            ambiguous: Vec::new(),
            slips: HashSet::new(),
            bearers,
            compared: Cell::new(0),
            uncompared: 0,
        }
    }

    /// Returns how two forms can mean one person, and counts the comparison.
    fn tie(&self, a: usize, b: usize) -> Option<Tie> {
        self.compared.set(self.compared.get() + 1);
        self.forms.tie(a, b)
    }

    /// Returns `true` if as many comparisons as may be were made for the present form.
    fn has_too_many(&self) -> bool {
        self.compared.get() >= MAX_TIES
    }

    fn name(&self, form: usize) -> &PlayerName {
        &self.forms.forms[form].name
    }

    /// Returns `true` if the form is a surname alone, which says too little to join names by itself.
    fn is_bare(&self, form: usize) -> bool {
        self.name(form).is_bare() && !self.name(form).is_whole
    }

    /// Compares the pairs. Keeps those that are probably one person, and returns those that are one letter apart.
    fn add_ties(&mut self, pairs: &[(u32, u32)]) -> Vec<(usize, usize, Tie)> {
        let mut misspelt = Vec::new();
        for &(a, b) in pairs {
            let (a, b) = (a as usize, b as usize);
            // A surname alone says too little.
            if self.is_bare(a) || self.is_bare(b) {
                continue;
            }
            let Some(tie) = self.forms.tie(a, b) else { continue };
            if tie.evidence.errors > 0 {
                misspelt.push((a, b, tie));
            } else if tie.likeness >= Likeness::Probable {
                self.ties[a].push(b as u32);
                self.ties[b].push(a as u32);
            }
        }
        misspelt
    }

    /// Joins names with a given name or an initial, the fullest first: what a name leaves open is decided by those before it.
    fn join_full_names(&mut self) {
        let mut order: Vec<usize> = (0..self.forms.forms.len()).filter(|&form| !self.is_bare(form)).collect();
        order.sort_by_cached_key(|&form| {
            let (full, all) = self.name(form).fullness;
            let games = self.forms.forms[form].used.games;
            // A Cyrillic name agrees with each of its romanisations, which may disagree with each other; so does Sørensen with
            // Sorensen and Soerensen.
            let is_ascii = self.name(form).folded.is_ascii();
            (usize::MAX - full, usize::MAX - all, is_ascii, u64::MAX - games, form)
        });
        for form in order {
            let tied: BTreeSet<usize> =
                self.ties[form].iter().filter_map(|&other| self.person_of[other as usize]).collect();
            let mut fits: Vec<(usize, NameEvidence, Likeness)> = Vec::new();
            let mut doubtful = Vec::new();
            self.compared.set(0);
            for (number, &person) in tied.iter().enumerate() {
                if self.has_too_many() {
                    // Which of all persons it fits is not known.
                    self.uncompared += (tied.len() - number) as u64;
                    fits.clear();
                    doubtful.clear();
                    break;
                }
                if self.persons[person].len() > MAX_FORMS {
                    self.uncompared += 1;
                    continue;
                }
                match self.fit(form, person) {
                    Fit::No => {}
                    Fit::Doubtful(doubt, evidence) => doubtful.push((person, doubt, evidence)),
                    Fit::Yes(evidence, likeness) => fits.push((person, evidence, likeness)),
                }
            }
            // A name whose games are all known as games of one of them is his.
            let games = self.forms.forms[form].used.games;
            let has_all = |fit: &(usize, NameEvidence, Likeness)| u64::from(fit.1.same_games) >= games;
            if fits.iter().filter(|fit| has_all(fit)).count() == 1 {
                fits.retain(has_all);
            }
            // A name that another person has exactly is his.
            if fits.iter().filter(|fit| fit.2 == Likeness::Same).count() == 1 {
                fits.retain(|fit| fit.2 == Likeness::Same);
            }
            let own = match fits.as_slice() {
                [(person, evidence, likeness)] => {
                    let says_little = *likeness < Likeness::Same
                        && evidence.initials + evidence.missing > 0
                        && self.is_common(form)
                        && !evidence.is_corroborated();
                    if says_little {
                        let own = self.new_person(form);
                        self.doubts.push((*person, own, NameDoubt::CommonSurname, *evidence));
                        own
                    } else {
                        self.persons[*person].push(form);
                        self.person_of[form] = Some(*person);
                        *person
                    }
                }
                [] => self.new_person(form),
                several => {
                    let persons = several.iter().map(|fit| fit.0).collect();
                    let evidence = several[0].1;
                    let own = self.new_person(form);
                    self.ambiguous.push((own, persons, evidence));
                    own
                }
            };
            self.doubts
                .extend(doubtful.into_iter().map(|(person, doubt, evidence)| (person, own, doubt, evidence)));
        }
    }

    fn new_person(&mut self, form: usize) -> usize {
        self.persons.push(vec![form]);
        self.person_of[form] = Some(self.persons.len() - 1);
        self.persons.len() - 1
    }

    /// Returns whether a form can be a person: no name of that person may contradict it.
    fn fit(&self, form: usize, person: usize) -> Fit {
        let mut best: Option<(Likeness, NameEvidence)> = None;
        let mut doubt = None;
        let mut supported = NameEvidence::default();
        for &other in &self.persons[person] {
            let Some(tie) = self.tie(form, other) else {
                if self.are_romanisations(form, other, person) {
                    continue;
                }
                return Fit::No;
            };
            doubt = doubt.or(tie.doubt);
            supported.same_games = supported.same_games.max(tie.evidence.same_games);
            supported.same_events = supported.same_events.max(tie.evidence.same_events);
            supported.same_companions = supported.same_companions.max(tie.evidence.same_companions);
            if best.is_none_or(|best| best.0 < tie.likeness) {
                best = Some((tie.likeness, tie.evidence));
            }
        }
        let Some((likeness, mut evidence)) = best else { return Fit::No };
        evidence.same_games = supported.same_games;
        evidence.same_events = supported.same_events;
        evidence.same_companions = supported.same_companions;
        doubt.map_or(Fit::Yes(evidence, likeness), |doubt| Fit::Doubtful(doubt, evidence))
    }

    /// Returns `true` if two names in Latin letters disagree, but both are spellings of a name of the person with other letters:
    /// romanisations of a Cyrillic name, if their given names cannot contradict each other because one has a single initial; or
    /// all words of a Latin one, written in two ways.
    fn are_romanisations(&self, a: usize, b: usize, person: usize) -> bool {
        if self.has_too_many() {
            return false;
        }
        let is_latin = |form: usize| self.name(form).script == Script::Latin;
        let has_initial = |form: usize| self.name(form).fullness == (1, 2);
        let is_open = has_initial(a) || has_initial(b);
        is_latin(a)
            && is_latin(b)
            && self.persons[person].iter().any(|&hub| {
                let least = match self.name(hub).script {
                    Script::Cyrillic if is_open => Likeness::Probable,
                    Script::Latin if !self.name(hub).folded.is_ascii() => Likeness::Same,
                    _ => return false,
                };
                let agrees = |form: usize| {
                    self.tie(form, hub).is_some_and(|tie| {
                        tie.likeness >= least && tie.evidence.errors == 0 && tie.doubt.is_none()
                    })
                };
                agrees(a) && agrees(b)
            })
    }

    /// Returns `true` if many persons have the surname.
    fn is_common(&self, form: usize) -> bool {
        let bearers = |word: &str| self.bearers.get(word).map_or(0, |bits| bits.count_ones());
        self.name(form).surnames().any(|surname| bearers(&surname.folded) >= COMMON_SURNAME)
    }

    /// Joins surnames alone with the only person who has them, if a game or an event connects the two.
    fn join_bare_names(&mut self) {
        let mut with: HashMap<usize, Vec<usize>> = HashMap::new();
        for (bare, other) in self.forms.bare_pairs(MAX_BEARERS) {
            with.entry(bare).or_default().push(other);
        }
        let bare: Vec<usize> = (0..self.forms.forms.len()).filter(|&form| self.is_bare(form)).collect();
        for form in bare {
            let others = with.remove(&form).unwrap_or_default();
            let mut persons: BTreeSet<usize> =
                others.iter().filter_map(|&other| self.person_of[other]).collect();
            // A surname alone fits many.
            let all = persons.len();
            persons.retain(|&person| self.persons[person].len() <= MAX_FORMS);
            self.uncompared += (all - persons.len()) as u64;
            self.compared.set(0);
            let fits = |person: usize| match self.fit(form, person) {
                Fit::No => None,
                Fit::Doubtful(doubt, evidence) => Some((person, Some(doubt), evidence)),
                Fit::Yes(evidence, _) => Some((person, None, evidence)),
            };
            let mut found: Vec<_> = persons.into_iter().filter_map(fits).collect();
            // Another surname alone counts only if there is nobody else.
            let is_full = |person: usize| self.persons[person].iter().any(|&other| !self.is_bare(other));
            if found.iter().any(|(person, ..)| is_full(*person)) {
                found.retain(|(person, ..)| is_full(*person));
            }
            match found.as_slice() {
                [] => {
                    self.new_person(form);
                }
                [(person, None, evidence)] if evidence.errors == 0 && evidence.is_corroborated() => {
                    self.persons[*person].push(form);
                    self.person_of[form] = Some(*person);
                }
                [(person, doubt, evidence)] => {
                    let own = self.new_person(form);
                    if evidence.errors == 0 {
                        self.doubts.push((*person, own, doubt.unwrap_or(NameDoubt::SurnameOnly), *evidence));
                    }
                }
                several => {
                    let persons = several.iter().map(|fit| fit.0).collect();
                    let own = self.new_person(form);
                    self.ambiguous.push((own, persons, several[0].2));
                }
            }
        }
    }

    /// Joins names that are one letter apart, if one is clearly a slip: the same game has both spellings, or a name that is
    /// written in full and occurs a few times in an event of the other.
    fn join_misspelt_names(&mut self, pairs: &[(usize, usize, Tie)]) {
        let mut candidates = self.misspelt_names(pairs);
        candidates.sort_by_key(Candidate::rank);
        let mut moved: HashSet<usize> = HashSet::new();
        for Candidate { rare, usual, tie, is_clear } in candidates {
            let Some((from, to)) = self.two_persons(rare, usual) else { continue };
            if is_clear && moved.insert(from) && self.may_be_one(from, to) == Some(true) {
                let forms = std::mem::take(&mut self.persons[from]);
                for &form in &forms {
                    self.person_of[form] = Some(to);
                }
                self.slips.extend(&forms);
                self.persons[to].extend(forms);
            } else {
                self.doubts.push((to, from, tie.doubt.unwrap_or(NameDoubt::OneLetter), tie.evidence));
            }
        }
    }

    /// Returns the pairs of names that are one letter apart and may be one person.
    fn misspelt_names(&mut self, pairs: &[(usize, usize, Tie)]) -> Vec<Candidate> {
        // The persons that have each word.
        let mut persons_of_word: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (form, person) in self.person_of.iter().enumerate() {
            for word in self.forms.forms[form].name.folded.split(' ') {
                persons_of_word.entry(word).or_default().extend(person);
            }
        }
        let is_fixed: HashSet<usize> = self.ambiguous.iter().map(|found| found.0).collect();
        let mut candidates = Vec::new();
        // Often several forms of two persons are one letter apart.
        let mut compared: HashMap<(usize, usize), Option<bool>> = HashMap::new();
        let mut left_out = 0;
        for &(a, b, tie) in pairs {
            let games = |form: usize| self.forms.forms[form].used.games;
            let (rare, usual) = if (games(a), b) < (games(b), a) { (a, b) } else { (b, a) };
            let Some((from, to)) = self.two_persons(rare, usual) else { continue };
            match *compared.entry((from, to)).or_insert_with(|| self.may_be_one(from, to)) {
                Some(true) => (),
                Some(false) => continue,
                None => {
                    left_out += 1;
                    continue;
                }
            }
            let evidence = tie.evidence;
            let is_full = evidence.missing == 0 && self.is_written_out(a) && self.is_written_out(b);
            let is_swap = evidence.missing == 0 && has_swapped_letters(self.name(a), self.name(b));
            let usual_words: Vec<&str> = self.name(usual).folded.split(' ').collect();
            let odd_is_rare = self.name(rare).folded.split(' ').all(|word| {
                usual_words.contains(&word)
                    || persons_of_word.get(word).is_some_and(|persons| persons.len() == 1)
            });
            let is_slip = (is_full || is_swap)
                && evidence.same_events > 0
                && games(rare) <= MAX_SLIPS
                && games(rare) * 2 <= games(usual)
                && odd_is_rare;
            let is_clear = tie.doubt.is_none()
                && (evidence.same_games > 0 || is_slip)
                && !is_fixed.contains(&from)
                && !is_fixed.contains(&to);
            let is_long = self.name(rare).surnames().any(|surname| surname.len >= MIN_RARE_SURNAME);
            if is_clear || evidence.is_corroborated() || is_full && is_long && tie.doubt.is_none() {
                candidates.push(Candidate { rare, usual, tie, is_clear });
            }
        }
        self.uncompared += left_out;
        candidates
    }

    /// Returns the persons of two forms if they are two.
    fn two_persons(&self, one: usize, other: usize) -> Option<(usize, usize)> {
        let (one, other) = (self.person_of[one]?, self.person_of[other]?);
        (one != other).then_some((one, other))
    }

    /// Returns whether every form of a person can be one of another's; `None` if they have too many to compare.
    fn may_be_one(&self, one: usize, other: usize) -> Option<bool> {
        let (one, other) = (&self.persons[one], &self.persons[other]);
        (one.len() * other.len() <= MAX_TIES)
            .then(|| one.iter().all(|&one| other.iter().all(|&other| self.forms.tie(one, other).is_some())))
    }

    /// Returns `true` if a name has several words, and none of them is an initial.
    fn is_written_out(&self, form: usize) -> bool {
        let (full, all) = self.name(form).fullness;
        full == all && full > 1
    }

    /// Returns the groups: persons with several spellings, then doubts.
    fn groups(mut self) -> Vec<NameGroup> {
        let script = majority_script(self.uses);
        let canonical: Vec<Option<usize>> =
            self.persons.iter().map(|forms| self.canonical(forms, script)).collect();
        let mut groups: Vec<NameGroup> = Vec::new();
        for (person, forms) in self.persons.iter().enumerate() {
            let Some(main) = canonical[person] else { continue };
            let mut spellings: Vec<GroupSpelling> = Vec::new();
            for &form in forms {
                for &number in &self.forms.forms[form].members {
                    spellings.push(self.spelling(form, number, main, forms));
                }
            }
            if spellings.len() > 1 {
                groups.push(self.group(main, spellings, None, Vec::new()));
            }
        }
        groups.sort_by_cached_key(order_of);
        // Persons move when they are joined, and their forms with them.
        let resolve = |person: usize| (!self.persons[person].is_empty()).then_some(person);
        let mut doubtful: Vec<NameGroup> = Vec::new();
        let mut reported: HashSet<(usize, usize)> = HashSet::new();
        let ambiguous = std::mem::take(&mut self.ambiguous);
        for (own, others, evidence) in ambiguous {
            let mut others: Vec<usize> =
                others.into_iter().filter_map(resolve).filter(|&other| other != own).collect();
            let games = |person: &usize| -> u64 {
                self.persons[*person].iter().map(|&form| self.forms.forms[form].used.games).sum()
            };
            others.sort_by_key(|person| (u64::MAX - games(person), *person));
            others.dedup();
            let (Some(own_name), Some(_)) = (canonical[own], others.first()) else { continue };
            reported.extend(others.iter().map(|&other| (own.min(other), own.max(other))));
            let names = others.iter().filter_map(|&other| canonical[other]);
            let names: Vec<String> =
                names.map(|number| self.uses[number].name.clone()).take(MAX_CANDIDATES).collect();
            let mut group = self.group(own_name, Vec::new(), Some(NameDoubt::SeveralPersons), names.clone());
            group.canonical = names.first().cloned().unwrap_or_default();
            group.spellings = vec![self.plain_spelling(own_name, evidence)];
            doubtful.push(group);
        }
        for (to, from, doubt, evidence) in std::mem::take(&mut self.doubts) {
            let pair = (to.min(from), to.max(from));
            let (Some(_), Some(_)) = (resolve(to), resolve(from)) else { continue };
            let (Some(a), Some(b)) = (canonical[to], canonical[from]) else { continue };
            if to == from || !reported.insert(pair) {
                continue;
            }
            let both: Vec<usize> =
                [to, from].iter().flat_map(|&person| self.persons[person].clone()).collect();
            let main = self.canonical(&both, script).filter(|main| [a, b].contains(main)).unwrap_or(a);
            let other = if main == a { b } else { a };
            let spellings = vec![
                self.plain_spelling(main, NameEvidence::default()),
                self.plain_spelling(other, evidence),
            ];
            doubtful.push(self.group(main, spellings, Some(doubt), Vec::new()));
        }
        doubtful.sort_by_cached_key(order_of);
        groups.append(&mut doubtful);
        groups
    }

    fn group(
        &self,
        canonical: usize,
        mut spellings: Vec<GroupSpelling>,
        doubt: Option<NameDoubt>,
        candidates: Vec<String>,
    ) -> NameGroup {
        let canonical = self.uses[canonical].name.clone();
        spellings.sort_by(|a, b| {
            let key = |spelling: &GroupSpelling| (spelling.name != canonical, u64::MAX - spelling.games);
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        NameGroup { kind: NameKind::Player, canonical, spellings, doubt, candidates }
    }

    fn plain_spelling(&self, number: usize, evidence: NameEvidence) -> GroupSpelling {
        let used = &self.uses[number];
        GroupSpelling { name: used.name.clone(), games: used.games, years: used.years, evidence }
    }

    /// Returns a spelling with the evidence that connects it with the canonical one, or with another form of the person if
    /// that says more.
    fn spelling(&self, form: usize, number: usize, main: usize, forms: &[usize]) -> GroupSpelling {
        if number == main {
            return self.plain_spelling(number, NameEvidence::default());
        }
        let has = |form: usize, number: usize| self.forms.forms[form].members.contains(&number);
        let evidence = if has(form, main) {
            let letters = NameEvidence {
                letters: true,
                remarks: super::fold(&self.uses[number].name) != super::fold(&self.uses[main].name),
                ..NameEvidence::default()
            };
            letters.with_shared(&self.uses[number], &self.uses[main])
        } else {
            let to_main = forms.iter().copied().find(|&other| has(other, main));
            let ties = to_main.into_iter().chain(forms.iter().copied()).filter(|&other| other != form);
            let best = ties.filter_map(|other| self.forms.tie(form, other)).reduce(|best, tie| {
                if (tie.evidence.errors == 0, tie.likeness) > (best.evidence.errors == 0, best.likeness) {
                    tie
                } else {
                    best
                }
            });
            best.map(|tie| tie.evidence).unwrap_or_default()
        };
        self.plain_spelling(number, evidence)
    }

    /// Returns the spelling that all others become: in the script of most games of the archive, not misspelt, without titles
    /// and remarks, the fullest, not in capitals, and the commonest.
    fn canonical(&self, forms: &[usize], script: Script) -> Option<usize> {
        let members = forms
            .iter()
            .flat_map(|&form| self.forms.forms[form].members.iter().map(move |&number| (form, number)));
        let best = members.max_by_key(|&(form, number)| {
            let (used, name) = (&self.uses[number], self.name(form));
            (
                name.script == script,
                !self.slips.contains(&form),
                !self.forms.has_extras[number],
                name.fullness,
                // Programs and users write their names as they like, so that the usual one counts.
                name.is_whole || !has_capitals(&used.name),
                (accents(&used.name), used.games, std::cmp::Reverse(&used.name)),
            )
        });
        best.map(|(_, number)| number)
    }
}

/// Returns `true` if a long word of one name is one of the other with two neighbouring letters swapped. So many letters that are the same
/// say enough, also with an initial.
fn has_swapped_letters(a: &PlayerName, b: &PlayerName) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_long = |word: &&str| word.chars().count() >= MIN_RARE_SURNAME;
    a.folded.split(' ').filter(is_long).any(|one| {
        let mut others = b.folded.split(' ').filter(is_long);
        others.any(|other| one != other && sorted(one) == sorted(other) && distance(one, other, 1) == Some(1))
    })
}

/// Orders groups by their canonical names.
fn order_of(group: &NameGroup) -> (String, String, String) {
    let first = group.spellings.iter().map(|spelling| spelling.name.clone()).next_back().unwrap_or_default();
    (super::fold(&group.canonical), group.canonical.clone(), first)
}

/// Returns the script of most games.
pub(super) fn majority_script(uses: &[NameUse]) -> Script {
    let mut games = [0u64; 3];
    for used in uses {
        games[match script_of(&used.name) {
            Script::Latin => 0,
            Script::Cyrillic => 1,
            Script::Other => 2,
        }] += used.games;
    }
    let most = games.iter().max().copied().unwrap_or(0);
    match games {
        [latin, ..] if latin == most => Script::Latin,
        [_, cyrillic, _] if cyrillic == most => Script::Cyrillic,
        _ => Script::Other,
    }
}

/// Returns `true` if a word of three letters or more is in capitals, if there are no capitals at all, or if a small letter has a capital
/// after it that begins nothing, as in `PiraS`.
pub(super) fn has_capitals(name: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    let is_stray = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        letters[at].is_uppercase()
            && before.is_some_and(|before| before.is_lowercase())
            && !letters.get(at + 1).is_some_and(|after| after.is_lowercase())
    };
    if (0..letters.len()).any(is_stray) {
        return true;
    }
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.chars().count() > 2 && !word.chars().any(char::is_lowercase))
        || !name.chars().any(char::is_uppercase)
}

/// Returns the number of letters outside of ASCII, of which a careful writer leaves none out; 0 if the text was probably
/// decoded wrongly.
pub(super) fn accents(name: &str) -> usize {
    if name.contains(['Ã', 'Â', 'Ð', 'Ñ', char::REPLACEMENT_CHARACTER]) {
        return 0;
    }
    name.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pairs_and_persons_that_are_not_compared_are_counted_together() {
        // Each given name in one of two spellings or as an initial, so that all are one person.
        let given = [
            ["Jörg", "Joerg", "J"],
            ["Björn", "Bjoern", "B"],
            ["Götz", "Goetz", "G"],
            ["Sören", "Soeren", "S"],
        ];
        let name = |n: usize| {
            let words = given.iter().enumerate().map(|(at, forms)| forms[n / 3usize.pow(at as u32) % 3]);
            format!("Jansen, {}", words.collect::<Vec<_>>().join(" "))
        };
        let more = 5;
        let count = MAX_FORMS + 1 + more;
        let uses: Vec<_> = (0..count).map(|n| NameUse::new(name(n), 1).id(n as u64)).collect();
        let forms = PlayerForms::new(&uses);
        let all: Vec<_> =
            (0..count as u32).flat_map(|a| (a + 1..count as u32).map(move |b| (a, b))).collect();
        let found = group_pairs(&uses, forms, &all, 7);
        // The first person has no room for the last forms, which become another person.
        assert_eq!(found.uncompared, 7 + more as u64);
        let sizes: Vec<_> = found.groups.iter().map(|group| group.spellings.len()).collect();
        assert_eq!(sizes, [more, MAX_FORMS + 1]);
    }

    #[test]
    fn spellings_with_the_same_letters_say_so_and_whether_one_has_a_title() {
        let uses = [("Jansen, Jan", 3), ("JANSEN, JAN", 2), ("Jansen, Jan (GM)", 1)];
        let uses = uses.map(|(name, games)| NameUse::new(name, games));
        let found = group_players(&uses);
        let evidence = found.groups[0].spellings.iter().map(|spelling| spelling.evidence.keys());
        assert_eq!(evidence.collect::<Vec<_>>(), [&[][..], &["letters"], &["letters", "remarks"]]);
    }

    proptest! {
        #[test]
        fn blocks_find_the_groups_of_all_pairs(
            names in prop::collection::vec(
                "(Jan|Johan|J\\.|A\\.|Kees|А\\.) (Jansen|Janssen|Ivanov|Иванов|Tinsley|Tinsly)( jr)?|\
                 (Jansen|Ivanov|Wal), (J|Jan|MF|M|Anton)( van der)?|Jansen|Scan [23]\\.1|Ivanoff, [AJ]\\.",
                1..12,
            ),
        ) {
            let names: BTreeSet<String> = names.into_iter().collect();
            let uses: Vec<_> = names
                .iter()
                .enumerate()
                .map(|(n, name)| {
                    // Some share an event.
                    NameUse::new(name, n as u64 % 7 + 1).id(n as u64).events([n as u64 % 3])
                })
                .collect();
            let forms = PlayerForms::new(&uses);
            let count = forms.forms.len();
            let all: Vec<_> =
                (0..count as u32).flat_map(|a| (a + 1..count as u32).map(move |b| (a, b))).collect();
            let by_blocks = group_players(&uses);
            prop_assert_eq!(by_blocks.uncompared, 0);
            prop_assert_eq!(by_blocks.groups, group_pairs(&uses, forms, &all, 0).groups);
        }
    }
}
