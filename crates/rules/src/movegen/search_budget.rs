//! Limits the cost of a game: search nodes of capture searches, counted over the whole game.
//!
//! One search has a limit that no position of a real game comes near. But a crafted game can consist of positions that
//! all stay just below it, and a crafted file of games that do. Therefore every search gets a number of free nodes, enough
//! for ordinary positions, and nodes beyond that are taken from the budget of the game, which grows with its text. The
//! work for a byte of an input is bounded that way, whichever thread reads it and whatever was read before.

use core::cell::Cell;

/// The search nodes that a game may still use.
#[derive(Debug)]
pub struct SearchBudget {
    /// Maximum number of nodes of one search.
    max_nodes: u32,
    /// Nodes left for searches that need more than the free ones.
    remaining: Cell<u32>,
}

impl SearchBudget {
    /// Nodes that every search may use without being counted.
    const FREE_NODES: u32 = 250;
    /// Nodes that the smallest search beyond the free ones is counted as.
    pub const LEAST_COUNTED: u32 = Self::GROWTH * Self::FREE_NODES;
    /// How many times as many nodes a search gets that is made because one was too short.
    const GROWTH: u32 = 8;
    /// Number of searches of `max_nodes` nodes that a game may make.
    const FULL_SEARCHES: u32 = 4;
    /// Nodes that a search for the paths of one capture is counted as.
    const PATH_COST: u32 = 500;
    /// Maximum number of nodes of a search for the paths of one capture.
    const MAX_PATH_NODES: u32 = 20_000;

    /// Nodes of the budget of a text of any length: one search of `8 * 8 * FREE_NODES` nodes, with the shorter one before it. A file may
    /// consist of many short texts, so most of the work for hostile positions is allowed here.
    const NODES_OF_TEXT: u32 = 18_000;
    /// Nodes for each byte of the text: [`LEAST_COUNTED`](Self::LEAST_COUNTED) for each written move.
    const NODES_PER_BYTE: u32 = 300;

    /// Creates the budget of one position, in which a search may use at most `max_nodes` nodes.
    pub fn new(max_nodes: u32) -> Self {
        Self { max_nodes, remaining: Cell::new(max_nodes.saturating_mul(Self::FULL_SEARCHES)) }
    }

    /// Creates the budget of a game whose text has so many bytes.
    pub fn of_text(max_nodes: u32, bytes: usize) -> Self {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let of_text = bytes.saturating_mul(Self::NODES_PER_BYTE).saturating_add(Self::NODES_OF_TEXT);
        Self::with_rest(max_nodes, of_text)
    }

    /// Creates a budget of what another one [left](Self::rest).
    pub fn with_rest(max_nodes: u32, rest: u32) -> Self {
        let budget = Self::new(max_nodes);
        budget.remaining.set(budget.rest().min(rest));
        budget
    }

    /// Returns the number of nodes that are left.
    pub fn rest(&self) -> u32 {
        self.remaining.get()
    }

    /// Returns the number of nodes of a search that is not counted.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn free_nodes(&self) -> u32 {
        self.max_nodes.min(Self::FREE_NODES)
    }

    /// Calls `search` with more and more nodes until `gave_up` returns `false` for its result or the budget is used up.
    ///
    /// Returns the last result.
    #[inline]
    pub fn search<T>(&self, mut search: impl FnMut(u32) -> T, gave_up: impl Fn(&T) -> bool) -> T {
        let mut nodes = self.free_nodes();
        loop {
            let result = search(nodes);
            if !gave_up(&result) {
                return result;
            }
            let more = nodes.saturating_mul(Self::GROWTH).min(self.max_nodes);
            if more == nodes || !self.pay(more) {
                return result;
            }
            nodes = more;
        }
    }

    /// Returns the number of nodes of a search for the paths of a capture; 0 once the budget is used up.
    pub fn path_nodes(&self) -> u32 {
        if self.pay(Self::PATH_COST) { self.max_nodes.min(Self::MAX_PATH_NODES) } else { 0 }
    }

    /// Takes nodes from the budget. Returns `false` and takes nothing if too few remain.
    fn pay(&self, nodes: u32) -> bool {
        let remaining = self.remaining.get().checked_sub(nodes);
        remaining.inspect(|&remaining| self.remaining.set(remaining)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes `searches` searches that need `needed` nodes each. Returns the nodes used and the searches given up.
    fn use_nodes(budget: &SearchBudget, searches: u32, needed: u32) -> (u64, u32) {
        let (mut used, mut given_up) = (0, 0);
        for _ in 0..searches {
            let completed = budget.search(
                |nodes| {
                    used += u64::from(nodes.min(needed));
                    needed <= nodes
                },
                |&completed| !completed,
            );
            given_up += u32::from(!completed);
        }
        (used, given_up)
    }

    #[test]
    fn search_budget_limits_all_searches_of_a_game() {
        // Searches of at most the free nodes are never given up, however many there are.
        assert_eq!(use_nodes(&SearchBudget::new(1_000_000), 100_000, 250).1, 0);
        // All larger ones are counted: a text that has one for every byte gets few.
        let (nodes, given_up) = use_nodes(&SearchBudget::of_text(1_000_000, 150), 150, 1_500);
        assert!(nodes < 120_000 && given_up > 100, "{nodes} {given_up}");
        // Three hard searches are completed; of a thousand, most are given up.
        assert_eq!(use_nodes(&SearchBudget::new(1_000_000), 3, 900_000).1, 0);
        let (nodes, given_up) = use_nodes(&SearchBudget::new(1_000_000), 1_000, 900_000);
        assert!(nodes < 8_000_000 && given_up > 990, "{nodes} {given_up}");
        // A limit below the free nodes holds too.
        assert_eq!(use_nodes(&SearchBudget::new(50), 10, 51), (500, 10));
    }

    #[test]
    fn search_budget_grows_with_the_text() {
        let rest = |bytes| SearchBudget::of_text(1_000_000, bytes).rest();
        assert_eq!([rest(0), rest(100), rest(1_000)], [18_000, 48_000, 318_000]);
        assert_eq!([rest(30_000), rest(usize::MAX)], [4_000_000; 2]);
        // Texts of any length allow a search of this size, and only long ones allow many.
        let given_up = |bytes| use_nodes(&SearchBudget::of_text(1_000_000, bytes), 10, 10_000).1;
        assert_eq!([given_up(0), given_up(300)], [9, 4]);
        let budget = SearchBudget::of_text(1_000_000, 0);
        use_nodes(&budget, 1, 10_000);
        assert_eq!(SearchBudget::with_rest(1_000_000, budget.rest()).rest(), 0);
    }

    #[test]
    fn search_budget_counts_path_searches() {
        let budget = SearchBudget::new(1_000_000);
        let searches = (0..100_000).take_while(|_| budget.path_nodes() > 0).count();
        assert_eq!(searches, 8_000);
    }
}
