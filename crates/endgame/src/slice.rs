//! Slices: numbers of men and kings, the order in which they are solved, and which of them the rules exclude.

use std::fmt;

use pdn_rules::Position;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ending, Rules};

/// The most pieces that an ending has. More do not fit on any disk.
pub const MAX_PIECES: u8 = 8;

/// The positions with these numbers of men and kings.
///
/// Men and kings are those of the side to move, then those of the other side. So one slice holds positions with White to move and with Black
/// to move: the latter are the former with colours exchanged and the board turned.
///
/// ```
/// use pdn_endgame::Slice;
/// use pdn_rules::{Position, Variant};
///
/// let slice = Slice::of(&Position::parse_fen(Variant::International, "B:W28,32:BK5,13")?);
/// assert_eq!(slice, Slice { men: [1, 2], kings: [1, 0] });
/// assert_eq!(slice.to_string(), "m1k1-m2k0");
/// # Ok::<(), pdn_rules::position::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Slice {
    /// The men of the side to move, then of the other side.
    pub men: [u8; 2],
    /// The kings of the side to move, then of the other side.
    pub kings: [u8; 2],
}

/// Writes `m1k1-m2k0`: the men and kings of the side to move, then of the other side.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([men, other_men], [kings, other_kings]) = (self.men, self.kings);
        f.pad(&format!("m{men}k{kings}-m{other_men}k{other_kings}"))
    }
}

impl Slice {
    /// Returns the slice that a position belongs to.
    pub fn of(position: &Position) -> Self {
        Self::of_state(position.state())
    }

    pub(crate) fn of_state(state: &State<u128>) -> Self {
        let sides = [state.turn, !state.turn];
        Self {
            men: sides.map(|side| state.men(side).count_ones() as u8),
            kings: sides.map(|side| state.kings(side).count_ones() as u8),
        }
    }

    /// Returns all slices with `pieces` pieces in all, of which each side has at least one. They are in the order in which they are
    /// solved: those with fewer men first. A slice stands next to the one with the sides exchanged.
    ///
    /// ```
    /// let names: Vec<_> = pdn_endgame::Slice::all(2).iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["m0k1-m0k1", "m0k1-m1k0", "m1k0-m0k1", "m1k0-m1k0"]);
    /// ```
    pub fn all(pieces: u8) -> Vec<Self> {
        let mut slices = Vec::new();
        for own in 1..pieces {
            let other = pieces - own;
            for own_men in 0..=own {
                for other_men in 0..=other {
                    slices
                        .push(Self { men: [own_men, other_men], kings: [own - own_men, other - other_men] });
                }
            }
        }
        slices.sort_by_key(|slice| (slice.men[0] + slice.men[1], (*slice).min(slice.exchanged()), *slice));
        slices
    }

    /// Returns the number of pieces of both sides.
    pub fn pieces(&self) -> u32 {
        self.men.iter().chain(&self.kings).map(|&count| u32::from(count)).sum()
    }

    /// Returns the slice with the sides exchanged: the one that a quiet move leads to, unless it promotes.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Returns the slices that captures and promotions lead to, as far as both sides keep a piece.
    pub(crate) fn leads_to(&self) -> Vec<Self> {
        let mut slices = Vec::new();
        for promoted in 0..=self.men[0].min(1) {
            for men_captured in 0..=self.men[1] {
                for kings_captured in 0..=self.kings[1] {
                    let left = [self.men[1] - men_captured, self.kings[1] - kings_captured];
                    if promoted + men_captured + kings_captured > 0 && left != [0, 0] {
                        slices.push(Self {
                            men: [left[0], self.men[0] - promoted],
                            kings: [left[1], self.kings[0] + promoted],
                        });
                    }
                }
            }
        }
        slices
    }

    /// Returns `true` if the game is over in every position of the slice, so that there is nothing to solve: a side has no piece left to
    /// move with, or has a king where the first one wins.
    pub(crate) fn is_over(&self, ending: Ending) -> bool {
        self.men[0] + self.kings[0] == 0 || ending == Ending::FirstKingWins && self.kings != [0, 0]
    }

    /// Returns `true` if the rules of the game limit the moves of a king in a row while its side has a man, and a side has both or may come
    /// to have both. Such positions have no value without the moves before them.
    ///
    /// ```
    /// use pdn_endgame::Slice;
    /// use pdn_rules::Variant;
    ///
    /// let slice = Slice { men: [1, 0], kings: [1, 1] };
    /// assert!(slice.needs_streaks(Variant::Frisian) && !slice.needs_streaks(Variant::International));
    /// // One of two men may become a king; a man alone leaves no man.
    /// assert!(Slice { men: [2, 0], kings: [0, 1] }.needs_streaks(Variant::Frisian));
    /// assert!(!Slice { men: [1, 0], kings: [0, 2] }.needs_streaks(Variant::Frisian));
    /// ```
    pub fn needs_streaks(&self, game: impl Into<pdn_rules::rules::GameRules>) -> bool {
        self.has_streaks(&game.into().rules)
    }

    pub(crate) fn has_streaks(&self, rules: &Rules) -> bool {
        let [own, other] = [0, 1].map(|side| self.men[side] > 0 && self.men[side] + self.kings[side] > 1);
        rules.movement.king_streak != 0 && (own || other)
    }
}
