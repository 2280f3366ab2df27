//! `pdn export-site`: writes the page with its answers as files, for a web server that only hosts files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::pool;
use pdn_app::name_map;
use pdn_app::numbers::{count, size};
use pdn_app::outputs::{NewFolder, empty_target, unwritable};
use pdn_app::searched::SearchedIndex;
use pdn_app::{AppError, ErrorCode, Events};
use pdn_explorer::{SiteOptions, SiteSummary, export_site, free_name};

use crate::args::ExportSiteArgs;
use crate::output::error::name_unusable;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn export-site`.
pub(crate) fn run(args: &ExportSiteArgs, out: &mut Output) -> CommandResult {
    let target = target(&args.output)?;
    let mut index = SearchedIndex::open_folder(&args.dir)?;
    args.root.iter().try_for_each(|root| index.relocate(root))?;
    let folder = NewFolder::create_all(&target).map_err(|error| unwritable(&args.output, &error))?;
    let options = SiteOptions {
        plies: args.plies,
        min_games: args.min_games,
        examples: args.examples,
        players: args.players,
        events: args.events,
        names: args.names.as_deref().map(name_map::read).transpose()?.map(Arc::new),
        threads: args.threads.unwrap_or_else(pool::default_threads),
    };
    out.temporary(folder.path());
    out.begin(None);
    let name = free_name(&args.dir, &[]);
    let exported =
        export_site(&options, index, name, folder.path(), &mut out.context()).and_then(|summary| {
            folder.finish().map_err(|error| unwritable(&args.output, &error)).map(|()| summary)
        });
    out.end();
    out.settled();
    let summary = exported.map_err(|error| match error.code {
        ErrorCode::Stopped => error.saying("stopped; nothing was written"),
        _ => error,
    })?;
    name_unusable(&summary.unusable_tables);
    if summary.unreadable > 0 {
        let message = format!(
            "{} left out: the text cannot be read, because the archive is gone or has changed",
            count(summary.unreadable as u64, "game")
        );
        let error = AppError::new(ErrorCode::ArchiveChanged, message);
        out.problem(&error.cured_by("root", "names its folder if it was moved"));
    }
    if !out.is_quiet() {
        report(args, &summary, out);
    }
    Ok(if summary.unreadable > 0 { Exit::Failure } else { Exit::Success })
}

/// Returns the absolute path of the folder to write, which is empty or does not exist.
fn target(output: &Path) -> pdn_app::Result<PathBuf> {
    if output == Path::new("-") {
        return Err(AppError::field("output", "takes a folder; a site cannot go to standard output"));
    }
    empty_target(output)
}

/// Reports what was written.
fn report(args: &ExportSiteArgs, summary: &SiteSummary, out: &Output) {
    let SiteSummary { positions, games, players, events, files, .. } = summary;
    out.print_error(&format!(
        "{}: {}, {}, {}, {}; {}, {} in all, the longest {}",
        sanitize::path(&args.output),
        count(*positions as u64, "position"),
        count(*games as u64, "game"),
        count(*players as u64, "player"),
        count(*events as u64, "event"),
        count(files.files, "file"),
        size(files.bytes),
        size(files.largest),
    ));
}
