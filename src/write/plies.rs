//! Receives the plies of a main line and keeps what is written of them.

use crate::board::Square;
use crate::movegen::{CapturePath, FindError, find, paths};
use crate::notation::MoveStyle;
use crate::position::{Move, State};
use crate::replay::{CandidateGame, PlyBatch, PlySink};
use crate::rules::{BitsOf, Ruleset};
use crate::value::Colour;

/// What is written of a ply: two squares, and the number of a path if it needs one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlyText {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) captures: bool,
    /// The number of its path in [`PlyTexts::path`], from 1; 0 for the first and last square only.
    pub(super) path: u32,
}

/// The squares that are written of a capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SquareList {
    /// Those joined by separators.
    pub(super) squares: Vec<Square>,
    /// The captured ones, for [`MoveStyle::Captured`].
    pub(super) captured: Vec<Square>,
}

/// The plies of a main line. Its memory is reused for the next game.
#[derive(Debug)]
pub(super) struct PlyTexts {
    style: MoveStyle,
    /// Maximum number of nodes of a capture search.
    pub(super) capture_nodes: u32,
    pub(super) plies: Vec<PlyText>,
    /// The paths of captures that are written with one.
    paths: Vec<SquareList>,
    /// The side that makes the first ply.
    pub(super) turn: Colour,
    /// The path of a capture was not found within the budget.
    pub(super) exceeds_limit: bool,
}

impl PlyTexts {
    pub(super) fn new(style: MoveStyle, capture_nodes: u32) -> Self {
        Self {
            style,
            capture_nodes,
            plies: Vec::new(),
            paths: Vec::new(),
            turn: Colour::White,
            exceeds_limit: false,
        }
    }

    /// Removes all plies and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.plies.clear();
        self.paths.clear();
        self.exceeds_limit = false;
    }

    /// Returns the path of a ply that is written with one.
    pub(super) fn path(&self, ply: PlyText) -> Option<&SquareList> {
        self.paths.get((ply.path as usize).checked_sub(1)?)
    }

    /// Returns what is written of a move in its position.
    pub(super) fn text_of<R: Ruleset>(
        &mut self,
        rules: R,
        before: &State<BitsOf<R>>,
        mv: &Move<BitsOf<R>>,
    ) -> PlyText {
        let captures = mv.is_capture();
        let mut text = PlyText { from: mv.from.0, to: mv.to.0, captures, path: 0 };
        if captures && self.style == MoveStyle::Hub {
            let squares = [mv.from, mv.to].into_iter().chain(mv.captured_squares()).collect();
            self.paths.push(SquareList { squares, captured: Vec::new() });
            text.path = self.paths.len() as u32;
            return text;
        }
        if captures && self.needs_path(rules, before, mv.from, mv.to) {
            match paths(rules, before, mv, self.capture_nodes) {
                Ok(found) => {
                    let first = found.into_iter().next();
                    self.paths.extend(
                        first.map(|CapturePath { squares, captured, .. }| SquareList { squares, captured }),
                    );
                    text.path = self.paths.len() as u32;
                }
                Err(_) => self.exceeds_limit = true,
            }
        }
        text
    }

    /// Returns `true` if a capture is written with its path: always, or if another one has the same first and last
    /// square.
    fn needs_path<R: Ruleset>(
        &mut self,
        rules: R,
        before: &State<BitsOf<R>>,
        from: Square,
        to: Square,
    ) -> bool {
        match self.style {
            MoveStyle::Chain => true,
            _ => match find(rules, before, from, to, self.capture_nodes) {
                Err(FindError::Ambiguous) => true,
                Err(FindError::Limit) => {
                    self.exceeds_limit = true;
                    false
                }
                _ => false,
            },
        }
    }
}

impl PlySink for PlyTexts {
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, start: &State<BitsOf<R>>) {
        self.clear();
        self.turn = start.turn;
    }

    fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        let text = self.text_of(rules, before, mv);
        self.plies.push(text);
    }

    // Twin: ply, one by one; test: batches_of_plies_are_written_as_single_plies.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plies<R: Ruleset>(&mut self, rules: R, plies: &PlyBatch<'_, BitsOf<R>>) {
        if matches!(self.style, MoveStyle::Chain | MoveStyle::Hub) {
            for (before, mv) in plies.iter() {
                self.ply(rules, &before, &mv);
            }
            return;
        }
        // A batch holds moves that two squares determine, so none of them needs a path.
        let (batch, ..) = plies.parts();
        self.plies.extend(batch.places().map(|place| {
            let ends = batch.ends(place);
            PlyText { from: ends.from, to: ends.to, captures: ends.captures, path: 0 }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Replayer;

    /// Receives plies one by one.
    struct OneByOne(PlyTexts);

    impl PlySink for OneByOne {
        fn begin<R: Ruleset>(&mut self, rules: R, candidate: &CandidateGame, start: &State<BitsOf<R>>) {
            self.0.begin(rules, candidate, start);
        }
        fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
            self.0.ply(rules, before, mv);
        }
    }

    #[test]
    fn batches_of_plies_are_written_as_single_plies() {
        for style in [MoveStyle::Shortest, MoveStyle::Chain, MoveStyle::Captured, MoveStyle::Hub] {
            for record in [
                &b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 17-22 5. 46-41 11-17 *"[..],
                b"1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10-14 19x10 5. 14x23 26x19 6. 7x14 *",
                b"[GameType \"25\"] 1. c3-d4 b6-c5 2. d4:b6 a7:c5 3. b2-c3 f6-g5 *",
                b"[GameType \"22\"][FEN \"B:W6,7,14,15,32:B3\"] 1... 3x10x19 2. 32-28 *",
            ] {
                let (mut batches, mut single) =
                    (PlyTexts::new(style, 10_000), OneByOne(PlyTexts::new(style, 10_000)));
                let mut replayer = Replayer::default();
                let plies = replayer.replay_into(record, &mut batches).plies;
                replayer.replay_into(record, &mut single);
                let texts = |texts: &PlyTexts| {
                    let text = |ply: &PlyText| (ply.from, ply.to, ply.captures, texts.path(*ply).cloned());
                    texts.plies.iter().map(text).collect::<Vec<_>>()
                };
                assert!(plies > 1);
                assert_eq!(texts(&batches), texts(&single.0), "{style:?} {}", record.escape_ascii());
            }
        }
    }

    /// The path of the king is unique, but that takes a search to know.
    #[test]
    fn capture_beyond_the_limit_of_the_search_is_reported() {
        let record = b"[GameType \"20\"][FEN \"W:WK47:B29,38\"] 1. 47x24 *";
        for (nodes, expected) in [(0, true), (10_000, false)] {
            let mut texts = OneByOne(PlyTexts::new(MoveStyle::Shortest, nodes));
            let summary = Replayer::default().replay_into(record, &mut texts);
            assert_eq!((summary.plies, texts.0.exceeds_limit), (1, expected), "{nodes} nodes");
        }
    }
}
