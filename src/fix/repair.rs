//! What a repair is: the changed text, the reason to trust it, and how far it may be applied without asking.

use std::fmt;
use std::str::FromStr;

use crate::diag::Code;
use crate::edit::{OldOffsets, TextEdit};
use crate::error::UnknownName;

/// How far a repair may be applied without asking.
///
/// [`Repair::applicability`] has it. The order is that of the care that they need:
///
/// ```
/// use pdn::fix::{Applicability, Fixer, select};
///
/// // The option of a user: the boldest repairs that are allowed.
/// let allowed: Applicability = "safe".parse()?;
/// let record = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29";
/// let repairs = Fixer::default().find(record);
/// let chosen = select(&repairs, |repair| repair.applicability <= allowed);
/// // The square 73 is repaired only if `unsafe` is allowed.
/// assert_eq!((repairs.len(), chosen.len()), (2, 1));
/// assert_eq!(chosen[0].edits[0].new, b" *");
/// # Ok::<(), pdn::error::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Applicability {
    /// The game keeps its meaning: the same moves, and the same values of its tags. Replaying it before and after proves
    /// that.
    Safe,
    /// The game gets another meaning. It is the only single change with which the rest of the game can be replayed, or another
    /// text that its bytes prove.
    Unsafe,
    /// Several changes are possible. They are shown and never applied.
    Display,
}

impl Applicability {
    /// Every applicability, the one that needs the least care first.
    pub const ALL: [Self; 3] = [Self::Safe, Self::Unsafe, Self::Display];

    /// Returns `safe`, `unsafe` or `display`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::Display => "display",
        }
    }
}

/// Writes the [name](Applicability::name).
impl fmt::Display for Applicability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [name](Applicability::name), in either case.
impl FromStr for Applicability {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(text));
        named.ok_or(UnknownName { expected: "an applicability: `safe`, `unsafe` or `display`" })
    }
}

/// What a repair changes.
///
/// [`Repair::kind`] has it; [`Fixer`](crate::fix::Fixer) has an example. The guide describes all repairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// A tag is written in its standard form; its value keeps its meaning.
    TagForm,
    /// A tag is added whose value follows from the rest of the game.
    AddedTag,
    /// A repeated tag with the same value is removed.
    RepeatedTag,
    /// The terminator `*` is added.
    Terminator,
    /// A sign between moves is removed.
    Separator,
    /// A move is written in its standard form; it stays the same move.
    MoveForm,
    /// A comment in parentheses is written in braces.
    CommentForm,
    /// Characters are written as such: HTML entities are decoded, texts that were read in another encoding are read back,
    /// byte order marks inside of the text are removed.
    Character,
    /// A square of a move is changed by one slip: a character added, lost, changed, or two of them swapped.
    WrongSquare,
    /// The two squares of a move change places.
    ReversedSquares,
    /// A capture gets another last square.
    CaptureEnd,
    /// A move is inserted.
    LostMove,
    /// A move, or a pair of moves, that is written twice is removed once.
    RepeatedMove,
    /// Two moves, next to each other or of one side, change places.
    SwappedMoves,
    /// All squares are counted from the other side of the board.
    TurnedBoard,
    /// All squares are mirrored from left to right.
    MirroredBoard,
    /// The GameType tag is changed or added.
    Variant,
    /// The other side moves first in the start position.
    SideToMove,
    /// The game starts in the start position of its variant and not in that of the FEN tag.
    UsualStart,
    /// The pieces of both sides are exchanged in the FEN tag.
    ExchangedSides,
    /// The squares in the FEN tag are counted from the other side of the board.
    TurnedStart,
    /// A piece is added to the FEN tag or removed from it.
    StartPiece,
}

impl RepairKind {
    /// Every kind.
    pub const ALL: [Self; 22] = [
        Self::TagForm,
        Self::AddedTag,
        Self::RepeatedTag,
        Self::Terminator,
        Self::Separator,
        Self::MoveForm,
        Self::CommentForm,
        Self::Character,
        Self::WrongSquare,
        Self::ReversedSquares,
        Self::CaptureEnd,
        Self::LostMove,
        Self::RepeatedMove,
        Self::SwappedMoves,
        Self::TurnedBoard,
        Self::MirroredBoard,
        Self::Variant,
        Self::SideToMove,
        Self::UsualStart,
        Self::ExchangedSides,
        Self::TurnedStart,
        Self::StartPiece,
    ];

    /// Returns the name in lower case, such as `wrong-square`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TagForm => "tag-form",
            Self::AddedTag => "added-tag",
            Self::RepeatedTag => "repeated-tag",
            Self::Terminator => "terminator",
            Self::Separator => "separator",
            Self::MoveForm => "move-form",
            Self::Character => "character",
            Self::CommentForm => "comment-form",
            Self::WrongSquare => "wrong-square",
            Self::ReversedSquares => "reversed-squares",
            Self::CaptureEnd => "capture-end",
            Self::LostMove => "lost-move",
            Self::RepeatedMove => "repeated-move",
            Self::SwappedMoves => "swapped-moves",
            Self::TurnedBoard => "turned-board",
            Self::MirroredBoard => "mirrored-board",
            Self::Variant => "variant",
            Self::SideToMove => "side-to-move",
            Self::UsualStart => "usual-start",
            Self::ExchangedSides => "exchanged-sides",
            Self::TurnedStart => "turned-start",
            Self::StartPiece => "start-piece",
        }
    }

    /// Returns the rank among repairs that fit equally well; the more frequent mistakes come first.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Variant => 0,
            Self::SideToMove => 1,
            Self::TurnedBoard | Self::MirroredBoard => 2,
            Self::WrongSquare => 3,
            Self::ReversedSquares => 4,
            Self::RepeatedMove => 5,
            Self::SwappedMoves => 6,
            Self::CaptureEnd => 7,
            Self::LostMove => 8,
            Self::ExchangedSides | Self::TurnedStart => 9,
            Self::UsualStart => 10,
            _ => 11,
        }
    }
}

/// Writes the [name](RepairKind::name).
impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The reason to trust a repair.
///
/// ```
/// use pdn::fix::{Fixer, Proof};
///
/// let record = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *";
/// let repairs = Fixer::default().find(record);
/// let Proof::Replays { plies_before, plies_after, complete, .. } = repairs[0].proof else { panic!() };
/// assert_eq!((plies_before, plies_after, complete), (6, 8, true));
/// assert!(repairs[0].proof.to_string().starts_with("8 legal plies instead of 6, to the end of the game"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Proof {
    /// A replay of the changed record gives the same start position and the same moves.
    SameMoves,
    /// Of all variants that moves can tell apart, only this one replays the whole game; the changed record has the same
    /// start position and the same moves.
    OnlyVariant,
    /// The new text, written in UTF-8 and read in this encoding, gives the old one.
    SameBytes {
        /// Name of the encoding in which it was read.
        encoding: &'static str,
    },
    /// A replay of the changed record goes on where it stopped before.
    Replays {
        /// Number of legal plies before the repair.
        plies_before: u32,
        /// Number of legal plies after it.
        plies_after: u32,
        /// `true` if the game then replays to its end.
        complete: bool,
        /// Number of single changes that were tried.
        tried: u32,
    },
}

/// Writes a sentence without a full stop.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SameMoves => f.write_str("the game has the same moves before and after"),
            Self::OnlyVariant => f.write_str("no other variant replays all moves"),
            Self::SameBytes { encoding } => {
                write!(f, "the new text in UTF-8, read as {encoding}, gives the old one")
            }
            Self::Replays { plies_before, plies_after, complete, tried } => {
                let end = if complete { ", to the end of the game" } else { "" };
                write!(
                    f,
                    "{plies_after} legal plies instead of {plies_before}{end}; {tried} changes were tried"
                )
            }
        }
    }
}

/// A change that would let a damaged game go on.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// What it changes.
    pub kind: RepairKind,
    /// The changes of the text, relative to the first byte of the record.
    pub edits: Vec<TextEdit>,
    /// How far the game replays with it.
    pub proof: Proof,
}

/// A repair of one record.
///
/// [`Fixer::find`](crate::fix::Fixer::find) returns it.
///
/// ```
/// use pdn::fix::Fixer;
///
/// let record = b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 20-24 4. 41-73 23-29 *";
/// let repair = &Fixer::default().find(record)[0];
/// let edit = &repair.edits[0];
/// let (old, new) = (record[edit.range.clone()].escape_ascii(), edit.new.escape_ascii());
/// assert_eq!(
///     format!("{} {} ({}): {old} -> {new}", repair.code.id(), repair.kind, repair.applicability),
///     "R001 wrong-square (unsafe): 41-73 -> 41-37"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The code of the diagnostic that the repair cures.
    pub code: Code,
    /// What it changes.
    pub kind: RepairKind,
    /// How far it may be applied without asking.
    pub applicability: Applicability,
    /// The changes of the text, in text order, relative to the first byte of the record. With
    /// [`Applicability::Display`], those of the likeliest candidate.
    pub edits: Vec<TextEdit>,
    /// The reason to trust it.
    pub proof: Proof,
    /// All candidates, the likeliest first, if there are several; otherwise empty.
    #[doc(hidden)]
    pub candidates: Vec<Candidate>,
    /// `true` if the repair holds only together with the unsafe repair before it in the same record.
    pub needs_previous: bool,
}

impl Repair {
    /// Returns a repair of a text to which edits were applied as one of the text before them; `None` if it changes edited text.
    pub(super) fn mapped_back(mut self, applied: &OldOffsets) -> Option<Self> {
        let candidates = self.candidates.iter_mut().map(|candidate| &mut candidate.edits);
        for edit in candidates.chain([&mut self.edits]).flatten() {
            let range = applied.of(edit.range.start)?..applied.of(edit.range.end)?;
            if range.len() != edit.range.len() {
                return None;
            }
            edit.range = range;
        }
        Some(self)
    }
}

/// Creates a safe repair of one edit. Whether it keeps the moves is still to be proved.
pub(super) fn safe(code: Code, kind: RepairKind, edit: TextEdit) -> Repair {
    Repair {
        code,
        kind,
        applicability: Applicability::Safe,
        edits: vec![edit],
        proof: Proof::SameMoves,
        candidates: Vec::new(),
        needs_previous: false,
    }
}
