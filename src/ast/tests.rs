use bumpalo::Bump;
use proptest::prelude::*;

use super::*;
use crate::limits::Limits;
use crate::parse::{
    Comment, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use crate::span::Span;

const GAME: &[u8] = b"\xEF\xBB\xBF[Event \"x\"] {c}\n[White \"a\"]\r\n\r\n1. 32-28! $3 (1. 33-28 {y (no)} (1. 34-29) 19-23) ; z\n\
    19-23 47x36 <42,29> /FEN \"B:::\"/ 2... - rubbish [Late \"t\"] 1-0 { after } \x1a";

/// The parts of a line as their variants' names, variations in parentheses.
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
fn a_tree_has_every_part_in_its_place() {
    let arena = Bump::new();
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
fn an_unmodified_tree_prints_its_bytes() {
    let arena = Bump::new();
    for text in [GAME, b"", b"{", b"((((", b"1. 32-28 ( {", b"))) } ] [ \" 1-", b"  \n ", b"Event \"x\"]\n*"]
    {
        assert_eq!(TreeBuilder::new().build(text, &arena).print(), text, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn edits_touch_what_they_name_only() {
    let arena = Bump::new();
    let tree = TreeBuilder::new().build(b"[White \"a\"]\n1. 32-28 (1. 33-28 {y}) 19-23 *\n", &arena);
    let edited = tree.print_edited(|part| match part {
        Part::Tag(tag) if tag.name == b"White" => Edit::Replace(b"[White \"b\"]".into()),
        Part::Comment(_) => Edit::Remove,
        _ => Edit::Keep,
    });
    assert_eq!(edited, b"[White \"b\"]\n1. 32-28 (1. 33-28) 19-23 *\n");
}

#[test]
fn deep_nesting_needs_no_stack() {
    let text = format!("32-28 {}{}", "(18-23 ".repeat(100_000), ")".repeat(100_000));
    let mut limits = crate::limits::Limits::DEFAULT;
    limits.variation_depth = u32::MAX;
    let arena = Bump::new();
    assert_eq!(TreeBuilder::with_limits(limits).build(text.as_bytes(), &arena).print(), text.as_bytes());
}

/// Notes all parts as they are told, what is in a variation behind it.
#[derive(Default)]
struct Told<'g>(Vec<Heard<'g>>);

/// A part, or the first or last byte of a variation.
#[derive(Debug, PartialEq)]
enum Heard<'g> {
    Part(Part<'g>),
    Opens(u32),
    Closes(u32),
}

impl<'g> Told<'g> {
    fn say(&mut self, part: Part<'g>) -> Flow {
        self.0.push(Heard::Part(part));
        Flow::Continue(())
    }

    fn of(game: &'g [u8], limits: &Limits) -> Vec<Heard<'g>> {
        let mut told = Self::default();
        let _ = walk_with(game, limits, &mut told);
        told.0
    }
}

impl<'g> Visitor<'g> for Told<'g> {
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.say(Part::Tag(tag))
    }
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.say(Part::Number(number))
    }
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.say(Part::Move(mv))
    }
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.say(Part::Captures(list))
    }
    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.say(Part::Missing(missing))
    }
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.say(Part::Strength(strength))
    }
    fn nag(&mut self, nag: u32, span: Span) -> Flow {
        self.say(Part::Nag(nag, span))
    }
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.say(Part::Comment(comment))
    }
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.say(Part::Setup(setup))
    }
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.0.push(Heard::Opens(variation.span.start));
        VariationAction::Enter
    }
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.0.push(Heard::Closes(variation.span.end));
        Flow::Continue(())
    }
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.say(Part::Terminator(terminator))
    }
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        self.say(Part::Text(text, span))
    }
}

/// The parts of a tree in the order of the text.
fn parts_of<'a>(tree: &SyntaxTree<'a>) -> Vec<Heard<'a>> {
    let mut heard = Vec::new();
    let mut open = vec![(tree.parts(), 0)];
    while let Some((parts, end)) = open.last_mut() {
        match parts.next() {
            Some(Part::Variation(variation)) => {
                heard.push(Heard::Opens(variation.span.start));
                open.push((variation.parts(), variation.span.end));
            }
            Some(part) => heard.push(Heard::Part(part)),
            None => {
                heard.push(Heard::Closes(*end));
                open.pop();
            }
        }
    }
    // What closes the tree itself.
    heard.pop();
    heard
}

#[track_caller]
fn holds_what_is_told(text: &[u8], limits: Limits) {
    let arena = Bump::new();
    let tree = TreeBuilder::with_limits(limits).build(text, &arena);
    assert_eq!(parts_of(&tree), Told::of(text, &limits), "{}", text.escape_ascii());
    assert_eq!(tree.print(), text);
}

#[test]
fn a_tree_holds_what_a_visitor_is_told() {
    for text in [
        GAME,
        b"[ Event  \"x\" ]\n[Site\t\"y\"]\n[Bare]\n[Loose value]\n[White \"a\"b\"]\nBlack \"c\"]\n[Late \"",
        b"1 . 32-28 $99999999999 99999999999. 4x5 (7... - (..) {x) $0",
        b"1. 1-7 8-3 2. 3-8 9-4 3. 1-6 1-6 4. 1-6 1-6 5. 1-6 1-6 6. 1-6 1-6 7. 1-6 1-6 8. 1-6 1-6 9. 1-6 1-6 *",
    ] {
        holds_what_is_told(text, Limits::DEFAULT);
    }
}

#[test]
fn what_is_very_long_keeps_its_end() {
    let mut limits = Limits::DEFAULT;
    limits.comment_bytes = 1 << 30;
    let long = |byte: &str| byte.repeat((1 << 24) + 3);
    for text in [
        format!("[White{}\"a\"] 1. 32-28 *", long(" ")),
        format!("[White \"a\"] 1. 32-28 {{{}}} (19-23 ;{}\n) 18-23 *", long("x"), long("y")),
        format!("32  -{}28 /FEN \"W\"/ {} *", long(" "), long("#")),
    ] {
        holds_what_is_told(text.as_bytes(), limits);
    }
}

proptest! {
    #[test]
    fn a_tree_holds_all_of_any_game(text in crate::parse::tests::movetext()) {
        holds_what_is_told(&text, Limits::DEFAULT);
    }

    #[test]
    fn moves_are_the_parts_that_are_moves(text in crate::parse::tests::movetext()) {
        let arena = Bump::new();
        let tree = TreeBuilder::new().build(&text, &arena);
        let of_parts = |part| match part {
            Part::Move(mv) => Some(mv),
            _ => None,
        };
        let expected: Vec<_> = tree.parts().filter_map(of_parts).collect();
        prop_assert_eq!(tree.moves().count(), expected.len());
        prop_assert_eq!(tree.moves().collect::<Vec<_>>(), expected);
    }
}
