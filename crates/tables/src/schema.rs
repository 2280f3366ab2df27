//! The definition of all tables: names, types and meanings of their columns. Every format and the guide read it.

use pdn::value::FenStyle;
use pdn_index::game_columns;
use pdn_index::internal::query::Tables;
use pdn_index::internal::{GameFacts, TextColumn};

use super::batch::{
    BatchColumn, ColumnValues, DictionaryValues, ListValues, MapValues, SquareSets, TextValues,
};
use super::dataset::{DatasetGames, DatasetOptions};

/// The version of the tables. It changes when a column changes its meaning, not when columns are added.
pub const SCHEMA_VERSION: u32 = 1;

/// A table that games are exported to.
///
/// ```
/// use pdn_tables::Table;
///
/// assert_eq!(Table::ALL.map(Table::name), ["games", "moves", "positions", "comments", "diagnostics"]);
/// // The columns, with their types and meanings.
/// assert!(Table::Moves.markdown().contains("| `text` | text |"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum Table {
    /// A row for each record.
    Games,
    /// A row for each legal move.
    Moves,
    /// A row for each position of a main line.
    Positions,
    /// A row for each comment.
    Comments,
    /// A row for each diagnostic.
    Diagnostics,
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// `true` or `false`.
    Bool,
    /// A signed integer of 16 bits.
    I16,
    /// A signed integer of 32 bits.
    I32,
    /// A signed integer of 64 bits.
    I64,
    /// A date of the Gregorian calendar.
    Date,
    /// A position key: 64 bits.
    Key,
    /// A set of squares: bit `n - 1` is the square with number `n`. 64 bits, on the 12x12 board 128.
    Squares,
    /// A text in UTF-8.
    Text,
    /// One of a few texts.
    Word,
    /// A list of signed integers of 16 bits.
    I16List,
    /// A list of signed integers of 32 bits.
    I32List,
    /// Names with texts.
    TextMap,
}

impl ValueType {
    /// Returns the name in the guide.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Date => "date",
            Self::Key => "key",
            Self::Squares => "squares",
            Self::Text => "text",
            Self::Word => "word",
            Self::I16List => "list of i16",
            Self::I32List => "list of i32",
            Self::TextMap => "map of text",
        }
    }

    /// Creates a column of this type without values.
    pub(super) fn column(self) -> BatchColumn {
        BatchColumn::new(match self {
            Self::Bool => ColumnValues::Bool(Vec::new()),
            Self::I16 => ColumnValues::I16(Vec::new()),
            Self::I32 => ColumnValues::I32(Vec::new()),
            Self::I64 => ColumnValues::I64(Vec::new()),
            Self::Date => ColumnValues::Date(Vec::new()),
            Self::Key => ColumnValues::Key(Vec::new()),
            Self::Squares => ColumnValues::Squares(SquareSets::default()),
            Self::Text => ColumnValues::Text(TextValues::default()),
            Self::Word => ColumnValues::Dictionary(DictionaryValues::default()),
            Self::I16List => ColumnValues::I16List(ListValues::default()),
            Self::I32List => ColumnValues::I32List(ListValues::default()),
            Self::TextMap => ColumnValues::TextMap(MapValues::default()),
        })
    }
}

/// The definition of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ColumnSpec {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub value_type: ValueType,
    /// `true` if a value may be null.
    pub nullable: bool,
    /// `true` if the column is exported unless others are chosen.
    pub default: bool,
    /// What a value takes besides the tags of a record.
    pub(super) needs: Needs,
    /// What a value is, with its unit.
    pub doc: &'static str,
}

/// What the values of a column are made from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Needs {
    /// The place of the record alone.
    Place,
    /// The row of an index, or the tags of the record.
    Row,
    /// The row of an index, or a replay.
    Replay,
    /// An index; null without one.
    Index,
    /// The tags or the movetext of the record; an index does not have it.
    Text,
    /// A replay of the text; an index does not have it.
    TextReplay,
    /// A check of the text and a replay.
    Check,
}

impl Needs {
    /// Returns `true` if the text of the record is needed even where there is an index.
    pub(super) fn text(self) -> bool {
        self >= Self::Text
    }

    /// Returns `true` if a record has to be replayed.
    pub(super) fn replay(self) -> bool {
        matches!(self, Self::Replay | Self::TextReplay | Self::Check)
    }
}

/// Defines the columns of a table as an enum and as a list of their definitions, in the same order. Values without a column of
/// the table come first.
macro_rules! columns {
    (
        $(#[$doc:meta])* $visibility:vis $name:ident, $specs:ident
        $(, others { $($other:ident $other_text:literal $other_type:ident, $other_help:literal;)* })?;
        $($variant:ident $text:literal $type:ident $null:ident $default:ident $needs:ident, $help:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $visibility enum $name {
            $(#[doc = $help] $variant,)*
            $($(#[doc = $other_help] $other,)*)?
        }

        impl $name {
            /// Every column of the table, in the order of the definitions.
            pub(super) const ALL: &[Self] = &[$(Self::$variant,)*];

            $(
                /// Returns the name.
                pub const fn name(self) -> &'static str {
                    match self {
                        $(Self::$other => $other_text,)*
                        column => $specs[column as usize].name,
                    }
                }

                /// Returns the meaning, in a line.
                pub const fn doc(self) -> &'static str {
                    match self {
                        $(Self::$other => $other_help,)*
                        column => $specs[column as usize].doc,
                    }
                }

                /// Returns the type of the values.
                pub const fn value_type(self) -> ValueType {
                    match self {
                        $(Self::$other => ValueType::$other_type,)*
                        column => $specs[column as usize].value_type,
                    }
                }
            )?
        }

        const $specs: &[ColumnSpec] = &[$(ColumnSpec {
            name: $text,
            value_type: ValueType::$type,
            nullable: columns!(@ $null),
            default: columns!(@ $default),
            needs: Needs::$needs,
            doc: $help,
        },)*];
    };
    (@ nullable) => { true };
    (@ required) => { false };
    (@ default) => { true };
    (@ extra) => { false };
}

columns! {
    /// A value of a game by name: a column of [`Table::Games`], a field of `pdn find --fields`, or both. In the doc of a value is its
    /// meaning in the table.
    #[non_exhaustive]
    pub GameField, GAMES, others {
        Ply "ply" I32, "number of plies before the match of a search";
        Fen "fen" Text, "position of the match of a search, as a FEN";
    };
    Game "game" I64 nullable default Place, "number of the game in the index, from 1; null without an index";
    File "file" Word required default Place, "path as given, `-` for standard input, or `archive.zip/entry.pdn`";
    Record "record" I64 required default Place, "number of the record in the file, from 1";
    Line "line" I64 required default Text, "line of the file in which the record begins, from 1";
    Offset "offset" I64 required default Place, "offset of the record in the unpacked file, in bytes from 0";
    Length "length" I64 required default Place, "length of the record in bytes";
    Status "status" Word required default Replay, "`legal`, `illegal`, `ambiguous`, `damaged`, `empty`, `unsupported` or `problem`";
    Variant "variant" Word required default Replay, "key of the variant, such as `international`";
    VariantFrom "variant_from" Word required default Replay, "how the variant is known: `tag`, `option`, `inferred`, or `assumed` if nothing shows it";
    Event "event" Text nullable default Row, "Event tag";
    Site "site" Text nullable default Row, "Site tag";
    Round "round" Text nullable default Row, "Round tag, as written";
    White "white" Text nullable default Row, "player of White";
    Black "black" Text nullable default Row, "player of Black";
    Date "date" Date nullable default Row, "date, if year, month and day are known";
    DateText "date_text" Text nullable default Text, "Date tag, as written";
    Year "year" I16 nullable default Row, "year of the date";
    Month "month" I16 nullable default Row, "month of the date, from 1";
    WhiteRating "white_rating" I16 nullable default Row, "rating of White";
    BlackRating "black_rating" I16 nullable default Row, "rating of Black";
    Result "result" Text nullable default Text, "result that counts: the Result tag, or the terminator if the tag gives no result";
    ResultTag "result_tag" Text nullable default Text, "Result tag, as written";
    ResultEnd "result_end" Text nullable default Text, "terminator, as written";
    Winner "winner" Word nullable default Replay, "`white`, `black` or `draw`, from `result`; null for no result and for a loss of both";
    TimeControl "time_control" Text nullable default Text, "TimeControl tag";
    Annotator "annotator" Text nullable default Row, "Annotator tag";
    Opening "opening" Text nullable default Text, "Opening tag";
    OpeningPlayed "opening_played" Text nullable extra Replay, "names of the opening that the moves show, `; ` between that of its last named position and that of its structure";
    Novelty "novelty" I32 nullable extra Index, "number of plies before the first move that leads to a position which no game of an earlier date has; null without one or without a year";
    ManTakes "man_takes" I32 nullable extra Index, "most pieces that a man took in one move";
    KingTakes "king_takes" I32 nullable extra Index, "most pieces that a king took in one move";
    WhitePromotes "white_promotes" I32 nullable extra Index, "plies up to White's first promotion, that ply included; null without one";
    BlackPromotes "black_promotes" I32 nullable extra Index, "plies up to Black's first promotion, that ply included; null without one";
    WhiteLead "white_lead" I32 nullable extra Index, "most pieces that White had more than Black; 0 if never more";
    BlackLead "black_lead" I32 nullable extra Index, "most pieces that Black had more than White; 0 if never more";
    KingRun "king_run" I32 nullable extra Index, "most plies in a row without a capture or a move of a man";
    StartFen "start_fen" Text nullable default Replay, "start position as a FEN; null if it is that of the variant";
    Plies "plies" I32 required default Replay, "legal plies of the main line";
    PliesWritten "plies_written" I32 required default TextReplay, "written moves of the main line, legal or not";
    Variations "variations" I32 required default Check, "variations, nested ones included";
    Comments "comments" I32 required default Check, "comments";
    Errors "errors" I32 required default Check, "diagnostics of severity `error`";
    Warnings "warnings" I32 required default Check, "diagnostics of severity `warning`";
    FinalFen "final_fen" Text required default Replay, "position after the last legal ply, as a FEN";
    Moves "moves" Text nullable default Replay, "legal moves of the main line, separated by spaces; null without one";
    Tags "tags" TextMap required default Text, "all tags; the first of several with one name";
}

/// Writes what follows the flag of a text that earlier versions did not store, and nothing for a text without a flag.
macro_rules! of_optional {
    ($flag:literal $($field:tt)*) => { $($field)* };
}

macro_rules! indexed_fields {
    (
        []
        texts { $($(#[$doc:meta])* $text:ident $field:ident $name:literal = $number:literal in $of:ident $(, since $flag:literal)?;)* }
        numbers { $($numbers:tt)* }
        facts { $($(#[$fact_doc:meta])* $fact:ident $fact_field:ident $fact_name:literal = $fact_number:literal;)* }
        $($rest:tt)*
    ) => {
        /// The pattern of the fields that are texts of an index.
        macro_rules! text_fields {
            () => { $(GameField::$text)|* };
        }

        /// The pattern of the fields that are facts.
        macro_rules! fact_fields {
            () => { $(GameField::$fact)|* };
        }

        pub(super) use {fact_fields, text_fields};

        impl GameField {
            /// The fields of the matches of a search, in the order of the JSON of `pdn find`.
            pub const OF_MATCHES: &[Self] = &[
                Self::Game,
                Self::Ply,
                Self::White,
                Self::Black,
                Self::Event,
                Self::Site,
                Self::Date,
                Self::DateText,
                Self::Year,
                Self::Month,
                Self::Round,
                Self::Result,
                Self::ResultTag,
                Self::ResultEnd,
                Self::Winner,
                Self::Variant,
                Self::VariantFrom,
                Self::Plies,
                Self::Status,
                Self::WhiteRating,
                Self::BlackRating,
                Self::File,
                Self::Record,
                Self::Offset,
                Self::Length,
                Self::Fen,
                Self::Moves,
                $($(of_optional!($flag Self::$text),)?)*
                Self::OpeningPlayed,
                Self::Novelty,
                $(Self::$fact,)*
            ];

            /// Returns `true` for a field that the JSON of a match has unless others are chosen.
            pub const fn is_default_of_matches(self) -> bool {
                match self {
                    Self::ResultTag | Self::ResultEnd | Self::Fen | Self::Moves | Self::OpeningPlayed | Self::Novelty => false,
                    $($(of_optional!($flag Self::$text) => false,)?)*
                    _ => !self.is_fact(),
                }
            }

            /// Returns the column of an index that has the text; `None` for a value that is no such text.
            pub const fn text_column(self) -> Option<TextColumn> {
                match self {
                    $(Self::$text => Some(TextColumn::$text),)*
                    _ => None,
                }
            }

            /// Returns the fact that the field is about; `None` for a value that is no fact, and for a promotion that did not happen.
            #[doc(hidden)]
            pub const fn fact(self, facts: &GameFacts) -> Option<u32> {
                match self {
                    Self::WhitePromotes if facts.white_promotes == 0 => None,
                    Self::BlackPromotes if facts.black_promotes == 0 => None,
                    $(Self::$fact => Some(facts.$fact_field),)*
                    _ => None,
                }
            }
        }
    };
}

game_columns!(indexed_fields);

impl GameField {
    /// Returns `true` for a fact.
    #[doc(hidden)]
    pub const fn is_fact(self) -> bool {
        matches!(self, fact_fields!())
    }

    /// Returns `true` for a field of a match that an index does not store, so that the text of the game is read for it.
    pub const fn needs_text_of_match(self) -> bool {
        matches!(self, Self::ResultTag | Self::ResultEnd)
    }

    /// Returns `true` for a field of numbers.
    pub const fn is_number(self) -> bool {
        matches!(self.value_type(), ValueType::I16 | ValueType::I32 | ValueType::I64)
    }
}

columns! {
    /// A column of [`Table::Moves`].
    pub(super) MovesColumn, MOVES;
    Game "game" I64 nullable default Place, "number of the game in the index, from 1; null without an index";
    File "file" Word required default Place, "path as given, `-` for standard input, or `archive.zip/entry.pdn`";
    Record "record" I64 required default Place, "number of the record in the file, from 1";
    Line "line" I32 required default Place, "0 for the main line; variations count from 1, in the order in which they begin";
    Ply "ply" I32 required default Replay, "number of plies before the move, along its line";
    By "by" Word required default Replay, "side that moves: `white` or `black`";
    Text "text" Text required default Replay, "the move as PDN 3.0 writes it: first and last square, or all squares where another capture has the same";
    Written "written" Text nullable default TextReplay, "the move as written";
    From "from" I16 required default Replay, "number of the first square";
    To "to" I16 required default Replay, "number of the last square";
    Path "path" I16List required default Replay, "numbers of the squares that the piece touches; of several paths with one effect, the first found";
    Captured "captured" I16List required default Replay, "numbers of the captured squares, in ascending order";
    Man "man" Bool required default Replay, "whether a man moves";
    Promotes "promotes" Bool required default Replay, "whether a man becomes a king";
    LegalMoves "legal_moves" I16 nullable default Replay, "number of legal moves in the position; null if they are too many to be searched";
    ClockMs "clock_ms" I64 nullable default TextReplay, "time left to the side that moved, in milliseconds, from a `clk` or `clock` command";
    EmtMs "emt_ms" I64 nullable default TextReplay, "time spent on the move, in milliseconds, from an `emt` command";
    EvalCp "eval_cp" I32 nullable default TextReplay, "evaluation in hundredths of a man, from an `eval` command, with the sign as written";
    Nags "nags" I32List nullable default TextReplay, "numeric annotation glyphs";
    Key "key" Key required default Replay, "key of the position before the move";
    Table "table" Word nullable extra Replay, "`win`, `draw` or `loss`: what tables of endings prove of the position before the move, for the side that makes it; null where they do not reach, and without tables";
    TableDistance "table_distance" I32 nullable extra Replay, "plies to the end of a proven win or loss, if both sides play as well as they can";
}

columns! {
    /// A column of [`Table::Positions`].
    pub(super) PositionsColumn, POSITIONS;
    Key "key" Key required default Replay, "key of the position";
    Game "game" I64 nullable default Place, "number of the game in the index, from 1; null without an index";
    File "file" Word required default Place, "path as given, `-` for standard input, or `archive.zip/entry.pdn`";
    Record "record" I64 required default Place, "number of the record in the file, from 1";
    Ply "ply" I32 required default Replay, "number of plies before the position";
    Variant "variant" Word required default Replay, "key of the variant";
    WhiteToMove "white_to_move" Bool required default Replay, "whether White is to move";
    WhiteMen "white_men" Squares required default Replay, "squares of the white men, numbered as the variant numbers them";
    WhiteKings "white_kings" Squares required default Replay, "squares of the white kings";
    BlackMen "black_men" Squares required default Replay, "squares of the black men";
    BlackKings "black_kings" Squares required default Replay, "squares of the black kings";
    Fen "fen" Text required extra Replay, "the position as a FEN";
    Quiet "quiet" Bool required default Replay, "whether the side to move has no capture";
    LegalMoves "legal_moves" I16 nullable default Replay, "number of legal moves; null if they are too many to be searched";
    Winner "winner" Word nullable default Replay, "`white`, `black` or `draw`: how the game ended";
    MoveFrom "move_from" I16 nullable default Replay, "number of the first square of the move played; null in the last position";
    MoveTo "move_to" I16 nullable default Replay, "number of the last square of the move played";
    Status "status" Word required extra Replay, "status of the game";
    EvalCp "eval_cp" I32 nullable extra TextReplay, "evaluation in hundredths of a man, from an `eval` command after the move that led to the position, with the sign as written";
    Table "table" Word nullable extra Replay, "`win`, `draw` or `loss`: what tables of endings prove for the side to move; null where they do not reach, and without tables";
    TableDistance "table_distance" I32 nullable extra Replay, "plies to the end of a proven win or loss, if both sides play as well as they can";
}

columns! {
    /// A column of [`Table::Comments`].
    pub(super) CommentsColumn, COMMENTS;
    Game "game" I64 nullable default Place, "number of the game in the index, from 1; null without an index";
    File "file" Word required default Place, "path as given, `-` for standard input, or `archive.zip/entry.pdn`";
    Record "record" I64 required default Place, "number of the record in the file, from 1";
    Line "line" I32 required default Text, "0 for the main line; variations count from 1, in the order in which they begin";
    Ply "ply" I32 required default Text, "number of written moves before the comment, along its line";
    Kind "kind" Word required default Text, "`braces`, `semicolon`, `percent`, `parentheses` or `bare`";
    Text "text" Text required default Text, "the comment, without its braces";
    At "at" I64 required default Text, "offset of the comment in the unpacked file, in bytes from 0, braces included";
    Length "length" I64 required default Text, "length in bytes, braces included";
}

columns! {
    /// A column of [`Table::Diagnostics`].
    pub(super) DiagnosticsColumn, DIAGNOSTICS;
    Game "game" I64 nullable default Place, "number of the game in the index, from 1; null without an index";
    File "file" Word required default Place, "path as given, `-` for standard input, or `archive.zip/entry.pdn`";
    Record "record" I64 required default Place, "number of the record in the file, from 1";
    Code "code" Word required default Check, "code, such as `R001`";
    Severity "severity" Word required default Check, "`error`, `warning` or `style`";
    Line "line" I64 required default Check, "line of the first byte, from 1";
    Column "column" I64 required default Check, "column of the first byte, in characters from 1";
    At "at" I64 required default Check, "offset of the first byte in the unpacked file, from 0";
    Length "length" I64 required default Check, "length in bytes, 0 for a place between two bytes";
    Message "message" Text required default Check, "what is wrong";
    Help "help" Text nullable default Check, "how to fix it";
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 5] = [Self::Games, Self::Moves, Self::Positions, Self::Comments, Self::Diagnostics];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Moves => "moves",
            Self::Positions => "positions",
            Self::Comments => "comments",
            Self::Diagnostics => "diagnostics",
        }
    }

    /// Returns the definitions of the columns, in their order.
    #[doc(hidden)]
    pub const fn columns(self) -> &'static [ColumnSpec] {
        match self {
            Self::Games => GAMES,
            Self::Moves => MOVES,
            Self::Positions => POSITIONS,
            Self::Comments => COMMENTS,
            Self::Diagnostics => DIAGNOSTICS,
        }
    }

    /// Returns the columns as a table in Markdown, as the guide has them.
    pub fn markdown(self) -> String {
        let mut text = String::from("| column | type | meaning |\n|---|---|---|\n");
        for column in self.columns() {
            let null = if column.nullable { " or null" } else { "" };
            let extra = if column.default { "" } else { " (only on request)" };
            text += &format!(
                "| `{}` | {}{null} | {}{extra} |\n",
                column.name,
                column.value_type.name(),
                column.doc
            );
        }
        text
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A table and the columns of it that are exported, in the order in which they are exported.
///
/// ```
/// use pdn_tables::{ColumnSelection, CsvWriter, Table};
///
/// let columns = ColumnSelection::named(Table::Games, ["white", "black", "result"]).unwrap();
/// assert_eq!(CsvWriter::new(&columns).header(), b"white,black,result\r\n");
/// // All columns but those that have to be asked for.
/// assert!(CsvWriter::new(&ColumnSelection::of(Table::Moves)).header().starts_with(b"game,file,record,line,ply,"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnSelection {
    table: Table,
    columns: Vec<usize>,
}

/// The error of a name that is no column of a table, or stands twice in a selection.
///
/// [`ColumnSelection::named`] returns it.
///
/// ```
/// use pdn_tables::{ColumnSelection, Table};
///
/// let error = ColumnSelection::named(Table::Comments, ["ply", "comment"]).unwrap_err();
/// assert_eq!((error.name.as_str(), error.repeated), ("comment", false));
/// // The message names the columns that there are.
/// assert!(error.to_string().starts_with("the table `comments` has no column `comment`; its columns are game, "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownColumn {
    /// The table.
    pub table: Table,
    /// The name.
    pub name: String,
    /// `true` if the table has the column, but it is selected twice.
    pub repeated: bool,
}

impl std::fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.repeated {
            return write!(f, "the column `{}` is selected twice", self.name);
        }
        let names: Vec<_> = self.table.columns().iter().map(|column| column.name).collect();
        write!(
            f,
            "the table `{}` has no column `{}`; its columns are {}",
            self.table,
            self.name,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownColumn {}

impl ColumnSelection {
    /// Selects the columns that are exported by default.
    pub fn of(table: Table) -> Self {
        let is_default = |&n: &usize| table.columns()[n].default;
        Self { table, columns: (0..table.columns().len()).filter(is_default).collect() }
    }

    /// Selects columns by their names, in this order.
    ///
    /// # Errors
    /// [`UnknownColumn`] for a name that the table does not have, or that is given twice.
    pub fn named<'n>(table: Table, names: impl IntoIterator<Item = &'n str>) -> Result<Self, UnknownColumn> {
        let mut columns = Vec::new();
        for name in names {
            let found = table.columns().iter().position(|column| column.name == name);
            let repeated = found.is_some_and(|column| columns.contains(&column));
            match found.filter(|_| !repeated) {
                Some(column) => columns.push(column),
                None => return Err(UnknownColumn { table, name: name.to_owned(), repeated }),
            }
        }
        Ok(Self { table, columns })
    }

    /// Selects what a training set takes beyond the positions, for an export whose options have those of the training set.
    #[doc(hidden)]
    pub fn of_dataset(options: &DatasetOptions) -> Self {
        let evaluations = |column: &ColumnSpec| options.eval && column.name == "eval_cp";
        let columns = POSITIONS.iter().enumerate().filter(|(_, column)| evaluations(column));
        Self { table: Table::Positions, columns: columns.map(|(n, _)| n).collect() }
    }

    /// Returns the table.
    pub fn table(&self) -> Table {
        self.table
    }

    /// Iterates over the definitions of the selected columns.
    #[doc(hidden)]
    pub fn specs(&self) -> impl ExactSizeIterator<Item = &'static ColumnSpec> {
        self.columns.iter().map(|&column| &self.table.columns()[column])
    }

    /// Returns `true` if some selected column takes the text of a record even where there is an index.
    ///
    /// The moves of variations are in no index; see [`ExportOptions::main_line`](super::ExportOptions::main_line).
    pub fn needs_text(&self) -> bool {
        let makes_rows = matches!(self.table, Table::Comments | Table::Diagnostics);
        makes_rows || self.specs().any(|column| column.needs.text())
    }

    /// Returns `true` if some selected column takes an index, and is null without one.
    #[doc(hidden)]
    pub fn needs_index(&self) -> bool {
        self.specs().any(|column| column.needs == Needs::Index)
    }

    /// Returns `true` if a selected column takes tables of endings, and is null without them.
    #[doc(hidden)]
    pub fn needs_tables(&self) -> bool {
        self.specs().any(|column| column.name.starts_with("table"))
    }

    /// Returns `true` if the novelties of games are selected.
    pub(super) fn has_novelties(&self) -> bool {
        self.table == Table::Games && self.specs().any(|column| column.name == GameField::Novelty.name())
    }

    /// Returns `true` if some selected column takes the line of a record in its file.
    pub fn needs_lines(&self) -> bool {
        let wanted = |column: &ColumnSpec| match self.table {
            Table::Games => column.name == "line",
            Table::Diagnostics => matches!(column.name, "line" | "column"),
            _ => false,
        };
        self.specs().any(wanted)
    }

    /// Returns `true` if some selected column takes a replay.
    pub(super) fn needs_replay(&self) -> bool {
        // How many rows these tables have takes a replay, whatever the columns.
        let makes_rows = matches!(self.table, Table::Moves | Table::Positions | Table::Diagnostics);
        makes_rows || self.specs().any(|column| column.needs.replay())
    }

    /// Returns `true` if some selected column takes a check.
    pub(super) fn needs_check(&self) -> bool {
        self.table == Table::Diagnostics || self.specs().any(|column| column.needs == Needs::Check)
    }

    /// Returns the selected columns as values of the enum of the table.
    pub(super) fn of_table<C: Copy>(&self, all: &[C]) -> Vec<C> {
        self.columns.iter().map(|&column| all[column]).collect()
    }

    /// Creates a batch without rows, whose positions are written in a style and looked up in tables of endings.
    pub(super) fn batch(&self, fen_style: FenStyle, tables: Option<&Tables>) -> super::TableBatch {
        super::TableBatch {
            rows: 0,
            columns: self.specs().map(|column| column.value_type.column()).collect(),
            dataset: DatasetGames::default(),
            fen_style,
            tables: tables.cloned(),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/support/snapshot.rs"]
mod snapshot;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn guide_lists_the_columns_of_every_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/src/guide/tables.md");
        let page = std::fs::read_to_string(&path).expect("the page");
        let expected = Table::ALL.iter().fold(page, |page, table| {
            let (before, rest) =
                page.split_once(&format!("\n## `{table}`\n")).expect("a section of each table");
            let (text, rest) = rest.split_once("| column | type | meaning |\n").expect("the columns");
            let rest = rest.split_once("\n\n").map_or("", |(_, rest)| rest);
            format!("{before}\n## `{table}`\n{text}{}\n{rest}", table.markdown())
        });
        snapshot::compare(&path, &expected).unwrap_or_else(|difference| panic!("{difference}"));
    }

    #[test]
    fn column_names_are_unique() {
        for table in Table::ALL {
            let mut names: Vec<_> = table.columns().iter().map(|column| column.name).collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        }
    }
}
