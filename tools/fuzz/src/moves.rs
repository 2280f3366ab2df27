//! Properties of positions and their moves.

use pdn::game::Game;
use pdn::movegen::{MoveList, perft};
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::value::Fen;
use pdn_rules::internal::movegen::FindError;
use pdn_rules::internal::notation::{MoveText, SquareCodes, write_move};

/// Legal moves of any position are found, written, read, played and taken back consistently.
///
/// The first byte selects the variant; the rest is the position as a FEN.
pub fn moves(data: &[u8]) {
    let Some((&which, text)) = data.split_first() else { return };
    let variant = Variant::ALL[usize::from(which) % Variant::ALL.len()];
    let Ok(fen) = Fen::parse(text) else { return };
    let strict = Position::from_fen(variant, &fen);
    let Ok(position) = Position::from_fen_lenient(variant.game(), &fen, |odd| drop(odd.to_string())) else {
        assert!(strict.is_err(), "what is strictly right is leniently right: {fen:?}");
        return;
    };
    let text = position.fen();
    let back =
        Position::from_fen_lenient(variant.game(), &Fen::parse(text.as_bytes()).expect("as written"), |_| ());
    assert_eq!(back.map(|back| *back.state()).as_ref(), Ok(position.state()), "{text}");
    of_position(&position);
}

/// Search budget of a fuzz run; positions of real games take about a hundred nodes.
const FEW_NODES: u32 = 3_000;

/// Checks the legal moves of `position` against each other.
pub(crate) fn of_position(position: &Position) {
    let mut list = MoveList::new();
    if position.legal_moves_within(FEW_NODES, &mut list).is_err() {
        return;
    }
    let moves: Vec<Move> = list.iter().copied().collect();
    assert_eq!(position.has_move(), !moves.is_empty(), "{}", position.fen());
    assert_eq!(perft(position, 1, FEW_NODES), Ok(moves.len() as u64), "{}", position.fen());
    let captures = moves.iter().filter(|mv| mv.is_capture()).count();
    assert!(captures == 0 || captures == moves.len(), "{}", position.fen());
    let names = position.names();
    let codes = SquareCodes::new(&names);
    for (n, mv) in moves.iter().enumerate() {
        assert!(!moves[..n].contains(mv), "{mv:?} twice in {}", position.fen());
        assert_ne!(position.is_legal(mv), Ok(false), "{mv:?} in {}", position.fen());
        let same_ends = moves.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count();
        match position.find_within(FEW_NODES, mv.from, mv.to, &[]) {
            Ok(found) => assert_eq!((found, same_ends), (*mv, 1), "{}", position.fen()),
            Err(FindError::Ambiguous) => assert!(same_ends > 1, "{mv:?} in {}", position.fen()),
            Err(FindError::Limit) => {}
            Err(error) => panic!("{mv:?} in {}: {error:?}", position.fen()),
        }
        // Write and read.
        for style in [MoveStyle::Shortest, MoveStyle::Chain] {
            let mut text = String::new();
            if write_move(position, &names, mv, style, &mut text).is_err() {
                continue;
            }
            let read = MoveText::read(text.as_bytes()).unwrap_or_else(|| panic!("{text} is no move"));
            let squares: Vec<_> = read
                .squares()
                .iter()
                .map(|&code| codes.square(code).unwrap_or_else(|| panic!("{text}")))
                .collect();
            let [from, via @ .., to] = &squares[..] else { panic!("{text}") };
            match position.find_within(FEW_NODES, *from, *to, via) {
                Ok(found) => assert_eq!(found, *mv, "{text} in {}", position.fen()),
                Err(FindError::Limit) => {}
                // Two captures of different pieces along the same squares: no notation distinguishes them.
                Err(FindError::Ambiguous) if same_ends > 1 => {}
                Err(error) => panic!("{text} in {}: {error:?}", position.fen()),
            }
        }
        // Play and take back.
        let mut game = Game::from_position(*position);
        assert_eq!(game.play_move(mv), Ok(()), "{mv:?} in {}", position.fen());
        let after = *game.position();
        assert_eq!(after, position.after_unchecked(mv));
        let (before, then) = (position.counts(), after.counts());
        let pieces = |counts: pdn::position::PieceCounts| {
            counts.men.iter().chain(&counts.kings).map(|&n| u32::from(n)).sum::<u32>()
        };
        assert_eq!(pieces(before), pieces(then) + mv.captured_squares().count() as u32, "{mv:?}");
        assert_eq!(game.undo(), Some(*mv));
        assert_eq!(game.position(), position);
        assert_eq!(game.position().key(), position.key());
    }
}
