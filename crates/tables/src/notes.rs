//! Which written move belongs to which ply, and what is written about it: texts, clocks, evaluations, glyphs.

use std::cell::OnceCell;

use pdn::internal::value::{MoveCommands, TwoNumbers};
use pdn::parse::{
    Comment, Flow, MissingMove, SetupCommand, VariationAction, VariationMark, Visitor, WrittenMove,
};
use pdn::replay::{AnnotatedLine, ReplaySummary};
use pdn::span::Span;
use pdn::value::Nag;

/// What is written about a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MoveNote {
    /// The span of its text.
    pub(super) span: Span,
    pub(super) nags: Vec<u32>,
    /// What the embedded commands after it say.
    pub(super) commands: MoveCommands,
}

impl MoveNote {
    /// Returns `true` if anything is written about the move.
    pub(super) fn has_annotations(&self) -> bool {
        !self.nags.is_empty() || !self.commands.is_empty()
    }

    /// Creates the note of a ply of an annotated line from what is written before the offset `end`.
    fn of_ply(ply: &pdn::replay::AnnotatedPly<'_>, end: u32) -> Self {
        let span = Span::new(ply.span.start, ply.span.start + ply.text.len() as u32);
        let mut note = Self {
            span,
            nags: ply.nags.iter().map(|nag| nag.0).collect(),
            commands: MoveCommands::default(),
        };
        for comment in ply.comments.iter().filter(|comment| comment.span.start < end) {
            note.commands.read(comment.text);
        }
        note
    }

    /// Creates the notes of the plies of an annotated line.
    pub(super) fn of_line(line: &AnnotatedLine<'_>, times: &RecordTimes<'_>) -> Vec<Self> {
        // Comments after the move at which the replay stops are about moves that are not played.
        let end = line.stop.map_or(u32::MAX, |stop| stop.span.start);
        let mut notes: Vec<Self> = line.plies.iter().map(|ply| Self::of_ply(ply, end)).collect();
        times.settle(&mut notes);
        notes
    }
}

/// What times of two numbers stand for in a record, which all its times decide. They are looked for once, and only if a note has such a
/// time.
#[derive(Debug)]
pub(super) struct RecordTimes<'r> {
    record: &'r [u8],
    two_numbers: OnceCell<TwoNumbers>,
}

impl<'r> RecordTimes<'r> {
    pub(super) fn new(record: &'r [u8]) -> Self {
        Self { record, two_numbers: OnceCell::new() }
    }

    /// Decides it for the times of some moves.
    pub(super) fn settle(&self, notes: &mut [MoveNote]) {
        for note in notes.iter_mut().filter(|note| note.commands.has_two_numbers()) {
            let meaning = self.two_numbers.get_or_init(|| TwoNumbers::of_record(self.record));
            note.commands.settle(*meaning);
        }
    }
}

/// The written moves of the main line of a record, with their notes.
#[derive(Debug, Default)]
pub(super) struct MainLineNotes {
    pub(super) notes: Vec<MoveNote>,
    /// `true` if the main line has other tokens than moves, so that moves and plies cannot be matched by counting.
    has_other_tokens: bool,
    has_ended: bool,
}

impl MainLineNotes {
    /// Removes all notes.
    pub(super) fn clear(&mut self) {
        self.notes.clear();
        (self.has_other_tokens, self.has_ended) = (false, false);
    }

    /// Returns `true` if each ply of the replay is written as one move, so that note `n` belongs to ply `n`.
    // Twin: the notes of an annotated replay; test: `notes_by_counting_equal_those_of_an_annotated_replay`.
    pub(super) fn match_plies(&self, summary: &ReplaySummary) -> bool {
        let played = match summary.stop {
            Some(stop) => self.notes.partition_point(|note| note.span.start < stop.span.start),
            None => self.notes.len(),
        };
        !self.has_other_tokens && played == summary.plies as usize
    }

    fn other_token(&mut self) -> Flow {
        self.has_other_tokens |= !self.has_ended;
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for MainLineNotes {
    const NUMBERS: bool = false;

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        if !self.has_ended {
            self.notes.push(MoveNote { span: mv.span, ..MoveNote::default() });
        }
        Flow::Continue(())
    }
    fn captures(&mut self, _: WrittenMove<'g>) -> Flow {
        self.other_token()
    }
    fn missing(&mut self, _: MissingMove) -> Flow {
        self.other_token()
    }
    fn setup(&mut self, _: SetupCommand<'g>) -> Flow {
        self.other_token()
    }
    fn text(&mut self, _: &'g [u8], _: Span) -> Flow {
        self.other_token()
    }
    fn nag(&mut self, nag: Nag, _: Span) -> Flow {
        if let Some(note) = self.notes.last_mut() {
            note.nags.push(nag.0);
        }
        Flow::Continue(())
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        if let Some(note) = self.notes.last_mut() {
            note.commands.read(comment.text);
        }
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
    fn terminator(&mut self, _: pdn::parse::Terminator<'g>) -> Flow {
        self.has_ended = true;
        Flow::Continue(())
    }
}

/// The line and the number of moves before each written move and comment of a record, variations included.
#[derive(Debug, Default)]
pub(super) struct LineNumbers<'g> {
    /// The offset of each written move, and the number of its line.
    moves: Vec<(u32, u32)>,
    /// Line, number of written moves before it, and the comment.
    pub(super) comments: Vec<(u32, u32, Comment<'g>)>,
    /// The lines that are open, the innermost last: number, and number of written moves before the next one.
    open: Vec<(u32, u32)>,
    lines: u32,
    last: (u32, u32),
}

impl LineNumbers<'_> {
    /// Returns the number of the line that the move at an offset belongs to.
    pub(super) fn line_at(&self, offset: u32) -> u32 {
        self.moves.binary_search_by_key(&offset, |&(at, _)| at).map_or(0, |n| self.moves[n].1)
    }

    fn current(&mut self) -> &mut (u32, u32) {
        self.open.last_mut().unwrap_or(&mut self.last)
    }
}

impl<'g> Visitor<'g> for LineNumbers<'g> {
    const NUMBERS: bool = false;

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        let current = self.current();
        current.1 += 1;
        let line = current.0;
        self.moves.push((mv.span.start, line));
        Flow::Continue(())
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        let (line, plies) = *self.current();
        self.comments.push((line, plies, comment));
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        // A variation replaces the move before it.
        let plies = self.current().1.saturating_sub(1);
        self.lines += 1;
        self.open.push((self.lines, plies));
        VariationAction::Enter
    }
    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.open.pop();
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::parse::walk;
    use pdn::replay::{ReplayOptions, Replayer, annotate};
    use pdn::value::Colour;

    #[test]
    fn notes_by_counting_equal_those_of_an_annotated_replay() {
        let mut replayer = Replayer::default();
        let (mut matched, mut notes) = (0, MainLineNotes::default());
        for text in [
            "1. 32-28 $1 {[%clk 0:01:00] [%emt 0:00:05] [%eval 0.5]} 19-23 $2 $3 (19-24 {[%eval 9]} $9) 2. 28x19 14x23 *",
            "1. 32-28 19-23 2. 28x19 {[%clock w0:00:09 B0:00:08]} 14x23 3. 1-2 $7 *",
            "1. ... 18-23 $1 *",
            "1. 32-28 19-23 * {[%eval 3]}",
            "1. 32-28 19-23 2. 28x19 ; [%eval 1]\n14x23 1-1 1. 33-29 $4",
            "1. 32-28 {[%clk 1:20]} 19-23 {[%emt 0:05]} (19-24 {[%emt 7]}) *",
            "1. 32-28 {[%clk 1:20]} 19-23 {[%emt 0:05]} (19-24) *",
            "*",
        ] {
            notes.clear();
            walk(text.as_bytes(), &mut notes);
            let times = RecordTimes::new(text.as_bytes());
            times.settle(&mut notes.notes);
            let summary = replayer.summary(text.as_bytes());
            if !notes.match_plies(&summary) {
                continue;
            }
            matched += 1;
            let annotated = annotate(text.as_bytes(), &ReplayOptions::default());
            let expected = MoveNote::of_line(&annotated.main, &times);
            let plies = summary.plies as usize;
            assert_eq!(notes.notes[..plies], expected, "{text}");
        }
        assert_eq!(matched, 7);
    }

    #[test]
    fn comments_after_a_move_that_is_not_played_are_not_those_of_the_last_ply() {
        let text = b"[GameType \"20\"]\n1. 32-28 19-23 {[%eval 1]} 2. 44-11 {[%eval 9] [%clk 0:00:09]} *";
        let annotated = annotate(text, &ReplayOptions::default());
        let notes = MoveNote::of_line(&annotated.main, &RecordTimes::new(text));
        let evaluations: Vec<_> = notes.iter().map(|note| note.commands.evaluation()).collect();
        assert_eq!(evaluations, [None, Some(100)]);
        assert_eq!(notes[1].commands.clock(Colour::Black), None);
    }

    #[test]
    fn lines_are_numbered_in_the_order_in_which_they_begin() {
        let text = b"{a} 1. 32-28 {b} (33-28 {c} 18-23 (18-22 {d}) {e}) 19-23 (19-24 {f}) {g} *";
        let mut lines = LineNumbers::default();
        walk(text, &mut lines);
        let comments: Vec<_> = lines
            .comments
            .iter()
            .map(|(line, ply, comment)| (*line, *ply, String::from_utf8_lossy(comment.text).into_owned()))
            .collect();
        let expected =
            [(0, 0, "a"), (0, 1, "b"), (1, 1, "c"), (2, 2, "d"), (1, 2, "e"), (3, 2, "f"), (0, 2, "g")];
        assert_eq!(comments, expected.map(|(line, ply, text)| (line, ply, text.to_owned())));
    }
}
