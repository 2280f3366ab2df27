//! Reads a written record again and compares the number of its parts.

use super::unwritten::Unwritten;
use crate::diag::{Code, Diagnostic, Severity};
use crate::limits::Limits;
use crate::parse::{
    Comment, Flow, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction, VariationMark, Visitor,
    WrittenMove, walk_with,
};
use crate::span::Span;
use crate::split::Records;
use crate::value::Nag;

/// The number of parts of a written record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct WrittenCounts {
    pub(super) tags: u32,
    /// Moves of the main line and of variations.
    pub(super) moves: u32,
    pub(super) strengths: u32,
    pub(super) nags: u32,
    pub(super) comments: u32,
    pub(super) setups: u32,
    pub(super) variations: u32,
    /// A comment contains an opening brace, which could hide its end from the splitter.
    pub(super) has_brace: bool,
}

/// A written record.
const BEFORE: &[u8] = b"1. 1-2 *\n\n";

/// Reads a written record again.
///
/// # Errors
/// If it is not one record with these parts and a terminator.
#[cold]
pub(super) fn recheck(
    text: &[u8],
    expected: &WrittenCounts,
    is_regular: bool,
    limits: &Limits,
) -> Result<(), Unwritten> {
    let mut counter = Counter::default();
    let is_complete = walk_with(text, limits, &mut counter).is_continue();
    let found = WrittenCounts { has_brace: expected.has_brace, ..counter.counts };
    // A regular record that begins with a tag and has no nested brace ends at its terminator.
    let is_plain = is_regular && expected.tags > 0 && !expected.has_brace;
    let is_same = is_complete && found == *expected && counter.terminators == 1;
    if is_same && (is_plain || is_one_record(text, limits)) {
        Ok(())
    } else {
        Err(Unwritten::ReadsDifferently)
    }
}

/// Returns `true` if a text is one record that is not drawn to the record before it.
fn is_one_record(text: &[u8], limits: &Limits) -> bool {
    // A comment at its start would belong to the record before it, unless a tag precedes it.
    let after_another = [BEFORE, text].concat();
    let mut records = Records::new(&after_another, *limits);
    records.next().is_some_and(|record| record.bytes == BEFORE)
        && records.next().is_some_and(|record| record.bytes == text)
}

#[derive(Default)]
struct Counter {
    counts: WrittenCounts,
    terminators: u32,
}

impl<'g> Visitor<'g> for Counter {
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.counts.tags += u32::from(!tag.in_moves);
        Flow::Continue(())
    }
    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.counts.moves += 1;
        Flow::Continue(())
    }
    fn strength(&mut self, _: StrengthMark<'g>) -> Flow {
        self.counts.strengths += 1;
        Flow::Continue(())
    }
    fn nag(&mut self, _: Nag, _: Span) -> Flow {
        self.counts.nags += 1;
        Flow::Continue(())
    }
    fn comment(&mut self, _: Comment<'g>) -> Flow {
        self.counts.comments += 1;
        Flow::Continue(())
    }
    fn setup(&mut self, _: SetupCommand<'g>) -> Flow {
        self.counts.setups += 1;
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.counts.variations += 1;
        VariationAction::Enter
    }
    fn terminator(&mut self, _: Terminator<'g>) -> Flow {
        self.terminators += 1;
        Flow::Continue(())
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        // Control characters in comments are copied, and so are numbers after setups.
        let is_expected =
            matches!(diagnostic.code, Code::ControlBytes | Code::MoveNumber | Code::NestedComment);
        if diagnostic.severity == Severity::Style || is_expected {
            Flow::Continue(())
        } else {
            Flow::Break(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_record_needs_one_terminator_and_all_its_parts() {
        let counts = WrittenCounts { tags: 1, moves: 2, ..WrittenCounts::default() };
        let check = |text: &str, counts: &WrittenCounts| {
            [true, false].map(|regular| recheck(text.as_bytes(), counts, regular, &Limits::DEFAULT).is_ok())
        };
        assert_eq!(check("[White \"a\"]\n\n1. 32-28 19-23 *\n", &counts), [true, true]);
        assert_eq!(check("[White \"a\"]\n\n1. 32-28 19-23\n", &counts), [false, false], "no terminator");
        assert_eq!(check("[White \"a\"]\n\n1. 32-28 *\n", &counts), [false, false], "a move is lost");
        let more = WrittenCounts { nags: 1, ..counts };
        assert_eq!(
            check("[White \"a\"]\n\n1. 32-28 19-23 *\n", &more),
            [false, false],
            "an annotation is lost"
        );
        assert_eq!(check("[White \"a\"]\n\n1. 32-28 19-23 $1 *\n", &more), [true, true]);
    }
}
