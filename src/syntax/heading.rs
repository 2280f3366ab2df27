//! Recognises headings: lines of words above the moves, `Piet Jansen - Jan de Vries 1-1 (12-07-2025)`.

use super::play::{PlayWord, PlayWords, move_len};
use super::result::result_len;
use super::whitespace::{is_line_end, line_end, skip_whitespace};

/// The greatest number of lines of a heading.
const MAX_LINES: usize = 8;
/// The greatest distance in bytes from the start of a heading to the moves below it.
const MAX_BYTES: usize = 4096;

/// Returns the offset just after the heading that starts at offset `at`, which must be the start of a line.
///
/// A heading has up to eight lines that begin with a capital letter or a letter beyond ASCII, and have no move, no brace, bracket,
/// quote or semicolon. The first move or its number begins the line after them; there may be empty lines between. All of it has at most
/// 4,096 bytes.
pub(crate) fn heading_end(bytes: &[u8], at: usize) -> Option<usize> {
    let window = &bytes[..bytes.len().min(at + MAX_BYTES)];
    let mut next = at;
    let mut end = None;
    for _ in 0..MAX_LINES {
        let line = &window[next..line_end(window, next)];
        if !is_heading_line(line) {
            break;
        }
        let line_end = next + line.len();
        end = Some(next + line.trim_ascii_end().len());
        next = skip_whitespace(window, line_end).end;
    }
    let first = PlayWords::new(&window[next..]).next();
    let begins_play = matches!(first, Some(PlayWord::Number(1, _) | PlayWord::Move));
    end.filter(|_| begins_play && next < window.len())
}

fn is_heading_line(line: &[u8]) -> bool {
    // The squares of some games are written in capitals, and a position begins with a side.
    let begins = match line {
        [b'A'..=b'L', b'0'..=b'9', ..] | [_, b':', ..] => false,
        [b'A'..=b'Z' | 0x80.., ..] => true,
        _ => false,
    };
    let is_move = |word: &[u8]| result_len(word, 0).is_none() && move_len(word).is_some();
    begins
        && !line.iter().any(|byte| b"{}[]\";".contains(byte) || is_line_end(*byte))
        && !line.split(|&byte| byte <= b' ').any(is_move)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_words_above_moves_are_headings() {
        for heading in ["Piet - Jan 1-1 (12-07-2025)", "Club\r\n\r\nPiet - Jan 12-07-2025", "Матч"] {
            for play in ["\n1. 33-28", "\r\n\r\n33-28 18-22", "\nc3-d4", "\n1... 18-23"] {
                let end = heading_end([heading, play, " 18-22"].concat().as_bytes(), 0);
                assert_eq!(end, Some(heading.len()), "{heading}{play}");
            }
        }
        for text in [
            "Piet - Jan",
            "Piet - Jan\n[Event \"x\"]",
            "Piet - Jan 33-28 18-22\n2. 31-26",
            "piet\n1. 33-28",
            "A3-B4\n1. 33-28",
            "Piet; Jan\n1. 33-28",
            "W:W31-50:B1-20\n1. 33-28",
            "Piet\n17. 33-28",
            "Piet\n",
        ] {
            assert_eq!(heading_end(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(heading_end(["Word\n".repeat(9).as_bytes(), b"1. 33-28"].concat().as_slice(), 0), None);
    }
}
