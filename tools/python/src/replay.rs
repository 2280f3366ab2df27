//! The legal plies of a game, and the draws that they lead to.

use std::collections::HashMap;

use pdn::internal::replay::{CandidateGame, PlySink};
use pdn::position::{Move, StableKey};
use pdn::replay::ReplaySummary;
use pdn::rules::{GameRules, Variant};
use pdn_rules::internal::movegen::DrawWatch;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{BitsOf, Ruleset};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyRange, PySlice};

use crate::position::{self, Position, pair};

/// For the position before the first move and after each move, how often it has occurred, and the draw rule that applies.
type History = (Vec<u32>, Vec<Option<&'static str>>);

/// Follows the repetitions and the draw rules of a line.
fn history_of(start: &pdn::Position, plies: impl Iterator<Item = (pdn::Position, Move)>) -> History {
    let (mut watch, mut current) = (DrawWatch::new(start), *start);
    let mut seen: HashMap<StableKey, u32> = HashMap::from([(start.key(), 1)]);
    let (mut occurrences, mut draws) = (vec![1], vec![None]);
    for (before, mv) in plies {
        if before != current {
            // A setup in the movetext begins a new line.
            (watch, seen) = (DrawWatch::new(&before), HashMap::from([(before.key(), 1)]));
        }
        current = before.after_unchecked(&mv);
        draws.push(watch.played(&before, &mv, &current).map(|reason| reason.name()));
        let count = seen.entry(current.key()).or_default();
        *count += 1;
        occurrences.push(*count);
    }
    (occurrences, draws)
}

/// Returns the repetitions and the draws of the moves of a line, for `pdn.Node`.
#[pyfunction]
pub(crate) fn history(start: &Position, moves: Vec<Bound<'_, position::Move>>) -> History {
    history_of(start.get(), moves.iter().map(|mv| mv.get().played()))
}

/// Collects the legal plies of a main line.
#[derive(Debug, Default)]
pub(crate) struct PlyCollector(pub(crate) Vec<(State<u128>, Move)>);

impl PlySink for PlyCollector {
    fn begin<R: Ruleset>(&mut self, _: R, _: &CandidateGame, _: &State<BitsOf<R>>) {
        self.0.clear();
    }

    fn ply<R: Ruleset>(&mut self, _: R, before: &State<BitsOf<R>>, mv: &Move<BitsOf<R>>) {
        self.0.push((before.resized(), mv.resized()));
    }
}

/// The legal moves of the main line of a game: a sequence of pairs of a position and the move played in it.
///
/// It ends at the first move that is not legal; `stopped` then says where and why.
///
/// >>> import pdn
/// >>> [game] = pdn.open(b"1. 32-28 19-23 2. 28x19 14x23 3. 33-29 *")
/// >>> replay = game.replay()
/// >>> [(position.turn, move.text) for position, move in replay][:3]
/// [('white', '32-28'), ('black', '19-23'), ('white', '28x19')]
/// >>> len(replay), replay.status
/// (5, 'legal')
#[pyclass(frozen, sequence, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) game: GameRules,
    pub(crate) plies: Vec<(State<u128>, Move)>,
    pub(crate) start: pdn::Position,
    pub(crate) last: pdn::Position,
    pub(crate) status: &'static str,
    pub(crate) variant: Variant,
    pub(crate) stopped: Option<String>,
}

impl Replay {
    /// Creates the replay of a record.
    pub(crate) fn new(plies: PlyCollector, summary: &ReplaySummary, stopped: Option<String>) -> Self {
        Self {
            game: summary.game(),
            plies: plies.0,
            start: summary.start_position(),
            last: summary.last_position(),
            status: summary.status.name(),
            variant: summary.variant,
            stopped,
        }
    }

    fn pair(&self, py: Python<'_>, ply: usize) -> PyResult<Option<Py<PyAny>>> {
        let Some((state, mv)) = self.plies.get(ply) else { return Ok(None) };
        let before = Position::of(pdn::Position::from_state(self.game, *state), self.variant);
        pair(py, before, *mv).map(Some)
    }

    fn history(&self) -> History {
        let position = |state| pdn::Position::from_state(self.game, state);
        history_of(&self.start, self.plies.iter().map(|(before, mv)| (position(*before), *mv)))
    }
}

#[pymethods]
impl Replay {
    /// What the replay found: `legal`, `illegal`, `ambiguous`, `damaged`, `empty`, `unsupported` or `problem`.
    #[getter]
    fn status(&self) -> &'static str {
        self.status
    }

    /// The name of the variant under which the game was replayed.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// Where and why the replay ended before the end of the game; None if it did not.
    #[getter]
    fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position::of(self.start, self.variant)
    }

    /// The position after the last legal move.
    #[getter]
    fn last(&self) -> Position {
        Position::of(self.last, self.variant)
    }

    /// How often each position has occurred in the game so far, with the same side to move: that before the first move, and that after
    /// each move. The count includes the position itself.
    ///
    /// >>> import pdn
    /// >>> [game] = pdn.open(b'[GameType "20"][FEN "W:WK46,40:BK3,11"] 1. 46-41 3-9 2. 41-46 9-3 3. 46-41 1-1')
    /// >>> game.replay().occurrences
    /// [1, 1, 1, 1, 2, 2]
    #[getter]
    fn occurrences(&self) -> Vec<u32> {
        self.history().0
    }

    /// The draw rule of the variant that applies to each position, or None: that before the first move, and that after each move. The
    /// rules are `repetition` (a position has occurred often enough), `quiet_plies` (only kings have moved, without a capture, for long
    /// enough), `lone_king` (an ending against a lone king was not won in time) and `one_against_one` (a piece is left on each side).
    /// They are reported and end no replay, because a draw may have to be claimed.
    #[getter]
    fn draws(&self) -> Vec<Option<&'static str>> {
        self.history().1
    }

    /// Returns whether the last position has occurred this number of times, with the same side to move.
    #[pyo3(signature = (count=3))]
    fn is_repetition(&self, count: u32) -> bool {
        self.history().0.last().is_some_and(|&found| found >= count)
    }

    fn __len__(&self) -> usize {
        self.plies.len()
    }

    /// Returns the pair of a ply, or a list of those of a slice.
    fn __getitem__(&self, py: Python<'_>, ply: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(slice) = ply.cast::<PySlice>() {
            let range = py.get_type::<PyRange>().call1((self.plies.len(),))?.get_item(slice)?;
            let pairs: Vec<_> =
                range.try_iter()?.map(|ply| self.pair(py, ply?.extract()?)).collect::<PyResult<_>>()?;
            return pairs.into_py_any(py);
        }
        let ply: isize = ply.extract()?;
        let ply = if ply < 0 { ply + self.plies.len() as isize } else { ply };
        let found = usize::try_from(ply).ok().map(|ply| self.pair(py, ply)).transpose()?.flatten();
        found.ok_or_else(|| PyIndexError::new_err("the game has no such ply"))
    }

    fn __iter__(slf: Bound<'_, Self>) -> ReplayIterator {
        ReplayIterator { replay: slf.unbind(), next: 0 }
    }

    fn __repr__(&self) -> String {
        let count = self.plies.len();
        format!("<pdn.Replay: {count} {}, {}>", if count == 1 { "ply" } else { "plies" }, self.status)
    }
}

/// The iterator over the pairs of a replay.
#[pyclass(module = "pdn")]
#[derive(Debug)]
pub(crate) struct ReplayIterator {
    replay: Py<Replay>,
    next: usize,
}

#[pymethods]
impl ReplayIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let pair = self.replay.get().pair(py, self.next)?;
        self.next += 1;
        Ok(pair)
    }
}
