//! The separators between the squares of a written move.

/// Returns `true` if a single byte separates the squares of a move.
///
/// ```
/// use pdn_rules::internal::value::is_separator;
///
/// assert!(is_separator(b'x') && is_separator(b':') && !is_separator(b'/'));
/// ```
#[cfg_attr(not(debug_assertions), inline(always))]
pub const fn is_separator(byte: u8) -> bool {
    // Beyond ASCII these are the multiplication sign of Latin-1 and the dash of Windows-1252.
    matches!(byte, b'-' | b'x' | b'X' | b':' | 0xD7 | 0x96)
}

/// Returns the length in bytes of the separator that `rest` starts with, or 0. A capital `X` and other dashes count.
///
/// ```
/// use pdn_rules::internal::value::separator_len;
///
/// assert_eq!((separator_len("–28".as_bytes()), separator_len(b"x28"), separator_len(b"28")), (3, 1, 0));
/// ```
#[inline]
pub fn separator_len(rest: &[u8]) -> usize {
    match rest {
        [byte, ..] if is_separator(*byte) => 1,
        [0xC3, 0x97, ..] | [0xD1, 0x85, ..] => 2,
        // Hyphens and dashes of all lengths, and the minus sign.
        [0xE2, 0x80, 0x90..=0x95, ..] | [0xE2, 0x88, 0x92, ..] => 3,
        _ => 0,
    }
}
