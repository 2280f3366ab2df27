//! Limits that keep work linear and memory bounded on hostile input.
//!
//! Each limit has a diagnostic that reports where it was reached, except that on the number of diagnostics: further ones
//! are counted. No limit loses a byte.
//!
//! ```
//! use pdn::check::{CheckOptions, Checker};
//! use pdn::limits::Limits;
//!
//! let hostile = b"(1. 32-28 ]} ".repeat(10_000);
//! let options = CheckOptions::new().limits(Limits::new().diagnostics(100));
//! let mut checker = Checker::new(&options);
//! let report = checker.check(&hostile);
//! assert_eq!(report.diagnostics.len(), 100);
//! assert!(report.not_kept() > 0);
//! ```

/// How much work and memory a reader may spend on one record.
///
/// The defaults accept every real file known and keep a gigabyte of `(` harmless.
///
/// ```
/// use pdn::limits::Limits;
///
/// let limits = Limits::new().record_bytes(64 << 10).variation_depth(20);
/// assert_eq!((limits.record_bytes, limits.diagnostics), (65_536, Limits::DEFAULT.diagnostics));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// Maximum length of a record in bytes. A longer record is cut there, and the rest becomes a record of its own.
    /// Values above [`Limits::MAX_RECORD_BYTES`] count as that value, 0 counts as 1.
    pub record_bytes: usize,
    /// Maximum distance in bytes in which the closing brace of a comment is searched. A comment without one in that
    /// range counts as unclosed: it ends before the next line that starts with a tag.
    pub comment_bytes: usize,
    /// Maximum nesting depth of variations that are reported; deeper ones are skipped as one block.
    pub variation_depth: u32,
    /// Maximum number of diagnostics kept per record; further ones are only counted.
    pub diagnostics: u32,
    /// Maximum number of nodes in one capture search, which takes exponential time on crafted positions. What all
    /// searches of a record may use together grows with its length; after that, smaller searches are given up too.
    pub capture_nodes: u32,
}

impl Limits {
    /// Upper bound of [`Limits::record_bytes`], since spans are 32 bits wide.
    pub const MAX_RECORD_BYTES: usize = 1 << 31;

    /// The default limits, as a constant.
    pub const DEFAULT: Self = Self {
        record_bytes: 16 << 20,
        comment_bytes: 1 << 20,
        variation_depth: 1_000,
        diagnostics: 1_000,
        capture_nodes: pdn_rules::movegen::DEFAULT_CAPTURE_NODES,
    };

    /// Creates the default limits.
    pub const fn new() -> Self {
        Self::DEFAULT
    }

    /// Sets [`record_bytes`](Self::record_bytes), the maximum length of a record.
    #[must_use]
    pub const fn record_bytes(mut self, bytes: usize) -> Self {
        self.record_bytes = bytes;
        self
    }

    /// Sets [`comment_bytes`](Self::comment_bytes), the maximum distance to the closing brace of a comment.
    #[must_use]
    pub const fn comment_bytes(mut self, bytes: usize) -> Self {
        self.comment_bytes = bytes;
        self
    }

    /// Sets [`variation_depth`](Self::variation_depth), the maximum nesting depth of variations.
    #[must_use]
    pub const fn variation_depth(mut self, depth: u32) -> Self {
        self.variation_depth = depth;
        self
    }

    /// Sets [`diagnostics`](Self::diagnostics), the maximum number of diagnostics kept per record.
    #[must_use]
    pub const fn diagnostics(mut self, count: u32) -> Self {
        self.diagnostics = count;
        self
    }

    /// Sets [`capture_nodes`](Self::capture_nodes), the maximum number of nodes in one capture search.
    #[must_use]
    pub const fn capture_nodes(mut self, nodes: u32) -> Self {
        self.capture_nodes = nodes;
        self
    }

    /// Returns the offset before which a record that starts at `start` must end.
    #[inline]
    pub(crate) fn record_end(&self, start: usize) -> usize {
        start.saturating_add(self.record_bytes.clamp(1, Self::MAX_RECORD_BYTES))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
