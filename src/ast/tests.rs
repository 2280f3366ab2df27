use crate::internal::ast::Edit;
use proptest::prelude::*;

use super::*;
use crate::limits::Limits;
use crate::parse::{
    Comment, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use crate::span::Span;
use crate::value::Nag;

const GAME: &[u8] = b"\xEF\xBB\xBF[Event \"x\"] {c}\n[White \"a\"]\r\n\r\n1. 32-28! $3 (1. 33-28 {y (no)} (1. 34-29) 19-23) ; z\n\
    19-23 47x36 <42,29> /FEN \"B:::\"/ 2... - rubbish [Late \"t\"] 1-0 { after } \x1a";

/// Lists the variant names of parts, variations in parentheses.
fn outline(parts: Parts<'_>) -> String {
    let names: Vec<String> = parts
        .map(|part| match part {
            Part::Variation(variation) => format!("({})", outline(variation.parts())),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        })
        .collect();
    names.join(" ")
}

#[test]
fn tree_lists_all_parts_in_text_order() {
    let arena = Arena::new();
    let tree = TreeBuilder::new().build(GAME, &arena);
    assert_eq!(
        outline(tree.parts()),
        "Tag Comment Tag Number Move Strength Nag (Number Move Comment (Number Move) Move) Comment Move Move Captures \
         Setup Number Missing Text Tag Terminator Comment"
    );
    assert_eq!(tree.tag("White"), Some(&b"a"[..]));
    assert_eq!(tree.tag("Late"), Some(&b"t"[..]));
    assert_eq!(tree.terminator().map(|end| end.text), Some(&b"1-0"[..]));
    let setup = tree.parts().find_map(|part| match part {
        Part::Setup(setup) => Some(setup.fen),
        _ => None,
    });
    assert_eq!(setup, Some(&b"B:::"[..]));
    assert!(!tree.diagnostics().is_empty());
}

#[test]
fn unedited_tree_prints_its_bytes() {
    let arena = Arena::new();
    for text in [GAME, b"", b"{", b"((((", b"1. 32-28 ( {", b"))) } ] [ \" 1-", b"  \n ", b"Event \"x\"]\n*"]
    {
        assert_eq!(TreeBuilder::new().build(text, &arena).print(), text, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn edits_change_only_their_parts() {
    let arena = Arena::new();
    let tree = TreeBuilder::new().build(b"[White \"a\"]\n1. 32-28 (1. 33-28 {y}) 19-23 *\n", &arena);
    let edited = tree.print_edited(|part| match part {
        Part::Tag(tag) if tag.name == b"White" => Edit::Replace(b"[White \"b\"]".into()),
        Part::Comment(_) => Edit::Remove,
        _ => Edit::Keep,
    });
    assert_eq!(edited, b"[White \"b\"]\n1. 32-28 (1. 33-28) 19-23 *\n");
}

#[test]
fn words_beside_removed_parts_stay_apart() {
    let remove = |text: &[u8], is_removed: fn(&Part<'_>) -> bool| {
        let arena = Arena::new();
        let tree = TreeBuilder::new().build(text, &arena);
        let edited = tree.print_edited(|part| if is_removed(part) { Edit::Remove } else { Edit::Keep });
        String::from_utf8(edited).unwrap()
    };
    let is_number = |part: &Part<'_>| matches!(part, Part::Number(_));
    let is_comment = |part: &Part<'_>| matches!(part, Part::Comment(_));
    assert_eq!(remove(b"1.32-28 19-23 2.28x19 14x23 *", is_number), "32-28 19-23 28x19 14x23 *");
    assert_eq!(remove(b"1. 32-28 19-23 2. 28x19 *", is_number), " 32-28 19-23 28x19 *");
    assert_eq!(remove(b"1. 32-28{a}{b}19-23 {c} (18-23{d}){e}* ", is_comment), "1. 32-28 19-23 (18-23)* ");
    assert_eq!(remove(b"1. 32-28{a} {b} *", is_comment), "1. 32-28 *");
}

#[test]
fn insertions_stand_beside_their_parts() {
    let arena = Arena::new();
    let tree = TreeBuilder::new().build(b"1. 32-28 (1. 33-28 {y}) 19-23 *", &arena);
    let edited = tree.print_edited(|part| match part {
        Part::Move(mv) if mv.text == b"32-28" => Edit::Before(b"<".into()),
        Part::Comment(_) => Edit::After(b">".into()),
        Part::Variation(_) => Edit::After(b" {after}".into()),
        Part::Terminator(_) => Edit::Before(b"20. 1-6 ".into()),
        _ => Edit::Keep,
    });
    assert_eq!(edited, b"1. <32-28 (1. 33-28 {y}>) {after} 19-23 20. 1-6 *");
}

#[test]
fn trees_iterate_over_their_parts() {
    let arena = Arena::new();
    let tree = TreeBuilder::new().build(GAME, &arena);
    assert!(arena.allocated_bytes() > 0);
    let mut spans = Vec::new();
    for part in &tree {
        spans.push(part.span());
    }
    assert_eq!(spans, tree.parts().map(|part| part.span()).collect::<Vec<_>>());
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let text = format!("32-28 {}{}", "(18-23 ".repeat(100_000), ")".repeat(100_000));
    let mut limits = crate::limits::Limits::DEFAULT;
    limits.variation_depth = u32::MAX;
    let arena = Arena::new();
    assert_eq!(TreeBuilder::with_limits(limits).build(text.as_bytes(), &arena).print(), text.as_bytes());
}

/// A visitor that records its calls as parts and bounds of variations.
#[derive(Default)]
struct Recorder<'g>(Vec<Event<'g>>);

/// A part that is no variation, or the start or end offset of a variation.
#[derive(Debug, PartialEq)]
enum Event<'g> {
    Part(Part<'g>),
    Opens(u32),
    Closes(u32),
}

impl<'g> Recorder<'g> {
    fn record(&mut self, part: Part<'g>) -> Flow {
        self.0.push(Event::Part(part));
        Flow::Continue(())
    }

    fn events(game: &'g [u8], limits: &Limits) -> Vec<Event<'g>> {
        let mut recorder = Self::default();
        let _ = walk_with(game, limits, &mut recorder);
        recorder.0
    }
}

impl<'g> Visitor<'g> for Recorder<'g> {
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.record(Part::Tag(tag))
    }
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.record(Part::Number(number))
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.record(Part::Move(mv))
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.record(Part::Captures(list))
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.record(Part::Missing(missing))
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.record(Part::Strength(strength))
    }
    fn nag(&mut self, nag: Nag, span: Span) -> Flow {
        self.record(Part::Nag(nag, span))
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.record(Part::Comment(comment))
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.record(Part::Setup(setup))
    }
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.0.push(Event::Opens(variation.span.start));
        VariationAction::Enter
    }
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.0.push(Event::Closes(variation.span.end));
        Flow::Continue(())
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.record(Part::Terminator(terminator))
    }
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.record(Part::Text(text, span))
    }
}

/// Lists the parts of a tree in text order.
fn tree_events<'a>(tree: &SyntaxTree<'a>) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    let mut open = vec![(tree.parts(), 0)];
    while let Some((parts, end)) = open.last_mut() {
        match parts.next() {
            Some(Part::Variation(variation)) => {
                events.push(Event::Opens(variation.span.start));
                open.push((variation.parts(), variation.span.end));
            }
            Some(part) => events.push(Event::Part(part)),
            None => {
                events.push(Event::Closes(*end));
                open.pop();
            }
        }
    }
    // The end of the main line is no end of a variation.
    events.pop();
    events
}

#[track_caller]
fn check(text: &[u8], limits: Limits) {
    let arena = Arena::new();
    let tree = TreeBuilder::with_limits(limits).build(text, &arena);
    assert_eq!(tree_events(&tree), Recorder::events(text, &limits), "{}", text.escape_ascii());
    assert_eq!(tree.print(), text);
}

#[test]
fn tree_equals_visitor_events_on_edge_cases() {
    for text in [
        GAME,
        b"[ Event  \"x\" ]\n[Site\t\"y\"]\n[Bare]\n[Loose value]\n[White \"a\"b\"]\nBlack \"c\"]\n[Late \"",
        b"1 . 32-28 $99999999999 99999999999. 4x5 (7... - (..) {x) $0",
        b"1. 1-7 8-3 2. 3-8 9-4 3. 1-6 1-6 4. 1-6 1-6 5. 1-6 1-6 6. 1-6 1-6 7. 1-6 1-6 8. 1-6 1-6 9. 1-6 1-6 *",
    ] {
        check(text, Limits::DEFAULT);
    }
}

#[test]
fn long_parts_keep_their_span() {
    let mut limits = Limits::DEFAULT;
    limits.comment_bytes = 1 << 30;
    let long = |byte: &str| byte.repeat((1 << 24) + 3);
    for text in [
        format!("[White{}\"a\"] 1. 32-28 *", long(" ")),
        format!("[White \"a\"] 1. 32-28 {{{}}} (19-23 ;{}\n) 18-23 *", long("x"), long("y")),
        format!("32  -{}28 /FEN \"W\"/ {} *", long(" "), long("#")),
    ] {
        check(text.as_bytes(), limits);
    }
}

proptest! {
    #[test]
    fn tree_equals_visitor_events(text in crate::parse::tests::movetext()) {
        check(&text, Limits::DEFAULT);
    }

    #[test]
    fn moves_equal_parts_of_kind_move(text in crate::parse::tests::movetext()) {
        let arena = Arena::new();
        let tree = TreeBuilder::new().build(&text, &arena);
        let as_move = |part| match part {
            Part::Move(mv) => Some(mv),
            _ => None,
        };
        let expected: Vec<_> = tree.parts().filter_map(as_move).collect();
        prop_assert_eq!(tree.moves().count(), expected.len());
        prop_assert_eq!(tree.moves().collect::<Vec<_>>(), expected);
    }
}
