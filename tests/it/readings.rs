//! Tests disputed readings of the rules. Each is one field, and it changes the moves of the referee positions that
//! were chosen for it. Only this test plays by rules that no row of the table has.

use std::collections::{BTreeMap, BTreeSet};

use pdn::movegen::MoveList;
use pdn::position::{Move, Position};
use pdn::rules::Variant;
use pdn::value::Fen;
use pdn_rules::internal::board::{Direction, Directions};
use pdn_rules::internal::rules::{
    ItalianOrder, KingLanding, KingValue, MidPromotion, Movement, Precedence, Removal, StartSetup,
};
use serde_json::Value;

const POSITIONS: &str = include_str!("../../corpora/rules/positions.jsonl");

/// Changes the field that a referee's tag names; returns `false` if there is no such field.
fn apply(tag: &str, movement: &mut Movement) -> bool {
    let mut precedence = |changed| movement.precedence = changed;
    match tag {
        "majority=None" => precedence(Precedence::Free),
        "majority=quantity" => precedence(Precedence::MostPieces),
        "majority=quality" => precedence(Precedence::MostPiecesThenKings),
        "majority=king" => precedence(Precedence::WithKing),
        "majority=italian" => precedence(Precedence::Italian(ItalianOrder::EveryKing)),
        "majority=italian_first" => precedence(Precedence::Italian(ItalianOrder::FirstKing)),
        "majority=frisian" => precedence(Precedence::Value(KingValue::AlmostTwoMen)),
        // The referee's wrong generator removes pieces at once and lets the capture turn back.
        "removal=now" => (movement.removal, movement.reversal) = (Removal::AtOnce, true),
        "removal=end" => movement.removal = Removal::AtEnd,
        "mid_promo=king" => movement.mid_promotion = MidPromotion::GoesOnAsKing,
        "mid_promo=stop" => movement.mid_promotion = MidPromotion::Stops,
        "mid_promo=pass" => movement.mid_promotion = MidPromotion::GoesOnAsMan,
        "man_x_king flipped" => movement.man_takes_king ^= true,
        "flying flipped" => movement.flying ^= true,
        "no_180 flipped" => movement.reversal ^= true,
        "king_land flipped" => {
            movement.king_landing = match movement.king_landing {
                KingLanding::Anywhere => KingLanding::RightBehind,
                KingLanding::RightBehind => KingLanding::Anywhere,
                other => unreachable!("{other:?}"),
            }
        }
        "men capture backwards flipped" => {
            // The referee's wrong generator lets such a man continue from the last row.
            if movement.man_captures == Directions::FORWARD {
                movement.mid_promotion = MidPromotion::GoesOnAsMan;
            }
            movement.man_captures = match movement.man_captures {
                Directions::FORWARD => Directions::DIAGONAL,
                Directions::FORWARD_AND_SIDEWAYS => Directions::ORTHOGONAL,
                Directions::EIGHT => {
                    [Direction::NorthWest, Direction::NorthEast, Direction::North].into_iter().collect()
                }
                _ => Directions::FORWARD,
            }
        }
        "men capture backwards" => movement.man_captures = Directions::ORTHOGONAL,
        "men capture diagonally only" => movement.man_captures = Directions::DIAGONAL,
        "kings capture diagonally only" => movement.king_captures = Directions::DIAGONAL,
        "kings move orthogonally too" => movement.king_moves = Directions::EIGHT,
        _ => return false,
    }
    true
}

fn moves(position: &Position) -> BTreeSet<Move> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list).expect("few captures");
    list.iter().copied().collect()
}

#[test]
fn every_field_changes_the_moves_of_its_positions() {
    let mut changes: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let rows: Vec<Value> = POSITIONS.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for row in &rows {
        let variant = Variant::from_name(row["variant"].as_str().expect("a name")).expect("a variant");
        let fen = row["fen"].as_str().expect("a string");
        let fen = Fen::parse(fen.as_bytes()).expect("a FEN");
        let game = variant.game();
        let default = moves(&Position::from_fen(game, &fen).expect("a position"));
        for tag in row["tags"].as_array().expect("a list") {
            let Some(rule) = tag.as_str().and_then(|tag| tag.strip_prefix("kills:")) else { continue };
            let mut changed = game;
            assert!(apply(rule, &mut changed.rules.movement), "no field for {rule}");
            let changed = moves(&Position::from_fen(changed, &fen).expect("a position"));
            let (changed_positions, tagged) = changes.entry(rule).or_default();
            *tagged += 1;
            *changed_positions += u32::from(changed != default);
        }
    }
    let without_effect: Vec<_> =
        changes.iter().filter(|(_, (changed_positions, tagged))| changed_positions < tagged).collect();
    assert!(changes.len() >= 20, "{changes:?}");
    assert!(without_effect.is_empty(), "these leave positions as they were: {without_effect:?}");
}

fn check(variant: Variant, change: impl Fn(&mut Movement), fen: &str, default: &[&str], changed: &[&str]) {
    let fen = Fen::parse(fen.as_bytes()).expect("a FEN");
    let mut game = variant.game();
    for (expected, reading) in [(default, "default"), (changed, "changed")] {
        let position = Position::from_fen(game, &fen).expect("a position");
        let names = position.names();
        let found: BTreeSet<String> = moves(&position)
            .iter()
            .map(|mv| {
                format!(
                    "{}x{}{}",
                    names.name(mv.from),
                    names.name(mv.to),
                    if mv.promotes { "=K" } else { "" }
                )
            })
            .collect();
        assert_eq!(
            found,
            expected.iter().map(|text| text.to_string()).collect(),
            "{variant}, {reading} reading"
        );
        change(&mut game.rules.movement);
    }
}

#[test]
fn disputed_rules_allow_both_readings() {
    // A man reaches the last row next to another capturable piece: it continues sideways, stops, or continues as a
    // king.
    let fen = "W:Wa6:Ba7,b8,d8,d2,h8";
    check(Variant::Turkish, |m| m.mid_promotion = MidPromotion::Stops, fen, &["a6xe8=K"], &["a6xa8=K"]);
    check(
        Variant::Turkish,
        |m| m.mid_promotion = MidPromotion::GoesOnAsKing,
        "W:Wa6:Ba7,c8,h8",
        &["a6xa8=K"],
        &["a6xd8=K", "a6xe8=K", "a6xf8=K", "a6xg8=K"],
    );
    // The squares on which a king may land after a jump.
    check(
        Variant::Turkish,
        |m| m.king_landing = KingLanding::RightBehind,
        "W:WKa1:Ba4,h8",
        &["a1xa5", "a1xa6", "a1xa7", "a1xa8"],
        &["a1xa5"],
    );
    // Two kings are worth more than three men, or exactly the same.
    check(
        Variant::Frisian,
        |m| m.precedence = Precedence::Value(KingValue::ManAndHalf),
        "W:W25,46:BK32,K41,8,9,20",
        &["46x28"],
        &["25x12", "46x28"],
    );
}

#[test]
fn thai_setup_allows_twelve_men() {
    let mut game = Variant::Thai.game();
    game.rules.setup = StartSetup::new(game.rules.board, 0, 3).unwrap();
    assert_eq!(Position::start(game).fen_with_ranges(), "B:W1-12:B21-32");
}

#[test]
fn spantsiretti_board_allows_international_rules() {
    let mut game = Variant::Spantsiretti.game();
    game.rules.movement = Variant::International.rules().movement;
    let fen = Fen::parse(b"W:Wb6:Ba7,c7,e7,g7,h4").expect("a FEN");
    // Under Russian rules the man is promoted on d8 and may choose; International rules demand the most pieces.
    let russian = moves(&Position::from_fen(Variant::Spantsiretti, &fen).expect("a position"));
    let international = moves(&Position::from_fen(game, &fen).expect("a position"));
    assert!(russian.iter().all(|mv| mv.promotes));
    assert_ne!(russian, international);
}
