//! Where games leave all earlier games.

use std::num::NonZeroUsize;

use pdn::stop::Stop;
use pdn_index::Index;
use pdn_index::internal::query::{Novelties, Novelty, RowTable, novelties};
use pdn_index::query::{Hit, Search};
use pdn_tables::GameField;
use serde::Serialize;

use crate::ask::error::{AppError, Result};
use crate::ask::fields::FoundField;
use crate::ask::filter::Filter;
use crate::ask::named::named;
use crate::ask::options::options;
use crate::ask::rows::{FoundGame, RowReader, ply_text};
use crate::ask::values::colour_name;
use crate::find::no_match::no_match;

named! {
    /// The order of the games with novelties.
    pub enum NoveltySort {
        /// Order of the index
        Game = "game",
        /// Date of the game
        Date = "date",
        /// Number of plies before the novelty
        Ply = "ply",
    }
}

options! {
    /// The order of the games with novelties.
    #[derive(Copy, Eq)]
    pub struct NoveltyOrder in "" {
        /// Order of the games
        sort: NoveltySort, value "KEY";
        /// Reverse the order
        reverse: bool;
    }
}

/// Asks where games leave all earlier games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NoveltyRequest {
    /// Which games are listed. Each is compared with all games of the index.
    pub filter: Filter,
    /// The order.
    pub order: NoveltyOrder,
}

/// The games that leave all earlier games, and the numbers of the others.
#[derive(Clone, Debug)]
pub struct FoundNovelties {
    /// The games with a novelty, with the number of plies before it, in the order that was asked for.
    pub hits: Vec<Hit>,
    /// The novelties of all games of the index.
    novelties: Novelties,
    /// What became of the games that match.
    pub counts: NoveltyCounts,
}

/// What became of the games that match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct NoveltyCounts {
    /// The number of games that match.
    pub games: u64,
    /// Those that leave all earlier games at some ply.
    pub with_novelty: u64,
    /// Those of which an earlier game has every position.
    pub repeated: u64,
    /// Those of which no earlier game has even the first position.
    pub without_predecessor: u64,
    /// Those whose year is unknown.
    pub without_year: u64,
}

impl NoveltyRequest {
    /// Finds the novelties.
    ///
    /// # Errors
    ///
    /// If no game of this index can match, whatever it is, the index is damaged, a text cannot be read, or the work was stopped.
    pub fn find(&self, index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<FoundNovelties> {
        let query = self.filter.games()
            & self
                .filter
                .chosen_variant()
                .map_or(pdn_index::query::Query::all(), pdn_index::query::Query::variant);
        self.filter.check(&query, index)?;
        let (games, _) = Search::new(index, &query, threads)?.stop(stop).games()?;
        let novelties = novelties(index, threads, stop)?;
        let table = RowTable::new(index)?;
        let (mut hits, mut counts) = (Vec::new(), NoveltyCounts::default());
        for (segment, games) in games.iter().enumerate() {
            let first = index.first_game(segment).unwrap_or(0);
            for game in games.iter().map(|game| first + u64::from(game)) {
                counts.games += 1;
                match novelties.of(game) {
                    Novelty { ply: Some(ply), .. } => hits.push(Hit { game, ply, line: 0 }),
                    Novelty { predecessor: Some(_), .. } => counts.repeated += 1,
                    _ if table.row(game).is_some_and(|row| row.date.year().is_some()) => {
                        counts.without_predecessor += 1;
                    }
                    _ => counts.without_year += 1,
                }
            }
        }
        counts.with_novelty = hits.len() as u64;
        match self.order.sort {
            NoveltySort::Game => {}
            NoveltySort::Date => {
                hits.sort_by_cached_key(|hit| table.row(hit.game).map(|row| row.date));
            }
            NoveltySort::Ply => hits.sort_by_key(|hit| hit.ply),
        }
        if self.order.reverse {
            hits.reverse();
        }
        Ok(FoundNovelties { hits, novelties, counts })
    }

    /// Returns why no game matches.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn no_match(&self, index: &Index, threads: NonZeroUsize) -> Result<AppError> {
        no_match(index, &self.filter.games(), threads)
    }
}

/// A game that leaves all earlier games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoveltyRow<'a> {
    /// The game.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "NoveltyGame"))]
    pub game: FoundGame<'a>,
    /// The number of plies before the first move that leads to a position which no earlier game has.
    pub novelty: u32,
    /// The side that makes this move.
    pub by: &'static str,
    /// The move, in its shortest form; `--` for a null move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Of the earlier games with the position before the move, the first by the last day of its date.
    #[cfg_attr(feature = "schema", schemars(with = "NoveltyGame"))]
    pub predecessor: FoundGame<'a>,
}

/// The schema of a game with [`NOVELTY_FIELDS`].
#[cfg(feature = "schema")]
struct NoveltyGame;

#[cfg(feature = "schema")]
impl schemars::JsonSchema for NoveltyGame {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NoveltyGame".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        crate::ask::rows::rows_schema(&novelty_fields(), &[])
    }
}

/// The fields of a game and of its predecessor.
pub const NOVELTY_FIELDS: [GameField; 8] = [
    GameField::Game,
    GameField::File,
    GameField::Record,
    GameField::White,
    GameField::Black,
    GameField::Result,
    GameField::Date,
    GameField::DateText,
];

/// Returns [`NOVELTY_FIELDS`] as fields of a row.
pub fn novelty_fields() -> Vec<FoundField> {
    NOVELTY_FIELDS.map(FoundField::Game).to_vec()
}

impl FoundNovelties {
    /// Returns the row of a game; `None` if there is no such game. `reader` has [`novelty_fields`].
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn row<'a>(&self, reader: &RowReader<'a>, hit: &Hit) -> Result<Option<NoveltyRow<'a>>> {
        let predecessor = self.novelties.of(hit.game).predecessor;
        let Some(predecessor) = predecessor.map(|game| Hit { game, ply: hit.ply, line: 0 }) else {
            return Ok(None);
        };
        let (Some(game), Some(predecessor)) = (reader.row(hit)?, reader.row(&predecessor)?) else {
            return Ok(None);
        };
        let Some(indexed) = reader.index.game(hit.game) else { return Ok(None) };
        let (plies, _) = indexed.plies()?;
        let Some(ply) = plies.get(hit.ply as usize) else { return Ok(None) };
        Ok(Some(NoveltyRow {
            game,
            novelty: hit.ply,
            by: colour_name(ply.before.turn()),
            mv: ply_text(ply),
            predecessor,
        }))
    }
}
