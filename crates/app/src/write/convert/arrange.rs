//! Brings converted games into the order in which they are written, and chooses among them.

use std::collections::BinaryHeap;
use std::path::PathBuf;

use pdn_index::internal::external_sort::ExternalSort;
use pdn_rules::internal::position::split_mix;

use super::record::GameNotes;
use crate::ask::error::Result;
use crate::ask::sort::SortKey;

/// The order of the games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum GameOrder {
    /// That of the input.
    #[default]
    Input,
    /// By these keys. Games with equal keys keep their order.
    Keys(Vec<SortKey>),
    /// Random, with this seed.
    Random(u64),
}

/// Games that are collected before they are written, because their order or the choice among them is known only when all
/// were read. In bounded memory, and beyond that in temporary files.
pub(super) struct CollectedGames {
    sort: ExternalSort,
    order: GameOrder,
    sample: Option<Sample>,
    /// Number of games so far.
    games: u64,
    key: Vec<u8>,
    payload: Vec<u8>,
}

/// The games with the smallest random numbers.
struct Sample {
    size: usize,
    seed: u64,
    /// Random numbers and places of the games chosen so far.
    chosen: BinaryHeap<(u64, u64)>,
}

/// A collected game.
pub(super) struct CollectedGame<'a> {
    pub(super) notes: GameNotes,
    pub(super) groups: Vec<&'a str>,
    /// With an empty line at its end.
    pub(super) text: &'a [u8],
    pub(super) raw: &'a [u8],
}

impl CollectedGames {
    /// Creates an empty collection. `sample` is the number of games to choose, and a seed.
    pub(super) fn new(folder: PathBuf, memory: u64, order: GameOrder, sample: Option<(usize, u64)>) -> Self {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        Self {
            sort: ExternalSort::new(folder, memory),
            order,
            sample: sample.map(|(size, seed)| Sample { size, seed, chosen: BinaryHeap::new() }),
            games: 0,
            key: Vec::new(),
            payload: Vec::new(),
        }
    }

    /// Adds a game; returns `false` if it is not part of the sample.
    pub(super) fn push(
        &mut self,
        key: &[u8],
        notes: &GameNotes,
        groups: &[String],
        text: &[u8],
        raw: &[u8],
    ) -> Result<bool> {
        let place = self.games;
        self.games += 1;
        if let Some(sample) = &mut self.sample
            && !sample.takes(place)
        {
            return Ok(false);
        }
        self.key.clear();
        match self.order {
            GameOrder::Input => {}
            GameOrder::Keys(_) => self.key.extend_from_slice(key),
            GameOrder::Random(seed) => self.key.extend(split_mix(seed, place).to_be_bytes()),
        }
        self.key.extend(place.to_be_bytes());
        store(notes, groups, text, raw, &mut self.payload);
        self.sort.push(&self.key, &self.payload)?;
        Ok(true)
    }

    /// Passes the games on in their order, each with `false` if it is not part of the sample after all.
    pub(super) fn finish(self, mut take: impl FnMut(CollectedGame<'_>, bool) -> Result<()>) -> Result<()> {
        let mut sorted = self.sort.finish()?;
        while let Some(record) = sorted.next_record()? {
            let place = record.key.last_chunk().map_or(0, |place| u64::from_be_bytes(*place));
            let is_chosen = self.sample.as_ref().is_none_or(|sample| sample.contains(place));
            if let Some(game) = load(record.payload) {
                take(game, is_chosen)?;
            }
        }
        Ok(())
    }
}

impl Sample {
    /// Adds a game; returns `false` if it is certainly not chosen.
    fn takes(&mut self, place: u64) -> bool {
        let number = (split_mix(self.seed, place), place);
        if self.chosen.len() < self.size {
            self.chosen.push(number);
            return true;
        }
        match self.chosen.peek_mut() {
            Some(mut largest) if number < *largest => {
                *largest = number;
                true
            }
            _ => false,
        }
    }

    /// Returns `true` if a game is chosen, after all were added.
    fn contains(&self, place: u64) -> bool {
        let number = (split_mix(self.seed, place), place);
        self.chosen.peek().is_some_and(|largest| number <= *largest)
    }
}

/// Stores a game in place of what `out` contains.
fn store(notes: &GameNotes, groups: &[String], text: &[u8], raw: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let flags = u8::from(notes.repaired)
        | u8::from(notes.repaired_unsafely) << 1
        | u8::from(notes.inferred) << 2
        | u8::from(notes.renamed) << 3
        | u8::from(notes.text_variations) << 4
        | u8::from(notes.exchanged_score) << 5;
    out.push(flags);
    let mut part = |bytes: &[u8]| {
        // A record has less than 4 GiB.
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(bytes);
    };
    part(notes.encoding.map_or("", |encoding| encoding.name()).as_bytes());
    part(text);
    part(raw);
    groups.iter().for_each(|group| part(group.as_bytes()));
}

/// Loads a stored game; `None` if it is damaged.
fn load(bytes: &[u8]) -> Option<CollectedGame<'_>> {
    let (&flags, mut rest) = bytes.split_first()?;
    let mut part = || {
        let (len, after) = rest.split_first_chunk()?;
        let (part, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        rest = after;
        Some(part)
    };
    let (encoding, text, raw) = (part()?, part()?, part()?);
    let mut groups = Vec::new();
    while let Some(group) = part() {
        groups.push(std::str::from_utf8(group).ok()?);
    }
    let notes = GameNotes {
        repaired: flags & 1 != 0,
        repaired_unsafely: flags & 2 != 0,
        renamed: flags & 8 != 0,
        inferred: flags & 4 != 0,
        text_variations: flags & 16 != 0,
        exchanged_score: flags & 32 != 0,
        encoding: std::str::from_utf8(encoding).ok()?.parse().ok(),
    };
    Some(CollectedGame { notes, groups, text, raw })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::source::Encoding;

    #[test]
    fn stored_games_are_loaded_again() {
        let notes = GameNotes {
            repaired_unsafely: true,
            renamed: true,
            text_variations: true,
            exchanged_score: true,
            encoding: Some(Encoding::CP866),
            ..GameNotes::default()
        };
        let groups = ["1999".to_owned(), String::new()];
        let mut payload = b"before".to_vec();
        store(&notes, &groups, b"text\n\n", b"raw", &mut payload);
        let game = load(&payload).expect("whole");
        assert_eq!((game.notes, game.text, game.raw), (notes, &b"text\n\n"[..], &b"raw"[..]));
        assert_eq!(game.groups, groups);
        store(&GameNotes::default(), &[], b"", b"", &mut payload);
        let game = load(&payload).expect("whole");
        assert_eq!((game.notes, game.groups.len()), (GameNotes::default(), 0));
    }

    /// The places of the games that are written.
    fn arranged(order: &GameOrder, sample: Option<(usize, u64)>, memory: u64) -> Vec<u32> {
        let mut games = CollectedGames::new(std::env::temp_dir(), memory, order.clone(), sample);
        for place in 0..500u32 {
            let key = [(place % 7) as u8];
            let text = place.to_le_bytes();
            let _ = games.push(&key, &GameNotes::default(), &[], &text, b"");
        }
        let mut places = Vec::new();
        let finished = games.finish(|game, is_chosen| {
            if is_chosen {
                places.push(u32::from_le_bytes(game.text.try_into().expect("four bytes")));
            }
            Ok(())
        });
        assert!(finished.is_ok());
        places
    }

    #[test]
    fn order_and_sample_do_not_depend_on_memory() {
        for order in [GameOrder::Input, GameOrder::Keys(Vec::new()), GameOrder::Random(5)] {
            for sample in [None, Some((20, 1)), Some((600, 1)), Some((0, 1))] {
                let all = arranged(&order, sample, 1 << 20);
                assert_eq!(all, arranged(&order, sample, 500), "{order:?} {sample:?}");
                assert_eq!(all.len(), sample.map_or(500, |(size, _)| size.min(500)));
            }
        }
        assert_eq!(arranged(&GameOrder::Keys(Vec::new()), None, 1000)[..3], [0, 7, 14]);
        let shuffled = arranged(&GameOrder::Random(5), None, 1 << 20);
        assert_ne!(shuffled, arranged(&GameOrder::Random(6), None, 1 << 20));
        assert!(!shuffled.is_sorted());
        assert!(arranged(&GameOrder::Input, Some((20, 1)), 1 << 20).is_sorted());
        assert_ne!(
            arranged(&GameOrder::Input, Some((20, 1)), 1 << 20),
            arranged(&GameOrder::Input, Some((20, 2)), 1 << 20)
        );
    }
}
