//! `pdn tree`: shows the moves played in a position, and how those games ended.

mod line;
mod print;

use std::cmp::{Ordering, Reverse};
use std::io::{self, Write};
use std::num::NonZeroUsize;

use pdn::index::Index;
use pdn::pool;
use pdn::position::Position;
use pdn::query::{
    self, OpeningTree, Pattern, Query, Search, TreeMove, TreeOptions, commonest_variant, variant_counts,
};
use pdn::rules::Variant;

use super::{filter, no_match, position};
use crate::args::{TreeArgs, TreeSort};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output, sanitize};

/// Runs `pdn tree`.
pub(crate) fn run(args: &TreeArgs, out: &mut Output) -> io::Result<Exit> {
    match build_tree(args) {
        Ok(Some(BuiltTree { index, variant, query, mut tree })) => {
            sort(&mut tree, args.sort);
            let move_count = tree.moves.len();
            if args.limit > 0 {
                tree.moves.truncate(args.limit);
            }
            if args.json {
                writeln!(out, "{}", sanitize::json(&print::json(variant, &tree)))?;
            } else {
                print::table(variant, &tree, move_count, out)?;
            }
            if tree.all.games > 0 {
                return Ok(Exit::Success);
            }
            let query =
                query & among_variants(&index, variant) & Query::board(Pattern::position(&tree.position));
            Ok(no_match::report(&index, &query, threads(args)))
        }
        Ok(None) => Ok(Exit::Failure),
        Err(error) => Ok(fail(&error)),
    }
}

/// An opening tree, and what it was built from.
struct BuiltTree {
    index: Index,
    variant: Variant,
    /// The query of the filters.
    query: Query,
    tree: OpeningTree,
}

fn threads(args: &TreeArgs) -> NonZeroUsize {
    args.threads.unwrap_or_else(pool::default_threads)
}

/// Returns the query for games by the rules of `variant`, which several variants of the index may share.
fn among_variants(index: &Index, variant: Variant) -> Query {
    let counts = variant_counts(index).unwrap_or_default();
    let same =
        counts.into_iter().map(|(indexed, _)| indexed).filter(|indexed| indexed.rules() == variant.rules());
    let mut same: Vec<Query> = same.map(Query::variant).collect();
    if same.len() == 1 { same.remove(0) } else { Query::Or(same) }
}

/// Builds the opening tree. If an option is invalid, prints why and returns `None`.
fn build_tree(args: &TreeArgs) -> pdn::Result<Option<BuiltTree>> {
    let index = Index::open(&args.dir)?;
    let Some(variant) = choose_variant(args, &index)? else { return Ok(None) };
    let position = match (&args.fen, &args.moves) {
        (Some(fen), _) => position::from_fen(variant.game(), fen),
        (None, Some(moves)) => line::play(Position::start(variant), moves),
        (None, None) => Some(Position::start(variant)),
    };
    let Some(position) = position else { return Ok(None) };
    let mut options = TreeOptions::default();
    options.threads = threads(args);
    let mut filter_query = Query::all();
    let matching;
    if !args.filter.is_empty() {
        let Some(query) = args.filter.query() else { return Ok(None) };
        if !filter::check_moves(&query, None, &index) {
            return Ok(None);
        }
        (matching, _) = Search::new(&index, &query, options.threads)?.games()?;
        options.among = Some(&matching);
        filter_query = query;
    }
    options.transpositions = args.transpositions;
    let tree = query::tree(&index, &position, &options)?;
    Ok(Some(BuiltTree { index, variant, query: filter_query, tree }))
}

/// Returns the variant of `--variant`, or that of most games. If no game has it, prints why and returns `None`.
fn choose_variant(args: &TreeArgs, index: &Index) -> pdn::Result<Option<Variant>> {
    let dir = sanitize::path(&args.dir);
    let Some(commonest) = commonest_variant(index)? else {
        print_error(&format!("{dir}: the index has no games"));
        return Ok(None);
    };
    let Some(requested) = args.variant else { return Ok(Some(commonest)) };
    let mut indexed: Vec<Variant> = Vec::new();
    for segment in index.segments() {
        indexed.extend(segment.kinds()?.iter().map(|kind| kind.variant));
    }
    if indexed.iter().any(|variant| variant.rules() == requested.rules()) {
        return Ok(Some(requested));
    }
    indexed.sort_by_key(|variant| variant.name());
    indexed.dedup();
    let names: Vec<_> = indexed.iter().map(|variant| variant.name()).collect();
    print_error(&format!("{dir}: no game of variant {requested}; the index has {}", names.join(", ")));
    Ok(None)
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
