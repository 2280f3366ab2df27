//! What is played: single moves, and sacrifices.

use std::fmt;
use std::ops::RangeInclusive;

use super::record::PositionBatch;
use super::spot::SquareRef;
use crate::board::{Bits, Geometry, Numbering, SquareNames};
use crate::value::Colour;

/// A move: the next one at the position in question. What is left out may be anything.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default)]
pub struct MoveCondition {
    /// Where it starts: one of these squares.
    pub from: Vec<SquareRef>,
    /// Where it ends: one of these.
    pub to: Vec<SquareRef>,
    /// Who makes it.
    pub side: Option<Colour>,
    /// Whether a king makes it.
    pub king: Option<bool>,
    /// Whether a man becomes a king.
    pub promotes: Option<bool>,
    /// How many pieces it takes.
    pub takes: Option<RangeInclusive<u8>>,
    /// Squares of pieces that it takes, all of them.
    pub over: Vec<SquareRef>,
}

impl MoveCondition {
    /// Any move.
    pub fn any() -> Self {
        Self::default()
    }

    /// A move that takes so many pieces.
    #[must_use]
    pub fn taking(self, range: RangeInclusive<u8>) -> Self {
        Self { takes: Some(range), ..self }
    }

    /// The test for a board under a numbering; `None` where it has no such squares.
    pub(super) fn compile<G: Geometry>(&self, numbering: Numbering) -> Option<MoveTest<G::Bits>> {
        let names = SquareNames::new(G::BOARD, numbering);
        let set = |spots: &[SquareRef]| {
            let mut bits = spots.iter().filter_map(|spot| spot.bit(&names));
            bits.by_ref().fold(G::Bits::NONE, |set, at| set | G::Bits::one(at))
        };
        // No squares at all if none of those asked for is there.
        let ends = |spots: &[SquareRef]| {
            let set = set(spots);
            if spots.is_empty() { Some(None) } else { set.any().then_some(Some(set)) }
        };
        let all_there = self.over.iter().all(|spot| spot.bit(&names).is_some());
        all_there.then_some(())?;
        Some(MoveTest {
            from: ends(&self.from)?.unwrap_or(G::VALID),
            to: ends(&self.to)?,
            over: set(&self.over),
            side: self.side,
            king: self.king,
            promotes: self.promotes,
            takes: self.takes.clone().map(|range| (*range.start()).into()..=(*range.end()).into()),
        })
    }
}

/// A manoeuvre on a board.
#[derive(Clone, Debug)]
pub(super) struct MoveTest<B> {
    /// A null move starts nowhere.
    from: B,
    to: Option<B>,
    over: B,
    side: Option<Colour>,
    king: Option<bool>,
    promotes: Option<bool>,
    takes: Option<RangeInclusive<u32>>,
}

impl<B: Bits> MoveTest<B> {
    /// At which of these positions it is made next.
    pub(super) fn word(&self, record: &PositionBatch<B>, among: u64) -> u64 {
        let mut word = among;
        if let Some(side) = self.side {
            word &= record.turn(side);
        }
        if let (Some(takes), 1..) = (&self.takes, word) {
            word &= record.takes(takes);
        }
        if let (Some(promotes), 1..) = (self.promotes, word) {
            word &= if promotes { record.promotes() } else { !record.promotes() };
        }
        if word != 0 {
            word &= record.from(self.from);
        }
        if let (Some(to), 1..) = (self.to, word) {
            word &= record.to(to);
        }
        if self.over.any() && word != 0 {
            word &= record.over(self.over);
        }
        if let (Some(king), 1..) = (self.king, word) {
            word &= if king { record.by_king() } else { !record.by_king() };
        }
        word
    }
}

/// The side to move plays on and is soon so many pieces worse off, and maybe gets them back.
///
/// At position `p` with `d` pieces more (or fewer) than the opponent, men and kings counting one each, there is a
/// position within `within` plies after which it has at most `d - given` more. It is regained if at a
/// later position, within the same plies, it has `d` again or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sacrifice {
    /// Pieces given, at least.
    pub given: u8,
    /// Within so many plies.
    pub within: u32,
    /// Whether they were won back; `None` for either.
    pub regained: Option<bool>,
}

impl fmt::Display for MoveCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("move")?;
        let list = |f: &mut fmt::Formatter<'_>, word: &str, spots: &[SquareRef]| {
            let mut before = format!(" {word} ");
            for spot in spots {
                write!(f, "{before}{spot}")?;
                ",".clone_into(&mut before);
            }
            Ok(())
        };
        list(f, "from", &self.from)?;
        list(f, "to", &self.to)?;
        match self.side {
            Some(Colour::White) => f.write_str(" by white")?,
            Some(Colour::Black) => f.write_str(" by black")?,
            None => {}
        }
        match self.king {
            Some(true) => f.write_str(" by king")?,
            Some(false) => f.write_str(" by man")?,
            None => {}
        }
        match self.promotes {
            Some(true) => f.write_str(" promotes")?,
            Some(false) => f.write_str(" stays")?,
            None => {}
        }
        if let Some(takes) = &self.takes {
            write!(f, " takes {}..{}", takes.start(), takes.end())?;
        }
        list(f, "over", &self.over)
    }
}

impl fmt::Display for Sacrifice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sacrifice {} within {}", self.given, self.within)?;
        f.write_str(match self.regained {
            Some(true) => " regained",
            Some(false) => " lost",
            None => "",
        })
    }
}
