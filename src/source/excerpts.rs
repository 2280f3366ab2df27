//! The games that are taken out of another text, such as JSON or a page, and how they are recognised there.

use std::ops::Range;

use super::text_offsets::TextOffsets;

/// Bytes that a reader of another text looks ahead at most.
pub(super) const LOOK_AHEAD: usize = 4 << 10;

/// Length in bytes of the start of a text or line from which PDN is recognised.
pub(super) const START_BYTES: usize = 128;

/// Line ends before the first game that are kept at most, so that lines keep their numbers.
const MAX_LINE_ENDS: usize = 1 << 20;

/// The results after which a game has certainly ended.
const RESULTS: [&[u8]; 9] =
    [b"*", b"2-0", b"0-2", b"1-1", b"1-0", b"0-1", b"0-0", b"1/2-1/2", "½-½".as_bytes()];

/// Collects the text of the games, each of whose parts has a place in the original.
#[derive(Default)]
pub(super) struct Excerpts {
    /// Text that has not been returned.
    text: Vec<u8>,
    /// The last bytes of the text that has been returned.
    before: Vec<u8>,
    offsets: TextOffsets,
    /// Bytes of the original that are in the text.
    copied: u64,
    /// Line ends of the original before the first excerpt.
    line_ends: usize,
    is_empty: bool,
}

impl Excerpts {
    /// Number of last bytes of the text that show whether a game has ended.
    const END_BYTES: usize = 16;

    pub(super) fn new() -> Self {
        Self { is_empty: true, ..Self::default() }
    }

    /// Returns the map from offsets in the text to offsets in the original.
    pub(super) fn offsets(&self) -> &TextOffsets {
        &self.offsets
    }

    /// Returns `true` if no excerpt has begun.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns the text that has not been returned.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Forgets the text, which has been returned.
    pub(super) fn clear(&mut self) {
        self.before = self.end_of_text();
        self.text.clear();
    }

    /// Begins an excerpt, which is a record of its own, at offset `original`.
    pub(super) fn begin(&mut self, original: u64, begins_with_tag: bool) {
        if self.is_empty {
            self.is_empty = false;
            let line_ends = vec![b'\n'; self.line_ends.min(MAX_LINE_ENDS)];
            self.insert(&line_ends);
        } else {
            let end = self.end_of_text();
            if !end.ends_with(b"\n") {
                self.insert(b"\n");
            }
            // Only a tag begins a record whatever stands before it.
            if !begins_with_tag && !ends_game(&end) {
                self.insert(b"*\n");
            }
        }
        self.offsets.move_to(original);
    }

    /// Adds bytes that are not in the original.
    pub(super) fn insert(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        self.offsets.push(bytes.len() as u64, (1, 0));
    }

    /// Adds bytes, or a character, that the original has at `place`.
    pub(super) fn put(&mut self, bytes: &[u8], place: Range<u64>) {
        let len = place.end - place.start;
        let shape = if len == bytes.len() as u64 { (1, 1) } else { (bytes.len() as u8, len as u8) };
        self.text.extend_from_slice(bytes);
        self.offsets.push_from(place.start, bytes.len() as u64, shape);
        self.copied += len;
    }

    /// Passes a line end outside of games, so that lines keep their numbers.
    pub(super) fn line_end(&mut self, original: u64) {
        if self.is_empty {
            self.line_ends += 1;
        } else {
            self.text.push(b'\n');
            self.offsets.push_from(original, 1, (1, 1));
        }
    }

    /// Goes on at an offset of the original.
    pub(super) fn move_to(&mut self, original: u64) {
        self.offsets.move_to(original);
    }

    /// Ends the text: the original has `len` bytes.
    pub(super) fn end(&mut self, len: u64) {
        self.offsets.end_outside(len, len.saturating_sub(self.copied));
    }

    fn end_of_text(&self) -> Vec<u8> {
        let new = &self.text[self.text.len().saturating_sub(Self::END_BYTES)..];
        let old = &self.before[self.before.len().saturating_sub(Self::END_BYTES - new.len())..];
        [old, new].concat()
    }
}

/// A text with the place of each of its parts in the original.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub(super) text: Vec<u8>,
    /// The ends of the pieces in the text, each with its place.
    places: Vec<(usize, Range<u64>)>,
}

impl Pieces {
    /// Appends bytes, or a character, that the original has at `place`.
    pub(super) fn push(&mut self, bytes: &[u8], place: Range<u64>) {
        let is_copy = |len: usize, place: &Range<u64>| len as u64 == place.end - place.start;
        let start = self.places.len().checked_sub(2).map_or(0, |before| self.places[before].0);
        self.text.extend_from_slice(bytes);
        let end = self.text.len();
        match self.places.last_mut() {
            Some((last_end, last))
                if last.end == place.start
                    && is_copy(*last_end - start, last)
                    && is_copy(bytes.len(), &place) =>
            {
                (*last_end, last.end) = (end, place.end);
            }
            _ => self.places.push((end, place)),
        }
    }

    /// Returns the pieces with their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Range<u64>)> {
        let mut start = 0;
        self.places
            .iter()
            .map(move |(end, place)| (&self.text[std::mem::replace(&mut start, *end)..*end], place.clone()))
    }

    /// Returns the offset of the first byte in the original.
    pub(super) fn start(&self) -> u64 {
        self.places.first().map_or(0, |(_, place)| place.start)
    }

    /// Returns the memory that it takes, in bytes.
    pub(super) fn cost(&self) -> usize {
        self.text.len() + self.places.len() * size_of::<(usize, Range<u64>)>()
    }
}

/// Returns `true` if a text ends with a result.
pub(super) fn ends_game(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let word = text.iter().rposition(u8::is_ascii_whitespace).map_or(text, |end| &text[end + 1..]);
    is_result(word)
}

/// Returns `true` if a word is a result and cannot be a move.
pub(super) fn is_result(word: &[u8]) -> bool {
    RESULTS.contains(&word)
}

/// Returns `true` if a text begins with a tag: a bracket, a name and a quote.
pub(super) fn begins_with_tag(text: &[u8]) -> bool {
    let Some(rest) = text.trim_ascii_start().strip_prefix(b"[") else { return false };
    let rest = rest.trim_ascii_start();
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    let name = rest.iter().take_while(is_name).count();
    (1..=40).contains(&name)
        && !rest[0].is_ascii_digit()
        && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// Returns `true` if a text begins with the number 1 and a move: `1. 32-28`, `01.c3-d4`.
pub(super) fn begins_with_first_move(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    text[zeros..].strip_prefix(b"1.").is_some_and(begins_with_move)
}

/// Returns `true` if a text begins with PDN: a tag, or the first move of a game.
pub(super) fn begins_with_pdn(text: &[u8]) -> bool {
    begins_with_tag(text) || begins_with_first_move(text)
}

/// Returns `true` if a text begins with a move: `32-28`, `c3:e5`, `3228`.
pub(super) fn begins_with_move(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 4 {
        return text.get(4).is_none_or(u8::is_ascii_whitespace);
    }
    let Some(rest) = square(text) else { return false };
    let separated = match rest {
        [b'-' | b'x' | b'X' | b':', rest @ ..] => rest,
        _ => match rest.strip_prefix("×".as_bytes()) {
            Some(rest) => rest,
            None => return false,
        },
    };
    square(separated).is_some_and(|rest| ends(rest) || matches!(rest, [b'x' | b'X', ..]))
}

/// Returns what follows the name of a square.
fn square(text: &[u8]) -> Option<&[u8]> {
    let letters = usize::from(matches!(text.first()?, b'a'..=b'l' | b'A'..=b'L'));
    let digits = text[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    matches!(digits, 1 | 2).then(|| &text[letters + digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_of_pdn_are_recognised() {
        for text in
            ["[Event \"x\"]", " [ White \"", "[Événement\"x\"]", "1. 32-28", "01.c3-d4 b6", "1.  3228 19-23"]
        {
            assert!(begins_with_pdn(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "[",
            "[\"a\"]",
            "[1 \"a\"]",
            "[pdn]",
            "[a, \"b\"]",
            "1. e4 e5",
            "1. Piet",
            "2. 32-28",
            "1.5",
            "32-28",
        ] {
            assert!(!begins_with_pdn(text.as_bytes()), "{text}");
        }
        for text in ["32-28 19-23", "26x17x10", "c3:e5", "11x18", "8-12"] {
            assert!(begins_with_move(text.as_bytes()), "{text}");
        }
        for text in ["e4 e5", "e2e4", "2024-01-05", "1-a", "12345", "x"] {
            assert!(!begins_with_move(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn game_without_a_result_ends_before_the_next_one() {
        let mut excerpts = Excerpts::new();
        excerpts.line_end(0);
        for (at, text) in [&b"1. 32-28"[..], b"1. 33-29 1-1", b"1. 34-30 *\n"].into_iter().enumerate() {
            let at = 100 * at as u64;
            excerpts.begin(at, false);
            excerpts.put(text, at..at + text.len() as u64);
            if at == 0 {
                excerpts.clear();
            }
        }
        assert_eq!(excerpts.text(), b"\n*\n1. 33-29 1-1\n1. 34-30 *\n");
        excerpts.end(1000);
        let offset = |at| excerpts.offsets().original_offset(at);
        assert_eq!((offset(1), offset(5), offset(12), offset(13), offset(u64::MAX)), (0, 4, 100, 101, 1000));
        assert_eq!(excerpts.offsets().outside(), 1000 - 8 - 12 - 11);
    }
}
