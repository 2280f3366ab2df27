//! Which spellings name the same person or event. The one rule for reports, lists and pages.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pdn_index::internal::query::Field;
use pdn_index::query::Query;
use pdn_names::{NameKind, NameMap, NameMatch, NamePattern, fold, letters_of_person, turned_names};

/// Which spellings name the same person or event: those that differ in case, accents and punctuation only, and those that a file of
/// names makes one. Names of players may begin with any of their words, too: `Wal, Jan van der`, `van der Wal, Jan` and `Jan van der Wal`
/// are one person. Nothing else is joined.
///
/// A person or event is known by its *key*, a folded text.
///
/// Without a file, the key of a spelling is its folded text, for players the first in the alphabet of those that begin with one of its
/// words. With a file, all spellings of such a text follow those that the file lists. If the file makes several names of them, each listed
/// spelling follows its own line, and the others stay what they are.
#[derive(Clone, Debug)]
pub struct SameNames {
    /// Whether a name may begin with any of its words.
    turns: bool,
    /// The key of each text that the file joins with another one.
    keys: HashMap<String, String>,
    /// The keys of listed spellings whose text decides nothing.
    exceptions: HashMap<String, String>,
    /// The names that the file gives, by key.
    names: HashMap<String, String>,
}

/// Which spellings name the same player, and which the same event.
#[derive(Clone, Debug)]
pub struct SameNamesOfKinds {
    /// Players.
    pub players: SameNames,
    /// Events.
    pub events: SameNames,
}

impl SameNamesOfKinds {
    /// Creates the rule of a file of names; without one, that of the letters alone.
    pub fn new(map: Option<&NameMap>) -> Self {
        Self { players: SameNames::new(map, NameKind::Player), events: SameNames::new(map, NameKind::Event) }
    }
}

impl SameNames {
    /// Creates the rule of a file of names; without one, that of the letters alone. Linear in the number of listed spellings.
    pub fn new(map: Option<&NameMap>, kind: NameKind) -> Self {
        let empty = HashMap::new;
        let mut rule =
            Self { turns: kind == NameKind::Player, keys: empty(), exceptions: empty(), names: empty() };
        let Some(map) = map else { return rule };
        let mut listed: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
        for (spelling, name) in map.pairs(kind) {
            listed.entry(rule.letters(spelling)).or_default().push((spelling, name));
        }
        let (mut parents, mut exceptions) = (HashMap::new(), Vec::new());
        for (folded, pairs) in &listed {
            let names: BTreeSet<String> = pairs.iter().map(|(_, name)| rule.letters(name)).collect();
            match names.first() {
                Some(name) if names.len() == 1 && !folded.is_empty() => {
                    let (one, other) = (root(&parents, folded), root(&parents, name));
                    if one != other {
                        parents.insert(one, other);
                    }
                }
                _ => exceptions.extend(pairs.iter().copied()),
            }
        }
        rule.keys = parents.keys().map(|folded| (folded.clone(), root(&parents, folded))).collect();
        for (spelling, name) in exceptions {
            let key = rule.key_of_letters(name);
            rule.exceptions.insert(spelling.to_owned(), key);
        }
        for (_, name) in listed.values().flatten() {
            let known = rule.names.entry(rule.key_of_letters(name)).or_insert_with(|| (*name).to_owned());
            if *name < known.as_str() {
                *known = (*name).to_owned();
            }
        }
        rule
    }

    /// Returns the folded text that stands for all spellings that differ from this one in nothing that matters.
    fn letters(&self, text: &str) -> String {
        if self.turns { letters_of_person(text) } else { fold(text) }
    }

    /// Returns the folded texts that a name with this one may have: for players, one for each word that may come first.
    fn turned(&self, folded: &str) -> BTreeSet<String> {
        if self.turns { turned_names(folded) } else { BTreeSet::from([folded.to_owned()]) }
    }

    fn key_of_letters(&self, text: &str) -> String {
        let letters = self.letters(text);
        self.keys.get(&letters).cloned().unwrap_or(letters)
    }

    /// Returns the key of a spelling; empty if it has no letter and no digit and the file does not list it.
    pub fn key(&self, spelling: &str) -> String {
        match self.exceptions.get(spelling.trim()) {
            Some(key) => key.clone(),
            None => self.key_of_letters(spelling),
        }
    }

    /// Returns the key under which each spelling counts, if a names file joins some of them; `None` if only their letters decide.
    pub(crate) fn of_file(&self) -> Option<impl Fn(&str) -> String> {
        let has_file = !self.keys.is_empty() || !self.exceptions.is_empty();
        has_file.then_some(|spelling: &str| self.key(spelling))
    }

    /// Returns the query for games of a person against others.
    pub(crate) fn not_against_oneself(&self, key: &str, spellings: &HashMap<String, String>) -> Query {
        let [white, black] = [Field::White, Field::Black].map(|field| self.query(field, key, spellings));
        !(white & black)
    }

    /// Returns the name that the file gives to a key.
    pub(crate) fn name(&self, key: &str) -> Option<&str> {
        self.names.get(key).map(String::as_str)
    }

    /// Returns the keys of which it is known without the names of an index that a spelling matches: those of the file, and that of a whole
    /// name.
    pub(crate) fn matching(&self, pattern: &NamePattern) -> BTreeSet<String> {
        let matches = |folded: &String| self.turned(folded).iter().any(|text| pattern.matches(text));
        let named = self.names.iter().filter(|(_, name)| pattern.matches(name)).map(|(key, _)| key);
        let joined = self.keys.iter().filter(|(folded, _)| matches(folded)).map(|(_, key)| key);
        let excepted =
            self.exceptions.iter().filter(|(spelling, _)| pattern.matches(spelling)).map(|(_, key)| key);
        let mut keys: BTreeSet<String> = named.chain(joined).chain(excepted).cloned().collect();
        if pattern.match_kind() == NameMatch::Exact {
            keys.insert(self.key(pattern.text()));
        }
        keys.remove("");
        keys
    }

    /// Returns the folded texts that spellings of a key may have, in order.
    pub(crate) fn folded_texts(&self, key: &str) -> BTreeSet<String> {
        let joined = self.keys.iter().filter(|(_, of)| *of == key).map(|(folded, _)| folded.as_str());
        let excepted =
            self.exceptions.iter().filter(|(_, of)| *of == key).map(|(spelling, _)| fold(spelling));
        joined.chain([key]).flat_map(|folded| self.turned(folded)).chain(excepted).collect()
    }

    /// Returns `true` if queries tell the spellings of a key from all others. They do not if a file makes different names of spellings that
    /// differ in case, accents and punctuation only.
    pub(crate) fn is_told_apart(&self, key: &str) -> bool {
        let texts = self.folded_texts(key);
        let is_other = |folded: &String| self.key_of_letters(folded) != key;
        let mut others = self.exceptions.iter().filter(|(_, of)| *of != key);
        !texts.iter().any(is_other) && !others.any(|(spelling, _)| texts.contains(&fold(spelling)))
    }

    /// Returns the query for games in which a field names a key. `spellings` has the text to write for each folded text that an index has;
    /// without one, the query has all folded texts that are possible.
    pub(crate) fn query(&self, field: Field, key: &str, spellings: &HashMap<String, String>) -> Query {
        let texts = self.folded_texts(key);
        let known: Vec<&String> = texts.iter().filter_map(|folded| spellings.get(folded)).collect();
        let texts = if known.is_empty() { texts.iter().collect() } else { known };
        let mut queries: Vec<Query> = texts.into_iter().map(|text| Query::exactly(field, text)).collect();
        if queries.len() == 1 { queries.remove(0) } else { Query::Or(queries) }
    }
}

/// Returns `true` for a game against oneself, given the keys of White and Black: it counts for nobody. Those without a name may be two
/// persons.
pub(crate) fn is_against_oneself([white, black]: [&str; 2]) -> bool {
    white == black && !white.is_empty()
}

/// Returns the folded text that stands for all that are joined with this one.
fn root(parents: &HashMap<String, String>, folded: &str) -> String {
    let mut folded = folded;
    while let Some(parent) = parents.get(folded) {
        folded = parent;
    }
    folded.to_owned()
}

#[cfg(test)]
mod tests {
    use pdn_names::MappedNames;

    use super::*;

    fn rule(groups: &[(&str, &[&str])]) -> SameNames {
        let groups: Vec<MappedNames> = groups
            .iter()
            .map(|(name, spellings)| MappedNames::new(NameKind::Player, *name, spellings.iter().copied()))
            .collect();
        SameNames::new(Some(&NameMap::new(&groups).unwrap()), NameKind::Player)
    }

    #[test]
    fn spellings_follow_the_file_and_their_letters() {
        let rule = rule(&[("Wiersma, Harm", &["H. Wiersma", "Wirsma"]), ("Sijbrands", &["Sybrands"])]);
        let key = rule.key("Wiersma, Harm");
        for spelling in ["WIERSMA,HARM", "H. Wiersma", "H.Wiersma", "wirsma"] {
            assert_eq!(rule.key(spelling), key, "{spelling}");
        }
        assert_eq!(rule.name(&key), Some("Wiersma, Harm"));
        assert_eq!(rule.key("Wiersma, H."), key, "a family name may come last");
        assert_ne!(rule.key("Wiersma"), key);
        assert_eq!(rule.key("Tinsley, M."), "m tinsley");
        assert_eq!(rule.key("?"), "");
        let texts: Vec<String> = rule.folded_texts(&key).into_iter().collect();
        assert_eq!(texts, ["h wiersma", "harm wiersma", "wiersma h", "wiersma harm", "wirsma"]);
        assert!(rule.is_told_apart(&key));
        let written = [("wirsma", "Wirsma, H"), ("harm wiersma", "Harm Wiersma"), ("another", "Another")];
        let written = written.map(|(folded, text)| (folded.to_owned(), text.to_owned()));
        let query = rule.query(Field::White, &key, &written.into());
        assert_eq!(query.to_string(), "white = \"Harm Wiersma\" or white = \"Wirsma, H\"");
        assert_eq!(
            rule.query(Field::White, &rule.key("Wirsma"), &HashMap::new())
                .to_string()
                .matches(" or ")
                .count(),
            4
        );
        assert_eq!(
            rule.matching(&NamePattern::parse("sybrands")).into_iter().collect::<Vec<_>>(),
            ["sijbrands"]
        );
    }

    #[test]
    fn names_of_players_begin_with_any_of_their_words() {
        let players = SameNames::new(None, NameKind::Player);
        let key = players.key("Wal, Jan van der");
        for spelling in ["Jan van der Wal", "van der Wal, Jan", "VAN DER WAL Jan", "der Wal, Jan van"] {
            assert_eq!(players.key(spelling), key, "{spelling}");
        }
        for other in ["Wal, Jan", "Jan der van Wal", "Wal, Jan van den"] {
            assert_ne!(players.key(other), key, "{other}");
        }
        assert_eq!(players.folded_texts(&key).len(), 4);
        assert!(players.matching(&NamePattern::parse("=Jan van der Wal")).contains(&key));
        let long = "a b c d e f g h i";
        assert_eq!(players.key("b c d e f g h i a"), "b c d e f g h i a");
        assert_eq!(players.folded_texts(&players.key(long)).len(), 1);
        let events = SameNames::new(None, NameKind::Event);
        assert_ne!(events.key("Cup Nations"), events.key("Nations Cup"));
    }

    #[test]
    fn files_that_part_turned_names_are_followed() {
        let rule = rule(&[("Simon, Paul (NED)", &["Paul Simon"]), ("Simon, Paul (BEL)", &["Simon, Paul"])]);
        assert_ne!(rule.key("Paul Simon"), rule.key("Simon, Paul"));
        assert_eq!(rule.name(&rule.key("Simon, Paul")), Some("Simon, Paul (BEL)"));
    }

    #[test]
    fn files_that_part_equal_letters_are_followed_letter_by_letter() {
        let rule =
            rule(&[("Jansen, Jan", &["J. Jansen"]), ("Jansen, Johan", &["J.Jansen"]), ("Nobody", &["?"])]);
        assert_eq!(rule.key("J. Jansen"), "jan jansen");
        assert_eq!(rule.key("J.Jansen"), "jansen johan");
        assert_eq!(rule.key("J Jansen"), "j jansen");
        assert!(!rule.is_told_apart("jan jansen") && !rule.is_told_apart("j jansen"));
        assert_eq!((rule.key("?").as_str(), rule.key("-").as_str()), ("nobody", ""));
    }

    #[test]
    fn names_that_lead_to_each_other_by_their_letters_are_one() {
        let rule = rule(&[("Wal, J.", &["WAL"]), ("Wal", &["wal j"])]);
        assert_eq!(rule.key("WAL"), rule.key("wal j"));
        assert_eq!(rule.key("Wal"), rule.key("Wal, J."));
    }
}
