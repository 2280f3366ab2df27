//! Plays all lines of a game, checks how their moves are written, and builds the tree.

use super::played_line::{PlayedLine, PlayedPly};
use super::raw_line::{Item, LineRecorder, RawLine};
use super::{AnnotatedGame, AnnotatedLine, AnnotatedPly};
use crate::archive::InputRecord;
use crate::diag::{Code, Diagnostic, Severity};
use crate::limits::Limits;
use crate::movegen::{FindError, MoveList, SearchBudget};
use crate::notation::{MoveForm, MoveText, SquareCodes};
use crate::parse::{WrittenMove, walk_with};
use crate::position::{Move, Position, State};
use crate::replay::line::{LineTokenKind, LineTokens};
use crate::replay::play::{LineContext, Searches};
use crate::replay::{ReplayOptions, ReplayStop, ReplaySummary, Replayer, StopReason};
use crate::rules::GameRules;
use crate::sort;

/// Replays a game with its comments and variations. A program that replays many games reuses a [`Replayer`].
///
/// ```
/// use pdn::replay::{self, ReplayOptions};
///
/// let text = b"1. 32-28 19-23 (1... 18-23 2. 38-32) 2. 28x19 {takes} 14x23 *";
/// let game = replay::annotate(text, &ReplayOptions::default());
/// let plies = &game.main.plies;
/// assert_eq!(plies.len(), 4);
/// assert_eq!(plies[1].variations[0].plies[1].text, b"38-32");
/// assert_eq!(plies[2].comments[0].text, b"takes");
/// assert!(plies[2].mv.is_capture());
/// ```
pub fn annotate<'g>(game: impl Into<InputRecord<'g>>, options: &ReplayOptions) -> AnnotatedGame<'g> {
    Replayer::new(options).replay_annotated(game)
}

impl Replayer {
    /// Replays a game with its comments and variations. Takes what [`replay`](Self::replay) takes.
    pub fn replay_annotated<'g>(&mut self, game: impl Into<InputRecord<'g>>) -> AnnotatedGame<'g> {
        self.annotated(game.into())
    }

    fn annotated<'g>(&mut self, game: InputRecord<'g>) -> AnnotatedGame<'g> {
        let text = game.raw();
        let summary = self.summary(game);
        let mut diagnostics = self.move_diagnostics().to_vec();
        let limits = *self.limits();
        let read_text = self.read_text(text);
        let (mut annotator, lines) = Annotator::new(text, read_text, &summary, &limits, self.searches());
        let given = annotator.budget.rest();
        let main = annotator.annotate(lines, &summary, &mut diagnostics);
        self.searches().take(given, &annotator.budget);
        sort::by_key(&mut diagnostics, |diagnostic| diagnostic.span);
        diagnostics.truncate(limits.diagnostics as usize);
        AnnotatedGame { summary, main, diagnostics }
    }
}

/// What a token of the movetext does when its line is played.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TokenEffect {
    /// It is the first token of a legal ply, played in this position.
    Ply { before: State<u128>, mv: Move },
    /// It belongs to the ply before it.
    Continued,
    /// It has no effect: a mark for a move that is not missing.
    Skipped,
    /// It sets a position or passes the turn.
    Setup,
    /// It cannot be played.
    Unplayed(StopReason),
}

/// A token of the movetext with its effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedToken {
    /// The offset of its text in the record; of a setup, of its FEN.
    pub(crate) at: u32,
    pub(crate) effect: TokenEffect,
}

impl Replayer {
    /// Plays the main line and all variations of a record that was replayed with `summary`, and returns their tokens in
    /// text order.
    pub(crate) fn play_tokens(&mut self, text: &[u8], summary: &ReplaySummary) -> Vec<PlayedToken> {
        let limits = *self.limits();
        let read_text = self.read_text(text);
        let (mut annotator, lines) = Annotator::new(text, read_text, summary, &limits, self.searches());
        let mut tokens = Vec::new();
        annotator.play_lines(&lines, summary, |raw, line| {
            let mut plies = line.plies.iter().peekable();
            let mut ply_end = 0;
            for (index, token) in raw.tokens.iter().enumerate() {
                let effect = if let Some(ply) = plies.next_if(|ply| ply.token == index) {
                    ply_end = index + ply.token_count;
                    TokenEffect::Ply { before: ply.before, mv: ply.mv }
                } else if let Some((_, reason)) = line.stop.filter(|(stop, _)| index >= *stop) {
                    TokenEffect::Unplayed(reason)
                } else if index < ply_end || token.kind == LineTokenKind::Captures {
                    TokenEffect::Continued
                } else {
                    match token.kind {
                        LineTokenKind::Setup => TokenEffect::Setup,
                        LineTokenKind::Ellipsis | LineTokenKind::Dash => TokenEffect::Skipped,
                        // A second text of a capture that is complete, as `11x18 18x25` may be written.
                        LineTokenKind::Pair | LineTokenKind::OtherMove => TokenEffect::Continued,
                        LineTokenKind::StrayText | LineTokenKind::Captures => {
                            TokenEffect::Unplayed(StopReason::LostText)
                        }
                    }
                };
                tokens.push(PlayedToken { at: token.span.start, effect });
            }
        });
        sort::by_key(&mut tokens, |token| token.at);
        tokens
    }
}

/// Plays the lines of one game and builds the tree.
struct Annotator<'g> {
    /// The bytes of the record.
    text: &'g [u8],
    codes: SquareCodes,
    game: GameRules,
    /// The budget of all lines together.
    budget: SearchBudget,
    list: MoveList,
}

impl<'g> Annotator<'g> {
    /// Creates an annotator of a record that was replayed with `summary`, and records the lines of the record in the text as which it was
    /// read.
    fn new(
        text: &'g [u8],
        read_text: &[u8],
        summary: &ReplaySummary,
        limits: &Limits,
        searches: &Searches,
    ) -> (Self, Vec<RawLine<'g>>) {
        let mut recorder = LineRecorder::new(text);
        // The recorder never breaks off a walk.
        let _ = walk_with(read_text, limits, &mut recorder);
        let annotator = Self {
            text,
            codes: SquareCodes::new(&summary.game().names()),
            game: summary.game(),
            budget: searches.budget(limits.capture_nodes, text.len()),
            list: MoveList::new(),
        };
        (annotator, recorder.into_lines())
    }

    /// Plays all lines and returns the main line with its variations. Parents precede their variations in `raw_lines`.
    fn annotate(
        &mut self,
        raw_lines: Vec<RawLine<'g>>,
        summary: &ReplaySummary,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> AnnotatedLine<'g> {
        let played = self.play_lines(&raw_lines, summary, |_, _| {});
        for (raw, line) in raw_lines.iter().zip(&played) {
            self.check(raw, line, diagnostics);
        }
        let parents: Vec<_> = raw_lines.iter().map(|raw| raw.parent).collect();
        let mut built: Vec<Option<AnnotatedLine<'g>>> = (0..)
            .zip(raw_lines)
            .zip(&played)
            .map(|((number, raw), line)| Some(self.build(number, raw, line)))
            .collect();
        // From the last line to the first, so that every line is complete before it moves into its parent.
        for index in (1..built.len()).rev() {
            let (Some(mut line), Some((parent, item_count))) = (built[index].take(), parents[index]) else {
                continue;
            };
            reverse_variations(&mut line);
            let ply = played[parent].ply_before(item_count);
            match (built[parent].as_mut(), ply) {
                (Some(parent), Some(ply)) => parent.plies[ply].variations.push(line),
                // A variation before the first ply has no ply to belong to. Its moves are kept as text.
                (Some(parent), None) => {
                    parent.rest.extend(line.plies.iter().map(AnnotatedPly::written).chain(line.rest))
                }
                (None, _) => {}
            }
        }
        let mut main = built.swap_remove(0);
        main.iter_mut().for_each(reverse_variations);
        main.unwrap_or_else(|| AnnotatedLine {
            number: 0,
            comments: Vec::new(),
            plies: Vec::new(),
            last: summary.last_position(),
            stop: None,
            rest: Vec::new(),
        })
    }

    /// Plays all lines and calls `each` for every one of them. Parents precede their variations in `raw_lines`.
    fn play_lines(
        &mut self,
        raw_lines: &[RawLine<'_>],
        summary: &ReplaySummary,
        mut each: impl FnMut(&RawLine<'_>, &PlayedLine),
    ) -> Vec<PlayedLine> {
        let mut played: Vec<PlayedLine> = Vec::with_capacity(raw_lines.len());
        // A game other than draughts, or without a start position, is not played; its variations are not either.
        let first_move =
            raw_lines.first().and_then(|raw| raw.tokens.get(0)).filter(|token| token.kind.is_move());
        let unplayable = summary.stop.filter(|_| summary.plies == 0).and_then(|stop| match stop.reason {
            StopReason::NotDraughts | StopReason::BadPosition => Some(stop.reason),
            // The game begins with a later move.
            StopReason::MissingMove if first_move.is_some_and(|first| first.span == stop.span) => {
                Some(stop.reason)
            }
            _ => None,
        });
        for raw in raw_lines {
            let line = match (unplayable, raw.parent) {
                (Some(reason), _) => PlayedLine::unplayed(raw, summary.last, reason),
                (None, None) => self.play(&raw.tokens, &summary.start),
                (None, Some((parent, item_count))) => {
                    let mut line = self.play_variation(raw, &played[parent], item_count);
                    line.plies.shrink_to_fit();
                    line
                }
            };
            each(raw, &line);
            played.push(line);
        }
        played
    }

    fn play(&mut self, tokens: &LineTokens, start: &State<u128>) -> PlayedLine {
        let context = LineContext {
            text: self.text,
            tokens,
            codes: &self.codes,
            game: &self.game,
            budget: &self.budget,
        };
        PlayedLine::play(context, start, &mut self.list)
    }

    /// Plays a variation that begins after `item_count` items of its parent.
    ///
    /// A variation replaces the ply before it. In some files it continues after that ply instead; it is played
    /// there if its first move is legal only there. Directly behind a move that cannot be played, it replaces that move.
    fn play_variation(&mut self, raw: &RawLine<'_>, parent: &PlayedLine, item_count: usize) -> PlayedLine {
        let Some(ply) = parent.ply_before(item_count).and_then(|ply| parent.plies.get(ply)) else {
            return PlayedLine::unplayed(raw, parent.last, StopReason::MissingMove);
        };
        // If the parent stopped before the variation, the position is unknown.
        if let Some((token, _)) = parent.stop.filter(|(token, _)| *token < item_count) {
            if token + 1 == item_count {
                return self.play(&raw.tokens, &parent.last);
            }
            return PlayedLine::unplayed(raw, parent.last, StopReason::MissingMove);
        }
        let replacement = self.play(&raw.tokens, &ply.before);
        if replacement.plies.is_empty() && replacement.stop.is_some() {
            let after = *Position::from_state(self.game, ply.before).after_unchecked(&ply.mv).state();
            let continuation = self.play(&raw.tokens, &after);
            if !continuation.plies.is_empty() {
                return continuation;
            }
        }
        replacement
    }

    /// Appends the diagnostics of a line. Those of the main line that a replay finds are there already.
    fn check(&self, raw: &RawLine<'g>, line: &PlayedLine, diagnostics: &mut Vec<Diagnostic>) {
        let is_variation = raw.parent.is_some();
        for ply in &line.plies {
            let span = raw.tokens.token(ply.token).span;
            if let Some(code) = ply.diagnostic.filter(|_| is_variation) {
                diagnostics.push(Diagnostic::new(code, span));
            }
            if ply.mv.is_capture()
                && let Some(code) = self.check_capture_text(raw.items[ply.token].text, ply)
            {
                diagnostics.push(Diagnostic::new(code, span));
            }
        }
        if let Some((token, reason)) = line.stop.filter(|_| is_variation) {
            let code = reason.code();
            let severity = code.severity().min(Severity::Warning);
            diagnostics.push(Diagnostic { severity, ..Diagnostic::new(code, raw.tokens.token(token).span) });
        }
    }

    /// Checks the text of a capture against PDN 3.0, restrictions 8 and 9: the full path is written if another capture
    /// has the same first and last square, and only then.
    fn check_capture_text(&self, text: &[u8], ply: &PlayedPly) -> Option<Code> {
        let written = MoveText::read(text).filter(|text| text.form() == MoveForm::Squares)?;
        let position = Position::from_state(self.game, ply.before);
        let has_path = written.squares().len() > 2;
        let needs_path = matches!(position.find(ply.mv.from, ply.mv.to, &[]), Err(FindError::Ambiguous));
        if has_path != needs_path {
            return Some(Code::CaptureForm);
        }
        if !has_path {
            return None;
        }
        let squares: Vec<_> = written.squares().iter().map(|&code| self.codes.square(code)).collect();
        let paths = position.paths(&ply.mv).ok()?;
        let is_exact =
            paths.iter().any(|path| path.squares.iter().copied().map(Some).eq(squares.iter().copied()));
        (!is_exact).then_some(Code::CapturePath)
    }

    /// Builds the line with this number, without its variations.
    fn build(&self, number: u32, raw: RawLine<'g>, line: &PlayedLine) -> AnnotatedLine<'g> {
        let stop = line.stop.map(|(token, reason)| ReplayStop {
            ply: line.plies.len() as u32,
            span: raw.tokens.token(token).span,
            reason,
        });
        let first_unplayed = line.stop.map_or(raw.tokens.len(), |(token, _)| token);
        let rest = (raw.tokens.iter().zip(&raw.items).skip(first_unplayed))
            .filter(|(token, _)| token.kind.is_move())
            .map(|(token, item)| WrittenMove { text: item.text, span: token.span })
            .collect();
        let mut items: Vec<Option<Item<'g>>> = raw.items.into_iter().map(Some).collect();
        let mut comments = raw.comments;
        let first_played = line.plies.first().map_or(items.len(), |ply| ply.token);
        comments
            .extend(items.iter_mut().take(first_played).flatten().flat_map(|item| item.comments.drain(..)));
        let mut plies: Vec<AnnotatedPly<'g>> = Vec::with_capacity(line.plies.len());
        for (n, ply) in line.plies.iter().enumerate() {
            // Everything written before the next ply belongs to this one. After the last ply, comments are kept too; marks of
            // moves that are not played say nothing about it.
            let end = line.plies.get(n + 1).map_or(items.len(), |next| next.token);
            let Some(mut item) = items[ply.token].take() else { continue };
            let others = ply.token + 1..end;
            for (token, other) in others.clone().zip(&mut items[others]) {
                let Some(other) = other.take() else { continue };
                item.comments.extend(other.comments);
                if token < first_unplayed {
                    item.nags.extend(other.nags);
                    item.strength = item.strength.or(other.strength);
                }
            }
            let last_span = raw.tokens.token(ply.token + ply.token_count - 1).span;
            plies.push(AnnotatedPly {
                position: Position::from_state(self.game, ply.before),
                mv: ply.mv,
                text: item.text,
                span: raw.tokens.token(ply.token).span.to(last_span),
                number: item.number,
                strength: item.strength,
                nags: item.nags,
                comments: item.comments,
                variations: Vec::new(),
            });
        }
        AnnotatedLine {
            number,
            comments,
            plies,
            last: Position::from_state(self.game, line.last),
            stop,
            rest,
        }
    }
}

/// Puts the variations of each ply into the order of the text: they are collected from the last to the first.
pub(super) fn reverse_variations(line: &mut AnnotatedLine<'_>) {
    for ply in &mut line.plies {
        ply.variations.reverse();
    }
}
