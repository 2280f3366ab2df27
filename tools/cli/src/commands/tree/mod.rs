//! `pdn tree`: shows the moves played in a position, and how those games ended.

mod print;

use std::cmp::{Ordering, Reverse};
use std::io::{self, Write};
use std::num::NonZeroUsize;

use pdn::pool;
use pdn::query::{self, OpeningTree, Search, TreeMove, TreeOptions, commonest_variant};
use pdn::rules::Variant;

use super::{filter, position};
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
    match build_tree(args, &index, threads) {
        Ok(Some((variant, mut tree))) => {
            sort(&mut tree, args.sort);
            let move_count = tree.moves.len();
            if args.limit > 0 {
                tree.moves.truncate(args.limit);
            }
            if args.format.is_json() {
                writeln!(out, "{}", sanitize::json(&print::json(variant, &tree)))?;
            } else {
                print::table(variant, &tree, move_count, out)?;
            }
            Ok(index.exit(if tree.all.games > 0 { Exit::Success } else { Exit::Negative }))
        }
        Ok(None) => Ok(Exit::Failure),
        Err(error) => Ok(fail(&error)),
    }
}

/// Builds the opening tree and returns it with its variant. If an option is invalid, prints why and returns `None`.
fn build_tree(
    args: &TreeArgs,
    index: &SearchedIndex,
    threads: NonZeroUsize,
) -> pdn::Result<Option<(Variant, OpeningTree)>> {
    let Some(variant) = choose_variant(args, index)? else { return Ok(None) };
    let position = position::from_options(variant.game(), args.fen.as_deref(), args.moves.as_deref());
    let Some(position) = position else { return Ok(None) };
    let mut options = TreeOptions::default();
    options.threads = threads;
    let matching;
    if !args.filter.is_empty() {
        let Some(query) = args.filter.query() else { return Ok(None) };
        if !filter::check_moves(&query, None, index) {
            return Ok(None);
        }
        (matching, _) = Search::new(index, &query, options.threads)?.games()?;
        options.among = Some(&matching);
    }
    options.transpositions = args.transpositions;
    Ok(Some((variant, query::tree(index, &position, &options)?)))
}

/// Returns the variant of `--variant`, or that of most games. If no game has it, prints why and returns `None`.
fn choose_variant(args: &TreeArgs, index: &SearchedIndex) -> pdn::Result<Option<Variant>> {
    let dir = index.name();
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
