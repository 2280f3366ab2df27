//! `pdn novelty`: shows where games leave all earlier games.

use std::io::Write;

use clap::Args;
use pdn::value::FenStyle;
use pdn_app::Events;
use pdn_app::ask::numbers::{Count, count};
use pdn_app::ask::rows::{FoundGame, RowReader};
use pdn_app::find::novelty::{
    FoundNovelties, NoveltyCounts, NoveltyOrder, NoveltyRequest, NoveltyRow, novelty_fields,
};
use pdn_index::internal::query::RowTable;
use pdn_index::query::Hit;

use crate::args::filter::GameFilterArgs;
use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, SearchedArgs, number};
use crate::output::table::Column;
use crate::output::{CommandResult, Exit, Output, index_exit, interrupt, sanitize, table};

pub(crate) const AFTER_HELP: &str = "\
A game leaves all earlier games with the first move that leads to a position which none of them has, by any order of moves. Earlier \
is a game of the same variant if every day that its date allows comes before every day that the date of the other allows. So games \
without a year are earlier than none, and games of the same day are not compared with each other. The predecessor is the first of the \
earlier games with the position before that move.

The options under `Games` choose the games that are listed, as in `pdn find`; all games are compared: `pdn novelty games.idx --player \
like:wiersma --sort ply --reverse` lists the games of a player that followed others longest.

Games without a novelty are counted below the table: those that repeat earlier games to their end, those without an earlier game, and those \
without a year. The exit code is 1 if no game has a novelty.";

#[derive(Args, Debug)]
pub(crate) struct NoveltyArgs {
    #[command(flatten)]
    pub(crate) games: GameFilterArgs,

    #[command(flatten)]
    pub(crate) order: OptionArgs<NoveltyOrder>,

    /// Print at most this many games, 0 for no limit [default: 100 for a table, else 0]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Default of `--limit` for a table.
const TABLE_LIMIT: usize = 100;

/// Runs `pdn novelty`.
pub(crate) fn run(args: &NoveltyArgs, out: &mut Output) -> CommandResult {
    let request = NoveltyRequest { filter: args.games.read()?, order: *args.order };
    let threads = args.searched.threads.number();
    let needs_text = request.filter.games().reads_text();
    let index = args.searched.read().open(threads, needs_text, &mut out.context())?;
    let found = request.find(&index, threads, &interrupt::handle())?;
    if found.counts.games == 0 {
        out.problem(&request.no_match(&index, threads)?);
        return Ok(index_exit(&index, Exit::Negative));
    }
    let (table, numbers, fields) = (RowTable::new(&index)?, index.record_numbers()?, novelty_fields());
    let reader = RowReader {
        index: &index,
        table: &table,
        numbers: &numbers,
        fields: &fields,
        distances: None,
        fen_style: FenStyle::Pdn,
    };
    let limit = match args.limit {
        Some(0) => usize::MAX,
        Some(limit) => limit,
        None if args.format.is_json() => usize::MAX,
        None => TABLE_LIMIT,
    };
    let hits = &found.hits[..found.hits.len().min(limit)];
    if args.format.is_json() {
        for hit in hits {
            if let Some(row) = found.row(&reader, hit)? {
                writeln!(out, "{}", sanitize::json(&row))?;
            }
        }
    } else {
        print_table(&found, &reader, hits, out)?;
    }
    Ok(index_exit(&index, if found.hits.is_empty() { Exit::Negative } else { Exit::Success }))
}

/// Prints the games as a table, and what became of all others.
fn print_table(
    found: &FoundNovelties,
    reader: &RowReader<'_>,
    hits: &[Hit],
    out: &mut Output,
) -> CommandResult<()> {
    let columns = [
        ("game", true),
        ("novelty", false),
        ("white", false),
        ("black", false),
        ("date", false),
        ("predecessor", true),
        ("date", false),
        ("white", false),
        ("black", false),
    ];
    let columns = columns.map(|(title, is_number)| Column::new(title, is_number)).into();
    let row = |hit: &Hit| Ok(found.row(reader, hit)?.map(|row| cells(&row)));
    if !hits.is_empty() {
        table::write(columns, hits, row, "see `--json`", out)?;
    }
    let NoveltyCounts { games, with_novelty, repeated, without_predecessor, without_year } = found.counts;
    let all = if (hits.len() as u64) < with_novelty {
        format!("; {} shown, `--limit 0` lists all", Count(hits.len() as u64))
    } else {
        String::new()
    };
    writeln!(out, "Leave all earlier games: {} of {}{all}.", Count(with_novelty), count(games, "game"))?;
    for (number, what) in [
        (repeated, "All positions known from earlier games"),
        (without_predecessor, "No earlier game begins as they do"),
        (without_year, "Year unknown"),
    ] {
        if number > 0 {
            writeln!(out, "{what}: {}.", Count(number))?;
        }
    }
    Ok(())
}

/// Returns the cells of a row.
fn cells(row: &NoveltyRow<'_>) -> Vec<String> {
    let of = |game: &FoundGame<'_>, name: &str| {
        let field = game.fields.iter().position(|field| field.to_string() == name);
        field.map_or_else(String::new, |field| game.values[field].cell())
    };
    let dots = if row.novelty.is_multiple_of(2) { "." } else { "..." };
    vec![
        of(&row.game, "game"),
        format!("{}{dots} {}", row.novelty / 2 + 1, row.mv),
        of(&row.game, "white"),
        of(&row.game, "black"),
        of(&row.game, "date_text"),
        of(&row.predecessor, "game"),
        of(&row.predecessor, "date_text"),
        of(&row.predecessor, "white"),
        of(&row.predecessor, "black"),
    ]
}
