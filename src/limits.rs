//! Bounds that keep work linear and memory flat on hostile input.
//!
//! Every limit has a diagnostic that says where it struck; none loses a byte.

/// What a reader is willing to spend on one game.
///
/// The defaults admit every real file known and still keep a gigabyte of `(` harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest record in bytes. A longer one is cut there and goes on as a record of its own. At most
    /// [`Limits::MAX_GAME_BYTES`].
    pub game_bytes: usize,
    /// How far the closing brace of a comment is looked for, in bytes. A comment without one in that range
    /// counts as never closed: it ends before the next line that starts with a tag.
    pub comment_bytes: usize,
    /// Deepest nesting of variations that is handed out; deeper ones are skipped as one block.
    pub variation_depth: u32,
    /// Most diagnostics kept for one game; further ones are counted only.
    pub diagnostics: u32,
    /// Most nodes of one capture search, which on crafted positions is exponential. A game may have a few searches of
    /// that size; after those, smaller ones are given up too.
    pub capture_nodes: u32,
}

impl Limits {
    /// Upper bound of [`Limits::game_bytes`]: spans are 32 bits wide.
    pub const MAX_GAME_BYTES: usize = 1 << 31;

    /// The defaults, as a constant.
    pub const DEFAULT: Self = Self {
        game_bytes: 16 << 20,
        comment_bytes: 1 << 20,
        variation_depth: 1_000,
        diagnostics: 1_000,
        capture_nodes: 1_000_000,
    };

    /// Where a record that starts at `from` ends at the latest.
    #[inline]
    pub(crate) fn record_end(&self, from: usize) -> usize {
        from.saturating_add(self.game_bytes.clamp(1, Self::MAX_GAME_BYTES))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
