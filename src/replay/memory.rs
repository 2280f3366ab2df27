//! The memory of a replay: a recorded main line, and what it takes to play it and its variations.

use super::line::{LineTokens, MainLine};
use super::play::{DiagnosticLog, LineContext, LineOutcome, LinePlayer, PlayBuffers, Searches};
use super::variant::{VariantChooser, VariantTables};
use super::{CandidateGame, PlySink, ReplayOptions, ReplaySummary};
use crate::limits::Limits;
use crate::movegen::SearchBudget;
use crate::notation::SquareCodes;
use crate::parse::walk_with;
use crate::position::State;
use crate::rules::GameRules;

/// A recorded main line, and what it takes to play it, in reused memory.
#[derive(Debug)]
pub(super) struct ReplayMemory {
    pub(super) line: MainLine,
    buffers: PlayBuffers,
    tables: VariantTables,
    pub(super) log: DiagnosticLog,
    /// The limits of the recorded game.
    limits: Limits,
    pub(super) searches: Searches,
}

impl ReplayMemory {
    /// Builds the tables of all variants.
    pub(super) fn new() -> Self {
        let mut memory = Self {
            line: MainLine::default(),
            buffers: PlayBuffers::default(),
            tables: VariantTables::new(),
            log: DiagnosticLog::default(),
            limits: Limits::DEFAULT,
            searches: Searches::default(),
        };
        memory.begin(Limits::DEFAULT);
        memory
    }

    /// Returns the limits of the recorded game.
    pub(super) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Discards the recorded game. The next one is played within these limits.
    pub(super) fn begin(&mut self, limits: Limits) {
        self.limits = limits;
        self.searches.max_nodes = limits.capture_nodes;
        self.line.clear();
        self.line.max_diagnostics = limits.diagnostics;
        self.log.max_per_trial = limits.diagnostics as usize;
    }

    /// Walks over a record and records its main line. Compiled once, not in each crate that replays games.
    #[inline(never)]
    pub(super) fn record_line(&mut self, record: &[u8], limits: Limits) {
        self.begin(limits);
        // The main line never breaks off a walk.
        let _ = walk_with(record, &limits, &mut self.line);
    }

    /// Returns what it takes to play a line of a candidate: its square codes, the buffers, and the log of diagnostics.
    pub(super) fn playing(
        &mut self,
        candidate: &CandidateGame,
    ) -> (&SquareCodes, &mut PlayBuffers, &mut DiagnosticLog) {
        (self.tables.codes(candidate), &mut self.buffers, &mut self.log)
    }

    /// Returns the chooser of the variant of the recorded line, which was read from `record`.
    pub(super) fn chooser<'a>(
        &'a mut self,
        record: &'a [u8],
        options: &'a ReplayOptions,
    ) -> VariantChooser<'a> {
        let Self { line, buffers, tables, log, searches, .. } = self;
        VariantChooser::new(record, line, searches, options.variant, tables, buffers, log)
    }
}

/// Plays variations of one record under the rules that its replay has chosen.
#[derive(Debug)]
pub struct VariationPlayer<'a> {
    /// The bytes of the record.
    text: &'a [u8],
    candidate: CandidateGame,
    game: GameRules,
    codes: &'a SquareCodes,
    /// The budget of all variations together.
    budget: SearchBudget,
    buffers: &'a mut PlayBuffers,
    log: &'a mut DiagnosticLog,
}

impl<'a> VariationPlayer<'a> {
    /// Creates a player of the variations of a record that was replayed with `summary` in this memory.
    pub(super) fn new(memory: &'a mut ReplayMemory, text: &'a [u8], summary: &ReplaySummary) -> Self {
        let candidate = CandidateGame { variant: summary.variant, numbering: summary.numbering };
        let budget = memory.searches.budget(memory.limits().capture_nodes, text.len());
        let (codes, buffers, log) = memory.playing(&candidate);
        Self { text, candidate, game: summary.game(), codes, budget, buffers, log }
    }

    /// Plays the tokens of a variation from a position on. The plies go to `sink`; diagnostics are not kept.
    pub fn play<K: PlySink>(
        &mut self,
        tokens: &LineTokens,
        start: &State<u128>,
        sink: &mut K,
    ) -> LineOutcome {
        self.log.clear();
        let context = LineContext {
            text: self.text,
            tokens,
            codes: self.codes,
            game: &self.game,
            budget: &self.budget,
        };
        self.game.rules.with(LinePlayer {
            context,
            candidate: &self.candidate,
            start,
            sink,
            buffers: &mut *self.buffers,
            log: &mut *self.log,
        })
    }
}
