//! Writes each line of a game as a game of its own: the main line, and each variation with the moves before it.
//!
//! The moves before a variation are written again for each of them, so that the text may grow with the square of that of the game.
//! Where it grows beyond measure, the game is refused.

use std::mem;
use std::ops::Range;

use super::options::WriteOptions;
use super::record_writer::RecordWriter;
use super::unwritten::Unwritten;
use crate::limits::Limits;
use crate::parse::{
    Comment, CommentKind, Flow, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use crate::replay::{CandidateGame, ReplayOptions, ReplaySummary};
use crate::span::Span;
use crate::value::Nag;

/// Bytes that the lines of any game may have together before they are written.
const FREE_BYTES: usize = 256 << 10;
/// Bytes that they may have for each byte of the game, if that is more.
const BYTES_A_BYTE: usize = 64;
/// Bytes that they may have at most.
const MAX_BYTES: usize = 64 << 20;

/// A line that was written as a game.
#[derive(Clone, Debug)]
pub struct LineGame {
    /// The offset of its first byte in the output.
    pub start: usize,
    /// Its replay.
    pub summary: ReplaySummary,
}

/// Writes the lines of games in canonical form.
#[derive(Debug)]
pub(crate) struct LineWriter {
    writer: RecordWriter,
    options: WriteOptions,
    limits: Limits,
}

impl LineWriter {
    /// Creates a writer. Games have a GameType tag already if they get one.
    pub(crate) fn new(options: &WriteOptions, replay: &ReplayOptions) -> Self {
        let mut options = *options;
        options.added.game_type = false;
        options.added.known_game_type = false;
        Self {
            writer: RecordWriter::with_replay(&options, replay),
            options,
            limits: replay.limits.unwrap_or(Limits::DEFAULT),
        }
    }

    /// Appends the lines of a game, which is in canonical form, in the order in which they begin, with an empty line between them. The tag
    /// `Line` has the number of a line, 0 for the main line; a game without variations has no such tag. `summary` is the replay of the
    /// game.
    ///
    /// # Errors
    /// If a line cannot be written, or they are too long together; `out` is then unchanged.
    pub(crate) fn write(
        &mut self,
        game: &[u8],
        summary: &ReplaySummary,
        out: &mut Vec<u8>,
    ) -> Result<Vec<LineGame>, Unwritten> {
        let start = out.len();
        let written = self.append(game, summary, out);
        if written.is_err() {
            out.truncate(start);
        }
        written
    }

    fn append(
        &mut self,
        game: &[u8],
        summary: &ReplaySummary,
        out: &mut Vec<u8>,
    ) -> Result<Vec<LineGame>, Unwritten> {
        let mut parts = PartCollector::default();
        // The collector breaks off at the terminator.
        let _ = walk_with(game, &self.limits, &mut parts);
        let lines = Lines::of(game, &parts)?.0;
        let candidate = CandidateGame { variant: summary.variant, numbering: summary.numbering };
        let is_one = lines.len() == 1;
        let mut written = Vec::with_capacity(lines.len());
        let mut text = Vec::new();
        for (number, moves) in lines.iter().enumerate() {
            text.clear();
            let counts_plies = push_tags(&game[..parts.tags_end], number, is_one, &mut text);
            text.extend_from_slice(moves);
            text.extend_from_slice(b" *");
            if number > 0 {
                out.extend_from_slice(self.options.line_end.bytes());
            }
            let start = out.len();
            self.writer.set_game(Some(candidate));
            self.writer.set_ply_count(self.options.added.ply_count || counts_plies);
            written.push(LineGame { start, summary: self.writer.write(&text[..], out)? });
        }
        Ok(written)
    }
}

/// Appends the tags of a line. Returns `true` if one of them is the number of plies, which is that of the main line.
fn push_tags(tags: &[u8], number: usize, is_one: bool, out: &mut Vec<u8>) -> bool {
    let mut counts_plies = false;
    for tag in tags.split(|&byte| byte == b'\n').filter(|tag| !tag.is_empty()) {
        counts_plies |= tag.starts_with(b"[PlyCount \"");
        if is_one || !tag.starts_with(b"[Line \"") {
            out.extend_from_slice(tag);
            out.push(b'\n');
        }
    }
    if !is_one {
        out.extend_from_slice(format!("[Line \"{number}\"]\n").as_bytes());
    }
    out.push(b'\n');
    counts_plies
}

/// The number of a move and its side: `true` for the second one.
type Place = (u32, bool);

/// A part of the movetext, with the whitespace and the number before it.
#[derive(Debug)]
enum Part {
    Move(Range<usize>, Option<Place>),
    /// Anything else; `true` if a line end has to follow.
    Other(Range<usize>, bool),
    /// The start of a variation, with the place of its first move.
    Open(Option<Place>),
    Close,
}

/// Collects the parts of a game in canonical form. There, each first move of a line has a number.
#[derive(Debug, Default)]
struct PartCollector {
    parts: Vec<Part>,
    /// The end of the last tag.
    tags_end: usize,
    /// The end of the last part.
    end: usize,
    number: Option<Place>,
    /// The open variations without a move yet, by their part and their depth, and how many are open in all.
    begun: Vec<(usize, u32)>,
    depth: u32,
}

impl PartCollector {
    fn pass(&mut self, span: Span) -> Range<usize> {
        let start = mem::replace(&mut self.end, span.end as usize);
        start..self.end
    }

    fn other(&mut self, span: Span, ends_line: bool) -> Flow {
        let range = self.pass(span);
        self.parts.push(Part::Other(range, ends_line));
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for PartCollector {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        (self.tags_end, self.end) = (tag.span.end as usize, tag.span.end as usize);
        Flow::Continue(())
    }

    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.number = Some((number.number, number.second));
        Flow::Continue(())
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        let (range, place) = (self.pass(mv.span), self.number.take());
        if let Some(&(index, depth)) = self.begun.last()
            && depth == self.depth
        {
            self.parts[index] = Part::Open(place);
            self.begun.pop();
        }
        self.parts.push(Part::Move(range, place));
        Flow::Continue(())
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.other(list.span, false)
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.other(strength.span, false)
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.other(span, false)
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.other(comment.span, comment.kind != CommentKind::Braces)
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.other(setup.span, false)
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.pass(variation.span);
        self.depth += 1;
        self.begun.push((self.parts.len(), self.depth));
        // A variation without a move is none: what it says is said of the moves before it.
        self.parts.push(Part::Other(0..0, false));
        self.number = None;
        VariationAction::Enter
    }

    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.pass(variation.span);
        if self.begun.pop_if(|(_, depth)| *depth == self.depth).is_none() {
            self.parts.push(Part::Close);
        }
        self.depth -= 1;
        self.number = None;
        Flow::Continue(())
    }

    fn terminator(&mut self, _: Terminator<'g>) -> Flow {
        Flow::Break(())
    }
}

/// The movetexts of the lines of a game, by their numbers.
struct Lines(Vec<Vec<u8>>);

/// A line whose end has not come yet.
#[derive(Debug, Default)]
struct OpenLine {
    number: usize,
    text: Vec<u8>,
    /// The length of the text before its last move, and the place of that.
    last: Option<(usize, Place)>,
}

impl Lines {
    fn of(game: &[u8], collected: &PartCollector) -> Result<Self, Unwritten> {
        let mut rest = FREE_BYTES.max(game.len().saturating_mul(BYTES_A_BYTE)).min(MAX_BYTES.max(game.len()));
        let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
        let mut open = vec![OpenLine::default()];
        for part in &collected.parts {
            let Some(line) = open.last_mut() else { break };
            match part {
                Part::Move(range, place) => {
                    let following =
                        |(number, second): Place| (number.saturating_add(u32::from(second)), !second);
                    let place = place.or(line.last.map(|(_, last)| following(last))).unwrap_or((1, false));
                    line.last = Some((line.text.len(), place));
                    line.text.extend_from_slice(&game[range.clone()]);
                }
                Part::Other(range, ends_line) => {
                    line.text.extend_from_slice(&game[range.clone()]);
                    line.text.extend_from_slice(if *ends_line { b"\n" } else { b"" });
                }
                Part::Open(place) => {
                    // A variation replaces the move before it, unless its number is that of the next one.
                    let before = match line.last {
                        Some((before, last)) if Some(last) == *place => before,
                        _ => line.text.len(),
                    };
                    rest = rest.checked_sub(collected.tags_end + before).ok_or(Unwritten::ManyLines)?;
                    let text = [&line.text[..before], b" "].concat();
                    open.push(OpenLine { number: lines.len(), text, last: None });
                    lines.push(Vec::new());
                }
                Part::Close => {
                    if let Some(closed) = open.pop() {
                        lines[closed.number] = closed.text;
                    }
                }
            }
        }
        while let Some(line) = open.pop() {
            lines[line.number] = line.text;
        }
        Ok(Self(lines))
    }
}
