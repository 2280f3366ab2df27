//! Ways in which games are broken on purpose. All of them are seen in real archives.

use serde::Serialize;

/// What is wrong with a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DamageKind {
    /// A ply goes where the rules do not allow.
    IllegalMove,
    /// A ply is left out, so that the next one is illegal.
    MissingMove,
    /// The text ends in the middle of the moves, perhaps of a move, without a result.
    Truncated,
    /// A comment before a ply is never closed.
    OpenComment,
    /// A variation before a ply is never closed.
    OpenVariation,
    /// Control characters and other bytes stand before a ply.
    Garbage,
    /// A remark without braces is glued to a ply.
    GluedText,
    /// The result at the end is missing.
    NoTerminator,
    /// The tag Event has lost its opening bracket.
    LostBracket,
    /// The tag Result says something else than the end of the game.
    WrongResult,
}

impl DamageKind {
    /// All of them.
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

    /// Whether it concerns a ply, so that there must be one.
    pub(crate) const fn needs_plies(self) -> bool {
        !matches!(self, Self::NoTerminator | Self::LostBracket | Self::WrongResult)
    }
}

/// A game that was broken on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Damage {
    /// Number of the game in the archive, from 0.
    pub game: u64,
    /// Where its record begins.
    pub offset: u64,
    /// What is wrong with it.
    pub kind: DamageKind,
    /// The ply concerned, from 0; how many plies are whole before it. `None` where all are whole.
    pub ply: Option<u32>,
}
