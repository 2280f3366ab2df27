//! A recogniser of the writing grammar of PDN 3.0, section 4.1, written from its productions.
//!
//! It differs from them in two points, where the standard contradicts itself. Its table of game types gives `:` and `-` as
//! capture separators of some games, and restriction 7 demands them, while the token CAPTURESEPARATOR is `x` only. And
//! ALPHASQUARE ends at file h, while the board of game type 41 has ten files.

/// A token of the grammar. Moves are made of several tokens and read as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    LeftBracket,
    RightBracket,
    LeftParenthesis,
    RightParenthesis,
    Asterisk,
    Identifier,
    String(&'t [u8]),
    MoveNumber,
    Move(&'t [u8]),
    MoveStrength,
    Nag,
    Setup,
    Comment,
}

/// Checks a whole file.
///
/// # Errors
///
/// The offset of the first byte that the grammar does not allow, and what was expected.
pub(super) fn check_file(text: &[u8]) -> Result<(), String> {
    let mut parser = Parser { text, at: 0, token: None, capture: b'x' };
    parser.advance()?;
    parser.game()?;
    while parser.take(Token::Asterisk)? {
        if parser.token.is_none() {
            return Ok(());
        }
        parser.game()?;
    }
    match parser.token {
        None => Ok(()),
        Some(token) => Err(format!("byte {}: a game separator was expected, not {token:?}", parser.at)),
    }
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    token: Option<Token<'t>>,
    /// The capture separator of the game type.
    capture: u8,
}

impl<'t> Parser<'t> {
    /// Game : (GameHeader GameBody?) | GameBody
    fn game(&mut self) -> Result<(), String> {
        let mut is_empty = true;
        self.capture = b'x';
        while self.take(Token::LeftBracket)? {
            let name = self.word_before();
            self.expect(Token::Identifier)?;
            let Some(Token::String(value)) = self.token else {
                return Err(format!("byte {}: a string was expected, not {:?}", self.at, self.token));
            };
            self.advance()?;
            self.expect(Token::RightBracket)?;
            if name == b"GameType" {
                let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
                self.capture = match &value[..digits] {
                    b"25" | b"41" => b':',
                    b"31" => b'-',
                    _ => b'x',
                };
            }
            is_empty = false;
        }
        if !self.body()? && is_empty {
            return Err(format!("byte {}: an empty game", self.at));
        }
        Ok(())
    }

    /// The identifier that is the current token.
    fn word_before(&self) -> &'t [u8] {
        let len = self.text[..self.at]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        &self.text[self.at - len.count()..self.at]
    }

    /// GameBody : (GameMove | Variation | COMMENT | SETUP | NAG)+, with an explicit stack. Returns `false` for none.
    fn body(&mut self) -> Result<bool, String> {
        let mut items = vec![0u32];
        loop {
            match self.token {
                Some(Token::Comment | Token::Setup | Token::Nag) => self.advance()?,
                Some(Token::MoveNumber) => {
                    self.advance()?;
                    if !matches!(self.token, Some(Token::Move(_))) {
                        return Err(format!("byte {}: a move was expected, not {:?}", self.at, self.token));
                    }
                    self.game_move()?;
                }
                Some(Token::Move(_)) => self.game_move()?,
                Some(Token::LeftParenthesis) => {
                    self.advance()?;
                    items.push(0);
                    continue;
                }
                Some(Token::RightParenthesis) if items.len() > 1 => {
                    if items.pop() == Some(0) {
                        return Err(format!("byte {}: an empty variation", self.at));
                    }
                    self.advance()?;
                }
                _ if items.len() > 1 => {
                    return Err(format!("byte {}: an open variation at {:?}", self.at, self.token));
                }
                _ => return Ok(items != [0]),
            }
            *items.last_mut().unwrap() += 1;
        }
    }

    /// Move MOVESTRENGTH?
    fn game_move(&mut self) -> Result<(), String> {
        self.advance()?;
        self.take(Token::MoveStrength)?;
        Ok(())
    }

    fn take(&mut self, token: Token<'_>) -> Result<bool, String> {
        let found = self.token == Some(token);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, token: Token<'_>) -> Result<(), String> {
        if self.take(token)? {
            return Ok(());
        }
        Err(format!("byte {}: {token:?} was expected, not {:?}", self.at, self.token))
    }

    /// Reads the next token.
    fn advance(&mut self) -> Result<(), String> {
        loop {
            let rest = &self.text[self.at..];
            match rest {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                // A line comment. The standard does not say where it may begin; a line start is what all readers take.
                [b'%', ..] if self.at == 0 || self.text[self.at - 1] == b'\n' => {
                    self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                _ => break,
            }
        }
        let rest = &self.text[self.at..];
        let until = |end: u8| rest[1..].iter().position(|byte| *byte == end).map(|at| at + 2);
        let digits = |from: usize| rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (token, len) = match rest {
            [] => {
                self.token = None;
                return Ok(());
            }
            [b'[', ..] => (Token::LeftBracket, 1),
            [b']', ..] => (Token::RightBracket, 1),
            [b')', ..] => (Token::RightParenthesis, 1),
            [b'*', ..] => (Token::Asterisk, 1),
            [b'{', ..] => (Token::Comment, until(b'}').ok_or("an open comment")?),
            [b'/', ..] => (Token::Setup, until(b'/').ok_or("an open setup")?),
            [b'$', ..] if digits(1) > 0 => (Token::Nag, 1 + digits(1)),
            [b'(', mark @ (b'!' | b'?'), ..] => {
                let marks = rest[1..].iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
                if rest.get(1 + marks) != Some(&b')') {
                    return Err(format!("byte {}: ({}", self.at, char::from(*mark)));
                }
                (Token::MoveStrength, marks + 2)
            }
            [b'(', ..] => (Token::LeftParenthesis, 1),
            [b'!' | b'?', ..] => {
                // Restriction 2: no space between a move and its strength.
                if self.at > 0 && self.text[self.at - 1].is_ascii_whitespace() {
                    return Err(format!("byte {}: whitespace before a strength", self.at));
                }
                (Token::MoveStrength, rest.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count())
            }
            [b'"', ..] => {
                let mut len = 1;
                loop {
                    match rest.get(len..) {
                        Some([b'\\', b'"' | b'\\', ..]) => len += 2,
                        Some([b'"', ..]) => break,
                        Some([_, ..]) => len += 1,
                        _ => return Err(format!("byte {}: an open string", self.at)),
                    }
                }
                (Token::String(&rest[1..len]), len + 1)
            }
            [b'A'..=b'Z', ..] => {
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                (Token::Identifier, rest.iter().take_while(is_part).count())
            }
            _ => match self.move_len(rest) {
                Some(len) => (Token::Move(&rest[..len]), len),
                None => {
                    let len = digits(0);
                    match &rest[len..] {
                        [b'.', b'.', b'.', ..] if len > 0 => (Token::MoveNumber, len + 3),
                        [b'.', ..] if len > 0 => (Token::MoveNumber, len + 1),
                        _ => {
                            let shown = rest[..rest.len().min(20)].escape_ascii();
                            return Err(format!("byte {}: no token: {shown}", self.at));
                        }
                    }
                }
            },
        };
        (self.token, self.at) = (Some(token), self.at + len);
        Ok(())
    }

    /// Returns the length of the move at the start of `text`.
    fn move_len(&self, text: &[u8]) -> Option<usize> {
        let first = square_len(text)?;
        let separator = *text.get(first)?;
        if separator == b'-' && self.capture != b'-' {
            return Some(first + 1 + square_len(&text[first + 1..])?);
        }
        let mut len = first;
        while text.get(len) == Some(&self.capture) {
            len += 1 + square_len(&text[len + 1..])?;
        }
        (len > first).then_some(len)
    }
}

/// Square : ALPHASQUARE | NUMSQUARE
fn square_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'a'..=b'j', b'1'..=b'8', ..] => Some(2),
        [b'1'..=b'9', b'0'..=b'9', ..] => Some(2),
        [b'1'..=b'9', ..] => Some(1),
        _ => None,
    }
}

#[test]
fn recogniser_accepts_the_grammar_and_nothing_else() {
    for text in [
        "[Event \"a \\\"b\\\"\"]\n1. 32-28 19-23! 2. 28x19(?) {c} $3 (2. 1-2 (3-4)) /FEN \"B:::\"/ *",
        "{a} *",
        "[FEN \"W:W1:B2\"] * [A \"\"] 1-2",
        "% line\n1-2 *\n% line\n3... 4-5 *",
        "[GameType \"25\"] 1. c3:e5:g7 *",
        "[GameType \"31\"] 1. 14-7-3 *",
    ] {
        assert_eq!(check_file(text.as_bytes()), Ok(()), "{text}");
    }
    for text in [
        "",
        "*",
        "1-2 2-0",
        "1. *",
        "01-02 *",
        "1 - 2 *",
        "1-2 ! *",
        "1:2 *",
        "1x2:3 *",
        "1-2-3 *",
        "[event \"a\"] *",
        "[Event a] *",
        "1-2 () *",
        "1-2 ( *",
        "1-2 {c *",
        "; c\n1-2 *",
        "1-2 ... *",
        "3228 *",
        "[GameType \"25\"] 1. c3xe5 *",
    ] {
        assert!(check_file(text.as_bytes()).is_err(), "{text}");
    }
}
