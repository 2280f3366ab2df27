//! Tag names: those of the standard, and their aliases in other languages and programs.
//!
//! An exact name of the standard is recognised by one `match`; only other names are compared with the table of
//! aliases. The [kind](TagName::kind) of a tag determines which type parses its value.

use std::fmt;
use std::str::FromStr;

use TagKind as K;

use crate::error::UnknownName;
use crate::steps;

macro_rules! tags {
    ($($(#[$doc:meta])* $variant:ident $kind:ident;)*) => {
        /// A tag that PDN 3.0 defines, or that is in general use.
        ///
        /// ```
        /// use pdn::value::TagName;
        ///
        /// assert_eq!(TagName::exact(b"White"), Some(TagName::White));
        /// assert_eq!(TagName::exact(b"white"), None);
        /// assert_eq!("white".parse(), Ok(TagName::White));
        /// assert_eq!(TagName::Date.name(), "Date");
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum TagName { $($(#[$doc])* $variant,)* }

        impl TagName {
            /// Every tag, in the order of the standard.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the tag with exactly this name, case included; `None` for other names.
            #[expect(non_upper_case_globals, reason = "patterns of a match need constants; these are named after their tags")]
            pub fn exact(name: &[u8]) -> Option<Self> {
                $(const $variant: &[u8] = stringify!($variant).as_bytes();)*
                match name {
                    $($variant => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns the name as the standard writes it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }

            /// Returns the kind of its value.
            #[doc(hidden)]
            pub const fn kind(self) -> TagKind {
                match self { $(Self::$variant => K::$kind,)* }
            }
        }
    };
}

tags! {
    /// Name of the tournament or match.
    Event Text;
    /// Place of the event.
    Site Text;
    /// First day of the game.
    Date Date;
    /// Round, and number of the game in the round.
    Round Round;
    /// Player of the white pieces.
    White Text;
    /// Player of the black pieces.
    Black Text;
    /// Result of the game.
    Result Result;
    /// Format of the result.
    ResultFormat ResultFormat;
    /// FMJD title of White.
    WhiteTitle Text;
    /// FMJD title of Black.
    BlackTitle Text;
    /// FMJD rating of White.
    WhiteRating Rating;
    /// FMJD rating of Black.
    BlackRating Rating;
    /// FMJD number of White.
    WhiteFmjdId Text;
    /// FMJD number of Black.
    BlackFmjdId Text;
    /// E-mail or network address of White.
    WhiteNA Text;
    /// E-mail or network address of Black.
    BlackNA Text;
    /// `human` or `program`.
    WhiteType Text;
    /// `human` or `program`.
    BlackType Text;
    /// First day of the event.
    EventDate Date;
    /// Sponsor of the event.
    EventSponsor Text;
    /// Section of the tournament, such as `Open`.
    Section Text;
    /// Stage of the tournament, such as `Semifinal`.
    Stage Text;
    /// Board of a team match or a simultaneous display.
    Board Text;
    /// Game type: rules, board and notation.
    GameType GameType;
    /// Name of the game type, such as `Russian`; servers write it in place of GameType. Not part of PDN 3.0.
    Variant Text;
    /// Start position.
    FEN Fen;
    /// Number of plies of the game.
    PlyCount Number;
    /// Reason for the end of the game.
    Termination Text;
    /// Time control of both players.
    TimeControl TimeControl;
    /// Time control of White.
    TimeControlWhite TimeControl;
    /// Time control of Black.
    TimeControlBlack TimeControl;
    /// Time used by White.
    WhiteTime Clock;
    /// Time used by Black.
    BlackTime Clock;
    /// Time of day at which the game began.
    Time TimeOfDay;
    /// Time of day at which the game began, in UTC.
    UTCTime TimeOfDay;
    /// Day on which the game began, in UTC.
    UTCDate Date;
    /// Author of the annotations.
    Annotator Text;
    /// Composer or analyst of the game or problem.
    Author Text;
    /// First publication.
    Publication Text;
    /// Date of the first publication.
    PublicationDate Date;
    /// `1` if a FEN tag follows; part of PDN 1.0 and PGN, not of PDN 3.0.
    SetUp SetUp;
    /// Name of the opening; in general use, but not part of PDN 3.0.
    Opening Text;
}

impl TagName {
    /// The seven tags that the standard recommends for tournament games (the seven tag roster).
    pub const SEVEN: [Self; 7] =
        [Self::Event, Self::Site, Self::Date, Self::Round, Self::White, Self::Black, Self::Result];

    /// Returns the tag that a name denotes, and how the name is spelt. Returns `None` for an unknown name.
    ///
    /// Exact names take precedence over names in the wrong case, and those over aliases. Names are compared in UTF-8:
    /// a name in another encoding must be decoded first, and so must [HTML entities](super::decode_entities). At
    /// worst two tables of about 40 names and 65 aliases are searched.
    #[doc(hidden)]
    pub fn find(name: &[u8]) -> Option<RecognisedTag> {
        let recognised = |tag, spelling| Some(RecognisedTag { tag, spelling });
        steps::add(1);
        if let Some(tag) = Self::exact(name) {
            return recognised(tag, TagSpelling::Exact);
        }
        let cased = Self::ALL.iter().find(|tag| tag.name().as_bytes().eq_ignore_ascii_case(name));
        if let Some(&tag) = cased {
            return recognised(tag, TagSpelling::Case);
        }
        let name = std::str::from_utf8(name).ok()?;
        // No alias is longer than 22 bytes, so longer names need not be lowercased.
        if name.len() > 32 {
            return None;
        }
        // An ASCII name is compared by its length first. Aliases are in lower case.
        let is_ascii = name.is_ascii();
        let matches = |alias: &str| {
            if is_ascii {
                alias.eq_ignore_ascii_case(name)
            } else {
                alias.chars().eq(name.chars().flat_map(char::to_lowercase))
            }
        };
        ALIASES
            .iter()
            .find(|(alias, ..)| matches(alias))
            .and_then(|&(_, tag, spelling)| recognised(tag, spelling))
    }
}

impl fmt::Display for TagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the name as the standard writes it, in either case. Aliases such as `Wit` are not read.
impl FromStr for TagName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::ALL.iter().find(|tag| tag.name().eq_ignore_ascii_case(text));
        named.copied().ok_or(UnknownName { expected: "a tag name of PDN 3.0" })
    }
}

/// How a tag is found; see [`GameRef::text`](crate::archive::GameRef::text) and [`RecordEditor::set_tag`](crate::edit::RecordEditor::set_tag).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKey<'t> {
    /// In any spelling that is recognised as this tag.
    Recognised(TagName),
    /// By its name as written.
    Exact(&'t str),
}

impl From<TagName> for TagKey<'_> {
    fn from(name: TagName) -> Self {
        Self::Recognised(name)
    }
}

impl<'t> From<&'t str> for TagKey<'t> {
    fn from(name: &'t str) -> Self {
        Self::Exact(name)
    }
}

/// The kind of a tag's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TagKind {
    /// Any text.
    Text,
    /// A [`Date`](super::Date).
    Date,
    /// A [`Round`](super::Round).
    Round,
    /// A [`GameResult`](super::GameResult).
    Result,
    /// A [`ResultFormat`](super::ResultFormat).
    ResultFormat,
    /// A [`Rating`](super::Rating).
    Rating,
    /// A [`GameType`](super::GameType).
    GameType,
    /// A [`Fen`](super::Fen).
    Fen,
    /// `0` or `1`.
    SetUp,
    /// A number of plies.
    Number,
    /// A [`TimeControl`](super::TimeControl).
    TimeControl,
    /// A [`ClockTime`](super::ClockTime).
    Clock,
    /// A [`TimeOfDay`](super::TimeOfDay).
    TimeOfDay,
}

/// A tag recognised by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct RecognisedTag {
    /// The tag.
    pub tag: TagName,
    /// The spelling of its name.
    pub spelling: TagSpelling,
}

/// How a tag name is spelt, the most reliable spelling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum TagSpelling {
    /// The spelling of the standard.
    Exact,
    /// The spelling of the standard in another case, such as `event` or `Setup`.
    Case,
    /// A name used by another program or for another game, such as `P1` or `WhiteElo`.
    Program,
    /// A name in another language, such as `Bianco`.
    Language,
}

/// Aliases of tag names, in lower case.
const ALIASES: &[(&str, TagName, TagSpelling)] = &{
    use TagSpelling::{Language as L, Program as P};
    [
        // The player who starts and the other one. Where Black starts, an index exchanges them.
        ("p1", TagName::White, P),
        ("p2", TagName::Black, P),
        ("p1elo", TagName::WhiteRating, P),
        ("p2elo", TagName::BlackRating, P),
        ("p1rating", TagName::WhiteRating, P),
        ("p2rating", TagName::BlackRating, P),
        ("p1title", TagName::WhiteTitle, P),
        ("p2title", TagName::BlackTitle, P),
        ("whiteelo", TagName::WhiteRating, P),
        ("blackelo", TagName::BlackRating, P),
        ("startdate", TagName::EventDate, P),
        ("pubicationdate", TagName::PublicationDate, P),
        // The side that starts on 8x8, whose pieces are black elsewhere: in American checkers, in five languages.
        ("red", TagName::Black, L),
        ("rot", TagName::Black, L),
        ("rood", TagName::Black, L),
        ("rouge", TagName::Black, L),
        ("rouges", TagName::Black, L),
        ("rosso", TagName::Black, L),
        ("rossi", TagName::Black, L),
        ("roja", TagName::Black, L),
        ("rojas", TagName::Black, L),
        ("vermelhas", TagName::Black, L),
        ("redrating", TagName::BlackRating, L),
        ("redelo", TagName::BlackRating, L),
        ("redtitle", TagName::BlackTitle, L),
        // Italian
        ("bianco", TagName::White, L),
        ("nero", TagName::Black, L),
        ("risultato", TagName::Result, L),
        ("evento", TagName::Event, L),
        ("luogo", TagName::Site, L),
        ("data", TagName::Date, L),
        ("anno", TagName::Date, L),
        ("turno", TagName::Round, L),
        // French
        ("blanc", TagName::White, L),
        ("blancs", TagName::White, L),
        ("noir", TagName::Black, L),
        ("noirs", TagName::Black, L),
        ("r\u{e9}sultat", TagName::Result, L),
        ("resultat", TagName::Result, L),
        ("\u{e9}v\u{e9}nement", TagName::Event, L),
        ("evenement", TagName::Event, L),
        ("tournoi", TagName::Event, L),
        ("type de jeu", TagName::GameType, L),
        ("heure blanche", TagName::WhiteTime, L),
        ("heure noire", TagName::BlackTime, L),
        ("temps blanc", TagName::WhiteTime, L),
        ("temps noir", TagName::BlackTime, L),
        ("elo blanc", TagName::WhiteRating, L),
        ("elo noir", TagName::BlackRating, L),
        ("tour", TagName::Round, L),
        ("lieu", TagName::Site, L),
        // Dutch
        ("wit", TagName::White, L),
        ("zwart", TagName::Black, L),
        ("uitslag", TagName::Result, L),
        ("resultaat", TagName::Result, L),
        ("toernooi", TagName::Event, L),
        ("plaats", TagName::Site, L),
        ("datum", TagName::Date, L),
        ("ronde", TagName::Round, L),
        // German
        ("wei\u{df}", TagName::White, L),
        ("weiss", TagName::White, L),
        ("schwarz", TagName::Black, L),
        ("ergebnis", TagName::Result, L),
        ("ort", TagName::Site, L),
        ("runde", TagName::Round, L),
        // Spanish and Portuguese
        ("blancas", TagName::White, L),
        ("brancas", TagName::White, L),
        ("negras", TagName::Black, L),
        ("pretas", TagName::Black, L),
        ("resultado", TagName::Result, L),
        ("lugar", TagName::Site, L),
        ("local", TagName::Site, L),
        ("fecha", TagName::Date, L),
        ("ronda", TagName::Round, L),
        ("rodada", TagName::Round, L),
        // Polish
        ("bia\u{142}e", TagName::White, L),
        ("czarne", TagName::Black, L),
        ("wynik", TagName::Result, L),
        // Russian, in Cyrillic and Latin letters
        ("белые", TagName::White, L),
        ("чёрные", TagName::Black, L),
        ("черные", TagName::Black, L),
        ("результат", TagName::Result, L),
        ("турнир", TagName::Event, L),
        ("место", TagName::Site, L),
        ("дата", TagName::Date, L),
        ("тур", TagName::Round, L),
        ("belye", TagName::White, L),
        ("chernye", TagName::Black, L),
        ("rezultat", TagName::Result, L),
        ("turnir", TagName::Event, L),
        ("mesto", TagName::Site, L),
    ]
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_tag_name_is_recognised() {
        for &tag in TagName::ALL {
            let name = tag.to_string();
            assert_eq!(TagName::exact(name.as_bytes()), Some(tag));
            assert_eq!(name.parse(), Ok(tag));
            let find = |name: &str| TagName::find(name.as_bytes()).map(|tag| (tag.tag, tag.spelling));
            assert_eq!(find(&name), Some((tag, TagSpelling::Exact)));
            let lower = name.to_lowercase();
            assert_eq!(find(&lower), Some((tag, TagSpelling::Case)));
            assert_eq!(TagName::exact(lower.as_bytes()), None);
        }
    }

    #[test]
    fn aliases_and_other_cases_are_recognised() {
        use TagSpelling::{Case, Language, Program};
        for (name, tag, spelling) in [
            ("event", TagName::Event, Case),
            ("Setup", TagName::SetUp, Case),
            ("Fen", TagName::FEN, Case),
            ("P1", TagName::White, Program),
            ("P2", TagName::Black, Program),
            ("WhiteElo", TagName::WhiteRating, Program),
            ("PubicationDate", TagName::PublicationDate, Program),
            ("Bianco", TagName::White, Language),
            ("NERO", TagName::Black, Language),
            ("Risultato", TagName::Result, Language),
            ("Blanc", TagName::White, Language),
            ("Résultat", TagName::Result, Language),
            ("RÉSULTAT", TagName::Result, Language),
            ("Wit", TagName::White, Language),
            ("Weiß", TagName::White, Language),
            ("Белые", TagName::White, Language),
        ] {
            assert_eq!(TagName::find(name.as_bytes()), Some(RecognisedTag { tag, spelling }), "{name}");
        }
        for name in ["", "WhiteUrl", "DamboTopLine", "Whit", "Comment", "R\u{fffd}sultat"] {
            assert_eq!(TagName::find(name.as_bytes()), None, "{name}");
        }
        assert_eq!(TagName::find(b"R\xE9sultat"), None);
        assert_eq!(
            TagName::find(super::super::decode_entities("R&#x00e9;sultat").as_bytes()).unwrap().tag,
            TagName::Result
        );
    }

    #[test]
    fn aliases_are_lowercase_unique_and_nonstandard() {
        for (i, &(alias, ..)) in ALIASES.iter().enumerate() {
            assert_eq!(alias, alias.to_lowercase());
            assert!(alias.len() <= 22, "{alias}");
            assert!(ALIASES[..i].iter().all(|(earlier, ..)| *earlier != alias), "{alias} twice");
            assert!(
                TagName::ALL.iter().all(|tag| !tag.name().eq_ignore_ascii_case(alias)),
                "{alias} is a name"
            );
        }
    }

    proptest! {
        #[test]
        fn finding_any_bytes_does_not_panic(name in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = TagName::find(&name);
        }
    }
}
