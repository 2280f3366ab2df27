//! Options of the generator.

use std::num::NonZeroUsize;

use clap::ValueEnum;
use pdn::rules::Variant;
use pdn::source::Encoding;
use serde::{Serialize, Serializer};

use crate::random::Share;

/// Options of an archive. The archive is a function of all of them except `threads`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Options {
    /// Size of the archive.
    pub amount: Amount,
    /// The variants, which alternate from event to event. Must not be empty.
    #[serde(serialize_with = "names")]
    pub variants: Vec<Variant>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of worker threads. Does not change the archive.
    #[serde(skip)]
    pub threads: NonZeroUsize,
    /// Share of games with text comments, move strengths and NAGs.
    pub comments: Share,
    /// Share of games with variations.
    pub variations: Share,
    /// Share of games with clock times.
    pub clocks: Share,
    /// Share of games with a GameType tag.
    pub game_types: Share,
    /// Share of games that begin at another position, with a FEN tag.
    pub setups: Share,
    /// Share of damaged games.
    pub damage: Share,
    /// Style of writing.
    pub dialect: Dialect,
    /// The names of the players; `None` for those that the dialect is for.
    pub names: Option<NameSet>,
}

/// Size of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Amount {
    /// This many games.
    Games(u64),
    /// The smallest number of whole games with at least this many bytes.
    Bytes(u64),
}

/// Style of writing. The command takes its names in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The writing grammar of PDN 3.0, with lines of fewer than 80 characters.
    #[default]
    Clean,
    /// The styles of real programs and people, one per event. Every game is still unambiguous.
    Mixed,
    /// Programs of the 1990s: CRLF, `1.05-10`, `X` for captures, a line for each pair of plies, Ctrl-Z at the end of each event.
    Old,
    /// Squares of one digit filled up with a blank: `1.  8-12`, `28x17x 8`.
    Padded,
    /// Results with a colon: `1:0`, `1/2:1/2`, in some events with blanks around it.
    Colons,
    /// Results that touch the first tag of the next game: `1-1[Event "..."]`, in some events with blanks inside.
    Glued,
    /// Remarks in parentheses instead of braces.
    Prose,
    /// Dates with the day first: `03-04-1987`.
    Dates,
    /// Games in JSON, an object on each line: as strings, as objects with keys for the tags, and as lidraughts exports them.
    Json,
    /// Games in pages of HTML: in `pre`, `textarea`, `code` and scripts.
    Html,
    /// Games in posts of a forum, between marks such as `[pdn]`.
    Forum,
    /// Books of problems and annotated games: replies in brackets, footnote letters, paragraphs of prose, headings, results in words.
    Books,
    /// Columns of newspapers: pairs of moves between semicolons or commas, numbers such as `1)`, headings, written dates.
    Newspaper,
    /// What people know from chess: `1-0`, `1... 19-23` after each comment, `+` and `#` behind moves, `[%clk]`, ECO tags.
    #[serde(rename = "chess-habits")]
    ChessHabits,
    /// Text in Windows-1252.
    Latin1,
    /// Text in CP437 (DOS).
    Cp437,
    /// Text in CP850 (DOS).
    Cp850,
    /// Text in Windows-1257 (Baltic).
    Baltic,
    /// Text in Mac Roman.
    Mac,
    /// Text in ISO 8859-2 (Central European), with such names.
    Latin2,
    /// Text in Windows-1250 (Central European), with such names.
    Cp1250,
    /// Text in CP852 (DOS, Central European), with such names.
    Cp852,
    /// Text in Windows-1251 (Cyrillic), with such names.
    Cp1251,
    /// Text in KOI8-R (Cyrillic), with such names.
    Koi8r,
    /// Text in CP866 (DOS, Cyrillic), with such names.
    Cp866,
}

/// The names of the players. The command takes the names of the sets in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum NameSet {
    /// Names of many lands, in Latin letters.
    #[default]
    World,
    /// Names of Poland, Bohemia, Slovakia and Hungary.
    Central,
    /// Russian names in Cyrillic letters.
    Cyrillic,
}

impl Dialect {
    /// Returns the encoding of the text; `None` for UTF-8.
    pub(crate) fn encoding(self) -> Option<Encoding> {
        let label = match self {
            Self::Latin1 => "windows-1252",
            Self::Cp437 => "cp437",
            Self::Cp850 => "cp850",
            Self::Baltic => "windows-1257",
            Self::Mac => "macintosh",
            Self::Latin2 => "iso-8859-2",
            Self::Cp1250 => "windows-1250",
            Self::Cp852 => "cp852",
            Self::Cp1251 => "windows-1251",
            Self::Koi8r => "koi8-r",
            Self::Cp866 => "cp866",
            _ => return None,
        };
        label.parse().ok()
    }

    /// Returns the names that its encoding is for.
    pub fn names(self) -> NameSet {
        match self {
            Self::Latin2 | Self::Cp1250 | Self::Cp852 => NameSet::Central,
            Self::Cp1251 | Self::Koi8r | Self::Cp866 => NameSet::Cyrillic,
            _ => NameSet::World,
        }
    }

    /// Returns a text as the dialect can write it: letters that its encoding lacks lose their accents, and other characters
    /// that it lacks become question marks.
    ///
    /// ```
    /// use pdn_gen::Dialect;
    ///
    /// assert_eq!(Dialect::Cp437.writable("Müller, Jānis"), "Müller, Janis");
    /// assert_eq!(Dialect::Clean.writable("Jānis"), "Jānis");
    /// ```
    pub fn writable(self, text: &str) -> String {
        /// Letters of the players' names, each with the letter that takes its place.
        const PLAIN: [(&str, char); 8] = [
            ("āãá", 'a'),
            ("éëè", 'e'),
            ("īı", 'i'),
            ("ņ", 'n'),
            ("öó", 'o'),
            ("šş", 's'),
            ("üúū", 'u'),
            ("ž", 'z'),
        ];
        let Some(encoding) = self.encoding() else { return text.to_owned() };
        let writable = |c: char| {
            if encoding.encode(c.encode_utf8(&mut [0; 4])).is_some() {
                return c;
            }
            let lower = c.to_lowercase().next().unwrap_or(c);
            let plain = PLAIN.iter().find(|(accented, _)| accented.contains(lower)).map(|(_, plain)| *plain);
            match plain {
                Some(plain) if lower != c => plain.to_ascii_uppercase(),
                Some(plain) => plain,
                None => '?',
            }
        };
        text.chars().map(writable).collect()
    }
}

impl Options {
    /// Creates options for clean PDN: a GameType tag in every game, another start position in one game of a hundred; no
    /// comments, variations, clock times or damage; seed 1, one thread.
    pub fn new(amount: Amount, variants: &[Variant]) -> Self {
        Self {
            amount,
            variants: variants.to_vec(),
            seed: 1,
            threads: NonZeroUsize::MIN,
            comments: Share::NONE,
            variations: Share::NONE,
            clocks: Share::NONE,
            game_types: Share::ALL,
            setups: Share::percent(1),
            damage: Share::NONE,
            dialect: Dialect::Clean,
            names: None,
        }
    }

    /// Returns the names of the players.
    pub(crate) fn name_set(&self) -> NameSet {
        self.names.unwrap_or(self.dialect.names())
    }
}

fn names<S: Serializer>(variants: &[Variant], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(variants.iter().map(|variant| variant.name()))
}
