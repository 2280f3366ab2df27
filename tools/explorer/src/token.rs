//! The secret that a program has to send with the games that it imports.

use std::fmt;
use std::hint::black_box;

use axum::http::{HeaderMap, header};

/// A secret that is shared with the programs that may import games. It is never shown, not even for debugging.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Least number of characters.
    pub const MIN_LEN: usize = 16;

    /// Parses the contents of a file: one word of at least [`MIN_LEN`](Self::MIN_LEN) visible ASCII characters, with whitespace
    /// around it left out.
    ///
    /// # Errors
    /// Says what is expected. The message does not contain the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let token = text.trim();
        if token.len() < Self::MIN_LEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!(
                "expected one word of at least {} letters, digits and signs, such as `openssl rand -hex 32` prints",
                Self::MIN_LEN
            ));
        }
        Ok(Self(token.to_owned()))
    }

    /// Returns `true` if a request has the header `Authorization: Bearer TOKEN` with this token.
    pub(crate) fn is_in(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(header::AUTHORIZATION).map(|value| value.as_bytes()).unwrap_or_default();
        let (scheme, token) = value.split_at(value.iter().position(|&byte| byte == b' ').unwrap_or(0));
        scheme.eq_ignore_ascii_case(b"Bearer") && equal(self.0.as_bytes(), token.trim_ascii())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Returns `true` if two texts are equal. The time tells only whether their lengths are equal, so that the secret cannot be
/// guessed byte by byte.
fn equal(secret: &[u8], given: &[u8]) -> bool {
    if secret.len() != given.len() {
        return false;
    }
    let difference = secret.iter().zip(given).fold(0, |difference, (a, b)| black_box(difference | (a ^ b)));
    difference == 0
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_the_same_token_is_accepted() {
        let token = Token::parse(" 0123456789abcdef\n").unwrap();
        let accepts = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            token.is_in(&headers)
        };
        assert!(accepts("Bearer 0123456789abcdef"));
        assert!(accepts("bearer  0123456789abcdef"));
        for value in [
            "",
            "Bearer",
            "Bearer ",
            "0123456789abcdef",
            "Basic 0123456789abcdef",
            "Bearer 0123456789abcdeF",
            "Bearer 1123456789abcdef",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdef0",
            "Bearer 0123456789abcdef 0123456789abcdef",
        ] {
            assert!(!accepts(value), "{value}");
        }
        assert!(!token.is_in(&HeaderMap::new()));
    }

    #[test]
    fn short_tokens_are_refused_and_no_token_is_shown() {
        for text in ["", "  ", "0123456789abcde", "two words of letters", "0123456789abcd\u{e9}f"] {
            let error = Token::parse(text).unwrap_err();
            assert!(error.contains("at least 16"), "{error}");
            assert!(text.trim().is_empty() || !error.contains(text), "{error}");
        }
        let token = Token::parse("0123456789abcdef").unwrap();
        assert_eq!(format!("{token:?}"), "Token(..)");
    }
}
