use bumpalo::Bump;
use proptest::prelude::*;

use super::*;

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
    let tree = Builder::new().build(GAME, &arena);
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
        assert_eq!(Builder::new().build(text, &arena).print(), text, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn edits_touch_what_they_name_only() {
    let arena = Bump::new();
    let tree = Builder::new().build(b"[White \"a\"]\n1. 32-28 (1. 33-28 {y}) 19-23 *\n", &arena);
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
    assert_eq!(Builder::with_limits(limits).build(text.as_bytes(), &arena).print(), text.as_bytes());
}

proptest! {
    #[test]
    fn moves_are_the_parts_that_are_moves(text in crate::parse::tests::movetext()) {
        let arena = Bump::new();
        let tree = Builder::new().build(&text, &arena);
        let of_parts = |part| match part {
            Part::Move(mv) => Some(mv),
            _ => None,
        };
        let expected: Vec<_> = tree.parts().filter_map(of_parts).collect();
        prop_assert_eq!(tree.moves().count(), expected.len());
        prop_assert_eq!(tree.moves().collect::<Vec<_>>(), expected);
    }
}
