//! The plies of a line, collected for the columns of a table, and the texts of their moves.

use super::squares::SquareTable;
use pdn::internal::replay::{CandidateGame, PlySink};
use pdn::limits::Limits;
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::{Move, Position, StableKey};
use pdn::replay::ReplaySummary;
use pdn::rules::{GameRules, Variant};
use pdn_index::internal::pack::{Codecs, CorruptMoves, PackedOp};
use pdn_index::internal::query::OpeningNames;
use pdn_rules::internal::movegen::{FindError, MoveCount, count_moves, find};
use pdn_rules::internal::notation::write_move;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ruleset, WithRules};

/// What is computed of each ply besides the position and the move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlyWants {
    /// Position keys.
    pub(super) keys: bool,
    /// Numbers of legal moves.
    pub(super) counts: bool,
    /// Whether the side to move has no capture.
    pub(super) quiet: bool,
    /// Whether the text of a capture needs all squares of its path.
    pub(super) texts: bool,
}

/// A ply: the position in which it is played, and the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyRow {
    pub(super) before: State<u128>,
    pub(super) mv: Move,
    /// Another capture has the same first and last square. Set only if texts are wanted.
    pub(super) is_ambiguous: bool,
}

/// The plies of one line, with values that take the rules of the game.
#[derive(Debug, Default)]
pub(super) struct PlyTable {
    wants: PlyWants,
    pub(super) plies: Vec<PlyRow>,
    /// Key of the position before each ply, then of the last position.
    pub(super) keys: Vec<StableKey>,
    /// Number of legal moves before each ply, then in the last position; `None` if a search was given up.
    pub(super) counts: Vec<Option<MoveCount>>,
    /// Whether the side to move has no capture in the last position. Set only if it is wanted.
    last_is_quiet: bool,
    list: MoveList,
    /// Key of the next position, unless it was set up.
    next_key: Option<StableKey>,
}

impl PlyTable {
    /// Creates a table without plies.
    pub(super) fn new(wants: PlyWants) -> Self {
        Self { wants, ..Self::default() }
    }

    /// Removes all plies.
    pub(super) fn clear(&mut self) {
        self.plies.clear();
        self.keys.clear();
        self.counts.clear();
        self.next_key = None;
    }

    /// Returns the names of the opening of a game with these plies, the last of which leads to `last`; `None` if it has none.
    pub(super) fn opening(&self, variant: Variant, last: &State<u128>) -> Option<String> {
        let names = OpeningNames::of(variant)?;
        let positions = self.plies.iter().map(|ply| &ply.before).chain(std::iter::once(last));
        Some(names.text(names.of_positions(positions))).filter(|text| !text.is_empty())
    }

    /// Adds the values of the position after the last ply.
    pub(super) fn finish(&mut self, game: &GameRules, last: &State<u128>) {
        struct Last<'a>(&'a mut PlyTable, &'a State<u128>);
        impl WithRules for Last<'_> {
            type Output = ();
            fn run<R: Ruleset>(self, rules: R) {
                self.0.last_position(rules, &self.1.resized());
            }
        }
        if self.wants.keys || self.wants.counts || self.wants.quiet {
            game.rules.with(Last(self, last));
        }
    }

    /// Fills the table with the plies of the main line that a replay found.
    pub(super) fn finish_replay(&mut self, summary: &ReplaySummary) {
        self.finish(&summary.game(), &summary.last);
    }

    /// Fills the table with these plies.
    pub(super) fn fill(&mut self, game: &GameRules, plies: impl Iterator<Item = (State<u128>, Move)>) {
        struct Fill<'a, I>(&'a mut PlyTable, I);
        impl<I: Iterator<Item = (State<u128>, Move)>> WithRules for Fill<'_, I> {
            type Output = ();
            fn run<R: Ruleset>(self, rules: R) {
                for (before, mv) in self.1 {
                    // A setup may stand between two plies of a line.
                    self.0.next_key = None;
                    self.0.ply(rules, &before.resized(), &mv.resized());
                }
            }
        }
        self.clear();
        game.rules.with(Fill(self, plies));
    }

    /// Fills the table with the plies of a packed game, and returns its start position and the position after the last ply. Null
    /// moves are no plies. The game starts in `start` or, if it `begins_with_setup`, in the position of its first setup.
    ///
    /// # Errors
    /// If the bytes are not those of a packed game.
    pub(super) fn fill_packed(
        &mut self,
        start: &Position,
        begins_with_setup: bool,
        bytes: &[u8],
        codecs: &mut Codecs,
    ) -> Result<[State<u128>; 2], CorruptMoves> {
        struct Fill<'a>(&'a mut PlyTable, &'a State<u128>, bool, &'a [u8], &'a mut Codecs);
        impl WithRules for Fill<'_> {
            type Output = Result<[State<u128>; 2], CorruptMoves>;
            fn run<R: Ruleset>(self, rules: R) -> Self::Output {
                let Self(table, start, mut is_start, mut bytes, codecs) = self;
                let codec = codecs.on::<R::Geometry>();
                let mut state: State<BitsOf<R>> = start.resized();
                let mut first = state;
                while let Some(op) = codec.decode(&state, bytes) {
                    let (op, rest) = op?;
                    bytes = rest;
                    match op {
                        PackedOp::Move(mv) => {
                            table.ply(rules, &state, &mv);
                            state.play(rules, &mv);
                        }
                        PackedOp::Null => {
                            state = state.passed();
                            table.next_key = None;
                        }
                        PackedOp::Setup(position) => {
                            state = position;
                            // Later setups stand in the movetext.
                            if std::mem::take(&mut is_start) {
                                first = position;
                            }
                            table.next_key = None;
                        }
                    }
                }
                table.last_position(rules, &state);
                Ok([first, state].map(|state| state.resized()))
            }
        }
        self.clear();
        start.rules().with(Fill(self, start.state(), begins_with_setup, bytes, codecs))
    }

    /// Returns `true` if the side to move has no capture in the position before ply `n`, or in the last position. A search that was given up
    /// found captures.
    // Twin: `Position::legal_moves`; test: `positions_equal_those_of_a_replay`.
    #[inline]
    pub(super) fn is_quiet(&self, n: usize) -> bool {
        // A capture is compulsory in every variant, so the legal move that was played tells.
        self.plies.get(n).map_or(self.last_is_quiet, |ply| !ply.mv.is_capture())
    }

    /// Adds the values of the position after the last ply.
    fn last_position<R: Ruleset>(&mut self, rules: R, state: &State<BitsOf<R>>) {
        self.position(rules, state);
        if self.wants.quiet {
            let count = count_moves(rules, state, Limits::DEFAULT.capture_nodes, &mut self.list);
            self.last_is_quiet = count.is_ok_and(|count| !count.captures);
        }
    }

    /// Adds the values of a position.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position<R: Ruleset>(&mut self, rules: R, state: &State<BitsOf<R>>) {
        if self.wants.keys {
            let key = self.next_key.take().unwrap_or_else(|| {
                state.key_on(<R::Geometry as pdn_rules::internal::board::Geometry>::BOARD)
            });
            self.keys.push(key);
        }
        if self.wants.counts {
            let count = count_moves(rules, state, Limits::DEFAULT.capture_nodes, &mut self.list);
            self.counts.push(count.ok());
        }
    }
}

impl PlySink for PlyTable {
    #[inline]
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, _: &State<BitsOf<R>>) {
        self.clear();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply<R: Ruleset>(&mut self, rules: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.position(rules, before);
        if let Some(&key) = self.keys.last() {
            self.next_key = Some(before.key_after::<R::Geometry>(key, mv));
        }
        // A search that was given up cannot show that the ends suffice, so the path is written.
        let is_ambiguous = self.wants.texts
            && mv.is_capture()
            && matches!(
                find(rules, before, mv.from, mv.to, Limits::DEFAULT.capture_nodes),
                Err(FindError::Ambiguous | FindError::Limit)
            );
        self.plies.push(PlyRow { before: before.resized(), mv: mv.resized(), is_ambiguous });
    }

    #[inline]
    fn setup<R: Ruleset>(&mut self, _: R, _: &State<BitsOf<R>>) {
        self.next_key = None;
    }
}

/// Appends the text of a move, as [`MoveStyle::Shortest`] writes it.
// Twin: `Position::move_text`; test: `moves_equal_those_of_an_annotated_replay`.
#[inline]
pub(super) fn write_text(ply: &PlyRow, squares: &SquareTable, text: &mut Vec<u8>) {
    if ply.is_ambiguous {
        write_path(ply, squares, text);
    } else {
        squares.write_ends(&ply.mv, text);
    }
}

/// Appends all squares of a capture.
#[cold]
fn write_path(ply: &PlyRow, squares: &SquareTable, text: &mut Vec<u8>) {
    let position = Position::from_state(squares.candidate().game(), ply.before);
    let names = squares.candidate().names();
    let mut path = String::new();
    if write_move(&position, &names, &ply.mv, MoveStyle::Shortest, &mut path).is_err() {
        path = position.move_text(&ply.mv, MoveStyle::Shortest);
    }
    text.extend_from_slice(path.as_bytes());
}

/// Appends the texts of all moves, separated by spaces. Returns `false` if there is none.
pub(super) fn write_moves(plies: &PlyTable, squares: Option<&SquareTable>, text: &mut String) -> bool {
    let Some(squares) = squares.filter(|_| !plies.plies.is_empty()) else { return false };
    let mut moves = Vec::with_capacity(8 * plies.plies.len());
    for ply in &plies.plies {
        write_text(ply, squares, &mut moves);
        moves.push(b' ');
    }
    text.push_str(String::from_utf8_lossy(&moves).trim_end());
    true
}

/// Returns the numbers of the squares that the piece of a move touches. Of several paths with one effect it is the first
/// found; the two ends if the captures are too many to be searched.
pub(super) fn path_numbers(ply: &PlyRow, squares: &SquareTable) -> Vec<u8> {
    let position = Position::from_state(squares.candidate().game(), ply.before);
    let path = position.paths(&ply.mv).ok().and_then(|paths| paths.into_iter().next());
    match path {
        Some(path) => path.squares.iter().map(|&square| squares.number(square)).collect(),
        None => vec![squares.number(ply.mv.from), squares.number(ply.mv.to)],
    }
}
