//! Repairs of the position in the FEN tag.

use std::borrow::Cow;

use super::repair::RepairKind;
use super::trials::Trials;
use crate::board::{SquareName, SquareNames, SquareNaming};
use crate::edit::TextEdit;
use crate::parse::{Flow, TagPair, Visitor, walk};
use crate::position::Position;
use crate::replay::AnnotatedGame;
use crate::rules::Variant;
use crate::span::Span;
use crate::value::{Colour, Fen, FenForm, FenPiece, FenSquare, FenWriter, TagName};

/// Tries other start positions: the other side to move, the start position of the variant, the pieces of both sides
/// exchanged, and the board counted from the other side.
pub(super) fn try_positions(record: &[u8], game: &AnnotatedGame<'_>, trials: &mut Trials<'_>) {
    let Some(tag) = FenTag::find(record) else { return };
    let names = game.summary.last_position().names();
    let mut change = |kind: RepairKind, value: Option<Vec<u8>>| {
        if let Some(value) = value.filter(|value| *value != *tag.value) {
            trials.try_start(kind, vec![tag.edit(value)]);
        }
    };
    let other_side = exchanged(&tag.value, true, false);
    change(RepairKind::SideToMove, other_side);
    let number = game.summary.variant.number();
    for &variant in Variant::ALL.iter().filter(|variant| variant.number() == number) {
        change(RepairKind::UsualStart, Some(tag.usual_start(variant)));
    }
    // A writer who confuses the colours may name the side to move rightly all the same.
    change(RepairKind::ExchangedSides, exchanged(&tag.value, false, true));
    change(RepairKind::ExchangedSides, exchanged(&tag.value, true, true));
    change(RepairKind::TurnedStart, turned_fen(&tag.value, &names));
}

/// Tries the position with one piece fewer, and with one more on each empty square.
pub(super) fn try_pieces(record: &[u8], game: &AnnotatedGame<'_>, trials: &mut Trials<'_>) {
    let Some(tag) = FenTag::find(record) else { return };
    let Ok(fen) = Fen::parse(&tag.value) else { return };
    let names = game.summary.last_position().names();
    let pieces: Vec<FenPiece> = fen.pieces().collect();
    let mut change = |colour: Colour, pieces: &[FenPiece]| {
        if let Some(value) = with_side(&tag.value, colour, pieces) {
            trials.try_start(RepairKind::StartPiece, vec![tag.edit(value)]);
        }
    };
    for left_out in &pieces {
        let others: Vec<FenPiece> = pieces.iter().filter(|piece| *piece != left_out).copied().collect();
        change(left_out.colour, &others);
    }
    let squares = squares(&names, &pieces);
    for square in squares.into_iter().filter(|square| pieces.iter().all(|piece| piece.square != *square)) {
        for colour in Colour::ALL {
            for king in [false, true] {
                let more = FenPiece::new(colour, king, square);
                // In the order of the squares, as people write them.
                let at = pieces.partition_point(|piece| piece.square < square);
                let pieces = [&pieces[..at], &[more], &pieces[at..]].concat();
                change(colour, &pieces);
            }
        }
    }
}

/// The first FEN tag of a record that has a value.
#[derive(Default)]
struct FenTag<'g> {
    /// The value; in canonical form if its sections are not those of PDN 3.0.
    value: Cow<'g, [u8]>,
    span: Span,
}

impl<'g> FenTag<'g> {
    fn find(record: &'g [u8]) -> Option<Self> {
        let mut tag = Self::default();
        walk(record, &mut tag);
        let other_sections =
            [FenForm::SecondTurn, FenForm::OtherSeparator, FenForm::OtherLetter, FenForm::Hub];
        if let Ok(fen) = Fen::parse(&tag.value)
            && other_sections.into_iter().any(|form| fen.forms().contains(form))
        {
            tag.value = Cow::Owned(fen.to_string().into_bytes());
        }
        (!tag.value.is_empty()).then_some(tag)
    }

    /// Replaces the value.
    fn edit(&self, value: Vec<u8>) -> TextEdit {
        TextEdit::new(self.span.range(), value)
    }

    /// Returns the start position of the variant, with squares as the tag names them.
    fn usual_start(&self, variant: Variant) -> Vec<u8> {
        let start = Position::start(variant);
        let is_algebraic = Fen::parse(&self.value).is_ok_and(|fen| fen.is_algebraic());
        let fen = if is_algebraic { start.fen_in(SquareNaming::Algebraic) } else { start.fen_with_ranges() };
        fen.into_bytes()
    }
}

impl<'g> Visitor<'g> for FenTag<'g> {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let is_fen = tag.recognised().is_some_and(|found| found.tag == TagName::FEN);
        if is_fen && self.value.is_empty() && !tag.value.trim_ascii().is_empty() {
            (self.value, self.span) = (Cow::Borrowed(tag.value), tag.value_span);
        }
        Flow::Continue(())
    }
}

/// The parts of a FEN between colons, with their offsets: the side to move, and the pieces of a side each.
fn parts(fen: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    fen.split(|&byte| byte == b':').map(move |part| {
        let start = at;
        at += part.len() + 1;
        (start + part.len() - part.trim_ascii_start().len(), part.trim_ascii_start())
    })
}

/// Returns the side that a letter names.
fn side(letter: Option<&u8>) -> Option<Colour> {
    match letter? {
        b'W' | b'w' => Some(Colour::White),
        b'B' | b'b' => Some(Colour::Black),
        _ => None,
    }
}

/// Exchanges the letters of the sides: that of the side to move, those before the pieces, or both. `None` without such letters.
fn exchanged(fen: &[u8], turn: bool, pieces: bool) -> Option<Vec<u8>> {
    let mut value = fen.to_vec();
    let mut changes = 0;
    for (number, (at, part)) in parts(fen).enumerate() {
        if (if number == 0 { turn } else { pieces })
            && let Some(colour) = side(part.first())
        {
            value[at] = (!colour).letter() as u8;
            changes += 1;
        }
    }
    (changes > 0).then_some(value)
}

/// Returns the position with its squares counted from the other side of the board; `None` if one of them is on no board.
fn turned_fen(fen: &[u8], names: &SquareNames) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(fen.len());
    let mut end = 0;
    for (at, part) in parts(fen).skip(1) {
        let Some(squares) = side(part.first()).map(|_| &part[1..]) else { continue };
        value.extend_from_slice(&fen[end..=at]);
        end = at + part.len();
        for (number, item) in squares.split(|&byte| byte == b',').enumerate() {
            if number > 0 {
                value.push(b',');
            }
            turn_item(item, names, &mut value)?;
        }
    }
    value.extend_from_slice(&fen[end..]);
    Some(value)
}

/// Appends a square or a range of squares, such as `K12` or `31-50`, counted from the other side.
fn turn_item(item: &[u8], names: &SquareNames, out: &mut Vec<u8>) -> Option<()> {
    let before = item.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let king = usize::from(matches!(item.get(before), Some(b'K' | b'k')));
    let (start, rest) = item.split_at(before + king);
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let (squares, after) = rest.split_at(len);
    out.extend_from_slice(start);
    if !squares.is_empty() {
        let turned = |text: &[u8]| turned(square(text)?, names);
        let mut ends = squares.splitn(2, |&byte| byte == b'-');
        let first = turned(ends.next()?)?;
        let text = match ends.next() {
            Some(last) => format!("{}-{first}", turned(last)?),
            None => first.to_string(),
        };
        out.extend_from_slice(text.as_bytes());
    }
    out.extend_from_slice(after);
    Some(())
}

/// Reads the name of a square.
fn square(text: &[u8]) -> Option<SquareName> {
    match *text {
        [file, ref rank @ ..] if file.is_ascii_alphabetic() => {
            let rank = std::str::from_utf8(rank).ok()?.parse().ok()?;
            Some(SquareName::Algebraic { file: file.to_ascii_lowercase().checked_sub(b'a')?, rank })
        }
        _ => std::str::from_utf8(text).ok()?.parse().ok().map(SquareName::Number),
    }
}

/// Returns the position with these pieces of one side; `None` if the pieces of the side are not all in one part of the text.
fn with_side(fen: &[u8], colour: Colour, pieces: &[FenPiece]) -> Option<Vec<u8>> {
    let mut own = parts(fen).skip(1).filter(|(_, part)| side(part.first()) == Some(colour));
    let (at, part) = own.next()?;
    if own.next().is_some() {
        return None;
    }
    let of_side = pieces.iter().filter(|piece| piece.colour == colour).copied();
    let written = FenWriter::new(None, of_side).with_ranges().to_string();
    // All pieces are of this side: between its letter and the part of the other one.
    let new = written.split(':').find_map(|part| part.strip_prefix(colour.letter()))?;
    // A full stop may end the text.
    let len = part.iter().rposition(|byte| byte.is_ascii_alphanumeric()).map_or(1, |last| last + 1);
    let mut value = fen[..=at].to_vec();
    value.extend_from_slice(new.as_bytes());
    value.extend_from_slice(&fen[at + len..]);
    Some(value)
}

/// Returns the squares of a board, by numbers or in letters as these pieces are named.
///
/// Variants that share a GameType number may name different squares in letters, and a wrong position does not show which
/// variant it is. So if a piece is on none of the named squares, all squares of the first piece's colour are taken.
fn squares(names: &SquareNames, pieces: &[FenPiece]) -> Vec<FenSquare> {
    let Some(FenSquare::Algebraic { file, rank }) = pieces.first().map(|piece| piece.square) else {
        let numbers = (1..=u16::from(u8::MAX)).take_while(|&number| names.of_number(number).is_some());
        return numbers.map(FenSquare::Number).collect();
    };
    let is_named = |file, rank| names.of_algebraic(file, rank).is_some();
    let all_are_named = pieces.iter().all(|piece| match piece.square {
        FenSquare::Algebraic { file, rank } => is_named(file, rank),
        FenSquare::Number(_) => false,
    });
    let is_light = |file: u8, rank: u8| (file + rank) % 2;
    let (width, height) = (names.board().width(), names.board().height());
    let all = (1..=height).flat_map(move |rank| (0..width).map(move |file| (file, rank)));
    all.filter(|&(f, r)| if all_are_named { is_named(f, r) } else { is_light(f, r) == is_light(file, rank) })
        .map(|(file, rank)| FenSquare::Algebraic { file, rank })
        .collect()
}

/// Returns the square that the player on the other side of the board counts by the same name.
pub(super) fn turned(name: SquareName, names: &SquareNames) -> Option<SquareName> {
    match name {
        SquareName::Number(number) => {
            names.of_number(number.into())?;
            Some(SquareName::Number(square_count(names) + 1 - number))
        }
        SquareName::Algebraic { file, rank } => {
            // Any cell is accepted: variants that share a GameType number name different squares, and a wrong position does not
            // show which variant it is.
            let (width, height) = (names.board().width(), names.board().height());
            (file < width && (1..=height).contains(&rank))
                .then(|| SquareName::Algebraic { file: width - 1 - file, rank: height + 1 - rank })
        }
    }
}

/// Returns the number of squares that the numbers name.
pub(super) fn square_count(names: &SquareNames) -> u8 {
    let count = (1..=u8::MAX).take_while(|&number| names.of_number(number.into()).is_some()).count();
    count as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: Option<Vec<u8>>) -> Option<String> {
        value.map(|value| String::from_utf8(value).unwrap())
    }

    #[test]
    fn letters_of_the_sides_are_exchanged() {
        let fen = b" W:W31-50:BK3,1.";
        assert_eq!(text(exchanged(fen, true, false)).unwrap(), " B:W31-50:BK3,1.");
        assert_eq!(text(exchanged(fen, false, true)).unwrap(), " W:B31-50:WK3,1.");
        assert_eq!(text(exchanged(fen, true, true)).unwrap(), " B:B31-50:WK3,1.");
        assert_eq!(text(exchanged(b"?:W1:B50", true, false)), None);
        assert_eq!(text(exchanged(b"B:Bb6:Wc3", false, true)).unwrap(), "B:Wb6:Bc3");
    }

    #[test]
    fn squares_of_a_position_are_turned() {
        let turn = |variant: Variant, fen: &str| text(turned_fen(fen.as_bytes(), variant.names()));
        let fen = "W:W31-50,K6:B 1, K2:H0:F1.";
        assert_eq!(turn(Variant::International, fen).unwrap(), "W:W1-20,K45:B 50, K49:H0:F1.");
        assert_eq!(turn(Variant::International, "B:W:B1.").unwrap(), "B:W:B50.");
        assert_eq!(turn(Variant::Russian, "W:Wc3,Ka1:Bf6").unwrap(), "W:Wf6,Kh8:Bc3");
        assert_eq!(turn(Variant::International, "W:W51:B1"), None);
    }

    #[test]
    fn pieces_of_one_side_are_replaced() {
        let fen = "W:W31-33,K6:B1,2:H0:F1.";
        let without = |colour, number| {
            let pieces: Vec<FenPiece> = Fen::parse(fen.as_bytes()).unwrap().pieces().collect();
            let rest: Vec<_> =
                pieces.into_iter().filter(|piece| piece.square != FenSquare::Number(number)).collect();
            text(with_side(fen.as_bytes(), colour, &rest)).unwrap()
        };
        assert_eq!(without(Colour::White, 32), "W:W31,33,K6:B1,2:H0:F1.");
        assert_eq!(without(Colour::White, 6), "W:W31-33:B1,2:H0:F1.");
        assert_eq!(without(Colour::Black, 1), "W:W31-33,K6:B2:H0:F1.");
        assert_eq!(text(with_side(b"W:W1:B2:W3", Colour::White, &[])), None);
        assert_eq!(text(with_side(b"W:W1:B2.", Colour::Black, &[])).unwrap(), "W:W1:B.");
    }
}
