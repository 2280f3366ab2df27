//! Plays a recorded line and keeps every ply with the tokens that it was written in.

use super::raw_line::RawLine;
use crate::diag::Code;
use crate::movegen::MoveList;
use crate::position::{Move, State};
use crate::replay::StopReason;
use crate::replay::play::{LineContext, LineCursor, LookAhead, Step};
use crate::rules::{BitsOf, Ruleset, WithRules};

/// A legal ply of a line.
pub(super) struct PlayedPly {
    /// The index of its first token.
    pub(super) token: usize,
    /// The number of its tokens.
    pub(super) token_count: usize,
    /// The position in which it is played.
    pub(super) before: State<u128>,
    pub(super) mv: Move,
    /// The diagnostic that its text deserves.
    pub(super) diagnostic: Option<Code>,
}

/// A line that has been played.
pub(super) struct PlayedLine {
    pub(super) plies: Vec<PlayedPly>,
    /// The position after the last legal ply.
    pub(super) last: State<u128>,
    /// The index of the token that could not be played, and the reason.
    pub(super) stop: Option<(usize, StopReason)>,
}

impl PlayedLine {
    /// Plays the tokens of `context` from `start` on.
    pub(super) fn play(context: LineContext<'_>, start: &State<u128>, list: &mut MoveList) -> Self {
        context.game.rules.with(LinePlay { context, start, list })
    }

    /// Creates a line of which nothing is played, because `reason` prevents it. A line without tokens does not stop.
    pub(super) fn unplayed(line: &RawLine<'_>, position: State<u128>, reason: StopReason) -> Self {
        let stop = (!line.tokens.is_empty()).then_some((0, reason));
        Self { plies: Vec::new(), last: position, stop }
    }

    /// Returns the index of the last ply that begins before the token `token`. O(log plies).
    pub(super) fn ply_before(&self, token: usize) -> Option<usize> {
        self.plies.partition_point(|ply| ply.token < token).checked_sub(1)
    }
}

/// The playing of one line under the rules of its game.
struct LinePlay<'a> {
    context: LineContext<'a>,
    start: &'a State<u128>,
    list: &'a mut MoveList,
}

impl WithRules for LinePlay<'_> {
    type Output = PlayedLine;

    fn run<R: Ruleset>(self, rules: R) -> PlayedLine {
        let Self { context, start, list } = self;
        let mut cursor = LineCursor::<BitsOf<R>>::new(start.resized());
        let mut look_ahead = LookAhead::new();
        let (mut plies, mut stop) = (Vec::new(), None);
        while cursor.at < context.tokens.len() {
            let token = cursor.at;
            match look_ahead.step(&context, rules, &mut cursor, list) {
                Ok(Step::Ply { before, mv, tokens, diagnostic }) => plies.push(PlayedPly {
                    token,
                    token_count: tokens,
                    before: before.resized(),
                    mv: mv.resized(),
                    diagnostic,
                }),
                Ok(Step::Skip { .. } | Step::Null { .. } | Step::Setup) => {}
                Err(reason) => {
                    stop = Some((token, reason));
                    break;
                }
            }
        }
        PlayedLine { plies, last: cursor.state.resized(), stop }
    }
}
