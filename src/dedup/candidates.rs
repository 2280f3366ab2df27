//! Finds the keepers that a game is compared with.

use std::collections::HashMap;

use super::facts::GameFacts;
use crate::names::{Likeness, blocking_keys, same_person};

/// Maximum number of keepers that a game is compared with.
pub(super) const MAX_COMPARED: usize = 64;
/// Maximum number of these that share a word with one player only.
const MAX_ONE_PLAYER: usize = 8;

/// The keepers of a unit so far, in the order in which games are kept.
///
/// Up to [`MAX_COMPARED`] keepers are compared one by one. More of them are looked up by the words of the names of their
/// players.
#[derive(Debug, Default)]
pub(super) struct Keepers<'a> {
    pub(super) all: Vec<GameFacts<'a>>,
    /// Keepers by the words of a player's name, with `w` or `b` before them; filled once there are many keepers.
    by_name: HashMap<String, Vec<u32>>,
    /// Keepers by the hash of the part that is not compared as moves.
    by_rest: HashMap<u64, Vec<u32>>,
    /// Keepers with an unknown player.
    unnamed: Vec<u32>,
    /// Number of keepers that can be looked up.
    listed: usize,
    /// `true` if the keepers are also looked up by that hash.
    compares_rest: bool,
}

/// The words by which a player is looked up; empty for an unknown one.
fn words(name: &str, colour: char) -> Vec<String> {
    if same_person(name, name).likeness == Likeness::Unknown {
        return Vec::new();
    }
    let mut keys = blocking_keys(name);
    for key in &mut keys {
        key.insert(0, colour);
    }
    keys
}

impl<'a> Keepers<'a> {
    /// Creates a list of keepers whose records are compared beyond their moves; see [`GameFacts::rest`].
    pub(super) fn of_whole_records() -> Self {
        Self { compares_rest: true, ..Self::default() }
    }

    /// Adds a keeper, which comes after all others in the order in which games are kept.
    pub(super) fn add(&mut self, facts: GameFacts<'a>) {
        self.all.push(facts);
        if self.all.len() <= MAX_COMPARED {
            return;
        }
        for number in self.listed..self.all.len() {
            let (facts, number) = (self.all[number], number as u32);
            if let Some(rest) = facts.rest.filter(|_| self.compares_rest) {
                self.by_rest.entry(rest).or_default().push(number);
                continue;
            }
            let (white, black) = (words(facts.white, 'w'), words(facts.black, 'b'));
            if white.is_empty() || black.is_empty() {
                self.unnamed.push(number);
            }
            for key in white.into_iter().chain(black) {
                self.by_name.entry(key).or_default().push(number);
            }
        }
        self.listed = self.all.len();
    }

    /// Returns the first keeper of which the game is a duplicate.
    pub(super) fn find(
        &self,
        facts: &GameFacts<'a>,
        mut is_duplicate: impl FnMut(&GameFacts<'a>, &GameFacts<'a>) -> bool,
    ) -> Option<usize> {
        if self.all.len() <= MAX_COMPARED {
            return self.all.iter().position(|keeper| is_duplicate(keeper, facts));
        }
        let mut numbers = self.numbers(facts);
        numbers.truncate(MAX_COMPARED);
        numbers.sort_unstable();
        numbers
            .into_iter()
            .map(|number| number as usize)
            .find(|&number| is_duplicate(&self.all[number], facts))
    }

    /// Returns the keepers that a game of a large unit is compared with, the most likely ones first.
    fn numbers(&self, facts: &GameFacts<'_>) -> Vec<u32> {
        if let Some(rest) = facts.rest.filter(|_| self.compares_rest) {
            return self.by_rest.get(&rest).cloned().unwrap_or_default();
        }
        let (white, black) = (words(facts.white, 'w'), words(facts.black, 'b'));
        if white.is_empty() && black.is_empty() {
            return (0..self.all.len().min(MAX_COMPARED) as u32).collect();
        }
        // A word of many keepers says little; the others are looked up in these.
        let list = |keys: &[String]| {
            let lists = keys.iter().filter_map(|key| self.by_name.get(key));
            let mut numbers: Vec<u32> =
                lists.flat_map(|list| list.iter().take(16 * MAX_COMPARED)).copied().collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let (by_white, by_black) = (list(&white), list(&black));
        let (mut both, mut one): (Vec<u32>, Vec<u32>) =
            by_white.iter().partition(|number| by_black.binary_search(number).is_ok());
        one.extend(by_black.iter().filter(|number| by_white.binary_search(number).is_err()));
        both.extend(self.unnamed.iter().take(MAX_COMPARED / 2));
        // A copy shares words of both players, unless one of them is misspelt beyond recognition.
        both.extend(one.into_iter().take(MAX_ONE_PLAYER));
        both
    }
}
