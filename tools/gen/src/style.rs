//! Styles of writing: spaces, lines, move numbers, captures, results.

use pdn::board::{Square, SquareNames, SquareNaming};
use pdn::rules::Variant;
use pdn::value::GameType;
use pdn_rules::internal::value::ResultFormat;

use crate::Dialect;
use crate::carrier::Carrier;
use crate::random::Random;

/// The style of one source. All styles occur in real archives.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) newline: &'static str,
    /// `1.32-28` instead of `1. 32-28`.
    pub(crate) tight: bool,
    pub(crate) lines: Lines,
    /// All squares of a capture.
    pub(crate) chains: bool,
    /// Separators of squares, if they differ from those of the rules.
    pub(crate) separators: Option<[char; 2]>,
    /// `05-10` instead of `5-10`.
    pub(crate) zeros: bool,
    /// ` 5-10` instead of `5-10`.
    pub(crate) pads: bool,
    /// `C3-D4` instead of `c3-d4`.
    pub(crate) capitals: bool,
    pub(crate) letters: SquareNaming,
    pub(crate) results: ResultFormat,
    /// What stands between the points of a result.
    pub(crate) points: Points,
    /// The terminator touches the first tag of the next game.
    pub(crate) glued: bool,
    /// `03-04-1987` instead of `1987.04.03`.
    pub(crate) day_first: bool,
    /// Remarks stand in parentheses.
    pub(crate) parentheses: bool,
    /// A Ctrl-Z ends an event.
    pub(crate) control_z: bool,
    /// The text of another kind that carries the games.
    pub(crate) carrier: Option<Carrier>,
    pub(crate) end: Terminator,
    /// `true` if an empty line separates tags and moves.
    pub(crate) gap: bool,
}

/// What stands between the points of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Points {
    /// `1-0`
    Dash,
    /// `1 - 0`
    SpacedDash,
    /// `1:0`
    Colon,
    /// `1 : 0`
    SpacedColon,
}

/// Where lines are broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lines {
    /// Before column 80.
    Wrapped,
    /// Never.
    Endless,
    /// After each pair of plies.
    Pairs,
}

/// The terminator of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Terminator {
    Result,
    Star,
    Nothing,
}

impl Style {
    pub(crate) fn new(dialect: Dialect, variant: Variant, random: &mut Random) -> Self {
        let letters = variant.game().numbering.letters;
        let own = GameType::of_number(variant.number()).result_system().unwrap_or(ResultFormat::Default);
        let clean = Self {
            newline: "\n",
            tight: false,
            lines: Lines::Wrapped,
            chains: false,
            separators: None,
            zeros: false,
            pads: false,
            capitals: false,
            letters,
            results: own,
            points: Points::Dash,
            glued: false,
            day_first: false,
            parentheses: false,
            control_z: false,
            carrier: None,
            end: Terminator::Result,
            gap: true,
        };
        let is_numeric = letters == SquareNaming::Numeric;
        match dialect {
            Dialect::Mixed => {}
            Dialect::Old => {
                return Self {
                    newline: "\r\n",
                    tight: true,
                    lines: Lines::Pairs,
                    separators: is_numeric.then_some(['-', 'X']),
                    zeros: is_numeric,
                    control_z: true,
                    ..clean
                };
            }
            Dialect::Padded => return Self { pads: is_numeric, ..clean },
            Dialect::Colons => {
                let points = *random.pick(&[Points::Colon, Points::Colon, Points::SpacedColon]);
                return Self { points, ..clean };
            }
            Dialect::Glued => {
                let points = *random.pick(&[Points::Dash, Points::SpacedDash]);
                return Self { points, glued: true, ..clean };
            }
            Dialect::Prose => return Self { parentheses: true, ..clean },
            Dialect::Dates => return Self { day_first: true, ..clean },
            Dialect::Json
            | Dialect::Html
            | Dialect::Forum
            | Dialect::Books
            | Dialect::Newspaper
            | Dialect::ChessHabits => {
                return Self { carrier: Carrier::of(dialect, variant, random), ..clean };
            }
            Dialect::Clean
            | Dialect::Latin1
            | Dialect::Cp437
            | Dialect::Cp850
            | Dialect::Baltic
            | Dialect::Mac
            | Dialect::Latin2
            | Dialect::Cp1250
            | Dialect::Cp852
            | Dialect::Cp1251
            | Dialect::Koi8r
            | Dialect::Cp866 => return clean,
        }
        let ours = variant.rules().capture_separator;
        Self {
            newline: if random.permille(450) { "\r\n" } else { "\n" },
            tight: random.permille(300),
            lines: *random.pick(&[
                Lines::Wrapped,
                Lines::Wrapped,
                Lines::Wrapped,
                Lines::Endless,
                Lines::Endless,
                Lines::Pairs,
            ]),
            chains: random.permille(250),
            separators: match random.below(10) {
                // Quiet moves with the separator of captures, and the other separator for captures.
                0 => Some(['x', 'x']),
                1 => Some(['-', if ours == ':' { 'x' } else { ':' }]),
                _ => None,
            },
            zeros: is_numeric && random.permille(150),
            capitals: letters == SquareNaming::Algebraic && random.permille(150),
            letters: match letters {
                SquareNaming::Algebraic if random.permille(50) => SquareNaming::Numeric,
                letters => letters,
            },
            results: if random.permille(300) { ResultFormat::Default } else { own },
            end: match random.below(20) {
                0..=1 => Terminator::Star,
                2 => Terminator::Nothing,
                _ => Terminator::Result,
            },
            gap: random.permille(700),
            ..clean
        }
    }

    /// Returns the results for a win of the side that moves first, a draw, and a win of the other side.
    pub(crate) fn results(&self) -> [&'static str; 3] {
        let is_international = self.results == ResultFormat::International;
        match (self.points, is_international) {
            (Points::Dash, true) => ["2-0", "1-1", "0-2"],
            (Points::Dash, false) => ["1-0", "1/2-1/2", "0-1"],
            (Points::SpacedDash, true) => ["2 - 0", "1 - 1", "0 - 2"],
            (Points::SpacedDash, false) => ["1 - 0", "1/2 - 1/2", "0 - 1"],
            (Points::Colon, true) => ["2:0", "1:1", "0:2"],
            (Points::Colon, false) => ["1:0", "1/2:1/2", "0:1"],
            (Points::SpacedColon, true) => ["2 : 0", "1 : 1", "0 : 2"],
            (Points::SpacedColon, false) => ["1 : 0", "1/2 : 1/2", "0 : 1"],
        }
    }
}

/// Names of squares as bytes.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// At most three bytes and their number.
    text: Vec<([u8; 3], u8)>,
}

impl Names {
    pub(crate) fn new(names: &SquareNames, style: &Style) -> Self {
        let text = (0..128).map(|bit| {
            let mut name = names.name_in(Square(bit), style.letters).to_string();
            if (style.zeros || style.pads) && name.len() == 1 {
                name.insert(0, if style.pads { ' ' } else { '0' });
            }
            if style.capitals {
                name.make_ascii_uppercase();
            }
            let mut bytes = [0; 3];
            let len = name.len().min(3);
            bytes[..len].copy_from_slice(&name.as_bytes()[..len]);
            (bytes, len as u8)
        });
        Self { text: text.collect() }
    }

    /// Appends the name of a square.
    #[inline]
    pub(crate) fn write(&self, square: Square, out: &mut Vec<u8>) {
        let (bytes, len) = &self.text[usize::from(square.bit() & 127)];
        out.extend_from_slice(&bytes[..usize::from(*len)]);
    }
}
