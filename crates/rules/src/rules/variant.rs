//! The games that have a name.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::axes::Rules;
use super::table;
use crate::board::{Board, Numbering, SquareNames, SquareNaming};
use crate::value::{Colour, Corner, draughts_games};

/// Rules and a numbering: all that is needed to play a game and to read and write its moves.
///
/// ```
/// use pdn_rules::position::Position;
/// use pdn_rules::rules::{GameRules, Variant};
///
/// let position = Position::start(Variant::Turkish);
/// assert_eq!(*position.game(), GameRules::from(Variant::Turkish));
/// assert_eq!(Variant::of_game(position.game()), Some(Variant::Turkish));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct GameRules {
    /// How pieces move, capture and promote, and how a game ends.
    #[doc(hidden)]
    pub rules: Rules,
    /// The names of the squares, and the side that starts.
    #[doc(hidden)]
    pub numbering: Numbering,
}

impl GameRules {
    /// Creates the game with these rules and this numbering.
    #[doc(hidden)]
    pub const fn new(rules: Rules, numbering: Numbering) -> Self {
        Self { rules, numbering }
    }

    /// Creates the tables of square names, in about 100 ns. Keep the result in code that is called often.
    pub const fn names(&self) -> SquareNames {
        SquareNames::new(self.rules.board, self.numbering)
    }
}

macro_rules! variants {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal, $rules:ident,
        $start:ident $letters:ident $corner:ident $inverted:literal,
        $title:literal $(($width:literal, $height:literal) $results:ident $capture:literal)?, [$($other:literal)*];)*) => {
        /// A game of the GameType table of PDN 3.0, or of a server that extends the table.
        ///
        /// ```
        /// use pdn_rules::board::Board;
        /// use pdn_rules::rules::Variant;
        ///
        /// let large = Variant::ALL.iter().filter(|variant| variant.board() == Board::Twelve);
        /// assert_eq!(large.map(|variant| variant.name()).collect::<Vec<_>>(), ["canadian"]);
        /// assert_eq!(Variant::Canadian.number(), 27);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        #[doc(alias = "checkers", alias = "draughts")]
        pub enum Variant {
            $($(#[$doc])* $variant,)*
        }

        impl Variant {
            /// All variants in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name in the spelling of the command line and of indexes.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the number in the GameType tag.
            pub const fn number(self) -> u16 {
                match self { $(Self::$variant => $number,)* }
            }

            /// Returns the rules and the numbering of the variant's row.
            pub const fn game(self) -> GameRules {
                match self {
                    $(Self::$variant => GameRules {
                        rules: table::$rules,
                        numbering: Numbering {
                            start: Colour::$start,
                            letters: SquareNaming::$letters,
                            corner: Corner::$corner,
                            inverted: $inverted,
                        },
                    },)*
                }
            }
        }

        static NAMES: [SquareNames; Variant::ALL.len()] = [$(Variant::$variant.game().names(),)*];
    };
}

draughts_games!(variants);

impl Variant {
    /// Returns the variant with this name, in upper or lower case; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }

    /// Returns the variant of a GameType number without attributes; `None` if there is none. Number 23 is American
    /// pool.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.number() == number)
    }

    /// Returns the first variant with exactly these rules and this numbering; `None` if there is none.
    pub fn of_game(game: &GameRules) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.game() == *game)
    }

    /// Returns the full value of the GameType tag, such as `20,W,10,10,N2,0`.
    pub fn tag(self) -> String {
        self.tag_with(self.game().numbering)
    }

    /// Returns the full value of the GameType tag of a game that numbers its squares in this way.
    ///
    /// ```
    /// use pdn_rules::rules::Variant;
    /// use pdn_rules::value::Colour;
    ///
    /// let mut numbering = Variant::International.game().numbering;
    /// numbering.start = Colour::Black;
    /// assert_eq!(Variant::International.tag_with(numbering), "20,B,10,10,N2,0");
    /// ```
    #[doc(hidden)]
    pub fn tag_with(self, numbering: Numbering) -> String {
        let (number, board) = (self.number(), self.board());
        let (start, notation) = (numbering.start.letter(), numbering.notation());
        let inverted = u8::from(numbering.inverted);
        format!("{number},{start},{},{},{notation},{inverted}", board.width(), board.height())
    }

    /// Returns the names of the variant's squares, from a table computed at compile time.
    pub fn names(self) -> &'static SquareNames {
        &NAMES[self as usize]
    }

    /// Returns the rules of the variant's row.
    #[doc(hidden)]
    pub const fn rules(self) -> Rules {
        self.game().rules
    }

    /// Returns the board of the variant's row.
    pub const fn board(self) -> Board {
        self.game().rules.board
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Variant> for GameRules {
    fn from(variant: Variant) -> Self {
        variant.game()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::GameType;

    #[test]
    fn variants_write_the_tags_of_the_standard() {
        for (variant, tag) in [
            (Variant::International, "20,W,10,10,N2,0"),
            (Variant::English, "21,B,8,8,N1,0"),
            (Variant::Italian, "22,W,8,8,N2,1"),
            (Variant::Pool, "23,B,8,8,N1,0"),
            (Variant::UnifiedPool, "23,W,8,8,A0,0"),
            (Variant::ZimbabweanPool, "23,W,8,8,A0,0"),
            (Variant::Jamaican, "23,W,8,8,A1,1"),
            (Variant::Spanish, "24,W,8,8,N1,1"),
            (Variant::Russian, "25,W,8,8,A0,0"),
            (Variant::Brazilian, "26,W,8,8,A0,0"),
            (Variant::Canadian, "27,W,12,12,N2,0"),
            (Variant::Portuguese, "28,W,8,8,N1,1"),
            (Variant::Czech, "29,W,8,8,A0,0"),
            (Variant::Turkish, "30,W,8,8,A0,0"),
            (Variant::Thai, "31,B,8,8,N2,0"),
            (Variant::Frisian, "40,W,10,10,N2,0"),
            (Variant::Spantsiretti, "41,W,10,8,A0,0"),
        ] {
            assert_eq!(variant.tag(), tag);
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
            assert_eq!(variant.names(), &variant.game().names());
        }
        for &variant in Variant::ALL {
            let game_type = GameType::parse(variant.tag().as_bytes()).expect("a tag");
            assert!(game_type.has_table_board(), "{variant}: the size of the board");
            let separator = game_type.capture_separator();
            assert!(separator.is_none_or(|byte| byte == variant.rules().capture_separator), "{variant}");
        }
        assert_eq!(Variant::from_number(23), Some(Variant::Pool));
        assert_eq!(Variant::from_number(97), Some(Variant::Frysk));
        assert_eq!(Variant::from_number(99), None, "number 99, from-position, leaves the rules open");
        assert_eq!(Variant::from_name("chess"), None);
    }
}
