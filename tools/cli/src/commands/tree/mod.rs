//! `pdn tree`: shows the moves played in a position, and how those games ended.

mod print;

use std::cmp::{Ordering, Reverse};
use std::io::{self, Write};

use pdn::index::GameSet;
use pdn::pool;
use pdn::position::Position;
use pdn::query::{self, OpeningTree, Pattern, Query, Search, TreeMove, TreeOptions, variant_counts};
use pdn::replay::play_text;
use pdn::rules::Variant;
use pdn::value::Fen;

use super::{filter, no_match, position};
use crate::args::{TreeArgs, TreeSort};
use crate::input::searched_index::{self, SearchedIndex};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output, sanitize};

/// Runs `pdn tree`.
pub(crate) fn run(args: &TreeArgs, out: &mut Output) -> io::Result<Exit> {
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let index = match searched_index::open(&args.searched, threads, false, out) {
        Ok(index) => index,
        Err(exit) => return Ok(exit),
    };
    let options = TreeOptions::new().threads(threads);
    let tree = ChosenGames::find(args, &index, options).and_then(|chosen| match chosen {
        Some(chosen) => chosen_tree(args, &index, &chosen, options),
        None => Ok(None),
    });
    match tree {
        Ok(Some((choice, tree, move_count))) => {
            if args.format.is_json() {
                writeln!(out, "{}", sanitize::json(&print::json(&choice, &tree)))?;
            } else {
                print::table(&choice, &tree, move_count, out)?;
            }
            if tree.all.games > 0 {
                return Ok(index.exit(Exit::Success));
            }
            let query =
                choice.query & same_rules(choice.variant) & Query::board(Pattern::position(&tree.position));
            Ok(index.exit(no_match::report(&index, &query, threads)))
        }
        Ok(None) => Ok(Exit::Failure),
        Err(error) => Ok(fail(&error)),
    }
}

/// Returns the JSON of the tree that the options choose, of games that were chosen with the same filters. If an option is
/// invalid, prints why and returns `None`.
///
/// # Errors
///
/// If the index is damaged, or the work was stopped.
#[cfg(feature = "serve")]
pub(crate) fn json(
    args: &TreeArgs,
    index: &SearchedIndex,
    chosen: &ChosenGames,
    options: TreeOptions<'_>,
) -> pdn::Result<Option<serde_json::Value>> {
    Ok(chosen_tree(args, index, chosen, options)?.map(|(choice, tree, _)| print::json(&choice, &tree)))
}

/// The opening trees of many positions of a variant, of all games of an index.
#[cfg(feature = "serve")]
pub(crate) struct VariantTrees(VariantChoice);

#[cfg(feature = "serve")]
impl VariantTrees {
    /// Reads what the trees of all positions have in common.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub(crate) fn new(index: &pdn::index::Index, variant: Variant) -> pdn::Result<Self> {
        let counts = variant_counts(index, None)?;
        Ok(Self(VariantChoice { variant, requested: true, counts, query: Query::all() }))
    }

    /// Returns the tree at a position as [`json`] does for its FEN; `None` if fewer games than `min_games` have it.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub(crate) fn json(
        &self,
        index: &pdn::index::Index,
        position: &Position,
        options: &TreeOptions<'_>,
        min_games: u64,
    ) -> pdn::Result<Option<serde_json::Value>> {
        let tree = query::tree(index, position, options)?;
        Ok((tree.all.games >= min_games).then(|| print::json(&self.0, &tree)))
    }
}

/// Builds the opening tree with its moves sorted and limited, and returns it with its variant and the number of all moves.
fn chosen_tree(
    args: &TreeArgs,
    index: &SearchedIndex,
    chosen: &ChosenGames,
    options: TreeOptions<'_>,
) -> pdn::Result<Option<(VariantChoice, OpeningTree, usize)>> {
    let Some((choice, mut tree)) = build_tree(args, index, chosen, options)? else { return Ok(None) };
    sort(&mut tree, args.sort);
    let move_count = tree.moves.len();
    if args.limit > 0 {
        tree.moves.truncate(args.limit);
    }
    Ok(Some((choice, tree, move_count)))
}

/// The games of an index that the filters of a tree choose. They are the same for all positions.
pub(crate) struct ChosenGames {
    query: Query,
    /// The games of each segment; `None` if there are no filters.
    games: Option<Vec<GameSet>>,
    /// The variants of the games with their numbers of games, the commonest first. If no game is chosen, those of all games, with 0.
    counts: Vec<(Variant, u64)>,
}

/// The variant of a tree.
struct VariantChoice {
    variant: Variant,
    /// Whether `--variant` names it; otherwise it was inferred from the games.
    requested: bool,
    /// The variants of the games that the filters leave, with their numbers of games, the commonest first.
    counts: Vec<(Variant, u64)>,
    /// The query of the filters.
    query: Query,
}

/// Returns the query for games by the rules of `variant`, whatever their variant is called.
fn same_rules(variant: Variant) -> Query {
    let same = Variant::ALL.iter().filter(|other| other.rules() == variant.rules());
    let mut same: Vec<Query> = same.map(|&other| Query::variant(other)).collect();
    if same.len() == 1 { same.remove(0) } else { Query::Or(same) }
}

impl ChosenGames {
    /// Finds the games that the filters of a tree choose. If an option is invalid, or the index has no games, prints why and
    /// returns `None`.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the work was stopped.
    pub(crate) fn find(
        args: &TreeArgs,
        index: &SearchedIndex,
        options: TreeOptions<'_>,
    ) -> pdn::Result<Option<Self>> {
        if let Some(requested) = args.variant
            && !has_variant(index, requested)?
        {
            return Ok(None);
        }
        let (mut query, mut games) = (Query::all(), None);
        if !args.filter.is_empty() {
            let Some(filters) = args.filter.query() else { return Ok(None) };
            query = filters & args.variant.map_or_else(Query::all, same_rules);
            if !filter::check(&query, None, index)? {
                return Ok(None);
            }
            let mut search = Search::new(index, &query, options.threads)?;
            if let Some(stop) = options.stop {
                search = search.stop(stop);
            }
            games = Some(search.games()?.0);
        }
        let mut counts = variant_counts(index, games.as_deref())?;
        if counts.is_empty() {
            counts = variant_counts(index, None)?;
            counts.iter_mut().for_each(|(_, games)| *games = 0);
        }
        if counts.is_empty() {
            print_error(&format!("{}: the index has no games", index.name()));
            return Ok(None);
        }
        Ok(Some(Self { query, games, counts }))
    }
}

/// Builds the opening tree and returns it with its variant. If an option is invalid, prints why and returns `None`.
fn build_tree(
    args: &TreeArgs,
    index: &SearchedIndex,
    chosen: &ChosenGames,
    given: TreeOptions<'_>,
) -> pdn::Result<Option<(VariantChoice, OpeningTree)>> {
    let mut options = given.transpositions(args.transpositions);
    options.among = chosen.games.as_deref();
    let choice = |variant| VariantChoice {
        variant,
        requested: args.variant.is_some(),
        counts: chosen.counts.clone(),
        query: chosen.query.clone(),
    };
    if let Some(variant) = args.variant {
        let Some(position) = start(args, variant) else { return Ok(None) };
        return Ok(Some((choice(variant), query::tree(index, &position, &options)?)));
    }
    let counts = &chosen.counts;
    // The commonest variant in which games have the position; else the commonest in which there is such a position.
    let mut first = None;
    for &(variant, _) in counts {
        let Some(position) = try_start(args, variant) else { continue };
        let tree = query::tree(index, &position, &options)?;
        let found = tree.all.games > 0;
        if found || first.is_none() {
            first = Some((variant, tree));
        }
        if found {
            break;
        }
    }
    let Some((variant, tree)) = first else {
        // Says what is wrong with the position in the commonest variant.
        let commonest = counts[0].0;
        if start(args, commonest).is_none() && counts.len() > 1 {
            let names: Vec<&str> = counts.iter().map(|(variant, _)| variant.name()).collect();
            print_error(&format!(
                "this was tried as {commonest}; it is no position of the other variants of the games either ({}); \
                 `--variant` names one",
                names[1..].join(", ")
            ));
        }
        return Ok(None);
    };
    if args.fen.is_some() {
        // Prints the warnings about the position.
        let _ = start(args, variant);
    }
    Ok(Some((choice(variant), tree)))
}

/// Returns the position that the options name, or the start position. If there is none, prints why and returns `None`.
fn start(args: &TreeArgs, variant: Variant) -> Option<Position> {
    position::from_options(variant.game(), args.fen.as_deref(), args.moves.as_deref())
}

/// Returns the position that the options name, or the start position; `None` if the variant has no such position.
fn try_start(args: &TreeArgs, variant: Variant) -> Option<Position> {
    let start = match &args.fen {
        Some(fen) => {
            let fen = Fen::parse(position::fen_of(fen).as_bytes()).ok()?;
            Position::from_fen_lenient(variant.game(), &fen, |_| {}).ok()?
        }
        None => Position::start(variant),
    };
    match &args.moves {
        Some(moves) => play_text(&start, moves).ok(),
        None => Some(start),
    }
}

/// Returns whether some game of the index has the rules of a variant; if none has, prints which variants there are.
fn has_variant(index: &SearchedIndex, requested: Variant) -> pdn::Result<bool> {
    let counts = variant_counts(index, None)?;
    if counts.iter().any(|(variant, _)| variant.rules() == requested.rules()) {
        return Ok(true);
    }
    let dir = index.name();
    if counts.is_empty() {
        print_error(&format!("{dir}: the index has no games"));
        return Ok(false);
    }
    let mut names: Vec<_> = counts.iter().map(|(variant, _)| variant.name()).collect();
    names.sort_unstable();
    print_error(&format!("{dir}: no game of variant {requested}; the index has {}", names.join(", ")));
    Ok(false)
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
        TreeSort::Rating => descending(a.tally.average_rating(), b.tally.average_rating()),
        TreeSort::Year => Reverse(a.tally.last_year).cmp(&Reverse(b.tally.last_year)),
        TreeSort::Move => {
            let squares =
                |tree_move: &TreeMove| tree_move.mv.map(|mv| (names.number(mv.from), names.number(mv.to)));
            squares(a).cmp(&squares(b))
        }
    });
}
