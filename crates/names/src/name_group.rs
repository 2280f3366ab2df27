//! Spellings that probably mean one person, event or site, with the evidence.

use std::fmt;

use super::name_use::{NameKind, NameUse, shared};

/// What the names of an archive were found to mean.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NameGrouping {
    /// The groups: those that are certain, then those that are in doubt, each in alphabetical order.
    pub groups: Vec<NameGroup>,
    /// How many pairs of names were not compared at most, because too many names resemble each other.
    pub uncompared: u64,
}

/// Spellings that mean one person, event or site.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NameGroup {
    /// What the names name.
    pub kind: NameKind,
    /// The spelling that all others become: one of the archive, the fullest and commonest.
    pub canonical: String,
    /// The spellings, the canonical one first, then by their number of games. A group in doubt has two: the canonical names of
    /// the groups that may be one; with [`SeveralPersons`](NameDoubt::SeveralPersons), the spelling that fits several.
    pub spellings: Vec<GroupSpelling>,
    /// Why the spellings may mean different persons, events or sites; `None` if nothing speaks for that.
    pub doubt: Option<NameDoubt>,
    /// With [`SeveralPersons`](NameDoubt::SeveralPersons), the canonical names of these persons, by their number of games;
    /// otherwise empty.
    pub candidates: Vec<String>,
}

/// A spelling of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GroupSpelling {
    /// The spelling.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The first and the last year; `None` if no game has a year.
    pub years: Option<(i16, i16)>,
    /// Why it belongs to the group; empty for the canonical spelling.
    pub evidence: NameEvidence,
}

impl NameGroup {
    /// Returns the number of games of all spellings.
    pub fn games(&self) -> u64 {
        self.spellings.iter().map(|spelling| spelling.games).sum()
    }

    /// Returns the keys of the evidence of all spellings, each once; see [`NameEvidence::keys`].
    pub fn evidence(&self) -> Vec<&'static str> {
        let of_all: Vec<_> = self.spellings.iter().flat_map(|spelling| spelling.evidence.keys()).collect();
        NameEvidence::KEYS.into_iter().filter(|key| of_all.contains(key)).collect()
    }
}

/// Why spellings may mean different persons, events or sites.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum NameDoubt {
    /// The spelling fits several persons, such as `Jansen` or `Jansen, J.` where there are Jan and Johan Jansen.
    SeveralPersons,
    /// One spelling is a surname alone, and no game or event connects the two.
    SurnameOnly,
    /// Many persons have this surname, and no game or event connects an initial with a given name.
    CommonSurname,
    /// A word differs in a letter, which may also make it another name.
    OneLetter,
    /// The games of the spellings lie so many years apart that they may be those of father and son.
    YearsApart,
    /// Both spellings occur in one round against different opponents, or play each other.
    SameRound,
    /// One spelling says `jr.` or `sr.`, the other does not.
    Generation,
    /// Words were added, left out or abbreviated.
    OtherWords,
}

impl NameDoubt {
    /// Every doubt.
    pub const ALL: [Self; 8] = [
        Self::SeveralPersons,
        Self::SurnameOnly,
        Self::CommonSurname,
        Self::OneLetter,
        Self::YearsApart,
        Self::SameRound,
        Self::Generation,
        Self::OtherWords,
    ];

    /// Returns the key in lower case, such as `several-persons`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeveralPersons => "several-persons",
            Self::SurnameOnly => "surname-only",
            Self::CommonSurname => "common-surname",
            Self::OneLetter => "one-letter",
            Self::YearsApart => "years-apart",
            Self::SameRound => "same-round",
            Self::Generation => "generation",
            Self::OtherWords => "other-words",
        }
    }
}

/// Writes a clause for people, without a full stop.
impl fmt::Display for NameDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SeveralPersons => "the name fits several persons",
            Self::SurnameOnly => "one is a surname alone, and no event connects the two",
            Self::CommonSurname => "many persons have this surname, and no event connects the two",
            Self::OneLetter => "a letter differs, which may make it another name",
            Self::YearsApart => "the games lie many years apart",
            Self::SameRound => "both play in one round, or against each other",
            Self::Generation => "only one of them says which generation is meant",
            Self::OtherWords => "words are added, left out or abbreviated",
        })
    }
}

/// What connects a spelling with its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub struct NameEvidence {
    /// Whether the letters are the same, apart from case, accents and punctuation.
    pub letters: bool,
    /// Whether one spelling also contains a title, a rating, a club or a round.
    pub remarks: bool,
    /// Whether the words stand in another order.
    pub reordered: bool,
    /// The number of words that agree with an initial.
    pub initials: u32,
    /// The number of words that agree by the rules of romanisations.
    pub romanised: u32,
    /// Whether the particles differ, such as `van der`.
    pub particles_differ: bool,
    /// The number of words that occur in one name only.
    pub missing: u32,
    /// The number of wrong, missing, additional or swapped letters.
    pub errors: u32,
    /// Whether one name is an abbreviation of the other.
    pub abbreviated: bool,
    /// The number of games that occur under both spellings.
    pub same_games: u32,
    /// The number of events, or of sites of an event, in common.
    pub same_events: u32,
    /// The number of opponents, or of players of an event, in common.
    pub same_companions: u32,
}

impl NameEvidence {
    /// Every key, in the order of [`keys`](Self::keys).
    pub const KEYS: [&'static str; 12] = [
        "letters",
        "remarks",
        "order",
        "initials",
        "romanisation",
        "particles",
        "missing-words",
        "one-letter",
        "abbreviation",
        "same-games",
        "same-events",
        "same-companions",
    ];

    /// Returns the keys of what was found, such as `initials` or `same-events`.
    pub fn keys(&self) -> Vec<&'static str> {
        let found = [
            self.letters,
            self.remarks,
            self.reordered,
            self.initials > 0,
            self.romanised > 0,
            self.particles_differ,
            self.missing > 0,
            self.errors > 0,
            self.abbreviated,
            self.same_games > 0,
            self.same_events > 0,
            self.same_companions > 0,
        ];
        Self::KEYS.into_iter().zip(found).filter(|(_, found)| *found).map(|(key, _)| key).collect()
    }

    /// Returns the evidence in words, separated by commas.
    pub fn text(&self, kind: NameKind) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut add = |found: bool, text: &str| {
            if found {
                parts.push(text.to_owned());
            }
        };
        add(self.letters, "same letters");
        add(self.remarks, "title or remark added");
        add(self.reordered, "other order");
        add(self.initials > 0, "initials");
        add(self.romanised > 0, "romanisation");
        add(self.particles_differ, "other particles");
        add(self.missing > 0, "words missing");
        add(self.errors > 0, "one letter apart");
        add(self.abbreviated, "abbreviation");
        let (events, companions) = match kind {
            NameKind::Event => ("site", "player"),
            NameKind::Player | NameKind::Site => ("event", "opponent"),
        };
        let counts =
            [(self.same_games, "game"), (self.same_events, events), (self.same_companions, companions)];
        for (count, noun) in counts {
            let plural = if count == 1 { "" } else { "s" };
            add(count > 0, &format!("{count} {noun}{plural} in common"));
        }
        parts.join(", ")
    }

    /// Adds what two uses have in common, apart from games.
    pub(super) fn with_shared(mut self, a: &NameUse, b: &NameUse) -> Self {
        self.same_events = shared(&a.events, &b.events);
        self.same_companions = shared(&a.companions, &b.companions);
        self
    }

    /// Returns `true` if a game, an event or several companions connect the spellings.
    pub(super) fn is_corroborated(&self) -> bool {
        self.same_games > 0 || self.same_events > 0 || self.same_companions > 1
    }
}
