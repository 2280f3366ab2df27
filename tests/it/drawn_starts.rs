//! Games of draughts-64 whose first moves are the draw of their start position.

use pdn::convert::{ConvertOptions, Converter};
use pdn::diag::Code;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, Replayer};
use pdn::rules::Variant;
use pdn::source::Decoder;
use pdn::value::Colour;

/// Returns the name of the dark square with a number of the 8x8 board, counted from the side of Black.
fn name(number: usize) -> String {
    let (row, column) = ((number - 1) / 4, (number - 1) % 4);
    let file = column * 2 + usize::from(row % 2 == 0);
    format!("{}{}", (b'a' + file as u8) as char, 8 - row)
}

/// A random draw: its text, and the position after it.
fn draw(variant: Variant, random: &mut fastrand::Rng) -> (String, Position) {
    loop {
        let mut men = [(21..=32).collect::<Vec<usize>>(), (1..=12).collect()];
        let mut texts = vec!["---".to_owned(); 2];
        let mut put = Vec::new();
        for (side, own) in men.iter_mut().enumerate() {
            if random.u8(..8) > 0 {
                let from = own.swap_remove(random.usize(..12));
                put.push((side, from, random.usize(1..=32)));
            }
        }
        for &(side, from, to) in &put {
            texts[side] = format!("{}-{}", name(from), name(to));
            let is_free = men.iter().all(|men| !men.contains(&to));
            // A man on the other side's first row would be a king.
            let is_man = if side == 0 { to > 4 } else { to < 29 };
            if is_free && is_man {
                men[side].push(to);
            }
        }
        let is_whole = men[0].len() + men[1].len() == 24;
        if !put.is_empty() && is_whole {
            let list = |men: &[usize]| men.iter().map(|&number| name(number)).collect::<Vec<_>>().join(",");
            let fen = format!("W:W{}:B{}", list(&men[0]), list(&men[1]));
            return (texts.join(" "), Position::parse_fen(variant, &fen).expect("a position"));
        }
    }
}

/// Plays at most `plies` random plies, and returns their texts in numbered pairs from move 2 on, and the moves.
fn play(mut position: Position, plies: usize, random: &mut fastrand::Rng) -> (String, Vec<Move>) {
    let (mut text, mut moves) = (String::new(), Vec::new());
    let mut list = MoveList::new();
    for ply in 0..plies {
        position.legal_moves(&mut list).expect("few captures");
        let Some(&mv) = list.as_slice().get(random.usize(..list.as_slice().len().max(1))) else { break };
        if position.turn() == Colour::White {
            text += &format!(" {}.", ply / 2 + 2);
        }
        text += &format!(" {}", position.move_text(&mv, MoveStyle::Chain));
        position = position.after_unchecked(&mv);
        moves.push(mv);
    }
    (text, moves)
}

#[test]
fn drawn_positions_replay_and_are_written_as_such() {
    let mut random = fastrand::Rng::with_seed(crate::common::seed(64));
    let (mut replayer, mut drawn) = (Replayer::default(), 0);
    let mut converter = Converter::new(&ConvertOptions::new());
    for round in 0..2000 {
        let variant = [Variant::Russian, Variant::Brazilian, Variant::UnifiedPool][round % 3];
        let (draw, start) = draw(variant, &mut random);
        let plies = [0, 3, 30][random.usize(..3)];
        let (played, moves) = play(start, plies, &mut random);
        let record = format!("[GameType \"{}\"]\n\n1. {draw}{played} *\n", variant.tag());
        let mut read: Vec<Move> = Vec::new();
        let summary = replayer.replay(record.as_bytes(), &mut read);
        // Both moves of the draw may be legal, or the rest may be so without it.
        if !replayer.move_diagnostics().iter().any(|found| found.code == Code::DrawnStart) {
            assert!(summary.plies > 0, "{record}");
            continue;
        }
        drawn += 1;
        assert_eq!((summary.start_position().fen(), &read), (start.fen(), &moves), "{record}");
        let status = if moves.is_empty() { GameStatus::Problem } else { GameStatus::Legal };
        assert_eq!(summary.status, status, "{record}");

        let mut text = Vec::new();
        converter.convert(record.as_bytes(), &Decoder::default(), &mut text).expect("written");
        let written = String::from_utf8_lossy(&text).into_owned();
        assert!(written.contains(&format!("{{{draw}}}")), "{written}");
        assert!(written.contains("[SetUp \"1\"]"), "{written}");
        let again = replayer.replay(&text, &mut read);
        assert!(replayer.move_diagnostics().is_empty(), "{written}");
        assert_eq!((again.status, again.start_position().fen()), (status, start.fen()), "{written}");
        assert_eq!(read, moves, "{written}");
    }
    assert!(drawn > 1500, "only {drawn} are read as drawn");
}

#[test]
fn other_first_moves_are_no_draw() {
    let mut replayer = Replayer::default();
    for (record, expected) in [
        // The official forms.
        ("[GameType \"25\"] 1. a1-b4 b6-a5 *", "problem"),
        ("[GameType \"25\"] 1. b2-h6 h6-a5 2. c3-d4 *", "legal"),
        ("[GameType \"25\"] 1. --- d6-a5 2. c3-d4 *", "legal"),
        ("[GameType \"26\"] 1. d2-d4 --- *", "problem"),
        ("[GameType \"25\"] 1. C1-D4 {drawn} B6-A5 2. e3-f4 *", "legal"),
        ("[GameType \"25\"] [FEN \"?\"] 1. a1-b4 b6-a5 *", "problem"),
        ("1. c3-d4 e7-e5 2. b2-c3 f6-g5 *", "legal"),
        ("[GameType \"25\"] 1. d6-a5 2. c3-d4 *", "legal"),
        ("[GameType \"25\"] 1. D6-A5 *", "problem"),
        // Moves of the other side, or in the other order, are no draw.
        ("[GameType \"25\"] 1. d6-c5 2. c3-d4 *", "illegal"),
        ("[GameType \"25\"] 1. d6-c5 c3-d4 2. b6-a5 g3-h4 *", "illegal"),
        ("[GameType \"25\"] 1. b6-a5 a1-b4 *", "illegal"),
        // The men do not stand there, the squares are not free, or a man would be on its promotion row.
        ("[GameType \"25\"] 1. a1-b2 b6-a5 *", "illegal"),
        ("[GameType \"25\"] 1. d4-b4 b6-a5 *", "illegal"),
        ("[GameType \"25\"] 1. a3-f8 f8-a5 *", "illegal"),
        ("[GameType \"25\"] 1. a1-b5 b6-a5 *", "illegal"),
        // Captures, other games and other positions.
        ("[GameType \"25\"] 1. a1xb4 b6-a5 *", "illegal"),
        ("[GameType \"20\"] 1. 46-23 5-28 *", "illegal"),
        ("[GameType \"21\"] 1. 1-14 21-18 *", "illegal"),
        ("[GameType \"25\"] [FEN \"W:Wa1,h2:Bb6\"] 1. a1-b4 b6-a5 *", "illegal"),
        // The rest contradicts it.
        ("[GameType \"25\"] 1. a1-b4 b6-a5 2. a1-b2 *", "illegal"),
        // Later moves are none of the draw.
        ("[GameType \"25\"] 1. c3-d4 d6-c5 2. a1-b4 *", "illegal"),
    ] {
        assert_eq!(replayer.summary(record.as_bytes()).status.name(), expected, "{record}");
    }
}
