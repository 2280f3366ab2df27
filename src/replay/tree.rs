//! A whole game for people: every ply with its position, text, comments, clocks and variations.
//!
//! Allocates what the game needs. Variations are heard without recursion, so their depth is bounded by
//! [`Limits`](crate::limits::Limits) alone.

use super::effort::SearchBudget;
use super::resolve::{Context, MoveRemark, Resolved};
use super::run::{AHEAD_IN_GAME, Scratch, settle};
use super::tokens::{LineTokenKind, Tokens};
use super::{BitsOf, ReplayOptions, ReplayStop, ReplaySummary, Replayer, StopReason};
use crate::diag::{Code, Diagnostic, Severity};
use crate::movegen::FindError;
use crate::notation::{MoveForm, MoveText, SquareCode, SquareCodes, pair};
use crate::parse::{
    Comment, Flow, MissingMark, MissingMove, MoveNumber, SetupCommand, StrengthMark, Terminator,
    VariationAction, VariationMark, Visitor, WrittenMove, walk_with,
};
use crate::position::{Move, Position, State};
use crate::rules::{GameRules, Ruleset, WithRules};
use crate::span::Span;
use crate::value::{CommandValue, CommentParts, EmbeddedCommand};

/// A game replayed with all that is written in it.
#[derive(Clone, Debug)]
pub struct AnnotatedGame<'g> {
    /// What became of the main line.
    pub summary: ReplaySummary,
    /// The main line.
    pub main: AnnotatedLine<'g>,
    /// What is wrong with moves, in the order of the text: illegal and ambiguous ones of the main line with their
    /// usual severity, those of variations as warnings, and breaches of the writing restrictions 8 and 9 of PDN 3.0.
    /// Findings of the parser are not among them.
    pub diagnostics: Vec<Diagnostic>,
}

/// A line of play: the main one or a variation.
#[derive(Clone, Debug)]
pub struct AnnotatedLine<'g> {
    /// Comments before its first move.
    pub comments: Vec<Comment<'g>>,
    /// Its legal plies.
    pub plies: Vec<AnnotatedPly<'g>>,
    /// The position after them.
    pub last: Position,
    /// Why they are not all that is written. [`ReplayStop::ply`] counts in this line.
    pub stop: Option<ReplayStop>,
    /// The moves that could not be played, as written.
    pub rest: Vec<WrittenMove<'g>>,
}

/// A legal ply.
#[derive(Clone, Debug)]
pub struct AnnotatedPly<'g> {
    /// The position in which it is played.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// Its text; where a capture is written in several texts, the first.
    pub text: &'g [u8],
    /// Where it stands, all of it.
    pub span: Span,
    /// The move number before it, if there is one.
    pub number: Option<MoveNumber>,
    /// The strength behind it.
    pub strength: Option<&'g [u8]>,
    /// Numeric annotations.
    pub nags: Vec<u32>,
    /// Comments after it.
    pub comments: Vec<Comment<'g>>,
    /// Alternatives to it.
    pub variations: Vec<AnnotatedLine<'g>>,
}

impl<'g> AnnotatedPly<'g> {
    /// The commands embedded in its comments, clocks before all. Spans of a command count from the first byte of
    /// its comment's text.
    pub fn commands(&self) -> impl Iterator<Item = (Comment<'g>, EmbeddedCommand)> {
        self.comments.iter().flat_map(|&comment| {
            CommentParts::new(comment.text).commands().map(move |command| (comment, command))
        })
    }

    /// What the commands in its comments say, those that can be read.
    pub fn times(&self) -> impl Iterator<Item = CommandValue> {
        self.commands().filter_map(|(_, command)| command.value.ok())
    }

    /// The position after it.
    pub fn after(&self) -> Position {
        self.position.after(&self.mv)
    }
}

/// Replays a game with all that is written in it. Who replays many reuses a [`Replayer`].
///
/// ```
/// use pdn::replay::{self, ReplayOptions};
///
/// let game = replay::annotate(b"1. 32-28 19-23 (1... 18-23 2. 38-32) 2. 28x19 {takes} 14x23 *", &ReplayOptions::default());
/// let plies = &game.main.plies;
/// assert_eq!(plies.len(), 4);
/// assert_eq!(plies[1].variations[0].plies[1].text, b"38-32");
/// assert_eq!(plies[2].comments[0].text, b"takes");
/// assert!(plies[2].mv.is_capture());
/// ```
pub fn annotate<'g>(game: &'g [u8], options: &ReplayOptions) -> AnnotatedGame<'g> {
    Replayer::new(options.clone()).replay_annotated(game)
}

impl Replayer {
    /// Replays a game with all that is written in it, variations too.
    pub fn replay_annotated<'g>(&mut self, game: &'g [u8]) -> AnnotatedGame<'g> {
        let summary = self.replay(game, &mut ());
        let mut diagnostics = self.move_diagnostics().to_vec();
        let limits = self.options().limits;
        let mut heard = Heard::default();
        heard.lines.push(RawLine::default());
        heard.open.push(0);
        let _ = walk_with(game, &limits, &mut heard);
        let mut judge = Judge {
            text: game,
            codes: SquareCodes::new(&summary.game().names()),
            game: summary.game(),
            effort: SearchBudget::new(limits.capture_nodes),
            scratch: Scratch::default(),
        };
        let lines = judge.lines(heard.lines, &summary, &mut diagnostics);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        diagnostics.truncate(limits.diagnostics as usize);
        AnnotatedGame { summary, main: lines, diagnostics }
    }
}

/// A line as heard.
#[derive(Default)]
struct RawLine<'g> {
    /// The line that it belongs to, and how many items that had when it opened.
    parent: Option<(usize, usize)>,
    comments: Vec<Comment<'g>>,
    items: Vec<Item<'g>>,
    tokens: Tokens,
}

/// A token with what is written about it.
struct Item<'g> {
    text: &'g [u8],
    number: Option<MoveNumber>,
    strength: Option<&'g [u8]>,
    nags: Vec<u32>,
    comments: Vec<Comment<'g>>,
}

/// Hears everything.
#[derive(Default)]
struct Heard<'g> {
    lines: Vec<RawLine<'g>>,
    /// The lines that are open, the innermost last.
    open: Vec<usize>,
    number: Option<MoveNumber>,
    ended: bool,
}

impl<'g> Heard<'g> {
    fn line(&mut self) -> Option<&mut RawLine<'g>> {
        self.lines.get_mut(*self.open.last()?)
    }

    fn push(
        &mut self,
        kind: LineTokenKind,
        span: Span,
        text: &'g [u8],
        squares: (SquareCode, SquareCode),
    ) -> Flow {
        let number = self.number.take();
        if self.ended {
            return Flow::Continue(());
        }
        if let Some(line) = self.line() {
            line.tokens.push(span, kind, squares.0, squares.1);
            line.items.push(Item { text, number, strength: None, nags: Vec::new(), comments: Vec::new() });
        }
        Flow::Continue(())
    }
}

const NO_SQUARES: (SquareCode, SquareCode) = (SquareCode(0), SquareCode(0));

impl<'g> Visitor<'g> for Heard<'g> {
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.number = Some(number);
        Flow::Continue(())
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        match pair(mv.text) {
            Some(squares) => self.push(LineTokenKind::Pair, mv.span, mv.text, squares),
            None => self.push(LineTokenKind::Text, mv.span, mv.text, NO_SQUARES),
        }
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.push(LineTokenKind::Captures, list.span, list.text, NO_SQUARES)
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        let kind = match missing.kind {
            MissingMark::Ellipsis => LineTokenKind::Ellipsis,
            MissingMark::Dash => LineTokenKind::Dash,
        };
        self.push(kind, missing.span, b"", NO_SQUARES)
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.push(LineTokenKind::Setup, setup.fen_span, setup.fen, NO_SQUARES)
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        if let Some(item) = self.line().and_then(|line| line.items.last_mut()) {
            item.strength = Some(strength.text);
        }
        Flow::Continue(())
    }
    fn nag(&mut self, nag: u32, _: Span) -> Flow {
        if let Some(item) = self.line().and_then(|line| line.items.last_mut()) {
            item.nags.push(nag);
        }
        Flow::Continue(())
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        if let Some(line) = self.line() {
            match line.items.last_mut() {
                Some(item) => item.comments.push(comment),
                None => line.comments.push(comment),
            }
        }
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        if let Some(&parent) = self.open.last() {
            let items = self.lines[parent].items.len();
            self.open.push(self.lines.len());
            self.lines.push(RawLine { parent: Some((parent, items)), ..RawLine::default() });
        }
        VariationAction::Enter
    }
    fn end_variation(&mut self, _: VariationMark) -> Flow {
        if self.open.len() > 1 {
            self.open.pop();
        }
        Flow::Continue(())
    }
    fn terminator(&mut self, _: Terminator<'g>) -> Flow {
        self.ended = true;
        Flow::Continue(())
    }
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.push(LineTokenKind::Lost, span, text, NO_SQUARES)
    }
}

/// A token that was played.
struct Step {
    token: usize,
    tokens: usize,
    before: State<u128>,
    mv: Move,
    note: Option<Code>,
}

/// How a line was played.
struct Traced {
    steps: Vec<Step>,
    last: State<u128>,
    stop: Option<(usize, StopReason)>,
}

impl Traced {
    /// A line of which nothing is played.
    fn stopped(line: &RawLine<'_>, position: State<u128>, reason: StopReason) -> Self {
        let stop = (!line.tokens.is_empty()).then_some((0, reason));
        Self { steps: Vec::new(), last: position, stop }
    }

    /// The last step that was played before so many tokens. O(log steps).
    fn before(&self, tokens: usize) -> Option<usize> {
        self.steps.partition_point(|step| step.token < tokens).checked_sub(1)
    }
}

/// Variations are gathered from the last to the first.
fn in_order(line: &mut AnnotatedLine<'_>) {
    for ply in &mut line.plies {
        ply.variations.reverse();
    }
}

/// Plays lines and finds fault with them.
struct Judge<'g> {
    text: &'g [u8],
    codes: SquareCodes,
    game: GameRules,
    effort: SearchBudget,
    scratch: Scratch,
}

impl<'g> Judge<'g> {
    /// Plays all lines; parents stand before their variations.
    fn lines(
        &mut self,
        raw: Vec<RawLine<'g>>,
        summary: &ReplaySummary,
        found: &mut Vec<Diagnostic>,
    ) -> AnnotatedLine<'g> {
        let mut traced: Vec<Traced> = Vec::with_capacity(raw.len());
        // What is no draughts, or has no position to begin in, is not played, variations neither.
        let unplayable = summary.stop.map(|stop| stop.reason).filter(|reason| {
            summary.plies == 0 && matches!(reason, StopReason::NotDraughts | StopReason::BadPosition)
        });
        for line in &raw {
            if let Some(reason) = unplayable {
                traced.push(Traced::stopped(line, summary.last, reason));
                continue;
            }
            let trace = match line.parent {
                None => self.trace(&line.tokens, &summary.start),
                Some((parent, items)) => self.variation(line, &traced[parent], items),
            };
            self.judge(line, &trace, line.parent.is_some(), found);
            traced.push(trace);
        }
        let parents: Vec<_> = raw.iter().map(|line| line.parent).collect();
        let mut built: Vec<Option<AnnotatedLine<'g>>> =
            raw.into_iter().zip(&traced).map(|(line, trace)| Some(self.build(line, trace))).collect();
        // From the last to the first, so that every line is complete before it moves into its parent.
        for index in (1..built.len()).rev() {
            let (Some(mut line), Some((parent, items))) = (built[index].take(), parents[index]) else {
                continue;
            };
            in_order(&mut line);
            let ply = traced[parent].before(items);
            match (built[parent].as_mut(), ply) {
                (Some(parent), Some(ply)) => parent.plies[ply].variations.push(line),
                // A variation before the first move has no ply to stand at; its moves are kept as text.
                (Some(parent), None) => {
                    parent.rest.extend(line.plies.iter().map(AnnotatedPly::written).chain(line.rest))
                }
                (None, _) => {}
            }
        }
        let mut main = built.swap_remove(0);
        main.iter_mut().for_each(in_order);
        main.unwrap_or_else(|| AnnotatedLine {
            comments: Vec::new(),
            plies: Vec::new(),
            last: summary.last_position(),
            stop: None,
            rest: Vec::new(),
        })
    }

    /// A variation replaces the move before it; some files mean the move after that, and the moves tell.
    fn variation(&mut self, line: &RawLine<'g>, parent: &Traced, items: usize) -> Traced {
        let Some(step) = parent.before(items).and_then(|step| parent.steps.get(step)) else {
            return Traced::stopped(line, parent.last, StopReason::MissingMove);
        };
        // Where the parent stopped before the variation, nobody knows the position.
        let unknown = parent.stop.is_some_and(|(token, _)| token < items);
        if unknown {
            return Traced::stopped(line, parent.last, StopReason::MissingMove);
        }
        let before = self.trace(&line.tokens, &step.before);
        if before.steps.is_empty() && before.stop.is_some() {
            let after = *Position::from_state(self.game, step.before).after(&step.mv).state();
            let goes_on = self.trace(&line.tokens, &after);
            if !goes_on.steps.is_empty() {
                return goes_on;
            }
        }
        before
    }

    fn trace(&mut self, tokens: &Tokens, start: &State<u128>) -> Traced {
        struct Trace<'a>(Context<'a>, &'a State<u128>, &'a mut Scratch);
        impl WithRules for Trace<'_> {
            type Output = Traced;
            fn run<R: Ruleset>(self, rules: R) -> Traced {
                let Self(context, start, scratch) = self;
                trace(context, rules, start.resized(), scratch)
            }
        }
        let context =
            Context { text: self.text, tokens, codes: &self.codes, game: &self.game, effort: &self.effort };
        self.game.rules.with(Trace(context, start, &mut self.scratch))
    }

    /// What is wrong with a line. The main line's own findings are already there.
    fn judge(&self, line: &RawLine<'g>, trace: &Traced, variation: bool, found: &mut Vec<Diagnostic>) {
        for step in &trace.steps {
            let span = line.tokens.at(step.token).span;
            if let Some(code) = step.note.filter(|_| variation) {
                found.push(Diagnostic::new(code, span));
            }
            if step.mv.is_capture()
                && let Some(code) = self.capture_style(line.items[step.token].text, step)
            {
                found.push(Diagnostic::new(code, span));
            }
        }
        if let Some((token, reason)) = trace.stop.filter(|_| variation) {
            let code = reason.code();
            let severity = code.severity().min(Severity::Warning);
            found.push(Diagnostic { severity, ..Diagnostic::new(code, line.tokens.at(token).span) });
        }
    }

    /// PDN 3.0, restrictions 8 and 9: the full path where another capture has the same ends, and only there.
    fn capture_style(&self, text: &[u8], step: &Step) -> Option<Code> {
        let written = MoveText::read(text).filter(|text| text.form() == MoveForm::Squares)?;
        let position = Position::from_state(self.game, step.before);
        let full = written.squares().len() > 2;
        let ambiguous = matches!(position.find(step.mv.from, step.mv.to, &[]), Err(FindError::Ambiguous));
        if full != ambiguous {
            return Some(Code::CaptureForm);
        }
        if !full {
            return None;
        }
        let squares: Vec<_> = written.squares().iter().map(|&code| self.codes.square(code)).collect();
        let paths = position.paths(&step.mv).ok()?;
        let exact =
            paths.iter().any(|path| path.squares.iter().copied().map(Some).eq(squares.iter().copied()));
        (!exact).then_some(Code::CapturePath)
    }

    fn build(&self, raw: RawLine<'g>, trace: &Traced) -> AnnotatedLine<'g> {
        let stop = trace.stop.map(|(token, reason)| ReplayStop {
            ply: trace.steps.len() as u32,
            span: raw.tokens.at(token).span,
            reason,
        });
        let unplayed = trace.stop.map_or(raw.tokens.len(), |(token, _)| token);
        let moves = raw.tokens.iter().zip(&raw.items).skip(unplayed);
        let rest = moves
            .filter(|(token, _)| token.kind.is_move())
            .map(|(token, item)| WrittenMove { text: item.text, span: token.span })
            .collect();
        let mut items: Vec<Option<Item<'g>>> = raw.items.into_iter().map(Some).collect();
        let mut comments = raw.comments;
        let first = trace.steps.first().map_or(items.len(), |step| step.token);
        comments.extend(items.iter_mut().take(first).flatten().flat_map(|item| item.comments.drain(..)));
        let mut plies: Vec<AnnotatedPly<'g>> = Vec::with_capacity(trace.steps.len());
        for (place, step) in trace.steps.iter().enumerate() {
            // Up to the next ply everything that is written belongs to this one.
            let end = trace.steps.get(place + 1).map_or(items.len(), |next| next.token);
            let Some(mut item) = items[step.token].take() else { continue };
            for other in items[step.token..end].iter_mut().filter_map(Option::take) {
                item.comments.extend(other.comments);
                item.nags.extend(other.nags);
                item.strength = item.strength.or(other.strength);
            }
            let last = raw.tokens.at(step.token + step.tokens - 1).span;
            plies.push(AnnotatedPly {
                position: Position::from_state(self.game, step.before),
                mv: step.mv,
                text: item.text,
                span: raw.tokens.at(step.token).span.to(last),
                number: item.number,
                strength: item.strength,
                nags: item.nags,
                comments: item.comments,
                variations: Vec::new(),
            });
        }
        AnnotatedLine { comments, plies, last: Position::from_state(self.game, trace.last), stop, rest }
    }
}

impl<'g> AnnotatedPly<'g> {
    fn written(&self) -> WrittenMove<'g> {
        WrittenMove { text: self.text, span: self.span }
    }
}

fn trace<R: Ruleset>(
    context: Context<'_>,
    rules: R,
    mut state: State<BitsOf<R>>,
    scratch: &mut Scratch,
) -> Traced {
    let (mut steps, mut at, mut stop, mut budget) = (Vec::new(), 0, None, AHEAD_IN_GAME);
    while at < context.tokens.len() {
        let (mv, tokens, note) = match context.resolve(rules, &state, at, scratch.list()) {
            Resolved::Move { mv, tokens, note } => (mv, tokens, note.map(MoveRemark::code)),
            Resolved::Many(found) => {
                match settle(&context, rules, &state, at, &found, scratch, &mut budget) {
                    Some(mv) => (mv, 1, Some(Code::SettledMove)),
                    None => {
                        stop = Some((at, StopReason::Ambiguous));
                        break;
                    }
                }
            }
            Resolved::Pass(tokens) => {
                at += tokens;
                continue;
            }
            Resolved::Null => {
                state = state.passed();
                at += 1;
                continue;
            }
            Resolved::Position(position) => {
                state = position;
                at += 1;
                continue;
            }
            Resolved::Stop(reason) => {
                let last = steps.last().filter(|step: &&Step| step.mv.is_capture());
                if let Some(tokens) = last.and_then(|step| context.repeated_capture_len(at, step.mv.to)) {
                    at += tokens;
                    continue;
                }
                stop = Some((at, reason));
                break;
            }
        };
        steps.push(Step { token: at, tokens, before: state.resized(), mv: mv.resized(), note });
        state.play(rules, &mv);
        at += tokens;
    }
    Traced { steps, last: state.resized(), stop }
}
