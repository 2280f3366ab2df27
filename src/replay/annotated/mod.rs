//! Replays a game for display: every ply with its position, text, comments, clocks and variations.
//!
//! Allocates what the game needs. Variations are recorded without recursion, so only
//! [`Limits`](crate::limits::Limits) bounds their depth.

mod raw_line;
mod played_line;
mod annotator;

pub use annotator::annotate;
pub(crate) use annotator::{PlayedToken, TokenEffect};

use std::fmt;

use annotator::reverse_variations;

use super::{ReplayStop, ReplaySummary};
use crate::diag::Diagnostic;
use crate::parse::{Comment, MoveNumber, WrittenMove};
use crate::position::{Move, Position};
use crate::span::Span;
use crate::value::{CommandValue, CommentParts, EmbeddedCommand, Nag};

/// A replayed game with its comments and variations.
///
/// All spans are relative to the first byte of the record.
///
/// [`annotate`](super::annotate) and
/// [`Replayer::replay_annotated`](super::Replayer::replay_annotated) return it.
///
/// ```
/// use pdn::diag::{Code, Severity};
/// use pdn::replay::{self, GameStatus, ReplayOptions};
///
/// // The main line is legal. In the variation, White has to capture in move 2.
/// let text = b"1. 32-28 19-23 2. 28x19 (2. 37-32) 14x23 *";
/// let game = replay::annotate(text, &ReplayOptions::new());
/// assert_eq!((game.summary.status, game.main.plies.len()), (GameStatus::Legal, 4));
/// let diagnostic = &game.diagnostics[0];
/// assert_eq!((diagnostic.code, diagnostic.severity), (Code::MissedCapture, Severity::Warning));
/// assert_eq!(diagnostic.span.of(text), b"37-32");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AnnotatedGame<'g> {
    /// The result of replaying the main line.
    pub summary: ReplaySummary,
    /// The main line.
    pub main: AnnotatedLine<'g>,
    /// The diagnostics of moves, in the order of the text: those of the main line with the severity of their codes,
    /// illegal and ambiguous moves of variations as warnings, and violations of the writing restrictions 8 and 9 of
    /// PDN 3.0. Diagnostics of the parser are not included.
    pub diagnostics: Vec<Diagnostic>,
}

impl AnnotatedGame<'_> {
    /// Creates a game without plies, comments and variations, for a record that is too long to be annotated.
    ///
    /// `summary` and `diagnostics` are those of [`Replayer::replay`](super::Replayer::replay).
    pub fn without_plies(summary: ReplaySummary, diagnostics: Vec<Diagnostic>) -> Self {
        let (last, stop) = (summary.last_position(), summary.stop);
        let main = AnnotatedLine {
            number: 0,
            comments: Vec::new(),
            plies: Vec::new(),
            last,
            stop,
            rest: Vec::new(),
        };
        Self { summary, main, diagnostics }
    }
}

/// A line of play: the main line or a variation.
///
/// ```
/// use pdn::replay::{self, AnnotatedLine, ReplayOptions};
///
/// /// Prints a line, with its variations below the moves that they replace.
/// fn print(line: &AnnotatedLine<'_>, depth: usize, out: &mut Vec<String>) {
///     for ply in &line.plies {
///         out.push(format!("{}{}", "  ".repeat(depth), String::from_utf8_lossy(ply.text)));
///         for variation in &ply.variations {
///             print(variation, depth + 1, out);
///         }
///     }
/// }
///
/// let mut out = Vec::new();
/// let game = replay::annotate(b"1. 32-28 19-23 (1... 18-23 2. 38-32) 2. 28x19 *", &ReplayOptions::new());
/// print(&game.main, 0, &mut out);
/// assert_eq!(out, ["32-28", "19-23", "  18-23", "  38-32", "28x19"]);
/// ```
#[non_exhaustive]
pub struct AnnotatedLine<'g> {
    /// The number of the line: 0 for the main line, 1, 2 and so on for the variations in the order in which their brackets open.
    pub number: u32,
    /// The comments before its first move.
    pub comments: Vec<Comment<'g>>,
    /// Its legal plies.
    pub plies: Vec<AnnotatedPly<'g>>,
    /// The position after the last legal ply.
    pub last: Position,
    /// Where and why its replay stopped; `None` if all its moves are legal. [`ReplayStop::ply`] counts from the first
    /// ply of this line.
    pub stop: Option<ReplayStop>,
    /// The written moves that were not played.
    pub rest: Vec<WrittenMove<'g>>,
}

// Variations may be nested as deep as `Limits::variation_depth` allows: a tree is copied and printed with a list of its lines, without
// recursion. It has no `Drop` of its own, with which the text of a record could not be moved before its tree is gone.
impl<'g> AnnotatedLine<'g> {
    /// Returns this line and all below it, each with the place of its parent in this list and with the ply that it replaces there.
    /// Parents precede their variations, and variations of a ply are in their order.
    fn all_lines(&self) -> Vec<(&Self, usize, usize)> {
        let mut lines = vec![(self, 0, 0)];
        let mut next = 0;
        while let Some(&(line, ..)) = lines.get(next) {
            for (ply, replaced) in line.plies.iter().enumerate() {
                lines.extend(replaced.variations.iter().map(|variation| (variation, next, ply)));
            }
            next += 1;
        }
        lines
    }

    /// Returns this line without its variations.
    fn alone(&self) -> Self {
        let alone = |ply: &AnnotatedPly<'g>| AnnotatedPly {
            nags: ply.nags.clone(),
            comments: ply.comments.clone(),
            variations: Vec::new(),
            ..*ply
        };
        Self {
            comments: self.comments.clone(),
            plies: self.plies.iter().map(alone).collect(),
            rest: self.rest.clone(),
            ..*self
        }
    }
}

impl Clone for AnnotatedLine<'_> {
    fn clone(&self) -> Self {
        let lines = self.all_lines();
        let mut copies: Vec<_> = lines.iter().map(|(line, ..)| Some(line.alone())).collect();
        // From the last line to the first, so that every line is complete before it moves into its parent.
        for (index, &(_, parent, ply)) in lines.iter().enumerate().skip(1).rev() {
            let Some(mut line) = copies[index].take() else { continue };
            reverse_variations(&mut line);
            if let Some(parent) = &mut copies[parent] {
                parent.plies[ply].variations.push(line);
            }
        }
        let mut copy = copies.swap_remove(0).unwrap_or_else(|| self.alone());
        reverse_variations(&mut copy);
        copy
    }
}

/// Writes the line and all below it as a list; a ply shows the numbers of its variations.
impl fmt::Debug for AnnotatedLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Flat<'a, 'g>(&'a AnnotatedLine<'g>);
        impl fmt::Debug for Flat<'_, '_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("AnnotatedLine")
                    .field("number", &self.0.number)
                    .field("comments", &self.0.comments)
                    .field("plies", &self.0.plies)
                    .field("last", &self.0.last)
                    .field("stop", &self.0.stop)
                    .field("rest", &self.0.rest)
                    .finish()
            }
        }
        f.debug_list().entries(self.all_lines().iter().map(|(line, ..)| Flat(line))).finish()
    }
}

/// A legal ply with its annotations.
///
/// ```
/// use pdn::replay::{self, ReplayOptions};
/// use pdn::value::{ClockTime, Colour, CommandValue};
///
/// let text = b"1. 32-28! {[%emt 0:00:12]} 19-23 2. 28x19 14x23 *";
/// let game = replay::annotate(text, &ReplayOptions::new());
/// let ply = &game.main.plies[0];
/// assert_eq!((ply.text, ply.strength), (&b"32-28"[..], Some(&b"!"[..])));
/// let time = ClockTime::from_milliseconds(12_000);
/// assert_eq!(ply.times().collect::<Vec<_>>(), [CommandValue::MoveTime(time)]);
/// assert_eq!((ply.position.turn(), ply.after().turn()), (Colour::White, Colour::Black));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct AnnotatedPly<'g> {
    /// The position in which it is played.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// Its text; the first text of a capture that is written as several.
    pub text: &'g [u8],
    /// The span of all its texts.
    pub span: Span,
    /// The move number before it.
    pub number: Option<MoveNumber>,
    /// The move strength after it, such as `!`.
    pub strength: Option<&'g [u8]>,
    /// The numeric annotation glyphs after it.
    pub nags: Vec<Nag>,
    /// The comments after it; for the last ply, also those after moves that are not played.
    pub comments: Vec<Comment<'g>>,
    /// The variations that replace it.
    pub variations: Vec<AnnotatedLine<'g>>,
}

/// Writes the fields; of its variations the numbers.
impl fmt::Debug for AnnotatedPly<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnnotatedPly")
            .field("position", &self.position)
            .field("mv", &self.mv)
            .field("text", &self.text)
            .field("span", &self.span)
            .field("number", &self.number)
            .field("strength", &self.strength)
            .field("nags", &self.nags)
            .field("comments", &self.comments)
            .field("variations", &self.variations.iter().map(|line| line.number).collect::<Vec<_>>())
            .finish()
    }
}

impl<'g> AnnotatedPly<'g> {
    /// Iterates over the embedded commands in its comments, such as clocks, each with its comment. Spans of a command
    /// are relative to the first byte of its comment's text.
    pub fn commands(&self) -> impl Iterator<Item = (Comment<'g>, EmbeddedCommand)> {
        self.comments.iter().flat_map(|&comment| {
            CommentParts::new(comment.text).commands().map(move |command| (comment, command))
        })
    }

    /// Iterates over the values of the embedded commands in its comments. A time may also be a number of seconds, as in `[%emt 12]`;
    /// commands that cannot be read are skipped, and so is a time of two numbers, whose meaning the whole game decides.
    pub fn times(&self) -> impl Iterator<Item = CommandValue> {
        self.commands().filter_map(|(comment, command)| {
            command.value.ok().or_else(|| {
                let (value, two_numbers) = command.loose_value(comment.text)?;
                (two_numbers == 0).then_some(value)
            })
        })
    }

    /// Returns the position after it.
    pub fn after(&self) -> Position {
        self.position.after_unchecked(&self.mv)
    }

    /// Returns its text with the span of all its texts.
    fn written(&self) -> WrittenMove<'g> {
        WrittenMove { text: self.text, span: self.span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::replay::ReplayOptions;

    #[test]
    fn copies_have_the_variations_in_their_order() {
        let text =
            b"1. 32-28 (1. 33-28 {a} 18-23 (1... 17-22) (1... 19-23 2. 28x19)) (1. 31-27) 19-23 2. 28x19 *";
        let game = annotate(text, &ReplayOptions::new());
        let copy = game.clone();
        assert_eq!(format!("{copy:?}"), format!("{game:?}"));
        let first = &copy.main.plies[0].variations;
        let numbers = |lines: &[AnnotatedLine<'_>]| lines.iter().map(|line| line.number).collect::<Vec<_>>();
        assert_eq!((numbers(first), numbers(&first[0].plies[1].variations)), (vec![1, 4], vec![2, 3]));
    }

    /// A thread of a test has a stack of 2 MiB.
    #[test]
    fn deep_variations_are_copied_and_printed_without_recursion() {
        let depth = 100_000;
        let text = format!("{}1. 32-28{} *", "1. 32-28 (".repeat(depth), ")".repeat(depth));
        let options = ReplayOptions::new().limits(Limits::new().variation_depth(u32::MAX));
        let game = annotate(text.as_bytes(), &options);
        let copy = game.clone();
        assert!(format!("{copy:?}").contains(&format!("number: {depth}")));
        // Leaving them takes stack for each depth.
        std::mem::forget((game, copy));
    }
}
