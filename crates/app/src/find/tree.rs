//! The moves played in a position, with the results of their games.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::num::NonZeroUsize;

use pdn::internal::value::Score;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn::value::Colour;
use pdn_index::Index;
use pdn_index::internal::GameSet;
use pdn_index::internal::query::{Field, OpeningNames, Pattern, variant_counts};
use pdn_index::query;
use pdn_index::query::{GameTally, OpeningTree, Query, Search, TreeMove, TreeOptions};
use serde::Serialize;

use crate::ask::endings::{ProvenAnswer, ProvenMove, ProvenMoves, ProvenPosition};
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::filter::Filter;
use crate::ask::named::named;
use crate::ask::options::{GivenOptions, OptionGroups, Options, options};
use crate::ask::position::PlaceRequest;
use crate::ask::values::colour_name;
use crate::find::no_match::no_match;

named! {
    /// The order of the moves of a tree.
    pub enum TreeSort {
        /// Most games first
        Games = "games",
        /// Best score of the side to move first
        Score = "score",
        /// Highest average rating of the side to move first
        Rating = "rating",
        /// Latest year first
        Year = "year",
        /// By square numbers
        Move = "move",
    }
}

options! {
    /// What is shown of a tree.
    pub struct TreeShown in "" {
        /// Also count the games that reach the position after each move by another move order, and name the moves that nobody
        /// played and that lead to positions of games; takes as long again for each legal move
        transpositions: bool;
        /// Order of the moves
        sort: TreeSort, value "KEY";
        /// Print at most this many moves, 0 for no limit
        limit: usize, value "N";
    }
}

/// Asks for the moves played in a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TreeRequest {
    /// The position.
    pub place: PlaceRequest,
    /// The variant and the conditions on games as a whole. Without a variant, the commonest of the games that the other conditions
    /// leave and that have the position.
    pub filter: Filter,
    /// What is shown of it.
    pub shown: TreeShown,
}

/// The games of an index that the conditions of a tree choose. They are the same for all positions.
#[derive(Debug)]
pub struct ChosenGames {
    query: Query,
    /// The games of each segment; `None` if there are no conditions.
    games: Option<Vec<GameSet>>,
    /// Those in which the player of the filter has White, and Black, and not both.
    of_player: Option<[Vec<GameSet>; 2]>,
    /// The variants of the games with their numbers of games, the commonest first. If no game is chosen, those of all games, with 0.
    counts: Vec<(Variant, u64)>,
}

/// An opening tree with what was chosen for it.
#[derive(Debug)]
pub struct FoundTree {
    /// The variant.
    pub variant: Variant,
    /// Whether the request names the variant; otherwise it was inferred from the games.
    pub is_requested: bool,
    /// The variants of the games that the conditions leave, with their numbers of games, the commonest first.
    pub counts: Vec<(Variant, u64)>,
    /// The tree, with its moves sorted and limited.
    pub tree: OpeningTree,
    /// The names of the opening: those that the moves of the request show, without moves those of the position.
    pub opening_played: Option<String>,
    /// The scores of the player whose games were asked for.
    pub player: Option<PlayerScores>,
    /// The number of moves before the limit.
    pub move_count: usize,
    /// The positions after them.
    played: Vec<Position>,
    /// What is unusual about the position, and that tables of endings are of other variants.
    pub warnings: Vec<AppError>,
    /// What tables of endings prove of the position and its moves.
    pub proven: ProvenMoves,
    /// The conditions on games.
    query: Query,
}

/// The results of a player, whichever side they have.
#[derive(Clone, Debug)]
pub struct PlayerScores {
    /// In all games that have the position.
    all: Score,
    /// In the games with each move.
    moves: HashMap<String, Score>,
    /// Games in which both sides have the name. They are not counted. `None` if not all games were counted.
    self_games: Option<u64>,
}

impl PlayerScores {
    /// Counts the points in the games in which the player has White, and in those with Black.
    fn new(
        index: &Index,
        tree: &OpeningTree,
        of_player: &[Vec<GameSet>; 2],
        options: &TreeOptions<'_>,
    ) -> Result<Self> {
        let mut scores = Self { all: Score::default(), moves: HashMap::new(), self_games: None };
        for (side, games) in [Colour::White, Colour::Black].into_iter().zip(of_player) {
            let mut options = options.clone().transpositions(false);
            options.among = Some(games);
            let tree = query::tree(index, &tree.position, &options)?;
            scores.all.add(&tree.all.results(side));
            for tree_move in &tree.moves {
                scores.moves.entry(tree_move.text.clone()).or_default().add(&tree_move.tally.results(side));
            }
        }
        // The filter has the name, so that all other games have it on both sides.
        scores.self_games = tree.all.games.checked_sub(scores.all.games).filter(|_| tree.left_out == 0);
        Ok(scores)
    }

    /// Returns the score in all games, in percent.
    pub fn all(&self) -> Option<f64> {
        self.all.percent()
    }

    /// Returns the number of games in which both sides have the name; `None` if not all games were counted.
    pub fn self_games(&self) -> Option<u64> {
        self.self_games
    }

    /// Returns the score in the games with a move, given its text, in percent.
    pub fn of_move(&self, text: &str) -> Option<f64> {
        self.moves.get(text).copied().unwrap_or_default().percent()
    }
}

/// Returns the query for games by the rules of `variant`, whatever their variant is called.
fn same_rules(variant: Variant) -> Query {
    let same = Variant::ALL.iter().filter(|other| other.rules() == variant.rules());
    let mut same: Vec<Query> = same.map(|&other| Query::variant(other)).collect();
    if same.len() == 1 { same.remove(0) } else { Query::Or(same) }
}

impl TreeRequest {
    /// The options besides those of the filter.
    pub const OPTIONS: OptionGroups = &[PlaceRequest::FIELDS, TreeShown::FIELDS];

    /// Asks about the games of a filter what these options say.
    ///
    /// # Errors
    ///
    /// If an option cannot be read.
    pub fn take(filter: Filter, given: &mut GivenOptions) -> Result<Self> {
        Ok(Self { place: given.group()?, filter, shown: given.group()? })
    }

    /// Finds the games that the conditions choose.
    ///
    /// # Errors
    ///
    /// If the index has no such games, its squares are ambiguous, it is damaged, or the work was stopped.
    pub fn choose(&self, index: &Index, threads: NonZeroUsize, stop: &Stop) -> Result<ChosenGames> {
        let variant = self.filter.chosen_variant();
        if let Some(requested) = variant {
            require_variant(index, requested)?;
        }
        let (mut query, mut games) = (Query::all(), None);
        if !self.filter.has_no_game_conditions() {
            query = self.filter.games() & variant.map_or_else(Query::all, same_rules);
            self.filter.check(&query, index)?;
            games = Some(Search::new(index, &query, threads)?.stop(stop).games()?.0);
        }
        let of_player = match self.filter.player() {
            None => None,
            Some(player) => {
                let has = |field| Query::tag(field, player.clone());
                let games = |own, other| -> Result<Vec<GameSet>> {
                    let query = query.clone() & has(own) & !has(other);
                    Ok(Search::new(index, &query, threads)?.stop(stop).games()?.0)
                };
                Some([games(Field::White, Field::Black)?, games(Field::Black, Field::White)?])
            }
        };
        let mut counts = variant_counts(index, games.as_deref())?;
        if counts.is_empty() {
            counts = variant_counts(index, None)?;
            counts.iter_mut().for_each(|(_, games)| *games = 0);
        }
        if counts.is_empty() {
            return Err(without_games());
        }
        Ok(ChosenGames { query: query.of_whole_games(), games, of_player, counts })
    }

    /// Builds the tree of games that were chosen with the same conditions.
    ///
    /// # Errors
    ///
    /// If the position is wrong in all variants of the games, the index is damaged, or the work was stopped.
    pub fn tree(&self, index: &Index, chosen: &ChosenGames, options: &TreeOptions<'_>) -> Result<FoundTree> {
        let mut options = options.clone().transpositions(self.shown.transpositions);
        options.among = chosen.games.as_deref();
        let mut warnings = Vec::new();
        let (variant, mut tree) = match self.filter.chosen_variant() {
            Some(variant) => {
                let position = self.place.position(variant.game(), &mut warnings)?;
                (variant, query::tree(index, &position, &options)?)
            }
            None => self.commonest(index, chosen, &options, &mut warnings)?,
        };
        let player = match &chosen.of_player {
            None => None,
            Some(of_player) => Some(PlayerScores::new(index, &tree, of_player, &options)?),
        };
        let played = tree.moves.iter().map(|tree_move| tree_move.after).collect();
        let move_count = self.arrange(&mut tree);
        let (counts, query) = (chosen.counts.clone(), chosen.query.clone());
        let is_requested = self.filter.chosen_variant().is_some();
        let opening_played = self.opening_played(variant, &tree.position);
        warnings.extend(self.filter.require_tables(variant).err());
        let tables = self.filter.ending_tables();
        let proven = tables.map(|tables| ProvenMoves::of(tables, variant, &tree.position)).transpose()?;
        Ok(FoundTree {
            proven: proven.unwrap_or_default(),
            played,
            variant,
            is_requested,
            counts,
            tree,
            opening_played,
            player,
            move_count,
            warnings,
            query,
        })
    }

    /// Sorts the moves, and leaves out those beyond the limit. Returns how many there were.
    fn arrange(&self, tree: &mut OpeningTree) -> usize {
        sort(tree, self.shown.sort);
        let count = tree.moves.len();
        if self.shown.limit > 0 {
            tree.moves.truncate(self.shown.limit);
        }
        count
    }

    /// Returns the tree of another position of the same games.
    pub(super) fn moves_at(
        &self,
        index: &Index,
        chosen: &ChosenGames,
        position: &Position,
        options: &TreeOptions<'_>,
    ) -> Result<OpeningTree> {
        let mut options = options.clone();
        options.among = chosen.games.as_deref();
        let mut tree = query::tree(index, position, &options)?;
        self.arrange(&mut tree);
        Ok(tree)
    }

    /// Returns the names of the opening: those that the moves from the start position show, else those of the position.
    fn opening_played(&self, variant: Variant, position: &Position) -> Option<String> {
        let names = OpeningNames::of(variant)?;
        let moves = self.place.moves.as_ref().filter(|_| self.place.fen.is_none());
        let Some(opening) = moves.and_then(|moves| names.of_moves(moves)) else {
            return name_of(variant, position);
        };
        Some(names.text(opening)).filter(|text| !text.is_empty())
    }

    /// Builds the tree of the commonest variant in which games have the position; else of the commonest in which there is such a position.
    fn commonest(
        &self,
        index: &Index,
        chosen: &ChosenGames,
        options: &TreeOptions<'_>,
        warnings: &mut Vec<AppError>,
    ) -> Result<(Variant, OpeningTree)> {
        let (mut first, mut error) = (None, None);
        for &(variant, _) in &chosen.counts {
            let mut of_variant = Vec::new();
            let position = match self.place.position(variant.game(), &mut of_variant) {
                Ok(position) => position,
                Err(wrong) => {
                    error.get_or_insert((wrong, of_variant));
                    continue;
                }
            };
            let tree = query::tree(index, &position, options)?;
            let found = tree.all.games > 0;
            if found || first.is_none() {
                first = Some((variant, tree));
                *warnings = of_variant;
            }
            if found {
                break;
            }
        }
        if let Some(found) = first {
            return Ok(found);
        }
        let Some((mut error, _)) = error else {
            return Err(AppError::new(ErrorCode::NoMatch, message!("no_games", "there are no games")));
        };
        if let [(commonest, _), others @ ..] = chosen.counts.as_slice()
            && !others.is_empty()
        {
            let names: Vec<&str> = others.iter().map(|(variant, _)| variant.name()).collect();
            error.details.push(format!(
                "this was tried as {commonest}; it is no position of the other variants of the games either ({})",
                names.join(", ")
            ));
            error = error.cured_by("variant", "names one");
        }
        Err(error)
    }
}

/// Returns the names of the opening that a position shows.
fn name_of(variant: Variant, position: &Position) -> Option<String> {
    let names = OpeningNames::of(variant)?;
    Some(names.text(names.of_position(position))).filter(|text| !text.is_empty())
}

/// Returns the error that an index has no games.
fn without_games() -> AppError {
    AppError::new(ErrorCode::NotFound, message!("no_games", "the index has no games"))
}

/// Fails unless some game of the index has the rules of a variant.
fn require_variant(index: &Index, requested: Variant) -> Result<()> {
    let counts = variant_counts(index, None)?;
    if counts.iter().any(|(variant, _)| variant.rules() == requested.rules()) {
        return Ok(());
    }
    if counts.is_empty() {
        return Err(without_games());
    }
    let mut names: Vec<_> = counts.iter().map(|(variant, _)| variant.name()).collect();
    names.sort_unstable();
    let known = names.join(", ");
    let message = message!(
        "no_game_of_variant",
        "no game of variant {variant}; the index has {known}",
        variant = requested.name()
    );
    Err(AppError::new(ErrorCode::NotFound, message).in_field("variant"))
}

/// Sorts the moves by `key`; moves with equal keys stay sorted by number of games, most first.
fn sort(tree: &mut OpeningTree, key: TreeSort) {
    let turn = tree.position.turn();
    let descending = |a: Option<f64>, b: Option<f64>| {
        b.unwrap_or(-1.0).partial_cmp(&a.unwrap_or(-1.0)).unwrap_or(Ordering::Equal)
    };
    let names = tree.position.names();
    tree.moves.sort_by(|a, b| match key {
        TreeSort::Games => Ordering::Equal,
        TreeSort::Score => descending(a.tally.score(turn), b.tally.score(turn)),
        TreeSort::Rating => descending(a.tally.rating(turn), b.tally.rating(turn)),
        TreeSort::Year => Reverse(a.tally.last_year).cmp(&Reverse(b.tally.last_year)),
        TreeSort::Move => {
            // A null move comes last.
            let squares = |tree_move: &TreeMove| {
                let ends = tree_move.mv.map(|mv| (names.number(mv.from), names.number(mv.to)));
                (ends.is_none(), ends)
            };
            squares(a).cmp(&squares(b))
        }
    });
}

/// Numbers of games of a move or a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tally {
    /// All games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games that were declared lost for both sides (`0-0`).
    pub both_lost: u64,
    /// The points of the side to move in percent; null without a result. Games that both sides lost are games without points.
    pub score: Option<f64>,
    /// The lower bound of the score with a probability of 95 %.
    pub low: Option<f64>,
    /// Its upper bound.
    pub high: Option<f64>,
    /// The average rating of the side to move.
    pub rating: Option<f64>,
    /// The average rating of White.
    pub white_rating: Option<f64>,
    /// The average rating of Black.
    pub black_rating: Option<f64>,
    /// The first year.
    pub first_year: Option<u16>,
    /// The last year.
    pub last_year: Option<u16>,
    /// Numbers of example games, from 1, the best rated first.
    pub examples: Vec<u64>,
}

impl Tally {
    fn of(tally: &GameTally, turn: Colour) -> Self {
        let bounds = interval(tally, turn);
        Self {
            games: tally.games,
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            both_lost: tally.both_lost,
            score: tally.score(turn),
            low: bounds.map(|(low, _)| low),
            high: bounds.map(|(_, high)| high),
            rating: tally.rating(turn),
            white_rating: tally.rating(Colour::White),
            black_rating: tally.rating(Colour::Black),
            first_year: (tally.first_year > 0).then_some(tally.first_year),
            last_year: (tally.last_year > 0).then_some(tally.last_year),
            examples: tally.examples.iter().map(|number| number + 1).collect(),
        }
    }
}

/// A move of a tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveAnswer {
    /// The move in its shortest form.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after it, as a FEN.
    pub after: String,
    /// The names of the opening that this position shows; null without one.
    pub opening_played: Option<String>,
    /// The number of games that reach that position by any order of moves; null unless asked for.
    pub reached: Option<u64>,
    /// The number of those that reach it by another order.
    pub other_ways: Option<u64>,
    /// The points, in percent, of the player whose games were asked for; null without one.
    pub player_score: Option<f64>,
    /// What the move is worth for the side that plays it, as tables of endings prove it.
    #[serde(flatten)]
    pub value: ProvenAnswer,
    /// The games with the move.
    #[serde(flatten)]
    pub tally: Tally,
}

/// A move that nobody played, and that leads to a position which games reach by another order of moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnplayedAnswer {
    /// The move in its shortest form.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after it, as a FEN.
    pub after: String,
    /// The number of games that have that position.
    pub reached: u64,
}

/// A move by which games reach the position of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArrivalAnswer {
    /// The move; null for games that begin with the position.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// The number of games.
    pub games: u64,
    /// The position before the move, as a FEN.
    pub before: Option<String>,
}

/// A variant with its number of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariantGames {
    /// The name of the variant.
    pub variant: &'static str,
    /// The number of games.
    pub games: u64,
}

/// Returns variants with their numbers of games, as answers have them.
pub fn variant_games(counts: &[(Variant, u64)]) -> Vec<VariantGames> {
    counts.iter().map(|&(variant, games)| VariantGames { variant: variant.name(), games }).collect()
}

/// The answer to a [`TreeRequest`].
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeAnswer {
    /// The name of the variant.
    pub variant: &'static str,
    /// How the variant is known: `option` or `inferred`.
    pub variant_from: &'static str,
    /// The variants of the games that the conditions leave, the commonest first.
    pub variants: Vec<VariantGames>,
    /// The position as a FEN.
    pub fen: String,
    /// The names of the opening that the moves show, or the position if no moves are given; null without one.
    pub opening_played: Option<String>,
    /// The side to move.
    pub turn: &'static str,
    /// The number of games that end in the position.
    pub ended: u64,
    /// Whether all games were counted.
    pub exact: bool,
    /// The number of games that were not counted, because a server limits the work for an answer.
    pub left_out: u64,
    /// The points, in percent, of the player whose games were asked for; null without one.
    pub player_score: Option<f64>,
    /// Games in which both sides have the name of that player, which do not count for `player_score`; null without a player, and if not
    /// all games were counted.
    pub self_games: Option<u64>,
    /// The moves.
    pub moves: Vec<MoveAnswer>,
    /// The moves that nobody played, and that lead to positions of games; empty unless transpositions are asked for.
    pub unplayed: Vec<UnplayedAnswer>,
    /// The moves by which games reach the position.
    pub arrivals: Vec<ArrivalAnswer>,
    /// What tables of endings prove.
    #[serde(flatten)]
    pub proven: ProvenPosition,
    /// All games that have the position.
    #[serde(flatten)]
    pub tally: Tally,
}

impl FoundTree {
    /// Returns the legal moves that nobody played and whose value tables of endings know, the best first.
    pub fn unplayed_moves(&self) -> impl Iterator<Item = &ProvenMove> {
        let played = |mv: &&ProvenMove| self.played.iter().all(|after| *after != mv.after);
        self.proven.moves.iter().filter(played)
    }

    /// Returns the answer.
    pub fn answer(&self) -> TreeAnswer {
        let tree = &self.tree;
        let turn = tree.position.turn();
        let moves = tree.moves.iter().map(|tree_move| MoveAnswer {
            text: tree_move.text.clone(),
            after: tree_move.after.fen(),
            opening_played: name_of(self.variant, &tree_move.after),
            reached: tree_move.reached,
            other_ways: tree_move.transposed(),
            player_score: self.player.as_ref().and_then(|player| player.of_move(&tree_move.text)),
            value: ProvenAnswer::of(self.proven.of_move(&tree_move.after)),
            tally: Tally::of(&tree_move.tally, turn),
        });
        let unplayed = tree.unplayed.iter().map(|tree_move| UnplayedAnswer {
            text: tree_move.text.clone(),
            after: tree_move.after.fen(),
            reached: tree_move.reached.unwrap_or(0),
        });
        let arrivals = tree.arrivals.iter().map(|arrival| ArrivalAnswer {
            text: arrival.mv.map(|_| arrival.text.clone()),
            games: arrival.games,
            before: arrival.before.map(|before| before.fen()),
        });
        TreeAnswer {
            variant: self.variant.name(),
            variant_from: if self.is_requested { "option" } else { "inferred" },
            variants: variant_games(&self.counts),
            fen: tree.position.fen(),
            opening_played: self.opening_played.clone(),
            turn: colour_name(turn),
            ended: tree.ended,
            exact: tree.left_out == 0,
            left_out: tree.left_out,
            player_score: self.player.as_ref().and_then(PlayerScores::all),
            self_games: self.player.as_ref().and_then(PlayerScores::self_games),
            moves: moves.collect(),
            unplayed: unplayed.collect(),
            arrivals: arrivals.collect(),
            proven: self.proven.answer(),
            tally: Tally::of(&tree.all, turn),
        }
    }

    /// Returns why no game has the position.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn no_match(&self, index: &Index, threads: NonZeroUsize) -> Result<AppError> {
        let board = Query::board(Pattern::position(&self.tree.position));
        no_match(index, &(self.query.clone() & same_rules(self.variant) & board), threads)
    }
}

/// Returns the bounds between which the score of a side lies with a probability of 95 %, in percent; `None` if no game has
/// a result. This is Wilson's interval for the score as a share of the points: with draws it is a little too wide.
fn interval(tally: &GameTally, turn: Colour) -> Option<(f64, f64)> {
    // The number of standard deviations that leaves out 5 %.
    const DEVIATIONS: f64 = 1.959_964;
    let games = tally.results(turn).decided() as f64;
    let share = tally.score(turn)? / 100.0;
    let square = DEVIATIONS * DEVIATIONS;
    let centre = share + square / (2.0 * games);
    let half = DEVIATIONS * (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
    let percent = |bound: f64| (100.0 * bound / (1.0 + square / games)).clamp(0.0, 100.0);
    Some((percent(centre - half), percent(centre + half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_of_the_score_is_that_of_wilson() {
        let tally = |white, draws, black| {
            let mut tally = GameTally::default();
            (tally.white, tally.draws, tally.black) = (white, draws, black);
            tally
        };
        assert_eq!(interval(&tally(0, 0, 0), Colour::White), None);
        // Published values of Wilson's interval for 5 of 10 and for 0 of 10.
        for (counts, expected) in [((5, 0, 5), (23.66, 76.34)), ((0, 0, 10), (0.0, 27.75))] {
            let (low, high) = interval(&tally(counts.0, counts.1, counts.2), Colour::White).expect("games");
            assert!((low - expected.0).abs() < 0.01 && (high - expected.1).abs() < 0.01, "{low} {high}");
        }
        let (low, high) = interval(&tally(600, 300, 100), Colour::Black).expect("games");
        assert!(low > 22.0 && low < 25.0 && high > 25.0 && high < 28.0, "{low} {high}");
    }
}
