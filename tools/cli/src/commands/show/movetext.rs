//! Formats the movetext of a game: numbers, moves and results as written, comments and variations on lines of their own.

use std::collections::HashSet;

use pdn::parse::{
    Comment, CommentKind, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator,
    VariationAction, VariationMark, Visitor, WrittenMove, walk,
};
use pdn::replay::AnnotatedLine;
use pdn::span::Span;
use pdn::value::Nag;
use unicode_width::UnicodeWidthStr;

use pdn_app::find::show::ShownGame;

use crate::output::sanitize;

/// Number of columns by which each level of comments and variations is indented.
const INDENT: usize = 4;
/// Greatest number of levels that are indented; deeper ones stand below each other.
const MAX_INDENTED: usize = 6;

/// The movetext as lines of text.
pub(super) struct Movetext {
    pub(super) lines: String,
    /// `true` if a move was marked because it was not replayed.
    pub(super) has_unplayed: bool,
}

/// Formats the movetext in lines of at most `width` columns where words permit it. The last ply before the position that
/// is shown is marked by brackets or colours; moves that were not replayed have a `?` before them.
pub(super) fn format(shown: &ShownGame<'_>, width: usize, coloured: bool) -> Movetext {
    let mut writer = Writer {
        shown,
        width,
        coloured,
        marked: shown.last_ply().map(|ply| ply.span),
        unplayed: unplayed(&shown.annotated.main),
        lines: String::new(),
        column: 0,
        depth: 0,
        prefix: String::new(),
        is_cut: false,
        last_end: u32::MAX,
        has_unplayed: false,
    };
    walk(shown.raw(), &mut writer);
    Movetext { lines: writer.lines, has_unplayed: writer.has_unplayed }
}

/// Returns the numbers and moves of the main line as written, on one line: up to the position that is shown, or all of them,
/// also those that were not replayed.
pub(super) fn plain(shown: &ShownGame<'_>, all: bool) -> String {
    let AnnotatedLine { plies, rest, .. } = &shown.annotated.main;
    let next = plies.get(shown.ply).map(|ply| ply.span).or_else(|| rest.first().map(|mv| mv.span));
    let end = next.filter(|_| !all).map(|span| span.start);
    let mut plain = Plain { shown, end, words: Vec::new(), number: None };
    walk(shown.raw(), &mut plain);
    plain.words.join(" ")
}

/// Returns the starts of all moves that were not replayed, in the main line and in variations.
fn unplayed(main: &AnnotatedLine<'_>) -> HashSet<u32> {
    let mut starts = HashSet::new();
    let mut open = vec![main];
    while let Some(line) = open.pop() {
        starts.extend(line.rest.iter().map(|mv| mv.span.start));
        open.extend(line.plies.iter().flat_map(|ply| &ply.variations));
    }
    starts
}

/// Writes the parts of a record as words in lines.
struct Writer<'a> {
    shown: &'a ShownGame<'a>,
    width: usize,
    coloured: bool,
    /// Span of the move to be marked.
    marked: Option<Span>,
    unplayed: HashSet<u32>,
    lines: String,
    /// Columns of the last line, 0 if it has not been begun.
    column: usize,
    /// Number of open variations.
    depth: usize,
    /// Opening parentheses that the next word begins with.
    prefix: String,
    /// `true` if the next word begins a line.
    is_cut: bool,
    /// End of the last part in the record.
    last_end: u32,
    has_unplayed: bool,
}

impl Writer<'_> {
    /// Writes the text between the last part and `start`, which is no part: what is skipped, as variations that are too
    /// deep are.
    fn pass(&mut self, start: u32) {
        let raw = self.shown.raw();
        let between = raw.get(self.last_end as usize..start as usize).unwrap_or_default();
        if between.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let text = self.shown.decode(between);
        for word in text.split_whitespace() {
            let prefix = std::mem::take(&mut self.prefix);
            self.put(&prefix, &sanitize::text(word), [""; 2], self.depth, false);
        }
    }

    /// Writes the bytes of a span as one word.
    fn word(&mut self, span: Span) {
        self.pass(span.start);
        let text = self.shown.decode(span.of(self.shown.raw()));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut word = sanitize::text(&text).into_owned();
        if self.unplayed.contains(&span.start) {
            word.insert(0, '?');
            self.has_unplayed = true;
        }
        let is_marked = self.marked.is_some_and(|mark| mark.start <= span.start && span.end <= mark.end);
        if is_marked && !self.coloured {
            word = format!("[{word}]");
        }
        let prefix = std::mem::take(&mut self.prefix);
        let style = if is_marked && self.coloured { ["\x1b[1;7m", "\x1b[0m"] } else { [""; 2] };
        self.put(&prefix, &word, style, self.depth, false);
        self.last_end = span.end;
    }

    /// Writes a word at the end of the last line, or in a new one at the given depth.
    fn put(&mut self, prefix: &str, word: &str, style: [&str; 2], depth: usize, is_glued: bool) {
        let width = prefix.width() + word.width();
        let space = usize::from(!is_glued);
        let is_full = self.column > 0 && self.column + space + width > self.width;
        if self.column > 0 && (is_full && !is_glued || self.is_cut) {
            self.lines.push('\n');
            self.column = 0;
        }
        self.is_cut = false;
        if self.column == 0 {
            let indent = INDENT * depth.min(MAX_INDENTED);
            self.lines.extend(std::iter::repeat_n(' ', indent));
            // An unindented line is begun by its first word.
            self.column = indent;
        } else if !is_glued {
            self.lines.push(' ');
            self.column += 1;
        }
        self.lines.push_str(prefix);
        let [on, off] = style;
        self.lines.push_str(on);
        self.lines.push_str(word);
        self.lines.push_str(off);
        self.column += width.max(1);
    }

    /// Ends the last line, so that the next word begins a new one.
    fn cut(&mut self) {
        self.is_cut = true;
    }
}

impl<'g> Visitor<'g> for Writer<'_> {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        if tag.in_moves {
            self.cut();
            self.word(tag.span);
            self.cut();
        }
        Flow::Continue(())
    }

    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.word(number.span);
        Flow::Continue(())
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.word(mv.span);
        Flow::Continue(())
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.word(list.span);
        Flow::Continue(())
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.word(missing.span);
        Flow::Continue(())
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        if strength.span.start != self.last_end || self.is_cut || self.column == 0 {
            self.word(strength.span);
            return Flow::Continue(());
        }
        let text = self.shown.decode(strength.text);
        self.put("", &sanitize::text(&text), ["", ""], self.depth, true);
        self.last_end = strength.span.end;
        Flow::Continue(())
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.word(span);
        Flow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.pass(comment.span.start);
        let text = self.shown.decode(comment.text);
        let text = sanitize::text(&text).replace(['␊', '␍'], " ");
        let [open, close] = match comment.kind {
            CommentKind::Semicolon => ["; ", ""],
            CommentKind::Percent => ["% ", ""],
            CommentKind::Parentheses => ["(", ")"],
            CommentKind::Bare => ["{", "}"],
            CommentKind::Braces if self.shown.raw().get(comment.span.end as usize - 1) == Some(&b'}') => {
                ["{", "}"]
            }
            // The closing brace is missing.
            CommentKind::Braces => ["{", ""],
        };
        let prefix = std::mem::take(&mut self.prefix);
        if !prefix.is_empty() {
            self.cut();
            self.put("", &prefix, ["", ""], self.depth, false);
        }
        self.cut();
        let style = if self.coloured { ["\x1b[2m", "\x1b[0m"] } else { [""; 2] };
        let words: Vec<_> = text.split_whitespace().collect();
        let last = words.len().saturating_sub(1);
        for (number, word) in words.iter().enumerate() {
            let before = if number == 0 { open } else { "" };
            let after = if number == last { close } else { "" };
            self.put("", &format!("{before}{word}{after}"), style, self.depth + 1, false);
        }
        if words.is_empty() {
            self.put("", &format!("{open}{close}"), style, self.depth + 1, false);
        }
        self.cut();
        self.last_end = comment.span.end;
        Flow::Continue(())
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.cut();
        self.word(setup.span);
        self.cut();
        Flow::Continue(())
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.pass(variation.span.start);
        self.last_end = variation.span.end;
        // A variation that begins with a variation needs no line of its own for the parenthesis.
        if self.prefix.is_empty() {
            self.cut();
        }
        self.depth += 1;
        self.prefix.push('(');
        VariationAction::Enter
    }

    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.pass(variation.span.start);
        self.last_end = variation.span.end;
        let prefix = std::mem::take(&mut self.prefix);
        let is_glued = prefix.is_empty() && !self.is_cut;
        // The closing parenthesis may be missing.
        if !variation.span.is_empty() || !prefix.is_empty() {
            let close = if variation.span.is_empty() { "" } else { ")" };
            self.put(&prefix, close, ["", ""], self.depth, is_glued);
        }
        self.depth = self.depth.saturating_sub(1);
        self.cut();
        Flow::Continue(())
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.word(terminator.span);
        Flow::Continue(())
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.word(span);
        Flow::Continue(())
    }

    fn end(&mut self) {
        self.pass(u32::try_from(self.shown.raw().len()).unwrap_or(u32::MAX));
    }
}

/// Collects the numbers and moves of the main line.
struct Plain<'a> {
    shown: &'a ShownGame<'a>,
    /// Start of the first move that is left out.
    end: Option<u32>,
    words: Vec<String>,
    /// A number whose move has not come yet.
    number: Option<String>,
}

impl Plain<'_> {
    /// Adds the number before a move, and the bytes of its span.
    fn add(&mut self, span: Span) -> Flow {
        if self.end.is_some_and(|end| span.start >= end) {
            return Flow::Break(());
        }
        self.words.extend(self.number.take());
        let text = self.shown.decode(span.of(self.shown.raw()));
        self.words.push(sanitize::text(&text).split_whitespace().collect());
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for Plain<'_> {
    const COMPACT: bool = true;

    fn move_number(&mut self, number: MoveNumber) -> Flow {
        let text = self.shown.decode(number.span.of(self.shown.raw()));
        self.number = Some(sanitize::text(&text).into_owned());
        Flow::Continue(())
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.add(mv.span)
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.add(list.span)
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.add(missing.span)
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
}
