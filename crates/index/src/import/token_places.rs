//! Where the tokens of a line lie among its plies.
//!
//! Nearly every token is a ply. So only the others are stored: a place costs nothing in a line of legal moves.

use std::ops::Range;

/// Tokens of a line that are no ply of their own, and what lies before them.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The index of the first of them.
    first: u32,
    /// The index of the token after them.
    end: u32,
    /// The number of plies up to that token, null moves included.
    plies: u32,
    /// The number of plies before the last one that is not a null move; `None` before the first.
    last_move: Option<u32>,
    is_setup: bool,
}

/// The places of the lines of a game, collected while they are played one after the other. Plies are those of a search: null moves
/// count.
#[derive(Debug, Default)]
pub(super) struct TokenPlaces {
    places: Vec<Place>,
    /// The index of the first place of the line that is played.
    line_start: usize,
    /// The plies of that line so far.
    pub(super) plies: u32,
}

/// The plies and tokens of a line that has been played.
#[derive(Clone, Debug, Default)]
pub(super) struct LinePlaces {
    places: Range<usize>,
    /// The number of plies, null moves included.
    pub(super) plies: u32,
    /// The number of tokens that were played.
    pub(super) tokens: u32,
}

impl TokenPlaces {
    /// Removes the places of all lines and keeps the memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.places.clear();
        (self.line_start, self.plies) = (0, 0);
    }

    /// Begins the line anew.
    #[inline]
    pub(super) fn restart_line(&mut self) {
        self.places.truncate(self.line_start);
        self.plies = 0;
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) -> LinePlaces {
        let places = self.line_start..self.places.len();
        let line = LinePlaces { places, plies: self.plies, tokens: self.token() };
        (self.line_start, self.plies) = (self.places.len(), 0);
        line
    }

    /// Passes tokens that have no effect on the position.
    #[cold]
    pub(super) fn skip(&mut self, tokens: u32) {
        let first = self.token();
        // One place for tokens that follow each other, so that few have the same plies.
        match self.places[self.line_start..].last_mut().filter(|place| place.end == first) {
            Some(place) => place.end += tokens,
            None => self.push(tokens, 0, false),
        }
    }

    /// Passes a null move.
    #[cold]
    pub(super) fn null(&mut self) {
        self.push(1, 1, false);
    }

    /// Passes a setup.
    #[cold]
    pub(super) fn setup(&mut self) {
        self.push(1, 0, true);
    }

    fn push(&mut self, tokens: u32, nulls: u32, is_setup: bool) {
        let (first, last_move) = (self.token(), self.of_line().last_move(self.plies));
        self.plies += nulls;
        self.places.push(Place { first, end: first + tokens, plies: self.plies, last_move, is_setup });
    }

    /// Returns the index of the next token of the line.
    fn token(&self) -> u32 {
        let before = self.of_line();
        before.end() + self.plies - before.plies()
    }

    fn of_line(&self) -> Places<'_> {
        Places(&self.places[self.line_start..])
    }

    /// Returns the number of plies before the ply that a variation replaces which begins after `tokens` tokens of a line: before the
    /// last one that begins before these and is not a null move. `None` without one. O(log tokens).
    pub(super) fn replaced_ply(&self, line: &LinePlaces, tokens: u32) -> Option<u32> {
        let before = self.before(line, tokens);
        before.last_move(before.plies() + tokens.min(line.tokens).saturating_sub(before.end()))
    }

    /// Returns the number of plies of a line that begin before the token with this index. O(log tokens).
    pub(super) fn plies_before(&self, line: &LinePlaces, token: u32) -> u32 {
        let before = self.before(line, token);
        before.plies() + token.min(line.tokens).saturating_sub(before.end())
    }

    /// Returns `true` if a setup replaces the position after a ply, which `ply` plies of the line precede. O(log tokens).
    pub(super) fn setup_follows(&self, line: &LinePlaces, ply: u32) -> bool {
        let places = &self.places[line.places.clone()];
        let after = places[places.partition_point(|place| place.plies <= ply)..].iter();
        after.take_while(|place| place.plies == ply + 1).any(|place| place.is_setup)
    }

    /// Returns the places of a line that begin before the token with this index.
    fn before(&self, line: &LinePlaces, token: u32) -> Places<'_> {
        let places = &self.places[line.places.clone()];
        Places(&places[..places.partition_point(|place| place.first < token)])
    }
}

/// Places from the beginning of a line on.
#[derive(Clone, Copy)]
struct Places<'a>(&'a [Place]);

impl Places<'_> {
    /// Returns the index of the token after them.
    fn end(self) -> u32 {
        self.0.last().map_or(0, |place| place.end)
    }

    /// Returns the number of plies up to that token.
    fn plies(self) -> u32 {
        self.0.last().map_or(0, |place| place.plies)
    }

    /// Returns the number of plies before the last move of a line that has `plies` plies, none of them null moves after these places.
    fn last_move(self, plies: u32) -> Option<u32> {
        if plies > self.plies() { Some(plies - 1) } else { self.0.last()?.last_move }
    }
}
