//! Compares replays with a naive twin, which generates all legal moves and takes the one whose squares are those of
//! the text.

#![expect(clippy::print_stderr, reason = "a skipped test prints the reason")]

use pdn::board::{SquareNames, SquareNaming};
use pdn::internal::replay::FilePrior;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn::split;
use pdn::view;
use pdn_rules::internal::notation::write_move;

/// Returns the square names of a text, split at every other character; a text of four characters is split in halves.
fn squares(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let parts: Vec<String> = text
        .split(|c: char| !(c.is_ascii_digit() || ('a'..='l').contains(&c)))
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_start_matches('0').to_owned())
        .collect();
    match &parts[..] {
        [one] if one.len() == 4 => vec![one[..2].to_owned(), one[2..].to_owned()],
        _ => parts,
    }
}

/// Returns the square names of every path of a move.
fn paths_of(position: &Position, names: &SquareNames, letters: SquareNaming, mv: &Move) -> Vec<Vec<String>> {
    let name = |square| names.name_in(square, letters).to_string();
    let paths = position.paths(mv).expect("captures within the limit");
    paths.iter().map(|path| path.squares.iter().map(|&square| name(square)).collect()).collect()
}

/// Returns the only legal move that a text can mean, found among all of them; `None` if there is none or several.
fn naive(position: &Position, names: &SquareNames, text: &str) -> Option<Move> {
    let written = squares(text);
    let letters = if text.starts_with(|c: char| c.is_ascii_digit()) {
        SquareNaming::Numeric
    } else {
        SquareNaming::Algebraic
    };
    let name = |square| names.name_in(square, letters).to_string();
    let mut list = MoveList::new();
    position.legal_moves(&mut list).expect("captures within the limit");
    let same_ends: Vec<Move> = list
        .iter()
        .copied()
        .filter(|mv| name(mv.from) == written[0] && Some(&name(mv.to)) == written.last())
        .collect();
    match &same_ends[..] {
        [one] => Some(*one),
        _ => {
            let mut exact =
                same_ends.into_iter().filter(|mv| paths_of(position, names, letters, mv).contains(&written));
            let one = exact.next()?;
            exact.next().is_none().then_some(one)
        }
    }
}

#[test]
fn replay_equals_naive_replay_on_real_games() {
    let root = crate::common::root().join("../shared/corpora");
    if !root.is_dir() {
        eprintln!("skipped: no real files at {}", root.display());
        return;
    }
    let mut compared = 0;
    for file in [
        "EricCJoyce+Datasets/ACF_a.pdn",
        "bcorfman+raven-checkers/tinsley.pdn",
        "Yodachess+BrunoGUI_Dames/2ème Open national du Léman.pdn",
        "Yodachess+BrunoGUI_Dames/Montpellier Open Serie A.pdn",
        "miskibin+py-draughts/brazilian.pdn",
        "wiegerw+pdn/fail/Cat.A1.pdn",
        "wiegerw+pdn/mrcd2000kval.pdn",
        "wiegerw+pdn/ussr1947.pdn",
        "wiegerw+pdn/OCA_2.0.pdn",
    ] {
        let bytes = std::fs::read(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let prior = FilePrior::of(split::records(&bytes).map(|game| game.bytes), &ReplayOptions::default());
        let mut replayer = Replayer::new(&ReplayOptions::default());
        replayer.set_prior(prior);
        for game in split::records(&bytes).take(700) {
            let mut moves = Vec::new();
            let summary = replayer.replay(game.bytes, &mut moves);
            let names = summary.game().names();
            let mut position = summary.start_position();
            for (ply, written) in
                view::RecordView::from(game).moves().take(summary.plies as usize).enumerate()
            {
                let text = String::from_utf8_lossy(written.text);
                let Some(mv) = naive(&position, &names, &text) else {
                    panic!("{file}: {text} at ply {ply} in {}", position.fen())
                };
                assert_eq!(moves[ply], mv, "{file}: {text} in {}", position.fen());
                position.play_unchecked(&mv);
                compared += 1;
            }
            assert_eq!(position, summary.last_position(), "{file}");
        }
    }
    assert!(compared > 50_000, "only {compared} plies");
}

/// A generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    /// Returns a number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Writes a move in one of the forms that occur in real files.
fn dialect(
    random: &mut Random,
    position: &Position,
    names: &SquareNames,
    letters: SquareNaming,
    mv: &Move,
) -> String {
    let mut short = String::new();
    let numbering = names.numbering().with_letters(letters);
    let named = SquareNames::new(names.board(), numbering);
    write_move(position, &named, mv, MoveStyle::Shortest, &mut short).expect("captures within the limit");
    let parts = squares(&short);
    // Separators beyond ASCII are understood only between numbers.
    let separators = ["-", "x", ":", "X", " - ", "\u{2013}", "\u{d7}"];
    let separator = separators[random.below(if letters == SquareNaming::Numeric { 7 } else { 5 })];
    // A king that captures in a circle from square 1: `1-1` is a draw, by the letter of PDN and for every reader.
    let separator = if parts == ["1", "1"] { "x" } else { separator };
    if parts.len() > 2 {
        return parts.join(separator.trim());
    }
    let numeric = letters == SquareNaming::Numeric;
    match random.below(8) {
        0 if numeric => parts.iter().map(|part| format!("{part:0>2}")).collect::<Vec<_>>().join(separator),
        1 if numeric => parts.iter().map(|part| format!("{part:0>2}")).collect::<String>(),
        1 => parts.concat(),
        2 => parts.join(separator).to_uppercase().replace('X', "x"),
        3 if mv.is_capture() => {
            let paths = paths_of(position, &named, letters, mv);
            paths[random.below(paths.len())].join(separator.trim())
        }
        4 if mv.is_capture() => {
            // Jump by jump, as PDN 1.0 allows.
            let paths = paths_of(position, &named, letters, mv);
            let path = &paths[random.below(paths.len())];
            path.windows(2).map(|pair| pair.join("x")).collect::<Vec<_>>().join(" ")
        }
        _ => parts.join(separator),
    }
}

#[test]
fn replay_equals_naive_replay_on_generated_games() {
    let mut random = Random(crate::common::seed(1));
    let mut replayer = Replayer::new(&ReplayOptions::default());
    let mut split_jumps = 0;
    for &variant in Variant::ALL {
        for round in 0..60 {
            let start = Position::start(variant);
            let names = start.names();
            let mut position = start;
            let mut expected = Vec::new();
            let letters = [SquareNaming::Numeric, SquareNaming::Algebraic][random.below(2)];
            let tag = if variant.number() >= 96 { variant.number().to_string() } else { variant.tag() };
            let mut text = format!("[GameType \"{tag}\"]\n");
            let mut list = MoveList::new();
            for _ in 0..80 {
                position.legal_moves(&mut list).expect("captures within the limit");
                if list.is_empty() {
                    break;
                }
                let mv = list[random.below(list.len())];
                let written = dialect(&mut random, &position, &names, letters, &mv);
                split_jumps += usize::from(written.matches('x').count() > 1 && written.contains(' '));
                text += &written;
                text += " ";
                expected.push(mv);
                position.play_unchecked(&mv);
            }
            text += "*";
            let mut moves = Vec::new();
            let summary = replayer.replay(text.as_bytes(), &mut moves);
            assert_eq!(
                (summary.status, summary.plies as usize, summary.variant.rules()),
                (GameStatus::Legal, expected.len(), variant.rules()),
                "{variant} round {round}: {text}\n{:?} in {}",
                summary.stop.map(|stop| String::from_utf8_lossy(stop.span.of(text.as_bytes())).into_owned()),
                summary.last_position().fen(),
            );
            assert_eq!(moves, expected, "{variant} round {round}: {text}");
            assert_eq!(summary.last_position().state(), position.state());
        }
    }
    assert!(split_jumps > 50, "only {split_jumps} captures are written jump by jump");
}
