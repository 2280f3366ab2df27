//! The opening tree of a position.

use pdn::rules::Variant;
use pdn_index::query::{GameTally, OpeningTree};
use pyo3::prelude::*;

use crate::position::{Move, Position};

/// The moves that were played in a position, and how those games ended.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Tree(pub(crate) OpeningTree, pub(crate) Variant);

/// A move that was played in the position of a tree.
#[pyclass(frozen, get_all, module = "pdn")]
#[derive(Clone, Debug)]
pub(crate) struct TreeMove {
    /// The move as text; `--` for a null move.
    text: String,
    /// The number of games in which it was played here.
    games: u64,
    /// The number of these that White won.
    white: u64,
    /// The number of draws.
    draws: u64,
    /// The number of these that Black won.
    black: u64,
    /// The mean rating of the side that makes the move, if known.
    average_rating: Option<f64>,
    /// The first year in which it was played, if known.
    first_year: Option<u16>,
    /// The last year in which it was played, if known.
    last_year: Option<u16>,
    /// The number of games that reach the position after this move by any move order; None unless asked for.
    reached: Option<u64>,
    /// The move; None for a null move.
    r#move: Option<Move>,
    /// The position after the move.
    after: Position,
}

#[pymethods]
impl TreeMove {
    fn __repr__(&self) -> String {
        let Self { text, games, white, draws, black, .. } = self;
        format!("<pdn.TreeMove {text}: {games} games, +{white} ={draws} -{black}>")
    }
}

impl Tree {
    fn tally(&self) -> &GameTally {
        &self.0.all
    }
}

#[pymethods]
impl Tree {
    /// The position.
    #[getter]
    fn position(&self) -> Position {
        Position::of(self.0.position, self.1)
    }

    /// The number of games that have the position.
    #[getter]
    fn games(&self) -> u64 {
        self.tally().games
    }

    /// The number of these that White won.
    #[getter]
    fn white(&self) -> u64 {
        self.tally().white
    }

    /// The number of draws.
    #[getter]
    fn draws(&self) -> u64 {
        self.tally().draws
    }

    /// The number of these that Black won.
    #[getter]
    fn black(&self) -> u64 {
        self.tally().black
    }

    /// The number of games whose last position it is.
    #[getter]
    fn ended(&self) -> u64 {
        self.0.ended
    }

    /// The moves, the most frequent first.
    #[getter]
    fn moves(&self) -> Vec<TreeMove> {
        let of = |mv: &pdn_index::query::TreeMove| TreeMove {
            text: mv.text.clone(),
            games: mv.tally.games,
            white: mv.tally.white,
            draws: mv.tally.draws,
            black: mv.tally.black,
            average_rating: mv.tally.rating(self.0.position.turn()),
            first_year: Some(mv.tally.first_year).filter(|&year| year != 0),
            last_year: Some(mv.tally.last_year).filter(|&year| year != 0),
            reached: mv.reached,
            r#move: mv.mv.map(|played| Move::new(self.position(), played)),
            after: Position::of(mv.after, self.1),
        };
        self.0.moves.iter().map(of).collect()
    }

    fn __repr__(&self) -> String {
        let best: Vec<String> =
            self.0.moves.iter().take(5).map(|mv| format!("{} {}", mv.text, mv.tally.games)).collect();
        format!("<pdn.Tree: {} games; {}>", self.games(), best.join(", "))
    }

    fn _repr_html_(&self) -> String {
        let mut html = String::from("<table><tr><th>move<th>games<th>white<th>draws<th>black<th>last</tr>");
        for mv in &self.0.moves {
            let tally = &mv.tally;
            let year = if tally.last_year == 0 { String::new() } else { tally.last_year.to_string() };
            html += &format!(
                "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{year}</tr>",
                mv.text, tally.games, tally.white, tally.draws, tally.black
            );
        }
        html + "</table>"
    }
}
