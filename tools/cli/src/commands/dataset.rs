//! `pdn dataset`: writes positions with the results of their games.

use std::ops::ControlFlow;
use std::path::Path;

use pdn::export::{DatasetGames, DatasetSummary, DatasetWriter, ExportOptions};
use pdn::pool;
use pdn::replay::ReplayOptions;

use crate::args::{DatasetArgs, read_filter};
use crate::output::exit::{fail, print_error};
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::numbers::count;
use pdn_app::outputs::{NewFolder, empty_target, unwritable};
use pdn_app::tables::Source;
use pdn_app::{AppError, Context};

/// Runs `pdn dataset`.
pub(crate) fn run(args: &DatasetArgs, out: &mut Output) -> CommandResult {
    // The variant is no filter: games of others are counted.
    let filter = read_filter(Some(&args.filter), None, Some(&args.position))?;
    let query = filter.games() & filter.positions();
    if args.output == Path::new("-") {
        print_error("`--output` takes a folder; the files of a training set cannot go to standard output");
        return Ok(Exit::Failure);
    }
    let options = args.options();
    let target = empty_target(&args.output)?;
    let folder = NewFolder::create_all(&target).map_err(|error| unwritable(&args.output, &error))?;
    let mut writer = match DatasetWriter::create(folder.path(), &options) {
        Ok(writer) => writer,
        Err(error) => return Ok(fail(&error)),
    };
    let source = Source::open(&args.input.read(), args.untagged, &filter, &query, &mut out.context())?;
    interrupt::install_handler_for(folder.path());
    let export = ExportOptions::new().replay(ReplayOptions::new().game(args.untagged)).query(query);
    let mut written = Ok(());
    let passed = source.pass(
        &args.input.read(),
        &options.columns(),
        &export,
        &|batch| DatasetGames::select(&batch, &options),
        &mut |games, context: &mut Context<'_>| {
            written = writer.add(&games);
            let goes_on = written.is_ok() && !context.stop.is_requested();
            Ok::<_, AppError>(if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        },
        &mut out.context(),
    );
    if interrupt::is_requested() {
        out.print_error("stopped; no file was written");
        return Ok(Exit::Interrupted);
    }
    written?;
    let passed = passed?;
    let summary = match writer.finish(args.input.threads.unwrap_or_else(pool::default_threads)) {
        Ok(summary) => summary,
        Err(error) => return Ok(fail(&error)),
    };
    if let Err(error) = folder.finish() {
        print_error(&format!("{}: {error}", sanitize::path(&args.output)));
        return Ok(Exit::Failure);
    }
    interrupt::end_at_once();
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
