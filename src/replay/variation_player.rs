//! Plays variations of a record that was replayed.

use super::line::LineTokens;
use super::memory::ReplayMemory;
use super::play::{DiagnosticLog, LineContext, LineOutcome, LinePlayer, PlayBuffers};
use super::{CandidateGame, PlySink, ReplaySummary};
use crate::movegen::SearchBudget;
use crate::notation::SquareCodes;
use crate::position::State;
use crate::rules::GameRules;

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
