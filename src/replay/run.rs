//! The hot loop: one main line, one ruleset.

use super::resolve::{Context, MoveChoices, MoveRemark, Resolved};
use super::{BitsOf, CandidateGame, PlyBatch, PlySink, StopReason};
use crate::board::Square;
use crate::diag::Code;
use crate::movegen::{MoveList, SpeculativeBatch, advance};
use crate::position::{Move, State};
use crate::rules::{Ruleset, WithRules};
use crate::span::Span;

/// Memory that is used again from game to game.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    list: MoveList,
    series: SpeculativeBatch,
    /// What is remarkable about moves that were played.
    pub(super) notes: Vec<(Code, Span)>,
}

impl Scratch {
    pub(super) fn list(&mut self) -> &mut MoveList {
        &mut self.list
    }
}

/// A main line to be played by the rules of a candidate.
pub(super) struct LinePlayer<'a, K> {
    pub(super) context: Context<'a>,
    pub(super) candidate: &'a CandidateGame,
    pub(super) start: &'a State<u128>,
    pub(super) sink: &'a mut K,
    pub(super) scratch: &'a mut Scratch,
}

/// How far it went.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOutcome {
    pub(super) plies: u32,
    pub(super) last: State<u128>,
    pub(super) has_setups: bool,
    pub(super) stop: Option<(Span, StopReason)>,
}

/// Plies that may be looked ahead for one candidate of an ambiguous move, and in a whole game.
const AHEAD: u32 = 400;
pub(super) const AHEAD_IN_GAME: u32 = 20_000;
/// Ambiguous moves within a look-ahead that are looked into.
const DEPTH: u32 = 6;

impl<K: PlySink> WithRules for LinePlayer<'_, K> {
    type Output = LineOutcome;

    fn run<R: Ruleset>(self, rules: R) -> LineOutcome {
        let Self { context, candidate, start, sink, scratch } = self;
        scratch.notes.clear();
        let mut state: State<BitsOf<R>> = start.resized();
        sink.begin(rules, candidate, &state);
        let (mut plies, mut at, mut has_setups, mut budget) = (0, 0, false, AHEAD_IN_GAME);
        let free = context.effort.free();
        // Where the last capture of several pieces ended.
        let mut landed = None;
        let stop = 'line: loop {
            while at < context.tokens.len() {
                if SpeculativeBatch::supports(rules) {
                    let series = &mut scratch.series;
                    let squares = context.tokens.squares(at, SpeculativeBatch::begins_with_black(&state));
                    series.play_codes(
                        rules,
                        &state,
                        squares,
                        context.tokens.len() - at,
                        context.codes.bits(),
                    );
                    sink.plies(rules, &PlyBatch::new(series, &state, series.moves()));
                    if let Some(mv) = series.last_ply::<BitsOf<R>>() {
                        landed = mv.is_capture().then_some(mv.to);
                    }
                    state = series.after(&state);
                    plies += series.len() as u32;
                    at += series.len();
                    if series.is_full() {
                        continue;
                    }
                }
                let Some(token) = context.tokens.get(at) else { break };
                // What is no pair has the names of no squares.
                let (from, to) = (context.codes.bit(token.from), context.codes.bit(token.to));
                if (from | to) >= 128 {
                    break;
                }
                let before = state;
                let Ok(mv) = advance(rules, &mut state, Square(from), Square(to), free) else {
                    break;
                };
                sink.ply(rules, &before, &mv);
                landed = mv.is_capture().then_some(mv.to);
                plies += 1;
                at += 1;
            }
            let Some(token) = context.tokens.get(at) else { break 'line None };
            let (mv, tokens) = match context.resolve(rules, &state, at, &mut scratch.list) {
                Resolved::Move { mv, tokens, note } => {
                    if let Some(note) = note {
                        scratch.notes.push((note.code(), token.span));
                    }
                    (mv, tokens)
                }
                Resolved::Many(found) => {
                    match settle(&context, rules, &state, at, &found, scratch, &mut budget) {
                        Some(mv) => {
                            scratch.notes.push((Code::SettledMove, token.span));
                            (mv, 1)
                        }
                        None => break 'line Some((token.span, StopReason::Ambiguous)),
                    }
                }
                Resolved::Pass(tokens) => {
                    at += tokens;
                    continue;
                }
                Resolved::Null => {
                    sink.null(rules, &state);
                    state = state.passed();
                    has_setups = true;
                    at += 1;
                    continue;
                }
                Resolved::Position(position) => {
                    state = position;
                    sink.setup(rules, &state);
                    has_setups = true;
                    at += 1;
                    continue;
                }
                Resolved::Stop(reason) => match landed.and_then(|to| context.repeated_capture_len(at, to)) {
                    Some(tokens) => {
                        scratch.notes.push((Code::SplitCapture, token.span));
                        at += tokens;
                        continue;
                    }
                    None => break 'line Some((token.span, reason)),
                },
            };
            sink.ply(rules, &state, &mv);
            state.play(rules, &mv);
            landed = mv.is_capture().then_some(mv.to);
            plies += 1;
            at += tokens;
        };
        LineOutcome { plies, last: state.resized(), has_setups, stop }
    }
}

impl MoveRemark {
    pub(super) const fn code(self) -> Code {
        match self {
            Self::OtherSquares => Code::CaptureSquares,
            Self::Split => Code::SplitCapture,
        }
    }
}

/// The one of several moves that keeps the rest of the game legal for longest, if there is one.
#[cold]
#[inline(never)]
pub(super) fn settle<R: Ruleset>(
    context: &Context<'_>,
    rules: R,
    state: &State<BitsOf<R>>,
    at: usize,
    found: &MoveChoices<BitsOf<R>>,
    scratch: &mut Scratch,
    budget: &mut u32,
) -> Option<Move<BitsOf<R>>> {
    let mut best = None;
    let mut furthest = at;
    for mv in found.iter() {
        let mut share = AHEAD.min(*budget);
        *budget -= share;
        let reached = first_unplayable(
            context,
            rules,
            after(rules, state, mv),
            at + 1,
            &mut scratch.list,
            &mut share,
            DEPTH,
        );
        *budget += share;
        match reached.cmp(&furthest) {
            std::cmp::Ordering::Greater => (best, furthest) = (Some(*mv), reached),
            std::cmp::Ordering::Equal => best = None,
            std::cmp::Ordering::Less => {}
        }
    }
    best
}

fn after<R: Ruleset>(rules: R, state: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) -> State<BitsOf<R>> {
    let mut after = *state;
    after.play(rules, mv);
    after
}

/// The first token that cannot be played from this position on, whatever ambiguous moves mean.
fn first_unplayable<R: Ruleset>(
    context: &Context<'_>,
    rules: R,
    mut state: State<BitsOf<R>>,
    mut at: usize,
    list: &mut MoveList,
    budget: &mut u32,
    depth: u32,
) -> usize {
    while at < context.tokens.len() && *budget > 0 {
        *budget -= 1;
        match context.resolve(rules, &state, at, list) {
            Resolved::Move { mv, tokens, .. } => {
                state.play(rules, &mv);
                at += tokens;
            }
            Resolved::Many(found) if depth > 0 => {
                let furthest = found.iter().map(|mv| {
                    first_unplayable(
                        context,
                        rules,
                        after(rules, &state, mv),
                        at + 1,
                        list,
                        budget,
                        depth - 1,
                    )
                });
                return furthest.max().unwrap_or(at);
            }
            Resolved::Many(_) | Resolved::Stop(_) => return at,
            Resolved::Pass(tokens) => at += tokens,
            Resolved::Null => {
                state = state.passed();
                at += 1;
            }
            Resolved::Position(position) => {
                state = position;
                at += 1;
            }
        }
    }
    at
}
