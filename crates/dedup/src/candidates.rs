//! Finds the keepers that a game is compared with.

use std::collections::HashMap;
use std::rc::Rc;

use super::facts::GameFacts;
use pdn_names::PersonComparer;
use pdn_rules::internal::steps;

/// Maximum number of keepers that a game is compared with.
pub(super) const MAX_COMPARED: usize = 64;
/// Maximum number of keepers that are looked up by a word.
const MAX_LISTED: usize = 16 * MAX_COMPARED;
/// Maximum number of keepers of those compared that share a word with one player only.
const MAX_ONE_PLAYER: usize = 8;

/// The keepers of a unit so far, in the order in which games are kept.
///
/// Up to [`MAX_COMPARED`] keepers are compared one by one. More of them are looked up by the words of the names of their
/// players.
#[derive(Debug, Default)]
pub(super) struct Keepers<'a> {
    pub(super) all: Vec<GameFacts<'a>>,
    /// The words of players; filled once there are many keepers.
    words: PlayerWords<'a>,
    /// Keepers by the number of a word.
    by_word: Vec<Vec<u32>>,
    /// Keepers by the hash of the part that is not compared as moves.
    by_rest: HashMap<u64, Vec<u32>>,
    /// Keepers with an unknown player.
    unnamed: Vec<u32>,
    /// Number of keepers that can be looked up.
    listed: usize,
    /// `true` if the keepers are also looked up by that hash.
    compares_rest: bool,
    /// For each keeper, the last look-ups in which it shared a word with White and with Black.
    shared: [Vec<u32>; 2],
    look_ups: u32,
    /// Number of games that were compared with the most likely keepers only, none of which they equal.
    pub(super) uncompared: u64,
}

/// The words by which players are looked up, as numbers. A word of a player of White is another one than that of Black.
#[derive(Debug, Default)]
struct PlayerWords<'a> {
    names: PersonComparer,
    numbers: HashMap<(usize, String), u32>,
    /// The words of names that were read before.
    known: HashMap<(usize, &'a str), Rc<[u32]>>,
}

impl<'a> PlayerWords<'a> {
    /// Returns the words of a player of White (0) or Black (1); none of an unknown one.
    fn of(&mut self, name: &'a str, colour: usize) -> Rc<[u32]> {
        if let Some(words) = self.known.get(&(colour, name)) {
            return Rc::clone(words);
        }
        let mut words = Vec::new();
        for key in self.names.keys(name) {
            let next = self.numbers.len() as u32;
            words.push(*self.numbers.entry((colour, key)).or_insert(next));
        }
        let words: Rc<[u32]> = words.into();
        self.known.insert((colour, name), Rc::clone(&words));
        words
    }
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
            let (white, black) = (self.words.of(facts.white, 0), self.words.of(facts.black, 1));
            if white.is_empty() || black.is_empty() {
                self.unnamed.push(number);
            }
            self.by_word.resize(self.words.numbers.len(), Vec::new());
            for &word in white.iter().chain(&*black) {
                self.by_word[word as usize].push(number);
            }
        }
        self.listed = self.all.len();
    }

    /// Returns the first keeper of which the game is a duplicate.
    pub(super) fn find(
        &mut self,
        facts: &GameFacts<'a>,
        mut is_duplicate: impl FnMut(&GameFacts<'a>, &GameFacts<'a>) -> bool,
    ) -> Option<usize> {
        if self.all.len() <= MAX_COMPARED {
            return self.all.iter().position(|keeper| is_duplicate(keeper, facts));
        }
        let (mut numbers, left_out) = self.numbers(facts);
        numbers.sort_unstable();
        let found = numbers
            .into_iter()
            .map(|number| number as usize)
            .find(|&number| is_duplicate(&self.all[number], facts));
        self.uncompared += u64::from(left_out && found.is_none());
        found
    }

    /// Returns the keepers that a game of a large unit is compared with, [`MAX_COMPARED`] at most, and whether there are more that share
    /// words of both players.
    fn numbers(&mut self, facts: &GameFacts<'a>) -> (Vec<u32>, bool) {
        let first = |numbers: &[u32]| numbers[..numbers.len().min(MAX_COMPARED)].to_vec();
        if let Some(rest) = facts.rest.filter(|_| self.compares_rest) {
            let numbers = self.by_rest.get(&rest).map_or(&[][..], Vec::as_slice);
            return (first(numbers), numbers.len() > MAX_COMPARED);
        }
        let words = [self.words.of(facts.white, 0), self.words.of(facts.black, 1)];
        if words.iter().all(|words| words.is_empty()) {
            return ((0..MAX_COMPARED as u32).collect(), true);
        }
        // A word of many keepers says little; the others are looked up in these.
        self.look_ups += 1;
        let now = self.look_ups;
        let mut by_player = [Vec::new(), Vec::new()];
        for ((words, shared), found) in words.iter().zip(&mut self.shared).zip(&mut by_player) {
            shared.resize(self.all.len(), 0);
            let lists = words.iter().filter_map(|&word| self.by_word.get(word as usize));
            for &number in lists.flat_map(|list| list.iter().take(MAX_LISTED)) {
                steps::add(1);
                if std::mem::replace(&mut shared[number as usize], now) != now {
                    found.push(number);
                }
            }
        }
        let [by_white, by_black] = by_player;
        let [with_white, with_black] = &self.shared;
        let (both, mut only_white): (Vec<u32>, Vec<u32>) =
            by_white.into_iter().partition(|&number| with_black[number as usize] == now);
        let mut only_black: Vec<u32> =
            by_black.into_iter().filter(|&number| with_white[number as usize] != now).collect();
        let left_out = both.len() > MAX_COMPARED;
        let mut numbers = least(both, MAX_COMPARED);
        numbers.extend(self.unnamed.iter().take(MAX_COMPARED / 2));
        // A copy shares words of both players, unless one of them is misspelt beyond recognition.
        only_white = least(only_white, MAX_ONE_PLAYER);
        only_black = least(only_black, MAX_ONE_PLAYER - only_white.len());
        numbers.extend(only_white.into_iter().chain(only_black));
        numbers.truncate(MAX_COMPARED);
        (numbers, left_out)
    }
}

/// Returns the least of the numbers, in order.
fn least(mut numbers: Vec<u32>, count: usize) -> Vec<u32> {
    if numbers.len() > count {
        numbers.select_nth_unstable(count);
        numbers.truncate(count);
    }
    numbers.sort_unstable();
    numbers
}
