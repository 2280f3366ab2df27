//! Kinds of deliberate damage. All of them occur in real archives.

use serde::Serialize;

/// A kind of damage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DamageKind {
    /// An illegal move.
    IllegalMove,
    /// A ply is left out, so that the next one is illegal.
    MissingMove,
    /// The text ends within the moves, possibly within a move, without a result.
    Truncated,
    /// An unclosed comment before a ply.
    OpenComment,
    /// An unclosed variation before a ply.
    OpenVariation,
    /// Control characters and other bytes before a ply.
    Garbage,
    /// A remark without braces directly after a ply.
    GluedText,
    /// A missing terminator.
    NoTerminator,
    /// An Event tag without its opening bracket.
    LostBracket,
    /// A Result tag that contradicts the terminator.
    WrongResult,
}

impl DamageKind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::IllegalMove,
        Self::MissingMove,
        Self::Truncated,
        Self::OpenComment,
        Self::OpenVariation,
        Self::Garbage,
        Self::GluedText,
        Self::NoTerminator,
        Self::LostBracket,
        Self::WrongResult,
    ];

    /// Returns `true` if the damage is at a ply, so that the game needs one.
    pub(crate) const fn needs_plies(self) -> bool {
        !matches!(self, Self::NoTerminator | Self::LostBracket | Self::WrongResult)
    }
}

/// A deliberately damaged game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Damage {
    /// Number of the game in the archive, from 0.
    pub game: u64,
    /// Offset of its record in the archive, in bytes.
    pub offset: u64,
    /// The kind of damage.
    pub kind: DamageKind,
    /// The damaged ply, from 0, which is the number of undamaged plies before it; `None` if all plies are undamaged.
    pub ply: Option<u32>,
}
