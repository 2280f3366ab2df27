//! What is kept of a game while it is heard: ten bytes a move of the main line, and where its tags stand.

use super::tokens::{LineTokenKind, Tokens};
use crate::diag::{Code, Diagnostic};
use crate::parse::{
    Comment, Flow, MissingMark, MissingMove, MoveRun, SetupCommand, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove,
};
use crate::span::Span;

/// The main line of a game and the tags that a replay needs. Used again for game after game.
#[derive(Clone, Debug, Default)]
pub(super) struct MainLine {
    pub(super) tokens: Tokens,
    /// How many of them are moves.
    pub(super) written: u32,
    pub(super) fen: Option<Span>,
    pub(super) game_type: Option<Span>,
    pub(super) result: Option<Span>,
    pub(super) terminator: Option<Span>,
    /// A comment that is never closed and hides what followed.
    pub(super) unclosed: Option<Span>,
    /// What the walk found; at most as many as `limit`.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) limit: u32,
}

impl MainLine {
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.diagnostics.clear();
        (self.written, self.fen, self.game_type, self.result, self.terminator, self.unclosed) =
            (0, None, None, None, None, None);
    }

    #[cold]
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < self.limit as usize {
            self.diagnostics.push(diagnostic);
        }
    }

    #[cold]
    fn rare(&mut self, kind: LineTokenKind, span: Span) -> Flow {
        if self.terminator.is_none() {
            self.tokens.push_other(span, kind);
        }
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for MainLine {
    const NUMBERS: bool = false;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        // The first of several counts; names differ in length, so most are dismissed by that.
        let slot = match tag.name.len() {
            3 if tag.name.eq_ignore_ascii_case(b"fen") => &mut self.fen,
            6 if tag.name.eq_ignore_ascii_case(b"result") => &mut self.result,
            8 if tag.name.eq_ignore_ascii_case(b"gametype") => &mut self.game_type,
            _ => return Flow::Continue(()),
        };
        if slot.is_none() && !tag.value.trim_ascii().is_empty() {
            *slot = Some(tag.value_span);
        }
        Flow::Continue(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        if self.terminator.is_some() {
            return Flow::Continue(());
        }
        self.written += 1;
        self.tokens.push_move(mv);
        Flow::Continue(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        if self.terminator.is_some() {
            return Flow::Continue(());
        }
        self.written += moves.len() as u32;
        self.tokens.push_all(moves);
        Flow::Continue(())
    }

    #[inline]
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.rare(LineTokenKind::Captures, list.span)
    }

    #[inline]
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.rare(
            match missing.kind {
                MissingMark::Ellipsis => LineTokenKind::Ellipsis,
                MissingMark::Dash => LineTokenKind::Dash,
            },
            missing.span,
        )
    }

    #[inline]
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.rare(LineTokenKind::Setup, setup.fen_span)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn comment(&mut self, _: Comment<'g>) -> Flow {
        Flow::Continue(())
    }

    #[inline]
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }

    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator.get_or_insert(terminator.span);
        Flow::Continue(())
    }

    #[inline]
    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.rare(LineTokenKind::Lost, span)
    }

    #[cold]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if matches!(diagnostic.code, Code::UnclosedComment) {
            self.unclosed.get_or_insert(diagnostic.span);
        }
        self.report(diagnostic);
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parse::{MoveNumber, walk};

    /// Hears of every move by itself.
    struct OneByOne<'l>(&'l mut MainLine);

    impl<'g> Visitor<'g> for OneByOne<'_> {
        fn move_number(&mut self, _: MoveNumber) -> Flow {
            Flow::Continue(())
        }
        fn tag(&mut self, tag: TagPair<'g>) -> Flow {
            self.0.tag(tag)
        }
        fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
            self.0.written_move(mv)
        }
        fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
            self.0.captures(list)
        }
        fn missing(&mut self, missing: MissingMove) -> Flow {
            self.0.missing(missing)
        }
        fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
            self.0.setup(setup)
        }
        fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
            self.0.begin_variation(variation)
        }
        fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
            self.0.terminator(terminator)
        }
        fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
            self.0.text(text, span)
        }
        fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
            self.0.diagnostic(diagnostic)
        }
    }

    /// Everything that a line tells.
    fn told(line: &MainLine) -> impl std::fmt::Debug + PartialEq {
        let MainLine { written, fen, game_type, result, terminator, unclosed, .. } = *line;
        let tags = (fen, game_type, result, terminator, unclosed);
        (line.tokens.iter().collect::<Vec<_>>(), written, tags, line.diagnostics.clone())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// All that a replay goes by is in the line, so that equal lines are equal replays.
        #[test]
        fn lines_heard_many_moves_at_once_are_the_same(text in crate::parse::tests::movetext()) {
            let limited = || MainLine { limit: 100, ..MainLine::default() };
            let (mut each, mut many) = (limited(), limited());
            walk(&text, &mut OneByOne(&mut each));
            walk(&text, &mut many);
            prop_assert_eq!(told(&many), told(&each), "{}", text.escape_ascii());
        }
    }
}
