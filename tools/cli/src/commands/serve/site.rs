//! `pdn export-site`: writes the page with an index, for a web server that only hosts files.

use std::path::{Path, PathBuf};

use pdn_app::ask::numbers::{count, size};
use pdn_app::read::searched::SearchedIndex;
use pdn_app::write::name_map;
use pdn_app::write::outputs::{NewFolder, empty_target, unwritable};
use pdn_app::{AppError, ErrorCode, Events};
use pdn_explorer::{MODULE_FILES, SiteOptions, SiteSummary, export_site, free_name};

use crate::commands::serve::ExportSiteArgs;
use crate::output::error::name_unusable;
use crate::output::{CommandResult, Exit, Output, sanitize};

/// Runs `pdn export-site`.
pub(crate) fn run(args: &ExportSiteArgs, out: &mut Output) -> CommandResult {
    let target = target(&args.output)?;
    let module = args.module.clone().map_or_else(find_module, Ok)?;
    let names = args.names.as_deref().map(name_map::read).transpose()?;
    let tables = args.tables.open()?;
    let index = SearchedIndex::open_folder(&args.dir)?;
    let folder = NewFolder::create_all(&target).map_err(|error| unwritable(&args.output, &error))?;
    out.temporary(folder.path());
    out.begin(None);
    let name = free_name(&args.dir, &[]);
    let options =
        SiteOptions { title: args.title.as_deref(), names: names.as_ref(), tables: tables.as_deref() };
    let exported =
        export_site(index, name, options, &module, folder.path(), &mut out.context()).and_then(|summary| {
            folder.finish().map_err(|error| unwritable(&args.output, &error)).map(|()| summary)
        });
    out.end();
    out.settled();
    let SiteSummary { games, files, unusable_tables } = exported.map_err(|error| match error.code {
        ErrorCode::Stopped => error.saying("stopped; nothing was written"),
        _ => error,
    })?;
    name_unusable(&unusable_tables);
    if !out.is_quiet() {
        out.print_error(&format!(
            "{}: {}; {}, {} in all, the longest {}",
            sanitize::path(&args.output),
            count(games, "game"),
            count(files.files, "file"),
            size(files.bytes),
            size(files.largest),
        ));
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
        let help = "the released programs come with it; in the source code, `tools/explorer/module/build FOLDER` makes it \
                    for `--module FOLDER`";
        AppError::plain(ErrorCode::NotFound, message).in_field("module").help(help)
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
