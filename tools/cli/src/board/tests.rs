//! What a board looks like in the terminal, to the letter; the SVG by its parts.

use pdn::board::Square;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Fen;

use super::{Options, svg, terminal};

const INTERNATIONAL: &str = "W:W31,37,K28:B3,K14,20";

#[test]
fn plain_board() {
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
fn numbers() {
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
fn flipped_with_letters_and_the_last_move() {
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
fn a_board_without_light_squares() {
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

/// Pool and Russian have a playing square in White's lower left corner, Italian and Spanish have not.
#[test]
fn mirrored_boards() {
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
fn wide_boards() {
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
fn colours() {
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

/// Every piece, mark and name is in the picture, and nothing that a viewer would have to fetch.
#[test]
fn svg_is_complete() {
    let text = "W:W31,37,K28:B3,K14,20";
    let fen = Fen::parse(text.as_bytes()).expect("the syntax is right");
    let position = Position::from_fen(Variant::International, &fen).expect("a good position");
    let marks = Some((square_called(&position, "14"), square_called(&position, "10")));
    let count = |options: &Options, part: &str| svg(&position, options).matches(part).count();
    let plain = Options::default();
    let all = Options { numbers: true, flip: true, last_move: marks, ..plain };
    for (options, part, expected) in [
        (&plain, "<svg ", 1),
        (&plain, "</svg>\n", 1),
        (&plain, "<g ", 6),
        (&plain, "<path ", 2),
        (&plain, "<text ", 0),
        (&plain, "href", 0),
        (&plain, "<style", 0),
        (&plain, "<title>White to move. White: K28, 31, 37. Black: 3, K14, 20</title>", 1),
        (&plain, "#9aa545", 0),
        (&all, "#9aa545", 2),
        (&all, "<text ", 50),
        (&all, "<g ", 6),
    ] {
        assert_eq!(count(options, part), expected, "{part}");
    }
    // 28 as White and as Black sees it.
    // 28 is on the sixth row in the fifth column; where names are shown, pieces move aside a little.
    assert_eq!(count(&plain, "translate(298 358)"), 1);
    assert_eq!(count(&all, "translate(362 302)"), 1);
}

/// `how`: fields of the options, and the squares where the last move began and ended.
fn check(variant: Variant, fen: &str, how: &str, expected: &str) {
    let text = fen;
    let fen = Fen::parse(text.as_bytes()).expect("the syntax is right");
    let position = Position::from_fen(variant, &fen).expect("a good position");
    let mut options = Options::default();
    for word in how.split_whitespace() {
        match word {
            "numbers" => options.numbers = true,
            "flip" => options.flip = true,
            "colours" => options.colours = true,
            "letters" => options.letters = true,
            square => {
                let square = square_called(&position, square);
                let from = options.last_move.map_or(square, |(from, _)| from);
                options.last_move = Some((from, square));
            }
        }
    }
    let drawn = terminal(&position, &options);
    // Escapes made visible, and a newline in front so that the expected picture starts at the margin.
    let drawn = format!("\n{drawn}").replace('\u{1b}', "^");
    assert_eq!(drawn, expected, "{variant} {text} is drawn{drawn}");
}

fn square_called(position: &Position, name: &str) -> Square {
    let (board, names) = (position.board(), position.names());
    (0..board.height())
        .flat_map(|row| (0..board.width()).filter_map(move |column| board.square(row, column)))
        .find(|&square| names.name(square).to_string() == name)
        .expect("a square of this board")
}
