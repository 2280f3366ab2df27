//! Text from files on its way to a terminal.
//!
//! A name in an archive may contain escape sequences that recolour, rewrite or take over a terminal, and
//! marks that turn the direction of text around. Each such character is replaced by one that can be seen.

use std::borrow::Cow;
use std::path::Path;

/// The text with everything that a terminal would act on replaced by a visible character, one for one.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| shown(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(shown).collect())
}

/// A JSON value on one line in which every such character is escaped; what it means to a program is the same.
pub(crate) fn json(value: &serde_json::Value) -> String {
    use std::fmt::Write;

    let plain = value.to_string();
    let mut line = String::with_capacity(plain.len());
    for c in plain.chars() {
        // JSON escapes the first thirty-two by itself, and all of the others belong to the first plane.
        if shown(c) == c {
            line.push(c);
        } else {
            let _ = write!(line, "\\u{:04x}", u32::from(c));
        }
    }
    line
}

/// A path as text for people.
pub(crate) fn path(path: &Path) -> String {
    clean(&path.to_string_lossy()).into_owned()
}

/// What stands for a character.
pub(crate) fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        // The pictures of control characters stand in the same order as the characters.
        '\0'..='\x1F' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7F' => '\u{2421}',
        '\u{80}'..='\u{9F}' => char::REPLACEMENT_CHARACTER,
        // Direction marks, embeddings and isolates; line and paragraph separators; invisible joiners and
        // marks.
        '\u{061C}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_means_the_same_without_the_characters() {
        let value = serde_json::json!({ "a\u{9b}": "é\u{202e}\x1b\"\u{7f}" });
        let line = json(&value);
        assert_eq!(line, "{\"a\\u009b\":\"é\\u202e\\u001b\\\"\\u007f\"}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
    }

    #[test]
    fn nothing_reaches_the_terminal_that_it_would_act_on() {
        for (text, expected) in [
            ("Wiersma, Harm", "Wiersma, Harm"),
            ("Полоусов", "Полоусов"),
            ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
            ("a\tb\r\nc", "a b␍␊c"),
            ("\u{9b}31m \u{7f}", "\u{fffd}31m ␡"),
            ("\u{202e}dlo", "\u{fffd}dlo"),
        ] {
            assert_eq!(clean(text), expected);
            assert_eq!(clean(text).chars().count(), text.chars().count());
        }
    }
}
