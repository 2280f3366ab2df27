//! Compares boards in the terminal character by character, and SVG pictures by their parts.

use pdn::board::Square;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Fen;

use pdn_app::draw::board::svg;

use super::{DrawOptions, terminal};

const INTERNATIONAL: &str = "W:W31,37,K28:B3,K14,20";

#[test]
fn terminal_draws_a_position() {
    check(
        Variant::International,
        INTERNATIONAL,
        "",
        "
 1     ·     ·     ⛂     ·     ·
 6  ·     ·     ·     ·     ·
11     ·     ·     ·     ⛃     ·
16  ·     ·     ·     ·     ⛂
21     ·     ·     ·     ·     ·
26  ·     ·     ⛁     ·     ·
31     ⛀     ·     ·     ·     ·
36  ·     ⛀     ·     ·     ·
41     ·     ·     ·     ·     ·
46  ·     ·     ·     ·     ·
   White to move
",
    );
}

#[test]
fn terminal_prints_square_names() {
    check(
        Variant::English,
        "B:W32,K2:B1,K31",
        "numbers",
        "
     1       2       3       4
      ⛂       ⛁
 5       6       7       8

     9       10      11      12

 13      14      15      16

     17      18      19      20

 21      22      23      24

     25      26      27      28

 29      30      31      32
                  ⛃       ⛀
 Black to move
",
    );
}

#[test]
fn terminal_flips_the_board_and_marks_the_last_move() {
    check(
        Variant::Russian,
        "W:Wc3,Kh8:Bd6,Kg1",
        "flip letters c3 b2",
        "
1     B     ·     ·     ·
2  ·     ·     ·    [·]
3     ·     ·    [w]    ·
4  ·     ·     ·     ·
5     ·     ·     ·     ·
6  ·     ·     b     ·
7     ·     ·     ·     ·
8  W     ·     ·     ·
   h  g  f  e  d  c  b  a
  White to move
",
    );
}

#[test]
fn terminal_draws_a_board_of_all_cells() {
    check(
        Variant::Turkish,
        "W:Wa2,Kh1:Bb7,Kc8",
        "",
        "
8  ·  ·  ⛃  ·  ·  ·  ·  ·
7  ·  ⛂  ·  ·  ·  ·  ·  ·
6  ·  ·  ·  ·  ·  ·  ·  ·
5  ·  ·  ·  ·  ·  ·  ·  ·
4  ·  ·  ·  ·  ·  ·  ·  ·
3  ·  ·  ·  ·  ·  ·  ·  ·
2  ⛀  ·  ·  ·  ·  ·  ·  ·
1  ·  ·  ·  ·  ·  ·  ·  ⛁
   a  b  c  d  e  f  g  h
  White to move
",
    );
}

/// The cell in White's lower left corner is a square in pool and Russian, but not in Italian and Spanish.
#[test]
fn terminal_draws_mirrored_boards() {
    check(
        Variant::Spanish,
        "W:W1,4,5:B29,32,K28",
        "",
        "
32  ⛂     ·     ·     ⛂
28     ⛃     ·     ·     ·
24  ·     ·     ·     ·
20     ·     ·     ·     ·
16  ·     ·     ·     ·
12     ·     ·     ·     ·
 8  ·     ·     ·     ⛀
 4     ⛀     ·     ·     ⛀
   White to move
",
    );
    check(
        Variant::Italian,
        "W:W29,32:B1,4,K5",
        "flip",
        "
32  ⛀     ·     ·     ⛀
28     ·     ·     ·     ·
24  ·     ·     ·     ·
20     ·     ·     ·     ·
16  ·     ·     ·     ·
12     ·     ·     ·     ·
 8  ·     ·     ·     ⛃
 4     ⛂     ·     ·     ⛂
   White to move
",
    );
}

#[test]
fn terminal_draws_wide_boards() {
    check(
        Variant::Spantsiretti,
        "B:Wa1,i1:Bj8,Kb8",
        "",
        "
8     ⛃     ·     ·     ·     ⛂
7  ·     ·     ·     ·     ·
6     ·     ·     ·     ·     ·
5  ·     ·     ·     ·     ·
4     ·     ·     ·     ·     ·
3  ·     ·     ·     ·     ·
2     ·     ·     ·     ·     ·
1  ⛀     ·     ·     ·     ⛀
   a  b  c  d  e  f  g  h  i  j
  Black to move
",
    );
}

#[test]
fn terminal_colours_squares_and_pieces() {
    check(
        Variant::Thai,
        "B:W1,K2:B32,K31",
        "colours 1 5",
        "
32 ^[48;5;223m   ^[0m^[38;5;16m^[48;5;130m ● ^[0m^[48;5;223m   ^[0m^[38;5;16m^[48;5;130m ♛ ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m
28 ^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m
24 ^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m
20 ^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m
16 ^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m
12 ^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m
 8 ^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;64m   ^[0m
 4 ^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[48;5;130m   ^[0m^[48;5;223m   ^[0m^[38;5;231m^[48;5;130m ♛ ^[0m^[48;5;223m   ^[0m^[38;5;231m^[48;5;64m ● ^[0m^[48;5;223m   ^[0m
   Black to move
",
    );
}

/// Every piece, mark and name is in the picture, and no reference to another file.
#[test]
fn svg_contains_all_parts_and_no_reference() {
    let text = "W:W31,37,K28:B3,K14,20";
    let fen = Fen::parse(text.as_bytes()).expect("valid FEN");
    let position = Position::from_fen(Variant::International, &fen).expect("valid position");
    let marks = Some((square_named(&position, "14"), square_named(&position, "10")));
    let count = |options: &DrawOptions, part: &str| svg(&position, options).matches(part).count();
    let plain = DrawOptions::default();
    let all = DrawOptions { square_names: true, flip: true, last_move: marks, ..plain };
    for (options, part, expected) in [
        (&plain, "<svg ", 1),
        (&plain, "</svg>\n", 1),
        (&plain, "<g ", 6),
        (&plain, "<path ", 2),
        (&plain, "<text ", 0),
        (&plain, "href", 0),
        (&plain, "<style", 0),
        (&plain, "<title>White to move. White: K28, 31, 37. Black: 3, K14, 20</title>", 1),
        (&plain, "#d9bd55", 0),
        (&all, "#d9bd55", 2),
        (&all, "<text ", 50),
        (&all, "<g ", 6),
    ] {
        assert_eq!(count(options, part), expected, "{part}");
    }
    // Square 28, in the sixth row and fifth column, from the sides of White and Black; names leave pieces in the middle.
    assert_eq!(count(&plain, "translate(298 358)"), 1);
    assert_eq!(count(&all, "translate(358 298)"), 1);
}

/// Compares the drawing of a position. `settings` lists fields of the options and the squares of the last move.
fn check(variant: Variant, fen: &str, settings: &str, expected: &str) {
    let text = fen;
    let fen = Fen::parse(text.as_bytes()).expect("valid FEN");
    let position = Position::from_fen(variant, &fen).expect("valid position");
    let mut options = DrawOptions::default();
    for word in settings.split_whitespace() {
        match word {
            "numbers" => options.square_names = true,
            "flip" => options.flip = true,
            "colours" => options.colours = true,
            "letters" => options.letters = true,
            square => {
                let square = square_named(&position, square);
                let from = options.last_move.map_or(square, |(from, _)| from);
                options.last_move = Some((from, square));
            }
        }
    }
    let drawn = terminal(&position, &options);
    // Escapes become `^`; the newline in front lets the expected picture start at the margin.
    let drawn = format!("\n{drawn}").replace('\u{1b}', "^");
    assert_eq!(drawn, expected, "{variant} {text} is drawn{drawn}");
}

fn square_named(position: &Position, name: &str) -> Square {
    let (board, names) = (position.board(), position.names());
    (0..board.height())
        .flat_map(|row| (0..board.width()).filter_map(move |column| board.square(row, column)))
        .find(|&square| names.name(square).to_string() == name)
        .expect("a square of this board")
}
