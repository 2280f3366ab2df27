//! What is written about moves: comments, NAGs and strengths, as an index knows them.
//!
//! Not here: the texts of comments. An index has their places only.

use crate::value::{CommentPart, CommentParts, MoveStrength};

/// What is written about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// A comment with words: more than embedded commands such as clocks.
    Comment,
    /// The number of a NAG.
    Nag(u32),
    /// A move strength; `None` for a mark that is none of the known ones.
    Strength(Option<MoveStrength>),
}

impl Note {
    /// Returns the note of a comment; `None` for one without words.
    #[inline]
    pub fn of_comment(text: &[u8]) -> Option<Self> {
        has_words(text).then_some(Self::Comment)
    }

    /// Returns the note of a move strength as written.
    #[inline]
    pub fn of_strength(text: &[u8]) -> Self {
        Self::Strength(MoveStrength::parse(text))
    }
}

/// Returns `true` if a comment says more than its embedded commands: whether words are written outside of them.
// Twin: `comment_words`; test: `comment_has_words_outside_of_its_commands`.
#[inline]
fn has_words(text: &[u8]) -> bool {
    // Most comments of servers are one clock.
    !is_short_command(text) && comment_words(text).next().is_some()
}

/// Returns `true` if a comment is one embedded command with a name and a value of 8 to 24 bytes together, and nothing else.
#[inline]
fn is_short_command(text: &[u8]) -> bool {
    let [b'[', b'%', inner @ .., b']'] = text else { return false };
    let (Some(first), Some(last)) = (inner.first_chunk(), inner.last_chunk()) else { return false };
    // After the exclusive or, a closing bracket is a zero byte. Subtracting 1 from each byte borrows at a zero byte, and only at or
    // above one.
    let borrows = |bytes: &[u8; 8]| {
        let word = u64::from_ne_bytes(*bytes) ^ u64::from_ne_bytes([b']'; 8]);
        word.wrapping_sub(u64::from_ne_bytes([1; 8])) & !word
    };
    let mut found = borrows(first) | borrows(last);
    if inner.len() > 16 {
        let Some(middle) = inner[8..].first_chunk().filter(|_| inner.len() <= 24) else { return false };
        found |= borrows(middle);
    }
    found & u64::from_ne_bytes([0x80; 8]) == 0
}

/// Iterates over the texts of a comment outside of its embedded commands, without those that are blank.
pub fn comment_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    CommentParts::new(text).filter_map(|part| match part {
        CommentPart::Text(span) => Some(span.of(text).trim_ascii()).filter(|words| !words.is_empty()),
        CommentPart::Command(_) => None,
    })
}

/// Sorts the notes of a line by their plies. Of one move come its NAGs, its strength and its comments, each in the order of the text; of
/// several strengths, the last one counts.
pub fn sort_notes(notes: &mut Vec<(u32, Note)>) {
    let rank = |note: &Note| match note {
        Note::Nag(_) => 0,
        Note::Strength(_) => 1,
        Note::Comment => 2,
    };
    notes.sort_by_key(|(plies, note)| (*plies, rank(note)));
    notes.dedup_by(|later, earlier| {
        let is_repeated = later.0 == earlier.0 && rank(&later.1) == 1 && rank(&earlier.1) == 1;
        if is_repeated {
            *earlier = *later;
        }
        is_repeated
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_has_words_outside_of_its_commands() {
        for (text, expected) in [
            (&b"[%clk 0:01]"[..], false),
            (b" [%clk 0:01] ", false),
            (b"[%clk 0:01] [%emt 0:02]", false),
            (b"[%clk 0:01:23]", false),
            (b"[%clk] [%e 02]", false),
            (b"[%a] b [%c]", true),
            (b"[%clk] b [%emt 0]", true),
            (b"[%clk 0:0:1] b [%e]", true),
            (b"[%clock w1:20:38 B1:20:00]", false),
            (b"[%clock w1:20] [%b 1:20:00]", false),
            (b"[%clock w1:20]or[%b 1:20:00]", true),
            (b"[%clock w1:20:38]x[%b 1:20]", true),
            (b"[%clk 0:01:23.456 x]", false),
            (b"[%clk 0:01:23.456 or longer]", false),
            (b"%eval 0.35", false),
            (b"", false),
            (b" \n", false),
            (b"a shot", true),
            (b"[%clk 0:01] a shot", true),
            (b"a shot [%clk 0:01]", true),
        ] {
            assert_eq!(has_words(text), expected, "{}", text.escape_ascii());
            assert_eq!(comment_words(text).next().is_some(), expected, "{}", text.escape_ascii());
        }
    }
}
