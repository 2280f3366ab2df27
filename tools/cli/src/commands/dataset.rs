//! `pdn dataset`: writes positions with the results of their games.

use std::ops::ControlFlow;
use std::path::Path;

use pdn::export::{DatasetGames, DatasetSummary, DatasetWriter, ExportOptions};
use pdn::pool;
use pdn::replay::ReplayOptions;

use super::tables::{self, Source};
use crate::args::{DatasetArgs, read_filter};
use crate::output::exit::{fail, print_error};
use crate::output::new_folder::{self, NewFolder};
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::numbers::count;

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
    let folder = match create_folder(&args.output) {
        Ok(folder) => folder,
        Err(message) => {
            print_error(&message);
            return Ok(Exit::Failure);
        }
    };
    let mut writer = match DatasetWriter::create(folder.path(), &options) {
        Ok(writer) => writer,
        Err(error) => return Ok(fail(&error)),
    };
    let source = Source::open(&args.input, args.untagged, &filter, &query, out)?;
    interrupt::install_handler_for(folder.path());
    let export = ExportOptions::new().replay(ReplayOptions::new().game(args.untagged)).query(query);
    let mut written = Ok(());
    let passed = source.pass(
        &args.input,
        &options.columns(),
        &export,
        &|batch| DatasetGames::select(&batch, &options),
        &mut |games, _| {
            written = writer.add(&games);
            let goes_on = written.is_ok() && !interrupt::is_requested();
            Ok(if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        },
        out,
    )?;
    if interrupt::is_requested() {
        out.print_error("stopped; no file was written");
        return Ok(Exit::Interrupted);
    }
    let passed = match written.and(passed) {
        Ok(passed) => passed,
        Err(error) => return Err(tables::failed(&error)),
    };
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

/// Creates the folder of the training set under a temporary name; a message if it has files.
fn create_folder(output: &Path) -> Result<NewFolder, String> {
    let target = new_folder::empty_target(output)?;
    NewFolder::create_all(&target).map_err(|error| format!("{}: {error}", sanitize::path(output)))
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
