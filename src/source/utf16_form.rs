//! The two forms of UTF-16, and how they are recognised.

/// A form of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf16 {
    /// Low byte first, as Windows writes it.
    Little,
    /// High byte first.
    Big,
}

impl Utf16 {
    /// Recognises the byte order mark at the front of `head`.
    pub(super) fn by_mark(head: &[u8]) -> Option<Self> {
        [Self::Little, Self::Big].into_iter().find(|form| form.starts_with_mark(head))
    }

    /// Recognises UTF-16 without a byte order mark, from the first kilobyte of a text or all of it.
    ///
    /// The text has to look like ASCII with a zero in each pair of bytes: the first pair does, at least half of all pairs
    /// do, and at most one pair in sixteen does so in the other order.
    pub(super) fn by_pattern(head: &[u8]) -> Option<Self> {
        let pairs = head.len() / 2;
        let is_ascii = |pair: &[u8; 2], low: usize| matches!(pair[low], 1..0x80) && pair[1 - low] == 0;
        let count = |low| head.as_chunks::<2>().0.iter().filter(|pair| is_ascii(pair, low)).count();
        let first = head.first_chunk::<2>()?;
        let (little, big) = (count(0), count(1));
        let (form, pro, contra) =
            if is_ascii(first, 0) { (Self::Little, little, big) } else { (Self::Big, big, little) };
        let is_utf16 = pairs >= 2
            && (is_ascii(first, 0) || is_ascii(first, 1))
            && 2 * pro >= pairs
            && 16 * contra <= pairs;
        is_utf16.then_some(form)
    }

    /// Returns `true` if `head` starts with the byte order mark of this form.
    pub(super) fn starts_with_mark(self, head: &[u8]) -> bool {
        head.starts_with(match self {
            Self::Little => b"\xFF\xFE",
            Self::Big => b"\xFE\xFF",
        })
    }

    /// Returns `utf-16le` or `utf-16be`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "utf-16le",
            Self::Big => "utf-16be",
        }
    }
}
