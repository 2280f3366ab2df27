//! Annotations of moves: numeric annotation glyphs (`$1`) and move strengths (`!`, `(?)`, `*`).
//!
//! Maps glyphs to their meanings and move strengths to glyphs. The meanings are those of PGN's table, which PDN 3.0
//! adopts; those about knights, bishops and pawns make no sense in draughts but occur in files.

use std::fmt;
use std::str::FromStr;

use super::Colour;
use super::error::{Problem, UnexpectedByte, ValueError, span};

/// A numeric annotation glyph.
///
/// ```
/// use pdn::value::{MoveStrength, Nag};
///
/// let nag: Nag = "$1".parse()?;
/// assert_eq!(nag.strength(), Some(MoveStrength::Good));
/// assert!(nag.is_known() && !Nag(200).is_known());
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Nag(pub u32);

impl Nag {
    /// The glyph `$7`, which PDN 3.0 writes instead of `*` after a move.
    pub const FORCED: Self = Self(7);
    /// The highest glyph that PGN allows.
    pub const MAX: Self = Self(255);

    /// Parses `$` and a number.
    ///
    /// # Errors
    /// A text that does not start with `$`, no digits, a byte after them, or a number above 4294967295.
    pub fn parse(text: &[u8]) -> Result<Self, ValueError> {
        let unexpected = |at: usize| {
            let end = (at + 1).min(text.len());
            Err(ValueError::new(wrong(UnexpectedByte::at(text, at)), span(at, end)))
        };
        let [b'$', digits @ ..] = text else { return unexpected(0) };
        let bad = digits.iter().position(|digit| !digit.is_ascii_digit());
        if let Some(bad) = bad.or(digits.is_empty().then_some(0)) {
            return unexpected(bad + 1);
        }
        let number = digits
            .iter()
            .try_fold(0u32, |value, digit| value.checked_mul(10)?.checked_add(u32::from(digit - b'0')));
        number.map(Self).ok_or_else(|| ValueError::new(TOO_LARGE, span(1, text.len())))
    }

    /// Reads the sign of an evaluation, as commentators of chess and draughts write it: `±` is `$16`.
    pub(crate) fn of_sign(text: &[u8]) -> Option<Self> {
        if text.starts_with(b"$") {
            return None;
        }
        let signs: [(&[&str], u32); 8] = [
            (&["="], 10),
            (&["∞"], 13),
            (&["⩲", "+=", "+/="], 14),
            (&["⩱", "=+", "=/+"], 15),
            (&["±", "+/-"], 16),
            (&["∓"], 17),
            (&["+-", "+–", "+−"], 18),
            (&["-+", "–+", "−+"], 19),
        ];
        let found = signs.into_iter().find(|(texts, _)| texts.iter().any(|sign| sign.as_bytes() == text));
        found.map(|(_, number)| Self(number))
    }

    /// Returns the meaning, for `$0` to `$146`; `None` for glyphs without one.
    #[doc(hidden)]
    pub fn meaning(self) -> Option<NagMeaning> {
        let meaning = |side, text| Some(NagMeaning { side, text });
        match self.0 as usize {
            number if number < SIDELESS.len() => meaning(None, SIDELESS[number]),
            number @ 14..=139 => {
                let side = if number % 2 == 0 { Colour::White } else { Colour::Black };
                meaning(Some(side), PER_SIDE[(number - SIDELESS.len()) / 2])
            }
            number @ 140..=146 => meaning(None, ADDED[number - 140]),
            _ => None,
        }
    }

    /// Returns `true` if the glyph has a meaning, which implies that it is at most [`Nag::MAX`].
    pub fn is_known(self) -> bool {
        self.meaning().is_some()
    }

    /// Returns the move strength with the same meaning, for `$1` to `$7`.
    pub fn strength(self) -> Option<MoveStrength> {
        MoveStrength::ALL.into_iter().find(|strength| strength.nag() == self)
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

impl FromStr for Nag {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::parse(text.as_bytes())
    }
}

/// The meaning of a glyph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct NagMeaning {
    /// The side concerned, for glyphs that come in pairs, one for each side.
    pub side: Option<Colour>,
    /// The meaning in words.
    pub text: &'static str,
}

impl fmt::Display for NagMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Some(side) => write!(f, "{side}: {}", self.text),
            None => f.write_str(self.text),
        }
    }
}

/// An annotator's judgement of a move: PDN MOVESTRENGTH.
///
/// The discriminant is the number of the glyph with the same meaning.
///
/// ```
/// use pdn::value::{MoveStrength, Nag};
///
/// assert_eq!(MoveStrength::parse(b"(?)"), Some(MoveStrength::Poor));
/// assert_eq!(MoveStrength::parse(b"!?!!!"), Some(MoveStrength::Interesting));
/// assert_eq!(MoveStrength::VeryGood.marks(), "!!");
/// assert_eq!(MoveStrength::VeryGood.nag(), Nag(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[repr(u8)]
pub enum MoveStrength {
    /// `!`
    Good = 1,
    /// `?`
    Poor = 2,
    /// `!!`
    VeryGood = 3,
    /// `??`
    VeryPoor = 4,
    /// `!?`
    Interesting = 5,
    /// `?!`
    Dubious = 6,
    /// `*` or `□`, the only move; `$7` in PDN 3.0.
    Forced = 7,
}

impl MoveStrength {
    /// Every move strength, in the order of their glyphs.
    pub const ALL: [Self; 7] = [
        Self::Good,
        Self::Poor,
        Self::VeryGood,
        Self::VeryPoor,
        Self::Interesting,
        Self::Dubious,
        Self::Forced,
    ];

    /// Parses the marks after a move, with or without parentheses. Longer runs of `!` and `?` are parsed by their
    /// first two marks: `!!!` as `!!`, `!?!!!` as `!?`. Returns `None` for any other text.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let marks = match text {
            [b'(', marks @ .., b')'] => marks,
            marks => marks,
        };
        if marks == b"*" || marks == "□".as_bytes() {
            return Some(Self::Forced);
        }
        if !marks.iter().all(|mark| matches!(mark, b'!' | b'?')) {
            return None;
        }
        match marks {
            [] => None,
            [b'!'] => Some(Self::Good),
            [b'!', b'!', ..] => Some(Self::VeryGood),
            [b'!', ..] => Some(Self::Interesting),
            [_] => Some(Self::Poor),
            [_, b'?', ..] => Some(Self::VeryPoor),
            [..] => Some(Self::Dubious),
        }
    }

    /// Returns the glyph with the same meaning.
    pub const fn nag(self) -> Nag {
        Nag(self as u32)
    }

    /// Returns the marks as PDN 3.0 writes them; `$7` for a forced move, which has no marks.
    pub const fn marks(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Poor => "?",
            Self::VeryGood => "!!",
            Self::VeryPoor => "??",
            Self::Interesting => "!?",
            Self::Dubious => "?!",
            Self::Forced => "$7",
        }
    }
}

impl fmt::Display for MoveStrength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.marks())
    }
}

const TOO_LARGE: Problem =
    Problem::Message("found a number above 4294967295, expected an annotation from `$0` to `$255`");

const fn wrong(found: UnexpectedByte) -> Problem {
    Problem::Unexpected("a numeric annotation such as `$1`", found)
}

/// Meanings of `$0` to `$13`, which concern no side.
const SIDELESS: [&str; 14] = [
    "no annotation",
    "good move",
    "poor move",
    "very good move",
    "very poor move",
    "interesting move",
    "dubious move",
    "forced move",
    "only reasonable move",
    "worst move",
    "drawish position",
    "equal chances, quiet position",
    "equal chances, active position",
    "unclear position",
];

/// Meanings of `$14` to `$139`, each for White, then for Black.
const PER_SIDE: [&str; 63] = [
    "slight advantage",
    "moderate advantage",
    "decisive advantage",
    "crushing advantage",
    "zugzwang",
    "slight advantage in space",
    "moderate advantage in space",
    "decisive advantage in space",
    "slight advantage in development",
    "moderate advantage in development",
    "decisive advantage in development",
    "initiative",
    "lasting initiative",
    "attack",
    "too little compensation for material",
    "enough compensation for material",
    "more than enough compensation for material",
    "slight control of the centre",
    "moderate control of the centre",
    "decisive control of the centre",
    "slight control of the king's side",
    "moderate control of the king's side",
    "decisive control of the king's side",
    "slight control of the queen's side",
    "moderate control of the queen's side",
    "decisive control of the queen's side",
    "vulnerable first rank",
    "well protected first rank",
    "poorly protected king",
    "well protected king",
    "poorly placed king",
    "well placed king",
    "very weak pawn structure",
    "moderately weak pawn structure",
    "moderately strong pawn structure",
    "very strong pawn structure",
    "poorly placed knight",
    "well placed knight",
    "poorly placed bishop",
    "well placed bishop",
    "poorly placed rook",
    "well placed rook",
    "poorly placed queen",
    "well placed queen",
    "poor coordination of pieces",
    "good coordination of pieces",
    "opening played very badly",
    "opening played badly",
    "opening played well",
    "opening played very well",
    "middle game played very badly",
    "middle game played badly",
    "middle game played well",
    "middle game played very well",
    "ending played very badly",
    "ending played badly",
    "ending played well",
    "ending played very well",
    "slight counterplay",
    "moderate counterplay",
    "decisive counterplay",
    "moderate time pressure",
    "severe time pressure",
];

/// Meanings of `$140` to `$146`, which are not in PGN's table but widely used by programs.
const ADDED: [&str; 7] = [
    "with the idea",
    "aimed against",
    "better move",
    "worse move",
    "equivalent move",
    "editorial comment",
    "novelty",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn nag_has_the_meaning_of_the_table() {
        let check = |text: &str, meaning: Option<&str>| {
            let nag = Nag::parse(text.as_bytes()).unwrap();
            assert_eq!(nag.meaning().map(|meaning| meaning.to_string()).as_deref(), meaning, "{text}");
            assert_eq!(nag.is_known(), meaning.is_some());
        };
        check("$0", Some("no annotation"));
        check("$1", Some("good move"));
        check("$7", Some("forced move"));
        check("$13", Some("unclear position"));
        check("$14", Some("White: slight advantage"));
        check("$15", Some("Black: slight advantage"));
        check("$22", Some("White: zugzwang"));
        check("$37", Some("Black: initiative"));
        check("$40", Some("White: attack"));
        check("$106", Some("White: opening played very badly"));
        check("$130", Some("White: slight counterplay"));
        check("$139", Some("Black: severe time pressure"));
        check("$146", Some("novelty"));
        check("$147", None);
        check("$256", None);
    }

    #[test]
    fn nag_is_parsed_or_rejected_with_span() {
        for number in (0..=1000).chain([65_535, 65_536, u32::MAX]) {
            assert_eq!(Nag::parse(Nag(number).to_string().as_bytes()), Ok(Nag(number)));
        }
        for (text, problem, start, end) in [
            ("", wrong(UnexpectedByte(None)), 0, 0),
            ("1", wrong(UnexpectedByte(Some(b'1'))), 0, 1),
            ("$", wrong(UnexpectedByte(None)), 1, 1),
            ("$1x", wrong(UnexpectedByte(Some(b'x'))), 2, 3),
            ("$4294967296", TOO_LARGE, 1, 11),
        ] {
            assert_eq!(
                Nag::parse(text.as_bytes()),
                Err(ValueError::new(problem, Span::new(start, end))),
                "{text}"
            );
        }
    }

    #[test]
    fn move_strength_and_nag_convert_both_ways() {
        for (text, strength, glyph) in [
            ("!", MoveStrength::Good, 1),
            ("?", MoveStrength::Poor, 2),
            ("!!", MoveStrength::VeryGood, 3),
            ("??", MoveStrength::VeryPoor, 4),
            ("!?", MoveStrength::Interesting, 5),
            ("?!", MoveStrength::Dubious, 6),
            ("*", MoveStrength::Forced, 7),
            ("□", MoveStrength::Forced, 7),
            ("(!)", MoveStrength::Good, 1),
            ("(?)", MoveStrength::Poor, 2),
            ("(*)", MoveStrength::Forced, 7),
            ("!!!", MoveStrength::VeryGood, 3),
            ("????", MoveStrength::VeryPoor, 4),
            ("(!?!!!)", MoveStrength::Interesting, 5),
        ] {
            assert_eq!(MoveStrength::parse(text.as_bytes()), Some(strength), "{text}");
            assert_eq!((strength.nag(), Nag(glyph).strength()), (Nag(glyph), Some(strength)), "{text}");
        }
        for text in ["", "()", "!x", "(!", "**", "1"] {
            assert_eq!(MoveStrength::parse(text.as_bytes()), None, "{text}");
        }
        for strength in MoveStrength::ALL.into_iter().filter(|strength| *strength != MoveStrength::Forced) {
            assert_eq!(MoveStrength::parse(strength.to_string().as_bytes()), Some(strength));
        }
        assert_eq!((Nag(0).strength(), Nag(8).strength()), (None, None));
    }
}
