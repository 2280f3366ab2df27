//! Indexes: opening and searching them.

use std::path::PathBuf;
use std::sync::Arc;

use pdn::internal::source::path_text;
use pdn::stop::Stop;
use pdn_app::AppError;
use pdn_app::ask::filter::Filter;
use pdn_app::find::tree::TreeRequest;
use pdn_app::report::event::EventRequest;
use pdn_app::report::groups::{GroupField, GroupRequest};
use pdn_app::report::player::PlayerRequest;
use pdn_index::query::{Query, Search, TreeOptions};
use pdn_tables::arrow::{SkippedArchives, TableError};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{self, error, from_app, from_pdn, from_question, from_search, parse_query};
use crate::game::{Game, Origin, SharedIndex};
use crate::options::{self, read_all, take};
use crate::position::Position;
use crate::reading::{self, read_names};
use crate::tree::Tree;

/// A searchable index of archives, in a folder. `pdn.index` makes one.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Index {
    shared: Arc<SharedIndex>,
    skipped: SkippedArchives,
}

/// A game that matches a query, and the first position at which it does.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Hit {
    shared: Arc<SharedIndex>,
    hit: pdn_index::query::Hit,
}

impl Index {
    /// Returns the index with a list of the files that were skipped when it was made.
    pub(crate) fn with_skipped(self, skipped: SkippedArchives) -> Self {
        Self { skipped, ..self }
    }

    pub(crate) fn shared(&self) -> &SharedIndex {
        &self.shared
    }

    /// Parses a query and checks it against the index.
    fn query(&self, py: Python<'_>, name: &str, text: Option<&str>) -> PyResult<Query> {
        self.checked(py, name, parse_query(py, name, text)?)
    }

    /// Parses a query that may use definitions, and checks it against the index.
    fn defined_query(&self, py: Python<'_>, text: &str, define: Option<Define>) -> PyResult<Query> {
        let Some(define) = define else { return self.query(py, QUERY, Some(text)) };
        self.checked(py, QUERY, define.filter(py, text)?.query())
    }

    /// Returns the query that the argument `name` holds after a check against the index.
    fn checked(&self, py: Python<'_>, name: &str, query: Query) -> PyResult<Query> {
        TableError::check_query(&self.shared.index, &query).map_err(|error| from_search(py, &error, name))?;
        Ok(query)
    }

    fn game_at(&self, number: u64) -> Game {
        Origin::Index { shared: Arc::clone(&self.shared), number }.into()
    }
}

/// The argument that holds the query of a search.
const QUERY: &str = "query";

/// The argument `define`: the text of definitions, or the path of a file of them.
#[derive(FromPyObject)]
enum Define {
    Text(String),
    Path(PathBuf),
}

impl Define {
    /// Returns the filter of a query that may use the definitions.
    fn filter(self, py: Python<'_>, query: &str) -> PyResult<Filter> {
        let mut filter = Filter::default();
        let defined = match self {
            Self::Text(text) => filter.set("define", &text),
            Self::Path(path) => filter.define_file(&path),
        };
        defined
            .and_then(|()| filter.set("query", query))
            .map_err(|failed| from_question(py, &failed, QUERY))?;
        Ok(filter)
    }
}

/// Returns the filter that an argument `where` forms.
fn filter(query: Option<&str>) -> pdn_app::Result<Filter> {
    let mut filter = Filter::default();
    query.map_or(Ok(()), |query| filter.set("query", query)).map(|()| filter)
}

/// Returns the value of a text of JSON.
fn loaded(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

#[pymethods]
impl Index {
    #[new]
    pub(crate) fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let index = pdn_index::Index::open(path).map_err(|error| from_pdn(py, &error))?;
        Ok(Self { shared: Arc::new(SharedIndex::new(index)), skipped: SkippedArchives::default() })
    }

    /// The folder.
    #[getter]
    pub(crate) fn path(&self) -> PathBuf {
        self.shared.index.dir().to_owned()
    }

    /// The names of the files that were indexed.
    #[getter]
    fn files(&self) -> Vec<String> {
        let inputs = self.shared.index.inputs().iter().filter(|input| !input.is_retired);
        inputs.map(|input| path_text(&input.name).into_owned()).collect()
    }

    /// The errors of the files that `pdn.index` skipped when it made or extended the index; empty for an index that was only opened.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        errors::skipped(py, &self.skipped)
    }

    /// Returns the game with a number, from 1.
    fn game(&self, number: u64) -> PyResult<Game> {
        match number.checked_sub(1).filter(|&at| at < self.shared.index.len()) {
            Some(at) => Ok(self.game_at(at)),
            None => {
                let len = self.shared.index.len();
                Err(PyIndexError::new_err(format!("the games of the index have the numbers 1 to {len}")))
            }
        }
    }

    /// Returns the games that match a query, each with its first match, in the order of the index.
    ///
    /// `define` gives names that the query may use, as the option `--define` of `pdn find` does: a string is their text, a path the file.
    #[pyo3(signature = (query, *, limit=None, define=None))]
    fn find(
        &self,
        py: Python<'_>,
        query: &str,
        limit: Option<usize>,
        define: Option<Define>,
    ) -> PyResult<Vec<Hit>> {
        let query = self.defined_query(py, query, define)?;
        let index = &self.shared.index;
        let found = py.detach(|| {
            let search = Search::new(index, &query, pdn::default_threads())?;
            search.hits(limit.unwrap_or(usize::MAX))
        });
        let (hits, _) = found.map_err(|error| from_pdn(py, &error))?;
        Ok(hits.into_iter().map(|hit| Hit { shared: Arc::clone(&self.shared), hit }).collect())
    }

    /// Returns the number of games that match a query. `define` is that of `find`.
    #[pyo3(signature = (query, *, define=None))]
    fn count(&self, py: Python<'_>, query: &str, define: Option<Define>) -> PyResult<u64> {
        let query = self.defined_query(py, query, define)?;
        let index = &self.shared.index;
        let counted = py.detach(|| Search::new(index, &query, pdn::default_threads())?.count());
        counted.map(|(games, _)| games).map_err(|error| from_pdn(py, &error))
    }

    /// Returns the games that match a query by group, as a list of dictionaries with the keys of `pdn find --by ... --json`.
    ///
    /// `by` is `"move"` (the next move at any matching position), `"player"`, a field such as `"year"`, `"event"` or `"winner"`, or a tag such
    /// as `"Opening"`. Groups with the most games come first; with `limit`, so many are returned. The `query` of a group finds its games.
    /// `define` is that of `find`, and `names` a file of names, as `pdn names` writes it.
    #[pyo3(signature = (query, by, *, limit=None, define=None, names=None))]
    fn groups(
        &self,
        py: Python<'_>,
        query: &str,
        by: &str,
        limit: Option<usize>,
        define: Option<Define>,
        names: Option<PathBuf>,
    ) -> PyResult<Py<PyAny>> {
        let failed = |failed: AppError| from_question(py, &failed, QUERY);
        let filter = match define {
            Some(define) => define.filter(py, query)?,
            None => filter(Some(query)).map_err(failed)?,
        };
        let by = GroupField::parse(by).map_err(|message| error(py, format!("by: `{by}`: {message}")))?;
        let names = read_names(py, names.as_deref())?.map(Arc::new);
        let request = GroupRequest { filter, by, names, limit: limit.unwrap_or(0), max_positions: 0 };
        let index = &self.shared.index;
        let found = py.detach(|| request.run(index, pdn::default_threads(), &Stop::default()));
        loaded(py, &serde_json::to_string(&found.map_err(failed)?.groups).unwrap_or_default())
    }

    /// Returns the moves that were played in a position, and how those games ended.
    ///
    /// The position is the start position, that of `fen`, or that after `moves`; it is of the most frequent variant of the games that have it,
    /// unless `variant` names another. `where` chooses the games that count. With `transpositions`, the games that reach the position after
    /// each move by any move order are counted too. `sort` and `limit` order the moves and choose among them, as in `pdn tree`.
    // begin signature of tree
    #[pyo3(signature = (**options), text_signature = "($self, *, variant=None, where=None, moves=None, fen=None, transpositions=False, sort='games', limit=0)")]
    // end signature of tree
    fn tree(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Tree> {
        let mut given = options::given(options)?;
        let variant = take::<String>(py, &mut given, "variant")?;
        let variant = variant.map(|name| reading::variant(py, &name)).transpose()?;
        let request = read_all(py, given, |given| {
            let filter = options::filter(given)?.variant(variant);
            TreeRequest::take(filter, given)
        })?;
        let (index, threads) = (&self.shared.index, pdn::default_threads());
        let found = py.detach(|| {
            let chosen = request.choose(index, threads, &Stop::default())?;
            request.tree(index, &chosen, &TreeOptions::new().threads(threads))
        });
        found.map(|found| Tree(found.tree, found.variant)).map_err(|failed| from_app(py, &failed))
    }

    /// Returns the results of a player, as a dictionary with the keys of `pdn player --json`.
    ///
    /// Of several persons whose name matches, the one with the most games is meant, and `also` lists the others; `"=Whole, Name"` means that
    /// name alone. With `against`, the games against that player count, and `against` lists them. `where` chooses the games that count. `names`
    /// is a file of names, as `pdn names` writes it. With `limit`, so many opponents, events, and openings with each colour are returned.
    /// Tables are lists of rows, which `polars.DataFrame` and `pandas.DataFrame` take.
    // begin signature of player
    #[pyo3(signature = (name, **options), text_signature = "($self, name, *, where=None, against=None, names=None, limit=None)")]
    // end signature of player
    fn player(&self, py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let failed = |failed: AppError| from_app(py, &failed);
        let request = read_all(py, options::given(options)?, |given| {
            PlayerRequest::with(name, options::filter(given)?, &given.group()?, 0)
        })?;
        let index = &self.shared.index;
        let report = py.detach(|| request.run(index, pdn::default_threads(), &Stop::default()));
        loaded(py, &serde_json::to_string(&report.map_err(failed)?).unwrap_or_default())
    }

    /// Returns the standings and games of an event, as a dictionary with the keys of `pdn event --json`.
    ///
    /// Of several events whose name matches, the one with the most games is meant, and `also` lists the others. `where` chooses the
    /// games that count. `names` is a file of names, as `pdn names` writes it. `tie_breaks` decide between equal points, in their order:
    /// `"head-to-head"`, `"sonneborn-berger"`, `"buchholz"`, `"wins"`. With `limit`, so many players are returned.
    /// Tables are lists of rows, which `polars.DataFrame` and `pandas.DataFrame` take.
    // begin signature of event
    #[pyo3(signature = (name, **options), text_signature = "($self, name, *, where=None, tie_breaks='head-to-head,sonneborn-berger,buchholz,wins', names=None, limit=0)")]
    // end signature of event
    fn event(&self, py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Py<PyAny>> {
        let failed = |failed: AppError| from_app(py, &failed);
        let request = read_all(py, options::given(options)?, |given| {
            EventRequest::with(name, options::filter(given)?, given.group()?)
        })?;
        let index = &self.shared.index;
        let report = py.detach(|| request.run(index, pdn::default_threads(), &Stop::default()));
        loaded(py, &serde_json::to_string(&report.map_err(failed)?).unwrap_or_default())
    }

    fn __getnewargs__(&self) -> (PathBuf,) {
        (self.path(),)
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.shared.index.game_count()).unwrap_or(usize::MAX)
    }

    fn __iter__(&self) -> IndexGames {
        IndexGames { shared: Arc::clone(&self.shared), next: 0 }
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Index {}: {} games>", self.shared.index.dir().display(), self.shared.index.game_count())
    }
}

/// The iterator over the games of an index.
#[pyclass(module = "pdn")]
#[derive(Debug)]
pub(crate) struct IndexGames {
    shared: Arc<SharedIndex>,
    next: u64,
}

#[pymethods]
impl IndexGames {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Game> {
        loop {
            let number = self.next;
            let game = self.shared.index.game(number)?;
            self.next += 1;
            if !game.is_retired() {
                return Some(Origin::Index { shared: Arc::clone(&self.shared), number }.into());
            }
        }
    }
}

#[pymethods]
impl Hit {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Origin::Index { shared: Arc::clone(&self.shared), number: self.hit.game }.into()
    }

    /// The number of plies before the first position at which the query is true.
    #[getter]
    fn ply(&self) -> u32 {
        self.hit.ply
    }

    /// The line of that position: 0 for the main line, 1, 2 and so on for the variations in the order in which their brackets open.
    #[getter]
    fn line(&self) -> u32 {
        self.hit.line
    }

    /// The first position at which the query is true.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Position> {
        let game = self.shared.index.game(self.hit.game).expect("the game is in its index");
        let position = game
            .position_in(self.hit.line, self.hit.ply)
            .and_then(|position| Ok((position, game.kind()?.variant)));
        position
            .map(|(position, variant)| Position::of(position, variant))
            .map_err(|error| from_pdn(py, &error))
    }

    /// The folder of the index, the number of the game, the ply and the line.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, HitPlace)> {
        let place = (self.shared.index.dir().to_owned(), self.hit.game, self.hit.ply, self.hit.line);
        Ok((py.import("pdn._pdn")?.getattr("restore_hit")?, place))
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Hit: game {}, ply {}>", self.hit.game + 1, self.hit.ply)
    }
}

/// Where a hit is: the folder of its index, the number of its game from 0, its ply and its line.
type HitPlace = (PathBuf, u64, u32, u32);

/// Returns a hit that was pickled.
#[pyfunction]
pub(crate) fn restore_hit(py: Python<'_>, path: PathBuf, game: u64, ply: u32, line: u32) -> PyResult<Hit> {
    let index = Index::new(py, path)?;
    index.game(game + 1)?;
    Ok(Hit { shared: index.shared, hit: pdn_index::query::Hit { game, ply, line } })
}

/// Returns a game of an index that was pickled, by its number from 1.
#[pyfunction]
pub(crate) fn restore_indexed_game(py: Python<'_>, path: PathBuf, number: u64) -> PyResult<Game> {
    Index::new(py, path)?.game(number)
}
