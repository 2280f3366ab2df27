//! What the texts of records add to what an index stores of them.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use twox_hash::XxHash3_64;

use super::game_bits::GameBits;
use super::games::Games;
use crate::error::Result;
use crate::index::TextReader;
use crate::limits::Limits;
use crate::parse::{Comment, Flow, TagPair, VariationAction, VariationMark, Visitor, walk_with};
use crate::pool;
use crate::view::GameView;

/// What the text of a record adds: the number of known tags, and that of comments and variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TextFacts {
    pub(super) tags: u32,
    pub(super) notes: u32,
}

impl TextFacts {
    pub(super) fn of(record: &[u8]) -> Self {
        let mut facts = Self::default();
        // The visitor never breaks off.
        let _ = walk_with(record, &Limits::DEFAULT, &mut facts);
        facts
    }
}

impl<'g> Visitor<'g> for TextFacts {
    const NUMBERS: bool = false;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags += u32::from(is_known_value(tag.value));
        Flow::Continue(())
    }

    fn comment(&mut self, _: Comment<'g>) -> Flow {
        self.notes += 1;
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.notes += 1;
        VariationAction::Enter
    }
}

/// Returns `true` if a tag value says something: it has a letter or a digit. `?`, `*`, `-` and `????.??.??` do not.
pub fn is_known_value(value: &[u8]) -> bool {
    value.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Computes the hash of a record that is not compared as moves: of the whole record of a game without legal plies, of the movetext of
/// others. Whitespace does not count.
pub(super) fn rest_of(record: &[u8], plies: u32) -> u64 {
    let compared = if plies == 0 { record } else { GameView::new(record).movetext() };
    let bytes: Vec<u8> = compared.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    XxHash3_64::oneshot(&bytes)
}

/// Values of some games, found by their numbers.
#[derive(Debug)]
struct GameValues<T> {
    games: GameBits,
    /// For each 64 games, the number of values of the games before them, if they have values themselves.
    before: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> GameValues<T> {
    fn new(games: u64) -> Self {
        let words = usize::try_from(games.div_ceil(64)).unwrap_or(usize::MAX);
        Self { games: GameBits::new(games), before: vec![0; words], values: Vec::new() }
    }

    /// Adds the value of a game. The numbers of the games must ascend.
    fn push(&mut self, game: u64, value: T) {
        if self.games.before_in_word(game) == 0
            && let Some(before) = self.before.get_mut((game / 64) as usize)
        {
            *before = self.values.len() as u32;
        }
        self.games.insert(game);
        self.values.push(value);
    }

    fn get(&self, game: u64) -> Option<T> {
        if !self.games.contains(game) {
            return None;
        }
        let before = *self.before.get((game / 64) as usize)? as usize;
        self.values.get(before + self.games.before_in_word(game) as usize).copied()
    }
}

/// What the texts of many new games add, read in one pass.
// Twin: `FactReader::text`, game by game; test: fast_way_equals_all_pairs.
#[derive(Debug)]
pub(super) struct TextTable {
    /// Known tags, and comments and variations.
    facts: GameValues<[u16; 2]>,
    /// The hash of what is not compared as moves; see [`rest_of`].
    rests: GameValues<u64>,
}

/// Games whose texts a thread reads at a time.
const CHUNK_GAMES: u64 = 2048;
/// Bytes of a game in a table at most.
const BYTES_PER_GAME: usize = size_of::<[u16; 2]>() + size_of::<u64>();

/// What a text adds, and the number of the game.
struct TextOfGame {
    game: u64,
    facts: TextFacts,
    rest: Option<u64>,
}

impl TextTable {
    /// Creates a table without games.
    pub(super) fn empty() -> Self {
        Self { facts: GameValues::new(0), rests: GameValues::new(0) }
    }

    /// Reads the texts of these new games in the order of the index, as far as they fit in `memory` bytes. A text that cannot be read is
    /// left out: whether it is needed at all, and what is wrong, turns out later. Fails if `check_stop` does.
    pub(super) fn read(
        games: &Games<'_>,
        wanted: &GameBits,
        threads: NonZeroUsize,
        memory: usize,
        check_stop: &dyn Fn() -> Result<()>,
    ) -> Result<Self> {
        let index = games.new;
        let mut table = Self { facts: GameValues::new(index.len()), rests: GameValues::new(index.len()) };
        let starts = (0..index.len().div_ceil(CHUNK_GAMES)).map(|chunk| chunk * CHUNK_GAMES);
        let chunks = starts.map(|start| start..start + CHUNK_GAMES);
        let chunks = chunks.filter(|chunk| wanted.in_range(chunk.clone()).next().is_some());
        let mut outcome = Ok(());
        pool::ordered(
            chunks,
            threads,
            || TextReader::new(index),
            |reader, chunk| {
                let mut found = Vec::new();
                for game in wanted.in_range(chunk) {
                    let row = games.row(game + games.first_new());
                    let (Some(row), Ok(record)) = (row, reader.text(game)) else { continue };
                    let has_rest = row.plies == 0 || !row.status.is_complete();
                    let rest = has_rest.then(|| rest_of(record, row.plies));
                    found.push(TextOfGame { game, facts: TextFacts::of(record), rest });
                }
                found
            },
            |found| {
                for text in found {
                    table.push(&text);
                }
                outcome = check_stop();
                let is_full = table.facts.values.len() >= memory / BYTES_PER_GAME;
                if is_full || outcome.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        outcome.map(|()| table)
    }

    fn push(&mut self, text: &TextOfGame) {
        let TextOfGame { game, facts, rest } = *text;
        if let (Ok(tags), Ok(notes)) = (u16::try_from(facts.tags), u16::try_from(facts.notes)) {
            self.facts.push(game, [tags, notes]);
        }
        if let Some(rest) = rest {
            self.rests.push(game, rest);
        }
    }

    /// Returns the known tags and the notes of a new game, if they were read.
    pub(super) fn facts(&self, game: u64) -> Option<TextFacts> {
        let [tags, notes] = self.facts.get(game)?.map(u32::from);
        Some(TextFacts { tags, notes })
    }

    /// Returns the hash of what is not compared as moves of a new game, if it was read.
    pub(super) fn rest(&self, game: u64) -> Option<u64> {
        self.rests.get(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_games_only() {
        let mut values = GameValues::new(1000);
        let games: Vec<u64> = (0..1000).filter(|game| game % 7 == 3 || (300..400).contains(game)).collect();
        games.iter().for_each(|&game| values.push(game, game * 10));
        for game in 0..1100 {
            assert_eq!(values.get(game), games.contains(&game).then_some(game * 10), "{game}");
        }
    }
}
