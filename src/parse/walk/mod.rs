//! The walk: it finds tags by their form and movetext by its tokens.

mod tags;
mod move_numbers;
mod movetext;
mod stray;
mod markup;
mod separators;
mod ending;

use self::move_numbers::MoveNumberCheck;
use self::separators::Semicolons;
pub(crate) use self::tags::result_of_tag;
use super::visitor::{Flow, Visitor};
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::syntax::CommentFinder;

/// Walks over one record, as [`split`](crate::split) finds it, and passes its parts to `visitor` in text order.
///
/// ```
/// use pdn::parse::{Flow, WrittenMove, Visitor, walk};
///
/// #[derive(Default)]
/// struct Captures(u32);
///
/// impl Visitor<'_> for Captures {
///     fn written_move(&mut self, mv: WrittenMove<'_>) -> Flow {
///         self.0 += u32::from(mv.text.contains(&b'x'));
///         Flow::Continue(())
///     }
/// }
///
/// let mut captures = Captures::default();
/// walk(b"[White \"a\"] 1. 32-28 19-23 2. 28x19 14x23 *", &mut captures);
/// assert_eq!(captures.0, 2);
/// ```
#[inline]
pub fn walk<'g, V: Visitor<'g>>(game: &'g [u8], visitor: &mut V) {
    // The caller knows whether its visitor broke off.
    let _ = walk_with(game, &Limits::DEFAULT, visitor);
}

/// Walks over one record as [`walk`] does, with the given limits. Returns [`ControlFlow::Break`](std::ops::ControlFlow)
/// if the visitor broke off.
///
/// Of a record longer than [`Limits::MAX_RECORD_BYTES`], only that many bytes are read. The splitter never returns such a
/// record.
#[inline]
pub fn walk_with<'g, V: Visitor<'g>>(game: &'g [u8], limits: &Limits, visitor: &mut V) -> Flow {
    let game = &game[..game.len().min(Limits::MAX_RECORD_BYTES)];
    let task = WholeRecord { game, limits, visitor };
    if V::COMPACT { simd::run_on_baseline(task) } else { simd::run(task) }
}

/// Walks over one record as [`walk_with`] does, for callers that already run with an instruction set.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn walk_on<'g, I: Isa, V: Visitor<'g>>(
    isa: I,
    game: &'g [u8],
    limits: &Limits,
    visitor: &mut V,
) -> Flow {
    let game = &game[..game.len().min(Limits::MAX_RECORD_BYTES)];
    WholeRecord { game, limits, visitor }.run(isa)
}

/// A walk over a whole record, run with the instruction set of this processor.
struct WholeRecord<'g, 'v, V> {
    game: &'g [u8],
    limits: &'v Limits,
    visitor: &'v mut V,
}

impl<'g, V: Visitor<'g>> Task for WholeRecord<'g, '_, V> {
    type Output = Flow;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Flow {
        let Self { game, limits, visitor } = self;
        // Created here: if it were handed over, the copy would wait until all its fields have been written.
        let mut walk = Walk::new(game, limits, visitor);
        let movetext = walk.tags(isa)?;
        walk.visitor.end_tags()?;
        walk.movetext(isa, movetext)?;
        walk.visitor.end();
        Flow::Continue(())
    }
}

/// Walks over the movetext from offset `at` on, which must lie between two tokens of the main line. `result` is the
/// trimmed value of the Result tag.
pub(crate) fn resume<'g, V: Visitor<'g>>(
    game: &'g [u8],
    at: usize,
    result: &'g [u8],
    visitor: &mut V,
) -> Flow {
    let mut walk = Walk::new(game, &Limits::DEFAULT, visitor);
    walk.set_result(result);
    simd::run(RestOfRecord { walk, at })
}

/// A walk over movetext from a given offset on, run with the instruction set of this processor.
struct RestOfRecord<'g, 'v, V> {
    walk: Walk<'g, 'v, V>,
    at: usize,
}

impl<'g, V: Visitor<'g>> Task for RestOfRecord<'g, '_, V> {
    type Output = Flow;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(mut self, isa: I) -> Flow {
        self.walk.movetext(isa, self.at)
    }
}

/// The state of a walk.
struct Walk<'g, 'v, V> {
    game: &'g [u8],
    limits: &'v Limits,
    visitor: &'v mut V,
    /// The comment finder; handed to the lexer when the movetext begins.
    comments: CommentFinder,
    numbers: MoveNumberCheck,
    semicolons: Semicolons,
    /// The offset just after the last move or its strength, to see what is glued to it.
    last_move_end: u32,
    /// Text without meaning that has been gathered but not reported yet.
    pending_text: Option<(Span, Code)>,
    /// The number of open variations.
    depth: u32,
    /// The opening parenthesis of the outermost open variation.
    outermost_open: Span,
    /// The last variation that opened has no move yet.
    variation_is_empty: bool,
    /// The depth of the variation that is skipped, 0 if none is.
    skipping: u32,
    /// The opening parenthesis of the skipped variation, if it is skipped because of the depth limit.
    too_deep: Option<Span>,
    /// The value of the Result tag, trimmed.
    result: &'g [u8],
    /// That value may look like a regular move.
    result_as_move: bool,
    /// The terminator has been met.
    ended: bool,
    /// The terminator, once it has been met.
    terminator_span: Span,
    /// Control characters have been reported, which happens once per record.
    control_reported: bool,
}

impl<'g, 'v, V: Visitor<'g>> Walk<'g, 'v, V> {
    #[inline]
    fn new(game: &'g [u8], limits: &'v Limits, visitor: &'v mut V) -> Self {
        Self {
            game,
            limits,
            visitor,
            comments: CommentFinder::new(),
            numbers: MoveNumberCheck::default(),
            semicolons: Semicolons::default(),
            last_move_end: 0,
            pending_text: None,
            depth: 0,
            outermost_open: Span::default(),
            variation_is_empty: false,
            skipping: 0,
            too_deep: None,
            result: &[],
            result_as_move: false,
            ended: false,
            terminator_span: Span::default(),
            control_reported: false,
        }
    }

    /// Reports a diagnostic, also in a skipped variation.
    #[cold]
    #[inline(never)]
    fn report(&mut self, code: Code, span: Span) -> Flow {
        self.visitor.diagnostic(Diagnostic::new(code, span))
    }

    /// Reports a diagnostic about a part that is reported too, so outside of skipped variations only.
    #[cold]
    #[inline(never)]
    fn report_part(&mut self, code: Code, span: Span) -> Flow {
        self.visitor.part_diagnostic(Diagnostic::new(code, span))
    }

    /// Reports a diagnostic of severity `style` if the visitor wants it, also in a skipped variation.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn style(&mut self, code: Code, span: Span) -> Flow {
        if V::STYLE { self.report(code, span) } else { Flow::Continue(()) }
    }

    /// Reports a diagnostic of severity `style` about a part that is reported too, if the visitor wants it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn style_part(&mut self, code: Code, span: Span) -> Flow {
        if V::STYLE { self.report_part(code, span) } else { Flow::Continue(()) }
    }

    /// Reports a diagnostic of severity `style` unless it is about a part that is skipped.
    #[cold]
    fn style_of_part(&mut self, code: Code, span: Span) -> Flow {
        if self.is_reporting() { self.style_part(code, span) } else { Flow::Continue(()) }
    }

    /// Returns `true` if parts are reported: no variation is skipped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_reporting(&self) -> bool {
        self.skipping == 0
    }
}
