//! The memory that a checker reuses for each record.

use crate::diag::{Diagnostic, Severity};
use crate::span::Span;
use crate::value::DateOrders;

/// Diagnostics and tag names of the current record.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Maximum number of diagnostics to keep.
    max_diagnostics: usize,
    /// Number of diagnostics by severity, those that were not kept included.
    counts: [u32; 3],
    /// The order of day and month in the dates of the file.
    pub(super) dates: DateOrders,
    /// Spans of the tag names in text order.
    pub(super) names: Vec<Span>,
    /// The same spans sorted by name; filled only for records with many tags.
    pub(super) sorted: Vec<Span>,
}

impl Scratch {
    /// Discards the previous record and keeps the memory.
    pub(super) fn clear(&mut self, max_diagnostics: usize, dates: DateOrders) {
        self.diagnostics.clear();
        self.dates = dates;
        self.max_diagnostics = max_diagnostics;
        self.counts = [0; 3];
        self.names.clear();
        self.sorted.clear();
    }

    /// Counts `diagnostic`, and keeps it if fewer than the maximum are kept.
    #[cold]
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.counts[diagnostic.severity as usize] += 1;
        if self.diagnostics.len() < self.max_diagnostics {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns the number of diagnostics of each severity, indexed by [`Severity`] as a number.
    pub(super) fn counts(&self) -> [u32; 3] {
        self.counts
    }

    /// Returns `true` if the record has a diagnostic of severity `error`.
    pub(super) fn has_errors(&self) -> bool {
        self.counts[Severity::Error as usize] > 0
    }
}
