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
        pub enum Tag { $($(#[$doc])* $variant,)* }

        impl Tag {
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

impl Tag {
    /// The seven tags that the standard recommends for tournament games.
    pub const SEVEN: [Self; 7] =
        [Self::Event, Self::Site, Self::Date, Self::Round, Self::White, Self::Black, Self::Result];

    /// The tag that a name means, and how sure that is.
    ///
    /// Exact names first; then names in the wrong case; then what other languages and programs write. Names are
    /// compared in UTF-8, so a name in another encoding must be decoded before, and its
    /// [entities](super::decode_entities) too. At most a table of some sixty names is searched.
    pub fn find(name: &[u8]) -> Option<FoundTag> {
        let found = |tag, spelling| Some(FoundTag { tag, spelling });
        if let Some(tag) = Self::exact(name) {
            return found(tag, Spelling::Exact);
        }
        let cased = Self::ALL.iter().find(|tag| tag.name().as_bytes().eq_ignore_ascii_case(name));
        if let Some(&tag) = cased {
            return found(tag, Spelling::Case);
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

impl fmt::Display for Tag {
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
pub struct FoundTag {
    /// The tag.
    pub tag: Tag,
    /// How the name is written.
    pub spelling: Spelling,
}

/// How the name of a tag is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Spelling {
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
const ALIASES: &[(&str, Tag, Spelling)] = &{
    use Spelling::{Language as L, Program as P};
    [
        ("p1", Tag::White, P),
        ("p2", Tag::Black, P),
        ("whiteelo", Tag::WhiteRating, P),
        ("blackelo", Tag::BlackRating, P),
        ("pubicationdate", Tag::PublicationDate, P),
        // Italian
        ("bianco", Tag::White, L),
        ("nero", Tag::Black, L),
        ("risultato", Tag::Result, L),
        ("evento", Tag::Event, L),
        ("luogo", Tag::Site, L),
        ("data", Tag::Date, L),
        ("turno", Tag::Round, L),
        // French
        ("blanc", Tag::White, L),
        ("blancs", Tag::White, L),
        ("noir", Tag::Black, L),
        ("noirs", Tag::Black, L),
        ("r\u{e9}sultat", Tag::Result, L),
        ("resultat", Tag::Result, L),
        ("\u{e9}v\u{e9}nement", Tag::Event, L),
        ("evenement", Tag::Event, L),
        ("tournoi", Tag::Event, L),
        ("lieu", Tag::Site, L),
        // Dutch
        ("wit", Tag::White, L),
        ("zwart", Tag::Black, L),
        ("uitslag", Tag::Result, L),
        ("resultaat", Tag::Result, L),
        ("toernooi", Tag::Event, L),
        ("plaats", Tag::Site, L),
        ("datum", Tag::Date, L),
        ("ronde", Tag::Round, L),
        // German
        ("wei\u{df}", Tag::White, L),
        ("weiss", Tag::White, L),
        ("schwarz", Tag::Black, L),
        ("ergebnis", Tag::Result, L),
        ("ort", Tag::Site, L),
        ("runde", Tag::Round, L),
        // Spanish and Portuguese
        ("blancas", Tag::White, L),
        ("brancas", Tag::White, L),
        ("negras", Tag::Black, L),
        ("pretas", Tag::Black, L),
        ("resultado", Tag::Result, L),
        ("lugar", Tag::Site, L),
        ("local", Tag::Site, L),
        ("fecha", Tag::Date, L),
        ("ronda", Tag::Round, L),
        ("rodada", Tag::Round, L),
        // Polish
        ("bia\u{142}e", Tag::White, L),
        ("czarne", Tag::Black, L),
        ("wynik", Tag::Result, L),
        // Russian, and as it is written in Latin letters
        ("белые", Tag::White, L),
        ("чёрные", Tag::Black, L),
        ("черные", Tag::Black, L),
        ("результат", Tag::Result, L),
        ("турнир", Tag::Event, L),
        ("место", Tag::Site, L),
        ("дата", Tag::Date, L),
        ("тур", Tag::Round, L),
        ("belye", Tag::White, L),
        ("chernye", Tag::Black, L),
        ("rezultat", Tag::Result, L),
        ("turnir", Tag::Event, L),
        ("mesto", Tag::Site, L),
    ]
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_name_is_found_again() {
        for &tag in Tag::ALL {
            let name = tag.to_string();
            assert_eq!(Tag::exact(name.as_bytes()), Some(tag));
            let found = |name: &str| Tag::find(name.as_bytes()).map(|found| (found.tag, found.spelling));
            assert_eq!(found(&name), Some((tag, Spelling::Exact)));
            let lower = name.to_lowercase();
            assert_eq!(found(&lower), Some((tag, Spelling::Case)));
            assert_eq!(Tag::exact(lower.as_bytes()), None);
        }
    }

    #[test]
    fn other_names_lead_to_the_standards() {
        use Spelling::{Case, Language, Program};
        for (name, tag, spelling) in [
            ("event", Tag::Event, Case),
            ("Setup", Tag::SetUp, Case),
            ("Fen", Tag::FEN, Case),
            ("P1", Tag::White, Program),
            ("P2", Tag::Black, Program),
            ("WhiteElo", Tag::WhiteRating, Program),
            ("PubicationDate", Tag::PublicationDate, Program),
            ("Bianco", Tag::White, Language),
            ("NERO", Tag::Black, Language),
            ("Risultato", Tag::Result, Language),
            ("Blanc", Tag::White, Language),
            ("Résultat", Tag::Result, Language),
            ("RÉSULTAT", Tag::Result, Language),
            ("Wit", Tag::White, Language),
            ("Weiß", Tag::White, Language),
            ("Белые", Tag::White, Language),
        ] {
            assert_eq!(Tag::find(name.as_bytes()), Some(FoundTag { tag, spelling }), "{name}");
        }
        for name in ["", "WhiteUrl", "DamboTopLine", "Whit", "Comment", "R\u{fffd}sultat"] {
            assert_eq!(Tag::find(name.as_bytes()), None, "{name}");
        }
        assert_eq!(Tag::find(b"R\xE9sultat"), None);
        assert_eq!(
            Tag::find(super::super::decode_entities("R&#x00e9;sultat").as_bytes()).unwrap().tag,
            Tag::Result
        );
    }

    #[test]
    fn aliases_are_lower_case_unique_and_no_names_of_the_standard() {
        for (i, &(alias, ..)) in ALIASES.iter().enumerate() {
            assert_eq!(alias, alias.to_lowercase());
            assert!(alias.len() <= 22, "{alias}");
            assert!(ALIASES[..i].iter().all(|(earlier, ..)| *earlier != alias), "{alias} twice");
            assert!(Tag::ALL.iter().all(|tag| !tag.name().eq_ignore_ascii_case(alias)), "{alias} is a name");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_up(name in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = Tag::find(&name);
        }
    }
}
