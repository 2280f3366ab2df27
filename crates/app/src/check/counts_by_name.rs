//! Names with their numbers.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

/// Names and their numbers in this order; an object in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountsByName(pub Vec<(String, u64)>);

impl Serialize for CountsByName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CountsByName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CountsByName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "additionalProperties": { "type": "integer" } })
    }
}

/// Number of games by name. Names come from the archive: beyond a limit, further names are counted together, so that a
/// hostile archive cannot exhaust memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct NameCounter {
    counts: HashMap<String, u64>,
    /// Number of games whose names are not kept.
    others: u64,
}

impl NameCounter {
    /// Maximum number of names.
    const MAX_NAMES: usize = 10_000;
    /// Maximum length of a name in bytes.
    const MAX_NAME_BYTES: usize = 256;

    /// Counts one game.
    pub(crate) fn add(&mut self, name: &str) {
        self.add_games(name, 1);
    }

    /// Counts several games of one name.
    pub(crate) fn add_games(&mut self, name: &str, games: u64) {
        match self.counts.get_mut(name) {
            Some(count) => *count += games,
            None => self.add_new(name.to_owned(), games),
        }
    }

    /// Adds a name that is not in the map, within the limits.
    fn add_new(&mut self, name: String, games: u64) {
        if self.counts.len() < Self::MAX_NAMES && name.len() <= Self::MAX_NAME_BYTES {
            self.counts.insert(name, games);
        } else {
            self.others += games;
        }
    }

    /// Adds all counts of `other`, in the order of names: beyond the limit, the same names are kept in every run.
    pub(crate) fn merge(&mut self, other: &Self) {
        let mut counts: Vec<_> = other.counts.iter().collect();
        counts.sort_unstable();
        counts.into_iter().for_each(|(name, games)| self.add_games(name, *games));
        self.others += other.others;
    }

    /// Returns names and counts, most frequent first; `(others)` comes last.
    pub(crate) fn sorted(&self) -> CountsByName {
        let mut all: Vec<_> = self.counts.iter().map(|(name, &games)| (name.clone(), games)).collect();
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if self.others > 0 {
            all.push(("(others)".to_owned(), self.others));
        }
        CountsByName(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_the_limits_are_counted_together_in_any_order_of_parts() {
        let counted = |names: &[&str]| {
            let mut counts = NameCounter::default();
            names.iter().for_each(|name| counts.add(name));
            counts
        };
        let long = "x".repeat(NameCounter::MAX_NAME_BYTES + 1);
        let whole = counted(&["a", &long, "b", &long, "a", &long]);
        let whole = whole.sorted();
        let expected = [("a", 2), ("b", 1), ("(others)", 3)];
        assert_eq!(whole.0, expected.map(|(name, games)| (name.to_owned(), games)));
        for cut in 0..=6 {
            let names = ["a", &long, "b", &long, "a", &long];
            let mut parts = counted(&names[..cut]);
            parts.merge(&counted(&names[cut..]));
            assert_eq!(parts.sorted(), whole, "cut after {cut}");
        }
    }
}
