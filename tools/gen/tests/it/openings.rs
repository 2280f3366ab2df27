//! Tests that generated games open as often alike as real ones. The figures of real archives are those of the example `measure`.

use std::collections::HashMap;

use pdn::rules::Variant;
use pdn::split;
use pdn::view::RecordView;
use pdn_gen::{Amount, Options, Share, generate, measure};

fn archive(variant: Variant, games: u64) -> Vec<u8> {
    let mut archive = Vec::new();
    let options = Options { setups: Share::NONE, ..Options::new(Amount::Games(games), &[variant]) };
    generate(&options, &mut archive).expect("memory takes everything");
    archive
}

#[test]
fn first_moves_are_as_frequent_as_in_real_games() {
    for (variant, moves) in [
        (
            Variant::International,
            &[("32-28", 530), ("34-30", 118), ("33-28", 98), ("34-29", 85), ("35-30", 23)][..],
        ),
        (Variant::English, &[("11-15", 209), ("9-13", 169), ("10-15", 153), ("9-14", 137), ("12-16", 78)]),
        (Variant::Russian, &[("c3-d4", 591), ("c3-b4", 236), ("g3-f4", 58), ("g3-h4", 14)]),
        (Variant::Brazilian, &[("c3-b4", 520), ("c3-d4", 240)]),
        (Variant::Czech, &[("c3-d4", 775), ("g3-f4", 100)]),
        (Variant::Antidraughts, &[("31-27", 455), ("34-30", 136)]),
    ] {
        let text = archive(variant, 1200);
        let mut first: HashMap<String, u64> = HashMap::new();
        for record in split::records(&text) {
            let mv = RecordView::from(record).moves().next().expect("a move");
            *first.entry(String::from_utf8_lossy(mv.text).into_owned()).or_default() += 1;
        }
        for &(mv, expected) in moves {
            let found = first.get(mv).copied().unwrap_or(0) * 1000 / 1200;
            assert!(
                found.abs_diff(expected) <= 45,
                "{variant}: {mv} has {found} thousandths, not {expected}"
            );
        }
    }
}

#[test]
fn positions_are_shared_by_as_many_games_as_in_real_archives() {
    // Games for each different position after 2, 4 .. 16 plies, in tenths, in real archives of so many games.
    for (variant, games, sharing) in [
        (Variant::International, 389, [77, 33, 20, 15, 12, 10, 10, 10]),
        (Variant::English, 5410, [1176, 164, 68, 45, 31, 24, 20, 17]),
        (Variant::Russian, 208, [80, 35, 22, 20, 16, 14, 12, 11]),
    ] {
        let figures = measure(&archive(variant, games), variant);
        for (plies, expected) in (2..).step_by(2).zip(sharing) {
            let found = figures.sharing(plies);
            assert!(
                found * 100 >= expected * 70 && found * 100 <= expected * 135,
                "{variant}: {found} tenths of games share a position after {plies} plies, not {expected}"
            );
        }
    }
}

#[test]
fn first_moves_of_variants_without_real_games_are_spread() {
    for variant in [
        Variant::Italian,
        Variant::Pool,
        Variant::Thai,
        Variant::Canadian,
        Variant::Turkish,
        Variant::Frisian,
    ] {
        let figures = measure(&archive(variant, 600), variant);
        assert!((200..600).contains(&figures.favourite()), "{variant}: {}", figures.favourite());
        assert!(figures.first.len() > 5, "{variant}: {:?}", figures.first);
    }
}
