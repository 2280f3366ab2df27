//! Generated games, copies of them, and games that only look like copies.

use std::fmt::Write;

use fastrand::Rng;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::value::{Colour, Fen};

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
    let game: pdn::internal::replay::CandidateGame = game_type.parse().unwrap();
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
    let mut rng = Rng::with_seed(crate::common::seed(seed));
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
        // Longer than what a look-alike below shares with the original, forced moves after the opening included.
        let cut = rng.usize(34..moves.len());
        push(record(&tags, &moves[..cut], 2, &["Event"]), game, Some(original));
        push(record(&tags, &moves[..cut - 3], 5, &["Date"]), game, Some(original));
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

/// A piece at a row and a column.
type Cell = (i8, i8, Colour, bool);

/// Writes a position as a FEN; `None` if a piece stands on a cell that is no square.
fn fen(variant: Variant, turn: Colour, cells: &[Cell]) -> Option<String> {
    let names = variant.game().names();
    let layout = variant.board().layout();
    let mut sides = [String::new(), String::new()];
    for &(row, column, colour, king) in cells {
        let bit = layout.bit(row, column)?;
        let square = (1..=u16::from(layout.squares()))
            .find_map(|number| names.of_number(number).filter(|square| square.bit() == bit))?;
        let side = &mut sides[colour as usize];
        write!(
            side,
            "{}{}{}",
            if side.is_empty() { "" } else { "," },
            if king { "K" } else { "" },
            square_name(variant, square)
        )
        .unwrap();
    }
    let [white, black] = sides;
    Some(format!("{}:W{white}:B{black}", if turn == Colour::White { 'W' } else { 'B' }))
}

fn square_name(variant: Variant, square: pdn::board::Square) -> String {
    variant.game().names().name(square).to_string()
}

/// Returns problems: of each position several records, also turned and mirrored, with and without moves, and some between known players.
pub(super) fn problems(positions: usize, seed: u64) -> Vec<GameText> {
    let mut rng = Rng::with_seed(crate::common::seed(seed));
    let mut records = Vec::new();
    let variants =
        [Variant::International, Variant::Russian, Variant::English, Variant::Turkish, Variant::Frisian];
    for _ in 0..positions {
        let variant = variants[rng.usize(..variants.len())];
        let layout = variant.board().layout();
        let (height, width) = (layout.height as i8, layout.width as i8);
        let mut cells: Vec<Cell> = Vec::new();
        for row in 1..height - 1 {
            for column in 0..width {
                if layout.bit(row, column).is_some() && rng.u8(..9) == 0 {
                    let colour = if rng.bool() { Colour::White } else { Colour::Black };
                    cells.push((row, column, colour, rng.u8(..4) == 0));
                }
            }
        }
        if cells.is_empty() {
            continue;
        }
        let turn = if rng.bool() { Colour::White } else { Colour::Black };
        for _ in 0..rng.usize(1..7) {
            let (flip, mirror) = (rng.bool(), rng.bool());
            // One in three is also moved over the board, unless pieces leave it.
            let (down, right) = match rng.u8(..3) {
                0 => (rng.i8(-2..=2), rng.i8(-2..=2)),
                _ => (0, 0),
            };
            let moved: Vec<Cell> = cells
                .iter()
                .map(|&(row, column, colour, king)| {
                    let (row, column, colour) = if flip {
                        (height - 1 - row, width - 1 - column, colour.other())
                    } else {
                        (row, column, colour)
                    };
                    let column = if mirror { width - 1 - column } else { column };
                    (row + down, column + right, colour, king)
                })
                .collect();
            let is_promoted = |&(row, _, colour, king): &Cell| {
                !king && row == if colour == Colour::White { 0 } else { height - 1 }
            };
            if moved.iter().any(is_promoted) {
                continue;
            }
            let Some(fen) = fen(variant, if flip { turn.other() } else { turn }, &moved) else { continue };
            records.push(GameText { text: problem(&mut rng, variant, &fen), game: 0, copy_of: None });
        }
    }
    records
}

/// Writes a record of a position with random tags and some moves.
fn problem(rng: &mut Rng, variant: Variant, fen: &str) -> String {
    let mut text = String::new();
    for (tag, values) in [
        ("Event", ["Book", "Magazine", "?"]),
        ("White", ["Wiersma, H.", "?", "Clerc, R."]),
        ("Black", ["?", "Sijbrands, T.", ""]),
    ] {
        writeln!(text, "[{tag} \"{}\"]", values[rng.usize(..3)]).unwrap();
    }
    writeln!(text, "[GameType \"{}\"]\n[FEN \"{fen}\"]\n", variant.number()).unwrap();
    let mut position = Position::from_fen(variant, &Fen::parse(fen.as_bytes()).unwrap()).unwrap();
    let mut list = MoveList::new();
    for _ in 0..rng.usize(..3) {
        position.legal_moves(&mut list).unwrap();
        if list.is_empty() {
            break;
        }
        let mv = list[rng.usize(..list.len().min(2))];
        write!(text, "{} ", position.move_text(&mv, MoveStyle::Chain)).unwrap();
        position.play_unchecked(&mv);
    }
    if rng.u8(..8) == 0 {
        text += "99-98 ";
    }
    text + ["*\n\n", "{in three} *\n\n"][rng.usize(..2)]
}
