//! Cuts lines to the width of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Cuts a text to a number of columns, the last of which then shows `…`.
pub(crate) fn cut(text: &mut String, width: usize) {
    if text.width() <= width {
        return;
    }
    let mut columns = 0;
    let end = text.char_indices().find(|(_, c)| {
        columns += c.width().unwrap_or(0);
        columns >= width
    });
    if let Some((end, _)) = end {
        text.truncate(end);
        text.truncate(text.trim_end().len());
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_their_width() {
        for (text, width, expected) in [
            ("Wiersma", 7, "Wiersma"),
            ("Wiersma", 6, "Wiers…"),
            ("van der Wal", 5, "van…"),
            ("Шварцман", 3, "Шв…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("e\u{301}te\u{301}", 3, "e\u{301}te\u{301}"),
        ] {
            let mut cut_text = text.to_owned();
            cut(&mut cut_text, width);
            assert_eq!(cut_text, expected, "{text} {width}");
            assert!(cut_text.width() <= width, "{text} {width}");
        }
    }
}
