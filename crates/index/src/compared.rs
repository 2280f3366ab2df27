//! An output that compares what a builder writes with a file that is there.

use std::io::{self, Write};

use pdn::internal::storage::Output;

/// An output that compares what is written with expected bytes.
pub(super) struct ComparingOutput<'a> {
    /// Expected bytes that have not been compared yet.
    pub(super) rest: &'a [u8],
    /// `true` as long as all bytes were equal.
    pub(super) is_equal: bool,
}

impl Write for ComparingOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.rest.strip_prefix(bytes) {
            Some(rest) => self.rest = rest,
            None => self.is_equal = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for ComparingOutput<'_> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_other_byte_is_noticed() {
        for (texts, is_equal, rest) in [
            ([&b"ab"[..], b"c"], true, &b""[..]),
            ([b"ab", b""], true, b"c"),
            ([b"ab", b"d"], false, b"c"),
            ([b"ab", b"cd"], false, b"c"),
        ] {
            let mut output = ComparingOutput { rest: b"abc", is_equal: true };
            texts.iter().for_each(|text| output.write_all(text).unwrap());
            assert_eq!((output.is_equal, output.rest), (is_equal, rest));
        }
    }
}
