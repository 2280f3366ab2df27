//! Game rows: the stored properties of a game, as types and as numbers of the format.

use std::fmt;

use super::game_facts::GameFacts;
use super::summary_bits::SummaryBits;
use crate::format::columns::{NumberColumn, TextColumn};
use crate::format::wire::{Reader, Writer};
use crate::pack::RunningPieceCounts;
use pdn::board::SquareNaming;
use pdn::internal::value::{Score, Tally};
use pdn::position::{PieceCounts, Position};
use pdn::replay::{GameStatus, VariantBasis};
use pdn::rules::{GameRules, Variant};
use pdn::value::{Colour, Date, GameResult, Outcome, ScoreOrder};
use pdn_rules::internal::board::Numbering;
use pdn_rules::internal::value::Corner;

macro_rules! game_row {
    (
        []
        texts { $($(#[$doc:meta])* $text:ident $field:ident $name:literal = $number:literal in $of:ident $(, since $flag:literal)?;)* }
        $($rest:tt)*
    ) => {
        /// What an index stores of a game besides its moves.
        ///
        /// Texts are decoded to UTF-8, without escapes and entities; the bytes as written stay in the archive. An absent tag
        /// is an empty text. So is a text that the version did not store that wrote the index; see
        /// [`Index::stores`](crate::Index::stores).
        ///
        /// [`IndexedGame::row`](crate::IndexedGame::row) returns it.
        ///
        /// ```
        /// # let folder = tempfile::tempdir()?;
        /// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
        /// # use pdn_index::{ImportOptions, import};
        /// use pdn_index::Index;
        /// use pdn::value::Colour;
        ///
        /// let text = "[White \"Ames\"]\n[Date \"1996.12.??\"]\n[WhiteRating \"2215\"]\n[Result \"2-0\"]\n1. 32-28 19-23 *\n";
        /// std::fs::write(&archive, text)?;
        /// # import([&archive], &path, &ImportOptions::new())?;
        /// let index = Index::open(&path)?;
        /// let row = index.game(0).expect("it has one game").row()?;
        /// assert_eq!((row.white, row.black, row.ratings), ("Ames", "", [2215, 0]));
        /// assert_eq!((row.date.year(), row.date.day()), (Some(1996), None));
        /// assert_eq!((row.winner(), row.plies), (Some(Colour::White), 2));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub struct GameRow<'a> {
            $($(#[$doc])* pub $field: &'a str,)*
            /// Date, with unknown parts.
            pub date: Date,
            /// Ratings of White and Black; 0 for none.
            pub ratings: [u16; 2],
            /// Whether the game was replayed to its end, and why not.
            pub status: GameStatus,
            /// Outcome, in terms of the side that starts.
            pub outcome: Outcome,
            /// `true` if the game does not start in the start position of its variant. Its packed moves begin with a setup.
            pub from_fen: bool,
            /// `true` if the main line contains setups or null moves.
            pub has_setups: bool,
            /// Variant and numbering.
            #[doc(hidden)]
            pub kind: GameKind,
            /// Legal plies of the main line. A null move is not a ply, here and in all counts.
            pub plies: u32,
            /// Piece counts before the first ply.
            #[doc(hidden)]
            pub first: PackedPieceCounts,
            /// Piece counts after the last ply.
            #[doc(hidden)]
            pub last: PackedPieceCounts,
            /// What happened on the board; `None` in an index of an earlier version, which did not store it.
            #[doc(hidden)]
            pub facts: Option<GameFacts>,
        }

        impl<'a> GameRow<'a> {
            /// Creates the row of a game of this kind with these piece counts, without tags and moves.
            pub(crate) fn with_counts(kind: GameKind, first: PackedPieceCounts, last: PackedPieceCounts) -> Self {
                Self {
                    $($field: "",)*
                    date: Date::UNKNOWN,
                    ratings: [0; 2],
                    status: GameStatus::Empty,
                    outcome: Outcome::Unknown,
                    from_fen: false,
                    has_setups: false,
                    kind,
                    plies: 0,
                    first,
                    last,
                    facts: None,
                }
            }

            /// Returns the text of a column.
            #[doc(hidden)]
            #[inline]
            pub const fn text(&self, column: TextColumn) -> &'a str {
                match column { $(TextColumn::$text => self.$field,)* }
            }

            /// Returns the row with these texts, in the order of [`TextColumn::ALL`].
            fn with_texts(self, texts: [&'a str; TextColumn::COUNT]) -> Self {
                let [$($field),*] = texts;
                Self { $($field,)* ..self }
            }
        }
    };
}

crate::game_columns!(game_row);

impl<'a> GameRow<'a> {
    /// Creates the row of a game of this kind without tags and moves, in its start position. The fields are public, so
    /// that a caller sets what it knows.
    #[doc(hidden)]
    pub fn new(kind: GameKind) -> Self {
        let counts = PackedPieceCounts::from(Position::start(kind.game()).counts());
        Self::with_counts(kind, counts, counts)
    }

    /// Returns the colour that won; `None` for a draw and an unknown outcome.
    pub fn winner(&self) -> Option<Colour> {
        self.outcome.winner(self.kind.numbering.start)
    }

    /// Returns the side that the first number of the written score belongs to, as its outcome shows; that of PDN where both orders are one.
    #[doc(hidden)]
    pub fn scores(&self) -> ScoreOrder {
        let written = GameResult::parse(self.result.as_bytes());
        match written.outcome() != self.outcome && written.swapped().outcome() == self.outcome {
            true => ScoreOrder::White,
            false => ScoreOrder::First,
        }
    }

    /// Returns what the game counts for the player of a colour.
    #[doc(hidden)]
    pub fn tally(&self, colour: Colour) -> Tally {
        let mut score = Score::default();
        score.add_game(self.outcome, self.kind.numbering.start, colour);
        Tally::of_year(score, self.date.year(), self.ratings[colour as usize])
    }

    /// Returns what the game counts for its event: a game of a year.
    #[doc(hidden)]
    pub fn event_tally(&self) -> Tally {
        Tally::of_year(Score { games: 1, ..Score::default() }, self.date.year(), 0)
    }

    /// Returns the numbers that columns store, in the order of [`NumberColumn::ALL`]. `kind` is the number of the kind.
    #[inline]
    pub(crate) fn numbers(&self, kind: u32) -> [u32; NumberColumn::COUNT] {
        let facts = self.facts.unwrap_or_default();
        NumberColumn::ALL.map(|column| match column {
            NumberColumn::Date => date_bits(self.date),
            NumberColumn::WhiteRating => self.ratings[0].into(),
            NumberColumn::BlackRating => self.ratings[1].into(),
            NumberColumn::Summary => {
                SummaryBits::new(self.status, self.outcome, self.from_fen, self.has_setups).bits().into()
            }
            NumberColumn::Kind => kind,
            NumberColumn::Plies => self.plies,
            NumberColumn::First => self.first.bits(),
            NumberColumn::Last => self.last.bits(),
            fact => facts.get(fact).unwrap_or(0),
        })
    }

    /// Creates a row from the numbers and texts of its columns, with facts if they are known.
    ///
    /// # Errors
    /// The column whose number stands for nothing.
    #[inline]
    pub(crate) fn from_columns(
        numbers: &[u64; NumberColumn::COUNT],
        has_facts: bool,
        texts: [&'a str; TextColumn::COUNT],
        kinds: &[GameKind],
    ) -> Result<Self, NumberColumn> {
        let number = |column: NumberColumn| numbers[column as usize];
        let counts = |column| PackedPieceCounts::from_bits(number(column) as u32);
        let summary = SummaryBits::from_column(number(NumberColumn::Summary));
        let kind = *kinds.get(number(NumberColumn::Kind) as usize).ok_or(NumberColumn::Kind)?;
        let row = Self {
            date: date_of(number(NumberColumn::Date)).ok_or(NumberColumn::Date)?,
            ratings: [NumberColumn::WhiteRating, NumberColumn::BlackRating]
                .map(|column| number(column) as u16),
            status: summary.status().ok_or(NumberColumn::Summary)?,
            outcome: summary.outcome().ok_or(NumberColumn::Summary)?,
            from_fen: summary.starts_from_fen(),
            has_setups: summary.has_setups(),
            plies: number(NumberColumn::Plies) as u32,
            facts: has_facts.then(|| GameFacts::from_columns(numbers)),
            ..Self::with_counts(kind, counts(NumberColumn::First), counts(NumberColumn::Last))
        };
        Ok(row.with_texts(texts))
    }
}

/// Variant and numbering of a game, and how they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameKind {
    /// Variant.
    pub variant: Variant,
    /// Names of the squares, and the side that starts.
    pub numbering: Numbering,
    /// How the variant is known.
    pub basis: VariantBasis,
}

impl GameKind {
    /// Returns the rules and the numbering.
    pub const fn game(&self) -> GameRules {
        GameRules::new(self.variant.rules(), self.numbering)
    }

    /// Returns the full value of a GameType tag for this kind, such as `20,W,10,10,N2,0`.
    pub fn game_type(&self) -> String {
        self.variant.tag_with(self.numbering)
    }

    /// Appends the kind to the section `kinds`.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.bytes(self.variant.name().as_bytes());
        out.u8(self.numbering.start as u8);
        out.u8(match self.numbering.letters {
            SquareNaming::Algebraic => 0,
            SquareNaming::Numeric => 1,
        });
        out.u8(self.numbering.corner as u8);
        out.u8(u8::from(self.numbering.inverted));
        out.u8(self.basis as u8);
    }

    /// Takes a kind from the section `kinds`; `None` if it is malformed or names an unknown variant.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let variant = Variant::from_name(std::str::from_utf8(reader.bytes()?).ok()?)?;
        let start = *Colour::ALL.get(usize::from(reader.u8()?))?;
        let letters = *[SquareNaming::Algebraic, SquareNaming::Numeric].get(usize::from(reader.u8()?))?;
        let corners = [Corner::BottomLeft, Corner::BottomRight, Corner::TopLeft, Corner::TopRight];
        let corner = *corners.get(usize::from(reader.u8()?))?;
        let inverted = match reader.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let bases = [
            VariantBasis::Tag,
            VariantBasis::Caller,
            VariantBasis::File,
            VariantBasis::Game,
            VariantBasis::Moves,
            VariantBasis::Guess,
        ];
        let basis = *bases.get(usize::from(reader.u8()?))?;
        Some(Self { variant, numbering: Numbering::new(start, letters, corner, inverted), basis })
    }
}

/// Piece counts in 28 bits, 7 each: white men (lowest bits), white kings, black men, black kings.
///
/// This is the number that a column stores. [`PieceCounts`] are converted to it by `From`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PackedPieceCounts(u32);

impl PackedPieceCounts {
    /// Creates piece counts from the number in a column. Higher bits are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << 28) - 1))
    }

    /// Returns the number in the column.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the number of men of a side.
    pub const fn men(self, colour: Colour) -> u8 {
        (self.0 >> (14 * colour as u32) & 127) as u8
    }

    /// Returns the number of kings of a side.
    pub const fn kings(self, colour: Colour) -> u8 {
        (self.0 >> (14 * colour as u32 + 7) & 127) as u8
    }

    /// Returns the number of pieces of a side.
    pub const fn pieces(self, colour: Colour) -> u8 {
        self.men(colour) + self.kings(colour)
    }
}

impl From<RunningPieceCounts> for PackedPieceCounts {
    fn from(counts: RunningPieceCounts) -> Self {
        let [white, black] = Colour::ALL.map(|side| counts.men(side) | counts.kings(side) << 7);
        Self(white | black << 14)
    }
}

impl From<PieceCounts> for PackedPieceCounts {
    fn from(counts: PieceCounts) -> Self {
        let [white, black] =
            [0, 1].map(|side| u32::from(counts.men[side] & 127) | u32::from(counts.kings[side] & 127) << 7);
        Self(white | black << 14)
    }
}

impl fmt::Debug for PackedPieceCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = Colour::ALL.map(|side| (self.men(side), self.kings(side)));
        write!(f, "PackedPieceCounts(white {}+{}K, black {}+{}K)", white.0, white.1, black.0, black.1)
    }
}

/// Returns the date as the number of the format, whose order is that of dates.
pub fn date_bits(date: Date) -> u32 {
    u32::from(date.year().unwrap_or(0)) << 9
        | u32::from(date.month().unwrap_or(0)) << 5
        | u32::from(date.day().unwrap_or(0))
}

/// Returns the date of a number of the format; `None` if no such date exists.
pub fn date_of(bits: u64) -> Option<Date> {
    let known = |value: u64| (value != 0).then_some(value);
    let year = known(bits >> 9).map(u16::try_from).transpose().ok()?;
    Date::new(year, known(bits >> 5 & 15).map(|month| month as u8), known(bits & 31).map(|day| day as u8))
}

/// Returns the first day that a date allows, as year, month and day. January has all days of a date without a month.
pub(crate) fn earliest(date: Date) -> (u16, u8, u8) {
    (date.year().unwrap_or(0), date.month().unwrap_or(1), date.day().unwrap_or(1))
}

/// Returns the last day that a date allows, as year, month and day. December has all days of a date without a month.
pub(crate) fn latest(date: Date) -> (u16, u8, u8) {
    let month = date.month().unwrap_or(12);
    let last_day = || {
        let exists = |day: &u8| Date::new(date.year(), Some(month), Some(*day)).is_some();
        (28..=31).rev().find(exists).unwrap_or(31)
    };
    (date.year().unwrap_or(u16::MAX), month, date.day().unwrap_or_else(last_day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_counts_and_kinds_survive_encoding() {
        for (year, month, day) in
            [(Some(1996), Some(12), Some(28)), (Some(9999), None, None), (None, None, None)]
        {
            let date = Date::new(year, month, day).expect("a date");
            assert_eq!(date_of(u64::from(date_bits(date))), Some(date));
        }
        assert_eq!(date_of(2000 << 9 | 13 << 5), None);
        let counts = PackedPieceCounts::from(PieceCounts { men: [20, 19], kings: [0, 3] });
        assert_eq!(format!("{counts:?}"), "PackedPieceCounts(white 20+0K, black 19+3K)");
        for &variant in Variant::ALL {
            let kind = GameKind { variant, numbering: variant.game().numbering, basis: VariantBasis::Game };
            assert_eq!(kind.game_type(), variant.tag());
            let mut out = Writer::default();
            kind.write(&mut out);
            assert_eq!(GameKind::read(&mut Reader(&out.0)), Some(kind));
        }
    }
}
