//! Finds the end of a setup command: `/FEN "B:W18:B12"/` (PDN 3.0, section 5.2).

use super::whitespace::is_line_end;

/// The end of a setup command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SetupEnd {
    /// The offset just after the command, closing slash included.
    pub end: usize,
    /// `true` if the closing slash is present.
    pub closed: bool,
}

/// Returns `true` if the slash at offset `at` opens a setup: `FEN` follows.
pub(crate) fn opens_setup(bytes: &[u8], at: usize) -> bool {
    let rest = bytes[at + 1..].trim_ascii_start();
    rest.starts_with(b"FEN") || rest.starts_with(b"fen")
}

/// Returns the end of the setup that the slash at offset `at` opens.
///
/// The setup ends with the next slash if that comes before an empty line, a brace, a bracket or a parenthesis, and
/// within 2,048 bytes. Otherwise it ends with the line, or before the brace, bracket or parenthesis if that is
/// nearer. A position of 72 squares takes about 250 bytes, so the limit is generous.
pub(crate) fn setup_end(bytes: &[u8], at: usize) -> SetupEnd {
    let window = &bytes[..bytes.len().min(at + 2048)];
    let mut first_line_end = None;
    let mut line_is_empty = false;
    for (offset, &byte) in window.iter().enumerate().skip(at + 1) {
        match byte {
            b'/' => return SetupEnd { end: offset + 1, closed: true },
            b'{' | b'}' | b'[' | b']' | b'(' | b')' => break,
            b'\n' if line_is_empty => break,
            _ if is_line_end(byte) => {
                first_line_end.get_or_insert(offset);
                line_is_empty |= byte == b'\n' || window.get(offset + 1) != Some(&b'\n');
            }
            b' ' | b'\t' => {}
            _ => line_is_empty = false,
        }
    }
    let end = first_line_end.unwrap_or_else(|| {
        window[at + 1..]
            .iter()
            .position(|&b| is_line_end(b) || matches!(b, b'{' | b'}' | b'[' | b']' | b'(' | b')'))
            .map_or(window.len(), |n| at + 1 + n)
    });
    SetupEnd { end, closed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setup_ends_with_slash_or_line() {
        let check = |text: &str, end, closed| {
            assert_eq!(setup_end(text.as_bytes(), 0), SetupEnd { end, closed }, "{text:?}");
        };
        check("/FEN \"B:::\"/ 1", 12, true);
        check("/FEN \"W:W1,\n2:B3\"/", 18, true);
        check("/FEN \"W:W1\n\n1/2-1/2", 10, false);
        check("/FEN \"W:W1 {a/}", 11, false);
        check("/", 1, false);
    }
}
