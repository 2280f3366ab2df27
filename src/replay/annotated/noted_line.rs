//! The lines of a game for an index: what was played in each, and at which positions something is written.
//!
//! Not here: the texts of comments. An index has their places only.

use super::annotator::Annotator;
use super::played_line::PlayedLine;
use super::raw_line::RawLine;
use crate::parse::Comment;
use crate::position::{Move, Position, State};
use crate::replay::{ReplaySummary, Replayer};
use crate::rules::GameRules;
use crate::value::{CommentPart, CommentParts, MoveStrength};

/// What is written about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// A comment with words: more than embedded commands such as clocks.
    Comment,
    /// The number of a NAG.
    Nag(u32),
    /// A move strength; `None` for a mark that is none of the known ones.
    Strength(Option<MoveStrength>),
}

impl Note {
    /// Returns the note of a comment; `None` for one without words.
    #[inline]
    pub(crate) fn of_comment(text: &[u8]) -> Option<Self> {
        has_words(text).then_some(Self::Comment)
    }

    /// Returns the note of a move strength as written.
    pub(crate) fn of_strength(text: &[u8]) -> Self {
        Self::Strength(MoveStrength::parse(text))
    }
}

/// Returns `true` if a comment says more than its embedded commands: whether words are written outside of them.
fn has_words(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    // Most comments of servers are one clock.
    if text.starts_with(b"[%") && memchr::memchr(b']', text) == Some(text.len() - 1) {
        return false;
    }
    comment_words(text).next().is_some()
}

/// Iterates over the texts of a comment outside of its embedded commands, without those that are blank.
pub(crate) fn comment_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    CommentParts::new(text).filter_map(|part| match part {
        CommentPart::Text(span) => Some(span.of(text).trim_ascii()).filter(|words| !words.is_empty()),
        CommentPart::Command(_) => None,
    })
}

/// A step of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineStep {
    /// A legal move, and the position in which it is played.
    Ply { before: State<u128>, mv: Move },
    /// A null move, which counts as a ply of a search.
    Null,
    /// A setup, which replaces the position before it.
    Setup(State<u128>),
}

/// A line of a game as it was played, with the places of what is written about it. Plies are those of a search: null moves
/// count.
#[derive(Debug)]
pub(crate) struct NotedLine {
    /// The number of the line in which it begins; 0 for the main line and for variations of it.
    pub(crate) parent: usize,
    /// The number of plies before its first position, which is a position of the line in which it begins.
    pub(crate) first_ply: u32,
    /// What is played in it. A variation that cannot be played has no steps.
    pub(crate) steps: Vec<LineStep>,
    /// Its notes in the order of the text, each with the number of plies before it, from the beginning of the game on.
    pub(crate) notes: Vec<(u32, Note)>,
}

impl Replayer {
    /// Returns the lines of a record that was replayed with `summary`: the main line, then the variations in the order in which
    /// their brackets open. Takes time and memory linear in the length of the record, some hundred bytes for each move.
    pub(crate) fn noted_lines(&self, text: &[u8], summary: &ReplaySummary) -> Vec<NotedLine> {
        let (mut annotator, raw_lines) = Annotator::new(text, summary, self.limits());
        let mut lines: Vec<NotedLine> = Vec::with_capacity(raw_lines.len());
        let played = annotator.play_lines(&raw_lines, summary, |_, _| {});
        for (raw, line) in raw_lines.iter().zip(&played) {
            let (parent, first_ply) = raw.parent.map_or((0, 0), |(parent, item_count)| {
                let within = ply_within(&played[parent], line, item_count);
                (parent, lines[parent].first_ply + within)
            });
            let mut steps = steps(line);
            if let (Some((parent, item_count)), true) = (raw.parent, line.continues) {
                steps.splice(0..0, start_of_continuation(&played[parent], item_count, summary.game()));
            }
            lines.push(NotedLine { parent, first_ply, steps, notes: notes(raw, line, first_ply) });
        }
        lines
    }
}

/// Returns the number of plies before the first position of a variation, counted from the beginning of its parent.
fn ply_within(parent: &PlayedLine, line: &PlayedLine, item_count: usize) -> u32 {
    // A variation before the first ply belongs to the first position, one after the end of the replay to the last.
    let Some(ply) = parent.ply_before(item_count) else { return 0 };
    let is_beyond = parent.stop.is_some_and(|(token, _)| token < item_count);
    let ply = if is_beyond { parent.plies.len() } else { ply };
    let nulls = parent.nulls(|jump| jump.plies <= ply);
    ply as u32 + nulls + u32::from(line.continues)
}

/// Returns the setup that a variation begins with which continues after a ply of its parent: the position after that ply, if a
/// setup follows the ply there and has replaced it. O(log plies), apart from jumps directly after the ply.
fn start_of_continuation(parent: &PlayedLine, item_count: usize, game: GameRules) -> Option<LineStep> {
    let ply = parent.ply_before(item_count)?;
    let first = parent.jumps.partition_point(|jump| jump.plies <= ply);
    let mut following = parent.jumps[first..].iter().take_while(|jump| jump.plies == ply + 1);
    if !following.any(|jump| jump.setup.is_some()) {
        return None;
    }
    let ply = &parent.plies[ply];
    Some(LineStep::Setup(*Position::from_state(game, ply.before).after_unchecked(&ply.mv).state()))
}

/// Returns the steps of a line in their order.
fn steps(line: &PlayedLine) -> Vec<LineStep> {
    let mut steps = Vec::with_capacity(line.plies.len() + line.jumps.len());
    let mut jumps = line.jumps.iter().peekable();
    for at in 0..=line.plies.len() {
        while let Some(jump) = jumps.next_if(|jump| jump.plies == at) {
            steps.push(jump.setup.map_or(LineStep::Null, LineStep::Setup));
        }
        steps.extend(line.plies.get(at).map(|ply| LineStep::Ply { before: ply.before, mv: ply.mv }));
    }
    steps
}

/// Returns the notes of a line that begins after `first_ply` plies. Comments after a move that is not played belong to the last
/// position; NAGs and strengths of such a move say nothing about another one.
fn notes(raw: &RawLine<'_>, line: &PlayedLine, first_ply: u32) -> Vec<(u32, Note)> {
    let mut notes = Vec::new();
    let add_comments = |comments: &[Comment<'_>], after: u32, notes: &mut Vec<(u32, Note)>| {
        notes.extend(comments.iter().filter_map(|comment| Some((after, Note::of_comment(comment.text)?))));
    };
    add_comments(&raw.comments, first_ply, &mut notes);
    let first_unplayed = line.stop.map_or(usize::MAX, |(token, _)| token);
    for (token, item) in raw.items.iter().enumerate() {
        if item.nags.is_empty() && item.strength.is_none() && item.comments.is_empty() {
            continue;
        }
        let plies = line.ply_before(token + 1).map_or(0, |ply| ply as u32 + 1);
        let after = first_ply + plies + line.nulls(|jump| jump.token <= token);
        if token < first_unplayed && after > first_ply {
            notes.extend(item.nags.iter().map(|&nag| (after, Note::Nag(nag))));
            notes.extend(item.strength.map(|text| (after, Note::of_strength(text))));
        }
        add_comments(&item.comments, after, &mut notes);
    }
    sort_notes(&mut notes);
    notes
}

/// Sorts the notes of a line by their plies. Of one move come its NAGs, its strength and its comments, each in the order of the text; of
/// several strengths, the last one counts.
pub(crate) fn sort_notes(notes: &mut Vec<(u32, Note)>) {
    let rank = |note: &Note| match note {
        Note::Nag(_) => 0,
        Note::Strength(_) => 1,
        Note::Comment => 2,
    };
    notes.sort_by_key(|(plies, note)| (*plies, rank(note)));
    notes.dedup_by(|later, earlier| {
        let is_repeated = later.0 == earlier.0 && rank(&later.1) == 1 && rank(&earlier.1) == 1;
        if is_repeated {
            *earlier = *later;
        }
        is_repeated
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_has_words_outside_of_its_commands() {
        for (text, expected) in [
            (&b"[%clk 0:01]"[..], false),
            (b" [%clk 0:01] ", false),
            (b"[%clk 0:01] [%emt 0:02]", false),
            (b"%eval 0.35", false),
            (b"", false),
            (b" \n", false),
            (b"a shot", true),
            (b"[%clk 0:01] a shot", true),
            (b"a shot [%clk 0:01]", true),
        ] {
            assert_eq!(has_words(text), expected, "{}", text.escape_ascii());
        }
    }
}
