//! Plays one main line under one ruleset: the hot loop of replaying.

use super::LineContext;
use super::ambiguity::LookAhead;
use super::cursor::{LineCursor, Step};
use crate::board::Square;
use crate::diag::Diagnostic;
use crate::movegen::batch::SpeculativeBatch;
use crate::movegen::{MoveList, advance};
use crate::position::State;
use crate::replay::speculation::play_codes;
use crate::replay::{CandidateGame, PlyBatch, PlySink, StopReason};
use crate::rules::{BitsOf, Ruleset, WithRules};
use crate::span::Span;

/// Memory that is reused from line to line.
#[derive(Debug, Default)]
pub(crate) struct PlayBuffers {
    pub(crate) list: MoveList,
    batch: SpeculativeBatch,
}

/// The diagnostics of all trials of one game. Each outcome holds the range of its own, so that it can be copied.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticLog {
    entries: Vec<Diagnostic>,
    /// Maximum number of diagnostics per trial.
    pub(crate) max_per_trial: usize,
}

impl DiagnosticLog {
    /// Removes all diagnostics and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Returns the diagnostics of one trial, in the order of play.
    pub(crate) fn of(&self, outcome: &LineOutcome) -> &[Diagnostic] {
        let (start, end) = outcome.diagnostics;
        self.entries.get(start..end).unwrap_or_default()
    }

    /// Appends a diagnostic of the trial whose first one has the index `start`.
    fn push(&mut self, start: usize, diagnostic: Diagnostic) {
        if self.entries.len() - start < self.max_per_trial {
            self.entries.push(diagnostic);
        }
    }
}

/// A main line to be played by the rules of a candidate.
pub(crate) struct LinePlayer<'a, K> {
    pub(crate) context: LineContext<'a>,
    pub(crate) candidate: &'a CandidateGame,
    /// The position before the first token.
    pub(crate) start: &'a State<u128>,
    pub(crate) sink: &'a mut K,
    pub(crate) buffers: &'a mut PlayBuffers,
    pub(crate) log: &'a mut DiagnosticLog,
}

/// Result of playing a main line: plies played, last position, stop reason, diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct LineOutcome {
    /// Number of legal plies; null moves are not counted.
    pub plies: u32,
    /// The position after the last legal ply.
    pub(crate) last: State<u128>,
    /// `true` if setups or null moves were played.
    pub(crate) has_setups: bool,
    /// The token that could not be played, and the reason; `None` if all were played.
    pub stop: Option<(Span, StopReason)>,
    /// The first and the end index of its diagnostics in the [`DiagnosticLog`].
    diagnostics: (usize, usize),
}

impl LineOutcome {
    /// Creates the outcome of a line of which nothing is played.
    pub(crate) const fn not_played(start: State<u128>) -> Self {
        Self { plies: 0, last: start, has_setups: false, stop: None, diagnostics: (0, 0) }
    }
}

impl<K: PlySink> WithRules for LinePlayer<'_, K> {
    type Output = LineOutcome;

    // Twin: all legal moves compared by text; test: replay_equals_naive_replay_on_generated_games.
    fn run<R: Ruleset>(self, rules: R) -> LineOutcome {
        let Self { context, candidate, start, sink, buffers, log } = self;
        let log_start = log.entries.len();
        let mut state: State<BitsOf<R>> = start.resized();
        sink.begin(rules, candidate, &state);
        let (mut plies, mut at, mut has_setups) = (0, 0, false);
        let mut look_ahead = LookAhead::new();
        let free_nodes = context.budget.free_nodes();
        // The square on which the last ply ended, if that was a capture.
        let mut landed = None;
        // Tokens that are played without a look at the next one.
        let mut fast_len = context.tokens.len();
        let stop = 'line: loop {
            while at < fast_len {
                if SpeculativeBatch::supports(rules) {
                    let batch = &mut buffers.batch;
                    let squares =
                        context.tokens.batch_squares(at, SpeculativeBatch::begins_with_black(&state));
                    play_codes(
                        batch,
                        rules,
                        &state,
                        squares,
                        context.tokens.len() - at,
                        context.codes.bits(),
                    );
                    sink.plies(rules, &PlyBatch::new(batch, &state, batch.moves()));
                    if let Some(mv) = batch.last_ply::<BitsOf<R>>() {
                        landed = mv.is_capture().then_some(mv.to);
                    }
                    state = batch.after(&state);
                    plies += batch.proved() as u32;
                    at += batch.proved();
                    if batch.is_full() {
                        continue;
                    }
                }
                let Some(token) = context.tokens.get(at) else { break };
                // Tokens that are not pairs have codes that name no square.
                let (from, to) = (context.codes.bit(token.from), context.codes.bit(token.to));
                if (from | to) >= 128 {
                    break;
                }
                let before = state;
                let Ok(mv) = advance(rules, &mut state, Square(from), Square(to), free_nodes) else {
                    break;
                };
                sink.ply(rules, &before, &mv);
                landed = mv.is_capture().then_some(mv.to);
                plies += 1;
                at += 1;
            }
            let Some(token) = context.tokens.get(at) else { break 'line None };
            if fast_len > 0
                && let Some(square) = landed
                && context.starts_on(at, square)
            {
                // A capture that is written jump by jump, and whose first jump is a legal capture on another path. It was played
                // already, so the line is played again, and each capture is joined with the texts after it.
                fast_len = 0;
                state = start.resized();
                sink.begin(rules, candidate, &state);
                log.entries.truncate(log_start);
                look_ahead = LookAhead::new();
                (plies, at, has_setups, landed) = (0, 0, false, None);
                continue;
            }
            // A cursor of its own for the slow path, so that the variables of the fast one stay in registers.
            let mut cursor = LineCursor { at, state, landed };
            let diagnostic = match look_ahead.step(&context, rules, &mut cursor, &mut buffers.list) {
                Ok(Step::Ply { before, mv, tokens, diagnostic }) => {
                    sink.ply(rules, &before, &mv);
                    if tokens > 1 {
                        sink.skip(tokens - 1);
                    }
                    plies += 1;
                    diagnostic
                }
                Ok(Step::Skip { diagnostic }) => {
                    sink.skip(cursor.at - at);
                    diagnostic
                }
                Ok(Step::Null { before }) => {
                    sink.null(rules, &before);
                    has_setups = true;
                    None
                }
                Ok(Step::Setup) => {
                    sink.setup(rules, &cursor.state);
                    has_setups = true;
                    None
                }
                Err(reason) => break 'line Some((token.span, reason)),
            };
            if let Some(code) = diagnostic {
                log.push(log_start, Diagnostic::new(code, token.span));
            }
            LineCursor { at, state, landed } = cursor;
        };
        let diagnostics = (log_start, log.entries.len());
        LineOutcome { plies, last: state.resized(), has_setups, stop, diagnostics }
    }
}
