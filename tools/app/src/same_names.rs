//! Which spellings name the same person or event. The one rule for reports, lists and pages.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pdn::names::{NameKind, NameMap, NamePattern, fold};
use pdn::query::{Field, Query};

/// Which spellings name the same person or event: those that differ in case, accents and punctuation only, and those that a file of
/// names makes one. Nothing else is joined.
///
/// A person or event is known by its *key*, a folded text.
///
/// Without a file, the key of a spelling is its folded text. With one, all spellings of a folded text follow those that the file lists,
/// because queries cannot tell them apart. If the file makes several names of spellings with one folded text, each listed spelling
/// follows its own line, and the others stay what they are.
#[derive(Clone, Debug, Default)]
pub struct SameNames {
    /// The key of each folded text that the file joins with another one.
    keys: HashMap<String, String>,
    /// The keys of listed spellings whose folded text decides nothing.
    exceptions: HashMap<String, String>,
    /// The names that the file gives, by key.
    names: HashMap<String, String>,
}

/// Which spellings name the same player, and which the same event.
#[derive(Clone, Debug, Default)]
pub struct SameNamesOfKinds {
    /// Players.
    pub players: SameNames,
    /// Events.
    pub events: SameNames,
}

impl SameNamesOfKinds {
    /// Creates the rule of a file of names; without one, that of folded texts alone.
    pub fn new(map: Option<&NameMap>) -> Self {
        Self { players: SameNames::new(map, NameKind::Player), events: SameNames::new(map, NameKind::Event) }
    }
}

impl SameNames {
    /// Creates the rule of a file of names; without one, that of folded texts alone. Linear in the number of listed spellings.
    pub fn new(map: Option<&NameMap>, kind: NameKind) -> Self {
        let Some(map) = map else { return Self::default() };
        let mut listed: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
        for (spelling, name) in map.pairs(kind) {
            listed.entry(fold(spelling)).or_default().push((spelling, name));
        }
        let (mut parents, mut exceptions) = (HashMap::new(), Vec::new());
        for (folded, pairs) in &listed {
            let names: BTreeSet<String> = pairs.iter().map(|(_, name)| fold(name)).collect();
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
        let keys = parents.keys().map(|folded| (folded.clone(), root(&parents, folded))).collect();
        let mut rule = Self { keys, ..Self::default() };
        for (spelling, name) in exceptions {
            let key = rule.key_of_folded(fold(name));
            rule.exceptions.insert(spelling.to_owned(), key);
        }
        for (_, name) in listed.values().flatten() {
            let known =
                rule.names.entry(rule.key_of_folded(fold(name))).or_insert_with(|| (*name).to_owned());
            if *name < known.as_str() {
                *known = (*name).to_owned();
            }
        }
        rule
    }

    fn key_of_folded(&self, folded: String) -> String {
        self.keys.get(&folded).cloned().unwrap_or(folded)
    }

    /// Returns the key of a spelling; empty if it has no letter and no digit and the file does not list it.
    pub(crate) fn key(&self, spelling: &str) -> String {
        match self.exceptions.get(spelling.trim()) {
            Some(key) => key.clone(),
            None => self.key_of_folded(fold(spelling)),
        }
    }

    /// Returns the name that the file gives to a key.
    pub(crate) fn name(&self, key: &str) -> Option<&str> {
        self.names.get(key).map(String::as_str)
    }

    /// Returns the keys that have a name or a listed spelling that matches.
    pub(crate) fn matching(&self, pattern: &NamePattern) -> BTreeSet<String> {
        let named = self.names.iter().filter(|(_, name)| pattern.matches(name)).map(|(key, _)| key);
        let joined = self.keys.iter().filter(|(folded, _)| pattern.matches(folded)).map(|(_, key)| key);
        let excepted =
            self.exceptions.iter().filter(|(spelling, _)| pattern.matches(spelling)).map(|(_, key)| key);
        named.chain(joined).chain(excepted).cloned().collect()
    }

    /// Returns the folded texts of all spellings of a key, in order.
    pub(crate) fn folded_texts(&self, key: &str) -> BTreeSet<String> {
        let joined = self.keys.iter().filter(|(_, of)| *of == key).map(|(folded, _)| folded.clone());
        let excepted =
            self.exceptions.iter().filter(|(_, of)| *of == key).map(|(spelling, _)| fold(spelling));
        joined.chain(excepted).chain([key.to_owned()]).collect()
    }

    /// Returns `true` if queries tell the spellings of a key from all others. They do not if a file makes different names of spellings that
    /// differ in case, accents and punctuation only.
    pub(crate) fn is_told_apart(&self, key: &str) -> bool {
        let texts = self.folded_texts(key);
        let is_other = |folded: &String| self.key_of_folded(folded.clone()) != key;
        let mut others = self.exceptions.iter().filter(|(_, of)| *of != key);
        !texts.iter().any(is_other) && !others.any(|(spelling, _)| texts.contains(&fold(spelling)))
    }

    /// Returns the query for games in which a field names a key. `spelling` may give a text to write for a folded one.
    pub(crate) fn query<'s>(
        &self,
        field: Field,
        key: &str,
        spelling: impl Fn(&str) -> Option<&'s str>,
    ) -> Query {
        let texts = self.folded_texts(key).into_iter();
        let mut queries: Vec<Query> =
            texts.map(|folded| Query::exactly(field, spelling(&folded).unwrap_or(&folded))).collect();
        if queries.len() == 1 { queries.remove(0) } else { Query::Or(queries) }
    }
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
    use pdn::names::MappedNames;

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
        assert_ne!(rule.key("Wiersma, H."), key);
        assert_eq!(rule.key("Tinsley, M."), "tinsley m");
        assert_eq!(rule.key("?"), "");
        let texts: Vec<String> = rule.folded_texts(&key).into_iter().collect();
        assert_eq!(texts, ["h wiersma", "wiersma harm", "wirsma"]);
        assert!(rule.is_told_apart(&key));
        let query = rule.query(Field::White, &key, |folded| (folded == "wirsma").then_some("Wirsma, H"));
        let text = "white = \"h wiersma\" or white = \"wiersma harm\" or white = \"Wirsma, H\"";
        assert_eq!(query.to_string(), text);
        assert_eq!(
            rule.matching(&NamePattern::parse("sybrands")).into_iter().collect::<Vec<_>>(),
            ["sijbrands"]
        );
    }

    #[test]
    fn files_that_part_equal_letters_are_followed_letter_by_letter() {
        let rule =
            rule(&[("Jansen, Jan", &["J. Jansen"]), ("Jansen, Johan", &["J.Jansen"]), ("Nobody", &["?"])]);
        assert_eq!(rule.key("J. Jansen"), "jansen jan");
        assert_eq!(rule.key("J.Jansen"), "jansen johan");
        assert_eq!(rule.key("J Jansen"), "j jansen");
        assert!(!rule.is_told_apart("jansen jan") && !rule.is_told_apart("j jansen"));
        assert_eq!((rule.key("?").as_str(), rule.key("-").as_str()), ("nobody", ""));
    }

    #[test]
    fn names_that_lead_to_each_other_by_their_letters_are_one() {
        let rule = rule(&[("Wal, J.", &["WAL"]), ("Wal", &["wal j"])]);
        assert_eq!(rule.key("WAL"), rule.key("wal j"));
        assert_eq!(rule.key("Wal"), rule.key("Wal, J."));
    }
}
