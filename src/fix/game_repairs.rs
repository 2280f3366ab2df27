//! Repairs of whole games: another variant, a board seen from the wrong side, another start position.

use super::repair::RepairKind;
use super::slips::capture_separator;
use super::start_repairs;
use super::start_repairs::{square_count, turned};
use super::trials::Trials;
use crate::ast::tag_text;
use crate::board::{SquareName, SquareNames};
use crate::edit::TextEdit;
use crate::notation::{MoveForm, MoveText};
use crate::parse::{Flow, TagPair, Visitor, WrittenMove, walk};
use crate::replay::AnnotatedGame;
use crate::rules::Variant;
use crate::span::Span;
use crate::value::TagName;

/// Minimum number of written moves of a game that is turned or mirrored as a whole, or played under other rules.
const MIN_MOVES: u32 = 12;

/// Tries the changes that concern a whole game.
pub(super) fn try_all(record: &[u8], game: &AnnotatedGame<'_>, trials: &mut Trials<'_>) {
    let mut parts = Parts::default();
    walk(record, &mut parts);
    if game.summary.written >= MIN_MOVES {
        try_variants(&parts, game.summary.variant, trials);
        if parts.fen.is_none() {
            try_boards(&parts, &game.summary.last_position().names(), trials);
        }
    }
    start_repairs::try_positions(record, game, trials);
}

/// The moves of all lines of a record, and the tags that decide how they are read.
#[derive(Default)]
struct Parts<'g> {
    moves: Vec<WrittenMove<'g>>,
    /// The bytes of the first GameType tag that has a value.
    game_type: Option<Span>,
    /// The value of the first FEN tag that has one.
    fen: Option<Span>,
}

impl<'g> Visitor<'g> for Parts<'g> {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        if tag.value.trim_ascii().is_empty() {
            return Flow::Continue(());
        }
        match tag.recognised().map(|found| found.tag) {
            Some(TagName::GameType) => _ = self.game_type.get_or_insert(tag.span),
            Some(TagName::FEN) => _ = self.fen.get_or_insert(tag.value_span),
            _ => {}
        }
        Flow::Continue(())
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.moves.push(mv);
        Flow::Continue(())
    }
}

/// Gives the game every other variant.
fn try_variants(parts: &Parts<'_>, current: Variant, trials: &mut Trials<'_>) {
    for &variant in Variant::ALL.iter().filter(|&&variant| variant != current) {
        let tag = tag_text("GameType", variant.tag().as_bytes());
        let edit = match parts.game_type {
            Some(span) => TextEdit::new(span.range(), tag),
            None => TextEdit::new(0..0, [&tag[..], b"\n"].concat()),
        };
        trials.try_change_under(variant, RepairKind::Variant, vec![edit], 0);
    }
}

/// Counts the squares of all moves from the other side of the board, or from the other end of each row.
fn try_boards(parts: &Parts<'_>, names: &SquareNames, trials: &mut Trials<'_>) {
    for (kind, map) in [
        (RepairKind::TurnedBoard, turned as fn(SquareName, &SquareNames) -> Option<SquareName>),
        (RepairKind::MirroredBoard, mirrored),
    ] {
        let edit = |mv: &WrittenMove<'_>| {
            let text = mapped(mv.text, |name| map(name, names))?;
            Some(TextEdit::new(mv.span.range(), text))
        };
        // A move that has no counterpart excludes the whole change.
        if let Some(edits) = parts.moves.iter().map(edit).collect() {
            trials.try_change(kind, edits, 0);
        }
    }
}

/// Returns a move text with other squares, and with the separators as they are.
fn mapped(text: &[u8], map: impl Fn(SquareName) -> Option<SquareName>) -> Option<String> {
    let read = MoveText::read(text).filter(|read| read.form() == MoveForm::Squares)?;
    let separator = capture_separator(text).unwrap_or("-");
    let squares: Option<Vec<_>> =
        read.squares().iter().map(|code| map(code.name()).map(|name| name.to_string())).collect();
    Some(squares?.join(separator))
}

/// Returns the square that has the same place in its row, counted from the other end.
fn mirrored(name: SquareName, names: &SquareNames) -> Option<SquareName> {
    let SquareName::Number(number) = name else { return None };
    let rank = |number: u8| names.of_number(number.into()).map(|square| names.algebraic(square).1);
    let row = rank(number)?;
    let mut numbers = (1..=square_count(names)).filter(|&other| rank(other) == Some(row));
    let first = numbers.next()?;
    let last = numbers.next_back().unwrap_or(first);
    Some(SquareName::Number(first + last - number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_turned_and_mirrored() {
        let map = |variant: Variant, text: &str, map: fn(SquareName, &SquareNames) -> Option<SquareName>| {
            mapped(text.as_bytes(), |name| map(name, variant.names()))
        };
        assert_eq!(map(Variant::International, "32-28", turned).as_deref(), Some("19-23"));
        assert_eq!(map(Variant::International, "32x21", mirrored).as_deref(), Some("34x25"));
        assert_eq!(map(Variant::Russian, "c3:e5", turned).as_deref(), Some("f6:d4"));
        assert_eq!(map(Variant::Russian, "c3-d4", mirrored), None);
        assert_eq!(map(Variant::International, "32-51", turned), None);
        assert_eq!(map(Variant::International, "1428", turned).as_deref(), Some("37-23"));
    }

    #[test]
    fn tags_without_a_value_are_passed_over() {
        let record = b"[GameType \"\"]\n[GameType \"21\"]\n[FEN \" \"]\n[FEN \"W:W31:B1\"]\n1. 31-27 *\n";
        let mut parts = Parts::default();
        walk(record, &mut parts);
        let text = |span: Option<Span>| String::from_utf8_lossy(span.expect("a tag").of(record)).into_owned();
        assert_eq!(
            (text(parts.game_type), text(parts.fen)),
            ("[GameType \"21\"]".to_owned(), "W:W31:B1".to_owned())
        );
    }
}
