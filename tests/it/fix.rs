//! Plants every kind of mistake in legal games and measures how many are repaired, and how many wrongly.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fastrand::Rng;
use pdn::fix::{Applicability, Fixer, Repair, RepairKind, edits, select};
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;

/// A legal game: its moves, and their texts.
struct Game {
    variant: Variant,
    moves: Vec<Move>,
    texts: Vec<String>,
}

/// Plays a random game, with captures preferred as the rules demand.
fn random_game(variant: Variant, random: &mut Rng) -> Game {
    let mut game = Game { variant, moves: Vec::new(), texts: Vec::new() };
    let mut position = Position::start(variant);
    let mut list = MoveList::new();
    let plies = random.usize(20..90);
    while game.moves.len() < plies {
        position.legal_moves(&mut list).expect("few captures");
        let Some(mv) = random.choice(list.iter().copied()) else { break };
        game.texts.push(position.move_text(&mv, MoveStyle::Shortest));
        game.moves.push(mv);
        position = position.after(&mv);
    }
    game
}

impl Game {
    /// Writes the game. A text may be several moves, or none.
    fn record(&self, texts: &[String]) -> String {
        let mut record = format!("[GameType \"{}\"]\n\n", self.variant.number());
        for (ply, text) in texts.iter().enumerate() {
            if ply % 2 == 0 {
                write!(record, "{}. ", ply / 2 + 1).unwrap();
            }
            write!(record, "{text} ").unwrap();
        }
        record + "*\n"
    }
}

/// Writes a mistake of this kind into the moves. `None` if the game has no place for it.
fn plant(kind: RepairKind, game: &Game, random: &mut Rng) -> Option<Vec<String>> {
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
            let mut position = Position::start(game.variant);
            for mv in &game.moves[..ply] {
                position = position.after(mv);
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
        _ => unreachable!("no mistake of a single move"),
    }
    (texts != game.texts).then_some(texts)
}

/// What became of the mistakes of one kind.
#[derive(Default, Debug)]
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

fn replayed(record: &[u8]) -> (GameStatus, Vec<Move>) {
    let mut moves = Vec::new();
    let summary = Replayer::new(ReplayOptions::default()).replay(record, &mut moves);
    (summary.status, moves)
}

fn is_unsafe(repair: &Repair) -> bool {
    repair.applicability == Applicability::Unsafe
}

#[test]
fn planted_mistakes_are_repaired_or_shown() {
    const KINDS: [RepairKind; 5] = [
        RepairKind::WrongSquare,
        RepairKind::ReversedSquares,
        RepairKind::CaptureEnd,
        RepairKind::LostMove,
        RepairKind::RepeatedMove,
    ];
    let games: u64 = 6;
    let mut tallies: BTreeMap<RepairKind, Tally> = BTreeMap::new();
    let mut fixer = Fixer::default();
    for &variant in Variant::ALL {
        for seed in 0..games {
            let mut random = Rng::with_seed(seed << 16 | u64::from(variant.number()));
            let game = random_game(variant, &mut random);
            for kind in KINDS {
                let Some(texts) = plant(kind, &game, &mut random) else { continue };
                let record = game.record(&texts);
                if replayed(record.as_bytes()).0 == GameStatus::Legal {
                    continue;
                }
                let tally = tallies.entry(kind).or_default();
                tally.planted += 1;
                let repairs = fixer.find(record.as_bytes());
                let chosen = select(&repairs, is_unsafe);
                let same = |repaired: &[u8]| replayed(repaired).1 == game.moves;
                if !chosen.is_empty() {
                    if same(&edits(&chosen).apply(record.as_bytes())) {
                        tally.right += 1;
                    } else {
                        tally.wrong += 1;
                    }
                } else if repairs.iter().flat_map(|repair| &repair.candidates).any(|candidate| {
                    let edits = pdn::edit::TextEdits::new(candidate.edits.clone()).unwrap();
                    same(&edits.apply(record.as_bytes()))
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
}
