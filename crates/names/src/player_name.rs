//! A player's name without what archives add to it: titles, ratings, clubs, rounds.

use super::fold;
use super::person::{MAX_PARTS, PersonName, Role, without_remarks};
use super::romanisation::Script;
use super::word::WordCache;

/// Titles that are written before or after names, folded.
const TITLES: [&str; 17] = [
    "dr",
    "drs",
    "prof",
    "ir",
    "ing",
    "mr",
    "mrs",
    "гр",
    "мг",
    "мгр",
    "мс",
    "мсмк",
    "змс",
    "кмс",
    "мастер",
    "гроссмейстер",
    "maitre",
];
/// Titles that are written in capitals, folded. In small letters they are names, such as Wim.
const CAPITAL_TITLES: [&str; 17] = [
    "gmi", "gm", "gmn", "gmif", "wgm", "mi", "im", "mif", "wim", "mf", "fm", "mff", "wfm", "cmf", "cm", "nm",
    "mn",
];
/// Words that mark the elder or the younger of two persons of one name, folded, with the same number for the same meaning.
const GENERATIONS: [(&str, u8); 14] = [
    ("sr", 1),
    ("senior", 1),
    ("snr", 1),
    ("sen", 1),
    ("ст", 1),
    ("pere", 1),
    ("jr", 2),
    ("junior", 2),
    ("jnr", 2),
    ("jun", 2),
    ("мл", 2),
    ("fils", 2),
    ("ii", 2),
    ("iii", 3),
];
/// Spellings of one given name in several languages, folded, which no romanisation unites. The last one is compared.
const ALEXANDER: [&str; 5] = ["alexander", "aleksander", "alexandre", "alexandr", "aleksandr"];
/// Names that stand for no known person, folded.
const PLACEHOLDERS: [&str; 20] = [
    "",
    "n n",
    "nn",
    "x",
    "unknown",
    "anonymous",
    "anonym",
    "anonyme",
    "anoniem",
    "white",
    "black",
    "wit",
    "zwart",
    "player",
    "speler",
    "bye",
    "name",
    "белые",
    "черные",
    "неизвестен",
];
/// Words of names that are no persons, folded: such names are equal only as a whole.
const NO_PERSONS: [&str; 16] = [
    "team",
    "club",
    "ploeg",
    "equipe",
    "selection",
    "selectie",
    "damclub",
    "dc",
    "dv",
    "сборная",
    "команда",
    "engine",
    "computer",
    "program",
    "bot",
    "stockfish",
];

/// A name of a player in parts.
#[derive(Clone, Debug)]
pub(super) struct PlayerName {
    /// The words without titles, ratings, remarks and marks of a generation, folded, in order.
    pub(super) folded: String,
    pub(super) readings: Vec<PersonName>,
    /// How much the spelling says that others with the same folded words may not: the numbers of readings and of accents.
    pub(super) detail: (usize, usize),
    /// 1 for the elder and 2 for the younger of two persons of one name; 0 if nothing is said.
    pub(super) generation: u8,
    /// A club, country or place in brackets, folded.
    pub(super) remark: String,
    /// The digits of the name: those of a program's version or of a user name.
    pub(super) digits: String,
    /// Whether the name may be that of a team or program, so that only equal words make it the same.
    pub(super) is_whole: bool,
    /// Whether something was left out of `folded`.
    pub(super) has_extras: bool,
    /// The script of most letters.
    pub(super) script: Script,
    /// The numbers of words that are written in full and of all words; [`MAX_PARTS`] for a name that is compared as a whole.
    pub(super) fullness: (usize, usize),
}

/// Returns `true` if a name stands for no known person: `?`, `N.N.`, `White`, `Player 1`.
pub fn is_placeholder(name: &str) -> bool {
    stands_for_nobody(&fold(without_remarks(name)))
}

fn stands_for_nobody(folded: &str) -> bool {
    let without_number = folded.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    PLACEHOLDERS.contains(&without_number) || !folded.contains(char::is_alphabetic)
}

impl PlayerName {
    /// Reads a name; `None` if it stands for no known person.
    pub(super) fn read(name: &str, known: &mut WordCache) -> Option<Self> {
        let person = without_remarks(name).trim();
        let (mut words, has_comma) = words_of(person);
        let total = words.len();
        // Where all words are in capitals, capitals mark no title.
        let has_small = person.contains(char::is_lowercase);
        let is_title = |text: &str, folded: &str| {
            let in_capitals = has_small && !text.contains(char::is_lowercase);
            TITLES.contains(&folded) || in_capitals && CAPITAL_TITLES.contains(&folded)
        };
        let mut generation = 0;
        // A text of more words is no name, and removing words from it would take long.
        let mut at = if total > MAX_PARTS { total } else { 0 };
        while at < words.len() {
            let folded = fold(words[at].text);
            let is_rating = is_number(&folded, 1000..=2999) && at + 1 == words.len();
            let known = GENERATIONS.iter().find(|(word, _)| *word == folded);
            // What remains has a surname and a given name or initial: `MF Tinsley` is M. F., `MF Tinsley, M.` is a master.
            if words.len() > 2 && (known.is_some() || is_rating || is_title(words[at].text, &folded)) {
                generation = known.map_or(generation, |known| known.1);
                words.remove(at);
            } else {
                at += 1;
            }
        }
        let (mut core, mut compared) = (String::new(), String::new());
        for word in &words {
            let separator = if word.after_comma && has_comma && !core.is_empty() { ", " } else { " " };
            let is_alexander = ALEXANDER.contains(&fold(word.text).as_str());
            core.extend([separator, word.text]);
            compared.extend([separator, if is_alexander { "Aleksandr" } else { word.text }]);
        }
        let folded = fold(&core);
        let digits: String = folded
            .split(|c: char| !c.is_ascii_digit())
            .filter(|run| !run.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        if stands_for_nobody(&folded) {
            return None;
        }
        let remark = remark_of(name);
        let is_whole = !digits.is_empty() || folded.split(' ').any(|word| NO_PERSONS.contains(&word));
        let has_extras = words.len() < total || person.len() < name.trim().len();
        let readings = PersonName::readings_of(&compared, known);
        let script = script_of(&folded);
        let fullness = readings.last().map_or((0, 0), |reading| {
            let full = reading.words.iter().filter(|word| !word.word.is_initial()).count();
            reading.whole().map_or((full, reading.words.len()), |_| (MAX_PARTS, MAX_PARTS))
        });
        let detail = (readings.len(), person.chars().filter(|c| !c.is_ascii()).count());
        Some(Self {
            folded,
            readings,
            detail,
            generation,
            remark,
            digits,
            is_whole,
            has_extras,
            script,
            fullness,
        })
    }

    /// Returns the letters in their order: equal for names that differ only in apostrophes and spaces.
    pub(super) fn letters(&self) -> impl Iterator<Item = u8> {
        self.folded.bytes().filter(|&byte| byte != b' ')
    }

    /// Returns the reading in which joined initials are a word each.
    pub(super) fn reading(&self) -> Option<&PersonName> {
        self.readings.last()
    }

    /// Returns `true` for a surname alone, or another single word.
    pub(super) fn is_bare(&self) -> bool {
        self.fullness.1 <= 1
    }

    /// Returns the words that may be the surname, in all readings but those that are compared as a whole.
    pub(super) fn surnames(&self) -> impl Iterator<Item = &super::word::NameWord> {
        let words = self.readings.iter().flat_map(|reading| &reading.words);
        words.filter(|word| word.role != Role::Given && !word.word.is_initial()).map(|word| &*word.word)
    }

    /// Returns the words in alphabetical order: equal for names that differ only in order.
    pub(super) fn sorted_words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.folded.split(' ').collect();
        words.sort_unstable();
        words
    }
}

/// Returns the script of a text that is not the name of a player.
pub(super) fn script_of(text: &str) -> Script {
    let cyrillic = text.chars().filter(|&c| matches!(c, 'Ѐ'..='ӿ')).count();
    let latin = text.chars().filter(|&c| c.is_alphabetic() && c < 'ʰ').count();
    let all = text.chars().filter(|&c| c.is_alphabetic()).count();
    match () {
        () if latin * 2 >= all && latin >= cyrillic => Script::Latin,
        () if cyrillic * 2 >= all => Script::Cyrillic,
        () => Script::Other,
    }
}

/// A word of a name as written, with its dots and apostrophes.
struct WrittenWord<'a> {
    text: &'a str,
    after_comma: bool,
}

/// Returns the words between spaces and commas, and whether there is a comma.
fn words_of(name: &str) -> (Vec<WrittenWord<'_>>, bool) {
    let mut words = Vec::new();
    let mut after_comma = false;
    for (number, part) in name.split(',').enumerate() {
        after_comma |= number > 0;
        for text in part.split_whitespace().filter(|text| text.contains(char::is_alphanumeric)) {
            words.push(WrittenWord { text, after_comma: std::mem::take(&mut after_comma) });
        }
    }
    (words, name.contains(','))
}

fn is_number(text: &str, range: std::ops::RangeInclusive<u32>) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|number| range.contains(&number))
}

/// Returns the text in brackets, folded, unless it is a number, a title or a round.
fn remark_of(name: &str) -> String {
    let Some(start) = name.find(['(', '[']) else { return String::new() };
    let text = name[start + 1..].split([')', ']']).next().unwrap_or_default();
    let folded = fold(text);
    let says_nothing = folded.contains(|c: char| c.is_ascii_digit())
        || folded.split(' ').all(|word| TITLES.contains(&word) || CAPITAL_TITLES.contains(&word))
        || folded.is_empty();
    if says_nothing { String::new() } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_without_titles_ratings_and_remarks() {
        for (name, folded, generation, remark) in [
            ("Sijbrands, Ton", "sijbrands ton", 0, ""),
            ("GMI Sijbrands, T.", "sijbrands t", 0, ""),
            ("Sijbrands, T. (GMI)", "sijbrands t", 0, ""),
            ("Jansen, J. 2245", "jansen j", 0, ""),
            ("Jansen, J. (2245)", "jansen j", 0, ""),
            ("Jansen, J. (Utrecht)", "jansen j", 0, "utrecht"),
            ("Jansen, J. jr.", "jansen j", 2, ""),
            ("J. Jansen sr", "jansen j", 1, ""),
            ("Duval, Daniel - ronde 3", "duval daniel", 0, ""),
            // Initials, not a title.
            ("MF Tinsley", "mf tinsley", 0, ""),
            ("Wim van der Kooij", "wim van der kooij", 0, ""),
            ("WIM VAN DER KOOIJ", "wim van der kooij", 0, ""),
            ("Borges Junior", "borges junior", 0, ""),
            ("Truus 2000", "truus 2000", 0, ""),
        ] {
            let read = PlayerName::read(name, &mut WordCache::default()).expect(name);
            let expected = if name.starts_with("J. J") { "j jansen" } else { folded };
            assert_eq!(
                (read.folded.as_str(), read.generation, read.remark.as_str()),
                (expected, generation, remark),
                "{name}"
            );
        }
        for name in ["?", "", "N.N.", "NN", "Player 1", "white", "***", "12"] {
            assert!(is_placeholder(name), "{name}");
            assert!(PlayerName::read(name, &mut WordCache::default()).is_none(), "{name}");
        }
    }
}
