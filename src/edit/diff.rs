//! The difference of two texts as a unified diff.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::TextEdits;
use crate::steps;

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// Number of lines that are compared at once, for their cost can grow with the square of their number.
const MAX_COMPARED: usize = 2_048;

/// Writes the changes of a file as a unified diff, byte for byte, as `patch` and `git apply` read it.
///
/// The two texts are given in pieces, each with its old and its new form, so that a large file need not be in memory.
/// Lines are compared within the pieces; a change of line ends is a change of lines.
///
/// ```
/// use pdn::internal::edit::UnifiedDiff;
///
/// let mut diff = UnifiedDiff::new(Vec::new(), "games.pdn".as_ref());
/// diff.piece(b"[White \"a\"]\n1.32-28 *\n", b"[White \"a\"]\n1. 32-28 *\n")?;
/// let text = diff.finish()?;
/// assert_eq!(
///     String::from_utf8_lossy(&text),
///     "--- games.pdn\n+++ games.pdn\n@@ -1,2 +1,2 @@\n [White \"a\"]\n-1.32-28 *\n+1. 32-28 *\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UnifiedDiff<W> {
    out: W,
    name: Vec<u8>,
    /// `true` once the names of the files are written.
    has_begun: bool,
    /// Text of pieces that do not end with a line yet; the new text only once it differs from the old.
    pending: (Vec<u8>, Option<Vec<u8>>),
    /// The last unchanged lines, at most [`CONTEXT`], outside of a hunk.
    context: VecDeque<Vec<u8>>,
    /// Numbers of old and new lines before the next ones.
    lines: [usize; 2],
    hunk: Option<Hunk>,
}

/// A hunk that is being collected.
#[derive(Debug)]
struct Hunk {
    /// Numbers of lines before the hunk, old and new.
    start: [usize; 2],
    /// Numbers of its lines, old and new.
    len: [usize; 2],
    text: Vec<u8>,
    /// The added lines after the last removed one, which follow all removed lines without an unchanged one between them.
    added: Vec<u8>,
    /// The unchanged lines after its last change, which are not part of `text` yet.
    trailing: VecDeque<Vec<u8>>,
}

impl Hunk {
    /// Adds an unchanged line.
    fn keep(&mut self, line: &[u8]) {
        self.text.append(&mut self.added);
        push_line(&mut self.text, b' ', line);
        self.len = self.len.map(|len| len + 1);
    }
}

impl<W: Write> UnifiedDiff<W> {
    /// Creates a diff of the file `name`, written to `out`. Nothing is written for a file without changes.
    pub fn new(out: W, name: &Path) -> Self {
        Self {
            out,
            name: name.as_os_str().as_encoded_bytes().to_vec(),
            has_begun: false,
            pending: (Vec::new(), None),
            context: VecDeque::new(),
            lines: [0; 2],
            hunk: None,
        }
    }

    /// Adds a text with its edits. Only lines that an edit touches are compared.
    ///
    /// # Errors
    /// Those of the output.
    ///
    /// # Panics
    /// If an edit lies beyond the end of `text`.
    pub fn edited(&mut self, text: &[u8], edits: &TextEdits) -> io::Result<()> {
        let mut at = 0;
        for edit in edits.as_slice() {
            self.keep_text(&text[at..edit.range.start])?;
            self.piece(&text[edit.range.clone()], &edit.new)?;
            at = edit.range.end;
        }
        self.keep_text(&text[at..])
    }

    /// Adds the next piece of the old and of the new text.
    ///
    /// # Errors
    /// Those of the output.
    pub fn piece(&mut self, old: &[u8], new: &[u8]) -> io::Result<()> {
        let (pending, pending_new) = &mut self.pending;
        // A long line without a change is kept once.
        if old != new && pending_new.is_none() {
            *pending_new = Some(pending.clone());
        }
        pending.extend_from_slice(old);
        if let Some(pending_new) = pending_new {
            pending_new.extend_from_slice(new);
        }
        let ends_lines = [Some(&*pending), pending_new.as_ref()]
            .iter()
            .flatten()
            .all(|text| text.is_empty() || text.ends_with(b"\n"));
        if ends_lines { self.compare_pending() } else { Ok(()) }
    }

    /// Adds the next piece of both texts. Its whole lines are not compared.
    fn keep_text(&mut self, text: &[u8]) -> io::Result<()> {
        let rest = if self.pending.0.is_empty() && self.pending.1.is_none() {
            text
        } else {
            let (begun, rest) = text.split_at(memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1));
            self.piece(begun, begun)?;
            rest
        };
        let (lines, begun) = rest.split_at(memchr::memrchr(b'\n', rest).map_or(0, |end| end + 1));
        self.keep_all(lines)?;
        if begun.is_empty() { Ok(()) } else { self.piece(begun, begun) }
    }

    /// Compares the texts of pieces that were collected.
    fn compare_pending(&mut self) -> io::Result<()> {
        let (old, new) = std::mem::take(&mut self.pending);
        self.compare(&old, new.as_deref().unwrap_or(&old))
    }

    /// Returns the output, to take out what is written so far.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes the rest and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        // After the last change, unchanged text is needed only if it follows that change.
        if self.pending.1.is_some() || self.hunk.is_some() {
            self.compare_pending()?;
        }
        self.end_hunk()?;
        Ok(self.out)
    }

    /// Compares two texts line by line, at most [`MAX_COMPARED`] lines of each at once.
    fn compare<'t>(&mut self, mut old: &'t [u8], mut new: &'t [u8]) -> io::Result<()> {
        while old != new {
            let [(old_lines, old_rest), (new_lines, new_rest)] = [first_lines(old), first_lines(new)];
            self.compare_lines(old_lines, new_lines)?;
            (old, new) = (old_rest, new_rest);
        }
        self.keep_all(old)
    }

    /// Compares two texts of few lines.
    fn compare_lines(&mut self, old: &[u8], new: &[u8]) -> io::Result<()> {
        let input = InternedInput::new(old, new);
        steps::add(1 + (input.before.len() * input.after.len()) / 64);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let line = |token: imara_diff::Token| input.interner[token];
        let mut at = 0;
        for change in diff.hunks() {
            for &token in &input.before[at as usize..change.before.start as usize] {
                self.keep(line(token))?;
            }
            for &token in &input.before[change.before.start as usize..change.before.end as usize] {
                self.change(b'-', line(token));
            }
            for &token in &input.after[change.after.start as usize..change.after.end as usize] {
                self.change(b'+', line(token));
            }
            at = change.before.end;
        }
        for &token in &input.before[at as usize..] {
            self.keep(line(token))?;
        }
        Ok(())
    }

    /// Adds unchanged lines. Only the first and the last of them can become context.
    fn keep_all(&mut self, text: &[u8]) -> io::Result<()> {
        let count = memchr::memchr_iter(b'\n', text).count();
        let first = (2 * CONTEXT + 1).min(count);
        let skipped = (count - first).saturating_sub(CONTEXT);
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        lines.by_ref().take(first).try_for_each(|line| self.keep(line))?;
        self.lines = self.lines.map(|lines| lines + skipped);
        lines.skip(skipped).try_for_each(|line| self.keep(line))
    }

    /// Adds an unchanged line.
    fn keep(&mut self, line: &[u8]) -> io::Result<()> {
        self.lines = self.lines.map(|lines| lines + 1);
        if let Some(hunk) = &mut self.hunk {
            hunk.trailing.push_back(line.to_vec());
            // Changes that are further apart get hunks of their own.
            if hunk.trailing.len() > 2 * CONTEXT {
                let tail = hunk.trailing.iter().skip(hunk.trailing.len() - CONTEXT);
                self.context = tail.cloned().collect();
                self.end_hunk()?;
            }
        } else {
            if self.context.len() == CONTEXT {
                self.context.pop_front();
            }
            self.context.push_back(line.to_vec());
        }
        Ok(())
    }

    /// Adds a line that is removed (`-`) or added (`+`).
    fn change(&mut self, sign: u8, line: &[u8]) {
        let lines = self.lines;
        let context = &mut self.context;
        let hunk = self.hunk.get_or_insert_with(|| {
            let before = context.len();
            let mut hunk = Hunk {
                start: lines.map(|lines| lines - before),
                len: [before; 2],
                text: Vec::new(),
                added: Vec::new(),
                trailing: VecDeque::new(),
            };
            for line in context.drain(..) {
                push_line(&mut hunk.text, b' ', &line);
            }
            hunk
        });
        for line in std::mem::take(&mut hunk.trailing) {
            hunk.keep(&line);
        }
        push_line(if sign == b'+' { &mut hunk.added } else { &mut hunk.text }, sign, line);
        let side = usize::from(sign == b'+');
        hunk.len[side] += 1;
        self.lines[side] += 1;
    }

    /// Writes the hunk that is being collected, with the unchanged lines after it.
    fn end_hunk(&mut self) -> io::Result<()> {
        let Some(mut hunk) = self.hunk.take() else { return Ok(()) };
        for line in std::mem::take(&mut hunk.trailing).iter().take(CONTEXT) {
            hunk.keep(line);
        }
        hunk.text.append(&mut hunk.added);
        if !std::mem::replace(&mut self.has_begun, true) {
            for sign in ["---", "+++"] {
                self.out.write_all(sign.as_bytes())?;
                self.out.write_all(b" ")?;
                self.out.write_all(&self.name)?;
                // A tab ends a name with spaces.
                self.out.write_all(if self.name.contains(&b' ') { b"\t\n" } else { b"\n" })?;
            }
        }
        let range = |side: usize| {
            // An empty range stands after the line of its number.
            let first = hunk.start[side] + usize::from(hunk.len[side] > 0);
            if hunk.len[side] == 1 { first.to_string() } else { format!("{first},{}", hunk.len[side]) }
        };
        writeln!(self.out, "@@ -{} +{} @@", range(0), range(1))?;
        self.out.write_all(&hunk.text)
    }
}

/// Splits a text after its first [`MAX_COMPARED`] lines.
fn first_lines(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(memchr::memchr_iter(b'\n', text).nth(MAX_COMPARED - 1).map_or(text.len(), |end| end + 1))
}

fn push_line(text: &mut Vec<u8>, sign: u8, line: &[u8]) {
    text.push(sign);
    text.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        text.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::TextEdit;
    use super::*;

    fn diff(pieces: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut diff = UnifiedDiff::new(Vec::new(), Path::new("f"));
        for (old, new) in pieces {
            diff.piece(old, new).unwrap();
        }
        diff.finish().unwrap()
    }

    /// Applies a unified diff naively.
    fn patched(old: &[u8], diff: &[u8]) -> Vec<u8> {
        let lines: Vec<&[u8]> = old.split_inclusive(|&byte| byte == b'\n').collect();
        let (mut new, mut at) = (Vec::new(), 0);
        let mut patch = diff.split_inclusive(|&byte| byte == b'\n').skip(2).peekable();
        while let Some(line) = patch.next() {
            let bare = patch.peek().is_some_and(|next| next.starts_with(b"\\"));
            let text = &line[1..line.len() - usize::from(bare)];
            match line[0] {
                b'@' => {
                    let header = String::from_utf8_lossy(line);
                    let range: Vec<usize> = header[4..header.find(" +").unwrap()]
                        .split(',')
                        .map(|number| number.parse().unwrap())
                        .collect();
                    let start = range[0] - usize::from(range.get(1) != Some(&0));
                    new.extend(lines[at..start].concat());
                    at = start;
                }
                b' ' | b'-' => {
                    assert_eq!(text, lines[at], "context and removed lines are those of the file");
                    at += 1;
                    if line[0] == b' ' {
                        new.extend_from_slice(text);
                    }
                }
                b'+' => new.extend_from_slice(text),
                _ => {}
            }
        }
        new.extend(lines[at..].concat());
        new
    }

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(diff(&[(b"a\nb\n", b"a\nb\n"), (b"c", b"c")]), b"");
    }

    #[test]
    fn changes_have_three_lines_of_context() {
        let old: String = (1..30).map(|n| format!("{n}\n")).collect();
        let new = old.replace("10\n", "x\n").replace("29\n", "29");
        let text = String::from_utf8(diff(&[(old.as_bytes(), new.as_bytes())])).unwrap();
        assert_eq!(
            text,
            "--- f\n+++ f\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n 13\n\
             @@ -26,4 +26,4 @@\n 26\n 27\n 28\n-29\n+29\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn changes_up_to_six_lines_apart_share_a_hunk() {
        let old: String = (1..30).map(|n| format!("{n}\n")).collect();
        let hunks = |second: &str| {
            let new = old.replace("10\n", "x\n").replace(second, "y\n");
            let text = String::from_utf8(diff(&[(old.as_bytes(), new.as_bytes())])).unwrap();
            text.lines().filter(|line| line.starts_with("@@")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(hunks("17\n"), ["@@ -7,14 +7,14 @@"]);
        assert_eq!(hunks("18\n"), ["@@ -7,7 +7,7 @@", "@@ -15,7 +15,7 @@"]);
    }

    #[test]
    fn removed_lines_stand_before_those_added_in_their_place() {
        let text = diff(&[(b"a\n", b"x\n"), (b"b\n", b"y\n"), (b"c\n", b"c\n"), (b"d\n", b"z\n")]);
        assert_eq!(
            String::from_utf8_lossy(&text),
            "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n-b\n+x\n+y\n c\n-d\n+z\n"
        );
    }

    #[test]
    fn tab_follows_a_name_with_spaces() {
        let header = |name: &str| {
            let mut diff = UnifiedDiff::new(Vec::new(), Path::new(name));
            diff.piece(b"a\n", b"b\n").unwrap();
            let text = String::from_utf8(diff.finish().unwrap()).unwrap();
            text.lines().take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(header("my games.pdn"), ["--- my games.pdn\t", "+++ my games.pdn\t"]);
        assert_eq!(header("games.pdn"), ["--- games.pdn", "+++ games.pdn"]);
    }

    proptest! {
        #[test]
        fn patched_old_text_is_the_new_text(
            pieces in prop::collection::vec(
                ("(a|b|\n){0,12}\n?", prop_oneof![Just(None), "(a|b|\r|\n){0,12}".prop_map(Some)]),
                0..9,
            ),
        ) {
            let pieces: Vec<(&[u8], &[u8])> = pieces
                .iter()
                .map(|(old, new)| (old.as_bytes(), new.as_deref().unwrap_or(old).as_bytes()))
                .collect();
            let [old, new] = [pieces.iter().map(|piece| piece.0).collect::<Vec<_>>().concat(),
                pieces.iter().map(|piece| piece.1).collect::<Vec<_>>().concat()];
            prop_assert_eq!(patched(&old, &diff(&pieces)), &*new, "{:?}", pieces);

            let mut end = 0;
            let edits = pieces.iter().map(|(old, new)| {
                end += old.len();
                TextEdit::new(end - old.len()..end, *new)
            });
            let edits = TextEdits::new(edits.filter(|edit| edit.new != old[edit.range.clone()]).collect()).unwrap();
            let mut diff = UnifiedDiff::new(Vec::new(), Path::new("f"));
            diff.edited(&old, &edits).unwrap();
            prop_assert_eq!(patched(&old, &diff.finish().unwrap()), new, "{:?}", edits);
        }
    }

    #[test]
    fn many_equal_lines_take_linear_time() {
        let taken = |lines: usize| {
            let old =
                [&b"1.32-28 19-23\n"[..], &b"\nClub evening\n".repeat(lines / 2), b"1.32-28 *\n"].concat();
            let edits = [2, old.len() - 9].map(|at| TextEdit::new(at..at, " "));
            let edits = TextEdits::new(edits.to_vec()).unwrap();
            let before = steps::count();
            let diffs = [true, false].map(|is_edited| {
                let mut diff = UnifiedDiff::new(Vec::new(), Path::new("f"));
                if is_edited { diff.edited(&old, &edits) } else { diff.piece(&old, &edits.apply(&old)) }
                    .unwrap();
                diff.finish().unwrap()
            });
            assert_eq!(diffs[0], diffs[1], "two lines are changed");
            assert!(diffs[0].len() < 300, "{}", String::from_utf8_lossy(&diffs[0]));
            steps::count().zip(before).map(|(after, before)| after - before)
        };
        let Some((few, many)) = taken(8_192).zip(taken(65_536)) else { return };
        assert!(many < 9 * few, "{many} steps for eight times the lines of {few}");
    }
}
