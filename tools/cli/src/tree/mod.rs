//! `pdn tree`: what was played in a position, and how those games ended.

mod line;
mod print;

use std::cmp::{Ordering, Reverse};
use std::io::{self, Write};

use pdn::index::Index;
use pdn::pool;
use pdn::position::Position;
use pdn::query::{self, OpeningTree, Search, TreeMove, TreeOptions, commonest_variant};
use pdn::rules::Variant;

use crate::args::{TreeArgs, TreeSort};
use crate::clean;
use crate::exit::{Exit, complain};
use crate::filter;
use crate::output::Output;
use crate::rules;

/// Runs `pdn tree`.
pub(crate) fn run(args: &TreeArgs, out: &mut Output) -> io::Result<Exit> {
    match find(args) {
        Ok(Some((variant, mut tree))) => {
            sort(&mut tree, args.sort);
            let moves = tree.moves.len();
            if args.limit > 0 {
                tree.moves.truncate(args.limit);
            }
            if args.json {
                writeln!(out, "{}", clean::json(&print::json(variant, &tree)))?;
            } else {
                print::table(variant, &tree, moves, out)?;
            }
            Ok(if tree.all.games > 0 { Exit::Done } else { Exit::Findings })
        }
        Ok(None) => Ok(Exit::Failed),
        Err(error) => {
            complain(&clean::clean(&error.to_string()));
            Ok(Exit::Failed)
        }
    }
}

/// The variant and the tree; `None` where the position makes no sense, which has been said.
fn find(args: &TreeArgs) -> pdn::Result<Option<(Variant, OpeningTree)>> {
    let index = Index::open(&args.dir)?;
    let Some(variant) = variant(args, &index)? else { return Ok(None) };
    let position = match (&args.fen, &args.moves) {
        (Some(fen), _) => rules::position(variant.game(), fen),
        (None, Some(moves)) => line::play(Position::start(variant), moves),
        (None, None) => Some(Position::start(variant)),
    };
    let Some(position) = position else { return Ok(None) };
    let mut options = TreeOptions::default();
    options.threads = args.threads.unwrap_or_else(pool::default_threads);
    let chosen;
    if !args.filter.is_empty() {
        let Some(query) = args.filter.query() else { return Ok(None) };
        if !filter::playable(&query, None, &index) {
            return Ok(None);
        }
        (chosen, _) = Search::new(&index, &query, options.threads)?.games()?;
        options.among = Some(&chosen);
    }
    options.transpositions = args.transpositions;
    Ok(Some((variant, query::tree(&index, &position, &options)?)))
}

/// The variant asked for, or that of most games.
fn variant(args: &TreeArgs, index: &Index) -> pdn::Result<Option<Variant>> {
    let dir = clean::path(&args.dir);
    let Some(commonest) = commonest_variant(index)? else {
        complain(&format!("{dir}: the index has no games"));
        return Ok(None);
    };
    let Some(wanted) = args.variant else { return Ok(Some(commonest)) };
    let mut there: Vec<Variant> = Vec::new();
    for segment in index.segments() {
        there.extend(segment.kinds()?.iter().map(|kind| kind.variant));
    }
    if there.iter().any(|variant| variant.rules() == wanted.rules()) {
        return Ok(Some(wanted));
    }
    there.sort_by_key(|variant| variant.name());
    there.dedup();
    let names: Vec<_> = there.iter().map(|variant| variant.name()).collect();
    complain(&format!("{dir}: no game of variant {wanted}; there are {}", names.join(", ")));
    Ok(None)
}

/// Puts the moves in order; those that are equal stay as they are, by most games first.
fn sort(tree: &mut OpeningTree, by: TreeSort) {
    let turn = tree.position.turn();
    let high = |one: Option<f64>, other: Option<f64>| {
        other.unwrap_or(-1.0).partial_cmp(&one.unwrap_or(-1.0)).unwrap_or(Ordering::Equal)
    };
    let names = tree.position.names();
    tree.moves.sort_by(|one, other| match by {
        TreeSort::Games => Ordering::Equal,
        TreeSort::Score => high(one.tally.score(turn), other.tally.score(turn)),
        TreeSort::Rating => high(one.tally.average_rating(), other.tally.average_rating()),
        TreeSort::Year => Reverse(one.tally.last_year).cmp(&Reverse(other.tally.last_year)),
        TreeSort::Move => {
            let squares =
                |branch: &TreeMove| branch.mv.map(|mv| (names.number(mv.from), names.number(mv.to)));
            squares(one).cmp(&squares(other))
        }
    });
}
