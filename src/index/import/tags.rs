//! Collects what an index stores of a record besides its moves, while it is walked for the replayer.

use super::notes::MainLineNotes;
use crate::parse::{
    Comment, Flow, StrengthMark, TagPair, VariationAction, VariationMark, Visitor, forward_to,
};
use crate::replay::{Note, Replayer};
use crate::span::Span;
use crate::value::TagName;
use crate::view::TagValues;

/// Collects tags and the notes of the main line, and passes all parts of a record on to the replayer except the tags that it does not use.
pub(super) struct TagCollector<'r, 'g> {
    pub(super) replayer: &'r mut Replayer,
    pub(super) tags: TagValues<'g>,
    pub(super) notes: &'r mut MainLineNotes,
}

impl TagCollector<'_, '_> {
    fn add(&mut self, note: Note) -> Flow {
        self.notes.notes.push((self.replayer.token_count() as u32, note));
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for TagCollector<'_, 'g> {
    const NUMBERS: bool = false;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let Self { replayer, tags, .. } = self;
        match tags.collect(&tag, |name| replayer.recognise_tag(name)) {
            Some(TagName::Result | TagName::GameType | TagName::Variant | TagName::FEN) => replayer.tag(tag),
            _ => Flow::Continue(()),
        }
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.add(Note::of_strength(strength.text))
    }

    fn nag(&mut self, nag: u32, _: Span) -> Flow {
        self.add(Note::Nag(nag))
    }

    #[inline]
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        Note::of_comment(comment.text).map_or(Flow::Continue(()), |note| self.add(note))
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.notes.has_variations = true;
        self.replayer.begin_variation(variation)
    }

    forward_to! { moves, self => *self.replayer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ReplaySummary;

    fn collected(record: &[u8]) -> (TagValues<'_>, ReplaySummary) {
        let mut replayer = Replayer::default();
        let mut notes = MainLineNotes::default();
        let mut collector =
            TagCollector { replayer: &mut replayer, tags: TagValues::default(), notes: &mut notes };
        crate::parse::walk(record, &mut collector);
        let tags = collector.tags;
        (tags, replayer.finish(record, &mut ()))
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
