//! `pdn dataset`: writes positions with the results of their games.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::export::{DatasetGames, DatasetSummary, DatasetWriter, ExportOptions};
use pdn::pool;
use pdn::replay::ReplayOptions;

use super::tables::{self, Source};
use crate::args::DatasetArgs;
use crate::output::exit::{fail, print_error};
use crate::output::numbers::count;
use crate::output::{Exit, Output, sanitize};

/// Runs `pdn dataset`.
pub(crate) fn run(args: &DatasetArgs, out: &mut Output) -> io::Result<Exit> {
    // The variant is no filter: games of others are counted.
    let (Some(games), Some(positions)) = (args.filter.query(), args.position.query()) else {
        return Ok(Exit::Failure);
    };
    let query = games & positions;
    if args.output == Path::new("-") {
        print_error("`--output` takes a folder; the files of a training set cannot go to standard output");
        return Ok(Exit::Failure);
    }
    let options = args.options();
    let mut writer = match DatasetWriter::create(&args.output, &options) {
        Ok(writer) => writer,
        Err(error) => return Ok(fail(&error)),
    };
    let source = match Source::open(&args.input, args.untagged, &query, args.position.moves.as_deref(), out) {
        Ok(source) => source,
        Err(exit) => return Ok(exit),
    };
    let export = ExportOptions::new().replay(ReplayOptions::new().game(args.untagged)).query(query);
    let mut written = Ok(());
    let passed = source.pass(
        &args.input,
        &options.columns(),
        &export,
        &|batch| DatasetGames::select(&batch, &options),
        &mut |games, _| {
            written = writer.add(&games);
            Ok(if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        },
        out,
    )?;
    let passed = match written.and(passed) {
        Ok(passed) => passed,
        Err(error) => return Ok(tables::report(&error)),
    };
    let summary = match writer.finish(args.input.threads.unwrap_or_else(pool::default_threads)) {
        Ok(summary) => summary,
        Err(error) => return Ok(fail(&error)),
    };
    if passed.incomplete > 0 {
        print_error(&format!(
            "{}: longer than 256 KiB; evaluations were left out",
            count(passed.incomplete, "record")
        ));
    }
    if !args.quiet {
        report(args, &summary, out);
    }
    Ok(match (passed.complete, summary.written) {
        (false, _) => Exit::Failure,
        (true, [0, 0]) => Exit::Negative,
        (true, _) => Exit::Success,
    })
}

/// Reports what was written and which games were left out.
fn report(args: &DatasetArgs, summary: &DatasetSummary, out: &Output) {
    let [train, valid] = summary.written;
    let variant = summary.variant.map_or(String::new(), |variant| format!(" of {}", variant.name()));
    let mut message = format!(
        "{}: {} for training, {} for validation, from {}{variant}",
        sanitize::path(&args.output),
        count(train, "position"),
        count(valid, "position"),
        count(summary.used_games(), "game"),
    );
    let others = summary.counts.games_of_other_variants;
    if others > 0 {
        message += &format!("; {} of other variants left out", count(others, "game"));
    }
    out.print_error(&message);
}
