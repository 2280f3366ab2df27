//! Makes text from archives safe to print on a terminal.
//!
//! A name in an archive may contain escape sequences that recolour, rewrite or take over a terminal, and marks that
//! reverse the direction of text. Each such character is replaced by a visible one.

use std::borrow::Cow;

/// Replaces each character that a terminal would act on by one visible character, so that the number of characters stays
/// the same.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| visible(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(visible).collect())
}

/// Formats a value as JSON on one line and escapes each character that a terminal would act on; the value that a program
/// parses is the same.
pub fn json(value: &impl serde::Serialize) -> String {
    use std::fmt::Write;

    let plain = serde_json::to_string(value).expect("answers have text as keys");
    let mut line = String::with_capacity(plain.len());
    for c in plain.chars() {
        // JSON itself escapes U+0000 to U+001F, and everything in UTF-16.
        if visible(c) == c {
            line.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(line, "\\u{unit:04x}");
        }
    }
    line
}

/// Returns the character that is printed for `c`: `c` itself unless a terminal would act on it.
pub fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        // U+2400 and the following are the pictures of the control characters, in the same order.
        '\0'..='\x1F' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7F' => '\u{2421}',
        '\u{80}'..='\u{9F}' => char::REPLACEMENT_CHARACTER,
        // Direction marks, embeddings and isolates; line and paragraph separators; invisible joiners, marks, annotations and tags.
        '\u{061C}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_control_characters_and_keeps_the_value() {
        let value = serde_json::json!({ "a\u{9b}": "é\u{202e}\x1b\"\u{7f}\u{e0041}" });
        let line = json(&value);
        assert_eq!(line, "{\"a\\u009b\":\"é\\u202e\\u001b\\\"\\u007f\\udb40\\udc41\"}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
    }

    #[test]
    fn sanitized_text_replaces_control_and_direction_characters() {
        for (text, expected) in [
            ("Wiersma, Harm", "Wiersma, Harm"),
            ("Полоусов", "Полоусов"),
            ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
            ("a\tb\r\nc", "a b␍␊c"),
            ("\u{9b}31m \u{7f}", "\u{fffd}31m ␡"),
            ("\u{202e}dlo", "\u{fffd}dlo"),
            ("a\u{e0041}\u{fff9}b\u{fffb}", "a\u{fffd}\u{fffd}b\u{fffd}"),
        ] {
            assert_eq!(super::text(text), expected);
            assert_eq!(super::text(text).chars().count(), text.chars().count());
        }
    }
}
