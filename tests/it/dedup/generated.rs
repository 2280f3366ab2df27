//! Generated games, copies of them, and games that only look like copies.

use std::fmt::Write;

use fastrand::Rng;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::rules::Variant;

/// A record.
#[derive(Clone, Debug)]
pub(super) struct GameText {
    pub(super) text: String,
    /// Number of the game that was played.
    pub(super) game: usize,
    /// Number of the record of which it is a copy.
    pub(super) copy_of: Option<u64>,
}

/// Spellings of players.
const PLAYERS: [&[&str]; 12] = [
    &["Sijbrands, T.", "Ton Sijbrands", "SIJBRANDS Ton", "T. Sijbrands"],
    &["Wiersma, H.", "Harm Wiersma", "H. Wiersma"],
    &["Чижов, Алексей", "Chizhov, Alexei", "Tsjizjov, A.", "A. Chizhov"],
    &["Шварцман, Александр", "Schwarzman, A.", "Alexander Schwarzman"],
    &["Wal, J. van der", "Jannes van der Wal", "van der Wal, Jannes"],
    &["Clerc, R.", "Rob Clerc", "CLERC Rob"],
    &["Гантварг, Анатолий", "Gantwarg, A.", "A. Gantvarg"],
    &["Georgiev, A.", "Alexander Georgiev", "Георгиев, Александр"],
    &["Dibman, V.", "Vadim Dibman"],
    &["Thijssen, K.", "Kees Thijssen"],
    &["Boomstra, R.", "Roel Boomstra"],
    &["Valneris, G.", "Guntis Valneris"],
];

/// The tags of a game that are compared.
#[derive(Clone, Debug)]
struct Tags {
    white: usize,
    black: usize,
    event: String,
    round: u32,
    year: u32,
    day: u32,
}

fn play(rng: &mut Rng, start: &[Move], plies: usize) -> Vec<Move> {
    let mut position = Position::start(Variant::International);
    let mut moves = start.to_vec();
    position = moves.iter().fold(position, |position, mv| position.after_unchecked(mv));
    let mut list = MoveList::new();
    while moves.len() < plies {
        position.legal_moves(&mut list).unwrap();
        if list.is_empty() {
            break;
        }
        let mv = list[rng.usize(..list.len())];
        moves.push(mv);
        position.play_unchecked(&mv);
    }
    moves
}

/// Writes a record. `spelling` chooses names and the notation of the moves.
fn record(tags: &Tags, moves: &[Move], spelling: usize, missing: &[&str]) -> String {
    let name = |player: usize| PLAYERS[player][spelling % PLAYERS[player].len()];
    let mut text = String::new();
    for (tag, value) in [
        ("Event", tags.event.clone()),
        ("Round", tags.round.to_string()),
        ("Date", format!("{}.04.{:02}", tags.year, tags.day)),
        ("White", name(tags.white).to_owned()),
        ("Black", name(tags.black).to_owned()),
    ] {
        if !missing.contains(&tag) {
            writeln!(text, "[{tag} \"{value}\"]").unwrap();
        } else if spelling.is_multiple_of(2) {
            writeln!(text, "[{tag} \"?\"]").unwrap();
        }
    }
    // Square names, and how captures are written.
    let (game_type, style) = match spelling % 3 {
        0 => ("20", MoveStyle::Shortest),
        1 => ("20", MoveStyle::Chain),
        _ => ("20,W,10,10,A0,0", MoveStyle::Shortest),
    };
    writeln!(text, "[GameType \"{game_type}\"]\n").unwrap();
    let game: pdn::replay::CandidateGame = game_type.parse().unwrap();
    let mut position = Position::start(game.game());
    for (ply, mv) in moves.iter().enumerate() {
        if ply.is_multiple_of(2) && spelling % 4 != 3 {
            write!(text, "{}. ", ply / 2 + 1).unwrap();
        }
        write!(text, "{} ", position.move_text(mv, style)).unwrap();
        if ply % 7 == 3 && spelling % 4 == 2 {
            text += "{a comment} $1 ";
        }
        position = position.after_unchecked(mv);
    }
    text + "*\n\n"
}

/// Returns `games` games with eight records each on average: copies of all kinds and look-alikes.
pub(super) fn copies_and_look_alikes(games: usize, seed: u64) -> Vec<GameText> {
    let mut rng = Rng::with_seed(seed);
    let mut records: Vec<GameText> = Vec::new();
    let mut played = 0;
    let mut push = |text: String, game: usize, copy_of: Option<u64>| {
        records.push(GameText { text, game, copy_of });
        records.len() as u64 - 1
    };
    let mut next = || {
        played += 1;
        played
    };
    for _ in 0..games {
        let white = rng.usize(..PLAYERS.len());
        let black = (white + 1 + rng.usize(..PLAYERS.len() - 1)) % PLAYERS.len();
        let tags = Tags {
            white,
            black,
            event: format!("Cup {}", rng.u32(..50)),
            round: rng.u32(1..20),
            year: rng.u32(1960..2020),
            day: rng.u32(5..15),
        };
        let plies = rng.usize(46..80);
        let moves = play(&mut rng, &[], plies);
        if moves.len() < 40 {
            continue;
        }
        let game = next();
        let original = push(record(&tags, &moves, 0, &[]), game, None);
        // Copies: spelt otherwise, without some tags, cut short, and with other last moves.
        push(record(&tags, &moves, 1, &[]), game, Some(original));
        push(record(&tags, &moves, 2, &["Event", "Date"]), game, Some(original));
        push(record(&tags, &moves, 3, &["White", "Black", "Round"]), game, Some(original));
        let cut = rng.usize(25..moves.len());
        push(record(&tags, &moves[..cut], 2, &["Event"]), game, Some(original));
        push(record(&tags, &moves[..cut.max(28) - 3], 5, &["Date"]), game, Some(original));
        let changed = moves.len() - rng.usize(1..6);
        let mistaken = play(&mut rng, &moves[..changed], moves.len() - 1);
        let days_later = Tags { day: tags.day + rng.u32(..3), ..tags.clone() };
        push(record(&days_later, &mistaken, 1, &["Event"]), game, Some(original));

        // Look-alikes. The same opening by other players, on the same day:
        let opening = &moves[..24];
        let others = Tags { white: (white + 5) % 12, black: (black + 7) % 12, ..tags.clone() };
        if others.white != white && others.black != black {
            let moves = play(&mut rng, opening, plies);
            push(record(&others, &moves, 0, &["Round"]), next(), None);
        }
        // The same players in the next round, a day later, and a week later without a round:
        let rematch = Tags { round: tags.round + 1, day: tags.day + 1, ..tags.clone() };
        let moves = play(&mut rng, opening, plies);
        push(record(&rematch, &moves, 1, &[]), next(), None);
        let later = Tags { day: tags.day + 7, ..tags.clone() };
        let moves = play(&mut rng, opening, plies);
        push(record(&later, &moves, 2, &["Round", "Event"]), next(), None);
        // The opening alone, by the same players in another year:
        let other_year = Tags { year: tags.year + 1, ..tags.clone() };
        push(record(&other_year, opening, 0, &["Round"]), next(), None);
        // Short draws with the same moves: by the same players on another day, and by others.
        let short = &opening[..12];
        push(record(&tags, short, 0, &["Event"]), next(), None);
        let again = Tags { day: tags.day + 10, ..tags.clone() };
        push(record(&again, short, 1, &["Event", "Round"]), next(), None);
        let others = Tags { white: (white + 3) % 12, black: (black + 3) % 12, ..tags };
        push(record(&others, short, 2, &["Event"]), next(), None);
    }
    records
}
