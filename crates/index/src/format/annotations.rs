//! The variations of a game and the places of its notes, as bytes.
//!
//! A game has one number of three flags, its [`AnnotationBits`]. Its variations and notes are two sequences of bytes, each only where
//! the game has any. Numbers are variable: seven bits in each byte, lowest first; the highest bit of all bytes but the last is set.
//!
//! ```text
//! variations  for each, in the order in which their brackets open: number * 8 + form | place | packed moves
//!             form 0 to 5: it begins in the main line, `number` plies after the variation before that does (or after the
//!             start of the game), and has `form + 1` bytes of moves; no place
//!             form 6: likewise; the place is the number of bytes of moves
//!             form 7: it begins in the line `number`; the place is its first ply and the number of bytes of moves
//! notes       for each line that has some, in the order of the lines: lines since the one before | number of notes | notes
//! note        plies since the note before * 4 + kind (0 comment, 1 NAG, 2 strength)
//!             then, for a NAG, its number; for a strength, the number of the NAG of the same meaning, or 0
//! ```
//! The parent is the number of the line in which a variation begins: 0 for the main line, 1 for the first variation. The first ply
//! is the number of plies before its first position. The plies of a note are those before it, the move that it is about included.

use super::wire::{Reader, Writer};
use pdn::internal::replay::Note;
use pdn::value::MoveStrength;

/// What the lines of a game have: the value of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct AnnotationBits(pub(crate) u8);

impl AnnotationBits {
    /// The game has variations.
    pub(crate) const VARIATIONS: u8 = 1;
    /// A line of the game has comments with words.
    pub(crate) const COMMENTS: u8 = 2;
    /// A line of the game has NAGs or strengths.
    pub(crate) const NAGS: u8 = 4;
    /// An earlier version has written the game and did not store what it has.
    pub(crate) const UNKNOWN: u8 = 8;

    /// Returns `true` if the game has bytes of notes.
    pub(crate) const fn has_notes(self) -> bool {
        self.0 & (Self::COMMENTS | Self::NAGS) != 0
    }

    /// Returns `true` if the game has bytes of variations.
    pub(crate) const fn has_variations(self) -> bool {
        self.0 & Self::VARIATIONS != 0
    }
}

/// A variation as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoredLine<'a> {
    /// The number of the line in which it begins.
    pub(crate) parent: usize,
    /// The number of plies before its first position.
    pub(crate) first_ply: u32,
    /// Its packed moves.
    pub(crate) moves: &'a [u8],
}

/// A note as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoredNote {
    /// The number of its line.
    pub(crate) line: usize,
    /// The number of plies before it.
    pub(crate) plies: u32,
    /// What is written.
    pub(crate) note: Note,
}

/// The form of a variation of the main line whose number of bytes of moves is written.
const LONG: u128 = 6;
/// The form of a variation whose parent and first ply are written.
const PLACED: u128 = 7;

/// Writes the variations of a game, one after the other.
#[derive(Debug, Default)]
pub(crate) struct LinesWriter {
    /// The first ply of the last variation whose place was not written.
    first_ply: u32,
}

impl LinesWriter {
    /// Appends a variation.
    pub(crate) fn line(&mut self, parent: usize, first_ply: u32, moves: &[u8], out: &mut Vec<u8>) {
        let mut writer = Writer(std::mem::take(out));
        let len = moves.len() as u128;
        match first_ply.checked_sub(self.first_ply).filter(|_| parent == 0) {
            Some(plies) => {
                self.first_ply = first_ply;
                if (1..=LONG).contains(&len) {
                    writer.varint(u128::from(plies) << 3 | (len - 1));
                } else {
                    writer.varint(u128::from(plies) << 3 | LONG);
                    writer.varint(len);
                }
            }
            None => {
                writer.varint((parent as u128) << 3 | PLACED);
                writer.varint(first_ply.into());
                writer.varint(len);
            }
        }
        writer.0.extend_from_slice(moves);
        *out = writer.0;
    }
}

/// Reads the variations of a game; `None` if the bytes are malformed.
pub(crate) fn read_lines(bytes: &[u8]) -> Option<Vec<StoredLine<'_>>> {
    let (mut reader, mut lines) = (Reader(bytes), Vec::new());
    let mut last = 0u32;
    while !reader.0.is_empty() {
        let first = reader.varint()?;
        let (number, form) = (first >> 3, first & 7);
        let (parent, first_ply) = if form == PLACED {
            let parent = usize::try_from(number).ok().filter(|parent| *parent <= lines.len())?;
            (parent, u32::try_from(reader.varint()?).ok()?)
        } else {
            last = last.checked_add(u32::try_from(number).ok()?)?;
            (0, last)
        };
        let len = if form < LONG { form + 1 } else { reader.varint()? };
        let (moves, rest) = reader.0.split_at_checked(usize::try_from(len).ok()?)?;
        reader.0 = rest;
        lines.push(StoredLine { parent, first_ply, moves });
    }
    Some(lines)
}

/// Writes the notes of a game, line by line.
#[derive(Debug, Default)]
pub(crate) struct NotesWriter {
    /// The line of the last notes.
    line: usize,
    bits: u8,
}

impl NotesWriter {
    /// Appends the notes of a line, sorted by their plies. The lines come in ascending order.
    pub(crate) fn line(&mut self, line: usize, notes: &[(u32, Note)], out: &mut Vec<u8>) {
        if notes.is_empty() {
            return;
        }
        let mut writer = Writer(std::mem::take(out));
        writer.varint((line - self.line) as u128);
        writer.varint(notes.len() as u128);
        self.line = line;
        let mut before = 0;
        for &(plies, note) in notes {
            let kind = match note {
                Note::Comment => 0,
                Note::Nag(_) => 1,
                Note::Strength(_) => 2,
            };
            writer.varint(u128::from(plies - before) << 2 | kind);
            before = plies;
            match note {
                Note::Comment => self.bits |= AnnotationBits::COMMENTS,
                Note::Nag(nag) => {
                    self.bits |= AnnotationBits::NAGS;
                    writer.varint(nag.into());
                }
                Note::Strength(strength) => {
                    self.bits |= AnnotationBits::NAGS;
                    writer.u8(strength.map_or(0, |strength| strength.nag().0 as u8));
                }
            }
        }
        *out = writer.0;
    }

    /// Returns the flags of what was written.
    pub(crate) fn bits(&self) -> u8 {
        self.bits
    }
}

/// Reads the notes of a game, in the order of the lines; `None` if the bytes are malformed.
pub(crate) fn read_notes(bytes: &[u8]) -> Option<Vec<StoredNote>> {
    let (mut reader, mut notes) = (Reader(bytes), Vec::new());
    let mut line = 0usize;
    while !reader.0.is_empty() {
        line = line.checked_add(usize::try_from(reader.varint()?).ok()?)?;
        let mut plies = 0u32;
        for _ in 0..reader.varint()? {
            let first = reader.varint()?;
            plies = plies.checked_add(u32::try_from(first >> 2).ok()?)?;
            let note = match first & 3 {
                0 => Note::Comment,
                1 => Note::Nag(u32::try_from(reader.varint()?).ok()?),
                2 => Note::Strength(strength_of(reader.u8()?)?),
                _ => return None,
            };
            notes.push(StoredNote { line, plies, note });
        }
    }
    Some(notes)
}

/// Returns the strength that a number stands for; the outer `None` for a number that stands for none.
fn strength_of(number: u8) -> Option<Option<MoveStrength>> {
    if number == 0 {
        return Some(None);
    }
    MoveStrength::ALL.into_iter().find(|strength| strength.nag().0 == u32::from(number)).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn note() -> impl Strategy<Value = Note> {
        prop_oneof![
            Just(Note::Comment),
            any::<u32>().prop_map(Note::Nag),
            prop::option::of(prop::sample::select(MoveStrength::ALL.to_vec())).prop_map(Note::Strength),
        ]
    }

    fn first_ply() -> impl Strategy<Value = u32> {
        prop_oneof![0u32..100, any::<u32>()]
    }

    proptest! {
        #[test]
        fn notes_survive_encoding(
            lines in prop::collection::vec(prop::collection::vec((0u32..100, note()), 0..8), 0..8),
        ) {
            let (mut writer, mut bytes, mut expected) = (NotesWriter::default(), Vec::new(), Vec::new());
            for (line, steps) in lines.iter().enumerate() {
                let mut plies = 0;
                let notes: Vec<_> = steps.iter().map(|&(step, note)| { plies += step; (plies, note) }).collect();
                writer.line(line, &notes, &mut bytes);
                expected.extend(notes.iter().map(|&(plies, note)| StoredNote { line, plies, note }));
            }
            prop_assert_eq!(read_notes(&bytes), Some(expected.clone()));
            let has = |test: fn(&StoredNote) -> bool| expected.iter().any(test);
            prop_assert_eq!(writer.bits() & AnnotationBits::COMMENTS != 0, has(|note| note.note == Note::Comment));
            prop_assert_eq!(writer.bits() & AnnotationBits::NAGS != 0, has(|note| note.note != Note::Comment));
            if !bytes.is_empty() {
                prop_assert_eq!(read_notes(&bytes[..bytes.len() - 1]), None);
            }
        }

        #[test]
        fn variations_survive_encoding(
            lines in prop::collection::vec((0usize..9, first_ply(), prop::collection::vec(any::<u8>(), 0..20)), 0..9),
        ) {
            let (mut writer, mut bytes) = (LinesWriter::default(), Vec::new());
            let parent = |n: usize, parent: usize| parent % (n + 1);
            for (n, (above, first_ply, moves)) in lines.iter().enumerate() {
                writer.line(parent(n, *above), *first_ply, moves, &mut bytes);
            }
            let expected = lines.iter().enumerate().map(|(n, (above, first_ply, moves))| {
                StoredLine { parent: parent(n, *above), first_ply: *first_ply, moves }
            });
            prop_assert_eq!(read_lines(&bytes), Some(expected.collect()));
        }

        #[test]
        fn annotations_of_any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = (read_notes(&bytes), read_lines(&bytes));
        }
    }
}
