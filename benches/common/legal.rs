//! Generates archives of legal games from a seed: many different games, with captures as frequent as in real play.

use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn_rules::internal::notation::write_move;

/// Generates `count` games of up to 100 plies. Of three random moves, the one after which the fewest pieces can be captured
/// is played, so that captures are as frequent as in real play.
pub(crate) fn games(variant: Variant, count: usize) -> Vec<u8> {
    let mut seed = 1u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) as usize) % n.max(1)
    };
    let mut out = String::new();
    let (mut list, mut replies) = (MoveList::new(), MoveList::new());
    for _ in 0..count {
        out += &format!("[Event \"generated\"]\n[Result \"1-1\"]\n[GameType \"{}\"]\n\n", variant.number());
        let mut position = Position::start(variant);
        let names = position.names();
        for ply in 0..100 {
            if position.legal_moves(&mut list).is_err() || list.is_empty() {
                break;
            }
            let best = (0..3).map(|_| list[below(list.len())]).min_by_key(|mv| {
                let after = position.after_unchecked(mv);
                let lost = after.legal_moves(&mut replies).map_or(0, |()| {
                    replies.iter().map(|reply| reply.captured.count_ones()).max().unwrap_or(0)
                });
                // Promotions are made rarer: without this, every other game would have kings.
                lost + 3 * u32::from(mv.promotes)
            });
            let Some(mv) = best else { break };
            if ply % 2 == 0 {
                out += &format!("{}. ", ply / 2 + 1);
            }
            if write_move(&position, &names, &mv, MoveStyle::Shortest, &mut out).is_err() {
                break;
            }
            out += if ply % 10 == 9 { "\n" } else { " " };
            position.play_unchecked(&mv);
        }
        out += "1-1\n\n";
    }
    out.into_bytes()
}
