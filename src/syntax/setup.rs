//! Setup commands: `/FEN "B:W18:B12"/` (PDN 3.0, 5.2).

use super::blank::is_line_end;

/// The end of a setup command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupEnd {
    /// Offset just past it, closing slash included.
    pub end: usize,
    /// Whether the closing slash was there.
    pub closed: bool,
}

/// The end of the setup that opens with the slash at `at`: the next slash, if that comes before an empty line, a
/// brace or a bracket, and within 2,048 bytes; else the end of the line.
///
/// A position of 72 squares takes some 250 bytes, so the bound is generous.
pub fn setup_end(bytes: &[u8], at: usize) -> SetupEnd {
    let window = &bytes[..bytes.len().min(at + 2048)];
    let mut line = None;
    let mut blank_so_far = false;
    for (place, &byte) in window.iter().enumerate().skip(at + 1) {
        match byte {
            b'/' => return SetupEnd { end: place + 1, closed: true },
            b'{' | b'}' | b'[' | b']' | b'(' | b')' => break,
            b'\n' if blank_so_far => break,
            _ if is_line_end(byte) => {
                line.get_or_insert(place);
                blank_so_far |= byte == b'\n' || window.get(place + 1) != Some(&b'\n');
            }
            b' ' | b'\t' => {}
            _ => blank_so_far = false,
        }
    }
    let end = line.unwrap_or_else(|| {
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
    fn a_setup_ends_with_its_slash_or_with_its_line() {
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
