//! `pdn names`: finds spellings that probably mean one player, event or site.

mod file;
mod json;
mod toml_text;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::export::{ColumnSelection, ColumnValues, ExportOptions, Table, TableBatch};
use pdn::names::{CensusGame, NameCensus, NameGroup, group_names};
use pdn::replay::ReplayOptions;

use super::tables::{self, Source};
use crate::args::NamesArgs;
use crate::input::overwriting::Overwriting;
use crate::output::exit::print_error;
use crate::output::output_file::{OutputFile, unwritable};
use crate::output::{CommandResult, Exit, Output};
use pdn_app::numbers::count;

/// The columns that the census needs, in the order of [`add_games`].
const COLUMNS: [&str; 8] = ["white", "black", "event", "site", "round", "date_text", "date", "year"];

/// Runs `pdn names`.
pub(crate) fn run(args: &NamesArgs, out: &mut Output) -> CommandResult {
    let filter = args.selection.read()?;
    let query = filter.query();
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(path) = path
        && let Err(message) = file::check(path, Overwriting { force: args.force, inputs: &args.input.paths })
    {
        print_error(&message);
        return Ok(Exit::Failure);
    }
    let columns = match ColumnSelection::named(Table::Games, COLUMNS) {
        Ok(columns) => columns,
        Err(error) => {
            print_error(&error.to_string());
            return Ok(Exit::Failure);
        }
    };
    let source = Source::open(&args.input, args.selection.untagged, &filter, &query, out)?;
    let options =
        ExportOptions::new().replay(ReplayOptions::new().game(args.selection.untagged)).query(query);
    let mut census = NameCensus::new();
    let mut add = |batch: TableBatch, _: &mut Output| {
        add_games(&batch, &mut census);
        Ok(ControlFlow::Continue(()))
    };
    let passed = match source.pass(&args.input, &columns, &options, &|batch| batch, &mut add, out)? {
        Ok(passed) => passed,
        Err(error) => return Err(tables::failed(&error)),
    };
    let mut groups: Vec<NameGroup> = Vec::new();
    let mut uncompared = 0;
    for kind in pdn::names::NameKind::ALL.into_iter().filter(|kind| args.kind.contains(kind)) {
        let found = group_names(kind, census.uses(kind));
        uncompared += found.uncompared;
        groups.extend(found.groups.into_iter().filter(|group| group.games() >= args.min_games));
    }
    let text = if args.is_json() { json::text(&groups) } else { toml_text::text(&groups) };
    match path {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            let written = OutputFile::create(path).and_then(|mut file| {
                let written = file.write_all(text.as_bytes()).and_then(|()| file.commit());
                written.map_err(|error| unwritable(path, &error))
            });
            if let Err(message) = written {
                print_error(&message);
                return Ok(Exit::Failure);
            }
        }
    }
    if uncompared > 0 {
        out.print_error(&format!(
            "too many names resemble each other: up to {} of names were not compared",
            count(uncompared, "pair")
        ));
    }
    if !args.quiet {
        out.print_error(&summary(&census, &groups));
    }
    Ok(if passed.complete { Exit::Success } else { Exit::Failure })
}

/// Returns the summary for people.
fn summary(census: &NameCensus, groups: &[NameGroup]) -> String {
    let doubtful = groups.iter().filter(|group| group.doubt.is_some()).count();
    let certain = groups.iter().filter(|group| group.doubt.is_none());
    let spellings: usize = certain.clone().map(|group| group.spellings.len()).sum();
    let certain = certain.count() as u64;
    format!(
        "{}: {} with {}, and {} in doubt",
        count(census.games(), "game"),
        count(certain, "group"),
        count(spellings as u64, "spelling"),
        count(doubtful as u64, "group"),
    )
}

/// Adds the games of a batch with [`COLUMNS`].
fn add_games(batch: &TableBatch, census: &mut NameCensus) {
    let text = |column: usize, row: usize| match &batch.columns[column].values {
        ColumnValues::Text(texts) => texts.get(row),
        ColumnValues::Dictionary(texts) => texts.get(row),
        _ => "",
    };
    for row in 0..batch.rows {
        let mut game = CensusGame::default();
        (game.white, game.black, game.event) = (text(0, row), text(1, row), text(2, row));
        (game.site, game.round, game.date) = (text(3, row), text(4, row), text(5, row));
        game.has_day = !batch.columns[6].is_null(row);
        if let ColumnValues::I16(years) = &batch.columns[7].values
            && !batch.columns[7].is_null(row)
        {
            game.year = Some(years[row]);
        }
        census.add(&game);
    }
}
