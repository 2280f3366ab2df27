//! Tests the ends of games: no move, no piece, breakthrough, the Frisian limit on king moves, draw rules, capture
//! limits.

use pdn::movegen::{CaptureLimit, DEFAULT_CAPTURE_NODES, GameEndReason, MoveList, perft};
use pdn::position::Position;
use pdn::rules::{DrawReason, Variant};
use pdn::value::{Colour, Fen};
use pdn_rules::internal::movegen::{DrawWatch, FindError};

fn read(variant: Variant, fen: &str) -> Position {
    let fen = Fen::parse(fen.as_bytes()).expect("the syntax is right");
    Position::from_fen_lenient(variant, &fen, |_| {}).expect("a position")
}

/// Plays moves given as square numbers.
fn play(position: &mut Position, moves: &[(u16, u16)]) -> Result<(), FindError> {
    let names = position.names();
    for &(from, to) in moves {
        let [from, to] = [from, to].map(|number| names.of_number(number).expect("a square"));
        let mv = position.find(from, to, &[])?;
        position.play_unchecked(&mv);
    }
    Ok(())
}

#[test]
fn game_end_follows_the_rules_of_the_variant() {
    use Colour::{Black, White};
    use GameEndReason::{Breakthrough, NoMove, NoPiece};
    for (variant, fen, expected) in [
        (Variant::International, "W:W31:B26", None),
        (Variant::International, "W:W36:B31,27", Some((Black, NoMove))),
        (Variant::International, "W:W:B31", Some((Black, NoPiece))),
        (Variant::Antidraughts, "W:W36:B31,27", Some((White, NoMove))),
        (Variant::Antidraughts, "W:W:B31", Some((White, NoPiece))),
        (Variant::Breakthrough, "B:WK1,36:B31,27", Some((White, Breakthrough))),
        (Variant::Breakthrough, "W:W36:B31,K46", Some((Black, Breakthrough))),
        // The king that was there first wins: that of the side that is not to move.
        (Variant::Breakthrough, "B:WK1,36:B31,K46", Some((White, Breakthrough))),
        (Variant::Breakthrough, "W:WK1,36:B31,K46", Some((Black, Breakthrough))),
        (Variant::Breakthrough, "W:W36:B31,27", Some((Black, NoMove))),
        (Variant::English, "B:W:B1", None),
    ] {
        let end = read(variant, fen).end().map(|end| (end.winner, end.reason));
        assert_eq!(end, expected, "{variant} {fen}");
    }
}

#[test]
fn frisian_king_rests_after_three_moves() {
    let mut position = read(Variant::Frisian, "W:WK46,50:BK3,K1,20");
    // White moves one king to and fro, Black two kings alternately.
    assert_eq!(play(&mut position, &[(46, 41), (3, 8), (41, 46), (1, 6), (46, 41), (8, 3)]), Ok(()));
    assert_eq!(position.streak(Colour::White).moves, 3);
    assert_eq!(position.streak(Colour::Black).moves, 1);
    let mut fourth = position;
    assert_eq!(play(&mut fourth, &[(41, 46)]), Err(FindError::Illegal));
    let mut list = MoveList::new();
    position.legal_moves(&mut list).expect("few captures");
    assert!(list.iter().all(|mv| position.names().number(mv.from) == 50), "only the man may move");
    // Leaf counts ignore the limit.
    assert!(perft(&position, 1, DEFAULT_CAPTURE_NODES).expect("few captures") > list.len() as u64);
    // After a move of the man the king may move again.
    assert_eq!(play(&mut position, &[(50, 45), (3, 8), (41, 46)]), Ok(()));
    assert_eq!(position.streak(Colour::White).moves, 1);
    // So it may after a null move.
    let mut passed = fourth;
    passed.pass();
    assert_eq!(passed.streak(Colour::White).moves, 0);
    // Without a man there is no limit.
    let moves = [(46, 41), (3, 8), (41, 46), (8, 3), (46, 41), (3, 8), (41, 46)];
    assert_eq!(play(&mut read(Variant::Frisian, "W:WK46:BK3"), &moves), Ok(()));
    // International draughts has no limit either.
    assert_eq!(play(&mut read(Variant::International, "W:WK46,50:BK3,20"), &moves), Ok(()));
}

#[test]
fn draw_watch_reports_draw_rules() {
    let watch = |variant, fen: &str, cycle: &[(u16, u16)]| {
        let mut position = read(variant, fen);
        let mut watch = DrawWatch::new(&position);
        let names = position.names();
        for (ply, &(from, to)) in cycle.iter().cycle().take(200).enumerate() {
            let [from, to] = [from, to].map(|number| names.of_number(number).expect("a square"));
            let mv = position.find(from, to, &[]).expect("a legal move");
            let before = position;
            position.play_unchecked(&mv);
            if let Some(reason) = watch.played(&before, &mv, &position) {
                return Some((ply + 1, reason));
            }
        }
        None
    };
    // A cycle of four plies: the start position comes back after 4 and 8.
    let cycle = [(46, 41), (3, 8), (41, 46), (8, 3)];
    assert_eq!(watch(Variant::Frisian, "W:WK46,K50:BK3,K1", &cycle), Some((8, DrawReason::Repetition)));
    assert_eq!(watch(Variant::Turkish, "W:WK1:BK64", &[(1, 2)]), Some((1, DrawReason::OneAgainstOne)));
    // Two kings against one: a draw after five moves of each side.
    assert_eq!(
        watch(
            Variant::International,
            "W:WK46,K50:BK3",
            &[(46, 41), (3, 8), (41, 36), (8, 2), (36, 31), (2, 8), (31, 26), (8, 3), (26, 31), (3, 9)]
        ),
        Some((10, DrawReason::LoneKing))
    );
}

/// Plays quiet moves of kings to positions that occurred less than twice and in which no capture is possible, until a
/// draw rule applies or `most` plies are played. Returns the number of plies, and the rule.
fn wander(position: &mut Position, watch: &mut DrawWatch, most: usize) -> (usize, Option<DrawReason>) {
    let mut seen = vec![position.fen()];
    for ply in 1..=most {
        let quiet = |position: &Position| {
            let moves = position.moves().expect("few captures");
            moves.into_iter().filter(|mv| !mv.is_capture()).collect::<Vec<_>>()
        };
        let is_king = |mv: &pdn::position::Move| position.state().kings >> mv.from.bit() & 1 != 0;
        let visits = |mv: &pdn::position::Move| {
            let after = position.after_unchecked(mv).fen();
            seen.iter().filter(|fen| **fen == after).count()
        };
        let next = quiet(position)
            .into_iter()
            .filter(|mv| {
                let after = position.after_unchecked(mv);
                let all = after.moves().expect("few captures").len();
                is_king(mv) && visits(mv) < 2 && all > 0 && quiet(&after).len() == all
            })
            .min_by_key(visits);
        let mv = next.expect("room to wander");
        let before = *position;
        position.play_unchecked(&mv);
        seen.push(position.fen());
        if let Some(reason) = watch.played(&before, &mv, position) {
            return (ply, Some(reason));
        }
    }
    (most, None)
}

#[test]
fn quiet_plies_are_counted_from_the_last_move_of_a_man() {
    let mut position = read(Variant::International, "W:WK49,K50,36,46,47:BK1,K2,5,6");
    let mut watch = DrawWatch::new(&position);
    assert_eq!(wander(&mut position.clone(), &mut watch.clone(), 100), (50, Some(DrawReason::QuietPlies)));
    assert_eq!(wander(&mut position, &mut watch, 48), (48, None));
    // A move of a man begins to count anew.
    let names = position.names();
    let [from, to] = [47, 41].map(|number| names.of_number(number).expect("a square"));
    let mv = position.find(from, to, &[]).expect("a legal move");
    let before = position;
    position.play_unchecked(&mv);
    assert_eq!(watch.played(&before, &mv, &position), None);
    assert_eq!(wander(&mut position, &mut watch, 100), (50, Some(DrawReason::QuietPlies)));
}

#[test]
fn plies_against_a_lone_king_are_counted_from_its_arrival() {
    // The capture of the man leaves two kings against one.
    let mut position = read(Variant::International, "W:WK46,K5:B41,K3");
    let mut watch = DrawWatch::new(&position);
    let names = position.names();
    let [from, to] = [46, 37].map(|number| names.of_number(number).expect("a square"));
    let mv = position.find(from, to, &[]).expect("a legal capture");
    let before = position;
    position.play_unchecked(&mv);
    assert_eq!(watch.played(&before, &mv, &position), None);
    assert_eq!(wander(&mut position, &mut watch, 100), (10, Some(DrawReason::LoneKing)));
}

/// One of two or three pieces has to be a king.
#[test]
fn king_with_a_man_has_five_moves_against_a_lone_king() {
    let mut position = read(Variant::International, "W:WK50,36:BK2");
    let mut watch = DrawWatch::new(&position);
    assert_eq!(wander(&mut position, &mut watch, 100), (10, Some(DrawReason::LoneKing)));
}

#[test]
fn one_piece_against_several_is_no_draw_in_turkish_draughts() {
    for (fen, expected) in
        [("W:WK1:BK64,K63", None), ("W:WK1:BK64", Some(DrawReason::OneAgainstOne)), ("W:WK1,K57:BK64", None)]
    {
        let before = read(Variant::Turkish, fen);
        let mv = before.moves().expect("few captures")[0];
        assert!(!mv.is_capture(), "{fen}");
        let after = before.after_unchecked(&mv);
        assert_eq!(DrawWatch::new(&before).played(&before, &mv, &after), expected, "{fen}");
    }
}

#[test]
fn capture_search_stops_at_its_limit() {
    // Flying kings find pieces to capture in every direction, again and again.
    let mut black = Vec::new();
    for row in (1..11).step_by(2) {
        for column in 0..6 {
            black.push((row * 6 + column + 1).to_string());
        }
    }
    let fen = format!("W:WK72:B{}", black.join(","));
    let position = read(Variant::Canadian, &fen);
    let mut list = MoveList::new();
    let nodes = 50;
    assert_eq!(position.legal_moves_within(nodes, &mut list), Err(CaptureLimit), "{fen}");
    let moves: Vec<_> = (1..=72).filter_map(|number| position.names().of_number(number)).collect();
    let from = moves[71];
    assert!(moves.iter().any(|&to| position.find_within(nodes, from, to, &[]) == Err(FindError::Limit)));
    assert_eq!(perft(&position, 1, nodes), Err(CaptureLimit));
    // Under the default limits the result comes quickly, whether it is moves or an error.
    let _ = position.legal_moves(&mut list);
}
