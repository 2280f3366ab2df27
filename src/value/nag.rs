//! Annotations of moves: numeric glyphs (`$1`) and strengths (`!`, `(?)`, `*`).
//!
//! Says what a glyph means and which glyph a strength stands for. The meanings are those of PGN's table, which
//! PDN 3.0 takes over; those about knights, bishops and pawns have no use in draughts but occur.

use std::fmt;

use super::Colour;
use super::error::{UnexpectedByte, ValueError, span};

/// A numeric annotation glyph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Nag(pub u16);

impl Nag {
    /// `$7`, which PDN 3.0 writes instead of `*` behind a move.
    pub const FORCED: Self = Self(7);
    /// The highest glyph that PGN leaves room for.
    pub const MAX: Self = Self(255);

    /// Reads `$` and a number.
    ///
    /// # Errors
    /// Another beginning, no digits, something behind them, or a number above 65535.
    pub fn parse(text: &[u8]) -> Result<Self, NagError> {
        let unexpected = |at: usize| {
            let end = (at + 1).min(text.len());
            Err(ValueError::new(NagErrorKind::Unexpected(UnexpectedByte::at(text, at)), span(at, end)))
        };
        let [b'$', digits @ ..] = text else { return unexpected(0) };
        let bad = digits.iter().position(|digit| !digit.is_ascii_digit());
        if let Some(bad) = bad.or(digits.is_empty().then_some(0)) {
            return unexpected(bad + 1);
        }
        let number = digits
            .iter()
            .try_fold(0u16, |value, digit| value.checked_mul(10)?.checked_add(u16::from(digit - b'0')));
        number.map(Self).ok_or_else(|| ValueError::new(NagErrorKind::TooLarge, span(1, text.len())))
    }

    /// What it says, where the table gives it a meaning.
    pub fn meaning(self) -> Option<NagMeaning> {
        let meaning = |side, what| Some(NagMeaning { side, text: what });
        match usize::from(self.0) {
            number if number < ALONE.len() => meaning(None, ALONE[number]),
            number @ 14..=139 => {
                let side = if number % 2 == 0 { Colour::White } else { Colour::Black };
                meaning(Some(side), OF_A_SIDE[(number - ALONE.len()) / 2])
            }
            number @ 140..=146 => meaning(None, LATER[number - 140]),
            _ => None,
        }
    }

    /// Whether the number is at most [`Nag::MAX`] and has a meaning.
    pub fn is_known(self) -> bool {
        self.meaning().is_some()
    }

    /// The strength that says the same, for `$1` to `$7`.
    pub fn strength(self) -> Option<MoveStrength> {
        MoveStrength::ALL.into_iter().find(|strength| strength.nag() == self)
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// What a glyph says, and of which side it says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct NagMeaning {
    /// The side concerned, for glyphs that come in pairs.
    pub side: Option<Colour>,
    /// The meaning in words.
    pub text: &'static str,
}

impl fmt::Display for NagMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Some(side) => write!(f, "{side:?}: {}", self.text),
            None => f.write_str(self.text),
        }
    }
}

/// How good a move is thought to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
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
    /// `*` or `□`: the only move. PDN 3.0 writes `$7`.
    Forced = 7,
}

impl MoveStrength {
    /// Every strength, in the order of its glyphs.
    pub const ALL: [Self; 7] = [
        Self::Good,
        Self::Poor,
        Self::VeryGood,
        Self::VeryPoor,
        Self::Interesting,
        Self::Dubious,
        Self::Forced,
    ];

    /// Reads the marks behind a move, with or without parentheses. Marks beyond the six known are read by their
    /// beginning: `!!!` as `!!`, `!?!!!` as `!?`. `None` where other bytes are among them.
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

    /// The glyph that says the same.
    pub const fn nag(self) -> Nag {
        Nag(self as u16)
    }

    /// The marks as PDN 3.0 writes them; `$7` for a forced move, which has none.
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

/// Why a numeric annotation cannot be read.
pub type NagError = ValueError<NagErrorKind>;

/// What is wrong with the text of a numeric annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum NagErrorKind {
    /// Something else than `$` and digits.
    Unexpected(UnexpectedByte),
    /// A number above 65535.
    TooLarge,
}

impl fmt::Display for NagErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(found) => write!(f, "expected a numeric annotation such as `$1`, found {found}"),
            Self::TooLarge => {
                f.write_str("found a number above 65535, expected an annotation from `$0` to `$255`")
            }
        }
    }
}

/// `$0` to `$13`, which concern no side.
const ALONE: [&str; 14] = [
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

/// `$14` to `$139`: each for White, then for Black.
const OF_A_SIDE: [&str; 63] = [
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

/// `$140` to `$146`, added by programs after the table and widely used.
const LATER: [&str; 7] = [
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
    fn glyphs_have_meanings() {
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
    fn glyphs_are_read_or_refused() {
        for number in 0..=u16::MAX {
            assert_eq!(Nag::parse(Nag(number).to_string().as_bytes()), Ok(Nag(number)));
        }
        use NagErrorKind as E;
        for (text, kind, start, end) in [
            ("", E::Unexpected(UnexpectedByte(None)), 0, 0),
            ("1", E::Unexpected(UnexpectedByte(Some(b'1'))), 0, 1),
            ("$", E::Unexpected(UnexpectedByte(None)), 1, 1),
            ("$1x", E::Unexpected(UnexpectedByte(Some(b'x'))), 2, 3),
            ("$65536", E::TooLarge, 1, 6),
        ] {
            assert_eq!(
                Nag::parse(text.as_bytes()),
                Err(ValueError::new(kind, Span::new(start, end))),
                "{text}"
            );
        }
    }

    #[test]
    fn strengths_and_glyphs_stand_for_each_other() {
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
