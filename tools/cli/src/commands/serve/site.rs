//! `pdn export-site`: writes the page with its answers as files, for a web server that only hosts files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn_app::name_map;
use pdn_app::numbers::{count, size};
use pdn_app::outputs::{NewFolder, empty_target, unwritable};
use pdn_app::searched::SearchedIndex;
use pdn_app::{AppError, ErrorCode, Events};
use pdn_explorer::{
    IndexSiteSummary, MODULE_FILES, SiteOptions, SiteSummary, WrittenFiles, export_index_site, export_site,
    free_name,
};

use crate::args::ExportSiteArgs;
use crate::output::error::name_unusable;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn export-site`.
pub(crate) fn run(args: &ExportSiteArgs, out: &mut Output) -> CommandResult {
    let target = target(&args.output)?;
    if args.index {
        return with_index(args, &target, out);
    }
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
        threads: args.threads.unwrap_or_else(pdn::default_threads),
    };
    out.temporary(folder.path());
    out.begin(None);
    let name = free_name(&args.dir, &[]);
    let exported =
        export_site(&options, index, name, folder.path(), &mut out.context()).and_then(|summary| {
            folder.finish().map_err(|error| unwritable(&args.output, &error)).map(|()| summary)
        });
    let summary = ended(exported, out)?;
    name_unusable(&summary.unusable_tables);
    if summary.unreadable > 0 {
        let message = format!(
            "{} left out: the text cannot be read, because the archive is gone or has changed",
            count(summary.unreadable as u64, "game")
        );
        let error = AppError::plain(ErrorCode::ArchiveChanged, message);
        out.problem(&error.cured_by("root", "names its folder if it was moved"));
    }
    if !out.is_quiet() {
        report(args, &summary, out);
    }
    Ok(if summary.unreadable > 0 { Exit::Failure } else { Exit::Success })
}

/// Writes a site with the index.
fn with_index(args: &ExportSiteArgs, target: &Path, out: &mut Output) -> CommandResult {
    let module = args.module.clone().map_or_else(find_module, Ok)?;
    let names = args.names.as_deref().map(name_map::read).transpose()?;
    let index = SearchedIndex::open_folder(&args.dir)?;
    let folder = NewFolder::create_all(target).map_err(|error| unwritable(&args.output, &error))?;
    out.temporary(folder.path());
    out.begin(None);
    let name = free_name(&args.dir, &[]);
    let exported = export_index_site(index, name, names.as_ref(), &module, folder.path(), &mut out.context())
        .and_then(|summary| {
            folder.finish().map_err(|error| unwritable(&args.output, &error)).map(|()| summary)
        });
    let IndexSiteSummary { games, files, unusable_tables } = ended(exported, out)?;
    name_unusable(&unusable_tables);
    if !out.is_quiet() {
        report_files(args, &count(games, "game"), files, out);
    }
    Ok(Exit::Success)
}

/// Returns the folder of the module that came with the program.
fn find_module() -> pdn_app::Result<PathBuf> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let own_folder = program.as_deref().and_then(Path::parent);
    let mut folders = ["module", "../share/pdn/module"]
        .into_iter()
        .filter_map(|name| own_folder.map(|folder| folder.join(name)));
    let found = folders.find(|folder| MODULE_FILES.iter().all(|file| folder.join(file).is_file()));
    found.ok_or_else(|| {
        let message = "the module that answers in browsers is not installed with this program";
        let help = "the released programs come with it, `tools/explorer/module/build` in the source code builds it, and \
                    `--module` names its folder";
        AppError::plain(ErrorCode::NotFound, message).in_field("module").help(help)
    })
}

/// Ends the display of progress, and says of a stopped export that it wrote nothing.
fn ended<T>(exported: pdn_app::Result<T>, out: &mut Output) -> pdn_app::Result<T> {
    out.end();
    out.settled();
    exported.map_err(|error| match error.code {
        ErrorCode::Stopped => error.saying("stopped; nothing was written"),
        _ => error,
    })
}

/// Returns the absolute path of the folder to write, which is empty or does not exist.
fn target(output: &Path) -> pdn_app::Result<PathBuf> {
    if output == Path::new("-") {
        return Err(AppError::plain(
            ErrorCode::InvalidValue,
            "takes a folder; a site cannot go to standard output",
        )
        .in_field("output"));
    }
    empty_target(output)
}

/// Reports what was written.
fn report(args: &ExportSiteArgs, summary: &SiteSummary, out: &Output) {
    let SiteSummary { positions, games, players, events, files, .. } = summary;
    let parts = format!(
        "{}, {}, {}, {}",
        count(*positions as u64, "position"),
        count(*games as u64, "game"),
        count(*players as u64, "player"),
        count(*events as u64, "event"),
    );
    report_files(args, &parts, *files, out);
}

/// Reports what a site has, and its files.
fn report_files(args: &ExportSiteArgs, parts: &str, files: WrittenFiles, out: &Output) {
    out.print_error(&format!(
        "{}: {parts}; {}, {} in all, the longest {}",
        sanitize::path(&args.output),
        count(files.files, "file"),
        size(files.bytes),
        size(files.largest),
    ));
}
