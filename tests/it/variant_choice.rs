//! How many legal plies make a GameType tag count against moves of another variant.

use fastrand::Rng;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::Position;
use pdn::replay::{Replayer, VariantBasis};
use pdn::rules::Variant;

#[test]
fn moves_count_against_the_tag_if_it_allows_fewer_than_four_of_them() {
    let mut seen = [0; 6];
    let mut list = MoveList::new();
    for seed in 0..4000 {
        let mut random = Rng::with_seed(crate::common::seed(seed));
        let (mut frisian, mut international) =
            (Position::start(Variant::Frisian), Some(Position::start(Variant::International)));
        let (mut texts, mut legal) = (Vec::new(), 0);
        while texts.len() < 16 {
            frisian.legal_moves(&mut list).expect("few captures");
            let Some(mv) = random.choice(list.iter().copied()) else { break };
            let text = frisian.move_text(&mv, MoveStyle::Chain);
            international = international.and_then(|position| {
                let mv = position.parse_move(&text).ok()?;
                legal += 1;
                Some(position.after_unchecked(&mv))
            });
            texts.push(text);
            frisian = frisian.after_unchecked(&mv);
        }
        // Only games that international draughts refuses early.
        let Some(count) = seen.get_mut(legal).filter(|_| texts.len() == 16) else { continue };
        let record = format!("[GameType \"20\"]\n\n{} *", texts.join(" "));
        let summary = Replayer::default().summary(record.as_bytes());
        let is_tag = summary.basis == VariantBasis::Tag;
        assert_eq!(is_tag, legal >= 4, "{legal} plies: {summary:?} {record}");
        *count += 1;
    }
    assert!(seen[3] > 0 && seen[4] > 0, "{seen:?}");
}
