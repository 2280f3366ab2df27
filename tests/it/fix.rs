//! Plants every kind of mistake in legal games of every variant and measures how many are repaired, and how many wrongly. The
//! guide prints the same figures.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fastrand::Rng;
use pdn::board::SquareNaming;
use pdn::fix::{Applicability, Fixer, Repair, RepairKind, edits, select};
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;

use crate::common;

/// A legal game: its moves, and their texts.
struct Game {
    variant: Variant,
    start: Position,
    moves: Vec<Move>,
    texts: Vec<String>,
}

/// Plays a random game, with captures preferred as the rules demand.
fn random_game(variant: Variant, random: &mut Rng) -> Game {
    let plies = random.usize(20..90);
    random_game_from(Position::start(variant), variant, plies, random)
}

/// Plays a random game from this position, of at most `plies` plies.
fn random_game_from(start: Position, variant: Variant, plies: usize, random: &mut Rng) -> Game {
    let mut game = Game { variant, start, moves: Vec::new(), texts: Vec::new() };
    let mut position = start;
    let mut list = MoveList::new();
    while game.moves.len() < plies {
        position.legal_moves(&mut list).expect("few captures");
        let Some(mv) = random.choice(list.iter().copied()) else { break };
        game.texts.push(position.move_text(&mv, MoveStyle::Shortest));
        game.moves.push(mv);
        position = position.after_unchecked(&mv);
    }
    game
}

impl Game {
    /// Writes the game. A text may be several moves, or none.
    fn record(&self, texts: &[String]) -> String {
        self.record_with(&format!("[GameType \"{}\"]\n", self.variant.number()), texts)
    }

    /// Writes the game with this FEN tag.
    fn record_from(&self, fen: &str) -> String {
        self.record_with(&format!("[GameType \"{}\"]\n[FEN \"{fen}\"]\n", self.variant.number()), &self.texts)
    }

    /// Writes the game with these tags.
    fn record_with(&self, tags: &str, texts: &[String]) -> String {
        let mut record = format!("{tags}\n");
        for (ply, text) in texts.iter().enumerate() {
            if ply % 2 == 0 {
                write!(record, "{}. ", ply / 2 + 1).unwrap();
            }
            write!(record, "{text} ").unwrap();
        }
        record + "*\n"
    }
}

/// Writes a mistake of this kind into a record of the game. `None` if the game has no place for it.
fn plant(kind: RepairKind, game: &Game, random: &mut Rng) -> Option<String> {
    let number = game.variant.number();
    match kind {
        RepairKind::Variant => {
            // The tag of another game with the same names of squares.
            let letters = |variant: Variant| variant.game().numbering.letters;
            let others: Vec<Variant> = Variant::ALL
                .iter()
                .copied()
                .filter(|other| other.number() != number && letters(*other) == letters(game.variant))
                .collect();
            let other = random.choice(&others)?;
            Some(game.record_with(&format!("[GameType \"{}\"]\n", other.number()), &game.texts))
        }
        RepairKind::SideToMove => {
            // The other side begins in the start position.
            let fen = Position::start(game.variant).fen();
            let other = if let Some(rest) = fen.strip_prefix('W') {
                format!("B{rest}")
            } else {
                format!("W{}", &fen[1..])
            };
            let tags = format!("[GameType \"{number}\"]\n[FEN \"{other}\"]\n");
            Some(game.record_with(&tags, &game.texts))
        }
        RepairKind::UsualStart => {
            // The position after some moves, over all moves.
            let ply = random.usize(1..game.moves.len());
            let fen =
                game.moves[..ply].iter().fold(game.start, |position, mv| position.after_unchecked(mv)).fen();
            Some(game.record_from(&fen))
        }
        RepairKind::ExchangedSides => {
            // The pieces of both sides, and the side to move in half of the games.
            let fen = game.start.fen();
            let exchange = |text: &str| text.replace('W', "w").replace('B', "W").replace('w', "B");
            let (turn, pieces) = fen.split_once(':')?;
            let turn = if random.bool() { exchange(turn) } else { turn.to_owned() };
            Some(game.record_from(&format!("{turn}:{}", exchange(pieces))))
        }
        RepairKind::TurnedStart => {
            let names = game.variant.names();
            let last = u16::from(names.board().squares()) + 1;
            let fen = game.start.fen_in(SquareNaming::Numeric);
            let turned = |square: &str| {
                let (king, number) = square.split_at(square.find(|c: char| c.is_ascii_digit()).unwrap());
                format!("{king}{}", last - number.parse::<u16>().unwrap())
            };
            let side = |part: &str| {
                let squares = part[1..].split(',').filter(|square| !square.is_empty());
                format!("{}{}", &part[..1], squares.map(turned).collect::<Vec<_>>().join(","))
            };
            let mut parts = fen.split(':');
            let turn = parts.next()?;
            Some(game.record_from(&format!("{turn}:{}", parts.map(side).collect::<Vec<_>>().join(":"))))
        }
        RepairKind::StartPiece => {
            // One of the pieces is lost.
            let fen = game.start.fen();
            let places: Vec<usize> = fen.match_indices(',').map(|(at, _)| at).collect();
            let at = *random.choice(&places)?;
            let len = fen[at + 1..].find([',', ':']).map_or(fen.len() - at, |len| len + 1);
            Some(game.record_from(&format!("{}{}", &fen[..at], &fen[at + len..])))
        }
        RepairKind::TurnedBoard | RepairKind::MirroredBoard => {
            let names = game.variant.names();
            let board = names.board();
            let map = |square: &str| -> Option<String> {
                if let Ok(number) = square.parse::<u16>() {
                    if kind == RepairKind::TurnedBoard {
                        return Some((u16::from(board.squares()) + 1 - number).to_string());
                    }
                    // The square in the same place of its row, counted from the other end.
                    let row = |number| names.of_number(number).map(|square| names.algebraic(square).1);
                    let same: Vec<u16> =
                        (1..=u16::from(board.squares())).filter(|&other| row(other) == row(number)).collect();
                    return Some((same[0] + same[same.len() - 1] - number).to_string());
                }
                let (file, rank) = (square.as_bytes()[0] - b'a', square[1..].parse::<u8>().ok()?);
                if kind == RepairKind::MirroredBoard {
                    return None;
                }
                Some(format!("{}{}", char::from(b'a' + board.width() - 1 - file), board.height() + 1 - rank))
            };
            let texts: Option<Vec<String>> = game
                .texts
                .iter()
                .map(|text| {
                    let mark = &text[text.find(['-', 'x', ':'])?..][..1];
                    let squares: Option<Vec<String>> = text.split(mark).map(map).collect();
                    Some(squares?.join(mark))
                })
                .collect();
            Some(game.record(&texts?))
        }
        _ => plant_in_moves(kind, game, random).map(|texts| game.record(&texts)),
    }
}

/// Writes a mistake of this kind into the moves.
fn plant_in_moves(kind: RepairKind, game: &Game, random: &mut Rng) -> Option<Vec<String>> {
    let mut texts = game.texts.clone();
    let ply = random.usize(..texts.len());
    let text = texts[ply].clone();
    match kind {
        RepairKind::WrongSquare => {
            let places: Vec<usize> = text
                .char_indices()
                .filter(|(_, c)| c.is_alphanumeric() && *c != 'x')
                .map(|(at, _)| at)
                .collect();
            let at = *random.choice(&places)?;
            let old = text.as_bytes()[at];
            let new = if old.is_ascii_digit() { random.u8(b'0'..=b'9') } else { random.u8(b'a'..=b'h') };
            let mut bytes = text.into_bytes();
            bytes[at] = new;
            texts[ply] = String::from_utf8(bytes).ok()?;
        }
        RepairKind::ReversedSquares => {
            let separator = text.find(['-', 'x', ':'])?;
            let mark = &text[separator..=separator];
            let squares: Vec<&str> = text.split(mark).collect();
            texts[ply] = squares.into_iter().rev().collect::<Vec<_>>().join(mark);
        }
        RepairKind::CaptureEnd => {
            let mut position = game.start;
            for mv in &game.moves[..ply] {
                position = position.after_unchecked(mv);
            }
            let mv = &game.moves[ply];
            let path = position.paths(mv).ok()?.into_iter().next()?;
            if path.squares.len() < 3 {
                return None;
            }
            // Only the first jump is written.
            let squares =
                [path.squares[0], path.squares[1]].map(|square| position.names().name(square).to_string());
            texts[ply] = squares.join("x");
        }
        RepairKind::LostMove => texts[ply] = String::new(),
        RepairKind::RepeatedMove => texts[ply] = format!("{text} {text}"),
        RepairKind::SwappedMoves => {
            let next = ply + 1;
            if next >= texts.len() {
                return None;
            }
            texts.swap(ply, next);
        }
        _ => unreachable!("no mistake of a single move"),
    }
    (texts != game.texts).then_some(texts)
}

/// What became of the mistakes of one kind.
#[derive(Clone, Default, Debug)]
struct Tally {
    planted: u32,
    /// Repaired, and the game is the one that was played.
    right: u32,
    /// Repaired to another game.
    wrong: u32,
    /// Shown, with the game that was played among the candidates.
    shown: u32,
    /// Neither.
    missed: u32,
}

/// Returns the status, the variant and the moves of a record.
fn replayed(record: &[u8]) -> (GameStatus, Variant, Vec<Move>) {
    let mut moves = Vec::new();
    let summary = Replayer::new(&ReplayOptions::default()).replay(record, &mut moves);
    (summary.status, summary.variant, moves)
}

fn is_unsafe(repair: &Repair) -> bool {
    repair.applicability == Applicability::Unsafe
}

fn is_safe(repair: &Repair) -> bool {
    repair.applicability == Applicability::Safe
}

/// The kinds of mistakes with their names in the guide, and the number of games of each variant into which one is planted.
const KINDS: [(RepairKind, &str, u64); 14] = [
    (RepairKind::WrongSquare, "wrong square", 6),
    (RepairKind::ReversedSquares, "squares reversed", 6),
    (RepairKind::CaptureEnd, "capture ends too early", 6),
    (RepairKind::LostMove, "move lost", 6),
    (RepairKind::RepeatedMove, "move written twice", 6),
    (RepairKind::TurnedBoard, "board seen from the other side", 3),
    (RepairKind::MirroredBoard, "board mirrored", 3),
    (RepairKind::Variant, "wrong variant in the tag", 3),
    (RepairKind::SideToMove, "wrong side begins", 3),
    (RepairKind::UsualStart, "position of another ply in the FEN tag", 3),
    (RepairKind::ExchangedSides, "pieces of both sides exchanged in the FEN tag", 3),
    (RepairKind::TurnedStart, "FEN tag seen from the other side", 3),
    (RepairKind::StartPiece, "piece lost in the FEN tag", 3),
    (RepairKind::SwappedMoves, "neighbouring moves swapped", 6),
];

/// Mistakes in a position that is set up: they are planted in games that start in one.
const SET_UP: [RepairKind; 3] = [RepairKind::ExchangedSides, RepairKind::TurnedStart, RepairKind::StartPiece];

#[test]
fn planted_mistakes_are_repaired_or_shown() {
    let mut tallies: BTreeMap<RepairKind, Tally> = BTreeMap::new();
    let mut fixer = Fixer::default();
    for (own, &variant) in (0..).zip(Variant::ALL) {
        for seed in 0..6 {
            let mut random = Rng::with_seed(common::seed(seed << 16 | own));
            let game = random_game(variant, &mut random);
            for (kind, _, games) in KINDS {
                if seed >= games {
                    continue;
                }
                let later;
                let mut game = &game;
                if SET_UP.contains(&kind) {
                    let ply = random.usize(10..game.moves.len().max(11)).min(game.moves.len());
                    let start = game.moves[..ply]
                        .iter()
                        .fold(game.start, |position, mv| position.after_unchecked(mv));
                    later = random_game_from(start, variant, 40, &mut random);
                    game = &later;
                }
                if game.moves.is_empty() {
                    continue;
                }
                let Some(record) = plant(kind, game, &mut random) else { continue };
                let record = record.as_bytes();
                let (status, read_as, moves) = replayed(record);
                // A mistake that makes another legal game cannot be seen. A wrong tag can, although the moves are read.
                let is_seen = if kind == RepairKind::Variant {
                    fixer.find(record).iter().any(|repair| repair.kind == RepairKind::Variant)
                        || status != GameStatus::Legal
                } else {
                    status != GameStatus::Legal
                };
                if !is_seen {
                    continue;
                }
                let tally = tallies.entry(kind).or_default();
                tally.planted += 1;
                let repairs = fixer.find(record);
                let safe = edits(&select(&repairs, is_safe)).apply(record);
                assert!(
                    replayed(&safe) == (status, read_as, moves),
                    "a safe repair changes a move: {}",
                    record.escape_ascii()
                );
                let chosen = select(&repairs, is_unsafe);
                let same = |repaired: &[u8]| replayed(repaired).2 == game.moves;
                if !chosen.is_empty() {
                    if same(&edits(&chosen).apply(record)) {
                        tally.right += 1;
                    } else {
                        tally.wrong += 1;
                    }
                } else if repairs.iter().flat_map(|repair| &repair.candidates).any(|candidate| {
                    let edits = pdn::edit::TextEdits::new(candidate.edits.clone()).unwrap();
                    same(&edits.apply(record))
                }) {
                    tally.shown += 1;
                } else {
                    tally.missed += 1;
                }
            }
        }
    }
    let sum = |count: fn(&Tally) -> u32| tallies.values().map(count).sum::<u32>();
    let (right, wrong) = (sum(|t| t.right), sum(|t| t.wrong));
    assert!(right > 0 && wrong * 100 <= right + wrong, "{tallies:#?}");
    let row = |(kind, name, _): &(RepairKind, &str, u64)| {
        let Tally { planted, right, wrong, shown, missed } =
            tallies.get(kind).unwrap_or(&Tally::default()).clone();
        format!("| {name} | {planted} | {right} | {wrong} | {shown} | {missed} |\n")
    };
    let table: String = KINDS.iter().map(row).collect();
    let guide = std::fs::read_to_string(common::root().join("crates/app/src/guide/repairs.md")).unwrap();
    // The figures are those of the test's own seeds.
    assert!(
        common::outside_seed() != 0 || guide.contains(&table),
        "the guide has other figures; these are right:\n{table}"
    );
}
