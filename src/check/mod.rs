//! Everything that can be said about a game without playing it: the findings of the grammar, and of the
//! values its tags and comments carry.
//!
//! A [`Checker`] is one more visitor of [`parse`](crate::parse). It knows no rules, so it does not judge
//! moves: of them it looks at the writing only. It builds no text; what a finding means in words is
//! [`Code::title`], what it means in this very game is [`detail`], and both are asked for when somebody
//! prints.
//!
//! Linear in the bytes of the game (names of tags are sorted where there are many). A checker keeps its
//! memory from game to game, so that checking allocates nothing once it has seen the largest; HTML entities
//! in tags are the one exception, each is decoded when met.

mod clocks;
mod commands;
mod dates;
mod detail;
mod moves;
mod report;
mod tags;
mod text;
mod visit;

pub use detail::detail;
pub use report::{CheckReport, PartCounts, RecordStatus, RecordSummary};
pub use text::TextKind;

use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::span::Span;
use crate::split::Record;

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Also report what is understood but not how PDN 3.0 says to write it.
    pub style: bool,
    /// Bounds; [`Limits::diagnostics`] findings are kept of one game.
    pub limits: Limits,
}

impl CheckOptions {
    /// The defaults: no findings of style.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with or without findings of style.
    #[must_use]
    pub fn style(mut self, style: bool) -> Self {
        self.style = style;
        self
    }

    /// The same within other bounds.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// Checks games one after the other.
///
/// ```
/// use pdn::check::{Checker, CheckOptions};
/// use pdn::diag::Code;
///
/// let text = b"[White \"a\"]\n[Result \"2-0\"]\n1. 32-28 0-2\n\n[White \"b\"]\n1. 33-28 *\n";
/// let mut checker = Checker::new(CheckOptions::new());
/// let codes: Vec<Vec<Code>> = pdn::split::games(text)
///     .map(|game| checker.check(&game).findings.iter().map(|finding| finding.code).collect())
///     .collect();
/// assert_eq!(codes, [vec![Code::ResultMismatch], vec![]]);
/// ```
#[derive(Debug, Default)]
pub struct Checker {
    options: CheckOptions,
    scratch: Scratch,
}

impl Checker {
    /// A checker that has seen nothing.
    pub fn new(options: CheckOptions) -> Self {
        Self { options, scratch: Scratch::default() }
    }

    /// Every finding of `game`, in the order of the text, and what the game consists of.
    pub fn check<'c, 'g>(&'c mut self, game: &Record<'g>) -> CheckReport<'c, 'g> {
        self.scratch.clear(self.options.limits.diagnostics as usize);
        let counts = if self.options.style {
            visit::run::<true>(game.bytes, &self.options.limits, &mut self.scratch)
        } else {
            visit::run::<false>(game.bytes, &self.options.limits, &mut self.scratch)
        };
        let text = text::check(game.bytes, self.options.style, &mut self.scratch);
        if game.cut {
            self.scratch.push(Diagnostic::new(Code::GameTooLong, Span::at(game.bytes.len() as u32)));
        }
        self.scratch.findings.sort_unstable_by_key(|finding| (finding.span, finding.code));
        CheckReport::new(&self.scratch, counts, text)
    }
}

/// What is kept from game to game: memory, never contents.
#[derive(Debug, Default)]
struct Scratch {
    findings: Vec<Diagnostic>,
    /// Most findings to keep.
    most: usize,
    /// Findings by severity, those not kept included.
    found: [u32; 3],
    /// Names of the tags in the order of the text.
    names: Vec<Span>,
    /// The same, sorted by name, where there are many.
    sorted: Vec<Span>,
}

impl Scratch {
    fn clear(&mut self, most: usize) {
        self.findings.clear();
        self.most = most;
        self.found = [0; 3];
        self.names.clear();
        self.sorted.clear();
    }

    #[cold]
    fn push(&mut self, finding: Diagnostic) {
        self.found[finding.severity as usize] += 1;
        if self.findings.len() < self.most {
            self.findings.push(finding);
        }
    }
}

#[cfg(test)]
mod tests;
