//! Takes games out of pages and of posts of forums: PDN in `textarea`, `pre`, `code` and `script`, and between `[pdn]` and `[/pdn]`.
//!
//! Within an element, and outside of the marks of a forum, a game begins with a line that begins with a tag or a first move. It lasts to
//! the end of the element, or to the next mark.

use memchr::{memchr, memchr2, memchr3};

use super::excerpts::{Excerpts, LOOK_AHEAD, START_BYTES, begins_with_pdn, begins_with_tag};
use super::json::Json;
use super::position_list::{BOM, is_position};
use crate::value::decode_entities;

/// Elements of a page in which PDN is looked for.
const ELEMENTS: [&str; 5] = ["textarea", "pre", "code", "script", "xmp"];

/// Other elements by which a page is recognised.
const PAGE: [&str; 3] = ["!doctype", "html", "body"];

/// Elements by which a page is recognised if it begins with one. Anywhere else, a text may have such a mark and be PDN.
const PART: [&str; 7] = ["head", "div", "p", "br", "table", "title", "meta"];

/// Returns whether a text is a page (`true`) or a post of a forum (`false`): an element of a page, or a mark of a forum, comes before
/// anything that may be PDN.
pub(super) fn markup_of(head: &[u8]) -> Option<bool> {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    let mut at = 0;
    let mut begins_line = true;
    while at < head.len() {
        let rest = &head[at..];
        if std::mem::take(&mut begins_line) && (begins_with_pdn(rest) || matches!(rest[0], b';' | b'%')) {
            return None;
        }
        match rest[0] {
            b'<' => {
                let name = element_name(rest);
                let is_known = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
                let is_first = head[..at].trim_ascii().is_empty();
                if ELEMENTS.iter().chain(&PAGE).any(&is_known) || is_first && PART.iter().any(is_known) {
                    return Some(true);
                }
                if is_first && (rest.starts_with(b"<!--") || rest.starts_with(b"<?xml")) {
                    return Some(true);
                }
            }
            b'[' if Mark::read(rest).is_some_and(|(mark, _)| !mark.closes) => return Some(false),
            b'[' if begins_with_tag(rest) => return None,
            b'{' => return None,
            _ => {}
        }
        let next = memchr3(b'<', b'[', b'{', &rest[1..]).map_or(head.len(), |next| at + 1 + next);
        let line_end = memchr(b'\n', rest).map_or(head.len(), |end| at + end + 1);
        begins_line = line_end <= next;
        at = next.min(line_end);
    }
    None
}

/// Returns `true` if the characters of entities can be written in the encoding of a page: it says UTF-8, or nothing contradicts it.
pub(super) fn is_utf8(head: &[u8]) -> bool {
    let lower = head.to_ascii_lowercase();
    let charset = memchr::memmem::find(&lower, b"charset=").map(|at| &lower[at + 8..]);
    match charset.map(|name| name.strip_prefix(b"\"").or(name.strip_prefix(b"'")).unwrap_or(name)) {
        Some(name) => name.starts_with(b"utf-8") || name.starts_with(b"utf8"),
        None => match std::str::from_utf8(head) {
            Ok(_) => true,
            // The last character may be cut.
            Err(error) => error.error_len().is_none(),
        },
    }
}

/// A mark of a forum.
struct Mark {
    name: MarkName,
    closes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkName {
    Pdn,
    Fen,
    /// `quote` or `code`, in which PDN is looked for as outside of marks.
    Other,
}

impl Mark {
    /// Maximum length in bytes.
    const MAX: usize = 200;

    /// Reads the mark at the front of a text, in any case: `[pdn]`, `[/fen]`, `[quote="Jan"]`, `[pdn:1a2b]`. Returns its length, too.
    fn read(text: &[u8]) -> Option<(Self, usize)> {
        let rest = text.strip_prefix(b"[")?;
        let inside = rest.strip_prefix(b"/");
        let (closes, rest) = (inside.is_some(), inside.unwrap_or(rest));
        let name = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let name_is = |name: &[u8]| match name.to_ascii_lowercase().as_slice() {
            b"pdn" => Some(MarkName::Pdn),
            b"fen" => Some(MarkName::Fen),
            b"quote" | b"code" => Some(MarkName::Other),
            _ => None,
        };
        let kind = name_is(rest.get(..name).filter(|name| name.len() < 6)?)?;
        let rest = &rest[name..rest.len().min(Self::MAX)];
        let end = match rest.first()? {
            b']' => 0,
            b'=' | b':' => {
                let line = memchr(b'\n', rest).map_or(rest, |end| &rest[..end]);
                memchr(b']', line)?
            }
            _ => return None,
        };
        let before = 1 + usize::from(closes) + name;
        Some((Self { name: kind, closes }, before + end + 1))
    }
}

/// Returns the name of the element that a tag of a page opens or closes; empty if there is none.
fn element_name(tag: &[u8]) -> &[u8] {
    let rest = tag.strip_prefix(b"<").unwrap_or_default();
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    let first = usize::from(rest.starts_with(b"!"));
    let len = rest[first..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = &rest[..first + len];
    if name.get(first).is_some_and(u8::is_ascii_alphabetic) { name } else { b"" }
}

/// What stands at a `<` of a page.
enum Tag {
    /// A tag of this length in bytes.
    Element(usize),
    /// `<!--`
    Comment,
    /// Nothing: the sign is text.
    Text,
    /// More has to be read.
    Cut,
}

/// Reads the tag at the front of a text.
fn tag(text: &[u8], is_last: bool) -> Tag {
    let cut = if is_last || text.len() >= LOOK_AHEAD { Tag::Text } else { Tag::Cut };
    if text.starts_with(b"<!--") {
        return Tag::Comment;
    }
    match text.get(1) {
        None => return cut,
        Some(b'/' | b'!' | b'?') => {}
        Some(byte) if byte.is_ascii_alphabetic() => {}
        Some(_) => return Tag::Text,
    }
    let mut quote = None;
    for (at, &byte) in text.iter().enumerate().take(LOOK_AHEAD) {
        match byte {
            b'>' if quote.is_none() => return Tag::Element(at + 1),
            // Another one begins: without this, many of them would be searched to the same end.
            b'<' if quote.is_none() && at > 0 => return Tag::Text,
            b'"' | b'\'' if quote == Some(byte) => quote = None,
            // A quote begins a value only behind its sign.
            b'"' | b'\'' if quote.is_none() && text[..at].trim_ascii_end().ends_with(b"=") => {
                quote = Some(byte)
            }
            _ => {}
        }
    }
    cut
}

/// Reads a page or a post.
pub(super) struct Markup {
    is_page: bool,
    /// Characters of entities can be written.
    is_utf8: bool,
    state: State,
    /// The name of the element that is read, in lower case.
    element: Vec<u8>,
    /// A line begins here, which may begin a game.
    at_line: bool,
    json: Json,
    /// Offset up to which a script is known to go on, and whether it ends there.
    script: (u64, bool),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Outside of all elements.
    Outside,
    /// A line that begins a game is looked for.
    Look,
    /// A script that is read for its strings.
    Script,
    /// The game between two marks, which has not begun.
    Begin,
    /// A game; `marked` if only its mark ends it.
    Pdn { marked: bool },
    /// Outside of all elements, in a comment of the page.
    Comment,
}

impl Markup {
    /// Creates a reader of a page, or of a post of a forum.
    pub(super) fn new(is_page: bool, is_utf8: bool) -> Self {
        let state = if is_page { State::Outside } else { State::Look };
        Self {
            is_page,
            is_utf8,
            state,
            element: Vec::new(),
            at_line: true,
            json: Json::new(true),
            script: (0, false),
        }
    }

    /// Reads what is at the front of `rest`, and returns its length in bytes; 0 if more has to be read first. `at` is its offset.
    pub(super) fn step(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        if self.is_page { self.page(rest, at, is_last, out) } else { self.post(rest, at, is_last, out) }
    }

    /// Ends the text.
    pub(super) fn end(&mut self, at: u64, out: &mut Excerpts) {
        if self.state == State::Script {
            self.json.end(at, out);
        }
    }

    /// Passes text, which belongs to a game or not, and returns its length.
    fn text(&self, bytes: &[u8], at: u64, out: &mut Excerpts) -> usize {
        if let State::Pdn { .. } = self.state {
            out.put(bytes, at..at + bytes.len() as u64);
        } else {
            memchr::memchr_iter(b'\n', bytes).for_each(|end| out.line_end(at + end as u64));
        }
        bytes.len()
    }

    /// Passes a text in which nothing is looked for, and returns its length.
    fn skip(bytes: &[u8], at: u64, out: &mut Excerpts) -> usize {
        memchr::memchr_iter(b'\n', bytes).for_each(|end| out.line_end(at + end as u64));
        bytes.len()
    }

    fn page(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        match self.state {
            State::Comment => match memchr::memmem::find(rest, b"-->") {
                Some(end) => {
                    self.state = State::Outside;
                    Self::skip(&rest[..end + 3], at, out)
                }
                None if is_last => Self::skip(rest, at, out),
                None => Self::skip(&rest[..rest.len().saturating_sub(2)], at, out),
            },
            State::Outside => match memchr(b'<', rest) {
                Some(0) => self.outer_tag(rest, at, is_last, out),
                found => Self::skip(&rest[..found.unwrap_or(rest.len())], at, out),
            },
            State::Script => self.script(rest, at, is_last, out),
            _ => self.element(rest, at, is_last, out),
        }
    }

    /// Reads a tag outside of the elements in which PDN is looked for.
    fn outer_tag(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        let len = match tag(rest, is_last) {
            Tag::Element(len) => len,
            Tag::Comment => {
                self.state = State::Comment;
                4
            }
            Tag::Text => 1,
            Tag::Cut => return 0,
        };
        let name = element_name(&rest[..len]).to_ascii_lowercase();
        let opens = !rest.starts_with(b"</");
        if opens && ELEMENTS.iter().any(|known| known.as_bytes() == name) {
            self.element = name;
            self.at_line = true;
            self.state = State::Look;
        }
        Self::skip(&rest[..len], at, out)
    }

    /// Reads a part of an element, whose lines are looked at or passed on.
    fn element(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        let is_script = self.element == b"script";
        if self.state == State::Look && self.at_line {
            let Some(line) = self.line(rest, is_last) else { return 0 };
            self.at_line = false;
            if begins_with_pdn(&line) {
                out.begin(at, begins_with_tag(&line));
                self.state = State::Pdn { marked: false };
            } else if is_script && !line.trim_ascii().is_empty() {
                self.json = Json::new(true);
                self.state = State::Script;
                return self.script(rest, at, is_last, out);
            }
        }
        let special = if is_script { memchr2(b'<', b'\n', rest) } else { memchr3(b'<', b'&', b'\n', rest) };
        let plain = special.unwrap_or(rest.len());
        if plain > 0 {
            return self.text(&rest[..plain], at, out);
        }
        match rest[0] {
            b'\n' => {
                self.at_line = true;
                self.text(b"\n", at, out)
            }
            b'&' => self.entity(rest, at, is_last, out),
            _ => self.inner_tag(rest, at, is_last, out),
        }
    }

    /// Reads an entity.
    fn entity(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        if !is_last && rest.len() < MAX_ENTITY {
            return 0;
        }
        match self.entity_of(rest) {
            Some((character, len)) => {
                self.at_line |= character == '\n';
                if let State::Pdn { .. } = self.state {
                    let mut bytes = [0; 4];
                    out.put(character.encode_utf8(&mut bytes).as_bytes(), at..at + len as u64);
                }
                len
            }
            None => self.text(&rest[..1], at, out),
        }
    }

    /// Returns the character of the entity at the front of a text, and its length in bytes; `None` if there is none that can be written.
    fn entity_of(&self, text: &[u8]) -> Option<(char, usize)> {
        let end = memchr(b';', &text[..text.len().min(MAX_ENTITY)])?;
        let decoded = decode_entities(std::str::from_utf8(&text[..=end]).ok()?).into_owned();
        let mut characters = decoded.chars();
        let character = match characters.next().filter(|_| characters.next().is_none())? {
            '\u{a0}' => ' ',
            '\r' => '\n',
            character => character,
        };
        (character.is_ascii() || self.is_utf8).then_some((character, end + 1))
    }

    /// Reads a tag, or what looks like one, within an element.
    fn inner_tag(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        let len = match tag(rest, is_last) {
            Tag::Element(len) => len,
            Tag::Comment | Tag::Text => return self.text(&rest[..1], at, out),
            Tag::Cut => return 0,
        };
        let name = element_name(&rest[..len]).to_ascii_lowercase();
        if rest.starts_with(b"</") && name == self.element {
            self.state = State::Outside;
            return Self::skip(&rest[..len], at, out);
        }
        if matches!(self.element.as_slice(), b"textarea" | b"script" | b"xmp") {
            return self.text(&rest[..1], at, out);
        }
        // A line end may follow, which then stands for both.
        let follows = rest[len..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        if name == b"br" && follows != Some(&b'\n') {
            self.at_line = true;
            if let State::Pdn { .. } = self.state {
                out.put(b"\n", at..at + len as u64);
                return len;
            }
        }
        Self::skip(&rest[..len], at, out)
    }

    /// Returns the start of the line at the front of `rest`, without tags and with entities decoded; `None` if more has to be read.
    fn line(&self, rest: &[u8], is_last: bool) -> Option<Vec<u8>> {
        let is_raw = matches!(self.element.as_slice(), b"textarea" | b"script" | b"xmp");
        let (mut line, mut at) = (Vec::new(), 0);
        while line.len() < START_BYTES && at < rest.len().min(LOOK_AHEAD) {
            let text = &rest[at..];
            match text[0] {
                b'\n' => return Some(line),
                b'&' if self.element != b"script" => match self.entity_of(text) {
                    Some((character, len)) => {
                        line.extend(character.encode_utf8(&mut [0; 4]).bytes());
                        at += len;
                    }
                    None => {
                        line.push(b'&');
                        at += 1;
                    }
                },
                b'<' => match tag(text, is_last) {
                    Tag::Element(len) => {
                        let name = element_name(text).to_ascii_lowercase();
                        let is_end = text.starts_with(b"</") && name == self.element || name == b"br";
                        if is_end {
                            return Some(line);
                        }
                        if is_raw {
                            line.push(b'<');
                        }
                        at += if is_raw { 1 } else { len };
                    }
                    Tag::Cut => return None,
                    Tag::Comment | Tag::Text => {
                        line.push(b'<');
                        at += 1;
                    }
                },
                byte => {
                    line.push(byte);
                    at += 1;
                }
            }
        }
        let is_whole = is_last || line.len() >= START_BYTES || rest.len() >= LOOK_AHEAD;
        is_whole.then_some(line)
    }

    /// Reads a part of a script.
    fn script(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        const END: &[u8] = b"</script";
        if self.script.0 <= at && !self.script.1 {
            let ends = |start: &usize| {
                rest[*start..].get(..END.len()).is_some_and(|end| end.eq_ignore_ascii_case(END))
            };
            let end = memchr::memchr_iter(b'<', rest).find(ends);
            let unread = if is_last { 0 } else { END.len() };
            let known = end.unwrap_or(rest.len().saturating_sub(unread));
            self.script = (at + known as u64, end.is_some());
        }
        let (end, is_end) = self.script;
        if end <= at {
            if is_end {
                self.json.end(at, out);
                self.state = State::Outside;
                self.script = (0, false);
                return 1;
            }
            return 0;
        }
        let part = &rest[..(end - at) as usize];
        let is_whole = is_end || is_last;
        let was_in_string = self.json.is_in_string();
        let len = self.json.step(part, at, is_whole, out);
        if !was_in_string {
            Self::skip(&part[..len], at, out);
        }
        if len == 0 {
            // The part is longer when more has been read.
            self.script.0 = at;
        }
        len
    }

    fn post(&mut self, rest: &[u8], at: u64, is_last: bool, out: &mut Excerpts) -> usize {
        if self.state == State::Look && self.at_line {
            let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len()).min(START_BYTES)];
            if line.len() == rest.len() && !is_last && rest.len() < START_BYTES {
                return 0;
            }
            self.at_line = false;
            if begins_with_pdn(line) {
                out.begin(at, begins_with_tag(line));
                self.state = State::Pdn { marked: false };
            }
        }
        if rest[0] == b'[' {
            if !is_last && rest.len() < Mark::MAX {
                return 0;
            }
            if let Some((mark, len)) = Mark::read(rest) {
                return self.mark(&mark, len, rest, at, is_last, out);
            }
        }
        if self.state == State::Begin {
            if rest[0].is_ascii_whitespace() {
                return Self::skip(&rest[..1], at, out);
            }
            if !is_last && rest.len() < START_BYTES {
                return 0;
            }
            out.begin(at, begins_with_tag(rest));
            self.state = State::Pdn { marked: true };
        }
        let special = memchr2(b'[', b'\n', &rest[1..]).map_or(rest.len(), |special| special + 1);
        self.at_line = rest[0] == b'\n';
        let len = if self.at_line { 1 } else { special };
        self.text(&rest[..len], at, out)
    }

    /// Reads a mark of `len` bytes.
    fn mark(
        &mut self,
        mark: &Mark,
        len: usize,
        rest: &[u8],
        at: u64,
        is_last: bool,
        out: &mut Excerpts,
    ) -> usize {
        if mark.name == MarkName::Other && self.state == (State::Pdn { marked: true }) {
            return len;
        }
        let position = match mark.name {
            MarkName::Fen if !mark.closes => {
                if !is_last && rest.len() < LOOK_AHEAD {
                    return 0;
                }
                let end = memchr(b'[', &rest[len..]).map_or(rest.len(), |end| len + end);
                Some(&rest[len..end])
            }
            _ => None,
        };
        self.state = if mark.name == MarkName::Pdn && !mark.closes { State::Begin } else { State::Look };
        self.at_line = true;
        let Some(position) = position else { return len };
        let fen = position.trim_ascii();
        if is_position(fen) {
            let start = at + (len + position.len() - position.trim_ascii_start().len()) as u64;
            out.begin(start, true);
            out.insert(b"[FEN \"");
            out.put(fen, start..start + fen.len() as u64);
            out.insert(b"\"] *");
            self.at_line = false;
        }
        len + Self::skip(position, at + len as u64, out)
    }
}

/// Maximum length in bytes of an entity.
const MAX_ENTITY: usize = 32;
