//! A game as a record that is sorted.
//!
//! The key is `hash of the unit | moves | 0 | hash of the tags | rank`, the payload has the facts. So the games of a unit follow each
//! other, in the order of their moves, a game before those that continue it. Of games with equal moves, those with equal tags
//! follow each other, in the order in which they would be kept.
//! A problem as a record that is sorted by its start position.

use super::facts::GameFacts;
use super::keeper::KeeperRank;
use super::positions::{EqualForms, PositionKey, ProblemPosition};
use pdn::rules::Variant;
use pdn::value::Outcome;
use pdn_index::internal::wire::{Reader, Writer};
use pdn_index::internal::{date_bits, date_of};
use twox_hash::XxHash3_64;

/// Bytes of the hash of a unit.
const UNIT_LEN: usize = size_of::<u64>();
/// Bytes of the hashes of the tags.
const TAGS_LEN: usize = 2 * size_of::<u64>();

/// The parts of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameKey<'k> {
    /// Hash of the unit, variant and moves: what games with equal moves have in common.
    pub(super) moves: &'k [u8],
    /// Hashes of everything that is compared apart from the moves.
    pub(super) tags: [u8; TAGS_LEN],
    pub(super) rank: KeeperRank,
}

impl<'k> GameKey<'k> {
    /// Appends the key of a game to `out`. A game whose facts are not complete gets hashes that no other game has.
    pub(super) fn write(
        unit: u64,
        facts: &GameFacts<'_>,
        rank: KeeperRank,
        is_complete: bool,
        out: &mut Vec<u8>,
    ) {
        out.extend_from_slice(&unit.to_be_bytes());
        out.push(escaped_variant(facts.variant));
        for &byte in facts.moves {
            // The frequent bytes are small numbers; so next to none is written as two.
            match !byte {
                rare @ (0 | 1) => out.extend([1, rare + 1]),
                other => out.push(other),
            }
        }
        out.push(0);
        for hash in tag_hashes(facts, is_complete) {
            out.extend_from_slice(&hash.to_be_bytes());
        }
        out.extend_from_slice(&rank.to_bytes());
    }

    /// Reads a key; `None` if it is too short for one.
    pub(super) fn read(key: &'k [u8]) -> Option<Self> {
        let (rest, rank) = key.split_last_chunk::<{ KeeperRank::LEN }>()?;
        let (rest, tags) = rest.split_last_chunk::<TAGS_LEN>()?;
        let (_, moves) = rest.split_last()?;
        (moves.len() > UNIT_LEN).then_some(Self { moves, tags: *tags, rank: KeeperRank::from_bytes(rank) })
    }

    /// Appends the variant and the packed moves to `out`.
    pub(super) fn unescape(&self, out: &mut Vec<u8>) {
        let mut bytes = self.moves[UNIT_LEN..].iter();
        while let Some(&byte) = bytes.next() {
            let escaped = if byte == 1 { bytes.next().map_or(0, |&byte| byte.wrapping_sub(1)) } else { byte };
            out.push(!escaped);
        }
    }
}

/// Returns the bytes that stand for a variant in a key: one that needs no escape.
fn escaped_variant(variant: Variant) -> u8 {
    !(variant as u8)
}

/// Computes two hashes of everything that is compared apart from the moves: one of the names of the players, and one of the rest. The
/// names come first, so that games of the same players follow each other.
fn tag_hashes(facts: &GameFacts<'_>, is_complete: bool) -> [u64; 2] {
    let mut bytes = Vec::with_capacity(128);
    // No text contains this byte.
    let mut text = |text: &str| {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0xff);
        bytes.len()
    };
    text(facts.white);
    let players = text(facts.black);
    let _ = [facts.event, facts.site, facts.round].map(text);
    bytes.extend_from_slice(&date_bits(facts.date).to_be_bytes());
    bytes.push(u8::from(facts.is_damaged));
    bytes.extend(facts.rest.into_iter().flat_map(u64::to_be_bytes));
    if !is_complete {
        bytes.push(0xff);
        bytes.extend_from_slice(&facts.number.to_be_bytes());
    }
    let (players, others) = bytes.split_at(players);
    [players, others].map(XxHash3_64::oneshot)
}

/// Bits of the first byte of the facts.
const DAMAGED: u8 = 1;
const WITH_REST: u8 = 2;
const WITH_TEXT: u8 = 4;

/// Appends the facts of a game that are not part of its key.
pub(super) fn write_facts(facts: &GameFacts<'_>, out: &mut Writer) {
    let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    out.u8(bit(facts.is_damaged, DAMAGED)
        | bit(facts.rest.is_some(), WITH_REST)
        | bit(facts.text.is_some(), WITH_TEXT));
    out.u8(facts.outcome as u8);
    out.u32(date_bits(facts.date));
    out.u32(facts.plies);
    if let Some(rest) = facts.rest {
        out.u64(rest);
    }
    for text in [facts.white, facts.black, facts.event, facts.site, facts.round] {
        out.varint(text.len() as u128);
        out.0.extend_from_slice(text.as_bytes());
    }
}

/// Reads the facts of a game from the variant and the moves, the rank, and what [`write_facts`] wrote; `None` if that is not complete.
pub(super) fn read_facts<'b>(moves: &'b [u8], rank: &KeeperRank, facts: &'b [u8]) -> Option<GameFacts<'b>> {
    let (variant, moves) = moves.split_first()?;
    let mut reader = Reader(facts);
    let flags = reader.u8()?;
    let outcome = *Outcome::ALL.get(usize::from(reader.u8()?))?;
    let date = date_of(u64::from(reader.u32()?))?;
    let plies = reader.u32()?;
    let rest = if flags & WITH_REST != 0 { Some(reader.u64()?) } else { None };
    let mut text = || {
        let len = usize::try_from(reader.varint()?).ok()?;
        let (text, rest) = reader.0.split_at_checked(len)?;
        reader.0 = rest;
        std::str::from_utf8(text).ok()
    };
    Some(GameFacts {
        number: rank.number(),
        moves,
        variant: *Variant::ALL.get(usize::from(*variant))?,
        plies,
        is_damaged: flags & DAMAGED != 0,
        white: text()?,
        black: text()?,
        event: text()?,
        site: text()?,
        round: text()?,
        date,
        outcome,
        rest,
        text: (flags & WITH_TEXT != 0).then(|| rank.text()),
    })
}

/// Returns the variant and the start position of a record with a position of its own; `None` for all others.
pub(super) fn problem_position(variant: Variant, moves: &[u8], forms: EqualForms) -> Option<ProblemPosition> {
    let mut bytes = [variant as u8; 1 + PositionKey::LEN];
    bytes[1..].copy_from_slice(PositionKey::of_record(variant, moves, forms)?.as_bytes());
    Some(bytes)
}

/// Returns a hash that is equal for problems with one position.
pub(super) fn position_hash(position: &ProblemPosition) -> u64 {
    XxHash3_64::oneshot(position)
}

/// A problem in the external sort. Its key is the position followed by the rank, so that problems with one position follow each other and
/// the one to keep comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProblemRecord {
    pub(super) position: ProblemPosition,
    pub(super) rank: KeeperRank,
    /// `true` if the rank takes the text of the record into account. The payload of the sort.
    pub(super) is_complete: bool,
}

impl ProblemRecord {
    /// Bytes of the key.
    const KEY_LEN: usize = 1 + PositionKey::LEN + KeeperRank::LEN;

    /// Returns the key and the payload.
    pub(super) fn to_bytes(self) -> ([u8; Self::KEY_LEN], [u8; 1]) {
        let mut key = [0; Self::KEY_LEN];
        let (position, rank) = key.split_at_mut(self.position.len());
        position.copy_from_slice(&self.position);
        rank.copy_from_slice(&self.rank.to_bytes());
        (key, [u8::from(self.is_complete)])
    }

    /// Reads a record; `None` if it is not one.
    pub(super) fn read(key: &[u8], payload: &[u8]) -> Option<Self> {
        let (&position, rank) = key.split_first_chunk()?;
        let rank = KeeperRank::from_bytes(rank.first_chunk()?);
        Some(Self { position, rank, is_complete: payload == [1] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::PairJudge;
    use crate::keeper::TextFacts;
    use crate::keeper::{KeepRule, RankedGame};
    use pdn::value::Date;
    use proptest::prelude::*;

    /// The facts of a game, owned.
    #[derive(Clone, Debug)]
    struct OwnedFacts {
        moves: Vec<u8>,
        texts: [String; 5],
        numbers: [u32; 3],
        is_damaged: bool,
        rest: Option<u64>,
    }

    impl OwnedFacts {
        fn facts(&self) -> GameFacts<'_> {
            let [number, plies, tags] = self.numbers;
            let [white, black, event, site, round] = self.texts.each_ref().map(String::as_str);
            GameFacts {
                number: u64::from(number),
                moves: &self.moves,
                variant: Variant::ALL[number as usize % Variant::ALL.len()],
                plies,
                is_damaged: self.is_damaged,
                white,
                black,
                event,
                site,
                round,
                date: Date::new(Some(1900 + number as u16 % 99), None, None).unwrap(),
                outcome: Outcome::ALL[number as usize % Outcome::ALL.len()],
                rest: self.rest,
                text: Some(TextFacts { tags, notes: plies }),
            }
        }
    }

    /// Returns any game, with few different moves.
    fn any_facts() -> impl Strategy<Value = OwnedFacts> {
        let byte = prop::sample::select(vec![0u8, 1, 127, 253, 254, 255]);
        let text = prop_oneof![
            "[A-Z][a-z]{0,8}(, [A-Z]\\.)?",
            "[0-9?.*-]{0,4}",
            "https://[a-c]\\.org/[a-c]?",
            ".{0,9}"
        ];
        let texts = [(); 5].map(|()| text.clone());
        let rest = proptest::option::of(any::<u64>());
        (prop::collection::vec(byte, 0..6), texts, any::<[u16; 3]>(), any::<bool>(), rest).prop_map(
            |(moves, texts, numbers, is_damaged, rest)| {
                let numbers = numbers.map(|number| u32::from(number % 50));
                OwnedFacts { moves, texts, numbers, is_damaged, rest }
            },
        )
    }

    fn key(facts: &GameFacts<'_>) -> Vec<u8> {
        let game = RankedGame {
            number: facts.number,
            is_new: true,
            is_damaged: facts.is_damaged,
            plies: facts.plies,
            text: facts.text.unwrap(),
        };
        let mut key = Vec::new();
        GameKey::write(7, facts, KeepRule::Best.rank(&game), true, &mut key);
        key
    }

    proptest! {
        /// Games with equal moves and tags are compared once, for all of them.
        #[test]
        fn any_game_is_a_copy_of_itself(facts in any_facts()) {
            let facts = facts.facts();
            prop_assert!(PairJudge::default().is_exact(&facts, &facts));
        }

        #[test]
        fn games_survive_encoding(facts in any_facts()) {
            let facts = facts.facts();
            let (key, mut payload) = (key(&facts), Writer::default());
            write_facts(&facts, &mut payload);
            let (key, mut moves) = (GameKey::read(&key).unwrap(), Vec::new());
            key.unescape(&mut moves);
            prop_assert_eq!(read_facts(&moves, &key.rank, &payload.0), Some(facts));
        }

        #[test]
        fn games_that_continue_one_follow_it(games in prop::collection::vec(any_facts(), 2..40)) {
            let mut keys: Vec<(Vec<u8>, Vec<u8>)> = games
                .iter()
                .map(|game| (key(&game.facts()), [&[game.facts().variant as u8], &game.moves[..]].concat()))
                .collect();
            keys.sort();
            for (at, (_, moves)) in keys.iter().enumerate() {
                let continues = |(_, other): &&(Vec<u8>, Vec<u8>)| other.starts_with(moves);
                let all = keys.iter().filter(continues).count();
                let first = keys.iter().position(|(_, other)| other == moves).unwrap();
                prop_assert_eq!(keys[first..].iter().take_while(continues).count(), all, "game {}", at);
            }
        }
    }
}
