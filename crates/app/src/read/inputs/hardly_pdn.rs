//! Recognises text that is hardly PDN, such as another kind of text or random bytes.
//!
//! Every text can be read as PDN, because parsing never fails. A few numbers with a dash between them are then a game.

use pdn::parse::{Comment, Flow, TagPair, Visitor, WrittenMove, walk};
use pdn::split;

/// Bytes at the start of an input that are examined.
const EXAMINED_BYTES: usize = 16 << 10;
/// Length in bytes from which on a text is judged.
const MIN_BYTES: usize = 256;
/// Bytes outside of comments, on average, for each tag or move. Real archives have less than 60.
const MAX_BYTES_PER_PART: usize = 150;

/// Returns a note if `bytes`, the start of an input, are hardly PDN. Takes about 20 µs.
pub(super) fn note(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(EXAMINED_BYTES)];
    let mut parts = Parts::default();
    for record in split::records(head) {
        walk(record.bytes, &mut parts);
    }
    let len = head.len().saturating_sub(parts.comment_bytes);
    let found = parts.tags + parts.moves;
    (len >= MIN_BYTES && found * MAX_BYTES_PER_PART < len).then(|| {
        format!(
            "is hardly PDN: {} and {} in its first {} bytes",
            plural(parts.tags, "tag"),
            plural(parts.moves, "move"),
            head.len()
        )
    })
}

/// Returns a number with its noun.
fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The parts of a text.
#[derive(Default)]
struct Parts {
    tags: usize,
    moves: usize,
    comment_bytes: usize,
}

impl<'g> Visitor<'g> for Parts {
    const COMPACT: bool = true;

    fn tag(&mut self, _: TagPair<'g>) -> Flow {
        self.tags += 1;
        Flow::Continue(())
    }

    fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
        self.moves += 1;
        Flow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        // Random bytes contain braces, too.
        if std::str::from_utf8(comment.text).is_ok() {
            self.comment_bytes += comment.text.len();
        }
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pseudo-random bytes.
    fn random(seed: u64, len: usize) -> Vec<u8> {
        (0..len as u64).map(|n| (pdn_rules::internal::position::split_mix(seed, n) >> 32) as u8).collect()
    }

    #[test]
    fn random_bytes_and_prose_are_hardly_pdn() {
        for seed in 0..100 {
            assert!(note(&random(seed, 3_000)).is_some(), "seed {seed}");
            assert!(note(&random(seed, 20_000)).is_some(), "seed {seed}");
        }
        let prose =
            "The match was played in 2004, and neither of the players won more than 3-2. ".repeat(100);
        assert!(note(prose.as_bytes()).is_none(), "3-2 may be a move");
        let prose = prose.replace("3-2", "once");
        assert_eq!(
            note(prose.as_bytes()).unwrap(),
            "is hardly PDN: 0 tags and 0 moves in its first 7700 bytes"
        );
        assert!(note(b"1. ").is_none(), "too short to be judged");
    }

    #[test]
    fn games_are_pdn_however_much_is_written_about_them() {
        let comment = format!("{{ {} }}", "All of this is one comment. ".repeat(300));
        assert!(note(format!("{comment}\n1. 32-28 {comment} 19-23 *").as_bytes()).is_none());
        assert!(note(b"[White \"a\"]\n1. 32-28 *\n").is_none());
        assert!(note("[Site \"\"]\n\n*\n\n".repeat(50).as_bytes()).is_none());
    }
}
