//! What an index stores of the variations, comments and NAGs of a game.

use crate::board::{Geometry, WithBoard};
use crate::index::format::annotations::{AnnotationBits, NotesWriter, write_line};
use crate::index::row::annotations::AnnotationBuffer;
use crate::pack::{Codecs, MoveCodec};
use crate::replay::{LineStep, Note, NotedLine, ReplaySummary, Replayer, sort_notes};

/// Maximum length in bytes of a record whose variations are played: it takes some hundred times as much memory.
const MAX_PLAYED_BYTES: usize = 256 << 10;

/// The notes of the main line of a record, collected while it is walked.
#[derive(Debug, Default)]
pub(super) struct MainLineNotes {
    /// The notes, each with the number of tokens of the main line before it.
    pub(super) notes: Vec<(u32, Note)>,
    pub(super) has_variations: bool,
}

impl MainLineNotes {
    /// Removes everything and keeps the memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.notes.clear();
        self.has_variations = false;
    }

    /// Returns `true` if the record has neither notes in its main line nor variations.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.notes.is_empty() && !self.has_variations
    }
}

/// A record whose main line was replayed, and what it takes to play its variations.
pub(super) struct AnnotationImport<'a> {
    pub(super) replayer: &'a Replayer,
    pub(super) codecs: &'a mut Codecs,
    pub(super) record: &'a [u8],
    pub(super) summary: &'a ReplaySummary,
}

impl AnnotationImport<'_> {
    /// Appends the variations and notes of the record.
    // Twin: the lines of the record, played one by one; test: `notes_counted_by_tokens_equal_those_of_played_lines`.
    #[cold]
    pub(super) fn add(self, found: &mut MainLineNotes, out: &mut AnnotationBuffer) {
        let Self { replayer, summary, record, .. } = self;
        // Each token is a ply: the number of tokens before a note is that of the plies.
        let is_counted =
            summary.stop.is_none() && !summary.has_setups && replayer.token_count() == summary.plies as usize;
        if !found.has_variations && is_counted {
            found.notes.retain(|&(plies, note)| plies > 0 || note == Note::Comment);
            sort_notes(&mut found.notes);
            let mut writer = NotesWriter::default();
            writer.line(0, &found.notes, &mut out.notes);
            out.bits |= writer.bits();
        } else if record.len() <= MAX_PLAYED_BYTES {
            self.add_lines(out);
        }
    }

    fn add_lines(self, out: &mut AnnotationBuffer) {
        let Self { replayer, codecs, record, summary } = self;
        let lines = replayer.noted_lines(record, summary);
        summary.variant.board().with(PackLines { codecs, lines: &lines, out });
    }
}

/// Packs the lines of a game on its board.
struct PackLines<'a> {
    codecs: &'a mut Codecs,
    lines: &'a [NotedLine],
    out: &'a mut AnnotationBuffer,
}

impl WithBoard for PackLines<'_> {
    type Output = ();

    fn run<G: Geometry>(self) {
        let Self { codecs, lines, out } = self;
        let codec: &MoveCodec<G> = codecs.on::<G>();
        let (mut writer, mut moves) = (NotesWriter::default(), Vec::new());
        for (number, line) in lines.iter().enumerate() {
            writer.line(number, &line.notes, &mut out.notes);
            if number == 0 {
                continue;
            }
            moves.clear();
            for step in &line.steps {
                match step {
                    LineStep::Ply { before, mv } => {
                        codec.encode(&before.resized(), &mv.resized(), &mut moves)
                    }
                    LineStep::Null => codec.encode_null(&mut moves),
                    LineStep::Setup(state) => codec.encode_setup(&state.resized(), &mut moves),
                }
            }
            write_line(line.parent, line.first_ply, &moves, &mut out.variations);
            out.bits |= AnnotationBits::VARIATIONS;
        }
        out.bits |= writer.bits();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tags::TagCollector;
    use super::*;
    use crate::index::format::annotations::{StoredNote, read_lines, read_notes};
    use crate::parse::walk_with;
    use crate::view::TagValues;

    /// Returns what an import stores of a record: the variations and notes as bytes, and the flags. With `plays_lines`, notes are never
    /// counted by tokens.
    fn stored(record: &str, plays_lines: bool) -> AnnotationBuffer {
        let (mut replayer, mut found) = (Replayer::default(), MainLineNotes::default());
        let limits = replayer.begin(record.as_bytes());
        let tags = TagValues::default();
        let mut collector = TagCollector { replayer: &mut replayer, tags, notes: &mut found };
        let _ = walk_with(record.as_bytes(), &limits, &mut collector);
        let summary = replayer.finish(record.as_bytes(), &mut ());
        let (mut codecs, mut out) = (Codecs::default(), AnnotationBuffer::default());
        let import = AnnotationImport {
            replayer: &replayer,
            codecs: &mut codecs,
            record: record.as_bytes(),
            summary: &summary,
        };
        if plays_lines {
            import.add_lines(&mut out);
        } else {
            import.add(&mut found, &mut out);
        }
        out
    }

    #[test]
    fn notes_counted_by_tokens_equal_those_of_played_lines() {
        for record in [
            "{first} 1. 32-28! {a shot} $3 19-23 {[%clk 0:01]} 2. 28x19 {[%clk 0:02] wins} 14x23 * {last}",
            "[White \"Ames\"] {in the tags} 1. 32-28 19-23 $1 $2 {} *",
            "$1 1. 32-28! (?) $2 {a} $3 *",
            "1. 32-28 19-23 2. 28x19 14x23 (see game 5) *",
            "; a line\n1. 32-28 19-23? ; another\n*",
            "*",
        ] {
            let (counted, played) = (stored(record, false), stored(record, true));
            assert_eq!((counted.bits, &counted.notes), (played.bits, &played.notes), "{record}");
            assert!(counted.variations.is_empty() && played.variations.is_empty(), "{record}");
        }
    }

    #[test]
    fn variations_have_the_line_and_ply_in_which_they_begin() {
        let record = "[GameType \"20\"] 1. 32-28 (33-28 18-23 (18-22 {deep}) ) 19-23 (2. 28x19 14x23!) (99-98 {no}) 2. 28x19 *";
        let found = stored(record, false);
        let lines = read_lines(&found.variations).expect("as written");
        let places: Vec<_> =
            lines.iter().map(|line| (line.parent, line.first_ply, line.moves.len())).collect();
        // The third one continues the move before it, and the fourth cannot be played.
        assert_eq!(places, [(0, 0, 2), (1, 1, 1), (0, 2, 2), (0, 1, 0)]);
        let notes: Vec<_> = read_notes(&found.notes).expect("as written");
        let places: Vec<_> = notes.iter().map(|&StoredNote { line, plies, .. }| (line, plies)).collect();
        assert_eq!(places, [(2, 2), (3, 4), (4, 1)]);
    }
}
