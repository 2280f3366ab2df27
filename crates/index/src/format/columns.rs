//! The declaration of a game's row: every column that an index stores of a game, with its section.
//!
//! Everything that has an entry for each column follows from it: the sections of a segment, the row, import, merging,
//! verification, and the names of the texts in queries, in `pdn find --fields` and in exported tables. So a text that is added
//! here is stored, merged, verified, shown and searched.

/// Passes the declaration to a macro, after further arguments in square brackets:
///
/// - Texts: variant, field of a row, name, section, dictionary; they are read from the tag of the same name. A column that
///   earlier versions did not store also has the flag by which the manifest says that the games of an input have it. The
///   column is written only for segments in which some game has such a text.
/// - Numbers: variant, name, section, and whether a table of the different values may make the column smaller.
/// - Facts: variant, field of [`GameFacts`](crate::GameFacts), name, section. Earlier versions did not store them, so a segment may
///   lack them all; a search then plays the games that facts would have excluded.
/// - Dictionaries: the sections of the texts, of their end offsets and of the map of folded texts; their numbers follow each
///   other from the given one on; their names.
#[doc(hidden)]
#[macro_export]
macro_rules! game_columns {
    ($use:ident $($arguments:tt)*) => {
        $use! {
            [$($arguments)*]
            texts {
                /// Name of the player of White.
                White white "white" = 16 in Players;
                /// Name of the player of Black.
                Black black "black" = 17 in Players;
                /// Event tag.
                Event event "event" = 18 in Events;
                /// Site tag.
                Site site "site" = 19 in Sites;
                /// Round tag, as written.
                Round round "round" = 20 in Rounds;
                /// The result that counts, as written: the Result tag, or the terminator if the tag gives no result. See
                /// [`ReplaySummary::result`](pdn::replay::ReplaySummary::result).
                Result result "result" = 21 in Results;
                /// Annotator tag.
                Annotator annotator "annotator" = 30 in Annotators, since 32;
            }
            numbers {
                /// Date as `year << 9 | month << 5 | day`, 0 for an unknown part.
                Date "date" = 22, true;
                /// White's rating, 0 for none.
                WhiteRating "white-rating" = 23, false;
                /// Black's rating, 0 for none.
                BlackRating "black-rating" = 24, false;
                /// Status, outcome and flags in one byte.
                Summary "summary" = 25, true;
                /// Index into the section `kinds`, from 0.
                Kind "kind" = 26, false;
                /// Legal plies of the main line, null moves excluded.
                Plies "plies" = 27, false;
                /// Piece counts before the first ply.
                First "first-material" = 28, true;
                /// Piece counts after the last ply.
                Last "last-material" = 29, true;
            }
            facts {
                /// Most pieces that a man took in one move.
                ManTakes man_takes "man-takes" = 48;
                /// Most pieces that a king took in one move.
                KingTakes king_takes "king-takes" = 49;
                /// Number of plies up to White's first promotion, that ply included; 0 without one.
                WhitePromotes white_promotes "white-promotes" = 50;
                /// Number of plies up to Black's first promotion, that ply included; 0 without one.
                BlackPromotes black_promotes "black-promotes" = 51;
                /// Most pieces that White had more than Black in a position; 0 if never more.
                WhiteLead white_lead "white-lead" = 52;
                /// Most pieces that Black had more than White in a position; 0 if never more.
                BlackLead black_lead "black-lead" = 53;
                /// Most plies in a row without a capture or a move of a man.
                KingRun king_run "king-run" = 54;
            }
            dictionaries {
                /// Names of players.
                Players PlayerEnds PlayerForms = 64, "players" "player-ends" "player-forms";
                /// Events.
                Events EventEnds EventForms = 67, "events" "event-ends" "event-forms";
                /// Sites.
                Sites SiteEnds SiteForms = 70, "sites" "site-ends" "site-forms";
                /// Rounds.
                Rounds RoundEnds RoundForms = 73, "rounds" "round-ends" "round-forms";
                /// Results as written.
                Results ResultEnds ResultForms = 76, "results" "result-ends" "result-forms";
                /// Annotators.
                Annotators AnnotatorEnds AnnotatorForms = 79, "annotators" "annotator-ends" "annotator-forms";
            }
        }
    };
}

use pdn::internal::view::TagValues;
use pdn::value::TagName;

macro_rules! sections {
    (
        []
        texts { $($(#[$doc:meta])* $text:ident $field:ident $text_name:literal = $text_number:literal in $of:ident $(, since $flag:literal)?;)* }
        numbers { $($(#[$number_doc:meta])* $column:ident $column_name:literal = $column_number:literal, $tabled:literal;)* }
        facts { $($(#[$fact_doc:meta])* $fact:ident $fact_field:ident $fact_name:literal = $fact_number:literal;)* }
        dictionaries { $($(#[$texts_doc:meta])* $texts:ident $ends:ident $forms:ident = $first:literal, $texts_name:literal $ends_name:literal $forms_name:literal;)* }
    ) => {
        /// A part of a segment. Its number is part of the format and never reused.
        ///
        /// No promise: part of the format, public for tools and tests.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u32)]
        #[doc(hidden)]
        pub enum Section {
            /// Packed moves of all games.
            Moves = 1,
            /// End offsets of the moves of each game.
            MoveEnds = 2,
            /// Lower halves of the checksums of the moves of every 32 games.
            MoveSums = 3,
            /// End offsets of the record of each game, relative to the first record of the segment.
            TextEnds = 4,
            /// Combined checksums of the records of up to 32 consecutive games.
            TextSums = 5,
            /// Inputs and offsets of runs of consecutive games.
            Runs = 6,
            /// Distinct game kinds: variant, numbering, and how the variant is known.
            Kinds = 7,
            /// End offsets, in games, of the blocks of [`TextSums`](Self::TextSums).
            TextSumEnds = 8,
            $($(#[$doc])* $text = $text_number,)*
            $($(#[$number_doc])* $column = $column_number,)*
            $($(#[$fact_doc])* $fact = $fact_number,)*
            $(
                $(#[$texts_doc])* $texts = $first,
                /// End offsets of these texts.
                $ends = $first + 1,
                /// Map from their folded forms to first numbers.
                $forms = $first + 2,
            )*
            /// Which games have variations, comments and NAGs.
            Annotations = 112,
            /// Variations of the games that have any.
            Variations = 113,
            /// End offsets of the variations of each of these games.
            VariationLengths = 114,
            /// Places of comments and NAGs in the games that have any.
            Notes = 115,
            /// End offsets of the notes of each of these games.
            NoteLengths = 116,
            /// Records of the games, compressed in blocks.
            Text = 96,
            /// End offsets of the compressed blocks.
            TextBlocks = 97,
        }

        impl Section {
            /// All sections.
            pub const ALL: &[Self] = &[
                Self::Moves, Self::MoveEnds, Self::MoveSums, Self::TextEnds, Self::TextSums, Self::Runs, Self::Kinds,
                Self::TextSumEnds, $(Self::$text,)* $(Self::$column,)* $(Self::$fact,)*
                $(Self::$texts, Self::$ends, Self::$forms,)*
                Self::Annotations, Self::Variations, Self::VariationLengths, Self::Notes, Self::NoteLengths,
                Self::Text, Self::TextBlocks,
            ];

            /// Returns the name that messages use.
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Moves => "moves",
                    Self::MoveEnds => "move-ends",
                    Self::MoveSums => "move-sums",
                    Self::TextEnds => "text-ends",
                    Self::TextSums => "text-sums",
                    Self::Runs => "runs",
                    Self::Kinds => "kinds",
                    Self::TextSumEnds => "text-sum-ends",
                    $(Self::$text => $text_name,)*
                    $(Self::$column => $column_name,)*
                    $(Self::$fact => $fact_name,)*
                    $(Self::$texts => $texts_name, Self::$ends => $ends_name, Self::$forms => $forms_name,)*
                    Self::Annotations => "annotations",
                    Self::Variations => "variations",
                    Self::VariationLengths => "variation-lengths",
                    Self::Notes => "notes",
                    Self::NoteLengths => "note-lengths",
                    Self::Text => "text",
                    Self::TextBlocks => "text-blocks",
                }
            }
        }

        /// A text that an index stores of every game: a column of numbers in a dictionary.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        pub enum TextColumn {
            $($(#[$doc])* $text,)*
        }

        impl TextColumn {
            /// All columns.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$text,)*];
            /// The number of columns.
            pub(crate) const COUNT: usize = [$($text_number,)*].len();

            /// Returns the name in queries, in lists of fields and in exported tables.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$text => $text_name,)* }
            }

            /// Returns the tag that the text is read from. The terminator of a game may count in place of the Result tag.
            pub const fn tag(self) -> TagName {
                $(const { assert!(TagValues::keeps(TagName::$text), concat!("`TagValues` has no slot for ", stringify!($text))) };)*
                match self { $(Self::$text => TagName::$text,)* }
            }

            /// Returns the section of the column.
            pub(crate) const fn section(self) -> Section {
                match self { $(Self::$text => Section::$text,)* }
            }

            /// Returns the dictionary that the numbers of the column refer to.
            pub(crate) const fn dictionary(self) -> DictionaryKind {
                match self { $(Self::$text => DictionaryKind::$of,)* }
            }

            /// Returns the flag of an input whose games have the column; 0 if the games of every index have it.
            pub(crate) const fn input_flag(self) -> u8 {
                match self { $(Self::$text => 0 $(| $flag)?,)* }
            }
        }

        /// A number that an index stores of every game.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum NumberColumn {
            $($(#[$number_doc])* $column,)*
            $($(#[$fact_doc])* $fact,)*
        }

        impl NumberColumn {
            /// All columns, in the order of their sections.
            pub(crate) const ALL: [Self; Self::COUNT] = [$(Self::$column,)* $(Self::$fact,)*];
            /// The number of columns.
            pub(crate) const COUNT: usize = [$($column_number,)* $($fact_number,)*].len();
            /// The columns that lists, reports and trees need, and extracts have: those but the facts and the piece counts.
            pub(crate) const OF_ROWS: &[Self] =
                &[Self::Date, Self::WhiteRating, Self::BlackRating, Self::Summary, Self::Kind, Self::Plies];
            /// The columns of facts.
            pub(crate) const FACTS: &[Self] = &[$(Self::$fact,)*];

            /// Returns the section of the column.
            pub(crate) const fn section(self) -> Section {
                match self {
                    $(Self::$column => Section::$column,)*
                    $(Self::$fact => Section::$fact,)*
                }
            }

            /// Returns `true` if a table of the different values may make the column smaller.
            pub(crate) const fn tries_table(self) -> bool {
                match self {
                    $(Self::$column => $tabled,)*
                    $(Self::$fact => false,)*
                }
            }

            /// Returns `true` for a fact, which earlier versions did not store.
            pub(crate) const fn is_fact(self) -> bool {
                match self {
                    $(Self::$column => false,)*
                    $(Self::$fact => true,)*
                }
            }
        }

        /// A dictionary: the distinct values of a tag, or of both player tags.
        ///
        /// No promise: part of the format, public for tools and tests.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[doc(hidden)]
        pub enum DictionaryKind {
            $($(#[$texts_doc])* $texts,)*
        }

        impl DictionaryKind {
            /// All dictionaries, in the order of their sections.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$texts,)*];
            /// The number of dictionaries.
            pub(crate) const COUNT: usize = [$($first,)*].len();

            /// Returns the sections of the texts, their end offsets and the map of folded texts.
            pub(crate) const fn sections(self) -> [Section; 3] {
                match self { $(Self::$texts => [Section::$texts, Section::$ends, Section::$forms],)* }
            }
        }
    };
}

game_columns!(sections);

impl TextColumn {
    /// The flags of an input of which this version has written every game.
    pub(crate) const INPUT_FLAGS: u8 = {
        let (mut flags, mut column) = (0, 0);
        while column < Self::COUNT {
            flags |= Self::ALL[column].input_flag();
            column += 1;
        }
        flags
    };

    /// Returns `true` if the column is written only where some game has such a text, and earlier versions did not store it.
    #[doc(hidden)]
    pub const fn is_optional(self) -> bool {
        self.input_flag() != 0
    }
}

impl DictionaryKind {
    /// Returns `true` if the dictionary is written only where a column that needs it is.
    pub(crate) fn is_optional(self) -> bool {
        TextColumn::ALL.iter().all(|column| column.dictionary() != self || column.is_optional())
    }
}
