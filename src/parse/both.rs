//! Two visitors that share one walk.

use std::ops::ControlFlow;

use super::event::{
    Comment, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationMark,
    WrittenMove,
};
use super::move_run::{MoveRun, NumberedMoveRun};
use super::visitor::{Flow, VariationAction, Visitor, forward_to};
use crate::diag::{Diagnostic, Severity};
use crate::span::Span;
use crate::value::Nag;

/// A visitor made of two visitors that share one walk. Each receives what it would receive in a walk of its own; for
/// each part, the first visitor is called before the second.
///
/// - A visitor that breaks off receives nothing more, not even [`end`](Visitor::end). The walk ends once both have
///   broken off.
/// - A variation is entered if either visitor enters it. A visitor that skips it receives no part of it.
/// - Move numbers and diagnostics of severity `style` go only to the visitor that wants them. Runs of moves are
///   forwarded whole.
///
/// The value serves one walk: it keeps the state of that walk. Visitors that serve many walks are passed as `&mut`.
///
/// ```
/// use pdn::parse::{Both, Flow, TagPair, Visitor, WrittenMove, walk};
///
/// #[derive(Default)]
/// struct Tags(usize);
///
/// impl<'g> Visitor<'g> for Tags {
///     fn tag(&mut self, _: TagPair<'g>) -> Flow {
///         self.0 += 1;
///         Flow::Continue(())
///     }
/// }
///
/// #[derive(Default)]
/// struct Moves(usize);
///
/// impl<'g> Visitor<'g> for Moves {
///     fn written_move(&mut self, _: WrittenMove<'g>) -> Flow {
///         self.0 += 1;
///         Flow::Continue(())
///     }
/// }
///
/// let (mut tags, mut moves) = (Tags::default(), Moves::default());
/// walk(b"[White \"a\"] 1. 32-28 19-23 *", &mut Both::new(&mut tags, &mut moves));
/// assert_eq!((tags.0, moves.0), (1, 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Both<A, B> {
    first: Listener<A>,
    second: Listener<B>,
}

/// One of the two visitors, and which parts it receives at the moment.
#[derive(Clone, Copy, Debug)]
struct Listener<V> {
    visitor: V,
    /// The visitor broke off.
    stopped: bool,
    /// The depth of the variation that this visitor skips and the other one entered; 0 if there is none.
    skipped_depth: u32,
}

impl<A, B> Both<A, B> {
    /// Creates a visitor of two visitors for one walk.
    #[inline]
    pub const fn new(first: A, second: B) -> Self {
        Self { first: Listener::new(first), second: Listener::new(second) }
    }

    /// Returns for each visitor `true` if it broke off.
    #[inline]
    pub const fn stopped(&self) -> (bool, bool) {
        (self.first.stopped, self.second.stopped)
    }

    /// Returns the two visitors.
    #[inline]
    pub fn into_parts(self) -> (A, B) {
        (self.first.visitor, self.second.visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flow(&self) -> Flow {
        if self.first.stopped && self.second.stopped {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl<V> Listener<V> {
    const fn new(visitor: V) -> Self {
        Self { visitor, stopped: false, skipped_depth: 0 }
    }

    /// Makes a call that every visitor receives that has not broken off.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn call(&mut self, call: impl FnOnce(&mut V) -> Flow) {
        if !self.stopped {
            self.stopped = call(&mut self.visitor).is_break();
        }
    }

    /// Makes a call that a visitor receives only outside of variations that it skips.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn call_with_part(&mut self, call: impl FnOnce(&mut V) -> Flow) {
        if self.skipped_depth == 0 {
            self.call(call);
        }
    }

    /// Returns whether the visitor enters a variation.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_variation<'g>(&mut self, variation: VariationMark) -> VariationAction
    where
        V: Visitor<'g>,
    {
        if self.stopped || self.skipped_depth > 0 {
            return VariationAction::Skip;
        }
        self.visitor.begin_variation(variation)
    }

    /// Notes that the walk entered a variation although this visitor may skip it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_entered(&mut self, action: VariationAction, depth: u32) {
        if action == VariationAction::Skip && self.skipped_depth == 0 {
            self.skipped_depth = depth;
        }
    }

    /// Makes the call at the end of a variation that the walk entered, unless this visitor skipped it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_variation<'g>(&mut self, variation: VariationMark)
    where
        V: Visitor<'g>,
    {
        if self.skipped_depth == 0 {
            self.call(|visitor| visitor.end_variation(variation));
        } else if self.skipped_depth == variation.depth {
            self.skipped_depth = 0;
        }
    }

    /// Makes the call with a run of numbers and moves, without the numbers if the visitor does not want them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbered_move_run<'g>(&mut self, parts: NumberedMoveRun<'g>)
    where
        V: Visitor<'g>,
    {
        self.call_with_part(|visitor| {
            if V::NUMBERS { visitor.numbered_move_run(parts) } else { visitor.move_run(parts.moves()) }
        });
    }

    /// Returns `true` if the visitor wants a diagnostic.
    fn wants<'g>(diagnostic: Diagnostic) -> bool
    where
        V: Visitor<'g>,
    {
        V::STYLE || diagnostic.severity != Severity::Style
    }
}

/// Implements methods that pass one part to both visitors.
macro_rules! forward {
    ($call:ident: $($method:ident($($arg:ident: $type:ty),*))*) => {$(
        #[doc(hidden)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(&mut self, $($arg: $type),*) -> Flow {
            self.first.$call(|visitor| visitor.$method($($arg),*));
            self.second.$call(|visitor| visitor.$method($($arg),*));
            self.flow()
        }
    )*};
}

// Twin: two walks, one for each visitor; test: both_equals_two_walks.
impl<'g, A: Visitor<'g>, B: Visitor<'g>> Visitor<'g> for Both<A, B> {
    const STYLE: bool = A::STYLE || B::STYLE;
    const NUMBERS: bool = A::NUMBERS || B::NUMBERS;
    const NUMBER_CHECKS: bool = A::NUMBER_CHECKS || B::NUMBER_CHECKS;
    const COMPACT: bool = A::COMPACT && B::COMPACT;

    // The walk reports tags in skipped variations too.
    forward! { call: tag(tag: TagPair<'g>) end_tags() }

    forward! { call_with_part:
        written_move(mv: WrittenMove<'g>)
        move_run(moves: MoveRun<'g>)
        captures(list: WrittenMove<'g>)
        missing(missing: MissingMove)
        strength(strength: StrengthMark<'g>)
        nag(nag: Nag, span: Span)
        comment(comment: Comment<'g>)
        setup(setup: SetupCommand<'g>)
        terminator(terminator: Terminator<'g>)
        text(text: &'g [u8], span: Span)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        if A::NUMBERS {
            self.first.call_with_part(|visitor| visitor.move_number(number));
        }
        if B::NUMBERS {
            self.second.call_with_part(|visitor| visitor.move_number(number));
        }
        self.flow()
    }

    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbered_move_run(&mut self, parts: NumberedMoveRun<'g>) -> Flow {
        self.first.numbered_move_run(parts);
        self.second.numbered_move_run(parts);
        self.flow()
    }

    #[inline]
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let first = self.first.begin_variation(variation);
        let second = self.second.begin_variation(variation);
        if first == VariationAction::Skip && second == VariationAction::Skip {
            return VariationAction::Skip;
        }
        self.first.note_entered(first, variation.depth);
        self.second.note_entered(second, variation.depth);
        VariationAction::Enter
    }

    #[inline]
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.first.end_variation(variation);
        self.second.end_variation(variation);
        self.flow()
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if Listener::<A>::wants(diagnostic) {
            self.first.call(|visitor| visitor.diagnostic(diagnostic));
        }
        if Listener::<B>::wants(diagnostic) {
            self.second.call(|visitor| visitor.diagnostic(diagnostic));
        }
        self.flow()
    }

    fn part_diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if Listener::<A>::wants(diagnostic) {
            self.first.call_with_part(|visitor| visitor.part_diagnostic(diagnostic));
        }
        if Listener::<B>::wants(diagnostic) {
            self.second.call_with_part(|visitor| visitor.part_diagnostic(diagnostic));
        }
        self.flow()
    }

    #[inline]
    fn end(&mut self) {
        if !self.first.stopped {
            self.first.visitor.end();
        }
        if !self.second.stopped {
            self.second.visitor.end();
        }
    }
}

impl<'g, V: Visitor<'g>> Visitor<'g> for &mut V {
    const STYLE: bool = V::STYLE;
    const NUMBERS: bool = V::NUMBERS;
    const NUMBER_CHECKS: bool = V::NUMBER_CHECKS;
    const COMPACT: bool = V::COMPACT;

    forward_to! { all, self => **self }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::movetext;
    use super::super::walk;
    use super::*;

    /// Writes down every call. Skips variations by the bits of `skips`, which their offsets select.
    #[derive(Clone, Debug, Default)]
    struct Recorder<const NUMBERS: bool, const STYLE: bool> {
        calls: Vec<String>,
        skips: u64,
        /// The number of the call that breaks off, from 1; 0 for none.
        stop_at: usize,
    }

    impl<const NUMBERS: bool, const STYLE: bool> Recorder<NUMBERS, STYLE> {
        fn record(&mut self, call: String) -> Flow {
            assert!(self.stop_at == 0 || self.calls.len() < self.stop_at, "called after breaking off");
            self.calls.push(call);
            if self.stop_at == self.calls.len() { Flow::Break(()) } else { Flow::Continue(()) }
        }
    }

    /// Implements methods that write down their arguments.
    macro_rules! record {
        ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
            fn $method(&mut self, $($arg: $type),*) -> Flow {
                self.record(format!("{} {:?}", stringify!($method), ($($arg,)*)))
            }
        )*};
    }

    impl<'g, const NUMBERS: bool, const STYLE: bool> Visitor<'g> for Recorder<NUMBERS, STYLE> {
        const STYLE: bool = STYLE;
        const NUMBERS: bool = NUMBERS;

        record! {
            tag(tag: TagPair<'g>)
            end_tags()
            move_number(number: MoveNumber)
            written_move(mv: WrittenMove<'g>)
            captures(list: WrittenMove<'g>)
            missing(missing: MissingMove)
            strength(strength: StrengthMark<'g>)
            nag(nag: Nag, span: Span)
            comment(comment: Comment<'g>)
            setup(setup: SetupCommand<'g>)
            end_variation(variation: VariationMark)
            terminator(terminator: Terminator<'g>)
            text(text: &'g [u8], span: Span)
            diagnostic(diagnostic: Diagnostic)
        }

        fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
            self.calls.push(format!("begin {variation:?}"));
            // A variation cannot break off as it opens.
            self.stop_at += usize::from(self.stop_at == self.calls.len());
            let skip = self.skips >> (variation.span.start % 64) & 1 == 1;
            if skip { VariationAction::Skip } else { VariationAction::Enter }
        }
        fn end(&mut self) {
            self.calls.push("end".into());
        }
    }

    /// Compares one walk of two visitors with two walks.
    fn check<const N1: bool, const S1: bool, const N2: bool, const S2: bool>(
        game: &[u8],
        skips: (u64, u64),
        stops: (usize, usize),
    ) {
        let first = Recorder::<N1, S1> { skips: skips.0, stop_at: stops.0, ..Recorder::default() };
        let second = Recorder::<N2, S2> { skips: skips.1, stop_at: stops.1, ..Recorder::default() };
        let (mut first_alone, mut second_alone) = (first.clone(), second.clone());
        let mut both = Both::new(first, second);
        walk(game, &mut first_alone);
        walk(game, &mut second_alone);
        walk(game, &mut both);
        let (first, second) = both.into_parts();
        assert_eq!(first.calls, first_alone.calls, "first: {}", game.escape_ascii());
        assert_eq!(second.calls, second_alone.calls, "second: {}", game.escape_ascii());
    }

    /// Movetext with variations and damage between its words.
    fn annotated() -> impl Strategy<Value = Vec<u8>> {
        let insert = prop::sample::select(
            &[
                "(",
                "(",
                "(",
                "(",
                ")",
                ")",
                ")",
                "))",
                "((",
                "(1. ",
                " {x} ",
                " {a {b} ",
                "}",
                "[",
                "]",
                " * ",
                " 1-0 ",
                "Event \"x\"]",
                "[Event \"x\"]",
                "; x\n",
                " $1",
                "!",
                " !",
                " 05-10 ",
                "<42>",
                " /FEN \"W\" ",
                " word ",
                " - ",
                " 2. ",
                " ... ",
                " 9. ",
                "\n",
            ][..],
        );
        let place = any::<prop::sample::Index>();
        (movetext(), prop::collection::vec((place, insert), 0..12)).prop_map(|(mut text, inserts)| {
            for (place, insert) in inserts {
                let at = place.index(text.len() + 1);
                text.splice(at..at, insert.bytes());
            }
            text
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn both_equals_two_walks(
            game in annotated(),
            skips in (any::<u64>(), any::<u64>()),
            stops in (prop_oneof![Just(0), 1..60usize], prop_oneof![Just(0), 1..60usize]),
        ) {
            check::<true, true, true, true>(&game, skips, stops);
            check::<true, true, false, false>(&game, skips, stops);
            check::<false, true, true, false>(&game, skips, stops);
            check::<false, false, false, true>(&game, skips, stops);
            check::<false, false, false, false>(&game, skips, stops);
        }
    }

    #[test]
    fn skipped_variation_goes_to_the_entering_visitor_only() {
        let game = b"32-28 (18-23 (17-22) {x}) 19-23 *";
        let entering = Recorder::<true, false>::default();
        let skipping = Recorder::<true, false> { skips: u64::MAX, ..Recorder::default() };
        let mut both = Both::new(entering, skipping);
        walk(game, &mut both);
        assert_eq!(both.stopped(), (false, false));
        let (entering, skipping) = both.into_parts();
        let count = |calls: &[String], name: &str| calls.iter().filter(|call| call.starts_with(name)).count();
        assert_eq!((count(&entering.calls, "written_move"), count(&entering.calls, "end_variation")), (4, 2));
        assert_eq!((count(&skipping.calls, "written_move"), count(&skipping.calls, "begin")), (2, 1));
        assert_eq!(count(&skipping.calls, "comment"), 0);
    }

    #[test]
    fn walk_goes_on_until_both_have_stopped() {
        let game = b"1. 32-28 19-23 2. 28x19 14x23 *";
        let stopping = |stop_at| Recorder::<false, false> { stop_at, ..Recorder::default() };
        let mut both = Both::new(stopping(2), stopping(4));
        walk(game, &mut both);
        assert_eq!(both.stopped(), (true, true));
        let (first, second) = both.into_parts();
        assert_eq!((first.calls.len(), second.calls.len()), (2, 4));
    }

    #[test]
    fn both_nests() {
        let game = b"[A \"x\"] 1. 32-28 (1. 33-28 !) 19-23 {x} 2. 28x19";
        let mut alone = Recorder::<true, true>::default();
        walk(game, &mut alone);
        let mut inner = Recorder::<true, true>::default();
        let mut plain = (Recorder::<false, false>::default(), Recorder::<true, false>::default());
        walk(game, &mut Both::new(&mut plain.0, Both::new(&mut inner, &mut plain.1)));
        assert_eq!(inner.calls, alone.calls);
    }
}
