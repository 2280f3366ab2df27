//! What the program that publishes an index and the WebAssembly module that answers from it have to agree on.

use std::collections::BTreeMap;

use pdn_index::internal::{FORMAT_DIGEST, digest_with_text};
use pdn_names::{MappedNames, NameKind, NameMap};

use crate::route_table::{API_VERSION, ROUTES};

/// What a module begins its [mark](MODULE_MARK) with, whatever its version.
#[cfg(feature = "server")]
pub(crate) const MARK_BEGIN: &str = "pdn-explorer-module ";
const BEGIN: &str = concat!("pdn-explorer-module ", env!("CARGO_PKG_VERSION"), " ");
const DIGITS: usize = 16;

/// The text that a module contains, and that the program looks for in it: the version, and a number that changes with the format of an
/// index and with the interface, its version, routes and parameters. Two builds of one version may differ in these.
pub const MODULE_MARK: [u8; BEGIN.len() + DIGITS] = {
    let (mut digest, mut at) = (digest_with_text(FORMAT_DIGEST, API_VERSION), 0);
    while at < ROUTES.len() {
        digest = digest_with_text(digest, ROUTES[at].path);
        let mut parameter = 0;
        while parameter < ROUTES[at].parameters.len() {
            digest = digest_with_text(digest, ROUTES[at].parameters[parameter]);
            parameter += 1;
        }
        let (mut group, mut option) = (0, 0);
        while group < ROUTES[at].options.len() {
            if option == ROUTES[at].options[group].len() {
                (group, option) = (group + 1, 0);
                continue;
            }
            digest = digest_with_text(digest, ROUTES[at].options[group][option].name);
            option += 1;
        }
        at += 1;
    }
    let (mut mark, mut at) = ([0; BEGIN.len() + DIGITS], 0);
    while at < BEGIN.len() {
        mark[at] = BEGIN.as_bytes()[at];
        at += 1;
    }
    while at < mark.len() {
        mark[at] = b"0123456789abcdef"[(digest >> 60) as usize];
        digest <<= 4;
        at += 1;
    }
    mark
};

/// The file next to a published index that has its names, if it was published with some.
pub const NAMES_FILE: &str = "names";

/// The folder next to a published index that has its tables of endings, if it was published with some.
pub const ENDINGS_FOLDER: &str = "endings";

/// Returns the contents of the file of names: for each kind, the name that each spelling becomes.
#[cfg(feature = "server")]
pub(crate) fn names_file(names: &NameMap) -> Vec<u8> {
    let of_kind = |kind| (kind, names.pairs(kind).collect::<BTreeMap<_, _>>());
    let names: BTreeMap<_, _> =
        NameKind::ALL.into_iter().map(of_kind).map(|(kind, pairs)| (kind.name(), pairs)).collect();
    serde_json::json!(names).to_string().into_bytes()
}

/// Reads the file of names of a published index; `None` if it is damaged.
pub fn read_names(file: &[u8]) -> Option<NameMap> {
    let names: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_slice(file).ok()?;
    let mut groups = Vec::new();
    for (kind, pairs) in names {
        let kind = NameKind::parse(&kind)?;
        groups.extend(pairs.into_iter().map(|(spelling, name)| MappedNames::new(kind, name, [spelling])));
    }
    NameMap::new(&groups).ok()
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_were_written() {
        let groups = [
            MappedNames::new(NameKind::Player, "Ames, B.", ["B. Ames", "Ames \"B\""]),
            MappedNames::new(NameKind::Player, "B. Ames", ["Amés"]),
            MappedNames::new(NameKind::Event, "Open", ["OPEN"]),
        ];
        let names = NameMap::new(&groups).unwrap();
        let file = names_file(&names);
        let read = read_names(&file).unwrap();
        assert_eq!((read.len(), read.canonical(NameKind::Player, "Amés")), (names.len(), Some("Ames, B.")));
        assert_eq!(read.canonical(NameKind::Event, "OPEN"), Some("Open"));
        assert_eq!(read_names(&names_file(&NameMap::default())).unwrap().len(), 0);
        for cut in 0..file.len() {
            assert!(read_names(&file[..cut]).is_none(), "cut to {cut}");
        }
        assert!(read_names(br#"{"person":{"a":"b"}}"#).is_none());
    }

    #[test]
    fn mark_has_the_version_and_a_number() {
        let mark = String::from_utf8(MODULE_MARK.to_vec()).unwrap();
        let (begin, digest) = mark.split_at(mark.len() - DIGITS);
        assert_eq!(begin, format!("{MARK_BEGIN}{} ", env!("CARGO_PKG_VERSION")));
        assert!(u64::from_str_radix(digest, 16).is_ok_and(|digest| digest != FORMAT_DIGEST));
    }
}
