//! Collects what an index stores of a record besides its moves, while it is walked for the replayer.

use super::lines::RecordedLines;
use pdn::diag::Diagnostic;
use pdn::internal::parse::MoveRun;
use pdn::internal::replay::{MainLine, Note};
use pdn::internal::view::TagValues;
use pdn::parse::{
    Comment, Flow, MissingMove, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove,
};
use pdn::span::Span;
use pdn::value::{Nag, TagName};

/// Collects tags, variations and notes. Passes the parts of the main line on to the main line of the replayer, except the tags that it does not use.
pub(super) struct RecordCollector<'r, 'g> {
    pub(super) line: &'r mut MainLine,
    pub(super) tags: TagValues<'g>,
    pub(super) lines: &'r mut RecordedLines,
}

impl RecordCollector<'_, '_> {
    fn note(&mut self, note: Note) -> Flow {
        self.lines.push_note(note, self.line.token_count());
        Flow::Continue(())
    }
}

/// Implements methods of a visitor that receive the moves of a line: in the main line they go to the main line of the replayer, in a variation to the
/// variations.
macro_rules! pass_moves {
    ($($method:ident($arg:ident: $type:ty);)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(&mut self, $arg: $type) -> Flow {
            if !self.lines.variations.is_open() {
                return self.line.$method($arg);
            }
            // Moves after the terminator belong to no line.
            if self.line.has_terminator() {
                return Flow::Continue(());
            }
            self.lines.variations.$method($arg)
        }
    )*};
}

impl<'g> Visitor<'g> for RecordCollector<'_, 'g> {
    const NUMBERS: bool = false;
    const NUMBER_CHECKS: bool = false;

    pass_moves! {
        written_move(mv: WrittenMove<'g>);
        move_run(moves: MoveRun<'g>);
        captures(list: WrittenMove<'g>);
        missing(missing: MissingMove);
        setup(setup: SetupCommand<'g>);
    }

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let Self { line, tags, .. } = self;
        match tags.collect(&tag, |name| line.recognise_tag(name)) {
            Some(TagName::Result | TagName::GameType | TagName::Variant | TagName::FEN) => line.tag(tag),
            _ => Flow::Continue(()),
        }
    }

    #[inline]
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        if !self.lines.variations.is_open() {
            return self.line.text(text, span);
        }
        if self.line.has_terminator() {
            return Flow::Continue(());
        }
        self.lines.variations.text(text, span)
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.note(Note::of_strength(strength.text))
    }

    fn nag(&mut self, nag: Nag, _: Span) -> Flow {
        self.note(Note::Nag(nag.0))
    }

    #[inline]
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        Note::of_comment(comment.text).map_or(Flow::Continue(()), |note| self.note(note))
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        if !self.lines.reads_variations {
            return VariationAction::Skip;
        }
        self.lines.variations.begin(self.line.token_count());
        VariationAction::Enter
    }

    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.lines.variations.end();
        Flow::Continue(())
    }

    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.line.terminator(terminator)
    }

    #[cold]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.line.diagnostic(diagnostic)
    }

    #[cold]
    fn part_diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if self.lines.variations.is_open() {
            return Flow::Continue(());
        }
        self.line.part_diagnostic(diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::replay::{ReplaySummary, Replayer};

    fn collected(record: &[u8]) -> (TagValues<'_>, ReplaySummary) {
        let mut replayer = Replayer::default();
        let mut lines = RecordedLines::default();
        lines.begin(record.len());
        let (limits, line) = replayer.begin(record);
        let mut collector = RecordCollector { line, tags: TagValues::default(), lines: &mut lines };
        let _ = pdn::parse::walk_with(record, &limits, &mut collector);
        let tags = collector.tags;
        (tags, replayer.finish_into(record, &mut ()))
    }

    #[test]
    fn replay_receives_the_tags_that_it_uses() {
        for record in [
            &b"[White \"a\"] [Uitslag \"2-0\"] [FEN \"W:W32:B1\"] 1. 32-28 *"[..],
            b"[GameType \"21\"] [Result \"*\"] 1. 9-14 22-17 [Result \"0-2\"]",
            b"[Variant \"American/English\"] [P1 \"a\"] *",
        ] {
            let (tags, summary) = collected(record);
            assert_eq!(summary, Replayer::default().summary(record), "{}", record.escape_ascii());
            assert_eq!(
                tags.get(TagName::Result),
                summary.result_tag.map_or(&b""[..], |tag| tag.span.of(record))
            );
        }
    }
}
