//! The programs that games are written for: a row each.

use std::fmt;
use std::str::FromStr;

use super::filter::Strip;
use super::layout::LineEnd;
use crate::error::UnknownName;
use crate::notation::MoveStyle;

/// A target program, or the standard itself, with what it reads.
///
/// Every profile writes tags on lines of their own, regular move numbers, moves without whitespace, and squares without
/// leading zeros.
///
/// ```
/// use pdn::write::Profile;
///
/// let profile: Profile = "checkerboard".parse()?;
/// assert_eq!(profile, Profile::CheckerBoard);
/// assert!(profile.description().contains("CheckerBoard"));
/// # Ok::<(), pdn::error::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// PDN 3.0, sections 4.1 and 4.2: the writing grammar and its nine restrictions.
    #[default]
    Pdn3,
    /// lidraughts.org.
    Lidraughts,
    /// Turbo Dambase.
    TurboDambase,
    /// CheckerBoard by Martin Fierz.
    CheckerBoard,
    /// Dam 2.2 and Dam 3.0 by Harm Jetten.
    Dam,
    /// Tags and moves only, for readers that know nothing else.
    Plain,
}

/// What ends the movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TerminatorForm {
    /// `*`, as PDN 3.0 requires. The result stands in the Result tag.
    Asterisk,
    /// The result of the Result tag, as PDN 1.0 and 2.0 and most programs write it; `*` without a result.
    Result,
}

/// The properties of a profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProfileRow {
    pub(super) profile: Profile,
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) captures: MoveStyle,
    pub(super) terminator: TerminatorForm,
    pub(super) strip: Strip,
    pub(super) line_end: LineEnd,
    /// Maximum number of bytes of a line.
    pub(super) width: usize,
    /// `true` if missing tags of the seven required ones are added with their unknown values.
    pub(super) has_roster: bool,
    /// `true` if captures are written with `x` in every game type.
    pub(super) always_x: bool,
    /// `true` if the GameType tag is the number alone.
    pub(super) short_game_type: bool,
    /// `true` if quotes in tag values become apostrophes, because the program ends a value at an escaped quote.
    pub(super) no_quotes: bool,
    /// `true` if variations inside of variations are left out.
    pub(super) flat_variations: bool,
}

/// Standard PDN 3.0; the other rows say what differs.
const PDN3: ProfileRow = ProfileRow {
    profile: Profile::Pdn3,
    name: "pdn3",
    description: "PDN 3.0: every restriction of its writing grammar, `*` as the only terminator",
    captures: MoveStyle::Shortest,
    terminator: TerminatorForm::Asterisk,
    strip: Strip::NONE,
    line_end: LineEnd::Lf,
    width: 79,
    has_roster: true,
    always_x: false,
    short_game_type: false,
    no_quotes: false,
    flat_variations: false,
};

/// Every profile. Sources are named where a property is not that of the standard.
const ROWS: [ProfileRow; 6] = [
    PDN3,
    // Its own export (`PdnDump.scala`, `Forsyth.scala` of RoepStoep/lidraughts): captures with `x` in every variant, short
    // unless ambiguous; all moves on one line; the result at the end.
    ProfileRow {
        profile: Profile::Lidraughts,
        name: "lidraughts",
        description: "lidraughts.org: captures with `x`, movetext on one line, the result at the end; no setups",
        terminator: TerminatorForm::Result,
        strip: Strip::SETUPS,
        width: 0,
        always_x: true,
        ..PDN3
    },
    // The analysis in PDN 3.0, chapter 8, which was made with it: variations, NAGs and comments everywhere, the result at
    // the end. A program for Windows.
    ProfileRow {
        profile: Profile::TurboDambase,
        name: "turbo-dambase",
        description: "Turbo Dambase: Windows line ends, the result at the end, GameType as a number; no setups",
        terminator: TerminatorForm::Result,
        strip: Strip::SETUPS,
        line_end: LineEnd::CrLf,
        short_game_type: true,
        ..PDN3
    },
    // Its parser (`PDNparser.cpp` of eygilbert/CheckerBoard): a value ends at the next quote, escaped or not; a variation
    // ends at the next parenthesis; a game ends at `1-0`, `0-1`, `1/2-1/2` or `*`.
    ProfileRow {
        profile: Profile::CheckerBoard,
        name: "checkerboard",
        description: "CheckerBoard: Windows line ends, the result at the end, no quotes in tag values, variations one level \
                      deep; no setups",
        terminator: TerminatorForm::Result,
        strip: Strip::SETUPS,
        line_end: LineEnd::CrLf,
        always_x: true,
        no_quotes: true,
        flat_variations: true,
        ..PDN3
    },
    // The description of its files at dambreteszinas.lv (2020): seven tags, each on a line of its own; results `2-0`, `1-1`,
    // `0-2` or `*`; GameType as a number.
    ProfileRow {
        profile: Profile::Dam,
        name: "dam",
        description: "Dam 2.2: Windows line ends, the result at the end, GameType as a number, comments but no variations, \
                      NAGs or setups",
        terminator: TerminatorForm::Result,
        strip: Strip::VARIATIONS.and(Strip::NAGS).and(Strip::SETUPS),
        line_end: LineEnd::CrLf,
        always_x: true,
        short_game_type: true,
        ..PDN3
    },
    // What the readers pydraughts 0.6 and py-draughts 1.10 understand: tags and bare moves.
    ProfileRow {
        profile: Profile::Plain,
        name: "plain",
        description: "tags and main-line moves only, `*` as the terminator; for readers that know nothing else",
        strip: Strip::COMMENTS.and(Strip::NAGS).and(Strip::VARIATIONS).and(Strip::SETUPS),
        always_x: true,
        no_quotes: true,
        ..PDN3
    },
];

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 6] =
        [Self::Pdn3, Self::Lidraughts, Self::TurboDambase, Self::CheckerBoard, Self::Dam, Self::Plain];

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns what is special about the profile, in one line.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    pub(super) fn row(self) -> &'static ProfileRow {
        ROWS.iter().find(|row| row.profile == self).unwrap_or(&ROWS[0])
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a name, in either case.
impl FromStr for Profile {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let named = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name));
        named.map(|row| row.profile).ok_or(UnknownName {
            expected: "`pdn3`, `lidraughts`, `turbo-dambase`, `checkerboard`, `dam` or `plain`",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_a_row() {
        for (row, profile) in ROWS.iter().zip(Profile::ALL) {
            assert_eq!(row.profile, profile);
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
        assert!("word".parse::<Profile>().is_err());
    }
}
