//! Indexes archives in a temporary folder and runs a query on them:
//! `cargo run --release --example index_and_query 'player : derkx' corpora/specs`
//!
//! The index disappears at the end. `pdn index` and `pdn find` keep one.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use pdn_index::query::{Query, Search};
use pdn_index::{ImportOptions, Index, import};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((query, archives)) = args.split_first().filter(|(_, archives)| !archives.is_empty()) else {
        eprintln!("usage: index_and_query QUERY ARCHIVE...");
        std::process::exit(2);
    };
    let query = Query::parse(query)?;
    let folder = tempfile::tempdir()?;
    let index_path = folder.path().join("games.idx");

    let summary = import(archives, &index_path, &ImportOptions::new())?;
    for failure in &summary.failures {
        eprintln!("{failure}");
    }
    println!("{} games, {} plies, {} bytes of index", summary.games, summary.plies, summary.index_bytes);

    let index = Index::open(&index_path)?;
    let search = Search::new(&index, &query, pdn::default_threads())?;
    let (hits, stats) = search.hits(usize::MAX)?;
    for hit in &hits {
        let row = index.game(hit.game).expect("a hit is a game of the index").row()?;
        println!("{}: {} - {} {}, after {} plies", hit.game + 1, row.white, row.black, row.result, hit.ply);
    }
    println!(
        "games that match: {}; played: {} games, {} positions",
        hits.len(),
        stats.games,
        stats.positions
    );
    Ok(())
}
