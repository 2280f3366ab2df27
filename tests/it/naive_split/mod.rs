//! A second splitter, written from the definition of a record alone: one byte at a time, without caches and without
//! care for speed (it is quadratic). It shares no code with the library, so a mistake is unlikely to be in both.
//!
//! A record is a function of the bytes from its start on. So every method works on these bytes alone, and all
//! offsets are relative to the start of the record.

mod words;

/// The greatest length of a tag value in bytes.
const VALUE: usize = 16 << 10;
/// The greatest length of a tag name in bytes.
const NAME: usize = 255;

/// Returns the length of each record of `input` in bytes, and `true` if it was cut. `record_bytes` and `comment_bytes`
/// are the limits of the same names.
pub(crate) fn split(input: &[u8], record_bytes: usize, comment_bytes: usize) -> Vec<(usize, bool)> {
    let mut records = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        let window = &rest[..rest.len().min(record_bytes)];
        let end = Text { t: window, reach: comment_bytes }.record();
        let record = if end < window.len() || window.len() == rest.len() {
            (end, false)
        } else {
            let whitespace = (1..window.len()).rev().take(4096).find(|&i| window[i] <= b' ');
            let end = whitespace.map_or(window.len(), |i| i + 1);
            let divides_line_end = end > 1 && rest[end - 1] == b'\r' && rest[end] == b'\n';
            (if divides_line_end { end - 1 } else { end }, true)
        };
        rest = &rest[record.0..];
        records.push(record);
    }
    records
}

/// The form of a tag.
#[derive(PartialEq, Clone, Copy)]
enum Form {
    Quoted,
    Bare,
    Loose,
}

/// The bytes from the start of a record on.
struct Text<'a> {
    t: &'a [u8],
    /// The greatest length of a comment in bytes.
    reach: usize,
}

impl Text<'_> {
    fn at(&self, i: usize) -> Option<u8> {
        self.t.get(i).copied()
    }

    fn starts(&self, i: usize, what: &[u8]) -> bool {
        self.t.get(i..).is_some_and(|t| t.starts_with(what))
    }

    // -- whitespace and lines

    /// Returns the length of the whitespace character at `i`: a control character or space, a no-break space, or a byte
    /// order mark. 0 if there is none.
    fn whitespace(&self, i: usize) -> usize {
        match self.at(i) {
            Some(b) if b <= b' ' => 1,
            _ if self.starts(i, "\u{a0}".as_bytes()) => 2,
            _ if self.starts(i, "\u{feff}".as_bytes()) => 3,
            _ => 0,
        }
    }

    /// Returns the offset of the first byte from `i` on that is not whitespace.
    fn skip(&self, mut i: usize) -> usize {
        while self.whitespace(i) > 0 {
            i += self.whitespace(i);
        }
        i
    }

    fn is_line_end(&self, i: usize) -> bool {
        matches!(self.at(i), Some(b'\n' | b'\r'))
    }

    /// Returns the number of line ends in `from..to`; CRLF counts once.
    fn lines(&self, from: usize, to: usize) -> usize {
        let second = |i: usize| i > from && self.t[i] == b'\n' && self.t[i - 1] == b'\r';
        (from..to).filter(|&i| self.is_line_end(i) && !second(i)).count()
    }

    /// Returns the offset of the line end that closes the line of `i`, or the length of the text.
    fn line_end(&self, i: usize) -> usize {
        (i..self.t.len()).find(|&i| self.is_line_end(i)).unwrap_or(self.t.len())
    }

    /// Returns the start of the whitespace right before `i`.
    fn whitespace_before(&self, i: usize) -> usize {
        let mut start = i;
        loop {
            start -= match &self.t[..start] {
                [.., b] if *b <= b' ' => 1,
                [.., 0xC2, 0xA0] => 2,
                [.., 0xEF, 0xBB, 0xBF] => 3,
                _ => return start,
            };
        }
    }

    fn starts_line(&self, i: usize) -> bool {
        let start = self.whitespace_before(i);
        start == 0 || self.lines(start, i) > 0
    }

    fn after_empty_line(&self, i: usize) -> bool {
        self.lines(self.whitespace_before(i), i) > 1
    }

    // -- comments and setups

    /// Returns the end of the comment at `i`, and `true` if the comment is closed.
    fn comment(&self, i: usize) -> Option<(usize, bool)> {
        match self.at(i)? {
            b';' => Some((self.line_end(i), true)),
            b'%' if self.starts_line(i) => Some((self.line_end(i), true)),
            b'{' => Some(self.braces(i)),
            _ => None,
        }
    }

    fn braces(&self, i: usize) -> (usize, bool) {
        let mut open = 0;
        for j in i..self.t.len().min(i + self.reach) {
            match self.t[j] {
                b'{' => open += 1,
                b'}' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return (j + 1, true);
            }
        }
        for j in i + 1..self.t.len() {
            if self.t[j] == b'}' {
                return (j + 1, true);
            }
            // Only whitespace inside the comment counts: the comment itself may begin the line.
            if self.t[j] == b'['
                && self.lines(self.whitespace_before(j).max(i), j) > 0
                && self.form(j) == Some(Form::Quoted)
            {
                return (j, false);
            }
            if self.is_cut_off(j) {
                return (j, false);
            }
        }
        (self.t.len(), false)
    }

    /// Returns the end of the setup at `i`.
    fn setup(&self, i: usize) -> usize {
        let end = self.t.len().min(i + 2048);
        let stop = |j: &usize| matches!(self.t[*j], b'{' | b'}' | b'[' | b']' | b'(' | b')');
        let bracket = (i + 1..end).find(stop).unwrap_or(end);
        let slash = (i + 1..bracket).find(|&j| self.t[j] == b'/');
        let only = |from: usize, to: usize| self.t[from..to].iter().all(|b| b" \t\r\n".contains(b));
        let line = (i + 1..bracket).find(|&j| self.is_line_end(j));
        // Two line ends with only whitespace between them.
        let empty = (i + 1..bracket)
            .find(|&j| {
                self.t[j] == b'\n'
                    && (i + 1..j)
                        .any(|k| self.is_line_end(k) && !(self.t[k] == b'\r' && k + 1 == j) && only(k, j))
            })
            .unwrap_or(bracket);
        match slash {
            Some(slash) if slash < empty => slash + 1,
            _ => line.unwrap_or(bracket),
        }
    }

    // -- tags

    fn is_name(b: u8) -> bool {
        b.is_ascii_alphanumeric() || b >= 0x80 || b"_-&#;.".contains(&b)
    }

    /// Returns the start of the name after the bracket at `i` and the offset just after it.
    fn name(&self, i: usize) -> Option<(usize, usize)> {
        let start = self.skip(i + 1);
        let first = self.at(start)?;
        let reference = (start + 1..start + 13)
            .find(|&j| !self.at(j).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'#'))
            .is_some_and(|j| first == b'&' && j > start + 1 && self.at(j) == Some(b';'));
        let reference = reference
            || first == b'&'
                && self.at(start + 13) == Some(b';')
                && self.t[start + 1..start + 13].iter().all(|&b| b.is_ascii_alphanumeric() || b == b'#');
        if !(first.is_ascii_alphabetic() || first >= 0x80 || first == b'_' || reference) {
            return None;
        }
        let mut end = start;
        while end - start < NAME && self.at(end).is_some_and(Self::is_name) {
            end += 1;
        }
        while self.t[start..end].ends_with("\u{a0}".as_bytes()) {
            end -= 2;
        }
        if !matches!(self.at(self.skip(end)), Some(b'"' | b']'))
            && let Some(end) = self.end_of_words(start)
        {
            return Some((start, end));
        }
        Some((start, end))
    }

    /// Returns the end of the name of several words that starts at `start`.
    fn end_of_words(&self, start: usize) -> Option<usize> {
        let first = self.t[start];
        if !(first.is_ascii_uppercase() || first >= 0x80 || first == b'&') {
            return None;
        }
        let quote = (start..self.t.len().min(start + 64))
            .find(|&j| !(Self::is_name(self.t[j]) || b" \t'".contains(&self.t[j])))
            .filter(|&j| self.t[j] == b'"')?;
        let end = (quote + 1..self.t.len()).find(|&j| self.is_line_end(j) || self.t[j] == b'[');
        let end = end.unwrap_or(self.t.len());
        if end - quote >= VALUE {
            return None;
        }
        let mut line = self.t[quote + 1..end].trim_ascii_end();
        while line.ends_with(b"\\r") || line.ends_with(b"\\n") {
            line = line[..line.len() - 2].trim_ascii_end();
        }
        let value = line.strip_suffix(b"]")?.trim_ascii_end();
        let blank = |&j: &usize| b" \t".contains(&self.t[j]);
        value.ends_with(b"\"").then(|| quote - (start..quote).rev().take_while(blank).count())
    }

    fn form(&self, i: usize) -> Option<Form> {
        let (_, end) = self.name(i)?;
        Some(match self.at(self.skip(end)) {
            Some(b'"') => Form::Quoted,
            Some(b']') => Form::Bare,
            _ => Form::Loose,
        })
    }

    /// Returns the offset just after the tag whose bracket stands at `i`.
    fn tag(&self, i: usize) -> Option<usize> {
        let (_, end) = self.name(i)?;
        let next = self.skip(end);
        match self.form(i)? {
            Form::Bare => Some(next + 1),
            Form::Quoted => Some(self.value(next + 1)),
            Form::Loose => {
                let end = self.t.len().min(next + VALUE);
                let stop = (next..end).find(|&j| self.is_line_end(j) || b"[]{\"".contains(&self.t[j]))?;
                (self.t[stop] == b']' && self.starts_line(i)).then_some(stop + 1)
            }
        }
    }

    /// Returns `true` if a tag of the standard at `i` ends its line and the next line starts with a tag.
    fn is_cut_off(&self, i: usize) -> bool {
        if self.at(i) != Some(b'[') || self.form(i) != Some(Form::Quoted) {
            return false;
        }
        let (from, to) = self.name(i).unwrap();
        // The brackets of a sound tag have two quotes between them, and escaped ones.
        let open = self.skip(to) + 1;
        let mut close = open;
        while close < self.t.len().min(open + VALUE) && self.t[close] != b'"' {
            if self.is_line_end(close) && self.lines(close, self.skip(close)) > 1 {
                return false;
            }
            let is_tag =
                self.t[close] == b'[' && self.lines(self.whitespace_before(close).max(open), close) > 0;
            if is_tag {
                return false;
            }
            close += if self.starts(close, b"\\\"") || self.starts(close, b"\\\\") { 2 } else { 1 };
        }
        let end = self.skip(close + 1);
        let is_sound = close < open + VALUE && self.at(close) == Some(b'"') && self.at(end) == Some(b']');
        let next = self.skip(end + 1);
        is_sound
            && pdn::value::TagName::exact(&self.t[from..to]).is_some()
            && self.lines(end + 1, next) == 1
            && self.at(next) == Some(b'[')
            && self.form(next) == Some(Form::Quoted)
    }

    /// Returns the offset just after the tag whose value starts at `open`.
    fn value(&self, open: usize) -> usize {
        let bound = self.t.len().min(open + VALUE);
        let line = self.line_end(open).min(bound);
        // The first quote that no backslash escapes, unless a tag or an empty line comes first: then it is missing.
        let mut quote = None;
        let mut j = open;
        while j < bound {
            let b = self.t[j];
            if b == b'"' {
                quote = Some(j);
                break;
            }
            let tag = b == b'[' && j > line && self.lines(self.whitespace_before(j).max(open), j) > 0;
            if tag || (self.is_line_end(j) && self.lines(j, self.skip(j)) > 1) {
                break;
            }
            j += if self.starts(j, b"\\\"") || self.starts(j, b"\\\\") { 2 } else { 1 };
        }
        let after = quote.map(|q| self.skip(q + 1));
        if let Some(after) = after.filter(|&after| self.at(after) == Some(b']')) {
            return after + 1;
        }
        // Up to the next tag of the line, the last quote with a bracket after it closes the value. Else the first quote does,
        // and if there is none, a bracket before all other brackets, or the end.
        let window = Text { t: &self.t[..bound], reach: self.reach };
        let end = (open..line).find(|&j| self.t[j] == b'[' && window.form(j) == Some(Form::Quoted));
        let end = end.unwrap_or(line);
        let is_closing = |&j: &usize| self.t[j] == b']' && self.t[open..j].trim_ascii_end().ends_with(b"\"");
        let first_bracket = (open..end).find(|&j| self.t[j] == b'[').unwrap_or(end);
        let bracket = (open..end).rfind(is_closing);
        let quote = quote.filter(|&q| q < end);
        let lone = || (open..first_bracket).rfind(|&j| self.t[j] == b']');
        let last = bracket.or(quote).or_else(lone);
        last.map_or_else(|| open + self.t[open..first_bracket].trim_ascii_end().len(), |last| last + 1)
    }

    /// Returns the start of the name if `quote` opens the value of a tag that lost its bracket.
    fn lost_bracket(&self, quote: usize) -> Option<usize> {
        let end = (0..quote).rfind(|&j| !b" \t".contains(&self.t[j]))? + 1;
        let start = (0..end).rev().take_while(|&j| Self::is_name(self.t[j])).last()?;
        let line = self.line_end(quote);
        let body = self.t[quote + 1..line].trim_ascii_end();
        let closed = body.strip_suffix(b"]").is_some_and(|b| b.trim_ascii_end().ends_with(b"\""));
        let is_name = end - start <= NAME && line - quote < VALUE && self.t[start].is_ascii_uppercase();
        (is_name && closed && self.starts_line(start)).then_some(start)
    }

    /// Returns the start and end of the name at `i` if a tag that lost its bracket starts there.
    fn lost_bracket_at(&self, i: usize) -> Option<(usize, usize)> {
        let end = (i..self.t.len()).find(|&j| !Self::is_name(self.t[j]))?;
        let quote = (end..self.t.len()).find(|&j| !b" \t".contains(&self.t[j]))?;
        (quote - end <= 256 && self.t[quote] == b'"' && self.lost_bracket(quote) == Some(i))
            .then_some((i, end))
    }

    // -- results

    /// Returns `true` if a star at `i` ends the game: it does not touch a move.
    fn is_final_star(&self, i: usize) -> bool {
        if self.at(i) != Some(b'*') {
            return false;
        }
        let before = &self.t[..i];
        let marks = before.strip_suffix(b")").map(|b| (b, b.trim_ascii_end_matches(b"!?")));
        let strength = marks.is_some_and(|(all, head)| head.len() < all.len() && head.ends_with(b"("));
        !(strength || before.last().is_some_and(|b| b.is_ascii_digit() || b"!?>*".contains(b)))
    }

    /// Returns `true` if a result may start at `i`: no number or separator touches it.
    fn result_may_start(&self, i: usize) -> bool {
        let before = &self.t[..i];
        let touches = [
            &b"-"[..],
            b"x",
            b"X",
            b":",
            b"/",
            b"+",
            b"#",
            b"&",
            b"_",
            b"\xD7",
            b"\x96",
            "×".as_bytes(),
            "х".as_bytes(),
            "–".as_bytes(),
        ];
        !(before.last().is_some_and(u8::is_ascii_digit) || touches.iter().any(|t| before.ends_with(t)))
    }

    /// Returns the length of the result at `i`.
    fn result(&self, i: usize) -> Option<usize> {
        let halves: [&[u8]; 6] = [b"1/2", b"1 1/2", "½".as_bytes(), b"\xBD", b"&frac12;", b"&#189;"];
        let separators =
            ["-", ":", "‐", "‑", "‒", "–", "—", "―", "−", "&ndash;", "&minus;", "&#8211;"].map(str::as_bytes);
        let spaces = |mut j: usize| {
            while self.at(j) == Some(b' ') {
                j += 1;
            }
            j
        };
        let find = |list: &[&[u8]], j: usize| list.iter().find(|h| self.starts(j, h)).map(|h| j + h.len());
        let separator = |j: usize| {
            let end = find(&separators, spaces(j)).or_else(|| find(&[b"\x96"], spaces(j)));
            end.map(spaces)
        };
        let plus = |first: &[u8], second: &[u8]| {
            if !self.starts(i, first) {
                return None;
            }
            let dash = spaces(i + 2);
            let second_at = spaces(dash + 1);
            (self.at(dash) == Some(b'-') && self.starts(second_at, second)).then_some(second_at + 2)
        };
        let pair = |list: &[&[u8]]| find(list, separator(find(list, i)?)?);
        let whole = |first: &[u8], second: &[u8]| find(&[second], separator(find(&[first], i)?)?);
        let ends = [
            whole(b"1", b"0"),
            whole(b"0", b"1"),
            whole(b"2", b"0"),
            whole(b"0", b"2"),
            whole(b"1", b"1"),
            whole(b"0", b"0"),
            plus(b"1+", b"1-"),
            plus(b"1-", b"1+"),
            pair(&halves[..2]),
            pair(&halves[2..]),
        ];
        let first_number = |end: usize| ["1.", "01.", "001."].iter().any(|n| self.starts(end, n.as_bytes()));
        let alone = |end: usize| match self.at(end) {
            None => true,
            Some(b'.' | b',') => !self.at(end + 1).is_some_and(|b| b.is_ascii_digit()),
            Some(b) => self.whitespace(end) > 0 || b"{}()[];*!?\"\\".contains(&b) || first_number(end),
        };
        ends.into_iter().flatten().find(|&end| alone(end)).map(|end| end - i)
    }

    /// Returns `true` if a move, a move number or a setup stands at `i`.
    fn opens_moves(&self, i: usize) -> bool {
        let spaces = |mut j: usize| {
            let from = j;
            while self.at(j) == Some(b' ') && j < from + 4 {
                j += 1;
            }
            j
        };
        let digit = |j: usize| self.at(j).is_some_and(|b| b.is_ascii_digit());
        let file = |j: usize| self.at(j).is_some_and(|b| matches!(b, b'a'..=b'l' | b'A'..=b'L'));
        let separator = |j: usize| self.at(j).is_some_and(|b| b"-xX:".contains(&b));
        if digit(i) {
            let digits = (i..i + 5).take_while(|&j| digit(j)).count();
            let next = spaces(i + digits);
            if self.at(next) == Some(b'.') {
                return true;
            }
            if separator(next) {
                let after = spaces(next + 1);
                let is_first = digits == 1 && self.t[i] == b'1';
                let is_move = after < self.t.len() && self.written_move(after).is_some();
                return digits <= 2 && digit(after) || is_first && is_move;
            }
            if digits == 1 && self.t[i] == b'1' {
                let sign = usize::from(self.at(next) == Some(b')'));
                let moves = if sign > 0 { spaces(i + 2) } else { next };
                return (sign == 0 || next == i + 1)
                    && moves < self.t.len()
                    && self.written_move(moves).is_some();
            }
            return matches!(digits, 3 | 4)
                && (next > i + digits || next >= self.t.len() || self.is_line_end(next));
        }
        if file(i) && digit(i + 1) {
            let next = if digit(i + 2) { i + 3 } else { i + 2 };
            let next = next + usize::from(separator(next));
            return file(next) && digit(next + 1);
        }
        self.starts(i, b"/FEN")
    }

    /// Returns `true` if a line end typed as two characters stands at `i`.
    fn is_typed_line_end(&self, i: usize) -> bool {
        self.starts(i, b"\\r") || self.starts(i, b"\\n")
    }

    // -- a record

    /// Returns the end of the record.
    fn record(&self) -> usize {
        let mut names: Vec<&[u8]> = Vec::new();
        let mut i = 0;
        let mut gap = 0;
        let mut after_empty_line = false;
        loop {
            let next = self.skip(i);
            gap += self.lines(i, next);
            i = next;
            if self.is_typed_line_end(i) {
                i += 2;
                continue;
            }
            after_empty_line |= gap > 1;
            gap = 0;
            if let Some((end, closed)) = self.comment(i) {
                if !closed {
                    return end;
                }
                i = end;
                continue;
            }
            let tag = match self.at(i) {
                None => return self.t.len(),
                Some(b'[') => self.tag(i).map(|end| (self.name(i).unwrap(), end)),
                Some(b'A'..=b'Z') => self.lost_bracket_at(i).map(|name| (name, self.line_end(i))),
                _ => None,
            };
            let Some(((from, to), end)) = tag else { return self.movetext(i) };
            let name = &self.t[from..to];
            if after_empty_line && names.contains(&name) {
                return i;
            }
            names.push(name);
            after_empty_line = false;
            i = end;
        }
    }

    /// Returns the end of the record whose movetext starts at `i`.
    fn movetext(&self, mut i: usize) -> usize {
        if self.starts_line(i) {
            i = self.heading(i).unwrap_or(i);
        }
        let mut depth = 0usize;
        let mut result_end = None;
        while i < self.t.len() {
            if let Some(end) = self.end_of_play(i).filter(|_| depth == 0) {
                return self.after_terminator(end);
            }
            if let Some((end, closed)) = self.comment(i) {
                if !closed {
                    return end;
                }
                i = end;
                continue;
            }
            let follows_result = |start: usize| result_end.is_some_and(|end| self.skip(end) == start);
            if self.t[i] == b'[' {
                let form = self.form(i);
                let open = depth > 0 && !follows_result(i);
                let boundary = match form {
                    Some(Form::Quoted) if open => {
                        self.after_empty_line(i) || !self.starts_line(i) && self.is_cut_off(i)
                    }
                    Some(Form::Quoted) => self.starts_line(i) || self.is_cut_off(i),
                    Some(Form::Bare) => depth == 0 && self.starts_line(i),
                    _ => false,
                };
                if boundary {
                    return i;
                }
                if matches!(form, None | Some(Form::Loose))
                    && let Some(end) = self.words_in_brackets(i)
                {
                    i = end;
                    continue;
                }
                i = if form == Some(Form::Quoted) { self.tag(i).unwrap() } else { i + 1 };
                continue;
            }
            if self.t[i] == b'"'
                && let Some(start) = self.lost_bracket(i)
                && start > 0
                && (depth == 0 || follows_result(start) || self.after_empty_line(start))
            {
                return start;
            }
            if self.t[i] == b'/' && !(i > 0 && self.t[i - 1].is_ascii_digit()) {
                let inner = self.t[i + 1..].trim_ascii_start();
                let is_setup = inner.starts_with(b"FEN") || inner.starts_with(b"fen");
                i = if is_setup { self.setup(i) } else { i + 1 };
                continue;
            }
            let terminator = match self.result(i).filter(|_| self.result_may_start(i)) {
                Some(len) => Some(i + len),
                None => self.is_final_star(i).then_some(i + 1),
            };
            if let Some(end) = terminator {
                if depth == 0 {
                    return self.heading_around(i).unwrap_or_else(|| self.after_terminator(end));
                }
                result_end = Some(end);
                i = end;
                continue;
            }
            if let Some(end) = self.words_in_parentheses(i) {
                i = end;
                continue;
            }
            match self.t[i] {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            i += 1;
        }
        self.t.len()
    }

    /// Returns the end of the record whose terminator ends at `i`.
    fn after_terminator(&self, mut i: usize) -> usize {
        let mut first_line = None;
        loop {
            let next = self.skip(i);
            let lines = self.lines(i, next);
            i = next;
            if i >= self.t.len() {
                return self.t.len();
            }
            if lines > 1 && b";%".contains(&self.t[i]) {
                first_line = first_line.or(Some(i));
            }
            if let Some((end, closed)) = self.comment(i) {
                if !closed {
                    return end;
                }
                i = end;
                continue;
            }
            let tag = self.t[i] == b'[' && matches!(self.form(i), Some(Form::Quoted | Form::Bare));
            let heading = lines > 0
                && self.heading(i).is_some_and(|end| lines > 1 || self.lines(end, self.skip(end)) == 1);
            let moves = self.result(i).is_none() && self.opens_moves(i);
            if tag || heading || moves || self.lost_bracket_at(i).is_some() {
                return first_line.unwrap_or(i);
            }
            first_line = None;
            if self.t[i] == b'*' {
                i += 1;
            } else if let Some(len) = self.result(i) {
                i += len;
            } else if self.is_typed_line_end(i) {
                i += 2;
            } else {
                i += 1;
                while i < self.t.len() && self.t[i] > b' ' && !b"{[;".contains(&self.t[i]) {
                    i += 1;
                }
            }
        }
    }
}

trait TrimMatches {
    fn trim_ascii_end_matches(&self, set: &[u8]) -> &[u8];
}

impl TrimMatches for [u8] {
    fn trim_ascii_end_matches(&self, set: &[u8]) -> &[u8] {
        let end = self.iter().rposition(|b| !set.contains(b)).map_or(0, |n| n + 1);
        &self[..end]
    }
}
