//! Remembers what tag names mean, so that each is recognised once per file and not once per game.

use crate::parse::recognise_tag;
use crate::value::TagName;

/// A cache of tag names that the standard does not know in this spelling, and of the tags that they mean.
// Twin: `recognise_tag`; test: `cached_tag_names_are_recognised_again`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagNameCache {
    names: Vec<(Box<[u8]>, Option<TagName>)>,
}

impl TagNameCache {
    /// Maximum number of cached names; a file has a handful.
    const MAX_NAMES: usize = 64;
    /// Maximum length of a cached name in bytes.
    const MAX_NAME_BYTES: usize = 64;

    /// Returns the tag that a name means, as [`recognise_tag`] does.
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<TagName> {
        if let Some(tag) = TagName::exact(name) {
            return Some(tag);
        }
        if let Some((_, tag)) = self.names.iter().find(|(known, _)| **known == *name) {
            return *tag;
        }
        self.add(name)
    }

    #[cold]
    fn add(&mut self, name: &[u8]) -> Option<TagName> {
        let tag = recognise_tag(name).map(|found| found.tag);
        if self.names.len() < Self::MAX_NAMES && name.len() <= Self::MAX_NAME_BYTES {
            self.names.push((name.into(), tag));
        }
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tag_names_are_recognised_again() {
        let mut cache = TagNameCache::default();
        let standard = TagName::ALL.iter().map(|tag| tag.name().to_owned());
        let other = ["fen", "Resultaat", "R&eacute;sultat", "P1", "WhiteUrl", ""].map(str::to_owned);
        let many = (0..2 * TagNameCache::MAX_NAMES).map(|n| format!("Tag{n}"));
        let names: Vec<_> = standard.chain(other).chain(many).chain(["Uitslag".to_owned()]).collect();
        for name in names.iter().chain(&names).map(String::as_bytes) {
            let expected = recognise_tag(name).map(|found| found.tag);
            assert_eq!(cache.find(name), expected, "{}", name.escape_ascii());
        }
        assert_eq!(cache.names.len(), TagNameCache::MAX_NAMES);
    }
}
