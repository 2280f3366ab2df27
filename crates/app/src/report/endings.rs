//! Endings that tables prove: how often they came about, and what people made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use pdn::position::{PieceCounts, Position};
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::{Colour, Outcome};
use pdn_index::internal::query::{Count, SumCondition, TableNumber, Tables};
use pdn_index::query::{Query, Search};
use pdn_index::{Index, IndexedGame};
use serde::Serialize;

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::ask::options::options;

/// Width of a class of ratings.
const CLASS: u16 = 200;

options! {
    /// What is counted of endings.
    #[derive(Copy, Eq)]
    pub struct EndingsCounted in "" {
        /// Also count by classes of 200 rating points: games whose ratings are both known, by their mean
        ratings: bool;
    }
}

/// Asks for the endings of games that tables prove.
#[derive(Clone, Debug)]
pub struct EndingsRequest {
    /// The games, with the tables.
    pub filter: Filter,
    /// What is counted.
    pub counted: EndingsCounted,
}

/// The games with an ending: the same numbers of men and kings, whichever side has them. The stronger side is that with more pieces, then with
/// more kings; of equal sides, the one to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndingGames {
    /// The variant.
    pub variant: &'static str,
    /// The numbers of men and kings of the stronger side, and of men and kings of the other side.
    pub ending: String,
    /// All of them.
    #[serde(flatten)]
    pub counts: EndingCounts,
    /// Those whose ratings are both known, by the mean of these; none unless asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatedEndingGames>,
}

/// The games with an ending whose mean rating is in a class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatedEndingGames {
    /// The least mean rating.
    pub from: u16,
    /// The greatest mean rating, rounded down.
    pub to: u16,
    /// These games.
    #[serde(flatten)]
    pub counts: EndingCounts,
}

/// Numbers of games with an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndingCounts {
    /// The number of games that had the ending.
    pub games: u64,
    /// The number of their positions in it.
    pub positions: u64,
    /// Games that came to the ending in a position that is won for the stronger side.
    pub won: u64,
    /// Those of them that the stronger side won.
    pub won_kept: u64,
    /// Games that came to the ending in a drawn position.
    pub drawn: u64,
    /// Those of them that were drawn.
    pub drawn_kept: u64,
    /// Games that came to the ending in a position that is lost for the stronger side.
    pub lost: u64,
    /// Those of them that the stronger side lost.
    pub lost_kept: u64,
    /// Games without a known result.
    pub unknown: u64,
    /// Games in which a move in the ending threw away a win or a draw.
    pub thrown: u64,
}

/// A variant with the men and kings of both sides, the stronger one first.
type EndingKey = (&'static str, [[u8; 2]; 2]);

/// The numbers of each ending: of all games (`None`), and of those whose mean rating is in a class, by its number.
type Endings = BTreeMap<(EndingKey, Option<u16>), EndingCounts>;

impl EndingsRequest {
    /// Counts the endings, those of most games first. Takes some microseconds for each game that has one.
    ///
    /// # Errors
    ///
    /// In the field `tables` if there are none; if no game of this index can match, the index or a table is damaged, or the work was stopped.
    pub fn count(&self, index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<Vec<EndingGames>> {
        let Some(tables) = self.filter.ending_tables() else {
            let error =
                AppError::plain(ErrorCode::Missing, "names the folder of the tables that prove endings");
            return Err(error.in_field("tables"));
        };
        let value = Count::Table(TableNumber::Value, Some(tables.clone()));
        let query = self.filter.whole_games() & Query::sum(SumCondition::new(vec![(1, value)], -1, 1)).ever();
        self.filter.check(&query, index)?;
        let (hits, _) = Search::new(index, &query, threads)?.stop(stop).hits(usize::MAX)?;
        let mut endings = BTreeMap::new();
        for game in hits.iter().filter_map(|hit| index.game(hit.game)) {
            if stop.is_requested() {
                return Err(AppError::stopped());
            }
            add(&game, tables, self.counted.ratings, &mut endings)?;
        }
        tables.check()?;
        let mut rows: Vec<EndingGames> = Vec::new();
        for (((variant, [strong, other]), class), counts) in endings {
            let (Some(class), Some(row)) = (class, rows.last_mut()) else {
                let ending = format!("{} {} {} {}", strong[0], strong[1], other[0], other[1]);
                rows.push(EndingGames { variant, ending, counts, ratings: Vec::new() });
                continue;
            };
            let from = class * CLASS;
            row.ratings.push(RatedEndingGames { from, to: from.saturating_add(CLASS - 1), counts });
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.counts.games));
        Ok(rows)
    }
}

/// Adds a game to the endings that it has.
fn add(game: &IndexedGame<'_>, tables: &Tables, by_rating: bool, endings: &mut Endings) -> pdn::Result<()> {
    let row = game.row()?;
    let variant = row.kind.variant;
    let winner = row.winner();
    let result = |strong| match row.outcome {
        Outcome::Draw => Some(0),
        _ => winner.map(|winner| if winner == strong { 1 } else { -1 }),
    };
    let [white, black] = row.ratings;
    let class = (by_rating && white > 0 && black > 0).then_some(white.midpoint(black) / CLASS);
    // All games, and those of the class.
    let classes = || [None].into_iter().chain(class.map(Some));
    let (plies, last) = game.plies()?;
    let value = |position| tables.number(TableNumber::Value, variant, position);
    let (mut met, mut thrown, mut before) = (BTreeSet::new(), BTreeSet::new(), None);
    for position in plies.iter().map(|ply| &ply.before).chain([&last]) {
        let found = value(position).map(|value| (value, key_of(variant, position)));
        // A setup or a null move is nobody's mistake.
        if let (Some((before, (key, _))), Some((value, _)), false) = (before, found, row.has_setups)
            && before + value > 0
        {
            thrown.insert(key);
        }
        before = found;
        let Some((value, (key, strong))) = found else { continue };
        // A side without a piece ends the game, and is no ending.
        if key.1[1] == [0, 0] {
            continue;
        }
        let is_first = met.insert(key);
        for class in classes() {
            let counts = endings.entry((key, class)).or_default();
            counts.positions += 1;
            if is_first {
                let value = if position.turn() == strong { value } else { -value };
                let (games, kept) = match value {
                    1.. => (&mut counts.won, &mut counts.won_kept),
                    0 => (&mut counts.drawn, &mut counts.drawn_kept),
                    _ => (&mut counts.lost, &mut counts.lost_kept),
                };
                *games += 1;
                *kept += u64::from(result(strong) == Some(value));
                counts.games += 1;
                counts.unknown += u64::from(result(strong).is_none());
            }
        }
    }
    for (key, class) in thrown.into_iter().flat_map(|key| classes().map(move |class| (key, class))) {
        endings.entry((key, class)).or_default().thrown += 1;
    }
    Ok(())
}

/// Returns the ending of a position, and its stronger side.
fn key_of(variant: Variant, position: &Position) -> (EndingKey, Colour) {
    let PieceCounts { men, kings, .. } = position.counts();
    let side = |colour: Colour| [men[colour as usize], kings[colour as usize]];
    let strength = |colour: Colour| side(colour).iter().map(|&pieces| u32::from(pieces)).sum::<u32>();
    let rank = |colour: Colour| (strength(colour), side(colour)[1], colour == position.turn());
    let strong = if rank(Colour::White) > rank(Colour::Black) { Colour::White } else { Colour::Black };
    ((variant.name(), [side(strong), side(!strong)]), strong)
}
