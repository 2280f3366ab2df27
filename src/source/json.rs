//! Takes games out of JSON, a value or a value on each line, and out of scripts: strings that are PDN, and objects with moves.
//!
//! The text need not be well formed: what is closed and never opened, or the reverse, costs nothing. A script is read for its strings.

use std::ops::Range;

use memchr::memchr3;

use super::excerpts::{Excerpts, LOOK_AHEAD, Pieces, START_BYTES, begins_with_first_move, begins_with_tag};
use super::json_game::{Fact, is_moves_key, is_wanted, write_game};
use super::position_list::BOM;

/// Returns `true` if a text begins as JSON does, and as no PDN can: an object with a key and a value, or an array of objects or
/// strings. `{...}` is a comment of PDN, and `[...]` a tag.
pub(super) fn is_json(head: &[u8]) -> bool {
    let mut rest = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let mut is_array = false;
    while let Some(inside) = rest.strip_prefix(b"[") {
        (is_array, rest) = (true, inside.trim_ascii_start());
    }
    let after_string = |text: &[u8]| {
        let mut is_escaped = false;
        let end = text.iter().position(|&byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        end.map(|end| text[end + 1..].trim_ascii_start().to_vec())
    };
    match rest {
        [b'{', inside @ ..] => match inside.trim_ascii_start() {
            [b'"', key @ ..] => {
                let value = after_string(key).and_then(|rest| rest.strip_prefix(b":").map(<[u8]>::to_vec));
                let value = value.as_deref().map(<[u8]>::trim_ascii_start).and_then(<[u8]>::first);
                value.is_some_and(|byte| {
                    matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
                })
            }
            [b'}', ..] => is_array,
            _ => false,
        },
        // A long string may be cut.
        [b'"', string @ ..] if is_array => {
            after_string(string).is_none_or(|rest| matches!(rest.first(), None | Some(b',' | b']')))
        }
        _ => false,
    }
}

/// Reads the tokens of JSON.
pub(super) struct Json {
    /// The objects and arrays that are open; the first is the whole text.
    frames: Vec<Frame>,
    /// Number of open objects and arrays for which there is no frame.
    too_deep: usize,
    /// Memory of all facts, in bytes.
    bytes: usize,
    /// The quote that ends the string that is being read.
    quote: Option<u8>,
    mode: Mode,
    /// The string that is being read.
    string: Pieces,
    /// A value that may be a key.
    value: Option<Pieces>,
    is_script: bool,
}

struct Frame {
    kind: FrameKind,
    /// The key of the value that comes next in an object; that of an array itself.
    key: Vec<u8>,
    facts: Vec<Fact>,
    /// A string of the object is PDN, so that its moves are no second game.
    has_pdn: bool,
    start: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Text,
    Object,
    Array,
}

/// What a string is, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Its start is read.
    Start,
    /// A value of at most so many bytes.
    Value { max: usize, is_moves: bool },
    /// It is passed on.
    Pdn,
    /// It is too long for a value.
    Skip,
}

impl Json {
    const MAX_DEPTH: usize = 64;
    /// Maximum memory of all facts together, in bytes.
    const MAX_BYTES: usize = 1 << 20;
    /// Maximum length in bytes of moves that wait for the end of their object.
    const MAX_MOVES: usize = 256 << 10;
    /// Maximum length in bytes of another value.
    const MAX_VALUE: usize = 1 << 10;

    /// Creates a reader. A script has other quotes, too, and keys without any.
    pub(super) fn new(is_script: bool) -> Self {
        let text =
            Frame { kind: FrameKind::Text, key: Vec::new(), facts: Vec::new(), has_pdn: false, start: 0 };
        Self {
            frames: vec![text],
            too_deep: 0,
            bytes: 0,
            quote: None,
            mode: Mode::Start,
            string: Pieces::default(),
            value: None,
            is_script,
        }
    }

    /// Returns `true` within a string.
    pub(super) fn is_in_string(&self) -> bool {
        self.quote.is_some()
    }

    /// Reads the token at the front of `rest`, or a part of it, and returns its length in bytes; 0 if more has to be read first. `at` is
    /// its offset.
    pub(super) fn step(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        match self.quote {
            Some(quote) => self.string(quote, rest, at, is_last, out),
            None => self.token(rest, at, is_last, out),
        }
    }

    /// Ends the text.
    pub(super) fn end(&mut self, at: u64, out: &mut Excerpts) {
        if self.quote.is_some() {
            self.end_string(out);
        }
        // Objects that are never closed are closed here.
        while self.frames.len() > 1 {
            self.too_deep = 0;
            self.close(at, out);
        }
        self.take_value(out);
    }

    fn token(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        match rest[0] {
            b'{' => self.open(FrameKind::Object, at, out),
            b'[' => self.open(FrameKind::Array, at, out),
            b'}' | b']' => self.close(at + 1, out),
            b':' => self.end_key(),
            b'=' if self.is_script => self.end_key(),
            b',' | b';' => self.take_value(out),
            b'"' => self.begin_string(b'"', out),
            quote @ (b'\'' | b'`') if self.is_script => self.begin_string(quote, out),
            byte => {
                let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-.$".contains(&byte);
                let len = rest.iter().position(|&other| is_word(other) != is_word(byte) || is_token(other));
                let len = len.unwrap_or(rest.len());
                if is_word(byte) {
                    if len == rest.len() && !is_last && len < LOOK_AHEAD {
                        return 0;
                    }
                    let mut word = Pieces::default();
                    word.push(&rest[..len.min(START_BYTES)], at..at + len.min(START_BYTES) as u64);
                    self.value = Some(word).filter(|word| word.text != b"null");
                }
                return len;
            }
        }
        1
    }

    fn open(&mut self, kind: FrameKind, at: u64, out: &mut Excerpts) {
        self.take_value(out);
        if self.frames.len() == Self::MAX_DEPTH || self.too_deep > 0 {
            self.too_deep += 1;
            return;
        }
        // An array in an array has the key of both.
        let key = match (kind, self.frames.last()) {
            (FrameKind::Array, Some(parent)) => parent.key.clone(),
            _ => Vec::new(),
        };
        self.frames.push(Frame { kind, key, facts: Vec::new(), has_pdn: false, start: at });
    }

    fn close(&mut self, at: u64, out: &mut Excerpts) {
        self.take_value(out);
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(frame) = self.frames.pop_if(|frame| frame.kind != FrameKind::Text) else { return };
        self.bytes -= frame.facts.iter().map(Fact::cost).sum::<usize>();
        let is_object = frame.kind == FrameKind::Object;
        let is_done = is_object && (frame.has_pdn || write_game(&frame.facts, frame.start..at, out));
        let Some(parent) = self.frames.last_mut() else { return };
        let key = match parent.kind {
            FrameKind::Object => std::mem::take(&mut parent.key),
            _ => Vec::new(),
        };
        let is_kept = parent.kind == FrameKind::Object || parent.kind == FrameKind::Array && !is_object;
        if is_done || !is_kept {
            return;
        }
        for mut fact in frame.facts.into_iter().filter(|fact| fact.path.len() < MAX_PATH) {
            if is_object {
                fact.path.splice(..0, key.iter().copied().chain([b'.']));
            }
            self.add(fact);
        }
    }

    /// Adds a fact to the innermost object or array, unless there is too much.
    fn add(&mut self, fact: Fact) {
        let bytes = self.bytes + fact.cost();
        if bytes <= Self::MAX_BYTES
            && let Some(frame) = self.frames.last_mut()
        {
            self.bytes = bytes;
            frame.facts.push(fact);
        }
    }

    /// Makes the last value the key of the next one.
    fn end_key(&mut self) {
        let key = self.value.take().map(|value| value.text).unwrap_or_default();
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.kind != FrameKind::Array) {
            frame.key = key;
        }
    }

    /// Keeps the last value if it is a fact about a game.
    fn take_value(&mut self, out: &mut Excerpts) {
        let Some(value) = self.value.take() else { return };
        let parent = self.frames.len().checked_sub(2).map(|parent| self.frames[parent].key.clone());
        let Some(frame) = self.frames.last_mut() else { return };
        let key = match frame.kind {
            FrameKind::Array => frame.key.clone(),
            _ => std::mem::take(&mut frame.key),
        };
        let kind = frame.kind;
        let is_fact = match kind {
            FrameKind::Object => {
                begins_with_first_move(&value.text) || is_wanted(parent.as_deref().unwrap_or_default(), &key)
            }
            FrameKind::Text | FrameKind::Array => is_moves_key(&key),
        };
        let start = value.start();
        let fact = Fact { path: key, value };
        if is_fact && kind != FrameKind::Text {
            self.add(fact);
        } else if is_fact || begins_with_first_move(&fact.value.text) {
            let end = fact.value.iter().last().map_or(start, |(_, place)| place.end);
            write_game(&[Fact { path: b"moves".into(), ..fact }], start..end, out);
        }
    }

    fn begin_string(&mut self, quote: u8, out: &mut Excerpts) {
        if self.value.is_some() {
            self.take_value(out);
        }
        self.quote = Some(quote);
        self.mode = Mode::Start;
        self.string = Pieces::default();
    }

    fn string(&mut self, quote: u8, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        // A string of a script ends with its line, unless its quote allows lines.
        let line_end = if self.is_script && quote != b'`' { b'\n' } else { quote };
        let plain = memchr3(quote, b'\\', line_end, rest).unwrap_or(rest.len());
        if plain > 0 {
            self.part(&rest[..plain], at..at + plain as u64, out);
            return plain;
        }
        if rest[0] != b'\\' {
            self.end_string(out);
            return 1;
        }
        if !is_last && rest.len() < ESCAPE_BYTES {
            return 0;
        }
        let (character, len) = escaped(rest);
        let mut bytes = [0; 4];
        let text = character.map_or(&b""[..], |character| character.encode_utf8(&mut bytes).as_bytes());
        self.part(text, at..at + len as u64, out);
        len
    }

    /// Takes a part of a string.
    fn part(&mut self, bytes: &[u8], place: Range<u64>, out: &mut Excerpts) {
        match self.mode {
            _ if bytes.is_empty() => {}
            Mode::Skip => {}
            Mode::Pdn => out.put(bytes, place),
            Mode::Start | Mode::Value { .. } => {
                self.string.push(bytes, place);
                if self.mode == Mode::Start && self.string.text.len() >= START_BYTES {
                    self.judge(out);
                }
                if let Mode::Value { max, is_moves } = self.mode
                    && self.string.text.len() > max
                {
                    if is_moves {
                        self.pass_on(out);
                    } else {
                        self.mode = Mode::Skip;
                        self.string = Pieces::default();
                    }
                }
            }
        }
    }

    /// Decides from its start what a string is.
    fn judge(&mut self, out: &mut Excerpts) {
        let text = &self.string.text;
        let key = self.frames.last().map_or(&b""[..], |frame| &frame.key);
        let is_moves = begins_with_first_move(text) || is_moves_key(key);
        self.mode = Mode::Value { max: if is_moves { Self::MAX_MOVES } else { Self::MAX_VALUE }, is_moves };
        let is_comment = matches!(text.trim_ascii_start(), [b'{' | b';' | b'%', ..]);
        if begins_with_tag(text) || is_comment && key.eq_ignore_ascii_case(b"pdn") {
            self.pass_on(out);
        }
    }

    /// Passes the string on as PDN.
    fn pass_on(&mut self, out: &mut Excerpts) {
        self.mode = Mode::Pdn;
        let string = std::mem::take(&mut self.string);
        out.begin(string.start(), begins_with_tag(&string.text));
        string.iter().for_each(|(bytes, place)| out.put(bytes, place));
        if let Some(frame) = self.frames.last_mut() {
            frame.has_pdn = true;
        }
    }

    fn end_string(&mut self, out: &mut Excerpts) {
        self.quote = None;
        if self.mode == Mode::Start {
            self.judge(out);
        }
        match self.mode {
            Mode::Pdn => out.insert(b"\n\n"),
            Mode::Value { .. } => self.value = Some(std::mem::take(&mut self.string)),
            Mode::Start | Mode::Skip => {}
        }
    }
}

/// Length in bytes from which on a path says nothing about a game.
const MAX_PATH: usize = 100;

/// Returns `true` if a byte is a token of its own, or begins one.
fn is_token(byte: u8) -> bool {
    b"{}[]:=,;\"'`".contains(&byte)
}

/// Length in bytes of the longest escape: a character in two halves.
const ESCAPE_BYTES: usize = 12;

/// Returns the character of the escape at the front of `rest`, if it has one, and its length in bytes.
fn escaped(rest: &[u8]) -> (Option<char>, usize) {
    let hexadecimal = |range: Range<usize>| {
        let digits = std::str::from_utf8(rest.get(range)?).ok()?;
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal)
    };
    let shown = |code: Option<u32>| {
        let character = code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        Some(if character < ' ' && !matches!(character, '\t' | '\n' | '\r') { ' ' } else { character })
    };
    match rest.get(1) {
        Some(b'n') => (Some('\n'), 2),
        Some(b'r') => (Some('\r'), 2),
        Some(b't') => (Some('\t'), 2),
        Some(b'b' | b'f' | b'0') => (Some(' '), 2),
        Some(&byte @ (b'"' | b'\\' | b'/' | b'\'' | b'`')) => (Some(byte.into()), 2),
        Some(b'u') => {
            let Some(code) = hexadecimal(2..6) else { return (None, 1) };
            let low =
                hexadecimal(8..12).filter(|low| rest[6..].starts_with(b"\\u") && low >> 10 == 0xDC00 >> 10);
            match low {
                Some(low) if code >> 10 == 0xD800 >> 10 => {
                    (shown(Some(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))), 12)
                }
                _ => (shown(Some(code)), 6),
            }
        }
        Some(b'x') => hexadecimal(2..4).map_or((None, 1), |code| (shown(Some(code)), 4)),
        // The line goes on.
        Some(b'\n') => (None, 2),
        // The backslash has no meaning.
        _ => (None, 1),
    }
}
