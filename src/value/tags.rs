//! The names of tags: those of the standard, and what other languages and programs call them.
//!
//! An exact name of the standard is found by one `match`; only other names are compared with the table of
//! aliases. Knows what kind of value a tag has, so that a reader knows which type reads it; reads none itself.

use std::fmt;

use TagKind as K;

macro_rules! tags {
    ($($(#[$doc:meta])* $variant:ident $kind:ident;)*) => {
        /// A tag that PDN 3.0 defines, or that is in general use beside it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum TagName { $($(#[$doc])* $variant,)* }

        impl TagName {
            /// Every tag, in the order of the standard.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The tag of exactly this name, capitals included.
            #[expect(non_upper_case_globals, reason = "patterns of a match need constants; these are named after their tags")]
            pub fn exact(name: &[u8]) -> Option<Self> {
                $(const $variant: &[u8] = stringify!($variant).as_bytes();)*
                match name {
                    $($variant => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The name as the standard writes it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }

            /// What kind of value it has.
            pub const fn kind(self) -> TagKind {
                match self { $(Self::$variant => K::$kind,)* }
            }
        }
    };
}

tags! {
    /// Name of the tournament or match.
    Event Text;
    /// Where it was played.
    Site Text;
    /// First day of the game.
    Date Date;
    /// Round, and game within the round.
    Round Round;
    /// Who had the white pieces.
    White Text;
    /// Who had the black pieces.
    Black Text;
    /// How it ended.
    Result Result;
    /// The system of the result.
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
    /// Who paid for it.
    EventSponsor Text;
    /// Section of the tournament, such as `Open`.
    Section Text;
    /// Stage of the tournament, such as `Semifinal`.
    Stage Text;
    /// Board of a team match or a simultaneous display.
    Board Text;
    /// Which game it is.
    GameType GameType;
    /// The position at the start.
    FEN Fen;
    /// How many plies the game has.
    PlyCount Number;
    /// Why the game ended.
    Termination Text;
    /// How much time both had.
    TimeControl TimeControl;
    /// How much time White had.
    TimeControlWhite TimeControl;
    /// How much time Black had.
    TimeControlBlack TimeControl;
    /// Time that White used.
    WhiteTime Clock;
    /// Time that Black used.
    BlackTime Clock;
    /// When it began.
    Time TimeOfDay;
    /// When it began, in UTC.
    UTCTime TimeOfDay;
    /// The day on which it began, in UTC.
    UTCDate Date;
    /// Who wrote the annotations.
    Annotator Text;
    /// Who composed or analysed it.
    Author Text;
    /// Where it was first published.
    Publication Text;
    /// When it was first published.
    PublicationDate Date;
    /// `1` where a FEN tag follows; PDN 1.0 and PGN, not PDN 3.0.
    SetUp SetUp;
    /// Name of the opening; in general use, not in PDN 3.0.
    Opening Text;
}

impl TagName {
    /// The seven tags that the standard recommends for tournament games.
    pub const SEVEN: [Self; 7] =
        [Self::Event, Self::Site, Self::Date, Self::Round, Self::White, Self::Black, Self::Result];

    /// The tag that a name means, and how sure that is.
    ///
    /// Exact names first; then names in the wrong case; then what other languages and programs write. Names are
    /// compared in UTF-8, so a name in another encoding must be decoded before, and its
    /// [entities](super::decode_entities) too. At most a table of some sixty names is searched.
    pub fn find(name: &[u8]) -> Option<RecognisedTag> {
        let found = |tag, spelling| Some(RecognisedTag { tag, spelling });
        if let Some(tag) = Self::exact(name) {
            return found(tag, TagSpelling::Exact);
        }
        let cased = Self::ALL.iter().find(|tag| tag.name().as_bytes().eq_ignore_ascii_case(name));
        if let Some(&tag) = cased {
            return found(tag, TagSpelling::Case);
        }
        let name = std::str::from_utf8(name).ok()?;
        // The longest alias has 22 bytes; lower case of anything longer need not be made.
        if name.len() > 32 {
            return None;
        }
        let same = |alias: &str| alias.chars().eq(name.chars().flat_map(char::to_lowercase));
        ALIASES.iter().find(|(alias, ..)| same(alias)).and_then(|&(_, tag, spelling)| found(tag, spelling))
    }
}

impl fmt::Display for TagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What kind of value a tag has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
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

/// A tag found by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct RecognisedTag {
    /// The tag.
    pub tag: TagName,
    /// How the name is written.
    pub spelling: TagSpelling,
}

/// How the name of a tag is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum TagSpelling {
    /// As the standard writes it.
    Exact,
    /// With other capitals, such as `event` or `Setup`.
    Case,
    /// The name that another program or game has for it, such as `P1` or `WhiteElo`.
    Program,
    /// In another language, such as `Bianco`.
    Language,
}

/// What else tags are called, in lower case.
const ALIASES: &[(&str, TagName, TagSpelling)] = &{
    use TagSpelling::{Language as L, Program as P};
    [
        ("p1", TagName::White, P),
        ("p2", TagName::Black, P),
        ("whiteelo", TagName::WhiteRating, P),
        ("blackelo", TagName::BlackRating, P),
        ("pubicationdate", TagName::PublicationDate, P),
        // Italian
        ("bianco", TagName::White, L),
        ("nero", TagName::Black, L),
        ("risultato", TagName::Result, L),
        ("evento", TagName::Event, L),
        ("luogo", TagName::Site, L),
        ("data", TagName::Date, L),
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
        // Russian, and as it is written in Latin letters
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
    fn every_name_is_found_again() {
        for &tag in TagName::ALL {
            let name = tag.to_string();
            assert_eq!(TagName::exact(name.as_bytes()), Some(tag));
            let found = |name: &str| TagName::find(name.as_bytes()).map(|found| (found.tag, found.spelling));
            assert_eq!(found(&name), Some((tag, TagSpelling::Exact)));
            let lower = name.to_lowercase();
            assert_eq!(found(&lower), Some((tag, TagSpelling::Case)));
            assert_eq!(TagName::exact(lower.as_bytes()), None);
        }
    }

    #[test]
    fn other_names_lead_to_the_standards() {
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
    fn aliases_are_lower_case_unique_and_no_names_of_the_standard() {
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
        fn any_bytes_are_looked_up(name in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = TagName::find(&name);
        }
    }
}
