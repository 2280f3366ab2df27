//! Headings, semicolons between moves, and words in parentheses or brackets.

use super::{Text, TrimMatches};

impl Text<'_> {
    // -- headings

    /// Returns the end of the heading at `i`.
    pub(super) fn heading(&self, i: usize) -> Option<usize> {
        let window = Text { t: &self.t[..self.t.len().min(i + 4096)], reach: self.reach };
        let (mut end, mut next) = (None, i);
        for _ in 0..8 {
            let line = &window.t[next..window.line_end(next)];
            let words = || line.split(|b| *b <= b' ').filter(|word| !word.is_empty());
            let first = line.first().copied().unwrap_or_default();
            let square = matches!(first, b'A'..=b'L') && line.get(1).is_some_and(u8::is_ascii_digit)
                || line.get(1) == Some(&b':');
            let is_move = |word: &[u8]| {
                let word = Text { t: word, reach: self.reach };
                word.result(0).is_none() && word.written_move(0).is_some()
            };
            let barred = line.iter().any(|b| b"{}[]\";".contains(b));
            if !(first.is_ascii_uppercase() || first >= 0x80) || square || barred || words().any(is_move) {
                break;
            }
            end = Some(next + line.trim_ascii_end().len());
            next = window.skip(next + line.len());
        }
        let number = [&b"1."[..], b"01.", b"001."].iter().any(|n| window.starts(next, n));
        let begins = window.result(next).is_none() && window.at(next) != Some(b'*');
        end.filter(|_| next < window.t.len() && begins && (number || window.written_move(next).is_some()))
    }

    /// Returns the start of the lines of words after an empty line that have the result at `i` and are a heading.
    pub(super) fn heading_around(&self, i: usize) -> Option<usize> {
        let starts: Vec<usize> =
            (1..=i).filter(|&start| self.starts_line(start) && self.skip(start) == start).collect();
        let may_begin = |start: usize| self.t[start].is_ascii_uppercase() || self.t[start] >= 0x80;
        let first =
            starts.into_iter().rev().find(|&start| !may_begin(start) || self.after_empty_line(start))?;
        (may_begin(first) && self.heading(first).is_some_and(|end| end > i)).then_some(first)
    }

    // -- semicolons between moves

    /// Returns the end of the line of the semicolon at `i` if moves up to a result follow the last semicolon of the line, and the first
    /// number of another game follows the line.
    pub(super) fn end_of_play(&self, i: usize) -> Option<usize> {
        if self.at(i) != Some(b';') {
            return None;
        }
        let end = self.line_end(i);
        let next = self.skip(end);
        let last =
            self.t[i + 1..end].split(|&b| b == b';').rev().find(|piece| !piece.trim_ascii().is_empty())?;
        let ends = last.len() <= 1024 && Text { t: last, reach: self.reach }.is_play_up_to_result();
        let is_first = self.starts(next, b"1.") && !self.starts(next, b"1..");
        (is_first && ends).then_some(end)
    }

    fn is_play_up_to_result(&self) -> bool {
        let mut i = 0;
        let mut is_result = false;
        loop {
            while self.at(i).is_some_and(|b| b <= b' ') {
                i += 1;
            }
            if i == self.t.len() {
                return is_result;
            }
            let result = self.result(i).or_else(|| (self.t[i] == b'*').then_some(1));
            is_result = result.is_some();
            let digits = self.t[i..].iter().take_while(|b| b.is_ascii_digit()).count();
            let Some(len) = result.or_else(|| {
                let dots = self.t[i + digits..].iter().take_while(|b| **b == b'.').count();
                let sign = self.starts(i + digits, b") ") || self.starts(i + digits, b": ");
                match digits {
                    1..=3 if dots > 0 => Some(digits + dots),
                    1..=3 if sign => Some(digits + 1),
                    _ => self.written_move(i),
                }
            }) else {
                return false;
            };
            i += len;
        }
    }

    /// Returns the length of the move at `i`, which ends with its word.
    pub(super) fn written_move(&self, i: usize) -> Option<usize> {
        let end = (i..self.t.len()).find(|&j| self.t[j] <= b' ').unwrap_or(self.t.len());
        let text = self.t[i..end].trim_ascii_end_matches(b"!?*");
        let is_file = |b: u8| matches!(b.to_ascii_lowercase(), b'a'..=b'l');
        let files = text.iter().any(|&b| is_file(b));
        let mut squares = 0;
        let mut rest = text;
        while !rest.is_empty() {
            if squares > 0 && b"-xX:".contains(&rest[0]) {
                rest = &rest[1..];
            } else if squares > 0 && !files {
                return None;
            }
            if files {
                rest = rest.split_first().filter(|(b, _)| is_file(**b))?.1;
            }
            let digits = rest.iter().take(2).take_while(|b| b.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            rest = &rest[digits..];
            squares += 1;
        }
        (squares > 1).then_some(end - i)
    }

    // -- words in parentheses

    /// Returns the end of the words in parentheses at `i`; `None` if no parenthesis stands there or it opens a variation.
    pub(super) fn words_in_parentheses(&self, i: usize) -> Option<usize> {
        if self.at(i) != Some(b'(') {
            return None;
        }
        let mut open = 0;
        let bound = self.t.len().min(i + 4096);
        let close = (i..bound).find(|&j| {
            open += match self.t[j] {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            open == 0 || open > 5
        });
        let close = close.filter(|&j| self.t[j] == b')')?;
        let inside = i + 1..close;
        let empty_line = |j: usize| {
            let end = self.skip(j).min(close);
            self.is_line_end(j) && self.lines(j, end) > 1
        };
        let is_barred = |j: usize| {
            b"{}[]".contains(&self.t[j])
                || self.starts(j, b"/FEN")
                || self.starts(j, b"/fen")
                || empty_line(j)
        };
        if inside.clone().any(is_barred) {
            return None;
        }
        let runs = self.runs(inside);
        let (words, moves) = Self::words_and_moves(&runs);
        let before = runs.iter().take_while(|run| !Self::is_word(run));
        let first_moves = before.filter(|run| Self::is_move(run)).count();
        let letter = close == i + 2 && self.t[i + 1].is_ascii_alphabetic();
        (letter || words > moves && first_moves < 2).then_some(close + 1)
    }

    /// Returns the runs of letters, digits, hyphens and colons in a range.
    fn runs(&self, inside: std::ops::Range<usize>) -> Vec<&[u8]> {
        let belongs = |j: usize| {
            let byte = self.t[j];
            let second_of_wide = j > 0 && self.whitespace(j - 1) == 2 || j > 1 && self.whitespace(j - 2) == 3;
            let third_of_wide = j > 0 && self.whitespace(j - 1) == 3;
            (byte.is_ascii_alphanumeric() || byte >= 0x80 || b"-:".contains(&byte))
                && self.whitespace(j) == 0
                && !(second_of_wide || third_of_wide)
        };
        self.t[inside.clone()]
            .iter()
            .zip(inside)
            .collect::<Vec<_>>()
            .split(|&(_, j)| !belongs(j))
            .filter_map(|run| Some(&self.t[run.first()?.1..=run.last()?.1]))
            .collect()
    }

    fn numbers(run: &[u8]) -> usize {
        run.split(|b| !b.is_ascii_digit()).filter(|digits| !digits.is_empty()).count()
    }

    fn is_word(run: &[u8]) -> bool {
        Self::numbers(run) == 0 && run.iter().filter(|b| b.is_ascii_alphabetic() || **b >= 0x80).count() > 1
    }

    fn is_move(run: &[u8]) -> bool {
        Self::numbers(run) > 1
    }

    fn words_and_moves(runs: &[&[u8]]) -> (usize, usize) {
        let count = |is_kind: fn(&[u8]) -> bool| runs.iter().filter(|run| is_kind(run)).count();
        (count(Self::is_word), count(Self::is_move))
    }

    /// Returns the end of the words in brackets at `i`.
    pub(super) fn words_in_brackets(&self, i: usize) -> Option<usize> {
        let bound = self.t.len().min(i + 1024);
        let close = (i + 1..bound).find(|&j| self.is_line_end(j) || b"[]{}\"".contains(&self.t[j]))?;
        let runs = self.runs(i + 1..close);
        let (words, moves) = Self::words_and_moves(&runs);
        let begins = runs
            .iter()
            .find(|run| Self::is_word(run) || Self::is_move(run))
            .is_some_and(|run| Self::is_word(run));
        (self.t[close] == b']' && (begins || words > moves)).then_some(close + 1)
    }
}
