//! Checks records without playing their moves: the grammar, and the values of tags and comments.
//!
//! A [`Checker`] is a visitor of [`parse`](crate::parse). It knows no rules of the game, so of a move it checks only the
//! notation. It builds no text: the meaning of a code is [`Code::title`], and [`detail`] gives the meaning of a diagnostic
//! in its record. Both are computed when a diagnostic is printed.
//!
//! Checking is linear in the bytes of a record, except that the names of more than 24 tags are sorted. A checker keeps its
//! memory from record to record and allocates nothing once it has seen the largest. The one exception: a tag with an HTML
//! entity allocates while the entity is decoded.
//!
//! ```
//! use pdn::check::{CheckOptions, Checker};
//! use pdn::diag::Code;
//!
//! let mut checker = Checker::new(&CheckOptions::new());
//! let report = checker.check(b"[Result \"2-0\"]\n1. 32-28 19-23 0-2\n");
//! assert_eq!(report.diagnostics[0].code, Code::ResultMismatch);
//! assert_eq!(report.diagnostics[0].code.id(), "T005");
//! ```

pub(crate) mod text;
pub(crate) mod report;
mod clocks;
mod dates;
mod tags;
mod visit;
mod detail;

pub use detail::detail;
pub use report::CheckReport;

use crate::archive::InputRecord;
use crate::diag::{Code, Diagnostic, Severity};
use crate::limits::Limits;
use crate::span::Span;
use crate::value::DateOrders;

/// What a [`Checker`] reports.
///
/// ```
/// use pdn::check::{CheckOptions, Checker};
/// use pdn::diag::Code;
///
/// let codes = |style: bool| {
///     let mut checker = Checker::new(&CheckOptions::new().style(style));
///     let report = checker.check(b"[Result \"2-0\"]\n1. 32 - 28 19-23 2-0");
///     report.diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
/// };
/// assert_eq!(codes(false), []);
/// assert_eq!(codes(true), [Code::MissingTag, Code::SpacedMove, Code::ResultAsTerminator]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Also report diagnostics of severity `style`: text that is understood, but not written as PDN 3.0 requires.
    pub style: bool,
    /// Limits of the parser; at most [`Limits::diagnostics`] diagnostics are kept per record. `None` for those of the game's
    /// [archive](crate::archive::Archive::limits), or [`Limits::DEFAULT`] for a record on its own.
    pub limits: Option<Limits>,
}

impl CheckOptions {
    /// Creates the default options: no diagnostics of severity `style`, default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`CheckOptions::style`].
    #[must_use]
    pub fn style(mut self, style: bool) -> Self {
        self.style = style;
        self
    }

    /// Sets [`CheckOptions::limits`].
    #[must_use]
    pub fn limits(mut self, limits: impl Into<Option<Limits>>) -> Self {
        self.limits = limits.into();
        self
    }
}

/// Checks records, one after another.
///
/// ```
/// use pdn::check::{Checker, CheckOptions};
/// use pdn::diag::Code;
///
/// let text = b"[White \"a\"]\n[Result \"2-0\"]\n1. 32-28 0-2\n\n[White \"b\"]\n1. 33-28 *\n";
/// let mut checker = Checker::new(&CheckOptions::new());
/// let codes: Vec<Vec<Code>> = pdn::split::records(text)
///     .map(|game| checker.check(game).diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
///     .collect();
/// assert_eq!(codes, [vec![Code::ResultMismatch], vec![]]);
/// ```
///
/// [`archive`](crate::archive) shows how to get the line and column of a diagnostic.
#[derive(Debug, Default)]
pub struct Checker {
    options: CheckOptions,
    scratch: Scratch,
}

impl Checker {
    /// Creates a checker.
    pub fn new(options: &CheckOptions) -> Self {
        Self { options: *options, scratch: Scratch::default() }
    }

    /// Checks one record and returns its diagnostics and a summary of its parts.
    ///
    /// Takes a game of an [`archive`](crate::archive), a [`RecordView`](crate::view::RecordView), a
    /// [`Record`](crate::split::Record) or bytes. Earlier records have no influence. O(bytes of the record).
    pub fn check<'c, 'g>(&'c mut self, game: impl Into<InputRecord<'g>>) -> CheckReport<'c, 'g> {
        self.check_game(game.into())
    }

    /// Not generic, so that it is compiled once.
    fn check_game<'c, 'g>(&'c mut self, game: InputRecord<'g>) -> CheckReport<'c, 'g> {
        let limits = game.limits(self.options.limits);
        self.scratch.clear(limits.diagnostics as usize, game.dates());
        let game = game.view().record();
        // First, so that it is kept however many others there are.
        if game.cut {
            self.scratch.push(Diagnostic::new(Code::GameTooLong, Span::at(game.bytes.len() as u32)));
        }
        let summary = if self.options.style {
            visit::run::<true>(game.bytes, &limits, &mut self.scratch)
        } else {
            visit::run::<false>(game.bytes, &limits, &mut self.scratch)
        };
        let text = text::check(game.bytes, self.options.style, &mut self.scratch);
        self.scratch.diagnostics.sort_unstable_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        CheckReport::new(&self.scratch, summary, text)
    }
}

/// Diagnostics and tag names of the current record.
#[derive(Debug, Default)]
struct Scratch {
    diagnostics: Vec<Diagnostic>,
    /// Maximum number of diagnostics to keep.
    max_diagnostics: usize,
    /// Number of diagnostics by severity, those that were not kept included.
    counts: [u32; 3],
    /// The order of day and month in the dates of the file.
    dates: DateOrders,
    /// Spans of the tag names in text order.
    names: Vec<Span>,
    /// The same spans sorted by name; filled only for records with many tags.
    sorted: Vec<Span>,
}

impl Scratch {
    /// Discards the previous record and keeps the memory.
    fn clear(&mut self, max_diagnostics: usize, dates: DateOrders) {
        self.diagnostics.clear();
        self.dates = dates;
        self.max_diagnostics = max_diagnostics;
        self.counts = [0; 3];
        self.names.clear();
        self.sorted.clear();
    }

    /// Counts `diagnostic`, and keeps it if fewer than the maximum are kept.
    #[cold]
    fn push(&mut self, diagnostic: Diagnostic) {
        self.counts[diagnostic.severity as usize] += 1;
        if self.diagnostics.len() < self.max_diagnostics {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns the number of diagnostics of each severity, indexed by [`Severity`] as a number.
    fn counts(&self) -> [u32; 3] {
        self.counts
    }

    /// Returns `true` if the record has a diagnostic of severity `error`.
    fn has_errors(&self) -> bool {
        self.counts[Severity::Error as usize] > 0
    }
}

#[cfg(test)]
mod tests;
