//! The table of game types of PDN 3.0.

use super::attributes::{Corner, GameTypeAttributes, Notation, NotationStyle};
use crate::value::Colour;
use crate::value::result_format::ResultFormat;

/// The kind of game that a game type number denotes.
///
/// ```
/// use pdn_rules::value::GameType;
/// use pdn_rules::internal::value::GameTypeStatus;
///
/// assert_eq!(GameType::of_number(25).status(), GameTypeStatus::Draughts);
/// assert_eq!(GameType::of_number(0).status(), GameTypeStatus::OtherGame("Chess"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum GameTypeStatus {
    /// A draughts game: one of the standard's table, or one of the numbers 96 to 99 of lidraughts.
    Draughts,
    /// Another game of the table, with its name.
    OtherGame(&'static str),
    /// A number that the standard reserves for future games.
    Reserved,
    /// A number without a meaning.
    Unknown,
}

/// A row of the table of game types: of the standard, or a number used by lidraughts.
///
/// ```
/// use pdn_rules::internal::value::GAME_TYPES;
///
/// let row = GAME_TYPES.iter().find(|row| row.number == 25).expect("a row of the table");
/// assert_eq!((row.name, row.capture), ("Russian draughts", Some(':')));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct GameTypeRow {
    /// The game type number.
    pub number: u16,
    /// The name of the game.
    pub name: &'static str,
    /// The attributes that the number implies; `None` if the table gives none.
    pub attributes: Option<GameTypeAttributes>,
    /// The result format of the game type; `None` if the table gives none.
    pub results: Option<ResultFormat>,
    /// The separator between the squares of a capture; `None` if the table gives none.
    pub capture: Option<char>,
}

/// Passes the declaration of all draughts games to a macro. A game has:
///
/// - its variant, the number of its GameType tag, its name on the command line, and its row of rules;
/// - the side that starts, and how squares are named: the kind of names, the corner of the first square, and whether the board is
///   inverted;
/// - its title and, if the table of PDN 3.0 has it, the size of the board, the result format and the separator of captures;
/// - the names that servers, programs and people use for it alone, in normal form: lower case, letters and digits only, without words
///   such as "draughts".
///
/// PDN 3.0, chapter "GameType tag"; numbers 96 to 98 are those of lidraughts.
macro_rules! draughts_games {
    ($use:ident) => {
        $use! {
            /// International draughts.
            International = 20, "international", INTERNATIONAL, White Numeric TopLeft false,
                "International draughts" (10, 10) International 'x', [
                    "international" "internationale" "internazionale" "internacional" "internationaal"
                    "standard" "standardinternational" "polish" "polonaise" "continental" "10x10" "100"
                    "dames" "jeu" "dammen" "hundredsquare" "стоклеточные" "международные"
                ];
            /// English draughts, American checkers.
            English = 21, "english", ENGLISH, Black Numeric BottomRight false,
                "English draughts" (8, 8) Default 'x', [
                    "english" "american" "americanenglish" "englishamerican" "angloamerican" "anglaises"
                    "british" "checkers" "straight" "acf" "wcdf"
                ];
            /// Italian draughts.
            Italian = 22, "italian", ITALIAN, White Numeric TopLeft true,
                "Italian draughts" (8, 8) Default 'x', ["italian" "italiana" "italiano"];
            /// American pool checkers.
            Pool = 23, "pool", POOL, Black Numeric BottomRight false,
                "American pool checkers" (8, 8) Default 'x', ["pool" "americanpool"];
            /// Pool checkers under the rules of the world federation: algebraic names, White starts.
            UnifiedPool = 23, "unified-pool", POOL, White Algebraic BottomLeft false,
                "Pool checkers (unified)" (8, 8) Default 'x', ["unifiedpool"];
            /// Zimbabwean pool checkers: played on the light squares, written in the same way as unified pool.
            ZimbabweanPool = 23, "zimbabwean-pool", POOL, White Algebraic BottomLeft false,
                "Zimbabwean pool checkers" (8, 8) Default 'x', ["zimbabwe" "zimbabwean" "zimbabweanpool"];
            /// Jamaican draughts: pool on the mirrored board.
            Jamaican = 23, "jamaican", POOL, White Algebraic BottomRight true,
                "Jamaican draughts" (8, 8) Default 'x', ["jamaican" "jamaica"];
            /// Spanish draughts.
            Spanish = 24, "spanish", SPANISH, White Numeric BottomRight true,
                "Spanish draughts" (8, 8) Default 'x', ["spanish" "espanolas" "españolas"];
            /// Russian draughts.
            Russian = 25, "russian", RUSSIAN, White Algebraic BottomLeft false,
                "Russian draughts" (8, 8) Default ':', ["russian" "russian64" "russe" "russes" "russkie" "shashki" "шашки" "русские"];
            /// Brazilian draughts.
            Brazilian = 26, "brazilian", BRAZILIAN, White Algebraic BottomLeft false,
                "Brazilian draughts" (8, 8) Default 'x', ["brazilian" "brazilian64" "brasileiras" "brasileira" "brazil" "brésiliennes"];
            /// Canadian draughts.
            Canadian = 27, "canadian", CANADIAN, White Numeric TopLeft false,
                "Canadian draughts" (12, 12) International 'x', ["canadian" "canadiennes" "12x12"];
            /// Portuguese draughts.
            Portuguese = 28, "portuguese", PORTUGUESE, White Numeric BottomRight true,
                "Portuguese draughts" (8, 8) Default 'x', ["portuguese" "portuguesas"];
            /// Czech draughts.
            Czech = 29, "czech", CZECH, White Algebraic BottomLeft false,
                "Czech draughts" (8, 8) Default 'x', ["czech" "česká" "ceska"];
            /// Turkish draughts.
            Turkish = 30, "turkish", TURKISH, White Algebraic BottomLeft false,
                "Turkish draughts" (8, 8) Default 'x', ["turkish" "turca" "türk"];
            /// Thai draughts, makhos.
            Thai = 31, "thai", THAI, Black Numeric TopLeft false,
                "Thai draughts" (8, 8) Default '-', ["thai" "makhos" "makhot"];
            /// Frisian draughts.
            Frisian = 40, "frisian", FRISIAN, White Numeric TopLeft false,
                "Frisian draughts" (10, 10) Default 'x', ["frisian" "fries"];
            /// Spantsiretti.
            Spantsiretti = 41, "spantsiretti", SPANTSIRETTI, White Algebraic BottomLeft false,
                "Spantsiretti draughts" (10, 8) Default ':', ["spantsiretti" "spancirety"];
            /// Breakthrough: the first king wins.
            Breakthrough = 96, "breakthrough", BREAKTHROUGH, White Numeric TopLeft false,
                "Breakthrough draughts", ["breakthrough"];
            /// Frysk!: Frisian with five men a side.
            Frysk = 97, "frysk", FRYSK, White Numeric TopLeft false,
                "Frysk!", ["frysk"];
            /// Antidraughts: the side that has no move left wins.
            Antidraughts = 98, "antidraughts", ANTIDRAUGHTS, White Numeric TopLeft false,
                "Antidraughts", ["antidraughts" "antidammen" "anti"];
        }
    };
}

pub(crate) use draughts_games;

macro_rules! rows {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $key:literal, $rules:ident,
        $start:ident $letters:ident $corner:ident $inverted:literal,
        $name:literal $(($width:literal, $height:literal) $results:ident $capture:literal)?, [$($other:literal)*];)*) => {
        /// The table of game types: the draughts games in the order of the standard, then those of lidraughts, then other games.
        ///
        /// A number without attributes denotes its first row: `23` is American pool checkers.
        pub const GAME_TYPES: &[GameTypeRow] = &[
            // Where the standard's table gives nothing, the list has the last element alone.
            $(GameTypeRow {
                number: $number,
                name: $name,
                attributes: [$(Some(GameTypeAttributes {
                    start: Colour::$start,
                    width: $width,
                    height: $height,
                    notation: Notation { style: NotationStyle::$letters, corner: Some(Corner::$corner) },
                    inverted: Some($inverted),
                }),)? None][0],
                results: [$(Some(ResultFormat::$results),)? None][0],
                capture: [$(Some($capture),)? None][0],
            },)*
            other(0, "Chess"),
            other(1, "Chinese chess"),
            other(50, "Othello"),
            other(99, "draughts from a position"),
        ];
    };
}

draughts_games!(rows);

/// Creates a row with a number and a name only.
const fn other(number: u16, name: &'static str) -> GameTypeRow {
    GameTypeRow { number, name, attributes: None, results: None, capture: None }
}
