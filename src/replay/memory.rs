//! The memory of a replay: a recorded main line, and what it takes to play it.

use super::ReplayOptions;
use super::line::MainLine;
use super::play::{DiagnosticLog, PlayBuffers};
use super::variant::{VariantChooser, VariantTables};
use crate::limits::Limits;
use crate::parse::walk_with;

/// A recorded main line, and what it takes to play it, in reused memory.
#[derive(Debug)]
pub(super) struct ReplayMemory {
    pub(super) line: MainLine,
    buffers: PlayBuffers,
    tables: VariantTables,
    pub(super) log: DiagnosticLog,
}

impl ReplayMemory {
    /// Builds the tables of all variants.
    pub(super) fn new(limits: &Limits) -> Self {
        let max_diagnostics = limits.diagnostics;
        Self {
            line: MainLine { max_diagnostics, ..MainLine::default() },
            buffers: PlayBuffers::default(),
            tables: VariantTables::new(),
            log: DiagnosticLog::new(max_diagnostics),
        }
    }

    /// Walks over a record and records its main line. Compiled once, not in each crate that replays games.
    #[inline(never)]
    pub(super) fn record_line(&mut self, record: &[u8], limits: &Limits) {
        self.line.clear();
        // The main line never breaks off a walk.
        let _ = walk_with(record, limits, &mut self.line);
    }

    /// Returns the chooser of the variant of the recorded line, which was read from `record`.
    pub(super) fn chooser<'a>(
        &'a mut self,
        record: &'a [u8],
        options: &'a ReplayOptions,
    ) -> VariantChooser<'a> {
        let Self { line, buffers, tables, log } = self;
        VariantChooser::new(record, line, options, tables, buffers, log)
    }
}
