//! How much a game may cost: nodes of capture searches, counted for the whole game.
//!
//! A search has a limit of its own, which no position of a real game comes near. But a game can be made of nothing
//! but positions that stay just below it. So every search may take some nodes for nothing, enough for ordinary
//! positions, and what goes beyond is paid for by the game.

use std::cell::Cell;

/// What a game may still spend.
#[derive(Debug)]
pub(super) struct SearchBudget {
    /// The most for one search.
    each: u32,
    /// What is left for searches that need more than is free.
    left: Cell<u32>,
}

impl SearchBudget {
    /// Nodes that every search may take without being counted.
    const FREE: u32 = 2_000;
    /// How many searches at the limit a game may have.
    const SEARCHES: u32 = 4;
    /// What a question about one path counts for.
    const PATH: u32 = 500;

    /// For one game. `each` is the limit of a search.
    pub(super) fn new(each: u32) -> Self {
        Self { each, left: Cell::new(each.saturating_mul(Self::SEARCHES)) }
    }

    /// Nodes for a search that is not counted.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn free(&self) -> u32 {
        self.each.min(Self::FREE)
    }

    /// Searches with as many nodes as it takes, within what is left. `gave_up` tells whether they were too few.
    #[inline]
    pub(super) fn search<T>(&self, mut search: impl FnMut(u32) -> T, gave_up: impl Fn(&T) -> bool) -> T {
        let mut nodes = self.free();
        loop {
            let found = search(nodes);
            if !gave_up(&found) {
                return found;
            }
            let more = nodes.saturating_mul(8).min(self.each);
            if more == nodes || !self.pay(more) {
                return found;
            }
            nodes = more;
        }
    }

    /// Nodes to look for the paths of a capture; none once all is spent.
    pub(super) fn path(&self) -> u32 {
        if self.pay(Self::PATH) { self.each.min(20_000) } else { 0 }
    }

    fn pay(&self, nodes: u32) -> bool {
        let left = self.left.get().checked_sub(nodes);
        left.inspect(|&left| self.left.set(left)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes that `searches` of them take in all, each of which needs `needed`, and how many were given up.
    fn spent(effort: &SearchBudget, searches: u32, needed: u32) -> (u64, u32) {
        let (mut spent, mut given_up) = (0, 0);
        for _ in 0..searches {
            let found = effort.search(
                |nodes| {
                    spent += u64::from(nodes.min(needed));
                    needed <= nodes
                },
                |&found| !found,
            );
            given_up += u32::from(!found);
        }
        (spent, given_up)
    }

    #[test]
    fn a_game_is_bounded_and_not_only_a_search() {
        // What ordinary positions need is free, however many there are.
        assert_eq!(spent(&SearchBudget::new(1_000_000), 100_000, 2_000).1, 0);
        // A few hard ones are searched to the end; of a thousand, most are given up.
        assert_eq!(spent(&SearchBudget::new(1_000_000), 3, 900_000).1, 0);
        let (nodes, given_up) = spent(&SearchBudget::new(1_000_000), 1_000, 900_000);
        assert!(nodes < 8_000_000 && given_up > 990, "{nodes} {given_up}");
        // A limit below what is free holds too.
        assert_eq!(spent(&SearchBudget::new(50), 10, 51), (500, 10));
    }

    #[test]
    fn paths_are_paid_for() {
        let effort = SearchBudget::new(1_000_000);
        let asked = (0..100_000).take_while(|_| effort.path() > 0).count();
        assert_eq!(asked, 8_000);
    }
}
