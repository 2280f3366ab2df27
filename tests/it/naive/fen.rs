//! Reads and prints FEN such as `B:W29,K34:B9-12`, for positions that the tests know to be well formed.

use super::board::{Board, Colour, Piece, Rank};
use super::rules::Rules;

/// Reads a FEN in the variant's own square names; panics on anything else.
pub(crate) fn read(rules: &Rules, fen: &str) -> Board {
    let parts: Vec<&str> = fen.split(':').collect();
    assert_eq!(parts.len(), 3, "{fen}");
    let mut board = Board::empty(rules, colour(parts[0]));
    for part in &parts[1..] {
        let (side, list) = part.split_at(1);
        let colour = colour(side);
        // A K before a range makes the whole range kings.
        for item in list.split(',').filter(|item| !item.is_empty()) {
            let (rank, names) = match item.strip_prefix('K') {
                Some(names) => (Rank::King, names),
                None => (Rank::Man, item),
            };
            let piece = Some(Piece { colour, rank });
            match names.split_once('-') {
                None => board.put(rules.cell(names), piece),
                Some((first, last)) => {
                    let number = |text: &str| text.parse::<usize>().expect("a square number");
                    for square in number(first)..=number(last) {
                        board.put(rules.cell(&square.to_string()), piece);
                    }
                }
            }
        }
    }
    board
}

/// Prints the position, squares in ascending order, White first.
pub(crate) fn print(rules: &Rules, board: &Board) -> String {
    let mut text = String::from(letter(board.turn));
    for colour in [Colour::White, Colour::Black] {
        let mut items = Vec::new();
        for cell in rules.squares() {
            match board.at(cell) {
                Some(piece) if piece.colour == colour && piece.rank == Rank::King => {
                    items.push(format!("K{}", rules.name(cell)));
                }
                Some(piece) if piece.colour == colour => items.push(rules.name(cell)),
                _ => {}
            }
        }
        text.push(':');
        text.push_str(letter(colour));
        text.push_str(&items.join(","));
    }
    text
}

fn letter(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "W",
        Colour::Black => "B",
    }
}

fn colour(text: &str) -> Colour {
    match text {
        "W" => Colour::White,
        "B" => Colour::Black,
        other => panic!("no colour has the letter {other:?}"),
    }
}
