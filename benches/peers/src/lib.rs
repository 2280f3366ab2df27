//! Chess archives to measure readers of chess with, of the same kind as our draughts archives: made from a seed, many
//! different games of about 80 plies, tags of the same length, lines of 80 columns.

use std::fmt::Write;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

/// Text, and what is in it.
#[derive(Debug)]
pub struct Pgn {
    /// The archive.
    pub text: String,
    /// How many games it has.
    pub games: usize,
    /// How many moves.
    pub moves: usize,
}

/// Games of random legal moves, at least `bytes` of them.
pub fn chess(bytes: usize) -> Pgn {
    let mut pgn = Pgn { text: String::new(), games: 0, moves: 0 };
    let mut random = Random(1);
    while pgn.text.len() < bytes {
        game(&mut pgn, &mut random);
    }
    pgn
}

fn game(pgn: &mut Pgn, random: &mut Random) {
    let (event, length) = (random.below(400), 50 + random.below(60));
    let (month, day) = (1 + random.below(12), 1 + random.below(28));
    write!(
        pgn.text,
        "[Event \"Open championship {event}, group {}\"]\n[Site \"Wijk aan Zee {event}\"]\n[Round \"{}\"]\n\
         [Date \"2003.{month:02}.{day:02}\"]\n[White \"Kasparov, {}\"]\n[Black \"Timman, {}\"]\n[Result \"1/2-1/2\"]\n[ECO \"B{day:02}\"]\n",
        event % 7,
        pgn.games % 11,
        char::from(b'A' + (event % 26) as u8),
        char::from(b'A' + (pgn.games % 26) as u8),
    )
    .expect("a string takes everything");
    let mut column = 80;
    let mut position = Chess::default();
    for ply in 0..length {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[random.below(legal.len())];
        if ply % 2 == 0 {
            word(&mut pgn.text, &mut column, &format!("{}.", ply / 2 + 1));
        }
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        word(&mut pgn.text, &mut column, &san.to_string());
        pgn.moves += 1;
    }
    word(&mut pgn.text, &mut column, "1/2-1/2");
    pgn.text.push_str("\n\n");
    pgn.games += 1;
}

/// A word, on a new line where the old one is full.
fn word(text: &mut String, column: &mut usize, word: &str) {
    let full = *column + 1 + word.len() > 79;
    text.push(if full { '\n' } else { ' ' });
    text.push_str(word);
    *column = if full { word.len() } else { *column + 1 + word.len() };
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) % bound as u64) as usize
    }
}
