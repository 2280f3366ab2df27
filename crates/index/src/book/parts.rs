//! The opening tree of some games: what is counted for one position while games are played.

use super::tally::{GameTally, TallyValues};
use crate::pack::ScannedPly;
use crate::row::game_row::GameKind;
use pdn::board::Bits;
use pdn::position::Move;
use pdn_rules::internal::position::State;

/// The tree of some games. A position has few different moves, so that a list is searched faster than a map.
#[derive(Debug, Default)]
pub(crate) struct TreeParts {
    /// The games that have the position.
    pub(crate) all: GameTally,
    /// The number of games whose last position it is.
    pub(crate) ended: u64,
    /// The moves played in the position; `None` for a null move.
    pub(crate) moves: Vec<(Option<Move>, GameTally)>,
    /// The moves that led to it; `None` where no move did.
    pub(crate) arrivals: Vec<(Option<Move>, Arrival)>,
    current: CurrentGame,
}

/// The games in which a move led to the position.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// The position before the move, in the first of these games.
    pub(crate) before: Option<State<u128>>,
    /// The number of the first of these games in the index, from 0.
    pub(crate) first_game: u64,
    /// The number of games.
    pub(crate) games: u64,
}

impl Default for Arrival {
    fn default() -> Self {
        Self { before: None, first_game: u64::MAX, games: 0 }
    }
}

impl Arrival {
    /// Adds other games.
    fn add(&mut self, more: Self) {
        if more.first_game < self.first_game {
            (self.first_game, self.before) = (more.first_game, more.before);
        }
        self.games += more.games;
    }
}

/// The moves of the game that is being played, as indices of the lists above. They are counted once per game.
#[derive(Debug, Default)]
struct CurrentGame {
    moves: Vec<usize>,
    arrivals: Vec<usize>,
}

impl TreeParts {
    /// Adds the parts of other games.
    pub(crate) fn add(&mut self, more: Self, examples: usize) {
        self.all.add(&more.all, examples);
        self.ended += more.ended;
        for (mv, tally) in more.moves {
            let place = place_of(&mut self.moves, mv);
            self.moves[place].1.add(&tally, examples);
        }
        for (mv, arrival) in more.arrivals {
            let place = place_of(&mut self.arrivals, mv);
            self.arrivals[place].1.add(arrival);
        }
    }

    /// Adds games that reach the position once, by the move `by`, and all leave it by the same move; if `left_by` is `None`,
    /// they end with it.
    pub(crate) fn add_alike(
        &mut self,
        games: &GameTally,
        (by, arrival): (Option<Move>, Arrival),
        left_by: Option<Move>,
        examples: usize,
    ) {
        self.all.add(games, examples);
        match left_by {
            Some(mv) => {
                let place = place_of(&mut self.moves, Some(mv));
                self.moves[place].1.add(games, examples);
            }
            None => self.ended += games.games,
        }
        let place = place_of(&mut self.arrivals, by);
        self.arrivals[place].1.add(arrival);
    }

    /// Begins a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn begin_game(&mut self) {
        self.current.moves.clear();
        self.current.arrivals.clear();
    }

    /// Returns `true` if the current game has reached the position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_reached(&self) -> bool {
        !self.current.arrivals.is_empty()
    }

    /// Notes that game `number` reaches the position by a ply, or without one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn reach<B: Bits>(&mut self, number: u64, by: Option<&ScannedPly<B>>) {
        let mv = by.and_then(ScannedPly::mv).map(Move::resized);
        let place = place_of(&mut self.arrivals, mv);
        if self.current.arrivals.contains(&place) {
            return;
        }
        self.current.arrivals.push(place);
        let arrival = &mut self.arrivals[place].1;
        arrival.games += 1;
        if number < arrival.first_game {
            arrival.first_game = number;
            arrival.before = by.map(|by| by.before().resized());
        }
    }

    /// Notes that the current game leaves the position by a move; `None` for a null move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn leave(&mut self, mv: Option<Move>) {
        let place = place_of(&mut self.moves, mv);
        if !self.current.moves.contains(&place) {
            self.current.moves.push(place);
        }
    }

    /// Counts the current game, which has reached the position. `ends_here` states that its last position is this one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn count_game(
        &mut self,
        ends_here: bool,
        game: &TallyValues,
        kind: &GameKind,
        examples: usize,
    ) {
        self.all.count(game, kind, examples);
        self.ended += u64::from(ends_here);
        for &place in &self.current.moves {
            self.moves[place].1.count(game, kind, examples);
        }
    }
}

/// Returns the index of a move in a list, after appending it if it is missing.
#[cfg_attr(not(debug_assertions), inline(always))]
fn place_of<T: Default>(list: &mut Vec<(Option<Move>, T)>, mv: Option<Move>) -> usize {
    list.iter().position(|(other, _)| *other == mv).unwrap_or_else(|| {
        list.push((mv, T::default()));
        list.len() - 1
    })
}
