//! HTML entities in values: `R&#x00e9;sultat`, `&frac12;`.
//!
//! They come from games copied out of web pages. Text is decoded only on request.

use std::borrow::Cow;

/// Returns `text` with its HTML entities decoded, borrowed if it contains none.
///
/// An ampersand that begins no entity, as in `AT&T`, is kept. Linear in the text.
///
/// ```
/// assert_eq!(pdn::value::decode_entities("Ren&eacute; &amp; Jan"), "René & Jan");
/// ```
pub fn decode_entities(text: &str) -> Cow<'_, str> {
    html_escape::decode_html_entities(text)
}

/// Returns `true` if [`decode_entities`] would change the text.
pub fn has_entities(text: &str) -> bool {
    matches!(decode_entities(text), Cow::Owned(decoded) if decoded != text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entities_are_decoded() {
        for (text, decoded) in [
            ("R&#x00e9;sultat", "Résultat"),
            ("&frac12;&ndash;&frac12;", "½–½"),
            ("Ren&eacute; &amp; &quot;Jan&quot; &lt;&gt;", "René & \"Jan\" <>"),
            ("&#1057;&#1057;&#1057;&#1056;", "СССР"),
            ("AT&T", "AT&T"),
            ("&;&#;&#x;&nosuch;", "&;&#;&#x;&nosuch;"),
            ("&#xD800;&#99999999999;", "&#xD800;&#99999999999;"),
            ("plain", "plain"),
        ] {
            assert_eq!(decode_entities(text), decoded);
            assert_eq!(has_entities(text), text != decoded, "{text}");
        }
        assert!(matches!(decode_entities("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn unfinished_entities_take_linear_time() {
        for piece in ["&", "&#", "&#x", "&a", "&#1"] {
            let text = piece.repeat(1 << 20);
            assert_eq!(decode_entities(&text), text);
        }
    }

    proptest! {
        #[test]
        fn decoding_accepts_any_text(text in "(&|#|x|;|amp|[0-9a-f]|\\PC){0,30}") {
            let decoded = decode_entities(&text);
            prop_assert!(decoded.len() <= 2 * text.len());
        }
    }
}
