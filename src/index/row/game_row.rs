//! A game as a row of the table.

use std::fmt;

use crate::board::{Numbering, SquareNaming};
use crate::index::format::wire::{Reader, Writer};
use crate::position::PieceCounts;
use crate::replay::{GameStatus, VariantBasis};
use crate::rules::{GameRules, Variant};
use crate::value::{Colour, Corner, Date, Outcome};

/// Everything that an index knows of a game.
///
/// Texts are UTF-8 as a reader is to see them; the bytes as written stay in the archive. An absent tag is an
/// empty text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRow<'a> {
    /// White's name.
    pub white: &'a str,
    /// Black's name.
    pub black: &'a str,
    /// The event.
    pub event: &'a str,
    /// The site.
    pub site: &'a str,
    /// The round, as written.
    pub round: &'a str,
    /// The result as written.
    pub result: &'a str,
    /// The date, as far as it is known.
    pub date: Date,
    /// The ratings of White and Black; 0 for none.
    pub ratings: [u16; 2],
    /// Whether the game could be replayed.
    pub status: GameStatus,
    /// Who won, in terms of the side that starts.
    pub outcome: Outcome,
    /// The first position is not the start position of the variant: the moves begin with a setup.
    pub from_fen: bool,
    /// The main line contains setups or null moves.
    pub has_setups: bool,
    /// Which game it is.
    pub kind: GameKind,
    /// Legal plies of the main line. A null move is no ply, here and in all counts.
    pub plies: u32,
    /// Pieces before the first ply.
    pub first: PackedPieceCounts,
    /// Pieces after the last ply.
    pub last: PackedPieceCounts,
}

impl GameRow<'_> {
    /// The colour that won.
    pub fn winner(&self) -> Option<Colour> {
        self.outcome.winner(self.kind.numbering.start)
    }
}

/// Which game is played, and how that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameKind {
    /// The rules.
    pub variant: Variant,
    /// The names of the squares, and who starts.
    pub numbering: Numbering,
    /// How it is known.
    pub basis: VariantBasis,
}

impl GameKind {
    /// The rules and the numbering.
    pub const fn game(&self) -> GameRules {
        GameRules { rules: self.variant.rules(), numbering: self.numbering }
    }

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
        Some(Self { variant, numbering: Numbering { start, letters, corner, inverted }, basis })
    }
}

/// How many pieces of each kind: seven bits each for White's men and kings and Black's men and kings, from the
/// lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PackedPieceCounts(u32);

impl PackedPieceCounts {
    /// From a number as the column has it.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << 28) - 1))
    }

    /// The number in the column.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Men of a side.
    pub const fn men(self, colour: Colour) -> u8 {
        (self.0 >> (14 * colour as u32) & 127) as u8
    }

    /// Kings of a side.
    pub const fn kings(self, colour: Colour) -> u8 {
        (self.0 >> (14 * colour as u32 + 7) & 127) as u8
    }

    /// Pieces of a side.
    pub const fn pieces(self, colour: Colour) -> u8 {
        self.men(colour) + self.kings(colour)
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
        write!(f, "Material(white {}+{}K, black {}+{}K)", white.0, white.1, black.0, black.1)
    }
}

/// The date as a number that sorts like it.
pub(crate) fn date_bits(date: Date) -> u32 {
    u32::from(date.year().unwrap_or(0)) << 9
        | u32::from(date.month().unwrap_or(0)) << 5
        | u32::from(date.day().unwrap_or(0))
}

/// The date of a number; unknown if the number is none.
pub(crate) fn date_of(bits: u64) -> Option<Date> {
    let known = |value: u64| (value != 0).then_some(value);
    let year = known(bits >> 9).map(u16::try_from).transpose().ok()?;
    Date::new(year, known(bits >> 5 & 15).map(|month| month as u8), known(bits & 31).map(|day| day as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_format_come_back() {
        for (year, month, day) in
            [(Some(1996), Some(12), Some(28)), (Some(9999), None, None), (None, None, None)]
        {
            let date = Date::new(year, month, day).expect("a date");
            assert_eq!(date_of(u64::from(date_bits(date))), Some(date));
        }
        assert_eq!(date_of(2000 << 9 | 13 << 5), None);
        let material = PackedPieceCounts::from(PieceCounts { men: [20, 19], kings: [0, 3] });
        assert_eq!(format!("{material:?}"), "Material(white 20+0K, black 19+3K)");
        for &variant in Variant::ALL {
            let kind = GameKind { variant, numbering: variant.game().numbering, basis: VariantBasis::Game };
            let mut out = Writer::default();
            kind.write(&mut out);
            assert_eq!(GameKind::read(&mut Reader(&out.0)), Some(kind));
        }
    }
}
